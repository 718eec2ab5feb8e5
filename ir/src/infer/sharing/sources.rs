//! Where the memory of a value comes from: one step back.

use super::elements::{Pair, product};
use crate::array::{ArrayOp, DType};
use crate::graph::{Const, GraphId, Kind, NodeId};
use crate::infer::abs::{Abs, Sequence};
use crate::infer::calls::{Callee, Target};
use crate::infer::engine::Engine;
use crate::infer::indexing::{constant_bounds, slice_indices};
use crate::infer::instances::InstId;
use crate::prim::Prim;
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// As a field of a list whose length only the run knows: one of its elements.
pub(super) const ELEMENT: u32 = u32::MAX;

/// The same, beside [`ELEMENT`] of the same list: another one.
pub(super) const OTHER: u32 = u32::MAX - 1;

/// Some memory: that of an object, or of all objects that it holds.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct Place {
    /// The instance of the graph of the node.
    pub(super) at: InstId,
    pub(super) node: NodeId,
    /// Which field of the node's value it is, of which field of that, and so on.
    pub(super) path: Vec<u32>,
    /// Whether it is the object there alone, and nothing that it holds.
    pub(super) exact: bool,
}

impl Place {
    /// Whether it shares memory with another place in the value of the same node.
    pub(super) fn meets(&self, other: &Place) -> bool {
        self.path == other.path
            || !other.exact && self.path.starts_with(&other.path)
            || !self.exact && other.path.starts_with(&self.path)
    }

    /// Whether the places are in different fields.
    pub(super) fn is_beside(&self, other: &Place) -> bool {
        !self.path.starts_with(&other.path) && !other.path.starts_with(&self.path)
    }
}

/// Where a place comes from.
pub(super) enum Origin {
    /// A parameter of its function, or a value of the top level.
    Outside,
    /// All of these; none if it is new.
    Places(Vec<Place>),
    /// The result of one of these instances, called at the place.
    Results(Vec<InstId>),
}

/// The steps back in a program.
pub(super) struct Sources<'e> {
    pub(super) e: &'e mut Engine,
    /// The jumps to each block.
    jumps: FxHashMap<InstId, Vec<(InstId, NodeId)>>,
    /// The blocks of a function in an order in which each comes after those that dominate it.
    rank: FxHashMap<InstId, u32>,
    /// The order of nodes in their graph.
    position: FxHashMap<NodeId, u32>,
    /// The free variables of graphs that are values.
    free: FxHashMap<GraphId, Rc<[NodeId]>>,
    /// What [`Sources::root`] has found.
    roots: FxHashMap<(InstId, NodeId), (InstId, NodeId)>,
}

impl<'e> Sources<'e> {
    /// Those of the instances that a program reaches.
    pub(super) fn new(e: &'e mut Engine, reached: &[InstId]) -> Sources<'e> {
        let (mut jumps, mut position): (FxHashMap<InstId, Vec<_>>, _) = (FxHashMap::default(), FxHashMap::default());
        for &id in reached {
            let schedule = e.scopes.schedule(e.instances[id].graph);
            position.extend(schedule.iter().zip(1..).map(|(&n, i)| (n, i)));
            for &node in schedule.iter() {
                if let Some(Target::Blocks { targets, .. }) = e.instances[id].calls.get(&node) {
                    targets.iter().for_each(|&t| jumps.entry(t).or_default().push((id, node)));
                }
            }
        }
        let mut sources =
            Sources { e, jumps, rank: FxHashMap::default(), position, free: FxHashMap::default(), roots: FxHashMap::default() };
        for &id in reached {
            if sources.e.instances[id].function == id {
                let order = sources.blocks(id);
                sources.rank.extend(order.into_iter().zip(0..));
            }
        }
        sources
    }

    /// The blocks of a function in reverse postorder.
    fn blocks(&self, function: InstId) -> Vec<InstId> {
        let next = |id: InstId| -> Vec<InstId> {
            let result = self.e.m.result(self.e.instances[id].graph);
            match self.e.instances[id].calls.get(&result) {
                Some(Target::Blocks { targets, .. }) => targets.clone(),
                _ => Vec::new(),
            }
        };
        let mut order = Vec::new();
        let mut seen = FxHashSet::from_iter([function]);
        let mut stack = vec![(function, next(function))];
        while let Some((id, rest)) = stack.last_mut() {
            match rest.pop() {
                Some(block) if seen.insert(block) => {
                    let after = next(block);
                    stack.push((block, after));
                }
                Some(_) => {}
                None => {
                    order.push(*id);
                    stack.pop();
                }
            }
        }
        order.reverse();
        order
    }

    /// The values that a function returns.
    pub(super) fn results(&self, function: InstId) -> Vec<(InstId, NodeId)> {
        let result = |id: InstId| (id, self.e.m.result(self.e.instances[id].graph));
        let is_jump = |&(id, n): &(InstId, NodeId)| matches!(self.e.instances[id].calls.get(&n), Some(Target::Blocks { .. }));
        self.blocks(function).into_iter().map(result).filter(|r| !is_jump(r)).collect()
    }

    /// A number that is greater for what is made later, of two values of a function that exist at one time. None for what comes from
    /// outside of it.
    pub(super) fn time(&self, function: InstId, p: &Place) -> Option<(u32, u32)> {
        if self.is_outside(function, p) {
            return None;
        }
        Some((self.rank[&p.at], self.position.get(&p.node).copied().unwrap_or(0)))
    }

    fn is_outside(&self, function: InstId, p: &Place) -> bool {
        self.e.instances[p.at].function != function
            || p.at == function && self.e.m[p.node].kind == Kind::Param
            || self.e.m.as_prim(p.node) == Some(Prim::Opened)
            || self.is_global(p)
    }

    /// Whether it is a value of the top level.
    fn is_global(&self, p: &Place) -> bool {
        match self.e.instances[p.at].calls.get(&p.node) {
            Some(Target::Function(Callee::Known(f, _)) | Target::Instead(Callee::Known(f, _), _)) => {
                self.e.m.memory.is_held(self.e.instances[*f].graph)
            }
            _ => false,
        }
    }

    /// A node that an instance reads, as places: none where it holds no memory, for a closure the variables that it captures.
    pub(super) fn places(&mut self, id: InstId, node: NodeId, path: &[u32], exact: bool) -> Vec<Place> {
        if let Kind::Const(Const::Graph(g)) = self.e.m[node].kind {
            let free = self.captured(g);
            return free.iter().flat_map(|&n| self.places(id, n, &[], exact)).collect();
        }
        let Some(owner) = self.e.m[node].graph else { return Vec::new() };
        let mut abs = self.e.operand(id, node);
        let mut known = Vec::new();
        for (depth, &field) in path.iter().enumerate() {
            if let Some(element) = abs.element() {
                abs = element.clone();
                known.push(if field == OTHER { OTHER } else { ELEMENT });
                continue;
            }
            let (Abs::Tuple(items, _) | Abs::Record(_, items) | Abs::Iter(items, _)) = &abs else { break };
            if field >= OTHER {
                // A list of known length, which is one with any length elsewhere.
                let any = |i: u32| [&known[..], &[i], &path[depth + 1..]].concat();
                return (0..items.len() as u32).flat_map(|i| self.places(id, node, &any(i), exact)).collect();
            }
            let Some(item) = items.get(field as usize) else { break };
            abs = item.clone();
            known.push(field);
        }
        if !holds_memory(&abs) {
            return Vec::new();
        }
        let exact = exact && (known.len() == path.len() || matches!(abs, Abs::Array(..)));
        vec![Place { at: self.e.instances.home(id, owner), node, path: known, exact }]
    }

    /// What there is at a path in the value of a node, where that is known.
    pub(super) fn within(&mut self, id: InstId, node: NodeId, path: &[u32]) -> Option<Abs> {
        path.iter().try_fold(self.e.operand(id, node), |abs, &field| match (&abs, abs.element()) {
            (_, Some(element)) => Some(element.clone()),
            (Abs::Tuple(items, _) | Abs::Record(_, items), _) => items.get(field as usize).cloned(),
            _ => None,
        })
    }

    /// A list and the elements that it holds, in the place of all of it; none if it is no list.
    pub(super) fn parts(&mut self, p: &Place) -> Option<Vec<Place>> {
        if p.exact {
            return None;
        }
        let abs = self.within(p.at, p.node, &p.path)?;
        let fields = match (&abs, abs.element()) {
            (_, Some(_)) => vec![ELEMENT],
            (Abs::Tuple(items, _) | Abs::Record(_, items), _) => (0..items.len() as u32).collect(),
            _ => return None,
        };
        let mut parts = vec![Place { exact: true, ..p.clone() }];
        for i in fields {
            parts.extend(self.places(p.at, p.node, &[&p.path[..], &[i]].concat(), false));
        }
        Some(parts)
    }

    /// The variables that a closure of a graph captures, those of the closures that it makes or calls included.
    fn captured(&mut self, g: GraphId) -> Rc<[NodeId]> {
        if let Some(found) = self.free.get(&g) {
            return found.clone();
        }
        let around: Vec<GraphId> = std::iter::successors(self.e.scopes.parent(g), |&p| self.e.scopes.parent(p)).collect();
        let (mut found, mut seen, mut work) = (Vec::new(), FxHashSet::from_iter([g]), vec![g]);
        while let Some(g) = work.pop() {
            let nodes = self.e.scopes.schedule(g);
            let inputs = nodes.iter().flat_map(|&n| self.e.m[n].inputs().iter().copied());
            for n in inputs.chain([self.e.m.result(g)]) {
                match self.e.m.as_graph(n) {
                    Some(h) if !around.contains(&h) && seen.insert(h) => work.push(h),
                    None if self.e.m[n].graph.is_some_and(|owner| around.contains(&owner)) => found.push(n),
                    _ => {}
                }
            }
        }
        found.sort_unstable();
        found.dedup();
        self.free.entry(g).or_insert(found.into()).clone()
    }

    /// The same memory before all writes to an array on the way: however many there are, they are gone through once.
    pub(super) fn root(&mut self, p: Place) -> Place {
        let (mut found, mut passed) = ((p.at, p.node), Vec::new());
        loop {
            if let Some(&known) = self.roots.get(&found) {
                found = known;
                break;
            }
            let (at, node) = found;
            let is_write = matches!(self.e.m[node].kind, Kind::Prim(Prim::SetItem | Prim::AddItem | Prim::UpdateItem));
            if !is_write || !matches!(self.e.operand(at, node), Abs::Array(..)) {
                break;
            }
            let array = self.e.m[node].inputs()[0];
            let Some(before) = self.places(at, array, &[], true).pop() else { break };
            passed.push(found);
            found = (before.at, before.node);
        }
        self.roots.extend(passed.into_iter().map(|place| (place, found)));
        Place { at: found.0, node: found.1, ..p }
    }

    /// One step back.
    pub(super) fn of(&mut self, p: &Place) -> Origin {
        let is_call = |prim: &Prim| prim.applies() || matches!(prim, Prim::CallKw(_) | Prim::Apply(_));
        if let Some(prim) = self.e.m.as_prim(p.node).filter(|prim| !is_call(prim) && self.is_of_list(p)) {
            return Origin::Places(self.of_list(p, prim));
        }
        match self.e.m[p.node].kind {
            Kind::Param if self.e.instances[p.at].function == p.at => Origin::Outside,
            Kind::Prim(Prim::Opened) => Origin::Outside,
            Kind::Param => {
                let given = self.given_by_jumps(p.at, p.node);
                Origin::Places(given.into_iter().flat_map(|(from, n)| self.places(from, n, &p.path, p.exact)).collect())
            }
            Kind::Call | Kind::Prim(Prim::CallKw(_) | Prim::Apply(_)) => self.of_call(p),
            Kind::Prim(_) if self.e.instances[p.at].calls.contains_key(&p.node) => self.of_call(p),
            Kind::Prim(prim) if prim.applies() => self.of_call(p),
            Kind::Prim(prim) => Origin::Places(self.of_prim(p, prim)),
            Kind::Const(_) | Kind::Return => unreachable!("a place is computed"),
        }
    }

    /// What the jumps to a block give for a parameter, each with the instance that it is from, in one order for all parameters.
    pub(super) fn given_by_jumps(&self, block: InstId, parameter: NodeId) -> Vec<(InstId, NodeId)> {
        let params = &self.e.m[self.e.instances[block].graph].params;
        let i = params.iter().position(|&n| n == parameter).expect("a parameter of its graph");
        let jumps = self.jumps.get(&block).into_iter().flatten();
        jumps.map(|&(from, call)| (from, self.e.m[call].inputs()[i + 1])).collect()
    }

    /// Whether a primitive is a method of a list whose length only the run knows.
    fn is_of_list(&mut self, p: &Place) -> bool {
        let operands = self.e.m[p.node].inputs().to_vec();
        self.e.instances[p.at].calls.contains_key(&p.node)
            && operands.into_iter().any(|n| self.e.operand(p.at, n).is_list_or_iterator())
    }

    /// What such a method gives: the list that it changes, or what the list holds in another one.
    fn of_list(&mut self, p: &Place, prim: Prim) -> Vec<Place> {
        let inputs = self.e.m[p.node].inputs().to_vec();
        match prim {
            Prim::Append | Prim::Extend | Prim::SetItem | Prim::AddItem | Prim::UpdateItem | Prim::Iter
                if p.exact && p.path.is_empty() =>
            {
                self.places(p.at, inputs[0], &[], true)
            }
            Prim::Append | Prim::SetItem | Prim::UpdateItem if !p.path.is_empty() => {
                let mut places = self.places(p.at, inputs[0], &p.path, p.exact);
                let value = *inputs.last().expect("what is put into the list");
                match prim != Prim::Append && self.is_slice(p.at, inputs[1]) {
                    true => places.extend(self.elements(p.at, value, &p.path[1..], p.exact)),
                    false => places.extend(self.places(p.at, value, &p.path[1..], p.exact)),
                }
                places
            }
            // The list with all that it holds, what is put into it included.
            Prim::Append | Prim::SetItem | Prim::UpdateItem if !p.exact => {
                let mut places = self.places(p.at, inputs[0], &[], false);
                let value = *inputs.last().expect("what is put into the list");
                places.extend(self.places(p.at, value, &[], false));
                places
            }
            Prim::GetItem | Prim::OldItem if !self.is_slice(p.at, inputs[1]) => self.elements(p.at, inputs[0], &p.path, p.exact),
            Prim::MinOf | Prim::MaxOf => self.elements(p.at, inputs[0], &p.path, p.exact),
            Prim::Next | Prim::Advance => self.places(p.at, inputs[0], &[], false),
            _ if p.exact && p.path.is_empty() => Vec::new(),
            Prim::Iter => self.places(p.at, inputs[0], &p.path, p.exact),
            Prim::GetItem | Prim::OldItem if !p.path.is_empty() => self.places(p.at, inputs[0], &p.path, p.exact),
            // Another list, which holds what lists among its operands do.
            _ if self.e.operand(p.at, p.node).element().is_some() => {
                inputs.into_iter().flat_map(|n| self.contents(p.at, n)).collect()
            }
            _ => self.operands(p),
        }
    }

    fn of_call(&mut self, p: &Place) -> Origin {
        match self.e.instances[p.at].calls.get(&p.node) {
            Some(Target::Function(Callee::Known(f, _)) | Target::Instead(Callee::Known(f, _), _)) => {
                let (f, g) = (*f, self.e.instances[*f].graph);
                if self.e.m.memory.is_held(g) {
                    Origin::Outside
                } else if self.e.wrappers.is_gradient(g) {
                    Origin::Places(Vec::new())
                } else if self.e.m.memory.fresh.contains(&g) {
                    Origin::Places(self.of_copy(p))
                } else {
                    Origin::Results(vec![f])
                }
            }
            Some(Target::Function(Callee::Value { members, .. }) | Target::Instead(Callee::Value { members, .. }, _)) => {
                Origin::Results(members.iter().map(|&(_, f)| f).collect())
            }
            Some(Target::Derivative(_) | Target::Pullback(_)) => Origin::Places(Vec::new()),
            _ => Origin::Places(self.operands(p)),
        }
    }

    /// A new object: an array, or one that holds what the lists and dicts among the operands do.
    fn of_copy(&mut self, p: &Place) -> Vec<Place> {
        if p.exact && p.path.is_empty() || matches!(self.e.operand(p.at, p.node), Abs::Array(..)) {
            return Vec::new();
        }
        let mut inputs = self.e.m[p.node].inputs().to_vec();
        inputs.retain(|&n| matches!(self.e.operand(p.at, n), Abs::Tuple(..) | Abs::Record(..) | Abs::Iter(..) | Abs::Boxed(_)));
        inputs.into_iter().flat_map(|n| self.contents(p.at, n)).collect()
    }

    /// What a list or a dict holds, without the object itself.
    fn contents(&mut self, at: InstId, node: NodeId) -> Vec<Place> {
        self.elements(at, node, &[], false)
    }

    /// A part of each thing that a list or a dict holds.
    fn elements(&mut self, at: InstId, node: NodeId, path: &[u32], exact: bool) -> Vec<Place> {
        let fields = match self.e.operand(at, node) {
            list if list.element().is_some() => vec![ELEMENT],
            Abs::Tuple(items, _) | Abs::Record(_, items) => (0..items.len() as u32).collect(),
            _ => return self.places(at, node, &[], false),
        };
        fields.into_iter().flat_map(|field| self.places(at, node, &[&[field], path].concat(), exact)).collect()
    }

    /// The elements of lists side by side, once they were taken: what is at a path in a row of those that `zip` or `enumerate` gives.
    /// None if the node is no such iterator, over lists whose lengths are known.
    fn taken(&mut self, at: InstId, iterator: NodeId, path: &[u32]) -> Option<Vec<Place>> {
        let prim = self.e.m.as_prim(iterator).filter(|p| matches!(p, Prim::Zip | Prim::Enumerate))?;
        let of = self.e.m[iterator].inputs()[0];
        let abs = self.e.operand(at, of);
        let columns = match (prim, &abs) {
            (Prim::Zip, Abs::Tuple(columns, _)) => columns.iter().zip(0..).map(|(c, j)| (vec![j], c.clone())).collect(),
            (Prim::Enumerate, _) => vec![(Vec::new(), Abs::Bottom), (Vec::new(), abs)],
            _ => return None,
        };
        let mut found = Vec::new();
        for (j, (way, column)) in columns.into_iter().enumerate() {
            let rows = match column {
                Abs::Tuple(items, _) => 0..items.len() as u32,
                Abs::Bottom | Abs::Range(..) => 0..0,
                _ => return None,
            };
            let (row, rest) = (path.first(), path.get(1..).unwrap_or_default());
            let (field, inner) = (rest.first(), rest.get(1..).unwrap_or_default());
            if field.is_none_or(|&field| field as usize == j) {
                for i in rows.filter(|i| row.is_none_or(|row| row == i)) {
                    found.extend(self.places(at, of, &[&way[..], &[i], inner].concat(), false));
                }
            }
        }
        Some(found)
    }

    /// A place outside of a function, as seen where it is called: an argument; what a function value holds; or the place itself.
    pub(super) fn given(&mut self, f: InstId, at: InstId, call: NodeId, outside: &Place) -> Vec<Place> {
        if let Some(argument) = self.argument(f, at, call, outside) {
            return self.places(at, argument, &outside.path, outside.exact);
        }
        match self.e.instances[at].calls.get(&call) {
            Some(Target::Function(Callee::Value { .. })) if !self.is_global(outside) => {
                let callee = self.e.shape(call).1[0];
                self.places(at, callee, &[], false)
            }
            _ => vec![outside.clone()],
        }
    }

    /// The same of two places.
    pub(super) fn given_pairs(&mut self, f: InstId, at: InstId, call: NodeId, [x, y]: [&Place; 2]) -> Vec<Pair> {
        match [x, y].map(|outside| self.argument(f, at, call, outside)) {
            [Some(first), Some(second)] => self.both(at, [(first, x), (second, y)]),
            _ => product(&self.given(f, at, call, x), &self.given(f, at, call, y)),
        }
    }

    /// What a call gives for the parameter that a place is in.
    fn argument(&self, f: InstId, at: InstId, call: NodeId, outside: &Place) -> Option<NodeId> {
        let inputs = match self.e.instances[at].calls.get(&call) {
            Some(Target::Instead(_, given)) => std::iter::once(call).chain(given.iter().copied()).collect(),
            _ => self.e.shape(call).1,
        };
        let params = &self.e.m[self.e.instances[f].graph].params;
        let i = params.iter().position(|&n| n == outside.node).filter(|_| outside.at == f)?;
        Some(inputs[i + 1])
    }

    /// All that the operands of a node hold.
    fn operands(&mut self, p: &Place) -> Vec<Place> {
        let inputs = self.e.m[p.node].inputs().to_vec();
        inputs.into_iter().flat_map(|n| self.places(p.at, n, &[], false)).collect()
    }

    fn of_prim(&mut self, p: &Place, prim: Prim) -> Vec<Place> {
        let inputs = self.e.m[p.node].inputs().to_vec();
        let is_array = matches!(self.e.operand(p.at, p.node), Abs::Array(..));
        let below = |field: u32| [&[field], &p.path[..]].concat();
        match prim {
            Prim::GetItem | Prim::Picked | Prim::OldItem if makes_copy(self.e, p.at, p.node) => Vec::new(),
            Prim::GetItem | Prim::Picked | Prim::OldItem | Prim::Get(_) => {
                match (self.e.operand(p.at, inputs[0]), self.field(p, prim, &inputs)) {
                    (Abs::Array(..), _) => self.places(p.at, inputs[0], &[], p.exact),
                    (_, Some(i)) => self.places(p.at, inputs[0], &below(i), p.exact),
                    (Abs::Tuple(items, _), None)
                        if matches!(prim, Prim::GetItem | Prim::OldItem) && self.is_slice(p.at, inputs[1]) =>
                    {
                        // Another list, of some of the elements.
                        let Some((&i, inner)) = p.path.split_first() else {
                            return if p.exact { Vec::new() } else { self.contents(p.at, inputs[0]) };
                        };
                        let slice = self.e.operand(p.at, inputs[1]);
                        let length = items.len();
                        let fields = taken_by(&slice, length, i).map_or(0..length as u32, |i| i..i + 1);
                        let of = |i: u32| [&[i], inner].concat();
                        fields.flat_map(|i| self.places(p.at, inputs[0], &of(i), p.exact)).collect()
                    }
                    (Abs::Tuple(items, _), None) => {
                        let fields = 0..items.len() as u32;
                        fields.flat_map(|i| self.places(p.at, inputs[0], &below(i), p.exact)).collect()
                    }
                    _ => self.operands(p),
                }
            }
            Prim::ItemValue => self.places(p.at, inputs[2], &p.path, p.exact),
            Prim::SetItem | Prim::AddItem | Prim::UpdateItem => match p.path.split_first() {
                None if is_array || p.exact => self.places(p.at, inputs[0], &[], p.exact),
                Some((&i, _)) if self.field(p, prim, &inputs).is_some_and(|written| written != i) => {
                    self.places(p.at, inputs[0], &p.path, p.exact)
                }
                // The elements after a slice that is written may have moved.
                Some((_, inner)) if self.is_slice(p.at, inputs[1]) => {
                    let mut places = self.elements(p.at, inputs[2], inner, p.exact);
                    places.extend(self.elements(p.at, inputs[0], inner, p.exact));
                    places
                }
                Some((_, inner)) if prim != Prim::AddItem => {
                    let mut places = self.places(p.at, inputs[2], inner, p.exact);
                    if self.field(p, prim, &inputs).is_none() {
                        places.extend(self.places(p.at, inputs[0], &p.path, p.exact));
                    }
                    places
                }
                Some((&i, _)) if matches!(self.item(p.at, inputs[0], i), Some(Abs::Array(..))) => {
                    self.places(p.at, inputs[0], &p.path, p.exact)
                }
                _ => self.operands(p),
            },
            Prim::Append | Prim::Extend => match (p.path.split_first(), self.e.operand(p.at, inputs[0])) {
                (None, _) if p.exact => self.places(p.at, inputs[0], &[], true),
                (Some((&i, _)), Abs::Tuple(before, _)) if (i as usize) < before.len() => {
                    self.places(p.at, inputs[0], &p.path, p.exact)
                }
                (Some((_, inner)), _) if prim == Prim::Append => self.places(p.at, inputs[1], inner, p.exact),
                _ => self.operands(p),
            },
            // Another list, of the elements of both.
            Prim::Add if !is_array => match (p.path.split_first(), self.e.operand(p.at, inputs[0])) {
                (None, _) if p.exact => Vec::new(),
                (Some((&i, _)), Abs::Tuple(before, _)) if (i as usize) < before.len() => {
                    self.places(p.at, inputs[0], &p.path, p.exact)
                }
                (Some((&i, inner)), Abs::Tuple(before, _)) => {
                    self.places(p.at, inputs[1], &[&[i - before.len() as u32], inner].concat(), p.exact)
                }
                _ => inputs.iter().flat_map(|&n| self.contents(p.at, n)).collect(),
            },
            Prim::TupleOf | Prim::List
                if self.e.m.as_prim(inputs[0]).is_some_and(|of| matches!(of, Prim::Zip | Prim::Enumerate)) =>
            {
                match self.taken(p.at, inputs[0], &p.path) {
                    // The list is new, and so are its rows.
                    Some(_) if p.exact && p.path.len() < 2 => Vec::new(),
                    Some(places) => places,
                    None => self.operands(p),
                }
            }
            Prim::TupleOf | Prim::List if !p.path.is_empty() && matches!(self.e.operand(p.at, inputs[0]), Abs::Tuple(..)) => {
                self.places(p.at, inputs[0], &p.path, p.exact)
            }
            Prim::TupleOf | Prim::List if p.path.is_empty() && !p.exact => self.contents(p.at, inputs[0]),
            Prim::BitOr if !is_array && !p.exact => inputs.into_iter().flat_map(|n| self.contents(p.at, n)).collect(),
            Prim::Tuple => match p.path.split_first() {
                Some((&i, inner)) => self.places(p.at, inputs[i as usize], inner, p.exact),
                None if p.exact => Vec::new(),
                None => self.operands(p),
            },
            Prim::Attribute => {
                let field = match (self.e.operand(p.at, inputs[0]), self.e.m[inputs[1]].as_const()) {
                    (Abs::Record(schema, _), Some(Const::Str(name))) => schema.position(name),
                    _ => None,
                };
                match field {
                    Some(field) => self.places(p.at, inputs[0], &below(field as u32), p.exact),
                    // A method, which holds the instance, or a field of what is in a box.
                    None => self.places(p.at, inputs[0], &[], false),
                }
            }
            Prim::Record => self.places(p.at, inputs[1], &p.path, p.exact),
            // What lies in a box, and in what is in it.
            Prim::NarrowTo => self.places(p.at, inputs[0], &[], false),
            Prim::Min | Prim::Max if !is_array => inputs.iter().flat_map(|&n| self.places(p.at, n, &p.path, p.exact)).collect(),
            Prim::MinOf | Prim::MaxOf => self.elements(p.at, inputs[0], &p.path, p.exact),
            Prim::Starred => match (p.path.split_first(), self.e.operand(p.at, inputs[1])) {
                (None, _) if p.exact => Vec::new(),
                // The list of all that no name takes is new.
                (Some((&i, inner)), Abs::I64(Some(before))) if i64::from(i) == before => match inner.split_first() {
                    None if p.exact => Vec::new(),
                    None => self.contents(p.at, inputs[0]),
                    Some((_, inner)) => self.elements(p.at, inputs[0], inner, p.exact),
                },
                (Some((_, inner)), _) => self.elements(p.at, inputs[0], inner, p.exact),
                (None, _) => self.contents(p.at, inputs[0]),
            },
            Prim::And | Prim::Or | Prim::Select => inputs.iter().flat_map(|&n| self.places(p.at, n, &p.path, p.exact)).collect(),
            Prim::Next => match self.e.operand(p.at, inputs[0]) {
                Abs::Iter(_, at) => self.places(p.at, inputs[0], &below(at as u32), p.exact),
                _ => self.places(p.at, inputs[0], &[], p.exact),
            },
            Prim::Iter
            | Prim::Advance
            | Prim::Annotated
            | Prim::Differentiable
            | Prim::Captured
            | Prim::Data
            | Prim::Unpacked => self.places(p.at, inputs[0], &p.path, p.exact),
            Prim::AsArray => match self.e.operand(p.at, inputs[0]) {
                Abs::Array(..) => self.places(p.at, inputs[0], &[], p.exact),
                _ => Vec::new(),
            },
            Prim::AsType if self.e.operand(p.at, inputs[0]) == self.e.operand(p.at, p.node) => {
                self.places(p.at, inputs[0], &[], p.exact)
            }
            Prim::Lift(ArrayOp::Broadcast | ArrayOp::Reshape | ArrayOp::Transpose | ArrayOp::Slice) => {
                self.places(p.at, inputs[0], &[], p.exact)
            }
            _ if is_array || p.exact && p.path.is_empty() => Vec::new(),
            _ => self.operands(p),
        }
    }

    pub(super) fn is_slice(&mut self, id: InstId, index: NodeId) -> bool {
        matches!(self.e.operand(id, index), Abs::Slice(_) | Abs::Window(_))
    }

    /// The constant field of a tuple, or the key of a dict, that a primitive reads or writes: that of the dict that a write makes.
    fn field(&mut self, p: &Place, prim: Prim, inputs: &[NodeId]) -> Option<u32> {
        match prim {
            Prim::Get(i) => Some(i),
            Prim::SetItem | Prim::AddItem | Prim::UpdateItem if matches!(self.e.operand(p.at, inputs[0]), Abs::Record(..)) => {
                self.element(p.at, p.node, inputs[1])
            }
            _ => self.element(p.at, inputs[0], inputs[1]),
        }
    }

    fn item(&mut self, id: InstId, list: NodeId, i: u32) -> Option<Abs> {
        match self.e.operand(id, list) {
            Abs::Tuple(items, _) | Abs::Record(_, items) => items.get(i as usize).cloned(),
            _ => None,
        }
    }

    /// The field of a list that a constant index means, or that of a dict with a key.
    pub(super) fn element(&mut self, id: InstId, list: NodeId, index: NodeId) -> Option<u32> {
        match (self.e.operand(id, list), self.e.operand(id, index)) {
            (Abs::Tuple(items, _), Abs::I64(Some(i))) => {
                let length = items.len() as i64;
                u32::try_from(if i < 0 { i + length } else { i }).ok().filter(|&i| i64::from(i) < length)
            }
            (Abs::Record(schema, _), key) => schema.position(&key.key()?.name()).map(|i| i as u32),
            _ => None,
        }
    }
}

/// Which element of a list of so many a slice takes at a place, if its bounds are constants.
fn taken_by(slice: &Abs, length: usize, i: u32) -> Option<u32> {
    let Abs::Slice(bounds) = slice else { return None };
    let [first, step, _] = slice_indices(constant_bounds(bounds)?, length as i64);
    u32::try_from(first + i64::from(i) * step).ok()
}

/// Whether `x[index]` is a copy of a part of an array: NumPy makes one where an index has arrays.
pub(super) fn makes_copy(e: &mut Engine, id: InstId, item: NodeId) -> bool {
    let &[x, index] = e.m[item].inputs() else { return false };
    let is_array = |a: &Abs| matches!(a, Abs::Array(DType::I64 | DType::Bool, _) | Abs::Tuple(..));
    matches!(e.operand(id, x), Abs::Array(..))
        && match e.operand(id, index) {
            Abs::Parts(items) | Abs::Tuple(items, Sequence::Tuple) => items.iter().any(is_array),
            index => is_array(&index),
        }
}

/// Whether a value is or holds an object that can be written to.
fn holds_memory(a: &Abs) -> bool {
    let is_array = matches!(a, Abs::Array(..) | Abs::Rows(..) | Abs::Tuple(..) | Abs::Iter(..) | Abs::Func(_));
    // What mutable boxes hold is opaque.
    is_array || matches!(a, Abs::Record(..) | Abs::Boxed(_) | Abs::Union(_) | Abs::Opaque)
}

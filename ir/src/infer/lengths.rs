//! Lengths that follow from counting. An array has a shape when the program is compiled, so what it is made of has a length then. A list
//! that grows in a loop has one only the run knows, unless the loop is unrolled, or what it adds and how many turns it makes are known:
//!
//! ```text
//! xs = [x0]                     one element
//! for i in range(n):            n turns, where n is a constant
//!     xs.append(…)              one element in each
//! np.array(xs)                  n + 1 elements
//! ```
//!
//! Such a number is looked for when the analysis has ended and lacks it; then the analysis begins again. The run checks it.

use super::abs::{Abs, Sequence};
use super::calls::Target;
use super::dispatch::Dispatch;
use super::engine::{Engine, Stop};
use super::indexing::slice_indices;
use super::instances::{InstId, Instance};
use super::prims::Ops;
use super::statics::Callers;
use super::wrappers::Wrapped;
use crate::graph::{Flavor, GraphId, Kind, NodeId};
use crate::prim::Prim;
use crate::span::Span;
use crate::types::Type;
use rustc_hash::{FxHashMap, FxHashSet};

/// An array that is made of a list: an operand of a primitive, and the functions that lead there, each with the place where it is called
/// and the constants that it is specialised for.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(super) struct Making {
    node: NodeId,
    operand: usize,
    way: Vec<(Span, Vec<Abs>)>,
}

/// More steps than this are not gone back from a list.
const MAX_STEPS: usize = 10_000;

/// A length or an int: a constant, or so much more than a variable of a loop when a turn begins.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Count {
    of: Option<(InstId, usize)>,
    plus: i64,
}

impl Count {
    fn known(plus: i64) -> Count {
        Count { of: None, plus }
    }

    fn and(self, more: i64) -> Option<Count> {
        Some(Count { plus: self.plus.checked_add(more)?, ..self })
    }

    fn constant(self) -> Option<i64> {
        self.of.is_none().then_some(self.plus)
    }
}

/// A primitive that takes an array for this operand, which is a list.
pub(super) type Wanted = (InstId, NodeId, usize);

/// Operands given for a parameter, each with the function in which it is given.
type Given = Vec<(InstId, NodeId)>;

/// The operands for which a primitive takes arrays, where these are its operands.
fn arrays_of(prim: Prim, operands: &[Abs]) -> std::ops::Range<usize> {
    let has_array = operands.iter().any(Abs::is_array);
    match prim {
        Prim::AsArray | Prim::ShapeOf | Prim::DTypeOf | Prim::AsType => 0..1,
        Prim::Lift(_) => 0..operands.len(),
        Prim::GetItem | Prim::OldItem | Prim::Picked | Prim::SetItem | Prim::AddItem | Prim::UpdateItem => {
            if operands[0].is_array() { 1..operands.len() } else { 0..0 }
        }
        Prim::TrueDiv | Prim::Power | Prim::Select | Prim::BitAnd | Prim::BitOr | Prim::BitXor if has_array => 0..operands.len(),
        Prim::Eq | Prim::Ne | Prim::Lt | Prim::Le | Prim::Gt | Prim::Ge if has_array => 0..2,
        _ if has_array && Ops::is_elementwise(prim) => 0..operands.len(),
        _ => 0..0,
    }
}

impl Engine {
    /// What is done with arrays of lists whose lengths only the run knows, if these are known by counting. None if there are no such
    /// lists.
    pub(super) fn with_arrays(
        &mut self,
        id: InstId,
        node: NodeId,
        prim: Prim,
        inputs: &[NodeId],
        operands: &[Abs],
    ) -> Result<Option<Abs>, Stop> {
        let is_list = |i: &usize| match &operands[*i] {
            Abs::Tuple(_, Sequence::List) => true,
            list => list.element().is_some() && list.schema().is_some_and(|s| s.is_list()),
        };
        let (mut places, mut lengths) = (Vec::new(), Vec::new());
        for i in arrays_of(prim, operands).filter(is_list) {
            let length = self.statics.lengths.get(&self.making(id, node, i)).copied();
            match (&operands[i], length) {
                (Abs::Tuple(items, _), Some(length)) if items.len() as i64 != length => {
                    // Most often more is known of the list later.
                    self.miscounted.push((id, node, i));
                    return Ok(Some(Abs::Bottom));
                }
                (Abs::Tuple(..), _) => {}
                (_, Some(length)) => {
                    places.push(i);
                    lengths.push(self.m.i64(length));
                }
                (_, None) => {
                    self.wanted_lengths.push((id, node, i));
                    return Ok(None);
                }
            }
        }
        if places.is_empty() {
            return Ok(None);
        }
        let graph = self.arrays_graph(prim, inputs.len(), places)?;
        self.stands_for(id, node, graph, [inputs, &lengths].concat()).map(Some)
    }

    /// A primitive on arrays in the place of lists, whose lengths are given after its operands.
    fn arrays_graph(&mut self, prim: Prim, arity: usize, places: Vec<usize>) -> Result<GraphId, Stop> {
        let key = Wrapped::Dispatch(Dispatch::Arrays(prim, places.clone()));
        if let Some(g) = self.wrappers.get(&key) {
            return Ok(g);
        }
        let as_array = self.list_method("__as_array__")?;
        let (g, mut params) = self.made_graph(prim.name(), Flavor::Library, arity + places.len());
        let (mut schedule, lengths) = (Vec::new(), params.split_off(arity));
        for (&i, length) in places.iter().zip(lengths) {
            let callee = self.m.graph_ref(as_array);
            params[i] = self.m.call(g, callee, &[params[i], length], Type::Unknown, Span::NONE);
            schedule.push(params[i]);
        }
        let result = self.node_of(g, prim, &params, &mut schedule);
        self.finish(g, result, schedule);
        self.wrappers.put(key, g);
        Ok(g)
    }

    /// The function that calls one, where its callers are told apart. A recursion has no more of them than the function that begins it.
    pub(super) fn context(&self, caller: InstId, callee: GraphId) -> Option<InstId> {
        if !self.statics.contexts.contains(&callee) {
            return None;
        }
        let function = self.instances[caller].function;
        let mut ways = std::iter::successors(Some(function), |&id| self.instances[id].context);
        ways.find(|&id| self.instances[id].graph == callee).map_or(Some(function), |id| self.instances[id].context)
    }

    fn making(&self, id: InstId, node: NodeId, operand: usize) -> Making {
        let (mut way, mut at) = (Vec::new(), Some(self.instances[id].function));
        while let Some(id) = at {
            let Instance { graph, parent, creator, context, site, ref args, .. } = self.instances[id];
            let is_library = self.m[graph].flavor == Flavor::Library;
            let is_constant = |a: &&Abs| matches!(a, Abs::I64(Some(_)) | Abs::Bool(Some(_)) | Abs::Str(Some(_)));
            way.push((site, args.iter().filter(is_constant).filter(|_| !is_library).cloned().collect()));
            at = context.or(if is_library { creator } else { parent }).map(|id| self.instances[id].function);
        }
        Making { node, operand, way }
    }

    /// Finds the lengths of lists that arrays are to be made of, or what has to be a constant for that. True if there is anything new.
    pub(super) fn find_lengths(&mut self, entry: InstId) -> bool {
        let reached: FxHashSet<InstId> = self.reached(entry).into_iter().collect();
        let mut wanted = std::mem::take(&mut self.wanted_lengths);
        wanted.retain(|wanted| reached.contains(&wanted.0));
        wanted.sort_unstable();
        wanted.dedup();
        let callers = self.call_sites();
        let mut counting = Counting { callers, e: self, open: Vec::new(), needs: Vec::new(), contexts: Vec::new(), steps: 0 };
        // None where instances differ.
        let mut found: FxHashMap<Making, Option<i64>> = FxHashMap::default();
        for (id, node, i) in wanted {
            let (needs, contexts) = (counting.needs.len(), counting.contexts.len());
            counting.steps = 0;
            let length = counting.of(id, counting.e.m[node].inputs()[i]).and_then(Count::constant);
            if length.is_some() {
                counting.needs.truncate(needs);
                counting.contexts.truncate(contexts);
            }
            found.entry(counting.e.making(id, node, i)).and_modify(|l| *l = l.filter(|_| *l == length)).or_insert(length);
        }
        let Counting { needs, contexts, .. } = counting;
        let before = self.statics.lengths.len();
        let unequal = &self.statics.unequal;
        let found = found.into_iter().filter(|(making, _)| !unequal.contains(making));
        self.statics.lengths.extend(found.filter_map(|(making, length)| Some((making, length?))));
        if self.statics.lengths.len() > before {
            return true;
        }
        // Nothing else has to be a constant if these do.
        let wanted = (std::mem::replace(&mut self.wanted, needs), std::mem::take(&mut self.wanted_blocks));
        let finds = self.find_statics(entry);
        if finds {
            return true;
        }
        (self.wanted, self.wanted_blocks) = wanted;
        let before = self.statics.contexts.len();
        self.statics.contexts.extend(contexts);
        self.statics.contexts.len() > before
    }

    /// Forgets lengths of lists that have others, too, and takes down that they have. True if there are any.
    pub(super) fn forget_lengths(&mut self, entry: InstId) -> bool {
        let reached: FxHashSet<InstId> = self.reached(entry).into_iter().collect();
        let mut miscounted = std::mem::take(&mut self.miscounted);
        miscounted.retain(|&(id, node, i)| {
            let of = self.m[node].inputs()[i];
            reached.contains(&id) && matches!(self.operand(id, of), Abs::Tuple(..))
        });
        for &(id, node, i) in &miscounted {
            let making = self.making(id, node, i);
            self.statics.lengths.remove(&making);
            self.statics.unequal.insert(making);
        }
        !miscounted.is_empty()
    }
}

/// Counts what an instance sees.
struct Counting<'e> {
    e: &'e mut Engine,
    callers: Callers,
    /// The parameters that stand for themselves.
    open: Vec<(InstId, usize)>,
    /// Ints that would have to be constants.
    needs: Vec<(InstId, NodeId)>,
    /// Functions whose callers would have to be told apart.
    contexts: Vec<GraphId>,
    steps: usize,
}

impl Counting<'_> {
    /// The int that a value is, or its length.
    fn of(&mut self, id: InstId, node: NodeId) -> Option<Count> {
        self.steps += 1;
        let (value, needs) = (self.e.operand(id, node), self.needs.len());
        match &value {
            Abs::I64(Some(k)) => return Some(Count::known(*k)),
            Abs::Tuple(items, _) => return Some(Count::known(items.len() as i64)),
            Abs::Array(_, shape) if !shape.is_empty() => return Some(Count::known(shape[0])),
            _ if self.steps > MAX_STEPS => return None,
            _ => {}
        }
        let owner = self.e.m[node].graph?;
        let home = self.e.instances.home(id, owner);
        let found = if self.e.m[node].kind == Kind::Param { self.parameter(id, home, node) } else { self.computed(home, node) };
        // What it is made of may be all that lacks.
        if found.is_none() && value == Abs::I64(None) && self.needs.len() == needs {
            self.needs.push((home, node));
        }
        found
    }

    fn computed(&mut self, home: InstId, node: NodeId) -> Option<Count> {
        let inputs = self.e.m[node].inputs().to_vec();
        let input = |n: usize| inputs[n];
        match self.e.m.as_prim(node) {
            Some(Prim::Append) => self.of(home, input(0))?.and(1),
            Some(Prim::Len | Prim::List | Prim::TupleOf | Prim::Constant | Prim::Enumerate | Prim::Reversed | Prim::AsList) => {
                self.of(home, input(0))
            }
            Some(Prim::SetItem | Prim::AddItem | Prim::UpdateItem) => match self.e.operand(home, input(1)) {
                Abs::I64(_) => self.of(home, input(0)),
                _ => None,
            },
            Some(Prim::GetItem) if matches!(self.e.operand(home, input(1)), Abs::Slice(_)) => {
                self.slice(home, input(0), input(1))
            }
            Some(Prim::GetItem | Prim::VectorAt) => self.element(home, input(0), &mut Vec::new())?,
            Some(Prim::Zip) => {
                let sequences = self.e.m[input(0)].inputs().to_vec();
                let is_written = self.e.m.as_prim(input(0)) == Some(Prim::Tuple);
                let counts = sequences.iter().filter(|_| is_written).map(|&of| self.of(home, of)?.constant());
                counts.collect::<Option<Vec<i64>>>()?.into_iter().min().map(Count::known)
            }
            Some(Prim::Add | Prim::WrapAdd | Prim::Extend) => {
                let [a, b] = [self.of(home, input(0))?, self.of(home, input(1))?];
                if a.of.is_none() { b.and(a.plus) } else { a.and(b.constant()?) }
            }
            Some(Prim::Sub) => {
                let [a, b] = [self.of(home, input(0))?, self.of(home, input(1))?];
                a.and(b.constant()?.checked_neg()?)
            }
            Some(_) => None,
            None => self.results(home, node)?.into_iter().try_fold(None, |found, (id, node)| self.same(found, id, node))?,
        }
    }

    /// The length of a slice.
    fn slice(&mut self, home: InstId, list: NodeId, slice: NodeId) -> Option<Count> {
        let length = self.of(home, list)?;
        let mut bounds = [None; 3];
        for (bound, node) in bounds.iter_mut().zip(self.e.m[slice].inputs().to_vec()) {
            if self.e.operand(home, node) != Abs::None {
                *bound = Some(self.of(home, node)?.constant()?);
            }
        }
        match (length.constant(), bounds) {
            (Some(length), [.., step]) if step != Some(0) => Some(Count::known(slice_indices(bounds, length)[2])),
            // Of a list that has an element.
            (None, [None, Some(-1), None] | [Some(1), None, None]) => length.and(-1),
            _ => None,
        }
    }

    /// The count of one more value, if it is that of the values before.
    fn same(&mut self, before: Option<Count>, id: InstId, node: NodeId) -> Option<Option<Count>> {
        let count = self.of(id, node)?;
        before.is_none_or(|before| before == count).then_some(Some(count))
    }

    fn all(&mut self, given: &[(InstId, NodeId)]) -> Option<Count> {
        given.iter().try_fold(None, |found, &(id, node)| self.same(found, id, node))?
    }

    /// The count of each element of a list, as far as it has any; none if they differ.
    fn element(&mut self, id: InstId, list: NodeId, seen: &mut Vec<(InstId, NodeId)>) -> Option<Option<Count>> {
        self.steps += 1;
        let owner = self.e.m[list].graph?;
        let home = self.e.instances.home(id, owner);
        if self.steps > MAX_STEPS {
            return None;
        }
        if seen.contains(&(home, list)) {
            return Some(None);
        }
        seen.push((home, list));
        let inputs = self.e.m[list].inputs().to_vec();
        let (values, lists) = match self.e.m.as_prim(list) {
            _ if self.e.m[list].kind == Kind::Param => {
                let i = self.e.m[owner].params.iter().position(|&p| p == list)?;
                (vec![], self.e.given(&self.callers, home, i))
            }
            Some(Prim::Tuple) => (inputs.iter().map(|&item| (home, item)).collect(), vec![]),
            Some(Prim::List | Prim::TupleOf | Prim::Reversed) => (vec![], vec![(home, inputs[0])]),
            Some(Prim::AsList | Prim::Add | Prim::Extend) => (vec![], vec![(home, inputs[0]), (home, inputs[1])]),
            Some(Prim::Append) => (vec![(home, inputs[1])], vec![(home, inputs[0])]),
            Some(Prim::SetItem) => (vec![(home, inputs[2])], vec![(home, inputs[0])]),
            Some(_) => return None,
            None => (vec![], self.results(home, list)?),
        };
        let mut found = None;
        for (id, node) in values {
            found = self.same(found, id, node)?;
        }
        for (id, node) in lists {
            if let Some(count) = self.element(id, node, seen)? {
                if found.is_some_and(|found| found != count) {
                    return None;
                }
                found = Some(count);
            }
        }
        Some(found)
    }

    /// What a call may give.
    fn results(&mut self, home: InstId, call: NodeId) -> Option<Vec<(InstId, NodeId)>> {
        let (mut work, mut seen, mut found) = (vec![(home, call)], FxHashSet::default(), Vec::new());
        while let Some((id, node)) = work.pop() {
            let next: Vec<InstId> = match self.e.instances[id].calls.get(&node) {
                Some(Target::Blocks { targets, .. }) => targets.clone(),
                Some(target) if (id, node) == (home, call) => vec![target.known()?],
                _ => {
                    found.push((id, node));
                    continue;
                }
            };
            let new = next.into_iter().filter(|&callee| seen.insert(callee));
            work.extend(new.map(|callee| (callee, self.e.m.result(self.e.instances[callee].graph))));
        }
        Some(found)
    }

    /// The one that all who call give for a parameter; after a loop, with what its turns add.
    fn parameter(&mut self, reader: InstId, home: InstId, param: NodeId) -> Option<Count> {
        let Instance { graph, function, .. } = self.e.instances[home];
        let i = self.e.m[graph].params.iter().position(|&p| p == param)?;
        if self.open.contains(&(home, i)) {
            return Some(Count { of: Some((home, i)), plus: 0 });
        }
        let turn = self.turn(home);
        let (back, first) = self.given(home, i, &turn);
        if back.is_empty() {
            self.open.push((home, i));
            let count = self.all(&first);
            self.open.pop();
            if count.is_none() && function == home {
                self.contexts.push(graph);
            }
            // It may be what a recursion hands on.
            return count.filter(|c| c.of != Some((home, i)));
        }
        let start = self.all(&first)?;
        let step = self.step(home, i, &back)?;
        if step == 0 {
            return Some(start);
        }
        let mut reader = reader;
        while self.e.instances[reader].function != function {
            reader = self.e.instances[reader].parent?;
        }
        if !self.leaves_at_end(home, &turn, reader) {
            return None;
        }
        start.and(self.turns(home, &turn)?.checked_mul(step)?)
    }

    /// What is given for a parameter by the turns of a loop, and otherwise.
    fn given(&self, home: InstId, i: usize, turn: &FxHashSet<InstId>) -> (Given, Given) {
        self.e.given(&self.callers, home, i).into_iter().partition(|(from, _)| turn.contains(from))
    }

    /// How much more a variable of a loop is after each turn.
    fn step(&mut self, home: InstId, i: usize, back: &[(InstId, NodeId)]) -> Option<i64> {
        self.open.push((home, i));
        let count = self.all(back);
        self.open.pop();
        count.filter(|c| c.of == Some((home, i))).map(|c| c.plus)
    }

    /// The blocks of the loop that a block begins; none if it begins no loop.
    fn turn(&self, home: InstId) -> FxHashSet<InstId> {
        let function = self.e.instances[home].function;
        if function == home {
            return FxHashSet::default();
        }
        let outside = reach(vec![function], home, |id| self.targets(id));
        let ends: Vec<InstId> = self.jumps_to(home).into_iter().filter(|from| !outside.contains(from)).collect();
        let mut turn = reach(ends, home, |id| self.jumps_to(id));
        if !turn.is_empty() || self.jumps_to(home).contains(&home) {
            turn.insert(home);
        }
        turn
    }

    /// The blocks that one jumps to.
    fn targets(&self, id: InstId) -> Vec<InstId> {
        let mut targets = Vec::new();
        let jumps = self.e.instances[id].calls.values().filter(|t| matches!(t, Target::Blocks { .. }));
        jumps.for_each(|t| t.instances(&mut targets));
        targets
    }

    /// The blocks that jump to one.
    fn jumps_to(&self, home: InstId) -> Vec<InstId> {
        let is_jump =
            |&(id, call): &(InstId, NodeId)| matches!(self.e.instances[id].calls.get(&call), Some(Target::Blocks { .. }));
        self.callers.get(&home).into_iter().flatten().filter(|c| is_jump(c)).map(|c| c.0).collect()
    }

    /// Whether all ways from a loop to a block begin at the loop's condition.
    fn leaves_at_end(&self, home: InstId, turn: &FxHashSet<InstId>, reader: InstId) -> bool {
        let to = reach(vec![reader], home, |id| self.jumps_to(id));
        let leaves = |id: InstId| self.targets(id).iter().any(|t| !turn.contains(t) && to.contains(t));
        !turn.contains(&reader) && turn.iter().filter(|&&id| id != home).all(|&id| !leaves(id))
    }

    /// How many turns a loop makes that ends by its condition.
    fn turns(&mut self, home: InstId, turn: &FxHashSet<InstId>) -> Option<i64> {
        let graph = self.e.instances[home].graph;
        let result = self.e.m.result(graph);
        let mut condition = self.e.open_condition(home)?;
        let then = self.e.m[self.e.m[result].inputs()[0]].inputs()[1];
        let then = self.e.m.as_graph(then)?;
        let mut goes_on = turn.iter().any(|&id| self.e.instances[id].graph == then);
        let prim = loop {
            match self.e.m.as_prim(condition)? {
                Prim::Truth => {}
                Prim::Not => goes_on = !goes_on,
                prim => break prim,
            }
            condition = self.e.m[condition].inputs()[0];
        };
        let inputs = self.e.m[condition].inputs().to_vec();
        if prim == Prim::HasNext {
            return if goes_on { self.elements(home, inputs[0], turn) } else { None };
        }
        let params = self.e.m[graph].params.len();
        let before = self.open.len();
        self.open.extend((0..params).map(|i| (home, i)));
        let sides = [self.of(home, inputs[0]), self.of(home, inputs[1])];
        self.open.truncate(before);
        let mut courses = Vec::new();
        for side in sides {
            let Count { of, plus } = side?;
            courses.push(match of {
                Some((header, i)) if header == home => {
                    let (start, step) = self.course(home, i, turn)?;
                    (start.checked_add(plus)?, step)
                }
                Some(_) => return None,
                None => (plus, 0),
            });
        }
        let [(a, by), (b, and)] = courses[..] else { unreachable!("two sides") };
        // Both sides move, so their distance does.
        let (distance, step) = (b.checked_sub(a)?, by.checked_sub(and)?);
        let upwards = |distance: i64, step: i64| (step > 0).then(|| (distance.max(0) - 1).div_euclid(step) + 1);
        match (prim, goes_on) {
            (Prim::Lt, true) | (Prim::Ge, false) => upwards(distance, step),
            (Prim::Le, true) | (Prim::Gt, false) => upwards(distance.checked_add(1)?, step),
            (Prim::Gt, true) | (Prim::Le, false) => upwards(distance.checked_neg()?, step.checked_neg()?),
            (Prim::Ge, true) | (Prim::Lt, false) => upwards(distance.checked_neg()?.checked_add(1)?, step.checked_neg()?),
            (Prim::Ne, true) | (Prim::Eq, false) if step != 0 && distance % step == 0 && distance / step >= 0 => {
                Some(distance / step)
            }
            _ => None,
        }
    }

    /// The value of a variable of a loop at its first turn, and how much more it is after each.
    fn course(&mut self, home: InstId, i: usize, turn: &FxHashSet<InstId>) -> Option<(i64, i64)> {
        let (back, first) = self.given(home, i, turn);
        let start = self.all(&first)?.constant()?;
        Some((start, self.step(home, i, &back)?))
    }

    /// The number of elements of what a loop goes over, by an iterator that goes on by one in each turn.
    fn elements(&mut self, home: InstId, iterator: NodeId, turn: &FxHashSet<InstId>) -> Option<i64> {
        let graph = self.e.instances[home].graph;
        let i = self.e.m[graph].params.iter().position(|&p| p == iterator)?;
        let (back, first) = self.given(home, i, turn);
        let advances = |&(_, node): &(InstId, NodeId)| {
            self.e.m.as_prim(node) == Some(Prim::Advance) && self.e.m[node].inputs()[0] == iterator
        };
        let [(from, first)] = first[..] else { return None };
        if !back.iter().all(advances) || self.e.m.as_prim(first) != Some(Prim::Iter) {
            return None;
        }
        self.of(from, self.e.m[first].inputs()[0])?.constant()
    }
}

/// These instances and all that can be got to from them, but not through `without`.
fn reach(from: Vec<InstId>, without: InstId, next: impl Fn(InstId) -> Vec<InstId>) -> FxHashSet<InstId> {
    let (mut work, mut seen) = (from, FxHashSet::default());
    while let Some(id) = work.pop() {
        if id != without && seen.insert(id) {
            work.extend(next(id));
        }
    }
    seen
}

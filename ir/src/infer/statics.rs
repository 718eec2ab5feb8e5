//! What must be a constant because shapes, axes or the lengths of lists depend on it.
//!
//! A function is specialised for the types of its arguments alone, until something in it needs to be a constant of the program: the
//! length in `np.zeros(n)`. Then the analysis looks where that comes from, and begins again with these parameters taken for constants: their
//! functions are specialised for each value. Parameters of the entry are constants where the caller gives their values.
//!
//! The same holds of the parameters of blocks: where `x[k:]` needs the counter of a loop, the loop is unrolled. So it is where a list
//! grows in it: then the condition of the loop has to be a constant.
//!
//! A list that would become long that way is not worth it, since each turn of such a loop makes a tuple of all elements again: then the
//! analysis begins again without unrolling that loop, and the list is one whose length only the run knows. If its length turns out to be
//! needed, the loop is unrolled after all.
//!
//! A block that some paths bring a variable to without a value, and others with one, has an instance for either; so has one that arrays
//! of different types of elements come to. That without a value, or not of floats, keeps all constants, so what a loop surely assigns in
//! its first iteration is assigned after it.

use super::Known;
use super::abs::{Abs, Closure};
use super::calls::Target;
use super::engine::Engine;
use super::instances::{InstId, Instance, Request};
use super::lengths::Making;
use crate::array::{DType, Dims};
use crate::graph::{Const, Flavor, GraphId, Kind, NodeId};
use crate::prim::Prim;
use crate::span::{Diagnostic, Span};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// What is known of constants when the analysis begins.
#[derive(Clone, Default)]
pub(super) struct Statics {
    /// Parameters that their functions are specialised for.
    params: FxHashSet<(GraphId, usize)>,
    /// Parameters that their blocks are specialised for.
    blocks: FxHashSet<(GraphId, usize)>,
    /// Loops that were found to make lists too long to be unrolled for: if they are unrolled, something else needs it.
    long: FxHashSet<GraphId>,
    /// Parameters of blocks that not all paths bring a value to, or arrays of one type of elements.
    apart: FxHashSet<(GraphId, usize)>,
    /// Functions whose results are kept as constants.
    results: FxHashSet<GraphId>,
    /// The lengths of lists that arrays are made of, where counting gives them.
    pub(super) lengths: FxHashMap<Making, i64>,
    /// Lists that have several lengths.
    pub(super) unequal: FxHashSet<Making>,
    /// Functions that are given lists of several lengths by their callers, which are told apart.
    pub(super) contexts: FxHashSet<GraphId>,
    /// Parameters of the entry that are constants.
    entry: FxHashSet<usize>,
    /// The values of the entry's arguments, where they are given.
    values: Vec<Known>,
}

impl Statics {
    pub(super) fn new(values: &[Known]) -> Statics {
        Statics { values: values.to_vec(), ..Statics::default() }
    }

    /// Whether blocks may have several instances.
    pub(super) fn has_blocks(&self) -> bool {
        !self.blocks.is_empty() || !self.apart.is_empty()
    }

    /// As if nothing was known but the loops that are too long, and these: where the run knows the lengths of lists and the keys of
    /// dicts, fewer constants are needed.
    pub(super) fn afresh(self, long: impl IntoIterator<Item = GraphId>) -> Statics {
        let long = self.long.into_iter().chain(long).collect();
        Statics { long, values: self.values, ..Statics::default() }
    }

    /// An argument of the entry.
    pub(super) fn argument(&self, i: usize, abs: Abs) -> Abs {
        match self.values.get(i).filter(|_| self.entry.contains(&i)) {
            Some(known) => constant(known, abs),
            None => abs,
        }
    }
}

/// A value with the constants that are known of it.
fn constant(known: &Known, abs: Abs) -> Abs {
    let parts = |known: &[Known], items: &[Abs]| -> Rc<[Abs]> {
        let known = known.iter().chain(std::iter::repeat(&Known::Nothing));
        items.iter().zip(known).map(|(item, known)| constant(known, item.clone())).collect()
    };
    match (known, &abs) {
        (Known::Constant(Const::I64(v)), Abs::I64(_)) => Abs::I64(Some(*v)),
        (Known::Constant(Const::F64(v)), Abs::F64(_)) => Abs::F64(Some(*v)),
        (Known::Constant(Const::Bool(v)), Abs::Bool(_)) => Abs::Bool(Some(*v)),
        (Known::Constant(Const::Str(v)), Abs::Str(_)) => Abs::Str(Some(v.clone())),
        (Known::Parts(known), Abs::Tuple(items, sequence)) => Abs::Tuple(parts(known, items), *sequence),
        (Known::Parts(known), Abs::Record(schema, items)) => Abs::Record(schema.clone(), parts(known, items)),
        _ => abs,
    }
}

/// A loop is not unrolled for lists and dicts that change their lengths where its turns would be given more elements of them than this, those of all
/// such loops in an instance of a function together.
const MAX_ELEMENTS: usize = 1 << 13;

/// Whether one of these functions is another than those before.
fn wraps(before: &Abs, a: &Abs) -> bool {
    matches!((before, a), (Abs::Func(before), Abs::Func(set)) if set.iter().any(|c| !before.contains(c)))
}

/// How many elements the lists and dicts in a value hold that have another length in the value before it.
fn changed_elements(a: &Abs, b: &Abs) -> usize {
    match (a, b) {
        (Abs::Tuple(a, _), Abs::Tuple(b, _)) if a.len() != b.len() => a.len(),
        (Abs::Record(_, a), Abs::Record(_, b)) if a.len() != b.len() => a.len(),
        (Abs::Record(_, a), Abs::Record(_, b)) => a.iter().zip(b.iter()).map(|(a, b)| changed_elements(a, b)).sum(),
        _ => 0,
    }
}

/// The calls of each instance: who calls, and the node of the call.
pub(super) type Callers = FxHashMap<InstId, Vec<(InstId, NodeId)>>;

impl Engine {
    /// What a function is specialised for, of the arguments of a call: constants of a library and of wrappers around calls, which hand
    /// them on, and of parameters that need to be constants.
    pub(super) fn kept(&self, g: GraphId, args: &[Abs]) -> Vec<Abs> {
        let keeps = self.m[g].flavor == Flavor::Library || self.wrappers.is_wrapper(g);
        let kept = |(i, a): (usize, &Abs)| match () {
            () if self.statics.params.contains(&(g, i)) => a.clone(),
            () if keeps => a.without_floats(),
            () => a.broaden(),
        };
        args.iter().enumerate().map(kept).collect()
    }

    /// Whether a function that is called as a value is specialised for strings that it is given: there are as many as the program has.
    pub(super) fn keeps_text(&self, g: GraphId, i: usize) -> bool {
        let is_library = self.m[g].flavor == Flavor::Library;
        is_library || self.statics.params.contains(&(g, i)) || self.wrappers.is_wrapper(g)
    }

    /// Whether the result of the function that an instance is of, or of a block in, is to be a constant.
    pub(super) fn keeps_result(&self, id: InstId) -> bool {
        let function = self.instances[id].function;
        self.statics.results.contains(&self.instances[function].graph)
    }

    /// What a jump gives to a block, and those of its arguments that the block is specialised for. A loop goes on for different
    /// constants only while its condition is one.
    pub(super) fn block_arguments(
        &mut self,
        from: InstId,
        graph: GraphId,
        parent: Option<InstId>,
        given: &[Abs],
    ) -> (Vec<Abs>, Vec<Option<Abs>>) {
        // Where loops are unrolled, those inside may make no turn for some constants.
        let keeps = self.is_library(from) || self.statics.has_blocks();
        let mut statics: Vec<bool> = (0..given.len()).map(|i| self.statics.blocks.contains(&(graph, i))).collect();
        let before = statics.contains(&true).then(|| self.instances.last_entry(from, graph, parent)).flatten();
        if before.is_some_and(|header| self.open_condition(header).is_some()) {
            statics.fill(false);
        }
        let before = before.map(|header| &self.instances[header].args);
        let apart = |(i, a): (usize, &Abs)| match a {
            _ if !self.statics.apart.contains(&(graph, i)) => None,
            Abs::Unassigned => Some(Abs::Unassigned),
            a => a.element_types(),
        };
        let apart: Vec<Option<Abs>> = given.iter().enumerate().map(apart).collect();
        // In the end most variables have values, and most arrays are of floats.
        let last = Abs::tuple([Abs::Array(DType::F64, Dims::NONE)]);
        let keeps = keeps || apart.iter().flatten().any(|types| *types != last);
        // What conditions are made of stays a constant, so the rest of `i < n and x[i] > y` is not looked at where i is n.
        let stays = |a: &Abs| matches!(a, Abs::Bool(_));
        let arg = |(i, (a, &is_static)): (usize, (&Abs, &bool))| match before {
            // A loop is not unrolled for what a float is in each of its turns, nor for one that is part of something else.
            Some(before) if is_static => a.without_other_floats(&before[i]),
            _ if is_static || stays(a) => a.clone(),
            _ if keeps => a.without_floats(),
            _ => a.broaden(),
        };
        let args: Vec<Abs> = given.iter().zip(&statics).enumerate().map(arg).collect();
        let key = |a: &Abs| a.is_fixed() || matches!(a, Abs::Tuple(..) | Abs::Record(..) | Abs::Array(..) | Abs::Func(_));
        // Paths that differ in a float of a list meet: there would be twice as many after each element that one of them writes.
        let constant = |((a, &is_static), apart): ((&Abs, &bool), &Option<Abs>)| {
            let whole = matches!(a, Abs::F64(_));
            (is_static && key(a)).then(|| if whole { a.clone() } else { a.without_floats() }).or_else(|| apart.clone())
        };
        let is_special = statics.contains(&true) || apart.iter().any(Option::is_some);
        let constants = if is_special { args.iter().zip(&statics).zip(&apart).map(constant).collect() } else { Vec::new() };
        (args, constants)
    }

    /// Lets a parameter of a block tell instances apart; false if it does already, or is one of a function.
    pub(super) fn tells_apart(&mut self, id: InstId, i: usize) -> bool {
        let Instance { graph, function, .. } = self.instances[id];
        function != id && self.statics.apart.insert((graph, i))
    }

    /// The condition of the branch that ends a block.
    fn condition(&self, id: InstId) -> Option<NodeId> {
        let result = self.m.result(self.instances[id].graph);
        let &callee = self.m[result].inputs().first()?;
        let &[condition, then, _] = self.m[callee].inputs() else { return None };
        (self.m.as_prim(callee) == Some(Prim::Select) && self.as_block(then).is_some()).then_some(condition)
    }

    /// The same, if it is no constant.
    pub(super) fn open_condition(&mut self, id: InstId) -> Option<NodeId> {
        let condition = self.condition(id)?;
        (!self.operand(id, condition).is_constant()).then_some(condition)
    }

    /// A jump brings a variable to a block without a value where others bring one, or the other way round: true if it does.
    pub(super) fn wants_assigned(&mut self, block: InstId, given: &[Abs]) -> bool {
        let Instance { graph, args, .. } = &self.instances[block];
        let differ = |(_, (a, b)): &(usize, (&Abs, &Abs))| a != b && (**a == Abs::Unassigned || **b == Abs::Unassigned);
        let found: Vec<usize> = args.iter().zip(given).enumerate().filter(differ).map(|(i, _)| i).collect();
        self.wanted_assigned.extend(found.iter().map(|&i| (*graph, i)));
        !found.is_empty()
    }

    /// Types do not fit where a jump from `from` meets another at `block`: there would be one way there alone if the condition of the
    /// loop, or of the branches before it, were a constant.
    pub(super) fn want_paths(&mut self, from: InstId, block: InstId, given: &[Abs]) {
        let Instance { graph, parent, creator, .. } = self.instances[block];
        if self.instances.last_entry(from, graph, parent) == Some(block) {
            if let Some(condition) = self.open_condition(block) {
                return self.wanted.push((block, condition));
            }
            // The condition is a constant already, as `len(l) > 1` is: the loop is unrolled for what changes its type.
            if self.condition(block).is_none() {
                return;
            }
            let args = self.instances[block].args.clone();
            let classes = &mut self.classes;
            let changes = args.iter().zip(given).enumerate().filter(|(_, (a, b))| a.join(b, classes).is_err());
            return self.wanted_blocks.extend(changes.map(|(i, _)| (graph, i)));
        }
        self.want_branch(Some(from));
        self.want_branch(creator);
    }

    /// The nearest branch on the way to the end of an instance would better go one way: its condition is wanted as a constant.
    pub(super) fn want_branch(&mut self, mut at: Option<InstId>) {
        while let Some(id) = at {
            if let Some(condition) = self.open_condition(id) {
                return self.wanted.push((id, condition));
            }
            at = self.instances[id].creator;
        }
    }

    /// Whether a loop makes a function the gradient of itself, as `g = grad(g)` does: a derivative of another order each time, so the
    /// loop is to be unrolled. True where that was not known before.
    pub(super) fn wants_orders(&mut self, from: InstId, block: InstId, given: &[Abs]) -> bool {
        let Instance { graph, parent, .. } = self.instances[block];
        let is_gradient = |c: &Closure| matches!(c, &Closure::Made(n, _) if matches!(self.m.as_prim(n), Some(Prim::Grad { .. })));
        let is_new = |(i, (before, a)): &(usize, (&Abs, &Abs))| match (before, a) {
            (Abs::Func(before), Abs::Func(set)) => {
                set.iter().any(|c| is_gradient(c) && !before.contains(c)) && !self.statics.blocks.contains(&(graph, *i))
            }
            _ => false,
        };
        let found: Vec<usize> = self.instances[block].args.iter().zip(given).enumerate().filter(is_new).map(|(i, _)| i).collect();
        // The way back to the entry may be long.
        if found.is_empty() || self.instances.last_entry(from, graph, parent) != Some(block) {
            return false;
        }
        self.wanted_blocks.extend(found.iter().map(|&i| (graph, i)));
        let condition = self.open_condition(block);
        self.wanted.extend(condition.map(|condition| (block, condition)));
        true
    }

    /// Takes down where a loop makes a function another one.
    pub(super) fn note_wraps(&mut self, from: InstId, block: InstId, given: &[Abs]) {
        let Instance { graph, parent, .. } = self.instances[block];
        let wrapping = |(i, (before, a)): (usize, (&Abs, &Abs))| wraps(before, a).then_some((block, i));
        let found: Vec<(InstId, usize)> = self.instances[block].args.iter().zip(given).enumerate().filter_map(wrapping).collect();
        if !found.is_empty() && self.instances.last_entry(from, graph, parent) == Some(block) {
            self.wraps.extend(found);
        }
    }

    /// Takes down where a recursion makes a function another one.
    pub(super) fn note_recursion(&mut self, id: InstId, r: &Request<'_>) {
        if self.instances[id].args.iter().zip(r.args).any(|(before, a)| wraps(before, a)) {
            self.recursions.push(id);
        }
    }

    /// Whether a call is one of a recursion that constants end, which are others than those of an instance.
    pub(super) fn is_another_turn(&self, id: InstId, r: &Request<'_>) -> bool {
        let mut pairs = self.instances[id].args.iter().zip(r.args).enumerate();
        let is_param = |i: usize| self.statics.params.contains(&(r.graph, i));
        pairs.any(|(i, (a, b))| is_param(i) && a != b && a.is_constant() && b.is_constant())
    }

    /// What some code needs is derivatives to an order without bound. Where a loop is why, which wraps a function in its derivative, it
    /// may be unrolled, and a recursion be followed: true if there is one that was not.
    pub(super) fn unrolls_orders(&mut self, entry: InstId) -> bool {
        let reached = self.reached(entry);
        if !reached.iter().any(|&id| self.instances[id].derivatives.are_without_bound()) {
            return false;
        }
        self.wanted_assigned.clear();
        self.wanted.clear();
        self.wanted_blocks.clear();
        for id in std::mem::take(&mut self.recursions) {
            let condition = self.open_condition(id);
            self.wanted.extend(condition.map(|condition| (id, condition)));
        }
        for (block, i) in std::mem::take(&mut self.wraps) {
            self.wanted_blocks.push((self.instances[block].graph, i));
            let condition = self.open_condition(block);
            self.wanted.extend(condition.map(|condition| (block, condition)));
        }
        self.find_statics(entry)
    }

    /// Takes down the loops that a turn, which a block's new instance begins, is one too many of for the lists that they make longer or
    /// shorter.
    pub(super) fn note_long_lists(&mut self, turn: InstId) {
        let elements = if self.rolls { self.changed_elements(turn) } else { 0 };
        if elements == 0 {
            return;
        }
        let function = self.instances[turn].function;
        let all = self.elements.entry(function).or_default();
        *all += elements;
        if *all > MAX_ELEMENTS {
            let turns = std::iter::successors(Some(turn), |&id| self.instances[id].creator);
            let turns = turns.take_while(|&id| self.instances[id].function == function);
            let long = turns.filter(|&id| self.changed_elements(id) > 0).map(|id| self.instances[id].graph).collect();
            self.long = long;
        }
    }

    /// How many elements the lists and dicts hold that a turn of a loop was given with another length than the turn before it.
    fn changed_elements(&self, id: InstId) -> usize {
        let Instance { graph, parent, creator, ref args, .. } = self.instances[id];
        let is_unrolled = || (0..args.len()).any(|i| self.statics.blocks.contains(&(graph, i)));
        let before = creator.filter(|_| is_unrolled() && !self.statics.long.contains(&graph));
        let Some(before) = before.and_then(|from| self.instances.last_entry(from, graph, parent)) else { return 0 };
        args.iter().zip(&self.instances[before].args).map(|(a, b)| changed_elements(a, b)).sum()
    }

    pub(super) fn unrolled_too_far(&self, graph: GraphId, site: Span) -> Diagnostic {
        Diagnostic::refused(self.m[graph].span.or(site), "this loop would have to be unrolled too far")
    }

    /// Finds the parameters that decide what was wanted as constants. True if there are any that were not constants before.
    pub(super) fn find_statics(&mut self, entry: InstId) -> bool {
        let mut work = std::mem::take(&mut self.wanted);
        let mut seen: FxHashSet<(InstId, NodeId)> = FxHashSet::default();
        let mut found = false;
        let callers = self.call_sites();
        for parameter in std::mem::take(&mut self.wanted_blocks) {
            found |= self.statics.blocks.insert(parameter);
        }
        for parameter in std::mem::take(&mut self.wanted_assigned) {
            found |= self.statics.apart.insert(parameter);
        }
        while let Some((id, n)) = work.pop() {
            let Some(owner) = self.m[n].graph else { continue };
            let home = self.instances.home(id, owner);
            let value = self.instances[home].values.get(&n);
            let is_choice = matches!(value, Some(Abs::Func(set)) if set.len() > 1);
            let lacks = is_choice || value.is_none_or(Abs::lacks_constants);
            if !lacks || !seen.insert((home, n)) {
                continue;
            }
            if self.m[n].kind == Kind::Param {
                let i = self.m[owner].params.iter().position(|&p| p == n).expect("a parameter of its graph");
                if home == entry {
                    let known = self.statics.values.get(i).is_some_and(Known::is_something);
                    found |= known && self.statics.entry.insert(i);
                } else if self.m[owner].flavor == Flavor::Block {
                    // A loop is not unrolled for what a float is in each of its turns.
                    if matches!(self.instances[home].values.get(&n), Some(Abs::F64(_))) {
                        continue;
                    }
                    found |= self.statics.blocks.insert((owner, i));
                    let given = self.given(&callers, home, i);
                    if is_choice {
                        // Which function it is the branches decide that lead here.
                        given.iter().for_each(|&(from, _)| self.want_branch(Some(from)));
                        work.append(&mut self.wanted);
                    }
                    let Instance { graph, parent, .. } = self.instances[home];
                    let is_loop = |&(from, _): &(InstId, NodeId)| self.instances.last_entry(from, graph, parent).is_some();
                    if given.iter().any(is_loop) {
                        work.extend(self.condition(home).map(|condition| (home, condition)));
                    }
                    work.extend(given);
                } else if self.is_specialised_by_need(home, n) && self.statics.params.insert((owner, i)) {
                    found = true;
                } else {
                    work.extend(self.given(&callers, home, i));
                }
                continue;
            }
            match self.instances[home].calls.get(&n) {
                Some(target @ (Target::Function(_) | Target::Blocks { .. })) => {
                    let mut called = Vec::new();
                    target.instances(&mut called);
                    if let Target::Blocks { condition: Some(condition), .. } = target
                        && is_choice
                    {
                        work.push((home, *condition));
                    }
                    for f in called {
                        let Instance { graph, function, .. } = self.instances[f];
                        if f == function && self.m[graph].flavor == Flavor::Function {
                            found |= self.statics.results.insert(graph);
                        }
                        work.push((f, self.m.result(graph)));
                    }
                }
                _ => work.extend(self.m[n].inputs().iter().map(|&input| (home, input))),
            }
        }
        found
    }

    /// Whether an argument is a constant only where one is needed: arguments of functions of the program, and floats of others.
    fn is_specialised_by_need(&self, id: InstId, param: NodeId) -> bool {
        let graph = self.instances[id].graph;
        let keeps = self.m[graph].flavor == Flavor::Library || self.wrappers.is_wrapper(graph);
        !keeps || matches!(self.instances[id].values.get(&param), Some(Abs::F64(_)))
    }

    /// Who calls each instance, and where.
    pub(super) fn call_sites(&self) -> Callers {
        let (mut callers, mut called) = (Callers::default(), Vec::new());
        for id in self.instances.ids() {
            for (&call, target) in &self.instances[id].calls {
                called.clear();
                target.instances(&mut called);
                called.sort_unstable();
                called.dedup();
                called.iter().for_each(|&callee| callers.entry(callee).or_default().push((id, call)));
            }
        }
        callers
    }

    /// What calls give for an argument of an instance.
    pub(super) fn given(&self, callers: &Callers, callee: InstId, i: usize) -> Vec<(InstId, NodeId)> {
        let mut found = Vec::new();
        for &(id, call) in callers.get(&callee).into_iter().flatten() {
            let mut inputs = match &self.instances[id].calls[&call] {
                Target::Instead(_, given) => std::iter::once(call).chain(given.iter().copied()).collect(),
                _ => self.shape(call).1,
            };
            let mut i = i + 1;
            if let Some(prim) = self.m.as_prim(call).filter(|p| p.applies()) {
                // The arguments are a tuple, most often written there.
                let args = inputs[prim.arguments()];
                (inputs, i) = match self.m.as_prim(args) {
                    Some(Prim::Tuple) => (self.m[args].inputs().to_vec(), i - 1),
                    _ => (vec![args], 0),
                };
            }
            found.extend(inputs.get(i).map(|&n| (id, n)));
        }
        found.sort_unstable();
        found
    }
}

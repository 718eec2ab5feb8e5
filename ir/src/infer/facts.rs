//! What the conditions on the way to a block say of the kinds of values: after `if x is not None`, or where `isinstance(x, Leaf)` holds.
//!
//! ```text
//! facts(entry) = {}
//! facts(b)     = ⋂ over the jumps p → b of facts(p) ∪ what the condition of the jump says
//! ```
//!
//! the greatest solution, so a loop keeps what was known before it. Values never change, so what holds at a block holds wherever the
//! block is nested. A field is known by the way to it: after `t.left is None`, so is another `t.left`, and another
//! `xs[i]`.

use super::abs::Abs;
use crate::graph::{Const, Flavor, GraphId, Kind, Module, NodeId};
use crate::prim::Prim;
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::Arc;

/// A node, or what reads it from a box, and the names and indices of the fields and elements taken of it.
type Place = Vec<NodeId>;

/// What is known of a value.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Fact {
    place: Place,
    test: Test,
    holds: bool,
}

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Test {
    /// It is of one of these classes or types.
    Is(Vec<Arc<str>>),
    /// Its truth value.
    Truth,
}

type Set = BTreeSet<Fact>;

/// A jump to a block, with the condition of its branch.
struct Jump {
    from: GraphId,
    condition: Option<(NodeId, bool)>,
    args: Vec<NodeId>,
}

/// How many conditions that are put together of others are looked into.
const MAX_DEPTH: u32 = 32;

/// The facts of the blocks that were asked for.
#[derive(Default)]
pub(super) struct Facts {
    functions: FxHashSet<GraphId>,
    known: FxHashMap<GraphId, Rc<[Fact]>>,
    /// What holds at the beginning of functions that are made for something at a block.
    given: FxHashMap<GraphId, Rc<[Fact]>>,
}

impl Facts {
    /// Those of a block of a function.
    pub(super) fn of(&mut self, m: &Module, function: GraphId, block: GraphId) -> Option<Rc<[Fact]>> {
        if self.functions.insert(function) {
            let given = self.given.get(&function).map_or_else(Set::new, |given| given.iter().cloned().collect());
            let solved = Solver::new(m, function).solve(given);
            self.known
                .extend(solved.into_iter().filter(|(_, set)| !set.is_empty()).map(|(b, set)| (b, set.into_iter().collect())));
        }
        self.known.get(&block).cloned()
    }

    /// Lets what holds at a block hold in a function that is made for something there.
    pub(super) fn inherit(&mut self, made: GraphId, facts: Option<Rc<[Fact]>>) {
        self.given.extend(facts.map(|facts| (made, facts)));
    }
}

impl Fact {
    /// Whether a value at a place may be of a kind, as far as this says.
    pub(super) fn admits(&self, m: &Module, node: NodeId, kind: &Abs, is_of: impl Fn(&Abs, &str) -> bool) -> bool {
        if self.place != place(m, node) {
            return true;
        }
        match &self.test {
            Test::Is(names) => names.iter().any(|name| is_of(kind, name)) == self.holds,
            Test::Truth => !self.holds || *kind != Abs::None,
        }
    }

    /// The value that it says this of, if that is no part of another.
    pub(super) fn of(&self) -> Option<NodeId> {
        if let &[node] = &self.place[..] { Some(node) } else { None }
    }
}

/// The way to a value.
fn place(m: &Module, node: NodeId) -> Place {
    let (mut at, mut way) = (node, Vec::new());
    while let (Some(Prim::Attribute | Prim::GetItem), &[of, name, ..]) = (m.as_prim(at), m[at].inputs()) {
        way.push(name);
        at = of;
    }
    // What is in a box is the same until something is done.
    match (m.as_prim(at), m[at].inputs()) {
        (Some(Prim::Opened), &[_, of, unchanged]) => way.extend([of, unchanged]),
        _ => way.push(at),
    }
    way
}

struct Solver<'m> {
    m: &'m Module,
    blocks: Vec<GraphId>,
    jumps: FxHashMap<GraphId, Vec<Jump>>,
    /// What is known so far; of what no way was found to yet, everything.
    facts: FxHashMap<GraphId, Set>,
    /// What conditions that are put together say by these: paths to them fork at each of their parts.
    by_paths: RefCell<FxHashMap<(NodeId, bool), Set>>,
}

impl<'m> Solver<'m> {
    fn new(m: &'m Module, function: GraphId) -> Solver<'m> {
        let (jumps_to, facts, by_paths) = Default::default();
        let mut solver = Solver { m, blocks: Vec::new(), jumps: jumps_to, facts, by_paths };
        // A block comes after all those that jump to it but for loops, so that nothing is taken to hold by one way alone.
        let (mut seen, mut work) = (FxHashSet::default(), vec![(function, false)]);
        while let Some((from, is_done)) = work.pop() {
            if is_done {
                solver.blocks.push(from);
            } else if seen.insert(from) {
                work.push((from, true));
                for (to, jump) in jumps(m, from) {
                    solver.jumps.entry(to).or_default().push(jump);
                    work.push((to, false));
                }
            }
        }
        solver.blocks.reverse();
        solver
    }

    fn solve(mut self, given: Set) -> FxHashMap<GraphId, Set> {
        self.facts.insert(self.blocks[0], given);
        loop {
            let mut changed = false;
            for i in 1..self.blocks.len() {
                let block = self.blocks[i];
                let jumps = &self.jumps[&block];
                self.by_paths.get_mut().clear();
                let Some(now) = common(jumps.iter().filter_map(|j| self.out(j, 0))) else { continue };
                if self.facts.get(&block) != Some(&now) {
                    self.facts.insert(block, now);
                    changed = true;
                }
            }
            if !changed {
                return self.facts;
            }
        }
    }

    /// What is known where a jump arrives; nothing yet if it is not known where it starts.
    fn out(&self, jump: &Jump, depth: u32) -> Option<Set> {
        let mut set = self.facts.get(&jump.from)?.clone();
        if let Some((condition, holds)) = jump.condition {
            set.extend(self.said(condition, holds, depth));
        }
        Some(set)
    }

    /// What it says that a condition holds, or does not.
    fn said(&self, condition: NodeId, holds: bool, depth: u32) -> Set {
        let inputs = self.m[condition].inputs();
        let fact = |test| Set::from([Fact { place: place(self.m, inputs[0]), test, holds }]);
        match self.m[condition].kind {
            _ if depth == MAX_DEPTH => Set::new(),
            Kind::Prim(Prim::Not) => self.said(inputs[0], !holds, depth + 1),
            Kind::Prim(Prim::Truth) => {
                let mut said = self.said(inputs[0], holds, depth + 1);
                said.append(&mut fact(Test::Truth));
                said
            }
            Kind::Prim(Prim::IsInstance) => {
                let names = self.m[inputs[1]].inputs().iter().filter_map(|&n| match self.m[n].as_const() {
                    Some(Const::Str(name)) => Some(name.clone()),
                    _ => None,
                });
                fact(Test::Is(names.collect()))
            }
            Kind::Param => {
                if let Some(said) = self.by_paths.borrow().get(&(condition, holds)) {
                    return said.clone();
                }
                let said = self.said_by_paths(condition, holds, depth);
                self.by_paths.borrow_mut().insert((condition, holds), said.clone());
                said
            }
            _ => Set::new(),
        }
    }

    /// `a and b` is where paths meet: if it holds, control came by way of `b`, and so `a` holds, too.
    fn said_by_paths(&self, parameter: NodeId, holds: bool, depth: u32) -> Set {
        let block = self.m[parameter].graph.expect("a parameter has a graph");
        let Some(jumps) = self.jumps.get(&block) else { return Set::new() };
        let i = self.m[block].params.iter().position(|&p| p == parameter).expect("a parameter of its graph");
        let sets = jumps.iter().filter_map(|jump| {
            let value = jump.args[i];
            let decided = match (self.m[value].as_const(), self.jumps.get(&jump.from).map(Vec::as_slice)) {
                (Some(&Const::Bool(b)), _) => Some(b),
                (_, Some([Jump { condition: Some((c, holds)), .. }])) if *c == value => Some(*holds),
                _ => None,
            };
            if decided == Some(!holds) {
                return None;
            }
            let mut set = self.out(jump, depth + 1)?;
            set.extend(self.said(value, holds, depth + 1));
            Some(set)
        });
        common(sets).unwrap_or_default()
    }
}

fn common(sets: impl Iterator<Item = Set>) -> Option<Set> {
    sets.reduce(|mut a, b| {
        a.retain(|fact| b.contains(fact));
        a
    })
}

/// The jumps that a graph ends with, by the blocks that they go to.
fn jumps(m: &Module, from: GraphId) -> Vec<(GraphId, Jump)> {
    let result = m.result(from);
    let (Kind::Call, &[callee, ref args @ ..]) = (&m[result].kind, m[result].inputs()) else { return Vec::new() };
    let as_block = |n: NodeId| m.as_graph(n).filter(|&g| m[g].flavor == Flavor::Block);
    let jump = |to, condition| (to, Jump { from, condition, args: args.to_vec() });
    match (as_block(callee), m.as_prim(callee), m[callee].inputs()) {
        (Some(to), ..) => vec![jump(to, None)],
        (_, Some(Prim::Select), &[c, a, b]) => {
            let arms = [(a, true), (b, false)].into_iter();
            arms.filter_map(|(arm, holds)| Some(jump(as_block(arm)?, Some((c, holds))))).collect()
        }
        _ => Vec::new(),
    }
}

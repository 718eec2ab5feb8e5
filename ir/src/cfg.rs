//! The control-flow view of a module: functions, their blocks, dominators and loops.
//!
//! A graph that is only ever the target of jumps within one function is a *block* of that function: its parameters are φ's, a
//! tail call of it is a jump. Every other graph is a function, and the root (entry block) of it. A jump is a tail call of a graph
//! constant, or of a `select` between two that is used for nothing else (a branch).
//!
//! Which graphs are blocks is read off the dominator tree of all jumps (Fluet and Weeks, "Contification using dominators", 2001):
//! under a start that jumps to every graph which has another use, the children of the start are the functions, and a
//! function's blocks are what it dominates. So a graph that two functions jump to is a function of its own, and a function
//! that its own blocks jump to has a loop around its root.
//!
//! The view relies on what [`crate::verify`] checks, and holds until the module changes. A node of a block may be used by every
//! block that it dominates: free variables need no φ.

mod loops;

pub use loops::{Counter, Loop};

use crate::graph::{GraphId, Kind, Module, NodeId};
use crate::nest::Nest;
use crate::prim::Prim;
use petgraph::algo::dominators::{Dominators, simple_fast};
use petgraph::graph::{DiGraph, NodeIndex};
use petgraph::visit::DfsPostOrder;
use rustc_hash::FxHashSet;
use slotmap::SecondaryMap;

/// Where an arm of a branch leads.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Target {
    /// A block of the same function: a jump.
    Block(GraphId),
    /// Another function: a tail call.
    Function(GraphId),
}

impl Target {
    /// The graph, whatever it is.
    pub fn graph(self) -> GraphId {
        match self {
            Target::Block(g) | Target::Function(g) => g,
        }
    }
}

/// How a block ends.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Terminator {
    /// Returns a value from the function.
    Return(NodeId),
    /// Goes to a block of the same function.
    Jump {
        /// The block.
        target: GraphId,
        /// The tail call that holds the arguments.
        call: NodeId,
    },
    /// Goes one of two ways. The arguments, if any, are the same for both.
    Branch {
        /// The condition.
        cond: NodeId,
        /// Where to go if it holds, and if not.
        arms: [Target; 2],
        /// The tail call that holds the arguments; its callee is the `select`, which has no value.
        call: NodeId,
    },
    /// Returns what another function does, be it known or a value.
    TailCall {
        /// The call.
        call: NodeId,
    },
}

impl Terminator {
    /// Where it may go: the target of a jump, the arms of a branch.
    pub fn targets(self) -> impl DoubleEndedIterator<Item = Target> {
        let (first, second) = match self {
            Terminator::Jump { target, .. } => (Some(Target::Block(target)), None),
            Terminator::Branch { arms, .. } => (Some(arms[0]), Some(arms[1])),
            Terminator::Return(_) | Terminator::TailCall { .. } => (None, None),
        };
        first.into_iter().chain(second)
    }

    /// The blocks of the same function that may come next.
    pub fn successors(self) -> impl DoubleEndedIterator<Item = GraphId> {
        self.targets().filter_map(|t| match t {
            Target::Block(g) => Some(g),
            Target::Function(_) => None,
        })
    }

    /// The arguments of the jump, branch or tail call.
    pub fn args(self, m: &Module) -> &[NodeId] {
        match self {
            Terminator::Return(_) => &[],
            Terminator::Jump { call, .. } | Terminator::Branch { call, .. } | Terminator::TailCall { call } => {
                &m[call].inputs()[1..]
            }
        }
    }
}

/// A function and its blocks.
#[derive(Clone, Debug)]
pub struct Function {
    /// The entry block, which is the graph that callers name.
    pub root: GraphId,
    /// The blocks in reverse post-order, the root first: a block comes after those that dominate it.
    pub blocks: Vec<GraphId>,
    /// The jumps. Node `i` is `blocks[i]`; a branch with equal arms is two edges.
    pub edges: DiGraph<GraphId, ()>,
    /// The loops, an outer one before those within it.
    pub loops: Vec<Loop>,
}

#[derive(Clone, Debug)]
struct Block {
    function: usize,
    index: usize,
    terminator: Terminator,
    idom: Option<GraphId>,
    /// The first and the last number within the block's part of the dominator tree.
    extent: (usize, usize),
    innermost: Option<usize>,
}

/// The control-flow view of what a [`Nest`] covers.
#[derive(Clone, Debug)]
pub struct Cfg {
    functions: Vec<Function>,
    blocks: SecondaryMap<GraphId, Block>,
    branches: FxHashSet<NodeId>,
}

impl Cfg {
    /// Builds the view. Panics if a graph has no return.
    pub fn new(m: &Module, nest: &Nest) -> Cfg {
        let branches = branches(m, nest);
        let jumps = Jumps::new(m, nest, &branches);
        let order = jumps.order(nest);
        let mut cfg = Cfg { functions: Vec::new(), blocks: SecondaryMap::new(), branches };

        let homes = jumps.functions(nest);
        let mut number: SecondaryMap<GraphId, usize> = SecondaryMap::new();
        for &g in nest.graphs().iter().filter(|&&g| homes[g] == g) {
            number.insert(g, cfg.functions.len());
            cfg.functions.push(Function { root: g, blocks: Vec::new(), edges: DiGraph::new(), loops: Vec::new() });
        }
        let extents = jumps.extents(&order);
        for &g in &order {
            let function = number[homes[g]];
            let blocks = &mut cfg.functions[function].blocks;
            let terminator = terminator(m, &cfg.branches, &homes, g);
            let idom = jumps.idom(g);
            cfg.blocks.insert(g, Block { function, index: blocks.len(), terminator, idom, extent: extents[g], innermost: None });
            blocks.push(g);
        }
        for i in 0..cfg.functions.len() {
            cfg.connect(m, i);
        }
        cfg
    }

    fn connect(&mut self, m: &Module, i: usize) {
        let function = &mut self.functions[i];
        for &g in &function.blocks {
            function.edges.add_node(g);
        }
        for (from, &g) in function.blocks.iter().enumerate() {
            // As in `Jumps::new`.
            for next in self.blocks[g].terminator.successors().rev() {
                function.edges.add_edge(NodeIndex::new(from), NodeIndex::new(self.blocks[next].index), ());
            }
        }
        let flow = loops::Flow { terminator: &|g| self.blocks[g].terminator, index: &|g| self.blocks[g].index };
        let (loops, innermost) = loops::find(m, function, flow);
        function.loops = loops;
        for (&g, innermost) in function.blocks.iter().zip(innermost) {
            self.blocks[g].innermost = innermost;
        }
    }

    /// All functions, in the order of the [`Nest`].
    pub fn functions(&self) -> &[Function] {
        &self.functions
    }

    /// The function that a graph is a block (or the root) of.
    pub fn function_of(&self, g: GraphId) -> &Function {
        &self.functions[self.blocks[g].function]
    }

    /// Whether a graph is a function rather than a block within one.
    pub fn is_function(&self, g: GraphId) -> bool {
        self.function_of(g).root == g
    }

    /// The position of a block among those of its function.
    pub fn index(&self, block: GraphId) -> usize {
        self.blocks[block].index
    }

    /// How a block ends.
    pub fn terminator(&self, block: GraphId) -> Terminator {
        self.blocks[block].terminator
    }

    /// Whether a `select` does no more than pick the arm of branches: it is part of their terminators and has no value.
    pub fn is_branch(&self, select: NodeId) -> bool {
        self.branches.contains(&select)
    }

    /// The immediate dominator of a block; none for the root.
    pub fn idom(&self, block: GraphId) -> Option<GraphId> {
        self.blocks[block].idom
    }

    /// Whether every way to `b` leads through `a`. A block dominates itself; blocks of different functions do not.
    pub fn dominates(&self, a: GraphId, b: GraphId) -> bool {
        let (outer, inner) = (self.blocks[a].extent, self.blocks[b].extent);
        outer.0 <= inner.0 && inner.1 <= outer.1
    }

    /// Whether no way through a function goes through two of `blocks`, or twice through one, but by way of `home`.
    pub fn passes_one(&self, home: GraphId, blocks: &[GraphId]) -> bool {
        let distinct: FxHashSet<GraphId> = blocks.iter().copied().collect();
        let mut seen: FxHashSet<GraphId> = FxHashSet::default();
        let mut work: Vec<GraphId> = distinct.iter().flat_map(|&block| self.terminator(block).successors()).collect();
        while let Some(block) = work.pop() {
            if block == home || !seen.insert(block) {
                continue;
            }
            if distinct.contains(&block) {
                return false;
            }
            work.extend(self.terminator(block).successors());
        }
        distinct.len() == blocks.len()
    }

    /// The innermost loop around a block, as an index into the loops of its function.
    pub fn innermost_loop(&self, block: GraphId) -> Option<usize> {
        self.blocks[block].innermost
    }

    /// How many loops are around a block.
    pub fn loop_depth(&self, block: GraphId) -> u32 {
        self.innermost_loop(block).map_or(0, |i| self.function_of(block).loops[i].depth)
    }
}

/// The selects between graph constants that are the callee of tail calls in their own graph and nothing else.
fn branches(m: &Module, nest: &Nest) -> FxHashSet<NodeId> {
    let nodes = nest.graphs().iter().flat_map(|&g| nest.schedule(g)).copied();
    nodes
        .filter(|&n| {
            m.as_prim(n) == Some(Prim::Select)
                && m[n].inputs()[1..].iter().all(|&arm| m.as_graph(arm).is_some())
                && m[n].users().iter().all(|u| u.index == 0 && m[u.node].graph == m[n].graph && m.is_tail_call(u.node))
        })
        .collect()
}

/// The graphs that a graph jumps to, blocks or not.
fn targets(m: &Module, branches: &FxHashSet<NodeId>, g: GraphId) -> impl DoubleEndedIterator<Item = GraphId> {
    let callee = Some(m.result(g)).filter(|&v| m.is_tail_call(v)).map(|call| m[call].inputs()[0]);
    let arms = match callee {
        Some(c) if branches.contains(&c) => m[c].inputs()[1..].to_vec(),
        Some(c) => vec![c],
        None => Vec::new(),
    };
    arms.into_iter().filter_map(|arm| m.as_graph(arm))
}

fn terminator(m: &Module, branches: &FxHashSet<NodeId>, homes: &SecondaryMap<GraphId, GraphId>, g: GraphId) -> Terminator {
    let value = m.result(g);
    if !m.is_tail_call(value) {
        return Terminator::Return(value);
    }
    let target = |h: GraphId| if homes[h] == homes[g] { Target::Block(h) } else { Target::Function(h) };
    let mut targets = targets(m, branches, g).map(target);
    match (targets.next(), targets.next()) {
        (Some(first), Some(second)) => {
            let cond = m[m[value].inputs()[0]].inputs()[0];
            Terminator::Branch { cond, arms: [first, second], call: value }
        }
        (Some(Target::Block(target)), None) => Terminator::Jump { target, call: value },
        _ => Terminator::TailCall { call: value },
    }
}

/// All jumps of the module, below a start node that jumps to what has another use.
struct Jumps {
    edges: DiGraph<Option<GraphId>, ()>,
    index: SecondaryMap<GraphId, NodeIndex>,
    start: NodeIndex,
    dominators: Dominators<NodeIndex>,
}

impl Jumps {
    fn new(m: &Module, nest: &Nest, branches: &FxHashSet<NodeId>) -> Jumps {
        let mut edges = DiGraph::new();
        let start = edges.add_node(None);
        let mut index: SecondaryMap<GraphId, NodeIndex> = SecondaryMap::new();
        for &g in nest.graphs() {
            index.insert(g, edges.add_node(Some(g)));
        }
        for g in functions(m, nest, branches) {
            edges.add_edge(start, index[g], ());
        }
        for &g in nest.graphs() {
            // In this order the first arm of a branch comes first in reverse post-order.
            for target in targets(m, branches, g).rev() {
                edges.add_edge(index[g], index[target], ());
            }
        }
        let dominators = simple_fast(&edges, start);
        Jumps { edges, index, start, dominators }
    }

    fn idom(&self, g: GraphId) -> Option<GraphId> {
        self.dominators.immediate_dominator(self.index[g]).and_then(|d| self.edges[d])
    }

    /// Reverse post-order. Within a function it is the same as that of the function alone, as its blocks are entered through the
    /// root only. Graphs that cannot be reached come last.
    fn order(&self, nest: &Nest) -> Vec<GraphId> {
        let mut order: Vec<GraphId> = Vec::new();
        let mut walk = DfsPostOrder::new(&self.edges, self.start);
        while let Some(n) = walk.next(&self.edges) {
            order.extend(self.edges[n]);
        }
        order.reverse();
        order.extend(nest.graphs().iter().filter(|&&g| self.dominators.dominators(self.index[g]).is_none()));
        order
    }

    /// The function of each graph: its last dominator before the start.
    fn functions(&self, nest: &Nest) -> SecondaryMap<GraphId, GraphId> {
        let mut homes: SecondaryMap<GraphId, GraphId> = SecondaryMap::new();
        for &g in nest.graphs() {
            let mut path = vec![g];
            let home = loop {
                let last = path[path.len() - 1];
                match (homes.get(last), self.idom(last)) {
                    (Some(&home), _) => break home,
                    (None, Some(up)) => path.push(up),
                    (None, None) => break last,
                }
            };
            homes.extend(path.into_iter().map(|g| (g, home)));
        }
        homes
    }

    /// The interval of preorder numbers of each graph's part of the dominator tree.
    fn extents(&self, order: &[GraphId]) -> SecondaryMap<GraphId, (usize, usize)> {
        let mut children: SecondaryMap<GraphId, Vec<GraphId>> = SecondaryMap::new();
        let mut stack: Vec<(GraphId, bool)> = Vec::new();
        for &g in order {
            match self.idom(g) {
                Some(up) => children.entry(up).expect("the dominator exists").or_default().push(g),
                None => stack.push((g, false)),
            }
        }
        let mut extents: SecondaryMap<GraphId, (usize, usize)> = SecondaryMap::new();
        let mut next = 0;
        while let Some((g, entered)) = stack.pop() {
            if entered {
                extents[g].1 = next - 1;
                continue;
            }
            extents.insert(g, (next, next));
            next += 1;
            stack.push((g, true));
            stack.extend(children.get(g).into_iter().flatten().map(|&c| (c, false)));
        }
        extents
    }
}

/// The graphs with a use that is no jump: the entry, the graphs of derivatives, function values, callees of other calls.
fn functions(m: &Module, nest: &Nest, branches: &FxHashSet<NodeId>) -> Vec<GraphId> {
    let mut found: Vec<GraphId> = m.entry.into_iter().collect();
    let mut jumped: FxHashSet<GraphId> = FxHashSet::default();
    for &g in nest.graphs() {
        for &n in nest.schedule(g).iter().chain(&m[g].ret) {
            for (i, &input) in m[n].inputs().iter().enumerate() {
                let is_jump = branches.contains(&n) || (m[n].kind == Kind::Call && i == 0 && m.is_tail_call(n));
                match m.as_graph(input) {
                    Some(h) if is_jump => _ = jumped.insert(h),
                    Some(h) => found.push(h),
                    None => {}
                }
            }
        }
    }
    found.extend(m.derivatives.values());
    // What nothing refers to is a root of the nest.
    found.extend(nest.graphs().iter().filter(|g| !jumped.contains(g)));
    let found: FxHashSet<GraphId> = found.into_iter().collect();
    nest.graphs().iter().copied().filter(|g| found.contains(g)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse::parse;
    use crate::verify::verify;
    use expect_test::{Expect, expect};
    use std::fmt::Write;

    fn view(m: &Module) -> Cfg {
        verify(m).unwrap();
        Cfg::new(m, &Nest::new(m, &[m.entry.unwrap()]))
    }

    /// Per function its blocks, each with its immediate dominator and where it goes; then its loops.
    fn check(text: &str, expect: Expect) {
        let m = parse(text).unwrap();
        let cfg = view(&m);
        let name = |g: GraphId| &*m[g].name;
        let target = |t: Target| match t {
            Target::Block(g) => name(g).to_owned(),
            Target::Function(g) => format!("function {}", name(g)),
        };
        let mut out = String::new();
        for f in cfg.functions() {
            writeln!(out, "function {}", name(f.root)).unwrap();
            for &b in &f.blocks {
                let below = cfg.idom(b).map_or(String::new(), |d| format!(" (below {})", name(d)));
                let end = match cfg.terminator(b) {
                    Terminator::Return(_) => "return".to_owned(),
                    Terminator::Jump { target, call } => format!("jump {} with {}", name(target), m[call].inputs().len() - 1),
                    Terminator::Branch { arms, .. } => format!("branch {}, {}", target(arms[0]), target(arms[1])),
                    Terminator::TailCall { .. } => "tail call".to_owned(),
                };
                writeln!(out, "  {}{below}: {end}", name(b)).unwrap();
            }
            for l in &f.loops {
                let names = |list: &[GraphId]| list.iter().map(|&g| name(g)).collect::<Vec<_>>().join(" ");
                let kind = if l.reducible { "loop" } else { "irreducible loop" };
                let exits: Vec<String> = l.exits.iter().map(|&(b, t)| format!("{} to {}", name(b), target(t))).collect();
                write!(out, "  {kind} {} of depth {}: ", name(l.header), l.depth).unwrap();
                write!(out, "{}; back from {}; out from {}", names(&l.body), names(&l.latches), exits.join(", ")).unwrap();
                if let Some(c) = l.counter {
                    let trips = c.trip_count(&m).map_or(String::new(), |n| format!(", {n} trips"));
                    write!(out, "; while param {} {} bound, by {}{trips}", c.param, c.test.name(), c.step).unwrap();
                }
                out.push('\n');
            }
        }
        expect.assert_eq(&out);
    }

    #[test]
    fn while_loop() {
        check(
            include_str!("../test_data/pow.ir"),
            expect![[r#"
            function pow
              pow: jump pow.loop with 2
              pow.loop (below pow): branch pow.body, pow.done
              pow.body (below pow.loop): jump pow.loop with 2
              pow.done (below pow.loop): return
              loop pow.loop of depth 1: pow.loop pow.body; back from pow.body; out from pow.loop to pow.done; while param 0 gt bound, by -1
        "#]],
        );
    }

    #[test]
    fn closures_are_functions() {
        check(
            include_str!("../test_data/closure.ir"),
            expect![[r#"
            function main
              main: return
            function adder
              adder: return
            function add
              add: return
        "#]],
        );
    }

    #[test]
    fn nested_loops_with_break() {
        check(
            "entry @f
             graph @f(%x: f64) -> f64 { %0: f64 = call @outer, 0, %x\n return %0 }
             block @outer(%i: i64, %s: f64) -> f64 {
                 %c: bool = ge %i, 10
                 %arm: fn() -> f64 = select %c, @done, @enter
                 %1: f64 = call %arm
                 return %1
             }
             block @done() -> f64 { return %s }
             block @enter() -> f64 { %2: f64 = call @inner, 0, %s\n return %2 }
             block @inner(%j: i64, %t: f64) -> f64 {
                 %d: bool = lt %j, %i
                 %arm2: fn() -> f64 = select %d, @body, @next
                 %3: f64 = call %arm2
                 return %3
             }
             block @body() -> f64 {
                 %e: bool = gt %t, 100.0
                 %arm3: fn() -> f64 = select %e, @done_early, @again
                 %4: f64 = call %arm3
                 return %4
             }
             block @done_early() -> f64 { return %t }
             block @again() -> f64 { %u: f64 = add %t, %x\n %k: i64 = wrap_add %j, 2\n %5: f64 = call @inner, %k, %u\n return %5 }
             block @next() -> f64 { %l: i64 = add %i, 3\n %6: f64 = call @outer, %l, %t\n return %6 }",
            expect![[r#"
                function f
                  f: jump outer with 2
                  outer (below f): branch done, enter
                  done (below outer): return
                  enter (below outer): jump inner with 2
                  inner (below enter): branch body, next
                  body (below inner): branch done_early, again
                  done_early (below body): return
                  again (below body): jump inner with 2
                  next (below inner): jump outer with 2
                  loop outer of depth 1: outer enter inner body again next; back from next; out from outer to done, body to done_early; while param 0 lt bound, by 3, 4 trips
                  loop inner of depth 2: inner body again; back from again; out from inner to next, body to done_early; while param 0 lt bound, by 2
            "#]],
        );
    }

    #[test]
    fn a_function_that_calls_itself_last() {
        check(
            "entry @main
             graph @main(%x: i64) -> i64 { %y: i64 = call @gcd, %x, 12\n %z: i64 = add %y, 1\n return %z }
             graph @gcd(%a: i64, %b: i64) -> i64 {
                 %c: bool = eq %b, 0
                 %arm: fn() -> i64 = select %c, @stop, @step
                 %0: i64 = call %arm
                 return %0
             }
             graph @stop() -> i64 { return %a }
             graph @step() -> i64 { %r: i64 = mod %a, %b\n %1: i64 = call @gcd, %b, %r\n return %1 }",
            expect![[r#"
                function main
                  main: return
                function gcd
                  gcd: branch stop, step
                  stop (below gcd): return
                  step (below gcd): jump gcd with 2
                  loop gcd of depth 1: gcd step; back from step; out from gcd to stop
            "#]],
        );
    }

    #[test]
    fn two_entries_make_a_loop_irreducible() {
        check(
            "entry @main
             graph @main(%c: bool, %n: i64) -> bool {
                 %f: fn(i64) -> bool = select %c, @even, @odd
                 %0: bool = call %f, %n
                 return %0
             }
             graph @even(%a: i64) -> bool {
                 %p: bool = eq %a, 0
                 %arm: fn() -> bool = select %p, @yes, @more
                 %1: bool = call %arm
                 return %1
             }
             graph @yes() -> bool { return true }
             graph @more() -> bool { %d: i64 = sub %a, 1\n %2: bool = call @odd, %d\n return %2 }
             graph @odd(%b: i64) -> bool {
                 %q: bool = ne %b, 0
                 %e: i64 = sub %b, 1
                 %arm2: fn(i64) -> bool = select %q, @even, @no
                 %3: bool = call %arm2, %e
                 return %3
             }
             graph @no(%unused: i64) -> bool { return false }",
            expect![[r#"
                function main
                  main: branch even, odd
                  odd (below main): branch even, no
                  even (below main): branch yes, more
                  yes (below even): return
                  more (below even): jump odd with 1
                  no (below odd): return
                  irreducible loop odd of depth 1: odd even more; back from more; out from odd to no, even to yes
            "#]],
        );
    }

    #[test]
    fn what_two_functions_reach_is_a_function() {
        check(
            "entry @main
             graph @main(%c: bool, %x: f64) -> f64 {
                 %y: f64 = call @left, %x
                 %z: f64 = call @right, %c, %y
                 return %z
             }
             graph @left(%a: f64) -> f64 { %0: f64 = call @shared, %a\n return %0 }
             graph @right(%c2: bool, %b: f64) -> f64 {
                 %arm: fn(f64) -> f64 = select %c2, @shared, @own
                 %1: f64 = call %arm, %b
                 return %1
             }
             graph @shared(%d: f64) -> f64 { %2: f64 = call @tail, %d\n return %2 }
             graph @tail(%e: f64) -> f64 { %s: f64 = sin %e\n return %s }
             graph @own(%f: f64) -> f64 { return %f }",
            expect![[r#"
                function main
                  main: jump right with 2
                  right (below main): branch function shared, own
                  own (below right): return
                function shared
                  shared: jump tail with 1
                  tail (below shared): return
                function left
                  left: tail call
            "#]],
        );
    }

    #[test]
    fn many_blocks() {
        let count = 20_000;
        let mut text = "entry @b0\n".to_owned();
        for i in 0..count {
            let next = i + 1;
            writeln!(text, "graph @b{i}(%x{i}: f64) -> f64 {{ %y{i}: f64 = call @b{next}, %x{i}\n return %y{i} }}").unwrap();
        }
        writeln!(text, "graph @b{count}(%x: f64) -> f64 {{ %c: bool = lt %x, 0.0").unwrap();
        writeln!(text, "%arm: fn(f64) -> f64 = select %c, @b1, @end\n %r: f64 = call %arm, %x\n return %r }}").unwrap();
        writeln!(text, "graph @end(%e: f64) -> f64 {{ return %e }}").unwrap();
        let m = parse(&text).unwrap();
        let cfg = view(&m);
        assert_eq!(cfg.functions().len(), 1);
        let function = &cfg.functions()[0];
        assert_eq!(function.loops[0].body.len(), count);
        let (first, last) = (function.blocks[1], function.blocks[count]);
        assert!(cfg.dominates(first, last) && !cfg.dominates(last, first));
    }
}

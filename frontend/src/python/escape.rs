//! Whether a value lives on when a variable is assigned: the flow of closures through a complete function.
//!
//! A closure is followed through all that may hold it: operands of operations, results of calls, parameters of blocks, closures that
//! refer to it or have it for a default. Numbers hold none, and many values are numbers by the operation that gives them.

use super::boxed::boxed;
use super::library;
use super::lower::Frame;
use super::ssa::{BlockId, Point, Ssa};
use gradus_ir::{Const, Flavor, Graph, GraphId, Kind, Module, NodeId, Prim, Sig, Span};
use rustc_hash::{FxHashMap, FxHashSet};

/// The links of a complete function that its nodes do not have themselves.
pub struct Flow<'f, 'a> {
    m: &'f Module,
    frame: &'f Frame<'a>,
    inside: &'f FxHashMap<GraphId, GraphId>,
    stamps: &'f FxHashMap<NodeId, u32>,
    /// Whether lists or dicts of the program are objects.
    has_objects: bool,
    blocks: FxHashMap<GraphId, BlockId>,
    closures: FxHashMap<GraphId, usize>,
    /// The arguments of a block's parameter.
    arguments: FxHashMap<NodeId, Vec<NodeId>>,
    /// The parameters that an argument is given to.
    parameters: FxHashMap<NodeId, Vec<(NodeId, BlockId)>>,
}

impl<'f, 'a> Flow<'f, 'a> {
    /// The flow of a function; `inside` has the graph that each graph is part of, `stamps` when each node was made.
    pub fn new(
        m: &'f Module,
        frame: &'f Frame<'a>,
        inside: &'f FxHashMap<GraphId, GraphId>,
        stamps: &'f FxHashMap<NodeId, u32>,
        has_objects: bool,
    ) -> Flow<'f, 'a> {
        let mut arguments: FxHashMap<NodeId, Vec<NodeId>> = FxHashMap::default();
        let mut parameters: FxHashMap<NodeId, Vec<(NodeId, BlockId)>> = FxHashMap::default();
        for (phi, block, argument) in frame.ssa.phis() {
            arguments.entry(phi).or_default().push(argument);
            parameters.entry(argument).or_default().push((phi, block));
        }
        let blocks = frame.ssa.graphs().map(|(b, g)| (g, b)).collect();
        let closures = frame.closures.iter().enumerate().map(|(i, c)| (c.graph, i)).collect();
        Flow { m, frame, inside, stamps, has_objects, blocks, closures, arguments, parameters }
    }

    /// Where a node of the function, or of a closure made in it, is evaluated; in the latter case with the closure's index.
    pub fn locate(&self, n: NodeId) -> Option<(Point, Option<usize>)> {
        let mut graph = self.m[n].graph?;
        while graph != self.frame.graph && self.inside.get(&graph)? != &self.frame.graph {
            graph = self.inside[&graph];
        }
        if let Some(&i) = self.closures.get(&graph) {
            return Some((self.frame.closures[i].point, Some(i)));
        }
        // What ends a block has no stamp: it comes last.
        Some(((*self.blocks.get(&graph)?, self.stamps.get(&n).copied().unwrap_or(u32::MAX)), None))
    }

    /// Where a value is made, parameters at the beginning of their blocks; as [`Flow::locate`] says it.
    pub fn place_of(&self, n: NodeId) -> Option<(Point, Option<usize>)> {
        let (at, closure) = self.locate(n)?;
        let start = if self.m[n].kind == Kind::Param { 0 } else { at.1 };
        Some(((at.0, start), closure))
    }

    /// Where a value is read: by itself, or as a variable or default of a closure that is used there.
    pub fn reads(&self, n: NodeId) -> Vec<(Point, Span)> {
        let mut reads = Vec::new();
        let mut seen = FxHashSet::default();
        let mut work = vec![n];
        while let Some(n) = work.pop() {
            for user in self.m[n].users() {
                match self.locate(user.node) {
                    Some((at, None)) => reads.push((at, self.m[user.node].span)),
                    Some((_, Some(i))) if seen.insert(i) => work.push(self.frame.closures[i].node),
                    _ => {}
                }
            }
            let holds = |g: GraphId| self.m[g].defaults.contains(&n);
            for (i, c) in self.frame.closures.iter().enumerate() {
                if holds(c.graph) && seen.insert(i) {
                    work.push(c.node);
                }
            }
        }
        reads.sort_unstable();
        reads
    }

    /// A place that reads a value, or a parameter that it becomes, where control can get to.
    pub fn later_read(&self, n: NodeId, after: &Reach) -> Option<Span> {
        let mut seen = FxHashSet::default();
        let mut work = vec![n];
        while let Some(n) = work.pop() {
            if seen.insert(n) {
                let reads = self.reads(n);
                let jump = |at: &Point| at.1 == u32::MAX && self.frame.ssa.successors(at.0).next().is_some();
                if let Some((_, span)) = reads.iter().find(|(at, _)| after.contains(*at) && !jump(at)) {
                    return Some(*span);
                }
                work.extend(self.parameters.get(&n).into_iter().flatten().map(|(p, _)| *p).filter(|&p| self.m.has_node(p)));
            }
        }
        None
    }

    /// Whether a value made at `made` may be used after one of `writes`, be it as part of another value.
    pub fn outlives(&self, value: NodeId, made: Point, writes: &[(Point, Span)]) -> bool {
        self.survives(value, made, writes, &[]).is_some()
    }

    /// Calls such that a value is gone at all `writes` if what they return does not hold it. None if it may outlive one anyway.
    pub fn last_calls(&self, value: NodeId, made: Point, writes: &[(Point, Span)]) -> Option<Vec<NodeId>> {
        let mut calls = Vec::new();
        while let Some(last) = self.survives(value, made, writes, &calls) {
            calls.push(last?);
        }
        Some(calls)
    }

    /// If a value may be used after one of `writes`: the last call on its way there, if there is one. Results of the calls in
    /// `data` do not hold it.
    fn survives(&self, value: NodeId, made: Point, writes: &[(Point, Span)], data: &[NodeId]) -> Option<Option<NodeId>> {
        let ssa = &self.frame.ssa;
        let mut seen = FxHashSet::default();
        let mut work = vec![(value, made, None)];
        while let Some((n, made, last)) = work.pop() {
            if !seen.insert(n) {
                continue;
            }
            // Between its definition and a use, not through another execution of the definition.
            let later = Reach::new(ssa, vec![made], Some(made));
            let live = writes.iter().map(|w| w.0).filter(|&w| later.contains(w)).collect();
            let overwritten = Reach::new(ssa, live, Some(made));
            for user in self.m[n].users() {
                let Some((at, holder)) = self.locate(user.node) else { return Some(last) };
                let itself = holder.is_some_and(|i| self.frame.closures[i].node == n);
                if !itself && overwritten.contains(at) {
                    return Some(last);
                }
                // What is in a box, others get from it.
                let written_after = || {
                    let after = Reach::new(ssa, vec![at], None);
                    writes.iter().any(|w| after.contains(w.0))
                };
                if boxed(self.m, user.node).is_some() && written_after() {
                    return Some(last);
                }
                // A list or a dict that is an object may hold it, whatever the call gives.
                if user.index > 0 && self.puts_into_objects(user.node) && written_after() {
                    return Some(None);
                }
                let call =
                    matches!(self.m[user.node].kind, Kind::Call | Kind::Prim(Prim::CallKw(_) | Prim::Apply(_) | Prim::Jvp));
                match holder {
                    Some(i) => work.push((self.frame.closures[i].node, at, last)),
                    None if at.1 == u32::MAX || self.is_number(user.node) || data.contains(&user.node) => {}
                    None => work.push((user.node, at, if call { Some(user.node) } else { last })),
                }
            }
            for holder in self.frame.closures.iter().filter(|c| self.m[c.graph].defaults.contains(&n)) {
                if overwritten.contains(holder.point) {
                    return Some(last);
                }
                work.push((holder.node, holder.point, last));
            }
            let parameters = self.parameters.get(&n).into_iter().flatten();
            work.extend(parameters.filter(|(p, _)| !self.is_number(*p)).map(|&(p, block)| (p, (block, 0), last)));
        }
        None
    }

    /// Whether a call may put an argument into a list or a dict that is an object: one of a function of the program, which may reach
    /// any, or of the library's functions for objects.
    fn puts_into_objects(&self, call: NodeId) -> bool {
        let callee = || self.m[call].inputs().first().and_then(|&f| self.m.as_graph(f)).map(|g| &self.m[g]);
        let is_library = |g: &Graph| g.flavor == Flavor::Library && !library::is_of_objects(&g.name);
        self.has_objects && self.m[call].kind == Kind::Call && !callee().is_some_and(is_library)
    }

    /// A closure of the function, and where it is made.
    pub fn closure(&self, i: usize) -> (NodeId, Point) {
        let closure = &self.frame.closures[i];
        (closure.node, closure.point)
    }

    /// The closures that have a value for a default, and where they are made.
    pub fn closures_with_default(&self, n: NodeId) -> impl Iterator<Item = (NodeId, Point)> {
        self.frame.closures.iter().filter(move |c| self.m[c.graph].defaults.contains(&n)).map(|c| (c.node, c.point))
    }

    /// The parameters of blocks that a value is given to, each with the beginning of its block.
    pub fn parameters_of(&self, n: NodeId) -> impl Iterator<Item = (NodeId, Point)> {
        self.parameters.get(&n).into_iter().flatten().filter(|(p, _)| self.m.has_node(*p)).map(|&(p, block)| (p, (block, 0)))
    }

    /// Whether a node is a number or a bool in every program that is not refused: by its own operation, or because it is a sum with
    /// a number, or one of its values is a number, and numbers mix with nothing else in either.
    pub fn is_number(&self, n: NodeId) -> bool {
        let mut seen = FxHashSet::default();
        let mut work = vec![n];
        while let Some(n) = work.pop() {
            if !seen.insert(n) {
                continue;
            }
            match &self.m[n].kind {
                Kind::Const(Const::F64(_) | Const::I64(_) | Const::Bool(_)) => return true,
                Kind::Prim(Prim::Add) => work.extend(self.m[n].inputs()),
                // A number times a tuple is a tuple, dicts are merged by `|`.
                Kind::Prim(Prim::Mul | Prim::BitOr) => {}
                Kind::Prim(p) if gives_number(*p) => return true,
                Kind::Param => work.extend(self.arguments.get(&n).into_iter().flatten()),
                Kind::Prim(_) | Kind::Const(_) | Kind::Call | Kind::Return => {}
            }
        }
        false
    }
}

fn gives_number(p: Prim) -> bool {
    match p.sig() {
        Sig::Float | Sig::Num | Sig::NumTotal | Sig::Int | Sig::Compare | Sig::Bool => true,
        Sig::Own => p == Prim::Float,
        Sig::Source => matches!(
            p,
            Prim::Power
                | Prim::TrueDiv
                | Prim::Truth
                | Prim::IsInstance
                | Prim::Len
                | Prim::HasNext
                | Prim::RoundInt
                | Prim::FloorInt
                | Prim::CeilInt
                | Prim::TruncInt
        ),
    }
}

/// Where control can get from some places, without passing one to avoid on the way.
pub struct Reach {
    from: Vec<Point>,
    avoid: Option<Point>,
    /// The blocks that it enters.
    entered: FxHashSet<BlockId>,
}

impl Reach {
    /// Follows control through the blocks.
    pub fn new(ssa: &Ssa<'_>, from: Vec<Point>, avoid: Option<Point>) -> Reach {
        let mut reach = Reach { from, avoid, entered: FxHashSet::default() };
        let mut work = reach.from.clone();
        while let Some((block, start)) = work.pop() {
            if reach.end(block, start) == u32::MAX {
                for next in ssa.successors(block) {
                    // A parameter of a block is made as the block begins: to avoid it is to avoid the block.
                    if avoid != Some((next, 0)) && reach.entered.insert(next) {
                        work.push((next, 0));
                    }
                }
            }
        }
        reach
    }

    /// How far control gets in a block from `start` on.
    fn end(&self, block: BlockId, start: u32) -> u32 {
        self.avoid.filter(|a| a.0 == block && a.1 > start).map_or(u32::MAX, |a| a.1)
    }

    /// Whether it gets to a later place.
    pub fn contains(&self, to: Point) -> bool {
        let within = |start: u32| to.1 > start && to.1 <= self.end(to.0, start);
        self.from.iter().any(|&(block, start)| block == to.0 && within(start)) || self.entered.contains(&to.0) && within(0)
    }
}

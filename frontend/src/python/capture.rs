//! Closures, and the variables of enclosing functions that they see.
//!
//! A nested function reads a variable of the function around it as a node of that function: the value at the place where the closure
//! is made. Python reads the variable when the closure is called, which is the same as long as nobody assigns it in between. Where
//! somebody does, a closure that is only called by name takes the variable as a parameter (lambda lifting), and any other is refused.
//!
//! The name of a function that is bound once stands for its graph in nested functions, also before it is defined; a use of a closure
//! is then a use of all functions it refers to.

use super::lower::{Frame, Lowered, Lowerer, Value};
use super::scope::{Binding, Imported};
use super::span_of;
use super::ssa::{BlockId, Point, Ssa, Var};
use gradus_ir::{Diagnostic, GraphId, Kind, NodeId, Prim, Sig, Span};
use ruff_python_ast as ast;
use rustc_hash::FxHashSet;
use std::collections::BTreeMap;

/// A variable that a closure reads.
#[derive(Clone, Copy)]
pub struct Capture<'a> {
    pub name: &'a str,
    /// Its value where the closure is made.
    pub value: NodeId,
    /// Where the closure reads it.
    pub span: Span,
}

/// A closure made in a function.
pub struct Closure<'a> {
    pub graph: GraphId,
    pub span: Span,
    /// Where and when it is made.
    pub point: Point,
    pub captures: Vec<Capture<'a>>,
}

/// The variables that closures must read when they are called, and an assignment that makes it so.
#[derive(Default)]
pub struct Late<'a> {
    variables: BTreeMap<(Span, &'a str), Write>,
}

/// Where a closure reads a variable and where that is assigned too late.
#[derive(Clone, Copy)]
struct Write {
    read: Span,
    assigned: Span,
}

impl<'a> Late<'a> {
    /// How many there are.
    pub fn len(&self) -> usize {
        self.variables.len()
    }

    /// The late variables of the closure defined at `span`.
    pub fn of(&self, span: Span) -> impl Iterator<Item = &'a str> {
        self.variables.range((span, "")..).take_while(move |((s, _), _)| *s == span).map(|((_, name), _)| *name)
    }

    fn get(&self, span: Span, name: &'a str) -> Option<Write> {
        self.variables.get(&(span, name)).copied()
    }
}

impl<'a> Lowerer<'a, '_> {
    /// What a name stands for here.
    pub fn name(&mut self, name: &'a ast::ExprName) -> Lowered<Value<'a>> {
        let (id, span) = (name.id.as_str(), span_of(name));
        for depth in (0..self.frames.len()).rev() {
            match self.frames[depth].scope.get(id) {
                Some(Binding::Import(import)) => return import.resolve().map(Value::Imported),
                Some(_) => return Ok(Value::Node(self.variable(depth, id, span))),
                // Code of the top level sees no function's names.
                None if self.frames[depth].at != u32::MAX => break,
                None => {}
            }
        }
        let at = self.frames.last().map_or(u32::MAX, |f| f.at);
        self.global(id, span, at)
    }

    /// The node of something named; a library function becomes a graph.
    pub fn value_node(&mut self, value: Value<'a>, span: Span) -> Lowered<NodeId> {
        match value {
            Value::Node(n) => Ok(n),
            Value::Imported(Imported::Item(library, name, item)) => self.item_node(library, name, item, span),
            Value::Imported(Imported::Library(library)) => {
                Err(Diagnostic::unsupported(span, format!("the module `{}` is not a value here", library.name())))
            }
        }
    }

    /// Reads a variable of the frame at `depth` from the innermost function.
    pub fn variable(&mut self, depth: usize, name: &'a str, span: Span) -> NodeId {
        let here = self.frames.len() - 1;
        if depth == here {
            let value = self.checked_read(name, span);
            let Some(def) = self.frames[depth].scope.function(name) else { return value };
            // Wherever the name has a value, it is this one.
            let graph = self.function_of(depth, name, def.span());
            self.check_refers(graph, span);
            return self.m.graph_ref(graph);
        }
        for d in (depth + 1..=here).rev() {
            let late = self.frames[d].late.iter().find(|(at, n, _)| (*at, *n) == (depth, name));
            if let Some(&(_, _, parameter)) = late {
                if d < here {
                    self.frames[d].late_inside.push(name);
                }
                return parameter;
            }
        }
        if let Some(def) = self.frames[depth].scope.function(name) {
            let graph = self.function_of(depth, name, def.span());
            let refers = &mut self.frames[depth + 1].refers;
            if !refers.contains(&name) {
                refers.push(name);
            }
            return self.m.graph_ref(graph);
        }
        let outer = &mut self.frames[depth];
        let block = outer.block.expect("the closure is made in reachable code");
        let value = outer.ssa.read(&mut self.m, block, Var::Name(name));
        self.frames[depth + 1].captures.push(Capture { name, value, span });
        value
    }

    fn checked_read(&mut self, name: &'a str, span: Span) -> NodeId {
        let value = self.read(Var::Name(name));
        self.frame().reads.push((value, name, span));
        value
    }

    /// Checks that all functions that a nested function of the innermost one refers to are defined here.
    pub fn check_refers(&mut self, graph: GraphId, span: Span) {
        let here = self.frames.len() - 1;
        let mut seen = FxHashSet::default();
        let mut work = vec![graph];
        while let Some(g) = work.pop() {
            let names = match self.nested.get(&g) {
                Some(nested) if nested.depth == here && seen.insert(g) => nested.refers.clone(),
                _ => continue,
            };
            for name in names {
                self.checked_read(name, span);
                work.extend(self.frame().functions.get(name));
            }
        }
    }

    /// The values of the late variables of a closure that is called here: its first arguments.
    pub fn late_arguments(&mut self, callee: NodeId, span: Span) -> Vec<NodeId> {
        let Some(nested) = self.m.as_graph(callee).and_then(|g| self.nested.get(&g)) else { return Vec::new() };
        let (depth, defined) = (nested.depth, nested.span);
        let names: Vec<&'a str> = self.late.of(defined).collect();
        names.into_iter().map(|name| self.variable(self.depth_of(depth, name), name, span)).collect()
    }

    /// Checks the reads and the closures of a complete function.
    pub fn check_captures(&mut self, frame: &Frame<'a>) {
        for &(value, name, span) in &frame.reads {
            if !frame.ssa.is_assigned(value) {
                self.unassigned(frame, name, span);
                return;
            }
        }
        for closure in &frame.closures {
            for capture in &closure.captures {
                let writes = frame.writes.get(capture.name).map_or(&[][..], Vec::as_slice);
                let later = writes.iter().find(|(at, _)| reaches(&frame.ssa, closure.point, *at, None));
                match later {
                    None if frame.ssa.is_assigned(capture.value) => {}
                    None => return self.unassigned(frame, capture.name, capture.span),
                    Some(&(_, assigned)) => {
                        let callee = self.m.graph_ref(closure.graph);
                        if !frame.ssa.is_assigned(capture.value) || self.outlives(frame, callee, closure.point, writes) {
                            let write = Write { read: capture.span, assigned };
                            self.late.variables.insert((closure.span, capture.name), write);
                        }
                    }
                }
            }
            self.check_lifted(frame, closure);
        }
    }

    fn unassigned(&mut self, frame: &Frame<'a>, name: &str, span: Span) {
        let d = Diagnostic::refused(span, format!("the variable `{name}` may be unassigned here"));
        let d = match frame.writes.get(name).and_then(|w| w.first()) {
            Some(&(_, place)) => d.label(place, "assigned here, but not on every path"),
            None => d,
        };
        self.diagnostics.push(d);
    }

    /// A closure with late variables must only be called, and what it returns must not hold them.
    fn check_lifted(&mut self, frame: &Frame<'a>, closure: &Closure<'a>) {
        let names: Vec<&'a str> = self.late.of(closure.span).collect();
        if names.is_empty() {
            return;
        }
        let node = self.m.graph_ref(closure.graph);
        let uses: Vec<(NodeId, u32)> = self.m[node].users().iter().map(|u| (u.node, u.index)).collect();
        let inside = self.nested.get(&closure.graph).map_or(Vec::new(), |n| n.late_inside.clone());
        for name in names {
            let Some(write) = self.late.get(closure.span, name) else { continue };
            let writes = frame.writes.get(name).map_or(&[][..], Vec::as_slice);
            // The call of the lifted closure, or where it is a primitive's operand, a call with keywords.
            let called = |&(n, i): &(NodeId, u32)| i == 0 && matches!(self.m[n].kind, Kind::Call | Kind::Prim(Prim::CallKw(_)));
            let mut escapes = !uses.iter().all(called);
            if !escapes && inside.contains(&name) {
                escapes = uses.iter().any(|&(call, _)| match self.locate(frame, call) {
                    Some((at, None)) => self.outlives(frame, call, at, writes),
                    _ => true,
                });
            }
            if escapes {
                self.diagnostics.push(
                    Diagnostic::refused(write.read, format!("this function reads `{name}`, which is assigned after it is made"))
                        .label(write.assigned, "assigned here")
                        .hint(format!("keep the present value with a default: `{name}={name}` among its parameters")),
                );
                return;
            }
        }
    }

    /// Where a node of the function, or of a function inside of it, is evaluated; in the latter case with the graph of the closure.
    fn locate(&self, frame: &Frame<'a>, n: NodeId) -> Option<(Point, Option<GraphId>)> {
        let mut graph = self.m[n].graph?;
        while graph != frame.graph && self.inside.get(&graph)? != &frame.graph {
            graph = self.inside[&graph];
        }
        if let Some(closure) = frame.closures.iter().find(|c| c.graph == graph) {
            return Some((closure.point, Some(graph)));
        }
        let (block, _) = frame.ssa.graphs().find(|&(_, g)| g == graph)?;
        // What ends a block has no stamp: it comes last.
        Some(((block, self.stamps.get(&n).copied().unwrap_or(u32::MAX)), None))
    }

    /// Whether a value made at `made` may be used after one of `writes`, be it as part of another value.
    fn outlives(&mut self, frame: &Frame<'a>, value: NodeId, made: Point, writes: &[(Point, Span)]) -> bool {
        let mut seen = FxHashSet::default();
        let mut work = vec![(value, made)];
        while let Some((n, made)) = work.pop() {
            if !seen.insert(n) {
                continue;
            }
            let uses: Vec<NodeId> = self.m[n].users().iter().map(|u| u.node).collect();
            for user in uses {
                let Some((at, holder)) = self.locate(frame, user) else { return true };
                let after_write =
                    |w: &Point| reaches(&frame.ssa, made, *w, Some(made)) && reaches(&frame.ssa, *w, at, Some(made));
                if holder.is_none_or(|g| self.m.as_graph(n) != Some(g)) && writes.iter().any(|(w, _)| after_write(w)) {
                    return true;
                }
                if let Some(graph) = holder {
                    work.push((self.m.graph_ref(graph), at));
                } else if at.1 != u32::MAX {
                    if !is_scalar(self.m[user].kind.clone()) {
                        work.push((user, at));
                    }
                }
            }
            // A block's parameters are given what its predecessors jump with.
            let parameters = frame.ssa.phi_uses().filter(|&(_, _, _, arg)| arg == n);
            work.extend(parameters.map(|(phi, block, _, _)| (phi, (block, 0))));
        }
        false
    }
}

/// Whether an operation gives a number or a truth value, whatever it is given.
fn is_scalar(kind: Kind) -> bool {
    match kind {
        Kind::Prim(Prim::Add | Prim::Mul) => false,
        Kind::Prim(Prim::Power | Prim::TrueDiv | Prim::Truth | Prim::Len | Prim::HasNext) => true,
        Kind::Prim(Prim::RoundInt | Prim::FloorInt | Prim::CeilInt | Prim::TruncInt | Prim::Float) => true,
        Kind::Prim(p) => matches!(p.sig(), Sig::Float | Sig::Num | Sig::NumTotal | Sig::Int | Sig::Compare | Sig::Bool),
        Kind::Call | Kind::Param | Kind::Const(_) | Kind::Return => false,
    }
}

/// Whether control can get from one place to another later one, without passing `avoid` on the way.
fn reaches(ssa: &Ssa<'_>, from: Point, to: Point, avoid: Option<Point>) -> bool {
    // The stretch of a block from `start` on: whether it holds `to`, and whether control gets to its end.
    let stretch = |block: BlockId, start: u32| {
        let stop = avoid.filter(|a| a.0 == block && a.1 > start).map_or(u32::MAX, |a| a.1);
        let found = to.0 == block && to.1 > start && to.1 <= stop;
        (found, stop == u32::MAX)
    };
    let (found, leaves) = stretch(from.0, from.1);
    if found {
        return true;
    }
    let mut seen = FxHashSet::default();
    let mut work: Vec<BlockId> = if leaves { ssa.successors(from.0).collect() } else { Vec::new() };
    while let Some(block) = work.pop() {
        if !seen.insert(block) {
            continue;
        }
        // A parameter of a block is made as the block begins: avoiding it is avoiding the block.
        if avoid == Some((block, 0)) {
            continue;
        }
        let (found, leaves) = stretch(block, 0);
        if found {
            return true;
        }
        if leaves {
            work.extend(ssa.successors(block));
        }
    }
    false
}

//! Closures, and the variables of enclosing functions that they see.
//!
//! A nested function reads a variable of the function around it as a node of that function: the value at the place where the closure
//! is made. Python reads the variable when the closure is called, which is the same as long as nobody assigns it in between. Where
//! somebody does, a closure that is only called by name takes the variable as a parameter (lambda lifting); for any other the variable
//! is in a box, as one that is declared `nonlocal`.
//!
//! The name of a function that is bound once stands for its graph in nested functions, also before it is defined; a use of a closure
//! is then a use of all functions it refers to. One that is defined after such a use is in a box.

use super::escape::{Flow, Reach};
use super::library;
use super::lower::{Frame, Lowered, Lowerer, Value};
use super::names::Item;
use super::owned::Owned;
use super::scope::{Binding, Imported};
use super::span_of;
use super::ssa::{Point, Var};
use gradus_ir::{Const, Diagnostic, GraphId, Kind, NodeId, Prim, Span, Type, Use};
use ruff_python_ast as ast;
use rustc_hash::FxHashSet;
use std::collections::{BTreeMap, BTreeSet};

/// A variable that a closure reads.
#[derive(Clone, Copy)]
pub struct Capture<'a> {
    pub name: &'a str,
    /// Its value where the closure is made.
    pub value: NodeId,
    /// Where the closure reads it.
    pub span: Span,
}

/// A variable of a function that is read in it.
pub struct Read<'a> {
    value: NodeId,
    name: &'a str,
    span: Span,
    /// Whether it is not read here itself, but when a closure that is used here is called.
    by_closure: bool,
}

/// A closure made in a function.
pub struct Closure<'a> {
    pub graph: GraphId,
    /// The constant of the graph.
    pub node: NodeId,
    pub span: Span,
    /// Where and when it is made.
    pub point: Point,
    pub captures: Vec<Capture<'a>>,
    /// Whether it is a comprehension, which is called where it is made.
    pub is_comprehension: bool,
}

/// What is known of a program only once it was lowered, and changes how it is: the variables that closures must read when they are
/// called, and an assignment that makes it so; and more.
#[derive(Default)]
pub struct Late<'a> {
    variables: BTreeMap<(Span, &'a str), Write>,
    /// Variables that closures share with their function for longer than it runs, by the place of the function: these are in boxes.
    boxes: BTreeSet<(Span, &'a str)>,
    /// Those among them whose objects functions inside write to.
    owned: Owned<'a>,
    /// The names of functions that not all paths to their uses define.
    names: BTreeSet<(Span, &'a str)>,
    /// Reads of variables that not all paths assign, in files where something is done: what was done is kept where one fails.
    failing: BTreeSet<(Span, &'a str)>,
    /// Arms of branches that are not in the subset, and why. They may be such as no call takes.
    refused: BTreeMap<Span, Diagnostic>,
    /// The functions that are called where exceptions are handled.
    twins: BTreeSet<Span>,
    /// Whether a function value is called where exceptions are handled.
    strict: bool,
    /// How often something was found.
    found: usize,
}

/// Where a closure reads a variable and where that is assigned too late.
#[derive(Clone, Copy)]
struct Write {
    read: Span,
    assigned: Span,
}

impl<'a> Late<'a> {
    /// Nothing but that these variables are in boxes, whose objects nobody has under another name.
    pub fn with_owned(owned: Owned<'a>) -> Late<'a> {
        Late { boxes: owned.variables.clone(), owned, ..Late::default() }
    }

    /// Whether the element of an array that is read here must be a number.
    pub fn is_number(&self, span: Span) -> bool {
        self.owned.numbers.contains(&span)
    }

    /// Whether nobody but the function defined at `span` has the object of a variable, or that of an element of it.
    pub fn is_owned(&self, span: Span, name: &'a str, depth: usize) -> bool {
        match depth {
            0 => self.owned.variables.contains(&(span, name)),
            1 => self.owned.rows.contains(&(span, name)),
            _ => false,
        }
    }

    /// How many were found; more than before if there is something new.
    pub fn found(&self) -> usize {
        self.found
    }

    fn add(&mut self, closure: Span, name: &'a str, write: Write) {
        self.found += usize::from(self.variables.insert((closure, name), write).is_none());
    }

    /// Puts a variable of the function defined at `span` into a box, so that closures need not be given it.
    fn put_in_box(&mut self, span: Span, name: &'a str, closures: &[Closure<'a>]) {
        self.found += usize::from(self.boxes.insert((span, name)));
        self.variables.retain(|(closure, n), _| *n != name || closures.iter().all(|c| c.span != *closure));
    }

    /// The name of a function that is defined in the one at `span` is that of a variable.
    fn make_variable(&mut self, span: Span, name: &'a str) {
        self.found += usize::from(self.names.insert((span, name)));
    }

    /// The names of functions defined in the one at `span` that are those of variables.
    pub fn variables(&self, span: Span) -> impl Iterator<Item = &'a str> {
        self.names.range((span, "")..).take_while(move |(s, _)| *s == span).map(|(_, name)| *name)
    }

    /// A read of a variable without a value is an effect.
    fn fails_at(&mut self, span: Span, name: &'a str) {
        self.found += usize::from(self.failing.insert((span, name)));
    }

    /// The function defined at `span` is called where exceptions are handled.
    pub fn needs_twin(&mut self, span: Span) {
        self.found += usize::from(self.twins.insert(span));
    }

    /// A function value is called where exceptions are handled.
    pub fn be_strict(&mut self) {
        self.found += usize::from(!std::mem::replace(&mut self.strict, true));
    }

    /// Whether one is.
    pub fn is_strict(&self) -> bool {
        self.strict
    }

    /// Whether it is.
    pub fn has_twin(&self, span: Span) -> bool {
        self.twins.contains(&span)
    }

    /// An arm of a branch is not in the subset.
    pub fn refuse(&mut self, arm: Span, why: &Diagnostic) {
        self.found += usize::from(self.refused.insert(arm, why.clone()).is_none());
    }

    /// Why an arm of a branch is not in the subset, if that was found.
    pub fn refused(&self, arm: Span) -> Option<&Diagnostic> {
        self.refused.get(&arm)
    }

    /// The variables of the function defined at `span` that are in boxes.
    pub fn boxes(&self, span: Span) -> impl Iterator<Item = &'a str> {
        self.boxes.range((span, "")..).take_while(move |(s, _)| *s == span).map(|(_, name)| *name)
    }

    /// The late variables of the closure defined at `span`.
    pub fn of(&self, span: Span) -> impl Iterator<Item = &'a str> {
        self.variables.range((span, "")..).take_while(move |((s, _), _)| *s == span).map(|((_, name), _)| *name)
    }
}

impl<'a> Lowerer<'a, '_> {
    /// What a name stands for here.
    pub fn name(&mut self, name: &'a ast::ExprName) -> Lowered<Value<'a>> {
        let (id, span) = (name.id.as_str(), span_of(name));
        for depth in (0..self.frames.len()).rev() {
            if let Some((_, class)) = self.frames[depth].class.filter(|(name, _)| *name == id) {
                return self.constructor(class);
            }
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

    /// Whether a function around binds a name to a variable.
    pub fn is_variable(&self, name: &str) -> bool {
        let bound = self.frames.iter().rev().find_map(|f| f.scope.get(name));
        matches!(bound, Some(Binding::Variable))
    }

    /// Whether no function around binds a name.
    pub fn is_global(&self, name: &str) -> bool {
        self.frames.iter().all(|f| f.scope.get(name).is_none())
    }

    /// The node of something named; a library function becomes a graph.
    pub fn value_node(&mut self, value: Value<'a>, span: Span) -> Lowered<NodeId> {
        match value {
            Value::Node(n) => Ok(n),
            Value::Imported(Imported::Item(library, name, item)) => {
                let node = self.item_node(library, name, item, span)?;
                let gives_array = self.program.objects.arrays && library.is_numeric() && item.is_function();
                let gives_list =
                    self.program.objects.lists && matches!(item, Item::Written(name) if library::gives_new_list(name));
                let gives_object = self.has_objects() && (gives_array || gives_list);
                Ok(if gives_object { self.by_object("_on_objects", node, span) } else { node })
            }
            Value::Imported(Imported::Library(library)) => {
                Err(Diagnostic::unsupported(span, format!("the module `{}` is not a value here", library.name())))
            }
        }
    }

    /// Reads a variable of the frame at `depth` from the innermost function.
    pub fn variable(&mut self, depth: usize, name: &'a str, span: Span) -> NodeId {
        let here = self.frames.len() - 1;
        if let Some(&made) = self.frames[depth].boxes.get(name) {
            if !self.frames[depth].filled.contains(name) {
                self.require_filled(made, &format!("the variable `{name}` has no value yet"), span);
            }
            return self.get_box(made, span);
        }
        if depth == here {
            let value = self.checked_read(name, span, false);
            let Some(def) = self.frames[depth].scope.function(name) else { return value };
            // Wherever the name has a value, it is this one.
            let graph = self.function_of(depth, name, def.span());
            self.check_refers(graph, span);
            return self.m.graph_ref(graph);
        }
        for d in (depth + 1..=here).rev() {
            let late = self.frames[d].late.iter().find(|(at, n, _)| (*at, *n) == (depth, name));
            if let Some(&(_, _, parameter)) = late {
                if self.frames[d + 1..].iter().any(|inner| !inner.is_comprehension) {
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
        self.check_assigned(name, value, span);
        self.captured(depth, name, value, span)
    }

    /// A captured variable, as the outermost closure around has it. A derivative with respect to the closure has an entry by its name:
    /// a constant is told from a number that is written there, and a value with another name by its own.
    fn captured(&mut self, depth: usize, name: &'a str, value: NodeId, span: Span) -> NodeId {
        let closure = self.frames[depth + 1..].iter().find(|frame| !frame.is_comprehension);
        let known = match &self.m[value] {
            node if node.graph.is_some() => node.name.as_deref() == Some(name),
            _ => self.m.as_f64(value).is_none(),
        };
        match closure.map(|frame| frame.graph) {
            Some(graph) if !self.in_library && !known => {
                let text = self.m.constant(Const::Str(name.into()), Type::Str);
                let captured = self.m.prim(graph, Prim::Captured, vec![value, text], Type::Unknown, span);
                self.m.set_name(captured, name);
                captured
            }
            _ => value,
        }
    }

    fn checked_read(&mut self, name: &'a str, span: Span, by_closure: bool) -> NodeId {
        let value = self.read(Var::Name(name));
        self.frame().reads.push(Read { value, name, span, by_closure });
        self.check_assigned(name, value, span);
        value
    }

    /// Fails where a variable that is read here has no value. As inference makes nothing of a block but the failure, what was done in
    /// this one is left behind.
    fn check_assigned(&mut self, name: &'a str, value: NodeId, span: Span) {
        if self.in_library || !self.late.failing.contains(&(span, name)) {
            return;
        }
        let here = Some(self.graph());
        let made = self.frame().made.clone();
        if made.into_iter().any(|n| self.m[n].graph == here && self.may_act(n)) {
            let read = self.new_block("read", span);
            self.jump(read, span);
            self.seal(read);
            self.enter(read);
        }
        self.reads_on(value, span);
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
                self.checked_read(name, span, true);
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
    pub fn check_captures(&mut self, frame: &mut Frame<'a>) {
        for read in frame.reads.iter().filter(|read| !frame.ssa.is_assigned(read.value)) {
            if frame.is_def && read.by_closure {
                self.late.put_in_box(self.m[frame.graph].span, read.name, &frame.closures);
            } else if let Some(d) = self.left_to_inference(frame, read.value, read.name, read.span) {
                return self.diagnostics.push(d);
            }
        }
        if frame.closures.is_empty() {
            return;
        }
        let flow = Flow::new(&self.m, frame, &self.inside, &self.stamps, self.program.objects.are_some());
        let (mut late, mut boxes, mut diagnostics, mut data) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let mut not_everywhere = Vec::new();
        for closure in &frame.closures {
            let later = Reach::new(&frame.ssa, vec![closure.point], None);
            for capture in &closure.captures {
                let writes = frame.writes_of(capture.name);
                let assigned = frame.ssa.is_assigned(capture.value);
                match writes.iter().find(|&&(at, _)| later.contains(at)) {
                    None if assigned => {}
                    None => not_everywhere.push(capture),
                    Some(_) if assigned && !flow.outlives(closure.node, closure.point, writes) => {}
                    Some(&(_, place)) => {
                        let write = Write { read: capture.span, assigned: place };
                        match flow.last_calls(closure.node, closure.point, writes) {
                            Some(calls) if assigned && !self.only_called(frame, closure) => {
                                data.extend(calls.into_iter().map(|call| (call, capture.name, write)));
                            }
                            _ => late.push(((closure.span, capture.name), write)),
                        }
                    }
                }
            }
            if let Some((name, write)) = self.unfit_to_lift(frame, closure, &flow) {
                match frame.is_def {
                    true => boxes.push((self.m[frame.graph].span, name)),
                    false => diagnostics.push(Diagnostic::stale_capture(write.read, name, write.assigned)),
                }
            }
        }
        late.into_iter().for_each(|((closure, name), write)| self.late.add(closure, name, write));
        boxes.into_iter().for_each(|(span, name)| self.late.put_in_box(span, name, &frame.closures));
        self.diagnostics.extend(diagnostics);
        for capture in not_everywhere {
            let wrong = self.left_to_inference(frame, capture.value, capture.name, capture.span);
            self.diagnostics.extend(wrong);
        }
        data.into_iter().for_each(|(call, name, write)| self.must_be_data(frame, call, name, write));
    }

    /// Leaves it to inference to refuse a variable that not all paths assign, since it knows which paths there are: a loop over a tuple
    /// that is not empty has one to what follows it. What is wrong if no path does.
    fn left_to_inference(&mut self, frame: &Frame<'a>, value: NodeId, name: &'a str, span: Span) -> Option<Diagnostic> {
        let paths = frame.ssa.partial_on_the_way(value);
        if paths.is_empty() {
            // An instance that somebody has before it is complete is one whose fields change.
            self.changes_fields |= name.rsplit_once('.').is_some_and(|(_, field)| self.is_assigned_later(field));
            return Some(unassigned(frame, name, span));
        }
        // The name of a function stands for it without being read, but where not all paths define it.
        if frame.scope.function(name).is_some() {
            self.late.make_variable(self.m[frame.graph].span, name);
            return None;
        }
        for phi in paths {
            self.m.memory.unassigned.entry(phi).or_insert_with(|| unassigned(frame, name, span));
        }
        if !self.in_library {
            self.late.fails_at(span, name);
        }
        None
    }

    fn only_called(&self, frame: &Frame<'a>, closure: &Closure<'a>) -> bool {
        let called =
            |u: &Use| u.index == 0 && matches!(self.m[u.node].kind, Kind::Call | Kind::Prim(Prim::CallKw(_) | Prim::Apply(_)));
        let default = frame.with_defaults.iter().any(|&g| self.m[g].defaults.contains(&closure.node));
        !default && self.m[closure.node].users().iter().all(called)
    }

    /// Leaves it to inference, which knows types, to refuse a result that may hold a closure.
    fn must_be_data(&mut self, frame: &mut Frame<'a>, call: NodeId, name: &str, write: Write) {
        let graph = self.m[call].graph.expect("a call is no constant");
        let name = self.m.constant(Const::Str(name.into()), Type::Str);
        let [start, end] = [write.assigned.start, write.assigned.end].map(|at| self.m.i64(at.into()));
        let checked = self.m.prim(graph, Prim::Data, vec![name, name, start, end], Type::Unknown, write.read);
        self.m.replace(call, checked);
        self.m.set_input(checked, 0, call);
        self.stamps.insert(checked, self.stamps[&call]);
        frame.made.push(checked);
        for &g in &frame.with_defaults {
            self.m[g].defaults.iter_mut().filter(|d| **d == call).for_each(|d| *d = checked);
        }
    }

    /// A closure with late variables must only be called, and what it returns must not hold them: a variable for which that is not so.
    fn unfit_to_lift(&self, frame: &Frame<'a>, closure: &Closure<'a>, flow: &Flow<'_, 'a>) -> Option<(&'a str, Write)> {
        let uses = self.m[closure.node].users();
        let only_called = self.only_called(frame, closure);
        let inside = &self.nested.get(&closure.graph)?.late_inside;
        for name in self.late.of(closure.span) {
            let writes = frame.writes_of(name);
            let kept = || {
                uses.iter().any(|u| match flow.locate(u.node) {
                    Some((at, None)) => flow.outlives(u.node, at, writes),
                    _ => true,
                })
            };
            if !only_called || (inside.contains(&name) && kept()) {
                return Some((name, *self.late.variables.get(&(closure.span, name))?));
            }
        }
        None
    }
}

fn unassigned(frame: &Frame<'_>, name: &str, span: Span) -> Diagnostic {
    let d = Diagnostic::refused(span, format!("the variable `{name}` may be unassigned here"));
    match frame.writes_of(name) {
        [(_, place), ..] => d.label(*place, "assigned here, but not on every path"),
        [] => d,
    }
}

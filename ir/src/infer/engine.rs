//! The analysis: abstract interpretation of instances to a fixed point.
//!
//! Values, arguments of blocks and results only grow, so the fixed point exists; it is reached by looking again at every instance
//! that reads what has grown. A call of an instance that was not looked at yet is followed at once, on an explicit stack.

use super::abs::{Abs, Closure};
use super::calls::{Callee, Shape, Target};
use super::captures::Records;
use super::classes::Classes;
use super::effects::Manner;
use super::facts::{Fact, Facts};
use super::instances::{InstId, Instance, Instances, MAX_NESTED, Request, Voice};
use super::layout::Layout;
use super::lengths::Wanted;
use super::prims::{Ops, Value};
use super::scopes::Scopes;
use super::sequences::kind_of;
use super::statics::Statics;
use super::tables::KEYS;
use super::wrappers::Wrappers;
use super::written::Written;
use crate::graph::{Const, Flavor, GraphId, Kind, Module, NodeId};
use crate::prim::Prim;
use crate::span::{Call, Diagnostic, Span};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::VecDeque;
use std::rc::Rc;

/// The state of the analysis.
pub(super) struct Engine {
    /// The untyped module, with wrapper graphs added.
    pub(super) m: Module,
    pub(super) scopes: Scopes,
    pub(super) instances: Instances,
    pub(super) classes: Classes,
    pub(super) wrappers: Wrappers,
    pub(super) statics: Statics,
    pub(super) facts: Facts,
    /// Operands that would have to be constants.
    pub(super) wanted: Vec<(InstId, NodeId)>,
    /// Parameters that their blocks would have to be specialised for.
    pub(super) wanted_blocks: Vec<(GraphId, usize)>,
    /// Arrays of lists whose lengths only the run knows.
    pub(super) wanted_lengths: Vec<Wanted>,
    /// Lists that had other lengths than were counted when they were looked at.
    pub(super) miscounted: Vec<Wanted>,
    /// Parameters of blocks that would have to be told apart by whether they have a value.
    pub(super) wanted_assigned: Vec<(GraphId, usize)>,
    /// The functions that are records.
    pub(super) records: Records,
    /// Those that would have to be.
    pub(super) wanted_records: Records,
    /// Parameters of loops that become functions of another place in a turn, as in `f = wrapped(f)`: the instance, and the number.
    pub(super) wraps: Vec<(InstId, usize)>,
    /// Instances of functions that call themselves with a function that is made of the one they were given.
    pub(super) recursions: Vec<InstId>,
    /// Whether loops that would have to be unrolled for long lists are to be found.
    pub(super) rolls: bool,
    /// Those that were found.
    pub(super) long: FxHashSet<GraphId>,
    /// How many elements of lists the turns of loops in an instance of a function are given, where these change their lengths.
    pub(super) elements: FxHashMap<InstId, usize>,
    frames: Vec<Frame>,
    queue: VecDeque<InstId>,
    /// Whether the program does something beside giving a result, or may fail where nobody asks for a result.
    pub(super) acts: bool,
    /// Whether it has mutable boxes.
    pub(super) has_boxes: bool,
    /// Arrays that are objects.
    pub(super) written: Written,
    /// Who is told of what the node does that is looked at.
    pub(super) voice: Voice,
    /// An error that ends the analysis.
    fatal: Option<Diagnostic>,
    /// Whether the analysis ended because of such an error.
    pub(super) is_endless: bool,
}

struct Frame {
    instance: InstId,
    next: usize,
}

/// Why a node has no value yet.
pub(super) enum Stop {
    /// This instance is to be looked at first.
    Enter(InstId),
    /// What is read there has no value, so nothing comes after it.
    Unassigned(Unassigned),
    /// The program is wrong here.
    Error(Box<Diagnostic>),
    /// The program is wrong in a way that has no end.
    Fatal(Box<Diagnostic>),
}

/// The read of a variable that has no value.
#[derive(Clone, Copy)]
pub(super) struct Unassigned {
    pub(super) variable: NodeId,
    pub(super) span: Span,
}

impl From<Diagnostic> for Stop {
    fn from(d: Diagnostic) -> Stop {
        Stop::Error(Box::new(d))
    }
}

/// More instances of one function than this are taken for a recursion whose arguments grow.
const MAX_INSTANCES: usize = 1000;

/// The same, where lists of two lengths have met, which may be lists of no known length.
const MAX_WITHOUT_LISTS: usize = 64;

/// How deep tuples may be nested: what works on types recurses over them.
const MAX_DEPTH: usize = 200;

/// How many values a tuple may hold, nested ones included.
pub(super) const MAX_SIZE: usize = 1 << 16;

impl Engine {
    pub(super) fn new(m: Module, entry: GraphId, statics: Statics) -> Engine {
        let has_boxes = m.has_boxes();
        Engine {
            scopes: Scopes::new(&m, entry),
            classes: Classes::new(&m.classes, m.floats),
            acts: has_boxes || m.prints() || m.drops(),
            has_boxes,
            m,
            instances: Instances::default(),
            wrappers: Wrappers::default(),
            statics,
            facts: Facts::default(),
            wanted: Vec::new(),
            wanted_blocks: Vec::new(),
            wanted_lengths: Vec::new(),
            miscounted: Vec::new(),
            wanted_assigned: Vec::new(),
            records: Records::default(),
            wanted_records: Records::default(),
            wraps: Vec::new(),
            recursions: Vec::new(),
            rolls: false,
            long: FxHashSet::default(),
            elements: FxHashMap::default(),
            frames: Vec::new(),
            queue: VecDeque::new(),
            written: Written::default(),
            voice: Voice::Loud,
            fatal: None,
            is_endless: false,
        }
    }

    /// The instance of the entry, called with these arguments.
    pub(super) fn enter(&mut self, entry: GraphId, args: Vec<Abs>) -> Result<InstId, Diagnostic> {
        let span = self.m[entry].span;
        let shape = Shape { count: args.len(), keywords: [].into() };
        let (graph, parent) = self.resolve(None, Closure::Graph(entry, None), &shape, span)?;
        let spans: Vec<Span> = self.m[graph].params.iter().map(|&p| self.m[p].span).collect();
        Ok(self.instances.add_function(&Request {
            graph,
            parent,
            args: &args,
            spans: &spans,
            caller: None,
            site: Span::NONE,
            origin: Span::NONE,
            context: None,
            voice: Voice::Loud,
        }))
    }

    /// Analyses everything the instance reaches. A program that never returns is taken to return a float.
    pub(super) fn solve(&mut self, entry: InstId) -> Result<(), Vec<Diagnostic>> {
        self.enqueue(entry);
        loop {
            self.run();
            if let Some(d) = self.fatal.take() {
                self.is_endless = true;
                return Err(vec![d]);
            }
            let mut reached = self.reached(entry);
            let mut errors = self.errors(&reached);
            if !errors.is_empty() {
                // A set of closures keeps those of types that did not last: what is wrong with them is wrong with nothing.
                let built: FxHashSet<InstId> = Layout::new(self, entry).instances().into_iter().collect();
                reached = self.reached_if(entry, |_, _, member| built.contains(&member));
                errors = self.errors(&reached);
            }
            if !errors.is_empty() {
                return Err(errors);
            }
            let unassigned = self.unassigned_everywhere(&reached);
            if !unassigned.is_empty() {
                return Err(unassigned);
            }
            let is_endless = |id: &InstId| self.instances[*id].result.is_bottom() && self.instances[*id].function == *id;
            let endless: Vec<InstId> = reached.iter().rev().copied().filter(is_endless).collect();
            let valued = self.called_as_values(&reached);
            let Some(&id) = endless.iter().find(|&id| *id == entry || valued.contains(id)) else {
                // Nothing comes after a call of them, so what they return is of no concern to others.
                for id in endless {
                    self.instances[id].result = Abs::F64(None);
                }
                return Ok(());
            };
            self.instances[id].assumed = true;
            self.grow_result(id, Abs::F64(None), Span::NONE);
        }
    }

    /// The functions that are called by more than their name: as values, or by their derivatives.
    fn called_as_values(&self, reached: &[InstId]) -> FxHashSet<InstId> {
        let mut found = Vec::new();
        for target in reached.iter().flat_map(|&id| self.instances[id].calls.values()) {
            if !matches!(target, Target::Blocks { .. }) && target.known().is_none() {
                target.instances(&mut found);
            }
        }
        found.into_iter().collect()
    }

    /// What is wrong with these instances.
    fn errors(&self, reached: &[InstId]) -> Vec<Diagnostic> {
        let of = |&id: &InstId| self.instances[id].errors.iter().map(move |d| self.with_calls(id, d.clone()));
        let mut errors: Vec<Diagnostic> = reached.iter().flat_map(of).collect();
        errors.sort_by_key(|d| (d.span, d.message.clone()));
        errors.dedup_by(|a, b| a.span == b.span && a.message == b.message);
        // Nothing fits a result that was only assumed: what is wrong is that there is none.
        let endless = reached.iter().map(|&id| &self.instances[id]).find(|i| i.assumed);
        match endless {
            Some(i) if !errors.is_empty() => {
                let graph = &self.m[i.graph];
                vec![Diagnostic::refused(graph.span, format!("`{}` never returns", graph.name))]
            }
            _ => errors,
        }
    }

    /// A message about an instance, with the calls that first led there, and with the places of the derivatives for which ints are floats.
    fn with_calls(&self, id: InstId, mut d: Diagnostic) -> Diagnostic {
        let mut callee = self.instances[id].function;
        let mut seen = FxHashSet::default();
        while let Some(from) = self.instances[callee].creator
            && seen.insert(callee)
        {
            let caller = &self.instances[from];
            let graph = &self.m[self.instances[callee].graph];
            let is_call = |(_, target): &(&NodeId, &Target)| {
                let mut called = Vec::new();
                target.instances(&mut called);
                called.contains(&callee)
            };
            let place = caller.calls.iter().filter(is_call).map(|(&node, _)| self.m[node].span).min().unwrap_or(Span::NONE);
            if self.wrappers.is_gradient(caller.graph) && self.takes_ints_for_floats(from) {
                d = d.label(place, "an int that is given is a float, since a derivative in it is asked for");
            }
            // A call at the place of the function itself is one that fills in its arguments.
            if graph.flavor == Flavor::Function && place != graph.span {
                Call::lead(&mut d.calls, d.span, &graph.name, place);
            }
            callee = caller.function;
        }
        d
    }

    /// Whether an instance makes floats of ints, since a derivative in them is asked for.
    fn takes_ints_for_floats(&self, id: InstId) -> bool {
        let instance = &self.instances[id];
        let params = self.m[instance.graph].params.iter().zip(&instance.args);
        let mut ints = params.filter(|(_, arg)| matches!(arg, Abs::I64(_)));
        ints.any(|(&p, _)| self.m[p].users().iter().any(|u| self.m.as_prim(u.node) == Some(Prim::Differentiable)))
    }

    /// Variables that are read where no path brings a value to them.
    fn unassigned_everywhere(&self, reached: &[InstId]) -> Vec<Diagnostic> {
        let all = || reached.iter().map(|&id| &self.instances[id]);
        let ends: FxHashSet<GraphId> = all().filter(|i| i.unassigned.is_none()).map(|i| i.graph).collect();
        all().filter(|i| !ends.contains(&i.graph)).filter_map(|i| i.unassigned).map(|read| self.unassigned(read)).collect()
    }

    /// The instances that the last look at each one finds reachable, in the order of their ids.
    pub(super) fn reached(&self, entry: InstId) -> Vec<InstId> {
        self.reached_if(entry, |_, _, _| true)
    }

    /// The same, where a function that is called as a value counts if `is_called` says so of the call, the function and its instance.
    pub(super) fn reached_if(
        &self,
        entry: InstId,
        is_called: impl Fn((InstId, NodeId), &Closure, InstId) -> bool,
    ) -> Vec<InstId> {
        let mut seen: FxHashSet<InstId> = FxHashSet::default();
        let mut stack = vec![entry];
        while let Some(id) = stack.pop() {
            if !seen.insert(id) {
                continue;
            }
            for (&call, target) in &self.instances[id].calls {
                match target.callee() {
                    Some(Callee::Value { members, .. }) => {
                        let called = members.iter().filter(|(closure, member)| is_called((id, call), closure, *member));
                        stack.extend(called.map(|&(_, member)| member));
                    }
                    _ => target.instances(&mut stack),
                }
            }
        }
        let mut all: Vec<InstId> = seen.into_iter().collect();
        all.sort_unstable();
        all
    }

    fn run(&mut self) {
        while self.fatal.is_none() {
            for id in std::mem::take(&mut self.classes.grown) {
                self.enqueue(id);
            }
            if self.frames.is_empty() {
                match self.queue.pop_front() {
                    Some(id) if self.instances[id].progress.queued => self.begin(id),
                    Some(_) => continue,
                    None => return,
                }
            }
            self.step();
        }
    }

    pub(super) fn enqueue(&mut self, id: InstId) {
        if !std::mem::replace(&mut self.instances[id].progress.queued, true) {
            self.queue.push_back(id);
        }
    }

    fn begin(&mut self, id: InstId) {
        let instance = &mut self.instances[id];
        instance.progress.begun = true;
        instance.progress.active = true;
        instance.progress.queued = false;
        instance.errors.clear();
        instance.unassigned = None;
        instance.calls.clear();
        let graph = instance.graph;
        for (i, param) in self.m[graph].params.clone().into_iter().enumerate() {
            let abs = self.instances[id].args[i].clone();
            self.set_value(id, param, abs);
        }
        self.frames.push(Frame { instance: id, next: 0 });
    }

    /// Looks at the next node of the innermost frame.
    fn step(&mut self) {
        let frame = self.frames.last().expect("the caller has begun one");
        let id = frame.instance;
        let schedule = self.scopes.schedule(self.instances[id].graph);
        // A run of nodes without calls is done at once.
        for next in frame.next..schedule.len() {
            match self.node(id, schedule[next]) {
                Ok(abs) => self.set_value(id, schedule[next], abs),
                Err(Stop::Error(d)) => self.instances[id].errors.push(*d),
                Err(Stop::Fatal(d)) => return self.fatal = Some(*d),
                Err(Stop::Unassigned(read)) => return self.ends_at(id, read),
                Err(Stop::Enter(callee)) => {
                    self.frames.last_mut().expect("this frame").next = next;
                    return self.begin(callee);
                }
            }
        }
        self.frames.pop();
        self.instances[id].progress.active = false;
        let graph = self.instances[id].graph;
        let result = self.m.result(graph);
        let abs = self.operand(id, result);
        let ret = self.m[graph].ret.expect("a complete graph");
        if abs == Abs::Unassigned {
            let span = self.m[ret].span.or(self.place(id, result));
            return self.fails(id, Unassigned { variable: result, span });
        }
        let abs = if self.is_library(id) || self.keeps_result(id) { abs } else { abs.broaden() };
        let here = self.m[result].span.or(self.m[ret].span).or(self.m[graph].span).or(self.instances[id].site);
        let span = match self.instances[id].calls.get(&result) {
            Some(t @ Target::Blocks { .. }) => t.result_span(&self.instances).or(here),
            _ => here,
        };
        self.grow_result(id, abs, span);
    }

    /// A variable without a value is read in an instance: it has no result.
    fn ends_at(&mut self, id: InstId, read: Unassigned) {
        self.frames.pop();
        self.instances[id].progress.active = false;
        self.fails(id, read);
    }

    /// An instance does nothing but fail, so it calls nobody.
    fn fails(&mut self, id: InstId, read: Unassigned) {
        self.instances[id].unassigned = Some(read);
        self.instances[id].calls.clear();
    }

    fn set_value(&mut self, id: InstId, node: NodeId, abs: Abs) {
        let instance = &mut self.instances[id];
        let old = instance.values.get(&node).unwrap_or(&Abs::Bottom);
        if *old == abs || abs.is_bottom() {
            return;
        }
        // A gradient is None where its argument was an int and a number where it is a float: the later value counts. So it does of
        // conditions, since the kind of a value may be another where more is known of it. All that comes back to an instance is joined,
        // in arguments and results, so there is an end to this.
        self.classes.unions = false;
        let new = match (old, &abs) {
            (Abs::Bool(Some(_)), Abs::Bool(Some(_))) => abs,
            _ => old.join(&abs, &mut self.classes).unwrap_or(abs),
        };
        self.classes.unions = true;
        if new != *old {
            instance.values.insert(node, new);
            for reader in instance.readers.clone() {
                self.enqueue(reader);
            }
        }
    }

    /// Lets the result of an instance include a value.
    pub(super) fn grow_result(&mut self, id: InstId, abs: Abs, span: Span) {
        let instance = &mut self.instances[id];
        if abs.is_bottom() || instance.result == abs {
            return;
        }
        match instance.result.join(&abs, &mut self.classes) {
            Ok(new) if new == instance.result => {}
            Ok(new) => {
                instance.result = new;
                if !instance.result_span.is_some() {
                    instance.result_span = span;
                }
                for dependent in instance.dependents.clone() {
                    self.enqueue(dependent);
                }
            }
            Err(_) => {
                let [here, there] = abs.told_apart(&instance.result);
                let d = Diagnostic::refused(span, format!("this returns {here}, elsewhere it is {there}"))
                    .label(instance.result_span, format!("{there} here"));
                instance.errors.push(d);
            }
        }
    }

    /// Lets the arguments of an instance include those of a request. Gives whether they have grown.
    pub(super) fn grow_args(&mut self, id: InstId, r: &Request<'_>) -> Result<bool, Diagnostic> {
        let mut joined = Vec::with_capacity(r.args.len());
        let instance = &self.instances[id];
        for (i, arg) in r.args.iter().enumerate() {
            match instance.args[i].join(arg, &mut self.classes) {
                Ok(new) => joined.push(new),
                Err(_) if instance.args[i] == Abs::Unassigned || *arg == Abs::Unassigned => {
                    return Err(self.unassigned(Unassigned { variable: self.m[r.graph].params[i], span: r.spans[i] }));
                }
                Err(_) => {
                    let name = self.m[self.m[r.graph].params[i]].name.clone();
                    let name = name.map_or_else(|| "this value".into(), |n| format!("`{n}`"));
                    let [here, there] = arg.told_apart(&instance.args[i]);
                    let d = Diagnostic::refused(r.spans[i], format!("{name} is {here} here and {there} elsewhere"))
                        .label(instance.arg_spans[i], format!("{there} here"));
                    return Err(d.hint(match (arg, &instance.args[i]) {
                        (Abs::Tuple(a, _), Abs::Tuple(b, _)) if a.len() != b.len() => {
                            "the length of a list must be known when the program is compiled"
                        }
                        (a, b) if a.is_dict() && b.is_dict() => KEYS,
                        _ => "a variable has one type where paths meet; use two names",
                    }));
                }
            }
        }
        let grown = joined != instance.args;
        self.instances[id].args = joined;
        Ok(grown)
    }

    /// Makes the caller wait for an instance that was not looked at, or whose arguments have grown.
    pub(super) fn await_instance(&mut self, id: InstId, grown: bool, caller: InstId) -> Result<(), Stop> {
        self.instances.depend(id, caller);
        let progress = self.instances[id].progress;
        match progress {
            p if p.begun && !grown => Ok(()),
            p if p.active => {
                self.enqueue(id);
                Ok(())
            }
            _ => Err(Stop::Enter(id)),
        }
    }

    /// The instance of a function for some arguments.
    pub(super) fn function(&mut self, r: &Request<'_>) -> Result<InstId, Stop> {
        let caller = r.caller.expect("the entry is not called");
        if let Some(id) = self.instances.find_function(r) {
            self.await_instance(id, false, caller)?;
            return Ok(id);
        }
        for id in self.instances.widened(r) {
            let changes = |(a, b): (&Abs, &Abs)| a.changes_elements(b) || b.changes_elements(a);
            if self.is_another_turn(id, r) || self.instances[id].args.iter().zip(r.args).any(changes) {
                continue;
            }
            if !self.classes.lists && self.instances[id].args.iter().zip(r.args).any(|(a, b)| a.differs_in_length(b)) {
                self.classes.lacks_lists = true;
                // Lists that grow with each call are not followed for long, if they can be lists whose length only the run knows.
                if self.m.with_lists.is_some() && self.instances.of_function(r).len() > MAX_NESTED {
                    return Err(Stop::Fatal(Box::new(self.too_many_instances(r))));
                }
                continue;
            }
            let before = self.classes.clone();
            self.note_recursion(id, r);
            if let Ok(grown) = self.grow_args(id, r) {
                self.instances.alias(r, id);
                self.await_instance(id, grown, caller)?;
                return Ok(id);
            }
            // Functions among the arguments are not of one class because of a call that is another's.
            self.classes.restore(before);
        }
        // Nor where lists of two lengths have met.
        let lacks_lists = self.classes.lacks_lists && !self.classes.lists && self.m.with_lists.is_some();
        let is_full = self.instances.of_function(r).len() >= if lacks_lists { MAX_WITHOUT_LISTS } else { MAX_INSTANCES };
        let room = self.instances.room(r);
        if is_full || r.args.iter().any(|a| a.exceeds(MAX_DEPTH, room)) {
            return Err(Stop::Fatal(Box::new(self.too_many_instances(r))));
        }
        let id = self.instances.add_function(r);
        self.await_instance(id, true, caller)?;
        Ok(id)
    }

    fn too_many_instances(&self, r: &Request<'_>) -> Diagnostic {
        let graph = &self.m[r.graph];
        let message = match self.instances.of_function(r).len() {
            MAX_INSTANCES.. => format!("`{}` is called with more than {MAX_INSTANCES} different types of arguments", graph.name),
            _ => format!("`{}` is called with different types of arguments that hold too many values", graph.name),
        };
        let last = self.instances.of_function(r).last().map(|&id| &self.instances[id].args);
        let grows = last.and_then(|last| last.iter().zip(r.args).position(|(a, b)| a != b));
        let d = Diagnostic::refused(graph.span, message);
        match grows.and_then(|i| self.m[graph.params[i]].name.clone().map(|name| (i, name))) {
            Some((i, name)) => d.label(r.spans[i], format!("the type of `{name}` grows with each call")),
            None => d,
        }
    }

    /// The value of a node, seen from an instance.
    pub(super) fn operand(&mut self, id: InstId, node: NodeId) -> Abs {
        if let Kind::Const(c) = &self.m[node].kind {
            return match c {
                Const::F64(bits) => Abs::F64(Some(*bits)),
                Const::I64(v) => Abs::I64(Some(*v)),
                Const::Bool(v) => Abs::Bool(Some(*v)),
                Const::Str(s) => Abs::Str(Some(s.clone())),
                Const::None => Abs::None,
                Const::Zero => Abs::Zero,
                Const::Undefined => Abs::Unassigned,
                &Const::Graph(g) => Abs::Func([self.closure(id, g)].into()),
            };
        }
        let owner = self.m[node].graph.expect("not a constant");
        let home = self.instances.home(id, owner);
        if home != id {
            self.instances.read(home, id);
        }
        match self.instances[home].values.get(&node) {
            Some(whole @ Abs::Union(_)) => {
                let whole = whole.clone();
                self.narrowed(id, home, node, whole)
            }
            Some(abs) => abs.clone(),
            None => Abs::Bottom,
        }
    }

    /// What the instance that has it knows of a node, which is what represents it there.
    pub(super) fn whole(&self, id: InstId, node: NodeId) -> Abs {
        let home = self.m[node].graph.and_then(|owner| self.instances.ancestor(Some(id), owner));
        home.and_then(|home| self.instances[home].values.get(&node).cloned()).unwrap_or(Abs::Bottom)
    }

    /// What the conditions on the way to an instance say.
    pub(super) fn facts_at(&mut self, id: InstId) -> Option<Rc<[Fact]>> {
        let Instance { graph, function, .. } = self.instances[id];
        let function = self.instances[function].graph;
        self.facts.of(&self.m, function, graph)
    }

    /// Whether a block is not entered, nested in this instance: what the conditions on the way to it say does not hold of any value
    /// that was found yet.
    pub(super) fn is_excluded(&mut self, id: InstId, block: GraphId, parent: Option<InstId>) -> bool {
        let function = self.instances[self.instances[id].function].graph;
        let Some(facts) = self.facts.of(&self.m, function, block) else { return false };
        facts.iter().any(|fact| {
            let Some((node, owner)) = fact.of().and_then(|node| Some((node, self.m[node].graph?))) else { return false };
            let Some(home) = self.instances.ancestor(parent, owner) else { return false };
            self.instances.read(home, id);
            let value = self.instances[home].values.get(&node);
            let is_of = |kind: &Abs, name: &str| self.classes.is_of(kind, name);
            value.is_some_and(|v| !v.kinds().iter().any(|kind| fact.admits(&self.m, node, kind, is_of)))
        })
    }

    /// A value of several kinds without those that it is not of in an instance.
    fn narrowed(&mut self, id: InstId, home: InstId, node: NodeId, whole: Abs) -> Abs {
        let mut kinds = whole.kinds().to_vec();
        let mut at = Some(id);
        while let Some(here) = at {
            for fact in self.facts_at(here).iter().flat_map(|facts| facts.iter()) {
                kinds.retain(|kind| fact.admits(&self.m, node, kind, |kind, name| self.classes.is_of(kind, name)));
            }
            at = self.instances[here].parent.filter(|_| here != home);
        }
        match kinds.len() {
            n if n == whole.kinds().len() => whole,
            0 => Abs::Bottom,
            1 => kinds.remove(0),
            _ => Abs::Union(kinds.into()),
        }
    }

    /// What a graph constant is in an instance.
    pub(super) fn closure(&mut self, id: InstId, g: GraphId) -> Closure {
        let parent = self.scopes.parent(g).map(|p| self.instances.home(id, p));
        Closure::Graph(g, parent)
    }

    /// Whether an instance is of a function of a library, or of a block in one.
    pub(super) fn is_library(&self, id: InstId) -> bool {
        let function = self.instances[id].function;
        self.m[self.instances[function].graph].flavor == Flavor::Library
    }

    /// The place of a node, seen from an instance.
    pub(super) fn place(&self, id: InstId, node: NodeId) -> Span {
        self.m[node].span.or(self.instances[id].site)
    }

    /// The graph that a node is a constant of, if that is a block.
    pub(super) fn as_block(&self, node: NodeId) -> Option<GraphId> {
        self.m.as_graph(node).filter(|&g| self.m[g].flavor == Flavor::Block)
    }

    /// Looks at a node.
    fn node(&mut self, id: InstId, node: NodeId) -> Result<Abs, Stop> {
        if self.acts {
            let around = self.instances[id].voice;
            self.voice = match self.manner(node) {
                Manner::Plain => around,
                Manner::Silent => around.max(Voice::Silent),
                Manner::Detached => Voice::Detached,
                Manner::Witnessed => Voice::Loud,
            };
        }
        let prim = match self.m[node].kind {
            _ if !self.acts && self.m.memory.performed.contains(&node) => return Ok(Abs::None),
            Kind::Prim(Prim::Witness) if !self.acts => return Ok(Abs::I64(Some(0))),
            Kind::Call => return self.call(id, node),
            Kind::Prim(Prim::CallKw(_) | Prim::Apply(_)) => return self.call(id, node),
            Kind::Prim(Prim::Jvp) => return self.pushforward(id, node),
            Kind::Prim(Prim::Applied | Prim::Pulled | Prim::PulledLast | Prim::Pushed | Prim::PushedSeries) => {
                return self.applied(id, node);
            }
            Kind::Prim(Prim::AppliedRuled) => return self.applied_ruled(id, node),
            Kind::Prim(Prim::Refuse) if let Some(&Const::I64(why)) = self.m[self.m[node].inputs()[0]].as_const() => {
                // It may be an arm that is not taken, if that is decided by a constant.
                self.want_branch(Some(id));
                return Err(self.m.refused[why as usize].clone().into());
            }
            Kind::Prim(prim) => prim,
            ref kind => unreachable!("{kind:?} in a schedule"),
        };
        let inputs = self.m[node].inputs().to_vec();
        match prim {
            // The choice of a block, or the derivative of a function, is looked at where it is called.
            Prim::Select if self.as_block(inputs[1]).is_some() => return Ok(Abs::Bottom),
            Prim::J => return Ok(Abs::Bottom),
            Prim::Print if self.instances[id].voice != Voice::Loud => return Ok(Abs::None),
            Prim::Partial | Prim::PartialKw(_) | Prim::Grad { .. } => return self.made(id, node),
            _ => {}
        }
        if prim == Prim::NewBox {
            let function = self.m.as_graph(inputs[0]).expect("a function of the library");
            self.stands_for(id, node, function, Vec::new())?;
            return Ok(self.array_site(id, node, None));
        }
        let operands: Vec<Abs> = inputs.iter().map(|&n| self.operand(id, n)).collect();
        self.watch_boxes(id, prim, &operands);
        if operands.iter().any(Abs::is_bottom) {
            return Ok(Abs::Bottom);
        }
        self.check_assigned(id, node, &inputs, &operands)?;
        match (prim, &operands[..]) {
            (Prim::ByObject, [_, of]) if of.is_simple() => return Ok(of.clone()),
            (Prim::ByObject, _) => {
                let function = self.m.as_graph(inputs[0]).expect("a function of the library");
                return self.stands_for(id, node, function, vec![inputs[1]]);
            }
            (Prim::SiteOf, [of]) => return Ok(self.array_site(id, node, Some(of))),
            (Prim::IsWritten, &[Abs::Ref(site)]) => return Ok(Abs::Bool(Some(self.is_written(site)))),
            (Prim::WritesTo, &[Abs::Ref(site)]) => {
                self.writes_to(site);
                return Ok(Abs::Bottom);
            }
            _ => {}
        }
        if let Some(abs) = self.dispatch(id, node, prim, &inputs, &operands)? {
            return Ok(abs);
        }
        let values: Vec<Value> = operands.into_iter().map(|abs| Value { abs, node: NodeId::default() }).collect();
        let span = self.place(id, node);
        let mut wants_constant = false;
        let applied =
            Ops { out: None, span, classes: &mut self.classes, wants_constant: &mut wants_constant }.apply(prim, &values);
        if applied.is_err() && self.lacks(id, prim, &inputs, &values).is_some() && self.may_be_skipped(id) {
            return Ok(Abs::Bottom);
        }
        wants_constant |= applied.is_err() && values.iter().any(|v| v.abs.element().is_some());
        // What is wrong with one of several kinds may be right for each, if a loop over them is unrolled.
        wants_constant |= applied.as_ref().is_ok_and(|picked| values.first().is_some_and(|of| makes_union(&of.abs, &picked.abs)));
        if wants_constant {
            self.wanted.extend(inputs.iter().map(|&input| (id, input)));
        }
        let applied = applied.and_then(|v| match v.abs {
            ref abs if abs.exceeds(MAX_DEPTH, &mut { MAX_SIZE }) => {
                let message = format!("this tuple is nested more than {MAX_DEPTH} deep, or holds more than {MAX_SIZE} values");
                Err(Diagnostic::refused(span, message).hint("is there a recursion that puts a tuple into itself?"))
            }
            abs => Ok(abs),
        });
        applied.map_err(|d| {
            let d = self.explain(id, d, &inputs, &values);
            let rule = match (prim, values.last().map(|v| &v.abs)) {
                (Prim::Given, Some(Abs::Tuple(rule_and_name, _))) => rule_and_name.first(),
                (Prim::Given, named) => named,
                _ => None,
            };
            match rule {
                Some(Abs::Func(rule)) => d.label(self.span_of(rule[0]), "the rule is here").into(),
                _ => d.into(),
            }
        })
    }

    /// What CPython says of an operation that there is no value for, since there is no such element, or since the conditions on the
    /// way have left `None` alone of the kinds that a value may be of.
    pub(super) fn lacks(&self, id: InstId, prim: Prim, inputs: &[NodeId], values: &[Value]) -> Option<String> {
        if let (Prim::GetItem | Prim::OldItem | Prim::Picked | Prim::SetItem | Prim::AddItem | Prim::UpdateItem, [of, index, ..]) =
            (prim, values)
            && let (Abs::Tuple(items, _), Abs::I64(i)) = (&of.abs, &index.abs)
        {
            let length = items.len() as i64;
            let is_beyond = i.map_or(length == 0, |i| !(-length..length).contains(&i));
            return is_beyond.then(|| format!("IndexError: {} index out of range", kind_of(&of.abs).name()));
        }
        let is_left = |(&n, value): (&NodeId, &Value)| value.abs == Abs::None && matches!(self.whole(id, n), Abs::Union(_));
        inputs.iter().zip(values).any(is_left).then(|| "TypeError: there is no value here, but `None`".into())
    }

    /// Whether a condition that only the run decides is on the way to an instance.
    fn may_be_skipped(&mut self, id: InstId) -> bool {
        let mut at = Some(id);
        while let Some(here) = at {
            at = self.instances[here].creator;
            if at.is_some_and(|before| self.open_condition(before).is_some()) {
                return true;
            }
        }
        false
    }

    /// Stops at what reads a variable that has no value.
    pub(super) fn check_assigned(&self, id: InstId, node: NodeId, inputs: &[NodeId], operands: &[Abs]) -> Result<(), Stop> {
        let Some(i) = operands.iter().position(|a| *a == Abs::Unassigned) else { return Ok(()) };
        Err(Stop::Unassigned(Unassigned { variable: inputs[i], span: self.place(id, node) }))
    }

    /// What is wrong where a variable is read that has a value on no path.
    fn unassigned(&self, read: Unassigned) -> Diagnostic {
        let known = self.m.memory.unassigned.get(&read.variable).cloned();
        known.unwrap_or_else(|| Diagnostic::refused(read.span, "a variable has no value here"))
    }

    /// The place of a closure's code.
    pub(super) fn span_of(&self, closure: Closure) -> Span {
        match closure {
            Closure::Graph(g, _) => self.m[g].span,
            Closure::Made(node, _) => self.m[node].span,
        }
    }

    /// Adds the places where the operands come from.
    fn explain(&self, id: InstId, mut d: Diagnostic, inputs: &[NodeId], values: &[Value]) -> Diagnostic {
        for (&input, value) in inputs.iter().zip(values) {
            let mut span = self.place(id, input);
            // The argument of a function is better known by what was given for it.
            let instance = &self.instances[id];
            if let Some(i) = self.m[instance.graph].params.iter().position(|&p| p == input) {
                span = instance.arg_spans[i].or(span);
            }
            if span.is_some() && span != d.span && !d.labels.iter().any(|(s, _)| *s == span) {
                d = d.label(span, format!("this is {}", value.abs.a()));
            }
        }
        d
    }
}

/// Whether an element that is picked of a sequence is of several kinds, while each element is of one.
fn makes_union(of: &Abs, picked: &Abs) -> bool {
    let is_union = |a: &Abs| matches!(a, Abs::Union(_));
    matches!(of, Abs::Tuple(items, _) if is_union(picked) && !items.iter().any(is_union))
}

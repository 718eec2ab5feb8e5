//! Which functions reach which nodes: a control-flow analysis of order zero (Shivers 1991), field-sensitive in tuples.
//!
//! A `J` of an unknown callee needs the derivatives of the functions that can reach it, and no others: by their types alone too many
//! would, and the continuations inside of their derivatives again, without end.
//!
//! It is solved as inclusions among places, each of which holds a set of functions (Andersen 1994): a function that arrives at a
//! place goes on to those that include it, once, and may add inclusions where it is called.

use gradus_ir::{Const, GraphId, Kind, Module, Nest, NodeId, Prim, Type};
use rustc_hash::{FxHashMap, FxHashSet};
use std::ops::Range;

/// A function value: its graph, and how many leading arguments its closure holds.
pub type Atom = (GraphId, usize);

/// What an operator asks for: the derivative of a function that can reach it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ask {
    /// The operator's node.
    pub node: NodeId,
    /// The operator.
    pub prim: Prim,
    /// The function.
    pub of: GraphId,
    /// How many leading arguments the closure holds.
    pub captures: usize,
}

/// Which functions reach the nodes of a module.
pub struct Reached {
    /// All that its operators ask for, in a fixed order.
    pub asks: Vec<Ask>,
    places: FxHashMap<NodeId, Range<usize>>,
    sets: Vec<Set>,
}

impl Reached {
    /// The functions that a function-typed node can be, in a fixed order.
    pub fn functions(&self, n: NodeId) -> Vec<Atom> {
        let places = self.places.get(&n).cloned().unwrap_or_default();
        let mut functions: Vec<Atom> = places.flat_map(|p| self.sets[p].held.iter().copied()).collect();
        functions.sort_unstable();
        functions
    }
}

/// All that the operators of a closed module ask for, in a fixed order.
pub fn asks(m: &Module, nest: &Nest) -> Vec<Ask> {
    reached(m, nest).asks
}

/// Which functions reach the nodes of a closed module.
pub fn reached(m: &Module, nest: &Nest) -> Reached {
    let (places, boxes, sets, inclusions, work) = Default::default();
    let mut flows = Flows { m, places, boxes, sets, inclusions, work };
    let nodes = || nest.graphs().iter().flat_map(|&g| nest.schedule(g)).copied();
    nodes().for_each(|n| flows.visit(n));
    flows.solve();
    let mut reached = Reached { asks: Vec::new(), places: flows.places, sets: flows.sets };
    for node in nodes() {
        if let Some(prim) = m.as_prim(node).filter(|p| p.is_operator()) {
            let functions = reached.functions(m[node].inputs()[0]).into_iter();
            reached.asks.extend(functions.map(|(of, captures)| Ask { node, prim, of, captures }));
        }
    }
    reached
}

/// What may be in one place.
#[derive(Default)]
struct Set {
    held: FxHashSet<Atom>,
    /// The places that hold all that this one does.
    into: Vec<usize>,
    /// The applications that do something with each function here: call, apply in part, or differentiate it.
    applied: Vec<NodeId>,
}

struct Flows<'m> {
    m: &'m Module,
    /// The places of a node: one for each function in a value of its type.
    places: FxHashMap<NodeId, Range<usize>>,
    /// What boxes hold, by the type of their contents: what is opened is what was put into some box with contents of its type.
    boxes: FxHashMap<Type, Range<usize>>,
    sets: Vec<Set>,
    inclusions: FxHashSet<(usize, usize)>,
    /// What arrived where, and did not go on yet.
    work: Vec<(usize, Atom)>,
}

/// The functions in a value. A tape has the places of a record, and holds what any of its records does.
fn functions_in(ty: &Type) -> usize {
    match ty {
        Type::Fn(_) | Type::AnyFn => 1,
        Type::Tuple(items) => items.iter().map(functions_in).sum(),
        Type::Tape(record) => functions_in(record),
        _ => 0,
    }
}

impl Flows<'_> {
    fn fresh(&mut self, ty: &Type) -> Range<usize> {
        let first = self.sets.len();
        self.sets.extend((0..functions_in(ty)).map(|_| Set::default()));
        first..self.sets.len()
    }

    fn of(&mut self, n: NodeId) -> Range<usize> {
        if let Some(places) = self.places.get(&n) {
            return places.clone();
        }
        let places = self.fresh(&self.m[n].ty);
        // Most nodes are without functions.
        if places.is_empty() {
            return places;
        }
        self.places.insert(n, places.clone());
        if let Kind::Const(Const::Graph(g)) = self.m[n].kind {
            self.put(places.start, (g, 0));
        }
        places
    }

    fn of_box(&mut self, content: &Type) -> Range<usize> {
        if let Some(places) = self.boxes.get(content) {
            return places.clone();
        }
        let places = self.fresh(content);
        self.boxes.insert(content.clone(), places.clone());
        places
    }

    fn put(&mut self, place: usize, atom: Atom) {
        if self.sets[place].held.insert(atom) {
            self.work.push((place, atom));
        }
    }

    /// Lets `to` hold all that `from` does, place by place.
    fn include(&mut self, from: Range<usize>, to: Range<usize>) {
        for (a, b) in from.zip(to) {
            if a != b && self.inclusions.insert((a, b)) {
                self.sets[a].into.push(b);
                let held: Vec<Atom> = self.sets[a].held.iter().copied().collect();
                held.into_iter().for_each(|atom| self.put(b, atom));
            }
        }
    }

    fn pass(&mut self, from: NodeId, to: NodeId) {
        let (from, to) = (self.of(from), self.of(to));
        self.include(from, to);
    }

    fn solve(&mut self) {
        while let Some((place, atom)) = self.work.pop() {
            for i in 0..self.sets[place].into.len() {
                self.put(self.sets[place].into[i], atom);
            }
            for i in 0..self.sets[place].applied.len() {
                self.apply(self.sets[place].applied[i], atom);
            }
        }
    }

    /// The inclusions of a node that hold whatever functions arrive.
    fn visit(&mut self, n: NodeId) {
        let m = self.m;
        let inputs = m[n].inputs();
        let Kind::Prim(prim) = m[n].kind else {
            return self.listen(n);
        };
        match prim {
            Prim::Partial => self.listen(n),
            p if p.is_operator() => self.listen(n),
            Prim::Tuple => {
                let mut field = self.of(n).start;
                for &input in inputs {
                    let part = self.of(input);
                    let end = field + part.len();
                    self.include(part, field..end);
                    field = end;
                }
            }
            Prim::Get(i) => {
                let (whole, to) = (self.of(inputs[0]), self.of(n));
                let before =
                    m[inputs[0]].ty.fields().unwrap_or_default().iter().take(i as usize).map(functions_in).sum::<usize>();
                self.include(whole.start + before..whole.end, to);
            }
            Prim::Pack => {
                let (from, to) = (self.of(inputs[0]), self.of_box(&m[inputs[0]].ty));
                self.include(from, to);
            }
            Prim::Unpack => {
                let (from, to) = (self.of_box(&m[n].ty), self.of(n));
                self.include(from, to);
            }
            // The rest of the tape, and a record.
            Prim::Pop => {
                let (tape, both) = (self.of(inputs[0]), self.of(n));
                let middle = both.start + tape.len();
                self.include(tape.clone(), both.start..middle);
                self.include(tape, middle..both.end);
            }
            Prim::Push => inputs.iter().for_each(|&part| self.pass(part, n)),
            // Whoever asks for a derivative of what is `ruled` has been given the rule.
            Prim::Ruled | Prim::StopGradient | Prim::Barrier => self.pass(inputs[0], n),
            Prim::Select => inputs[1..].iter().for_each(|&arm| self.pass(arm, n)),
            _ => {}
        }
    }

    /// Lets an application know of each function that it is applied to.
    fn listen(&mut self, n: NodeId) {
        let callee = self.of(self.m[n].inputs()[0]).start;
        self.sets[callee].applied.push(n);
    }

    fn apply(&mut self, n: NodeId, (g, bound): Atom) {
        let m = self.m;
        let args = &m[n].inputs()[1..];
        let Kind::Prim(prim) = m[n].kind else {
            self.bind((g, bound), args);
            return self.pass(m.result(g), n);
        };
        let place = self.of(n).start;
        if prim == Prim::Partial {
            self.bind((g, bound), args);
            self.put(place, (g, bound + args.len()));
        } else if let Some(&d) = m.derivatives.get(&(g, prim)) {
            // The leading parameters of a derivative receive what those of its function do: a closure's captures.
            for (&from, &to) in m[g].params.iter().zip(&m[d].params).take(bound) {
                self.pass(from, to);
            }
            self.put(place, (d, bound));
        }
    }

    fn bind(&mut self, (g, bound): Atom, args: &[NodeId]) {
        for (&arg, &param) in args.iter().zip(self.m[g].params.iter().skip(bound)) {
            self.pass(arg, param);
        }
    }
}

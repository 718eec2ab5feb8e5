//! Which functions reach which nodes: a control-flow analysis of order zero (Shivers 1991), field-sensitive in tuples.
//!
//! A `J` of an unknown callee needs the derivatives of the functions that can reach it, and no others: by their types alone too many
//! would, and the continuations inside of their derivatives again, without end.

use gradus_ir::{Const, GraphId, Kind, Module, Nest, NodeId, Prim, Type};
use rustc_hash::FxHashMap;
use std::collections::{BTreeSet, VecDeque};

/// A function value: its graph, and how many leading arguments its closure holds.
pub type Atom = (GraphId, usize);

/// The functions in a value.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
enum Flow {
    #[default]
    None,
    Functions(BTreeSet<Atom>),
    Tuple(Vec<Flow>),
}

impl Flow {
    /// Adds what `other` holds; says whether that was more.
    fn join(&mut self, other: &Flow) -> bool {
        match (&mut *self, other) {
            (_, Flow::None) => false,
            (Flow::None, other) => {
                *self = other.clone();
                true
            }
            (Flow::Functions(a), Flow::Functions(b)) => {
                let before = a.len();
                a.extend(b);
                a.len() > before
            }
            (Flow::Tuple(a), Flow::Tuple(b)) => a.iter_mut().zip(b).fold(false, |more, (a, b)| a.join(b) | more),
            _ => unreachable!("the types of values that meet fit"),
        }
    }

    fn atoms(&self) -> Vec<Atom> {
        match self {
            Flow::Functions(set) => set.iter().copied().collect(),
            _ => Vec::new(),
        }
    }
}

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

/// All that the operators of a closed module ask for, in a fixed order.
pub fn asks(m: &Module, nest: &Nest) -> Vec<Ask> {
    let (of, captures, callers, boxes) = Default::default();
    let mut flows = Flows { m, of, captures, callers, boxes, work: VecDeque::new() };
    for &g in nest.graphs() {
        flows.work.extend(nest.schedule(g));
    }
    while let Some(n) = flows.work.pop_front() {
        flows.visit(n);
    }
    let mut asks = Vec::new();
    for &node in nest.graphs().iter().flat_map(|&g| nest.schedule(g)) {
        if let Some(prim) = m.as_prim(node).filter(|p| p.is_operator()) {
            let functions = flows.get(m[node].inputs()[0]).atoms();
            asks.extend(functions.into_iter().map(|(of, captures)| Ask { node, prim, of, captures }));
        }
    }
    asks
}

struct Flows<'m> {
    m: &'m Module,
    of: FxHashMap<NodeId, Flow>,
    /// The leading parameters of a derivative receive what those of its function do: a closure's captures.
    captures: FxHashMap<NodeId, BTreeSet<NodeId>>,
    /// The calls that take the result of a graph.
    callers: FxHashMap<GraphId, BTreeSet<NodeId>>,
    /// What boxes hold, by the type of their contents, and the nodes that open them.
    boxes: FxHashMap<Type, (Flow, BTreeSet<NodeId>)>,
    work: VecDeque<NodeId>,
}

impl Flows<'_> {
    fn get(&self, n: NodeId) -> Flow {
        match self.m[n].kind {
            Kind::Const(Const::Graph(g)) => Flow::Functions(BTreeSet::from([(g, 0)])),
            _ => self.of.get(&n).cloned().unwrap_or_default(),
        }
    }

    fn add(&mut self, n: NodeId, flow: &Flow) {
        let mut grown = vec![n];
        while let Some(n) = grown.pop() {
            if !self.of.entry(n).or_default().join(flow) {
                continue;
            }
            grown.extend(self.captures.get(&n).into_iter().flatten());
            for u in self.m[n].users() {
                match self.m[u.node].kind {
                    Kind::Return => {
                        let g = self.m[u.node].graph.expect("a return belongs to a graph");
                        self.work.extend(self.callers.get(&g).into_iter().flatten());
                    }
                    _ => self.work.push_back(u.node),
                }
            }
        }
    }

    fn bind(&mut self, (g, bound): Atom, args: &[NodeId]) {
        for (i, &arg) in args.iter().enumerate() {
            let (flow, param) = (self.get(arg), self.m[g].params[bound + i]);
            self.add(param, &flow);
        }
    }

    fn visit(&mut self, n: NodeId) {
        let m = self.m;
        let inputs = m[n].inputs();
        match m[n].kind {
            Kind::Call => {
                for atom in self.get(inputs[0]).atoms() {
                    self.bind(atom, &inputs[1..]);
                    self.callers.entry(atom.0).or_default().insert(n);
                    let result = self.get(m.result(atom.0));
                    self.add(n, &result);
                }
            }
            Kind::Prim(Prim::Partial) => {
                let count = inputs.len() - 1;
                for atom in self.get(inputs[0]).atoms() {
                    self.bind(atom, &inputs[1..]);
                    self.add(n, &Flow::Functions(BTreeSet::from([(atom.0, atom.1 + count)])));
                }
            }
            Kind::Prim(p) if p.is_operator() => {
                for (g, bound) in self.get(inputs[0]).atoms() {
                    if let Some(&d) = m.derivatives.get(&(g, p)) {
                        for (&from, &to) in m[g].params.iter().zip(&m[d].params).take(bound) {
                            self.captures.entry(from).or_default().insert(to);
                            let flow = self.get(from);
                            self.add(to, &flow);
                        }
                        self.add(n, &Flow::Functions(BTreeSet::from([(d, bound)])));
                    }
                }
            }
            Kind::Prim(Prim::Tuple) => {
                let fields: Vec<Flow> = inputs.iter().map(|&i| self.get(i)).collect();
                if fields.iter().any(|f| *f != Flow::None) {
                    self.add(n, &Flow::Tuple(fields));
                }
            }
            Kind::Prim(Prim::Get(i)) => {
                if let Flow::Tuple(fields) = self.get(inputs[0]) {
                    self.add(n, &fields[i as usize]);
                }
            }
            // What is opened is what was put into some box with contents of its type.
            Kind::Prim(Prim::Pack) => {
                let content = self.get(inputs[0]);
                let (held, openers) = self.boxes.entry(m[inputs[0]].ty.clone()).or_default();
                if held.join(&content) {
                    self.work.extend(openers.iter());
                }
            }
            Kind::Prim(Prim::Unpack) => {
                let (held, openers) = self.boxes.entry(m[n].ty.clone()).or_default();
                openers.insert(n);
                let content = held.clone();
                self.add(n, &content);
            }
            // A tape holds what any of its records does.
            Kind::Prim(Prim::Pop) => {
                let tape = self.get(inputs[0]);
                if tape != Flow::None {
                    self.add(n, &Flow::Tuple(vec![tape.clone(), tape]));
                }
            }
            Kind::Prim(Prim::Push) => {
                for &part in inputs {
                    let flow = self.get(part);
                    self.add(n, &flow);
                }
            }
            // Whoever asks for a derivative has been given the rule.
            Kind::Prim(Prim::Ruled) => {
                let flow = self.get(inputs[0]);
                self.add(n, &flow);
            }
            Kind::Prim(Prim::Select) => {
                for &arm in &inputs[1..] {
                    let flow = self.get(arm);
                    self.add(n, &flow);
                }
            }
            _ => {}
        }
    }
}

//! From a module to its drawing.

use super::parts::{Part, Parts, Place};
use super::{Cluster, ClusterKind, Drawing, Edge, EdgeKind, Node, Options, Shape};
use crate::cfg::Cfg;
use crate::graph::{Const, GraphId, Kind, Module, NodeId};
use crate::nest::Nest;
use crate::prim::Prim;
use crate::print::{self, Names};
use crate::span::Span;
use crate::types::Type;
use rustc_hash::FxHashMap;
use slotmap::SecondaryMap;

/// The longest line of a node, and the longest name of a cluster, in characters.
const LONGEST: [usize; 2] = [24, 40];

pub fn draw(m: &Module, options: &Options) -> Drawing {
    let nest = print::nest(m);
    let is_typed = nest.graphs().iter().all(|&g| m[g].ret.is_some() && m[g].result != Type::Unknown);
    let cfg = is_typed.then(|| Cfg::new(m, &nest));
    let parts = Parts::new(m, &nest, cfg.as_ref());
    let mut ids: SecondaryMap<NodeId, usize> = SecondaryMap::new();
    let mut numbers: SecondaryMap<GraphId, usize> = SecondaryMap::new();
    for (i, &g) in nest.graphs().iter().enumerate() {
        numbers.insert(g, i);
        for &n in m[g].params.iter().chain(nest.schedule(g)).chain(&m[g].ret) {
            ids.insert(n, ids.len());
        }
    }
    let (clusters, nodes, drawing) = Default::default();
    let names = Names::new(m, &nest);
    let mut artist = Artist { m, options, nest: &nest, cfg, parts, names, ids, numbers, clusters, nodes, drawing };
    artist.clusters();
    for &g in nest.graphs() {
        artist.nodes(g);
    }
    for &g in nest.graphs() {
        for &n in m[g].params.iter().chain(nest.schedule(g)).chain(&m[g].ret) {
            artist.inputs(n);
        }
    }
    artist.derivatives();
    artist.drawing
}

/// What lies in a cluster besides nodes.
#[derive(Clone, Copy)]
enum Item {
    Graph(GraphId),
    Derivative(usize),
    Part(Part),
}

struct Artist<'a> {
    m: &'a Module,
    options: &'a Options,
    nest: &'a Nest,
    cfg: Option<Cfg>,
    parts: Parts,
    names: Names,
    /// What nodes and graphs are called in the drawing.
    ids: SecondaryMap<NodeId, usize>,
    numbers: SecondaryMap<GraphId, usize>,
    /// Where they are in the drawing; for a graph also the node at which edges to it end.
    clusters: SecondaryMap<GraphId, (usize, usize)>,
    nodes: SecondaryMap<NodeId, usize>,
    drawing: Drawing,
}

impl Artist<'_> {
    fn clusters(&mut self) {
        let mut inside: FxHashMap<Place, Vec<Item>> = FxHashMap::default();
        let mut is_placed = vec![false; self.parts.derivatives.len()];
        for &g in self.nest.graphs() {
            inside.entry(self.parts.place(self.nest, g)).or_default().push(Item::Graph(g));
            if let Some(Part { derivative, .. }) = self.parts.part(g)
                && !std::mem::replace(&mut is_placed[derivative], true)
            {
                let place = self.parts.derivatives[derivative].1.map_or(Place::Root, Place::Graph);
                inside.entry(place).or_default().push(Item::Derivative(derivative));
            }
        }
        let mut work: Vec<(Item, Option<usize>)> = Vec::new();
        work.extend(inside.get(&Place::Root).into_iter().flatten().rev().map(|&item| (item, None)));
        while let Some((item, parent)) = work.pop() {
            let this = Some(self.drawing.clusters.len());
            self.cluster(item, parent);
            let place = match item {
                Item::Graph(g) => Place::Graph(g),
                Item::Part(part) => Place::Part(part),
                Item::Derivative(derivative) => {
                    let part = |is_adjoint| Item::Part(Part { derivative, is_adjoint });
                    work.extend([(part(true), this), (part(false), this)]);
                    continue;
                }
            };
            work.extend(inside.get(&place).into_iter().flatten().rev().map(|&item| (item, this)));
        }
    }

    fn cluster(&mut self, item: Item, parent: Option<usize>) {
        let (id, label, kind) = match item {
            Item::Graph(g) => {
                self.clusters.insert(g, (self.drawing.clusters.len(), 0));
                let kind = ClusterKind::Graph { role: self.m[g].role, is_entry: self.m.entry == Some(g) };
                (format!("{}", self.numbers[g]), short(self.names.graph(g), LONGEST[1]), kind)
            }
            Item::Derivative(d) => (
                format!("d{d}"),
                short(&format!("derivative of {}", self.parts.derivatives[d].0), LONGEST[1]),
                ClusterKind::Derivative,
            ),
            Item::Part(Part { derivative, is_adjoint }) => {
                let label = if is_adjoint { "adjoint" } else { "forward" };
                (format!("d{derivative}{label}"), label.into(), ClusterKind::Part)
            }
        };
        self.drawing.clusters.push(Cluster { id, label, parent, kind, change: None });
    }

    fn node(&mut self, id: String, label: String, cluster: usize, shape: Shape, is_tape: bool) -> usize {
        let (text, span) = (String::new(), Span::NONE);
        self.drawing.nodes.push(Node { id, label, text, span, cluster, shape, is_tape, change: None });
        self.drawing.nodes.len() - 1
    }

    /// Draws the nodes of a graph, and the constants among their inputs beside them.
    fn nodes(&mut self, g: GraphId) {
        let m = self.m;
        let cluster = self.clusters[g].0;
        self.clusters[g].1 = self.drawing.nodes.len();
        if m[g].params.is_empty() {
            self.node(format!("g{}", self.numbers[g]), String::new(), cluster, Shape::Hidden, false);
        }
        for &n in m[g].params.iter().chain(self.nest.schedule(g)).chain(&m[g].ret) {
            let shape = match m[n].kind {
                Kind::Param => Shape::Ellipse,
                Kind::Return => Shape::Plain,
                _ => Shape::Box,
            };
            let user = self.node(format!("n{}", self.ids[n]), self.label(n), cluster, shape, is_tape(m, n));
            self.drawing.nodes[user].text = self.names.definition(m, n);
            self.drawing.nodes[user].span = m[n].span;
            self.nodes.insert(n, user);
            for (i, &input) in m[n].inputs().iter().enumerate() {
                if !matches!(m[input].as_const(), None | Some(Const::Graph(_))) {
                    let label = short(&self.names.node(m, input), LONGEST[0]);
                    let from = self.node(format!("n{}c{i}", self.ids[n]), label, cluster, Shape::Small, false);
                    let edge = Edge::new(from, user, if carries_tape(m, input, n) { EdgeKind::Tape } else { EdgeKind::Operand });
                    self.drawing.edges.push(Edge { head: self.position(n, i), ..edge });
                }
            }
        }
    }

    fn label(&self, n: NodeId) -> String {
        let node = &self.m[n];
        let mut label = match node.kind {
            Kind::Param => short(&self.names.node(self.m, n), LONGEST[0]),
            Kind::Return => return "return".into(),
            Kind::Call => "call".into(),
            Kind::Prim(p) => print::op(p),
            Kind::Const(_) => unreachable!("a constant belongs to no graph"),
        };
        if let (Some(name), true) = (&node.name, node.kind != Kind::Param) {
            label = format!("{label}\n{}", short(name, LONGEST[0]));
        }
        if self.options.types && node.ty != Type::Unknown {
            label = format!("{label}\n{}", short(&node.ty.to_string(), LONGEST[1]));
        }
        label
    }

    /// The number of an operand, where the order matters.
    fn position(&self, n: NodeId, operand: usize) -> Option<String> {
        let is_ordered = self.m[n].inputs().len() > 1 && !self.m.as_prim(n).is_some_and(Prim::is_commutative);
        is_ordered.then(|| operand.to_string())
    }

    /// Draws the edges to a node from those that it uses, and from it to graphs that it mentions.
    fn inputs(&mut self, n: NodeId) {
        let m = self.m;
        let node = &m[n];
        let Some(owner) = node.graph else { return };
        for (i, &input) in node.inputs().iter().enumerate() {
            match m[input].as_const() {
                Some(&Const::Graph(g)) => {
                    let is_control = (node.kind == Kind::Call && i == 0) || node.kind == Kind::Prim(Prim::Select);
                    let kind = if is_control { EdgeKind::Control } else { EdgeKind::Closure };
                    let edge = self.reference(self.nodes[n], owner, g, kind);
                    self.drawing.edges.push(Edge { tail: Some(i.to_string()), ..edge });
                }
                Some(_) => {}
                None => {
                    let kind = if carries_tape(m, input, n) { EdgeKind::Tape } else { EdgeKind::Operand };
                    let from = m[input].graph.unwrap_or(owner);
                    let edge = Edge::new(self.nodes[input], self.nodes[n], kind);
                    let is_ranked = !self.is_across(from, owner);
                    self.drawing.edges.push(Edge { is_free: from != owner, head: self.position(n, i), is_ranked, ..edge });
                }
            }
        }
        let callee = if node.kind == Kind::Call { m.as_graph(node.inputs()[0]) } else { None };
        if let Some(callee) = callee {
            for (&operand, &param) in node.inputs()[1..].iter().zip(&m[callee].params) {
                if carries_tape(m, operand, n) {
                    let edge = Edge::new(self.nodes[n], self.nodes[param], EdgeKind::Tape);
                    self.drawing.edges.push(Edge { is_ranked: false, ..edge });
                }
            }
        }
    }

    /// An edge to a cluster. Where it starts within the cluster it cannot be clipped at the border, and goes to a node.
    fn reference(&self, from: usize, owner: GraphId, to: GraphId, kind: EdgeKind) -> Edge {
        let (cluster, anchor) = self.clusters[to];
        let is_back = self.nest.is_within(owner, to) || self.cfg.as_ref().is_some_and(|cfg| cfg.dominates(to, owner));
        let kind = if is_back && kind == EdgeKind::Control { EdgeKind::Back } else { kind };
        let to_border = (!self.is_inside(self.clusters[owner].0, cluster)).then_some(cluster);
        let is_ranked = !is_back && to_border.is_some() && !self.is_across(owner, to);
        Edge { to_border, is_ranked, ..Edge::new(from, anchor, kind) }
    }

    /// Whether one cluster lies in the other.
    fn is_inside(&self, mut inner: usize, outer: usize) -> bool {
        while inner > outer {
            match self.drawing.clusters[inner].parent {
                Some(up) => inner = up,
                None => return false,
            }
        }
        inner == outer
    }

    /// Whether two graphs lie in different parts of a derivative.
    fn is_across(&self, a: GraphId, b: GraphId) -> bool {
        let (mut a, mut b) = (self.clusters[a].0, self.clusters[b].0);
        let kind = |c: usize| self.drawing.clusters[c].kind;
        let (mut last_a, mut last_b) = (a, b);
        // A cluster comes after the one it lies in, so the later of two is never the one around both.
        while a != b {
            let (later, last) = if a > b { (&mut a, &mut last_a) } else { (&mut b, &mut last_b) };
            *last = *later;
            match self.drawing.clusters[*later].parent {
                Some(up) => *later = up,
                None => return false,
            }
        }
        kind(last_a) == ClusterKind::Part && kind(last_b) == ClusterKind::Part && last_a != last_b
    }

    /// Draws edges from graphs to those that hold their derivatives for run time.
    fn derivatives(&mut self) {
        for &g in self.nest.graphs() {
            for p in Prim::OPERATORS {
                if let Some(&d) = self.m.derivatives.get(&(g, p)) {
                    let (cluster, anchor) = self.clusters[g];
                    let edge = self.reference(anchor, g, d, EdgeKind::Closure);
                    let from_border = edge.to_border.is_some().then_some(cluster);
                    self.drawing.edges.push(Edge { label: Some(p.name().into()), from_border, ..edge });
                }
            }
        }
    }
}

/// Whether a node is a tape, or a tape with the record that was taken from it.
fn is_tape(m: &Module, n: NodeId) -> bool {
    m[n].kind != Kind::Return && (m[n].ty.record().is_some() || m.as_prim(n) == Some(Prim::Pop))
}

/// Whether a tape goes along the edge from a node to a user of it.
fn carries_tape(m: &Module, from: NodeId, to: NodeId) -> bool {
    match m.as_prim(from) {
        Some(Prim::Pop) => m.as_prim(to) == Some(Prim::Get(0)),
        _ => m[from].ty.record().is_some(),
    }
}

/// A text, or its beginning.
fn short(text: &str, longest: usize) -> String {
    if text.chars().count() <= longest { text.into() } else { text.chars().take(longest - 1).chain(['…']).collect() }
}

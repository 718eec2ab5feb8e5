//! Drawings of a module: clusters, nodes and edges with their looks. [`crate::dot`] writes them for Graphviz.
//!
//! Each graph is a cluster, filled by its role, within the cluster of the graph it is nested in. The derivative of a function is a
//! cluster of its own with two parts side by side, forward and adjoint, see `parts`. Nodes show what they apply, and under it
//! the name of the source variable; a constant is a small node at each of its uses.
//!
//! | edge               | means                                                              |
//! |--------------------|--------------------------------------------------------------------|
//! | solid              | an operand; numbered where the order matters                       |
//! | dashed, teal       | a capture: an operand that is a free variable                      |
//! | thick, violet      | a tape on its way: `push` to `push`, into parameters, `pop` on     |
//! | bold, to a graph   | control that goes there: a callee, or an arm of a branch           |
//! | bold, red          | control that goes back: a loop, or recursion                       |
//! | dotted, to a graph | a closure of the graph, or its derivative                          |
//!
//! A drawing of changes ([`Drawing::changes`]) holds two modules: what only the new one has is green, what only the old one has is red,
//! and what both have is grey, see `diff`.
//!
//! Nodes that are tapes, and `pop`, have a border in the colour of tapes. Edges that go back, and those between the two parts of a
//! derivative, do not constrain the layout.

mod diff;
mod module;
mod parts;

use crate::graph::{Module, Role};
use crate::span::Span;

/// What a drawing shows.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The title, if any.
    pub title: Option<String>,
    /// Whether nodes show their types.
    pub types: bool,
    /// Whether the kinds of edges that occur are explained, if there are several.
    pub legend: bool,
}

/// What is drawn. Clusters come after those they lie in.
#[derive(Clone, Debug, Default)]
pub struct Drawing {
    /// The title, if any.
    pub title: Option<String>,
    /// The clusters.
    pub clusters: Vec<Cluster>,
    /// The nodes.
    pub nodes: Vec<Node>,
    /// The edges.
    pub edges: Vec<Edge>,
}

/// A box around nodes and other clusters.
#[derive(Clone, Debug)]
pub struct Cluster {
    /// Unique in the drawing.
    pub id: String,
    /// What stands at the top.
    pub label: String,
    /// The cluster it lies in.
    pub parent: Option<usize>,
    /// What it is.
    pub kind: ClusterKind,
    /// What happened to it, in a drawing of changes.
    pub change: Option<Change>,
}

/// What happened to a part of a drawing.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Change {
    /// It has stayed.
    Kept,
    /// It is new.
    Added,
    /// It is gone.
    Removed,
}

impl Change {
    /// The colour of its lines.
    pub const fn color(self) -> &'static str {
        match self {
            Change::Kept => "#909090",
            Change::Added => "#1a7f37",
            Change::Removed => "#cf222e",
        }
    }

    /// The colour of its areas.
    fn fill(self) -> &'static str {
        match self {
            Change::Kept => "white",
            Change::Added => "#dafbe1",
            Change::Removed => "#ffebe9",
        }
    }

    /// What the legend says of it.
    fn meaning(self) -> &'static str {
        match self {
            Change::Kept => "kept",
            Change::Added => "added",
            Change::Removed => "removed",
        }
    }
}

/// What a cluster is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ClusterKind {
    /// A graph.
    Graph {
        /// Its role.
        role: Role,
        /// Whether the program starts there.
        is_entry: bool,
    },
    /// The derivative of a function.
    Derivative,
    /// One of its two parts.
    Part,
    /// The explanation of the edges.
    Legend,
}

impl Cluster {
    /// The colours of the area, if any, and of the border.
    pub fn colors(&self) -> (Option<&'static str>, &'static str) {
        let (fill, line) = match self.kind {
            ClusterKind::Graph { role: Role::Primal, .. } => (Some("#eef3fb"), "#5b7db1"),
            ClusterKind::Graph { role: Role::Forward, .. } => (Some("#eef8ee"), "#4f9a57"),
            ClusterKind::Graph { role: Role::Backward, .. } => (Some("#fdf1e7"), "#c77b30"),
            ClusterKind::Derivative => (Some("#fafafa"), "#808080"),
            ClusterKind::Part => (None, "#b8b8b8"),
            ClusterKind::Legend => (None, "#c8c8c8"),
        };
        match self.change {
            None => (fill, line),
            // The colours of changes stand out from white alone.
            Some(change) => (None, change.color()),
        }
    }

    /// The width of the border.
    pub fn width(&self) -> u32 {
        if let ClusterKind::Graph { is_entry: true, .. } = self.kind { 2 } else { 1 }
    }
}

/// A node of a drawing.
#[derive(Clone, Debug)]
pub struct Node {
    /// Unique in the drawing.
    pub id: String,
    /// Its lines.
    pub label: String,
    /// The line of the text form that defines it; empty for what is no node of a module.
    pub text: String,
    /// Where it comes from.
    pub span: Span,
    /// The cluster it lies in.
    pub cluster: usize,
    /// How it looks.
    pub shape: Shape,
    /// Whether it is a tape.
    pub is_tape: bool,
    /// What happened to it, in a drawing of changes.
    pub change: Option<Change>,
}

impl Node {
    /// The colours of the area and of the border.
    pub fn colors(&self) -> (&'static str, &'static str) {
        match self.change {
            Some(change) => (change.fill(), change.color()),
            None => ("white", if self.is_tape { TAPE } else { "black" }),
        }
    }

    /// The colour of the label.
    pub fn ink(&self) -> &'static str {
        match self.change {
            Some(change @ (Change::Added | Change::Removed)) => change.color(),
            Some(Change::Kept) | None => "black",
        }
    }
}

/// How a node looks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shape {
    /// An application: a box.
    Box,
    /// A parameter: an ellipse.
    Ellipse,
    /// A return: its label alone.
    Plain,
    /// A constant, or a word of the legend: a small label.
    Small,
    /// Lines of code: a box.
    Code,
    /// Where an edge ends that goes to the cluster: nothing.
    Hidden,
}

/// An edge of a drawing.
#[derive(Clone, Debug)]
pub struct Edge {
    /// The node where it starts.
    pub from: usize,
    /// The node where it ends.
    pub to: usize,
    /// The cluster at whose border it starts, instead of the node.
    pub from_border: Option<usize>,
    /// The cluster at whose border it ends, instead of the node.
    pub to_border: Option<usize>,
    /// What it means.
    pub kind: EdgeKind,
    /// Whether it enters a graph that the node where it starts does not belong to: a capture.
    pub is_free: bool,
    /// A word along it.
    pub label: Option<String>,
    /// A word where it starts.
    pub tail: Option<String>,
    /// A word where it ends.
    pub head: Option<String>,
    /// Whether it ends below the place where it starts.
    pub is_ranked: bool,
    /// What happened to it, in a drawing of changes.
    pub change: Option<Change>,
}

/// What an edge means.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum EdgeKind {
    /// A value goes there.
    Operand,
    /// A tape goes there.
    Tape,
    /// Control goes there.
    Control,
    /// Control goes back.
    Back,
    /// A closure of what it ends at.
    Closure,
}

/// The strokes of an edge.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Stroke {
    /// The color.
    pub color: &'static str,
    /// The width.
    pub width: u32,
    /// The pattern, by its name in the DOT language.
    pub pattern: &'static str,
}

/// The colour of tapes.
pub const TAPE: &str = "#8250a8";
/// The colour of captures.
pub const CAPTURE: &str = "#1f8a8a";
/// The colour of what goes back.
pub const BACK: &str = "#b3413a";

impl Edge {
    /// An edge between nodes, by which the place of its end is ranked.
    pub fn new(from: usize, to: usize, kind: EdgeKind) -> Edge {
        let (from_border, to_border, label, tail, head) = Default::default();
        Edge { from, to, from_border, to_border, kind, is_free: false, label, tail, head, is_ranked: true, change: None }
    }

    /// How it is drawn.
    pub fn stroke(&self) -> Stroke {
        let (color, width, pattern) = match self.kind {
            EdgeKind::Operand if self.is_free => (CAPTURE, 1, "dashed"),
            EdgeKind::Operand => ("black", 1, "solid"),
            EdgeKind::Tape if self.is_free => (TAPE, 2, "dashed"),
            EdgeKind::Tape => (TAPE, 2, "solid"),
            EdgeKind::Control => ("black", 2, "solid"),
            EdgeKind::Back => (BACK, 2, "solid"),
            EdgeKind::Closure => ("black", 1, "dotted"),
        };
        Stroke { color: self.change.map_or(color, Change::color), width, pattern }
    }

    /// What the legend says of such edges.
    fn meaning(&self) -> &'static str {
        match self.kind {
            EdgeKind::Operand if self.is_free => "capture",
            EdgeKind::Operand => "operand",
            EdgeKind::Tape if self.is_free => "captured tape",
            EdgeKind::Tape => "tape",
            EdgeKind::Control => "control",
            EdgeKind::Back => "loop, recursion",
            EdgeKind::Closure => "closure",
        }
    }
}

impl Drawing {
    /// Draws what [`crate::print::print`] prints; a module that does not verify may make it panic.
    pub fn new(m: &Module, options: &Options) -> Drawing {
        let mut drawing = module::draw(m, options);
        drawing.title = options.title.clone();
        if options.legend {
            drawing.legend();
        }
        drawing
    }

    /// Draws two modules in one, with what one has and the other has not.
    pub fn changes(old: &Module, new: &Module, options: &Options) -> Drawing {
        let mut drawing = diff::diff(&module::draw(old, options), &module::draw(new, options));
        drawing.title = options.title.clone();
        if options.legend {
            drawing.legend();
        }
        drawing
    }

    /// The clusters that one lies in, from the outside to itself.
    pub fn ancestry(&self, cluster: usize) -> Vec<usize> {
        let mut path: Vec<usize> = std::iter::successors(Some(cluster), |&c| self.clusters[c].parent).collect();
        path.reverse();
        path
    }

    /// Adds a pair of nodes for each kind of edge that occurs, and for each change. A single one explains itself.
    pub fn legend(&mut self) {
        let mut kinds: Vec<Edge> = self.edges.iter().map(|e| Edge { is_free: e.is_free, ..Edge::new(0, 0, e.kind) }).collect();
        kinds.sort_by_key(|e| (e.kind, e.is_free));
        kinds.dedup_by_key(|e| (e.kind, e.is_free));
        let mut words: Vec<(&str, Edge)> = kinds.into_iter().map(|e| (e.meaning(), e)).collect();
        if self.edges.iter().any(|e| e.change.is_some()) {
            // Colours say what changed, so the kinds are told apart by their patterns alone.
            words.iter_mut().for_each(|(_, e)| e.change = Some(Change::Kept));
            let nodes = self.nodes.iter().map(|n| n.change);
            let all: Vec<Option<Change>> = nodes.chain(self.edges.iter().map(|e| e.change)).collect();
            let changes = [Change::Added, Change::Removed].into_iter().filter(|&c| all.contains(&Some(c)));
            words.extend(changes.map(|c| (c.meaning(), Edge { change: Some(c), ..Edge::new(0, 0, EdgeKind::Operand) })));
        }
        if words.len() < 2 {
            return;
        }
        let cluster = self.clusters.len();
        let (id, label) = ("legend".into(), "edges".into());
        self.clusters.push(Cluster { id, label, parent: None, kind: ClusterKind::Legend, change: None });
        for (i, (word, edge)) in words.into_iter().enumerate() {
            let from = self.nodes.len();
            for (end, label) in [("a", word), ("b", " ")] {
                let (id, label) = (format!("k{i}{end}"), label.to_owned());
                self.nodes.push(Node {
                    id,
                    label,
                    text: String::new(),
                    span: Span::NONE,
                    cluster,
                    shape: Shape::Small,
                    is_tape: false,
                    change: edge.change,
                });
            }
            self.edges.push(Edge { from, to: from + 1, ..edge });
        }
    }
}

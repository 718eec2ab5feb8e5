//! Where everything in a picture lies.
//!
//! The layout is that of dagre: layers from top to bottom, clusters as boxes. Edges that go back take no part in it, and those between
//! the two parts of a derivative neither, or one part would end up below the other. They are drawn afterwards as curves that keep
//! clear of nodes as far as they can.

use dagre::graph::{Graph, GraphOptions};
use dagre::{EdgeLabel, LayoutOptions, NodeLabel, Ranker};
use gradus_ir::drawing::{ClusterKind, Drawing, Edge, EdgeKind, Node, Shape};

pub type Point = (f64, f64);

/// A box by its middle and its extent.
#[derive(Clone, Copy, Default, Debug)]
pub struct Area {
    pub middle: Point,
    pub size: Point,
}

impl Area {
    fn holds(self, p: Point) -> bool {
        (p.0 - self.middle.0).abs() <= self.size.0 / 2.0 && (p.1 - self.middle.1).abs() <= self.size.1 / 2.0
    }

    /// Where the way from a point within to one outside crosses the border.
    fn border(self, inside: Point, outside: Point) -> Point {
        let way = (outside.0 - inside.0, outside.1 - inside.1);
        let limit = |middle: f64, size: f64, from: f64, way: f64| match way {
            0.0 => f64::INFINITY,
            way => (middle + size / 2.0 * way.signum() - from) / way,
        };
        let x = limit(self.middle.0, self.size.0, inside.0, way.0);
        let y = limit(self.middle.1, self.size.1, inside.1, way.1);
        let t = x.min(y).clamp(0.0, 1.0);
        (inside.0 + t * way.0, inside.1 + t * way.1)
    }

    /// The middle of the left side, or of the right one.
    fn side(self, is_right: bool) -> Point {
        let half = if is_right { self.size.0 / 2.0 } else { -self.size.0 / 2.0 };
        (self.middle.0 + half, self.middle.1)
    }

    /// The corners at the top left and at the bottom right.
    pub fn corners(self) -> [Point; 2] {
        [-0.5, 0.5].map(|s| (self.middle.0 + s * self.size.0, self.middle.1 + s * self.size.1))
    }
}

/// The way of an edge.
#[derive(Clone, Debug)]
pub enum Way {
    /// By these points, two at least.
    By(Vec<Point>),
    /// A cubic Bézier curve.
    Curve([Point; 4]),
}

impl Way {
    /// Where it starts and ends, and the points between that it is drawn by.
    pub fn points(&self) -> &[Point] {
        match self {
            Way::By(points) => points,
            Way::Curve(points) => points,
        }
    }
}

/// The places of what a drawing holds, in the same order.
#[derive(Clone, Debug)]
pub struct Layout {
    pub nodes: Vec<Area>,
    pub clusters: Vec<Area>,
    /// The lines at which the names of clusters stand.
    pub headings: Vec<f64>,
    pub edges: Vec<Way>,
}

pub const FONT: f64 = 11.0;

pub fn font(node: &Node) -> f64 {
    if matches!(node.shape, Shape::Small | Shape::Code) { 9.0 } else { FONT }
}

/// About the space that lines take up in Helvetica. In Courier they are a little wider.
fn extent(text: &str, font: f64) -> Point {
    let widest = text.lines().map(|l| l.chars().count()).max().unwrap_or(0);
    (0.58 * font * widest as f64, 1.2 * font * text.lines().count() as f64)
}

fn extent_of(node: &Node) -> Point {
    let (width, height) = extent(&node.label, font(node));
    match node.shape {
        Shape::Box => (width + 14.0, height + 8.0),
        Shape::Code => (1.05 * width + 14.0, height + 8.0),
        Shape::Ellipse => (1.2 * width + 16.0, height + 10.0),
        Shape::Plain | Shape::Small => (width + 6.0, height + 4.0),
        Shape::Hidden => (1.0, 1.0),
    }
}

/// Whether an edge takes part in the layout: it is ranked, or leads to what another edge of the same node is ranked by, like tapes into
/// the parameters of a callee.
fn is_laid(drawing: &Drawing, e: &Edge) -> bool {
    let [from, to] = [e.from, e.to].map(|n| drawing.ancestry(drawing.nodes[n].cluster));
    let is_part = |&c: &usize| drawing.clusters[c].kind == ClusterKind::Part;
    match from.iter().zip(&to).find(|(a, b)| a != b) {
        Some((a, b)) if is_part(a) && is_part(b) => false,
        // Out of a graph into one around it.
        None if from.len() >= to.len() => e.is_ranked,
        _ => e.is_ranked || e.kind == EdgeKind::Tape,
    }
}

/// The weights of edges: how much it costs that they are long.
mod weight {
    pub const WITHIN_CLUSTER: i32 = 6;
    pub const BETWEEN_CLUSTERS: i32 = 2;
    pub const PARAMETER: i32 = 12;
    pub const PART: i32 = 10;
    pub const HEADING: i32 = 1;
}

/// The names of things in dagre's graph.
mod name {
    pub fn node(i: usize) -> String {
        format!("n{i}")
    }
    pub fn cluster(i: usize) -> String {
        format!("c{i}")
    }
    pub fn heading(i: usize) -> String {
        format!("h{i}")
    }
    pub fn edge(i: usize) -> String {
        format!("e{i}")
    }
}

/// The nodes of a drawing, and the layers that its edges cross.
pub fn size(drawing: &Drawing) -> usize {
    let edges: Vec<&Edge> = drawing.edges.iter().filter(|e| is_laid(drawing, e)).collect();
    let mut below: Vec<Vec<usize>> = vec![Vec::new(); drawing.nodes.len()];
    let mut above = vec![0; drawing.nodes.len()];
    for e in &edges {
        below[e.from].push(e.to);
        above[e.to] += 1;
    }
    let mut layer = vec![0; drawing.nodes.len()];
    let mut ready: Vec<usize> = (0..above.len()).filter(|&n| above[n] == 0).collect();
    while let Some(n) = ready.pop() {
        for &m in &below[n] {
            layer[m] = layer[m].max(layer[n] + 1);
            above[m] -= 1;
            if above[m] == 0 {
                ready.push(m);
            }
        }
    }
    drawing.nodes.len()
        + drawing.clusters.len()
        + edges.iter().map(|e| usize::abs_diff(layer[e.to], layer[e.from])).sum::<usize>()
}

/// Lays a drawing out.
pub fn lay_out(drawing: &Drawing) -> Layout {
    let mut g: Graph<NodeLabel, EdgeLabel> =
        Graph::with_options(GraphOptions { directed: true, multigraph: true, compound: true });
    let place = |(width, height): Point| Some(NodeLabel { width, height, ..NodeLabel::default() });
    let weighted = |weight| Some(EdgeLabel { weight, ..EdgeLabel::default() });
    for (i, c) in drawing.clusters.iter().enumerate() {
        g.set_node(name::cluster(i), place((0.0, 0.0)));
        g.set_node(name::heading(i), place(extent(&c.label, FONT)));
        g.set_parent(&name::heading(i), Some(&name::cluster(i)));
        if let Some(up) = c.parent {
            g.set_parent(&name::cluster(i), Some(&name::cluster(up)));
            let weight = if c.kind == ClusterKind::Part { weight::PART } else { weight::HEADING };
            g.set_edge(name::heading(up), name::heading(i), weighted(weight), None);
        }
    }
    let is_local = |e: &Edge| drawing.nodes[e.from].cluster == drawing.nodes[e.to].cluster;
    let mut is_first = vec![true; drawing.nodes.len()];
    let end = |e: &Edge| e.to_border.map_or_else(|| name::node(e.to), name::heading);
    for (i, e) in drawing.edges.iter().enumerate().filter(|(_, e)| is_laid(drawing, e)) {
        is_first[e.to] &= !is_local(e);
        let weight = if is_local(e) { weight::WITHIN_CLUSTER } else { weight::BETWEEN_CLUSTERS };
        g.set_edge(name::node(e.from), end(e), weighted(weight), Some(&name::edge(i)));
    }
    for (i, n) in drawing.nodes.iter().enumerate() {
        g.set_node(name::node(i), place(extent_of(n)));
        g.set_parent(&name::node(i), Some(&name::cluster(n.cluster)));
        // All that a cluster holds lies below its name.
        if is_first[i] {
            let weight = if n.shape == Shape::Ellipse { weight::PARAMETER } else { weight::HEADING };
            g.set_edge(name::heading(n.cluster), name::node(i), weighted(weight), None);
        }
    }
    let options = LayoutOptions {
        nodesep: 12.0,
        edgesep: 8.0,
        ranksep: 26.0,
        marginx: 8.0,
        marginy: 8.0,
        ranker: Ranker::NetworkSimplex,
        ..LayoutOptions::default()
    };
    dagre::layout(&mut g, Some(options));
    let area = |id: String| {
        let n = g.node(&id).expect("the layout keeps all nodes");
        Area { middle: (n.x.unwrap_or(0.0), n.y.unwrap_or(0.0)), size: (n.width, n.height) }
    };
    let mut layout = Layout {
        nodes: (0..drawing.nodes.len()).map(|i| area(name::node(i))).collect(),
        clusters: (0..drawing.clusters.len()).map(|i| area(name::cluster(i))).collect(),
        headings: (0..drawing.clusters.len()).map(|i| area(name::heading(i)).middle.1).collect(),
        edges: Vec::new(),
    };
    for (i, e) in drawing.edges.iter().enumerate() {
        let way = match g.edge(&name::node(e.from), &end(e), Some(&name::edge(i))) {
            // The layout leaves some edges of large drawings without a way.
            Some(laid) if laid.points.len() > 1 => layout.clipped(e, laid.points.iter().map(|p| (p.x, p.y)).collect()),
            _ => Way::Curve(layout.curve(e)),
        };
        layout.edges.push(way);
    }
    layout
}

impl Layout {
    /// The way by these points from border to border.
    fn clipped(&self, e: &Edge, mut points: Vec<Point>) -> Way {
        if let Some(c) = e.to_border {
            clip(&mut points, self.clusters[c]);
        }
        if let Some(c) = e.from_border {
            points.reverse();
            clip(&mut points, self.clusters[c]);
            points.reverse();
        }
        Way::By(points)
    }

    /// The best curve for an edge that was not laid out: a short one that crosses few nodes.
    fn curve(&self, e: &Edge) -> [Point; 4] {
        let from = self.nodes[e.from];
        let start =
            e.from_border.map_or(from, |c| Area { middle: (self.clusters[c].middle.0, from.middle.1), ..self.clusters[c] });
        let to = self.nodes[e.to];
        let target = e.to_border.map(|c| self.clusters[c]).filter(|t| !t.holds(start.middle));
        let end = |is_right: bool, from: Point| target.map_or_else(|| to.side(is_right), |t| t.border(to.middle, from));
        let mut candidates = Vec::new();
        for is_right in [true, false] {
            let toward = if is_right { 1.0 } else { -1.0 };
            let a = start.side(is_right);
            // From one side to the facing one.
            let b = end(!is_right, a);
            if (b.0 - a.0) * toward > 0.0 || target.is_some() {
                candidates.extend([0.25, 0.5, 0.9].map(|pull| {
                    let pull = (pull * (b.0 - a.0).abs()).max(20.0) * toward;
                    [a, (a.0 + pull, a.1), (b.0 - pull, b.1), b]
                }));
            }
            // Around, back to the same side; of a cluster that side would be behind its nodes.
            if target.is_some() {
                continue;
            }
            let b = to.side(is_right);
            candidates.extend([20.0, 45.0, 90.0, 160.0].map(|reach| {
                let x = if is_right { a.0.max(b.0) + reach } else { a.0.min(b.0) - reach };
                [a, (x, a.1), (x, b.1), b]
            }));
        }
        let cost = |curve: &[Point; 4]| {
            let length: f64 = curve.windows(2).map(|w| (w[1].0 - w[0].0).hypot(w[1].1 - w[0].1)).sum();
            length + CROSSING * self.crossed(e, curve) as f64
        };
        let best = candidates.into_iter().map(|c| (cost(&c), c)).min_by(|(a, _), (b, _)| a.total_cmp(b));
        best.expect("there are candidates").1
    }

    /// How many nodes a curve crosses besides those that it connects.
    fn crossed(&self, e: &Edge, curve: &[Point; 4]) -> usize {
        let points: Vec<Point> = (1..SAMPLES).map(|i| along(curve, f64::from(i) / f64::from(SAMPLES))).collect();
        let others = self.nodes.iter().enumerate().filter(|&(n, _)| n != e.from && n != e.to);
        others.filter(|(_, area)| points.iter().any(|&p| area.holds(p))).count()
    }
}

/// How long a detour around a node may be.
const CROSSING: f64 = 120.0;

/// How many pieces a curve is taken to have where its course matters.
const SAMPLES: u32 = 32;

/// The point of a cubic Bézier curve at a parameter.
fn along([a, c, d, b]: &[Point; 4], t: f64) -> Point {
    let s = 1.0 - t;
    let [a, b] = [(s * s * s, a), (t * t * t, b)].map(|(w, p)| (w * p.0, w * p.1));
    let [c, d] = [(3.0 * s * s * t, c), (3.0 * s * t * t, d)].map(|(w, p)| (w * p.0, w * p.1));
    (a.0 + c.0 + d.0 + b.0, a.1 + c.1 + d.1 + b.1)
}

/// Ends a way where it enters an area.
fn clip(way: &mut Vec<Point>, area: Area) {
    let Some(first) = way.iter().position(|&p| area.holds(p)).filter(|&i| i > 0) else { return };
    let end = area.border(way[first], way[first - 1]);
    way.truncate(first);
    way.push(end);
}

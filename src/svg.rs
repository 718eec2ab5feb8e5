//! Pictures of drawings as SVG, for those who have no Graphviz.

mod layout;

use crate::Error;
use gradus_ir::drawing::{BACK, CAPTURE, Change, ClusterKind, Drawing, Edge, Node, Shape, TAPE};
use layout::{Area, FONT, Layout, Point, Way, font};
use std::fmt::{self, Write};

/// How large a drawing may be that is laid out: its nodes, and the layers that its edges cross. Time grows with the square, to some
/// seconds.
pub const LIMIT: usize = 5000;

/// The stack for the layout, which follows paths recursively. They are no longer than the limit.
const STACK: usize = 64 << 20;

/// How large a drawing is: its nodes, and the layers that its edges cross.
pub(crate) fn size(drawing: &Drawing) -> usize {
    layout::size(drawing)
}

/// Lays a drawing out; the text of an SVG file. Clusters, edges and nodes are groups of the classes `cluster`, `edge` and `node`, in the
/// order of the drawing.
pub fn draw(drawing: &Drawing) -> Result<String, Error> {
    if layout::size(drawing) > LIMIT {
        return Err(Error::Unavailable("the drawing is too large to be laid out; give its DOT to Graphviz".into()));
    }
    let layout = std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, || layout::lay_out(drawing));
        thread
            .map_err(|e| Error::Internal(format!("no thread: {e}")))?
            .join()
            .map_err(|_| Error::Internal("the layout failed".into()))
    })?;
    let mut out = String::new();
    Picture { drawing, layout }.write(&mut out).expect("a string takes all text");
    Ok(out)
}

/// The colours of arrow heads.
const ARROWS: [&str; 7] = ["black", CAPTURE, TAPE, BACK, Change::Kept.color(), Change::Added.color(), Change::Removed.color()];

/// The font of words along edges, and that of numbers at their ends.
const WORD: f64 = 9.0;
const NUMBER: f64 = 7.0;

struct Picture<'a> {
    drawing: &'a Drawing,
    layout: Layout,
}

impl Picture<'_> {
    fn write(&self, out: &mut String) -> fmt::Result {
        self.open(out)?;
        for (i, c) in self.drawing.clusters.iter().enumerate() {
            let (fill, line) = c.colors();
            let (fill, width) = (fill.unwrap_or("none"), c.width());
            let area = self.layout.clusters[i];
            let is_bold = matches!(c.kind, ClusterKind::Derivative | ClusterKind::Part);
            let weight = if is_bold { " font-weight=\"bold\"" } else { "" };
            writeln!(out, "<g class=\"cluster\" id=\"cluster_{}\"{weight}>", c.id)?;
            rectangle(out, area, &format!("rx=\"8\" fill=\"{fill}\" stroke=\"{line}\" stroke-width=\"{width}\""))?;
            text(out, &c.label, (area.middle.0, self.layout.headings[i]), FONT)?;
            writeln!(out, "</g>")?;
        }
        for (e, way) in self.drawing.edges.iter().zip(&self.layout.edges) {
            edge(out, e, way)?;
        }
        for (n, &area) in self.drawing.nodes.iter().zip(&self.layout.nodes) {
            node(out, n, area)?;
        }
        writeln!(out, "</svg>")
    }

    /// Writes the beginning: the extent of the picture, the background, the arrow heads and the title.
    fn open(&self, out: &mut String) -> fmt::Result {
        let areas = self.layout.clusters.iter().flat_map(|c| c.corners());
        let ways = self.layout.edges.iter().flat_map(|w| w.points().iter().copied());
        let (mut low, mut high) = ((f64::INFINITY, f64::INFINITY), (f64::NEG_INFINITY, f64::NEG_INFINITY));
        for (x, y) in areas.chain(ways) {
            low = (low.0.min(x), low.1.min(y));
            high = (high.0.max(x), high.1.max(y));
        }
        let title = if self.drawing.title.is_some() { 24.0 } else { 0.0 };
        let (left, top) = (low.0 - 8.0, low.1 - 8.0 - title);
        let (width, height) = (high.0 + 8.0 - left, high.1 + 8.0 - top);
        writeln!(
            out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" \
             viewBox=\"{left:.1} {top:.1} {width:.1} {height:.1}\" font-family=\"Helvetica,Arial,sans-serif\" text-anchor=\"middle\">"
        )?;
        let middle = (left + width / 2.0, top + height / 2.0);
        rectangle(out, Area { middle, size: (width, height) }, "fill=\"white\"")?;
        for (i, color) in ARROWS.iter().enumerate() {
            writeln!(
                out,
                "<marker id=\"arrow{i}\" viewBox=\"0 0 10 10\" refX=\"10\" refY=\"5\" markerWidth=\"7\" markerHeight=\"7\" \
                 markerUnits=\"userSpaceOnUse\" orient=\"auto\"><path d=\"M0,1.5 10,5 0,8.5z\" fill=\"{color}\"/></marker>"
            )?;
        }
        match &self.drawing.title {
            Some(title) => text(out, title, (middle.0, top + 14.0), FONT + 2.0),
            None => Ok(()),
        }
    }
}

fn node(out: &mut String, node: &Node, area: Area) -> fmt::Result {
    let (fill, line) = node.colors();
    writeln!(out, "<g class=\"node\" id=\"{}\">", node.id)?;
    match node.shape {
        Shape::Box | Shape::Code => rectangle(out, area, &format!("rx=\"5\" fill=\"{fill}\" stroke=\"{line}\""))?,
        Shape::Ellipse => {
            let ((x, y), (rx, ry)) = (area.middle, (area.size.0 / 2.0, area.size.1 / 2.0));
            writeln!(
                out,
                "<ellipse cx=\"{x:.1}\" cy=\"{y:.1}\" rx=\"{rx:.1}\" ry=\"{ry:.1}\" fill=\"{fill}\" stroke=\"{line}\"/>"
            )?;
        }
        Shape::Plain | Shape::Small | Shape::Hidden => {}
    }
    let (left, look) = match node.shape {
        Shape::Code => (area.corners()[0].0 + 7.0, " text-anchor=\"start\" font-family=\"Courier,monospace\""),
        _ => (area.middle.0, ""),
    };
    writeln!(out, "<g fill=\"{}\"{look}>", node.ink())?;
    text(out, &node.label, (left, area.middle.1), font(node))?;
    writeln!(out, "</g>\n</g>")
}

fn edge(out: &mut String, e: &Edge, way: &Way) -> fmt::Result {
    let stroke = e.stroke();
    let pattern = match stroke.pattern {
        "dashed" => " stroke-dasharray=\"5,3\"",
        "dotted" => " stroke-dasharray=\"1.5,3\"",
        _ => "",
    };
    writeln!(out, "<g class=\"edge\">")?;
    let (path, color, width) = (path(way), stroke.color, 0.8 * f64::from(stroke.width));
    let arrow = ARROWS.iter().position(|&c| c == color).unwrap_or(0);
    writeln!(
        out,
        "<path d=\"{path}\" fill=\"none\" stroke=\"{color}\" stroke-width=\"{width:.1}\"{pattern} marker-end=\"url(#arrow{arrow})\"/>"
    )?;
    let points = way.points();
    let last = points.len() - 1;
    for (word, end, next) in [(&e.tail, points[0], points[1]), (&e.head, points[last], points[last - 1])] {
        if let Some(word) = word {
            text(out, word, beside(end, next), NUMBER)?;
        }
    }
    if let Some(label) = &e.label {
        text(out, label, middle(points), WORD)?;
    }
    writeln!(out, "</g>")
}

/// A point near the end of a way, to its left as seen from below.
fn beside(end: Point, next: Point) -> Point {
    let way = (next.0 - end.0, next.1 - end.1);
    let length = way.0.hypot(way.1).max(1.0);
    let (x, y) = (way.0 / length, way.1 / length);
    let side = if y > 0.0 { 1.0 } else { -1.0 };
    (end.0 + 9.0 * x - 4.5 * side * y, end.1 + 9.0 * y + 4.5 * side * x)
}

fn middle(points: &[Point]) -> Point {
    let (a, b) = (points[(points.len() - 1) / 2], points[points.len() / 2]);
    ((a.0 + b.0) / 2.0, (a.1 + b.1) / 2.0)
}

/// A way as path data. A way by points touches the middles of its inner pieces.
fn path(way: &Way) -> String {
    let at = |(x, y): Point| format!("{x:.1},{y:.1}");
    match way {
        Way::Curve([a, c, d, b]) => format!("M{} C{} {} {}", at(*a), at(*c), at(*d), at(*b)),
        Way::By(points) if points.len() == 2 => format!("M{} L{}", at(points[0]), at(points[1])),
        Way::By(points) => {
            let mut path = format!("M{}", at(points[0]));
            for i in 1..points.len() - 1 {
                let end = if i + 2 == points.len() { points[i + 1] } else { middle(&points[i..i + 2]) };
                path += &format!(" Q{} {}", at(points[i]), at(end));
            }
            path
        }
    }
}

fn rectangle(out: &mut String, area: Area, look: &str) -> fmt::Result {
    let ([(x, y), _], (width, height)) = (area.corners(), area.size);
    writeln!(out, "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" {look}/>")
}

/// Writes lines around a point.
fn text(out: &mut String, text: &str, (x, y): Point, font: f64) -> fmt::Result {
    let count = text.lines().count();
    for (i, line) in text.lines().enumerate().filter(|(_, l)| !l.trim().is_empty()) {
        let y = y + font * (0.35 + 1.2 * (i as f64 - (count as f64 - 1.0) / 2.0));
        let line = line.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
        writeln!(out, "<text x=\"{x:.1}\" y=\"{y:.1}\" font-size=\"{font}\">{line}</text>")?;
    }
    Ok(())
}

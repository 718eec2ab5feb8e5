//! The DOT language of Graphviz. What a drawing shows is the business of [`crate::drawing`].

use crate::drawing::{Drawing, Edge, Node, Options, Shape};
use crate::graph::Module;
use std::fmt::{self, Write};

/// Draws a module; one that does not verify may make it panic.
pub fn dot(m: &Module, options: &Options) -> String {
    write(&Drawing::new(m, options))
}

/// The text of a drawing.
pub fn write(drawing: &Drawing) -> String {
    let mut inside: Vec<(Vec<usize>, Vec<usize>)> = vec![Default::default(); drawing.clusters.len()];
    for (i, node) in drawing.nodes.iter().enumerate() {
        inside[node.cluster].0.push(i);
    }
    for (i, cluster) in drawing.clusters.iter().enumerate() {
        if let Some(up) = cluster.parent {
            inside[up].1.push(i);
        }
    }
    let mut out = String::new();
    Writer { drawing, inside, out: &mut out }.write().expect("a string takes all text");
    out
}

struct Writer<'a> {
    drawing: &'a Drawing,
    /// The nodes and the clusters in each cluster.
    inside: Vec<(Vec<usize>, Vec<usize>)>,
    out: &'a mut String,
}

impl Writer<'_> {
    fn write(&mut self) -> fmt::Result {
        self.out.write_str("digraph {\n")?;
        if let Some(title) = &self.drawing.title {
            writeln!(self.out, "  label={}; labelloc=t;", quoted(title))?;
        }
        self.out.write_str(
            "  compound=true; fontname=\"Helvetica\"; fontsize=12;\n  \
               node [fontname=\"Helvetica\", fontsize=11, shape=box, style=\"rounded,filled\", fillcolor=white, height=0.3, margin=\"0.1,0.04\"];\n  \
               edge [fontname=\"Helvetica\", fontsize=8, arrowsize=0.6];\n",
        )?;
        let roots = (0..self.drawing.clusters.len()).filter(|&c| self.drawing.clusters[c].parent.is_none());
        let mut work: Vec<(usize, usize, bool)> = roots.rev().map(|c| (c, 0, true)).collect();
        while let Some((c, depth, is_first)) = work.pop() {
            if !is_first {
                writeln!(self.out, "{}}}", indentation(depth))?;
                continue;
            }
            self.open(c, depth)?;
            work.push((c, depth, false));
            // Popped in reverse, for the same reason as nodes in `open`.
            work.extend(self.inside[c].1.iter().map(|&inner| (inner, depth + 1, true)));
        }
        // Edges come after all clusters, as a node belongs to the cluster that mentions it first.
        for edge in &self.drawing.edges {
            self.edge(edge)?;
        }
        self.out.write_str("}\n")
    }

    /// Opens a cluster and writes its nodes.
    fn open(&mut self, c: usize, depth: usize) -> fmt::Result {
        let cluster = &self.drawing.clusters[c];
        let indent = indentation(depth);
        let (fill, line) = cluster.colors();
        let look = match fill {
            Some(fill) => format!("style=\"rounded,filled\"; fillcolor=\"{fill}\""),
            None => "style=rounded".into(),
        };
        let label = quoted(&cluster.label);
        writeln!(self.out, "{indent}subgraph cluster_{} {{", cluster.id)?;
        writeln!(self.out, "{indent}  label={label}; {look}; color=\"{line}\"; penwidth={};", cluster.width())?;
        // What comes first in the text comes to stand on the right, where nothing else decides.
        for n in std::mem::take(&mut self.inside[c].0).into_iter().rev() {
            self.node(&self.drawing.nodes[n], &indent)?;
        }
        Ok(())
    }

    fn node(&mut self, node: &Node, indent: &str) -> fmt::Result {
        let look = match node.shape {
            Shape::Box => "",
            Shape::Code => ", fontname=\"Courier\", fontsize=9",
            Shape::Ellipse => ", shape=ellipse",
            Shape::Plain => ", shape=plaintext, style=\"\"",
            Shape::Small => ", shape=plaintext, style=\"\", fontsize=9",
            Shape::Hidden => return writeln!(self.out, "{indent}  {} [shape=point, style=invis];", node.id),
        };
        let label = match node.shape {
            // Each line ends with the mark that puts it on the left.
            Shape::Code => quoted(&format!("{}\n", node.label)).replace("\\n", "\\l"),
            _ => quoted(&node.label),
        };
        let (fill, line) = node.colors();
        let colors = [("color", line, "black"), ("fillcolor", fill, "white"), ("fontcolor", node.ink(), "black")];
        let colors = colors.iter().filter(|(_, color, usual)| color != usual);
        let colors: String = colors.map(|(key, color, _)| format!(", {key}=\"{color}\"")).collect();
        writeln!(self.out, "{indent}  {} [label={}{look}{colors}];", node.id, label)
    }

    fn edge(&mut self, edge: &Edge) -> fmt::Result {
        let [from, to] = [edge.from, edge.to].map(|n| &self.drawing.nodes[n].id);
        let stroke = edge.stroke();
        let border = |c: Option<usize>| c.map(|c| format!("cluster_{}", self.drawing.clusters[c].id));
        let attributes = [
            ("style", (stroke.pattern != "solid").then(|| stroke.pattern.to_owned())),
            ("color", (stroke.color != "black").then(|| format!("\"{}\"", stroke.color))),
            ("penwidth", (stroke.width != 1).then(|| stroke.width.to_string())),
            ("label", edge.label.as_deref().map(quoted)),
            ("taillabel", edge.tail.as_deref().map(quoted)),
            ("headlabel", edge.head.as_deref().map(quoted)),
            ("ltail", border(edge.from_border)),
            ("lhead", border(edge.to_border)),
            ("constraint", (!edge.is_ranked).then(|| "false".to_owned())),
        ];
        let set: Vec<String> = attributes.into_iter().filter_map(|(key, value)| Some(format!("{key}={}", value?))).collect();
        let set = if set.is_empty() { String::new() } else { format!(" [{}]", set.join(", ")) };
        writeln!(self.out, "  {from} -> {to}{set};")
    }
}

/// Up to a limit, so that the text stays linear in the drawing where thousands of clusters are nested.
fn indentation(depth: usize) -> String {
    " ".repeat(2 * depth.min(20) + 2)
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse::parse;
    use expect_test::expect_file;

    #[test]
    fn drawings() {
        let pow = parse(include_str!("../test_data/pow.ir")).unwrap();
        let options = Options { title: Some("pow, \"typed\"".into()), types: true, legend: false };
        expect_file!["../test_data/pow.dot"].assert_eq(&dot(&pow, &options));
        let pullback = parse(include_str!("../test_data/pullback.ir")).unwrap();
        expect_file!["../test_data/pullback.dot"].assert_eq(&dot(&pullback, &Options::default()));
        let tape = parse(include_str!("../test_data/tape.ir")).unwrap();
        expect_file!["../test_data/tape.dot"].assert_eq(&dot(&tape, &Options { legend: true, ..Options::default() }));
        let source = parse(include_str!("../test_data/source.ir")).unwrap();
        expect_file!["../test_data/source.dot"].assert_eq(&dot(&source, &Options::default()));
    }
}

//! Drawings of a module for Graphviz.
//!
//! Each graph is a cluster within the cluster of the graph it is nested in, filled by its role. Nodes show what they apply, and
//! under it the name of the source variable; a constant is a small node at each of its uses.
//!
//! | edge               | means                                                    |
//! |--------------------|----------------------------------------------------------|
//! | solid              | an operand; numbered where the order matters             |
//! | dashed             | a free variable: an operand that belongs to another graph|
//! | bold, to a graph   | control that goes there: a callee, or an arm of a branch |
//! | dotted, to a graph | a closure of the graph, or its derivative                |
//! | thick and violet   | a tape on its way: from `push` to `push`, from `pop` on  |
//!
//! Nodes that are tapes, and `pop`, have a border in the colour of these edges.

use crate::graph::{Const, GraphId, Kind, Module, NodeId, Role};
use crate::nest::Nest;
use crate::prim::Prim;
use crate::print::{self, Names};
use crate::types::Type;
use slotmap::SecondaryMap;
use std::fmt::{self, Write};

/// What a drawing shows.
#[derive(Clone, Debug, Default)]
pub struct DotOptions {
    /// The title, if any.
    pub title: Option<String>,
    /// Whether nodes show their types.
    pub types: bool,
}

/// Draws what [`crate::print::print`] prints; a module that does not verify may make it panic.
pub fn dot(m: &Module, options: &DotOptions) -> String {
    let nest = print::nest(m);
    let names = Names::new(m, &nest);
    let mut numbers: SecondaryMap<NodeId, usize> = SecondaryMap::new();
    let mut graphs: SecondaryMap<GraphId, usize> = SecondaryMap::new();
    for (i, &g) in nest.graphs().iter().enumerate() {
        graphs.insert(g, i);
        for &n in m[g].params.iter().chain(nest.schedule(g)).chain(&m[g].ret) {
            numbers.insert(n, numbers.len());
        }
    }
    let mut drawing = Drawing { m, options, nest: &nest, names, numbers, graphs, edges: String::new(), out: String::new() };
    drawing.write().expect("a string takes all text");
    drawing.out
}

struct Drawing<'a> {
    m: &'a Module,
    options: &'a DotOptions,
    nest: &'a Nest,
    names: Names,
    numbers: SecondaryMap<NodeId, usize>,
    graphs: SecondaryMap<GraphId, usize>,
    /// Edges come after all clusters, as a node belongs to the cluster that mentions it first.
    edges: String,
    out: String,
}

impl Drawing<'_> {
    fn write(&mut self) -> fmt::Result {
        self.out.write_str("digraph {\n")?;
        if let Some(title) = &self.options.title {
            writeln!(self.out, "  label={}; labelloc=t;", quoted(title))?;
        }
        self.out.write_str(
            "  compound=true; fontname=\"Helvetica\"; fontsize=12;\n  \
               node [fontname=\"Helvetica\", fontsize=11, shape=box, style=\"rounded,filled\", fillcolor=white, height=0.3, margin=\"0.1,0.04\"];\n  \
               edge [fontname=\"Helvetica\", fontsize=8, arrowsize=0.6];\n",
        )?;
        self.clusters()?;
        self.derivatives()?;
        self.out.write_str(&self.edges)?;
        self.out.write_str("}\n")
    }

    fn clusters(&mut self) -> fmt::Result {
        let mut children: SecondaryMap<GraphId, Vec<GraphId>> = SecondaryMap::new();
        let mut stack: Vec<(GraphId, bool)> = Vec::new();
        for &g in self.nest.graphs() {
            match self.nest.parent(g) {
                Some(up) => children.entry(up).expect("a parent exists").or_default().push(g),
                None => stack.push((g, false)),
            }
        }
        stack.reverse();
        let mut depth = 0;
        while let Some((g, entered)) = stack.pop() {
            if entered {
                depth -= 1;
                writeln!(self.out, "{}}}", indentation(depth))?;
                continue;
            }
            self.open(g, depth)?;
            depth += 1;
            stack.push((g, true));
            stack.extend(children.get(g).into_iter().flatten().rev().map(|&c| (c, false)));
        }
        Ok(())
    }

    /// Opens the cluster of a graph and draws its nodes.
    fn open(&mut self, g: GraphId, depth: usize) -> fmt::Result {
        let m = self.m;
        let indent = indentation(depth);
        let (fill, line) = match m[g].role {
            Role::Primal => ("#eef3fb", "#5b7db1"),
            Role::Forward => ("#eef8ee", "#4f9a57"),
            Role::Backward => ("#fdf1e7", "#c77b30"),
        };
        let width = if m.entry == Some(g) { 2 } else { 1 };
        let label = quoted(self.names.graph(g));
        writeln!(self.out, "{indent}subgraph cluster_{} {{", self.graphs[g])?;
        writeln!(
            self.out,
            "{indent}  label={label}; style=\"rounded,filled\"; fillcolor=\"{fill}\"; color=\"{line}\"; penwidth={width};"
        )?;
        if m[g].params.is_empty() {
            writeln!(self.out, "{indent}  {} [shape=point, style=invis];", self.anchor(g))?;
        }
        for &n in m[g].params.iter().chain(self.nest.schedule(g)).chain(&m[g].ret) {
            let look = match m[n].kind {
                Kind::Param => ", shape=ellipse",
                Kind::Return => ", shape=plaintext, style=\"\"",
                _ => "",
            };
            let border = if is_tape(m, n) { format!(", color=\"{TAPE}\"") } else { String::new() };
            writeln!(self.out, "{indent}  n{} [label={}{look}{border}];", self.numbers[n], quoted(&self.label(n)))?;
            self.inputs(n, &indent)?;
        }
        Ok(())
    }

    fn label(&self, n: NodeId) -> String {
        let node = &self.m[n];
        let mut label = match node.kind {
            Kind::Param => return self.typed(self.names.node(self.m, n), &node.ty),
            Kind::Return => return "return".into(),
            Kind::Call => "call".into(),
            Kind::Prim(p) => print::op(p),
            Kind::Const(_) => unreachable!("a constant belongs to no graph"),
        };
        if let Some(name) = &node.name {
            label = format!("{label}\n{name}");
        }
        self.typed(label, &node.ty)
    }

    fn typed(&self, label: String, ty: &Type) -> String {
        if self.options.types && *ty != Type::Unknown { format!("{label}\n{ty}") } else { label }
    }

    /// Draws the edges of a node, and the constants among its inputs beside it.
    fn inputs(&mut self, n: NodeId, indent: &str) -> fmt::Result {
        let m = self.m;
        let node = &m[n];
        let user = self.numbers[n];
        let is_ordered = node.inputs().len() > 1 && !m.as_prim(n).is_some_and(Prim::is_commutative);
        let position = |i: usize| is_ordered.then(|| i.to_string());
        for (i, &input) in node.inputs().iter().enumerate() {
            let is_tape = carries_tape(m, input, n);
            let color = is_tape.then(|| format!("\"{TAPE}\""));
            let width = is_tape.then(|| "2".to_owned());
            match m[input].as_const() {
                Some(Const::Graph(g)) => {
                    let is_control = (node.kind == Kind::Call && i == 0) || node.kind == Kind::Prim(Prim::Select);
                    let style = if is_control { "bold" } else { "dotted" };
                    self.reference(&format!("n{user}"), node.graph, *g, &format!("style={style}, taillabel=\"{i}\""))?;
                }
                Some(_) => {
                    let text = quoted(&self.names.node(m, input));
                    writeln!(self.out, "{indent}  n{user}c{i} [label={text}, shape=plaintext, style=\"\", fontsize=9];")?;
                    writeln!(
                        self.edges,
                        "  n{user}c{i} -> n{user}{};",
                        attributes(&[("headlabel", position(i)), ("color", color), ("penwidth", width)])
                    )?;
                }
                None => {
                    let is_free = m[input].graph != node.graph;
                    let style = is_free.then(|| "dashed".to_owned());
                    let attributes =
                        attributes(&[("style", style), ("headlabel", position(i)), ("color", color), ("penwidth", width)]);
                    writeln!(self.edges, "  n{} -> n{user}{attributes};", self.numbers[input])?;
                }
            }
        }
        Ok(())
    }

    /// The node in a cluster at which edges to it end.
    fn anchor(&self, g: GraphId) -> String {
        match self.m[g].params.first() {
            Some(&p) => format!("n{}", self.numbers[p]),
            None => format!("g{}", self.graphs[g]),
        }
    }

    /// Draws an edge to a cluster. Where it starts within the cluster it cannot be clipped at the border, and goes to the anchor.
    fn reference(&mut self, from: &str, owner: Option<GraphId>, to: GraphId, attributes: &str) -> fmt::Result {
        let is_inside = owner.is_some_and(|owner| self.nest.is_within(owner, to));
        let clip = if is_inside { "constraint=false".into() } else { format!("lhead=cluster_{}", self.graphs[to]) };
        writeln!(self.edges, "  {from} -> {} [{attributes}, {clip}];", self.anchor(to))
    }

    fn derivatives(&mut self) -> fmt::Result {
        for &g in self.nest.graphs() {
            for p in Prim::OPERATORS {
                if let Some(&d) = self.m.derivatives.get(&(g, p)) {
                    let attributes = format!("style=dotted, label={}, ltail=cluster_{}", quoted(p.name()), self.graphs[g]);
                    self.reference(&self.anchor(g), None, d, &attributes)?;
                }
            }
        }
        Ok(())
    }
}

/// The colour of tapes.
const TAPE: &str = "#8250a8";

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

/// Up to a limit, so that the text stays linear in the module where thousands of blocks are nested.
fn indentation(depth: usize) -> String {
    " ".repeat(2 * depth.min(20) + 2)
}

/// A list of those attributes that have a value.
fn attributes(list: &[(&str, Option<String>)]) -> String {
    let set: Vec<String> = list.iter().filter_map(|(key, value)| value.as_ref().map(|v| format!("{key}={v}"))).collect();
    if set.is_empty() { String::new() } else { format!(" [{}]", set.join(", ")) }
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
        let options = DotOptions { title: Some("pow, \"typed\"".into()), types: true };
        expect_file!["../test_data/pow.dot"].assert_eq(&dot(&pow, &options));
        let pullback = parse(include_str!("../test_data/pullback.ir")).unwrap();
        expect_file!["../test_data/pullback.dot"].assert_eq(&dot(&pullback, &DotOptions::default()));
        let tape = parse(include_str!("../test_data/tape.ir")).unwrap();
        expect_file!["../test_data/tape.dot"].assert_eq(&dot(&tape, &DotOptions::default()));
        let source = parse(include_str!("../test_data/source.ir")).unwrap();
        expect_file!["../test_data/source.dot"].assert_eq(&dot(&source, &DotOptions::default()));
    }
}

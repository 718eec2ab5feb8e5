//! The text form of a module. [`crate::parse`] reads it back.
//!
//! ```text
//! module     = [entry] { graph } { derivative }            one item a line; `;` starts a comment
//! entry      = "entry" "@"name
//! graph      = ("graph" | "block") ["<" ("forward" | "backward") ">"] "@"name "(" [param {"," param}] ")" ["->" type] "{"
//!                  { node }
//!                  ["return" operand]
//!              "}"
//! param      = ["rest" | "keys" | "key"] "%"name [":" type] ["=" operand]    the default value, in an untyped module
//! node       = "%"name [":" type] "=" op [operand {"," operand}]
//! op         = "call" | primitive ["<" attribute ">"]      the callee is the first operand of a call
//! operand    = "%"name | "@"name | literal [":" type]      the type only where it is not the literal's own
//! literal    = integer | float | "nan" | "inf" | "-inf" | "true" | "false" | string | "none" | "zero" | "undefined"
//! derivative = "derivative" OPERATOR "@"name "=" "@"name      OPERATOR: [`Prim::OPERATORS`]
//! ```
//!
//! A `rest` parameter takes the positional arguments that are left, a `keys` parameter those with other names, a `key` parameter is given by name ([`crate::graph::Tail`]).
//! `block` is [`Flavor::Block`]; a role other than primal stands in angle brackets. A missing type is unknown. Names are unique in
//! the module, so a nested graph mentions the nodes of an outer one like its own; nesting is not syntax. A name of digits is
//! a number given by the printer to a node without name; a name with other characters than letters, digits, `_` and `.` is
//! quoted. Graphs stand in the order of [`Nest`], nodes in that of the schedule. The note `; free` is for the reader.

use crate::graph::{Const, Flavor, GraphId, Kind, Module, NodeId, Role, Tail};
use crate::nest::Nest;
use crate::prim::Prim;
use crate::types::Type;
use rustc_hash::{FxHashMap, FxHashSet};
use slotmap::SecondaryMap;
use std::fmt::{self, Write};

/// The text of what the entry reaches; where there is none, of what the graphs without free variables reach.
pub fn print(m: &Module) -> String {
    let nest = nest(m);
    let names = Names::new(m, &nest);
    let mut out = String::new();
    write_module(&mut out, m, &nest, &names).expect("a string takes all text");
    out
}

fn write_module(out: &mut String, m: &Module, nest: &Nest, names: &Names) -> fmt::Result {
    if let Some(entry) = m.entry {
        writeln!(out, "entry {}", names.graph(entry))?;
    }
    for &g in nest.graphs() {
        write_graph(out, m, nest, names, g)?;
    }
    for &g in nest.graphs() {
        for p in Prim::OPERATORS {
            if let Some(&d) = m.derivatives.get(&(g, p)) {
                writeln!(out, "derivative {} {} = {}", p.name(), names.graph(g), names.graph(d))?;
            }
        }
    }
    Ok(())
}

fn write_graph(out: &mut String, m: &Module, nest: &Nest, names: &Names, g: GraphId) -> fmt::Result {
    let graph = &m[g];
    out.write_str(match graph.flavor {
        Flavor::Function => "graph",
        Flavor::Block => "block",
        Flavor::Library => "library",
    })?;
    out.write_str(match graph.role {
        Role::Primal => "",
        Role::Forward => "<forward>",
        Role::Backward => "<backward>",
    })?;
    write!(out, " {}(", names.graph(g))?;
    let first_default = graph.params.len().saturating_sub(graph.defaults.len());
    for (i, &p) in graph.params.iter().enumerate() {
        let comma = if i > 0 { ", " } else { "" };
        let after = graph.params.len() - i;
        let mark = match graph.tail {
            Tail { keyword_only, .. } if after <= keyword_only => "key ",
            Tail { keyword_only, keywords: true, .. } if after == keyword_only + 1 => "keys ",
            Tail { keyword_only, keywords, rest: true } if after == keyword_only + usize::from(keywords) + 1 => "rest ",
            _ => "",
        };
        write!(out, "{comma}{mark}{}{}", names.node(m, p), annotation(&m[p].ty))?;
        if i >= first_default {
            write!(out, " = {}", names.node(m, graph.defaults[i - first_default]))?;
        }
    }
    out.write_str(")")?;
    if graph.result != Type::Unknown {
        write!(out, " -> {}", graph.result)?;
    }
    out.write_str(" {")?;
    for (i, v) in nest.free(g).enumerate() {
        write!(out, "{} {}", if i == 0 { "  ; free" } else { "," }, names.node(m, v))?;
    }
    out.write_str("\n")?;
    for &n in nest.schedule(g) {
        writeln!(out, "  {}", names.definition(m, n))?;
    }
    if let Some(ret) = graph.ret {
        writeln!(out, "  {}", names.definition(m, ret))?;
    }
    out.write_str("}\n")
}

fn annotation(ty: &Type) -> String {
    if *ty == Type::Unknown { String::new() } else { format!(": {ty}") }
}

/// What is printed, in this order. Without an entry, a graph that has free variables and that nothing refers to is left out: what it
/// captures is computed nowhere.
pub(crate) fn nest(m: &Module) -> Nest {
    let roots = match m.entry {
        Some(entry) => vec![entry],
        None => {
            let all: Vec<GraphId> = m.graphs().map(|(g, _)| g).collect();
            let nest = Nest::new(m, &all);
            all.into_iter().filter(|&g| nest.is_closed(g)).collect()
        }
    };
    Nest::new(m, &roots)
}

/// The names of the nodes and graphs in the text form.
#[derive(Debug, Default)]
pub(crate) struct Names {
    nodes: SecondaryMap<NodeId, String>,
    graphs: SecondaryMap<GraphId, String>,
}

impl Names {
    /// The names that [`print()`] gives.
    pub(crate) fn new(m: &Module, nest: &Nest) -> Names {
        let order = nest.graphs();
        let nodes = order.iter().flat_map(|&g| m[g].params.iter().chain(nest.schedule(g)).copied());
        Names::of(m, order.iter().copied(), nodes)
    }

    /// Names for a module that may be too broken to be printed: by slot.
    pub(crate) fn by_slot(m: &Module) -> Names {
        let nodes = m.nodes().filter(|(_, node)| node.graph.is_some() && node.kind != Kind::Return);
        Names::of(m, m.graphs().map(|(g, _)| g), nodes.map(|(n, _)| n))
    }

    fn of(m: &Module, graphs: impl Iterator<Item = GraphId>, nodes: impl Iterator<Item = NodeId>) -> Names {
        let mut names = Names::default();
        let mut unique = Unique::default();
        for g in graphs {
            names.graphs.insert(g, format!("@{}", quoted(&unique.name(&m[g].name))));
        }
        unique = Unique::default();
        let mut unnamed = 0;
        for n in nodes {
            let text = match &m[n].name {
                Some(name) => format!("%{}", quoted(&unique.name(name))),
                None => {
                    unnamed += 1;
                    format!("%{}", unnamed - 1)
                }
            };
            names.nodes.insert(n, text);
        }
        names
    }

    /// A graph as it is mentioned. `@?` is one that the module does not reach.
    pub(crate) fn graph(&self, g: GraphId) -> &str {
        self.graphs.get(g).map_or("@?", String::as_str)
    }

    /// A node as an operand. `%?` is one that the module does not reach.
    pub(crate) fn node(&self, m: &Module, n: NodeId) -> String {
        if !m.has_node(n) {
            return "%?".into();
        }
        match m[n].as_const() {
            Some(Const::Graph(g)) => self.graph(*g).into(),
            Some(c) if m[n].ty == literal_type(c) => literal(c),
            Some(c) => format!("{}: {}", literal(c), m[n].ty),
            None => self.nodes.get(n).cloned().unwrap_or_else(|| "%?".into()),
        }
    }

    /// A node as the line that defines it; a constant or a parameter as an operand.
    pub(crate) fn definition(&self, m: &Module, n: NodeId) -> String {
        let node = &m[n];
        let op = match node.kind {
            Kind::Param | Kind::Const(_) => return self.node(m, n),
            Kind::Return => "return".into(),
            Kind::Call => format!("{}{} = call", self.node(m, n), annotation(&node.ty)),
            Kind::Prim(p) => format!("{}{} = {}", self.node(m, n), annotation(&node.ty), op(p)),
        };
        let operands: Vec<String> = node.inputs().iter().map(|&i| self.node(m, i)).collect();
        if operands.is_empty() { op } else { format!("{op} {}", operands.join(", ")) }
    }
}

/// Makes names unique by a suffix. Names that are unique stay as they are.
#[derive(Default)]
struct Unique {
    taken: FxHashSet<String>,
    last: FxHashMap<String, u32>,
}

impl Unique {
    fn name(&mut self, name: &str) -> String {
        if self.taken.insert(name.to_owned()) {
            return name.to_owned();
        }
        let last = self.last.entry(name.to_owned()).or_default();
        loop {
            *last += 1;
            let candidate = format!("{name}.{last}");
            if self.taken.insert(candidate.clone()) {
                return candidate;
            }
        }
    }
}

/// Whether a character may stand in a name that is not quoted.
pub(crate) fn is_name_char(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '.'
}

fn quoted(name: &str) -> String {
    let plain = name.starts_with(|c: char| is_name_char(c) && !c.is_ascii_digit()) && name.chars().all(is_name_char);
    if plain { name.to_owned() } else { format!("{name:?}") }
}

/// The type that a literal has if none is written.
pub(crate) fn literal_type(c: &Const) -> Type {
    match c {
        Const::F64(_) => Type::F64,
        Const::I64(_) => Type::I64,
        Const::Bool(_) => Type::Bool,
        Const::Str(_) => Type::Str,
        Const::None => Type::None,
        Const::Zero => Type::Zero,
        Const::Undefined | Const::Graph(_) => Type::Unknown,
    }
}

/// The text of a constant that is no graph. Every NaN is `nan`.
pub(crate) fn literal(c: &Const) -> String {
    match c {
        Const::F64(bits) => match f64::from_bits(*bits) {
            v if v.is_nan() => "nan".into(),
            v if v.is_infinite() => if v > 0.0 { "inf" } else { "-inf" }.into(),
            v => format!("{v:?}"),
        },
        Const::I64(v) => v.to_string(),
        Const::Bool(v) => v.to_string(),
        Const::Str(s) => format!("{s:?}"),
        Const::None => "none".into(),
        Const::Zero => "zero".into(),
        Const::Undefined => "undefined".into(),
        Const::Graph(_) => unreachable!("a graph constant is printed by its name"),
    }
}

/// A primitive with its attribute.
pub(crate) fn op(p: Prim) -> String {
    match p {
        Prim::Get(i) => format!("get<{i}>"),
        Prim::NestLevel(n) => format!("nest_level<{n}>"),
        Prim::Taylor(n) => format!("taylor<{n}>"),
        Prim::Host(host) => format!("host<{}>", host.number()),
        Prim::Array(op, attribute) if !attribute.is_empty() => format!("{}<{attribute}>", op.name()),
        Prim::Lift(op) => format!("lift<{}>", op.name()),
        Prim::PartialKw(n) => format!("partial_kw<{n}>"),
        Prim::CallKw(n) => format!("call_kw<{n}>"),
        Prim::Apply(n) => format!("apply<{n}>"),
        Prim::Grad { many, aux, allow_int, .. } if many || aux || allow_int => {
            let marks = [many.then_some("many"), aux.then_some("aux"), allow_int.then_some("ints")];
            format!("{}<{}>", p.name(), marks.into_iter().flatten().collect::<Vec<_>>().join("_"))
        }
        _ => p.name().into(),
    }
}

/// Checks the law of the text form, that it comes back, and gives the text.
#[cfg(test)]
pub(crate) fn roundtrip_check(m: &Module) -> String {
    let text = print(m);
    let again = crate::parse::parse(&text).unwrap_or_else(|e| panic!("{e} in\n{text}"));
    assert_eq!(print(&again), text);
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::span::Span;
    use expect_test::expect;

    #[test]
    fn names_are_made_unique() {
        let mut m = Module::new();
        let f = m.add_graph("f", Flavor::Function, Role::Primal, Span::NONE);
        let g = m.add_graph("f", Flavor::Block, Role::Backward, Span::NONE);
        let x = m.add_param(f, Type::F64, Some("x".into()), Span::NONE);
        let y = m.prim(f, Prim::Mul, vec![x, x], Type::F64, Span::NONE);
        m.set_name(y, "x");
        let z = m.prim(g, Prim::Add, vec![y, x], Type::F64, Span::NONE);
        let half = m.f64(0.5);
        let z = m.prim(g, Prim::Mul, vec![z, half], Type::F64, Span::NONE);
        m.set_name(z, "<z>");
        m.set_result(g, z);
        let callee = m.graph_ref(g);
        let call = m.call(f, callee, &[], Type::F64, Span::NONE);
        m.set_result(f, call);
        m.entry = Some(f);
        expect![[r#"
            entry @f
            graph @f(%x: f64) -> f64 {
              %x.1: f64 = mul %x, %x
              %0: f64 = call @f.1
              return %0
            }
            block<backward> @f.1() -> f64 {  ; free %x.1, %x
              %1: f64 = add %x.1, %x
              %"<z>": f64 = mul %1, 0.5
              return %"<z>"
            }
        "#]]
        .assert_eq(&roundtrip_check(&m));
    }

    #[test]
    fn printed_as_written() {
        for text in [
            include_str!("../test_data/pow.ir"),
            include_str!("../test_data/closure.ir"),
            include_str!("../test_data/pullback.ir"),
            include_str!("../test_data/tape.ir"),
            include_str!("../test_data/source.ir"),
        ] {
            assert_eq!(roundtrip_check(&crate::parse::parse(text).unwrap()), text);
        }
    }
}

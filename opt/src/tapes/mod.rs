//! What is recorded: records of tapes hold what the adjoint still reads once it is simplified (docs/strategies.md §5, rule 10).
//!
//! A *class* is the tape-typed nodes that one and the same tape flows through: from the empty tape over pushes, parameters and
//! captures to pops. Of a class all of whose places are known, a field of the record goes if
//!
//! * *dead*: no pop reads it;
//! * *equal*: every push gives it the value of another field;
//! * *invariant*: every push gives it one value, a constant or one from outside of the loop that both halves have in scope;
//! * *recomputed*: every push gives it the same few cheap operations on invariants, on other fields that are kept, on the number of the
//!   record, and on what is recomputed already;
//! * *closure*: every push gives it a closure of the same graph; its captures take its place, and the pop makes it anew.
//!
//! If none is left, the pushes and pops go too.
//!
//! The last three need that every record that is popped was pushed, and was not summed with another. So they are for tapes that begin
//! `undefined`, as what a loop records does; of a tape of cotangents, which begins with `zero`, a pop may go below the first record.

mod classes;
mod counts;
mod fields;
mod stored;

pub use stored::{Stored, Why, stored};

use crate::nesting::{fixed_graphs, scopes_of_mentions};
use crate::report::{PassReport, Recomputed};
use classes::classes;
use fields::{Computed, Field, Fields, Numbers, Operand, Sites, Source};
use gradus_ir::cfg::Cfg;
use gradus_ir::clone::{clone_graphs, graphs_with};
use gradus_ir::{Const, GraphId, Kind, Module, Nest, NodeId, Prim, Type};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// How many closures are taken apart in one run. One that makes itself anew can be for ever.
const CLOSURES: usize = 100;

/// Shrinks records; computes a value again that takes no more than `recompute` operations.
pub(crate) fn run(m: &mut Module, nest: &Nest, recompute: usize, report: &mut PassReport) {
    let entry = m.entry.expect("a typed module has an entry");
    let mut next = None;
    for _ in 0..CLOSURES {
        if !shrink(m, next.as_ref().unwrap_or(nest), recompute, report) {
            return;
        }
        m.collect_garbage(&[entry]);
        next = Some(Nest::new(m, &[entry]));
    }
}

/// Shrinks records until one held closures. Other tapes may be in graphs that were copied for these: gives true, for it to be run again.
fn shrink(m: &mut Module, nest: &Nest, recompute: usize, report: &mut PassReport) -> bool {
    let classes = classes(m, nest);
    if classes.is_empty() {
        return false;
    }
    let (scopes, fixed) = (scopes_of_mentions(m, nest, &Cfg::new(m, nest)), fixed_graphs(m));
    for class in classes {
        let Some(sites) = Sites::new(m, &class.nodes) else { continue };
        let fields = Fields::new((m, nest), (&scopes, &fixed), &class, &sites, recompute);
        if fields.is_settled() {
            continue;
        }
        for (source, &operations) in fields.sources.iter().zip(&fields.operations) {
            match source {
                Source::Is(Operand::Field(_)) => {}
                Source::Is(Operand::Number) => report.count("recomputed fields", 1),
                Source::Dead => report.count("dead fields", 1),
                Source::Is(Operand::Value(_)) => report.count("invariant fields", 1),
                Source::Is(Operand::Computed(k)) => {
                    report.count("recomputed fields", 1);
                    let value = &m[fields.computed[*k].values[0]];
                    let (name, span, ty) = (value.name.clone(), value.span, value.ty.clone());
                    report.recomputed.push(Recomputed { name, span, ty, operations });
                }
                Source::Closure { .. } => report.count("closures taken apart", 1),
            }
        }
        report.count("records", 1);
        let numbers = fields.popped(&sites);
        let Fields { kept, computed, sources, .. } = fields;
        rewrite(m, nest, &class.nodes, &sites, &sources, (&kept, &computed, &numbers));
        if sources.iter().any(|s| matches!(s, Source::Closure { .. })) {
            return true;
        }
    }
    false
}

fn rewrite(
    m: &mut Module,
    nest: &Nest,
    class: &[NodeId],
    sites: &Sites,
    sources: &[Source],
    (kept, computed, numbers): (&[Field], &[Computed], &Numbers),
) {
    let record = Type::tuple(kept.iter().map(|(ty, _)| ty.clone()));
    let tape = Type::tape(record.clone());
    let mut made = Made { kept, computed, numbers, nodes: FxHashMap::default() };
    // What is read may be pushed again.
    let mut replaced: FxHashMap<NodeId, NodeId> = FxHashMap::default();
    for (reads, source) in sites.reads.iter().zip(sources) {
        for &read in reads {
            let value = made.value_of(m, nest, read, source);
            m.replace(read, value);
            replaced.insert(read, value);
        }
    }
    for (i, &push) in sites.pushes.iter().enumerate() {
        let (g, span) = (m[push].graph.expect("an application belongs to a graph"), m[push].span);
        let values: Vec<NodeId> = kept.iter().map(|(_, values)| replaced.get(&values[i]).copied().unwrap_or(values[i])).collect();
        let tuple = m.prim(g, Prim::Tuple, values, record.clone(), span);
        m.set_input(push, 1, tuple);
    }
    for &pop in &sites.pops {
        m.set_type(pop, Type::tuple([tape.clone(), record.clone()]));
        for part in m[pop].users().to_vec() {
            let ty = if m.as_prim(part.node) == Some(Prim::Get(0)) { &tape } else { &record };
            m.set_type(part.node, ty.clone());
        }
    }
    // A tape without records is a constant, shared by all tapes of one type.
    let retype = |m: &mut Module, n: NodeId, i: usize| {
        let input = m[n].inputs()[i];
        if let Some(constant) = m[input].as_const().cloned()
            && matches!(m[input].ty, Type::Tape(_))
        {
            let empty = m.constant(constant, tape.clone());
            m.set_input(n, i, empty);
        }
    };
    for &n in class {
        m.set_type(n, tape.clone());
        (0..m[n].inputs().len()).for_each(|i| retype(m, n, i));
        if m[n].kind == Kind::Param {
            let g = m[n].graph.expect("a parameter belongs to a graph");
            let i = m[g].params.iter().position(|&p| p == n).expect("the parameters of a graph are listed");
            let constant = m.graph_ref(g);
            for user in m[constant].users().to_vec() {
                retype(m, user.node, i + 1);
            }
        }
    }
    if kept.is_empty() {
        let rests = sites.pops.iter().flat_map(|&pop| m[pop].users()).map(|u| u.node);
        let rests: Vec<NodeId> = rests.filter(|&n| m.as_prim(n) == Some(Prim::Get(0))).collect();
        let empty = m.constant(Const::Zero, tape);
        for &n in sites.pushes.iter().chain(&rests) {
            m.replace(n, empty);
        }
    }
}

/// What was made of the new record.
struct Made<'a> {
    kept: &'a [Field],
    computed: &'a [Computed],
    numbers: &'a Numbers,
    /// What was computed again from a record, in a graph.
    nodes: FxHashMap<(NodeId, GraphId, usize), NodeId>,
}

impl Made<'_> {
    /// The value of a field, where `read` reads it.
    fn value_of(&mut self, m: &mut Module, nest: &Nest, read: NodeId, source: &Source) -> NodeId {
        match source {
            Source::Dead => unreachable!("a field that is read is live"),
            Source::Is(operand) => self.operand(m, read, *operand),
            Source::Closure { graph, captured, values } => {
                let values: Vec<NodeId> = values.iter().map(|&o| self.operand(m, read, o)).collect();
                let (variables, bound) = values.split_at(captured.len());
                let mut map: FxHashMap<NodeId, NodeId> = captured.iter().copied().zip(variables.iter().copied()).collect();
                let graphs = graphs_with(nest, *graph, captured, |v| m[v].graph);
                let copies = clone_graphs(m, nest, &graphs, &mut map);
                let closure = m.graph_ref(copies.get(graph).copied().unwrap_or(*graph));
                if bound.is_empty() {
                    return closure;
                }
                let (g, span, ty) = (m[read].graph.expect("an application belongs to a graph"), m[read].span, m[read].ty.clone());
                m.prim(g, Prim::Partial, [&[closure], bound].concat(), ty, span)
            }
        }
    }

    /// A value, beside `read`.
    fn operand(&mut self, m: &mut Module, read: NodeId, operand: Operand) -> NodeId {
        let (g, span, record) = (m[read].graph.expect("an application belongs to a graph"), m[read].span, m[read].inputs()[0]);
        let Operand::Computed(number) = operand else { return self.given(m, read, operand) };
        let mut needed = BTreeSet::new();
        let mut work = vec![number];
        while let Some(k) = work.pop() {
            if !self.nodes.contains_key(&(record, g, k)) && needed.insert(k) {
                work.extend(self.computed[k].computed_operands());
            }
        }
        for k in needed {
            let Computed { prim, ty, operands, .. } = &self.computed[k];
            let operands = operands.iter().map(|&o| self.given(m, read, o)).collect();
            let node = m.prim(g, *prim, operands, ty.clone(), span);
            self.nodes.insert((record, g, k), node);
        }
        self.given(m, read, operand)
    }

    /// A value that is there, or in the record.
    fn given(&self, m: &mut Module, read: NodeId, operand: Operand) -> NodeId {
        let (g, span, record) = (m[read].graph.expect("an application belongs to a graph"), m[read].span, m[read].inputs()[0]);
        match operand {
            Operand::Value(value) => value,
            Operand::Number => {
                let (number, more) = self.numbers[&m[record].inputs()[0]];
                let less = m.i64(-more);
                m.prim(g, Prim::WrapSub, vec![number, less], Type::I64, span)
            }
            Operand::Computed(k) => self.nodes[&(record, g, k)],
            Operand::Field(k) => m.prim(g, Prim::Get(k as u32), vec![record], self.kept[k].0.clone(), span),
        }
    }
}

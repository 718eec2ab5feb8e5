//! Function values: which graphs they can be of, and with how many bound arguments.
//!
//! A function value is a graph and the first things its code takes: captures, then bound arguments. So there is one kind of object
//! for each graph and number of bound arguments. `partial` of a value leads to a kind with more arguments, `J` to the kind
//! of the derivative graph with as many.

use super::layout::width;
use crate::callees::callee_selects;
use gradus_ir::{GraphId, Kind, Module, Nest, NodeId, Prim};
use rustc_hash::FxHashSet;
use slotmap::SecondaryMap;
use std::collections::BTreeSet;

/// Which kinds of function objects a program can make.
#[derive(Default)]
pub struct FunctionValues {
    /// The number of a graph's first descriptor; those of its kinds follow, up to all parameters bound.
    first: SecondaryMap<GraphId, usize>,
    /// How many kinds there are of a graph.
    kinds_of: SecondaryMap<GraphId, usize>,
    count: usize,
    kinds: Vec<(GraphId, usize)>,
    /// The graphs that are called by name.
    called: FxHashSet<GraphId>,
}

impl FunctionValues {
    /// Analyses what `nest` covers.
    pub fn new(m: &Module, nest: &Nest) -> FunctionValues {
        let mut values = FunctionValues::default();
        let mut seen: FxHashSet<(GraphId, usize)> = FxHashSet::default();
        let mut work: Vec<(GraphId, usize)> = Vec::new();
        let mut operators: BTreeSet<Prim> = BTreeSet::new();
        let mut extensions: BTreeSet<usize> = BTreeSet::new();
        for &g in nest.graphs() {
            let callees = callee_selects(m, g, nest.schedule(g));
            work.extend(m.as_graph(m.result(g)).map(|h| (h, 0)));
            for &n in nest.schedule(g) {
                let inputs = m[n].inputs();
                match m[n].kind {
                    Kind::Prim(p) if p.is_operator() => _ = operators.insert(p),
                    Kind::Prim(Prim::Partial) if m.as_graph(inputs[0]).is_none() => _ = extensions.insert(inputs.len() - 1),
                    _ => {}
                }
                work.extend(inputs.iter().enumerate().filter_map(|(i, &input)| {
                    let called = match m[n].kind {
                        Kind::Call => i == 0,
                        _ => callees.contains(&n),
                    };
                    let h = m.as_graph(input)?;
                    if called {
                        values.called.insert(h);
                        return None;
                    }
                    let bound = if i == 0 && m[n].kind == Kind::Prim(Prim::Partial) { inputs.len() - 1 } else { 0 };
                    Some((h, bound))
                }));
            }
        }
        work.reverse();
        while let Some((g, bound)) = work.pop() {
            if !seen.insert((g, bound)) {
                continue;
            }
            values.kinds.push((g, bound));
            *values.kinds_of.entry(g).expect("graphs exist").or_default() += 1;
            if !values.first.contains_key(g) {
                values.first.insert(g, values.count);
                values.count += m[g].params.len() + 1;
            }
            let more = extensions.iter().map(|n| bound + n).filter(|&n| n <= m[g].params.len());
            work.extend(more.map(|n| (g, n)));
            work.extend(operators.iter().filter_map(|&p| m.derivatives.get(&(g, p))).map(|&d| (d, bound)));
        }
        values
    }

    /// The kinds, in a fixed order.
    pub fn kinds(&self) -> &[(GraphId, usize)] {
        &self.kinds
    }

    /// Whether the code of a graph is entered through objects of one kind alone.
    pub fn is_one_kind(&self, g: GraphId) -> bool {
        !self.called.contains(&g) && self.kinds_of.get(g) == Some(&1)
    }

    /// Whether no graph calls this one or makes a function value of it.
    pub fn is_unused(&self, g: GraphId) -> bool {
        !self.called.contains(&g) && !self.kinds_of.contains_key(g)
    }

    /// The number of descriptors.
    pub fn descriptor_count(&self) -> usize {
        self.count
    }

    /// The number of the descriptor of a kind; none if the graph has no function values.
    pub fn descriptor(&self, g: GraphId, bound: usize) -> Option<usize> {
        Some(self.first.get(g)? + bound)
    }
}

/// The number of words in an object of a kind, after its descriptor.
pub fn object_words(m: &Module, nest: &Nest, g: GraphId, bound: usize) -> usize {
    object_fields(m, nest, g, bound).map(|n| width(&m[n].ty)).sum()
}

/// The captures and parameters that an object of a kind holds.
pub fn object_fields<'a>(m: &'a Module, nest: &'a Nest, g: GraphId, bound: usize) -> impl Iterator<Item = NodeId> + 'a {
    nest.free(g).chain(m[g].params[..bound].iter().copied())
}

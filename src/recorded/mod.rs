//! What a run keeps for later, and why: the records of tapes and the captures of closures, as they are in the module that runs.
//!
//! Both strategies decide this by what the adjoint reads, and the simplifier decides again. So it is not the transforms that are
//! asked but their result: each place that makes a record or an object, and what its fields are read by. Only why a value is not
//! computed again is a question to the pass that decides it, [`gradus_opt::stored`].

mod flow;
mod reason;

pub use reason::{Origin, Purpose, Reason, Stored};

use crate::{Compiled, Options, Simplify, pipeline};
use flow::{Flow, Part};
use gradus_ir::{GraphId, Kind, Module, NodeId, Prim, Role, Span, Type, Use};
use rustc_hash::FxHashSet;
use std::fmt;

/// What keeps values.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Keeper {
    /// A tape: one record for each time that the place is passed.
    Tape,
    /// A closure that is an object, or a partial application.
    Closure,
    /// A box, which holds the cotangents of a closure's captures.
    Box,
}

/// A place in the program where values are kept.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Record {
    /// The function or block where it is; of a closure, that of its body.
    pub function: String,
    /// Where that is in the source.
    pub span: Span,
    /// What keeps them.
    pub keeper: Keeper,
    /// The values.
    pub fields: Vec<Field>,
    /// Of the record of a tape: how many bytes it would be with smaller limits of [`Options::recompute`], 1 and 0.
    pub recorded_more: Vec<(usize, usize)>,
}

/// A value that is kept.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Field {
    /// Which one it is.
    pub origin: Origin,
    /// What native code takes for it: of an array, a reference.
    pub bytes: usize,
    /// What the arrays take that it refers to.
    pub array_bytes: usize,
    /// What it is kept for, each reason once.
    pub reasons: Vec<Reason>,
    /// In the record of a tape: why it is not computed again.
    pub stored: Option<Stored>,
}

impl Record {
    /// What native code takes for all values, without an object's header.
    pub fn bytes(&self) -> usize {
        self.fields.iter().map(|f| f.bytes).sum()
    }

    /// What the arrays take that the values refer to, each counted as if nothing else did.
    pub fn array_bytes(&self) -> usize {
        self.fields.iter().map(|f| f.array_bytes).sum()
    }
}

/// What a compiled program keeps, in the order of its graphs.
pub fn recorded(compiled: &Compiled) -> Vec<Record> {
    let options = compiled.options();
    let mut records = records(&compiled.stages().lowered, options);
    if options.simplify == Simplify::Off || records.iter().all(|r| r.keeper != Keeper::Tape) {
        return records;
    }
    for recompute in (0..options.recompute.min(2)).rev() {
        let options = Options { recompute, ..options.clone() };
        let Ok(stages) = pipeline::again(compiled.stages(), &options) else { break };
        let mut others = self::records(&stages.lowered, &options);
        for record in records.iter_mut().filter(|r| r.keeper == Keeper::Tape) {
            let same = |r: &Record| (r.keeper, &r.function, r.span) == (Keeper::Tape, &record.function, record.span);
            let other = others.iter().position(same).map(|i| others.remove(i));
            record.recorded_more.extend(other.map(|other| (recompute, other.bytes())));
        }
    }
    records
}

/// What a typed module keeps that was made under some options.
fn records(m: &Module, options: &Options) -> Vec<Record> {
    let flow = Flow::new(m);
    let stored = gradus_opt::stored(m, &flow.nest, &options.simplifier());
    let mut found = Vec::new();
    let mut closures: FxHashSet<GraphId> = FxHashSet::default();
    for &g in flow.nest.graphs() {
        let made = |of: GraphId, keeper, fields: Vec<Field>| {
            let (function, span) = (m[of].name.to_string(), m[of].span);
            (!fields.is_empty()).then_some(Record { function, span, keeper, fields, recorded_more: Vec::new() })
        };
        for &n in flow.nest.schedule(g).iter().chain(&m[g].ret) {
            let inputs = m[n].inputs();
            match m[n].kind {
                Kind::Prim(Prim::Push) => found.extend(made(g, Keeper::Tape, flow.record(n, stored.get(&n)))),
                Kind::Prim(Prim::Pack) => found.extend(made(g, Keeper::Box, flow.boxed(inputs[0]))),
                Kind::Prim(Prim::Partial) => {
                    let of = m.as_graph(inputs[0]).unwrap_or(g);
                    found.extend(made(of, Keeper::Closure, flow.bound(n)));
                }
                _ => {}
            }
            for (index, &input) in inputs.iter().enumerate() {
                let Some(closure) = m.as_graph(input) else { continue };
                let bound = m[n].kind == Kind::Prim(Prim::Partial) && index == 0;
                let called = flow.is_callee(Use { node: n, index: index as u32 });
                if !bound && !called && closures.insert(closure) {
                    found.extend(made(closure, Keeper::Closure, flow.captures(closure)));
                }
            }
        }
    }
    found
}

impl Flow<'_> {
    /// The fields of the record that a push puts on its tape, read where it is popped.
    fn record(&self, push: NodeId, stored: Option<&Vec<Option<gradus_opt::Stored>>>) -> Vec<Field> {
        let pops: Vec<NodeId> = self.readers(Part::whole(push), None).into_iter().map(|u| u.node).collect();
        let pops = pops.into_iter().filter(|&n| self.m.as_prim(n) == Some(Prim::Pop));
        let ways: Vec<Part> = pops.map(|node| Part { node, way: vec![1] }).collect();
        let fields = self.fields(self.m[push].inputs()[1], &ways).into_iter();
        let stored = |i: usize| stored.and_then(|fields| fields.get(i).copied().flatten()).map(|s| self.stored(s));
        fields.map(|(i, field)| Field { stored: stored(i), ..field }).collect()
    }

    fn stored(&self, stored: gradus_opt::Stored) -> Stored {
        Stored { operand: (!stored.itself).then(|| self.origin(stored.at)), why: stored.why }
    }

    fn origin(&self, n: NodeId) -> Origin {
        let node = &self.m[n];
        Origin { name: node.name.as_deref().map(str::to_owned), span: node.span, ty: node.ty.clone() }
    }

    /// The parts of a node, by their numbers if it is a tuple, with what reads them at one of the places where it is found again.
    fn fields(&self, n: NodeId, again: &[Part]) -> Vec<(usize, Field)> {
        let parts: Vec<(NodeId, Vec<usize>)> = match self.m.as_prim(n) {
            Some(Prim::Tuple) => self.m[n].inputs().iter().enumerate().map(|(i, &n)| (n, vec![i])).collect(),
            _ => vec![(n, Vec::new())],
        };
        let reads = |way: &[usize]| -> Vec<Use> {
            let part = |p: &Part| Part { node: p.node, way: [&p.way, way].concat() };
            again.iter().flat_map(|p| self.readers(part(p), None)).collect()
        };
        let parts = parts.into_iter().enumerate();
        parts.filter_map(|(i, (n, way))| Some((i, self.field(n, &reads(&way))?))).collect()
    }

    fn boxed(&self, payload: NodeId) -> Vec<Field> {
        let fields = self.fields(payload, &[]).into_iter();
        fields.map(|(_, field)| Field { reasons: vec![Reason::Kept], ..field }).collect()
    }

    /// What a closure captures.
    fn captures(&self, g: GraphId) -> Vec<Field> {
        let captured = self.nest.free(g);
        captured.filter_map(|n| self.field(n, &self.readers(Part::whole(n), Some(g)))).collect()
    }

    /// What a partial application holds: what its graph captures, and the arguments.
    fn bound(&self, partial: NodeId) -> Vec<Field> {
        let (callee, args) = self.m[partial].inputs().split_first().expect("a callee and arguments");
        let Some(g) = self.m.as_graph(*callee) else {
            let read = |i: usize| Use { node: partial, index: i as u32 };
            return (0..=args.len()).filter_map(|i| self.field(self.m[partial].inputs()[i], &[read(i)])).collect();
        };
        let args = args.iter().zip(&self.m[g].params);
        let args = args.filter_map(|(&arg, &param)| self.field(arg, &self.readers(Part::whole(param), None)));
        self.captures(g).into_iter().chain(args).collect()
    }

    /// A field; none if there is nothing to keep.
    fn field(&self, n: NodeId, read: &[Use]) -> Option<Field> {
        let node = &self.m[n];
        let (bytes, array_bytes) = (gradus_backend::jit::bytes(&node.ty), gradus_backend::jit::referred_bytes(&node.ty));
        let mut reasons: Vec<Reason> = read.iter().map(|&u| self.reason(&node.ty, u)).collect();
        reasons.sort_unstable();
        reasons.dedup();
        (bytes > 0).then(|| Field { origin: self.origin(n), bytes, array_bytes, reasons, stored: None })
    }

    /// What a value of a type is kept for, by one use.
    fn reason(&self, ty: &Type, u: Use) -> Reason {
        let node = &self.m[u.node];
        let purpose = match node.kind {
            Kind::Call if u.index == 0 => Purpose::Called,
            Kind::Call | Kind::Prim(Prim::Partial) => Purpose::Passed,
            Kind::Return => return Reason::Returned,
            Kind::Prim(Prim::Push | Prim::Pack | Prim::Gadd) => return Reason::Kept,
            // Indices of edges and counts of trips are not in the source.
            _ if node.span == Span::NONE && ty.is_inert() => return Reason::Control,
            _ => Purpose::Read,
        };
        let adjoint = node.graph.is_some_and(|g| self.m[g].role == Role::Backward);
        Reason::Step { purpose, adjoint, span: node.span }
    }
}

impl fmt::Display for Keeper {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Keeper::Tape => "tape",
            Keeper::Closure => "closure",
            Keeper::Box => "box",
        })
    }
}

//! What a run keeps for later, and why: the records of tapes and the captures of closures, as they are in the module that runs.
//!
//! Both strategies decide this by what the adjoint reads, and the simplifier decides again. So it is not the transforms that are
//! asked but their result: each place that makes a record or an object, and what its fields are read by.

mod flow;

use flow::{Flow, Part};
use gradus_ir::{GraphId, Kind, Module, NodeId, Prim, Role, Source, Span, Type, Use};
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
}

/// A value that is kept.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Field {
    /// The variable that it was in the source, if any.
    pub name: Option<String>,
    /// Where it was computed.
    pub span: Span,
    /// Its type.
    pub ty: Type,
    /// What native code takes for it.
    pub bytes: usize,
    /// What it is kept for, each reason once.
    pub reasons: Vec<Reason>,
}

/// Why a value is kept.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Reason {
    /// It is needed by what stands at a place in the source: by its adjoint, or by the step of the program itself.
    Step {
        /// What becomes of it.
        purpose: Purpose,
        /// Whether that is in the adjoint.
        adjoint: bool,
        /// The place.
        span: Span,
    },
    /// It says which way the program went, so that the adjoint can go back.
    Control,
    /// It is returned to a caller that is not known.
    Returned,
    /// It is put into another record or box.
    Kept,
}

/// What a step does with a value.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Purpose {
    /// It computes with it.
    Read,
    /// It calls it.
    Called,
    /// It hands it to a function that is not known.
    Passed,
}

impl Record {
    /// What native code takes for all values, without an object's header.
    pub fn bytes(&self) -> usize {
        self.fields.iter().map(|f| f.bytes).sum()
    }
}

/// What a typed module keeps, in the order of its graphs.
pub fn recorded(m: &Module) -> Vec<Record> {
    let flow = Flow::new(m);
    let mut found = Vec::new();
    let mut closures: FxHashSet<GraphId> = FxHashSet::default();
    for &g in flow.nest.graphs() {
        let made = |of: GraphId, keeper, fields: Vec<Field>| {
            let (function, span) = (m[of].name.to_string(), m[of].span);
            (!fields.is_empty()).then_some(Record { function, span, keeper, fields })
        };
        for &n in flow.nest.schedule(g).iter().chain(&m[g].ret) {
            let inputs = m[n].inputs();
            match m[n].kind {
                Kind::Prim(Prim::Push) => found.extend(made(g, Keeper::Tape, flow.record(n))),
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
    fn record(&self, push: NodeId) -> Vec<Field> {
        let pops: Vec<NodeId> = self.readers(Part::whole(push), None).into_iter().map(|u| u.node).collect();
        let pops = pops.into_iter().filter(|&n| self.m.as_prim(n) == Some(Prim::Pop));
        let ways: Vec<Part> = pops.map(|node| Part { node, way: vec![1] }).collect();
        self.fields(self.m[push].inputs()[1], &ways)
    }

    /// The parts of a node, if it is a tuple, with what reads them at one of the places where it is found again.
    fn fields(&self, n: NodeId, again: &[Part]) -> Vec<Field> {
        let parts: Vec<(NodeId, Vec<usize>)> = match self.m.as_prim(n) {
            Some(Prim::Tuple) => self.m[n].inputs().iter().enumerate().map(|(i, &n)| (n, vec![i])).collect(),
            _ => vec![(n, Vec::new())],
        };
        let reads = |way: &[usize]| -> Vec<Use> {
            let part = |p: &Part| Part { node: p.node, way: [&p.way, way].concat() };
            again.iter().flat_map(|p| self.readers(part(p), None)).collect()
        };
        parts.into_iter().filter_map(|(n, way)| self.field(n, &reads(&way))).collect()
    }

    fn boxed(&self, payload: NodeId) -> Vec<Field> {
        let mut fields = self.fields(payload, &[]);
        fields.iter_mut().for_each(|f| f.reasons = vec![Reason::Kept]);
        fields
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
        let bytes = gradus_backend::jit::bytes(&node.ty);
        let mut reasons: Vec<Reason> = read.iter().map(|&u| self.reason(&node.ty, u)).collect();
        reasons.sort_unstable();
        reasons.dedup();
        let field =
            || Field { name: node.name.as_deref().map(str::to_owned), span: node.span, ty: node.ty.clone(), bytes, reasons };
        (bytes > 0).then(field)
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

/// What stands at a place, on one line, with the number of the line.
fn quote(source: Option<&Source>, span: Span) -> Option<String> {
    const LONGEST: usize = 40;
    let text = &source?.text;
    let range = span.start as usize..span.end as usize;
    let words: Vec<&str> = text.get(range.clone())?.split_whitespace().collect();
    let mut quoted = words.join(" ");
    if quoted.chars().count() > LONGEST {
        quoted = quoted.chars().take(LONGEST - 1).chain(['…']).collect();
    }
    Some(format!("`{quoted}`, line {}", text[..range.start].matches('\n').count() + 1))
}

impl Field {
    /// The value as a reader of the source knows it.
    pub fn what(&self, source: Option<&Source>) -> String {
        let at = quote(source, self.span);
        match (&self.name, at) {
            (Some(name), _) => name.clone(),
            (None, Some(at)) if self.ty.is_fn() => format!("function of {at}"),
            (None, Some(at)) => at,
            (None, None) => "value".into(),
        }
    }
}

impl Reason {
    /// The reason as a clause, with what stands in the source.
    pub fn clause(&self, source: Option<&Source>) -> String {
        match *self {
            Reason::Step { purpose, adjoint, span } => {
                let verb = match purpose {
                    Purpose::Read => "read",
                    Purpose::Called => "called",
                    Purpose::Passed => "handed on to an unknown function",
                };
                let by = match (adjoint, quote(source, span)) {
                    (true, Some(at)) => format!("the adjoint of {at}"),
                    (true, None) => "the adjoint".into(),
                    (false, Some(at)) => at,
                    (false, None) => "the program".into(),
                };
                format!("{verb} by {by}")
            }
            Reason::Control => "says which way to go back".into(),
            Reason::Returned => "returned to a caller that is not known".into(),
            Reason::Kept => "put into another record or box".into(),
        }
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

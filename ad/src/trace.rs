//! The trace strategy (docs/strategies.md §10): an operator-by-operator tape, as operator overloading keeps one.
//!
//! ```text
//! T(f)(f′, a…, a′…) = (y, y′)              x′ the place of x on the tape of the run
//!
//! n = p(a…), of floats   ⟶  n, and n′ the place of a new entry: the places a′…, and the derivatives of p by each
//! n = p(a…), of arrays   ⟶  n, and n′ the place of a function that is given n̄ and adds to the cotangents at a′…
//! J(f)(a…)               =  (y, λȳ. add ȳ at y′; from the last entry to the first pass cotangents on; take those at a′…)
//! ```
//!
//! All else is forward mode: places are handed on as tangents are. Control flow leaves nothing on the tape, which is one across calls
//! and loops. Other strategies differ from this one in when they find out which operations there are: before the run.
//!
//! The tape is no value of the program, so a derivative that is traced has none itself; of several orders the outermost can be.

use crate::activity::Variant;
use crate::cot::{Act, Cot};
use crate::emit;
use crate::expand::AdError;
use crate::forward::{Forward, Nodes, pair};
use crate::rules;
use crate::series::Series;
use crate::sweep::{Maker, On, Sweep};
use gradus_ir::build::Builder;
use gradus_ir::{Const, Flavor, GraphId, Kind, Module, Node, NodeId, Prim, Role, Span, TraceOp, Type, prim};
use rustc_hash::{FxHashMap, FxHashSet};

/// Whether the application of a primitive makes an entry, and does not hand places on as it hands on tangents.
pub fn is_entry(m: &Module, n: NodeId) -> bool {
    match m.as_prim(n) {
        Some(Prim::Select) => m[m[n].inputs()[0]].ty.is_array(),
        Some(prim) => rules::rule(prim).is_some() || matches!(prim, Prim::Array(..)),
        None => false,
    }
}

/// The place of the result of a primitive; none where no derivative flows.
pub fn entry(sweep: &mut Sweep<'_, Nodes<'_, '_, '_>>, n: NodeId, inputs: &[NodeId]) -> Option<NodeId> {
    let m = sweep.maker.module();
    let Kind::Prim(prim) = m[n].kind else { return None };
    if m[n].ty.is_inert() {
        return None;
    }
    let row = rules::rule(prim);
    // Arrays that are put together have a derivative by each part.
    let has_adjoint = |i: usize| match row {
        Some(row) if row.kind != rules::Kind::Linear || !row.adjoints.is_empty() => {
            row.adjoints.get(i).is_some_and(Option::is_some)
        }
        _ => true,
    };
    let live: Vec<(usize, NodeId)> = (0..inputs.len())
        .filter_map(|i| match sweep.get(inputs[i]) {
            Cot::Live(place) if has_adjoint(i) => Some((i, place[0])),
            _ => None,
        })
        .collect();
    if live.is_empty() {
        return None;
    }
    let is_float = |n: NodeId| m[n].ty == Type::F64;
    match row {
        Some(row) if is_float(n) && live.iter().all(|&(i, _)| is_float(inputs[i])) => Some(float(sweep, n, row, inputs, &live)),
        _ => Some(function(sweep, n, prim, inputs, &live)),
    }
}

fn op(op: TraceOp) -> Prim {
    Prim::Trace(op)
}

/// The place of a float that is made of floats.
fn float(
    sweep: &mut Sweep<'_, Nodes<'_, '_, '_>>,
    n: NodeId,
    row: &rules::Rule,
    inputs: &[NodeId],
    live: &[(usize, NodeId)],
) -> NodeId {
    let span = sweep.maker.module()[n].span;
    let one = sweep.maker.constant(Const::F64(1.0_f64.to_bits()), Type::F64);
    let none = sweep.maker.constant(Const::F64(0), Type::F64);
    let nowhere = sweep.maker.constant(Const::I64(0), Type::I64);
    let mut from = Vec::with_capacity(live.len());
    for &(i, place) in live {
        let adjoint = row.adjoints[i].as_ref().expect("a live operand has an adjoint");
        let by = sweep.eval(adjoint, n, inputs, &On { g: &one, sum: None }, span);
        from.push((Series::from_elem(place, 1), by));
    }
    // An entry takes two operands; a third one goes with the sum of the others.
    let mut rest = from.into_iter();
    let mut last = rest.next().expect("an operand is live");
    loop {
        let (other, by_other) = rest.next().unwrap_or((nowhere.clone(), none.clone()));
        let place = sweep.maker.prim(op(TraceOp::Note), &[last.0, last.1, other, by_other], span);
        if rest.len() == 0 {
            return place[0];
        }
        last = (place, one.clone());
    }
}

/// The place of a function that passes the cotangent of a primitive's result on to its operands.
fn function(
    sweep: &mut Sweep<'_, Nodes<'_, '_, '_>>,
    n: NodeId,
    prim: Prim,
    inputs: &[NodeId],
    live: &[(usize, NodeId)],
) -> NodeId {
    let Nodes { forward, graph, copies } = &mut sweep.maker;
    let b = &mut forward.b;
    let span = b.m[n].span;
    let (back, own) = step(b, prim.name(), span);
    let (cotangent, mut after) = take(b, back, own, &b.m[n].ty.clone(), own, span);
    let mut places: Vec<(NodeId, NodeId)> = live.iter().map(|&(i, place)| (inputs[i], place)).collect();
    // A node may be several operands.
    places.sort_unstable();
    places.dedup();
    let adds = |i: usize| {
        let adjoint = rules::rule(prim).and_then(|row| row.adjoints.get(i)?.as_ref());
        adjoint.is_some_and(|adjoint| adjoint.mentions(&rules::Expr::Sum))
    };
    // What adds to a part of a cotangent takes the whole from its place, and puts it there again.
    let mut so_far = Vec::new();
    for &(i, place) in live.iter().filter(|&&(i, _)| adds(i)) {
        let ty = b.m[inputs[i]].ty.clone();
        let (whole, then) = take(b, back, place, &ty, after, span);
        after = then;
        so_far.push((inputs[i], whole));
    }
    let none = FxHashMap::default();
    let mut callee = |_: &_| unreachable!("there is no call");
    let mut reverse = Sweep::new(emit::Nodes { b, graph: back, copies, pullbacks: &none }, &mut callee);
    for (input, whole) in so_far {
        reverse.add(input, Cot::Live(whole), span);
    }
    reverse.add(n, Cot::Live(cotangent), span);
    reverse.run(&[n]);
    for (input, place) in places {
        if let Cot::Live(cotangent) = reverse.get(input) {
            after = reverse.maker.prim(op(TraceOp::Add), &[place, cotangent, after], span);
        }
    }
    b.m.set_result(back, after);
    let (back, none) = (b.m.graph_ref(back), b.m.i64(0));
    let mut any = none;
    for &(_, place) in live {
        any = b.prim(*graph, Prim::BitOr, &[any, place], span);
    }
    b.prim(*graph, op(TraceOp::Call), &[back, none, any], span)
}

/// A function for the tape, without its body, and its parameter: its own place.
fn step(b: &mut Builder<'_>, name: &str, span: Span) -> (GraphId, NodeId) {
    let g = b.m.add_graph(format!("{name}.back"), Flavor::Function, Role::Backward, span);
    b.m.declare_result(g, Type::I64);
    let own = b.m.add_param(g, Type::I64, None, span);
    (g, own)
}

/// The cotangent of a float or an array of type `ty` from its place, and what comes after it is taken.
fn take(b: &mut Builder<'_>, g: GraphId, place: NodeId, ty: &Type, after: NodeId, span: Span) -> (NodeId, NodeId) {
    let both = Type::tuple([ty.cotangent(), Type::I64]);
    let taken = b.apply(g, op(TraceOp::Take), &[place, after], both, span);
    (b.get(g, taken, 0, span), b.get(g, taken, 1, span))
}

/// Adds a whole cotangent at the places of a value of type `ty`. Gives what comes after it.
fn add(b: &mut Builder<'_>, g: GraphId, ty: &Type, [places, cotangent]: [NodeId; 2], mut after: NodeId, span: Span) -> NodeId {
    match ty {
        ty if ty.is_inert() => after,
        Type::Tuple(items) => {
            for (i, ty) in items.iter().enumerate() {
                let parts = [places, cotangent].map(|whole| b.get(g, whole, i, span));
                after = add(b, g, ty, parts, after, span);
            }
            after
        }
        _ => b.prim(g, op(TraceOp::Add), &[places, cotangent, after], span),
    }
}

/// The whole cotangent of a value of type `ty`, from its places: one for each leaf, in order. `after` is what comes before, and after.
fn take_all(
    b: &mut Builder<'_>,
    g: GraphId,
    ty: &Type,
    places: &mut impl FnMut(&mut Builder<'_>) -> NodeId,
    after: &mut NodeId,
    span: Span,
) -> NodeId {
    match ty {
        ty if ty.is_inert() => b.zero(g, &ty.cotangent()),
        Type::Tuple(items) => {
            let parts: Vec<NodeId> = items.iter().map(|ty| take_all(b, g, ty, places, after, span)).collect();
            b.tuple(g, &parts, span)
        }
        ty => {
            let place = places(b);
            let (cotangent, then) = take(b, g, place, ty, *after, span);
            *after = then;
            cotangent
        }
    }
}

/// Whether each leaf of a value of this type is a float, an array, or has no derivative: such a value has places that are known here.
fn has_places(ty: &Type) -> bool {
    match ty {
        Type::Tuple(items) => items.iter().all(has_places),
        ty => ty.is_inert() || matches!(ty, Type::F64 | Type::Array(..)),
    }
}

/// Whether a value of this type holds a tape.
fn has_tape(ty: &Type) -> bool {
    match ty {
        Type::Tuple(items) => items.iter().any(has_tape),
        Type::Tape(record) | Type::Vec(record) => !record.is_inert(),
        _ => false,
    }
}

/// Whether the derivative of a function can be traced in these of its parameters: it goes through the graphs `through`.
pub fn can_trace(m: &Module, f: GraphId, varied: &[bool], through: &FxHashSet<GraphId>) -> bool {
    let mut params = m[f].params.iter().zip(varied).filter(|(_, varied)| **varied);
    let adds = |n: &Node| n.kind == Kind::Prim(Prim::Gadd) && n.graph.is_some_and(|g| through.contains(&g));
    !has_tape(&m[f].result) && params.all(|(&p, _)| has_places(&m[p].ty)) && !m.nodes().any(|(_, n)| adds(n))
}

/// The variant of a function in which these parameters vary.
pub fn variant(m: &Module, f: GraphId, varied: &[bool]) -> Variant {
    let of = |(&p, &varied): (&NodeId, &bool)| if varied { Act::full(&m[p].ty) } else { Cot::Zero };
    (f, m[f].params.iter().zip(varied).map(of).collect())
}

impl Forward<'_, '_> {
    /// The graph of `J f`, by a tape; the first `captures` parameters of `f` are what its closure holds. The tape is emptied after the
    /// pullback was called, if it is called once.
    pub fn traced(&mut self, f: GraphId, captures: usize, varied: &[bool], once: bool) -> GraphId {
        let span = self.b.m[f].span;
        let (types, result) = self.signature(f);
        let Type::Fn(sig) = prim::j_type(&types[captures..], &result) else { unreachable!("J has a function type") };
        let name = self.b.m[f].name.clone();
        let j = self.b.m.add_graph(format!("{name}.J"), Flavor::Function, Role::Forward, span);
        self.b.m.declare_result(j, sig.result.clone());
        let names: Vec<_> = self.b.m[f].params.iter().map(|&p| self.b.m[p].name.clone()).collect();
        let params: Vec<NodeId> =
            types.iter().zip(names).map(|(ty, name)| self.b.m.add_param(j, ty.clone(), name, span)).collect();
        let zero = self.b.m.i64(0);
        let below = self.b.prim(j, op(TraceOp::Open), &[zero], span);
        let mut places = Vec::new();
        let mut leaf = |ty: &Type| self.variables(j, ty, below, &mut places, span);
        let tangents =
            types.iter().zip(varied).map(|(ty, &varied)| if varied { leaf(ty) } else { Cot::Zero }).collect::<Vec<Cot<Series>>>();
        let variant = variant(self.b.m, f, varied);
        let both = self.within(j, |sweep| pair(sweep, &variant, &params, tangents, &Act::full(&result), span));
        let [y, dy] = [0, 1].map(|i| self.b.get(j, both, i, span));
        let back = self.b.m.add_graph(format!("{name}.back"), Flavor::Function, Role::Backward, span);
        let pullback = sig.result.fields().and_then(|both| both[1].signature()).expect("J gives a pullback");
        self.b.m.declare_result(back, pullback.result.clone());
        let cotangent = self.b.m.add_param(back, pullback.params[0].clone(), None, span);
        let b = &mut self.b;
        let after = add(b, back, &result, [dy, cotangent], below, span);
        let backwards = backwards(b, span);
        let (all, end) = (b.m.graph_ref(backwards), b.m.i64(i64::MAX));
        let mut after = b.call(back, all, &[end, after], None, span);
        let mut rest = places.into_iter();
        let mut values = Vec::with_capacity(types.len());
        for (ty, &varied) in types.iter().zip(varied) {
            values.push(match varied {
                true => take_all(b, back, ty, &mut |_| rest.next().expect("a place for each leaf"), &mut after, span),
                false => b.zero(back, &ty.cotangent()),
            });
        }
        if once {
            let closed = b.prim(back, op(TraceOp::Close), &[after], span);
            for (value, ty) in values.iter_mut().zip(&types) {
                *value = put_after(b, back, *value, &ty.cotangent(), closed, span);
            }
        }
        let args = values.split_off(captures);
        let captured = Type::tuple(types[..captures].iter().cloned());
        let environment = match captured.is_inert() {
            true => b.m.constant(Const::Zero, Type::Opaque),
            false => {
                let whole = b.tuple(back, &values, span);
                b.prim(back, Prim::Pack, &[whole], span)
            }
        };
        let all: Vec<NodeId> = std::iter::once(environment).chain(args).collect();
        let all = b.tuple(back, &all, span);
        b.m.set_result(back, all);
        let back = b.m.graph_ref(back);
        let both = b.tuple(j, &[y, back], span);
        b.m.set_result(j, both);
        j
    }

    /// New variables on the tape for the leaves of a value of type `ty`.
    fn variables(&mut self, g: GraphId, ty: &Type, below: NodeId, places: &mut Vec<NodeId>, span: Span) -> Cot<Series> {
        match ty {
            ty if ty.is_inert() => Cot::Zero,
            Type::Tuple(items) => Cot::tuple(items.iter().map(|ty| self.variables(g, ty, below, places, span)).collect()),
            _ => {
                let place = self.b.prim(g, op(TraceOp::Variable), &[below], span);
                places.push(place);
                Cot::Live(Series::from_elem(place, 1))
            }
        }
    }
}

/// A value of a type of cotangents, after something.
fn put_after(b: &mut Builder<'_>, g: GraphId, value: NodeId, ty: &Type, after: NodeId, span: Span) -> NodeId {
    match ty {
        Type::Tuple(items) => {
            let part = |(i, ty)| {
                let part = b.get(g, value, i, span);
                put_after(b, g, part, ty, after, span)
            };
            let parts: Vec<NodeId> = items.iter().enumerate().map(part).collect();
            b.tuple(g, &parts, span)
        }
        Type::Zero => value,
        Type::F64 => b.prim(g, op(TraceOp::After), &[value, after], span),
        _ => {
            let boxed = b.prim(g, Prim::Pack, &[value], span);
            let boxed = b.prim(g, op(TraceOp::After), &[boxed, after], span);
            b.unpack(g, boxed, ty.clone(), span)
        }
    }
}

/// The function that passes cotangents on, from the place before the first argument down to that after the second.
fn backwards(b: &mut Builder<'_>, span: Span) -> GraphId {
    let [head, pass, done] = [("trace.back", Flavor::Function), ("trace.pass", Flavor::Block), ("trace.done", Flavor::Block)]
        .map(|(name, flavor)| {
            let g = b.m.add_graph(name, flavor, Role::Backward, span);
            b.m.declare_result(g, Type::I64);
            g
        });
    let [before, down_to] = [0; 2].map(|_| b.m.add_param(head, Type::I64, None, span));
    let place = b.prim(head, op(TraceOp::Next), &[before, down_to], span);
    let zero = b.m.i64(0);
    let is_one = b.prim(head, Prim::Ge, &[place, zero], span);
    let arms = [pass, done].map(|g| b.m.graph_ref(g));
    let arm = b.prim(head, Prim::Select, &[is_one, arms[0], arms[1]], span);
    let end = b.call(head, arm, &[], None, span);
    b.m.set_result(head, end);
    let step = b.prim(pass, op(TraceOp::Step), &[place], span);
    let passed = b.call(pass, step, &[place], None, span);
    let again = b.m.graph_ref(head);
    let rest = b.call(pass, again, &[passed, down_to], None, span);
    b.m.set_result(pass, rest);
    b.m.set_result(done, place);
    head
}

/// Lets places go through functions with rules by their rule of reverse mode. Says whether there was one.
pub fn through_rules(m: &mut Module, operators: &[NodeId]) -> Result<bool, AdError> {
    let ruled = |m: &Module, n: NodeId| {
        let f = m[n].inputs()[0];
        (m.as_prim(n) == Some(Prim::T) && m.as_prim(f) == Some(Prim::Ruled)).then(|| m[f].inputs()[1])
    };
    let mut changed = false;
    for &n in operators {
        if let Some(rule) = ruled(m, n) {
            let traced = of_rule(m, n, rule)?;
            m.replace(n, traced);
            changed = true;
        }
    }
    Ok(changed)
}

/// The function that stands for `n`, a `T`, by a rule of reverse mode.
fn of_rule(m: &mut Module, n: NodeId, rule: NodeId) -> Result<NodeId, AdError> {
    let sig = m[n].ty.signature().expect("T has a function type").clone();
    let span = m[n].span;
    let result = sig.result.fields().expect("T gives a pair")[0].clone();
    if !has_places(&result) {
        return Err(AdError::Traced { span });
    }
    let g = m.add_graph("traced", Flavor::Function, Role::Forward, span);
    m.declare_result(g, sig.result.clone());
    let params: Vec<NodeId> = sig.params.iter().map(|ty| m.add_param(g, ty.clone(), None, span)).collect();
    let (args, places) = params[1..].split_at((params.len() - 1) / 2);
    let types: Vec<Type> = args.iter().map(|&a| m[a].ty.clone()).collect();
    let both = {
        let Type::Fn(j) = prim::j_type(&types, &result) else { unreachable!("J has a function type") };
        m.call(g, rule, args, j.result.clone(), span)
    };
    let mut b = Builder::new(m);
    let [y, pullback] = [0, 1].map(|i| b.get(g, both, i, span));
    let (back, own) = step(&mut b, "rule", span);
    let mut next = own;
    let one = b.m.i64(1);
    let mut places_of_result = |b: &mut Builder<'_>| {
        next = b.prim(back, Prim::WrapAdd, &[next, one], span);
        next
    };
    let mut after = own;
    let cotangent = take_all(&mut b, back, &result, &mut places_of_result, &mut after, span);
    let cotangents = b.call(back, pullback, &[cotangent], None, span);
    let environment = b.get(back, cotangents, 0, span);
    after = b.prim(back, op(TraceOp::Add), &[params[0], environment, after], span);
    for (i, (ty, &place)) in types.iter().zip(places).enumerate() {
        let cotangent = b.get(back, cotangents, i + 1, span);
        after = add(&mut b, back, ty, [place, cotangent], after, span);
    }
    b.m.set_result(back, after);
    let (back, count) = (b.m.graph_ref(back), b.m.i64(leaves(&result)));
    let mut place = b.prim(g, op(TraceOp::Call), &[back, count, one], span);
    let mut next = |b: &mut Builder<'_>| {
        place = b.prim(g, Prim::WrapAdd, &[place, one], span);
        place
    };
    let place = places_from(&mut b, g, &result, &mut next, span);
    let both = b.tuple(g, &[y, place], span);
    b.m.set_result(g, both);
    Ok(m.graph_ref(g))
}

/// How many places a value of this type has.
fn leaves(ty: &Type) -> i64 {
    match ty {
        ty if ty.is_inert() => 0,
        Type::Tuple(items) => items.iter().map(leaves).sum(),
        _ => 1,
    }
}

/// The places of a value of type `ty`, one after the other.
fn places_from(
    b: &mut Builder<'_>,
    g: GraphId,
    ty: &Type,
    next: &mut impl FnMut(&mut Builder<'_>) -> NodeId,
    span: Span,
) -> NodeId {
    match ty {
        ty if ty.is_inert() => b.zero(g, &ty.traced()),
        Type::Tuple(items) => {
            let parts: Vec<NodeId> = items.iter().map(|ty| places_from(b, g, ty, next, span)).collect();
            b.tuple(g, &parts, span)
        }
        _ => next(b),
    }
}

/// The graphs that are part of a derivative that is traced.
pub fn traced(m: &Module) -> FxHashSet<GraphId> {
    m.nodes().filter(|(_, n)| matches!(n.kind, Kind::Prim(Prim::Trace(_)))).filter_map(|(_, n)| n.graph).collect()
}

//! The series of a function of which only a derivative is at hand: one with a rule, or one that only the run knows.
//!
//! ```text
//! y(t) = f(a(t)),  y′(t) = F(f)(f′(t), a(t), a′(t))
//! ⟹ the coefficients of y up to order n are y, and those of y′ up to order n - 1, each divided by its number
//! ```
//!
//! So `taylor<n> f` is `taylor<n - 1>` of the rule, or of `F f`. A rule has a series as any function; an unknown function ends as `F` of
//! `F`, whose code doubles with each order. The tangent of a closure is a box, which can be multiplied, by adding it to itself, but not
//! divided; so what gives a function has no such series.

use crate::expand::AdError;
use gradus_ir::build::{Builder, splat};
use gradus_ir::{ArrayOp, DType, Flavor, GraphId, Module, NodeId, Prim, Role, Span, Type};

/// The function that stands for the series `n` of some order, by the derivative of its operand, and the operator of forward mode in it.
pub fn of_derivative(m: &mut Module, n: NodeId, order: usize, derivative: NodeId) -> Result<(NodeId, NodeId), AdError> {
    let sig = m[n].ty.signature().expect("a series has a function type").clone();
    let span = m[n].span;
    let result = sig.result.fields().expect("the coefficients are a tuple")[0].clone();
    if has_box(&result.cotangent()) {
        return Err(AdError::Series { span });
    }
    let g = m.add_graph("taylor", Flavor::Function, Role::Forward, span);
    m.declare_result(g, sig.result.clone());
    let params: Vec<NodeId> = sig.params.iter().map(|ty| m.add_param(g, ty.clone(), None, span)).collect();
    let (boxes, rest) = params.split_at(order);
    let count = rest.len() / (order + 1);
    // By order: the arguments, then their coefficients.
    let terms: Vec<&[NodeId]> = (0..=order).map(|k| &rest[k * count..(k + 1) * count]).collect();
    let operator = {
        let types: Vec<Type> = terms[0].iter().map(|&a| m[a].ty.clone()).collect();
        let below = Prim::F.derived_type(&types, &result);
        let below = below.signature().expect("F has a function type").clone();
        let prim = Prim::forward(order - 1);
        m.prim(g, prim, vec![derivative], prim.derived_type(&below.params, &below.result), span)
    };
    let mut b = Builder::new(m);
    let mut args = boxes[..order - 1].to_vec();
    for k in 0..order {
        // The tangent of the function, what it is given, and the tangents of that: (k + 1) times the coefficients of the next order.
        let mut times = |n: NodeId| scaled(&mut b, g, n, &|b, n| times(b, g, n, k + 1, span), span);
        let environment = times(boxes[k]);
        let tangents: Vec<NodeId> = terms[k + 1].iter().map(|&n| times(n)).collect();
        args.push(environment);
        args.extend(terms[k]);
        args.extend(tangents);
    }
    let ty = b.m[operator].ty.signature().expect("a function").result.clone();
    let pairs = b.call(g, operator, &args, Some(ty), span);
    let first = b.get(g, pairs, 0, span);
    let mut results = vec![b.get(g, first, 0, span)];
    for k in 0..order {
        let pair = b.get(g, pairs, k, span);
        let slope = b.get(g, pair, 1, span);
        let by = 1.0 / (k + 1) as f64;
        results.push(scaled(&mut b, g, slope, &|b, n| by_number(b, g, n, by, span), span));
    }
    let all = b.tuple(g, &results, span);
    m.set_result(g, all);
    Ok((m.graph_ref(g), operator))
}

/// The series among operators whose operand only the run knows.
pub fn of_unknown(m: &Module, operators: &[NodeId], is_known: impl Fn(NodeId) -> bool) -> Vec<NodeId> {
    let is = |&n: &NodeId| matches!(m.as_prim(n), Some(Prim::Taylor(_))) && !is_known(m[n].inputs()[0]);
    operators.iter().copied().filter(is).collect()
}

/// Lets series of functions that only the run knows be `F` of `F`. Such a series is a closure of `F f`, so its tangent is a box around
/// that of `f`: it must be one before any derivative is taken of the function that asks for it.
pub fn lower(m: &mut Module, entry: GraphId, mut work: Vec<NodeId>) -> Result<(), AdError> {
    while let Some(n) = work.pop() {
        let Some(Prim::Taylor(order)) = m.as_prim(n) else { continue };
        let (f, g, span) = (m[n].inputs()[0], m[n].graph.expect("an application belongs to a graph"), m[n].span);
        let sig = m[n].ty.signature().expect("a series has a function type").clone();
        let order = order as usize;
        let count = (sig.params.len() - order) / (order + 1);
        let result = &sig.result.fields().expect("the coefficients are a tuple")[0];
        let ty = Prim::F.derived_type(&sig.params[order..order + count], result);
        let derivative = m.prim(g, Prim::F, vec![f], ty, span);
        let (series, below) = of_derivative(m, n, order, derivative)?;
        m.replace(n, series);
        work.push(below);
    }
    m.collect_garbage(&[entry]);
    Ok(())
}

/// Whether a value of this type has a box or a tape in it.
pub fn has_box(ty: &Type) -> bool {
    match ty {
        Type::Tuple(items) => items.iter().any(has_box),
        Type::Opaque | Type::Tape(_) | Type::Vec(_) => true,
        _ => false,
    }
}

/// A tangent with another value at each leaf.
fn scaled(b: &mut Builder<'_>, g: GraphId, n: NodeId, leaf: &dyn Fn(&mut Builder<'_>, NodeId) -> NodeId, span: Span) -> NodeId {
    match b.m[n].ty.clone() {
        Type::Tuple(items) => {
            let mut parts = Vec::with_capacity(items.len());
            for i in 0..items.len() {
                let part = b.get(g, n, i, span);
                parts.push(scaled(b, g, part, leaf, span));
            }
            b.tuple(g, &parts, span)
        }
        ty if ty.is_inert() => n,
        _ => leaf(b, n),
    }
}

/// A leaf so many times.
fn times(b: &mut Builder<'_>, g: GraphId, n: NodeId, count: usize, span: Span) -> NodeId {
    if matches!(b.m[n].ty, Type::F64 | Type::Array(..)) {
        return by_number(b, g, n, count as f64, span);
    }
    (1..count).fold(n, |sum, _| b.prim(g, Prim::Gadd, &[sum, n], span))
}

fn by_number(b: &mut Builder<'_>, g: GraphId, n: NodeId, factor: f64, span: Span) -> NodeId {
    if factor == 1.0 {
        return n;
    }
    let ty = b.m[n].ty.clone();
    let factor = number(b, g, factor, &ty, span);
    b.prim(g, Prim::Mul, &[n, factor], span)
}

/// A number in each element of a value of this type.
pub fn number(b: &mut Builder<'_>, g: GraphId, value: f64, ty: &Type, span: Span) -> NodeId {
    let scalar = b.m.f64(value);
    match (ty.dtype(), ty.shape()) {
        (Some(DType::F32), Some(shape)) if !shape.is_empty() => splat(b.m, g, scalar, DType::F32, shape, span),
        (_, Some(shape)) if !shape.is_empty() => b.prim(g, Prim::Array(ArrayOp::Broadcast, shape), &[scalar], span),
        _ => scalar,
    }
}

//! Local rewrites of one node: what [`gradus_ir::build::fold`] knows, and what needs new nodes or changes one in place.
//!
//! Everything here is exact. A rewrite looks at a node and the nodes it uses, never at its users.

use gradus_ir::build::{self, splatted, zero_value};
use gradus_ir::{Const, GraphId, Kind, Module, NodeId, Prim, Sig, Type};

/// The outcome of [`fold`].
pub(crate) enum Folded {
    /// Nothing to do.
    No,
    /// The node was changed in place.
    Changed,
    /// The node equals this one.
    To(NodeId),
}

/// Rewrites the application `n`, if a rewrite applies. Leaves it to the caller to replace a node that equals another.
pub(crate) fn fold(m: &mut Module, n: NodeId) -> Folded {
    let Some(g) = m[n].graph else { return Folded::No };
    match m[n].kind {
        Kind::Prim(prim) => {
            let operands = m[n].inputs().to_vec();
            let ty = m[n].ty.clone();
            if let Some(same) = build::fold(m, g, prim, &operands, &ty)
                && same != n
                && m[same].ty.fits(&ty)
            {
                return Folded::To(same);
            }
            fold_prim(m, g, n, prim, &operands)
        }
        Kind::Call => fold_call(m, n),
        _ => Folded::No,
    }
}

fn fold_prim(m: &mut Module, g: GraphId, n: NodeId, prim: Prim, operands: &[NodeId]) -> Folded {
    let int = |m: &Module, n: NodeId, v: i64| m[n].as_const() == Some(&Const::I64(v));
    let same = match (prim, operands) {
        (Prim::Select, &[c, a, b]) => return fold_select(m, g, n, c, a, b),
        (Prim::Get(i), &[t]) => get_of_select(m, g, n, t, i),
        (Prim::Unpack, &[b]) => unpack_of_select(m, g, n, b),
        (Prim::Pack, &[x]) if is_zero_value(m, x) => Some(m.constant(Const::Zero, Type::Opaque)),
        (Prim::Gadd, &[a, b]) => add_boxes(m, g, n, a, b),
        (Prim::Partial, &[f]) => Some(f),
        (Prim::Partial, &[f, ..]) if m.as_prim(f) == Some(Prim::Partial) => {
            let inputs = [m[f].inputs(), &operands[1..]].concat();
            m.set_inputs(n, inputs);
            return Folded::Changed;
        }
        // Strong products are for zeros and what is not finite.
        (Prim::Mul0 | Prim::Div0, &[a, b]) if is_positive(m, a) || is_positive(m, b) => {
            m.set_kind(n, Kind::Prim(if prim == Prim::Mul0 { Prim::Mul } else { Prim::Div }));
            return Folded::Changed;
        }
        (Prim::Add | Prim::WrapAdd, &[a, b]) if int(m, a, 0) => Some(b),
        (Prim::Add | Prim::Sub | Prim::WrapAdd | Prim::WrapSub, &[a, b]) if int(m, b, 0) => Some(a),
        (Prim::Mul, &[a, b]) if int(m, a, 1) => Some(b),
        (Prim::Mul | Prim::FloorDiv, &[a, b]) if int(m, b, 1) => Some(a),
        (Prim::Eq | Prim::Ne, &[a, b]) if m[a].ty == Type::Bool => fold_bool_equality(m, g, n, prim, a, b),
        _ if prim.sig() == Sig::Compare => compare_of_select(m, g, n, prim, operands),
        _ => None,
    };
    match same {
        Some(same) if same != n => Folded::To(same),
        _ => Folded::No,
    }
}

/// Whether a number, or each element of an array, is known to be positive and finite.
fn is_positive(m: &Module, n: NodeId) -> bool {
    m.as_f64(splatted(m, n)).is_some_and(|v| v > 0.0 && v.is_finite())
}

fn bool_const(m: &Module, n: NodeId) -> Option<bool> {
    match m[n].as_const() {
        Some(Const::Bool(b)) => Some(*b),
        _ => None,
    }
}

/// `select` with a condition, or an arm, that decides it in part.
fn fold_select(m: &mut Module, g: GraphId, n: NodeId, c: NodeId, a: NodeId, b: NodeId) -> Folded {
    if m.as_prim(c) == Some(Prim::Not) {
        let c = m[c].inputs()[0];
        m.set_inputs(n, vec![c, b, a]);
        return Folded::Changed;
    }
    match (bool_const(m, a), bool_const(m, b)) {
        (Some(true), Some(false)) => return Folded::To(c),
        (Some(false), Some(true)) => {
            let span = m[n].span;
            return Folded::To(m.prim(g, Prim::Not, vec![c], Type::Bool, span));
        }
        _ => {}
    }
    // Inside of an arm the condition is known.
    let known = |m: &Module, arm: NodeId, side: usize| match m.as_prim(arm) {
        Some(Prim::Select) if m[arm].inputs()[0] == c => m[arm].inputs()[side],
        _ => arm,
    };
    let (x, y) = (known(m, a, 1), known(m, b, 2));
    if (x, y) != (a, b) {
        m.set_inputs(n, vec![c, x, y]);
        return Folded::Changed;
    }
    Folded::No
}

/// `get<i>(select(c, (a…), (b…)))` is `select(c, aᵢ, bᵢ)`.
fn get_of_select(m: &mut Module, g: GraphId, n: NodeId, t: NodeId, i: u32) -> Option<NodeId> {
    let (c, a, b) = select_parts(m, t)?;
    let field = |m: &Module, t: NodeId| (m.as_prim(t) == Some(Prim::Tuple)).then(|| m[t].inputs()[i as usize]);
    let (a, b) = (field(m, a)?, field(m, b)?);
    if a == b {
        return Some(a);
    }
    let (ty, span) = (m[n].ty.clone(), m[n].span);
    Some(m.prim(g, Prim::Select, vec![c, a, b], ty, span))
}

/// `unpack(select(c, pack a, zero))` is `select(c, a, zeros)`, and so on.
fn unpack_of_select(m: &mut Module, g: GraphId, n: NodeId, boxed: NodeId) -> Option<NodeId> {
    let (c, a, b) = select_parts(m, boxed)?;
    let ty = m[n].ty.clone();
    let opens = |m: &Module, x: NodeId| {
        m[x].as_const() == Some(&Const::Zero) || (m.as_prim(x) == Some(Prim::Pack) && m[m[x].inputs()[0]].ty == ty)
    };
    if !opens(m, a) || !opens(m, b) {
        return None;
    }
    let a = build::fold(m, g, Prim::Unpack, &[a], &ty)?;
    let b = build::fold(m, g, Prim::Unpack, &[b], &ty)?;
    let span = m[n].span;
    Some(m.prim(g, Prim::Select, vec![c, a, b], ty, span))
}

/// Condition and arms of a `select`.
pub(crate) fn select_parts(m: &Module, n: NodeId) -> Option<(NodeId, NodeId, NodeId)> {
    match (m.as_prim(n), m[n].inputs()) {
        (Some(Prim::Select), &[c, a, b]) => Some((c, a, b)),
        _ => None,
    }
}

/// Whether this is the zero of its cotangent type, to the bit.
fn is_zero_value(m: &Module, n: NodeId) -> bool {
    match &m[n].kind {
        Kind::Const(Const::Zero) => true,
        Kind::Const(Const::F64(bits)) => *bits == (-0.0f64).to_bits(),
        Kind::Prim(Prim::Tuple) => m[n].inputs().iter().all(|&i| is_zero_value(m, i)),
        _ => false,
    }
}

/// `gadd(pack a, pack b)` is `pack(a + b)`, field by field.
fn add_boxes(m: &mut Module, g: GraphId, n: NodeId, a: NodeId, b: NodeId) -> Option<NodeId> {
    let content = |m: &Module, x: NodeId| (m.as_prim(x) == Some(Prim::Pack)).then(|| m[x].inputs()[0]);
    let (a, b) = (content(m, a)?, content(m, b)?);
    if m[a].ty != m[b].ty {
        return None;
    }
    let sum = add_cotangents(m, g, n, a, b);
    let span = m[n].span;
    Some(m.prim(g, Prim::Pack, vec![sum], Type::Opaque, span))
}

/// The sum of two cotangents of one type; the recursion is over the type.
fn add_cotangents(m: &mut Module, g: GraphId, origin: NodeId, a: NodeId, b: NodeId) -> NodeId {
    let (ty, span) = (m[a].ty.clone(), m[origin].span);
    match &ty {
        Type::F64 | Type::Array(..) => m.prim(g, Prim::Add, vec![a, b], ty, span),
        Type::Opaque | Type::Tape(_) | Type::Vec(_) => m.prim(g, Prim::Gadd, vec![a, b], ty, span),
        Type::Tuple(items) => {
            let sums = items.iter().enumerate().map(|(i, item)| {
                let [x, y] = [a, b].map(|t| match m.as_prim(t) {
                    Some(Prim::Tuple) => m[t].inputs()[i],
                    _ => m.prim(g, Prim::Get(i as u32), vec![t], item.clone(), span),
                });
                add_cotangents(m, g, origin, x, y)
            });
            let sums = sums.collect();
            m.prim(g, Prim::Tuple, sums, ty, span)
        }
        _ => zero_value(m, g, &ty),
    }
}

/// `b == true` and the like.
fn fold_bool_equality(m: &mut Module, g: GraphId, n: NodeId, prim: Prim, a: NodeId, b: NodeId) -> Option<NodeId> {
    let (x, constant) = match (bool_const(m, a), bool_const(m, b)) {
        (Some(v), None) => (b, v),
        (None, Some(v)) => (a, v),
        _ => return None,
    };
    if constant == (prim == Prim::Eq) {
        return Some(x);
    }
    let span = m[n].span;
    Some(m.prim(g, Prim::Not, vec![x], Type::Bool, span))
}

/// A comparison of a constant with a `select` of constants depends on the condition alone.
fn compare_of_select(m: &mut Module, g: GraphId, n: NodeId, prim: Prim, operands: &[NodeId]) -> Option<NodeId> {
    let side = operands.iter().position(|&o| m.as_prim(o) == Some(Prim::Select))?;
    let (c, a, b) = select_parts(m, operands[side])?;
    let [on_true, on_false] = [a, b].map(|arm| {
        let mut operands = operands.to_vec();
        operands[side] = arm;
        build::fold(m, g, prim, &operands, &Type::Bool).and_then(|r| bool_const(m, r))
    });
    let span = m[n].span;
    match (on_true?, on_false?) {
        (true, false) => Some(c),
        (false, true) => Some(m.prim(g, Prim::Not, vec![c], Type::Bool, span)),
        (same, _) => Some(m.bool(same)),
    }
}

/// `call(partial(f, c…), a…)` is `call(f, c…, a…)`.
fn fold_call(m: &mut Module, n: NodeId) -> Folded {
    let callee = m[n].inputs()[0];
    if m.as_prim(callee) != Some(Prim::Partial) {
        return Folded::No;
    }
    let inputs = [m[callee].inputs(), &m[n].inputs()[1..]].concat();
    m.set_inputs(n, inputs);
    Folded::Changed
}

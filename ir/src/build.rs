//! Tier 0 of simplification: a builder that hash-conses what it makes and folds what is obvious.
//!
//! Everything here is exact: the node returned has the bits of the one asked for, for every input (all NaNs count as one).

mod arrays;

use crate::array::{ArrayOp, DType, Dims};
use crate::eval::{self, Scalar};
use crate::graph::{Const, GraphId, Module, NodeId};
use crate::prim::{Effect, Prim, TraceOp};
use crate::span::Span;
use crate::types::Type;
pub use arrays::splatted;
use rustc_hash::FxHashMap;

/// Builds typed nodes into a module. One builder serves any number of graphs; it shares equal nodes within each.
#[derive(Debug)]
pub struct Builder<'m> {
    /// The module built into.
    pub m: &'m mut Module,
    seen: FxHashMap<(GraphId, Prim, Vec<NodeId>, Type), NodeId>,
}

impl<'m> Builder<'m> {
    /// A builder that has seen nothing yet.
    pub fn new(m: &'m mut Module) -> Builder<'m> {
        Builder { m, seen: FxHashMap::default() }
    }

    /// Applies a primitive whose result type its operands say. Panics if they do not fit.
    pub fn prim(&mut self, g: GraphId, prim: Prim, operands: &[NodeId], span: Span) -> NodeId {
        let types: Vec<Type> = operands.iter().map(|&n| self.m[n].ty.clone()).collect();
        let Some(ty) = prim.result_type(&types) else {
            panic!("{} does not apply to {:?}", prim.name(), types.iter().map(Type::to_string).collect::<Vec<_>>())
        };
        self.apply(g, prim, operands, ty, span)
    }

    /// Opens a box of cotangents of type `ty`.
    pub fn unpack(&mut self, g: GraphId, boxed: NodeId, ty: Type, span: Span) -> NodeId {
        self.apply(g, Prim::Unpack, &[boxed], ty, span)
    }

    /// Calls `callee`; the result type is the callee's, unless it is an `AnyFn`, where `ty` says it.
    pub fn call(&mut self, g: GraphId, callee: NodeId, args: &[NodeId], ty: Option<Type>, span: Span) -> NodeId {
        let ty = match &self.m[callee].ty {
            Type::Fn(sig) => sig.result.clone(),
            other => ty.unwrap_or_else(|| panic!("the result type of a call of {other} must be given")),
        };
        self.m.call(g, callee, args, ty, span)
    }

    /// The tuple of `items`.
    pub fn tuple(&mut self, g: GraphId, items: &[NodeId], span: Span) -> NodeId {
        self.prim(g, Prim::Tuple, items, span)
    }

    /// Field `i` of a tuple.
    pub fn get(&mut self, g: GraphId, tuple: NodeId, i: usize, span: Span) -> NodeId {
        self.prim(g, Prim::Get(i as u32), &[tuple], span)
    }

    /// The zero cotangent of type `ty` as a value: floats are -0.0, the exact identity of addition.
    pub fn zero(&mut self, g: GraphId, ty: &Type) -> NodeId {
        zero_value(self.m, g, ty)
    }

    /// Applies a primitive, giving its result type.
    pub fn apply(&mut self, g: GraphId, prim: Prim, operands: &[NodeId], ty: Type, span: Span) -> NodeId {
        if let Some(n) = fold(self.m, g, prim, operands, &ty) {
            return n;
        }
        let mut key = operands.to_vec();
        if prim.is_commutative() {
            key.sort_unstable();
        }
        let key = (g, prim, key, ty.clone());
        let is_linear = prim.effect(&[]) == Effect::Linear;
        if !is_linear
            && let Some(&n) = self.seen.get(&key)
            && self.m.has_node(n)
        {
            return n;
        }
        let n = self.m.prim(g, prim, operands.to_vec(), ty, span);
        self.seen.insert(key, n);
        n
    }
}

/// The array of floats of which every element is a scalar, narrowed where elements are of 32 bits.
pub fn splat(m: &mut Module, g: GraphId, scalar: NodeId, dtype: DType, shape: Dims, span: Span) -> NodeId {
    let wide = Type::array(DType::F64, shape);
    let splat = m.prim(g, Prim::Array(ArrayOp::Broadcast, shape), vec![scalar], wide, span);
    if dtype == DType::F64 {
        return splat;
    }
    m.prim(g, Prim::Narrow, vec![splat], Type::array(dtype, shape), span)
}

/// How many writes to a vector a read looks past.
const MOST_WRITES: usize = 64;

/// The zero of type `ty` as a value in `g`. Panics if the type is not one of derivatives ([`Type::is_derivative`]).
pub fn zero_value(m: &mut Module, g: GraphId, ty: &Type) -> NodeId {
    match ty {
        Type::F64 => m.f64(-0.0),
        // On the tape of a traced derivative, a constant.
        Type::I64 => m.i64(0),
        Type::Array(dtype @ (DType::F32 | DType::F64), shape) => {
            let zero = m.f64(-0.0);
            splat(m, g, zero, *dtype, *shape, Span::NONE)
        }
        Type::Zero | Type::Opaque | Type::Tape(_) | Type::Vec(_) => m.constant(Const::Zero, ty.clone()),
        Type::Tuple(items) => {
            let fields = items.iter().map(|t| zero_value(m, g, t)).collect();
            m.prim(g, Prim::Tuple, fields, ty.clone(), Span::NONE)
        }
        other => panic!("{other} is not the type of a cotangent"),
    }
}

/// The node that an application would equal, where that is obvious: constants are folded, unless that traps, and identities
/// that hold to the bit are applied. Makes no application but of `tuple`, of operations that only move the elements of an array,
/// of what is the same element by element, and of an operator to a function without its rules.
pub fn fold(m: &mut Module, g: GraphId, prim: Prim, operands: &[NodeId], ty: &Type) -> Option<NodeId> {
    if let Some(n) = fold_constants(m, prim, operands) {
        return Some(n);
    }
    if let Some(n) = arrays::fold_splat(m, g, prim, operands, ty) {
        return Some(n);
    }
    let is = |m: &Module, n: NodeId, v: f64| m.as_f64(splatted(m, n)).map(f64::to_bits) == Some(v.to_bits());
    let inner = |m: &Module, n: NodeId, p: Prim| (m.as_prim(n) == Some(p)).then(|| m[n].inputs()[0]);
    let boolean = |m: &Module, n: NodeId| match m[n].as_const() {
        Some(Const::Bool(b)) => Some(*b),
        _ => None,
    };
    match (prim, operands) {
        (Prim::Get(_) | Prim::Pop | Prim::Unpack, &[x]) if m[x].as_const() == Some(&Const::Undefined) => {
            Some(m.constant(Const::Undefined, ty.clone()))
        }
        (Prim::Get(i), &[t]) if m.as_prim(t) == Some(Prim::Tuple) => Some(m[t].inputs()[i as usize]),
        (Prim::Tuple, &[first, ..]) => {
            // tuple(get<0> t, get<1> t, …) of all fields of t is t.
            let whole = match m.as_prim(first) {
                Some(Prim::Get(0)) => m[first].inputs()[0],
                _ => return None,
            };
            let every =
                operands.iter().enumerate().all(|(i, &n)| m.as_prim(n) == Some(Prim::Get(i as u32)) && m[n].inputs()[0] == whole);
            (every && m[whole].ty == *ty).then_some(whole)
        }
        (Prim::Select, &[c, a, b]) => match boolean(m, c) {
            Some(taken) => Some(if taken { a } else { b }),
            None if a == b => Some(a),
            None => None,
        },
        (Prim::Unpack, &[b]) => match inner(m, b, Prim::Pack) {
            Some(x) if m[x].ty == *ty => Some(x),
            _ if m[b].as_const() != Some(&Const::Zero) => None,
            _ if ty.is_derivative() => Some(zero_value(m, g, ty)),
            _ => Some(m.constant(Const::Undefined, ty.clone())),
        },
        (p, &[b, c]) if p.guards().is_some() && boolean(m, c) == Some(true) => Some(b),
        (Prim::Pop, &[t]) => {
            let record = m[t].ty.record()?.clone();
            let parts = match m.as_prim(t) {
                Some(Prim::Push) => m[t].inputs().to_vec(),
                _ if m[t].as_const() != Some(&Const::Zero) => return None,
                _ if record.is_derivative() => vec![t, zero_value(m, g, &record)],
                _ => vec![t, m.constant(Const::Undefined, record.clone())],
            };
            (m[parts[1]].ty == record).then(|| m.prim(g, Prim::Tuple, parts, ty.clone(), Span::NONE))
        }
        (Prim::Element, &[v, i]) => {
            // The record that was written there last, past writes elsewhere. A computed index may trap: such a read stays.
            let mut v = v;
            for _ in 0..MOST_WRITES {
                let (Some(Prim::Replace), &[before, at, record]) = (m.as_prim(v), m[v].inputs()) else { break };
                match (m[at].as_const(), m[i].as_const()) {
                    (Some(a), Some(b)) if a == b => return Some(record),
                    (Some(_), Some(_)) => v = before,
                    _ => return None,
                }
            }
            let is_zero = m[v].as_const() == Some(&Const::Zero) && m[i].as_const().is_some();
            (is_zero && ty.is_derivative()).then(|| zero_value(m, g, ty))
        }
        // A value that is made of constants alone is a constant.
        (Prim::Trace(TraceOp::Note), &[a, _, b, _]) if is_nowhere(m, a) && is_nowhere(m, b) => Some(a),
        (Prim::Trace(TraceOp::Call), &[_, results, any]) if is_nowhere(m, any) && is_nowhere(m, results) => Some(any),
        // A function with rules has them for its derivatives.
        (p, &[f]) if p.as_reverse().is_some_and(|r| !r.tail) && m.as_prim(f) == Some(Prim::Ruled) => Some(m[f].inputs()[1]),
        (p, &[f]) if p.as_forward().is_some() && has_reverse_rule_alone(m, f) => {
            Some(m.prim(g, p, vec![m[f].inputs()[0]], ty.clone(), m[f].span))
        }
        (Prim::F, &[f]) if m.as_prim(f) == Some(Prim::Ruled) => Some(m[f].inputs()[2]),
        (Prim::Gadd, &[a, b]) => match (m[a].as_const(), m[b].as_const()) {
            (Some(Const::Zero), _) => Some(b),
            (_, Some(Const::Zero)) => Some(a),
            _ => None,
        },
        (Prim::Add, &[a, b]) if is(m, a, -0.0) => Some(b),
        (Prim::Add, &[a, b]) if is(m, b, -0.0) => Some(a),
        (Prim::Sub, &[a, b]) if is(m, b, 0.0) => Some(a),
        (Prim::Mul | Prim::Mul0, &[a, b]) if is(m, b, 1.0) => Some(a),
        (Prim::Mul | Prim::Mul0, &[a, b]) if is(m, a, 1.0) => Some(b),
        (Prim::Div | Prim::Div0, &[a, b]) if is(m, b, 1.0) => Some(a),
        // A cotangent that is known to be zero.
        (Prim::Mul0 | Prim::Div0, &[a, _]) if m.as_f64(splatted(m, a)) == Some(0.0) => Some(a),
        (Prim::Neg, &[a]) if m[a].ty.dtype().is_some_and(DType::is_float) => inner(m, a, Prim::Neg),
        // Of a scalar.
        (Prim::Widen, &[a]) if m[a].ty == *ty => Some(a),
        (Prim::Narrow, &[a]) if m[a].ty == *ty && m.as_prim(a) == Some(Prim::Narrow) => Some(a),
        (Prim::Narrow, &[a]) => inner(m, a, Prim::Widen).filter(|&x| m[x].ty == *ty),
        (Prim::Not, &[a]) => inner(m, a, Prim::Not),
        (Prim::Array(op, attribute), operands) => arrays::fold(m, g, op, attribute, operands, ty),
        (Prim::And, &[a, b]) => fold_bool(m, a, b, true),
        (Prim::Or, &[a, b]) => fold_bool(m, a, b, false),
        _ => None,
    }
}

/// Whether this is the place of a constant on the tape of a traced derivative.
fn is_nowhere(m: &Module, n: NodeId) -> bool {
    m[n].as_const() == Some(&Const::I64(0))
}

/// Whether a function has a rule in reverse mode alone: forward mode derives it as it is.
fn has_reverse_rule_alone(m: &Module, f: NodeId) -> bool {
    m.as_prim(f) == Some(Prim::Ruled) && m[f].inputs()[2] == m[f].inputs()[0]
}

/// `a and b` (identity true) or `a or b` (identity false), where one is constant or both are the same.
fn fold_bool(m: &mut Module, a: NodeId, b: NodeId, identity: bool) -> Option<NodeId> {
    for (x, other) in [(a, b), (b, a)] {
        if let Some(Const::Bool(v)) = m[x].as_const() {
            return Some(if *v == identity { other } else { x });
        }
    }
    (a == b).then_some(a)
}

fn fold_constants(m: &mut Module, prim: Prim, operands: &[NodeId]) -> Option<NodeId> {
    if operands.is_empty() || prim.effect(&[]) == Effect::Source {
        return None;
    }
    let scalars: Vec<Scalar> = operands
        .iter()
        .map(|&n| match m[n].as_const()? {
            Const::F64(bits) => Some(Scalar::F64(f64::from_bits(*bits))),
            Const::I64(v) => Some(Scalar::I64(*v)),
            Const::Bool(v) => Some(Scalar::Bool(*v)),
            _ => None,
        })
        .collect::<Option<_>>()?;
    match eval::fold(m.floats, prim, &scalars)? {
        Scalar::F64(v) => Some(m.f64(v)),
        Scalar::I64(v) => Some(m.i64(v)),
        Scalar::Bool(v) => Some(m.bool(v)),
    }
}

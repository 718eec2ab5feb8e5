//! The last step of `--math fast`: what rules of arithmetic would not find, or not find any more.
//!
//! * Several divisions by one number are products with its reciprocal.
//! * A product that is used by one sum alone is rounded with it, `a * b + c` as `fma(a, b, c)`, on machines with an instruction for it.
//! * A sum of the columns of a product of matrices is the product with the sum of the columns, (AB)1 = A(B1), and so for rows.

use crate::report::PassReport;
use gradus_ir::elementary::fused;
use gradus_ir::{ArrayOp, DType, Dims, GraphId, Kind, Module, Nest, NodeId, Prim, Type};
use rustc_hash::FxHashMap;

/// Rewrites all graphs.
pub(crate) fn run(m: &mut Module, nest: &Nest, report: &mut PassReport) {
    for &g in nest.graphs() {
        let schedule = nest.schedule(g);
        report.count("reciprocals", reciprocals(m, g, schedule));
        report.count("summed factors", schedule.iter().filter(|&&n| sum_factor(m, g, n)).count());
        if fused() {
            report.count("contracted", schedule.iter().filter(|&&n| contract(m, g, n)).count());
        }
    }
}

/// Computes the reciprocals of numbers by which is divided more than once; gives how many there are.
fn reciprocals(m: &mut Module, g: GraphId, schedule: &[NodeId]) -> usize {
    let mut divisions: FxHashMap<NodeId, Vec<NodeId>> = FxHashMap::default();
    let mut divisors: Vec<NodeId> = Vec::new();
    for &n in schedule.iter().filter(|&&n| m.as_prim(n) == Some(Prim::Div) && m[n].ty == Type::F64) {
        let divisor = m[n].inputs()[1];
        if m[divisor].as_const().is_none() {
            let others = divisions.entry(divisor).or_default();
            others.push(n);
            divisors.extend((others.len() == 2).then_some(divisor));
        }
    }
    for &divisor in &divisors {
        let (one, span) = (m.f64(1.0), m[divisor].span);
        let reciprocal = m.prim(g, Prim::Div, vec![one, divisor], Type::F64, span);
        for &n in &divisions[&divisor] {
            let dividend = m[n].inputs()[0];
            m.set_inputs(n, vec![dividend, reciprocal]);
            m.set_kind(n, Kind::Prim(Prim::Mul));
        }
    }
    divisors.len()
}

/// Sums a factor in place of a product of matrices that is used by the sum, or by that of its negation, alone.
fn sum_factor(m: &mut Module, g: GraphId, n: NodeId) -> bool {
    let Some(Prim::Array(ArrayOp::SumTo, sum)) = m.as_prim(n) else { return false };
    let is_own = |m: &Module, x: NodeId| m[x].graph == Some(g) && m[x].users().len() == 1;
    let negation = m[n].inputs()[0];
    let is_negated = m.as_prim(negation) == Some(Prim::Neg) && is_own(m, negation);
    let product = if is_negated { m[negation].inputs()[0] } else { negation };
    let Some(Prim::Array(ArrayOp::MatMul, _)) = m.as_prim(product).filter(|_| is_own(m, product)) else { return false };
    let Some((dtype @ (DType::F64 | DType::F32), shape)) = m[product].ty.as_array() else { return false };
    let &[ref stack @ .., rows, columns] = &shape[..] else { return false };
    let is_summed = match sum.strip_prefix(stack) {
        Some(&[r, c]) => [r != rows, c != columns],
        _ => return false,
    };
    if is_summed == [false; 2] {
        return false;
    }
    let span = m[n].span;
    let mut factors = m[product].inputs().to_vec();
    for i in (0..2).filter(|&i| is_summed[i]) {
        let own = m[factors[i]].ty.shape().expect("a matrix");
        let to = own.with(stack.len() + i, 1);
        factors[i] = m.prim(g, Prim::Array(ArrayOp::SumTo, to), vec![factors[i]], Type::Array(dtype, to), span);
    }
    let prim = Prim::Array(ArrayOp::MatMul, Dims::NONE);
    let (prim, inputs) = match is_negated {
        true => (Prim::Neg, vec![m.prim(g, prim, factors, m[n].ty.clone(), span)]),
        false => (prim, factors),
    };
    m.set_inputs(n, inputs);
    m.set_kind(n, Kind::Prim(prim));
    true
}

fn contract(m: &mut Module, g: GraphId, n: NodeId) -> bool {
    let (Some(prim @ (Prim::Add | Prim::Sub)), Type::F64) = (m.as_prim(n), &m[n].ty) else { return false };
    let &[x, y] = m[n].inputs() else { return false };
    let span = m[n].span;
    let negate = |m: &mut Module, v: NodeId| m.prim(g, Prim::Neg, vec![v], Type::F64, span);
    let ([a, b], rest) = match (product(m, x, g), product(m, y, g)) {
        (Some(product), _) if prim == Prim::Sub => (product, negate(m, y)),
        (Some(product), _) => (product, y),
        (None, Some([a, b])) if prim == Prim::Sub => ([negate(m, a), b], x),
        (None, Some(product)) => (product, x),
        (None, None) => return false,
    };
    m.set_inputs(n, vec![a, b, rest]);
    m.set_kind(n, Kind::Prim(Prim::Fma));
    true
}

/// The factors of a product of the same graph that nobody else uses. A strong one is none: what it stops would have to be asked
/// for each sum.
fn product(m: &Module, n: NodeId, g: GraphId) -> Option<[NodeId; 2]> {
    match m[n].inputs() {
        &[a, b] if m.as_prim(n) == Some(Prim::Mul) && m[n].graph == Some(g) && m[n].users().len() == 1 => Some([a, b]),
        _ => None,
    }
}

//! The length of a slice whose bounds are computed: `x[i:i + k]` has k elements wherever it begins, so its shape is known when k is.
//!
//! Bounds are polynomials over values of the program, and the difference of the two is what does not cancel.

use super::lower::Lowerer;
use gradus_ir::{Const, Kind, Module, NodeId, Prim, Span};
use std::collections::BTreeMap;

/// Coefficients by the values that are multiplied, in their order; none that is zero.
type Polynomial = BTreeMap<Vec<NodeId>, i64>;

/// How many terms a bound may have.
const MAX_TERMS: usize = 16;

impl Lowerer<'_, '_> {
    /// The value of `end - start`, if a part of it that is computed cancels.
    pub fn distance(&mut self, start: NodeId, end: NodeId, span: Span) -> Option<NodeId> {
        let [start, end] = [polynomial(&self.m, start)?, polynomial(&self.m, end)?];
        let cancels = |(term, factor): (&Vec<NodeId>, &i64)| !term.is_empty() && end.get(term) == Some(factor);
        if !start.iter().any(cancels) {
            return None;
        }
        let mut sum: Option<NodeId> = None;
        for (term, factor) in add(end.clone(), &start, -1)? {
            let factor = self.m.i64(factor);
            let product = term.into_iter().fold(factor, |product, value| self.prim(Prim::Mul, &[product, value], span));
            sum = Some(sum.map_or(product, |sum| self.prim(Prim::Add, &[sum, product], span)));
        }
        Some(sum.unwrap_or_else(|| self.m.i64(0)))
    }
}

/// What a value is, as far as sums and products made of it. None if that is too much, or no integer.
fn polynomial(m: &Module, value: NodeId) -> Option<Polynomial> {
    // (value, entered): the polynomials of its operands come last on `done` when a value is left.
    let (mut stack, mut done) = (vec![(value, false)], Vec::new());
    while let Some((n, entered)) = stack.pop() {
        let inputs = m[n].inputs();
        match m[n].kind {
            Kind::Const(Const::I64(0)) => done.push(Polynomial::new()),
            Kind::Const(Const::I64(c)) => done.push(Polynomial::from([(Vec::new(), c)])),
            Kind::Const(_) => return None,
            Kind::Prim(Prim::Add | Prim::Sub | Prim::Mul | Prim::Neg) if !entered => {
                if stack.len() > MAX_TERMS {
                    return None;
                }
                stack.push((n, true));
                stack.extend(inputs.iter().rev().map(|&input| (input, false)));
            }
            Kind::Prim(Prim::Neg) if entered => {
                let operand = done.pop()?;
                done.push(add(Polynomial::new(), &operand, -1)?);
            }
            Kind::Prim(prim) if entered => {
                let (right, left) = (done.pop()?, done.pop()?);
                done.push(match prim {
                    Prim::Add => add(left, &right, 1)?,
                    Prim::Sub => add(left, &right, -1)?,
                    _ => multiply(&left, &right)?,
                });
            }
            _ => done.push(Polynomial::from([(vec![n], 1)])),
        }
    }
    done.pop()
}

/// `a + factor * b`.
fn add(mut a: Polynomial, b: &Polynomial, factor: i64) -> Option<Polynomial> {
    for (term, &coefficient) in b {
        let sum = a.entry(term.clone()).or_default();
        *sum = sum.checked_add(coefficient.checked_mul(factor)?)?;
        if *sum == 0 {
            a.remove(term);
        }
    }
    (a.len() <= MAX_TERMS).then_some(a)
}

fn multiply(a: &Polynomial, b: &Polynomial) -> Option<Polynomial> {
    let mut product = Polynomial::new();
    for (left, x) in a {
        for (right, y) in b {
            let mut term = [&left[..], right].concat();
            term.sort_unstable();
            product = add(product, &Polynomial::from([(term, x.checked_mul(*y)?)]), 1)?;
        }
    }
    Some(product)
}

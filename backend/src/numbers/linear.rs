//! Matrices of numbers: products, and elimination with row pivots.

use super::arrays::{Element, Items};
use super::{Numbers, Over, internal};
use crate::error::RunError;
use gradus_ir::eval::Scalar;
use gradus_ir::{ArrayOp, Prim, Span};
use std::rc::Rc;

/// A matrix by rows.
type Rows<S> = Vec<Vec<Element<S>>>;

impl<S: Numbers> Over<'_, S> {
    pub(super) fn linear(&self, op: ArrayOp, operands: &[Rc<Items<S::Number>>], span: Span) -> Result<Vec<Element<S>>, RunError> {
        let shape = operands[0].shape;
        let (m, k) = (shape[shape.len() - 2] as usize, shape[shape.len() - 1] as usize);
        let n = operands.last().map_or(0, |o| o.shape[o.shape.len() - 1] as usize);
        let rows = |i: usize, width: usize| operands[i].items.chunks(width.max(1)).map(<[_]>::to_vec).collect::<Rows<S>>();
        match op {
            ArrayOp::MatMul => {
                let (a, b) = (rows(0, k), rows(1, n));
                let mut product = Vec::new();
                for (stack, rows) in a.chunks(m.max(1)).enumerate() {
                    for row in rows {
                        for j in 0..n {
                            let column = b[stack * k..(stack + 1) * k].iter().map(|row| &row[j]);
                            product.push(self.dot(row.iter().zip(column), span)?);
                        }
                    }
                }
                Ok(product)
            }
            ArrayOp::Solve => self.solve(rows(0, k), rows(1, n), span),
            ArrayOp::LogDet | ArrayOp::DetSign => {
                let determinant = self.determinant(rows(0, k), span)?;
                if op == ArrayOp::DetSign {
                    return Ok(vec![self.apply(Prim::Sign, &[&determinant], span)?]);
                }
                let size = self.apply(Prim::Abs, &[&determinant], span)?;
                Ok(vec![self.apply(Prim::Log, &[&size], span)?])
            }
            ArrayOp::Cholesky => self.cholesky(&rows(0, k), span),
            ArrayOp::LowerHalf => {
                let (two, mut lower) = (Scalar::F64(Ok(self.0.integer(2))), rows(0, k));
                for (i, row) in lower.iter_mut().enumerate() {
                    row[i] = self.apply(Prim::Div, &[&row[i], &two], span)?;
                    row[i + 1..].fill(self.number(0));
                }
                Ok(lower.concat())
            }
            other => Err(internal(&format!("{} is no operation on matrices", other.name()))),
        }
    }

    fn number(&self, v: i64) -> Element<S> {
        Scalar::F64(Ok(self.0.integer(v)))
    }

    fn dot<'e>(&self, pairs: impl Iterator<Item = (&'e Element<S>, &'e Element<S>)>, span: Span) -> Result<Element<S>, RunError>
    where
        S: 'e,
    {
        let mut sum = None;
        for (a, b) in pairs {
            let term = self.apply(Prim::Mul, &[a, b], span)?;
            sum = Some(match sum {
                Some(sum) => self.apply(Prim::Add, &[&sum, &term], span)?,
                None => term,
            });
        }
        Ok(sum.unwrap_or_else(|| self.number(0)))
    }

    /// `a - b * c`.
    fn minus(&self, a: &Element<S>, b: &Element<S>, c: &Element<S>, span: Span) -> Result<Element<S>, RunError> {
        self.apply(Prim::Sub, &[a, &self.apply(Prim::Mul, &[b, c], span)?], span)
    }

    /// Brings the greatest of column `i`, in or below row `i`, to row `i`; whether that is another row.
    fn pivot(&self, rows: &mut Rows<S>, i: usize, span: Span) -> Result<bool, RunError> {
        let mut best = i;
        for j in i + 1..rows.len() {
            let sizes = [j, best].map(|row| self.apply(Prim::Abs, &[&rows[row][i]], span));
            let [a, b] = sizes;
            if self.apply(Prim::Gt, &[&a?, &b?], span)? == Scalar::Bool(true) {
                best = j;
            }
        }
        rows.swap(i, best);
        Ok(best != i)
    }

    /// Takes from row `j` so much of row `i` that its element in column `i` is zero.
    fn eliminate(&self, rows: &mut Rows<S>, i: usize, j: usize, span: Span) -> Result<(), RunError> {
        let factor = self.apply(Prim::Div, &[&rows[j][i], &rows[i][i]], span)?;
        for k in i..rows[i].len() {
            rows[j][k] = self.minus(&rows[j][k], &factor, &rows[i][k], span)?;
        }
        Ok(())
    }

    fn solve(&self, a: Rows<S>, b: Rows<S>, span: Span) -> Result<Vec<Element<S>>, RunError> {
        let n = a.len();
        let mut rows: Rows<S> = a.into_iter().zip(b).map(|(a, b)| [a, b].concat()).collect();
        for i in 0..n {
            self.pivot(&mut rows, i, span)?;
            for j in i + 1..n {
                self.eliminate(&mut rows, i, j, span)?;
            }
        }
        for i in (0..n).rev() {
            for k in n..rows[i].len() {
                let known = (i + 1..n).map(|j| (&rows[i][j], &rows[j][k]));
                let rest = self.apply(Prim::Sub, &[&rows[i][k], &self.dot(known, span)?], span)?;
                rows[i][k] = self.apply(Prim::Div, &[&rest, &rows[i][i]], span)?;
            }
        }
        Ok(rows.into_iter().flat_map(|mut row| row.split_off(n)).collect())
    }

    fn determinant(&self, mut rows: Rows<S>, span: Span) -> Result<Element<S>, RunError> {
        let mut determinant = self.number(1);
        for i in 0..rows.len() {
            let swapped = self.pivot(&mut rows, i, span)?;
            if self.apply(Prim::Eq, &[&rows[i][i], &self.number(0)], span)? == Scalar::Bool(true) {
                return Ok(self.number(0));
            }
            for j in i + 1..rows.len() {
                self.eliminate(&mut rows, i, j, span)?;
            }
            determinant = self.apply(Prim::Mul, &[&determinant, &rows[i][i]], span)?;
            if swapped {
                determinant = self.apply(Prim::Neg, &[&determinant], span)?;
            }
        }
        Ok(determinant)
    }

    fn cholesky(&self, a: &Rows<S>, span: Span) -> Result<Vec<Element<S>>, RunError> {
        let n = a.len();
        let mut l: Rows<S> = vec![vec![self.number(0); n]; n];
        for i in 0..n {
            for j in 0..=i {
                let known = self.dot(l[i][..j].iter().zip(&l[j][..j]), span)?;
                let rest = self.apply(Prim::Sub, &[&a[i][j], &known], span)?;
                l[i][j] = match i == j {
                    true => self.apply(Prim::Sqrt, &[&rest], span)?,
                    false => self.apply(Prim::Div, &[&rest, &l[j][j]], span)?,
                };
            }
        }
        Ok(l.concat())
    }
}

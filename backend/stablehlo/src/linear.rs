//! Linear algebra that StableHLO has no operation for: elimination with partial pivoting, as a loop over columns.

use crate::function::Emit;
use crate::op::{Attribute, Val};
use crate::tensor::{Element, Tensor};
use gradus_ir::ArrayOp;

impl Emit<'_, '_> {
    pub fn linear(&mut self, op: ArrayOp, operands: &[Val]) -> Val {
        let a = &operands[0];
        let n = a.ty.dims[0];
        match op {
            ArrayOp::LowerHalf => {
                let half = self.b().float(a.ty, 0.5);
                let halves = self.b().same("multiply", &[a, &half]);
                let zeros = self.b().zeros(a.ty);
                let [row, column] = [0, 1].map(|axis| self.b().iota(axis, a.ty.dims));
                let [below, on] = ["GT", "EQ"].map(|direction| self.b().compare(direction, &row, &column));
                let rest = self.b().select(&on, &halves, &zeros);
                self.b().select(&below, a, &rest)
            }
            ArrayOp::Cholesky => self.cholesky(a),
            ArrayOp::Solve if n == 0 || operands[1].ty.count() == 0 => operands[1].clone(),
            ArrayOp::Solve => {
                let right = operands[1].ty.dims[1];
                let matrix = self.b().concatenate(&[a, &operands[1]], 1);
                let [solved, ..] = self.eliminate(&matrix, true);
                self.b().slice(&solved, &[[0, n, 1], [n, n + right, 1]])
            }
            _ if n == 0 => self.b().float(a.ty.with([]), if op == ArrayOp::LogDet { 0.0 } else { 1.0 }),
            _ => {
                let [_, log, sign] = self.eliminate(a, false);
                if op == ArrayOp::LogDet { log } else { sign }
            }
        }
    }

    /// NaN everywhere where a pivot is not positive.
    fn cholesky(&mut self, a: &Val) -> Val {
        let found = self.b().op("cholesky", &[a], vec![("lower", Attribute::Bool(true))], a.ty);
        let [row, column] = [0, 1].map(|axis| self.b().iota(axis, a.ty.dims));
        let is_lower = self.b().compare("GE", &row, &column);
        let zeros = self.b().zeros(a.ty);
        let lower = self.b().select(&is_lower, &found, &zeros);
        let nan = self.b().is_nan(&lower);
        let any = self.any(&nan);
        let bad = self.b().float(a.ty, f64::NAN);
        self.b().select(&any, &bad, &lower)
    }

    /// Gauss and Jordan: the matrix with the identity in its first columns (with `all`, else only what is below the diagonal is
    /// cleared), the logarithm of the absolute value of the determinant of these columns, and its sign.
    fn eliminate(&mut self, matrix: &Val, all: bool) -> [Val; 3] {
        let (n, width) = (matrix.ty.dims[0], matrix.ty.dims[1]);
        let (float, index) = (Tensor::scalar(Element::F64), Tensor::scalar(Element::I64));
        let (zero, log, sign) = (self.b().int(index, 0), self.b().float(float, 0.0), self.b().float(float, 1.0));
        let start = [zero, matrix.clone(), log, sign];
        let types = [index, matrix.ty, float, float];

        self.b().open(true);
        let inside = self.b().params(types);
        let end = self.b().int(index, n);
        let goes_on = self.b().compare("LT", &inside[0], &end);
        self.b().leave(&[goes_on]);
        let condition = (inside, self.b().close());

        self.b().open(true);
        let inside = self.b().params(types);
        let [k, matrix, log, sign] = [0, 1, 2, 3].map(|i| inside[i].clone());
        let zero = self.b().int(index, 0);
        let rows = self.b().iota(0, [n]);
        let current = self.b().splat(&k, [n]);
        // The pivot: the greatest of the rows that are left.
        let column = self.b().dynamic_slice(&matrix, &[zero.clone(), k.clone()], &[n, 1]);
        let column = self.b().reshape(&column, [n]);
        let sizes = self.b().same("abs", &[&column]);
        let is_left = self.b().compare("GE", &rows, &current);
        let nothing = self.b().float(sizes.ty, -1.0);
        let sizes = self.b().select(&is_left, &sizes, &nothing);
        let pivot_row = self.place_of_extreme(ArrayOp::ArgMax, &sizes, 0);
        let [own, other] = [&k, &pivot_row].map(|row| self.b().dynamic_slice(&matrix, &[row.clone(), zero.clone()], &[1, width]));
        let swapped = self.b().dynamic_update(&matrix, &own, &[pivot_row.clone(), zero.clone()]);
        let pivot = self.b().dynamic_slice(&other, &[zero.clone(), k.clone()], &[1, 1]);
        let pivot = self.b().reshape(&pivot, []);
        let all_pivot = self.b().splat(&pivot, [1, width]);
        let row = if all { self.b().same("divide", &[&other, &all_pivot]) } else { other.clone() };
        let swapped = self.b().dynamic_update(&swapped, &row, &[k.clone(), zero.clone()]);
        // What is subtracted from each row: so many times the row of the pivot.
        let factors = self.b().dynamic_slice(&swapped, &[zero.clone(), k.clone()], &[n, 1]);
        let factors = self.b().reshape(&factors, [n]);
        let factors = if all {
            factors
        } else {
            let divisor = self.b().splat(&pivot, [n]);
            self.b().same("divide", &[&factors, &divisor])
        };
        let is_other = self.b().compare(if all { "NE" } else { "GT" }, &rows, &current);
        let nothing = self.b().zeros(factors.ty);
        let factors = self.b().select(&is_other, &factors, &nothing);
        let factors = self.b().broadcast(&factors, &[0], [n, width]);
        let row = self.b().reshape(&row, [width]);
        let row = self.b().broadcast(&row, &[1], [n, width]);
        let part = self.b().same("multiply", &[&factors, &row]);
        let cleared = self.b().same("subtract", &[&swapped, &part]);
        let size = self.b().same("abs", &[&pivot]);
        let own_log = self.b().same("log", &[&size]);
        let log = self.b().same("add", &[&log, &own_log]);
        let own_sign = self.b().same("sign", &[&pivot]);
        let stays = self.b().compare("EQ", &k, &pivot_row);
        let (one, minus_one) = (self.b().float(float, 1.0), self.b().float(float, -1.0));
        let swap_sign = self.b().select(&stays, &one, &minus_one);
        let own_sign = self.b().same("multiply", &[&own_sign, &swap_sign]);
        let sign = self.b().same("multiply", &[&sign, &own_sign]);
        let step = self.b().int(index, 1);
        let next = self.b().same("add", &[&k, &step]);
        self.b().leave(&[next, cleared, log, sign]);
        let body = (inside, self.b().close());
        let results = self.b().compound("while", &start.iter().collect::<Vec<_>>(), vec![condition, body], Vec::new(), &types);
        [1, 2, 3].map(|i| results[i].clone())
    }
}

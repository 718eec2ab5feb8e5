//! Operations that move elements, and products of matrices.

use super::clif;
use super::folds::Fold;
use crate::arrays::{Linear, Move};
use crate::error::BackendError;
use crate::jit::jit_error;
use crate::jit::layout::WORD;
use crate::jit::lower::{Lower, TRUSTED};
use crate::jit::object::unsupported;
use crate::jit::unit::of_words;
use crate::kernels::Reduction;
use cranelift::prelude::{InstBuilder, Value, types};
use cranelift_module::Module as _;
use gradus_ir::{ArrayOp, DType, Prim, Span, Type};

impl Lower<'_, '_> {
    pub(super) fn moved_elements(&mut self, code: &Move, operands: &[Value], to: Value, span: Span) -> Result<(), BackendError> {
        use ArrayOp::{AddAt, At, Concat, Gather, Indices, Iota, Make, Put, PutAdd, Scatter, ScatterAdd, SetAt, Table};
        let (dtype, bytes) = (code.dtype, code.part * code.size);
        let strides: Vec<isize> = code.strides.iter().map(|&s| s as isize).collect();
        match code.op {
            At => {
                let from = self.place_of(operands[0], 0, &strides, &operands[1..], dtype);
                self.copy_bytes(to, from, bytes);
            }
            SetAt | AddAt => {
                let to = self.place_of(to, 0, &strides, &operands[2..], dtype);
                match code.op {
                    SetAt => self.copy_bytes(to, operands[1], bytes),
                    _ => self.add_elements(to, operands[1], code.part, dtype)?,
                }
            }
            Put | PutAdd => {
                let region = &code.region;
                let mut dense = vec![1; region.counts.len()];
                for axis in (1..dense.len()).rev() {
                    dense[axis - 1] = dense[axis] * region.counts[axis] as isize;
                }
                self.each_place(&region.counts, &mut Vec::new(), &mut |lower, indices| {
                    let from = lower.place_of(operands[1], 0, &dense, indices, dtype);
                    let to = lower.place_of(to, region.offset, &region.strides, indices, dtype);
                    if code.op == Put {
                        lower.copy_bytes(to, from, code.size);
                        return Ok(());
                    }
                    lower.add_elements(to, from, 1, dtype)
                })?;
            }
            Indices => self.each(code.places, |lower, i| {
                let from = lower.place_of(operands[0], 0, &[1], &[i], DType::I64);
                let at = lower.b.ins().load(WORD, TRUSTED, from, 0);
                let length = lower.word(code.length);
                let at = lower.scalar(Prim::Index, &Type::I64, &[at, length], span)?;
                let to = lower.place_of(to, 0, &[1], &[i], DType::I64);
                lower.b.ins().store(TRUSTED, at, to, 0);
                Ok(())
            })?,
            Gather | Scatter | ScatterAdd => self.each(code.places, |lower, i| {
                let row = lower.place_of(operands[1], 0, &[1], &[i], DType::I64);
                let row = lower.b.ins().load(WORD, TRUSTED, row, 0);
                let part = [code.part as isize];
                if code.op == Gather {
                    let from = lower.place_of(operands[0], 0, &part, &[row], dtype);
                    let to = lower.place_of(to, 0, &part, &[i], dtype);
                    lower.copy_bytes(to, from, bytes);
                    return Ok(());
                }
                let from = lower.place_of(operands[2], 0, &part, &[i], dtype);
                let to = lower.place_of(to, 0, &part, &[row], dtype);
                if code.op == Scatter {
                    lower.copy_bytes(to, from, bytes);
                    return Ok(());
                }
                lower.add_elements(to, from, code.part, dtype)
            })?,
            Concat => {
                let row: usize = code.pieces.iter().sum();
                let mut before = 0;
                for (&piece, &from) in code.pieces.iter().zip(operands) {
                    self.each(code.repeats, |lower, i| {
                        let from = lower.place_of(from, 0, &[piece as isize], &[i], dtype);
                        let to = lower.place_of(to, before, &[row as isize], &[i], dtype);
                        lower.copy_bytes(to, from, piece * code.size);
                        Ok(())
                    })?;
                    before += piece as isize;
                }
            }
            Make => {
                for (i, &value) in operands.iter().enumerate() {
                    self.b.ins().store(TRUSTED, value, to, (i * code.size) as i32);
                }
            }
            Iota => {
                let [before, length, after] = crate::arrays::around(code.shape, code.length as usize);
                self.each_place(&[before, length, after], &mut Vec::new(), &mut |lower, indices| {
                    let strides = [(length * after) as isize, after as isize, 1];
                    let to = lower.place_of(to, 0, &strides, indices, DType::I64);
                    lower.b.ins().store(TRUSTED, indices[1], to, 0);
                    Ok(())
                })?;
            }
            Table => {
                let words: Vec<u64> = code.table.iter().map(|&v| v as u64).collect();
                let data = self.unit.module.declare_anonymous_data(false, false).map_err(jit_error)?;
                self.unit.module.define_data(data, &of_words(&words)).map_err(jit_error)?;
                let data = self.unit.module.declare_data_in_func(data, self.b.func);
                let from = self.b.ins().symbol_value(WORD, data);
                self.copy_bytes(to, from, words.len() * code.size);
            }
            other => return Err(unsupported(&format!("`{}`", other.name()))),
        }
        Ok(())
    }

    pub(super) fn add_elements(&mut self, to: Value, from: Value, count: usize, dtype: DType) -> Result<(), BackendError> {
        if !matches!(dtype, DType::F64 | DType::I64) {
            return Err(unsupported(&format!("an addition to parts of arrays of {}", dtype.name())));
        }
        let fold = Fold { by: Reduction::Sum, dtype, to, row: None, first: 0, is_long: false, strides: vec![1] };
        self.each(count, |lower, i| {
            let from = lower.place_of(from, 0, &[1], &[i], dtype);
            let value = lower.b.ins().load(clif(dtype), TRUSTED, from, 0);
            lower.join_to(&fold, value, &[i])
        })
    }

    pub(super) fn matrix_product(&mut self, linear: &Linear, operands: &[Value], to: Value) -> Result<(), BackendError> {
        let [m, n, k] = linear.sizes;
        let [a, b] = &linear.layouts;
        let counts = [&linear.stack[..], &[m, n]].concat();
        let mut dense = vec![1; counts.len()];
        for axis in (1..counts.len()).rev() {
            dense[axis - 1] = dense[axis] * counts[axis] as isize;
        }
        self.each_place(&counts, &mut Vec::new(), &mut |lower, at| {
            let sum = lower.b.declare_var(types::F64);
            let zero = lower.b.ins().f64const(0.0);
            lower.b.def_var(sum, zero);
            let (stack, row, column) = (&at[..at.len() - 2], at[at.len() - 2], at[at.len() - 1]);
            lower.each(k, |lower, p| {
                let [of_a, of_b] = [[row, p], [p, column]].map(|matrix| [stack, &matrix].concat());
                let left = lower.place_of(operands[0], a.offset, &a.strides, &of_a, DType::F64);
                let right = lower.place_of(operands[1], b.offset, &b.strides, &of_b, DType::F64);
                let [left, right] = [left, right].map(|at| lower.b.ins().load(types::F64, TRUSTED, at, 0));
                let before = lower.b.use_var(sum);
                let after = if lower.unit.fused {
                    lower.b.ins().fma(left, right, before)
                } else {
                    let product = lower.b.ins().fmul(left, right);
                    lower.b.ins().fadd(before, product)
                };
                lower.b.def_var(sum, after);
                Ok(())
            })?;
            let place = lower.place_of(to, 0, &dense, at, DType::F64);
            let sum = lower.b.use_var(sum);
            lower.b.ins().store(TRUSTED, sum, place, 0);
            Ok(())
        })
    }

    // --- pieces
}

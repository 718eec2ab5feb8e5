//! Reductions under way.

use super::clif;
use crate::error::BackendError;
use crate::jit::lower::{Lower, TRUSTED, word_offset};
use crate::kernels::{BLOCK, LANES, Reduction};
use cranelift::prelude::{FloatCC, InstBuilder, IntCC, Value, Variable};
use gradus_ir::DType;

/// A reduction under way.
pub(super) struct Fold {
    pub(super) by: Reduction,
    pub(super) dtype: DType,
    /// The place of the result.
    pub(super) to: Value,
    /// Where the lanes are, and how many elements of the row have been joined; none where the innermost axis is kept.
    pub(super) row: Option<(Value, Variable)>,
    /// The axis from which on all are reduced.
    pub(super) first: usize,
    /// Whether a row has several blocks.
    pub(super) is_long: bool,
    /// The distance of neighbours in the result along each axis.
    pub(super) strides: Vec<isize>,
}

impl Lower<'_, '_> {
    pub(super) fn begin_row(&mut self, fold: &Fold) -> Result<(), BackendError> {
        let Some((lanes, joined)) = fold.row else { return Ok(()) };
        let none = self.word(0);
        self.b.def_var(joined, none);
        let identity = self.identity(fold.by, fold.dtype);
        self.fill_words(lanes, identity);
        Ok(())
    }

    pub(super) fn fill_words(&mut self, lanes: Value, value: Value) {
        for lane in 0..LANES {
            self.b.ins().store(TRUSTED, value, lanes, word_offset(lane));
        }
    }

    /// Joins a value to its lane, or to its element of the result.
    pub(super) fn join_to(&mut self, fold: &Fold, value: Value, indices: &[Value]) -> Result<(), BackendError> {
        let Some((lanes, joined)) = fold.row else {
            let to = self.place_of(fold.to, 0, &fold.strides, indices, fold.dtype);
            self.join_in(fold, to, value);
            return Ok(());
        };
        let number = self.b.use_var(joined);
        let lane = self.b.ins().band_imm_s(number, LANES as i64 - 1);
        let offset = self.b.ins().ishl_imm_u(lane, 3);
        let lane = self.b.ins().iadd(lanes, offset);
        self.join_in(fold, lane, value);
        let more = self.b.ins().iadd_imm_s(number, 1);
        self.b.def_var(joined, more);
        if fold.is_long {
            let [full, next] = [self.b.create_block(), self.b.create_block()];
            let is_full = self.b.ins().icmp_imm_s(IntCC::Equal, more, BLOCK as i64);
            self.b.ins().brif(is_full, full, &[], next, &[]);
            self.b.switch_to_block(full);
            self.end_row(fold, indices);
            self.begin_row(fold)?;
            self.b.ins().jump(next, &[]);
            self.b.switch_to_block(next);
        }
        Ok(())
    }

    /// Joins the lanes, the upper half to the lower one until one is left, and that to the result.
    pub(super) fn end_row(&mut self, fold: &Fold, indices: &[Value]) {
        let Some((lanes, _)) = fold.row else { return };
        let ty = clif(fold.dtype);
        let mut values: Vec<Value> = (0..LANES).map(|lane| self.b.ins().load(ty, TRUSTED, lanes, word_offset(lane))).collect();
        while values.len() > 1 {
            let half = values.len() / 2;
            values = (0..half).map(|i| self.join(fold, values[i], values[i + half])).collect();
        }
        let to = self.place_of(fold.to, 0, &fold.strides, &indices[..fold.first], fold.dtype);
        self.join_in(fold, to, values[0]);
    }

    pub(super) fn join_in(&mut self, fold: &Fold, to: Value, value: Value) {
        let before = self.b.ins().load(clif(fold.dtype), TRUSTED, to, 0);
        let after = self.join(fold, before, value);
        self.b.ins().store(TRUSTED, after, to, 0);
    }

    pub(super) fn join(&mut self, fold: &Fold, a: Value, b: Value) -> Value {
        match (fold.by, fold.dtype) {
            (Reduction::Sum, DType::F64 | DType::F32) => self.b.ins().fadd(a, b),
            (Reduction::Sum, _) => self.b.ins().iadd(a, b),
            (by, DType::F64 | DType::F32) => {
                let order = if by == Reduction::Max { FloatCC::GreaterThanOrEqual } else { FloatCC::LessThanOrEqual };
                let first = self.b.ins().fcmp(order, a, b);
                let nan = self.b.ins().fcmp(FloatCC::Unordered, a, a);
                let first = self.b.ins().bor(first, nan);
                self.b.ins().select(first, a, b)
            }
            (Reduction::Max, DType::I64) => self.b.ins().smax(a, b),
            (Reduction::Min, DType::I64) => self.b.ins().smin(a, b),
            (Reduction::Max, DType::Bool) => self.b.ins().bor(a, b),
            (Reduction::Min, DType::Bool) => self.b.ins().band(a, b),
        }
    }

    /// What changes nothing that it is joined to.
    pub(super) fn identity(&mut self, by: Reduction, dtype: DType) -> Value {
        let bits = match (by, dtype) {
            (Reduction::Sum, DType::F64 | DType::F32) => (-0.0_f64).to_bits(),
            (Reduction::Max, DType::F64 | DType::F32) => f64::NEG_INFINITY.to_bits(),
            (Reduction::Min, DType::F64 | DType::F32) => f64::INFINITY.to_bits(),
            (Reduction::Max, DType::I64) => i64::MIN as u64,
            (Reduction::Min, DType::I64) => i64::MAX as u64,
            (Reduction::Min, DType::Bool) => 1,
            (Reduction::Sum | Reduction::Max, _) => 0,
        };
        self.constant(dtype, bits)
    }

    // --- what only moves elements, and products
}

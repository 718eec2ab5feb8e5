//! Operations on arrays as loops, in the place of kernels and calls.
//!
//! A kernel is one nest of loops over its points, whose axes are joined where all operands go on from one to the next. Reductions
//! are in the order of `crate::kernels`, so results have the bits of kernels; products of matrices are summed from the first term to
//! the last.

use super::unsupported;
use crate::arrays::{Code, Operation};
use crate::error::BackendError;
use crate::jit::layout::WORD;
use crate::jit::lower::{Lower, TRUSTED};
use crate::kernels::{BLOCK, Builder, Expr, LANES, Output, Part, Reduction, ValueId};
use cranelift::codegen::ir::BlockArg;
use cranelift::prelude::{InstBuilder, IntCC, Type as Clif, Value, types};
use folds::Fold;
use gradus_ir::{ArrayOp, DType, Prim, Span, Type};

mod folds;
mod moves;

/// What a nest of loops does at each place, whose indices it is given.
type Body<'a, L> = dyn FnMut(&mut L, &[Value]) -> Result<(), BackendError> + 'a;

/// An axis of the iteration space, or several that are one.
#[derive(Clone)]
struct Axis {
    extent: usize,
    /// The distance of neighbours in each array, in elements; 0 for other values.
    strides: Vec<isize>,
    /// Whether each output has the axis.
    kept: Vec<bool>,
}

impl Lower<'_, '_> {
    /// An operation with operands and the addresses of its results.
    pub fn apply_inline(
        &mut self,
        operation: &Operation,
        operands: &[Value],
        results: &[Value],
        span: Span,
    ) -> Result<(), BackendError> {
        match &operation.code {
            Code::Kernel(kernel) => self.nest(&kernel.source, operands, results, span),
            Code::Rows(ranges) => {
                for rows in ranges {
                    let operands: Vec<Value> = rows.operands.iter().map(|&i| operands[i]).collect();
                    let starts = results.iter().zip(&operation.results);
                    let starts: Vec<Value> = starts
                        .map(|(&to, (dtype, _))| self.b.ins().iadd_imm_s(to, (rows.before * dtype.bytes()) as i64))
                        .collect();
                    self.nest(&rows.kernel.source, &operands, &starts, span)?;
                }
                Ok(())
            }
            Code::Move(code) => self.moved_elements(code, operands, results[0], span),
            Code::Linear(linear) if linear.op == ArrayOp::MatMul && linear.dtype == DType::F64 => {
                self.matrix_product(linear, operands, results[0])
            }
            Code::Linear(linear) => Err(unsupported(&format!("`{}` of {}", linear.op.name(), linear.dtype.name()))),
            Code::Order(order) => Err(unsupported(&format!("`{}`", order.op.name()))),
        }
    }

    /// A kernel.
    fn nest(&mut self, k: &Builder, operands: &[Value], results: &[Value], span: Span) -> Result<(), BackendError> {
        let axes = joined_axes(k);
        let is_empty = axes.iter().any(|axis| axis.extent == 0);
        let mut folds = Vec::new();
        for (o, (output, &to)) in k.outputs.iter().zip(results).enumerate() {
            let &Output::Reduce { by, value, dtype, .. } = output else { continue };
            if dtype == DType::F32 {
                return Err(unsupported("a reduction to floats of 32 bits"));
            }
            let dtype = k.dtype(value).scalar();
            let reduced = axes.iter().rev().take_while(|axis| !axis.kept[o]).count();
            let first = axes.len() - reduced;
            let length: usize = axes[first..].iter().map(|axis| axis.extent).product();
            let row = (reduced > 0 || axes.is_empty()).then(|| {
                let slot = self.stack_slot(LANES);
                (self.b.ins().stack_addr(WORD, slot, 0), self.b.declare_var(WORD))
            });
            let mut strides = vec![0; axes.len()];
            let mut count = 1;
            for (axis, stride) in axes.iter().zip(&mut strides).rev().filter(|(axis, _)| axis.kept[o]) {
                *stride = count as isize;
                count *= axis.extent;
            }
            // There is no row to join where there is no point, and the sum of none is 0.
            let start = if is_empty && by == Reduction::Sum { self.constant(dtype, 0) } else { self.identity(by, dtype) };
            self.fill(to, count, dtype, start)?;
            folds.push(Fold { by, dtype, to, row, first, is_long: length > BLOCK, strides });
        }
        if is_empty {
            return Ok(());
        }
        self.nest_from(k, &axes, &mut Vec::new(), operands, results, &folds, span)
    }

    /// The loops from an axis on, for indices along those before.
    #[expect(clippy::too_many_arguments, reason = "they are what the loops have in common")]
    fn nest_from(
        &mut self,
        k: &Builder,
        axes: &[Axis],
        indices: &mut Vec<Value>,
        operands: &[Value],
        results: &[Value],
        folds: &[Fold],
        span: Span,
    ) -> Result<(), BackendError> {
        let level = indices.len();
        let rows: Vec<&Fold> = folds.iter().filter(|fold| fold.first == level && fold.row.is_some()).collect();
        for fold in &rows {
            self.begin_row(fold)?;
        }
        if level == axes.len() {
            self.point(k, axes, indices, operands, results, folds, span)?;
        } else {
            self.each(axes[level].extent, |lower, i| {
                indices.push(i);
                lower.nest_from(k, axes, indices, operands, results, folds, span)?;
                indices.pop();
                Ok(())
            })?;
        }
        for fold in rows {
            self.end_row(fold, indices);
        }
        Ok(())
    }

    /// What is computed at one point.
    #[expect(clippy::too_many_arguments, reason = "they are what the loops have in common")]
    fn point(
        &mut self,
        k: &Builder,
        axes: &[Axis],
        indices: &[Value],
        operands: &[Value],
        results: &[Value],
        folds: &[Fold],
        span: Span,
    ) -> Result<(), BackendError> {
        let mut values: Vec<Value> = Vec::with_capacity(k.exprs.len());
        for (e, (expr, dtype)) in k.exprs.iter().enumerate() {
            values.push(match expr {
                Expr::Array { input, view, .. } => {
                    let strides: Vec<isize> = axes.iter().map(|axis| axis.strides[e]).collect();
                    let address = self.place_of(operands[*input as usize], view.offset, &strides, indices, *dtype);
                    self.load_element(*dtype, address)
                }
                Expr::Scalar { input } => operands[*input as usize],
                Expr::Literal(bits) => self.constant(dtype.scalar(), *bits),
                Expr::Joined(parts) => {
                    let end = k.extents[0];
                    self.joined_value(parts, end, indices.first().copied(), operands, *dtype)
                }
                Expr::Copy(value) => values[value.index()],
                Expr::Apply { prim, operands } => {
                    let of = |v: &ValueId| (values[v.index()], k.dtype(*v).scalar());
                    let operands: Vec<(Value, DType)> = operands.iter().map(of).collect();
                    self.element_of(*prim, &operands, span)?
                }
            });
        }
        let mut folds = folds.iter();
        let mut dense = vec![1; axes.len()];
        for axis in (1..axes.len()).rev() {
            dense[axis - 1] = dense[axis] * axes[axis].extent as isize;
        }
        for (output, &to) in k.outputs.iter().zip(results) {
            let value = values[output.value().index()];
            match output {
                Output::Store(v) => {
                    let dtype = k.dtype(*v);
                    let address = self.place_of(to, 0, &dense, indices, dtype);
                    let value = if dtype == DType::F32 { self.b.ins().fdemote(types::F32, value) } else { value };
                    self.b.ins().store(TRUSTED, value, address, 0);
                }
                Output::Reduce { .. } => {
                    let fold = folds.next().expect("a fold for each reduction");
                    self.join_to(fold, value, indices)?;
                }
            }
        }
        Ok(())
    }

    /// The value at the next point of the one axis, of parts one behind the other.
    fn joined_value(
        &mut self,
        parts: &[(usize, Part)],
        end: usize,
        index: Option<Value>,
        operands: &[Value],
        dtype: DType,
    ) -> Value {
        let index = index.unwrap_or_else(|| self.word(0));
        let mut joined = None;
        for (p, &(start, part)) in parts.iter().enumerate() {
            let stop = parts.get(p + 1).map_or(end, |(next, _)| *next);
            let value = match part {
                Part::Scalar { input } => operands[input as usize],
                Part::Literal(bits) => self.constant(dtype.scalar(), bits),
                Part::Array { input, offset } => {
                    // Points of other parts read an element of this one.
                    let (low, high) = (self.word(start as i64), self.word(stop as i64 - 1));
                    let at = self.b.ins().smax(index, low);
                    let at = self.b.ins().smin(at, high);
                    let at = self.b.ins().iadd_imm_s(at, -(start as i64));
                    let address = self.place_of(operands[input as usize], offset, &[1], &[at], dtype);
                    self.load_element(dtype, address)
                }
            };
            joined = Some(match joined {
                None => value,
                Some(before) => {
                    let is_here = self.b.ins().icmp_imm_s(IntCC::SignedGreaterThanOrEqual, index, start as i64);
                    self.b.ins().select(is_here, value, before)
                }
            });
        }
        joined.expect("parts begin at the first point")
    }

    /// A primitive on elements: integers wrap, as in kernels.
    fn element_of(&mut self, prim: Prim, operands: &[(Value, DType)], span: Span) -> Result<Value, BackendError> {
        let values: Vec<Value> = operands.iter().map(|(value, _)| *value).collect();
        let ins = self.b.ins();
        Ok(match (prim, operands[0].1, &values[..]) {
            (Prim::Select, _, &[c, a, b]) => ins.select(c, a, b),
            (Prim::Int, DType::F64, &[a]) => ins.fcvt_to_sint_sat(WORD, a),
            (Prim::Add, DType::I64, &[a, b]) => ins.iadd(a, b),
            (Prim::Sub, DType::I64, &[a, b]) => ins.isub(a, b),
            (Prim::Mul, DType::I64, &[a, b]) => ins.imul(a, b),
            (Prim::Neg, DType::I64, &[a]) => ins.ineg(a),
            (Prim::Abs, DType::I64, &[a]) => ins.iabs(a),
            (Prim::FloorDiv | Prim::Mod | Prim::Ipow, DType::I64, _) => {
                return Err(unsupported(&format!("`{}` on arrays of integers", prim.name())));
            }
            (_, dtype, values) => self.scalar(prim, &Type::array(dtype, gradus_ir::Dims::NONE), values, span)?,
        })
    }

    // --- reductions

    /// Does something for each number below `count`.
    fn each(
        &mut self,
        count: usize,
        mut body: impl FnMut(&mut Self, Value) -> Result<(), BackendError>,
    ) -> Result<(), BackendError> {
        let zero = self.word(0);
        if count == 0 {
            return Ok(());
        }
        if count == 1 {
            return body(self, zero);
        }
        let [head, done] = [self.b.create_block(), self.b.create_block()];
        let i = self.b.append_block_param(head, WORD);
        self.b.ins().jump(head, &[BlockArg::from(zero)]);
        self.b.switch_to_block(head);
        body(self, i)?;
        let next = self.b.ins().iadd_imm_s(i, 1);
        let is_left = self.b.ins().icmp_imm_s(IntCC::SignedLessThan, next, count as i64);
        self.b.ins().brif(is_left, head, &[BlockArg::from(next)], done, &[]);
        self.b.switch_to_block(done);
        Ok(())
    }

    /// Does something for each list of numbers below `counts`.
    fn each_place(&mut self, counts: &[usize], indices: &mut Vec<Value>, body: &mut Body<'_, Self>) -> Result<(), BackendError> {
        let Some(&count) = counts.get(indices.len()) else { return body(self, indices) };
        self.each(count, |lower, i| {
            indices.push(i);
            lower.each_place(counts, indices, body)?;
            indices.pop();
            Ok(())
        })
    }

    /// Writes a value to elements one behind the other.
    fn fill(&mut self, to: Value, count: usize, dtype: DType, value: Value) -> Result<(), BackendError> {
        self.each(count, |lower, i| {
            let place = lower.place_of(to, 0, &[1], &[i], dtype);
            lower.b.ins().store(TRUSTED, value, place, 0);
            Ok(())
        })
    }

    /// The address of an element.
    fn place_of(&mut self, base: Value, offset: isize, strides: &[isize], indices: &[Value], dtype: DType) -> Value {
        let size = dtype.bytes() as isize;
        let mut address = base;
        if offset != 0 {
            address = self.b.ins().iadd_imm_s(address, (offset * size) as i64);
        }
        for (&stride, &index) in strides.iter().zip(indices).filter(|&(&stride, _)| stride != 0) {
            let distance = self.b.ins().imul_imm_s(index, (stride * size) as i64);
            address = self.b.ins().iadd(address, distance);
        }
        address
    }

    /// A constant by its bits.
    fn constant(&mut self, dtype: DType, bits: u64) -> Value {
        match dtype {
            DType::F64 | DType::F32 => self.b.ins().f64const(f64::from_bits(bits)),
            DType::I64 => self.word(bits as i64),
            DType::Bool => self.b.ins().iconst(types::I8, bits as i64),
        }
    }
}

/// The type of an element between loads and stores.
fn clif(dtype: DType) -> Clif {
    match dtype {
        DType::F64 | DType::F32 => types::F64,
        DType::I64 => WORD,
        DType::Bool => types::I8,
    }
}

/// The axes of an iteration space, as few as possible.
fn joined_axes(k: &Builder) -> Vec<Axis> {
    let mut axes: Vec<Axis> = Vec::new();
    for (a, &extent) in k.extents.iter().enumerate().filter(|&(_, &extent)| extent != 1) {
        let strides = k.exprs.iter().map(|(expr, _)| match expr {
            Expr::Array { strides, .. } => strides[a],
            _ => 0,
        });
        let kept = k.outputs.iter().map(|output| match output {
            Output::Reduce { kept, .. } => kept[a],
            Output::Store(_) => true,
        });
        let axis = Axis { extent, strides: strides.collect(), kept: kept.collect() };
        match axes.last_mut() {
            Some(outer) if continues(outer, &axis) => *outer = Axis { extent: outer.extent * extent, ..axis },
            _ => axes.push(axis),
        }
    }
    axes
}

/// Whether all elements along an axis go on where those along the next inner one end.
fn continues(outer: &Axis, inner: &Axis) -> bool {
    let mut strides = outer.strides.iter().zip(&inner.strides);
    outer.kept == inner.kept && strides.all(|(far, near)| *far == near * inner.extent as isize)
}

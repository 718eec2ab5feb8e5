//! Operations on arrays as loops, in the place of kernels and calls.
//!
//! A kernel is one nest of loops over its points, whose axes are joined where all operands go on from one to the next. Reductions
//! are in the order of `crate::kernels`, so results have the bits of kernels; products of matrices are summed from the first term to
//! the last.

use super::unsupported;
use crate::arrays::{Code, Linear, Move, Operation};
use crate::error::BackendError;
use crate::jit::layout::WORD;
use crate::jit::lower::{Lower, TRUSTED, word_offset};
use crate::kernels::{BLOCK, Builder, Expr, LANES, Output, Part, Reduction, ValueId};
use cranelift::codegen::ir::BlockArg;
use cranelift::prelude::{FloatCC, InstBuilder, IntCC, Type as Clif, Value, Variable, types};
use gradus_ir::{ArrayOp, DType, Prim, Span, Type};

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

/// A reduction under way.
struct Fold {
    by: Reduction,
    dtype: DType,
    /// The place of the result.
    to: Value,
    /// Where the lanes are, and how many elements of the row have been joined; none where the innermost axis is kept.
    row: Option<(Value, Variable)>,
    /// The axis from which on all are reduced.
    first: usize,
    /// Whether a row has several blocks.
    is_long: bool,
    /// The distance of neighbours in the result along each axis.
    strides: Vec<isize>,
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

    fn begin_row(&mut self, fold: &Fold) -> Result<(), BackendError> {
        let Some((lanes, joined)) = fold.row else { return Ok(()) };
        let none = self.word(0);
        self.b.def_var(joined, none);
        let identity = self.identity(fold.by, fold.dtype);
        self.fill_words(lanes, identity);
        Ok(())
    }

    fn fill_words(&mut self, lanes: Value, value: Value) {
        for lane in 0..LANES {
            self.b.ins().store(TRUSTED, value, lanes, word_offset(lane));
        }
    }

    /// Joins a value to its lane, or to its element of the result.
    fn join_to(&mut self, fold: &Fold, value: Value, indices: &[Value]) -> Result<(), BackendError> {
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
    fn end_row(&mut self, fold: &Fold, indices: &[Value]) {
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

    fn join_in(&mut self, fold: &Fold, to: Value, value: Value) {
        let before = self.b.ins().load(clif(fold.dtype), TRUSTED, to, 0);
        let after = self.join(fold, before, value);
        self.b.ins().store(TRUSTED, after, to, 0);
    }

    fn join(&mut self, fold: &Fold, a: Value, b: Value) -> Value {
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
    fn identity(&mut self, by: Reduction, dtype: DType) -> Value {
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

    fn moved_elements(&mut self, code: &Move, operands: &[Value], to: Value, span: Span) -> Result<(), BackendError> {
        use ArrayOp::{AddAt, At, Concat, Gather, Indices, Iota, Make, Put, PutAdd, Scatter, ScatterAdd, SetAt};
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
            other => return Err(unsupported(&format!("`{}`", other.name()))),
        }
        Ok(())
    }

    fn add_elements(&mut self, to: Value, from: Value, count: usize, dtype: DType) -> Result<(), BackendError> {
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

    fn matrix_product(&mut self, linear: &Linear, operands: &[Value], to: Value) -> Result<(), BackendError> {
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

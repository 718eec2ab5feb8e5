//! Operations on arrays: elements are read and written inline, all else is a call of the runtime.

use super::fusion::{self, Read};
use super::layout::WORD;
use super::lower::{Lower, TRUSTED};
use super::runtime::{ArrayCall, ArrayResult, MOST_RESULTS};
use crate::arrays::{Fusion, Layout, Operation, strides};
use crate::error::BackendError;
use crate::kernels::{Kernel, ValueId};
use cranelift::prelude::{InstBuilder, Type as Clif, Value, types};
use gradus_ir::eval::Scalar;
use gradus_ir::{ArrayOp, Const, DType, Dims, NodeId, Prim, Span, Type};
use rustc_hash::FxHashMap;
use std::ops::Range;

/// The scalar that an element is in a register.
fn register(dtype: DType) -> Clif {
    match dtype {
        DType::Bool => types::I8,
        DType::I64 => WORD,
        DType::F64 => types::F64,
    }
}

impl Lower<'_, '_> {
    /// Whether a node is an operation on arrays.
    pub fn is_array_node(&self, prim: Prim, n: NodeId) -> bool {
        let m = self.unit.m;
        match prim {
            Prim::Array(..) => true,
            Prim::Tuple | Prim::Get(_) | Prim::Partial | Prim::Pack | Prim::Unpack | Prim::Push | Prim::Pop | Prim::Gadd => false,
            Prim::Select => m[m[n].inputs()[0]].ty.is_array(),
            _ => m[n].inputs().iter().any(|&i| m[i].ty.is_array()),
        }
    }

    /// An operation on arrays. Releases what it is the last to use, or takes its place.
    pub fn array(&mut self, prim: Prim, n: NodeId, span: Span) -> Result<Vec<Value>, BackendError> {
        let m = self.unit.m;
        let (inputs, ty) = (m[n].inputs(), m[n].ty.clone());
        let (dtype, first) = match inputs.first() {
            Some(&x) => m[x].ty.as_array().ok_or_else(|| super::no_such_operands(prim))?,
            None => (DType::I64, gradus_ir::Dims::NONE),
        };
        match prim {
            Prim::Array(ArrayOp::At, _) if !ty.is_array() => {
                let array = self.operand(inputs[0])?;
                let address = self.element(array, dtype, &strides(first), &inputs[1..])?;
                let value = self.b.ins().load(register(dtype), TRUSTED, address, 0);
                Ok(vec![value])
            }
            Prim::Array(op @ (ArrayOp::SetAt | ArrayOp::AddAt), _)
                if !m[inputs[1]].ty.is_array() && (op == ArrayOp::SetAt || dtype == DType::F64) =>
            {
                let (array, value) = (self.operand(inputs[0])?, self.operand(inputs[1])?);
                let last = self.is_last_use(inputs[0]);
                let (bytes, flag, place) = (dtype.bytes() * first.count(), i64::from(last), self.place(span));
                let operands = [self.context, array, self.word(bytes as i64), self.word(flag), place];
                let own = self.owned(operands, last)?;
                let address = self.element(own, dtype, &strides(first), &inputs[2..])?;
                let value = if op == ArrayOp::AddAt {
                    let old = self.b.ins().load(types::F64, TRUSTED, address, 0);
                    self.b.ins().fadd(old, value)
                } else {
                    value
                };
                self.b.ins().store(TRUSTED, value, address, 0);
                if last {
                    self.moved.push(inputs[0]);
                }
                Ok(vec![own])
            }
            _ => {
                let types: Vec<Type> = inputs.iter().map(|&i| m[i].ty.clone()).collect();
                let operation = Operation::of(prim, &types, &ty).ok_or_else(|| super::no_such_operands(prim))?;
                self.call_array(n, operation, inputs, span)
            }
        }
    }

    /// The array itself if it has one owner, or a copy.
    fn owned(&mut self, operands: [Value; 5], last: bool) -> Result<Value, BackendError> {
        if !last {
            return self.helper("gradus_own", &operands, WORD);
        }
        use cranelift::codegen::ir::BlockArg;
        use cranelift::prelude::IntCC;
        let [shared, ready] = [self.b.create_block(), self.b.create_block()];
        self.b.set_cold_block(shared);
        let own = self.b.append_block_param(ready, WORD);
        let array = operands[1];
        let refs = self.b.ins().load(WORD, TRUSTED, array, -(super::runtime::HEADER as i32));
        let unique = self.b.ins().icmp_imm_s(IntCC::Equal, refs, 1);
        self.b.ins().brif(unique, ready, &[BlockArg::from(array)], shared, &[]);
        self.b.switch_to_block(shared);
        let copy = self.rare("gradus_own", &operands, WORD)?;
        self.b.ins().jump(ready, &[BlockArg::from(copy)]);
        self.b.switch_to_block(ready);
        Ok(own)
    }

    /// The address of an element.
    fn element(&mut self, array: Value, dtype: DType, strides: &[isize], indices: &[NodeId]) -> Result<Value, BackendError> {
        let mut address = array;
        for (stride, &index) in strides.iter().zip(indices) {
            let index = self.operand(index)?;
            let offset = self.b.ins().imul_imm_s(index, *stride as i64 * dtype.bytes() as i64);
            address = self.b.ins().iadd(address, offset);
        }
        Ok(address)
    }

    /// Calls the runtime for an operation whose one result is `n`.
    fn call_array(&mut self, n: NodeId, operation: Operation, inputs: &[NodeId], span: Span) -> Result<Vec<Value>, BackendError> {
        let ty = &self.unit.m[n].ty;
        let reads: Vec<Read> = inputs.iter().map(|&base| Read { base, at: None, layout: None }).collect();
        let last = self.last_reads(&reads);
        let reuse = if operation.updates && last.contains(&0) { vec![0] } else { Vec::new() };
        let call = ArrayCall { operation, last, results: vec![result(ty, reuse)] };
        let operands = self.operands(inputs)?;
        self.run_array(call, &operands, std::slice::from_ref(ty), span)
    }

    /// The word of an operand of a kernel: a scalar, or where an array begins.
    fn address(&mut self, read: &Read) -> Result<Value, BackendError> {
        let m = self.unit.m;
        let base = self.operand(read.base)?;
        match (read.at, m[read.base].ty.as_array()) {
            (Some(at), Some((dtype, shape))) => self.element(base, dtype, &strides(shape), &m[at].inputs()[1..]),
            _ => Ok(base),
        }
    }

    /// The operands of the present step that are arrays that are used for the last time. These are moved. An array that is read from somewhere inside is released by itself.
    fn last_reads(&mut self, reads: &[Read]) -> Vec<u32> {
        let bases: Vec<NodeId> = reads.iter().map(|read| read.base).collect();
        let m = self.unit.m;
        let is_whole = |i: &u32| reads[*i as usize].at.is_none();
        let once = |n: NodeId| bases.iter().filter(|k| **k == n).count() == 1;
        let is_last = |n: NodeId| m[n].ty.is_array() && once(n) && (m[n].graph.is_none() || self.is_last_use(n));
        let last: Vec<u32> = (0..bases.len() as u32).filter(is_whole).filter(|&i| is_last(bases[i as usize])).collect();
        self.moved.extend(last.iter().map(|&i| bases[i as usize]));
        last
    }

    /// A product of matrices that are views of arrays.
    pub fn product(&mut self, n: NodeId, reads: &[Read; 2]) -> Result<(), BackendError> {
        let m = self.unit.m;
        let shape = |n: NodeId| m[n].ty.shape().expect("a matrix");
        let terms = shape(m[n].inputs()[0])[1];
        let sizes = [shape(n)[0], shape(n)[1], terms].map(|n| n as usize);
        let [Some(a), Some(b)] = [&reads[0].layout, &reads[1].layout] else {
            return Err(super::no_such_operands(Prim::Array(ArrayOp::MatMul, gradus_ir::Dims::NONE)));
        };
        let types = reads.iter().map(|read| m[read.base].ty.clone()).collect();
        let operation = Operation::product(sizes, types, [a, b]);
        let operands = [self.address(&reads[0])?, self.address(&reads[1])?];
        let call = ArrayCall { operation, last: self.last_reads(reads), results: vec![result(&m[n].ty, Vec::new())] };
        let value = self.run_array(call, &operands, std::slice::from_ref(&m[n].ty), m[n].span)?;
        self.define(n, value);
        Ok(())
    }

    /// Several nodes as one kernel, of which some are stored. Where operands are read part by part, it is one for each range of rows.
    pub fn kernel(&mut self, kernel: &fusion::Kernel) -> Result<(), BackendError> {
        let m = self.unit.m;
        let fusion::Kernel { members, stored, reads } = kernel;
        let extents = fusion::extents(m, members[0]);
        let mut starts: Vec<i64> = reads.values().flatten().map(|(start, _)| *start).chain([0]).collect();
        starts.sort_unstable();
        starts.dedup();
        let results: Vec<(DType, usize)> = stored
            .iter()
            .map(|&n| m[n].ty.as_array().expect("a result of a kernel"))
            .map(|(dtype, shape)| (dtype, shape.count()))
            .collect();
        let mut operands: Vec<Read> = Vec::new();
        let mut ranges = Vec::new();
        for (k, &start) in starts.iter().enumerate() {
            let end = starts.get(k + 1).copied().or(extents.first().copied());
            let rows = end.map(|end| start..end);
            let (code, inputs) = self.rows(kernel, extents, rows);
            let numbers = inputs.into_iter().map(|read| {
                let known = operands.iter().position(|o| o.base == read.base && o.at == read.at && o.layout == read.layout);
                known.unwrap_or_else(|| {
                    operands.push(read);
                    operands.len() - 1
                })
            });
            ranges.push((code, numbers.collect(), start as usize));
        }
        let types: Vec<Type> = operands.iter().map(|read| m[read.base].ty.clone()).collect();
        let is_whole = ranges.len() == 1;
        let row = extents.count() / extents.first().map_or(1, |&n| n.max(1) as usize);
        let operation = Operation::kernels(ranges, row, types, results);
        let last = self.last_reads(&operands);
        let results = stored.iter().map(|&n| {
            let shape = m[n].ty.shape().filter(|s| !s.is_empty()).map(Layout::dense);
            let fits = |&i: &u32| {
                let read = &operands[i as usize];
                is_whole && m[read.base].ty == m[n].ty && !fusion::is_reduction(m, n) && read.layout == shape
            };
            result(&m[n].ty, last.iter().copied().filter(fits).collect())
        });
        let call = ArrayCall { operation, results: results.collect(), last };
        let types: Vec<Type> = stored.iter().map(|&n| m[n].ty.clone()).collect();
        let words = operands.iter().map(|read| self.address(read)).collect::<Result<Vec<_>, _>>()?;
        let scalars = self.run_array(call, &words, &types, m[members[0]].span)?;
        for (&n, value) in stored.iter().zip(scalars) {
            self.define(n, vec![value]);
        }
        Ok(())
    }

    /// The kernel for a range of rows, all if there are no axes, and what it reads, in order.
    fn rows(&self, kernel: &fusion::Kernel, extents: Dims, rows: Option<Range<i64>>) -> (Kernel, Vec<Read>) {
        let m = self.unit.m;
        let fusion::Kernel { members, stored, reads } = kernel;
        let mut fusion = Fusion::new(rows.as_ref().map_or(extents, |rows| extents.with(0, rows.end - rows.start)));
        let mut inputs: Vec<(Read, ValueId)> = Vec::new();
        let mut values: FxHashMap<NodeId, ValueId> = FxHashMap::default();
        let mut read = |fusion: &mut Fusion, parts: &[(i64, Read)]| {
            let first = rows.as_ref().map_or(0, |rows| rows.start);
            let (start, part) = parts.iter().rev().find(|(start, _)| *start <= first).expect("parts begin at the first row");
            let mut read = part.clone();
            if let Some(layout) = &mut read.layout {
                layout.skip_rows(first - start);
            }
            if let Some((_, value)) = inputs.iter().find(|(known, _)| *known == read) {
                return *value;
            }
            let dtype = m[read.base].ty.dtype().expect("an operand of a kernel");
            let literal = match m[read.base].as_const() {
                Some(Const::F64(bits)) => Some(Scalar::F64(f64::from_bits(*bits))),
                Some(Const::I64(v)) => Some(Scalar::I64(*v)),
                Some(Const::Bool(v)) => Some(Scalar::Bool(*v)),
                _ => None,
            };
            if let Some(literal) = literal {
                return fusion.literal(literal);
            }
            let value = match &read.layout {
                Some(layout) => fusion.array(dtype, layout),
                None => fusion.scalar(dtype),
            };
            inputs.push((read, value));
            value
        };
        for &n in members {
            let value = match (reads.get(&n), m.as_prim(n)) {
                (Some(from), _) => read(&mut fusion, from),
                (_, Some(prim)) => {
                    let mut operands = Vec::new();
                    for &i in m[n].inputs() {
                        operands.push(match values.get(&i) {
                            Some(&value) => value,
                            None => read(&mut fusion, &reads[&i]),
                        });
                    }
                    match prim {
                        Prim::Array(_, _) => operands[0],
                        prim => fusion.apply(prim, &operands),
                    }
                }
                _ => unreachable!("members are applications"),
            };
            values.insert(n, value);
        }
        for &n in stored {
            match m.as_prim(n) {
                Some(Prim::Array(op, to)) if fusion::is_reduction(m, n) => fusion.reduce(op, values[&n], to),
                _ => fusion.store(values[&n]),
            }
        }
        (fusion.finish(), inputs.into_iter().map(|(read, _)| read).collect())
    }

    /// Runs an operation on operands, for the scalars of its results.
    fn run_array(
        &mut self,
        call: ArrayCall,
        operands: &[Value],
        results: &[Type],
        span: Span,
    ) -> Result<Vec<Value>, BackendError> {
        assert!(results.len() <= MOST_RESULTS, "an operation has few results");
        let slot = self.stack_slot(operands.len() + results.len());
        let words = self.b.ins().stack_addr(WORD, slot, 0);
        self.store(operands, words, 0);
        let address = self.unit.array_call(call);
        let (call, place) = (self.word(address as i64), self.place(span));
        self.helper_effect("gradus_array", &[self.context, call, words, place])?;
        let types: Vec<Clif> = super::layout::flat(results);
        Ok(self.load(&types, words, operands.len()))
    }
}

/// A result of a type, which can take the place of some operands.
fn result(ty: &Type, reuse: Vec<u32>) -> ArrayResult {
    match ty {
        Type::Array(dtype, shape) => ArrayResult::Array { bytes: dtype.bytes() * shape.count(), reuse },
        ty => ArrayResult::Scalar { is_byte: *ty == Type::Bool },
    }
}

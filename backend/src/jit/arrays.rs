//! Operations on arrays: elements are read and written inline, all else is a call of the runtime.

use super::fusion::{self, Read};
use super::layout::WORD;
use super::lower::{Lower, TRUSTED};
use crate::arrays::{Fusion, Layout, Operation, strides};
use crate::error::BackendError;
use crate::kernels::{Kernel, ValueId};
use cranelift::prelude::{InstBuilder, Type as Clif, Value, types};
use gradus_ir::eval::Scalar;
use gradus_ir::{ArrayOp, Const, DType, Dims, NodeId, Prim, Span, Type};
use rustc_hash::FxHashMap;
use std::ops::Range;

/// The scalar that an element is in a register.
pub fn register(dtype: DType) -> Clif {
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
                let own = self.updated(inputs, array, dtype.bytes() * first.count(), span)?;
                let address = self.element(own, dtype, &strides(first), &inputs[2..])?;
                let value = if op == ArrayOp::AddAt {
                    let old = self.b.ins().load(types::F64, TRUSTED, address, 0);
                    self.b.ins().fadd(old, value)
                } else {
                    value
                };
                self.b.ins().store(TRUSTED, value, address, 0);
                Ok(vec![own])
            }
            _ => {
                let types: Vec<Type> = inputs.iter().map(|&i| m[i].ty.clone()).collect();
                let operation = Operation::of(prim, &types, &ty).ok_or_else(|| super::no_such_operands(prim))?;
                self.call_array(n, operation, inputs, span)
            }
        }
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

    /// The word of an operand of a kernel: a scalar, or where an array begins.
    fn address(&mut self, read: &Read) -> Result<Value, BackendError> {
        let m = self.unit.m;
        let base = self.operand(read.base)?;
        match (read.at, m[read.base].ty.as_array()) {
            (Some(at), Some((dtype, shape))) => self.element(base, dtype, &strides(shape), &m[at].inputs()[1..]),
            _ => Ok(base),
        }
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
        let value = self.run_array(operation, reads, &operands, &[(n, Vec::new())], m[n].span)?;
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
        let results: Vec<(NodeId, Vec<usize>)> = stored
            .iter()
            .map(|&n| {
                let shape = m[n].ty.shape().filter(|s| !s.is_empty()).map(Layout::dense);
                let fits = |read: &Read| m[read.base].ty == m[n].ty && !fusion::is_reduction(m, n) && read.layout == shape;
                (n, (0..operands.len()).filter(|&i| is_whole && fits(&operands[i])).collect())
            })
            .collect();
        let words = operands.iter().map(|read| self.address(read)).collect::<Result<Vec<_>, _>>()?;
        let values = self.run_array(operation, &operands, &words, &results, m[members[0]].span)?;
        for (&n, value) in stored.iter().zip(values) {
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
}

//! Several nodes as one kernel.

use super::fusion::{Kernel, Parts, Read, extents, is_reduction, reads_inside};
use super::lower::Lower;
use crate::arrays::{Fusion, Layout, Operation};
use crate::error::BackendError;
use crate::kernels::{self, Joined, ValueId};
use gradus_ir::eval::Scalar;
use gradus_ir::{ArrayOp, Const, DType, Dims, Module, NodeId, Prim, Type};
use rustc_hash::FxHashMap;
use std::ops::Range;

impl Lower<'_, '_> {
    /// Several nodes as one kernel, of which some are stored. Where operands are read apart, it is one for each range of rows.
    pub fn kernel(&mut self, kernel: &Kernel) -> Result<(), BackendError> {
        let m = self.unit.m;
        let Kernel { members, stored, reads } = kernel;
        let extents = extents(m, members[0]);
        let mut starts = vec![0];
        if !reads_inside(extents) {
            starts.extend(reads.values().flatten().map(|(start, _)| *start));
            starts.sort_unstable();
            starts.dedup();
        }
        let results: Vec<(DType, usize)> = stored
            .iter()
            .map(|&n| m[n].ty.as_array().expect("a result of a kernel"))
            .map(|(dtype, shape)| (dtype, shape.count()))
            .collect();
        let is_whole = starts.len() == 1;
        let mut operands: Vec<(i64, Read)> = Vec::new();
        let mut ranges = Vec::new();
        for (k, &start) in starts.iter().enumerate() {
            let end = starts.get(k + 1).copied().or(extents.first().copied());
            let (code, inputs) = Building::new(m, extents, end.map(|end| start..end)).kernel(kernel);
            let numbers = inputs.into_iter().map(|read| {
                // A kernel for all rows takes the operands as they come.
                let known = operands.iter().position(|o| !is_whole && *o == read);
                known.unwrap_or_else(|| {
                    operands.push(read);
                    operands.len() - 1
                })
            });
            ranges.push((code, numbers.collect(), start as usize));
        }
        let (rows, operands): (Vec<i64>, Vec<Read>) = operands.into_iter().unzip();
        let types: Vec<Type> = operands.iter().map(|read| m[read.base].ty.clone()).collect();
        let row = extents.count() / extents.first().map_or(1, |&n| n.max(1) as usize);
        let operation = Operation::kernels(ranges, row, types, results);
        let results: Vec<(NodeId, Vec<usize>)> = stored
            .iter()
            .map(|&n| {
                let shape = m[n].ty.shape().filter(|s| !s.is_empty()).map(Layout::dense);
                let fits = |read: &Read| m[read.base].ty == m[n].ty && !is_reduction(m, n) && read.layout == shape;
                // A part that is read from a later row on would be overwritten before it is read.
                (n, (0..operands.len()).filter(|&i| is_whole && rows[i] == 0 && fits(&operands[i])).collect())
            })
            .collect();
        let words = operands.iter().map(|read| self.address(read)).collect::<Result<Vec<_>, _>>()?;
        let values = self.run_array(operation, &operands, &words, &results, m[members[0]].span)?;
        for (&n, value) in stored.iter().zip(values) {
            self.define(n, vec![value]);
        }
        Ok(())
    }
}

/// The kernel for some rows, in the making.
struct Building<'m> {
    m: &'m Module,
    fusion: Fusion,
    /// The first row, if operands are read apart.
    first: Option<i64>,
    /// What the kernel reads, in order, and from which row on.
    inputs: Vec<(i64, Read)>,
    /// The values of operands.
    known: Vec<(Parts, ValueId)>,
    /// The values of members.
    values: FxHashMap<NodeId, ValueId>,
}

impl<'m> Building<'m> {
    /// For a range of rows, if there are axes.
    fn new(m: &'m Module, extents: Dims, rows: Option<Range<i64>>) -> Building<'m> {
        let first = rows.as_ref().filter(|_| !reads_inside(extents)).map(|rows| rows.start);
        let fusion = Fusion::new(rows.map_or(extents, |rows| extents.with(0, rows.end - rows.start)));
        Building { m, fusion, first, inputs: Vec::new(), known: Vec::new(), values: FxHashMap::default() }
    }

    /// The kernel, and what it reads, from which row on.
    fn kernel(mut self, kernel: &Kernel) -> (kernels::Kernel, Vec<(i64, Read)>) {
        let m = self.m;
        for &n in &kernel.members {
            let value = match (m.as_prim(n), kernel.reads.get(&n)) {
                (Some(Prim::Array(ArrayOp::PutAdd, _)), Some(part)) => {
                    let operands = [self.operand(kernel, m[n].inputs()[0]), self.read(part)];
                    self.fusion.apply(Prim::Add, &operands)
                }
                (_, Some(copied)) => self.read(copied),
                (Some(prim), None) => {
                    let operands: Vec<ValueId> = m[n].inputs().iter().map(|&i| self.operand(kernel, i)).collect();
                    match prim {
                        Prim::Array(_, _) => operands[0],
                        prim => self.fusion.apply(prim, &operands),
                    }
                }
                (None, None) => unreachable!("members are applications"),
            };
            self.values.insert(n, value);
        }
        for &n in &kernel.stored {
            match m.as_prim(n) {
                Some(Prim::Array(op, to)) if is_reduction(m, n) => self.fusion.reduce(op, self.values[&n], to),
                _ => self.fusion.store(self.values[&n]),
            }
        }
        (self.fusion.finish(), self.inputs)
    }

    /// The value of a member's operand.
    fn operand(&mut self, kernel: &Kernel, n: NodeId) -> ValueId {
        match self.values.get(&n) {
            Some(&value) => value,
            None => self.read(&kernel.reads[&n]),
        }
    }

    /// What is read, of the rows that the kernel is for.
    fn read(&mut self, parts: &Parts) -> ValueId {
        let parts = match self.first {
            Some(first) => vec![(0, part_from(parts, first))],
            None => parts.clone(),
        };
        if let Some((_, value)) = self.known.iter().find(|(known, _)| *known == parts) {
            return *value;
        }
        let mut dtypes = parts.iter().filter_map(|(_, part)| self.m[part.as_ref()?.base].ty.dtype());
        let dtype = dtypes.next().expect("an operand of a kernel");
        let value = match &parts[..] {
            [(_, whole)] => match (self.literal(whole), whole) {
                (Some(literal), _) => self.fusion.literal(literal),
                (None, Some(Read { layout: Some(layout), .. })) => self.fusion.array(dtype, layout),
                _ => self.fusion.scalar(dtype),
            },
            parts => {
                let parts: Vec<_> = parts.iter().map(|(start, part)| (*start as usize, self.joined(part))).collect();
                self.fusion.joined(dtype, &parts)
            }
        };
        let inputs = parts.iter().filter(|(_, part)| self.literal(part).is_none());
        let inputs: Vec<(i64, Read)> = inputs.filter_map(|(start, part)| Some((*start, part.clone()?))).collect();
        self.inputs.extend(inputs);
        self.known.push((parts, value));
        value
    }

    /// A part of a list.
    fn joined(&self, part: &Option<Read>) -> Joined {
        match (self.literal(part), part) {
            (Some(literal), _) => Joined::Literal(literal),
            (None, Some(Read { layout: Some(layout), .. })) => {
                Joined::Array { offset: layout.list().expect("the planner has looked") }
            }
            _ => Joined::Scalar,
        }
    }

    /// A constant.
    fn literal(&self, part: &Option<Read>) -> Option<Scalar> {
        let Some(read) = part else { return Some(Scalar::F64(-0.0)) };
        match self.m[read.base].as_const()? {
            Const::F64(bits) => Some(Scalar::F64(f64::from_bits(*bits))),
            Const::I64(v) => Some(Scalar::I64(*v)),
            Const::Bool(v) => Some(Scalar::Bool(*v)),
            _ => None,
        }
    }
}

/// What is read from a row on.
fn part_from(parts: &Parts, row: i64) -> Option<Read> {
    let (start, mut part) = parts.iter().rev().find(|(start, _)| *start <= row).expect("parts begin at the first row").clone();
    if let Some(Read { layout: Some(layout), .. }) = &mut part {
        layout.skip_rows(row - start);
    }
    part
}

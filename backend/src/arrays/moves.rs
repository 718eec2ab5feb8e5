//! Parts of arrays: reading, writing and adding to them.

use super::{around, strides};
use crate::kernels::columns;
use gradus_ir::{ArrayOp, DType, Dims, TrapKind, Type};
use smallvec::SmallVec;

/// An operation that moves elements.
#[derive(Debug)]
pub struct Move {
    pub op: ArrayOp,
    pub dtype: DType,
    /// The bytes of an element.
    pub size: usize,
    /// For indices: the distance of each index in elements. For slices: none.
    pub strides: Vec<usize>,
    /// Elements in the part that an index reaches, or in a row.
    pub part: usize,
    /// Whether an index reaches one element, which is given as a scalar; a row of one element is an array.
    pub element: bool,
    /// The rows of the first operand.
    pub rows: usize,
    /// The number of places.
    pub places: usize,
    /// The region of a slice.
    pub region: Region,
    /// For `concat`: how many times the operands follow each other, and how much of each.
    pub pieces: Vec<usize>,
    pub repeats: usize,
    /// The length of an axis that places are on, or the axis of `iota` with its shape.
    pub length: i64,
    pub shape: Dims,
    /// The elements of a table.
    pub table: Dims,
}

/// A strided region of a dense array.
#[derive(Clone, Debug, Default)]
pub struct Region {
    pub offset: isize,
    pub counts: Vec<usize>,
    pub strides: Vec<isize>,
}

impl Region {
    fn new(slice: Dims, shape: Dims) -> Region {
        let mut region = Region::default();
        for (cut, stride) in slice.chunks_exact(3).zip(strides(shape)) {
            region.offset += cut[0] as isize * stride;
            region.counts.push(cut[2] as usize);
            region.strides.push(cut[1] as isize * stride);
        }
        region
    }

    /// Calls `row` with the offset of each innermost row of the region, in order.
    fn rows(&self, mut row: impl FnMut(isize)) {
        if self.counts.contains(&0) {
            return;
        }
        let outer = self.counts.len() - 1;
        let mut at = vec![0; outer];
        let mut offset = self.offset;
        loop {
            row(offset);
            let mut axis = outer;
            loop {
                if axis == 0 {
                    return;
                }
                axis -= 1;
                at[axis] += 1;
                offset += self.strides[axis];
                if at[axis] < self.counts[axis] {
                    break;
                }
                offset -= self.strides[axis] * self.counts[axis] as isize;
                at[axis] = 0;
            }
        }
    }
}

impl Move {
    /// The operation on operands of these types, with a result of this shape.
    pub fn new(op: ArrayOp, attribute: Dims, operands: &[Type], result: Dims) -> Move {
        use ArrayOp::*;
        let first = operands.first().and_then(Type::as_array);
        let (dtype, shape) = first.unwrap_or((DType::I64, Dims::NONE));
        let mut code = Move {
            op,
            dtype,
            size: dtype.bytes(),
            strides: Vec::new(),
            part: 1,
            element: false,
            rows: 0,
            places: 0,
            region: Region::default(),
            pieces: Vec::new(),
            repeats: 0,
            length: 0,
            shape: result,
            table: Dims::NONE,
        };
        match op {
            At | SetAt | AddAt => {
                let indices = operands.len() - if op == At { 1 } else { 2 };
                code.strides = strides(shape)[..indices].iter().map(|&s| s as usize).collect();
                code.part = shape.without_first(indices).count();
                code.element = indices == shape.len();
            }
            Put | PutAdd => code.region = Region::new(attribute, shape),
            Indices => {
                code.places = shape.count();
                code.length = attribute[0];
            }
            Gather | GatherLast | Scatter | ScatterAdd => {
                code.part = shape.without_first(1).count();
                code.rows = shape[0] as usize;
                code.places = operands[1].shape().map_or(0, Dims::count);
            }
            Concat => {
                let axis = attribute[0] as usize;
                let pieces = operands.iter().filter_map(Type::shape);
                code.pieces = pieces.map(|s| s[axis..].iter().map(|&n| n as usize).product()).collect();
                code.repeats = shape[..axis].iter().map(|&n| n as usize).product();
            }
            Iota => code.length = attribute[attribute.len() - 1],
            Table => code.table = attribute,
            _ => {}
        }
        code
    }

    /// Runs it.
    ///
    /// # Safety
    /// As for [`super::Operation::run`].
    pub unsafe fn run(&self, inputs: &[u64], out: *mut u8) -> Result<(), TrapKind> {
        use ArrayOp::*;
        let (size, bytes) = (self.size, self.part * self.size);
        let array = |i: usize| inputs[i] as *const u8;
        // SAFETY: each case reads and writes within the shapes that the operation was compiled for: indices and places are in range,
        // since `index` and `indices` have checked them.
        unsafe {
            match self.op {
                At if self.element && self.dtype == DType::F32 => {
                    let element = array(0).cast::<f32>().add(self.place(&inputs[1..])).read();
                    out.cast::<f64>().write(element.into());
                }
                At => copy(array(0).add(self.place(&inputs[1..]) * size), out, bytes),
                SetAt | AddAt if self.element && self.dtype == DType::F32 => {
                    let to = out.cast::<f32>().add(self.place(&inputs[2..]));
                    let old = if self.op == AddAt { f64::from(to.read()) } else { -0.0 };
                    to.write((old + f64::from_bits(inputs[1])) as f32);
                }
                SetAt | AddAt => {
                    let to = out.add(self.place(&inputs[2..]) * size);
                    let scalar = inputs[1];
                    let from = if self.element { (&raw const scalar).cast() } else { array(1) };
                    if self.op == SetAt { copy(from, to, bytes) } else { self.add(from, to, self.part) }
                }
                Put | PutAdd => self.put(inputs, out),
                Indices => {
                    let (from, to) = (array(0).cast::<i64>(), out.cast::<i64>());
                    for i in 0..self.places {
                        let at = from.add(i).read();
                        let at = if at < 0 { at.wrapping_add(self.length) } else { at };
                        if !(0..self.length).contains(&at) {
                            return Err(TrapKind::IndexOutOfRange);
                        }
                        to.add(i).write(at);
                    }
                }
                Gather if bytes == 8 => {
                    // Elements, most often: a loop without the choice that a copy of any length is.
                    let (from, rows) = (array(0), array(1).cast::<i64>());
                    (0..self.places).for_each(|i| copy(from.add(rows.add(i).read() as usize * 8), out.add(i * 8), 8));
                }
                Gather => {
                    for i in 0..self.places {
                        copy(array(0).add(self.row(inputs, i) * bytes), out.add(i * bytes), bytes);
                    }
                }
                GatherLast => {
                    let mut seen = vec![false; self.rows];
                    for i in (0..self.places).rev() {
                        let row = self.row(inputs, i);
                        if std::mem::replace(&mut seen[row], true) {
                            // -0.0, the identity of addition.
                            let to = out.add(i * bytes);
                            match self.dtype {
                                DType::F32 => (0..self.part).for_each(|k| to.cast::<f32>().add(k).write(-0.0)),
                                _ => (0..self.part).for_each(|k| to.cast::<f64>().add(k).write(-0.0)),
                            }
                        } else {
                            copy(array(0).add(row * bytes), out.add(i * bytes), bytes);
                        }
                    }
                }
                Scatter | ScatterAdd => {
                    for i in 0..self.places {
                        let (from, to) = (array(2).add(i * bytes), out.add(self.row(inputs, i) * bytes));
                        if self.op == Scatter { copy(from, to, bytes) } else { self.add(from, to, self.part) }
                    }
                }
                Concat => {
                    // Some rows of the result at a time, so that what is read and what is written stay in the first cache.
                    let row: usize = self.pieces.iter().map(|piece| piece * size).sum();
                    for first in (0..self.repeats).step_by(ROWS) {
                        let rows = first..self.repeats.min(first + ROWS);
                        let mut to = out.add(first * row);
                        let mut k = 0;
                        while k < self.pieces.len() {
                            let elements = self.pieces[k..].iter().take_while(|&piece| piece * size == 8).count();
                            if elements == 0 {
                                let bytes = self.pieces[k] * size;
                                let places = rows.clone().zip((0..).map(|i| to.add(i * row)));
                                places.for_each(|(i, to)| copy(array(k).add(i * bytes), to, bytes));
                                to = to.add(bytes);
                            } else {
                                let lists = (k..k + elements).map(|k| array(k).cast::<u64>().add(first));
                                let lists: SmallVec<[*const u64; 32]> = lists.collect();
                                columns(to, row, &lists, rows.len());
                                to = to.add(8 * elements);
                            }
                            k += elements.max(1);
                        }
                    }
                }
                Make => {
                    for (i, &word) in inputs.iter().enumerate() {
                        // The lowest byte comes first on the machines that there is code for.
                        copy((&raw const word).cast(), out.add(i * size), size);
                    }
                }
                Iota => {
                    let [before, length, after] = around(self.shape, self.length as usize);
                    for (i, at) in (0..before).flat_map(|_| 0..length).enumerate() {
                        let to = out.cast::<i64>().add(i * after);
                        (0..after).for_each(|k| to.add(k).write(at as i64));
                    }
                }
                Table => copy(self.table.as_ptr().cast(), out, self.table.len() * size),
                other => unreachable!("{} is elsewhere", other.name()),
            }
        }
        Ok(())
    }

    fn place(&self, indices: &[u64]) -> usize {
        self.strides.iter().zip(indices).map(|(stride, &i)| stride * i as usize).sum()
    }

    /// # Safety
    /// As for [`Move::run`] of an operation on places.
    unsafe fn row(&self, inputs: &[u64], i: usize) -> usize {
        // SAFETY: by the contract, operand 1 has as many places.
        unsafe { (inputs[1] as *const i64).add(i).read() as usize }
    }

    /// # Safety
    /// As for [`Move::run`] of `put` and `put_add`.
    unsafe fn put(&self, inputs: &[u64], out: *mut u8) {
        let size = self.size;
        let (count, stride) =
            (self.region.counts[self.region.counts.len() - 1], self.region.strides[self.region.strides.len() - 1]);
        let mut from = inputs[1] as *const u8;
        self.region.rows(|offset| {
            // SAFETY: rows of the region are within the result, and together have as many elements as operand 1.
            unsafe {
                if stride == 1 {
                    let to = out.offset(offset * size as isize);
                    if self.op == ArrayOp::Put { copy(from, to, count * size) } else { self.add(from, to, count) }
                } else {
                    for i in 0..count {
                        let to = out.offset((offset + i as isize * stride) * size as isize);
                        let from = from.add(i * size);
                        if self.op == ArrayOp::Put { copy(from, to, size) } else { self.add(from, to, 1) }
                    }
                }
                from = from.add(count * size);
            }
        });
    }

    /// Adds elements to others.
    ///
    /// # Safety
    /// Both are so many elements of the type of the operation.
    unsafe fn add(&self, from: *const u8, to: *mut u8, count: usize) {
        // SAFETY: by the contract.
        unsafe {
            match self.dtype {
                DType::F64 => {
                    let (from, to) = (from.cast::<f64>(), to.cast::<f64>());
                    (0..count).for_each(|i| to.add(i).write(to.add(i).read() + from.add(i).read()));
                }
                DType::F32 => {
                    let (from, to) = (from.cast::<f32>(), to.cast::<f32>());
                    (0..count).for_each(|i| to.add(i).write(to.add(i).read() + from.add(i).read()));
                }
                DType::I64 => {
                    let (from, to) = (from.cast::<i64>(), to.cast::<i64>());
                    (0..count).for_each(|i| to.add(i).write(to.add(i).read().wrapping_add(from.add(i).read())));
                }
                DType::Bool => (0..count).for_each(|i| to.add(i).write(to.add(i).read() | from.add(i).read())),
            }
        }
    }
}

/// How many rows of what is put together are filled part by part.
const ROWS: usize = 64;

/// # Safety
/// `from` can be read and `to` written for so many bytes, and they do not overlap.
unsafe fn copy(from: *const u8, to: *mut u8, bytes: usize) {
    // SAFETY: by the contract.
    unsafe {
        match bytes {
            // A float or an integer: not worth a call.
            8 => to.cast::<u64>().write_unaligned(from.cast::<u64>().read_unaligned()),
            _ => std::ptr::copy_nonoverlapping(from, to, bytes),
        }
    }
}

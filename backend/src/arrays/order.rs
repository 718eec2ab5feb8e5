//! What depends on the order along an axis: running sums, places of the greatest and least, sorting.

use super::around;
use gradus_ir::{ArrayOp, DType, Dims, Type};
use std::cmp::Ordering;

/// An operation along an axis.
#[derive(Debug)]
pub struct Order {
    pub op: ArrayOp,
    dtype: DType,
    sizes: [usize; 3],
}

impl Order {
    /// The operation on an operand of this type.
    pub fn new(op: ArrayOp, attribute: Dims, operands: &[Type]) -> Order {
        let (dtype, shape) = operands[0].as_array().expect("an array");
        let axis = if op == ArrayOp::ArgSort { shape.len() - 1 } else { attribute[0] as usize };
        Order { op, dtype, sizes: around(shape, axis) }
    }

    /// Runs it.
    ///
    /// # Safety
    /// As for [`super::Operation::run`].
    pub unsafe fn run(&self, inputs: &[u64], out: *mut u8) {
        let [before, length, after] = self.sizes;
        let count = before * length * after;
        let results = if matches!(self.op, ArrayOp::ArgMax | ArrayOp::ArgMin) { before * after } else { count };
        // SAFETY: by the contract, the operand has so many elements of its type and the result so many of its own.
        unsafe {
            match (self.op, self.dtype) {
                (ArrayOp::CumSum, DType::F64) => {
                    let (from, to) = (slice(inputs[0] as *const f64, count), slice_mut(out.cast::<f64>(), count));
                    self.sums(from, to, |a, b| a + b);
                }
                (ArrayOp::CumSum, DType::F32) => {
                    let (from, to) = (slice(inputs[0] as *const f32, count), slice_mut(out.cast::<f32>(), count));
                    self.sums(from, to, |a, b| a + b);
                }
                (ArrayOp::CumSum, _) => {
                    let (from, to) = (slice(inputs[0] as *const i64, count), slice_mut(out.cast::<i64>(), count));
                    self.sums(from, to, i64::wrapping_add);
                }
                (_, DType::F64) => self.float_places(slice(inputs[0] as *const f64, count), slice_mut(out.cast(), results)),
                (_, DType::F32) => self.float_places(slice(inputs[0] as *const f32, count), slice_mut(out.cast(), results)),
                (_, DType::I64) => self.ordered_places(slice(inputs[0] as *const i64, count), slice_mut(out.cast(), results)),
                (_, DType::Bool) => self.ordered_places(slice(inputs[0] as *const u8, count), slice_mut(out.cast(), results)),
            }
        }
    }

    fn sums<T: Copy>(&self, from: &[T], to: &mut [T], add: impl Fn(T, T) -> T) {
        let [_, length, after] = self.sizes;
        for (from, to) in from.chunks_exact((length * after).max(1)).zip(to.chunks_exact_mut((length * after).max(1))) {
            to[..after].copy_from_slice(&from[..after]);
            for i in after..length * after {
                to[i] = add(to[i - after], from[i]);
            }
        }
    }

    fn float_places<T: Copy + PartialOrd>(&self, from: &[T], to: &mut [i64]) {
        let is_nan = |v: &T| v.partial_cmp(v).is_none();
        match self.op {
            // NaN is what is looked for; nothing is better.
            ArrayOp::ArgMin => self.places(from, to, |a, b| a < b || is_nan(a) && !is_nan(b)),
            ArrayOp::ArgMax => self.places(from, to, |a, b| a > b || is_nan(a) && !is_nan(b)),
            // To sort, it is the greatest.
            _ => self.sorted(from, to, |a, b| a.partial_cmp(b).unwrap_or_else(|| is_nan(a).cmp(&is_nan(b)))),
        }
    }

    fn ordered_places<T: Copy + Ord>(&self, from: &[T], to: &mut [i64]) {
        match self.op {
            ArrayOp::ArgMin => self.places(from, to, |a, b| a < b),
            ArrayOp::ArgMax => self.places(from, to, |a, b| a > b),
            _ => self.sorted(from, to, T::cmp),
        }
    }

    /// The first place on the axis of a value that no other is better than.
    fn places<T: Copy>(&self, from: &[T], to: &mut [i64], is_better: impl Fn(&T, &T) -> bool) {
        let [before, length, after] = self.sizes;
        for i in 0..before {
            for k in 0..after {
                let along = from[i * length * after + k..(i + 1) * length * after].iter().step_by(after).enumerate();
                let best = along.reduce(|best, found| if is_better(found.1, best.1) { found } else { best });
                to[i * after + k] = best.map_or(0, |(place, _)| place as i64);
            }
        }
    }

    /// The places on the axis, the last one, in ascending order.
    fn sorted<T>(&self, from: &[T], to: &mut [i64], order: impl Fn(&T, &T) -> Ordering) {
        let length = self.sizes[1].max(1);
        for (from, to) in from.chunks_exact(length).zip(to.chunks_exact_mut(length)) {
            to.iter_mut().zip(0..).for_each(|(to, place)| *to = place);
            to.sort_by(|&a, &b| order(&from[a as usize], &from[b as usize]));
        }
    }
}

/// # Safety
/// So many elements can be read.
unsafe fn slice<'a, T>(from: *const T, count: usize) -> &'a [T] {
    // SAFETY: by the contract; arrays are aligned.
    unsafe { std::slice::from_raw_parts(from, count) }
}

/// # Safety
/// So many elements can be written, and nobody else reads them meanwhile.
unsafe fn slice_mut<'a, T>(to: *mut T, count: usize) -> &'a mut [T] {
    // SAFETY: by the contract; arrays are aligned.
    unsafe { std::slice::from_raw_parts_mut(to, count) }
}

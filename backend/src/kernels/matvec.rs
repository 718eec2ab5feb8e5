//! Products of a matrix and a vector.

#[cfg(target_arch = "x86_64")]
pub mod avx512;

use super::isa::Block;
use super::matmul::{Float, Functions, Matrix, call};
use smallvec::SmallVec;
use std::marker::PhantomData;
use std::slice::from_raw_parts;

/// How many sums run side by side.
pub const LANES: usize = 16;

/// A product: the lengths of matrix and vector are m×k and k.
struct MatVec<T> {
    lengths: [usize; 2],
    a: Matrix<T>,
    x: *const T,
}

/// The product of an m×k matrix and a k×1 matrix.
///
/// # Safety
/// As for [`super::matmul()`].
pub unsafe fn matvec<T: Float>(dst: *mut T, [m, k]: [usize; 2], a: Matrix<T>, x: Matrix<T>) {
    let &Functions { rows: by_rows, columns: by_columns, .. } = T::functions();
    // SAFETY: the caller's promise.
    unsafe {
        let copied: SmallVec<[T; 256]>;
        let x = if x.strides[0] == 1 {
            x.at
        } else {
            copied = (0..k).map(|p| x.get(p, 0)).collect();
            copied.as_ptr()
        };
        match a.strides {
            [_, 1] => call(by_rows, dst, &MatVec { lengths: [m, k], a, x }),
            [1, _] => call(by_columns, dst, &MatVec { lengths: [m, k], a, x }),
            _ => {
                let rows: Vec<T> = (0..m).flat_map(|i| (0..k).map(move |p| a.get(i, p))).collect();
                call(by_rows, dst, &MatVec { lengths: [m, k], a: Matrix { at: rows.as_ptr(), strides: [k as isize, 1] }, x });
            }
        }
    }
}

/// The lanes joined.
#[inline(always)]
fn tree<T: Float>(mut lanes: [T; LANES]) -> T {
    for half in [8, 4, 2, 1] {
        for lane in 0..half {
            let upper = lanes[lane + half];
            lanes[lane] += upper;
        }
    }
    lanes[0]
}

/// Where the rows of the matrix are dense: several at a time.
pub struct ByRows<T>(PhantomData<T>);

impl<T: Float> ByRows<T> {
    /// # Safety
    /// The matrix has rows `i..i + R`.
    #[inline(always)]
    unsafe fn rows<const FUSED: bool, const R: usize>(product: &MatVec<T>, i: usize) -> [T; R] {
        let MatVec { lengths: [_, k], a, x } = *product;
        let mut sums = [[T::default(); LANES]; R];
        let whole = k - k % LANES;
        // SAFETY: elements of the matrix and of the vector.
        unsafe {
            let rows: [*const T; R] = std::array::from_fn(|r| a.at.offset((i + r) as isize * a.strides[0]));
            for p in (0..whole).step_by(LANES) {
                for (row, sums) in rows.iter().zip(&mut sums) {
                    for (lane, sum) in sums.iter_mut().enumerate() {
                        *sum = (*row.add(p + lane)).mul_add::<FUSED>(*x.add(p + lane), *sum);
                    }
                }
            }
            // Copies, whose lanes are counted at run time: those of above stay in registers.
            let mut ends = sums;
            for (row, sums) in rows.iter().zip(&mut ends) {
                for (p, sum) in (whole..k.next_multiple_of(LANES)).zip(sums) {
                    let [a, x] = if p < k { [*row.add(p), *x.add(p)] } else { [T::default(); 2] };
                    *sum = a.mul_add::<FUSED>(x, *sum);
                }
            }
            ends.map(tree)
        }
    }
}

impl<T: Float> Block for ByRows<T> {
    #[inline(always)]
    unsafe fn run<const FUSED: bool, const UNIFORM: u8>(_: usize, to: *mut u8, [product, ..]: [*const u8; 3]) {
        const AT_ONCE: usize = 4;
        // SAFETY: a product, whose matrix has these rows.
        unsafe {
            let (product, to) = (&*product.cast::<MatVec<T>>(), to.cast::<T>());
            let m = product.lengths[0];
            let whole = m - m % AT_ONCE;
            for i in (0..whole).step_by(AT_ONCE) {
                to.add(i).cast::<[T; AT_ONCE]>().write_unaligned(ByRows::<T>::rows::<FUSED, AT_ONCE>(product, i));
            }
            for i in whole..m {
                *to.add(i) = ByRows::<T>::rows::<FUSED, 1>(product, i)[0];
            }
        }
    }
}

/// Where the columns of the matrix are dense: the lanes of many rows side by side.
pub struct ByColumns<T>(PhantomData<T>);

impl<T: Float> Block for ByColumns<T> {
    #[inline(always)]
    unsafe fn run<const FUSED: bool, const UNIFORM: u8>(_: usize, to: *mut u8, [product, ..]: [*const u8; 3]) {
        const AT_ONCE: usize = 64;
        // SAFETY: a product, whose matrix has these elements.
        unsafe {
            let (MatVec { lengths: [m, k], a, x }, to) = (&*product.cast::<MatVec<T>>(), to.cast::<T>());
            for start in (0..*m).step_by(AT_ONCE) {
                let width = AT_ONCE.min(m - start);
                let mut lanes = [[T::default(); AT_ONCE]; LANES];
                for p in 0..*k {
                    let column = from_raw_parts(a.at.offset(start as isize + p as isize * a.strides[1]), width);
                    let factor = *x.add(p);
                    for (sum, element) in lanes[p % LANES].iter_mut().zip(column) {
                        *sum = element.mul_add::<FUSED>(factor, *sum);
                    }
                }
                for lane in *k..k.next_multiple_of(LANES) {
                    let zero = T::default();
                    lanes[lane % LANES].iter_mut().for_each(|sum| *sum = zero.mul_add::<FUSED>(zero, *sum));
                }
                for half in [8, 4, 2, 1] {
                    let (lower, upper) = lanes.split_at_mut(half);
                    for (lower, upper) in lower.as_flattened_mut().iter_mut().zip(upper.as_flattened()) {
                        *lower += *upper;
                    }
                }
                to.add(start).copy_from_nonoverlapping(lanes[0].as_ptr(), width);
            }
        }
    }
}

#[cfg(all(test, target_arch = "x86_64"))]
mod tests {
    use super::super::isa::{BlockFn, Isa};
    use super::*;

    fn product(function: BlockFn, lengths: [usize; 2], strides: [isize; 2], a: &[f64], x: &[f64]) -> Vec<u64> {
        let mut found = vec![f64::NAN; lengths[0]];
        let a = Matrix { at: a.as_ptr(), strides };
        // SAFETY: the matrix and the vector have all elements, and so has the output.
        unsafe { call(function, found.as_mut_ptr(), &MatVec { lengths, a, x: x.as_ptr() }) };
        found.into_iter().map(f64::to_bits).collect()
    }

    #[test]
    fn code_for_avx512_gives_the_same_bits() {
        if Isa::detect() != Isa::V4 {
            return;
        }
        let number = |i: usize| ((i * 37 + 5) % 101) as f64 * if i.is_multiple_of(7) { -1e-170 } else { 0.37 };
        for (m, k) in (1..40).flat_map(|m| [0, 1, 7, 8, 9, 15, 16, 17, 31, 32, 40, 100].map(|k| (m, k))) {
            let a: Vec<f64> = (0..m * k).map(number).collect();
            let x: Vec<f64> = (0..k).map(|i| number(3 * i + 1)).collect();
            let [rows, columns] = [[k as isize, 1], [1, m as isize]];
            let by_blocks = product(Isa::V4.compiled::<ByRows<f64>>(), [m, k], rows, &a, &x);
            assert_eq!(product(avx512::f64::rows, [m, k], rows, &a, &x), by_blocks, "rows, {m}×{k}");
            let by_blocks = product(Isa::V4.compiled::<ByColumns<f64>>(), [m, k], columns, &a, &x);
            assert_eq!(product(avx512::f64::columns, [m, k], columns, &a, &x), by_blocks, "columns, {m}×{k}");
        }
    }
}

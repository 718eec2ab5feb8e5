//! Products of matrices of floats.
//!
//! A product's size alone says how its elements are summed, so that transposes change nothing but the time:
//!
//! * Where no length is above [`SMALL`], the products of an element join one after the other, with multiply-adds from 0.0 on.
//! * Of a matrix and a vector, product p joins lane p mod [`LANES`], with multiply-adds from 0.0 on; then the upper half of the lanes
//!   joins the lower half until one is left.
//! * All others are the crate `gemm`'s. It sums in another order where the result has at most [`DOTS`] elements and both operands are
//!   dense along what is summed over, so it never sees such operands.

use super::isa::{Block, BlockFn, Isa};
use smallvec::SmallVec;
use std::marker::PhantomData;
use std::ops::AddAssign;
use std::ptr;
use std::slice::from_raw_parts;
use std::sync::LazyLock;

/// The lengths up to which a product is small.
const SMALL: usize = 8;

/// How many sums run side by side in products of a matrix and a vector.
const LANES: usize = 16;

/// The most elements of a result that `gemm` makes of dot products.
const DOTS: usize = 256;

/// How many multiply-adds are worth several threads.
const PARALLEL: usize = 1 << 21;

/// A type of floats that there are products of.
pub trait Float: Copy + Default + AddAssign + 'static {
    /// 1.0.
    const ONE: Self;

    /// `self · b + c`, rounded as formulas of elementary functions are.
    fn mul_add<const FUSED: bool>(self, b: Self, c: Self) -> Self;

    /// The functions for this processor: of small matrices, and of a matrix with dense rows or columns and a vector.
    fn functions() -> [BlockFn; 3];
}

macro_rules! floats {
    ($($T:ident)*) => {
        $(
            impl Float for $T {
                const ONE: $T = 1.0;

                #[inline(always)]
                fn mul_add<const FUSED: bool>(self, b: $T, c: $T) -> $T {
                    if FUSED { $T::mul_add(self, b, c) } else { self * b + c }
                }

                fn functions() -> [BlockFn; 3] {
                    static FUNCTIONS: LazyLock<[BlockFn; 3]> = LazyLock::new(|| {
                        let isa = Isa::detect();
                        [isa.compiled::<Small<$T>>(), isa.compiled::<ByRows<$T>>(), isa.compiled::<ByColumns<$T>>()]
                    });
                    *FUNCTIONS
                }
            }
        )*
    };
}

floats!(f32 f64);

/// A matrix in memory: where its first element is, and how many elements a step down and to the right is.
#[derive(Clone, Copy)]
struct Matrix<T> {
    at: *const T,
    strides: [isize; 2],
}

impl<T: Float> Matrix<T> {
    fn transposed(self) -> Matrix<T> {
        let [down, right] = self.strides;
        Matrix { strides: [right, down], ..self }
    }

    /// # Safety
    /// The matrix has this element.
    #[inline(always)]
    unsafe fn get(&self, i: usize, j: usize) -> T {
        // SAFETY: the caller's promise.
        unsafe { *self.at.offset(i as isize * self.strides[0] + j as isize * self.strides[1]) }
    }
}

/// Writes the product of an m×k and a k×n matrix to `dst`, dense in row-major order.
///
/// # Safety
/// The matrices have all these elements, at `i · strides[0] + j · strides[1]`, and `dst` has room for m·n, which overlap neither
/// of them.
pub unsafe fn matmul<T: Float>(
    dst: *mut T,
    [m, n, k]: [usize; 3],
    a: *const T,
    a_strides: [isize; 2],
    b: *const T,
    b_strides: [isize; 2],
) {
    let (a, b) = (Matrix { at: a, strides: a_strides }, Matrix { at: b, strides: b_strides });
    // SAFETY: the caller's promise.
    unsafe {
        if m.max(n).max(k) <= SMALL {
            let [small, ..] = T::functions();
            return call(small, dst, &Small { lengths: [m, n, k], a, b });
        }
        if n == 1 {
            return matvec(dst, [m, k], a, b);
        }
        if m == 1 {
            return matvec(dst, [n, k], b.transposed(), a.transposed());
        }
        let copied: Vec<T>;
        let b = if m * n <= DOTS && a.strides[1] == 1 && b.strides[0] == 1 {
            copied = (0..k).flat_map(|p| (0..n).map(move |j| b.get(p, j))).collect();
            Matrix { at: copied.as_ptr(), strides: [n as isize, 1] }
        } else {
            b
        };
        let threads = if m * n * k < PARALLEL { gemm::Parallelism::None } else { gemm::Parallelism::Rayon(0) };
        let ([a_down, a_right], [b_down, b_right]) = (a.strides, b.strides);
        let (rs, cs) = (n as isize, 1);
        gemm::gemm(
            m,
            n,
            k,
            dst,
            cs,
            rs,
            false,
            a.at,
            a_right,
            a_down,
            b.at,
            b_right,
            b_down,
            T::default(),
            T::ONE,
            false,
            false,
            false,
            threads,
        );
    }
}

/// Calls a block function that finds all in one structure.
///
/// # Safety
/// As the function requires it.
unsafe fn call<T, P>(function: BlockFn, dst: *mut T, product: &P) {
    // SAFETY: the caller's promise.
    unsafe { function(0, dst.cast(), [ptr::from_ref(product).cast(), ptr::null(), ptr::null()]) };
}

/// The product of an m×k matrix and a k×1 matrix.
///
/// # Safety
/// As for [`matmul`].
unsafe fn matvec<T: Float>(dst: *mut T, [m, k]: [usize; 2], a: Matrix<T>, x: Matrix<T>) {
    let [_, by_rows, by_columns] = T::functions();
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

/// A product of small matrices.
struct Small<T> {
    lengths: [usize; 3],
    a: Matrix<T>,
    b: Matrix<T>,
}

impl<T: Float> Block for Small<T> {
    #[inline(always)]
    unsafe fn run<const FUSED: bool, const UNIFORM: u8>(_: usize, to: *mut u8, [product, ..]: [*const u8; 3]) {
        // SAFETY: a product, whose matrices have these elements.
        unsafe {
            let Small { lengths: [m, n, k], a, b } = &*product.cast::<Small<T>>();
            let to = to.cast::<T>();
            // The second matrix, in rows of one vector.
            let mut rows = [[T::default(); SMALL]; SMALL];
            for (p, row) in rows[..*k].iter_mut().enumerate() {
                for (j, element) in row[..*n].iter_mut().enumerate() {
                    *element = b.get(p, j);
                }
            }
            for i in 0..*m {
                let mut sums = [T::default(); SMALL];
                for (p, row) in rows[..*k].iter().enumerate() {
                    let factor = a.get(i, p);
                    for (sum, &element) in sums.iter_mut().zip(row) {
                        *sum = factor.mul_add::<FUSED>(element, *sum);
                    }
                }
                for (j, sum) in sums[..*n].iter().enumerate() {
                    *to.add(i * n + j) = *sum;
                }
            }
        }
    }
}

/// A product of a matrix and a vector.
struct MatVec<T> {
    lengths: [usize; 2],
    a: Matrix<T>,
    x: *const T,
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
struct ByRows<T>(PhantomData<T>);

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
                for (p, sum) in (whole..k).zip(sums) {
                    *sum = (*row.add(p)).mul_add::<FUSED>(*x.add(p), *sum);
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
struct ByColumns<T>(PhantomData<T>);

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

#[cfg(test)]
mod tests {
    use super::*;
    use gradus_ir::elementary::fused;

    /// The strides in which a rows×columns matrix lies: dense rows, dense columns, or neither.
    fn layouts([rows, columns]: [usize; 2]) -> [[isize; 2]; 3] {
        let [rows, columns] = [rows, columns].map(|n| n as isize);
        [[columns, 1], [1, rows], [2 * columns, 2]]
    }

    /// Floats that are compared.
    trait Number: Float + Into<f64> {
        /// How far sums may be off.
        const ERROR: f64;

        fn of(v: f64) -> Self;
    }

    impl Number for f64 {
        const ERROR: f64 = 1e-9;

        fn of(v: f64) -> f64 {
            v
        }
    }

    impl Number for f32 {
        const ERROR: f64 = 1e-3;

        fn of(v: f64) -> f32 {
            v as f32
        }
    }

    fn laid_out<T: Number>(values: &[T], [rows, columns]: [usize; 2], strides: [isize; 2]) -> Vec<T> {
        let mut memory = vec![T::of(f64::NAN); 4 * rows * columns + 1];
        for i in 0..rows {
            for j in 0..columns {
                memory[i * strides[0] as usize + j * strides[1] as usize] = values[i * columns + j];
            }
        }
        memory
    }

    fn numbers<T: Number>(n: usize, seed: usize) -> Vec<T> {
        (0..n).map(|i| T::of(((i * 37 + seed * 11) % 101) as f64 / 7.0 - 6.5)).collect()
    }

    fn multiply_add<T: Float>(a: T, b: T, c: T) -> T {
        if fused() { a.mul_add::<true>(b, c) } else { a.mul_add::<false>(b, c) }
    }

    fn bits<T: Number>(v: &[T]) -> Vec<u64> {
        v.iter().map(|&v| v.into().to_bits()).collect()
    }

    /// An element in the order that its product has; none where `gemm` chooses it.
    fn element<T: Float>([m, n, k]: [usize; 3], terms: impl Iterator<Item = (T, T)>) -> Option<T> {
        if m.max(n).max(k) <= SMALL {
            return Some(terms.fold(T::default(), |sum, (a, b)| multiply_add(a, b, sum)));
        }
        let mut lanes = [T::default(); LANES];
        for (p, (a, b)) in terms.enumerate() {
            // A vector is the second factor.
            lanes[p % LANES] = multiply_add(a, b, lanes[p % LANES]);
        }
        (m == 1 || n == 1).then(|| tree(lanes))
    }

    #[test]
    fn products_of_all_shapes_and_layouts() {
        products::<f64>();
        products::<f32>();
    }

    fn products<T: Number>() {
        let sizes = [0, 1, 2, 5, 8, 9, 17, 40];
        for (m, n, k) in sizes.iter().flat_map(|&m| sizes.iter().flat_map(move |&n| sizes.map(|k| (m, n, k)))) {
            let (a, b) = (numbers::<T>(m * k, 1), numbers::<T>(k * n, 2));
            let mut first: Option<Vec<T>> = None;
            for (a_strides, b_strides) in layouts([m, k]).into_iter().flat_map(|a| layouts([k, n]).map(|b| (a, b))) {
                let (a_memory, b_memory) = (laid_out(&a, [m, k], a_strides), laid_out(&b, [k, n], b_strides));
                let mut found = vec![T::of(f64::NAN); m * n];
                // SAFETY: the matrices have all elements, and so has the output.
                unsafe { matmul(found.as_mut_ptr(), [m, n, k], a_memory.as_ptr(), a_strides, b_memory.as_ptr(), b_strides) };
                let first = first.get_or_insert_with(|| found.clone());
                assert_eq!(bits(&found), bits(first), "{:?}, {a_strides:?}, {b_strides:?}", (m, n, k));
                for (at, &found) in found.iter().enumerate() {
                    let (i, j) = (at / n, at % n);
                    let terms = (0..k).map(|p| (a[i * k + p], b[p * n + j]));
                    let about: f64 = terms.clone().map(|(a, b)| a.into() * b.into()).sum();
                    assert!((found.into() - about).abs() <= T::ERROR, "{:?}: {}, expected {about}", (m, n, k), found.into());
                    if let Some(expected) = element([m, n, k], terms) {
                        assert_eq!(bits(&[found]), bits(&[expected]), "{:?}, {a_strides:?}, {b_strides:?}", (m, n, k));
                    }
                }
            }
        }
    }

    #[test]
    fn threads_change_nothing() {
        divided::<f64>();
        divided::<f32>();
    }

    fn divided<T: Number + Sync + Send>() {
        let (m, n, k) = (150, 170, 400);
        let (a, b) = (numbers::<T>(m * k, 3), numbers::<T>(k * n, 4));
        let product = |threads: usize| {
            let mut found = vec![T::of(f64::NAN); m * n];
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
            let [a_strides, b_strides] = [[k as isize, 1], [n as isize, 1]];
            let (to, a, b) = (found.as_mut_ptr().expose_provenance(), &a, &b);
            pool.install(|| {
                let to = ptr::with_exposed_provenance_mut::<T>(to);
                // SAFETY: the matrices have all elements, and so has the output.
                unsafe { matmul(to, [m, n, k], a.as_ptr(), a_strides, b.as_ptr(), b_strides) }
            });
            found
        };
        assert!(m * n * k >= PARALLEL);
        assert_eq!(bits(&product(1)), bits(&product(2)));
        assert_eq!(bits(&product(1)), bits(&product(3)));
    }
}

//! Products of matrices of floats.
//!
//! A product's size alone says how its elements are summed, so that transposes change nothing but the time:
//!
//! * Where nothing is summed, elements are products.
//! * Where no length is above [`SMALL`], the products of an element join one after the other, with multiply-adds from 0.0 on.
//! * Of a matrix and a vector, product p joins lane p mod [`LANES`], with multiply-adds from 0.0 on, and so do products of zeros until
//!   all lanes have as many; then the upper half of the lanes joins the lower half until one is left.
//! * All others are summed as the crate `gemm` does. It rounds two products and their sum. Up to 512 join like those of small matrices;
//!   of more, sums of up to 512 join in turn, or of as many as it chooses for a result with more than 64 rows or columns. Where there
//!   are few rows or columns, `panels` does the same. `gemm` sums in another order where the result has at most [`DOTS`] elements
//!   and both operands are dense along what is summed over, so it never sees such operands.

use super::isa::{Block, BlockFn, Isa};
use super::matvec::{self, ByColumns, ByRows, matvec};
#[cfg(target_arch = "x86_64")]
use super::panels;
use super::tiles;
use std::marker::PhantomData;
use std::ops::{AddAssign, Mul, RangeInclusive};
use std::ptr;
use std::sync::LazyLock;

/// The lengths up to which a product is small.
const SMALL: usize = 8;

/// The most elements of a result that `gemm` makes of dot products.
const DOTS: usize = 256;

/// The numbers of products that are summed in one order, whatever the rows and columns, if these are several.
pub const SAME_ORDER: RangeInclusive<usize> = 3..=512;

/// How many multiply-adds are worth several threads.
const PARALLEL: usize = 1 << 21;

/// A type of floats that there are products of.
pub trait Float: Copy + Default + AddAssign + Mul<Output = Self> + 'static {
    /// 1.0.
    const ONE: Self;

    /// `self · b + c`, rounded as formulas of elementary functions are.
    fn mul_add<const FUSED: bool>(self, b: Self, c: Self) -> Self;

    /// The functions for this processor.
    fn functions() -> &'static Functions;
}

/// Whether a function is for a product of these lengths.
pub type Fits = fn([usize; 3]) -> bool;

/// The functions for a processor and a type of floats.
pub struct Functions {
    /// Of small matrices.
    pub small: BlockFn,
    /// Of a matrix with dense rows and a vector.
    pub rows: BlockFn,
    /// Of a matrix with dense columns and a vector.
    pub columns: BlockFn,
    /// Of matrices of lengths that `panels` is for; none where `gemm` makes them.
    pub panels: Option<(Fits, BlockFn)>,
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

                fn functions() -> &'static Functions {
                    static FUNCTIONS: LazyLock<Functions> = LazyLock::new(|| match Isa::detect() {
                        #[cfg(target_arch = "x86_64")]
                        Isa::V4 => Functions {
                            small: panels::$T::product,
                            rows: matvec::avx512::$T::rows,
                            columns: matvec::avx512::$T::columns,
                            panels: Some((panels::fits, panels::$T::product)),
                        },
                        isa => Functions {
                            small: isa.compiled::<Small<$T>>(),
                            rows: isa.compiled::<ByRows<$T>>(),
                            columns: isa.compiled::<ByColumns<$T>>(),
                            panels: None,
                        },
                    });
                    &FUNCTIONS
                }
            }
        )*
    };
}

floats!(f32 f64);

/// A matrix in memory: where its first element is, and how many elements a step down and to the right is.
#[derive(Clone, Copy)]
pub struct Matrix<T> {
    pub at: *const T,
    pub strides: [isize; 2],
}

impl<T: Copy> Matrix<T> {
    fn transposed(self) -> Matrix<T> {
        let [down, right] = self.strides;
        Matrix { strides: [right, down], ..self }
    }

    /// The part of it from a row and a column on.
    #[inline(always)]
    pub fn from(self, i: usize, j: usize) -> Matrix<T> {
        let [down, right] = self.strides;
        Matrix { at: self.at.wrapping_offset(i as isize * down + j as isize * right), ..self }
    }

    /// # Safety
    /// The matrix has this element.
    #[inline(always)]
    pub unsafe fn get(&self, i: usize, j: usize) -> T {
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
        if k == 1 {
            for (i, j) in (0..m).flat_map(|i| (0..n).map(move |j| (i, j))) {
                *dst.add(i * n + j) = a.get(i, 0) * b.get(0, j);
            }
            return;
        }
        let functions = T::functions();
        let product = Product { lengths: [m, n, k], a, b };
        if k == 0 {
            return dst.write_bytes(0, m * n);
        }
        if m.max(n).max(k) <= SMALL {
            return call(functions.small, dst, &product);
        }
        if n == 1 {
            return matvec(dst, [m, k], a, b);
        }
        if m == 1 {
            return matvec(dst, [n, k], b.transposed(), a.transposed());
        }
        let is_large = m * n * k >= PARALLEL;
        if let Some((fits, panels)) = functions.panels
            && !is_large
            && fits([m, n, k])
        {
            return call(panels, dst, &product);
        }
        let mut copied: Vec<T> = Vec::new();
        let b = if m * n <= DOTS && a.strides[1] == 1 && b.strides[0] == 1 {
            copied.reserve_exact(k * n);
            tiles::copy(copied.as_mut_ptr(), n, b, [k, n]);
            Matrix { at: copied.as_ptr(), strides: [n as isize, 1] }
        } else {
            b
        };
        let threads = if is_large { gemm::Parallelism::Rayon(0) } else { gemm::Parallelism::None };
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
pub unsafe fn call<T, P>(function: BlockFn, dst: *mut T, product: &P) {
    // SAFETY: the caller's promise.
    unsafe { function(0, dst.cast(), [ptr::from_ref(product).cast(), ptr::null(), ptr::null()]) };
}

/// A product of matrices.
pub struct Product<T> {
    pub lengths: [usize; 3],
    pub a: Matrix<T>,
    pub b: Matrix<T>,
}

/// The product of small matrices.
struct Small<T>(PhantomData<T>);

impl<T: Float> Block for Small<T> {
    #[inline(always)]
    unsafe fn run<const FUSED: bool, const UNIFORM: u8>(_: usize, to: *mut u8, [product, ..]: [*const u8; 3]) {
        // SAFETY: a product, whose matrices have these elements.
        unsafe {
            let Product { lengths: [m, n, k], a, b } = &*product.cast::<Product<T>>();
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

#[cfg(test)]
mod tests {
    use super::super::matvec::LANES;
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
        // Zeros of either sign among them.
        let number = |i: usize| ((i * 37 + seed * 11) % 101) as f64 / 7.0 - 6.5;
        (0..n).map(|i| T::of(number(i) * if i.is_multiple_of(5) { 0.0 } else { 1.0 })).collect()
    }

    fn multiply_add<T: Float>(a: T, b: T, c: T) -> T {
        if fused() { a.mul_add::<true>(b, c) } else { a.mul_add::<false>(b, c) }
    }

    fn bits<T: Number>(v: &[T]) -> Vec<u64> {
        v.iter().map(|&v| v.into().to_bits()).collect()
    }

    /// An element in the order that its product has.
    fn element<T: Float>([m, n, k]: [usize; 3], mut terms: impl Iterator<Item = (T, T)>) -> T {
        let is_small = m.max(n).max(k) <= SMALL;
        if k == 1 {
            return terms.next().map(|(a, b)| a * b).expect("a term");
        }
        if is_small || m.min(n) > 1 {
            let terms: Vec<(T, T)> = terms.collect();
            if k == 2 && !is_small {
                let mut sum = terms[1].0 * terms[1].1;
                sum += terms[0].0 * terms[0].1;
                return sum;
            }
            let sum = |terms: &[(T, T)]| terms.iter().fold(T::default(), |sum, &(a, b)| multiply_add(a, b, sum));
            let mut sums = terms.chunks(512).map(sum);
            let mut all = sums.next().unwrap_or_default();
            sums.for_each(|sum| all += sum);
            return all;
        }
        let mut lanes = [T::default(); LANES];
        let zeros = std::iter::repeat((T::default(), T::default()));
        for (p, (a, b)) in terms.chain(zeros).take(k.next_multiple_of(LANES)).enumerate() {
            // A vector is the second factor.
            lanes[p % LANES] = multiply_add(a, b, lanes[p % LANES]);
        }
        for half in [8, 4, 2, 1] {
            for i in 0..half {
                let upper = lanes[i + half];
                lanes[i] += upper;
            }
        }
        lanes[0]
    }

    #[test]
    fn products_of_all_shapes_and_layouts() {
        products::<f64>();
        products::<f32>();
    }

    fn products<T: Number>() {
        let sizes = [0, 1, 2, 3, 5, 8, 9, 13, 16, 17, 25, 33, 40];
        let all = sizes.iter().flat_map(|&m| sizes.iter().flat_map(move |&n| sizes.map(|k| [m, n, k])));
        let long = [[10, 10, 1000], [13, 17, 1025], [2, 64, 513], [64, 3, 1100], [16, 40, 65], [20, 30, 600]];
        let wide = [[2, 70, 2], [10, 333, 10], [333, 10, 64], [16, 100, 33], [17, 100, 2]];
        for [m, n, k] in all.chain(long).chain(wide) {
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
                    assert!(
                        (found.into() - about).abs() <= T::ERROR * k as f64,
                        "{:?}: {}, expected {about}",
                        (m, n, k),
                        found.into()
                    );
                    let expected = element([m, n, k], terms);
                    assert_eq!(bits(&[found]), bits(&[expected]), "{:?}, {a_strides:?}, {b_strides:?}", (m, n, k));
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

//! Products of matrices of floats.
//!
//! A product's size alone says how its elements are summed, so that transposes change nothing but the time:
//!
//! * Where nothing is summed, elements are products.
//! * Where no length is above [`SMALL`], the products of an element join one after the other, with multiply-adds from 0.0 on.
//! * Of a matrix and a vector, product p joins lane p mod [`LANES`], with multiply-adds from 0.0 on, and so do products of zeros until
//!   all lanes have as many; then the upper half of the lanes joins the lower half until one is left.
//! * All others are the crate `gemm`'s. It sums in another order where the result has at most [`DOTS`] elements and both operands are
//!   dense along what is summed over, so it never sees such operands.

use super::isa::{Block, BlockFn, Isa};
use super::matvec::{self, ByColumns, ByRows, matvec};
use std::ops::{AddAssign, Mul};
use std::ptr;
use std::sync::LazyLock;

/// The lengths up to which a product is small.
const SMALL: usize = 8;

/// The most elements of a result that `gemm` makes of dot products.
const DOTS: usize = 256;

/// How many multiply-adds are worth several threads.
const PARALLEL: usize = 1 << 21;

/// A type of floats that there are products of.
pub trait Float: Copy + Default + AddAssign + Mul<Output = Self> + 'static {
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
                        let [rows, columns] = match isa {
                            #[cfg(target_arch = "x86_64")]
                            Isa::V4 => [matvec::avx512::$T::rows as BlockFn, matvec::avx512::$T::columns],
                            isa => [isa.compiled::<ByRows<$T>>(), isa.compiled::<ByColumns<$T>>()],
                        };
                        [isa.compiled::<Small<$T>>(), rows, columns]
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
pub struct Matrix<T> {
    pub at: *const T,
    pub strides: [isize; 2],
}

impl<T: Float> Matrix<T> {
    fn transposed(self) -> Matrix<T> {
        let [down, right] = self.strides;
        Matrix { strides: [right, down], ..self }
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
pub unsafe fn call<T, P>(function: BlockFn, dst: *mut T, product: &P) {
    // SAFETY: the caller's promise.
    unsafe { function(0, dst.cast(), [ptr::from_ref(product).cast(), ptr::null(), ptr::null()]) };
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
        (0..n).map(|i| T::of(((i * 37 + seed * 11) % 101) as f64 / 7.0 - 6.5)).collect()
    }

    fn multiply_add<T: Float>(a: T, b: T, c: T) -> T {
        if fused() { a.mul_add::<true>(b, c) } else { a.mul_add::<false>(b, c) }
    }

    fn bits<T: Number>(v: &[T]) -> Vec<u64> {
        v.iter().map(|&v| v.into().to_bits()).collect()
    }

    /// An element in the order that its product has; none where `gemm` chooses it.
    fn element<T: Float>([m, n, k]: [usize; 3], mut terms: impl Iterator<Item = (T, T)>) -> Option<T> {
        if k == 1 {
            return terms.next().map(|(a, b)| a * b);
        }
        if m.max(n).max(k) <= SMALL {
            return Some(terms.fold(T::default(), |sum, (a, b)| multiply_add(a, b, sum)));
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
        (m == 1 || n == 1).then_some(lanes[0])
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

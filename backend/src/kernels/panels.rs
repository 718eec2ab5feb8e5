//! Products with few rows or few columns, by AVX-512: sums of a panel of the result, which has some rows of at most two vectors, stay
//! in registers. Nothing is packed but a second factor whose rows do not lie dense.

use super::matmul::{Matrix, Product};
use super::tiles;
use std::arch::x86_64::*;
use std::array;
use std::mem::MaybeUninit;

/// The most rows, or else columns, of a result that is made of panels.
const FEW: usize = 16;

/// The most rows of a panel.
const ROWS: usize = 12;

/// How many terms are packed at a time.
const TERMS: usize = 64;

/// The most terms of one sum: the sums of so many join in turn.
const DEPTH: usize = 512;

/// The most rows and columns of a result whose sums have more terms than are packed at a time.
const MOST: usize = 64;

/// Whether a product of these lengths, which is not one with a vector, is made of panels. More terms of wide rows are better packed
/// for several panels; two do not join as more do.
pub fn fits([m, n, k]: [usize; 3]) -> bool {
    m.min(n) <= FEW && k > 2 && (k <= TERMS || m.max(n) <= MOST)
}

/// The terms of sums that join at a time.
#[derive(Clone, Copy)]
struct Part {
    terms: usize,
    /// Whether sums begin with them, and end with them.
    is_first: bool,
    is_last: bool,
    /// Whether the sums join what the result has.
    joins: bool,
}

/// The code for a type of floats: its vectors, how many elements they have, and their instructions.
macro_rules! panels {
    ($T:ident, $V:ty, $width:literal, $Mask:ty, [$load:ident, $set:ident, $fma:ident, $add:ident, $store:ident]) => {
        pub mod $T {
            use super::*;

            /// A product of matrices.
            ///
            /// # Safety
            /// The argument is a [`Product`] that [`fits`], whose matrices and result have all elements, on a processor with AVX-512.
            #[target_feature(enable = "avx512f,avx512dq,avx512vl")]
            pub unsafe fn product(_: usize, to: *mut u8, [product, ..]: [*const u8; 3]) {
                // SAFETY: the caller's promise.
                unsafe {
                    let product = &*product.cast::<Product<$T>>();
                    let [_, n, _] = product.lengths;
                    let mask = |j: usize| ((1_u32 << (n - j).min($width)) - 1) as $Mask;
                    let mut j = 0;
                    while j < n {
                        let to = to.cast::<$T>().add(j);
                        let b = product.b.from(0, j);
                        if n - j > $width {
                            columns::<2>(to, product, [mask(j), mask(j + $width)], b);
                            j += 2 * $width;
                        } else {
                            columns::<1>(to, product, [mask(j)], b);
                            j += $width;
                        }
                    }
                }
            }

            /// Those columns of a product that the masks say; the second factor and the result begin with the first of them.
            #[target_feature(enable = "avx512f,avx512dq,avx512vl")]
            unsafe fn columns<const V: usize>(to: *mut $T, product: &Product<$T>, masks: [$Mask; V], b: Matrix<$T>) {
                let &Product { lengths: [m, n, k], a, .. } = product;
                let count = masks.iter().map(|mask| mask.count_ones() as usize).sum();
                let mut packed = MaybeUninit::<[[$T; $width]; 2 * TERMS]>::uninit();
                let mut sums = MaybeUninit::<[[$V; V]; MOST]>::uninit();
                let of_rows: &[Panel<V>; ROWS] = const {
                    &[
                        panel::<1, V>,
                        panel::<2, V>,
                        panel::<3, V>,
                        panel::<4, V>,
                        panel::<5, V>,
                        panel::<6, V>,
                        panel::<7, V>,
                        panel::<8, V>,
                        panel::<9, V>,
                        panel::<10, V>,
                        panel::<11, V>,
                        panel::<ROWS, V>,
                    ]
                };
                // SAFETY: the caller's promise; where `sums` has fewer rows, all terms are of one part.
                unsafe {
                    for p in (0..k).step_by(TERMS) {
                        let end = k.min(p + TERMS);
                        let part = Part {
                            terms: end - p,
                            is_first: p % DEPTH == 0,
                            is_last: end % DEPTH == 0 || end == k,
                            joins: p >= DEPTH,
                        };
                        let mut b = b.from(p, 0);
                        if b.strides[1] != 1 {
                            let rows = packed.as_mut_ptr().cast();
                            tiles::copy(rows, V * $width, b, [part.terms, count]);
                            b = Matrix { at: rows, strides: [(V * $width) as isize, 1] };
                        }
                        let panels = m.div_ceil(ROWS);
                        let mut i = 0;
                        for panel in 0..panels {
                            let rows = (m - i).div_ceil(panels - panel);
                            let sums = sums.as_mut_ptr().cast::<[$V; V]>().wrapping_add(i);
                            let to = Rows { at: to.add(i * n), down: n, masks, sums };
                            of_rows[rows - 1](to, part, a.from(i, p), b);
                            i += rows;
                        }
                    }
                }
            }

            /// Rows of a panel: where those of the result are, which elements of them, and where sums wait for further terms.
            struct Rows<const V: usize> {
                at: *mut $T,
                down: usize,
                masks: [$Mask; V],
                sums: *mut [$V; V],
            }

            /// Additions of terms to some rows.
            type Panel<const V: usize> = unsafe fn(Rows<V>, Part, Matrix<$T>, Matrix<$T>);

            /// Adds terms to so many rows of sums.
            #[target_feature(enable = "avx512f,avx512dq,avx512vl")]
            unsafe fn panel<const R: usize, const V: usize>(to: Rows<V>, part: Part, a: Matrix<$T>, b: Matrix<$T>) {
                let mut sums = [[$set(0.0); V]; R];
                // SAFETY: the caller's promise; elements that masks leave out are neither read nor written.
                unsafe {
                    if !part.is_first {
                        sums = to.sums.cast::<[[$V; V]; R]>().read();
                    }
                    for p in 0..part.terms {
                        let row = b.from(p, 0).at;
                        let row: [$V; V] = array::from_fn(|v| $load(to.masks[v], row.wrapping_add(v * $width)));
                        for (r, sums) in sums.iter_mut().enumerate() {
                            let factor = $set(a.get(r, p));
                            for (sum, element) in sums.iter_mut().zip(row) {
                                *sum = $fma(factor, element, *sum);
                            }
                        }
                    }
                    if !part.is_last {
                        return to.sums.cast::<[[$V; V]; R]>().write(sums);
                    }
                    for (r, sums) in sums.into_iter().enumerate() {
                        for (v, sum) in sums.into_iter().enumerate() {
                            let (mask, at) = (to.masks[v], to.at.wrapping_add(r * to.down + v * $width));
                            $store(at, mask, if part.joins { $add($load(mask, at), sum) } else { sum });
                        }
                    }
                }
            }
        }
    };
}

panels! {
    f64, __m512d, 8, u8,
    [_mm512_maskz_loadu_pd, _mm512_set1_pd, _mm512_fmadd_pd, _mm512_add_pd, _mm512_mask_storeu_pd]
}

panels! {
    f32, __m512, 16, u16,
    [_mm512_maskz_loadu_ps, _mm512_set1_ps, _mm512_fmadd_ps, _mm512_add_ps, _mm512_mask_storeu_ps]
}

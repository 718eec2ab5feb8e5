//! Products of a matrix and a vector by AVX-512: the sums of [`super`] in the same order, which stay in registers.

use super::{LANES, MatVec};
use std::arch::x86_64::*;

/// How many rows are taken at once.
const ROWS: usize = 4;

/// The code for a type of floats: its vectors, how many make the lanes of a row, and their instructions; a function of them joins the
/// lanes.
macro_rules! products {
    ($T:ident, $V:ty, $width:literal, $Mask:ty, [$zero:ident, $load:ident, $load_some:ident, $set:ident, $fma:ident, $add:ident, $store:ident], $join:item) => {
        pub mod $T {
            use super::*;

            const VECTORS: usize = LANES / $width;

            $join

            /// Where the rows of the matrix are dense.
            ///
            /// # Safety
            /// As for [`super::super::ByRows`], on a processor with AVX-512.
            #[target_feature(enable = "avx512f,avx512dq,avx512vl")]
            pub unsafe fn rows(_: usize, to: *mut u8, [product, ..]: [*const u8; 3]) {
                // SAFETY: a product, whose matrix has these rows.
                unsafe {
                    let (product, to) = (&*product.cast::<MatVec<$T>>(), to.cast::<$T>());
                    let m = product.lengths[0];
                    let whole = m - m % ROWS;
                    for i in (0..whole).step_by(ROWS) {
                        let sums = some_rows::<ROWS>(product, i);
                        (0..ROWS).for_each(|r| *to.add(i + r) = sums[r]);
                    }
                    for i in whole..m {
                        *to.add(i) = some_rows::<1>(product, i)[0];
                    }
                }
            }

            #[target_feature(enable = "avx512f,avx512dq,avx512vl")]
            unsafe fn some_rows<const R: usize>(product: &MatVec<$T>, i: usize) -> [$T; R] {
                let MatVec { lengths: [_, k], a, x } = *product;
                let mut sums = [[$zero(); VECTORS]; R];
                let mut to = [0.0; R];
                let whole = k - k % LANES;
                // SAFETY: elements of the matrix and of the vector; others are not read.
                unsafe {
                    let row = a.at.offset(i as isize * a.strides[0]);
                    for p in (0..whole).step_by(LANES) {
                        for v in 0..VECTORS {
                            let at = p + v * $width;
                            let x = $load(x.add(at));
                            for r in 0..R {
                                let a = $load(row.offset(r as isize * a.strides[0]).add(at));
                                sums[r][v] = $fma(a, x, sums[r][v]);
                            }
                        }
                    }
                    if whole < k {
                        for v in 0..VECTORS {
                            let at = whole + v * $width;
                            let left = k.saturating_sub(at).min($width);
                            let mask = ((1_u32 << left) - 1) as $Mask;
                            let x = $load_some(mask, x.wrapping_add(at));
                            for r in 0..R {
                                let a = $load_some(mask, row.offset(r as isize * a.strides[0]).wrapping_add(at));
                                sums[r][v] = $fma(a, x, sums[r][v]);
                            }
                        }
                    }
                }
                for r in 0..R {
                    to[r] = join(sums[r]);
                }
                to
            }

            /// Where the columns of the matrix are dense.
            ///
            /// # Safety
            /// As for [`super::super::ByColumns`], on a processor with AVX-512.
            #[target_feature(enable = "avx512f,avx512dq,avx512vl")]
            pub unsafe fn columns(_: usize, to: *mut u8, [product, ..]: [*const u8; 3]) {
                // SAFETY: a product, whose matrix has these elements; others are not read.
                unsafe {
                    let (MatVec { lengths: [m, k], a, x }, to) = (&*product.cast::<MatVec<$T>>(), to.cast::<$T>());
                    let whole = k - k % LANES;
                    for start in (0..*m).step_by($width) {
                        let mask = ((1_u32 << $width.min(m - start)) - 1) as $Mask;
                        let column = |p: usize| a.at.offset(start as isize + p as isize * a.strides[1]);
                        let mut lanes = [$zero(); LANES];
                        for p in (0..whole).step_by(LANES) {
                            for lane in 0..LANES {
                                let a = $load_some(mask, column(p + lane));
                                lanes[lane] = $fma(a, $set(*x.add(p + lane)), lanes[lane]);
                            }
                        }
                        if whole < *k {
                            for lane in 0..LANES {
                                let p = whole + lane;
                                let (mask, x) = if p < *k { (mask, *x.add(p)) } else { (0, 0.0) };
                                let a = $load_some(mask, column(p.min(k - 1)));
                                lanes[lane] = $fma(a, $set(x), lanes[lane]);
                            }
                        }
                        for half in [8, 4, 2, 1] {
                            for lane in 0..half {
                                lanes[lane] = $add(lanes[lane], lanes[lane + half]);
                            }
                        }
                        $store(to.add(start), mask, lanes[0]);
                    }
                }
            }
        }
    };
}

products! {
    f64, __m512d, 8, u8,
    [_mm512_setzero_pd, _mm512_loadu_pd, _mm512_maskz_loadu_pd, _mm512_set1_pd, _mm512_fmadd_pd, _mm512_add_pd, _mm512_mask_storeu_pd],
    #[target_feature(enable = "avx512f,avx512dq,avx512vl")]
    fn join([low, high]: [__m512d; VECTORS]) -> f64 {
        let eight = _mm512_add_pd(low, high);
        let four = _mm256_add_pd(_mm512_castpd512_pd256(eight), _mm512_extractf64x4_pd::<1>(eight));
        let two = _mm_add_pd(_mm256_castpd256_pd128(four), _mm256_extractf128_pd::<1>(four));
        _mm_cvtsd_f64(_mm_add_sd(two, _mm_unpackhi_pd(two, two)))
    }
}

products! {
    f32, __m512, 16, u16,
    [_mm512_setzero_ps, _mm512_loadu_ps, _mm512_maskz_loadu_ps, _mm512_set1_ps, _mm512_fmadd_ps, _mm512_add_ps, _mm512_mask_storeu_ps],
    #[target_feature(enable = "avx512f,avx512dq,avx512vl")]
    fn join([all]: [__m512; VECTORS]) -> f32 {
        let eight = _mm256_add_ps(_mm512_castps512_ps256(all), _mm512_extractf32x8_ps::<1>(all));
        let four = _mm_add_ps(_mm256_castps256_ps128(eight), _mm256_extractf128_ps::<1>(eight));
        let two = _mm_add_ps(four, _mm_movehl_ps(four, four));
        _mm_cvtss_f32(_mm_add_ss(two, _mm_shuffle_ps::<1>(two, two)))
    }
}

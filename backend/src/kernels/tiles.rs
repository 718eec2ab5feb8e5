//! Transposing copies, square by square: so each line of the cache is read and written once.

#[cfg(target_arch = "x86_64")]
use super::isa::Isa;
use super::matmul::Matrix;

/// The rows and columns of a square.
const SIDE: usize = 8;

/// Copies a rows×columns matrix to rows that begin `down` elements apart.
///
/// # Safety
/// The matrix has all these elements, and so has the room at `to`, which does not overlap it.
pub unsafe fn copy<T: Copy>(to: *mut T, down: usize, from: Matrix<T>, lengths: [usize; 2]) {
    #[cfg(target_arch = "x86_64")]
    if from.strides[0] == 1 && size_of::<T>() == 8 && Isa::detect() == Isa::V4 {
        let column = |j| from.from(0, j).at.cast();
        // SAFETY: the caller's promise; elements have 8 bytes, and the processor has AVX-512.
        return unsafe { squares(to.cast(), 8 * down, column, lengths) };
    }
    // SAFETY: the caller's promise.
    unsafe { by_elements(lengths, |i, j| *to.add(i * down + j) = from.get(i, j)) }
}

/// Makes columns of lists of elements of 8 bytes, whose first `rows` go to rows that begin `down` bytes apart.
///
/// # Safety
/// The lists have as many elements, and the room at `to` has all of them, and overlaps no list.
pub unsafe fn columns(to: *mut u8, down: usize, from: &[*const u64], rows: usize) {
    let lengths = [rows, from.len()];
    #[cfg(target_arch = "x86_64")]
    if Isa::detect() == Isa::V4 {
        // SAFETY: the caller's promise; the processor has AVX-512.
        return unsafe { squares(to, down, |j| from[j], lengths) };
    }
    // SAFETY: the caller's promise.
    unsafe { by_elements(lengths, |i, j| to.add(i * down).cast::<u64>().add(j).write_unaligned(*from[j].add(i))) }
}

/// Does something with each element of a matrix, square by square.
fn by_elements([rows, columns]: [usize; 2], element: impl Fn(usize, usize)) {
    for row in (0..rows).step_by(SIDE) {
        for column in (0..columns).step_by(SIDE) {
            for i in row..rows.min(row + SIDE) {
                (column..columns.min(column + SIDE)).for_each(|j| element(i, j));
            }
        }
    }
}

/// The copy of a matrix whose columns lie dense, each from an address on, to rows that begin `down` bytes apart.
///
/// # Safety
/// As for [`copy`], on a processor with AVX-512.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512dq,avx512vl")]
unsafe fn squares(to: *mut u8, down: usize, from: impl Fn(usize) -> *const u64, [rows, columns]: [usize; 2]) {
    use std::arch::x86_64::*;
    let some = |count: usize| ((1_u32 << count.min(SIDE)) - 1) as __mmask8;
    for column in (0..columns).step_by(SIDE) {
        let of_row = some(columns - column);
        for row in (0..rows).step_by(SIDE) {
            let of_column = some(rows - row);
            let mut lines = [_mm512_setzero_pd(); SIDE];
            for (j, line) in lines.iter_mut().enumerate().take(columns - column) {
                // SAFETY: a part of a column; elements beyond it are not read.
                *line = unsafe { _mm512_maskz_loadu_pd(of_column, from(column + j).add(row).cast()) };
            }
            let [a, b, c, d, e, f, g, h] = lines;
            // Elements 0, 2, 4, 6 and 1, 3, 5, 7 of neighbours, in pairs.
            let [ab, cd, ef, gh] =
                [(a, b), (c, d), (e, f), (g, h)].map(|(l, r)| [_mm512_unpacklo_pd(l, r), _mm512_unpackhi_pd(l, r)]);
            let mut square = [_mm512_setzero_pd(); SIDE];
            for odd in 0..2 {
                // Pairs 0, 2 and 1, 3 of two, then of four.
                let left = [_mm512_shuffle_f64x2::<0x88>(ab[odd], cd[odd]), _mm512_shuffle_f64x2::<0xdd>(ab[odd], cd[odd])];
                let right = [_mm512_shuffle_f64x2::<0x88>(ef[odd], gh[odd]), _mm512_shuffle_f64x2::<0xdd>(ef[odd], gh[odd])];
                for pair in 0..2 {
                    square[2 * pair + odd] = _mm512_shuffle_f64x2::<0x88>(left[pair], right[pair]);
                    square[4 + 2 * pair + odd] = _mm512_shuffle_f64x2::<0xdd>(left[pair], right[pair]);
                }
            }
            for (i, line) in square.into_iter().enumerate().take(rows - row) {
                // SAFETY: a part of a row; elements beyond it are not written.
                unsafe { _mm512_mask_storeu_pd(to.add((row + i) * down + 8 * column).cast(), of_row, line) };
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check<T: Copy + Default + PartialEq + std::fmt::Debug>(number: impl Fn(usize) -> T) {
        for (rows, columns) in (0..40).flat_map(|rows| (0..40).map(move |columns| (rows, columns))) {
            let memory: Vec<T> = (0..4 * rows * columns + 1).map(&number).collect();
            for strides in [[columns, 1], [1, rows], [1, rows + 3], [2 * columns, 2]] {
                let from = Matrix { at: memory.as_ptr(), strides: strides.map(|n| n as isize) };
                let down = columns + 5;
                let mut found = vec![T::default(); rows * down];
                let mut expected = found.clone();
                for (i, j) in (0..rows).flat_map(|i| (0..columns).map(move |j| (i, j))) {
                    expected[i * down + j] = memory[i * strides[0] + j * strides[1]];
                }
                // SAFETY: both have all elements.
                unsafe { copy(found.as_mut_ptr(), down, from, [rows, columns]) };
                assert_eq!(found, expected, "{rows}×{columns}, {strides:?}");
            }
        }
    }

    #[test]
    fn columns_of_all_sizes() {
        for (rows, count) in (0..40).flat_map(|rows| (0..40).map(move |count| (rows, count))) {
            let lists: Vec<Vec<u64>> = (0..count).map(|j| (0..rows).map(|i| (100 * i + j) as u64).collect()).collect();
            let from: Vec<*const u64> = lists.iter().map(|list| list.as_ptr()).collect();
            // Rows that are no multiples of an element.
            let down = 8 * count + 4;
            let mut found = vec![0_u8; rows * down + 4];
            let mut expected = found.clone();
            for (i, j) in (0..rows).flat_map(|i| (0..count).map(move |j| (i, j))) {
                expected[4 + i * down + 8 * j..][..8].copy_from_slice(&lists[j][i].to_ne_bytes());
            }
            // SAFETY: the lists and the rows have all elements.
            unsafe { columns(found.as_mut_ptr().add(4), down, &from, rows) };
            assert_eq!(found, expected, "{rows}×{count}");
        }
    }

    #[test]
    fn copies_of_all_sizes() {
        check(|i| i as u64 + 1);
        check(|i| i as f64 + 0.5);
        check(|i| i as f32 + 0.5);
    }
}

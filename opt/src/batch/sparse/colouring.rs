//! Columns that share a direction.
//!
//! Columns of a matrix share a direction where no row has entries in two of them: the sum of the columns then holds the entries of each,
//! none of them added to another one (Curtis, Powell & Reid, *On the estimation of sparse Jacobian matrices*, 1974). So directions are the
//! colours of a graph that joins two columns where a row has both, which is coloured greedily (Gebremedhin, Manne & Pothen, *What color is
//! your Jacobian?*, 2005, section 3): in the order of the columns, which takes as few colours as there are for a band, and in that of
//! their degrees; the better one counts.

/// The most pairs of entries in one row that are looked at.
const PAIRS: usize = 1 << 26;

/// A colour for each of `n` columns, and how many there are, by the columns that each row has entries in. None where there would be more
/// than `most`.
pub(super) fn colours(n: usize, rows: &[&[u32]], most: usize) -> Option<(Vec<u32>, usize)> {
    let pairs: usize = rows.iter().map(|row| row.len() * row.len()).sum();
    if pairs > PAIRS || rows.iter().any(|row| row.len() > most) {
        return None;
    }
    let mut rows_of: Vec<Vec<u32>> = vec![Vec::new(); n];
    for (i, row) in rows.iter().enumerate() {
        row.iter().for_each(|&column| rows_of[column as usize].push(i as u32));
    }
    let mut by_degree: Vec<u32> = (0..n as u32).collect();
    let degree = |&column: &u32| rows_of[column as usize].iter().map(|&row| rows[row as usize].len()).sum::<usize>();
    by_degree.sort_by_cached_key(|column| std::cmp::Reverse(degree(column)));
    let in_order = greedy(0..n as u32, rows, &rows_of);
    let by_degree = greedy(by_degree.into_iter(), rows, &rows_of);
    let best = if by_degree.1 < in_order.1 { by_degree } else { in_order };
    (best.1 <= most).then_some(best)
}

fn greedy(order: impl Iterator<Item = u32>, rows: &[&[u32]], rows_of: &[Vec<u32>]) -> (Vec<u32>, usize) {
    let mut colours = vec![u32::MAX; rows_of.len()];
    // The last column that could not have each colour, plus one.
    let mut taken: Vec<u32> = Vec::new();
    for column in order {
        for &row in &rows_of[column as usize] {
            for &other in rows[row as usize] {
                if let Some(taken) = taken.get_mut(colours[other as usize] as usize) {
                    *taken = column + 1;
                }
            }
        }
        let free = taken.iter().position(|&by| by != column + 1).unwrap_or(taken.len());
        if free == taken.len() {
            taken.push(0);
        }
        colours[column as usize] = free as u32;
    }
    (colours, taken.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The least number of colours, found by trying all colourings.
    fn least(n: usize, rows: &[&[u32]]) -> usize {
        fn can(at: usize, colours: &mut Vec<usize>, k: usize, n: usize, rows: &[&[u32]]) -> bool {
            if at == n {
                return true;
            }
            (0..k).any(|colour| {
                let clashes = |row: &&[u32]| {
                    row.contains(&(at as u32)) && row.iter().any(|&c| (c as usize) < at && colours[c as usize] == colour)
                };
                if rows.iter().any(clashes) {
                    return false;
                }
                colours[at] = colour;
                can(at + 1, colours, k, n, rows)
            })
        }
        (1..=n).find(|&k| can(0, &mut vec![0; n], k, n, rows)).unwrap_or(0)
    }

    fn patterns() -> impl Strategy<Value = (usize, Vec<Vec<u32>>)> {
        (1_usize..8).prop_flat_map(|n| {
            let row = prop::collection::btree_set(0..n as u32, 0..=n.min(4)).prop_map(|row| row.into_iter().collect());
            (Just(n), prop::collection::vec(row, 1..8))
        })
    }

    proptest! {
        /// Directions that are sums of columns hold the entries of a matrix where the columns of each are apart in all rows, and there
        /// alone: entries are powers of two, so that no two sums of different ones are equal.
        #[test]
        fn entries_are_read_off_the_sums_of_columns((n, rows) in patterns(), mut colours_of in prop::collection::vec(0_u32..3, 8)) {
            let rows: Vec<&[u32]> = rows.iter().map(Vec::as_slice).collect();
            let (colours, count) = colours(n, &rows, n).expect("as many directions as columns are enough");
            prop_assert!(count <= n && colours.iter().all(|&c| (c as usize) < count.max(1)));
            let is_exact = |colours: &[u32]| {
                rows.iter().all(|row| {
                    let sum = |of: u32| row.iter().filter(|&&c| colours[c as usize] == of).map(|&c| 1_u64 << c).sum::<u64>();
                    row.iter().all(|&column| sum(colours[column as usize]) == 1 << column)
                })
            };
            prop_assert!(is_exact(&colours));
            prop_assert!(least(n, &rows) <= count);
            colours_of.truncate(n);
            let is_valid = rows.iter().all(|row| {
                let mut seen: Vec<u32> = row.iter().map(|&c| colours_of[c as usize]).collect();
                seen.sort_unstable();
                seen.windows(2).all(|pair| pair[0] != pair[1])
            });
            prop_assert_eq!(is_exact(&colours_of), is_valid);
        }
    }

    #[test]
    fn a_band_takes_as_many_directions_as_it_is_wide() {
        for width in 1..6_usize {
            let rows: Vec<Vec<u32>> = (0..40_u32).map(|i| (i..(i + width as u32).min(40)).collect()).collect();
            let rows: Vec<&[u32]> = rows.iter().map(Vec::as_slice).collect();
            assert_eq!(colours(40, &rows, 40).map(|found| found.1), Some(width));
        }
    }

    #[test]
    fn a_full_row_takes_a_direction_for_each_column() {
        let full: Vec<u32> = (0..9).collect();
        assert_eq!(colours(9, &[&full], 9).map(|found| found.1), Some(9));
        assert_eq!(colours(9, &[&full], 8), None);
    }
}

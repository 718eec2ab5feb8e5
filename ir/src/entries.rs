//! The entries of sparse matrices, which only the optimised program tells, and whose number is part of types.
//!
//! ```text
//! first run of inference           values = gather(matrix, table<-1, place in the source, shape>)      asked
//! optimised                        gather(scatter(zeros, table<0, 1, 100, …>, …), table<-1, …>)         found
//! second run                       values = gather(matrix, table<0, 1, 100, …>)
//! ```
//! So a program that asks for entries is compiled twice: first to find them, and then with what was found.

use crate::array::{ArrayOp, Dims};
use crate::graph::{Kind, Module};
use crate::prim::Prim;
use crate::span::Span;
use rustc_hash::FxHashMap;

/// The places of entries, in row-major order, of matrices of a shape that are asked for at a place of the source ([`asked`]).
pub type Entries = FxHashMap<Dims, Dims>;

/// No place of an element.
const NO_PLACE: i64 = -1;

/// The table that stands for entries that are not known yet: those of a matrix of this shape, asked for at this place.
pub fn asked(span: Span, shape: Dims) -> Dims {
    Dims::new([&[NO_PLACE, span.start.into(), span.end.into()], &shape[..]].concat())
}

/// Whether a table stands for entries that are not known yet.
pub fn is_asked(table: Dims) -> bool {
    table.first() == Some(&NO_PLACE)
}

/// The shape of the matrix whose entries are asked for.
pub fn shape_of(asked: Dims) -> Dims {
    asked.without_first(3)
}

/// The place of the source where they are asked for.
pub fn span_of(asked: Dims) -> Span {
    let [start, end] = [1, 2].map(|i| u32::try_from(asked[i]).expect("a place of the source"));
    Span::new(start, end)
}

/// The entries that a module asks for.
pub fn all_asked(m: &Module) -> Vec<Dims> {
    let table = |kind: &Kind| match kind {
        &Kind::Prim(Prim::Array(ArrayOp::Table, table)) if is_asked(table) => Some(table),
        _ => None,
    };
    let mut all: Vec<Dims> = m.nodes().filter_map(|(_, node)| table(&node.kind)).collect();
    all.sort_unstable_by_key(|table| table.to_vec());
    all.dedup();
    all
}

/// A table in three: the places themselves, the column of each, and where each row begins and the last one ends.
pub fn compressed(places: Dims, shape: Dims) -> [Dims; 3] {
    let columns: Vec<i64> = places.iter().map(|place| place % shape[1]).collect();
    let mut starts = vec![0; shape[0] as usize + 1];
    for place in places.iter() {
        starts[(place / shape[1]) as usize + 1] += 1;
    }
    for row in 1..starts.len() {
        starts[row] += starts[row - 1];
    }
    [places, Dims::new(columns), Dims::new(starts)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_compressed() {
        let [places, columns, starts] = compressed(Dims::new([0, 1, 4, 11]), Dims::new([4, 3]));
        assert_eq!(places.to_vec(), [0, 1, 4, 11]);
        assert_eq!(columns.to_vec(), [0, 1, 1, 2]);
        assert_eq!(starts.to_vec(), [0, 2, 3, 3, 4]);
    }

    #[test]
    fn what_is_asked_says_where_and_of_which_shape() {
        let table = asked(Span::new(3, 9), Dims::new([5, 7]));
        assert!(is_asked(table) && !is_asked(Dims::new([0, 3])));
        assert_eq!(shape_of(table), Dims::new([5, 7]));
    }
}

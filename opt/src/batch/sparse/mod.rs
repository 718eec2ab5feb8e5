//! Loops over unit vectors that take fewer turns: sparse Jacobians and Hessians.
//!
//! ```text
//! for j in 0..n:               for d in 0..colours:                   one direction for several columns, and one for none
//!     J[:, j] = f(e_j)             B[d] = f(sum of the e_j of colour d)
//!                              B[colours] = f(0)
//!                              J[i, j] = B[colour of j][i] if row i depends on column j, else B[colours][i]
//! ```
//! A loop whose iterations differ by a unit vector alone (`i == k`, for all i) is followed once with what each element depends on in the
//! place of its value (`walk`): a set of columns (`sets`), by the operations between the unit vector and what the iteration writes
//! (`transfer`). Columns that no row has in common share a direction (`colouring`). The batch of the loop then has a row for each
//! direction, and its rows are spread over the matrix.
//!
//! *Bits.* Let element i depend on the columns of a set S alone. All that it is computed of depends on parts of S alone, by the same
//! operations. A direction has one column j of S at most. So it is to each of these operations what e_j is, or 0, and gives the bits of
//! f(e_j), or of f(0), which are those of f(e_j) for all j outside of S. That needs no linear f, and no number to be finite: nothing is
//! multiplied by a zero that was not before.
//!
//! *What is not proved sparse is dense*: what the unit vector, or the number of the iteration, does otherwise, sets that are too large, places
//! that only the run knows (all elements may be there), rows that depend on so many columns that the directions would be more than half
//! of the columns.

mod colouring;
mod facts;
mod sets;
mod transfer;
mod walk;

use super::affine::Affine;
use super::classes::{Body, Carried, Class};
use super::emit::Emit;
use crate::report::Compressed;
use gradus_ir::array::inverse;
use gradus_ir::cfg::Terminator;
use gradus_ir::{ArrayOp, Dims, GraphId, Module, NodeId, Prim, Span};
use rustc_hash::{FxHashMap, FxHashSet};
use sets::{EMPTY, SetId};
use transfer::strides;
use walk::Walk;

/// The least elements of a matrix that is worth it.
const LEAST: usize = 256;

/// The most entries of a matrix: they are tables of the program.
const ENTRIES: usize = 1 << 22;

/// The directions that stand for the iterations of a loop.
pub(super) struct Directions {
    /// How many there are, the one of no column included.
    pub(super) count: i64,
    /// The nodes that are parts of the unit vector: the direction that each element is 1 in.
    units: FxHashMap<NodeId, Vec<i64>>,
    /// Of each parameter of the header that is a matrix: what is an entry.
    matrices: Vec<Option<Matrix>>,
    pub(super) found: Compressed,
}

/// The entries of a matrix, in the order of their places in the array.
struct Matrix {
    places: Vec<i64>,
    /// Where each is among the rows of the batch.
    sources: Vec<i64>,
}

/// Finds directions for the iterations of a loop. None if it needs all of them.
pub(super) fn find(m: &Module, body: &Body) -> Option<Directions> {
    let n = usize::try_from(body.n).ok()?;
    let written = written(m, body)?;
    let mut walk = Walk::new(m, body);
    let units = units(m, body, &mut walk)?;
    for (&unit, columns) in &units {
        walk.unit(unit, columns)?;
    }
    walk.follow()?;
    let mut sets_of: Vec<Option<Vec<SetId>>> = Vec::with_capacity(written.len());
    for write in &written {
        sets_of.push(match *write {
            Some(write) => {
                let value = m[write].inputs()[1];
                let count = m[value].ty.shape()?.count();
                let fact = walk.fact(value);
                let elements = fact.elements()?;
                Some((0..count).map(|i| elements.set(i)).collect())
            }
            None => None,
        });
    }
    let all = || sets_of.iter().flatten().flatten();
    let rows = all().count();
    if rows * n < LEAST {
        return None;
    }
    let mut distinct: Vec<SetId> = all().copied().collect();
    distinct.sort_unstable();
    distinct.dedup();
    let distinct: Vec<&[u32]> = distinct.iter().map(|&set| walk.sets.members(set)).collect();
    let entries: usize = all().map(|&set| walk.sets.members(set).len()).sum();
    if entries > ENTRIES {
        return None;
    }
    let (colours, count) = colouring::colours(n, &distinct, n / 2 - 1)?;
    let matrix = |(i, sets): (usize, &Option<Vec<SetId>>)| {
        let Carried::Rows { order, .. } = &body.carried[i] else { return None };
        let shape = m[m[body.header].params[i]].ty.shape()?;
        Some(Matrix::new(shape, *order, sets.as_ref()?, &|set| walk.sets.members(set), &colours))
    };
    let matrices = sets_of.iter().enumerate().map(matrix).collect();
    let none = count as i64;
    let direction = |column: &Option<u32>| column.map_or(none + 1, |column| i64::from(colours[column as usize]));
    let units = units.into_iter().map(|(n, columns)| (n, columns.iter().map(direction).collect())).collect();
    let ends = |(row, &set): (usize, &SetId)| {
        let members = walk.sets.members(set);
        Some(row.abs_diff(*members.first()? as usize).max(row.abs_diff(*members.last()? as usize)))
    };
    let band = all().enumerate().filter_map(ends).max().unwrap_or(0);
    let found = Compressed { span: place(m, &written), numbers: rows, all: n, entries, band, directions: count };
    Some(Directions { count: none + 1, units, matrices, found })
}

/// The place of the source that the matrices belong to.
fn place(m: &Module, written: &[Option<NodeId>]) -> Span {
    written.iter().flatten().map(|&n| m[n].span).find(|span| span.is_some()).unwrap_or(Span::NONE)
}

/// Where each parameter of the header that is a matrix is written to in an iteration; none if anything else is handed on but what stays as it
/// is, or changes evenly, or if an iteration may leave the matrix as it is.
fn written(m: &Module, body: &Body) -> Option<Vec<Option<NodeId>>> {
    let has_written = body.carried.iter().enumerate().map(|(i, carried)| match carried {
        Carried::Even(_) | Carried::Same => Some(None),
        Carried::Rows { order, prefix, place } => {
            let p = m[body.header].params[i];
            let is_column = prefix.is_empty() && *place == Affine::ITERATION && m[p].ty.shape()?[order[0] as usize] == body.n;
            let mut given = body.arguments(m, i, true).map(|array| untransposed(m, array));
            let write = given.next().filter(|&write| is_column && given.all(|other| other == write))?;
            // All of a row.
            let (Some(Prim::Array(ArrayOp::SetAt, _)), &[array, _, _]) = (m.as_prim(write), m[write].inputs()) else {
                return None;
            };
            (untransposed(m, array) == p).then_some(Some(write))
        }
        Carried::Last | Carried::Written => None,
    });
    let writes: Vec<Option<NodeId>> = has_written.collect::<Option<_>>()?;
    let is_state = |n: NodeId| matches!(body.class(m, n), Some(Class::State { .. }));
    for &n in body.blocks.iter().flat_map(|&b| body.nest.schedule(b)).filter(|&&n| body.is_needed(n)) {
        let is_write = writes.contains(&Some(n)) || matches!(m.as_prim(n), Some(Prim::Array(ArrayOp::Transpose, _)));
        if !is_write && m[n].inputs().iter().any(|&i| is_state(i)) {
            return None;
        }
    }
    writes.iter().any(Option::is_some).then_some(writes)
}

/// The array that another one is with its axes in another order.
fn untransposed(m: &Module, mut array: NodeId) -> NodeId {
    while let Some(Prim::Array(ArrayOp::Transpose, _)) = m.as_prim(array) {
        array = m[array].inputs()[0];
    }
    array
}

/// The nodes that compare the number of the iteration with integers that are known, each with the columns that these are; none if the
/// number of the iteration is used in another way, but for places that are written to.
fn units(m: &Module, body: &Body, walk: &mut Walk) -> Option<FxHashMap<NodeId, Vec<Option<u32>>>> {
    let varies = |n: NodeId| body.class(m, n) != Some(Class::Same) && body.as_even(m, n).is_some_and(|a| a.step != 0);
    let nodes = || body.blocks.iter().flat_map(|&b| body.nest.schedule(b)).copied().filter(|&n| body.is_needed(n));
    let is_repeated = |n: NodeId| matches!(m.as_prim(n), Some(Prim::Array(ArrayOp::Broadcast, _))) && varies(m[n].inputs()[0]);
    let repeated: FxHashSet<NodeId> = nodes().filter(|&n| is_repeated(n)).collect();
    let number = |n: NodeId| if repeated.contains(&n) { m[n].inputs()[0] } else { n };
    // A parameter of a block may be it on one way, and not on another.
    let hands_on = |&&b: &&GraphId| match body.terminator(b) {
        Terminator::Jump { target, .. } if target == body.header => false,
        end => end.args(m).iter().any(|&arg| varies(number(arg))),
    };
    if body.blocks.iter().any(|b| hands_on(&b)) {
        return None;
    }
    let mut units = FxHashMap::default();
    for n in nodes().filter(|n| !repeated.contains(n)) {
        let inputs = m[n].inputs();
        let is_number: Vec<bool> = inputs.iter().map(|&i| varies(number(i))).collect();
        if !is_number.contains(&true) || matches!(body.class(m, n), Some(Class::Even(_))) {
            continue;
        }
        match (m.as_prim(n)?, body.class(m, n)) {
            (Prim::Array(ArrayOp::SetAt, _), Some(Class::State { .. })) if !is_number[1] => {}
            (Prim::Eq, _) => {
                let [a, b] = [inputs[0], inputs[1]];
                let (k, others) = if is_number[0] { (a, b) } else { (b, a) };
                if is_number[0] == is_number[1] || body.as_even(m, number(k)) != Some(Affine::ITERATION) {
                    return None;
                }
                let known = walk.known(others)?;
                let column = |&at: &i64| u32::try_from(at).ok().filter(|_| at < body.n);
                units.insert(n, known.iter().map(column).collect());
            }
            _ => return None,
        }
    }
    (!units.is_empty()).then_some(units)
}

impl Matrix {
    /// The entries of an array of this shape whose first axis, in that order of its axes, is that of the columns; the other axes have
    /// elements that depend on these sets.
    fn new<'s>(shape: Dims, order: Dims, sets: &[SetId], members: &dyn Fn(SetId) -> &'s [u32], colours: &[u32]) -> Matrix {
        let own = strides(shape);
        let along: Vec<usize> = order.iter().map(|&axis| own[axis as usize]).collect();
        let sizes: Vec<usize> = order.iter().map(|&axis| shape[axis as usize] as usize).collect();
        let mut entries: Vec<(i64, i64)> = Vec::new();
        for (i, &set) in sets.iter().enumerate().filter(|(_, set)| **set != EMPTY) {
            let (mut rest, mut row) = (i, 0);
            for axis in (1..sizes.len()).rev() {
                row += rest % sizes[axis] * along[axis];
                rest /= sizes[axis];
            }
            for &column in members(set) {
                let place = row + column as usize * along[0];
                let source = colours[column as usize] as usize * sets.len() + i;
                entries.push((place as i64, source as i64));
            }
        }
        entries.sort_unstable();
        let (places, sources) = entries.into_iter().unzip();
        Matrix { places, sources }
    }
}

impl Directions {
    /// The batch of a part of the unit vector, if a node is one.
    pub(super) fn unit(&self, e: &mut Emit, n: NodeId) -> Option<Option<NodeId>> {
        let Some(directions) = self.units.get(&n) else { return Some(None) };
        let own = e.m[n].ty.shape()?;
        let shape = [&[self.count], &own[..]].concat();
        let directions = e.array(ArrayOp::Table, directions, &[])?;
        let directions = e.reshape(directions, [&[1], &own[..]].concat())?;
        let directions = e.array(ArrayOp::Broadcast, &shape, &[directions])?;
        let rows = e.array(ArrayOp::Iota, [self.count, 0], &[])?;
        let rows = e.reshape(rows, [&[self.count], &vec![1; own.len()][..]].concat())?;
        let rows = e.array(ArrayOp::Broadcast, &shape, &[rows])?;
        e.prim(Prim::Eq, &[directions, rows]).map(Some)
    }

    /// A matrix, of the type of a parameter of the header, from the rows of its batch.
    pub(super) fn spread(&self, e: &mut Emit, param: usize, like: NodeId, order: Dims, rows: NodeId) -> Option<NodeId> {
        let matrix = self.matrices[param].as_ref()?;
        let (shape, sizes) = (e.shape(like), e.shape(rows));
        let none = sizes.iter().skip(1).flat_map(|&n| [0, 1, n]).collect::<Vec<_>>();
        let none = e.array(ArrayOp::Slice, [&[self.count - 1, 1, 1], &none[..]].concat(), &[rows])?;
        let none = e.array(ArrayOp::Transpose, &*inverse(order), &[none])?;
        let all = e.array(ArrayOp::Broadcast, &*shape, &[none])?;
        if matrix.places.is_empty() {
            return Some(all);
        }
        let all = e.reshape(all, [shape.count() as i64])?;
        let rows = e.reshape(rows, [sizes.count() as i64])?;
        let [places, sources] = [&matrix.places, &matrix.sources].map(|table| e.array(ArrayOp::Table, table, &[]));
        let entries = e.array(ArrayOp::Gather, [], &[rows, sources?])?;
        let all = e.array(ArrayOp::Scatter, [], &[all, places?, entries])?;
        e.reshape(all, &*shape)
    }
}

//! Reductions, in one order whatever executes them.
//!
//! The order is a matter of the extents of the iteration space and of which axes are kept, and of nothing else. Axes of length 1
//! are left out, and neighbours that are both kept or both reduced are one axis, so that kept and reduced ones alternate.
//!
//! * Where the innermost axis is reduced, its elements make a *row*. A row is cut into blocks of [`BLOCK`] elements. Element i of a
//!   block joins lane i mod [`LANES`] after those of the lane before it; then the upper half of the lanes joins the lower half,
//!   lane by lane, then the upper half of those, until one is left. The blocks' results join one after the other.
//! * Where the innermost axis is kept, each element is a row of its own.
//! * Rows that come to the same output element join one after the other, in row-major order.
//!
//! The earlier operand of a join is the left one. Everything starts with the identity, which changes nothing: -0.0 for sums of
//! floats, and the least or the greatest value for maxima and minima. The sum of no element is 0.0.

use super::blocks::Element;
use super::isa::{Block, BlockFn, Isa};
use gradus_ir::DType;
use std::hint::select_unpredictable;
use std::marker::PhantomData;
use std::slice::{from_raw_parts, from_raw_parts_mut};

/// How many elements of a row are joined before their result joins those of the others.
pub const BLOCK: usize = 4096;

/// How many elements of a block are joined side by side.
pub const LANES: usize = 32;

/// How many elements are taken at a time where a row ends.
const GROUP: usize = 8;

/// How a reduction joins two values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reduction {
    /// The sum; of integers it wraps.
    Sum,
    /// The greatest, as [`gradus_ir::Prim::Maximum`] says.
    Max,
    /// The least, as [`gradus_ir::Prim::Minimum`] says.
    Min,
}

/// A join of values of one type.
trait Join: 'static {
    type T: Element;
    const IDENTITY: Self::T;
    fn join(a: Self::T, b: Self::T) -> Self::T;
    /// What is reduced: an element of one operand, or the product of two.
    fn term(a: Self::T, b: Self::T) -> Self::T;
}

macro_rules! joins {
    ($( $name:ident($a:ident, $b:ident: $T:ty) = $join:expr, $identity:expr, $term:expr; )*) => {
        $(
            struct $name;
            impl Join for $name {
                type T = $T;
                const IDENTITY: $T = $identity;
                #[inline(always)]
                fn join($a: $T, $b: $T) -> $T {
                    $join
                }
                #[inline(always)]
                fn term($a: $T, $b: $T) -> $T {
                    let _ = $b;
                    $term
                }
            }
        )*
    };
}

joins! {
    SumOfFloats(a, b: f64) = a + b, -0.0, a;
    SumOfProducts(a, b: f64) = a + b, -0.0, a * b;
    MaxOfFloats(a, b: f64) = if a >= b || a.is_nan() { a } else { b }, f64::NEG_INFINITY, a;
    MinOfFloats(a, b: f64) = if a <= b || a.is_nan() { a } else { b }, f64::INFINITY, a;
    SumOfIntegers(a, b: i64) = a.wrapping_add(b), 0, a;
    MaxOfIntegers(a, b: i64) = a.max(b), i64::MIN, a;
    MinOfIntegers(a, b: i64) = a.min(b), i64::MAX, a;
    MaxOfBools(a, b: u8) = a | b, 0, a;
    MinOfBools(a, b: u8) = a & b, 1, a;
}

/// The functions of a reduction.
#[derive(Clone, Copy, Debug)]
pub struct Joins {
    /// Joins `n` elements of a block to the lanes at `to`, which are 64-byte aligned. The first and the second place of `from` hold
    /// the factors of the terms, the third the lane of the first element, as a number.
    pub accumulate: BlockFn,
    /// Writes the results of `n` rows to `to`. The third place of `from` holds how many elements a row has, as a number: at most
    /// [`LANES`].
    pub short_rows: BlockFn,
    /// Writes the result of a row of `n` elements to `to`, at most those of a block. The third place of `from` holds lanes of
    /// identities: constants make compilers lose the vectors.
    pub row: BlockFn,
    /// Joins `n` terms to the elements at `to`, each to one.
    pub columns: BlockFn,
    /// Joins `n` results to the elements at `to`, each to one.
    pub results: BlockFn,
    /// Joins the lanes at the first place of `from` to the one element at `to`.
    pub finish: BlockFn,
    /// Writes `n` identities to `to`.
    pub clear: BlockFn,
}

/// The functions of a reduction of elements of this type, or of the products of two.
pub fn joins(by: Reduction, dtype: DType, products: bool, isa: Isa) -> Option<Joins> {
    Some(match (by, dtype, products) {
        (Reduction::Sum, DType::F64, true) => of::<SumOfProducts>(isa),
        (_, _, true) => return None,
        (Reduction::Sum, DType::F64, _) => of::<SumOfFloats>(isa),
        (Reduction::Max, DType::F64, _) => of::<MaxOfFloats>(isa),
        (Reduction::Min, DType::F64, _) => of::<MinOfFloats>(isa),
        (Reduction::Sum, DType::I64, _) => of::<SumOfIntegers>(isa),
        (Reduction::Max, DType::I64, _) => of::<MaxOfIntegers>(isa),
        (Reduction::Min, DType::I64, _) => of::<MinOfIntegers>(isa),
        (_, DType::F32, _) | (Reduction::Sum, DType::Bool, _) => return None,
        (Reduction::Max, DType::Bool, _) => of::<MaxOfBools>(isa),
        (Reduction::Min, DType::Bool, _) => of::<MinOfBools>(isa),
    })
}

fn of<J: Join>(isa: Isa) -> Joins {
    Joins {
        accumulate: isa.compiled::<Accumulate<J>>(),
        short_rows: isa.compiled::<ShortRows<J>>(),
        row: isa.compiled::<Row<J>>(),
        columns: isa.compiled::<Columns<J>>(),
        results: isa.compiled::<Results<J>>(),
        finish: isa.compiled::<Finish<J>>(),
        clear: isa.compiled::<Clear<J>>(),
    }
}

/// Lanes, aligned to the widest vectors.
#[repr(C, align(64))]
#[derive(Clone, Copy)]
struct Lanes<T>([T; LANES]);

/// Joins `n` elements to lanes, from the first on.
///
/// # Safety
/// `a` and `b` are readable for `n` elements and for 7 more.
#[inline(always)]
unsafe fn to_lanes<J: Join>(lanes: &mut Lanes<J::T>, n: usize, a: *const J::T, b: *const J::T) {
    let whole = n - n % LANES;
    if whole > 0 {
        // A copy, which stays in registers.
        let mut inner = *lanes;
        for start in (0..whole).step_by(LANES) {
            for lane in 0..LANES {
                // SAFETY: the caller's promise.
                let term = unsafe { J::term(*a.add(start + lane), *b.add(start + lane)) };
                inner.0[lane] = J::join(inner.0[lane], term);
            }
        }
        *lanes = inner;
    }
    let rest = n - whole;
    for start in (0..rest).step_by(GROUP) {
        // SAFETY: the caller's promise.
        let group = unsafe { group::<J>(rest - start, a.add(whole + start), b.add(whole + start)) };
        for (lane, term) in lanes.0[start..start + GROUP].iter_mut().zip(group) {
            *lane = J::join(*lane, term);
        }
    }
}

/// The next terms, of which there are `n`, and identities behind them.
///
/// # Safety
/// `a` and `b` are readable for a group.
#[inline(always)]
unsafe fn group<J: Join>(n: usize, a: *const J::T, b: *const J::T) -> [J::T; GROUP] {
    // SAFETY: the caller's promise.
    let (a, b) = unsafe { (a.cast::<[J::T; GROUP]>().read_unaligned(), b.cast::<[J::T; GROUP]>().read_unaligned()) };
    let mut terms = [J::IDENTITY; GROUP];
    for (i, term) in terms.iter_mut().enumerate() {
        *term = select_unpredictable(i < n, J::term(a[i], b[i]), J::IDENTITY);
    }
    terms
}

/// The lanes joined.
#[inline(always)]
fn tree<J: Join>(lanes: &Lanes<J::T>) -> J::T {
    let mut lanes = *lanes;
    for half in [16, 8, 4, 2, 1] {
        for lane in 0..half {
            lanes.0[lane] = J::join(lanes.0[lane], lanes.0[lane + half]);
        }
    }
    lanes.0[0]
}

struct Accumulate<J>(PhantomData<J>);
impl<J: Join> Block for Accumulate<J> {
    #[inline(always)]
    unsafe fn run<const FUSED: bool, const UNIFORM: u8>(n: usize, to: *mut u8, [a, b, lane]: [*const u8; 3]) {
        let (a, b, first) = (a.cast::<J::T>(), b.cast::<J::T>(), lane.addr());
        // SAFETY: the caller's promise: lanes, and terms.
        unsafe {
            let lanes = &mut *to.cast::<Lanes<J::T>>();
            // Up to the last lane one by one, if it does not start at the first.
            let single = if first == 0 { 0 } else { n.min(LANES - first) };
            for i in 0..single {
                let lane = &mut lanes.0[first + i];
                *lane = J::join(*lane, J::term(*a.add(i), *b.add(i)));
            }
            to_lanes::<J>(lanes, n - single, a.add(single), b.add(single));
        }
    }
}

struct ShortRows<J>(PhantomData<J>);

impl<J: Join> ShortRows<J> {
    /// Rows that fill `G` groups, a power of 2, or more than half of them.
    ///
    /// # Safety
    /// As for [`Block::run`].
    #[inline(always)]
    unsafe fn of_groups<const G: usize>(n: usize, to: *mut J::T, a: *const J::T, b: *const J::T, length: usize) {
        for row in 0..n {
            let mut groups = [[J::IDENTITY; GROUP]; G];
            for (i, lanes) in groups.iter_mut().enumerate().take(length.div_ceil(GROUP)) {
                let at = row * length + i * GROUP;
                // SAFETY: the caller's promise: whole rows.
                *lanes = unsafe { group::<J>(length - i * GROUP, a.add(at), b.add(at)) };
            }
            for half in [2, 1] {
                if half < G {
                    let (lower, upper) = groups.split_at_mut(half);
                    for (lower, &upper) in lower.as_flattened_mut().iter_mut().zip(upper.as_flattened()) {
                        *lower = J::join(*lower, upper);
                    }
                }
            }
            let mut lanes = groups[0];
            for half in [4, 2, 1] {
                for lane in 0..half {
                    lanes[lane] = J::join(lanes[lane], lanes[lane + half]);
                }
            }
            // SAFETY: a place for the result of each row.
            unsafe { *to.add(row) = lanes[0] };
        }
    }
}

impl<J: Join> Block for ShortRows<J> {
    #[inline(always)]
    unsafe fn run<const FUSED: bool, const UNIFORM: u8>(n: usize, to: *mut u8, [a, b, length]: [*const u8; 3]) {
        let (to, a, b, length) = (to.cast(), a.cast(), b.cast(), length.addr());
        // SAFETY: the caller's promise.
        unsafe {
            match length.div_ceil(GROUP) {
                ..2 => ShortRows::<J>::of_groups::<1>(n, to, a, b, length),
                2 => ShortRows::<J>::of_groups::<2>(n, to, a, b, length),
                _ => ShortRows::<J>::of_groups::<4>(n, to, a, b, length),
            }
        }
    }
}

struct Row<J>(PhantomData<J>);
impl<J: Join> Block for Row<J> {
    #[inline(always)]
    unsafe fn run<const FUSED: bool, const UNIFORM: u8>(n: usize, to: *mut u8, [a, b, lanes]: [*const u8; 3]) {
        // SAFETY: the caller's promise.
        unsafe {
            let mut lanes = *lanes.cast::<Lanes<J::T>>();
            to_lanes::<J>(&mut lanes, n, a.cast(), b.cast());
            *to.cast::<J::T>() = tree::<J>(&lanes);
        }
    }
}

struct Columns<J>(PhantomData<J>);
impl<J: Join> Block for Columns<J> {
    #[inline(always)]
    unsafe fn run<const FUSED: bool, const UNIFORM: u8>(n: usize, to: *mut u8, [a, b, _]: [*const u8; 3]) {
        // SAFETY: the caller's promise.
        let (to, a, b) = unsafe {
            (from_raw_parts_mut(to.cast::<J::T>(), n), from_raw_parts(a.cast::<J::T>(), n), from_raw_parts(b.cast::<J::T>(), n))
        };
        for i in 0..n {
            to[i] = J::join(to[i], J::term(a[i], b[i]));
        }
    }
}

struct Results<J>(PhantomData<J>);
impl<J: Join> Block for Results<J> {
    #[inline(always)]
    unsafe fn run<const FUSED: bool, const UNIFORM: u8>(n: usize, to: *mut u8, [a, ..]: [*const u8; 3]) {
        // SAFETY: the caller's promise.
        let (to, a) = unsafe { (from_raw_parts_mut(to.cast::<J::T>(), n), from_raw_parts(a.cast::<J::T>(), n)) };
        for (to, &a) in to.iter_mut().zip(a) {
            *to = J::join(*to, a);
        }
    }
}

struct Finish<J>(PhantomData<J>);
impl<J: Join> Block for Finish<J> {
    #[inline(always)]
    unsafe fn run<const FUSED: bool, const UNIFORM: u8>(_: usize, to: *mut u8, [lanes, ..]: [*const u8; 3]) {
        // SAFETY: the caller's promise.
        unsafe {
            let to = to.cast::<J::T>();
            *to = J::join(*to, tree::<J>(&*lanes.cast::<Lanes<J::T>>()));
        }
    }
}

struct Clear<J>(PhantomData<J>);
impl<J: Join> Block for Clear<J> {
    #[inline(always)]
    unsafe fn run<const FUSED: bool, const UNIFORM: u8>(n: usize, to: *mut u8, _: [*const u8; 3]) {
        // SAFETY: the caller's promise.
        unsafe { from_raw_parts_mut(to.cast::<J::T>(), n) }.fill(J::IDENTITY);
    }
}

/// The axes of an iteration space as a reduction sees them.
#[derive(Clone, Debug)]
pub struct Shape {
    /// The innermost axis: how many elements a row has, or how many rows of one element lie next to each other.
    pub inner: usize,
    /// Whether that axis is kept.
    pub inner_kept: bool,
    /// The other axes, innermost first: length, and the step in the output, 0 for those that are reduced.
    outer: Vec<(usize, usize)>,
    /// How many elements the output has.
    pub outputs: usize,
}

impl Shape {
    /// Of an iteration space, of which the axes that are `kept` remain.
    pub fn new(extents: &[usize], kept: &[bool]) -> Shape {
        assert_eq!(extents.len(), kept.len(), "each axis is kept or reduced");
        let mut groups: Vec<(usize, bool)> = Vec::new();
        for (&extent, &kept) in extents.iter().zip(kept).rev().filter(|&(&extent, _)| extent != 1) {
            match groups.last_mut() {
                Some((inner, last)) if *last == kept => *inner *= extent,
                _ => groups.push((extent, kept)),
            }
        }
        let &(inner, inner_kept) = groups.first().unwrap_or(&(1, false));
        let mut step = if inner_kept { inner } else { 1 };
        let mut outer = Vec::new();
        for &(extent, kept) in groups.iter().skip(1) {
            outer.push((extent, if kept { step } else { 0 }));
            if kept {
                step *= extent;
            }
        }
        Shape { inner, inner_kept, outer, outputs: step }
    }

    /// Whether rows come to output elements one to one, in order.
    pub fn row_by_row(&self) -> bool {
        !self.inner_kept && matches!(self.outer[..], [] | [(_, 1)])
    }

    /// Where in the output the row of a number comes to, or the first of those that lie next to each other.
    pub fn output(&self, row: usize) -> usize {
        if let [] | [(_, 0)] = self.outer[..] {
            return 0;
        }
        let mut rest = row;
        let mut at = 0;
        for &(extent, step) in &self.outer {
            at += rest % extent * step;
            rest /= extent;
        }
        at
    }
}

//! Arrays: element types, and the lists of integers that shapes and the attributes of array primitives are.

mod op;

pub use op::{ArrayOp, inverse};

use std::collections::HashSet;
use std::fmt;
use std::ops::Deref;
use std::sync::{LazyLock, Mutex};

/// The type of the elements of an array.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum DType {
    /// `bool`, one byte.
    Bool,
    /// `int64`.
    I64,
    /// `float32`, of arrays with axes alone: a scalar that is read from one is a float of 64 bits.
    F32,
    /// `float64`.
    F64,
}

impl DType {
    /// The bytes of one element.
    pub fn bytes(self) -> usize {
        match self {
            DType::Bool => 1,
            DType::F32 => 4,
            DType::I64 | DType::F64 => 8,
        }
    }

    /// Whether the elements are floats.
    pub fn is_float(self) -> bool {
        matches!(self, DType::F32 | DType::F64)
    }

    /// The type of a scalar with the value of an element.
    pub fn scalar(self) -> DType {
        if self == DType::F32 { DType::F64 } else { self }
    }

    /// The type that NumPy gives to what is made of elements of both types.
    pub fn promote(self, other: DType) -> DType {
        match (self, other) {
            (DType::I64, DType::F32) | (DType::F32, DType::I64) => DType::F64,
            (a, b) => a.max(b),
        }
    }

    /// The name in the text form.
    pub fn name(self) -> &'static str {
        match self {
            DType::Bool => "bool",
            DType::I64 => "i64",
            DType::F32 => "f32",
            DType::F64 => "f64",
        }
    }

    /// The name that NumPy gives it.
    pub fn numpy_name(self) -> &'static str {
        match self {
            DType::Bool => "bool",
            DType::I64 => "int64",
            DType::F32 => "float32",
            DType::F64 => "float64",
        }
    }
}

/// A list of integers: a shape, or the attribute of an array primitive. Interned for the life of the process, so that types and
/// primitives are small and copied freely; a program has few different ones.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Dims(&'static [i64]);

impl Dims {
    /// The list of no integers: the shape of scalars.
    pub const NONE: Dims = Dims(&[]);

    /// The list of these integers.
    pub fn new(items: impl AsRef<[i64]>) -> Dims {
        static ALL: LazyLock<Mutex<HashSet<&'static [i64]>>> = LazyLock::new(Mutex::default);
        let items = items.as_ref();
        if items.is_empty() {
            return Dims::NONE;
        }
        // A panic elsewhere cannot leave the set half changed.
        let mut all = ALL.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        if let Some(&known) = all.get(items) {
            return Dims(known);
        }
        let leaked: &'static [i64] = items.to_vec().leak();
        all.insert(leaked);
        Dims(leaked)
    }

    /// The number of elements of an array of this shape.
    pub fn count(self) -> usize {
        self.0.iter().map(|&d| d as usize).product()
    }

    /// The lengths of the axes of this shape.
    pub fn sizes(self) -> impl DoubleEndedIterator<Item = usize> + ExactSizeIterator + Clone {
        self.0.iter().map(|&d| d as usize)
    }

    /// The shape without its first `n` axes.
    pub fn without_first(self, n: usize) -> Dims {
        Dims(&self.0[n..])
    }

    /// What remains of this shape where axis `axis` is left out.
    pub fn without(self, axis: usize) -> Dims {
        Dims::new([&self.0[..axis], &self.0[axis + 1..]].concat())
    }

    /// The shape with axis `axis` of another length.
    pub fn with(self, axis: usize, length: i64) -> Dims {
        let mut items = self.0.to_vec();
        items[axis] = length;
        Dims::new(items)
    }

    /// The shape that arrays of both shapes are broadcast to, by NumPy's rule: aligned at the last axis, lengths are equal or one
    /// of them is 1. None if they do not fit.
    pub fn broadcast(self, other: Dims) -> Option<Dims> {
        let rank = self.len().max(other.len());
        let at = |dims: Dims, i: usize| (i + dims.len()).checked_sub(rank).map_or(1, |i| dims[i]);
        let joined: Option<Vec<i64>> = (0..rank)
            .map(|i| match (at(self, i), at(other, i)) {
                (a, b) if a == b || b == 1 => Some(a),
                (1, b) => Some(b),
                _ => None,
            })
            .collect();
        joined.map(Dims::new)
    }

    /// Whether arrays of this shape can be broadcast to `to`.
    pub fn broadcasts_to(self, to: Dims) -> bool {
        self.broadcast(to) == Some(to)
    }
}

impl AsRef<[i64]> for Dims {
    fn as_ref(&self) -> &[i64] {
        self.0
    }
}

impl Deref for Dims {
    type Target = [i64];
    fn deref(&self) -> &[i64] {
        self.0
    }
}

impl fmt::Debug for Dims {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// `2, 3`.
impl fmt::Display for Dims {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, item) in self.0.iter().enumerate() {
            write!(f, "{}{item}", if i > 0 { ", " } else { "" })?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shapes_broadcast_as_in_numpy() {
        let joined = |a: &[i64], b: &[i64]| Dims::new(a).broadcast(Dims::new(b)).map(|d| d.to_vec());
        assert_eq!(joined(&[2, 3], &[3]), Some(vec![2, 3]));
        assert_eq!(joined(&[2, 1], &[1, 5]), Some(vec![2, 5]));
        assert_eq!(joined(&[], &[4]), Some(vec![4]));
        assert_eq!(joined(&[0], &[1]), Some(vec![0]));
        assert_eq!(joined(&[2], &[3]), None);
        assert!(!Dims::new([2, 3]).broadcasts_to(Dims::new([3])));
    }

    #[test]
    fn equal_lists_are_one() {
        assert!(std::ptr::eq(&*Dims::new([2, 3]), &*Dims::new(vec![2, 3])));
    }
}

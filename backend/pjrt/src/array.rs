//! Arrays on the host.

use crate::sys;

/// The type of the elements of an array.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Element {
    /// A boolean, one byte.
    Bool,
    /// An integer of 32 bits.
    I32,
    /// An integer of 64 bits.
    I64,
    /// A float of 32 bits.
    F32,
    /// A float of 64 bits.
    F64,
}

impl Element {
    const ALL: [(Element, i32, usize); 5] = [
        (Element::Bool, sys::TYPE_PRED, 1),
        (Element::I32, sys::TYPE_S32, 4),
        (Element::I64, sys::TYPE_S64, 8),
        (Element::F32, sys::TYPE_F32, 4),
        (Element::F64, sys::TYPE_F64, 8),
    ];

    fn row(self) -> (Element, i32, usize) {
        Element::ALL[self as usize]
    }

    /// The bytes of one element.
    pub fn bytes(self) -> usize {
        self.row().2
    }

    pub(crate) fn code(self) -> i32 {
        self.row().1
    }

    pub(crate) fn from_code(code: i32) -> Option<Element> {
        Element::ALL.iter().find(|row| row.1 == code).map(|row| row.0)
    }
}

/// An array on the host: dense and in row-major order. A scalar has no dimensions.
#[derive(Clone, PartialEq, Debug)]
pub struct HostArray {
    /// The type of its elements.
    pub element: Element,
    /// Its shape.
    pub dims: Vec<i64>,
    /// Its elements, in the order of bytes of the machine.
    pub bytes: Vec<u8>,
}

impl HostArray {
    /// The number of its elements.
    pub fn count(&self) -> usize {
        count(&self.dims)
    }

    /// An array of floats of 64 bits. Panics if there are more or fewer than the shape says.
    pub fn of_floats(dims: &[i64], floats: &[f64]) -> HostArray {
        assert_eq!(count(dims), floats.len(), "an array has as many elements as its shape says");
        HostArray { element: Element::F64, dims: dims.to_vec(), bytes: floats.iter().flat_map(|v| v.to_ne_bytes()).collect() }
    }

    /// An array of integers of 64 bits. Panics if there are more or fewer than the shape says.
    pub fn of_ints(dims: &[i64], ints: &[i64]) -> HostArray {
        assert_eq!(count(dims), ints.len(), "an array has as many elements as its shape says");
        HostArray { element: Element::I64, dims: dims.to_vec(), bytes: ints.iter().flat_map(|v| v.to_ne_bytes()).collect() }
    }

    /// Its floats of 64 bits, if these are its elements.
    pub fn floats(&self) -> Option<Vec<f64>> {
        (self.element == Element::F64).then(|| self.chunks().map(f64::from_ne_bytes).collect())
    }

    /// Its floats of 32 bits, if these are its elements.
    pub fn singles(&self) -> Option<Vec<f32>> {
        (self.element == Element::F32).then(|| self.chunks().map(f32::from_ne_bytes).collect())
    }

    /// Its integers, if these are its elements.
    pub fn ints(&self) -> Option<Vec<i64>> {
        match self.element {
            Element::I64 => Some(self.chunks().map(i64::from_ne_bytes).collect()),
            Element::I32 => Some(self.chunks().map(|b| i32::from_ne_bytes(b).into()).collect()),
            _ => None,
        }
    }

    /// Its booleans, if these are its elements.
    pub fn bools(&self) -> Option<Vec<bool>> {
        (self.element == Element::Bool).then(|| self.bytes.iter().map(|&b| b != 0).collect())
    }

    fn chunks<const N: usize>(&self) -> impl Iterator<Item = [u8; N]> + '_ {
        self.bytes.as_chunks().0.iter().copied()
    }
}

pub(crate) fn count(dims: &[i64]) -> usize {
    dims.iter().map(|&n| usize::try_from(n).unwrap_or(0)).product()
}

impl From<f64> for HostArray {
    fn from(value: f64) -> HostArray {
        HostArray::of_floats(&[], &[value])
    }
}

impl From<i64> for HostArray {
    fn from(value: i64) -> HostArray {
        HostArray::of_ints(&[], &[value])
    }
}

impl From<bool> for HostArray {
    fn from(value: bool) -> HostArray {
        HostArray { element: Element::Bool, dims: Vec::new(), bytes: vec![value.into()] }
    }
}

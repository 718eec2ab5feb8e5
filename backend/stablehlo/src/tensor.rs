//! The types of StableHLO, and the tensors that a value of the IR is made of.

use crate::refusal::Reason;
use gradus_ir::{DType, Dims, Type};
use std::fmt;

/// The type of the elements of a tensor.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Element {
    /// A boolean.
    Pred,
    /// An integer of 32 bits: the status, and the ways out of a region.
    I32,
    /// An integer of 64 bits.
    I64,
    /// A float of 32 bits.
    F32,
    /// A float of 64 bits.
    F64,
}

impl Element {
    /// Whether it is a float.
    pub fn is_float(self) -> bool {
        matches!(self, Element::F32 | Element::F64)
    }
}

impl From<DType> for Element {
    fn from(dtype: DType) -> Element {
        match dtype {
            DType::Bool => Element::Pred,
            DType::I64 => Element::I64,
            DType::F32 => Element::F32,
            DType::F64 => Element::F64,
        }
    }
}

impl fmt::Display for Element {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Element::Pred => "i1",
            Element::I32 => "i32",
            Element::I64 => "i64",
            Element::F32 => "f32",
            Element::F64 => "f64",
        })
    }
}

/// The type of a tensor. A scalar has no dimensions.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Tensor {
    /// The type of its elements.
    pub element: Element,
    /// Its shape.
    pub dims: Dims,
}

impl Tensor {
    /// A tensor type.
    pub fn new(element: Element, dims: impl AsRef<[i64]>) -> Tensor {
        Tensor { element, dims: Dims::new(dims) }
    }

    /// A scalar type.
    pub const fn scalar(element: Element) -> Tensor {
        Tensor { element, dims: Dims::NONE }
    }

    /// The same shape with other elements.
    pub fn of(self, element: Element) -> Tensor {
        Tensor { element, ..self }
    }

    /// The same elements in another shape.
    pub fn with(self, dims: impl AsRef<[i64]>) -> Tensor {
        Tensor { dims: Dims::new(dims), ..self }
    }

    /// With one more axis, the first.
    pub fn stacked(self, length: i64) -> Tensor {
        self.with([&[length], &self.dims[..]].concat())
    }

    /// The number of its elements.
    pub fn count(self) -> usize {
        self.dims.count()
    }
}

impl fmt::Display for Tensor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("tensor<")?;
        for n in self.dims.iter() {
            write!(f, "{n}x")?;
        }
        write!(f, "{}>", self.element)
    }
}

/// How many records there is room for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Room {
    /// In a tape.
    pub records: i64,
    /// In a vector.
    pub elements: i64,
}

/// The tensors that a value of a type is made of, in order. A tape is the number of its records and, for each tensor of a record, a
/// buffer; a vector is the buffers alone. A box is its place in the heap. Strings, `None` and structural zeros are nothing.
pub fn leaves(ty: &Type, room: Room) -> Result<Vec<Tensor>, Reason> {
    let mut found = Vec::new();
    collect(ty, room, &mut found)?;
    Ok(found)
}

fn collect(ty: &Type, room: Room, found: &mut Vec<Tensor>) -> Result<(), Reason> {
    match ty {
        Type::Bool | Type::I64 | Type::F64 | Type::Array(..) => {
            let (dtype, dims) = ty.as_array().expect("a number or an array");
            found.push(Tensor { element: dtype.into(), dims });
        }
        Type::Tuple(items) => {
            for item in items.iter() {
                collect(item, room, found)?;
            }
        }
        Type::Tape(record) => {
            found.push(Tensor::scalar(Element::I64));
            buffers(record, room, room.records, found)?;
        }
        Type::Vec(record) => buffers(record, room, room.elements, found)?,
        // The place of a box in the heap.
        Type::Opaque => found.push(Tensor::scalar(Element::I64)),
        Type::Str | Type::None | Type::Zero => {}
        Type::Fn(_) | Type::AnyFn => return Err(Reason::UnknownFunction),
        Type::Unknown | Type::List(_) | Type::Record(..) | Type::Instance(_) | Type::OneOf(_) => return Err(Reason::Untyped),
    }
    Ok(())
}

/// A buffer for so many records, for each tensor of one.
fn buffers(record: &Type, room: Room, count: i64, found: &mut Vec<Tensor>) -> Result<(), Reason> {
    let first = found.len();
    collect(record, room, found)?;
    for buffer in &mut found[first..] {
        *buffer = buffer.stacked(count);
    }
    Ok(())
}

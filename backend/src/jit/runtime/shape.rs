//! How values lie in boxes and in the records of tapes.

use super::super::layout::Field;
use super::tape::Tape;
use std::sync::{Arc, Weak};

/// Describes boxes: a box is a pointer to its shape, then the fields of its payload. Null is the zero box. Describes the records
/// of tapes likewise.
#[repr(C)]
#[derive(Debug)]
pub struct Shape {
    /// First, so that a shape never begins with its own address, as a descriptor does.
    pub fields: Box<[Field]>,
    /// A box that holds the zero of the shape; what is no cotangent has any value that can be held.
    pub zero: Box<[u64]>,
    /// The tape without records.
    pub empty: Tape,
    /// Whether boxes are among the fields.
    pub has_boxes: bool,
}

// SAFETY: a shape is never written to once it is made, the empty tape included, which has no room.
unsafe impl Send for Shape {}
// SAFETY: as above.
unsafe impl Sync for Shape {}

impl Shape {
    /// The shape of `fields`; shared, since boxes and tapes hold its address. `shape` gives that of the records of tapes among the
    /// fields, and keeps it.
    pub fn new(fields: &[Field], mut shape: impl FnMut(&[Field]) -> Arc<Shape>) -> Arc<Shape> {
        let mut zero = vec![0];
        for field in fields {
            match field {
                Field::Tape(record) => zero.extend([(&raw const shape(record).empty).expose_provenance() as u64, 0]),
                field => zero.push(field.zero()),
            }
        }
        Arc::new_cyclic(|shape: &Weak<Shape>| {
            zero[0] = shape.as_ptr().expose_provenance() as u64;
            let mut zero = zero.into_boxed_slice();
            let empty = Tape::empty(shape.as_ptr(), &raw mut zero[1..]);
            Shape { fields: fields.into(), zero, empty, has_boxes: fields.contains(&Field::Box) }
        })
    }

    /// Where the record of zeros lies.
    pub fn zero_record(&self) -> *const u64 {
        self.zero[1..].as_ptr()
    }

    /// The number of words in a record, or in a box after the first.
    pub fn words(&self) -> usize {
        self.zero.len() - 1
    }
}

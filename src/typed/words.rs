//! What passes between Rust values and programs: a word for each scalar, arrays beside the words, and the sizes that Rust types
//! leave open.

use gradus_backend::{Slice, Slot, Storage};
use gradus_ir::{Array, Const, Dims, Type, Value};
use smallvec::SmallVec;
use std::slice;
use std::vec;

/// The sizes that a program is compiled for, of which the types of arguments say nothing: those of axes, and integers that are
/// [`Static`](super::Static). As one call after the other has them.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Sizes(pub(super) SmallVec<[i64; 8]>);

/// Sizes as types of arguments take them up, in the order in which arguments gave them.
#[derive(Debug)]
pub struct Known<'a> {
    sizes: slice::Iter<'a, i64>,
    /// The value of an argument that is an integer, where that is known.
    pub(super) constant: Option<Const>,
}

impl Sizes {
    pub(crate) fn known(&self) -> Known<'_> {
        Known { sizes: self.0.iter(), constant: None }
    }
}

impl Known<'_> {
    pub(super) fn next(&mut self) -> i64 {
        *self.sizes.next().expect("arguments give the sizes that their types take")
    }
}

/// Where arguments put their words.
#[derive(Debug)]
pub struct Input<'a> {
    words: &'a mut [u64],
    at: usize,
    shapes: slice::Iter<'a, Dims>,
    arrays: Option<&'a mut Arrays>,
}

/// The arrays among arguments.
pub type Arrays = SmallVec<[Storage; 4]>;

impl<'a> Input<'a> {
    /// Room for words.
    #[inline]
    pub(crate) fn scalars(words: &'a mut [u64]) -> Input<'a> {
        Input { words, at: 0, shapes: [].iter(), arrays: None }
    }

    /// Room for words, and for arrays of these shapes.
    pub(super) fn new(words: &'a mut [u64], shapes: &'a [Dims], arrays: &'a mut Arrays) -> Input<'a> {
        Input { words, at: 0, shapes: shapes.iter(), arrays: Some(arrays) }
    }

    #[inline]
    pub(super) fn word(&mut self, word: u64) {
        self.words[self.at] = word;
        self.at += 1;
    }

    /// Copies an array, whose elements are in row-major order.
    pub(super) fn array(&mut self, elements: Slice) {
        let shape = self.shapes.next().expect("a program takes the arrays that it is compiled for");
        let arrays = self.arrays.as_mut().expect("there is room for the arrays of a type that has some");
        arrays.push(Storage::copy(elements, *shape));
        self.at += 1;
    }
}

/// Where results find their words.
#[derive(Debug)]
pub struct Output<'a> {
    words: &'a [u64],
    at: usize,
    slots: &'a [Slot],
    arrays: Option<&'a mut vec::IntoIter<Array>>,
}

impl<'a> Output<'a> {
    /// The words of a result.
    #[inline]
    pub(crate) fn scalars(words: &'a [u64]) -> Output<'a> {
        Output { words, at: 0, slots: &[], arrays: None }
    }

    /// The words of a result, what they are, and its arrays.
    pub(super) fn new(words: &'a [u64], slots: &'a [Slot], arrays: &'a mut vec::IntoIter<Array>) -> Output<'a> {
        Output { words, at: 0, slots, arrays: Some(arrays) }
    }

    #[inline]
    pub(super) fn word(&mut self) -> u64 {
        self.at += 1;
        self.words[self.at - 1]
    }

    /// Whether what comes next is an array.
    pub(super) fn is_array(&self) -> bool {
        matches!(self.slots[self.at], Slot::Array(..))
    }

    pub(super) fn array(&mut self) -> Array {
        self.at += 1;
        self.arrays.as_mut().and_then(|arrays| arrays.next()).expect("a result has the arrays of its type")
    }
}

/// What each word of a value of some type is.
pub fn slots(ty: &Type) -> Vec<Slot> {
    fn collect(ty: &Type, out: &mut Vec<Slot>) {
        match ty {
            &Type::Array(dtype, shape) => out.push(Slot::Array(dtype, shape)),
            Type::Tuple(items) | Type::Record(_, items) => items.iter().for_each(|item| collect(item, out)),
            Type::None | Type::Zero => {}
            _ => out.push(Slot::Scalar),
        }
    }
    let mut out = Vec::new();
    collect(ty, &mut out);
    out
}

/// The value of a type that the next words and arrays are.
pub fn value(ty: &Type, words: &mut slice::Iter<u64>, arrays: &mut dyn Iterator<Item = Array>) -> Value {
    let mut word = || *words.next().expect("a value has as many words as its type");
    match ty {
        Type::F64 => Value::F64(f64::from_bits(word())),
        Type::I64 => Value::I64(word().cast_signed()),
        Type::Bool => Value::Bool(word() != 0),
        Type::Array(..) => {
            word();
            Value::Array(arrays.next().expect("a value has the arrays of its type"))
        }
        Type::Tuple(items) => Value::Tuple(items.iter().map(|item| value(item, words, arrays)).collect()),
        Type::List(items) => Value::List(items.iter().map(|item| value(item, words, arrays)).collect()),
        Type::Record(schema, items) => {
            Value::Record(schema.clone(), items.iter().map(|item| value(item, words, arrays)).collect())
        }
        _ => Value::None,
    }
}

/// Appends the words of a value, and its arrays.
pub fn flatten(value: Value, words: &mut Vec<u64>, arrays: &mut Vec<Array>) {
    match value {
        Value::F64(v) => words.push(v.to_bits()),
        Value::I64(v) => words.push(v.cast_unsigned()),
        Value::Bool(v) => words.push(v.into()),
        Value::Array(array) => {
            words.push(0);
            arrays.push(array);
        }
        Value::Tuple(items) | Value::List(items) | Value::Record(_, items) => {
            items.iter().for_each(|item| flatten(item.clone(), words, arrays));
        }
        Value::Str(_) | Value::None | Value::Zero => {}
    }
}

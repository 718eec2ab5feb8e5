//! Runs on words: scalars are words, and arrays are given and taken beside them.

use super::{Compiled, runtime};
use crate::arrays::Storage;
use crate::error::RunError;
use gradus_ir::{Array, Boundary, DType, Dims, Form, Type};
use std::borrow::Borrow;

/// What stands for one word of a [`Compiled`] program's arguments or result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Slot {
    /// A float by its bits, an int, or a boolean as 0 or 1.
    Scalar,
    /// An array, which is given and taken beside the words.
    Array(DType, Dims),
}

impl Slot {
    /// The words of arguments and of a result; none if strings or boxes are among them.
    pub fn of(boundary: &Boundary) -> Option<(Vec<Slot>, Vec<Slot>)> {
        Flat::of(boundary).map(|flat| (flat.params, flat.result))
    }

    /// The shape of an array.
    pub fn shape(&self) -> Option<Dims> {
        match self {
            Slot::Array(_, shape) => Some(*shape),
            Slot::Scalar => None,
        }
    }
}

/// The words of arguments and of the result, where all of them are scalars and arrays.
#[derive(Debug)]
pub(super) struct Flat {
    pub(super) params: Vec<Slot>,
    pub(super) result: Vec<Slot>,
    /// Whether there are no arrays.
    is_scalar: bool,
}

impl Flat {
    /// The words of arguments and a result of these types; none if they are no data.
    pub(super) fn of_types(types: &[Type], ty: &Type) -> Option<Flat> {
        let (mut params, mut result) = (Vec::new(), Vec::new());
        let is_flat = types.iter().all(|ty| flatten_type(ty, &mut params)) && flatten_type(ty, &mut result);
        is_flat.then_some(Flat { params, result, is_scalar: false })
    }

    /// The words of a boundary; none if strings or boxes cross it.
    pub(super) fn of(boundary: &Boundary) -> Option<Flat> {
        let (mut params, mut result) = (Vec::new(), Vec::new());
        let is_flat = boundary.params.iter().all(|form| flatten(form, &mut params))
            && boundary.result.iter().all(|form| flatten(form, &mut result));
        let is_scalar = params.iter().chain(&result).all(|slot| *slot == Slot::Scalar);
        is_flat.then_some(Flat { params, result, is_scalar })
    }
}

/// A way to take the array whose address is a word of a result.
pub(super) type Take<T> = fn(&mut u64, Option<&mut runtime::Context>, DType, Dims) -> T;

/// Takes an array as a copy.
pub(super) fn copied(word: &mut u64, _: Option<&mut runtime::Context>, dtype: DType, shape: Dims) -> Array {
    runtime::read_array(*word, dtype, shape)
}

impl Flat {
    /// Appends the arrays among the words of a result.
    pub(super) fn take<T>(
        &self,
        words: &mut [u64],
        mut context: Option<&mut runtime::Context>,
        take: Take<T>,
        taken: &mut Vec<T>,
    ) {
        for (word, slot) in words.iter_mut().zip(&self.result) {
            if let &Slot::Array(dtype, shape) = slot {
                taken.push(take(word, context.as_deref_mut(), dtype, shape));
            }
        }
    }
}

/// Puts the addresses of arrays among words. Panics if there are others than the slots say.
pub(super) fn given(words: &mut [u64], arrays: &[impl Borrow<Storage>], slots: &[Slot]) {
    assert_eq!(words.len(), slots.len(), "there is a word for each scalar and array");
    let mut arrays = arrays.iter();
    for (word, slot) in words.iter_mut().zip(slots) {
        if let Slot::Array(dtype, shape) = slot {
            let array = arrays.next().expect("there are as many arrays as the program takes").borrow();
            assert!(array.dtype == *dtype && array.shape == *shape, "an array is of the type that the program takes");
            *word = array.address() as u64;
        }
    }
}

fn flatten(form: &Form, out: &mut Vec<Slot>) -> bool {
    match form {
        Form::Plain(ty) => flatten_type(ty, out),
        Form::Tuple(items) | Form::List(items) | Form::Record(_, items) => items.iter().all(|item| flatten(item, out)),
        Form::Boxed(_) | Form::Unbounded(_) | Form::Union(_) => false,
    }
}

fn flatten_type(ty: &Type, out: &mut Vec<Slot>) -> bool {
    match ty {
        Type::F64 | Type::I64 | Type::Bool => out.push(Slot::Scalar),
        &Type::Array(dtype, shape) => out.push(Slot::Array(dtype, shape)),
        Type::None | Type::Zero => {}
        Type::Tuple(items) => return items.iter().all(|item| flatten_type(item, out)),
        _ => return false,
    }
    true
}

impl Compiled {
    /// The words of the arguments and of the result; none if strings or boxes are among them, which are no words.
    pub fn slots(&self) -> Option<(&[Slot], &[Slot])> {
        self.flat.as_ref().map(|flat| (&flat.params[..], &flat.result[..]))
    }

    /// Runs the entry graph on one word per scalar of the arguments, and writes those of the result: floats as their bits,
    /// booleans as 0 or 1, tuples field by field. Panics if there are more or fewer words, or if anything but scalars comes in or
    /// goes out.
    #[inline]
    pub fn run_words(&self, args: &[u64], results: &mut [u64]) -> Result<(), RunError> {
        assert!(self.flat.as_ref().is_some_and(|flat| flat.is_scalar), "arrays, strings and boxes are no words");
        match self.code.run_words(args, results) {
            Ok(0) => Ok(()),
            other => self.finish(other.map(Err)),
        }
    }

    /// [`Compiled::run_words`] with arrays: those of the arguments in their order, where the words have room for them, and those of
    /// the result. Panics if they are not as [`Compiled::slots`] says.
    pub fn run_flat(&self, args: &mut [u64], arrays: &[Storage], results: &mut [u64]) -> Result<Vec<Array>, RunError> {
        self.run_with(args, arrays, results, copied)
    }

    /// [`Compiled::run_flat`] on arrays that others own, too, whose results are memory of their own: not copied, if they are large.
    pub fn run_lent(
        &self,
        args: &mut [u64],
        arrays: &[impl Borrow<Storage>],
        results: &mut [u64],
    ) -> Result<Vec<Storage>, RunError> {
        self.run_with(args, arrays, results, runtime::take_array)
    }

    fn run_with<T>(
        &self,
        args: &mut [u64],
        arrays: &[impl Borrow<Storage>],
        results: &mut [u64],
        take: Take<T>,
    ) -> Result<Vec<T>, RunError> {
        let flat = self.flat.as_ref().expect("strings and boxes are no words");
        given(args, arrays, &flat.params);
        let mut taken = Vec::new();
        let mut read =
            |results: &mut [u64], context: Option<&mut runtime::Context>| flat.take(results, context, take, &mut taken);
        self.finish(self.code.run(args, results, &mut read))?;
        Ok(taken)
    }
}

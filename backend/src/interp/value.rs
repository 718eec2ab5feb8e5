//! Values as the machine holds them: 16 bytes, cheap to copy, released without recursion.

use super::arithmetic::Arithmetic;
use super::heap::Buffer;
use crate::error::RunError;
use gradus_ir::eval::Scalar;
use gradus_ir::{Type, Value};
use std::rc::Rc;

/// A value; 16 bytes where floats are floats. Scalars are variants of their own, as a `Scalar` in it would not leave room for the other variants' tag.
#[derive(Clone, Debug)]
pub enum Val<A: Arithmetic> {
    F64(A::Float),
    I64(i64),
    Bool(bool),
    /// A string: its number in the table of the run.
    Str(u32),
    None,
    /// The structural zero.
    Zero,
    Tuple(Rc<Fields<A>>),
    /// A function: a graph, and what its frame begins with, the captures and bound arguments.
    Fn(u32, Rc<Fields<A>>),
    /// A box with one field, or the zero box.
    Opaque(Option<Rc<Fields<A>>>),
    /// A tape: the number of its records, and what begins with them; none if they hold no values.
    Tape(u32, Option<Rc<Buffer<A>>>),
    /// An array.
    Array(Rc<A::Array>),
    /// A function that is not looked at.
    Undefined,
}

impl<A: Arithmetic> From<Scalar<A::Float>> for Val<A> {
    fn from(scalar: Scalar<A::Float>) -> Val<A> {
        match scalar {
            Scalar::F64(v) => Val::F64(v),
            Scalar::I64(v) => Val::I64(v),
            Scalar::Bool(v) => Val::Bool(v),
        }
    }
}

/// The fields of a heap object.
#[derive(Debug)]
pub struct Fields<A: Arithmetic>(pub Vec<Val<A>>);

impl<A: Arithmetic> Default for Fields<A> {
    fn default() -> Fields<A> {
        Fields(Vec::new())
    }
}

impl<A: Arithmetic> Val<A> {
    /// The scalar that this is, if it is one.
    pub fn as_scalar(&self) -> Option<Scalar<A::Float>> {
        match self {
            Val::F64(v) => Some(Scalar::F64(v.clone())),
            Val::I64(v) => Some(Scalar::I64(*v)),
            Val::Bool(v) => Some(Scalar::Bool(*v)),
            _ => None,
        }
    }

    pub fn tuple(items: Vec<Val<A>>) -> Val<A> {
        Val::Tuple(Rc::new(Fields(items)))
    }

    /// The zero of a type of cotangents.
    pub fn zero(arithmetic: &A, ty: &Type) -> Val<A> {
        match ty {
            Type::F64 => Val::F64(arithmetic.literal(-0.0)),
            &Type::Array(dtype, shape) => Val::Array(Rc::new(arithmetic.zero(dtype, shape))),
            Type::Tuple(items) => Val::tuple(items.iter().map(|item| Val::zero(arithmetic, item)).collect()),
            Type::Opaque => Val::Opaque(None),
            Type::Tape(_) => Val::Tape(0, None),
            _ => Val::Zero,
        }
    }

    /// A value of a type where it is not looked at, but for operations that are done in vain; the zero of a type of cotangents.
    pub fn undefined(arithmetic: &A, ty: &Type) -> Val<A> {
        match ty {
            Type::I64 => Val::I64(0),
            Type::Bool => Val::Bool(false),
            Type::None => Val::None,
            Type::Str | Type::AnyFn | Type::Fn(_) => Val::Undefined,
            Type::Tuple(items) => Val::tuple(items.iter().map(|item| Val::undefined(arithmetic, item)).collect()),
            other => Val::zero(arithmetic, other),
        }
    }

    /// The object, if this is the only reference to it.
    fn into_unique_object(self) -> Option<Fields<A>> {
        match self {
            Val::Tuple(object) | Val::Fn(_, object) | Val::Opaque(Some(object)) => Rc::into_inner(object),
            Val::Tape(_, Some(buffer)) => Rc::into_inner(buffer).map(Buffer::into_fields),
            _ => None,
        }
    }
}

/// Objects form chains as long as the loops of the program: what would be dropped recursively is taken apart first.
impl<A: Arithmetic> Drop for Fields<A> {
    fn drop(&mut self) {
        let mut objects: Vec<Fields<A>> = self.0.drain(..).filter_map(Val::into_unique_object).collect();
        while let Some(mut object) = objects.pop() {
            objects.extend(object.0.drain(..).filter_map(Val::into_unique_object));
        }
    }
}

/// Values and their strings, between the machine and its caller.
#[derive(Default)]
pub struct Strings(Vec<std::sync::Arc<str>>);

impl Strings {
    /// The string as a value.
    pub fn intern<A: Arithmetic>(&mut self, s: &std::sync::Arc<str>) -> Val<A> {
        self.0.push(s.clone());
        Val::Str((self.0.len() - 1) as u32)
    }

    /// A value that enters the machine.
    pub fn import<A: Arithmetic>(&mut self, arithmetic: &A, value: &Value<A::Number>) -> Val<A> {
        match value {
            Value::F64(v) => Val::F64(arithmetic.import(v)),
            Value::I64(v) => Val::I64(*v),
            Value::Bool(v) => Val::Bool(*v),
            Value::Str(s) => self.intern(s),
            Value::None => Val::None,
            Value::Zero => Val::Zero,
            Value::Array(array) => Val::Array(Rc::new(arithmetic.import_array(array))),
            Value::Tuple(items) => Val::tuple(items.iter().map(|item| self.import(arithmetic, item)).collect()),
        }
    }

    /// A value that leaves the machine, which functions and boxes do not.
    pub fn export<A: Arithmetic>(&self, arithmetic: &A, value: &Val<A>) -> Result<Value<A::Number>, RunError> {
        Ok(match value {
            Val::F64(v) => Value::F64(arithmetic.export(v)?),
            Val::I64(v) => Value::I64(*v),
            Val::Bool(v) => Value::Bool(*v),
            Val::Str(i) => Value::Str(self.0[*i as usize].clone()),
            Val::None => Value::None,
            Val::Zero => Value::Zero,
            Val::Array(array) => Value::Array(arithmetic.export_array(array)?),
            Val::Tuple(items) => {
                Value::Tuple(items.0.iter().map(|item| self.export(arithmetic, item)).collect::<Result<_, _>>()?)
            }
            Val::Fn(..) | Val::Opaque(_) | Val::Tape(..) | Val::Undefined => {
                return Err(RunError::Internal { message: "the result of the entry graph is data".into() });
            }
        })
    }
}

//! Values as the machine holds them: 16 bytes, cheap to copy, released without recursion.

use super::heap::Buffer;
use crate::arrays::Storage;
use gradus_ir::eval::Scalar;
use gradus_ir::{Type, Value};
use std::rc::Rc;

/// A value. Scalars are variants of their own, as a `Scalar` in it would not leave room for the other variants' tag.
#[derive(Clone, Debug)]
pub enum Val {
    F64(f64),
    I64(i64),
    Bool(bool),
    /// A string: its number in the table of the run.
    Str(u32),
    None,
    /// The structural zero.
    Zero,
    Tuple(Rc<Fields>),
    /// A function: a graph, and what its frame begins with, the captures and bound arguments.
    Fn(u32, Rc<Fields>),
    /// A box with one field, or the zero box.
    Opaque(Option<Rc<Fields>>),
    /// A tape: the number of its records, and what begins with them; none if they hold no values.
    Tape(u32, Option<Rc<Buffer>>),
    /// An array.
    Array(Rc<Storage>),
    /// A function that is not looked at.
    Undefined,
}

impl From<Scalar> for Val {
    fn from(scalar: Scalar) -> Val {
        match scalar {
            Scalar::F64(v) => Val::F64(v),
            Scalar::I64(v) => Val::I64(v),
            Scalar::Bool(v) => Val::Bool(v),
        }
    }
}

/// The fields of a heap object.
#[derive(Debug, Default)]
pub struct Fields(pub Vec<Val>);

impl Val {
    /// The scalar that this is, if it is one.
    pub fn as_scalar(&self) -> Option<Scalar> {
        match *self {
            Val::F64(v) => Some(Scalar::F64(v)),
            Val::I64(v) => Some(Scalar::I64(v)),
            Val::Bool(v) => Some(Scalar::Bool(v)),
            _ => None,
        }
    }

    pub fn tuple(items: Vec<Val>) -> Val {
        Val::Tuple(Rc::new(Fields(items)))
    }

    /// The zero of a type of cotangents.
    pub fn zero(ty: &Type) -> Val {
        match ty {
            Type::F64 => Val::F64(-0.0),
            &Type::Array(dtype, shape) => Val::Array(Rc::new(Storage::zero(dtype, shape))),
            Type::Tuple(items) => Val::tuple(items.iter().map(Val::zero).collect()),
            Type::Opaque => Val::Opaque(None),
            Type::Tape(_) => Val::Tape(0, None),
            _ => Val::Zero,
        }
    }

    /// A value of a type where it is not looked at, but for operations that are done in vain; the zero of a type of cotangents.
    pub fn undefined(ty: &Type) -> Val {
        match ty {
            Type::I64 => Val::I64(0),
            Type::Bool => Val::Bool(false),
            Type::None => Val::None,
            Type::Str | Type::AnyFn | Type::Fn(_) => Val::Undefined,
            Type::Tuple(items) => Val::tuple(items.iter().map(Val::undefined).collect()),
            other => Val::zero(other),
        }
    }

    /// The object, if this is the only reference to it.
    fn into_unique_object(self) -> Option<Fields> {
        match self {
            Val::Tuple(object) | Val::Fn(_, object) | Val::Opaque(Some(object)) => Rc::into_inner(object),
            Val::Tape(_, Some(buffer)) => Rc::into_inner(buffer).map(Buffer::into_fields),
            _ => None,
        }
    }
}

/// Objects form chains as long as the loops of the program: what would be dropped recursively is taken apart first.
impl Drop for Fields {
    fn drop(&mut self) {
        let mut objects: Vec<Fields> = self.0.drain(..).filter_map(Val::into_unique_object).collect();
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
    pub fn intern(&mut self, s: &std::sync::Arc<str>) -> Val {
        self.0.push(s.clone());
        Val::Str((self.0.len() - 1) as u32)
    }

    /// A value that enters the machine.
    pub fn import(&mut self, value: &Value) -> Val {
        match value {
            Value::F64(v) => Val::F64(*v),
            Value::I64(v) => Val::I64(*v),
            Value::Bool(v) => Val::Bool(*v),
            Value::Str(s) => self.intern(s),
            Value::None => Val::None,
            Value::Zero => Val::Zero,
            Value::Array(array) => Val::Array(Rc::new(Storage::import(array))),
            Value::Tuple(items) => Val::tuple(items.iter().map(|item| self.import(item)).collect()),
        }
    }

    /// A value that leaves the machine; none for functions and boxes.
    pub fn export(&self, value: &Val) -> Option<Value> {
        Some(match value {
            Val::F64(v) => Value::F64(*v),
            Val::I64(v) => Value::I64(*v),
            Val::Bool(v) => Value::Bool(*v),
            Val::Str(i) => Value::Str(self.0[*i as usize].clone()),
            Val::None => Value::None,
            Val::Zero => Value::Zero,
            Val::Array(array) => Value::Array(array.export()),
            Val::Tuple(items) => Value::Tuple(items.0.iter().map(|item| self.export(item)).collect::<Option<_>>()?),
            Val::Fn(..) | Val::Opaque(_) | Val::Tape(..) | Val::Undefined => return None,
        })
    }
}

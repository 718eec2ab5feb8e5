//! The types of nodes, and the cotangent type of each type.

use crate::array::{DType, Dims};
use crate::data::Schema;
use std::fmt;
use std::sync::Arc;

/// The type of a node. Programs arrive with `Unknown` everywhere; [`crate::infer`] leaves none.
///
/// A function is typed by its signature alone. Which closure stands behind it, and what that closure captured, is not part
/// of the type: the cotangent of a function is therefore [`Type::Opaque`], a boxed tuple whose layout only the place knows that
/// made the closure (docs/strategies.md §2, last rows of the table).
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub enum Type {
    /// Not inferred yet.
    #[default]
    Unknown,
    /// `bool`.
    Bool,
    /// `int`, 64 bits.
    I64,
    /// `float`, 64 bits.
    F64,
    /// A string constant.
    Str,
    /// `None`.
    None,
    /// The structural zero: the cotangent of what has no cotangent. Holds no data.
    Zero,
    /// A boxed value (`pack<T>` makes it, `unpack<T>` opens it), or zero. The cotangent of a function.
    Opaque,
    /// A function whose signature would contain itself; a call of it is typed by its operands and its result.
    AnyFn,
    /// An array of at least one axis, dense and in row-major order. An array without axes is a scalar.
    Array(DType, Dims),
    /// A tuple, or in a typed module a list of known length.
    Tuple(Arc<[Type]>),
    /// A function.
    Fn(Arc<FnType>),
    /// A stack of records: what a loop of the forward part leaves for the adjoint (docs/strategies.md §5). A persistent value by
    /// its meaning; `push` and `pop` are linear, so that executors keep the records in one buffer. `Const::Zero` of the type is
    /// the empty tape, of which `pop` gives itself and the zero of the record.
    Tape(Arc<Type>),
    /// A record for each index from 0 on, of which all but finitely many are zero: what a list of run-time length holds. Records are
    /// numbers, booleans and boxes, or tuples of them. `Const::Zero` of the type is the one of zeros alone.
    Vec(Arc<Type>),
    /// A list of known length, outside of typed modules, in which it is a tuple.
    List(Arc<[Type]>),
    /// A record, outside of typed modules, in which it is a tuple.
    Record(Arc<Schema>, Arc<[Type]>),
    /// Within the record of a class that may hold itself: an instance of a class that is described further out. Outside of typed
    /// modules.
    Instance(Arc<Schema>),
    /// Of one of several types: of one and of `None`, or of several classes. Outside of typed modules.
    OneOf(Arc<[Type]>),
}

/// A signature.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct FnType {
    /// Parameter types.
    pub params: Vec<Type>,
    /// Result type.
    pub result: Type,
}

impl Type {
    /// The tuple type of `items`.
    pub fn tuple(items: impl IntoIterator<Item = Type>) -> Type {
        Type::Tuple(items.into_iter().collect())
    }

    /// The type of functions from `params` to `result`.
    pub fn func(params: impl IntoIterator<Item = Type>, result: Type) -> Type {
        Type::Fn(Arc::new(FnType { params: params.into_iter().collect(), result }))
    }

    /// The type of arrays of a shape: the scalar type where it has no axes.
    pub fn array(dtype: DType, shape: Dims) -> Type {
        match dtype {
            _ if !shape.is_empty() => Type::Array(dtype, shape),
            DType::Bool => Type::Bool,
            DType::I64 => Type::I64,
            DType::F32 | DType::F64 => Type::F64,
        }
    }

    /// The element type and the shape of an array or of a number or a boolean, which has the empty shape.
    pub fn as_array(&self) -> Option<(DType, Dims)> {
        match *self {
            Type::Array(dtype, shape) => Some((dtype, shape)),
            Type::Bool => Some((DType::Bool, Dims::NONE)),
            Type::I64 => Some((DType::I64, Dims::NONE)),
            Type::F64 => Some((DType::F64, Dims::NONE)),
            _ => None,
        }
    }

    /// The element type of an array, a number or a boolean.
    pub fn dtype(&self) -> Option<DType> {
        self.as_array().map(|(dtype, _)| dtype)
    }

    /// The shape of an array; that of a number or a boolean is empty.
    pub fn shape(&self) -> Option<Dims> {
        self.as_array().map(|(_, shape)| shape)
    }

    /// Whether this is an array, with axes.
    pub fn is_array(&self) -> bool {
        matches!(self, Type::Array(..))
    }

    /// The type of tapes of records of type `record`.
    pub fn tape(record: Type) -> Type {
        Type::Tape(Arc::new(record))
    }

    /// The type of vectors of records of type `record`.
    pub fn vec(record: Type) -> Type {
        Type::Vec(Arc::new(record))
    }

    /// The type of cotangents of values of this type. Idempotent: the cotangent type of a cotangent type is itself.
    pub fn cotangent(&self) -> Type {
        match self {
            Type::F64 | Type::Array(DType::F32 | DType::F64, _) => self.clone(),
            Type::Tuple(items) | Type::List(items) | Type::Record(_, items) => Type::tuple(items.iter().map(Type::cotangent)),
            Type::Instance(_) | Type::OneOf(_) | Type::Fn(_) | Type::AnyFn | Type::Opaque => Type::Opaque,
            Type::Tape(record) | Type::Vec(record) if record.is_inert() => Type::Zero,
            Type::Tape(record) => Type::tape(record.cotangent()),
            Type::Vec(record) => Type::vec(record.cotangent()),
            Type::Unknown => Type::Unknown,
            Type::Bool | Type::I64 | Type::Array(..) | Type::Str | Type::None | Type::Zero => Type::Zero,
        }
    }

    /// The type of the places that values of this type have on the tape of a traced derivative: a number for a float or an array.
    pub fn traced(&self) -> Type {
        match self.cotangent() {
            Type::F64 | Type::Array(..) => Type::I64,
            Type::Tuple(items) => Type::tuple(items.iter().map(Type::traced)),
            Type::Tape(record) => Type::tape(record.traced()),
            Type::Vec(record) => Type::vec(record.traced()),
            other => other,
        }
    }

    /// Whether this is a type of cotangents, or of places on the tape of a traced derivative.
    pub fn is_derivative(&self) -> bool {
        match self {
            Type::I64 => true,
            Type::Tuple(items) => items.iter().all(Type::is_derivative),
            Type::Tape(record) | Type::Vec(record) => record.is_derivative(),
            other => *other == other.cotangent(),
        }
    }

    /// Whether values of this type hold nothing that a cotangent could flow to.
    pub fn is_inert(&self) -> bool {
        match self {
            Type::F64 | Type::Array(DType::F32 | DType::F64, _) | Type::Fn(_) | Type::AnyFn | Type::Opaque | Type::Unknown => {
                false
            }
            // What an instance holds is said where its class is described.
            Type::Instance(_) => true,
            Type::Tuple(items) | Type::List(items) | Type::Record(_, items) | Type::OneOf(items) => {
                items.iter().all(Type::is_inert)
            }
            Type::Tape(record) | Type::Vec(record) => record.is_inert(),
            Type::Bool | Type::I64 | Type::Array(..) | Type::Str | Type::None | Type::Zero => true,
        }
    }

    /// Whether this is a function type.
    pub fn is_fn(&self) -> bool {
        matches!(self, Type::Fn(_) | Type::AnyFn)
    }

    /// The fields of a tuple type.
    pub fn fields(&self) -> Option<&[Type]> {
        match self {
            Type::Tuple(items) => Some(items),
            _ => None,
        }
    }

    /// The record type of a vector type.
    pub fn element(&self) -> Option<&Type> {
        match self {
            Type::Vec(record) => Some(record),
            _ => None,
        }
    }

    /// How many numbers, booleans and boxes values of this type are made of, if they are made of nothing else: they may be records of
    /// vectors.
    pub fn scalars(&self) -> Option<usize> {
        match self {
            Type::F64 | Type::I64 | Type::Bool | Type::Opaque => Some(1),
            Type::None | Type::Zero => Some(0),
            Type::Tuple(items) => items.iter().map(Type::scalars).sum(),
            _ => None,
        }
    }

    /// The record type of a tape type.
    pub fn record(&self) -> Option<&Type> {
        match self {
            Type::Tape(record) => Some(record),
            _ => None,
        }
    }

    /// The signature of a function type; none for `AnyFn`.
    pub fn signature(&self) -> Option<&FnType> {
        match self {
            Type::Fn(f) => Some(f),
            _ => None,
        }
    }

    /// Equal but for `AnyFn`, which fits every function type. Values of fitting types have one representation.
    pub fn fits(&self, other: &Type) -> bool {
        match (self, other) {
            (Type::AnyFn, b) => b.is_fn(),
            (a, Type::AnyFn) => a.is_fn(),
            (Type::Tuple(a), Type::Tuple(b)) => a.len() == b.len() && a.iter().zip(b.iter()).all(|(a, b)| a.fits(b)),
            (Type::Fn(a), Type::Fn(b)) => {
                a.params.len() == b.params.len()
                    && a.params.iter().zip(&b.params).all(|(a, b)| a.fits(b))
                    && a.result.fits(&b.result)
            }
            (Type::Tape(a), Type::Tape(b)) => a.fits(b),
            (a, b) => a == b,
        }
    }

    /// The type as a user of the Python front end would say it.
    pub fn describe(&self) -> String {
        match self {
            Type::Bool => "bool".into(),
            Type::I64 => "int".into(),
            Type::F64 => "float".into(),
            Type::Str => "str".into(),
            Type::None => "None".into(),
            Type::Array(dtype, shape) => {
                format!("{} array of shape ({}{})", dtype.numpy_name(), shape, if shape.len() == 1 { "," } else { "" })
            }
            Type::Fn(_) | Type::AnyFn => "function".into(),
            Type::Tuple(items) => match &**items {
                [] => "an empty tuple".into(),
                items => format!("tuple of ({})", described(items, ", ")),
            },
            Type::List(items) if items.is_empty() => "an empty list".into(),
            Type::List(items) => format!("list of ({})", described(items, ", ")),
            Type::Record(schema, _) | Type::Instance(schema) => schema.name().into(),
            Type::OneOf(items) => described(items, " or "),
            other => other.to_string(),
        }
    }
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Type::Unknown => f.write_str("?"),
            Type::Bool => f.write_str("bool"),
            Type::I64 => f.write_str("i64"),
            Type::F64 => f.write_str("f64"),
            Type::Str => f.write_str("str"),
            Type::None => f.write_str("none"),
            Type::Zero => f.write_str("zero"),
            Type::Opaque => f.write_str("opaque"),
            Type::AnyFn => f.write_str("fn"),
            Type::Array(dtype, shape) => write!(f, "{}[{shape}]", dtype.name()),
            Type::Tuple(items) => {
                f.write_str("(")?;
                list(f, items)?;
                f.write_str(if items.len() == 1 { ",)" } else { ")" })
            }
            Type::Fn(sig) => {
                f.write_str("fn(")?;
                list(f, &sig.params)?;
                write!(f, ") -> {}", sig.result)
            }
            Type::Tape(record) => write!(f, "tape<{record}>"),
            Type::Vec(record) => write!(f, "vec<{record}>"),
            Type::List(_) | Type::Record(..) | Type::Instance(_) | Type::OneOf(_) => f.write_str(&self.describe()),
        }
    }
}

fn described(items: &[Type], separator: &str) -> String {
    items.iter().map(Type::describe).collect::<Vec<_>>().join(separator)
}

fn list(f: &mut fmt::Formatter<'_>, items: &[Type]) -> fmt::Result {
    for (i, item) in items.iter().enumerate() {
        if i > 0 {
            f.write_str(", ")?;
        }
        write!(f, "{item}")?;
    }
    Ok(())
}

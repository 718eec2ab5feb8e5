//! How values of each type lie in registers and in memory: tuples are flattened to their scalars, units to nothing.

use cranelift::prelude::{Type as Clif, types};
use gradus_ir::{DType, Type};

/// A pointer, a string's number, an integer.
pub const WORD: Clif = types::I64;

/// What the host is given back: 0, or the code of a trap.
pub const STATUS: Clif = types::I32;

/// The bytes of an array with axes.
pub fn array_bytes(ty: &Type) -> Option<usize> {
    match ty {
        Type::Array(dtype, shape) => Some(dtype.bytes() * shape.count()),
        _ => None,
    }
}

/// Appends the scalars of a type.
pub fn flatten(ty: &Type, out: &mut Vec<Clif>) {
    match ty {
        Type::F64 => out.push(types::F64),
        Type::Bool => out.push(types::I8),
        // The address of its elements.
        Type::Array(..) => out.push(WORD),
        Type::I64 | Type::Str | Type::Opaque | Type::AnyFn | Type::Fn(_) => out.push(WORD),
        // The address of its handle.
        Type::Vec(_) => out.push(WORD),
        // The buffer, and how many records of it belong to this tape.
        Type::Tape(_) => out.extend([WORD, WORD]),
        Type::Tuple(items) => items.iter().for_each(|item| flatten(item, out)),
        Type::None | Type::Zero | Type::Unknown => {}
        Type::List(_) | Type::Record(..) | Type::Instance(_) | Type::OneOf(_) => unreachable!("not in a typed module"),
    }
}

/// The scalars of some types.
pub fn flat<'a>(types: impl IntoIterator<Item = &'a Type>) -> Vec<Clif> {
    let mut out = Vec::new();
    types.into_iter().for_each(|ty| flatten(ty, &mut out));
    out
}

/// The number of scalars of a type.
pub fn width(ty: &Type) -> usize {
    match ty {
        Type::Tuple(items) => items.iter().map(width).sum(),
        Type::None | Type::Zero | Type::Unknown => 0,
        Type::Tape(_) => 2,
        _ => 1,
    }
}

/// A field of a box or of a record: one word, but for tapes.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Field {
    /// A float.
    Float,
    /// An array of so many floats of a type; null stands for one of zeros.
    Floats(DType, usize),
    /// A box.
    Box,
    /// A tape of such records: the buffer, and how many records of it belong to this tape.
    Tape(Vec<Field>),
    /// A vector of such records; null stands for one of zeros.
    Vec(Vec<Field>),
    /// An array of no floats.
    Array,
    /// A function object.
    Function,
    /// A number that is no cotangent, or a string.
    Other,
}

impl Field {
    /// The word that is zero, of a field that has one.
    pub fn zero(&self) -> u64 {
        if *self == Field::Float { (-0.0_f64).to_bits() } else { 0 }
    }

    /// How many words it takes.
    pub fn words(&self) -> usize {
        match self {
            Field::Tape(_) => 2,
            _ => 1,
        }
    }
}

/// The fields of a type.
pub fn fields(ty: &Type) -> Vec<Field> {
    match ty {
        Type::F64 => vec![Field::Float],
        Type::Array(dtype, shape) if dtype.is_float() => vec![Field::Floats(*dtype, shape.count())],
        Type::Opaque => vec![Field::Box],
        Type::Tape(record) => vec![Field::Tape(fields(record))],
        Type::Vec(record) => vec![Field::Vec(fields(record))],
        Type::Tuple(items) => items.iter().flat_map(fields).collect(),
        Type::None | Type::Zero | Type::Unknown => Vec::new(),
        Type::Array(..) => vec![Field::Array],
        Type::AnyFn | Type::Fn(_) => vec![Field::Function],
        Type::I64 | Type::Bool | Type::Str => vec![Field::Other],
        Type::List(_) | Type::Record(..) | Type::Instance(_) | Type::OneOf(_) => unreachable!("not in a typed module"),
    }
}

/// The number of results that a function hands back in registers. The others are left in the context, where the caller takes
/// them before anything else can be.
pub const RESULT_REGISTERS: usize = 8;

/// The results of a function that are handed back in registers.
pub fn register_results(result: &Type) -> Vec<Clif> {
    let mut scalars = flat([result]);
    scalars.truncate(RESULT_REGISTERS);
    scalars
}

/// The number of results that a function leaves in the context.
pub fn area_words(result: &Type) -> usize {
    width(result).saturating_sub(RESULT_REGISTERS)
}

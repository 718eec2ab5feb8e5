//! How values of each type lie in registers and in memory: tuples are flattened to their scalars, units to nothing.

use cranelift::prelude::{Type as Clif, types};
use gradus_ir::Type;

/// A pointer, a string's number, an integer.
pub const WORD: Clif = types::I64;

/// Appends the scalars of a type.
pub fn flatten(ty: &Type, out: &mut Vec<Clif>) {
    match ty {
        Type::F64 => out.push(types::F64),
        Type::Bool => out.push(types::I8),
        Type::I64 | Type::Str | Type::Opaque | Type::AnyFn | Type::Fn(_) => out.push(WORD),
        // The buffer, and how many records of it belong to this tape.
        Type::Tape(_) => out.extend([WORD, WORD]),
        Type::Tuple(items) => items.iter().for_each(|item| flatten(item, out)),
        Type::None | Type::Zero | Type::Unknown => {}
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

/// For each scalar of a cotangent type, whether it is a box; none if the type holds what is no cotangent.
pub fn boxes(ty: &Type) -> Option<Vec<bool>> {
    fn collect(ty: &Type, out: &mut Vec<bool>) -> bool {
        match ty {
            Type::F64 => out.push(false),
            Type::Opaque => out.push(true),
            Type::Tuple(items) => return items.iter().all(|item| collect(item, out)),
            Type::None | Type::Zero => {}
            _ => return false,
        }
        true
    }
    let mut out = Vec::new();
    collect(ty, &mut out).then_some(out)
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

//! What compiled code prints, and the messages it fails with.

use super::code::read_array;
use super::heap::Context;
use super::helpers::{at, raise};
use crate::{output, strings};
use gradus_ir::{TrapKind, Type, Value};
use std::sync::Arc;

/// A template, and the types of the values in it.
#[derive(Debug)]
pub struct Saying {
    pub template: Arc<str>,
    pub types: Vec<Type>,
    /// Whether the run fails with it.
    pub fails: bool,
}

impl Saying {
    /// The values that words are, one for each type.
    fn values(&self, words: &[u64]) -> Vec<Value> {
        let value = |(ty, &word): (&Type, &u64)| match ty {
            Type::I64 => Value::I64(word.cast_signed()),
            Type::Bool => Value::Bool(word & 0xff != 0),
            Type::Str => Value::Str(strings::text(word)),
            &Type::Array(dtype, shape) => Value::Array(read_array(word, dtype, shape)),
            _ => Value::F64(f64::from_bits(word)),
        };
        self.types.iter().zip(words).map(value).collect()
    }
}

/// Prints or fails with as many words at `words` as there are types.
///
/// # Safety
/// `words` points to them.
pub unsafe extern "C" fn say(context: &Context, saying: &Saying, words: *const u64, place: u64) {
    // SAFETY: by the contract.
    let words = unsafe { std::slice::from_raw_parts(words, saying.types.len()) };
    if !saying.fails {
        return output::print(&saying.template, &saying.values(words));
    }
    output::fail(&saying.template, &saying.values(words));
    raise(context, at(place, TrapKind::Failed))
}

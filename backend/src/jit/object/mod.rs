//! Ahead of time: programs as an object file, with functions for C.
//!
//! An object needs nothing but the C library. The code is that of the JIT, lowered by the same modules; what differs:
//!
//! * Addresses are symbols, and code is independent of its position (`super::addresses`).
//! * The runtime is in the object, as far as programs need it: `runtime` writes it in Cranelift IR. Its memory is that of `malloc`.
//! * A call runs on the stack of the caller, which it may use up to [`RECURSION`] bytes. What fails returns to the entry, or
//!   jumps back to it, which gives the code of the failure and frees the memory (`entry`).
//! * Functions on floats are those of the C library, or formulas (`formulas`).
//! * Arrays are copied in and out; operations on them are loops (`arrays`).

mod arrays;
mod entry;
mod formulas;
mod runtime;
mod tables;

use super::flat::Flat;
use super::runtime::HELPER_STACK;
pub use super::runtime::is_loaded;
use super::target;
pub use super::target::Cpu;
use super::unit::Unit;
use super::{Emitter, jit_error};
use crate::boundary;
use crate::error::BackendError;
use cranelift_module::Module as _;
use gradus_ir::cfg::Cfg;
use gradus_ir::{DType, Dims, GraphId, Module, Nest, Span, Type};
use std::collections::BTreeMap;
use std::sync::Arc;

/// How much of the caller's stack calls within a call may take.
const RECURSION: usize = 1 << 20;

/// What an object file has in place of addresses, for one of its programs.
pub(crate) struct Symbols {
    /// What the names begin with that are this program's alone.
    pub name: String,
    /// Whether formulas of elementary functions are fused.
    pub fused: bool,
    /// The number of the first place of its traps. They begin at 1, so that no code of a failure is 0.
    pub first_place: usize,
    /// The messages of its `assert` and `raise`, by the number of the place.
    pub messages: BTreeMap<u64, Arc<str>>,
}

/// A function of an object file.
#[derive(Clone, Copy, Debug)]
pub struct Export<'a> {
    /// Its name for C.
    pub symbol: &'a str,
    /// A typed module, whose entry it runs.
    pub module: &'a Module,
}

/// Where what compiled code calls comes from.
pub(crate) enum Helper {
    /// The C library, where it has this name.
    Library(&'static str),
    /// The runtime, which all programs of the object share.
    Runtime,
    /// A formula that is compiled with the program.
    Formula,
}

/// A construct that an object cannot have.
pub(crate) fn unsupported(what: &str) -> BackendError {
    BackendError::Unsupported { what: what.into(), span: None }
}

impl Helper {
    /// That of a helper of the runtime or of the function of a float primitive.
    pub fn of(name: &str) -> Result<Helper, BackendError> {
        Ok(match name {
            "beyond.exp" => Helper::Library("exp"),
            "beyond.expm1" => Helper::Library("expm1"),
            "beyond.log" => Helper::Library("log"),
            "beyond.log1p" => Helper::Library("log1p"),
            "beyond.sin" => Helper::Library("sin"),
            "beyond.cos" => Helper::Library("cos"),
            "beyond.tanh" => Helper::Library("tanh"),
            "beyond.erf" => Helper::Library("erf"),
            "pow" => Helper::Library("pow"),
            "rem" => Helper::Library("fmod"),
            "cbrt" => Helper::Library("cbrt"),
            "hypot" => Helper::Library("hypot"),
            "exp2" => Helper::Library("exp2"),
            "log2" => Helper::Library("log2"),
            "log10" => Helper::Library("log10"),
            "tan" => Helper::Library("tan"),
            "asin" => Helper::Library("asin"),
            "acos" => Helper::Library("acos"),
            "atan" => Helper::Library("atan"),
            "atan2" => Helper::Library("atan2"),
            "sinh" => Helper::Library("sinh"),
            "cosh" => Helper::Library("cosh"),
            "asinh" => Helper::Library("asinh"),
            "acosh" => Helper::Library("acosh"),
            "atanh" => Helper::Library("atanh"),
            "erfc" => Helper::Library("erfc"),
            "gammaln" => Helper::Library("lgamma"),
            _ if runtime::NAMES.contains(&name) => Helper::Runtime,
            _ if formulas::has(name) => Helper::Formula,
            "gradus_gadd" | "gradus_gadd_tapes" => {
                return Err(unsupported(SUM));
            }
            other if other.starts_with("gradus_trace") => return Err(unsupported("a derivative that is traced")),
            other => return Err(unsupported(&format!("`{other}`"))),
        })
    }
}

/// A sum of boxes.
pub const SUM: &str = "a sum of cotangents whose contents only the run knows";

/// The scalars and arrays that the code of a program takes and gives.
#[derive(Debug)]
pub struct Words {
    /// Of each parameter.
    pub params: Vec<Vec<(DType, Dims)>>,
    /// Of the result.
    pub results: Vec<(DType, Dims)>,
}

/// What a function for C takes and gives whose entry is that of a typed module, in the order of its parameters.
pub fn words(m: &Module) -> Result<Words, BackendError> {
    fn of(ty: &Type, out: &mut Vec<(DType, Dims)>) {
        match ty {
            Type::Tuple(items) => items.iter().for_each(|item| of(item, out)),
            ty => out.extend(ty.as_array()),
        }
    }
    let words = |ty: &Type| {
        let mut words = Vec::new();
        of(ty, &mut words);
        words
    };
    let entry = entry(m)?;
    if Flat::of(&boundary::of(m, entry)?).is_none() {
        return Err(
            unsupported("an entry that takes or returns strings, lists or objects that refer to others").at(m[entry].span)
        );
    }
    Ok(Words { params: m[entry].params.iter().map(|&p| words(&m[p].ty)).collect(), results: words(&m[entry].result) })
}

fn entry(m: &Module) -> Result<GraphId, BackendError> {
    m.entry.ok_or_else(|| BackendError::Internal { message: "the module has an entry".into() })
}

/// Compiles programs to an object file. `message` is the name of a function that gives the message of a code, `line` that of one that
/// gives the line, which `line_of` gives for a place.
pub fn compile(
    exports: &[Export],
    cpu: Cpu,
    [message, line]: [&str; 2],
    line_of: &dyn Fn(Span) -> usize,
) -> Result<Vec<u8>, BackendError> {
    let mut programs = Vec::with_capacity(exports.len());
    for export in exports {
        let nest = Nest::new(export.module, &[entry(export.module)?]);
        let cfg = Cfg::new(export.module, &nest);
        programs.push((nest, cfg));
    }
    let mut object = target::in_object(message, cpu, &programs)?;
    let fused = target::fuses(object.isa());
    let mut places: Vec<(usize, Option<Arc<str>>)> = Vec::new();
    for (export, (nest, cfg)) in exports.iter().zip(&programs) {
        let m = export.module;
        words(m)?;
        let entry = entry(m)?;
        let first_place = places.len() + 1;
        let symbols = Symbols { name: export.symbol.into(), fused, first_place, messages: BTreeMap::new() };
        let mut emitter = Emitter::new(Unit::new(m, nest, cfg, &mut object, Some(symbols))?);
        let trampoline = emitter.program(entry)?;
        emitter.formulas()?;
        emitter.rare()?;
        let reserve = 2 * emitter.frame() + HELPER_STACK;
        emitter.export(export.symbol, entry, trampoline, reserve)?;
        let mut unit = emitter.unit;
        unit.tables()?;
        unit.object_tables()?;
        let symbols = unit.symbols.take().unwrap_or_else(|| unreachable!("they were given"));
        let place = |(i, span): (usize, &Span)| (line_of(*span), symbols.messages.get(&((first_place + i) as u64)).cloned());
        places.extend(unit.spans.iter().enumerate().map(place));
    }
    runtime::define(&mut object)?;
    tables::failures(&mut object, [message, line], &places)?;
    object.finish().emit().map_err(jit_error)
}

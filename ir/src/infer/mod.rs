//! Type inference: from an untyped module, an entry point and argument types to a typed, monomorphic module.
//!
//! The analysis is abstract interpretation of the whole program from the entry: `abs` are its values, `instances` what it
//! specialises, `engine` the fixed point, `calls` the call graph it finds as it goes, `prims`, `logic` and `sequences`
//! what primitives mean. Defaults, keywords, partial application and `grad` are rewritten to graphs (`wrappers`), so that all function
//! values are closures of graphs; a `jvp` is a call (`forward`), and so is what the toolbox of derivatives is made of (`applied`; `orders`
//! says which rules are needed). When everything is known, `sharing` refuses what would differ if arrays
//! were objects, `layout` decides how function values are represented, and `emit` builds the typed module:
//!
//! * a function has one graph per list of argument types, a block one per graph of its function;
//! * a function value that may be one of several is a value of one type, whichever it is; a callee that is known is called by name;
//! * integers are converted where they meet floats, primitives of the source language are resolved.

mod abs;
mod applied;
mod arrays;
mod calls;
mod classes;
mod emit;
mod engine;
mod forward;
mod indexing;
mod instances;
mod layout;
mod logic;
mod orders;
mod prims;
mod ranges;
mod scopes;
mod sequences;
mod sharing;
mod statics;
mod subscripts;
mod wrappers;

use crate::graph::{Const, GraphId, Module};
use crate::span::{Diagnostic, Span};
use crate::types::Type;
use abs::Abs;
use emit::Emitter;
use engine::Engine;
use statics::Statics;

/// The typed module of what `entry` reaches on arguments of these types, with `entry` set; or what is wrong with the program.
pub fn infer(source: &Module, entry: GraphId, args: &[Type]) -> Result<Module, Vec<Diagnostic>> {
    infer_for(source, entry, args, &[])
}

/// The same for arguments of these values, where they are given. Those that shapes depend on are taken for constants.
pub fn infer_for(source: &Module, entry: GraphId, args: &[Type], values: &[Option<Const>]) -> Result<Module, Vec<Diagnostic>> {
    let span = source[entry].span;
    let args: Vec<Abs> = args.iter().map(|ty| argument(ty, span)).collect::<Result<_, _>>().map_err(|d| vec![d])?;
    let mut statics = Statics::new(values);
    let graph = entry;
    loop {
        let mut engine = Engine::new(source.clone(), graph, statics);
        let given = args.iter().enumerate().map(|(i, a)| engine.statics.argument(i, a.clone())).collect();
        let entry = engine.enter(graph, given).map_err(|d| vec![d])?;
        if let Err(errors) = engine.solve(entry) {
            if engine.find_statics(entry) {
                statics = engine.statics;
                continue;
            }
            return Err(errors);
        }
        let result = &engine.instances[entry].result;
        if result.has_function() {
            let span = engine.instances[entry].result_span.or(span);
            let d = Diagnostic::refused(span, "the entry returns a function").hint("call it, and return what it gives");
            return Err(vec![d]);
        }
        let errors = sharing::check(&mut engine, entry);
        if !errors.is_empty() {
            return Err(errors);
        }
        return Emitter::emit(engine, entry).map_err(|d| vec![d]);
    }
}

fn argument(ty: &Type, span: Span) -> Result<Abs, Diagnostic> {
    match ty {
        Type::Bool => Ok(Abs::Bool(None)),
        Type::I64 => Ok(Abs::I64(None)),
        Type::F64 => Ok(Abs::F64),
        &Type::Array(dtype, shape) => Ok(Abs::Array(dtype, shape)),
        Type::Str => Ok(Abs::Str(None)),
        Type::None => Ok(Abs::None),
        Type::Zero => Ok(Abs::Zero),
        Type::Tuple(items) => Ok(Abs::Tuple(items.iter().map(|item| argument(item, span)).collect::<Result<_, _>>()?)),
        other => Err(Diagnostic::refused(span, format!("an argument of the entry cannot be a {}", other.describe()))),
    }
}

//! Type inference: from an untyped module, an entry point and argument types to a typed, monomorphic module.
//!
//! The analysis is abstract interpretation of the whole program from the entry: `abs` are its values, `instances` what it
//! specialises, `engine` the fixed point, `calls` the call graph it finds as it goes, `prims`, `logic` and `sequences`
//! what primitives mean, `facts` what conditions say of the kinds of values. Defaults, keywords, partial application and `grad` are rewritten to graphs (`wrappers`), so that all function
//! values are closures of graphs; a `jvp` is a call (`forward`), and so is what the toolbox of derivatives is made of (`applied`; `orders`
//! says which rules are needed). When everything is known, `effects` and `cells` find what functions do beside giving results, which `state` hands on, `meeting` finds where arrays of several types meet, `sharing` refuses what would differ if arrays
//! were objects, `layout` decides how function values are represented, and `emit` builds the typed module:
//!
//! * a function has one graph per list of argument types, a block one per graph of its function;
//! * a function value that may be one of several is a value of one type, whichever it is; a callee that is known is called by name;
//! * integers are converted where they meet floats, primitives of the source language are resolved.

mod abs;
mod applied;
mod arrays;
mod bound;
mod callable;
mod calls;
mod captures;
mod cells;
mod classes;
mod closures;
mod dispatch;
mod effects;
mod emit;
mod engine;
mod facts;
mod failing;
mod forward;
mod host;
mod indexing;
mod instances;
mod items;
mod layout;
mod lengths;
mod lists;
mod logic;
mod meeting;
mod mutable;
mod orders;
mod origins;
mod prims;
mod ranges;
mod records;
mod scopes;
mod sequences;
mod sharing;
mod signature;
mod state;
mod statics;
mod subscripts;
mod tables;
mod tangents;
mod texts;
mod vectors;
mod wrappers;
mod written;

pub use origins::MISSING;

use crate::entries::Entries;
use crate::graph::{Const, GraphId, Module};
use crate::span::{Diagnostic, Span};
use crate::stack;
use crate::types::Type;
use abs::{Abs, Boxed, Sequence};
use captures::Records;
use classes::Classes;
use emit::Emitter;
use engine::Engine;
use statics::Statics;
use std::rc::Rc;

/// The typed module of what `entry` reaches on arguments of these types, with `entry` set; or what is wrong with the program.
pub fn infer(source: &Module, entry: GraphId, args: &[Type]) -> Result<Module, Vec<Diagnostic>> {
    infer_for(source, entry, args, &[], &Entries::default())
}

/// Knowledge of the value of an argument.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Known {
    /// Nothing.
    Nothing,
    /// That it is this.
    Constant(Const),
    /// This of the items of a tuple or list, or of the fields of a record.
    Parts(Vec<Known>),
}

impl Known {
    /// Whether anything is.
    pub fn is_something(&self) -> bool {
        match self {
            Known::Nothing => false,
            Known::Constant(_) => true,
            Known::Parts(parts) => parts.iter().any(Known::is_something),
        }
    }
}

/// The same for arguments of these values, where they are given, and with the entries of sparse matrices that were found. Values that
/// shapes depend on are taken for constants.
pub fn infer_for(
    source: &Module,
    entry: GraphId,
    args: &[Type],
    values: &[Known],
    entries: &Entries,
) -> Result<Module, Vec<Diagnostic>> {
    stack::deep(|| {
        let mut is_rolled = false;
        let entries = Rc::new(entries.clone());
        match infer_rolled(source, entry, args, values, &entries, Some(&mut is_rolled)) {
            // What holds of tuples need not hold of lists whose length only the run knows.
            Err(_) if is_rolled => infer_rolled(source, entry, args, values, &entries, None),
            result => result,
        }
    })
}

/// The same, where loops are unrolled for long lists only if `rolled` is none. It is set if there are such loops.
fn infer_rolled(
    source: &Module,
    entry: GraphId,
    args: &[Type],
    values: &[Known],
    entries: &Rc<Entries>,
    mut rolled: Option<&mut bool>,
) -> Result<Module, Vec<Diagnostic>> {
    let span = source[entry].span;
    let mut statics = Statics::new(values);
    let graph = entry;
    // What was wrong before constants were looked for, and whether choices by the run would do instead.
    let mut before: Option<(Vec<Diagnostic>, bool)> = None;
    // Lists have lengths that are known. Where that fails, the program with what lists are made of.
    let mut lists: Option<Module> = None;
    // Loops are unrolled for indices and strings to be constants. Where that fails, the run chooses elements and compares strings.
    let mut choices = false;
    // Function values are code. Where a program looks at their cotangents, they are records of what they capture.
    let mut records = Records::default();
    // Arrays are values. Those that are written to are boxes.
    let mut written = Rc::default();
    loop {
        let mut module = lists.as_ref().unwrap_or(source).clone();
        closures::convert(&mut module, graph, &records);
        let mut engine = Engine::new(module, graph, statics);
        engine.records = records.clone();
        engine.written.known = Rc::clone(&written);
        (engine.classes.lists, engine.classes.choices) = (lists.is_some(), choices);
        engine.classes.entries = entries.clone();
        engine.rolls = rolled.is_some() && source.with_lists.is_some();
        let add_lists = source.with_lists.filter(|_| lists.is_none());
        let own = args.len() - source.tangents;
        let typed = args.iter().enumerate().map(|(i, ty)| argument(ty, u8::from(i >= own), span, &mut engine.classes));
        let args = typed.collect::<Result<Vec<Abs>, _>>();
        let args = match args {
            Ok(args) => args,
            Err(d) => match add_lists.filter(|_| engine.classes.lacks_lists) {
                Some(add) => {
                    (statics, lists) = (engine.statics, Some(add(source)));
                    continue;
                }
                None => return Err(vec![d]),
            },
        };
        let given = args.iter().enumerate().map(|(i, a)| engine.statics.argument(i, a.clone())).collect();
        let entry = engine.enter(graph, given).map_err(|d| vec![d])?;
        let solved = engine.solve(entry);
        if records.add(&engine.wanted_records) {
            (statics, before) = (Statics::new(values), None);
            continue;
        }
        if let Some(more) = engine.find_written() {
            (statics, before, written) = (engine.statics, None, more);
            continue;
        }
        if engine.forget_lengths(entry) {
            statics = engine.statics;
            continue;
        }
        if let Err(errors) = solved {
            if let (Some(rolled), Some(add), false) = (&mut rolled, source.with_lists, engine.long.is_empty()) {
                **rolled = true;
                (statics, before) = (engine.statics.afresh(engine.long), None);
                lists = lists.or_else(|| Some(add(source)));
                continue;
            }
            let lacks_lists = engine.classes.lacks_lists || engine.is_endless && before.is_some();
            let add_lists = add_lists.filter(|_| lacks_lists);
            let finds_statics = !engine.is_endless && (engine.find_lengths(entry) || engine.find_statics(entry));
            let would_choose = engine.is_endless && before.as_ref().is_some_and(|(_, lacked)| *lacked);
            if !choices && (engine.classes.lacks_choices || would_choose) && !finds_statics {
                let found = if engine.is_endless { engine.statics.afresh([]) } else { engine.statics };
                (statics, before, choices) = (found, Some((errors, false)), true);
                continue;
            }
            if engine.is_endless && add_lists.is_none() {
                // What needed the constants says more than that they are too many.
                let labels = errors.iter().map(|d| (d.span, d.message.clone()));
                return Err(match before {
                    Some((before, _)) => {
                        let label = |d: Diagnostic| labels.clone().fold(d, |d, (span, text)| d.label(span, text));
                        before.into_iter().map(label).collect()
                    }
                    None => errors,
                });
            }
            if finds_statics {
                let lacked = engine.classes.lacks_choices;
                (statics, before) = (engine.statics, Some((errors, lacked)));
                continue;
            }
            if let Some(add) = add_lists {
                // What needs a length that is known will say so again.
                (statics, before, lists) = (engine.statics.afresh([]), None, Some(add(source)));
                continue;
            }
            return Err(errors);
        }
        if engine.unrolls_orders(entry) {
            statics = engine.statics;
            continue;
        }
        if engine.tells_elements_apart(entry)? {
            statics = engine.statics;
            continue;
        }
        let result = &engine.instances[entry].result;
        if result.has_function() {
            let span = engine.instances[entry].result_span.or(span);
            let d = Diagnostic::refused(span, "the entry returns a function").hint("call it, and return what it gives");
            return Err(vec![d]);
        }
        if engine.holds_ref(result) {
            let span = engine.instances[entry].result_span.or(span);
            let d = Diagnostic::refused(span, "the entry returns a Box, or an instance that changes")
                .hint("return what is in it: `b.get()`, or its fields");
            return Err(vec![d]);
        }
        let errors = sharing::check(&mut engine, entry);
        if !errors.is_empty() {
            return Err(errors);
        }
        return Emitter::emit(engine, entry);
    }
}

/// What an argument of a type is, where instances in boxes are of this grade.
fn argument(ty: &Type, grade: u8, span: Span, classes: &mut Classes) -> Result<Abs, Diagnostic> {
    let mut all =
        |items: &[Type]| items.iter().map(|item| argument(item, grade, span, classes)).collect::<Result<Rc<[Abs]>, _>>();
    match ty {
        Type::Bool => Ok(Abs::Bool(None)),
        Type::I64 => Ok(Abs::I64(None)),
        Type::F64 => Ok(Abs::F64(None)),
        &Type::Array(dtype, shape) => Ok(Abs::Array(dtype, shape)),
        Type::Str => Ok(Abs::Str(None)),
        Type::None => Ok(Abs::None),
        Type::Zero => Ok(Abs::Zero),
        Type::Tuple(items) => Ok(Abs::Tuple(all(items)?, Sequence::Tuple)),
        Type::List(items) => Ok(Abs::Tuple(all(items)?, Sequence::List)),
        Type::Record(schema, items) => {
            let fields = all(items)?;
            if !classes.is_recursive(schema) {
                return Ok(Abs::Record(schema.clone(), fields));
            }
            let boxed = Boxed { schema: schema.clone(), grade };
            let misfit =
                |_| Diagnostic::refused(span, format!("all instances of {} have fields of the same types", schema.name()));
            classes.enclose(&boxed, &fields).map_err(misfit)?;
            Ok(Abs::Boxed(boxed))
        }
        Type::Instance(schema) => Ok(Abs::Boxed(Boxed { schema: schema.clone(), grade })),
        Type::OneOf(items) => {
            let kinds = all(items)?;
            let joined = kinds.iter().try_fold(Abs::Bottom, |joined, kind| joined.join(kind, classes));
            joined.map_err(|_| Diagnostic::refused(span, format!("an argument of the entry cannot be {}", ty.describe())))
        }
        other => Err(Diagnostic::refused(span, format!("an argument of the entry cannot be a {}", other.describe()))),
    }
}

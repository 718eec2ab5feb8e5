//! The JIT: machine code by Cranelift.
//!
//! * A function of the control-flow view becomes a machine function, its blocks basic blocks, jumps between them jumps (`lower`).
//! * Scalars live in registers; tuples are flattened, units vanish (`layout`).
//! * A known callee takes its captures bare, in front of its arguments. Only a function that is used as a value becomes an object,
//!   with code that unpacks it (`functions`, `objects`). Calls in tail position are tail calls, whoever the callee is (`calls`).
//! * A tape is a buffer and a number of records; pushes and pops of it are inline (`tapes`).
//! * Objects and boxes lie in an arena that is released when the run ends, and so are the buffers (`runtime`).
//! * What the host enters returns the code of a trap that it raises. Where others raise traps, or recurse, the run has a stack of its
//!   own, and a trap suspends it for good (`runtime::Needs`).

mod addresses;
mod arrays;
mod calls;
mod collect;
mod elementary;
mod flat;
mod frame;
mod functions;
mod fusion;
mod kernel;
mod layout;
mod linear;
mod listing;
mod lower;
mod memory;
pub mod object;
mod objects;
mod operations;
mod ownership;
mod parts;
mod pullback;
mod runtime;
mod scalar;
mod sole;
mod tapes;
mod target;
#[cfg(test)]
mod tests;
mod trace;
mod transfer;
mod unit;
mod vectors;

use crate::arrays::Storage;
use crate::boundary::{self, check_arguments};
use crate::error::{BackendError, RunError};
use crate::output;
use crate::usage::Usage;
use cranelift::codegen::Context;
use cranelift::codegen::ir::UserFuncName;
use cranelift::prelude::{
    AbiParam, FunctionBuilder, FunctionBuilderContext, InstBuilder, Signature, Type as Clif, Value as ClifValue,
};
use cranelift_module::{FuncId, Linkage, ModuleError};
use flat::Flat;
pub use flat::Slot;
use functions::object_fields;
use gradus_ir::cfg::Cfg;
use gradus_ir::{Boundary, Form, GraphId, Module, Nest, Prim, Span, Trap, TrapKind, Type, Value, stack};
use layout::{Field, STATUS, WORD, flat, width};
pub use listing::Listing;
use lower::Lower;
use ownership::Counted;
pub use pullback::Pullback;
use runtime::{Code, Finished, HELPER_STACK, Shape, Words};
use rustc_hash::FxHashMap;
use std::sync::Arc;
use transfer::Reader;
use unit::{Rare, Unit};

/// The compiler.
#[derive(Clone, Copy, Debug, Default)]
pub struct Jit {
    listing: bool,
    interruptible: bool,
}

/// What a compilation came to.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Stats {
    /// Machine functions, those that the compiler adds included.
    pub functions: usize,
    /// Bytes of machine code.
    pub code_bytes: usize,
    /// Places in the code that allocate a closure, a partial application or a box.
    pub allocation_sites: usize,
    /// Places in the code that call a function value.
    pub indirect_calls: usize,
}

/// A compiled program. Runs may be made from several threads at once.
#[derive(Debug)]
pub struct Compiled {
    code: Code,
    params: Vec<Type>,
    result: Type,
    boundary: Boundary,
    /// What crosses the boundary, if all of it is scalars and arrays.
    flat: Option<Flat>,
    /// The shapes of the boxes that enter, by the fields of their contents.
    shapes: FxHashMap<Vec<Field>, Arc<Shape>>,
    spans: Vec<Span>,
    stats: Stats,
    listing: Listing,
}

impl Jit {
    /// Compiles what the entry graph of a typed module reaches.
    pub fn compile(module: &Module) -> Result<Compiled, BackendError> {
        Jit::default().build(module)
    }

    /// A compiler that also keeps the code for people: [`Compiled::listing`].
    pub fn with_listing() -> Jit {
        Jit { listing: true, ..Jit::default() }
    }

    /// The same compiler, whose code [`crate::interrupt::ask`] ends at the head of a loop, or not.
    pub fn interruptible(self, interruptible: bool) -> Jit {
        Jit { interruptible, ..self }
    }

    /// [`Jit::compile`] with the options of this compiler.
    pub fn build(self, m: &Module) -> Result<Compiled, BackendError> {
        stack::deep(|| self.compiled(m))
    }

    fn compiled(self, m: &Module) -> Result<Compiled, BackendError> {
        let entry = m.entry.ok_or_else(|| BackendError::Internal { message: "the module has an entry".into() })?;
        let params: Vec<Type> = m[entry].params.iter().map(|&p| m[p].ty.clone()).collect();
        let result = m[entry].result.clone();
        let mut boundary = boundary::of(m, entry)?;
        // What a pullback gives stands beside the value.
        if let (Some(_), Some(Form::Tuple(pair))) = (pullback::signature(&result), &mut boundary.result) {
            pair.truncate(1);
        }
        let nest = Nest::new(m, &[entry]);
        let cfg = Cfg::new(m, &nest);
        let mut memory = target::in_memory(m, &nest, &cfg)?;
        let mut emitter = Emitter::new(Unit::new(m, &nest, &cfg, &mut memory, None)?);
        emitter.unit.interruptible = self.interruptible;
        emitter.listing = self.listing.then(Listing::default);
        let trampoline = emitter.program(entry)?;
        let pulled = pullback::signature(&result);
        let pullback = pulled.map(|sig| emitter.pullback(sig)).transpose()?;
        emitter.rare()?;
        let frame = emitter.frame();
        let Emitter { mut unit, mut listing, .. } = emitter;
        if let Some(listing) = &mut listing {
            listing.name_places(&unit.places());
        }
        let (stats, spans) = (unit.stats, unit.spans.clone());
        boundary::contents(&boundary).iter().for_each(|ty| drop(unit.shape(&layout::fields(ty))));
        let shapes = unit.known_shapes();
        unit.tables()?;
        if unit.collects {
            unit.describe_objects()?;
        }
        let needs = unit.needs(2 * frame + HELPER_STACK);
        let (mut descriptors, entries, pointees) = unit.pointees();
        memory.finalize_definitions().map_err(|e| match e {
            ModuleError::Allocation { .. } => BackendError::OutOfMemory,
            e => jit_error(e),
        })?;
        for (&number, &id) in &entries {
            descriptors[number].code = memory.get_finalized_function(id);
        }
        let results = |ty: &Type| {
            let slots = ownership::counted_slots(ty);
            (slots.len(), (0..slots.len()).filter(|&i| matches!(slots[i], Some(Counted::Array(..)))).collect())
        };
        let pullback = pullback.zip(pulled).map(|(id, sig)| (id, results(&sig.result)));
        let words = Words { args: params.iter().map(width).sum(), results: results(&result), pullback };
        let code = Code::new(memory, trampoline, descriptors, pointees, words, needs);
        let flat = Flat::of(&boundary);
        Ok(Compiled { code, params, result, boundary, flat, shapes, spans, stats, listing: listing.unwrap_or_default() })
    }
}

/// A way to run code.
type Run = fn(&Code, &[u64], &mut [u64], &mut runtime::Read) -> std::io::Result<Finished>;

impl Compiled {
    /// Runs the entry graph.
    pub fn run(&self, args: &[Value]) -> Result<Value, RunError> {
        self.run_by(Code::run, args, |_| ()).map(|(value, ())| value)
    }

    /// Runs the entry graph with memory that no run has had, and says what it took.
    pub fn run_with_usage(&self, args: &[Value]) -> Result<(Value, Usage), RunError> {
        self.run_by(Code::run_afresh, args, |context| context.map(runtime::Context::usage).unwrap_or_default())
    }

    /// Runs the entry graph in some way, and looks at the context at its end.
    fn run_by<T>(&self, run: Run, args: &[Value], look: fn(Option<&runtime::Context>) -> T) -> Result<(Value, T), RunError> {
        let words = self.import(args)?;
        let mut results = vec![runtime::UNWRITTEN; width(&self.result)];
        let mut value = None;
        let mut read = |results: &mut [u64], context: Option<&mut runtime::Context>| {
            let form = self.boundary.result.as_ref().expect("a boundary has a result");
            let reader = Reader { boundary: &self.boundary };
            value = Some((reader.form(form, &mut results.iter().copied(), Boundary::MAX_DEPTH), look(context.as_deref())));
        };
        self.finish(run(&self.code, &words.words, &mut results, &mut read))?;
        let (value, seen) = value.expect("a run that ends has a result");
        Ok((value?, seen))
    }

    /// Prepares runs on the same arguments again and again, whose results are dropped.
    pub fn prepare(&self, args: &[Value]) -> Result<impl FnMut() -> Result<(), RunError> + '_, RunError> {
        let words = self.import(args)?;
        let mut results = vec![runtime::UNWRITTEN; width(&self.result)];
        Ok(move || {
            // All of it is kept, the arrays that words are addresses of included.
            let words = &words;
            self.finish(self.code.run(&words.words, &mut results, &mut |_, _| ()))
        })
    }

    /// Arguments as words.
    fn import(&self, args: &[Value]) -> Result<Imported, RunError> {
        check_arguments(&self.boundary, &self.params, args)?;
        let mut words = Imported { words: Vec::new(), arrays: Vec::new(), boxes: Vec::new() };
        for (form, arg) in self.boundary.params.iter().zip(args) {
            self.import_form(form, arg, &mut words);
        }
        Ok(words)
    }

    /// What the end of a run says.
    #[inline]
    fn finish(&self, finished: std::io::Result<Finished>) -> Result<(), RunError> {
        match finished {
            Ok(Ok(())) => Ok(()),
            Ok(Err(code)) => Err(self.failure(code)),
            // There is no room for a stack.
            Err(_) => Err(Trap { kind: TrapKind::OutOfMemory, span: Span::NONE }.into()),
        }
    }

    /// What the code of a trap says.
    #[cold]
    fn failure(&self, code: u64) -> RunError {
        let span = self.spans[(code >> 8) as usize - 1];
        match TrapKind::from_code((code & 0xff) as u32) {
            Some(TrapKind::Failed) => RunError::Failed { message: output::message(), span },
            Some(kind) => Trap { kind, span }.into(),
            None => {
                RunError::Internal { message: "a box or a tape has another layout, or a function value no derivative".into() }
            }
        }
    }

    /// The types of the arguments and of the result.
    pub fn signature(&self) -> (&[Type], &Type) {
        (&self.params, &self.result)
    }

    /// Figures of the compilation.
    pub fn stats(&self) -> Stats {
        self.stats
    }

    /// The code for people; empty without [`Jit::with_listing`].
    pub fn listing(&self) -> &Listing {
        &self.listing
    }
}

/// What arguments are for compiled code.
struct Imported {
    words: Vec<u64>,
    /// The arrays that words are addresses of.
    arrays: Vec<Storage>,
    /// The boxes that words are addresses of.
    boxes: Vec<Box<[u64]>>,
}

/// The bytes that a value of a type takes in a closure, a box or a record.
pub fn bytes(ty: &Type) -> usize {
    8 * width(ty)
}

/// The bytes of the arrays that a value of a type refers to.
pub fn referred_bytes(ty: &Type) -> usize {
    ownership::counted_slots(ty).into_iter().map(|slot| if let Some(Counted::Array(_, bytes)) = slot { bytes } else { 0 }).sum()
}

fn jit_error(error: impl std::fmt::Display) -> BackendError {
    BackendError::Jit { message: error.to_string() }
}

fn no_such_operands(prim: Prim) -> BackendError {
    BackendError::Internal { message: format!("{} does not take these operands", prim.name()) }
}

/// Defines the functions of a unit, one after the other.
struct Emitter<'a> {
    unit: Unit<'a>,
    context: Context,
    builder: FunctionBuilderContext,
    /// What was defined, for people, if that is asked for.
    listing: Option<Listing>,
    /// Of all functions, in bytes: what lies below the frame pointer, and what arguments and results could take.
    largest_frame: usize,
    most_arguments: usize,
}

impl<'a> Emitter<'a> {
    fn new(unit: Unit<'a>) -> Emitter<'a> {
        let (context, builder) = (Context::new(), FunctionBuilderContext::new());
        Emitter { unit, context, builder, listing: None, largest_frame: 0, most_arguments: 0 }
    }

    /// Defines all functions but those for rare calls; gives the one that the host calls.
    fn program(&mut self, entry: GraphId) -> Result<FuncId, BackendError> {
        for function in self.unit.cfg.functions() {
            if self.unit.in_object_entry(function.root) || self.unit.in_trampoline(function.root) {
                continue;
            }
            let id = self.unit.entries[function.root];
            self.define(id, |lower, params| lower.function(function, params))?;
        }
        for (g, bound) in self.unit.values.kinds().to_vec() {
            let number = self.unit.values.descriptor(g, bound).expect("kinds have descriptors");
            self.define(self.unit.object_entries[&number], |lower, params| lower.object_entry(g, bound, params))?;
        }
        let mut signature = self.unit.module.make_signature();
        signature.params = vec![AbiParam::new(WORD); 3];
        signature.returns = vec![AbiParam::new(STATUS)];
        let name = if self.unit.in_trampoline(entry) { format!("entry.{}", self.unit.m[entry].name) } else { "entry".into() };
        let name = self.unit.own_name(&name);
        let id = self.unit.module.declare_function(&name, Linkage::Local, &signature).map_err(jit_error)?;
        self.define(id, |lower, params| lower.trampoline(entry, params))?;
        Ok(id)
    }

    /// Defines the functions for rare calls.
    fn rare(&mut self) -> Result<(), BackendError> {
        if let Some(id) = self.unit.room {
            self.define(id, |lower, params| lower.free_room(params))?;
        }
        for &Rare { id, helper, result } in &self.unit.rare() {
            self.define(id, |lower, params| {
                let params = [&[lower.context], params].concat();
                let (&address, args) = params.split_last().expect("a rare call has a place for its result");
                let value = lower.helper(helper, args, result)?;
                lower.store(&[value], address, 0);
                lower.b.ins().return_(&[]);
                Ok(())
            })?;
        }
        Ok(())
    }

    /// The most that a function takes of the stack: its frame, the return address and the frame pointer, and arguments.
    fn frame(&self) -> usize {
        self.largest_frame + 16 + self.most_arguments
    }

    fn define(
        &mut self,
        id: FuncId,
        emit: impl FnOnce(&mut Lower, &[ClifValue]) -> Result<(), BackendError>,
    ) -> Result<(), BackendError> {
        let declaration = self.unit.module.declarations().get_function_decl(id);
        self.context.func.signature = Signature::clone(&declaration.signature);
        self.context.func.name = UserFuncName::user(0, id.as_u32());
        let name = declaration.linkage_name(id).into_owned();
        let (mut lower, params) = Lower::new(&mut self.unit, FunctionBuilder::new(&mut self.context.func, &mut self.builder));
        emit(&mut lower, &params)?;
        lower.finish()?;
        if let Some(listing) = &mut self.listing {
            listing.function(&name, &self.context.func);
            self.context.set_disasm(true);
        }
        // One that is called in tail position may have more arguments on the stack.
        let signature = &self.context.func.signature;
        self.most_arguments = self.most_arguments.max(8 * (signature.params.len() + signature.returns.len()));
        self.unit.module.define_function(id, &mut self.context).map_err(|e| BackendError::Jit { message: format!("{e:?}") })?;
        if let Some(code) = self.context.compiled_code() {
            let frame = code.buffer.frame_layout().expect("code has a frame").frame_to_fp_offset as usize;
            self.largest_frame = self.largest_frame.max(frame);
            self.unit.stats.functions += 1;
            self.unit.stats.code_bytes += code.code_info().total_size as usize;
            if let Some(listing) = &mut self.listing {
                listing.code(&name, code);
            }
        }
        self.unit.module.clear_context(&mut self.context);
        Ok(())
    }
}

impl Lower<'_, '_> {
    /// The code of function objects: unpacks the object and goes to the graph, or is the graph's code if nobody else goes there.
    fn object_entry(&mut self, g: GraphId, bound: usize, params: &[ClifValue]) -> Result<(), BackendError> {
        let (m, nest) = (self.unit.m, self.unit.nest);
        let types = flat(object_fields(m, nest, g, bound).map(|n| &m[n].ty));
        let mut args = vec![self.context];
        let captured: Vec<Type> = object_fields(m, nest, g, bound).map(|n| m[n].ty.clone()).collect();
        let loaded = self.load(&types, params[0], 1);
        args.extend(self.held(&Type::tuple(captured), loaded, false, m[g].span)?);
        args.extend(&params[1..]);
        if self.unit.in_object_entry(g) {
            return self.function(self.unit.cfg.function_of(g), &args[1..]);
        }
        self.enter(g, &args);
        Ok(())
    }

    /// What the host calls: takes arguments from memory and puts results there. It is the code of the entry graph if nobody else
    /// goes there.
    fn trampoline(&mut self, entry: GraphId, params: &[ClifValue]) -> Result<(), BackendError> {
        let m = self.unit.m;
        let types: Vec<Clif> = flat(m[entry].params.iter().map(|&p| &m[p].ty));
        let mut args = vec![self.context];
        let given = self.load_constant(&types, params[0], 0);
        let ty = Type::tuple(m[entry].params.iter().map(|&p| m[p].ty.clone()));
        args.extend(match self.unit.symbols {
            Some(_) => self.copied_in(&ty, given, m[entry].span)?,
            None => {
                self.retain_scalars(&ty, &given, 1);
                given
            }
        });
        if self.unit.in_trampoline(entry) {
            self.results = Some(params[1]);
            return self.function(self.unit.cfg.function_of(entry), &args[1..]);
        }
        let function = self.function_ref(self.unit.entries[entry]);
        let call = self.b.ins().call(function, &args);
        let results = self.results(call, &m[entry].result);
        self.give_results(&results, params[1]);
        Ok(())
    }

    /// Leaves results where the host wants them, and returns to it.
    fn give_results(&mut self, results: &[ClifValue], address: ClifValue) {
        match self.unit.symbols {
            Some(_) => self.give_to_places(results, address),
            None => {
                self.store(results, address, 0);
                self.return_well();
            }
        }
    }

    /// Returns to the host from what it called, which has not failed.
    pub fn return_well(&mut self) {
        let done = self.b.ins().iconst(STATUS, 0);
        self.b.ins().return_(&[done]);
    }
}

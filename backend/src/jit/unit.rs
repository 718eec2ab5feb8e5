//! What the functions of a program share while they are compiled: declarations, descriptors, tables.

use super::collect::makes_objects;
use super::functions::{FunctionValues, object_fields, object_words};
use super::layout::{Field, WORD, area_words, fields, flat, flatten, register_results};
use super::linear::Linear;
use super::object::{self, Symbols};
use super::ownership::has_arrays;
use super::runtime::{Descriptor, HELPER_STACK, Needs, Pointees, SYMBOLS, Saying, Shape, apply};
use super::{Stats, jit_error};
use crate::arrays::Operation;
use crate::error::BackendError;
use cranelift::prelude::{AbiParam, Signature, Type as Clif, isa::CallConv};
use cranelift_module::{DataDescription, DataId, FuncId, Linkage, Module as CodeModule};
use gradus_ir::cfg::{Cfg, Target, Terminator};
use gradus_ir::elementary;
use gradus_ir::{GraphId, Kind, Module, Nest, Prim, Span, Type};
use rustc_hash::{FxHashMap, FxHashSet};
use slotmap::SecondaryMap;
use std::collections::BTreeMap;
use std::sync::Arc;

/// How much of the host's stack helpers and two frames may take where a run has no stack of its own. There are no more than three.
const LARGEST_GUEST: usize = HELPER_STACK + (32 << 10);

/// The name of [`gradus_ir::eval::sin_cos`].
pub const SIN_COS: &str = "sin_cos";

/// A program under compilation.
pub struct Unit<'a> {
    pub m: &'a Module,
    pub nest: &'a Nest,
    pub cfg: &'a Cfg,
    pub values: FunctionValues,
    /// What the code becomes a part of.
    pub module: &'a mut (dyn CodeModule + 'static),
    /// What an object file has in place of addresses; none where the code stays in this process.
    pub symbols: Option<Symbols>,
    /// The direct entry of each function: the context, captures, arguments.
    pub entries: SecondaryMap<GraphId, FuncId>,
    /// The entry of function objects, by the number of the descriptor: the context, the object, the arguments that are left.
    pub object_entries: FxHashMap<usize, FuncId>,
    /// Whether formulas of elementary functions are fused.
    pub fused: bool,
    pub descriptors: Vec<Descriptor>,
    /// Functions that call nobody: a call of one needs no check of the stack.
    pub leaves: FxHashSet<GraphId>,
    /// Constants that are read from memory.
    pub constant_table: DataId,
    constants: Vec<f64>,
    constant_numbers: FxHashMap<u64, usize>,
    /// Tapes with one owner.
    pub linear: Linear,
    pub spans: Vec<Span>,
    pub stats: Stats,
    /// Whether there are values with owners: arrays, or tapes that have one.
    pub has_owners: bool,
    /// Addresses of the code of operations.
    pub operation_table: DataId,
    operations: Vec<Arc<Operation>>,
    pub shapes: Vec<Arc<Shape>>,
    /// What is printed, which code refers to by its address.
    sayings: Vec<Arc<Saying>>,
    /// Whether loops look whether the run is to end.
    pub interruptible: bool,
    /// Whether there is code that makes objects.
    pub makes_objects: bool,
    /// Whether loops forget objects, so that the runtime must know how each lies.
    pub collects: bool,
    shape_numbers: FxHashMap<Vec<Field>, usize>,
    span_numbers: FxHashMap<Span, usize>,
    pub helpers: BTreeMap<&'static str, FuncId>,
    rare: BTreeMap<&'static str, Rare>,
    /// The function that finds a buffer for a tape, if that is code of this program.
    pub room: Option<FuncId>,
}

/// A function that calls a helper and leaves all registers as they were, for what is rarely done: code around its call need not
/// spill. The result is put where the last argument points to.
#[derive(Clone, Copy)]
pub struct Rare {
    pub id: FuncId,
    pub helper: &'static str,
    pub result: Clif,
}

impl<'a> Unit<'a> {
    /// Declares all functions of a program, for this process or with symbols.
    pub fn new(
        m: &'a Module,
        nest: &'a Nest,
        cfg: &'a Cfg,
        module: &'a mut (dyn CodeModule + 'static),
        symbols: Option<Symbols>,
    ) -> Result<Unit<'a>, BackendError> {
        let prefix = symbols.as_ref().map_or_else(String::new, |symbols| format!("{}.", symbols.name));
        let values = FunctionValues::new(m, nest);
        let mut entries = SecondaryMap::new();
        for (i, function) in cfg.functions().iter().enumerate() {
            let root = function.root;
            if in_object_entry(m, &values, root) || in_trampoline(m, cfg, &values, root) {
                continue;
            }
            let mut params = vec![WORD];
            object_fields(m, nest, root, m[root].params.len()).for_each(|n| flatten(&m[n].ty, &mut params));
            let signature = tail_signature(params, register_results(&m[root].result));
            let name = format!("{prefix}f{i}.{}", m[root].name);
            entries.insert(root, module.declare_function(&name, Linkage::Local, &signature).map_err(jit_error)?);
        }
        let mut object_entries = FxHashMap::default();
        for &(g, bound) in values.kinds() {
            let number = values.descriptor(g, bound).expect("kinds have descriptors");
            let left = flat(m[g].params[bound..].iter().map(|&p| &m[p].ty));
            let signature = tail_signature([WORD, WORD].into_iter().chain(left).collect(), register_results(&m[g].result));
            let name = format!("{prefix}o{number}.{}", m[g].name);
            object_entries.insert(number, module.declare_function(&name, Linkage::Local, &signature).map_err(jit_error)?);
        }
        let descriptors = descriptors(m, nest, &values);
        let [constant_table, operation_table] = ["constants", "operations"]
            .map(|name| module.declare_data(&format!("{prefix}{name}"), Linkage::Local, false, false).map_err(jit_error));
        let (constant_table, operation_table) = (constant_table?, operation_table?);
        let linear = Linear::new(m, nest, cfg);
        Ok(Unit {
            m,
            nest,
            cfg,
            leaves: leaves(m, nest, cfg),
            has_owners: has_arrays(m) || !linear.tapes.is_empty(),
            linear,
            values,
            fused: symbols.as_ref().map_or_else(elementary::fused, |symbols| symbols.fused),
            module,
            symbols,
            entries,
            object_entries,
            descriptors,
            constant_table,
            constants: Vec::new(),
            constant_numbers: FxHashMap::default(),
            spans: Vec::new(),
            stats: Stats::default(),
            operation_table,
            operations: Vec::new(),
            shapes: Vec::new(),
            sayings: Vec::new(),
            interruptible: false,
            makes_objects: !m.has_trace() && nest.graphs().iter().any(|&g| makes_objects(m, nest, cfg, g)),
            collects: false,
            shape_numbers: FxHashMap::default(),
            span_numbers: FxHashMap::default(),
            helpers: BTreeMap::new(),
            rare: BTreeMap::new(),
            room: None,
        })
    }

    /// The name of a function or table of this program alone.
    pub fn own_name(&self, name: &str) -> String {
        self.symbols.as_ref().map_or_else(|| name.into(), |symbols| format!("{}.{name}", symbols.name))
    }

    /// The number of a constant in the table that compiled code reads.
    pub fn constant(&mut self, v: f64) -> usize {
        *self.constant_numbers.entry(v.to_bits()).or_insert_with(|| {
            self.constants.push(v);
            self.constants.len() - 1
        })
    }

    /// The place of a trap, as it stands in a trap code above the kind. Places begin at 1, so that no trap code is 0.
    pub fn place(&mut self, span: Span) -> u64 {
        let number = *self.span_numbers.entry(span).or_insert_with(|| {
            self.spans.push(span);
            self.spans.len() - 1
        });
        let first = self.symbols.as_ref().map_or(1, |symbols| symbols.first_place);
        ((first + number) as u64) << 8
    }

    /// The address of something that is printed.
    pub fn saying(&mut self, saying: Saying) -> i64 {
        let saying = Arc::new(saying);
        let address = Arc::as_ptr(&saying).expose_provenance() as i64;
        self.sayings.push(saying);
        address
    }

    /// All shapes, by their fields.
    pub fn known_shapes(&self) -> FxHashMap<Vec<Field>, Arc<Shape>> {
        self.shape_numbers.iter().map(|(fields, &number)| (fields.clone(), self.shapes[number].clone())).collect()
    }

    /// The tables of an object file for a shape: the box that holds zeros, and the tape without records.
    pub fn shape_tables(&mut self, fields: &[Field]) -> Result<[DataId; 2], BackendError> {
        self.shape(fields);
        let number = self.shape_numbers[fields];
        Ok([self.table(&format!("box{number}"))?, self.table(&format!("tape{number}"))?])
    }

    /// A table of an object file that is this program's alone.
    pub fn table(&mut self, name: &str) -> Result<DataId, BackendError> {
        let name = self.own_name(name);
        self.module.declare_data(&name, Linkage::Local, false, false).map_err(jit_error)
    }

    /// The shape of boxes and records with such fields.
    pub fn shape(&mut self, fields: &[Field]) -> Arc<Shape> {
        if let Some(&number) = self.shape_numbers.get(fields) {
            return self.shapes[number].clone();
        }
        let shape = Shape::new(fields, |record| self.shape(record));
        self.shape_numbers.insert(fields.to_vec(), self.shapes.len());
        self.shapes.push(shape.clone());
        shape
    }

    /// The shape of what refers to objects where a loop forgets others.
    pub fn collected_shape(&mut self, fields: &[Field]) -> Arc<Shape> {
        self.collects = true;
        self.shape(fields)
    }

    /// The number of an operation on arrays in the table of their code, and its address.
    pub fn operation(&mut self, operation: Operation) -> (usize, usize) {
        let operation = Arc::new(operation);
        let address = Arc::as_ptr(&operation).expose_provenance();
        self.operations.push(operation);
        (self.operations.len() - 1, address)
    }

    /// The number of a descriptor.
    pub fn descriptor(&self, g: GraphId, bound: usize) -> Result<usize, BackendError> {
        let number = self.values.descriptor(g, bound);
        number.ok_or_else(|| BackendError::Internal { message: "every function value was foreseen".into() })
    }

    /// Whether the code of a graph is part of the entry of its function objects.
    pub fn in_object_entry(&self, g: GraphId) -> bool {
        in_object_entry(self.m, &self.values, g)
    }

    /// Whether the code of a graph is that of the trampoline, which cannot end in tail calls.
    pub fn in_trampoline(&self, g: GraphId) -> bool {
        in_trampoline(self.m, self.cfg, &self.values, g)
    }

    /// A helper, or the function of a float primitive, by its name and signature.
    pub fn helper(&mut self, name: &'static str, params: Vec<Clif>, results: &[Clif]) -> Result<FuncId, BackendError> {
        if let Some(&id) = self.helpers.get(name) {
            return Ok(id);
        }
        let mut signature = self.module.make_signature();
        signature.params = params.into_iter().map(AbiParam::new).collect();
        signature.returns = results.iter().copied().map(AbiParam::new).collect();
        let (symbol, linkage) = match self.symbols {
            Some(_) => match object::Helper::of(name)? {
                object::Helper::Library(symbol) => (symbol.into(), Linkage::Import),
                object::Helper::Runtime => (name.into(), Linkage::Local),
                object::Helper::Formula => (self.own_name(name), Linkage::Local),
            },
            None => (name.to_owned(), Linkage::Import),
        };
        let id = self.module.declare_function(&symbol, linkage, &signature).map_err(jit_error)?;
        self.helpers.insert(name, id);
        Ok(id)
    }

    /// The function for rare calls of a helper with such operands.
    pub fn rare_call(&mut self, helper: &'static str, params: Vec<Clif>, result: Clif) -> Result<FuncId, BackendError> {
        if let Some(rare) = self.rare.get(helper) {
            return Ok(rare.id);
        }
        let id = self.preserving(&format!("rare.{helper}"), params)?;
        self.rare.insert(helper, Rare { id, helper, result });
        Ok(id)
    }

    /// Declares a function that leaves all registers as they were: it takes these, and where its result goes.
    pub fn preserving(&mut self, name: &str, params: Vec<Clif>) -> Result<FuncId, BackendError> {
        let mut signature = Signature::new(CallConv::PreserveAll);
        signature.params = params.into_iter().chain([WORD]).map(AbiParam::new).collect();
        let name = self.own_name(name);
        self.module.declare_function(&name, Linkage::Local, &signature).map_err(jit_error)
    }

    /// The functions for rare calls, by name.
    pub fn rare(&self) -> Vec<Rare> {
        self.rare.values().copied().collect()
    }

    /// Defines the tables that code reads.
    pub fn tables(&mut self) -> Result<(), BackendError> {
        let code = |operation: &Arc<Operation>| operation.entry().unwrap_or(apply as *const u8).expose_provenance() as u64;
        let operations = self.operations.iter().map(code).collect::<Vec<u64>>();
        let constants = self.constants.iter().map(|v| v.to_bits()).collect();
        for (table, words) in [(self.constant_table, constants), (self.operation_table, operations)] {
            if !words.is_empty() || self.symbols.is_some() {
                self.module.define_data(table, &of_words(&words)).map_err(jit_error)?;
            }
        }
        Ok(())
    }

    /// What code refers to by its address: where it lies, how many bytes it has, and a name for it.
    pub fn places(&self) -> Vec<(u64, u64, String)> {
        let place = |address: usize, bytes: usize, name: String| (address as u64, bytes.max(1) as u64, name);
        let descriptors = self
            .descriptors
            .iter()
            .enumerate()
            .map(|(i, d)| place((&raw const *d).addr(), size_of::<Descriptor>(), format!("descriptor{i}")));
        let shapes = self.shapes.iter().enumerate().flat_map(|(i, shape)| {
            let zero = place(shape.zero.as_ptr().addr(), size_of_val(&*shape.zero), format!("zero{i}"));
            [place(Arc::as_ptr(shape).addr(), size_of::<Shape>(), format!("shape{i}")), zero]
        });
        let sayings = self
            .sayings
            .iter()
            .enumerate()
            .map(|(i, saying)| place(Arc::as_ptr(saying).addr(), size_of::<Saying>(), format!("saying{i}")));
        let operations = self
            .operations
            .iter()
            .enumerate()
            .map(|(i, operation)| place(Arc::as_ptr(operation).addr(), size_of::<Operation>(), format!("operation{i}")));
        let hosts = self.m.nodes().filter_map(|(_, node)| match node.kind {
            Kind::Prim(Prim::Host(host)) => Some(host.function()),
            _ => None,
        });
        let hosts = hosts.map(|function| place((&raw const *function).addr(), 1, format!("host.{}", function.name)));
        descriptors.chain(shapes).chain(sayings).chain(operations).chain(hosts).collect()
    }

    /// What a run must provide; `reserve` bytes of the stack are enough for what runs between two checks.
    pub fn needs(&self, reserve: usize) -> Needs {
        let area = self.cfg.functions().iter().map(|f| area_words(&self.m[f.root].result)).max().unwrap_or(0);
        // Whatever may trap, takes memory or checks the stack has a place for its trap.
        let nothing = !self.has_owners && !self.collects && self.spans.is_empty() && area == 0 && reserve <= LARGEST_GUEST;
        // Where no helper raises a trap, all of them are raised by what the host calls. That includes those of checks of the stack:
        // so no call that needs a check comes after another. Operations on arrays may wait for other threads, and begin another run
        // meanwhile.
        let raises = SYMBOLS.iter().any(|symbol| symbol.raises && self.helpers.contains_key(symbol.name));
        let own_stack = raises || !self.operations.is_empty() || reserve > LARGEST_GUEST;
        Needs { results: area, stack: reserve, nothing, own_stack }
    }

    /// Says of all descriptors how the words of their objects lie.
    pub fn describe_objects(&mut self) -> Result<(), BackendError> {
        for (g, bound) in self.values.kinds().to_vec() {
            let captured = object_fields(self.m, self.nest, g, bound).map(|n| self.m[n].ty.clone());
            let fields = fields(&Type::tuple(captured));
            let number = self.descriptor(g, bound)?;
            self.descriptors[number].shape = Arc::as_ptr(&self.shape(&fields));
        }
        Ok(())
    }

    /// What code in memory refers to by its addresses.
    pub fn pointees(self) -> (Vec<Descriptor>, FxHashMap<usize, FuncId>, Pointees) {
        (self.descriptors, self.object_entries, (self.shapes, self.operations, self.sayings))
    }
}

fn in_object_entry(m: &Module, values: &FunctionValues, g: GraphId) -> bool {
    m.entry != Some(g) && values.is_one_kind(g)
}

fn in_trampoline(m: &Module, cfg: &Cfg, values: &FunctionValues, g: GraphId) -> bool {
    let ends_here = |&block: &GraphId| match cfg.terminator(block) {
        Terminator::TailCall { .. } => false,
        Terminator::Branch { arms, .. } => arms.iter().all(|arm| matches!(arm, Target::Block(_))),
        Terminator::Return(_) | Terminator::Jump { .. } => true,
    };
    m.entry == Some(g) && values.is_unused(g) && cfg.function_of(g).blocks.iter().all(ends_here)
}

/// Data that consists of these words.
pub fn of_words(words: &[u64]) -> DataDescription {
    let mut data = DataDescription::new();
    data.define(words.iter().flat_map(|word| word.to_ne_bytes()).collect());
    data.set_align(8);
    data
}

/// The signature of code that is entered by calls and tail calls.
pub fn tail_signature(params: Vec<Clif>, results: Vec<Clif>) -> Signature {
    let mut signature = Signature::new(CallConv::Tail);
    signature.params = params.into_iter().map(AbiParam::new).collect();
    signature.returns = results.into_iter().map(AbiParam::new).collect();
    signature
}

/// The descriptors, all but for the addresses of code.
fn descriptors(m: &Module, nest: &Nest, values: &FunctionValues) -> Vec<Descriptor> {
    let null = || Descriptor {
        itself: std::ptr::null(),
        code: std::ptr::null(),
        words: 0,
        derivatives: [std::ptr::null(); _],
        shape: std::ptr::null(),
    };
    let mut list: Vec<Descriptor> = (0..values.descriptor_count()).map(|_| null()).collect();
    // A vector may move while pointers into it are held.
    let base = list.as_mut_ptr().cast_const();
    for &(g, bound) in values.kinds() {
        let number = values.descriptor(g, bound).expect("kinds have descriptors");
        list[number].itself = base.wrapping_add(number);
        list[number].words = object_words(m, nest, g, bound);
        list[number].derivatives = Prim::OPERATORS.map(|p| {
            let derivative = m.derivatives.get(&(g, p)).and_then(|&d| values.descriptor(d, bound));
            derivative.map_or(std::ptr::null(), |i| base.wrapping_add(i))
        });
    }
    list
}

/// The functions without calls, tail calls of other functions included.
fn leaves(m: &Module, nest: &Nest, cfg: &Cfg) -> FxHashSet<GraphId> {
    let is_leaf = |&g: &GraphId| {
        let jump = match cfg.terminator(g) {
            Terminator::Jump { call, .. } => Some(call),
            Terminator::Branch { call, .. } if cfg.terminator(g).successors().count() == 2 => Some(call),
            _ => None,
        };
        nest.schedule(g).iter().all(|&n| m[n].kind != Kind::Call || Some(n) == jump)
    };
    cfg.functions().iter().filter(|f| f.blocks.iter().all(is_leaf)).map(|f| f.root).collect()
}

//! From the blocks of a function to Cranelift IR.
//!
//! A block of the control-flow view becomes a basic block whose parameters are those of the graph, flattened; jumps between blocks
//! are jumps, and values of dominating blocks are used as they are.

use super::collect::Heads;
use super::frame::Frame;
use super::fusion::{self, Step};
use super::layout::{STATUS, WORD, flat, width};
use super::ownership::{Counted, Uses, counted_slots, is_counted};
use super::parts::Parts;
use super::sole::Sole;
use super::unit::Unit;
use crate::callees::callee_selects;
use crate::error::BackendError;
use crate::interrupt;
use crate::order;
use crate::strings;
use cranelift::codegen::ir::{BlockArg, FuncRef, GlobalValue, Inst, MemFlagsData, StackSlot};
use cranelift::prelude::{
    Block, FunctionBuilder, InstBuilder, IntCC, StackSlotData, StackSlotKind, TrapCode, Type as Clif, Value, types,
};
use cranelift_module::FuncId;
use gradus_ir::cfg::{Function, Target, Terminator};
use gradus_ir::{Const, GraphId, Kind, NodeId, Prim, Sig, Span, TrapKind, Type};
use rustc_hash::{FxHashMap, FxHashSet};
use slotmap::SecondaryMap;
use std::ops::Range;

/// Compiled code accesses nothing but what it or the runtime allocated, at aligned addresses.
pub const TRUSTED: MemFlagsData = MemFlagsData::trusted();

/// The lowering of one function.
pub struct Lower<'l, 'u> {
    pub unit: &'l mut Unit<'u>,
    pub b: FunctionBuilder<'l>,
    /// The context of the run.
    pub context: Value,
    /// The scalars of each node, as a range of `scalars`.
    nodes: FxHashMap<NodeId, Range<usize>>,
    scalars: Vec<Value>,
    blocks: SecondaryMap<GraphId, Block>,
    /// The selects of the current block that only choose a callee.
    pub(super) callees: FxHashSet<NodeId>,
    /// The closures made in the current block.
    pub(super) closures: FxHashMap<GraphId, Value>,
    functions: FxHashMap<FuncId, FuncRef>,
    /// The blocks that raise a trap, by its code.
    traps: FxHashMap<u64, Block>,
    /// How many elementary functions are inline.
    pub(super) inlined: usize,
    /// Where results go, if not to a caller.
    pub(super) results: Option<Value>,
    /// The table of constants.
    constants: Option<GlobalValue>,
    /// The table of the code of operations.
    operations: Option<GlobalValue>,
    /// Where rare calls leave their results.
    rare_result: Option<StackSlot>,
    /// Arrays that nobody else holds.
    pub(super) sole: Sole,
    /// The uses of arrays in the current block.
    pub(super) uses: Uses,
    /// The nodes whose references the present step has handed on.
    pub(super) moved: Vec<NodeId>,
    /// The loops that forget objects.
    pub(super) heads: Heads,
    /// The arrays of the current block that are parts of others.
    pub(super) parts: Parts,
    /// The places of arrays of the current block in the frame of the function, and where they begin.
    pub(super) frame: Frame,
    pub(super) frame_start: Option<Value>,
    /// Room for these places, and for the addresses that an operation takes.
    pub(super) frame_slot: Option<StackSlot>,
    pub(super) addresses: Option<StackSlot>,
}

impl<'l, 'u> Lower<'l, 'u> {
    /// Starts a function whose first parameter is the context. Its other parameters come back.
    pub fn new(unit: &'l mut Unit<'u>, mut b: FunctionBuilder<'l>) -> (Lower<'l, 'u>, Vec<Value>) {
        let entry = b.create_block();
        b.append_block_params_for_function_params(entry);
        b.switch_to_block(entry);
        let params = b.block_params(entry).to_vec();
        let lower = Lower {
            unit,
            b,
            context: params[0],
            nodes: FxHashMap::default(),
            scalars: Vec::new(),
            blocks: SecondaryMap::new(),
            callees: FxHashSet::default(),
            closures: FxHashMap::default(),
            functions: FxHashMap::default(),
            traps: FxHashMap::default(),
            inlined: 0,
            results: None,
            constants: None,
            operations: None,
            rare_result: None,
            sole: Sole::default(),
            uses: Uses::default(),
            moved: Vec::new(),
            heads: Heads::default(),
            frame: Frame::default(),
            parts: Parts::default(),
            frame_start: None,
            frame_slot: None,
            addresses: None,
        };
        (lower, params[1..].to_vec())
    }

    /// Lowers a function of the program.
    pub fn function(&mut self, function: &Function, params: &[Value]) -> Result<(), BackendError> {
        let (m, nest, cfg) = (self.unit.m, self.unit.nest, self.unit.cfg);
        let root = function.root;
        let mut params = params.iter().copied();
        for n in nest.free(root) {
            self.bind(n, &mut params);
        }
        let is_loop = function.blocks.iter().any(|&g| cfg.terminator(g).successors().any(|next| next == root));
        for &g in &function.blocks {
            if g != root || is_loop {
                let block = self.b.create_block();
                for ty in flat(m[g].params.iter().map(|&p| &m[p].ty)) {
                    self.b.append_block_param(block, ty);
                }
                self.blocks.insert(g, block);
            }
        }
        self.find_heads(function);
        if self.unit.has_owners {
            self.sole = Sole::of(self.unit, function);
        }
        if is_loop {
            self.enter_loop(None, root);
            let args: Vec<BlockArg> = params.clone().map(BlockArg::from).collect();
            self.b.ins().jump(self.blocks[root], &args);
        }
        for &g in &function.blocks {
            let mut block_params = match self.blocks.get(g) {
                Some(&block) => {
                    self.b.switch_to_block(block);
                    let params = self.b.block_params(block).to_vec();
                    self.look_for_interrupt(function, g);
                    self.forget_objects(g, params)?.into_iter()
                }
                None => params.clone().collect::<Vec<_>>().into_iter(),
            };
            for &p in &m[g].params {
                self.bind(p, &mut block_params);
            }
            self.block(g)?;
        }
        Ok(())
    }

    /// Ends the function.
    pub fn finish(mut self) -> Result<(), BackendError> {
        let mut traps: Vec<(u64, Block)> = self.traps.drain().collect();
        traps.sort_unstable_by_key(|&(code, _)| code);
        for (code, block) in traps {
            self.b.switch_to_block(block);
            let code = self.word(code as i64);
            self.raise(code)?;
        }
        self.b.seal_all_blocks();
        let config = self.unit.module.target_config();
        self.b.finalize(config);
        Ok(())
    }

    fn block(&mut self, g: GraphId) -> Result<(), BackendError> {
        let (m, nest, cfg) = (self.unit.m, self.unit.nest, self.unit.cfg);
        self.closures.clear();
        let schedule = order::schedule(m, nest, g);
        self.callees = callee_selects(m, g, &schedule);
        let terminator = cfg.terminator(g);
        let last = match terminator {
            Terminator::Return(_) => None,
            Terminator::Jump { call, .. } | Terminator::Branch { call, .. } | Terminator::TailCall { call } => Some(call),
        };
        let nodes: Vec<NodeId> = schedule.into_iter().filter(|n| Some(*n) != last && !self.callees.contains(n)).collect();
        let steps = self.plan(g, &nodes, &terminator);
        self.begin_frame();
        self.begin_ownership(g, &steps, &terminator)?;
        for step in &steps {
            let place = |e: BackendError| e.at(m[step.defines()[0]].span);
            self.step(step).map_err(place)?;
            self.end_step(step)?;
        }
        self.terminator(g, terminator)
    }

    fn terminator(&mut self, from: GraphId, terminator: Terminator) -> Result<(), BackendError> {
        let m = self.unit.m;
        let taken = terminator.args(m);
        let args = self.operands(taken)?;
        match terminator {
            Terminator::Return(value) => {
                let results = self.operands(&[value])?;
                self.hand_over(&[value], &[])?;
                self.return_values(&results);
            }
            Terminator::Jump { target, .. } => {
                let captured = self.captured_by(Target::Block(target));
                self.hand_over(taken, &captured)?;
                let args = self.made_sole(target, taken, args)?;
                self.enter_loop(Some(from), target);
                let args: Vec<BlockArg> = args.into_iter().map(BlockArg::from).collect();
                self.b.ins().jump(self.blocks[target], &args);
            }
            Terminator::Branch { cond, arms, .. } => {
                let cond = self.operand(cond)?;
                let block_args: Vec<BlockArg> = args.iter().copied().map(BlockArg::from).collect();
                // References are counted on the way to an arm.
                let direct = self.uses_are_none();
                let blocks = arms.map(|arm| match arm {
                    Target::Block(g) if direct && !self.heads.enters(Some(from), g) => (self.blocks[g], &block_args[..]),
                    _ => (self.b.create_block(), &[][..]),
                });
                let [then, otherwise] = blocks;
                if self.leaves_loop(from, arms) {
                    let fails = self.b.ins().icmp_imm_s(IntCC::Equal, cond, 0);
                    self.b.ins().brif(fails, otherwise.0, otherwise.1, then.0, then.1);
                } else {
                    self.b.ins().brif(cond, then.0, then.1, otherwise.0, otherwise.1);
                }
                for (arm, (block, _)) in arms.into_iter().zip(blocks) {
                    if matches!(arm, Target::Block(g) if self.blocks[g] == block) {
                        continue;
                    }
                    self.b.switch_to_block(block);
                    let captured = self.captured_by(arm);
                    self.hand_over(taken, &captured)?;
                    match arm {
                        Target::Block(g) => {
                            self.enter_loop(Some(from), g);
                            self.b.ins().jump(self.blocks[g], &block_args);
                        }
                        Target::Function(g) => self.tail_call_graph(g, &args)?,
                    }
                }
            }
            Terminator::TailCall { call } => self.tail_call(m[call].inputs()[0], taken, &args)?,
        }
        Ok(())
    }

    /// At the head of a loop, ends the run if somebody asks for that.
    fn look_for_interrupt(&mut self, function: &Function, g: GraphId) {
        if !self.unit.interruptible || function.loops.iter().all(|l| l.header != g) {
            return;
        }
        let flag = self.word(interrupt::IS_ASKED.as_ptr().expose_provenance() as i64);
        // An atomic load is not one that others make superfluous.
        let is_asked = self.b.ins().atomic_load(types::I8, TRUSTED, flag);
        self.trap_if(is_asked, TrapKind::Interrupted, self.unit.m[g].span);
    }

    /// Whether the second arm of a branch leaves a loop that the first one stays in. Cranelift moves nothing out of a loop any more once
    /// it has come to a block outside, and it comes to the first target of a branch last. So that is the way out; traps are, too.
    fn leaves_loop(&self, from: GraphId, arms: [Target; 2]) -> bool {
        let loops = &self.unit.cfg.function_of(from).loops;
        let stays = |body: &[GraphId], arm: Target| matches!(arm, Target::Block(g) if body.contains(&g));
        let around = std::iter::successors(self.unit.cfg.innermost_loop(from), |&i| loops[i].parent);
        around.into_iter().any(|i| stays(&loops[i].body, arms[0]) && !stays(&loops[i].body, arms[1]))
    }

    /// The steps of a block.
    fn plan(&mut self, g: GraphId, nodes: &[NodeId], terminator: &Terminator) -> Vec<Step> {
        let m = self.unit.m;
        self.frame = Frame::default();
        self.parts = Parts::default();
        if !self.unit.has_owners {
            return nodes.iter().map(|&n| Step::Node(n)).collect();
        }
        let end = self.needed_after(terminator);
        let is_needed = |n: NodeId| end.contains(&n) || m[n].users().iter().any(|u| m[u.node].graph != Some(g));
        let steps = fusion::plan(m, nodes, &|n| self.all_operands(n), &is_needed);
        self.parts = self.parts_in_place(&steps, &is_needed);
        self.frame = self.place_arrays(&steps, &is_needed);
        steps
    }

    fn step(&mut self, step: &Step) -> Result<(), BackendError> {
        match step {
            Step::Node(n) => self.node(*n),
            Step::Kernel(kernel) => self.kernel(kernel),
            Step::Product(n, reads) => self.product(*n, reads),
            Step::Alias(n, base) => {
                let array = self.operands(&[*base])?;
                self.define(*n, array);
                if self.has_references(*n) { self.retain(*n, 1) } else { Ok(()) }
            }
        }
    }

    fn node(&mut self, n: NodeId) -> Result<(), BackendError> {
        let m = self.unit.m;
        let (inputs, span) = (m[n].inputs(), m[n].span);
        let value = match m[n].kind {
            Kind::Call => {
                let args = self.operands(&inputs[1..])?;
                self.hand_out(&inputs[1..])?;
                self.call(inputs[0], &args, &m[n].ty, span)?
            }
            Kind::Prim(prim) if self.is_array_node(prim, n) => self.array(prim, n, span)?,
            Kind::Prim(Prim::Get(i)) => {
                let fields = m[inputs[0]].ty.fields().ok_or_else(|| super::no_such_operands(Prim::Get(i)))?;
                let before: usize = fields[..i as usize].iter().map(width).sum();
                let field = before..before + width(&fields[i as usize]);
                // The scalars of a field are some of those of the tuple.
                if let Some(tuple) = self.nodes.get(&inputs[0]) {
                    self.nodes.insert(n, tuple.start + field.start..tuple.start + field.end);
                    return self.retain(n, 1);
                }
                self.operands(inputs)?[field].to_vec()
            }
            // The other of a sine and a cosine of one number gave it.
            Kind::Prim(Prim::Sin | Prim::Cos) if self.nodes.contains_key(&n) => return Ok(()),
            Kind::Prim(prim @ (Prim::Sin | Prim::Cos)) if let Some(other) = self.twin(n, prim) => {
                let [sin, cos] = if prim == Prim::Sin { [n, other] } else { [other, n] };
                let operand = self.operand(inputs[0])?;
                let [sine, cosine] = self.sin_cos(operand)?;
                self.define(sin, vec![sine]);
                self.define(cos, vec![cosine]);
                return Ok(());
            }
            Kind::Prim(prim) => self.prim(prim, n, inputs, span)?,
            _ => return Err(BackendError::Internal { message: "schedules hold applications only".into() }),
        };
        self.define(n, value);
        Ok(())
    }

    /// For a sine the cosine of the same number in the same block, and the other way round.
    fn twin(&self, n: NodeId, prim: Prim) -> Option<NodeId> {
        let m = self.unit.m;
        let other = if prim == Prim::Sin { Prim::Cos } else { Prim::Sin };
        let is_twin = |&u: &NodeId| m.as_prim(u) == Some(other) && m[u].graph == m[n].graph;
        m[m[n].inputs()[0]].users().iter().map(|u| u.node).find(is_twin)
    }

    fn prim(&mut self, prim: Prim, n: NodeId, inputs: &[NodeId], span: Span) -> Result<Vec<Value>, BackendError> {
        let m = self.unit.m;
        Ok(match prim {
            Prim::Tuple => {
                let scalars = self.operands(inputs)?;
                self.hand_out(inputs)?;
                scalars
            }
            Prim::Select => {
                let operands = self.operands(inputs)?;
                let (then, otherwise) = operands[1..].split_at((operands.len() - 1) / 2);
                let chosen: Vec<Value> =
                    then.iter().zip(otherwise).map(|(&a, &b)| self.b.ins().select(operands[0], a, b)).collect();
                self.retain_scalars(&m[n].ty, &chosen, 1);
                chosen
            }
            Prim::Partial => vec![self.partial(inputs, span)?],
            _ if prim.is_operator() => vec![self.derivative(prim, inputs[0], span)?],
            Prim::Pack => vec![self.pack(inputs[0], span)?],
            Prim::Unpack => {
                let fields = self.unpack(inputs[0], &m[n].ty, span)?;
                self.held(&m[n].ty, fields, false, span)?
            }
            Prim::Print | Prim::Fail => vec![self.say(prim, inputs, span)?],
            Prim::Host(host) => self.host(host, inputs, span)?,
            Prim::Trace(op) => self.trace(op, n, span)?,
            _ if let Some(kind) = prim.guards() => {
                let operands = self.operands(inputs)?;
                self.trap_unless(operands[1], kind, span);
                self.hand_out(&inputs[..1])?;
                vec![operands[0]]
            }
            Prim::Gadd if m[n].ty == Type::Opaque => {
                let operands = self.operands(inputs)?;
                let place = self.place(span);
                self.unit.stats.allocation_sites += 1;
                vec![self.helper("gradus_gadd", &[self.context, operands[0], operands[1], place], WORD)?]
            }
            Prim::Gadd if m[n].ty.element().is_some() => self.add_vectors(inputs, span)?,
            Prim::Gadd => self.add_tapes(inputs, span)?,
            Prim::Element => self.record_at(inputs)?,
            Prim::Replace => self.replaced(inputs, span)?,
            Prim::Push => self.push(n, inputs, span)?,
            Prim::Pop => {
                let popped = self.pop(inputs)?;
                self.held(&m[n].ty, popped, self.unit.linear.pops.contains(&n), span)?
            }
            _ if prim.sig() == Sig::Source => {
                return Err(BackendError::Internal { message: format!("inference resolves {}", prim.name()) });
            }
            _ => {
                let operands = self.operands(inputs)?;
                let ty = inputs.first().map_or(Type::Unknown, |&input| m[input].ty.clone());
                vec![self.scalar(prim, &ty, &operands, span)?]
            }
        })
    }

    // --- values

    fn bind(&mut self, n: NodeId, values: &mut impl Iterator<Item = Value>) {
        let width = width(&self.unit.m[n].ty);
        let value = values.by_ref().take(width).collect();
        self.define(n, value);
    }

    /// Says what the scalars of a node are.
    pub(super) fn define(&mut self, n: NodeId, value: Vec<Value>) {
        let start = self.scalars.len();
        self.scalars.extend(value);
        self.nodes.insert(n, start..self.scalars.len());
    }

    /// The scalars of some nodes.
    pub fn operands(&mut self, nodes: &[NodeId]) -> Result<Vec<Value>, BackendError> {
        let mut out = Vec::with_capacity(nodes.len());
        for &n in nodes {
            self.push_operand(n, &mut out)?;
        }
        Ok(out)
    }

    /// The scalars of what a graph captures.
    pub fn captures(&mut self, g: GraphId) -> Result<Vec<Value>, BackendError> {
        self.operands(&self.unit.nest.free(g).collect::<Vec<NodeId>>())
    }

    /// The scalar of a node whose type has one.
    pub fn operand(&mut self, n: NodeId) -> Result<Value, BackendError> {
        let scalars = self.operands(&[n])?;
        scalars.first().copied().ok_or_else(|| BackendError::Internal { message: "this operand has a value".into() })
    }

    fn push_operand(&mut self, n: NodeId, out: &mut Vec<Value>) -> Result<(), BackendError> {
        let m = self.unit.m;
        let Some(constant) = m[n].as_const() else {
            let range = self
                .nodes
                .get(&n)
                .ok_or_else(|| BackendError::Internal { message: format!("node {n:?} is computed before it is used") })?;
            out.extend_from_slice(&self.scalars[range.clone()]);
            return Ok(());
        };
        let value = match constant {
            Const::F64(bits) => self.b.ins().f64const(f64::from_bits(*bits)),
            Const::I64(v) => self.word(*v),
            Const::Bool(v) => self.b.ins().iconst(types::I8, i64::from(*v)),
            Const::Str(s) => {
                let number = strings::number(s);
                self.word(number as i64)
            }
            Const::Zero | Const::Undefined if is_counted(&m[n].ty) => {
                // Arrays of zeros, which nobody else has, and vectors of zeros.
                let zero = self.zero_scalars(&m[n].ty)?;
                for (slot, zero) in counted_slots(&m[n].ty).into_iter().zip(zero) {
                    out.push(match slot {
                        Some(Counted::Array(dtype, bytes)) => self.zeros(dtype, bytes, m[n].span)?,
                        Some(Counted::Vec) => self.zero_vector(),
                        None => zero,
                    });
                }
                return Ok(());
            }
            Const::Zero | Const::Undefined => {
                // What holds no data has no scalars.
                let zero = self.zero_scalars(&m[n].ty)?;
                out.extend(zero);
                return Ok(());
            }
            Const::None => return Ok(()),
            &Const::Graph(g) => self.closure(g)?,
        };
        out.push(value);
        Ok(())
    }

    /// An integer or address.
    pub fn word(&mut self, v: i64) -> Value {
        self.b.ins().iconst(WORD, v)
    }

    /// A scalar as it is stored in a word.
    pub fn widen(&mut self, v: Value) -> Value {
        if self.b.func.dfg.value_type(v) == types::I8 { self.b.ins().uextend(WORD, v) } else { v }
    }

    /// Stores scalars in the words from `offset` on.
    pub fn store(&mut self, scalars: &[Value], address: Value, offset: usize) {
        for (i, &v) in scalars.iter().enumerate() {
            let v = self.widen(v);
            self.b.ins().store(TRUSTED, v, address, word_offset(offset + i));
        }
    }

    /// Loads scalars of some types from the words from `offset` on.
    pub fn load(&mut self, scalars: &[Clif], address: Value, offset: usize) -> Vec<Value> {
        self.load_as(TRUSTED, scalars, address, offset)
    }

    /// The same from words that nobody changes: each is loaded where it is used first.
    pub fn load_constant(&mut self, scalars: &[Clif], address: Value, offset: usize) -> Vec<Value> {
        self.load_as(TRUSTED.with_readonly().with_can_move(), scalars, address, offset)
    }

    fn load_as(&mut self, flags: MemFlagsData, scalars: &[Clif], address: Value, offset: usize) -> Vec<Value> {
        let load = |(i, &ty): (usize, &Clif)| match ty {
            types::I8 => {
                let word = self.b.ins().load(WORD, flags, address, word_offset(offset + i));
                self.b.ins().ireduce(ty, word)
            }
            _ => self.b.ins().load(ty, flags, address, word_offset(offset + i)),
        };
        scalars.iter().enumerate().map(load).collect()
    }

    // --- calls of the runtime

    /// Calls a helper, by its name, for a result.
    pub fn helper(&mut self, name: &'static str, args: &[Value], result: Clif) -> Result<Value, BackendError> {
        let call = self.call_helper(name, args, &[result])?;
        Ok(self.b.inst_results(call)[0])
    }

    /// Calls a helper, by its name, for what it does.
    pub fn helper_effect(&mut self, name: &'static str, args: &[Value]) -> Result<(), BackendError> {
        self.call_helper(name, args, &[]).map(|_| ())
    }

    /// Calls a helper, by its name, for some results.
    pub fn helper_results<const N: usize>(
        &mut self,
        name: &'static str,
        args: &[Value],
        results: [Clif; N],
    ) -> Result<[Value; N], BackendError> {
        let call = self.call_helper(name, args, &results)?;
        let results = self.b.inst_results(call);
        Ok(std::array::from_fn(|i| results[i]))
    }

    /// Calls a helper for a result, by way of [`super::unit::Rare`].
    pub fn rare(&mut self, name: &'static str, args: &[Value], result: Clif) -> Result<Value, BackendError> {
        let types = args.iter().map(|&a| self.b.func.dfg.value_type(a)).collect();
        let id = self.unit.rare_call(name, types, result)?;
        Ok(self.call_preserving(id, args, result))
    }

    /// Calls a function that leaves registers as they are, for a result.
    pub fn call_preserving(&mut self, id: FuncId, args: &[Value], result: Clif) -> Value {
        let slot = self.rare_result.unwrap_or_else(|| self.stack_slot(1));
        self.rare_result = Some(slot);
        let address = self.b.ins().stack_addr(WORD, slot, 0);
        let function = self.function_ref(id);
        self.b.ins().call(function, &[args, &[address]].concat());
        self.b.ins().stack_load(WORD, result, slot, 0)
    }

    /// Calls a helper that takes memory, by way of [`super::unit::Rare`]; raises a trap if there is none.
    pub fn rare_memory(&mut self, name: &'static str, args: &[Value], span: Span) -> Result<Value, BackendError> {
        let memory = self.rare(name, args, WORD)?;
        Ok(self.given_memory(memory, span))
    }

    /// Memory that a helper gave; raises a trap if it is none.
    pub fn given_memory(&mut self, memory: Value, span: Span) -> Value {
        let code = self.unit.place(span) | TrapKind::OutOfMemory as u64;
        let (next, trap) = (self.b.create_block(), self.trap_block(code));
        self.b.set_cold_block(next);
        let is_none = self.b.ins().icmp_imm_s(IntCC::Equal, memory, 0);
        self.b.ins().brif(is_none, trap, &[], next, &[]);
        self.b.switch_to_block(next);
        memory
    }

    /// Room for some words on the stack. Its size is a multiple of that of a spilled register, which lie above it: they would cross
    /// the lines of the cache otherwise.
    pub fn stack_slot(&mut self, words: usize) -> StackSlot {
        let bytes = u32::try_from(words.next_multiple_of(2) * 8).expect("frames are smaller than 4 GiB");
        self.b.create_sized_stack_slot(StackSlotData::new(StackSlotKind::ExplicitSlot, bytes, 4))
    }

    fn call_helper(&mut self, name: &'static str, args: &[Value], results: &[Clif]) -> Result<Inst, BackendError> {
        let types = args.iter().map(|&a| self.b.func.dfg.value_type(a)).collect();
        let id = self.unit.helper(name, types, results)?;
        let function = self.function_ref(id);
        Ok(self.b.ins().call(function, args))
    }

    /// Where [`Unit::constant`]s lie.
    pub fn constant_table(&mut self) -> Value {
        let Lower { constants, unit, b, .. } = self;
        let table = *constants.get_or_insert_with(|| unit.module.declare_data_in_func(unit.constant_table, b.func));
        b.ins().symbol_value(WORD, table)
    }

    /// Where the code of [`Unit::operation`]s is found.
    pub fn operation_table(&mut self) -> Value {
        let Lower { operations, unit, b, .. } = self;
        let table = *operations.get_or_insert_with(|| unit.module.declare_data_in_func(unit.operation_table, b.func));
        b.ins().symbol_value(WORD, table)
    }

    /// A function of the module, as the present one refers to it.
    pub fn function_ref(&mut self, id: FuncId) -> FuncRef {
        let Lower { functions, unit, b, .. } = self;
        *functions.entry(id).or_insert_with(|| unit.module.declare_func_in_func(id, b.func))
    }

    /// The place of a trap, for helpers that raise one.
    pub fn place(&mut self, span: Span) -> Value {
        let place = self.unit.place(span);
        self.word(place as i64)
    }

    /// Raises a trap if the condition holds.
    pub fn trap_if(&mut self, condition: Value, kind: TrapKind, span: Span) {
        let code = self.unit.place(span) | kind as u64;
        let next = self.b.create_block();
        let trap = self.trap_block(code);
        self.b.ins().brif(condition, trap, &[], next, &[]);
        self.b.switch_to_block(next);
    }

    /// Raises a trap unless the condition holds.
    pub fn trap_unless(&mut self, condition: Value, kind: TrapKind, span: Span) {
        let code = self.unit.place(span) | kind as u64;
        self.raise_unless(condition, code);
    }

    /// Stops the run with an internal fault unless the condition holds.
    pub fn fault_unless(&mut self, condition: Value, span: Span) {
        let code = self.unit.place(span);
        self.raise_unless(condition, code);
    }

    /// Leaves the run with a trap code: what the host called returns it.
    pub fn raise(&mut self, code: Value) -> Result<(), BackendError> {
        if self.results.is_some() {
            let status = self.b.ins().ireduce(STATUS, code);
            self.b.ins().return_(&[status]);
            return Ok(());
        }
        self.helper_effect("gradus_raise", &[self.context, code])?;
        self.b.ins().trap(TrapCode::unwrap_user(1));
        Ok(())
    }

    fn raise_unless(&mut self, condition: Value, code: u64) {
        let next = self.b.create_block();
        let trap = self.trap_block(code);
        let fails = self.b.ins().icmp_imm_s(IntCC::Equal, condition, 0);
        self.b.ins().brif(fails, trap, &[], next, &[]);
        self.b.switch_to_block(next);
    }

    pub fn trap_block(&mut self, code: u64) -> Block {
        *self.traps.entry(code).or_insert_with(|| {
            let block = self.b.create_block();
            self.b.set_cold_block(block);
            block
        })
    }
}

/// The offset of a word.
pub fn word_offset(index: usize) -> i32 {
    i32::try_from(index * 8).expect("objects are smaller than 2 GiB")
}

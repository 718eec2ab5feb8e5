//! Machine code for kernels: the expressions of a kernel as one straight-line body over vectors of AVX-512, whose values stay in
//! registers, in loops over the iteration space.
//!
//! From the expressions to instructions on values (`body`, `primitives`, `stages`), from values to registers (`allocate`), and from there to
//! code with its loops (`space`, `emit`, `steps`, `calls`), which is encoded (`opcodes`, `encode`) and placed (`memory`). Formulas of elementary
//! functions are inline; for elements where they do not hold, and for functions without a formula, code calls `helpers`.
//!
//! What there is no code for is left to block functions, which give the same bits: reductions of booleans or of rows that are
//! no single axis, division of integers, and processors without AVX-512.

mod allocate;
mod body;
mod calls;
mod emit;
mod encode;
mod helpers;
mod memory;
mod opcodes;
mod primitives;
mod single;
mod space;
mod stages;
mod steps;

use super::build::{self, Builder, Expr, Output, ValueId};
use super::reduce::{Reduction, Shape};
use allocate::allocate;
use body::{Body, Memory, Value};
use emit::{Nest, Part, Pointer, RowFold, VECTOR, by_instruction, emit};
use gradus_ir::{DType, Prim};
use memory::Function;
use space::{Space, kept_strides};
use stages::TOGETHER;

/// The code of a kernel.
#[derive(Debug)]
pub struct Native(Function);

/// The most reductions of rows: each takes four registers.
const MOST_ROW_FOLDS: usize = 4;

/// The most instructions of a body.
const MOST_STEPS: usize = 1500;

/// The longest row with values that are put together of parts: its code has no loop.
const MOST_JOINED: usize = 128;

/// How often vectors are taken together in a row if that is worth it.
const MANY: usize = 4;

/// The most instructions of a body that is cut into stages: there is code for as many vectors as are taken together.
const MOST_STAGED: usize = 500;

/// The most instructions of a body that is taken for two vectors at once.
const MOST_PAIRED: usize = 300;

impl Native {
    /// Where the code begins, if the system gives memory for it.
    pub fn address(&self) -> Option<*const u8> {
        self.0.address()
    }

    /// Runs the kernel on all points; whether it could.
    ///
    /// # Safety
    /// As for [`super::Kernel::run`], on a processor with AVX-512. Outputs to which several points are joined hold identities.
    pub unsafe fn run(&self, inputs: *const u64, outputs: *const *mut u8) -> bool {
        let Some(address) = self.address() else { return false };
        // SAFETY: it is the first instruction of such a function; for the rest stands the caller.
        unsafe {
            let function: unsafe extern "sysv64" fn(*const u64, *const *mut u8) = std::mem::transmute(address);
            function(inputs, outputs);
        }
        true
    }
}

/// Values of expressions as values of a body.
struct Lowering<'a> {
    builder: &'a Builder,
    partners: &'a [Option<usize>],
    body: Body,
    values: Vec<Option<Value>>,
}

impl Lowering<'_> {
    /// An expression that is computed.
    fn apply(&mut self, v: usize) -> Option<()> {
        let (expr, dtype) = &self.builder.exprs[v];
        let operand = |values: &[Option<Value>], v: &ValueId| values[v.index()];
        self.values[v] = Some(match expr {
            Expr::Copy(value) => operand(&self.values, value)?,
            Expr::Apply { prim: prim @ (Prim::Sin | Prim::Cos), operands } if let Some(partner) = self.partners[v] => {
                if self.values[v].is_some() {
                    return Some(());
                }
                let x = operand(&self.values, &operands[0])?;
                let [sine, cosine] = primitives::sin_cos(&mut self.body, x);
                let (own, other) = if *prim == Prim::Sin { (sine, cosine) } else { (cosine, sine) };
                self.values[partner] = Some(other);
                own
            }
            Expr::Apply { prim: Prim::Narrow, operands } => match self.single(operands[0].index()) {
                Some(narrow) => self.body.widened(narrow),
                None => {
                    let wide = operand(&self.values, &operands[0])?;
                    self.body.rounded(wide)
                }
            },
            Expr::Apply { .. }
                if *dtype == DType::Bool
                    && let Some(mask) = self.single(v) =>
            {
                mask
            }
            Expr::Apply { prim, operands } => {
                let types = self.builder.lanes(operands);
                let args: Option<Vec<Value>> = operands.iter().map(|v| operand(&self.values, v)).collect();
                let value = primitives::primitive(&mut self.body, *prim, &types, &args?)?;
                if *dtype == DType::F32
                    && let Some(narrow) = self.single(v)
                {
                    self.body.same(value, narrow);
                }
                value
            }
            _ => return Some(()),
        });
        Some(())
    }

    /// A primitive on floats of 32 bits, by an instruction on them, if `v` is one and there is one.
    fn single(&mut self, v: usize) -> Option<Value> {
        let Expr::Apply { prim, operands } = &self.builder.exprs[v].0 else { return None };
        let is_single = |v: &ValueId| self.builder.dtype(*v) == DType::F32;
        let floats = if *prim == Prim::Select { &operands[1..] } else { &operands[..] };
        if !floats.iter().all(is_single) {
            return None;
        }
        let mut args = Vec::with_capacity(operands.len());
        for v in operands {
            let value = self.values[v.index()]?;
            args.push(if is_single(v) { self.body.narrow(value) } else { value });
        }
        single::primitive(&mut self.body, *prim, &args)
    }

    /// A truth value that all elements of a vector have: the byte at the beginning of a word.
    fn truth(&mut self, home: Memory) -> Value {
        let (word, byte) = (self.body.at(home), self.body.at(Memory::Constant(0xff)));
        self.body.compare(opcodes::TEST, 0, word, byte, None)
    }

    /// A scalar, a constant, or an element that is the same at all points.
    fn uniform_input(&mut self, v: usize, home: Memory) {
        self.values[v] = Some(match self.builder.exprs[v].1 {
            DType::Bool => self.truth(home),
            DType::F32 => self.body.spread_narrow(home),
            _ => self.body.at(home),
        });
    }
}

/// The pointers of a kernel.
#[derive(Default)]
struct Pointers(Vec<Pointer>);

impl Pointers {
    fn add(&mut self, input: bool, number: u32, offset: isize, steps: Vec<isize>, bytes: isize) -> Option<u32> {
        let offset = i32::try_from(offset * bytes).ok()?;
        let steps = steps.into_iter().map(|step| (step * bytes) as i64).collect();
        self.0.push(Pointer { input, number, offset, steps });
        Some(self.0.len() as u32 - 1)
    }

    /// The parts of a value along an axis of so many points.
    fn parts(&mut self, parts: &[(usize, build::Part)], points: usize) -> Option<Vec<Part>> {
        let ends = parts.iter().skip(1).map(|&(start, _)| start).chain([points]);
        let part = |(&(start, part), end): (&(usize, build::Part), usize)| {
            let memory = match part {
                build::Part::Array { input, offset } => {
                    let pointer = self.add(true, input, offset - start as isize, Vec::new(), size_of::<u64>() as isize)?;
                    Memory::Elements(pointer, 0)
                }
                build::Part::Scalar { input } => Memory::Input(input),
                build::Part::Literal(word) => Memory::Constant(word),
            };
            Some(Part { points: start..end, memory })
        };
        parts.iter().zip(ends).map(part).collect()
    }

    /// A pointer to the one element that all points have.
    fn uniform(&mut self, expr: &Expr, dtype: DType) -> Option<u32> {
        let Expr::Array { input, view, .. } = expr else { return None };
        self.add(true, *input, view.offset, Vec::new(), dtype.bytes() as isize)
    }
}

impl Builder {
    /// The code of the kernel, if there is some.
    pub(super) fn native(&self) -> Option<Native> {
        let end = self.exprs.len();
        let uniform = self.uniform();
        let live = self.live();
        let partners = self.partners(&live);

        // Arrays, then outputs, whose strides decide which axes there are.
        let arrays: Vec<usize> =
            (0..end).filter(|&v| live[v] && !uniform[v] && matches!(self.exprs[v].0, Expr::Array { .. })).collect();
        let of_array = |&v: &usize| match &self.exprs[v].0 {
            Expr::Array { strides, .. } => strides.clone(),
            _ => unreachable!("an array"),
        };
        let of_output = |output: &Output| match output {
            Output::Store(_) => kept_strides(&self.extents, |_| true),
            Output::Reduce { kept, .. } => kept_strides(&self.extents, |axis| kept[axis]),
        };
        let strides: Vec<Vec<isize>> = arrays.iter().map(of_array).chain(self.outputs.iter().map(of_output)).collect();
        let Space { outer, inner, strides } = Space::new(&self.extents, &strides);

        let mut pointers = Pointers::default();
        let lowering = || Lowering { builder: self, partners: &partners, body: Body::default(), values: vec![None; end] };
        let [mut prologue, mut main] = [lowering(), lowering()];
        let mut joined = Vec::new();
        let mut slots = 0;
        let mut strides = strides.into_iter();
        let mut next = arrays.iter().zip(strides.by_ref().take(arrays.len()));
        for v in (0..end).filter(|&v| live[v]) {
            let (expr, dtype) = &self.exprs[v];
            match expr {
                Expr::Array { input, view, .. } if !uniform[v] => {
                    let (_, (outer, stride)) = next.next().expect("strides of each array");
                    let bytes = dtype.bytes() as isize;
                    let pointer = pointers.add(true, *input, view.offset, outer, bytes)?;
                    main.values[v] = Some(match (stride, *dtype) {
                        (1, DType::Bool) => main.body.load_mask(pointer),
                        (0, DType::Bool) => main.truth(Memory::Element(pointer)),
                        (_, DType::Bool) => return None,
                        (1, DType::F32) => main.body.load_narrow(pointer),
                        (0, DType::F32) => main.body.spread_narrow(Memory::Element(pointer)),
                        (1, _) => main.body.at(Memory::Elements(pointer, 0)),
                        (0, _) => main.body.at(Memory::Element(pointer)),
                        (stride, dtype) => {
                            let stride = i32::try_from(stride).ok().filter(|s| s.abs() < 1 << 20)?;
                            if dtype == DType::F32 {
                                let elements = main.body.gather(opcodes::GATHER_NARROW, pointer, stride);
                                main.body.widened(elements)
                            } else {
                                main.body.gather(opcodes::GATHER, pointer, stride)
                            }
                        }
                    });
                }
                Expr::Joined(parts) => {
                    main.values[v] = Some(main.body.joined(joined.len() as u32));
                    joined.push(pointers.parts(parts, inner).filter(|_| *dtype != DType::Bool && inner <= MOST_JOINED)?);
                }
                Expr::Array { .. } | Expr::Scalar { .. } | Expr::Literal(_) => {
                    let home = match expr {
                        Expr::Literal(word) => Memory::Constant(*word),
                        Expr::Scalar { input } => Memory::Input(*input),
                        _ => Memory::Element(pointers.uniform(expr, *dtype)?),
                    };
                    prologue.uniform_input(v, home);
                    main.uniform_input(v, home);
                }
                _ if uniform[v] => {
                    prologue.apply(v)?;
                    if *dtype == DType::Bool {
                        main.apply(v)?;
                    } else if main.values[v].is_none() {
                        let value = prologue.values[v]?;
                        main.values[v] = Some(match prologue.body.values[value.index()].1 {
                            // A constant.
                            Some(home) => main.body.at(home),
                            None => {
                                let wide = kept(&mut prologue.body, &mut main.body, &mut slots, value);
                                if *dtype == DType::F32 {
                                    let narrow = prologue.body.narrow(value);
                                    let narrow = kept(&mut prologue.body, &mut main.body, &mut slots, narrow);
                                    main.body.same(wide, narrow);
                                }
                                wide
                            }
                        });
                    }
                }
                _ => main.apply(v)?,
            }
        }

        // Reductions, then what is stored. Where each row has a result of its own, it is rounded here.
        let by_rows = self.outputs.iter().all(|output| match output {
            Output::Store(_) => true,
            Output::Reduce { kept, .. } => Shape::new(&self.extents, kept).row_by_row(),
        });
        let mut folds = Vec::new();
        let mut stores = Vec::new();
        for ((number, output), (outer, stride)) in self.outputs.iter().enumerate().zip(strides) {
            let own = self.dtype(output.value());
            let (dtype, stored) = match output {
                Output::Store(_) => (own, own),
                Output::Reduce { dtype, .. } if by_rows => (own.scalar(), *dtype),
                Output::Reduce { .. } => (own.scalar(), own.scalar()),
            };
            let pointer = pointers.add(false, number as u32, 0, outer, stored.bytes() as isize)?;
            let value = main.values[output.value().index()]?;
            match output {
                Output::Store(_) => stores.push((pointer, value, dtype)),
                Output::Reduce { by, kept, .. } => {
                    if dtype == DType::Bool {
                        return None;
                    }
                    let shape = Shape::new(&self.extents, kept);
                    if shape.inner_kept {
                        if stride != 1 {
                            return None;
                        }
                        let before = main.body.at(Memory::Elements(pointer, 0));
                        let joined = match by_instruction(*by, dtype) {
                            Ok(op) => main.body.two(op, before, value),
                            Err(op) => main.body.extreme(op, before, value),
                        };
                        stores.push((pointer, joined, dtype));
                        continue;
                    }
                    if shape.inner != inner || folds.len() == MOST_ROW_FOLDS {
                        return None;
                    }
                    let fold = folds.len() as u32;
                    match by_instruction(*by, dtype) {
                        Ok(op) => main.body.join(fold, op, value),
                        Err(op) => {
                            let extreme = main.body.with_lanes(op, value, fold);
                            let kind = opcodes::compare::UNORDERED;
                            let unordered = main.body.compare(opcodes::COMPARE, kind, value, value, None);
                            let joined = main.body.select(unordered, value, extreme);
                            main.body.join(fold, opcodes::MOVE, joined);
                        }
                    }
                    let identity = identity(*by, dtype);
                    let rounded = (by_rows && own == DType::F32).then_some(stored);
                    folds.push(RowFold { by: *by, dtype, identity, pointer, joined: !shape.row_by_row(), rounded });
                }
            }
        }
        for (pointer, value, dtype) in stores {
            match dtype {
                DType::F32 => main.body.store_narrow(pointer, value),
                _ => main.body.store(pointer, value),
            }
        }

        let registers = 32 - 4 * folds.len();
        let prologue = allocate(&prologue.body, 32, slots)?;
        let body = allocate(&main.body, registers, slots)?;
        if body.steps.len() > MOST_STEPS {
            return None;
        }
        let pair = if inner >= 2 * VECTOR && body.steps.len() <= MOST_PAIRED {
            allocate(&main.body.pair(), registers, slots).filter(|pair| pair.frame == slots)
        } else {
            None
        };
        let long = joined.is_empty() && inner >= MANY * TOGETHER * VECTOR && body.steps.len() <= MOST_STAGED;
        let (stages, waiting) = if long { main.body.stages().unwrap_or_default() } else { Default::default() };
        let stages = stages.iter().map(|stage| allocate(stage, registers, slots)).collect::<Option<Vec<_>>>().unwrap_or_default();
        let steps = outer.len();
        pointers.0.iter_mut().for_each(|pointer| pointer.steps.resize(steps, 0));
        let nest = Nest {
            outer: &outer,
            inner,
            pointers: &pointers.0,
            prologue: &prologue,
            body: &body,
            pair: pair.as_ref(),
            stages: &stages,
            waiting,
            folds: &folds,
            joined: &joined,
        };
        Some(Native(Function::new(&emit(&nest)?)))
    }

    /// Which values outputs need.
    fn live(&self) -> Vec<bool> {
        let mut live = vec![false; self.exprs.len()];
        self.outputs.iter().for_each(|output| live[output.value().index()] = true);
        for v in (0..live.len()).rev() {
            if live[v] {
                self.exprs[v].0.operands().iter().for_each(|operand| live[operand.index()] = true);
            }
        }
        live
    }
}

/// A value of the prologue, for another body: by the next vector of the frame.
fn kept(prologue: &mut Body, body: &mut Body, slots: &mut u32, value: Value) -> Value {
    let home = Memory::Frame(*slots);
    *slots += 1;
    prologue.keep(home, value);
    body.at(home)
}

/// What a reduction starts from.
fn identity(by: Reduction, dtype: DType) -> u64 {
    match (by, dtype) {
        (Reduction::Sum, DType::F64) => (-0.0_f64).to_bits(),
        (Reduction::Max, DType::F64) => f64::NEG_INFINITY.to_bits(),
        (Reduction::Min, DType::F64) => f64::INFINITY.to_bits(),
        (Reduction::Sum, _) => 0,
        (Reduction::Max, _) => i64::MIN as u64,
        (Reduction::Min, _) => i64::MAX as u64,
    }
}

//! Kernels from expressions: what is computed when, and where it lies.

use super::blocks::{SinCos, block, conversions, copy};
use super::build::{Builder, Expr, Output, ValueId};
use super::isa::{Isa, padded};
use super::parallel::Division;
use super::reduce::{Shape, joins};
use super::run::{
    Dense, Fold, Gathered, Instruction, Kernel, Mode, NARROW, Narrowed, Parts, Source, Store, Uniform, chunk_length,
};
use gradus_ir::{DType, Prim};
use rustc_hash::FxHashMap;

/// The places of values in the memory of a run, reused where a value is not needed any more.
#[derive(Default)]
struct Slots {
    free: Vec<u32>,
    used: u32,
}

impl Slots {
    fn take(&mut self) -> u32 {
        self.free.pop().unwrap_or_else(|| {
            self.used += 1;
            self.used - 1
        })
    }
}

impl Builder {
    /// The kernel.
    pub fn finish(self) -> Kernel {
        let isa = Isa::detect();
        #[cfg(target_arch = "x86_64")]
        let native = if isa == Isa::V4 { self.native() } else { None };
        Kernel {
            #[cfg(target_arch = "x86_64")]
            native,
            ..self.finish_for(isa)
        }
    }

    /// The kernel as block functions alone, for an instruction set that the processor has.
    pub(super) fn finish_for(self, isa: Isa) -> Kernel {
        let count: usize = self.extents.iter().product();
        let source = self.clone();
        let narrowed = self.narrowed();
        let mut kernel =
            Kernel { count, values: self.exprs.len(), folds: self.folds(isa), narrowed, source, ..Kernel::new(conversions(isa)) };
        self.schedule(&mut kernel, isa);

        // Chunks hold whole rows, or are parts of one.
        let most = chunk_length(kernel.slot_count as usize + kernel.dense.len() + kernel.stores.len());
        let shortest = kernel.folds.iter().filter(|fold| !fold.shape.inner_kept).map(|fold| fold.shape.inner).min();
        (kernel.chunk, kernel.row) = match shortest {
            Some(length) if length > most => (most, length),
            Some(length) => (most / length.max(1) * length, count),
            None => (most, count),
        };
        for fold in &mut kernel.folds {
            fold.mode = match fold.shape.inner {
                _ if fold.shape.inner_kept => Mode::Columns,
                inner if inner <= most && Some(inner) == shortest => Mode::Rows,
                _ => Mode::Lanes,
            };
        }
        kernel.division = Division::of(&kernel.folds, count, kernel.chunk, kernel.row);
        kernel.room = padded(kernel.chunk.min(count));
        kernel
    }

    /// The reductions. A product that is only summed is left to the sum.
    fn folds(&self, isa: Isa) -> Vec<Fold> {
        let mut uses = vec![0; self.exprs.len()];
        let operands = self.exprs.iter().flat_map(|(expr, _)| expr.operands().iter().copied());
        operands.chain(self.outputs.iter().map(Output::value)).for_each(|v| uses[v.index()] += 1);
        let fold = |(number, output): (usize, &Output)| {
            let Output::Reduce { by, value, kept, .. } = output else { return None };
            let (expr, dtype) = &self.exprs[value.index()];
            let dtype = dtype.scalar();
            let factors = match (expr, uses[value.index()]) {
                (Expr::Apply { prim: Prim::Mul, operands }, 1) => Some([operands[0], operands[1]]),
                _ => None,
            };
            let of_products = factors.and_then(|factors| Some((factors, joins(*by, dtype, true, isa)?)));
            let of_values = || Some(([*value; 2], joins(*by, dtype, false, isa)?));
            let (terms, joins) = of_products.or_else(of_values).expect("`reduce` has checked the type");
            let shape = Shape::new(&self.extents, kept);
            Some(Fold {
                terms: terms.map(|v| v.0),
                output: number as u32,
                joins,
                shape,
                shift: shift(dtype),
                by: *by,
                mode: Mode::Columns,
            })
        };
        self.outputs.iter().enumerate().filter_map(fold).collect()
    }

    /// The outputs that are reductions of floats of 32 bits: which, how many elements, and whether they stay such in memory.
    fn narrowed(&self) -> Vec<Narrowed> {
        let narrowed = |(number, output): (usize, &Output)| match output {
            Output::Reduce { value, kept, dtype, .. } if self.dtype(*value) == DType::F32 => {
                let count = self.extents.iter().zip(kept).filter(|(_, kept)| **kept).map(|(n, _)| n).product();
                Some(Narrowed { output: number as u32, count, wide: *dtype == DType::F64 })
            }
            _ => None,
        };
        self.outputs.iter().enumerate().filter_map(narrowed).collect()
    }

    /// Orders what the outputs need, and gives every value its place.
    fn schedule(&self, kernel: &mut Kernel, isa: Isa) {
        let end = self.exprs.len();
        let last_uses = self.last_uses(&kernel.folds);
        let uniform = self.uniform();
        let needed: Vec<bool> = last_uses.iter().map(Option::is_some).collect();
        let partners = self.partners(&needed);
        let live = || (0..end).filter(|&v| last_uses[v].is_some());
        let mut slots = Slots::default();
        let mut slot_of = vec![None; end];

        // What is there before the first instruction of a chunk has a slot for good.
        for v in live() {
            let (expr, dtype) = &self.exprs[v];
            let (value, shift) = (v as u32, shift(dtype.scalar()));
            let source = match expr {
                Expr::Array { input, view, .. } if !uniform[v] => {
                    let (input, view) = (*input, view.clone());
                    if *dtype == DType::F32 {
                        kernel.gathered.push(Gathered { value, input, slot: slots.take(), view, shift: NARROW });
                    } else if view.is_dense() {
                        kernel.dense.push(Dense { value, input, offset: view.offset, shift });
                    } else {
                        kernel.gathered.push(Gathered { value, input, slot: slots.take(), view, shift });
                    }
                    continue;
                }
                Expr::Array { input, view, .. } => Source::Element { input: *input, offset: view.offset, dtype: *dtype },
                Expr::Joined(parts) => {
                    kernel.joined.push(Parts { value, slot: slots.take(), parts: parts.clone(), shift });
                    continue;
                }
                Expr::Scalar { input } => Source::Word(*input),
                Expr::Literal(word) => Source::Literal(*word),
                Expr::Apply { .. } | Expr::Copy(_) if uniform[v] => Source::Place,
                Expr::Apply { .. } | Expr::Copy(_) => continue,
            };
            let spread = last_uses[v] == Some(end);
            let list = if matches!(source, Source::Place) { &mut kernel.computed } else { &mut kernel.uniforms };
            list.push(Uniform { value, source, shift, spread });
            slot_of[v] = Some(slots.take());
        }

        let is_computed = |v: usize| !self.exprs[v].0.operands().is_empty() && !uniform[v];
        let mut ending = vec![Vec::new(); end + 1];
        live().filter(|&v| is_computed(v)).for_each(|v| ending[last_uses[v].unwrap_or(end)].push(v));
        for v in live() {
            let operands = self.exprs[v].0.operands();
            // Of two partners the first computes both.
            if !operands.is_empty() && partners[v].is_none_or(|partner| v < partner) {
                for v in [Some(v), partners[v]].into_iter().flatten() {
                    slot_of[v].get_or_insert_with(|| slots.take());
                }
                let list = if uniform[v] { &mut kernel.prologue } else { &mut kernel.body };
                list.push(self.instruction(v, partners[v], &uniform, isa));
            }
            slots.free.extend(ending[v].iter().filter_map(|&v| slot_of[v]));
        }

        let mut direct = vec![false; end];
        for (number, output) in self.outputs.iter().enumerate() {
            let Output::Store(value) = *output else { continue };
            let v = value.index();
            let first = !std::mem::replace(&mut direct[v], true);
            let dtype = self.dtype(value);
            let direct = slot_of[v].filter(|_| first && is_computed(v) && dtype != DType::F32);
            kernel.stores.push(Store { value: value.0, output: number as u32, shift: shift(dtype), direct });
        }
        kernel.slots = slot_of.iter().enumerate().filter_map(|(v, slot)| Some((v as u32, (*slot)?))).collect();
        kernel.slot_count = slots.used;
    }

    /// The instruction that computes a value, and its partner.
    fn instruction(&self, v: usize, partner: Option<usize>, uniform: &[bool], isa: Isa) -> Instruction {
        let (expr, dtype) = &self.exprs[v];
        let operands = expr.operands();
        let from = std::array::from_fn(|i| operands.get(i).unwrap_or(&operands[0]).0);
        match (expr, partner) {
            (Expr::Apply { prim, .. }, Some(partner)) => {
                let (sine, cosine) = if *prim == Prim::Sin { (v, partner) } else { (partner, v) };
                Instruction { block: isa.compiled::<SinCos>(), to: sine as u32, from: [from[0], cosine as u32, from[0]] }
            }
            (Expr::Apply { prim, .. }, None) => {
                let mask = operands.iter().rev().fold(0, |mask, v| mask << 1 | u8::from(uniform[v.index()]));
                let (block, _) = block(*prim, &self.lanes(operands), mask, isa).expect("`apply` has looked");
                Instruction { block, to: v as u32, from }
            }
            _ => Instruction { block: copy(*dtype, isa), to: v as u32, from },
        }
    }

    /// Where each value is used last, as the number of an expression or of one past them all for outputs; none if nowhere.
    fn last_uses(&self, folds: &[Fold]) -> Vec<Option<usize>> {
        let end = self.exprs.len();
        let mut last = vec![None; end];
        folds.iter().flat_map(|fold| fold.terms).for_each(|v| last[v as usize] = Some(end));
        let stored = self.outputs.iter().filter(|output| matches!(output, Output::Store(_)));
        stored.for_each(|output| last[output.value().index()] = Some(end));
        for (i, (expr, _)) in self.exprs.iter().enumerate().rev() {
            if last[i].is_some() {
                for v in expr.operands() {
                    last[v.index()].get_or_insert(i);
                }
            }
        }
        last
    }

    /// Which values are the same at all points.
    pub(super) fn uniform(&self) -> Vec<bool> {
        let mut uniform: Vec<bool> = Vec::with_capacity(self.exprs.len());
        for (expr, _) in &self.exprs {
            uniform.push(match expr {
                Expr::Array { view, .. } => view.is_uniform(),
                Expr::Joined(_) => false,
                _ => expr.operands().iter().all(|v| uniform[v.index()]),
            });
        }
        uniform
    }

    /// The sine that belongs to a cosine, and the other way round: one instruction computes both.
    pub(super) fn partners(&self, live: &[bool]) -> Vec<Option<usize>> {
        let mut partners = vec![None; self.exprs.len()];
        let mut single: FxHashMap<(Prim, ValueId), usize> = FxHashMap::default();
        for (i, (expr, _)) in self.exprs.iter().enumerate().filter(|&(i, _)| live[i]) {
            let (prim, other, x) = match expr {
                Expr::Apply { prim: Prim::Sin, operands } => (Prim::Sin, Prim::Cos, operands[0]),
                Expr::Apply { prim: Prim::Cos, operands } => (Prim::Cos, Prim::Sin, operands[0]),
                _ => continue,
            };
            match single.remove(&(other, x)) {
                Some(partner) => (partners[i], partners[partner]) = (Some(partner), Some(i)),
                None => drop(single.insert((prim, x), i)),
            }
        }
        partners
    }
}

/// The bytes of an element, as a shift.
fn shift(dtype: DType) -> u32 {
    dtype.bytes().trailing_zeros()
}

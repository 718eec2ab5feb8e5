//! Who owns which array, and when references are counted.
//!
//! Each node whose value holds arrays has one reference to each of them, from where it is made until its last use on the way. A block
//! has those of its parameters and of the values that it or what comes after it uses. Where control goes on to another block, what
//! that one does not need is released; what it takes as an argument is moved, or counted once more if it is needed besides. Functions
//! take their arguments and captures with a reference of their own, and give their result with one. What an object or a tape holds
//! keeps a reference for the rest of the run.
//!
//! The scheme is that of Ullrich and de Moura 2019, *Counting immutable beans*, without its borrowed parameters.

use super::fusion::Step;
use super::lower::Lower;
use crate::error::BackendError;
use cranelift::prelude::Value;
use gradus_ir::cfg::{Target, Terminator};
use gradus_ir::{DType, GraphId, Kind, NodeId, Prim, Span, Type};
use rustc_hash::{FxHashMap, FxHashSet};

/// A scalar whose references are counted: the address of one of these.
#[derive(Clone, Copy)]
pub enum Counted {
    /// An array: the type of the elements, and how many bytes they are.
    Array(DType, usize),
    /// A vector.
    Vec,
}

/// For each scalar of a type, what it is the address of.
pub fn counted_slots(ty: &Type) -> Vec<Option<Counted>> {
    fn collect(ty: &Type, out: &mut Vec<Option<Counted>>) {
        match ty {
            Type::Array(dtype, shape) => out.push(Some(Counted::Array(*dtype, dtype.bytes() * shape.count()))),
            Type::Vec(_) => out.push(Some(Counted::Vec)),
            Type::Tuple(items) => items.iter().for_each(|item| collect(item, out)),
            other => out.extend(vec![None; super::layout::width(other)]),
        }
    }
    let mut out = Vec::new();
    collect(ty, &mut out);
    out
}

/// Whether values of a type hold arrays or vectors directly.
pub fn is_counted(ty: &Type) -> bool {
    match ty {
        Type::Array(..) | Type::Vec(_) => true,
        Type::Tuple(items) => items.iter().any(is_counted),
        _ => false,
    }
}

/// The uses in one block of what holds arrays.
#[derive(Default)]
pub struct Uses {
    /// For each node the number of steps that are left to use it.
    left: FxHashMap<NodeId, usize>,
    /// What is needed at the end of the block.
    end: FxHashSet<NodeId>,
    /// What the block has.
    has: Vec<NodeId>,
}

impl Lower<'_, '_> {
    /// The nodes that a node uses, with those that closures capture that are made for it or called; each once.
    pub fn all_operands(&self, n: NodeId) -> Vec<NodeId> {
        let m = self.unit.m;
        let mut found = Vec::new();
        let mut work: Vec<NodeId> = m[n].inputs().to_vec();
        while let Some(i) = work.pop() {
            if let Some(h) = m.as_graph(i) {
                found.extend(self.unit.nest.free(h));
            } else if self.callees.contains(&i) {
                work.extend(m[i].inputs());
            } else if m[i].graph.is_some() {
                found.push(i);
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    /// Those of them that have references.
    fn counted_operands(&self, n: NodeId) -> Vec<NodeId> {
        let mut found = self.all_operands(n);
        found.retain(|&i| self.has_references(i));
        found
    }

    /// Whether a node's value has an owner: arrays whose references are counted, or a tape that has one.
    pub fn has_references(&self, n: NodeId) -> bool {
        let node = &self.unit.m[n];
        match node.ty {
            Type::Tape(_) => self.unit.linear.tapes.contains(&n),
            _ => node.graph.is_some() && is_counted(&node.ty) && self.frame.place(n).is_none() && !self.parts.has(n),
        }
    }

    /// The values that a jump or branch leads to a need of, besides its arguments.
    fn live_after(&self, terminator: &Terminator) -> FxHashSet<NodeId> {
        let nest = self.unit.nest;
        let mut live: FxHashSet<NodeId> = FxHashSet::default();
        for target in terminator.targets() {
            live.extend(nest.free(target.graph()).filter(|&v| self.has_references(v)));
        }
        live
    }

    /// The nodes with arrays that a step uses, each once.
    fn step_uses(&self, step: &Step) -> Vec<NodeId> {
        let mut found = self.step_operands(step);
        found.retain(|&n| self.has_references(n));
        found
    }

    /// The nodes that a step uses, each once.
    pub fn step_operands(&self, step: &Step) -> Vec<NodeId> {
        if let Step::Node(n) = step {
            return self.all_operands(*n);
        }
        let mut found = step.reads();
        found.sort_unstable();
        found.dedup();
        found
    }

    /// What is needed when the nodes of a block are done: at its end, and by what comes after it.
    pub fn needed_after(&self, terminator: &Terminator) -> FxHashSet<NodeId> {
        let mut end = self.live_after(terminator);
        let last = match *terminator {
            // A closure is made where it is returned.
            Terminator::Return(value) => self.unit.m.as_graph(value).map_or(vec![value], |h| self.unit.nest.free(h).collect()),
            Terminator::Jump { call, .. } | Terminator::Branch { call, .. } | Terminator::TailCall { call } => {
                self.counted_operands(call)
            }
        };
        end.extend(last.into_iter().filter(|&n| self.has_references(n)));
        end
    }

    /// Begins a block that does these steps and ends like this.
    pub fn begin_ownership(&mut self, g: GraphId, steps: &[Step], terminator: &Terminator) -> Result<(), BackendError> {
        let (m, nest) = (self.unit.m, self.unit.nest);
        if !self.unit.has_owners {
            return Ok(());
        }
        let mut uses = Uses::default();
        for step in steps {
            for operand in self.step_uses(step) {
                *uses.left.entry(operand).or_default() += 1;
            }
        }
        uses.end = self.needed_after(terminator);
        let has = nest.free(g).chain(m[g].params.iter().copied()).filter(|&n| self.has_references(n));
        uses.has = has.collect();
        self.uses = uses;
        for n in self.uses.has.clone() {
            self.release_unused(n)?;
        }
        Ok(())
    }

    /// Releases a node that nothing uses from here on.
    fn release_unused(&mut self, n: NodeId) -> Result<(), BackendError> {
        if !self.uses.left.contains_key(&n) && !self.uses.end.contains(&n) {
            self.uses.has.retain(|&k| k != n);
            return self.release(n);
        }
        Ok(())
    }

    /// Whether the block has no arrays to hand on.
    pub fn uses_are_none(&self) -> bool {
        self.uses.has.is_empty()
    }

    /// Whether the present step is the last to use a node on the way through this block and what comes after it.
    pub fn is_last_use(&self, n: NodeId) -> bool {
        self.uses.left.get(&n) == Some(&1) && !self.uses.end.contains(&n)
    }

    /// Ends a step: nodes that it was the last to use are released, but for those that were moved.
    pub fn end_step(&mut self, step: &Step) -> Result<(), BackendError> {
        if !self.unit.has_owners {
            return Ok(());
        }
        let moved = std::mem::take(&mut self.moved);
        for operand in self.step_uses(step) {
            let last = self.is_last_use(operand);
            match self.uses.left.get_mut(&operand) {
                Some(left) if *left > 1 => *left -= 1,
                _ => {
                    self.uses.left.remove(&operand);
                }
            }
            if last {
                self.uses.has.retain(|&k| k != operand);
                if !moved.contains(&operand) {
                    self.release(operand)?;
                }
            }
        }
        for &n in step.defines() {
            if self.has_references(n) {
                self.uses.has.push(n);
                self.release_unused(n)?;
            }
        }
        Ok(())
    }

    /// Counts references so that a function or block gets one for each of `taken`, and one for each of `needed` besides: `free` are
    /// those it captures.
    pub fn hand_over(&mut self, taken: &[NodeId], free: &[NodeId]) -> Result<(), BackendError> {
        if !self.unit.has_owners {
            return Ok(());
        }
        let mut counts: FxHashMap<NodeId, usize> = FxHashMap::default();
        taken.iter().chain(free).for_each(|&n| *counts.entry(n).or_default() += 1);
        for n in self.uses.has.clone() {
            match counts.get(&n) {
                None => self.release(n)?,
                Some(count) => self.retain(n, count - 1)?,
            }
        }
        debug_assert!(taken.iter().all(|&n| !self.has_references(n) || self.uses.has.contains(&n)));
        Ok(())
    }

    /// What a target captures.
    pub fn captured_by(&self, target: Target) -> Vec<NodeId> {
        self.unit.nest.free(target.graph()).collect()
    }

    /// References for what keeps some nodes, as the arguments of a call that is not the last thing done: one for each, those included
    /// that are moved.
    pub fn hand_out(&mut self, args: &[NodeId]) -> Result<(), BackendError> {
        if !self.unit.has_owners {
            return Ok(());
        }
        for &n in args {
            if !self.has_references(n) {
                continue;
            }
            if self.is_last_use(n) && !self.moved.contains(&n) {
                self.moved.push(n);
            } else {
                self.retain(n, 1)?;
            }
        }
        Ok(())
    }

    /// So many more references to each array of a node.
    pub fn retain(&mut self, n: NodeId, times: usize) -> Result<(), BackendError> {
        let scalars = self.operands(&[n])?;
        let ty = self.unit.m[n].ty.clone();
        self.retain_scalars(&ty, &scalars, times);
        Ok(())
    }

    /// So many more references to each array among the scalars of a type.
    pub fn retain_scalars(&mut self, ty: &Type, scalars: &[Value], times: usize) {
        if times == 0 || !self.unit.has_owners {
            return;
        }
        for (slot, &array) in counted_slots(ty).into_iter().zip(scalars) {
            if slot.is_some() {
                self.retain_array(array, times);
            }
        }
    }

    /// A reference less to each array of a node, or no tape any more.
    fn release(&mut self, n: NodeId) -> Result<(), BackendError> {
        let scalars = self.operands(&[n])?;
        if let Type::Tape(_) = self.unit.m[n].ty {
            self.give_back(scalars[0]);
            return Ok(());
        }
        for (slot, scalar) in counted_slots(&self.unit.m[n].ty).into_iter().zip(scalars) {
            match slot {
                Some(Counted::Array(_, bytes)) => self.release_array(scalar, bytes),
                Some(Counted::Vec) => self.release_vector(scalar)?,
                None => {}
            }
        }
        Ok(())
    }

    /// What was read from an object or a record of this type, with references of its own to arrays, or those of the record if it is
    /// not read again; and zeros in place of null.
    pub fn held(&mut self, ty: &Type, scalars: Vec<Value>, is_moved: bool, span: Span) -> Result<Vec<Value>, BackendError> {
        if !self.unit.has_owners || !is_counted(ty) {
            return Ok(scalars);
        }
        let slots = counted_slots(ty).into_iter().zip(scalars);
        slots
            .map(|(slot, scalar)| match slot {
                Some(Counted::Array(dtype, bytes)) => self.held_array(scalar, dtype, bytes, is_moved, span),
                Some(Counted::Vec) => Ok(self.held_vector(scalar, is_moved)),
                None => Ok(scalar),
            })
            .collect()
    }
}

/// Whether a module has arrays or vectors.
pub fn has_arrays(m: &gradus_ir::Module) -> bool {
    fn mentions(ty: &Type) -> bool {
        match ty {
            Type::Array(..) | Type::Vec(_) => true,
            Type::Tuple(items) => items.iter().any(mentions),
            Type::Tape(record) => mentions(record),
            Type::Fn(sig) => sig.params.iter().any(mentions) || mentions(&sig.result),
            _ => false,
        }
    }
    // An operation on arrays leaves a scalar in memory, too.
    let is_one = |kind: &Kind| matches!(kind, Kind::Prim(Prim::Array(..)));
    m.nodes().any(|(_, n)| !matches!(n.kind, Kind::Return) && (mentions(&n.ty) || is_one(&n.kind)))
}

//! The blocks of a loop's body, for all iterations at once.

use super::classes::{Body, Carried, Class};
use super::emit::{Emit, Operand, Value, batched};
use super::rules::{choose, elementwise, rows_at, rule, with_rows};
use super::sparse::Directions;
use crate::interval::fits;
use gradus_ir::cfg::{Target, Terminator};
use gradus_ir::{ArrayOp, Dims, Effect, GraphId, Kind, Module, NodeId, Prim, Span, Type, build};
use rustc_hash::FxHashMap;
use slotmap::SecondaryMap;

/// Makes blocks that do what all iterations do, or some directions in their place, and then jump to the header with what the last iteration
/// passes; gives the first of them.
/// None where there is no such batch, or where it has an operation with more than `most` elements, or none with `least`.
pub(super) fn copy(m: &mut Module, body: &Body, directions: Option<&Directions>, most: usize, least: usize) -> Option<GraphId> {
    let mut copies: FxHashMap<GraphId, GraphId> = FxHashMap::default();
    for &block in body.blocks {
        let original = m[block].clone();
        let copy = m.add_graph(original.name, original.flavor, original.role, original.span);
        m.raise_order(copy, original.order);
        m.declare_result(copy, original.result);
        copies.insert(block, copy);
    }
    let entry = copies[&body.header];
    let e = Emit::new(m, directions.map_or(body.n, |directions| directions.count), most, entry);
    let mut copier = Copier { body, directions, e, copies, images: SecondaryMap::new(), largest: 0, masked: false };
    for &block in body.blocks.iter().filter(|&&b| !body.is_masked(b)) {
        copier.params(block)?;
    }
    for &block in body.blocks.iter().filter(|&&b| !body.is_masked(b)) {
        copier.block(block)?;
    }
    // A branch that all iterations take alike, to a block that only some of them come to: that has no code of its own.
    let is_used = |g: &GraphId| copier.e.m.graph_const(copier.copies[g]).is_some_and(|n| !copier.e.m[n].users().is_empty());
    if body.blocks.iter().any(|block| body.is_masked(*block) && is_used(block)) {
        return None;
    }
    (copier.largest >= least).then_some(entry)
}

struct Copier<'a, 'm> {
    body: &'a Body<'a>,
    directions: Option<&'a Directions>,
    e: Emit<'m>,
    copies: FxHashMap<GraphId, GraphId>,
    /// What nodes of the body are in the copy: the same, a batch, or what an array that is handed on has at the places of the iterations.
    images: SecondaryMap<NodeId, NodeId>,
    /// The most elements of a batch.
    largest: usize,
    /// Whether the present block is one that not all iterations come to.
    masked: bool,
}

/// A way into a block: the iterations that come this way, if these are not all, and what they pass.
type Way = (Option<NodeId>, Vec<NodeId>);

impl Copier<'_, '_> {
    fn class(&self, n: NodeId) -> Option<Class> {
        self.body.class(self.e.m, n)
    }

    /// Whether an array that is handed on is a batch of what is at places of its own.
    fn has_rows(&self, class: Class) -> bool {
        matches!(class, Class::State { param, .. } if matches!(self.body.carried[param], Carried::Rows { .. }))
    }

    fn image(&self, n: NodeId) -> Option<NodeId> {
        match self.e.m[n].graph {
            Some(g) if self.body.is_inside(g) => self.images.get(n).copied(),
            _ => Some(n),
        }
    }

    fn operand(&self, n: NodeId) -> Option<Operand> {
        let value = match self.class(n)? {
            Class::Same => Value::Same(self.image(n)?),
            Class::Even(a) => Value::Even(a),
            class if class == Class::Rows || self.has_rows(class) => Value::Rows(self.image(n)?),
            _ => return None,
        };
        Some(Operand { value, ty: self.e.m[n].ty.clone() })
    }

    /// The type of what a node is in the copy; none for what is not there.
    fn type_of(&self, n: NodeId) -> Option<Option<Type>> {
        let ty = self.e.m[n].ty.clone();
        Some(Some(match self.class(n)? {
            Class::Even(_) => return Some(None),
            Class::Rows => batched(&ty, self.e.n)?,
            class @ Class::State { param, .. } if self.has_rows(class) => {
                let row = self.body.row_shape(self.e.m, param)?;
                Type::array(ty.dtype()?, Dims::new([&[self.e.n], &row[..]].concat()))
            }
            _ => ty,
        }))
    }

    /// Makes the parameters of a block.
    fn params(&mut self, block: GraphId) -> Option<()> {
        let copy = self.copies[&block];
        for (i, p) in self.e.m[block].params.clone().into_iter().enumerate() {
            let node = self.e.m[p].clone();
            let ty = if block == self.body.header { Some(node.ty) } else { self.type_of(p)? };
            let Some(ty) = ty else { continue };
            let mut image = self.e.m.add_param(copy, ty, node.name, node.span);
            if block == self.body.header
                && let Carried::Rows { order, prefix, place } = &self.body.carried[i]
            {
                image = match self.directions {
                    // Nobody reads what was there.
                    Some(_) => {
                        let zero = self.e.m.f64(0.0);
                        let Some(Type::Array(dtype, shape)) = self.type_of(p)? else { return None };
                        build::splat(self.e.m, copy, zero, dtype, shape, Span::NONE)
                    }
                    None => rows_at(&mut self.e, image, *order, prefix, *place)?,
                };
            }
            self.images.insert(p, image);
        }
        Some(())
    }

    fn block(&mut self, block: GraphId) -> Option<()> {
        self.e.g = self.copies[&block];
        self.nodes(block)?;
        let end = self.end(block)?;
        self.e.m.set_result(self.e.g, end);
        Some(())
    }

    fn nodes(&mut self, block: GraphId) -> Option<()> {
        let body = self.body;
        for &n in body.nest.schedule(block).iter().filter(|&&n| body.is_needed(n)) {
            self.e.span = self.e.m[n].span;
            let Some(image) = self.node(n)? else { continue };
            if let Some(name) = self.e.m[n].name.clone() {
                self.e.m.set_name(image, name);
            }
            self.images.insert(n, image);
        }
        Some(())
    }

    /// What a node is in the copy, if it is there.
    fn node(&mut self, n: NodeId) -> Option<Option<NodeId>> {
        let class = self.class(n)?;
        let node = self.e.m[n].clone();
        if self.masked && !self.is_total(n) {
            return None;
        }
        if let Some(directions) = self.directions
            && let Some(unit) = directions.unit(&mut self.e, n)?
        {
            return Some(Some(unit));
        }
        match (class, &node.kind) {
            (Class::Even(_), _) => Some(None),
            (Class::Same, Kind::Call) => {
                let inputs: Vec<NodeId> = node.inputs().iter().map(|&i| self.image(i)).collect::<Option<_>>()?;
                Some(Some(self.e.m.call(self.e.g, inputs[0], &inputs[1..], node.ty, node.span)))
            }
            (Class::Same, &Kind::Prim(prim)) => {
                let inputs: Vec<NodeId> = node.inputs().iter().map(|&i| self.image(i)).collect::<Option<_>>()?;
                Some(Some(self.e.m.prim(self.e.g, prim, inputs, node.ty, node.span)))
            }
            (Class::State { .. }, &Kind::Prim(prim)) if !self.has_rows(class) => self.written(prim, node.inputs()).map(Some),
            (_, &Kind::Prim(prim)) => {
                let rows = self.rows(n, prim, node.inputs(), &node.ty)?;
                self.largest = self.largest.max(self.e.shape(rows).count());
                Some(Some(rows))
            }
            _ => None,
        }
    }

    /// An array after all iterations have written to it, one after the other.
    fn written(&mut self, prim: Prim, inputs: &[NodeId]) -> Option<NodeId> {
        let x = self.image(inputs[0])?;
        let Prim::Array(op @ (ArrayOp::SetAt | ArrayOp::AddAt), _) = prim else { return None };
        let indices: Vec<Operand> = inputs[2..].iter().map(|&i| self.operand(i)).collect::<Option<_>>()?;
        let value = self.operand(inputs[1])?;
        let value = self.e.batch(&value)?;
        let place = self.e.place(&indices, &self.e.shape(x))?;
        self.e.write(x, indices.len(), place, value, op == ArrayOp::AddAt)
    }

    /// The batch of a node.
    fn rows(&mut self, n: NodeId, prim: Prim, inputs: &[NodeId], ty: &Type) -> Option<NodeId> {
        let mut operands: Vec<Operand> = inputs.iter().map(|&i| self.operand(i)).collect::<Option<_>>()?;
        let types: Vec<Type> = operands.iter().map(|x| x.ty.clone()).collect();
        if let Some(class @ Class::State { param, .. }) = inputs.first().and_then(|&i| self.class(i)) {
            let Carried::Rows { prefix, .. } = &self.body.carried[param] else { return None };
            debug_assert!(self.has_rows(class));
            let Value::Rows(rows) = operands[0].value else { return None };
            let first = match prim {
                Prim::Array(ArrayOp::At, _) => 1,
                Prim::Array(ArrayOp::SetAt | ArrayOp::AddAt, _) => 2,
                _ => return Some(rows),
            };
            operands.drain(first..first + prefix.len() + 1);
            operands[0].ty = Type::array(types[0].dtype()?, self.body.row_shape(self.e.m, param)?);
            if operands.len() == first {
                let value = if first == 1 { None } else { Some(self.e.batch(&operands[1])?) };
                return match (prim, value) {
                    (Prim::Array(ArrayOp::AddAt, _), Some(value)) => {
                        let value = self.e.narrowed(value, self.e.m[rows].ty.dtype()?)?;
                        self.e.prim(Prim::Add, &[rows, value])
                    }
                    (_, Some(value)) => self.e.narrowed(value, self.e.m[rows].ty.dtype()?),
                    (_, None) => self.e.widened(rows, ty),
                };
            }
        }
        match (prim, prim.effect(&types)) {
            (Prim::Array(op, attribute), _) => rule(op)?(&mut self.e, op, &attribute, &operands, ty),
            (Prim::Tuple | Prim::Get(_) | Prim::Push | Prim::Pop, _) => {
                let operands: Vec<NodeId> = operands.iter().map(|x| self.e.batch(x)).collect::<Option<_>>()?;
                self.e.prim(prim, &operands)
            }
            (Prim::Index, _) => {
                let length = self.e.as_even(&operands[1]).filter(|a| a.step == 0)?.first;
                let at = self.e.batch(&operands[0])?;
                match self.body.range(self.e.m, inputs[0]) {
                    Some((0.., most)) if most < i128::from(length) => Some(at),
                    _ => self.e.array(ArrayOp::Indices, [length], &[at]),
                }
            }
            (_, Effect::Pure) => elementwise(&mut self.e, prim, &operands, ty),
            // Integers of arrays wrap.
            (_, Effect::Trap) if *ty == Type::I64 && prim != Prim::Step => {
                self.body.range(self.e.m, n).filter(|&range| fits(range))?;
                elementwise(&mut self.e, prim, &operands, ty)
            }
            _ => None,
        }
    }

    /// Whether a node does no harm in iterations that do not come to it.
    fn is_total(&self, n: NodeId) -> bool {
        let m = &*self.e.m;
        let Some(prim) = m.as_prim(n) else { return false };
        let types: Vec<Type> = m[n].inputs().iter().map(|&i| m[i].ty.clone()).collect();
        match (self.class(n), prim.effect(&types)) {
            (Some(Class::Even(_)), _) | (_, Effect::Pure | Effect::Linear) => true,
            (_, Effect::Trap) if prim == Prim::Index => {
                let ranges = [0, 1].map(|i| self.body.range(m, m[n].inputs()[i]));
                matches!(ranges, [Some((0.., most)), Some((length, _))] if most < length)
            }
            (_, Effect::Trap) => m[n].ty == Type::I64 && self.body.range(m, n).is_some_and(fits),
            _ => false,
        }
    }

    /// The end of a block, and of those that not all iterations come to behind it.
    fn end(&mut self, block: GraphId) -> Option<NodeId> {
        let (target, ways) = match self.body.terminator(block) {
            Terminator::Branch { .. } if self.body.parts(self.e.m, block) => self.ways(block)?,
            Terminator::Branch { cond, arms, call } => return self.branch(cond, arms.map(Target::graph), call),
            Terminator::Jump { target, call } => (target, vec![(None, self.e.m[call].inputs()[1..].to_vec())]),
            _ => return None,
        };
        let args: Vec<Option<NodeId>> = (0..ways[0].1.len()).map(|i| self.passed(target, i, &ways)).collect::<Option<_>>()?;
        let args: Vec<NodeId> = args.into_iter().flatten().collect();
        let result = self.e.m[block].result.clone();
        let callee = if target == self.body.header { target } else { self.copies[&target] };
        let (callee, span) = (self.e.m.graph_ref(callee), self.e.m[self.e.m.result(block)].span);
        Some(self.e.m.call(self.e.g, callee, &args, result, span))
    }

    /// A branch that all iterations take alike.
    fn branch(&mut self, cond: NodeId, arms: [GraphId; 2], call: NodeId) -> Option<NodeId> {
        let g = self.e.g;
        let &[select] = self.e.m[call].inputs() else { return None };
        let Value::Same(cond) = self.operand(cond)?.value else { return None };
        let [a, b] = arms.map(|arm| self.copies[&arm]).map(|arm| self.e.m.graph_ref(arm));
        let (ty, span) = (self.e.m[select].ty.clone(), self.e.m[select].span);
        let callee = self.e.m.prim(g, Prim::Select, vec![cond, a, b], ty, span);
        let (ty, span) = (self.e.m[call].ty.clone(), self.e.m[call].span);
        Some(self.e.m.call(g, callee, &[], ty, span))
    }

    /// Does what is on the ways from a branch to where they come together, all of it for all iterations, and gives where that is and what
    /// is passed there. What an iteration does on a way that it does not take is not looked at (Karrenberg & Hack, *Whole-function
    /// vectorization*, 2011).
    fn ways(&mut self, branch: GraphId) -> Option<(GraphId, Vec<Way>)> {
        let (join, blocks) = self.body.ways(branch)?;
        let mut ways: FxHashMap<GraphId, Vec<Way>> = FxHashMap::default();
        self.leave(branch, None, &mut ways)?;
        self.masked = true;
        for block in blocks {
            let into = ways.remove(&block)?;
            for (i, p) in self.e.m[block].params.clone().into_iter().enumerate() {
                if let Some(image) = self.passed(block, i, &into)? {
                    self.images.insert(p, image);
                }
            }
            let mut masks = into.into_iter().map(|(mask, _)| mask);
            let mut mask = masks.next()??;
            for other in masks {
                mask = self.e.prim(Prim::Or, &[mask, other?])?;
            }
            self.nodes(block)?;
            self.leave(block, Some(mask), &mut ways)?;
        }
        self.masked = false;
        Some((join, ways.remove(&join)?))
    }

    /// Notes where the iterations of a mask go from a block.
    fn leave(&mut self, block: GraphId, mask: Option<NodeId>, ways: &mut FxHashMap<GraphId, Vec<Way>>) -> Option<()> {
        match self.body.terminator(block) {
            Terminator::Jump { target, call } => {
                ways.entry(target).or_default().push((mask, self.e.m[call].inputs()[1..].to_vec()));
            }
            Terminator::Branch { cond, arms, call } => {
                let cond = self.operand(cond)?;
                let cond = self.e.batch(&cond)?;
                let other = self.e.prim(Prim::Not, &[cond])?;
                for (arm, cond) in arms.into_iter().zip([cond, other]) {
                    let mask = match mask {
                        Some(mask) => self.e.prim(Prim::And, &[mask, cond])?,
                        None => cond,
                    };
                    ways.entry(arm.graph()).or_default().push((Some(mask), self.e.m[call].inputs()[1..].to_vec()));
                }
            }
            _ => return None,
        }
        Some(())
    }

    /// What is passed for a parameter of a block of the copy, or of the header after the last iteration; none where there is no such
    /// parameter.
    fn passed(&mut self, target: GraphId, i: usize, ways: &[Way]) -> Option<Option<NodeId>> {
        if target == self.body.header {
            return self.last(i, ways).map(Some);
        }
        let p = self.e.m[target].params[i];
        match self.class(p)? {
            Class::Even(_) => Some(None),
            Class::Rows => {
                let joined = self.joined(i, ways)?;
                self.e.batch(&joined).map(Some)
            }
            class if class == Class::Same || !self.has_rows(class) => self.image(ways[0].1[i]).map(Some),
            _ => match self.joined(i, ways)?.value {
                Value::Rows(rows) => Some(Some(rows)),
                _ => None,
            },
        }
    }

    /// What the iterations pass on several ways.
    fn joined(&mut self, i: usize, ways: &[Way]) -> Option<Operand> {
        let (last, others) = ways.split_last()?;
        let mut joined = self.operand(last.1[i])?;
        for (mask, args) in others.iter().rev().filter(|(_, args)| args[i] != last.1[i]) {
            let arm = self.operand(args[i])?;
            let [a, b] = [self.e.batch(&arm)?, self.e.batch(&joined)?];
            let mask = Operand { value: Value::Rows((*mask)?), ty: Type::Bool };
            joined.value = Value::Rows(choose(&mut self.e, &mask, a, b)?);
        }
        Some(joined)
    }

    /// What the last iteration passes to the header.
    fn last(&mut self, i: usize, ways: &[Way]) -> Option<NodeId> {
        let n = self.body.n;
        let entry = self.e.m[self.e.entry].params[i];
        match &self.body.carried[i] {
            Carried::Even(a) => Some(self.e.m.i64(i64::try_from(a.value(n)).ok()?)),
            Carried::Same => Some(entry),
            Carried::Rows { order, prefix, place } => {
                let Value::Rows(rows) = self.joined(i, ways)?.value else { return None };
                match self.directions {
                    Some(directions) => directions.spread(&mut self.e, i, entry, *order, rows),
                    None => with_rows(&mut self.e, entry, *order, prefix, *place, rows),
                }
            }
            Carried::Written => self.image(ways[0].1[i]),
            Carried::Last => {
                let arg = self.joined(i, ways)?;
                match arg.value {
                    Value::Same(v) => Some(v),
                    Value::Even(a) => Some(self.e.m.i64(i64::try_from(a.value(n - 1)).ok()?)),
                    Value::Rows(rows) => self.last_row(rows, &arg.ty),
                }
            }
        }
    }

    fn last_row(&mut self, rows: NodeId, ty: &Type) -> Option<NodeId> {
        match ty {
            Type::Tuple(items) => {
                let fields = items.iter().enumerate().map(|(i, item)| {
                    let field = self.e.prim(Prim::Get(i as u32), &[rows])?;
                    self.last_row(field, item)
                });
                let fields: Vec<NodeId> = fields.collect::<Option<_>>()?;
                self.e.prim(Prim::Tuple, &fields)
            }
            Type::Zero | Type::None => Some(rows),
            _ => {
                ty.as_array()?;
                let last = self.e.m.i64(self.e.n - 1);
                self.e.array(ArrayOp::At, [], &[rows, last])
            }
        }
    }
}

//! `Vec`: an array where its length is known when code is made, and a list where only the run knows it.
//!
//! Which of them it is, inference finds: a program says both, and `has_lists` chooses. It does not hold at first, so that a loop in which an
//! array grows is unrolled; it does where that fails.

use super::{Lowerer, Result};
use crate::check::{Absent, Form, absent_fields};
use crate::refusal::Refusal;
use crate::types::Kind;
use gradus_ir::{NodeId, Prim, Span};
use syn::{Expr, ExprMethodCall};

impl<'p> Lowerer<'p> {
    /// One value where a `Vec` is a list, and another where it is an array.
    pub(super) fn by_lists(
        &mut self,
        span: Span,
        list: impl FnOnce(&mut Self) -> Result<NodeId>,
        array: impl FnOnce(&mut Self) -> Result<NodeId>,
    ) -> Result<NodeId> {
        let has_lists = self.prim(Prim::HasLists, &[], span);
        self.chosen(has_lists, span, list, array)
    }

    /// `vec![…]`, as the array that it stands for.
    pub(super) fn vector(&mut self, e: &'p Expr) -> Result<NodeId> {
        let span = self.span(e);
        match e {
            Expr::Array(a) if !a.elems.is_empty() => {
                let items = a.elems.iter().map(|e| self.expr(e)).collect::<Result<Vec<_>>>()?;
                let form = self.layout(&self.kind(e)?)?;
                self.by_lists(
                    span,
                    |me| Ok(me.each(&form, &items, span, &mut |me, items| me.prim(Prim::Tuple, items, span))),
                    |me| Ok(me.array_of(&form, &items, span)),
                )
            }
            Expr::Repeat(r) => {
                let (value, count) = (self.expr(&r.expr)?, self.expr(&r.len)?);
                let form = self.layout(&self.kind(e)?)?;
                let is_row = matches!(self.kind(&r.expr)?, Kind::Array(_)) || form.has_array();
                let list = |me: &mut Self| {
                    let none = me.empty_lists(&form, span);
                    let (from, at) = (me.m.i64(0), super::iterators::At::Count);
                    let walk = super::iterators::Walk { from, to: count, at };
                    me.fold(&walk, none, span, |me, list, _| Ok(me.appended(&form, list, value, span)))
                };
                self.by_lists(span, list, |me| match is_row {
                    false => Ok(me.broadcast(&form, value, &[count], span)),
                    true => Ok(me.repeated(&form, value, count, span)),
                })
            }
            _ => self.empty_vector(e),
        }
    }

    /// The `Vec` of nothing, whose elements have a type all the same.
    pub(super) fn empty_vector(&mut self, e: &'p Expr) -> Result<NodeId> {
        let (kind, span) = (self.kind(e)?, self.span(e));
        let form = self.layout(&kind)?;
        let nothing = self.nothing(&kind, e)?;
        self.by_lists(span, |me| Ok(me.empty_lists(&form, span)), |me| Ok(me.zeros(&nothing, &mut Vec::new(), span)))
    }

    /// An array of nothing of this kind, as zeros.
    pub(super) fn nothing(&self, kind: &Kind, at: &'p Expr) -> Result<Absent> {
        Ok(match kind {
            Kind::Array(element) => Absent::Array(Box::new(self.nothing(self.checked.types.kind(*element), at)?), 0),
            Kind::Tuple(items) if !items.is_empty() => {
                let items = items.iter().map(|&item| self.nothing(self.checked.types.kind(item), at)).collect::<Result<_>>()?;
                Absent::Fields(kind.clone(), items)
            }
            Kind::Struct(of) => absent_fields(self.program, *of)?,
            Kind::F64 | Kind::Int(_) | Kind::Bool | Kind::Integer => Absent::Number(kind.clone()),
            _ => return Err(Refusal::unsupported(at, "a `Vec` of such elements").hint("write the type of its elements")),
        })
    }

    pub(super) fn empty_lists(&mut self, form: &Form, span: Span) -> NodeId {
        self.each(form, &[], span, &mut |me, _| me.prim(Prim::Tuple, &[], span))
    }

    /// A list with one more element.
    pub(super) fn appended(&mut self, form: &Form, list: NodeId, value: NodeId, span: Span) -> NodeId {
        self.each(form, &[list, value], span, &mut |me, both| me.prim(Prim::Append, both, span))
    }

    /// A copy that may grow: the elements of an array as a list.
    pub(super) fn copied(&mut self, form: &Form, array: NodeId, span: Span) -> Result<NodeId> {
        self.by_lists(
            span,
            |me| {
                let list = me.empty_lists(form, span);
                Ok(me.each(form, &[list, array], span, &mut |me, both| me.prim(Prim::Extend, both, span)))
            },
            |_| Ok(array),
        )
    }

    /// A method that changes the length of a `Vec`: what it is then, and what the method gives.
    pub(super) fn resized(&mut self, c: &'p ExprMethodCall, name: &str, old: NodeId, args: &[NodeId]) -> Result<[NodeId; 2]> {
        let (span, unit) = (self.span(c), self.unit());
        let kind = self.kind(&c.receiver)?;
        let form = self.layout(&kind)?;
        let end_at = |me: &mut Self, end: NodeId| {
            let none = me.unit();
            let slice = me.prim(Prim::Slice, &[none, end, none, none], span);
            me.item(&form, old, slice, span)
        };
        Ok(match (name, args) {
            ("push", &[value]) => {
                let list = |me: &mut Self| Ok(me.appended(&form, old, value, span));
                [self.by_lists(span, list, |me| me.grown(&kind, &form, old, value, span))?, unit]
            }
            ("extend_from_slice", &[more]) => {
                let extend =
                    |me: &mut Self| Ok(me.each(&form, &[old, more], span, &mut |me, both| me.prim(Prim::Extend, both, span)));
                [self.by_lists(span, extend, |me| Ok(me.joined(&form, old, more, span)))?, unit]
            }
            ("truncate", &[length]) => {
                let all = self.length_of(&form, old, span);
                let length = self.prim(Prim::Min, &[all, length], span);
                [end_at(self, length), unit]
            }
            ("pop", _) => {
                let (length, zero, one) = (self.length_of(&form, old, span), self.m.i64(0), self.m.i64(1));
                let exists = self.prim(Prim::Gt, &[length, zero], span);
                let last = self.prim(Prim::Sub, &[length, one], span);
                let value = self.some_where(exists, span, |me| me.item(&form, old, last, span))?;
                let last = self.prim(Prim::Max, &[last, zero], span);
                [end_at(self, last), value]
            }
            _ => {
                let zero = self.m.i64(0);
                [end_at(self, zero), unit]
            }
        })
    }
}

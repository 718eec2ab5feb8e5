//! The methods of arrays. What changes an array makes another one, which is put in its place.

use super::iterators::{At, Walk};
use super::place::Bound;
use super::{Lowerer, Result};
use crate::check::Form;
use crate::refusal::Refusal;
use crate::types::Kind;
use gradus_ir::{ArrayOp, Const, NodeId, Prim, Span};
use syn::{Expr, ExprMethodCall};

impl<'p> Lowerer<'p> {
    pub(super) fn array_method(&mut self, e: &'p Expr, c: &'p ExprMethodCall, name: &str) -> Result<NodeId> {
        let span = self.span(c);
        if matches!(name, "swap" | "fill" | "copy_from_slice" | "clone_from_slice") {
            return self.change_array(c, name, span);
        }
        if matches!(name, "push" | "pop" | "truncate" | "extend_from_slice" | "clear") {
            let args = c.args.iter().map(|e: &'p Expr| self.expr(e)).collect::<Result<Vec<_>>>()?;
            let place = self.place(&c.receiver)?;
            let old = self.read_place(&place, span);
            let [new, given] = self.resized(c, name, old, &args)?;
            self.put(&place, new, span);
            return Ok(given);
        }
        let array = self.expr(&c.receiver)?;
        let form = self.layout(&self.kind(&c.receiver)?)?;
        match name {
            "len" => Ok(self.length_of(&form, array, span)),
            "is_empty" => {
                let (length, zero) = (self.length_of(&form, array, span), self.m.i64(0));
                Ok(self.prim(Prim::Eq, &[length, zero], span))
            }
            "first" | "last" | "get" => {
                let (length, one) = (self.length_of(&form, array, span), self.m.i64(1));
                let at = match (name, c.args.first()) {
                    (_, Some(index)) => self.expr(index)?,
                    ("first", _) => self.m.i64(0),
                    _ => self.prim(Prim::Sub, &[length, one], span),
                };
                // Of nothing, the last has the place before the first.
                let (size, zero) = (self.prim(Prim::Lt, &[at, length], span), self.m.i64(0));
                let not_before = self.prim(Prim::Ge, &[at, zero], span);
                let exists = self.prim(Prim::And, &[size, not_before], span);
                self.some_where(exists, span, |me| me.item(&form, array, at, span))
            }
            "map" => {
                let (from, to) = (self.m.i64(0), self.length_of(&form, array, span));
                let at = At::Mapped(&c.args[0], Box::new(At::Element(form, Bound::Value(array))));
                self.collected(e, &Walk { from, to, at }, false, span)
            }
            "contains" => {
                let sought = self.expr(&c.args[0])?;
                let Kind::Array(element) = self.kind(&c.receiver)? else { unreachable!("it is an array") };
                let element = self.form_of(self.checked.clone().types.kind(element))?;
                let (from, to) = (self.m.i64(0), self.length_of(&form, array, span));
                let walk = Walk { from, to, at: At::Element(form, Bound::Value(array)) };
                let [yes, no] = [true, false].map(|v| self.m.bool(v));
                self.search(&walk, no, span, |me, x| {
                    let x = me.bound_value(x, span);
                    Ok([me.equal(&element, x, sought, span)?, yes])
                })
            }
            "to_vec" | "to_owned" => self.copied(&form, array, span),
            "as_slice" => Ok(array),
            _ => Err(Refusal::new(c, "an iterator is no value here").hint("use it where it is made")),
        }
    }

    fn change_array(&mut self, c: &'p ExprMethodCall, name: &str, span: Span) -> Result<NodeId> {
        let args = c.args.iter().map(|e: &'p Expr| self.expr(e)).collect::<Result<Vec<_>>>()?;
        let place = self.place(&c.receiver)?;
        let old = self.read_place(&place, span);
        let form = self.layout(&self.kind(&c.receiver)?)?;
        let new = match (name, &args[..]) {
            ("swap", &[i, j]) => {
                let [a, b] = [i, j].map(|at| self.item(&form, old, at, span));
                let half = self.with_item(&form, old, i, b, span);
                self.with_item(&form, half, j, a, span)
            }
            (_, args) => {
                let none = self.unit();
                let all = self.prim(Prim::Slice, &[none, none, none, none], span);
                self.with_item(&form, old, all, args[0], span)
            }
        };
        self.put(&place, new, span);
        Ok(self.unit())
    }

    /// Zero, of a type of numbers.
    pub(super) fn zero_of(&mut self, kind: &Kind) -> NodeId {
        match kind {
            Kind::Bool => self.m.bool(false),
            Kind::Int(_) | Kind::Integer => self.m.i64(0),
            _ => self.m.f64(0.0),
        }
    }

    /// An array with one more element. Before the first, how long rows are is not known.
    pub(super) fn grown(&mut self, kind: &Kind, form: &Form, array: NodeId, value: NodeId, span: Span) -> Result<NodeId> {
        let one = self.array_of(form, &[value], span);
        let Kind::Array(element) = kind else { unreachable!("it is an array") };
        if !matches!(self.checked.types.kind(*element), Kind::Array(_)) && !form.has_array() {
            return Ok(self.joined(form, array, one, span));
        }
        let (length, zero) = (self.length_of(form, array, span), self.m.i64(0));
        let is_first = self.prim(Prim::Eq, &[length, zero], span);
        self.chosen(is_first, span, |_| Ok(one), |me| Ok(me.joined(form, array, one, span)))
    }

    /// Two arrays behind each other. A loop in which an array grows is unrolled, since each length has its own type.
    pub(super) fn joined(&mut self, form: &Form, a: NodeId, b: NodeId, span: Span) -> NodeId {
        let axis = self.m.i64(0);
        self.each(form, &[a, b], span, &mut |me, both| {
            let both = me.prim(Prim::Tuple, both, span);
            me.prim(Prim::Lift(ArrayOp::Concat), &[both, axis], span)
        })
    }

    /// As many of a number, or of a struct of numbers, as a shape has.
    pub(super) fn broadcast(&mut self, form: &Form, value: NodeId, lengths: &[NodeId], span: Span) -> NodeId {
        let shape = self.prim(Prim::Tuple, lengths, span);
        self.each(form, &[value], span, &mut |me, values| me.prim(Prim::Lift(ArrayOp::Broadcast), &[values[0], shape], span))
    }

    /// As many of an array as are said, in an array of one axis more: of each array among the parts of a value.
    pub(super) fn repeated(&mut self, form: &Form, value: NodeId, count: NodeId, span: Span) -> NodeId {
        let known = match self.m[count].as_const() {
            Some(&Const::I64(n)) => usize::try_from(n).ok(),
            _ => None,
        };
        self.each(form, &[value], span, &mut |me, values| {
            let items = match known {
                Some(n) => me.prim(Prim::Tuple, &vec![values[0]; n], span),
                None => {
                    let (none, from) = (me.prim(Prim::Tuple, &[], span), me.m.i64(0));
                    let walk = Walk { from, to: count, at: At::Count };
                    let append = |me: &mut Self, list, _: &Bound| Ok(me.prim(Prim::Append, &[list, values[0]], span));
                    me.fold(&walk, none, span, append).expect("nothing of this is refused")
                }
            };
            me.prim(Prim::AsArray, &[items], span)
        })
    }
}

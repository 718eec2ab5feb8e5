//! The methods of arrays. What changes an array makes another one, which is put in its place.

use super::{Lowerer, Result};
use crate::check::Form;
use crate::refusal::Refusal;
use crate::types::Kind;
use gradus_ir::{ArrayOp, NodeId, Prim, Span};
use syn::{Expr, ExprMethodCall};

impl<'p> Lowerer<'p> {
    pub(super) fn array_method(&mut self, c: &'p ExprMethodCall, name: &str) -> Result<NodeId> {
        let span = self.span(c);
        if matches!(name, "swap" | "fill" | "copy_from_slice" | "clone_from_slice" | "push" | "extend_from_slice" | "clear") {
            return self.change_array(c, name, span);
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
            "to_vec" | "to_owned" | "as_slice" => Ok(array),
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
            ("push", &[value]) => {
                let one = self.array_of(&form, &[value], span);
                self.joined(&form, old, one, span)
            }
            ("extend_from_slice", &[more]) => self.joined(&form, old, more, span),
            ("clear", _) => {
                let (none, zero) = (self.unit(), self.m.i64(0));
                let slice = self.prim(Prim::Slice, &[none, zero, none, none], span);
                self.item(&form, old, slice, span)
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

    /// The array of nothing, whose elements have a type all the same.
    pub(super) fn empty_array(&mut self, e: &'p Expr) -> Result<NodeId> {
        let (Kind::Array(element), span) = (self.kind(e)?, self.span(e)) else { unreachable!("it is an array") };
        let form = self.layout(self.checked.clone().types.kind(element))?;
        self.only_numbers(&form, e, "an empty array")?;
        let kind = self.checked.types.kind(element).clone();
        let zero = self.zero_of(&kind);
        let none = self.m.i64(0);
        let shape = self.prim(Prim::Tuple, &[none], span);
        Ok(self.prim(Prim::Lift(ArrayOp::Broadcast), &[zero, shape], span))
    }

    /// Zero, of a type of numbers.
    pub(super) fn zero_of(&mut self, kind: &Kind) -> NodeId {
        match kind {
            Kind::Bool => self.m.bool(false),
            Kind::Int(_) | Kind::Integer => self.m.i64(0),
            _ => self.m.f64(0.0),
        }
    }

    /// Two arrays behind each other. A loop in which an array grows is unrolled, since each length has its own type.
    fn joined(&mut self, form: &Form, a: NodeId, b: NodeId, span: Span) -> NodeId {
        let axis = self.m.i64(0);
        self.each(form, &[a, b], span, &mut |me, both| {
            let both = me.prim(Prim::Tuple, both, span);
            me.prim(Prim::Lift(ArrayOp::Concat), &[both, axis], span)
        })
    }
}

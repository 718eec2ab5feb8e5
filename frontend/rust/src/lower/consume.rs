//! What iterators come to an end with: sums, searches, collections.

use super::iterators::{At, Walk};
use super::place::Bound;
use super::{Lowerer, Result};
use crate::check::{Form, is_filtered};
use crate::refusal::Refusal;
use crate::types::Kind;
use gradus_ir::{ArrayOp, NodeId, Prim, Span};
use syn::{Expr, ExprMethodCall};

impl<'p> Lowerer<'p> {
    /// What becomes of all that there is, beginning with a value.
    fn fold(
        &mut self,
        walk: &Walk<'p>,
        start: NodeId,
        span: Span,
        step: impl FnOnce(&mut Self, NodeId, &Bound) -> Result<NodeId>,
    ) -> Result<NodeId> {
        let (state, unit) = (self.variable(start), self.unit());
        self.for_each(walk, &None, span, unit, |me, element| {
            let old = me.get(state);
            let new = step(me, old, element)?;
            me.set(state, new);
            Ok(())
        })?;
        Ok(self.get(state))
    }

    /// The first thing that something is found in, or else a value.
    pub(super) fn search(
        &mut self,
        walk: &Walk<'p>,
        otherwise: NodeId,
        span: Span,
        find: impl FnOnce(&mut Self, &Bound) -> Result<[NodeId; 2]>,
    ) -> Result<NodeId> {
        self.for_each(walk, &None, span, otherwise, |me, element| {
            let [is_found, found] = find(me, element)?;
            if !me.is_reachable() {
                return Ok(());
            }
            let [leave, on] = me.branch(is_found, span, ["found", "on"]);
            me.enter(leave);
            let around = me.loop_named(None);
            me.set(around.gives, found);
            me.jump(around.after, span);
            me.enter(on);
            Ok(())
        })
    }

    /// A sum or a product of all that there is.
    fn total(&mut self, walk: &Walk<'p>, op: syn::BinOp, kind: &Kind, starts: (f64, i64), span: Span) -> Result<NodeId> {
        let start = if *kind == Kind::F64 { self.m.f64(starts.0) } else { self.m.i64(starts.1) };
        self.fold(walk, start, span, |me, total, x| {
            let x = me.bound_value(x, span);
            Ok(me.operation(&op, kind, total, x, span))
        })
    }

    /// The tuple of what becomes of each element of an array or a tuple.
    pub(super) fn gathered(
        &mut self,
        form: &Form,
        values: NodeId,
        span: Span,
        f: impl FnOnce(&mut Self, NodeId) -> Result<NodeId>,
    ) -> Result<NodeId> {
        let (from, to) = (self.m.i64(0), self.length_of(form, values, span));
        let walk = Walk { from, to, at: At::Element(form.clone(), Bound::Value(values)) };
        let none = self.prim(Prim::Tuple, &[], span);
        self.fold(&walk, none, span, |me, list, x| {
            let x = me.bound_value(x, span);
            let x = f(me, x)?;
            Ok(me.prim(Prim::Append, &[list, x], span))
        })
    }

    /// A method that makes an iterator come to an end.
    pub(super) fn consumed(&mut self, e: &'p Expr, c: &'p ExprMethodCall) -> Result<NodeId> {
        let walk = self.walk(&c.receiver)?;
        let span = self.span(c);
        let args: Vec<&'p Expr> = c.args.iter().collect();
        match (&*c.method.to_string(), &args[..]) {
            ("count", []) if is_filtered(&c.receiver) => {
                let (zero, one) = (self.m.i64(0), self.m.i64(1));
                self.fold(&walk, zero, span, |me, count, _| Ok(me.prim(Prim::WrapAdd, &[count, one], span)))
            }
            ("count", []) => Ok(self.length(walk.from, walk.to, span)),
            // Rust adds to the identity of addition, which is -0.0.
            ("sum", []) => {
                let kind = self.kind(e)?;
                self.total(&walk, syn::BinOp::Add(Default::default()), &kind, (-0.0, 0), span)
            }
            ("product", []) => {
                let kind = self.kind(e)?;
                self.total(&walk, syn::BinOp::Mul(Default::default()), &kind, (1.0, 1), span)
            }
            ("fold", [start, f]) => {
                let start = self.expr(start)?;
                self.fold(&walk, start, span, |me, state, x| me.apply_to(f, &[Bound::Value(state), x.clone()], span))
            }
            ("for_each", [f]) => {
                let unit = self.unit();
                self.for_each(&walk, &None, span, unit, |me, x| me.apply_to(f, std::slice::from_ref(x), span).map(|_| ()))
            }
            (name @ ("any" | "all"), [f]) => {
                let is_any = name == "any";
                let [found, otherwise] = [is_any, !is_any].map(|b| self.m.bool(b));
                self.search(&walk, otherwise, span, |me, x| {
                    let holds = me.apply_to(f, std::slice::from_ref(x), span)?;
                    let is_found = if is_any { holds } else { me.prim(Prim::Not, &[holds], span) };
                    Ok([is_found, found])
                })
            }
            ("find", [f]) => {
                let none = self.unit();
                self.search(&walk, none, span, |me, x| {
                    let is_found = me.apply_to(f, std::slice::from_ref(x), span)?;
                    Ok([is_found, me.bound_value(x, span)])
                })
            }
            ("find_map", [f]) => {
                let none = self.unit();
                self.search(&walk, none, span, |me, x| {
                    let option = me.apply_to(f, std::slice::from_ref(x), span)?;
                    Ok([me.is_some(option, span), option])
                })
            }
            ("position", [f]) => {
                let (none, Walk { from, to, at }) = (self.unit(), walk);
                let walk = Walk { from, to, at: At::Numbered(from, Box::new(at)) };
                self.search(&walk, none, span, |me, both| {
                    let pair = Kind::Tuple(Vec::new());
                    let [number, x] = [0, 1].map(|i| me.bound_field(&pair, both, i, span));
                    let is_found = me.apply_to(f, &[x], span)?;
                    Ok([is_found, me.bound_value(&number, span)])
                })
            }
            (name @ ("min" | "max"), []) => {
                let (length, zero) = (self.length(walk.from, walk.to, span), self.m.i64(0));
                let prim = if name == "min" { Prim::Min } else { Prim::Max };
                let start = self.m.i64(if name == "min" { i64::MAX } else { i64::MIN });
                let extreme = self.fold(&walk, start, span, |me, best, x| {
                    let x = me.bound_value(x, span);
                    Ok(me.prim(prim, &[best, x], span))
                })?;
                let exists = self.prim(Prim::Gt, &[length, zero], span);
                self.some_where(exists, span, |_| extreme)
            }
            ("collect", []) => self.collected(e, &walk, span),
            _ => Err(Refusal::new(e, "an iterator is no value here").hint("use it where it is made")),
        }
    }

    /// The array of all that there is: one of zeros, which is written to.
    fn collected(&mut self, e: &'p Expr, walk: &Walk<'p>, span: Span) -> Result<NodeId> {
        let Kind::Array(element) = self.kind(e)? else { return Err(Refusal::unsupported(e, "a collection that is no `Vec`")) };
        let form = self.layout(self.checked.clone().types.kind(element))?;
        self.only_numbers(&form, e, "a collection")?;
        let kind = self.checked.types.kind(element).clone();
        let zero = self.zero_of(&kind);
        let length = self.length(walk.from, walk.to, span);
        let shape = self.prim(Prim::Tuple, &[length], span);
        let zeros = self.prim(Prim::Lift(ArrayOp::Broadcast), &[zero, shape], span);
        let state = self.variable(zeros);
        let next = self.m.i64(0);
        let (next, one, unit) = (self.variable(next), self.m.i64(1), self.unit());
        self.for_each(walk, &None, span, unit, |me, x| {
            let (x, at, old) = (me.bound_value(x, span), me.get(next), me.get(state));
            let new = me.prim(Prim::SetItem, &[old, at, x], span);
            let after = me.prim(Prim::WrapAdd, &[at, one], span);
            me.set(state, new);
            me.set(next, after);
            Ok(())
        })?;
        Ok(self.get(state))
    }
}

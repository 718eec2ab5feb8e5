//! What iterators come to an end with: sums, searches, collections.

use super::iterators::{At, Walk};
use super::place::Bound;
use super::{Lowerer, Result};
use crate::check::{Absent, Form, is_filtered};
use crate::refusal::Refusal;
use crate::types::Kind;
use gradus_ir::{NodeId, Prim, Span};
use syn::{Expr, ExprMethodCall};

impl<'p> Lowerer<'p> {
    /// What becomes of all that there is, beginning with a value.
    pub(super) fn fold(
        &mut self,
        walk: &Walk<'p>,
        start: NodeId,
        span: Span,
        step: impl FnOnce(&mut Self, NodeId, &Bound) -> Result<NodeId>,
    ) -> Result<NodeId> {
        self.fold_from(walk, walk.from, start, span, step)
    }

    /// The same, from a later count.
    fn fold_from(
        &mut self,
        walk: &Walk<'p>,
        from: NodeId,
        start: NodeId,
        span: Span,
        step: impl FnOnce(&mut Self, NodeId, &Bound) -> Result<NodeId>,
    ) -> Result<NodeId> {
        let (state, unit) = (self.variable(start), self.unit());
        self.for_each_from(walk, from, &None, span, unit, |me, element| {
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

    /// What there is at one count.
    fn single(&mut self, walk: &Walk<'p>, count: NodeId, span: Span) -> Result<NodeId> {
        let header = self.new_block("single", span);
        let bound = self.at(&walk.at, count, header, span)?;
        self.seal(header);
        Ok(self.bound_value(&bound, span))
    }

    /// What becomes of the first and each that follows; none of nothing.
    fn reduced(
        &mut self,
        walk: &Walk<'p>,
        is_filtered: bool,
        span: Span,
        step: impl Fn(&mut Self, NodeId, &Bound) -> Result<NodeId>,
    ) -> Result<NodeId> {
        if is_filtered {
            let none = self.unit();
            return self.fold(walk, none, span, |me, best, x| {
                let first = me.bound_value(x, span);
                me.either(best, span, |me, best| step(me, best, x), |_| Ok(first))
            });
        }
        let exists = self.prim(Prim::Lt, &[walk.from, walk.to], span);
        let reduce = |me: &mut Self| {
            let (first, one) = (me.single(walk, walk.from, span)?, me.m.i64(1));
            let from = me.prim(Prim::WrapAdd, &[walk.from, one], span);
            me.fold_from(walk, from, first, span, |me, best, x| step(me, best, x))
        };
        self.chosen(exists, span, reduce, |me| Ok(me.unit()))
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
            ("last" | "nth", args) => {
                let (length, one) = (self.length(walk.from, walk.to, span), self.m.i64(1));
                let number = match args.first() {
                    Some(n) => self.expr(n)?,
                    None => self.prim(Prim::WrapSub, &[length, one], span),
                };
                let (below, zero) = (self.prim(Prim::Lt, &[number, length], span), self.m.i64(0));
                let above = self.prim(Prim::Ge, &[number, zero], span);
                let exists = self.prim(Prim::And, &[below, above], span);
                let count = self.prim(Prim::WrapAdd, &[walk.from, number], span);
                self.chosen(exists, span, |me| me.single(&walk, count, span), |me| Ok(me.unit()))
            }
            ("reduce", [f]) => self.reduced(&walk, is_filtered(&c.receiver), span, |me, best, x| {
                me.apply_to(f, &[Bound::Value(best), x.clone()], span)
            }),
            (name @ ("min_by" | "max_by"), [_]) => {
                // Of equal ones, the first is the least and the last is the greatest.
                let prim = if name == "min_by" { Prim::Lt } else { Prim::Ge };
                self.reduced(&walk, false, span, |me, best, x| {
                    let x = me.bound_value(x, span);
                    let better = me.prim(prim, &[x, best], span);
                    me.chosen(better, span, |_| Ok(x), |_| Ok(best))
                })
            }
            ("collect", []) => self.collected(e, &walk, is_filtered(&c.receiver), span),
            _ => Err(Refusal::new(e, "an iterator is no value here").hint("use it where it is made")),
        }
    }

    /// The array of all that there is: one of zeros, which is written to, or where some are left out one that grows; or a list.
    pub(super) fn collected(&mut self, e: &'p Expr, walk: &Walk<'p>, grows: bool, span: Span) -> Result<NodeId> {
        let kind = self.kind(e)?;
        let Kind::Array(element) = kind else { return Err(Refusal::unsupported(e, "a collection that is no `Vec`")) };
        let form = self.layout(&kind)?;
        let Absent::Array(nothing, _) = self.nothing(&kind, e)? else { unreachable!("it is an array") };
        let is_row = matches!(self.checked.types.kind(element), Kind::Array(_)) || form.has_array();
        let grows = grows || is_row;
        let length = if grows { self.m.i64(0) } else { self.length(walk.from, walk.to, span) };
        let empty = |me: &mut Self| Ok(me.empty_lists(&form, span));
        let zeros = self.by_lists(span, empty, |me| Ok(me.zeros(&nothing, &mut vec![length], span)))?;
        let state = self.variable(zeros);
        let next = self.m.i64(0);
        let (next, one, unit) = (self.variable(next), self.m.i64(1), self.unit());
        self.for_each(walk, &None, span, unit, |me, x| {
            let (x, at, old) = (me.bound_value(x, span), me.get(next), me.get(state));
            let list = |me: &mut Self| Ok(me.appended(&form, old, x, span));
            let new = me.by_lists(span, list, |me| match grows {
                true => me.grown(&kind, &form, old, x, span),
                false => Ok(me.with_item(&form, old, at, x, span)),
            })?;
            let after = me.prim(Prim::WrapAdd, &[at, one], span);
            me.set(state, new);
            me.set(next, after);
            Ok(())
        })?;
        Ok(self.get(state))
    }
}

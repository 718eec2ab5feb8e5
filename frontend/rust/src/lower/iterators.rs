//! Iterators: a counter that goes from one number to another, and what there is at each count.
//!
//! So all of them go backwards and in steps, and several go together. Closures among the adapters are run where the loop is.

use super::{Lowerer, Result};
use crate::check::Use;
use crate::refusal::Refusal;
use crate::types::Kind;
use gradus_ir::{NodeId, Prim, Span};
use syn::{Expr, ExprMethodCall, RangeLimits};

/// What a loop goes over.
pub(super) struct Walk<'p> {
    /// The first count.
    from: NodeId,
    /// What the last is below.
    to: NodeId,
    at: At<'p>,
}

/// What there is at a count.
enum At<'p> {
    /// The count.
    Count,
    /// The element of an array.
    Element(NodeId),
    /// What there is at the count that is as far from this end: the sum of both.
    Reversed(NodeId, Box<At<'p>>),
    /// What there is at `from` and so many steps.
    Stepped { from: NodeId, step: NodeId, inner: Box<At<'p>> },
    /// How many were before, and what there is.
    Numbered(NodeId, Box<At<'p>>),
    /// What there is in both: the second count is further by the difference of these.
    Both(Box<At<'p>>, NodeId, Box<At<'p>>, NodeId),
    /// What a function gives for it.
    Mapped(&'p Expr, Box<At<'p>>),
}

impl<'p> Lowerer<'p> {
    /// Evaluates what a loop goes over.
    pub(super) fn walk(&mut self, e: &'p Expr) -> Result<Walk<'p>> {
        let span = self.span(e);
        match e {
            Expr::Paren(p) => self.walk(&p.expr),
            Expr::Reference(r) => self.walk(&r.expr),
            Expr::Range(r) => {
                let (Some(start), Some(end)) = (&r.start, &r.end) else { unreachable!("the check refuses open ranges") };
                let (from, mut to) = (self.expr(start)?, self.expr(end)?);
                if matches!(r.limits, RangeLimits::Closed(_)) {
                    let one = self.m.i64(1);
                    to = self.prim(Prim::Add, &[to, one], span);
                }
                Ok(Walk { from, to, at: At::Count })
            }
            Expr::MethodCall(c) if matches!(self.checked.kind(&c.receiver), Kind::Iter(_)) => self.adapted(c),
            Expr::MethodCall(c) if matches!(self.checked.kind(e), Kind::Iter(_)) => self.walk(&c.receiver),
            _ => {
                let array = self.expr(e)?;
                let (from, to) = (self.m.i64(0), self.prim(Prim::Len, &[array], span));
                Ok(Walk { from, to, at: At::Element(array) })
            }
        }
    }

    fn adapted(&mut self, c: &'p ExprMethodCall) -> Result<Walk<'p>> {
        let Walk { from, to, at } = self.walk(&c.receiver)?;
        let span = self.span(c);
        let inner = Box::new(at);
        let name = c.method.to_string();
        Ok(match (&*name, c.args.first()) {
            ("rev", None) => {
                let one = self.m.i64(1);
                let ends = self.prim(Prim::WrapAdd, &[from, to], span);
                let ends = self.prim(Prim::WrapSub, &[ends, one], span);
                Walk { from, to, at: At::Reversed(ends, inner) }
            }
            ("enumerate", None) => Walk { from, to, at: At::Numbered(from, inner) },
            ("step_by", Some(n)) => {
                let step = self.expr(n)?;
                let (zero, one) = (self.m.i64(0), self.m.i64(1));
                let length = self.length(from, to, span);
                let last = self.prim(Prim::WrapSub, &[step, one], span);
                let all = self.prim(Prim::Add, &[length, last], span);
                let count = self.prim(Prim::FloorDiv, &[all, step], span);
                Walk { from: zero, to: count, at: At::Stepped { from, step, inner } }
            }
            ("take", Some(n)) => {
                let n = self.expr(n)?;
                let length = self.length(from, to, span);
                let length = self.prim(Prim::Min, &[length, n], span);
                Walk { from, to: self.prim(Prim::WrapAdd, &[from, length], span), at: *inner }
            }
            ("skip", Some(n)) => {
                let n = self.expr(n)?;
                let length = self.length(from, to, span);
                let skipped = self.prim(Prim::Min, &[length, n], span);
                Walk { from: self.prim(Prim::WrapAdd, &[from, skipped], span), to, at: *inner }
            }
            ("zip", Some(other)) => {
                let other = self.walk(other)?;
                let lengths = [self.length(from, to, span), self.length(other.from, other.to, span)];
                let length = self.prim(Prim::Min, &lengths, span);
                let to = self.prim(Prim::WrapAdd, &[from, length], span);
                Walk { from, to, at: At::Both(inner, from, Box::new(other.at), other.from) }
            }
            ("map", Some(f)) => Walk { from, to, at: At::Mapped(f, inner) },
            _ => Walk { from, to, at: *inner },
        })
    }

    /// How many counts there are.
    fn length(&mut self, from: NodeId, to: NodeId, span: Span) -> NodeId {
        let zero = self.m.i64(0);
        if from == zero && self.m.as_prim(to) == Some(Prim::Len) {
            return to;
        }
        let length = self.prim(Prim::Sub, &[to, from], span);
        self.prim(Prim::Max, &[length, zero], span)
    }

    /// What there is at a count.
    fn at(&mut self, at: &At<'p>, count: NodeId, span: Span) -> Result<NodeId> {
        Ok(match at {
            At::Count => count,
            At::Element(array) => self.prim(Prim::GetItem, &[*array, count], span),
            At::Reversed(ends, inner) => {
                let count = self.prim(Prim::WrapSub, &[*ends, count], span);
                self.at(inner, count, span)?
            }
            At::Stepped { from, step, inner } => {
                let distance = self.prim(Prim::Mul, &[count, *step], span);
                let count = self.prim(Prim::WrapAdd, &[*from, distance], span);
                self.at(inner, count, span)?
            }
            At::Numbered(from, inner) => {
                let zero = self.m.i64(0);
                let number = if *from == zero { count } else { self.prim(Prim::WrapSub, &[count, *from], span) };
                let element = self.at(inner, count, span)?;
                self.prim(Prim::Tuple, &[number, element], span)
            }
            At::Both(first, from, second, other_from) => {
                let a = self.at(first, count, span)?;
                let other = if from == other_from {
                    count
                } else {
                    let distance = self.prim(Prim::WrapSub, &[*other_from, *from], span);
                    self.prim(Prim::WrapAdd, &[count, distance], span)
                };
                let b = self.at(second, other, span)?;
                self.prim(Prim::Tuple, &[a, b], span)
            }
            At::Mapped(f, inner) => {
                let element = self.at(inner, count, span)?;
                self.apply(f, &[element], span)?
            }
        })
    }

    /// What a function gives that an iterator calls. A closure is run here.
    fn apply(&mut self, f: &'p Expr, args: &[NodeId], span: Span) -> Result<NodeId> {
        match (f, self.checked.used(f).clone()) {
            (Expr::Closure(c), _) => {
                c.inputs.iter().zip(args).try_for_each(|(p, &v)| self.pattern(p, v))?;
                self.expr(&c.body)
            }
            (_, Use::Method(name)) => {
                let Kind::Fn(params, _) = self.kind(f)? else { unreachable!("a method is a function") };
                let kind = self.checked.types.kind(params[0]).clone();
                Ok(self.number_method(&kind, &name, args, span))
            }
            _ => {
                let callee = self.expr(f)?;
                Ok(self.call_node(callee, args, span))
            }
        }
    }

    /// A loop over all that there is.
    pub(super) fn for_each(
        &mut self,
        walk: &Walk<'p>,
        label: &Option<syn::Label>,
        span: Span,
        body: impl FnOnce(&mut Self, NodeId) -> Result<()>,
    ) -> Result<NodeId> {
        if !self.is_reachable() {
            return Ok(self.unit());
        }
        let counter = self.variable(walk.from);
        let header = self.header(span);
        let count = self.get(counter);
        let more = self.prim(Prim::Lt, &[count, walk.to], span);
        let [inside, done] = self.branch(more, span, ["body", "done"]);
        self.enter(inside);
        // The count is below another, so one more is no overflow.
        let one = self.m.i64(1);
        let next = self.prim(Prim::WrapAdd, &[count, one], span);
        self.set(counter, next);
        self.body(label, header, Some(done), span, |me| {
            let element = me.at(&walk.at, count, span)?;
            body(me, element)
        })
    }

    /// What becomes of all that there is, beginning with a value.
    fn fold(
        &mut self,
        walk: &Walk<'p>,
        start: NodeId,
        span: Span,
        step: impl FnOnce(&mut Self, NodeId, NodeId) -> Result<NodeId>,
    ) -> Result<NodeId> {
        let state = self.variable(start);
        self.for_each(walk, &None, span, |me, element| {
            let old = me.get(state);
            let new = step(me, old, element)?;
            me.set(state, new);
            Ok(())
        })?;
        Ok(self.get(state))
    }

    /// A method that makes an iterator come to an end.
    pub(super) fn consumed(&mut self, e: &'p Expr, c: &'p ExprMethodCall) -> Result<NodeId> {
        let walk = self.walk(&c.receiver)?;
        let span = self.span(c);
        let args: Vec<&'p Expr> = c.args.iter().collect();
        match (&*c.method.to_string(), &args[..]) {
            ("count", []) => Ok(self.length(walk.from, walk.to, span)),
            ("sum", []) => {
                let kind = self.kind(e)?;
                let op = syn::BinOp::Add(Default::default());
                // Rust adds to the identity of addition, which is -0.0.
                let start = if kind == Kind::F64 { self.m.f64(-0.0) } else { self.m.i64(0) };
                self.fold(&walk, start, span, |me, sum, x| Ok(me.operation(&op, &kind, sum, x, span)))
            }
            ("product", []) => {
                let kind = self.kind(e)?;
                let op = syn::BinOp::Mul(Default::default());
                let start = if kind == Kind::F64 { self.m.f64(1.0) } else { self.m.i64(1) };
                self.fold(&walk, start, span, |me, product, x| Ok(me.operation(&op, &kind, product, x, span)))
            }
            ("fold", [start, f]) => {
                let start = self.expr(start)?;
                self.fold(&walk, start, span, |me, state, x| me.apply(f, &[state, x], span))
            }
            ("for_each", [f]) => self.for_each(&walk, &None, span, |me, x| me.apply(f, &[x], span).map(|_| ())),
            _ => Err(Refusal::new(e, "an iterator is no value here").hint("use it where it is made")),
        }
    }
}

//! `Option`: a value of the program that may be `None`, as in Python. What tells both apart is a branch, behind which the value is known.

use super::{Lowerer, Result};
use gradus_ir::{NodeId, Prim, Span};
use syn::{Expr, ExprMethodCall};

impl<'p> Lowerer<'p> {
    /// Whether an option is `Some`.
    pub(super) fn is_some(&mut self, option: NodeId, span: Span) -> NodeId {
        let none = self.unit();
        self.prim(Prim::Ne, &[option, none], span)
    }

    /// What is in an option that is known to be `Some`.
    pub(super) fn content(&mut self, option: NodeId, span: Span) -> NodeId {
        let none = self.unit();
        self.prim(Prim::NarrowTo, &[option, none], span)
    }

    /// What becomes of the content of an option, or else of nothing.
    pub(super) fn either(
        &mut self,
        option: NodeId,
        span: Span,
        some: impl FnOnce(&mut Self, NodeId) -> Result<NodeId>,
        none: impl FnOnce(&mut Self) -> Result<NodeId>,
    ) -> Result<NodeId> {
        if !self.is_reachable() {
            return Ok(option);
        }
        let exists = self.is_some(option, span);
        let some = |me: &mut Self| {
            let content = me.content(option, span);
            some(me, content)
        };
        self.chosen(exists, span, some, none)
    }

    /// `option?`: the function ends with `None`, or control goes on with the content.
    pub(super) fn try_option(&mut self, t: &'p syn::ExprTry) -> Result<NodeId> {
        let option = self.expr(&t.expr)?;
        let span = self.span(t);
        self.either(
            option,
            span,
            |_, content| Ok(content),
            |me| {
                let none = me.unit();
                me.give(none, span);
                Ok(none)
            },
        )
    }

    pub(super) fn option_method(&mut self, c: &'p ExprMethodCall) -> Result<NodeId> {
        let option = self.expr(&c.receiver)?;
        let span = self.span(c);
        let args: Vec<&'p Expr> = c.args.iter().collect();
        match (&*c.method.to_string(), &args[..]) {
            ("is_some", _) => Ok(self.is_some(option, span)),
            ("is_none", _) => {
                let none = self.unit();
                Ok(self.prim(Prim::Eq, &[option, none], span))
            }
            ("unwrap", _) => self.unwrapped(option, "called `Option::unwrap()` on a `None` value", span),
            ("expect", [Expr::Lit(l)]) if let syn::Lit::Str(message) = &l.lit => {
                let message = message.value().replace('{', "{{").replace('}', "}}");
                self.unwrapped(option, &message, span)
            }
            ("unwrap_or", [other]) => {
                let other = self.expr(other)?;
                self.either(option, span, |_, content| Ok(content), |_| Ok(other))
            }
            ("unwrap_or_else", [f]) => self.either(option, span, |_, content| Ok(content), |me| me.apply(f, &[], span)),
            ("or", [other]) => {
                let other = self.expr(other)?;
                self.either(option, span, |_, content| Ok(content), |_| Ok(other))
            }
            ("or_else", [f]) => self.either(option, span, |_, content| Ok(content), |me| me.apply(f, &[], span)),
            ("map" | "and_then", [f]) => {
                self.either(option, span, |me, content| me.apply(f, &[content], span), |me| Ok(me.unit()))
            }
            ("ok_or", [error]) => {
                let error = self.error(error)?;
                self.either(
                    option,
                    span,
                    |me, content| Ok(me.outcome(true, content, span)),
                    |me| Ok(me.outcome(false, error, span)),
                )
            }
            ("ok_or_else", [f]) => self.either(
                option,
                span,
                |me, content| Ok(me.outcome(true, content, span)),
                |me| {
                    let error = me.apply(f, &[], span)?;
                    Ok(me.outcome(false, error, span))
                },
            ),
            ("map_or", [other, f]) => {
                let other = self.expr(other)?;
                self.either(option, span, |me, content| me.apply(f, &[content], span), |_| Ok(other))
            }
            (name @ ("is_some_and" | "is_none_or"), [f]) => {
                let otherwise = self.m.bool(name == "is_none_or");
                self.either(option, span, |me, content| me.apply(f, &[content], span), |_| Ok(otherwise))
            }
            ("filter", [f]) => self.either(
                option,
                span,
                |me, content| {
                    let kept = me.apply(f, &[content], span)?;
                    me.some_where(kept, span, |_| content)
                },
                |me| Ok(me.unit()),
            ),
            _ => Ok(option),
        }
    }

    /// One value where a condition holds, and else another.
    pub(super) fn chosen(
        &mut self,
        condition: NodeId,
        span: Span,
        some: impl FnOnce(&mut Self) -> Result<NodeId>,
        none: impl FnOnce(&mut Self) -> Result<NodeId>,
    ) -> Result<NodeId> {
        if !self.is_reachable() {
            return Ok(condition);
        }
        let result = self.temp();
        let join = self.new_block("join", span);
        let [there, nothing] = self.branch(condition, span, ["some", "none"]);
        self.enter(there);
        let value = some(self)?;
        self.set(result, value);
        self.jump(join, span);
        self.enter(nothing);
        let value = none(self)?;
        self.set(result, value);
        self.jump(join, span);
        self.join(join, result)
    }

    /// `Some` of a value where a condition holds, and else `None`.
    pub(super) fn some_where(
        &mut self,
        condition: NodeId,
        span: Span,
        value: impl FnOnce(&mut Self) -> NodeId,
    ) -> Result<NodeId> {
        self.chosen(condition, span, |me| Ok(value(me)), |me| Ok(me.unit()))
    }

    fn unwrapped(&mut self, option: NodeId, message: &str, span: Span) -> Result<NodeId> {
        self.either(
            option,
            span,
            |_, content| Ok(content),
            |me| {
                me.fail(message, &[], span);
                Ok(me.unit())
            },
        )
    }
}

//! `Result`: whether it is `Ok`, the value or `None`, and the error or `None`.

use super::{Lowerer, Result};
use crate::types::Kind;
use gradus_ir::{NodeId, Prim, Span};
use syn::{Expr, ExprMethodCall};

impl<'p> Lowerer<'p> {
    /// `Ok(value)` or `Err(error)`.
    pub(super) fn outcome(&mut self, ok: bool, content: NodeId, span: Span) -> NodeId {
        let (flag, none) = (self.m.bool(ok), self.unit());
        let parts = if ok { [flag, content, none] } else { [flag, none, content] };
        self.prim(Prim::Tuple, &parts, span)
    }

    /// An argument of `Err`: what it says in text is not kept.
    pub(super) fn error(&mut self, e: &'p Expr) -> Result<NodeId> {
        if *self.checked.kind(e) == Kind::Text { Ok(self.m.i64(0)) } else { self.expr(e) }
    }

    pub(super) fn is_ok(&mut self, result: NodeId, span: Span) -> NodeId {
        self.field(&Kind::Tuple(Vec::new()), result, 0, span)
    }

    /// The value of a result that is known to be `Ok`, or the error of one that is `Err`.
    pub(super) fn content_of(&mut self, of: &Kind, result: NodeId, ok: bool, span: Span) -> NodeId {
        let content = self.field(&Kind::Tuple(Vec::new()), result, if ok { 1 } else { 2 }, span);
        let &Kind::Result(value, error) = of else { unreachable!("it is a result") };
        match self.checked.types.kind(if ok { value } else { error }) {
            // These may be `None` themselves.
            Kind::Option(_) => content,
            Kind::Tuple(items) if items.is_empty() => content,
            _ => self.content(content, span),
        }
    }

    /// What becomes of the value of a result, or else of the error.
    fn either_outcome(
        &mut self,
        of: &Kind,
        result: NodeId,
        span: Span,
        ok: impl FnOnce(&mut Self, NodeId) -> Result<NodeId>,
        error: impl FnOnce(&mut Self, NodeId) -> Result<NodeId>,
    ) -> Result<NodeId> {
        let is_ok = self.is_ok(result, span);
        let some = |me: &mut Self| {
            let content = me.content_of(of, result, true, span);
            ok(me, content)
        };
        self.chosen(is_ok, span, some, |me| {
            let content = me.content_of(of, result, false, span);
            error(me, content)
        })
    }

    /// `result?`: the function ends with the error, or control goes on with the value.
    pub(super) fn try_result(&mut self, t: &'p syn::ExprTry) -> Result<NodeId> {
        let (result, of, span) = (self.expr(&t.expr)?, self.kind(&t.expr)?, self.span(t));
        self.either_outcome(
            &of,
            result,
            span,
            |_, value| Ok(value),
            |me, error| {
                let failed = me.outcome(false, error, span);
                me.give(failed, span);
                Ok(me.unit())
            },
        )
    }

    pub(super) fn result_method(&mut self, c: &'p ExprMethodCall) -> Result<NodeId> {
        let (result, of, span) = (self.expr(&c.receiver)?, self.kind(&c.receiver)?, self.span(c));
        let args: Vec<&'p Expr> = c.args.iter().collect();
        match (&*c.method.to_string(), &args[..]) {
            ("is_ok", _) => Ok(self.is_ok(result, span)),
            ("is_err", _) => {
                let is_ok = self.is_ok(result, span);
                Ok(self.prim(Prim::Not, &[is_ok], span))
            }
            ("ok", _) => self.either_outcome(&of, result, span, |_, value| Ok(value), |me, _| Ok(me.unit())),
            ("err", _) => self.either_outcome(&of, result, span, |me, _| Ok(me.unit()), |_, error| Ok(error)),
            ("expect", [Expr::Lit(l)]) if let syn::Lit::Str(message) = &l.lit => {
                let message = message.value().replace('{', "{{").replace('}', "}}");
                self.unwrapped_outcome(&of, result, &message, span)
            }
            ("unwrap_or", [other]) => {
                let other = self.expr(other)?;
                self.either_outcome(&of, result, span, |_, value| Ok(value), |_, _| Ok(other))
            }
            ("unwrap_or_else", [f]) => {
                self.either_outcome(&of, result, span, |_, value| Ok(value), |me, error| me.apply(f, &[error], span))
            }
            ("map", [f]) => self.either_outcome(
                &of,
                result,
                span,
                |me, value| {
                    let value = me.apply(f, &[value], span)?;
                    Ok(me.outcome(true, value, span))
                },
                |me, error| Ok(me.outcome(false, error, span)),
            ),
            ("map_err", [f]) => self.either_outcome(
                &of,
                result,
                span,
                |me, value| Ok(me.outcome(true, value, span)),
                |me, error| {
                    let error = me.apply(f, &[error], span)?;
                    Ok(me.outcome(false, error, span))
                },
            ),
            ("map_or", [other, f]) => {
                let other = self.expr(other)?;
                self.either_outcome(&of, result, span, |me, value| me.apply(f, &[value], span), |_, _| Ok(other))
            }
            ("and_then", [f]) => self.either_outcome(
                &of,
                result,
                span,
                |me, value| me.apply(f, &[value], span),
                |me, error| Ok(me.outcome(false, error, span)),
            ),
            _ => self.unwrapped_outcome(&of, result, "called `Result::unwrap()` on an `Err` value", span),
        }
    }

    fn unwrapped_outcome(&mut self, of: &Kind, result: NodeId, message: &str, span: Span) -> Result<NodeId> {
        self.either_outcome(
            of,
            result,
            span,
            |_, value| Ok(value),
            |me, _| {
                me.fail(message, &[], span);
                Ok(me.unit())
            },
        )
    }
}

//! Calls.

use super::place::Place;
use super::{Lowerer, Result};
use crate::check::{Use, behind_mut, is_changed, range_of};
use crate::program::FunctionId;
use crate::refusal::Refusal;
use crate::types::Kind;
use gradus_ir::{NodeId, Prim, Span};
use syn::{Expr, ExprMethodCall};

impl<'p> Lowerer<'p> {
    pub(super) fn call(&mut self, e: &'p Expr, c: &'p syn::ExprCall) -> Result<NodeId> {
        let span = self.span(c);
        if let Use::Method(name) = self.checked.used(&c.func).clone() {
            let args = c.args.iter().map(|e| self.expr(e)).collect::<Result<Vec<_>>>()?;
            let kind = self.kind(&c.args[0])?;
            return Ok(self.number_method(&kind, &name, &args, span));
        }
        if let (Expr::Macro(_), Some(Expr::Lit(l))) = (&*c.func, c.args.first())
            && let syn::Lit::Str(template) = &l.lit
        {
            if let Some(text) = c.args.iter().skip(1).find(|e| *self.checked.kind(e) == Kind::Text) {
                return Err(Refusal::unsupported(text, "what an error says").hint("use an enum for errors"));
            }
            let values = c.args.iter().skip(1).map(|e| self.expr(e)).collect::<Result<Vec<_>>>()?;
            let span = self.span(&c.func);
            self.fail(&template.value(), &values, span);
            return Ok(self.unit());
        }
        match *self.checked.used(&c.func) {
            // An option is the value itself or nothing.
            Use::Some => self.expr(&c.args[0]),
            Use::Result(ok) => {
                let content = self.error(&c.args[0])?;
                Ok(self.outcome(ok, content, span))
            }
            Use::From => {
                let (value, from) = (self.expr(&c.args[0])?, self.kind(&c.args[0])?);
                let to = self.kind(e)?;
                Ok(self.cast(value, &from, &to, span))
            }
            Use::Data(shape) => {
                let members = c.args.iter().map(|e| self.expr(e)).collect::<Result<Vec<_>>>()?;
                self.made(shape, &members, span)
            }
            Use::Function(f) => {
                let args: Vec<&'p Expr> = c.args.iter().collect();
                self.call_function(f, &args, span)
            }
            Use::Local(local) if let Some(changed) = self.checked.clone().changing.get(&local) => {
                let callee = self.expr(&c.func)?;
                let mut args = c.args.iter().map(|e| self.expr(e)).collect::<Result<Vec<_>>>()?;
                let changed = self.roots(changed);
                let places: Vec<Place> = changed.iter().map(|&local| self.place_of(local)).collect();
                args.extend(changed.iter().map(|&local| self.variable_value(local)));
                let given = self.call_node(callee, &args, span);
                Ok(self.take_back(given, &places, span))
            }
            _ => {
                let callee = self.expr(&c.func)?;
                let args = c.args.iter().map(|e| self.expr(e)).collect::<Result<Vec<_>>>()?;
                Ok(self.call_node(callee, &args, span))
            }
        }
    }

    /// Calls a function of the program. What it changes of its arguments is at their places from then on.
    pub(super) fn call_function(&mut self, f: FunctionId, args: &[&'p Expr], span: Span) -> Result<NodeId> {
        let (signature, _) = self.program.function(f);
        let (mut values, mut places) = (Vec::new(), Vec::new());
        for (arg, param) in args.iter().zip(&signature.inputs) {
            if is_changed(param) {
                let place = self.place(behind_mut(arg))?;
                values.push(self.read_place(&place, span));
                places.push(place);
            } else {
                values.push(self.expr(arg)?);
            }
        }
        let graph = self.graph_of(f);
        let callee = self.m.graph_ref(graph);
        let given = self.call_node(callee, &values, span);
        Ok(self.take_back(given, &places, span))
    }

    /// The result of a function that hands back what it changed, which is put where it came from.
    fn take_back(&mut self, given: NodeId, places: &[Place], span: Span) -> NodeId {
        if places.is_empty() || !self.is_reachable() {
            return given;
        }
        let all = Kind::Tuple(Vec::new());
        for (i, place) in places.iter().enumerate() {
            let value = self.field(&all, given, i + 1, span);
            self.put(place, value, span);
        }
        self.field(&all, given, 0, span)
    }

    /// `(a..b).contains(&x)`
    fn in_range(&mut self, c: &'p ExprMethodCall, r: &'p syn::ExprRange) -> Result<NodeId> {
        let (value, span) = (self.expr(&c.args[0])?, self.span(c));
        let below = if matches!(r.limits, syn::RangeLimits::Closed(_)) { Prim::Le } else { Prim::Lt };
        let mut all = self.m.bool(true);
        for (bound, prim) in [(&r.start, Prim::Ge), (&r.end, below)] {
            if let Some(bound) = bound {
                let bound = self.expr(bound)?;
                let holds = self.prim(prim, &[value, bound], span);
                all = self.prim(Prim::And, &[all, holds], span);
            }
        }
        Ok(all)
    }

    pub(super) fn method_call(&mut self, e: &'p Expr, c: &'p ExprMethodCall) -> Result<NodeId> {
        if let Some(r) = range_of(c) {
            return self.in_range(c, r);
        }
        let name = c.method.to_string();
        if name == "clone" {
            return self.expr(&c.receiver);
        }
        let kind = self.kind(&c.receiver)?;
        if let Kind::Iter(_) = kind {
            return self.consumed(e, c);
        }
        if let Kind::Option(_) = kind {
            return self.option_method(c);
        }
        if let Kind::Result(..) = kind {
            return self.result_method(c);
        }
        if let Some(f) = self.checked.method(c) {
            let args: Vec<&'p Expr> = std::iter::once(&*c.receiver).chain(&c.args).collect();
            let span = self.span(c);
            return self.call_function(f, &args, span);
        }
        if let Kind::Array(_) = kind {
            return self.array_method(e, c, &name);
        }
        let this = self.expr(&c.receiver)?;
        let rest = c.args.iter().map(|e| self.expr(e)).collect::<Result<Vec<_>>>()?;
        let args = [&[this], &rest[..]].concat();
        let span = self.span(c);
        match kind {
            Kind::F64 | Kind::Int(_) => Ok(self.number_method(&kind, &name, &args, span)),
            _ => Err(Refusal::new(e, "an iterator is no value here").hint("use it where it is made")),
        }
    }
}

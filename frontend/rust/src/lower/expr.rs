//! Expressions.

use super::{Lowerer, Result};
use crate::check::{Use, is_empty_vec};
use crate::program::{Constant, integer};
use crate::refusal::Refusal;
use crate::types::Kind;
use gradus_ir::{NodeId, Prim};
use quote::ToTokens;
use syn::{BinOp, Expr, Lit, UnOp};

impl<'p> Lowerer<'p> {
    pub(super) fn expr(&mut self, e: &'p Expr) -> Result<NodeId> {
        match e {
            Expr::Lit(l) => self.literal(&l.lit),
            Expr::Path(_) => self.path(e),
            Expr::Paren(p) => self.expr(&p.expr),
            Expr::Group(g) => self.expr(&g.expr),
            Expr::Reference(r) => self.expr(&r.expr),
            Expr::Unary(u) => self.unary(u),
            Expr::Binary(b) => self.binary(b),
            Expr::Assign(a) => {
                let value = self.expr(&a.right)?;
                self.assign(&a.left, value)?;
                Ok(self.unit())
            }
            Expr::Cast(c) => {
                let value = self.expr(&c.expr)?;
                let (from, to) = (self.kind(&c.expr)?, self.kind(e)?);
                let span = self.span(c);
                Ok(self.cast(value, &from, &to, span))
            }
            Expr::Tuple(t) if t.elems.is_empty() => Ok(self.unit()),
            Expr::Tuple(t) => {
                let items = t.elems.iter().map(|e| self.expr(e)).collect::<Result<Vec<_>>>()?;
                let span = self.span(t);
                Ok(self.prim(Prim::Tuple, &items, span))
            }
            Expr::Array(a) => {
                let items = a.elems.iter().map(|e| self.expr(e)).collect::<Result<Vec<_>>>()?;
                let span = self.span(a);
                if items.is_empty() {
                    let nothing = self.nothing(&self.kind(e)?, e)?;
                    return Ok(self.zeros(&nothing, &mut Vec::new(), span));
                }
                let form = self.layout(&self.kind(e)?)?;
                Ok(self.array_of(&form, &items, span))
            }
            Expr::Repeat(r) => self.repeat(r),
            Expr::Index(_) | Expr::Field(_) => self.part(e),
            Expr::Struct(s) => self.structure(s),
            Expr::Try(t) if matches!(self.kind(&t.expr)?, Kind::Result(..)) => self.try_result(t),
            Expr::Try(t) => self.try_option(t),
            Expr::Call(c) if is_empty_vec(c) => self.empty_vector(e),
            Expr::Call(c) => self.call(e, c),
            Expr::MethodCall(c) => self.method_call(e, c),
            Expr::Closure(c) => self.closure(c),
            Expr::If(i) => self.if_else(i),
            Expr::Macro(m) if m.mac.path.is_ident("vec") => self.vector(self.program.expansion(&m.mac)?),
            Expr::Macro(m) => self.expr(self.program.expansion(&m.mac)?),
            Expr::Match(m) => self.matching(m),
            Expr::Block(b) => match &b.label {
                Some(label) => self.labelled_block(label, &b.block),
                None => self.block(&b.block),
            },
            Expr::While(w) => self.while_loop(w),
            Expr::Loop(l) => self.endless_loop(l),
            Expr::ForLoop(f) => self.for_loop(f),
            Expr::Break(b) => self.break_with(b),
            Expr::Continue(c) => {
                let label = c.label.as_ref().map(|l| l.ident.to_string());
                let header = self.loop_named(label).header;
                let span = self.span(c);
                self.jump(header, span);
                Ok(self.unit())
            }
            Expr::Return(r) => {
                let value = match &r.expr {
                    Some(e) => self.expr(e)?,
                    None => self.unit(),
                };
                let span = self.span(r);
                self.give(value, span);
                Ok(self.unit())
            }
            other => Err(Refusal::new(other, "an iterator is no value here").hint("use it where it is made")),
        }
    }

    pub(super) fn literal(&mut self, lit: &Lit) -> Result<NodeId> {
        let unreadable = |e: syn::Error| Refusal::new(lit, e.to_string());
        match lit {
            Lit::Bool(b) => Ok(self.m.bool(b.value)),
            Lit::Int(i) if i.suffix() != "f64" => i.base10_parse().map(|v| self.m.i64(v)).map_err(unreadable),
            Lit::Int(i) => i.base10_parse().map(|v| self.m.f64(v)).map_err(unreadable),
            Lit::Float(f) => f.base10_parse().map(|v| self.m.f64(v)).map_err(unreadable),
            _ => unreachable!("the check refuses other literals"),
        }
    }

    fn path(&mut self, e: &'p Expr) -> Result<NodeId> {
        match self.checked.used(e).clone() {
            Use::Local(local) => Ok(self.local(local)),
            Use::Function(f) => {
                let graph = self.graph_of(f);
                Ok(self.m.graph_ref(graph))
            }
            Use::Method(name) => self.method_value(e, &name),
            Use::Constant(c) => self.constant(e, &c),
            Use::Data(shape) => {
                let span = self.span(e);
                self.made(shape, &[], span)
            }
            Use::None => Ok(self.unit()),
            Use::Some | Use::Result(_) => {
                Err(Refusal::unsupported(e, "this as a function").hint("write a closure: `|x| Some(x)`"))
            }
            Use::From | Use::Elsewhere => Err(Refusal::new(e, "this name is not known")),
        }
    }

    pub(super) fn constant(&mut self, e: &impl ToTokens, c: &Constant) -> Result<NodeId> {
        match c {
            Constant::F64(v) => Ok(self.m.f64(*v)),
            Constant::Bool(v) => Ok(self.m.bool(*v)),
            Constant::Int(name, value) => match integer(name, *value) {
                Some((_, value)) => Ok(self.m.i64(value)),
                None => Err(Refusal::new(e, format!("{value} has no place in 64 bits with a sign"))),
            },
            Constant::Array(items) => {
                let items = items.iter().map(|c| self.constant(e, c)).collect::<Result<Vec<_>>>()?;
                let span = self.span(e);
                let items = self.prim(Prim::Tuple, &items, span);
                Ok(self.prim(Prim::AsArray, &[items], span))
            }
            Constant::Unknown => Err(Refusal::unsupported(e, "a constant of this type")),
            Constant::Data(of, variant, members) => {
                let members = members.iter().map(|c| self.constant(e, c)).collect::<Result<Vec<_>>>()?;
                let of = self.program.type_of(*of).expect("the types of constants are in the program");
                let variant = variant.and_then(|name| self.program.items[of].data.variant(name));
                let span = self.span(e);
                self.made((of, variant), &members, span)
            }
        }
    }

    fn unary(&mut self, u: &'p syn::ExprUnary) -> Result<NodeId> {
        if let Some(f) = self.checked.method(u) {
            let span = self.span(u);
            return self.call_function(f, &[&u.expr], span);
        }
        let value = self.expr(&u.expr)?;
        let span = self.span(u);
        match u.op {
            UnOp::Deref(_) => Ok(value),
            UnOp::Not(_) => match self.kind(&u.expr)? {
                Kind::Int(int) => Ok(self.complement(value, int, span)),
                _ => Ok(self.prim(Prim::Not, &[value], span)),
            },
            _ => {
                let kind = self.kind(&u.expr)?;
                let negated = self.prim(Prim::Neg, &[value], span);
                Ok(match kind {
                    Kind::Int(int) => self.within(negated, int, span),
                    _ => negated,
                })
            }
        }
    }

    fn binary(&mut self, b: &'p syn::ExprBinary) -> Result<NodeId> {
        match b.op {
            BinOp::And(_) => return self.short_circuit(&b.left, &b.right, true),
            BinOp::Or(_) => return self.short_circuit(&b.left, &b.right, false),
            _ => {}
        }
        if let Some(f) = self.checked.method(b) {
            let span = self.span(b);
            let given = self.call_function(f, &[&b.left, &b.right], span)?;
            // Both are of `PartialEq::eq`.
            return Ok(if matches!(b.op, BinOp::Ne(_)) { self.prim(Prim::Not, &[given], span) } else { given });
        }
        if let Some(op) = assigned(&b.op) {
            return self.assign_operation(b, op);
        }
        let (left, right) = (self.expr(&b.left)?, self.expr(&b.right)?);
        let kind = self.kind(&b.left)?;
        let span = self.span(b);
        if matches!(kind, Kind::Tuple(_) | Kind::Struct(_) | Kind::Array(_) | Kind::Option(_)) {
            return self.compared(&b.op, &kind, [left, right], b, span);
        }
        Ok(self.operation(&b.op, &kind, left, right, span))
    }

    /// `[value; n]`, of one axis for each such bracket.
    fn repeat(&mut self, r: &'p syn::ExprRepeat) -> Result<NodeId> {
        let span = self.span(r);
        let mut lengths = vec![self.expr(&r.len)?];
        let mut value = &*r.expr;
        while let Expr::Repeat(inner) = value {
            lengths.push(self.expr(&inner.len)?);
            value = &inner.expr;
        }
        let kind = self.kind(value)?;
        let form = self.layout(&kind)?;
        let value = self.expr(value)?;
        if matches!(kind, Kind::Array(_)) || form.has_array() {
            let repeat = |value, &count: &NodeId| self.repeated(&form, value, count, span);
            return Ok(lengths.iter().rev().fold(value, repeat));
        }
        Ok(self.broadcast(&form, value, &lengths, span))
    }
}

/// The operator that an assignment applies.
fn assigned(op: &BinOp) -> Option<BinOp> {
    use syn::token;
    Some(match op {
        BinOp::AddAssign(t) => BinOp::Add(token::Plus { spans: [t.spans[0]] }),
        BinOp::SubAssign(t) => BinOp::Sub(token::Minus { spans: [t.spans[0]] }),
        BinOp::MulAssign(t) => BinOp::Mul(token::Star { spans: [t.spans[0]] }),
        BinOp::DivAssign(t) => BinOp::Div(token::Slash { spans: [t.spans[0]] }),
        BinOp::RemAssign(t) => BinOp::Rem(token::Percent { spans: [t.spans[0]] }),
        BinOp::ShlAssign(t) => BinOp::Shl(token::Shl { spans: [t.spans[0], t.spans[1]] }),
        BinOp::ShrAssign(t) => BinOp::Shr(token::Shr { spans: [t.spans[0], t.spans[1]] }),
        BinOp::BitAndAssign(t) => BinOp::BitAnd(token::And { spans: [t.spans[0]] }),
        BinOp::BitOrAssign(t) => BinOp::BitOr(token::Or { spans: [t.spans[0]] }),
        BinOp::BitXorAssign(t) => BinOp::BitXor(token::Caret { spans: [t.spans[0]] }),
        _ => return None,
    })
}

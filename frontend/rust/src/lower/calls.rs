//! Calls.

use super::{Lowerer, Result};
use crate::check::Use;
use crate::refusal::Refusal;
use crate::types::Kind;
use gradus_ir::{NodeId, Prim};
use syn::{Expr, ExprMethodCall};

impl<'p> Lowerer<'p> {
    pub(super) fn call(&mut self, c: &'p syn::ExprCall) -> Result<NodeId> {
        let span = self.span(c);
        if let Use::Method(name) = self.checked.used(&c.func).clone() {
            let args = c.args.iter().map(|e| self.expr(e)).collect::<Result<Vec<_>>>()?;
            let kind = self.kind(&c.args[0])?;
            return Ok(self.number_method(&kind, &name, &args, span));
        }
        let callee = self.expr(&c.func)?;
        let args = c.args.iter().map(|e| self.expr(e)).collect::<Result<Vec<_>>>()?;
        Ok(self.call_node(callee, &args, span))
    }

    pub(super) fn method_call(&mut self, e: &'p Expr, c: &'p ExprMethodCall) -> Result<NodeId> {
        let name = c.method.to_string();
        if name == "clone" {
            return self.expr(&c.receiver);
        }
        let kind = self.kind(&c.receiver)?;
        if let Kind::Iter(_) = kind {
            return self.consumed(e, c);
        }
        let this = self.expr(&c.receiver)?;
        let rest = c.args.iter().map(|e| self.expr(e)).collect::<Result<Vec<_>>>()?;
        let args = [&[this], &rest[..]].concat();
        let span = self.span(c);
        match kind {
            Kind::F64 | Kind::Int(_) => Ok(self.number_method(&kind, &name, &args, span)),
            Kind::Struct(item) => {
                let f = self.program.method(item, &name).expect("the check found the method");
                let graph = self.graph_of(f);
                let callee = self.m.graph_ref(graph);
                Ok(self.call_node(callee, &args, span))
            }
            Kind::Array(_) if name == "len" => Ok(self.prim(Prim::Len, &args, span)),
            Kind::Array(_) if name == "is_empty" => {
                let (length, zero) = (self.prim(Prim::Len, &args, span), self.m.i64(0));
                Ok(self.prim(Prim::Eq, &[length, zero], span))
            }
            _ => Err(Refusal::new(e, "an iterator is no value here").hint("use it where it is made")),
        }
    }
}

//! The methods of arrays, and iterators.

use super::Checker;
use crate::refusal::{Refusal, Result};
use crate::types::{Int, Kind, Ty};
use quote::ToTokens;
use syn::{Expr, ExprMethodCall};

impl<'p> Checker<'p> {
    pub(super) fn array_method(&mut self, c: &'p ExprMethodCall, name: &str, this: Ty, element: Ty) -> Result<Ty> {
        match (name, c.args.len()) {
            ("len", 0) => Ok(self.new_type(Kind::Int(Int::USIZE))),
            ("is_empty", 0) => Ok(self.new_type(Kind::Bool)),
            ("iter" | "into_iter", 0) => Ok(self.new_type(Kind::Iter(element))),
            ("iter_mut", 0) => {
                self.place(&c.receiver)?;
                Ok(self.new_type(Kind::Iter(element)))
            }
            ("to_vec" | "to_owned" | "as_slice", 0) => Ok(this),
            ("windows" | "chunks" | "chunks_exact", 1) => {
                let usize = self.new_type(Kind::Int(Int::USIZE));
                self.expr_of(&c.args[0], usize)?;
                Ok(self.new_type(Kind::Iter(this)))
            }
            ("first" | "last", 0) => self.option(element, c),
            ("get", 1) => {
                let usize = self.new_type(Kind::Int(Int::USIZE));
                self.expr_of(&c.args[0], usize)?;
                self.option(element, c)
            }
            ("swap", 2) => {
                let usize = self.new_type(Kind::Int(Int::USIZE));
                c.args.iter().try_for_each(|e| self.expr_of(e, usize))?;
                self.written(c)
            }
            ("fill" | "push", 1) => {
                self.expr_of(&c.args[0], element)?;
                self.written(c)
            }
            ("copy_from_slice" | "clone_from_slice" | "extend_from_slice", 1) => {
                self.expr_of(&c.args[0], this)?;
                self.written(c)
            }
            ("clear", 0) => self.written(c),
            ("sort" | "sort_by" | "sort_unstable_by" | "contains" | "pop" | "iter_mut" | "chunks_mut" | "split_at", _) => {
                Err(Refusal::unsupported(&c.method, format!("`{name}` of an array")).hint("write a loop"))
            }
            _ => Err(Refusal::new(&c.method, format!("the method `{name}` of arrays is not supported"))),
        }
    }

    /// A method that changes what it is of.
    fn written(&mut self, c: &'p ExprMethodCall) -> Result<Ty> {
        self.place(&c.receiver)?;
        Ok(self.known.types.unit())
    }

    /// The type of what an iterator, or an array, goes over.
    pub(super) fn element(&mut self, ty: Ty, at: &impl ToTokens) -> Result<Ty> {
        match self.kind(ty) {
            Kind::Array(element) | Kind::Iter(element) => Ok(element),
            Kind::Unknown if !self.program.is_complete => Ok(self.known.types.unknown()),
            _ => Err(Refusal::new(at, "a loop goes over a range, an array or an iterator over one")),
        }
    }

    pub(super) fn iterator_method(&mut self, c: &'p ExprMethodCall, name: &str, element: Ty) -> Result<Ty> {
        let usize = self.new_type(Kind::Int(Int::USIZE));
        let args: Vec<&'p Expr> = c.args.iter().collect();
        let boolean = self.boolean();
        if is_filtered(&c.receiver)
            && matches!(name, "step_by" | "take" | "skip" | "enumerate" | "zip" | "position" | "min" | "max" | "collect")
        {
            let refusal = Refusal::unsupported(&c.method, format!("`{name}` behind `filter`"));
            return Err(refusal.hint("write a loop with an `if`"));
        }
        let item = match (name, &args[..]) {
            ("rev" | "iter" | "into_iter" | "copied" | "cloned", []) => element,
            ("step_by" | "take" | "skip", [n]) => {
                let found = self.expr(n)?;
                self.same(found, usize, n)?;
                element
            }
            ("enumerate", []) => self.new_type(Kind::Tuple(vec![usize, element])),
            ("zip", [other]) if is_filtered(other) => {
                return Err(Refusal::unsupported(other, "`zip` with `filter`").hint("write a loop with an `if`"));
            }
            ("zip", [other]) => {
                let other_ty = self.expr(other)?;
                let other = self.element(other_ty, other)?;
                self.new_type(Kind::Tuple(vec![element, other]))
            }
            ("map", [f]) => self.inlined(f, vec![element])?,
            ("sum" | "product", []) => return self.total(c, element),
            ("count", []) => return Ok(usize),
            ("fold", [start, f]) => {
                let state = self.expr(start)?;
                let next = self.inlined(f, vec![state, element])?;
                self.same(state, next, f)?;
                return Ok(state);
            }
            ("for_each", [f]) => {
                self.inlined(f, vec![element])?;
                return Ok(self.known.types.unit());
            }
            ("filter", [f]) => {
                let found = self.inlined(f, vec![element])?;
                self.same(found, boolean, f)?;
                element
            }
            ("any" | "all" | "position" | "find", [f]) => {
                let found = self.inlined(f, vec![element])?;
                self.same(found, boolean, f)?;
                return match name {
                    "position" => self.option(usize, c),
                    "find" => self.option(element, c),
                    _ => Ok(boolean),
                };
            }
            ("find_map", [f]) => {
                let found = self.inlined(f, vec![element])?;
                self.content(found, f)?;
                return Ok(found);
            }
            ("min" | "max", []) => return self.option(element, c),
            ("collect", []) => {
                self.check_element(element, c)?;
                if matches!(self.kind(element), Kind::Array(_)) {
                    return Err(Refusal::unsupported(&c.method, "`collect` of arrays").hint("write to an array in a loop"));
                }
                return Ok(self.new_type(Kind::Array(element)));
            }
            _ => return Err(Refusal::new(&c.method, format!("the method `{name}` of iterators is not supported"))),
        };
        Ok(self.new_type(Kind::Iter(item)))
    }

    /// The type of a sum or a product, which may be said: `sum::<f64>()`.
    fn total(&mut self, c: &'p ExprMethodCall, element: Ty) -> Result<Ty> {
        if let Some(said) = &c.turbofish
            && let Some(syn::GenericArgument::Type(ty)) = said.args.first()
        {
            let ty = self.ty(ty)?;
            self.same(element, ty, said)?;
        }
        Ok(element)
    }

    /// The type of what a function gives that an iterator calls. A closure is run where it stands, so it may change variables.
    pub(super) fn inlined(&mut self, f: &'p Expr, params: Vec<Ty>) -> Result<Ty> {
        let Expr::Closure(c) = f else {
            let callee = self.expr(f)?;
            return self.applied(callee, params, f);
        };
        let scope = self.scope.len();
        let inline = std::mem::replace(&mut self.inline, true);
        c.inputs.iter().zip(params).try_for_each(|(p, ty)| self.pattern(p, ty))?;
        let result = self.expr(&c.body)?;
        self.inline = inline;
        self.scope.truncate(scope);
        Ok(result)
    }
}

/// Whether an iterator leaves out some of what it goes over.
pub fn is_filtered(e: &Expr) -> bool {
    match e {
        Expr::MethodCall(c) => c.method == "filter" || is_filtered(&c.receiver),
        Expr::Paren(p) => is_filtered(&p.expr),
        _ => false,
    }
}

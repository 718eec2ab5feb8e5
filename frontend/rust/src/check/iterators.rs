//! The methods of arrays, and iterators.

use super::Checker;
use crate::program::path_key;
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
            ("map", 1) => {
                let result = self.inlined(&c.args[0], vec![element])?;
                self.check_element(result, c)?;
                Ok(self.new_type(Kind::Array(result)))
            }
            ("contains", 1) => {
                self.expr_of(&c.args[0], element)?;
                Ok(self.boolean())
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
            ("truncate", 1) => {
                let usize = self.new_type(Kind::Int(Int::USIZE));
                self.expr_of(&c.args[0], usize)?;
                self.written(c)
            }
            ("pop", 0) => {
                self.place(&c.receiver)?;
                self.option(element, c)
            }
            ("sort" | "sort_by" | "sort_unstable_by" | "iter_mut" | "chunks_mut" | "split_at", _) => {
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
            && matches!(
                name,
                "step_by"
                    | "take"
                    | "skip"
                    | "enumerate"
                    | "zip"
                    | "position"
                    | "min"
                    | "max"
                    | "last"
                    | "nth"
                    | "chain"
                    | "max_by"
                    | "min_by"
            )
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
            ("chain", [other]) => {
                let other_ty = self.expr(other)?;
                let second = self.element(other_ty, other)?;
                self.same(element, second, other)?;
                element
            }
            ("scan", [start, Expr::Closure(f)]) => {
                let state = self.expr(start)?;
                let found = self.inlined(args[1], vec![state, element])?;
                if let Some(state) = f.inputs.first().and_then(super::variable) {
                    let local = self.known.bound(state);
                    self.known.mutable.insert(local);
                }
                self.content(found, args[1])?
            }
            ("filter_map", [f]) => {
                let found = self.inlined(f, vec![element])?;
                self.content(found, f)?
            }
            ("take_while" | "skip_while", [f]) => {
                let found = self.inlined(f, vec![element])?;
                self.same(found, boolean, f)?;
                element
            }
            ("reduce", [f]) => {
                let next = self.inlined(f, vec![element, element])?;
                self.same(next, element, f)?;
                return self.option(element, c);
            }
            ("last", []) => return self.option(element, c),
            ("nth", [n]) => {
                let found = self.expr(n)?;
                self.same(found, usize, n)?;
                return self.option(element, c);
            }
            ("max_by" | "min_by", [f]) => {
                if !is_plain_order(f) {
                    return Err(Refusal::unsupported(f, "an order of its own").hint("write `|a, b| a.total_cmp(b)`, or `reduce`"));
                }
                return self.option(element, c);
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

/// Whether a function compares as floats are: `f64::total_cmp`, `|a, b| a.total_cmp(b)` or `|a, b| a.partial_cmp(b).unwrap()`.
fn is_plain_order(f: &Expr) -> bool {
    let is = |e: &Expr, pattern: &syn::Pat| matches!((behind_all(e), super::variable(behind_pattern(pattern))), (Expr::Path(p), Some(i)) if p.path.is_ident(&i.ident));
    let compares = |e: &Expr, names: &[&str], [a, b]: [&syn::Pat; 2]| match e {
        Expr::MethodCall(m) => {
            names.iter().any(|name| m.method == name) && is(&m.receiver, a) && m.args.first().is_some_and(|arg| is(arg, b))
        }
        _ => false,
    };
    match f {
        Expr::Path(p) => matches!(&*path_key(&p.path), "f64::total_cmp"),
        Expr::Closure(c) if c.inputs.len() == 2 => {
            let inputs = [&c.inputs[0], &c.inputs[1]];
            match &*c.body {
                Expr::MethodCall(m) if m.method == "unwrap" || m.method == "expect" => {
                    compares(&m.receiver, &["partial_cmp"], inputs)
                }
                body => compares(body, &["total_cmp", "cmp"], inputs),
            }
        }
        _ => false,
    }
}

fn behind_all(mut e: &Expr) -> &Expr {
    loop {
        e = match e {
            Expr::Paren(p) => &p.expr,
            Expr::Reference(r) => &r.expr,
            Expr::Unary(u) if matches!(u.op, syn::UnOp::Deref(_)) => &u.expr,
            other => return other,
        };
    }
}

fn behind_pattern(mut pattern: &syn::Pat) -> &syn::Pat {
    while let syn::Pat::Reference(r) = pattern {
        pattern = &r.pat;
    }
    pattern
}

/// Whether an iterator leaves out some of what it goes over.
pub fn is_filtered(e: &Expr) -> bool {
    match e {
        Expr::MethodCall(c) => {
            let name = c.method.to_string();
            let leaves_out = matches!(&*name, "filter" | "filter_map" | "take_while" | "skip_while" | "scan");
            leaves_out || is_filtered(&c.receiver) || name == "chain" && c.args.iter().any(is_filtered)
        }
        Expr::Paren(p) => is_filtered(&p.expr),
        _ => false,
    }
}

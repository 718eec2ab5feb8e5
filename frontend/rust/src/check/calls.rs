//! Calls: of functions, closures and methods, and the iterators that methods make.

use super::Checker;
use crate::refusal::{Refusal, Result};
use crate::types::{Int, Kind, Ty};
use quote::ToTokens;
use syn::{Expr, ExprMethodCall};

impl<'p> Checker<'p> {
    pub(super) fn call(&mut self, c: &'p syn::ExprCall) -> Result<Ty> {
        if let Expr::Path(p) = &*c.func
            && let Some(last) = p.path.segments.last()
            && last.ident.to_string().starts_with(char::is_uppercase)
        {
            let refusal = Refusal::unsupported(&c.func, "a value made by this call");
            return Err(refusal.hint("a struct has fields with names here: `Point { x, y }`"));
        }
        let callee = self.expr(&c.func)?;
        let args = c.args.iter().map(|e| self.expr(e)).collect::<Result<Vec<Ty>>>()?;
        self.applied(callee, args, &c.func)
    }

    /// What a function gives for arguments.
    fn applied(&mut self, callee: Ty, args: Vec<Ty>, at: &impl ToTokens) -> Result<Ty> {
        let result = self.known.types.unknown();
        let expected = self.new_type(Kind::Fn(args, result));
        self.same(callee, expected, at)?;
        Ok(result)
    }

    pub(super) fn method_call(&mut self, c: &'p ExprMethodCall) -> Result<Ty> {
        let this = self.expr(&c.receiver)?;
        let name = c.method.to_string();
        if name == "clone" && c.args.is_empty() {
            return Ok(this);
        }
        match self.kind(this) {
            Kind::F64 | Kind::Int(_) | Kind::Integer => {
                let (params, result) = self.number_method(this, &name, &c.method)?;
                for (arg, ty) in c.args.iter().zip(params) {
                    let found = self.expr(arg)?;
                    self.same(found, ty, arg)?;
                }
                Ok(result)
            }
            Kind::Array(element) => self.array_method(c, &name, element),
            Kind::Iter(element) => self.iterator_method(c, &name, element),
            Kind::Struct(of) => {
                let Some(f) = self.program.method(of, &name) else {
                    return Err(Refusal::new(&c.method, format!("the method `{name}` is not differentiable"))
                        .hint("put `#[gradus::differentiable]` on the `impl`"));
                };
                let (params, result) = self.signature(f.item, self.program.function(f).0)?;
                for (arg, ty) in c.args.iter().zip(params.into_iter().skip(1)) {
                    let found = self.expr(arg)?;
                    self.same(found, ty, arg)?;
                }
                Ok(result)
            }
            Kind::Unknown if !self.program.is_complete => self.unknown_method(c, &name),
            _ => Err(Refusal::new(&c.method, format!("the method `{name}` is not supported here"))),
        }
    }

    /// A method of what is not known while one item is looked at alone. Iterators have the names of theirs.
    fn unknown_method(&mut self, c: &'p ExprMethodCall, name: &str) -> Result<Ty> {
        if matches!(name, "iter" | "into_iter") && c.args.is_empty() {
            let element = self.known.types.unknown();
            return Ok(self.new_type(Kind::Iter(element)));
        }
        for arg in &c.args {
            self.expr(arg)?;
        }
        Ok(self.known.types.unknown())
    }

    fn array_method(&mut self, c: &'p ExprMethodCall, name: &str, element: Ty) -> Result<Ty> {
        match (name, c.args.len()) {
            ("len", 0) => Ok(self.new_type(Kind::Int(Int::USIZE))),
            ("is_empty", 0) => Ok(self.new_type(Kind::Bool)),
            ("iter" | "into_iter", 0) => Ok(self.new_type(Kind::Iter(element))),
            ("iter_mut", 0) => {
                let hint = "go over the indices: `for i in 0..x.len()`";
                Err(Refusal::unsupported(&c.method, "what is written through a reference").hint(hint))
            }
            _ => Err(Refusal::new(&c.method, format!("the method `{name}` of arrays is not supported"))),
        }
    }

    /// The type of what an iterator, or an array, goes over.
    pub(super) fn element(&mut self, ty: Ty, at: &impl ToTokens) -> Result<Ty> {
        match self.kind(ty) {
            Kind::Array(element) | Kind::Iter(element) => Ok(element),
            Kind::Unknown if !self.program.is_complete => Ok(self.known.types.unknown()),
            _ => Err(Refusal::new(at, "a loop goes over a range, an array or an iterator over one")),
        }
    }

    fn iterator_method(&mut self, c: &'p ExprMethodCall, name: &str, element: Ty) -> Result<Ty> {
        let usize = self.new_type(Kind::Int(Int::USIZE));
        let args: Vec<&'p Expr> = c.args.iter().collect();
        let item = match (name, &args[..]) {
            ("rev" | "iter" | "into_iter" | "copied" | "cloned", []) => element,
            ("step_by" | "take" | "skip", [n]) => {
                let found = self.expr(n)?;
                self.same(found, usize, n)?;
                element
            }
            ("enumerate", []) => self.new_type(Kind::Tuple(vec![usize, element])),
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
            ("filter", _) => {
                return Err(Refusal::unsupported(&c.method, "`filter`").hint("write a loop with an `if`"));
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
    fn inlined(&mut self, f: &'p Expr, params: Vec<Ty>) -> Result<Ty> {
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

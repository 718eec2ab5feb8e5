//! Calls: of functions, closures and methods, and the iterators that methods make.

use super::{Checker, Use, behind_mut, is_changed};
use crate::refusal::{Refusal, Result};
use crate::types::{Int, Kind, Ty};
use quote::ToTokens;
use syn::punctuated::Punctuated;
use syn::{Expr, ExprMethodCall, Token};

type Arguments = Punctuated<Expr, Token![,]>;

impl<'p> Checker<'p> {
    pub(super) fn call(&mut self, c: &'p syn::ExprCall) -> Result<Ty> {
        if let Expr::Path(p) = &*c.func
            && let Some(last) = p.path.segments.last()
            && last.ident.to_string().starts_with(char::is_uppercase)
        {
            let refusal = Refusal::unsupported(&c.func, "a value made by this call");
            return Err(refusal.hint("a struct has fields with names here: `Point { x, y }`"));
        }
        if let Expr::Macro(_) = &*c.func {
            // It fails with a message, whose text is the first argument.
            c.args.iter().skip(1).try_for_each(|e| self.expr(e).map(|_| ()))?;
            return Ok(self.known.types.unknown());
        }
        let callee = match &*c.func {
            // Called here, it may be what is no value.
            Expr::Path(p) => {
                let ty = self.path(&c.func, p)?;
                self.known.of.insert(std::ptr::from_ref(&*c.func), ty);
                ty
            }
            other => self.expr(other)?,
        };
        let changed = match self.known.used(&c.func).clone() {
            Use::Function(f) => Some(self.program.function(f).0.inputs.iter().map(is_changed).collect()),
            Use::Local(local) => {
                let changed = self.known.changing.get(&local).cloned().unwrap_or_default();
                changed.into_iter().for_each(|local| self.change(local));
                Some(Vec::new())
            }
            Use::Elsewhere => None,
            _ => Some(Vec::new()),
        };
        let args = self.arguments(&c.args, changed)?;
        self.applied(callee, args, &c.func)
    }

    /// The types of arguments, and which of them are changed: it is not known of a function elsewhere.
    fn arguments(&mut self, args: &'p Arguments, changed: Option<Vec<bool>>) -> Result<Vec<Ty>> {
        let mut types = Vec::new();
        for (i, arg) in args.iter().enumerate() {
            let is_changed = match &changed {
                Some(changed) => changed.get(i).copied().unwrap_or(false),
                None => !std::ptr::eq(behind_mut(arg), arg),
            };
            types.push(if is_changed { self.changed(arg)? } else { self.expr(arg)? });
        }
        Ok(types)
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
                let Some(f) = self.program.methods(of, &name).next() else {
                    return Err(Refusal::new(&c.method, format!("the method `{name}` is not differentiable"))
                        .hint("put `#[gradus::differentiable]` on the `impl`"));
                };
                self.known.methods.insert(std::ptr::from_ref(c).cast(), f);
                let signature = self.program.function(f).0;
                let (params, result) = self.signature(f.item, signature)?;
                let changed: Vec<bool> = signature.inputs.iter().map(is_changed).collect();
                if changed.first() == Some(&true) {
                    self.place(&c.receiver)?;
                }
                let found = self.arguments(&c.args, Some(changed.into_iter().skip(1).collect()))?;
                for ((arg, found), ty) in c.args.iter().zip(found).zip(params.into_iter().skip(1)) {
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
        self.arguments(&c.args, None)?;
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

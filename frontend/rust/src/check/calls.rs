//! Calls: of functions, closures and methods, and the iterators that methods make.

use super::{Checker, Use, behind_mut, is_changed, is_ok};
use crate::program::path_key;
use crate::refusal::{Refusal, Result};
use crate::types::{Int, Kind, Ty};
use quote::ToTokens;
use syn::punctuated::Punctuated;
use syn::{Expr, ExprMethodCall, Token};

type Arguments = Punctuated<Expr, Token![,]>;

impl<'p> Checker<'p> {
    pub(super) fn call(&mut self, c: &'p syn::ExprCall) -> Result<Ty> {
        if let Expr::Path(p) = &*c.func
            && p.qself.is_none()
            && let Some(last) = p.path.segments.last()
            && last.ident.to_string().starts_with(char::is_uppercase)
            && last.ident != "Some"
        {
            return match is_ok(&p.path) {
                Some(ok) => self.outcome(c, ok),
                None => self.constructed(c, &p.path),
            };
        }
        if let Expr::Macro(_) = &*c.func {
            // It fails with a message, whose text is the first argument.
            c.args.iter().skip(1).try_for_each(|e| self.expr(e).map(|_| ()))?;
            return Ok(self.known.types.unknown());
        }
        if let Some(kind) = converted(&c.func)
            && let [arg] = &c.args.iter().collect::<Vec<_>>()[..]
        {
            let from = self.expr(arg)?;
            self.scalar(from, arg)?;
            self.known.uses.insert(std::ptr::from_ref(&*c.func), Use::From);
            return Ok(self.new_type(kind));
        }
        if is_empty_vec(c) {
            let element = self.known.types.unknown();
            return Ok(self.new_type(Kind::Array(element)));
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
    pub(super) fn applied(&mut self, callee: Ty, args: Vec<Ty>, at: &impl ToTokens) -> Result<Ty> {
        let result = self.known.types.unknown();
        let expected = self.new_type(Kind::Fn(args, result));
        self.same(callee, expected, at)?;
        Ok(result)
    }

    pub(super) fn method_call(&mut self, c: &'p ExprMethodCall) -> Result<Ty> {
        let name = c.method.to_string();
        if let Some(r) = range_of(c) {
            return self.in_range(c, r);
        }
        let this = self.expr(&c.receiver)?;
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
            Kind::Array(element) => self.array_method(c, &name, this, element),
            Kind::Iter(element) => self.iterator_method(c, &name, element),
            Kind::Option(inner) => self.option_method(c, &name, this, inner),
            Kind::Result(..) => self.result_method(c, &name, this),
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

    /// `(a..b).contains(&x)`
    fn in_range(&mut self, c: &'p ExprMethodCall, r: &'p syn::ExprRange) -> Result<Ty> {
        let ty = self.known.types.unknown();
        let parts = [&r.start, &r.end].into_iter().flatten().map(|bound| &**bound).chain(&c.args);
        parts.into_iter().try_for_each(|e| self.expr_of(e, ty))?;
        self.scalar(ty, c)?;
        Ok(self.boolean())
    }

    /// A method of what is not known while one item is looked at alone. Iterators have the names of theirs.
    fn unknown_method(&mut self, c: &'p ExprMethodCall, name: &str) -> Result<Ty> {
        if matches!(name, "iter" | "into_iter" | "iter_mut" | "windows" | "chunks" | "chunks_exact") {
            self.arguments(&c.args, None)?;
            let element = self.known.types.unknown();
            return Ok(self.new_type(Kind::Iter(element)));
        }
        for arg in &c.args {
            match arg {
                // It may be run where it stands, and change what it likes.
                Expr::Closure(f) => self.let_closure(arg, f).map(|_| ())?,
                // A message, of what may be an option.
                Expr::Lit(_) if name == "expect" => {}
                _ if name == "ok_or" && super::results::is_message(arg) => {}
                _ if std::ptr::eq(behind_mut(arg), arg) => self.expr(arg).map(|_| ())?,
                _ => self.changed(arg).map(|_| ())?,
            }
        }
        Ok(self.known.types.unknown())
    }
}

/// The range that a call of `contains` is of.
pub fn range_of(c: &ExprMethodCall) -> Option<&syn::ExprRange> {
    if c.method != "contains" || c.args.len() != 1 {
        return None;
    }
    let mut of = &*c.receiver;
    while let Expr::Paren(p) = of {
        of = &p.expr;
    }
    if let Expr::Range(r) = of { Some(r) } else { None }
}

/// The type of numbers that `f64::from` and its like make.
fn converted(e: &Expr) -> Option<Kind> {
    let Expr::Path(p) = e else { return None };
    match path_key(&p.path).strip_suffix("::from")? {
        "f64" => Some(Kind::F64),
        int => Int::named(int).map(Kind::Int),
    }
}

/// Whether a call is `Vec::new()`, or makes one with room for as many as are said.
pub fn is_empty_vec(c: &syn::ExprCall) -> bool {
    matches!(&*c.func, Expr::Path(p) if matches!(&*path_key(&p.path), "Vec::new" | "Vec::with_capacity"))
}

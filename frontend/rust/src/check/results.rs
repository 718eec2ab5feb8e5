//! `Result`: its values, what tells them apart, and its methods. What an error says in text is not kept.

use super::signature::{is_text, type_arguments};
use super::{Checker, Use};
use crate::program::path_key;
use crate::refusal::{Refusal, Result};
use crate::types::{Kind, Ty};
use quote::ToTokens;
use syn::{Expr, ExprMethodCall, Lit};

/// The methods of results. Sorted.
const METHODS: &[&str] =
    &["and_then", "err", "expect", "is_err", "is_ok", "map", "map_err", "map_or", "ok", "unwrap", "unwrap_or", "unwrap_or_else"];

impl<'p> Checker<'p> {
    /// `Result<T, E>`.
    pub(super) fn result_type(&mut self, path: &syn::Path) -> Result<Ty> {
        match type_arguments(path)[..] {
            [] => Ok(self.any_result().0),
            [value, error] => {
                let value = self.ty(value)?;
                let error = if is_text(error) { self.new_type(Kind::Text) } else { self.ty(error)? };
                Ok(self.new_type(Kind::Result(value, error)))
            }
            _ => Err(Refusal::new(path, "the type of the error is missing").hint("write `Result<f64, Fault>`")),
        }
    }

    /// A result of unknown types.
    pub(super) fn any_result(&mut self) -> (Ty, [Ty; 2]) {
        let types = [self.known.types.unknown(), self.known.types.unknown()];
        (self.new_type(Kind::Result(types[0], types[1])), types)
    }

    /// The types of the value and of the error of a result.
    pub(super) fn outcomes(&mut self, result: Ty, at: &impl ToTokens) -> Result<[Ty; 2]> {
        let (expected, types) = self.any_result();
        self.same(result, expected, at)?;
        Ok(types)
    }

    /// `Ok(value)` or `Err(error)`.
    pub(super) fn outcome(&mut self, c: &'p syn::ExprCall, ok: bool) -> Result<Ty> {
        let (ty, [value, error]) = self.any_result();
        self.known.uses.insert(std::ptr::from_ref(&*c.func), Use::Result(ok));
        let expected = if ok { value } else { error };
        for arg in &c.args {
            if !ok && is_message(arg) {
                let text = self.new_type(Kind::Text);
                self.same(error, text, arg)?;
                self.known.of.insert(std::ptr::from_ref(arg), text);
            } else {
                self.expr_of(arg, expected)?;
            }
        }
        Ok(ty)
    }

    /// `result?`, in a function that returns a result with the same errors.
    pub(super) fn try_result(&mut self, t: &'p syn::ExprTry, result: Ty, returned: Ty) -> Result<Ty> {
        let [value, error] = self.outcomes(result, &t.expr)?;
        let [_, given] = self.outcomes(returned, &t.question_token)?;
        if self.known.types.unify(error, given) || !self.program.is_complete {
            return Ok(value);
        }
        Err(Refusal::unsupported(&t.question_token, "`?` with another type of errors").hint("write `.map_err(…)?`"))
    }

    pub(super) fn result_method(&mut self, c: &'p ExprMethodCall, name: &str, this: Ty) -> Result<Ty> {
        let [value, error] = self.outcomes(this, &c.receiver)?;
        let args: Vec<&'p Expr> = c.args.iter().collect();
        match (name, &args[..]) {
            ("is_ok" | "is_err", []) => Ok(self.boolean()),
            ("ok", []) => self.option(value, c),
            ("err", []) => self.option(error, c),
            ("unwrap", []) => Ok(value),
            ("expect", [Expr::Lit(l)]) if matches!(l.lit, Lit::Str(_)) => Ok(value),
            ("unwrap_or", [other]) => self.expr_of(other, value).map(|()| value),
            ("unwrap_or_else", [f]) => {
                let other = self.inlined(f, vec![error])?;
                self.same(other, value, f)?;
                Ok(value)
            }
            ("map", [f]) => {
                let mapped = self.inlined(f, vec![value])?;
                Ok(self.new_type(Kind::Result(mapped, error)))
            }
            ("map_err", [f]) => {
                let mapped = self.inlined(f, vec![error])?;
                Ok(self.new_type(Kind::Result(value, mapped)))
            }
            ("map_or", [other, f]) => {
                let otherwise = self.expr(other)?;
                let mapped = self.inlined(f, vec![value])?;
                self.same(otherwise, mapped, f)?;
                Ok(mapped)
            }
            ("and_then", [f]) => {
                let next = self.inlined(f, vec![value])?;
                let [_, other] = self.outcomes(next, f)?;
                self.same(error, other, f)?;
                Ok(next)
            }
            _ => {
                let refusal = Refusal::new(&c.method, format!("the method `{name}` of results is not supported"));
                Err(match crate::names::nearest(name, METHODS.iter().copied()) {
                    Some(near) if near != name => refusal.hint(format!("did you mean `{near}`?")),
                    _ => refusal.hint("write a `match`"),
                })
            }
        }
    }
}

/// Whether an expression is a message: text that is written there.
pub(super) fn is_message(e: &Expr) -> bool {
    match e {
        Expr::Lit(l) => matches!(l.lit, Lit::Str(_)),
        Expr::Paren(p) => is_message(&p.expr),
        Expr::Macro(m) => m.mac.path.is_ident("format"),
        Expr::MethodCall(c) => {
            matches!(&*c.method.to_string(), "to_string" | "to_owned" | "into") && c.args.is_empty() && is_message(&c.receiver)
        }
        Expr::Call(c) => {
            matches!(&*c.func, Expr::Path(p) if matches!(&*path_key(&p.path), "String::from" | "Box::from" | "Box::new"))
                && c.args.iter().all(is_message)
        }
        _ => false,
    }
}

/// Whether a path is that of `Ok`, or of `Err`.
pub fn is_ok(path: &syn::Path) -> Option<bool> {
    match &*path_key(path) {
        "Ok" | "Result::Ok" => Some(true),
        "Err" | "Result::Err" => Some(false),
        _ => None,
    }
}

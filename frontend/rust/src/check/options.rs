//! `Option`: its values, what tells them apart, and its methods.

use super::Checker;
use crate::refusal::{Refusal, Result};
use crate::types::{Kind, Ty};
use quote::ToTokens;
use syn::{Expr, ExprMethodCall};

/// The methods of options. Sorted.
const METHODS: &[&str] = &[
    "and_then",
    "as_ref",
    "cloned",
    "copied",
    "expect",
    "filter",
    "is_none",
    "is_none_or",
    "is_some",
    "is_some_and",
    "map",
    "map_or",
    "ok_or",
    "ok_or_else",
    "or",
    "or_else",
    "unwrap",
    "unwrap_or",
    "unwrap_or_else",
];

impl<'p> Checker<'p> {
    /// `Option<T>`. In the program it is the value itself or nothing, so the value is neither.
    pub(super) fn option(&mut self, inner: Ty, at: &impl ToTokens) -> Result<Ty> {
        match self.kind(inner) {
            Kind::Option(_) => Err(Refusal::unsupported(at, "an option of an option").hint("use a `bool` and an option")),
            Kind::Tuple(items) if items.is_empty() => Err(Refusal::unsupported(at, "an option of `()`").hint("use a `bool`")),
            Kind::Fn(..) | Kind::Iter(_) => Err(Refusal::unsupported(at, "an option of a function or an iterator")),
            Kind::Result(..) => Err(Refusal::unsupported(at, "an option of a result")),
            _ => Ok(self.new_type(Kind::Option(inner))),
        }
    }

    /// The type of what is in an option.
    pub(super) fn content(&mut self, option: Ty, at: &impl ToTokens) -> Result<Ty> {
        let inner = self.known.types.unknown();
        let expected = self.new_type(Kind::Option(inner));
        self.same(option, expected, at)?;
        Ok(inner)
    }

    /// `option?`
    pub(super) fn try_option(&mut self, t: &'p syn::ExprTry) -> Result<Ty> {
        if self.inline {
            return Err(Refusal::unsupported(&t.question_token, "`?` in the closure of an iterator or an option"));
        }
        let option = self.expr(&t.expr)?;
        let result = *self.results.last().expect("a function is being checked");
        if [option, result].iter().any(|&ty| matches!(self.known.types.kind(ty), Kind::Result(..))) {
            return self.try_result(t, option, result);
        }
        let inner = self.content(option, &t.expr)?;
        self.content(result, &t.question_token)?;
        Ok(inner)
    }

    pub(super) fn option_method(&mut self, c: &'p ExprMethodCall, name: &str, this: Ty, inner: Ty) -> Result<Ty> {
        let args: Vec<&'p Expr> = c.args.iter().collect();
        match (name, &args[..]) {
            ("is_some" | "is_none", []) => Ok(self.boolean()),
            ("as_ref" | "copied" | "cloned", []) => Ok(this),
            ("unwrap", []) => Ok(inner),
            ("expect", [Expr::Lit(l)]) if matches!(l.lit, syn::Lit::Str(_)) => Ok(inner),
            ("unwrap_or", [other]) => self.expr_of(other, inner).map(|()| inner),
            ("unwrap_or_else", [f]) => {
                let other = self.inlined(f, Vec::new())?;
                self.same(other, inner, f)?;
                Ok(inner)
            }
            ("or", [other]) => self.expr_of(other, this).map(|()| this),
            ("or_else", [f]) => {
                let other = self.inlined(f, Vec::new())?;
                self.same(other, this, f)?;
                Ok(this)
            }
            ("map", [f]) => {
                let result = self.inlined(f, vec![inner])?;
                self.option(result, f)
            }
            ("ok_or", [error]) if super::results::is_message(error) => {
                let text = self.new_type(Kind::Text);
                self.known.of.insert(std::ptr::from_ref(*error), text);
                Ok(self.new_type(Kind::Result(inner, text)))
            }
            ("ok_or", [error]) => {
                let error = self.expr(error)?;
                Ok(self.new_type(Kind::Result(inner, error)))
            }
            ("ok_or_else", [f]) => {
                let error = self.inlined(f, Vec::new())?;
                Ok(self.new_type(Kind::Result(inner, error)))
            }
            ("map_or", [other, f]) => {
                let otherwise = self.expr(other)?;
                let result = self.inlined(f, vec![inner])?;
                self.same(otherwise, result, f)?;
                Ok(result)
            }
            ("and_then", [f]) => {
                let result = self.inlined(f, vec![inner])?;
                self.content(result, f)?;
                Ok(result)
            }
            ("is_some_and" | "is_none_or" | "filter", [f]) => {
                let boolean = self.boolean();
                let found = self.inlined(f, vec![inner])?;
                self.same(found, boolean, f)?;
                Ok(if name == "filter" { this } else { boolean })
            }
            _ => {
                let refusal = Refusal::new(&c.method, format!("the method `{name}` of options is not supported"));
                Err(match crate::names::nearest(name, METHODS.iter().copied()) {
                    Some(near) if near != name => refusal.hint(format!("did you mean `{near}`?")),
                    _ => refusal.hint("write a `match`"),
                })
            }
        }
    }
}

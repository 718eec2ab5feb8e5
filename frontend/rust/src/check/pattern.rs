//! Patterns: what variables they bind.

use super::{Checker, Mention};
use crate::program::Resolved;
use crate::refusal::{Refusal, Result};
use crate::types::{Kind, Ty};
use syn::Pat;

impl<'p> Checker<'p> {
    /// Binds the variables of a pattern that a value of a type is matched with.
    pub(super) fn pattern(&mut self, pattern: &'p Pat, ty: Ty) -> Result<()> {
        match pattern {
            Pat::Wild(_) => Ok(()),
            Pat::Paren(p) => self.pattern(&p.pat, ty),
            Pat::Reference(r) if r.mutability.is_none() => self.pattern(&r.pat, ty),
            Pat::Type(t) => {
                let written = self.ty(&t.ty)?;
                self.same(ty, written, &t.ty)?;
                self.pattern(&t.pat, ty)
            }
            Pat::Ident(i) => {
                if let Some(by_ref) = &i.by_ref {
                    return Err(Refusal::unsupported(by_ref, "`ref`"));
                }
                if let Some((at, _)) = &i.subpat {
                    return Err(Refusal::unsupported(at, "a pattern behind `@`"));
                }
                let local = self.bind(&i.ident.to_string(), ty);
                self.known.bindings.insert(std::ptr::from_ref(i), local);
                Ok(())
            }
            Pat::Tuple(t) => {
                if let Some(rest) = t.elems.iter().find(|p| matches!(p, Pat::Rest(_))) {
                    return Err(Refusal::unsupported(rest, "`..` in a pattern").hint("write `_` for each"));
                }
                let items: Vec<Ty> = t.elems.iter().map(|_| self.known.types.unknown()).collect();
                let tuple = self.new_type(Kind::Tuple(items.clone()));
                self.same(ty, tuple, t)?;
                t.elems.iter().zip(items).try_for_each(|(p, ty)| self.pattern(p, ty))
            }
            Pat::Slice(s) => {
                let element = self.known.types.unknown();
                let array = self.new_type(Kind::Array(element));
                self.same(ty, array, s)?;
                s.elems.iter().try_for_each(|p| match p {
                    Pat::Rest(_) => Err(Refusal::unsupported(p, "`..` in a pattern")),
                    p => self.pattern(p, element),
                })
            }
            Pat::Struct(s) => {
                let of = match self.resolve(Mention::Struct, &s.path) {
                    Some(Resolved::Struct(of)) => self.new_type(Kind::Struct(of)),
                    _ => self.elsewhere(&s.path, "this is no struct that derives `gradus::Value`")?,
                };
                self.same(ty, of, &s.path)?;
                self.known.patterns.insert(std::ptr::from_ref(pattern), ty);
                for field in &s.fields {
                    let ty = self.field_type(ty, &field.member)?;
                    self.pattern(&field.pat, ty)?;
                }
                Ok(())
            }
            other => Err(Refusal::unsupported(other, "this pattern").hint("a pattern binds variables here, as in `(a, b)`")),
        }
    }
}

//! Patterns: what variables they bind, and in `match` what they compare.

use super::expr::is_constant;
use super::{Checker, Use, is_ok, is_rest, spread};
use crate::program::path_key;
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
                self.bind_pattern(i, ty)
            }
            Pat::Tuple(t) => self.tuple_pattern(pattern, t, ty, Self::pattern),
            Pat::Slice(s) => self.slice_pattern(pattern, s, ty, Self::pattern),
            Pat::Struct(_) | Pat::TupleStruct(_) => self.shape_pattern(pattern, ty, false),
            other => Err(Refusal::unsupported(other, "this pattern").hint("a pattern binds variables here, as in `(a, b)`")),
        }
    }

    /// A pattern of a tuple, in which `..` stands for as many as are not there.
    fn tuple_pattern(
        &mut self,
        pattern: &'p Pat,
        t: &'p syn::PatTuple,
        ty: Ty,
        part: impl Fn(&mut Self, &'p Pat, Ty) -> Result<()>,
    ) -> Result<()> {
        let parts: Vec<&'p Pat> = t.elems.iter().collect();
        let items: Vec<Ty> = match self.kind(ty) {
            Kind::Tuple(items) if items.len() + 1 >= parts.len() => items,
            _ if parts.iter().any(|p| is_rest(p)) => match self.program.is_complete {
                true => return Err(Refusal::new(t, "the type of this tuple is not known").hint("write `_` for each")),
                false => parts.iter().map(|_| self.known.types.unknown()).collect(),
            },
            _ => parts.iter().map(|_| self.known.types.unknown()).collect(),
        };
        let tuple = self.new_type(Kind::Tuple(items.clone()));
        self.same(ty, tuple, t)?;
        self.known.patterns.insert(std::ptr::from_ref(pattern), tuple);
        let places = spread(&parts, items.len());
        parts.into_iter().zip(places).filter(|(p, _)| !is_rest(p)).try_for_each(|(p, at)| match items.get(at) {
            Some(&ty) => part(self, p, ty),
            None => Err(Refusal::new(p, "the tuple has no such item")),
        })
    }

    /// A pattern of an array, in which `..` and `rest @ ..` stand for as many as are not there.
    fn slice_pattern(
        &mut self,
        pattern: &'p Pat,
        s: &'p syn::PatSlice,
        ty: Ty,
        part: impl Fn(&mut Self, &'p Pat, Ty) -> Result<()>,
    ) -> Result<()> {
        let element = self.known.types.unknown();
        let array = self.new_type(Kind::Array(element));
        self.same(ty, array, s)?;
        self.known.patterns.insert(std::ptr::from_ref(pattern), ty);
        s.elems.iter().try_for_each(|p| match p {
            Pat::Rest(_) => Ok(()),
            Pat::Ident(i) if is_rest(p) => self.bind_pattern(i, ty),
            p => part(self, p, element),
        })
    }

    fn bind_pattern(&mut self, i: &'p syn::PatIdent, ty: Ty) -> Result<()> {
        let name = i.ident.to_string();
        let shared = self.alternatives.iter().find(|(n, _)| *n == name).map(|&(_, local)| local);
        let local = match shared {
            Some(local) => {
                self.same(self.known.local_types[local as usize], ty, i)?;
                local
            }
            None => self.bind(&name, ty),
        };
        if i.mutability.is_some() {
            self.known.mutable.insert(local);
        }
        self.known.bindings.insert(std::ptr::from_ref(i), local);
        Ok(())
    }

    /// A pattern of an arm of `match`, which not every value need match.
    pub(super) fn case(&mut self, pattern: &'p Pat, ty: Ty) -> Result<()> {
        match pattern {
            Pat::Paren(p) => self.case(&p.pat, ty),
            Pat::Reference(r) if r.mutability.is_none() => self.case(&r.pat, ty),
            Pat::Lit(l) => {
                let literal = self.literal(&l.lit)?;
                self.same(ty, literal, l)
            }
            Pat::Range(r) => [&r.start, &r.end].into_iter().flatten().try_for_each(|bound| self.expr_of(bound, ty)),
            Pat::Path(p) if p.qself.is_none() && p.path.segments.last().is_some_and(|s| is_constant(&s.ident.to_string())) => {
                self.constant_case(pattern, &p.path, ty)
            }
            Pat::Ident(i) if i.ident == "None" => self.content(ty, i).map(|_| ()),
            Pat::TupleStruct(t) if is_some(&t.path) && t.elems.len() == 1 => {
                let inner = self.content(ty, t)?;
                self.case(&t.elems[0], inner)
            }
            Pat::TupleStruct(t) if let Some(ok) = is_ok(&t.path) => {
                let types = self.outcomes(ty, t)?;
                self.known.patterns.insert(std::ptr::from_ref(pattern), ty);
                t.elems.iter().try_for_each(|p| self.case(p, types[usize::from(!ok)]))
            }
            Pat::Ident(i) if i.subpat.is_none() && is_constant(&i.ident.to_string()) => {
                self.constant_case(pattern, &i.ident.clone().into(), ty)
            }
            Pat::Ident(syn::PatIdent { subpat: Some((_, inner)), by_ref: None, .. }) => {
                let Pat::Ident(i) = pattern else { unreachable!("it is a variable") };
                self.bind_pattern(i, ty)?;
                self.case(inner, ty)
            }
            Pat::Tuple(t) => self.tuple_pattern(pattern, t, ty, Self::case),
            Pat::Slice(s) => self.slice_pattern(pattern, s, ty, Self::case),
            Pat::Struct(_) | Pat::TupleStruct(_) | Pat::Path(_) => self.shape_pattern(pattern, ty, true),
            // A variable is not written like this, so it is a variant that was imported.
            Pat::Ident(i) if i.subpat.is_none() && i.ident.to_string().starts_with(char::is_uppercase) => {
                Err(Refusal::new(i, "this is a variant or a struct without the name of its type")
                    .hint(format!("write `Type::{}`", i.ident)))
            }
            // All alternatives bind the variables of the first.
            Pat::Or(o) => {
                let (scope, shared) = (self.scope.len(), self.alternatives.len());
                let mut cases = o.cases.iter();
                cases.next().map_or(Ok(()), |p| self.case(p, ty))?;
                let bound = self.scope[scope..].iter().map(|(name, local, _)| (name.clone(), *local));
                self.alternatives.extend(bound);
                cases.try_for_each(|p| self.case(p, ty))?;
                self.alternatives.truncate(shared);
                Ok(())
            }
            other => self.pattern(other, ty),
        }
    }

    /// A constant that a value is compared with.
    fn constant_case(&mut self, pattern: &'p Pat, path: &syn::Path, ty: Ty) -> Result<()> {
        let (used, found) = self.constant(path)?;
        if let Use::Constant(c) = used {
            self.known.compared.insert(std::ptr::from_ref(pattern), c);
        }
        self.same(ty, found, path)
    }
}

/// Whether a path is that of `Some`.
pub fn is_some(path: &syn::Path) -> bool {
    matches!(&*path_key(path), "Some" | "Option::Some")
}

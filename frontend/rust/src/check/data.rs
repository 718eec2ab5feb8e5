//! Structs and enums: how values are made, and how patterns take them apart.

use super::{Checker, Mention, Use};
use crate::data::Data;
use crate::program::{Alias, Constant, Program, Resolved};
use crate::refusal::{Refusal, Result};
use crate::types::{Kind, Ty};
use quote::ToTokens;
use syn::{Expr, Lit, Pat, Path};

/// A struct, or a variant of an enum: the item and the number of the variant.
pub type Shape = (usize, Option<usize>);

/// What stands in the place of the data that a value does not have: zeros, by the type.
#[derive(Clone, PartialEq, Debug)]
pub enum Absent {
    /// A number or a `bool`.
    Number(Kind),
    /// `None`, or `()`.
    None,
    /// An array of a length.
    Array(Box<Absent>, usize),
    /// A tuple or a struct.
    Fields(Kind, Vec<Absent>),
}

/// What stands in the place of a field of an enum, where the value is another variant.
pub fn absent(program: &Program, of: usize, field: usize) -> Result<Absent> {
    Checker::new(program, of).absent(&program.fields(of)[field].1)
}

/// What stands in the place of a struct or an enum.
pub fn absent_fields(program: &Program, of: usize) -> Result<Absent> {
    Checker::new(program, of).absent_fields(of)
}

impl<'p> Checker<'p> {
    /// The struct or the variant that a path is, which is noted; none where the rest of the program is not at hand.
    pub(super) fn shape(&mut self, path: &Path) -> Result<Option<Shape>> {
        let program = self.program;
        let count = path.segments.len();
        let name = path.segments.last().map_or_else(String::new, |s| s.ident.to_string());
        let is_variant = count > 1 && path.segments[count - 2].ident.to_string().starts_with(char::is_uppercase);
        let ty = self.named_type(&if is_variant { owner(path) } else { path.clone() })?;
        let Kind::Struct(of) = self.kind(ty) else {
            return self.elsewhere(path, "this is no struct or enum that derives `gradus::Value`").map(|_| None);
        };
        let variants = program.variants(of);
        match (is_variant, program.items[of].data.variant(&name)) {
            (true, None) => Err(Refusal::new(path, format!("there is no variant `{name}`"))),
            (false, _) if !variants.is_empty() => Err(Refusal::new(path, "a variant of this enum is missing here")),
            (true, variant) => Ok(Some((of, variant))),
            (false, _) => Ok(Some((of, None))),
        }
    }

    /// The types of what a struct or a variant is made of.
    pub(super) fn member_types(&mut self, shape: Shape) -> Result<Vec<Ty>> {
        let here = std::mem::replace(&mut self.item, shape.0);
        let types = self.program.members(shape).iter().map(|(_, ty)| self.ty(ty)).collect();
        self.item = here;
        types
    }

    /// `Point(x, y)` or `Shape::Circle(r)`.
    pub(super) fn constructed(&mut self, c: &'p syn::ExprCall, path: &Path) -> Result<Ty> {
        let Some(shape) = self.shape(path)? else {
            c.args.iter().try_for_each(|e| self.expr(e).map(|_| ()))?;
            return Ok(self.known.types.unknown());
        };
        let types = self.member_types(shape)?;
        c.args.iter().zip(types).try_for_each(|(e, ty)| self.expr_of(e, ty))?;
        self.known.uses.insert(std::ptr::from_ref(&*c.func), Use::Data(shape));
        Ok(self.new_type(Kind::Struct(shape.0)))
    }

    /// A struct without fields or a variant without data, as a value.
    pub(super) fn constant_shape(&mut self, path: &Path) -> Result<(Use, Ty)> {
        let Some(shape) = self.shape(path)? else { return Ok((Use::Elsewhere, self.known.types.unknown())) };
        if !self.program.members(shape).is_empty() {
            return Err(Refusal::unsupported(path, "a struct or a variant as a function").hint("write a closure that makes it"));
        }
        Ok((Use::Data(shape), self.new_type(Kind::Struct(shape.0))))
    }

    /// `Point { x, y }` or `Shape::Rect { width, height }`.
    pub(super) fn structure(&mut self, s: &'p syn::ExprStruct) -> Result<Ty> {
        let Some(shape) = self.shape(&s.path)? else {
            s.fields.iter().map(|field| &field.expr).chain(s.rest.as_deref()).try_for_each(|e| self.expr(e).map(|_| ()))?;
            return Ok(self.known.types.unknown());
        };
        let (types, ty) = (self.member_types(shape)?, self.new_type(Kind::Struct(shape.0)));
        for field in &s.fields {
            let at = Data::position(self.program.members(shape), &field.member);
            let at = at.ok_or_else(|| Refusal::new(&field.member, "there is no such field"))?;
            self.expr_of(&field.expr, types[at])?;
        }
        self.known.shapes.insert(std::ptr::from_ref(s).cast(), shape);
        match &s.rest {
            Some(rest) => self.expr_of(rest, ty).map(|()| ty),
            None => Ok(ty),
        }
    }

    /// A pattern of a struct or a variant. What is within it is `refutable` in `match` and its like.
    pub(super) fn shape_pattern(&mut self, pattern: &'p Pat, ty: Ty, refutable: bool) -> Result<()> {
        let (path, parts) = match pattern {
            Pat::Struct(s) => (&s.path, s.fields.iter().map(|field| (Some(&field.member), &*field.pat)).collect()),
            Pat::TupleStruct(t) => (&t.path, t.elems.iter().map(|p| (None, p)).collect()),
            Pat::Path(p) => (&p.path, Vec::new()),
            other => unreachable!("{} is no such pattern", other.to_token_stream()),
        };
        let within = |me: &mut Self, part: &'p Pat, ty: Ty| match part {
            Pat::Rest(_) => Ok(()),
            part if refutable => me.case(part, ty),
            part => me.pattern(part, ty),
        };
        let Some(shape) = self.shape(path)? else {
            return parts.into_iter().try_for_each(|(_, part)| {
                let ty = self.known.types.unknown();
                within(self, part, ty)
            });
        };
        let of = self.new_type(Kind::Struct(shape.0));
        self.same(ty, of, path)?;
        self.known.shapes.insert(std::ptr::from_ref(pattern).cast(), shape);
        let types = self.member_types(shape)?;
        let unnamed: Vec<&Pat> = parts.iter().map(|(_, part)| *part).collect();
        let places = spread(&unnamed, types.len());
        for (i, (member, part)) in parts.into_iter().enumerate() {
            let at = member.map_or(Some(places[i]), |member| Data::position(self.program.members(shape), member));
            let ty = at.and_then(|at| types.get(at).copied());
            let ty = ty.ok_or_else(|| Refusal::new(part, "there is no such field"))?;
            within(self, part, ty)?;
        }
        Ok(())
    }

    /// What stands in the place of a value of this type.
    pub(super) fn absent(&mut self, ty: &syn::Type) -> Result<Absent> {
        match ty {
            syn::Type::Paren(t) => self.absent(&t.elem),
            syn::Type::Group(t) => self.absent(&t.elem),
            syn::Type::Reference(t) => self.absent(&t.elem),
            syn::Type::Array(t) => Ok(Absent::Array(Box::new(self.absent(&t.elem)?), self.length_of(&t.len)?)),
            syn::Type::Slice(t) => Ok(Absent::Array(Box::new(self.absent(&t.elem)?), 0)),
            syn::Type::Tuple(t) if t.elems.is_empty() => Ok(Absent::None),
            syn::Type::Tuple(t) => {
                let items = t.elems.iter().map(|t| self.absent(t)).collect::<Result<_>>()?;
                let known = self.ty(ty)?;
                Ok(Absent::Fields(self.kind(known), items))
            }
            syn::Type::Path(p) if p.path.segments.last().is_some_and(|s| s.ident == "Vec") => {
                let element = super::signature::type_argument(&p.path).map(|ty| self.absent(ty));
                Ok(Absent::Array(Box::new(element.unwrap_or(Ok(Absent::Number(Kind::F64)))?), 0))
            }
            _ => {
                let known = self.ty(ty)?;
                match self.kind(known) {
                    Kind::Struct(of) => self.absent_fields(of),
                    Kind::Array(_) | Kind::Tuple(_)
                        if let syn::Type::Path(p) = ty
                            && let Some(Resolved::Type(alias)) = self.resolve(Mention::Struct, &p.path) =>
                    {
                        self.absent_alias(&alias)
                    }
                    Kind::Option(_) | Kind::Text => Ok(Absent::None),
                    kind @ (Kind::F64 | Kind::Int(_) | Kind::Bool) => Ok(Absent::Number(kind)),
                    Kind::Unknown if !self.program.is_complete => Ok(Absent::None),
                    _ => Err(Refusal::unsupported(ty, "a value of this type in an enum")),
                }
            }
        }
    }

    fn absent_fields(&mut self, of: usize) -> Result<Absent> {
        let here = std::mem::replace(&mut self.item, of);
        let program = self.program;
        let fields = program.fields(of).iter().map(|(_, ty)| self.absent(ty)).collect::<Result<_>>();
        self.item = here;
        Ok(Absent::Fields(Kind::Struct(of), fields?))
    }

    fn absent_alias(&mut self, resolved: &Alias<Resolved>) -> Result<Absent> {
        let mut part = |resolved: &Resolved| match resolved {
            Resolved::Type(alias) => self.absent_alias(alias),
            Resolved::Struct(of) => self.absent_fields(*of),
            Resolved::Function(_) | Resolved::Constant(_) => unreachable!("it is no type"),
        };
        match resolved {
            Alias::Number(_) => {
                let ty = self.alias_type(resolved);
                Ok(Absent::Number(self.kind(ty)))
            }
            Alias::Array(element, length) => Ok(Absent::Array(Box::new(part(element)?), length.unwrap_or(0))),
            Alias::Tuple(items) => {
                let items = items.iter().map(part).collect::<Result<_>>()?;
                let ty = self.alias_type(resolved);
                Ok(Absent::Fields(self.kind(ty), items))
            }
        }
    }

    /// The length of an array, which is a number or a constant.
    fn length_of(&mut self, e: &Expr) -> Result<usize> {
        let found = match e {
            Expr::Lit(l) => {
                if let Lit::Int(i) = &l.lit {
                    i.base10_parse().ok()
                } else {
                    None
                }
            }
            Expr::Path(p) => match self.resolve(Mention::Constant, &p.path) {
                Some(Resolved::Constant(Constant::Int(_, n))) => usize::try_from(n).ok(),
                _ if !self.program.is_complete => Some(0),
                _ => None,
            },
            _ => None,
        };
        found.ok_or_else(|| Refusal::new(e, "the length of an array in an enum is a number or a constant"))
    }
}

/// A path without its last segment.
pub(super) fn owner(path: &Path) -> Path {
    let mut owner = path.clone();
    owner.segments.pop();
    owner.segments.pop_punct();
    owner
}

/// The places that patterns in a row are at, among so many: those behind `..` count from the end.
pub fn spread(parts: &[&Pat], count: usize) -> Vec<usize> {
    let rest = parts.iter().position(|p| is_rest(p));
    let place = |i: usize| match rest {
        Some(rest) if i > rest => (count + i).saturating_sub(parts.len()),
        _ => i,
    };
    (0..parts.len()).map(place).collect()
}

/// Whether a pattern stands for any number of others: `..` or `rest @ ..`.
pub fn is_rest(pattern: &Pat) -> bool {
    match pattern {
        Pat::Rest(_) => true,
        Pat::Ident(i) => i.subpat.as_ref().is_some_and(|(_, inner)| matches!(**inner, Pat::Rest(_))),
        _ => false,
    }
}

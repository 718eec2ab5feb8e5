//! Patterns: what their parts are matched with, and the variables that they bind.

use super::place::Bound;
use super::{Lowerer, Result};
use crate::check::{self, Form};
use crate::data::Data;
use crate::types::Kind;
use gradus_ir::{NodeId, Prim, Span};
use syn::Pat;

impl<'p> Lowerer<'p> {
    /// Binds the variables of a pattern to a value.
    pub(super) fn pattern(&mut self, pattern: &'p Pat, value: NodeId) -> Result<()> {
        self.bind_pattern(pattern, &Bound::Value(value))
    }

    /// Binds the variables of a pattern.
    pub(super) fn bind_pattern(&mut self, pattern: &'p Pat, bound: &Bound) -> Result<()> {
        let span = if matches!(pattern, Pat::Wild(_)) { Span::NONE } else { self.span(pattern) };
        match pattern {
            Pat::Paren(p) => self.bind_pattern(&p.pat, bound),
            Pat::Reference(r) => self.bind_pattern(&r.pat, bound),
            Pat::Type(t) => self.bind_pattern(&t.pat, bound),
            Pat::Ident(i) => {
                let local = self.checked.bound(i);
                match bound {
                    Bound::Place(place) => {
                        self.aliases.insert(local, place.clone());
                    }
                    other => {
                        let value = self.bound_value(other, span);
                        self.bind(local, value);
                    }
                }
                Ok(())
            }
            Pat::Tuple(_) | Pat::Slice(_) | Pat::Struct(_) | Pat::TupleStruct(_) => {
                self.matched(pattern, bound, span)?.iter().try_for_each(|(p, part)| self.bind_pattern(p, part))
            }
            _ => Ok(()),
        }
    }

    /// What the parts of a pattern are matched with, of a value that has these parts.
    pub(super) fn matched(&mut self, pattern: &'p Pat, bound: &Bound, span: Span) -> Result<Vec<(&'p Pat, Bound)>> {
        let known = self.checked.patterns.get(&std::ptr::from_ref(pattern)).map(|&ty| self.checked.types.kind(ty).clone());
        let (shape, parts): (_, Vec<(Option<&syn::Member>, &'p Pat)>) = match pattern {
            Pat::Tuple(t) => (None, t.elems.iter().map(|p| (None, p)).collect()),
            Pat::Slice(s) => {
                let form = self.layout(&known.expect("the check noted the type"))?;
                return Ok(self.elements(&s.elems.iter().collect::<Vec<_>>(), &form, bound, span));
            }
            Pat::TupleStruct(t) => (self.checked.shape(pattern), t.elems.iter().map(|p| (None, p)).collect()),
            Pat::Struct(s) => (self.checked.shape(pattern), s.fields.iter().map(|f| (Some(&f.member), &*f.pat)).collect()),
            _ => (None, Vec::new()),
        };
        let members = shape.map(|shape| self.program.members(shape));
        let count = match (&known, members) {
            (Some(Kind::Tuple(items)), _) => items.len(),
            (_, members) => members.map_or(parts.len(), <[_]>::len),
        };
        let places = check::spread(&parts.iter().map(|(_, p)| *p).collect::<Vec<_>>(), count);
        let mut found = Vec::new();
        for ((member, part), place) in parts.into_iter().zip(places).filter(|((_, p), _)| !check::is_rest(p)) {
            let place = match (member, members) {
                (Some(member), Some(members)) => Data::position(members, member).expect("the check found the field"),
                _ => place,
            };
            let way = match shape {
                Some(shape) => self.way_to_member(shape, place),
                None => vec![(Kind::Tuple(Vec::new()), place)],
            };
            let value = way.iter().fold(bound.clone(), |bound, (kind, i)| self.bound_field(kind, &bound, *i, span));
            found.push((part, value));
        }
        Ok(found)
    }

    /// What the parts of a pattern of an array are matched with: elements, and what lies between those at its ends.
    fn elements(&mut self, parts: &[&'p Pat], form: &Form, bound: &Bound, span: Span) -> Vec<(&'p Pat, Bound)> {
        let rest = parts.iter().position(|p| check::is_rest(p)).unwrap_or(parts.len());
        let mut found = Vec::new();
        for (i, part) in parts.iter().enumerate().filter(|(_, p)| !matches!(p, Pat::Rest(_))) {
            // Behind the rest, places count from the end.
            let mut place = self.m.i64(i as i64);
            if i > rest {
                let array = self.bound_value(bound, span);
                let (length, distance) = (self.length_of(form, array, span), self.m.i64((parts.len() - i) as i64));
                place = self.prim(Prim::Sub, &[length, distance], span);
            }
            found.push((
                *part,
                match i == rest {
                    false => self.bound_element(form, bound, place, span),
                    true => {
                        let array = self.bound_value(bound, span);
                        let (length, behind) = (self.length_of(form, array, span), self.m.i64((parts.len() - i - 1) as i64));
                        let end = self.prim(Prim::Sub, &[length, behind], span);
                        let none = self.unit();
                        let slice = self.prim(Prim::Slice, &[place, end, none, none], span);
                        Bound::Value(self.item(form, array, slice, span))
                    }
                },
            ));
        }
        found
    }

    /// The place of a field.
    pub(super) fn field_index(&self, of: &Kind, member: &syn::Member) -> usize {
        match (of, member) {
            (Kind::Struct(item), _) => Data::position(self.program.fields(*item), member).expect("the check found the field"),
            (_, syn::Member::Unnamed(i)) => i.index as usize,
            (_, syn::Member::Named(_)) => unreachable!("the check knows fields of structs alone"),
        }
    }
}

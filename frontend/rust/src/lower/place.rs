//! Parts of values, and assignment to them. Values are never changed: a variable gets another one.

use super::{Lowerer, Result};
use crate::check::{Form, Local, Use};
use crate::refusal::Refusal;
use crate::types::Kind;
use gradus_ir::{NodeId, Prim, Span};
use syn::{BinOp, Expr};

/// A variable, or a part of one, that can be assigned to.
#[derive(Clone)]
pub(super) struct Place {
    root: Local,
    steps: Vec<Step>,
}

/// What a variable of a pattern is bound to.
#[derive(Clone)]
pub(super) enum Bound {
    /// A value.
    Value(NodeId),
    /// A place, which it is another name of.
    Place(Place),
    /// Several, as a tuple.
    Tuple(Vec<Bound>),
}

/// A step from a value to a part of it.
#[derive(Clone)]
enum Step {
    /// A field of a value of some kind.
    Field(Kind, usize),
    /// The element at these places, one for each axis, of an array of what is made like this.
    Element(Form, Vec<NodeId>),
    /// The elements that a slice picks.
    Slice(Form, NodeId),
}

/// What becomes of a part.
enum Change {
    /// It is this value from now on.
    To(NodeId),
    /// An operator on values of a kind is applied to it and this value.
    By(BinOp, Kind, NodeId),
}

impl<'p> Lowerer<'p> {
    /// A field or an element.
    pub(super) fn part(&mut self, e: &'p Expr) -> Result<NodeId> {
        let (root, steps) = self.steps(e)?;
        let whole = self.expr(root)?;
        let span = self.span(e);
        Ok(steps.iter().fold(whole, |value, step| self.step(value, step, span)))
    }

    /// The place that an expression is: a variable stands for another place if it is a reference to it.
    pub(super) fn place(&mut self, e: &'p Expr) -> Result<Place> {
        let (root, steps) = self.steps(e)?;
        let Use::Local(local) = *self.checked.used(root) else {
            return Err(Refusal::unsupported(root, "a write to something other than a variable"));
        };
        let place = match self.aliases.get(&local) {
            Some(place) => place.clone(),
            // What is written through a reference is written elsewhere, too, and a pattern binds one without saying so.
            None if !std::ptr::eq(root, e) && !self.checked.mutable.contains(&local) => {
                return Err(Refusal::unsupported(e, "what is written through the reference that a pattern binds")
                    .hint("write to the part itself: `v.x = …`"));
            }
            None => self.place_of(local),
        };
        Ok(steps.into_iter().fold(place, Place::part))
    }

    /// The place that an expression is a reference to, if it is one through which something may be changed.
    pub(super) fn reference(&mut self, e: &'p Expr) -> Option<Place> {
        match e {
            Expr::Paren(p) => self.reference(&p.expr),
            Expr::Path(_) => match self.checked.used(e) {
                Use::Local(local) => self.aliases.get(local).cloned(),
                _ => None,
            },
            _ => None,
        }
    }

    /// The variables that others are, or are references to.
    pub(super) fn roots(&self, locals: &[Local]) -> Vec<Local> {
        let mut roots: Vec<Local> = Vec::new();
        for local in locals {
            let root = self.aliases.get(local).map_or(*local, |place| place.root);
            if !roots.contains(&root) {
                roots.push(root);
            }
        }
        roots
    }

    /// A parameter that is a reference is another name of itself.
    pub(super) fn refer(&mut self, local: Local) {
        let place = self.place_of(local);
        self.aliases.insert(local, place);
    }

    /// The place of a variable.
    pub(super) fn place_of(&self, local: Local) -> Place {
        Place { root: local, steps: Vec::new() }
    }

    /// The value that is at a place.
    pub(super) fn read_place(&mut self, place: &Place, span: Span) -> NodeId {
        let whole = self.variable_value(place.root);
        place.steps.iter().fold(whole, |value, step| self.step(value, step, span))
    }

    /// The place of an element.
    fn element_place(&self, form: &Form, array: &Place, index: NodeId) -> Place {
        array.clone().part(Step::Element(form.clone(), vec![index]))
    }

    /// What is bound as a value.
    pub(super) fn bound_value(&mut self, bound: &Bound, span: Span) -> NodeId {
        match bound {
            Bound::Value(value) => *value,
            Bound::Place(place) => self.read_place(place, span),
            Bound::Tuple(items) => {
                let items: Vec<NodeId> = items.iter().map(|item| self.bound_value(item, span)).collect();
                self.prim(Prim::Tuple, &items, span)
            }
        }
    }

    /// An element of what is bound.
    pub(super) fn bound_element(&mut self, form: &Form, array: &Bound, index: NodeId, span: Span) -> Bound {
        match array {
            Bound::Place(place) => Bound::Place(self.element_place(form, place, index)),
            other => {
                let array = self.bound_value(other, span);
                Bound::Value(self.item(form, array, index, span))
            }
        }
    }

    /// A field of what is bound.
    pub(super) fn bound_field(&mut self, of: &Kind, bound: &Bound, index: usize, span: Span) -> Bound {
        match bound {
            Bound::Value(value) => Bound::Value(self.field(of, *value, index, span)),
            Bound::Place(place) => Bound::Place(place.clone().part(Step::Field(of.clone(), index))),
            Bound::Tuple(items) => items[index].clone(),
        }
    }

    /// The way to a part, and what it begins at. Indices in a row are one step.
    fn steps(&mut self, mut e: &'p Expr) -> Result<(&'p Expr, Vec<Step>)> {
        let mut parts = Vec::new();
        loop {
            match e {
                Expr::Paren(p) => e = &p.expr,
                Expr::Reference(r) => e = &r.expr,
                Expr::Unary(u) if matches!(u.op, syn::UnOp::Deref(_)) => e = &u.expr,
                Expr::Index(i) => {
                    parts.push(e);
                    e = &i.expr;
                }
                Expr::Field(f) => {
                    parts.push(e);
                    e = &f.base;
                }
                _ => break,
            }
        }
        let mut steps = Vec::new();
        for part in parts.into_iter().rev() {
            let step = match part {
                Expr::Field(f) => {
                    let kind = self.kind(&f.base)?;
                    let index = self.field_index(&kind, &f.member);
                    Step::Field(kind, index)
                }
                Expr::Index(i) => {
                    let of = self.kind(&i.expr)?;
                    let form = self.layout(&of)?;
                    match &*i.index {
                        Expr::Range(r) => Step::Slice(form, self.slice(r)?),
                        index => Step::Element(form, vec![self.expr(index)?]),
                    }
                }
                _ => unreachable!("parts are fields and elements"),
            };
            step.after(&mut steps);
        }
        Ok((e, steps))
    }

    /// `start..end` as an index.
    fn slice(&mut self, r: &'p syn::ExprRange) -> Result<NodeId> {
        let (span, none) = (self.span(r), self.unit());
        let start = r.start.as_ref().map(|e| self.expr(e)).transpose()?;
        let mut end = r.end.as_ref().map(|e| self.expr(e)).transpose()?;
        if let (Some(last), syn::RangeLimits::Closed(_)) = (end, &r.limits) {
            let one = self.m.i64(1);
            end = Some(self.prim(Prim::Add, &[last, one], span));
        }
        Ok(self.prim(Prim::Slice, &[start.unwrap_or(none), end.unwrap_or(none), none, none], span))
    }

    fn index(&mut self, places: &[NodeId], span: Span) -> NodeId {
        match places {
            [one] => *one,
            several => {
                let all = self.prim(Prim::Tuple, several, span);
                self.prim(Prim::Parts, &[all], span)
            }
        }
    }

    fn step(&mut self, value: NodeId, step: &Step, span: Span) -> NodeId {
        match step {
            Step::Field(kind, i) => self.field(kind, value, *i, span),
            Step::Element(form, places) => self.by_rows(
                places,
                span,
                |me| places.iter().fold(value, |row, &place| me.item(form, row, place, span)),
                |me, index| me.item(form, value, index, span),
            ),
            Step::Slice(form, slice) => self.item(form, value, *slice, span),
        }
    }

    /// What is done to an element at several places: where a `Vec` is a list, a row is one of its elements, and else all places together are
    /// one index.
    fn by_rows(
        &mut self,
        places: &[NodeId],
        span: Span,
        list: impl FnOnce(&mut Self) -> NodeId,
        array: impl FnOnce(&mut Self, NodeId) -> NodeId,
    ) -> NodeId {
        let at_once = |me: &mut Self| {
            let index = me.index(places, span);
            array(me, index)
        };
        if places.len() == 1 || !self.program.has_vectors {
            return at_once(self);
        }
        self.by_lists(span, |me| Ok(list(me)), |me| Ok(at_once(me))).expect("nothing of this is refused")
    }

    /// The value with another element, by the rows that it is in.
    fn with_element(&mut self, form: &Form, whole: NodeId, places: &[NodeId], part: NodeId, span: Span) -> NodeId {
        let Some((&first, rest)) = places.split_first() else { return part };
        let row = if rest.is_empty() { part } else { self.item(form, whole, first, span) };
        let row = self.with_element(form, row, rest, part, span);
        self.with_item(form, whole, first, row, span)
    }

    /// The value with another part.
    fn with_part(&mut self, whole: NodeId, step: &Step, part: NodeId, span: Span) -> NodeId {
        match step {
            Step::Field(kind, i) => {
                let fields: Vec<NodeId> =
                    (0..self.field_count(kind)).map(|j| if j == *i { part } else { self.field(kind, whole, j, span) }).collect();
                self.composed(kind, &fields, span)
            }
            Step::Element(form, places) => self.by_rows(
                places,
                span,
                |me| me.with_element(form, whole, places, part, span),
                |me, index| me.with_item(form, whole, index, part, span),
            ),
            Step::Slice(form, slice) => self.with_item(form, whole, *slice, part, span),
        }
    }

    /// `left = value`.
    pub(super) fn assign(&mut self, left: &'p Expr, value: NodeId) -> Result<()> {
        match left {
            Expr::Infer(_) => Ok(()),
            Expr::Tuple(t) => t.elems.iter().enumerate().try_for_each(|(i, e)| {
                let span = self.span(e);
                let field = self.field(&Kind::Tuple(Vec::new()), value, i, span);
                self.assign(e, field)
            }),
            _ => {
                let (place, span) = (self.place(left)?, self.span(left));
                self.change(&place, Change::To(value), span);
                Ok(())
            }
        }
    }

    /// `left += right`, and the like.
    pub(super) fn assign_operation(&mut self, b: &'p syn::ExprBinary, op: BinOp) -> Result<NodeId> {
        let right = self.expr(&b.right)?;
        let kind = self.kind(&b.left)?;
        let (place, span) = (self.place(&b.left)?, self.span(&b.left));
        self.change(&place, Change::By(op, kind, right), span);
        Ok(self.unit())
    }

    /// Puts a value at a place.
    pub(super) fn put(&mut self, place: &Place, value: NodeId, span: Span) {
        self.change(place, Change::To(value), span);
    }

    /// Gives the variable that a place is a part of a value in which that part is changed.
    fn change(&mut self, Place { root, steps }: &Place, change: Change, span: Span) {
        let Some((last, outer)) = steps.split_last() else {
            let value = match change {
                Change::To(value) => value,
                Change::By(op, kind, right) => {
                    let old = self.variable_value(*root);
                    self.operation(&op, &kind, old, right, span)
                }
            };
            self.assign_local(*root, value);
            return;
        };
        let mut wholes = Vec::new();
        let mut holder = self.variable_value(*root);
        for step in outer {
            wholes.push(holder);
            holder = self.step(holder, step, span);
        }
        let mut value = match (change, last) {
            (Change::To(value), _) => self.with_part(holder, last, value, span),
            // The derivative need not know what was there.
            (Change::By(BinOp::Add(_), Kind::F64, right), Step::Element(form, places)) => self.by_rows(
                places,
                span,
                |me| {
                    let old = places.iter().fold(holder, |row, &place| me.item(form, row, place, span));
                    let new = me.prim(Prim::Add, &[old, right], span);
                    me.with_element(form, holder, places, new, span)
                },
                |me, index| me.prim(Prim::AddItem, &[holder, index, right], span),
            ),
            (Change::By(op, kind, right), _) => {
                let old = self.step(holder, last, span);
                let new = self.operation(&op, &kind, old, right, span);
                self.with_part(holder, last, new, span)
            }
        };
        for (whole, step) in wholes.into_iter().zip(outer).rev() {
            value = self.with_part(whole, step, value, span);
        }
        self.assign_local(*root, value);
    }
}

impl Place {
    fn part(mut self, step: Step) -> Place {
        step.after(&mut self.steps);
        self
    }
}

impl Step {
    /// Adds a step to others. Indices in a row are one step; a field of an element is an element of the field, which is an array.
    fn after(self, steps: &mut Vec<Step>) {
        match (steps.last_mut(), self) {
            (Some(Step::Element(form, places)), Step::Element(inner, more)) => {
                *form = inner;
                places.extend(more);
            }
            (_, Step::Field(kind, field)) => {
                let at = steps.iter().rposition(|step| matches!(step, Step::Field(..))).map_or(0, |i| i + 1);
                for step in &mut steps[at..] {
                    if let Step::Element(form, _) | Step::Slice(form, _) = step {
                        *form = form.field(field);
                    }
                }
                steps.insert(at, Step::Field(kind, field));
            }
            (_, step) => steps.push(step),
        }
    }
}

impl Form {
    /// What a field is made of, an array or not.
    fn field(&self, index: usize) -> Form {
        let mut form = match self {
            Form::Fields(_, forms) => &forms[index],
            other => other,
        };
        while let Form::Rows(inner) = form {
            form = inner;
        }
        if matches!(form, Form::Array(_)) { Form::Plain } else { form.clone() }
    }
}

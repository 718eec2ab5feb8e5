//! The elements of a list whose length only the run knows: a vector ([`Type::Vec`]), each record of which is an element or a box of one.
//!
//! ```text
//! elements          (first, vector): the place of the first element, so that others leave and come in front of it, too
//! their cotangent   (zero, vector of cotangents), or (zero, zero) if they have none
//! ```
//!
//! Numbers, instances and unions are records as they are. Functions, arrays, strings and lists are in boxes. The same vectors hold the
//! contents of mutable boxes (`frontend/src/python/library/boxes.py`).

use super::abs::Abs;
use super::prims::{Ops, Out, Value};
use crate::build::zero_value;
use crate::graph::{Const, Flavor, GraphId, NodeId, Role};
use crate::prim::Prim;
use crate::types::Type;
use std::rc::Rc;

/// How the elements are records.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kept {
    AsTheyAre,
    InBoxes,
}

impl Abs {
    /// How such elements are records. None while it is not known what they are.
    pub(super) fn kept(&self) -> Option<Kept> {
        let scalars = self.scalars()?;
        Some(if scalars.is_some_and(|n| n > 0) { Kept::AsTheyAre } else { Kept::InBoxes })
    }

    /// How many numbers, booleans and boxes this is made of, if it is made of nothing else, as [`Type::scalars`] counts them; none while it
    /// is not known what it is.
    fn scalars(&self) -> Option<Option<usize>> {
        Some(match self {
            Abs::Bottom => return None,
            Abs::Bool(_) | Abs::I64(_) | Abs::F64(_) | Abs::Ref(_) | Abs::Opaque | Abs::Boxed(_) => Some(1),
            Abs::Union(_) => Some(2),
            Abs::None | Abs::Zero => Some(0),
            Abs::Tuple(items, _) | Abs::Record(_, items) => {
                let mut all = Some(0);
                for item in items.iter() {
                    all = all.zip(item.scalars()?).map(|(a, b)| a + b);
                }
                all
            }
            _ => None,
        })
    }

    /// The elements of a list, or of the contents of mutable boxes.
    fn stored(&self) -> &Abs {
        match self {
            Abs::Record(_, fields) | Abs::Tuple(fields, _) if let [_, Abs::Elements(element)] = &fields[..] => element,
            other => unreachable!("{other:?} is no list"),
        }
    }
}

impl Ops<'_> {
    /// Carries out a primitive of the library on the elements of lists.
    pub(super) fn vector(&mut self, prim: Prim, args: &[Value]) -> Value {
        match (prim, args) {
            (Prim::VectorAt, [list, i]) => {
                let elements = self.op(Prim::Get(1), &[list], Abs::Opaque);
                self.element_at(&elements, i, list.abs.stored())
            }
            (Prim::VectorWith, [list, i, value, count]) => {
                let element = list.abs.stored().clone();
                let value = self.coerce(value, &element);
                let [first, vector] = self.first_and_vector(list);
                let place = self.op(Prim::WrapAdd, &[&first, i], Abs::I64(None));
                let vector = self.with_element(&vector, &place, &value, &element);
                self.list_of(list, count, &first, &vector)
            }
            (Prim::VectorMoved, [list, by, count]) => {
                let [first, vector] = self.first_and_vector(list);
                let first = self.op(Prim::WrapAdd, &[&first, by], Abs::I64(None));
                self.list_of(list, count, &first, &vector)
            }
            (Prim::VectorFirst, [list]) => {
                let [first, _] = self.first_and_vector(list);
                first
            }
            (Prim::VectorPart, [cotangent, list, i]) => {
                let element = list.abs.stored().clone();
                let vector = self.op(Prim::Get(1), &[cotangent], Abs::Opaque);
                if self.is_inert(&vector) {
                    return self.zero_cotangent(&element);
                }
                let [first, _] = self.first_and_vector(list);
                let place = self.op(Prim::WrapAdd, &[&first, i], Abs::I64(None));
                let record = self.op(Prim::Element, &[&vector, &place], Abs::Opaque);
                match element.kept() {
                    Some(Kept::InBoxes) => self.unpack_cotangent(&record, &element),
                    Some(Kept::AsTheyAre) => Value { abs: element.cotangent(), ..record },
                    None => Value { abs: Abs::Bottom, ..record },
                }
            }
            (Prim::VectorTangent, [tangent, list, i, part]) => {
                let element = list.abs.stored().clone();
                let zero = self.constant(Const::Zero, Type::Zero, Abs::Zero);
                let mut vector = match tangent.abs {
                    Abs::None => self.zero_vector(&element, true),
                    _ => self.op(Prim::Get(1), &[tangent], Abs::Opaque),
                };
                if part.abs != Abs::None && !self.is_inert(&vector) {
                    let [first, _] = self.first_and_vector(list);
                    let place = self.op(Prim::WrapAdd, &[&first, i], Abs::I64(None));
                    vector = self.with_element(&vector, &place, part, &element);
                }
                let abs = Abs::Cotangent(Rc::new(Abs::Elements(Rc::new(element))));
                Value { abs, ..self.tuple(&[zero, vector]) }
            }
            _ => unreachable!("the arity was checked"),
        }
    }

    /// First place and vector of new elements.
    pub(super) fn new_elements(&mut self, element: &Abs, items: &[Value]) -> Value {
        let mut vector = self.zero_vector(element, false);
        for (i, item) in items.iter().enumerate() {
            let place = self.int(i as i64);
            vector = self.with_element(&vector, &place, item, element);
        }
        let first = self.int(0);
        self.tuple(&[first, vector])
    }

    /// First place and vector of so many elements as ones of another type: a function that calls itself for the rest of them.
    pub(super) fn converted(&mut self, count: &Value, elements: &Value, from: &Abs, to: &Abs) -> Value {
        let (first, start) = (self.int(0), self.zero_vector(to, false));
        let span = self.span;
        let Some(Out { m, g: outer, .. }) = &mut self.out else { return Value { abs: Abs::Opaque, node: NodeId::default() } };
        let outer = *outer;
        let args = [count, elements, &first, &start].map(|v| v.node);
        let types = args.map(|n| m[n].ty.clone());
        let result = types[3].clone();
        let [function, some, none] =
            [("converted", Flavor::Function), ("some", Flavor::Block), ("none", Flavor::Block)].map(|(name, flavor)| {
                let g = m.add_graph(name, flavor, Role::Primal, span);
                m.declare_result(g, result.clone());
                g
            });
        let params = types.map(|ty| m.add_param(function, ty, None, span));
        let [this, full, empty] = [function, some, none].map(|g| m.graph_ref(g));
        let value = |node, abs| Value { abs, node };
        let [left, old, i, new] = params;
        let (left, old, i, new) =
            (value(left, Abs::I64(None)), value(old, Abs::Opaque), value(i, Abs::I64(None)), value(new, Abs::Opaque));

        self.goto(some);
        let element = self.element_at(&old, &i, from);
        let element = self.coerce(&element, to);
        let one = self.int(1);
        let (next, less) = (self.op(Prim::Add, &[&i, &one], Abs::I64(None)), self.op(Prim::Sub, &[&left, &one], Abs::I64(None)));
        let after = self.with_element(&new, &i, &element, to);
        let Out { m, .. } = self.out.as_mut().expect("the typed module is made");
        let rest = m.call(some, this, &[less.node, old.node, next.node, after.node], result.clone(), span);
        self.goto(function);
        let zero = self.int(0);
        let exists = self.op(Prim::Lt, &[&zero, &left], Abs::Bool(None));
        let choice = self.op(Prim::Select, &[&exists, &value(full, Abs::Bottom), &value(empty, Abs::Bottom)], Abs::Bottom);
        let Out { m, .. } = self.out.as_mut().expect("the typed module is made");
        let chosen = m.call(function, choice.node, &[], result.clone(), span);
        for (g, result) in [(some, rest), (none, new.node), (function, chosen)] {
            m.set_result(g, result);
        }
        let vector = m.call(outer, this, &args, result, span);
        self.goto(outer);
        self.tuple(&[first, value(vector, Abs::Opaque)])
    }

    fn goto(&mut self, g: GraphId) {
        self.out.as_mut().expect("the typed module is made").g = g;
    }

    /// The element at a place of first place and vector.
    fn element_at(&mut self, elements: &Value, i: &Value, element: &Abs) -> Value {
        let Some(kept) = element.kept() else { return Value { abs: Abs::Bottom, node: NodeId::default() } };
        let first = self.op(Prim::Get(0), &[elements], Abs::I64(None));
        let vector = self.op(Prim::Get(1), &[elements], Abs::Opaque);
        let place = self.op(Prim::WrapAdd, &[&first, i], Abs::I64(None));
        let record = self.op(Prim::Element, &[&vector, &place], Abs::Opaque);
        match kept {
            Kept::AsTheyAre => Value { abs: element.clone(), ..record },
            Kept::InBoxes => self.unpack(&record, element.clone()),
        }
    }

    /// A vector with an element, or the tangent of one, at a place.
    fn with_element(&mut self, vector: &Value, place: &Value, value: &Value, element: &Abs) -> Value {
        let record = match element.kept() {
            Some(Kept::InBoxes) => self.op(Prim::Pack, &[value], Abs::Opaque),
            _ => value.clone(),
        };
        self.op(Prim::Replace, &[vector, place, &record], Abs::Opaque)
    }

    fn first_and_vector(&mut self, list: &Value) -> [Value; 2] {
        let elements = self.op(Prim::Get(1), &[list], Abs::Opaque);
        [(0, Abs::I64(None)), (1, Abs::Opaque)].map(|(i, abs)| self.op(Prim::Get(i), &[&elements], abs))
    }

    fn list_of(&mut self, like: &Value, count: &Value, first: &Value, vector: &Value) -> Value {
        let elements = self.tuple(&[first.clone(), vector.clone()]);
        let node = self.tuple(&[count.clone(), elements]).node;
        Value { abs: like.abs.clone(), node }
    }

    /// The vector of zeros of such elements, or of their cotangents.
    fn zero_vector(&mut self, element: &Abs, cotangents: bool) -> Value {
        let node = match &mut self.out {
            None => NodeId::default(),
            Some(Out { m, layout, source, .. }) => {
                let elements = Abs::Elements(Rc::new(element.clone()));
                let ty = layout.ty(self.classes, source, &elements).expect("the types of values that exist are known");
                let ty = if cotangents { ty.cotangent() } else { ty };
                m.constant(Const::Zero, ty.fields().expect("first place and vector")[1].clone())
            }
        };
        Value { abs: Abs::Opaque, node }
    }

    fn zero_cotangent(&mut self, element: &Abs) -> Value {
        let node = match &mut self.out {
            None => NodeId::default(),
            Some(Out { m, g, layout, source }) => {
                let ty = layout.ty(self.classes, source, element).expect("the types of values that exist are known");
                zero_value(m, *g, &ty.cotangent())
            }
        };
        Value { abs: element.cotangent(), node }
    }

    /// Whether a value in the typed module is no vector, since there are no cotangents.
    fn is_inert(&self, vector: &Value) -> bool {
        self.out.as_ref().is_some_and(|out| out.m[vector.node].ty == Type::Zero)
    }
}

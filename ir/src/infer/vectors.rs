//! Lists of numbers whose length only the run knows: their elements are in a vector ([`Type::Vec`]), so that each is read and written at
//! once. Elements of other types are in trees ([`super::lists`]).
//!
//! ```text
//! the elements      (first, vector): the place of the first element, so that others leave and come in front of it, too
//! their cotangent   (zero, vector of cotangents), or (zero, zero) if they have none
//! ```

use super::abs::Abs;
use super::prims::{Ops, Out, Value};
use crate::build::zero_value;
use crate::graph::{Const, NodeId};
use crate::prim::Prim;
use crate::types::Type;
use std::rc::Rc;

impl Abs {
    /// Whether lists with such elements are vectors. None while it is not known what the elements are.
    pub(super) fn is_vector(&self) -> Option<bool> {
        self.scalars().map(|count| count.is_some_and(|n| n > 0))
    }

    /// How many numbers and booleans this is made of, if it is made of nothing else; none while it is not known what it is.
    fn scalars(&self) -> Option<Option<usize>> {
        Some(match self {
            Abs::Bottom => return None,
            Abs::Bool(_) | Abs::I64(_) | Abs::F64(_) | Abs::Ref(_) => Some(1),
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
}

impl Ops<'_> {
    /// Carries out a primitive of the library on lists of numbers.
    pub(super) fn vector(&mut self, prim: Prim, args: &[Value]) -> Value {
        let element = |list: &Value| list.abs.element().cloned().expect("a list");
        match (prim, args) {
            (Prim::IsVector, [list]) => match element(list).is_vector() {
                Some(is) => self.bool(is),
                None => bottom(),
            },
            (Prim::VectorAt, [list, i]) => {
                let elements = self.parts_of(list);
                self.vector_element(&elements, i, element(list))
            }
            (Prim::VectorWith, [list, i, value, count]) => {
                let value = self.coerce(value, &element(list));
                let [first, vector] = self.first_and_vector(list);
                let place = self.op(Prim::WrapAdd, &[&first, i], Abs::I64(None));
                let vector = self.op(Prim::Replace, &[&vector, &place, &value], Abs::Opaque);
                self.list_with(list, count, &first, &vector)
            }
            (Prim::VectorMoved, [list, by, count]) => {
                let [first, vector] = self.first_and_vector(list);
                let first = self.op(Prim::WrapAdd, &[&first, by], Abs::I64(None));
                self.list_with(list, count, &first, &vector)
            }
            (Prim::VectorFirst, [list]) => {
                let [first, _] = self.first_and_vector(list);
                first
            }
            (Prim::VectorPart, [cotangent, list, i]) => {
                let [first, _] = self.first_and_vector(list);
                let part = element(list).cotangent();
                let vector = self.op(Prim::Get(1), &[cotangent], Abs::Opaque);
                if self.is_inert(&vector) {
                    return self.zero_cotangent(&element(list));
                }
                let place = self.op(Prim::WrapAdd, &[&first, i], Abs::I64(None));
                Value { abs: part, ..self.op(Prim::Element, &[&vector, &place], Abs::Opaque) }
            }
            (Prim::VectorTangent, [tangent, list, i, part]) => {
                let zero = self.constant(Const::Zero, Type::Zero, Abs::Zero);
                let vector = match tangent.abs {
                    Abs::None => self.zero_vector(&element(list), true),
                    _ => self.op(Prim::Get(1), &[tangent], Abs::Opaque),
                };
                let vector = if part.abs == Abs::None || self.is_inert(&vector) {
                    vector
                } else {
                    let [first, _] = self.first_and_vector(list);
                    let place = self.op(Prim::WrapAdd, &[&first, i], Abs::I64(None));
                    self.op(Prim::Replace, &[&vector, &place, part], Abs::Opaque)
                };
                let abs = Abs::Cotangent(Rc::new(Abs::Elements(Rc::new(element(list)))));
                Value { abs, ..self.tuple(&[zero, vector]) }
            }
            _ => unreachable!("the arity was checked"),
        }
    }

    /// First place and vector of new elements.
    pub(super) fn new_vector(&mut self, element: &Abs, items: &[&Value]) -> Value {
        let mut vector = self.zero_vector(element, false);
        for (i, item) in items.iter().enumerate() {
            let place = self.int(i as i64);
            vector = self.op(Prim::Replace, &[&vector, &place, item], Abs::Opaque);
        }
        let first = self.int(0);
        self.tuple(&[first, vector])
    }

    /// First place and vector of elements as another type: by a loop, which is a function.
    pub(super) fn converted_vector(&mut self, count: &Value, elements: &Value, from: &Abs, to: &Abs) -> Value {
        let (first, start) = (self.int(0), self.zero_vector(to, false));
        let args = [elements.clone(), count.clone(), first.clone(), start.clone()];
        let result = self.out.as_ref().map_or(Type::Unknown, |out| out.m[start.node].ty.clone());
        let vector = self.made_function("converted", &args, &result, &mut |me, recur, params| {
            let [elements, left, i, new] = params else { unreachable!("it was made with four") };
            let element = me.vector_element(elements, i, from.clone());
            let element = me.coerce(&element, to);
            let one = me.int(1);
            let next = me.op(Prim::Add, &[i, &one], Abs::I64(None));
            let left = me.op(Prim::Sub, &[left, &one], Abs::I64(None));
            let new = me.op(Prim::Replace, &[new, i, &element], Abs::Opaque);
            me.call(recur, &[elements, &left, &next, &new])
        });
        self.tuple(&[first, vector])
    }

    /// The element at a place of first place and vector.
    pub(super) fn vector_element(&mut self, elements: &Value, i: &Value, abs: Abs) -> Value {
        let first = self.op(Prim::Get(0), &[elements], Abs::I64(None));
        let vector = self.op(Prim::Get(1), &[elements], Abs::Opaque);
        let place = self.op(Prim::WrapAdd, &[&first, i], Abs::I64(None));
        Value { abs, ..self.op(Prim::Element, &[&vector, &place], Abs::Opaque) }
    }

    fn parts_of(&mut self, list: &Value) -> Value {
        self.op(Prim::Get(1), &[list], Abs::Opaque)
    }

    fn first_and_vector(&mut self, list: &Value) -> [Value; 2] {
        let elements = self.parts_of(list);
        [(0, Abs::I64(None)), (1, Abs::Opaque)].map(|(i, abs)| self.op(Prim::Get(i), &[&elements], abs))
    }

    fn list_with(&mut self, list: &Value, count: &Value, first: &Value, vector: &Value) -> Value {
        let elements = self.tuple(&[first.clone(), vector.clone()]);
        let node = self.tuple(&[count.clone(), elements]).node;
        Value { abs: list.abs.clone(), node }
    }

    /// The vector of zeros of such elements, or of their cotangents.
    fn zero_vector(&mut self, element: &Abs, cotangents: bool) -> Value {
        let node = match &mut self.out {
            None => NodeId::default(),
            Some(Out { m, layout, source, .. }) => {
                let ty = layout.ty(self.classes, source, element).expect("the types of values that exist are known");
                let ty = Type::vec(ty);
                m.constant(Const::Zero, if cotangents { ty.cotangent() } else { ty })
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

fn bottom() -> Value {
    Value { abs: Abs::Bottom, node: NodeId::default() }
}

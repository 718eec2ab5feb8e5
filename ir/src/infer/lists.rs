//! Lists whose length only the run knows: the number of elements, and the elements ([`super::vectors`]), of which the library makes the rest
//! (`frontend/src/python/library/lists.py`).
//!
//! A list is a tuple where its length is known. Where it would have two lengths it is a list of elements of one type, if the analysis
//! allows it ([`Classes::lists`]): as a record of the library's class, so that what is done with it is a method.

use super::abs::{Abs, Mismatch, Sequence};
use super::classes::Classes;
use super::prims::{Ops, Result, Value};
use super::records::differ;
use super::vectors::Kept;
use crate::data::Schema;
use crate::prim::Prim;
use std::rc::Rc;

impl Abs {
    /// A list of such elements; of nothing yet, if there is none.
    pub(super) fn list(element: Abs) -> Abs {
        Abs::Record(Schema::list(), [Abs::I64(None), Abs::Elements(Rc::new(element))].into())
    }

    /// What the elements of a list are whose length only the run knows.
    pub(super) fn element(&self) -> Option<&Abs> {
        match self {
            Abs::Record(schema, fields) if schema.is_list() => match &fields[1] {
                Abs::Elements(element) => Some(element),
                other => unreachable!("a list of {other:?}"),
            },
            _ => None,
        }
    }

    /// Whether this is a list whose length only the run knows, or an iterator over one.
    pub(super) fn is_list_or_iterator(&self) -> bool {
        self.schema().is_some_and(|s| s.is_list() || s.is_list_iterator())
    }

    /// What the elements of a tuple or of a list are.
    fn joined_element(&self, classes: &mut Classes) -> std::result::Result<Abs, Mismatch> {
        match (self, self.element()) {
            (_, Some(element)) => Ok(element.clone()),
            (Abs::Tuple(items, _), _) => items.iter().try_fold(Abs::Bottom, |all, item| all.join(&item.broaden(), classes)),
            _ => Err(Mismatch),
        }
    }

    /// The list that two tuples or lists of different lengths are.
    pub(super) fn join_lists(&self, other: &Abs, classes: &mut Classes) -> std::result::Result<Abs, Mismatch> {
        if !classes.lists || !classes.unions {
            classes.lacks_lists = true;
            return Err(Mismatch);
        }
        let (a, b) = (self.joined_element(classes)?, other.joined_element(classes)?);
        let element = a.join(&b, classes)?;
        Ok(Abs::list(element))
    }

    /// An iterator over such a list that may be one over a tuple.
    pub(super) fn join_iterator(&self, items: &Rc<[Abs]>, classes: &mut Classes) -> std::result::Result<Abs, Mismatch> {
        let Abs::Record(schema, fields) = self else { unreachable!("an iterator over a list") };
        let list = fields[0].join_lists(&Abs::Tuple(items.clone(), Sequence::List), classes)?;
        Ok(Abs::Record(schema.clone(), [list, Abs::I64(None)].into()))
    }
}

impl Ops<'_> {
    /// What the library makes lists of.
    pub(super) fn list(&mut self, prim: Prim, args: &[Value]) -> Result<Value> {
        Ok(match (prim, args) {
            (Prim::AsList, [xs, others]) => {
                let element = |me: &mut Self, v: &Value| match v.abs.joined_element(me.classes) {
                    Ok(element) => Ok(element),
                    Err(Mismatch) => me.refuse(format!("the elements of a list are of one type, this is {}", v.abs.a())),
                };
                let (a, b) = (element(self, xs)?, element(self, others)?);
                let Ok(element) = a.join(&b, self.classes) else {
                    let [a, b] = a.told_apart(&b);
                    return self.refuse(format!("the elements of a list are of one type, these are {a} and {b}"));
                };
                let element = element.broaden();
                self.coerce(xs, &Abs::list(element))
            }
            (Prim::HasLists, []) => {
                self.classes.lacks_lists = true;
                self.bool(self.classes.lists)
            }
            _ => unreachable!("the arity was checked"),
        })
    }

    /// A tuple, or a list of elements of another type, as a list of these.
    pub(super) fn as_list(&mut self, v: &Value, to: &Abs) -> Value {
        let element = to.element().expect("a list");
        let (count, elements) = match &v.abs {
            Abs::Tuple(items, _) => {
                let items: Vec<Value> = self.fields(v, items.len()).iter().map(|item| self.coerce(item, element)).collect();
                (self.int(items.len() as i64), self.new_elements(element, &items))
            }
            from => {
                let from = from.element().expect("a list").clone();
                let count = self.slot(v, 0);
                let elements = if from.is_bottom() {
                    self.new_elements(element, &[])
                } else {
                    let old = self.op(Prim::Get(1), &[v], Abs::Opaque);
                    self.converted(&count, &old, &from, element)
                };
                (count, elements)
            }
        };
        Value { abs: to.clone(), ..self.tuple(&[count, elements]) }
    }

    /// An iterator over a tuple as one over a list.
    pub(super) fn as_list_iterator(&mut self, v: &Value, to: &Abs) -> Value {
        let (Abs::Iter(items, at), Abs::Record(_, fields)) = (&v.abs, to) else { unreachable!("iterators") };
        let list = self.as_list(&Value { abs: Abs::Tuple(items.clone(), Sequence::List), node: v.node }, &fields[0]);
        let at = self.int(*at as i64);
        Value { abs: to.clone(), ..self.tuple(&[list, at]) }
    }
}

/// Whether lists of elements of one type have another representation as lists of elements of another one.
pub(super) fn lists_differ(from: &Abs, to: &Abs) -> bool {
    match (from.kept(), to.kept()) {
        // Nothing is in a vector of boxes.
        (None, kept) => kept == Some(Kept::AsTheyAre),
        (was, kept) => was != kept || differ(from, to),
    }
}

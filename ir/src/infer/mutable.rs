//! What mutable boxes are made of, and templates that are printed or fail.

use super::abs::Abs;
use super::prims::{Ops, Result, Value};
use super::tables::KEYS;
use crate::graph::NodeId;
use crate::prim::Prim;
use std::rc::Rc;

/// The number of the next box, and the contents of all: for each whether there is one, and a box of it.
pub(super) fn contents() -> Abs {
    Abs::tuple([Abs::I64(None), Abs::Elements(Rc::new(Abs::tuple([Abs::Bool(None), Abs::Opaque])))])
}

impl Ops<'_> {
    /// What mutable boxes are made of.
    pub(super) fn mutable(&mut self, prim: Prim, args: &[Value]) -> Result<Value> {
        Ok(match (prim, args) {
            (Prim::NumberOf, [text]) if matches!(text.abs, Abs::Str(_)) => self.op(Prim::Int, &[text], Abs::I64(None)),
            (Prim::NumberOf, [number]) if matches!(number.abs, Abs::Ref(_)) => Value { abs: Abs::I64(None), node: number.node },
            (Prim::Packed, [value, of]) => {
                let &Abs::Ref(site) = &of.abs else { return self.no_box(of) };
                if self.classes.fill(site, &value.abs).is_err() {
                    let content = self.classes.content_of(site);
                    let [here, there] = value.abs.told_apart(&content);
                    let refused = self.refuse(format!("this Box holds {here} here and {there} elsewhere"));
                    return if value.abs.is_dict() && content.is_dict() { refused.map_err(|d| d.hint(KEYS)) } else { refused };
                }
                let content = self.classes.content_of(site);
                let value = self.coerce(value, &content);
                self.op(Prim::Pack, &[&value], Abs::Opaque)
            }
            (Prim::Opened, [boxed, of, _]) => {
                let &Abs::Ref(site) = &of.abs else { return self.no_box(of) };
                match self.classes.content_of(site) {
                    Abs::Bottom => Value { abs: Abs::Bottom, node: NodeId::default() },
                    content => self.unpack(boxed, content),
                }
            }
            (_, [of, ..]) => return self.no_box(of),
            _ => unreachable!("the arity was checked"),
        })
    }

    fn no_box<T>(&self, v: &Value) -> Result<T> {
        let refused = self.refuse(format!("{} is no Box", v.abs.a()));
        refused.map_err(|d| d.hint("`Box(…)` makes one; so does an instance that the program makes, for a field that it assigns"))
    }

    /// Prints or fails with a template, the places of whose values are `{}` or `{:spec}`.
    pub(super) fn say(&mut self, prim: Prim, args: &[Value]) -> Result<Value> {
        let [done, template, values] = args else { unreachable!("the arity was checked") };
        let (text, flat) = self.filled(template, values)?;
        let (template, values) = (self.string(&text), self.tuple(&flat));
        let said = self.op(prim, &[done, &template, &values], Abs::I64(None));
        // Nothing comes after a failure.
        Ok(if prim == Prim::Fail { Value { abs: Abs::Bottom, ..said } } else { said })
    }
}

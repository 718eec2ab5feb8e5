//! What is printed, and the messages of what fails: templates filled with numbers, strings and arrays.

use super::abs::Abs;
use super::prims::{Ops, Result, Value};
use crate::format::{escape, fill};
use crate::graph::{Const, NodeId};
use crate::prim::Prim;
use crate::types::Type;

impl Ops<'_> {
    /// The world that a function was given, or the first: what was done, and with mutable boxes their number and the tree of their
    /// contents.
    pub(super) fn world(&mut self, given: &Value, has_boxes: &Value) -> Value {
        if given.abs != Abs::None {
            return given.clone();
        }
        let done = Value { abs: Abs::I64(None), ..self.int(0) };
        if has_boxes.abs != Abs::Bool(Some(true)) {
            return done;
        }
        let count = Value { abs: Abs::I64(None), ..self.int(1) };
        let tree = self.constant(Const::Zero, Type::Opaque, Abs::Opaque);
        self.tuple(&[done, count, tree])
    }

    /// What mutable boxes are made of.
    pub(super) fn mutable(&mut self, prim: Prim, args: &[Value]) -> Result<Value> {
        let node = Abs::tuple([Abs::Opaque, Abs::Opaque, Abs::Opaque]);
        Ok(match (prim, args) {
            (Prim::NumberOf, [number]) if matches!(number.abs, Abs::Ref(_)) => Value { abs: Abs::I64(None), node: number.node },
            (Prim::NewRef, [number, _]) => number.clone(),
            (Prim::Packed, [value, of]) => {
                let &Abs::Ref(site) = &of.abs else { return self.no_box(of) };
                if self.classes.fill(site, &value.abs).is_err() {
                    let (here, there) = (value.abs.a(), self.classes.content_of(site).a());
                    return self.refuse(format!("this Box holds {here} here and {there} elsewhere"));
                }
                let content = self.classes.content_of(site);
                let value = self.coerce(value, &content);
                self.op(Prim::Pack, &[&value], Abs::Opaque)
            }
            (Prim::Opened, [boxed, of]) => {
                let &Abs::Ref(site) = &of.abs else { return self.no_box(of) };
                match self.classes.content_of(site) {
                    Abs::Bottom => Value { abs: Abs::Bottom, node: NodeId::default() },
                    content => self.unpack(boxed, content),
                }
            }
            (Prim::PackedNode, parts) => {
                let tuple = self.tuple(parts);
                self.op(Prim::Pack, &[&tuple], Abs::Opaque)
            }
            (Prim::OpenedNode, [tree]) => self.unpack(tree, node),
            (_, [of, ..]) => return self.no_box(of),
            _ => unreachable!("the arity was checked"),
        })
    }

    fn no_box<T>(&self, v: &Value) -> Result<T> {
        self.refuse(format!("{} is no Box", v.abs.a()))
    }

    /// Prints or fails with a template, the places of whose values are `{}` or `{:spec}`.
    pub(super) fn say(&mut self, prim: Prim, args: &[Value]) -> Result<Value> {
        let [world, template, values] = args else { unreachable!("the arity was checked") };
        let (Abs::Str(Some(template)), Abs::Tuple(items)) = (&template.abs, &values.abs) else {
            unreachable!("the front end makes templates")
        };
        let values = self.fields(values, items.len());
        let (mut text, mut flat) = (String::new(), Vec::new());
        let mut rest = &template[..];
        let mut values = values.iter();
        // Values of several parts are written part by part.
        while let Some(at) = rest.find(['{', '}']) {
            text.push_str(&rest[..at]);
            let brace = &rest[at..];
            let length =
                if brace.starts_with("{{") || brace.starts_with("}}") { 2 } else { brace.find('}').map_or(1, |i| i + 1) };
            match length {
                2 if !brace.starts_with("{}") => text.push_str(&brace[..2]),
                _ => {
                    let value = values.next().expect("a value for each place");
                    self.written(value, &brace[..length], &mut text, &mut flat)?;
                }
            }
            rest = &brace[length..];
        }
        text.push_str(rest);
        let (template, values) = (self.string(&text), self.tuple(&flat));
        let said = self.op(prim, &[world, &template, &values], Abs::I64(None));
        // Nothing comes after a failure.
        Ok(if prim == Prim::Fail { Value { abs: Abs::Bottom, ..said } } else { said })
    }

    /// Writes the place of a value: of a value of several parts, the places of these.
    fn written(&mut self, value: &Value, place: &str, text: &mut String, flat: &mut Vec<Value>) -> Result<()> {
        match &value.abs {
            Abs::Str(Some(s)) => text.push_str(&escape(&fill(place, &[crate::value::Value::Str(s.clone())]))),
            Abs::Bool(_) | Abs::I64(_) | Abs::F64 | Abs::Array(..) => {
                text.push_str(place);
                flat.push(value.clone());
            }
            Abs::None => text.push_str("None"),
            Abs::Func(_) | Abs::Pullback(..) => text.push_str("<function>"),
            Abs::Tuple(items) => {
                text.push('(');
                for (i, item) in self.fields(value, items.len()).iter().enumerate() {
                    text.push_str(if i > 0 { ", " } else { "" });
                    self.written(item, "{}", text, flat)?;
                }
                text.push_str(if items.len() == 1 { ",)" } else { ")" });
            }
            list if list.element().is_some() => {
                let d = self.refuse("a list whose length only the run knows cannot be written as text");
                return d.map_err(|d| d.hint("write its elements one by one, or its length"));
            }
            Abs::Record(schema, items) => {
                let is_class = schema.class.is_some();
                text.push_str(&if is_class { format!("{}(", schema.name()) } else { "{{".into() });
                for (i, name) in schema.fields.iter().enumerate().take(items.len()) {
                    text.push_str(if i > 0 { ", " } else { "" });
                    text.push_str(&if is_class { format!("{name}=") } else { format!("'{}': ", escape(name)) });
                    let field = self.field(value, i);
                    self.written(&field, "{}", text, flat)?;
                }
                text.push_str(if is_class { ")" } else { "}}" });
            }
            other => {
                return self
                    .refuse(format!("{} cannot be written as text", other.a()))
                    .map_err(|d| d.hint("write one of its fields"));
            }
        }
        Ok(())
    }
}

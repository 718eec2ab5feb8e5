//! What is printed, and the messages of what fails: templates filled with numbers, strings and arrays.

use super::abs::Abs;
use super::prims::{Ops, Result, Value};
use crate::format::{escape, fill};
use crate::prim::Prim;

impl Ops<'_> {
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

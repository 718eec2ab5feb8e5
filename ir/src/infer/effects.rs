//! What is printed, and the messages of what fails: templates filled with numbers, strings and arrays.

use super::abs::Abs;
use super::engine::Engine;
use super::instances::{InstId, Instance};
use super::prims::{Ops, Result, Value};
use crate::format::{escape, fill};
use crate::graph::{Const, Kind, NodeId};
use crate::key::{Key, quoted};
use crate::prim::Prim;
use crate::span::{Diagnostic, Span};
use crate::types::Type;

/// The place of a value as it is written inside of others, and where that is asked for: strings have quotes.
const REPR: &str = "{!r}";

impl Ops<'_> {
    /// The world that a function was given, or the first: what was done, and with mutable boxes their number and the tree of their
    /// contents. What was done begins as an integer, a constant, which an entry gives. Where none is given, nobody will be told: it
    /// is a boolean, and nothing is printed.
    pub(super) fn world(&mut self, given: &Value, has_boxes: &Value) -> Value {
        let done = match given.abs {
            Abs::None => Value { abs: Abs::Bool(None), ..self.bool(true) },
            Abs::I64(Some(_)) => Value { abs: Abs::I64(None), ..given.clone() },
            _ => return given.clone(),
        };
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
        let done = match (&world.abs, prim) {
            (Abs::Bool(_), Prim::Print) => return Ok(world.clone()),
            (Abs::Bool(_), _) => &self.op(Prim::Int, &[world], Abs::I64(None)),
            _ => world,
        };
        let (text, flat) = self.filled(template, values)?;
        let (template, values) = (self.string(&text), self.tuple(&flat));
        let said = self.op(prim, &[done, &template, &values], Abs::I64(None));
        // Nothing comes after a failure.
        Ok(if prim == Prim::Fail { Value { abs: Abs::Bottom, ..said } } else { said })
    }

    /// The string that a template makes of constants of the program.
    pub(super) fn text(&mut self, template: &Value, values: &Value) -> Result<Value> {
        let (text, flat) = self.filled(template, values)?;
        let mut constants = Vec::with_capacity(flat.len());
        for value in flat {
            constants.push(match value.abs {
                Abs::I64(Some(v)) => crate::value::Value::I64(v),
                Abs::Bool(Some(v)) => crate::value::Value::Bool(v),
                _ => {
                    *self.wants_constant |= matches!(value.abs, Abs::I64(None) | Abs::Bool(None));
                    return self.no_text(&value);
                }
            });
        }
        let text = fill(&text, &constants);
        Ok(self.string(&text))
    }

    fn no_text<T>(&self, v: &Value) -> Result<T> {
        self.refuse(format!(
            "a string is made when the program is compiled, of constants of the program; in this one is {}",
            v.abs.a()
        ))
        .map_err(|d| d.hint("write it where it is printed, or in the message of an `assert` or `raise`"))
    }

    /// A template whose values are numbers and arrays, made of one with values of any types.
    fn filled(&mut self, template: &Value, values: &Value) -> Result<(String, Vec<Value>)> {
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
        Ok((text, flat))
    }

    /// Writes the place of a value: of a value of several parts, the places of these.
    fn written(&mut self, value: &Value, place: &str, text: &mut String, flat: &mut Vec<Value>) -> Result<()> {
        match &value.abs {
            Abs::Str(Some(s)) if place == REPR => text.push_str(&escape(&quoted(s))),
            Abs::Str(Some(s)) => text.push_str(&escape(&fill(place, &[crate::value::Value::Str(s.clone())]))),
            Abs::Str(None) => {
                *self.wants_constant = true;
                return self.no_text(value);
            }
            Abs::Bool(_) | Abs::I64(_) | Abs::F64(_) | Abs::Array(..) => {
                text.push_str(if place == REPR { "{}" } else { place });
                flat.push(value.clone());
            }
            Abs::Record(schema, parts) if schema.is_complex() && parts.iter().all(|part| matches!(part, Abs::F64(_))) => {
                let spec = if place == REPR { "" } else { place[1..place.len() - 1].trim_start_matches(':') };
                text.push_str(&format!("{{:{spec}j}}"));
                for i in 0..2 {
                    let part = self.opened(value).expect("a record has fields");
                    flat.push(self.field(&part, i));
                }
            }
            Abs::None => text.push_str("None"),
            Abs::Func(_) | Abs::Pullback(..) => text.push_str("<function>"),
            Abs::Tuple(items) => {
                text.push('(');
                for (i, item) in self.fields(value, items.len()).iter().enumerate() {
                    text.push_str(if i > 0 { ", " } else { "" });
                    self.written(item, REPR, text, flat)?;
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
                    text.push_str(&if is_class {
                        format!("{name}=")
                    } else {
                        format!("{}: ", escape(&Key::of(name).to_string()))
                    });
                    let field = self.field(value, i);
                    self.written(&field, REPR, text, flat)?;
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

impl Engine {
    /// What would be printed by functions that nobody gave the world.
    pub(super) fn lost_prints(&self, entry: InstId) -> Vec<Diagnostic> {
        if !self.m.nodes().any(|(_, n)| n.kind == Kind::Prim(Prim::Print)) {
            return Vec::new();
        }
        let mut lost = Vec::new();
        for id in self.reached(entry) {
            let Instance { graph, ref args, .. } = self.instances[id];
            if self.m.takes_world(graph) && args.last() == Some(&Abs::None) {
                let mut callers = std::iter::successors(Some(id), |&at| self.instances[at].creator);
                // Code of the program hands the world on; who compiled it may call functions once more, to differentiate them. So do
                // functions of the library that take the world.
                let Some(at) = callers.find(|&at| self.instances[at].site.is_some()) else { continue };
                let Instance { graph, site, .. } = self.instances[at];
                if self.m.takes_world(graph) {
                    continue;
                }
                lost.extend(self.print_in(id).map(|print| {
                    Diagnostic::unsupported(print, "what this prints would be lost")
                        .label(site, "what calls the function does not know of effects")
                        .hint("print what it returns")
                }));
            }
        }
        lost.sort_by_key(|d| d.span);
        lost.dedup_by_key(|d| d.span);
        lost
    }

    /// The place of a `print` that an instance reaches.
    fn print_in(&self, id: InstId) -> Option<Span> {
        self.reached(id).into_iter().find_map(|at| {
            let schedule = self.scopes.schedule(self.instances[at].graph);
            schedule.iter().find(|&&n| self.m.as_prim(n) == Some(Prim::Print)).map(|&n| self.place(at, n))
        })
    }
}

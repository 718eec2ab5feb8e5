//! Values as text: templates filled with numbers, strings and arrays. What consists of several values is written part by part, and of a
//! list whose length only the run knows its elements are printed one by one.

use super::abs::{Abs, Sequence};
use super::calls::Shape;
use super::classes::Classes;
use super::dispatch::Dispatch;
use super::engine::{Engine, Stop};
use super::instances::InstId;
use super::prims::{Ops, Result, Value};
use super::wrappers::Wrapped;
use crate::data::Schema;
use crate::format::{escape, fill};
use crate::graph::{Const, Flavor, GraphId, NodeId};
use crate::key::{Key, quoted};
use crate::prim::Prim;
use crate::span::Span;
use crate::types::Type;
use std::sync::Arc;

/// The place of a value as it is written inside of others, and where that is asked for: strings have quotes.
const REPR: &str = "{!r}";

/// How the parts of a value are put together: which of them, with what comes before each, and what after the last, as parts of a
/// template.
struct Brackets {
    before: Vec<(u32, String)>,
    close: String,
}

impl Brackets {
    /// Those of a tuple, a list of known length or a record.
    fn of(value: &Abs, classes: &Classes) -> Option<Brackets> {
        let around = |open: &str, parts: &mut dyn Iterator<Item = (u32, String)>, close: &str| {
            let labelled = |(n, (i, label)): (usize, (u32, String))| (i, format!("{}{label}", if n == 0 { open } else { ", " }));
            let before: Vec<(u32, String)> = parts.enumerate().map(labelled).collect();
            Brackets { close: if before.is_empty() { format!("{open}{close}") } else { close.into() }, before }
        };
        let unlabelled = |count: usize| (0..count as u32).map(|i| (i, String::new()));
        Some(match value {
            Abs::Tuple(items, Sequence::List) => around("[", &mut unlabelled(items.len()), "]"),
            Abs::Tuple(items, Sequence::Tuple) => {
                around("(", &mut unlabelled(items.len()), if items.len() == 1 { ",)" } else { ")" })
            }
            Abs::Record(schema, _) => match &schema.class {
                Some(class) => {
                    let silent = classes.class(class)?.silent.as_ref()?;
                    let written = (0..).zip(schema.fields.iter()).filter(|(_, name)| !silent.contains(*name));
                    around(&format!("{}(", schema.name()), &mut written.map(|(i, name)| (i, format!("{name}="))), ")")
                }
                None => {
                    let key = |key| format!("{}: ", escape(&Key::of(key).to_string()));
                    around("{{", &mut (0..).zip(schema.fields.iter()).map(|(i, name)| (i, key(name))), "}}")
                }
            },
            _ => return None,
        })
    }
}

/// A stretch of what is printed of a value in which there are lists whose length only the run knows. A value is named by the fields that
/// lead to it from the tuple of all.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(super) enum Piece {
    /// A template, and the values for its places.
    Text(String, Vec<Vec<u32>>),
    /// A list or a dict of a size that only the run knows: its class.
    Open(Vec<u32>, Arc<Schema>),
}

/// What a template with values of these types prints, piece by piece.
fn pieces(template: &str, values: &[Abs], classes: &Classes) -> Vec<Piece> {
    let mut all = Vec::new();
    let mut values = values.iter().zip(0..);
    for (text, place) in stretches(template) {
        put(&mut all, text, None);
        if let Some(place) = place {
            let (value, i) = values.next().expect("a value for each place");
            taken_apart(&mut all, value, place, vec![i], classes);
        }
    }
    all
}

/// Puts text, and a place for a value that it may have, to the pieces before.
fn put(all: &mut Vec<Piece>, text: &str, value: Option<Vec<u32>>) {
    match all.last_mut() {
        Some(Piece::Text(before, values)) => {
            before.push_str(text);
            values.extend(value);
        }
        _ => all.push(Piece::Text(text.into(), value.into_iter().collect())),
    }
}

fn taken_apart(all: &mut Vec<Piece>, value: &Abs, place: &str, path: Vec<u32>, classes: &Classes) {
    match (value, Brackets::of(value, classes)) {
        (Abs::Record(schema, _), _) if value.has_open_size() => all.push(Piece::Open(path, schema.clone())),
        (Abs::Tuple(items, _) | Abs::Record(_, items), Some(brackets)) if holds_list(value) => {
            for (i, before) in &brackets.before {
                put(all, before, None);
                taken_apart(all, &items[*i as usize], REPR, [&path[..], &[*i]].concat(), classes);
            }
            put(all, &brackets.close, None);
        }
        _ => put(all, place, Some(path)),
    }
}

/// Whether the size of a list or a dict in the value is known to the run only.
fn holds_list(value: &Abs) -> bool {
    match value {
        open if open.has_open_size() => true,
        Abs::Tuple(items, _) | Abs::Record(_, items) => items.iter().any(holds_list),
        _ => false,
    }
}

/// A template in stretches: text, and the place of a value after it; none after the last.
fn stretches(template: &str) -> Vec<(&str, Option<&str>)> {
    let (mut all, mut start, mut at) = (Vec::new(), 0, 0);
    while let Some(found) = template[at..].find(['{', '}']) {
        let brace = at + found;
        let rest = &template[brace..];
        if rest.starts_with("{{") || rest.starts_with("}}") {
            at = brace + 2;
            continue;
        }
        at = brace + rest.find('}').map_or(1, |i| i + 1);
        all.push((&template[start..brace], Some(&template[brace..at])));
        start = at;
    }
    all.push((&template[start..], None));
    all
}

impl Engine {
    /// A print of values, the first of which that may be `None` or of one of several kinds is then of one. None if there is no such value.
    pub(super) fn print_kinds(
        &mut self,
        id: InstId,
        node: NodeId,
        inputs: &[NodeId],
        operands: &[Abs],
    ) -> std::result::Result<Option<Abs>, Stop> {
        let [_, Abs::Str(Some(_)), Abs::Tuple(values, _)] = operands else { return Ok(None) };
        let Some(at) = values.iter().position(|value| matches!(value, Abs::Union(_))) else { return Ok(None) };
        let Some(Prim::Tuple) = self.m.as_prim(inputs[2]) else { return Ok(None) };
        let given = self.m[inputs[2]].inputs()[at];
        let kinds = Dispatch::kinds(&values[at]);
        let Dispatch::Kinds(optional, classes) = kinds.clone() else { unreachable!("a value of several kinds") };
        let key = Wrapped::Dispatch(Dispatch::Printed(values.len(), at, Box::new(kinds)));
        let graph = match self.wrappers.get(&key) {
            Some(graph) => graph,
            None => {
                let (g, params) = self.made_graph("print", Flavor::Library, 3);
                self.wrappers.put(key, g);
                let &[template, all, value] = &params[..] else { unreachable!("it was made with three") };
                let (count, done) = (values.len(), self.m.i64(0));
                let printed = |e: &mut Engine, here: GraphId, one: NodeId, schedule: &mut Vec<NodeId>| {
                    let part = |e: &mut Engine, i: usize, schedule: &mut Vec<NodeId>| match i == at {
                        true => one,
                        false => e.node_of(here, Prim::Get(i as u32), &[all], schedule),
                    };
                    let parts: Vec<NodeId> = (0..count).map(|i| part(e, i, schedule)).collect();
                    let parts = e.node_of(here, Prim::Tuple, &parts, schedule);
                    e.node_of(here, Prim::Print, &[done, template, parts], schedule)
                };
                let mut missing = |e: &mut Engine, here: GraphId, schedule: &mut Vec<NodeId>| {
                    let none = e.m.constant(Const::None, Type::None);
                    printed(e, here, none, schedule)
                };
                let mut arm = |e: &mut Engine, here: GraphId, one: NodeId, _: Option<&str>, schedule: &mut Vec<NodeId>| {
                    printed(e, here, one, schedule)
                };
                self.by_kinds(g, value, optional, &classes, &mut missing, &mut arm);
                g
            }
        };
        self.stands_for(id, node, graph, vec![inputs[1], inputs[2], given]).map(Some)
    }

    /// A print of lists whose length only the run knows: calls of what prints them, and prints of what is between. None if there is no
    /// such list.
    pub(super) fn print_lists(
        &mut self,
        id: InstId,
        node: NodeId,
        inputs: &[NodeId],
        operands: &[Abs],
    ) -> std::result::Result<Option<Abs>, Stop> {
        let [_, Abs::Str(Some(template)), Abs::Tuple(values, _)] = operands else { return Ok(None) };
        if !values.iter().any(holds_list) {
            return Ok(None);
        }
        let what = Wrapped::Printed(pieces(template, values, &self.classes));
        let graph = match self.wrappers.get(&what) {
            Some(graph) => graph,
            None => self.printer(what, self.place(id, node))?,
        };
        self.stands_for(id, node, graph, vec![inputs[2]]).map(Some)
    }

    /// A function of the values that prints these pieces.
    fn printer(&mut self, what: Wrapped, span: Span) -> std::result::Result<GraphId, Stop> {
        let Wrapped::Printed(pieces) = &what else { unreachable!("pieces are printed") };
        let (g, params) = self.new_wrapper("print".into(), Flavor::Function, &[(None, span)], span);
        let (done, values) = (self.m.i64(0), params[0]);
        let mut schedule = Vec::new();
        for piece in pieces {
            let mut value = |me: &mut Engine, path: &[u32]| {
                path.iter().fold(values, |of, &i| {
                    let fields = me.m.prim(g, Prim::FieldsOf, vec![of], Type::Unknown, span);
                    let field = me.m.prim(g, Prim::Get(i), vec![fields], Type::Unknown, span);
                    schedule.extend([fields, field]);
                    field
                })
            };
            match piece {
                Piece::Text(template, paths) => {
                    let given = paths.iter().map(|path| value(self, path)).collect();
                    let given = self.m.prim(g, Prim::Tuple, given, Type::Unknown, span);
                    let template = self.m.constant(Const::Str(template.as_str().into()), Type::Str);
                    let printed = self.m.prim(g, Prim::Print, vec![done, template, given], Type::Unknown, span);
                    schedule.extend([given, printed]);
                }
                Piece::Open(path, schema) => {
                    let xs = value(self, path);
                    let print = self.class_method(schema, "__print__")?.expect("a method of lists and tables");
                    let print = self.m.graph_ref(print);
                    schedule.push(self.m.call(g, print, &[xs], Type::Unknown, span));
                }
            }
        }
        let key = (what, Shape { count: 0, keywords: [].into() });
        Ok(self.finish_wrapper(key, g, schedule))
    }
}

impl Ops<'_> {
    /// The string that a template makes of constants of the program.
    pub(super) fn text(&mut self, template: &Value, values: &Value) -> Result<Value> {
        let (text, flat) = self.filled(template, values)?;
        let mut constants: Vec<crate::value::Value> = Vec::with_capacity(flat.len());
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
    pub(super) fn filled(&mut self, template: &Value, values: &Value) -> Result<(String, Vec<Value>)> {
        let (Abs::Str(Some(template)), Abs::Tuple(items, _)) = (&template.abs, &values.abs) else {
            unreachable!("the front end makes templates")
        };
        let values = self.fields(values, items.len());
        let (mut text, mut flat) = (String::new(), Vec::new());
        let mut values = values.iter();
        for (before, place) in stretches(template) {
            text.push_str(before);
            if let Some(place) = place {
                let value = values.next().expect("a value for each place");
                self.written(value, place, &mut text, &mut flat)?;
                self.check_length(text.len())?;
            }
        }
        Ok((text, flat))
    }

    /// Writes the place of a value: of a value of several parts, the places of these.
    fn written(&mut self, value: &Value, place: &str, text: &mut String, flat: &mut Vec<Value>) -> Result<()> {
        match &value.abs {
            Abs::Str(Some(s)) if place == REPR => text.push_str(&escape(&quoted(s))),
            Abs::Str(Some(s)) => text.push_str(&escape(&fill::<f64>(place, &[crate::value::Value::Str(s.clone())]))),
            Abs::Array(..) | Abs::Str(None) if place == REPR => {
                text.push_str("{:r}");
                flat.push(value.clone());
            }
            Abs::Bool(_) | Abs::I64(_) | Abs::F64(_) | Abs::Array(..) | Abs::Str(None) => {
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
            open if open.has_open_size() => {
                let d = self.refuse(format!("{} whose size only the run knows cannot be written as text", open.a()));
                return d.map_err(|d| d.hint("write its elements one by one, or its length"));
            }
            Abs::Tuple(_, Sequence::Either) => {
                return self.refuse("this is a list on some paths and a tuple on others, which are written differently");
            }
            of => {
                let Some(brackets) = Brackets::of(of, self.classes) else {
                    let d = self.refuse(format!("{} cannot be written as text", of.a()));
                    return d.map_err(|d| d.hint("write one of its fields"));
                };
                for (i, before) in &brackets.before {
                    text.push_str(before);
                    let field = self.field(value, *i as usize);
                    self.written(&field, REPR, text, flat)?;
                    self.check_length(text.len())?;
                }
                text.push_str(&brackets.close);
            }
        }
        Ok(())
    }
}

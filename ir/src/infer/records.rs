//! Records, instances in boxes, and values of several kinds.
//!
//! ```text
//! a record                        the tuple of its fields
//! an instance in a box            pack(fields)
//! one of several kinds            (tag, box), the tag saying what lies in the box: nothing if it is None
//! ```

use super::abs::{Abs, Boxed, Sequence};
use super::lists::lists_differ;
use super::prims::{Ops, Out, Result, Value};
use crate::data::Schema;
use crate::graph::{Const, NodeId};
use crate::key::Key;
use crate::nearest;
use crate::prim::Prim;
use crate::span::Diagnostic;
use crate::types::Type;
use std::rc::Rc;
use std::sync::Arc;

impl Ops<'_> {
    /// A record of a class or a dict, whose names are constants. Instances of a class that refers to itself are in boxes.
    pub(super) fn record(&mut self, names: &Value, values: &Value) -> Result<Value> {
        let (Abs::Tuple(names, _), Abs::Tuple(fields, _)) = (&names.abs, &values.abs) else { unreachable!("names and values") };
        let text = |a: &Abs| if let Abs::Str(Some(s)) = a { Some(s.clone()) } else { None };
        let schema = Schema { class: text(&names[0]), fields: names[1..].iter().filter_map(text).collect() };
        let schema =
            schema.class.as_ref().and_then(|c| self.classes.class(c)).map_or_else(|| Arc::new(schema), |c| c.schema.clone());
        if self.classes.is_recursive(&schema) {
            let fields = self.fields(values, fields.len());
            // What holds gradients is one.
            let inside = fields.iter().flat_map(|f| f.abs.element().unwrap_or(&f.abs).kinds());
            let of_class = |kind: &Abs| if let Abs::Boxed(b) = kind { (b.schema == schema).then_some(b.grade) } else { None };
            let grade = inside.filter_map(of_class).max().unwrap_or(0);
            return self.enclose(Boxed { schema, grade }, &fields);
        }
        Ok(Value { abs: Abs::Record(schema, fields.clone()), node: values.node })
    }

    /// The instance with another value in a field.
    pub(super) fn with_field(&mut self, v: &Value, name: &Value, value: &Value) -> Result<Value> {
        let Abs::Str(Some(name)) = &name.abs else { unreachable!("the name of a field is a constant") };
        let Some(i) = v.abs.schema().filter(|s| s.class.is_some()).and_then(|s| s.position(name)) else {
            return self.refuse(format!("{} has no field `{name}` to replace", v.abs.a()));
        };
        let Some(fields) = self.opened(v) else { return Ok(Value { abs: Abs::Bottom, node: NodeId::default() }) };
        let mut fields = self.fields(&fields, v.abs.schema().map_or(0, |s| s.fields.len()));
        fields[i] = value.clone();
        match &v.abs {
            Abs::Boxed(boxed) => self.enclose(boxed.clone(), &fields),
            _ => {
                let tuple = self.tuple(&fields);
                self.alike(v, &tuple)
            }
        }
    }

    /// The fields of a tuple or a record as a tuple, or else `None`.
    pub(super) fn fields_of(&mut self, v: &Value) -> Value {
        match &v.abs {
            Abs::Tuple(..) => v.clone(),
            Abs::Record(schema, fields) if !schema.is_complex() => {
                Value { abs: Abs::Tuple(fields.clone(), Sequence::Tuple), node: v.node }
            }
            _ => self.constant(Const::None, Type::None, Abs::None),
        }
    }

    /// A tuple as what `like` is: a tuple, a list or a record.
    pub(super) fn alike_parts(&self, like: &Abs, values: &Value) -> Value {
        let abs = match (like, &values.abs) {
            (Abs::Record(schema, _), Abs::Tuple(items, _)) => Abs::Record(schema.clone(), items.clone()),
            (Abs::Tuple(_, of), abs) => abs.clone().like(*of),
            (like, _) => unreachable!("{} has no parts", like.a()),
        };
        Value { abs, node: values.node }
    }

    /// A tuple or a record like `like` with other values in its fields.
    pub(super) fn alike(&mut self, like: &Value, values: &Value) -> Result<Value> {
        let Abs::Tuple(fields, _) = &values.abs else {
            return self.refuse(format!("the fields are a tuple, this is {}", values.abs.a()));
        };
        match &like.abs {
            Abs::Tuple(..) | Abs::Record(..) => Ok(self.alike_parts(&like.abs, values)),
            Abs::Boxed(boxed) => {
                let fields = self.fields(values, fields.len());
                self.enclose(Boxed { schema: boxed.schema.clone(), grade: boxed.grade + 1 }, &fields)
            }
            other => unreachable!("{other:?} has no fields"),
        }
    }

    /// The fields of a record in a box.
    fn enclose(&mut self, boxed: Boxed, fields: &[Value]) -> Result<Value> {
        let given: Vec<Abs> = fields.iter().map(|v| v.abs.clone()).collect();
        let known = self.classes.content(&boxed);
        if self.classes.enclose(&boxed, &given).is_err() {
            let misfit = |i: &usize| known[*i].join(&given[*i].broaden(), self.classes).is_err();
            let i = (0..given.len()).find(misfit).unwrap_or(0);
            let (name, class) = (&boxed.schema.fields[i], boxed.schema.name());
            let [here, there] = given[i].told_apart(&known[i]);
            return self
                .refuse(format!("the field `{name}` of a {class} is {here} here and {there} elsewhere"))
                .map_err(|d| d.hint(format!("a {class} may hold others of its class, so all have fields of the same types")));
        }
        let content = self.classes.content(&boxed);
        let fields: Vec<Value> = fields.iter().zip(content.iter()).map(|(v, to)| self.coerce(v, to)).collect();
        let tuple = self.tuple(&fields);
        Ok(self.op(Prim::Pack, &[&tuple], Abs::Boxed(boxed)))
    }

    /// What lies in a box.
    pub(super) fn unpack(&mut self, boxed: &Value, content: Abs) -> Value {
        let node = match &mut self.out {
            None => NodeId::default(),
            Some(Out { m, g, layout, source }) => {
                let ty = layout.ty(self.classes, source, &content).expect("the types of values that exist are known");
                m.prim(*g, Prim::Unpack, vec![boxed.node], ty, self.span)
            }
        };
        Value { abs: content, node }
    }

    /// The cotangent, in a box, of what is of this type.
    pub(super) fn unpack_cotangent(&mut self, boxed: &Value, of: &Abs) -> Value {
        let node = match &mut self.out {
            None => NodeId::default(),
            Some(Out { m, g, layout, source }) => {
                let ty = layout.ty(self.classes, source, of).expect("the types of values that exist are known").cotangent();
                m.prim(*g, Prim::Unpack, vec![boxed.node], ty, self.span)
            }
        };
        Value { abs: of.cotangent(), node }
    }

    /// The fields of a record or of an instance in a box, as a tuple.
    pub(super) fn opened(&mut self, v: &Value) -> Option<Value> {
        match &v.abs {
            Abs::Record(_, fields) => Some(Value { abs: Abs::Tuple(fields.clone(), Sequence::Tuple), node: v.node }),
            Abs::Boxed(boxed) => {
                let content = self.classes.content(boxed);
                (!content.iter().any(Abs::is_bottom)).then(|| self.unpack(v, Abs::Tuple(content, Sequence::Tuple)))
            }
            _ => None,
        }
    }

    /// `x.name` of a record, of an instance, or of a value of several kinds of which one has that field.
    pub(super) fn attribute(&mut self, v: &Value, name: &str) -> Result<Value> {
        let has = |k: &&Abs| k.schema().is_some_and(|s| s.has_field(name));
        let found: Vec<Abs> = v.abs.kinds().iter().filter(has).cloned().collect();
        let [kind] = &found[..] else {
            return Err(self.no_attribute(v, name));
        };
        let one = self.narrowed(v, kind);
        let i = kind.schema().and_then(|s| s.position(name)).expect("it has the field");
        match self.opened(&one) {
            Some(fields) => Ok(self.field(&fields, i)),
            None => Ok(Value { abs: Abs::Bottom, node: NodeId::default() }),
        }
    }

    /// Why there is no such attribute, and which there are.
    fn no_attribute(&self, v: &Value, name: &str) -> Diagnostic {
        let schema = v.abs.kinds().iter().find_map(Abs::schema);
        let class =
            schema.and_then(|s| s.class.as_ref()).filter(|c| !Schema::is_of_library(c)).and_then(|c| self.classes.class(c));
        let refused = Diagnostic::refused(self.span, format!("{} has no attribute `{name}`", v.abs.a()));
        match (schema, class) {
            (_, Some(class)) => {
                let fields = &class.schema.fields;
                let near = nearest(name, fields.iter().chain(&class.members).map(|n| &**n));
                let mut hint = near.map_or_else(String::new, |near| format!("did you mean `{near}`? "));
                let kinds =
                    [("fields", &**fields), ("methods", &class.members)].into_iter().filter(|(_, names)| !names.is_empty());
                let kinds: Vec<String> =
                    kinds.map(|(what, names)| format!("the {what} of {} are {}", class.schema.name(), listed(names))).collect();
                hint += &kinds.join(", ");
                if hint.is_empty() { refused } else { refused.hint(hint) }
            }
            (Some(s), _) if s.class.is_none() && s.position(name).is_some() => refused.hint(format!("write `[\"{name}\"]`")),
            (Some(s), _) if s.class.is_none() && s.fields.is_empty() => refused,
            (Some(s), _) if s.class.is_none() => refused.hint(format!("its keys are {}", keys(s))),
            _ if self.classes.is_member(name) => refused,
            // Python may well have it.
            _ => Diagnostic::unsupported(self.span, format!("the attribute `{name}` of {} is not supported", v.abs.a())),
        }
    }

    /// Whether a value of several kinds is of this one.
    fn is_kind(&mut self, v: &Value, kind: &Abs) -> Value {
        let tag = self.classes.tag(kind);
        let (found, tag) = (self.op(Prim::Get(0), &[v], Abs::I64(None)), self.int(tag));
        self.op(Prim::Eq, &[&found, &tag], Abs::Bool(None))
    }

    /// A value of several kinds as one of this kind, which it must be when the program runs.
    pub(super) fn narrowed(&mut self, v: &Value, kind: &Abs) -> Value {
        if !matches!(v.abs, Abs::Union(_)) {
            return v.clone();
        }
        if *kind == Abs::None {
            return self.none();
        }
        let is = self.is_kind(v, kind);
        let boxed = self.op(Prim::Get(1), &[v], Abs::Opaque);
        let boxed = self.op(Prim::Guard, &[&boxed, &is], Abs::Opaque);
        self.boxed_as(&boxed, kind)
    }

    /// A value of several kinds as what a condition has shown it to be.
    pub(super) fn known_as(&mut self, v: &Value, known: &Abs) -> Value {
        match known {
            Abs::Union(_) => Value { abs: known.clone(), node: v.node },
            Abs::None => self.none(),
            one => {
                let boxed = self.op(Prim::Get(1), &[v], Abs::Opaque);
                self.boxed_as(&boxed, one)
            }
        }
    }

    /// What lies in the box of a value of several kinds, which is of this one.
    fn boxed_as(&mut self, boxed: &Value, kind: &Abs) -> Value {
        match kind {
            Abs::Boxed(_) => Value { abs: kind.clone(), node: boxed.node },
            other => self.unpack(boxed, other.clone()),
        }
    }

    /// The value that is not `None`, where there is one kind of these.
    pub(super) fn present(&mut self, v: &Value) -> Value {
        match v.abs.present().cloned() {
            Some(kind) => self.narrowed(v, &kind),
            None => v.clone(),
        }
    }

    /// `NarrowTo`: to the class with a name, or to what is not `None`.
    pub(super) fn narrow_to(&mut self, v: &Value, class: &Value) -> Result<Value> {
        match &class.abs {
            Abs::Str(Some(name)) => {
                // What is looked at first may be known to be more later.
                let Some(kind) = kind_of_class(v, name) else {
                    return Ok(Value { abs: Abs::Bottom, node: NodeId::default() });
                };
                Ok(self.narrowed(v, &kind))
            }
            _ => Ok(self.present(v)),
        }
    }

    /// Whether a value is of one of the classes or types that are named.
    pub(super) fn is_instance(&mut self, v: &Value, names: &Value) -> Result<Value> {
        let names: Vec<Arc<str>> = match &names.abs {
            Abs::Tuple(names, _) => {
                names.iter().filter_map(|n| if let Abs::Str(Some(s)) = n { Some(s.clone()) } else { None }).collect()
            }
            other => unreachable!("the classes are constants, not {other:?}"),
        };
        let mut result = self.bool(false);
        for kind in v.abs.kinds().to_vec() {
            if names.iter().any(|name| self.classes.is_of(&kind, name)) {
                let is = if matches!(v.abs, Abs::Union(_)) { self.is_kind(v, &kind) } else { self.bool(true) };
                result = self.junction(Prim::Or, &result, &is);
            }
        }
        if let Abs::Union(kinds) = &v.abs
            && kinds.iter().all(|kind| names.iter().any(|name| self.classes.is_of(kind, name)))
        {
            return Ok(self.bool(true));
        }
        Ok(result)
    }

    /// Whether a value of several kinds is `None`, or is not.
    pub(super) fn compare_none(&mut self, prim: Prim, v: &Value) -> Value {
        match &v.abs {
            Abs::Union(kinds) if kinds[0] == Abs::None => {
                let is = self.is_kind(v, &Abs::None);
                if prim == Prim::Eq { is } else { self.op(Prim::Not, &[&is], Abs::Bool(None)) }
            }
            other => {
                let is = *other == Abs::None;
                self.bool(is == (prim == Prim::Eq))
            }
        }
    }

    /// The truth value of what may be `None` or an instance.
    pub(super) fn truth_of_kinds(&mut self, v: &Value) -> Result<Value> {
        let exists = self.compare_none(Prim::Ne, v);
        let Some(kind) = v.abs.present().cloned() else { return Ok(exists) };
        if matches!(kind, Abs::Boxed(_)) {
            return Ok(exists);
        }
        let content = self.content_or_zero(v, kind);
        let truth = self.truth(&content)?;
        Ok(self.junction(Prim::And, &exists, &truth))
    }

    /// What lies in the box of a value that may be `None`: a zero where it is, as the empty box opens.
    fn content_or_zero(&mut self, v: &Value, kind: Abs) -> Value {
        let boxed = self.op(Prim::Get(1), &[v], Abs::Opaque);
        self.unpack(&boxed, kind)
    }

    /// Whether what may be `None` is something, and equal to another value.
    pub(super) fn compare_present(&mut self, prim: Prim, v: &Value, other: &Value) -> Result<Value> {
        let kind = v.abs.present().cloned().expect("a kind beside None");
        let exists = self.compare_none(Prim::Ne, v);
        let content = self.content_or_zero(v, kind);
        let equal = self.compare(Prim::Eq, &content, other)?;
        let equal = self.junction(Prim::And, &exists, &equal);
        if prim == Prim::Eq { Ok(equal) } else { self.logic(Prim::Not, &[equal]) }
    }

    /// A value as one of several kinds.
    pub(super) fn as_union(&mut self, v: &Value, to: &Abs) -> Value {
        let payload = to.kinds().iter().find(|k| !matches!(k, Abs::None | Abs::Boxed(_))).cloned();
        let (tag, boxed) = match (&v.abs, payload) {
            (Abs::None, _) => (self.int(0), self.constant(Const::Zero, Type::Opaque, Abs::Opaque)),
            (Abs::Boxed(_), _) => {
                let tag = self.classes.tag(&v.abs);
                (self.int(tag), Value { abs: Abs::Opaque, node: v.node })
            }
            // A list whose length only the run knows is a record that is never in a box.
            (Abs::Record(schema, _), _) if schema.class.is_some() && v.abs.element().is_none() => {
                let boxed = Abs::Boxed(Boxed { schema: schema.clone(), grade: 0 });
                let boxed = self.coerce(v, &boxed);
                let tag = self.classes.tag(&boxed.abs);
                (self.int(tag), Value { abs: Abs::Opaque, node: boxed.node })
            }
            // What lies in the box has another type from here on.
            (Abs::Union(kinds), Some(payload)) => {
                let from = kinds.iter().find(|k| **k != Abs::None).cloned().expect("a kind beside None");
                let tag = self.op(Prim::Get(0), &[v], Abs::I64(None));
                let boxed = self.op(Prim::Get(1), &[v], Abs::Opaque);
                let content = self.unpack(&boxed, from);
                let content = self.coerce(&content, &payload);
                let other = self.op(Prim::Pack, &[&content], Abs::Opaque);
                let exists = self.compare_none(Prim::Ne, v);
                (tag, self.op(Prim::Select, &[&exists, &other, &boxed], Abs::Opaque))
            }
            (_, Some(payload)) => {
                let content = self.coerce(v, &payload);
                let tag = self.classes.tag(&payload);
                (self.int(tag), self.op(Prim::Pack, &[&content], Abs::Opaque))
            }
            (_, None) => unreachable!("{:?} is none of {to:?}", v.abs),
        };
        Value { abs: to.clone(), ..self.tuple(&[tag, boxed]) }
    }

    /// A record as an instance in a box, of a class whose boxes have room for it.
    pub(super) fn as_boxed(&mut self, v: &Value, boxed: &Boxed) -> Value {
        let fields = self.opened(v).expect("a record");
        let content = self.classes.content(boxed);
        let fields: Vec<Value> = (0..content.len()).map(|i| self.field(&fields, i)).collect();
        let fields: Vec<Value> = fields.iter().zip(content.iter()).map(|(v, to)| self.coerce(v, to)).collect();
        let tuple = self.tuple(&fields);
        self.op(Prim::Pack, &[&tuple], Abs::Boxed(boxed.clone()))
    }

    /// From the cotangent of an instance in a box, that of a field; of a value of several kinds, that of the one that it is.
    pub(super) fn part_of(&mut self, cotangent: &Value, of: &Value, part: &Value) -> Value {
        match (&of.abs, &part.abs) {
            (Abs::Boxed(boxed), &Abs::I64(Some(i))) => {
                let content = self.classes.content(boxed);
                if content.iter().any(Abs::is_bottom) {
                    return Value { abs: Abs::Bottom, node: NodeId::default() };
                }
                let fields = self.unpack_cotangent(cotangent, &Abs::Tuple(content, Sequence::Tuple));
                self.field(&fields, i as usize)
            }
            // A condition may have shown which one it is.
            (Abs::Union(_) | Abs::Boxed(_), Abs::None) => {
                let boxed = self.op(Prim::Get(1), &[cotangent], Abs::Opaque);
                match of.abs.present().cloned() {
                    Some(kind) if !matches!(kind, Abs::Boxed(_)) => self.unpack_cotangent(&boxed, &kind),
                    _ => boxed,
                }
            }
            // It may be known to be more later.
            (Abs::None, Abs::None) => Value { abs: Abs::Bottom, node: NodeId::default() },
            other => unreachable!("a part of {other:?}"),
        }
    }

    /// The inverse of `part_of`: from the tuple of the tangents of all fields, that of the instance; from that of the
    /// one kind that a value is, that of a value of several kinds, which must be of the class with that name.
    pub(super) fn whole_of(&mut self, tangent: &Value, of: &Value, class: &Value) -> Value {
        let is_boxed = tangent.abs == Abs::Opaque;
        match (&of.abs, of.abs.present()) {
            (Abs::Union(_), kind) => {
                let is_packed = is_boxed && !kind.is_some_and(|k| !matches!(k, Abs::Boxed(_)));
                let mut boxed = if is_packed { tangent.clone() } else { self.op(Prim::Pack, &[tangent], Abs::Opaque) };
                if let Abs::Str(Some(name)) = &class.abs {
                    let kind = kind_of_class(of, name).expect("there is a tangent of it as one of the class");
                    let is = self.is_kind(of, &kind);
                    boxed = self.op(Prim::Guard, &[&boxed, &is], Abs::Opaque);
                }
                let tag = self.constant(Const::Zero, Type::Zero, Abs::Zero);
                self.tuple(&[tag, boxed])
            }
            _ if is_boxed => tangent.clone(),
            _ => self.op(Prim::Pack, &[tangent], Abs::Opaque),
        }
    }

    /// The dict with another value for a key.
    pub(super) fn with_key(&mut self, dict: &Value, key: &str, value: &Value) -> Value {
        let Abs::Record(schema, _) = &dict.abs else { unreachable!("a dict") };
        let fields = self.opened(dict).expect("a record has fields");
        let mut fields = self.fields(&fields, schema.fields.len());
        let schema = match schema.position(key) {
            Some(i) => {
                fields[i] = value.clone();
                schema.clone()
            }
            None => {
                fields.push(value.clone());
                Arc::new(Schema { class: None, fields: schema.fields.iter().cloned().chain([key.into()]).collect() })
            }
        };
        let tuple = self.tuple(&fields);
        let Abs::Tuple(items, _) = tuple.abs else { unreachable!("a tuple") };
        Value { abs: Abs::Record(schema, items), node: tuple.node }
    }

    /// The keys of a dict.
    pub(super) fn keys(&mut self, schema: &Schema) -> Value {
        let keys: Vec<Value> = schema.fields.iter().map(|k| self.key_value(&Key::of(k))).collect();
        self.tuple(&keys)
    }

    fn key_value(&mut self, key: &Key) -> Value {
        match key {
            Key::Str(s) => self.string(s),
            Key::Int(i) => self.int(*i),
            Key::Float(bits) => self.float(f64::from_bits(*bits)),
            Key::Bool(b) => self.bool(*b),
            Key::Tuple(keys) => {
                let keys: Vec<Value> = keys.iter().map(|k| self.key_value(k)).collect();
                self.tuple(&keys)
            }
        }
    }
}

/// The names of fields for a message.
fn listed(names: &[Arc<str>]) -> String {
    names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}

/// The keys of a dict, as Python writes them.
pub(super) fn keys(schema: &Schema) -> String {
    schema.fields.iter().map(|name| Key::of(name).to_string()).collect::<Vec<_>>().join(", ")
}

/// Whether values of a type have another representation as values of another type.
pub(super) fn differ(from: &Abs, to: &Abs) -> bool {
    let all = |a: &Rc<[Abs]>, b: &Rc<[Abs]>| a.iter().zip(b.iter()).any(|(a, b)| differ(a, b));
    match (from, to) {
        (Abs::I64(_) | Abs::Bool(_), Abs::F64(_)) => true,
        (Abs::I64(_) | Abs::Bool(_) | Abs::F64(_), Abs::Record(..)) => true,
        (Abs::Array(a, _), Abs::Array(b, _)) => a != b,
        (Abs::RangeIter(Some(_), _), Abs::RangeIter(None, _)) | (Abs::Range(Some(_), _), Abs::Range(None, _)) => true,
        (Abs::Tuple(..) | Abs::Iter(..), Abs::Record(..)) => true,
        (Abs::Record(s, _), Abs::Record(t, _)) if s != t => true,
        (Abs::Elements(a), Abs::Elements(b)) => lists_differ(a, b),
        (Abs::Tuple(a, _), Abs::Tuple(b, _)) | (Abs::Record(_, a), Abs::Record(_, b)) => all(a, b),
        (Abs::Record(..), Abs::Boxed(_)) => true,
        (Abs::Union(_), Abs::Union(_)) => match (from.present(), to.present()) {
            (Some(a), Some(b)) => differ(a, b),
            _ => false,
        },
        (_, Abs::Union(_)) => true,
        _ => false,
    }
}

/// The kind that a value may be of which has this name: an exact one, or that of a class. None if it may be of none.
fn kind_of_class(v: &Value, name: &str) -> Option<Abs> {
    let kinds = v.abs.kinds();
    let exact = kinds.iter().find(|k| k.exact_name().as_deref() == Some(name));
    let of_class = || kinds.iter().find(|k| k.schema().is_some_and(|s| s.class.as_deref() == Some(name)));
    exact.or_else(of_class).cloned()
}

//! How values enter and leave a program, for both executors: what fits, and how deep it may be.

use crate::error::{BackendError, RunError};
use gradus_ir::{Boundary, Form, GraphId, Key, Module, Number, Schema, Type, Value};
use std::sync::Arc;

/// How values enter and leave a typed module; as their types are, where it does not say so.
pub fn of(m: &Module, entry: GraphId) -> Result<Boundary, BackendError> {
    let mut boundary = m.boundary.clone();
    if boundary.result.is_none() {
        boundary.params = m[entry].params.iter().map(|&p| Form::Plain(m[p].ty.clone())).collect();
        boundary.result = Some(Form::Plain(m[entry].result.clone()));
    }
    let contents = boundary.boxes.iter().flat_map(|(_, fields, _)| fields);
    if !boundary.params.iter().chain(&boundary.result).chain(contents).all(is_data) {
        return Err(BackendError::Unsupported { what: "an entry that takes or returns a function".into(), span: None });
    }
    Ok(boundary)
}

/// Whether values of this form can enter and leave a program.
fn is_data(form: &Form) -> bool {
    match form {
        Form::Plain(ty) => is_data_type(ty),
        Form::Tuple(items) | Form::List(items) | Form::Record(_, items) => items.iter().all(is_data),
        Form::Union(kinds) => kinds.iter().all(|(_, kind)| is_data(kind)),
        Form::Unbounded(element) => is_data(element),
        Form::Boxed(_) => true,
    }
}

fn is_data_type(ty: &Type) -> bool {
    match ty {
        Type::F64 | Type::I64 | Type::Bool | Type::Array(..) | Type::Str | Type::None | Type::Zero => true,
        Type::Tuple(items) => items.iter().all(is_data_type),
        _ => false,
    }
}

/// Checks that `args` are what the program takes.
pub fn check_arguments<F>(boundary: &Boundary, params: &[Type], args: &[Value<F>]) -> Result<(), RunError> {
    if boundary.params.len() == args.len()
        && boundary.params.iter().zip(args).all(|(p, a)| fits(boundary, p, a, Boundary::MAX_DEPTH))
    {
        return Ok(());
    }
    Err(RunError::Arguments { expected: Type::tuple(params.iter().cloned()), found: Type::tuple(args.iter().map(Value::ty)) })
}

/// Whether a value is of a form, and not nested more than so deep.
pub fn fits<F>(boundary: &Boundary, form: &Form, value: &Value<F>, depth: usize) -> bool {
    let Some(depth) = depth.checked_sub(1) else { return false };
    let all = |forms: &[Form], items: &[Value<F>]| {
        forms.len() == items.len() && forms.iter().zip(items).all(|(f, v)| fits(boundary, f, v, depth))
    };
    match (form, value) {
        (Form::Plain(ty), value) => *ty == value.ty(),
        (Form::Tuple(forms) | Form::List(forms), Value::Tuple(items) | Value::List(items)) => all(forms, items),
        (Form::Record(schema, forms), Value::Record(given, items)) => schema == given && all(forms, items),
        (Form::Unbounded(form), Value::Tuple(items) | Value::List(items)) => {
            items.iter().all(|v| becomes_float(form, v) || fits(boundary, form, v, depth))
        }
        (Form::Boxed(i), Value::Record(given, items)) => {
            let (schema, forms, _) = &boundary.boxes[*i];
            let field = |(form, v): (&Form, &Value<F>)| becomes_float(form, v) || fits(boundary, form, v, depth);
            schema == given && forms.len() == items.len() && forms.iter().zip(items.iter()).all(field)
        }
        (Form::Union(kinds), value) => kinds.iter().any(|(_, kind)| fits(boundary, kind, value, depth)),
        _ => false,
    }
}

/// Where some instance or element of a list has a float, an int of another is one.
fn becomes_float<F>(form: &Form, value: &Value<F>) -> bool {
    matches!((form, value), (Form::Plain(Type::F64), Value::I64(_)))
}

/// The kind that a value of one of several kinds is, with its tag.
pub fn kind_of<'b, F>(boundary: &'b Boundary, kinds: &'b [(i64, Form)], value: &Value<F>) -> &'b (i64, Form) {
    kinds.iter().find(|(_, kind)| fits(boundary, kind, value, Boundary::MAX_DEPTH)).expect("the value was checked")
}

/// The types of the content of a box that holds a value of a kind.
pub fn content_type(kind: &Form) -> Type {
    match kind {
        Form::Plain(ty) => ty.clone(),
        Form::Tuple(items) | Form::List(items) | Form::Record(_, items) => Type::tuple(items.iter().map(content_type)),
        Form::Boxed(_) => Type::Opaque,
        Form::Union(_) => Type::tuple([Type::I64, Type::Opaque]),
        Form::Unbounded(element) => Type::tuple([Type::I64, Type::tuple([Type::I64, Type::vec(record_type(element).0)])]),
    }
}

/// A record that leaves a program. A dict whose keys only the run knew is one with these keys.
pub fn record<F: Number>(schema: &Arc<Schema>, fields: Arc<[Value<F>]>) -> Value<F> {
    let [Value::List(keys), Value::List(values), _] = &fields[..] else { return Value::Record(schema.clone(), fields) };
    if !schema.is_table() {
        return Value::Record(schema.clone(), fields);
    }
    let name = |key: &Value<F>| match key {
        Value::Str(text) => Key::Str(text.clone()).name(),
        other => other.to_string().into(),
    };
    Value::Record(Arc::new(Schema { class: None, fields: keys.iter().map(name).collect() }), values.clone())
}

/// The type of the records of a list of such elements, and whether they are boxes in which these lie.
pub fn record_type(element: &Form) -> (Type, bool) {
    let content = content_type(element);
    if content.scalars().is_some_and(|n| n > 0) { (content, false) } else { (Type::Opaque, true) }
}

/// The types of what lies in the boxes that enter and leave.
pub fn contents(boundary: &Boundary) -> Vec<Type> {
    fn of(form: &Form, found: &mut Vec<Type>) {
        match form {
            Form::Tuple(items) | Form::List(items) | Form::Record(_, items) => items.iter().for_each(|f| of(f, found)),
            Form::Union(kinds) => kinds.iter().for_each(|(_, kind)| {
                found.push(content_type(kind));
                of(kind, found);
            }),
            Form::Unbounded(element) => {
                if record_type(element).1 {
                    found.push(content_type(element));
                }
                of(element, found);
            }
            Form::Plain(_) | Form::Boxed(_) => {}
        }
    }
    let mut found: Vec<Type> = boundary.boxes.iter().map(|(_, _, ty)| ty.clone()).collect();
    let inside = boundary.boxes.iter().flat_map(|(_, fields, _)| fields);
    boundary.params.iter().chain(&boundary.result).chain(inside).for_each(|form| of(form, &mut found));
    found
}

/// A value that is nested too deep to leave a program.
pub fn too_deep() -> RunError {
    RunError::Nested { depth: Boundary::MAX_DEPTH }
}

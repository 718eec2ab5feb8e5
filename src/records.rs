//! Arguments that are instances of classes: checked against the classes of the program, and described for inference.

use crate::Error;
use gradus_ir::{Boundary, Class, Schema, Type, Value};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The default of a field of a class, if it has one.
type Default<'a, F> = dyn Fn(&str, &str) -> Result<Option<Value<F>>, Error> + 'a;

/// An argument with the fields of its instances in the order of their classes, and all of them.
pub fn ordered<F: Clone>(value: Value<F>, classes: &[Class], default: &Default<'_, F>) -> Result<Value<F>, Error> {
    order(value, classes, default, Boundary::MAX_DEPTH)
}

fn order<F: Clone>(value: Value<F>, classes: &[Class], default: &Default<'_, F>, depth: usize) -> Result<Value<F>, Error> {
    let refuse = |message: String| Err(Error::Arguments(message));
    let Some(depth) = depth.checked_sub(1) else {
        return refuse(format!("an argument is nested more than {} deep", Boundary::MAX_DEPTH));
    };
    let all = |items: &[Value<F>]| items.iter().map(|v| order(v.clone(), classes, default, depth)).collect::<Result<_, _>>();
    match value {
        Value::Tuple(items) => Ok(Value::Tuple(all(&items)?)),
        Value::List(items) => Ok(Value::List(all(&items)?)),
        Value::Record(given, items) => {
            let Some(name) = &given.class else {
                return Ok(Value::Record(given, all(&items)?));
            };
            if given.is_complex() {
                return match (&items[..], given == Schema::complex()) {
                    ([Value::F64(_), Value::F64(_)], true) => Ok(Value::Record(given, items)),
                    _ => refuse("the parts of a complex number are two floats".into()),
                };
            }
            let Some(class) = find(classes, name) else {
                return refuse(format!("there is no class `{name}` in this file"));
            };
            if let Some(other) = given.fields.iter().find(|f| class.schema.position(f).is_none()) {
                let names: Vec<String> = class.schema.fields.iter().map(|name| format!("`{name}`")).collect();
                return refuse(format!("the class `{name}` has no field `{other}`; it has {}", names.join(", ")));
            }
            let mut fields = Vec::with_capacity(items.len());
            for field in class.schema.fields.iter() {
                fields.push(match given.position(field) {
                    Some(i) => order(items[i].clone(), classes, default, depth)?,
                    None => match default(name, field)? {
                        Some(value) => value,
                        None => return refuse(format!("an instance of `{name}` is given without the field `{field}`")),
                    },
                });
            }
            Ok(Value::Record(class.schema.clone(), fields.into()))
        }
        other => Ok(other),
    }
}

fn find<'c>(classes: &'c [Class], name: &str) -> Option<&'c Class> {
    classes.iter().find(|c| c.schema.class.as_deref() == Some(name))
}

/// The types of arguments whose fields are in order.
pub fn types<F>(args: &[Value<F>], classes: &[Class]) -> Vec<Type> {
    let mut contents = Contents { classes, found: BTreeMap::new() };
    let plain: Vec<Type> = args.iter().map(|v| contents.describe(v)).collect();
    plain.iter().map(|ty| contents.expanded(ty, &mut Vec::new())).collect()
}

/// What the instances of classes hold that refer to themselves: one type for each field of a class.
struct Contents<'c> {
    classes: &'c [Class],
    found: BTreeMap<Arc<Schema>, Vec<Type>>,
}

impl Contents<'_> {
    fn is_recursive(&self, schema: &Schema) -> bool {
        schema.class.as_ref().and_then(|name| find(self.classes, name)).is_some_and(|c| c.recursive)
    }

    /// The type of a value, in which instances of such classes are named; what they hold is noted.
    fn describe<F>(&mut self, value: &Value<F>) -> Type {
        match value {
            Value::Tuple(items) => Type::tuple(items.iter().map(|v| self.describe(v)).collect::<Vec<_>>()),
            Value::List(items) => Type::List(items.iter().map(|v| self.describe(v)).collect()),
            Value::Record(schema, items) => {
                let fields: Vec<Type> = items.iter().map(|v| self.describe(v)).collect();
                if !self.is_recursive(schema) {
                    return Type::Record(schema.clone(), fields.into());
                }
                match self.found.get_mut(schema) {
                    Some(known) => known.iter_mut().zip(fields).for_each(|(a, b)| *a = joined(a, b)),
                    None => drop(self.found.insert(schema.clone(), fields)),
                }
                Type::Instance(schema.clone())
            }
            other => other.ty(),
        }
    }

    /// The type with each class described where it is named first, from the outside in.
    fn expanded(&self, ty: &Type, open: &mut Vec<Arc<Schema>>) -> Type {
        let all = |items: &[Type], open: &mut Vec<Arc<Schema>>| -> Arc<[Type]> {
            items.iter().map(|item| self.expanded(item, open)).collect()
        };
        match ty {
            Type::Instance(schema) if !open.contains(schema) => {
                open.push(schema.clone());
                Type::Record(schema.clone(), all(&self.found[schema], open))
            }
            Type::Tuple(items) => Type::Tuple(all(items, open)),
            Type::List(items) => Type::List(all(items, open)),
            Type::Record(schema, items) => Type::Record(schema.clone(), all(items, open)),
            Type::OneOf(kinds) => Type::OneOf(all(kinds, open)),
            other => other.clone(),
        }
    }
}

/// A type that values of both fit.
fn joined(a: &Type, b: Type) -> Type {
    let kinds = |ty: &Type| match ty {
        Type::OneOf(kinds) => kinds.to_vec(),
        one => vec![one.clone()],
    };
    let mut all = kinds(a);
    all.extend(kinds(&b));
    if all.contains(&Type::F64) {
        all.retain(|ty| *ty != Type::I64);
    }
    let mut distinct: Vec<Type> = Vec::new();
    all.into_iter().for_each(|ty| {
        if !distinct.contains(&ty) {
            distinct.push(ty)
        }
    });
    if distinct.len() == 1 { distinct.remove(0) } else { Type::OneOf(distinct.into()) }
}

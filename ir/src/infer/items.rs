//! Elements of tuples and dicts, read and written to: what is written to is another tuple, or another dict.

use super::abs::Abs;
use super::prims::{Ops, Result, Value};
use super::records::keys;
use super::sequences::kind_of;
use super::sequences::plural;
use crate::key::Key;
use crate::nearest;
use crate::prim::Prim;

/// The most elements of a list that is written to at an index that only the run knows: each of them is a choice.
const MOST_CHOICES: usize = 256;

impl Ops<'_> {
    /// The array or tuple with another value, or a larger one, at an index.
    pub(super) fn with_item(&mut self, prim: Prim, args: &[Value]) -> Result<Value> {
        let [sequence, index, value] = args else { unreachable!("the arity was checked") };
        let add = prim == Prim::AddItem;
        match (&sequence.abs, &index.abs) {
            (Abs::Record(schema, _), index_abs) if schema.class.is_none() => {
                let key = self.key(index_abs)?.name();
                let value = match add {
                    true => {
                        let old = self.get_item(sequence, index)?;
                        self.apply(Prim::Add, &[old, value.clone()])?
                    }
                    false => value.clone(),
                };
                Ok(self.with_key(sequence, &key, &value))
            }
            (Abs::Array(..), _) => self.array_with(prim, sequence, index, value),
            (Abs::Tuple(items, _), Abs::I64(Some(i))) => {
                let len = items.len() as i64;
                let at = if *i < 0 { i + len } else { *i };
                if !(0..len).contains(&at) {
                    return self.refuse(format!("index {i} is out of range, the list has {len} value{}", plural(items.len())));
                }
                let mut items = self.fields(sequence, items.len());
                let old = items[at as usize].clone();
                items[at as usize] = if add { self.apply(Prim::Add, &[old, value.clone()])? } else { value.clone() };
                Ok(self.items_as(kind_of(&sequence.abs), &items))
            }
            (Abs::Tuple(..), Abs::Slice(bounds)) => self.with_slice(sequence, bounds, value, add),
            (Abs::Tuple(items, _), Abs::I64(None)) if self.classes.choices && (1..=MOST_CHOICES).contains(&items.len()) => {
                self.with_computed(sequence, items, index, value, add)
            }
            (Abs::Tuple(items, _), _) => {
                *self.wants_constant = true;
                self.classes.lacks_choices |= index.abs == Abs::I64(None) && !self.classes.choices && items.len() <= MOST_CHOICES;
                self.refuse("the index of a list that is written to must be a constant of the program")
            }
            (other, _) => self.refuse(format!("{} has no elements to write to", other.a())),
        }
    }

    /// The tuple with another value, or a larger one, at an index that is no constant: for each field the choice between what it was
    /// and what it becomes. They must have one type.
    fn with_computed(&mut self, tuple: &Value, items: &[Abs], index: &Value, value: &Value, add: bool) -> Result<Value> {
        let new = match add {
            true => {
                let old = self.computed_item(tuple, items, index)?;
                self.apply(Prim::Add, &[old, value.clone()])?
            }
            false => value.clone(),
        };
        let mut all = new.abs.broaden();
        for item in items {
            let item = item.broaden();
            all = match all.join(&item, self.classes) {
                Ok(joined) => joined,
                Err(_) => {
                    let [a, b] = item.told_apart(&all);
                    let message = format!("the index that is written to is computed: {a} cannot be {b}");
                    return self.refuse(message).map_err(|d| d.hint("give the list values of one type"));
                }
            };
        }
        let length = self.int(items.len() as i64);
        let at = self.op(Prim::Index, &[index, &length], Abs::I64(None));
        let new = self.coerce(&new, &all);
        let fields = self.fields(tuple, items.len());
        let chosen = fields.iter().enumerate().map(|(i, field)| {
            let (place, old) = (self.int(i as i64), self.coerce(field, &all));
            let is_here = self.op(Prim::Eq, &[&at, &place], Abs::Bool(None));
            self.op(Prim::Select, &[&is_here, &new, &old], all.clone())
        });
        let chosen: Vec<Value> = chosen.collect();
        Ok(self.items_as(kind_of(&tuple.abs), &chosen))
    }

    pub(super) fn get_item(&mut self, tuple: &Value, index: &Value) -> Result<Value> {
        if tuple.abs.is_array() {
            return self.array_item(tuple, index);
        }
        if let Abs::Record(schema, _) = &tuple.abs
            && schema.class.is_none()
        {
            let key = self.key(&index.abs)?;
            return match schema.position(&key.name()) {
                Some(i) => Ok(self.field(tuple, i)),
                None => {
                    let d = self.refuse(format!("this dict has no key `{}`", key.text()));
                    let near = nearest(&key.text(), schema.fields.iter().map(|name| &**name));
                    d.map_err(|d| match near {
                        Some(near) => d.hint(format!("did you mean {}?", Key::of(near))),
                        None if schema.fields.is_empty() => d,
                        None => d.hint(format!("its keys are {}", keys(schema))),
                    })
                }
            };
        }
        if let Abs::Str(text) = &tuple.abs {
            let Some(text) = text else { return self.no_constant_text() };
            let characters = self.characters(text);
            let part = self.get_item(&characters, index)?;
            return Ok(match &part.abs {
                Abs::Tuple(items, _) => {
                    let text: String =
                        items.iter().filter_map(|c| if let Abs::Str(c) = c { c.as_deref() } else { None }).collect();
                    self.string(&text)
                }
                _ => part,
            });
        }
        if let Abs::Slice(bounds) = &index.abs {
            return self.slice(tuple, bounds);
        }
        if let Abs::Window(_) = index.abs {
            return self.slice(tuple, &[Abs::I64(None), Abs::None, Abs::None]);
        }
        if !matches!(tuple.abs, Abs::Tuple(..) | Abs::Range(..)) {
            return self.refuse(format!("{} cannot be indexed", tuple.abs.a()));
        }
        if !matches!(index.abs, Abs::I64(_) | Abs::Bool(_)) {
            return self.refuse(format!("an index must be an int, this is {}", index.abs.a()));
        }
        let index = self.integral(index);
        let (items, i) = match (&tuple.abs, &index.abs) {
            (Abs::Tuple(items, _), Abs::I64(Some(i))) => (items, *i),
            (Abs::Tuple(items, _), _) => return self.computed_item(tuple, items, &index),
            _ => return Ok(self.range_item(tuple, &index)),
        };
        let len = items.len() as i64;
        let at = if i < 0 { i + len } else { i };
        if !(0..len).contains(&at) {
            let what = kind_of(&tuple.abs).name();
            return self.refuse(format!("{what} index {i} is out of range, the {what} has {len} value{}", plural(items.len())));
        }
        Ok(self.field(tuple, at as usize))
    }

    /// The field at an index that is no constant: a tree of choices between the fields, which must have one type.
    fn computed_item(&mut self, tuple: &Value, items: &[Abs], index: &Value) -> Result<Value> {
        let Some((first, rest)) = items.split_first() else {
            return self.refuse("an index into an empty tuple");
        };
        let hint = "write the index as a number, or give the tuple values of one type";
        let mut all = first.broaden();
        for item in rest {
            let item = item.broaden();
            match all.join(&item, self.classes) {
                Ok(joined) if !meets_float(&all, &joined) && !meets_float(&item, &joined) => all = joined,
                _ => {
                    *self.wants_constant = true;
                    let [a, b] = all.told_apart(&item);
                    return self
                        .refuse(format!("this index is computed, and the values it may pick are {a} and {b}"))
                        .map_err(|d| d.hint(hint));
                }
            }
        }
        let length = self.int(items.len() as i64);
        let at = self.op(Prim::Index, &[index, &length], Abs::I64(None));
        let fields: Vec<Value> = self.fields(tuple, items.len()).iter().map(|field| self.coerce(field, &all)).collect();
        match &fields[..] {
            // There is no choice that would keep the check of the index.
            [one, rest @ ..] if rest.iter().all(|other| other.node == one.node) => {
                let zero = self.int(0);
                let is_checked = self.op(Prim::Ge, &[&at, &zero], Abs::Bool(None));
                let boxed = self.op(Prim::Pack, &[one], Abs::Opaque);
                let boxed = self.op(Prim::Guard, &[&boxed, &is_checked], Abs::Opaque);
                Ok(self.unpack(&boxed, all))
            }
            many => Ok(self.pick(&at, 0, many)),
        }
    }

    /// One of these values, the first of which has the number `low`.
    fn pick(&mut self, at: &Value, low: usize, values: &[Value]) -> Value {
        if let [one] = values {
            return one.clone();
        }
        let (before, after) = values.split_at(values.len() / 2);
        let middle = low + before.len();
        let bound = self.int(middle as i64);
        let below = self.op(Prim::Lt, &[at, &bound], Abs::Bool(None));
        let (a, b) = (self.pick(at, low, before), self.pick(at, middle, after));
        self.op(Prim::Select, &[&below, &a, &b], a.abs.clone())
    }

    fn slice(&mut self, tuple: &Value, bounds: &[Abs]) -> Result<Value> {
        let items = self.items("a slice", tuple)?;
        let [first, step, count] = self.cut(bounds, items.len() as i64)?;
        let items: Vec<Value> = (0..count).map(|i| items[(first + i * step) as usize].clone()).collect();
        Ok(self.items_as(kind_of(&tuple.abs), &items))
    }

    /// A list with other elements for those of a slice: as many as there were, if the slice has steps.
    fn with_slice(&mut self, list: &Value, bounds: &[Abs], value: &Value, add: bool) -> Result<Value> {
        let mut items = self.items("a slice", list)?;
        let [first, step, count] = self.cut(bounds, items.len() as i64)?;
        let places: Vec<usize> = (0..count).map(|i| (first + i * step) as usize).collect();
        let mut new: Vec<Value> = if add { places.iter().map(|&i| items[i].clone()).collect() } else { Vec::new() };
        new.extend(self.items("a slice", value)?);
        if step == 1 {
            items.splice(first as usize..(first + count) as usize, new);
        } else if new.len() == places.len() {
            places.into_iter().zip(new).for_each(|(i, item)| items[i] = item);
        } else {
            let (n, were) = (places.len(), if new.len() == 1 { "was" } else { "were" });
            return self.refuse(format!("the slice has {n} value{}, but {} {were} given", plural(n), new.len()));
        }
        Ok(self.items_as(kind_of(&list.abs), &items))
    }
}

/// Whether an integer in the value is a float in the joined one, or an array one of another type.
fn meets_float(value: &Abs, joined: &Abs) -> bool {
    match (value, joined) {
        (Abs::Array(..), Abs::Array(..)) => value.changes_elements(joined),
        (Abs::I64(_), Abs::F64(_)) => true,
        (Abs::Tuple(a, _), Abs::Tuple(b, _)) => a.iter().zip(b.iter()).any(|(a, b)| meets_float(a, b)),
        _ => false,
    }
}

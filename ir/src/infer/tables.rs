//! Dicts whose keys only the run knows: lists of the keys and of the values, of which the library makes the rest
//! (`frontend/src/python/library/tables.py`).
//!
//! A dict is a record where its keys are constants. Where it would have two sets of keys, or where only the run knows which key is meant,
//! it is a table, with keys of one type and values of one type, if the analysis allows it ([`Classes::lists`]).

use super::abs::{Abs, Mismatch};
use super::classes::Classes;
use super::engine::{Engine, Stop};
use super::prims::{Ops, Result, Value};
use crate::data::Schema;
use crate::graph::GraphId;
use crate::key::Key;
use crate::prim::Prim;

/// Where two dicts do not meet.
pub(super) const KEYS: &str =
    "keys that only the run knows are of one type, and their values are; other dicts have the same keys on all paths";

impl Abs {
    /// A table of these keys and values; of nothing yet, if there are none.
    fn table(key: Abs, value: Abs) -> Abs {
        Abs::Record(Schema::table(), [Abs::list(key), Abs::list(value), Abs::list(Abs::I64(None))].into())
    }

    /// Whether this may be a key of a table: a number, a string, or a tuple of these.
    pub(super) fn is_key(&self) -> bool {
        match self {
            Abs::Bottom | Abs::Bool(_) | Abs::I64(_) | Abs::F64(_) | Abs::Str(_) => true,
            Abs::Tuple(items, of) => of.is_a("tuple") && items.iter().all(Abs::is_key),
            _ => false,
        }
    }

    /// What the values of a table are.
    pub(super) fn value_of_table(&self) -> Option<&Abs> {
        match self {
            Abs::Record(schema, parts) if schema.is_table() => parts[1].element(),
            _ => None,
        }
    }

    /// The table that a dict is.
    fn as_table(&self, classes: &mut Classes) -> std::result::Result<Abs, Mismatch> {
        match self {
            Abs::Record(schema, values) if schema.class.is_none() => {
                let keys = schema.fields.iter().map(|name| Key::of(name).abs());
                let key = keys.into_iter().try_fold(Abs::Bottom, |all, key| all.join(&key.broaden(), classes))?;
                let value = values.iter().try_fold(Abs::Bottom, |all, value| all.join(&value.broaden(), classes))?;
                if key.is_key() { Ok(Abs::table(key, value)) } else { Err(Mismatch) }
            }
            Abs::Record(schema, _) if schema.is_table() => Ok(self.clone()),
            _ => Err(Mismatch),
        }
    }

    /// The table that two dicts with different keys are.
    pub(super) fn join_dicts(&self, other: &Abs, classes: &mut Classes) -> std::result::Result<Abs, Mismatch> {
        if !classes.lists || !classes.unions {
            classes.lacks_lists = true;
            return Err(Mismatch);
        }
        let (a, b) = (self.as_table(classes)?, other.as_table(classes)?);
        a.join(&b, classes)
    }
}

impl Key {
    /// The constant that it is.
    fn abs(&self) -> Abs {
        match self {
            Key::Str(text) => Abs::Str(Some(text.clone())),
            Key::Int(i) => Abs::I64(Some(*i)),
            Key::Float(bits) => Abs::F64(Some(*bits)),
            Key::Bool(b) => Abs::Bool(Some(*b)),
            Key::Tuple(keys) => Abs::tuple(keys.iter().map(Key::abs)),
        }
    }
}

impl Ops<'_> {
    /// A dict as a table, with room for these keys and values.
    pub(super) fn table_of(&mut self, args: &[Value]) -> Result<Value> {
        let [dict, keys, values] = args else { unreachable!("the arity was checked") };
        let table = dict.abs.as_table(self.classes);
        let mut joined = |of: &Value, all: &Abs| match &of.abs {
            Abs::Tuple(items, _) => items.iter().try_fold(all.clone(), |all, item| all.join(&item.broaden(), self.classes)),
            _ => Err(Mismatch),
        };
        match table.and_then(|table| {
            let Abs::Record(_, parts) = &table else { unreachable!("a table") };
            let [key, value] = [0, 1].map(|i| parts[i].element().expect("a list of keys, and one of values"));
            Ok(Abs::table(joined(keys, key)?, joined(values, value)?))
        }) {
            Ok(table) => Ok(self.coerce(dict, &table)),
            Err(Mismatch) => self.key_of_run(),
        }
    }

    /// A dict with constant keys as a table, if the key is no constant.
    pub(super) fn table_for(&mut self, dict: &Value, key: &Value) -> Result<Value> {
        if !dict.abs.has_constant_keys() || key.abs.key().is_some() || !key.abs.is_key() {
            return Ok(dict.clone());
        }
        self.classes.lacks_lists = true;
        match dict.abs.as_table(self.classes) {
            Ok(table) if self.classes.lists => Ok(self.coerce(dict, &table)),
            _ => {
                *self.wants_constant = true;
                self.key_of_run()
            }
        }
    }

    /// Why a dict is no table, where it would have to be one.
    pub(super) fn key_of_run<T>(&self) -> Result<T> {
        let what = "only the run knows which key of this dict is meant, so its keys are of one type, and its values are";
        self.refuse(what).map_err(|d| d.hint(KEYS))
    }

    /// A dict with constant keys as a table with room for others.
    pub(super) fn as_table(&mut self, dict: &Value, to: &Abs) -> Value {
        let Abs::Record(_, parts) = to else { unreachable!("a table") };
        let schema = dict.abs.schema().expect("a dict").clone();
        let values = self.opened(dict).expect("a dict has fields");
        let (keys, none) = (self.keys(&schema), self.tuple(&[]));
        let parts: Vec<Value> = [keys, values, none].iter().zip(parts.iter()).map(|(v, to)| self.as_list(v, to)).collect();
        Value { abs: to.clone(), ..self.tuple(&parts) }
    }
}

impl Engine {
    /// The function of tables that stands for a primitive on a dict with constant keys, with a key that only the run knows. None if
    /// there is none, or the dict can be no table.
    pub(super) fn table_function(&mut self, prim: Prim, operands: &[Abs]) -> std::result::Result<Option<GraphId>, Stop> {
        let name = match prim {
            Prim::GetItem | Prim::OldItem | Prim::Picked => "__item__",
            Prim::SetItem | Prim::UpdateItem => "__with_item__",
            Prim::AddItem => "__with_added__",
            Prim::Contains => "__has__",
            _ => return Ok(None),
        };
        let [dict, key, ..] = operands else { return Ok(None) };
        if !dict.has_constant_keys() || key.is_bottom() || key.key().is_some() || !key.is_key() {
            return Ok(None);
        }
        self.classes.lacks_lists = true;
        if !self.classes.lists || dict.as_table(&mut self.classes).is_err() {
            return Ok(None);
        }
        let table = Abs::table(Abs::Bottom, Abs::Bottom);
        Ok(Some(self.method(&table, name)?.expect("a function of tables")))
    }
}

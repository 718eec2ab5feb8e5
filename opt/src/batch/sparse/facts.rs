//! What is known of a value: the columns that each of its elements depends on, and its elements where these are integers or booleans that
//! the program has.

use super::sets::{EMPTY, SetId};
use gradus_ir::Type;
use std::rc::Rc;

/// What is known of a value.
#[derive(Clone, Debug)]
pub(super) enum Fact {
    /// A number, a boolean, or an array of them.
    Elements(Elements),
    Tuple(Rc<[Fact]>),
    /// The records on a tape that were pushed since it depends on nothing.
    Tape(Option<Rc<Record>>),
    /// What depends on nothing, and has no elements.
    Other,
}

/// The last record of a tape, and those before it.
#[derive(Debug)]
pub(super) struct Record {
    pub(super) value: Fact,
    pub(super) before: Option<Rc<Record>>,
}

impl Drop for Record {
    /// A tape may be long: no recursion.
    fn drop(&mut self) {
        let mut before = self.before.take();
        while let Some(mut record) = before.and_then(|record| Rc::try_unwrap(record).ok()) {
            before = record.before.take();
        }
    }
}

/// What is known of the elements of an array, in row-major order.
#[derive(Clone, Debug, Default)]
pub(super) struct Elements {
    /// None if they depend on nothing.
    pub(super) sets: Option<Rc<[SetId]>>,
    /// Their values; a boolean is 0 or 1.
    pub(super) known: Option<Rc<[i64]>>,
}

impl Elements {
    pub(super) fn of_sets(sets: Vec<SetId>) -> Elements {
        Elements { sets: sets.iter().any(|&set| set != EMPTY).then(|| sets.into()), known: None }
    }

    pub(super) fn of_known(known: Vec<i64>) -> Elements {
        Elements { sets: None, known: Some(known.into()) }
    }

    /// What element `i` depends on; a scalar stands for arrays of it.
    pub(super) fn set(&self, i: usize) -> SetId {
        self.sets.as_ref().map_or(EMPTY, |sets| sets[if sets.len() == 1 { 0 } else { i }])
    }

    /// All that they depend on.
    pub(super) fn all(&self) -> impl Iterator<Item = SetId> + '_ {
        self.sets.iter().flat_map(|sets| sets.iter().copied())
    }

    /// The elements with these numbers.
    pub(super) fn moved(&self, from: &[usize]) -> Elements {
        let sets = self.sets.as_ref().map(|sets| from.iter().map(|&i| sets[i]).collect::<Vec<_>>());
        let known = self.known.as_ref().map(|known| from.iter().map(|&i| known[i]).collect());
        Elements { known, ..Elements::of_sets(sets.unwrap_or_default()) }
    }
}

impl Fact {
    /// What is known of a value of this type that depends on nothing.
    pub(super) fn nothing(ty: &Type) -> Fact {
        match ty {
            Type::Tuple(items) => Fact::Tuple(items.iter().map(Fact::nothing).collect()),
            Type::Tape(_) => Fact::Tape(None),
            _ if ty.as_array().is_some() => Fact::Elements(Elements::default()),
            _ => Fact::Other,
        }
    }

    /// Whether it depends on nothing.
    pub(super) fn is_constant(&self) -> bool {
        match self {
            Fact::Elements(elements) => elements.sets.is_none(),
            Fact::Tuple(items) => items.iter().all(Fact::is_constant),
            Fact::Tape(records) => records.is_none(),
            Fact::Other => true,
        }
    }

    pub(super) fn elements(&self) -> Option<&Elements> {
        match self {
            Fact::Elements(elements) => Some(elements),
            _ => None,
        }
    }
}

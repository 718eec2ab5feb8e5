//! Abstract values: what inference knows of the values a node can have.

use super::classes::Classes;
use super::instances::InstId;
use crate::array::{DType, Dims};
use crate::data::Schema;
use crate::graph::{GraphId, NodeId};
use crate::key::Key;
use crate::types::Type;
use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::Arc;

/// A closure, named by the place that makes it: all closures made by one node or graph constant in one instance are one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) enum Closure {
    /// A graph, whose free variables are those of the instance of its parent.
    Graph(GraphId, Option<InstId>),
    /// What a `partial`, `grad` or `value_and_grad` node makes in an instance.
    Made(NodeId, InstId),
}

/// Instances of a class in boxes: all of them have fields of the same types, which [`Classes`] knows. Gradients with respect to such
/// instances are ones of the same class, whose fields have other types: those of the next grade.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct Boxed {
    pub(super) schema: Arc<Schema>,
    pub(super) grade: u8,
}

/// What a value of several parts without names is in the program. Both are tuples in a typed module.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Sequence {
    Tuple,
    List,
    /// The one on some paths, the other on others.
    Either,
}

impl Sequence {
    /// What is one of both.
    pub(super) fn join(self, other: Sequence) -> Sequence {
        if self == other { self } else { Sequence::Either }
    }

    /// Whether a value of both may be of one type.
    pub(super) fn meets(self, other: Sequence) -> bool {
        self == other || self == Sequence::Either || other == Sequence::Either
    }

    /// Whether it is of the type with a name. What may be either is of both.
    pub(super) fn is_a(self, name: &str) -> bool {
        match self {
            Sequence::Tuple => name == "tuple",
            Sequence::List => name == "list",
            Sequence::Either => matches!(name, "tuple" | "list"),
        }
    }

    /// The name of the type.
    pub(super) fn name(self) -> &'static str {
        match self {
            Sequence::Tuple => "tuple",
            Sequence::List => "list",
            Sequence::Either => "tuple or list",
        }
    }
}

/// An abstract value. Integers and booleans that are constants of the program are kept, so that tuples are indexed, sliced and
/// iterated statically; floats, for the integers that are made of them, as in `np.zeros(int(T / dt))`.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) enum Abs {
    /// No value has come here yet.
    Bottom,
    /// A variable that was not assigned.
    Unassigned,
    Bool(Option<bool>),
    I64(Option<i64>),
    /// A float, by its bits where it is a constant.
    F64(Option<u64>),
    Str(Option<Arc<str>>),
    None,
    Zero,
    Opaque,
    /// An array, with axes.
    Array(DType, Dims),
    /// A tuple, or a list of known length.
    Tuple(Rc<[Abs]>, Sequence),
    /// A record: the tuple of its fields.
    Record(Arc<Schema>, Rc<[Abs]>),
    /// An instance of a class, in a box.
    Boxed(Boxed),
    /// The elements of a list whose length only the run knows: the place of the first one, and a vector.
    Elements(Rc<Abs>),
    /// One of these, which are sorted by their tags: of one type or `None`, or boxed instances of several classes or `None`. A tag
    /// and a box, the zero box for `None`.
    Union(Rc<[Abs]>),
    /// A mutable box of those that are made at this place: its number. What lies in it [`Classes`] knows.
    Ref(Closure),
    /// Low, high and step of a slice.
    Slice(Rc<[Abs]>),
    /// A slice of a constant number of elements that begins at a computed place, which the value is.
    Window(i64),
    /// The parts of an index.
    Parts(Rc<[Abs]>),
    /// The part of an index that stands for all axes not mentioned.
    Ellipsis,
    /// The elements of an array that a mask of its shape picks: the tuple of the two.
    Masked(DType, Dims),
    /// An iterator over the rows of an array, and the position where it stands, where that is a constant.
    Rows(DType, Dims, Option<i64>),
    /// One of these closures; sorted.
    Func(Rc<[Closure]>),
    /// An iterator over a tuple, and the position where it stands.
    Iter(Rc<[Abs]>, usize),
    /// A range, with its step, and with start and stop, where these are constants.
    Range(Option<i64>, Option<(i64, i64)>),
    /// An iterator over a range, with its step, and with where it stands and stops, where these are constants.
    RangeIter(Option<i64>, Option<(i64, i64)>),
    /// The pullback of a function with this result and these arguments: one of these instances, sorted.
    Pullback(Rc<Abs>, Rc<[Abs]>, Rc<[InstId]>),
    /// The cotangent of a value whose representation only the complete analysis knows.
    Cotangent(Rc<Abs>),
}

/// Two values that do not meet in any type.
pub(super) struct Mismatch;

impl Abs {
    pub(super) fn tuple(items: impl IntoIterator<Item = Abs>) -> Abs {
        Abs::Tuple(items.into_iter().collect(), Sequence::Tuple)
    }

    /// The value; a tuple or list of known length as what this is in the program.
    pub(super) fn like(self, sequence: Sequence) -> Abs {
        if let Abs::Tuple(items, _) = self { Abs::Tuple(items, sequence) } else { self }
    }

    pub(super) fn is_bottom(&self) -> bool {
        *self == Abs::Bottom
    }

    /// Whether this is a number or a boolean.
    pub(super) fn is_number(&self) -> bool {
        matches!(self, Abs::Bool(_) | Abs::I64(_) | Abs::F64(_))
    }

    /// The value without what is known of constants: what a function is specialised for. An iterator over a tuple keeps its
    /// position, and its elements as they are.
    pub(super) fn broaden(&self) -> Abs {
        match self {
            Abs::Bool(Some(_)) => Abs::Bool(None),
            Abs::I64(Some(_)) => Abs::I64(None),
            Abs::F64(Some(_)) => Abs::F64(None),
            Abs::Str(Some(_)) => Abs::Str(None),
            Abs::Tuple(items, of) => Abs::Tuple(items.iter().map(Abs::broaden).collect(), *of),
            Abs::Record(schema, items) => Abs::Record(schema.clone(), items.iter().map(Abs::broaden).collect()),
            Abs::Range(step, Some(_)) => Abs::Range(*step, None),
            Abs::RangeIter(step, Some(_)) => Abs::RangeIter(*step, None),
            &Abs::Rows(dtype, shape, Some(_)) => Abs::Rows(dtype, shape, None),
            other => other.clone(),
        }
    }

    /// The same, but strings stay, alone or in tuples and records.
    pub(super) fn broaden_but_text(&self) -> Abs {
        match self {
            Abs::Str(_) => self.clone(),
            Abs::Tuple(items, of) => Abs::Tuple(items.iter().map(Abs::broaden_but_text).collect(), *of),
            Abs::Record(schema, items) => Abs::Record(schema.clone(), items.iter().map(Abs::broaden_but_text).collect()),
            other => other.broaden(),
        }
    }

    /// The value without the floats that are constants, which are none of what a library's functions are specialised for.
    pub(super) fn without_floats(&self) -> Abs {
        match self {
            Abs::F64(Some(_)) => Abs::F64(None),
            Abs::Tuple(items, of) => Abs::Tuple(items.iter().map(Abs::without_floats).collect(), *of),
            Abs::Record(schema, items) => Abs::Record(schema.clone(), items.iter().map(Abs::without_floats).collect()),
            other => other.clone(),
        }
    }

    /// The value without the floats that are constants, but others in `before`.
    pub(super) fn without_other_floats(&self, before: &Abs) -> Abs {
        let all = |items: &[Abs], before: &[Abs]| {
            let item = |(i, a): (usize, &Abs)| before.get(i).map_or_else(|| a.clone(), |b| a.without_other_floats(b));
            items.iter().enumerate().map(item).collect()
        };
        match (self, before) {
            (a, b) if a == b => a.clone(),
            (Abs::F64(_), Abs::F64(_)) => Abs::F64(None),
            (Abs::Tuple(items, of), Abs::Tuple(before, _)) => Abs::Tuple(all(items, before), *of),
            (Abs::Record(schema, items), Abs::Record(other, before)) if schema == other => {
                Abs::Record(schema.clone(), all(items, before))
            }
            (other, _) => other.clone(),
        }
    }

    /// Whether this is a constant of the program.
    pub(super) fn is_constant(&self) -> bool {
        match self {
            Abs::I64(v) => v.is_some(),
            Abs::F64(v) => v.is_some(),
            Abs::Bool(v) => v.is_some(),
            Abs::Str(v) => v.is_some(),
            Abs::None => true,
            Abs::Tuple(items, _) | Abs::Record(_, items) => items.iter().all(Abs::is_constant),
            _ => false,
        }
    }

    /// Whether this is a constant, or an iterator that stands at a constant position.
    pub(super) fn is_fixed(&self) -> bool {
        match self {
            Abs::Range(step, ends) | Abs::RangeIter(step, ends) => step.is_some() && ends.is_some(),
            Abs::Rows(_, _, at) => at.is_some(),
            other => other.is_constant(),
        }
    }

    /// Whether constants may be in it that are not known, or nothing is known of it.
    pub(super) fn lacks_constants(&self) -> bool {
        match self {
            Abs::Bottom | Abs::I64(None) | Abs::F64(None) | Abs::Bool(None) | Abs::Str(None) => true,
            Abs::Rows(_, _, None) | Abs::Range(_, None) | Abs::RangeIter(_, None) => true,
            Abs::Tuple(items, _) | Abs::Record(_, items) | Abs::Iter(items, _) => items.iter().any(Abs::lacks_constants),
            Abs::Slice(items) | Abs::Parts(items) => items.iter().any(Abs::lacks_constants),
            Abs::Window(_) | Abs::Elements(_) => true,
            _ => false,
        }
    }

    /// The least value that includes both. `classes` are told of the closures of every two sets that become one, and of records that
    /// are put into boxes.
    pub(super) fn join(&self, other: &Abs, classes: &mut Classes) -> Result<Abs, Mismatch> {
        Ok(match (self, other) {
            (Abs::Bottom, x) | (x, Abs::Bottom) => x.clone(),
            (a, b) if a == b => a.clone(),
            (Abs::Bool(_), Abs::Bool(_)) => Abs::Bool(None),
            (Abs::I64(_), Abs::I64(_)) => Abs::I64(None),
            (Abs::I64(_) | Abs::F64(_), Abs::I64(_) | Abs::F64(_)) => Abs::F64(None),
            (&Abs::Array(a, shape), &Abs::Array(b, other)) if shape == other => Abs::Array(a.promote(b), shape),
            (Abs::Str(_), Abs::Str(_)) => Abs::Str(None),
            (Abs::Tuple(a, s), Abs::Tuple(b, t)) if a.len() == b.len() => Abs::Tuple(join_all(a, b, classes)?, s.join(*t)),
            (Abs::Tuple(..), Abs::Tuple(..)) => self.join_lists(other, classes)?,
            (Abs::Tuple(..), list) | (list, Abs::Tuple(..)) if list.element().is_some() => self.join_lists(other, classes)?,
            (Abs::Iter(items, _), it @ Abs::Record(schema, _)) | (it @ Abs::Record(schema, _), Abs::Iter(items, _))
                if schema.is_list_iterator() =>
            {
                it.join_iterator(items, classes)?
            }
            (Abs::Elements(a), Abs::Elements(b)) => Abs::Elements(Rc::new(a.join(b, classes)?)),
            (Abs::Func(a), Abs::Func(b)) => {
                let mut all: Vec<Closure> = a.iter().chain(b.iter()).copied().collect();
                all.sort_unstable();
                all.dedup();
                classes.unite(&all);
                Abs::Func(all.into())
            }
            (Abs::Iter(a, _), Abs::Iter(b, _)) if a.len() != b.len() => {
                // What they go over is a list of two lengths, which has its own iterator.
                classes.lacks_lists = true;
                return Err(Mismatch);
            }
            (Abs::Iter(a, i), Abs::Iter(b, j)) if i == j => Abs::Iter(join_all(a, b, classes)?, *i),
            (Abs::Range(a, ..), Abs::Range(b, ..)) => Abs::Range(a.filter(|_| a == b), None),
            (Abs::RangeIter(a, _), Abs::RangeIter(b, _)) => Abs::RangeIter(a.filter(|_| a == b), None),
            (&Abs::Rows(a, shape, _), &Abs::Rows(b, other, _)) if (a, shape) == (b, other) => Abs::Rows(a, shape, None),
            (Abs::Pullback(r, a, f), Abs::Pullback(s, b, g)) => {
                let of: BTreeSet<InstId> = f.iter().chain(g.iter()).copied().collect();
                Abs::Pullback(Rc::new(r.join(s, classes)?), join_all(a, b, classes)?, of.into_iter().collect())
            }
            // What is known as an int first may be a float.
            (Abs::Zero, float @ Abs::F64(_)) | (float @ Abs::F64(_), Abs::Zero) => float.clone(),
            (Abs::Cotangent(a), Abs::Cotangent(b)) => Abs::Cotangent(Rc::new(a.join(b, classes)?)),
            (&Abs::Ref(a), &Abs::Ref(b)) => Abs::Ref(classes.meet_refs(a, b)?),
            (Abs::Record(a, x), Abs::Record(b, y)) if a == b => Abs::Record(a.clone(), join_all(x, y, classes)?),
            // The keys of dicts are in the order of the first.
            (Abs::Record(a, x), Abs::Record(b, y)) if let Some(places) = a.places_in(b) => {
                let ordered: Vec<Abs> = places.into_iter().map(|i| y[i].clone()).collect();
                Abs::Record(a.clone(), join_all(x, &ordered, classes)?)
            }
            (a, b) if a.is_dict() && b.is_dict() => a.join_dicts(b, classes)?,
            (z @ Abs::Record(schema, _), x) | (x, z @ Abs::Record(schema, _)) if schema.is_complex() && x.is_number() => {
                z.clone()
            }
            (a, b) if a.is_kind() || b.is_kind() => union(a, b, classes)?,
            _ => return Err(Mismatch),
        })
    }

    /// Whether this may be one of several kinds of values.
    fn is_kind(&self) -> bool {
        match self {
            Abs::None | Abs::Boxed(_) | Abs::Union(_) => true,
            Abs::Record(schema, _) => schema.class.is_some() && !self.has_open_size(),
            _ => false,
        }
    }

    /// The kinds of values that this may be of.
    pub(super) fn kinds(&self) -> &[Abs] {
        match self {
            Abs::Union(kinds) => kinds,
            one => std::slice::from_ref(one),
        }
    }

    /// The class, of a record or of a boxed instance.
    pub(super) fn schema(&self) -> Option<&Arc<Schema>> {
        match self {
            Abs::Record(schema, _) | Abs::Boxed(Boxed { schema, .. }) => Some(schema),
            _ => None,
        }
    }

    /// What no other kind that a value may be is called: the class of an instance, and the grade of its boxes.
    pub(super) fn exact_name(&self) -> Option<Arc<str>> {
        let class = self.schema()?.class.as_ref()?;
        let grade = if let Abs::Boxed(boxed) = self { boxed.grade } else { 0 };
        Some(format!("{class}'{grade}").into())
    }

    pub(super) fn is_dict(&self) -> bool {
        matches!(self, Abs::Record(schema, _) if schema.class.is_none() || schema.is_table())
    }

    /// Whether this is a list or a dict of which only the run knows how many elements it has.
    pub(super) fn has_open_size(&self) -> bool {
        matches!(self, Abs::Record(schema, _) if schema.is_list() || schema.is_table())
    }

    /// Whether this is a dict with constants for keys.
    pub(super) fn has_constant_keys(&self) -> bool {
        matches!(self, Abs::Record(schema, _) if schema.class.is_none())
    }

    /// What two types that do not meet are called: dicts by a key that one has and the other lacks, and what has one name by the first
    /// of its parts that differ.
    pub(super) fn told_apart(&self, other: &Abs) -> [String; 2] {
        let names = [self.a(), other.a()];
        if names[0] != names[1] {
            return names;
        }
        if let (Abs::Record(a, _), Abs::Record(b, _)) = (self, other)
            && self.has_constant_keys()
            && other.has_constant_keys()
        {
            let lacking = |a: &Schema, b: &Schema| a.fields.iter().find(|key| !b.fields.contains(key)).map(|key| Key::of(key));
            match (lacking(a, b), lacking(b, a)) {
                (Some(a), Some(b)) => return [a, b].map(|key| format!("a dict with the key {key}")),
                (Some(key), None) => return ["with", "without"].map(|has| format!("a dict {has} the key {key}")),
                (None, Some(key)) => return ["without", "with"].map(|has| format!("a dict {has} the key {key}")),
                (None, None) => {}
            }
        }
        let part = |i: usize| match self {
            Abs::Record(schema, _) if self.has_constant_keys() => format!("the value of {}", Key::of(&schema.fields[i])),
            Abs::Record(schema, _) => format!("`{}`", schema.fields[i]),
            _ => format!("element {i}"),
        };
        let whose = |what: String, [a, b]: [String; 2]| {
            [(&names[0], a), (&names[1], b)].map(|(of, is)| format!("{of} in which {what} is {is}"))
        };
        match (self, other, self.element(), other.element()) {
            (.., Some(a), Some(b)) if a != b => whose("an element".into(), a.told_apart(b)),
            (Abs::Tuple(a, _), Abs::Tuple(b, _), ..) | (Abs::Record(_, a), Abs::Record(_, b), ..) => {
                let differing = a.iter().zip(b.iter()).position(|(a, b)| a.broaden() != b.broaden());
                differing.map_or_else(|| names.clone(), |i| whose(part(i), a[i].told_apart(&b[i])))
            }
            _ => names,
        }
    }

    /// The key of a dict that this is, if it is a constant.
    pub(super) fn key(&self) -> Option<Key> {
        match self {
            Abs::Str(Some(s)) => Some(Key::Str(s.clone())),
            Abs::I64(Some(i)) => Some(Key::Int(*i)),
            Abs::Tuple(items, _) | Abs::Parts(items) => items.iter().map(Abs::key).collect::<Option<_>>().map(Key::Tuple),
            _ => None,
        }
    }

    /// Whether this is a tuple that holds a complex number, be it inside of another one.
    pub(super) fn holds_complex(&self) -> bool {
        matches!(self, Abs::Tuple(items, _) if items.iter().any(|item| item.is_complex() || item.holds_complex()))
    }

    /// Whether this is a complex number.
    pub(super) fn is_complex(&self) -> bool {
        self.schema().is_some_and(|s| s.is_complex())
    }

    /// The value where it is not `None`, if it is of one type beside.
    pub(super) fn present(&self) -> Option<&Abs> {
        match self {
            Abs::Union(kinds) => match &**kinds {
                [Abs::None, one] => Some(one),
                _ => None,
            },
            _ => None,
        }
    }

    /// The cotangent of such a value.
    pub(super) fn cotangent(&self) -> Abs {
        match self {
            Abs::Bottom => Abs::Bottom,
            Abs::F64(_) => Abs::F64(None),
            Abs::Array(DType::F32 | DType::F64, _) => self.clone(),
            Abs::Tuple(items, _) | Abs::Record(_, items) => Abs::tuple(items.iter().map(Abs::cotangent)),
            Abs::Opaque | Abs::Pullback(..) | Abs::Boxed(_) => Abs::Opaque,
            Abs::Union(_) => Abs::tuple([Abs::Zero, Abs::Opaque]),
            Abs::Func(_)
            | Abs::Iter(..)
            | Abs::Masked(..)
            | Abs::Rows(..)
            | Abs::Range(..)
            | Abs::RangeIter(..)
            | Abs::Elements(_) => Abs::Cotangent(Rc::new(self.clone())),
            Abs::Cotangent(_) => self.clone(),
            Abs::Bool(_)
            | Abs::I64(_)
            | Abs::Array(..)
            | Abs::Str(_)
            | Abs::Ref(_)
            | Abs::None
            | Abs::Zero
            | Abs::Slice(_)
            | Abs::Window(_)
            | Abs::Parts(_)
            | Abs::Ellipsis
            | Abs::Unassigned => Abs::Zero,
        }
    }

    /// Whether this is like the cotangents of such a value, lists of known length like tuples.
    pub(super) fn is_cotangent_of(&self, value: &Abs) -> bool {
        fn as_tuples(a: &Abs) -> Abs {
            match a {
                Abs::Tuple(items, _) => Abs::tuple(items.iter().map(as_tuples)),
                other => other.broaden(),
            }
        }
        as_tuples(self) == value.cotangent()
    }

    /// Whether tuples are nested to more than `depth`, or hold more than `size` values.
    pub(super) fn exceeds(&self, depth: usize, size: &mut usize) -> bool {
        match self {
            Abs::Tuple(items, _) | Abs::Record(_, items) | Abs::Union(items) if depth == 0 || *size < items.len() => true,
            Abs::Tuple(items, _) | Abs::Record(_, items) | Abs::Union(items) => {
                *size -= items.len();
                items.iter().any(|item| item.exceeds(depth - 1, size))
            }
            Abs::Elements(element) => depth == 0 || element.exceeds(depth - 1, size),
            _ => false,
        }
    }

    /// Whether a tuple in it has another length there.
    pub(super) fn differs_in_length(&self, other: &Abs) -> bool {
        match (self, other) {
            (Abs::Tuple(a, _) | Abs::Record(_, a), Abs::Tuple(b, _) | Abs::Record(_, b)) => {
                a.len() != b.len() || a.iter().zip(b.iter()).any(|(a, b)| a.differs_in_length(b))
            }
            _ => false,
        }
    }

    /// How many values a tuple holds, nested ones included.
    pub(super) fn size(&self) -> usize {
        match self {
            Abs::Tuple(items, _) | Abs::Record(_, items) => items.len() + items.iter().map(Abs::size).sum::<usize>(),
            _ => 0,
        }
    }

    /// Whether it is a number, a string or the like, in which there is nothing.
    pub(super) fn is_simple(&self) -> bool {
        matches!(
            self,
            Abs::Bool(_) | Abs::I64(_) | Abs::F64(_) | Abs::Str(_) | Abs::None | Abs::Slice(_) | Abs::Window(_) | Abs::Ellipsis
        )
    }

    /// Whether the value is or holds a function.
    pub(super) fn has_function(&self) -> bool {
        match self {
            Abs::Func(_) | Abs::Pullback(..) => true,
            Abs::Tuple(items, _) | Abs::Record(_, items) | Abs::Union(items) => items.iter().any(Abs::has_function),
            Abs::Elements(element) => element.has_function(),
            _ => false,
        }
    }

    /// All closures in the value.
    pub(super) fn closures(&self, found: &mut Vec<Closure>) {
        match self {
            Abs::Func(set) => found.extend(set.iter()),
            Abs::Tuple(items, _) | Abs::Record(_, items) | Abs::Union(items) | Abs::Iter(items, _) => {
                items.iter().for_each(|item| item.closures(found));
            }
            Abs::Elements(element) => element.closures(found),
            _ => {}
        }
    }

    /// The type in Python's words.
    pub(super) fn describe(&self) -> String {
        match self {
            Abs::Bottom => "value that does not exist".into(),
            Abs::Bool(_) => "bool".into(),
            Abs::I64(_) => "int".into(),
            Abs::F64(_) => "float".into(),
            Abs::Str(_) => "str".into(),
            Abs::None => "None".into(),
            Abs::Func(_) | Abs::Pullback(..) => "function".into(),
            &Abs::Array(dtype, shape) => Type::Array(dtype, shape).describe(),
            Abs::Slice(_) | Abs::Window(_) => "slice".into(),
            Abs::Parts(_) => "index of several parts".into(),
            Abs::Ellipsis => "`...`".into(),
            Abs::Unassigned => "variable without a value".into(),
            Abs::Ref(_) => "Box".into(),
            Abs::Masked(..) => "selection by a mask".into(),
            Abs::Iter(..) | Abs::Rows(..) | Abs::RangeIter(..) => "iterator".into(),
            Abs::Range(..) => "range".into(),
            Abs::Zero | Abs::Opaque | Abs::Cotangent(_) => "cotangent".into(),
            Abs::Elements(_) => "tree".into(),
            Abs::Record(schema, _) | Abs::Boxed(Boxed { schema, .. }) => schema.name().into(),
            Abs::Union(kinds) => one_of(kinds, Abs::describe),
            Abs::Tuple(items, of) if items.is_empty() => format!("empty {}", of.name()),
            Abs::Tuple(items, of) if items.len() > 6 => format!("{} of {} values", of.name(), items.len()),
            Abs::Tuple(items, of) => {
                let items: Vec<String> = items.iter().map(|item| item.short()).collect();
                format!("{} of ({})", of.name(), items.join(", "))
            }
        }
    }

    fn short(&self) -> String {
        match self {
            Abs::Tuple(_, of) => of.name().into(),
            Abs::Union(kinds) => one_of(kinds, Abs::short),
            other => other.describe(),
        }
    }

    /// The type with its article, as a message says it.
    pub(super) fn a(&self) -> String {
        match self.describe() {
            text if text == "None" => text,
            text if text.starts_with(['a', 'e', 'i', 'o', 'u', 'A', 'E', 'I', 'O', 'U']) => format!("an {text}"),
            text => format!("a {text}"),
        }
    }
}

/// The kinds in Python's words, `None` last.
fn one_of(kinds: &[Abs], say: fn(&Abs) -> String) -> String {
    let (none, others): (Vec<&Abs>, Vec<&Abs>) = kinds.iter().partition(|k| **k == Abs::None);
    let all: Vec<String> = others.into_iter().chain(none).map(say).collect();
    all.join(" or ")
}

fn join_all(a: &[Abs], b: &[Abs], classes: &mut Classes) -> Result<Rc<[Abs]>, Mismatch> {
    if a.len() != b.len() {
        return Err(Mismatch);
    }
    a.iter().zip(b).map(|(a, b)| a.join(b, classes)).collect()
}

/// One of the kinds of both. Instances of classes are in boxes from there on; what is no instance can be joined with `None` alone.
fn union(a: &Abs, b: &Abs, classes: &mut Classes) -> Result<Abs, Mismatch> {
    if !classes.unions {
        return Err(Mismatch);
    }
    let mut kinds: Vec<Abs> = Vec::new();
    let mut other: Option<Abs> = None;
    for kind in a.kinds().iter().chain(b.kinds()) {
        match kind {
            Abs::None | Abs::Boxed(_) => kinds.push(kind.clone()),
            Abs::Record(schema, fields) if kind.is_kind() => {
                let boxed = Boxed { schema: schema.clone(), grade: 0 };
                classes.enclose(&boxed, fields)?;
                kinds.push(Abs::Boxed(boxed));
            }
            Abs::Unassigned
            | Abs::Zero
            | Abs::Opaque
            | Abs::Cotangent(_)
            | Abs::Slice(_)
            | Abs::Window(_)
            | Abs::Parts(_)
            | Abs::Ellipsis => {
                return Err(Mismatch);
            }
            kind => {
                let kind = kind.broaden();
                other = Some(match other {
                    Some(before) => before.join(&kind, classes)?,
                    None => kind,
                });
            }
        }
    }
    let boxed = |kind: &Abs| if let Abs::Boxed(boxed) = kind { Some(boxed.clone()) } else { None };
    kinds.sort_by_key(boxed);
    kinds.dedup();
    match other {
        Some(_) if kinds != [Abs::None] => return Err(Mismatch),
        other => kinds.extend(other),
    }
    if kinds.len() == 1 {
        return Ok(kinds.remove(0));
    }
    let union = Abs::Union(kinds.into());
    Ok(union)
}

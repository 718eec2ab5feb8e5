//! Abstract values: what inference knows of the values a node can have.

use super::instances::InstId;
use crate::array::{DType, Dims};
use crate::graph::{GraphId, NodeId};
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

/// An abstract value. Integers and booleans that are constants of the program are kept, so that tuples are indexed, sliced and
/// iterated statically.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) enum Abs {
    /// No value has come here yet.
    Bottom,
    Bool(Option<bool>),
    I64(Option<i64>),
    F64,
    Str(Option<Arc<str>>),
    None,
    Zero,
    Opaque,
    /// An array, with axes.
    Array(DType, Dims),
    Tuple(Rc<[Abs]>),
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
    /// An iterator over the rows of an array.
    Rows(DType, Dims),
    /// One of these closures; sorted.
    Func(Rc<[Closure]>),
    /// An iterator over a tuple, and the position where it stands.
    Iter(Rc<[Abs]>, usize),
    /// A range, with its step, and with start and stop, where these are constants.
    Range(Option<i64>, Option<(i64, i64)>),
    /// An iterator over a range.
    RangeIter(Option<i64>),
    /// The pullback of a function with this result and these arguments: one of these instances, sorted.
    Pullback(Rc<Abs>, Rc<[Abs]>, Rc<[InstId]>),
    /// The cotangent of a value whose representation only the complete analysis knows.
    Cotangent(Rc<Abs>),
}

/// Two values that do not meet in any type.
pub(super) struct Mismatch;

impl Abs {
    pub(super) fn tuple(items: impl IntoIterator<Item = Abs>) -> Abs {
        Abs::Tuple(items.into_iter().collect())
    }

    pub(super) fn is_bottom(&self) -> bool {
        *self == Abs::Bottom
    }

    /// Whether this is a number or a boolean.
    pub(super) fn is_number(&self) -> bool {
        matches!(self, Abs::Bool(_) | Abs::I64(_) | Abs::F64)
    }

    /// The value without what is known of constants: what a function is specialised for. An iterator over a tuple keeps its
    /// position, and its elements as they are.
    pub(super) fn broaden(&self) -> Abs {
        match self {
            Abs::Bool(Some(_)) => Abs::Bool(None),
            Abs::I64(Some(_)) => Abs::I64(None),
            Abs::Str(Some(_)) => Abs::Str(None),
            Abs::Tuple(items) => Abs::tuple(items.iter().map(Abs::broaden)),
            Abs::Range(step, Some(_)) => Abs::Range(*step, None),
            other => other.clone(),
        }
    }

    /// The least value that includes both. `meet` sees the closures of every two sets that become one.
    pub(super) fn join(&self, other: &Abs, meet: &mut dyn FnMut(&[Closure])) -> Result<Abs, Mismatch> {
        Ok(match (self, other) {
            (Abs::Bottom, x) | (x, Abs::Bottom) => x.clone(),
            (a, b) if a == b => a.clone(),
            (Abs::Bool(_), Abs::Bool(_)) => Abs::Bool(None),
            (Abs::I64(_), Abs::I64(_)) => Abs::I64(None),
            (Abs::I64(_) | Abs::F64, Abs::I64(_) | Abs::F64) => Abs::F64,
            (&Abs::Array(a, shape), &Abs::Array(b, other)) if shape == other && a != DType::Bool && b != DType::Bool => {
                Abs::Array(a.promote(b), shape)
            }
            (Abs::Str(_), Abs::Str(_)) => Abs::Str(None),
            (Abs::Tuple(a), Abs::Tuple(b)) => Abs::Tuple(join_all(a, b, meet)?),
            (Abs::Func(a), Abs::Func(b)) => {
                let mut all: Vec<Closure> = a.iter().chain(b.iter()).copied().collect();
                all.sort_unstable();
                all.dedup();
                meet(&all);
                Abs::Func(all.into())
            }
            (Abs::Iter(a, i), Abs::Iter(b, j)) if i == j => Abs::Iter(join_all(a, b, meet)?, *i),
            (Abs::Range(a, ..), Abs::Range(b, ..)) => Abs::Range(a.filter(|_| a == b), None),
            (Abs::RangeIter(_), Abs::RangeIter(_)) => Abs::RangeIter(None),
            (Abs::Pullback(r, a, f), Abs::Pullback(s, b, g)) => {
                let of: BTreeSet<InstId> = f.iter().chain(g.iter()).copied().collect();
                Abs::Pullback(Rc::new(r.join(s, meet)?), join_all(a, b, meet)?, of.into_iter().collect())
            }
            (Abs::Cotangent(a), Abs::Cotangent(b)) => Abs::Cotangent(Rc::new(a.join(b, meet)?)),
            _ => return Err(Mismatch),
        })
    }

    /// The cotangent of such a value.
    pub(super) fn cotangent(&self) -> Abs {
        match self {
            Abs::Bottom => Abs::Bottom,
            Abs::F64 | Abs::Array(DType::F32 | DType::F64, _) => self.clone(),
            Abs::Tuple(items) => Abs::tuple(items.iter().map(Abs::cotangent)),
            Abs::Opaque | Abs::Pullback(..) => Abs::Opaque,
            Abs::Func(_) | Abs::Iter(..) | Abs::Masked(..) | Abs::Rows(..) | Abs::Range(..) | Abs::RangeIter(_) => {
                Abs::Cotangent(Rc::new(self.clone()))
            }
            Abs::Cotangent(_) => self.clone(),
            Abs::Bool(_)
            | Abs::I64(_)
            | Abs::Array(..)
            | Abs::Str(_)
            | Abs::None
            | Abs::Zero
            | Abs::Slice(_)
            | Abs::Window(_)
            | Abs::Parts(_)
            | Abs::Ellipsis => Abs::Zero,
        }
    }

    /// Whether tuples are nested to more than `depth`, or hold more than `size` values.
    pub(super) fn exceeds(&self, depth: usize, size: &mut usize) -> bool {
        match self {
            Abs::Tuple(items) if depth == 0 || *size < items.len() => true,
            Abs::Tuple(items) => {
                *size -= items.len();
                items.iter().any(|item| item.exceeds(depth - 1, size))
            }
            _ => false,
        }
    }

    /// Whether the value is or holds a function.
    pub(super) fn has_function(&self) -> bool {
        match self {
            Abs::Func(_) | Abs::Pullback(..) => true,
            Abs::Tuple(items) => items.iter().any(Abs::has_function),
            _ => false,
        }
    }

    /// All closures in the value.
    pub(super) fn closures(&self, found: &mut Vec<Closure>) {
        match self {
            Abs::Func(set) => found.extend(set.iter()),
            Abs::Tuple(items) | Abs::Iter(items, _) => items.iter().for_each(|item| item.closures(found)),
            _ => {}
        }
    }

    /// The type in Python's words.
    pub(super) fn describe(&self) -> String {
        match self {
            Abs::Bottom => "value that does not exist".into(),
            Abs::Bool(_) => "bool".into(),
            Abs::I64(_) => "int".into(),
            Abs::F64 => "float".into(),
            Abs::Str(_) => "str".into(),
            Abs::None => "None".into(),
            Abs::Func(_) | Abs::Pullback(..) => "function".into(),
            &Abs::Array(dtype, shape) => Type::Array(dtype, shape).describe(),
            Abs::Slice(_) | Abs::Window(_) => "slice".into(),
            Abs::Parts(_) => "index of several parts".into(),
            Abs::Ellipsis => "`...`".into(),
            Abs::Masked(..) => "selection by a mask".into(),
            Abs::Iter(..) | Abs::Rows(..) | Abs::RangeIter(_) => "iterator".into(),
            Abs::Range(..) => "range".into(),
            Abs::Zero | Abs::Opaque | Abs::Cotangent(_) => "cotangent".into(),
            Abs::Tuple(items) if items.is_empty() => "empty tuple".into(),
            Abs::Tuple(items) if items.len() > 6 => format!("tuple of {} values", items.len()),
            Abs::Tuple(items) => {
                let items: Vec<String> = items.iter().map(|item| item.short()).collect();
                format!("tuple of ({})", items.join(", "))
            }
        }
    }

    fn short(&self) -> String {
        match self {
            Abs::Tuple(_) => "tuple".into(),
            other => other.describe(),
        }
    }

    /// The type with its article, as a message says it.
    pub(super) fn a(&self) -> String {
        match self.describe() {
            text if text == "None" => text,
            text if text.starts_with(['a', 'e', 'i', 'o', 'u']) => format!("an {text}"),
            text => format!("a {text}"),
        }
    }
}

fn join_all(a: &[Abs], b: &[Abs], meet: &mut dyn FnMut(&[Closure])) -> Result<Rc<[Abs]>, Mismatch> {
    if a.len() != b.len() {
        return Err(Mismatch);
    }
    a.iter().zip(b).map(|(a, b)| a.join(b, meet)).collect()
}

//! Arrays of different types of elements that meet.
//!
//! While the analysis goes on, what may be an array of ints or of floats counts as one of floats, so that what is known only grows. In
//! the end no array may become one of another type unless the program says so: NumPy's array is of ints still, which shows in zeros
//! like it, in what is stored in it and in its quotients. A block that arrays of several types come to has an instance for each
//! (`Statics::apart`). Where a value must be of one type, as what a function returns is, the program is refused.

use super::abs::Abs;
use super::calls::{Callee, Target};
use super::engine::Engine;
use super::instances::{InstId, Instance};
use crate::array::{DType, Dims};
use crate::graph::NodeId;
use crate::span::{Diagnostic, Span};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// What is to be done where arrays must have one type of elements. It holds of the program as of its results.
pub(super) const ONE_TYPE: &str = "if all are meant to be of one type, let them be made of it: `.astype(float)`";

impl Abs {
    /// Whether an array in this has elements of another type in `to`, which includes it.
    pub(super) fn changes_elements(&self, to: &Abs) -> bool {
        let all = |a: &[Abs], b: &[Abs]| a.iter().zip(b).any(|(a, b)| a.changes_elements(b));
        match (self, to) {
            (Abs::Array(a, _), Abs::Array(b, _)) => a != b,
            (Abs::Record(a, x), Abs::Record(b, y)) if a != b => {
                let pairs = b.places_in(a).into_iter().flatten().zip(y.iter());
                pairs.into_iter().any(|(i, y)| x[i].changes_elements(y))
            }
            (Abs::Tuple(a, _) | Abs::Iter(a, _), Abs::Tuple(b, _) | Abs::Iter(b, _)) | (Abs::Record(_, a), Abs::Record(_, b)) => {
                all(a, b)
            }
            (Abs::Tuple(a, _), list) if let Some(element) = list.element() => a.iter().any(|a| a.changes_elements(element)),
            (Abs::Elements(a), Abs::Elements(b)) => a.changes_elements(b),
            (a, Abs::Union(kinds)) => a.kinds().iter().any(|a| kinds.iter().any(|kind| a.changes_elements(kind))),
            _ => false,
        }
    }

    /// The types of the elements of arrays in this, each once; none if there are no arrays.
    pub(super) fn element_types(&self) -> Option<Abs> {
        fn collect(a: &Abs, found: &mut BTreeSet<DType>) {
            match a {
                Abs::Array(dtype, _) => drop(found.insert(*dtype)),
                Abs::Tuple(items, _) | Abs::Record(_, items) | Abs::Iter(items, _) | Abs::Union(items) => {
                    items.iter().for_each(|item| collect(item, found));
                }
                Abs::Elements(element) => collect(element, found),
                _ => {}
            }
        }
        let mut found = BTreeSet::new();
        collect(self, &mut found);
        (!found.is_empty()).then(|| Abs::tuple(found.into_iter().map(|dtype| Abs::Array(dtype, Dims::NONE))))
    }
}

/// Where values meet: in a parameter of an instance, or in the result of a function.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Meeting {
    Param(InstId, usize),
    Result(InstId),
}

impl Engine {
    /// Finds where arrays of different types of elements meet, in the complete analysis. True if blocks are to have more instances for
    /// that.
    pub(super) fn tells_elements_apart(&mut self, entry: InstId) -> Result<bool, Vec<Diagnostic>> {
        let mut order: Vec<Meeting> = Vec::new();
        let mut met: FxHashMap<Meeting, Vec<(Abs, Span)>> = FxHashMap::default();
        let mut meet = |at: Meeting, value: Abs, span: Span| {
            if value.element_types().is_some() {
                let values = met.entry(at).or_default();
                if values.is_empty() {
                    order.push(at);
                }
                values.push((value, span));
            }
        };
        for id in self.reached(entry) {
            let Instance { graph, function, unassigned, .. } = self.instances[id];
            let result = self.m.result(graph);
            let mut returns = unassigned.is_none();
            for &node in self.scopes.schedule(graph).iter() {
                let Some(target) = self.instances[id].calls.get(&node).cloned() else { continue };
                let mut given: Vec<NodeId> = self.m[node].inputs()[1..].to_vec();
                let callees = match target {
                    Target::Blocks { targets, .. } => {
                        returns &= node != result;
                        targets
                    }
                    Target::Function(Callee::Known(callee, _)) => vec![callee],
                    Target::Instead(Callee::Known(callee, _), args) => {
                        given = args.to_vec();
                        vec![callee]
                    }
                    // These are called with what they are specialised for.
                    _ => continue,
                };
                for (i, &n) in given.iter().enumerate() {
                    let (value, span) = (self.operand(id, n), self.place(id, n).or(self.place(id, node)));
                    callees.iter().for_each(|&callee| meet(Meeting::Param(callee, i), value.clone(), span));
                }
            }
            if returns {
                let value = self.operand(id, result);
                let ret = self.m[graph].ret.map_or(Span::NONE, |ret| self.m[ret].span);
                meet(Meeting::Result(function), value, self.place(id, result).or(ret));
            }
        }
        let (mut errors, mut found) = (Vec::new(), false);
        for at in order {
            let values = &met[&at];
            let to = match at {
                Meeting::Param(id, i) => self.instances[id].args.get(i).cloned(),
                Meeting::Result(id) => Some(self.instances[id].result.clone()),
            };
            let Some(to) = to else { continue };
            let Some((first, span)) = values.iter().find(|(value, _)| value.changes_elements(&to)) else { continue };
            if let Meeting::Param(id, i) = at
                && self.tells_apart(id, i)
            {
                found = true;
                continue;
            }
            let other = values.iter().find(|(value, _)| value.element_types() != first.element_types());
            let (other, place) = other.map_or((&to, Span::NONE), |(other, place)| (other, *place));
            errors.push(self.elements_differ(at, (first, *span), (other, place)));
        }
        if found || errors.is_empty() { Ok(found) } else { Err(errors) }
    }

    fn elements_differ(&self, at: Meeting, (value, span): (&Abs, Span), (other, place): (&Abs, Span)) -> Diagnostic {
        let what = match at {
            Meeting::Param(id, i) => {
                let name = self.m[self.m[self.instances[id].graph].params[i]].name.clone();
                name.map_or_else(|| "this value is".into(), |name| format!("`{name}` is"))
            }
            Meeting::Result(_) => "the function returns".into(),
        };
        let [here, there] = value.told_apart(other);
        let d = Diagnostic::refused(span, format!("{what} {here} here and {there} elsewhere"));
        let d = if place.is_some() && place != span { d.label(place, format!("{there} here")) } else { d };
        d.hint(ONE_TYPE)
    }
}

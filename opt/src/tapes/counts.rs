//! Which number is that of the records on a tape, and which counter of a loop goes with it.
//!
//! A chain of closures that became a tape brings its number along. A pair of parameters of one graph, a tape and an int, is one of a tape
//! and its number if every call keeps it so: the empty tape with 0, a push with one more, a pop with one less, or another such pair as it
//! is. So the record that a pop takes has a number, and what each push gave a counter of the loop as follows from it.

use super::classes::bindings;
use gradus_ir::{Const, GraphId, Kind, Module, NodeId, Prim, Type};
use rustc_hash::{FxHashMap, FxHashSet};

/// A parameter, if it is not a constant, and how much more.
type Sum = (Option<NodeId>, i64);

/// The numbers of records.
pub(super) struct Counts<'a> {
    m: &'a Module,
    fixed: &'a FxHashSet<GraphId>,
    /// For each parameter that is a tape, the parameters that are its number.
    of: FxHashMap<NodeId, Vec<NodeId>>,
}

/// A counter: `start + step · k` in the iteration that pushes record `k`; the step is a constant of the program.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Counter {
    pub(super) start: NodeId,
    /// Where the step stands, and what it is.
    pub(super) step: (NodeId, i64),
}

impl<'a> Counts<'a> {
    /// The numbers of the tapes of a class.
    pub(super) fn new(m: &'a Module, fixed: &'a FxHashSet<GraphId>, class: &[NodeId]) -> Counts<'a> {
        let of = class.iter().filter(|&&n| m[n].kind == Kind::Param).map(|&tape| {
            let g = m[tape].graph.expect("a parameter belongs to a graph");
            (tape, m[g].params.iter().copied().filter(|&p| m[p].ty == Type::I64).collect())
        });
        let mut counts = Counts { m, fixed, of: of.collect() };
        loop {
            let kept: FxHashMap<NodeId, Vec<NodeId>> =
                counts.of.iter().map(|(&t, all)| (t, all.iter().copied().filter(|&n| counts.is_kept(t, n)).collect())).collect();
            if kept == counts.of {
                return counts;
            }
            counts.of = kept;
        }
    }

    /// Whether every call that binds a tape binds its number to this parameter, if what is believed of other tapes is true.
    fn is_kept(&self, tape: NodeId, number: NodeId) -> bool {
        let pairs = self.given(tape).zip(self.given(number));
        pairs.is_some_and(|(tapes, numbers)| {
            tapes.iter().zip(numbers).all(|(&tape, number)| {
                let number = self.sum(number);
                match self.records(tape) {
                    Some((None, count)) => number == (None, count),
                    Some((Some(param), more)) => number.1 == more && number.0.is_some_and(|n| self.of[&param].contains(&n)),
                    None => false,
                }
            })
        })
    }

    /// The arguments that calls of its graph give a parameter, one after the other.
    fn given(&self, param: NodeId) -> Option<Vec<NodeId>> {
        let m = self.m;
        let g = m[param].graph?;
        let i = m[g].params.iter().position(|&p| p == param)?;
        bindings(m, self.fixed, g, i)
    }

    /// How many records are on a tape: so many, or so many more than on a parameter.
    fn records(&self, tape: NodeId) -> Option<Sum> {
        let m = self.m;
        let of_input = |n: NodeId, more: i64| self.records(m[n].inputs()[0]).map(|(param, k)| (param, k + more));
        match m[tape].kind {
            Kind::Const(Const::Undefined) => Some((None, 0)),
            Kind::Param => self.of.contains_key(&tape).then_some((Some(tape), 0)),
            Kind::Prim(Prim::Push) => of_input(tape, 1),
            Kind::Prim(Prim::Get(0)) if m.as_prim(m[tape].inputs()[0]) == Some(Prim::Pop) => of_input(m[tape].inputs()[0], -1),
            _ => None,
        }
    }

    /// An int as another one and a constant.
    fn sum(&self, mut n: NodeId) -> Sum {
        let (m, mut more) = (self.m, 0_i64);
        loop {
            let constant = |i: usize| match m[m[n].inputs()[i]].as_const() {
                Some(&Const::I64(v)) => Some(v),
                _ => None,
            };
            let step = match m[n].kind {
                Kind::Const(Const::I64(v)) => return (None, more.wrapping_add(v)),
                Kind::Prim(Prim::WrapAdd) => constant(1),
                Kind::Prim(Prim::WrapSub) => constant(1).map(i64::wrapping_neg),
                _ => None,
            };
            let Some(step) = step else { return (Some(n), more) };
            (n, more) = (m[n].inputs()[0], more.wrapping_add(step));
        }
    }

    /// The number of the record that is popped from a tape, as a parameter that is in scope where the tape is and how much more.
    pub(super) fn popped(&self, tape: NodeId) -> Option<(NodeId, i64)> {
        match self.records(tape)? {
            (Some(param), more) => Some((*self.of[&param].first()?, more - 1)),
            (None, _) => None,
        }
    }

    /// The counter that a value is at a push on a tape.
    pub(super) fn counter(&self, value: NodeId, tape: NodeId) -> Option<Counter> {
        let m = self.m;
        let (Some(param), 0) = self.records(tape)? else { return None };
        let is_counter = m[value].kind == Kind::Param && m[value].ty == Type::I64 && m[value].graph == m[param].graph;
        let number = *self.of[&param].first().filter(|_| is_counter)?;
        let (values, numbers) = (self.given(value)?, self.given(number)?);
        let (mut start, mut step): (Option<NodeId>, Option<(NodeId, i64)>) = (None, None);
        for (&value_given, &number_given) in values.iter().zip(&numbers) {
            match (self.sum(number_given), self.sum(value_given)) {
                ((None, 0), _) => {
                    if start.replace(value_given).is_some_and(|known| known != value_given) {
                        return None;
                    }
                }
                // Another iteration, which pushes a record.
                ((Some(n), 1), (Some(v), by)) if n == number && v == value => {
                    // The one constant that is added.
                    let at = *m[value_given].inputs().get(1).filter(|_| m[value_given].inputs()[0] == value)?;
                    if m.as_prim(value_given) != Some(Prim::WrapAdd) || step.replace((at, by)).is_some_and(|known| known.1 != by)
                    {
                        return None;
                    }
                }
                _ => return None,
            }
        }
        Some(Counter { start: start?, step: step? })
    }
}

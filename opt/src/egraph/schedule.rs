//! Where each rule is searched.
//!
//! A match that was applied once gives nothing new, so after the first iteration a rule is searched only in classes that have
//! changed since, and in those above them within the height of its left side (semi-naive evaluation). The literals of a left side
//! say even before where it can match: above their classes, and nowhere if there is none. A rule with more new matches than a
//! limit is banned for some iterations; the next time for twice as many, with twice the limit.

use super::analysis::Facts;
use super::lang::{Op, Term};
use crate::rules::Rules;
use egg::{EGraph, ENodeOrVar, Id, PatternAst, Rewrite, RewriteScheduler, RunnerLimits, RunnerResult, SearchMatches};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// The first ban of a rule, in iterations.
const BAN: usize = 5;

/// What the left side of a rule says about the classes where it matches.
#[derive(Clone, Debug)]
pub struct Shape {
    /// The operator of its root.
    root: Op,
    /// How far its deepest operand is from its root.
    height: u8,
    /// Its literals, and how far they are from its root.
    literals: Vec<(Op, u8)>,
}

impl Shape {
    /// Of a left side, which must not be a variable.
    pub fn new(left: &PatternAst<Term>) -> Shape {
        let last = left.len() - 1;
        let ENodeOrVar::ENode(root) = &left[Id::from(last)] else { panic!("a rule rewrites applications") };
        let mut shape = Shape { root: root.op.clone(), height: 0, literals: Vec::new() };
        let mut work = vec![(Id::from(last), 0)];
        while let Some((i, depth)) = work.pop() {
            shape.height = shape.height.max(depth);
            let ENodeOrVar::ENode(term) = &left[i] else { continue };
            if term.children.is_empty() {
                shape.literals.push((term.op.clone(), depth));
            }
            work.extend(term.children.iter().map(|&c| (c, depth + 1)));
        }
        shape
    }
}

/// How a rule has fared.
#[derive(Clone, Copy, Debug, Default)]
struct State {
    /// How many changes were there when it was searched and applied last.
    seen: usize,
    bans: u32,
    banned_until: usize,
}

/// Searches rules where something changed, and bans those that match too often.
#[derive(Debug)]
pub struct Schedule {
    rules: Arc<Rules>,
    states: Vec<State>,
    limit: usize,
}

impl Schedule {
    /// For all of these rules, with a limit on the new matches of each in one iteration.
    pub fn new(rules: Arc<Rules>, limit: usize) -> Schedule {
        Schedule { states: vec![State::default(); rules.shapes.len()], rules, limit }
    }
}

impl RewriteScheduler<Term, Facts> for Schedule {
    /// When all is still, the next ban ends at once.
    fn can_stop(&mut self, iteration: usize) -> bool {
        let ends = self.states.iter().map(|s| s.banned_until).filter(|&end| end > iteration);
        let Some(rest) = ends.min().map(|end| end - iteration) else { return true };
        for state in self.states.iter_mut().filter(|s| s.banned_until > iteration) {
            state.banned_until -= rest;
        }
        false
    }

    fn search_rewrites<'a>(
        &mut self,
        iteration: usize,
        egraph: &EGraph<Term, Facts>,
        rewrites: &[&'a Rewrite<Term, Facts>],
        _: &RunnerLimits,
    ) -> RunnerResult<Vec<Vec<SearchMatches<'a, Term>>>> {
        let changes = &egraph.analysis.changes;
        let shapes = &self.rules.shapes;
        let highest = shapes.iter().map(|shape| shape.height).max().unwrap_or(0);
        let mut deepest: FxHashMap<&Op, u8> = FxHashMap::default();
        for (op, depth) in shapes.iter().flat_map(|shape| &shape.literals) {
            deepest.entry(op).and_modify(|d| *d = (*d).max(*depth)).or_insert(*depth);
        }
        let above = |(op, depth): (_, u8)| (op, Distances::new(egraph, egraph.lookup(Term::leaf(Op::clone(op))), depth));
        let literals: FxHashMap<&Op, Distances> = deepest.into_iter().map(above).collect();
        let mut fresh: FxHashMap<usize, Distances> = FxHashMap::default();
        let mut candidates: FxHashMap<(usize, &Op), Vec<(Id, u8)>> = FxHashMap::default();
        let mut found = Vec::with_capacity(rewrites.len());
        for ((rewrite, shape), state) in rewrites.iter().zip(shapes).zip(&mut self.states) {
            if iteration < state.banned_until {
                found.push(Vec::new());
                continue;
            }
            let fresh =
                fresh.entry(state.seen).or_insert_with(|| Distances::new(egraph, changes[state.seen..].iter().copied(), highest));
            let candidates = candidates.entry((state.seen, &shape.root)).or_insert_with(|| {
                let classes = egraph.classes_for_op(&shape.root).into_iter().flatten();
                classes.map(|class| (class, fresh.of(class))).filter(|&(_, distance)| distance <= highest).collect()
            });
            let may_match = |&&(class, distance): &&(Id, u8)| {
                let above = |(op, depth): &(Op, u8)| literals[op].of(class) <= *depth;
                distance <= shape.height && shape.literals.iter().all(above)
            };
            let limit = self.limit << state.bans;
            let (mut matches, mut count) = (Vec::new(), 0);
            for &(class, _) in candidates.iter().filter(may_match) {
                let here = rewrite.searcher.search_eclass_with_limit(egraph, class, limit + 1 - count);
                count += here.as_ref().map_or(0, |m| m.substs.len());
                matches.extend(here);
                if count > limit {
                    break;
                }
            }
            if count > limit {
                state.banned_until = iteration + (BAN << state.bans);
                state.bans += 1;
                matches.clear();
            } else {
                state.seen = changes.len();
            }
            found.push(matches);
        }
        Ok(found)
    }
}

/// How far classes are above some others, up to a bound.
struct Distances(Vec<u8>);

impl Distances {
    fn new(egraph: &EGraph<Term, Facts>, from: impl IntoIterator<Item = Id>, bound: u8) -> Distances {
        let mut distances = Distances(vec![u8::MAX; egraph.nodes().len()]);
        let mut level: Vec<Id> = from.into_iter().map(|class| egraph.find(class)).collect();
        for distance in 0..=bound {
            level.retain(|&class| {
                let slot = &mut distances.0[usize::from(class)];
                let is_new = *slot == u8::MAX;
                *slot = distance.min(*slot);
                is_new
            });
            let above = |&class: &Id| egraph[class].parents().map(|node| egraph.find(node));
            level = level.iter().flat_map(above).collect();
        }
        distances
    }

    fn of(&self, class: Id) -> u8 {
        self.0[usize::from(class)]
    }
}

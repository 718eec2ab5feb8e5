//! Facts about functions that read each other's facts, to a fixed point (docs/strategies.md §2). Zeros only ever become live.

use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::VecDeque;
use std::hash::Hash;

/// What is found out about functions, each under some assumption: a variant.
pub trait Analysis: Sized {
    /// A function and what is assumed of it.
    type Variant: Clone + Eq + Hash;
    /// What is found out about a variant.
    type Facts: Clone;
    /// What other variants read of that.
    type Read: PartialEq;

    /// What other variants read of the facts about one.
    fn read(facts: &Self::Facts) -> Self::Read;
    /// The facts before anything is known: all is zero.
    fn start(&self, variant: &Self::Variant) -> Self::Facts;
    /// The facts that follow from these and those about other variants.
    fn improve(&self, solver: &mut Solver<'_, Self>, variant: &Self::Variant, facts: Self::Facts) -> Self::Facts;
}

/// The facts about each variant.
pub type All<A> = FxHashMap<<A as Analysis>::Variant, <A as Analysis>::Facts>;

/// The facts about every variant that `roots` need.
pub fn solve<A: Analysis>(analysis: &A, roots: &[A::Variant]) -> All<A> {
    Solver::new(analysis).run(roots)
}

/// The facts so far.
pub struct Solver<'a, A: Analysis> {
    analysis: &'a A,
    facts: All<A>,
    /// Who reads the facts about a variant.
    readers: FxHashMap<A::Variant, Vec<A::Variant>>,
    work: VecDeque<A::Variant>,
    waiting: FxHashSet<A::Variant>,
}

impl<'a, A: Analysis> Solver<'a, A> {
    fn new(analysis: &'a A) -> Self {
        let (facts, readers, work, waiting) = Default::default();
        Solver { analysis, facts, readers, work, waiting }
    }

    fn run(mut self, roots: &[A::Variant]) -> All<A> {
        for root in roots {
            self.demand(root);
        }
        while let Some(variant) = self.work.pop_front() {
            self.waiting.remove(&variant);
            let before = self.facts[&variant].clone();
            let analysis = self.analysis;
            let after = analysis.improve(&mut self, &variant, before.clone());
            self.store(&variant, after, &A::read(&before));
        }
        self.facts
    }

    /// What `reader`, which is looked at again when it changes, reads of the facts about a variant.
    pub fn read(&mut self, variant: &A::Variant, reader: &A::Variant) -> A::Read {
        self.demand(variant);
        let readers = self.readers.entry(variant.clone()).or_default();
        if !readers.contains(reader) {
            readers.push(reader.clone());
        }
        A::read(&self.facts[variant])
    }

    /// Changes the facts about a variant that was read, and looks at it again.
    pub fn change(&mut self, variant: &A::Variant, change: impl FnOnce(&mut A::Facts)) {
        let mut facts = self.facts[variant].clone();
        let before = A::read(&facts);
        change(&mut facts);
        self.store(variant, facts, &before);
        self.enqueue(variant);
    }

    fn store(&mut self, variant: &A::Variant, facts: A::Facts, before: &A::Read) {
        let changed = A::read(&facts) != *before;
        self.facts.insert(variant.clone(), facts);
        if changed {
            for reader in self.readers.get(variant).cloned().unwrap_or_default() {
                self.enqueue(&reader);
            }
        }
    }

    fn enqueue(&mut self, variant: &A::Variant) {
        if self.waiting.insert(variant.clone()) {
            self.work.push_back(variant.clone());
        }
    }

    /// Starts on a variant that was not asked for before.
    fn demand(&mut self, variant: &A::Variant) {
        if !self.facts.contains_key(variant) {
            self.facts.insert(variant.clone(), self.analysis.start(variant));
            self.enqueue(variant);
        }
    }
}

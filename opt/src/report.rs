//! What the simplifier did, pass by pass.

use gradus_ir::{Module, Span, Type};
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

/// What one run of one pass did.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PassReport {
    /// The name of the pass.
    pub name: &'static str,
    /// Nodes of the module before.
    pub before: usize,
    /// Nodes of the module after, garbage not counted.
    pub after: usize,
    /// How long it took.
    pub time: Duration,
    /// How often it did what, by the name of the rewrite or limit.
    pub counts: BTreeMap<String, usize>,
    /// How often each rule of saturation found something new; these are among the counts.
    pub fired: BTreeMap<String, usize>,
    /// What it no longer records.
    pub recomputed: Vec<Recomputed>,
    /// The loops over unit vectors that take fewer turns.
    pub compressed: Vec<Compressed>,
}

/// A loop over unit vectors that takes fewer directions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Compressed {
    /// Where it is asked for.
    pub span: Span,
    /// How many numbers there are in each direction.
    pub numbers: usize,
    /// How many directions there would be.
    pub all: usize,
    /// The numbers, in all directions, that may be other than zero.
    pub entries: usize,
    /// How far from the diagonal they are at most.
    pub band: usize,
    /// The directions, but for the one of no column.
    pub directions: usize,
}

/// A value that is not recorded since the adjoint computes it again.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Recomputed {
    /// The variable that it was in the source, if any.
    pub name: Option<Arc<str>>,
    /// Where it was computed.
    pub span: Span,
    /// Its type.
    pub ty: Type,
    /// How many operations it takes, from what is recorded, in scope, or computed again already.
    pub operations: usize,
}

/// Somebody who is shown the module after each run of a pass that changed it, with what the pass did.
#[derive(Clone)]
pub struct Observer(pub Arc<Observe>);

/// Takes the module and the report of the pass.
pub type Observe = dyn Fn(&Module, &PassReport) + Send + Sync;

impl PartialEq for Observer {
    /// Whether it is the same one.
    fn eq(&self, other: &Observer) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for Observer {}

impl fmt::Debug for Observer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Observer")
    }
}

impl PassReport {
    /// Counts `n` more of `what`.
    pub fn count(&mut self, what: &str, n: usize) {
        if n == 0 {
            return;
        }
        match self.counts.get_mut(what) {
            Some(count) => *count += n,
            None => {
                self.counts.insert(what.to_owned(), n);
            }
        }
    }

    /// Whether the pass did anything.
    pub fn changed(&self) -> bool {
        !self.counts.is_empty()
    }
}

/// What the simplifier did: one entry for each run of a pass that did something, in order.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Report {
    /// The passes.
    pub passes: Vec<PassReport>,
    /// How long each run of a pass took, whether it did anything or not.
    pub times: Vec<(&'static str, Duration)>,
    /// Rounds over all graph passes.
    pub rounds: usize,
    /// The nodes of all copies that were made.
    pub copied: usize,
    /// Whether something was not inlined because that would have copied too much.
    pub at_limit: bool,
}

impl Report {
    /// How often `what` was done, over all passes.
    pub fn total(&self, what: &str) -> usize {
        self.passes.iter().filter_map(|p| p.counts.get(what)).sum()
    }

    /// How often rules of saturation found something new, by their names. An equation may be found both ways, so these are more than what
    /// changed the program.
    pub fn fired(&self) -> BTreeMap<&str, usize> {
        let mut fired = BTreeMap::new();
        for (rule, count) in self.passes.iter().flat_map(|pass| &pass.fired) {
            *fired.entry(&**rule).or_default() += count;
        }
        fired
    }

    /// The values that are computed again and not recorded, in the order in which that was decided.
    pub fn recomputed(&self) -> impl Iterator<Item = &Recomputed> {
        self.passes.iter().flat_map(|p| &p.recomputed)
    }

    /// The matrices that take fewer directions than they have columns, in the order in which that was found.
    pub fn compressed(&self) -> impl Iterator<Item = &Compressed> {
        self.passes.iter().flat_map(|p| &p.compressed)
    }

    /// Appends what another run did.
    pub fn extend(&mut self, other: Report) {
        self.passes.extend(other.passes);
        self.times.extend(other.times);
        self.rounds += other.rounds;
        self.copied += other.copied;
        self.at_limit |= other.at_limit;
    }
}

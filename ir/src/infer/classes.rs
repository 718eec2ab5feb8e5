//! Classes of closures that must have one representation, because some value may be any of them.

use super::abs::Closure;
use super::instances::InstId;
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// A union-find structure over closures.
#[derive(Default)]
pub(super) struct Classes {
    index: FxHashMap<Closure, usize>,
    parent: Vec<usize>,
    members: Vec<Rc<[Closure]>>,
    /// Instances that call a value of the class, or mention its members in a call's signature.
    watchers: Vec<Vec<InstId>>,
    /// Watchers of classes that have grown since they were last taken.
    pub(super) grown: Vec<InstId>,
}

impl Classes {
    /// The class of a closure, made on first sight.
    pub(super) fn of(&mut self, closure: Closure) -> usize {
        let next = self.parent.len();
        let start = *self.index.entry(closure).or_insert(next);
        if start == next {
            self.parent.push(next);
            self.members.push(Rc::new([closure]));
            self.watchers.push(Vec::new());
        }
        let mut root = start;
        while self.parent[root] != root {
            self.parent[root] = self.parent[self.parent[root]];
            root = self.parent[root];
        }
        root
    }

    /// Puts closures into one class.
    pub(super) fn unite(&mut self, closures: &[Closure]) {
        let Some((&first, rest)) = closures.split_first() else { return };
        let mut root = self.of(first);
        for &closure in rest {
            let other = self.of(closure);
            if other != root {
                let (keep, gone) = (root.min(other), root.max(other));
                self.parent[gone] = keep;
                let mut members: Vec<Closure> = self.members[keep].iter().chain(self.members[gone].iter()).copied().collect();
                members.sort_unstable();
                self.members[keep] = members.into();
                self.members[gone] = Rc::new([]);
                let watchers = std::mem::take(&mut self.watchers[gone]);
                self.watchers[keep].extend(watchers);
                self.grown.extend(&self.watchers[keep]);
                root = keep;
            }
        }
    }

    /// The members of a class, sorted. The instance is told when there are more.
    pub(super) fn members(&mut self, class: usize, watcher: InstId) -> Rc<[Closure]> {
        if !self.watchers[class].contains(&watcher) {
            self.watchers[class].push(watcher);
        }
        self.members[class].clone()
    }
}

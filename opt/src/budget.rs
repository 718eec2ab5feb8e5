//! How much may be copied: into each function as much as its size at the start allows, whatever its calls promise. So what comes
//! out is in proportion to what went in, and no function uses up what another one needs.

use crate::nesting::scopes;
use gradus_ir::cfg::Cfg;
use gradus_ir::{GraphId, Module, Nest};
use slotmap::SecondaryMap;

/// What a function may take in however small it is.
const LEAST: usize = 1000;

/// The nodes that may still be copied.
pub(crate) struct Budget {
    /// Into each function, with all that is nested in it.
    functions: SecondaryMap<GraphId, usize>,
    /// In all: a function that comes up on the way has the least.
    total: usize,
    /// The nodes that were copied.
    pub(crate) copied: usize,
    /// Whether something was not copied for want of it.
    pub(crate) is_exhausted: bool,
}

impl Budget {
    /// For copies of `growth` times what there is, and of no more than `most` nodes.
    pub(crate) fn new(m: &Module, nest: &Nest, growth: usize, most: usize) -> Budget {
        let scopes = scopes(nest, &Cfg::new(m, nest));
        let size = |g: GraphId| scopes.nest_of(g).iter().map(|&h| nest.schedule(h).len()).sum::<usize>();
        let roots = nest.graphs().iter().copied().filter(|&g| scopes.parent(g).is_none());
        let functions: SecondaryMap<GraphId, usize> = roots.map(|root| (root, growth * size(root) + LEAST)).collect();
        let total = (functions.values().sum::<usize>() + 10 * LEAST).min(most);
        Budget { functions, total, copied: 0, is_exhausted: false }
    }

    /// Takes what a copy of `size` nodes into an outermost function costs; false if there is not as much.
    pub(crate) fn take(&mut self, function: GraphId, size: usize) -> bool {
        let left = self.functions.entry(function).expect("graphs exist").or_insert(LEAST);
        if size > (*left).min(self.total) {
            self.is_exhausted = true;
            return false;
        }
        *left -= size;
        self.total -= size;
        self.copied += size;
        true
    }
}

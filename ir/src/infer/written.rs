//! Arrays that are objects, of which a program may write to some.
//!
//! An array that nobody writes to is its value, with the place where it is made. Where something writes to an array, the place is noted, and
//! inference begins again with mutable boxes for the arrays of that place ([`super::cells`], `frontend/src/python/library/objects.py`).
//! Arrays that meet are of one kind, and so are an array and its views.

use super::abs::{Abs, Closure};
use super::engine::Engine;
use super::instances::InstId;
use crate::graph::NodeId;
use crate::span::Span;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;
use std::rc::Rc;

/// The places where arrays are made.
#[derive(Default)]
pub(super) struct Written {
    /// Those, by the expression of the program that makes the array, to whose arrays something writes.
    pub(super) known: Rc<BTreeSet<Span>>,
    /// The expression of each, and the place of what its arrays are views of.
    sites: FxHashMap<Closure, (Span, Option<Closure>)>,
    /// Those of arrays that are values, and are written to.
    wanted: FxHashSet<Closure>,
}

impl Engine {
    /// The place where a node makes an array, or a mutable box.
    pub(super) fn array_site(&mut self, id: InstId, node: NodeId, of: Option<&Abs>) -> Abs {
        let site = Closure::Made(node, id);
        let of = of.and_then(|of| if let Abs::Ref(of) = of { Some(*of) } else { None });
        self.written.sites.insert(site, (self.place(id, node), of));
        Abs::Ref(site)
    }

    /// Whether something writes to the arrays of a place.
    pub(super) fn is_written(&self, site: Closure) -> bool {
        self.written.sites.get(&site).is_some_and(|(span, _)| self.written.known.contains(span))
    }

    /// Takes down that something writes to the arrays of a place.
    pub(super) fn writes_to(&mut self, site: Closure) {
        self.written.wanted.insert(site);
    }

    /// The places to whose arrays something writes, if more were found than are known.
    pub(super) fn find_written(&mut self) -> Option<Rc<BTreeSet<Span>>> {
        let sites: Vec<(Closure, Span, Option<Closure>)> =
            self.written.sites.iter().map(|(&site, &(span, of))| (site, span, of)).collect();
        let mut spans: BTreeSet<Span> = (*self.written.known).clone();
        let wanted: Vec<Closure> = self.written.wanted.iter().copied().collect();
        let mut classes: FxHashSet<usize> = wanted.into_iter().map(|site| self.classes.of(site)).collect();
        loop {
            let before = (spans.len(), classes.len());
            for &(site, span, of) in &sites {
                let class = self.classes.of(site);
                let whole = of.map(|of| self.classes.of(of));
                if spans.contains(&span) || classes.contains(&class) || whole.is_some_and(|whole| classes.contains(&whole)) {
                    spans.insert(span);
                    classes.insert(class);
                    classes.extend(whole);
                }
            }
            if (spans.len(), classes.len()) == before {
                break;
            }
        }
        (spans.len() > self.written.known.len()).then(|| Rc::new(spans))
    }
}

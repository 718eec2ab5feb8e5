//! Objects in mutable boxes. One that is read from a box may be in others' hands, too, so nobody writes to it; but for the value of a
//! variable that functions share, if all others ask the variable for it.

use super::relation::Relation;
use super::sources::{Place, holds_memory};
use crate::graph::NodeId;
use crate::infer::abs::Abs;
use crate::infer::effects::called;
use crate::infer::engine::Engine;
use crate::infer::instances::InstId;
use crate::memory::Write;
use crate::prim::Prim;
use rustc_hash::FxHashSet;

/// What is known of the objects in boxes.
pub(super) struct Held {
    /// Boxes whose objects may have other names, by their classes.
    shared: FxHashSet<usize>,
    /// Functions that put what they are given into a box.
    keep: FxHashSet<InstId>,
}

impl Held {
    pub(super) fn find(relation: &mut Relation<'_>, reached: &[InstId]) -> Held {
        let mut held = Held { shared: FxHashSet::default(), keep: FxHashSet::default() };
        let memory = &relation.sources.e.m.memory;
        if memory.boxed.is_empty() && memory.taken.is_empty() {
            return held;
        }
        let (boxed, taken) = (memory.boxed.clone(), memory.taken.clone());
        for (root, holder) in taken {
            let e = &mut relation.sources.e;
            let at = |e: &Engine, n: NodeId| -> Vec<InstId> {
                let graph = e.m[n].graph;
                reached.iter().copied().filter(|&id| Some(e.instances[id].graph) == graph).collect()
            };
            if at(e, holder).into_iter().any(|id| holds_memory(&e.operand(id, holder))) {
                let of = e.m[root].inputs()[1];
                held.shared.extend(at(e, root).into_iter().filter_map(|id| e.box_of(id, of)));
            }
        }
        for &id in reached {
            let (graph, function) = (relation.sources.e.instances[id].graph, relation.sources.e.instances[id].function);
            for put in boxed.get(&graph).into_iter().flatten() {
                let Some(site) = relation.sources.e.box_of(id, put.of) else { continue };
                let places = relation.sources.places(id, put.value, &[], false);
                for place in places {
                    let is_given = !relation.origins(function, &place).is_empty();
                    if is_given {
                        held.keep.insert(function);
                    }
                    let is_read = |r: &mut Relation<'_>, n: NodeId| {
                        let e = &r.sources.e;
                        let is_there = e.m[n].graph.is_none_or(|owner| e.instances.ancestor(Some(id), owner).is_some());
                        is_there && r.sources.places(id, n, &[], false).iter().any(|other| r.share(function, &place, other))
                    };
                    if is_given || put.later.iter().any(|&n| is_read(relation, n)) {
                        held.shared.insert(site);
                    }
                }
            }
        }
        held
    }

    /// Whether the object that is written to is in the variable alone that it was read from.
    pub(super) fn is_alone(&self, e: &mut Engine, id: InstId, write: &Write, from: usize) -> bool {
        write.home.and_then(|home| e.box_of(id, home)) == Some(from) && !self.shared.contains(&from)
    }

    /// Whether a call may put its arguments into a box.
    pub(super) fn is_kept(&self, e: &Engine, id: InstId, call: NodeId) -> bool {
        let Some(target) = e.instances[id].calls.get(&call).filter(|_| !self.keep.is_empty()) else { return false };
        called(target).into_iter().any(|f| e.reached(f).into_iter().any(|at| self.keep.contains(&at)))
    }
}

impl Engine {
    /// The class of the box that a node is.
    fn box_of(&mut self, id: InstId, node: NodeId) -> Option<usize> {
        let Abs::Ref(site) = self.operand(id, node) else { return None };
        Some(self.classes.of(site))
    }

    /// The class of the box that a value was read from; none if it is from elsewhere.
    pub(super) fn opened(&mut self, p: &Place) -> Option<usize> {
        let &[_, of, _] = self.m[p.node].inputs() else { return None };
        (self.m.as_prim(p.node) == Some(Prim::Opened)).then(|| self.box_of(p.at, of)).flatten()
    }
}

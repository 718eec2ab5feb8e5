//! Objects in mutable boxes. One that is read from a box may be in others' hands, too, so nobody writes to it; but for the value of a
//! field or of a variable that functions share, if all others ask the field or the variable for it.

use super::relation::Relation;
use super::sources::{ELEMENT, OTHER, Place};
use super::{OTHER_VALUE, VALUE};
use crate::graph::{Kind, NodeId};
use crate::infer::abs::Abs;
use crate::infer::calls::Target;
use crate::infer::effects::called;
use crate::infer::engine::Engine;
use crate::infer::instances::InstId;
use crate::memory::{Taken, Write};
use crate::prim::Prim;
use rustc_hash::{FxHashMap, FxHashSet};

/// The objects in boxes that may have other names.
#[derive(Default)]
pub(super) struct Held {
    /// Boxes whose objects may have other names, by their classes.
    shared: FxHashSet<usize>,
    /// Those for which that holds of an element of the object.
    inner: FxHashSet<usize>,
    /// Functions that put what they are given into a box.
    keep: FxHashSet<InstId>,
}

impl Held {
    pub(super) fn find(relation: &mut Relation<'_>, reached: &[InstId]) -> Held {
        let mut held = Held::default();
        let memory = &relation.sources.e.m.memory;
        if memory.boxed.is_empty() && memory.taken.is_empty() {
            return held;
        }
        let (boxed, taken) = (memory.boxed.clone(), memory.taken.clone());
        let at = |e: &Engine, n: NodeId| -> Vec<InstId> {
            let graph = e.m[n].graph;
            reached.iter().copied().filter(|&id| Some(e.instances[id].graph) == graph).collect()
        };
        let written = written_in(relation.sources.e, reached);
        for Taken { of, by, during } in taken {
            let home = relation.sources.e.m[of].inputs()[1];
            let sites = at(relation.sources.e, of).into_iter();
            let sites: Vec<usize> = sites.filter_map(|id| relation.sources.e.box_of(id, home)).collect();
            let mut is_written = |site: usize| match &during {
                Some(steps) => steps
                    .iter()
                    .any(|&n| at(relation.sources.e, n).into_iter().any(|id| relation.sources.e.writes(id, n, site, &written))),
                None => true,
            };
            let sites: Vec<usize> = sites.into_iter().filter(|&site| is_written(site)).collect();
            let holders = if sites.is_empty() { Vec::new() } else { at(relation.sources.e, by) };
            for id in holders {
                let function = relation.sources.e.instances[id].function;
                let places = relation.sources.places(id, by, &[], false);
                let origins = places.iter().flat_map(|place| relation.origins(function, place));
                for origin in origins.filter(|origin| origin.node == of).collect::<Vec<_>>() {
                    held.inner.extend(&sites);
                    if origin.path.is_empty() {
                        held.shared.extend(&sites);
                    }
                }
            }
        }
        let mut asked = Asked { callers: callers(relation.sources.e, reached), seen: FxHashSet::default(), opened: Vec::new() };
        for &id in reached {
            let graph = relation.sources.e.instances[id].graph;
            for put in boxed.get(&graph).into_iter().flatten() {
                if let Some(site) = relation.sources.e.box_of(id, put.of) {
                    held.is_put(relation, &mut asked, id, site, put.value, &put.later);
                }
            }
            // What becomes a part of an object that is in a box is there, too.
            let writes = relation.sources.e.m.memory.writes.get(&graph).cloned().unwrap_or_default();
            for write in writes {
                let Some(site) = write.home.and_then(|home| relation.sources.e.box_of(id, home)) else { continue };
                let later: Vec<NodeId> = write.later.iter().map(|(n, _)| *n).collect();
                let parts = match write.stored {
                    Some(stored) => relation.sources.places(id, stored, &[], false),
                    None => relation.sources.e.m[write.new]
                        .inputs()
                        .to_vec()
                        .into_iter()
                        .skip(1)
                        .flat_map(|n| relation.sources.places(id, n, &[], false))
                        .collect(),
                };
                held.is_part(relation, &mut asked, id, site, parts, &later);
            }
        }
        // An object of one box that is put into another has two names.
        for (site, is_object) in asked.opened {
            held.inner.insert(site);
            if is_object {
                held.shared.insert(site);
            }
        }
        held
    }

    /// Takes down that a value is put into a box.
    fn is_put(
        &mut self,
        relation: &mut Relation<'_>,
        asked: &mut Asked,
        id: InstId,
        site: usize,
        value: NodeId,
        later: &[NodeId],
    ) {
        let function = relation.sources.e.instances[id].function;
        let parts = relation.sources.places(id, value, &[], false);
        for place in relation.sources.places(id, value, &[], true) {
            asked.seen.clear();
            if asked.is_elsewhere(relation, id, &place, later) {
                self.shared.insert(site);
            }
        }
        // Two elements may be one object.
        let abs = relation.sources.e.operand(id, value);
        let fields: Vec<Vec<u32>> = match &abs {
            list if list.element().is_some() => vec![vec![ELEMENT], vec![OTHER]],
            table if table.value_of_table().is_some() => vec![VALUE.to_vec(), OTHER_VALUE.to_vec()],
            Abs::Tuple(items, _) | Abs::Record(_, items) => (0..items.len() as u32).map(|i| vec![i]).collect(),
            _ => Vec::new(),
        };
        for (i, a) in fields.iter().enumerate() {
            for b in &fields[i + 1..] {
                let pairs = relation.sources.pairs(id, value, [(a, false), (b, false)]);
                if pairs.iter().any(|(a, b)| relation.share(function, a, b)) {
                    self.inner.insert(site);
                }
            }
        }
        self.is_part(relation, asked, id, site, parts, later);
    }

    /// Takes down that places are those of parts of what is in a box.
    fn is_part(
        &mut self,
        relation: &mut Relation<'_>,
        asked: &mut Asked,
        id: InstId,
        site: usize,
        parts: Vec<Place>,
        later: &[NodeId],
    ) {
        let function = relation.sources.e.instances[id].function;
        for place in parts {
            if !relation.origins(function, &place).is_empty() {
                self.keep.insert(function);
            }
            asked.seen.clear();
            if asked.is_elsewhere(relation, id, &place, later) {
                self.inner.insert(site);
            }
        }
    }

    /// Whether the object that is written to is in the field or variable alone that it was read from.
    pub(super) fn is_alone(&self, e: &mut Engine, id: InstId, write: &Write, from: usize) -> bool {
        let is_inner = !write.way.is_empty() || write.element.is_some();
        write.home.and_then(|home| e.box_of(id, home)) == Some(from)
            && !self.shared.contains(&from)
            && !(is_inner && self.inner.contains(&from))
    }

    /// Whether a call may put its arguments into a box.
    pub(super) fn is_kept(&self, e: &Engine, id: InstId, call: NodeId) -> bool {
        let Some(target) = e.instances[id].calls.get(&call).filter(|_| !self.keep.is_empty()) else { return false };
        called(target).into_iter().any(|f| e.reached(f).into_iter().any(|at| self.keep.contains(&at)))
    }
}

/// The classes of boxes whose content is written to where it is, each with the instances that do so.
fn written_in(e: &mut Engine, reached: &[InstId]) -> FxHashMap<usize, FxHashSet<InstId>> {
    let mut written: FxHashMap<usize, FxHashSet<InstId>> = FxHashMap::default();
    for &id in reached {
        let homes: Vec<NodeId> =
            e.m.memory.writes.get(&e.instances[id].graph).into_iter().flatten().filter_map(|w| w.home).collect();
        for home in homes {
            if let Some(site) = e.box_of(id, home) {
                written.entry(site).or_default().insert(id);
            }
        }
    }
    written
}

/// The calls of each function.
fn callers(e: &Engine, reached: &[InstId]) -> FxHashMap<InstId, Vec<(InstId, NodeId)>> {
    let mut callers: FxHashMap<InstId, Vec<(InstId, NodeId)>> = FxHashMap::default();
    for &id in reached {
        for (&node, target) in &e.instances[id].calls {
            called(target).into_iter().for_each(|f| callers.entry(f).or_default().push((id, node)));
        }
    }
    callers
}

/// The question of who has a value beside the box that it is put into.
struct Asked {
    callers: FxHashMap<InstId, Vec<(InstId, NodeId)>>,
    seen: FxHashSet<(InstId, Place)>,
    /// The boxes that such values were read from, and whether they are the object there, no part of it.
    opened: Vec<(usize, bool)>,
}

impl Asked {
    /// Whether a value of an instance may be read by another name: by what is read later there, or by who has given it.
    fn is_elsewhere(&mut self, relation: &mut Relation<'_>, id: InstId, place: &Place, later: &[NodeId]) -> bool {
        let function = relation.sources.e.instances[id].function;
        for origin in relation.origins(function, place) {
            let from = relation.sources.e.opened(&origin);
            self.opened.extend(from.map(|site| (site, origin.path.is_empty())));
        }
        for &n in later {
            let e = &relation.sources.e;
            let is_there = e.m[n].graph.is_none_or(|owner| e.instances.ancestor(Some(id), owner).is_some());
            let others = if is_there { relation.sources.places(id, n, &[], false) } else { Vec::new() };
            if others.iter().any(|other| relation.share(function, place, other)) {
                return true;
            }
        }
        for origin in relation.origins(function, place) {
            let e = &relation.sources.e;
            if origin.at != function || e.m[origin.node].kind != Kind::Param {
                return true;
            }
            // The arguments of the entry are its own.
            if e.m.memory.owners.contains(&e.instances[function].graph) || !self.seen.insert((function, origin.clone())) {
                continue;
            }
            for (at, call) in self.callers.get(&function).cloned().unwrap_or_default() {
                // Who asks for a derivative gives what it likes.
                if !matches!(relation.sources.e.instances[at].calls.get(&call), Some(Target::Function(_) | Target::Instead(..))) {
                    return true;
                }
                let e = &relation.sources.e;
                // What is made for a call does nothing else.
                let is_made = e.scopes.is_made(e.instances[at].graph);
                let after = e.m.memory.after.get(&call).cloned().or(is_made.then(Vec::new));
                let given = relation.sources.given(function, at, call, &origin);
                let is_read = |place: &Place| match &after {
                    Some(after) => self.is_elsewhere(relation, at, place, after),
                    None => true,
                };
                if given.iter().any(is_read) {
                    return true;
                }
            }
        }
        false
    }
}

impl Engine {
    /// Whether a step of an instance may write to the content of boxes of a class.
    fn writes(&mut self, id: InstId, step: NodeId, site: usize, written: &FxHashMap<usize, FxHashSet<InstId>>) -> bool {
        let Some(writing) = written.get(&site) else { return false };
        // What calls nothing in an instance does nothing there.
        let Some(target) = self.instances[id].calls.get(&step).cloned() else { return false };
        // A box is set by a function of the library: it is that of the field or the variable.
        let sets = |e: &mut Self, f: InstId| e.m.memory.on_boxes.contains_key(&e.instances[f].graph);
        called(&target).into_iter().any(|f| match sets(self, f) {
            true => self.box_of(id, self.m[step].inputs()[1]) == Some(site),
            false => self.reached(f).into_iter().any(|at| writing.contains(&at)),
        })
    }

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

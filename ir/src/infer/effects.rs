//! Effects of functions beside their results, by instances: the least fixed point over calls, once all types are known.
//!
//! An effect is a value that is handed on. The sites are the output, which is a number; what is in cells ([`super::cells`]); and all other
//! mutable boxes: the number of the next one and the tree of their contents. A function takes the sites that it touches after its own arguments, and gives them back after its
//! result ([`super::state`]); one that touches none is as it was written. Which function touches which is asked here and nowhere else, so a
//! program that does nothing pays nothing.

use super::abs::{Abs, Closure};
use super::calls::Target;
use super::cells::Cells;
use super::engine::Engine;
use super::instances::{InstId, Instance, Voice};
use super::layout::Layout;
use crate::graph::NodeId;
use crate::prim::Prim;
use crate::span::{Diagnostic, Span};
use rustc_hash::{FxHashMap, FxHashSet};

/// A part of the state.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) enum Site {
    /// What was printed.
    Output,
    /// The mutable boxes that are no cells.
    Boxes,
    /// What is in a cell.
    Cell(u32),
}

/// Some of the sites, in the order in which functions take them.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(super) struct Sites(Vec<Site>);

impl Sites {
    pub(super) fn add(&mut self, site: Site) {
        if let Err(at) = self.0.binary_search(&site) {
            self.0.insert(at, site);
        }
    }

    pub(super) fn extend(&mut self, other: &Sites) {
        other.iter().for_each(|site| self.add(site));
    }

    pub(super) fn are_none(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = Site> {
        self.0.iter().copied()
    }

    /// Whether a function touches what others see beside what is printed.
    pub(super) fn has_boxes(&self) -> bool {
        self.iter().any(|site| site != Site::Output)
    }
}

/// How a call is made with regard to what its callee does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Manner {
    /// As the program writes it.
    Plain,
    /// For a derivative alone: it sees the state, and leaves it as it is.
    Silent,
    /// Of a function with a rule: it does not see the state.
    Detached,
    /// In a derivative, which nobody gives the state of the output: it prints then.
    Witnessed,
}

/// What a function does.
#[derive(Clone, PartialEq, Eq, Default)]
pub(super) struct Does {
    /// The sites that it touches, its own cells among them: what its blocks hand on.
    pub(super) inside: Sites,
    /// Those that it takes and gives back.
    pub(super) sites: Sites,
}

impl Does {
    fn touch(&mut self, site: Site, function: InstId, cells: &Cells) {
        self.inside.add(site);
        if !matches!(site, Site::Cell(i) if cells.all[i as usize].home == function) {
            self.sites.add(site);
        }
    }
}

impl Engine {
    /// How a call is made.
    pub(super) fn manner(&self, node: NodeId) -> Manner {
        let memory = &self.m.memory;
        if self.m.as_prim(node) == Some(Prim::AppliedRuled) {
            Manner::Detached
        } else if memory.silent.contains(&node) {
            Manner::Silent
        } else if memory.witnessed.contains(&node) {
            Manner::Witnessed
        } else {
            Manner::Plain
        }
    }

    /// What each function does, of those that are reached and do something.
    pub(super) fn effects(&self, reached: &FxHashSet<InstId>, cells: &Cells) -> FxHashMap<InstId, Does> {
        if !self.acts {
            return FxHashMap::default();
        }
        let mut all: Vec<InstId> = reached.iter().copied().collect();
        all.sort_unstable();
        let mut callers: FxHashMap<InstId, Vec<InstId>> = FxHashMap::default();
        for &id in &all {
            for target in self.instances[id].calls.values() {
                called(target).into_iter().for_each(|callee| callers.entry(callee).or_default().push(id));
            }
        }
        let orders_failures = self.orders_failures(&all, &callers);
        let mut does: FxHashMap<InstId, Does> = FxHashMap::default();
        for &id in &all {
            self.own_effects(id, cells, orders_failures, does.entry(self.instances[id].function).or_default());
        }
        let mut work: Vec<InstId> = does.keys().copied().filter(|f| does[f] != Does::default()).collect();
        while let Some(callee) = work.pop() {
            for &id in callers.get(&callee).into_iter().flatten() {
                let function = self.instances[id].function;
                let mut after = does[&function].clone();
                for (&node, target) in &self.instances[id].calls {
                    let is_it = !cells.uses.contains_key(&(id, node)) && called(target).contains(&callee);
                    if is_it && self.manner(node) != Manner::Witnessed {
                        does[&callee].sites.iter().for_each(|site| after.touch(site, function, cells));
                    }
                }
                if after != does[&function] {
                    does.insert(function, after);
                    work.push(function);
                }
            }
        }
        does.retain(|_, does| *does != Does::default());
        does
    }

    /// Whether failures come in an order: after what is printed before them, and where nobody asks for the result of what fails.
    fn orders_failures(&self, all: &[InstId], callers: &FxHashMap<InstId, Vec<InstId>>) -> bool {
        if self.m.prints() {
            return true;
        }
        let mut work: Vec<InstId> =
            all.iter().copied().filter(|&id| self.may_fail(id)).map(|id| self.instances[id].function).collect();
        let mut failing: FxHashSet<InstId> = work.iter().copied().collect();
        while let Some(callee) = work.pop() {
            let more = callers.get(&callee).into_iter().flatten().map(|&id| self.instances[id].function);
            work.extend(more.filter(|&f| failing.insert(f)));
        }
        all.iter().any(|&id| {
            let calls = &self.instances[id].calls;
            calls.iter().any(|(&node, target)| self.is_dropped(id, node) && called(target).iter().any(|f| failing.contains(f)))
        })
    }

    /// Whether an instance may fail by a statement of its own.
    fn may_fail(&self, id: InstId) -> bool {
        let Instance { graph, unassigned, .. } = self.instances[id];
        unassigned.is_some() || self.scopes.schedule(graph).iter().any(|&n| self.m.as_prim(n) == Some(Prim::Fail))
    }

    /// Adds what an instance does itself.
    fn own_effects(&self, id: InstId, cells: &Cells, orders_failures: bool, does: &mut Does) {
        let Instance { graph, function, voice, ref calls, .. } = self.instances[id];
        if orders_failures && voice != Voice::Detached && self.may_fail(id) {
            does.touch(Site::Output, function, cells);
        }
        for &node in self.scopes.schedule(graph).iter() {
            if let Some(&(_, cell)) = cells.uses.get(&(id, node)) {
                does.touch(Site::Cell(cell), function, cells);
                continue;
            }
            match self.m.as_prim(node) {
                Some(Prim::Print) if voice == Voice::Loud && !calls.contains_key(&node) => {
                    does.touch(Site::Output, function, cells);
                }
                Some(Prim::Store | Prim::SetStore) if self.has_boxes => does.touch(Site::Boxes, function, cells),
                _ => {}
            }
        }
    }

    /// Whether a call of the program is made for what it does alone.
    fn is_dropped(&self, id: InstId, node: NodeId) -> bool {
        let Instance { graph, voice, .. } = self.instances[id];
        voice == Voice::Loud
            && !self.is_library(id)
            && self.m[node].users().is_empty()
            && self.m.memory.steps(graph).contains(&node)
    }

    /// Whether it is known what comes before a node and after it, if that does something. Operators of the library's own classes only
    /// fail, and do so where their results are needed, as a trap does.
    pub(super) fn is_in_order(&self, id: InstId, node: NodeId, layout: &Layout) -> bool {
        let Instance { graph, ref calls, .. } = self.instances[id];
        let acts = |f: InstId| !layout.sites(f).are_none() && self.m[self.instances[f].graph].span.is_some();
        let does_something = calls.get(&node).is_some_and(|target| called(target).into_iter().any(acts));
        !does_something || self.scopes.is_made(graph) || self.m.memory.steps(graph).contains(&node)
    }

    /// What is done where nobody knows of it: boxes of functions with rules, and of rules, of which who takes the derivative does not
    /// know; and iterators that are made before their elements are asked for.
    pub(super) fn misplaced(&mut self, reached: &FxHashSet<InstId>, effects: &FxHashMap<InstId, Does>) -> Vec<Diagnostic> {
        let of = |id: InstId| self.instances[id].calls.iter().map(move |(&node, target)| (id, node, target.clone()));
        let calls: Vec<(InstId, NodeId, Target)> = reached.iter().copied().flat_map(of).collect();
        let sites = |f: &InstId| effects.get(f).map(|does| &does.sites);
        let mut lost = Vec::new();
        for (id, node, target) in calls {
            let is_steady = self.m.memory.steady.contains(&node);
            let acts = |e: &mut Engine, f: InstId| match is_steady {
                true => e.works_outside(f, |prim| prim == Prim::Packed).is_some(),
                false => sites(&f).is_some_and(|s| !s.are_none()),
            };
            if let Some(d) = self.m.memory.idle.get(&node).cloned()
                && called(&target).into_iter().any(|f| acts(self, f))
            {
                lost.push(d);
            }
            let mut unknown = Vec::new();
            if matches!(target, Target::Ruled(_)) || self.manner(node) == Manner::Witnessed {
                target.instances(&mut unknown);
            }
            let found = unknown.into_iter().filter(|f| sites(f).is_some_and(Sites::has_boxes)).find_map(|f| self.lost_boxes(f));
            lost.extend(found.map(|(place, what)| {
                Diagnostic::unsupported(place.or(self.place(id, node)), what)
                    .label(self.instances[id].site, "what calls the function does not know of boxes")
                    .hint("let it return what it would change")
            }));
        }
        lost.extend(reached.iter().filter_map(|&id| self.made_anew(id)));
        lost.sort_by_key(|d| d.span);
        lost.dedup_by_key(|d| d.span);
        lost
    }

    /// Whether a function makes a box that is nobody else's.
    fn makes_box(&self, function: InstId) -> bool {
        let Instance { ref result, .. } = self.instances[function];
        let makes = |&at: &InstId| {
            self.scopes.schedule(self.instances[at].graph).iter().any(|&n| self.m.as_prim(n) == Some(Prim::NewBox))
        };
        (self.holds_ref(result) || result.has_function()) && self.reached(function).iter().any(makes)
    }

    /// Refuses a box of the top level: each use would make another one.
    fn made_anew(&self, id: InstId) -> Option<Diagnostic> {
        let Instance { graph, function, result_span, .. } = self.instances[id];
        let is_global = self.has_boxes && id == function && self.m.memory.globals.contains(&graph);
        (is_global && self.makes_box(id)).then(|| {
            let place = self.m[graph].span.or(result_span);
            let what = "a Box, an instance that changes or a variable that functions share is not supported at the top level";
            Diagnostic::unsupported(place, what).hint("make it in the function that is called, and hand it on")
        })
    }

    /// Where a function works on boxes that are not its own, or gives one of its own, and what is wrong if nobody knows of it.
    fn lost_boxes(&mut self, function: InstId) -> Option<(Span, &'static str)> {
        // Of a class of functions those that are known to be called there: others of it have boxes that this one does not know.
        let is_called = |(at, call): (InstId, NodeId), closure: &Closure, _| !matches!(self.whole(at, self.m[call].inputs()[0]), Abs::Func(set) if !set.contains(closure));
        let inside = self.reached_if(function, is_called);
        // What a function of the library gives is its own; it is made of what functions of the program give.
        let mut given = vec![function];
        for &at in inside.iter().filter(|&&at| self.is_library(at)) {
            self.instances[at].calls.values().for_each(|target| target.instances(&mut given));
        }
        for at in given.into_iter().filter(|&at| !self.is_library(at) && inside.contains(&at)) {
            let Instance { graph, result_span, .. } = self.instances[at];
            if self.makes_box(at) {
                let what = "a Box or a variable that functions share would be lost with what this returns";
                return Some((result_span.or(self.m[graph].span), what));
            }
        }
        let found = self.outside(&inside, |prim| matches!(prim, Prim::Packed | Prim::Opened))?;
        let what = match self.m.as_prim(found.1) {
            Some(Prim::Packed) => "what this changes would be lost",
            _ => "what was changed before would be lost here",
        };
        Some((self.place(found.0, found.1), what))
    }

    /// Where a function works, by one of these primitives, on a box that is not its own.
    fn works_outside(&mut self, function: InstId, by: fn(Prim) -> bool) -> Option<(InstId, NodeId)> {
        self.outside(&self.reached(function), by)
    }

    fn outside(&mut self, inside: &[InstId], by: fn(Prim) -> bool) -> Option<(InstId, NodeId)> {
        for &at in inside {
            let schedule = self.scopes.schedule(self.instances[at].graph);
            for &n in schedule.iter() {
                if !self.m.as_prim(n).is_some_and(by) {
                    continue;
                }
                let of = self.m[n].inputs()[1];
                if matches!(self.operand(at, of), Abs::Ref(Closure::Made(_, home)) if !inside.contains(&home)) {
                    return Some((at, n));
                }
            }
        }
        None
    }
}

/// The functions whose effects are those of a call.
pub(super) fn called(target: &Target) -> Vec<InstId> {
    let mut list = Vec::new();
    match target {
        // Blocks are parts of the function, and functions with rules are called for no effect.
        Target::Blocks { .. } | Target::Ruled(_) | Target::Pullback(_) => {}
        _ => target.instances(&mut list),
    }
    list
}

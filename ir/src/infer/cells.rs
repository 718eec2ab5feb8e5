//! Mutable boxes that are plain variables: one of a place is alive at a time, and it is gone when the function returns that made it. What
//! is in such a box is a site of its own ([`super::effects`]): the function that makes it has it as a variable, and functions that it calls
//! take it and give it back. All other boxes are in the tree of `boxes.py`.
//!
//! A box of a place is such a cell if
//!
//! * the place is in no loop, and its function calls itself in no way: no second box is made while there is the first;
//! * neither what the function gives nor what is in boxes of other functions holds a box or a function: nobody has it afterwards;
//! * what is in it holds no function, which could be one that works on the box;
//! * boxes of no other place are where boxes of this place are.

use super::abs::{Abs, Closure};
use super::calls::Target;
use super::engine::Engine;
use super::instances::InstId;
use crate::graph::NodeId;
use crate::memory::OnBox;
use crate::prim::Prim;
use rustc_hash::{FxHashMap, FxHashSet};

/// A box that is a variable.
pub(super) struct Cell {
    /// The function that makes it.
    pub(super) home: InstId,
    /// What it holds.
    pub(super) content: Abs,
    /// Whether it is asked whether there is something in it.
    pub(super) is_checked: bool,
}

/// Something that a node does with a cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum OnCell {
    /// It is made.
    Make,
    /// A function of the library is called on it.
    Call(OnBox),
    /// The content that such a function gave is looked at.
    Open,
}

/// The cells of a program.
#[derive(Default)]
pub(super) struct Cells {
    pub(super) all: Vec<Cell>,
    /// What nodes do, and with which cell.
    pub(super) uses: FxHashMap<(InstId, NodeId), (OnCell, u32)>,
}

impl Cells {
    /// Those of the instances that are reached.
    pub(super) fn find(e: &mut Engine, reached: &[InstId]) -> Cells {
        let mut cells = Cells::default();
        if !e.has_boxes {
            return cells;
        }
        let mut made: Vec<(Closure, InstId)> = Vec::new();
        for &id in reached {
            let schedule = e.scopes.schedule(e.instances[id].graph);
            let boxes = schedule.iter().filter(|&&n| e.m.as_prim(n) == Some(Prim::NewBox));
            made.extend(boxes.map(|&n| (Closure::Made(n, id), e.instances[id].function)));
        }
        let known: FxHashSet<InstId> = reached.iter().copied().collect();
        let holders: Vec<InstId> = made.iter().filter(|(site, _)| e.may_hold(*site)).map(|(_, home)| *home).collect();
        let mut numbers: FxHashMap<Closure, u32> = FxHashMap::default();
        for (site, home) in made {
            let Closure::Made(_, at) = site else { unreachable!("a box is made by a node") };
            let class = e.classes.of(site);
            let content = e.classes.content_of(site);
            if *e.classes.members(class, at) == [site]
                && !content.is_bottom()
                && e.closures_in(&content).is_empty()
                && !e.gives_away(home)
                && holders.iter().all(|holder| *holder == home)
                && !e.runs_again(at, &known)
                && !e.calls_itself(home)
            {
                numbers.insert(site, cells.all.len() as u32);
                cells.all.push(Cell { home, content, is_checked: false });
            }
        }
        for &id in reached.iter().filter(|_| !numbers.is_empty()) {
            for &n in e.scopes.schedule(e.instances[id].graph).iter() {
                let Some((of, what)) = e.on_box(id, n) else { continue };
                let site = match of {
                    None => Closure::Made(n, id),
                    Some(of) => match e.operand(id, of) {
                        Abs::Ref(site) => site,
                        _ => continue,
                    },
                };
                if let Some(&number) = numbers.get(&site) {
                    cells.all[number as usize].is_checked |= what == OnCell::Call(OnBox::IsFilled);
                    cells.uses.insert((id, n), (what, number));
                }
            }
        }
        cells
    }
}

impl Engine {
    /// The box that a node works on, none for the one that it makes, and what it does.
    fn on_box(&self, id: InstId, n: NodeId) -> Option<(Option<NodeId>, OnCell)> {
        let inputs = self.m[n].inputs();
        match self.m.as_prim(n) {
            Some(Prim::NewBox) => return Some((None, OnCell::Make)),
            Some(Prim::Opened) => return Some((Some(inputs[1]), OnCell::Open)),
            _ => {}
        }
        let callee = self.instances[id].calls.get(&n)?.known()?;
        let what = self.m.memory.on_boxes.get(&self.instances[callee].graph)?;
        Some((Some(inputs[1]), OnCell::Call(*what)))
    }

    /// Whether boxes of a place may hold boxes or functions.
    fn may_hold(&mut self, site: Closure) -> bool {
        let content = self.classes.content_of(site);
        content.has_ref() || !self.closures_in(&content).is_empty()
    }

    /// Whether what a function gives may hold boxes or functions.
    fn gives_away(&mut self, function: InstId) -> bool {
        let result = self.instances[function].result.clone();
        result.has_ref() || !self.closures_in(&result).is_empty()
    }

    /// Whether control may come to an instance of a block once more in the same run of its function.
    fn runs_again(&self, id: InstId, known: &FxHashSet<InstId>) -> bool {
        let mut work = vec![id];
        let mut seen = FxHashSet::default();
        while let Some(at) = work.pop() {
            for target in self.instances[at].calls.values() {
                let Target::Blocks { targets, .. } = target else { continue };
                for &next in targets.iter().filter(|next| known.contains(next)) {
                    if next == id {
                        return true;
                    }
                    if seen.insert(next) {
                        work.push(next);
                    }
                }
            }
        }
        false
    }

    /// Whether a function may be called while it runs.
    fn calls_itself(&self, function: InstId) -> bool {
        let inside = self.reached(function);
        let calls = |&id: &InstId| {
            self.instances[id].calls.values().any(|target| {
                let mut called = Vec::new();
                target.instances(&mut called);
                !matches!(target, Target::Blocks { .. }) && called.contains(&function)
            })
        };
        inside.iter().any(calls)
    }
}

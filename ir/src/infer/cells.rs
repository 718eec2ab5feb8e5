//! Mutable boxes that are plain variables: one of a place is alive at a time, and it is gone when the function returns that made it. What
//! is in such a box is a site of its own ([`super::effects`]): the function that makes it has it as a variable, and functions that it calls
//! take it and give it back. All other boxes are in the tree of `boxes.py`.
//!
//! A function of the library that makes a box for its caller, as that of a list does, stands for the place of its one call.
//!
//! A box of a place is such a cell if
//!
//! * where it is made once more, in a loop or in a call of the function from itself, nobody there has one of before: neither parameters of
//!   the blocks of the loop, nor arguments of the function, hold a box or a function that captures something;
//! * neither what the function gives nor what is in other boxes holds a box or a function: nobody has it afterwards;
//! * what is in it holds no function, which could be one that works on the box;
//! * boxes of no other place are where boxes of this place are.

use super::abs::{Abs, Closure};
use super::calls::Target;
use super::engine::Engine;
use super::instances::InstId;
use crate::graph::{Flavor, NodeId};
use crate::memory::OnBox;
use crate::prim::Prim;
use rustc_hash::{FxHashMap, FxHashSet};

/// A box that is a variable.
pub(super) struct Cell {
    /// The function that makes it, or for which it is made.
    pub(super) home: InstId,
    /// The type of its content.
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
    /// Nodes that work on cells: the operation, and the number of the cell.
    pub(super) uses: FxHashMap<(InstId, NodeId), (OnCell, u32)>,
}

impl Cells {
    /// Finds the cells among the boxes that an entry reaches.
    pub(super) fn find(e: &mut Engine, entry: InstId) -> Cells {
        let mut cells = Cells::default();
        if !e.has_boxes {
            return cells;
        }
        let reached = e.reached(entry);
        let mut made: Vec<(Closure, InstId)> = Vec::new();
        for &id in &reached {
            let schedule = e.scopes.schedule(e.instances[id].graph);
            let boxes = schedule.iter().filter(|&&n| e.m.as_prim(n) == Some(Prim::NewBox));
            made.extend(boxes.map(|&n| (Closure::Made(n, id), id)));
        }
        let callers = if made.is_empty() { FxHashMap::default() } else { e.callers(&reached) };
        let made: Vec<(Closure, InstId, InstId)> = made.into_iter().map(|(site, at)| e.keeper(site, at, &callers)).collect();
        let known: FxHashSet<InstId> = reached.iter().copied().collect();
        let holders: Vec<InstId> = made.iter().filter(|(site, ..)| e.may_hold(*site)).map(|&(.., home)| home).collect();
        let mut numbers: FxHashMap<Closure, u32> = FxHashMap::default();
        for (site, at, home) in made {
            let class = e.classes.of(site);
            let content = e.classes.content_of(site);
            if *e.classes.members(class, at) == [site]
                && !content.is_bottom()
                && e.closures_in(&content).is_empty()
                && !e.gives_away(home)
                && holders.iter().all(|holder| *holder == home)
                && e.is_one_in_loops(at, &known, holders.is_empty())
                && (!e.calls_itself(home) || !e.is_given_something(home))
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
    /// The instances that call the function of each instance.
    fn callers(&self, reached: &[InstId]) -> FxHashMap<InstId, Vec<InstId>> {
        let mut callers: FxHashMap<InstId, Vec<InstId>> = FxHashMap::default();
        for &id in reached {
            for target in self.instances[id].calls.values().filter(|t| !matches!(t, Target::Blocks { .. })) {
                let mut called = Vec::new();
                target.instances(&mut called);
                called.into_iter().for_each(|other| callers.entry(other).or_default().push(id));
            }
        }
        callers
    }

    /// Where a box is made, and the function that may keep it: one of the library that gives away what it makes, and is called in one place,
    /// makes it for that place.
    fn keeper(&mut self, site: Closure, at: InstId, callers: &FxHashMap<InstId, Vec<InstId>>) -> (Closure, InstId, InstId) {
        let mut at = at;
        loop {
            let home = self.instances[at].function;
            let is_library = self.m[self.instances[home].graph].flavor == Flavor::Library;
            match callers.get(&home).map(Vec::as_slice) {
                Some(&[caller]) if is_library && self.gives_away(home) && self.instances[caller].function != home => at = caller,
                _ => return (site, at, home),
            }
        }
    }

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
        self.holds_ref(&content) || !self.closures_in(&content).is_empty()
    }

    /// Whether what a function gives may hold boxes or functions.
    fn gives_away(&mut self, function: InstId) -> bool {
        let result = self.instances[function].result.clone();
        self.holds_ref(&result) || !self.closures_in(&result).is_empty()
    }

    /// Whether a block of a function is in no loop of that, or in one of which no turn has boxes of the turns before.
    fn is_one_in_loops(&mut self, id: InstId, known: &FxHashSet<InstId>, nobody_holds: bool) -> bool {
        let next = |e: &Engine, at: InstId| {
            let mut list = Vec::new();
            for target in e.instances[at].calls.values().filter(|t| matches!(t, Target::Blocks { .. })) {
                target.instances(&mut list);
            }
            list.retain(|block| known.contains(block));
            list
        };
        let after = |e: &Engine, from: InstId| {
            let (mut work, mut seen) = (next(e, from), FxHashSet::default());
            while let Some(at) = work.pop() {
                if seen.insert(at) {
                    work.extend(next(e, at));
                }
            }
            seen
        };
        let all = after(self, id);
        if !all.contains(&id) {
            return true;
        }
        let mut turn: Vec<InstId> = all.into_iter().filter(|&block| after(self, block).contains(&id)).collect();
        turn.sort_unstable();
        nobody_holds && !turn.into_iter().any(|block| self.is_given_something(block))
    }

    /// Whether arguments of an instance hold a box, or a function that captures something.
    fn is_given_something(&mut self, id: InstId) -> bool {
        let args = self.instances[id].args.clone();
        args.iter().any(|arg| {
            let captures = |closure: &Closure| !matches!(closure, Closure::Graph(_, None));
            self.holds_ref(arg) || self.closures_in(arg).iter().any(captures)
        })
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

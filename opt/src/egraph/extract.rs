//! Extraction: which term to compute for each class, so that what the roots need costs as little as possible, shared terms
//! counted once.
//!
//! A term is in scope in the blocks where all of its operands are; a term that may trap only below the blocks that executed it
//! in the program. A class is available wherever one of its terms is: a set of subtrees of the dominator tree, nearly always
//! one. Each subtree is an *instance* of the class, the unit that is selected, placed and computed once. Only terms in scope
//! at the root of the subtree are candidates, so every selection is well scoped.
//!
//! Selection follows two ideas of technology mapping. A first selection takes the candidate of least *area flow* (the cost of an
//! operand is divided by the number of its users); then single choices are exchanged as long as that lowers the true cost, found by
//! reference counting what the old choice frees and the new one adds. A fixed rank, in which each instance has a candidate made
//! of lower ones, keeps all selections free of cycles. Every step is bounded, and the whole close to linear.

use super::analysis::{Facts, operand_types};
use super::blocks::{Blocks, Scope};
use super::cost::cost;
use super::lang::{Op, Term};
use egg::{EGraph, Id};
use gradus_ir::{Effect, NodeId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};
use std::ops::Range;

/// No candidate.
const NONE: u32 = u32::MAX;

/// Passes of exchange over the whole selection.
const PASSES: usize = 4;

/// An exchange that adds more instances than this is not tried.
const REACH: usize = 200;

/// A node of the program that was put in.
#[derive(Clone, Debug)]
pub struct Original {
    /// The node.
    pub node: NodeId,
    /// Its class.
    pub class: Id,
    /// Its term, children canonical.
    pub term: Term,
    /// Its block.
    pub block: u32,
}

/// A class in one of the subtrees where it is available.
#[derive(Clone, Debug)]
pub struct Instance {
    /// The class.
    pub class: Id,
    /// The first block where it is available.
    pub root: u32,
    candidates: Range<u32>,
}

/// A term that an instance can be computed by.
#[derive(Clone, Debug)]
pub struct Candidate<'g> {
    /// The term.
    pub term: &'g Term,
    /// The instances of its operands, in order.
    pub operands: Vec<u32>,
    /// What it costs, the operands not counted.
    pub cost: u64,
    instance: u32,
    original: bool,
}

impl Candidate<'_> {
    /// Whether it is a constant or a parameter: something that is not computed, and needs no place.
    pub fn is_leaf(&self) -> bool {
        self.cost == 0 && self.operands.is_empty()
    }
}

/// Everything that could be selected.
#[derive(Debug)]
pub struct Space<'g> {
    egraph: &'g EGraph<Term, Facts>,
    blocks: &'g Blocks,
    numbers: FxHashMap<Id, u32>,
    scopes: Vec<Scope>,
    first: Vec<u32>,
    /// All instances.
    pub instances: Vec<Instance>,
    candidates: Vec<Candidate<'g>>,
    rank: Vec<u32>,
    cheapest: Vec<u32>,
}

/// One candidate for each instance; those that the roots need have references.
#[derive(Clone, Debug)]
pub struct Selection {
    choice: Vec<u32>,
    references: Vec<u32>,
}

impl<'g> Space<'g> {
    /// The space of a saturated e-graph, for the program put in. `home` says in which block a leaf that belongs to the function is.
    pub fn new(
        egraph: &'g EGraph<Term, Facts>,
        blocks: &'g Blocks,
        originals: &[Original],
        home: impl Fn(NodeId) -> Option<u32>,
    ) -> Space<'g> {
        let mut executed: FxHashMap<Term, Scope> = FxHashMap::default();
        for o in originals.iter().filter(|o| o.term.prim().is_some_and(|p| p.effect(&[]) != Effect::Pure)) {
            executed.entry(o.term.clone().sorted()).or_default().join(blocks, &Scope::below(o.block));
        }
        let mut numbers = FxHashMap::default();
        let mut terms: Vec<(u32, &Term)> = Vec::new();
        for (i, class) in egraph.classes().enumerate() {
            numbers.insert(class.id, i as u32);
            terms.extend(class.nodes.iter().map(|t| (i as u32, t)));
        }
        let pins: Vec<Scope> = terms
            .iter()
            .map(|(_, term)| match (&term.op, term.prim()) {
                (&(Op::Node(n) | Op::Pinned(n)), _) => Scope::below(home(n).unwrap_or(0)),
                (_, Some(p)) => match p.effect(&operand_types(egraph, term)) {
                    Effect::Pure => Scope::below(0),
                    Effect::Trap | Effect::Linear | Effect::Source => {
                        executed.get(&(*term).clone().sorted()).cloned().unwrap_or_default()
                    }
                },
                _ => Scope::below(0),
            })
            .collect();
        let mut space = Space {
            egraph,
            blocks,
            numbers,
            scopes: vec![Scope::default(); egraph.number_of_classes()],
            first: Vec::new(),
            instances: Vec::new(),
            candidates: Vec::new(),
            rank: Vec::new(),
            cheapest: Vec::new(),
        };
        let term_scopes = space.solve_scopes(&terms, &pins);
        space.list_candidates(&terms, &term_scopes, originals);
        space.solve_ranks();
        space
    }

    /// Least fixed point of: a class is available where one of its terms is, a term where its operands and its pin are.
    fn solve_scopes(&mut self, terms: &[(u32, &'g Term)], pins: &[Scope]) -> Vec<Scope> {
        let mut users = vec![Vec::new(); self.scopes.len()];
        for (t, (_, term)) in terms.iter().enumerate() {
            for &c in &term.children {
                users[self.number(c) as usize].push(t as u32);
            }
        }
        let scope_of = |space: &Space, t: usize| {
            let mut scope = pins[t].clone();
            for &c in &terms[t].1.children {
                scope = scope.meet(space.blocks, &space.scopes[space.number(c) as usize]);
            }
            scope
        };
        let mut queue: VecDeque<u32> = (0..terms.len() as u32).collect();
        let mut queued = vec![true; terms.len()];
        while let Some(t) = queue.pop_front() {
            queued[t as usize] = false;
            let class = terms[t as usize].0 as usize;
            let scope = scope_of(self, t as usize);
            if self.scopes[class].join(self.blocks, &scope) {
                for &u in &users[class] {
                    if !std::mem::replace(&mut queued[u as usize], true) {
                        queue.push_back(u);
                    }
                }
            }
        }
        (0..terms.len()).map(|t| scope_of(self, t)).collect()
    }

    fn list_candidates(&mut self, terms: &[(u32, &'g Term)], scopes: &[Scope], originals: &[Original]) {
        let given: FxHashSet<&Term> = originals.iter().map(|o| &o.term).collect();
        for scope in &self.scopes {
            self.first.push(self.instances.len() as u32);
            let class = Id::from(0);
            self.instances.extend(scope.roots().iter().map(|&root| Instance { class, root, candidates: 0..0 }));
        }
        for class in self.egraph.classes() {
            let number = self.number(class.id) as usize;
            let end = self.first.get(number + 1).map_or(self.instances.len(), |&i| i as usize);
            for instance in &mut self.instances[self.first[number] as usize..end] {
                instance.class = class.id;
            }
        }
        let mut next = 0;
        for class in 0..self.scopes.len() as u32 {
            let start = next;
            while next < terms.len() && terms[next].0 == class {
                next += 1;
            }
            for (i, &root) in self.scopes[class as usize].roots().iter().enumerate() {
                let instance = self.first[class as usize] + i as u32;
                let from = self.candidates.len() as u32;
                for (t, &(_, term)) in terms.iter().enumerate().take(next).skip(start) {
                    if scopes[t].position(self.blocks, root).is_none() {
                        continue;
                    }
                    let operands = term.children.iter().map(|&c| self.instance(c, root)).collect();
                    let original = given.contains(term);
                    self.candidates.push(Candidate { term, operands, cost: cost(&term.op), instance, original });
                }
                self.instances[instance as usize].candidates = from..self.candidates.len() as u32;
            }
        }
    }

    /// Ranks the instances by the cost of their cheapest tree (Knuth 1977, "A generalization of Dijkstra's algorithm"): an
    /// instance comes after the operands of its cheapest candidate.
    fn solve_ranks(&mut self) {
        let n = self.instances.len();
        let mut users = vec![Vec::new(); n];
        let mut missing: Vec<u32> = Vec::with_capacity(self.candidates.len());
        let mut costs: Vec<u64> = Vec::with_capacity(self.candidates.len());
        let mut heap = BinaryHeap::new();
        for (c, candidate) in self.candidates.iter().enumerate() {
            for &o in &candidate.operands {
                users[o as usize].push(c as u32);
            }
            missing.push(candidate.operands.len() as u32);
            costs.push(candidate.cost);
            if candidate.operands.is_empty() {
                heap.push(Reverse((candidate.cost, !candidate.original, c as u32)));
            }
        }
        self.rank = vec![NONE; n];
        self.cheapest = vec![NONE; n];
        let mut next = 0;
        while let Some(Reverse((cost, _, c))) = heap.pop() {
            let i = self.candidates[c as usize].instance as usize;
            if self.rank[i] != NONE {
                continue;
            }
            self.rank[i] = next;
            self.cheapest[i] = c;
            next += 1;
            for &u in &users[i] {
                let u = u as usize;
                costs[u] = costs[u].saturating_add(cost);
                missing[u] -= 1;
                if missing[u] == 0 {
                    heap.push(Reverse((costs[u], !self.candidates[u].original, u as u32)));
                }
            }
        }
        debug_assert!(self.rank.iter().all(|&r| r != NONE), "each instance has a tree");
    }

    fn number(&self, class: Id) -> u32 {
        self.numbers[&self.egraph.find(class)]
    }

    /// The instance of a class that serves a use in `block`. Panics if the class is not available there.
    pub fn instance(&self, class: Id, block: u32) -> u32 {
        let class = self.number(class) as usize;
        let i = self.scopes[class].position(self.blocks, block).expect("a class is available where it is used");
        self.first[class] + i as u32
    }

    /// Whether a candidate is made of instances of lower rank alone.
    fn is_grounded(&self, c: u32) -> bool {
        let candidate = &self.candidates[c as usize];
        candidate.operands.iter().all(|&o| self.rank[o as usize] < self.rank[candidate.instance as usize])
    }

    /// The instances in the order of their ranks.
    fn by_rank(&self) -> Vec<u32> {
        let mut order = vec![0; self.instances.len()];
        for (i, &r) in self.rank.iter().enumerate() {
            order[r as usize] = i as u32;
        }
        order
    }

    /// Two good selections for the roots: one from area flow, one from the program as it was given. They are compared after
    /// placement, which decides how often each term is executed.
    pub fn select(&self, originals: &[Original], roots: &[(Id, u32)]) -> [Selection; 2] {
        let roots: Vec<u32> = roots.iter().map(|&(class, block)| self.instance(class, block)).collect();
        let mut users = vec![0_u64; self.instances.len()];
        for &r in &roots {
            users[r as usize] += 1;
        }
        let mut given = vec![NONE; self.instances.len()];
        for o in originals {
            let i = self.instance(o.class, o.block);
            let Some(c) = self.instances[i as usize].candidates.clone().find(|&c| *self.candidates[c as usize].term == o.term)
            else {
                continue;
            };
            for &operand in &self.candidates[c as usize].operands {
                users[operand as usize] += 1;
            }
            if given[i as usize] == NONE && self.is_grounded(c) {
                given[i as usize] = c;
            }
        }
        let flow = self.area_flow(&users);
        let start = given.iter().zip(&flow).map(|(&g, &f)| if g == NONE { f } else { g }).collect();
        [flow, start].map(|choice| {
            let mut selection = Selection { choice, references: vec![0; self.instances.len()] };
            selection.acquire(self, &roots, usize::MAX);
            for _ in 0..PASSES {
                if !selection.improve(self) {
                    break;
                }
            }
            selection
        })
    }

    fn area_flow(&self, users: &[u64]) -> Vec<u32> {
        /// A fraction of a unit of cost, so that sharing by many is still seen.
        const SCALE: u64 = 64;
        let mut flow = vec![0_u64; self.instances.len()];
        let mut choice = self.cheapest.clone();
        for i in self.by_rank() {
            let best = self.instances[i as usize].candidates.clone().filter(|&c| self.is_grounded(c)).map(|c| {
                let candidate = &self.candidates[c as usize];
                let mut total = candidate.cost * SCALE;
                for (k, &o) in candidate.operands.iter().enumerate() {
                    if !candidate.operands[..k].contains(&o) {
                        total = total.saturating_add(flow[o as usize] / users[o as usize].max(1));
                    }
                }
                (total, !candidate.original, c)
            });
            let (total, _, c) = best.min().expect("the cheapest candidate is grounded");
            flow[i as usize] = total;
            choice[i as usize] = c;
        }
        choice
    }
}

impl Selection {
    /// The candidate chosen for an instance.
    pub fn candidate<'s, 'g>(&self, space: &'s Space<'g>, instance: u32) -> &'s Candidate<'g> {
        &space.candidates[self.choice[instance as usize] as usize]
    }

    /// The instances that the roots need, operands first.
    pub fn needed(&self, space: &Space) -> Vec<u32> {
        let mut needed: Vec<u32> = (0..self.references.len() as u32).filter(|&i| self.references[i as usize] > 0).collect();
        needed.sort_unstable_by_key(|&i| space.rank[i as usize]);
        needed
    }

    /// Adds one reference to each of `instances`, and to what they become the first to need. Gives the cost that adds, or none
    /// where it would add more than `limit` instances; then nothing has changed.
    fn acquire(&mut self, space: &Space, instances: &[u32], limit: usize) -> Option<u64> {
        let (mut added, mut count) = (0_u64, 0);
        let mut done = Vec::new();
        let mut stack: Vec<u32> = instances.to_vec();
        while let Some(i) = stack.pop() {
            self.references[i as usize] += 1;
            done.push(i);
            if self.references[i as usize] > 1 {
                continue;
            }
            count += 1;
            if count > limit {
                for i in done {
                    self.references[i as usize] -= 1;
                }
                return None;
            }
            let candidate = self.candidate(space, i);
            added = added.saturating_add(candidate.cost);
            stack.extend(&candidate.operands);
        }
        Some(added)
    }

    /// Takes one reference from each of `instances`, and from what nobody needs then. Gives the cost that is saved.
    fn release(&mut self, space: &Space, instances: &[u32]) -> u64 {
        let mut freed = 0_u64;
        let mut stack: Vec<u32> = instances.to_vec();
        while let Some(i) = stack.pop() {
            self.references[i as usize] -= 1;
            if self.references[i as usize] == 0 {
                let candidate = self.candidate(space, i);
                freed = freed.saturating_add(candidate.cost);
                stack.extend(&candidate.operands);
            }
        }
        freed
    }

    /// Exchanges the choice of each needed instance for whichever candidate lowers the total cost; whether any was exchanged.
    fn improve(&mut self, space: &Space) -> bool {
        let mut changed = false;
        for i in self.needed(space).into_iter().rev() {
            for c in space.instances[i as usize].candidates.clone() {
                if self.references[i as usize] == 0 {
                    break;
                }
                if c != self.choice[i as usize] && space.is_grounded(c) {
                    changed |= self.exchange(space, i, c);
                }
            }
        }
        changed
    }

    fn exchange(&mut self, space: &Space, i: u32, c: u32) -> bool {
        let (old, new) = (self.candidate(space, i), &space.candidates[c as usize]);
        // What both need stays needed, so releasing does not run through it; and each freed instance is paid for by an added one.
        let Some(added) = self.acquire(space, &new.operands, REACH) else {
            return false;
        };
        let freed = self.release(space, &old.operands);
        if new.cost + added < old.cost + freed {
            self.choice[i as usize] = c;
            return true;
        }
        self.acquire(space, &old.operands, usize::MAX);
        self.release(space, &new.operands);
        false
    }
}

//! From blocks to regions.
//!
//! A block is written inside of the region of the block that dominates it, so all values that it uses are in scope (Ramsey, *Beyond
//! Relooper*, 2022, does the same for WebAssembly). WebAssembly has jumps out of regions, StableHLO has none. So the end of a region is
//! one of several *ways*, and a region gives the number of the way and the arguments of each. Where several ways meet, their block
//! follows in the region of its dominator, under a condition if other ways lead past it.
//!
//! A loop that is left at its head alone becomes a `while` whose condition is the test. Of any other loop with one entry, the `while`
//! runs iterations until one leaves, whose parameters it gives. That iteration is written once more behind the loop: there everything
//! that it computes is in scope for what follows. So such loops inside of each other are copied once for each.

use crate::builder::{Choice, Region};
use crate::function::Emit;
use crate::op::Val;
use crate::refusal::{Reason, Refusal};
use crate::tensor::{Element, Tensor, leaves};
use crate::world::{HEAP, Parts, STATUS, World, either, numbers};
use gradus_ir::cfg::{Loop, Target, Terminator};
use gradus_ir::{GraphId, NodeId};
use rustc_hash::FxHashSet;

/// Branches with no more operations are computed both, and their results chosen: a branch of XLA costs more.
const CHEAP: usize = 40;

/// A value of so many elements is not chosen element by element in place of a branch.
const WIDE: usize = 64;

/// From so many records on the heap is updated in place by branches, which takes long to compile; a smaller one is copied.
const LARGE: i64 = 1 << 14;

/// Where a way leads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Exit {
    /// Out of the function, with its result.
    Return,
    /// To a block, with its arguments; of a loop that is being written, to its next iteration.
    Block(GraphId),
}

/// How a region ends: one of several ways, each with its values. Without any way the end is never reached.
#[derive(Clone, Default, Debug)]
pub struct Outcome {
    ways: Vec<(Exit, Vec<Val>)>,
    /// Which way it is, if there are several.
    which: Option<Val>,
}

impl Outcome {
    pub fn one(exit: Exit, values: Vec<Val>) -> Outcome {
        Outcome { ways: vec![(exit, values)], which: None }
    }

    /// The values of the one way.
    pub fn into_values(self) -> Option<Vec<Val>> {
        self.ways.into_iter().next().map(|(_, values)| values)
    }

    /// The blocks that ways lead to.
    pub fn blocks(&self) -> impl Iterator<Item = GraphId> + '_ {
        self.ways.iter().filter_map(|(exit, _)| match exit {
            Exit::Block(g) => Some(*g),
            Exit::Return => None,
        })
    }
}

/// A loop that is being written.
pub struct Head {
    header: GraphId,
    body: FxHashSet<GraphId>,
    mode: Mode,
    /// The parameters of the iteration.
    params: Vec<Val>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Mode {
    /// The body of a loop that is left at its head.
    Body,
    /// An iteration that may be the last one: it ends with whether it is not, and parameters.
    Any,
    /// The last iteration.
    Last,
}

/// An arm that is written: its text, its end, and the world then.
struct Arm {
    region: Region,
    outcome: Outcome,
    world: World,
}

impl Emit<'_, '_> {
    /// The result of a function whose parameters are bound.
    pub fn body(&mut self, root: GraphId) -> Result<Vec<Val>, Refusal> {
        let outcome = self.region(root)?;
        match outcome.into_values() {
            Some(values) => Ok(values),
            None => {
                let types = leaves(&self.unit.m[root].result, self.unit.room)?;
                Ok(types.into_iter().map(|ty| self.b().zeros(ty)).collect())
            }
        }
    }

    /// A block whose parameters are bound, and all that it dominates.
    pub fn region(&mut self, block: GraphId) -> Result<Outcome, Refusal> {
        let f = self.unit.cfg.function_of(block);
        match f.loops.iter().find(|l| l.header == block) {
            Some(l) if !l.reducible => Err(Reason::Irreducible.at(self.unit.m[block].span)),
            Some(l) => self.whole_loop(l),
            None => self.iteration(block),
        }
    }

    fn iteration(&mut self, block: GraphId) -> Result<Outcome, Refusal> {
        if self.b().operations() > crate::MOST_OPERATIONS {
            return Err(Reason::TooLarge.at(self.unit.m[block].span));
        }
        self.rest(block, None)
    }

    /// The nodes of a block behind one of them, if that is given, and all that the block dominates.
    pub fn rest(&mut self, block: GraphId, behind: Option<NodeId>) -> Result<Outcome, Refusal> {
        let m = self.unit.m;
        match self.nodes(block, behind)? {
            Some(call) => {
                if let Some(last) = self.last_if_any() {
                    return Ok(last);
                }
                let args = self.all_values(&m[call].inputs()[1..])?;
                self.called(m[call].inputs()[0], args, Some(call), call)
            }
            None => {
                let outcome = self.terminator(block)?;
                self.merges(block, outcome)
            }
        }
    }

    /// The blocks that a block dominates and that several ways lead to, in an order in which each comes before those that it leads to.
    fn merges(&mut self, block: GraphId, mut outcome: Outcome) -> Result<Outcome, Refusal> {
        let cfg = self.unit.cfg;
        let below: Vec<GraphId> =
            cfg.function_of(block).blocks.iter().copied().filter(|&b| cfg.idom(b) == Some(block) && !self.is_inline(b)).collect();
        for next in below {
            outcome = self.meet(outcome, next)?;
        }
        Ok(outcome)
    }

    /// The block that some ways lead to, after what leads there.
    pub fn meet(&mut self, mut outcome: Outcome, next: GraphId) -> Result<Outcome, Refusal> {
        let Some(at) = outcome.ways.iter().position(|(exit, _)| *exit == Exit::Block(next)) else { return Ok(outcome) };
        let (_, values) = outcome.ways.remove(at);
        let Some(which) = outcome.which.clone() else {
            self.bind_params(next, &values);
            return self.region(next);
        };
        let number = self.number(Exit::Block(next));
        let number = self.b().int(Tensor::scalar(Element::I32), number);
        let here = self.b().compare("EQ", &which, &number);
        let rest = match outcome.ways.len() {
            1 => Outcome { which: None, ..outcome },
            _ => outcome,
        };
        self.choose(
            &here,
            |e| {
                e.bind_params(next, &values);
                e.region(next)
            },
            |_| Ok(rest),
        )
    }

    /// Whether a block is written where the one jump to it is.
    fn is_inline(&self, block: GraphId) -> bool {
        let cfg = self.unit.cfg;
        let f = cfg.function_of(block);
        // Jumps back to the head of a loop are none of its entries.
        let entries = f.blocks.iter().flat_map(|&b| cfg.terminator(b).successors().map(move |s| (b, s)));
        entries.filter(|&(from, to)| to == block && !cfg.dominates(block, from)).count() == 1
    }

    fn terminator(&mut self, block: GraphId) -> Result<Outcome, Refusal> {
        let m = self.unit.m;
        let terminator = self.unit.cfg.terminator(block);
        match terminator {
            Terminator::Return(value) => {
                let values = self.values(value)?;
                self.leave(values)
            }
            Terminator::Jump { target, call } => {
                let args = self.all_values(&m[call].inputs()[1..])?;
                self.go(Target::Block(target), args, call)
            }
            Terminator::Branch { cond, arms, call } => {
                let cond = self.value(cond)?;
                let args = self.all_values(&m[call].inputs()[1..])?;
                let [then, otherwise] = arms;
                let other = args.clone();
                self.choose(&cond, |e| e.go(then, args, call), |e| e.go(otherwise, other, call))
            }
            Terminator::TailCall { call } => {
                if let Some(last) = self.last_if_any() {
                    return Ok(last);
                }
                let callee = m[call].inputs()[0];
                if self.is_machine_call(callee) {
                    let args = self.all_values(&m[call].inputs()[1..])?;
                    return self.called(callee, args, None, call);
                }
                let values = self.call(call)?;
                self.leave(values)
            }
        }
    }

    /// Leaves the function, and all loops around, with a result.
    fn leave(&mut self, values: Vec<Val>) -> Result<Outcome, Refusal> {
        if let Some(last) = self.last_if_any() {
            return Ok(last);
        }
        match self.machine {
            Some(_) => self.returned(&values, None),
            None => Ok(Outcome::one(Exit::Return, values)),
        }
    }

    /// The end of an iteration that may be the last one, if one is written.
    fn last_if_any(&mut self) -> Option<Outcome> {
        let at = self.heads.iter().rposition(|h| h.mode == Mode::Any)?;
        Some(self.last_of(at))
    }

    fn go(&mut self, target: Target, args: Vec<Val>, call: NodeId) -> Result<Outcome, Refusal> {
        let block = match target {
            Target::Function(g) => {
                if let Some(last) = self.last_if_any() {
                    return Ok(last);
                }
                if self.machine.as_ref().is_some_and(|machine| machine.contains(g)) {
                    return self.called_graph(g, args, None, call);
                }
                let values = self.call_graph(g, args, self.unit.m[call].span)?;
                return self.leave(values);
            }
            Target::Block(block) => block,
        };
        for at in (0..self.heads.len()).rev() {
            let Head { header, body, mode, .. } = &self.heads[at];
            if *header == block {
                return Ok(match mode {
                    Mode::Body => Outcome::one(Exit::Block(block), args),
                    Mode::Any => {
                        let goes_on = self.b().bool(Tensor::scalar(Element::Pred), true);
                        Outcome::one(Exit::Block(block), [vec![goes_on], args].concat())
                    }
                    // It is not the last one then.
                    Mode::Last => Outcome::default(),
                });
            }
            if *mode == Mode::Any && !body.contains(&block) {
                return Ok(self.last_of(at));
            }
        }
        if self.is_inline(block) {
            self.bind_params(block, &args);
            return self.region(block);
        }
        Ok(Outcome::one(Exit::Block(block), args))
    }

    /// The end of an iteration that leaves the loop.
    fn last_of(&mut self, head: usize) -> Outcome {
        let stops = self.b().bool(Tensor::scalar(Element::Pred), false);
        let Head { header, params, .. } = &self.heads[head];
        Outcome::one(Exit::Block(*header), [&[stops], &params[..]].concat())
    }

    fn number(&self, exit: Exit) -> i64 {
        match exit {
            Exit::Return => 0,
            Exit::Block(g) => self.unit.cfg.index(g) as i64 + 1,
        }
    }

    // --- branches

    /// One of two ways to go on.
    pub fn choose(
        &mut self,
        condition: &Val,
        then: impl FnOnce(&mut Self) -> Result<Outcome, Refusal>,
        otherwise: impl FnOnce(&mut Self) -> Result<Outcome, Refusal>,
    ) -> Result<Outcome, Refusal> {
        let (before, mark) = (self.world.clone(), self.b().mark());
        let a = self.arm(then)?;
        self.world = before.clone();
        let b = self.arm(otherwise)?;
        // What is never reached needs no condition.
        if a.outcome.ways.is_empty() || b.outcome.ways.is_empty() {
            let reached = if a.outcome.ways.is_empty() { b } else { a };
            self.b().splice(reached.region);
            self.world = reached.world;
            return Ok(reached.outcome);
        }
        let changed: Parts = [0, 1, 2].map(|part| [&a, &b].iter().any(|arm| arm.world[part] != before[part]));
        let mut exits: Vec<Exit> = Vec::new();
        for (exit, _) in a.outcome.ways.iter().chain(&b.outcome.ways) {
            if !exits.contains(exit) {
                exits.push(*exit);
            }
        }
        exits.sort_by_key(|&exit| self.number(exit));
        let is_cheap = |arm: &Arm| {
            let is_narrow = |v: &Val| v.ty.count() <= WIDE || v.id < mark;
            let values = arm.outcome.ways.iter().flat_map(|(_, values)| values);
            !arm.region.is_compound && arm.region.operations <= CHEAP && values.into_iter().all(is_narrow)
        };
        if changed == Parts::default() && is_cheap(&a) && is_cheap(&b) {
            Ok(self.select_outcome(condition, a, b, &exits))
        } else {
            Ok(self.branch_outcome(condition, [a, b], &exits, mark, &numbers(changed), before))
        }
    }

    /// The same of two ways to values.
    pub fn choose_values(
        &mut self,
        condition: &Val,
        then: impl FnOnce(&mut Self) -> Result<Vec<Val>, Refusal>,
        otherwise: impl FnOnce(&mut Self) -> Result<Vec<Val>, Refusal>,
    ) -> Result<Vec<Val>, Refusal> {
        let ends = |values| Outcome::one(Exit::Return, values);
        let outcome = self.choose(condition, |e| then(e).map(ends), |e| otherwise(e).map(ends))?;
        Ok(outcome.into_values().unwrap_or_default())
    }

    /// Both arms computed, and the values of one chosen.
    fn select_outcome(&mut self, condition: &Val, a: Arm, b: Arm, exits: &[Exit]) -> Outcome {
        self.b().splice(a.region);
        self.b().splice(b.region);
        let mut ways = Vec::new();
        for &exit in exits {
            let values = match [a.outcome.values(exit), b.outcome.values(exit)] {
                [Some(a), Some(b)] => a.iter().zip(b).map(|(a, b)| self.b().select(condition, a, b)).collect(),
                [Some(values), None] | [None, Some(values)] => values.to_vec(),
                [None, None] => Vec::new(),
            };
            ways.push((exit, values));
        }
        let which = (exits.len() > 1).then(|| {
            let [a, b] = [self.which(&a.outcome), self.which(&b.outcome)];
            self.b().select(condition, &a, &b)
        });
        Outcome { ways, which }
    }

    /// A branch that gives the values of either arm; what is from outside of it need not be given.
    fn branch_outcome(
        &mut self,
        condition: &Val,
        [a, b]: [Arm; 2],
        exits: &[Exit],
        mark: usize,
        changed: &[usize],
        before: World,
    ) -> Outcome {
        let mut given: Vec<(Tensor, [Option<Val>; 2])> = Vec::new();
        // The values of each way: known, or by the position among what is given.
        let mut ways: Vec<(Exit, Vec<Result<Val, usize>>)> = Vec::new();
        for &exit in exits {
            let [of_a, of_b] = [a.outcome.values(exit), b.outcome.values(exit)];
            let count = of_a.or(of_b).map_or(0, <[Val]>::len);
            let values = (0..count).map(|i| {
                let pair = [of_a, of_b].map(|values| values.map(|v| v[i].clone()));
                match &pair {
                    [Some(a), Some(b)] if a == b && a.id < mark => return Ok(a.clone()),
                    [Some(v), None] | [None, Some(v)] if v.id < mark => return Ok(v.clone()),
                    _ => {}
                }
                let ty = pair.iter().flatten().next().expect("one of them has it").ty;
                given.push((ty, pair));
                Err(given.len() - 1)
            });
            ways.push((exit, values.collect()));
        }
        let mut types: Vec<Tensor> = given.iter().map(|(ty, _)| *ty).collect();
        let has_which = exits.len() > 1;
        let scalar = Tensor::scalar(Element::I32);
        types.extend(has_which.then_some(scalar));
        types.extend(changed.iter().map(|&part| self.unit.part_type(part)));
        let mut arms = Vec::new();
        for (i, arm) in [a, b].into_iter().enumerate() {
            self.b().reopen(arm.region);
            let mut values: Vec<Val> = Vec::new();
            for (ty, pair) in &given {
                values.push(pair[i].clone().unwrap_or_else(|| self.b().zeros(*ty)));
            }
            if has_which {
                values.push(self.which(&arm.outcome));
            }
            self.world = arm.world;
            values.extend(changed.iter().map(|&part| self.part(part)));
            arms.push((self.b().close(), values));
        }
        let mut results = self.alternatives(Choice::If(condition), arms, &types, changed, before);
        for &part in changed.iter().rev() {
            self.world[part] = results.pop();
        }
        let which = if has_which { results.pop() } else { None };
        let known = |v: Result<Val, usize>| v.unwrap_or_else(|i| results[i].clone());
        let ways = ways.into_iter().map(|(exit, values)| (exit, values.into_iter().map(known).collect())).collect();
        Outcome { ways, which }
    }

    /// The values that one of several arms gives, the last of which are parts of the world.
    pub fn alternatives(
        &mut self,
        choice: Choice,
        arms: Vec<(Region, Vec<Val>)>,
        types: &[Tensor],
        changed: &[usize],
        before: World,
    ) -> Vec<Val> {
        if !changed.contains(&HEAP) || self.unit.depth < LARGE {
            return self.b().branch(choice, arms, types);
        }
        self.world = before;
        let before: Vec<Val> = changed.iter().map(|&part| self.part(part)).collect();
        self.b().branch_in_place(choice, arms, types, &before)
    }

    fn arm(&mut self, write: impl FnOnce(&mut Self) -> Result<Outcome, Refusal>) -> Result<Arm, Refusal> {
        self.b().open(false);
        let outcome = write(self);
        let region = self.b().close();
        Ok(Arm { region, outcome: outcome?, world: self.world.clone() })
    }

    /// The number of the way that an outcome is.
    fn which(&mut self, outcome: &Outcome) -> Val {
        match &outcome.which {
            Some(which) => which.clone(),
            None => {
                let number = outcome.ways.first().map_or(0, |(exit, _)| self.number(*exit));
                self.b().int(Tensor::scalar(Element::I32), number)
            }
        }
    }

    // --- loops

    fn whole_loop(&mut self, l: &Loop) -> Result<Outcome, Refusal> {
        let (m, unit) = (self.unit.m, &self.unit);
        let header = l.header;
        let changed = numbers(l.body.iter().fold(Parts::default(), |parts, &b| either(parts, unit.parts(b, &unit.worlds))));
        let body: FxHashSet<GraphId> = l.body.iter().copied().collect();
        let machine = self.machine.as_ref();
        let waits = l.body.iter().flat_map(|&b| unit.nest.schedule(b)).any(|&n| machine.is_some_and(|machine| machine.waits(n)));
        let stays = |target: Target| matches!(target, Target::Block(g) if body.contains(&g));
        // The way on, and the way out, of a loop that is left at its head alone.
        let test = match unit.cfg.terminator(header) {
            Terminator::Branch { cond, arms: [a, b], call } if !waits && l.exits.iter().all(|(from, _)| *from == header) => {
                match [stays(a), stays(b)] {
                    [true, false] => Some((cond, true, a, b, call)),
                    [false, true] => Some((cond, false, b, a, call)),
                    _ => None,
                }
            }
            _ => None,
        };
        let params = self.all_values(&m[header].params)?;
        let going = test.is_none().then(|| self.b().bool(Tensor::scalar(Element::Pred), true));
        let mut start: Vec<Val> = going.into_iter().chain(params).collect();
        let outside = self.world.clone();
        start.extend(changed.iter().map(|&part| self.part(part)));
        let types: Vec<Tensor> = start.iter().map(|v| v.ty).collect();

        // The condition.
        self.b().open(true);
        let inside = self.b().params(types.clone());
        let first = self.enter(header, test.is_none(), &changed, &inside);
        let mut goes_on = match test {
            Some((cond, holds, ..)) => {
                self.nodes(header, None)?;
                let cond = self.value(cond)?;
                if holds { cond } else { self.b().same("not", &[&cond]) }
            }
            None => first.expect("such a loop says whether it goes on"),
        };
        // With numbers that a trap has left, a loop need not end.
        if self.world[STATUS].is_some() {
            let status = self.status();
            let zero = self.b().zeros(status.ty);
            let is_sound = self.b().compare("EQ", &status, &zero);
            goes_on = self.b().same("and", &[&goes_on, &is_sound]);
        }
        self.b().leave(&[goes_on]);
        let condition = (inside, self.b().close());

        // The body.
        self.b().open(true);
        let inside = self.b().params(types.clone());
        self.world = outside.clone();
        self.enter(header, test.is_none(), &changed, &inside);
        let own = self.all_values(&m[header].params)?;
        let mode = if test.is_some() { Mode::Body } else { Mode::Any };
        self.heads.push(Head { header, body: body.clone(), mode, params: own });
        let outcome = match test {
            Some((_, _, on, _, call)) => {
                self.nodes(header, None)?;
                let args = self.all_values(&m[call].inputs()[1..])?;
                let outcome = self.go(on, args, call)?;
                self.merges(header, outcome)?
            }
            None => self.iteration(header)?,
        };
        self.heads.pop();
        let mut values = match outcome.into_values() {
            Some(values) => values,
            None => types[..types.len() - changed.len()].iter().map(|&ty| self.b().zeros(ty)).collect(),
        };
        values.extend(changed.iter().map(|&part| self.part(part)));
        self.b().leave(&values);
        let iteration = (inside, self.b().close());
        let start: Vec<&Val> = start.iter().collect();
        let results = match types.is_empty() {
            // A loop without parameters is left at once, or never.
            true => Vec::new(),
            false => self.b().compound("while", &start, vec![condition, iteration], Vec::new(), &types),
        };

        // The way out.
        self.world = outside;
        self.enter(header, test.is_none(), &changed, &results);
        self.heads.push(Head { header, body, mode: Mode::Last, params: Vec::new() });
        let outcome = match test {
            Some((_, _, _, out, call)) => {
                self.nodes(header, None)?;
                let args = self.all_values(&m[call].inputs()[1..])?;
                let outcome = self.go(out, args, call)?;
                self.merges(header, outcome)?
            }
            None => self.iteration(header)?,
        };
        self.heads.pop();
        Ok(outcome)
    }

    /// Binds the parameters of a loop's head to what the loop carries: whether it goes on, parameters, parts of the world. Gives the first.
    fn enter(&mut self, header: GraphId, says_going: bool, changed: &[usize], carried: &[Val]) -> Option<Val> {
        let (own, world) = carried.split_at(carried.len() - changed.len());
        for (&part, value) in changed.iter().zip(world) {
            self.world[part] = Some(value.clone());
        }
        let (going, params) = own.split_at(usize::from(says_going));
        self.bind_params(header, params);
        going.first().cloned()
    }
}

impl Outcome {
    fn values(&self, exit: Exit) -> Option<&[Val]> {
        self.ways.iter().find(|(e, _)| *e == exit).map(|(_, values)| &values[..])
    }
}

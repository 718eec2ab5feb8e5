//! Recursion, with a stack of our own: XLA has none.
//!
//! Functions that call each other become one `while` over a machine. An iteration runs a function from its beginning, or from behind a
//! call that has returned, up to the next call or its result. A call pushes a frame: the number of the place, and the values that are
//! needed behind it. A result pops one. Frames are buffers with room for [`crate::Options::trips`] of them, as tapes are.
//!
//! What follows a call is written once more for each place: a region cannot be entered in its middle.

use crate::builder::{Choice, Region};
use crate::flow::{Exit, Outcome};
use crate::function::Emit;
use crate::module::{Fault, Unit};
use crate::op::Val;
use crate::refusal::{Reason, Refusal};
use crate::tensor::{Element, Tensor, leaves};
use crate::world::{STATUS, World, numbers};
use gradus_ir::cfg::{Cfg, Terminator};
use gradus_ir::{GraphId, Kind, Module, Nest, NodeId, Prim, Type};
use rustc_hash::FxHashSet;

/// No stack takes more bytes.
const MOST_BYTES: i64 = 1 << 31;

/// A place where a function waits for another.
pub struct Site {
    block: GraphId,
    call: NodeId,
    /// The values that are needed when it goes on.
    live: Vec<NodeId>,
    /// Where the tensors of these are in a frame.
    slots: Vec<usize>,
}

/// Functions that call each other, and what their machine keeps.
pub struct Machine {
    functions: Vec<GraphId>,
    sites: Vec<Site>,
    /// The tensors of the arguments of each function, its free variables among them.
    arguments: Vec<Vec<Tensor>>,
    /// The tensors of results, each list once.
    results: Vec<Vec<Tensor>>,
    /// The tensors of a frame.
    frame: Vec<Tensor>,
}

/// The graphs that a callee may be, if it is known.
fn callees(m: &Module, callee: NodeId, found: &mut Vec<GraphId>) {
    if let Some(g) = m.as_graph(callee) {
        found.push(g);
        return;
    }
    match m.as_prim(callee) {
        Some(Prim::Partial) => callees(m, m[callee].inputs()[0], found),
        Some(Prim::Select) => m[callee].inputs()[1..].iter().for_each(|&arm| callees(m, arm, found)),
        _ => {}
    }
}

/// The nodes of a block that wait for one of these functions.
fn waiting<'c>(
    m: &'c Module,
    nest: &'c Nest,
    cfg: &Cfg,
    functions: &'c [GraphId],
    block: GraphId,
) -> impl Iterator<Item = NodeId> + 'c {
    let last = match cfg.terminator(block) {
        Terminator::Return(_) => None,
        Terminator::Jump { call, .. } | Terminator::Branch { call, .. } | Terminator::TailCall { call } => Some(call),
    };
    nest.schedule(block).iter().copied().filter(move |&n| {
        let mut found = Vec::new();
        if m[n].kind == Kind::Call && Some(n) != last {
            callees(m, m[n].inputs()[0], &mut found);
        }
        found.iter().any(|g| functions.contains(g))
    })
}

impl Machine {
    /// The machine of functions that call each other.
    pub fn new(unit: &Unit, functions: &[GraphId]) -> Result<Machine, Refusal> {
        let (m, nest, cfg) = (unit.m, unit.nest, unit.cfg);
        let tensors = |ty: &Type, g: GraphId| leaves(ty, unit.room).map_err(|r| r.at(m[g].span));
        let mut machine = Machine {
            functions: functions.to_vec(),
            sites: Vec::new(),
            arguments: Vec::new(),
            results: Vec::new(),
            frame: Vec::new(),
        };
        for &g in functions {
            let inputs: Vec<NodeId> = m[g].params.iter().copied().chain(nest.free(g)).collect();
            let types = inputs.iter().map(|&n| tensors(&m[n].ty, g)).collect::<Result<Vec<_>, _>>()?.concat();
            machine.arguments.push(types);
            let result = tensors(&m[g].result, g)?;
            if !machine.results.contains(&result) {
                machine.results.push(result);
            }
        }
        for &g in functions {
            for &block in &cfg.function_of(g).blocks {
                for call in waiting(m, nest, cfg, functions, block) {
                    let result = tensors(&m[call].ty, block)?;
                    if !machine.results.contains(&result) {
                        machine.results.push(result);
                    }
                    let live = live(m, nest, cfg, block, call);
                    let mut slots = Vec::new();
                    for &n in &live {
                        for ty in tensors(&m[n].ty, block)? {
                            slots.push(machine.slot(ty, &slots));
                        }
                    }
                    machine.sites.push(Site { block, call, live, slots });
                }
            }
        }
        let bytes: i64 = machine.frame.iter().map(|ty| ty.count() as i64 * 8).sum();
        if bytes.saturating_mul(unit.depth) > MOST_BYTES {
            return Err(Reason::Stack.at(m[functions[0]].span));
        }
        Ok(machine)
    }

    /// A place in frames for a tensor, beside those that are taken.
    fn slot(&mut self, ty: Tensor, taken: &[usize]) -> usize {
        let free = (0..self.frame.len()).find(|i| self.frame[*i] == ty && !taken.contains(i));
        free.unwrap_or_else(|| {
            self.frame.push(ty);
            self.frame.len() - 1
        })
    }

    pub fn contains(&self, g: GraphId) -> bool {
        self.functions.contains(&g)
    }

    /// Whether a call that is no jump waits for one of the functions.
    pub fn waits(&self, call: NodeId) -> bool {
        self.sites.iter().any(|site| site.call == call)
    }

    /// What `next` is when a function has returned.
    fn returned(&self) -> i64 {
        self.functions.len() as i64
    }

    /// The types of a state: what comes next, whether a frame is pushed, its place; arguments, results, the frame.
    fn types(&self) -> Vec<Tensor> {
        let own = [Element::I32, Element::Pred, Element::I32].map(Tensor::scalar);
        [&own[..], &self.arguments.concat(), &self.results.concat(), &self.frame].concat()
    }

    fn result_start(&self, types: &[Tensor]) -> Option<usize> {
        let at = self.results.iter().position(|known| known == types)?;
        Some(self.results[..at].iter().map(Vec::len).sum())
    }
}

/// The values that are needed behind a call: those of the blocks that dominate it, of the block before it, and of functions around.
fn live(m: &Module, nest: &Nest, cfg: &Cfg, block: GraphId, call: NodeId) -> Vec<NodeId> {
    let schedule = nest.schedule(block);
    let at = schedule.iter().position(|&n| n == call).unwrap_or(schedule.len());
    let (before, after) = schedule.split_at(at);
    let mut reached: Vec<GraphId> = Vec::new();
    let mut work: Vec<GraphId> = cfg.terminator(block).successors().collect();
    while let Some(b) = work.pop() {
        if !reached.contains(&b) {
            reached.push(b);
            work.extend(cfg.terminator(b).successors());
        }
    }
    let root = cfg.function_of(block).root;
    let mut seen: FxHashSet<NodeId> = FxHashSet::default();
    let mut found = Vec::new();
    // The call's own operands are not needed any more.
    let nodes = after.iter().skip(1).chain(reached.iter().flat_map(|&b| nest.schedule(b)));
    let mut used: Vec<NodeId> = nodes.flat_map(|&n| m[n].inputs()).copied().collect();
    for &b in reached.iter().chain([&block]) {
        match cfg.terminator(b) {
            Terminator::Return(value) => used.push(value),
            Terminator::Jump { call, .. } | Terminator::Branch { call, .. } | Terminator::TailCall { call } => {
                used.extend(m[call].inputs());
            }
        }
    }
    while let Some(n) = used.pop() {
        if n == call || !seen.insert(n) {
            continue;
        }
        if let Some(g) = m.as_graph(n) {
            if cfg.is_function(g) {
                used.extend(nest.free(g));
            }
            continue;
        }
        let Some(home) = m[n].graph else { continue };
        // Functions are looked up where they are called.
        if m[n].ty.is_fn() && m[n].kind != Kind::Param {
            used.extend(m[n].inputs());
            continue;
        }
        let is_inside = cfg.function_of(home).root == root;
        let is_before = home != block || m[n].kind == Kind::Param || before.contains(&n);
        if !is_inside || cfg.dominates(home, block) && is_before {
            found.push(n);
        }
    }
    found.sort_unstable();
    found
}

/// Where each of several lists begins when they are put together.
fn starts(lists: &[Vec<Tensor>]) -> Vec<usize> {
    lists.iter().scan(0, |at, list| Some(std::mem::replace(at, *at + list.len()))).collect()
}

impl Emit<'_, '_> {
    /// The function of a machine that begins with one of its functions, whose arguments these are. Gives the result.
    pub fn machine(&mut self, machine: Machine, start: GraphId, arguments: &[Val]) -> Result<Vec<Val>, Refusal> {
        let (m, depth_limit) = (self.unit.m, self.unit.depth);
        let first = machine.functions.iter().position(|&g| g == start).expect("it begins with one of its functions");
        let result = leaves(&m[start].result, self.unit.room)?;
        let types = machine.types();
        let (own, frame_at) = (types[3..types.len() - machine.frame.len()].to_vec(), types.len() - machine.frame.len());
        let (number, index) = (Tensor::scalar(Element::I32), Tensor::scalar(Element::I64));
        let returned = machine.returned();
        let result_start = machine.result_start(&result).expect("its result is one of them");
        let argument_starts: Vec<usize> = starts(&machine.arguments);
        let result_at = machine.arguments.concat().len();
        // There is room for one more frame, which is written where none is pushed.
        let buffers: Vec<Tensor> =
            std::iter::once(number).chain(machine.frame.clone()).map(|ty| ty.stacked(depth_limit + 1)).collect();
        let parts = numbers(self.unit.worlds[&start]);
        let part_types: Vec<Tensor> = parts.iter().map(|&part| self.unit.part_type(part)).collect();
        let carried: Vec<Tensor> = [&part_types[..], &[number, index], &own[..], &buffers].concat();
        let next = self.b().int(number, first as i64);
        let zero = self.b().int(index, 0);
        let mut state: Vec<Val> = parts.iter().map(|&part| self.part(part)).collect();
        state.extend([next, zero]);
        for (i, &ty) in own.iter().enumerate() {
            let given = i.checked_sub(argument_starts[first]).and_then(|i| arguments.get(i));
            let value = match given {
                Some(value) if i < result_at => value.clone(),
                _ => self.b().zeros(ty),
            };
            state.push(value);
        }
        for &ty in &buffers {
            let value = self.b().zeros(ty);
            state.push(value);
        }

        // It goes on unless the first function has returned, or something has gone wrong.
        self.b().open(true);
        let inside = self.b().params(carried.clone());
        let own_at = parts.len();
        let zero = self.b().int(number, 0);
        let is_sound = self.b().compare("EQ", &inside[STATUS], &zero);
        let at_end = self.b().int(number, returned);
        let is_running = self.b().compare("NE", &inside[own_at], &at_end);
        let bottom = self.b().int(index, 0);
        let has_frames = self.b().compare("GT", &inside[own_at + 1], &bottom);
        let goes_on = self.b().same("or", &[&is_running, &has_frames]);
        let goes_on = self.b().same("and", &[&goes_on, &is_sound]);
        self.b().leave(&[goes_on]);
        let condition = (inside, self.b().close());

        self.b().open(true);
        let inside = self.b().params(carried.clone());
        let [next, depth] = [0, 1].map(|i| inside[own_at + i].clone());
        let (values, buffers) = inside[own_at + 2..].split_at(own.len());
        let (values, buffers) = (values.to_vec(), buffers.to_vec());
        let mut world = World::default();
        for (&part, value) in parts.iter().zip(&inside) {
            world[part] = Some(value.clone());
        }
        let (zero, one) = (self.b().int(index, 0), self.b().int(index, 1));
        let below = self.b().same("subtract", &[&depth, &one]);
        let top = self.b().same("maximum", &[&below, &zero]);
        let frame: Vec<Val> = buffers.iter().map(|buffer| self.record(buffer, &top)).collect();
        let at_end = self.b().int(number, returned);
        let is_return = self.b().compare("EQ", &next, &at_end);
        let behind = self.b().same("add", &[&frame[0], &at_end]);
        let which = self.b().select(&is_return, &behind, &next);
        self.machine = Some(machine);
        let mut arms = Vec::new();
        let (functions, sites) = {
            let machine = self.machine.as_ref().expect("it is there");
            (machine.functions.clone(), machine.sites.len())
        };
        for (i, g) in functions.into_iter().enumerate() {
            let start = argument_starts[i];
            let nodes: Vec<NodeId> = m[g].params.iter().copied().chain(self.unit.nest.free(g)).collect();
            arms.push(self.state_arm(&world, &types, |e| {
                e.bind_all(&nodes, &values[start..])?;
                e.region(g)
            })?);
        }
        for site in 0..sites {
            arms.push(self.state_arm(&world, &types, |e| e.resume(site, &frame[1..], &values[result_at..]))?);
        }
        self.machine = None;
        let given: Vec<Tensor> = types.iter().chain(&part_types).copied().collect();
        let mut results = self.alternatives(Choice::Case(&which), arms, &given, &parts, world.clone());
        for (&part, value) in parts.iter().zip(results.drain(types.len()..)) {
            self.world[part] = Some(value);
        }
        let [next, pushes, site] = [0, 1, 2].map(|i| results[i].clone());
        let popped = self.b().convert(&is_return, Element::I64);
        let depth = self.b().same("subtract", &[&depth, &popped]);
        let limit = self.b().int(index, depth_limit);
        let is_full = self.b().compare("GE", &depth, &limit);
        let is_full = self.b().same("and", &[&is_full, &pushes]);
        self.fault_if(&is_full, Fault::Full);
        let pushed: Vec<Val> = std::iter::once(site).chain(results[frame_at..].to_vec()).collect();
        let buffers: Vec<Val> =
            buffers.iter().zip(&pushed).map(|(buffer, part)| self.with_record(buffer, part, &depth)).collect();
        let pushed = self.b().convert(&pushes, Element::I64);
        let depth = self.b().same("add", &[&depth, &pushed]);
        let world: Vec<Val> = parts.iter().map(|&part| self.part(part)).collect();
        let values = [world, vec![next, depth], results[3..frame_at].to_vec(), buffers].concat();
        self.b().leave(&values);
        let body = (inside, self.b().close());
        let state: Vec<&Val> = state.iter().collect();
        let results = self.b().compound("while", &state, vec![condition, body], Vec::new(), &carried);
        for (&part, value) in parts.iter().zip(&results) {
            self.world[part] = Some(value.clone());
        }
        let at = own_at + 2 + result_at + result_start;
        Ok(results[at..at + result.len()].to_vec())
    }

    /// An arm of the machine: it ends with a state and the world.
    fn state_arm(
        &mut self,
        world: &World,
        types: &[Tensor],
        write: impl FnOnce(&mut Self) -> Result<Outcome, Refusal>,
    ) -> Result<(Region, Vec<Val>), Refusal> {
        self.b().open(false);
        self.world = world.clone();
        let outcome = write(self)?;
        let mut values = match outcome.into_values() {
            Some(values) => values,
            None => types.iter().map(|&ty| self.b().zeros(ty)).collect(),
        };
        let parts = (0..world.len()).filter(|&part| world[part].is_some());
        values.extend(parts.map(|part| self.part(part)));
        Ok((self.b().close(), values))
    }

    /// Goes on behind a call that has returned.
    fn resume(&mut self, site: usize, frame: &[Val], results: &[Val]) -> Result<Outcome, Refusal> {
        let (m, cfg) = (self.unit.m, self.unit.cfg);
        let machine = self.machine.as_ref().expect("a machine is written");
        let Site { block, call, live, slots } = &machine.sites[site];
        let (block, call, live) = (*block, *call, live.clone());
        let values: Vec<Val> = slots.iter().map(|&slot| frame[slot].clone()).collect();
        let types = leaves(&m[call].ty, self.unit.room)?;
        let start = machine.result_start(&types).expect("the result of each call is one of them");
        self.bind_all(&live, &values)?;
        self.bind(call, results[start..start + types.len()].to_vec());
        let mut outcome = self.rest(block, Some(call))?;
        // Blocks that other ways lead to as well, the heads of loops around last.
        let f = cfg.function_of(block);
        let order = |b: GraphId| {
            let around = f.loops.iter().find(|l| l.header == b && l.body.contains(&block));
            (around.map(|l| u32::MAX - l.depth), cfg.index(b))
        };
        while let Some(next) = outcome.blocks().min_by_key(|&b| order(b)) {
            outcome = self.meet(outcome, next)?;
        }
        Ok(outcome)
    }

    /// Lets nodes stand for values, one after the other.
    fn bind_all(&mut self, nodes: &[NodeId], values: &[Val]) -> Result<(), Refusal> {
        let mut values = values.iter().cloned();
        for &n in nodes {
            let count = self.leaves(&self.unit.m[n].ty).map_err(|r| r.at(self.unit.m[n].span))?.len();
            let own = values.by_ref().take(count).collect();
            self.bind(n, own);
        }
        Ok(())
    }

    /// A state: what comes next, the place that waits with the values it needs, and arguments or a result.
    fn state(&mut self, next: i64, site: Option<usize>, given: &[Val], start: usize) -> Result<Outcome, Refusal> {
        let machine = self.machine.as_ref().expect("a machine is written");
        let types = machine.types();
        let frame_at = types.len() - machine.frame.len();
        let waiting = site.map(|i| (machine.sites[i].live.clone(), machine.sites[i].slots.clone()));
        let mut values: Vec<Option<Val>> = vec![None; types.len()];
        values[0] = Some(self.b().int(types[0], next));
        values[1] = Some(self.b().bool(types[1], site.is_some()));
        values[2] = Some(self.b().int(types[2], site.unwrap_or(0) as i64));
        for (i, value) in given.iter().enumerate() {
            values[3 + start + i] = Some(value.clone());
        }
        if let Some((live, slots)) = waiting {
            let kept = self.all_values(&live)?;
            for (slot, value) in slots.into_iter().zip(kept) {
                values[frame_at + slot] = Some(value);
            }
        }
        let values = values.into_iter().zip(types).map(|(value, ty)| value.unwrap_or_else(|| self.b().zeros(ty))).collect();
        Ok(Outcome::one(Exit::Return, values))
    }

    /// The state of a function that has returned.
    pub fn returned(&mut self, values: &[Val], site: Option<usize>) -> Result<Outcome, Refusal> {
        let machine = self.machine.as_ref().expect("a machine is written");
        let types: Vec<Tensor> = values.iter().map(|v| v.ty).collect();
        let start = machine.arguments.concat().len() + machine.result_start(&types).ok_or(Reason::Untyped)?;
        self.state(machine.returned(), site, values, start)
    }

    /// The state of a call for which a place waits, or nothing, if the call is the last thing that a function does.
    pub fn called(&mut self, callee: NodeId, args: Vec<Val>, waiting: Option<NodeId>, call: NodeId) -> Result<Outcome, Refusal> {
        let m = self.unit.m;
        if let Some(g) = m.as_graph(callee) {
            return self.called_graph(g, args, waiting, call);
        }
        let inputs = m[callee].inputs();
        match m.as_prim(callee) {
            Some(Prim::Partial) => {
                let bound = self.all_values(&inputs[1..])?;
                self.called(inputs[0], [bound, args].concat(), waiting, call)
            }
            Some(Prim::Select) => {
                let condition = self.value(inputs[0])?;
                let other = args.clone();
                self.choose(
                    &condition,
                    |e| e.called(inputs[1], args, waiting, call),
                    |e| e.called(inputs[2], other, waiting, call),
                )
            }
            _ => Err(Reason::UnknownFunction.at(m[call].span)),
        }
    }

    pub fn called_graph(
        &mut self,
        g: GraphId,
        args: Vec<Val>,
        waiting: Option<NodeId>,
        call: NodeId,
    ) -> Result<Outcome, Refusal> {
        let machine = self.machine.as_ref().expect("a machine is written");
        let site = waiting.and_then(|n| machine.sites.iter().position(|site| site.call == n));
        match machine.functions.iter().position(|&known| known == g) {
            Some(i) => {
                let start = starts(&machine.arguments)[i];
                let free: Vec<NodeId> = self.unit.nest.free(g).collect();
                let args = [args, self.all_values(&free)?].concat();
                self.state(i as i64, site, &args, start)
            }
            None => {
                let values = self.call_graph(g, args, self.unit.m[call].span)?;
                self.returned(&values, site)
            }
        }
    }

    /// Whether a call may be one of a function of the machine.
    pub fn is_machine_call(&self, callee: NodeId) -> bool {
        let mut found = Vec::new();
        callees(self.unit.m, callee, &mut found);
        self.machine.as_ref().is_some_and(|machine| found.iter().any(|&g| machine.contains(g)))
    }
}

//! A module: its functions, and what may go wrong when it runs.

use crate::builder::Builder;
use crate::capacity;
use crate::function::Emit;
use crate::op::{Code, Function, Layout, Val};
use crate::recursion::Machine;
use crate::refusal::{Reason, Refusal};
use crate::tensor::{Room, Tensor, leaves};
use crate::world::{Parts, STATUS, either, numbers};
use gradus_ir::cfg::Cfg;
use gradus_ir::{ArrayOp, Effect, GraphId, Kind, Module, Nest, NodeId, Prim, Span, TrapKind, Type};
use petgraph::algo::tarjan_scc;
use petgraph::graph::DiGraph;
use rustc_hash::{FxHashMap, FxHashSet};

/// How a program is written.
#[derive(Clone, Debug)]
pub struct Options {
    /// How many records a tape has room for where the program does not say it.
    pub trips: usize,
    /// How many elements a list of numbers has room for, if only the run knows how many it has.
    pub elements: usize,
    /// The name of the module.
    pub name: String,
    /// How arguments lie on several devices.
    pub placement: Placement,
}

impl Default for Options {
    fn default() -> Options {
        Options { trips: 1024, elements: 1024, name: "gradus".into(), placement: Placement::default() }
    }
}

/// A mesh of devices, and the axes of it that the dimensions of arguments and results are split over. A tensor that has no layout here is
/// whole on each device.
#[derive(Clone, Default, Debug)]
pub struct Placement {
    /// The axes of the mesh: names and sizes.
    pub mesh: Vec<(String, usize)>,
    /// For each tensor that goes in, in order, and each of its dimensions, the number of an axis of the mesh, or none.
    pub params: Vec<Layout>,
    /// The same for each tensor that comes out, without the status.
    pub results: Vec<Layout>,
}

/// What the status stands for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Fault {
    /// The program traps at a place.
    Trap(TrapKind, Span),
    /// A tape is full: with more [`Options::trips`] there is an answer.
    Full,
    /// A list is full: with more [`Options::elements`] there is an answer.
    Long,
}

/// A program in StableHLO.
#[derive(Clone, Debug)]
pub struct Program {
    /// The text, whose function `main` is the entry.
    pub text: String,
    /// The tensors that it takes.
    pub params: Vec<Tensor>,
    /// The tensors that it gives, without the status.
    pub results: Vec<Tensor>,
    /// What statuses from 1 on stand for. If there are none, no status is given.
    pub faults: Vec<Fault>,
    /// Whether [`Options::trips`] decides about the room of some tape.
    pub depends_on_trips: bool,
    /// Whether [`Options::elements`] decides about the room of some list.
    pub depends_on_elements: bool,
    code: Code,
}

impl Program {
    /// The program as a portable artifact: the bytes that other tools and later versions of XLA read, whatever becomes of the text.
    ///
    /// Its version of StableHLO is the oldest one that has all that the program needs, 1.0.0 where possible.
    pub fn artifact(&self) -> Vec<u8> {
        crate::artifact::write(&self.code)
    }
}

/// What is known of a module before it is written.
pub struct Unit<'m> {
    pub m: &'m Module,
    pub nest: &'m Nest,
    pub cfg: &'m Cfg,
    /// How many records tapes and vectors have room for.
    pub room: Room,
    /// Whether those of tapes are as many as there can be.
    pub is_exact: bool,
    /// How many frames stacks have room for.
    pub depth: i64,
    /// The functions that call themselves, with those that do so together with them.
    pub cycles: FxHashMap<GraphId, Vec<GraphId>>,
    /// Which parts of the world a function needs.
    pub worlds: FxHashMap<GraphId, Parts>,
    /// The types of what lies in boxes.
    pub contents: Vec<Type>,
    /// The types of sums in which boxes are added.
    pub sums: Vec<Type>,
    /// Their names.
    pub names: FxHashMap<GraphId, String>,
    pub faults: Vec<Fault>,
    pub builder: Builder,
}

/// Writes a typed module whose derivatives are expanded.
pub fn write(m: &Module, options: &Options) -> Result<Program, Refusal> {
    let entry = m.entry.ok_or(Reason::Untyped)?;
    let nest = Nest::new(m, &[entry]);
    let cfg = Cfg::new(m, &nest);
    let (order, cycles) = order(m, &nest, &cfg);
    let pushes = capacity::pushes(m, &nest, &cfg, &order, |g| cycles.contains_key(&g));
    let has_tapes = nest.graphs().iter().flat_map(|&g| nest.schedule(g)).any(|&n| m.as_prim(n) == Some(Prim::Push));
    let depends_on_elements = nest.graphs().iter().flat_map(|&g| nest.schedule(g)).any(|&n| m.as_prim(n) == Some(Prim::Replace));
    let records = pushes.unwrap_or(options.trips as u64).max(1) as i64;
    let room = Room { records, elements: options.elements.max(1) as i64 };
    let order: Vec<GraphId> = order.concat();
    let names = names(m, &order, entry);
    let mut unit = Unit {
        m,
        nest: &nest,
        cfg: &cfg,
        room,
        is_exact: pushes.is_some(),
        depth: options.trips.max(1) as i64,
        cycles,
        worlds: FxHashMap::default(),
        contents: Vec::new(),
        sums: Vec::new(),
        names,
        faults: Vec::new(),
        builder: Builder::default(),
    };
    unit.contents = unit.types(|n| match m.as_prim(n) {
        Some(Prim::Pack) => Some(&m[m[n].inputs()[0]].ty),
        Some(Prim::Unpack) => Some(&m[n].ty),
        _ => None,
    });
    unit.sums = unit.types(|n| (m.as_prim(n) == Some(Prim::Gadd) && has_boxes(&m[n].ty)).then_some(&m[n].ty));
    unit.worlds = worlds(&unit, &order);
    let mut functions = Vec::new();
    let mut size = 0;
    for &g in &order {
        let function = function(&mut unit, g, g == entry, options)?;
        size += function.items.len();
        if size > crate::MOST_OPERATIONS {
            return Err(Reason::TooLarge.at(m[g].span));
        }
        functions.push(function);
    }
    functions.reverse();
    let code = Code { name: identifier(&options.name), mesh: options.placement.mesh.clone(), functions };
    let params = m[entry].params.iter().map(|&p| leaves(&m[p].ty, room)).collect::<Result<Vec<_>, _>>()?.concat();
    let results = leaves(&m[entry].result, room)?;
    let depends_on_trips = has_tapes && !unit.is_exact || !unit.cycles.is_empty() || !unit.contents.is_empty();
    let faults = if unit.worlds[&entry][STATUS] { unit.faults } else { Vec::new() };
    Ok(Program { text: code.to_string(), params, results, faults, depends_on_trips, depends_on_elements, code })
}

/// The functions in groups of those that call each other, callees before callers; and of those that call themselves their group.
fn order(m: &Module, nest: &Nest, cfg: &Cfg) -> (Vec<Vec<GraphId>>, FxHashMap<GraphId, Vec<GraphId>>) {
    let mut calls: DiGraph<GraphId, ()> = DiGraph::new();
    let index: FxHashMap<GraphId, _> = cfg.functions().iter().map(|f| (f.root, calls.add_node(f.root))).collect();
    for f in cfg.functions() {
        for &block in &f.blocks {
            for &n in nest.schedule(block) {
                let callees = m[n].inputs().iter().filter_map(|&i| m.as_graph(i)).filter(|&g| cfg.is_function(g));
                // A jump to the root of its own function is a loop.
                let is_jump = |g: GraphId| g == f.root && (m.is_tail_call(n) || cfg.is_branch(n));
                for g in callees.filter(|&g| !is_jump(g)) {
                    calls.add_edge(index[&f.root], index[&g], ());
                }
            }
        }
    }
    let groups = tarjan_scc(&calls);
    let mut cycles = FxHashMap::default();
    let mut order = Vec::new();
    for group in groups {
        let functions: Vec<GraphId> = group.iter().map(|&i| calls[i]).collect();
        if group.len() > 1 || calls.contains_edge(group[0], group[0]) {
            cycles.extend(functions.iter().map(|&g| (g, functions.clone())));
        }
        order.push(functions);
    }
    (order, cycles)
}

/// A name for each function that no other has.
fn names(m: &Module, order: &[GraphId], entry: GraphId) -> FxHashMap<GraphId, String> {
    let mut taken: FxHashSet<String> = FxHashSet::from_iter(["main".into()]);
    let mut names = FxHashMap::default();
    for &g in order {
        let name = identifier(&m[g].name);
        let mut own = if g == entry { "main".to_owned() } else { name.clone() };
        let mut count = 0;
        while g != entry && !taken.insert(own.clone()) {
            count += 1;
            own = format!("{name}_{count}");
        }
        names.insert(g, own);
    }
    names
}

fn identifier(name: &str) -> String {
    let text: String = name.chars().map(|c| if c.is_ascii_alphanumeric() || "_.$".contains(c) { c } else { '_' }).collect();
    if text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') { text } else { format!("_{text}") }
}

/// Which parts of the world functions need. Callees come before callers.
fn worlds(unit: &Unit, order: &[GraphId]) -> FxHashMap<GraphId, Parts> {
    let mut worlds: FxHashMap<GraphId, Parts> = FxHashMap::default();
    for &g in order {
        let cycle = unit.cycles.get(&g).map_or(&[][..], |functions| functions);
        let mut parts = [!cycle.is_empty(), false, false];
        for &f in cycle.iter().chain([&g]) {
            for &block in &unit.cfg.function_of(f).blocks {
                parts = either(parts, unit.parts(block, &worlds));
                if unit.nest.schedule(block).iter().any(|&n| unit.m.as_prim(n) == Some(Prim::Unpack)) {
                    parts = either(parts, [false, true, true]);
                }
            }
        }
        worlds.insert(g, parts);
    }
    worlds
}

impl<'m> Unit<'m> {
    /// Which parts of the world a block may change, where functions need these.
    pub fn parts(&self, block: GraphId, worlds: &FxHashMap<GraphId, Parts>) -> Parts {
        let mut parts = [false; 3];
        for &n in self.nest.schedule(block) {
            let m = self.m;
            let makes_box = match m.as_prim(n) {
                Some(Prim::Pack) => true,
                Some(Prim::Gadd) => has_boxes(&m[n].ty),
                _ => false,
            };
            parts = either(parts, [self.traps(n) || makes_box, makes_box, makes_box]);
            for g in m[n].inputs().iter().filter_map(|&i| m.as_graph(i)) {
                parts = either(parts, worlds.get(&g).copied().unwrap_or_default());
            }
        }
        parts
    }

    /// The types that a function gives of the nodes of the program, each once.
    fn types(&self, of: impl Fn(NodeId) -> Option<&'m Type>) -> Vec<Type> {
        let mut found = Vec::new();
        for ty in self.nest.graphs().iter().flat_map(|&g| self.nest.schedule(g)).filter_map(|&n| of(n)) {
            if !found.contains(ty) {
                found.push(ty.clone());
            }
        }
        found
    }

    fn traps(&self, n: NodeId) -> bool {
        let Kind::Prim(prim) = self.m[n].kind else { return false };
        let types: Vec<Type> = self.m[n].inputs().iter().map(|&i| self.m[i].ty.clone()).collect();
        match prim {
            Prim::Push => !self.is_exact,
            Prim::Fail | Prim::Replace => true,
            Prim::Array(ArrayOp::Indices, _) => true,
            Prim::Unpack | Prim::Gadd => false,
            _ => prim.effect(&types) == Effect::Trap,
        }
    }

    /// The number of a fault.
    pub fn fault(&mut self, fault: Fault) -> i64 {
        let at = self.faults.iter().position(|&f| f == fault).unwrap_or_else(|| {
            self.faults.push(fault);
            self.faults.len() - 1
        });
        at as i64 + 1
    }
}

/// The operations of a function.
fn function(unit: &mut Unit, g: GraphId, is_entry: bool, options: &Options) -> Result<Function, Refusal> {
    let (m, nest) = (unit.m, unit.nest);
    let world = unit.worlds[&g];
    let free: Vec<NodeId> = nest.free(g).collect();
    let inputs: Vec<NodeId> = m[g].params.iter().copied().chain(free).collect();
    let of_type = |ty: &Type, at: GraphId| leaves(ty, unit.room).map_err(|r| r.at(m[at].span));
    let mut types = of_type(&m[g].result, g)?;
    // Boxes of the program are no data of its callers.
    let is_boxed = |ty: &Type| is_entry && has_boxes(ty);
    if is_boxed(&m[g].result) || m[g].params.iter().any(|&p| is_boxed(&m[p].ty)) {
        return Err(Reason::Boxes.at(m[g].span));
    }
    unit.builder.open(true);
    let mut emit = Emit::new(unit);
    let mut params: Vec<Val> = Vec::new();
    for n in inputs {
        let types = leaves(&m[n].ty, emit.unit.room).map_err(|r| r.at(m[n].span))?;
        let values = emit.b().params(types);
        params.extend(values.clone());
        emit.bind(n, values);
    }
    let count = params.len();
    for part in numbers(world) {
        // The entry begins with an empty heap.
        if is_entry {
            emit.world[part] = (part != STATUS).then(|| emit.part(part));
        } else {
            let ty = emit.unit.part_type(part);
            let given = emit.b().params([ty]).remove(0);
            emit.world[part] = Some(given.clone());
            params.push(given);
        }
    }
    let mut values = match emit.unit.cycles.get(&g).cloned() {
        Some(functions) => {
            let machine = Machine::new(emit.unit, &functions)?;
            emit.machine(machine, g, &params[..count])?
        }
        None => emit.body(g)?,
    };
    // The caller of the program has no use for its heap.
    let given = numbers(world).into_iter().filter(|&part| part == STATUS || !is_entry);
    let parts: Vec<Val> = given.map(|part| emit.part(part)).collect();
    let statuses = parts.len();
    types.splice(0..0, parts.iter().map(|v| v.ty));
    values.splice(0..0, parts);
    unit.builder.leave(&values);
    let placement = &options.placement;
    let layouts = (is_entry && !placement.mesh.is_empty()).then(|| {
        let layout = |list: &[Layout], i: usize| list.get(i).cloned().unwrap_or_default();
        // Every device has the status.
        let of_results = (0..types.len()).map(|i| match i.checked_sub(statuses) {
            Some(i) => layout(&placement.results, i),
            None => Layout::new(),
        });
        [(0..params.len()).map(|i| layout(&placement.params, i)).collect(), of_results.collect()]
    });
    let name = unit.names[&g].clone();
    Ok(Function { name, is_entry, params, results: types, layouts, items: unit.builder.body() })
}

/// Whether there are boxes in values of a type.
fn has_boxes(ty: &Type) -> bool {
    match ty {
        Type::Opaque => true,
        Type::Tuple(items) => items.iter().any(has_boxes),
        Type::Vec(record) => has_boxes(record),
        _ => false,
    }
}

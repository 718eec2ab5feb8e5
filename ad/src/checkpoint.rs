//! Loops that are run again from a few of their states (docs/strategies.md §9).
//!
//! ```text
//! loop(p₁ … pₙ)  ⟶  enter(p₁ … pₙ) = [(V, S) = ruled(all, all.J, all)(V, (p₁ … pₙ)); loop(S₁ … Sₙ)]
//! ```
//!
//! A loop becomes a call of a function with rules, `all`, that takes all steps but the last, which leaves the loop. That one stays where it
//! was, so whatever it computes is in scope behind the loop; its ways back to the header are never taken. The rule of reverse mode runs
//! parts of the loop again. It is a text with names for types, `checkpoint.txt`, so that the schedule can be read as any other program.
//!
//! V are the values from outside that the loop reads. A step hands them on, and all that comes behind the loop reads them as the loop gives
//! them. So their cotangents are summed in the order of stacks, to the bit.

use crate::order;
use crate::tower::has_box;
use gradus_ir::cfg::{Cfg, Loop, Terminator};
use gradus_ir::clone::clone_graphs;
use gradus_ir::parse::parse_into;
use gradus_ir::{Const, Flavor, GraphId, Kind, Module, Nest, NodeId, Prim, Role, Span, Type};
use rustc_hash::{FxHashMap, FxHashSet};

/// The program of the loop and of its derivative.
const TEMPLATE: &str = include_str!("checkpoint.txt");

/// The end of a step's name: a word that no function of Python has for a name.
const STEP: &str = ".while";

/// The graphs that reverse mode goes through: those that a function reaches, but for functions with rules and their rules.
pub fn differentiated(m: &Module, nest: &Nest, function: GraphId) -> FxHashSet<GraphId> {
    let mut found = FxHashSet::from_iter([function]);
    let mut work = vec![function];
    while let Some(g) = work.pop() {
        work.extend(order::refers(m, nest, g, 0).into_iter().filter(|&h| found.insert(h)));
    }
    found
}

/// A loop that is run again from a few of its states.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RunAgain {
    /// The function that it is in.
    pub function: String,
    /// Where it is in the source.
    pub span: Span,
    /// A state: the values that one step gives to the next.
    pub state: Type,
    /// How many states are kept at a time.
    pub slots: usize,
}

/// The name that a function has in the source, which the step of a loop of it bears, too.
pub fn source_name(name: &str) -> &str {
    name.trim_end_matches(STEP)
}

/// Lets one loop in some graphs, an outermost one, be run again from no more than so many states. None where there is no such loop.
pub fn apply(m: &mut Module, nest: &Nest, graphs: &FxHashSet<GraphId>, slots: usize) -> Option<RunAgain> {
    let cfg = Cfg::new(m, nest);
    let mut functions: Vec<GraphId> = cfg.functions().iter().map(|f| f.root).collect();
    functions.retain(|f| graphs.contains(f) && !m.derivatives.keys().any(|(g, _)| g == f));
    let mut loops = functions.iter().flat_map(|&f| cfg.function_of(f).loops.iter());
    let found = loops.find(|l| is_taken(m, nest, l, slots))?;
    let state = tuple_type(m, &m[found.header].params);
    let root = m[cfg.function_of(found.header).root].name.clone();
    let again = RunAgain { function: source_name(&root).into(), span: m[found.header].span, state, slots };
    Outlining::new(m, nest, &cfg, found).run(source_name(&root), slots);
    Some(again)
}

fn tuple_type(m: &Module, nodes: &[NodeId]) -> Type {
    Type::tuple(nodes.iter().map(|&n| m[n].ty.clone()))
}

/// Whether a loop is one of those that are run again.
fn is_taken(m: &Module, nest: &Nest, l: &Loop, slots: usize) -> bool {
    let is_short = l.counter.and_then(|c| c.trip_count(m)).is_some_and(|trips| trips <= slots as u64);
    let varies = m[l.header].params.iter().any(|&p| !m[p].ty.is_inert());
    // A list of run-time length has no size that is fixed.
    let is_fixed = m[l.header].params.iter().all(|&p| !has_box(&m[p].ty));
    l.reducible && varies && is_fixed && !is_short && m.entry != Some(l.header) && !prints(m, nest, &l.body)
}

/// Whether these graphs, or what they call, may print: the text would come again.
fn prints(m: &Module, nest: &Nest, body: &[GraphId]) -> bool {
    let says = |n: NodeId| match m[n].kind {
        Kind::Prim(Prim::Print) => true,
        Kind::Call => !is_known(m, m[n].inputs()[0]),
        _ => false,
    };
    m.prints() && body.iter().flat_map(|&g| differentiated(m, nest, g)).any(|g| nest.schedule(g).iter().any(|&n| says(n)))
}

fn is_known(m: &Module, callee: NodeId) -> bool {
    let is_known = |n: &NodeId| m.as_graph(*n).is_some();
    match m.as_prim(callee) {
        Some(Prim::Select) => m[callee].inputs()[1..].iter().all(is_known),
        Some(Prim::Partial | Prim::Ruled) => is_known(&m[callee].inputs()[0]),
        _ => is_known(&callee),
    }
}

/// A loop on its way into functions of its own.
struct Outlining<'a> {
    m: &'a mut Module,
    nest: &'a Nest,
    cfg: &'a Cfg,
    l: &'a Loop,
    body: FxHashSet<GraphId>,
    /// The values from outside that the loop reads.
    invariants: Vec<NodeId>,
    span: Span,
}

impl<'a> Outlining<'a> {
    fn new(m: &'a mut Module, nest: &'a Nest, cfg: &'a Cfg, l: &'a Loop) -> Self {
        let span = m[l.header].span;
        let mut all = Outlining { m, nest, cfg, l, body: l.body.iter().copied().collect(), invariants: Vec::new(), span };
        let inputs: Vec<NodeId> =
            l.body.iter().flat_map(|&g| nest.schedule(g)).flat_map(|&n| all.m[n].inputs()).copied().collect();
        inputs.into_iter().for_each(|n| all.take_in(n));
        all
    }

    /// Lets a value from outside be an invariant; of a closure, what it captures, so that the function stays known.
    fn take_in(&mut self, n: NodeId) {
        if self.m[n].graph.is_none_or(|g| self.body.contains(&g)) || self.invariants.contains(&n) || self.cfg.is_branch(n) {
            return;
        }
        match self.is_closure(n) {
            true => {
                let captured = self.m[n].inputs()[1..].to_vec();
                captured.into_iter().for_each(|c| self.take_in(c));
            }
            false => self.invariants.push(n),
        }
    }

    fn is_closure(&self, n: NodeId) -> bool {
        self.m.as_prim(n) == Some(Prim::Partial) && self.m.as_graph(self.m[n].inputs()[0]).is_some()
    }

    fn run(mut self, function: &str, slots: usize) {
        let (v, s) = (tuple_type(self.m, &self.invariants), tuple_type(self.m, &self.m[self.l.header].params));
        let flat = self.flat_step(function);
        let step = self.step(flat, &v, &s);
        let pull = self.pull(flat, &v, &s);
        let text = TEMPLATE.replace("SLOTS", &slots.to_string());
        let aliases = [("V", v.clone()), ("S", s.clone()), ("DV", v.cotangent()), ("DS", s.cotangent())];
        let parsed = parse_into(std::mem::take(self.m), &text, &[("step", step), ("pull", pull)], &aliases);
        let (module, graphs) = parsed.expect("the text is that of graphs");
        *self.m = module;
        let role = self.m[self.l.header].role;
        let prefix = self.m[self.l.header].name.clone();
        for (&name, &g) in graphs.iter().filter(|&(_, &g)| g != step && g != pull) {
            self.m[g].name = format!("{prefix}.{name}").into();
            self.m[g].span = self.span;
            if self.m[g].role == Role::Primal {
                self.m[g].role = role;
            }
        }
        self.enter(graphs["all"], graphs["all.J"]);
    }

    /// The function of the invariants and of a state, one by one, that gives whether there is a step, the invariants, and the next state: so a
    /// cotangent of an invariant is in its sum before the step adds to it.
    fn flat_step(&mut self, function: &str) -> GraphId {
        let header = self.l.header;
        let params = self.m[header].params.clone();
        let step = self.graph(&format!("{function}{STEP}"), Flavor::Function);
        let given: Vec<NodeId> = self.invariants.iter().chain(&params).copied().collect();
        let types = given.iter().map(|&n| self.m[n].ty.clone());
        let result = Type::tuple([Type::Bool].into_iter().chain(types));
        self.m.declare_result(step, result.clone());
        let mut own = Vec::with_capacity(given.len());
        for n in given {
            let (ty, name, span) = (self.m[n].ty.clone(), self.m[n].name.clone(), self.m[n].span);
            own.push(self.m.add_param(step, ty, name, span));
        }
        let (handed_on, state) = own.split_at(self.invariants.len());
        let mut map: FxHashMap<NodeId, NodeId> = self.invariants.iter().copied().zip(handed_on.iter().copied()).collect();
        for &g in &self.l.body {
            for &n in self.nest.schedule(g) {
                for i in 0..self.m[n].inputs().len() {
                    let input = self.m[n].inputs()[i];
                    self.closure_in(step, input, &mut map);
                }
            }
        }
        let mut graphs = self.l.body.clone();
        graphs.sort_by_key(|&g| self.nest.depth(g));
        let copies = clone_graphs(self.m, self.nest, &graphs, &mut map);
        // A call of the whole function stays one; jumps are made anew.
        let (whole, first) = (self.m.graph_ref(header), self.m.graph_ref(copies[&header]));
        for user in self.m[first].users().to_vec() {
            self.m.set_input(user.node, user.index as usize, whole);
        }
        let last = (handed_on, &self.m[copies[&header]].params.clone()[..]);
        for &g in &graphs {
            self.end_step(g, &copies, &map, last, &result);
        }
        let callee = self.m.graph_ref(copies[&header]);
        let call = self.m.call(step, callee, state, result, self.span);
        self.m.set_result(step, call);
        step
    }

    /// The step of tuples.
    fn step(&mut self, flat: GraphId, v: &Type, s: &Type) -> GraphId {
        let step = self.graph(&format!("{}.one", self.m[self.l.header].name), Flavor::Function);
        let args = self.spread_params(step, &[v, s]);
        let callee = self.m.graph_ref(flat);
        let went = self.m.call(step, callee, &args, self.m[flat].result.clone(), self.span);
        let goes = self.get(step, went, 0, Type::Bool);
        let [v, s] = self.gathered(step, went, 1, [v, s]);
        let all = self.tuple(step, &[goes, v, s]);
        self.m.set_result(step, all);
        step
    }

    /// The cotangents before a step from the invariants, the state, and the cotangents after it.
    fn pull(&mut self, flat: GraphId, v: &Type, s: &Type) -> GraphId {
        let name = format!("{}.pull", self.m[self.l.header].name);
        let pull = self.m.add_graph(name, Flavor::Function, Role::Backward, self.span);
        let (dv, ds) = (v.cotangent(), s.cotangent());
        let args = self.spread_params(pull, &[v, s, &dv, &ds]);
        let (args, cotangents) = args.split_at(args.len() / 2);
        let f = self.m.graph_ref(flat);
        let ty = Prim::J.result_type(&[self.m[f].ty.clone()]).expect("a graph is a function");
        let pair = ty.signature().expect("a J is a function").result.clone();
        let j = self.m.prim(pull, Prim::J, vec![f], ty, self.span);
        let both = self.m.call(pull, j, args, pair.clone(), self.span);
        let back_type = pair.fields().expect("a J gives a pair")[1].clone();
        let back = self.get(pull, both, 1, back_type.clone());
        let zero = self.m.zero();
        let seeds: Vec<NodeId> = std::iter::once(zero).chain(cotangents.iter().copied()).collect();
        let seed = self.tuple(pull, &seeds);
        let result = back_type.signature().expect("a pullback is a function").result.clone();
        let pulled = self.m.call(pull, back, &[seed], result, self.span);
        let [dv, ds] = self.gathered(pull, pulled, 1, [&dv, &ds]);
        let all = self.tuple(pull, &[dv, ds]);
        self.m.set_result(pull, all);
        pull
    }

    /// Parameters that are tuples, and their fields.
    fn spread_params(&mut self, g: GraphId, types: &[&Type]) -> Vec<NodeId> {
        let mut fields = Vec::new();
        for ty in types {
            let param = self.m.add_param(g, (*ty).clone(), None, self.span);
            for (i, field) in ty.fields().expect("a tuple").to_vec().into_iter().enumerate() {
                fields.push(self.get(g, param, i, field));
            }
        }
        fields
    }

    /// Tuples of the fields of another one, from a number on.
    fn gathered<const N: usize>(&mut self, g: GraphId, flat: NodeId, first: usize, types: [&Type; N]) -> [NodeId; N] {
        let mut next = first;
        types.map(|ty| {
            let mut items = Vec::new();
            for field in ty.fields().expect("a tuple").to_vec() {
                items.push(self.get(g, flat, next, field));
                next += 1;
            }
            self.tuple(g, &items)
        })
    }

    /// A closure from outside is made once more in the step.
    fn closure_in(&mut self, step: GraphId, n: NodeId, map: &mut FxHashMap<NodeId, NodeId>) {
        let is_outside = self.m[n].graph.is_some_and(|g| !self.body.contains(&g));
        if !is_outside || map.contains_key(&n) || !self.is_closure(n) {
            return;
        }
        let inputs = self.m[n].inputs().to_vec();
        inputs[1..].iter().for_each(|&c| self.closure_in(step, c, map));
        let inputs = inputs.into_iter().map(|c| *map.get(&c).unwrap_or(&c)).collect();
        let (ty, span) = (self.m[n].ty.clone(), self.m[n].span);
        let own = self.m.prim(step, Prim::Partial, inputs, ty, span);
        map.insert(n, own);
    }

    /// Lets the copy of a block end as the step does: where the block goes back, with the next state; where it leaves the loop, with the
    /// last one.
    fn end_step(
        &mut self,
        g: GraphId,
        copies: &FxHashMap<GraphId, GraphId>,
        map: &FxHashMap<NodeId, NodeId>,
        last: (&[NodeId], &[NodeId]),
        result: &Type,
    ) {
        let copy = copies[&g];
        self.m.declare_result(copy, result.clone());
        let of = |n: NodeId| *map.get(&n).unwrap_or(&n);
        let terminator = self.cfg.terminator(g);
        let args: Vec<NodeId> = terminator.args(self.m).iter().map(|&n| of(n)).collect();
        let inner = |h: GraphId, l: &Loop| (h != l.header).then(|| copies.get(&h).copied()).flatten();
        let ended = match terminator {
            Terminator::Jump { target, .. } => match inner(target, self.l) {
                Some(next) => {
                    let callee = self.m.graph_ref(next);
                    self.m.call(copy, callee, &args, result.clone(), self.span)
                }
                None => self.ended(copy, target == self.l.header, last, &args, result),
            },
            Terminator::Branch { cond, arms, .. } => {
                let types: Vec<Type> = args.iter().map(|&n| self.m[n].ty.clone()).collect();
                let arms = arms.map(|arm| {
                    let next = inner(arm.graph(), self.l).unwrap_or_else(|| {
                        let end = self.graph(&format!("{}.end", self.m[g].name), Flavor::Block);
                        let params: Vec<NodeId> =
                            types.iter().map(|ty| self.m.add_param(end, ty.clone(), None, self.span)).collect();
                        let ended = self.ended(end, arm.graph() == self.l.header, last, &params, result);
                        self.m.set_result(end, ended);
                        end
                    });
                    self.m.declare_result(next, result.clone());
                    self.m.graph_ref(next)
                });
                let ty = Type::func(types, result.clone());
                let select = self.m.prim(copy, Prim::Select, vec![of(cond), arms[0], arms[1]], ty, self.span);
                self.m.call(copy, select, &args, result.clone(), self.span)
            }
            Terminator::Return(_) | Terminator::TailCall { .. } => unreachable!("a block of a loop goes on in it"),
        };
        self.m.set_result(copy, ended);
        self.m.declare_result(copy, result.clone());
        self.m.graph_ref(copy);
    }

    fn ended(&mut self, g: GraphId, goes: bool, last: (&[NodeId], &[NodeId]), next: &[NodeId], result: &Type) -> NodeId {
        let goes_on = self.m.bool(goes);
        let state = if goes { next } else { last.1 };
        let items = std::iter::once(goes_on).chain(last.0.iter().chain(state).copied()).collect();
        self.m.prim(g, Prim::Tuple, items, result.clone(), self.span)
    }

    /// Lets all ways into the loop lead through its function, and the ways back, which are not taken any more, nowhere.
    fn enter(&mut self, all: GraphId, rule: GraphId) {
        let header = self.l.header;
        let original = self.m[header].clone();
        let enter = self.graph(&original.name, original.flavor);
        self.m.raise_order(enter, original.order);
        self.m.declare_result(enter, original.result.clone());
        let cut = self.graph(&format!("{}.cut", original.name), Flavor::Block);
        let copy_params = |m: &mut Module, g: GraphId| -> Vec<NodeId> {
            let params = original.params.iter().map(|&p| (m[p].ty.clone(), m[p].name.clone(), m[p].span)).collect::<Vec<_>>();
            params.into_iter().map(|(ty, name, span)| m.add_param(g, ty, name, span)).collect()
        };
        copy_params(self.m, cut);
        let nothing = self.m.constant(Const::Undefined, original.result.clone());
        self.m.set_result(cut, nothing);
        let params = copy_params(self.m, enter);

        let header_ref = self.m.graph_ref(header);
        let ends: FxHashSet<NodeId> = self.l.body.iter().flat_map(|&g| self.end_nodes(g)).collect();
        let (cut_ref, enter_ref) = (self.m.graph_ref(cut), self.m.graph_ref(enter));
        for user in self.m[header_ref].users().to_vec() {
            let next = if ends.contains(&user.node) { cut_ref } else { enter_ref };
            self.m.set_input(user.node, user.index as usize, next);
        }
        for g in self.staying() {
            // What goes on in the loop is not reached in the last step.
            self.m.set_result(g, nothing);
        }

        let invariants = self.invariants.clone();
        let v = self.tuple(enter, &invariants);
        let s = self.tuple(enter, &params);
        let (p, j) = (self.m.graph_ref(all), self.m.graph_ref(rule));
        let ty = self.m[p].ty.clone();
        let sig = ty.signature().expect("a graph is a function").clone();
        let ruled = self.m.prim(enter, Prim::Ruled, vec![p, j, p], ty, self.span);
        let ran = self.m.call(enter, ruled, &[v, s], sig.result.clone(), self.span);
        let whole = self.get(enter, ran, 0, self.m[v].ty.clone());
        let state = self.get(enter, ran, 1, self.m[s].ty.clone());
        let types: Vec<Type> = params.iter().map(|&p| self.m[p].ty.clone()).collect();
        let fields: Vec<NodeId> = types.into_iter().enumerate().map(|(i, ty)| self.get(enter, state, i, ty)).collect();
        let call = self.m.call(enter, header_ref, &fields, original.result, self.span);
        self.m.set_result(enter, call);
        self.m[header].flavor = Flavor::Block;
        for (i, n) in invariants.into_iter().enumerate() {
            let behind = self.get(enter, whole, i, self.m[n].ty.clone());
            for user in self.m[n].users().to_vec() {
                let owner = self.m[user.node].graph.expect("a user is an application");
                if self.nest.contains(owner) && self.cfg.dominates(header, owner) {
                    self.m.set_input(user.node, user.index as usize, behind);
                }
            }
        }
    }

    /// The blocks that lead back to the header and nowhere else.
    fn staying(&self) -> Vec<GraphId> {
        let mut leaving: FxHashSet<GraphId> = self.l.exits.iter().map(|exit| exit.0).collect();
        loop {
            let before = leaving.len();
            for &g in &self.l.body {
                let mut next = self.cfg.terminator(g).successors();
                if next.any(|h| h != self.l.header && leaving.contains(&h)) {
                    leaving.insert(g);
                }
            }
            if leaving.len() == before {
                return self.l.body.iter().copied().filter(|g| !leaving.contains(g)).collect();
            }
        }
    }

    /// The nodes that a block's terminator consists of.
    fn end_nodes(&self, g: GraphId) -> Vec<NodeId> {
        match self.cfg.terminator(g) {
            Terminator::Jump { call, .. } => vec![call],
            Terminator::Branch { call, .. } => vec![call, self.m[call].inputs()[0]],
            Terminator::Return(_) | Terminator::TailCall { .. } => Vec::new(),
        }
    }

    fn graph(&mut self, name: &str, flavor: Flavor) -> GraphId {
        let role = self.m[self.l.header].role;
        self.m.add_graph(name, flavor, role, self.span)
    }

    fn get(&mut self, g: GraphId, tuple: NodeId, i: usize, ty: Type) -> NodeId {
        self.m.prim(g, Prim::Get(i as u32), vec![tuple], ty, self.span)
    }

    fn tuple(&mut self, g: GraphId, items: &[NodeId]) -> NodeId {
        let ty = tuple_type(self.m, items);
        self.m.prim(g, Prim::Tuple, items.to_vec(), ty, self.span)
    }
}

//! Which cotangents are structurally zero: decided before any code is emitted (docs/strategies.md §2).
//!
//! The facts are found by running the reverse sweep itself on units, to a fixed point over the graphs of a region and over all
//! functions that call each other.

use crate::cot::{Act, Cot};
use crate::fixpoint::{self, Analysis, Solver};
use crate::program::{Program, Tail};
use crate::sweep::{Maker, Sweep};
use crate::varied::{self, Varied};
use gradus_ir::prim::Reverse;
use gradus_ir::{Const, GraphId, Module, NodeId, Prim, Span, Type};
use rustc_hash::FxHashMap;
use slotmap::SparseSecondaryMap;
use std::collections::{BTreeMap, BTreeSet};

/// A function under a cotangent of its result.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Variant {
    /// The function.
    pub function: GraphId,
    /// The cotangent.
    pub up: Act,
    /// Which of its parameters vary, where not all do; the others have no cotangents.
    pub varied: Option<Box<[bool]>>,
}

impl Variant {
    /// The variant that serves the derivative of a function as a value by an operator.
    pub fn of_value(m: &Module, function: GraphId, operator: Reverse) -> Variant {
        let up = Act::full(&m[function].result);
        let last = m[function].params.len().wrapping_sub(1);
        let varied = operator.last.then(|| (0..m[function].params.len()).map(|i| i == last).collect());
        Variant { function, up, varied }
    }
}

/// The facts about the region of one variant.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Facts {
    /// The graphs of the region, the function first.
    pub region: Vec<GraphId>,
    /// Its nodes that vary, where not all do.
    pub varied: Option<Varied>,
    /// D(g): per graph the cotangents of its free variables, then of its parameters.
    pub down: SparseSecondaryMap<GraphId, Vec<Act>>,
    /// The cotangents of calls that are not in tail position; absent: zero.
    pub calls: FxHashMap<NodeId, Act>,
    /// Per graph that ends in a branch: what either arm gives a cotangent to.
    pub joins: SparseSecondaryMap<GraphId, BTreeMap<NodeId, Act>>,
}

impl Facts {
    /// The cotangents of the function's parameters.
    pub fn params(&self) -> &[Act] {
        &self.down[self.region[0]]
    }
}

/// Makes units: the analysis' values.
pub struct Units<'m>(pub &'m Module);

impl Maker for Units<'_> {
    type V = ();
    fn module(&self) -> &Module {
        self.0
    }
    fn primal(&mut self, _: NodeId) {}
    fn constant(&mut self, _: Const, _: Type) {}
    fn zero(&mut self, _: &Type) {}
    fn prim(&mut self, _: Prim, _: &[()], _: Span) {}
    fn unpack(&mut self, _: (), _: Type, _: Span) {}
    fn pull(&mut self, _: NodeId, _: ()) {}
}

/// The facts about every variant that `roots` need.
pub fn analyse(m: &Module, program: &Program, roots: &[Variant]) -> FxHashMap<Variant, Facts> {
    fixpoint::solve(&Cotangents { m, program }, roots)
}

struct Cotangents<'a> {
    m: &'a Module,
    program: &'a Program,
}

impl Analysis for Cotangents<'_> {
    type Variant = Variant;
    type Facts = Facts;
    type Read = Vec<Act>;

    fn read(facts: &Facts) -> Vec<Act> {
        facts.params().to_vec()
    }

    fn start(&self, variant: &Variant) -> Facts {
        let region = self.program.region(self.m, variant.function);
        let varied = variant.varied.as_ref().map(|params| varied::within(self.m, self.program, &region, params));
        let inputs = |g: GraphId| self.program.nest.free(g).count() + self.m[g].params.len();
        let down = region.iter().map(|&g| (g, vec![Cot::Zero; inputs(g)])).collect();
        Facts { region, varied, down, ..Facts::default() }
    }

    /// Sweeps over the graphs of a region until nothing changes.
    fn improve(&self, solver: &mut Solver<'_, Self>, variant: &Variant, mut facts: Facts) -> Facts {
        loop {
            let mut changed = false;
            for &g in facts.region.clone().iter().rev() {
                // Facts are kept: where a callee is under another cotangent than before, nothing is known of it yet, so what its
                // caller finds may fall back for a while.
                let found = self.graph(solver, variant, g, &mut facts);
                let down: Vec<Act> = found.iter().zip(&facts.down[g]).map(|(a, b)| a.join(b)).collect();
                if facts.down[g] != down {
                    facts.down[g] = down;
                    changed = true;
                }
            }
            if !changed {
                return facts;
            }
        }
    }
}

impl Cotangents<'_> {
    /// The cotangents of the free variables and of the parameters of a graph.
    fn graph(&self, solver: &mut Solver<'_, Self>, variant: &Variant, g: GraphId, facts: &mut Facts) -> Vec<Act> {
        let (m, program) = (self.m, self.program);
        let mut callee = |callee: &Variant| solver.read(callee, variant);
        let varied = facts.varied.take();
        let tail = program.tail(m, g, &facts.region);
        let targets = |h: GraphId, args: &[NodeId]| -> Vec<(NodeId, Act)> {
            let nodes = program.nest.free(h).chain(args.iter().copied());
            nodes.zip(facts.down[h].iter().cloned()).collect()
        };
        let contributions: Vec<(NodeId, Act)> = match &tail {
            Tail::Return(value) => vec![(*value, variant.up.clone())],
            Tail::Jump { target, args } => targets(*target, args),
            Tail::Unknown { callee, args } => unknown_targets(m, *callee, args),
            Tail::Branch { targets: arms, args, .. } => {
                let [a, b] = arms.map(|arm| {
                    let mut sweep = Sweep::new(Units(m), &mut callee).of(&varied);
                    for (n, act) in targets(arm, args) {
                        sweep.add(n, act, Span::NONE);
                    }
                    sweep.cotangents().clone()
                });
                let nodes: BTreeSet<NodeId> = a.keys().chain(b.keys()).copied().collect();
                let of = |map: &BTreeMap<NodeId, Act>, n: &NodeId| map.get(n).cloned().unwrap_or(Cot::Zero);
                let join: BTreeMap<NodeId, Act> = nodes.into_iter().map(|n| (n, of(&a, &n).join(&of(&b, &n)))).collect();
                facts.joins.insert(g, join.clone());
                join.into_iter().collect()
            }
        };
        let mut sweep = Sweep::new(Units(m), &mut callee).of(&varied);
        for (n, act) in contributions {
            sweep.add(n, act, Span::NONE);
        }
        sweep.run(program.nest.schedule(g));
        for &n in program.nest.schedule(g) {
            if let Some(act) = sweep.cotangents().get(&n)
                && m[n].kind == gradus_ir::Kind::Call
            {
                facts.calls.insert(n, act.clone());
            }
        }
        let inputs = program.nest.free(g).chain(m[g].params.iter().copied());
        let down = inputs.map(|n| sweep.get(n)).collect();
        facts.varied = varied;
        down
    }
}

/// The sums of contributions that arrive at one place.
pub fn merged(m: &Module, contributions: impl IntoIterator<Item = (NodeId, Act)>) -> BTreeMap<NodeId, Act> {
    let mut callee = |_: &Variant| unreachable!("nothing is swept here");
    let mut sweep = Sweep::new(Units(m), &mut callee);
    for (n, act) in contributions {
        sweep.add(n, act, Span::NONE);
    }
    sweep.cotangents().clone()
}

/// What an unknown callee in tail position can give a cotangent to: itself and every argument.
pub fn unknown_targets(m: &Module, callee: NodeId, args: &[NodeId]) -> Vec<(NodeId, Act)> {
    std::iter::once(&callee).chain(args).map(|&n| (n, Act::full(&m[n].ty))).collect()
}

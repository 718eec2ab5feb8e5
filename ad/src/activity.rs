//! Which tangents are structurally zero, and which are gated: decided before forward mode emits any code.
//!
//! The dual of [`crate::analysis`]: the pushforward itself is run on units, in the order of execution, to a fixed point over the
//! blocks of a function and over all functions that call each other. First zeros, then gating with the zeros known, for the
//! same reason as there.

use crate::analysis::Units;
use crate::cot::{Act, Cot};
use crate::program::Program;
use crate::sweep::Sweep;
use gradus_ir::cfg::{Target, Terminator};
use gradus_ir::{GraphId, Kind, Module, NodeId, Span};
use rustc_hash::FxHashMap;
use slotmap::SecondaryMap;
use std::collections::VecDeque;

/// A function under tangents of its parameters.
pub type Variant = (GraphId, Vec<Act>);

/// The facts about one variant.
#[derive(Clone, Debug)]
pub struct Facts {
    /// The tangents of the parameters of each block. Those of the root include what the function's own tail calls bring.
    pub params: SecondaryMap<GraphId, Vec<Act>>,
    /// The tangent of the result.
    pub result: Act,
}

/// The tangents of some nodes of a sweep.
pub fn acts<M: crate::sweep::Maker>(sweep: &Sweep<'_, M>, nodes: &[NodeId]) -> Vec<Act> {
    nodes.iter().map(|&n| sweep.get(n).act()).collect()
}

/// The facts about every variant that `roots` need.
pub fn analyse(m: &Module, program: &Program, roots: &[Variant]) -> FxHashMap<Variant, Facts> {
    let ungated: Vec<Variant> = roots.iter().map(ungated).collect();
    let zeros = Solver::new(m, program, None).solve(&ungated);
    Solver::new(m, program, Some(&zeros)).solve(roots)
}

fn ungated((f, acts): &Variant) -> Variant {
    (*f, acts.iter().map(Act::ungated).collect())
}

struct Solver<'a> {
    m: &'a Module,
    program: &'a Program,
    /// The facts on zeros, once they are known: from then on gating is found.
    zeros: Option<&'a FxHashMap<Variant, Facts>>,
    facts: FxHashMap<Variant, Facts>,
    /// Who reads the result of a variant.
    dependents: FxHashMap<Variant, Vec<Variant>>,
    work: VecDeque<Variant>,
}

impl<'a> Solver<'a> {
    fn new(m: &'a Module, program: &'a Program, zeros: Option<&'a FxHashMap<Variant, Facts>>) -> Self {
        let (facts, dependents) = Default::default();
        Solver { m, program, zeros, facts, dependents, work: VecDeque::new() }
    }

    fn solve(mut self, roots: &[Variant]) -> FxHashMap<Variant, Facts> {
        for root in roots {
            self.demand(root);
        }
        while let Some(variant) = self.work.pop_front() {
            let before = self.facts[&variant].clone();
            let after = self.function(&variant, before.clone());
            self.store(&variant, after, &before.result);
        }
        self.facts
    }

    fn store(&mut self, variant: &Variant, facts: Facts, before: &Act) {
        let changed = facts.result != *before;
        self.facts.insert(variant.clone(), facts);
        if changed {
            for d in self.dependents.get(variant).cloned().unwrap_or_default() {
                self.enqueue(d);
            }
        }
    }

    fn enqueue(&mut self, variant: Variant) {
        if !self.work.contains(&variant) {
            self.work.push_back(variant);
        }
    }

    /// Starts on a variant that was not asked for before.
    fn demand(&mut self, variant: &Variant) {
        if self.facts.contains_key(variant) {
            return;
        }
        let start = match self.zeros {
            Some(zeros) => zeros[&ungated(variant)].clone(),
            None => {
                let blocks = self.program.cfg.function_of(variant.0).blocks.iter();
                let params = blocks.map(|&g| (g, vec![Cot::Zero; self.m[g].params.len()])).collect();
                Facts { params, result: Cot::Zero }
            }
        };
        self.facts.insert(variant.clone(), start);
        self.enqueue(variant.clone());
    }

    /// What a variant that `reader` reads gives back, as far as is known.
    fn result(&mut self, variant: &Variant, reader: &Variant) -> Act {
        self.demand(variant);
        let dependents = self.dependents.entry(variant.clone()).or_default();
        if !dependents.contains(reader) {
            dependents.push(reader.clone());
        }
        self.facts[variant].result.clone()
    }

    /// Sweeps over the blocks of a function until nothing changes.
    fn function(&mut self, variant: &Variant, mut facts: Facts) -> Facts {
        let (m, program, gates) = (self.m, self.program, self.zeros.is_some());
        let blocks = &program.cfg.function_of(variant.0).blocks;
        join(&mut facts.params[variant.0], &variant.1, gates);
        loop {
            let mut changed = false;
            let mut callee = |_: GraphId, _: &Act| unreachable!("nothing is swept in reverse");
            let mut sweep = Sweep::new(Units(m), gates, &mut callee);
            for &g in blocks {
                for (&p, act) in m[g].params.iter().zip(&facts.params[g]) {
                    sweep.add(p, act.clone(), Span::NONE);
                }
                for n in program.body(g) {
                    match m[n].kind {
                        Kind::Prim(prim) => sweep.push(n, prim),
                        _ => {
                            let act = self.call(variant, &acts(&sweep, m[n].inputs()), n);
                            sweep.add(n, act, Span::NONE);
                        }
                    }
                }
                let terminator = program.cfg.terminator(g);
                let args = acts(&sweep, terminator.args(m));
                let mut jump = |facts: &mut Facts, block: GraphId| changed |= join(&mut facts.params[block], &args, gates);
                match terminator {
                    Terminator::Return(value) => facts.result = facts.result.join(&sweep.get(value), gates),
                    Terminator::Jump { target, .. } => jump(&mut facts, target),
                    Terminator::Branch { arms, .. } => {
                        for arm in arms {
                            match arm {
                                Target::Block(block) => jump(&mut facts, block),
                                Target::Function(h) => self.tail_call(variant, &mut facts, g, h, &args),
                            }
                        }
                    }
                    Terminator::TailCall { call } => match m.as_graph(m[call].inputs()[0]) {
                        Some(h) => self.tail_call(variant, &mut facts, g, h, &args),
                        // One derivative serves all callers, so it gives the tangent as a whole.
                        None => facts.result = facts.result.join(&Act::full(&m[call].ty, gates), gates),
                    },
                }
            }
            if !changed {
                return facts;
            }
        }
    }

    /// The tangent of a call that is not in tail position, from those of callee and arguments.
    fn call(&mut self, caller: &Variant, inputs: &[Act], n: NodeId) -> Act {
        let (m, gates) = (self.m, self.zeros.is_some());
        if inputs.iter().all(Cot::is_zero) {
            return Cot::Zero;
        }
        match m.as_graph(m[n].inputs()[0]) {
            Some(h) => self.result(&(h, inputs[1..].to_vec()), caller),
            None => Act::full(&m[n].ty, gates),
        }
    }

    /// A tail call of a known function. Functions that tail-call each other in a cycle give back one kind of tangent, so that the
    /// calls stay in tail position.
    fn tail_call(&mut self, caller: &Variant, facts: &mut Facts, from: GraphId, h: GraphId, args: &[Act]) {
        let gates = self.zeros.is_some();
        let in_cycle = self.program.in_cycle(from, h);
        if !in_cycle && args.iter().all(Cot::is_zero) {
            facts.result = facts.result.join(&Cot::Zero, gates);
            return;
        }
        let callee = (h, args.to_vec());
        let result = self.result(&callee, caller);
        facts.result = facts.result.join(&result, gates);
        if in_cycle && result.join(&facts.result, gates) != result {
            let mut raised = self.facts[&callee].clone();
            raised.result = result.join(&facts.result, gates);
            self.store(&callee, raised, &result);
            self.enqueue(callee);
        }
    }
}

/// Lets tangents include those of one more path. Says whether they have grown.
fn join(params: &mut [Act], args: &[Act], gates: bool) -> bool {
    let mut grown = false;
    for (p, a) in params.iter_mut().zip(args) {
        let joined = p.join(a, gates);
        grown |= joined != *p;
        *p = joined;
    }
    grown
}

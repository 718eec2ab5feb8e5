//! Which tangents are structurally zero: decided before forward mode emits any code.
//!
//! The dual of [`crate::analysis`]: the pushforward itself is run on units, in the order of execution, to a fixed point over the
//! blocks of a function and over all functions that call each other.

use crate::analysis::Units;
use crate::cot::{Act, Cot};
use crate::fixpoint::{self, Analysis, Solver};
use crate::program::Program;
use crate::sweep::Sweep;
use gradus_ir::cfg::{Target, Terminator};
use gradus_ir::{GraphId, Kind, Module, NodeId, Span};
use rustc_hash::FxHashMap;
use slotmap::SparseSecondaryMap;

/// A function under tangents of its parameters.
pub type Variant = (GraphId, Vec<Act>);

/// The facts about one variant.
#[derive(Clone, Debug)]
pub struct Facts {
    /// The tangents of the parameters of each block. Those of the root include what the function's own tail calls bring.
    pub params: SparseSecondaryMap<GraphId, Vec<Act>>,
    /// The tangent of the result.
    pub result: Act,
}

/// The tangents of some nodes of a sweep.
pub fn acts<M: crate::sweep::Maker>(sweep: &Sweep<'_, M>, nodes: &[NodeId]) -> Vec<Act> {
    nodes.iter().map(|&n| sweep.get(n).act()).collect()
}

/// The facts about every variant that `roots` need.
pub fn analyse(m: &Module, program: &Program, roots: &[Variant]) -> FxHashMap<Variant, Facts> {
    fixpoint::solve(&Activity { m, program }, roots)
}

struct Activity<'a> {
    m: &'a Module,
    program: &'a Program,
}

impl Analysis for Activity<'_> {
    type Variant = Variant;
    type Facts = Facts;
    type Read = Act;

    fn read(facts: &Facts) -> Act {
        facts.result.clone()
    }

    fn start(&self, &(f, _): &Variant) -> Facts {
        let blocks = self.program.cfg.function_of(f).blocks.iter();
        let params = blocks.map(|&g| (g, vec![Cot::Zero; self.m[g].params.len()])).collect();
        Facts { params, result: Cot::Zero }
    }

    /// Sweeps over the blocks of a function until nothing changes.
    fn improve(&self, solver: &mut Solver<'_, Self>, variant: &Variant, mut facts: Facts) -> Facts {
        let (m, program) = (self.m, self.program);
        let blocks = &program.cfg.function_of(variant.0).blocks;
        join(&mut facts.params[variant.0], &variant.1);
        loop {
            let mut changed = false;
            let mut callee = |_: &_| unreachable!("nothing is swept in reverse");
            let mut sweep = Sweep::new(Units(m), &mut callee);
            for &g in blocks {
                for (&p, act) in m[g].params.iter().zip(&facts.params[g]) {
                    sweep.add(p, act.clone(), Span::NONE);
                }
                for n in program.body(g) {
                    match m[n].kind {
                        Kind::Prim(prim) => sweep.push(n, prim),
                        _ => {
                            let act = self.call(solver, variant, &acts(&sweep, m[n].inputs()), n);
                            sweep.add(n, act, Span::NONE);
                        }
                    }
                }
                let terminator = program.cfg.terminator(g);
                let args = acts(&sweep, terminator.args(m));
                let mut jump = |facts: &mut Facts, block: GraphId| changed |= join(&mut facts.params[block], &args);
                match terminator {
                    Terminator::Return(value) => facts.result = facts.result.join(&sweep.get(value)),
                    Terminator::Jump { target, .. } => jump(&mut facts, target),
                    Terminator::Branch { arms, .. } => {
                        for arm in arms {
                            match arm {
                                Target::Block(block) => jump(&mut facts, block),
                                Target::Function(h) => self.tail_call(solver, variant, &mut facts, g, h, &args),
                            }
                        }
                    }
                    Terminator::TailCall { call } => match m.as_graph(m[call].inputs()[0]) {
                        Some(h) => self.tail_call(solver, variant, &mut facts, g, h, &args),
                        // One derivative serves all callers, so it gives the tangent as a whole.
                        None => facts.result = facts.result.join(&Act::full(&m[call].ty)),
                    },
                }
            }
            if !changed {
                return facts;
            }
        }
    }
}

impl Activity<'_> {
    /// The tangent of a call that is not in tail position, from those of callee and arguments.
    fn call(&self, solver: &mut Solver<'_, Self>, caller: &Variant, inputs: &[Act], n: NodeId) -> Act {
        if inputs.iter().all(Cot::is_zero) {
            return Cot::Zero;
        }
        match self.m.as_graph(self.m[n].inputs()[0]) {
            Some(h) => solver.read(&(h, inputs[1..].to_vec()), caller),
            None => Act::full(&self.m[n].ty),
        }
    }

    /// A tail call of a known function. Functions that tail-call each other in a cycle give back one kind of tangent, so that the
    /// calls stay in tail position.
    fn tail_call(
        &self,
        solver: &mut Solver<'_, Self>,
        caller: &Variant,
        facts: &mut Facts,
        from: GraphId,
        h: GraphId,
        args: &[Act],
    ) {
        let in_cycle = self.program.in_cycle(from, h);
        if !in_cycle && args.iter().all(Cot::is_zero) {
            return;
        }
        let callee = (h, args.to_vec());
        let result = solver.read(&callee, caller);
        facts.result = facts.result.join(&result);
        let raised = result.join(&facts.result);
        if in_cycle && raised != result {
            solver.change(&callee, |facts| facts.result = raised);
        }
    }
}

/// Lets tangents include those of one more path. Says whether they have grown.
fn join(params: &mut [Act], args: &[Act]) -> bool {
    let mut grown = false;
    for (p, a) in params.iter_mut().zip(args) {
        let joined = p.join(a);
        grown |= joined != *p;
        *p = joined;
    }
    grown
}

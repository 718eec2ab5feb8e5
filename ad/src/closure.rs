//! The closure strategy (docs/strategies.md §4; Pearlmutter & Siskind 2008, van Merriënboer et al. 2018 §3.2): backpropagators
//! with an accumulator.
//!
//! ```text
//! K(g)(p…, k) = (y, pb)     pb(ȳ) = k(D(g)), a tail call
//! D(g)        = the cotangents of g's free variables, then of its parameters: the live leaves, in order
//!
//! return r                   ⟶ return (r′, λȳ. [add(r, ȳ); reverse; k(D(g))])
//! return f(a…)               ⟶ return K(f)(a′…, λ(D(f)). [add(…); reverse; k(D(g))])
//! return switch(c, g₁, g₂)() ⟶ return switch(c′, λ. K(g₁)(k₁), λ. K(g₂)(k₂))()     kᵢ(D(gᵢ)) = step(E, zeros filled in)
//!                               step(E) = [add(E); reverse; k(D(g))]
//! n = f(a…), elsewhere       ⟶ (n′, pbₙ) = J(f)(a′…), and in `reverse`: pbₙ(n̄)
//! J(f)(a…)                   = K(f)(a…, λ(D). (D…))
//! ```
//!
//! `K` is specialised for the region it is in (the graphs that tail calls reach from one function, [`Program::region`]), so the
//! result type of its continuations is concrete: the tuple of D of the region's function. Only a region with a tail call of an
//! unknown callee has an opaque one, since such a callee has one `K` for all its callers: boxed at the chain's end, opened in `J`.

use crate::analysis::{Variant, unknown_targets};
use crate::cot::{Act, Cot};
use crate::emit::{Emitter, Nodes, Region};
use crate::program::Tail;
use crate::sweep::Sweep;
use crate::varied;
use gradus_ir::prim::Reverse;
use gradus_ir::{GraphId, NodeId, Prim, Role, Type, prim};

impl Emitter<'_, '_> {
    /// The body of a region by closures; `entry` is K of its function.
    pub fn closure(&mut self, entry: GraphId, mut region: Region<'_>) {
        for (i, &g) in region.facts.region.iter().enumerate() {
            let k = match i {
                0 => entry,
                _ => self.declare_k(g, &region.facts.down[g], &region.result),
            };
            self.set_copy(&mut region, g, k);
        }
        let order = self.owners_first(&region);
        for &g in &order {
            self.forward(g, &mut region);
        }
        for &g in &order {
            self.tail(g, &region);
        }
    }

    /// Lets K(g) end as its tail says.
    fn tail(&mut self, g: GraphId, region: &Region<'_>) {
        let k = region.k[&g];
        let span = self.b.m[self.b.m.result(g)].span;
        let copy = |n: NodeId| region.copies.get(&n).copied().unwrap_or(n);
        match self.program.tail(self.b.m, g, &region.facts.region) {
            Tail::Return(value) => {
                let ty = self.b.m[value].ty.clone();
                let (back, cotangent) = self.pullback_to(g, &ty, region.result.clone());
                let live = self.live_part(back, cotangent, &region.up, &ty, span);
                self.reverse(g, back, vec![(value, live)], region);
                let back = self.b.m.graph_ref(back);
                let pair = self.b.tuple(k, &[copy(value), back], span);
                self.b.m.set_result(k, pair);
            }
            Tail::Jump { target, args } => {
                let (next, received) = self.receiver(g, target, &args, region);
                self.reverse(g, next, received, region);
                let args = args.into_iter().map(copy).collect();
                self.enter(k, region.k[&target], args, next, span);
            }
            Tail::Unknown { callee, args } => {
                let targets = unknown_targets(self.b.m, callee, &args);
                let next = self.graph(g, "k", Role::Backward, region.result.clone());
                let mut received = Vec::new();
                for (n, act) in targets {
                    let ty = self.b.m[n].ty.clone();
                    let p = self.b.m.add_param(next, ty.cotangent(), None, span);
                    received.push((n, self.live_part(next, p, &act, &ty, span)));
                }
                self.reverse(g, next, received, region);
                let types: Vec<Type> = args.iter().map(|&a| self.b.m[a].ty.clone()).collect();
                let ty = prim::k_type(&types, &self.b.m[self.b.m.result(g)].ty);
                let last = varied::is_last(region.facts.varied.as_ref(), callee, &args);
                let prim = Reverse { tail: true, last }.prim();
                self.asked.push((prim, callee));
                let callee = self.b.apply(k, prim, &[copy(callee)], ty, span);
                let end = self.b.m.graph_ref(next);
                let args: Vec<NodeId> = args.into_iter().map(copy).chain([end]).collect();
                let call = self.b.call(k, callee, &args, None, span);
                self.b.m.set_result(k, call);
            }
            Tail::Branch { condition, targets, args } => {
                let join = &region.facts.joins[g];
                let step = self.graph(g, "step", Role::Backward, region.result.clone());
                let mut received = Vec::new();
                for (&n, act) in join {
                    let ty = self.b.m[n].ty.clone();
                    let params = self.leaf_params(step, act, &ty, self.b.m[n].name.clone());
                    received.push((n, act.fill(&mut params.into_iter())));
                }
                self.reverse(g, step, received, region);
                let arms = targets.map(|target| {
                    let (next, received) = self.receiver(g, target, &args, region);
                    self.fill_step(next, step, received, join, region);
                    let arm = self.graph(target, "arm", Role::Forward, self.b.m[k].result.clone());
                    let args = args.iter().map(|&a| copy(a)).collect();
                    self.enter(arm, region.k[&target], args, next, span);
                    self.b.m.graph_ref(arm)
                });
                let choice = self.b.prim(k, Prim::Select, &[copy(condition), arms[0], arms[1]], span);
                let call = self.b.call(k, choice, &[], None, span);
                self.b.m.set_result(k, call);
            }
        }
    }

    /// A continuation of K(target), in K(g): its graph, and what it receives for the nodes of g.
    fn receiver(
        &mut self,
        g: GraphId,
        target: GraphId,
        args: &[NodeId],
        region: &Region<'_>,
    ) -> (GraphId, Vec<(NodeId, Cot<NodeId>)>) {
        let types = self.input_types(target);
        let down = &region.facts.down[target];
        let (next, leaves) = self.continuation(g, down, &types, region.result.clone(), "k");
        let nodes = self.program.nest.free(target).chain(args.iter().copied());
        let mut leaves = leaves.into_iter();
        let received = nodes.zip(down).map(|(n, act)| (n, act.fill(&mut leaves))).collect();
        (next, received)
    }

    /// Ends the continuation of an arm: `step` of what the arm gives, zeros filled in for what only the other arm does.
    fn fill_step(
        &mut self,
        next: GraphId,
        step: GraphId,
        received: Vec<(NodeId, Cot<NodeId>)>,
        join: &std::collections::BTreeMap<NodeId, Act>,
        region: &Region<'_>,
    ) {
        let span = self.b.m[step].span;
        let mut callee = |_: &_| unreachable!("nothing is swept here");
        let maker = Nodes { b: &mut self.b, graph: next, copies: &region.copies, pullbacks: &region.pullbacks };
        let mut sweep = Sweep::new(maker, &mut callee);
        for (n, c) in received {
            sweep.add(n, c, span);
        }
        let mut args = Vec::new();
        for (&n, act) in join {
            let (c, ty) = (sweep.get(n), sweep.maker.b.m[n].ty.clone());
            sweep.leaves(c, act, &ty, &mut args);
        }
        let callee = self.b.m.graph_ref(step);
        let call = self.b.call(next, callee, &args, None, span);
        self.b.m.set_result(next, call);
    }

    /// The reverse sweep over `g`, emitted into `into`, which ends in a call of `k` with D(g).
    fn reverse(&mut self, g: GraphId, into: GraphId, received: Vec<(NodeId, Cot<NodeId>)>, region: &Region<'_>) {
        let span = self.b.m[into].span;
        let (program, all) = (self.program, self.facts);
        let mut callee = |callee: &Variant| all[callee].params().to_vec();
        let maker = Nodes { b: &mut self.b, graph: into, copies: &region.copies, pullbacks: &region.pullbacks };
        let mut sweep = Sweep::new(maker, &mut callee).of(&region.facts.varied);
        for (n, c) in received {
            sweep.add(n, c, span);
        }
        sweep.run(program.nest.schedule(g));
        let inputs: Vec<NodeId> = program.nest.free(g).chain(sweep.maker.b.m[g].params.iter().copied()).collect();
        let mut leaves = Vec::new();
        for (n, act) in inputs.into_iter().zip(&region.facts.down[g]) {
            let (c, ty) = (sweep.get(n), sweep.maker.b.m[n].ty.clone());
            sweep.leaves(c, act, &ty, &mut leaves);
        }
        let k = *self.b.m[region.k[&g]].params.last().expect("K takes a continuation");
        let call = self.b.call(into, k, &leaves, None, span);
        self.b.m.set_result(into, call);
    }
}

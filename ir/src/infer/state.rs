//! The state in the typed module: functions take the sites that they touch after their arguments, and give them back after their results
//! ([`super::effects`]).
//!
//! ```text
//! f(x…)             f(x…, s…) -> (y, s′…)
//! J(f)(x…)          J(f)(x…, s…) -> ((y, s′…), pullback)       pullback′(ȳ) = pullback((ȳ, 0…)) without what it gives for s
//! F(f)(f′, x…, x′…) F(f)(f′, x…, s…, x′…, 0…) -> ((y, s′…), (y′, s′′…))
//! ```
//!
//! Nodes of a graph are made in the order of the program, so the state at a node is that after the node before it. A derivative sees the
//! state as a constant, and an enclosing derivative sees all of it.

use super::abs::Abs;
use super::calls::Callee;
use super::effects::{Manner, Site, Sites};
use super::emit::{Emitter, Place, Result};
use super::failing;
use super::instances::InstId;
use super::prims::Value;
use crate::build::zero_value;
use crate::graph::{Const, Flavor, GraphId, NodeId};
use crate::prim::Prim;
use crate::types::Type;

/// The values of the sites at a place; none of those that the function there does not touch.
#[derive(Clone, Copy, Default)]
pub(super) struct State([Option<NodeId>; Site::ALL.len()]);

impl State {
    pub(super) fn get(&self, site: Site) -> Option<NodeId> {
        self.0[site as usize]
    }

    pub(super) fn set(&mut self, site: Site, value: NodeId) {
        self.0[site as usize] = Some(value);
    }
}

impl Emitter {
    /// The sites that a function touches, or any of those that a value may be.
    pub(super) fn sites_of(&self, callee: &Callee) -> Sites {
        let mut all = Vec::new();
        callee.instances(&mut all);
        all.into_iter().fold(Sites::default(), |sites, id| sites.and(self.layout.sites(id)))
    }

    /// The sites that the function of an instance touches.
    pub(super) fn sites_at(&self, id: InstId) -> Sites {
        self.layout.sites(self.e.instances[id].function)
    }

    /// The type of what a function gives.
    pub(super) fn result_type(&mut self, result: &Abs, sites: Sites) -> Result<Type> {
        let own = self.ty(result)?;
        Ok(if sites.are_none() { own } else { Type::tuple(std::iter::once(own).chain(sites.iter().map(Site::ty))) })
    }

    /// Parameters of a graph for sites, which are the state there.
    pub(super) fn take_state(&mut self, g: GraphId, sites: Sites) -> State {
        let mut state = State::default();
        for site in sites.iter() {
            let span = self.out[g].span;
            state.set(site, self.out.add_param(g, site.ty(), None, span));
        }
        state
    }

    /// A site as it is at first.
    pub(super) fn first(&mut self, at: Place, site: Site) -> NodeId {
        let mut ops = self.ops(at);
        match site {
            Site::Output => ops.int(0).node,
            Site::Boxes => {
                let (one, tree) = (ops.int(1), ops.constant(Const::Zero, Type::Opaque, Abs::Opaque));
                ops.tuple(&[one, tree]).node
            }
        }
    }

    /// A site here.
    pub(super) fn now(&mut self, at: Place, site: Site) -> NodeId {
        match self.state.get(site) {
            Some(value) => value,
            None => self.first(at, site),
        }
    }

    /// What a function gives: a value, and the state here.
    pub(super) fn with_state(&mut self, at: Place, value: NodeId, sites: Sites) -> NodeId {
        if sites.are_none() {
            return value;
        }
        let all: Vec<NodeId> = std::iter::once(value).chain(sites.iter().map(|site| self.now(at, site))).collect();
        // A call in the place of the last gives all of that.
        let given = |i: usize| match self.out.as_prim(all[i]) {
            Some(Prim::Get(k)) if k as usize == i => Some(self.out[all[i]].inputs()[0]),
            _ => None,
        };
        if let Some(call) = given(0).filter(|&call| (1..all.len()).all(|i| given(i) == Some(call)))
            && self.out[call].ty.fields().is_some_and(|fields| fields.len() == all.len())
        {
            return call;
        }
        let ty = Type::tuple(all.iter().map(|&n| self.out[n].ty.clone()));
        self.out.prim(at.graph, Prim::Tuple, all, ty, at.span)
    }

    /// The state for a call.
    pub(super) fn given(&mut self, at: Place, sites: Sites, manner: Manner) -> Vec<NodeId> {
        let site = |me: &mut Self, site| match (site, manner) {
            (_, Manner::Witnessed) => me.first(at, site),
            _ => me.now(at, site),
        };
        sites.iter().map(|s| site(self, s)).collect()
    }

    /// A part of a tuple.
    fn part_of(&mut self, at: Place, tuple: NodeId, i: usize) -> NodeId {
        let ty = self.out[tuple].ty.fields().expect("a tuple")[i].clone();
        self.out.prim(at.graph, Prim::Get(i as u32), vec![tuple], ty, at.span)
    }

    /// The value of a call that gives this and state, which is the state from here on.
    pub(super) fn taken(&mut self, at: Place, both: NodeId, sites: Sites, manner: Manner) -> NodeId {
        if sites.are_none() {
            return both;
        }
        let value = self.part_of(at, both, 0);
        for (i, site) in (1..).zip(sites.iter()) {
            let after = self.part_of(at, both, i);
            match (manner, site) {
                (Manner::Plain, _) => self.state.set(site, after),
                (Manner::Witnessed, Site::Output) => self.witness = Some(after),
                _ => {}
            }
        }
        value
    }

    /// Value and pullback of a call of a derivative in reverse mode. To the pullback the state is nothing.
    pub(super) fn taken_reverse(&mut self, at: Place, pair: NodeId, sites: Sites, manner: Manner) -> NodeId {
        if sites.are_none() {
            return pair;
        }
        let [both, pullback] = [0, 1].map(|i| self.part_of(at, pair, i));
        let signature = self.out[pullback].ty.signature().expect("a pullback is a function").clone();
        let value = self.taken(at, both, sites, manner);
        let ty = self.out[value].ty.cotangent();
        let own = self.out.add_graph("pullback", Flavor::Function, crate::graph::Role::Primal, at.span);
        let inner = Place { graph: own, ..at };
        let seed = self.out.add_param(own, ty, None, at.span);
        let zeros: Vec<NodeId> = sites.iter().map(|site| zero_value(&mut self.out, own, &site.ty().cotangent())).collect();
        let seeds = [&[seed], &zeros[..]].concat();
        let types = Type::tuple(seeds.iter().map(|&n| self.out[n].ty.clone()));
        let seeds = self.out.prim(own, Prim::Tuple, seeds, types, at.span);
        let all = self.out.call(own, pullback, &[seeds], signature.result.clone(), at.span);
        let count = signature.result.fields().expect("a tuple").len() - sites.iter().count();
        let kept: Vec<NodeId> = (0..count).map(|i| self.part_of(inner, all, i)).collect();
        let types = Type::tuple(kept.iter().map(|&n| self.out[n].ty.clone()));
        let result = self.out.prim(own, Prim::Tuple, kept, types.clone(), at.span);
        self.out.declare_result(own, types);
        self.out.set_result(own, result);
        let pullback = self.out.graph_ref(own);
        let ty = Type::tuple([value, pullback].map(|n| self.out[n].ty.clone()));
        self.out.prim(at.graph, Prim::Tuple, vec![value, pullback], ty, at.span)
    }

    /// Value and tangent of a call of a derivative in forward mode.
    pub(super) fn taken_forward(&mut self, at: Place, pair: NodeId, sites: Sites, manner: Manner) -> NodeId {
        if sites.are_none() {
            return pair;
        }
        let [both, tangents] = [0, 1].map(|i| self.part_of(at, pair, i));
        let (value, tangent) = (self.taken(at, both, sites, manner), self.part_of(at, tangents, 0));
        let ty = Type::tuple([value, tangent].map(|n| self.out[n].ty.clone()));
        self.out.prim(at.graph, Prim::Tuple, vec![value, tangent], ty, at.span)
    }

    /// The tangents of the state for a call of a derivative in forward mode.
    pub(super) fn no_tangents(&mut self, at: Place, sites: Sites) -> Vec<NodeId> {
        sites.iter().map(|site| zero_value(&mut self.out, at.graph, &site.ty().cotangent())).collect()
    }

    /// A node that does something to the state; the value it has. None for any other.
    pub(super) fn effect(&mut self, at: Place, node: NodeId) -> Result<Option<NodeId>> {
        let Some(prim @ (Prim::Print | Prim::Store | Prim::SetStore | Prim::Witness)) = self.e.m.as_prim(node) else {
            return Ok(None);
        };
        let inputs = self.e.m[node].inputs().to_vec();
        if prim == Prim::Witness {
            let printed = self.witness.take();
            return Ok(Some(printed.unwrap_or_else(|| self.first(at, Site::Output))));
        }
        if prim == Prim::Store {
            return Ok(Some(self.now(at, Site::Boxes)));
        }
        if prim == Prim::SetStore {
            let content = self.operand(at, inputs[0])?;
            let content = self.ops(at).coerce(&content, &Site::Boxes.abs());
            self.state.set(Site::Boxes, content.node);
        } else if !self.e.instances[at.instance].silent {
            let mut operands = inputs.iter().map(|&n| self.operand(at, n)).collect::<Result<Vec<Value>>>()?;
            operands[0] = Value { abs: Abs::I64(None), node: self.now(at, Site::Output) };
            let printed = self.ops(at).say(Prim::Print, &operands)?;
            self.state.set(Site::Output, printed.node);
        }
        Ok(Some(self.out.constant(Const::None, Type::None)))
    }

    /// Lets what is done from here on come after a value that nobody asks for.
    pub(super) fn done_before(&mut self, at: Place, value: NodeId) {
        if let Some(output) = self.state.get(Site::Output) {
            let (output, value) = [output, value].map(|node| Value { abs: Abs::I64(None), node }).into();
            let after = self.after(at, &output, &value);
            self.state.set(Site::Output, after.node);
        }
    }

    /// The entry, which nobody gives the state: it begins here, and the result is there once all is done.
    pub(super) fn begin(&mut self, entry: InstId, inner: GraphId) -> Result<GraphId> {
        let sites = self.sites_at(entry);
        if sites.are_none() {
            return Ok(inner);
        }
        let graph = self.out[inner].clone();
        let g = self.out.add_graph(graph.name, graph.flavor, graph.role, graph.span);
        let at = Place { instance: entry, graph: g, span: graph.span };
        let own = graph.params.len() - sites.iter().count();
        let mut args = Vec::with_capacity(graph.params.len());
        for &p in &graph.params[..own] {
            let (ty, name, span) = (self.out[p].ty.clone(), self.out[p].name.clone(), self.out[p].span);
            args.push(self.out.add_param(g, ty, name, span));
        }
        self.state = State::default();
        args.extend(self.given(at, sites, Manner::Plain));
        let function = self.out.graph_ref(inner);
        let both = self.out.call(g, function, &args, graph.result, graph.span);
        let value = self.taken(at, both, sites, Manner::Plain);
        let value = match self.state.get(Site::Output).filter(|_| sites.has(Site::Output)) {
            Some(output) => failing::behind(&mut self.out, g, value, &[output]),
            None => value,
        };
        let ty = self.out[value].ty.clone();
        self.out.declare_result(g, ty);
        self.out.set_result(g, value);
        Ok(g)
    }
}

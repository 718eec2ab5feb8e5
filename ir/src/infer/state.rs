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
use super::cells::{Cell, OnCell};
use super::effects::{Manner, Site, Sites};
use super::emit::{Emitter, Place, Result};
use super::failing;
use super::instances::{InstId, Voice};
use super::prims::Value;
use crate::build::zero_value;
use crate::graph::{Const, Flavor, GraphId, NodeId};
use crate::memory::OnBox;
use crate::prim::Prim;
use crate::types::Type;
use rustc_hash::FxHashMap;

/// The values of the sites at a place; none of those that the function there does not touch.
pub(super) type State = FxHashMap<Site, NodeId>;

impl Emitter {
    /// The sites that a function touches, or any of those that a value may be.
    pub(super) fn sites_of(&self, callee: &Callee) -> Sites {
        let (mut all, mut sites) = (Vec::new(), Sites::default());
        callee.instances(&mut all);
        all.into_iter().for_each(|id| sites.extend(self.layout.sites(id)));
        sites
    }

    /// The sites that the function of an instance takes and gives back.
    pub(super) fn sites_at(&self, id: InstId) -> Sites {
        self.layout.sites(self.e.instances[id].function).clone()
    }

    pub(super) fn site_type(&mut self, site: Site) -> Result<Type> {
        let abs = self.layout.site(site);
        self.ty(&abs)
    }

    fn site_types(&mut self, sites: &Sites) -> Result<Vec<Type>> {
        sites.iter().map(|site| self.site_type(site)).collect()
    }

    /// The type of what a function gives.
    pub(super) fn result_type(&mut self, result: &Abs, sites: &Sites) -> Result<Type> {
        let own = self.ty(result)?;
        let more = self.site_types(sites)?;
        Ok(if sites.are_none() { own } else { Type::tuple(std::iter::once(own).chain(more)) })
    }

    /// Parameters of a graph for sites, which are the state there.
    pub(super) fn take_state(&mut self, g: GraphId, sites: &Sites) -> Result<State> {
        let span = self.out[g].span;
        let types = self.site_types(sites)?;
        Ok(sites.iter().zip(types).map(|(site, ty)| (site, self.out.add_param(g, ty, None, span))).collect())
    }

    /// A site as it is at first.
    pub(super) fn first(&mut self, at: Place, site: Site) -> Result<NodeId> {
        let ty = self.site_type(site)?;
        let is_checked = matches!(site, Site::Cell(i) if self.layout.cells.all[i as usize].is_checked);
        let mut ops = self.ops(at);
        Ok(match (site, ty) {
            (Site::Output, _) => ops.int(0).node,
            (Site::Boxes, _) => {
                let (one, nothing) = (ops.int(1), ops.new_elements(&Abs::tuple([Abs::Bool(None), Abs::Opaque]), &[]));
                ops.tuple(&[one, nothing]).node
            }
            (Site::Cell(_), Type::Tuple(parts)) if is_checked => {
                let (empty, nothing) = (ops.bool(false), ops.constant(Const::Undefined, parts[1].clone(), Abs::Bottom));
                ops.tuple(&[empty, nothing]).node
            }
            (Site::Cell(_), ty) => ops.constant(Const::Undefined, ty, Abs::Bottom).node,
        })
    }

    /// A site here.
    pub(super) fn now(&mut self, at: Place, site: Site) -> Result<NodeId> {
        match self.state.get(&site) {
            Some(&value) => Ok(value),
            None => self.first(at, site),
        }
    }

    /// What a function gives: a value, and the state here.
    pub(super) fn with_state(&mut self, at: Place, value: NodeId, sites: &Sites) -> Result<NodeId> {
        if sites.are_none() {
            return Ok(value);
        }
        let mut all = vec![value];
        for site in sites.iter() {
            all.push(self.now(at, site)?);
        }
        // A call in the place of the last gives all of that.
        let given = |i: usize| match self.out.as_prim(all[i]) {
            Some(Prim::Get(k)) if k as usize == i => Some(self.out[all[i]].inputs()[0]),
            _ => None,
        };
        if let Some(call) = given(0).filter(|&call| (1..all.len()).all(|i| given(i) == Some(call)))
            && self.out[call].ty.fields().is_some_and(|fields| fields.len() == all.len())
        {
            return Ok(call);
        }
        let ty = Type::tuple(all.iter().map(|&n| self.out[n].ty.clone()));
        Ok(self.out.prim(at.graph, Prim::Tuple, all, ty, at.span))
    }

    /// The state for a call.
    pub(super) fn given(&mut self, at: Place, sites: &Sites, manner: Manner) -> Result<Vec<NodeId>> {
        let value = |site| if manner == Manner::Witnessed { self.first(at, site) } else { self.now(at, site) };
        sites.iter().map(value).collect()
    }

    /// A part of a tuple.
    fn part_of(&mut self, at: Place, tuple: NodeId, i: usize) -> NodeId {
        let ty = self.out[tuple].ty.fields().expect("a tuple")[i].clone();
        self.out.prim(at.graph, Prim::Get(i as u32), vec![tuple], ty, at.span)
    }

    /// The value of a call that gives this and state, which is the state from here on.
    pub(super) fn taken(&mut self, at: Place, both: NodeId, sites: &Sites, manner: Manner) -> NodeId {
        if sites.are_none() {
            return both;
        }
        let value = self.part_of(at, both, 0);
        for (i, site) in (1..).zip(sites.iter()) {
            let after = self.part_of(at, both, i);
            match (manner, site) {
                (Manner::Plain, _) => drop(self.state.insert(site, after)),
                (Manner::Witnessed, Site::Output) => self.witness = Some(after),
                _ => {}
            }
        }
        value
    }

    /// Value and pullback of a call of a derivative in reverse mode. To the pullback the state is nothing.
    pub(super) fn taken_reverse(&mut self, at: Place, pair: NodeId, sites: &Sites, manner: Manner) -> Result<NodeId> {
        if sites.are_none() {
            return Ok(pair);
        }
        let [both, pullback] = [0, 1].map(|i| self.part_of(at, pair, i));
        let signature = self.out[pullback].ty.signature().expect("a pullback is a function").clone();
        let value = self.taken(at, both, sites, manner);
        let ty = self.out[value].ty.cotangent();
        let own = self.out.add_graph("pullback", Flavor::Function, crate::graph::Role::Primal, at.span);
        let inner = Place { graph: own, ..at };
        let seed = self.out.add_param(own, ty, None, at.span);
        let zeros = self.no_tangents(inner, sites)?;
        let seeds = [&[seed], &zeros[..]].concat();
        let types = Type::tuple(seeds.iter().map(|&n| self.out[n].ty.clone()));
        let seeds = self.out.prim(own, Prim::Tuple, seeds, types, at.span);
        let all = self.out.call(own, pullback, &[seeds], signature.result.clone(), at.span);
        let count = signature.result.fields().expect("a tuple").len() - sites.len();
        let kept: Vec<NodeId> = (0..count).map(|i| self.part_of(inner, all, i)).collect();
        let types = Type::tuple(kept.iter().map(|&n| self.out[n].ty.clone()));
        let result = self.out.prim(own, Prim::Tuple, kept, types.clone(), at.span);
        self.out.declare_result(own, types);
        self.out.set_result(own, result);
        let pullback = self.out.graph_ref(own);
        let ty = Type::tuple([value, pullback].map(|n| self.out[n].ty.clone()));
        Ok(self.out.prim(at.graph, Prim::Tuple, vec![value, pullback], ty, at.span))
    }

    /// Value and tangent of a call of a derivative in forward mode.
    pub(super) fn taken_forward(&mut self, at: Place, pair: NodeId, sites: &Sites, manner: Manner) -> Result<NodeId> {
        if sites.are_none() {
            return Ok(pair);
        }
        let orders = self.out[pair].ty.fields().map_or(2, <[Type]>::len);
        let both = self.part_of(at, pair, 0);
        let mut parts = vec![self.taken(at, both, sites, manner)];
        for i in 1..orders {
            let tangents = self.part_of(at, pair, i);
            parts.push(self.part_of(at, tangents, 0));
        }
        let ty = Type::tuple(parts.iter().map(|&n| self.out[n].ty.clone()));
        Ok(self.out.prim(at.graph, Prim::Tuple, parts, ty, at.span))
    }

    /// Tangents, or cotangents, of the state: it is a constant to a derivative.
    pub(super) fn no_tangents(&mut self, at: Place, sites: &Sites) -> Result<Vec<NodeId>> {
        let types = self.site_types(sites)?;
        Ok(types.into_iter().map(|ty| zero_value(&mut self.out, at.graph, &ty.cotangent())).collect())
    }

    /// Does with a cell what a node does; gives the value of the node.
    pub(super) fn on_cell(&mut self, at: Place, node: NodeId, (what, number): (OnCell, u32)) -> Result<NodeId> {
        let (site, inputs) = (Site::Cell(number), self.e.m[node].inputs().to_vec());
        let Cell { content, is_checked, .. } = &self.layout.cells.all[number as usize];
        let (abs, is_checked) = (content.clone(), *is_checked);
        match what {
            OnCell::Make => {
                let first = self.first(at, site)?;
                self.state.insert(site, first);
                // It is its number, of which nobody makes another.
                Ok(self.out.i64(-1 - i64::from(number)))
            }
            OnCell::Call(OnBox::Set) => {
                let value = self.operand(at, inputs[2])?;
                let mut ops = self.ops(at);
                let mut content = ops.coerce(&value, &abs).node;
                if is_checked {
                    let filled = ops.bool(true);
                    content = ops.tuple(&[filled, Value { abs, node: content }]).node;
                }
                self.state.insert(site, content);
                Ok(self.out.constant(Const::None, Type::None))
            }
            OnCell::Call(OnBox::IsFilled) => {
                let now = self.now(at, site)?;
                Ok(self.part_of(at, now, 0))
            }
            OnCell::Call(OnBox::Get) => {
                let now = self.now(at, site)?;
                Ok(if is_checked { self.part_of(at, now, 1) } else { now })
            }
            // It was read by the call before, which is in the order of the program.
            OnCell::Open => {
                let owner = self.e.m[inputs[0]].graph.expect("a call is no constant");
                let home = self.e.instances.home(at.instance, owner);
                Ok(self.nodes[&(home, inputs[0])])
            }
        }
    }

    /// A node that does something to the state; the value it has. None for any other.
    pub(super) fn effect(&mut self, at: Place, node: NodeId) -> Result<Option<NodeId>> {
        let Some(prim @ (Prim::Print | Prim::Store | Prim::SetStore | Prim::Witness)) = self.e.m.as_prim(node) else {
            return Ok(None);
        };
        let inputs = self.e.m[node].inputs().to_vec();
        if prim == Prim::Witness {
            let printed = self.witness.take();
            return printed.map_or_else(|| self.first(at, Site::Output), Ok).map(Some);
        }
        if prim == Prim::Store {
            return self.now(at, Site::Boxes).map(Some);
        }
        if prim == Prim::SetStore {
            let content = self.operand(at, inputs[0])?;
            let to = self.layout.site(Site::Boxes);
            let content = self.ops(at).coerce(&content, &to);
            self.state.insert(Site::Boxes, content.node);
        } else if self.e.instances[at.instance].voice == Voice::Loud {
            let mut operands = inputs.iter().map(|&n| self.operand(at, n)).collect::<Result<Vec<Value>>>()?;
            operands[0] = Value { abs: Abs::I64(None), node: self.now(at, Site::Output)? };
            let printed = self.ops(at).say(Prim::Print, &operands)?;
            self.state.insert(Site::Output, printed.node);
        }
        Ok(Some(self.out.constant(Const::None, Type::None)))
    }

    /// Values that are there once all is done that was done before.
    pub(super) fn afterwards(&mut self, at: Place, values: &mut [NodeId]) {
        if let Some(&output) = self.state.get(&Site::Output) {
            for value in values {
                *value = failing::behind(&mut self.out, at.graph, *value, &[output]);
            }
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
        let own = graph.params.len() - sites.len();
        let mut args = Vec::with_capacity(graph.params.len());
        for &p in &graph.params[..own] {
            let (ty, name, span) = (self.out[p].ty.clone(), self.out[p].name.clone(), self.out[p].span);
            args.push(self.out.add_param(g, ty, name, span));
        }
        self.state = State::default();
        args.extend(self.given(at, &sites, Manner::Plain)?);
        let function = self.out.graph_ref(inner);
        let both = self.out.call(g, function, &args, graph.result, graph.span);
        let value = self.taken(at, both, &sites, Manner::Plain);
        let value = match self.state.get(&Site::Output) {
            Some(&output) => failing::behind(&mut self.out, g, value, &[output]),
            None => value,
        };
        let ty = self.out[value].ty.clone();
        self.out.declare_result(g, ty);
        self.out.set_result(g, value);
        Ok(g)
    }
}

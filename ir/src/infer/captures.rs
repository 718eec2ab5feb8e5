//! What closures capture, and which of them must be records of it.
//!
//! A function value has a representation that only its calls know, so a program cannot look at its cotangent. Where one does, the
//! definition of the function is noted, and inference begins again with records in its place: instances of a class whose fields are the
//! captured variables, and which is called like a function ([`super::closures`]).

use super::abs::{Abs, Closure};
use super::engine::{Engine, Stop};
use super::instances::InstId;
use super::prims::Result;
use super::wrappers::has_float;
use crate::graph::{Const, Flavor, GraphId, Kind, Module, NodeId};
use crate::prim::Prim;
use crate::span::{Diagnostic, Span};
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;
use std::rc::Rc;

/// The definitions of functions whose values are records.
#[derive(Clone, Default, Debug)]
pub(super) struct Records {
    /// Functions of the source.
    pub(super) graphs: BTreeSet<GraphId>,
    /// Nodes that make partial applications and bound methods.
    pub(super) nodes: BTreeSet<NodeId>,
}

impl Records {
    /// Adds others, and says whether there were any new ones.
    pub(super) fn add(&mut self, others: &Records) -> bool {
        let before = (self.graphs.len(), self.nodes.len());
        self.graphs.extend(&others.graphs);
        self.nodes.extend(&others.nodes);
        before != (self.graphs.len(), self.nodes.len())
    }
}

/// What a function is that a program asks the gradient of.
const HAS_NONE: &str = "what this function captures has no gradient here";

impl Engine {
    /// Notes the functions in a value whose cotangents a program looks at, if they capture floats.
    pub(super) fn want_records(&mut self, id: InstId, value: &Abs, span: Span) -> std::result::Result<(), Stop> {
        if has_pullback(value) {
            let d = Diagnostic::unsupported(span, "what a pullback captures has no gradient here");
            return Err(d.hint("take the derivative of a function that calls `vjp`").into());
        }
        for set in self.functions_in(value) {
            let mut captures = false;
            for &closure in set.iter() {
                captures |= self.captures_floats(id, closure, span)?;
            }
            if captures {
                set.iter().try_for_each(|&closure| self.want_record(closure, span))?;
            }
        }
        Ok(())
    }

    /// The same, of a value and the tangent that is given for it: functions whose tangent is `None` stay as they are.
    pub(super) fn want_given(&mut self, id: InstId, given: &Abs, value: &Abs, span: Span) -> std::result::Result<(), Stop> {
        match (given, value) {
            (Abs::None, _) => Ok(()),
            (Abs::Tuple(given, _), Abs::Tuple(values, _)) | (Abs::Record(_, given), Abs::Record(_, values))
                if given.len() == values.len() =>
            {
                given.iter().zip(values.iter()).try_for_each(|(given, value)| self.want_given(id, given, value, span))
            }
            _ if given.is_cotangent_of(value) => Ok(()),
            _ => self.want_records(id, value, span),
        }
    }

    fn want_record(&mut self, closure: Closure, span: Span) -> Result<()> {
        let refuse = |e: &Engine, hint: &str| {
            let d = Diagnostic::unsupported(span, HAS_NONE).label(e.span_of(closure), "the function is made here");
            Err(d.hint(hint))
        };
        match closure {
            Closure::Graph(g, _) if self.records.graphs.contains(&g) || self.scopes.is_made(g) => {
                refuse(self, "make what it captures an argument")
            }
            Closure::Graph(g, _) => {
                self.wanted_records.graphs.insert(g);
                Ok(())
            }
            Closure::Made(node, _) => match self.m.as_prim(node) {
                Some(Prim::Partial | Prim::PartialKw(_) | Prim::Attribute)
                    if !self.records.nodes.contains(&node) && self.m[node].graph.is_some_and(|g| !self.scopes.is_made(g)) =>
                {
                    self.wanted_records.nodes.insert(node);
                    Ok(())
                }
                _ => refuse(self, "write a `lambda` that calls it"),
            },
        }
    }

    /// Whether a closure captures floats, be it by functions that it captures.
    fn captures_floats(&mut self, id: InstId, closure: Closure, span: Span) -> Result<bool> {
        let (mut work, mut seen) = (vec![closure], FxHashSet::default());
        while let Some(closure) = work.pop() {
            if !seen.insert(closure) {
                continue;
            }
            if self.captures_constant(closure) {
                return Ok(true);
            }
            for (home, n) in self.captured(closure) {
                self.instances.read(home, id);
                let abs = self.operand(home, n);
                let shared = self.shared_floats(&abs);
                if shared || matches!(abs, Abs::Pullback(..)) {
                    let what = if shared { "a `Box`, or a variable that functions share and assign," } else { "a pullback" };
                    let d = Diagnostic::unsupported(span, format!("{HAS_NONE}: {what} is among it"));
                    return Err(d.label(self.span_of(closure), "the function is made here").hint("make it an argument"));
                }
                if has_float(&abs) {
                    return Ok(true);
                }
                work.extend(self.closures_in(&abs));
            }
        }
        Ok(false)
    }

    /// Whether there are floats in the mutable boxes of a value.
    fn shared_floats(&mut self, value: &Abs) -> bool {
        match value {
            &Abs::Ref(site) => {
                let content = self.classes.content_of(site);
                has_float(&content)
            }
            Abs::Tuple(items, _) | Abs::Record(_, items) | Abs::Union(items) => items.iter().any(|item| self.shared_floats(item)),
            _ => false,
        }
    }

    /// Whether a function captures floats, or functions that do; none as long as too little is known of what it captures.
    pub(super) fn function_captures_floats(&mut self, id: InstId, f: &Abs) -> Option<bool> {
        let (mut work, mut seen) = (self.closures_in(f), FxHashSet::default());
        let mut is_known = true;
        while let Some(closure) = work.pop() {
            if !seen.insert(closure) {
                continue;
            }
            for (home, n) in self.captured(closure) {
                self.instances.read(home, id);
                let abs = self.operand(home, n);
                if has_float(&abs) || matches!(abs, Abs::Pullback(..)) || self.shared_floats(&abs) {
                    return Some(true);
                }
                is_known &= !abs.is_bottom();
                work.extend(self.closures_in(&abs));
            }
        }
        is_known.then_some(false)
    }

    /// The closures in a value, those in boxes among them.
    pub(super) fn closures_in(&mut self, value: &Abs) -> Vec<Closure> {
        self.functions_in(value).iter().flat_map(|set| set.iter().copied()).collect()
    }

    /// The functions in a value, each as the closures that it may be.
    fn functions_in(&self, value: &Abs) -> Vec<Rc<[Closure]>> {
        let leaves = self.leaves(value).into_iter();
        leaves.filter_map(|leaf| if let Abs::Func(set) = leaf { Some(set) } else { None }).collect()
    }

    /// Whether a value is or holds a mutable box.
    pub(super) fn holds_ref(&self, value: &Abs) -> bool {
        self.leaves(value).iter().any(|leaf| matches!(leaf, Abs::Ref(_)))
    }

    /// The parts of a value that have no parts, those of instances in boxes among them.
    fn leaves(&self, value: &Abs) -> Vec<Abs> {
        let (mut found, mut opened) = (Vec::new(), FxHashSet::default());
        let mut work = vec![value.clone()];
        while let Some(value) = work.pop() {
            match &value {
                Abs::Boxed(boxed) if opened.insert(boxed.clone()) => work.extend(self.classes.content(boxed).iter().cloned()),
                Abs::Boxed(_) => {}
                Abs::Tuple(items, _) | Abs::Record(_, items) | Abs::Union(items) | Abs::Iter(items, _) => {
                    work.extend(items.iter().cloned());
                }
                Abs::Elements(element) => work.push((**element).clone()),
                _ => found.push(value),
            }
        }
        found
    }

    /// What a closure captures: nodes that are no constants, and the instance from which each is seen.
    fn captured(&mut self, closure: Closure) -> Vec<(InstId, NodeId)> {
        match closure {
            Closure::Made(node, at) => {
                let inputs = self.m[node].inputs();
                inputs.iter().filter(|&&n| self.m[n].graph.is_some() || self.m.as_graph(n).is_some()).map(|&n| (at, n)).collect()
            }
            Closure::Graph(_, None) => Vec::new(),
            Closure::Graph(g, Some(parent)) => {
                let mut found = Vec::new();
                let mut inside = vec![g];
                let mut i = 0;
                while i < inside.len() {
                    let h = inside[i];
                    i += 1;
                    let schedule = self.scopes.schedule(h);
                    let used = schedule.iter().flat_map(|&n| self.m[n].inputs()).copied().chain([self.m.result(h)]);
                    for n in used.chain(self.m[h].defaults.iter().copied()).collect::<Vec<_>>() {
                        let owner = match self.m[n].kind {
                            Kind::Const(Const::Graph(k)) => self.scopes.parent(k),
                            _ => self.m[n].graph,
                        };
                        let Some(owner) = owner else { continue };
                        let nested = std::iter::successors(Some(owner), |&o| self.scopes.parent(o)).any(|o| o == g);
                        match self.m.as_graph(n) {
                            Some(k) if nested && !inside.contains(&k) => inside.push(k),
                            _ if !nested => found.push((parent, n)),
                            _ => {}
                        }
                    }
                }
                found
            }
        }
    }

    /// Whether a closure captures a float that is a constant.
    fn captures_constant(&self, closure: Closure) -> bool {
        match closure {
            Closure::Graph(g, _) => captures_constant(&self.m, g),
            Closure::Made(node, _) => self.m[node].inputs()[1..].iter().any(|&n| self.m.as_f64(n).is_some()),
        }
    }
}

/// Whether a function is defined inside of another one, or inside of a function that is.
pub(super) fn is_within(m: &Module, inner: GraphId, outer: GraphId) -> bool {
    std::iter::successors(m.within.get(&inner), |g| m.within.get(g)).any(|&g| g == outer)
}

/// Whether a function captures a variable that is a float constant, or a function that does. The outermost function has the mark, of
/// those for which the variable is one of a function around.
pub(super) fn captures_constant(m: &Module, g: GraphId) -> bool {
    let (mut work, mut seen) = (vec![g], FxHashSet::from_iter([g]));
    while let Some(function) = work.pop() {
        let (mut parts, mut own) = (vec![function], FxHashSet::from_iter([function]));
        let mut nodes = FxHashSet::default();
        while let Some(part) = parts.pop() {
            let mut stack: Vec<NodeId> = m.roots(part).chain(m[part].defaults.iter().copied()).collect();
            while let Some(n) = stack.pop() {
                if !nodes.insert(n) {
                    continue;
                }
                match (m.as_graph(n), m[n].graph) {
                    (Some(k), _) if m[k].flavor == Flavor::Block || is_within(m, k, function) => {
                        parts.extend(own.insert(k).then_some(k));
                    }
                    (Some(k), _) => work.extend((m.within.contains_key(&k) && seen.insert(k)).then_some(k)),
                    (None, Some(graph)) if own.contains(&graph) => {
                        let is_constant = || m.as_f64(m[n].inputs()[0]).is_some();
                        if graph == function && m.as_prim(n) == Some(Prim::Captured) && is_constant() {
                            return true;
                        }
                        stack.extend(m[n].inputs());
                    }
                    _ => {}
                }
            }
        }
    }
    false
}

/// Whether a value is or holds what `vjp` makes.
fn has_pullback(value: &Abs) -> bool {
    match value {
        Abs::Pullback(..) => true,
        Abs::Tuple(items, _) | Abs::Record(_, items) | Abs::Union(items) => items.iter().any(has_pullback),
        _ => false,
    }
}

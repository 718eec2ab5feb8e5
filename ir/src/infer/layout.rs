//! What the typed module will hold, and how its values are represented.
//!
//! A function value is represented by its class: by one function for each signature at which any value of the class is called;
//! a single one as it is, none or several as a tuple of them. Only what the entry reaches counts, once the analysis is complete:
//! on its way it saw types that did not last.

use super::abs::{Abs, Closure};
use super::calls::{Callee, Signature, Target};
use super::cells::{Cell, Cells};
use super::classes::Classes;
use super::effects::{Does, Site, Sites};
use super::engine::Engine;
use super::instances::InstId;
use super::mutable::contents;
use super::vectors::Kept;
use crate::array::DType;
use crate::graph::{Kind, Module, NodeId};
use crate::prim::{Prim, j_type};
use crate::span::Diagnostic;
use crate::types::Type;
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// A signature of a class, and the instance of each member.
#[derive(Clone)]
pub(super) struct Entry {
    pub(super) signature: Signature,
    pub(super) members: Rc<[(Closure, InstId)]>,
    pub(super) result: Abs,
}

impl Entry {
    /// The instance of a member; none where the analysis of a call ended with an error.
    pub(super) fn member(&self, closure: Closure) -> Option<InstId> {
        let found = self.members.binary_search_by_key(&closure, |&(c, _)| c);
        Some(self.members[found.ok()?].1)
    }
}

/// The instances to build, and the classes' signatures.
#[derive(Default)]
pub(super) struct Layout {
    reached: FxHashSet<InstId>,
    entries: FxHashMap<usize, Vec<Entry>>,
    /// The closures of a class that occur as values.
    values: FxHashMap<usize, Vec<Closure>>,
    work: Vec<InstId>,
    pub(super) cells: Cells,
    none: Does,
    /// What functions do.
    effects: FxHashMap<InstId, Does>,
}

impl Layout {
    pub(super) fn new(e: &mut Engine, entry: InstId) -> Layout {
        let mut layout = Layout { cells: Cells::find(e, entry), ..Layout::default() };
        layout.reach(entry);
        while let Some(id) = layout.work.pop() {
            layout.scan(e, id);
        }
        layout.effects = e.effects(&layout.reached, &layout.cells);
        layout
    }

    /// The instances to build, each after those that it is nested in.
    pub(super) fn instances(&self) -> Vec<InstId> {
        let mut all: Vec<InstId> = self.reached.iter().copied().collect();
        all.sort_unstable();
        all
    }

    fn reach(&mut self, id: InstId) {
        if self.reached.insert(id) {
            self.work.push(id);
        }
    }

    /// What control gets to in an instance: what it would come to after that is not built.
    fn scan(&mut self, e: &mut Engine, id: InstId) {
        if e.instances[id].unassigned.is_some() {
            return;
        }
        let graph = e.instances[id].graph;
        // Where something is wrong there is no value, and more may be wrong after it.
        let is_right = e.instances[id].errors.is_empty();
        for &node in e.scopes.schedule(graph).iter() {
            if is_right && never_exists(e, id, node) {
                return;
            }
            let inputs = e.m[node].inputs().to_vec();
            if let Some(target) = e.instances[id].calls.get(&node).cloned() {
                inputs[1..].iter().for_each(|&n| self.value(e, id, n));
                self.call(e, id, inputs[0], target);
                if is_right && never_returns(e, id, node).is_some() {
                    return;
                }
                continue;
            }
            match e.m[node].kind {
                Kind::Prim(Prim::J | Prim::Partial | Prim::PartialKw(_) | Prim::Grad { .. }) => {}
                Kind::Prim(Prim::Select) if e.as_block(inputs[1]).is_some() => {}
                // The function of the library beside the value is called where it is needed.
                Kind::Prim(Prim::Attribute) => self.value(e, id, inputs[0]),
                _ => inputs.iter().for_each(|&n| self.value(e, id, n)),
            }
        }
        self.value(e, id, e.m.result(graph));
    }

    fn call(&mut self, e: &mut Engine, id: InstId, callee: NodeId, target: Target) {
        let (callee, node) = match target {
            Target::Blocks { targets, .. } => return targets.into_iter().for_each(|t| self.reach(t)),
            Target::Pullback(_) => return,
            Target::Ruled(ruled) => {
                ruled.parts().for_each(|part| self.reach(part));
                return ruled.pullback().cloned().into_iter().for_each(|pullback| self.callee(e, pullback));
            }
            // What it is given may be a function, where a primitive takes one.
            Target::Instead(c, given) => {
                given.iter().for_each(|&n| self.value(e, id, n));
                (c, callee)
            }
            Target::Function(c) | Target::Pushforward(c) | Target::Applied(c) => (c, callee),
            Target::Derivative(c) => (c, e.m[callee].inputs()[0]),
        };
        if let Callee::Value { .. } = callee {
            self.value(e, id, node);
        }
        self.callee(e, callee);
    }

    fn callee(&mut self, e: &mut Engine, callee: Callee) {
        match callee {
            Callee::Known(known, _) => self.reach(known),
            Callee::Value { closure, signature, members, result } => {
                let class = e.classes.of(closure);
                let entries = self.entries.entry(class).or_default();
                if entries.iter().all(|entry| entry.signature != signature) {
                    let entry = Entry { signature, members, result };
                    entries.push(entry.clone());
                    for c in self.values.get(&class).cloned().unwrap_or_default() {
                        entry.member(c).into_iter().for_each(|member| self.reach(member));
                    }
                }
            }
        }
    }

    /// A node is used as a value: if that makes a closure, it needs an instance for each signature.
    fn value(&mut self, e: &mut Engine, id: InstId, node: NodeId) {
        let Some(closure) = made_by(e, id, node) else { return };
        let class = e.classes.of(closure);
        let values = self.values.entry(class).or_default();
        if !values.contains(&closure) {
            values.push(closure);
            for entry in self.entries.get(&class).cloned().unwrap_or_default() {
                entry.member(closure).into_iter().for_each(|member| self.reach(member));
            }
        }
    }

    /// The sites that a function takes and gives back.
    pub(super) fn sites(&self, function: InstId) -> &Sites {
        &self.does(function).sites
    }

    /// What a function does.
    pub(super) fn does(&self, function: InstId) -> &Does {
        self.effects.get(&function).unwrap_or(&self.none)
    }

    /// The sites that any member of a class touches, called by this signature.
    pub(super) fn sites_of(&self, entry: &Entry) -> Sites {
        let mut sites = Sites::default();
        entry.members.iter().for_each(|&(_, id)| sites.extend(self.sites(id)));
        sites
    }

    /// What is in a site.
    pub(super) fn site(&self, site: Site) -> Abs {
        match site {
            Site::Output => Abs::I64(None),
            Site::Boxes => contents(),
            Site::Cell(i) => {
                let Cell { content, is_checked, .. } = &self.cells.all[i as usize];
                if *is_checked { Abs::tuple([Abs::Bool(None), content.clone()]) } else { content.clone() }
            }
        }
    }

    /// What is done where nobody knows of it.
    pub(super) fn misplaced(&self, e: &mut Engine) -> Vec<Diagnostic> {
        e.misplaced(&self.reached, &self.effects)
    }

    /// The signatures of the class of a closure.
    pub(super) fn entries(&self, e: &mut Engine, closure: Closure) -> &[Entry] {
        self.entries.get(&e.classes.of(closure)).map_or(&[], Vec::as_slice)
    }

    /// The type that represents an abstract value.
    pub(super) fn ty(&self, classes: &mut Classes, m: &Module, a: &Abs) -> Result<Type, Diagnostic> {
        self.expand((classes, m), a, &mut Vec::new())
    }

    fn expand(&self, e: (&mut Classes, &Module), a: &Abs, open: &mut Vec<usize>) -> Result<Type, Diagnostic> {
        Ok(match a {
            Abs::Bottom => unreachable!("a value that does not exist has no type"),
            Abs::Bool(_) => Type::Bool,
            Abs::I64(_) | Abs::Window(_) | Abs::Ref(_) => Type::I64,
            Abs::F64(_) => Type::F64,
            &Abs::Array(dtype, shape) => Type::Array(dtype, shape),
            &Abs::Masked(dtype, shape) => Type::tuple([Type::Array(dtype, shape), Type::Array(DType::Bool, shape)]),
            &Abs::Rows(dtype, shape, _) => Type::tuple([Type::Array(dtype, shape), Type::I64]),
            Abs::Slice(items) | Abs::Parts(items) => Type::tuple(self.expand_all((&mut *e.0, e.1), items, open)?),
            Abs::Ellipsis | Abs::Unassigned => Type::Zero,
            Abs::Str(_) => Type::Str,
            Abs::None => Type::None,
            Abs::Zero => Type::Zero,
            Abs::Opaque => Type::Opaque,
            Abs::Elements(element) => {
                let record = match element.kept() {
                    Some(Kept::AsTheyAre) => self.expand(e, element, open)?,
                    Some(Kept::InBoxes) | None => Type::Opaque,
                };
                Type::tuple([Type::I64, Type::vec(record)])
            }
            Abs::Boxed(_) => Type::Opaque,
            Abs::Union(_) => Type::tuple([Type::I64, Type::Opaque]),
            Abs::Tuple(items, _) | Abs::Record(_, items) | Abs::Iter(items, _) => {
                Type::tuple(self.expand_all((&mut *e.0, e.1), items, open)?)
            }
            Abs::Range(Some(_), _) | Abs::RangeIter(Some(_), _) => Type::tuple([Type::I64, Type::I64]),
            Abs::Range(None, _) | Abs::RangeIter(None, _) => Type::tuple([Type::I64, Type::I64, Type::I64]),
            Abs::Pullback(result, args, _) => {
                let (result, args) =
                    (self.expand((&mut *e.0, e.1), result, open)?, self.expand_all((&mut *e.0, e.1), args, open)?);
                j_type(&args, &result).signature().and_then(|s| s.result.fields()).expect("value and pullback")[1].clone()
            }
            Abs::Cotangent(of) => self.expand((&mut *e.0, e.1), of, open)?.cotangent(),
            Abs::Func(set) => {
                let class = e.0.of(set[0]);
                let entries = self.entries.get(&class).map_or(&[][..], Vec::as_slice);
                if open.contains(&class) {
                    if entries.len() == 1 {
                        return Ok(Type::AnyFn);
                    }
                    return Err(ambiguous(e.1, set[0]));
                }
                open.push(class);
                let mut functions = Vec::with_capacity(entries.len());
                for entry in entries {
                    let params = self.expand_all((&mut *e.0, e.1), &entry.signature.args, open)?;
                    let result = self.expand((&mut *e.0, e.1), &entry.result, open)?;
                    let sites = self.sites_of(entry);
                    let sites: Vec<Abs> = sites.iter().map(|site| self.site(site)).collect();
                    let sites = self.expand_all((&mut *e.0, e.1), &sites, open)?;
                    let result = match sites.is_empty() {
                        true => result,
                        false => Type::tuple(std::iter::once(result).chain(sites.iter().cloned())),
                    };
                    let params: Vec<Type> = params.into_iter().chain(sites).collect();
                    functions.push(Type::func(params, result));
                }
                open.pop();
                if functions.len() == 1 { functions.remove(0) } else { Type::tuple(functions) }
            }
        })
    }

    fn expand_all(&self, e: (&mut Classes, &Module), items: &[Abs], open: &mut Vec<usize>) -> Result<Vec<Type>, Diagnostic> {
        items.iter().map(|item| self.expand((&mut *e.0, e.1), item, open)).collect()
    }
}

/// Whether control never comes past a node, as past the read of an element of what is always an empty list.
pub(super) fn never_exists(e: &mut Engine, id: InstId, node: NodeId) -> bool {
    e.operand(id, node).is_bottom()
        && !e.instances[id].calls.contains_key(&node)
        && made_by(e, id, node).is_none()
        && !is_callee_only(&e.m, node)
}

/// The function that a node calls which never returns.
pub(super) fn never_returns(e: &mut Engine, id: InstId, node: NodeId) -> Option<InstId> {
    let called = e.instances[id].calls.get(&node).and_then(Target::known)?;
    e.operand(id, node).is_bottom().then_some(called)
}

/// Whether a node is no value, but says who is called, or ends a run.
pub(super) fn is_callee_only(m: &Module, node: NodeId) -> bool {
    matches!(m[node].kind, Kind::Prim(Prim::Select | Prim::J | Prim::Fail))
}

/// The closure that a node stands for, where it makes one.
pub(super) fn made_by(e: &mut Engine, id: InstId, node: NodeId) -> Option<Closure> {
    match e.m[node].kind {
        Kind::Const(_) => e.m.as_graph(node).map(|g| e.closure(id, g)),
        Kind::Prim(Prim::Partial | Prim::PartialKw(_) | Prim::Grad { .. }) => {
            let owner = e.m[node].graph.expect("not a constant");
            Some(Closure::Made(node, e.instances.home(id, owner)))
        }
        // A method; otherwise a field, which may hold a function.
        Kind::Prim(Prim::Attribute) => {
            let owner = e.m[node].graph.expect("not a constant");
            let made = Closure::Made(node, e.instances.home(id, owner));
            match e.operand(id, node) {
                Abs::Func(set) => match set[..] {
                    [one @ Closure::Graph(_, None)] => Some(one),
                    [one] if one == made => Some(one),
                    _ => None,
                },
                _ => None,
            }
        }
        _ => None,
    }
}

fn ambiguous(m: &Module, closure: Closure) -> Diagnostic {
    let span = match closure {
        Closure::Graph(g, _) => m[g].span,
        Closure::Made(node, _) => m[node].span,
    };
    Diagnostic::unsupported(span, "a function that takes or returns itself is called with different types of arguments")
        .hint("call it with floats everywhere")
}

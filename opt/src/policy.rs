//! Which calls are worth a copy of their callee.
//!
//! Copying ends: the graphs that are copied do not refer to themselves, and what has a simple type has a normal form; those that take or
//! capture an `AnyFn`, the type of what is applied to itself, are not inlined at all.

use crate::Options;
use crate::fold::select_parts;
use crate::nesting::{Tree, recursive_graphs};
use gradus_ir::eval::{Scalar, eval};
use gradus_ir::{Const, GraphId, Module, Nest, NodeId, Prim, Type};
use rustc_hash::{FxHashMap, FxHashSet};
use slotmap::SecondaryMap;

/// A graph that is small at a call because of the constants it is given is copied whole at first; not if it is larger than this.
const MAX_SPECIALISED: usize = 1000;

/// What decides about copies, as of the beginning of a pass.
pub(crate) struct Policy<'a> {
    nest: &'a Nest,
    options: &'a Options,
    limit: usize,
    tree: Tree,
    size: SecondaryMap<GraphId, usize>,
    recursive: FxHashSet<GraphId>,
}

impl<'a> Policy<'a> {
    /// Copies are made as long as the module has at most `limit` nodes.
    pub(crate) fn new(nest: &'a Nest, options: &'a Options, limit: usize) -> Policy<'a> {
        let tree = Tree::new(nest);
        Policy { nest, options, limit, size: sizes(nest, &tree), tree, recursive: recursive_graphs(nest) }
    }

    /// Whether a graph refers to itself, directly or through others.
    pub(crate) fn is_recursive(&self, g: GraphId) -> bool {
        self.recursive.contains(&g)
    }

    /// A graph and all that are nested in it, outer ones first.
    pub(crate) fn nest_of(&self, g: GraphId) -> &[GraphId] {
        self.tree.nest_of(g)
    }

    /// Whether the module has room for a copy of `f`.
    pub(crate) fn fits(&self, m: &Module, f: GraphId) -> bool {
        m.node_count() + self.size[f] <= self.limit
    }

    /// Whether a graph takes or captures what may be applied to itself, so that calls it makes known may never end.
    pub(crate) fn is_disguised_recursion(&self, m: &Module, f: GraphId) -> bool {
        let free = if self.nest.contains(f) { self.nest.free(f) } else { &[] };
        let params = &m[f].params;
        params.iter().chain(free).any(|&v| m.has_node(v) && mentions_any_fn(&m[v].ty))
    }

    /// Whether `call` should have a copy of `f` of its own: a small one, or one that takes or returns closures.
    pub(crate) fn is_worth_copying(&self, m: &Module, call: NodeId, f: GraphId) -> bool {
        if !self.nest.contains(f) || self.is_recursive(f) {
            return false;
        }
        let bound = match self.passes_closures(m, call, f) {
            true => self.options.inline_closure_size.max(self.options.inline_size),
            false => self.options.inline_size,
        };
        let size = self.size[f];
        size <= bound || (size <= MAX_SPECIALISED && self.is_small_here(m, call, f))
    }

    /// Whether what is left of `f` is small, once the constants that this call passes have decided branches.
    fn is_small_here(&self, m: &Module, call: NodeId, f: GraphId) -> bool {
        let scalar = |known: &FxHashMap<NodeId, Scalar>, n: NodeId| known.get(&n).copied().or_else(|| as_scalar(m, n));
        let mut known: FxHashMap<NodeId, Scalar> = FxHashMap::default();
        for (&p, &a) in m[f].params.iter().zip(&m[call].inputs()[1..]) {
            if let Some(v) = scalar(&known, a) {
                known.insert(p, v);
            }
        }
        if known.is_empty() {
            return false;
        }
        let mut left = 0;
        let mut reached: FxHashSet<GraphId> = FxHashSet::from_iter([f]);
        let mut graphs = vec![f];
        while let Some(g) = graphs.pop() {
            for &n in self.nest.schedule(g) {
                let operands: Option<Vec<Scalar>> = m[n].inputs().iter().map(|&i| scalar(&known, i)).collect();
                if let (Some(p), Some(operands)) = (m.as_prim(n), operands)
                    && let Some(Ok(v)) = eval(p, &operands)
                {
                    known.insert(n, v);
                    continue;
                }
                left += 1;
                let mut used = m[n].inputs();
                if let Some((c, _, _)) = select_parts(m, n)
                    && let Some(Scalar::Bool(taken)) = scalar(&known, c)
                {
                    left -= 1;
                    used = if taken { &used[1..2] } else { &used[2..3] };
                }
                let inner = used.iter().filter_map(|&i| m.as_graph(i)).filter(|&h| self.tree.is_within(h, f));
                graphs.extend(inner.filter(|&h| reached.insert(h)));
            }
            if left > self.options.inline_size {
                return false;
            }
        }
        true
    }

    /// Whether inlining this call may let a closure disappear: one that it returns to its caller, or takes from there. A block that is
    /// jumped to returns what its function returns, and may capture instead of take.
    fn passes_closures(&self, m: &Module, call: NodeId, f: GraphId) -> bool {
        let returns = !m.is_tail_call(call) && mentions_fn(&m[call].ty);
        let is_closure = |&n: &NodeId| m.as_graph(n).is_some() || m.as_prim(n) == Some(Prim::Partial);
        returns || (self.nest.free(f).is_empty() && m[call].inputs()[1..].iter().any(is_closure))
    }
}

/// The nodes of each graph and those nested in it.
fn sizes(nest: &Nest, tree: &Tree) -> SecondaryMap<GraphId, usize> {
    let mut sizes: SecondaryMap<GraphId, usize> = SecondaryMap::new();
    for &g in tree.preorder().iter().rev() {
        let size = nest.schedule(g).len() + sizes.get(g).copied().unwrap_or(0);
        sizes.insert(g, size);
        if let Some(parent) = nest.parent(g) {
            *sizes.entry(parent).expect("graphs exist").or_default() += size;
        }
    }
    sizes
}

fn as_scalar(m: &Module, n: NodeId) -> Option<Scalar> {
    match m[n].as_const()? {
        Const::F64(bits) => Some(Scalar::F64(f64::from_bits(*bits))),
        Const::I64(v) => Some(Scalar::I64(*v)),
        Const::Bool(v) => Some(Scalar::Bool(*v)),
        _ => None,
    }
}

/// Whether values of this type hold functions.
pub(crate) fn mentions_fn(ty: &Type) -> bool {
    match ty {
        Type::Fn(_) | Type::AnyFn => true,
        Type::Tuple(items) => items.iter().any(mentions_fn),
        _ => false,
    }
}

/// Whether `AnyFn` occurs anywhere in a type.
fn mentions_any_fn(ty: &Type) -> bool {
    match ty {
        Type::AnyFn => true,
        Type::Tuple(items) => items.iter().any(mentions_any_fn),
        Type::Fn(sig) => sig.params.iter().chain([&sig.result]).any(mentions_any_fn),
        _ => false,
    }
}

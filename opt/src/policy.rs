//! Which calls are worth a copy of their callee.
//!
//! Copying ends: the graphs that are copied do not refer to themselves, and what has a simple type has a normal form; those that take or
//! capture an `AnyFn`, the type of what is applied to itself, are not inlined at all.
//!
//! Copying is cheap: what counts is how large a graph will be once everything is inlined in it. So a function that calls small functions
//! twice, which do the same in turn, is not small. A join of a function, whose callers jump there, is copied only where that saves the
//! jump, so that n branches in a row do not become 2ⁿ paths: what it is given need not be known to be fast ([`crate::closures`]).
//!
//! A function of many loops takes in no function with loops: the tapes of all loops live together in each block between, so that code
//! and the time to make it would grow with the square of the program. A call is little beside a loop.

use crate::Options;
use crate::calls::tail_call;
use crate::fold::select_parts;
use crate::nesting::{Tree, only_use, recursive_graphs, reference_components, scopes};
use gradus_ir::cfg::Cfg;
use gradus_ir::eval::{Scalar, eval};
use gradus_ir::{Const, GraphId, Kind, Module, Nest, NodeId, Prim, Type, Variables};
use rustc_hash::{FxHashMap, FxHashSet};
use slotmap::SecondaryMap;

/// A graph that is small at a call because of the constants it is given is copied whole at first; not if it is larger than this.
const MAX_SPECIALISED: usize = 1000;
/// A join of this size costs no more than the jump to it.
const JUMP_SIZE: usize = 4;
/// So many blocks in loops are many for one function.
const MANY_LOOP_BLOCKS: usize = 200;

/// What decides about copies, as of the beginning of a pass.
pub(crate) struct Policy<'a> {
    nest: &'a Nest,
    options: &'a Options,
    tree: Tree,
    scopes: Tree,
    /// The nodes of each graph and those nested in it: what a copy costs.
    size: SecondaryMap<GraphId, usize>,
    /// Each graph, those nested in it and its blocks, once all that is worth copying is copied.
    full: SecondaryMap<GraphId, Extent>,
    /// The graphs that are entered by jumps.
    blocks: FxHashSet<GraphId>,
    recursive: FxHashSet<GraphId>,
    /// The free variables that hold what may be applied to itself.
    any_fns: Variables,
}

/// How much code there is.
#[derive(Clone, Copy, Default)]
struct Extent {
    nodes: usize,
    /// The graphs that refer to themselves, directly or through others.
    loops: usize,
}

impl std::ops::AddAssign for Extent {
    fn add_assign(&mut self, other: Extent) {
        self.nodes += other.nodes;
        self.loops += other.loops;
    }
}

impl<'a> Policy<'a> {
    pub(crate) fn new(m: &Module, nest: &'a Nest, options: &'a Options) -> Policy<'a> {
        let (tree, cfg) = (Tree::new(nest), Cfg::new(m, nest));
        let blocks = nest.graphs().iter().copied().filter(|&g| !cfg.is_function(g)).collect();
        let (size, full) = Default::default();
        let mut policy = Policy {
            nest,
            options,
            tree,
            scopes: scopes(nest, &cfg),
            size,
            full,
            blocks,
            recursive: recursive_graphs(nest),
            any_fns: nest.variables(|v| mentions_any_fn(&m[v].ty)),
        };
        policy.measure(m);
        policy
    }

    /// Callees come before callers, inner graphs before outer ones.
    fn measure(&mut self, m: &Module) {
        let nest = self.nest;
        for mut component in reference_components(nest) {
            component.sort_by_key(|&g| std::cmp::Reverse(self.scopes.position(g)));
            for g in component {
                let own = nest.schedule(g).len();
                let size = own + self.size.get(g).copied().unwrap_or(0);
                let mut full = self.full.get(g).copied().unwrap_or_default();
                full += Extent { nodes: own, loops: usize::from(self.is_recursive(g)) };
                nest.schedule(g).iter().filter_map(|&n| self.copied(m, n)).for_each(|copy| full += copy);
                self.size.insert(g, size);
                self.full.insert(g, full);
                if let Some(parent) = nest.parent(g) {
                    *self.size.entry(parent).expect("graphs exist").or_default() += size;
                }
                // What has one use moves there. A function comes with its blocks, and with the closures it makes.
                let home = only_use(m, g).map_or(self.scopes.parent(g), |u| m[u.node].graph);
                if let Some(home) = home.filter(|&home| home != g) {
                    *self.full.entry(home).expect("graphs exist").or_default() += full;
                }
            }
        }
    }

    /// The growth of a graph when a node is a call and gets a copy of the callee.
    fn copied(&self, m: &Module, n: NodeId) -> Option<Extent> {
        let callee = m[n].inputs().first().and_then(|&callee| m.as_graph(callee)).filter(|_| m[n].kind == Kind::Call)?;
        let is_copied = only_use(m, callee).is_none() && self.full.contains_key(callee) && self.is_small(m, n, callee);
        is_copied.then(|| self.full[callee])
    }

    /// Whether a graph refers to itself, directly or through others.
    pub(crate) fn is_recursive(&self, g: GraphId) -> bool {
        self.recursive.contains(&g)
    }

    /// A graph and all that are nested in it, outer ones first.
    pub(crate) fn nest_of(&self, g: GraphId) -> &[GraphId] {
        self.tree.nest_of(g)
    }

    /// The outermost function around a graph.
    pub(crate) fn root(&self, g: GraphId) -> Option<GraphId> {
        self.scopes.root(g)
    }

    /// What a copy of a graph costs.
    pub(crate) fn size(&self, f: GraphId) -> usize {
        self.size[f]
    }

    /// Whether a graph takes or captures what may be applied to itself, so that calls it makes known may never end.
    pub(crate) fn is_disguised_recursion(&self, m: &Module, f: GraphId) -> bool {
        let takes = m[f].params.iter().any(|&v| mentions_any_fn(&m[v].ty));
        takes || (self.nest.contains(f) && self.nest.captures_any(f, &self.any_fns))
    }

    /// Whether a function would have too many loops for one more with loops in it.
    pub(crate) fn is_full_of_loops(&self, function: GraphId, f: GraphId) -> bool {
        let loops = |g: GraphId| self.full.get(g).map_or(0, |full| full.loops);
        loops(function) > MANY_LOOP_BLOCKS && loops(f) > 0 && !self.blocks.contains(&f)
    }

    /// Whether `call` should have a copy of `f` of its own.
    pub(crate) fn is_worth_copying(&self, m: &Module, call: NodeId, f: GraphId) -> bool {
        self.nest.contains(f) && !self.is_recursive(f) && (self.is_small(m, call, f) || self.is_small_here(m, call, f))
    }

    /// Whether `f` is small enough to be copied whatever `call` passes, or takes or returns closures and is not too large.
    fn is_small(&self, m: &Module, call: NodeId, f: GraphId) -> bool {
        if self.is_recursive(f) {
            return false;
        }
        let size = self.full[f].nodes;
        if self.blocks.contains(&f) && m.is_tail_call(call) {
            return size <= JUMP_SIZE.min(self.options.inline_size) || (size <= self.options.inline_size && self.ends(m, f));
        }
        let bound = match self.passes_closures(m, call, f) {
            true => self.options.inline_closure_size.max(self.options.inline_size),
            false => self.options.inline_size,
        };
        size <= bound
    }

    /// Whether a block returns from its function, without a further branch or jump to where others jump.
    fn ends(&self, m: &Module, f: GraphId) -> bool {
        let jumps = |t: &GraphId| self.blocks.contains(t);
        !tail_call(m, f).is_some_and(|(_, targets)| targets.len() > 1 || targets.iter().any(jumps))
    }

    /// Whether what is left of `f` is small, once the constants that this call passes have decided branches; of a block, a way without
    /// branches.
    fn is_small_here(&self, m: &Module, call: NodeId, f: GraphId) -> bool {
        if self.size[f] > MAX_SPECIALISED {
            return false;
        }
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
        let (mut left, mut decided, mut branches) = (0, 0, 0);
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
                    && m[n].ty.is_fn()
                {
                    match scalar(&known, c) {
                        Some(Scalar::Bool(taken)) => {
                            left -= 1;
                            decided += 1;
                            used = if taken { &used[1..2] } else { &used[2..3] };
                        }
                        _ => branches += 1,
                    }
                }
                let inner = used.iter().filter_map(|&i| m.as_graph(i)).filter(|&h| self.tree.is_within(h, f));
                graphs.extend(inner.filter(|&h| reached.insert(h)));
            }
            if left > self.options.inline_size {
                return false;
            }
        }
        decided > 0 && (branches == 0 || !self.blocks.contains(&f))
    }

    /// Whether inlining this call may let a closure disappear: one that it returns to its caller, or takes from there. A block that is
    /// jumped to returns what its function returns, and may capture instead of take.
    fn passes_closures(&self, m: &Module, call: NodeId, f: GraphId) -> bool {
        let returns = !m.is_tail_call(call) && mentions_fn(&m[call].ty);
        let is_closure = |&n: &NodeId| m.as_graph(n).is_some() || m.as_prim(n) == Some(Prim::Partial);
        returns || (self.nest.is_closed(f) && m[call].inputs()[1..].iter().any(is_closure))
    }
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

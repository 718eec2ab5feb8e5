//! Views of the nesting and the references of graphs that several passes need.

use gradus_ir::cfg::Cfg;
use gradus_ir::{GraphId, Module, Nest, Use};
use petgraph::algo::kosaraju_scc;
use petgraph::graph::DiGraph;
use rustc_hash::FxHashSet;
use slotmap::SecondaryMap;

/// A forest of graphs, that of their nesting if nothing else is said, with constant-time questions.
pub(crate) struct Tree {
    preorder: Vec<GraphId>,
    parents: SecondaryMap<GraphId, GraphId>,
    roots: SecondaryMap<GraphId, GraphId>,
    /// Position in the preorder, and the end of the graph's part of it.
    range: SecondaryMap<GraphId, (usize, usize)>,
}

impl Tree {
    pub(crate) fn new(nest: &Nest) -> Tree {
        Tree::with_parents(nest, |g| nest.parent(g))
    }

    /// The forest of the graphs of `nest` in which `parent` is who it says.
    pub(crate) fn with_parents(nest: &Nest, parent: impl Fn(GraphId) -> Option<GraphId>) -> Tree {
        let mut children: SecondaryMap<GraphId, Vec<GraphId>> = SecondaryMap::new();
        let mut parents = SecondaryMap::new();
        let mut stack: Vec<(GraphId, bool)> = Vec::new();
        for &g in nest.graphs().iter().rev() {
            match parent(g) {
                Some(parent) => {
                    parents.insert(g, parent);
                    children.entry(parent).expect("graphs exist").or_default().push(g);
                }
                None => stack.push((g, false)),
            }
        }
        let mut tree = Tree {
            preorder: Vec::with_capacity(nest.graphs().len()),
            parents,
            roots: SecondaryMap::new(),
            range: SecondaryMap::new(),
        };
        while let Some((g, left)) = stack.pop() {
            if left {
                tree.range[g].1 = tree.preorder.len();
                continue;
            }
            tree.range.insert(g, (tree.preorder.len(), usize::MAX));
            tree.preorder.push(g);
            let root = tree.parents.get(g).map_or(g, |&parent| tree.roots[parent]);
            tree.roots.insert(g, root);
            stack.push((g, true));
            stack.extend(children.get(g).into_iter().flatten().map(|&c| (c, false)));
        }
        tree
    }

    /// All graphs, each before those nested in it.
    pub(crate) fn preorder(&self) -> &[GraphId] {
        &self.preorder
    }

    pub(crate) fn parent(&self, g: GraphId) -> Option<GraphId> {
        self.parents.get(g).copied()
    }

    /// The outermost graph around a graph of the forest.
    pub(crate) fn root(&self, g: GraphId) -> Option<GraphId> {
        self.roots.get(g).copied()
    }

    /// The place of a graph in the preorder.
    pub(crate) fn position(&self, g: GraphId) -> Option<usize> {
        self.range.get(g).map(|range| range.0)
    }

    /// Whether `inner` is `outer` or nested in it.
    pub(crate) fn is_within(&self, inner: GraphId, outer: GraphId) -> bool {
        match (self.range.get(inner), self.range.get(outer)) {
            (Some(i), Some(o)) => o.0 <= i.0 && i.0 < o.1,
            _ => inner == outer,
        }
    }

    /// The graph and all that are nested in it, outer ones first.
    pub(crate) fn nest_of(&self, g: GraphId) -> &[GraphId] {
        let (from, to) = self.range[g];
        &self.preorder[from..to]
    }
}

/// The forest in which a graph sees what its ancestors compute: a block is below its immediate dominator, a function below the graph
/// that it is nested in.
pub(crate) fn scopes(nest: &Nest, cfg: &Cfg) -> Tree {
    Tree::with_parents(nest, |g| cfg.idom(g).or_else(|| nest.parent(g)))
}

/// [`scopes`] with functions that are nested in none, but mentioned within one alone, below the innermost graph around all mentions: what
/// that one has there they may have, too.
pub(crate) fn scopes_of_mentions(m: &Module, nest: &Nest, cfg: &Cfg) -> Tree {
    let base = scopes(nest, cfg);
    let ancestors = |g: GraphId| std::iter::successors(Some(g), |&g| base.parent(g));
    let mut around: SecondaryMap<GraphId, GraphId> = SecondaryMap::new();
    for &g in nest.graphs().iter().filter(|&&g| base.parent(g).is_none() && m.entry != Some(g)) {
        let users = m.graph_const(g).map_or(&[][..], |c| m[c].users());
        let mut mentions = users.iter().filter_map(|u| m[u.node].graph).filter(|&h| !base.is_within(h, g));
        let Some(first) = mentions.next() else { continue };
        let others: Vec<GraphId> = mentions.collect();
        let Some(common) = ancestors(first).find(|&a| others.iter().all(|&h| base.is_within(h, a))) else { continue };
        // Functions that mention each other alone are in none.
        let outwards = |h: &GraphId| around.get(base.root(*h)?).copied();
        if std::iter::successors(Some(common), outwards).all(|h| base.root(h) != Some(g)) {
            around.insert(g, common);
        }
    }
    Tree::with_parents(nest, |g| base.parent(g).or_else(|| around.get(g).copied()))
}

/// The strongly connected components of the references among graphs, each after those that it refers to.
pub(crate) fn reference_components(nest: &Nest) -> Vec<Vec<GraphId>> {
    let mut references: DiGraph<GraphId, ()> = DiGraph::new();
    let mut index = SecondaryMap::new();
    for &g in nest.graphs() {
        index.insert(g, references.add_node(g));
    }
    for &g in nest.graphs() {
        for &h in nest.refers(g) {
            references.add_edge(index[g], index[h], ());
        }
    }
    kosaraju_scc(&references).into_iter().map(|c| c.into_iter().map(|i| references[i]).collect()).collect()
}

/// The graphs that refer to themselves, directly or through others.
pub(crate) fn recursive_graphs(nest: &Nest) -> FxHashSet<GraphId> {
    let components = reference_components(nest).into_iter();
    components.filter(|c| c.len() > 1 || nest.refers(c[0]).contains(&c[0])).flatten().collect()
}

/// The use of a graph, if it has one and no other.
pub(crate) fn only_use(m: &Module, g: GraphId) -> Option<Use> {
    match m.graph_const(g).map(|c| m[c].users()) {
        Some(&[only]) if m.entry != Some(g) => Some(only),
        _ => None,
    }
}

/// The graphs whose signature is not ours to change: the entry, and what `J` and `K` look up at run time.
pub(crate) fn fixed_graphs(m: &Module) -> FxHashSet<GraphId> {
    let derivatives = m.derivatives.iter().flat_map(|(&(g, _), &d)| [g, d]);
    m.entry.into_iter().chain(derivatives).collect()
}

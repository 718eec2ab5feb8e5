//! Nesting and schedules: computed views of a module.
//!
//! A graph is nested in the graphs whose nodes it uses. Its free variables are the nodes of other graphs that it, or a graph it
//! refers to, uses and that its own instance does not hold.

use crate::graph::{GraphId, Kind, Module, NodeId};
use rustc_hash::{FxHashMap, FxHashSet};
use slotmap::SecondaryMap;

/// Free variables, nesting and references of all graphs reachable from some roots.
#[derive(Clone, Debug, Default)]
pub struct Nest {
    order: Vec<GraphId>,
    info: SecondaryMap<GraphId, Info>,
}

#[derive(Clone, Debug, Default)]
struct Info {
    own: Vec<NodeId>,
    refers: Vec<GraphId>,
    free: Vec<NodeId>,
    parent: Option<GraphId>,
    depth: u32,
}

impl Nest {
    /// Analyses what `roots` reach.
    pub fn new(m: &Module, roots: &[GraphId]) -> Nest {
        let mut nest = Nest::default();
        let mut work: Vec<GraphId> = roots.iter().rev().copied().collect();
        let mut derived: FxHashMap<GraphId, Vec<(crate::prim::Prim, GraphId)>> = FxHashMap::default();
        for (&(g, p), &d) in &m.derivatives {
            derived.entry(g).or_default().push((p, d));
        }
        let mut owned: FxHashSet<NodeId> = FxHashSet::default();
        let mut walked: FxHashSet<NodeId> = FxHashSet::default();
        while let Some(g) = work.pop() {
            if nest.info.contains_key(g) {
                continue;
            }
            nest.order.push(g);
            let (reached, refers) = nest.reach(m, g, &mut owned);
            let mut next: Vec<GraphId> = refers.clone();
            // A node of an ancestor need not be reached from the ancestor's own return, nor what it takes to compute it.
            let mut outer: Vec<NodeId> = reached.iter().rev().copied().collect();
            while let Some(n) = outer.pop() {
                if walked.insert(n) {
                    next.extend(m[n].graph);
                    next.extend(m.as_graph(n));
                    outer.extend(m[n].inputs().iter().rev());
                }
            }
            if let Some(list) = derived.get_mut(&g) {
                list.sort();
                next.extend(list.iter().map(|&(_, d)| d));
            }
            nest.info.insert(g, Info { refers, free: reached, ..Info::default() });
            work.extend(next.into_iter().rev());
        }
        nest.solve_free_variables(m);
        nest.solve_parents(m);
        nest.solve_own(m);
        nest
    }

    /// All graphs, roots first, each before the graphs it refers to (unless reached earlier).
    pub fn graphs(&self) -> &[GraphId] {
        &self.order
    }

    /// Whether the analysis reached this graph.
    pub fn contains(&self, g: GraphId) -> bool {
        self.info.contains_key(g)
    }

    /// The free variables of a graph, those of the graphs it refers to included, in a fixed order.
    pub fn free(&self, g: GraphId) -> &[NodeId] {
        &self.info[g].free
    }

    /// The graphs that the nodes of this graph refer to, in order of first reference.
    pub fn refers(&self, g: GraphId) -> &[GraphId] {
        &self.info[g].refers
    }

    /// The innermost graph this one is nested in: the owner of its deepest free variable.
    pub fn parent(&self, g: GraphId) -> Option<GraphId> {
        self.info[g].parent
    }

    /// The number of graphs this one is nested in.
    pub fn depth(&self, g: GraphId) -> u32 {
        self.info[g].depth
    }

    /// Whether `inner` is `outer` or nested in it.
    pub fn is_within(&self, mut inner: GraphId, outer: GraphId) -> bool {
        while inner != outer {
            match self.parent(inner) {
                Some(p) => inner = p,
                None => return false,
            }
        }
        true
    }

    /// The graph's own nodes (no parameters, no constants, no return) in A-normal form: operands first, from the return, left to
    /// right; then what only nested graphs use. A node that makes or calls a closure comes after what the closure captures.
    pub fn schedule(&self, g: GraphId) -> &[NodeId] {
        &self.info[g].own
    }

    /// The nodes that `g` reaches without passing through another graph, that belong to other graphs; and the graphs it refers to.
    fn reach(&self, m: &Module, g: GraphId, seen: &mut FxHashSet<NodeId>) -> (Vec<NodeId>, Vec<GraphId>) {
        seen.clear();
        let (mut outer, mut refers) = (Vec::new(), Vec::new());
        // Default values are captured where the function is defined.
        let mut stack: Vec<NodeId> = m[g].defaults.iter().copied().chain(m[g].ret).collect();
        while let Some(n) = stack.pop() {
            if !seen.insert(n) {
                continue;
            }
            match m[n].graph {
                Some(owner) if owner == g => stack.extend(m[n].inputs().iter().rev()),
                Some(_) => outer.push(n),
                None => refers.extend(m.as_graph(n)),
            }
        }
        (outer, refers)
    }

    /// Least fixed point of: free(g) = outer nodes of g ∪ (free of the graphs g refers to, minus what g owns).
    fn solve_free_variables(&mut self, m: &Module) {
        // A graph's own nodes that only nested graphs use may refer to further graphs and use further outer nodes, so those are
        // found while the free variables flow.
        let mut users: SecondaryMap<GraphId, Vec<GraphId>> = SecondaryMap::new();
        let mut sets: SecondaryMap<GraphId, FxHashSet<NodeId>> = SecondaryMap::new();
        let mut own_seen: SecondaryMap<GraphId, FxHashSet<NodeId>> = SecondaryMap::new();
        for &g in &self.order {
            sets.insert(g, self.info[g].free.iter().copied().collect());
            for &h in &self.info[g].refers.clone() {
                users.entry(h).unwrap().or_default().push(g);
            }
        }
        let mut work: Vec<(GraphId, NodeId)> = Vec::new();
        for &g in self.order.iter().rev() {
            work.extend(self.info[g].free.iter().map(|&n| (g, n)));
        }
        while let Some((g, n)) = work.pop() {
            // n is free in g: hand it to every graph that refers to g.
            for user in users.get(g).cloned().unwrap_or_default() {
                let owner = m[n].graph.expect("free variables are not constants");
                if owner != user {
                    if sets[user].insert(n) {
                        self.info[user].free.push(n);
                        work.push((user, n));
                    }
                    continue;
                }
                // The user owns it: look at what computing it needs.
                let seen = own_seen.entry(user).unwrap().or_default();
                let mut stack = vec![n];
                while let Some(k) = stack.pop() {
                    if !seen.insert(k) {
                        continue;
                    }
                    match m[k].graph {
                        Some(o) if o == user => stack.extend(m[k].inputs().iter().rev()),
                        Some(_) => {
                            if sets[user].insert(k) {
                                self.info[user].free.push(k);
                                work.push((user, k));
                            }
                        }
                        None => {
                            if let Some(h) = m.as_graph(k)
                                && !self.info[user].refers.contains(&h)
                            {
                                self.info[user].refers.push(h);
                                users.entry(h).unwrap().or_default().push(user);
                                work.extend(self.info[h].free.iter().map(|&n| (h, n)));
                            }
                        }
                    }
                }
            }
        }
    }

    /// The owners of a graph's free variables lie on one chain of nesting; the parent is the innermost of them.
    fn solve_parents(&mut self, m: &Module) {
        fn owners(nest: &Nest, m: &Module, g: GraphId) -> Vec<GraphId> {
            let mut list: Vec<GraphId> = nest.info[g].free.iter().filter_map(|&n| m[n].graph).collect();
            list.sort_unstable();
            list.dedup();
            list
        }
        let mut sets: SecondaryMap<GraphId, Vec<GraphId>> = SecondaryMap::new();
        for &g in &self.order {
            sets.insert(g, owners(self, m, g));
        }
        // The innermost owner is nested in all others, so it has the largest number of ancestors; that number is the size of the
        // transitive closure of `owners`.
        let mut ancestors: SecondaryMap<GraphId, FxHashSet<GraphId>> = SecondaryMap::new();
        for &g in &self.order {
            let mut all = FxHashSet::default();
            let mut stack = sets[g].clone();
            while let Some(o) = stack.pop() {
                if o != g && all.insert(o) {
                    if let Some(known) = ancestors.get(o) {
                        all.extend(known.iter().copied());
                    } else if let Some(next) = sets.get(o) {
                        stack.extend(next);
                    }
                }
            }
            ancestors.insert(g, all);
        }
        for &g in &self.order {
            let count = |o: &GraphId| ancestors.get(*o).map_or(0, FxHashSet::len);
            let parent = sets[g].iter().copied().filter(|&o| o != g).max_by_key(|o| (count(o), *o));
            self.info[g].parent = parent;
            self.info[g].depth = ancestors[g].len() as u32;
        }
    }

    /// The schedule of each graph: depth-first from the return, then from the free variables of the graphs it refers to.
    fn solve_own(&mut self, m: &Module) {
        for i in 0..self.order.len() {
            let g = self.order[i];
            let own = self.order_nodes(m, g);
            self.info[g].own = own;
        }
    }

    fn order_nodes(&self, m: &Module, g: GraphId) -> Vec<NodeId> {
        let mut done: FxHashSet<NodeId> = FxHashSet::default();
        let mut open: FxHashSet<NodeId> = FxHashSet::default();
        let mut order = Vec::new();
        // (node, entered): a node is emitted when everything it needs has been.
        let mut stack: Vec<(NodeId, bool)> = m[g].ret.map(|r| (r, false)).into_iter().collect();
        while let Some((n, entered)) = stack.pop() {
            if done.contains(&n) {
                continue;
            }
            if entered {
                done.insert(n);
                if matches!(m[n].kind, Kind::Prim(_) | Kind::Call) {
                    order.push(n);
                }
                continue;
            }
            match m[n].graph {
                Some(owner) if owner == g => {
                    if !open.insert(n) {
                        continue;
                    }
                    stack.push((n, true));
                    for &input in m[n].inputs().iter().rev() {
                        stack.push((input, false));
                    }
                }
                Some(_) => {}
                None => {
                    // A use of a graph constant needs what the graph captures from here. The constant itself is visited per
                    // use (it is never `done`), which is cheap: its captures are done after the first visit.
                    if let Some(h) = m.as_graph(n)
                        && open.insert(n)
                        && let Some(info) = self.info.get(h)
                    {
                        for &v in info.free.iter().rev() {
                            if m[v].graph == Some(g) {
                                stack.push((v, false));
                            }
                        }
                    }
                }
            }
        }
        order
    }
}

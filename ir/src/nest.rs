//! Nesting and schedules: computed views of a module.
//!
//! A graph is nested in the graphs whose nodes it uses. Its free variables are the nodes of other graphs that it, or a graph it
//! refers to, uses and that its own instance does not hold.

mod references;
mod set;

use crate::graph::{GraphId, Kind, Module, NodeId};
use crate::marks::Marks;
use petgraph::algo::toposort;
use petgraph::graph::DiGraph;
use references::References;
use rustc_hash::FxHashMap;
use set::Set;
use slotmap::SecondaryMap;
use std::ops::Range;

/// Free variables, nesting and references of all graphs reachable from some roots.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Nest {
    order: Vec<GraphId>,
    info: SecondaryMap<GraphId, Info>,
    /// The free variables of all graphs, in the order in which graphs use them.
    variables: Vec<NodeId>,
    /// The schedules of all graphs, one after the other.
    schedule: Vec<NodeId>,
}

#[derive(Clone, PartialEq, Eq, Debug, Default)]
struct Info {
    /// Where the schedule of the graph is in that of the program.
    own: Range<usize>,
    refers: Vec<GraphId>,
    /// The free variables that the graph itself uses.
    used: Vec<NodeId>,
    /// The numbers of the others.
    inherited: Set,
    parent: Option<GraphId>,
    depth: u32,
}

/// Some of the free variables of a [`Nest`].
#[derive(Clone, Debug)]
pub struct Variables(Set);

impl Nest {
    /// Analyses what `roots` reach.
    pub fn new(m: &Module, roots: &[GraphId]) -> Nest {
        let info = SecondaryMap::with_capacity(m.graph_count());
        let mut nest = Nest { info, schedule: Vec::with_capacity(m.node_count()), ..Nest::default() };
        let mut work: Vec<GraphId> = roots.iter().rev().copied().collect();
        let mut derived: FxHashMap<GraphId, Vec<(crate::prim::Prim, GraphId)>> = FxHashMap::default();
        for (&(g, p), &d) in &m.derivatives {
            derived.entry(g).or_default().push((p, d));
        }
        let (mut seen, mut walked) = (Marks::default(), Marks::default());
        let mut stack = Vec::new();
        let mut hidden: SecondaryMap<GraphId, Vec<NodeId>> = SecondaryMap::new();
        while let Some(g) = work.pop() {
            if nest.info.contains_key(g) {
                continue;
            }
            nest.order.push(g);
            let (outer, refers) = reach(m, g, nest.order.len(), &mut seen, &mut stack);
            let first = work.len();
            work.extend(&refers);
            // A node of an ancestor need not be reached from the ancestor's own return, nor what it takes to compute it.
            stack.extend(outer.iter().rev());
            while let Some(n) = stack.pop() {
                if walked.mark(n, 1) {
                    work.extend(m[n].graph);
                    work.extend(m.as_graph(n));
                    stack.extend(m[n].inputs().iter().rev());
                    if let Some(owner) = m[n].graph {
                        hidden.entry(owner).expect("graphs exist").or_default().extend(m[n].inputs());
                    }
                }
            }
            if let Some(list) = derived.get_mut(&g) {
                list.sort();
                work.extend(list.iter().map(|&(_, d)| d));
            }
            nest.info.insert(g, Info { refers, used: outer, ..Info::default() });
            work[first..].reverse();
        }
        nest.add_hidden(m, &hidden);
        let references = References::new(&nest);
        let own = nest.solve_free_variables(m, &references);
        nest.solve_parents(m, &references);
        nest.solve_own(m, &own);
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
    pub fn free(&self, g: GraphId) -> impl Iterator<Item = NodeId> + Clone + '_ {
        let Info { used, inherited, .. } = &self.info[g];
        used.iter().copied().chain(inherited.iter().map(|v| self.variables[v]))
    }

    /// Whether a graph has no free variables.
    pub fn is_closed(&self, g: GraphId) -> bool {
        let Info { used, inherited, .. } = &self.info[g];
        used.is_empty() && inherited.is_empty()
    }

    /// The free variables of any graph that have a property, for [`Nest::captures_any`].
    pub fn variables(&self, property: impl Fn(NodeId) -> bool) -> Variables {
        Variables((0..self.variables.len()).filter(|&v| property(self.variables[v])).collect())
    }

    /// Whether one of these variables is free in a graph.
    pub fn captures_any(&self, g: GraphId, variables: &Variables) -> bool {
        let Variables(numbers) = variables;
        let used = || numbers.iter().any(|v| self.info[g].used.contains(&self.variables[v]));
        self.info[g].inherited.common(numbers).next().is_some() || used()
    }

    /// The graphs that the nodes of this graph refer to, in order of first reference.
    pub fn refers(&self, g: GraphId) -> &[GraphId] {
        &self.info[g].refers
    }

    /// Whether a graph refers to itself, directly or through others: what every loop and all recursion does.
    pub fn is_cyclic(&self) -> bool {
        let mut references: DiGraph<GraphId, ()> = DiGraph::new();
        let index: SecondaryMap<GraphId, _> = self.order.iter().map(|&g| (g, references.add_node(g))).collect();
        for &g in &self.order {
            references.extend_with_edges(self.refers(g).iter().map(|&h| (index[g], index[h])));
        }
        toposort(&references, None).is_err()
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
        &self.schedule[self.info[g].own.clone()]
    }

    /// Adds to what graphs use and refer to the operands of nodes that only graphs nested in them use.
    fn add_hidden(&mut self, m: &Module, hidden: &SecondaryMap<GraphId, Vec<NodeId>>) {
        let (mut used, mut referred) = (Marks::default(), Marks::default());
        for (stamp, &g) in (1..).zip(&self.order) {
            let (Some(operands), info) = (hidden.get(g), &mut self.info[g]) else { continue };
            for &n in &info.used {
                used.mark(n, stamp);
            }
            for &h in &info.refers {
                referred.mark(h, stamp);
            }
            for &n in operands {
                match m[n].graph {
                    Some(owner) if owner != g && used.mark(n, stamp) => info.used.push(n),
                    Some(_) => {}
                    None => info.refers.extend(m.as_graph(n).filter(|&h| referred.mark(h, stamp))),
                }
            }
        }
    }

    /// Numbers the free variables in the order in which graphs use them, and finds what each graph inherits. Gives the numbers of
    /// those that graphs own, by the positions of graphs in the order.
    fn solve_free_variables(&mut self, m: &Module, references: &References) -> Vec<Set> {
        let mut numbers: SecondaryMap<NodeId, usize> = SecondaryMap::with_capacity(m.node_count());
        let mut own = vec![Set::default(); self.order.len()];
        let mut used = Vec::with_capacity(self.order.len());
        for &g in &self.order {
            for &n in &self.info[g].used {
                if !numbers.contains_key(n) {
                    numbers.insert(n, self.variables.len());
                    own[references.positions[owner(m, n)]].push(self.variables.len());
                    self.variables.push(n);
                }
            }
            used.push(self.info[g].used.iter().map(|&n| numbers[n]).collect());
        }
        let free = references.captures(&used, &own);
        for ((&g, mut free), used) in self.order.iter().zip(free).zip(&used) {
            free.subtract(used);
            self.info[g].inherited = free;
        }
        own
    }

    /// The owners of a graph's free variables lie on one chain of nesting; the parent is the innermost of them.
    fn solve_parents(&mut self, m: &Module, references: &References) {
        let positions = &references.positions;
        let used_by = |g: &GraphId| self.info[*g].used.iter().map(|&n| positions[owner(m, n)]).collect();
        let used: Vec<Set> = self.order.iter().map(used_by).collect();
        let own: Vec<Set> = (0..self.order.len()).map(Set::of).collect();
        let owners = references.captures(&used, &own);
        let mut entered = vec![false; self.order.len()];
        let (mut work, mut left) = (Vec::new(), Set::default());
        for i in 0..self.order.len() {
            if entered[i] {
                continue;
            }
            work.push(i);
            while let Some(&i) = work.last() {
                // Some of the graph's owners, the innermost one included: an owner captures from those around it. What a graph
                // captures from was found before it, unless it is a root itself; so the last one found is most often the innermost.
                let first = work.len();
                left.clone_from(&owners[i]);
                while let Some(owner) = left.last() {
                    left.remove_last();
                    left.subtract(&owners[owner]);
                    work.push(owner);
                }
                if !std::mem::replace(&mut entered[i], true) {
                    let mut kept = first;
                    for k in first..work.len() {
                        if !entered[work[k]] {
                            work[kept] = work[k];
                            kept += 1;
                        }
                    }
                    work.truncate(kept);
                    continue;
                }
                let inner = work.drain(first..).map(|o| self.order[o]);
                let parent = inner.max_by_key(|&o| (self.info[o].depth, o));
                work.pop();
                let depth = parent.map_or(0, |o| self.info[o].depth + 1);
                let info = &mut self.info[self.order[i]];
                (info.parent, info.depth) = (parent, depth);
            }
        }
    }

    /// The schedule of each graph: depth-first from the return, then from the free variables of the graphs it refers to.
    fn solve_own(&mut self, m: &Module, variables: &[Set]) {
        let (mut open, mut stack, mut schedule) = (Marks::default(), Vec::new(), std::mem::take(&mut self.schedule));
        for (i, captured) in variables.iter().enumerate() {
            let first = schedule.len();
            self.order_nodes(m, i, captured, &mut open, &mut stack, &mut schedule);
            self.info[self.order[i]].own = first..schedule.len();
        }
        self.schedule = schedule;
    }

    /// `stack` is empty before and after: (node, entered), and a node goes to `order` when everything it needs has gone there.
    fn order_nodes(
        &self,
        m: &Module,
        i: usize,
        captured: &Set,
        open: &mut Marks<NodeId>,
        stack: &mut Vec<(NodeId, bool)>,
        order: &mut Vec<NodeId>,
    ) {
        let (g, stamp) = (self.order[i], i + 1);
        stack.extend(m.roots(g).map(|n| (n, false)));
        while let Some((n, entered)) = stack.pop() {
            if entered {
                order.push(n);
                continue;
            }
            let node = &m[n];
            match node.graph {
                Some(owner) if owner == g => {
                    if !open.mark(n, stamp) {
                        continue;
                    }
                    if matches!(node.kind, Kind::Prim(_) | Kind::Call) {
                        stack.push((n, true));
                    }
                    stack.extend(node.inputs().iter().rev().map(|&input| (input, false)));
                }
                Some(_) => {}
                None => {
                    // A use of a graph constant needs what the graph captures from here; the first of them asks for it.
                    if let Some(h) = m.as_graph(n)
                        && open.mark(n, stamp)
                        && let Some(info) = self.info.get(h)
                    {
                        let used = info.used.iter().copied().filter(|&v| m[v].graph == Some(g));
                        let needed = used.chain(info.inherited.common(captured).map(|v| self.variables[v]));
                        let first = stack.len();
                        stack.extend(needed.map(|v| (v, false)));
                        stack[first..].reverse();
                    }
                }
            }
        }
    }
}

fn owner(m: &Module, variable: NodeId) -> GraphId {
    m[variable].graph.expect("free variables are not constants")
}

/// The nodes that `g` reaches without passing through another graph, that belong to other graphs; and the graphs it refers to. `stack`
/// is empty before and after.
fn reach(m: &Module, g: GraphId, stamp: usize, seen: &mut Marks<NodeId>, stack: &mut Vec<NodeId>) -> (Vec<NodeId>, Vec<GraphId>) {
    let (mut outer, mut refers) = (Vec::new(), Vec::new());
    // Default values are captured where the function is defined.
    stack.extend(m[g].defaults.iter().copied().chain(m.roots(g)));
    while let Some(n) = stack.pop() {
        if !seen.mark(n, stamp) {
            continue;
        }
        let node = &m[n];
        match node.graph {
            Some(owner) if owner == g => stack.extend(node.inputs().iter().rev()),
            Some(_) => outer.push(n),
            None => refers.extend(m.as_graph(n)),
        }
    }
    (outer, refers)
}

//! Inlining of known calls, and branches on known closures.
//!
//! A graph with one use is moved into its caller; one that is worth it ([`crate::policy`]) is copied first. A call that is not in
//! tail position of a graph that branches or loops is turned into a jump before ([`crate::contify`]). Callers come before callees
//! and the last call of a graph comes first, so that a node moves once. What uses a parameter or a result is folded as soon as it is
//! known, and the calls of a copy, or that become known by this, are next: a chain of closures takes one run of the pass.

use crate::Options;
use crate::budget::Budget;
use crate::calls::{blocks_of, select_tree};
use crate::contify::contify;
use crate::fold::{Folded, fold, select_parts};
use crate::nesting::{fixed_graphs, reference_components};
use crate::number::share_name;
use crate::policy::Policy;
use crate::report::PassReport;
use gradus_ir::clone::clone_graphs;
use gradus_ir::{Flavor, FnType, GraphId, Kind, Module, Nest, NodeId, Prim, Use};
use rustc_hash::{FxHashMap, FxHashSet};
use slotmap::SecondaryMap;

/// Inlines what `options` and the budget allow.
pub(crate) fn run(m: &mut Module, nest: &Nest, options: &Options, budget: &mut Budget, report: &mut PassReport) {
    let mut own: SecondaryMap<GraphId, Vec<NodeId>> = SecondaryMap::new();
    let mut is_registered = SecondaryMap::new();
    for (n, node) in m.nodes() {
        if let Some(g) = node.graph
            && matches!(node.kind, Kind::Prim(_) | Kind::Call)
        {
            own.entry(g).expect("graphs exist").or_default().push(n);
            is_registered.insert(n, ());
        }
    }
    let fixed = fixed_graphs(m);
    let policy = Policy::new(m, nest, options);
    let (dirty, homes, calls, changed) = Default::default();
    let mut inliner = Inliner { m, nest, policy, budget, report, own, is_registered, fixed, dirty, homes, calls, changed };
    for g in reference_components(nest).into_iter().rev().flatten() {
        inliner.visit(g);
    }
}

struct Inliner<'a> {
    m: &'a mut Module,
    nest: &'a Nest,
    policy: Policy<'a>,
    budget: &'a mut Budget,
    report: &'a mut PassReport,
    /// The applications of each graph, in no order; some may have moved or gone.
    own: SecondaryMap<GraphId, Vec<NodeId>>,
    /// The nodes in [`Inliner::own`].
    is_registered: SecondaryMap<NodeId, ()>,
    fixed: FxHashSet<GraphId>,
    /// Graphs that are no longer what `nest` says, themselves or in what is nested in them.
    dirty: SecondaryMap<GraphId, ()>,
    /// The outermost functions of graphs that were made on the way.
    homes: SecondaryMap<GraphId, GraphId>,
    /// Calls to be treated, the next one last.
    calls: Vec<NodeId>,
    /// Nodes whose operands were replaced.
    changed: Vec<NodeId>,
}

impl Inliner<'_> {
    /// Treats the calls of a graph, and those that are copied or become known on the way.
    fn visit(&mut self, g: GraphId) {
        let calls = self.calls_in(g);
        self.calls.extend(calls);
        while let Some(call) = self.calls.pop() {
            if self.m.has_node(call) {
                self.visit_call(call);
            }
        }
    }

    /// The calls that belonged to a graph when the pass began, in order of execution.
    fn calls_in(&self, g: GraphId) -> Vec<NodeId> {
        let is_call = |&n: &NodeId| self.m.has_node(n) && self.m[n].kind == Kind::Call;
        match self.nest.contains(g) {
            true => self.nest.schedule(g).iter().copied().filter(is_call).collect(),
            false => Vec::new(),
        }
    }

    fn visit_call(&mut self, call: NodeId) {
        let h = self.m[call].graph.expect("a call belongs to a graph");
        let callee = self.m[call].inputs()[0];
        let Some(f) = self.m.as_graph(callee) else {
            return self.branch(h, call);
        };
        let home = self.home(h);
        if f == h || self.policy.is_disguised_recursion(self.m, f) || self.policy.is_full_of_loops(home, f) {
            return;
        }
        if self.m[callee].users().len() == 1 && !self.fixed.contains(&f) {
            let calls = self.calls_in(f);
            if self.integrate(h, call, f) {
                self.calls.extend(calls);
            }
            return;
        }
        if !self.m.is_tail_call(call)
            && self.policy.is_recursive(f)
            && let Some(blocks) = blocks_of(self.m, &self.fixed, f, call)
            && !blocks.contains(&h)
        {
            self.jump(h, call, &blocks);
            return;
        }
        if !self.dirty.contains_key(f) && self.policy.is_worth_copying(self.m, call, f) {
            if !self.budget.take(home, self.policy.size(f)) {
                return;
            }
            let copy = self.copy(f, home);
            let constant = self.m.graph_ref(copy);
            self.m.set_input(call, 0, constant);
            self.integrate(h, call, copy);
        }
    }

    /// Copies a graph with all that is nested in it into an outermost function.
    fn copy(&mut self, f: GraphId, home: GraphId) -> GraphId {
        let mut map = FxHashMap::default();
        let copies = clone_graphs(self.m, self.nest, self.policy.nest_of(f), &mut map);
        let (nest, graphs) = (self.nest, self.policy.nest_of(f).to_vec());
        let nodes = graphs.iter().rev().flat_map(|&g| nest.schedule(g)).map(|n| map[n]);
        self.register(nodes.clone(), home);
        self.calls.extend(nodes.filter(|&n| self.m[n].kind == Kind::Call));
        self.report.count("copied", 1);
        copies[&f]
    }

    /// Puts the body of `f`, whose only use is `call`, in the place of the call. False if the call was found not to matter.
    fn integrate(&mut self, h: GraphId, call: NodeId, f: GraphId) -> bool {
        if !self.m.is_tail_call(call) {
            let blocks = blocks_of(self.m, &self.fixed, f, call).unwrap_or_else(|| vec![f]);
            if blocks.len() > 1 && !self.jump(h, call, &blocks) {
                return false;
            }
        }
        self.splice(h, call, f);
        true
    }

    /// Makes a call whose callee enters `blocks` a tail call. False if the result of `h` does not depend on it.
    fn jump(&mut self, h: GraphId, call: NodeId, blocks: &[GraphId]) -> bool {
        let Some(touched) = contify(self.m, call, blocks) else { return false };
        self.register(touched, self.home(h));
        self.mark(h);
        for &b in blocks {
            self.mark(b);
        }
        self.report.count("contified", 1);
        true
    }

    fn splice(&mut self, h: GraphId, call: NodeId, f: GraphId) {
        let nodes = self.own.remove(f).unwrap_or_default();
        let m = &mut *self.m;
        m.raise_order(h, m[f].order);
        for &n in &nodes {
            if m.has_node(n) && m[n].graph == Some(f) {
                m.set_graph(n, h);
            }
        }
        self.own.entry(h).expect("graphs exist").or_default().extend(nodes);
        let params = m[f].params.clone();
        let args = m[call].inputs()[1..].to_vec();
        for (p, a) in params.into_iter().zip(args) {
            self.replace(p, a);
        }
        let value = self.m.result(f);
        self.replace(call, value);
        let ret = self.m[f].ret.take().expect("the graph has a return");
        self.m.remove_node(ret);
        self.m.remove_node(call);
        self.mark(h);
        self.report.count("inlined", 1);
        self.settle();
    }

    fn replace(&mut self, old: NodeId, new: NodeId) {
        self.changed.extend(self.m[old].users().iter().map(|u| u.node));
        share_name(self.m, old, new);
        self.m.replace(old, new);
    }

    /// Folds what uses what was replaced, and so on. Calls whose callee or arguments become known are treated next.
    fn settle(&mut self) {
        while let Some(n) = self.changed.pop() {
            if !self.m.has_node(n) || self.m[n].users().is_empty() {
                continue;
            }
            let folded = fold(self.m, n);
            match folded {
                Folded::No => {
                    if self.m[n].kind == Kind::Call && self.m.as_graph(self.m[n].inputs()[0]).is_some() {
                        self.calls.push(n);
                    }
                    continue;
                }
                Folded::Changed => {
                    self.register_made(self.m[n].inputs().to_vec());
                    self.changed.push(n);
                }
                Folded::To(same) => {
                    self.register_made(vec![same]);
                    self.replace(n, same);
                }
            }
            self.mark(self.m[n].graph.expect("constants are not folded"));
            self.report.count("folded", 1);
        }
    }

    /// Registers what a fold made, if anything: of some nodes, and of what it takes to compute them.
    fn register_made(&mut self, mut stack: Vec<NodeId>) {
        while let Some(n) = stack.pop() {
            let node = &self.m[n];
            if let (Some(g), Kind::Prim(_) | Kind::Call) = (node.graph, &node.kind)
                && self.is_registered.insert(n, ()).is_none()
            {
                self.own.entry(g).expect("graphs exist").or_default().push(n);
                stack.extend(node.inputs());
            }
        }
    }

    /// A call of a `select` among values of which one at least is a known closure becomes a branch: each arm calls its own. A
    /// choice among more than two is a branch in an arm, as everybody who reads control flow expects.
    fn branch(&mut self, h: GraphId, call: NodeId) {
        let m = &mut *self.m;
        let callee = m[call].inputs()[0];
        let Some((c, a, b)) = select_parts(m, callee) else { return };
        let tree = select_tree(m, callee);
        let is_known = |&n: &NodeId| {
            m.as_graph(n).is_some() || m.as_prim(n) == Some(Prim::Partial) && m.as_graph(m[n].inputs()[0]).is_some()
        };
        let args = m[call].inputs()[1..].to_vec();
        let is_branch = args.is_empty() && m.is_tail_call(call) && m.as_graph(a).is_some() && m.as_graph(b).is_some();
        if is_branch || !tree.iter().any(is_known) || self.share(callee) {
            return;
        }
        let m = &mut *self.m;
        let (ty, span) = (m[call].ty.clone(), m[call].span);
        let (mut arms, mut made) = (Vec::new(), Vec::new());
        let mut arm_of: FxHashMap<NodeId, NodeId> = FxHashMap::default();
        let choose = |m: &mut Module, g: GraphId, c: NodeId, [a, b]: [NodeId; 2]| {
            let ty = m[a].ty.clone();
            m.prim(g, Prim::Select, vec![c, a, b], ty, span)
        };
        // Operands first, so the callee itself comes last.
        for &n in &tree[..tree.len() - 1] {
            let arm = m.add_graph(format!("{}.arm", m[h].name), Flavor::Block, m[h].role, span);
            let value = match select_parts(m, n) {
                Some((c, a, b)) => {
                    let chosen = choose(m, arm, c, [arm_of[&a], arm_of[&b]]);
                    made.push(chosen);
                    m.call(arm, chosen, &[], ty.clone(), span)
                }
                None => m.call(arm, n, &args, ty.clone(), span),
            };
            m.set_result(arm, value);
            made.push(value);
            arms.push(arm);
            let constant = m.graph_ref(arm);
            arm_of.insert(n, constant);
        }
        let chosen = choose(m, h, c, [arm_of[&a], arm_of[&b]]);
        made.push(chosen);
        m.set_inputs(call, vec![chosen]);
        self.register(made, self.home(h));
        self.mark(h);
        self.report.count("branch on closures", 1);
        if !self.m.is_tail_call(call) {
            self.jump(h, call, &arms);
        }
    }

    /// If several calls call a `select`, lets them call one graph that does, so that there is one branch. True if it did.
    fn share(&mut self, callee: NodeId) -> bool {
        let m = &mut *self.m;
        let is_call = |u: &&Use| u.index == 0 && m[u.node].kind == Kind::Call;
        let calls: Vec<NodeId> = m[callee].users().iter().filter(is_call).map(|u| u.node).collect();
        let (Some(FnType { params, result }), true) = (m[callee].ty.signature().cloned(), calls.len() > 1) else { return false };
        let owner = m[callee].graph.expect("a select belongs to a graph");
        let (role, span) = (m[owner].role, m[callee].span);
        let apply = m.add_graph(format!("{}.apply", m[owner].name), Flavor::Block, role, span);
        let args: Vec<NodeId> = params.into_iter().map(|ty| m.add_param(apply, ty, None, span)).collect();
        m.declare_result(apply, result.clone());
        let jump = m.call(apply, callee, &args, result, span);
        m.set_result(apply, jump);
        let constant = m.graph_ref(apply);
        for call in calls {
            self.m.set_input(call, 0, constant);
            self.mark(self.m[call].graph.expect("a call belongs to a graph"));
        }
        self.mark(owner);
        self.register([jump], self.home(owner));
        self.report.count("shared branch on closures", 1);
        self.branch(apply, jump);
        true
    }

    /// Notes to which graphs nodes belong now; these are within the outermost function `home`.
    fn register(&mut self, nodes: impl IntoIterator<Item = NodeId>, home: GraphId) {
        for n in nodes {
            let g = self.m[n].graph.expect("constants are not registered");
            self.is_registered.insert(n, ());
            self.own.entry(g).expect("graphs exist").or_default().push(n);
            if !self.nest.contains(g) {
                self.homes.insert(g, home);
            }
        }
    }

    /// The outermost function around a graph.
    fn home(&self, g: GraphId) -> GraphId {
        self.policy.root(g).or(self.homes.get(g).copied()).unwrap_or(g)
    }

    /// Notes that a graph, and so those around it, changed.
    fn mark(&mut self, g: GraphId) {
        let mut next = Some(g);
        while let Some(g) = next {
            if self.dirty.insert(g, ()).is_some() || !self.nest.contains(g) {
                return;
            }
            next = self.nest.parent(g);
        }
    }
}

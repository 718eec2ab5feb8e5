//! Chains of closures become tapes: the backpropagators of a loop, each of which captures the one before.
//!
//! ```text
//! loop(…, k): … k(u) …  loop(…, @q) …     loop(…, t, n): … apply(t, n, u) …  loop(…, push(t, v), n + 1) …
//! q(x): … return k(e)                     apply(t, n, x): if n > 0: (t', v) = pop t; … return apply(t', n - 1, e)
//! start: loop(…, @b)                                      else: return b(x)          start: loop(…, empty, 0)
//! ```
//! The parameter `k` of the loop is either `@b`, which captures nothing of the loop, or `@q`, which captures the `k` of the trip before
//! and other values `v`. This is defunctionalisation (Reynolds 1972) with one more step: what it makes of such closures is a
//! linked list of records, and a list that only grows at its end and is only taken apart from there is a tape.
//!
//! A *group* are parameters that are passed for each other. Each group has its own `apply`, and each closure that a list may hold more
//! than once has its own tape, with records of what that closure captures. What a closure captures that a list holds once is passed as
//! it is. A value of a group so is these tapes and captures, and the number of the closure at its end, which a record holds of the value
//! before. With one `@b` and one `@q` it is enough to count the records, as above.
//!
//! A value of one group that is in scope wherever the closures that capture it may be called stays a variable: of loops in a row each
//! is a chain of its own. Of loops in loops the closures capture each other's values, and these groups are one chain.
//!
//! That the order is kept must be seen: whoever has a `k` hands it on once at most on every way, so that no two lists share an end, and a
//! closure does nothing with the `k` that it captures but call it.

mod rewrite;

use crate::calls::known_calls;
use crate::nesting::{Tree, fixed_graphs, scopes};
use crate::report::PassReport;
use gradus_ir::cfg::Cfg;
use gradus_ir::clone::graphs_with;
use gradus_ir::{Const, GraphId, Kind, Module, Nest, NodeId, Prim};
use petgraph::unionfind::UnionFind;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;

/// Whether the captures of a closure, or their cotangents, are put into a box.
pub fn has_boxes(m: &Module) -> bool {
    m.nodes().any(|(_, n)| matches!(n.kind, Kind::Prim(Prim::Pack | Prim::Unpack)))
}

/// Turns chains into tapes, one after the other, since graphs are copied. The other passes wait until none is left: to run all of them
/// after each would take as many times as long as there are chains.
pub(crate) fn run(m: &mut Module, nest: &Nest, report: &mut PassReport) {
    let entry = m.entry.expect("only a typed module can be simplified");
    let mut changed = rewrite_one(m, nest);
    while changed {
        report.count("chains", 1);
        m.collect_garbage(&[entry]);
        changed = rewrite_one(m, &Nest::new(m, &[entry]));
    }
}

/// Turns a chain into tapes. False if there is none.
fn rewrite_one(m: &mut Module, nest: &Nest) -> bool {
    let groups = groups(m, nest);
    if groups.is_empty() {
        return false;
    }
    let cfg = Cfg::new(m, nest);
    let view = View { nest, scopes: scopes(nest, &cfg), cfg };
    let related = related(m, &view, groups);
    let Some(chain) = related.into_iter().find_map(|groups| Chain::new(m, &view, groups)) else { return false };
    chain.rewrite(m, nest);
    true
}

struct View<'a> {
    nest: &'a Nest,
    scopes: Tree,
    cfg: Cfg,
}

impl View<'_> {
    /// Whether a value is the same wherever the parameters of these groups are: it belongs to a graph around theirs.
    fn is_around<'g>(&self, m: &Module, v: NodeId, mut groups: impl Iterator<Item = &'g Group>) -> bool {
        let is_around = |p: NodeId| m[v].graph.zip(m[p].graph).is_some_and(|(o, g)| o != g && self.scopes.is_within(g, o));
        groups.all(|group| group.params.iter().all(|&p| is_around(p)))
    }
}

/// A place where a value of the chain is passed: the argument of a call for a parameter.
#[derive(Clone, Copy)]
struct Site {
    call: NodeId,
    index: usize,
    param: NodeId,
}

impl Site {
    fn argument(self, m: &Module) -> NodeId {
        m[self.call].inputs()[self.index + 1]
    }
}

/// Function parameters that are passed for each other, and where something is passed for one of them.
#[derive(Default)]
struct Group {
    params: Vec<NodeId>,
    sites: Vec<Site>,
}

impl Group {
    /// What the closures that are passed capture.
    fn captured<'a>(&'a self, m: &'a Module, nest: &'a Nest) -> impl Iterator<Item = NodeId> + 'a {
        let closures = self.sites.iter().filter_map(|site| m.as_graph(site.argument(m)));
        closures.filter(|&q| nest.contains(q)).flat_map(|q| nest.free(q))
    }
}

/// Groups of parameters of which all calls are known.
fn groups(m: &Module, nest: &Nest) -> Vec<Group> {
    let fixed = fixed_graphs(m);
    let (mut params, mut sites) = (Vec::new(), Vec::new());
    let mut numbers: FxHashMap<NodeId, usize> = FxHashMap::default();
    for &g in nest.graphs() {
        for (index, &param) in m[g].params.iter().enumerate().filter(|&(_, &p)| m[p].ty.signature().is_some()) {
            let Some(calls) = known_calls(m, &fixed, g) else { continue };
            numbers.insert(param, params.len());
            params.push(param);
            sites.extend(calls.into_iter().map(|call| Site { call, index, param }));
        }
    }
    let mut passed = UnionFind::new(params.len());
    for site in &sites {
        if let Some(&other) = numbers.get(&site.argument(m)) {
            passed.union(numbers[&site.param], other);
        }
    }
    let mut groups: BTreeMap<usize, Group> = BTreeMap::new();
    for (i, &param) in params.iter().enumerate() {
        groups.entry(passed.find(i)).or_default().params.push(param);
    }
    for site in sites {
        groups.entry(passed.find(numbers[&site.param])).or_default().sites.push(site);
    }
    groups.into_values().collect()
}

/// Which group each parameter is of.
fn numbers(groups: &[Group]) -> FxHashMap<NodeId, usize> {
    groups.iter().enumerate().flat_map(|(i, group)| group.params.iter().map(move |&p| (p, i))).collect()
}

/// Where ways from some groups lead, if those that come next after each are listed, and not through one; the first ones included.
fn reached(from: impl IntoIterator<Item = usize>, next: &[Vec<usize>], but: Option<usize>) -> FxHashSet<usize> {
    let (mut found, mut work) = (FxHashSet::default(), Vec::from_iter(from));
    while let Some(i) = work.pop() {
        if Some(i) != but && found.insert(i) {
            work.extend(&next[i]);
        }
    }
    found
}

/// The groups whose closures a value of each may hold, if the groups whose values its closures capture are listed.
fn held(before: &[Vec<usize>]) -> Vec<FxHashSet<usize>> {
    (0..before.len()).map(|i| reached([i], before, None)).collect()
}

/// Groups, those together whose closures capture values of each other's that are not in scope wherever they may be called.
fn related(m: &Module, view: &View, groups: Vec<Group>) -> Vec<Vec<Group>> {
    let numbers = numbers(&groups);
    let captured = |group: &Group| group.captured(m, view.nest).filter_map(|v| Some((v, *numbers.get(&v)?))).collect();
    let captured: Vec<Vec<(NodeId, usize)>> = groups.iter().map(captured).collect();
    let before: Vec<Vec<usize>> = captured.iter().map(|captured| captured.iter().map(|&(_, other)| other).collect()).collect();
    let held = held(&before);
    let mut related = UnionFind::new(groups.len());
    for (i, captured) in captured.into_iter().enumerate() {
        let holders = || groups.iter().zip(&held).filter(|(_, held)| held.contains(&i)).map(|(group, _)| group);
        for (_, other) in captured.into_iter().filter(|&(v, _)| !view.is_around(m, v, holders())) {
            related.union(i, other);
        }
    }
    let mut together: BTreeMap<usize, Vec<Group>> = BTreeMap::new();
    for (i, group) in groups.into_iter().enumerate() {
        together.entry(related.find(i)).or_default().push(group);
    }
    together.into_values().collect()
}

/// A closure of the chain.
struct Member {
    graph: GraphId,
    group: usize,
    /// The value of the chain that it captures, and the group of that.
    before: Option<(NodeId, usize)>,
    /// What else it captures that is not in scope everywhere.
    lifted: Vec<NodeId>,
    /// What is copied for all this to come from elsewhere.
    nest: Vec<GraphId>,
    /// Whether a list may hold it more than once, so that it has a tape.
    repeats: bool,
}

struct Chain {
    groups: Vec<Group>,
    /// The closures of all groups.
    members: Vec<Member>,
    /// The closures of each group.
    own: Vec<Vec<usize>>,
    /// The closures that lists of each group may hold.
    held: Vec<Vec<usize>>,
    /// Of each group whose lists go around a loop of groups in one way: the closure by which they come back.
    back: Vec<Option<usize>>,
    /// The groups whose state is a part of the values of each: its own, and those in whose loops it is.
    states: Vec<Vec<usize>>,
}

impl Chain {
    fn new(m: &Module, view: &View, groups: Vec<Group>) -> Option<Chain> {
        let owner = |n: NodeId| m[n].graph;
        let numbers = numbers(&groups);
        let mut closures: Vec<Vec<GraphId>> = Vec::new();
        for (i, group) in groups.iter().enumerate() {
            let mut found = Vec::new();
            for arg in group.sites.iter().map(|s| s.argument(m)) {
                match m.as_graph(arg) {
                    Some(q) if view.nest.contains(q) => found.extend((!found.contains(&q)).then_some(q)),
                    _ if numbers.get(&arg) == Some(&i) || m[arg].as_const() == Some(&Const::Undefined) => {}
                    _ => return None,
                }
            }
            if found.is_empty() {
                return None;
            }
            closures.push(found);
        }
        // Values of the chain are called and passed on, the latter by nobody who takes it apart.
        let sites = || groups.iter().flat_map(|group| &group.sites);
        let graphs = || closures.iter().flatten().copied();
        let is_site = |n: NodeId, index: u32| sites().any(|s| s.call == n && s.index + 1 == index as usize);
        let is_called = |n: NodeId, index: u32| index == 0 && m[n].kind == Kind::Call;
        let is_in_member = |n: NodeId| owner(n).is_none_or(|g| graphs().any(|q| view.scopes.is_within(g, q)));
        let constants = graphs().filter_map(|q| m.graph_const(q));
        if !numbers.keys().all(|&p| m[p].users().iter().all(|u| is_called(u.node, u.index) || is_site(u.node, u.index)))
            || !constants.into_iter().all(|c| m[c].users().iter().all(|u| is_site(u.node, u.index)))
            || sites().any(|s| is_in_member(s.call))
        {
            return None;
        }
        let captured = |group: &Group| group.captured(m, view.nest).filter_map(|v| numbers.get(&v).copied()).collect();
        let before: Vec<Vec<usize>> = groups.iter().map(captured).collect();
        let held = held(&before);
        let mut after: Vec<Vec<usize>> = vec![Vec::new(); groups.len()];
        before.iter().enumerate().for_each(|(i, before)| before.iter().for_each(|&other| after[other].push(i)));
        let (mut members, mut own): (Vec<Member>, _) = (Vec::new(), Vec::new());
        for (i, found) in closures.iter().enumerate() {
            let holders = || groups.iter().zip(&held).filter(|(_, held)| held.contains(&i)).map(|(group, _)| group);
            let first = members.len();
            for &graph in found {
                let (before, captured): (Vec<NodeId>, Vec<NodeId>) = view.nest.free(graph).partition(|v| numbers.contains_key(v));
                let lifted: Vec<NodeId> = captured.into_iter().filter(|&v| !view.is_around(m, v, holders())).collect();
                let variables: Vec<NodeId> = before.iter().chain(&lifted).copied().collect();
                let nest = graphs_with(view.nest, graph, &variables, owner);
                let before = match before[..] {
                    [] => None,
                    [p] => Some((p, numbers[&p])),
                    _ => return None,
                };
                let repeats = before.is_some_and(|(_, other)| held[other].contains(&i));
                members.push(Member { graph, group: i, before, lifted, nest, repeats });
            }
            own.push((first..members.len()).collect::<Vec<_>>());
        }
        if members.iter().all(|member| member.before.is_none()) {
            return None;
        }
        let of_groups =
            |held: &FxHashSet<usize>| (0..groups.len()).filter(|i| held.contains(i)).flat_map(|i| own[i].clone()).collect();
        let held = held.iter().map(of_groups).collect();
        let (back, states) = (vec![None; groups.len()], vec![Vec::new(); groups.len()]);
        let mut chain = Chain { groups, members, own, held, back, states };
        if !chain.has_one_end(m, view) {
            return None;
        }
        (0..chain.groups.len()).for_each(|group| chain.find_loop(group, &before, &after));
        Some(chain)
    }

    /// Finds the natural loop of a group: the groups that a list comes to through this one alone, before it comes back.
    fn find_loop(&mut self, group: usize, before: &[Vec<usize>], after: &[Vec<usize>]) {
        let starts = self.members.iter().filter(|member| member.before.is_none()).map(|member| member.group);
        let outside = reached(starts, after, Some(group));
        let latch =
            |&k: &usize| self.members[k].before.filter(|(_, other)| !outside.contains(other)).map(|(_, other)| (k, other));
        let mut within = FxHashSet::from_iter([group]);
        if let [(k, latch)] = self.own[group].iter().filter_map(latch).collect::<Vec<_>>()[..]
            && self.own[group].len() > 1
        {
            self.back[group] = Some(k);
            within.extend(reached([latch], before, Some(group)));
        }
        within.into_iter().for_each(|i| self.states[i].push(group));
    }

    /// Whether each value of the chain is handed on once at most, as it is or as a part of a longer one.
    fn has_one_end(&self, m: &Module, view: &View) -> bool {
        let sites = || self.groups.iter().flat_map(|group| &group.sites);
        self.groups.iter().flat_map(|group| &group.params).all(|&p| {
            let Some(home) = m[p].graph else { return false };
            let captures =
                |g: GraphId| self.members.iter().any(|member| member.graph == g && member.before.is_some_and(|(v, _)| v == p));
            let hands_on = |arg: NodeId| arg == p || m.as_graph(arg).is_some_and(captures);
            let blocks: Vec<GraphId> = sites().filter(|s| hands_on(s.argument(m))).filter_map(|s| m[s.call].graph).collect();
            let root = view.cfg.function_of(home).root;
            blocks.iter().all(|&b| view.cfg.function_of(b).root == root) && view.cfg.passes_one(home, &blocks)
        })
    }

    /// The closures of a group but the one that comes back: where there are several, a value says which is at the end.
    fn others(&self, group: usize) -> impl Iterator<Item = usize> {
        self.own[group].iter().copied().filter(move |&k| self.back[group] != Some(k))
    }

    /// The groups whose state a closure keeps as the value before has it, since it is another, or none, of the value that it makes.
    fn kept(&self, k: usize) -> impl Iterator<Item = usize> {
        let (own, before) = (self.members[k].group, self.members[k].before.map_or(&[][..], |(_, group)| &self.states[group]));
        let goes_on = move |i: usize| if i == own { self.back[own] == Some(k) } else { self.states[own].contains(&i) };
        before.iter().copied().filter(move |&i| !goes_on(i))
    }
}

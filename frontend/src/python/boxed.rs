//! Lists, dicts and arrays in mutable boxes: who has them beside the box.
//!
//! A write to the value of a variable that functions share is right if nobody reads that value afterwards but from the variable. Here is
//! which values live on while a function may write to the content of a box that they come from; inference knows which boxes these are
//! ([`gradus_ir::Memory::taken`]).

use super::escape::{Flow, Reach};
use super::library;
use super::lower::Lowerer;
use super::ssa::{Point, Ssa};
use gradus_ir::{Flavor, Kind, Module, NodeId, Prim, Taken};
use rustc_hash::FxHashSet;

impl Lowerer<'_, '_> {
    /// Whether others may change the content of a box there: what a function of the library calls does nothing of that kind.
    fn may_change_boxes(&self, n: NodeId) -> bool {
        let callee = self.m[n].inputs().first().and_then(|&callee| self.m.as_graph(callee)).map(|g| &self.m[g]);
        match callee.filter(|_| self.m[n].kind == Kind::Call) {
            Some(g) if g.flavor == Flavor::Library => &*g.name == super::effects::SET_BOX || library::takes_functions(&g.name),
            Some(g) => g.flavor != Flavor::Block,
            None => self.may_act(n),
        }
    }

    /// The values that hold what was read from boxes and live on.
    pub fn taken_from_boxes(&self, flow: &Flow<'_, '_>, ssa: &Ssa<'_>, made: &[NodeId]) -> Vec<Taken> {
        let opened: Vec<NodeId> = made.iter().copied().filter(|&n| self.is_opened(n)).collect();
        if opened.is_empty() {
            return Vec::new();
        }
        let changes = |&n: &NodeId| self.m.has_node(n) && self.may_change_boxes(n);
        let place = |n: NodeId| Some((flow.place_of(n)?.0, n));
        let steps: Vec<(Point, NodeId)> = made.iter().copied().filter(changes).filter_map(place).collect();
        opened.into_iter().flat_map(|root| self.lives_on(root, flow, ssa, &steps)).collect()
    }

    fn is_opened(&self, n: NodeId) -> bool {
        self.m.has_node(n) && self.m.as_prim(n) == Some(Prim::Opened)
    }

    /// The values that hold what a node does and are read after one of the steps, or are given to others.
    fn lives_on(&self, of: NodeId, flow: &Flow<'_, '_>, ssa: &Ssa<'_>, steps: &[(Point, NodeId)]) -> Vec<Taken> {
        let Some((at, _)) = flow.place_of(of) else { return vec![Taken { of, by: of, during: None }] };
        let (mut found, mut seen, mut work) = (Vec::new(), FxHashSet::default(), vec![(of, at)]);
        while let Some((by, made)) = work.pop() {
            if !seen.insert(by) {
                continue;
            }
            let reach = |from: Vec<Point>| Reach::new(ssa, from, Some(made));
            let later = reach(vec![made]);
            let passed: Vec<(Point, NodeId)> = steps.iter().copied().filter(|s| later.contains(s.0)).collect();
            let after = reach(passed.iter().map(|s| s.0).collect());
            let mut during: Option<Vec<NodeId>> = Some(Vec::new());
            for user in self.m[by].users() {
                if boxed(&self.m, user.node).is_some_and(|(home, _)| home == self.m[of].inputs()[1]) {
                    continue;
                }
                let Some((at, holder)) = flow.locate(user.node) else {
                    during = None;
                    continue;
                };
                if let Some(i) = holder {
                    // What the closure does with it, it does when it is called.
                    work.push(flow.closure(i));
                    continue;
                }
                let is_return = self.m[user.node].kind == Kind::Return;
                let is_jump = at.1 == u32::MAX && !is_return;
                if is_return || boxed(&self.m, user.node).is_some() {
                    during = None;
                }
                if let Some(during) = &mut during {
                    if after.contains(at) {
                        during.extend(passed.iter().filter(|s| reach(vec![s.0]).contains(at)).map(|s| s.1));
                    }
                    if !is_jump && self.may_change_boxes(user.node) {
                        during.push(user.node);
                    }
                }
                if !is_jump && !flow.is_number(user.node) {
                    work.push((user.node, at));
                }
            }
            work.extend(flow.closures_with_default(by));
            work.extend(flow.parameters_of(by).filter(|(p, _)| !flow.is_number(*p)));
            if during.as_ref().is_none_or(|steps| !steps.is_empty()) {
                found.push(Taken { of, by, during });
            }
        }
        found
    }
}

/// The box and the value of a call that puts something into a box.
pub fn boxed(m: &Module, n: NodeId) -> Option<(NodeId, NodeId)> {
    let node = m.has_node(n).then(|| &m[n]).filter(|node| node.kind == Kind::Call)?;
    let &[callee, of, value] = node.inputs() else { return None };
    (&*m[m.as_graph(callee)?].name == super::effects::SET_BOX).then_some((of, value))
}

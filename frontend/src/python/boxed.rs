//! Lists, dicts and arrays in mutable boxes: who has them beside the box.
//!
//! A write to the value of a variable that functions share is right if nobody reads that value afterwards but from the variable. Here is
//! which values live on while a function may write to the content of a box that they come from; inference knows which boxes these are
//! ([`gradus_ir::Memory::taken`]).

use super::escape::{Flow, Reach};
use super::library;
use super::lower::Lowerer;
use super::ssa::{Point, Ssa};
use gradus_ir::{Flavor, Kind, Module, NodeId, Prim};
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

    /// The values that hold what was read from a box by a [`Prim::Opened`] and live on, each with that node.
    pub fn taken_from_boxes(&self, flow: &Flow<'_, '_>, ssa: &Ssa<'_>, made: &[NodeId]) -> Vec<(NodeId, NodeId)> {
        let opened: Vec<NodeId> = made.iter().copied().filter(|&n| self.is_opened(n)).collect();
        if opened.is_empty() {
            return Vec::new();
        }
        let changes = |&n: &NodeId| self.m.has_node(n) && self.may_change_boxes(n);
        let steps: Vec<Point> = made.iter().copied().filter(changes).filter_map(|n| Some(flow.place_of(n)?.0)).collect();
        let mut found = Vec::new();
        for root in opened {
            found.extend(self.lives_on(root, flow, ssa, &steps).into_iter().map(|holder| (root, holder)));
        }
        found
    }

    fn is_opened(&self, n: NodeId) -> bool {
        self.m.has_node(n) && self.m.as_prim(n) == Some(Prim::Opened)
    }

    /// The values that hold what a node does and are read after one of the steps, or are given to others.
    fn lives_on(&self, root: NodeId, flow: &Flow<'_, '_>, ssa: &Ssa<'_>, steps: &[Point]) -> Vec<NodeId> {
        let Some((at, _)) = flow.place_of(root) else { return vec![root] };
        let (mut found, mut seen, mut work) = (Vec::new(), FxHashSet::default(), vec![(root, at)]);
        while let Some((n, made)) = work.pop() {
            if !seen.insert(n) {
                continue;
            }
            let later = Reach::new(ssa, vec![made], Some(made));
            let passed: Vec<Point> = steps.iter().copied().filter(|&s| later.contains(s)).collect();
            let after = Reach::new(ssa, passed, Some(made));
            let mut lives = false;
            for user in self.m[n].users() {
                if boxed(&self.m, user.node).is_some_and(|(of, _)| of == self.m[root].inputs()[1]) {
                    continue;
                }
                let Some((at, holder)) = flow.locate(user.node) else { continue };
                let is_jump = at.1 == u32::MAX && self.m[user.node].kind != Kind::Return;
                lives |= holder.is_some() || after.contains(at);
                lives |= self.m[user.node].kind == Kind::Return || !is_jump && self.may_change_boxes(user.node);
                if !is_jump && !flow.is_number(user.node) {
                    work.push((user.node, at));
                }
            }
            work.extend(flow.parameters_of(n).filter(|(p, _)| !flow.is_number(*p)));
            if lives {
                found.push(n);
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

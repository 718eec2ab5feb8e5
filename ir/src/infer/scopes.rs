//! Nesting and schedules of the untyped module, which grows by wrapper graphs while it is analysed.

use crate::graph::{GraphId, Module, NodeId};
use crate::nest::Nest;
use slotmap::SecondaryMap;
use std::rc::Rc;

struct Scope {
    parent: Option<GraphId>,
    depth: u32,
    schedule: Rc<[NodeId]>,
    /// Whether inference made the graph.
    is_made: bool,
}

/// Parent and schedule of each graph.
pub(super) struct Scopes(SecondaryMap<GraphId, Scope>);

/// What is reached: the entry, and the methods of classes.
pub(super) fn roots(m: &Module, entry: GraphId) -> Vec<GraphId> {
    let methods = m.classes.iter().flat_map(|c| c.methods.values()).filter_map(|g| g.as_ref().ok());
    std::iter::once(entry).chain(methods.copied()).collect()
}

impl Scopes {
    pub(super) fn new(m: &Module, entry: GraphId) -> Scopes {
        let nest = Nest::new(m, &roots(m, entry));
        let scope = |g| Scope { parent: nest.parent(g), depth: nest.depth(g), schedule: nest.schedule(g).into(), is_made: false };
        Scopes(nest.graphs().iter().map(|&g| (g, scope(g))).collect())
    }

    /// Adds a graph made of `schedule`, nested in the innermost of the graphs that it uses.
    pub(super) fn add(&mut self, m: &Module, g: GraphId, schedule: Vec<NodeId>) {
        let used = schedule.iter().flat_map(|&n| m[n].inputs()).filter_map(|&input| match m.as_graph(input) {
            Some(h) => self.0[h].parent,
            None => m[input].graph.filter(|&owner| owner != g),
        });
        let parent = used.max_by_key(|&p| self.0[p].depth);
        let depth = parent.map_or(0, |p| self.0[p].depth + 1);
        self.0.insert(g, Scope { parent, depth, schedule: schedule.into(), is_made: true });
    }

    /// Adds a graph that is nested in another, which is there; its schedule follows.
    pub(super) fn declare(&mut self, g: GraphId, parent: Option<GraphId>) {
        let depth = parent.map_or(0, |p| self.0[p].depth + 1);
        self.0.insert(g, Scope { parent, depth, schedule: [].into(), is_made: true });
    }

    pub(super) fn set_schedule(&mut self, g: GraphId, schedule: Vec<NodeId>) {
        self.0[g].schedule = schedule.into();
    }

    pub(super) fn parent(&self, g: GraphId) -> Option<GraphId> {
        self.0[g].parent
    }

    /// Whether inference made the graph, so that its schedule is its order.
    pub(super) fn is_made(&self, g: GraphId) -> bool {
        self.0[g].is_made
    }

    pub(super) fn schedule(&self, g: GraphId) -> Rc<[NodeId]> {
        self.0[g].schedule.clone()
    }
}

//! What the source says of memory. In the IR arrays are values, and so are lists: a write makes another value. In Python they are
//! objects, and a write is seen through everything that shares memory with what is written to. Inference refuses programs in which
//! that makes a difference; here is what it needs to know beside the graphs. A typed module has none of it.

use crate::graph::{GraphId, NodeId};
use crate::span::{Diagnostic, Span};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// The writes of an untyped module, and the functions whose results are special with regard to them.
#[derive(Clone, Debug, Default)]
pub struct Memory {
    /// All writes outside of libraries, by the graph that they happen in. They happen whether or not what is written is read.
    pub writes: FxHashMap<GraphId, Vec<Write>>,
    /// What may do something beside giving a result, by the graph that it happens in, in its order: calls, and operations that may
    /// be. It happens whether or not the result is read.
    pub steps: FxHashMap<GraphId, Vec<NodeId>>,
    /// Calls that are made for derivatives alone: they see what was done before, and what they do is nothing to others.
    pub silent: FxHashSet<NodeId>,
    /// Calls that are made for what they do alone, not for their results: nothing in a program that does nothing.
    pub performed: FxHashSet<NodeId>,
    /// Calls in derivatives, which nobody gives the state of the output: what they print is printed then.
    pub witnessed: FxHashSet<NodeId>,
    /// Calls that are made before the program asks for what they give, so that they must do nothing; each with what is wrong otherwise.
    pub idle: FxHashMap<NodeId, Diagnostic>,
    /// Those among them that may read mutable boxes, but write to none that is not theirs.
    pub steady: FxHashSet<NodeId>,
    /// Values that a program puts into mutable boxes, but for those that it wrote to there, by the graph that it happens in.
    pub boxed: FxHashMap<GraphId, Vec<Boxed>>,
    /// The values that are read after each call of a function of the program, in one that has mutable boxes.
    pub after: FxHashMap<NodeId, Vec<NodeId>>,
    /// Values that hold what was taken from a mutable box, and live on while others may change the box: after the [`crate::Prim::Opened`]
    /// that each comes from.
    pub taken: Vec<Taken>,
    /// The functions of a library that work on mutable boxes, which are their first arguments.
    pub on_boxes: FxHashMap<GraphId, OnBox>,
    /// Functions of a library whose results share no memory with their arguments, whatever their code does; and factories of defaults.
    pub fresh: FxHashSet<GraphId>,
    /// Functions of a library that give a list of the elements of their first argument, each once, in another order.
    pub reorder: FxHashSet<GraphId>,
    /// Functions that make instances which may hold lists and dicts that are objects: those of each call are told apart.
    pub makers: FxHashSet<GraphId>,
    /// Functions that stand for values of the top level, which are made once.
    pub globals: FxHashSet<GraphId>,
    /// Functions that remember what they gave, and give it once more.
    pub remembering: FxHashSet<GraphId>,
    /// Parameters of blocks to which some path brings no value, each with what is wrong if there is that path.
    pub unassigned: FxHashMap<NodeId, Diagnostic>,
    /// Reads of dicts whose views are gone over, each a [`crate::Prim::Assigned`], by the graph that they happen in. They happen whatever
    /// becomes of the dict.
    pub reads: FxHashMap<GraphId, Vec<NodeId>>,
    /// The functions whose arguments nobody else reads: the entry, if no function of the program calls it, and one that it is all
    /// about.
    pub owners: Vec<GraphId>,
}

/// Something that is done with a mutable box.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OnBox {
    /// What is in it is read.
    Get,
    /// It is given another content.
    Set,
    /// It is asked whether there is something in it.
    IsFilled,
}

/// Something that is put into a mutable box.
#[derive(Clone, Debug)]
pub struct Boxed {
    /// The box.
    pub of: NodeId,
    /// The value.
    pub value: NodeId,
    /// The values of the same function that are read afterwards.
    pub later: Vec<NodeId>,
}

/// A value that lives on and holds what was read from a mutable box.
#[derive(Clone, Debug)]
pub struct Taken {
    /// The [`crate::Prim::Opened`] that read it.
    pub of: NodeId,
    /// The value.
    pub by: NodeId,
    /// The steps during which it lives; none if nobody knows.
    pub during: Option<Vec<NodeId>>,
}

/// A write to an element, or an update of a variable in place.
#[derive(Clone, Debug)]
pub struct Write {
    /// The place of the write.
    pub span: Span,
    /// The variable.
    pub name: Arc<str>,
    /// The value of the variable after it.
    pub new: NodeId,
    /// The object that is written to, as it was before.
    pub old: NodeId,
    /// The index of the element of that object that is written to in its stead, if it is an array: by `x[i] += v`.
    pub element: Option<NodeId>,
    /// The elements on the way from the variable to that object: `x[i]` of `x[i][j] = v`.
    pub way: Vec<NodeId>,
    /// What becomes a part of that object, if it is one value.
    pub stored: Option<NodeId>,
    /// Whether the operation writes to any object, or to arrays alone, as `x += v` does.
    pub any: bool,
    /// The mutable box that the object is in, if it is the value of a variable that functions share: the new one is put there at once.
    pub home: Option<NodeId>,
    /// The values of the same function that are read after the write, each with a place that reads it; and those that a box has.
    pub later: Vec<(NodeId, Span)>,
    /// The calls before it, each with an argument, which may be in a box since.
    pub handed: Vec<(NodeId, NodeId)>,
}

impl Write {
    /// The nodes that say what is written to.
    pub fn nodes(&self) -> impl Iterator<Item = NodeId> {
        [self.new, self.old].into_iter().chain(self.element).chain(self.stored).chain(self.home).chain(self.way.iter().copied())
    }

    /// Puts other nodes in the place of these.
    pub fn replace(&mut self, by: impl Fn(NodeId) -> NodeId) {
        let own = [&mut self.new, &mut self.old].into_iter().chain(&mut self.element).chain(&mut self.stored);
        own.chain(&mut self.home).chain(&mut self.way).for_each(|n| *n = by(*n));
    }
}

impl Memory {
    /// What is written in a graph, and what the writes are known by.
    pub(crate) fn written(&self, g: GraphId) -> impl Iterator<Item = NodeId> {
        self.writes.get(&g).into_iter().flatten().flat_map(Write::nodes)
    }

    /// What happens in a graph whether or not its result is read, in its order.
    pub fn steps(&self, g: GraphId) -> &[NodeId] {
        self.steps.get(&g).map_or(&[], Vec::as_slice)
    }

    /// The reads in a graph, the first one last.
    pub(crate) fn read(&self, g: GraphId) -> impl Iterator<Item = NodeId> {
        self.reads.get(&g).into_iter().flatten().rev().copied()
    }

    /// Whether others hold what a function gives.
    pub fn is_held(&self, g: GraphId) -> bool {
        self.globals.contains(&g) && !self.fresh.contains(&g) || self.remembering.contains(&g)
    }

    /// Forgets what is not in the module any more.
    pub(crate) fn retain(&mut self, node: impl Fn(NodeId) -> bool, graph: impl Fn(GraphId) -> bool) {
        self.writes.retain(|&g, _| graph(g));
        for write in self.writes.values_mut().flatten() {
            write.later.retain(|(n, _)| node(*n));
            write.handed.retain(|&(call, n)| node(call) && node(n));
        }
        self.boxed.retain(|&g, _| graph(g));
        self.boxed.values_mut().for_each(|all| all.retain(|b| node(b.of) && node(b.value)));
        self.boxed.values_mut().flatten().for_each(|b| b.later.retain(|&n| node(n)));
        self.after.retain(|&call, _| node(call));
        self.after.values_mut().for_each(|all| all.retain(|&n| node(n)));
        self.taken.retain(|t| node(t.of) && node(t.by));
        self.taken.iter_mut().flat_map(|t| &mut t.during).for_each(|steps| steps.retain(|&n| node(n)));
        self.steps.retain(|&g, _| graph(g));
        self.idle.retain(|&n, _| node(n));
        self.steady.retain(|&n| node(n));
        self.silent.retain(|&n| node(n));
        self.performed.retain(|&n| node(n));
        self.witnessed.retain(|&n| node(n));
        self.unassigned.retain(|&n, _| node(n));
        self.reads.retain(|&g, _| graph(g));
        self.on_boxes.retain(|&g, _| graph(g));
        self.fresh.retain(|&g| graph(g));
        self.reorder.retain(|&g| graph(g));
        self.makers.retain(|&g| graph(g));
        self.globals.retain(|&g| graph(g));
        self.remembering.retain(|&g| graph(g));
        self.owners.retain(|&g| graph(g));
    }
}

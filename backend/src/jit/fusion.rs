//! Which nodes of a block become one kernel.
//!
//! Nodes are taken in the order of their execution. Those that a kernel can hold ([`can_fuse`]) wait in a group of the shape that
//! they iterate over, until somebody needs one of their results as an array, or the block ends: then the group becomes a step.
//! What only moves elements is no work at all: its user reads the array through another layout. So a chain of elementwise
//! primitives and broadcasts, with the reductions that follow it, is one pass over memory, and only results that something outside
//! of the kernel reads are stored.

use super::runtime::{MOST_RESULTS, MOST_SCALARS};
use crate::arrays::{Layout, can_fuse};
use crate::order;
use gradus_ir::{ArrayOp, DType, Dims, Kind, Module, NodeId, Prim, Type};
use rustc_hash::{FxHashMap, FxHashSet};

/// What is done at once.
#[derive(Debug)]
pub enum Step {
    /// A node by itself.
    Node(NodeId),
    /// A product of matrices that are read as these layouts say.
    Product(NodeId, [Read; 2]),
    /// Several nodes as one kernel.
    Kernel(Kernel),
    /// A node whose elements are those of another array in the same order.
    Alias(NodeId, NodeId),
}

/// The nodes of a kernel.
#[derive(Debug)]
pub struct Kernel {
    /// The nodes, operands first.
    pub members: Vec<NodeId>,
    /// Those of them whose results are used elsewhere.
    pub stored: Vec<NodeId>,
    /// How operands are read that the kernel does not compute; of a kernel that only copies, how its one node is; of a sum with a
    /// part of an array, how that part is.
    pub reads: FxHashMap<NodeId, Parts>,
}

/// What is read one behind the other along the first axis: each from a number of rows on. Nothing is zero cotangents.
pub type Parts = Vec<(i64, Option<Read>)>;

/// An array, and how it is read. A scalar is read for each element.
#[derive(Clone, PartialEq, Debug)]
pub struct Read {
    pub base: NodeId,
    /// The `at` of whose place in the base the layout begins, if it is not the first element.
    pub at: Option<NodeId>,
    pub layout: Option<Layout>,
}

impl Step {
    /// The arrays and scalars that a step reads, but for a node by itself.
    pub fn reads(&self) -> Vec<NodeId> {
        match self {
            Step::Node(_) => Vec::new(),
            Step::Product(_, reads) => reads.iter().map(|read| read.base).collect(),
            Step::Kernel(kernel) => kernel.reads.values().flatten().filter_map(|(_, read)| Some(read.as_ref()?.base)).collect(),
            Step::Alias(_, base) => vec![*base],
        }
    }

    /// The nodes that a step defines.
    pub fn defines(&self) -> &[NodeId] {
        match self {
            Step::Node(n) | Step::Product(n, _) | Step::Alias(n, _) => std::slice::from_ref(n),
            Step::Kernel(kernel) => &kernel.stored,
        }
    }
}

/// The most parts that a kernel reads an operand in.
const MOST_PARTS: usize = 4;

/// The most elements of a list whose parts are read within a kernel: the code of each vector knows whose lanes are whose.
const MOST_INSIDE: usize = 128;

/// The least elements of a larger array for a kernel to become one for each part: the ends of parts are no whole vectors, which costs
/// more than to copy a few cache lines.
const LEAST_APART: usize = 1024;

/// How often elements are read that do not lie side by side if they are better copied before, and how many at least.
const MANY: usize = 4;
const LEAST_GATHERED: usize = 1024;

/// Whether neighbours along the last axis of an array are elsewhere in memory.
fn is_gathered(read: &Read, shape: Dims) -> bool {
    let stride = read.layout.as_ref().and_then(|layout| layout.strides.last());
    shape.last().is_some_and(|&n| n > 1) && stride.is_some_and(|stride| !matches!(stride, 0 | 1))
}

/// Whether kernels of this shape read parts, and are not one for each part.
pub fn reads_inside(extents: Dims) -> bool {
    extents.len() == 1 && extents.count() <= MOST_INSIDE
}

/// The shape that a node in a kernel iterates over.
pub fn extents(m: &Module, n: NodeId) -> Dims {
    let of = match m.as_prim(n) {
        Some(Prim::Array(ArrayOp::SumTo | ArrayOp::MaxTo | ArrayOp::MinTo, _)) => m[n].inputs()[0],
        _ => n,
    };
    m[of].ty.shape().expect("nodes of kernels are arrays")
}

/// Whether a node reduces what it reads.
pub fn is_reduction(m: &Module, n: NodeId) -> bool {
    matches!(m.as_prim(n), Some(Prim::Array(ArrayOp::SumTo | ArrayOp::MaxTo | ArrayOp::MinTo, _)))
}

struct Group {
    extents: Dims,
    members: Vec<NodeId>,
}

struct Planner<'a> {
    m: &'a Module,
    steps: Vec<Step>,
    /// The nodes that are no arrays of their own as yet: their users read others.
    reads: FxHashMap<NodeId, Read>,
    /// Those that are put together of parts, each from a number of rows on.
    joined: FxHashMap<NodeId, Parts>,
    /// What sums with a part of an array add: a list that is zero elsewhere.
    sums: FxHashMap<NodeId, Parts>,
    groups: Vec<Group>,
    /// The shape of the group that a node waits in.
    waiting: FxHashMap<NodeId, Dims>,
    /// Nodes that are needed as arrays at the end of the block.
    needed: &'a dyn Fn(NodeId) -> bool,
    /// The nodes that were looked at.
    seen: FxHashSet<NodeId>,
}

/// Plans the nodes of a block, in the order of their execution. `operands` are the nodes that one needs, `needed` says which are
/// used outside of the block or at its end.
pub fn plan(
    m: &Module,
    nodes: &[NodeId],
    operands: &dyn Fn(NodeId) -> Vec<NodeId>,
    needed: &dyn Fn(NodeId) -> bool,
) -> Vec<Step> {
    let seen = FxHashSet::default();
    let mut planner = Planner {
        m,
        steps: Vec::new(),
        reads: FxHashMap::default(),
        joined: FxHashMap::default(),
        sums: FxHashMap::default(),
        groups: Vec::new(),
        waiting: FxHashMap::default(),
        needed,
        seen,
    };
    for &n in nodes {
        planner.node(n, operands);
        planner.seen.insert(n);
    }
    while let Some(group) = planner.groups.first() {
        planner.flush(group.extents);
    }
    for &n in nodes {
        if needed(n) {
            planner.require(n);
        }
    }
    planner.steps
}

impl Planner<'_> {
    fn node(&mut self, n: NodeId, operands: &dyn Fn(NodeId) -> Vec<NodeId>) {
        let m = self.m;
        let is_fused = |prim: Prim| {
            // A choice between whole arrays is one of addresses.
            let operands = if prim == Prim::Select { &m[n].inputs()[..1] } else { m[n].inputs() };
            let is_elementwise = operands.iter().any(|&i| m[i].ty.is_array());
            can_fuse(prim) && (is_elementwise || prim != Prim::Select && m[n].ty.is_array())
        };
        match m[n].kind {
            Kind::Prim(Prim::Array(op, attribute)) if is_fused(Prim::Array(op, attribute)) && !is_reduction(m, n) => {
                self.moved(n, op, attribute);
            }
            Kind::Prim(Prim::Array(ArrayOp::At, _)) if m[n].ty.is_array() => self.part(n),
            Kind::Prim(prim) if is_fused(prim) => self.join(n),
            Kind::Prim(Prim::Array(ArrayOp::Concat, axis)) if axis[0] == 0 && self.is_read_in_parts(n) => self.parts(n),
            Kind::Prim(Prim::Array(ArrayOp::PutAdd, region)) if self.is_sum_inside(n, region) => self.sum_with_part(n, region),
            Kind::Prim(Prim::Array(ArrayOp::MatMul, _)) => {
                let [a, b] = [0, 1].map(|i| {
                    let operand = m[n].inputs()[i];
                    self.settle(operand);
                    self.read(operand)
                });
                if a.layout.is_some() && b.layout.is_some() && m[n].ty.dtype().is_some_and(DType::is_float) {
                    self.steps.push(Step::Product(n, [a, b]));
                } else {
                    m[n].inputs().to_vec().into_iter().for_each(|i| self.require(i));
                    self.steps.push(Step::Node(n));
                }
            }
            _ => {
                for operand in operands(n) {
                    self.require(operand);
                }
                if order::updates(m, n) {
                    self.before_update(m[n].inputs()[0]);
                }
                self.steps.push(Step::Node(n));
            }
        }
    }

    /// What only moves elements.
    fn moved(&mut self, n: NodeId, op: ArrayOp, attribute: Dims) {
        let m = self.m;
        let x = m[n].inputs()[0];
        self.settle(x);
        let mut from = self.read(x);
        let (own, result) = (m[x].ty.shape().expect("an array"), m[n].ty.shape().expect("an array"));
        if op == ArrayOp::Broadcast && result.count() >= LEAST_GATHERED.max(MANY * own.count()) && is_gathered(&from, own) {
            self.require(x);
            from = self.read(x);
        }
        let layout = match &from.layout {
            // A scalar.
            None if op == ArrayOp::Broadcast => None,
            None => return self.by_itself(n),
            Some(layout) => match layout.moved(op, attribute, own, result) {
                Some(layout) => Some(layout),
                None => return self.by_itself(n),
            },
        };
        if !m[n].ty.is_array() {
            // One element as a scalar.
            return self.by_itself(n);
        }
        self.reads.insert(n, Read { base: from.base, at: from.at, layout });
    }

    /// A part of an array at some indices.
    fn part(&mut self, n: NodeId) {
        let m = self.m;
        for &i in m[n].inputs() {
            self.settle(i);
        }
        let from = self.read(m[n].inputs()[0]);
        let own = m[from.base].ty.shape().expect("an array");
        match &from.layout {
            Some(layout) if from.at.is_none() && from.base == m[n].inputs()[0] && *layout == Layout::dense(own) => {
                let layout = m[n].ty.shape().map(Layout::dense);
                self.reads.insert(n, Read { base: from.base, at: Some(n), layout });
            }
            _ => self.by_itself(n),
        }
    }

    /// Whether parts that follow each other are better read one by one than copied.
    fn is_read_in_parts(&self, n: NodeId) -> bool {
        let shape = self.m[n].ty.shape().expect("an array");
        let is_list = |&part: &NodeId| self.is_list(part);
        // Kernels do not put floats of 32 bits together.
        let is_single = self.m[n].ty.dtype() == Some(DType::F32);
        let fits = match reads_inside(shape) {
            true => !is_single && self.m[n].inputs().iter().all(is_list),
            false => shape.count() >= LEAST_APART,
        };
        self.m[n].inputs().len() <= MOST_PARTS && fits
    }

    /// Whether a node is read as a list that lies dense, or as a scalar.
    fn is_list(&self, n: NodeId) -> bool {
        self.joined.contains_key(&n) || self.read(n).layout.is_none_or(|layout| layout.list().is_some())
    }

    /// Whether a sum with a part of an array is one with a list that is zero elsewhere, in a kernel.
    fn is_sum_inside(&self, n: NodeId, region: Dims) -> bool {
        let (shape, is_float) = (self.m[n].ty.shape().expect("an array"), self.m[n].ty.dtype() == Some(DType::F64));
        is_float && reads_inside(shape) && region[1] == 1 && self.is_list(self.m[n].inputs()[1])
    }

    /// Such a sum.
    fn sum_with_part(&mut self, n: NodeId, region: Dims) {
        let (m, part) = (self.m, self.m[n].inputs()[1]);
        self.settle(part);
        let end = region[0] + region[2];
        let mut parts = vec![(region[0], Some(self.read(part)))];
        if region[0] > 0 {
            parts.insert(0, (0, None));
        }
        if end < m[n].ty.shape().expect("an array")[0] {
            parts.push((end, None));
        }
        self.sums.insert(n, parts);
        self.join(n);
    }

    /// Parts that follow each other along the first axis.
    fn parts(&mut self, n: NodeId) {
        let m = self.m;
        let (mut parts, mut start) = (Vec::new(), 0);
        for &part in m[n].inputs() {
            if self.joined.contains_key(&part) {
                self.require(part);
            }
            self.settle(part);
            parts.push((start, Some(self.read(part))));
            start += m[part].ty.shape().expect("an array")[0];
        }
        self.joined.insert(n, parts);
    }

    fn by_itself(&mut self, n: NodeId) {
        let m = self.m;
        m[n].inputs().to_vec().into_iter().for_each(|i| self.require(i));
        self.steps.push(Step::Node(n));
    }

    /// An elementwise node, or a reduction.
    fn join(&mut self, n: NodeId) {
        let m = self.m;
        let extents = extents(m, n);
        for &x in m[n].inputs() {
            // The order of a sum is that of all rows, not of parts.
            if is_reduction(m, n) && !reads_inside(extents) && self.joined.contains_key(&x) {
                self.require(x);
            }
            let base = self.reads.get(&x).map_or(x, |read| read.base);
            if let Some(&other) = self.waiting.get(&base)
                && (other != extents || is_reduction(m, base) || base != x)
            {
                self.flush(other);
            }
        }
        let scalars = |g: &Group| g.members.iter().filter(|&&n| !m[n].ty.is_array()).count();
        let full = |g: &Group| g.extents == extents && (g.members.len() >= MOST_RESULTS || scalars(g) >= MOST_SCALARS);
        if self.groups.iter().any(full) {
            self.flush(extents);
        }
        match self.groups.iter_mut().find(|g| g.extents == extents) {
            Some(group) => group.members.push(n),
            None => self.groups.push(Group { extents, members: vec![n] }),
        }
        self.waiting.insert(n, extents);
    }

    /// How a node is read.
    fn read(&self, n: NodeId) -> Read {
        match self.reads.get(&n) {
            Some(read) => read.clone(),
            None => {
                let shape = self.m[n].ty.shape().filter(|shape| !shape.is_empty());
                Read { base: n, at: None, layout: shape.map(Layout::dense) }
            }
        }
    }

    /// Makes the array that a node reads from, if it reads, exist.
    fn settle(&mut self, n: NodeId) {
        if self.joined.contains_key(&n) {
            return self.require(n);
        }
        let base = self.reads.get(&n).map_or(n, |read| read.base);
        if let Some(&extents) = self.waiting.get(&base) {
            self.flush(extents);
        }
    }

    /// Makes a node exist as an array.
    fn require(&mut self, n: NodeId) {
        let m = self.m;
        let copy = |parts| Step::Kernel(Kernel { members: vec![n], stored: vec![n], reads: [(n, parts)].into_iter().collect() });
        if let Some(parts) = self.joined.remove(&n) {
            return if reads_inside(extents(m, n)) { self.steps.push(copy(parts)) } else { self.by_itself(n) };
        }
        self.settle(n);
        let Some(read) = self.reads.remove(&n) else { return };
        let same_order =
            |shape: Dims| read.layout.as_ref().is_some_and(|l| l.is_dense(m[n].ty.shape().expect("an array"), shape));
        let step = match &m[read.base].ty {
            _ if read.at == Some(n) => Step::Node(n),
            Type::Array(_, shape) if read.at.is_none() && same_order(*shape) => Step::Alias(n, read.base),
            _ => copy(vec![(0, Some(read))]),
        };
        self.steps.push(step);
    }

    /// An array is about to be updated: what still is to read it does so now.
    fn before_update(&mut self, x: NodeId) {
        let base = self.reads.get(&x).map_or(x, |read| read.base);
        let m = self.m;
        let readers: Vec<Dims> = self
            .groups
            .iter()
            .filter(|g| {
                let is_read = |read: &Read| read.base == base;
                let in_part = |i: &NodeId| {
                    self.joined.get(i).is_some_and(|parts| parts.iter().any(|(_, read)| read.as_ref().is_some_and(is_read)))
                };
                let reads = |i: &NodeId| *i == base || self.reads.get(i).is_some_and(is_read) || in_part(i);
                g.members.iter().any(|&n| m[n].inputs().iter().any(reads))
            })
            .map(|g| g.extents)
            .collect();
        readers.into_iter().for_each(|extents| self.flush(extents));
        let mut views: Vec<NodeId> = self.reads.iter().filter(|(_, read)| read.base == base).map(|(&n, _)| n).collect();
        let is_read = |read: &Option<Read>| read.as_ref().is_some_and(|read| read.base == base);
        let joined = self.joined.iter().filter(|(_, parts)| parts.iter().any(|(_, read)| is_read(read)));
        views.extend(joined.map(|(&n, _)| n));
        views.sort_unstable();
        for view in views {
            let is_left = m[view].users().iter().any(|u| !self.seen.contains(&u.node));
            if is_left || (self.needed)(view) {
                self.require(view);
            }
        }
    }

    fn flush(&mut self, extents: Dims) {
        let m = self.m;
        let Some(at) = self.groups.iter().position(|g| g.extents == extents) else { return };
        let Group { members, .. } = self.groups.remove(at);
        if !reads_inside(extents) && members.iter().any(|&n| is_reduction(m, n)) {
            for &i in members.iter().flat_map(|&n| m[n].inputs()) {
                if self.joined.contains_key(&i) {
                    self.require(i);
                }
            }
        }
        for n in &members {
            self.waiting.remove(n);
        }
        let inside: FxHashSet<NodeId> = members.iter().copied().collect();
        let is_stored =
            |&n: &NodeId| is_reduction(m, n) || (self.needed)(n) || m[n].users().iter().any(|u| !inside.contains(&u.node));
        let stored = members.iter().copied().filter(is_stored).collect();
        let operands = members.iter().flat_map(|&n| m[n].inputs()).filter(|i| !inside.contains(i));
        let parts = |i| self.joined.get(i).cloned().unwrap_or_else(|| vec![(0, Some(self.read(*i)))]);
        let mut reads: FxHashMap<NodeId, Parts> = operands.map(|i| (*i, parts(i))).collect();
        reads.extend(members.iter().filter_map(|n| Some((*n, self.sums.remove(n)?))));
        self.steps.push(Step::Kernel(Kernel { members, stored, reads }));
    }
}

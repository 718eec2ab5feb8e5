//! The blocks of a function as the extractor sees them: the dominator tree, and how often each block runs.

use gradus_ir::GraphId;
use slotmap::SecondaryMap;

/// The blocks of one function, numbered in preorder of the dominator tree: what a block dominates is an interval.
#[derive(Clone, Debug)]
pub struct Blocks {
    graphs: Vec<GraphId>,
    numbers: SecondaryMap<GraphId, u32>,
    idom: Vec<u32>,
    depth: Vec<u32>,
    last: Vec<u32>,
    /// The block before the innermost loop around each block: the immediate dominator of its header.
    outside: Vec<Option<u32>>,
    weight: Vec<u64>,
}

/// What [`Blocks::new`] is told of a block.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    /// The graph.
    pub graph: GraphId,
    /// Its immediate dominator; none for the entry.
    pub idom: Option<GraphId>,
    /// The header of the innermost loop around it.
    pub header: Option<GraphId>,
    /// The number of loops around it.
    pub loops: u32,
    /// Whether it is one of several targets of a jump of its immediate dominator, and nobody else jumps to it.
    pub arm: bool,
}

impl Blocks {
    /// From all blocks of a function, in any order in which each comes after its immediate dominator.
    pub fn new(shapes: &[Shape]) -> Blocks {
        let index: SecondaryMap<GraphId, usize> = shapes.iter().enumerate().map(|(i, s)| (s.graph, i)).collect();
        let mut children = vec![Vec::new(); shapes.len()];
        let mut preorder = Vec::with_capacity(shapes.len());
        let mut stack = Vec::new();
        for (i, shape) in shapes.iter().enumerate() {
            match shape.idom {
                Some(d) => children[index[d]].push(i),
                None => stack.push(i),
            }
        }
        while let Some(i) = stack.pop() {
            preorder.push(i);
            stack.extend(children[i].iter().rev());
        }
        let graphs: Vec<GraphId> = preorder.iter().map(|&i| shapes[i].graph).collect();
        let numbers: SecondaryMap<GraphId, u32> = graphs.iter().zip(0..).map(|(&g, b)| (g, b)).collect();
        let n = graphs.len();
        let mut blocks = Blocks {
            graphs,
            numbers,
            idom: vec![0; n],
            depth: vec![0; n],
            last: (0..n as u32).collect(),
            outside: vec![None; n],
            weight: vec![0; n],
        };
        let mut arms = vec![0; n];
        for (b, &i) in preorder.iter().enumerate() {
            let shape = &shapes[i];
            if let Some(d) = shape.idom {
                let d = blocks.numbers[d] as usize;
                let leaves_loop = shape.loops < shapes[preorder[d]].loops;
                blocks.idom[b] = d as u32;
                blocks.depth[b] = blocks.depth[d] + 1;
                arms[b] = arms[d] + i32::from(shape.arm && !leaves_loop);
            }
            blocks.outside[b] = shape.header.and_then(|h| shapes[index[h]].idom).map(|d| blocks.numbers[d]);
            // A loop runs eight times, each arm of a branch every second time.
            let exponent = (30 + 3 * shape.loops.min(10) as i32 - arms[b]).max(0);
            blocks.weight[b] = 1 << exponent.min(60);
        }
        for b in (1..n).rev() {
            let d = blocks.idom[b] as usize;
            blocks.last[d] = blocks.last[d].max(blocks.last[b]);
        }
        blocks
    }

    /// The number of a graph, if it is one of the blocks.
    pub fn number(&self, g: GraphId) -> Option<u32> {
        self.numbers.get(g).copied()
    }

    /// The graph of a block.
    pub fn graph(&self, b: u32) -> GraphId {
        self.graphs[b as usize]
    }

    /// All graphs, in preorder of the dominator tree.
    pub fn graphs(&self) -> &[GraphId] {
        &self.graphs
    }

    /// Whether `a` is `b` or dominates it.
    pub fn dominates(&self, a: u32, b: u32) -> bool {
        a <= b && b <= self.last[a as usize]
    }

    /// The last block that dominates both.
    pub fn common(&self, mut a: u32, mut b: u32) -> u32 {
        while a != b {
            if self.depth[a as usize] >= self.depth[b as usize] {
                a = self.idom[a as usize];
            } else {
                b = self.idom[b as usize];
            }
        }
        a
    }

    /// How often a block runs, relative to the others.
    pub fn weight(&self, b: u32) -> u64 {
        self.weight[b as usize]
    }

    /// Where to compute a value whose uses `latest` dominates and which is available from `earliest` on: `latest`, or outside of
    /// as many loops around it as possible, where that runs less often. (What is before the header of an irreducible loop need
    /// not dominate all of the loop.)
    pub fn place(&self, earliest: u32, latest: u32) -> u32 {
        let (mut best, mut block) = (latest, latest);
        while let Some(outside) = self.outside[block as usize]
            && self.dominates(earliest, outside)
            && self.dominates(outside, block)
        {
            block = outside;
            if self.weight(block) < self.weight(best) {
                best = block;
            }
        }
        best
    }
}

/// A set of blocks that is closed under dominance: the roots of disjoint subtrees of the dominator tree, ascending.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Scope(Vec<u32>);

impl Scope {
    /// What one block dominates.
    pub fn below(b: u32) -> Scope {
        Scope(vec![b])
    }

    /// The roots of its subtrees.
    pub fn roots(&self) -> &[u32] {
        &self.0
    }

    /// The position of the root that dominates `b`, if `b` is in the set.
    pub fn position(&self, blocks: &Blocks, b: u32) -> Option<usize> {
        let i = self.0.partition_point(|&r| r <= b).checked_sub(1)?;
        blocks.dominates(self.0[i], b).then_some(i)
    }

    /// The blocks in both.
    pub fn meet(&self, blocks: &Blocks, other: &Scope) -> Scope {
        let (mut i, mut j, mut roots) = (0, 0, Vec::new());
        while let (Some(&a), Some(&b)) = (self.0.get(i), other.0.get(j)) {
            if blocks.dominates(a, b) {
                roots.push(b);
                j += 1;
            } else if blocks.dominates(b, a) {
                roots.push(a);
                i += 1;
            } else if a < b {
                i += 1;
            } else {
                j += 1;
            }
        }
        Scope(roots)
    }

    /// Adds the blocks of another; whether that changed it.
    pub fn join(&mut self, blocks: &Blocks, other: &Scope) -> bool {
        if other.0.iter().all(|&b| self.position(blocks, b).is_some()) {
            return false;
        }
        let mut all: Vec<u32> = self.0.iter().chain(&other.0).copied().collect();
        all.sort_unstable();
        self.0.clear();
        for b in all {
            if !self.0.last().is_some_and(|&r| blocks.dominates(r, b)) {
                self.0.push(b);
            }
        }
        true
    }
}

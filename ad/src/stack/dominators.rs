//! Which blocks of a half all ways to a block go through.

use petgraph::algo::dominators::simple_fast;
use petgraph::graph::{DiGraph, NodeIndex};

/// The dominator tree of a control-flow graph.
pub struct Dominators {
    idom: Vec<Option<usize>>,
    /// The first and the last number within the block's part of the tree, in preorder; none if the block is not reached.
    extent: Vec<Option<(usize, usize)>>,
}

impl Dominators {
    /// The tree of a graph with an edge to each block from each of its predecessors.
    pub fn new(root: usize, preds: &[&[usize]]) -> Dominators {
        let edges = preds.iter().enumerate().flat_map(|(to, from)| from.iter().map(move |&p| (p as u32, to as u32)));
        let mut graph: DiGraph<(), ()> = DiGraph::with_capacity(preds.len(), preds.len());
        preds.iter().for_each(|_| _ = graph.add_node(()));
        graph.extend_with_edges(edges);
        let tree = simple_fast(&graph, NodeIndex::new(root));
        let idom: Vec<Option<usize>> =
            (0..preds.len()).map(|b| tree.immediate_dominator(NodeIndex::new(b)).map(NodeIndex::index)).collect();
        let mut children: Vec<Vec<usize>> = vec![Vec::new(); preds.len()];
        for (b, up) in idom.iter().enumerate() {
            if let Some(up) = *up {
                children[up].push(b);
            }
        }
        let mut extent: Vec<Option<(usize, usize)>> = vec![None; preds.len()];
        let mut number = 0;
        let mut work = vec![(root, false)];
        while let Some((b, left)) = work.pop() {
            if left {
                extent[b] = extent[b].map(|(first, _)| (first, number - 1));
                continue;
            }
            extent[b] = Some((number, number));
            number += 1;
            work.push((b, true));
            work.extend(children[b].iter().map(|&c| (c, false)));
        }
        Dominators { idom, extent }
    }

    /// The last block before this one that all ways to it go through.
    pub fn immediate(&self, b: usize) -> Option<usize> {
        self.idom[b]
    }

    /// Whether all ways to `b` go through `a`, which is another block.
    pub fn strictly(&self, a: usize, b: usize) -> bool {
        match (self.extent[a], self.extent[b]) {
            (Some(a), Some(b)) => a.0 < b.0 && b.0 <= a.1,
            _ => false,
        }
    }
}

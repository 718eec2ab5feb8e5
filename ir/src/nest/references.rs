//! What graphs refer to, and what they capture through that.

use super::Nest;
use super::set::Set;
use crate::graph::GraphId;
use slotmap::SecondaryMap;

/// The references between the graphs of a [`Nest`], by their positions in its order.
pub(super) struct References {
    pub(super) positions: SecondaryMap<GraphId, usize>,
    /// The graphs that one refers to, and those that refer to it.
    to: Edges,
    from: Edges,
    /// Post-order of the references.
    order: Vec<usize>,
}

/// Where the edges of each vertex begin, and where they end up.
struct Edges {
    first: Vec<usize>,
    ends: Vec<usize>,
}

impl Edges {
    fn of(&self, vertex: usize) -> &[usize] {
        &self.ends[self.first[vertex]..self.first[vertex + 1]]
    }

    fn reversed(&self) -> Edges {
        // Counts, their sums, and these again once each edge has taken its place before them.
        let mut first = vec![0; self.first.len()];
        self.ends.iter().for_each(|&end| first[end] += 1);
        let mut sum = 0;
        for count in &mut first {
            sum += *count;
            *count = sum;
        }
        let mut ends = vec![0; self.ends.len()];
        for vertex in 0..self.first.len() - 1 {
            for &end in self.of(vertex) {
                first[end] -= 1;
                ends[first[end]] = vertex;
            }
        }
        Edges { first, ends }
    }
}

impl References {
    pub(super) fn new(nest: &Nest) -> References {
        let positions: SecondaryMap<GraphId, usize> = nest.order.iter().zip(0..).map(|(&g, i)| (g, i)).collect();
        let mut to = Edges { first: vec![0], ends: Vec::new() };
        for &g in &nest.order {
            to.ends.extend(nest.info[g].refers.iter().map(|&h| positions[h]));
            to.first.push(to.ends.len());
        }
        let order = post_order(&to);
        References { positions, from: to.reversed(), to, order }
    }

    /// Least fixed point of: captures(g) = what g uses ∪ captures of the graphs g refers to, minus what g owns.
    pub(super) fn captures(&self, used: &[Set], own: &[Set]) -> Vec<Set> {
        let mut captures = vec![Set::default(); used.len()];
        let mut stale = vec![true; used.len()];
        let mut found = Set::default();
        while stale.contains(&true) {
            for &g in &self.order {
                if !std::mem::replace(&mut stale[g], false) {
                    continue;
                }
                found.clone_from(&used[g]);
                self.to.of(g).iter().for_each(|&h| found.join(&captures[h]));
                found.subtract(&own[g]);
                if found != captures[g] {
                    captures[g].clone_from(&found);
                    self.from.of(g).iter().for_each(|&referrer| stale[referrer] = true);
                }
            }
        }
        captures
    }
}

fn post_order(to: &Edges) -> Vec<usize> {
    let count = to.first.len() - 1;
    let mut entered = vec![false; count];
    let mut order = Vec::with_capacity(count);
    let mut stack: Vec<(usize, bool)> = (0..count).rev().map(|g| (g, false)).collect();
    while let Some((g, left)) = stack.pop() {
        if left {
            order.push(g);
        } else if !std::mem::replace(&mut entered[g], true) {
            stack.push((g, true));
            stack.extend(to.of(g).iter().rev().map(|&h| (h, false)));
        }
    }
    order
}

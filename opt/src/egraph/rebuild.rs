//! Placement of a selection in the blocks of its function, and writing it back into the module.
//!
//! A term is computed in the last block that dominates its uses, or outside of the loops around that block in which its operands
//! do not change (Click 1995, "Global code motion, global value numbering"). Sinking into the arm that needs a value and
//! moving it out of a loop both follow from this.

use super::blocks::Blocks;
use super::cost::cost;
use super::extract::{Original, Selection, Space};
use super::lang::{Op, Term};
use egg::Id;
use gradus_ir::{Const, Module, NodeId, Prim, Span, Type};
use rustc_hash::FxHashMap;

/// A selection with a block for each of its instances.
#[derive(Debug)]
pub struct Plan {
    selection: Selection,
    /// What is needed, operands first.
    needed: Vec<u32>,
    /// The block of each needed instance.
    place: Vec<u32>,
    /// The cost, each term weighted by how often its block runs.
    pub cost: u128,
}

/// The cost of the program put in, by the measure of [`Plan::cost`].
pub fn original_cost(originals: &[Original], blocks: &Blocks) -> u128 {
    originals.iter().map(|o| u128::from(cost(&o.term.op)) * u128::from(blocks.weight(o.block))).sum()
}

impl Plan {
    /// Places a selection. `roots` are classes and the blocks that use them.
    pub fn new(
        space: &Space,
        blocks: &Blocks,
        selection: Selection,
        roots: &[(Id, u32)],
        home: impl Fn(NodeId) -> Option<u32>,
    ) -> Plan {
        let needed = selection.needed(space);
        let mut place: Vec<Option<u32>> = vec![None; space.instances.len()];
        let use_in = |place: &mut Vec<Option<u32>>, i: u32, block: u32| {
            if selection.candidate(space, i).is_leaf() {
                return;
            }
            let slot = &mut place[i as usize];
            *slot = Some(slot.map_or(block, |b| blocks.common(b, block)));
        };
        for &(class, block) in roots {
            use_in(&mut place, space.instance(class, block), block);
        }
        let mut cost = 0;
        for &i in needed.iter().rev() {
            let candidate = selection.candidate(space, i);
            if candidate.is_leaf() {
                continue;
            }
            let latest = place[i as usize].expect("what is needed has a use");
            let block = match candidate.term.op {
                Op::Pinned(n) => home(n).expect("a call belongs to a block"),
                Op::Prim(_) | Op::Unpack(_) => blocks.place(space.instances[i as usize].root, latest),
                // A closure is made where it is used.
                _ => latest,
            };
            place[i as usize] = Some(block);
            cost += u128::from(candidate.cost) * u128::from(blocks.weight(block));
            for &o in &candidate.operands {
                use_in(&mut place, o, block);
            }
        }
        Plan { selection, needed, place: place.into_iter().map(Option::unwrap_or_default).collect(), cost }
    }

    /// The number of applications that are needed.
    pub fn applications(&self, space: &Space) -> usize {
        self.needed.iter().filter(|&&i| self.selection.candidate(space, i).cost > 0).count()
    }

    /// Puts the plan in the place of the originals. `types` are the types that [`Op::Unpack`] numbers.
    pub fn write(self, m: &mut Module, space: &Space, blocks: &Blocks, originals: &[Original], types: &[Type]) {
        let instance_of: Vec<u32> = originals.iter().map(|o| space.instance(o.class, o.block)).collect();
        let reused = self.reused_nodes(space, originals, &instance_of);
        let origins = self.origins(m, space, originals);
        let mut nodes: Vec<Option<NodeId>> = vec![None; space.instances.len()];
        for &i in &self.needed {
            let candidate = self.selection.candidate(space, i);
            let inputs: Vec<NodeId> =
                candidate.operands.iter().map(|&o| nodes[o as usize].expect("operands come first")).collect();
            let graph = blocks.graph(self.place[i as usize]);
            let Term { op, .. } = candidate.term;
            let node = match op {
                Op::F64(bits) => m.constant(Const::F64(*bits), Type::F64),
                Op::I64(v) => m.i64(*v),
                Op::Bool(v) => m.bool(*v),
                Op::Zero => m.constant(Const::Zero, Type::Opaque),
                Op::Node(n) => *n,
                Op::Pinned(n) => {
                    set_inputs(m, *n, inputs);
                    *n
                }
                Op::Prim(_) | Op::Unpack(_) => match reused[i as usize] {
                    Some(n) => {
                        if m[n].graph != Some(graph) {
                            m.set_graph(n, graph);
                        }
                        set_inputs(m, n, inputs);
                        n
                    }
                    None => {
                        let (prim, ty) = match op {
                            Op::Unpack(t) => (Prim::Unpack, types[*t as usize].clone()),
                            _ => {
                                let prim = candidate.term.prim().expect("an application");
                                let operands: Vec<Type> = inputs.iter().map(|&n| m[n].ty.clone()).collect();
                                (prim, prim.result_type(&operands).expect("terms are typed"))
                            }
                        };
                        m.prim(graph, prim, inputs, ty, origins[i as usize].0)
                    }
                },
            };
            if let Some(name) = origins[i as usize].1.and_then(|n| m[n].name.clone()) {
                m.set_name(node, name);
            }
            nodes[i as usize] = Some(node);
        }
        for (o, &i) in originals.iter().zip(&instance_of) {
            if let Some(node) = nodes[i as usize] {
                m.replace(o.node, node);
            }
        }
        remove_unused(m, originals, blocks);
    }

    /// For each instance an original that computes the chosen term, if there is one; best one that is in the right block.
    fn reused_nodes(&self, space: &Space, originals: &[Original], instance_of: &[u32]) -> Vec<Option<NodeId>> {
        let mut reused: Vec<Option<(bool, NodeId)>> = vec![None; space.instances.len()];
        let mut chosen = vec![false; space.instances.len()];
        for &i in &self.needed {
            chosen[i as usize] = true;
        }
        for (o, &i) in originals.iter().zip(instance_of) {
            let i = i as usize;
            if chosen[i] && *self.selection.candidate(space, i as u32).term == o.term {
                let in_place = o.block == self.place[i];
                if reused[i].is_none_or(|(before, _)| in_place && !before) {
                    reused[i] = Some((in_place, o.node));
                }
            }
        }
        reused.into_iter().map(|r| r.map(|(_, n)| n)).collect()
    }

    /// The source place of each needed instance, and a node to take the name from: of its first original, or of what uses it.
    fn origins(&self, m: &Module, space: &Space, originals: &[Original]) -> Vec<(Span, Option<NodeId>)> {
        let mut first: FxHashMap<Id, NodeId> = FxHashMap::default();
        for o in originals {
            first.entry(o.class).or_insert(o.node);
        }
        let mut origins = vec![(Span::NONE, None); space.instances.len()];
        for &i in self.needed.iter().rev() {
            if let Some(&n) = first.get(&space.instances[i as usize].class) {
                origins[i as usize] = (m[n].span.or(origins[i as usize].0), Some(n));
            }
            let (span, _) = origins[i as usize];
            for &o in &self.selection.candidate(space, i).operands {
                origins[o as usize].0 = origins[o as usize].0.or(span);
            }
        }
        origins
    }
}

fn set_inputs(m: &mut Module, n: NodeId, inputs: Vec<NodeId>) {
    if m[n].inputs() != inputs {
        m.set_inputs(n, inputs);
    }
}

/// Removes originals that nothing uses any more, and what only they used.
fn remove_unused(m: &mut Module, originals: &[Original], blocks: &Blocks) {
    let mut work: Vec<NodeId> = originals.iter().map(|o| o.node).collect();
    while let Some(n) = work.pop() {
        if m.has_node(n)
            && m[n].users().is_empty()
            && m[n].graph.is_some_and(|g| blocks.number(g).is_some())
            && !m[n].inputs().is_empty()
        {
            work.extend(m[n].inputs().to_vec());
            m.remove_node(n);
        }
    }
}

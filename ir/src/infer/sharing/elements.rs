//! Two different elements of one list: whether a write to the one may be seen through the other.
//!
//! Elements of a list whose length only the run knows are [`ELEMENT`] and, beside that, [`OTHER`]. Both are followed together as long as
//! they are of one list: to the lists that it was made of, and to what was put into these. What was put there once is one element.

use super::sources::{ELEMENT, OTHER, Place, Sources};
use crate::graph::{Kind, Module, NodeId};
use crate::infer::abs::Abs;
use crate::infer::calls::{Callee, Target};
use crate::infer::instances::InstId;
use crate::prim::{Effect, Prim};

/// Two places.
pub(super) type Pair = (Place, Place);

/// Each of some places beside each of others.
pub(super) fn product(a: &[Place], b: &[Place]) -> Vec<Pair> {
    a.iter().flat_map(|a| b.iter().map(move |b| (a.clone(), b.clone()))).collect()
}

/// How many fields two paths have in common, if they lead to different elements of a list after these.
fn parting(a: &[u32], b: &[u32]) -> Option<usize> {
    let i = a.iter().zip(b).position(|(x, y)| x != y)?;
    (a[i].min(b[i]) == OTHER && a[i].max(b[i]) == ELEMENT).then_some(i)
}

/// Two places as they are if nothing is known of the lists that they are in.
pub(super) fn apart((mut a, mut b): Pair) -> Pair {
    let are_of_one = (a.at, a.node) == (b.at, b.node) && parting(&a.path, &b.path).is_some();
    if !are_of_one {
        for place in [&mut a, &mut b] {
            place.path.iter_mut().filter(|field| **field == OTHER).for_each(|field| *field = ELEMENT);
        }
    }
    (a, b)
}

impl Sources<'_> {
    /// Two parts of the value of a node: one pair, or one for any two elements of a list of known length.
    pub(super) fn pairs(&mut self, id: InstId, node: NodeId, [a, b]: [(&[u32], bool); 2]) -> Vec<Pair> {
        let list = parting(a.0, b.0).map(|i| (i, self.within(id, node, &a.0[..i])));
        let Some((at, Some(Abs::Tuple(items, _)))) = list else {
            return product(&self.places(id, node, a.0, a.1), &self.places(id, node, b.0, b.1));
        };
        let fields = 0..items.len() as u32;
        let mut element =
            |i: u32, (path, exact): (&[u32], bool)| self.places(id, node, &[&path[..at], &[i], &path[at + 1..]].concat(), exact);
        let mut pairs = Vec::new();
        for (i, j) in fields.clone().flat_map(|i| fields.clone().map(move |j| (i, j))).filter(|(i, j)| i != j) {
            pairs.extend(product(&element(i, a), &element(j, b)));
        }
        pairs
    }

    /// What two different elements of a list come from, where that is known better than what each of them comes from.
    pub(super) fn elements_before(&mut self, a: &Place, b: &Place) -> Option<Vec<Pair>> {
        let (at, node, inputs) = (a.at, a.node, self.e.m[a.node].inputs().to_vec());
        if let Some(list) = self.reorders(at, node) {
            return self.in_another_order(list, a, b);
        }
        let is_write = |prim: &Prim| matches!(prim, Prim::SetItem | Prim::AddItem | Prim::UpdateItem);
        // What is written to an element that only the run knows is one element, of a list of known length too.
        let is_written_somewhere = self.e.m.as_prim(node).is_some_and(|prim| is_write(&prim))
            && matches!((a.path.first(), b.path.first()), (Some(i), Some(j)) if i != j)
            && self.element(at, inputs[0], inputs[1]).is_none();
        if parting(&a.path, &b.path) != Some(0) && !is_written_somewhere {
            return None;
        }
        let of_list = |s: &mut Self, list: NodeId| s.both(at, [(list, a), (list, b)]);
        match self.e.m.as_prim(node)? {
            Prim::Append => {
                let mut pairs = of_list(self, inputs[0]);
                pairs.extend(self.with_each(a, b, inputs[0], inputs[1]));
                Some(pairs)
            }
            Prim::Extend | Prim::Add => {
                let mut pairs = of_list(self, inputs[0]);
                pairs.extend(of_list(self, inputs[1]));
                let mut element = |n: NodeId, p: &Place| self.places(at, n, &[&[ELEMENT], &p.path[1..]].concat(), p.exact);
                pairs.extend(product(&element(inputs[0], a), &element(inputs[1], b)));
                pairs.extend(product(&element(inputs[1], a), &element(inputs[0], b)));
                Some(pairs)
            }
            prim if is_write(&prim) => {
                let mut pairs = of_list(self, inputs[0]);
                for value in stored(&self.e.m, inputs[0], inputs[1], inputs[2]) {
                    pairs.extend(self.with_each(a, b, inputs[0], value));
                }
                Some(pairs)
            }
            Prim::GetItem | Prim::OldItem if self.is_slice(at, inputs[1]) => Some(of_list(self, inputs[0])),
            Prim::List | Prim::TupleOf | Prim::Iter | Prim::Annotated | Prim::Differentiable | Prim::Captured | Prim::Data => {
                Some(of_list(self, inputs[0]))
            }
            _ => None,
        }
    }

    /// Two elements of which one was put into a list that the other one is in.
    fn with_each(&mut self, a: &Place, b: &Place, list: NodeId, value: NodeId) -> Vec<Pair> {
        let mut put = |p: &Place| self.places(p.at, value, &p.path[1..], p.exact);
        let [put_a, put_b] = [put(a), put(b)];
        let mut pairs = product(&self.places(a.at, list, &a.path, a.exact), &put_b);
        pairs.extend(product(&put_a, &self.places(b.at, list, &b.path, b.exact)));
        pairs
    }

    /// Two parts of a list that holds the elements of another, each once: parts of two elements of that, or of one.
    fn in_another_order(&mut self, list: NodeId, a: &Place, b: &Place) -> Option<Vec<Pair>> {
        let ((&i, after_a), (&j, after_b)) = (a.path.split_first()?, b.path.split_first()?);
        let [x, y] = if i == j { [ELEMENT; 2] } else { [ELEMENT, OTHER] };
        let (first, second) = ([&[x], after_a].concat(), [&[y], after_b].concat());
        match self.e.operand(a.at, list) {
            Abs::Tuple(items, _) if i == j => {
                let element = |k: u32, rest: &[u32]| [&[k], rest].concat();
                let of = |k| self.pairs(a.at, list, [(&element(k, after_a), a.exact), (&element(k, after_b), b.exact)]);
                Some((0..items.len() as u32).flat_map(of).collect())
            }
            _ => Some(self.pairs(a.at, list, [(&first, a.exact), (&second, b.exact)])),
        }
    }

    /// The list that another is made of by a function that reorders it, or by `x[i], x[j] = x[j], x[i]`.
    fn reorders(&mut self, at: InstId, node: NodeId) -> Option<NodeId> {
        if let Some(Target::Function(Callee::Known(f, _))) = self.e.instances[at].calls.get(&node) {
            let graph = self.e.instances[*f].graph;
            if self.e.m.memory.reorder.contains(&graph) {
                return Some(self.e.shape(node).1[1]);
            }
        }
        let m = &self.e.m;
        let operands = |n: NodeId, prim: Prim| (m.as_prim(n) == Some(prim)).then(|| m[n].inputs());
        let &[half, second, was_first] = operands(node, Prim::SetItem)? else { return None };
        let &[list, first, was_second] = operands(half, Prim::SetItem)? else { return None };
        (is_item(m, was_first, list, first) && is_item(m, was_second, list, second)).then_some(list)
    }

    /// Two parts of parameters of one block, for each jump to it.
    pub(super) fn by_jump(&mut self, a: &Place, b: &Place) -> Vec<Pair> {
        let [given_a, given_b] = [a, b].map(|p| self.given_by_jumps(p.at, p.node));
        let given = given_a.into_iter().zip(given_b);
        given.flat_map(|((from, x), (_, y))| self.both(from, [(x, a), (y, b)])).collect()
    }

    /// Two places as they are in two nodes, which may be one.
    pub(super) fn both(&mut self, id: InstId, [(x, a), (y, b)]: [(NodeId, &Place); 2]) -> Vec<Pair> {
        if x == y {
            return self.pairs(id, x, [(&a.path, a.exact), (&b.path, b.exact)]);
        }
        product(&self.places(id, x, &a.path, a.exact), &self.places(id, y, &b.path, b.exact))
    }
}

/// What becomes a part of a list by a write to an element, which may be a write to what is there: `x[i] = v`, `x[i][j] = v`.
fn stored(m: &Module, list: NodeId, index: NodeId, mut value: NodeId) -> Vec<NodeId> {
    let whole = value;
    let mut found = Vec::new();
    while !is_item(m, value, list, index) {
        let is_write =
            matches!(m.as_prim(value), Some(Prim::SetItem | Prim::AddItem | Prim::UpdateItem | Prim::Append | Prim::Extend));
        if !is_write {
            return vec![whole];
        }
        found.extend(m[value].inputs().last());
        value = m[value].inputs()[0];
    }
    found
}

fn is_item(m: &Module, n: NodeId, list: NodeId, index: NodeId) -> bool {
    matches!(m.as_prim(n), Some(Prim::GetItem | Prim::OldItem)) && m[n].inputs()[0] == list && is_same(m, m[n].inputs()[1], index)
}

/// Whether two nodes are computed in the same way of the same values.
fn is_same(m: &Module, a: NodeId, b: NodeId) -> bool {
    let inputs = |n: NodeId| m[n].inputs();
    let is_same_kind = match (&m[a].kind, &m[b].kind) {
        (Kind::Const(a), Kind::Const(b)) => a == b,
        (Kind::Prim(p), Kind::Prim(q)) => p == q && p.effect(&[]) != Effect::Linear && inputs(a).len() == inputs(b).len(),
        _ => false,
    };
    a == b || is_same_kind && inputs(a).iter().zip(inputs(b)).all(|(&a, &b)| is_same(m, a, b))
}

//! What an iteration of a loop does with a unit vector: its body is followed once, with what each element depends on in the place of
//! floats. Inner loops are followed turn by turn, where their counters are known; where a condition is not known, both ways are.

use super::facts::{Elements, Fact};
use super::sets::{EMPTY, SetId, Sets};
use super::transfer::apply;
use crate::batch::classes::{Body, Class};
use gradus_ir::cfg::Terminator;
use gradus_ir::{Const, Effect, GraphId, Kind, Module, NodeId, Type};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// The most elements of all operations that are followed.
const WORK: usize = 1 << 25;

/// Follows the body of a loop.
pub(super) struct Walk<'a> {
    m: &'a Module,
    body: &'a Body<'a>,
    pub(super) sets: Sets,
    facts: FxHashMap<NodeId, Fact>,
    units: FxHashSet<NodeId>,
    work: usize,
}

/// How many conditions that are not known may be one inside of the other.
const WAYS: usize = 64;

/// A way from a condition that is not known: where it ends and what is passed there, and the other way, if it is still to be gone, with
/// what is passed to both.
struct Way {
    join: GraphId,
    passed: Option<Vec<Fact>>,
    other: Option<(GraphId, Vec<Fact>)>,
}

impl<'a> Walk<'a> {
    pub(super) fn new(m: &'a Module, body: &'a Body<'a>) -> Walk<'a> {
        let (facts, units) = Default::default();
        Walk { m, body, sets: Sets::new(), facts, units, work: WORK }
    }

    /// Takes a node of the body, booleans, for parts of the unit vector: each is that of a column, or of none.
    pub(super) fn unit(&mut self, n: NodeId, columns: &[Option<u32>]) -> Option<()> {
        let sets = columns.iter().map(|column| column.map_or(Some(EMPTY), |column| self.sets.of(&[column])));
        let sets = sets.collect::<Option<Vec<SetId>>>()?;
        self.facts.insert(n, Fact::Elements(Elements::of_sets(sets)));
        self.units.insert(n);
        Some(())
    }

    /// What is known of a node outside of the loop, or of one that is the same in all iterations: its elements.
    pub(super) fn known(&mut self, n: NodeId) -> Option<Rc<[i64]>> {
        self.fact(n).elements()?.known.clone()
    }

    /// Follows an iteration to its end.
    pub(super) fn follow(&mut self) -> Option<()> {
        let mut block = self.body.header;
        let mut ways: Vec<Way> = Vec::new();
        loop {
            self.block(block)?;
            let end = self.body.terminator(block);
            let mut args = self.facts_of(end.args(self.m));
            let mut next = match end {
                Terminator::Jump { target, .. } => target,
                Terminator::Branch { cond, arms, .. } => {
                    let condition = self.fact(cond);
                    let condition = condition.elements().filter(|condition| condition.sets.is_none())?;
                    let arms = arms.map(|arm| arm.graph());
                    match condition.known.as_deref() {
                        Some(&[known]) => arms[usize::from(known == 0)],
                        _ if ways.len() < WAYS => {
                            let join = self.body.ways(block)?.0;
                            ways.push(Way { join, passed: None, other: Some((arms[1], args.clone())) });
                            arms[0]
                        }
                        _ => return None,
                    }
                }
                _ => return None,
            };
            // Where two ways come together, both are gone.
            while let Some(way) = ways.last_mut().filter(|way| way.join == next) {
                if let Some(other) = way.other.take() {
                    way.passed = Some(args);
                    (next, args) = other;
                } else {
                    let before = ways.pop()?.passed?;
                    let joined = before.iter().zip(&args).map(|(a, b)| join(&mut self.sets, a, b));
                    args = joined.collect::<Option<_>>()?;
                }
            }
            if next == self.body.header {
                return Some(());
            }
            for (&p, fact) in self.m[next].params.iter().zip(args) {
                self.facts.insert(p, fact);
            }
            block = next;
        }
    }

    fn block(&mut self, block: GraphId) -> Option<()> {
        self.work = self.work.checked_sub(1)?;
        let body = self.body;
        for &n in body.nest.schedule(block).iter().filter(|&&n| body.is_needed(n)) {
            // An array that iterations hand on is read by none of them.
            if self.units.contains(&n) || matches!(body.class(self.m, n), Some(Class::State { .. })) {
                continue;
            }
            let fact = self.evaluated(n)?;
            self.facts.insert(n, fact);
        }
        Some(())
    }

    fn evaluated(&mut self, n: NodeId) -> Option<Fact> {
        let m = self.m;
        let Kind::Prim(prim) = m[n].kind else { return Some(Fact::nothing(&m[n].ty)) };
        let operands = self.facts_of(m[n].inputs());
        let operands: Vec<&Fact> = operands.iter().collect();
        let types: Vec<Type> = m[n].inputs().iter().map(|&i| m[i].ty.clone()).collect();
        self.work = self.work.checked_sub(1)?;
        if !operands.iter().all(|fact| fact.is_constant()) {
            // What no iteration fails at, several of them together may.
            if prim.effect(&types) == Effect::Trap {
                return None;
            }
            let sizes = types.iter().chain([&m[n].ty]).filter_map(Type::shape).map(|shape| shape.count());
            self.work = self.work.checked_sub(sizes.max().unwrap_or(1))?;
        }
        apply(&mut self.sets, prim, &operands, &types, &m[n].ty)
    }

    fn facts_of(&mut self, nodes: &[NodeId]) -> Vec<Fact> {
        nodes.iter().map(|&n| self.fact(n)).collect()
    }

    /// What is known of a node. Of what comes from outside of the loop only integers and booleans are looked at, when they are needed.
    pub(super) fn fact(&mut self, n: NodeId) -> Fact {
        let mut stack = vec![n];
        while let Some(&next) = stack.last() {
            if self.facts.contains_key(&next) {
                stack.pop();
                continue;
            }
            let node = &self.m[next];
            let is_inside = node.graph.is_some_and(|g| self.body.is_inside(g));
            let is_integer = matches!(node.ty.dtype(), Some(dtype) if !dtype.is_float());
            let fact = match node.kind {
                Kind::Const(Const::I64(v)) => Fact::Elements(Elements::of_known(vec![v])),
                Kind::Const(Const::Bool(v)) => Fact::Elements(Elements::of_known(vec![v.into()])),
                Kind::Prim(_) if !is_inside && is_integer => {
                    let missing = node.inputs().iter().copied().filter(|i| !self.facts.contains_key(i));
                    let missing: Vec<NodeId> = missing.collect();
                    if !missing.is_empty() {
                        stack.extend(missing);
                        continue;
                    }
                    self.evaluated(next).unwrap_or_else(|| Fact::nothing(&node.ty))
                }
                _ => Fact::nothing(&node.ty),
            };
            self.facts.insert(next, fact);
        }
        self.facts[&n].clone()
    }
}

/// What is known where ways come together.
fn join(sets: &mut Sets, a: &Fact, b: &Fact) -> Option<Fact> {
    match (a, b) {
        (Fact::Elements(a), Fact::Elements(b)) => {
            let known = if a.known == b.known { a.known.clone() } else { None };
            let count = [a, b].iter().filter_map(|x| x.sets.as_ref().map(|sets| sets.len())).max().unwrap_or(0);
            let joined: Option<Vec<SetId>> = (0..count).map(|i| sets.union(a.set(i), b.set(i))).collect();
            Some(Fact::Elements(Elements { known, ..Elements::of_sets(joined?) }))
        }
        (Fact::Tuple(a), Fact::Tuple(b)) if a.len() == b.len() => {
            a.iter().zip(b.iter()).map(|(a, b)| join(sets, a, b)).collect::<Option<Rc<[Fact]>>>().map(Fact::Tuple)
        }
        (Fact::Tape(a), Fact::Tape(b)) => match (a, b) {
            (None, None) => Some(Fact::Tape(None)),
            (Some(a), Some(b)) if Rc::ptr_eq(a, b) => Some(Fact::Tape(Some(a.clone()))),
            _ => None,
        },
        (Fact::Other, Fact::Other) => Some(Fact::Other),
        _ => None,
    }
}

//! Ranges of integers: checks that cannot fail, and comparisons that can go one way alone.
//!
//! ```text
//! for i in range(1, 19):                  i is in 1..=18
//!     u[i - 1]                    ⟹       i - 1 does not overflow, and is an index of 20 elements as it stands
//! ```
//!
//! An interval for each integer, by abstract interpretation with widening and narrowing (Cousot and Cousot, "Abstract interpretation",
//! 1977). A parameter has the hull of its arguments in all calls; one of a graph that is not only called may have any value. In an arm of
//! a branch, and in what runs only after it, a value is within what the condition says.

use crate::calls::reaching_calls;
use crate::fold::select_parts;
use crate::interval::{ANY, Range, fits, range};
use crate::nesting::{Tree, fixed_graphs, only_use, scopes};
use crate::number::share_name;
use crate::report::PassReport;
use gradus_ir::cfg::Cfg;
use gradus_ir::{Const, GraphId, Kind, Module, Nest, NodeId, Prim, Type};
use slotmap::SecondaryMap;

/// After so many rounds, intervals that still grow are widened.
const PATIENCE: usize = 2;
/// Without an end after so many rounds, nothing is known.
const ROUNDS: usize = 24;
/// So many rounds make intervals smaller again.
const NARROWING: usize = 2;
/// Of so many conditions on one value use is made.
const CONDITIONS: usize = 16;

/// Makes indices plain that are not from the end, in a program that is run alone. True if there are any.
pub fn plain_indices(m: &mut Module) -> bool {
    let Some(entry) = m.entry else { return false };
    let nest = Nest::new(m, &[entry]);
    let all = nest.graphs().iter().flat_map(|&g| nest.schedule(g).iter().map(move |&n| (g, n)));
    let indices: Vec<(GraphId, NodeId)> = all.filter(|&(_, n)| m.as_prim(n) == Some(Prim::Index)).collect();
    let Some(ranges) = (!indices.is_empty()).then(|| Ranges::of(m, &nest)).flatten() else { return false };
    let is_plain = |&(g, n): &(GraphId, NodeId)| ranges.seen(m, g, m[n].inputs()[0]).is_some_and(|(low, _)| low >= 0);
    let plain: Vec<(GraphId, NodeId)> = indices.into_iter().filter(is_plain).collect();
    for &(g, n) in &plain {
        let (operands, ty, span) = (m[n].inputs().to_vec(), m[n].ty.clone(), m[n].span);
        let below = m.prim(g, Prim::Below, operands, ty, span);
        m.replace(n, below);
    }
    m.collect_garbage(&[entry]);
    !plain.is_empty()
}

/// Removes what cannot happen.
pub(crate) fn run(m: &mut Module, nest: &Nest, report: &mut PassReport) {
    let has_integers = |g: &GraphId| nest.schedule(*g).iter().any(|&n| m.as_prim(n).is_some_and(|p| matters(m, p, n)));
    if !nest.graphs().iter().any(has_integers) {
        return;
    }
    let Some(ranges) = Ranges::of(m, nest) else { return };
    let mut found = Vec::new();
    for &g in nest.graphs() {
        for &n in nest.schedule(g) {
            if let Some(better) = m.as_prim(n).and_then(|prim| ranges.better(m, g, n, prim)) {
                found.push((g, n, better));
            }
        }
    }
    for (g, n, better) in found {
        let (what, same) = match better {
            Better::Known(value) => ("known comparisons", m.bool(value)),
            Better::Operand(i) => ("checks that hold", m[n].inputs()[i]),
            Better::Wrapping(prim) => {
                let (operands, ty, span) = (m[n].inputs().to_vec(), m[n].ty.clone(), m[n].span);
                ("checks that hold", m.prim(g, prim, operands, ty, span))
            }
        };
        share_name(m, n, same);
        m.replace(n, same);
        report.count(what, 1);
    }
}

/// Whether a range of an operand could make a primitive simpler. What is compared to guard something is compared for the checks that it
/// makes.
fn matters(m: &Module, prim: Prim, n: NodeId) -> bool {
    let is_guard = || m[n].users().iter().any(|u| m.as_prim(u.node) == Some(Prim::Guard));
    let of_integers = || m[n].inputs().first().is_some_and(|&a| m[a].ty == Type::I64) && !is_guard();
    match prim {
        Prim::Index | Prim::Step => true,
        Prim::Add | Prim::Sub | Prim::Abs | Prim::Min | Prim::Max | Prim::Mod => m[n].ty == Type::I64,
        Prim::Lt | Prim::Le | Prim::Gt | Prim::Ge | Prim::Eq | Prim::Ne => of_integers(),
        _ => false,
    }
}

/// Another way to have the value of a node.
enum Better {
    /// A truth value.
    Known(bool),
    /// One of its operands.
    Operand(usize),
    /// An operation without a check.
    Wrapping(Prim),
}

/// How a value compares with another one where an arm is taken.
struct Condition {
    arm: GraphId,
    order: Order,
    other: NodeId,
}

#[derive(Clone, Copy)]
enum Order {
    Less,
    AtMost,
    Greater,
    AtLeast,
    Equal,
}

impl Order {
    /// The order of the operands where a comparison holds or not; none where that says nothing of a range.
    fn of(prim: Prim, holds: bool) -> Option<Order> {
        Some(match (prim, holds) {
            (Prim::Lt, true) | (Prim::Ge, false) => Order::Less,
            (Prim::Le, true) | (Prim::Gt, false) => Order::AtMost,
            (Prim::Gt, true) | (Prim::Le, false) => Order::Greater,
            (Prim::Ge, true) | (Prim::Lt, false) => Order::AtLeast,
            (Prim::Eq, true) | (Prim::Ne, false) => Order::Equal,
            _ => return None,
        })
    }

    /// The order of the second operand and the first.
    fn reversed(self) -> Order {
        match self {
            Order::Less => Order::Greater,
            Order::AtMost => Order::AtLeast,
            Order::Greater => Order::Less,
            Order::AtLeast => Order::AtMost,
            Order::Equal => Order::Equal,
        }
    }

    /// The part of a range in which this holds of something in another one.
    fn cut(self, (low, high): Range, (least, most): Range) -> Range {
        match self {
            Order::Less => (low, high.min(most - 1)),
            Order::AtMost => (low, high.min(most)),
            Order::Greater => (low.max(least + 1), high),
            Order::AtLeast => (low.max(least), high),
            Order::Equal => (low.max(least), high.min(most)),
        }
    }
}

/// The ranges of all integers of a module.
struct Ranges {
    /// Of a value wherever it is; none where nothing is known to reach it.
    base: SecondaryMap<NodeId, Range>,
    conditions: SecondaryMap<NodeId, Vec<Condition>>,
    /// In which what runs only after another graph is below that.
    tree: Tree,
}

impl Ranges {
    fn of(m: &Module, nest: &Nest) -> Option<Ranges> {
        let tree = scopes(nest, &Cfg::new(m, nest));
        let mut ranges = Ranges { base: SecondaryMap::new(), conditions: SecondaryMap::new(), tree };
        for &arm in nest.graphs() {
            if let Some(only) = only_use(m, arm)
                && let Some((c, _, _)) = select_parts(m, only.node)
                && only.index > 0
            {
                ranges.condition(m, c, only.index == 1, arm);
            }
        }
        let fixed = fixed_graphs(m);
        let mut calls: SecondaryMap<GraphId, Vec<NodeId>> = SecondaryMap::new();
        for &g in nest.graphs() {
            let integers = || m[g].params.iter().filter(|&&p| m[p].ty == Type::I64);
            if integers().next().is_none() {
                continue;
            }
            match reaching_calls(m, &fixed, g) {
                Some(known) => {
                    calls.insert(g, known);
                }
                None => ranges.base.extend(integers().map(|&p| (p, ANY))),
            }
        }
        let mut round = 0;
        while ranges.round(m, nest, &calls, &|old, new| if round < PATIENCE { hull(old, new) } else { widened(old, new) }) {
            round += 1;
            if round == ROUNDS {
                return None;
            }
        }
        for _ in 0..NARROWING {
            ranges.round(m, nest, &calls, &|_, new| new);
        }
        Some(ranges)
    }

    /// Takes down what a condition says in an arm of it.
    fn condition(&mut self, m: &Module, c: NodeId, holds: bool, arm: GraphId) {
        let Some(prim) = m.as_prim(c) else { return };
        match (prim, m[c].inputs()) {
            (Prim::Not, &[inner]) => self.condition(m, inner, !holds, arm),
            (Prim::And, &[a, b]) if holds => [a, b].into_iter().for_each(|c| self.condition(m, c, holds, arm)),
            (Prim::Or, &[a, b]) if !holds => [a, b].into_iter().for_each(|c| self.condition(m, c, holds, arm)),
            (_, &[a, b]) if m[a].ty == Type::I64 => {
                let Some(order) = Order::of(prim, holds) else { return };
                for (value, order, other) in [(a, order, b), (b, order.reversed(), a)] {
                    let known = self.conditions.entry(value).expect("a node of the module").or_default();
                    if m[value].graph.is_some() && known.len() < CONDITIONS {
                        known.push(Condition { arm, order, other });
                    }
                }
            }
            _ => {}
        }
    }

    /// Computes all ranges from each other, operands first; true if any has changed. A parameter that has a range already gets `joined`
    /// of that and the new one.
    fn round(
        &mut self,
        m: &Module,
        nest: &Nest,
        calls: &SecondaryMap<GraphId, Vec<NodeId>>,
        joined: &dyn Fn(Range, Range) -> Range,
    ) -> bool {
        let mut changed = false;
        for &g in nest.graphs() {
            for (i, &p) in m[g].params.iter().enumerate().filter(|&(_, &p)| m[p].ty == Type::I64) {
                let Some(calls) = calls.get(g) else { continue };
                let args = calls.iter().filter_map(|&c| self.seen(m, m[c].graph?, m[c].inputs()[i + 1]));
                let Some(new) = args.reduce(hull) else { continue };
                let old = self.base.get(p).copied();
                let new = old.map_or(new, |old| joined(old, new));
                changed |= old != Some(new);
                self.base.insert(p, new);
            }
            for &n in nest.schedule(g).iter().filter(|&&n| m[n].ty == Type::I64) {
                let Some(new) = self.computed(m, g, n) else { continue };
                changed |= self.base.insert(n, new) != Some(new);
            }
        }
        changed
    }

    /// The range of a value in a graph.
    fn seen(&self, m: &Module, g: GraphId, n: NodeId) -> Option<Range> {
        match m[n].as_const() {
            Some(&Const::I64(v)) => return Some((v.into(), v.into())),
            Some(_) => return Some(ANY),
            None => {}
        }
        let mut found = *self.base.get(n)?;
        for c in self.conditions.get(n).into_iter().flatten().filter(|c| self.tree.is_within(g, c.arm)) {
            let other = match m[c.other].as_const() {
                Some(&Const::I64(v)) => (v.into(), v.into()),
                _ => self.base.get(c.other).copied().unwrap_or(ANY),
            };
            found = c.order.cut(found, other);
        }
        // Where no value is left, nothing runs.
        (found.0 <= found.1).then_some(found)
    }

    /// The range of what a node gives.
    fn computed(&self, m: &Module, g: GraphId, n: NodeId) -> Option<Range> {
        let Kind::Prim(prim) = m[n].kind else { return Some(ANY) };
        let inputs = m[n].inputs();
        let seen = |&i: &NodeId| match m[i].ty {
            Type::I64 => self.seen(m, g, i),
            Type::Bool => Some((0, 1)),
            _ => Some(ANY),
        };
        let is_of_integers = inputs.iter().all(|&i| matches!(m[i].ty, Type::I64 | Type::Bool));
        if !is_of_integers || inputs.len() > 3 {
            return Some(ANY);
        }
        let mut operands = [ANY; 3];
        for (operand, i) in operands.iter_mut().zip(inputs) {
            *operand = seen(i)?;
        }
        let operands = &operands[..inputs.len()];
        let found = match (prim, operands) {
            (Prim::Index, &[(low, high), (_, most)]) if low >= 0 => (low, high.min(most - 1)),
            (Prim::Mod, &[(low, high), (least, most)]) if low >= 0 && least > 0 => (0, high.min(most - 1)),
            _ => match range(prim, operands) {
                Some(found) => found,
                None => return Some(ANY),
            },
        };
        match prim {
            Prim::WrapAdd | Prim::WrapSub if !fits(found) => Some(ANY),
            // What is beyond is trapped.
            _ => Some((found.0.max(ANY.0), found.1.min(ANY.1))).filter(|(low, high)| low <= high),
        }
    }

    /// A better way to have the value of a node, by the ranges of its operands.
    fn better(&self, m: &Module, g: GraphId, n: NodeId, prim: Prim) -> Option<Better> {
        if !matters(m, prim, n) {
            return None;
        }
        let inputs = m[n].inputs();
        let a = self.seen(m, g, *inputs.first()?)?;
        let Some(&second) = inputs.get(1) else {
            let is_same = prim == Prim::Abs && a.0 >= 0 || prim == Prim::Step && (a.0 > 0 || a.1 < 0);
            return is_same.then_some(Better::Operand(0));
        };
        let b = self.seen(m, g, second)?;
        let decided = |yes: bool, no: bool| (yes || no).then_some(Better::Known(yes));
        match prim {
            Prim::Index if a.0 >= 0 && a.1 < b.0 => Some(Better::Operand(0)),
            Prim::Index if a.0 >= -b.0 && a.1 < 0 => Some(Better::Wrapping(Prim::WrapAdd)),
            Prim::Add if fits((a.0 + b.0, a.1 + b.1)) => Some(Better::Wrapping(Prim::WrapAdd)),
            Prim::Sub if fits((a.0 - b.1, a.1 - b.0)) => Some(Better::Wrapping(Prim::WrapSub)),
            Prim::Mod if a.0 >= 0 && a.1 < b.0 => Some(Better::Operand(0)),
            Prim::Min if a.1 <= b.0 => Some(Better::Operand(0)),
            Prim::Min if b.1 <= a.0 => Some(Better::Operand(1)),
            Prim::Max if a.0 >= b.1 => Some(Better::Operand(0)),
            Prim::Max if b.0 >= a.1 => Some(Better::Operand(1)),
            Prim::Lt => decided(a.1 < b.0, a.0 >= b.1),
            Prim::Le => decided(a.1 <= b.0, a.0 > b.1),
            Prim::Gt => decided(a.0 > b.1, a.1 <= b.0),
            Prim::Ge => decided(a.0 >= b.1, a.1 < b.0),
            Prim::Eq => decided(a == b && a.0 == a.1, a.1 < b.0 || b.1 < a.0),
            Prim::Ne => decided(a.1 < b.0 || b.1 < a.0, a == b && a.0 == a.1),
            _ => None,
        }
    }
}

/// The least range around two.
fn hull(a: Range, b: Range) -> Range {
    (a.0.min(b.0), a.1.max(b.1))
}

/// A range around two that grows a few times only.
fn widened(old: Range, new: Range) -> Range {
    let low = match new.0 {
        low if low >= old.0 => old.0,
        low if low >= 0 => 0,
        low if low >= -1 => -1,
        _ => ANY.0,
    };
    (low, if new.1 <= old.1 { old.1 } else { ANY.1 })
}

//! Values that the adjoint of an iteration computes from its number, instead of reading them from a record.
//!
//! ```text
//! for i in range(1, n):          i is 1 + k in iteration k, and k is what the adjoint counts down
//!     s += x[i] * y[i]    ⟹      nothing is recorded
//! ```
//!
//! An integer that each iteration changes by the same amount is such a value, and so are a few cheap operations on these and on what
//! does not change in the loop (Griewank and Walther, *Evaluating Derivatives*, 2008, §12.2: what is cheaper to compute than to keep).

use super::frames::{End, Frames, Half, Var};
use gradus_ir::{ArrayOp, Const, DType, Effect, GraphId, Kind, Module, NodeId, Prim, Span, Type};

/// So many operations are done again at most.
const OPERATIONS: usize = 6;

/// How a parameter of a header changes.
struct Induction {
    start: NodeId,
    step: i64,
}

impl Frames {
    /// The value of a node in the block where a record of the loop is popped, if it is computed.
    pub(super) fn counted(&mut self, m: &mut Module, block: usize, l: usize, n: NodeId) -> Option<NodeId> {
        self.is_counted(m, l, n, &mut OPERATIONS.clone()).then(|| self.count(m, block, l, n))
    }

    /// How often a loop goes back to its header, in the block where a record of the loop around it is popped, or where the adjoint
    /// begins: if it is left where its header compares a counter with a bound, and both ends are computed or at hand.
    pub(super) fn counted_trips(&mut self, m: &mut Module, block: usize, around: Option<usize>, var: Var) -> Option<NodeId> {
        let Var::Count(l) = var else { return None };
        let header = self.flow.loops[l].header;
        let End::If { condition, .. } = self.blocks[Half::Forward as usize][header].end else { return None };
        if !self.flow.ends_in_header(l) {
            return None;
        }
        let (&[counter, bound], Some(prim)) = (m[condition].inputs(), m.as_prim(condition)) else { return None };
        let Induction { start, step } = self.induction(m, l, counter)?;
        let is_known = |n: NodeId| match around {
            Some(outer) => self.is_counted(m, outer, n, &mut OPERATIONS.clone()),
            None => self.is_at_hand(m, n) && !self.is_of_iteration(m, l, n),
        };
        if !matches!((prim, step), (Prim::Lt, 1) | (Prim::Gt, -1)) || ![start, bound].into_iter().all(is_known) {
            return None;
        }
        let [start, bound] = [start, bound].map(|n| match around {
            Some(outer) => self.count(m, block, outer, n),
            None if m[n].graph.is_none() => n,
            None => self.at_start(m, Half::Adjoint, block, Var::Node(n)),
        });
        let graph = self.block(Half::Adjoint, block).graph;
        let (more, less) = if step == 1 { (bound, start) } else { (start, bound) };
        let runs = m.prim(graph, Prim::Lt, vec![less, more], Type::Bool, Span::NONE);
        let (count, zero) = (m.prim(graph, Prim::WrapSub, vec![more, less], Type::I64, Span::NONE), m.i64(0));
        Some(m.prim(graph, Prim::Select, vec![runs, count, zero], Type::I64, Span::NONE))
    }

    /// Whether a value is one of those that are computed.
    fn is_counted(&self, m: &Module, l: usize, n: NodeId, operations: &mut usize) -> bool {
        if !self.is_of_iteration(m, l, n) {
            let is_outside =
                || std::iter::successors(Some(l), |&l| self.flow.loops[l].parent).all(|l| !self.is_of_iteration(m, l, n));
            return self.is_at_hand(m, n) && (!m[n].ty.is_array() || is_outside());
        }
        if self.induction(m, l, n).is_some() {
            return true;
        }
        let Some(left) = operations.checked_sub(1).filter(|_| m.as_prim(n).is_some_and(|p| is_cheap(p, &m[n].ty))) else {
            return false;
        };
        *operations = left;
        if matches!(m.as_prim(n), Some(Prim::Array(..))) && !self.is_in_each_iteration(m, l, n) {
            return false;
        }
        m[n].inputs().iter().all(|&i| self.is_counted(m, l, i, operations))
    }

    /// Whether each iteration computes a value. An index that only some compute need not be one in the others.
    fn is_in_each_iteration(&self, m: &Module, l: usize, n: NodeId) -> bool {
        let Some(&home) = m[n].graph.and_then(|g| self.home.get(&g)) else { return false };
        let latches = self.flow.loops[l].latches.iter().map(|&e| self.edge(Half::Forward, e));
        latches.into_iter().all(|latch| home == latch || self.dominates(Half::Forward, home, latch))
    }

    /// Whether the adjoint may have a value from outside of a loop: a scalar, or an array that nobody changes in place.
    fn is_at_hand(&self, m: &Module, n: NodeId) -> bool {
        match &m[n].ty {
            _ if m[n].graph.is_none() => true,
            // A graph that is no block is of the adjoint alone, or of a function around.
            _ if m[n].graph.is_some_and(|g| !self.home.contains_key(&g)) => false,
            Type::I64 | Type::F64 | Type::Bool => true,
            Type::Array(..) => {
                // What a loop does to it, it does before the last of its iterations ends.
                let maker = self.owner(m, Var::Node(n));
                let is_within = |g: GraphId| maker.is_some_and(|l| self.home.get(&g).is_some_and(|&b| self.flow.is_around(l, b)));
                m[n].users().iter().all(|u| match m.as_prim(u.node) {
                    _ if m[u.node].graph.is_some_and(is_within) => true,
                    Some(Prim::Tuple | Prim::Select) | None => false,
                    Some(prim) => prim.effect(&[]) == Effect::Pure,
                })
            }
            _ => false,
        }
    }

    fn is_of_iteration(&self, m: &Module, l: usize, n: NodeId) -> bool {
        m[n].graph.is_some_and(|g| self.home.contains_key(&g)) && self.owns(m, l, Var::Node(n))
    }

    /// Emits a value that is computed.
    fn count(&mut self, m: &mut Module, block: usize, l: usize, n: NodeId) -> NodeId {
        if m[n].graph.is_none() {
            return n;
        }
        if let Some(&known) = self.starts.get(&(Half::Adjoint, block, Var::Node(n))) {
            return known;
        }
        if !self.is_of_iteration(m, l, n) {
            return self.at_start(m, Half::Adjoint, block, Var::Node(n));
        }
        let (graph, span) = (self.block(Half::Adjoint, block).graph, m[n].span);
        let value = match self.induction(m, l, n) {
            Some(Induction { start, step }) => {
                let start = self.count(m, block, l, start);
                let number = self.defs[&(Half::Adjoint, block, Var::Count(l))];
                let mut op = |prim, a, b| m.prim(graph, prim, vec![a, b], Type::I64, span);
                match step {
                    1 => op(Prim::WrapAdd, start, number),
                    -1 => op(Prim::WrapSub, start, number),
                    _ => {
                        let step = m.i64(step);
                        let way = m.prim(graph, Prim::Mul, vec![step, number], Type::I64, span);
                        m.prim(graph, Prim::WrapAdd, vec![start, way], Type::I64, span)
                    }
                }
            }
            None => {
                let inputs: Vec<NodeId> = m[n].inputs().to_vec();
                let operands: Vec<NodeId> = inputs.into_iter().map(|i| self.count(m, block, l, i)).collect();
                let ty = m[n].ty.clone();
                // The checks were made by the forward half.
                match m.as_prim(n).expect("a primitive is computed again") {
                    Prim::Add if ty == Type::I64 => m.prim(graph, Prim::WrapAdd, operands, ty, span),
                    Prim::Sub if ty == Type::I64 => m.prim(graph, Prim::WrapSub, operands, ty, span),
                    Prim::Index => {
                        let (at, zero) = (operands[0], m.i64(0));
                        let is_from_end = m.prim(graph, Prim::Lt, vec![at, zero], Type::Bool, span);
                        let from_end = m.prim(graph, Prim::WrapAdd, operands, ty.clone(), span);
                        m.prim(graph, Prim::Select, vec![is_from_end, from_end, at], ty, span)
                    }
                    prim => m.prim(graph, prim, operands, ty, span),
                }
            }
        };
        if let Some(name) = m[n].name.clone() {
            m.set_name(value, name);
        }
        self.starts.insert((Half::Adjoint, block, Var::Node(n)), value);
        value
    }

    /// How a parameter of a loop's header changes, if by the same amount in each iteration, and if the multiple of that is in the range
    /// of integers wherever the parameter is.
    fn induction(&self, m: &Module, l: usize, p: NodeId) -> Option<Induction> {
        let this = &self.flow.loops[l];
        let graph = self.blocks[Half::Forward as usize][this.header].graph;
        if m[p].kind != Kind::Param || m[p].graph != Some(graph) || m[p].ty != Type::I64 {
            return None;
        }
        let i = m[graph].params.iter().position(|&q| q == p)?;
        let given = |&e: &usize| match &self.blocks[Half::Forward as usize][self.edge(Half::Forward, e)].end {
            End::Jump { args, .. } => args.get(i).copied(),
            _ => None,
        };
        let one = |values: Vec<NodeId>| values.iter().all(|v| *v == values[0]).then(|| values[0]);
        let start = one(this.entries.iter().map(given).collect::<Option<Vec<_>>>()?)?;
        if self.is_of_iteration(m, l, start) || !self.is_at_hand(m, start) {
            return None;
        }
        let steps = this.latches.iter().map(|e| step(m, p, given(e)?)).collect::<Option<Vec<i64>>>()?;
        let &step = steps.first()?;
        let is_in_range = match m[start].as_const() {
            Some(&Const::I64(start)) => step > 0 && start >= 0 || step < 0 && start <= 0,
            _ => false,
        };
        (steps.iter().all(|&s| s == step) && (step == 1 || step == -1 || is_in_range)).then_some(Induction { start, step })
    }
}

/// The constant that was added to a parameter.
fn step(m: &Module, p: NodeId, next: NodeId) -> Option<i64> {
    let int = |n: NodeId| match m[n].as_const() {
        Some(&Const::I64(v)) => Some(v),
        _ => None,
    };
    match (m.as_prim(next)?, m[next].inputs()) {
        (Prim::Add | Prim::WrapAdd, &[a, b]) if a == p => int(b),
        (Prim::Add | Prim::WrapAdd, &[a, b]) if b == p => int(a),
        (Prim::Sub | Prim::WrapSub, &[a, b]) if a == p => int(b)?.checked_neg(),
        _ => None,
    }
}

/// Whether an operation takes no longer than to write a value and to read it. It did not trap on the same operands before.
fn is_cheap(prim: Prim, ty: &Type) -> bool {
    match prim {
        Prim::Float | Prim::WrapAdd | Prim::WrapSub | Prim::Index => true,
        Prim::Add | Prim::Sub => ty.dtype().is_some_and(DType::is_float) || *ty == Type::I64,
        Prim::Mul | Prim::Neg | Prim::Abs => *ty == Type::F64,
        Prim::Array(ArrayOp::At, _) => !ty.is_array(),
        _ => false,
    }
}

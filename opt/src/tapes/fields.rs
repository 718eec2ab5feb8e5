//! Which fields records need: those that the adjoint reads and neither has nor cheaply computes.

use super::classes::Class;
use super::counts::{Counter, Counts};
use super::stored::{Stored, Why};
use crate::nesting::Tree;
use gradus_ir::{ArrayOp, Const, DType, GraphId, Kind, Module, Nest, NodeId, Prim, Type};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

/// A closure with more captures than this stays one.
const MAX_CAPTURES: usize = 64;

/// Where a class is written and read.
pub(super) struct Sites {
    /// The record type's fields.
    types: Vec<Type>,
    pub(super) pushes: Vec<NodeId>,
    pub(super) pops: Vec<NodeId>,
    /// Per field: the nodes that are it.
    pub(super) reads: Vec<Vec<NodeId>>,
}

/// A value that the adjoint has without the old field.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Operand {
    /// The field with this number in the new record.
    Field(usize),
    /// A constant, or a value from outside of the loop.
    Value(NodeId),
    /// What is computed again, by its number.
    Computed(usize),
    /// The number of the record, from 0 on.
    Number,
}

/// The number of the record that each pop takes: a parameter, and how much more.
pub(super) type Numbers = FxHashMap<NodeId, (NodeId, i64)>;

/// A primitive of values that the adjoint has, those with smaller numbers among the computed ones.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Computed {
    pub(super) prim: Prim,
    pub(super) ty: Type,
    pub(super) operands: Vec<Operand>,
    /// What it is at every push.
    pub(super) values: Vec<NodeId>,
}

impl Computed {
    /// The operands that are computed, too.
    pub(super) fn computed_operands(&self) -> impl Iterator<Item = usize> + '_ {
        self.operands.iter().filter_map(|o| match o {
            Operand::Computed(k) => Some(*k),
            _ => None,
        })
    }
}

/// What becomes of a field.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Source {
    Dead,
    Is(Operand),
    /// A closure of `graph`: the variables it captures from the loop, and the values of these and then of the bound arguments.
    Closure {
        graph: GraphId,
        captured: Vec<NodeId>,
        values: Vec<Operand>,
    },
}

/// A field of the new record: its type, and what each push gives it.
pub(super) type Field = (Type, Vec<NodeId>);

impl Sites {
    /// None where a record is not made and taken apart on the spot, or is no tuple.
    pub(super) fn new(m: &Module, class: &[NodeId]) -> Option<Sites> {
        let types = m[*class.first()?].ty.record()?.fields()?.to_vec();
        let mut sites = Sites { reads: vec![Vec::new(); types.len()], types, pushes: Vec::new(), pops: Vec::new() };
        for &n in class {
            if m.as_prim(n) == Some(Prim::Push) {
                sites.pushes.push(n);
            }
            sites.pops.extend(m[n].users().iter().map(|u| u.node).filter(|&u| m.as_prim(u) == Some(Prim::Pop)));
        }
        if sites.pushes.iter().any(|&push| m.as_prim(m[push].inputs()[1]) != Some(Prim::Tuple)) {
            return None;
        }
        for part in sites.pops.iter().flat_map(|&pop| m[pop].users()) {
            match m.as_prim(part.node)? {
                Prim::Get(0) => {}
                Prim::Get(1) => {
                    for read in m[part.node].users() {
                        let Prim::Get(i) = m.as_prim(read.node)? else { return None };
                        sites.reads[i as usize].push(read.node);
                    }
                }
                _ => return None,
            }
        }
        Some(sites)
    }

    /// What every push gives a field, in the order of the pushes.
    fn pushed(&self, m: &Module, field: usize) -> Vec<NodeId> {
        self.pushes.iter().map(|&push| m[m[push].inputs()[1]].inputs()[field]).collect()
    }
}

/// What comes from outside of all loops that a tape goes around, in both halves, and is in the scope of both.
struct Invariants<'a> {
    scopes: &'a Tree,
    /// The graphs that the tape is a parameter of.
    owners: BTreeSet<GraphId>,
}

impl<'a> Invariants<'a> {
    fn new(m: &Module, scopes: &'a Tree, class: &[NodeId]) -> Invariants<'a> {
        let params = class.iter().filter(|&&n| m[n].kind == Kind::Param);
        Invariants { scopes, owners: params.filter_map(|&n| m[n].graph).collect() }
    }

    fn contains(&self, m: &Module, v: NodeId) -> bool {
        let around = |owner: GraphId| self.owners.iter().all(|&g| g != owner && self.scopes.is_within(g, owner));
        !self.owners.is_empty() && m[v].graph.is_some_and(around)
    }
}

/// The fields of the new record, as far as they are decided.
pub(super) struct Fields<'a> {
    m: &'a Module,
    nest: &'a Nest,
    /// [`Class::pushed_only`].
    pushed_only: bool,
    invariants: Invariants<'a>,
    /// The numbers of records, where each pop has that of its own.
    counts: Option<Counts<'a>>,
    /// The tapes that records are pushed on.
    tapes: Vec<NodeId>,
    /// How many operations are executed again rather than that one value is recorded.
    limit: usize,
    pub(super) kept: Vec<Field>,
    pub(super) computed: Vec<Computed>,
    /// The numbers of what is computed, by what it is at every push.
    numbers: FxHashMap<Vec<NodeId>, usize>,
    /// What becomes of each field of the old record.
    pub(super) sources: Vec<Source>,
    /// Why each of them stays, if it does.
    pub(super) stored: Vec<Option<Stored>>,
    /// How many operations each of them takes that those before it did not.
    pub(super) operations: Vec<usize>,
}

impl<'a> Fields<'a> {
    /// Decides about the record of a class.
    pub(super) fn new(
        (m, nest): (&'a Module, &'a Nest),
        (scopes, fixed): (&'a Tree, &'a FxHashSet<GraphId>),
        class: &Class,
        sites: &Sites,
        limit: usize,
    ) -> Self {
        let (kept, computed, numbers) = Default::default();
        let count = sites.types.len();
        let (sources, stored, operations) = (vec![Source::Dead; count], vec![None; count], vec![0; count]);
        let invariants = Invariants::new(m, scopes, &class.nodes);
        let pushed_only = class.pushed_only;
        let counts = Counts::new(m, fixed, &class.nodes);
        let has_numbers = pushed_only && sites.pops.iter().all(|&pop| counts.popped(m[pop].inputs()[0]).is_some());
        let counts = has_numbers.then_some(counts);
        let tapes = sites.pushes.iter().map(|&push| m[push].inputs()[0]).collect();
        let mut fields = Fields {
            m,
            nest,
            pushed_only,
            invariants,
            counts,
            tapes,
            limit,
            kept,
            computed,
            numbers,
            sources,
            stored,
            operations,
        };
        fields.decide(sites);
        fields
    }

    fn decide(&mut self, sites: &Sites) {
        let pushed: Vec<Vec<NodeId>> = (0..sites.types.len()).map(|i| sites.pushed(self.m, i)).collect();
        // Operands before what is computed from them, as nodes are made in that order.
        let mut live: Vec<usize> = (0..sites.types.len()).filter(|&i| !sites.reads[i].is_empty()).collect();
        live.sort_by_key(|&i| pushed[i].first().copied());
        for i in live {
            let (values, ty, before) = (&pushed[i], &sites.types[i], self.computed.len());
            let source = match self.known(values, ty) {
                Some(operand) => Ok(Source::Is(operand)),
                None if self.pushed_only => {
                    self.compute(values).map(Source::Is).or_else(|stored| self.closure(values).ok_or(stored))
                }
                None => Err(values.first().map(|&at| Stored { at, itself: true, why: Why::Added })),
            };
            self.sources[i] = source.unwrap_or_else(|stored| {
                self.stored[i] = stored;
                Source::Is(self.keep(values.clone(), ty.clone()))
            });
            self.operations[i] = self.computed.len() - before;
        }
    }

    /// The number of the record that each pop takes, where a field follows from it.
    pub(super) fn popped(&self, sites: &Sites) -> Numbers {
        let number = |&pop: &NodeId| Some((pop, self.counts.as_ref()?.popped(self.m[pop].inputs()[0])?));
        sites.pops.iter().filter_map(number).collect()
    }

    /// Whether the record is to stay as it is.
    pub(super) fn is_settled(&self) -> bool {
        self.sources.iter().all(|s| matches!(s, Source::Is(Operand::Field(_)))) && self.kept.len() == self.sources.len()
    }

    fn keep(&mut self, values: Vec<NodeId>, ty: Type) -> Operand {
        self.known(&values, &ty).unwrap_or_else(|| {
            self.kept.push((ty, values));
            Operand::Field(self.kept.len() - 1)
        })
    }

    /// One value at every push that the adjoint has already.
    fn known(&self, values: &[NodeId], ty: &Type) -> Option<Operand> {
        let &first = values.first()?;
        let m = self.m;
        let outside = match m.as_graph(first) {
            Some(g) => self.nest.free(g).all(|v| self.invariants.contains(m, v)),
            None => m[first].graph.is_none() || self.invariants.contains(m, first),
        };
        let is_zero = matches!(ty, Type::F64) && m.as_f64(first).is_some_and(|v| v.to_bits() == (-0.0_f64).to_bits())
            || m[first].as_const() == Some(&Const::Zero);
        if outside && (self.pushed_only || is_zero) && values.iter().all(|&v| v == first) {
            return Some(Operand::Value(first));
        }
        let field = self.kept.iter().position(|(t, kept)| t == ty && kept == values).map(Operand::Field);
        field.or_else(|| self.numbers.get(values).copied().map(Operand::Computed))
    }

    /// What every push gives a field as a cheap function of what the adjoint has. A word in the record costs a store, a load and its
    /// part of the cache; so many operations are dearer.
    fn compute(&mut self, values: &[NodeId]) -> Result<Operand, Option<Stored>> {
        let before = self.computed.len();
        let found = self.derive(values, &mut self.limit.clone());
        found.map_err(|stored| {
            for computed in self.computed.drain(before..) {
                self.numbers.remove(&computed.values);
            }
            let itself = |stored: &Stored| values.first() == Some(&stored.at);
            stored.map(|stored| Stored { itself: itself(&stored), ..stored })
        })
    }

    fn derive(&mut self, values: &[NodeId], budget: &mut usize) -> Result<Operand, Option<Stored>> {
        let m = self.m;
        let &at = values.first().ok_or(None)?;
        let ty = m[at].ty.clone();
        if let Some(known) = self.known(values, &ty) {
            return Ok(known);
        }
        if let Some(counter) = self.counter(values) {
            return self.count(values, counter, budget);
        }
        let stored = |why| Some(Stored { at, itself: false, why });
        let prim = m.as_prim(at).filter(|&p| is_cheap(p, &ty)).ok_or_else(|| stored(Why::of(m, at)))?;
        if values.iter().any(|&v| m.as_prim(v) != Some(prim)) {
            return Err(stored(Why::Places));
        }
        *budget = budget.checked_sub(1).ok_or_else(|| stored(Why::Operations(self.limit)))?;
        let mut operands = Vec::with_capacity(m[at].inputs().len());
        for k in 0..m[at].inputs().len() {
            let given: Vec<NodeId> = values.iter().map(|&v| m[v].inputs()[k]).collect();
            operands.push(self.derive(&given, budget)?);
        }
        self.numbers.insert(values.to_vec(), self.computed.len());
        self.computed.push(Computed { prim, ty, operands, values: values.to_vec() });
        Ok(Operand::Computed(self.computed.len() - 1))
    }

    /// The counter that every push gives a field, if it is one whose start the adjoint has.
    fn counter(&self, values: &[NodeId]) -> Option<Counter> {
        let (m, counts) = (self.m, self.counts.as_ref()?);
        let mut found = values.iter().zip(&self.tapes).map(|(&value, &tape)| counts.counter(value, tape));
        let first = found.next()??;
        let has_start = m[first.start].graph.is_none() || self.invariants.contains(m, first.start);
        // Steps times numbers are in the range of ints if they go away from zero, as the counter is.
        let (start, step) = (m[first.start].as_const(), first.step.1);
        let fits = match start {
            Some(&Const::I64(start)) => step.signum() * start.signum() >= 0,
            _ => false,
        };
        (has_start && (fits || step.abs() == 1) && found.all(|other| other == Some(first))).then_some(first)
    }

    /// A counter from the number of the record.
    fn count(&mut self, values: &[NodeId], counter: Counter, budget: &mut usize) -> Result<Operand, Option<Stored>> {
        let step = counter.step.1;
        let is_zero = self.m[counter.start].as_const() == Some(&Const::I64(0));
        let far = |limit| Some(Stored { at: values[0], itself: false, why: Why::Operations(limit) });
        let needed = usize::from(step.abs() != 1) + usize::from(!is_zero || step == -1);
        *budget = budget.checked_sub(needed).ok_or_else(|| far(self.limit))?;
        let mut operand = Operand::Number;
        let mut compute = |prim, operands: Vec<Operand>| {
            self.computed.push(Computed { prim, ty: Type::I64, operands, values: values.to_vec() });
            Operand::Computed(self.computed.len() - 1)
        };
        if step.abs() != 1 {
            operand = compute(Prim::Mul, vec![Operand::Value(counter.step.0), operand]);
        }
        let start = Operand::Value(counter.start);
        operand = match step {
            -1 => compute(Prim::WrapSub, vec![start, operand]),
            _ if is_zero => operand,
            _ => compute(Prim::WrapAdd, vec![start, operand]),
        };
        if let Operand::Computed(k) = operand {
            self.numbers.insert(values.to_vec(), k);
        }
        Ok(operand)
    }

    /// What every push gives a field as a closure of one graph: its captures become fields.
    fn closure(&mut self, values: &[NodeId]) -> Option<Source> {
        let m = self.m;
        let closures: Vec<(GraphId, &[NodeId])> = values
            .iter()
            .map(|&v| match m.as_prim(v) {
                Some(Prim::Partial) => m.as_graph(m[v].inputs()[0]).map(|q| (q, &m[v].inputs()[1..])),
                _ => m.as_graph(v).map(|q| (q, &[][..])),
            })
            .collect::<Option<_>>()?;
        let &(graph, bound) = closures.first()?;
        if closures.iter().any(|c| c.0 != graph || c.1.len() != bound.len()) || !self.nest.contains(graph) {
            return None;
        }
        let captured: Vec<NodeId> = self.nest.free(graph).filter(|&v| !self.invariants.contains(m, v)).collect();
        if captured.len() + bound.len() > MAX_CAPTURES {
            return None;
        }
        let fields = captured.iter().map(|&v| vec![v; values.len()]);
        let bound = (0..bound.len()).map(|i| closures.iter().map(|c| c.1[i]).collect());
        let fields: Vec<Vec<NodeId>> = fields.chain(bound).collect();
        let values = fields.into_iter().map(|values| {
            let ty = m[values[0]].ty.clone();
            self.keep(values, ty)
        });
        let values = values.collect();
        Some(Source::Closure { graph, captured, values })
    }
}

/// Whether a primitive may be computed again instead of being recorded: it is one instruction or two. What traps has not done so on
/// the same operands.
fn is_cheap(prim: Prim, ty: &Type) -> bool {
    use Prim::*;
    match prim {
        Float | Widen | Narrow | Not | And | Or | Lt | Le | Gt | Ge | Eq | Ne | WrapAdd | WrapSub | WrapMul | HighMul
        | ShiftLeft | ShiftRight | BitAnd | BitOr | BitXor => true,
        Add | Sub | Mul | Neg | Abs => ty.dtype().is_some_and(DType::is_float),
        // An element is read again rather than written and read.
        Index | Array(ArrayOp::At, _) => ty.as_array().is_some_and(|(_, shape)| shape.is_empty()),
        // Another way to read an array.
        Array(ArrayOp::Broadcast | ArrayOp::Reshape | ArrayOp::Transpose | ArrayOp::Slice, _) => true,
        _ => false,
    }
}

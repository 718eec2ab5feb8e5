//! What is known of each class: its type, its value if that is constant, and the structure of tuples and boxes.

use super::lang::{Op, Term};
use super::sign::Sign;
use egg::{Analysis, DidMerge, EGraph, Id};
use gradus_ir::eval::{self, Floats, Scalar};
use gradus_ir::{NodeId, Prim, Type};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::sync::Arc;

/// The analysis: types of leaves that a term does not say itself, and the limit on e-nodes.
#[derive(Clone, Debug, Default)]
pub struct Facts {
    /// Types of [`Op::Node`] and [`Op::Pinned`].
    pub leaves: FxHashMap<NodeId, Type>,
    /// Types that [`Op::Unpack`] numbers.
    pub unpacked: Vec<Type>,
    /// What the floats are.
    pub floats: Floats,
    /// The number of e-nodes beyond which rules add nothing.
    pub node_limit: usize,
    /// The classes that were made, merged or became known, one after the other.
    pub changes: Vec<Id>,
    /// Two constants that rules found to be equal: what is found from then on is worth nothing.
    pub contradiction: Option<[Scalar; 2]>,
}

/// What is known of a class.
#[derive(Clone, Debug)]
pub struct Data {
    /// The type of its values; `Unknown` where a term does not type, which no rule may merge with anything.
    pub ty: Type,
    /// Its value.
    pub constant: Option<Scalar>,
    /// What is proved of its sign.
    pub sign: Sign,
    /// The fields, if it is a tuple that is made here.
    fields: Option<Arc<[Id]>>,
    /// The tuple and field that it is a projection of.
    projection: Option<(Id, u32)>,
    /// What it boxes.
    packed: Option<Id>,
    /// A class that it equals by structure: `get<i>(tuple …)`, `tuple(get<0> t, …)`, `unpack(pack x)`.
    same: Option<Id>,
}

/// Whether two constants are the same bits, all NaNs counted as one.
pub fn same_bits(a: Scalar, b: Scalar) -> bool {
    match (a, b) {
        (Scalar::F64(a), Scalar::F64(b)) => a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan(),
        (a, b) => a == b,
    }
}

/// The leaf of a constant.
pub fn literal(value: Scalar) -> Op {
    match value {
        Scalar::F64(v) => Op::F64(v.to_bits()),
        Scalar::I64(v) => Op::I64(v),
        Scalar::Bool(v) => Op::Bool(v),
    }
}

/// The types of the operands of a term.
pub fn operand_types(egraph: &EGraph<Term, Facts>, term: &Term) -> SmallVec<[Type; 3]> {
    term.children.iter().map(|&c| egraph[c].data.ty.clone()).collect()
}

impl Facts {
    fn type_of(egraph: &EGraph<Term, Facts>, term: &Term) -> Type {
        match &term.op {
            Op::F64(_) => Type::F64,
            Op::I64(_) => Type::I64,
            Op::Bool(_) => Type::Bool,
            Op::Zero => Type::Opaque,
            Op::Node(n) | Op::Pinned(n) => egraph.analysis.leaves[n].clone(),
            Op::Unpack(i) => egraph.analysis.unpacked[*i as usize].clone(),
            Op::Prim(p) => p.result_type(&operand_types(egraph, term)).unwrap_or_default(),
        }
    }

    fn constant_of(egraph: &EGraph<Term, Facts>, term: &Term) -> Option<Scalar> {
        match term.op {
            Op::F64(bits) => Some(Scalar::F64(f64::from_bits(bits))),
            Op::I64(v) => Some(Scalar::I64(v)),
            Op::Bool(v) => Some(Scalar::Bool(v)),
            Op::Prim(p) => {
                let constants = term.children.iter().map(|&c| egraph[c].data.constant);
                let operands: SmallVec<[Scalar; 3]> = constants.collect::<Option<_>>()?;
                eval::fold(egraph.analysis.floats, p, &operands)
            }
            Op::Zero | Op::Node(_) | Op::Pinned(_) | Op::Unpack(_) => None,
        }
    }

    /// Takes down a contradiction, where two constants meet that are further apart than rounding explains. True if they are not the
    /// same at all.
    pub fn meet(&mut self, a: Option<Scalar>, b: Option<Scalar>) -> bool {
        let (Some(a), Some(b)) = (a, b) else { return false };
        if same_bits(a, b) {
            return false;
        }
        let rounded = matches!((a, b), (Scalar::F64(a), Scalar::F64(b)) if (a - b).abs() <= 1e-9 * a.abs().max(b.abs()).max(1.0));
        if !rounded {
            self.contradiction = Some([a, b]);
        }
        true
    }

    fn same_by_structure(egraph: &EGraph<Term, Facts>, term: &Term, ty: &Type) -> Option<Id> {
        let child = |i: usize| &egraph[term.children[i]].data;
        let same = match term.op {
            Op::Prim(Prim::Get(i)) => child(0).fields.as_ref().map(|fields| fields[i as usize]),
            Op::Prim(Prim::Tuple) => {
                let (whole, _) = term.children.first().and_then(|&c| egraph[c].data.projection)?;
                let whole = egraph.find(whole);
                let every = (0..term.children.len())
                    .all(|i| child(i).projection.is_some_and(|(t, field)| egraph.find(t) == whole && field as usize == i));
                every.then_some(whole)
            }
            Op::Unpack(_) => child(0).packed,
            _ => None,
        }?;
        (egraph[same].data.ty == *ty).then_some(same)
    }
}

impl Analysis<Term> for Facts {
    type Data = Data;

    fn make(egraph: &mut EGraph<Term, Facts>, term: &Term, _: Id) -> Data {
        let ty = Facts::type_of(egraph, term);
        let constant = Facts::constant_of(egraph, term);
        Data {
            constant,
            sign: constant.map_or_else(|| Sign::of_term(egraph, term), Sign::of),
            fields: matches!(term.op, Op::Prim(Prim::Tuple)).then(|| term.children.as_slice().into()),
            projection: match term.op {
                Op::Prim(Prim::Get(i)) => Some((term.children[0], i)),
                _ => None,
            },
            packed: matches!(term.op, Op::Prim(Prim::Pack)).then(|| term.children[0]),
            same: Facts::same_by_structure(egraph, term, &ty),
            ty,
        }
    }

    fn merge(&mut self, to: &mut Data, from: Data) -> DidMerge {
        debug_assert!(to.ty.fits(&from.ty), "a class of type {} cannot hold a {}", to.ty, from.ty);
        self.meet(to.constant, from.constant);
        to.sign.merge(from.sign)
            | keep_first(&mut to.constant, from.constant)
            | keep_first(&mut to.fields, from.fields)
            | keep_first(&mut to.projection, from.projection)
            | keep_first(&mut to.packed, from.packed)
            | keep_first(&mut to.same, from.same)
    }

    fn modify(egraph: &mut EGraph<Term, Facts>, id: Id) {
        egraph.analysis.changes.push(id);
        let Data { constant, same, .. } = egraph[id].data;
        if let Some(value) = constant {
            let leaf = egraph.add(Term::leaf(literal(value)));
            egraph.union(id, leaf);
        }
        if let Some(same) = same {
            egraph.union(id, same);
        }
    }
}

fn keep_first<T>(to: &mut Option<T>, from: Option<T>) -> DidMerge {
    let change = DidMerge(to.is_none() && from.is_some(), to.is_some() && from.is_none());
    if to.is_none() {
        *to = from;
    }
    change
}

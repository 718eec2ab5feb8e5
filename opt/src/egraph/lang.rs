//! The language of the e-graph: primitives over classes, and leaves.
//!
//! There are no binders: a parameter is a leaf, and so is a graph constant. What a closure captures, or a call is given, are the
//! children of its term, so availability and liveness follow from the children alone.

use egg::{FromOp, Id, Language};
use gradus_ir::{NodeId, Prim};
use smallvec::SmallVec;
use std::fmt;

/// The operator of a [`Term`]. Literals are keyed by their bits, so 0.0 and -0.0 are two classes.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Op {
    /// A float, as its bits.
    F64(u64),
    /// An integer.
    I64(i64),
    /// A boolean.
    Bool(bool),
    /// The zero box of cotangents.
    Zero,
    /// A node of the module that stands for itself: a parameter, a node of an enclosing graph or of another piece, a constant
    /// without literal form. The children of a graph constant are what it captures here.
    Node(NodeId),
    /// A node that stays in its block and is equal to itself alone: a call, the choice of a branch, or what is linear. The
    /// children are its inputs.
    Pinned(NodeId),
    /// A primitive applied to the children.
    Prim(Prim),
    /// `unpack` to the type with this number in [`super::analysis::Facts`].
    Unpack(u32),
}

/// The operands of a term, those of nearly all without memory of their own.
pub type Children = SmallVec<[Id; 3]>;

/// An e-node.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Term {
    /// The operator.
    pub op: Op,
    /// The classes of its operands.
    pub children: Children,
}

impl Term {
    /// A term without children.
    pub fn leaf(op: Op) -> Term {
        Term { op, children: Children::new() }
    }

    /// A term.
    pub fn new(op: Op, children: impl Into<Children>) -> Term {
        Term { op, children: children.into() }
    }

    /// The primitive it applies, if it is an application of one.
    pub fn prim(&self) -> Option<Prim> {
        match self.op {
            Op::Prim(p) => Some(p),
            Op::Unpack(_) => Some(Prim::Unpack),
            _ => None,
        }
    }

    /// The term with the operands of a commutative primitive in a fixed order.
    pub fn sorted(mut self) -> Term {
        if self.prim().is_some_and(Prim::is_commutative) {
            self.children.sort_unstable();
        }
        self
    }
}

impl Language for Term {
    type Discriminant = Op;

    fn discriminant(&self) -> Op {
        self.op.clone()
    }

    fn matches(&self, other: &Term) -> bool {
        self.op == other.op && self.children.len() == other.children.len()
    }

    fn children(&self) -> &[Id] {
        &self.children
    }

    fn children_mut(&mut self) -> &mut [Id] {
        &mut self.children
    }
}

impl fmt::Display for Term {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.op {
            Op::F64(bits) => write!(f, "{:?}", f64::from_bits(*bits)),
            Op::I64(v) => write!(f, "{v}"),
            Op::Bool(v) => write!(f, "{v}"),
            Op::Zero => f.write_str("zero"),
            Op::Node(n) | Op::Pinned(n) => write!(f, "{n:?}"),
            Op::Prim(Prim::Get(i)) => write!(f, "get<{i}>"),
            Op::Prim(p) => f.write_str(p.name()),
            Op::Unpack(i) => write!(f, "unpack#{i}"),
        }
    }
}

/// A word in the text of a rule that is neither a literal nor the name of a primitive of its arity.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("`{0}` is neither a literal nor a primitive of so many operands")]
pub struct UnknownOp(pub String);

impl FromOp for Term {
    type Error = UnknownOp;

    /// Reads the operator of a rule. A literal with a point is a float, one without an integer.
    fn from_op(op: &str, children: Vec<Id>) -> Result<Term, UnknownOp> {
        let unknown = || UnknownOp(op.to_owned());
        if let Some(prim) = Prim::from_name(op) {
            let fits = prim.arity().is_none_or(|n| n == children.len());
            return if fits { Ok(Term::new(Op::Prim(prim), children)) } else { Err(unknown()) };
        }
        let op = match op {
            "true" => Op::Bool(true),
            "false" => Op::Bool(false),
            "zero" => Op::Zero,
            _ => match op.parse::<i64>() {
                Ok(v) => Op::I64(v),
                Err(_) => Op::F64(op.parse::<f64>().map_err(|_| unknown())?.to_bits()),
            },
        };
        if children.is_empty() { Ok(Term::leaf(op)) } else { Err(unknown()) }
    }
}

//! The code that the machine runs.

use crate::arrays::Operation;
use gradus_ir::{Boundary, Host, Prim, Span, TraceOp, TrapKind, Type};
use std::ops::Range;
use std::sync::Arc;

/// Where an operand is: a slot of the frame, or (top bit set) an entry of the constant pool. The bit below says that a slot is read
/// for the last time, so that its value is moved: an array with one owner is updated in place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Operand(u32);

/// [`Operand`], decoded.
pub enum Place {
    Slot(usize),
    Constant(usize),
}

impl Operand {
    const CONSTANT: u32 = 1 << 31;
    const LAST: u32 = 1 << 30;

    pub fn slot(slot: u32) -> Operand {
        assert!(slot < Operand::LAST, "frames have fewer than 2³⁰ slots");
        Operand(slot)
    }

    pub fn constant(index: usize) -> Operand {
        assert!(index < Operand::CONSTANT as usize, "programs have fewer than 2³¹ constants");
        Operand(index as u32 | Operand::CONSTANT)
    }

    /// The same slot, which nobody reads after this.
    pub fn last(self) -> Operand {
        Operand(self.0 | Operand::LAST)
    }

    /// Whether this is a slot that nobody reads after this.
    pub fn is_last(self) -> bool {
        self.0 & (Operand::CONSTANT | Operand::LAST) == Operand::LAST
    }

    pub fn place(self) -> Place {
        match self.0 & Operand::CONSTANT {
            0 => Place::Slot((self.0 & !Operand::LAST) as usize),
            _ => Place::Constant((self.0 & !Operand::CONSTANT) as usize),
        }
    }
}

/// A run of [`Program::operands`].
#[derive(Clone, Copy, Debug)]
pub struct Operands {
    pub start: u32,
    pub len: u32,
}

/// Whom a call calls.
#[derive(Clone, Copy, Debug)]
pub enum Target {
    /// A graph whose captures are at hand: no closure is made.
    Known { graph: u32, captures: Operands },
    /// A function value.
    Value(Operand),
    /// One of two other targets.
    Select { condition: Operand, then: u32, otherwise: u32 },
}

/// What an instruction does.
#[derive(Clone, Copy, Debug)]
pub enum Op {
    /// A primitive on scalars.
    Scalar(Prim),
    /// An operation on arrays ([`Program::operations`]).
    Array {
        operation: u32,
    },
    /// `select` of anything.
    Select,
    Tuple,
    Get(u32),
    /// A closure over the captures of a graph.
    Closure {
        graph: u32,
    },
    Partial,
    Pack,
    /// The first operand, if a condition holds; else a failure.
    Guard(TrapKind),
    /// A function of the host.
    Host(Host),
    /// An operation on the tape of a derivative that is traced; the constant is what it takes where there is no cotangent.
    Trace {
        op: TraceOp,
        zero: Operand,
    },
    /// Prints a template with the fields of a tuple in it, or fails with it; gives the first operand.
    Say {
        template: u32,
        fails: bool,
    },
    /// Opens a box; the constant is what comes out of the zero box.
    Unpack {
        zero: Operand,
    },
    Gadd,
    /// The record of a vector at an index; the constant is what there is where none was written.
    Element {
        zero: Operand,
    },
    /// A vector with a record at an index; the constant is what lies below where none was written.
    Replace {
        zero: Operand,
    },
    /// A tape and a record of this type ([`Program::types`]) to a tape.
    Push {
        record: u32,
    },
    /// A tape without its last record. The field of a `pop` of which only fields are used.
    Rest,
    /// A part of the last record of a tape; the constant is what there is instead on the empty tape.
    Record {
        /// The number of values in the record before the part.
        offset: u32,
        /// [`Program::types`].
        ty: u32,
        empty: Operand,
    },
    /// `J` and its relatives: the derivative's number ([`derivative_index`]).
    Derivative(usize),
    /// Calls a target.
    Call {
        target: u32,
    },
    /// Calls a target and returns what it returns.
    TailCall {
        target: u32,
    },
    /// Returns the operand.
    Return,
}

/// One instruction.
#[derive(Clone, Copy, Debug)]
pub struct Inst {
    pub op: Op,
    pub operands: Operands,
    pub dst: u32,
    pub span: Span,
}

/// The code of a graph. The first slots of its frame hold what its closures hold, followed by the arguments.
#[derive(Clone, Debug)]
pub struct GraphCode {
    /// The name and the place of a function of the program; none of a block or a function of the library.
    pub function: Option<(Arc<str>, Span)>,
    pub insts: Range<usize>,
    pub slots: usize,
    /// The number of slots that the caller fills.
    pub inputs: usize,
    /// The derivative graphs, by [`derivative_index`].
    pub derivatives: [Option<u32>; Prim::OPERATORS.len()],
}

/// A constant, as it is stored between runs.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Constant {
    F64(u64),
    I64(i64),
    Bool(bool),
    Str(Arc<str>),
    None,
    /// The zero value of a type.
    Zero(Type),
    Undefined(Type),
    /// A graph without free variables.
    Graph(u32),
}

/// An operation on arrays.
#[derive(Debug)]
pub struct ArrayNode {
    pub prim: Prim,
    /// The type of the result.
    pub ty: Type,
    /// What does it where floats are floats; it knows the types of the operands.
    pub operation: Operation,
}

/// A compiled program.
#[derive(Debug, Default)]
pub struct Program {
    pub graphs: Vec<GraphCode>,
    pub insts: Vec<Inst>,
    pub operands: Vec<Operand>,
    pub targets: Vec<Target>,
    pub constants: Vec<Constant>,
    pub operations: Vec<ArrayNode>,
    /// The types of records, and of parts of them.
    pub types: Vec<Type>,
    /// The parameter types of the entry graph, which is graph 0.
    pub params: Vec<Type>,
    pub boundary: Boundary,
    /// The templates of what is printed.
    pub templates: Vec<Arc<str>>,
}

impl Program {
    pub fn operands(&self, operands: Operands) -> &[Operand] {
        &self.operands[operands.start as usize..][..operands.len as usize]
    }
}

/// The place of a derivative operator in [`GraphCode::derivatives`].
pub fn derivative_index(prim: Prim) -> Option<usize> {
    Prim::OPERATORS.iter().position(|&p| p == prim)
}

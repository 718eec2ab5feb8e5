//! The operations on the tape of a derivative that is traced (docs/strategies.md §10).
//!
//! The tape is no value: it belongs to the run. An entry is either a float with at most two others that it was made of and its partial
//! derivatives, or a function that passes a cotangent on. Each operation takes or gives a number that the next one takes, so values
//! keep them in order. A place on the tape is such a number, too; 0 is that of a constant.

use crate::types::Type;

/// An operation.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum TraceOp {
    /// `(i64) -> i64`: begins a derivative; gives the place below all of it.
    Open,
    /// `(i64) -> i64`: the place of a variable, by the place below the derivative.
    Variable,
    /// `(i64, f64, i64, f64) -> i64`: the place of a float, from the places of two others and the derivatives by them. What is made of
    /// constants is one: it may be computed before the derivative begins.
    Note,
    /// `(fn(i64) -> i64, i64, i64) -> i64`: the place of what the function passes cotangents from, with so many places after it. The function
    /// is given the place, and gives it back. The last operand is zero where there is no place to pass them to; so is the result, then.
    Call,
    /// `(place, cotangent, i64) -> i64`: adds to the cotangent at a place, a float or an array; to those at a box of places a box of
    /// cotangents. Gives the last operand.
    Add,
    /// `(i64, i64) -> (T, i64)`, the type of the node: takes the cotangent from a place, a float or an array, and gives the last operand.
    Take,
    /// `(i64, i64) -> i64`: passes on the cotangents of floats at the places below the first operand and above the second, from the last to
    /// the first, up to a function that has a cotangent to pass on. Gives its place; -1 where there is none.
    Next,
    /// `(i64) -> fn(i64) -> i64`: the function at a place.
    Step,
    /// `(i64) -> i64`: ends a derivative. The tape is emptied when no other is under way.
    Close,
    /// `(T, i64) -> T`: the first operand, `f64` or `opaque`, after the second.
    After,
}

impl TraceOp {
    /// All of them.
    pub const ALL: [TraceOp; 10] = {
        use TraceOp::*;
        [Open, Variable, Note, Call, Add, Take, Next, Step, Close, After]
    };

    /// The name in the text form.
    pub fn name(self) -> &'static str {
        match self {
            TraceOp::Open => "trace_open",
            TraceOp::Variable => "trace_variable",
            TraceOp::Note => "trace_note",
            TraceOp::Call => "trace_call",
            TraceOp::Add => "trace_add",
            TraceOp::Take => "trace_take",
            TraceOp::Next => "trace_next",
            TraceOp::Step => "trace_step",
            TraceOp::Close => "trace_close",
            TraceOp::After => "trace_after",
        }
    }

    /// The number of operands.
    pub fn arity(self) -> usize {
        match self {
            TraceOp::Open | TraceOp::Variable | TraceOp::Step | TraceOp::Close => 1,
            TraceOp::Take | TraceOp::Next | TraceOp::After => 2,
            TraceOp::Call | TraceOp::Add => 3,
            TraceOp::Note => 4,
        }
    }

    /// The type of the functions on the tape.
    pub fn step_type() -> Type {
        Type::func([Type::I64], Type::I64)
    }

    /// The result type on operands of these types; none where they do not fit, and for `trace_take`, whose type the node says.
    pub fn result_type(self, operands: &[Type]) -> Option<Type> {
        use Type::{F64, I64, Opaque};
        Some(match (self, operands) {
            (TraceOp::Open | TraceOp::Variable | TraceOp::Close, [I64]) => I64,
            (TraceOp::Note, [I64, F64, I64, F64]) => I64,
            (TraceOp::Call, [step, I64, I64]) if step.fits(&TraceOp::step_type()) => I64,
            (TraceOp::Add, [I64, F64 | Type::Array(..), I64] | [Opaque, Opaque, I64]) => I64,
            (TraceOp::Add, [places @ Type::Vec(_), vector @ Type::Vec(_), I64]) if vector.traced() == *places => I64,
            (TraceOp::Next, [I64, I64]) => I64,
            (TraceOp::Step, [I64]) => TraceOp::step_type(),
            (TraceOp::After, [value @ (F64 | Opaque), I64]) => value.clone(),
            _ => return None,
        })
    }
}

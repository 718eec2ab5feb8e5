//! Why a program has no StableHLO.

use gradus_ir::Span;
use thiserror::Error;

/// A refused program: the reason, and the place in its source where there is one.
#[derive(Clone, PartialEq, Error, Debug)]
#[error("{reason}")]
pub struct Refusal {
    /// The reason.
    pub reason: Reason,
    /// The place that is at fault.
    pub span: Option<Span>,
}

/// What StableHLO cannot say, or we do not write.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Error, Debug)]
#[non_exhaustive]
pub enum Reason {
    /// A recursion that keeps large arrays.
    #[error("a function that calls itself keeps arrays, for which a stack of XLA has no room")]
    Stack,
    /// A call of a value.
    #[error("which function is called here, only the run knows: XLA has no function values")]
    UnknownFunction,
    /// Lists of run-time length, recursive instances, mutable boxes, closures in boxes.
    #[error("the size of this value is known to the run alone: a list that grows, a recursive instance, or a box that is shared")]
    Boxes,
    /// A loop with several entries.
    #[error("a loop is entered at several places: XLA's loops have one entry")]
    Irreducible,
    /// A derivative of what is not known.
    #[error("the derivative of a function that only the run knows is taken here")]
    Derivative,
    /// A derivative by a tape.
    #[error("a derivative is traced, on a tape whose entries call functions: XLA has no function values")]
    Traced,
    /// Output.
    #[error("the program prints, which compiled code of XLA does not")]
    Prints,
    /// A string that is none of the program's constants.
    #[error("which string this is, only the run knows: XLA has no strings")]
    Strings,
    /// A function of the host.
    #[error("a function of the host is called here, which XLA does not reach")]
    Host,
    /// A value of a type that typed modules do not have.
    #[error("the module is not typed")]
    Untyped,
    /// Regions that are copied once for each loop around them.
    #[error("the program has more than {} thousand operations: loops with several exits, one inside of the other, are copied", crate::MOST_OPERATIONS / 1000)]
    TooLarge,
}

impl Reason {
    /// The refusal at a place.
    pub fn at(self, span: Span) -> Refusal {
        Refusal { reason: self, span: (span != Span::NONE).then_some(span) }
    }
}

impl From<Reason> for Refusal {
    fn from(reason: Reason) -> Refusal {
        reason.at(Span::NONE)
    }
}

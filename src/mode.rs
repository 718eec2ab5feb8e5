//! The modes of differentiation, and which one suits a gradient.

use gradus_ir::{Kind, Module, Nest, Prim, Type};

/// A mode of differentiation.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Mode {
    /// Values first, then cotangents from the result back to the arguments.
    #[default]
    Reverse,
    /// Tangents beside values, once for each float of the arguments.
    Forward,
}

impl Mode {
    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Mode::Reverse => "reverse",
            Mode::Forward => "forward",
        }
    }
}

/// The mode that was chosen for a gradient, and why.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ModeDecision {
    /// The name of the function.
    pub function: String,
    /// The mode.
    pub mode: Mode,
    /// The reason, as a clause.
    pub reason: &'static str,
}

impl ModeDecision {
    /// Decides for a function, typed, and the types of the arguments that its gradient is taken in.
    ///
    /// Forward mode keeps nothing, but computes the function anew for each float. With one float it is the faster one wherever
    /// reverse mode keeps values; with two, loops with a tape are faster already. Who gives a function a rule says what reverse mode
    /// is to do: `source` is the program before inference, which takes rules that nobody asks for away.
    pub(crate) fn new<'t>(function: &str, source: &Module, typed: &Module, wrt: impl Iterator<Item = &'t Type>) -> ModeDecision {
        let has_rules = || source.nodes().any(|(_, n)| n.kind == Kind::Prim(Prim::AppliedRuled));
        let is_cyclic = || Nest::new(typed, typed.entry.as_slice()).is_cyclic();
        let (mode, reason) = match wrt.map(floats).sum::<Option<usize>>() {
            None => (Mode::Reverse, "how many floats go in is for the run to say"),
            Some(0 | 1) if !is_cyclic() => (Mode::Reverse, "it has neither loops nor recursion, so there is little to keep"),
            Some(1) if has_rules() => (Mode::Reverse, "it has functions with rules for their derivatives"),
            Some(1) => (Mode::Forward, "one float goes in, and no value of its loops and recursion need be kept"),
            _ => (Mode::Reverse, "forward mode would run it once for each float that goes in"),
        };
        ModeDecision { function: function.to_owned(), mode, reason }
    }
}

/// How many floats a value of a type holds; none where only the value says it, as with trees.
pub fn floats(ty: &Type) -> Option<usize> {
    match ty {
        Type::F64 => Some(1),
        Type::Array(dtype, shape) if dtype.is_float() => Some(shape.count()),
        Type::Tuple(items) | Type::List(items) | Type::Record(_, items) => items.iter().map(floats).sum(),
        Type::OneOf(kinds) => kinds.iter().all(|kind| floats(kind) == Some(0)).then_some(0),
        Type::Instance(_) => None,
        _ => Some(0),
    }
}

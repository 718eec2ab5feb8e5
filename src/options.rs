//! What can be chosen about a compilation.

use gradus_ad::Plan;

/// What runs the program.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Backend {
    /// Native code.
    #[default]
    Jit,
    /// The interpreter.
    Interp,
}

/// Which rewrites of arithmetic the simplifier may use.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Math {
    /// Those that keep the bits.
    #[default]
    Exact,
    /// Also those that hold over the reals.
    Fast,
}

/// When the simplifier runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Simplify {
    /// Before and after each expansion of a derivative: an outer one reads a simplified inner one.
    #[default]
    Interleaved,
    /// Once all derivatives are expanded.
    AtEnd,
    /// Never.
    Off,
}

/// The choices.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Options {
    /// How reverse mode keeps what the backward pass needs, per order and function.
    pub plan: Plan,
    /// What runs the program.
    pub backend: Backend,
    /// Which rewrites of arithmetic are allowed.
    pub math: Math,
    /// When the simplifier runs.
    pub simplify: Simplify,
}

impl Options {
    pub(crate) fn opt(&self) -> gradus_opt::Options {
        let math = match self.math {
            Math::Exact => gradus_opt::Math::Exact,
            Math::Fast => gradus_opt::Math::Fast,
        };
        gradus_opt::Options { math, ..gradus_opt::Options::default() }
    }
}

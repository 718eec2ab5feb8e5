//! What can be chosen about a compilation.

use gradus_ad::Plan;
use gradus_ir::Floats;
use gradus_opt::{Closures, Math};

/// What runs the program.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Backend {
    /// Native code.
    #[default]
    Jit,
    /// The interpreter.
    Interp,
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
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Options {
    /// How reverse mode keeps what the backward pass needs, per order and function.
    pub plan: Plan,
    /// What runs the program.
    pub backend: Backend,
    /// What the floats of the program are; numbers other than floats run in the interpreter, by [`Compiled::run_over`].
    ///
    /// [`Compiled::run_over`]: crate::Compiled::run_over
    pub floats: Floats,
    /// Which rewrites of arithmetic are allowed; those that do not keep the bits come after the last derivative.
    pub math: Math,
    /// When the simplifier runs.
    pub simplify: Simplify,
    /// What becomes of closures: tapes if they are chains, tags if they are known, or objects.
    pub closures: Closures,
    /// A value that takes at most this many cheap operations more is computed again by the adjoint and not recorded: 8 by default.
    pub recompute: usize,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            plan: Plan::default(),
            backend: Backend::default(),
            floats: Floats::default(),
            math: Math::default(),
            simplify: Simplify::default(),
            closures: Closures::default(),
            recompute: gradus_opt::Options::default().recompute,
        }
    }
}

impl Options {
    /// What the simplifier is told about a program that is not differentiated any more.
    pub(crate) fn simplifier(&self) -> gradus_opt::Options {
        gradus_opt::Options {
            math: self.math,
            closures: self.closures,
            recompute: self.recompute,
            ..gradus_opt::Options::default()
        }
    }
}

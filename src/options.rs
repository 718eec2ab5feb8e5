//! What can be chosen about a compilation.

use crate::inspect::Inspect;
use crate::xla::{Sharding, Xla};
use gradus_ad::Plan;
use gradus_ir::Floats;
use gradus_opt::{Choice, Closures, Math};
use std::sync::Arc;

/// What runs the program.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Backend {
    /// Native code.
    #[default]
    Jit,
    /// The interpreter.
    Interp,
    /// XLA, by the plugin of [`Options::xla`].
    Xla,
}

impl Backend {
    /// Its name in flags and tables: `jit`, `interp` or `xla`.
    pub fn name(self) -> &'static str {
        match self {
            Backend::Jit => "jit",
            Backend::Interp => "interp",
            Backend::Xla => "xla",
        }
    }
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

impl Simplify {
    /// Its name in tables: `interleaved`, `at end` or `off`.
    pub fn name(self) -> &'static str {
        match self {
            Simplify::Interleaved => "interleaved",
            Simplify::AtEnd => "at end",
            Simplify::Off => "off",
        }
    }
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
    /// The passes of the simplifier that do not run, of [`PASSES`](crate::PASSES): to see what each is worth.
    pub without: Vec<&'static str>,
    /// The rules of saturation.
    pub rules: Arc<Choice>,
    /// After step N of the compilation ([`Inspect`]) the simplifier does nothing: to find the pass that does something wrong.
    pub passes: usize,
    /// What is shown of the steps of the compilation.
    pub inspect: Inspect,
    /// Whether compilations of one function simplify and compile equal modules once: for tools that compile it by many strategies and ask for
    /// answers. Reports repeat the times of steps that were taken before, and the modules stay in memory as long as the function.
    pub share: bool,
    /// Whether [`interrupt::ask`](crate::interrupt::ask) ends loops of native code: they look at a flag in each iteration.
    pub interruptible: bool,
    /// Whether a run ends at the first float that it computes, of the value, a tangent or a cotangent, that is NaN or infinite. The program
    /// is not simplified then, so that it computes nothing that it does not say.
    pub trap_nan: bool,
    /// The plugin for [`Backend::Xla`].
    pub xla: Option<Xla>,
    /// How arguments lie on several devices, where XLA runs the program.
    pub sharding: Sharding,
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
            without: Vec::new(),
            rules: Choice::table(),
            passes: usize::MAX,
            inspect: Inspect::default(),
            share: false,
            interruptible: false,
            trap_nan: false,
            xla: None,
            sharding: Sharding::default(),
        }
    }
}

impl Options {
    /// The defaults, to choose from there.
    ///
    /// ```
    /// use gradus::{Engine, Math, Options, Strategy};
    ///
    /// let engine = Engine::new(Options::new().strategy(Strategy::Stack).math(Math::Fast));
    /// # let _ = engine;
    /// ```
    pub fn new() -> Options {
        Options::default()
    }

    /// How reverse mode keeps values: a [`Strategy`](crate::Strategy), or a [`Plan`] of them.
    pub fn strategy(self, plan: impl Into<Plan>) -> Options {
        Options { plan: plan.into(), ..self }
    }

    /// What runs the program.
    pub fn backend(self, backend: Backend) -> Options {
        Options { backend, ..self }
    }

    /// Which rewrites of arithmetic are allowed.
    pub fn math(self, math: Math) -> Options {
        Options { math, ..self }
    }

    /// When the simplifier runs.
    pub fn simplify(self, simplify: Simplify) -> Options {
        Options { simplify, ..self }
    }

    /// What becomes of closures.
    pub fn closures(self, closures: Closures) -> Options {
        Options { closures, ..self }
    }

    /// How many cheap operations a value may take to be computed again and not recorded.
    pub fn recompute(self, operations: usize) -> Options {
        Options { recompute: operations, ..self }
    }

    /// Whether compilations of one function simplify and compile equal modules once.
    pub fn share(self, share: bool) -> Options {
        Options { share, ..self }
    }

    /// Whether a run ends at the first float that is NaN or infinite.
    pub fn trap_nan(self, trap_nan: bool) -> Options {
        Options { trap_nan, ..self }
    }

    /// What the simplifier is told about a program that is not differentiated any more.
    pub(crate) fn simplifier(&self) -> gradus_opt::Options {
        gradus_opt::Options {
            math: self.math,
            closures: self.closures,
            recompute: self.recompute,
            without: self.without.clone(),
            rules: self.rules.clone(),
            ..gradus_opt::Options::default()
        }
    }
}

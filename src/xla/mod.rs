//! Programs on XLA: as StableHLO, and run by a plugin (docs/xla.md).

use crate::{Compiled, Error};
use gradus_ir::{Diagnostic, stack};
use gradus_stablehlo::{Reason, Refusal};

pub use gradus_stablehlo::{Element, Fault, Options, Placement, Program, Tensor};

impl Compiled {
    /// The program in StableHLO, the input language of XLA.
    ///
    /// ```
    /// use gradus::{Engine, Request, Type, xla};
    /// # fn main() -> Result<(), gradus::Error> {
    /// let pow = Engine::default().load("examples/pow.py")?.function("pow")?;
    /// let gradient = pow.compile(&[Type::F64, Type::I64], &Request::Gradient(vec![0]))?;
    /// let program = gradient.stablehlo(&xla::Options::default())?;
    /// assert!(program.text.contains("stablehlo.while"));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// Fails where the program needs what XLA lacks: recursion that is no loop, functions that only the run knows, lists that grow.
    pub fn stablehlo(&self, options: &Options) -> Result<Program, Error> {
        Ok(stack::deep(|| gradus_stablehlo::write(&self.stages().lowered, options))?)
    }
}

impl From<Refusal> for Error {
    fn from(refusal: Refusal) -> Error {
        match (refusal.reason, refusal.span) {
            (Reason::Untyped, _) => Error::Internal(refusal.to_string()),
            (_, Some(span)) => Error::Refused(vec![Diagnostic::refused(span, refusal.to_string())]),
            (_, None) => Error::Unavailable(refusal.to_string()),
        }
    }
}

//! The variables of a function, which SSA form is made of.

use gradus_ir::ssa::{self, Variable};
pub use gradus_ir::ssa::{BlockId, Point};

/// The blocks of one function under construction.
pub type Ssa<'a> = ssa::Ssa<Var<'a>>;

/// A variable of one function.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Var<'a> {
    /// A variable of the source.
    Name(&'a str),
    /// A value that crosses blocks without a name: of a conditional expression, of a loop's counter.
    Temp(u32),
    /// A number of what was done last.
    Done,
}

impl Variable for Var<'_> {
    fn name(&self) -> Option<&str> {
        match self {
            Var::Name(name) => Some(name),
            Var::Temp(_) | Var::Done => None,
        }
    }
}

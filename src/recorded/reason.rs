//! Values and reasons as a reader of the source knows them.

use gradus_ir::{Source, Span, Type};
use gradus_opt::{Recomputed, Why};

/// A value by its place in the source.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Origin {
    /// The variable that it was, if any.
    pub name: Option<String>,
    /// Where it was computed.
    pub span: Span,
    /// Its type.
    pub ty: Type,
}

/// Why a value is kept.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Reason {
    /// It is needed by what stands at a place in the source: by its adjoint, or by the step of the program itself.
    Step {
        /// What becomes of it.
        purpose: Purpose,
        /// Whether that is in the adjoint.
        adjoint: bool,
        /// The place.
        span: Span,
    },
    /// It says which way the program went, so that the adjoint can go back.
    Control,
    /// It is returned to a caller that is not known.
    Returned,
    /// It is put into another record or box.
    Kept,
}

/// What a step does with a value.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Purpose {
    /// It computes with it.
    Read,
    /// It calls it.
    Called,
    /// It hands it to a function that is not known.
    Passed,
}

/// Why a value is recorded and not computed again.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Stored {
    /// What is missing to compute it again; none if that is the value itself.
    pub operand: Option<Origin>,
    /// Why that can or should not be computed again.
    pub why: Why,
}

/// What stands at a place, on one line, with the number of the line.
fn quote(source: Option<&Source>, span: Span) -> Option<String> {
    const LONGEST: usize = 40;
    let source = source?;
    let text = &source.text;
    let range = span.start as usize..span.end as usize;
    let words: Vec<&str> = text.get(range.clone())?.split_whitespace().collect();
    let mut quoted = words.join(" ");
    if quoted.chars().count() > LONGEST {
        quoted = quoted.chars().take(LONGEST - 1).chain(['…']).collect();
    }
    Some(format!("`{quoted}`, line {}", source.position(span)?.1))
}

impl Origin {
    /// The value in a few words.
    pub fn what(&self, source: Option<&Source>) -> String {
        let at = quote(source, self.span);
        match (&self.name, at) {
            (Some(name), _) => name.clone(),
            (None, Some(at)) if self.ty.is_fn() => format!("function of {at}"),
            (None, Some(at)) => at,
            (None, None) => "value".into(),
        }
    }
}

impl From<&Recomputed> for Origin {
    fn from(r: &Recomputed) -> Origin {
        Origin { name: r.name.as_deref().map(str::to_owned), span: r.span, ty: r.ty.clone() }
    }
}

impl Reason {
    /// The reason as a clause, with what stands in the source.
    pub fn clause(&self, source: Option<&Source>) -> String {
        match *self {
            Reason::Step { purpose, adjoint, span } => {
                let verb = match purpose {
                    Purpose::Read => "read",
                    Purpose::Called => "called",
                    Purpose::Passed => "handed on to an unknown function",
                };
                let by = match (adjoint, quote(source, span)) {
                    (true, Some(at)) => format!("the adjoint of {at}"),
                    (true, None) => "the adjoint".into(),
                    (false, Some(at)) => at,
                    (false, None) => "the program".into(),
                };
                format!("{verb} by {by}")
            }
            Reason::Control => "says which way to go back".into(),
            Reason::Returned => "returned to a caller that is not known".into(),
            Reason::Kept => "put into another record or box".into(),
        }
    }
}

impl Stored {
    /// The reason as a clause, with what stands in the source.
    pub fn clause(&self, source: Option<&Source>) -> String {
        let why = match self.why {
            Why::Phi => "a φ, which cannot be computed going back".into(),
            Why::Call => "the result of a call".into(),
            Why::Dear(prim) => format!("`{}` is not cheap", prim.name()),
            Why::Function => "a function, which is not the same in all records".into(),
            Why::Places => "computed in several ways".into(),
            Why::Operations(0) => return "stored: recomputation is switched off".into(),
            Why::Operations(limit) => return format!("stored: more than {limit} operations to compute it again"),
            Why::Added => return "stored: its tape is one of cotangents, which may be sums".into(),
        };
        match &self.operand {
            None => format!("stored: {why}"),
            Some(operand) => format!("stored: takes {}: {why}", operand.what(source)),
        }
    }
}

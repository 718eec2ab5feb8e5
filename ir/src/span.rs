//! Where things come from: source files, spans in them, and the diagnostics and traps that name them.

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

/// A half-open byte range in one source file. `Span::NONE` marks what no source text stands for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Span {
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// No place in the source.
    pub const NONE: Span = Span { start: u32::MAX, end: u32::MAX };

    /// The bytes `start..end`.
    pub fn new(start: u32, end: u32) -> Span {
        Span { start, end }
    }

    /// Whether this is a place in the source.
    pub fn is_some(self) -> bool {
        self != Span::NONE
    }

    /// This span, or `other` where this one is `NONE`.
    pub fn or(self, other: Span) -> Span {
        if self.is_some() { self } else { other }
    }
}

/// A source file: what a module's spans point into.
#[derive(Clone, Debug, Default)]
pub struct Source {
    /// The name that messages show, normally the path as the user gave it.
    pub name: String,
    /// The whole text.
    pub text: Arc<str>,
    /// Where the text is put together of parts of files, these, in order.
    pub sections: Vec<Section>,
}

/// A part of a source text that is one of another file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Section {
    /// Where it begins in the text.
    pub start: u32,
    /// The name of the file.
    pub name: String,
    /// The number of its first line in that file.
    pub line: u32,
}

impl Source {
    /// A file by name and text.
    pub fn new(name: impl Into<String>, text: impl Into<Arc<str>>) -> Source {
        Source { name: name.into(), text: text.into(), sections: Vec::new() }
    }

    /// The file, line and column of a place, both from 1 on; none if it lies outside of the text.
    pub fn position(&self, at: Span) -> Option<(&str, usize, usize)> {
        let (name, section, first) = self.section(at);
        let before = self.text.get(section.start..at.start as usize)?;
        let column = before.chars().rev().take_while(|&c| c != '\n').count();
        Some((name, first + before.matches('\n').count(), column + 1))
    }

    /// The file that a place is in: its name, the range of the text that is of it, and the number of its first line.
    pub fn section(&self, at: Span) -> (&str, Range<usize>, usize) {
        let after = self.sections.partition_point(|s| s.start <= at.start);
        let Some(section) = after.checked_sub(1).map(|i| &self.sections[i]) else {
            return (&self.name, 0..self.text.len(), 1);
        };
        let end = self.sections.get(after).map_or(self.text.len(), |s| s.start as usize);
        (&section.name, section.start as usize..end, section.line as usize)
    }
}

/// Why a program was not accepted; decides the exit code of the command.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reason {
    /// Syntax, an unknown name, arity, a type, a derivative that does not exist: exit code 2.
    Refused,
    /// Python that Gradus does not cover: exit code 3.
    Unsupported,
}

/// A message about the user's program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagnostic {
    /// What kind of refusal this is.
    pub reason: Reason,
    /// One line, lower case, without a full stop.
    pub message: String,
    /// The place it is about.
    pub span: Span,
    /// Further places, each with what is to be seen there.
    pub labels: Vec<(Span, String)>,
    /// What to write instead, where there is a way.
    pub hint: Option<String>,
    /// The calls that led there, the innermost first.
    pub calls: Vec<Call>,
    /// Whether it is no matter where lists are objects: then the program is lowered so.
    pub of_values: bool,
}

/// A call of a function of the program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Call {
    /// The name of the function that is called.
    pub function: Arc<str>,
    /// Where it is called.
    pub place: Span,
}

impl Call {
    /// Adds a call to those that led to a place, `to`, the innermost first. A place is told once: a recursion has many calls at one. Nor is
    /// a wrapper told, as in `grad(f)(x)`, where `f` is called within.
    pub fn lead(calls: &mut Vec<Call>, to: Span, function: &Arc<str>, place: Span) {
        let inner = calls.last().map_or(to, |c| c.place);
        let wraps = inner.start == place.start && inner.end <= place.end;
        if place.is_some() && !wraps && calls.iter().all(|c| c.place != place) {
            calls.push(Call { function: function.clone(), place });
        }
    }
}

impl Diagnostic {
    /// A refusal (exit code 2) at `span`.
    pub fn refused(span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic {
            reason: Reason::Refused,
            message: message.into(),
            span,
            labels: Vec::new(),
            hint: None,
            calls: Vec::new(),
            of_values: false,
        }
    }

    /// A construct outside of the subset (exit code 3) at `span`.
    pub fn unsupported(span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic { reason: Reason::Unsupported, ..Diagnostic::refused(span, message) }
    }

    /// A closure that may be called after a variable that it reads at `span` was assigned.
    pub fn stale_capture(span: Span, variable: &str, assigned: Span) -> Diagnostic {
        Diagnostic::refused(span, format!("this function reads `{variable}`, which is assigned after it is made"))
            .label(assigned, "assigned here")
            .hint(format!("keep the present value with a default: `{variable}={variable}` among its parameters"))
    }

    /// Says that this is no matter where lists are objects.
    pub fn of_values(mut self) -> Diagnostic {
        self.of_values = true;
        self
    }

    /// Adds a second place.
    pub fn label(mut self, span: Span, text: impl Into<String>) -> Diagnostic {
        self.labels.push((span, text.into()));
        self
    }

    /// Adds a hint.
    pub fn hint(mut self, text: impl Into<String>) -> Diagnostic {
        self.hint = Some(text.into());
        self
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

/// What can go wrong while a program runs (docs/language.md, "Meaning": floats never trap).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u32)]
pub enum TrapKind {
    /// `+ - * -x abs` on integers left the 64-bit range.
    IntegerOverflow = 1,
    /// `//` or `%` by the integer zero.
    DivisionByZero,
    /// `int ** int` with a negative exponent that was not a literal.
    NegativeExponent,
    /// `int(x)` of a NaN, an infinity or a value outside the 64-bit range.
    FloatToInt,
    /// `math.floor` and the like are `FloatToInt` too; this is `range` with a step of zero.
    ZeroStep,
    /// More nested calls than the stack holds.
    RecursionLimit,
    /// Out of memory for closures or tapes.
    OutOfMemory,
    /// An index that is not below the length, or below minus it.
    IndexOutOfRange,
    /// `None`, or an instance of another class, where something is done that it has no part in.
    WrongKind,
    /// An exact number divided by zero. Floats never trap, but these are not IEEE's.
    ZeroDenominator,
    /// A failed `assert`, or a `raise`; the message is beside it.
    Failed,
    /// Somebody outside ended the run.
    Interrupted,
    /// A float that is NaN or infinite, in a run that was asked to end there.
    NotFinite,
    /// The same of a derivative, where the value is finite. Runs say `NotFinite`; who knows better what they computed says this.
    DerivativeNotFinite,
}

impl TrapKind {
    /// Every kind, in the order of its code.
    pub const ALL: [TrapKind; 14] = [
        TrapKind::IntegerOverflow,
        TrapKind::DivisionByZero,
        TrapKind::NegativeExponent,
        TrapKind::FloatToInt,
        TrapKind::ZeroStep,
        TrapKind::RecursionLimit,
        TrapKind::OutOfMemory,
        TrapKind::IndexOutOfRange,
        TrapKind::WrongKind,
        TrapKind::ZeroDenominator,
        TrapKind::Failed,
        TrapKind::Interrupted,
        TrapKind::NotFinite,
        TrapKind::DerivativeNotFinite,
    ];

    /// The kind whose code (`kind as u32`) this is.
    pub fn from_code(code: u32) -> Option<TrapKind> {
        TrapKind::ALL.get((code as usize).checked_sub(1)?).copied()
    }
}

impl fmt::Display for TrapKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            TrapKind::IntegerOverflow => "integer overflow (an int has 64 bits)",
            TrapKind::DivisionByZero => "integer division by zero",
            TrapKind::NegativeExponent => "an integer to a negative power",
            TrapKind::FloatToInt => "this float has no 64-bit integer value",
            TrapKind::ZeroStep => "range() with a step of zero",
            TrapKind::RecursionLimit => "recursion limit reached",
            TrapKind::OutOfMemory => "out of memory",
            TrapKind::IndexOutOfRange => "index out of range",
            TrapKind::ZeroDenominator => "division by zero (an exact number is not infinite)",
            TrapKind::Failed => "the program failed",
            TrapKind::Interrupted => "interrupted",
            TrapKind::NotFinite => "this is NaN or infinite",
            TrapKind::DerivativeNotFinite => "a derivative of this is NaN or infinite",
            TrapKind::WrongKind => "this is None here, or an instance of another class",
        })
    }
}

/// A failure at run time and the source place it belongs to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Trap {
    /// What went wrong.
    pub kind: TrapKind,
    /// Where; for a node made by `ad` or `opt`, the place of its origin.
    pub span: Span,
}

impl fmt::Display for Trap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.kind.fmt(f)
    }
}

impl std::error::Error for Trap {}
impl std::error::Error for Diagnostic {}

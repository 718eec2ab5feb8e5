//! The file of a study, in TOML: read, and checked as far as that goes without its programs.

use super::peers::Tool;
use super::ways::{Axes, Passes, Word};
use crate::compare::Clock;
use crate::{Backend, Closures, Error, Math, Simplify};
use gradus_ir::{Diagnostic, Source, Span};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::ops::Range;
use std::path::Path;
use toml::{Spanned, Value};

/// A failure with the text that it has its place in.
pub type Failure = (Error, Option<Source>);

/// How long to measure each way if the file does not say it, in seconds.
const SECONDS: f64 = 0.05;

/// A study.
#[derive(Debug)]
pub struct File {
    pub source: Source,
    pub title: String,
    pub seconds: f64,
    pub clock: Clock,
    pub quick: Quick,
    pub programs: Vec<Program>,
    pub peers: Vec<Tool>,
}

/// What `--quick` has in the place of what the study says.
#[derive(Clone, Deserialize, Default, Debug)]
#[serde(deny_unknown_fields)]
pub struct Quick {
    pub seconds: Option<f64>,
    pub orders: Option<Vec<usize>>,
    /// The names of programs; all if there are none.
    #[serde(default)]
    pub programs: Vec<Spanned<String>>,
}

/// A program of a study.
#[derive(Debug)]
pub struct Program {
    /// The place of its table.
    pub span: Span,
    pub name: String,
    pub kind: String,
    pub file: Spanned<String>,
    pub function: Spanned<String>,
    pub args: Vec<Spanned<Value>>,
    pub wrt: Option<Spanned<Vec<usize>>>,
    pub sweep: BTreeMap<Spanned<String>, Vec<Spanned<Value>>>,
    pub axes: Axes,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Text {
    title: String,
    seconds: Option<Spanned<f64>>,
    clock: Option<ClockWord>,
    #[serde(default)]
    ways: AxesText,
    #[serde(default)]
    quick: Quick,
    #[serde(default)]
    program: Vec<Spanned<ProgramText>>,
    #[serde(default)]
    peer: Vec<Tool>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ProgramText {
    name: Option<Spanned<String>>,
    kind: Option<String>,
    file: Spanned<String>,
    function: Spanned<String>,
    #[serde(default)]
    args: Vec<Spanned<Value>>,
    wrt: Option<Spanned<Vec<usize>>>,
    #[serde(default)]
    sweep: BTreeMap<Spanned<String>, Vec<Spanned<Value>>>,
    #[serde(default)]
    ways: AxesText,
}

#[derive(Clone, Deserialize, Default)]
#[serde(deny_unknown_fields)]
struct AxesText {
    orders: Option<Vec<Spanned<usize>>>,
    strategies: Option<Vec<Spanned<String>>>,
    closures: Option<Spanned<Vec<ClosuresWord>>>,
    simplify: Option<Spanned<Vec<SimplifyWord>>>,
    math: Option<Spanned<Vec<MathWord>>>,
    recompute: Option<Spanned<Vec<usize>>>,
    backends: Option<Spanned<Vec<BackendWord>>>,
    passes: Option<Vec<Spanned<String>>>,
    cross: Option<bool>,
}

/// A choice by the words that a file has for it.
macro_rules! words {
    ($name:ident for $choice:ident { $($word:literal => $variant:ident),+ }) => {
        #[derive(Clone, Copy, Deserialize)]
        enum $name {
            $(#[serde(rename = $word)] $variant),+
        }

        impl From<$name> for $choice {
            fn from(word: $name) -> $choice {
                match word {
                    $($name::$variant => $choice::$variant),+
                }
            }
        }
    };
}

words!(ClockWord for Clock { "cpu" => Cpu, "wall" => Wall });
words!(ClosuresWord for Closures { "objects" => Objects, "tags" => Tags, "tapes" => Tapes });
words!(SimplifyWord for Simplify { "interleaved" => Interleaved, "at end" => AtEnd, "off" => Off });
words!(MathWord for Math { "exact" => Exact, "fast" => Fast });
words!(BackendWord for Backend { "jit" => Jit, "interp" => Interp, "xla" => Xla });

/// The place of a range of bytes.
pub fn place(range: Range<usize>) -> Span {
    u32::try_from(range.start).ok().zip(u32::try_from(range.end).ok()).map_or(Span::NONE, |(from, to)| Span::new(from, to))
}

impl File {
    /// Reads the file at `path`.
    pub fn read(path: &Path) -> Result<File, Failure> {
        let name = path.display().to_string();
        let text =
            std::fs::read_to_string(path).map_err(|e| (Error::File { path: name.clone(), message: e.to_string() }, None))?;
        File::parse(Source::new(name, text))
    }

    fn parse(source: Source) -> Result<File, Failure> {
        let read = || -> Result<File, Diagnostic> {
            let text: Text = toml::from_str(&source.text).map_err(unread)?;
            if text.program.is_empty() {
                let hint = "add a table [[program]] with `file`, `function` and `args`";
                return Err(Diagnostic::refused(Span::NONE, "a study has programs, and this one has none").hint(hint));
            }
            let seconds = match text.seconds {
                Some(s) if !(0.0..=3600.0).contains(s.get_ref()) => {
                    return Err(Diagnostic::refused(place(s.span()), "`seconds` is a number from 0 to 3600"));
                }
                given => given.map_or(SECONDS, Spanned::into_inner),
            };
            let mut programs: Vec<Program> = Vec::new();
            for program in text.program {
                let program = Program::check(program, &text.ways)?;
                if let Some(other) = programs.iter().find(|p| p.name == program.name) {
                    let message = format!("two programs are called `{}`", program.name);
                    let d = Diagnostic::refused(program.span, message).label(other.span, "the other one");
                    return Err(d.hint("give one of them another `name`"));
                }
                programs.push(program);
            }
            for named in &text.quick.programs {
                if !programs.iter().any(|p| p.name == *named.get_ref()) {
                    return Err(Diagnostic::refused(place(named.span()), format!("no program is called `{}`", named.get_ref())));
                }
            }
            Ok(File {
                source: source.clone(),
                title: text.title,
                seconds,
                clock: text.clock.map_or(Clock::Cpu, Clock::from),
                quick: text.quick,
                programs,
                peers: text.peer,
            })
        };
        read().map_err(|d| (Error::Refused(vec![d]), Some(source.clone())))
    }

    /// A refusal of what stands at a place.
    pub fn refused(&self, at: Span, message: impl Into<String>, hint: Option<&str>) -> Failure {
        let d = Diagnostic { hint: hint.map(str::to_owned), ..Diagnostic::refused(at, message) };
        (Error::Refused(vec![d]), Some(self.source.clone()))
    }
}

impl Program {
    fn check(text: Spanned<ProgramText>, defaults: &AxesText) -> Result<Program, Diagnostic> {
        let span = place(text.span());
        let text = text.into_inner();
        let name = text.name.unwrap_or_else(|| text.function.clone());
        let is_word = |c: char| c.is_alphanumeric() || "_-".contains(c);
        if name.get_ref().is_empty() || !name.get_ref().chars().all(is_word) {
            let message = format!("`{}` is no name of a program: letters, digits, `_` and `-` make one", name.get_ref());
            return Err(Diagnostic::refused(place(name.span()), message));
        }
        Ok(Program {
            span: if name.span().is_empty() { span } else { place(name.span()) },
            name: name.into_inner(),
            kind: text.kind.unwrap_or_else(|| "program".into()),
            file: text.file,
            function: text.function,
            args: text.args,
            wrt: text.wrt,
            sweep: text.sweep,
            axes: text.ways.or(defaults).check()?,
        })
    }
}

impl Axes {
    /// Reads the axes of a table `[ways]`: a line `name = [value, …]` for each, in TOML. What is left out has its default.
    ///
    /// # Errors
    /// [`Error::Refused`] with the place in the text of an axis or a value that is none, beside that text.
    pub fn read(text: &str) -> Result<Axes, Failure> {
        let axes = || toml::from_str::<AxesText>(text).map_err(unread)?.check();
        axes().map_err(|d| (Error::Refused(vec![d]), Some(Source::new("<axes>", text))))
    }
}

/// What is wrong with a text that is no TOML, or none with these keys.
fn unread(e: toml::de::Error) -> Diagnostic {
    let message = e.message().trim_end_matches('.').replace('\n', "; ");
    Diagnostic::refused(e.span().map_or(Span::NONE, place), message)
}

impl AxesText {
    /// The axes, and of those that are not said the defaults.
    fn or(self, defaults: &AxesText) -> AxesText {
        let d = defaults.clone();
        AxesText {
            orders: self.orders.or(d.orders),
            strategies: self.strategies.or(d.strategies),
            closures: self.closures.or(d.closures),
            simplify: self.simplify.or(d.simplify),
            math: self.math.or(d.math),
            recompute: self.recompute.or(d.recompute),
            backends: self.backends.or(d.backends),
            passes: self.passes.or(d.passes),
            cross: self.cross.or(d.cross),
        }
    }

    fn check(self) -> Result<Axes, Diagnostic> {
        let orders = self.orders.map_or_else(|| Ok(vec![1]), |orders| orders.into_iter().map(order).collect())?;
        let words = self.strategies.map(|words| words.into_iter().map(strategy).collect::<Result<_, _>>()).transpose()?;
        let defaults = Axes::default();
        let passes = self.passes.map(|words| words.into_iter().map(passes).collect::<Result<_, _>>()).transpose()?;
        Ok(Axes {
            orders,
            strategies: words.unwrap_or(defaults.strategies),
            closures: some("closures", self.closures)?.unwrap_or(defaults.closures),
            simplify: some("simplify", self.simplify)?.unwrap_or(defaults.simplify),
            math: some("math", self.math)?.unwrap_or(defaults.math),
            recompute: some("recompute", self.recompute)?.unwrap_or(defaults.recompute),
            backends: some("backends", self.backends)?.unwrap_or(defaults.backends),
            passes: passes.filter(|p: &Vec<Passes>| !p.is_empty()).unwrap_or(defaults.passes),
            cross: self.cross.unwrap_or(false),
        })
    }
}

/// The values of an axis, of which there is one at least.
fn some<T, U: From<T>>(name: &str, values: Option<Spanned<Vec<T>>>) -> Result<Option<Vec<U>>, Diagnostic> {
    match values {
        Some(v) if v.get_ref().is_empty() => {
            let hint = "leave the key out for the default";
            Err(Diagnostic::refused(place(v.span()), format!("`{name}` has no values")).hint(hint))
        }
        values => Ok(values.map(|v| v.into_inner().into_iter().map(U::from).collect())),
    }
}

/// The highest order of a study: its ways are all words over the strategies.
const MOST_ORDERS: usize = 6;

fn order(order: Spanned<usize>) -> Result<usize, Diagnostic> {
    match *order.get_ref() {
        n @ 1..=MOST_ORDERS => Ok(n),
        n => Err(Diagnostic::refused(place(order.span()), format!("an order is a number from 1 to {MOST_ORDERS}, not {n}"))),
    }
}

/// A word of strategies: `closure`, or one strategy for each order, `closure,stack`.
fn strategy(word: Spanned<String>) -> Result<Vec<Word>, Diagnostic> {
    let read = |name: &str| {
        Word::read(name.trim()).ok_or_else(|| {
            let known = Word::KNOWN.join("`, `");
            Diagnostic::refused(place(word.span()), format!("`{}` is no strategy", name.trim()))
                .hint(format!("write one of `{known}`, or one for each order: `closure,stack`"))
        })
    };
    let words = word.get_ref().split(',').map(read).collect::<Result<Vec<Word>, Diagnostic>>()?;
    match words.len() > 1 && words.contains(&Word::Auto) {
        true => Err(Diagnostic::refused(place(word.span()), "`auto` stands alone: it chooses the mode of every order")
            .hint("write `reverse` for reverse mode by the strategy that suits each function")),
        false => Ok(words),
    }
}

fn passes(word: Spanned<String>) -> Result<Passes, Diagnostic> {
    Passes::read(word.get_ref()).ok_or_else(|| {
        let known = crate::PASSES.join(", ");
        Diagnostic::refused(place(word.span()), format!("`{}` says no passes", word.get_ref()))
            .hint(format!("write `all`, `egg` for equality saturation alone, or `no` and one of {known}"))
    })
}

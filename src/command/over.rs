//! `run` and `grad` over other numbers than floats.

use super::answer::{self, Derivative};
use super::{Call, Grad, Question, Run, differentiate, evaluate};
use clap::{Args, ValueEnum};
use gradus::numbers::{Bigs, Floats, Measurements, Rationals, Written};
use gradus::{Compiled, Error, Options, Program};
use std::num::NonZero;

#[derive(Args, Clone, Debug)]
pub struct Flags {
    /// What floats are. Rational numbers are exact, written 1//3 or 0.25; measurements carry their standard uncertainty, 2.5±0.1 or
    /// 2.5+-0.1; big ones have many digits. All but float run in the interpreter. In JSON they are strings.
    #[arg(long, value_enum, default_value = "float")]
    number: Kind,
    /// The decimal digits of big numbers [default: 50].
    #[arg(long, value_name = "N")]
    digits: Option<NonZero<u16>>,
}

#[derive(Clone, Copy, PartialEq, ValueEnum, Debug)]
enum Kind {
    Float,
    Rational,
    Measurement,
    Big,
}

impl Flags {
    /// Whether floats are other numbers, which are not written to files.
    pub fn is_numbers(&self, has_file: bool) -> Result<bool, Error> {
        if self.digits.is_some() && self.number != Kind::Big {
            return Err(Error::Arguments("--digits is of numbers of many digits: add --number big".into()));
        }
        match (self.number, has_file) {
            (Kind::Float, _) => Ok(false),
            (_, false) => Ok(true),
            (_, true) => Err(Error::Arguments("--out writes floats, so it does not go with --number".into())),
        }
    }
}

/// The digits of big numbers, where nothing is said.
const DIGITS: u16 = 50;

/// Asks with the numbers that are named.
macro_rules! with_numbers {
    ($flags:expr, $ask:expr, $($argument:expr),+) => {
        match $flags.number {
            Kind::Float | Kind::Rational => $ask(Rationals, $($argument),+),
            Kind::Measurement => $ask(Measurements, $($argument),+),
            Kind::Big => $ask(Bigs::new($flags.digits.map_or(DIGITS, NonZero::get).into()), $($argument),+),
        }
    };
}

/// The answer of `run`.
pub fn run(program: &Program, flags: &Run) -> Result<String, Error> {
    with_numbers!(flags.over, run_over, program, flags)
}

/// The answer of `grad`.
pub fn grad(program: &Program, flags: &Grad) -> Result<String, Error> {
    with_numbers!(flags.over, grad_over, program, flags)
}

/// A function over numbers, with its arguments.
fn question<S: Written>(program: &Program, call: &Call, numbers: &S) -> Result<Question<S::Number>, Error> {
    let q = Question::read(program, call, numbers)?;
    let options = Options { floats: Floats::Any, ..q.function.options().clone() };
    Ok(Question { function: q.function.with(options), ..q })
}

fn run_over<S: Written>(numbers: S, program: &Program, flags: &Run) -> Result<String, Error> {
    let q = question(program, &flags.call, &numbers)?;
    let (value, compiled) = evaluate(&q, |compiled: &Compiled, args| compiled.run_over(&numbers, args))?;
    let explained = flags.explain.then(|| program.source());
    Ok(answer::value(&numbers, &value, &compiled, &flags.call, explained))
}

fn grad_over<S: Written>(numbers: S, program: &Program, flags: &Grad) -> Result<String, Error> {
    let call = &flags.differentiate.call;
    let q = question(program, call, &numbers)?.promoted(&flags.differentiate, &numbers)?;
    let run = |compiled: &Compiled, args: &[_]| compiled.run_over(&numbers, args);
    let (derivative, compiled): (Derivative<S::Number>, _) = differentiate(&numbers, &q, &flags.differentiate, run)?;
    let explained = flags.explain.then(|| program.source());
    Ok(answer::gradient(&numbers, &derivative, &compiled, call, explained))
}

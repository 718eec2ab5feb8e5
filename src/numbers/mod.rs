//! Numbers other than floats that a program can be run and differentiated over: fractions, measurements with their uncertainty, and
//! floats of many digits.
//!
//! A literal of the program is the decimal that is written, where that has at most 17 digits: the program holds its float, and the
//! number is the shortest decimal nearest to that float. So `0.1` is 1/10. Nothing is computed with literals before the program
//! runs ([`Floats::Any`]); the rewrites of the simplifier hold over all of these numbers.
//!
//! ```
//! use gradus::numbers::{Rational, Rationals};
//! use gradus::{Engine, Source, Value};
//!
//! let program = Engine::default().parse(Source::new("f.py", "def f(x): return x**2 + 3*x + 1"))?;
//! let f = program.function("f")?.over(Rationals);
//! let x: Rational = "1/3".parse().expect("a fraction");
//! let (y, gradient) = f.value_and_grad(&[Value::F64(x)])?;
//! assert_eq!(y.to_string(), "19//9");
//! assert_eq!(gradient[0].to_string(), "11//3");
//! # Ok::<(), gradus::Error>(())
//! ```

mod big;
mod decimal;
mod measurement;
mod rational;

pub use big::{Big, Bigs};
pub use gradus_backend::numbers::{Numbers, Undefined};
pub use gradus_ir::{Floats, Number, Rounding};
pub use measurement::{Measurement, Measurements};
pub use rational::{Rational, Rationals};

use crate::engine::active;
use crate::json::Notation;
use crate::{Backend, Error, Function, Mode, Options, Request, Value, spread};
use gradus_ir::Prim;
use serde_json::{Value as Json, json};

/// The value, and the gradient with respect to each argument.
pub type ValueAndGradient<N> = (Value<N>, Vec<Value<N>>);

/// A function over other numbers than floats, made by [`Function::over`].
#[derive(Debug)]
pub struct Over<S> {
    function: Function,
    numbers: S,
}

impl Function {
    /// The same function over other numbers, in the interpreter.
    pub fn over<S: Numbers>(&self, numbers: S) -> Over<S> {
        let options = Options { floats: Floats::Any, backend: Backend::Interp, ..self.options().clone() };
        Over { function: self.with(options), numbers }
    }
}

impl<S: Numbers> Over<S> {
    /// Calls the function.
    pub fn call(&self, args: &[Value<S::Number>]) -> Result<Value<S::Number>, Error> {
        self.ask(args, &Request::Value)
    }

    /// The value, and the gradient with respect to each argument, [`Value::None`] for those that hold no float.
    pub fn value_and_grad(&self, args: &[Value<S::Number>]) -> Result<ValueAndGradient<S::Number>, Error> {
        let wrt = active(&self.function.types(args));
        match self.ask(args, &Request::Gradient(wrt.clone()))? {
            Value::Tuple(items) if items.len() == 2 => Ok((items[0].clone(), spread(&items[1], &wrt, args.len()))),
            _ => Err(Error::Internal("a gradient is a pair".into())),
        }
    }

    /// The value of a function of one number and its derivatives up to an order, each in the given mode, the innermost first.
    pub fn derivatives(&self, x: S::Number, modes: &[Mode]) -> Result<Vec<Value<S::Number>>, Error> {
        match self.ask(&[Value::F64(x)], &Request::Orders(0, modes.to_vec()))? {
            Value::Tuple(items) => Ok(items.to_vec()),
            _ => Err(Error::Internal("derivatives are a tuple".into())),
        }
    }

    /// What a request answers.
    fn ask(&self, args: &[Value<S::Number>], request: &Request) -> Result<Value<S::Number>, Error> {
        let args = self.function.arguments(args.to_vec())?;
        let function = self.function.for_arguments(&args);
        function.compile(&function.types(&args), request)?.run_over(&self.numbers, &args)
    }
}

/// Numbers that can be written: [`Notation`] for all of them.
pub trait Written: Numbers {
    /// Reads a number.
    fn read(&self, text: &str) -> Result<Self::Number, String>;

    /// The number with all its digits, so that [`Written::read`] gives it back.
    fn text(&self, number: &Self::Number) -> String;
}

/// In JSON they are strings; what begins as a number does is one, and so are numbers of JSON.
impl<S: Written> Notation for S {
    type Number = S::Number;

    const STRINGS: bool = true;

    fn number(&self, text: &str) -> Result<S::Number, String> {
        self.read(text)
    }

    fn word(&self, text: &str) -> Option<Result<S::Number, String>> {
        let digits = text.trim_start().trim_start_matches(['-', '+', '.']);
        let is_number = digits.starts_with(|c: char| c.is_ascii_digit()) || ["nan", "inf"].contains(&digits);
        is_number.then(|| self.read(text))
    }

    fn single(&self, _: &S::Number) -> Option<f32> {
        None
    }

    fn shown(&self, number: &S::Number) -> S::Number {
        let sum = self.apply(Prim::Add, &[number, &self.integer(0)]);
        sum.and_then(Result::ok).unwrap_or_else(|| number.clone())
    }

    fn write(&self, number: &S::Number) -> Json {
        json!(self.text(number))
    }
}

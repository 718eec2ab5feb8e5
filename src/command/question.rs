//! A function of a file with its arguments, and what is asked of it.

use super::{Call, Differentiate, MOST_ORDERS, MOST_TERMS, ModeFlag, Seed};
use gradus::json::{self, Doubles, Notation};
use gradus::numbers::Number;
use gradus::{Compiled, Error, Function, Mode, Program, Request, Type, Value};
use gradus_backend::output;
use gradus_ir::{Trap, TrapKind};
use std::sync::Arc;

/// Why an int is a float.
const ASKED: &str = "since a derivative in it is asked for; there is none in what is used as an int";

/// A function with its arguments, ready to be asked.
pub(super) struct Question<F = f64> {
    pub(super) function: Function,
    pub(super) values: Vec<Value<F>>,
    pub(super) types: Vec<Type>,
    /// The ints that are floats since a derivative in them is asked for, and that the function takes for nothing but ints.
    pub(super) counts: Vec<usize>,
}

impl Question {
    pub(super) fn new(program: &Program, call: &Call) -> Result<Question, Error> {
        Question::read(program, call, &Doubles)
    }

    /// A question about a derivative.
    pub(super) fn of_derivative(program: &Program, flags: &Differentiate) -> Result<Question, Error> {
        Question::new(program, &flags.call)?.promoted(flags, &Doubles)
    }

    /// A question about a function, or about its derivative.
    pub(super) fn for_either(program: &Program, flags: &Differentiate, is_primal: bool) -> Result<Question, Error> {
        if is_primal { Question::new(program, &flags.call) } else { Question::of_derivative(program, flags) }
    }

    /// Runs what was compiled for it. A failure comes with the calls that led there, of the function or else of its derivative.
    pub(super) fn run(&self, compiled: &Compiled, args: &[Value]) -> Result<Value, Error> {
        compiled.run(args).map_err(|error| {
            if !matches!(error, Error::Trap(_) | Error::Failed { .. }) {
                return error;
            }
            output::print_to(Some(Box::new(|_| {})));
            let of_value = self.function.calls_to(&error, &self.types, &Request::Value, &self.values);
            let is_of_derivative = of_value.is_none() && *compiled.request() != Request::Value;
            let calls = match is_of_derivative {
                true => self.function.calls_to(&error, &self.types, compiled.request(), args),
                false => of_value,
            };
            let error = match error {
                Error::Trap(Trap { kind: TrapKind::NotFinite, span }) if is_of_derivative => {
                    Error::Trap(Trap { kind: TrapKind::DerivativeNotFinite, span })
                }
                error => error,
            };
            match calls {
                Some(calls) if !calls.is_empty() => Error::Called { error: Box::new(error), calls },
                _ => error,
            }
        })
    }

    /// Lets the program print what it prints on the way to its value, and nothing from then on: what is computed several times is
    /// seen to print once.
    pub(super) fn print_once(&self) -> Result<(), Error> {
        self.function.compile(&self.types, &Request::Value)?.run(&self.values)?;
        output::print_to(Some(Box::new(|_| {})));
        Ok(())
    }
}

impl<F: Number> Question<F> {
    /// The question with its arguments read in a notation.
    pub(super) fn read<N: Notation<Number = F>>(program: &Program, call: &Call, notation: &N) -> Result<Question<F>, Error> {
        let function = program.function(&call.function)?;
        let values = function.arguments_in(notation, call.values(notation)?)?;
        let function = function.for_arguments(&values);
        let types = function.types(&values);
        Ok(Question { function, values, types, counts: Vec::new() })
    }

    /// The same question with floats for the ints in which a derivative is asked for: those that `--wrt` names. Where it names none and
    /// no argument holds a float, those that the function takes for floats.
    pub(super) fn promoted<N: Notation<Number = F>>(self, flags: &Differentiate, notation: &N) -> Result<Question<F>, Error> {
        let is_int = |&i: &usize| matches!(self.values.get(i), Some(Value::I64(_)));
        let is_fit = |q: &Question<F>| q.function.result_type(&q.types).is_ok();
        let floats: Vec<usize> = match &flags.wrt {
            Some(asked) => asked.iter().copied().filter(is_int).collect(),
            None if !gradus::active(&self.types).is_empty() => Vec::new(),
            None => {
                let ints: Vec<usize> = (0..self.values.len()).filter(is_int).collect();
                let mut floats = Vec::new();
                for &i in &ints {
                    let more = [&floats[..], &[i]].concat();
                    if is_fit(&self.with_floats(&more, notation)?) {
                        floats = more;
                    }
                }
                // Where it takes none, it says why.
                if floats.is_empty() { ints } else { floats }
            }
        };
        if floats.is_empty() {
            return Ok(self);
        }
        let q = self.with_floats(&floats, notation)?;
        let mut counts = Vec::new();
        // Where there is another error, ints are not to blame.
        if is_fit(&self) && !is_fit(&q) {
            for i in floats {
                if !is_fit(&self.with_floats(&[i], notation)?) {
                    counts.push(i);
                }
            }
        }
        Ok(Question { counts, ..q })
    }

    /// The same question with floats for these ints.
    fn with_floats<N: Notation<Number = F>>(&self, ints: &[usize], notation: &N) -> Result<Question<F>, Error> {
        let mut values = self.values.clone();
        for &i in ints {
            let Value::I64(v) = values[i] else { continue };
            let float = serde_json::json!({"t": "f64", "v": v});
            values[i] = json::read_in(notation, &float).map_err(Error::Arguments)?;
        }
        let function = self.function.for_arguments(&values);
        let types = function.types(&values);
        Ok(Question { function, values, types, counts: Vec::new() })
    }

    /// The failure of a compilation, with a hint if what is missing is a seed.
    pub(super) fn with_hint(&self, mut e: Error, has_seed: bool) -> Error {
        if let (Error::Refused(list), Some(i)) = (&mut e, self.counts.first()) {
            list.iter_mut().for_each(|d| d.hint = Some(format!("argument {i} is a float here, {ASKED}")));
        }
        match (e, self.function.result_type(&self.types)) {
            (Error::Refused(mut list), Ok(result)) if !has_seed && result != Type::F64 && !result.is_inert() => {
                let like = json::cotangent_like(&self.function, &self.types).map(|j| format!(", like {j}")).unwrap_or_default();
                let hint = format!("say the cotangent of the result by --seed{like}");
                // A value that is missing on some path is more likely than one that is meant to be.
                match has_boxes(&result) {
                    true => drop(list[0].hint.get_or_insert(hint)),
                    false => list[0].hint = Some(hint),
                }
                Error::Refused(list)
            }
            (e, _) => e,
        }
    }
}

/// Whether a value holds an instance of a class that mentions itself, a list of any length, or one of several kinds.
fn has_boxes(ty: &Type) -> bool {
    match ty {
        Type::Opaque => true,
        Type::Tuple(items) => items.iter().any(has_boxes),
        _ => false,
    }
}

/// What `grad` asks, with the numbers of the arguments that the answer's gradients belong to.
pub(super) struct Asked<F = f64> {
    pub(super) wrt: Vec<usize>,
    pub(super) request: Request,
    /// One more argument: the cotangent of the result.
    pub(super) seed: Option<Value<F>>,
}

impl Asked {
    pub(super) fn new(q: &Question, flags: &Differentiate) -> Result<Asked, Error> {
        Asked::read(q, flags, &Doubles)
    }
}

impl<F: Number> Asked<F> {
    /// What is asked, with the seed read in a notation.
    pub(super) fn read<N: Notation<Number = F>>(q: &Question<F>, flags: &Differentiate, notation: &N) -> Result<Asked<F>, Error> {
        let wrt = match &flags.wrt {
            Some(list) => list.clone(),
            None => gradus::active(&q.types),
        };
        if let Some(&i) = wrt.iter().find(|&&i| i >= q.types.len()) {
            return Err(Error::Arguments(format!("--wrt names argument {i}, of {} arguments counted from 0", q.types.len())));
        }
        if let Some(&i) = wrt.iter().find(|&&i| q.types[i].is_inert()) {
            let hint = if matches!(q.types[i], Type::Array(..)) { "; write 3.0 for a float" } else { "" };
            let message = format!("argument {i}, of type {}, has no derivative{hint}", q.types[i].describe());
            return Err(Error::Arguments(message));
        }
        if wrt.is_empty() {
            return Err(Error::Arguments("no argument holds a float, so there is no gradient; write 3.0 for a float".into()));
        }
        let is_series = flags.mode.contains(&ModeFlag::Taylor);
        if is_series && (flags.order.is_none() || flags.mode.len() > 1) {
            return Err(Error::Arguments("--mode taylor is the mode of all orders of --order".into()));
        }
        if let Some(order) = flags.order {
            if is_series && order.get() > MOST_TERMS {
                return Err(Error::Arguments(format!("--order goes up to {MOST_TERMS} with --mode taylor, not to {order}")));
            }
            if order.get() > MOST_ORDERS {
                return Err(Error::Arguments(format!("--order goes up to {MOST_ORDERS}, not to {order}")));
            }
            let [one] = wrt[..] else {
                return Err(Error::Arguments("--order takes one float argument; choose it with --wrt".into()));
            };
            if q.types[one] != Type::F64 {
                return Err(Error::Arguments(format!(
                    "--order takes a float, argument {one} is of type {}",
                    q.types[one].describe()
                )));
            }
            let request = match is_series {
                true => Request::Taylor(one, order.get()),
                false => Request::Orders(one, flags.modes(order.get())),
            };
            return Ok(Asked { wrt, request, seed: None });
        }
        let Some(seed) = flags.seed(notation)? else {
            let request = match flags.first_mode() {
                None => Request::Gradient(wrt.clone()),
                Some(Mode::Reverse) => Request::Reverse(wrt.clone()),
                Some(Mode::Forward) => Request::Forward(wrt.clone(), None),
            };
            return Ok(Asked { request, wrt, seed: None });
        };
        let result = q.function.result_type(&q.types)?;
        if has_boxes(&result) && flags.first_mode() == Some(Mode::Forward) {
            let why = "forward mode weighs each float of the result, and how many floats there are only the run knows";
            return Err(Error::Unavailable(format!("{why}; use reverse mode")));
        }
        let seed = match seed {
            Seed::Json(j) => json::read_cotangent_in(notation, &j, &q.function, &q.types)?,
            Seed::File(value) if value.ty() == result.cotangent() => json::convert(notation, &value).map_err(Error::Arguments)?,
            Seed::File(value) => {
                let (found, result) = (value.ty().describe(), result.describe());
                return Err(Error::Arguments(format!("the seed is {found}, the result is {result}")));
            }
        };
        let ty = q.function.types(std::slice::from_ref(&seed)).remove(0);
        let request = match flags.first_mode() {
            None | Some(Mode::Reverse) => Request::Pullback(wrt.clone(), ty),
            Some(Mode::Forward) => Request::Forward(wrt.clone(), Some(ty)),
        };
        Ok(Asked { request, wrt, seed: Some(seed) })
    }

    pub(super) fn compile(&self, q: &Question<F>) -> Result<Arc<Compiled>, Error> {
        q.function.compile(&q.types, &self.request).map_err(|e| q.with_hint(e, self.seed.is_some()))
    }

    pub(super) fn values(&self, q: &Question<F>) -> Vec<Value<F>> {
        q.values.iter().cloned().chain(self.seed.clone()).collect()
    }
}

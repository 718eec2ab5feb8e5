//! Functions that are compiled for Rust types, ready to be called.

use crate::engine::{Compiled, Function, spread};
use crate::request::Request;
use crate::typed::Data;
use crate::{Error, typed};
use gradus_ir::{Type, Value};
use std::marker::PhantomData;
use std::sync::Arc;

/// A function compiled for arguments of type `A`, a tuple, and results of type `R`, as [`Function::native`] gives it. A call looks
/// nothing up and allocates nothing of its own: it costs what entering compiled code costs.
#[derive(Debug)]
pub struct Native<A, R> {
    compiled: Arc<Compiled>,
    /// The arguments that an answer has a gradient of, if it has gradients, and how many arguments there are.
    gradients: Option<(Vec<usize>, usize)>,
    types: PhantomData<fn(A) -> R>,
}

impl<A, R> Clone for Native<A, R> {
    fn clone(&self) -> Native<A, R> {
        Native { compiled: self.compiled.clone(), gradients: self.gradients.clone(), types: PhantomData }
    }
}

impl Function {
    /// Compiles the function for arguments of type `A`, a tuple, to give what is asked for as an `R`: for
    /// [`Request::Gradient`] and its like `(y, (dx, ()))`, with an entry for each argument and `()` for those with no
    /// gradient.
    ///
    /// ```
    /// use gradus::{Engine, Request};
    /// # fn main() -> Result<(), gradus::Error> {
    /// let pow = Engine::default().load("examples/pow.py")?.function("pow")?;
    /// let gradient = pow.native::<(f64, i64), (f64, (f64, ()))>(&Request::Gradient(vec![0]))?;
    /// assert_eq!(gradient.call((2.0, 3))?, (8.0, (12.0, ())));
    /// # Ok(())
    /// # }
    /// ```
    pub fn native<A: Data, R: Data>(&self, request: &Request) -> Result<Native<A, R>, Error> {
        let Type::Tuple(types) = A::ty() else {
            let message = format!("the arguments are given as a tuple, not as {}", std::any::type_name::<A>());
            return Err(Error::Arguments(message));
        };
        let compiled = self.compile(&types, request)?;
        let gradients = request.wrt().map(|wrt| (wrt.to_vec(), types.len()));
        let native = Native { compiled, gradients, types: PhantomData };
        let result = native.result_type();
        if !R::reads(&result) {
            let message = format!("the result is {}, which is no {}", result.describe(), std::any::type_name::<R>());
            return Err(Error::Arguments(message));
        }
        Ok(native)
    }
}

impl<A, R> Native<A, R> {
    /// What was compiled, with the program at every stage.
    pub fn compiled(&self) -> &Compiled {
        &self.compiled
    }

    /// The type of an answer, which has an entry for each argument.
    fn result_type(&self) -> Type {
        match (&self.gradients, self.compiled.result_type()) {
            (Some((wrt, count)), Type::Tuple(pair)) => {
                let mut all = vec![Type::None; *count];
                if let Type::Tuple(gradient) = &pair[1] {
                    wrt.iter().zip(gradient.iter()).for_each(|(&i, ty)| all[i] = ty.clone());
                }
                Type::tuple([pair[0].clone(), Type::tuple(all)])
            }
            (_, result) => result,
        }
    }

    /// An answer with an entry for each argument.
    fn spread(&self, answer: Value) -> Value {
        match (&self.gradients, &answer) {
            (Some((wrt, count)), Value::Tuple(pair)) => {
                Value::tuple([pair[0].clone(), Value::tuple(spread(&pair[1], wrt, *count))])
            }
            _ => answer,
        }
    }
}

impl<A: Data, R: Data> Native<A, R> {
    /// Calls it.
    pub fn call(&self, args: A) -> Result<R, Error> {
        let Some(code) = self.compiled.native() else {
            let Value::Tuple(args) = args.into_value() else { unreachable!("arguments are a tuple") };
            return typed::read(self.spread(self.compiled.run(&args)?));
        };
        with_words(A::WORDS, |words| {
            args.to_words(words);
            with_words(R::WORDS, |results| {
                if !code.run_plain(words, results) {
                    code.run_words(words, results)?;
                }
                let misfit = || Error::Arguments(format!("the result does not fit into {}", std::any::type_name::<R>()));
                R::from_words(results).ok_or_else(misfit)
            })
        })
    }
}

/// Runs `f` on some words, on the host's stack if they are few: calls set them all to zero.
fn with_words<T>(count: usize, f: impl FnOnce(&mut [u64]) -> T) -> T {
    match count {
        0..=2 => f(&mut [0; 2][..count]),
        3..=8 => f(&mut [0; 8][..count]),
        9..=32 => f(&mut [0; 32][..count]),
        33..=128 => f(&mut [0; 128][..count]),
        _ => f(&mut vec![0; count]),
    }
}

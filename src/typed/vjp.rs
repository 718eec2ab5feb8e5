//! Pullbacks as values.

use super::data::{Args, Argument, Data};
use super::words::{self, Arrays, Input, Output, Sizes};
use super::{Ask, Shared, plain};
use crate::engine::{Compiled, Function};
use crate::{Error, Request};
use gradus_backend::{Slot, jit};
use gradus_ir::{Array, Dims, Type, Value};
use smallvec::{SmallVec, smallvec};
use std::fmt;
use std::marker::PhantomData;
use std::sync::{Arc, Mutex};

/// A function compiled to give its value together with a [`Pullback`]: what [`Function::vjp`] makes. As for all else, it is like
/// [`Typed`](super::Typed).
pub struct Vjp<A, R> {
    shared: Arc<Shared>,
    types: PhantomData<fn(A) -> R>,
}

impl<A, R> Clone for Vjp<A, R> {
    fn clone(&self) -> Vjp<A, R> {
        Vjp { shared: self.shared.clone(), types: PhantomData }
    }
}

impl<A, R> fmt::Debug for Vjp<A, R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Vjp({})", self.shared.function.name())
    }
}

/// What makes gradients `G` of the arguments of a call from cotangents `S` of its value: the function's derivative at that place,
/// transposed. It owns the tapes, closures and arrays that the call left, may be called any number of times, sent to other threads and
/// shared by them (calls wait for each other), and gives its memory back when it is dropped.
///
/// In the interpreter it keeps the arguments alone, and runs the function again, so what the function prints is printed once more.
pub struct Pullback<S, G> {
    run: Run,
    /// The type of a cotangent, and what the words of the gradients are.
    seed: Type,
    results: Vec<Slot>,
    types: PhantomData<fn(S) -> G>,
}

/// What a [`Vjp`] gives: the value, and its pullback.
pub type Pulled<A, R> = (R, Pullback<<R as Data>::Gradient, <A as Data>::Gradient>);

impl<S, G> fmt::Debug for Pullback<S, G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Pullback of a {}", self.seed)
    }
}

enum Run {
    Native(Mutex<jit::Pullback>),
    /// The function with its pullback, its arguments, and how many words and arrays its value has.
    Again(Arc<Compiled>, Vec<Value>, [usize; 2]),
}

impl Function {
    /// The value and its pullback, which gives gradients for as many cotangents of the value as one likes: the rows of a Jacobian, for
    /// cotangents that are zero but in one place. A cotangent is shaped like the value, `()` where that has none.
    ///
    /// ```
    /// use gradus::{Engine, Source};
    /// # fn main() -> Result<(), gradus::Error> {
    /// let text = "def polar(r, t): return r * r, r * t";
    /// let polar = Engine::default().parse(Source::new("polar.py", text))?.function("polar")?.vjp::<(f64, f64), (f64, f64)>()?;
    /// let (value, pullback) = polar.call((3.0, 2.0))?;
    /// assert_eq!(value, (9.0, 6.0));
    /// assert_eq!([pullback.call((1.0, 0.0))?, pullback.call((0.0, 1.0))?], [(6.0, 0.0), (2.0, 3.0)]);
    /// # Ok(())
    /// # }
    /// ```
    pub fn vjp<A: Args, R: Data>(&self) -> Result<Vjp<A, R>, Error> {
        let ask = Ask {
            request: plain::<A>,
            model: Request::Vjp(A::active(), Type::None),
            is_single: A::IS_SINGLE,
            skipped: 0,
            seeds: R::Gradient::reads,
            reads: <(R, A::Gradient)>::reads,
            result: std::any::type_name::<R>(),
        };
        if A::active().is_empty() {
            return Err(Error::Arguments("no argument holds floats, in which a gradient could be taken".into()));
        }
        Ok(Vjp { shared: Shared::of(self, ask, A::IS_OPEN)?, types: PhantomData })
    }
}

impl<A: Data, R: Data> Vjp<A, R> {
    /// Calls the function.
    pub fn call(&self, args: impl Argument<A>) -> Result<Pulled<A, R>, Error> {
        let mut sizes = Sizes::default();
        args.sizes(&mut sizes);
        self.shared.with(sizes, |code| {
            let mut given = Arrays::new();
            let mut words: SmallVec<[u64; 16]> = smallvec![0; code.words];
            args.write(&mut Input::new(&mut words, &code.shapes, &mut given));
            let mut found: SmallVec<[u64; 16]> = smallvec![0; R::WORDS];
            let compiled = code.prepared.compiled();
            let (arrays, run, seed) = match (compiled.request(), compiled.native(), &code.value) {
                (Request::Vjp(_, seed), Some(native), _) => {
                    let (arrays, pullback) = native.run_held(&mut words, given.into_vec(), &mut found)?;
                    (arrays, Run::Native(Mutex::new(pullback)), seed)
                }
                (Request::Pullback(_, seed), _, Some(value)) => {
                    let (mut words, mut given) = (words.iter(), given.iter().map(|array| array.export()));
                    let (_, args) = code.prepared.parameters().split_last().expect("the cotangent comes last");
                    let args: Vec<Value> = args.iter().map(|ty| words::value(ty, &mut words, &mut given)).collect();
                    // What fails in the pullback alone is no failure of the call.
                    let (mut all, mut arrays) = (Vec::new(), Vec::new());
                    words::flatten(value.run(&args)?, &mut all, &mut arrays);
                    found.copy_from_slice(&all);
                    let of_value = code.results[..R::WORDS].iter().filter_map(Slot::shape).count();
                    (arrays, Run::Again(compiled.clone(), args, [R::WORDS, of_value]), seed)
                }
                _ => return Err(Error::Internal("a pullback was asked for".into())),
            };
            let value = R::read(&mut Output::new(&found, &code.results[..R::WORDS], &mut arrays.into_iter()));
            let results = code.results[R::WORDS..].to_vec();
            Ok((value, Pullback { run, seed: seed.clone(), results, types: PhantomData }))
        })
    }
}

impl<S: Data, G: Data> Pullback<S, G> {
    /// The gradients for a cotangent of the value.
    pub fn call(&self, cotangent: impl Argument<S>) -> Result<G, Error> {
        let mut sizes = Sizes::default();
        cotangent.sizes(&mut sizes);
        let given = S::ty(&mut sizes.known());
        if given != self.seed && !given.is_inert() {
            let message = format!("the cotangent is {}, the value has one that is {}", given.describe(), self.seed.describe());
            return Err(Error::Arguments(message));
        }
        let shapes: SmallVec<[Dims; 4]> = words::slots(&given).iter().filter_map(Slot::shape).collect();
        let mut put = Arrays::new();
        let mut words: SmallVec<[u64; 16]> = smallvec![0; S::WORDS];
        cotangent.write(&mut Input::new(&mut words, &shapes, &mut put));
        let (words, arrays) = match &self.run {
            Run::Native(pullback) => {
                let mut found: Vec<u64> = vec![0; G::WORDS];
                let mut pullback = pullback.lock().unwrap_or_else(|e| e.into_inner());
                let arrays = pullback.run(&mut words, &put, &mut found)?;
                (found, arrays)
            }
            Run::Again(compiled, args, of_value) => {
                let seed = words::value(&self.seed, &mut words.iter(), &mut put.iter().map(|array| array.export()));
                let (mut found, mut arrays): (Vec<u64>, Vec<Array>) = (Vec::new(), Vec::new());
                words::flatten(compiled.run(&[&args[..], &[seed]].concat())?, &mut found, &mut arrays);
                (found.split_off(of_value[0]), arrays.split_off(of_value[1]))
            }
        };
        Ok(G::read(&mut Output::new(&words, &self.results, &mut arrays.into_iter())))
    }
}

/// The type of cotangents of values of a type, as programs see them.
pub fn cotangent(ty: &Type) -> Type {
    match ty {
        _ if ty.is_inert() => Type::None,
        Type::Tuple(items) => Type::tuple(items.iter().map(cotangent)),
        Type::Record(schema, items) => Type::Record(schema.clone(), items.iter().map(cotangent).collect()),
        other => other.clone(),
    }
}

//! Functions compiled for types that are known at run time alone: called on words, which cost no more than those of Rust types.

use crate::engine::{Compiled, Function};
use crate::request::Request;
use crate::typed::{self, vjp, words};
use crate::{Error, Value};
use gradus_backend::{Pullback, Slot, Storage, boundary};
use gradus_ir::{Array, Boundary, Type};
use std::borrow::Borrow;
use std::sync::Arc;

/// A function, or a derivative of one, compiled for arguments of given types: what [`Function::prepare`] gives.
///
/// Where scalars and arrays alone go in and come out, in tuples, lists and records of known sizes, a call takes and gives a word for
/// each scalar (floats as their bits, booleans as 0 or 1), and arrays beside the words. [`Prepared::slots`] says what each word is,
/// and [`Prepared::boundary`] how values are made of them.
///
/// ```
/// use gradus::{Engine, Request, Type};
/// # fn main() -> Result<(), gradus::Error> {
/// let pow = Engine::default().load("examples/pow.py")?.function("pow")?;
/// let gradient = pow.prepare(&[Type::F64, Type::I64], &Request::Gradient(vec![0]))?;
/// let mut results = [0; 2];
/// gradient.call_scalars(&[2.0_f64.to_bits(), 3], &mut results)?;
/// assert_eq!(results.map(f64::from_bits), [8.0, 12.0]);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct Prepared {
    compiled: Arc<Compiled>,
    params: Vec<Type>,
    boundary: Boundary,
    slots: Option<[Vec<Slot>; 2]>,
}

/// What a call gives that leaves its pullback: the arrays of the value, and the pullback.
pub type Held = (Vec<Array>, Pullback);

impl Function {
    /// The answer to a request for arguments of these types, and for what the request takes beside them.
    pub fn prepare(&self, types: &[Type], request: &Request) -> Result<Prepared, Error> {
        Prepared::new(self.compile(types, request)?, [types, request.more_arguments()].concat())
    }

    /// The value for arguments of these types with its pullback, whose cotangents are those of the arguments with these numbers:
    /// [`Prepared::hold`] calls it.
    pub fn prepare_vjp(&self, types: &[Type], wrt: Vec<usize>) -> Result<Prepared, Error> {
        let seed = vjp::cotangent(&typed::result_type(self.value(types)?.module()));
        Prepared::new(self.compile(types, &Request::Vjp(wrt, seed))?, types.to_vec())
    }
}

impl Prepared {
    /// Compiled code for arguments of these types, those that the request takes beside them included.
    pub(crate) fn new(compiled: Arc<Compiled>, params: Vec<Type>) -> Result<Prepared, Error> {
        let typed = &compiled.stages().typed;
        let boundary = boundary::of(typed, typed.entry.expect("a typed module has an entry"))?;
        let slots = Slot::of(&boundary).map(|(params, result)| [params, result]);
        Ok(Prepared { compiled, params, boundary, slots })
    }

    /// What was compiled: the program at every stage.
    pub fn compiled(&self) -> &Arc<Compiled> {
        &self.compiled
    }

    /// The types that it was compiled for.
    pub fn parameters(&self) -> &[Type] {
        &self.params
    }

    /// How arguments and the result are put together. With [`Request::Vjp`] the result is the value and what the pullback gives.
    pub fn boundary(&self) -> &Boundary {
        &self.boundary
    }

    /// What the words of the arguments and of the result are; none where strings, or data whose size only the run knows, go in or come
    /// out: then [`Prepared::run`] is the way.
    pub fn slots(&self) -> Option<(&[Slot], &[Slot])> {
        self.slots.as_ref().map(|[params, result]| (&params[..], &result[..]))
    }

    /// Calls it on words, where neither arguments nor result have arrays. Panics if there are more or fewer words.
    #[inline]
    pub fn call_scalars(&self, words: &[u64], results: &mut [u64]) -> Result<(), Error> {
        match self.compiled.native() {
            Some(native) => Ok(native.run_words(words, results)?),
            None => self.interpret::<Storage>(words, &[], results).map(drop),
        }
    }

    /// Calls it on words and arrays; writes the words of the result and gives its arrays. Panics if they are not as
    /// [`Prepared::slots`] says.
    pub fn call(&self, words: &mut [u64], arrays: &[Storage], results: &mut [u64]) -> Result<Vec<Array>, Error> {
        match self.compiled.native() {
            Some(native) => Ok(native.run_flat(words, arrays, results)?),
            None => self.interpret(words, arrays, results),
        }
    }

    /// [`Prepared::call`] on arrays that others own, too. Arrays of the result are memory of their own, which is not copied if it is
    /// large: what a loop of calls hands from one to the next stays where it is.
    pub fn call_lent(
        &self,
        words: &mut [u64],
        arrays: &[impl Borrow<Storage>],
        results: &mut [u64],
    ) -> Result<Vec<Storage>, Error> {
        match self.compiled.native() {
            Some(native) => Ok(native.run_lent(words, arrays, results)?),
            None => Ok(self.interpret(words, arrays, results)?.iter().map(Storage::import).collect()),
        }
    }

    /// Calls what [`Request::Vjp`] asked for: writes the words of the value, and gives its arrays and the pullback.
    pub fn hold(&self, words: &mut [u64], arrays: Vec<Storage>, results: &mut [u64]) -> Result<Held, Error> {
        let native = self.compiled.native().ok_or_else(|| Error::Unavailable("a pullback outlives native code alone".into()))?;
        Ok(native.run_held(words, arrays, results)?)
    }

    /// Calls it on values.
    pub fn run(&self, args: &[Value]) -> Result<Value, Error> {
        self.compiled.run(args)
    }

    /// Runs the interpreter on words and arrays; writes the words of the result and gives its arrays.
    fn interpret<S: Borrow<Storage>>(&self, words: &[u64], arrays: &[S], results: &mut [u64]) -> Result<Vec<Array>, Error> {
        let (mut words, mut arrays) = (words.iter(), arrays.iter().map(|array| array.borrow().export()));
        let args: Vec<Value> = self.params.iter().map(|ty| words::value(ty, &mut words, &mut arrays)).collect();
        let (mut found, mut arrays) = (Vec::with_capacity(results.len()), Vec::new());
        words::flatten(self.compiled.run(&args)?, &mut found, &mut arrays);
        results.copy_from_slice(&found);
        Ok(arrays)
    }
}

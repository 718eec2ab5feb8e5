//! Functions as Rust types see them: compiled callables whose types are checked once.
//!
//! A derivative is a [`Request`]; a [`Typed`] callable is a request that was checked against Rust types. What these types are in a
//! program is the business of [`data`] and [`arrays`], how values pass that of [`words`].

mod arrays;
mod data;
mod options;
pub(crate) mod vjp;
pub(crate) mod words;

pub use arrays::Element;
pub use data::{Answer, Args, Argument, Constant, Data, Record, Static};
pub use options::Payload;
pub use vjp::{Pullback, Pulled, Vjp};

use crate::engine::{Compiled, Function};
use crate::prepared::Prepared;
use crate::request::Request;
use crate::{Backend, Error};
use gradus_backend::Slot;
use gradus_ir::infer;
use gradus_ir::{Class, Const, Dims, Form, Module, Type, Value};
use rustc_hash::FxHashMap;
use smallvec::{SmallVec, smallvec};
use std::fmt;
use std::marker::PhantomData;
use std::sync::{Arc, OnceLock, RwLock};
use words::{Arrays, Known};
pub(crate) use words::{Input, Output, Sizes};

/// A function, or a derivative of one, compiled for arguments of type `A` and results of type `R`.
///
/// [`Function::typed`], [`Function::grad`] and their like make it. The types are checked there, and code is compiled there, unless
/// the Rust types leave open what it is compiled for, as those of arrays do: then the first call with arrays of other sizes than any
/// before compiles, and [`Typed::compiled`] does without a call. A call looks nothing up and allocates nothing of its own but arrays.
///
/// It may be cloned and called from any number of threads at once.
pub struct Typed<A, R> {
    shared: Arc<Shared>,
    types: PhantomData<fn(A) -> R>,
}

impl<A, R> Clone for Typed<A, R> {
    fn clone(&self) -> Typed<A, R> {
        Typed { shared: self.shared.clone(), types: PhantomData }
    }
}

impl<A, R> fmt::Debug for Typed<A, R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Typed({}, {:?})", self.shared.function.name(), self.shared.ask.model)
    }
}

/// What [`Function::jvp`] gives: from arguments and their tangents to the value and its tangent.
pub type Jvp<A, R> = Typed<(A, <A as Data>::Gradient), (R, <R as Data>::Gradient)>;

/// What [`Function::hvp`] gives: from arguments and a vector to the product with the Hessian.
pub type Hvp<A> = Typed<(A, <A as Data>::Gradient), <A as Data>::Gradient>;

/// The arguments of a function, each with its value where that is known, and a request for their types.
type Asked = (Vec<(Type, Option<Const>)>, Request);

/// What calls of one callable share.
struct Shared {
    function: Function,
    ask: Ask,
    /// The code for the sizes that were first asked for; all there is if types leave nothing open.
    first: OnceLock<(Sizes, Code)>,
    others: RwLock<FxHashMap<Sizes, Arc<Code>>>,
}

/// What is asked of the function, before sizes are known.
struct Ask {
    /// The types of the arguments, and the request for them.
    request: fn(&mut Known, &Request) -> Asked,
    model: Request,
    /// Whether there is one argument, which is not in a tuple.
    is_single: bool,
    /// How many words of the result come before what is read.
    skipped: usize,
    /// Whether a cotangent of the result is of this type, if there is one.
    seeds: fn(&Type) -> bool,
    /// Whether a result of this type can be read.
    reads: fn(&Type) -> bool,
    /// The name of what is read.
    result: &'static str,
}

/// A function compiled for one list of types.
struct Code {
    prepared: Prepared,
    /// What gives the value, where that is asked before the pullback.
    value: Option<Arc<Compiled>>,
    /// How many words the arguments are.
    words: usize,
    /// The shapes of arrays among them.
    shapes: Vec<Dims>,
    results: Vec<Slot>,
}

impl Function {
    /// The function itself, compiled for arguments of type `A` and results of type `R`.
    ///
    /// ```
    /// # fn main() -> Result<(), gradus::Error> {
    /// let pow = gradus::Engine::default().load("examples/pow.py")?.function("pow")?;
    /// assert_eq!(pow.typed::<(f64, i64), f64>()?.call((2.0, 3))?, 8.0);
    /// # Ok(())
    /// # }
    /// ```
    pub fn typed<A: Args, R: Data>(&self) -> Result<Typed<A, R>, Error> {
        self.asked::<A, A, R>(Request::Value, plain::<A>, 0)
    }

    /// The gradient with respect to every argument that holds floats, but those that are [`Constant`]: an entry for each argument,
    /// `()` where there is none.
    ///
    /// ```
    /// # fn main() -> Result<(), gradus::Error> {
    /// let pow = gradus::Engine::default().load("examples/pow.py")?.function("pow")?;
    /// assert_eq!(pow.grad::<(f64, i64)>()?.call((2.0, 3))?, (12.0, ()));
    /// # Ok(())
    /// # }
    /// ```
    pub fn grad<A: Args>(&self) -> Result<Typed<A, A::Gradient>, Error> {
        self.asked::<A, A, A::Gradient>(Request::Gradient(A::active()), plain::<A>, <f64 as Data>::WORDS)
    }

    /// The value and the gradient, as [`Function::grad`] gives it.
    ///
    /// ```
    /// use ndarray::{Array1, Array2, array};
    /// use gradus::{Constant, Engine, Source};
    /// # fn main() -> Result<(), gradus::Error> {
    /// let text = "def loss(w, x, y): return ((x @ w - y) ** 2).sum()";
    /// let loss = Engine::default().parse(Source::new("loss.py", text))?.function("loss")?;
    /// let loss = loss.value_and_grad::<(Array1<f64>, Constant<Array2<f64>>, Constant<Vec<f64>>)>()?;
    /// let (w, x) = (array![1.0, 2.0], array![[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]]);
    /// let (value, (dw, (), ())) = loss.call((&w, x.view(), [1.0, 1.0, 1.0]))?;
    /// assert_eq!((value, dw), (5.0, array![4.0, 6.0]));
    /// # Ok(())
    /// # }
    /// ```
    pub fn value_and_grad<A: Args>(&self) -> Result<Typed<A, (f64, A::Gradient)>, Error> {
        self.asked::<A, A, _>(Request::Gradient(A::active()), plain::<A>, 0)
    }

    /// The value, and its tangent in the direction of a tangent of the arguments, `()` for what has none.
    ///
    /// ```
    /// # fn main() -> Result<(), gradus::Error> {
    /// let pow = gradus::Engine::default().load("examples/pow.py")?.function("pow")?;
    /// assert_eq!(pow.jvp::<(f64, i64), f64>()?.call(((2.0, 3), (1.0, ())))?, (8.0, 12.0));
    /// # Ok(())
    /// # }
    /// ```
    pub fn jvp<A: Args, R: Data>(&self) -> Result<Jvp<A, R>, Error> {
        self.asked::<A, (A, A::Gradient), _>(Request::Jvp(Vec::new()), with_tangents::<A>, 0)
    }

    /// The Jacobian of a function of any result with respect to every argument that holds floats, but those that are [`Constant`]: an
    /// entry for each argument, `()` where there is none. An entry is of shape `result.shape + argument.shape`; tuples of results are
    /// outside, those of arguments inside.
    ///
    /// ```
    /// use gradus::{Engine, Source};
    /// use ndarray::{Array1, Array2, array};
    /// # fn main() -> Result<(), gradus::Error> {
    /// let text = "import numpy as np\ndef polar(p): return np.array([p[0] * np.cos(p[1]), p[0] * np.sin(p[1])])";
    /// let polar = Engine::default().parse(Source::new("polar.py", text))?.function("polar")?;
    /// let jacobian = polar.jacobian::<Array1<f64>, Array2<f64>>()?;
    /// assert_eq!(jacobian.call(array![2.0, 0.0])?, array![[1.0, 0.0], [0.0, 2.0]]);
    /// # Ok(())
    /// # }
    /// ```
    pub fn jacobian<A: Args, J: Data>(&self) -> Result<Typed<A, J>, Error> {
        self.asked::<A, A, J>(Request::Jacobian(A::active()), plain::<A>, 0)
    }

    /// The Hessian of a function of one float, forward over reverse: for each argument an entry for each, as [`Function::jacobian`] of
    /// the gradient gives it.
    ///
    /// ```
    /// use gradus::{Engine, Source};
    /// # fn main() -> Result<(), gradus::Error> {
    /// let f = Engine::default().parse(Source::new("f.py", "def f(x, y): return x * x * y"))?.function("f")?;
    /// let hessian = f.hessian::<(f64, f64), [[f64; 2]; 2]>()?;
    /// assert_eq!(hessian.call((3.0, 5.0))?, [[10.0, 6.0], [6.0, 0.0]]);
    /// # Ok(())
    /// # }
    /// ```
    pub fn hessian<A: Args, H: Data>(&self) -> Result<Typed<A, H>, Error> {
        self.asked::<A, A, H>(Request::Hessian(A::active()), plain::<A>, 0)
    }

    /// The product of the Hessian and a vector, which is shaped like a gradient. No Hessian is made: it costs what some gradients cost.
    ///
    /// ```
    /// use gradus::{Engine, Source};
    /// # fn main() -> Result<(), gradus::Error> {
    /// let f = Engine::default().parse(Source::new("f.py", "def f(x): return (x * x * x).sum()"))?.function("f")?;
    /// let product = f.hvp::<Vec<f64>>()?;
    /// assert_eq!(product.call(([1.0, 2.0], [1.0, 0.5]))?, [6.0, 6.0]);
    /// # Ok(())
    /// # }
    /// ```
    pub fn hvp<A: Args>(&self) -> Result<Hvp<A>, Error> {
        self.asked::<A, (A, A::Gradient), _>(Request::Hvp(A::active(), Vec::new()), with_tangents::<A>, 0)
    }

    /// Any request that takes no more than the arguments: [`Request::Gradient`] and its like answer `(value, gradient)` with an entry
    /// for each argument.
    ///
    /// ```
    /// use gradus::{Engine, Mode, Request};
    /// # fn main() -> Result<(), gradus::Error> {
    /// let pow = Engine::default().load("examples/pow.py")?.function("pow")?;
    /// let twice = Request::Orders(0, vec![Mode::Reverse, Mode::Forward]);
    /// assert_eq!(pow.request::<(f64, i64), (f64, f64, f64)>(twice)?.call((2.0, 3))?, (8.0, 12.0, 12.0));
    /// # Ok(())
    /// # }
    /// ```
    pub fn request<A: Args, R: Data>(&self, request: Request) -> Result<Typed<A, R>, Error> {
        if !request.more_arguments().is_empty() {
            return Err(Error::Arguments("the request takes more than the arguments of the function".into()));
        }
        self.asked::<A, A, R>(request, plain::<A>, 0)
    }

    /// A callable that takes an `X`, in which an `A` are the arguments of the function.
    fn asked<A: Args, X: Data, R: Data>(
        &self,
        model: Request,
        request: fn(&mut Known, &Request) -> Asked,
        skipped: usize,
    ) -> Result<Typed<X, R>, Error> {
        if model.wrt().is_some_and(<[usize]>::is_empty) {
            return Err(Error::Arguments("no argument holds floats, in which a gradient could be taken".into()));
        }
        let result = std::any::type_name::<R>();
        let ask = Ask { request, model, is_single: A::IS_SINGLE, skipped, seeds: |_| true, reads: R::reads, result };
        Ok(Typed { shared: Shared::of(self, ask, X::IS_OPEN)?, types: PhantomData })
    }
}

/// A Rust value as programs see a `K`, for what is given values whose types are known at run time alone, as [`Function::run`] is.
///
/// ```
/// use gradus::to_value;
/// assert_eq!(to_value::<(f64, Vec<i64>)>((0.5, [1, 2])).to_string(), "(0.5, [1, 2])");
/// ```
pub fn to_value<K: Data>(value: impl Argument<K>) -> Value {
    let mut sizes = Sizes::default();
    value.sizes(&mut sizes);
    let ty = K::ty(&mut sizes.known());
    let slots = words::slots(&ty);
    let shapes: Vec<Dims> = slots.iter().filter_map(Slot::shape).collect();
    let mut words = vec![0; slots.len()];
    let mut arrays = Arrays::new();
    value.write(&mut Input::new(&mut words, &shapes, &mut arrays));
    words::value(&ty, &mut words.iter(), &mut arrays.iter().map(|array| array.export()))
}

/// A request that takes the arguments alone.
fn plain<A: Args>(known: &mut Known, model: &Request) -> Asked {
    (A::list(known), model.clone())
}

/// A request that takes tangents of the arguments, too.
fn with_tangents<A: Args>(known: &mut Known, model: &Request) -> Asked {
    let args = A::list(known);
    let tangents = match A::Gradient::ty(known) {
        Type::Tuple(items) if !A::IS_SINGLE => items.to_vec(),
        ty => vec![ty],
    };
    let tangents = tangents.into_iter().map(|ty| if ty.is_inert() { Type::None } else { ty }).collect();
    let request = match model {
        Request::Jvp(_) => Request::Jvp(tangents),
        Request::Hvp(wrt, _) => Request::Hvp(wrt.clone(), tangents),
        other => other.clone(),
    };
    (args, request)
}

impl Shared {
    /// Compiles at once if the types of arguments leave nothing open.
    fn of(function: &Function, ask: Ask, is_open: bool) -> Result<Arc<Shared>, Error> {
        let shared = Shared { function: function.clone(), ask, first: OnceLock::new(), others: RwLock::default() };
        if !is_open {
            let code = shared.compile(&Sizes::default())?;
            shared.first.get_or_init(|| (Sizes::default(), code));
        }
        Ok(Arc::new(shared))
    }

    /// Compiles for some sizes, and checks the types.
    fn compile(&self, sizes: &Sizes) -> Result<Code, Error> {
        let (args, request) = (self.ask.request)(&mut sizes.known(), &self.ask.model);
        let (types, constants): (Vec<Type>, Vec<Option<Const>>) = args.into_iter().unzip();
        types.iter().try_for_each(|ty| check_classes(ty, &self.function.source().classes))?;
        let function = if constants.iter().any(Option::is_some) {
            &self.function.with_constants(constants.into_iter().map(known).collect())
        } else {
            &self.function
        };
        let request = match request {
            Request::Vjp(wrt, _) => {
                let value = result_type(function.value(&types)?.module());
                let seed = vjp::cotangent(&value);
                if !(self.ask.seeds)(&seed) {
                    let message = format!("the result is {}, which is no {}", value.describe(), self.ask.result);
                    return Err(Error::Arguments(message));
                }
                let is_native = function.options().backend == Backend::Jit;
                if is_native { Request::Vjp(wrt, seed) } else { Request::Pullback(wrt, seed) }
            }
            request => request,
        };
        let compiled = function.compile(&types, &request)?;
        let is_split = matches!((&self.ask.model, &request), (Request::Vjp(..), Request::Pullback(..)));
        let value = is_split.then(|| function.compile(&types, &Request::Value)).transpose()?;
        let found = result_type(&compiled.stages().typed);
        let result = self.ask.shown(&found, types.len());
        if !(self.ask.reads)(&result) {
            let message = format!("the result is {}, which is no {}", result.describe(), self.ask.result);
            return Err(Error::Arguments(message));
        }
        let params = [&types, request.more_arguments()].concat();
        let params = if let Request::Vjp(..) = request { types } else { params };
        let slots: Vec<Slot> = params.iter().flat_map(words::slots).collect();
        let (words, shapes) = (slots.len(), slots.iter().filter_map(Slot::shape).collect());
        Ok(Code { prepared: Prepared::new(compiled, params)?, value, words, shapes, results: words::slots(&found) })
    }

    /// Does something with the code for some sizes, which is compiled if need be.
    fn with<T>(&self, sizes: Sizes, then: impl FnOnce(&Code) -> Result<T, Error>) -> Result<T, Error> {
        if let Some((known, code)) = self.first.get()
            && *known == sizes
        {
            return then(code);
        }
        let known = self.others.read().unwrap_or_else(|e| e.into_inner()).get(&sizes).cloned();
        if let Some(code) = known {
            return then(&code);
        }
        let code = self.compile(&sizes)?;
        match self.first.set((sizes, code)) {
            Ok(()) => then(&self.first.get().expect("it was just set").1),
            Err((sizes, code)) => {
                let code = Arc::new(code);
                self.others.write().unwrap_or_else(|e| e.into_inner()).insert(sizes, code.clone());
                then(&code)
            }
        }
    }
}

/// What an argument's type says of its value.
fn known(constant: Option<Const>) -> infer::Known {
    constant.map_or(infer::Known::Nothing, infer::Known::Constant)
}

/// The type of a result, in which instances of classes are records.
pub(crate) fn result_type(typed: &Module) -> Type {
    fn described(form: &Form) -> Type {
        match form {
            Form::Plain(ty) => ty.clone(),
            Form::Tuple(items) | Form::List(items) => Type::tuple(items.iter().map(described)),
            Form::Record(schema, items) => Type::Record(schema.clone(), items.iter().map(described).collect()),
            Form::Boxed(_) | Form::Unbounded(_) | Form::Union(_) => Type::Opaque,
        }
    }
    match &typed.boundary.result {
        Some(form) => described(form),
        None => typed[typed.entry.expect("a typed module has an entry")].result.clone(),
    }
}

impl Ask {
    /// The type of what is read of a result: derivatives in their places among so many arguments.
    fn shown(&self, result: &Type, count: usize) -> Type {
        let Some(wrt) = self.model.wrt() else { return result.clone() };
        let placed = |derivatives: &Type, inside: &dyn Fn(&Type) -> Type| {
            let mut all = vec![Type::None; count];
            if let Type::Tuple(items) = derivatives {
                wrt.iter().zip(items.iter()).for_each(|(&i, ty)| all[i] = inside(ty));
            }
            if self.is_single { all.swap_remove(0) } else { Type::tuple(all) }
        };
        match (&self.model, result) {
            (Request::Jacobian(_) | Request::Hvp(..), _) => placed(result, &Type::clone),
            (Request::Hessian(_), _) => placed(result, &|row| placed(row, &Type::clone)),
            (_, Type::Tuple(pair)) if self.skipped > 0 => placed(&pair[1], &Type::clone),
            (_, Type::Tuple(pair)) => Type::tuple([pair[0].clone(), placed(&pair[1], &Type::clone)]),
            _ => result.clone(),
        }
    }
}

/// Whether the instances in a type are of classes of the program, with the same fields.
fn check_classes(ty: &Type, classes: &[Class]) -> Result<(), Error> {
    match ty {
        Type::Tuple(items) => items.iter().try_for_each(|item| check_classes(item, classes)),
        Type::Record(schema, items) => {
            items.iter().try_for_each(|item| check_classes(item, classes))?;
            let known = classes.iter().find(|c| c.schema.class == schema.class);
            let refused = |why: String| Err(Error::Arguments(format!("the struct `{}` {why}", schema.name())));
            match known {
                _ if schema.is_complex() => Ok(()),
                None => refused("has the name of no class of the program".into()),
                Some(class) if class.recursive => refused("has the name of a class whose instances hold others of it".into()),
                Some(class) if class.schema != *schema => {
                    refused(format!("has the fields {}, the class {}", schema.fields.join(", "), class.schema.fields.join(", ")))
                }
                Some(_) => Ok(()),
            }
        }
        _ => Ok(()),
    }
}

impl<A: Data, R: Data> Typed<A, R> {
    /// Calls it.
    #[inline]
    pub fn call(&self, args: impl Argument<A>) -> Result<R, Error> {
        if !A::IS_OPEN
            && let Some((_, code)) = self.shared.first.get()
        {
            return self.run(code, args);
        }
        let mut sizes = Sizes::default();
        args.sizes(&mut sizes);
        self.shared.with(sizes, |code| self.run(code, args))
    }

    /// What was compiled, or is compiled now, for arguments like these: the program at every stage, and what the passes did.
    pub fn compiled(&self, args: impl Argument<A>) -> Result<Arc<Compiled>, Error> {
        let mut sizes = Sizes::default();
        args.sizes(&mut sizes);
        self.shared.with(sizes, |code| Ok(code.prepared.compiled().clone()))
    }

    #[inline]
    fn run(&self, code: &Code, args: impl Argument<A>) -> Result<R, Error> {
        let skipped = self.shared.ask.skipped;
        match code.prepared.compiled().native() {
            Some(native) if !A::HAS_ARRAYS && !R::HAS_ARRAYS => with_words(A::WORDS, |words| {
                args.write(&mut Input::scalars(words));
                with_words(R::WORDS + 1, |results| {
                    let results = &mut results[1 - skipped..];
                    native.run_words(words, results)?;
                    Ok(R::read(&mut Output::scalars(&results[skipped..])))
                })
            }),
            _ => code.run(&args, R::WORDS + skipped, |words, arrays| {
                R::read(&mut Output::new(&words[skipped..], &code.results[skipped..], &mut arrays.into_iter()))
            }),
        }
    }
}

impl Code {
    /// Runs it on arguments with arrays, or in the interpreter, and reads the words and arrays of the result.
    fn run<K, T>(
        &self,
        args: &impl Argument<K>,
        results: usize,
        read: impl FnOnce(&[u64], Vec<gradus_ir::Array>) -> T,
    ) -> Result<T, Error> {
        let mut put = Arrays::new();
        let mut words: SmallVec<[u64; 16]> = smallvec![0; self.words];
        args.write(&mut Input::new(&mut words, &self.shapes, &mut put));
        let mut found: SmallVec<[u64; 16]> = smallvec![0; results];
        let arrays = self.prepared.call(&mut words, &put, &mut found)?;
        Ok(read(&found, arrays))
    }
}

/// Runs `f` on some words, on the host's stack if they are few: calls set them all to zero.
#[inline]
fn with_words<T>(count: usize, f: impl FnOnce(&mut [u64]) -> T) -> T {
    match count {
        0..=2 => f(&mut [0; 2][..count]),
        3..=8 => f(&mut [0; 8][..count]),
        9..=32 => f(&mut [0; 32][..count]),
        33..=128 => f(&mut [0; 128][..count]),
        _ => f(&mut vec![0; count]),
    }
}

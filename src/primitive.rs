//! Functions of Rust that programs call, and rules of Rust for derivatives.

use crate::typed::{Args, Argument, Data, Input, Output, Sizes};
use gradus_frontend::python::Native;
use gradus_ir::Type;
use gradus_ir::host::{self, Host};
use std::fmt;
use std::marker::PhantomData;

/// A function of Rust that programs call by its name, or rules for a function of the program: what [`Engine::with`] takes.
///
/// The arguments `A` are a tuple of scalars and tuples of them, or one scalar; the result `R` likewise. A function must give the same
/// result for the same arguments, since calls are merged, moved and left out. One that panics lets the run fail with
/// [`Error::Failed`]. It is kept for the life of the process.
///
/// ```
/// use gradus::{Engine, Primitive, Source};
///
/// let gamma = Primitive::new("lgamma", |x: f64| libm::lgamma(x)).pullback(|_y, x, g| g * digamma(x));
/// let engine = Engine::default().with(gamma);
/// let f = engine.parse(Source::new("f.py", "def f(x): return lgamma(x * x)"))?.function("f")?;
/// let (value, gradient) = f.value_and_grad::<f64>()?.call(2.0)?;
/// assert!((value - 6.0_f64.ln()).abs() < 1e-14 && (gradient - 4.0 * digamma(4.0)).abs() < 1e-14);
///
/// /// The derivative of the logarithm of the gamma function, for large arguments by its series.
/// fn digamma(x: f64) -> f64 {
///     if x < 10.0 { digamma(x + 1.0) - 1.0 / x } else { x.ln() - 0.5 / x - x.powi(-2) / 12.0 + x.powi(-4) / 120.0 - x.powi(-6) / 252.0 }
/// }
/// # Ok::<(), gradus::Error>(())
/// ```
///
/// A rule is code of which nothing is known, so it has no derivative: one of the second order that goes through it is refused. Where
/// it is needed, the program says the rule in terms of another primitive, by `custom_vjp`:
///
/// ```
/// use gradus::{Engine, Primitive, Source};
///
/// let engine = Engine::default()
///     .with(Primitive::new("host_sin", f64::sin).pullback(|_y, x, g| g * x.cos()))
///     .with(Primitive::new("host_cos", f64::cos).pullback(|_y, x, g| -g * x.sin()));
/// let program = engine.parse(Source::new("sine.py", "
/// from gradus import custom_vjp, grad
///
/// @custom_vjp(lambda y, x: lambda g: (g * host_cos(x),))
/// def sine(x): return host_sin(x)
///
/// def f(x): return sine(x)
/// def slope(x): return grad(f)(x)
/// "))?;
/// assert_eq!(program.function("slope")?.grad::<f64>()?.call(0.5)?, -0.5_f64.sin());
/// # Ok::<(), gradus::Error>(())
/// ```
///
/// Where a function is differentiated in both modes, its rules of both modes are needed at every order, so such derivatives go in reverse
/// over reverse; [`Function::hessian`](crate::Function::hessian) is forward over reverse and is refused.
///
/// [`Engine::with`]: crate::Engine::with
/// [`Error::Failed`]: crate::Error::Failed
pub struct Primitive<A, R> {
    native: Native,
    types: PhantomData<fn(A) -> R>,
}

impl<A, R> fmt::Debug for Primitive<A, R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Primitive").field(&self.native).finish()
    }
}

impl<A, R> Primitive<A, R>
where
    A: Args + Argument<A>,
    R: Data + Argument<R>,
    A::Gradient: Argument<A::Gradient>,
    R::Gradient: Argument<R::Gradient>,
{
    /// A function that programs call by this name, where nothing else has it.
    pub fn new(name: &str, function: impl Fn(A) -> R + Send + Sync + 'static) -> Primitive<A, R> {
        let host = host(name, arguments::<A>(), move |words| function(A::read(words)));
        Primitive { native: Native { host: Some(host), ..named::<A>(name) }, types: PhantomData }
    }

    /// Rules for the derivatives of a function that the program defines at its top level. They take the place of those that follow
    /// from its code.
    ///
    /// ```
    /// use gradus::{Engine, Primitive, Source};
    ///
    /// // A gradient that is clipped.
    /// let rule = Primitive::<f64, f64>::rule("clipped").pullback(|_y, _x, g| g.clamp(-1.0, 1.0));
    /// let program = Engine::default().with(rule).parse(Source::new("clipped.py", "
    /// def clipped(x): return x
    /// def f(x): return clipped(x) ** 2
    /// "))?;
    /// assert_eq!(program.function("f")?.grad::<f64>()?.call(3.0)?, 1.0);
    /// # Ok::<(), gradus::Error>(())
    /// ```
    pub fn rule(name: &str) -> Primitive<A, R> {
        Primitive { native: named::<A>(name), types: PhantomData }
    }

    /// The rule of reverse mode: from the value, the arguments and a cotangent of the value to those of the arguments.
    pub fn pullback(self, rule: impl Fn(R, A, R::Gradient) -> A::Gradient + Send + Sync + 'static) -> Primitive<A, R> {
        let params = [vec![ty::<R>()], arguments::<A>(), vec![ty::<R::Gradient>()]].concat();
        // What a rule gives is a tuple with an entry for each argument.
        let gives = |result: Type| if A::IS_SINGLE { Type::tuple([result]) } else { result };
        let name = format!("the pullback of {}", self.native.name);
        let pullback = host_as(&name, params, gives(ty::<A::Gradient>()), move |words| {
            let y = R::read(words);
            let args = A::read(words);
            rule(y, args, R::Gradient::read(words))
        });
        Primitive { native: Native { pullback: Some(pullback), ..self.native }, ..self }
    }

    /// The rule of forward mode: from the value, the arguments and their tangents to the tangent of the value.
    pub fn pushforward(self, rule: impl Fn(R, A, A::Gradient) -> R::Gradient + Send + Sync + 'static) -> Primitive<A, R> {
        let tangents = match ty::<A::Gradient>() {
            Type::Tuple(items) if !A::IS_SINGLE => items.to_vec(),
            ty => vec![ty],
        };
        let params = [vec![ty::<R>()], arguments::<A>(), tangents].concat();
        let name = format!("the pushforward of {}", self.native.name);
        let pushforward = host(&name, params, move |words| {
            let y = R::read(words);
            let args = A::read(words);
            rule(y, args, A::Gradient::read(words))
        });
        Primitive { native: Native { pushforward: Some(pushforward), ..self.native }, ..self }
    }
}

impl<A, R> Primitive<A, R> {
    /// What the front end knows of it.
    pub(crate) fn into_native(self) -> Native {
        self.native
    }
}

fn named<A: Args>(name: &str) -> Native {
    Native { name: name.to_owned(), count: arguments::<A>().len(), host: None, pullback: None, pushforward: None }
}

/// The type of data of a size that its Rust type says.
fn ty<T: Data>() -> Type {
    const { assert!(!T::IS_OPEN && !T::HAS_ARRAYS, "primitives take and give scalars and tuples of them") };
    T::ty(&mut Sizes::default().known())
}

fn arguments<A: Args>() -> Vec<Type> {
    const { assert!(!A::IS_OPEN && !A::HAS_ARRAYS, "primitives take and give scalars and tuples of them") };
    A::list(&mut Sizes::default().known()).into_iter().map(|(ty, _)| ty).collect()
}

/// A function of the host that reads its arguments, of these types.
fn host<T: Data + Argument<T>>(
    name: &str,
    params: Vec<Type>,
    function: impl Fn(&mut Output) -> T + Send + Sync + 'static,
) -> Host {
    host_as(name, params, ty::<T>(), function)
}

/// The same, whose result programs see as one of another type with the same words.
fn host_as<T: Argument<T>>(
    name: &str,
    params: Vec<Type>,
    result: Type,
    function: impl Fn(&mut Output) -> T + Send + Sync + 'static,
) -> Host {
    let code = move |args: &[u64], results: &mut [u64]| function(&mut Output::scalars(args)).write(&mut Input::scalars(results));
    Host::new(host::Function { name: name.to_owned(), params, result, code: Box::new(code) })
}

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
/// One rule is enough: the other is computed by it, a pushforward by one pullback for each float of the result, a pullback by one
/// pushforward for each float of the arguments.
///
/// A rule in Rust is code of which nothing is known. Derivatives of the second order go by its own rules, if it is given as a primitive
/// that has some ([`Primitive::pullback_by`]), those of the third order by theirs, and so on; what is asked for beyond is refused when
/// the program is compiled.
///
/// ```
/// use gradus::{Engine, Primitive, Source};
///
/// let gamma = Primitive::new("lgamma", |x: f64| libm::lgamma(x));
/// let slope = Primitive::new("slope", |(_y, x, g): (f64, f64, f64)| g * digamma(x));
/// let bend = |_, (_y, x, g): (f64, f64, f64), h: f64| (0.0, h * g * trigamma(x), h * digamma(x));
/// let engine = Engine::default().with(gamma.pullback_by(slope.pullback(bend)));
/// let f = engine.parse(Source::new("f.py", "def f(x): return lgamma(x) * x"))?.function("f")?;
/// let exact = 2.0 * digamma(3.0) + 3.0 * trigamma(3.0);
/// assert!((f.hessian::<f64, f64>()?.call(3.0)? - exact).abs() < 1e-12);
///
/// /// The first and second derivatives of the logarithm of the gamma function, by recurrence and series.
/// fn digamma(x: f64) -> f64 {
///     if x < 20.0 { digamma(x + 1.0) - 1.0 / x } else { x.ln() - 0.5 / x - x.powi(-2) / 12.0 + x.powi(-4) / 120.0 - x.powi(-6) / 252.0 }
/// }
/// fn trigamma(x: f64) -> f64 {
///     if x < 20.0 {
///         trigamma(x + 1.0) + x.powi(-2)
///     } else {
///         1.0 / x + 0.5 * x.powi(-2) + x.powi(-3) / 6.0 - x.powi(-5) / 30.0 + x.powi(-7) / 42.0
///     }
/// }
/// # Ok::<(), gradus::Error>(())
/// ```
///
/// Derivatives of all orders are those of a rule that the program says in terms of other primitives, by `custom_vjp`:
///
/// ```
/// use gradus::{Engine, Primitive, Source};
///
/// let engine = Engine::default().with(Primitive::new("host_sin", f64::sin)).with(Primitive::new("host_cos", f64::cos));
/// let program = engine.parse(Source::new("sine.py", "
/// from gradus import custom_vjp, grad
///
/// @custom_vjp(lambda y, x: lambda g: (g * cosine(x),))
/// def sine(x): return host_sin(x)
/// @custom_vjp(lambda y, x: lambda g: (-g * sine(x),))
/// def cosine(x): return host_cos(x)
///
/// def f(x): return sine(x)
/// def third(x): return grad(grad(grad(f)))(x)
/// "))?;
/// assert_eq!(program.function("third")?.grad::<f64>()?.call(0.5)?, 0.5_f64.sin());
/// # Ok::<(), gradus::Error>(())
/// ```
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
        Primitive { native: named::<A>(name, Some(host)), types: PhantomData }
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
        Primitive { native: named::<A>(name, None), types: PhantomData }
    }

    /// The rule of reverse mode: from the value, the arguments and a cotangent of the value to those of the arguments.
    pub fn pullback(self, rule: impl Fn(R, A, R::Gradient) -> A::Gradient + Send + Sync + 'static) -> Primitive<A, R> {
        let params = vec![ty::<R>(), ty::<A>(), ty::<R::Gradient>()];
        let name = format!("the pullback of {}", self.native.name);
        let rule = host(&name, params, move |words| {
            let y = R::read(words);
            let args = A::read(words);
            rule(y, args, R::Gradient::read(words))
        });
        self.pullback_by(Primitive { native: named::<(R, A, R::Gradient)>(&name, Some(rule)), types: PhantomData })
    }

    /// The rule of forward mode: from the value, the arguments and their tangents to the tangent of the value.
    pub fn pushforward(self, rule: impl Fn(R, A, A::Gradient) -> R::Gradient + Send + Sync + 'static) -> Primitive<A, R> {
        let params = vec![ty::<R>(), ty::<A>(), ty::<A::Gradient>()];
        let name = format!("the pushforward of {}", self.native.name);
        let rule = host(&name, params, move |words| {
            let y = R::read(words);
            let args = A::read(words);
            rule(y, args, A::Gradient::read(words))
        });
        self.pushforward_by(Primitive { native: named::<(R, A, A::Gradient)>(&name, Some(rule)), types: PhantomData })
    }
}

impl<A: Data, R: Data> Primitive<A, R> {
    /// [`Primitive::pullback`] by a primitive, whose own rules are what derivatives of the second order go by, and so on.
    pub fn pullback_by(self, rule: Primitive<(R, A, R::Gradient), A::Gradient>) -> Primitive<A, R> {
        Primitive { native: Native { pullback: Some(Box::new(rule.native)), ..self.native }, ..self }
    }

    /// [`Primitive::pushforward`] by a primitive, likewise.
    pub fn pushforward_by(self, rule: Primitive<(R, A, A::Gradient), R::Gradient>) -> Primitive<A, R> {
        Primitive { native: Native { pushforward: Some(Box::new(rule.native)), ..self.native }, ..self }
    }
}

impl<A, R> Primitive<A, R> {
    /// What the front end knows of it.
    pub(crate) fn into_native(self) -> Native {
        self.native
    }
}

/// A function with no rules yet.
fn named<A: Args>(name: &str, host: Option<Host>) -> Native {
    let count = arguments::<A>().len();
    Native { name: name.to_owned(), count, is_single: A::IS_SINGLE, host, pullback: None, pushforward: None }
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
    let code = move |args: &[u64], results: &mut [u64]| function(&mut Output::scalars(args)).write(&mut Input::scalars(results));
    Host::new(host::Function { name: name.to_owned(), params, result: ty::<T>(), code: Box::new(code) })
}

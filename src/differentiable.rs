//! Functions of Rust that are programs, too.
#![allow(clippy::type_complexity, reason = "the types say what goes in and what comes out")]

use crate::rust::{Declare, Signature};
use crate::typed::{Args, Data, Typed, Vjp};
use crate::{Error, Function};
use std::marker::PhantomData;

/// The type beside a function with `#[gradus::differentiable]`.
///
/// ```
/// #[gradus::differentiable]
/// fn loss(x: f64, n: i64) -> f64 {
///     let mut product = 1.0;
///     for k in 0..n {
///         product *= x + k as f64;
///     }
///     product
/// }
///
/// assert_eq!(loss(1.0, 3), 6.0);
/// assert_eq!(loss::grad()?.call((1.0, 3))?, (11.0, ()));
/// # Ok::<(), gradus::Error>(())
/// ```
///
/// In code for any such function it is a parameter, by the trait [`Differentiable`]:
///
/// ```
/// use gradus::Differentiable;
///
/// #[gradus::differentiable]
/// fn kepler(e: f64) -> f64 {
///     e - 0.3 * e.sin() - 1.0
/// }
///
/// fn root<F: Differentiable<Args = f64, Output = f64>>(mut x: f64) -> Result<f64, gradus::Error> {
///     let f = F::value_and_grad()?;
///     for _ in 0..10 {
///         let (y, slope) = f.call(x)?;
///         x -= y / slope;
///     }
///     Ok(x)
/// }
///
/// assert!(kepler(root::<kepler>(1.0)?).abs() < 1e-15);
/// # Ok::<(), gradus::Error>(())
/// ```
///
/// There is no `loss.grad()`: a function of Rust has a type without a name, which a macro can implement nothing for.
#[derive(Clone, Copy, Debug)]
pub struct Derivatives<F>(PhantomData<F>);

/// A function with `#[gradus::differentiable]`, as a type: [`Derivatives`], which has these methods without the trait being imported.
pub trait Differentiable: Declare {
    /// The arguments as [`Typed`] takes them: the types of the parameters, with `Vec<f64>` for `&[f64]` and without references, in a
    /// tuple unless there is one only.
    type Args: Args;
    /// The result.
    type Output: Data;

    /// The function for all that is not here: other options, other requests, the program at every stage. It is lowered once.
    ///
    /// ```
    /// use gradus::{Backend, Options};
    ///
    /// #[gradus::differentiable]
    /// fn square(x: f64) -> f64 {
    ///     x * x
    /// }
    ///
    /// let square = square::function()?.with(Options { backend: Backend::Interp, ..Options::default() });
    /// assert_eq!(square.grad::<f64>()?.call(3.0)?, 6.0);
    /// # Ok::<(), gradus::Error>(())
    /// ```
    fn function() -> Result<Function, Error> {
        Self::lowered()
    }

    /// The function itself as compiled code: [`Function::typed`].
    fn typed() -> Result<Typed<Self::Args, Self::Output>, Error> {
        Self::lowered()?.typed::<Self::Args, Self::Output>()
    }

    /// The gradient with respect to every argument that holds floats: [`Function::grad`]. The function returns a float.
    fn grad() -> Result<Typed<Self::Args, <Self::Args as Data>::Gradient>, Error> {
        Self::lowered()?.grad::<Self::Args>()
    }

    /// The value and the gradient: [`Function::value_and_grad`]. The function returns a float.
    fn value_and_grad() -> Result<Typed<Self::Args, (f64, <Self::Args as Data>::Gradient)>, Error> {
        Self::lowered()?.value_and_grad::<Self::Args>()
    }

    /// The value and its tangent in the direction of a tangent of the arguments: [`Function::jvp`].
    fn jvp()
    -> Result<Typed<(Self::Args, <Self::Args as Data>::Gradient), (Self::Output, <Self::Output as Data>::Gradient)>, Error> {
        Self::lowered()?.jvp::<Self::Args, Self::Output>()
    }

    /// The value and its pullback, which gives gradients for as many cotangents of the value as one likes: [`Function::vjp`].
    fn vjp() -> Result<Vjp<Self::Args, Self::Output>, Error> {
        Self::lowered()?.vjp::<Self::Args, Self::Output>()
    }

    /// The Jacobian, of the shape `J` as [`Function::jacobian`] has it.
    fn jacobian<J: Data>() -> Result<Typed<Self::Args, J>, Error> {
        Self::lowered()?.jacobian::<Self::Args, J>()
    }

    /// The Hessian, of the shape `H` as [`Function::hessian`] has it. The function returns a float.
    ///
    /// ```
    /// #[gradus::differentiable]
    /// fn f(x: f64, y: f64) -> f64 {
    ///     x * x * y
    /// }
    ///
    /// assert_eq!(f::hessian::<[[f64; 2]; 2]>()?.call((3.0, 5.0))?, [[10.0, 6.0], [6.0, 0.0]]);
    /// # Ok::<(), gradus::Error>(())
    /// ```
    fn hessian<H: Data>() -> Result<Typed<Self::Args, H>, Error> {
        Self::lowered()?.hessian::<Self::Args, H>()
    }

    /// The product of the Hessian and a vector that is shaped like a gradient: [`Function::hvp`]. The function returns a float.
    fn hvp() -> Result<Typed<(Self::Args, <Self::Args as Data>::Gradient), <Self::Args as Data>::Gradient>, Error> {
        Self::lowered()?.hvp::<Self::Args>()
    }
}

impl<F: Declare> Derivatives<F> {
    /// See [`Differentiable::function`].
    pub fn function() -> Result<Function, Error> {
        F::lowered()
    }
}

impl<F: Signature> Differentiable for Derivatives<F> {
    type Args = F::Args;
    type Output = F::Output;
}

/// The methods of [`Differentiable`].
impl<F: Signature> Derivatives<F> {
    /// See [`Differentiable::typed`].
    pub fn typed() -> Result<Typed<F::Args, F::Output>, Error> {
        <Self as Differentiable>::typed()
    }

    /// See [`Differentiable::grad`].
    pub fn grad() -> Result<Typed<F::Args, <F::Args as Data>::Gradient>, Error> {
        <Self as Differentiable>::grad()
    }

    /// See [`Differentiable::value_and_grad`].
    pub fn value_and_grad() -> Result<Typed<F::Args, (f64, <F::Args as Data>::Gradient)>, Error> {
        <Self as Differentiable>::value_and_grad()
    }

    /// See [`Differentiable::jvp`].
    pub fn jvp() -> Result<Typed<(F::Args, <F::Args as Data>::Gradient), (F::Output, <F::Output as Data>::Gradient)>, Error> {
        <Self as Differentiable>::jvp()
    }

    /// See [`Differentiable::vjp`].
    pub fn vjp() -> Result<Vjp<F::Args, F::Output>, Error> {
        <Self as Differentiable>::vjp()
    }

    /// See [`Differentiable::jacobian`].
    pub fn jacobian<J: Data>() -> Result<Typed<F::Args, J>, Error> {
        <Self as Differentiable>::jacobian::<J>()
    }

    /// See [`Differentiable::hessian`].
    pub fn hessian<H: Data>() -> Result<Typed<F::Args, H>, Error> {
        <Self as Differentiable>::hessian::<H>()
    }

    /// See [`Differentiable::hvp`].
    pub fn hvp() -> Result<Typed<(F::Args, <F::Args as Data>::Gradient), <F::Args as Data>::Gradient>, Error> {
        <Self as Differentiable>::hvp()
    }
}

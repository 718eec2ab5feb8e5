//! What the macros refer to: how functions, structs and methods of Rust are known to each other and become a [`Function`]. It is for
//! `#[gradus::differentiable]` and `#[derive(gradus::Value)]`, and not for use by hand.

pub use gradus_rust::{Constant, Item, Reference};

use crate::{Args, Data, Derivatives, Error, Function};
use std::marker::PhantomData;
use std::sync::OnceLock;

/// A function with `#[gradus::differentiable]`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no differentiable function",
    note = "functions that differentiable functions call have `#[gradus::differentiable]`, too"
)]
pub trait Declare {
    /// The function as it stands in the source.
    const ITEM: Item;
    /// The function, which is lowered once.
    fn lowered() -> Result<Function, Error>;
}

impl<F: Declare> Declare for Derivatives<F> {
    const ITEM: Item = F::ITEM;
    fn lowered() -> Result<Function, Error> {
        F::lowered()
    }
}

/// The types of a function that is no function of functions.
pub trait Signature: Declare {
    /// The arguments.
    type Args: Args;
    /// The result.
    type Output: Data;
}

/// A struct with `#[derive(gradus::Value)]`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no struct that differentiable functions know",
    note = "structs that differentiable functions use have `#[derive(gradus::Value)]`"
)]
pub trait Structure {
    /// The struct as it stands in the source.
    const ITEM: Item;
    /// Its methods, if there is an `impl` with `#[gradus::differentiable]`.
    fn methods() -> Option<Item>;
    /// The struct with its methods.
    fn reference() -> Reference {
        Reference::Struct(Self::ITEM, Self::methods())
    }
}

/// A struct with an `impl` that has `#[gradus::differentiable]`.
pub trait Methods {
    /// The `impl` as it stands in the source.
    const ITEM: Item;
}

/// Finds the methods of a struct. Its own method `methods` comes before that of [`NoMethods`], but exists for [`Methods`] only.
#[derive(Debug)]
pub struct MethodsOf<T>(PhantomData<T>);

impl<T> MethodsOf<T> {
    /// The one value.
    pub const NEW: MethodsOf<T> = MethodsOf(PhantomData);
}

impl<T: Methods> MethodsOf<T> {
    /// The methods.
    pub fn methods(&self) -> Option<Item> {
        Some(T::ITEM)
    }
}

/// What there is for any struct.
pub trait NoMethods {
    /// No methods.
    fn methods(&self) -> Option<Item> {
        None
    }
}

impl<T> NoMethods for MethodsOf<T> {}

/// A function, once it is lowered.
pub type Lowered = OnceLock<Result<Function, Error>>;

/// Lowers the function that a type stands for, with all that it refers to.
pub fn lower<T: Declare>() -> Result<Function, Error> {
    let (module, graph) = gradus_rust::lower::function(T::ITEM).map_err(|refused| Error::Refused(refused.0))?;
    Ok(Function::of_module(T::ITEM.name, module, graph))
}

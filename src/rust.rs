//! What the macros refer to: how functions, structs and methods of Rust are known to each other and become a [`Function`]. It is for
//! `#[gradus::differentiable]` and `#[derive(gradus::Value)]`, and not for use by hand.

pub use gradus_rust::{Constant, Item, Reference};

use crate::{Args, Data, Derivatives, Error, Function};
use std::any::TypeId;
use std::collections::HashMap;
use std::marker::PhantomData;
use std::sync::{LazyLock, Mutex};

/// A function with `#[gradus::differentiable]`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no differentiable function",
    note = "functions that differentiable functions call have `#[gradus::differentiable]`, too"
)]
pub trait Declare: 'static {
    /// The function as it stands in the source.
    const ITEM: Item;
    /// The function, which is lowered once.
    fn lowered() -> Result<Function, Error> {
        static LOWERED: LazyLock<Mutex<HashMap<TypeId, Result<Function, Error>>>> = LazyLock::new(Mutex::default);
        let mut lowered = LOWERED.lock().unwrap_or_else(|e| e.into_inner());
        lowered.entry(TypeId::of::<Self>()).or_insert_with(|| lower(Self::ITEM)).clone()
    }
}

impl<F: Declare> Declare for Derivatives<F> {
    const ITEM: Item = F::ITEM;
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
    /// Its methods, and those of its traits: each `impl` with `#[gradus::differentiable]`.
    fn methods() -> Vec<Item>;
    /// The struct with its methods.
    fn reference() -> Reference {
        Reference::Struct(Self::ITEM, Self::methods())
    }
}

/// A struct with an `impl` that has `#[gradus::differentiable]`: the one with this number.
pub trait Methods<const N: usize> {
    /// The `impl` as it stands in the source.
    const ITEM: Item;
}

/// Finds the methods of a struct. Its own method `methods` comes before that of [`NoMethods`], but exists for [`Methods`] only.
#[derive(Debug)]
pub struct MethodsOf<T, const N: usize>(PhantomData<T>);

impl<T, const N: usize> MethodsOf<T, N> {
    /// The one value.
    pub const NEW: MethodsOf<T, N> = MethodsOf(PhantomData);
}

impl<T: Methods<N>, const N: usize> MethodsOf<T, N> {
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

impl<T, const N: usize> NoMethods for MethodsOf<T, N> {}

/// Lowers a function, with all that it refers to.
fn lower(item: Item) -> Result<Function, Error> {
    let (module, graph) = gradus_rust::lower::function(item).map_err(|refused| Error::Refused(refused.0))?;
    Ok(Function::of_module(item.name, module, graph))
}

//! What the macros refer to: how functions, types and methods of Rust are known to each other and become a [`Function`]. It is for
//! `#[gradus::differentiable]` and `#[derive(gradus::Value)]`, and not for use by hand.

pub use crate::typed::{Answer, Payload};
pub use gradus_rust::{Alias, Constant, Item, Reference};

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

/// A type that differentiable functions know: a struct or an enum with `#[derive(gradus::Value)]`, or what a second name may stand for.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no type that differentiable functions know",
    note = "structs and enums that differentiable functions use have `#[derive(gradus::Value)]`"
)]
pub trait Structure {
    /// The type as it stands in the source, with its methods and those of its traits: each `impl` with `#[gradus::differentiable]`.
    fn reference() -> Reference;
}

macro_rules! numbers {
    ($($t:ident)*) => { $(
        impl Structure for $t {
            fn reference() -> Reference {
                Reference::Type(Alias::Number(stringify!($t)))
            }
        }
    )* };
}

numbers! { f64 bool i8 i16 i32 i64 isize u8 u16 u32 u64 usize }

impl<T: Structure, const N: usize> Structure for [T; N] {
    fn reference() -> Reference {
        Reference::Type(Alias::Array(Box::new(T::reference()), Some(N)))
    }
}

impl<T: Structure> Structure for [T] {
    fn reference() -> Reference {
        Reference::Type(Alias::Array(Box::new(T::reference()), None))
    }
}

impl<T: Structure> Structure for Vec<T> {
    fn reference() -> Reference {
        <[T]>::reference()
    }
}

macro_rules! tuples {
    ($($($t:ident)*;)*) => { $(
        impl<$($t: Structure),*> Structure for ($($t,)*) {
            fn reference() -> Reference {
                Reference::Type(Alias::Tuple(vec![$($t::reference()),*]))
            }
        }
    )* };
}

tuples! { A; A B; A B C; A B C D; A B C D E; A B C D E F; }

/// Makes constants of the fields of a struct. Its own method `constant` comes before that of [`NoConstant`], but exists for what is
/// made of numbers only.
#[derive(Debug)]
pub struct ConstantOf<'a, T>(pub &'a T);

impl<T: Clone + Into<Constant>> ConstantOf<'_, T> {
    /// The constant.
    pub fn constant(&self) -> Constant {
        self.0.clone().into()
    }
}

/// What there is for any value.
pub trait NoConstant {
    /// No constant.
    fn constant(&self) -> Constant {
        Constant::Unknown
    }
}

impl<T> NoConstant for ConstantOf<'_, T> {}

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
    let (mut module, graph) = gradus_rust::lower::function(item).map_err(|refused| Error::Refused(refused.0))?;
    // A `Vec` is a list where only the run knows its length.
    module.with_lists = Some(gradus_frontend::python::with_lists);
    Ok(Function::of_module(item.name, module, graph))
}

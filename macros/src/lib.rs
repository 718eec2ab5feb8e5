//! The macros of Gradus, which the crate `gradus` re-exports: see there.
#![forbid(unsafe_code)]

mod enumeration;
mod function;
mod item;
mod layout;
mod methods;
mod structure;

use proc_macro::TokenStream;
use quote::ToTokens;

/// Makes a function one that can be differentiated.
///
/// It stays the function that it is. Beside it there is a type of the same name (types and functions do not get in each other's
/// way), which has what Gradus knows of it: `loss::grad()`, `loss::value_and_grad()`, and `loss::function()` for all else. On an
/// `impl` of a struct that derives `gradus::Value`, it lets differentiable functions call the methods.
///
/// What of Rust it may consist of says `docs/rust.md`; anything else is an error of compilation, where it stands.
#[proc_macro_attribute]
pub fn differentiable(arguments: TokenStream, item: TokenStream) -> TokenStream {
    if let Some(argument) = arguments.into_iter().next() {
        let error = syn::Error::new(argument.span().into(), "`differentiable` takes no arguments");
        return [TokenStream::from(error.to_compile_error()), item].into_iter().collect();
    }
    match syn::parse::<syn::Item>(item.clone()) {
        Ok(syn::Item::Fn(f)) => function::expand(f).into(),
        Ok(syn::Item::Impl(methods)) => methods::expand(methods).into(),
        Ok(other) => {
            let message = "`differentiable` is for functions and for the methods of a struct";
            let error = syn::Error::new_spanned(&other, message).to_compile_error();
            [error, other.into_token_stream()].into_iter().collect::<proc_macro2::TokenStream>().into()
        }
        Err(error) => [TokenStream::from(error.to_compile_error()), item].into_iter().collect(),
    }
}

/// Makes a struct or an enum one whose values are arguments and results of programs, and which differentiable functions can use.
///
/// It implements `gradus::Record`: to a program in Python a struct is an instance of the dataclass of its name. The gradient in an enum
/// has a field for each variant with data, zeros for those that a value is not.
#[proc_macro_derive(Value)]
pub fn value(item: TokenStream) -> TokenStream {
    match syn::parse::<syn::Item>(item) {
        Ok(syn::Item::Struct(s)) => structure::expand(s).into(),
        Ok(syn::Item::Enum(e)) => enumeration::expand(e).into(),
        Ok(other) => syn::Error::new_spanned(&other, "`gradus::Value` is for structs and enums").to_compile_error().into(),
        Err(error) => error.to_compile_error().into(),
    }
}

//! `#[differentiable]` on a function.

use crate::item::{Described, describe};
use gradus_rust::Syntax;
use proc_macro2::TokenStream;
use quote::quote;
use syn::{FnArg, ItemFn, ReturnType, Type};

/// The function as it was, and the type beside it.
pub fn expand(f: ItemFn) -> TokenStream {
    let (name, vis) = (&f.sig.ident, &f.vis);
    let Described { errors, item, has_types } = describe(&name.to_string(), Syntax::Function(f.clone()));
    let derivatives = has_types.then(|| derivatives(&f));
    let doc = format!("The derivatives of the function `{name}`.");
    quote! {
        #[allow(dead_code)]
        #f
        #errors

        #[doc = #doc]
        #[allow(non_camel_case_types)]
        #vis struct #name {}

        #[doc(hidden)]
        impl ::gradus::rust::Declare for #name {
            const ITEM: ::gradus::rust::Item = #item;
            fn lowered() -> ::core::result::Result<::gradus::Function, ::gradus::Error> {
                static FUNCTION: ::gradus::rust::Lowered = ::gradus::rust::Lowered::new();
                FUNCTION.get_or_init(::gradus::rust::lower::<#name>).clone()
            }
        }

        #derivatives
    }
}

/// The compiled callables of a function whose arguments and result have types outside of Rust functions.
fn derivatives(f: &ItemFn) -> TokenStream {
    let name = &f.sig.ident;
    let arguments: Option<Vec<TokenStream>> = f
        .sig
        .inputs
        .iter()
        .map(|argument| match argument {
            FnArg::Typed(t) => data(&t.ty),
            FnArg::Receiver(_) => None,
        })
        .collect();
    let result = match &f.sig.output {
        ReturnType::Default => Some(quote! { () }),
        ReturnType::Type(_, ty) => data(ty),
    };
    let (Some(arguments), Some(result)) = (arguments, result) else { return TokenStream::new() };
    let arguments = match &arguments[..] {
        // A tuple would be taken for a list of arguments.
        [one] if one.to_string().starts_with('(') => quote! { (#one,) },
        [one] => one.clone(),
        several => quote! { (#(#several),*) },
    };
    let gradient = quote! { <#arguments as ::gradus::Data>::Gradient };
    let of_float = (result.to_string() == "f64").then(|| {
        quote! {
            /// See [`gradus::Differentiable::grad`].
            pub fn grad() -> ::core::result::Result<::gradus::Typed<#arguments, #gradient>, ::gradus::Error> {
                <Self as ::gradus::Differentiable>::grad()
            }

            /// See [`gradus::Differentiable::value_and_grad`].
            pub fn value_and_grad() -> ::core::result::Result<::gradus::Typed<#arguments, (f64, #gradient)>, ::gradus::Error> {
                <Self as ::gradus::Differentiable>::value_and_grad()
            }

            /// See [`gradus::Differentiable::hessian`].
            pub fn hessian<H: ::gradus::Data>() -> ::core::result::Result<::gradus::Typed<#arguments, H>, ::gradus::Error> {
                <Self as ::gradus::Differentiable>::hessian()
            }
        }
    });
    quote! {
        impl ::gradus::Differentiable for #name {
            type Args = #arguments;
            type Output = #result;
        }

        #[allow(dead_code)]
        impl #name {
            /// See [`gradus::Differentiable::function`].
            pub fn function() -> ::core::result::Result<::gradus::Function, ::gradus::Error> {
                <Self as ::gradus::Differentiable>::function()
            }

            /// See [`gradus::Differentiable::typed`].
            pub fn typed() -> ::core::result::Result<::gradus::Typed<#arguments, #result>, ::gradus::Error> {
                <Self as ::gradus::Differentiable>::typed()
            }

            /// See [`gradus::Differentiable::jvp`].
            #[allow(clippy::type_complexity)]
            pub fn jvp() -> ::core::result::Result<
                ::gradus::Typed<(#arguments, #gradient), (#result, <#result as ::gradus::Data>::Gradient)>,
                ::gradus::Error,
            > {
                <Self as ::gradus::Differentiable>::jvp()
            }

            /// See [`gradus::Differentiable::jacobian`].
            pub fn jacobian<J: ::gradus::Data>() -> ::core::result::Result<::gradus::Typed<#arguments, J>, ::gradus::Error> {
                <Self as ::gradus::Differentiable>::jacobian()
            }

            #of_float
        }
    }
}

/// The type that stands for a type of an argument or a result where values are owned: `Vec<f64>` for `&[f64]`.
pub fn data(ty: &Type) -> Option<TokenStream> {
    match ty {
        Type::Paren(t) => data(&t.elem),
        Type::Group(t) => data(&t.elem),
        Type::Reference(r) => data(&r.elem),
        Type::Slice(s) => {
            let element = data(&s.elem)?;
            matches!(&*element.to_string(), "f64" | "i64" | "bool").then(|| quote! { ::std::vec::Vec<#element> })
        }
        Type::Array(a) => {
            let (element, length) = (data(&a.elem)?, &a.len);
            Some(quote! { [#element; #length] })
        }
        Type::Tuple(t) => {
            let items = t.elems.iter().map(data).collect::<Option<Vec<_>>>()?;
            match &items[..] {
                [one] => Some(quote! { (#one,) }),
                items => Some(quote! { (#(#items),*) }),
            }
        }
        Type::Path(p) => Some(quote! { #p }),
        _ => None,
    }
}

//! `#[differentiable]` on a function.

use crate::item::{Described, describe};
use gradus_rust::{Syntax, check};
use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::{FnArg, GenericParam, Generics, Ident, ItemFn, ReturnType, Type};

/// The function as it was, and the type beside it.
pub fn expand(f: ItemFn) -> TokenStream {
    let (name, vis) = (&f.sig.ident, &f.vis);
    let Described { errors, item, has_types } = describe(&name.to_string(), Syntax::Function(f.clone()));
    let marker = format_ident!("__{name}");
    let signature = has_types.then(|| signature(&f, &marker));
    let doc = format!("The derivatives of the function `{name}`.");
    quote! {
        // Who uses its derivatives alone calls nothing of it as rustc sees it.
        #[allow(dead_code)]
        #f
        #errors

        #[doc = #doc]
        #[allow(non_camel_case_types, dead_code)]
        #vis type #name = ::gradus::Derivatives<#marker>;

        #[doc(hidden)]
        #[allow(non_camel_case_types)]
        #vis struct #marker;

        impl ::gradus::rust::Declare for #marker {
            const ITEM: ::gradus::rust::Item = #item;
        }

        #signature
    }
}

/// The types of a function whose arguments and result have types outside of Rust functions.
fn signature(f: &ItemFn, marker: &Ident) -> Option<TokenStream> {
    let arguments = f.sig.inputs.iter().map(|argument| match argument {
        FnArg::Typed(t) => data(&with_open_lengths(&f.sig.generics, &t.ty)?),
        FnArg::Receiver(_) => None,
    });
    let arguments: Vec<TokenStream> = arguments.collect::<Option<_>>()?;
    let result = match &f.sig.output {
        ReturnType::Default => quote! { () },
        ReturnType::Type(_, ty) => data(&with_open_lengths(&f.sig.generics, ty)?)?,
    };
    let arguments = match &arguments[..] {
        // A tuple would be taken for a list of arguments.
        [one] if one.to_string().starts_with('(') => quote! { (#one,) },
        [one] => one.clone(),
        several => quote! { (#(#several),*) },
    };
    Some(quote! {
        impl ::gradus::rust::Signature for #marker {
            type Args = #arguments;
            type Output = #result;
        }
    })
}

/// A type in which arrays whose length is a parameter are slices; none if it has parameters for types.
fn with_open_lengths(generics: &Generics, ty: &Type) -> Option<Type> {
    let mut ty = ty.clone();
    for parameter in &generics.params {
        match parameter {
            GenericParam::Lifetime(_) => {}
            GenericParam::Type(_) => return None,
            GenericParam::Const(c) => open(&c.ident, &mut ty),
        }
    }
    Some(ty)
}

fn open(length: &Ident, ty: &mut Type) {
    match ty {
        Type::Reference(r) => open(length, &mut r.elem),
        Type::Paren(t) => open(length, &mut t.elem),
        Type::Group(t) => open(length, &mut t.elem),
        Type::Slice(s) => open(length, &mut s.elem),
        Type::Tuple(t) => t.elems.iter_mut().for_each(|ty| open(length, ty)),
        Type::Array(a) => {
            open(length, &mut a.elem);
            if matches!(&a.len, syn::Expr::Path(p) if p.path.is_ident(length)) {
                let (bracket_token, elem) = (a.bracket_token, a.elem.clone());
                *ty = Type::Slice(syn::TypeSlice { bracket_token, elem });
            }
        }
        _ => {}
    }
}

/// The type that stands for a type of an argument or a result where values are owned: `Vec<f64>` for `&[f64]`.
pub fn data(ty: &Type) -> Option<TokenStream> {
    match ty {
        Type::Paren(t) => data(&t.elem),
        Type::Group(t) => data(&t.elem),
        Type::Reference(r) if r.mutability.is_some() => None,
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
        Type::Path(p) if let Some(last) = p.path.segments.last().filter(|s| s.ident == "Option" || s.ident == "Result") => {
            let syn::PathArguments::AngleBracketed(arguments) = &last.arguments else { return None };
            let types = arguments.args.iter().map(|argument| match argument {
                // What an error says in text does not get out.
                syn::GenericArgument::Type(ty) if !check::is_text(ty) => data(ty),
                _ => None,
            });
            let types = types.collect::<Option<Vec<_>>>()?;
            let name = &last.ident;
            Some(quote! { ::core::prelude::v1::#name<#(#types),*> })
        }
        Type::Path(p) => Some(quote! { #p }),
        _ => None,
    }
}

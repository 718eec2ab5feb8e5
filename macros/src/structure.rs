//! `#[derive(gradus::Value)]`.

use crate::item::{Described, describe};
use gradus_rust::{Int, Syntax};
use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::{ItemStruct, Type};

/// The struct as a record of programs, and its text for the functions that use it.
pub fn expand(s: ItemStruct) -> TokenStream {
    let name = &s.ident;
    let text = name.to_string();
    let Described { errors, item, .. } = describe(&text, Syntax::Struct(s.clone()));
    if !errors.is_empty() {
        return errors;
    }
    let types: Vec<TokenStream> = s.fields.iter().map(|f| f.ty.to_token_stream()).collect();
    let (gradient, definition) = gradient(&s);
    let record = record(&s, name, &types, &gradient);
    let numbers = 0..crate::methods::MAX;
    quote! {
        #record

        #definition

        #[doc(hidden)]
        impl ::gradus::rust::Structure for #name {
            const ITEM: ::gradus::rust::Item = #item;
            fn methods() -> ::std::vec::Vec<::gradus::rust::Item> {
                #[allow(unused_imports)]
                use ::gradus::rust::NoMethods as _;
                [#(::gradus::rust::MethodsOf::<#name, #numbers>::NEW.methods()),*].into_iter().flatten().collect()
            }
        }
    }
}

/// The type of gradients, and its definition if it is one of its own: where some fields have no derivative, a struct with `()` there.
fn gradient(s: &ItemStruct) -> (TokenStream, TokenStream) {
    let (name, vis) = (&s.ident, &s.vis);
    if s.fields.iter().all(|f| is_own_gradient(&f.ty)) {
        return (quote! { #name }, TokenStream::new());
    }
    let gradient = quote::format_ident!("{name}Gradient");
    let doc = format!("The gradient of a [`{name}`]: `()` where there is no derivative.");
    let fields: Vec<_> = s.fields.iter().filter_map(|f| f.ident.as_ref()).collect();
    let docs = fields.iter().map(|f| format!("That of `{f}`."));
    let visibilities = s.fields.iter().map(|f| &f.vis);
    let derived = |ty: &Type| quote! { <#ty as ::gradus::Data>::Gradient };
    let types: Vec<TokenStream> = s.fields.iter().map(|f| derived(&f.ty)).collect();
    let record = record(s, &gradient, &types, &quote! { #gradient });
    let definition = quote! {
        #[doc = #doc]
        #[derive(Clone, Copy, PartialEq, Debug)]
        #vis struct #gradient {
            #( #[doc = #docs] #visibilities #fields: #types ),*
        }

        #record
    };
    (quote! { #gradient }, definition)
}

/// That a struct, `s` itself or what its gradients are, is a record of programs, with fields of these types.
fn record(s: &ItemStruct, name: &syn::Ident, types: &[TokenStream], gradient: &TokenStream) -> TokenStream {
    let text = s.ident.to_string();
    let fields: Vec<_> = s.fields.iter().filter_map(|f| f.ident.as_ref()).collect();
    let names = fields.iter().map(|f| f.to_string());
    let passed = fields.iter().zip(&s.fields).map(|(f, field)| passed(f, &field.ty));
    quote! {
        impl ::gradus::Record for #name {
            const NAME: &'static str = #text;
            const FIELDS: &'static [&'static str] = &[#(#names),*];
            type Fields = (#(#types,)*);
            type Gradient = #gradient;
            fn fields(&self) -> impl ::gradus::Argument<(#(#types,)*)> {
                (#(#passed,)*)
            }
            fn from_fields((#(#fields,)*): (#(#types,)*)) -> Self {
                #name { #(#fields),* }
            }
        }
    }
}

/// Whether gradients in values of a type are of that type: so it is for floats and what holds nothing else. A struct is taken for
/// one.
fn is_own_gradient(ty: &Type) -> bool {
    match ty {
        Type::Paren(t) => is_own_gradient(&t.elem),
        Type::Group(t) => is_own_gradient(&t.elem),
        Type::Array(a) => is_own_gradient(&a.elem),
        Type::Tuple(t) => t.elems.iter().all(is_own_gradient),
        Type::Path(p) => match p.path.get_ident() {
            Some(name) => name != "bool" && Int::named(&name.to_string()).is_none(),
            None => true,
        },
        _ => true,
    }
}

/// A field as an argument: numbers, and tuples and arrays of them, are copied.
fn passed(field: &syn::Ident, ty: &Type) -> TokenStream {
    let is_number = |name: &syn::Ident| name == "f64" || name == "bool" || Int::named(&name.to_string()).is_some();
    match ty {
        Type::Array(_) | Type::Tuple(_) => quote! { self.#field },
        Type::Path(p) if p.path.get_ident().is_some_and(is_number) => quote! { self.#field },
        _ => quote! { &self.#field },
    }
}

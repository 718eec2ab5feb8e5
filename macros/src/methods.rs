//! `#[differentiable]` on the methods of a struct, its own and those of traits.

use crate::item::{Described, describe};
use gradus_rust::Syntax;
use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use std::collections::HashMap;
use std::sync::{LazyLock, Mutex};
use syn::{ImplItem, ItemImpl, Type};

/// How many blocks of methods a struct may have.
pub const MAX: usize = 32;

/// The methods as they were, and their text for the struct that they are of.
pub fn expand(methods: ItemImpl) -> TokenStream {
    let Some(ty) = owner(&methods) else {
        let message = "the methods are not those of a struct";
        let error = syn::Error::new_spanned(&methods.self_ty, message).to_compile_error();
        return quote! { #methods #error };
    };
    let name = ty.to_token_stream().to_string();
    let number = number(&name, &methods);
    if number >= MAX {
        let message = format!("a struct has at most {MAX} differentiable blocks of methods");
        let error = syn::Error::new_spanned(&methods.self_ty, message).to_compile_error();
        return quote! { #methods #error };
    }
    let Described { errors, item, .. } = describe(&name, Syntax::Methods(methods.clone()));
    quote! {
        // Who uses its derivatives alone calls nothing of it as rustc sees it.
        #[allow(dead_code)]
        #methods
        #errors

        #[doc(hidden)]
        impl ::gradus::rust::Methods<#number> for #ty {
            const ITEM: ::gradus::rust::Item = #item;
        }
    }
}

/// The struct that methods are kept with: the one that they are of, or of a number's the one that the trait is about, as in
/// `impl Mul<Vector> for f64`.
fn owner(methods: &ItemImpl) -> Option<&Type> {
    let of = structure(&methods.self_ty);
    of.or_else(|| {
        let (_, of_trait, _) = methods.trait_.as_ref()?;
        let syn::PathArguments::AngleBracketed(arguments) = &of_trait.segments.last()?.arguments else { return None };
        arguments
            .args
            .iter()
            .find_map(|argument| if let syn::GenericArgument::Type(ty) = argument { structure(ty) } else { None })
    })
}

fn structure(ty: &Type) -> Option<&Type> {
    match ty {
        Type::Reference(r) => structure(&r.elem),
        Type::Paren(t) => structure(&t.elem),
        Type::Group(t) => structure(&t.elem),
        Type::Path(p) => {
            let is_number =
                p.path.get_ident().is_some_and(|name| name == "f64" || gradus_rust::Int::named(&name.to_string()).is_some());
            (!is_number).then_some(ty)
        }
        _ => None,
    }
}

/// The number of a block of methods among those of a struct. A macro sees one block, and a type has no list of what is implemented for
/// it, so blocks are counted as the macro comes to them: by what they begin with, of which there is one for a struct of a name. (Two
/// structs of one name count together, and leave out each other's numbers.)
fn number(name: &str, methods: &ItemImpl) -> usize {
    static BLOCKS: LazyLock<Mutex<HashMap<String, Vec<String>>>> = LazyLock::new(Mutex::default);
    let head = match &methods.trait_ {
        Some((_, of_trait, _)) => format!("{} for {}", of_trait.to_token_stream(), methods.self_ty.to_token_stream()),
        None => {
            let names = methods
                .items
                .iter()
                .filter_map(|item| if let ImplItem::Fn(f) = item { Some(f.sig.ident.to_string()) } else { None });
            names.collect::<Vec<_>>().join(", ")
        }
    };
    let mut blocks = BLOCKS.lock().unwrap_or_else(|e| e.into_inner());
    let heads = blocks.entry(name.to_owned()).or_default();
    heads.iter().position(|known| *known == head).unwrap_or_else(|| {
        heads.push(head);
        heads.len() - 1
    })
}

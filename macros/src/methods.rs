//! `#[differentiable]` on the methods of a struct.

use crate::item::{Described, describe};
use gradus_rust::Syntax;
use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::ItemImpl;

/// The methods as they were, and their text for the struct that they are of.
pub fn expand(methods: ItemImpl) -> TokenStream {
    let ty = &methods.self_ty;
    if let Some((_, of, _)) = &methods.trait_ {
        let error = syn::Error::new_spanned(of, "the methods of a trait cannot be differentiated").to_compile_error();
        return quote! { #methods #error };
    }
    let name = ty.to_token_stream().to_string();
    let Described { errors, item, .. } = describe(&name, Syntax::Methods(methods.clone()));
    quote! {
        // Who uses its derivatives alone calls nothing of it as rustc sees it.
        #[allow(dead_code)]
        #methods
        #errors

        #[doc(hidden)]
        impl ::gradus::rust::Methods for #ty {
            const ITEM: ::gradus::rust::Item = #item;
        }
    }
}

//! `#[derive(gradus::Value)]` on an enum.

use crate::item::{Described, describe};
use crate::structure::{derived, derives, known, passed};
use gradus_rust::data::Data;
use gradus_rust::{Refusal, Syntax};
use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::{Fields, Ident, ItemEnum, Type, Variant};

/// The most fields that a record of a program has, one of which is the number of the variant.
const MAX_FIELDS: usize = 12;

/// The enum as a record of programs, and its text for the functions that use it.
pub fn expand(e: ItemEnum) -> TokenStream {
    let name = &e.ident;
    let text = name.to_string();
    let syntax = Syntax::Enum(e.clone());
    let data = Data::of(&syntax).unwrap_or_default();
    let Described { mut errors, item, .. } = describe(&text, syntax);
    if data.fields.len() > MAX_FIELDS {
        let message = format!("an enum has at most {} variants with data", MAX_FIELDS - 1);
        errors.extend(Refusal::new(name, message).compile_error());
    }
    if e.variants.is_empty() {
        errors.extend(Refusal::new(name, "an enum without variants has no values").compile_error());
    }
    if !errors.is_empty() {
        return errors;
    }
    let contents: Vec<&Type> = data.fields.iter().skip(1).map(|(_, ty)| ty).collect();
    let payloads: Vec<TokenStream> = contents.iter().map(|ty| quote! { ::gradus::rust::Payload<#ty> }).collect();
    let (gradient, definition) = gradient(&e, &data, &contents);
    let fields = data.fields.iter().map(|(name, _)| name);
    let tags: Vec<i64> = data.variants.iter().map(|v| v.tag).collect();
    let variants: Vec<&Ident> = e.variants.iter().map(|v| &v.ident).collect();
    let with_data: Vec<&Variant> = e.variants.iter().filter(|v| !v.fields.is_empty()).collect();
    let given = with_data.iter().map(|variant| given(name, variant));
    let names: Vec<Ident> = (0..with_data.len()).map(|i| format_ident!("data{i}")).collect();
    let mut made: Vec<TokenStream> = Vec::new();
    let mut next = names.iter();
    for variant in &e.variants {
        let from = if variant.fields.is_empty() { None } else { next.next() };
        made.push(made_of(variant, from));
    }
    // What a program gives is one of the variants.
    let last = made.pop();
    let others = &tags[..made.len()];
    let constants = e.variants.iter().map(|variant| constant(name, variant));
    let known = known(name, &item);
    quote! {
        impl ::gradus::Record for #name {
            const NAME: &'static str = #text;
            const FIELDS: &'static [&'static str] = &[#(#fields),*];
            type Fields = (i64, #(#payloads,)*);
            type Gradient = #gradient;
            #[allow(unreachable_patterns)]
            fn fields(&self) -> impl ::gradus::Argument<(i64, #(#payloads,)*)> {
                let tag = match self { #( Self::#variants { .. } => #tags, )* };
                (tag, #(#given,)*)
            }
            #[allow(unused_variables)]
            fn from_fields((tag, #(#names,)*): (i64, #(#payloads,)*)) -> Self {
                match tag {
                    #( #others => #made, )*
                    _ => #last,
                }
            }
        }

        #definition

        #known

        #[doc(hidden)]
        impl ::core::convert::From<#name> for ::gradus::rust::Constant {
            fn from(value: #name) -> ::gradus::rust::Constant {
                #[allow(unused_imports)]
                use ::gradus::rust::NoConstant as _;
                let (name, data) = match &value { #(#constants,)* };
                let reference = <#name as ::gradus::rust::Structure>::reference;
                ::gradus::rust::Constant::Data(reference, ::core::option::Option::Some(name), data)
            }
        }
    }
}

/// The variables for the data of a variant, and the pattern that binds them.
fn taken(of: &Ident, variant: &Variant) -> (Vec<Ident>, TokenStream) {
    let variables: Vec<Ident> = (0..variant.fields.len()).map(|i| format_ident!("x{i}")).collect();
    let (name, members) = (&variant.ident, variant.fields.members());
    let pattern = quote! { #of::#name { #(#members: #variables),* } };
    (variables, pattern)
}

/// The data of a variant as an argument, if a value is that variant.
fn given(of: &Ident, variant: &Variant) -> TokenStream {
    let (variables, pattern) = taken(of, variant);
    let values = variables.iter().zip(&variant.fields).map(|(x, field)| passed(&quote! { *#x }, &field.ty));
    let values: Vec<TokenStream> = values.collect();
    let value = match &values[..] {
        [one] => one.clone(),
        several => quote! { (#(#several),*) },
    };
    quote! { match self { #pattern => ::core::option::Option::Some(#value), _ => ::core::option::Option::None } }
}

/// A variant of data that is in a variable.
fn made_of(variant: &Variant, from: Option<&Ident>) -> TokenStream {
    let (name, members) = (&variant.ident, variant.fields.members());
    let parts = (0..variant.fields.len()).map(|i| match variant.fields.len() {
        1 => quote! { #from.0 },
        _ => {
            let i = syn::Index::from(i);
            quote! { #from.0.#i }
        }
    });
    quote! { Self::#name { #(#members: #parts),* } }
}

/// A variant as a constant: its name and its data.
fn constant(of: &Ident, variant: &Variant) -> TokenStream {
    let (variables, pattern) = taken(of, variant);
    let text = variant.ident.to_string();
    quote! { #pattern => (#text, ::std::vec![#(::gradus::rust::ConstantOf(#variables).constant()),*]) }
}

/// The type of gradients, and its definition: a field for each variant with data. There is none where no variant has data.
fn gradient(e: &ItemEnum, data: &Data, contents: &[&Type]) -> (TokenStream, TokenStream) {
    if contents.is_empty() {
        return (quote! { () }, TokenStream::new());
    }
    let (name, vis, text) = (&e.ident, &e.vis, e.ident.to_string());
    let gradient = format_ident!("{name}Gradient");
    let doc = format!("The gradient in a [`{name}`]: in the data of each variant, zeros for those that the value is not.");
    let derives = derives(contents.iter().copied());
    let with_data: Vec<&Variant> = e.variants.iter().filter(|v| !v.fields.is_empty()).collect();
    let names: Vec<Ident> = with_data.iter().map(|v| snake(&v.ident)).collect();
    let docs = with_data.iter().map(|v| match &v.fields {
        Fields::Named(_) if v.fields.len() > 1 => format!("Those of `{}`, in the order of its fields.", v.ident),
        _ => format!("That of `{}`.", v.ident),
    });
    let types: Vec<TokenStream> = contents.iter().map(|ty| derived(ty)).collect();
    let fields = data.fields.iter().map(|(name, _)| name);
    let passed = names.iter().zip(contents).map(|(name, ty)| passed(&quote! { self.#name }, ty));
    let definition = quote! {
        #[doc = #doc]
        #derives
        #vis struct #gradient {
            #( #[doc = #docs] pub #names: #types ),*
        }

        impl ::gradus::Record for #gradient {
            const NAME: &'static str = #text;
            const FIELDS: &'static [&'static str] = &[#(#fields),*];
            type Fields = ((), #(#types,)*);
            type Gradient = #gradient;
            fn fields(&self) -> impl ::gradus::Argument<((), #(#types,)*)> {
                ((), #(#passed,)*)
            }
            fn from_fields(((), #(#names,)*): ((), #(#types,)*)) -> Self {
                #gradient { #(#names),* }
            }
        }
    };
    (quote! { #gradient }, definition)
}

/// The name of a field for a variant: `DownAndOut` is `down_and_out`.
fn snake(name: &Ident) -> Ident {
    let mut text = String::new();
    let mut after_lower = false;
    for c in name.to_string().chars() {
        if c.is_uppercase() && after_lower {
            text.push('_');
        }
        after_lower = c.is_lowercase() || c.is_numeric();
        text.extend(c.to_lowercase());
    }
    match syn::parse_str::<Ident>(&text) {
        Ok(_) => Ident::new(&text, name.span()),
        // A word of the language.
        Err(_) => format_ident!("{text}_", span = name.span()),
    }
}

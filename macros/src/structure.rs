//! `#[derive(gradus::Value)]` on a struct.

use crate::item::{Described, describe};
use gradus_rust::{Int, Syntax};
use proc_macro2::TokenStream;
use quote::{ToTokens, format_ident, quote};
use syn::{Fields, Ident, ItemStruct, Member, Type};

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
    let known = known(name, &item);
    let members = s.fields.members();
    quote! {
        #record

        #definition

        #known

        #[doc(hidden)]
        impl ::core::convert::From<#name> for ::gradus::rust::Constant {
            #[allow(unused_variables)]
            fn from(value: #name) -> ::gradus::rust::Constant {
                #[allow(unused_imports)]
                use ::gradus::rust::NoConstant as _;
                let fields = ::std::vec![#(::gradus::rust::ConstantOf(&value.#members).constant()),*];
                ::gradus::rust::Constant::Data(<#name as ::gradus::rust::Structure>::reference, ::core::option::Option::None, fields)
            }
        }
    }
}

/// What functions that use a type find of it: its text, and its methods.
pub fn known(name: &Ident, item: &TokenStream) -> TokenStream {
    let numbers = 0..crate::methods::MAX;
    quote! {
        #[doc(hidden)]
        impl ::gradus::rust::Structure for #name {
            fn reference() -> ::gradus::rust::Reference {
                #[allow(unused_imports)]
                use ::gradus::rust::NoMethods as _;
                let methods = [#(::gradus::rust::MethodsOf::<#name, #numbers>::NEW.methods()),*];
                ::gradus::rust::Reference::Struct(#item, methods.into_iter().flatten().collect())
            }
        }
    }
}

/// The type of gradients, and its definition if it is one of its own: where some fields have no derivative, a struct with `()` there.
/// That a field is a struct or an enum which is not its own gradient only rustc knows.
fn gradient(s: &ItemStruct) -> (TokenStream, TokenStream) {
    let (name, vis) = (&s.ident, &s.vis);
    let own: Vec<Option<bool>> = s.fields.iter().map(|f| is_own_gradient(&f.ty)).collect();
    if own.iter().all(|own| *own == Some(true)) {
        return (quote! { #name }, TokenStream::new());
    }
    let gradient = format_ident!("{name}Gradient");
    let doc = format!("The gradient of a [`{name}`]: `()` where there is no derivative.");
    let derives = derives(s.fields.iter().map(|f| &f.ty));
    let types: Vec<TokenStream> = s.fields.iter().map(|f| derived(&f.ty)).collect();
    let record = record(s, &gradient, &types, &quote! { #gradient });
    let is_certain = own.contains(&Some(false));
    // Where the struct is its own gradient after all, which only rustc's types decide, nobody uses this one.
    let unused = (!is_certain).then(|| quote! { #[allow(dead_code)] });
    let fields = s.fields.iter().zip(s.fields.members()).zip(&types).map(|((field, member), ty)| {
        let (vis, doc) = (&field.vis, format!("That of `{}`.", member.to_token_stream()));
        match &field.ident {
            Some(name) => quote! { #[doc = #doc] #vis #name: #ty },
            None => quote! { #[doc = #doc] #vis #ty },
        }
    });
    let body = match &s.fields {
        Fields::Named(_) => quote! { { #(#fields),* } },
        _ => quote! { (#(#fields),*); },
    };
    let definition = quote! {
        #[doc = #doc]
        #derives
        #unused
        #vis struct #gradient #body

        #record
    };
    if is_certain {
        return (quote! { #gradient }, definition);
    }
    let all: Vec<&Type> = s.fields.iter().map(|f| &f.ty).collect();
    let is_own = quote! { <(#(#all,)*) as ::gradus::Data>::IsOwnGradient };
    (quote! { <#is_own as ::gradus::rust::Answer>::Choose<#name, #gradient> }, definition)
}

/// What the gradient in values of a type is.
pub fn derived(ty: &Type) -> TokenStream {
    quote! { <#ty as ::gradus::Data>::Gradient }
}

/// What a struct of gradients derives: it is copied where it is made of numbers alone.
pub fn derives<'t>(types: impl IntoIterator<Item = &'t Type>) -> TokenStream {
    fn is_numbers(ty: &Type) -> bool {
        match ty {
            Type::Paren(t) => is_numbers(&t.elem),
            Type::Group(t) => is_numbers(&t.elem),
            Type::Array(a) => is_numbers(&a.elem),
            Type::Tuple(t) => t.elems.iter().all(is_numbers),
            Type::Path(p) => p.path.get_ident().is_some_and(is_number),
            _ => false,
        }
    }
    if types.into_iter().all(is_numbers) {
        quote! { #[derive(Clone, Copy, PartialEq, Debug)] }
    } else {
        quote! { #[derive(Clone, PartialEq, Debug)] }
    }
}

/// That a struct, `s` itself or what its gradients are, is a record of programs, with fields of these types.
fn record(s: &ItemStruct, name: &Ident, types: &[TokenStream], gradient: &TokenStream) -> TokenStream {
    let text = s.ident.to_string();
    let members: Vec<Member> = s.fields.members().collect();
    let names: Vec<Ident> = members.iter().map(variable).collect();
    let texts = names.iter().map(ToString::to_string);
    let passed = members.iter().zip(&s.fields).map(|(member, field)| passed(&quote! { self.#member }, &field.ty));
    quote! {
        #[allow(clippy::unused_unit)]
        impl ::gradus::Record for #name {
            const NAME: &'static str = #text;
            const FIELDS: &'static [&'static str] = &[#(#texts),*];
            type Fields = (#(#types,)*);
            type Gradient = #gradient;
            fn fields(&self) -> impl ::gradus::Argument<(#(#types,)*)> {
                (#(#passed,)*)
            }
            fn from_fields((#(#names,)*): (#(#types,)*)) -> Self {
                #name { #(#members: #names),* }
            }
        }
    }
}

/// The name of a field in programs.
fn variable(member: &Member) -> Ident {
    match member {
        Member::Named(name) => name.clone(),
        Member::Unnamed(i) => format_ident!("_{}", i.index),
    }
}

/// Whether gradients in values of a type are of that type: so it is for floats and what holds nothing else. Of a type that only has a name
/// it is not known.
fn is_own_gradient(ty: &Type) -> Option<bool> {
    match ty {
        Type::Paren(t) => is_own_gradient(&t.elem),
        Type::Group(t) => is_own_gradient(&t.elem),
        Type::Array(a) => is_own_gradient(&a.elem),
        Type::Tuple(t) => {
            let items: Vec<Option<bool>> = t.elems.iter().map(is_own_gradient).collect();
            if items.contains(&Some(false)) { Some(false) } else { items.into_iter().min().unwrap_or(Some(true)) }
        }
        Type::Path(p) => match p.path.get_ident() {
            Some(name) if name == "f64" => Some(true),
            Some(name) if is_number(name) => Some(false),
            None if p.path.segments.last().is_some_and(|s| s.ident == "Option") => Some(false),
            _ => None,
        },
        _ => Some(true),
    }
}

fn is_number(name: &Ident) -> bool {
    name == "f64" || name == "bool" || Int::named(&name.to_string()).is_some()
}

/// A field as an argument: numbers, and tuples and arrays of them, are copied.
pub fn passed(field: &TokenStream, ty: &Type) -> TokenStream {
    match ty {
        Type::Array(_) | Type::Tuple(_) => quote! { #field },
        Type::Path(p) if p.path.get_ident().is_some_and(is_number) => quote! { #field },
        Type::Path(p) if p.path.segments.last().is_some_and(|s| s.ident == "Option") => quote! { #field },
        _ => quote! { &#field },
    }
}

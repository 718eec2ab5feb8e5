//! What is left behind of an item: its text, and what its paths stand for.

use crate::layout::layout;
use gradus_rust::check::{self, Checked, Mention};
use gradus_rust::program::FunctionId;
use gradus_rust::{Program, Refusal, Syntax};
use proc_macro2::TokenStream;
use quote::{ToTokens, quote};

/// What is left behind of an item.
pub struct Described {
    /// The messages about it, as errors of compilation.
    pub errors: TokenStream,
    /// The expression that is its `gradus::rust::Item`.
    pub item: TokenStream,
    /// Whether nothing is wrong with the types of its functions.
    pub has_types: bool,
}

/// Checks an item.
pub fn describe(name: &str, syntax: Syntax) -> Described {
    let tokens = text_of(&syntax);
    let program = Program::alone(name.into(), syntax);
    let syntax = &program.items[0].syntax;
    let has_types = (0..syntax.functions().len()).all(|index| check::boundary(&program, FunctionId { item: 0, index }).is_ok());
    let functions = (0..syntax.all_functions().len()).map(|index| FunctionId { item: 0, index });
    let mut errors = TokenStream::new();
    let mut known = Vec::new();
    let mut note = |checked: Result<Checked, Vec<Refusal>>| match checked {
        Ok(checked) => known.extend(checked.mentions),
        Err(refusals) => refusals.iter().for_each(|r| errors.extend(r.compile_error())),
    };
    note(check::structure(&program, 0));
    functions.for_each(|f| note(check::function(&program, f)));
    known.sort_by(|a, b| a.0.cmp(&b.0));
    known.dedup_by(|a, b| a.0 == b.0);
    let refers = known.iter().map(|((mention, key), path)| {
        let reference = match mention {
            Mention::Function => quote! { ::gradus::rust::Reference::Function(<#path as ::gradus::rust::Declare>::ITEM) },
            Mention::Struct => quote! { <#path as ::gradus::rust::Structure>::reference() },
            Mention::Constant => quote! { ::gradus::rust::Reference::Constant(::gradus::rust::Constant::from(#path)) },
        };
        quote! { (#key, #reference) }
    });
    let (line, text) = layout(tokens);
    let line = line as u32;
    let item = quote! {
        ::gradus::rust::Item {
            name: #name,
            file: ::core::file!(),
            line: #line,
            text: #text,
            refers: || ::std::vec![#(#refers),*],
        }
    };
    Described { errors, item, has_types }
}

/// The tokens of an item without its attributes, which say nothing here.
fn text_of(syntax: &Syntax) -> TokenStream {
    match syntax.clone() {
        Syntax::Function(mut f) => {
            f.attrs.clear();
            f.into_token_stream()
        }
        Syntax::Struct(mut s) => {
            s.attrs.clear();
            s.fields.iter_mut().for_each(|field| field.attrs.clear());
            s.into_token_stream()
        }
        Syntax::Enum(mut e) => {
            e.attrs.clear();
            for variant in &mut e.variants {
                variant.attrs.clear();
                variant.fields.iter_mut().for_each(|field| field.attrs.clear());
            }
            e.into_token_stream()
        }
        Syntax::Methods(mut methods) => {
            methods.attrs.clear();
            for item in &mut methods.items {
                if let syn::ImplItem::Fn(f) = item {
                    f.attrs.clear();
                }
            }
            methods.into_token_stream()
        }
    }
}

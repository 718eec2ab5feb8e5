//! Why a piece of Rust is refused.

use proc_macro2::{Span, TokenStream};
use quote::ToTokens;

/// A message about a piece of syntax.
#[derive(Clone, Debug)]
pub struct Refusal {
    /// Its first and its last token.
    pub place: [Span; 2],
    /// One line, lower case, without a full stop.
    pub message: String,
    /// What to write instead, where there is a way.
    pub hint: Option<String>,
}

/// The result of looking at a piece of syntax.
pub type Result<T> = std::result::Result<T, Refusal>;

impl Refusal {
    /// A refusal of this syntax.
    pub fn new(at: &impl ToTokens, message: impl Into<String>) -> Refusal {
        Refusal { place: place(at), message: message.into(), hint: None }
    }

    /// A construct outside of the subset.
    pub fn unsupported(at: &impl ToTokens, what: impl std::fmt::Display) -> Refusal {
        Refusal::new(at, format!("{what} cannot be differentiated"))
    }

    /// Adds a hint.
    pub fn hint(self, hint: impl Into<String>) -> Refusal {
        Refusal { hint: Some(hint.into()), ..self }
    }

    /// The invocation of `compile_error!` that shows this message, and the hint below.
    pub fn compile_error(&self) -> TokenStream {
        let message = match &self.hint {
            Some(hint) => format!("{}\nhint: {hint}", self.message),
            None => self.message.clone(),
        };
        let [start, end] = self.place;
        let mut tokens = TokenStream::new();
        // rustc shows what lies between the first and the last token of the invocation.
        let first = quote::quote_spanned!(start => ::core::compile_error!);
        let last = quote::quote_spanned!(end => { #message });
        tokens.extend([first, last]);
        tokens
    }
}

/// The first and the last token of a piece of syntax.
pub fn place(at: &impl ToTokens) -> [Span; 2] {
    let mut tokens = at.to_token_stream().into_iter();
    let start = tokens.next().map_or_else(Span::call_site, |t| t.span());
    let end = tokens.last().map_or(start, |t| t.span());
    [start, end]
}

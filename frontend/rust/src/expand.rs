//! Macros: what those stand for that are known. Macros are not expanded by rustc before an attribute sees them, so what is looked at in
//! their place is made here.
//!
//! ```text
//! assert!(c, "…", x)      if !(c) { fail("…", x) }
//! assert_eq!(a, b)        match (a, b) { (__left, __right) => if !(__left == __right) { fail("…", __left, __right) } }
//! panic!("…", x)          fail("…", x)
//! matches!(e, p)          match e { p => true, _ => false }
//! vec![a, b]              [a, b]
//! ```
//!
//! `fail` is a call of the macro itself: of an expression that no program has, so that it is taken for nothing else.

use crate::program::Syntax;
use crate::refusal::{Refusal, Result};
use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote_spanned};
use rustc_hash::FxHashMap;
use syn::parse::{ParseStream, Parser};
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{Expr, ExprCall, ExprMacro, Lit, Macro, Pat, Stmt, Token};

/// What macros stand for, by their addresses.
pub type Expansions = FxHashMap<*const Macro, Result<Box<Expr>>>;

/// Adds what the macros of an item stand for. Its text is that of the tokens, where it is known.
pub fn expand(syntax: &Syntax, text: Option<&str>, found: &mut Expansions) {
    let mut search = Search { text, found };
    match syntax {
        Syntax::Function(f) => search.visit_item_fn(f),
        Syntax::Struct(_) | Syntax::Enum(_) => {}
        Syntax::Methods(methods) => search.visit_item_impl(methods),
    }
}

/// Whether control does not get behind a macro.
pub fn never_returns(mac: &Macro) -> bool {
    matches!(&*name(mac), "panic" | "unreachable" | "todo" | "unimplemented")
}

fn name(mac: &Macro) -> String {
    mac.path.segments.last().map_or_else(String::new, |s| s.ident.to_string())
}

struct Search<'s> {
    text: Option<&'s str>,
    found: &'s mut Expansions,
}

impl<'a> Visit<'a> for Search<'_> {
    fn visit_macro(&mut self, mac: &'a Macro) {
        let expansion = self.expansion(mac).map(Box::new);
        if let Ok(e) = &expansion {
            // The box keeps its place.
            self.visit_expr(e);
        }
        self.found.insert(std::ptr::from_ref(mac), expansion);
    }

    fn visit_expr_call(&mut self, call: &'a ExprCall) {
        match &*call.func {
            Expr::Macro(_) => call.args.iter().for_each(|e| self.visit_expr(e)),
            _ => visit::visit_expr_call(self, call),
        }
    }
}

impl Search<'_> {
    fn expansion(&self, mac: &Macro) -> Result<Expr> {
        let name = name(mac);
        match &*name {
            "assert" | "debug_assert" => {
                let args = arguments(mac)?;
                let Some((condition, message)) = args.split_first() else {
                    return Err(Refusal::new(mac, "a condition is missing"));
                };
                let failure = match message {
                    [] => failure(mac, &format!("assertion failed: {}", escape(&self.shown(condition))), Vec::new()),
                    message => said(mac, "", message)?,
                };
                let mut check: syn::ExprIf = parse(quote_spanned!(mac.span()=> if !(#condition) {}))?;
                check.then_branch.stmts.push(Stmt::Expr(failure, None));
                Ok(check.into())
            }
            "assert_eq" | "debug_assert_eq" | "assert_ne" | "debug_assert_ne" => compared(mac, name.ends_with("eq")),
            "panic" => match &arguments(mac)?[..] {
                [] => Ok(failure(mac, "explicit panic", Vec::new())),
                message => said(mac, "", message),
            },
            "todo" | "unimplemented" | "unreachable" => {
                let what = match &*name {
                    "todo" => "not yet implemented",
                    "unimplemented" => "not implemented",
                    _ => "internal error: entered unreachable code",
                };
                match &arguments(mac)?[..] {
                    [] => Ok(failure(mac, what, Vec::new())),
                    message => said(mac, &format!("{what}: "), message),
                }
            }
            "matches" => {
                let parser = |input: ParseStream<'_>| {
                    let value: Expr = input.parse()?;
                    input.parse::<Token![,]>()?;
                    let pattern = Pat::parse_multi_with_leading_vert(input)?;
                    let rest: TokenStream = input.parse()?;
                    Ok((value, pattern, rest))
                };
                let (value, pattern, guard) = parser.parse2(mac.tokens.clone()).map_err(|e| unreadable(mac, &e))?;
                // What is behind the pattern is its guard, or the comma that may end a list.
                let guard = if guard.to_string() == "," { TokenStream::new() } else { guard };
                parse(quote_spanned!(mac.span()=> match #value { #pattern #guard => true, _ => false }))
            }
            "vec" => {
                let items = &mac.tokens;
                parse(quote_spanned!(mac.span()=> [#items]))
            }
            _ => Err(refuse(mac, &name)),
        }
    }

    /// The text of an expression.
    fn shown(&self, e: &Expr) -> String {
        let [start, end] = crate::refusal::place(e).map(|span| span.byte_range());
        let text = self.text.and_then(|text| text.get(start.start..end.end));
        text.map_or_else(|| e.to_token_stream().to_string(), |text| text.split_whitespace().collect::<Vec<_>>().join(" "))
    }
}

/// `assert_eq!`, and `assert_ne!`: both values are computed once.
fn compared(mac: &Macro, equal: bool) -> Result<Expr> {
    let args = arguments(mac)?;
    let [left, right, message @ ..] = &args[..] else { return Err(Refusal::new(mac, "two values are compared")) };
    let sign = if equal { "==" } else { "!=" };
    let operator: TokenStream = sign.parse().expect("it is an operator");
    let values = ["__left", "__right"].map(|name| syn::Ident::new(name, mac.span()));
    let [a, b] = &values;
    let mut check: syn::ExprIf = parse(quote_spanned!(mac.span()=> if !(#a #operator #b) {}))?;
    let (mut template, mut shown) = (format!("assertion `left {sign} right` failed"), Vec::new());
    if !message.is_empty() {
        let (text, values) = format(message)?;
        template += &format!(": {text}");
        shown = values;
    }
    template += "\n  left: {}\n right: {}";
    for value in &values {
        shown.push(parse(value.to_token_stream())?);
    }
    check.then_branch.stmts.push(Stmt::Expr(failure(mac, &template, shown), None));
    let mut whole: syn::ExprMatch = parse(quote_spanned!(mac.span()=> match (#left, #right) { (#a, #b) => {} }))?;
    *whole.arms[0].body = check.into();
    Ok(whole.into())
}

/// Fails with a message that is written as for `format!`.
fn said(mac: &Macro, before: &str, message: &[Expr]) -> Result<Expr> {
    let (template, values) = format(message)?;
    Ok(failure(mac, &format!("{before}{template}"), values))
}

/// The call that fails with a message: a template as [`gradus_ir::format`] has them, and the values in it.
fn failure(mac: &Macro, template: &str, values: Vec<Expr>) -> Expr {
    let template: Expr = syn::ExprLit { attrs: Vec::new(), lit: Lit::Str(syn::LitStr::new(template, mac.span())) }.into();
    ExprCall {
        attrs: Vec::new(),
        func: Box::new(ExprMacro { attrs: Vec::new(), mac: mac.clone() }.into()),
        paren_token: syn::token::Paren(mac.span()),
        args: std::iter::once(template).chain(values).collect(),
    }
    .into()
}

fn escape(text: &str) -> String {
    text.replace('{', "{{").replace('}', "}}")
}

/// A message as `format!` takes it: a template of the IR, and the values in the order of their places.
fn format(message: &[Expr]) -> Result<(String, Vec<Expr>)> {
    let (first, args) = message.split_first().expect("there is a message");
    let Expr::Lit(syn::ExprLit { lit: Lit::Str(literal), .. }) = first else {
        return Err(Refusal::new(first, "a message begins with its text").hint("write `\"{}\", x`"));
    };
    let text = literal.value();
    let (mut template, mut values, mut next) = (String::new(), Vec::new(), 0);
    let mut rest = &text[..];
    while let Some(at) = rest.find(['{', '}']) {
        template.push_str(&rest[..at]);
        rest = &rest[at..];
        if rest.starts_with("{{") || rest.starts_with("}}") {
            template.push_str(&rest[..2]);
            rest = &rest[2..];
            continue;
        }
        let end = rest.find('}').ok_or_else(|| Refusal::new(literal, "a brace is not closed"))?;
        let (argument, spec) = rest[1..end].split_once(':').unwrap_or((&rest[1..end], ""));
        rest = &rest[end + 1..];
        values.push(
            value(literal.span(), argument.trim(), args, &mut next)
                .ok_or_else(|| Refusal::new(literal, format!("there is no value for `{{{argument}}}`")))?,
        );
        template.push_str(&place(spec).ok_or_else(|| Refusal::unsupported(literal, format!("the format `{spec}`")))?);
    }
    Ok((template + rest, values))
}

/// The value that a place in a message is for: the next, one by its number or its name, or a variable.
fn value(span: Span, argument: &str, args: &[Expr], next: &mut usize) -> Option<Expr> {
    if argument.is_empty() {
        *next += 1;
        return args.get(*next - 1).cloned();
    }
    if let Ok(number) = argument.parse::<usize>() {
        return args.get(number).cloned();
    }
    let named = args.iter().find_map(|arg| match arg {
        Expr::Assign(a) if matches!(&*a.left, Expr::Path(p) if p.path.is_ident(argument)) => Some((*a.right).clone()),
        _ => None,
    });
    let variable = || {
        let name: syn::Ident = syn::parse_str(argument).ok()?;
        parse(syn::Ident::new(&name.to_string(), span).into_token_stream()).ok()
    };
    named.or_else(variable)
}

/// The place of a value in a template of the IR, whose formats are Python's.
fn place(spec: &str) -> Option<String> {
    let plain = spec.trim_end_matches('?');
    if !plain.chars().all(|c| "<>^+.0123456789".contains(c)) {
        return None;
    }
    Some(match plain {
        "" => "{}".into(),
        // A precision is one of digits behind the point.
        plain if plain.contains('.') => format!("{{:{plain}f}}"),
        plain => format!("{{:{plain}}}"),
    })
}

fn arguments(mac: &Macro) -> Result<Vec<Expr>> {
    let parsed = mac.parse_body_with(Punctuated::<Expr, Token![,]>::parse_terminated).map_err(|e| unreadable(mac, &e))?;
    Ok(parsed.into_iter().collect())
}

fn parse<T: syn::parse::Parse>(tokens: TokenStream) -> Result<T> {
    let at = tokens.clone();
    syn::parse2(tokens).map_err(|e| Refusal::new(&at, e.to_string()))
}

fn unreadable(mac: &Macro, e: &syn::Error) -> Refusal {
    Refusal::new(&mac.path, e.to_string())
}

/// A macro that has no meaning here.
fn refuse(mac: &Macro, name: &str) -> Refusal {
    let refusal = Refusal::unsupported(&mac.path, format!("`{name}!`"));
    match name {
        "println" | "print" | "eprintln" | "eprint" | "dbg" => refusal.hint("return what is to be shown"),
        "format" => refusal.hint("text is in the messages of `assert!` and `panic!` alone"),
        _ => refusal.hint("write what it stands for, or make it a function"),
    }
}

//! The check: whether a function is in the subset, what its names stand for, and what types its expressions have.
//!
//! The macros run it on one function, of which nothing else is known; what comes from elsewhere then has any type. It runs again
//! where the whole program is at hand, before lowering, which reads what it found.

mod calls;
mod expr;
mod pattern;

use crate::program::{Constant, FunctionId, Program, Resolved, Syntax, path_key};
use crate::refusal::{Refusal, Result};
use crate::types::{Int, Kind, Ty, Types};
use quote::ToTokens;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use syn::{Block, Expr, FnArg, ReturnType, Stmt};

/// A variable of a function, by its number.
pub type Local = u32;

/// What a path stands for in an expression.
#[derive(Clone, Debug)]
pub enum Use {
    /// A variable.
    Local(Local),
    /// A function of the program.
    Function(FunctionId),
    /// A method of `f64` or of integers, by its name.
    Method(String),
    /// A constant.
    Constant(Constant),
    /// Something outside of what is known.
    Elsewhere,
}

/// How a path is used that leads out of an item.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Mention {
    /// As a function.
    Function,
    /// As a struct.
    Struct,
    /// As a constant.
    Constant,
}

/// What is known of a function.
#[derive(Default)]
pub struct Checked {
    /// The types.
    pub types: Types,
    /// The names of variables.
    pub locals: Vec<String>,
    local_types: Vec<Ty>,
    /// The types of expressions, by their addresses.
    of: FxHashMap<*const Expr, Ty>,
    uses: FxHashMap<*const Expr, Use>,
    bindings: FxHashMap<*const syn::PatIdent, Local>,
    /// The types of patterns that take structs apart.
    pub(crate) patterns: FxHashMap<*const syn::Pat, Ty>,
    /// The constants that patterns are.
    pub(crate) compared: FxHashMap<*const syn::Pat, Constant>,
    /// The variable that is `self`.
    pub this: Option<Local>,
    /// Paths that lead out of the function.
    pub mentions: BTreeMap<(Mention, String), syn::Path>,
}

impl Checked {
    /// What is known of the type of an expression.
    pub fn kind(&self, e: &Expr) -> &Kind {
        self.of.get(&std::ptr::from_ref(e)).map_or(&Kind::Unknown, |&ty| self.types.kind(ty))
    }

    /// What a path stands for.
    pub fn used(&self, e: &Expr) -> &Use {
        self.uses.get(&std::ptr::from_ref(e)).unwrap_or(&Use::Elsewhere)
    }

    /// The variable that a pattern binds.
    pub fn bound(&self, p: &syn::PatIdent) -> Local {
        self.bindings[&std::ptr::from_ref(p)]
    }
}

/// Checks a function; the messages are all that is wrong with it.
pub fn function(program: &Program, f: FunctionId) -> std::result::Result<Checked, Vec<Refusal>> {
    let mut checker = Checker::new(program, f.item);
    let (signature, body) = program.function(f);
    if let Err(refusal) = checker.function(signature, body) {
        checker.refusals.push(refusal);
    }
    if checker.refusals.is_empty() { Ok(checker.known) } else { Err(checker.refusals) }
}

/// What a value of a type is made of.
#[derive(Clone, PartialEq, Debug)]
pub enum Form {
    /// Something without an array.
    Plain,
    /// An array, of so many axes.
    Array(usize),
    /// A tuple or a struct.
    Fields(Kind, Vec<Form>),
}

/// What the parameters and the result of a function are made of.
pub fn boundary(program: &Program, f: FunctionId) -> Result<(Vec<Form>, Form)> {
    let mut checker = Checker::new(program, f.item);
    let (signature, _) = program.function(f);
    checker.signature(f.item, signature)?;
    let params = signature.inputs.iter().map(|argument| match argument {
        FnArg::Typed(t) => checker.form(&t.ty),
        FnArg::Receiver(_) => Ok(Form::Plain),
    });
    let params = params.collect::<Result<_>>()?;
    let result = match &signature.output {
        ReturnType::Default => Form::Plain,
        ReturnType::Type(_, ty) => checker.form(ty)?,
    };
    Ok((params, result))
}

/// Checks a struct, and says what it mentions.
pub fn structure(program: &Program, item: usize) -> std::result::Result<Checked, Vec<Refusal>> {
    let mut checker = Checker::new(program, item);
    if let Syntax::Struct(s) = &program.items[item].syntax {
        if !s.generics.params.is_empty() {
            checker.refusals.push(Refusal::new(&s.generics, "a struct with parameters is not supported"));
        }
        if !matches!(s.fields, syn::Fields::Named(_)) {
            let what = if s.fields.is_empty() { s.ident.to_token_stream() } else { s.fields.to_token_stream() };
            let refusal = Refusal::new(&what, "a struct has fields with names here");
            checker.refusals.push(refusal.hint(format!("write `struct {} {{ x: f64, … }}`", s.ident)));
        }
        for field in &s.fields {
            // Other types than those of the subset are refused where a function looks at the field.
            let _ = checker.ty(&field.ty);
        }
    }
    if checker.refusals.is_empty() { Ok(checker.known) } else { Err(checker.refusals) }
}

/// A loop around what is checked.
struct Loop {
    label: Option<String>,
    /// The type of what `break` gives, of a `loop`.
    gives: Option<Ty>,
}

struct Checker<'p> {
    program: &'p Program,
    /// The item whose paths these are.
    item: usize,
    known: Checked,
    /// The variables in scope, the innermost last, each with how many closures are around it.
    scope: Vec<(String, Local, usize)>,
    /// The variables of the first alternatives of the patterns whose others are checked.
    alternatives: Vec<(String, Local)>,
    loops: Vec<Loop>,
    /// What the functions around this place return; the innermost last.
    results: Vec<Ty>,
    /// Whether this is in a closure that is run where it stands.
    inline: bool,
    refusals: Vec<Refusal>,
}

impl<'p> Checker<'p> {
    fn new(program: &'p Program, item: usize) -> Checker<'p> {
        Checker {
            program,
            item,
            known: Checked::default(),
            scope: Vec::new(),
            alternatives: Vec::new(),
            loops: Vec::new(),
            results: Vec::new(),
            inline: false,
            refusals: Vec::new(),
        }
    }

    fn new_type(&mut self, kind: Kind) -> Ty {
        self.known.types.new_type(kind)
    }

    fn kind(&self, ty: Ty) -> Kind {
        self.known.types.kind(ty).clone()
    }

    /// Says that two types are one. rustc reports what does not fit, where it is to report something.
    fn same(&mut self, a: Ty, b: Ty, at: &impl ToTokens) -> Result<()> {
        if self.known.types.unify(a, b) || !self.program.is_complete {
            return Ok(());
        }
        Err(Refusal::new(at, "the types do not fit here"))
    }

    /// What is not known: anything, where the rest of the program is not at hand.
    fn elsewhere(&mut self, at: &impl ToTokens, what: impl Into<String>) -> Result<Ty> {
        if self.program.is_complete { Err(Refusal::new(at, what)) } else { Ok(self.known.types.unknown()) }
    }

    fn function(&mut self, signature: &'p syn::Signature, body: &'p Block) -> Result<()> {
        let refused = [
            (signature.asyncness.as_ref().map(ToTokens::to_token_stream), "an `async` function"),
            (signature.unsafety.as_ref().map(ToTokens::to_token_stream), "an `unsafe` function"),
            (signature.abi.as_ref().map(ToTokens::to_token_stream), "a function of another language"),
        ];
        for (part, what) in refused {
            if let Some(part) = part {
                return Err(Refusal::unsupported(&part, what));
            }
        }
        for parameter in &signature.generics.params {
            match parameter {
                syn::GenericParam::Lifetime(_) => {}
                syn::GenericParam::Type(t) => {
                    return Err(Refusal::new(t, "a function with type parameters is not supported")
                        .hint("write the types, and `impl Fn(f64) -> f64` for a function"));
                }
                syn::GenericParam::Const(c) => {
                    return Err(
                        Refusal::new(c, "a function with constant parameters is not supported").hint("take a slice: `&[f64]`")
                    );
                }
            }
        }
        let (params, result) = self.signature(self.item, signature)?;
        self.results.push(result);
        for (argument, ty) in signature.inputs.iter().zip(params) {
            match argument {
                FnArg::Receiver(_) => {
                    let this = self.bind("self", ty);
                    self.known.this = Some(this);
                }
                FnArg::Typed(t) => self.pattern(&t.pat, ty)?,
            }
        }
        let found = self.block(body)?;
        self.same(found, result, &signature.output)
    }

    /// The types of parameters and result, in a function of an item.
    fn signature(&mut self, item: usize, signature: &'p syn::Signature) -> Result<(Vec<Ty>, Ty)> {
        let here = std::mem::replace(&mut self.item, item);
        let types = self.signature_here(signature);
        self.item = here;
        types
    }

    fn signature_here(&mut self, signature: &'p syn::Signature) -> Result<(Vec<Ty>, Ty)> {
        let mut params = Vec::new();
        for argument in &signature.inputs {
            params.push(match argument {
                FnArg::Receiver(r) if r.reference.is_some() && r.mutability.is_some() => {
                    return Err(
                        Refusal::unsupported(r, "a method that changes its value").hint("take `self`, and return the new value")
                    );
                }
                FnArg::Receiver(r) => self.this_type(r)?,
                FnArg::Typed(t) => self.ty(&t.ty)?,
            });
        }
        let result = match &signature.output {
            ReturnType::Default => self.known.types.unit(),
            ReturnType::Type(_, ty) => self.ty(ty)?,
        };
        Ok((params, result))
    }

    /// The type that methods are of.
    fn this_type(&mut self, at: &impl ToTokens) -> Result<Ty> {
        match self.program.items[self.item].of {
            Some(of) => Ok(self.new_type(Kind::Struct(of))),
            None => self.elsewhere(at, "there is no type that `self` is of"),
        }
    }

    /// The type that is written.
    fn ty(&mut self, ty: &syn::Type) -> Result<Ty> {
        match ty {
            syn::Type::Paren(t) => self.ty(&t.elem),
            syn::Type::Group(t) => self.ty(&t.elem),
            syn::Type::Infer(_) => Ok(self.known.types.unknown()),
            syn::Type::Reference(r) if r.mutability.is_some() => {
                Err(Refusal::unsupported(r, "what is written through a reference").hint("return the new value"))
            }
            syn::Type::Reference(r) => self.ty(&r.elem),
            syn::Type::Tuple(t) => {
                let items = t.elems.iter().map(|t| self.ty(t)).collect::<Result<_>>()?;
                Ok(self.new_type(Kind::Tuple(items)))
            }
            syn::Type::Array(syn::TypeArray { elem, .. }) | syn::Type::Slice(syn::TypeSlice { elem, .. }) => {
                let element = self.ty(elem)?;
                self.check_element(element, elem)?;
                Ok(self.new_type(Kind::Array(element)))
            }
            syn::Type::ImplTrait(syn::TypeImplTrait { bounds, .. })
            | syn::Type::TraitObject(syn::TypeTraitObject { bounds, .. }) => self.function_type(bounds, ty),
            syn::Type::BareFn(f) => {
                let params = f.inputs.iter().map(|t| self.ty(&t.ty)).collect::<Result<_>>()?;
                self.function_of(params, &f.output)
            }
            syn::Type::Path(p) if p.qself.is_none() => self.named_type(&p.path),
            other => Err(Refusal::unsupported(other, "a value of this type")),
        }
    }

    fn function_of(&mut self, params: Vec<Ty>, output: &ReturnType) -> Result<Ty> {
        let result = match output {
            ReturnType::Default => self.known.types.unit(),
            ReturnType::Type(_, ty) => self.ty(ty)?,
        };
        Ok(self.new_type(Kind::Fn(params, result)))
    }

    /// `impl Fn(A…) -> R`.
    fn function_type<'b>(&mut self, bounds: impl IntoIterator<Item = &'b syn::TypeParamBound>, at: &impl ToTokens) -> Result<Ty> {
        for bound in bounds {
            if let syn::TypeParamBound::Trait(t) = bound
                && let Some(last) = t.path.segments.last()
                && last.ident == "Fn"
                && let syn::PathArguments::Parenthesized(args) = &last.arguments
            {
                let params = args.inputs.iter().map(|t| self.ty(t)).collect::<Result<_>>()?;
                return self.function_of(params, &args.output);
            }
        }
        Err(Refusal::unsupported(at, "a value of this type").hint("functions are `impl Fn(f64) -> f64`"))
    }

    fn named_type(&mut self, path: &syn::Path) -> Result<Ty> {
        let name = path_key(path);
        if let Some(int) = Int::named(&name) {
            return Ok(self.new_type(Kind::Int(int)));
        }
        match &*name {
            "f64" => return Ok(self.new_type(Kind::F64)),
            "bool" => return Ok(self.new_type(Kind::Bool)),
            "f32" => return Err(Refusal::unsupported(path, "`f32`").hint("compute in `f64`")),
            "i128" | "u128" => return Err(Refusal::unsupported(path, format!("`{name}`")).hint("`i64` is the longest")),
            "char" | "str" | "String" => return Err(Refusal::unsupported(path, format!("`{name}`"))),
            "Vec" => {
                let Some(element) = type_argument(path) else { return Ok(self.known.types.unknown()) };
                let ty = self.ty(element)?;
                self.check_element(ty, element)?;
                return Ok(self.new_type(Kind::Array(ty)));
            }
            "Option" | "Result" | "Box" => return Err(Refusal::unsupported(path, format!("`{name}`"))),
            "Self" => return self.this_type(path),
            _ => {}
        }
        if let Some(segment) = path.segments.iter().find(|s| !s.arguments.is_none()) {
            return Err(Refusal::unsupported(&segment.arguments, "a type with parameters"));
        }
        match self.resolve(Mention::Struct, path) {
            Some(Resolved::Struct(of)) => Ok(self.new_type(Kind::Struct(of))),
            _ => self.elsewhere(path, format!("`{name}` is no struct that derives `gradus::Value`")),
        }
    }

    /// Arrays hold numbers, booleans and arrays of them.
    fn check_element(&mut self, element: Ty, at: &impl ToTokens) -> Result<()> {
        match self.kind(element) {
            Kind::Tuple(_) | Kind::Struct(_) | Kind::Fn(..) | Kind::Iter(_) => {
                Err(Refusal::new(at, "an array holds numbers here").hint("keep an array for each field"))
            }
            _ => Ok(()),
        }
    }

    /// What a path leads to, which is noted.
    fn resolve(&mut self, mention: Mention, path: &syn::Path) -> Option<Resolved> {
        let key = path_key(path);
        let found = self.program.items[self.item].refers.get(&*key).cloned();
        if !self.program.is_complete {
            self.known.mentions.entry((mention, key)).or_insert_with(|| path.clone());
        }
        found
    }

    /// What a value of the type that is written is made of. A slice or a `Vec` is the array that it is to callers.
    fn form(&mut self, ty: &syn::Type) -> Result<Form> {
        match ty {
            syn::Type::Paren(t) => self.form(&t.elem),
            syn::Type::Group(t) => self.form(&t.elem),
            syn::Type::Reference(t) => self.form(&t.elem),
            syn::Type::Array(t) => match self.form(&t.elem)? {
                Form::Array(axes) => Ok(Form::Array(axes + 1)),
                _ => Ok(Form::Array(1)),
            },
            syn::Type::Tuple(t) => {
                let forms = t.elems.iter().map(|t| self.form(t)).collect::<Result<_>>()?;
                let known = self.ty(ty)?;
                Ok(Form::Fields(self.kind(known), forms))
            }
            syn::Type::Path(_) => {
                let known = self.ty(ty)?;
                let kind = self.kind(known);
                let Kind::Struct(of) = kind else { return Ok(Form::Plain) };
                let program = self.program;
                let here = std::mem::replace(&mut self.item, of);
                let forms = program.fields(of).into_iter().map(|(_, ty)| self.form(ty)).collect::<Result<_>>();
                self.item = here;
                Ok(Form::Fields(kind, forms?))
            }
            _ => Ok(Form::Plain),
        }
    }

    /// A variable from here on.
    fn bind(&mut self, name: &str, ty: Ty) -> Local {
        let local = self.known.locals.len() as Local;
        self.known.locals.push(name.into());
        self.scope.push((name.into(), local, self.results.len()));
        self.known.local_types.push(ty);
        local
    }

    fn block(&mut self, block: &'p Block) -> Result<Ty> {
        let scope = self.scope.len();
        let mut last = None;
        for stmt in &block.stmts {
            match self.statement(stmt) {
                Ok(ty) => last = ty,
                Err(refusal) => {
                    self.refusals.push(refusal);
                    last = Some(self.known.types.unknown());
                }
            }
        }
        self.scope.truncate(scope);
        match last {
            Some(ty) => Ok(ty),
            None if block.stmts.iter().any(never_ends) => Ok(self.known.types.unknown()),
            None => Ok(self.known.types.unit()),
        }
    }

    /// The type of a statement that a block ends with, if it gives a value.
    fn statement(&mut self, stmt: &'p Stmt) -> Result<Option<Ty>> {
        match stmt {
            Stmt::Expr(e, None) => self.expr(e).map(Some),
            Stmt::Expr(e, Some(_)) => self.expr(e).map(|_| None),
            Stmt::Local(l) => {
                let ty = match &l.init {
                    Some(init) => {
                        if let Some((_, other)) = &init.diverge {
                            return Err(Refusal::unsupported(&**other, "`let … else`").hint("write `if` and `else`"));
                        }
                        self.expr(&init.expr)?
                    }
                    None => self.known.types.unknown(),
                };
                self.pattern(&l.pat, ty)?;
                Ok(None)
            }
            Stmt::Item(item) => Err(Refusal::unsupported(item, "an item within a function").hint("move it out of the function")),
            Stmt::Macro(m) => Err(refuse_macro(&m.mac)),
        }
    }
}

/// `T` of `Vec<T>`.
fn type_argument(path: &syn::Path) -> Option<&syn::Type> {
    let syn::PathArguments::AngleBracketed(args) = &path.segments.last()?.arguments else { return None };
    match args.args.first() {
        Some(syn::GenericArgument::Type(ty)) => Some(ty),
        _ => None,
    }
}

/// Macros are not expanded.
fn refuse_macro(mac: &syn::Macro) -> Refusal {
    let name = mac.path.segments.last().map_or_else(String::new, |s| s.ident.to_string());
    let refusal = Refusal::unsupported(&mac.path, format!("`{name}!`"));
    match &*name {
        "vec" => refusal.hint("make an array, `[0.0; 3]`"),
        "assert" | "debug_assert" | "panic" | "unreachable" | "todo" => {
            refusal.hint("check the arguments in a function around this one")
        }
        "println" | "print" | "dbg" => refusal.hint("return what is to be shown"),
        "matches" => refusal.hint("compare by `==`"),
        _ => refusal,
    }
}

/// Whether control does not get behind a statement.
fn never_ends(stmt: &Stmt) -> bool {
    matches!(stmt, Stmt::Expr(e, _) if diverges(e))
}

/// Whether control does not get behind an expression.
pub fn diverges(e: &Expr) -> bool {
    match e {
        Expr::Return(_) | Expr::Break(_) | Expr::Continue(_) => true,
        Expr::Block(b) => b.block.stmts.iter().any(never_ends),
        Expr::Paren(p) => diverges(&p.expr),
        Expr::If(i) => i.then_branch.stmts.iter().any(never_ends) && i.else_branch.as_ref().is_some_and(|(_, e)| diverges(e)),
        Expr::Match(m) => m.arms.iter().all(|arm| diverges(&arm.body)),
        Expr::Loop(l) => !has_break(&l.body),
        _ => false,
    }
}

/// Whether a `loop` is left by `break`. A label is taken to be that of the loop.
fn has_break(body: &Block) -> bool {
    struct Search(bool, usize);
    impl<'a> syn::visit::Visit<'a> for Search {
        fn visit_expr_break(&mut self, b: &'a syn::ExprBreak) {
            self.0 |= self.1 == 0 || b.label.is_some();
            syn::visit::visit_expr_break(self, b);
        }
        fn visit_expr_while(&mut self, e: &'a syn::ExprWhile) {
            self.1 += 1;
            syn::visit::visit_expr_while(self, e);
            self.1 -= 1;
        }
        fn visit_expr_for_loop(&mut self, e: &'a syn::ExprForLoop) {
            self.1 += 1;
            syn::visit::visit_expr_for_loop(self, e);
            self.1 -= 1;
        }
        fn visit_expr_loop(&mut self, e: &'a syn::ExprLoop) {
            self.1 += 1;
            syn::visit::visit_expr_loop(self, e);
            self.1 -= 1;
        }
        fn visit_expr_closure(&mut self, _: &'a syn::ExprClosure) {}
    }
    let mut search = Search(false, 0);
    syn::visit::Visit::visit_block(&mut search, body);
    search.0
}

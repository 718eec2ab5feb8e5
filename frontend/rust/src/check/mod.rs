//! The check: whether a function is in the subset, what its names stand for, and what types its expressions have.
//!
//! The macros run it on one function, of which nothing else is known; what comes from elsewhere then has any type. It runs again
//! where the whole program is at hand, before lowering, which reads what it found.

mod calls;
mod control;
mod data;
mod expr;
mod iterators;
mod numbers;
mod operators;
mod options;
mod pattern;
mod results;
mod signature;

use crate::data::Data;
use crate::program::{Constant, FunctionId, Program, Resolved, Syntax, path_key};
use crate::refusal::{Refusal, Result};
use crate::types::{Kind, Ty, Types};
use quote::ToTokens;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;
use syn::{Block, Expr, FnArg, Item, ReturnType, Stmt};

pub use calls::{is_empty_vec, range_of};
pub use control::has_let;
use control::never_ends;
pub use data::{Absent, Shape, absent, absent_fields, is_rest, spread};
pub use iterators::is_filtered;
pub use operators::{behind_mut, is_assignment};
pub use pattern::is_some;
pub use results::is_ok;
pub use signature::{is_changed, is_text, variable};

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
    /// `Some`.
    Some,
    /// `None`.
    None,
    /// `Ok`, or `Err`.
    Result(bool),
    /// `f64::from` and its like.
    From,
    /// What makes a value of a struct or an enum: the struct or the variant.
    Data(Shape),
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

/// A step from a value to a part of it, as types have them.
#[derive(Clone, Copy, Debug)]
pub enum Way {
    /// A field of a tuple.
    Field(usize),
    /// Any element of an array.
    Element,
}

/// A parameter for a length: the variable, and the array whose length it is, as a part of an argument.
#[derive(Clone, Debug)]
pub struct Length {
    /// The variable.
    pub local: Local,
    /// The number of the argument.
    pub argument: usize,
    /// The way to the array.
    pub way: Vec<Way>,
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
    /// The functions that methods and operators stand for, by the addresses of these.
    methods: FxHashMap<*const (), FunctionId>,
    /// The variables that closures change.
    changed: FxHashMap<*const syn::ExprClosure, Vec<Local>>,
    /// The variables that are declared as `mut`.
    pub(crate) mutable: FxHashSet<Local>,
    /// The variables that hold closures which change others.
    pub(crate) changing: FxHashMap<Local, Vec<Local>>,
    /// The types of patterns that take structs and arrays apart.
    pub(crate) patterns: FxHashMap<*const syn::Pat, Ty>,
    /// The structs and variants that literals and patterns are of, by the addresses of these.
    shapes: FxHashMap<*const (), Shape>,
    /// The constants that patterns are.
    pub(crate) compared: FxHashMap<*const syn::Pat, Constant>,
    /// The variable that is `self`.
    pub this: Option<Local>,
    /// The types of the parameters.
    pub(crate) params: Vec<Ty>,
    /// The parameters for lengths.
    pub lengths: Vec<Length>,
    /// The constants within the function.
    constants: FxHashMap<*const syn::ItemConst, Local>,
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

    /// The function that a method or an operator stands for.
    pub fn method<T>(&self, e: &T) -> Option<FunctionId> {
        self.methods.get(&std::ptr::from_ref(e).cast()).copied()
    }

    /// The struct or the variant that a literal or a pattern is of.
    pub fn shape<T>(&self, e: &T) -> Option<Shape> {
        self.shapes.get(&std::ptr::from_ref(e).cast()).copied()
    }

    /// The variables around a closure that it changes.
    pub fn changed(&self, c: &syn::ExprClosure) -> &[Local] {
        self.changed.get(&std::ptr::from_ref(c)).map_or(&[], Vec::as_slice)
    }

    /// The variable that a constant within the function is.
    pub fn constant(&self, c: &syn::ItemConst) -> Local {
        self.constants[&std::ptr::from_ref(c)]
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
    checker.functions = program.around(f);
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
    /// An array of such.
    Rows(Box<Form>),
    /// An option, and what stands in the place of its content.
    Option(Box<Form>, Absent),
    /// A result, and what stands in the place of its value and of its error.
    Result(Box<[(Form, Absent); 2]>),
}

impl Form {
    /// What an array is made of whose elements are made of this.
    pub fn of_elements(self) -> Form {
        match self {
            Form::Array(axes) => Form::Array(axes + 1),
            Form::Plain => Form::Array(1),
            rows => Form::Rows(Box::new(rows)),
        }
    }
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

/// What the fields of a struct are made of.
pub fn field_forms(program: &Program, of: usize) -> Result<Vec<Form>> {
    Checker::new(program, of).field_forms(of)
}

/// Checks a struct or an enum, and says what it mentions.
pub fn structure(program: &Program, item: usize) -> std::result::Result<Checked, Vec<Refusal>> {
    let mut checker = Checker::new(program, item);
    let generics = match &program.items[item].syntax {
        Syntax::Struct(s) => &s.generics,
        Syntax::Enum(e) => &e.generics,
        _ => return Ok(checker.known),
    };
    if !generics.params.is_empty() {
        checker.refusals.push(Refusal::new(generics, "a type with parameters is not supported"));
    }
    if let Err(refusal) = Data::of(&program.items[item].syntax) {
        checker.refusals.push(refusal);
    }
    let is_enum = !program.variants(item).is_empty();
    for (_, ty) in program.fields(item) {
        // Other types than those of the subset are refused where a function looks at the field. What takes the place of the data of
        // other variants is there in any function that has a value of the enum.
        match checker.absent(ty) {
            Err(refusal) if is_enum => checker.refusals.push(refusal),
            _ => {}
        }
    }
    if checker.refusals.is_empty() { Ok(checker.known) } else { Err(checker.refusals) }
}

/// A loop around what is checked.
struct Loop {
    label: Option<String>,
    /// The type of what `break` gives, of a `loop` or a block.
    gives: Option<Ty>,
    /// Whether it is a block, which is left by its label alone.
    is_block: bool,
}

struct Checker<'p> {
    program: &'p Program,
    /// The item whose paths these are.
    item: usize,
    known: Checked,
    /// The variables in scope, the innermost last, each with how many closures are around it.
    scope: Vec<(String, Local, usize)>,
    /// The functions within this one that are in scope.
    functions: Vec<String>,
    /// The types that the parameters for types stand for.
    generics: Vec<(String, Ty)>,
    /// The variables of the first alternatives of the patterns whose others are checked.
    alternatives: Vec<(String, Local)>,
    loops: Vec<Loop>,
    /// What the functions around this place return; the innermost last.
    results: Vec<Ty>,
    /// The variables that the closures around this place change; the innermost last.
    changes: Vec<Vec<Local>>,
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
            functions: Vec::new(),
            generics: Vec::new(),
            alternatives: Vec::new(),
            loops: Vec::new(),
            results: Vec::new(),
            changes: Vec::new(),
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

    /// What a path leads to, which is noted.
    fn resolve(&mut self, mention: Mention, path: &syn::Path) -> Option<Resolved> {
        let key = path_key(path);
        let found = self.program.items[self.item].refers.get(&*key).cloned();
        if !self.program.is_complete {
            self.known.mentions.entry((mention, key)).or_insert_with(|| path.clone());
        }
        found
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
        let (mut last, functions) = (None, self.functions.len());
        // Items are known before the statements that they stand among.
        for stmt in &block.stmts {
            if let Stmt::Item(item) = stmt {
                self.item_within(item)?;
            }
        }
        for stmt in &block.stmts {
            match self.statement(stmt) {
                Ok(ty) => last = ty,
                Err(refusal) => {
                    self.refusals.push(refusal);
                    last = Some(self.known.types.unknown());
                }
            }
        }
        self.functions.truncate(functions);
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
                            let ty = self.expr(&init.expr)?;
                            self.expr(other)?;
                            return self.case(&l.pat, ty).map(|()| None);
                        }
                        return self.let_value(&l.pat, &init.expr).map(|()| None);
                    }
                    None => self.known.types.unknown(),
                };
                self.pattern(&l.pat, ty)?;
                Ok(None)
            }
            Stmt::Item(_) => Ok(None),
            Stmt::Macro(m) => {
                let ty = self.macro_type(&m.mac)?;
                Ok(m.semi_token.is_none().then_some(ty))
            }
        }
    }

    /// `let` with a value: with a closure that changes variables, or with a reference through which one is changed, the variable stands
    /// for what it is.
    fn let_value(&mut self, pattern: &'p syn::Pat, value: &'p Expr) -> Result<()> {
        match (value, signature::variable(pattern)) {
            (Expr::Closure(c), Some(i)) => {
                let ty = self.let_closure(value, c)?;
                self.pattern(pattern, ty)?;
                let changed = self.known.changed(c).to_vec();
                if !changed.is_empty() {
                    let local = self.known.bound(i);
                    self.known.changing.insert(local, changed);
                }
                Ok(())
            }
            (Expr::Reference(r), Some(_)) if r.mutability.is_some() => {
                let ty = self.changed(value)?;
                self.pattern(pattern, ty)
            }
            _ => {
                let ty = self.expr(value)?;
                self.pattern(pattern, ty)
            }
        }
    }

    /// What a macro stands for.
    fn macro_type(&mut self, mac: &'p syn::Macro) -> Result<Ty> {
        let program = self.program;
        self.expr(program.expansion(mac)?)
    }

    /// An item within a function: a constant is a variable, functions are found by their names.
    fn item_within(&mut self, item: &'p Item) -> Result<()> {
        match item {
            Item::Fn(f) if self.program.within_twice(self.item, &f.sig) => {
                Err(Refusal::new(&f.sig.ident, "there are two functions of this name within an item")
                    .hint("give one of them another name"))
            }
            Item::Fn(f) => {
                self.functions.push(f.sig.ident.to_string());
                Ok(())
            }
            Item::Use(_) => Ok(()),
            Item::Const(c) => {
                let ty = self.ty(&c.ty)?;
                self.expr_of(&c.expr, ty)?;
                let local = self.bind(&c.ident.to_string(), ty);
                self.known.constants.insert(std::ptr::from_ref(c), local);
                Ok(())
            }
            other => {
                Err(Refusal::unsupported(other, "an item of this kind within a function").hint("move it out of the function"))
            }
        }
    }
}

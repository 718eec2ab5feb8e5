//! What the macros leave of a program, and the program that an item and all that it refers to are.

use crate::data::{Data, Variant};
use crate::expand::{Expansions, expand};
use crate::refusal::{Refusal, Result};
use crate::types::Int;
use rustc_hash::FxHashMap;
use std::fmt;
use syn::visit::{self, Visit};
use syn::{Block, Expr, ImplItem, ItemFn, Macro, Signature};

/// A function, a struct, an enum or a block of methods, as it stands in the source. The macros make one of each.
#[derive(Clone, Copy)]
pub struct Item {
    /// Its name.
    pub name: &'static str,
    /// The file, as rustc names it.
    pub file: &'static str,
    /// The line on which it begins.
    pub line: u32,
    /// Its text, as it is laid out in the file.
    pub text: &'static str,
    /// What its paths stand for. A function, since items may refer to each other.
    pub refers: fn() -> Vec<(&'static str, Reference)>,
}

impl Item {
    fn key(&self) -> (&'static str, u32, &'static str, &'static str) {
        (self.file, self.line, self.name, self.text)
    }
}

impl fmt::Debug for Item {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({}:{})", self.name, self.file, self.line)
    }
}

/// What a path stands for.
#[derive(Clone, Debug)]
pub enum Reference {
    /// A function.
    Function(Item),
    /// A struct or an enum, with its methods and those of traits.
    Struct(Item, Vec<Item>),
    /// Another type, which has a second name.
    Type(Alias<Reference>),
    /// A constant.
    Constant(Constant),
}

/// The type that a second name stands for.
#[derive(Clone, Debug)]
pub enum Alias<T> {
    /// The type of numbers with this name, or `bool`.
    Number(&'static str),
    /// An array, or a `Vec`, of which no length is known.
    Array(Box<T>, Option<usize>),
    /// A tuple.
    Tuple(Vec<T>),
}

/// The value of a constant.
#[derive(Clone, Debug)]
pub enum Constant {
    /// A float.
    F64(f64),
    /// An integer of the type with this name.
    Int(&'static str, i128),
    /// A boolean.
    Bool(bool),
    /// An array.
    Array(Vec<Constant>),
    /// A struct or an enum: the type, the variant, and the fields.
    Data(fn() -> Reference, Option<&'static str>, Vec<Constant>),
    /// A value of another type.
    Unknown,
}

macro_rules! constants {
    ($($t:ident)*) => { $(
        impl From<$t> for Constant {
            fn from(v: $t) -> Constant {
                Constant::Int(stringify!($t), v as i128)
            }
        }
    )* };
}

constants! { i8 i16 i32 i64 isize u8 u16 u32 u64 usize }

impl From<f64> for Constant {
    fn from(v: f64) -> Constant {
        Constant::F64(v)
    }
}

impl From<bool> for Constant {
    fn from(v: bool) -> Constant {
        Constant::Bool(v)
    }
}

impl<T: Into<Constant>, const N: usize> From<[T; N]> for Constant {
    fn from(v: [T; N]) -> Constant {
        Constant::Array(v.into_iter().map(T::into).collect())
    }
}

impl<T: Into<Constant>> From<Vec<T>> for Constant {
    fn from(v: Vec<T>) -> Constant {
        Constant::Array(v.into_iter().map(T::into).collect())
    }
}

impl<T: Into<Constant> + Copy> From<&T> for Constant {
    fn from(v: &T) -> Constant {
        (*v).into()
    }
}

/// The syntax of an item.
#[derive(Clone)]
pub enum Syntax {
    /// A function.
    Function(syn::ItemFn),
    /// A struct.
    Struct(syn::ItemStruct),
    /// An enum.
    Enum(syn::ItemEnum),
    /// The methods of a struct or an enum.
    Methods(syn::ItemImpl),
}

impl Syntax {
    /// The functions of an item: one, or the methods, in their order.
    pub fn functions(&self) -> Vec<(&Signature, &Block)> {
        match self {
            Syntax::Function(f) => vec![(&f.sig, &f.block)],
            Syntax::Struct(_) | Syntax::Enum(_) => Vec::new(),
            Syntax::Methods(methods) => {
                let functions = methods.items.iter().filter_map(|item| if let ImplItem::Fn(f) = item { Some(f) } else { None });
                functions.map(|f| (&f.sig, &f.block)).collect()
            }
        }
    }

    /// The functions of an item, and after them those that are within them.
    pub fn all_functions(&self) -> Vec<(&Signature, &Block)> {
        let mut all = self.functions();
        let mut within = Within(Vec::new());
        all.iter().for_each(|(_, body)| within.visit_block(body));
        all.extend(within.0);
        all
    }
}

/// The functions within a function.
struct Within<'a>(Vec<(&'a Signature, &'a Block)>);

impl<'a> Visit<'a> for Within<'a> {
    fn visit_item_fn(&mut self, f: &'a ItemFn) {
        self.0.push((&f.sig, &f.block));
        visit::visit_item_fn(self, f);
    }
}

/// A path that an item mentions, as a place in the program.
#[derive(Clone, Debug)]
pub enum Resolved {
    /// The function that an item is.
    Function(usize),
    /// The struct or the enum that an item is.
    Struct(usize),
    /// Another type.
    Type(Alias<Resolved>),
    /// A constant.
    Constant(Constant),
}

/// A function of the program: the item, and the place among all its functions.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct FunctionId {
    /// The item.
    pub item: usize,
    /// Which of its functions.
    pub index: usize,
}

/// An item of the program.
pub struct Declared {
    /// Its name.
    pub name: String,
    /// Its syntax.
    pub syntax: Syntax,
    /// What its paths stand for.
    pub refers: FxHashMap<&'static str, Resolved>,
    /// What a struct or an enum is made of.
    pub data: Data,
    /// The blocks of methods of a struct.
    pub methods: Vec<usize>,
    /// The struct that methods are of.
    pub of: Option<usize>,
}

/// Items that refer to each other. The first is the one that was asked for.
pub struct Program {
    /// The items.
    pub items: Vec<Declared>,
    /// Whether all that is referred to is there. Where a macro looks at one item alone, it is not.
    pub is_complete: bool,
    /// Whether there may be vectors, whose length only the run may know.
    pub has_vectors: bool,
    /// The items as the macros left them.
    sources: Vec<Item>,
    expansions: Expansions,
}

impl Program {
    /// One item, of which nothing else is known.
    pub fn alone(name: String, syntax: Syntax) -> Program {
        let mut expansions = Expansions::default();
        expand(&syntax, None, &mut expansions);
        // What is wrong with it says the check of the item.
        let data = Data::of(&syntax).unwrap_or_default();
        let item = Declared { name, syntax, refers: FxHashMap::default(), data, methods: Vec::new(), of: None };
        Program { items: vec![item], is_complete: false, has_vectors: false, sources: Vec::new(), expansions }
    }

    /// An item with all that it refers to, and the items as the macros left them.
    pub fn of(entry: Item) -> Result<(Program, Vec<Item>)> {
        let mut found = Found::default();
        found.place(entry);
        let mut items: Vec<Declared> = Vec::new();
        let mut expansions = Expansions::default();
        while let Some(&item) = found.items.get(items.len()) {
            let mut refers = FxHashMap::default();
            for (path, reference) in (item.refers)() {
                refers.insert(path, found.resolve(reference));
            }
            let syntax = parse(item.text)?;
            expand(&syntax, Some(item.text), &mut expansions);
            let data = Data::of(&syntax)?;
            items.push(Declared { name: item.name.into(), syntax, refers, data, methods: Vec::new(), of: None });
        }
        for (of, methods) in found.methods {
            items[of].methods.push(methods);
            items[methods].of = Some(of);
        }
        let has_vectors = found.items.iter().any(|item| ["Vec", "vec", "collect"].iter().any(|word| item.text.contains(word)));
        Ok((Program { items, is_complete: true, has_vectors, sources: found.items.clone(), expansions }, found.items))
    }

    /// The signature and the body of a function.
    pub fn function(&self, f: FunctionId) -> (&Signature, &Block) {
        self.items[f.item].syntax.all_functions()[f.index]
    }

    /// What a macro stands for.
    pub fn expansion(&self, mac: &Macro) -> Result<&Expr> {
        let found = self.expansions.get(&std::ptr::from_ref(mac)).expect("all macros were expanded");
        found.as_deref().map_err(Clone::clone)
    }

    /// The methods with this name that belong to a struct: those of traits for other types that it is an operand of among them.
    pub fn methods(&self, of: usize, name: &str) -> impl Iterator<Item = FunctionId> {
        self.items[of].methods.iter().filter_map(move |&item| {
            let index = self.items[item].syntax.functions().iter().position(|(sig, _)| sig.ident == name)?;
            Some(FunctionId { item, index })
        })
    }

    /// The functions that are in scope in one that is within another: those of its item.
    pub fn around(&self, f: FunctionId) -> Vec<String> {
        let syntax = &self.items[f.item].syntax;
        let (outer, all) = (syntax.functions().len(), syntax.all_functions());
        if f.index < outer { Vec::new() } else { all[outer..].iter().map(|(signature, _)| signature.ident.to_string()).collect() }
    }

    /// Whether another function within an item has the name of this one.
    pub fn within_twice(&self, item: usize, signature: &Signature) -> bool {
        self.items[item]
            .syntax
            .all_functions()
            .iter()
            .any(|(other, _)| other.ident == signature.ident && !std::ptr::eq(*other, signature))
    }

    /// A function within the functions of an item.
    pub fn within(&self, item: usize, name: &str) -> Option<FunctionId> {
        let syntax = &self.items[item].syntax;
        let (outer, all) = (syntax.functions().len(), syntax.all_functions());
        let index = (outer..all.len()).find(|&i| all[i].0.ident == name)?;
        Some(FunctionId { item, index })
    }

    /// The fields of a struct, or of what an enum is in a program: names and types.
    pub fn fields(&self, of: usize) -> &[(String, syn::Type)] {
        &self.items[of].data.fields
    }

    /// The variants of an enum.
    pub fn variants(&self, of: usize) -> &[Variant] {
        &self.items[of].data.variants
    }

    /// The names and the types of what a struct, or a variant of an enum, is made of.
    pub fn members(&self, (of, variant): (usize, Option<usize>)) -> &[(String, syn::Type)] {
        match variant {
            Some(variant) => &self.variants(of)[variant].members,
            None => self.fields(of),
        }
    }

    /// The place of the type that a constant is of.
    pub fn type_of(&self, reference: fn() -> Reference) -> Option<usize> {
        let Reference::Struct(item, _) = reference() else { return None };
        self.sources.iter().position(|known| known.key() == item.key())
    }
}

#[derive(Default)]
struct Found {
    items: Vec<Item>,
    methods: Vec<(usize, usize)>,
}

impl Found {
    fn resolve(&mut self, reference: Reference) -> Resolved {
        match reference {
            Reference::Function(f) => Resolved::Function(self.place(f)),
            Reference::Struct(s, methods) => Resolved::Struct(self.place_struct(s, methods)),
            Reference::Type(Alias::Number(name)) => Resolved::Type(Alias::Number(name)),
            Reference::Type(Alias::Array(element, length)) => {
                Resolved::Type(Alias::Array(Box::new(self.resolve(*element)), length))
            }
            Reference::Type(Alias::Tuple(items)) => {
                Resolved::Type(Alias::Tuple(items.into_iter().map(|item| self.resolve(item)).collect()))
            }
            Reference::Constant(c) => {
                self.place_types(&c);
                Resolved::Constant(c)
            }
        }
    }

    /// Places the types that a constant is made of.
    fn place_types(&mut self, c: &Constant) {
        match c {
            Constant::Array(items) => items.iter().for_each(|item| self.place_types(item)),
            Constant::Data(of, _, members) => {
                self.resolve(of());
                members.iter().for_each(|member| self.place_types(member));
            }
            Constant::F64(_) | Constant::Int(..) | Constant::Bool(_) | Constant::Unknown => {}
        }
    }

    fn place(&mut self, item: Item) -> usize {
        let known = self.items.iter().position(|i| i.key() == item.key());
        known.unwrap_or_else(|| {
            self.items.push(item);
            self.items.len() - 1
        })
    }

    fn place_struct(&mut self, item: Item, methods: Vec<Item>) -> usize {
        let of = self.place(item);
        for methods in methods {
            let methods = self.place(methods);
            if !self.methods.contains(&(of, methods)) {
                self.methods.push((of, methods));
            }
        }
        of
    }
}

/// Reads the text of an item.
fn parse(text: &str) -> Result<Syntax> {
    match syn::parse_str::<syn::Item>(text) {
        Ok(syn::Item::Fn(f)) => Ok(Syntax::Function(f)),
        Ok(syn::Item::Struct(s)) => Ok(Syntax::Struct(s)),
        Ok(syn::Item::Enum(e)) => Ok(Syntax::Enum(e)),
        Ok(syn::Item::Impl(methods)) => Ok(Syntax::Methods(methods)),
        Ok(other) => Err(Refusal::unsupported(&other, "this item")),
        Err(e) => Err(Refusal { place: [e.span(); 2], message: e.to_string(), hint: None }),
    }
}

/// How a path is known by: its segments, without type arguments.
pub fn path_key(path: &syn::Path) -> String {
    let segments: Vec<String> = path.segments.iter().map(|s| s.ident.to_string()).collect();
    let leading = if path.leading_colon.is_some() { "::" } else { "" };
    format!("{leading}{}", segments.join("::"))
}

/// The type of a constant integer and its value here.
pub fn integer(name: &str, value: i128) -> Option<(Int, i64)> {
    Some((Int::named(name)?, i64::try_from(value).ok()?))
}

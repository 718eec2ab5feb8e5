//! The types of the subset, and how they are found: by unification, as Rust itself finds them.
//!
//! A reference counts as what it refers to: nothing is written through one, so that nobody can tell. rustc checks the program, too,
//! so this need not find every fault; it must find the same types.

/// A type of integers: the values that it has here. What does not fit in 64 bits with a sign is left out, so `u64` and `usize` end
/// where `i64` does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Int {
    /// The name in Rust.
    pub name: &'static str,
    /// How many bits the type has in Rust.
    pub bits: u32,
    /// The least value.
    pub min: i64,
    /// The greatest value.
    pub max: i64,
}

macro_rules! integers {
    ($($constant:ident $t:ident $bits:literal;)*) => {
        impl Int {
            $( #[doc = concat!("`", stringify!($t), "`.")] pub const $constant: Int = Int {
                name: stringify!($t),
                bits: $bits,
                min: $t::MIN as i64,
                max: if $t::MAX as u128 > i64::MAX as u128 { i64::MAX } else { $t::MAX as i64 },
            }; )*

            /// The type with this name.
            pub fn named(name: &str) -> Option<Int> {
                [$(Int::$constant),*].into_iter().find(|int| int.name == name)
            }
        }
    };
}

integers! {
    I8 i8 8;
    I16 i16 16;
    I32 i32 32;
    I64 i64 64;
    ISIZE isize 64;
    U8 u8 8;
    U16 u16 16;
    U32 u32 32;
    U64 u64 64;
    USIZE usize 64;
}

/// A type, by its place in [`Types`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ty(u32);

/// What a type is.
#[derive(Clone, PartialEq, Debug)]
pub enum Kind {
    /// Not known (yet).
    Unknown,
    /// The type of an integer literal, which is not known yet: `i32` if nothing else is said.
    Integer,
    /// `f64`.
    F64,
    /// An integer.
    Int(Int),
    /// `bool`.
    Bool,
    /// A tuple; `()` has no fields.
    Tuple(Vec<Ty>),
    /// `[T; N]` or `[T]`.
    Array(Ty),
    /// A struct, by its place among the items of the program.
    Struct(usize),
    /// `Option<T>`.
    Option(Ty),
    /// `Result<T, E>`.
    Result(Ty, Ty),
    /// What an error says, in text.
    Text,
    /// A function or closure.
    Fn(Vec<Ty>, Ty),
    /// An iterator.
    Iter(Ty),
}

enum Slot {
    Is(Kind),
    Same(Ty),
}

/// The types of one function.
#[derive(Default)]
pub struct Types(Vec<Slot>);

/// How deep types may be nested. A program whose types are endless is no Rust.
const MAX_DEPTH: usize = 100;

impl Types {
    /// A type.
    pub fn new_type(&mut self, kind: Kind) -> Ty {
        self.0.push(Slot::Is(kind));
        Ty(self.0.len() as u32 - 1)
    }

    /// A type that is not known yet.
    pub fn unknown(&mut self) -> Ty {
        self.new_type(Kind::Unknown)
    }

    /// `()`.
    pub fn unit(&mut self) -> Ty {
        self.new_type(Kind::Tuple(Vec::new()))
    }

    fn root(&self, mut ty: Ty) -> Ty {
        while let Slot::Same(next) = self.0[ty.0 as usize] {
            ty = next;
        }
        ty
    }

    /// What is known of a type.
    pub fn kind(&self, ty: Ty) -> &Kind {
        match &self.0[self.root(ty).0 as usize] {
            Slot::Is(kind) => kind,
            Slot::Same(_) => unreachable!("the root is no link"),
        }
    }

    /// Whether two types are one, or may become so.
    pub fn may_be(&self, a: Ty, b: Ty) -> bool {
        let all = |x: &[Ty], y: &[Ty]| x.len() == y.len() && x.iter().zip(y).all(|(&x, &y)| self.may_be(x, y));
        match (self.kind(a), self.kind(b)) {
            (Kind::Unknown, _) | (_, Kind::Unknown) => true,
            (Kind::Integer, Kind::Int(_)) | (Kind::Int(_), Kind::Integer) => true,
            (Kind::Tuple(x), Kind::Tuple(y)) => all(x, y),
            (Kind::Fn(x, r), Kind::Fn(y, s)) => all(x, y) && self.may_be(*r, *s),
            (Kind::Result(x, e), Kind::Result(y, f)) => self.may_be(*x, *y) && self.may_be(*e, *f),
            (Kind::Array(x), Kind::Array(y)) | (Kind::Iter(x), Kind::Iter(y)) | (Kind::Option(x), Kind::Option(y)) => {
                self.may_be(*x, *y)
            }
            (x, y) => x == y,
        }
    }

    /// Says that two types are one. False if they cannot be.
    pub fn unify(&mut self, a: Ty, b: Ty) -> bool {
        self.unify_within(a, b, MAX_DEPTH)
    }

    fn unify_within(&mut self, a: Ty, b: Ty, depth: usize) -> bool {
        let (a, b) = (self.root(a), self.root(b));
        if a == b {
            return true;
        }
        let Some(depth) = depth.checked_sub(1) else { return false };
        let pairs = match (self.kind(a), self.kind(b)) {
            (Kind::Unknown, _) | (Kind::Integer, Kind::Int(_) | Kind::Integer) => {
                self.0[a.0 as usize] = Slot::Same(b);
                return true;
            }
            (_, Kind::Unknown) | (Kind::Int(_), Kind::Integer) => {
                self.0[b.0 as usize] = Slot::Same(a);
                return true;
            }
            (Kind::Tuple(x), Kind::Tuple(y)) if x.len() == y.len() => x.iter().copied().zip(y.iter().copied()).collect(),
            (Kind::Fn(x, r), Kind::Fn(y, s)) if x.len() == y.len() => {
                x.iter().copied().zip(y.iter().copied()).chain([(*r, *s)]).collect()
            }
            (Kind::Array(x), Kind::Array(y)) | (Kind::Iter(x), Kind::Iter(y)) | (Kind::Option(x), Kind::Option(y)) => {
                vec![(*x, *y)]
            }
            (Kind::Result(x, e), Kind::Result(y, f)) => vec![(*x, *y), (*e, *f)],
            (x, y) => return x == y,
        };
        pairs.into_iter().all(|(x, y)| self.unify_within(x, y, depth))
    }
}

//! The derivative table: one row per scalar primitive, read by every mode.
//!
//! A row gives, per argument, the *adjoint* of the primitive applied to a cotangent `g` of its result `y`; it is the whole
//! computation (no reader multiplies by a partial), so the row decides the rounding. The names an entry uses are exactly what
//! the closure strategy captures and the stack strategy records.
//!
//! * `local`: elementwise, the entry is the adjoint, and with the tangent of argument i in the place of `g` the pushforward;
//! * `linear`: the pushforward is the same primitive on the tangents; `each`: the sum over one argument at a time; `own`: it is
//!   what `together` says;
//! * `flat`: locally constant, the cotangent is the structural zero;
//! * `_`: an argument without derivative;
//! * `together`: the pushforward of all arguments at once, where that is cheaper than the sum of the entries; `da` is the tangent
//!   of argument `a`. A quotient with one division keeps derivatives of high order small: two quotients would become four.
//!
//! The reader turns products and quotients of `g` and of tangents into `mul0` and `div0` (docs/strategies.md §2); rows do not
//! repeat it. So what a cotangent of zero meets, or what a factor of zero, is zero, even where the other one is infinite;
//! whether a derivative is NaN does not depend on what a program looked like when it was taken. Formulas that are singular where
//! the derivative is not (`powi` at n = 0, `pow` at a = 0) guard it with a `select` whose other arm is `zero`, or with `mul0`
//! where that arm has derivatives (`pow` at b = 0). A kink's choice is written in its row: ties
//! split evenly (docs/language.md); `abs` has the derivative `sign`, which is 0 at 0; `hypot` and `atan2` have 0 at (0, 0), where
//! `div0` gives 0 for 0/0. Both divide by `hypot` once or twice, and not by a square, which would overflow. Structural primitives
//! (tuples, `select`, closures, boxes) have no row: their adjoint is a matter of structure, see `ad/src/sweep.rs`.

mod arrays;

pub use arrays::ARRAY_RULES;

use gradus_ir::{ArrayOp, Dims, Prim};
use std::sync::LazyLock;

/// The expression of an adjoint.
#[derive(Clone, Debug, PartialEq)]
pub enum Expr {
    /// The cotangent of the result.
    G,
    /// The result.
    Y,
    /// Argument i.
    Arg(usize),
    /// The tangent of argument i, in a pushforward of all arguments.
    Tangent(usize),
    /// A float literal.
    F64(f64),
    /// An integer literal.
    I64(i64),
    /// The structural zero; in an arm of a `select`, where it becomes -0.0.
    Zero,
    /// The cotangent of the argument so far, with zeros if there is none. The adjoint then takes its place: what reads a part of an
    /// array adds to that part, in place where nobody else has the array.
    Sum,
    /// The zero of the type of argument i.
    ZeroOf(usize),
    /// The arguments from number i on.
    Rest(usize),
    /// A primitive applied to expressions.
    Op(Prim, Vec<Expr>),
    /// An operation on arrays applied to expressions.
    Array(ArrayOp, Attribute, Vec<Expr>),
}

/// The attribute of an operation in a row, in terms of the operation that is differentiated.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Attribute {
    /// None.
    None,
    /// `<own>`: its attribute.
    Own,
    /// `<y>`: the shape of its result.
    Result,
    /// `<a>`: the shape of an argument.
    Shape(usize),
    /// `<inverse>`: the permutation that undoes its own.
    Inverse,
    /// `<swap>`: the permutation of the last two axes of its first argument.
    Swap,
    /// `<flip>`: the slice that turns round the axis that is its attribute.
    Flip,
    /// `<rows>`: that of `iota`, for the numbers of rows of its first argument.
    Rows,
    /// `<columns>`: the same for columns.
    Columns,
}

impl Expr {
    /// Whether the expression contains `e`.
    pub fn mentions(&self, e: &Expr) -> bool {
        self == e || matches!(self, Expr::Op(_, items) | Expr::Array(_, _, items) if items.iter().any(|i| i.mentions(e)))
    }

    /// Whether the expression contains a cotangent or a tangent.
    pub fn flows(&self) -> bool {
        match self {
            Expr::G | Expr::Tangent(_) => true,
            Expr::Op(_, items) | Expr::Array(_, _, items) => items.iter().any(Expr::flows),
            _ => false,
        }
    }
}

/// How the pushforward of a primitive is read off its row.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Elementwise: the sum of the entries, with the tangents in place of `g`.
    Local,
    /// Linear: the same primitive on the tangents, arguments without derivative as they are.
    Linear,
    /// Linear in one argument at a time: the sum of the primitive on each tangent beside the other arguments.
    Each,
    /// Locally constant: none.
    Flat,
    /// As `together` says.
    Own,
}

/// A row of the table.
#[derive(Clone, Debug)]
pub struct Rule {
    /// The primitive.
    pub prim: Prim,
    /// How the pushforward is read off the row.
    pub kind: Kind,
    /// The adjoint per argument; none where there is no derivative. Empty for `flat`.
    pub adjoints: Vec<Option<Expr>>,
    /// The pushforward of all arguments at once, if the row has one.
    pub together: Option<Expr>,
    /// An interval per argument inside of which the derivative is smooth: what tests sample.
    pub domain: Vec<(f64, f64)>,
}

/// The row of a primitive; none for structural primitives.
pub fn rule(prim: Prim) -> Option<&'static Rule> {
    match prim {
        Prim::Array(op, _) => ARRAY_RULES.iter().find(|r| matches!(r.prim, Prim::Array(of, _) if of == op)),
        _ => RULES.iter().find(|r| r.prim == prim),
    }
}

macro_rules! derivatives {
    ($(
        $name:ident ( $($arg:ident),* ) $kind:ident [ $($entry:tt),* ] $(together $push:tt)? on $( $lo:literal .. $hi:literal ),* ;
    )*) => {
        /// All rows.
        pub static RULES: LazyLock<Vec<Rule>> = LazyLock::new(|| vec![
            $( row(
                stringify!($name),
                &[$(stringify!($arg)),*],
                stringify!($kind),
                &[$(stringify!($entry)),*],
                [$(stringify!($push))?].first().copied(),
                &[$(($lo, $hi)),*],
            ) ),*
        ]);
    };
}

derivatives! {
//  primitive         kind   adjoint applied to g, per argument                                   sampled on
    add(a, b)         local  [ g, g ]                                                             on -4.0 .. 4.0, -4.0 .. 4.0;
    sub(a, b)         local  [ g, (neg g) ]                                                       on -4.0 .. 4.0, -4.0 .. 4.0;
    mul(a, b)         local  [ (mul g b), (mul a g) ]                                             on -4.0 .. 4.0, -4.0 .. 4.0;
    div(a, b)         local  [ (div g b), (neg (mul (div g b) y)) ]
                             together (div (sub da (mul y db)) b)                                 on -4.0 .. 4.0, 0.5 .. 4.0;
    neg(a)            local  [ (neg g) ]                                                          on -4.0 .. 4.0;
    floor_div(a, b)   flat   [ ]                                                                  on 1.1 .. 1.9, 2.0 .. 3.0;
    mod(a, b)         local  [ g, (neg (mul g (floor_div a b))) ]                                 on 4.2 .. 5.8, 1.9 .. 2.1;
    rem(a, b)         local  [ g, (neg (mul g (trunc (div a b)))) ]                               on -5.8 .. -4.2, 1.95 .. 2.05;
    abs(a)            local  [ (mul g (sign a)) ]                                                 on 0.1 .. 4.0;
    sign(a)           flat   [ ]                                                                  on 0.1 .. 4.0;
    min(a, b)         local  [ (select (lt a b) g (select (eq a b) (mul 0.5 g) zero)),
                               (select (lt b a) g (select (eq a b) (mul 0.5 g) zero)) ]           on 0.1 .. 0.9, 1.1 .. 2.0;
    max(a, b)         local  [ (select (gt a b) g (select (eq a b) (mul 0.5 g) zero)),
                               (select (gt b a) g (select (eq a b) (mul 0.5 g) zero)) ]           on 0.1 .. 0.9, 1.1 .. 2.0;
    minimum(a, b)     local  [ (select (lt a b) g (select (eq a b) (mul 0.5 g) zero)),
                               (select (lt b a) g (select (eq a b) (mul 0.5 g) zero)) ]           on 0.1 .. 0.9, 1.1 .. 2.0;
    maximum(a, b)     local  [ (select (gt a b) g (select (eq a b) (mul 0.5 g) zero)),
                               (select (gt b a) g (select (eq a b) (mul 0.5 g) zero)) ]           on 0.1 .. 0.9, 1.1 .. 2.0;

    mul0(a, b)        local  [ (mul g b), (mul a g) ]                                             on 0.5 .. 4.0, -4.0 .. 4.0;
    div0(a, b)        local  [ (div g b), (neg (mul (div g b) y)) ]
                             together (div (sub da (mul y db)) b)                                 on 0.5 .. 4.0, 0.5 .. 4.0;

    pow(a, b)         local  [ (mul g (mul0 b (pow a (sub b 1.0)))),
                               (select (eq a 0.0) zero (mul g (mul y (log a)))) ]                 on 0.2 .. 4.0, -3.0 .. 3.0;
    powi(x, n)        local  [ (select (eq n 0) zero (mul g (mul (float n) (powi x (wrap_sub n 1))))), _ ]
                                                                                                  on 0.2 .. 2.0, -3.0 .. 5.0;
    sqrt(a)           local  [ (div g (mul 2.0 y)) ]                                              on 0.1 .. 4.0;
    cbrt(a)           local  [ (div g (mul 3.0 (mul y y))) ]                                      on 0.1 .. 4.0;
    hypot(a, b)       local  [ (mul g (div0 a y)), (mul g (div0 b y)) ]                           on 0.5 .. 4.0, -4.0 .. -0.5;
    exp(a)            local  [ (mul g y) ]                                                        on -4.0 .. 4.0;
    exp2(a)           local  [ (mul g (mul y 0.693147180559945309417232121458)) ]                 on -4.0 .. 4.0;
    expm1(a)          local  [ (mul g (exp a)) ]                                                  on -2.0 .. 2.0;
    log(a)            local  [ (div g a) ]                                                        on 0.1 .. 4.0;
    log2(a)           local  [ (div g (mul a 0.693147180559945309417232121458)) ]                 on 0.1 .. 4.0;
    log10(a)          local  [ (div g (mul a 2.302585092994045684017991454684)) ]                 on 0.1 .. 4.0;
    log1p(a)          local  [ (div g (add 1.0 a)) ]                                              on -0.8 .. 4.0;
    sin(a)            local  [ (mul g (cos a)) ]                                                  on -4.0 .. 4.0;
    cos(a)            local  [ (neg (mul g (sin a))) ]                                            on -4.0 .. 4.0;
    tan(a)            local  [ (mul g (add 1.0 (mul y y))) ]                                      on -1.2 .. 1.2;
    asin(a)           local  [ (div g (sqrt (fma (neg a) a 1.0))) ]                               on -0.9 .. 0.9;
    acos(a)           local  [ (neg (div g (sqrt (fma (neg a) a 1.0)))) ]                         on -0.9 .. 0.9;
    atan(a)           local  [ (div g (add 1.0 (mul a a))) ]                                      on -4.0 .. 4.0;
    atan2(a, b)       local  [ (div (mul g (div0 b (hypot a b))) (hypot a b)),
                               (neg (div (mul g (div0 a (hypot a b))) (hypot a b))) ]
                             together (div (sub (mul da (div0 b (hypot a b))) (mul db (div0 a (hypot a b)))) (hypot a b))
                                                                                                  on 0.5 .. 4.0, -4.0 .. 4.0;
    sinh(a)           local  [ (mul g (cosh a)) ]                                                 on -3.0 .. 3.0;
    cosh(a)           local  [ (mul g (sinh a)) ]                                                 on -3.0 .. 3.0;
    tanh(a)           local  [ (mul g (mul (sub 1.0 y) (add 1.0 y))) ]                            on -2.0 .. 2.0;
    asinh(a)          local  [ (div g (hypot a 1.0)) ]                                             on -4.0 .. 4.0;
    acosh(a)          local  [ (div g (mul (sqrt (sub a 1.0)) (sqrt (add a 1.0)))) ]              on 1.2 .. 4.0;
    atanh(a)          local  [ (div g (fma (neg a) a 1.0)) ]                                      on -0.9 .. 0.9;
    sigmoid(a)        local  [ (mul g (mul y (sigmoid (neg a)))) ]                                on -4.0 .. 4.0;
    erf(a)            local  [ (mul g (mul 1.128379167095512573896158903122 (exp (neg (mul a a))))) ]
                                                                                                  on -2.0 .. 2.0;
    erfc(a)           local  [ (neg (mul g (mul 1.128379167095512573896158903122 (exp (neg (mul a a)))))) ]
                                                                                                  on -2.0 .. 2.0;
    log_add_exp(a, b) local  [ (mul g (sigmoid (sub a b))), (mul g (sigmoid (sub b a))) ]         on -4.0 .. 4.0, -4.0 .. 4.0;
    gammaln(a)        local  [ (mul g (polygamma 0.0 a)) ]                                        on 0.5 .. 4.0;
    polygamma(n, a)   local  [ _, (mul g (polygamma (add n 1.0) a)) ]                             on 1.0 .. 1.0, 0.5 .. 4.0;
    copysign(a, b)    local  [ (mul g (mul (copysign 1.0 a) (copysign 1.0 b))), _ ]               on 0.5 .. 4.0, -4.0 .. -0.5;
    fma(a, b, c)      local  [ (mul g b), (mul a g), g ]                                          on -4.0 .. 4.0, -4.0 .. 4.0, -4.0 .. 4.0;
    narrow(a)         linear [ (widen g) ]                                                        on 0.5 .. 4.0;
    widen(a)          linear [ (narrow g) ]                                                       on 0.5 .. 4.0;
    floor(a)          flat   [ ]                                                                  on 0.1 .. 0.9;
    ceil(a)           flat   [ ]                                                                  on 0.1 .. 0.9;
    round(a)          flat   [ ]                                                                  on 0.6 .. 1.4;
    trunc(a)          flat   [ ]                                                                  on 0.1 .. 0.9;
}

fn row(name: &str, args: &[&str], kind: &str, entries: &[&str], together: Option<&str>, domain: &[(f64, f64)]) -> Rule {
    let prim = Prim::from_name(name).unwrap_or_else(|| panic!("the table names no primitive: {name}"));
    assert_eq!(prim.arity(), Some(args.len()), "arity of {name}");
    assert_eq!(args.len(), domain.len(), "one interval per argument of {name}");
    let rule = read(prim, args, kind, entries, together);
    Rule { domain: domain.to_vec(), ..rule }
}

/// A row without domain.
fn read(prim: Prim, args: &[&str], kind: &str, entries: &[&str], together: Option<&str>) -> Rule {
    let name = prim.name();
    let kind = match kind {
        "local" => Kind::Local,
        "linear" => Kind::Linear,
        "each" => Kind::Each,
        "flat" => Kind::Flat,
        "own" => Kind::Own,
        other => panic!("{name} has the unknown kind {other}"),
    };
    let adjoints: Vec<Option<Expr>> = entries.iter().map(|e| (*e != "_").then(|| expr(e, args))).collect();
    assert!(adjoints.len() == if kind == Kind::Flat { 0 } else { args.len() }, "one adjoint per argument of {name}");
    assert!(kind != Kind::Own || together.is_some(), "a pushforward of {name}");
    Rule { prim, kind, adjoints, together: together.map(|e| expr(e, args)), domain: Vec::new() }
}

/// Reads an s-expression of a row.
fn expr(text: &str, args: &[&str]) -> Expr {
    let spaced = text.replace('(', " ( ").replace(')', " ) ").replace('<', " < ").replace('>', " > ");
    let mut open: Vec<Vec<Expr>> = vec![Vec::new()];
    let mut heads: Vec<(Prim, Attribute)> = Vec::new();
    let mut tokens = spaced.split_whitespace();
    while let Some(token) = tokens.next() {
        let done = match token {
            "(" => {
                let name = tokens.next().expect("an expression has a head");
                // Scalar primitives first: arrays have no other of the same name.
                let head = Prim::from_name(name).or_else(|| ArrayOp::from_name(name).map(|op| Prim::Array(op, Dims::NONE)));
                heads.push((head.unwrap_or_else(|| panic!("no primitive heads an expression in {text}")), Attribute::None));
                open.push(Vec::new());
                continue;
            }
            "<" => {
                let attribute = attribute(tokens.next().expect("an attribute"), args);
                heads.last_mut().expect("an attribute of an operation").1 = attribute;
                tokens.next();
                continue;
            }
            ")" => {
                let items = open.pop().expect("parentheses match");
                match heads.pop().expect("parentheses match") {
                    (Prim::Array(op, _), attribute) => Expr::Array(op, attribute, items),
                    (prim, _) => Expr::Op(prim, items),
                }
            }
            "g" => Expr::G,
            "y" => Expr::Y,
            "zero" => Expr::Zero,
            "sum" => Expr::Sum,
            "rest" => Expr::Rest(args.len()),
            name => match args.iter().position(|a| *a == name) {
                Some(i) => Expr::Arg(i),
                None if let Some(i) = args.iter().position(|a| name.strip_prefix('d') == Some(a)) => Expr::Tangent(i),
                None if let Some(i) = args.iter().position(|a| name.strip_prefix('0') == Some(a)) => Expr::ZeroOf(i),
                None if name.contains('.') => Expr::F64(name.parse().expect("a float literal")),
                None => Expr::I64(name.parse().unwrap_or_else(|_| panic!("{name} is no argument in {text}"))),
            },
        };
        open.last_mut().expect("parentheses match").push(done);
    }
    open.pop().and_then(|mut items| items.pop()).expect("one expression")
}

fn attribute(name: &str, args: &[&str]) -> Attribute {
    match name {
        "own" => Attribute::Own,
        "y" => Attribute::Result,
        "inverse" => Attribute::Inverse,
        "swap" => Attribute::Swap,
        "flip" => Attribute::Flip,
        "rows" => Attribute::Rows,
        "columns" => Attribute::Columns,
        _ => match args.iter().position(|a| *a == name) {
            Some(i) => Attribute::Shape(i),
            None => panic!("no attribute is called {name}"),
        },
    }
}

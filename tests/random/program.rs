//! Programs as trees, and the strategies that draw them.
//!
//! A tree holds no names: it says "the second function in sight", and the printer (`print`) looks up what that is. So every tree is a
//! well-typed program, also one that lost a part as it shrank. The first alternative of each list is the simplest, since shrinking
//! goes to the front.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

/// Which of the things in sight, counted from the nearest and around in a circle.
pub type Pick = usize;

/// An expression that gives a float.
#[derive(Clone, Debug)]
pub enum Num {
    Var(Pick),
    Literal(&'static str),
    /// `{a}` stands for the operand.
    Unary(&'static str, Box<Num>),
    /// `{a}` and `{b}` stand for the operands.
    Binary(&'static str, Box<Num>, Box<Num>),
    /// An operand together with an integer, `{i}`.
    Mixed(&'static str, Pick, Box<Num>),
    Ternary(Box<Cond>, Box<Num>, Box<Num>),
    /// An element of a pair.
    Item(Pick, usize),
    Apply(Box<Fun>, Box<Num>),
    Call(Pick, Args),
    /// A call of the recursive function around it.
    Again(Args),
    /// A derivative operator with `{f}` for the function and `{a}` for the place.
    Derivative(&'static str, Box<Fun>, Box<Num>),
    /// The derivative of a named function with respect to one of its float arguments.
    Partial(Pick, usize, Args),
}

/// Arguments: as many of each kind as the callee takes are used, again and again where there are too few.
#[derive(Clone, Debug)]
pub struct Args {
    pub nums: Vec<Num>,
    pub funs: Vec<Fun>,
    pub keywords: bool,
}

/// An expression that gives a function from float to float.
#[derive(Clone, Debug)]
pub enum Fun {
    Var(Pick),
    Lambda(Box<Num>),
    /// An element of a pair of functions.
    Item(Pick, usize),
    Ternary(Box<Cond>, Box<Fun>, Box<Fun>),
    Call(Pick, Args),
    Grad(Box<Fun>),
}

/// A condition.
#[derive(Clone, Debug)]
pub enum Cond {
    Compare(&'static str, Num, Num),
    /// Of an integer, `{i}`.
    Count(&'static str, Pick),
    Not(Box<Cond>),
    Both(&'static str, Box<Cond>, Box<Cond>),
}

/// What kind of loop a loop is.
#[derive(Clone, Copy, Debug)]
pub enum Loop {
    /// No loop: the body, once.
    Once,
    Range,
    Reversed,
    /// As many trips as an integer in sight says.
    Upto(Pick),
    While,
    /// Over a tuple of floats.
    Tuple,
    /// Over a pair of functions.
    Functions(Pick),
}

/// How a path ends early.
#[derive(Clone, Copy, Debug)]
pub enum Leave {
    Break,
    Continue,
    Return,
}

/// A statement.
#[derive(Clone, Debug)]
pub enum Stmt {
    /// A new variable; whether it may be assigned again.
    Let(bool, Num),
    Set(Pick, Num),
    Augment(Pick, &'static str, Num),
    Swap(Pick, Pick, Num),
    Pair(bool, Num, Num),
    SetPair(Pick, Num, Num),
    Unpack(Pick),
    Tally(Pick),
    Fun(bool, Fun),
    SetFun(Pick, Fun),
    Funs(Fun, Fun),
    /// A variable that both arms assign.
    Choose(Cond, Num, Num),
    ChooseFun(Cond, Fun, Fun),
    If(Vec<(Cond, Body)>, Option<Body>),
    Loop {
        kind: Loop,
        trips: usize,
        test: Option<Cond>,
        body: Body,
        otherwise: Option<Body>,
    },
    Leave(Leave, Cond, Num),
    Def(Box<Def>),
}

/// Statements.
pub type Body = Vec<Stmt>;

/// What a parameter or a result is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    Float,
    Int,
    Pair,
    Fun,
    Funs,
}

/// A function.
#[derive(Clone, Debug)]
pub struct Def {
    /// After a first float.
    pub params: Vec<Kind>,
    /// Whether a last parameter has a default.
    pub default: bool,
    pub recursive: bool,
    pub result: Kind,
    pub body: Body,
    pub end: Num,
    /// Only called by name, so that it may see variables that are assigned later.
    pub lifted: bool,
}

/// A file: helpers, then the function that is called, with the arguments it is called with.
#[derive(Clone, Debug)]
pub struct Program {
    pub helpers: Vec<Def>,
    pub main: Def,
    pub floats: [f64; 3],
    pub count: i64,
}

const UNARY: &[&str] = &[
    "{a}",
    "math.sin({a})",
    "math.cos({a})",
    "math.tanh({a})",
    "(-{a})",
    "(1 - {a})",
    "(2 * {a})",
    "(0.5 * {a})",
    "(({a}) ** 2)",
    "(({a}) ** 3)",
    "abs({a})",
    "math.exp(math.tanh({a}))",
    "math.sqrt(1.0 + ({a}) ** 2)",
    "math.log1p(({a}) ** 2)",
    "math.atan({a})",
];
const BINARY: &[&str] = &[
    "{a}",
    "{b}",
    "({a} + {b})",
    "({a} - {b})",
    "({a} * {b})",
    "({a} / (2.0 + ({b}) ** 2))",
    "max({a}, {b})",
    "min({a}, {b})",
    "({a} and {b})",
    "({a} or {b})",
];
const MIXED: &[&str] = &["{a}", "({a} + {i})", "({a} * {i})", "({a} / (1 + {i}))", "(float({i}) - {a})"];
const LITERALS: &[&str] = &["1.0", "0.5", "2.0", "-0.75", "0.0", "1.25"];
const COMPARE: &[&str] = &["{a} < {b}", "{a} >= {b}", "{a} > 0.5", "-1.0 < {a} <= {b}"];
const COUNT: &[&str] = &["{i} > 1", "{i} % 2 == 0", "{i} == 2", "{i}"];
const DERIVATIVES: &[&str] = &["grad({f})({a})", "value_and_grad({f})({a})[1]", "value_and_grad({f})({a})[0]"];
const AUGMENT: &[&str] = &["+=", "-=", "*="];

fn picks() -> impl Strategy<Value = Pick> {
    0..6usize
}

/// The expressions of one depth.
#[derive(Clone)]
struct Level {
    num: BoxedStrategy<Num>,
    fun: BoxedStrategy<Fun>,
    cond: BoxedStrategy<Cond>,
}

impl Level {
    fn leaves() -> Level {
        let num = prop_oneof![4 => picks().prop_map(Num::Var), 1 => select(LITERALS).prop_map(Num::Literal)].boxed();
        let fun = prop_oneof![picks().prop_map(Fun::Var), num.clone().prop_map(|n| Fun::Lambda(Box::new(n)))].boxed();
        let cond = compare(&num);
        Level { num, fun, cond }
    }

    /// One level more.
    fn above(&self) -> Level {
        let (num, fun, cond) = (self.num.clone(), self.fun.clone(), self.cond.clone());
        let boxed = num.clone().prop_map(Box::new);
        let args = (vec(num.clone(), 1..4), vec(fun.clone(), 1..3), any::<bool>()).prop_map(|(nums, funs, keywords)| Args {
            nums,
            funs,
            keywords,
        });
        let function = fun.clone().prop_map(Box::new);
        let test = cond.clone().prop_map(Box::new);
        let above = prop_oneof![
            4 => num.clone(),
            4 => (select(UNARY), boxed.clone()).prop_map(|(op, a)| Num::Unary(op, a)),
            5 => (select(BINARY), boxed.clone(), boxed.clone()).prop_map(|(op, a, b)| Num::Binary(op, a, b)),
            1 => (select(MIXED), picks(), boxed.clone()).prop_map(|(op, i, a)| Num::Mixed(op, i, a)),
            1 => (test.clone(), boxed.clone(), boxed.clone()).prop_map(|(c, a, b)| Num::Ternary(c, a, b)),
            1 => (picks(), 0..2usize).prop_map(|(p, i)| Num::Item(p, i)),
            2 => (function.clone(), boxed.clone()).prop_map(|(f, a)| Num::Apply(f, a)),
            2 => (picks(), args.clone()).prop_map(|(f, a)| Num::Call(f, a)),
            2 => args.clone().prop_map(Num::Again),
            1 => (select(DERIVATIVES), function.clone(), boxed.clone()).prop_map(|(op, f, a)| Num::Derivative(op, f, a)),
            1 => (picks(), 0..3usize, args.clone()).prop_map(|(f, i, a)| Num::Partial(f, i, a)),
        ]
        .boxed();
        let functions = prop_oneof![
            3 => fun,
            2 => above.clone().prop_map(|n| Fun::Lambda(Box::new(n))),
            1 => (picks(), 0..2usize).prop_map(|(p, i)| Fun::Item(p, i)),
            1 => (test.clone(), function.clone(), function.clone()).prop_map(|(c, f, g)| Fun::Ternary(c, f, g)),
            2 => (picks(), args).prop_map(|(f, a)| Fun::Call(f, a)),
            1 => function.prop_map(Fun::Grad),
        ]
        .boxed();
        let both = (select(&["and", "or"][..]), test.clone(), test.clone());
        let conditions = prop_oneof![
            4 => compare(&num),
            2 => (select(COUNT), picks()).prop_map(|(op, i)| Cond::Count(op, i)),
            1 => test.prop_map(Cond::Not),
            1 => both.prop_map(|(op, a, b)| Cond::Both(op, a, b)),
        ]
        .boxed();
        Level { num: above, fun: functions, cond: conditions }
    }
}

fn compare(num: &BoxedStrategy<Num>) -> BoxedStrategy<Cond> {
    (select(COMPARE), num.clone(), num.clone()).prop_map(|(op, a, b)| Cond::Compare(op, a, b)).boxed()
}

/// The statements of one depth; `inner` those inside of compound ones.
fn statements(level: &Level, inner: Option<BoxedStrategy<Body>>) -> BoxedStrategy<Body> {
    let Level { num, fun, cond } = level.clone();
    let simple = prop_oneof![
        4 => (any::<bool>(), num.clone()).prop_map(|(again, a)| Stmt::Let(again, a)),
        4 => (picks(), num.clone()).prop_map(|(v, a)| Stmt::Set(v, a)),
        2 => (picks(), select(AUGMENT), num.clone()).prop_map(|(v, op, a)| Stmt::Augment(v, op, a)),
        1 => (picks(), picks(), num.clone()).prop_map(|(v, w, a)| Stmt::Swap(v, w, a)),
        1 => (any::<bool>(), num.clone(), num.clone()).prop_map(|(again, a, b)| Stmt::Pair(again, a, b)),
        1 => (picks(), num.clone(), num.clone()).prop_map(|(p, a, b)| Stmt::SetPair(p, a, b)),
        1 => picks().prop_map(Stmt::Unpack),
        1 => picks().prop_map(Stmt::Tally),
        2 => (any::<bool>(), fun.clone()).prop_map(|(again, f)| Stmt::Fun(again, f)),
        2 => (picks(), fun.clone()).prop_map(|(v, f)| Stmt::SetFun(v, f)),
        1 => (fun.clone(), fun.clone()).prop_map(|(f, g)| Stmt::Funs(f, g)),
        1 => (cond.clone(), num.clone(), num.clone()).prop_map(|(c, a, b)| Stmt::Choose(c, a, b)),
        1 => (cond.clone(), fun.clone(), fun.clone()).prop_map(|(c, f, g)| Stmt::ChooseFun(c, f, g)),
        1 => (select(&[Leave::Return, Leave::Break, Leave::Continue][..]), cond.clone(), num.clone())
            .prop_map(|(how, c, a)| Stmt::Leave(how, c, a)),
    ]
    .boxed();
    let Some(body) = inner else { return vec(simple, 0..3).boxed() };
    let kind = prop_oneof![
        1 => Just(Loop::Once),
        3 => Just(Loop::Range),
        1 => Just(Loop::Reversed),
        2 => picks().prop_map(Loop::Upto),
        3 => Just(Loop::While),
        1 => Just(Loop::Tuple),
        1 => picks().prop_map(Loop::Functions),
    ];
    let otherwise = proptest::option::weighted(0.2, body.clone());
    let compound = prop_oneof![
        2 => (vec((cond.clone(), body.clone()), 1..3), proptest::option::of(body.clone())).prop_map(|(arms, e)| Stmt::If(arms, e)),
        3 => (kind, 0..4usize, proptest::option::weighted(0.3, cond), body.clone(), otherwise)
            .prop_map(|(kind, trips, test, body, otherwise)| Stmt::Loop { kind, trips, test, body, otherwise }),
        1 => def(num, body).prop_map(|d| Stmt::Def(Box::new(d))),
    ];
    vec(prop_oneof![3 => simple, 2 => compound], 0..4).boxed()
}

fn def(num: BoxedStrategy<Num>, body: BoxedStrategy<Body>) -> BoxedStrategy<Def> {
    let param = select(&[Kind::Float, Kind::Fun, Kind::Int, Kind::Pair, Kind::Funs][..]);
    let result = select(&[Kind::Float, Kind::Float, Kind::Fun, Kind::Pair, Kind::Funs][..]);
    let params = prop_oneof![1 => Just(Vec::new()), 2 => vec(param, 0..3)];
    (params, any::<bool>(), any::<bool>(), result, body, num, any::<bool>())
        .prop_map(|(params, default, recursive, result, body, end, lifted)| Def {
            params,
            default,
            recursive,
            result,
            body,
            end,
            lifted,
        })
        .boxed()
}

/// Whole files.
pub fn programs() -> BoxedStrategy<Program> {
    let leaves = Level::leaves();
    let middle = leaves.above();
    let top = middle.above();
    let body = statements(&leaves, None);
    let body = statements(&middle, Some(body));
    let body = statements(&middle, Some(body));
    let main = (vec(Just(Kind::Float), 0..3), body.clone(), top.num.clone()).prop_map(|(params, body, end)| Def {
        params,
        default: false,
        recursive: false,
        result: Kind::Float,
        body,
        end,
        lifted: false,
    });
    // Different floats: where two are equal, `max` and comparisons have their kinks.
    let float = |i: usize| select(&[0.7, 1.3, -0.6, 0.4, 1.9, -1.1][..]).prop_map(move |v| v + 0.01 * i as f64);
    (vec(def(middle.num, body), 0..4), main, [float(0), float(1), float(2)], 0..4i64)
        .prop_map(|(helpers, main, floats, count)| Program { helpers, main, floats, count })
        .boxed()
}

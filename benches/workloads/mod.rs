//! The workloads: functions of `benches/programs/` with their arguments, the ways to their derivatives, and what is written by
//! hand, which all must answer.

use crate::hand::{self, primal};
use gradus::{Args, Argument, Data, Engine, Error, Options, Request, Source, Strategy, Typed, Value, to_value};
use std::cell::RefCell;

/// How much two answers may differ, relative to the largest entry.
const TOLERANCE: f64 = 1e-10;

const SCALAR: &str = include_str!("../programs/scalar.py");
const TUPLES: &str = include_str!("../programs/tuples.py");
const LORENZ: &str = include_str!("../programs/lorenz.py");
const BLACK_SCHOLES: &str = include_str!("../programs/black_scholes.py");
const ORDERS: &str = include_str!("../programs/orders.py");

/// Arguments as they are.
pub trait Arguments: Args + Argument<Self> + Copy {}
impl<A: Args + Argument<A> + Copy> Arguments for A {}

/// Answers as they are.
pub trait Answer: Data + Argument<Self> {}
impl<R: Data + Argument<R>> Answer for R {}

/// A function, and the ways to its derivative.
pub struct Workload {
    pub name: String,
    text: &'static str,
    /// The function itself.
    pub value: Way,
    /// By closures, by stacks, and in forward mode where one or two floats go in: it goes once for each.
    pub derivatives: Vec<Way>,
}

/// A function of the program, and what is asked of it.
pub struct Way {
    pub id: &'static str,
    function: String,
    strategy: Strategy,
    pub request: Request,
}

impl Workload {
    /// The gradient in the arguments that `by_hand` has one in.
    fn gradient(name: &str, text: &'static str, function: &str, by_hand: &Value) -> Workload {
        let Value::Tuple(gradient) = by_hand else { unreachable!("a gradient has an entry for each argument") };
        let wrt: Vec<usize> = (0..gradient.len()).filter(|&i| !matches!(gradient[i], Value::None)).collect();
        let way = |id, strategy, request| Way { id, function: function.to_owned(), strategy, request };
        let reverse = || Request::Reverse(wrt.clone());
        let mut derivatives = vec![way("closure", Strategy::Closure, reverse()), way("stack", Strategy::Stack, reverse())];
        if floats(by_hand).len() <= 2 {
            derivatives.push(way("forward", Strategy::Auto, Request::Forward(wrt.clone(), None)));
        }
        Workload { name: name.to_owned(), text, value: way("value", Strategy::Auto, Request::Value), derivatives }
    }

    /// One derivative of order `n`, by `grad` of `grad` and by `jvp` of `jvp` inside of the program.
    fn order(n: usize) -> Workload {
        let way = |id, function, strategy| Way { id, function, strategy, request: Request::Value };
        let derivatives = vec![
            way("closure", format!("reverse{n}"), Strategy::Closure),
            way("stack", format!("reverse{n}"), Strategy::Stack),
            way("forward", format!("forward{n}"), Strategy::Auto),
        ];
        Workload { name: format!("nthd{n}"), text: ORDERS, value: way("value", "f".into(), Strategy::Auto), derivatives }
    }

    /// Compiles from the text.
    pub fn compile<A: Args, R: Data>(&self, way: &Way) -> Result<Typed<A, R>, Error> {
        let engine = Engine::new(Options { plan: way.strategy.into(), ..Options::default() });
        engine.parse(Source::new(&*self.name, self.text))?.function(&way.function)?.request(way.request.clone())
    }

    /// The compiled function or derivative, which must answer what was found by hand.
    pub fn checked<A: Arguments, R: Answer>(&self, way: &Way, args: A, by_hand: &Value) -> Result<Typed<A, R>, Error> {
        let typed = self.compile::<A, R>(way)?;
        let (a, b) = (floats(&to_value::<R>(typed.call(args)?)), floats(by_hand));
        let scale = b.iter().fold(0.0, |m: f64, x| m.max(x.abs()));
        let close = a.len() == b.len() && a.iter().zip(&b).all(|(a, b)| (a - b).abs() <= TOLERANCE * scale);
        assert!(close, "{}, {}: {a:?}, by hand {b:?}", self.name, way.id);
        Ok(typed)
    }
}

/// The floats of an answer, in order.
fn floats(v: &Value) -> Vec<f64> {
    match v {
        Value::F64(x) => vec![*x],
        Value::Tuple(items) => items.iter().flat_map(floats).collect(),
        _ => Vec::new(),
    }
}

/// Does something with every workload.
pub trait Visitor {
    /// Takes a workload with its arguments, and what gives its value and its derivative by hand.
    fn visit<A: Arguments, R: Answer>(&mut self, w: &Workload, args: A, value: impl Fn(A) -> f64, derivative: impl Fn(A) -> R);
}

/// Shows a visitor a gradient.
fn gradient<A: Arguments, R: Answer>(
    visitor: &mut impl Visitor,
    (name, text, function): (&str, &'static str, &str),
    args: A,
    value: impl Fn(A) -> f64,
    by_hand: impl Fn(A) -> (f64, R),
) where
    (f64, R): Answer,
{
    let workload = Workload::gradient(name, text, function, &to_value::<R>(by_hand(args).1));
    visitor.visit(&workload, args, value, by_hand);
}

/// Shows a visitor the gradient in x of a function of x and a number.
fn counted(
    visitor: &mut impl Visitor,
    (name, function): (&str, &str),
    args: (f64, i64),
    value: fn(f64, i64) -> f64,
    by_hand: fn(f64, i64) -> (f64, f64),
) {
    let by_hand = |(x, n)| {
        let (y, dx) = by_hand(x, n);
        (y, (dx, ()))
    };
    gradient(visitor, (name, SCALAR, function), args, |(x, n)| value(x, n), by_hand);
}

/// Shows a visitor all workloads.
pub fn visit(v: &mut impl Visitor) {
    gradient(
        v,
        ("sincos", SCALAR, "sincos"),
        (0.7,),
        |(x,)| primal::sincos(x),
        |(x,)| {
            let (y, dx) = hand::sincos(x);
            (y, (dx,))
        },
    );
    counted(v, ("pow1000", "power"), (1.0007, 1000), primal::power, hand::power);
    let until = |(x, bound)| primal::power_until(x, bound);
    gradient(v, ("powdyn", SCALAR, "power_until"), (1.007, 1000.0), until, |(x, bound)| {
        let (y, dx) = hand::power_until(x, bound);
        (y, (dx, ()))
    });
    counted(v, ("pow_recursive1000", "power_recursive"), (1.0007, 1000), primal::power_recursive, hand::power_recursive);
    gradient(
        v,
        ("newton", SCALAR, "newton"),
        (2.0,),
        |(a,)| primal::newton(a),
        |(a,)| {
            let (y, da) = hand::newton(a);
            (y, (da,))
        },
    );
    counted(v, ("nested30", "nested"), (2.9, 30), primal::nested, hand::nested);
    counted(v, ("fold1000", "series"), (0.9, 1000), primal::series, hand::series);
    let start = (1.0, 1.2, 0.9, 10.0, 28.0, 8.0 / 3.0, 10_000);
    let states = RefCell::new(Vec::new());
    let value = |(x, y, z, sigma, rho, beta, steps)| primal::lorenz([x, y, z], [sigma, rho, beta], steps);
    gradient(v, ("lorenz_rk4_10000", LORENZ, "lorenz"), start, value, |(x, y, z, sigma, rho, beta, steps)| {
        let (sum, [x, y, z, sigma, rho, beta]) = hand::lorenz([x, y, z], [sigma, rho, beta], steps, &mut states.borrow_mut());
        (sum, (x, y, z, sigma, rho, beta, ()))
    });
    let coefficients: [f64; 65] = std::array::from_fn(|i| 1.0 / (i as f64 - 20.5));
    let value = |(c, x): ([f64; 65], f64)| primal::horner(&c, x);
    gradient(v, ("horner64", TUPLES, "horner"), (coefficients, 0.9), value, |(c, x)| hand::horner(&c, x));
    let columns: [[f64; 5]; 5] = std::array::from_fn(|i| std::array::from_fn(|j| ((7 * i + 3 * j + i * j) % 11) as f64 - 4.5));
    gradient(
        v,
        ("determinant5", TUPLES, "determinant"),
        (columns,),
        |(m,)| primal::determinant(&m),
        |(m,)| {
            let (det, cofactors) = hand::determinant(&m);
            (det, (cofactors,))
        },
    );
    let option = (100.0, 110.0, 0.05, 0.2, 0.75);
    let value = |(spot, strike, rate, volatility, time)| primal::black_scholes(spot, strike, rate, volatility, time);
    gradient(v, ("black_scholes", BLACK_SCHOLES, "call"), option, value, |(spot, strike, rate, volatility, time)| {
        let (price, [delta, dual_delta, rho, vega, theta]) = hand::black_scholes(spot, strike, rate, volatility, time);
        (price, (delta, dual_delta, rho, vega, theta))
    });
    let orders: [fn(f64) -> f64; 8] = [
        hand::order::<2>,
        hand::order::<3>,
        hand::order::<4>,
        hand::order::<5>,
        hand::order::<6>,
        hand::order::<7>,
        hand::order::<8>,
        hand::order::<9>,
    ];
    for (n, by_hand) in (1..).zip(orders) {
        v.visit(&Workload::order(n), (0.8,), |(x,)| primal::nthd(x), |(x,)| by_hand(x));
    }
}

//! Functions of Rust as programs: rustc's code and ours give the same values, and gradients are those of closed forms and of
//! differences.

#[path = "differentiable/failures.rs"]
mod failures;
#[path = "differentiable/generics.rs"]
mod generics;
#[path = "differentiable/iterators.rs"]
mod iterators;
#[path = "differentiable/matches.rs"]
mod matches;
#[path = "differentiable/options.rs"]
mod options;
#[path = "differentiable/particles.rs"]
mod particles;
#[path = "differentiable/programs.rs"]
mod programs;
#[path = "differentiable/structs.rs"]
mod structs;
#[path = "differentiable/traits.rs"]
mod traits;

use gradus::{Argument, Backend, Data, Differentiable, Mode, Options, Request, Strategy};
use ndarray::{Array2, array};
use programs as p;
use proptest::prelude::*;
use structs::{Body, Setup, SetupGradient, Vector};

/// Values that are compared: floats to the bit or to 1e-15 of their size.
trait Same {
    fn same(&self, other: &Self) -> bool;
}

impl Same for f64 {
    fn same(&self, other: &f64) -> bool {
        self == other || self.is_nan() && other.is_nan() || (self - other).abs() <= 1e-15 * self.abs().max(other.abs())
    }
}

macro_rules! discrete {
    ($($t:ty),*) => { $(
        impl Same for $t {
            fn same(&self, other: &$t) -> bool {
                self == other
            }
        }
    )* };
}

discrete!(i64, i32, i16, u8, u32, usize, bool, ());

macro_rules! tuples {
    ($(($($t:ident $i:tt),*);)*) => { $(
        impl<$($t: Same),*> Same for ($($t,)*) {
            fn same(&self, other: &Self) -> bool {
                $(self.$i.same(&other.$i))&&*
            }
        }
    )* };
}

tuples! {
    (A 0, B 1);
    (A 0, B 1, C 2);
    (A 0, B 1, C 2, D 3);
    (A 0, B 1, C 2, D 3, E 4);
    (A 0, B 1, C 2, D 3, E 4, F 5);
    (A 0, B 1, C 2, D 3, E 4, F 5, G 6);
}

impl<const N: usize> Same for [f64; N] {
    fn same(&self, other: &Self) -> bool {
        self.iter().zip(other).all(|(a, b)| a.same(b))
    }
}

impl Same for Vector {
    fn same(&self, other: &Self) -> bool {
        self.x.same(&other.x) && self.y.same(&other.y)
    }
}

impl Same for Body {
    fn same(&self, other: &Self) -> bool {
        self.place.same(&other.place) && self.speed.same(&other.speed) && self.masses.same(&other.masses)
    }
}

/// Every backend with every strategy.
fn options() -> impl Iterator<Item = Options> {
    let strategies = [Strategy::Closure, Strategy::Stack];
    [Backend::Jit, Backend::Interp]
        .into_iter()
        .flat_map(move |backend| strategies.map(|s| Options { backend, plan: s.into(), ..Options::default() }))
}

/// The function gives this in both backends.
#[track_caller]
fn gives<F: Differentiable>(expected: F::Output, args: impl Argument<F::Args> + Copy + std::fmt::Debug)
where
    F::Output: Same + std::fmt::Debug,
{
    for backend in [Backend::Jit, Backend::Interp] {
        let function = F::function().expect("it is in the subset").with(Options { backend, ..Options::default() });
        let found = function.typed::<F::Args, F::Output>().and_then(|f| f.call(args)).expect("a value");
        assert!(found.same(&expected), "{backend:?} at {args:?}: {found:?}, rustc's code gives {expected:?}");
    }
}

macro_rules! both {
    ($f:path, $($arg:expr),+) => { gives::<$f>($f($($arg),+), both!(@args $($arg),+)) };
    (@args $arg:expr) => { $arg };
    (@args $($arg:expr),+) => { ($($arg),+) };
}

/// The gradient in every backend with every strategy.
#[track_caller]
fn gradient<F: Differentiable<Output = f64>>(
    args: impl Argument<F::Args> + Copy,
    check: impl Fn(<F::Args as Data>::Gradient) -> bool,
) where
    <F::Args as Data>::Gradient: Clone + std::fmt::Debug,
{
    for options in options() {
        let function = F::function().expect("it is in the subset").with(options.clone());
        let found = function.grad::<F::Args>().and_then(|f| f.call(args)).expect("a gradient");
        assert!(check(found.clone()), "{options:?}: {found:?}");
    }
}

/// The derivative of a function of one variable by differences of fourth order.
fn slope(f: impl Fn(f64) -> f64, x: f64) -> f64 {
    let h = 1e-3 * x.abs().max(1.0);
    (8.0 * (f(x + h) - f(x - h)) - (f(x + 2.0 * h) - f(x - 2.0 * h))) / (12.0 * h)
}

fn near(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-7 * a.abs().max(b.abs()).max(1.0)
}

// Behind the macros that they use.
#[path = "differentiable/chains.rs"]
mod chains;
#[path = "differentiable/constructs.rs"]
mod constructs;
#[path = "differentiable/enums.rs"]
mod enums;
#[path = "differentiable/results.rs"]
mod results;
#[path = "differentiable/vectors.rs"]
mod vectors;

const FLOATS: [f64; 12] = [0.0, -0.0, 0.5, -0.5, 0.49999999999999994, 1.0, 1.5, 2.5, -2.5, 1e300, f64::INFINITY, f64::NAN];

#[test]
fn numbers() {
    for x in [0.3, 1.0, 2.7] {
        both!(p::polynomial, x);
        for y in [0.4, 1.0, 3.1] {
            let (found, expected) = (p::elementary::typed().unwrap().call((x, y)).unwrap(), p::elementary(x, y));
            assert!((found - expected).abs() <= 4e-15 * expected.abs(), "{x} {y}: {found} {expected}");
        }
    }
    for x in FLOATS {
        both!(p::rounding, x);
        both!(p::tests, x);
        both!(p::converted, x);
        both!(p::converted, -x);
        FLOATS.iter().for_each(|&y| both!(p::extremes, x, y));
        for y in [3.0, -0.7, f64::INFINITY] {
            both!(p::rests, x, y);
        }
    }
    for x in [255.0, 255.5, 256.0, -0.9, -1.0, 2147483647.5, -2147483648.9, 9.3e18, -9.3e18] {
        both!(p::converted, x);
    }
    for a in [7, -7, 0, 6, i64::MAX, i64::MIN] {
        both!(p::wrapped, a);
        [2, -2, 3, -3, i64::MAX].into_iter().for_each(|b| both!(p::divided, a, b));
    }
    for a in [3, -4, 0] {
        [5, -2].into_iter().for_each(|b| both!(p::integers, a, b));
    }
}

#[test]
fn bits() {
    for a in [0, 1, -1, 7, -9, 1 << 40, i64::MAX, i64::MIN, 3 * 12 * 12, 3 * 12 * 12 - 1] {
        for (b, n) in [(0, 0), (1, 1), (200, 7), (255, 33), (90, 63)] {
            both!(p::bits, a, b, n);
        }
    }
    let overflow = p::bits::typed().unwrap().call((1, 1_u8, 64_u32));
    assert!(overflow.is_err_and(|e| e.to_string().starts_with("integer overflow")));
}

#[test]
fn what_overflows_is_a_trap() {
    let small = p::small::typed().unwrap();
    assert_eq!(small.call((46340, 46340)).unwrap(), 46340 * 46340);
    let overflow = |e: gradus::Error| e.to_string().starts_with("integer overflow");
    assert!(small.call((46341, 46341)).is_err_and(overflow));
    assert!(small.call((-46341, 46341)).is_err_and(overflow));
    let difference = p::difference::typed().unwrap();
    assert_eq!(difference.call((3, 3)).unwrap(), 0);
    assert!(difference.call((3, 4)).is_err_and(overflow));
    let divided = p::divided::typed().unwrap();
    assert!(divided.call((i64::MIN, -1_i64)).is_err_and(overflow));
    assert!(divided.call((1, 0)).is_err_and(|e| e.to_string() == "integer division by zero"));
    let dot = p::dot::typed().unwrap();
    assert!(dot.call((&[1.0, 2.0], &[1.0])).is_err_and(|e| e.to_string() == "index out of range"));
}

#[test]
fn control_flow() {
    for x in [-1.0, 0.5, 1.0, 1.5, 3.0] {
        both!(p::branches, x);
        both!(p::shadowed, x);
        both!(p::tuples, x);
        both!(p::constants, x);
        both!(p::closures, x, 0.7);
        both!(p::later, x, true);
        both!(p::later, x, false);
        for n in [0, 1, 5, 9] {
            both!(p::early, x, n);
            both!(p::early, x, -n);
            both!(p::power, x, n);
            both!(p::even, x, n);
        }
        for n in [0, 1, 4, 9] {
            both!(p::nested_loops, x, n);
            both!(p::steps, x, n);
            both!(p::matrix, x, n);
        }
    }
    [1, 2, 7, 27].into_iter().for_each(|n| both!(p::collatz, n));
    [2.0, 10.0].into_iter().for_each(|a| both!(p::newton, a));
    [0, 1, 10].into_iter().for_each(|n| both!(p::factorial, n));
    both!(p::area, 0.8, 20);
}

#[test]
fn matching() {
    for x in [-0.5, 0.7, 1.3] {
        both!(matches::floats, x);
        gradient::<matches::floats>(x, |dx| near(dx, slope(matches::floats, x)));
        for n in [-11, -10, -5, -1, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9] {
            both!(matches::literals, x, n);
            both!(matches::guards, x, n);
            both!(matches::pairs, x, n, true);
            both!(matches::pairs, x, n, false);
            both!(matches::early, x, n);
        }
        for n in [-1, 0, 1, 3, 4, 6, 8] {
            gradient::<matches::literals>((x, n), |(dx, ())| near(dx, slope(|x| matches::literals(x, n), x)));
            gradient::<matches::guards>((x, n), |(dx, ())| near(dx, slope(|x| matches::guards(x, n), x)));
            for up in [true, false] {
                gradient::<matches::pairs>((x, n, up), |(dx, (), ())| near(dx, slope(|x| matches::pairs(x, n, up), x)));
            }
            gradient::<matches::early>((x, n), |(dx, ())| near(dx, slope(|x| matches::early(x, n), x)));
        }
        for steps in [0, 1, 2, 3, 4, 7] {
            both!(matches::machine, x, steps);
            gradient::<matches::machine>((x, steps), |(dx, ())| near(dx, slope(|x| matches::machine(x, steps), x)));
        }
    }
    [0.0, f64::EPSILON, f64::EPSILON / 2.0, -1.0, -2.0, f64::NAN].into_iter().for_each(|x| both!(matches::floats, x));
}

#[test]
fn arrays() {
    let (a, b) = ([1.0, -2.0, 0.5, 3.0], [0.25, 4.0, 1.5, -1.0]);
    both!(p::dot, &a, &b);
    both!(p::iterators, &a, &b);
    both!(p::rosenbrock, [1.2, 0.7, 2.0]);
    both!(p::valley, &[1.2, 0.7, 2.0]);
    both!(p::rotated, [1.0, 2.0, 3.0], 0.3);
    both!(p::parts, &[1.0, 2.0, 4.0]);
    let empty: [f64; 0] = [];
    both!(p::dot, &empty, &empty);
}

#[test]
fn structs_and_methods() {
    let body = Body { place: Vector { x: 0.0, y: 1.0 }, speed: Vector { x: 2.0, y: 3.0 }, masses: [0.5, 8.0] };
    let setup = Setup { gravity: 9.81, steps: 3, fine: false };
    gives::<structs::fall>(structs::fall(body, &setup), (body, setup));
    both!(structs::reach, body, setup);
    let of = |change: &dyn Fn(&mut Body, &mut Setup, f64), at: f64| {
        slope(
            |v| {
                let (mut body, mut setup) = (body, setup);
                change(&mut body, &mut setup, v);
                structs::reach(body, setup)
            },
            at,
        )
    };
    gradient::<structs::reach>((body, setup), |(body, SetupGradient { gravity, steps: (), fine: () }): (Body, SetupGradient)| {
        near(body.place.x, of(&|b, _, v| b.place.x = v, 0.0))
            && near(body.speed.y, of(&|b, _, v| b.speed.y = v, 3.0))
            && near(body.masses[0], of(&|b, _, v| b.masses[0] = v, 0.5))
            && body.masses[1] == 0.0
            && near(gravity, of(&|_, s, v| s.gravity = v, 9.81))
    });
}

#[test]
fn gradients() {
    for x in [0.3, 1.2, 2.6] {
        gradient::<p::polynomial>(x, |dx| near(dx, 9.0 * x * x - 4.0 * x + 1.0 / 7.0));
        gradient::<p::newton>(x, |dx| near(dx, 0.5 / x.sqrt()));
        gradient::<p::branches>(x, |dx| near(dx, slope(p::branches, x)));
        gradient::<p::shadowed>(x, |dx| near(dx, slope(p::shadowed, x)));
        gradient::<p::constants>(x, |dx| near(dx, slope(p::constants, x)));
        gradient::<p::elementary>((x, 1.5), |(dx, dy)| {
            near(dx, slope(|x| p::elementary(x, 1.5), x)) && near(dy, slope(|y| p::elementary(x, y), 1.5))
        });
        gradient::<p::closures>((x, 0.7), |(dx, dy)| {
            near(dx, slope(|x| p::closures(x, 0.7), x)) && near(dy, slope(|y| p::closures(x, y), 0.7))
        });
        for n in [0, 1, 6] {
            gradient::<p::power>((x, n), |(dx, ())| near(dx, n as f64 * x.powi(n as i32 - 1)));
            gradient::<p::even>((x, n), |(dx, ())| near(dx, slope(|x| p::even(x, n), x)));
            gradient::<p::early>((x, n), |(dx, ())| near(dx, slope(|x| p::early(x, n), x)));
        }
        for n in [0, 3, 5] {
            gradient::<p::nested_loops>((x, n), |(dx, ())| near(dx, slope(|x| p::nested_loops(x, n), x)));
            gradient::<p::steps>((x, n), |(dx, ())| near(dx, slope(|x| p::steps(x, n), x)));
            gradient::<p::matrix>((x, n), |(dx, ())| near(dx, slope(|x| p::matrix(x, n), x)));
        }
        gradient::<p::area>((x, 9), |(dw, ())| near(dw, slope(|w| p::area(w, 9), x)));
    }
    let (a, b) = ([1.0, -2.0, 0.5, 3.0], [0.25, 4.0, 1.5, -1.0]);
    gradient::<p::dot>((&a, &b), |(da, db)| da == b && db == a);
    let with = |x: &[f64; 4], i: usize, v: f64| {
        let mut x = *x;
        x[i] = v;
        x
    };
    gradient::<p::iterators>((&a, &b), |(da, db)| {
        (0..4).all(|i| {
            near(da[i], slope(|v| p::iterators(&with(&a, i, v), &b), a[i]))
                && near(db[i], slope(|v| p::iterators(&a, &with(&b, i, v)), b[i]))
        })
    });
    gradient::<p::parts>(&[1.0, 2.0, 4.0], |d| d == [2.0, 6.0, 3.0]);
}

#[test]
fn second_derivatives() {
    let x = 1.3;
    for options in options() {
        let twice = |modes: [Mode; 2]| {
            let f = p::polynomial::function().unwrap().with(options.clone());
            f.request::<f64, (f64, f64, f64)>(Request::Orders(0, modes.to_vec())).unwrap().call(x).unwrap()
        };
        for modes in [[Mode::Reverse, Mode::Reverse], [Mode::Reverse, Mode::Forward], [Mode::Forward, Mode::Forward]] {
            let (y, first, second) = twice(modes);
            assert!(y.same(&p::polynomial(x)) && near(first, 9.0 * x * x - 4.0 * x + 1.0 / 7.0) && near(second, 18.0 * x - 4.0));
        }
    }
    let hessian = p::valley::hessian::<Array2<f64>>().unwrap().call([1.0, 1.0, 1.0]).unwrap();
    assert_eq!(hessian, array![[802.0, -400.0, 0.0], [-400.0, 1002.0, -400.0], [0.0, -400.0, 200.0]]);
    let product = p::valley::hvp().unwrap().call(([1.0, 1.0, 1.0], [1.0, 0.0, 2.0])).unwrap();
    assert_eq!(product, [802.0, -1200.0, 400.0]);
    let jacobian = p::rotated::jacobian::<([[f64; 3]; 3], [f64; 3])>().unwrap().call(([1.0, 2.0, 3.0], 0.0)).unwrap();
    assert_eq!(jacobian, ([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]], [-2.0, 1.0, 0.0]));
}

#[test]
fn pullbacks() {
    let (value, pullback) = p::rotated::vjp().unwrap().call(([1.0, 2.0, 3.0], 0.0)).unwrap();
    assert_eq!(value, [1.0, 2.0, 3.0]);
    assert_eq!(pullback.call([1.0, 0.0, 0.0]).unwrap(), ([1.0, 0.0, 0.0], -2.0));
    assert_eq!(pullback.call([0.0, 1.0, 0.0]).unwrap(), ([0.0, 1.0, 0.0], 1.0));
    let (value, tangent) = p::tuples::jvp().unwrap().call((2.0, 1.0)).unwrap();
    assert!(value.same(&p::tuples(2.0)));
    assert!(near(tangent.0, slope(|x| p::tuples(x).0, 2.0)) && near(tangent.1.0, slope(|x| p::tuples(x).1.0, 2.0)));
}

#[test]
fn faults_show_the_line_of_the_file() {
    let function = p::dot::function().unwrap();
    let error = p::dot::typed().unwrap().call((&[1.0, 2.0], &[1.0])).expect_err("b is shorter");
    let shown = error.render(function.source().source.as_ref());
    let text = include_str!("differentiable/programs.rs");
    let line = text.lines().position(|l| l.contains("sum += a[i] * b[i]")).expect("it is there") + 1;
    assert!(shown.contains(&format!("tests/differentiable/programs.rs:{line}:23")), "{shown}");
    assert!(shown.contains("|         sum += a[i] * b[i];\n"), "{shown}");
}

#[test]
fn a_callable_is_used_by_many_threads() {
    let f = p::newton::value_and_grad().unwrap();
    std::thread::scope(|scope| {
        for k in 1..5 {
            let f = &f;
            scope.spawn(move || {
                let x = k as f64;
                let (y, slope) = f.call(x).unwrap();
                assert!(near(y, x.sqrt()) && near(slope, 0.5 / x.sqrt()));
            });
        }
    });
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn random_floats(x in -1e3..1e3, y in -1e3..1e3) {
        both!(p::polynomial, x);
        both!(p::rounding, x);
        both!(p::extremes, x, y);
        both!(p::rests, x, y);
        both!(p::branches, x);
        both!(p::tuples, x);
        both!(p::closures, x, y);
    }

    #[test]
    fn random_integers(a in any::<i64>(), b in any::<i64>()) {
        both!(p::wrapped, a);
        if b != 0 && b != -1 && (b != i64::MIN) {
            both!(p::divided, a, b);
        }
        both!(p::integers, a % 1000, b % 1000);
        both!(p::converted, a as f64 / 7.0);
    }

    #[test]
    fn random_arrays(a in prop::collection::vec(-10.0..10.0, 6), b in prop::collection::vec(-10.0..10.0, 6), n in 0..12_usize) {
        gives::<p::iterators>(p::iterators(&a, &b), (&a, &b));
        gives::<p::dot>(p::dot(&a, &b), (&a, &b));
        both!(p::nested_loops, a[0], n);
        both!(p::steps, a[0] / 10.0, n);
        both!(p::matrix, a[1] / 10.0, n);
    }
}

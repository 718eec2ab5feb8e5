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
fn operators_and_traits() {
    use traits::Complex;
    let (z, c) = (Complex::new(0.3, -0.8), Complex::new(-0.4, 0.6));
    let of = |f: &dyn Fn(Complex, Complex) -> f64, second: bool, dx: Complex| {
        let change = |which: bool, t: f64, a: Complex| if which { a + dx * t } else { a };
        slope(|t| f(change(!second, t, z), change(second, t, c)), 0.0)
    };
    let near_all = |d: Complex, f: &dyn Fn(Complex, Complex) -> f64, second| {
        near(d.re, of(f, second, Complex::new(1.0, 0.0))) && near(d.im, of(f, second, Complex::new(0.0, 1.0)))
    };
    for steps in [0, 1, 4] {
        both!(traits::julia, z, c, steps);
        let f = |z, c| traits::julia(z, c, steps);
        gradient::<traits::julia>((z, c, steps), |(dz, dc, ())| near_all(dz, &f, false) && near_all(dc, &f, true));
    }
    both!(traits::turned, z, c);
    gradient::<traits::turned>((z, c), |(dz, dc)| near_all(dz, &traits::turned, false) && near_all(dc, &traits::turned, true));
}

#[test]
fn changes_through_references() {
    for x in [0.4, 1.7] {
        both!(traits::swing, [x, 0.3], 0.8);
        gradient::<traits::swing>(([x, 0.3], 0.8), |(dx, dv)| {
            near(dx[0], slope(|x| traits::swing([x, 0.3], 0.8), x))
                && near(dx[1], slope(|y| traits::swing([x, y], 0.8), 0.3))
                && near(dv, slope(|v| traits::swing([x, 0.3], v), 0.8))
        });
        for n in [0, 1, 5] {
            both!(traits::accumulated, x, n);
            gradient::<traits::accumulated>((x, n), |(dx, ())| near(dx, slope(|x| traits::accumulated(x, n), x)));
        }
    }
}

#[test]
fn option() {
    for a in [-2.5, -0.3, 0.7, 2.2] {
        for b in [-1.5, -0.4, 0.0, 0.6] {
            both!(options::bound, a, b);
            gradient::<options::bound>((a, b), |(da, db)| {
                near(da, slope(|a| options::bound(a, b), a)) && (b == 0.0 || near(db, slope(|b| options::bound(a, b), b)))
            });
        }
    }
    for (a, b) in [(0.7, 1.5), (1.4, 0.6), (2.2, 0.3)] {
        both!(options::methods, a, b);
        gradient::<options::methods>((a, b), |(da, db)| {
            near(da, slope(|a| options::methods(a, b), a)) && near(db, slope(|b| options::methods(a, b), b))
        });
    }
    for x in [0.5, 3.7, 40.0] {
        both!(options::halved, x);
        gradient::<options::halved>(x, |dx| near(dx, slope(options::halved, x)));
    }
    fails::<options::methods>("the root of {a}", (-0.5, 1.0));
    both!(options::best, &[1.5, 3.0, 2.0]);
    gradient::<options::best>(&[1.5, 3.0, 2.0], |d| d == [3.0, 1.5, 0.0]);
    let none: [f64; 0] = [];
    assert!(options::best::grad().unwrap().call(&none).is_err());
}

/// The gradient in an array, by differences.
fn slopes<const N: usize>(f: impl Fn(&[f64; N]) -> f64, x: &[f64; N]) -> [f64; N] {
    std::array::from_fn(|i| {
        let changed = |v| {
            let mut x = *x;
            x[i] = v;
            f(&x)
        };
        slope(changed, x[i])
    })
}

fn all_near(a: &[f64], b: &[f64]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(&a, &b)| near(a, b))
}

#[test]
fn iterators_and_arrays() {
    let (x, y) = ([0.3, -1.2, 0.8, 2.0], [1.5, 0.4, -0.7, 0.2]);
    both!(iterators::written, x, &y);
    gradient::<iterators::written>((x, &y), |(dx, dy)| {
        all_near(&dx, &slopes(|x| iterators::written(*x, &y), &x)) && all_near(&dy, &slopes(|y| iterators::written(x, y), &y))
    });
    for limit in [-1.0, 0.9, 5.0] {
        for x in [[0.3, 1.2, 0.8, 2.1], [1.3, -4.2, 3.8, 2.1]] {
            both!(iterators::chosen, &x, limit);
            gradient::<iterators::chosen>((&x, limit), |(dx, dl)| {
                all_near(&dx, &slopes(|x| iterators::chosen(x, limit), &x))
                    && near(dl, slope(|l| iterators::chosen(&x, l), limit))
            });
        }
    }
    let x = [0.3, -1.2, 0.8, 2.0, 1.1, -0.4];
    for k in [2, 9] {
        gives::<iterators::parts>(iterators::parts(&x, k), (x, k));
        gradient::<iterators::parts>((x, k), |(dx, ())| all_near(&dx, &slopes(|x| iterators::parts(x, k), &x)));
    }
    both!(iterators::grown, 0.7);
    gradient::<iterators::grown>(0.7, |dx| near(dx, slope(iterators::grown, 0.7)));
}

#[test]
fn arrays_of_structs() {
    use particles::Particle;
    let particle = |x: f64, mass, kind| Particle { place: [x, 1.0 - x, x * x], speed: [0.5, -x, 0.2], mass, kind };
    let start = [particle(0.3, 1.0, 1), particle(-0.7, 2.5, 2), particle(1.4, 1.5, 0)];
    for steps in [0, 1, 3] {
        gives::<particles::energy>(particles::energy(start, steps), (start, steps));
        let at = |change: &dyn Fn(&mut [Particle; 3], f64), at: f64| {
            slope(
                |v| {
                    let mut start = start;
                    change(&mut start, v);
                    particles::energy(start, steps)
                },
                at,
            )
        };
        gradient::<particles::energy>((start, steps), |(d, ())| {
            near(d[0].place[1], at(&|p, v| p[0].place[1] = v, start[0].place[1]))
                && near(d[1].speed[2], at(&|p, v| p[1].speed[2] = v, start[1].speed[2]))
                && near(d[2].place[0], at(&|p, v| p[2].place[0] = v, start[2].place[0]))
                && near(d[1].mass, at(&|p, v| p[1].mass = v, start[1].mass))
        });
    }
    for angle in [0.3, 1.9] {
        both!(particles::polygon, angle);
        gradient::<particles::polygon>(angle, |d| near(d, slope(particles::polygon, angle)));
    }
    let body = |x| Body { place: Vector { x, y: 1.0 }, speed: Vector { x: 2.0, y: 3.0 }, masses: [0.5, 8.0] };
    let bodies = [body(1.0), body(2.0)];
    assert_eq!(particles::moved::typed().unwrap().call((bodies, 0.25)).unwrap(), particles::moved(bodies, 0.25));
    assert_eq!(particles::outer::typed().unwrap().call([2.0, 3.0]).unwrap(), [[4.0, 6.0], [6.0, 9.0]]);
}

#[test]
fn parameters_and_items_within() {
    both!(generics::mean, [1.0, -0.5, 2.0]);
    gradient::<generics::mean>([3.0, 1.0], |d| d == [3.0, 1.0]);
    for x in [0.3, 1.4] {
        for n in [1, 4, 7] {
            both!(generics::applied, x, n as usize);
            both!(generics::within, x, n);
            gradient::<generics::applied>((x, n as usize), |(dx, ())| near(dx, slope(|x| generics::applied(x, n as usize), x)));
            gradient::<generics::within>((x, n), |(dx, ())| near(dx, slope(|x| generics::within(x, n), x)));
        }
    }
}

/// The function fails with this message, in every backend, and so do its derivatives.
#[track_caller]
fn fails<F: Differentiable<Output = f64>>(expected: &str, args: impl Argument<F::Args> + Copy) {
    for options in options() {
        let function = F::function().expect("it is in the subset").with(options);
        let value = function.typed::<F::Args, f64>().and_then(|f| f.call(args)).expect_err("it fails");
        assert!(value.to_string().contains(expected), "{value}");
        let gradient = function.grad::<F::Args>().and_then(|f| f.call(args));
        assert!(gradient.is_err_and(|e| e.to_string().contains(expected)));
    }
}

#[test]
fn failures() {
    both!(failures::root, 4.0);
    both!(failures::inverse, 2.0, 4);
    both!(failures::choice, 2.0, 0);
    both!(failures::choice, 2.0, 1);
    both!(failures::total, &[1.0, 2.0, 3.0]);
    gradient::<failures::inverse>((2.0, 4), |(dx, ())| near(dx, slope(|x| failures::inverse(x, 4), 2.0)));
    gradient::<failures::choice>((2.0, 1), |(dx, ())| near(dx, 4.0));
    gradient::<failures::total>(&[1.0, 2.0], |dx| dx == [1.0, 2.0]);
    fails::<failures::root>("the root of -1.5", -1.5);
    fails::<failures::inverse>("assertion failed: x != 0.0 && n < 10", (0.0, 2));
    fails::<failures::inverse>("assertion `left != right` failed: seven of 0.5\n  left: 7\n right: 7", (0.5, 7));
    fails::<failures::inverse>("assertion `left == right` failed\n  left: 1\n right: 0", (0.5, 3));
    fails::<failures::inverse>("the root of -2.0", (-2.0, 2));
    fails::<failures::choice>("no 2 of 1.50,   2", (1.5, 2));
    fails::<failures::choice>("not implemented", (1.5, 3));
    fails::<failures::choice>("not yet implemented: the 4th", (1.5, 4));
    fails::<failures::choice>("internal error: entered unreachable code", (1.5, 5));
    fails::<failures::choice>("explicit panic", (11.0, 0));
    fails::<failures::total>("the 1th is negative", &[1.0, -1.0]);
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

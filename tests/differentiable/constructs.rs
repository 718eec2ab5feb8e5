//! Both ways for what goes beyond numbers, loops and structs: operators of structs, references, options, failures, arrays of structs.

use super::structs::{Body, Vector};
use super::{failures, generics, gives, gradient, iterators, near, options, particles, slope, traits};
use gradus::{Argument, Differentiable};

#[test]
fn operators_and_traits() {
    use super::traits::Complex;
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
        both!(traits::captured, x);
        gradient::<traits::captured>(x, |dx| near(dx, slope(traits::captured, x)));
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
    assert!(options::best::grad().unwrap().call(none).is_err());
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
    use super::particles::Particle;
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
        both!(generics::hidden, x);
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
    for options in super::options() {
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

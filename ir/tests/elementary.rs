//! Elementary functions against correctly rounded values, which `tests/oracle/elementary.py` has written.

use gradus_ir::Prim;
use gradus_ir::elementary::{self, Elementary, Host};
use std::collections::BTreeMap;

/// The distance between two neighbouring floats of the size of a normal one.
fn ulp(y: f64) -> f64 {
    let y = y.abs();
    f64::from_bits(y.to_bits() + 1) - y
}

#[test]
fn errors_are_below_a_unit_in_the_last_place() {
    let bound = if elementary::fused() { 1.0 } else { 2.0 };
    check_errors(bound, |f, x| match f {
        Elementary::Exp => elementary::exp(x),
        Elementary::Expm1 => elementary::expm1(x),
        Elementary::Log => elementary::log(x),
        Elementary::Log1p => elementary::log1p(x),
        Elementary::Sin => elementary::sin(x),
        Elementary::Cos => elementary::cos(x),
        Elementary::Tanh => elementary::tanh(x),
        Elementary::Erf => elementary::erf(x),
    });
}

#[test]
fn errors_are_below_two_units_where_nothing_is_fused() {
    check_errors(2.0, |f, x| f.formula(&mut Host::<false>, x));
}

/// Compares a way to compute functions with correctly rounded values.
#[track_caller]
fn check_errors(bound: f64, compute: impl Fn(Elementary, f64) -> f64) {
    let mut worst: BTreeMap<&str, (f64, f64)> = BTreeMap::new();
    for line in include_str!("elementary.csv").lines() {
        let [name, x, y, rest] = line.split(',').collect::<Vec<_>>()[..] else { panic!("{line}: four fields") };
        let [x, y] = [x, y].map(|bits| f64::from_bits(u64::from_str_radix(bits, 16).unwrap()));
        let function = Elementary::ALL.into_iter().find(|f| f.prim().name() == name);
        let found = compute(function.unwrap_or_else(|| panic!("{name} has no formula")), x);
        let error = ((found - y) / ulp(y) - rest.parse::<f64>().unwrap()).abs();
        let entry = worst.entry(name).or_default();
        if error > entry.0 {
            *entry = (error, x);
        }
    }
    assert_eq!(worst.len(), Elementary::ALL.len());
    assert!(worst.values().all(|&(error, _)| error <= bound), "{worst:?}");
    println!("{worst:?}");
}

#[test]
fn beyond_the_formulas_stands_the_library() {
    let check = |x: f64, found: f64, y: f64| {
        assert!(found.to_bits() == y.to_bits() || found.is_nan() && y.is_nan(), "at {x}: {found}, expected {y}");
    };
    let (inf, nan) = (f64::INFINITY, f64::NAN);
    for (x, y) in [(inf, inf), (-inf, 0.0), (nan, nan), (710.0, inf), (-746.0, 0.0), (-740.0, (-740.0_f64).exp()), (0.0, 1.0)] {
        check(x, elementary::exp(x), y);
    }
    for (x, y) in [(0.0, -inf), (-0.0, -inf), (-1.0, nan), (inf, inf), (nan, nan), (5e-324, 5e-324_f64.ln()), (1.0, 0.0)] {
        check(x, elementary::log(x), y);
    }
    for x in [inf, -inf, nan, 1e308, -1.0, -2.0, 0.0, -0.0, 5e-324, -5e-324, -1e-310, 1e-20] {
        check(x, elementary::expm1(x), x.exp_m1());
        check(x, elementary::log1p(x), x.ln_1p());
        check(x, elementary::tanh(x), x.tanh());
    }
    for x in [inf, -inf, nan, 6.5, -1e300, 0.0, -0.0, 1e-310, 5e-324] {
        check(x, elementary::erf(x), libm::erf(x));
    }
    for x in [inf, -inf, nan, 1e300, -1e7, 0.0, -0.0, 1e-310, -5e-324] {
        check(x, elementary::sin(x), x.sin());
        check(x, elementary::cos(x), x.cos());
        let [sin, cos] = elementary::sin_cos(x);
        check(x, sin, x.sin());
        check(x, cos, x.cos());
    }
}

#[test]
fn a_formula_belongs_to_one_primitive() {
    for f in Elementary::ALL {
        assert_eq!(Elementary::of(f.prim()), Some(f));
    }
    assert_eq!(Elementary::of(Prim::Erfc), None);
}

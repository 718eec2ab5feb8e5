//! Elementary functions against correctly rounded values, which `tests/oracle/elementary.py` has written.

use gradus_ir::Prim;
use gradus_ir::elementary::{self, Elementary};
use std::collections::BTreeMap;

/// The distance between two neighbouring floats of the size of a normal one.
fn ulp(y: f64) -> f64 {
    let y = y.abs();
    f64::from_bits(y.to_bits() + 1) - y
}

#[test]
fn errors_are_below_a_unit_in_the_last_place() {
    let bound = if elementary::fused() { 1.0 } else { 2.0 };
    let mut worst: BTreeMap<&str, (f64, f64)> = BTreeMap::new();
    for line in include_str!("elementary.csv").lines() {
        let [name, x, y, rest] = line.split(',').collect::<Vec<_>>()[..] else { panic!("{line}: four fields") };
        let [x, y] = [x, y].map(|bits| f64::from_bits(u64::from_str_radix(bits, 16).unwrap()));
        let found = match name {
            "exp" => elementary::exp(x),
            "log" => elementary::log(x),
            "sin" => elementary::sin(x),
            "cos" => elementary::cos(x),
            _ => panic!("{name} has no formula"),
        };
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
    assert_eq!(Elementary::of(Prim::Erf), None);
}

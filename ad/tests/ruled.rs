//! Functions with rules: their derivatives are the rules, whichever transform asks.

use gradus_ad::{Plan, expand};
use gradus_ir::parse::parse;
use gradus_ir::print::print;
use gradus_ir::verify::verify;

const RULES: &str = "
graph @p(%a: f64) -> f64 {
  %0: f64 = sin %a
  return %0
}
graph @j(%b: f64) -> (f64, fn(f64) -> (opaque, f64)) {
  %1: f64 = sin %b
  %2: (f64, fn(f64) -> (opaque, f64)) = tuple %1, @back
  return %2
}
graph @back(%g: f64) -> (opaque, f64) {  ; free %b
  %3: f64 = mul %g, %b
  %4: (opaque, f64) = tuple zero: opaque, %3
  return %4
}
graph @push(%own: opaque, %c: f64, %t: f64) -> (f64, f64) {
  %5: (f64, f64) = tuple %c, %t
  return %5
}
graph @f(%x: f64) -> f64 {
  %6: fn(f64) -> f64 = ruled @p, @j, @push
  %7: f64 = call %6, %x
  return %7
}
";

/// The module with the derivatives of `@f` expanded; the entry has this body.
fn expanded(entry: &str) -> String {
    let mut m = parse(&format!("entry @main\n{entry}{RULES}")).expect("a module");
    verify(&m).expect("a typed module");
    while expand(&mut m, &Plan::default()).expect("derivatives").count > 0 {}
    verify(&m).expect("a typed module");
    print(&m)
}

#[test]
fn reverse_mode_calls_the_rule() {
    let text = expanded(
        "graph @main(%y: f64) -> f64 {
  %m0: fn(f64) -> (f64, fn(f64) -> (opaque, f64)) = J @f
  %m1: (f64, fn(f64) -> (opaque, f64)) = call %m0, %y
  %m2: fn(f64) -> (opaque, f64) = get<1> %m1
  %m3: (opaque, f64) = call %m2, 1.0
  %m4: f64 = get<1> %m3
  return %m4
}
",
    );
    assert!(text.contains("call @j, "), "{text}");
    for gone in ["ruled", " J ", " K ", "cos"] {
        assert!(!text.contains(gone), "{gone} in\n{text}");
    }
}

#[test]
fn forward_mode_calls_the_rule() {
    let text = expanded(
        "graph @main(%y: f64) -> f64 {
  %m0: fn(opaque, f64, f64) -> (f64, f64) = F @f
  %m1: (f64, f64) = call %m0, zero: opaque, %y, 1.0
  %m2: f64 = get<1> %m1
  return %m2
}
",
    );
    assert!(text.contains("call @push, zero: opaque"), "{text}");
    for gone in ["ruled", " F ", "cos"] {
        assert!(!text.contains(gone), "{gone} in\n{text}");
    }
}

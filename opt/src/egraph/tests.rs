//! Programs as text before and after saturation.

use super::*;
use expect_test::{Expect, expect};
use gradus_ir::{parse, print, verify};

fn saturated(text: &str, math: Math) -> (String, Stats) {
    let mut m = parse::parse(text).unwrap_or_else(|e| panic!("{e}"));
    verify::verify(&m).unwrap_or_else(|e| panic!("{e}"));
    let stats = saturate(&mut m, &Options { math, ..Options::default() });
    let out = print::print(&m);
    verify::verify(&m).unwrap_or_else(|e| panic!("{e}\n{out}"));
    let again = saturate(&mut m, &Options { math, ..Options::default() });
    assert_eq!(again.improved, 0, "a second run finds nothing:\n{out}");
    (out, stats)
}

fn check_with(math: Math, text: &str, expected: Expect) {
    expected.assert_eq(&saturated(text, math).0);
}

fn check(text: &str, expected: Expect) {
    check_with(Math::Exact, text, expected);
}

#[test]
fn identities_and_constants() {
    check(
        "entry @f
        graph @f(%x: f64) -> f64 {
          %a: f64 = mul 1.0, %x
          %b: f64 = add 2.0, 3.0
          %c: f64 = mul %a, %b
          %d: f64 = neg %c
          %e: f64 = sub %x, %d
          %f: f64 = add %e, -0.0
          %g: f64 = add %f, 0.0
          return %g
        }",
        expect![[]],
    );
}

#[test]
fn the_gradient_of_a_cube_is_small() {
    check(
        "entry @f
        graph @f(%x: f64) -> f64 {
          %s: f64 = mul %x, %x
          %a: f64 = mul 1.0, %x
          %b: f64 = mul 1.0, %s
          %c: f64 = mul %a, %x
          %d: f64 = mul %a, %x
          %e: f64 = add %c, %d
          %f: f64 = add %b, %e
          return %f
        }",
        expect![[]],
    );
}

#[test]
fn real_rules_shrink_it_further() {
    check_with(
        Math::Fast,
        "entry @f
        graph @f(%x: f64) -> f64 {
          %s: f64 = mul %x, %x
          %c: f64 = mul %x, %x
          %e: f64 = add %c, %s
          %f: f64 = add %s, %e
          %z: f64 = sub %f, %f
          %r: f64 = add %f, %z
          return %r
        }",
        expect![[]],
    );
}

#[test]
fn tuples_and_boxes_disappear() {
    check(
        "entry @f
        graph @f(%x: f64, %t: (f64, i64)) -> (f64, i64) {
          %p: (f64, f64) = tuple %x, 2.0
          %b: opaque = pack %p
          %c: opaque = gadd zero: opaque, %b
          %q: (f64, f64) = unpack %c
          %y: f64 = get<0> %q
          %z: f64 = get<1> %q
          %u: f64 = get<0> %t
          %i: i64 = get<1> %t
          %m: f64 = mul %y, %z
          %n: f64 = add %x, %x
          %s: f64 = sub %m, %n
          %k: f64 = get<0> %t
          %w: (f64, i64) = tuple %u, %i
          return %w
        }",
        expect![[]],
    );
}

/// `exp x` is computed once for both arms and the join.
#[test]
fn equal_terms_of_several_blocks_are_one() {
    check(
        "entry @f
        graph @f(%x: f64) -> f64 {
          %c: bool = lt %x, 0.0
          %g: fn() -> f64 = select %c, @then, @else
          %r: f64 = call %g
          return %r
        }
        block @then() -> f64 {
          %a: f64 = exp %x
          %r1: f64 = call @join, %a
          return %r1
        }
        block @else() -> f64 {
          %b: f64 = exp %x
          %b2: f64 = mul %b, 3.0
          %r2: f64 = call @join, %b2
          return %r2
        }
        block @join(%p: f64) -> f64 {
          %d: f64 = exp %x
          %e: f64 = add %d, %p
          return %e
        }",
        expect![[]],
    );
}

/// The pure product moves out of the loop; the value that one arm needs moves into it.
#[test]
fn invariants_leave_loops_and_values_sink_into_arms() {
    check(
        "entry @f
        graph @f(%x: f64, %n: i64) -> f64 {
          %v: f64 = sin %x
          %r: f64 = call @head, 0, 0.0
          return %r
        }
        block @head(%i: i64, %s: f64) -> f64 {
          %c: bool = lt %i, %n
          %g: fn() -> f64 = select %c, @body, @done
          %r1: f64 = call %g
          return %r1
        }
        block @body() -> f64 {
          %a: f64 = exp %x
          %b: f64 = mul %a, 1.5
          %t: f64 = add %s, %b
          %j: i64 = add %i, 1
          %r2: f64 = call @head, %j, %t
          return %r2
        }
        block @done() -> f64 {
          %e: f64 = mul %s, %v
          return %e
        }",
        expect![[]],
    );
}

/// `%n * %n` may trap: the loop may run zero times, and then the product is not computed. In both arms it is computed in each.
#[test]
fn what_may_trap_is_not_hoisted() {
    check(
        "entry @f
        graph @f(%n: i64, %k: i64) -> i64 {
          %r: i64 = call @head, 0
          return %r
        }
        block @head(%i: i64) -> i64 {
          %c: bool = lt %i, %k
          %g: fn() -> i64 = select %c, @body, @done
          %r1: i64 = call %g
          return %r1
        }
        block @body() -> i64 {
          %q: i64 = mul %n, %n
          %p: i64 = mul %n, %n
          %a: i64 = add %i, %p
          %b: i64 = sub %a, %p
          %d: i64 = add %b, %q
          %r2: i64 = call @head, %d
          return %r2
        }
        block @done() -> i64 {
          %e: i64 = mul %n, %n
          return %e
        }",
        expect![[]],
    );
}

/// A closure keeps what it captures in scope; equal captures become one.
#[test]
fn captures_are_uses() {
    check(
        "entry @f
        graph @f(%x: f64) -> (fn(f64) -> f64, f64) {
          %a: f64 = sin %x
          %b: f64 = sin %x
          %one: f64 = mul %x, 1.0
          %s: f64 = mul %b, %one
          %t: (fn(f64) -> f64, f64) = tuple @g, %s
          return %t
        }
        graph @g(%y: f64) -> f64 {
          %m: f64 = mul %y, %a
          %k: f64 = mul %m, %one
          %l: f64 = mul %k, 1.0
          return %l
        }",
        expect![[]],
    );
}

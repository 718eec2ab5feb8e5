//! Programs as text before and after saturation.

use super::*;
use expect_test::{Expect, expect};
use gradus_ir::{Flavor, Role, Span, parse, print, verify};

fn saturated(text: &str, math: Math) -> (String, Stats) {
    let mut m = parse::parse(text).unwrap_or_else(|e| panic!("{e}"));
    verify::verify(&m).unwrap_or_else(|e| panic!("{e}"));
    let stats = saturate(&mut m, &Options { math, ..Options::default() }, &mut Settled::default());
    let out = print::print(&m);
    verify::verify(&m).unwrap_or_else(|e| panic!("{e}\n{out}"));
    let again = saturate(&mut m, &Options { math, ..Options::default() }, &mut Settled::default());
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
        expect![[r#"
            entry @f
            graph @f(%x: f64) -> f64 {
              %d: f64 = mul %x, -5.0
              %e: f64 = sub %x, %d
              %g: f64 = add %e, 0.0
              return %g
            }
        "#]],
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
        expect![[r#"
            entry @f
            graph @f(%x: f64) -> f64 {
              %s: f64 = mul %x, %x
              %e: f64 = add %s, %s
              %f: f64 = add %s, %e
              return %f
            }
        "#]],
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
        expect![[r#"
            entry @f
            graph @f(%x: f64) -> f64 {
              %s: f64 = mul %x, %x
              %f: f64 = mul %s, 3.0
              return %f
            }
        "#]],
    );
}

/// `z` is zero and the root is that of a negative number: neither is defined, and neither is taken.
#[test]
fn real_rules_hold_where_both_sides_are_defined() {
    let (out, stats) = saturated(
        "entry @f
        graph @f(%r: f64, %x: f64) -> f64 {
          %z: f64 = sub %x, %x
          %b: f64 = div %r, %z
          %s: f64 = sqrt %x
          %t: f64 = mul %s, %s
          %d: f64 = add %b, %t
          %c: bool = gt %r, 100.0
          %p: f64 = abs %x
          %q: f64 = add %r, %p
          %y: f64 = select %c, %d, %q
          return %y
        }",
        Math::Fast,
    );
    assert_eq!(stats.contradictions, 0, "{out}");
    assert!(out.contains("abs %x") && out.contains("add %r"), "{out}");
}

/// Zero times infinity, each a constant: zero by one rule and no number by another.
#[test]
fn two_constants_in_a_class_stop_the_rules() {
    let text = "entry @f
        graph @f(%x: f64) -> f64 {
          %z: f64 = sub %x, %x
          %i: f64 = div 1.0, %z
          %y: f64 = mul %i, %z
          return %y
        }";
    let (out, stats) = saturated(text, Math::Fast);
    assert_eq!((stats.contradictions, stats.improved), (1, 0), "{out}");
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
        expect![[r#"
            entry @f
            graph @f(%x: f64, %t: (f64, i64)) -> (f64, i64) {
              return %t
            }
        "#]],
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
        expect![[r#"
            entry @f
            graph @f(%x: f64) -> f64 {
              %c: bool = lt %x, 0.0
              %a: f64 = exp %x
              %g: fn() -> f64 = select %c, @then, @else
              %r: f64 = call %g
              return %r
            }
            block @then() -> f64 {  ; free %a
              %r1: f64 = call @join, %a
              return %r1
            }
            block @join(%p: f64) -> f64 {  ; free %a
              %e: f64 = add %a, %p
              return %e
            }
            block @else() -> f64 {  ; free %a
              %b2: f64 = mul %a, 3.0
              %r2: f64 = call @join, %b2
              return %r2
            }
        "#]],
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
        expect![[r#"
            entry @f
            graph @f(%x: f64, %n: i64) -> f64 {
              %a: f64 = exp %x
              %b: f64 = mul %a, 1.5
              %r: f64 = call @head, 0, 0.0
              return %r
            }
            block @head(%i: i64, %s: f64) -> f64 {  ; free %n, %b, %x
              %c: bool = lt %i, %n
              %g: fn() -> f64 = select %c, @body, @done
              %r1: f64 = call %g
              return %r1
            }
            block @body() -> f64 {  ; free %i, %s, %b, %n, %x
              %j: i64 = add %i, 1
              %t: f64 = add %s, %b
              %r2: f64 = call @head, %j, %t
              return %r2
            }
            block @done() -> f64 {  ; free %s, %x
              %v: f64 = sin %x
              %e: f64 = mul %s, %v
              return %e
            }
        "#]],
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
        expect![[r#"
            entry @f
            graph @f(%n: i64, %k: i64) -> i64 {
              %r: i64 = call @head, 0
              return %r
            }
            block @head(%i: i64) -> i64 {  ; free %k, %n
              %c: bool = lt %i, %k
              %g: fn() -> i64 = select %c, @body, @done
              %r1: i64 = call %g
              return %r1
            }
            block @body() -> i64 {  ; free %i, %n, %k
              %p: i64 = mul %n, %n
              %a: i64 = add %i, %p
              %r2: i64 = call @head, %a
              return %r2
            }
            block @done() -> i64 {  ; free %n
              %e: i64 = mul %n, %n
              return %e
            }
        "#]],
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
        expect![[r#"
            entry @f
            graph @f(%x: f64) -> (fn(f64) -> f64, f64) {
              %a: f64 = sin %x
              %s: f64 = mul %a, %x
              %t: (fn(f64) -> f64, f64) = tuple @g, %s
              return %t
            }
            graph @g(%y: f64) -> f64 {  ; free %a, %x
              %m: f64 = mul %y, %a
              %k: f64 = mul %m, %x
              return %k
            }
        "#]],
    );
}

/// Both arms of the inner branch compute `%n * %n`, the other arm of the outer one does not: it stays where it is.
#[test]
fn what_may_trap_is_shared_only_below_where_it_was() {
    check(
        "entry @f
        graph @f(%n: i64, %c: bool, %d: bool) -> i64 {
          %g: fn() -> i64 = select %c, @two, @one
          %r: i64 = call %g
          return %r
        }
        block @two() -> i64 {
          %h: fn() -> i64 = select %d, @left, @right
          %r1: i64 = call %h
          return %r1
        }
        block @left() -> i64 {
          %p: i64 = mul %n, %n
          %g2: fn() -> i64 = select %d, @deep, @one
          %r2: i64 = call %g2
          return %r2
        }
        block @deep() -> i64 {
          %q: i64 = mul %n, %n
          %s: i64 = sub %q, 1
          %t: i64 = add %s, %p
          return %t
        }
        block @right() -> i64 {
          %u: i64 = mul %n, %n
          %v: i64 = add %u, 2
          return %v
        }
        block @one() -> i64 {
          return %n
        }",
        expect![[r#"
            entry @f
            graph @f(%n: i64, %c: bool, %d: bool) -> i64 {
              %g: fn() -> i64 = select %c, @two, @one
              %r: i64 = call %g
              return %r
            }
            block @two() -> i64 {  ; free %d, %n
              %h: fn() -> i64 = select %d, @left, @right
              %r1: i64 = call %h
              return %r1
            }
            block @left() -> i64 {  ; free %d, %n
              %g2: fn() -> i64 = select %d, @deep, @one
              %r2: i64 = call %g2
              return %r2
            }
            block @deep() -> i64 {  ; free %n
              %q: i64 = mul %n, %n
              %s: i64 = sub %q, 1
              %t: i64 = add %s, %q
              return %t
            }
            block @one() -> i64 {  ; free %n
              return %n
            }
            block @right() -> i64 {  ; free %n
              %u: i64 = mul %n, %n
              %v: i64 = add %u, 2
              return %v
            }
        "#]],
    );
}

#[test]
fn calls_stay_and_unneeded_ones_go() {
    check(
        "entry @f
        graph @f(%x: f64) -> f64 {
          %a: f64 = call @h, %x
          %b: f64 = call @h, %x
          %t: (f64, f64) = tuple %a, %b
          %u: f64 = get<1> %t
          %v: f64 = mul %u, 1.0
          return %v
        }
        graph @h(%y: f64) -> f64 {
          %z: f64 = call @h, %y
          %w: f64 = mul %z, 1.0
          return %w
        }",
        expect![[r#"
            entry @f
            graph @f(%x: f64) -> f64 {
              %b: f64 = call @h, %x
              return %b
            }
            graph @h(%y: f64) -> f64 {
              %z: f64 = call @h, %y
              return %z
            }
        "#]],
    );
}

#[test]
fn where_gradients_join_their_arms() {
    check(
        "entry @f
        graph @f(%c: bool, %a: f64, %b: f64) -> f64 {
          %n: bool = not %c
          %p: f64 = select %c, %a, -0.0
          %q: f64 = select %n, %b, -0.0
          %s: f64 = add %p, %q
          return %s
        }",
        expect![[r#"
            entry @f
            graph @f(%c: bool, %a: f64, %b: f64) -> f64 {
              %s: f64 = select %c, %a, %b
              return %s
            }
        "#]],
    );
}

/// A chain `x ← x·x + i`, whose tree is exponential, longer than a piece.
#[test]
fn long_chains_are_cut_and_stay_within_the_limit() {
    let mut m = Module::new();
    let g = m.add_graph("f", Flavor::Function, Role::Primal, Span::NONE);
    m.entry = Some(g);
    let x = m.add_param(g, Type::F64, None, Span::NONE);
    m.declare_result(g, Type::F64);
    let mut value = x;
    for i in 0..33_333 {
        let one = m.f64(1.0);
        let c = m.f64(f64::from(i % 7));
        let scaled = m.prim(g, Prim::Mul, vec![one, value], Type::F64, Span::NONE);
        let square = m.prim(g, Prim::Mul, vec![value, scaled], Type::F64, Span::NONE);
        value = m.prim(g, Prim::Sub, vec![square, c], Type::F64, Span::NONE);
    }
    m.set_result(g, value);
    let stats = saturate(&mut m, &Options::default(), &mut Settled::default());
    verify::verify(&m).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(stats.regions, 5);
    assert!(stats.enodes.1 <= 10_000 + 3 * 20_000, "{stats:?}");
    // All products with 1.0 are gone, and every seventh difference is one with 0.0.
    assert_eq!(stats.applications, (99_999, 33_333 + 33_333 - 4_762));
}

/// Associativity and distribution make exponentially many terms of a sum of products.
#[test]
fn a_small_region_is_regrouped_within_bounds() {
    let mut text = "entry @f\n graph @f(%x: f64, %y: f64) -> f64 {\n %s0: f64 = mul %x, %y\n".to_owned();
    for i in 0..15 {
        text += &format!("%a{i}: f64 = add %s{i}, %x\n %b{i}: f64 = mul %a{i}, %y\n %s{}: f64 = add %b{i}, %a{i}\n", i + 1);
    }
    let (_, stats) = saturated(&(text + "return %s15 }"), Math::Fast);
    assert_eq!((stats.applications.0, stats.stops), (46, [0, 0, 1]));
    assert!(stats.enodes.0 < 2 * (100 + 16 * 46), "{stats:?}");
}

//! Ranges of integers, row by row: which checks and comparisons go, and which stay. Both compute the same (`common::simplified`).

mod common;

use common::{check, options, simplified};
use expect_test::expect;
use gradus_ir::Prim;

/// A loop in which `i` goes from 0 to 9, `m` is ten less and `p` one more; `n` is anything.
fn looped(lines: &str) -> String {
    format!(
        "entry @main
         graph @main(%n: i64) -> i64 {{
           %r: i64 = call @loop, 0, 0
           return %r
         }}
         block @loop(%i: i64, %s: i64) -> i64 {{
           %go: bool = lt %i, 10
           %next: fn() -> i64 = select %go, @body, @done
           %r1: i64 = call %next
           return %r1
         }}
         block @body() -> i64 {{
           %m: i64 = wrap_sub %i, 10
           %p: i64 = wrap_add %i, 1
           {lines}
           %s1: i64 = bit_xor %s, %v
           %r2: i64 = call @loop, %p, %s1
           return %r2
         }}
         block @done() -> i64 {{
           return %s
         }}"
    )
}

/// How often a primitive is in what such a loop becomes.
fn count(lines: &str, prim: Prim) -> usize {
    let (module, _) = simplified(&looped(lines), &options());
    module.nodes().filter(|&(n, _)| module.as_prim(n) == Some(prim)).count()
}

#[test]
fn checks() {
    for (line, prim, is_left) in [
        ("index %i, 10", Prim::Index, false),
        ("index %i, 9", Prim::Index, true),
        ("index %m, 10", Prim::Index, false),
        ("index %m, 9", Prim::Index, true),
        ("index %n, 10", Prim::Index, true),
        ("index %i, %n", Prim::Index, true),
        ("add %i, %p", Prim::Add, false),
        ("add %i, 9223372036854775798", Prim::Add, false),
        ("add %i, 9223372036854775799", Prim::Add, true),
        ("add %i, %n", Prim::Add, true),
        ("sub %i, %p", Prim::Sub, false),
        ("sub %m, 9223372036854775799", Prim::Sub, true),
        ("sub %m, 9223372036854775798", Prim::Sub, false),
        ("abs %i", Prim::Abs, false),
        ("abs %m", Prim::Abs, true),
        ("step %p", Prim::Step, false),
        ("step %m", Prim::Step, false),
        ("step %n", Prim::Step, true),
        ("mod %i, 10", Prim::Mod, false),
        ("mod %i, 9", Prim::Mod, true),
        ("mod %m, 10", Prim::Mod, true),
        ("min %i, 9", Prim::Min, false),
        ("min 9, %i", Prim::Min, false),
        ("min %i, 8", Prim::Min, true),
        ("max %m, %i", Prim::Max, false),
        ("max 0, %i", Prim::Max, false),
        ("max %i, 1", Prim::Max, true),
    ] {
        let before = usize::from(is_left);
        assert_eq!(count(&format!("%v: i64 = {line}"), prim), before, "{line}");
    }
}

#[test]
fn comparisons() {
    let loops_own = 1;
    for (line, prim, is_left) in [
        ("lt %i, 10", Prim::Lt, false),
        ("lt %i, 0", Prim::Lt, false),
        ("lt %i, 9", Prim::Lt, true),
        ("le %i, 9", Prim::Le, false),
        ("le %i, -1", Prim::Le, false),
        ("le %i, 8", Prim::Le, true),
        ("gt %i, -1", Prim::Gt, false),
        ("gt %i, 9", Prim::Gt, false),
        ("gt %i, 0", Prim::Gt, true),
        ("ge %i, 0", Prim::Ge, false),
        ("ge %i, 10", Prim::Ge, false),
        ("ge %i, 1", Prim::Ge, true),
        ("eq %i, %m", Prim::Eq, false),
        ("eq %i, 9", Prim::Eq, true),
        ("ne %i, 10", Prim::Ne, false),
        ("ne %i, %p", Prim::Ne, true),
        ("lt %i, %n", Prim::Lt, true),
    ] {
        let own = if prim == Prim::Lt { loops_own } else { 0 };
        let lines = format!("%b: bool = {line}\n           %v: i64 = select %b, %n, %m");
        assert_eq!(count(&lines, prim), own + usize::from(is_left), "{line}");
    }
}

/// In the arms of a branch, `n` is within what the condition says.
#[test]
fn conditions() {
    for (condition, then, otherwise) in [
        ("lt %n, 5", "gt %n, 4", "lt %n, 5"),
        ("le %n, 5", "gt %n, 5", "le %n, 5"),
        ("gt %n, 5", "le %n, 5", "ge %n, 6"),
        ("ge %n, 5", "lt %n, 5", "ge %n, 5"),
        ("eq %n, 5", "ge %n, 6", "eq %n, 5"),
        ("gt 5, %n", "ge %n, 5", "le %n, 4"),
    ] {
        let text = format!(
            "entry @main
             graph @main(%n: i64) -> i64 {{
               %c: bool = {condition}
               %next: fn() -> i64 = select %c, @then, @otherwise
               %r: i64 = call %next
               return %r
             }}
             block @then() -> i64 {{
               %b: bool = {then}
               %v: i64 = select %b, %n, 1
               %t: i64 = mul %v, %v
               return %t
             }}
             block @otherwise() -> i64 {{
               %d: bool = {otherwise}
               %w: i64 = select %d, %n, 2
               %u: i64 = mul %w, 3
               return %u
             }}"
        );
        let (module, _) = simplified(&text, &options());
        let compares = module.nodes().filter(|&(n, _)| module.as_prim(n).is_some_and(|p| p.sig() == gradus_ir::Sig::Compare));
        let expected = if condition.starts_with("eq") { 2 } else { 1 };
        assert!(compares.count() <= expected, "{condition}: {}", gradus_ir::print::print(&module));
    }
}

/// What is compared to guard a value is compared for its checks.
#[test]
fn guards_stay() {
    let text = "entry @main
         graph @main(%x: f64, %n: i64) -> f64 {
           %a: opaque = pack %x
           %i: i64 = index %n, 2
           %b: bool = ge %i, 0
           %c: opaque = guard %a, %b
           %d: f64 = unpack %c
           return %d
         }";
    check(
        text,
        expect![[r#"
            entry @main
            graph @main(%x: f64, %n: i64) -> f64 {
              %a: opaque = pack %x
              %i: i64 = index %n, 2
              %b: bool = ge %i, 0
              %c: opaque = guard %a, %b
              %d: f64 = unpack %c
              return %d
            }
        "#]],
    );
}

/// Where no derivative is left, a loop whose condition has two parts asks each once.
#[test]
fn jumps_to_branches() {
    let text = "entry @main
         graph @main(%x: f64, %n: i64) -> f64 {
           %r: f64 = call @loop, %n, %x
           return %r
         }
         block @loop(%i: i64, %s: f64) -> f64 {
           %go: bool = gt %i, 0
           %next: fn() -> f64 = select %go, @more, @no
           %r1: f64 = call %next
           return %r1
         }
         block @more() -> f64 {
           %small: bool = lt %s, 100.0
           %r2: f64 = call @both, %small
           return %r2
         }
         block @no() -> f64 {
           %r3: f64 = call @both, false
           return %r3
         }
         block @both(%c: bool) -> f64 {
           %next1: fn() -> f64 = select %c, @body, @done
           %r4: f64 = call %next1
           return %r4
         }
         block @body() -> f64 {
           %j: i64 = sub %i, 1
           %t: f64 = add %s, %s
           %r5: f64 = call @loop, %j, %t
           return %r5
         }
         block @done() -> f64 {
           %q: f64 = mul %s, 3.0
           return %q
         }";
    let (module, report) = simplified(text, &options());
    assert_eq!(report.total("jumps to branches"), 1);
    // And what the loop goes on for is known in its body.
    assert!(!module.nodes().any(|(n, _)| module.as_prim(n) == Some(Prim::Sub)), "{}", gradus_ir::print::print(&module));
}

//! Functions as modules, and what is wrong where the whole program is at hand.
#![cfg(feature = "lower")]

use expect_test::{Expect, expect};
use gradus_ir::print::print;
use gradus_rust::{Constant, Item, Reference, lower};

const fn item(name: &'static str, text: &'static str) -> Item {
    Item { name, file: "f.rs", line: 7, text, refers: Vec::new }
}

fn check(item: Item, expected: Expect) {
    let (module, _) = lower::function(item).unwrap_or_else(|refused| panic!("{:?}", refused.0));
    expected.assert_eq(&print(&module));
}

#[test]
fn a_loop() {
    let text = "fn pow(x: f64, mut n: i64) -> f64 {
    let mut r = 1.0;
    while n > 0 {
        n -= 1;
        r *= x;
    }
    r
}";
    check(
        item("pow", text),
        expect![[r#"
        graph @pow(%x, %n) {
          %0 = call @pow.loop, %n, 1.0
          return %0
        }
        block @pow.loop(%n.1, %r) {  ; free %x
          %1 = gt %n.1, 0
          %2 = select %1, @pow.body, @pow.done
          %3 = call %2
          return %3
        }
        block @pow.body() {  ; free %n.1, %r, %x
          %n.2 = sub %n.1, 1
          %r.1 = mul %r, %x
          %4 = call @pow.loop, %n.2, %r.1
          return %4
        }
        block @pow.done() {  ; free %r
          %5 = call @pow.after
          return %5
        }
        block @pow.after() {  ; free %r
          return %r
        }
    "#]],
    );
}

#[test]
fn ranges_of_integers_are_checked() {
    check(
        item("f", "fn f(a: usize, b: usize) -> usize { a - b }"),
        expect![[r#"
        graph @f(%a, %b) {
          %0 = sub %a, %b
          %1 = add %0, -9223372036854775808
          %2 = wrap_sub %1, -9223372036854775808
          return %2
        }
    "#]],
    );
    check(
        item("f", "fn f(a: i32, b: i32) -> i32 { a * b }"),
        expect![[r#"
        graph @f(%a, %b) {
          %0 = mul %a, %b
          %1 = add %0, -9223372034707292160
          %2 = wrap_sub %1, -9223372034707292160
          %3 = add %2, 9223372034707292160
          %4 = wrap_sub %3, 9223372034707292160
          return %4
        }
    "#]],
    );
}

const HELPER: Item = item("g", "fn g(x: f64) -> f64 { x * SIZE }");

#[test]
fn other_items() {
    fn refers_to_size() -> Vec<(&'static str, Reference)> {
        vec![("SIZE", Reference::Constant(Constant::F64(2.5)))]
    }
    fn refers() -> Vec<(&'static str, Reference)> {
        vec![("help::g", Reference::Function(Item { refers: refers_to_size, ..HELPER }))]
    }
    check(
        Item { refers, ..item("f", "fn f(x: f64) -> f64 { help::g(x) + 1.0 }") },
        expect![[r#"
        graph @f(%x) {
          %0 = call @g, %x
          %1 = add %0, 1.0
          return %1
        }
        graph @g(%x.1) {
          %2 = mul %x.1, 2.5
          return %2
        }
    "#]],
    );
}

#[test]
fn what_is_not_there() {
    let refused = lower::function(item("f", "fn f(x: f64) -> f64 { g(x) }")).expect_err("nothing says what g is");
    let (diagnostics, source) = *refused;
    assert_eq!(diagnostics[0].message, "`g` is not differentiable");
    let span = diagnostics[0].span;
    assert_eq!(&source.text[span.start as usize..span.end as usize], "g");
    assert_eq!(source.section(span), ("f.rs", 0..source.text.len(), 7));
}

//! Tapes in small modules: text in, text out, and the same bits before and after.

mod common;

use common::{check, options, read, simplified};
use expect_test::expect;
use gradus_ir::print::print;
use gradus_opt::{Closures, Options, simplify};

#[test]
fn a_pop_after_a_push_gives_what_was_pushed() {
    check(
        "entry @f
        graph @f(%x: f64, %y: f64) -> (f64, f64, f64) {
          %a: tape<f64> = push zero: tape<f64>, %x
          %b: tape<f64> = push %a, %y
          %p: (tape<f64>, f64) = pop %b
          %c: tape<f64> = get<0> %p
          %u: f64 = get<1> %p
          %q: (tape<f64>, f64) = pop %c
          %d: tape<f64> = get<0> %q
          %v: f64 = get<1> %q
          %r: (tape<f64>, f64) = pop %d
          %w: f64 = get<1> %r
          %t: (f64, f64, f64) = tuple %u, %v, %w
          return %t
        }",
        expect![[r#"
            entry @f
            graph @f(%x: f64, %y: f64) -> (f64, f64, f64) {
              %t: (f64, f64, f64) = tuple %y, %x, -0.0
              return %t
            }
        "#]],
    );
}

#[test]
fn equal_pushes_are_two_tapes() {
    check(
        "entry @f
        graph @f(%x: f64, %y: f64, %n: i64) -> f64 {
          %a: tape<f64> = push zero: tape<f64>, %x
          %b: tape<f64> = push zero: tape<f64>, %x
          %c: tape<f64> = push %a, %y
          %d: tape<f64> = push %b, 1.0
          %e: tape<f64> = gadd %c, %d
          %p: (tape<f64>, f64) = pop %e
          %q: tape<f64> = get<0> %p
          %r: (tape<f64>, f64) = pop %q
          %s: f64 = get<1> %r
          return %s
        }",
        expect![[r#"
            entry @f
            graph @f(%x: f64, %y: f64, %n: i64) -> f64 {
              %a: tape<f64> = push zero: tape<f64>, %x
              %c: tape<f64> = push %a, %y
              %b: tape<f64> = push zero: tape<f64>, %x
              %d: tape<f64> = push %b, 1.0
              %e: tape<f64> = gadd %c, %d
              %p: (tape<f64>, f64) = pop %e
              %q: tape<f64> = get<0> %p
              %r: (tape<f64>, f64) = pop %q
              %s: f64 = get<1> %r
              return %s
            }
        "#]],
    );
}

#[test]
fn fields_of_what_is_undefined_are_undefined() {
    check(
        "entry @f
        graph @f(%c: bool, %x: f64) -> f64 {
          %empty: (tape<(f64, fn() -> f64)>, (f64, fn() -> f64)) = pop zero: tape<(f64, fn() -> f64)>
          %record: (f64, fn() -> f64) = get<1> %empty
          %v: f64 = get<0> %record
          %y: f64 = select %c, %x, %v
          %z: f64 = select %c, %y, 1.0
          return %z
        }",
        expect![[r#"
            entry @f
            graph @f(%c: bool, %x: f64) -> f64 {
              %z: f64 = select %c, %x, 1.0
              return %z
            }
        "#]],
    );
}

#[test]
fn boxes_that_hold_tapes_are_added_field_by_field() {
    check(
        "entry @f
        graph @f(%x: f64, %y: f64) -> f64 {
          %a: tape<f64> = push zero: tape<f64>, %x
          %b: tape<f64> = push zero: tape<f64>, %y
          %c: (tape<f64>, zero, f64) = tuple %a, zero, %x
          %d: (tape<f64>, zero, f64) = tuple %b, zero, %y
          %e: opaque = pack %c
          %g: opaque = pack %d
          %h: opaque = gadd %e, %g
          %i: (tape<f64>, zero, f64) = unpack %h
          %j: tape<f64> = get<0> %i
          %k: (tape<f64>, f64) = pop %j
          %l: f64 = get<1> %k
          return %l
        }",
        expect![[r#"
            entry @f
            graph @f(%x: f64, %y: f64) -> f64 {
              %a: tape<f64> = push zero: tape<f64>, %x
              %b: tape<f64> = push zero: tape<f64>, %y
              %j: tape<f64> = gadd %a, %b
              %k: (tape<f64>, f64) = pop %j
              %l: f64 = get<1> %k
              return %l
            }
        "#]],
    );
}

#[test]
fn a_tape_of_cotangents_keeps_what_may_be_zero_below() {
    // The loop pushes as many records as n says; two are popped.
    let program = |start: &str| {
        format!(
            "entry @f
            graph @f(%x: f64, %n: i64) -> f64 {{
              %0: f64 = call @loop, %n, {start}: tape<(f64, f64)>
              return %0
            }}
            block @loop(%i: i64, %t: tape<(f64, f64)>) -> f64 {{
              %1: bool = gt %i, 0
              %2: fn() -> f64 = select %1, @turn, @done
              %3: f64 = call %2
              return %3
            }}
            block @turn() -> f64 {{
              %4: i64 = sub %i, 1
              %5: f64 = float %i
              %6: (f64, f64) = tuple %5, %x
              %7: tape<(f64, f64)> = push %t, %6
              %8: f64 = call @loop, %4, %7
              return %8
            }}
            block @done() -> f64 {{
              %9: (tape<(f64, f64)>, (f64, f64)) = pop %t
              %10: tape<(f64, f64)> = get<0> %9
              %11: (tape<(f64, f64)>, (f64, f64)) = pop %10
              %12: (f64, f64) = get<1> %11
              %13: f64 = get<0> %12
              %14: f64 = get<1> %12
              %15: f64 = add %13, %14
              return %15
            }}"
        )
    };
    let text = print(&simplified(&program("zero"), &options()).0);
    assert!(text.contains("zero: tape<(f64, f64)>"), "{text}");
    // Where no more is popped than was pushed, x is there already.
    let mut module = read(&program("undefined"));
    simplify(&mut module, &options(), &mut Default::default());
    let text = print(&module);
    assert!(text.contains("undefined: tape<(f64,)>"), "{text}");
}

#[test]
fn what_few_operations_give_is_computed_again() {
    // Of %s, %t and %u only what they are made of is recorded; %y comes from outside of both loops; %e is dear.
    let program = "entry @f
        graph @f(%x: f64, %y: f64, %n: i64) -> f64 {
          %0: f64 = call @loop, %n, %x, undefined: tape<(f64, f64, f64, f64, f64)>
          return %0
        }
        block @loop(%i: i64, %a: f64, %t: tape<(f64, f64, f64, f64, f64)>) -> f64 {
          %1: bool = gt %i, 0
          %2: fn() -> f64 = select %1, @turn, @done
          %3: f64 = call %2
          return %3
        }
        block @turn() -> f64 {
          %4: i64 = sub %i, 1
          %s: f64 = mul %a, %y
          %u: f64 = add %s, %a
          %v: f64 = mul %u, %s
          %e: f64 = exp %v
          %5: (f64, f64, f64, f64, f64) = tuple %a, %s, %u, %v, %e
          %6: tape<(f64, f64, f64, f64, f64)> = push %t, %5
          %7: f64 = call @loop, %4, %v, %6
          return %7
        }
        block @done() -> f64 {
          %8: f64 = call @back, %n, %a, %t
          return %8
        }
        block @back(%j: i64, %g: f64, %r: tape<(f64, f64, f64, f64, f64)>) -> f64 {
          %9: bool = gt %j, 0
          %10: fn() -> f64 = select %9, @undo, @end
          %11: f64 = call %10
          return %11
        }
        block @undo() -> f64 {
          %12: i64 = sub %j, 1
          %13: (tape<(f64, f64, f64, f64, f64)>, (f64, f64, f64, f64, f64)) = pop %r
          %14: (f64, f64, f64, f64, f64) = get<1> %13
          %15: f64 = get<1> %14
          %16: f64 = get<2> %14
          %17: f64 = get<3> %14
          %18: f64 = get<4> %14
          %19: f64 = get<0> %14
          %20: f64 = mul %g, %15
          %21: f64 = add %20, %16
          %22: f64 = mul %21, %17
          %23: f64 = add %22, %18
          %24: f64 = sub %23, %19
          %25: tape<(f64, f64, f64, f64, f64)> = get<0> %13
          %26: f64 = call @back, %12, %24, %25
          return %26
        }
        block @end() -> f64 {
          return %g
        }";
    let text = print(&simplified(program, &options()).0);
    assert!(text.contains("tape<(f64, f64)>") && !text.contains("tape<(f64, f64, f64"), "{text}");
}

// --- chains of closures that become tapes

/// The last simplification, of a program that was simplified as far as tags go.
fn last() -> Options {
    Options { closures: Closures::Tapes, ..options() }
}

/// Whether a chain is found.
#[track_caller]
fn is_chain(text: &str) -> bool {
    let mut m = read(text);
    simplify(&mut m, &options(), &mut Default::default());
    simplify(&mut m, &last(), &mut Default::default()).passes.iter().any(|pass| pass.name == "chains")
}

/// A loop of n trips whose closures start with `@first`; what the body does, and other graphs.
fn a_loop(body: &str, graphs: &str) -> String {
    format!(
        "entry @f
        graph @f(%x: f64, %n: i64) -> f64 {{
          %0: f64 = call @loop, %n, @first
          return %0
        }}
        block @loop(%i: i64, %k: fn(f64) -> f64) -> f64 {{
          %1: bool = gt %i, 0
          %2: fn() -> f64 = select %1, @body, @done
          %3: f64 = call %2
          return %3
        }}
        block @body() -> f64 {{
          %i.1: i64 = wrap_sub %i, 1
          {body}
        }}
        block @done() -> f64 {{
          %4: f64 = call %k, 1.0
          return %4
        }}
        graph @first(%a: f64) -> f64 {{
          return %a
        }}
        {graphs}"
    )
}

const LINK: &str = "graph @link(%b: f64) -> f64 {
          %5: f64 = float %i
          %6: f64 = sin %5
          %7: f64 = mul %b, %6
          %8: f64 = mul %7, %x
          %9: f64 = call %k, %8
          return %9
        }";

#[test]
fn the_backpropagators_of_a_loop() {
    let body = "%r: f64 = call @loop, %i.1, @link
          return %r";
    let (tagged, _) = simplified(&a_loop(body, LINK), &options());
    let (m, _) = simplified(&print(&tagged), &last());
    let expected = expect![[r#"
        entry @f
        graph @f(%x: f64, %n: i64) -> f64 {
          %0: f64 = call @loop, %n, undefined: tape<(i64,)>, 0
          return %0
        }
        block @loop(%i: i64, %k.tape: tape<(i64,)>, %k.count: i64) -> f64 {  ; free %x
          %1: bool = gt %i, 0
          %2: fn() -> f64 = select %1, @body, @done
          %3: f64 = call %2
          return %3
        }
        block @body() -> f64 {  ; free %i, %k.tape, %k.count, %x
          %i.1: i64 = wrap_sub %i, 1
          %4: (i64,) = tuple %i
          %5: tape<(i64,)> = push %k.tape, %4
          %6: i64 = wrap_add %k.count, 1
          %r: f64 = call @loop, %i.1, %5, %6
          return %r
        }
        block @done() -> f64 {  ; free %k.tape, %k.count, %x
          %7: f64 = call @k.apply, %k.tape, %k.count, 1.0
          return %7
        }
        block @k.apply(%k.tape.1: tape<(i64,)>, %k.count.1: i64, %b: f64) -> f64 {  ; free %x
          %8: bool = gt %k.count.1, 0
          %9: fn() -> f64 = select %8, @k.apply.link, @k.apply.start
          %10: f64 = call %9
          return %10
        }
        block @k.apply.link() -> f64 {  ; free %k.tape.1, %k.count.1, %b, %x
          %11: (tape<(i64,)>, (i64,)) = pop %k.tape.1
          %12: tape<(i64,)> = get<0> %11
          %13: i64 = wrap_sub %k.count.1, 1
          %14: (i64,) = get<1> %11
          %15: i64 = get<0> %14
          %16: f64 = float %15
          %17: f64 = sin %16
          %18: f64 = mul %b, %17
          %19: f64 = mul %18, %x
          %20: f64 = call @k.apply, %12, %13, %19
          return %20
        }
        block @k.apply.start() -> f64 {  ; free %b
          return %b
        }
    "#]];
    expected.assert_eq(&print(&m));
}

#[test]
fn what_is_no_list_stays() {
    let twice = "%r: f64 = call @loop, %i.1, @link
          %s: f64 = call @again, @link
          %t: f64 = add %r, %s
          return %t";
    let again = "
        graph @again(%q: fn(f64) -> f64) -> f64 {
          %u: f64 = call @loop, 1, %q
          return %u
        }";
    // Two lists would share what is before their ends.
    assert!(!is_chain(&a_loop(twice, &(LINK.to_owned() + again))));
    // A closure that goes on with the chain that it is part of takes nothing apart.
    let grows = "graph @link(%b: f64) -> f64 {
          %5: f64 = float %i
          %6: f64 = sin %5
          %7: f64 = mul %b, %6
          %8: bool = gt %b, 10.0
          %9: fn() -> f64 = select %8, @stop, @on
          %10: f64 = call %9
          return %10
        }
        block @stop() -> f64 {
          return %b
        }
        block @on() -> f64 {
          %11: f64 = call @loop, 3, %k
          return %11
        }";
    let body = "%r: f64 = call @loop, %i.1, @link
          return %r";
    assert!(!is_chain(&a_loop(body, grows)));
}

/// The types of the tapes of a program with chains, by first mention.
fn tapes(program: &str) -> Vec<String> {
    let mut m = read(program);
    simplify(&mut m, &options(), &mut Default::default());
    let (m, _) = simplified(&print(&m), &last());
    let text = print(&m);
    let mut found: Vec<String> = Vec::new();
    for ty in text.split("tape<(").skip(1).filter_map(|rest| rest.split(")>").next()) {
        if !found.iter().any(|known| known == ty) {
            found.push(ty.to_owned());
        }
    }
    assert!(!text.contains("fn(f64)"), "{text}");
    found
}

/// A loop that records floats, and one that records ints: `body` is that of the first, `done` where it ends, `last` where the second does.
fn two_loops(body: &str, done: &str, last: &str, graphs: &str) -> String {
    format!(
        "entry @f
        graph @f(%x: f64, %n: i64) -> f64 {{
          %0: f64 = call @loop, %n, %x, @first
          return %0
        }}
        block @loop(%i: i64, %y: f64, %k: fn(f64) -> f64) -> f64 {{
          %1: bool = gt %i, 0
          %2: fn() -> f64 = select %1, @body, @done
          %3: f64 = call %2
          return %3
        }}
        block @body() -> f64 {{
          %i.1: i64 = wrap_sub %i, 1
          %y.1: f64 = sin %y
          {body}
        }}
        block @done() -> f64 {{
          {done}
        }}
        block @inner(%j: i64, %l: fn(f64) -> f64) -> f64 {{
          %4: bool = gt %j, 0
          %5: fn() -> f64 = select %4, @more, @last
          %6: f64 = call %5
          return %6
        }}
        block @more() -> f64 {{
          %j.1: i64 = wrap_sub %j, 1
          %7: f64 = call @inner, %j.1, @turn
          return %7
        }}
        block @last() -> f64 {{
          {last}
        }}
        graph @first(%a: f64) -> f64 {{
          return %a
        }}
        graph @turn(%b: f64) -> f64 {{
          %8: f64 = float %j
          %9: f64 = sin %8
          %10: f64 = mul %b, %9
          %11: f64 = call %l, %10
          return %11
        }}
        graph @enter(%c: f64) -> f64 {{
          %12: f64 = call %k, %c
          return %12
        }}
        {graphs}"
    )
}

#[test]
fn each_of_two_loops_in_a_row_has_a_tape_of_its_own() {
    let row = two_loops(
        "%r: f64 = call @loop, %i.1, %y.1, @link
          return %r",
        "%s: f64 = call @inner, %n, @enter
          return %s",
        "%t: f64 = call %l, 1.0
          return %t",
        "graph @link(%d: f64) -> f64 {
          %e: f64 = mul %d, %y
          %g: f64 = call %k, %e
          return %g
        }",
    );
    assert_eq!(tapes(&row), ["f64,", "i64,"]);
}

#[test]
fn a_loop_in_a_loop_has_a_tape_of_its_own_and_leaves_the_number_of_its_trips_on_the_other() {
    let nested = two_loops(
        "%r: f64 = call @inner, %i.1, @enter
          return %r",
        "%s: f64 = call %k, 1.0
          return %s",
        "%t: f64 = call @loop, %i.1, %y.1, @leave
          return %t",
        "graph @leave(%d: f64) -> f64 {
          %e: f64 = mul %d, %y
          %g: f64 = call %l, %e
          return %g
        }",
    );
    assert_eq!(tapes(&nested), ["i64, f64", "i64,"]);
}

/// A loop that pushes a counter and a float, and one that pops them: from `start` by `step`, with `first` for the number of records.
fn counted(start: &str, step: &str, first: &str) -> String {
    let more = if step.starts_with('-') { "gt" } else { "lt" };
    format!(
        "entry @f
        graph @f(%x: f64, %n: i64) -> f64 {{
          %0: f64 = call @loop, {start}, %x, undefined: tape<(i64, f64)>, {first}
          return %0
        }}
        block @loop(%i: i64, %y: f64, %t: tape<(i64, f64)>, %k: i64) -> f64 {{  ; free %n
          %1: bool = {more} %i, %n
          %2: fn() -> f64 = select %1, @body, @done
          %3: f64 = call %2
          return %3
        }}
        block @body() -> f64 {{  ; free %i, %y, %t, %k
          %next: i64 = wrap_add %i, {step}
          %more: i64 = wrap_add %k, 1
          %float: f64 = float %i
          %z: f64 = add %y, %float
          %r: (i64, f64) = tuple %i, %y
          %u: tape<(i64, f64)> = push %t, %r
          %4: f64 = call @loop, %next, %z, %u, %more
          return %4
        }}
        block @done() -> f64 {{  ; free %y, %t, %k
          %5: f64 = call @back, %t, %k, %y
          return %5
        }}
        block @back(%v: tape<(i64, f64)>, %c: i64, %g: f64) -> f64 {{
          %6: bool = gt %c, 0
          %7: fn() -> f64 = select %6, @link, @end
          %8: f64 = call %7
          return %8
        }}
        block @link() -> f64 {{  ; free %v, %c, %g
          %p: (tape<(i64, f64)>, (i64, f64)) = pop %v
          %w: tape<(i64, f64)> = get<0> %p
          %q: (i64, f64) = get<1> %p
          %a: i64 = get<0> %q
          %b: f64 = get<1> %q
          %less: i64 = wrap_sub %c, 1
          %e: f64 = float %a
          %h: f64 = mul %g, %b
          %s: f64 = add %h, %e
          %9: f64 = call @back, %w, %less, %s
          return %9
        }}
        block @end() -> f64 {{  ; free %g
          return %g
        }}
        "
    )
}

/// The record that is left of [`counted`].
fn record_of(start: &str, step: &str, first: &str) -> String {
    let text = print(&simplified(&counted(start, step, first), &options()).0);
    text.split("tape<").nth(1).and_then(|rest| rest.split('>').next()).unwrap_or("none").to_owned()
}

#[test]
fn a_counter_that_goes_with_the_number_of_the_record_is_not_recorded() {
    for (start, step) in [("0", "1"), ("3", "1"), ("-7", "1"), ("2", "5"), ("-9", "-1"), ("%n", "1")] {
        assert_eq!(record_of(start, step, "0"), "(f64,)", "from {start} by {step}");
    }
}

#[test]
fn a_counter_is_recorded_where_the_number_is_not_that_of_the_records_or_a_product_may_overflow() {
    for (start, step, first) in [("0", "1", "1"), ("0", "1", "%n"), ("-7", "3", "0"), ("0", "%n", "0")] {
        assert_eq!(record_of(start, step, first), "(i64, f64)", "from {start} by {step}, {first} records");
    }
}

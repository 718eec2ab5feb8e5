//! Programs with tapes.

use super::Case;
use gradus_ir::parse::parse;
use gradus_ir::verify::verify;
use gradus_ir::{Module, Value};

fn program(text: &str) -> Module {
    let module = parse(text).unwrap_or_else(|e| panic!("{e} in\n{text}"));
    verify(&module).unwrap_or_else(|e| panic!("{e} in\n{text}"));
    module
}

/// What is pushed last is popped first; below all there are zeros.
fn order() -> Module {
    program(
        "entry @f
        graph @f(%x: f64, %y: f64) -> (f64, f64, f64, f64) {
          %0: tape<f64> = push zero: tape<f64>, %x
          %1: tape<f64> = push %0, %y
          %2: (tape<f64>, f64) = pop %1
          %3: tape<f64> = get<0> %2
          %4: f64 = get<1> %2
          %5: (tape<f64>, f64) = pop %3
          %6: tape<f64> = get<0> %5
          %7: f64 = get<1> %5
          %8: (tape<f64>, f64) = pop %6
          %9: tape<f64> = get<0> %8
          %10: f64 = get<1> %8
          %11: (tape<f64>, f64) = pop %9
          %12: f64 = get<1> %11
          %13: (f64, f64, f64, f64) = tuple %4, %7, %10, %12
          return %13
        }",
    )
}

/// Two pushes on one tape give two tapes, before and after the buffer grows, and so does a push on what a pop left.
fn sharing() -> Module {
    program(
        "entry @f
        graph @f(%x: f64, %n: i64) -> (f64, f64, f64, f64) {
          %start: tape<(f64, i64)> = call @fill, %n, zero: tape<(f64, i64)>
          %one: (f64, i64) = tuple 1.0, 1
          %two: (f64, i64) = tuple 2.0, 2
          %a: tape<(f64, i64)> = push %start, %one
          %b: tape<(f64, i64)> = call @other
          %c: tape<(f64, i64)> = call @fill, %n, %a
          %popped: (tape<(f64, i64)>, (f64, i64)) = pop %a
          %left: tape<(f64, i64)> = get<0> %popped
          %d: tape<(f64, i64)> = push %left, %two
          %sa: f64 = call @total, %a, 0.0
          %sb: f64 = call @total, %b, 0.0
          %sc: f64 = call @total, %c, 0.0
          %sd: f64 = call @total, %d, 0.0
          %all: (f64, f64, f64, f64) = tuple %sa, %sb, %sc, %sd
          return %all
        }
        graph @other() -> tape<(f64, i64)> {
          %5: tape<(f64, i64)> = push %start, %two
          return %5
        }
        graph @fill(%i: i64, %t: tape<(f64, i64)>) -> tape<(f64, i64)> {
          %more: bool = gt %i, 0
          %arm: fn() -> tape<(f64, i64)> = select %more, @again, @full
          %0: tape<(f64, i64)> = call %arm
          return %0
        }
        block @again() -> tape<(f64, i64)> {
          %j: i64 = sub %i, 1
          %record: (f64, i64) = tuple 0.5, %i
          %u: tape<(f64, i64)> = push %t, %record
          %1: tape<(f64, i64)> = call @fill, %j, %u
          return %1
        }
        block @full() -> tape<(f64, i64)> {
          return %t
        }
        graph @total(%rest: tape<(f64, i64)>, %sum: f64) -> f64 {
          %top: (tape<(f64, i64)>, (f64, i64)) = pop %rest
          %below: tape<(f64, i64)> = get<0> %top
          %last: (f64, i64) = get<1> %top
          %value: f64 = get<0> %last
          %number: i64 = get<1> %last
          %term: f64 = float %number
          %more.1: f64 = add %value, %sum
          %sum.1: f64 = add %term, %more.1
          %end: bool = eq %number, 0
          %arm.1: fn() -> f64 = select %end, @sum, @next
          %2: f64 = call %arm.1
          return %2
        }
        block @sum() -> f64 {
          return %sum
        }
        block @next() -> f64 {
          %3: f64 = call @total, %below, %sum.1
          return %3
        }",
    )
}

/// n records of a float, a flag and an integer, then as many pops: the adjoint of a loop.
pub fn long_tape() -> Module {
    program(
        "entry @f
        graph @f(%x: f64, %n: i64) -> f64 {
          %0: f64 = call @up, 0, %x, zero: tape<(f64, (bool, i64))>
          return %0
        }
        block @up(%i: i64, %v: f64, %t: tape<(f64, (bool, i64))>) -> f64 {
          %more: bool = lt %i, %n
          %arm: fn() -> f64 = select %more, @step, @turn
          %1: f64 = call %arm
          return %1
        }
        block @step() -> f64 {
          %j: i64 = add %i, 1
          %w: f64 = add %v, 1.0
          %odd: i64 = mod %i, 2
          %flag: bool = eq %odd, 1
          %inner: (bool, i64) = tuple %flag, %i
          %record: (f64, (bool, i64)) = tuple %v, %inner
          %u: tape<(f64, (bool, i64))> = push %t, %record
          %2: f64 = call @up, %j, %w, %u
          return %2
        }
        block @turn() -> f64 {
          %3: f64 = call @down, %i, 0.0, %t
          return %3
        }
        block @down(%k: i64, %s: f64, %rest: tape<(f64, (bool, i64))>) -> f64 {
          %left: bool = gt %k, 0
          %arm.1: fn() -> f64 = select %left, @back, @done
          %4: f64 = call %arm.1
          return %4
        }
        block @back() -> f64 {
          %l: i64 = sub %k, 1
          %top: (tape<(f64, (bool, i64))>, (f64, (bool, i64))) = pop %rest
          %below: tape<(f64, (bool, i64))> = get<0> %top
          %last: (f64, (bool, i64)) = get<1> %top
          %value: f64 = get<0> %last
          %second: (bool, i64) = get<1> %last
          %was.odd: bool = get<0> %second
          %number: i64 = get<1> %second
          %index: f64 = float %number
          %add: f64 = add %value, %index
          %term: f64 = select %was.odd, %add, 0.0
          %sum: f64 = add %s, %term
          %5: f64 = call @down, %l, %sum, %below
          return %5
        }
        block @done() -> f64 {
          return %s
        }",
    )
}

/// Tapes pass through closures, records through function values, whole results of `pop` through calls.
fn tapes_in_closures() -> Module {
    program(
        "entry @f
        graph @f(%x: f64, %flag: bool) -> (f64, f64) {
          %t: tape<f64> = push zero: tape<f64>, %x
          %u: tape<f64> = push %t, 5.0
          %functions: tape<fn() -> (tape<f64>, f64)> = push zero: tape<fn() -> (tape<f64>, f64)>, @last
          %more: tape<fn() -> (tape<f64>, f64)> = push %functions, @first
          %p: (tape<fn() -> (tape<f64>, f64)>, fn() -> (tape<f64>, f64)) = pop %more
          %q: tape<fn() -> (tape<f64>, f64)> = get<0> %p
          %a: fn() -> (tape<f64>, f64) = get<1> %p
          %r: (tape<fn() -> (tape<f64>, f64)>, fn() -> (tape<f64>, f64)) = pop %q
          %b: fn() -> (tape<f64>, f64) = get<1> %r
          %c: fn() -> (tape<f64>, f64) = select %flag, %a, %b
          %d: fn() -> (tape<f64>, f64) = select %flag, %b, %a
          %0: (tape<f64>, f64) = call %c
          %1: f64 = call @field, %0
          %2: (tape<f64>, f64) = call %d
          %3: f64 = get<1> %2
          %4: (f64, f64) = tuple %1, %3
          return %4
        }
        graph @last() -> (tape<f64>, f64) {
          %5: (tape<f64>, f64) = pop %u
          return %5
        }
        graph @first() -> (tape<f64>, f64) {
          %6: (tape<f64>, f64) = pop %u
          %7: tape<f64> = get<0> %6
          %8: (tape<f64>, f64) = pop %7
          return %8
        }
        graph @field(%pair: (tape<f64>, f64)) -> f64 {
          %9: f64 = get<1> %pair
          return %9
        }",
    )
}

/// A record holds a closure that holds the tape below it.
fn tape_of_itself() -> Module {
    program(
        "entry @f
        graph @f(%x: f64) -> f64 {
          %one: (f64, fn() -> f64) = tuple %x, @stop
          %t: tape<(f64, fn() -> f64)> = push zero: tape<(f64, fn() -> f64)>, %one
          %two: (f64, fn() -> f64) = tuple 3.0, @below
          %u: tape<(f64, fn() -> f64)> = push %t, %two
          %top: (tape<(f64, fn() -> f64)>, (f64, fn() -> f64)) = pop %u
          %last: (f64, fn() -> f64) = get<1> %top
          %value: f64 = get<0> %last
          %function: fn() -> f64 = get<1> %last
          %0: f64 = call %function
          %1: f64 = add %value, %0
          return %1
        }
        graph @stop() -> f64 {
          return 0.0
        }
        graph @below() -> f64 {
          %2: (tape<(f64, fn() -> f64)>, (f64, fn() -> f64)) = pop %t
          %3: (f64, fn() -> f64) = get<1> %2
          %4: f64 = get<0> %3
          return %4
        }",
    )
}

/// The sum of tapes is aligned at the top; the longer one goes on below.
fn sums() -> Module {
    program(
        "entry @f
        graph @f(%x: f64, %y: f64) -> ((f64, f64, f64, f64), (f64, f64), f64) {
          %0: tape<f64> = push zero: tape<f64>, 100.0
          %1: tape<f64> = push %0, %x
          %long: tape<f64> = push %1, 1.0
          %a: tape<f64> = push zero: tape<f64>, %y
          %short: tape<f64> = push %a, 2.0
          %one: tape<f64> = gadd %long, %short
          %two: tape<f64> = gadd %short, %long
          %none: tape<f64> = gadd %one, zero: tape<f64>
          %all: tape<f64> = gadd %none, %two
          %p: (tape<f64>, f64) = pop %all
          %q: tape<f64> = get<0> %p
          %p0: f64 = get<1> %p
          %r: (tape<f64>, f64) = pop %q
          %s: tape<f64> = get<0> %r
          %p1: f64 = get<1> %r
          %t: (tape<f64>, f64) = pop %s
          %u: tape<f64> = get<0> %t
          %p2: f64 = get<1> %t
          %v: (tape<f64>, f64) = pop %u
          %p3: f64 = get<1> %v
          %first: (f64, f64, f64, f64) = tuple %p0, %p1, %p2, %p3
          %w: (tape<f64>, f64) = pop %short
          %rest: tape<f64> = get<0> %w
          %w0: f64 = get<1> %w
          %empty: (tape<f64>, f64) = pop %rest
          %nothing: tape<f64> = get<0> %empty
          %w1: f64 = get<1> %empty
          %second: (f64, f64) = tuple %w0, %w1
          %bottom: (tape<f64>, f64) = pop %nothing
          %again: tape<f64> = get<0> %bottom
          %pushed: tape<f64> = push %again, %x
          %x.1: (tape<f64>, f64) = pop %pushed
          %third: f64 = get<1> %x.1
          %result: ((f64, f64, f64, f64), (f64, f64), f64) = tuple %first, %second, %third
          return %result
        }",
    )
}

/// The record of [`nested_sums`]: a float, a box of a tape of floats and a float, a tape of floats.
const RECORD: &str = "(f64, opaque, tape<f64>)";

/// Boxes that hold tapes of boxes and tapes are summed through all of it.
fn nested_sums() -> Module {
    let text = "entry @f
        graph @f(%x: f64, %y: f64) -> ((f64, f64), (f64, f64), (f64, f64)) {
          %a: opaque = call @make, %x, zero: tape<f64>, zero: tape<RECORD>
          %b: opaque = call @make, %y, zero: tape<f64>, zero: tape<RECORD>
          %c: (f64, tape<RECORD>) = unpack %b
          %d: tape<RECORD> = get<1> %c
          %e: opaque = call @make, %x, zero: tape<f64>, %d
          %sum: opaque = gadd %a, %e
          %all: opaque = gadd %sum, %b
          %g: (f64, tape<RECORD>) = unpack %all
          %top: f64 = get<0> %g
          %h: tape<RECORD> = get<1> %g
          %i: (tape<RECORD>, RECORD) = pop %h
          %j: tape<RECORD> = get<0> %i
          %k: RECORD = get<1> %i
          %l: (f64, f64) = call @open, %k
          %m: (tape<RECORD>, RECORD) = pop %j
          %n: RECORD = get<1> %m
          %o: (f64, f64) = call @open, %n
          %p: tape<RECORD> = get<0> %m
          %q: (tape<RECORD>, RECORD) = pop %p
          %r: RECORD = get<1> %q
          %s: f64 = get<0> %r
          %t: (f64, f64) = tuple %top, %s
          %u: ((f64, f64), (f64, f64), (f64, f64)) = tuple %t, %l, %o
          return %u
        }
        graph @make(%v: f64, %empty: tape<f64>, %base: tape<RECORD>) -> opaque {
          %floats: tape<f64> = push %empty, %v
          %pair: (tape<f64>, f64) = tuple %floats, 1.0
          %boxed: opaque = pack %pair
          %record: RECORD = tuple %v, %boxed, %floats
          %tape: tape<RECORD> = push %base, %record
          %content: (f64, tape<RECORD>) = tuple 10.0, %tape
          %out: opaque = pack %content
          return %out
        }
        graph @open(%rec: RECORD) -> (f64, f64) {
          %box: opaque = get<1> %rec
          %unboxed: (tape<f64>, f64) = unpack %box
          %in.box: tape<f64> = get<0> %unboxed
          %count: f64 = get<1> %unboxed
          %w: (tape<f64>, f64) = pop %in.box
          %w.0: f64 = get<1> %w
          %z: tape<f64> = get<2> %rec
          %z.0: (tape<f64>, f64) = pop %z
          %z.1: f64 = get<1> %z.0
          %head: f64 = get<0> %rec
          %total: f64 = add %w.0, %z.1
          %total.1: f64 = add %total, %head
          %answer: (f64, f64) = tuple %total.1, %count
          return %answer
        }";
    program(&text.replace("RECORD", RECORD))
}

/// Two chains of n boxes that hold tapes of boxes, summed and then opened again.
pub fn tapes_in_chains() -> Module {
    program(
        "entry @f
        graph @f(%x: f64, %n: i64) -> f64 {
          %0: f64 = call @make, %n, zero: opaque
          return %0
        }
        block @make(%i: i64, %chain: opaque) -> f64 {
          %more: bool = gt %i, 0
          %arm: fn() -> f64 = select %more, @link, @sum
          %1: f64 = call %arm
          return %1
        }
        block @link() -> f64 {
          %j: i64 = sub %i, 1
          %record: (f64, opaque) = tuple %x, %chain
          %tape: tape<(f64, opaque)> = push zero: tape<(f64, opaque)>, %record
          %boxed: opaque = pack %tape
          %2: f64 = call @make, %j, %boxed
          return %2
        }
        block @sum() -> f64 {
          %both: opaque = gadd %chain, %chain
          %3: f64 = call @walk, %n, %both, 0.0
          return %3
        }
        block @walk(%k: i64, %rest: opaque, %s: f64) -> f64 {
          %left: bool = gt %k, 0
          %arm.1: fn() -> f64 = select %left, @onward, @done
          %4: f64 = call %arm.1
          return %4
        }
        block @onward() -> f64 {
          %l: i64 = sub %k, 1
          %open: tape<(f64, opaque)> = unpack %rest
          %top: (tape<(f64, opaque)>, (f64, opaque)) = pop %open
          %last: (f64, opaque) = get<1> %top
          %value: f64 = get<0> %last
          %next: opaque = get<1> %last
          %t: f64 = add %s, %value
          %5: f64 = call @walk, %l, %next, %t
          return %5
        }
        block @done() -> f64 {
          return %s
        }",
    )
}

/// Records without data: a tape of them is a number.
fn units() -> Module {
    program(
        "entry @f
        graph @f(%flag: bool) -> (none, zero, f64) {
          %record: (none, zero, ()) = tuple none, zero, %unit
          %unit: () = tuple
          %t: tape<(none, zero, ())> = push zero: tape<(none, zero, ())>, %record
          %u: tape<(none, zero, ())> = push %t, %record
          %p: (tape<(none, zero, ())>, (none, zero, ())) = pop %u
          %q: tape<(none, zero, ())> = get<0> %p
          %r: (tape<(none, zero, ())>, (none, zero, ())) = pop %q
          %s: (none, zero, ()) = get<1> %r
          %a: none = get<0> %s
          %b: zero = get<1> %s
          %v: tape<f64> = push zero: tape<f64>, 1.0
          %w: tape<f64> = select %flag, %v, zero: tape<f64>
          %x: (tape<f64>, f64) = pop %w
          %y: f64 = get<1> %x
          %0: (none, zero, f64) = tuple %a, %b, %y
          return %0
        }",
    )
}

/// The type of [`undefined`]: something of everything.
const ALL: &str = "(f64, i64, bool, str, none, opaque, fn(f64) -> f64, fn, tape<f64>, (f64, tape<fn() -> f64>))";

/// Undefined values go everywhere, and operations are done on them in vain. A pop of an empty tape gives them too.
fn undefined() -> Module {
    let text = "entry @f
        graph @f(%x: f64, %flag: bool) -> (f64, f64) {
          %record: ALL = tuple %x, 1, true, \"s\", none, %box, @double, @double, %tape, %pair
          %box: opaque = pack %x
          %tape: tape<f64> = push zero: tape<f64>, %x
          %functions: tape<fn() -> f64> = push zero: tape<fn() -> f64>, @captures
          %pair: (f64, tape<fn() -> f64>) = tuple %x, %functions
          %t: tape<ALL> = push zero: tape<ALL>, undefined: ALL
          %u: tape<ALL> = push %t, %record
          %popped: (tape<ALL>, ALL) = pop %u
          %left: tape<ALL> = get<0> %popped
          %known: ALL = get<1> %popped
          %a: f64 = call @use, %known
          %popped.1: (tape<ALL>, ALL) = pop %left
          %empty: tape<ALL> = get<0> %popped.1
          %unknown: ALL = get<1> %popped.1
          %popped.2: (tape<ALL>, ALL) = pop %empty
          %nothing: ALL = get<1> %popped.2
          %some: ALL = select %flag, %known, %nothing
          %other: ALL = select %flag, %some, %unknown
          %b: f64 = call @use, %other
          %0: (f64, f64) = tuple %a, %b
          return %0
        }
        graph @captures() -> f64 {
          %1: f64 = get<0> undefined: (f64, fn() -> f64)
          %2: f64 = add %1, %x
          return %2
        }
        graph @double(%y: f64) -> f64 {
          %3: f64 = add %y, %y
          return %3
        }
        graph @use(%all: ALL) -> f64 {
          %g: fn(f64) -> f64 = get<6> %all
          %pick: f64 = call %g, 1.0
          %boxed: opaque = get<5> %all
          %content: f64 = unpack %boxed
          %floats: tape<f64> = get<8> %all
          %last: (tape<f64>, f64) = pop %floats
          %value: f64 = get<1> %last
          %inner: (f64, tape<fn() -> f64>) = get<9> %all
          %more: tape<fn() -> f64> = get<1> %inner
          %top: (tape<fn() -> f64>, fn() -> f64) = pop %more
          %h: fn() -> f64 = get<1> %top
          %bottom: tape<fn() -> f64> = get<0> %top
          %none: (tape<fn() -> f64>, fn() -> f64) = pop %bottom
          %i: fn() -> f64 = get<1> %none
          %derivative: fn() -> (f64, fn(f64) -> (opaque,)) = J %i
          %part: fn() -> f64 = partial undefined: fn(f64) -> f64, 1.0
          %j: (fn() -> (f64, fn(f64) -> (opaque,)), fn() -> f64) = tuple %derivative, %part
          %k: fn() -> f64 = get<1> %j
          %l: tape<fn() -> f64> = push %bottom, %k
          %l.1: (tape<fn() -> f64>, fn() -> f64) = pop %l
          %m: fn() -> f64 = get<1> %l.1
          %n: bool = get<2> %all
          %o: fn() -> f64 = select %n, %h, %m
          %called: f64 = call %o
          %sum: opaque = gadd %boxed, undefined: opaque
          %content.1: f64 = unpack %sum
          %tapes: tape<f64> = gadd undefined: tape<f64>, %floats
          %last.1: (tape<f64>, f64) = pop %tapes
          %value.1: f64 = get<1> %last.1
          %p: f64 = add %pick, %content
          %q: f64 = add %value, %called
          %r: f64 = add %content.1, %value.1
          %s: f64 = add %p, %q
          %t.1: f64 = add %r, %s
          return %t.1
        }";
    program(&text.replace("ALL", ALL))
}

/// Every program with arguments and answer.
pub fn corpus() -> Vec<Case> {
    let floats = |items: &[f64]| Value::tuple(items.iter().map(|&v| Value::F64(v)));
    let int = Value::I64;
    let long_answer = |n: i64| (0..n).filter(|i| i % 2 == 1).map(|i| 2.0 * i as f64).sum::<f64>();
    // `sharing` of n records of half each, numbered from 1.
    let n = 50.0;
    let filled = 0.5 * n + n * (n + 1.0) / 2.0;
    vec![
        Case::new("order of a tape", order(), &[1.0.into(), 2.0.into()], floats(&[2.0, 1.0, -0.0, -0.0])),
        Case::new(
            "shared tapes",
            sharing(),
            &[1.0.into(), int(50)],
            floats(&[filled + 2.0, filled + 4.0, 2.0 * filled + 2.0, filled + 4.0]),
        ),
        Case::new("a tape of nothing", long_tape(), &[0.0.into(), int(0)], 0.0),
        Case::new("a tape of five", long_tape(), &[0.0.into(), int(5)], 8.0),
        Case::new("a tape of a million", long_tape(), &[0.0.into(), int(1_000_000)], long_answer(1_000_000)),
        Case::new("tapes in closures", tapes_in_closures(), &[1.0.into(), true.into()], floats(&[1.0, 5.0])),
        Case::new("tapes in closures, the other", tapes_in_closures(), &[1.0.into(), false.into()], floats(&[5.0, 1.0])),
        Case::new("a tape of itself", tape_of_itself(), &[1.0.into()], 4.0),
        Case::new(
            "sums of tapes",
            sums(),
            &[10.0.into(), 20.0.into()],
            Value::tuple([floats(&[6.0, 60.0, 200.0, -0.0]), floats(&[2.0, 20.0]), 10.0.into()]),
        ),
        Case::new(
            "sums of nested tapes",
            nested_sums(),
            &[1.0.into(), 2.0.into()],
            Value::tuple([floats(&[30.0, -0.0]), floats(&[12.0, 3.0]), floats(&[6.0, 1.0])]),
        ),
        Case::new("tapes in chains of boxes", tapes_in_chains(), &[0.5.into(), int(100_000)], 100_000.0),
        Case::new("tapes of units", units(), &[true.into()], Value::tuple([Value::None, Value::Zero, 1.0.into()])),
        Case::new("undefined values", undefined(), &[1.0.into(), true.into()], floats(&[7.0, 7.0])),
    ]
}

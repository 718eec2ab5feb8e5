//! Loops that map: text in, text out, and the same bits before and after.

mod common;

use common::{check, options, read, simplified};
use expect_test::expect;
use gradus_backend::Interp;
use gradus_ir::array::ArrayOp;
use gradus_ir::print::print;
use gradus_ir::{Module, Nest, Value};

fn has_loop(m: &Module) -> bool {
    Nest::new(m, &[m.entry.expect("an entry")]).is_cyclic()
}

/// `for k in range(12): y[k] = v`, of an array of twelve matrices `x` and one, `u`. The body may use the matrix `%r` and a number `%s` of it, a
/// number 0 or 1, `%j`, and two of them, `%q`.
fn mapped(shape: &str, body: &str) -> String {
    let all = format!("f64[12{}{shape}]", if shape.is_empty() { "" } else { ", " });
    format!(
        "entry @main
        graph @main(%x: f64[12, 2, 2], %u: f64[2, 2]) -> {all} {{
          %z: {all} = broadcast<12{}{shape}> 0.5
          %out: {all} = call @loop, 0, %z
          return %out
        }}
        block @loop(%k: i64, %y: {all}) -> {all} {{
          %go: bool = lt %k, 12
          %next: fn() -> {all} = select %go, @body, @done
          %l: {all} = call %next
          return %l
        }}
        block @body() -> {all} {{
          %r: f64[2, 2] = at %x, %k
          %s: f64 = at %x, %k, 0, 1
          %c: bool = gt %s, 0.0
          %j: i64 = int %c
          %r0: f64[2] = at %r, 1
          %zero: f64[2] = broadcast<2> 0.0
          %d: bool[2] = gt %r0, %zero
          %q: i64[2] = int %d
          {body}
          %w: {all} = set_at %y, %v, %k
          %k1: i64 = wrap_add %k, 1
          %l2: {all} = call @loop, %k1, %w
          return %l2
        }}
        block @done() -> {all} {{ return %y }}",
        if shape.is_empty() { "" } else { ", " }
    )
}

/// For each operation the shape of a value that it takes part in, its computation, and whether batches have such an operation.
fn cases(op: ArrayOp) -> (&'static str, &'static str, bool) {
    use ArrayOp::*;
    match op {
        Broadcast => (
            "3, 2",
            "%a: f64[3, 2] = broadcast<3, 2> %r0\n %b: f64[3, 2] = broadcast<3, 2> %s\n %v: f64[3, 2] = add %a, %b",
            true,
        ),
        SumTo => (
            "2",
            "%a: f64[2] = sum_to<2> %r\n %t: f64 = sum_to %r\n %b: f64[2] = broadcast<2> %t\n %v: f64[2] = sub %a, %b",
            true,
        ),
        MaxTo => ("2, 1", "%v: f64[2, 1] = max_to<2, 1> %r", true),
        MinTo => ("", "%v: f64 = min_to %r", true),
        Reshape => ("4", "%v: f64[4] = reshape<4> %r", true),
        Transpose => ("2, 2", "%v: f64[2, 2] = transpose<1, 0> %r", true),
        Slice => ("2, 1", "%v: f64[2, 1] = slice<1, -1, 2, 1, 1, 1> %r", true),
        Put => ("2, 2", "%a: f64[1, 2] = reshape<1, 2> %r0\n %v: f64[2, 2] = put<0, 1, 1, 0, 1, 2> %u, %a", true),
        PutAdd => ("2, 2", "%a: f64[1, 2] = slice<0, 1, 1, 0, 1, 2> %u\n %v: f64[2, 2] = put_add<1, 1, 1, 0, 1, 2> %r, %a", true),
        At => ("2", "%a: f64[2] = at %u, %j\n %b: f64[2] = at %r, %j\n %v: f64[2] = add %a, %b", true),
        SetAt => ("2, 2", "%a: f64[2, 2] = set_at %u, %r0, %j\n %v: f64[2, 2] = set_at %a, %s, 1, %j", true),
        AddAt => ("2, 2", "%a: f64[2, 2] = add_at %u, %r0, 1\n %v: f64[2, 2] = add_at %a, %s, %j, %j", true),
        Indices => ("2, 2", "%i: i64[2] = indices<2> %q\n %v: f64[2, 2] = gather %u, %i", true),
        Gather => ("2, 2", "%a: f64[2, 2] = gather %u, %q\n %b: f64[2, 2] = gather %r, %q\n %v: f64[2, 2] = add %a, %b", true),
        GatherLast => {
            ("2, 2", "%a: f64[2, 2] = gather_last %u, %q\n %b: f64[2, 2] = gather_last %r, %q\n %v: f64[2, 2] = add %a, %b", true)
        }
        Scatter => ("2, 2", "%v: f64[2, 2] = scatter %u, %q, %r", true),
        ScatterAdd => ("2, 2", "%v: f64[2, 2] = scatter_add %r, %q, %u", true),
        Concat => ("4, 2", "%v: f64[4, 2] = concat<0> %u, %r", true),
        MatMul => ("2, 2", "%a: f64[2, 2] = matmul %u, %r\n %b: f64[2, 2] = matmul %r, %r\n %v: f64[2, 2] = add %a, %b", true),
        CumSum => ("2, 2", "%v: f64[2, 2] = cumsum<1> %r", true),
        ArgMax => ("2", "%a: i64[2] = argmax<1> %r\n %v: f64[2] = float %a", true),
        ArgMin => ("2", "%a: i64[2] = argmin<0> %r\n %v: f64[2] = float %a", true),
        ArgSort => ("2, 2", "%a: i64[2, 2] = argsort %r\n %v: f64[2, 2] = float %a", true),
        Make => ("3", "%a: f64 = at %u, 0, 0\n %v: f64[3] = array<3> %s, %a, %s", true),
        Iota => ("2, 2", "%a: i64[2, 2] = iota<2, 2, 1>\n %b: f64[2, 2] = float %a\n %v: f64[2, 2] = mul %r, %b", true),
        Table => ("2", "%a: i64[2] = table<3, 5>\n %b: f64[2] = float %a\n %v: f64[2] = mul %r0, %b", true),
        Solve => ("2, 2", "%v: f64[2, 2] = solve %r, %u", false),
        LogDet => ("", "%v: f64 = logdet %r", false),
        DetSign => ("", "%v: f64 = det_sign %r", false),
        Cholesky => ("2, 2", "%v: f64[2, 2] = cholesky %r", false),
        LowerHalf => ("2, 2", "%v: f64[2, 2] = lower_half %r", false),
    }
}

#[test]
fn every_operation_on_rows_is_one_on_batches() {
    for &op in ArrayOp::ALL {
        let (shape, body, has_batch) = cases(op);
        let text = mapped(shape, body);
        let (m, _) = simplified(&text, &options());
        assert_eq!(has_loop(&m), !has_batch, "{}\n{}", op.name(), print(&m));
    }
}

#[test]
fn a_loop_over_every_third_element() {
    check(
        "entry @main
        graph @main(%x: f64[100], %y: f64[100]) -> (f64[100], i64, f64) {
          %out: (f64[100], i64, f64) = call @loop, 95, %y, 0.0
          return %out
        }
        block @loop(%k: i64, %y1: f64[100], %last: f64) -> (f64[100], i64, f64) {
          %go: bool = ge %k, 2
          %next: fn() -> (f64[100], i64, f64) = select %go, @body, @done
          %l: (f64[100], i64, f64) = call %next
          return %l
        }
        block @body() -> (f64[100], i64, f64) {
          %i: i64 = index %k, 100
          %a: f64 = at %x, %i
          %b: f64 = sin %a
          %f: f64 = float %k
          %d: f64 = mul %b, %f
          %k4: i64 = add %k, 4
          %i4: i64 = index %k4, 100
          %y2: f64[100] = set_at %y1, %d, %i4
          %k3: i64 = sub %k, 3
          %l2: (f64[100], i64, f64) = call @loop, %k3, %y2, %b
          return %l2
        }
        block @done() -> (f64[100], i64, f64) {
          %t: (f64[100], i64, f64) = tuple %y1, %k, %last
          return %t
        }",
        expect![[r#"
            entry @main
            graph @main(%x: f64[100], %y: f64[100]) -> (f64[100], i64, f64) {
              %a: f64[32] = slice<95, -3, 32> %x
              %b: f64[32] = sin %a
              %0: i64[32] = iota<32, 0>
              %1: i64[32] = broadcast<32> -3
              %2: i64[32] = mul %0, %1
              %3: i64[32] = broadcast<32> 95
              %4: i64[32] = add %2, %3
              %f: f64[32] = float %4
              %d: f64[32] = mul %b, %f
              %y1: f64[100] = put<99, -3, 32> %y, %d
              %last: f64 = at %b, 31
              %t: (f64[100], i64, f64) = tuple %y1, -1, %last
              return %t
            }
        "#]],
    );
}

#[test]
fn ways_that_iterations_take_or_not_are_choices() {
    check(
        "entry @main
        graph @main(%x: f64[30], %y: f64[30]) -> f64[30] {
          %out: f64[30] = call @loop, 0, %y
          return %out
        }
        block @loop(%k: i64, %y1: f64[30]) -> f64[30] {
          %go: bool = lt %k, 30
          %next: fn() -> f64[30] = select %go, @body, @done
          %l: f64[30] = call %next
          return %l
        }
        block @body() -> f64[30] {
          %a: f64 = at %x, %k
          %k1: i64 = wrap_add %k, 1
          %c: bool = gt %a, 0.0
          %way: fn() -> f64[30] = select %c, @large, @skip
          %l2: f64[30] = call %way
          return %l2
        }
        block @large() -> f64[30] {
          %c2: bool = gt %a, 1.0
          %way2: fn() -> f64[30] = select %c2, @larger, @smaller
          %l3: f64[30] = call %way2
          return %l3
        }
        block @larger() -> f64[30] {
          %b: f64 = exp %a
          %l4: f64[30] = call @write, %b
          return %l4
        }
        block @smaller() -> f64[30] {
          %d: f64 = sqrt %a
          %l5: f64[30] = call @write, %d
          return %l5
        }
        block @write(%v: f64) -> f64[30] {
          %e: f64 = mul %v, %v
          %y2: f64[30] = add_at %y1, %e, %k
          %l6: f64[30] = call @loop, %k1, %y2
          return %l6
        }
        block @skip() -> f64[30] {
          %l7: f64[30] = call @loop, %k1, %y1
          return %l7
        }
        block @done() -> f64[30] { return %y1 }",
        expect![[r#"
            entry @main
            graph @main(%x: f64[30], %y: f64[30]) -> f64[30] {
              %0: f64[30] = broadcast<30> 0.0
              %c: bool[30] = gt %x, %0
              %1: f64[30] = broadcast<30> 1.0
              %c2: bool[30] = gt %x, %1
              %2: bool[30] = and %c, %c2
              %3: bool[30] = not %c2
              %4: bool[30] = and %c, %3
              %5: bool[30] = or %2, %4
              %b: f64[30] = exp %x
              %d: f64[30] = sqrt %x
              %6: f64[30] = select %2, %b, %d
              %e: f64[30] = mul %6, %6
              %y2: f64[30] = add %y, %e
              %y1: f64[30] = select %5, %y2, %y
              return %y1
            }
        "#]],
    );
}

/// A loop over the columns of `x`, which are summed from above: `y[:, k]`.
const COLUMNS: &str = "entry @main
    graph @main(%x: f64[4, 12]) -> f64[4, 12] {
      %z: f64[4, 12] = broadcast<4, 12> 0.0
      %out: f64[4, 12] = call @loop, 0, %z
      return %out
    }
    block @loop(%k: i64, %y: f64[4, 12]) -> f64[4, 12] {
      %go: bool = lt %k, 12
      %next: fn() -> f64[4, 12] = select %go, @body, @done
      %l: f64[4, 12] = call %next
      return %l
    }
    block @body() -> f64[4, 12] {
      %c: f64[4] = broadcast<4> 0.0
      %l2: f64[4, 12] = call @rows, 0, 0.0, %c
      return %l2
    }
    block @rows(%i: i64, %s: f64, %c1: f64[4]) -> f64[4, 12] {
      %go2: bool = lt %i, 4
      %next2: fn() -> f64[4, 12] = select %go2, @row, @write
      %l3: f64[4, 12] = call %next2
      return %l3
    }
    block @row() -> f64[4, 12] {
      %a: f64 = at %x, %i, %k
      %s1: f64 = add %s, %a
      %c2: f64[4] = set_at %c1, %s1, %i
      %i1: i64 = wrap_add %i, 1
      %l4: f64[4, 12] = call @rows, %i1, %s1, %c2
      return %l4
    }
    block @write() -> f64[4, 12] {
      %yt: f64[12, 4] = transpose<1, 0> %y
      %yt1: f64[12, 4] = set_at %yt, %c1, %k
      %y1: f64[4, 12] = transpose<1, 0> %yt1
      %k1: i64 = wrap_add %k, 1
      %l5: f64[4, 12] = call @loop, %k1, %y1
      return %l5
    }
    block @done() -> f64[4, 12] { return %y }";

#[test]
fn an_inner_loop_that_is_the_same_in_all_iterations_carries_batches() {
    check(
        COLUMNS,
        expect![[r#"
        entry @main
        graph @main(%x: f64[4, 12]) -> f64[4, 12] {
          %0: i64[12] = iota<12, 0>
          %1: i64[12] = broadcast<12> 4
          %2: i64[12] = mul %0, %1
          %3: f64[12] = broadcast<12> 0.0
          %4: f64[12, 4] = broadcast<12, 4> 0.0
          %out: f64[4, 12] = call @rows, 0, %3, %4
          return %out
        }
        block @rows(%i: i64, %s: f64[12], %c1: f64[12, 4]) -> f64[4, 12] {  ; free %x, %2
          %go2: bool = lt %i, 4
          %5: fn() -> f64[4, 12] = select %go2, @row, @write
          %6: f64[4, 12] = call %5
          return %6
        }
        block @row() -> f64[4, 12] {  ; free %i, %s, %x, %c1, %2
          %i1: i64 = wrap_add %i, 1
          %a: f64[12] = at %x, %i
          %s1: f64[12] = add %s, %a
          %7: f64[48] = reshape<48> %c1
          %8: i64[12] = broadcast<12> %i
          %9: i64[12] = add %2, %8
          %10: f64[48] = scatter %7, %9, %s1
          %c2: f64[12, 4] = reshape<12, 4> %10
          %11: f64[4, 12] = call @rows, %i1, %s1, %c2
          return %11
        }
        block @write() -> f64[4, 12] {  ; free %c1
          %y: f64[4, 12] = transpose<1, 0> %c1
          return %y
        }
    "#]],
    );
}

#[test]
fn what_is_written_anywhere_is_scattered_in_order() {
    let text = mapped("2", "%v: f64[2] = at %r, 0").replace("set_at %y, %v, %k\n", "set_at %y, %v, %i\n");
    let text = text.replace("%w: f64[12, 2]", "%i: i64 = add %j, %j\n %w: f64[12, 2]");
    for op in ["set_at", "add_at"] {
        let (m, _) = simplified(&text.replace("set_at", op), &options());
        assert!(!has_loop(&m), "{}", print(&m));
    }
}

#[test]
fn iterations_that_need_each_other_stay_a_loop() {
    let read_before = "%k0: i64 = wrap_sub %k, 1\n %i: i64 = index %k0, 12\n %b: f64[2] = at %y, %i\n %v: f64[2] = add %b, %r0";
    let written_twice = "%y0: f64[12, 2] = set_at %y, %r0, 0\n %v: f64[2] = at %y0, 1";
    let overflows =
        "%n: i64 = mul %j, 4611686018427387904\n %n2: i64 = add %n, %n\n %f: f64 = float %n2\n %v: f64[2] = broadcast<2> %f";
    for body in [read_before, written_twice, overflows] {
        let (m, _) = simplified(&mapped("2", body), &options());
        assert!(has_loop(&m), "{}", print(&m));
    }
}

#[test]
fn what_traps_in_an_iteration_traps() {
    let body = "%f: f64 = mul %s, 1.0\n %c2: bool = gt %f, 2.0\n %t: i64 = int %c2\n %t2: i64 = mul %t, 9\n %i: i64 = index %t2, 2\n %v: f64[2] = at %u, %i";
    let text = mapped("2", body);
    let (m, _) = simplified(&text, &options());
    assert!(!has_loop(&m), "{}", print(&m));
    for args in common::samples(&read(&text)) {
        let run = |m: &Module| Interp::new(m).expect("compiles").run(&args).map_err(|e| e.to_string());
        let same = |a: &Value, b: &Value| a.same_bits(b);
        match (run(&read(&text)), run(&m)) {
            (Ok(a), Ok(b)) => assert!(same(&a, &b)),
            (a, b) => assert_eq!(a.err(), b.err()),
        }
    }
}

#[test]
fn what_may_trap_is_not_done_where_the_loop_would_not() {
    // `if s > 0: v = u[3 j]`, which is no row of `u` where it is not done.
    let arm = "%j3: i64 = mul %j, 3\n %ji: i64 = index %j3, 4";
    let text = mapped(
        "2",
        "%way: fn() -> f64[12, 2] = select %c, @yes, @no\n %v2: f64[12, 2] = call %way\n return %v2\n }
        block @yes() -> f64[12, 2] {\n BODY\n %b: f64[2] = at %r, %ji\n %g: f64[12, 2] = call @join, %b\n return %g\n }
        block @no() -> f64[12, 2] {\n %g2: f64[12, 2] = call @join, %r0\n return %g2\n }
        block @join(%v: f64[2]) -> f64[12, 2] {",
    );
    let (m, _) = simplified(&text.replace("BODY", "%ji: i64 = index %j, 2"), &options());
    assert!(!has_loop(&m), "{}", print(&m));
    let (m, _) = simplified(&text.replace("BODY", arm).replace("at %r, %ji", "at %r, 0"), &options());
    assert!(!has_loop(&m), "{}", print(&m));
    let (m, _) = simplified(&text.replace("BODY", "%o: i64 = sub 2, %j\n %ji: i64 = index %o, 2"), &options());
    assert!(has_loop(&m), "{}", print(&m));
}

#[test]
fn what_is_broadcast_is_made_where_it_is_read() {
    let mut m = read(
        "entry @main
        graph @main(%x: f64[4], %n: i64) -> f64[3, 4] {
          %a: f64[3, 4] = broadcast<3, 4> %x
          %out: f64[3, 4] = call @loop, %n, %a
          return %out
        }
        block @loop(%k: i64, %y: f64[3, 4]) -> f64[3, 4] {
          %go: bool = gt %k, 0
          %next: fn() -> f64[3, 4] = select %go, @body, @done
          %l: f64[3, 4] = call %next
          return %l
        }
        block @body() -> f64[3, 4] {
          %y1: f64[3, 4] = mul %y, %a
          %k1: i64 = wrap_sub %k, 1
          %l2: f64[3, 4] = call @loop, %k1, %y1
          return %l2
        }
        block @done() -> f64[3, 4] { return %y }",
    );
    assert!(gradus_opt::sink_broadcasts(&mut m));
    let text = print(&m);
    let body = text.split("block @body").nth(1).expect("a body");
    assert!(body.contains("broadcast<3, 4> %x"), "{text}");
}

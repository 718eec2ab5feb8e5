//! Identities of operations on arrays: text in, text out, and the same bits before and after.

mod common;

use common::{check, options, simplified};
use expect_test::expect;
use gradus_ir::print::print;

#[test]
fn sums_with_both_parts_of_an_array_are_one() {
    check(
        "entry @f
        graph @f(%x: f64[5], %a: f64[2], %b: f64[3]) -> (f64[5], f64[5], f64[5]) {
          %0: f64[5] = put_add<3, 1, 2> %x, %a
          %1: f64[5] = put_add<0, 1, 3> %0, %b
          %2: f64[5] = put_add<0, 1, 2> %x, %a
          %3: f64[5] = put_add<2, 1, 3> %2, %b
          %4: f64[5] = put_add<0, 1, 2> %x, %a
          %5: f64[5] = put_add<1, 1, 3> %4, %b
          %t: (f64[5], f64[5], f64[5]) = tuple %1, %3, %5
          return %t
        }",
        expect![[r#"
            entry @f
            graph @f(%x: f64[5], %a: f64[2], %b: f64[3]) -> (f64[5], f64[5], f64[5]) {
              %0: f64[5] = concat<0> %b, %a
              %1: f64[5] = add %x, %0
              %2: f64[5] = concat<0> %a, %b
              %3: f64[5] = add %x, %2
              %4: f64[5] = put_add<0, 1, 2> %x, %a
              %5: f64[5] = put_add<1, 1, 3> %4, %b
              %t: (f64[5], f64[5], f64[5]) = tuple %1, %3, %5
              return %t
            }
        "#]],
    );
}

#[test]
fn products_that_sum_nothing_are_elementwise() {
    check(
        "entry @f
        graph @f(%a: f64[2, 1], %b: f64[1, 3], %c: f64[2, 3]) -> f64[2, 3] {
          %0: f64[2, 3] = matmul %a, %b
          %1: f64[2, 3] = add %c, %0
          return %1
        }",
        expect![[r#"
            entry @f
            graph @f(%a: f64[2, 1], %b: f64[1, 3], %c: f64[2, 3]) -> f64[2, 3] {
              %0: f64[2, 3] = broadcast<2, 3> %a
              %1: f64[2, 3] = broadcast<2, 3> %b
              %2: f64[2, 3] = mul %0, %1
              %3: f64[2, 3] = add %c, %2
              return %3
            }
        "#]],
    );
}

#[test]
fn elements_are_read_again_and_not_recorded() {
    let program = "entry @f
        graph @f(%x: f64[5], %n: i64) -> f64 {
          %0: f64 = call @loop, %n, undefined: tape<(f64, i64)>
          return %0
        }
        block @loop(%i: i64, %t: tape<(f64, i64)>) -> f64 {
          %1: bool = gt %i, 0
          %2: fn() -> f64 = select %1, @turn, @done
          %3: f64 = call %2
          return %3
        }
        block @turn() -> f64 {
          %4: i64 = wrap_sub %i, 1
          %k: i64 = index %4, 5
          %v: f64 = at %x, %k
          %5: (f64, i64) = tuple %v, %k
          %6: tape<(f64, i64)> = push %t, %5
          %7: f64 = call @loop, %4, %6
          return %7
        }
        block @done() -> f64 {
          %8: f64 = call @back, %n, 1.0, %t
          return %8
        }
        block @back(%j: i64, %g: f64, %r: tape<(f64, i64)>) -> f64 {
          %9: bool = gt %j, 0
          %10: fn() -> f64 = select %9, @undo, @end
          %11: f64 = call %10
          return %11
        }
        block @undo() -> f64 {
          %12: i64 = wrap_sub %j, 1
          %13: (tape<(f64, i64)>, (f64, i64)) = pop %r
          %14: (f64, i64) = get<1> %13
          %15: f64 = get<0> %14
          %16: i64 = get<1> %14
          %17: f64 = float %16
          %18: f64 = mul %g, %15
          %19: f64 = add %18, %17
          %20: tape<(f64, i64)> = get<0> %13
          %21: f64 = call @back, %12, %19, %20
          return %21
        }
        block @end() -> f64 {
          return %g
        }";
    let text = print(&simplified(program, &options()).0);
    assert!(text.contains("tape<(i64,)>") && !text.contains("tape<(f64"), "{text}");
}

#[test]
fn zeros_with_each_row_added_are_the_array_of_rows() {
    check(
        "entry @f
        graph @f(%a: f64[3], %b: f64[3]) -> (f64[2, 3], f64[2, 3]) {
          %0: f64[2, 3] = broadcast<2, 3> -0.0
          %1: f64[2, 3] = add_at %0, %a, 1
          %2: f64[2, 3] = add_at %1, %b, 0
          %3: f64[2, 3] = add_at %2, %a, 0
          %t: (f64[2, 3], f64[2, 3]) = tuple %2, %3
          return %t
        }",
        expect![[r#"
            entry @f
            graph @f(%a: f64[3], %b: f64[3]) -> (f64[2, 3], f64[2, 3]) {
              %0: f64[1, 3] = reshape<1, 3> %b
              %1: f64[1, 3] = reshape<1, 3> %a
              %2: f64[2, 3] = concat<0> %0, %1
              %3: f64[2, 3] = add_at %2, %a, 0
              %t: (f64[2, 3], f64[2, 3]) = tuple %2, %3
              return %t
            }
        "#]],
    );
}

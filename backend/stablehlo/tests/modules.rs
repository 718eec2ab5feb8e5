//! Small modules as StableHLO.

use expect_test::{Expect, expect};
use gradus_ir::parse::parse;
use gradus_ir::verify::verify;
use gradus_stablehlo::{Options, write};

fn check(text: &str, expect: Expect) {
    let m = parse(text).expect("a module");
    verify(&m).expect("a right module");
    let found = match write(&m, &Options { trips: 8, ..Options::default() }) {
        Ok(program) => format!("{}faults: {:?}\n", program.text, program.faults),
        Err(refusal) => refusal.to_string(),
    };
    expect.assert_eq(&found);
}

#[test]
fn a_loop_that_is_left_at_its_head() {
    check(
        "entry @f
         graph @f(%x: f64, %n: i64) -> f64 { %0: f64 = call @loop, 0, 1.0\n return %0 }
         block @loop(%i: i64, %r: f64) -> f64 {
             %c: bool = lt %i, %n
             %arm: fn() -> f64 = select %c, @body, @done
             %1: f64 = call %arm
             return %1
         }
         block @body() -> f64 { %s: f64 = mul %r, %x\n %j: i64 = wrap_add %i, 1\n %2: f64 = call @loop, %j, %s\n return %2 }
         block @done() -> f64 { return %r }",
        expect![[r#"
            module @gradus attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
              func.func public @main(%0: tensor<f64>, %1: tensor<i64>) -> (tensor<f64>) {
                %2 = stablehlo.constant dense<0> : tensor<i64>
                %3 = stablehlo.constant dense<0x3FF0000000000000> : tensor<f64>
                %14:2 = "stablehlo.while"(%2, %3) ({
                ^bb0(%4: tensor<i64>, %5: tensor<f64>):
                  %6 = stablehlo.compare LT, %4, %1, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
                  stablehlo.return %6 : tensor<i1>
                }, {
                ^bb0(%7: tensor<i64>, %8: tensor<f64>):
                  %9 = stablehlo.compare LT, %7, %1, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
                  %10 = stablehlo.constant dense<1> : tensor<i64>
                  %11 = stablehlo.constant dense<0> : tensor<i64>
                  %12 = stablehlo.add %7, %10 : tensor<i64>
                  %13 = stablehlo.multiply %8, %0 : tensor<f64>
                  stablehlo.return %12, %13 : tensor<i64>, tensor<f64>
                }) : (tensor<i64>, tensor<f64>) -> (tensor<i64>, tensor<f64>)
                %15 = stablehlo.compare LT, %14#0, %1, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
                return %14#1 : tensor<f64>
              }
            }
            faults: []
        "#]],
    );
}

#[test]
fn a_loop_that_is_left_in_its_middle() {
    check(
        "entry @f
         graph @f(%x: f64) -> f64 { %0: f64 = call @loop, 1.0\n return %0 }
         block @loop(%r: f64) -> f64 { %s: f64 = mul %r, %x\n %c: bool = gt %s, 9.0\n
             %arm: fn() -> f64 = select %c, @out, @again\n %1: f64 = call %arm\n return %1 }
         block @again() -> f64 { %2: f64 = call @loop, %s\n return %2 }
         block @out() -> f64 { %t: f64 = sin %s\n return %t }",
        expect![[r#"
            module @gradus attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
              func.func public @main(%0: tensor<f64>) -> (tensor<f64>) {
                %1 = stablehlo.constant dense<0x3FF0000000000000> : tensor<f64>
                %11:1 = "stablehlo.while"(%1) ({
                ^bb0(%2: tensor<f64>):
                  %3 = stablehlo.multiply %2, %0 : tensor<f64>
                  %4 = stablehlo.constant dense<0x4022000000000000> : tensor<f64>
                  %5 = stablehlo.compare GT, %3, %4, FLOAT : (tensor<f64>, tensor<f64>) -> tensor<i1>
                  %6 = stablehlo.not %5 : tensor<i1>
                  stablehlo.return %6 : tensor<i1>
                }, {
                ^bb0(%7: tensor<f64>):
                  %8 = stablehlo.multiply %7, %0 : tensor<f64>
                  %9 = stablehlo.constant dense<0x4022000000000000> : tensor<f64>
                  %10 = stablehlo.compare GT, %8, %9, FLOAT : (tensor<f64>, tensor<f64>) -> tensor<i1>
                  stablehlo.return %8 : tensor<f64>
                }) : (tensor<f64>) -> (tensor<f64>)
                %12 = stablehlo.multiply %11#0, %0 : tensor<f64>
                %13 = stablehlo.constant dense<0x4022000000000000> : tensor<f64>
                %14 = stablehlo.compare GT, %12, %13, FLOAT : (tensor<f64>, tensor<f64>) -> tensor<i1>
                %15 = stablehlo.sine %12 : tensor<f64>
                return %15 : tensor<f64>
              }
            }
            faults: []
        "#]],
    );
}

#[test]
fn ways_that_meet_and_one_that_does_not() {
    check(
        "entry @f
         graph @f(%x: f64, %a: f64[100]) -> f64[100] { %c: bool = lt %x, 0.0\n
             %arm: fn() -> f64[100] = select %c, @low, @high\n %1: f64[100] = call %arm\n return %1 }
         block @low() -> f64[100] { return %a }
         block @high() -> f64[100] { %d: bool = lt %x, 1.0\n
             %arm2: fn() -> f64[100] = select %d, @left, @right\n %2: f64[100] = call %arm2\n return %2 }
         block @left() -> f64[100] { %b: f64[100] = sin %a\n %3: f64[100] = call @meet, %b\n return %3 }
         block @right() -> f64[100] { %e: f64[100] = cos %a\n %4: f64[100] = call @meet, %e\n return %4 }
         block @meet(%z: f64[100]) -> f64[100] { %y: f64[100] = exp %z\n return %y }",
        expect![[r#"
            module @gradus attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
              func.func public @main(%0: tensor<f64>, %1: tensor<100xf64>) -> (tensor<100xf64>) {
                %2 = stablehlo.constant dense<0x0000000000000000> : tensor<f64>
                %3 = stablehlo.compare LT, %0, %2, FLOAT : (tensor<f64>, tensor<f64>) -> tensor<i1>
                %10:1 = "stablehlo.if"(%3) ({
                  stablehlo.return %1 : tensor<100xf64>
                }, {
                  %4 = stablehlo.constant dense<0x3FF0000000000000> : tensor<f64>
                  %5 = stablehlo.compare LT, %0, %4, FLOAT : (tensor<f64>, tensor<f64>) -> tensor<i1>
                  %8:1 = "stablehlo.if"(%5) ({
                    %6 = stablehlo.sine %1 : tensor<100xf64>
                    stablehlo.return %6 : tensor<100xf64>
                  }, {
                    %7 = stablehlo.cosine %1 : tensor<100xf64>
                    stablehlo.return %7 : tensor<100xf64>
                  }) : (tensor<i1>) -> (tensor<100xf64>)
                  %9 = stablehlo.exponential %8#0 : tensor<100xf64>
                  stablehlo.return %9 : tensor<100xf64>
                }) : (tensor<i1>) -> (tensor<100xf64>)
                return %10#0 : tensor<100xf64>
              }
            }
            faults: []
        "#]],
    );
}

#[test]
fn traps_are_a_status() {
    check(
        "entry @f
         graph @f(%i: i64, %a: f64[3]) -> f64 { %j: i64 = index %i, 3\n %x: f64 = at %a, %j\n return %x }",
        expect![[r#"
            module @gradus attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
              func.func public @main(%0: tensor<i64>, %1: tensor<3xf64>) -> (tensor<i32>, tensor<f64>) {
                %2 = stablehlo.constant dense<3> : tensor<i64>
                %3 = stablehlo.constant dense<0> : tensor<i64>
                %4 = stablehlo.add %0, %2 : tensor<i64>
                %5 = stablehlo.compare LT, %0, %3, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
                %6 = stablehlo.select %5, %4, %0 : tensor<i1>, tensor<i64>
                %7 = stablehlo.compare LT, %6, %3, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
                %8 = stablehlo.compare GE, %6, %2, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
                %9 = stablehlo.or %7, %8 : tensor<i1>
                %10 = stablehlo.constant dense<0> : tensor<i32>
                %11 = stablehlo.constant dense<1> : tensor<i32>
                %12 = stablehlo.compare EQ, %10, %10, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
                %13 = stablehlo.and %9, %12 : tensor<i1>
                %14 = stablehlo.select %13, %11, %10 : tensor<i1>, tensor<i32>
                %15 = stablehlo.dynamic_slice %1, %6, sizes = [1] : (tensor<3xf64>, tensor<i64>) -> tensor<1xf64>
                %16 = stablehlo.reshape %15 : (tensor<1xf64>) -> tensor<f64>
                return %14, %16 : tensor<i32>, tensor<f64>
              }
            }
            faults: [Trap(IndexOutOfRange, Span { start: 4294967295, end: 4294967295 })]
        "#]],
    );
}

#[test]
fn a_call_of_a_value_is_refused() {
    check(
        "entry @f
         graph @f(%c: bool, %x: f64) -> f64 { %g: fn(f64) -> f64 = call @choose, %c\n %y: f64 = call %g, %x\n return %y }
         graph @choose(%d: bool) -> fn(f64) -> f64 { %h: fn(f64) -> f64 = select %d, @sine, @cosine\n return %h }
         graph @sine(%u: f64) -> f64 { %v: f64 = sin %u\n return %v }
         graph @cosine(%w: f64) -> f64 { %z: f64 = cos %w\n return %z }",
        expect!["which function is called here, only the run knows: XLA has no function values"],
    );
}

/// The oldest version of StableHLO that has all operations of a program.
#[test]
fn artifacts_say_their_version() {
    let version = |prim: &str| {
        let m = parse(&format!("entry @f\n graph @f(%x: f64) -> f64 {{ %0: f64 = {prim} %x\n return %0 }}")).expect("a module");
        let artifact = write(&m, &Options::default()).expect("a program").artifact();
        let end = artifact.iter().position(|&byte| byte == 0).expect("a producer");
        String::from_utf8_lossy(&artifact[..end]).into_owned()
    };
    assert!(version("sin").ends_with("StableHLO_v1.0.0"));
    assert!(version("tan").ends_with("StableHLO_v1.4.0"));
    assert!(version("asin").ends_with("StableHLO_v1.11.0"));
}

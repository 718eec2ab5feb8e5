//! `grad` and `value_and_grad`.

use super::{FLOAT, INT, check_grad};
use expect_test::expect;

#[test]
fn grad_of_a_closure_and_of_a_grad() {
    check_grad(
        "def f(x, y): return grad(grad(lambda a: a * a * y))(x)",
        &[FLOAT, FLOAT],
        expect![[r#"
        entry @f
        graph @f(%x: f64, %y: f64) -> f64 {
          %0: f64 = call @grad, %x
          return %0
        }
        graph @grad(%a: f64) -> f64 {  ; free %y
          %1: fn(f64) -> (f64, fn(f64) -> (opaque, f64)) = J @grad.1
          %2: (f64, fn(f64) -> (opaque, f64)) = call %1, %a
          %3: fn(f64) -> (opaque, f64) = get<1> %2
          %4: (opaque, f64) = call %3, 1.0
          %5: f64 = get<1> %4
          return %5
        }
        graph @grad.1(%a.1: f64) -> f64 {  ; free %y
          %6: fn(f64) -> (f64, fn(f64) -> (opaque, f64)) = J @f.lambda
          %7: (f64, fn(f64) -> (opaque, f64)) = call %6, %a.1
          %8: fn(f64) -> (opaque, f64) = get<1> %7
          %9: (opaque, f64) = call %8, 1.0
          %10: f64 = get<1> %9
          return %10
        }
        graph @f.lambda(%a.2: f64) -> f64 {  ; free %y
          %11: f64 = mul %a.2, %a.2
          %12: f64 = mul %11, %y
          return %12
        }
    "#]],
    );
}

#[test]
fn grad_with_respect_to_several() {
    check_grad(
        "def f(x): return value_and_grad(lambda a, n, b: a * b * n, ('b', 0))(x, 2, b=x)",
        &[FLOAT],
        expect![[r#"
        entry @f
        graph @f(%x: f64) -> (f64, (f64, f64)) {
          %0: (f64, (f64, f64)) = call @value_and_grad, %x, 2, %x
          return %0
        }
        graph @value_and_grad(%a: f64, %n: i64, %b: f64) -> (f64, (f64, f64)) {
          %1: fn(f64, i64, f64) -> (f64, fn(f64) -> (opaque, f64, zero, f64)) = J @f.lambda
          %2: (f64, fn(f64) -> (opaque, f64, zero, f64)) = call %1, %a, %n, %b
          %3: f64 = get<0> %2
          %4: fn(f64) -> (opaque, f64, zero, f64) = get<1> %2
          %5: (opaque, f64, zero, f64) = call %4, 1.0
          %6: f64 = get<3> %5
          %7: f64 = get<1> %5
          %8: (f64, f64) = tuple %6, %7
          %9: (f64, (f64, f64)) = tuple %3, %8
          return %9
        }
        graph @f.lambda(%a.1: f64, %n.1: i64, %b.1: f64) -> f64 {
          %10: f64 = call @f.lambda.1, %a.1, %n.1, %b.1
          return %10
        }
        graph @f.lambda.1(%a.2: f64, %n.2: i64, %b.2: f64) -> f64 {
          %11: f64 = mul %a.2, %b.2
          %12: f64 = float %n.2
          %13: f64 = mul %11, %12
          return %13
        }
    "#]],
    );
}

#[test]
fn a_gradient_has_none_where_there_is_no_derivative() {
    check_grad(
        "def f(x): return grad(lambda p: p[0] * p[1][0] * x)((2, (x, 1)))",
        &[FLOAT],
        expect![[r#"
        entry @f
        graph @f(%x: f64) -> (none, (f64, none)) {
          %0: (f64, i64) = tuple %x, 1
          %1: (i64, (f64, i64)) = tuple 2, %0
          %2: (none, (f64, none)) = call @grad, %1
          return %2
        }
        graph @grad(%p: (i64, (f64, i64))) -> (none, (f64, none)) {  ; free %x
          %3: fn((i64, (f64, i64))) -> (f64, fn(f64) -> (opaque, (zero, (f64, zero)))) = J @f.lambda
          %4: (f64, fn(f64) -> (opaque, (zero, (f64, zero)))) = call %3, %p
          %5: fn(f64) -> (opaque, (zero, (f64, zero))) = get<1> %4
          %6: (opaque, (zero, (f64, zero))) = call %5, 1.0
          %7: (zero, (f64, zero)) = get<1> %6
          %8: (f64, zero) = get<1> %7
          %9: f64 = get<0> %8
          %10: (f64, none) = tuple %9, none
          %11: (none, (f64, none)) = tuple none, %10
          return %11
        }
        graph @f.lambda(%p.1: (i64, (f64, i64))) -> f64 {  ; free %x
          %12: i64 = get<0> %p.1
          %13: f64 = float %12
          %14: (f64, i64) = get<1> %p.1
          %15: f64 = get<0> %14
          %16: f64 = mul %13, %15
          %17: f64 = mul %16, %x
          return %17
        }
    "#]],
    );
}

#[test]
fn grad_of_an_unknown_function() {
    let text = "
def f(x, n):
    g = lambda a: a * x
    while n > 0:
        g = grad(g)
        n = n - 1
    return g(x)
";
    check_grad(
        text,
        &[FLOAT, INT],
        expect![[r#"
            entry @f
            graph @f(%x: f64, %n: i64) -> f64 {
              %0: bool = gt %n, 0
              %1: fn() -> f64 = select %0, @f.body, @f.done.1
              %2: f64 = call %1
              return %2
            }
            block @f.body() -> f64 {  ; free %n, %x
              %n.1: i64 = sub %n, 1
              %3: f64 = call @f.loop, %n.1, @grad.1
              return %3
            }
            block @f.loop(%n.2: i64, %g: fn(f64) -> f64) -> f64 {  ; free %x
              %4: bool = gt %n.2, 0
              %5: fn() -> f64 = select %4, @f.body.1, @f.done
              %6: f64 = call %5
              return %6
            }
            block @f.body.1() -> f64 {  ; free %n.2, %g, %x
              %n.3: i64 = sub %n.2, 1
              %7: f64 = call @f.loop, %n.3, @grad
              return %7
            }
            graph @grad(%a: f64) -> f64 {  ; free %g
              %8: fn(f64) -> (f64, fn(f64) -> (opaque, f64)) = J %g
              %9: (f64, fn(f64) -> (opaque, f64)) = call %8, %a
              %10: fn(f64) -> (opaque, f64) = get<1> %9
              %11: (opaque, f64) = call %10, 1.0
              %12: f64 = get<1> %11
              return %12
            }
            block @f.done() -> f64 {  ; free %g, %x
              %13: f64 = call %g, %x
              return %13
            }
            graph @grad.1(%a.1: f64) -> f64 {  ; free %x
              %14: fn(f64) -> (f64, fn(f64) -> (opaque, f64)) = J @f.g
              %15: (f64, fn(f64) -> (opaque, f64)) = call %14, %a.1
              %16: fn(f64) -> (opaque, f64) = get<1> %15
              %17: (opaque, f64) = call %16, 1.0
              %18: f64 = get<1> %17
              return %18
            }
            graph @f.g(%a.2: f64) -> f64 {  ; free %x
              %19: f64 = mul %a.2, %x
              return %19
            }
            block @f.done.1() -> f64 {  ; free %x
              %20: f64 = call @f.g, %x
              return %20
            }
        "#]],
    );
}

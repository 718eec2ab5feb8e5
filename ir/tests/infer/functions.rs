//! Functions as values.

use super::{FLOAT, INT, check};
use expect_test::expect;
use gradus_ir::{Const, Flavor, Module, Prim, Role, Span, Type, infer::infer, print::print, verify::verify};

#[test]
fn a_callee_that_is_known_is_called_by_name() {
    let text = "
def f(x):
    y = x + 1.0
    g = (lambda a: a * y, lambda a: a - y)
    return g[0](g[1](x))
";
    check(
        text,
        &[FLOAT],
        expect![[r#"
        entry @f
        graph @f(%x: f64) -> f64 {
          %y: f64 = add %x, 1.0
          %0: f64 = call @f.lambda.1, %x
          %1: f64 = call @f.lambda, %0
          return %1
        }
        graph @f.lambda(%a: f64) -> f64 {  ; free %y
          %2: f64 = mul %a, %y
          return %2
        }
        graph @f.lambda.1(%a.1: f64) -> f64 {  ; free %y
          %3: f64 = sub %a.1, %y
          return %3
        }
    "#]],
    );
}

#[test]
fn one_of_two_functions_is_a_value() {
    let text = "
def f(x, c):
    g = (lambda a: 1) if c else (lambda a: a * x)
    return g(x)
";
    check(
        text,
        &[FLOAT, Type::Bool],
        expect![[r#"
        entry @f
        graph @f(%x: f64, %c: bool) -> f64 {
          %0: fn() -> f64 = select %c, @f.then, @f.else
          %1: f64 = call %0
          return %1
        }
        block @f.then() -> f64 {  ; free %x
          %2: f64 = call @f.join, @f.lambda
          return %2
        }
        block @f.join(%g: fn(f64) -> f64) -> f64 {  ; free %x
          %3: f64 = call %g, %x
          return %3
        }
        graph @f.lambda(%a: f64) -> f64 {
          return 1.0
        }
        block @f.else() -> f64 {  ; free %x
          %4: f64 = call @f.join, @f.lambda.1
          return %4
        }
        graph @f.lambda.1(%a.1: f64) -> f64 {  ; free %x
          %5: f64 = mul %a.1, %x
          return %5
        }
    "#]],
    );
}

#[test]
fn a_value_called_with_two_signatures_is_a_pair() {
    let text = "
def f(x, n):
    g = (lambda a: a + 1) if n > 2 else (lambda a: a * 2)
    return g(x), g(n)
";
    check(
        text,
        &[FLOAT, INT],
        expect![[r#"
            entry @f
            graph @f(%x: f64, %n: i64) -> (f64, i64) {
              %0: bool = gt %n, 2
              %1: fn() -> (f64, i64) = select %0, @f.then, @f.else
              %2: (f64, i64) = call %1
              return %2
            }
            block @f.then() -> (f64, i64) {  ; free %x, %n
              %3: (fn(f64) -> f64, fn(i64) -> i64) = tuple @f.lambda, @f.lambda.1
              %4: (f64, i64) = call @f.join, %3
              return %4
            }
            block @f.join(%g: (fn(f64) -> f64, fn(i64) -> i64)) -> (f64, i64) {  ; free %x, %n
              %5: fn(f64) -> f64 = get<0> %g
              %6: f64 = call %5, %x
              %7: fn(i64) -> i64 = get<1> %g
              %8: i64 = call %7, %n
              %9: (f64, i64) = tuple %6, %8
              return %9
            }
            graph @f.lambda(%a: f64) -> f64 {
              %10: f64 = add %a, 1.0
              return %10
            }
            graph @f.lambda.1(%a.1: i64) -> i64 {
              %11: i64 = add %a.1, 1
              return %11
            }
            block @f.else() -> (f64, i64) {  ; free %x, %n
              %12: (fn(f64) -> f64, fn(i64) -> i64) = tuple @f.lambda.2, @f.lambda.3
              %13: (f64, i64) = call @f.join, %12
              return %13
            }
            graph @f.lambda.2(%a.2: f64) -> f64 {
              %14: f64 = mul %a.2, 2.0
              return %14
            }
            graph @f.lambda.3(%a.3: i64) -> i64 {
              %15: i64 = mul %a.3, 2
              return %15
            }
        "#]],
    );
}

#[test]
fn continuations_that_grow_are_one_class() {
    let text = "
def factorial(n, k):
    return k(1) if n == 0 else factorial(n - 1, lambda v: k(n * v))

def f(n):
    return factorial(n, lambda v: v)
";
    check(
        text,
        &[INT],
        expect![[r#"
        entry @f
        graph @f(%n: i64) -> i64 {
          %0: i64 = call @factorial, %n, @f.lambda
          return %0
        }
        graph @factorial(%n.1: i64, %k: fn(i64) -> i64) -> i64 {
          %1: bool = eq %n.1, 0
          %2: fn() -> i64 = select %1, @factorial.then, @factorial.else
          %3: i64 = call %2
          return %3
        }
        block @factorial.then() -> i64 {  ; free %k
          %4: i64 = call %k, 1
          %5: i64 = call @factorial.join, %4
          return %5
        }
        block @factorial.join(%6: i64) -> i64 {
          return %6
        }
        block @factorial.else() -> i64 {  ; free %n.1, %k
          %7: i64 = sub %n.1, 1
          %8: i64 = call @factorial, %7, @factorial.lambda
          %9: i64 = call @factorial.join, %8
          return %9
        }
        graph @factorial.lambda(%v: i64) -> i64 {  ; free %k, %n.1
          %10: i64 = mul %n.1, %v
          %11: i64 = call %k, %10
          return %11
        }
        graph @f.lambda(%v.1: i64) -> i64 {
          return %v.1
        }
    "#]],
    );
}

#[test]
fn compositions_that_grow_in_a_loop_are_one_class() {
    let text = "
def compose(f, g):
    return lambda x: f(g(x))

def f(x, n):
    h = lambda v: v
    for _ in range(n):
        h = compose(h, compose(lambda v: v * x, h))
    return h(x)
";
    check(
        text,
        &[FLOAT, INT],
        expect![[r#"
        entry @f
        graph @f(%x: f64, %n: i64) -> f64 {
          %0: i64 = wrap_add %n, 0
          %1: f64 = call @f.loop, 0, @f.h
          return %1
        }
        block @f.loop(%_: i64, %h: fn(f64) -> f64) -> f64 {  ; free %0, %x
          %2: bool = lt %_, %0
          %3: fn() -> f64 = select %2, @f.body, @f.done
          %4: f64 = call %3
          return %4
        }
        block @f.body() -> f64 {  ; free %_, %h, %0, %x
          %5: i64 = wrap_add %_, 1
          %6: fn(f64) -> f64 = call @compose, @f.lambda, %h
          %h.1: fn(f64) -> f64 = call @compose, %h, %6
          %7: f64 = call @f.loop, %5, %h.1
          return %7
        }
        graph @compose(%f: fn(f64) -> f64, %g: fn(f64) -> f64) -> fn(f64) -> f64 {
          return @compose.lambda
        }
        graph @compose.lambda(%x.1: f64) -> f64 {  ; free %f, %g
          %8: f64 = call %g, %x.1
          %9: f64 = call %f, %8
          return %9
        }
        graph @f.lambda(%v: f64) -> f64 {  ; free %x
          %10: f64 = mul %v, %x
          return %10
        }
        block @f.done() -> f64 {  ; free %h, %x
          %11: f64 = call %h, %x
          return %11
        }
        graph @f.h(%v.1: f64) -> f64 {
          return %v.1
        }
    "#]],
    );
}

#[test]
fn the_y_combinator() {
    let text = "
def fix(g):
    return (lambda u: u(u))(lambda u: g(lambda n: u(u)(n)))

def f(n):
    return fix(lambda self: lambda n: 1.0 if n == 0 else n * self(n - 1))(n)
";
    check(
        text,
        &[INT],
        expect![[r#"
        entry @f
        graph @f(%n: i64) -> f64 {
          %0: () = tuple
          %1: fn(i64) -> f64 = call @fix, %0
          %2: f64 = call %1, %n
          return %2
        }
        graph @fix(%g: ()) -> fn(i64) -> f64 {
          %3: fn(i64) -> f64 = call @fix.lambda, @fix.lambda.1
          return %3
        }
        graph @fix.lambda(%u: fn(fn) -> fn(i64) -> f64) -> fn(i64) -> f64 {
          %4: fn(i64) -> f64 = call %u, %u
          return %4
        }
        graph @fix.lambda.1(%u.1: fn(fn) -> fn(i64) -> f64) -> fn(i64) -> f64 {
          %5: fn(i64) -> f64 = call @f.lambda, @lambda.lambda.1
          return %5
        }
        graph @f.lambda(%self: fn(i64) -> f64) -> fn(i64) -> f64 {
          return @lambda.lambda
        }
        graph @lambda.lambda(%n.1: i64) -> f64 {  ; free %self
          %6: bool = eq %n.1, 0
          %7: fn() -> f64 = select %6, @lambda.then, @lambda.else
          %8: f64 = call %7
          return %8
        }
        block @lambda.then() -> f64 {
          %9: f64 = call @lambda.join, 1.0
          return %9
        }
        block @lambda.join(%10: f64) -> f64 {
          return %10
        }
        block @lambda.else() -> f64 {  ; free %n.1, %self
          %11: f64 = float %n.1
          %12: i64 = sub %n.1, 1
          %13: f64 = call %self, %12
          %14: f64 = mul %11, %13
          %15: f64 = call @lambda.join, %14
          return %15
        }
        graph @lambda.lambda.1(%n.2: i64) -> f64 {  ; free %u.1
          %16: fn(i64) -> f64 = call %u.1, %u.1
          %17: f64 = call %16, %n.2
          return %17
        }
    "#]],
    );
}

#[test]
fn defaults_and_keywords() {
    let text = "
def f(x):
    y = x * x
    def g(a, b=y, c=2):
        return a * b - c
    return g(x) + g(x, c=1) + g(b=1.0, a=x)
";
    check(
        text,
        &[FLOAT],
        expect![[r#"
        entry @f
        graph @f(%x: f64) -> f64 {
          %y: f64 = mul %x, %x
          %0: f64 = call @f.g, %x
          %1: f64 = call @f.g.2, %x, 1
          %2: f64 = add %0, %1
          %3: f64 = call @f.g.3, 1.0, %x
          %4: f64 = add %2, %3
          return %4
        }
        graph @f.g(%a: f64) -> f64 {  ; free %y
          %5: f64 = call @f.g.1, %a, %y, 2
          return %5
        }
        graph @f.g.1(%a.1: f64, %b: f64, %c: i64) -> f64 {
          %6: f64 = mul %a.1, %b
          %7: f64 = float %c
          %8: f64 = sub %6, %7
          return %8
        }
        graph @f.g.2(%a.2: f64, %c.1: i64) -> f64 {  ; free %y
          %9: f64 = call @f.g.1, %a.2, %y, %c.1
          return %9
        }
        graph @f.g.3(%b.1: f64, %a.3: f64) -> f64 {
          %10: f64 = call @f.g.1, %a.3, %b.1, 2
          return %10
        }
    "#]],
    );
}

/// `partial` has no spelling in Python yet; the Rust builder makes it.
#[test]
fn partial_applications_and_their_gradient() {
    let mut m = Module::new();
    let none = Span::NONE;
    let g = m.add_graph("g", Flavor::Function, Role::Primal, none);
    let params = ["a", "b", "c"].map(|name| m.add_param(g, Type::Unknown, Some(name.into()), none));
    let ab = m.prim(g, Prim::Mul, params[..2].to_vec(), Type::Unknown, none);
    let abc = m.prim(g, Prim::Mul, vec![ab, params[2]], Type::Unknown, none);
    m.set_result(g, abc);
    let f = m.add_graph("f", Flavor::Function, Role::Primal, none);
    let x = m.add_param(f, Type::Unknown, Some("x".into()), none);
    let function = m.graph_ref(g);
    let partial = m.prim(f, Prim::Partial, vec![function, x], Type::Unknown, none);
    let wrt = m.constant(Const::Str("c".into()), Type::Str);
    let grad = Prim::Grad { value: false, many: false, aux: false, allow_int: false };
    let gradient = m.prim(f, grad, vec![partial, wrt], Type::Unknown, none);
    let b = m.constant(Const::Str("b".into()), Type::Str);
    let two = m.i64(2);
    let y = m.prim(f, Prim::CallKw(2), vec![gradient, x, two, wrt, b], Type::Unknown, none);
    m.set_result(f, y);
    let typed = infer(&m, f, &[FLOAT]).unwrap();
    verify(&typed).unwrap();
    expect![[r#"
        entry @f
        graph @f(%x: f64) -> f64 {
          %0: f64 = call @grad, %x, 2
          return %0
        }
        graph @grad(%c: f64, %b: i64) -> f64 {  ; free %x
          %1: fn(f64, i64) -> (f64, fn(f64) -> (opaque, f64, zero)) = J @partial
          %2: (f64, fn(f64) -> (opaque, f64, zero)) = call %1, %c, %b
          %3: fn(f64) -> (opaque, f64, zero) = get<1> %2
          %4: (opaque, f64, zero) = call %3, 1.0
          %5: f64 = get<1> %4
          return %5
        }
        graph @partial(%c.1: f64, %b.1: i64) -> f64 {  ; free %x
          %6: f64 = call @g, %x, %c.1, %b.1
          return %6
        }
        graph @g(%a: f64, %c.2: f64, %b.2: i64) -> f64 {
          %7: f64 = call @g.1, %a, %b.2, %c.2
          return %7
        }
        graph @g.1(%a.1: f64, %b.3: i64, %c.3: f64) -> f64 {
          %8: f64 = float %b.3
          %9: f64 = mul %a.1, %8
          %10: f64 = mul %9, %c.3
          return %10
        }
    "#]]
    .assert_eq(&print(&typed));
}

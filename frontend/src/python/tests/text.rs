//! What lowering gives, as text.

use super::check_text;
use expect_test::expect;

#[test]
fn a_loop() {
    check_text(
        "def f(x, n):\n    r = 1\n    while n > 0:\n        r = r * x\n        n = n - 1\n    return r\n",
        expect![[r#"
            graph @f(%x, %n) {
              %0 = call @f.loop, %n, 1
              return %0
            }
            block @f.loop(%n.1, %r) {  ; free %x
              %1 = gt %n.1, 0
              %2 = truth %1
              %3 = select %2, @f.body, @f.done
              %4 = call %3
              return %4
            }
            block @f.body() {  ; free %n.1, %r, %x
              %n.2 = sub %n.1, 1
              %r.1 = mul %r, %x
              %5 = call @f.loop, %n.2, %r.1
              return %5
            }
            block @f.done() {  ; free %r
              return %r
            }
        "#]],
    );
    check_text(
        "def f(x, n):\n    r = 1\n    for i in range(n):\n        if r > 10:\n            break\n        r = r * x\n    return r\n",
        expect![[r#"
            graph @f(%x, %n) {
              %0 = wrap_add %n, 0
              %1 = call @f.loop, 0, 1
              return %1
            }
            block @f.loop(%i, %r) {  ; free %0, %x
              %2 = lt %i, %0
              %3 = select %2, @f.body, @f.done
              %4 = call %3
              return %4
            }
            block @f.body() {  ; free %r, %i, %0, %x
              %5 = gt %r, 10
              %6 = truth %5
              %7 = wrap_add %i, 1
              %8 = select %6, @f.then, @f.else
              %9 = call %8
              return %9
            }
            block @f.then() {  ; free %r
              %10 = call @f.after
              return %10
            }
            block @f.after() {  ; free %r
              return %r
            }
            block @f.else() {  ; free %0, %r, %7, %x
              %11 = call @f.join
              return %11
            }
            block @f.join() {  ; free %7, %r, %x, %0
              %r.1 = mul %r, %x
              %12 = call @f.loop, %7, %r.1
              return %12
            }
            block @f.done() {  ; free %r
              %13 = call @f.after
              return %13
            }
        "#]],
    );
    check_text(
        "def f(t):\n    s = 0.0\n    for x in t:\n        s += x\n    return s\n",
        expect![[r#"
        graph @f(%t) {
          %0 = iter %t
          %1 = call @f.loop, %0, 0.0
          return %1
        }
        block @f.loop(%2, %s) {
          %3 = has_next %2
          %4 = select %3, @f.body, @f.done
          %5 = call %4
          return %5
        }
        block @f.body() {  ; free %2, %s
          %6 = advance %2
          %x = next %2
          %s.1 = add %s, %x
          %7 = call @f.loop, %6, %s.1
          return %7
        }
        block @f.done() {  ; free %s
          return %s
        }
    "#]],
    );
}

#[test]
fn conditions() {
    check_text(
        "def f(x):\n    if x:\n        return 1.0\n    return x and -x\n",
        expect![[r#"
        graph @f(%x) {
          %0 = truth %x
          %1 = select %0, @f.then, @f.else
          %2 = call %1
          return %2
        }
        block @f.then() -> f64 {
          return 1.0
        }
        block @f.else() {  ; free %x
          %3 = call @f.join
          return %3
        }
        block @f.join() {  ; free %x
          %4 = truth %x
          %5 = select %4, @f.then.1, @f.else.1
          %6 = call %5
          return %6
        }
        block @f.then.1() {  ; free %x
          %7 = neg %x
          %8 = call @f.join.1, %7
          return %8
        }
        block @f.join.1(%9) {
          return %9
        }
        block @f.else.1() {  ; free %x
          %10 = call @f.join.1, %x
          return %10
        }
    "#]],
    );
}

#[test]
fn closures() {
    check_text(
        "def f(x):\n    def g(y, k=x):\n        return x * y\n    x = x + 1\n    return g(2, k=3)\n",
        expect![[r#"
        graph @f(%x) {
          %x.1 = add %x, 1
          %0 = call_kw<1> @f.g, %x.1, 2, 3, "k"
          return %0
        }
        graph @f.g(%x.2, %y, %k = %x) {  ; free %x
          %1 = mul %x.2, %y
          return %1
        }
    "#]],
    );
}

#[test]
fn derivatives() {
    let text = "import math\nimport gradus\nfrom gradus import grad, value_and_grad as vg\nsq = lambda x, y: x * y\nd = grad(sq)\ndef f(x):\n    a = grad(sq, 1), vg(sq, (0, 1)), grad(sq, wrt='x'), gradus.grad(sq, argnums=[0])\n    return a, d(x, x), grad(math.sin)(x), grad(grad)\n";
    check_text(
        text,
        expect![[r#"
            graph @f(%x) {
              %0 = grad @sq, 0
              %1 = call %0, %x, %x
              %2 = grad @sin, 0
              %3 = call %2, %x
              %4 = grad @sq, 1
              %5 = value_and_grad<many> @sq, 0, 1
              %6 = grad @sq, "x"
              %7 = grad<many> @sq, 0
              %a = tuple %4, %5, %6, %7
              %8 = grad @grad, 0
              %9 = tuple %a, %1, %3, %8
              return %9
            }
            graph @sq(%x.1, %y) {
              %10 = mul %x.1, %y
              return %10
            }
            graph @sin(%x.2) {
              %11 = sin %x.2
              return %11
            }
            graph @grad(%x.3) {
              %12 = grad %x.3, 0
              return %12
            }
        "#]],
    );
}

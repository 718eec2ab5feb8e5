//! The graph passes on small modules: text in, text out, and the same bits before and after.

mod common;

use common::{check, options, read, simplified};
use expect_test::expect;
use gradus_backend::Interp;
use gradus_ir::print::print;
use gradus_ir::{Kind, Module, Prim, Value};
use gradus_opt::{Math, Options};

/// Whether a closure is made, or a function called that is not known.
fn has_closures(m: &Module) -> bool {
    let arms_only = |n| m.as_prim(n) == Some(Prim::Select);
    m.nodes().any(|(n, node)| match node.kind {
        Kind::Prim(Prim::Partial) => true,
        Kind::Call => {
            let callee = node.inputs()[0];
            m.as_graph(callee).is_none() && !arms_only(callee)
        }
        _ => m.as_graph(n).is_some() && node.users().iter().any(|u| m[u.node].kind != Kind::Call && !arms_only(u.node)),
    })
}

#[test]
fn folds_and_shares() {
    check(
        "entry @main
         graph @main(%x: f64) -> f64 {
           %a: f64 = mul %x, 2.0
           %b: f64 = mul 2.0, %x
           %t: (f64, f64) = tuple %a, %b
           %c: f64 = get<0> %t
           %d: f64 = get<1> %t
           %e: f64 = add %c, %d
           %f: f64 = add -0.0, %e
           %g: f64 = add %f, 0.0
           %h: f64 = mul %g, 0.0
           return %h
         }",
        expect![[r#"
            entry @main
            graph @main(%x: f64) -> f64 {
              %a: f64 = mul %x, 2.0
              %e: f64 = add %a, %a
              %g: f64 = add %e, 0.0
              %h: f64 = mul %g, 0.0
              return %h
            }
        "#]],
    );
}

#[test]
fn shares_with_the_graph_around() {
    check(
        "entry @main
         graph @main(%x: f64) -> f64 {
           %s: f64 = sin %x
           %c: bool = lt %s, 0.5
           %b: fn() -> f64 = select %c, @yes, @no
           %r: f64 = call %b
           return %r
         }
         block @yes() -> f64 {
           %s1: f64 = sin %x
           %r1: f64 = mul %s1, %s1
           return %r1
         }
         block @no() -> f64 {
           %c2: f64 = cos %x
           return %c2
         }",
        expect![[r#"
            entry @main
            graph @main(%x: f64) -> f64 {
              %s: f64 = sin %x
              %c: bool = lt %s, 0.5
              %b: fn() -> f64 = select %c, @yes, @no
              %r: f64 = call %b
              return %r
            }
            block @yes() -> f64 {  ; free %s
              %r1: f64 = mul %s, %s
              return %r1
            }
            block @no() -> f64 {  ; free %x
              %c2: f64 = cos %x
              return %c2
            }
        "#]],
    );
}

#[test]
fn a_call_in_the_middle_of_a_function_becomes_control_flow() {
    check(
        "entry @main
         graph @main(%x: f64, %n: i64) -> f64 {
           %a: f64 = sin %x
           %p: f64 = call @pow, %a, %n
           %q: f64 = add %p, %a
           return %q
         }
         graph @pow(%y: f64, %m: i64) -> f64 {
           %r: f64 = call @loop, %m, 1.0
           return %r
         }
         block @loop(%i: i64, %s: f64) -> f64 {
           %go: bool = gt %i, 0
           %next: fn() -> f64 = select %go, @body, @done
           %0: f64 = call %next
           return %0
         }
         block @body() -> f64 {
           %j: i64 = sub %i, 1
           %t: f64 = mul %s, %y
           %1: f64 = call @loop, %j, %t
           return %1
         }
         block @done() -> f64 {
           return %s
         }",
        expect![[r#"
            entry @main
            graph @main(%x: f64, %n: i64) -> f64 {
              %a: f64 = sin %x
              %r: f64 = call @loop, %n, 1.0
              return %r
            }
            block @loop(%i: i64, %s: f64) -> f64 {  ; free %a
              %go: bool = gt %i, 0
              %next: fn() -> f64 = select %go, @body, @done
              %0: f64 = call %next
              return %0
            }
            block @body() -> f64 {  ; free %i, %s, %a
              %j: i64 = wrap_sub %i, 1
              %t: f64 = mul %s, %a
              %1: f64 = call @loop, %j, %t
              return %1
            }
            block @done() -> f64 {  ; free %s, %a
              %q: f64 = add %s, %a
              return %q
            }
        "#]],
    );
}

/// `f(x) = x * x if x > 0 else sin(x)` as `ad` expands its gradient.
const BRANCH: &str = "entry @main
    graph @main(%x: f64) -> f64 {
      %t: (f64, fn(f64) -> (opaque, f64)) = call @f.J, %x
      %pb: fn(f64) -> (opaque, f64) = get<1> %t
      %d: (opaque, f64) = call %pb, 1.0
      %dx: f64 = get<1> %d
      return %dx
    }
    graph @f.J(%y: f64) -> (f64, fn(f64) -> (opaque, f64)) {
      %c: bool = gt %y, 0.0
      %b: fn() -> (f64, fn(f64) -> (opaque, f64)) = select %c, @a.J, @b.J
      %0: (f64, fn(f64) -> (opaque, f64)) = call %b
      return %0
    }
    block @a.J() -> (f64, fn(f64) -> (opaque, f64)) {
      %p: f64 = mul %y, %y
      %1: (f64, fn(f64) -> (opaque, f64)) = tuple %p, @a.bwd
      return %1
    }
    graph @a.bwd(%g: f64) -> (opaque, f64) {
      %q: f64 = mul %g, %y
      %r: f64 = add %q, %q
      %2: (opaque, f64) = tuple zero: opaque, %r
      return %2
    }
    block @b.J() -> (f64, fn(f64) -> (opaque, f64)) {
      %s: f64 = sin %y
      %w: f64 = cos %y
      %3: (f64, fn(f64) -> (opaque, f64)) = tuple %s, @b.bwd
      return %3
    }
    graph @b.bwd(%h: f64) -> (opaque, f64) {
      %u: f64 = mul %h, %w
      %4: (opaque, f64) = tuple zero: opaque, %u
      return %4
    }";

#[test]
fn the_gradient_of_a_branch_has_no_closures() {
    check(
        BRANCH,
        expect![[r#"
        entry @main
        graph @main(%x: f64) -> f64 {
          %c: bool = gt %x, 0.0
          %b: fn() -> f64 = select %c, @a.J, @b.J
          %t: f64 = call %b
          return %t
        }
        block @a.J() -> f64 {  ; free %x
          %r: f64 = add %x, %x
          return %r
        }
        block @b.J() -> f64 {  ; free %x
          %w: f64 = cos %x
          return %w
        }
    "#]],
    );
}

#[test]
fn one_of_several_closures_is_a_tag_and_its_captures() {
    // Nothing is small enough to be copied, so the two branches stay apart.
    let (module, report) = simplified(BRANCH, &Options { inline_size: 0, inline_closure_size: 0, ..options() });
    assert!(!has_closures(&module), "{}", print(&module));
    assert_eq!(report.total("tags"), 1);
    expect![[r#"
        entry @main
        graph @main(%x: f64) -> f64 {
          %c: bool = gt %x, 0.0
          %b: fn() -> f64 = select %c, @a.J, @b.J
          %t: f64 = call %b
          return %t
        }
        block @a.J() -> f64 {  ; free %x
          %0: f64 = call @main.after, 0, undefined: f64
          return %0
        }
        block @main.after(%t.1.tag: i64, %t.1.0: f64) -> f64 {  ; free %x
          %1: bool = lt %t.1.tag, 1
          %2: fn() -> f64 = select %1, @t.1.arm, @t.1.arm.1
          %d: f64 = call %2
          return %d
        }
        block @t.1.arm() -> f64 {  ; free %x
          %r: f64 = add %x, %x
          return %r
        }
        block @t.1.arm.1() -> f64 {  ; free %t.1.0
          return %t.1.0
        }
        block @b.J() -> f64 {  ; free %x
          %w: f64 = cos %x
          %3: f64 = call @main.after, 1, %w
          return %3
        }
    "#]]
    .assert_eq(&print(&module));
}

#[test]
fn higher_order_functions_disappear() {
    check(
        "entry @main
         graph @main(%x: f64) -> f64 {
           %f: fn(f64) -> f64 = call @compose, @sin, @cos
           %g: fn(f64) -> f64 = call @compose, %f, %f
           %h: fn(f64) -> f64 = call @compose, %g, @cos
           %y: f64 = call %h, %x
           return %y
         }
         graph @compose(%p: fn(f64) -> f64, %q: fn(f64) -> f64) -> fn(f64) -> f64 {
           return @both
         }
         graph @both(%a: f64) -> f64 {
           %b: f64 = call %p, %a
           %c: f64 = call %q, %b
           return %c
         }
         graph @sin(%s: f64) -> f64 {
           %s1: f64 = sin %s
           return %s1
         }
         graph @cos(%c0: f64) -> f64 {
           %c1: f64 = cos %c0
           return %c1
         }",
        expect![[r#"
            entry @main
            graph @main(%x: f64) -> f64 {
              %s1: f64 = sin %x
              %c1: f64 = cos %s1
              %s1.1: f64 = sin %c1
              %c1.1: f64 = cos %s1.1
              %c1.2: f64 = cos %c1.1
              return %c1.2
            }
        "#]],
    );
}

#[test]
fn parameters_of_loops() {
    // `k` is dead but for feeding itself, `f` and `y` never change, `t` is a tuple.
    check(
        "entry @main
         graph @main(%x: f64, %n: i64) -> f64 {
           %t0: (f64, i64) = tuple %x, %n
           %r: f64 = call @loop, %t0, %x, 0, @double
           return %r
         }
         block @loop(%t: (f64, i64), %y: f64, %k: i64, %f: fn(f64) -> f64) -> f64 {
           %i: i64 = get<1> %t
           %go: bool = gt %i, 0
           %next: fn() -> f64 = select %go, @body, @done
           %0: f64 = call %next
           return %0
         }
         block @body() -> f64 {
           %s: f64 = get<0> %t
           %s1: f64 = call %f, %s
           %s2: f64 = add %s1, %y
           %k1: i64 = wrap_add %k, 1
           %j: i64 = sub %i, 1
           %t1: (f64, i64) = tuple %s2, %j
           %1: f64 = call @loop, %t1, %y, %k1, %f
           return %1
         }
         block @done() -> f64 {
           %s3: f64 = get<0> %t
           return %s3
         }
         graph @double(%a: f64) -> f64 {
           %b: f64 = add %a, %a
           return %b
         }",
        expect![[r#"
            entry @main
            graph @main(%x: f64, %n: i64) -> f64 {
              %r: f64 = call @loop, %x, %n
              return %r
            }
            block @loop(%t.0: f64, %t.1: i64) -> f64 {  ; free %x
              %go: bool = gt %t.1, 0
              %next: fn() -> f64 = select %go, @body, @done
              %0: f64 = call %next
              return %0
            }
            block @body() -> f64 {  ; free %t.0, %x, %t.1
              %b: f64 = add %t.0, %t.0
              %s2: f64 = add %b, %x
              %j: i64 = wrap_sub %t.1, 1
              %1: f64 = call @loop, %s2, %j
              return %1
            }
            block @done() -> f64 {  ; free %t.0
              return %t.0
            }
        "#]],
    );
}

#[test]
fn recursion_is_not_unrolled() {
    check(
        "entry @main
         graph @main(%x: f64, %n: i64) -> f64 {
           %r: f64 = call @pow, %x, %n
           return %r
         }
         graph @pow(%y: f64, %m: i64) -> f64 {
           %go: bool = gt %m, 0
           %next: fn() -> f64 = select %go, @more, @done
           %0: f64 = call %next
           return %0
         }
         block @more() -> f64 {
           %j: i64 = sub %m, 1
           %p: f64 = call @pow, %y, %j
           %q: f64 = mul %p, %y
           return %q
         }
         block @done() -> f64 {
           return 1.0
         }",
        expect![[r#"
            entry @main
            graph @main(%x: f64, %n: i64) -> f64 {
              %r: f64 = call @pow, %x, %n
              return %r
            }
            graph @pow(%y: f64, %m: i64) -> f64 {
              %go: bool = gt %m, 0
              %next: fn() -> f64 = select %go, @more, @done
              %0: f64 = call %next
              return %0
            }
            block @more() -> f64 {  ; free %y, %m
              %j: i64 = wrap_sub %m, 1
              %p: f64 = call @pow, %y, %j
              %q: f64 = mul %p, %y
              return %q
            }
            block @done() -> f64 {
              return 1.0
            }
        "#]],
    );
}

#[test]
fn empty_arms_become_a_select() {
    check(
        "entry @main
         graph @main(%x: f64, %b: bool) -> f64 {
           %next: fn() -> f64 = select %b, @yes, @no
           %0: f64 = call %next
           return %0
         }
         block @yes() -> f64 {
           %1: f64 = call @join, 1.0
           return %1
         }
         block @no() -> f64 {
           %2: f64 = call @join, 2.0
           return %2
         }
         block @join(%p: f64) -> f64 {
           %q: f64 = mul %p, %x
           return %q
         }",
        expect![[r#"
            entry @main
            graph @main(%x: f64, %b: bool) -> f64 {
              %p: f64 = select %b, 1.0, 2.0
              %q: f64 = mul %p, %x
              return %q
            }
        "#]],
    );
}

#[test]
fn boxes_at_joins_are_opened() {
    check(
        "entry @main
         graph @main(%x: f64, %b: bool) -> f64 {
           %next: fn() -> f64 = select %b, @yes, @no
           %0: f64 = call %next
           return %0
         }
         block @yes() -> f64 {
           %s: f64 = sin %x
           %t: (f64, zero) = tuple %s, zero
           %p: opaque = pack %t
           %1: f64 = call @join, %p
           return %1
         }
         block @no() -> f64 {
           %2: f64 = call @join, zero: opaque
           return %2
         }
         block @join(%o: opaque) -> f64 {
           %u: (f64, zero) = tuple %x, zero
           %v: opaque = pack %u
           %w: opaque = gadd %o, %v
           %a: (f64, zero) = unpack %w
           %z: f64 = get<0> %a
           return %z
         }",
        expect![[r#"
            entry @main
            graph @main(%x: f64, %b: bool) -> f64 {
              %next: fn() -> f64 = select %b, @yes, @no
              %0: f64 = call %next
              return %0
            }
            block @yes() -> f64 {  ; free %x
              %s: f64 = sin %x
              %z: f64 = add %s, %x
              return %z
            }
            block @no() -> f64 {  ; free %x
              return %x
            }
        "#]],
    );
}

#[test]
fn a_condition_is_known_in_its_arms() {
    check(
        "entry @main
         graph @main(%x: f64, %b: bool) -> f64 {
           %next: fn() -> f64 = select %b, @yes, @no
           %0: f64 = call %next
           return %0
         }
         block @yes() -> f64 {
           %s: f64 = sin %x
           %next1: fn() -> f64 = select %b, @yes1, @no1
           %1: f64 = call %next1
           return %1
         }
         block @yes1() -> f64 {
           %p: f64 = mul %s, 2.0
           return %p
         }
         block @no1() -> f64 {
           %q: f64 = mul %s, 3.0
           return %q
         }
         block @no() -> f64 {
           %r: f64 = float %b
           return %r
         }",
        expect![[r#"
            entry @main
            graph @main(%x: f64, %b: bool) -> f64 {
              %next: fn() -> f64 = select %b, @yes, @no
              %0: f64 = call %next
              return %0
            }
            block @yes() -> f64 {  ; free %x
              %s: f64 = sin %x
              %p: f64 = mul %s, 2.0
              return %p
            }
            block @no() -> f64 {
              return 0.0
            }
        "#]],
    );
}

#[test]
fn constant_arguments_choose_among_large_branches() {
    // `@poly` is too large to be copied, but what is left of it with `false` is not.
    let arm = |name: &str, prim: &str| {
        let lines: Vec<String> = (0..60).map(|i| format!("%{name}{}: f64 = {prim} %{name}{i}, %y", i + 1)).collect();
        format!("block @{name}() -> f64 {{\n%{name}0: f64 = {prim} %y, %y\n{}\nreturn %{name}60\n}}\n", lines.join("\n"))
    };
    let text = format!(
        "entry @main
         graph @main(%x: f64, %c: bool) -> f64 {{
           %p: f64 = call @poly, %x, %c
           %q: f64 = call @poly, %p, false
           return %q
         }}
         graph @poly(%y: f64, %big: bool) -> f64 {{
           %next: fn() -> f64 = select %big, @many, @few
           %0: f64 = call %next
           return %0
         }}
         block @few() -> f64 {{
           %s: f64 = sin %y
           return %s
         }}
         {}",
        arm("many", "mul")
    );
    let (module, _) = simplified(&text, &options());
    // One instance of the large arm is left, and no function but the entry.
    assert!(module.node_count() < 100, "{}", print(&module));
}

/// The Y combinator: `u(u)` must not be unrolled.
#[test]
fn what_is_applied_to_itself_stays() {
    let (module, report) = simplified(
        "entry @main
         graph @main(%x: f64, %n: i64) -> f64 {
           %f: fn(i64) -> f64 = call @u, @u
           %y: f64 = call %f, %n
           return %y
         }
         graph @u(%v: fn(fn) -> fn(i64) -> f64) -> fn(i64) -> f64 {  ; free %x
           return @step
         }
         graph @step(%k: i64) -> f64 {  ; free %v, %x
           %c: bool = gt %k, 0
           %next: fn() -> f64 = select %c, @more, @done
           %0: f64 = call %next
           return %0
         }
         block @more() -> f64 {
           %g: fn(i64) -> f64 = call %v, %v
           %j: i64 = sub %k, 1
           %z: f64 = call %g, %j
           %w: f64 = mul %z, %x
           return %w
         }
         block @done() -> f64 {
           return 1.0
         }",
        &options(),
    );
    assert_eq!(report.total("copied"), 0, "{}", print(&module));
}

#[test]
fn a_growing_chain_of_closures_stays_on_the_heap() {
    // k' = λd. k(d * x): each turn of the loop captures the closure before it.
    let (module, report) = simplified(
        "entry @main
         graph @main(%x: f64, %n: i64) -> f64 {
           %k0: f64 = call @loop, %n, @same
           return %k0
         }
         graph @same(%a: f64) -> f64 {
           return %a
         }
         block @loop(%i: i64, %k: fn(f64) -> f64) -> f64 {
           %c: bool = gt %i, 0
           %next: fn() -> f64 = select %c, @body, @done
           %0: f64 = call %next
           return %0
         }
         block @body() -> f64 {
           %j: i64 = sub %i, 1
           %1: f64 = call @loop, %j, @longer
           return %1
         }
         graph @longer(%d: f64) -> f64 {
           %e: f64 = mul %d, %x
           %2: f64 = call %k, %e
           return %2
         }
         block @done() -> f64 {
           %3: f64 = call %k, 1.0
           return %3
         }",
        &options(),
    );
    assert_eq!(report.total("tags"), 0);
    assert!(has_closures(&module));
}

#[test]
fn a_trap_is_not_added() {
    // The division is executed in one arm only, before and after.
    let (module, _) = simplified(
        "entry @main
         graph @main(%x: i64, %b: bool) -> i64 {
           %y: i64 = call @safe, %x, %b
           %z: i64 = add %y, 1
           return %z
         }
         graph @safe(%d: i64, %c: bool) -> i64 {
           %next: fn() -> i64 = select %c, @yes, @no
           %0: i64 = call %next
           return %0
         }
         block @yes() -> i64 {
           %q: i64 = floor_div 100, %d
           return %q
         }
         block @no() -> i64 {
           return 0
         }",
        &options(),
    );
    let entry = module.entry.expect("an entry");
    let divides = |n: &gradus_ir::Node| n.kind == Kind::Prim(Prim::FloorDiv);
    assert!(module.nodes().all(|(_, n)| !divides(n) || n.graph != Some(entry)), "{}", print(&module));
}

#[test]
fn products_are_rounded_with_sums_by_fast_math() {
    let text = "entry @f
        graph @f(%x: f64, %y: f64, %z: f64) -> (f64, f64, f64, f64) {
          %0: f64 = mul %x, %y
          %1: f64 = add %0, %z
          %2: f64 = mul %y, %z
          %3: f64 = sub %x, %2
          %4: f64 = mul0 %x, %z
          %5: f64 = add %y, %4
          %6: f64 = mul %z, %z
          %7: f64 = add %6, %6
          %t: (f64, f64, f64, f64) = tuple %1, %3, %5, %7
          return %t
        }";
    let mut m = read(text);
    gradus_opt::simplify(&mut m, &Options { math: Math::Fast, ..options() }, &mut Default::default());
    let count = |prim: &str| print(&m).matches(&format!("= {prim} ")).count();
    // The product that two sums would use is computed once.
    let fused = gradus_ir::elementary::fused();
    assert_eq!((count("fma"), count("mul")), if fused { (2, 1) } else { (0, 3) }, "{}", print(&m));
    assert_eq!(count("mul0"), 1, "{}", print(&m));
}

#[test]
fn divisions_by_one_number_share_its_reciprocal_by_fast_math() {
    let text = "entry @f
        graph @f(%x: f64, %y: f64, %z: f64) -> (f64, f64, f64) {
          %0: f64 = div %x, %z
          %1: f64 = div %y, %z
          %2: f64 = div %z, %y
          %t: (f64, f64, f64) = tuple %0, %1, %2
          return %t
        }";
    let mut m = read(text);
    gradus_opt::simplify(&mut m, &Options { math: Math::Fast, ..options() }, &mut Default::default());
    let count = |prim: &str| print(&m).matches(&format!("= {prim} ")).count();
    assert_eq!((count("div"), count("mul")), (2, 2), "{}", print(&m));
}

#[test]
fn a_sum_of_a_product_of_matrices_is_a_product_with_a_sum_by_fast_math() {
    let text = |sum: &str, result: &str| {
        format!(
            "entry @f
             graph @f(%a: f64[2, 3, 4], %b: f64[2, 4, 5]) -> f64[{sum}] {{
               %0: f64[2, 3, 5] = matmul %a, %b
               %1: f64[2, 3, 5] = neg %0
               %2: f64[{sum}] = sum_to<{sum}> {result}
               return %2
             }}"
        )
    };
    for (sum, result, sums) in [("2, 3, 1", "%1", 1), ("2, 1, 5", "%0", 1), ("2, 1, 1", "%1", 2), ("1, 3, 5", "%0", 0)] {
        let before = read(&text(sum, result));
        let mut after = before.clone();
        let options = Options { math: Math::Fast, ..options() };
        let report = gradus_opt::simplify(&mut after, &options, &mut Default::default());
        let text = print(&after);
        assert_eq!(report.total("summed factors"), usize::from(sums > 0), "{text}");
        assert_eq!(text.matches("= sum_to<").count(), sums.max(1), "{text}");
        for args in common::samples(&before) {
            let [expected, found] = [&before, &after].map(|m| {
                let Ok(Value::Array(array)) = Interp::new(m).expect("compiles").run(&args) else { panic!("an array") };
                array.floats().expect("floats").to_vec()
            });
            // Sums of such numbers are exact.
            assert_eq!(expected, found, "{text}");
        }
    }
}

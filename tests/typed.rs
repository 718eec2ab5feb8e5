//! Functions as Rust types see them.

use gradus::{Argument, Backend, Closures, Engine, Error, Mode, Options, Plan, Program, Request, Source, Strategy, Type, Value};
use ndarray::{Array0, Array1, Array2, ArrayD, array, s};
use num_complex::Complex64;

const PROGRAM: &str = "
import math
import numpy as np
def scaled(x, n, p): return x * n * p[0] if p[1] else math.sin(x)
def swap(a, b, c): return c, b, a
def power(x, n):
    r = 1.0
    for i in range(n):
        r = r * x
    return r
def rows(x, n):
    r = np.zeros(n + 1)
    for i in range(n):
        r[i + 1] = r[i] * x + x
    return r.sum()
def remainder(n, k): return n % k
def large(n): return n + 2 ** 40
def affine(w, x, b): return w @ x + b
def energy(x, n): return 0.5 * (x * x).sum() * n
def same(x): return x
def positive(x): return x > 0.0, len(x)
";

fn programs() -> [Program; 2] {
    [Backend::Jit, Backend::Interp].map(|backend| {
        let engine = Engine::new(Options { backend, ..Options::default() });
        engine.parse(Source::new("typed.py", PROGRAM)).expect("correct Python")
    })
}

#[test]
fn values_and_gradients() {
    for program in programs() {
        let scaled = program.function("scaled").expect("a function");
        let value = scaled.native::<(f64, i32, (f64, bool)), f64>(&Request::Value).expect("a value");
        assert_eq!(value.call((2.0, 3, (4.0, true))).expect("a value"), 24.0);
        assert_eq!(value.call((2.0, 3, (4.0, false))).expect("a value"), 2.0_f64.sin());
        type Gradient = (f64, (f64, (), (f64, ())));
        for request in [Request::Gradient(vec![0, 2]), Request::Reverse(vec![0, 2]), Request::Forward(vec![0, 2], None)] {
            let gradient = scaled.native::<(f64, i64, (f64, bool)), Gradient>(&request).expect("a gradient");
            assert_eq!(gradient.call((2.0, 3, (4.0, true))).expect("a gradient"), (24.0, (12.0, (), (6.0, ()))));
        }
    }
}

#[test]
fn a_mode_is_chosen_where_neither_it_nor_a_strategy_is_named() {
    for program in programs() {
        let power = program.function("power").expect("a function");
        let types = [Type::F64, Type::I64];
        let chosen = power.compile(&types, &Request::Gradient(vec![0])).expect("a gradient");
        assert_eq!(chosen.report().mode.as_ref().map(|d| d.mode), Some(Mode::Forward));
        assert_eq!((chosen.request(), &chosen.report().strategies()[..]), (&Request::Forward(vec![0], None), &[][..]));
        let named = power.compile(&types, &Request::Reverse(vec![0])).expect("a gradient");
        assert_eq!((&named.report().mode, &named.report().strategies()[..]), (&None, &["stack"][..]));
        let by_name = Plan { functions: [("power".into(), Strategy::Closure)].into(), ..Plan::default() };
        for (plan, strategy) in [(by_name, "closure"), (Strategy::Stack.into(), "stack")] {
            let power = power.with(Options { plan, ..power.options().clone() });
            let named = power.compile(&types, &Request::Gradient(vec![0])).expect("a gradient");
            assert_eq!((named.request(), &named.report().mode), (&Request::Reverse(vec![0]), &None));
            assert_eq!(named.report().strategies(), [strategy]);
        }
    }
}

#[test]
fn a_shape_that_depends_on_an_argument() {
    for program in programs() {
        let rows = program.function("rows").expect("a function");
        // The mode is forward; x + (x² + x) + (x³ + x² + x) and its derivative.
        let answer: (f64, (f64, ())) = rows.value_and_grad((2.0, 3)).expect("a gradient");
        assert_eq!(answer, (22.0, (23.0, ())));
        let answer: (f64, f64) = rows.jvp((2.0, 3), (1.0, ())).expect("a tangent");
        assert_eq!(answer, (22.0, 23.0));
    }
}

#[test]
fn more_words_than_a_call_has_room_for() {
    type Eight = (f64, f64, f64, f64, f64, f64, f64, f64);
    for program in programs() {
        let swap = program.function("swap").expect("a function");
        let (a, b, c) = ((1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0), (-1.0, -2.0, -3.0, -4.0, -5.0, -6.0, -7.0, -8.0), 0.5);
        let swap = swap.native::<(Eight, Eight, f64), (f64, Eight, Eight)>(&Request::Value).expect("tuples");
        assert_eq!(swap.call((a, b, c)).expect("tuples"), (c, b, a));
    }
}

#[test]
fn arrays_are_tuples() {
    for program in programs() {
        let swap = program.function("swap").expect("a function");
        let matrix = [[1.0, 2.0], [3.0, 4.0]];
        let typed = swap.native::<([[f64; 2]; 2], [(); 0], [bool; 2]), ((bool, bool), [(); 0], [(f64, f64); 2])>(&Request::Value);
        let (flags, none, rows) = typed.expect("tuples").call((matrix, [], [true, false])).expect("tuples");
        assert_eq!((flags, none, rows), ((true, false), [], [(1.0, 2.0), (3.0, 4.0)]));
        assert!(swap.native::<([f64; 2], f64, f64), (f64, f64, [f64; 3])>(&Request::Value).is_err());
    }
}

#[test]
fn arrays_of_ndarray() {
    for program in programs() {
        let affine = program.function("affine").expect("a function");
        let (w, x) = (array![[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], array![1.0, -1.0]);
        let y: Array1<f64> = affine.call((&w, &x, 0.5)).expect("an array");
        assert_eq!(y, array![-0.5, -0.5, -0.5]);
        // Views: reversed, every other row, transposed, a part of an array that was sliced in place.
        let y: Array1<f64> = affine.call((w.slice(s![..;2, ..]), x.slice(s![..;-1]), &array![0.0, 1.0])).expect("an array");
        assert_eq!(y, array![1.0, 2.0]);
        let y: ArrayD<f64> = affine.call((w.t(), array![1.0, 0.0, 1.0].view(), 0.0)).expect("an array");
        assert_eq!(y, array![6.0, 8.0].into_dyn());
        let mut rows = w.clone();
        rows.slice_collapse(s![1..2, ..]);
        let y: Array1<f64> = affine.call((rows, x.clone(), 0.0)).expect("an array");
        assert_eq!(y, array![-1.0]);

        let energy = program.function("energy").expect("a function");
        let (value, (dx, ())): (f64, (Array2<f64>, ())) = energy.value_and_grad((&w, 2)).expect("a gradient");
        assert_eq!((value, dx), (91.0, 2.0 * &w));
        let narrow = w.mapv(|v| v as f32);
        let (value, (dx, ())): (f64, (Array2<f32>, ())) = energy.value_and_grad((&narrow, 2)).expect("a gradient of 32 bits");
        assert_eq!((value, dx), (91.0, 2.0 * &narrow));
        let (dx, dn): (ArrayD<f64>, f64) = energy.grad((w.t(), 1.0)).expect("a gradient");
        assert_eq!((dx, dn), (w.t().to_owned().into_dyn(), 45.5));
        assert_eq!(energy.wrt(&[1]).grad::<((), f64)>((&w, 1.0)).expect("a gradient").1, 45.5);
        assert!(matches!(energy.wrt(&[2]).grad::<Value>((&w, 1.0)), Err(Error::Arguments(_))));
        assert!(matches!(energy.wrt(&[1]).grad::<Value>((&w, 1)), Err(Error::Arguments(_))));
        let (value, tangent): (f64, f64) = energy.jvp((&x, 1), (array![1.0, 0.0], ())).expect("a tangent");
        assert_eq!((value, tangent), (1.0, 1.0));
    }
}

#[test]
fn elements_and_axes_of_arrays() {
    for program in programs() {
        let same = program.function("same").expect("a function");
        assert_eq!(same.call::<Array2<i64>>(array![[1, -2]]).expect("integers"), array![[1, -2]]);
        assert_eq!(same.call::<Array1<bool>>(&array![true, false]).expect("booleans"), array![true, false]);
        assert_eq!(same.call::<Array1<f32>>(&array![0.1_f32, 2.0]).expect("floats of 32 bits"), array![0.1_f32, 2.0]);
        assert_eq!(same.call::<Array2<f64>>(Array2::<f64>::zeros((0, 3))).expect("no elements").dim(), (0, 3));
        // Without axes it is a scalar, as in NumPy.
        assert_eq!(same.call::<f64>(ndarray::arr0(2.5)).expect("a number"), 2.5);
        assert_eq!(same.call::<Array0<f64>>(2.5).expect("an array"), ndarray::arr0(2.5));
        let (flags, n): (Array1<bool>, i64) =
            program.function("positive").expect("a function").call(array![1.0, -1.0]).expect("both");
        assert_eq!((flags, n), (array![true, false], 2));

        let misfit = |e: Error| assert!(matches!(&e, Error::Arguments(m) if m.contains("float")), "{e}");
        misfit(same.call::<Array1<f64>>(array![[1.0]]).expect_err("two axes"));
        misfit(same.call::<Array2<i64>>(array![[1.0]]).expect_err("floats"));
        misfit(same.call::<f64>(array![1.0]).expect_err("an array"));
    }
}

/// An array that is given away is not copied to become a value, nor is a result that nobody else has.
#[test]
fn arrays_move() {
    let x = Array1::from_elem(1000, 1.0);
    let start = x.as_ptr();
    let value = x.into_value();
    let Value::Array(array) = &value else { panic!("{value}") };
    assert_eq!(array.floats().map(|floats| floats.as_ptr()), Some(start));

    let program = Engine::default().parse(Source::new("typed.py", PROGRAM)).expect("correct Python");
    let energy = program.function("energy").expect("a function");
    let x = Array1::from_elem(100_000, 1.0);
    let call = || energy.grad::<(Array1<f64>, ())>((&x, 1)).expect("a gradient");
    call();
    let bytes = allocation_counter::measure(|| drop(call())).bytes_max;
    // The view as a value, that value in the memory of the run, the gradient there and as a result.
    assert!(bytes < 4 * 800_000 + 100_000, "{bytes} bytes");
}

#[test]
fn types_that_do_not_fit() {
    for program in programs() {
        let scaled = program.function("scaled").expect("a function");
        let refused = |e: Error| assert!(matches!(e, Error::Arguments(_)), "{e}");
        refused(scaled.native::<f64, f64>(&Request::Value).expect_err("arguments are a tuple"));
        refused(scaled.native::<(f64, i64, (f64, bool)), i64>(&Request::Value).expect_err("the result is a float"));
        assert!(scaled.native::<(f64, i64), f64>(&Request::Value).is_err(), "there are three arguments");
    }
}

#[test]
fn traps_and_ranges() {
    for program in programs() {
        let remainder = program.function("remainder").expect("a function");
        let remainder = remainder.native::<(i64, i64), i64>(&Request::Value).expect("a function of ints");
        assert_eq!(remainder.call((7, 4)).expect("a value"), 3);
        assert!(matches!(remainder.call((7, 0)), Err(Error::Trap(_))));
        assert_eq!(remainder.call((-7, 4)).expect("a trap leaves nothing behind"), 1);
        let large = program.function("large").expect("a function").native::<(i64,), i32>(&Request::Value).expect("ints");
        assert!(matches!(large.call((1,)), Err(Error::Arguments(_))));
    }
}

#[test]
fn calls_from_one_thread_keep_their_memory_apart() {
    for program in programs() {
        let power = program.function("power").expect("a function");
        let gradient = power.native::<(f64, i64), (f64, (f64, ()))>(&Request::Gradient(vec![0])).expect("a gradient");
        let clone = gradient.clone();
        for n in [0, 1, 1000, 3, 100_000, 7] {
            let x = 1.0 + 1e-5_f64;
            let exact = f64::from(n) * x.powi(n - 1);
            for gradient in [&gradient, &clone] {
                let (_, (dx, ())) = gradient.call((x, n.into())).expect("a gradient");
                assert!((dx - exact).abs() <= 1e-9 * exact, "{n}: {dx}, not {exact}");
            }
        }
    }
}

#[test]
fn a_second_call_allocates_nothing() {
    for (strategy, closures) in
        [(Strategy::Stack, Closures::Tapes), (Strategy::Closure, Closures::Tapes), (Strategy::Closure, Closures::Objects)]
    {
        let engine = Engine::new(Options { plan: strategy.into(), closures, ..Options::default() });
        let power = engine.parse(Source::new("typed.py", PROGRAM)).and_then(|p| p.function("power")).expect("a program");
        let gradient = power.native::<(f64, i64), (f64, (f64, ()))>(&Request::Reverse(vec![0])).expect("a gradient");
        let call = || gradient.call((1.001, 1000)).expect("an answer");
        let first = call();
        let allocations = allocation_counter::measure(|| assert_eq!(call(), first));
        assert_eq!(allocations.count_total, 0, "{strategy:?}, {closures:?}");
    }
}

#[test]
fn complex_numbers() {
    let program = "
import cmath
def abs2(z): return abs(z) ** 2
def rotated(z, t): return z * cmath.exp(1j * t)
def both(z, x): return abs(z) * x, (z.conjugate(), x)
";
    let z = Complex64::new(1.5, -2.0);
    for backend in [Backend::Jit, Backend::Interp] {
        let engine = Engine::new(Options { backend, ..Options::default() });
        let program = engine.parse(Source::new("complex.py", program)).expect("parses");
        let function = |name| program.function(name).expect("a function");
        // The direction of steepest ascent.
        let (value, (gradient,)): (f64, (Complex64,)) = function("abs2").value_and_grad(z).expect("a gradient");
        assert!((value - z.norm_sqr()).abs() < 1e-14 && (gradient - 2.0 * z).norm() < 1e-14);
        let turned: Complex64 = function("rotated").call((z, 0.5)).expect("a value");
        assert!((turned - z * Complex64::from_polar(1.0, 0.5)).norm() < 1e-14);
        let (size, (conjugate, x)): (f64, (Complex64, f64)) = function("both").call((z, 2.0)).expect("a value");
        assert_eq!((size, conjugate, x), (5.0, z.conj(), 2.0));
        let (value, tangent): (Complex64, Complex64) =
            function("rotated").jvp((z, 0.5), (Complex64::new(0.0, 1.0), 0.0)).expect("a tangent");
        assert!((tangent * z - value * Complex64::i()).norm() < 1e-14);
    }
}

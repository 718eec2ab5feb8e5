//! Functions as Rust types see them.

use gradus::{
    Argument, Backend, Closures, Constant, Engine, Error, Mode, Options, Plan, Program, Record, Request, Source, Static,
    Strategy, Type, Typed, Value, to_value,
};
use ndarray::{Array0, Array1, Array2, ArrayD, array, s};
use num_complex::Complex64;
use rayon::prelude::*;

const PROGRAM: &str = "
import math
import numpy as np
from dataclasses import dataclass

@dataclass(frozen=True)
class Spring:
    stiffness: float
    turns: int
    ends: tuple

def scaled(x, n, p): return x * n * p[0] if p[1] else math.sin(x)
def swap(a, b, c): return c, b, a
def chain(x, *rest):
    for y in rest:
        x = x * y + y
    return x
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
def affine(w, x, b): return w @ x + b
def energy(x, n): return 0.5 * (x * x).sum() * n
def same(x): return x
def positive(x): return x > 0.0, len(x)
def stretched(s, x): return s.stiffness * x * s.turns + s.ends[0] * s.ends[1]
def loosened(s, x): return Spring(s.stiffness * x, s.turns + 1, s.ends)
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
        type Scaled = (f64, i64, (f64, bool));
        let value = scaled.typed::<Scaled, f64>().expect("a value");
        assert_eq!(value.call((2.0, 3, (4.0, true))).expect("a value"), 24.0);
        assert_eq!(value.call((2.0, 3, (4.0, false))).expect("a value"), 2.0_f64.sin());
        let gradient = (12.0, (), (6.0, ()));
        assert_eq!(scaled.grad::<Scaled>().and_then(|g| g.call((2.0, 3, (4.0, true)))).expect("a gradient"), gradient);
        let both = scaled.value_and_grad::<Scaled>().expect("a gradient");
        assert_eq!(both.call((2.0, 3, (4.0, true))).expect("a gradient"), (24.0, gradient));
        for request in [Request::Reverse(vec![0, 2]), Request::Forward(vec![0, 2], None)] {
            let both = scaled.request::<Scaled, (f64, (f64, (), (f64, ())))>(request).expect("a gradient");
            assert_eq!(both.call((2.0, 3, (4.0, true))).expect("a gradient"), (24.0, gradient));
        }
        let tangent = scaled.jvp::<Scaled, f64>().expect("a tangent");
        assert_eq!(tangent.call(((2.0, 3, (4.0, true)), (1.0, (), (0.5, ())))).expect("a tangent"), (24.0, 15.0));
        // What is constant has no gradient, nor has an argument without floats.
        let gradient = scaled.grad::<(Constant<f64>, i64, (f64, bool))>().expect("a gradient");
        assert_eq!(gradient.call((2.0, 3, (4.0, true))).expect("a gradient"), ((), (), (6.0, ())));
        let swap = program.function("swap").expect("a function");
        let tangents = swap.jvp::<(f64, (i64, bool), i64), (i64, (i64, bool), f64)>().expect("tangents");
        let answer = tangents.call(((2.0, (1, true), 3), (1.0, ((), ()), ()))).expect("tangents");
        assert_eq!(answer, ((3, (1, true), 2.0), ((), ((), ()), 1.0)));
    }
}

#[test]
fn arguments_that_one_parameter_takes() {
    for program in programs() {
        let chain = program.function("chain").expect("a function");
        assert_eq!(chain.argument_names(3), ["x", "rest_0", "rest_1"]);
        assert_eq!(chain.typed::<f64, f64>().and_then(|f| f.call(2.0)).expect("a value"), 2.0);
        // (x y + y) z + z
        let both = chain.value_and_grad::<(f64, f64, i64)>().expect("a gradient");
        assert_eq!(both.call((2.0, 3.0, 4)).expect("a gradient"), (40.0, (12.0, 12.0, ())));
        let tangent = chain.jvp::<(f64, f64, i64), f64>().expect("a tangent");
        assert_eq!(tangent.call(((2.0, 3.0, 4), (1.0, 0.5, ()))).expect("a tangent"), (40.0, 18.0));
        assert!(chain.typed::<(), f64>().is_err_and(|e| e.to_string().contains("takes 1 or more arguments, 0 are given")));
    }
}

#[test]
fn one_argument_needs_no_tuple() {
    for program in programs() {
        let same = program.function("same").expect("a function");
        assert_eq!(same.grad::<f64>().and_then(|g| g.call(0.5)).expect("a gradient"), 1.0);
        assert_eq!(same.value_and_grad::<f64>().and_then(|g| g.call(0.5)).expect("a gradient"), (0.5, 1.0));
        assert_eq!(same.jvp::<f64, f64>().and_then(|g| g.call((0.5, 3.0))).expect("a tangent"), (0.5, 3.0));
        assert_eq!(same.grad::<(f64,)>().and_then(|g| g.call((0.5,))).expect("a gradient"), (1.0,));
        assert_eq!(same.typed::<Vec<f64>, Vec<f64>>().and_then(|f| f.call([0.5, 1.0])).expect("a vector"), [0.5, 1.0]);
    }
}

#[test]
fn a_mode_is_chosen_where_neither_it_nor_a_strategy_is_named() {
    for program in programs() {
        let power = program.function("power").expect("a function");
        let chosen = power.grad::<(f64, i64)>().and_then(|g| g.compiled((1.0, 1))).expect("a gradient");
        assert_eq!(chosen.report().mode.as_ref().map(|d| d.mode), Some(Mode::Forward));
        assert_eq!((chosen.request(), &chosen.report().strategies()[..]), (&Request::Forward(vec![0], None), &[][..]));
        let types = [Type::F64, Type::I64];
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
        let both = rows.value_and_grad::<(f64, Static<i64>)>().expect("a gradient");
        for (n, answer) in [(3, (22.0, 23.0)), (1, (2.0, 1.0)), (3, (22.0, 23.0)), (2, (8.0, 6.0))] {
            let (value, (dx, ())) = both.call((2.0, n)).expect("a gradient");
            assert_eq!((value, dx), answer);
        }
        let tangent = rows.jvp::<(f64, Static<i64>), f64>().expect("a tangent");
        assert_eq!(tangent.call(((2.0, 3), (1.0, ()))).expect("a tangent"), (22.0, 23.0));
        assert!(rows.typed::<(f64, i64), f64>().is_err(), "the shape is not known");
        let answer = rows.run(&Request::Value, &[Value::F64(2.0), Value::I64(3)]).expect("values say it");
        assert!(answer.same_bits(&Value::F64(22.0)), "{answer}");
    }
}

#[test]
fn more_words_than_a_call_has_room_for() {
    type Eight = (f64, f64, f64, f64, f64, f64, f64, f64);
    for program in programs() {
        let swap = program.function("swap").expect("a function");
        let (a, b, c) = ((1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0), (-1.0, -2.0, -3.0, -4.0, -5.0, -6.0, -7.0, -8.0), 0.5);
        let swap = swap.typed::<(Eight, Eight, f64), (f64, Eight, Eight)>().expect("tuples");
        assert_eq!(swap.call((a, b, c)).expect("tuples"), (c, b, a));
    }
}

#[test]
fn arrays_of_rust_are_tuples() {
    for program in programs() {
        let swap = program.function("swap").expect("a function");
        let matrix = [[1.0, 2.0], [3.0, 4.0]];
        let typed = swap.typed::<([[f64; 2]; 2], [(); 0], [bool; 2]), ((bool, bool), [(); 0], [(f64, f64); 2])>();
        let (flags, none, rows) = typed.expect("tuples").call((matrix, [(); 0], [true, false])).expect("tuples");
        assert_eq!((flags, none, rows), ((true, false), [], [(1.0, 2.0), (3.0, 4.0)]));
        assert!(swap.typed::<([f64; 2], f64, f64), (f64, f64, [f64; 3])>().is_err());
    }
}

#[test]
fn arrays_of_ndarray() {
    for program in programs() {
        let affine = program.function("affine").expect("a function");
        let (w, x) = (array![[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], array![1.0, -1.0]);
        let y = affine.typed::<(Array2<f64>, Array1<f64>, f64), Array1<f64>>().expect("an array");
        assert_eq!(y.call((&w, &x, 0.5)).expect("an array"), array![-0.5, -0.5, -0.5]);
        // Views: reversed, every other row, transposed, a part of an array that was sliced in place.
        let y = affine.typed::<(Array2<f64>, Array1<f64>, Vec<f64>), Vec<f64>>().expect("a vector");
        assert_eq!(y.call((w.slice(s![..;2, ..]), x.slice(s![..;-1]), &[0.0, 1.0])).expect("a vector"), [1.0, 2.0]);
        let y = affine.typed::<(ArrayD<f64>, ArrayD<f64>, f64), ArrayD<f64>>().expect("an array");
        let one = array![1.0, 0.0, 1.0].into_dyn();
        assert_eq!(y.call((w.t().into_dyn(), one.view(), 0.0)).expect("an array"), array![6.0, 8.0].into_dyn());
        let mut rows = w.clone();
        rows.slice_collapse(s![1..2, ..]);
        let y = y.call((rows.into_dyn(), x.clone().into_dyn(), 0.0)).expect("an array");
        assert_eq!(y, array![-1.0].into_dyn());

        let energy = program.function("energy").expect("a function");
        let both = energy.value_and_grad::<(Array2<f64>, i64)>().expect("a gradient");
        assert_eq!(both.call((&w, 2)).expect("a gradient"), (91.0, (2.0 * &w, ())));
        let narrow = w.mapv(|v| v as f32);
        let both = energy.value_and_grad::<(Array2<f32>, i64)>().expect("a gradient of 32 bits");
        assert_eq!(both.call((&narrow, 2)).expect("a gradient of 32 bits"), (91.0, (2.0 * &narrow, ())));
        let gradient = energy.grad::<(ArrayD<f64>, f64)>().expect("a gradient");
        let (dx, dn) = gradient.call((w.t().into_dyn(), 1.0)).expect("a gradient");
        assert_eq!((dx, dn), (w.t().to_owned().into_dyn(), 45.5));
        let gradient = energy.grad::<(Constant<Array2<f64>>, f64)>().expect("a gradient");
        assert_eq!(gradient.call((&w, 1.0)).expect("a gradient"), ((), 45.5));
        let tangent = energy.jvp::<(Array1<f64>, i64), f64>().expect("a tangent");
        assert_eq!(tangent.call(((&x, 1), (array![1.0, 0.0], ()))).expect("a tangent"), (1.0, 1.0));
        assert!(tangent.call(((&x, 1), (array![1.0], ()))).is_err(), "a tangent of another shape");
    }
}

#[test]
fn elements_and_axes_of_arrays() {
    fn echo<T: gradus::Args + Argument<T>>(program: &Program, x: T) -> T {
        program.function("same").and_then(|same| same.typed::<T, T>()).expect("a function").call(x).expect("an array")
    }
    for program in programs() {
        assert_eq!(echo(&program, array![[1_i64, -2]]), array![[1, -2]]);
        assert_eq!(echo(&program, array![true, false]), array![true, false]);
        assert_eq!(echo(&program, array![0.1_f32, 2.0]), array![0.1_f32, 2.0]);
        assert_eq!(echo(&program, Array2::<f64>::zeros((0, 3))).dim(), (0, 3));
        assert_eq!(echo(&program, vec![true, false]), [true, false]);
        // Without axes it is a scalar, as in NumPy.
        assert_eq!(echo(&program, ndarray::arr0(2.5)), ndarray::arr0(2.5));
        assert_eq!(echo(&program, ndarray::arr0(7_i64).into_dyn()), ndarray::arr0(7).into_dyn());
        let same = program.function("same").expect("a function");
        assert_eq!(same.typed::<Array0<f64>, f64>().and_then(|f| f.call(ndarray::arr0(2.5))).expect("a number"), 2.5);
        assert_eq!(same.typed::<f64, Array0<f64>>().and_then(|f| f.call(2.5)).expect("an array"), ndarray::arr0(2.5));
        let positive = program.function("positive").expect("a function").typed::<Array1<f64>, (Array1<bool>, i64)>();
        assert_eq!(positive.and_then(|f| f.call(array![1.0, -1.0])).expect("both"), (array![true, false], 2));

        let misfit = |e: Error| assert!(matches!(&e, Error::Arguments(m) if m.contains("float")), "{e}");
        misfit(same.typed::<Array2<f64>, Array1<f64>>().and_then(|f| f.call(array![[1.0]])).expect_err("two axes"));
        misfit(same.typed::<Array2<f64>, Array2<i64>>().and_then(|f| f.call(array![[1.0]])).expect_err("floats"));
        misfit(same.typed::<Vec<f64>, f64>().and_then(|f| f.call([1.0])).expect_err("an array"));
    }
}

/// One callable serves arrays of all sizes, each compiled once.
#[test]
fn sizes_are_compiled_when_they_come() {
    for program in programs() {
        let energy = program.function("energy").expect("a function").grad::<(Vec<f64>, i64)>().expect("a gradient");
        for n in [3, 1, 3, 0, 2, 1] {
            let x: Vec<f64> = (0..n).map(f64::from).collect();
            assert_eq!(energy.call((&x, 1)).expect("a gradient"), (x, ()));
        }
        let [first, again] = [(); 2].map(|()| energy.compiled((&[1.0, 2.0], 1)).expect("a gradient"));
        assert!(std::sync::Arc::ptr_eq(&first, &again));
    }
}

/// An array is copied into the memory of the run and out of it.
#[test]
fn arrays_are_copied_once() {
    let program = Engine::default().parse(Source::new("typed.py", PROGRAM)).expect("correct Python");
    let energy = program.function("energy").expect("a function").grad::<(Array1<f64>, i64)>().expect("a gradient");
    let x = Array1::from_elem(100_000, 1.0);
    let call = || energy.call((&x, 1)).expect("a gradient");
    call();
    let bytes = allocation_counter::measure(|| drop(call())).bytes_max;
    // The argument in the memory of the run, the gradient there and as a result.
    assert!(bytes < 3 * 800_000 + 10_000, "{bytes} bytes");
}

#[derive(Clone, PartialEq, Debug)]
struct Spring {
    stiffness: f64,
    turns: i64,
    ends: Vec<f64>,
}

impl Record for Spring {
    const NAME: &'static str = "Spring";
    const FIELDS: &'static [&'static str] = &["stiffness", "turns", "ends"];
    type Fields = (f64, i64, Vec<f64>);
    type Gradient = SpringGradient;
    fn fields(&self) -> impl Argument<Self::Fields> {
        (self.stiffness, self.turns, &self.ends)
    }
    fn from_fields((stiffness, turns, ends): Self::Fields) -> Spring {
        Spring { stiffness, turns, ends }
    }
}

#[derive(Clone, PartialEq, Debug)]
struct SpringGradient {
    stiffness: f64,
    ends: Vec<f64>,
}

impl Record for SpringGradient {
    const NAME: &'static str = "Spring";
    const FIELDS: &'static [&'static str] = &["stiffness", "turns", "ends"];
    type Fields = (f64, (), Vec<f64>);
    type Gradient = SpringGradient;
    fn fields(&self) -> impl Argument<Self::Fields> {
        (self.stiffness, (), &self.ends)
    }
    fn from_fields((stiffness, (), ends): Self::Fields) -> SpringGradient {
        SpringGradient { stiffness, ends }
    }
}

#[test]
fn structs_are_instances() {
    for program in programs() {
        let function = |name| program.function(name).expect("a function");
        let spring = Spring { stiffness: 2.0, turns: 3, ends: vec![0.5, 4.0] };
        let both = function("stretched").value_and_grad::<(Spring, f64)>().expect("a gradient");
        let (y, (ds, dx)) = both.call((&spring, 5.0)).expect("a gradient");
        assert_eq!((y, ds, dx), (32.0, SpringGradient { stiffness: 15.0, ends: vec![4.0, 0.5] }, 6.0));
        let loosened = function("loosened").typed::<(Spring, f64), Spring>().expect("a struct");
        let answer = loosened.call((spring.clone(), 2.0)).expect("a struct");
        assert_eq!(answer, Spring { stiffness: 4.0, turns: 4, ends: vec![0.5, 4.0] });
        let tangent = function("loosened").jvp::<(Spring, f64), Spring>().expect("a tangent");
        let along = SpringGradient { stiffness: 1.0, ends: vec![0.0, 1.0] };
        let (_, moved) = tangent.call(((&spring, 2.0), (along, 0.0))).expect("a tangent");
        assert_eq!(moved, SpringGradient { stiffness: 2.0, ends: vec![0.0, 1.0] });
    }
}

struct Other(f64);

impl Record for Other {
    const NAME: &'static str = "Spring";
    const FIELDS: &'static [&'static str] = &["ends"];
    type Fields = (f64,);
    type Gradient = Other;
    fn fields(&self) -> impl Argument<Self::Fields> {
        (self.0,)
    }
    fn from_fields((ends,): Self::Fields) -> Other {
        Other(ends)
    }
}

#[test]
fn types_that_do_not_fit() {
    for program in programs() {
        let scaled = program.function("scaled").expect("a function");
        let refused = |e: Error| assert!(matches!(e, Error::Arguments(_)), "{e}");
        refused(scaled.typed::<(f64, i64, (f64, bool)), i64>().expect_err("the result is a float"));
        refused(scaled.request::<(f64,), f64>(Request::Pullback(vec![0], Type::F64)).expect_err("a cotangent"));
        assert!(scaled.typed::<(f64, i64), f64>().is_err(), "there are three arguments");
        let same = program.function("same").expect("a function");
        refused(same.typed::<Other, Other>().expect_err("the class has other fields"));
        assert!(matches!(same.grad::<i64>(), Err(Error::Arguments(_))), "an int has no gradient");
    }
}

#[test]
fn traps() {
    for program in programs() {
        let remainder = program.function("remainder").expect("a function");
        let remainder = remainder.typed::<(i64, i64), i64>().expect("a function of ints");
        assert_eq!(remainder.call((7, 4)).expect("a value"), 3);
        assert!(matches!(remainder.call((7, 0)), Err(Error::Trap(_))));
        assert_eq!(remainder.call((-7, 4)).expect("a trap leaves nothing behind"), 1);
    }
}

#[test]
fn calls_from_one_thread_keep_their_memory_apart() {
    for program in programs() {
        let power = program.function("power").expect("a function");
        let gradient = power.grad::<(f64, i64)>().expect("a gradient");
        let clone = gradient.clone();
        for n in [0, 1, 1000, 3, 100_000, 7] {
            let x = 1.0 + 1e-5_f64;
            let exact = f64::from(n) * x.powi(n - 1);
            for gradient in [&gradient, &clone] {
                let (dx, ()) = gradient.call((x, n)).expect("a gradient");
                assert!((dx - exact).abs() <= 1e-9 * exact, "{n}: {dx}, not {exact}");
            }
        }
    }
}

/// Tasks of rayon, some of which are the first to need code of their size.
#[test]
fn callables_are_shared_by_threads() {
    fn shared<T: Send + Sync + Clone>(_: &T) {}
    let pool = rayon::ThreadPoolBuilder::new().num_threads(4).build().expect("threads");
    for strategy in [Strategy::Stack, Strategy::Closure] {
        let engine = Engine::new(Options { plan: strategy.into(), ..Options::default() });
        let program = engine.parse(Source::new("typed.py", PROGRAM)).expect("correct Python");
        let power = program.function("power").expect("a function").grad::<(f64, i64)>().expect("a gradient");
        let energy: Typed<(Vec<f64>, f64), (Vec<f64>, f64)> =
            program.function("energy").expect("a function").grad().expect("a gradient");
        shared(&power);
        shared(&energy);
        pool.install(|| {
            (0..400).into_par_iter().for_each(|i| {
                let (x, n) = (1.0 + 1e-3 * f64::from(i), i % 7);
                let (dx, ()) = power.call((x, n)).expect("a gradient");
                assert!((dx - f64::from(n) * x.powi(n - 1)).abs() <= 1e-12 * dx.abs());
                let v = vec![x; n as usize];
                let (dv, _) = energy.call((&v, 1.0)).expect("a gradient");
                assert_eq!(dv, v);
            });
        });
    }
}

#[test]
fn a_second_call_allocates_nothing() {
    for (strategy, closures) in
        [(Strategy::Stack, Closures::Tapes), (Strategy::Closure, Closures::Tapes), (Strategy::Closure, Closures::Objects)]
    {
        let engine = Engine::new(Options { plan: strategy.into(), closures, ..Options::default() });
        let power = engine.parse(Source::new("typed.py", PROGRAM)).and_then(|p| p.function("power")).expect("a program");
        let gradient = power.grad::<(f64, i64)>().expect("a gradient");
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
        let (value, gradient) = function("abs2").value_and_grad::<Complex64>().and_then(|g| g.call(z)).expect("a gradient");
        assert!((value - z.norm_sqr()).abs() < 1e-14 && (gradient - 2.0 * z).norm() < 1e-14);
        let turned = function("rotated").typed::<(Complex64, f64), Complex64>().and_then(|f| f.call((z, 0.5)));
        assert!((turned.expect("a value") - z * Complex64::from_polar(1.0, 0.5)).norm() < 1e-14);
        let both = function("both").typed::<(Complex64, f64), (f64, (Complex64, f64))>();
        assert_eq!(both.and_then(|f| f.call((z, 2.0))).expect("a value"), (5.0, (z.conj(), 2.0)));
        let tangent = function("rotated").jvp::<(Complex64, f64), Complex64>().expect("a tangent");
        let (value, tangent) = tangent.call(((z, 0.5), (Complex64::new(0.0, 1.0), 0.0))).expect("a tangent");
        assert!((tangent * z - value * Complex64::i()).norm() < 1e-14);
    }
}

#[test]
fn values() {
    let spring = Spring { stiffness: 2.0, turns: 3, ends: vec![0.5, 4.0] };
    let value = to_value::<(Spring, Array2<bool>, Static<i64>, ())>((&spring, array![[true]], 2, ()));
    let expected = "Spring(stiffness=2.0, turns=3, ends=[0.5, 4.0])";
    assert_eq!(value.to_string(), format!("({expected}, [[True]], 2, None)"));
}

const PULLED: &str = "
import math
import numpy as np
from dataclasses import dataclass

@dataclass(frozen=True)
class Spring:
    stiffness: float
    turns: int
    ends: tuple

def both(x, y, n): return x * x * y, n, (y, x / y)
def power(x, n):
    r = 1.0
    for i in range(n):
        r = r * x
    return r
def newton(a):
    f = lambda x: x * x * x - a
    x = a
    while abs(f(x)) > 1e-12 * a:
        x = x - f(x) / (3.0 * x * x)
    return x
def recursive(x, n): return 1.0 if n == 0 else x * recursive(x, n - 1)
def layers(w, x, n):
    for i in range(n):
        x = np.tanh(w @ x)
    return x
def loosened(s, x): return Spring(s.stiffness * x, s.turns + 1, s.ends * x)
def integer(x): return 3
def composed(x, n):
    f = lambda y: y
    for i in range(n):
        f = (lambda g: lambda y: math.sin(g(y)))(f)
    return f(x)
";

fn pulled(options: Options) -> Program {
    Engine::new(options).parse(Source::new("pulled.py", PULLED)).expect("correct Python")
}

fn every_way(test: impl Fn(&Program)) {
    for backend in [Backend::Jit, Backend::Interp] {
        for strategy in [Strategy::Auto, Strategy::Stack, Strategy::Closure] {
            for closures in [Closures::Tapes, Closures::Objects] {
                test(&pulled(Options::new().backend(backend).strategy(strategy).closures(closures)));
            }
        }
    }
    test(&pulled(Options::new().simplify(gradus::Simplify::Off)));
}

#[test]
fn a_pullback_serves_many_cotangents() {
    every_way(|program| {
        let function = |name| program.function(name).expect("a function");
        let both = function("both").vjp::<(f64, f64, i64), (f64, i64, (f64, f64))>().expect("a pullback");
        let (value, pullback) = both.call((3.0, 2.0, 5)).expect("a value");
        assert_eq!(value, (18.0, 5, (2.0, 1.5)));
        for _ in 0..3 {
            assert_eq!(pullback.call((1.0, (), (0.0, 0.0))).expect("a gradient"), (12.0, 9.0, ()));
            assert_eq!(pullback.call((0.0, (), (1.0, 4.0))).expect("a gradient"), (2.0, -2.0, ()));
        }
        // Pullbacks of several places at a time, called in any order.
        for name in ["power", "recursive"] {
            let power = function(name).vjp::<(f64, i64), f64>().expect("a pullback");
            let places: Vec<_> = (0..6_i32).map(|n| power.call((1.5, n)).expect("a value")).collect();
            for (n, (value, pullback)) in places.iter().enumerate().rev().chain(places.iter().enumerate()) {
                let n = n as i32;
                assert_eq!(*value, 1.5_f64.powi(n));
                let (dx, ()) = pullback.call(2.0).expect("a gradient");
                assert!((dx - 2.0 * f64::from(n) * 1.5_f64.powi(n - 1)).abs() < 1e-13, "{name} {n}: {dx}");
            }
        }
        let (root, pullback) = function("newton").vjp::<f64, f64>().and_then(|f| f.call(8.0)).expect("a root");
        assert!((root - 2.0).abs() < 1e-12 && (pullback.call(1.0).expect("a gradient") - 1.0 / 12.0).abs() < 1e-9);
        let (y, pullback) = function("composed").vjp::<(f64, i64), f64>().and_then(|f| f.call((0.5, 3))).expect("a value");
        let (a, b) = (0.5_f64.sin(), 0.5_f64.sin().sin());
        let (dx, ()) = pullback.call(1.0).expect("a gradient");
        assert!((y - b.sin()).abs() < 1e-15 && (dx - b.cos() * a.cos() * 0.5_f64.cos()).abs() < 1e-15);
    });
}

#[test]
fn pullbacks_with_arrays_and_structs() {
    every_way(|program| {
        let function = |name| program.function(name).expect("a function");
        let layers = function("layers");
        let (w, x) = (array![[0.5, -0.25], [0.75, 0.1]], array![1.0, -1.0]);
        let forward = layers.vjp::<(Array2<f64>, Array1<f64>, i64), Vec<f64>>().expect("a pullback");
        let (y, pullback) = forward.call((&w, &x, 3)).expect("a value");
        assert_eq!(
            layers.typed::<(Array2<f64>, Array1<f64>, i64), Vec<f64>>().and_then(|f| f.call((&w, &x, 3))).expect("a value"),
            y
        );
        let tangent = layers.jvp::<(Array2<f64>, Array1<f64>, i64), Vec<f64>>().expect("a tangent");
        let (dw, dx) = (array![[0.3, 0.1], [-0.2, 0.4]], array![0.6, -0.7]);
        let (_, dy) = tangent.call(((&w, &x, 3), (&dw, &dx, ()))).expect("a tangent");
        for seed in [[1.0, 0.0], [0.0, 1.0], [2.0, -3.0], [1.0, 0.0]] {
            let (gw, gx, ()) = pullback.call(seed).expect("a gradient");
            let (there, back) = (dy[0] * seed[0] + dy[1] * seed[1], (&gw * &dw).sum() + (&gx * &dx).sum());
            assert!((there - back).abs() < 1e-14, "{there} {back}");
        }
        assert!(matches!(pullback.call([1.0, 2.0, 3.0]), Err(Error::Arguments(_))));

        let loosened = function("loosened").vjp::<(Spring, f64), Spring>();
        // The elements of an array are scaled, those of a tuple would be repeated.
        let (value, pullback) =
            loosened.and_then(|f| f.call((Spring { stiffness: 2.0, turns: 3, ends: vec![0.5, 4.0] }, 3.0))).expect("a struct");
        assert_eq!(value, Spring { stiffness: 6.0, turns: 4, ends: vec![1.5, 12.0] });
        let seed = SpringGradient { stiffness: 1.0, ends: vec![0.0, 2.0] };
        let (ds, dx) = pullback.call(&seed).expect("a gradient");
        assert_eq!((ds, dx), (SpringGradient { stiffness: 3.0, ends: vec![0.0, 6.0] }, 10.0));
    });
}

#[test]
fn pullbacks_go_to_other_threads_and_outlive_their_function() {
    for strategy in [Strategy::Stack, Strategy::Closure] {
        let pullbacks: Vec<_> = {
            let program = pulled(Options::new().strategy(strategy));
            let power = program.function("power").and_then(|f| f.vjp::<(f64, i64), f64>()).expect("a pullback");
            (0..8).map(|n| power.call((2.0, n)).expect("a value").1).collect()
        };
        (0..100).into_par_iter().for_each(|i| {
            let n = i % 8;
            let (dx, ()) = pullbacks[n as usize].call(1.0).expect("a gradient");
            assert_eq!(dx, f64::from(n) * 2.0_f64.powi(n - 1));
        });
        // What a call takes it gives back.
        let bytes = |calls: usize| {
            let many = || (0..calls).for_each(|_| drop(pullbacks[7].call(1.0)));
            allocation_counter::measure(many).bytes_max
        };
        assert_eq!(bytes(100_000), bytes(10), "{strategy:?}");
    }
}

#[test]
fn pullbacks_that_do_not_fit() {
    every_way(|program| {
        let function = |name| program.function(name).expect("a function");
        assert!(matches!(function("power").vjp::<(f64, i64), i64>(), Err(Error::Arguments(_))));
        assert!(matches!(function("power").vjp::<(Constant<f64>, i64), f64>(), Err(Error::Arguments(_))));
        // A value without floats has a pullback that gives zeros.
        let (value, pullback) = function("integer").vjp::<f64, i64>().and_then(|f| f.call(1.0)).expect("a value");
        assert_eq!((value, pullback.call(()).expect("a gradient")), (3, 0.0));
    });
}

/// What fails in the pullback alone fails when that is called.
#[test]
fn pullbacks_fail_by_themselves() {
    let text = "
from gradus import custom_vjp

def rule(y, x):
    def back(cotangent):
        assert cotangent > 0.0, 'positive'
        return (2.0 * x * cotangent,)
    return back

@custom_vjp(rule)
def square(x):
    return x * x

def f(x):
    return square(x)
";
    for backend in [Backend::Jit, Backend::Interp] {
        let program = Engine::new(Options::new().backend(backend)).parse(Source::new("square.py", text)).expect("a program");
        let f = program.function("f").and_then(|f| f.vjp::<f64, f64>()).expect("a pullback");
        let (value, pullback) = f.call(3.0).expect("a value");
        assert_eq!((value, pullback.call(0.5).expect("a gradient")), (9.0, 3.0));
        let failure = pullback.call(-0.5).expect_err("a cotangent that is refused");
        assert!(failure.to_string().contains("positive"), "{failure}");
    }
}

//! Programs that are built by hand, stages and options.

use gradus::{Backend, Engine, Error, Math, ModuleBuilder, Options, Prim, Program, Simplify, Stage, Strategy};

/// xⁿ by a loop, sin x · x, a function of a function, and the derivative of one inside of the program.
fn program(options: Options) -> Program {
    let b = ModuleBuilder::new();
    let (pow, next) = (b.function("pow", ["x", "n"]), b.block("next", ["n", "r"]));
    let (step, done) = (b.block("step", []), b.block("done", []));
    let [x, n] = pow.params();
    pow.returns(pow.call(next, [n, b.float(1.0)]));
    let [n, r] = next.params();
    next.returns(next.branch(next.apply(Prim::Gt, [n, b.int(0)]), step, done));
    step.returns(step.call(next, [step.apply(Prim::Sub, [n, b.int(1)]), step.apply(Prim::Mul, [r, x])]));
    done.returns(r);

    let wave = b.function("wave", ["x", "y"]);
    let [x, y] = wave.params();
    wave.returns(wave.apply(Prim::Mul, [wave.apply(Prim::Sin, [x]), y]));

    // A closure that captures y.
    let (twice, scaled) = (b.function("twice", ["f", "x"]), b.function("scaled", ["x", "y"]));
    let [f, x] = twice.params();
    twice.returns(twice.call(f, [twice.call(f, [x])]));
    let [x, y] = scaled.params();
    let by = b.function("by", ["v"]);
    let [v] = by.params();
    by.returns(by.apply(Prim::Mul, [v, y]));
    scaled.returns(scaled.call(twice, [by.into(), x]));

    let slope = b.function("slope", ["x", "n"]);
    let [x, n] = slope.params();
    let gradient = slope.apply(Prim::Grad { value: false, many: false, aux: false, allow_int: false }, [pow.into(), b.int(0)]);
    slope.returns(slope.call(gradient, [x, n]));

    let wrong = b.function("wrong", ["x"]);
    let [x] = wrong.params();
    wrong.returns(wrong.apply(Prim::Sin, [wrong.apply(Prim::Tuple, [x, b.none()])]));
    b.finish(&Engine::new(options)).expect("all graphs have results")
}

fn everywhere(test: impl Fn(&Program)) {
    for backend in [Backend::Jit, Backend::Interp] {
        for strategy in [Strategy::Auto, Strategy::Stack, Strategy::Closure] {
            for simplify in [Simplify::Interleaved, Simplify::Off] {
                test(&program(Options::new().backend(backend).strategy(strategy).simplify(simplify)));
            }
        }
    }
}

#[test]
fn values_and_derivatives() {
    everywhere(|program| {
        let function = |name| program.function(name).expect("a function");
        let both = function("pow").value_and_grad::<(f64, i64)>().and_then(|f| f.call((2.0, 3))).expect("a gradient");
        assert_eq!(both, (8.0, (12.0, ())));
        let scaled = function("scaled").grad::<(f64, f64)>().and_then(|f| f.call((2.0, 3.0))).expect("a gradient");
        assert_eq!(scaled, (9.0, 12.0));
        let slope = function("slope").value_and_grad::<(f64, i64)>().and_then(|f| f.call((2.0, 3))).expect("a gradient");
        assert_eq!(slope, (12.0, (12.0, ())));
        let hessian = function("wave").hessian::<(f64, f64), [[f64; 2]; 2]>().and_then(|f| f.call((0.5, 2.0)));
        let (sin, cos) = 0.5_f64.sin_cos();
        assert_eq!(hessian.expect("a Hessian"), [[-2.0 * sin, cos], [cos, 0.0]]);
        let jacobian = function("wave").jacobian::<(f64, f64), [f64; 2]>().and_then(|f| f.call((0.5, 2.0)));
        assert_eq!(jacobian.expect("a Jacobian"), [2.0 * cos, sin]);
    });
}

#[test]
fn faults_are_errors() {
    everywhere(|program| {
        assert_eq!(program.functions(), ["pow", "wave", "twice", "scaled", "by", "slope", "wrong"]);
        let refused = program.function("wrong").and_then(|f| f.typed::<f64, f64>()).expect_err("no tuple has a sine");
        assert!(matches!(&refused, Error::Refused(_)), "{refused}");
        assert!(program.function("nothing").is_err() && program.source().text.is_empty());
    });
    let b = ModuleBuilder::default();
    b.function("open", ["x"]);
    assert!(b.finish(&Engine::default()).expect_err("no result").to_string().contains("`open` has no result"));
}

#[test]
fn stages() {
    let program = program(Options::new());
    let gradient = program.function("pow").and_then(|f| f.grad::<(f64, i64)>()).expect("a gradient");
    let compiled = gradient.compiled((1.0, 1)).expect("a gradient");
    let text = |stage| compiled.stage(stage).expect("a stage").to_string();
    assert!(text(Stage::Typed).contains("%x: f64"));
    assert!([Stage::Adjoint, Stage::Optimised, Stage::Lowered].into_iter().all(|stage| text(stage).contains("@next")));
    let view = compiled.stage(Stage::Optimised).expect("a stage");
    assert!(view.to_dot().starts_with("digraph") && view.to_svg().expect("a picture").contains("<svg"));
    assert_eq!(gradus_ir::print::print(view.module()), view.to_string());
    assert!(compiled.machine_code().expect("machine code").contains("function"));
}

#[test]
fn options_are_chosen_one_by_one() {
    let options = Options::new().strategy(Strategy::Closure).math(Math::Fast).recompute(3);
    let same = Options { plan: Strategy::Closure.into(), math: Math::Fast, recompute: 3, ..Options::default() };
    assert_eq!(options, same);
}

//! Small modules before and after the graph passes: what both compute, and the text of the latter.

use expect_test::Expect;
use gradus_backend::Interp;
use gradus_ir::parse::parse;
use gradus_ir::print::print;
use gradus_ir::verify::verify;
use gradus_ir::{Array, DType, Elements, Module, Type, Value};
use gradus_opt::{Options, Report, simplify};

/// The graph passes alone.
pub fn options() -> Options {
    Options { saturate: false, ..Options::default() }
}

/// Parses a module that is well-formed.
pub fn read(text: &str) -> Module {
    let module = parse(text).unwrap_or_else(|e| panic!("{e}"));
    verify(&module).unwrap_or_else(|e| panic!("{e}"));
    module
}

/// Arguments of the entry to try: some of each type.
pub fn samples(module: &Module) -> Vec<Vec<Value>> {
    let entry = module.entry.expect("an entry");
    let types: Vec<Type> = module[entry].params.iter().map(|&p| module[p].ty.clone()).collect();
    let floats = [1.5, -0.75, 0.0, -0.0, 3.0];
    (0..floats.len())
        .map(|i| {
            let value = |(j, ty): (usize, &Type)| match ty {
                Type::F64 => Value::F64(floats[(i + 2 * j) % floats.len()]),
                Type::I64 => Value::I64([3, 0, 1, 7, -1][(i + j) % 5]),
                Type::Bool => Value::Bool((i + j) % 2 == 0),
                Type::Array(DType::F64, shape) => {
                    let elements = (0..shape.count()).map(|k| floats[(i + 2 * j + 3 * k) % floats.len()]);
                    Value::Array(Array::new(*shape, Elements::F64(elements.collect())))
                }
                other => panic!("no sample of type {other}"),
            };
            types.iter().enumerate().map(value).collect()
        })
        .collect()
}

/// Simplifies, and compares what the module computes before and after.
pub fn simplified(text: &str, options: &Options) -> (Module, Report) {
    let before = read(text);
    let mut after = before.clone();
    let report = simplify(&mut after, options, &mut Default::default());
    verify(&after).unwrap_or_else(|e| panic!("{e}\n{}", print(&after)));
    let run = |m: &Module, args: &[Value]| Interp::new(m).expect("compiles").run(args);
    for args in samples(&before) {
        match (run(&before, &args), run(&after, &args)) {
            (Ok(a), Ok(b)) => assert!(a.same_bits(&b), "{args:?}: {a:?} before, {b:?} after\n{}", print(&after)),
            (Err(_), _) => {}
            (Ok(a), Err(e)) => panic!("{args:?}: {a:?} before, {e:?} after\n{}", print(&after)),
        }
    }
    (after, report)
}

/// Compares the text of the simplified module too.
pub fn check(text: &str, expect: Expect) {
    let (module, _) = simplified(text, &options());
    expect.assert_eq(&print(&module));
}

//! Lowering is proved right by running what it gives.

mod closures;
mod evaluate;
mod programs;
mod refusals;
mod robustness;
mod text;

use super::Program;
use evaluate::{V, call};
use expect_test::Expect;

/// Lowers `f` of the program and calls it with each row of arguments; shows a result per row.
fn check(text: &str, rows: &[&[V]], expected: Expect) {
    let program = Program::parse("f.py", text).expect("the program parses");
    let (m, f) = match program.lower("f") {
        Ok(lowered) => lowered,
        Err(list) => panic!("refused:\n{}", crate::render(&list, Some(program.source()))),
    };
    assert!(m.graphs().all(|(_, g)| g.ret.is_some()));
    let results: Vec<String> = rows.iter().map(|args| format!("{:?}", call(&m, f, args.to_vec()))).collect();
    expected.assert_eq(&results.join(" "));
}

/// Shows the module that `f` of the program is lowered to.
fn check_text(text: &str, expected: Expect) {
    let (m, _) = Program::parse("f.py", text).expect("the program parses").lower("f").expect("it is lowered");
    expected.assert_eq(&gradus_ir::print::print(&m));
}

fn refusals_of(program: &Program) -> Result<(), Vec<gradus_ir::Diagnostic>> {
    let (m, f) = program.lower("f")?;
    let args = vec![gradus_ir::Type::I64; m[f].params.len()];
    gradus_ir::infer::infer(&m, f, &args).map(|_| ())
}

/// Shows how the program is refused: by the lowering, or by inference for integers.
fn refuse(text: &str, expected: Expect) {
    let (list, source) = match Program::parse("f.py", text) {
        Ok(program) => (refusals_of(&program).expect_err("the program is refused"), Some(program.source().clone())),
        Err(list) => {
            let source = gradus_ir::Source::new("f.py", text);
            (list, Some(source))
        }
    };
    for d in &list {
        assert!(d.span.start <= d.span.end && d.span.end as usize <= text.len(), "{:?}: {}", d.span, d.message);
    }
    expected.assert_eq(&crate::render(&list, source.as_ref()));
}

//! Inference of small programs: the typed module as text, and the messages for what is wrong.

mod derivatives;
mod functions;
mod messages;
mod values;

use expect_test::Expect;
use gradus_frontend::{python::Program, render};
use gradus_ir::{Type, infer::infer, print::print, verify::verify};

const FLOAT: Type = Type::F64;
const INT: Type = Type::I64;

fn typed(text: &str, args: &[Type]) -> String {
    let program = Program::parse("t.py", text).unwrap();
    let say = |d: Vec<_>| render(&d, Some(program.source()));
    let (m, entry) = match program.lower("f") {
        Ok(lowered) => lowered,
        Err(d) => panic!("{}", say(d)),
    };
    match infer(&m, entry, args) {
        Ok(m) => {
            verify(&m).unwrap_or_else(|e| panic!("{e}\n{}", print(&m)));
            print(&m)
        }
        Err(d) => say(d),
    }
}

fn check(text: &str, args: &[Type], expected: Expect) {
    expected.assert_eq(&typed(text, args));
}

const GRAD: &str = "from gradus import grad, value_and_grad\n";

fn check_grad(text: &str, args: &[Type], expected: Expect) {
    check(&format!("{GRAD}{text}"), args, expected);
}

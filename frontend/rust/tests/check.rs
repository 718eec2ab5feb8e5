//! What the check refuses: messages, where they point to, and hints.

use gradus_rust::program::FunctionId;
use gradus_rust::{Program, Refusal, Syntax, check};

/// Why a function is refused, as its text below the first line: the marked tokens, the message, the hint.
fn refused(text: &str) -> Vec<String> {
    let function = syn::parse_str(text).expect("the syntax of Rust");
    let program = Program::alone("f".into(), Syntax::Function(function));
    let Err(refusals) = check::function(&program, FunctionId { item: 0, index: 0 }) else { return Vec::new() };
    let shown = |r: Refusal| {
        let [start, end] = r.place;
        let place = &text[start.byte_range().start..end.byte_range().end];
        let hint = r.hint.map_or_else(String::new, |hint| format!(" ({hint})"));
        format!("{place}: {}{hint}", r.message)
    };
    refusals.into_iter().map(shown).collect()
}

#[track_caller]
fn says(body: &str, expected: &str) {
    assert_eq!(refused(&format!("fn f(x: f64, n: i64) -> f64 {{ {body} }}")), [expected]);
}

#[test]
fn what_is_refused() {
    says("if let 3 = n { x } else { 0.0 }", "let: `if let` cannot be differentiated (write a `match`)");
    says("let v = vec![x]; x", "vec: `vec!` cannot be differentiated (make an array, `[0.0; 3]`)");
    says("x.sine()", "sine: the method `sine` of `f64` is not supported (did you mean `sin`?)");
    says("(n >> 1) as f64", ">>: an operation on bits cannot be differentiated (`n / 2` and `n * 2` move them by one)");
    says("(n & 1) as f64", "&: an operation on bits cannot be differentiated (`n % 2` is the last bit)");
    says("let s = \"text\"; x", "\"text\": text cannot be differentiated");
    says("let y: f32 = 1.0; x", "f32: `f32` cannot be differentiated (compute in `f64`)");
    says("let a = [(x, x)]; x", "[(x, x)]: an array holds numbers here (keep an array for each field)");
    says("(x, n) + (x, n); x", "(x, n): operators of other types than numbers are not supported (call a function instead)");
    says(
        "let mut s = x; let mut add = |t: f64| s += t; add(x); s",
        "s: a closure cannot change a variable outside of it (return the new value)",
    );
    says(
        "let mut a = [x]; let p = &mut a; p[0]",
        "&mut a: what is written through a reference cannot be differentiated (return the new value, and assign it)",
    );
    says("for i in 0.. { if i > n { break; } } x", "0..: a range has a start and an end here");
    says("[x].iter().filter(|v| **v > 0.0).sum()", "filter: `filter` cannot be differentiated (write a loop with an `if`)");
    says("fn g() {} x", "fn g() {}: an item within a function cannot be differentiated (move it out of the function)");
    says(
        "Meters(x); x",
        "Meters: a value made by this call cannot be differentiated (a struct has fields with names here: `Point { x, y }`)",
    );
    says(
        "9223372036854775808i64; x",
        "9223372036854775808i64: this integer is too large: it has 64 bits, one of them for the sign",
    );
}

#[test]
fn each_statement_has_its_message() {
    let messages = refused("fn f(x: f64) -> f64 { let a = x.sine(); let v = vec![a]; x }");
    assert_eq!(messages.len(), 2, "{messages:?}");
}

#[test]
fn signatures() {
    assert_eq!(refused("async fn f(x: f64) -> f64 { x }"), ["async: an `async` function cannot be differentiated"]);
    assert_eq!(
        refused("fn f<T>(x: T) -> T { x }"),
        ["T: a function with type parameters is not supported (write the types, and `impl Fn(f64) -> f64` for a function)"]
    );
    assert_eq!(
        refused("fn f(x: &mut [f64]) {}"),
        ["&mut [f64]: what is written through a reference cannot be differentiated (return the new value)"]
    );
    assert_eq!(refused("fn f(x: String) {}"), ["String: `String` cannot be differentiated"]);
}

#[test]
fn what_is_not_known_of_other_items_is_not_refused() {
    let text =
        "fn f(p: Point, q: &other::Line) -> f64 { let s = p.weights.iter().map(|w| w * G).sum::<f64>(); s + g(p.x, q.end()).0 }";
    assert_eq!(refused(text), Vec::<String>::new());
}

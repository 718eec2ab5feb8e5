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
    says("println!(\"{x}\"); x", "println: `println!` cannot be differentiated (return what is to be shown)");
    says("assert!(x > 0.0, \"{x:e}\"); x", "\"{x:e}\": the format `e` cannot be differentiated");
    says("assert!(x > 0.0, \"{}\"); x", "\"{}\": there is no value for `{}`");
    says("x.sine()", "sine: the method `sine` of `f64` is not supported (did you mean `sin`?)");
    says(
        "n.wrapping_mul(3) as f64",
        "wrapping_mul: `wrapping_mul` cannot be differentiated (write the operator: a number that leaves the range of its type is an `Err`)",
    );
    says("n.count_ones() as f64", "count_ones: the method `count_ones` of integers is not supported");
    says("let s = \"text\"; x", "\"text\": text cannot be differentiated");
    says("let y: f32 = 1.0; x", "f32: `f32` cannot be differentiated (compute in `f64`)");
    says(
        "let a = [|| x]; x",
        "[|| x]: an array of functions cannot be differentiated (keep an array for each part of it, of numbers or structs)",
    );
    says("(x, n) + (x, n); x", "(x, n): operators of other types than numbers are not supported (call a function instead)");
    says(
        "let mut s = x; g(|t: f64| s += t); s",
        "|t: f64| s += t: a closure that changes variables outside of it is called by its name alone (write `let mut f = …;` and call \
         `f`, or return the new value)",
    );
    says(
        "let mut a = x; let p = (&mut a, 1); a",
        "&mut a: what is written through this reference cannot be differentiated (a function is given `&mut x`, and a variable may be \
         one: `let p = &mut x;`)",
    );
    says("for i in ..n { } x", "..n: a range has a start here");
    says("match n { One => x, _ => 1.0 }", "One: this is a variant or a struct without the name of its type (write `Type::One`)");
    says(
        "let y = [x].iter().max_by(|a, b| b.total_cmp(a)); x",
        "|a, b| b.total_cmp(a): an order of its own cannot be differentiated (write `|a, b| a.total_cmp(b)`, or `reduce`)",
    );
    says(
        "[x].iter().filter(|v| **v > 0.0).zip([x]).map(|v| v.0).sum()",
        "zip: `zip` behind `filter` cannot be differentiated (write a loop with an `if`)",
    );
    says(
        "struct G; x",
        "struct G;: an item of this kind within a function cannot be differentiated (move it out of the function)",
    );
    says(
        "9223372036854775808i64; x",
        "9223372036854775808i64: this integer is too large: it has 64 bits, one of them for the sign",
    );
}

#[test]
fn each_statement_has_its_message() {
    let messages = refused("fn f(x: f64) -> f64 { let a = x.sine(); let v = dbg!(a); x }");
    assert_eq!(messages.len(), 2, "{messages:?}");
}

#[test]
fn signatures() {
    assert_eq!(refused("async fn f(x: f64) -> f64 { x }"), ["async: an `async` function cannot be differentiated"]);
    assert_eq!(
        refused("fn f<T>(x: T) -> T { x }"),
        ["T: a type parameter is that of a function here (write the type, and `F: Fn(f64) -> f64` for that of a function)"]
    );
    assert_eq!(
        refused("fn f(x: (&mut f64, f64)) {}"),
        ["&mut f64: what is written through this reference cannot be differentiated (a parameter of a function may be `&mut`)"]
    );
    assert_eq!(refused("fn f(x: String) {}"), ["String: `String` cannot be differentiated"]);
}

#[test]
fn what_is_not_known_of_other_items_is_not_refused() {
    let text =
        "fn f(p: Point, q: &other::Line) -> f64 { let s = p.weights.iter().map(|w| w * G).sum::<f64>(); s + g(p.x, q.end()).0 }";
    assert_eq!(refused(text), Vec::<String>::new());
}

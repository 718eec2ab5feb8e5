//! Gradients, by modes and orders.

use crate::command::gradus;
use crate::{PROGRAM, answer, ask, file, gradient, refused};
use serde_json::{Value as Json, json};

#[test]
fn gradients() {
    assert_eq!(gradient("product 2.0 3.0 4 --wrt 1"), json!([null, 8.0, null]));
    assert_eq!(gradient("product 2.0 3.0 4 --wrt 1,0"), json!([12.0, 8.0, null]));
    assert_eq!(gradient("first 2.0 3.0"), json!([1.0, 0.0]));
    assert_eq!(gradient("indexed [2.0,3.0]"), json!([[6.0, 4.0]]));
    assert_eq!(gradient("indexed {\"t\":\"tuple\",\"v\":[2.0,3]} 1.0"), json!([[3.0, null], 6.0]));
    assert_eq!(gradient("reciprocal 0.0"), json!(["-inf"]));
    let program = file("command-gradients.py", PROGRAM);
    let text = |args: &[&str]| gradus(["grad", &program].into_iter().chain(args.iter().copied())).stdout;
    assert_eq!(text(&["product", "2.0", "3.0", "4", "--wrt", "0, 1"]), "value     24.0\ngradient  (12.0, 8.0, None)\n");
    assert_eq!(text(&["first", "2.0", "3.0"]), "value     2.0\ngradient  (1.0, 0.0)\n");
    for number in ["99999999999999999999", "1e400"] {
        assert!(refused("grad", &format!("product 2.0 3.0 {number}")).contains("64 bits"));
    }
    assert!(refused("grad", "product 2.0 3.0 4 --wrt 3").contains("argument 3"));
    assert!(refused("grad", "product 2.0 3.0 4 --wrt x").contains("--wrt"));
}

#[test]
fn ints_in_which_a_derivative_is_asked_for() {
    assert_eq!(gradient("product 2.0 3.0 4 --wrt 2"), json!([null, null, 6.0]));
    assert_eq!(gradient("cube 2"), json!([12.0]));
    assert_eq!(gradient("product 2 3 4"), json!([12.0, 8.0, 6.0]));
    assert_eq!(gradient("sum_of_loop 2 3 4 --mode forward"), gradient("sum_of_loop 2.0 3.0 4"));
    assert_eq!(gradient("product 2 3.0 4"), json!([null, 8.0, null]));
    for mode in ["forward", "reverse", "taylor"] {
        let (orders, _) = answer("grad", &format!("product 2 3 4 --order 2 --wrt 0 --mode {mode}"));
        assert_eq!(orders["orders"], json!([24.0, 12.0, 0.0]), "{mode}");
    }
    let message = refused("grad", "sum_of_loop 2 3 4 --wrt 0,2");
    assert!(message.contains("`range` needs ints") && message.contains("argument 2 is a float here"), "{message}");
    for array in ["indexed [2,3]", "indexed [2,3] --wrt 0"] {
        assert!(refused("grad", array).contains("3.0"));
    }
}

#[test]
fn cotangents_of_results() {
    assert_eq!(gradient("product 2.0 3.0 4 --seed -2.5"), json!([-30.0, -20.0, null]));
    assert_eq!(gradient("product 2.0 3.0 4 --seed 2"), json!([24.0, 16.0, null]));
    assert_eq!(gradient("pair 2.0 3 --seed [1.0,null,[0.0,null]]"), json!([4.0, null]));
    assert_eq!(gradient("pair 2.0 3 --seed [0.0,null,[1.0,null]]"), json!([3.0, null]));
    let path = file("seed.json", "[1.0, null, [1.0, null]]");
    assert_eq!(gradient(&format!("pair 2.0 3 --seed-json {path}")), json!([7.0, null]));
    assert!(refused("grad", "pair 2.0 3").contains("--seed"));
    assert!(refused("grad", "pair 2.0 3 --seed 1.0").contains("tuple"));
    assert!(refused("grad", "pair 2.0 3 --seed [1.0,0,[1.0,0]]").contains("null stands for no cotangent"));
    assert!(refused("grad", "cube 2.0 --seed one").contains("not JSON"));
    assert!(refused("grad", "cube 2.0 --seed 1.0 --order 2").contains("--order"));
}

/// Results of every structure, and what each says of itself.
const STRUCTURES: &str = "
from dataclasses import dataclass
from typing import Optional
import numpy as np

@dataclass(frozen=True)
class Point:
    x: float
    n: int
    y: float = 2.0

@dataclass(frozen=True)
class Node:
    value: float
    place: int
    next: Optional['Node'] = None

def listed(x): return [x, 2.0 * x]
def named(x): return {'a': x, 'b': [x, x * x], 3: 'text'}
def point(x): return Point(x, 3, x * x)
def turned(x): return complex(x, x * x)
def array(x): return np.stack([x, x * x, 3.0 * x]), x
def chain(x, k):
    node = None
    for i in range(k):
        node = Node(x * i, i, node)
    return node
def grown(x, k):
    found = []
    for i in range(k):
        found.append(x * i)
    return found
def maybe(x, k): return None if k > 0 else x
";

#[test]
fn cotangents_of_every_structure() {
    let program = file("command-structures.py", STRUCTURES);
    let ask = |function: &str, args: &[&str], seed: &str, flags: &[&str]| {
        let call = ["grad", &*program, function].into_iter().chain(args.iter().copied()).chain(["--seed", seed]);
        gradus(call.chain(flags.iter().copied()))
    };
    let instance = |class: &str, fields: &str| format!(r#"{{"t":"struct","cls":"{class}","v":{fields}}}"#);
    let inner = instance("Node", r#"{"value":2.0,"place":null,"next":null}"#);
    let cases: Vec<(&str, &[&str], String, &str)> = vec![
        ("listed", &["2.0"], "[1.0,2]".into(), "5.0"),
        ("listed", &["2.0"], r#"{"t":"list","v":[{"t":"f64","v":1},null]}"#.into(), "1.0"),
        ("listed", &["2.0"], r#"{"t":"tuple","v":[1.0,2.0]}"#.into(), "5.0"),
        ("listed", &["2.0"], "null".into(), "0.0"),
        ("listed", &["2.0"], "[NaN,1.0]".into(), "nan"),
        ("named", &["2.0"], r#"{"a":1.0,"b":[1,2],"3":null}"#.into(), "10.0"),
        ("named", &["2.0"], r#"{"t":"dict","v":{"b":null,"a":1.0,"3":null}}"#.into(), "1.0"),
        ("point", &["2.0"], instance("Point", r#"{"x":1.0,"n":null,"y":2.0}"#), "9.0"),
        ("point", &["2.0"], r#"{"y":2.0,"x":null,"n":null}"#.into(), "8.0"),
        ("turned", &["2.0"], r#"{"t":"complex","v":[1.0,2.0]}"#.into(), "9.0"),
        ("turned", &["2.0"], r#"{"real":1.0,"imag":2.0}"#.into(), "9.0"),
        ("turned", &["2.0"], "3".into(), "3.0"),
        ("array", &["2.0"], "[[1,1,1],null]".into(), "8.0"),
        ("array", &["2.0"], r#"[{"t":"array","dtype":"float64","shape":[3],"data":[1,1.5,"inf"]},1]"#.into(), "inf"),
        ("maybe", &["2.0", "0"], "3.0".into(), "(3.0, None)"),
        ("maybe", &["2.0", "1"], "null".into(), "(0.0, None)"),
        ("grown", &["2.0", "3"], "[1.0,null,3.0]".into(), "(6.0, None)"),
        ("grown", &["2.0", "3"], r#"{"t":"list","v":[1.0,2.0,3.0]}"#.into(), "(8.0, None)"),
        ("chain", &["2.0", "3"], "null".into(), "(0.0, None)"),
        ("chain", &["2.0", "3"], instance("Node", &format!(r#"{{"value":1.0,"place":null,"next":{inner}}}"#)), "(4.0, None)"),
        ("chain", &["2.0", "3"], r#"{"value":1,"place":null,"next":{"value":1,"place":null,"next":null}}"#.into(), "(3.0, None)"),
    ];
    for (function, args, seed, expected) in &cases {
        for flags in [&[][..], &["--strategy", "stack", "--backend", "interp"], &["--mode", "forward"]] {
            let out = ask(function, args, seed, flags);
            // How many floats there are only the run knows.
            if flags.contains(&"forward") && matches!(*function, "chain" | "maybe") {
                assert!(out.code == 2 && out.stderr.contains("forward mode"), "{function} {seed}: {}", out.stderr);
                continue;
            }
            let found = out.stdout.lines().find_map(|l| l.strip_prefix("gradient  "));
            assert_eq!((found, out.code), (Some(*expected), 0), "{function} {seed} {flags:?}: {}", out.stderr);
        }
    }
    let out = gradus(["check", &program, "listed", "2.0"]);
    assert!(out.stderr.contains("--seed, like [1.0,1.0]"), "{}", out.stderr);
    for (function, args, seed, said) in [
        ("listed", &["2.0"][..], "[1.0]", "the result, a list of (float, float): [1.0] is no cotangent of a list of"),
        ("listed", &["2.0"], r#"[1.0,"a"]"#, r#"in `[1]` of it, "a" is no cotangent of a float"#),
        ("named", &["2.0"], r#"{"a":1.0,"b":[1,[2]],"3":null}"#, "in `['b'][1]` of it, [2] is no cotangent of a float"),
        ("named", &["2.0"], r#"{"a":1.0}"#, r#"`b` of dict is not given"#),
        ("named", &["2.0"], "[1.0]", r#"write it like {"a":1.0,"b":[1.0,1.0],"3":null}"#),
        ("named", &["2.0"], r#"{"a":1.0,"b":null,"3":1.0}"#, "in `[3]` of it, 1.0 is given where a str has no cotangent"),
        ("point", &["2.0"], r#"{"x":1.0,"n":null,"z":1.0}"#, "Point has no `z`"),
        ("point", &["2.0"], r#"{"t":"struct","cls":"Node","v":{}}"#, "is no cotangent of a Point"),
        ("array", &["2.0"], "[[1,1],null]", "in `[0]` of it, [1,1] is no cotangent of a float64 array of shape (3,)"),
        (
            "chain",
            &["2.0", "3"],
            r#"{"value":1.0,"place":2,"next":null}"#,
            "in `.place` of it, 2 is given where an int has no cotangent",
        ),
        ("chain", &["2.0", "3"], "[1.0]", r#"write it like {"value":1.0,"place":null,"next":null}"#),
    ] {
        let out = ask(function, args, seed, &[]);
        assert!(out.code == 2 && out.stderr.contains(said), "{function} {seed}: {}", out.stderr);
    }
}

#[test]
fn forward_mode() {
    let forward = |rest: &str| gradient(&format!("{rest} --mode forward"));
    assert_eq!(forward("product 2.0 3.0 4"), json!([12.0, 8.0, null]));
    assert_eq!(forward("product 2.0 3.0 4 --wrt 1,0"), json!([12.0, 8.0, null]));
    assert_eq!(forward("product 2.0 3.0 4 --seed -2.5"), json!([-30.0, -20.0, null]));
    assert_eq!(forward("pair 2.0 3 --seed [1.0,null,[1.0,null]]"), json!([7.0, null]));
    assert_eq!(forward("first 2.0 3.0"), json!([1.0, 0.0]));
    assert_eq!(forward("indexed {\"t\":\"tuple\",\"v\":[2.0,3]} 1.0"), json!([[3.0, null], 6.0]));
    assert_eq!(forward("reciprocal 0.0"), json!(["-inf"]));
    for modes in ["forward", "forward,reverse", "reverse,forward"] {
        let (cube, _) = answer("grad", &format!("cube 2.0 --order 3 --mode {modes}"));
        assert_eq!(cube["orders"], json!([8.0, 12.0, 12.0, 6.0]), "{modes}");
    }
    assert!(refused("grad", "pair 2.0 3 --mode forward").contains("--seed"));
    assert_eq!(forward("cube 2"), json!([12.0]));
    assert!(refused("grad", "cube 2.0 --mode sideways").contains("--mode"));
}

#[test]
fn modes_that_are_chosen() {
    let strategy = |rest: &str| {
        let (answer, code) = answer("grad", rest);
        assert_eq!((code, &answer["gradient"]), (0, &json!([33.0, null])), "{rest}: {answer}");
        answer["strategy"].clone()
    };
    // The program's own derivative is a matter of the strategy.
    assert_eq!(strategy("loop 2.0 3"), "closure,forward");
    assert_eq!(strategy("loop 2.0 3 --mode reverse"), "closure,stack");
    assert_eq!(strategy("loop 2.0 3 --strategy stack"), "stack");
    let mode = |rest: &str| answer("grad", &format!("{rest} --explain")).0["mode"]["mode"].clone();
    assert_eq!(mode("loop 2.0 3"), "forward");
    assert_eq!(mode("loop 2.0 3 --backend interp --no-simplify"), "forward");
    for reverse in ["cube 2.0", "product 2.0 3.0 4 --wrt 0", "indexed [2.0,3.0]", "sum_of_loop 2.0 3.0 4"] {
        assert_eq!(mode(reverse), "reverse", "{reverse}");
    }
    assert_eq!(mode("sum_of_loop 2.0 3.0 4 --wrt 1"), "forward");
    for named in ["loop 2.0 3 --mode reverse", "loop 2.0 3 --mode forward", "loop 2.0 3 --strategy closure", "cube 2.0 --order 2"]
    {
        assert_eq!(mode(named), Json::Null, "{named}");
    }
    let text = ask("ir", "loop 2.0 3 --stage typed --explain").stdout;
    assert!(text.starts_with("; `loop` in forward mode: one float goes in") && text.contains(" = F @loop"), "{text}");
}

#[test]
fn orders() {
    let (cube, _) = answer("grad", "cube 2.0 --order 3");
    assert_eq!((&cube["gradient"], &cube["orders"]), (&json!([6.0]), &json!([8.0, 12.0, 12.0, 6.0])));
    let (product, _) = answer("grad", "product 2.0 3.0 4 --order 2 --wrt 0");
    assert_eq!((&product["gradient"], &product["orders"]), (&json!([0.0, null, null]), &json!([24.0, 12.0, 0.0])));
    assert_eq!(ask("grad", "cube 2.0 --order 2").stdout, "value     8.0\norder 1   12.0\norder 2   12.0\n");
    assert!(refused("grad", "product 2.0 3.0 4 --order 2").contains("--wrt"));
    assert!(refused("grad", "cube 2.0 --order 0").contains("--order"));
}

//! The contract of the command (DESIGN.md): flags, answers as text and as JSON, exit codes.

#[path = "common/command.rs"]
mod command;

use command::{Output, gradus};
use gradus_ir::parse::parse;
use gradus_ir::print::print;
use serde_json::{Value as Json, json};
use std::path::PathBuf;

const PROGRAM: &str = "
from gradus import grad
def product(x, y, n): return x * y * n
def pair(x, n): return x * x, n, (x * n, True)
def indexed(t, x=2.0): return t[0] * t[1] * x
def cube(x): return x ** 3
def reciprocal(x): return 1.0 / x
def first(x, y): return x
def remainder(x, n): return x * (7 % n)
def loop(x, n):
    y = x
    for i in range(n):
        y = y * x + i
    return grad(lambda z: z * y)(x)
def energy(x, p): return (x * x).sum() * p[0]
def sum_of_loop(x, y, n):
    s = 0.0
    for i in range(n):
        s = s + x * y
    return s
";

/// A class whose instances hold others.
const TREE: &str = "
from dataclasses import dataclass
from typing import Optional

@dataclass(frozen=True)
class N:
    v: float
    l: Optional['N'] = None

def total(t): return t.v if t.l is None else t.v + 2.0 * total(t.l)
def scaled(p): return p[0] * total(p[1])
";

/// The program in a file of its own.
fn file(name: &str, text: &str) -> String {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, text).expect("a file");
    path.display().to_string()
}

/// Runs `gradus COMMAND PROGRAM REST…`, where the rest is split at spaces.
fn ask(command: &str, rest: &str) -> Output {
    let name = format!("command-{:?}.py", std::thread::current().id());
    let program = file(&name, PROGRAM);
    gradus([command, &program].into_iter().chain(rest.split(' ')))
}

/// The answer as JSON, and the exit code.
fn answer(command: &str, rest: &str) -> (Json, i32) {
    let out = ask(command, &format!("{rest} --json"));
    assert_eq!(out.stdout.lines().count(), 1, "{rest}: {}{}", out.stdout, out.stderr);
    (serde_json::from_str(&out.stdout).unwrap_or_else(|e| panic!("{rest}: {e}: {}", out.stdout)), out.code)
}

fn gradient(rest: &str) -> Json {
    let (answer, code) = answer("grad", rest);
    assert_eq!(code, 0, "{rest}: {answer}");
    answer["gradient"].clone()
}

fn value(rest: &str) -> Json {
    let (answer, code) = answer("run", rest);
    assert_eq!(code, 0, "{rest}: {answer}");
    answer["value"].clone()
}

/// The message of a refusal.
fn refused(command: &str, rest: &str) -> String {
    let (answer, code) = answer(command, rest);
    assert_eq!(code, 2, "{rest}: {answer}");
    format!("{}; {}", answer["error"].as_str().expect("an error"), answer["hint"].as_str().unwrap_or("no hint"))
}

#[test]
fn prints_as_python_does() {
    let lines = [
        "(1.5-2j) 1.5j ((1.5-2j), \"it's\", 'q') 1.50-2.00j    1.500|'q'|1.5",
        "{'a': 1.5, 'b': ('s', 1)}",
        "1.500|4|a|    7|7    |00007|+1.50e+00|1.5|%|    1.50|'b'|     c|{}",
        "square 1.5",
        "square 3.0",
        "square 2.25",
        "square 9.0",
        "square 5.0625",
        "square 81.0",
        "square 2.25",
        "done",
    ];
    for (command, answer) in [("run", &["95.0625"][..]), ("grad", &["value     95.0625", "gradient  241.5"][..])] {
        let out = gradus([command, "tests/programs/effects_printed.py", "f", "1.5"]);
        assert_eq!(out.stdout.lines().collect::<Vec<_>>(), [&lines[..], answer].concat(), "{command}: {}", out.stderr);
    }
}

#[test]
fn prints_once_what_is_differentiated() {
    let lines = [
        "at 1.5",
        "vjp 45.5625",
        "at 3.0",
        "jvp 774.5625",
        "at 4.5",
        "linearize 956.8125",
        "at 6.0",
        "at 7.5",
        "Jacobians 1233.5625",
        "at 9.0",
        "at 10.5",
        "second 1319.0625",
        "at 1.5",
    ];
    let gradient = ["value     1328.0625", "gradient  3256.875"];
    let orders = ["value     1328.0625", "order 1   3256.875", "order 2   7293.0"];
    for (command, flags, answer) in [
        ("run", "", &gradient[..0]),
        ("grad", "--mode=reverse", &gradient),
        ("grad", "--mode=forward", &gradient),
        ("grad", "--mode=forward --order=2", &orders),
        ("grad", "--mode=reverse --order=2", &orders),
    ] {
        let args = [command, "tests/programs/toolbox_prints.py", "f", "1.5"];
        let out = gradus(args.into_iter().chain(flags.split_whitespace()));
        let found: Vec<&str> = out.stdout.lines().collect();
        let answer = if command == "run" { &["1328.0625"] } else { answer };
        assert_eq!(found, [&lines[..], answer].concat(), "{command} {flags}: {}", out.stderr);
    }
}

#[test]
fn answers() {
    let out = ask("run", "product 2.0 3.0 4");
    assert_eq!((&*out.stdout, &*out.stderr, out.code), ("24.0\n", "", 0));
    let out = ask("grad", "product 2.0 3.0 4");
    assert_eq!((&*out.stdout, out.code), ("value     24.0\ngradient  (12.0, 8.0, None)\n", 0));
    let (answer, _) = answer("grad", "product 2.0 3.0 4");
    let keys: Vec<&String> = answer.as_object().expect("an object").keys().collect();
    assert_eq!(keys, ["value", "gradient", "strategy", "backend", "stats"]);
    assert_eq!(answer["value"], json!(24.0));
    assert_eq!(answer["gradient"], json!([12.0, 8.0, null]));
    assert_eq!((&answer["strategy"], &answer["backend"]), (&json!("closure"), &json!("jit")));
    assert!(answer["stats"]["code_bytes"].as_u64() > Some(0));
}

#[test]
fn executors() {
    for flags in ["--backend interp", "--no-simplify", "--no-interleave", "--strategy closure", "--strategy stack", "--math fast"]
    {
        assert_eq!(gradient(&format!("product 2.0 3.0 4 {flags}")), json!([12.0, 8.0, null]), "{flags}");
    }
    let (interp, _) = answer("run", "cube 2.0 --backend interp");
    assert_eq!((&interp["backend"], &interp["stats"]["code_bytes"]), (&json!("interp"), &Json::Null));
}

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
    assert!(refused("grad", "product 2.0 3.0 4 --wrt 2").contains("int"));
    assert!(refused("grad", "product 2.0 3.0 4 --wrt 3").contains("argument 3"));
    assert!(refused("grad", "product 2.0 3.0 4 --wrt x").contains("--wrt"));
    assert!(refused("grad", "cube 2").contains("3.0"));
}

/// A file in NumPy's format: two rows of three elements, in column-major order.
fn columns(name: &str, descr: &str, data: &[u8]) -> String {
    let header = format!("{{'descr': '{descr}', 'fortran_order': True, 'shape': (2, 3), }}\n");
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let length = (header.len() as u16).to_le_bytes();
    std::fs::write(&path, [b"\x93NUMPY\x01\x00", &length[..], header.as_bytes(), data].concat()).expect("a file");
    path.display().to_string()
}

#[test]
fn arrays_in_files() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("arrays");
    std::fs::create_dir_all(&folder).expect("a folder");
    let at = |name: &str| folder.join(name).display().to_string();
    let (x, n) = (at("x.npy"), at("n.npy"));
    assert_eq!(ask("run", &format!("first [[1.0,2.0],[3.0,4.0]] 0.0 --out {x}")).stdout, "[[1.0, 2.0], [3.0, 4.0]]\n");
    assert_eq!(ask("run", &format!("first 7 0.0 --out {n}")).code, 0);
    assert_eq!(value(&format!("first @{x} 0.0")), json!([[1.0, 2.0], [3.0, 4.0]]));
    assert_eq!(value(&format!("product 0.5 2.0 @{n}")), json!(7.0));
    let floats: Vec<u8> = [1.5_f32, 4.0, 2.0, 5.0, 3.0, -6.0].iter().flat_map(|v| v.to_le_bytes()).collect();
    let float32 = columns("float32.npy", "<f4", &floats);
    assert_eq!(value(&format!("first @{float32} 0.0")), json!([[1.5, 2.0, 3.0], [4.0, 5.0, -6.0]]));
    let again = at("again.npy");
    assert_eq!(ask("run", &format!("first @{float32} 0.0 --out {again}")).code, 0);
    assert!(std::fs::read(again).expect("a file").windows(5).any(|part| part == b"'<f4'"));
    let seed = r#"{"t":"array","dtype":"float32","shape":[2],"data":[0.1,1]}"#;
    assert_eq!(value(&format!("first {seed} 0.0")), json!([f64::from(0.1_f32), 1.0]));
    assert_eq!(gradient(&format!("first {seed} 0.0 --wrt 0 --seed [0.2,1.0]")), json!([[f64::from(0.2_f32), 1.0], null]));
    assert_eq!(ask("check", &format!("energy @{float32} {{\"t\":\"tuple\",\"v\":[2.0,3]}}")).code, 0);

    let seed = format!("first @{x} 0.0 --wrt 0 --seed @{x}");
    assert_eq!(gradient(&seed), json!([[[1.0, 2.0], [3.0, 4.0]], null]));
    assert!(refused("grad", &format!("first @{x} 0.0 --wrt 0 --seed @{float32}")).contains("(2, 3)"));
    let out = at("gradients");
    assert_eq!(ask("grad", &format!("energy @{x} {{\"t\":\"tuple\",\"v\":[2.0,3]}} --out {out}")).code, 0);
    assert_eq!(value(&format!("first @{out}/value.npy 0.0")), json!(60.0));
    assert_eq!(value(&format!("first @{out}/gradient0.npy 0.0")), json!([[4.0, 8.0], [12.0, 16.0]]));
    assert_eq!(value(&format!("first @{out}/gradient1.0.npy 0.0")), json!(30.0));

    assert!(refused("run", "first @nowhere.npy 0.0").contains("cannot read nowhere.npy"));
    let text = file("text.npy", "1.0 2.0");
    assert!(refused("run", &format!("first @{text} 0.0")).contains("not an .npy file"));
    let unsigned = columns("uint64.npy", "<u8", &[0; 48]);
    assert!(refused("run", &format!("first @{unsigned} 0.0")).contains("<u8"));
    assert!(refused("run", &format!("pair 2.0 3 --out {x}")).contains("of type tuple"));
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
    assert!(refused("grad", "pair 2.0 3 --seed [1.0,0,[1.0,0]]").contains("write null"));
    assert!(refused("grad", "cube 2.0 --seed one").contains("not JSON"));
    assert!(refused("grad", "cube 2.0 --seed 1.0 --order 2").contains("--order"));
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
    assert!(refused("grad", "cube 2 --mode forward").contains("3.0"));
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

#[test]
fn arguments() {
    assert_eq!(value("reciprocal -2.0"), json!(-0.5));
    assert_eq!(value("reciprocal -4"), json!(-0.25));
    assert_eq!(value("reciprocal -1e3"), json!(-0.001));
    assert_eq!(value("reciprocal 0.0"), json!("inf"));
    assert_eq!(value("reciprocal -0.0"), json!("-inf"));
    assert_eq!(value(r#"reciprocal {"t":"f64","v":"nan"}"#), json!("nan"));
    assert_eq!(value(r#"reciprocal {"t":"f64","v":4}"#), json!(0.25));
    assert_eq!(value(r#"cube {"t":"i64","v":3}"#), json!(27));
    assert_eq!(value("cube true"), json!(1));
    assert_eq!(value("pair 2 3"), json!([4, 3, [6, true]]));
    assert_eq!(value(r#"indexed {"t":"list","v":[2.0,{"t":"f64","v":3}]}"#), json!(12.0));
    let path = file("args.json", "[2.0, 3.0, 4]");
    assert_eq!(gradient(&format!("product --args-json {path}")), json!([12.0, 8.0, null]));
    assert!(refused("run", "cube [1.0").contains("not JSON"));
    assert!(refused("run", "cube x").contains("argument 0"));
    assert!(refused("run", r#"cube {"t":"f65","v":1}"#).contains("f65"));
    assert!(refused("run", r#"cube {"t":"i64","v":1.5}"#).contains("i64"));
    assert!(refused("run", r#"cube {"x":1}"#).contains("dict"));
    assert!(refused("run", r#"cube {"t":"struct","cls":"Cube","v":{}}"#).contains("no class `Cube`"));
    assert!(refused("run", "product --args-json missing.json").contains("missing.json"));
    assert!(refused("run", &format!("product --args-json {path} 1.0")).contains("--args-json"));
}

#[test]
fn refusals() {
    let out = gradus(["run", "missing.py", "f", "--json"]);
    assert_eq!(out.code, 2);
    assert!(out.stdout.contains("missing.py") && out.stderr.contains("missing.py"));
    assert!(refused("run", "cub 2.0").contains("did you mean `cube`?"));
    assert!(refused("run", "cube").contains("takes 1 argument, 0 are given"));
    assert!(refused("run", "cube 1.0 2.0").contains("takes 1 argument, 2 are given"));
    assert!(refused("run", "indexed 1.0 2.0 3.0").contains("takes 1 to 2 arguments, 3 are given"));
    assert!(refused("run", "cube 1.0 --wrt 0").contains("--wrt"));
    let (trap, code) = answer("run", "remainder 2.0 0");
    assert_eq!((code, &trap["line"]), (1, &json!(9)));
    assert!(trap["error"].as_str().expect("a message").contains("integer division by zero"));
}

#[test]
fn stages() {
    let machine = ask("ir", "loop 2.0 3 --stage machine");
    for part in ["; entry.loop: Cranelift IR\nfunction", "fmul", "; entry.loop: machine code", "  ret"] {
        assert!(machine.code == 0 && machine.stdout.contains(part), "{part}: {}{}", machine.stderr, machine.stdout);
    }
    assert!(gradus(["ir", "--help"]).stdout.contains("as Cranelift IR and, in text, as machine code"));
    let machine = ask("dot", "loop 2.0 3 --stage machine --primal --no-simplify");
    for part in ["digraph", "label=\"entry.loop\"", "block0(", "fmul"] {
        assert!(machine.code == 0 && machine.stdout.contains(part), "{part}: {}{}", machine.stderr, machine.stdout);
    }
    assert!(refused("dot", "cube 2.0 --stage machine --diff typed").contains("--diff"));
    let (typed, code) = answer("ir", "cube 2.0 --stage typed");
    assert_eq!((code, &typed["stage"], typed["ir"].as_str().map(|t| parse(t).is_ok())), (0, &json!("typed"), Some(true)));
    for stage in ["source", "typed", "adjoint", "optimised", "lowered"] {
        for primal in ["", " --primal"] {
            let flags = format!("loop 2.0 3 --stage {stage}{primal}");
            let dot = ask("dot", &flags);
            assert!(dot.code == 0 && dot.stdout.starts_with("digraph"), "{flags}: {}", dot.stderr);
            let ir = ask("ir", &flags);
            assert_eq!(ir.code, 0, "{flags}: {}", ir.stderr);
            let module = parse(&ir.stdout).unwrap_or_else(|e| panic!("{flags}: {e}\n{}", ir.stdout));
            assert_eq!(print(&module), ir.stdout, "{flags}");
        }
    }
    let primal = ask("ir", "cube 2.0 --primal").stdout;
    assert!(primal.contains("-> f64 {") && !primal.contains("tuple"), "{primal}");
}

/// The left upper and right lower corner of a box of a picture.
fn corners(shape: roxmltree::Node) -> [(f64, f64); 2] {
    let number = |name: &str| shape.attribute(name).expect(name).parse::<f64>().expect("a number");
    if shape.has_tag_name("rect") {
        let (x, y) = (number("x"), number("y"));
        return [(x, y), (x + number("width"), y + number("height"))];
    }
    let (x, y, rx, ry) = (number("cx"), number("cy"), number("rx"), number("ry"));
    [(x - rx, y - ry), (x + rx, y + ry)]
}

/// The text of a group of a picture, line by line as the DOT language writes it.
fn words(group: roxmltree::Node) -> String {
    let lines = group.descendants().filter(|n| n.has_tag_name("text")).map(|n| n.text().unwrap_or_default());
    lines.collect::<Vec<_>>().join("\\n")
}

#[test]
fn pictures() {
    for strategy in ["closure", "stack"] {
        let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("{strategy}.svg")).display().to_string();
        let dot = format!("dot examples/pow.py pow 2.0 3 --stage adjoint --strategy {strategy}");
        let drawn = gradus(dot.split(' ').chain(["--svg", &path]));
        assert_eq!((drawn.code, drawn.stdout.as_str()), (0, ""), "{}", drawn.stderr);
        let text = std::fs::read_to_string(&path).expect("a picture");
        let svg = roxmltree::Document::parse(&text).unwrap_or_else(|e| panic!("{e}\n{text}"));
        let groups = |class: &'static str| svg.descendants().filter(move |n| n.attribute("class") == Some(class));

        // The nodes of the picture are those of the drawing in DOT.
        let dot = gradus(dot.split(' ')).stdout;
        let labelled = dot.lines().filter_map(|line| line.trim().split_once(" [label=\"")).filter(|(id, _)| !id.contains(' '));
        let mut expected: Vec<(&str, &str)> = labelled.map(|(id, rest)| (id, rest.split('"').next().expect("a label"))).collect();
        let drawn: Vec<(&str, String)> = groups("node").map(|n| (n.attribute("id").expect("an id"), words(n))).collect();
        let mut drawn: Vec<(&str, &str)> =
            drawn.iter().map(|(id, words)| (*id, words.as_str())).filter(|d| !d.1.is_empty()).collect();
        expected.retain(|(_, label)| !label.trim().is_empty());
        expected.sort_unstable();
        drawn.sort_unstable();
        assert!(drawn.len() > 50);
        assert_eq!(drawn, expected, "{strategy}");

        let boxes: Vec<_> =
            groups("node").filter_map(|n| n.first_element_child()).filter(|n| !n.has_tag_name("g")).map(corners).collect();
        for (i, [a, b]) in boxes.iter().enumerate() {
            for [c, d] in &boxes[..i] {
                assert!(b.0 <= c.0 || d.0 <= a.0 || b.1 <= c.1 || d.1 <= a.1, "{strategy}: nodes overlap at {a:?} and {c:?}");
            }
        }
        let part = |name: &str| {
            let found = groups("cluster").find(|&n| words(n) == name).unwrap_or_else(|| panic!("no {name} part"));
            corners(found.first_element_child().expect("a box"))
        };
        let ([_, forward], [adjoint, _]) = (part("forward"), part("adjoint"));
        assert!(forward.0 < adjoint.0 && adjoint.1 < forward.1, "{strategy}: the parts are not side by side");
    }
    let long = file("long.py", &format!("def f(x):\n{}    return x\n", "    x = 1.0 / x\n".repeat(3000)));
    let drawn = gradus(["dot", &long, "f", "2.0", "--stage", "source", "--svg", "/nowhere/long.svg"]);
    assert!(drawn.code == 2 && drawn.stderr.contains("too large"), "{}", drawn.stderr);
    let (answer, code) = answer("dot", "cube 2.0 --stage typed --svg /nowhere/cube.svg");
    assert_eq!((code, answer["error"].as_str().map(|e| e.starts_with("cannot write /nowhere/cube.svg"))), (2, Some(true)));
}

#[test]
fn changes_between_stages() {
    let text = "from gradus import grad\ndef square(x): return x * x\ndef both(x): return square(x) + grad(square)(x)\n";
    let program = file("changes.py", text);
    let changed = |since: &str, stage: &str, more: &[&str]| {
        let flags = ["--primal", "--no-simplify", "--diff", since, "--stage", stage];
        let out = gradus(["dot", &program, "both", "3.0"].iter().chain(&flags).chain(more));
        assert_eq!(out.code, 0, "{since}, {stage}: {}", out.stderr);
        let drawing = out.stdout;
        // The text of each cluster ends where the next one, or the first edge, begins.
        let nodes = |name: &str| {
            let rest = drawing.split_once(&format!("label=\"{name}\";")).map_or("", |(_, rest)| rest);
            rest.split(['}']).next().unwrap_or_default().to_owned()
        };
        let count = |text: &str| [ADDED, REMOVED].map(|color| text.matches(color).count());
        (count(&drawing), count(&nodes("@square")))
    };
    for stage in ["source", "typed", "adjoint", "optimised", "lowered"] {
        assert_eq!(changed(stage, stage, &[]).0, [0, 0], "{stage}");
    }
    // The function itself stays as it is, its derivative comes, `J` goes.
    let (all, primal) = changed("typed", "adjoint", &[]);
    assert!(all[0] > 20 && (1..10).contains(&all[1]), "{all:?}");
    assert_eq!(primal, [0, 0]);
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("changes.svg").display().to_string();
    changed("typed", "adjoint", &["--svg", &path]);
    let svg = std::fs::read_to_string(path).expect("a picture");
    assert!(svg.contains("stroke=\"#1a7f37\"") && svg.contains("stroke=\"#cf222e\""));
    assert!(refused("dot", "cube 2.0 --stage typed --diff adjoint").contains("comes after"));
    assert!(refused("dot", "cube 2.0 --diff nothing").contains("nothing"));
}

/// The colours of what is new and of what is gone.
const ADDED: &str = "color=\"#1a7f37\"";
const REMOVED: &str = "color=\"#cf222e\"";

#[test]
fn negative_numbers_are_no_flags() {
    for number in ["-1e-05", "-1.5e-3", "-2", "-0.5"] {
        let out = ask("run", &format!("cube {number}"));
        assert_eq!(out.code, 0, "{number}: {}", out.stderr);
    }
    assert_eq!(ask("grad", "cube 2.0 --seed -1e-05").code, 0);
    assert_eq!(ask("run", "cube -x").code, 2);
}

#[test]
fn checks() {
    let out = ask("check", "product 2.0 3.0 4");
    assert!(out.code == 0 && out.stdout.contains("agree") && out.stdout.contains("forward"), "{}", out.stderr);
    let (rows, code) = answer("check", "loop 2.0 3 --wrt 0");
    assert_eq!((code, &rows["agrees"], rows["rows"].as_array().map(Vec::len)), (0, &json!(true), Some(1)));
    assert!(refused("check", "cube 2.0 --order 2").contains("--order"));
    // A tree has as many floats as it has: no forward mode goes through them, and all are compared.
    let tree = file("tree.py", TREE);
    let leaf = |v: &str, l: &str| format!(r#"{{"t":"struct","cls":"N","v":{{"v":{v},"l":{l}}}}}"#);
    let chain = leaf("0.2", &leaf("0.1", "null"));
    let out = gradus(["check", &tree, "total", &chain, "--json"]);
    let rows: Json = serde_json::from_str(&out.stdout).expect("JSON");
    assert_eq!((out.code, rows["rows"].as_array().map(Vec::len)), (0, Some(2)), "{}", out.stderr);
    assert!(rows["rows"][1]["leaf"] == json!([0, 1, 0]) && rows["rows"][1]["forward"].is_null(), "{rows}");
    let out = gradus(["grad", &tree, "total", &chain, "--mode", "forward"]);
    assert!(out.code == 2 && out.stderr.contains("use reverse mode"), "{}", out.stderr);
    let pair = format!(r#"{{"t":"tuple","v":[0.5,{chain}]}}"#);
    let out = gradus(["grad", &tree, "scaled", &pair]);
    assert!(out.stdout.contains("(0.4, N(v=0.5, l=N(v=1.0, l=None)))"), "{}", out.stdout);
    assert!(refused("check", "pair 2.0 3").contains("float"));
}

#[test]
fn benchmarks() {
    const METRICS: [&str; 7] = ["compile_grad_s", "digest", "primal_s", "grad_s", "ratio", "primal_min_s", "grad_min_s"];
    let words = ["sincos", "pow", "lorenz", "nthd1", "nthd3", "nthd8_fwd"];
    let out = gradus(["bench", "--budget", "0"].into_iter().chain(words));
    assert_eq!((&*out.stderr, out.code), ("", 0));
    // The workload on an array that has one of the words in its name, too, is for [`arrays`].
    let scalars = out.stdout.lines().filter(|line| !line.starts_with("sincos_v10000"));
    let lines: Vec<Vec<&str>> = scalars.map(|line| line.split(',').collect()).collect();
    // From closed forms; those of higher orders from Taylor series in 40 digits, Lorenz's from an adjoint in C++.
    let trips = (1000.0_f64.ln() / 1.007_f64.ln()).ceil();
    let digests = [
        ("sincos", &["", "_func", "_tape", "_fwd"][..], -0.7_f64.cos().cos() * 0.7_f64.sin()),
        ("pow1000", &["", "_func", "_tape", "_fwd"], 1000.0 * 1.0007_f64.powi(999)),
        ("powdyn", &["", "_func", "_tape", "_fwd"], trips * 1.007_f64.powf(trips - 1.0)),
        ("lorenz_rk4_10000", &["", "_func", "_tape"], -343.079829437725),
        ("nthd1", &["", "_fwd"], 0.323_761_042_560_791_47),
        ("nthd3", &["", "_fwd"], -0.514_566_713_045_759),
        ("nthd8", &["_fwd"], 2_370.032_988_821_101_3),
    ];
    let mut lines = lines.iter();
    for (workload, suffixes, expected) in digests {
        for suffix in suffixes {
            for metric in METRICS {
                let Some([name, found, value]) = lines.next().map(|line| &line[..]) else {
                    panic!("{workload}{suffix}: {metric}")
                };
                assert_eq!((*name, *found), (&*format!("{workload}{suffix}"), metric));
                let value: f64 = value.parse().expect("a number");
                match metric {
                    "digest" => assert!((value - expected).abs() <= 1e-9 * expected.abs(), "{name}: {value}, not {expected}"),
                    _ => assert!(value > 0.0 && value.is_finite(), "{name}: {metric} {value}"),
                }
            }
        }
    }
    assert!(lines.next().is_none());
    arrays();
    for wrong in [&["no such workload"][..], &["--budget", "-1"], &["--budget", "long"], &["--batches", "0"]] {
        assert_eq!(gradus(["bench"].iter().chain(wrong)).code, 2, "{wrong:?}");
    }
}

/// The workloads on arrays. What tells a wrong gradient is that of a gradient by hand in C++, to nine digits.
fn arrays() {
    let digests = [
        ("sincos_v10000", -87.0612054),
        ("lse100", 3.48654144),
        ("lse1000", 3.89251241),
        ("lse100000", 4.00134662),
        ("logreg", -0.0267484088),
        ("mlp_b1_f64", -1078.9128),
        ("mlp_b8_f64", 291.354906),
        ("mlp_b32_f64", 342.162417),
        ("mlp_b256_f64", 148.01254),
        ("blackscholes", 3530716.67),
        ("lstm50", 25.4781673),
        ("gmm_d10_k25_n1000", 21445.6357),
        ("lstm_adbench_l2_c1024", -0.308618851),
        ("brusselator_n32_1000", -276.194139),
        ("rosen100_grad", -23577.5566),
    ];
    let flags = ["bench", "--budget", "0", "--batches", "1,8,32,256"];
    let out = gradus(flags.into_iter().chain(digests.map(|(name, _)| name)));
    assert_eq!((&*out.stderr, out.code), ("", 0));
    for (name, expected) in digests {
        for way in [String::from(name), format!("{name}_func"), format!("{name}_tape")] {
            let line = out.stdout.lines().find_map(|line| line.strip_prefix(&format!("{way},digest,")));
            let found: f64 = line.unwrap_or_else(|| panic!("{way}")).parse().expect("a number");
            assert!((found - expected).abs() <= 1e-8 * expected.abs(), "{way}: {found}, not {expected}");
        }
    }
}

#[test]
fn help() {
    for args in [&["--help"][..], &["grad", "--help"], &["build", "--help"], &["--version"]] {
        let out = gradus(args);
        assert!(out.code == 0 && out.stderr.is_empty() && out.stdout.contains("gradus"), "{}", out.stdout);
    }
    assert_eq!(gradus(["grad"]).code, 2);
    assert_eq!(gradus(["frobnicate"]).code, 2);
}

#[test]
fn libraries() {
    let output = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("command.o").display().to_string();
    let out = ask("build", &format!("product --sig f64,f64,i64 -o {output} --functions value,grad,hvp --wrt 1"));
    assert_eq!((out.code, out.stdout), (0, format!("{output}: product, product_grad, product_hvp\n")), "{}", out.stderr);
    assert!(std::fs::read(&output).expect("an object file").len() > 100);
    for (rest, code, message) in [
        ("product --sig f64,f64,i64 -o /nowhere/lib.a", 2, "cannot write /nowhere/lib.a"),
        ("product --sig f64,i64 -o lib.a", 2, "takes 3 arguments, 2 are given"),
        ("product --sig f64,f64,i64 -o lib.a --wrt 2", 2, "argument 2, of type int, has no derivative"),
        ("product --sig f64,f64,i64 -o lib.a --wrt 3", 2, "--wrt names argument 3"),
        ("product --sig f64,f64,f32 -o lib.a", 2, "only arrays have elements of type f32"),
        ("product --sig f64,f64,i64 -o lib.a --name int", 2, "`int` cannot be the name of a function for C"),
        ("pair --sig f64,i64 -o lib.a --functions grad", 2, "`grad` needs a function that returns a float"),
        ("missing --sig f64 -o lib.a", 2, "missing"),
    ] {
        let out = ask("build", rest);
        assert!(out.code == code && out.stderr.contains(message), "{rest}: {} {}", out.code, out.stderr);
    }
}

const NUMBERS: &str = "
import math
def quadratic(x): return x**2 + 3*x + 1
def product(x, y, n): return x * y * n
def energy(x): return (x * x).sum() * 0.1
def pair(x): return x * x, 2
def exponential(x):
    return math.exp(x)
def quotient(x): return 1 / x
";

/// Runs `gradus COMMAND` on the program above.
fn ask_numbers(args: &[&str]) -> Output {
    let program = file(&format!("command-numbers-{:?}.py", std::thread::current().id()), NUMBERS);
    gradus([args[0], &program].into_iter().chain(args[1..].iter().copied()))
}

#[test]
fn other_numbers_than_floats() {
    let text = |args: &[&str]| {
        let out = ask_numbers(args);
        assert_eq!((&*out.stderr, out.code), ("", 0), "{args:?}");
        out.stdout
    };
    let rational = ["--number", "rational"];
    let grad = |args: &[&str]| text(&[&["grad"], args].concat());
    for strategy in ["auto", "closure", "stack"] {
        let args = ["quadratic", "1//3", "--strategy", strategy];
        assert_eq!(grad(&[&args[..], &rational].concat()), "value     19//9\ngradient  11//3\n", "{strategy}");
    }
    assert_eq!(text(&["run", "quadratic", "0.1", "--number", "rational"]), "131//100\n");
    assert_eq!(
        grad(&["quadratic", "\"-1/3\"", "--number", "rational", "--order", "3", "--mode", "forward,reverse"]),
        "value     1//9\norder 1   7//3\norder 2   2//1\norder 3   0//1\n"
    );
    assert_eq!(
        grad(&["product", "1//2", "2/3", "4", "--number", "rational", "--wrt", "1"]),
        "value     4//3\ngradient  (None, 2//1, None)\n"
    );
    assert_eq!(grad(&["energy", "[\"1/3\",2]", "--number", "rational"]), "value     37//90\ngradient  [1//15, 2//5]\n");
    assert_eq!(
        grad(&["pair", "1//3", "--seed", "[\"1/2\",null]", "--number", "rational"]),
        "value     (1//9, 2)\ngradient  1//3\n"
    );
    assert_eq!(
        grad(&["quadratic", "0.33333333±0.01", "--number", "measurement"]),
        "value     2.11 ± 0.04\ngradient  3.67 ± 0.02\n"
    );
    assert_eq!(text(&["run", "exponential", "0.1", "--number", "big"]), "1.1051709180756476248117078264902466682245471947375\n");
    assert_eq!(text(&["run", "exponential", "0.1", "--number", "big", "--digits", "20"]), "1.1051709180756476248\n");
    // A float would not hold this many digits.
    let tenth = "0.10000000000000000000000000000000000000000000000001";
    assert_eq!(text(&["run", "product", tenth, "1.0", "1", "--number", "big"]), format!("{tenth}\n"));
}

#[test]
fn other_numbers_as_json() {
    let answer = |args: &[&str]| {
        let out = ask_numbers(args);
        let answer: Json = serde_json::from_str(&out.stdout).unwrap_or_else(|e| panic!("{args:?}: {e}: {}", out.stdout));
        (answer, out.code)
    };
    let (found, code) = answer(&["grad", "product", "1//2", "2//3", "4", "--number", "rational", "--json"]);
    assert_eq!((&found["value"], &found["gradient"], code), (&json!("4//3"), &json!(["8//3", "2//1", null]), 0));
    assert_eq!(found["backend"], json!("interp"));
    let (found, _) = answer(&["grad", "quadratic", "2.5+-0.1", "--number", "measurement", "--json"]);
    assert_eq!((&found["value"], &found["gradient"]), (&json!("14.75 ± 0.8"), &json!(["8.0 ± 0.2"])));
    for (args, code, message) in [
        (&["grad", "exponential", "1//3", "--number", "rational"][..], 2, "`exp` has no value among rational numbers"),
        (&["grad", "quotient", "0.0", "--number", "rational"], 1, "division by zero"),
        (&["run", "quadratic", "1//0", "--number", "rational"], 2, "denominator zero"),
        (&["run", "quadratic", "1//x", "--number", "rational"], 2, "no rational number"),
        (&["run", "quadratic", "2±-1", "--number", "measurement"], 2, "no measurement"),
        (&["run", "quadratic", "0.1.2", "--number", "big"], 2, "no number of many digits"),
        (&["run", "quadratic", "0.1", "--number", "complex"], 2, "complex"),
        (&["run", "quadratic", "0.1", "--number", "big", "--digits", "0"], 2, "--digits"),
        (&["run", "quadratic", "0.1", "--number", "big", "--out", "x.npy"], 2, "--out"),
        (&["grad", "quadratic", "3", "--number", "rational"], 2, "3.0"),
        (&["run", "quadratic", "1//3"], 2, "not JSON"),
    ] {
        let (found, found_code) = answer(&[args, &["--json"]].concat());
        assert!(found_code == code && found["error"].as_str().is_some_and(|e| e.contains(message)), "{args:?}: {found}");
    }
    let (found, _) = answer(&["grad", "exponential", "1//3", "--number", "rational", "--json"]);
    assert_eq!((&found["line"], &found["column"]), (&json!(8), &json!(12)));
    assert!(found["hint"].as_str().is_some_and(|h| h.contains("--number big")), "{found}");
}

/// Instances with different numbers of others of their class come in, and so does the gradient with respect to them go out: of the
/// product of each value with the sum over its children, and one.
#[test]
fn instances_with_lists() {
    let tree = |value: f64, children: Json| json!({"t": "struct", "cls": "Tree", "v": {"value": value, "children": {"t": "list", "v": children}}});
    let leaves = json!([tree(0.5, json!([])), tree(0.25, json!([tree(2.0, json!([]))]))]);
    let program = file(
        "command-tree.py",
        "
from dataclasses import dataclass
@dataclass(frozen=True)
class Tree:
    value: float
    children: list['Tree']
def total(t):
    return t.value * (1.0 + sum([total(c) for c in t.children]))
",
    );
    // 3 (1 + 0.5 + 0.25 (1 + 2))
    let grown = |value: f64, children: Json| json!({"value": value, "children": children});
    let expected = grown(2.25, json!([grown(3.0, json!([])), grown(9.0, json!([grown(0.75, json!([]))]))]));
    for rest in [&["--strategy", "closure"][..], &["--strategy", "stack"], &["--backend", "interp"], &["--no-simplify"]] {
        let argument = tree(3.0, leaves.clone()).to_string();
        let out = gradus(["grad", &program, "total", &argument, "--json"].into_iter().chain(rest.iter().copied()));
        let answer: Json = serde_json::from_str(&out.stdout).unwrap_or_else(|e| panic!("{e}: {}{}", out.stdout, out.stderr));
        assert_eq!((&answer["value"], &answer["gradient"]), (&json!(6.75), &json!([expected])), "{rest:?}");
    }
}

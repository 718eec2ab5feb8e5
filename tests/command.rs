//! The contract of the command (docs/command.md): flags, answers as text and as JSON, exit codes.

#[path = "command/arrays.rs"]
mod arrays;
#[path = "command/bench.rs"]
mod bench;
#[path = "common/command.rs"]
mod command;
#[path = "command/drawn.rs"]
mod drawn;
#[path = "command/grad.rs"]
mod grad;
#[path = "command/numbers.rs"]
mod numbers;
#[path = "command/outputs.rs"]
mod outputs;
#[path = "command/printed.rs"]
mod printed;

use command::{Output, gradus};
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
def chain(x, *rest, by=1.0, **others): return sum([x * by * y for y in rest]) + len(others)
def same(x): return x
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

/// Classes some of whose fields need not be given.
const DEFAULTS: &str = "
from dataclasses import dataclass, field

SCALE = 4.0
def pair(): return [1.0, SCALE]

@dataclass(frozen=True)
class Inner:
    a: float
    b: float = 2.0

@dataclass
class Outer:
    x: float
    inner: Inner = field(default_factory=lambda: Inner(SCALE * 2))
    items: list = field(default_factory=pair)
    empty: list = field(default_factory=list)
    rest: tuple = (1, 's', None, -0.5)
    on: bool = field(default=True, kw_only=True)

def same(o): return o
def area(o): return o.x * o.inner.a * o.inner.b * o.items[1]
";

#[test]
fn defaults_of_fields() {
    let program = file("command-defaults.py", DEFAULTS);
    let run = |args: &[&str]| gradus([&args[..1], &[&program], &args[1..]].concat());
    let given = r#"{"t":"struct","cls":"Outer","v":{"x":1.5}}"#;
    let all = "Outer(x=1.5, inner=Inner(a=8.0, b=2.0), items=[1.0, 4.0], empty=[], rest=(1, \"s\", None, -0.5), on=True)\n";
    assert_eq!(run(&["run", "same", given]).stdout, all);
    let inner = r#"{"t":"struct","cls":"Outer","v":{"on":true,"x":1.5,"inner":{"t":"struct","cls":"Inner","v":{"a":8.0}}}}"#;
    assert_eq!(run(&["run", "same", inner]).stdout, all);
    assert_eq!(run(&["run", "area", given, "--number", "rational"]).stdout, "96//1\n");
    let out = run(&["grad", "area", given, "--json"]);
    let answer: Json = serde_json::from_str(&out.stdout).unwrap_or_else(|e| panic!("{e}: {}{}", out.stdout, out.stderr));
    assert_eq!(answer["gradient"][0]["inner"], json!({"a": 12.0, "b": 48.0}));
    for (given, said) in [
        (r#"{"t":"struct","cls":"Outer","v":{}}"#, "an instance of `Outer` is given without the field `x`"),
        (r#"{"t":"struct","cls":"Inner","v":{"a":1.0,"c":1.0}}"#, "the class `Inner` has no field `c`; it has `a`, `b`"),
        (r#"{"t":"struct","cls":"Inner"}"#, "its value, is missing"),
        (r#"{"t":"struct"}"#, "its value, is missing"),
        (r#"{"t":"list"}"#, "its value, is missing"),
        (r#"{"t":"f64"}"#, "its value, is missing"),
        (r#"{"t":"struct","v":{"a":1.0}}"#, "a struct has a \"cls\""),
        (r#"{"t":"struct","cls":3,"v":{"a":1.0}}"#, "a struct has a \"cls\""),
        (r#"{"t":"struct","cls":"Inner","v":[1.0]}"#, "[1.0] is no value of type struct"),
        (r#"{"t":"array","dtype":"float64","shape":[1,"x"],"data":[1.0]}"#, "a list of ints"),
        (r#"{"t":"array","dtype":"float64","shape":[-1],"data":[1.0]}"#, "does not have 1 elements"),
    ] {
        let out = run(&["run", "same", given]);
        assert!(out.code == 2 && out.stderr.contains(said), "{given}: {} {}", out.code, out.stderr);
    }
}

/// What Python writes that is no JSON.
#[test]
fn floats_that_json_has_not() {
    assert_eq!(value("same NaN"), json!("nan"));
    assert_eq!(value("reciprocal -Infinity"), json!(-0.0));
    assert_eq!(value("same [NaN,1,-Infinity]"), json!(["nan", 1.0, "-inf"]));
    assert_eq!(
        value(r#"same {"a_NaN":[Infinity],"b\"Infinity":"-Infinity"}"#),
        json!({"a_NaN": ["inf"], "b\"Infinity": "-Infinity"})
    );
    assert_eq!(gradient("product 2.0 3.0 4 --seed Infinity"), json!(["inf", "inf", null]));
    assert!(refused("run", "same [NaN,1").contains("not JSON"));
    assert!(refused("run", "same NaNa").contains("not JSON"));
    let path = file("args-marked.json", "\u{feff}[2.0, NaN, 4]");
    assert_eq!(gradient(&format!("product --args-json {path}")), json!(["nan", 8.0, null]));
    let path = file("seed-marked.json", "\u{feff}-2.5");
    assert_eq!(gradient(&format!("product 2.0 3.0 4 --seed-json {path}")), json!([-30.0, -20.0, null]));
    // Whatever is answered is JSON, infinities among it.
    let out = ask("check", "reciprocal 1e-300 --json");
    assert!(out.stdout.lines().all(|l| serde_json::from_str::<Json>(l).is_ok()), "{}", out.stdout);
}

#[test]
fn arguments() {
    assert_eq!(value("reciprocal -2.0"), json!(-0.5));
    assert_eq!(value("reciprocal -4"), json!(-0.25));
    assert_eq!(value("reciprocal -1e3"), json!(-0.001));
    assert_eq!(value("reciprocal 0.0"), json!("inf"));
    assert_eq!(value("reciprocal -0.0"), json!("-inf"));
    assert_eq!(value(r#"reciprocal {"t":"f64","v":"-inf"}"#), json!(-0.0));
    assert_eq!(value("pair -0.0 2"), json!([0.0, 2, [-0.0, true]]));
    assert_eq!(value(r#"same {"t":"complex","v":[-0.0,1.0]}"#), json!({"real": -0.0, "imag": 1.0}));
    assert_eq!(value("same [-0.0,0.0]"), json!([-0.0, 0.0]));
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
fn arguments_that_one_parameter_takes() {
    assert_eq!(value("chain 2.0 3.0 4.0"), json!(14.0));
    assert_eq!(gradient("chain 2.0 3.0 4.0"), json!([7.0, 2.0, 2.0]));
    assert_eq!(gradient("chain 2.0 3.0 4.0 --wrt 2"), json!([null, null, 2.0]));
    for command in ["check", "ir", "dot", "compare --sweep rest_1=1.0,2.0"] {
        let (command, flags) = command.split_once(' ').unwrap_or((command, ""));
        let out = ask(command, format!("chain 2.0 3.0 4.0 {flags}").trim_end());
        assert_eq!(out.code, 0, "{command}: {}", out.stderr);
    }
    assert!(refused("run", "chain").contains("takes 1 or more arguments, 0 are given"));
}

#[test]
fn a_page_of_all_stages() {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("cube.html");
    let out = ask("show", &format!("cube 2.0 --out {}", path.display()));
    assert_eq!((out.code, out.stdout.trim()), (0, &*format!("written: {}", path.display())), "{}", out.stderr);
    let page = std::fs::read_to_string(&path).expect("a page");
    let (_, data) = page.split_once("id=\"data\">").expect("data");
    let data: Json = serde_json::from_str(data.split_once("</script>").expect("an end").0).expect("JSON");
    let names: Vec<&str> = data["stages"].as_array().expect("stages").iter().filter_map(|s| s["name"].as_str()).collect();
    assert_eq!(names, ["source", "typed", "adjoint", "optimised", "lowered", "machine"]);
    assert!(!page.contains("src=") && !page.contains("href="));
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
    let out = ask("build", &format!("product --sig f64,f64,i64 -o {output} --functions value,grad,hvp --wrt 1 --prefix m"));
    assert_eq!((out.code, out.stdout), (0, format!("{output}: m_product, m_product_grad, m_product_hvp\n")), "{}", out.stderr);
    assert!(std::fs::read(&output).expect("an object file").len() > 100);
    for (rest, code, message) in [
        ("product --sig f64,f64,i64 -o /nowhere/lib.a", 2, "cannot write /nowhere/lib.a"),
        ("product --sig f64,i64 -o lib.a", 2, "takes 3 arguments, 2 are given"),
        ("product --sig f64,f64,i64 -o lib.a --wrt 2", 2, "argument 2, of type int, has no derivative"),
        ("product --sig f64,f64,i64 -o lib.a --wrt 3", 2, "--wrt names argument 3"),
        ("product --sig f64,f64,f32 -o lib.a", 2, "only arrays have elements of type f32"),
        ("product --sig f64,f64,i64 -o lib.a --name int --prefix=", 2, "`int` cannot be the name of a function for C"),
        ("pair --sig f64,i64 -o lib.a --functions grad", 2, "`grad` needs a function that returns a float"),
        ("missing --sig f64 -o lib.a", 2, "missing"),
    ] {
        let out = ask("build", rest);
        assert!(out.code == code && out.stderr.contains(message), "{rest}: {} {}", out.code, out.stderr);
    }
}

#[test]
fn passes_and_rules_are_left_out_and_added() {
    let rules = gradus(["rules"]);
    assert!(rules.code == 0 && rules.stderr.is_empty() && rules.stdout.lines().count() == gradus_opt::rules::RULES.len());
    assert!(
        rules.stdout.lines().any(|l| l.split_whitespace().collect::<Vec<_>>().join(" ") == "mul-one exact (mul ?a 1.0) => ?a")
    );
    let mine: String = rules.stdout.lines().map(|line| format!("my-{line}\n")).collect();
    let read = gradus::Rule::read(&mine).expect("rules are read as they are printed");
    let same = |(rule, read): (&gradus::Rule, &gradus::Rule)| {
        (&rule.class, &rule.left, &rule.right, &rule.gives_up) == (&read.class, &read.left, &read.right, &read.gives_up)
    };
    assert!(gradus_opt::rules::RULES.iter().zip(&read).all(same));
    let list: Json = serde_json::from_str(&gradus(["rules", "--json"]).stdout).expect("JSON");
    let root = list.as_array().unwrap().iter().find(|rule| rule["name"] == "square-sqrt").expect("a rule of the table");
    assert_eq!((&root["class"], &root["conditions"]), (&json!("real"), &json!(["never_negative ?a"])));

    let all = ask("grad", "cube 2.0 --log");
    assert_eq!((&*all.stdout, all.code), ("value     8.0\ngradient  12.0\n", 0));
    assert!(all.stderr.contains(" 0 infer: ") && all.stderr.contains(" inline: "), "{}", all.stderr);
    let none = ask("grad", "cube 2.0 --log --passes 0");
    assert_eq!((&none.stdout, none.code), (&all.stdout, 0));
    assert!(none.stderr.contains(" expand: ") && !none.stderr.contains(" inline: "), "{}", none.stderr);
    let without = ask("grad", "cube 2.0 --log --without inline,powi-3,saturate");
    assert_eq!((&without.stdout, without.code), (&all.stdout, 0));
    assert!(!without.stderr.contains(" inline: ") && !without.stderr.contains("saturate"), "{}", without.stderr);

    let out = ask("grad", "cube 2.0 --without inlining");
    assert!(out.code == 2 && out.stderr.contains("there is no such pass or rule"), "{}", out.stderr);
    let path = file("mine.rules", "odd  real  (sinus ?a) => ?a\n");
    let out = ask("grad", &format!("cube 2.0 --rules {path}"));
    assert!(out.code == 2 && out.stderr.contains("line 1: `(sinus ?a)` is no term"), "{}", out.stderr);
    let path = file("mine.rules", "# Three factors are two.\ncubes  exact  (mul (mul ?a ?a) ?a) => (mul ?a ?a)\n");
    let out = ask("run", &format!("cube 3.0 --rules {path}"));
    assert_eq!((&*out.stdout, out.code), ("9.0\n", 0), "{}", out.stderr);
}

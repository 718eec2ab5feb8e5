//! `gradus gradbench`: every function of the programs in examples/gradbench/ against answers that come from
//! tests/oracle/gradbench.py, and the protocol, by conversations with the built command.

use serde_json::{Value as Json, json};
use std::collections::BTreeSet;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// The command, spoken with line by line.
struct Tool {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
}

impl Tool {
    fn start(args: &[&str]) -> Tool {
        let mut child = Command::new(env!("CARGO_BIN_EXE_gradus"))
            .arg("gradbench")
            .args(args)
            .current_dir(env!("CARGO_MANIFEST_DIR"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("the command starts");
        let input = child.stdin.take();
        let output = BufReader::new(child.stdout.take().expect("a pipe"));
        Tool { child, input, output }
    }

    /// Says a line, and gives the answer, which is to come before anything else is said.
    fn say(&mut self, line: &[u8]) -> Json {
        let input = self.input.as_mut().expect("an open pipe");
        input.write_all(line).and_then(|()| input.write_all(b"\n")).and_then(|()| input.flush()).expect("the command reads");
        let mut answer = String::new();
        self.output.read_line(&mut answer).expect("the command answers");
        serde_json::from_str(&answer).unwrap_or_else(|e| panic!("{e}: {answer}"))
    }

    fn send(&mut self, message: &Json) -> Json {
        self.say(message.to_string().as_bytes())
    }

    /// Ends the input; gives what is still said, and the exit code.
    fn end(mut self) -> (String, Option<i32>) {
        drop(self.input.take());
        let mut rest = String::new();
        while self.output.read_line(&mut rest).expect("UTF-8") > 0 {}
        (rest, self.child.wait().expect("the command ends").code())
    }
}

/// The numbers of an answer, and what is around them.
fn numbers(j: &Json, found: &mut Vec<f64>) -> Json {
    match j {
        Json::Number(n) => {
            found.push(n.as_f64().expect("a number"));
            Json::Null
        }
        Json::Array(items) => items.iter().map(|j| numbers(j, found)).collect(),
        Json::Object(fields) => {
            let sorted: std::collections::BTreeMap<_, _> = fields.iter().collect();
            sorted.into_iter().map(|(name, j)| (name.clone(), numbers(j, found))).collect::<serde_json::Map<_, _>>().into()
        }
        other => other.clone(),
    }
}

/// Whether each number is what is expected, to 1e-9 of it; to 1e-12 of the largest where it is nearly zero.
fn same(answer: &Json, expected: &Json) -> bool {
    let (mut x, mut y) = (Vec::new(), Vec::new());
    let alike = numbers(answer, &mut x) == numbers(expected, &mut y);
    let largest = y.iter().fold(0.0_f64, |s, v| s.max(v.abs()));
    alike && x.iter().zip(&y).all(|(x, y)| (x - y).abs() <= 1e-9 * y.abs() + 1e-12 * largest)
}

fn timings(answer: &Json) -> Vec<(&str, u64)> {
    let timings = answer["timings"].as_array().expect("timings");
    let timing = |t: &'_ Json| t["nanoseconds"].as_u64().expect("nanoseconds");
    timings.iter().map(|t| (t["name"].as_str().expect("a name"), timing(t))).collect()
}

#[test]
fn programs_answer_what_is_known() {
    let text = include_str!("gradbench/answers.json");
    let cases: Vec<Json> = serde_json::from_str(text).expect("JSON");
    let mut tool = Tool::start(&[]);
    let mut defined = BTreeSet::new();
    let mut functions = BTreeSet::new();
    for case in &cases {
        let (module, function) = (&case["module"], &case["function"]);
        if defined.insert(module.to_string()) {
            let answer = tool.send(&json!({"id": 0, "kind": "define", "module": module}));
            assert_eq!(answer["success"], true, "{module}: {answer}");
        }
        let message = json!({"id": 1, "kind": "evaluate", "module": module, "function": function, "input": case["input"]});
        let answer = tool.send(&message);
        assert_eq!(answer["success"], true, "{module} {function}: {answer}");
        assert!(same(&answer["output"], &case["output"]), "{module} {function}: {}\n{}", answer["output"], case["output"]);
        functions.insert((module.to_string(), function.to_string()));
    }
    assert_eq!((defined.len(), functions.len()), (12, 28));
    assert_eq!(tool.end(), (String::new(), Some(0)));
}

/// A whole session as GradBench's protocol defines it: an eval says `start`, `define`, `evaluate` and `analysis` in turns, and `end`;
/// ids count up. Inputs of `hello` are bare numbers.
#[test]
fn conversation() {
    let mut tool = Tool::start(&[]);
    let answer = tool.send(&json!({"id": 0, "kind": "start", "eval": "hello", "config": {"seed": 1}}));
    assert_eq!(answer, json!({"id": 0, "tool": "gradus"}));
    let answer = tool.send(&json!({"id": 1, "kind": "define", "module": "hello"}));
    assert_eq!((&answer["id"], &answer["success"]), (&json!(1), &json!(true)));
    assert_eq!(timings(&answer).len(), 1);
    let mut x = json!(3.0);
    for (id, function, expected) in [(2, "square", 9.0), (4, "double", 18.0), (6, "square", 324.0)] {
        let message =
            json!({"id": id, "kind": "evaluate", "module": "hello", "function": function, "input": x, "description": "x"});
        let answer = tool.send(&message);
        assert_eq!((&answer["id"], &answer["success"], &answer["output"]), (&json!(id), &json!(true), &json!(expected)));
        assert_eq!(timings(&answer).iter().map(|t| t.0).collect::<Vec<_>>(), ["evaluate"]);
        x = answer["output"].clone();
        assert_eq!(tool.send(&json!({"id": id + 1, "kind": "analysis", "of": id, "valid": true})), json!({"id": id + 1}));
    }
    // An eval that finds an answer wrong says why, and goes on.
    let message = json!({"id": 8, "kind": "analysis", "of": 6, "valid": false, "error": "324 is wrong"});
    assert_eq!(tool.send(&message), json!({"id": 8}));
    let answer = tool.send(&json!({"id": 9, "kind": "define", "module": "unknown"}));
    assert_eq!((&answer["id"], &answer["success"]), (&json!(9), &json!(false)));
    assert_eq!(tool.send(&json!({"id": 10, "kind": "end"})), json!({"id": 10}));
    assert_eq!(tool.end(), (String::new(), Some(0)));
}

/// A function of one parameter takes an input whatever JSON value it is, or the field with the name of its parameter.
#[test]
fn inputs_of_all_kinds() {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("gradbench-inputs");
    std::fs::create_dir_all(&folder).expect("a folder");
    let text = "
def same(x): return x
def total(v): return sum(v)
def number(p): return p['mynumber'] * 2
def both(x, y): return x - y
";
    std::fs::write(folder.join("inputs.py"), text).expect("a file");
    std::fs::write(folder.join("prepared.py"), "def prepare(x): return x + 1.0\ndef twice(y): return 2.0 * y\n").expect("a file");
    let mut tool = Tool::start(&["--programs", folder.to_str().expect("UTF-8")]);
    for module in ["inputs", "prepared"] {
        assert_eq!(tool.send(&json!({"id": 0, "kind": "define", "module": module}))["success"], true);
    }
    for (module, function, input, output) in [
        ("inputs", "same", json!(1.5), json!(1.5)),
        ("inputs", "same", json!(3), json!(3)),
        ("inputs", "same", json!(true), json!(true)),
        ("inputs", "same", json!("text"), json!("text")),
        ("inputs", "same", json!(null), json!(null)),
        ("inputs", "same", json!([1.0, 2.0]), json!([1.0, 2.0])),
        ("inputs", "same", json!({"x": 2.5, "min_runs": 1, "min_seconds": 0}), json!(2.5)),
        ("inputs", "total", json!([1.0, 2.0, 4.0]), json!(7.0)),
        ("inputs", "number", json!({"mynumber": 121}), json!(242)),
        ("inputs", "both", json!({"y": 1.0, "x": 4.0}), json!(3.0)),
        ("prepared", "twice", json!(2.0), json!(6.0)),
    ] {
        let message = json!({"id": 1, "kind": "evaluate", "module": module, "function": function, "input": input});
        let answer = tool.send(&message);
        assert_eq!((&answer["success"], &answer["output"]), (&json!(true), &output), "{function} {input}: {answer}");
    }
}

#[test]
fn runs_are_repeated() {
    let mut tool = Tool::start(&[]);
    tool.send(&json!({"id": 0, "kind": "define", "module": "lse"}));
    let mut evaluate = |min_runs: u64, min_seconds: f64| {
        let input = json!({"x": [1.0, 2.0], "min_runs": min_runs, "min_seconds": min_seconds});
        let answer = tool.send(&json!({"id": 1, "kind": "evaluate", "module": "lse", "function": "gradient", "input": input}));
        timings(&answer).iter().map(|t| t.1).collect::<Vec<_>>()
    };
    assert_eq!(evaluate(7, 0.0).len(), 7);
    assert_eq!(evaluate(0, 0.0).len(), 1);
    let times = evaluate(1, 0.01);
    assert!(times.iter().sum::<u64>() >= 10_000_000 && times.len() > 1);
    // The last run is the one that reaches the time.
    assert!(times[..times.len() - 1].iter().sum::<u64>() < 10_000_000);
}

/// The messages of failed answers, in which the session goes on.
#[test]
fn bad_lines() {
    let mut tool = Tool::start(&[]);
    tool.send(&json!({"id": 0, "kind": "define", "module": "llsq"}));
    let evaluate =
        |input: Json| json!({"id": [7], "kind": "evaluate", "module": "llsq", "function": "primal", "input": input}).to_string();
    let x: Vec<f64> = vec![0.5; 300_000];
    let deep = format!("{}1.0{}", "[".repeat(100_000), "]".repeat(100_000));
    let cases = [
        ("", Json::Null, "the line is not JSON"),
        ("}{", Json::Null, "the line is not JSON"),
        ("{\"id\": 7, \"kind\": ", Json::Null, "the line is not JSON"),
        (&deep, Json::Null, "the line is not JSON"),
        ("17", Json::Null, "the message has no `kind`"),
        ("[]", Json::Null, "the message has no `kind`"),
        ("{\"id\": 7}", json!(7), "the message has no `kind`"),
        ("{\"id\": 7, \"kind\": 3}", json!(7), "the message has no `kind`"),
        ("{\"id\": 7, \"kind\": \"define\"}", json!(7), "the message has no `module`"),
        ("{\"id\": 7, \"kind\": \"define\", \"module\": \"nothing\"}", json!(7), "cannot read"),
        ("{\"id\": 7, \"kind\": \"define\", \"module\": \"../newton\"}", json!(7), "`../newton` is no name of a module"),
        ("{\"id\": 7, \"kind\": \"evaluate\"}", json!(7), "the message has no `module`"),
        ("{\"id\": 7, \"kind\": \"evaluate\", \"module\": \"llsq\"}", json!(7), "the message has no `function`"),
        (
            "{\"id\": 7, \"kind\": \"evaluate\", \"module\": \"llsq\", \"function\": \"primal\"}",
            json!(7),
            "the message has no `input`",
        ),
        (
            "{\"id\": 7, \"kind\": \"evaluate\", \"module\": \"ode\", \"function\": \"primal\", \"input\": {}}",
            json!(7),
            "the module `ode` is not defined",
        ),
        (
            "{\"id\": 7, \"kind\": \"evaluate\", \"module\": \"llsq\", \"function\": \"f\", \"input\": {}}",
            json!(7),
            "the module has no function `f`",
        ),
        (&evaluate(json!([])), json!([7]), "the input has no field `x`"),
        (&evaluate(json!({"x": [1.0]})), json!([7]), "the input has no field `n`"),
        (&evaluate(json!({"x": [1.0], "n": 3, "min_runs": -1})), json!([7]), "`min_runs` is no number of runs"),
        (&evaluate(json!({"x": [1.0], "n": 3, "min_seconds": "1"})), json!([7]), "`min_seconds` is no number of seconds"),
        (&evaluate(json!({"x": [1.0], "n": "many"})), json!([7]), "error: "),
        (&evaluate(json!({"x": [[1.0], [2.0, 3.0]], "n": 3})), json!([7]), "error: "),
        (&evaluate(json!({"x": x, "n": -1})), json!([7]), "error: "),
        (&evaluate(json!({"x": [1.0], "n": 1_i64 << 62})), json!([7]), "has more than 1099511627776 elements"),
    ];
    for (line, id, message) in cases {
        let shown = line.chars().take(100).collect::<String>();
        let answer = tool.say(line.as_bytes());
        assert_eq!((&answer["id"], &answer["success"]), (&id, &json!(false)), "{shown}: {answer}");
        let error = answer["error"].as_str().expect("a message");
        assert!(error.contains(message), "{shown}: {error}");
    }
    assert_eq!(tool.say(b"\xff\xfe")["success"], false);
    assert_eq!(tool.send(&json!({"id": 8, "kind": "finish"})), json!({"id": 8}));
    let answer = tool.say(evaluate(json!({"x": x, "n": 2})).as_bytes());
    // At -1 and 1 alike the polynomial is a sum of as many halves of either sign.
    assert_eq!((&answer["id"], &answer["output"]), (&json!([7]), &json!(0.5 * (1.0 + 149_999.0 * 149_999.0))));
    assert_eq!(tool.end(), (String::new(), Some(0)));
}

#[test]
fn programs_of_other_folders() {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("gradbench");
    std::fs::create_dir_all(&folder).expect("a folder");
    let text = "
def prepare(a, b): return {'t': (a, b)}
def first(t): return t[0]
def first_output(y): return {'y': y}
def shout(t):
    print(t)
    return t[1]
def fail(t):
    assert t[0] > t[1], 'not sorted'
    return 1.0
";
    std::fs::write(folder.join("own.py"), text).expect("a file");
    std::fs::write(folder.join("broken.py"), "def f(:\n").expect("a file");
    let mut tool = Tool::start(&["--programs", folder.to_str().expect("UTF-8")]);
    let define = |module: &str| json!({"id": 0, "kind": "define", "module": module});
    assert_eq!(tool.send(&define("own"))["success"], true);
    assert_eq!(tool.send(&define("broken"))["success"], false);
    assert_eq!(tool.send(&define("hello"))["success"], false);
    let mut evaluate = |function: &str| {
        let input = json!({"a": 1.5, "b": 2.5});
        tool.send(&json!({"id": 1, "kind": "evaluate", "module": "own", "function": function, "input": input}))
    };
    assert_eq!(evaluate("first")["output"], json!({"y": 1.5}));
    // What a program prints is not said on standard output.
    assert_eq!(evaluate("shout")["output"], json!(2.5));
    let error = evaluate("fail")["error"].to_string();
    assert!(error.contains("not sorted") && error.contains("own.py:9"), "{error}");
}

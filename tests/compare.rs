//! `gradus compare`: what its tables hold, as JSON, as comma-separated values and as text; sweeps and plots; refusals.

#[path = "common/command.rs"]
mod command;

use command::{Output, gradus};
use serde_json::{Value as Json, json};
use std::path::PathBuf;

const PROGRAM: &str = "
def power(x, n):
    r = 1.0
    for i in range(n):
        r = r * x
    return r
def cube(x): return x ** 3
def pair(x, n): return x * x, n
def tree(x, n):
    if n < 1:
        return x
    return x * tree(x, n - 1)
def applied(x, n):
    f = lambda y: y
    for i in range(n):
        f = (lambda g: lambda y: x * g(y))(f)
    return f(x)
def remainder(x, n): return x * (7 % n)
";

/// The program in a file of its own.
fn file() -> String {
    let name = format!("compare-{:?}.py", std::thread::current().id());
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, PROGRAM).expect("a file");
    path.display().to_string()
}

/// Runs `gradus compare PROGRAM REST…`, where the rest is split at spaces, and measures no longer than it must.
fn ask(rest: &str) -> Output {
    gradus(["compare", &file(), "--seconds", "0"].into_iter().chain(rest.split(' ')))
}

fn compare(rest: &str) -> Json {
    let out = ask(&format!("{rest} --json"));
    assert_eq!((out.code, out.stdout.lines().count()), (0, 1), "{rest}: {}{}", out.stdout, out.stderr);
    serde_json::from_str(&out.stdout).unwrap_or_else(|e| panic!("{rest}: {e}: {}", out.stdout))
}

fn rows(answer: &Json) -> &[Json] {
    answer["rows"].as_array().expect("rows")
}

/// The row of a strategy, simplified as by default.
fn row<'j>(answer: &'j Json, strategy: &str) -> &'j Json {
    let found = rows(answer).iter().find(|r| r["strategy"] == strategy && r["simplify"] == "interleaved");
    found.unwrap_or_else(|| panic!("no row of {strategy}: {answer}"))
}

/// The strategies and orders of simplification, without those of `auto`, which are there only if its program is another.
fn named(answer: &Json) -> Vec<(&str, &str)> {
    let rows = rows(answer).iter().filter(|r| r["strategy"] != "auto" && r["closures_as"] == "tapes");
    rows.map(|r| (r["strategy"].as_str().unwrap(), r["simplify"].as_str().unwrap())).collect()
}

fn refused(rest: &str) -> String {
    let out = ask(rest);
    assert_eq!(out.code, 2, "{rest}: {}{}", out.stdout, out.stderr);
    out.stderr
}

/// Whether a text fits on a screen, but for the first line, which names the file.
fn is_narrow(text: &str) -> bool {
    text.lines().skip(1).all(|line| line.chars().count() <= 120)
}

#[test]
fn every_way_with_its_figures() {
    let answer = compare("power 1.01 100");
    let all = ["interleaved", "at end", "off"];
    assert_eq!(named(&answer), ["closure", "stack"].map(|s| all.map(|simplify| (s, simplify))).concat());
    for row in rows(&answer) {
        for figure in ["nodes_typed", "nodes_lowered", "code_bytes", "seconds", "ratio"] {
            assert!(row[figure].as_f64() > Some(0.0), "{figure}: {row}");
        }
        assert!(row["runs"].as_u64() >= Some(5), "{row}");
        for figure in ["closure_sites", "indirect_calls", "closures", "heap_bytes", "tape_bytes", "records"] {
            assert!(row[figure].is_u64(), "{figure}: {row}");
        }
        let seconds = row["compile_seconds"].as_object().expect("times by pass");
        assert!(["infer", "expand", "code", "total"].iter().all(|pass| seconds.contains_key(*pass)), "{row}");
        for pass in ["number", "inline", "saturate"] {
            assert_eq!(seconds.contains_key(pass), row["simplify"] != "off", "{row}");
        }
        // Going back, both strategies do the same; `auto` goes forward here.
        let distance = if row["strategy"] == "auto" { 1e-12 } else { 0.0 };
        assert!(row["difference"].as_f64() <= Some(distance) && row["error"] == Json::Null, "{row}");
    }
    let value = &answer["value"];
    assert!(value["seconds"].as_f64() > Some(0.0) && value["runs"].as_u64() >= Some(5), "{value}");
    assert_eq!((&value["closures"], &value["tape_bytes"]), (&json!(0), &json!(0)));
    assert_eq!((&answer["backend"], &answer["call"]), (&json!("jit"), &json!("power(1.01, 100)")));
}

#[test]
fn what_a_loop_keeps() {
    let answer = compare("power 1.01 100");
    let stack = row(&answer, "stack");
    assert_eq!(
        (&stack["tape_bytes_per_record"], &stack["tape_bytes"], &stack["records"]),
        (&json!(8.0), &json!(800), &json!(100))
    );
    assert_eq!((&stack["closures"], &stack["heap_bytes"]), (&json!(0), &json!(0)));
    let closures: Vec<&Json> = rows(&answer).iter().filter(|r| r["strategy"] == "closure").collect();
    assert_eq!((&closures[0]["closures_as"], &closures[1]["closures_as"]), (&json!("tapes"), &json!("tags")));
    assert_eq!((&closures[0]["tape_bytes"], &closures[0]["heap_bytes"]), (&json!(800), &json!(0)));
    let closure = closures[1];
    assert_eq!((&closure["closures"], &closure["tape_bytes"], &closure["records"]), (&json!(100), &json!(0), &json!(0)));
    assert_eq!(closure["tape_bytes_per_record"], Json::Null);
    let recorded = |strategy: &str, step: &str| {
        let explained = answer["explained"].as_array().expect("explanations");
        let is_it = |e: &&Json| (&e["strategy"], &e["closures_as"]) == (&json!(strategy), &json!(step));
        let found = explained.iter().find(is_it);
        found.expect("an explanation")["recorded"].as_array().expect("records").clone()
    };
    let [tape] = &recorded("stack", "tapes")[..] else { panic!("{answer}") };
    assert_eq!((&tape["keeper"], &tape["line"], &tape["bytes"]), (&json!("tape"), &json!(4), &json!(8)));
    let mut r = json!({
        "what": "r", "type": "f64", "bytes": 8, "array_bytes": 0,
        "reasons": ["read by the adjoint of `r * x`, line 5"], "stored": null,
    });
    let phi = "stored: a φ, which cannot be computed going back";
    assert_eq!((&tape["values"][0]["reasons"], &tape["values"][0]["stored"]), (&r["reasons"], &json!(phi)));
    let [link] = &recorded("closure", "tags")[..] else { panic!("{answer}") };
    assert_eq!(link["keeper"], "closure");
    assert!(link["values"].as_array().expect("values").contains(&r), "{link}");
    r["stored"] = json!(phi);
    assert_eq!(tape["values"], json!([r]));
}

#[test]
fn what_is_computed_again() {
    let lorenz = |more: &[&str]| {
        let args =
            ["grad", "benches/programs/lorenz.py", "lorenz", "1.0", "1.2", "0.9", "10.0", "28.0", "2.5", "10", "--explain"];
        gradus(args.iter().chain(more)).stdout
    };
    let text = lorenz(&[]);
    assert!(text.contains("24 bytes a record, 96 by --recompute 1, 160 by --recompute 0"), "{text}");
    for line in ["  z, line 12  5 operations more", "  `rho - z`, line 5  4 values, 1 operation more"] {
        assert!(text.contains(line), "{line}: {text}");
    }
    let all = lorenz(&["--recompute", "0"]);
    assert!(all.contains(": 160 bytes a record\n") && all.contains("stored: recomputation is switched off"), "{all}");
    assert!(!all.contains("computed again"), "{all}");
    let answer: Json = serde_json::from_str(&lorenz(&["--json", "--recompute", "3"])).expect("JSON");
    let tape = &answer["recorded"][0];
    assert!(tape["bytes"].as_u64() < Some(160) && tape["bytes_by_recompute"] == json!([[1, 96], [0, 160]]), "{tape}");
    let stored: Vec<&str> = tape["values"].as_array().expect("values").iter().filter_map(|v| v["stored"].as_str()).collect();
    assert!(stored.contains(&"stored: more than 3 operations to compute it again"), "{tape}");
    assert!(answer["recomputed"].as_array().expect("values").iter().all(|r| r["operations"].as_u64() <= Some(3)), "{answer}");
}

#[test]
fn why_values_are_recorded() {
    let text = "
import math
def f(x, y, n):
    def power(b, k): return 1.0 if k == 0 else b * power(b, k - 1)
    for i in range(n):
        x = math.exp(x * y) * power(x, i)
    return x
";
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("stored.py");
    std::fs::write(&path, text).expect("a file");
    let out = gradus(["grad", &path.display().to_string(), "f", "0.5", "0.6", "3", "--explain"]);
    for why in ["stored: a φ", "stored: `exp` is not cheap", "stored: the result of a call"] {
        assert!(out.code == 0 && out.stdout.contains(why), "{why}: {}{}", out.stdout, out.stderr);
    }
}

#[test]
fn the_mode_that_was_chosen() {
    let answer = compare("power 1.01 100");
    assert_eq!((&row(&answer, "auto")["mode"], &row(&answer, "stack")["mode"]), (&json!("forward"), &Json::Null));
    assert_eq!(row(&answer, "auto")["tape_bytes"], 0);
    let text = ask("power 1.01 100").stdout;
    assert!(text.contains("auto, forward") && text.contains("auto: `power` in forward mode: one float goes in"), "{text}");
    let answer = compare("power 1.01 100 --mode reverse");
    assert!(rows(&answer).iter().all(|row| row["mode"] == Json::Null), "{answer}");
}

#[test]
fn code_without_loops_has_no_tape() {
    for call in ["cube 1.5", "tree 1.01 30"] {
        let answer = compare(call);
        for row in rows(&answer) {
            assert_eq!((&row["tape_bytes"], &row["records"]), (&json!(0), &json!(0)), "{call}: {row}");
        }
    }
    assert!(ask("cube 1.5").stdout.contains("nothing is kept"));
}

#[test]
fn answers_agree() {
    for call in ["tree 1.01 30", "applied 1.01 30", "cube 1.5 --order 3", "pair 1.5 2 --seed [1.0,null]"] {
        for row in rows(&compare(call)) {
            assert!(row["difference"].as_f64() < Some(1e-12), "{call}: {row}");
        }
    }
}

#[test]
fn ways_that_are_named() {
    assert_eq!(named(&compare("power 1.01 9 --strategy stack --no-simplify")), [("stack", "off")]);
    assert_eq!(named(&compare("cube 1.5 --strategy stack,closure --order 2 --no-interleave")), [("stack,closure", "at end")]);
    assert_eq!(named(&compare("cube 1.5 --mode forward --no-simplify")), [("forward", "off")]);
    let interp = compare("power 1.01 9 --backend interp --no-interleave");
    assert_eq!((&interp["backend"], &rows(&interp)[0]["code_bytes"]), (&json!("interp"), &Json::Null));
    assert_eq!(rows(&interp)[1]["records"], 9);
}

#[test]
fn sweeps() {
    for name in ["n", "1"] {
        let answer = compare(&format!("power 1.0001 1 --sweep {name}=100,1e3,10000"));
        let points = answer["points"].as_array().expect("points");
        assert_eq!(points.iter().map(|p| p["at"].clone()).collect::<Vec<_>>(), [json!(100), json!(1000), json!(10000)]);
        assert_eq!((&answer["sweep"], &answer["call"]), (&json!("n"), &json!("power(1.0001, n)")));
        let growth = answer["growth"].as_array().expect("growth");
        for strategy in ["closure", "stack"] {
            let found = growth.iter().find(|g| g["strategy"] == strategy).expect("growth of each strategy");
            let memory = found["memory"].as_f64().expect("an exponent");
            assert!((memory - 1.0).abs() < 0.01, "{found}");
            assert!(found["time"].is_f64(), "{found}");
        }
        assert_eq!(growth[0]["strategy"], "value");
        assert_eq!(row(&points[2], "stack")["tape_bytes"], 80_000);
    }
    let floats = compare("cube 1.5 --sweep x=1,2.5");
    assert_eq!(floats["points"][0]["at"], json!(1.0));
    let text = ask("power 1.01 1 --sweep n=10,100").stdout;
    assert!(text.contains("growth with n") && is_narrow(&text), "{text}");
}

#[test]
fn comma_separated_values() {
    let text = ask("power 1.01 100 --csv").stdout;
    let lines: Vec<Vec<&str>> = text.lines().map(|line| line.split(',').collect()).collect();
    let column = |name: &str| lines[0].iter().position(|c| *c == name).unwrap_or_else(|| panic!("no {name}: {text}"));
    assert!(lines.iter().all(|line| line.len() == lines[0].len()), "{text}");
    assert_eq!((lines[1][column("strategy")], lines[1][column("ratio")]), ("value", "1.0"));
    let stack = lines.iter().find(|l| l[column("strategy")] == "stack").expect("a row of stack");
    assert_eq!((stack[column("tape_bytes")], stack[column("tape_bytes_per_record")]), ("800", "8.0"));
    assert!(stack[column("compile_seconds_total")].parse::<f64>().is_ok_and(|s| s > 0.0), "{text}");
    let text = ask("power 1.01 100 --sweep n=1,2 --csv").stdout;
    let at: Vec<&str> = text.lines().map(|line| line.split(',').next().unwrap()).collect();
    assert_eq!((at[0], at[1], at.last()), ("at", "1", Some(&"2")));
}

#[test]
fn plots() {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("compare.svg");
    let out = ask(&format!("power 1.01 1 --sweep n=10,100,1000 --plot {}", path.display()));
    assert_eq!(out.code, 0, "{}", out.stderr);
    let svg = std::fs::read_to_string(&path).expect("a plot");
    assert!(svg.starts_with("<svg") && ["closure", "stack", "value", "time of a run"].iter().all(|s| svg.contains(s)), "{svg}");
    assert!(refused("power 1.01 1 --sweep n=0,1 --plot x.svg").contains("above 0"));
    assert!(refused("power 1.01 1 --plot x.svg").contains("--sweep"));
}

#[test]
fn tables() {
    let text = ask("power 1.01 100").stdout;
    for part in [
        "strategy",
        "× value",
        "stack ÷ closure: ",
        "compile time by pass",
        "kept by stack",
        "8 bytes a record",
        "`r * x`, line 5",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert!(is_narrow(&text), "{text}");
    let text = ask("power 1.01 100 --explain").stdout;
    assert!(text.contains("stack: `power` by stack: as asked"), "{text}");
}

#[test]
fn overhead() {
    let call = ["recurrent", "[[0.5,0.2],[0.1,0.4]]", "[1.0,2.0]", "10", "--strategy", "stack"];
    let flags = ["--seconds", "0", "--overhead"];
    let out = gradus(["compare", "benches/programs/small.py"].into_iter().chain(call).chain(flags));
    assert_eq!(out.code, 0, "{}", out.stderr);
    let table = out.stdout.lines().skip_while(|line| !line.starts_with("operations on arrays"));
    let row = table.skip(1).find(|line| line.starts_with("stack")).unwrap_or_else(|| panic!("{}", out.stdout));
    // In each iteration a product and a kernel forwards, and a kernel and two products backwards.
    let operations: usize = row.split_whitespace().nth(2).and_then(|n| n.parse().ok()).expect("a number");
    assert!((50..60).contains(&operations) && row.ends_with("ns"), "{row}");
    assert!(refused("power 1.01 1 --sweep n=1,2 --overhead").contains("--sweep"));
}

#[test]
fn explanations_elsewhere() {
    let file = file();
    let grad = |more: &[&str]| gradus(["grad", &file, "power", "1.01", "3", "--strategy", "stack"].iter().chain(more)).stdout;
    let text = grad(&["--explain"]);
    assert!(text.contains("`power` by stack: as asked") && text.contains("read by the adjoint of `r * x`"), "{text}");
    let answer: Json = serde_json::from_str(&grad(&["--explain", "--json"])).expect("JSON");
    assert_eq!(answer["decisions"][0]["strategy"], "stack");
    assert_eq!(answer["recorded"][0]["keeper"], "tape");
    let ir = gradus(["ir", &file, "power", "1.01", "3", "--strategy", "stack", "--stage", "lowered", "--explain"]).stdout;
    assert!(ir.starts_with("; `power` by stack"), "{ir}");
    gradus_ir::parse::parse(&ir).unwrap_or_else(|e| panic!("{e}\n{ir}"));
    let dot = gradus(["dot", &file, "power", "1.01", "3", "--explain"]).stdout;
    assert!(dot.starts_with("// `power`") && dot.contains("digraph"), "{dot}");
}

#[test]
fn refusals() {
    assert!(refused("power 1.01 1 --sweep m=1,2").contains("there are `x`, `n`"));
    assert!(refused("power 1.01 1 --sweep 2=1,2").contains("no argument `2`"));
    assert!(refused("power 1.01 1 --sweep n").contains("n=10,100,1000"));
    assert!(refused("power 1.01 1 --sweep n=1,x").contains("`x` is no value of `n`"));
    assert!(refused("power 1.01 1 --sweep n=1.5").contains("an int"));
    assert!(refused("power 1.01 1 --sweep n=").contains("no value"));
    assert!(refused("pair 1.5 2").contains("--seed"));
    assert!(ask("cube 2").stdout.starts_with("cube(2.0)"), "an int is a float where a derivative in it is asked for");
    assert!(refused("cube 2.0 --csv --json").contains("--csv"));
    assert!(refused("cube 2.0 --seconds -1").contains("--seconds"));
    let trap = ask("remainder 2.0 0");
    assert!(trap.code == 1 && trap.stderr.contains("integer division by zero"), "{}", trap.stderr);
}

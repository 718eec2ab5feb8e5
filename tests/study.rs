//! `gradus study`: a small study from end to end; what it goes on with; what it says of files that are wrong. No test looks at times.

#[path = "common/command.rs"]
mod command;

use command::{Output, gradus};
use serde_json::Value as Json;
use std::path::{Path, PathBuf};

const PROGRAM: &str = "
def power(x, n):
    r = 1.0
    for i in range(n):
        r = r * x
    return r
def cube(x): return x ** 3
def total(x):
    y = 0.0
    for i in range(len(x)):
        y = y + x[i] * x[i]
    return y
def pair(x, n): return x, n
def remainder(x, n): return x * (7 % n)
";

const STUDY: &str = "
title = \"A & B\"
seconds = 0.0

[[peer]]
name = \"echo\"
command = [\"echo\", \"power,primal_s,2.5e-6\"]

[[peer]]
name = \"none\"
command = [\"no-such-tool\"]

[ways]
orders = [1, 2]
closures = [\"tapes\", \"tags\"]
simplify = [\"interleaved\", \"off\"]
passes = [\"all\", \"no inline\"]
math = [\"exact\"]

[quick]
orders = [1]
programs = [\"cube\"]

[[program]]
file = \"program.py\"
kind = \"loop\"
function = \"power\"
args = [1.01, 20]
sweep.n = [10, 40]

[[program]]
file = \"program.py\"
function = \"cube\"
args = [2.0]

[[program]]
file = \"program.py\"
function = \"total\"
args = [[1.0, 2.0]]
sweep.x = [5]
ways.orders = [1]
ways.strategies = [\"closure\", \"stack\"]

[[program]]
file = \"program.py\"
function = \"remainder\"
args = [1.0, 0]
ways.orders = [1]
";

/// A folder of its own with a program and a study.
fn folder(name: &str, study: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("study-{name}"));
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder");
    std::fs::write(folder.join("program.py"), PROGRAM).expect("a file");
    std::fs::write(folder.join("study.toml"), study).expect("a file");
    folder
}

fn run(folder: &Path, flags: &[&str]) -> Output {
    let file = folder.join("study.toml").display().to_string();
    gradus(["study", &file].iter().chain(flags))
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// The lines of `study.csv`, each by its columns.
fn csv(folder: &Path) -> Vec<Vec<(String, String)>> {
    let text = read(&folder.join("report/study.csv"));
    // Commas between quotes are part of a cell: words of strategies, messages of failures.
    let cells = |line: &str| {
        let parts = line.split('"').enumerate().map(|(i, part)| if i % 2 == 1 { part.replace(',', "\0") } else { part.into() });
        parts.collect::<String>().split(',').map(|cell| cell.replace('\0', ",")).collect::<Vec<String>>()
    };
    let mut lines = text.lines().map(cells);
    let head = lines.next().expect("a head");
    lines.map(|line| head.iter().cloned().zip(line).collect()).collect()
}

fn cell<'l>(line: &'l [(String, String)], name: &str) -> &'l str {
    &line.iter().find(|(column, _)| column == name).unwrap_or_else(|| panic!("no column {name}")).1
}

#[test]
fn from_end_to_end() {
    let folder = folder("whole", STUDY);
    let out = run(&folder, &["--peers"]);
    assert_eq!(out.code, 0, "{}{}", out.stdout, out.stderr);
    assert!(out.stderr.starts_with("1/11 power-1: ") && out.stdout.contains("Order 2: closures and stacks"), "{}", out.stdout);
    let report = folder.join("report");
    let head = read(&report.join("study.csv")).lines().next().expect("a head").to_owned();
    let page = read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/study.md"));
    for column in head.split(',') {
        assert!(page.contains(&format!("| `{column}` |")), "docs/study.md does not explain {column}");
    }
    assert_eq!(head.split(',').count(), 44);

    let lines = csv(&folder);
    let of = |program: &str, order: &str, at: &str, strategy: &str| {
        let is_it = |line: &&Vec<(String, String)>| {
            let found = ["program", "order", "at", "strategy"].map(|column| cell(line, column));
            found == [program, order, at, strategy]
        };
        lines.iter().filter(is_it).collect::<Vec<_>>()
    };
    let stack = of("power", "1", "", "stack")[0];
    assert_eq!(["kept_bytes", "records", "tape_bytes", "kind"].map(|c| cell(stack, c)), ["160", "20", "160", "loop"]);
    assert_eq!(cell(of("power", "1", "40", "stack")[0], "kept_bytes"), "320");
    assert_eq!(cell(of("total", "1", "5", "closure")[0], "argument"), "x");
    // Closures have one step more, which both strategies vary in simplification and passes.
    assert_eq!((of("power", "1", "", "closure").len(), of("power", "1", "", "stack").len()), (4, 3));
    let words: Vec<&str> =
        ["closure,closure", "closure,stack", "stack,closure", "stack,stack", "forward", "reverse", "auto"].to_vec();
    for word in words {
        let line = of("cube", "2", "", word)[0];
        let is_there = !cell(line, "same_as").is_empty() || cell(line, "ratio").parse::<f64>().is_ok_and(|r| r > 0.0);
        assert!(is_there, "{word}: {line:?}");
    }
    let trap = of("remainder", "1", "", "value")[0];
    assert!(cell(trap, "error").contains("division by zero") && cell(trap, "median_s").is_empty(), "{trap:?}");

    let json: Json = serde_json::from_str(&read(&report.join("study.json"))).expect("JSON");
    assert_eq!((&json["version"], &json["title"]), (&Json::from(1), &Json::from("A & B")));
    for key in ["study", "flags", "clock", "seconds_each", "seconds", "machine", "findings", "peers", "files", "records"] {
        assert!(!json[key].is_null() && page.contains(&format!("`{key}`")), "{key}");
    }
    for key in json["machine"].as_object().expect("an object").keys() {
        assert!(page.contains(&format!("`{key}`")), "docs/study.md does not explain {key}");
    }
    let record = &json["records"][0];
    for key in record.as_object().expect("an object").keys() {
        assert!(page.contains(&format!("`{key}`")), "docs/study.md does not explain {key}");
    }
    let row = record["rows"].as_array().expect("rows").iter().find(|r| r["way"]["strategy"] == "stack").expect("a row");
    assert!(row["run"]["times"].as_array().is_some_and(|times| times.len() >= 7), "{row}");

    let html = read(&report.join("report.html"));
    assert!(html.contains("A &amp; B") && html.contains("<svg") && html.contains("def power(x, n):"), "{html}");
    assert!(html.contains("<td>2.50 µs</td>") && html.contains("none gave no figures: no-such-tool"), "{html}");
    for outside in ["<script", "<link", "src=", "@import", "url("] {
        assert!(!html.contains(outside), "the report has {outside}");
    }
    let findings = read(&report.join("findings.md"));
    assert!(
        findings.starts_with("## time-1\n\nOrder 1: closures and stacks") && findings.contains("| kind | programs |"),
        "{findings}"
    );
    for plot in ["sweep-power-n-1.svg", "time-1.svg", "memory-1.svg", "words-2.svg"] {
        roxmltree::Document::parse(&read(&report.join("plots").join(plot))).unwrap_or_else(|e| panic!("{plot}: {e}"));
    }
}

#[test]
fn an_interrupted_study_goes_on() {
    let folder = folder("again", STUDY);
    let first = run(&folder, &["--only", "cube"]);
    assert_eq!(first.code, 0, "{}", first.stderr);
    let record = folder.join("report/records/cube-1.json");
    let measured = read(&record);
    // What an interruption leaves: some records, and one that is not whole.
    std::fs::write(folder.join("report/records/cube-2.json"), "{\"key\": ").expect("a file");
    let second = run(&folder, &["--only", "cube"]);
    assert!(
        second.stderr.contains("2/2 cube-2") && second.stderr.contains("1 of 2 cases were measured before"),
        "{}",
        second.stderr
    );
    assert_eq!(read(&record), measured);
    // A program that changed is another one.
    std::fs::write(folder.join("program.py"), PROGRAM.replace("x ** 3", "x * x * x")).expect("a file");
    let third = run(&folder, &["--only", "cube"]);
    assert!(third.stderr.contains("1/2 cube-1") && !third.stderr.contains("before"), "{}", third.stderr);
    let fresh = run(&folder, &["--only", "cube", "--fresh"]);
    assert!(fresh.stderr.contains("1/2 cube-1") && fresh.stdout.contains("Since "), "{}{}", fresh.stderr, fresh.stdout);
    let earlier = folder.join("report").display().to_string();
    let against = run(&folder, &["--quick", "--against", &earlier]);
    assert!(against.stdout.contains("report/study.json, of "), "{}{}", against.stderr, against.stdout);
    assert!(folder.join("report-quick/study.csv").exists() && !folder.join("report-quick/records/cube-2.json").exists());
}

#[test]
fn files_that_are_wrong() {
    let program = "\n[[program]]\nfile = \"program.py\"\nfunction = \"power\"\nargs = [1.01, 20]\n";
    let with = |more: &str| format!("title = \"t\"{program}{more}");
    for (name, study, at, message) in [
        ("toml", "title = ".into(), "study.toml:1", "value"),
        ("key", format!("titel = \"t\"{program}"), "study.toml:1:1", "unknown field `titel`"),
        ("title", program.into(), "study.toml", "missing field `title`"),
        ("none", "title = \"t\"".into(), "", "[[program]]"),
        ("word", with("ways.strategies = [\"closure\", \"stacks\"]"), "study.toml:6:31", "`stacks` is no strategy"),
        ("auto", with("ways.strategies = [\"auto,stack\"]"), "study.toml:6:20", "write `reverse`"),
        ("step", with("ways.closures = [\"tape\"]"), "study.toml:6", "unknown variant `tape`"),
        ("empty", with("ways.math = []"), "study.toml:6:13", "`math` has no values"),
        ("order", with("ways.orders = [0]"), "study.toml:6:16", "from 1 to 6, not 0"),
        ("pass", with("ways.passes = [\"no inlining\"]"), "study.toml:6:16", "number, branches, inline"),
        ("twice", with(program), "study.toml", "two programs are called `power`"),
        ("name", with("name = \"a/b\""), "study.toml:6:8", "is no name of a program"),
        ("swept", with("sweep.m = [1]"), "study.toml:6:7", "there are `x`, `n`"),
        ("value", with("sweep.n = [1.5]"), "study.toml:6:12", "is an int"),
        ("wrt", with("wrt = [1]"), "study.toml:6:7", "argument 1"),
        ("seconds", format!("title = \"t\"\nseconds = -1.0{program}"), "study.toml:2:11", "from 0 to 3600"),
        ("quick", format!("title = \"t\"\nquick.programs = [\"f\"]{program}"), "study.toml:2:19", "no program is called `f`"),
        ("file", with("").replace("program.py", "p.py"), "study.toml:3:8", "p.py"),
        ("function", with("").replace("power", "pow"), "study.toml:4:12", "pow"),
        ("args", with("").replace("1.01, 20", "1.01"), "", "2"),
        ("result", with("").replace("power", "pair"), "study.toml:4:12", "and a study takes derivatives of a float"),
        ("step type", with("clock = 1"), "study.toml:6", "clock"),
        ("date", with("").replace("20]", "2020-01-01]"), "study.toml:5:15", "a date is no argument"),
        (
            "list",
            with("ways.orders = [2]").replace("power", "total").replace("1.01, 20", "[1.0]"),
            "study.toml:4:12",
            "in a float",
        ),
    ] {
        let out = run(&folder(name, &study), &[]);
        assert_eq!(out.code, 2, "{name}: {}{}", out.stdout, out.stderr);
        assert!(out.stderr.contains(at) && out.stderr.contains(message), "{name}: {}", out.stderr);
    }
    assert_eq!(gradus(["study", "nowhere.toml"]).code, 2);
    let folder = folder("flags", &with(""));
    assert!(run(&folder, &["--only", "f"]).stderr.contains("no program that is asked for"));
    assert!(run(&folder, &["--seconds", "-1"]).stderr.contains("--seconds"));
    let nowhere = run(&folder, &["--seconds", "0", "--against", "nowhere"]);
    assert!(nowhere.code == 2 && nowhere.stderr.contains("cannot read nowhere/study.json"), "{}", nowhere.stderr);
}

/// The findings of the studies of the repository are quoted word for word, and README's figures are among theirs.
#[test]
fn documents_quote_the_study() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let studies = ["closures-vs-stacks", "passes"];
    let findings = studies.map(|study| read(&root.join("studies").join(study).join("findings.md"))).concat();
    let page = read(&root.join("docs/study.md"));
    let quoted = page.split("\n\n").filter(|part| part.starts_with("> "));
    let quoted: Vec<String> = quoted.map(|part| part.lines().map(|line| &line[2..]).collect::<Vec<_>>().join(" ")).collect();
    assert!(quoted.len() > 10, "{quoted:?}");
    for sentence in quoted {
        assert!(findings.contains(&sentence), "the study does not say: {sentence}");
    }
    let readme = read(&root.join("README.md")).replace('\n', " ");
    let paragraph = readme.split("**Closures or stacks?**").nth(1).expect("a paragraph");
    let paragraph = paragraph.split("## ").next().expect("its end");
    let intervals = paragraph.match_indices('[').filter(|(i, _)| paragraph[i + 1..].starts_with(|c: char| c.is_ascii_digit()));
    let mut count = 0;
    for (at, _) in intervals {
        let from = paragraph[..at - 1].rfind(' ').map_or(0, |i| i + 1);
        let to = at + paragraph[at..].find(']').expect("an end") + 1;
        assert!(findings.contains(&paragraph[from..to]), "the study does not say: {}", &paragraph[from..to]);
        count += 1;
    }
    assert!(count >= 7, "{count} figures");
}

#[test]
fn the_studies_of_the_repository_run() {
    let out = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("study-quick");
    let _ = std::fs::remove_dir_all(&out);
    let shown = out.display().to_string();
    let quick = gradus(["study", "studies/closures-vs-stacks/study.toml", "--quick", "--seconds", "0", "--out", &shown]);
    assert_eq!(quick.code, 0, "{}", quick.stderr);
    assert!(quick.stdout.contains("Order 2: ") && !quick.stdout.contains("Failures: "), "{}", quick.stdout);
    let passes = gradus(["study", "studies/passes/study.toml", "--only", "power", "--seconds", "0", "--out", &shown]);
    assert!(
        passes.code == 0 && passes.stdout.contains("passes: egg") && !passes.stdout.contains("Failures: "),
        "{}",
        passes.stdout
    );
}

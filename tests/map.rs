//! README.md and ARCHITECTURE.md agree with the repository: the paths they name exist, the commands they quote print what stands
//! below them, the pictures are those of the program.

#[path = "common/command.rs"]
mod command;

use command::gradus;
use std::path::Path;

const DOCUMENTS: [&str; 2] = ["README.md", "ARCHITECTURE.md"];

fn read(path: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// The lines inside of code fences of one language, or, for none, the lines outside of all.
fn lines<'t>(text: &'t str, language: Option<&str>) -> Vec<&'t str> {
    let mut fence = None;
    let mut found = Vec::new();
    for line in text.lines() {
        match (line.strip_prefix("```"), fence) {
            (Some(_), Some(_)) => fence = None,
            (Some(opened), None) => fence = Some(opened),
            (None, _) if fence == language => found.push(line),
            (None, _) => {}
        }
    }
    found
}

/// The paths that a document names in backticks, or that its links and pictures lead to.
fn paths(text: &str) -> Vec<String> {
    let prose = lines(text, None).join("\n");
    let quoted = prose.split('`').skip(1).step_by(2).filter(|s| looks_like_a_path(s));
    let linked = prose.split("](").skip(1).filter_map(|s| s.split_once(')')).map(|(target, _)| target);
    quoted.chain(linked.filter(|t| !t.starts_with("http"))).map(str::to_owned).collect()
}

/// Words with a slash, or with the extension of a file of this repository.
fn looks_like_a_path(text: &str) -> bool {
    let word = text.chars().all(|c| c.is_ascii_alphanumeric() || "._-/".contains(c));
    let extension = Path::new(text).extension().and_then(|e| e.to_str());
    word && (text.contains('/') || matches!(extension, Some("rs" | "py" | "md" | "toml" | "svg")))
}

#[test]
fn paths_exist() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for document in DOCUMENTS {
        let named = paths(&read(document));
        assert!(named.len() > 10, "{document} names {} paths", named.len());
        for path in named {
            // What is built need not be there when tests run.
            assert!(path.starts_with("target/") || root.join(&path).exists(), "{document} names {path}, which does not exist");
        }
    }
}

/// The commands that a document quotes, each with the lines below it.
fn commands(text: &str) -> Vec<(&str, Vec<&str>)> {
    let mut found: Vec<(&str, Vec<&str>)> = Vec::new();
    for line in lines(text, Some("console")) {
        match (line.strip_prefix("$ "), found.last_mut()) {
            (Some(command), _) => found.push((command, Vec::new())),
            (None, Some((_, output))) => output.push(line),
            (None, None) => panic!("output without a command: {line}"),
        }
    }
    found
}

/// The arguments of a quoted command, if it runs `gradus`.
fn arguments(command: &str) -> Option<&str> {
    command.strip_prefix("cargo run --release -- ").or_else(|| command.strip_prefix("target/release/gradus "))
}

#[test]
fn commands_print_what_stands_below_them() {
    let text = read("README.md");
    let commands = commands(&text);
    assert_eq!(commands[0].0, "cargo run --release -- grad examples/pow.py pow 2.0 3");
    assert_eq!(commands[1].0, "cargo test --workspace");
    for (command, output) in commands {
        let Some(args) = arguments(command).filter(|a| !a.contains("--svg")) else { continue };
        let out = gradus(args.split_whitespace());
        assert_eq!((out.stderr + &out.stdout).trim_end(), output.join("\n").trim_end(), "{command}");
    }
}

/// The cells of the lines of a table, its head first.
fn cells<'t>(text: &'t str, separator: &str) -> Vec<Vec<&'t str>> {
    let lines = text.lines().filter(|line| !line.starts_with("|---"));
    lines.map(|line| line.trim_matches(['|', ' ']).split(separator).map(str::trim).collect()).collect()
}

#[test]
fn the_benchmarks_are_of_one_run() {
    let (table, csv) = (read("docs/benchmarks.md"), read("docs/benchmarks.csv"));
    assert!(read("README.md").contains(&table), "README.md quotes another table; make it anew: cargo bench --bench table");
    let (table, csv) = (cells(&table, "|"), cells(&csv, ","));
    let column = |name: &str| csv[0].iter().position(|c| *c == name).unwrap_or_else(|| panic!("no column {name}"));
    let columns = ["value_s", "value_by_hand_s", "derivative_by_hand_s", "closure_s", "stack_s", "forward_s"].map(column);
    assert_eq!(table.len(), csv.len());
    for (row, figures) in table.iter().zip(&csv).skip(1) {
        assert_eq!((row[0], figures.len()), (figures[0], csv[0].len()));
        for (shown, at) in row[1..].iter().zip(columns) {
            let seconds = figures[at].parse::<f64>().ok();
            assert_eq!(*shown, seconds.map_or_else(String::new, gradus::compare::units::time), "{}", row[0]);
        }
    }
    let has = |name: &str| table.iter().any(|row| row[0] == name);
    for name in ["sincos", "pow1000", "powdyn", "lorenz_rk4_10000", "nthd1", "nthd8"] {
        assert!(has(name), "no {name}");
    }
}

#[test]
fn pictures_show_the_program() {
    let text = read("README.md");
    let made = std::path::PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("made.svg").display().to_string();
    let mut count = 0;
    for (command, _) in commands(&text) {
        let Some((args, picture)) = arguments(command).and_then(|a| a.split_once(" --svg ")) else { continue };
        let out = gradus(args.split_whitespace().chain(["--svg", &made]));
        assert_eq!(out.code, 0, "{command}\n{}", out.stderr);
        assert!(read(picture) == read(&made), "{picture} is of another time; make it anew:\n{command}");
        assert!(text.contains(&format!("]({picture})")), "README.md does not show {picture}");
        count += 1;
    }
    assert_eq!(count, 3, "pictures");
}

//! The documents agree with the repository: their links and the paths they name lead somewhere, the book has all pages, the commands
//! they quote print what stands below them, figures are those of the benchmarks, and pictures those of the program.

#[path = "common/command.rs"]
mod command;

use command::gradus;
use std::path::{Path, PathBuf};

/// Documents whose paths in backticks are paths from the root, beside those of docs/internals/.
const MAPS: [&str; 5] = ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "docs/design.md", "docs/strategies.md"];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn read(path: &str) -> String {
    let path = root().join(path);
    std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// The documents of a folder and of those in it.
fn below(folder: &str) -> Vec<String> {
    let entries = std::fs::read_dir(root().join(folder)).expect("a folder").map(|e| e.expect("an entry").path());
    let mut found = Vec::new();
    for path in entries {
        let name = path.strip_prefix(root()).expect("a path of the repository").display().to_string();
        match path.extension() {
            Some(e) if e == "md" => found.push(name),
            None if path.is_dir() => found.extend(below(&name)),
            _ => {}
        }
    }
    found.sort();
    found
}

/// All documents but those of folders with programs.
fn documents() -> Vec<String> {
    let mut found = ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md"].map(str::to_owned).to_vec();
    found.extend(below("docs"));
    found
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

/// What the links and pictures of a document lead to.
fn links(text: &str) -> Vec<String> {
    let prose = lines(text, None).join("\n");
    let targets = prose.split("](").skip(1).filter_map(|s| s.split_once(')')).map(|(target, _)| target.to_owned());
    targets.filter(|t| !t.starts_with("http")).collect()
}

/// The paths that a document names in backticks.
fn paths(text: &str) -> Vec<String> {
    let prose = lines(text, None).join("\n");
    prose.split('`').skip(1).step_by(2).filter(|s| looks_like_a_path(s)).map(str::to_owned).collect()
}

/// Words with a slash, or with the extension of a file of this repository.
fn looks_like_a_path(text: &str) -> bool {
    let word = text.chars().all(|c| c.is_ascii_alphanumeric() || "._-/".contains(c));
    let extension = Path::new(text).extension().and_then(|e| e.to_str());
    word && (text.contains('/') || matches!(extension, Some("rs" | "py" | "md" | "toml" | "svg")))
}

/// The anchors of the headings of a document, as GitHub and mdBook make them.
fn anchors(text: &str) -> Vec<String> {
    let headings = lines(text, None).into_iter().filter(|l| l.starts_with('#')).map(|l| l.trim_start_matches('#').trim());
    let kept = |c: &char| c.is_alphanumeric() || " -_".contains(*c);
    headings.map(|h| h.to_lowercase().chars().filter(kept).collect::<String>().replace(' ', "-")).collect()
}

#[test]
fn paths_exist() {
    let internals = below("docs/internals");
    for document in MAPS.into_iter().chain(internals.iter().map(String::as_str)) {
        for path in paths(&read(document)) {
            // What is built need not be there when tests run.
            assert!(path.starts_with("target/") || root().join(&path).exists(), "{document} names {path}, which does not exist");
        }
    }
}

#[test]
fn links_lead_somewhere() {
    for document in documents() {
        let text = read(&document);
        for link in links(&text) {
            let (path, anchor) = link.split_once('#').map_or((link.as_str(), None), |(path, anchor)| (path, Some(anchor)));
            let folder = Path::new(&document).parent().expect("a document is in a folder");
            let target = if path.is_empty() { PathBuf::from(&document) } else { folder.join(path) };
            assert!(root().join(&target).exists(), "{document} links to {link}, which does not exist");
            let has = |anchor: &str| anchors(&read(&target.display().to_string())).iter().any(|a| a == anchor);
            assert!(anchor.is_none_or(has), "{document} links to {link}, which is no heading");
        }
    }
}

#[test]
fn the_book_has_all_pages() {
    let listed = links(&read("docs/SUMMARY.md"));
    for page in below("docs") {
        let page = page.trim_start_matches("docs/");
        assert!(page == "SUMMARY.md" || listed.iter().any(|l| l == page), "docs/SUMMARY.md does not list {page}");
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
    let ways = ["cargo run --release -- ", "target/release/gradus ", "gradus "];
    ways.into_iter().find_map(|way| command.strip_prefix(way))
}

#[test]
fn commands_print_what_stands_below_them() {
    let mut count = 0;
    for document in documents() {
        let text = read(&document);
        for (command, output) in commands(&text) {
            let Some(args) = arguments(command).filter(|_| !output.is_empty()) else { continue };
            let out = gradus(args.split_whitespace());
            assert_eq!((out.stderr + &out.stdout).trim_end(), output.join("\n").trim_end(), "{document}: {command}");
            count += 1;
        }
    }
    assert!(count > 10, "{count} commands");
}

/// The table of a document that has this column, its head first.
fn table_with<'t>(text: &'t str, column: &str) -> Vec<Vec<&'t str>> {
    let column = format!("| {column} |");
    let from = text.lines().skip_while(|line| !line.contains(&column)).take_while(|line| line.starts_with('|'));
    let lines = from.filter(|line| !line.starts_with("|---"));
    let table: Vec<Vec<&str>> = lines.map(|line| line[1..].trim_end_matches('|').split('|').map(str::trim).collect()).collect();
    assert!(table.len() > 1, "no table with {column}");
    table
}

#[test]
fn the_benchmarks_are_of_one_run() {
    let (page, csv) = (read("docs/benchmarks.md"), read("docs/benchmarks.csv"));
    let table = table_with(&page, "derivative by hand");
    let csv: Vec<Vec<&str>> = csv.lines().map(|line| line.split(',').collect()).collect();
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

/// README.md quotes rows and columns of the tables of other documents.
#[test]
fn figures_of_the_readme_are_those_of_the_benchmarks() {
    let readme = read("README.md");
    for (document, named, by) in [("docs/benchmarks.md", "derivative by hand", 1), ("docs/gradbench.md", "Tapenade", 2)] {
        let source = read(document);
        let (quoted, full) = (table_with(&readme, named), table_with(&source, named));
        for row in &quoted[1..] {
            let of = full.iter().find(|r| r[..by] == row[..by]).unwrap_or_else(|| panic!("{document} has no row {row:?}"));
            for (head, cell) in quoted[0].iter().zip(row) {
                let at = full[0].iter().position(|h| h == head).unwrap_or_else(|| panic!("{document} has no column {head}"));
                assert_eq!(*cell, of[at], "{document}: {head} of {row:?}");
            }
        }
    }
}

/// The table of docs/comparison.md: a program stands in the first of its rows.
#[test]
fn the_comparison_is_of_the_command() {
    let page = read("docs/comparison.md");
    let (mut csv, mut count) = (String::new(), 0);
    for row in &table_with(&page, "closures")[1..] {
        if !row[0].is_empty() {
            let out = gradus(["compare"].into_iter().chain(row[0].trim_matches('`').split_whitespace()).chain([
                "--csv",
                "--seconds",
                "0",
            ]));
            assert_eq!(out.code, 0, "{}\n{}", row[0], out.stderr);
            csv = out.stdout;
        }
        let lines: Vec<Vec<&str>> = csv.lines().map(|line| line.split(',').collect()).collect();
        let of = |line: &Vec<&str>, name: &str| {
            let at = lines[0].iter().position(|c| *c == name).unwrap_or_else(|| panic!("no column {name}"));
            line[at].to_owned()
        };
        let (strategy, step) = row[1].split_once(", ").unwrap_or((row[1], "tapes"));
        let is_it = |line: &&Vec<&str>| line[..3] == [strategy, "interleaved", step];
        let line = lines.iter().find(is_it).unwrap_or_else(|| panic!("{:?}: no such line of\n{csv}", row));
        let bytes = |name: &str| {
            of(line, name).parse::<f64>().map_or_else(|_| String::new(), |b| gradus::compare::units::bytes(b as usize))
        };
        let found = [
            of(line, "nodes_lowered"),
            of(line, "closures"),
            bytes("heap_bytes"),
            bytes("tape_bytes"),
            bytes("tape_bytes_per_record"),
        ];
        assert_eq!(row[2..], found, "{row:?}");
        count += 1;
    }
    assert!(count > 10, "{count} rows");
}

#[test]
fn pictures_show_the_program() {
    let made = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("made.svg").display().to_string();
    let mut count = 0;
    for page in ["docs/comparison.md", "docs/design.md"] {
        let text = read(page);
        for (command, _) in commands(&text) {
            let Some((args, picture)) = arguments(command).and_then(|a| a.split_once(" --svg ")) else { continue };
            let out = gradus(args.split_whitespace().chain(["--svg", &made]));
            assert_eq!(out.code, 0, "{command}\n{}", out.stderr);
            assert!(read(picture) == read(&made), "{picture} is of another time; make it anew:\n{command}");
            let link = format!("]({})", picture.trim_start_matches("docs/"));
            assert!(text.contains(&link), "{page} does not show {picture}");
            count += 1;
        }
    }
    assert_eq!(count, 5, "pictures");
}

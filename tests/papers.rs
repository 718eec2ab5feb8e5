//! docs/papers.md: the command of each row prints what stands in the row.

#[path = "common/answer.rs"]
mod answer;
#[path = "common/command.rs"]
mod command;

use answer::same;
use command::gradus;
use std::num::NonZero;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::available_parallelism;

/// The cells of a row that begins with a number.
type Row<'t> = Vec<&'t str>;

fn rows(page: &str) -> Vec<Row<'_>> {
    page.lines().filter_map(cells).collect()
}

fn cells(line: &str) -> Option<Row<'_>> {
    let cells: Vec<&str> = line.strip_prefix("| ")?.strip_suffix(" |")?.split(" | ").collect();
    cells[0].parse::<usize>().is_ok().then_some(cells)
}

/// What stands between backticks.
fn quoted(cell: &str) -> impl Iterator<Item = &str> {
    cell.split('`').skip(1).step_by(2)
}

/// The arguments of the command of a row, whose quotes are those of a shell.
fn arguments<'t>(row: &Row<'t>) -> Vec<&'t str> {
    let command = quoted(row[3]).next().and_then(|c| c.strip_prefix("gradus "));
    let command = command.unwrap_or_else(|| panic!("row {} has no command", row[0]));
    command.split_whitespace().map(|word| word.trim_matches('\'')).collect()
}

/// Whether an output is what a cell says: all lines, or after "…" words in their order, and after "not" words that are not there.
fn prints(output: &str, cell: &str) -> bool {
    let Some(words) = cell.strip_prefix('…') else {
        return same(output, &quoted(cell).collect::<Vec<_>>().join("\n"));
    };
    let (there, absent) = words.split_once("; not ").unwrap_or((words, ""));
    let after = quoted(there).try_fold(output, |rest, word| rest.split_once(word).map(|(_, after)| after));
    after.is_some() && quoted(absent).all(|word| !output.contains(word))
}

#[test]
fn each_row_prints_what_it_says() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/papers.md");
    let page = std::fs::read_to_string(path).expect("the page");
    let rows = rows(&page);
    assert!(page.contains(&format!("This page has {} of their claims", rows.len())), "{} rows", rows.len());
    let next = AtomicUsize::new(0);
    let check = || {
        let mut wrong = Vec::new();
        while let Some((at, row)) = Some(next.fetch_add(1, Ordering::Relaxed)).and_then(|at| Some((at, rows.get(at)?))) {
            assert_eq!((row[0], row.len()), (&*(at + 1).to_string(), 5), "{row:?}");
            let out = gradus(arguments(row));
            let output = out.stderr + &out.stdout;
            let failed = output.starts_with("error: ");
            if (out.code != 0) != failed || !prints(&output, row[4]) {
                wrong.push(format!("row {}: {}\n{output}", row[0], row[3]));
            }
        }
        wrong
    };
    let wrong = std::thread::scope(|scope| {
        let threads = (0..available_parallelism().map_or(1, NonZero::get)).map(|_| scope.spawn(check)).collect::<Vec<_>>();
        threads.into_iter().flat_map(|t| t.join().expect("rows of five cells")).collect::<Vec<_>>()
    });
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

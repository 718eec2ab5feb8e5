//! The programs of tests/programs with tokens and lines deleted, doubled, swapped and replaced: whatever comes of it, the compiler gives a
//! program or a message, in bounded time, and never panics.

use gradus::{Backend, Engine, Error, Mode, Options, Request, Simplify, Source, active, json};
use proptest::prelude::*;
use std::sync::LazyLock;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;

/// What does not end is noticed by this, and no more: how long a compilation takes is no matter of a test.
const PATIENCE: Duration = Duration::from_secs(600);

/// A program, cut into tokens, and the arguments it is called with, as JSON.
struct Program {
    name: String,
    tokens: Vec<String>,
    entry: String,
    args: String,
}

static CORPUS: LazyLock<Vec<Program>> = LazyLock::new(|| {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs");
    let entries = [root.clone(), root.join("errors")].into_iter().flat_map(|f| std::fs::read_dir(f).expect("the folder"));
    let mut paths: Vec<_> = entries.map(|e| e.expect("an entry").path()).collect();
    paths.retain(|p| p.extension().is_some_and(|e| e == "py"));
    paths.sort();
    let program = |path: &std::path::PathBuf| {
        let text = std::fs::read_to_string(path).expect("a program");
        let header = |key: &str| text.lines().find_map(|l| l.strip_prefix(key)).map(|v| v.trim().to_owned());
        let code: String = text.lines().skip_while(|l| l.starts_with('#')).flat_map(|l| [l, "\n"]).collect();
        Program {
            name: path.file_name().expect("a file").to_string_lossy().into_owned(),
            tokens: tokens(&code),
            entry: header("# entry:").expect("an entry"),
            args: header("# args:").unwrap_or_default(),
        }
    };
    paths.iter().map(program).collect()
});

/// Names and numbers, runs of spaces, lines' ends with the indentation that follows, and single other characters.
fn tokens(text: &str) -> Vec<String> {
    let class = |c: char| match c {
        c if c.is_alphanumeric() || c == '_' || c == '.' => 0,
        ' ' => 1,
        '\n' => 2,
        _ => 3,
    };
    let mut found: Vec<String> = Vec::new();
    let mut last = 3;
    for c in text.chars() {
        let this = class(c);
        match found.last_mut() {
            Some(token) if this == last && this < 3 => token.push(c),
            Some(token) if (last, this) == (2, 1) => token.push(c),
            _ => found.push(c.into()),
        }
        // The indentation belongs to the end of the line before.
        last = if (last, this) == (2, 1) { 2 } else { this };
    }
    found
}

/// Expressions that replace a name or a number.
const EXPRESSIONS: &[&str] = &[
    "0",
    "1",
    "3",
    "-1",
    "2.5",
    "1e308",
    "9223372036854775807",
    "x",
    "n",
    "f",
    "g",
    "y",
    "i",
    "True",
    "None",
    "'x'",
    "()",
    "(x, 1)",
    "[f, x]",
    "(lambda x: x)",
    "(lambda: f)",
    "(lambda y: f(y))",
    "grad(f)",
    "grad(grad(f))",
    "grad",
    "value_and_grad(f)",
    "range(3)",
    "range(x)",
    "f(x)",
    "f(f)",
    "f(x, n - 1)",
    "f(f(x, n), n)",
    "x[0]",
    "x[n]",
    "(x, x)",
    "math.sin",
    "len(x)",
    "(x if n else f)",
];

const KEYWORDS: &[&str] =
    &["while", "for", "in", "if", "elif", "else", "return", "break", "continue", "not", "and", "or", "def", "lambda", "import"];

/// What a token is, so that another of its kind can take its place.
fn kind(token: &str) -> u8 {
    match token.chars().next() {
        _ if KEYWORDS.contains(&token) => 0,
        Some(c) if c.is_alphanumeric() || c == '_' => 1,
        Some(' ' | '\n') => 2,
        Some('+' | '-' | '*' | '/' | '<' | '>' | '%') => 3,
        _ => 4,
    }
}

/// A change: what is done, where, and with what.
type Change = (u8, prop::sample::Index, prop::sample::Index);

fn change(tokens: &mut Vec<String>, (what, at, with): &Change) {
    let places: Vec<usize> = (0..tokens.len()).filter(|&i| kind(&tokens[i]) != 2).collect();
    if places.is_empty() {
        return;
    }
    let i = places[at.index(places.len())];
    let alike: Vec<usize> = places.iter().copied().filter(|&j| kind(&tokens[j]) == kind(&tokens[i])).collect();
    let j = alike[with.index(alike.len())];
    // The line that a token is in: from its first token to what ends it.
    let end = |i: usize| tokens[i..].iter().position(|t| t.starts_with('\n')).map_or(tokens.len(), |p| i + p);
    let start = |i: usize| tokens[..i].iter().rposition(|t| t.starts_with('\n')).map_or(0, |p| p + 1);
    match what % 16 {
        0 => drop(tokens.remove(i)),
        1 => tokens.insert(i, tokens[j].clone()),
        2 => drop(tokens.drain(start(i)..(end(i) + 1).min(tokens.len()))),
        // The line of one once more before the line of the other.
        3 | 4 => {
            let (from, to, target) = (start(i), end(i), start(j));
            let line: Vec<String> = tokens[from..to].to_vec();
            let indentation = target.checked_sub(1).map_or("\n".into(), |p| tokens[p].clone());
            tokens.splice(target..target, line.into_iter().chain([indentation]));
        }
        5 | 6 => tokens.swap(i, j),
        7..10 => tokens[i] = tokens[j].clone(),
        _ if kind(&tokens[i]) == 1 => tokens[i] = EXPRESSIONS[with.index(EXPRESSIONS.len())].into(),
        _ => tokens[i] = tokens[j].clone(),
    }
}

/// Compiles; the bits of `what` say how, and what is asked.
fn compile(text: &str, entry: &str, args: &str, what: u8) -> Result<(), Error> {
    let backend = if what & 4 == 0 { Backend::Interp } else { Backend::Jit };
    let simplify = if what & 24 == 0 { Simplify::Off } else { Simplify::Interleaved };
    let options = Options { backend, simplify, ..Options::default() };
    let function = Engine::new(options).parse(Source::new("mutilated.py", text))?.function(entry)?;
    let j: serde_json::Value = serde_json::from_str(&format!("[{args}]")).expect("JSON arguments");
    let types: Vec<_> = j.as_array().expect("an array").iter().map(|j| json::read(j).expect("an argument").ty()).collect();
    let wrt = active(&types);
    let request = match what % 4 {
        0 => Request::Value,
        1 if !wrt.is_empty() => Request::Orders(wrt[0], vec![Mode::Reverse; 2]),
        _ => Request::Gradient(wrt),
    };
    function.compile(&types, &request).map(|_| ())
}

/// Compiles on a thread of its own, so that a compilation without end is noticed.
fn check(name: &str, text: String, entry: &str, args: &str, what: u8) -> Result<(), TestCaseError> {
    let (done, result) = mpsc::channel();
    let (program, entry, args) = (text.clone(), entry.to_owned(), args.to_owned());
    let thread = std::thread::spawn(move || {
        let result = compile(&program, &entry, &args, what);
        let _ = done.send(match result {
            Err(e @ Error::Internal(_)) => Err(e.to_string()),
            Err(e) if e.to_string().is_empty() => Err("a message without words".into()),
            _ => Ok(()),
        });
    });
    let failure = match result.recv_timeout(PATIENCE) {
        Ok(Ok(())) => return Ok(()),
        Ok(Err(e)) => e,
        Err(RecvTimeoutError::Timeout) => "the compiler does not come to an end".into(),
        Err(RecvTimeoutError::Disconnected) => {
            let panic = thread.join().expect_err("nothing was sent");
            let text = panic.downcast_ref::<String>().map(String::as_str).or(panic.downcast_ref::<&str>().copied());
            format!("panic: {}", text.unwrap_or("?").lines().next().unwrap_or_default())
        }
    };
    Err(TestCaseError::fail(format!("{name}, asked {what:#b}: {failure}\n{text}")))
}

/// A thousand programs; `PROPTEST_CASES` says otherwise.
fn config() -> ProptestConfig {
    let config = ProptestConfig { max_shrink_time: 60_000, failure_persistence: None, ..ProptestConfig::default() };
    match std::env::var_os("PROPTEST_CASES") {
        Some(_) => config,
        None => ProptestConfig { cases: 1000, ..config },
    }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn mutilated_programs_get_a_message(
        program in any::<prop::sample::Index>(),
        what in any::<u8>(),
        changes in prop::collection::vec(any::<Change>(), 1..4),
    ) {
        let program = program.get(&CORPUS);
        let mut tokens = program.tokens.clone();
        changes.iter().for_each(|c| change(&mut tokens, c));
        check(&program.name, tokens.concat(), &program.entry, &program.args, what)?;
    }
}

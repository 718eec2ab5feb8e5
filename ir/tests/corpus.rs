//! Inference of every program of the corpus: what is right gets a typed module that the verifier accepts, what is wrong its message.

use gradus_frontend::{python::Program, render};
use gradus_ir::{Module, Type, infer::infer, verify::verify};
use std::path::{Path, PathBuf};

fn programs(folder: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/programs").join(folder);
    let mut list: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|f| f.unwrap().path()).collect();
    list.retain(|p| p.extension().is_some_and(|e| e == "py"));
    list.sort();
    list
}

fn header<'a>(text: &'a str, key: &str) -> Option<&'a str> {
    text.lines().find_map(|l| l.strip_prefix("# ")?.strip_prefix(key)?.strip_prefix(": "))
}

/// The types of arguments as the header writes them, in JSON.
fn types(args: &str) -> Vec<Type> {
    let mut open: Vec<Vec<Type>> = vec![Vec::new()];
    let spaced = args.replace(['[', ']', ','], " ").len();
    assert_eq!(spaced, args.len());
    let mut word = String::new();
    for c in args.chars().chain([',']) {
        if !matches!(c, '[' | ']' | ',' | ' ') {
            word.push(c);
            continue;
        }
        let top = open.last_mut().unwrap();
        match std::mem::take(&mut word).as_str() {
            "" => {}
            "true" | "false" => top.push(Type::Bool),
            number if number.contains(['.', 'e', 'n']) => top.push(Type::F64),
            _ => top.push(Type::I64),
        }
        match c {
            '[' => open.push(Vec::new()),
            ']' => {
                let items = open.pop().unwrap();
                open.last_mut().unwrap().push(Type::tuple(items));
            }
            _ => {}
        }
    }
    open.pop().unwrap()
}

fn run(path: &Path) -> Result<Module, String> {
    let text = std::fs::read_to_string(path).unwrap();
    let name = path.file_name().unwrap().to_string_lossy().into_owned();
    let program = Program::parse(&name, &text).map_err(|d| format!("{d:?}"))?;
    let entry = header(&text, "entry").unwrap();
    let say = |d: Vec<_>| render(&d, Some(program.source()));
    let (m, entry) = program.lower(entry).map_err(say)?;
    let types = types(header(&text, "args").unwrap_or(""));
    infer(&m, entry, &types).map_err(say)
}

#[test]
fn programs_are_typed() {
    let mut bad = Vec::new();
    for path in programs("") {
        match run(&path) {
            Err(e) => bad.push(format!("{}: {e}", path.display())),
            Ok(m) => {
                if let Err(e) = verify(&m) {
                    bad.push(format!("{}: {e}\n{}", path.display(), gradus_ir::print::print(&m)));
                }
            }
        }
    }
    assert!(bad.is_empty(), "{} programs:\n{}", bad.len(), bad.join("\n\n"));
}

#[test]
fn errors() {
    for path in programs("errors") {
        println!(
            "## {}\n{}",
            path.display(),
            match run(&path) {
                Ok(_) => "accepted".into(),
                Err(e) => e,
            }
        );
    }
}

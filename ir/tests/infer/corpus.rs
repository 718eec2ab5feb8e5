//! Inference of every program of the corpus: what is right gets a typed module that the verifier accepts, what is wrong its message.

use gradus_frontend::{python::Program, render};
use gradus_ir::{Module, Type, infer::infer, print::print, verify::verify};
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

/// The types of arguments as the header writes them, in JSON; lists are taken for tuples.
fn types(args: &str) -> Vec<Type> {
    let args = args.replace("{\"t\": \"tuple\", \"v\": ", "").replace('}', "");
    let mut open: Vec<Vec<Type>> = vec![Vec::new()];
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

/// What inference makes of a program; none where the front end refuses it.
fn run(path: &Path, text: &str) -> Option<Result<Module, String>> {
    let name = path.file_name().unwrap().to_string_lossy();
    let program = Program::parse(&name, text).ok()?;
    let (m, entry) = program.lower(header(text, "entry").unwrap()).ok()?;
    let types = types(header(text, "args").unwrap_or(""));
    Some(infer(&m, entry, &types).map_err(|d| render(&d, Some(program.source()))))
}

#[test]
fn right_programs_are_typed() {
    let mut bad = Vec::new();
    for path in programs("") {
        let text = std::fs::read_to_string(&path).unwrap();
        match run(&path, &text) {
            Some(Err(message)) => bad.push(format!("{}:\n{message}", path.display())),
            Some(Ok(m)) => bad.extend(verify(&m).err().map(|e| format!("{}: {e}\n{}", path.display(), print(&m)))),
            None => {}
        }
    }
    assert!(bad.is_empty(), "{} programs:\n{}", bad.len(), bad.join("\n\n"));
}

#[test]
fn wrong_programs_get_their_message() {
    let mut bad = Vec::new();
    for path in programs("errors") {
        let text = std::fs::read_to_string(&path).unwrap();
        let (exit, message) = (header(&text, "exit"), header(&text, "message").unwrap_or(""));
        match run(&path, &text) {
            Some(Err(said)) if exit == Some("1") || !said.contains(message) => bad.push(format!("{}:\n{said}", path.display())),
            _ => {}
        }
    }
    assert!(bad.is_empty(), "{} programs:\n{}", bad.len(), bad.join("\n\n"));
}

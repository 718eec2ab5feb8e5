//! Programs that are refused or that fail: the message, its place and the exit code, as text and as JSON.
//! The header of a program is described in tests/programs/README.md.

#[path = "common/command.rs"]
mod command;

use command::gradus;
use rayon::prelude::*;
use serde_json::Value as Json;
use std::path::Path;

const FOLDER: &str = "tests/programs/errors";

/// What the header of a program says.
struct Expected {
    command: Vec<String>,
    exit: i32,
    message: String,
    /// The lines the caret may point to; none where the fault is not in the file.
    lines: Vec<u64>,
    /// The file that these are of, if it is another one.
    file: Option<String>,
    /// The calls that led there, each a function and a line, the innermost first; none where the header does not say.
    calls: Option<Vec<(String, u64)>>,
}

impl Expected {
    fn read(file: &str, text: &str) -> Expected {
        let header = || text.lines().map_while(|l| l.strip_prefix('#')).filter_map(|l| l.split_once(':'));
        let get = |key: &str| header().find(|(k, _)| k.trim() == key).map(|(_, v)| v.trim());
        let mut command = vec![get("command").unwrap_or("run").to_owned(), file.to_owned()];
        command.push(get("entry").expect("an entry").to_owned());
        let args: Vec<Json> = serde_json::from_str(&format!("[{}]", get("args").unwrap_or(""))).expect("JSON arguments");
        command.extend(args.iter().map(Json::to_string));
        command.extend(get("wrt").map(|w| format!("--wrt={w}")));
        let call = |text: &str| {
            let (function, line) = text.trim().split_once(' ').expect("a function and a line");
            (function.to_owned(), line.parse().expect("a line"))
        };
        Expected {
            command,
            calls: get("calls").map(|calls| calls.split(',').map(call).collect()),
            exit: get("exit").expect("an exit code").parse().expect("a number"),
            message: get("message").expect("a message").to_lowercase(),
            file: get("in").map(|file| format!("{FOLDER}/{file}")),
            lines: get("line").into_iter().flat_map(|l| l.split(',')).map(|l| l.trim().parse().expect("a line")).collect(),
        }
    }

    /// What is wrong with the text on standard error.
    fn text(&self, file: &str) -> Result<(), String> {
        let out = gradus(&self.command);
        let wrong = |what: &str| Err(format!("{file}: {what} (exit {})\n{}{}", out.code, out.stdout, out.stderr));
        if out.code != self.exit {
            return wrong(&format!("the exit code is not {}", self.exit));
        }
        if !out.stdout.is_empty() {
            return wrong("something is on standard output");
        }
        if !out.stderr.starts_with("error: ") || !said(&out.stderr).to_lowercase().contains(&self.message) {
            return wrong(&format!("the message does not mention `{}`", self.message));
        }
        let place = format!("--> {}:", self.file.as_deref().unwrap_or(file));
        let found = out.stderr.split_once(&place).and_then(|(_, rest)| rest.split(':').next()?.parse::<u64>().ok());
        let called: String =
            self.calls.iter().flatten().map(|(function, line)| format!("= called: `{function}` in line {line}\n")).collect();
        let shown = out.stderr.lines().filter(|l| l.contains("= called: ")).map(|l| l.trim().to_owned() + "\n");
        if self.calls.is_some() && shown.collect::<String>() != called {
            return wrong(&format!("the calls are not\n{called}"));
        }
        match found {
            None if self.lines.is_empty() => Ok(()),
            Some(line) if self.lines.contains(&line) => match out.stderr.contains('^') {
                true => Ok(()),
                false => wrong("there is no caret"),
            },
            _ => wrong(&format!("the place is not in line {:?}", self.lines)),
        }
    }

    /// What is wrong with the object on standard output.
    fn json(&self, file: &str) -> Result<(), String> {
        let out = gradus(self.command.iter().map(String::as_str).chain(["--json"]));
        let wrong = |what: &str| Err(format!("{file}: as JSON, {what} (exit {})\n{}", out.code, out.stdout));
        if out.code != self.exit || out.stdout.lines().count() != 1 {
            return wrong("not one line with the same exit code");
        }
        let Ok(answer) = serde_json::from_str::<Json>(&out.stdout) else { return wrong("not JSON") };
        let key = if self.exit == 3 { "unsupported" } else { "error" };
        let Some(message) = answer[key].as_str() else { return wrong(&format!("no `{key}`")) };
        let hint = answer["hint"].as_str().unwrap_or_default();
        if !format!("{message}\n{hint}").to_lowercase().contains(&self.message) {
            return wrong(&format!("the message does not mention `{}`", self.message));
        }
        if answer["file"].as_str() != self.file.as_deref() {
            return wrong("the file is another one");
        }
        let calls = answer["calls"].as_array().into_iter().flatten();
        let calls: Vec<(String, u64)> =
            calls.filter_map(|c| Some((c["function"].as_str()?.to_owned(), c["line"].as_u64()?))).collect();
        if self.calls.as_ref().is_some_and(|expected| *expected != calls) {
            return wrong("the calls are others");
        }
        match answer["line"].as_u64() {
            None if self.lines.is_empty() => Ok(()),
            Some(line) if self.lines.contains(&line) => Ok(()),
            _ => wrong(&format!("the place is not in line {:?}", self.lines)),
        }
    }
}

/// Messages and hints, without the lines of the source.
fn said(text: &str) -> String {
    let lines = text.lines().filter(|l| l.starts_with("error: ") || l.contains("= hint: "));
    lines.collect::<Vec<_>>().join("\n")
}

#[test]
fn errors() {
    let only = std::env::var("PROGRAM").ok();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(FOLDER);
    let mut names: Vec<String> = std::fs::read_dir(folder)
        .expect("the folder")
        .map(|e| e.expect("an entry").file_name().into_string().expect("a name in UTF-8"))
        .filter(|name| name.strip_suffix(".py").is_some_and(|stem| only.as_ref().is_none_or(|o| o == stem)))
        .collect();
    names.sort();
    let wrong: Vec<String> = names
        .par_iter()
        .flat_map(|name| {
            let file = format!("{FOLDER}/{name}");
            let text = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(&file)).expect("a program");
            let expected = Expected::read(&file, &text);
            [expected.text(&file), expected.json(&file)].into_iter().filter_map(Result::err).collect::<Vec<_>>()
        })
        .collect();
    assert!(wrong.is_empty(), "{} faults in {} programs:\n{}", wrong.len(), names.len(), wrong.join("\n"));
}

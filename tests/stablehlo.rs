//! Programs of tests/programs in StableHLO, run by XLA.

#[path = "common/program.rs"]
mod program;

use gradus::{Engine, Request, Value, active, xla};
use program::{Header, arguments, files};
use rayon::prelude::*;
use std::collections::BTreeMap;

#[test]
fn exports() {
    let only = std::env::var("PROGRAM").ok();
    let mut list = files("tests/programs");
    list.retain(|p| only.as_ref().is_none_or(|o| p.file_stem().is_some_and(|s| *s.to_string_lossy() == **o)));
    let out = std::env::var("DUMP").ok();
    let found: Vec<(String, String)> = list
        .par_iter()
        .map(|path| {
            let name = path.file_stem().unwrap().to_string_lossy().into_owned();
            let text = std::fs::read_to_string(path).unwrap();
            let header = Header::read(&text);
            let entry = header.get("entry").unwrap();
            let f = Engine::default().load(path).and_then(|p| p.function(entry)).unwrap();
            let args = arguments(header.get("args").unwrap(), header.is_single());
            let types: Vec<_> = args.iter().map(Value::ty).collect();
            let expected = std::fs::read_to_string(path.with_extension("out")).unwrap();
            let expected: serde_json::Value = serde_json::from_str(expected.lines().next().unwrap()).unwrap();
            let wrt = header.wrt().unwrap_or_else(|| active(&types));
            let request = if expected["gradient"].is_null() { Request::Value } else { Request::Gradient(wrt) };
            let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
                f.compile(&types, &request).map_err(|e| format!("compile: {e}")).and_then(|c| {
                    c.stablehlo(&xla::Options::default()).map_err(|e| e.to_string())
                })
            }));
            let result = match result {
                Ok(Ok(p)) => {
                    if let Some(out) = &out {
                        std::fs::write(format!("{out}/{name}.mlir"), &p.text).unwrap();
                    }
                    "ok".to_owned()
                }
                Ok(Err(e)) => e,
                Err(_) => "panic".into(),
            };
            (name, result)
        })
        .collect();
    let mut table: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (name, result) in &found {
        table.entry(result).or_default().push(name);
    }
    for (result, names) in table {
        println!("{} {result}: {}", names.len(), names.iter().take(12).copied().collect::<Vec<_>>().join(" "));
    }
}

//! The programs of tests/programs: their headers, arguments and answers.

use gradus::{Array, DType, Value, json};
use serde_json::Value as Json;
use std::path::PathBuf;

/// Of the largest entry: between the answers stored and ours, and between the default and others.
const TOLERANCE: f64 = 1e-12;
/// The same for programs on floats of 32 bits.
const SINGLE_TOLERANCE: f64 = 1e-5;

/// The header of a program: `# key: value` lines before the first other line.
pub struct Header(Vec<(String, String)>);

impl Header {
    pub fn read(text: &str) -> Header {
        let lines = text.lines().take_while(|l| l.starts_with('#'));
        Header(lines.filter_map(|l| l[1..].split_once(':')).map(|(k, v)| (k.trim().into(), v.trim().into())).collect())
    }

    pub fn all<'a>(&'a self, key: &'a str) -> impl Iterator<Item = &'a str> {
        self.0.iter().filter(move |(k, _)| k == key).map(|(_, v)| v.as_str())
    }

    pub fn get<'a>(&'a self, key: &'a str) -> Option<&'a str> {
        self.all(key).next()
    }

    /// Whether arguments that are arrays of floats have 32 bits.
    pub fn is_single(&self) -> bool {
        self.get("precision") == Some("single")
    }

    /// How far answers may be from those that are stored.
    pub fn tolerance(&self) -> f64 {
        if self.is_single() { SINGLE_TOLERANCE } else { TOLERANCE }
    }

    pub fn wrt(&self) -> Option<Vec<usize>> {
        Some(self.get("wrt")?.split(',').map(|i| i.trim().parse().expect("a number")).collect())
    }
}

/// Arguments as they are written, between commas.
pub fn arguments(text: &str, is_single: bool) -> Vec<Value> {
    let j: Json = serde_json::from_str(&format!("[{text}]")).expect("JSON arguments");
    let args = j.as_array().expect("an array").iter().map(|j| json::read(j).expect("an argument"));
    if is_single { args.map(single).collect() } else { args.collect() }
}

/// An array of floats as one of floats of 32 bits.
fn single(v: Value) -> Value {
    let Value::Array(array) = &v else { return v };
    match array.floats() {
        Some(floats) => Array::of_floats(DType::F32, array.shape(), floats.into_owned()).into(),
        None => v,
    }
}

/// The root of the repository: where cargo runs tests, or where they were built.
fn root() -> PathBuf {
    let here = PathBuf::from(".");
    if here.join("tests/programs").is_dir() { here } else { PathBuf::from(env!("CARGO_MANIFEST_DIR")) }
}

/// The programs of a folder.
pub fn files(folder: &str) -> Vec<PathBuf> {
    let folder = root().join(folder);
    let mut list: Vec<PathBuf> = std::fs::read_dir(folder).expect("the folder").map(|e| e.expect("an entry").path()).collect();
    list.retain(|p| p.extension().is_some_and(|e| e == "py"));
    list.sort();
    list
}

/// The floats of an answer, in order; what is no float must be equal.
pub fn compare(found: &Json, expected: &Json, tolerance: f64) -> Result<(), String> {
    let (mut a, mut b) = (Vec::new(), Vec::new());
    let same = flatten(found, &mut a) == flatten(expected, &mut b) && a.len() == b.len();
    let scale = b.iter().filter(|v| v.is_finite()).fold(0.0_f64, |s, v| s.max(v.abs()));
    let close = |(a, b): (&f64, &f64)| a == b || (a.is_nan() && b.is_nan()) || (a - b).abs() <= tolerance * scale;
    if same && a.iter().zip(&b).all(close) { Ok(()) } else { Err(format!("found {found}, expected {expected}")) }
}

fn flatten(j: &Json, out: &mut Vec<f64>) -> String {
    match j {
        Json::Number(n) => out.push(n.as_f64().expect("a number")),
        Json::String(s) if s == "nan" => out.push(f64::NAN),
        Json::String(s) if s == "inf" => out.push(f64::INFINITY),
        Json::String(s) if s == "-inf" => out.push(f64::NEG_INFINITY),
        Json::Array(items) => return format!("[{}]", items.iter().map(|i| flatten(i, out)).collect::<Vec<_>>().join(",")),
        Json::Object(fields) => {
            let fields = fields.iter().map(|(name, j)| format!("{name}: {}", flatten(j, out)));
            return format!("{{{}}}", fields.collect::<Vec<_>>().join(","));
        }
        other => return other.to_string(),
    }
    "#".into()
}

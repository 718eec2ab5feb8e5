//! The functions as Rust sees them.

use super::{Exported, Item, Library, names};
use gradus_ir::DType;
use std::fmt::Write as _;

impl Library {
    /// A module of Rust with a safe function for each function of the library: scalars are passed and returned, arrays are passed as
    /// `&[T; N]` and written to `&mut [T; N]`. It is the text of a file, without attributes, and links to nothing by itself.
    pub fn rust(&self) -> String {
        let file = std::path::Path::new(&self.source.name).file_name().unwrap_or_default().to_string_lossy();
        let (message, line) = (names::message(&self.name), names::line(&self.name));
        let mut text = format!("// Made from {file} by Gradus {}; do not edit.\n\n", env!("CARGO_PKG_VERSION"));
        text += "// Who includes this may leave out some of it.\n#[allow(dead_code, non_snake_case)]\nmod c {\n    unsafe extern \"C\" {\n";
        for f in &self.functions {
            let params: Vec<String> = f.args.iter().map(raw_argument).chain(f.results.iter().map(raw_result)).collect();
            let _ = writeln!(text, "        pub fn {}({}) -> i32;", f.symbol, params.join(", "));
        }
        let _ = write!(
            text,
            "        pub safe fn {message}(status: i32) -> *const std::ffi::c_char;\n        pub safe fn {line}(status: i32) -> i32;\n    }}\n}}\n\n\
             /// Why a function gave no result: its status.\n\
             #[derive(Clone, Copy, PartialEq, Eq, Debug)]\npub struct Failure(pub i32);\n\n\
             #[allow(dead_code)]\nimpl Failure {{\n    /// The line of {file} that failed.\n    pub fn line(self) -> i32 {{\n        c::{line}(self.0)\n    }}\n}}\n\n\
             impl std::fmt::Display for Failure {{\n    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {{\n        \
             // SAFETY: it is a text that ends in 0 and is never freed.\n        \
             let message = unsafe {{ std::ffi::CStr::from_ptr(c::{message}(self.0)) }};\n        \
             f.write_str(&message.to_string_lossy())\n    }}\n}}\n\nimpl std::error::Error for Failure {{}}\n"
        );
        for f in &self.functions {
            text += "\n";
            text += &safe(f);
        }
        text
    }
}

fn safe(f: &Exported) -> String {
    let (arrays, scalars): (Vec<&Item>, Vec<&Item>) = f.results.iter().partition(|item| !item.shape.is_empty());
    let params = f.args.iter().map(|item| match item.shape.is_empty() {
        true => format!("{}: {}", item.name, rust_type(item.dtype)),
        false => format!("{}: &{}", item.name, array(item)),
    });
    let params: Vec<String> = params.chain(arrays.iter().map(|item| format!("{}: &mut {}", item.name, array(item)))).collect();
    let tuple = |parts: Vec<String>| if parts.len() == 1 { parts.concat() } else { format!("({})", parts.join(", ")) };
    let types = tuple(scalars.iter().map(|item| rust_type(item.dtype).into()).collect());
    let mut text = format!(
        "/// {}\n#[allow(dead_code, non_snake_case)]\npub fn {}({}) -> Result<{types}, Failure> {{\n",
        f.what,
        f.symbol,
        params.join(", ")
    );
    for item in &scalars {
        let zero = match item.dtype {
            DType::Bool => "false",
            DType::I64 => "0",
            DType::F32 | DType::F64 => "0.0",
        };
        let _ = writeln!(text, "    let mut {} = {zero};", item.name);
    }
    let args = f.args.iter().map(|item| match item.shape.is_empty() {
        true => item.name.clone(),
        false => format!("{}.as_ptr()", item.name),
    });
    let places = f.results.iter().map(|item| match item.shape.is_empty() {
        true => format!("&mut {}", item.name),
        false => format!("{}.as_mut_ptr()", item.name),
    });
    let all: Vec<String> = args.chain(places).collect();
    let results = tuple(scalars.iter().map(|item| item.name.clone()).collect());
    let _ = write!(
        text,
        "    // SAFETY: pointers are those of arrays of the lengths that the function takes.\n    \
         let status = unsafe {{ c::{}({}) }};\n    if status == 0 {{ Ok({results}) }} else {{ Err(Failure(status)) }}\n}}\n",
        f.symbol,
        all.join(", ")
    );
    text
}

fn raw_argument(item: &Item) -> String {
    let ty = rust_type(item.dtype);
    if item.shape.is_empty() { format!("{}: {ty}", item.name) } else { format!("{}: *const {ty}", item.name) }
}

fn raw_result(item: &Item) -> String {
    format!("{}: *mut {}", item.name, rust_type(item.dtype))
}

fn array(item: &Item) -> String {
    format!("[{}; {}]", rust_type(item.dtype), item.shape.count())
}

fn rust_type(dtype: DType) -> &'static str {
    match dtype {
        DType::Bool => "bool",
        DType::I64 => "i64",
        DType::F32 => "f32",
        DType::F64 => "f64",
    }
}

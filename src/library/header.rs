//! The header for C and C++.

use super::{Exported, Item, Library, names};
use gradus_ir::DType;
use std::fmt::Write as _;

/// What all functions have in common.
const CONTRACT: &str = "\
/* Functions return 0, or the status of a failure: then no result is written. Arguments are read before results are written, so a
 * result may lie where an argument does. Arrays are dense and in row-major order; results are for the caller to provide. Functions
 * keep nothing between calls and may run on several threads at once. They need the C library alone: link with -lm. */
";

impl Library {
    /// The header, for C11 and C++11.
    pub fn header(&self) -> String {
        let guard = format!("GRADUS_{}_H", self.name.to_uppercase());
        let file = std::path::Path::new(&self.source.name).file_name().unwrap_or_default().to_string_lossy();
        let mut text = format!(
            "/* Made from {file} by Gradus {}; do not edit. */\n#ifndef {guard}\n#define {guard}\n\n",
            env!("CARGO_PKG_VERSION")
        );
        text += "#include <stdbool.h>\n#include <stdint.h>\n\n#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n";
        text += CONTRACT;
        for function in &self.functions {
            text += "\n";
            text += &declaration(function);
        }
        let (message, line) = (names::message(&self.name), names::line(&self.name));
        let _ = write!(
            text,
            "\n/* What a status means, as a text that is never freed, and the line of {file} that failed. */\n\
             const char *{message}(int status);\nint {line}(int status);\n\n#ifdef __cplusplus\n}}\n#endif\n\n#endif\n"
        );
        text
    }
}

fn declaration(f: &Exported) -> String {
    let mut text = format!("/* {}\n", f.what);
    for (item, role) in f.args.iter().map(|item| (item, "")).chain(f.results.iter().map(|item| (item, ", a result"))) {
        if !item.shape.is_empty() {
            let shape: Vec<String> = item.shape.iter().map(|n| n.to_string()).collect();
            let _ = writeln!(text, " * {}: an array of shape {}{role}", item.name, shape.join(" x "));
        }
    }
    let args = f.args.iter().map(argument);
    let results = f.results.iter().map(|item| format!("{} *{}", c_type(item.dtype), item.name));
    let params: Vec<String> = args.chain(results).collect();
    let _ = write!(text, " */\nint {}({});\n", f.symbol, params.join(", "));
    text
}

fn argument(item: &Item) -> String {
    let ty = c_type(item.dtype);
    if item.shape.is_empty() { format!("{ty} {}", item.name) } else { format!("const {ty} *{}", item.name) }
}

fn c_type(dtype: DType) -> &'static str {
    match dtype {
        DType::Bool => "bool",
        DType::I64 => "int64_t",
        DType::F32 => "float",
        DType::F64 => "double",
    }
}

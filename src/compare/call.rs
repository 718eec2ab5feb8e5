//! Calls and figures as texts: how tables and plots name them.

use crate::Function;
use gradus_ir::Value;
use serde_json::Value as Json;

/// An array of more elements is named by its type.
const WRITTEN: usize = 8;

/// The call as it would stand in the program, with the name of argument `swept` in its place.
pub fn call_text(function: &str, args: &[Value], swept: Option<(usize, &str)>) -> String {
    let args = args.iter().enumerate().map(|(i, v)| match swept {
        Some((index, name)) if index == i => name.to_owned(),
        _ => match v {
            Value::Array(array) if array.elements().len() > WRITTEN => v.ty().describe(),
            v => v.to_string(),
        },
    });
    format!("{function}({})", args.collect::<Vec<_>>().join(", "))
}

/// The name and number of an argument that is said by either.
///
/// # Errors
/// A sentence that lists the arguments, where there is none of `given` that is called so.
pub fn find_argument(said: &str, function: &Function, given: usize) -> Result<(String, usize), String> {
    let names = function.argument_names(given);
    let known = match said.parse::<usize>() {
        Ok(i) => (i < given).then_some(i),
        Err(_) => names.iter().position(|name| name == said),
    };
    let listed = || names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
    let index = known.ok_or_else(|| format!("there is no argument `{said}`; there are {}, counted from 0", listed()))?;
    Ok((names[index].clone(), index))
}

/// A field of a line of a CSV file.
pub fn csv_field(value: &Json) -> String {
    match value {
        Json::Null => String::new(),
        Json::String(text) if text.contains([',', '"', '\n']) => format!("\"{}\"", text.replace('"', "\"\"")),
        Json::String(text) => text.clone(),
        other => other.to_string(),
    }
}

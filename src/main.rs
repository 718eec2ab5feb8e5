//! The `gradus` command.
#![forbid(unsafe_code)]

mod command;

use clap::Parser;
use std::ffi::OsString;
use std::process::ExitCode;

fn main() -> ExitCode {
    command::report_panics();
    match command::Cli::try_parse_from(std::env::args_os().map(value)) {
        Ok(cli) => command::execute(&cli),
        Err(e) => command::usage(&e),
    }
}

/// An argument of the command, so that a negative number is no flag: `-1e-05` would be one.
fn value(arg: OsString) -> OsString {
    match arg.to_str() {
        Some(text) if text.starts_with('-') && text.parse::<f64>().is_ok() => format!(" {text}").into(),
        _ => arg,
    }
}

//! The `gradus` command.
#![forbid(unsafe_code)]

mod command;

use clap::Parser;
use std::process::ExitCode;

fn main() -> ExitCode {
    let cli = match command::Cli::try_parse() {
        Ok(cli) => cli,
        Err(e) => {
            let _ = e.print();
            return if e.use_stderr() { command::usage(&e) } else { ExitCode::SUCCESS };
        }
    };
    command::execute(&cli)
}

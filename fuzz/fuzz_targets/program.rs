//! Any text as a program: it is parsed, compiled and run, and ends in an answer or a message.
//!
//! ```text
//! cargo install cargo-fuzz
//! mkdir -p fuzz/corpus/program && cp tests/programs/*.py tests/programs/errors/*.py fuzz/corpus/program
//! cargo +nightly fuzz run program -- -dict=fuzz/words.dict -fork=1 -ignore_timeouts=1 -timeout=30 -rss_limit_mb=6000
//! ```

#![no_main]

use gradus::{Backend, Engine, Error, Options, Request, Source, Type, Value, active};
use libfuzzer_sys::fuzz_target;

/// The last function of a file is asked for, with floats for its parameters.
fn run(text: &str) -> Result<(), Error> {
    let backend = if text.len() % 2 == 0 { Backend::Interp } else { Backend::Jit };
    let options = Options { backend, ..Options::default() };
    let program = Engine::new(options).parse(Source::new("fuzz.py", text))?;
    let Some(name) = program.functions().last().map(|name| (*name).to_owned()) else { return Ok(()) };
    let function = program.function(&name)?;
    let types = vec![Type::F64; function.parameters().len().min(4)];
    let args = vec![Value::F64(1.5); types.len()];
    for request in [Request::Value, Request::Gradient(active(&types))] {
        let compiled = function.compile(&types, &request)?;
        if ends_soon(text) {
            compiled.run(&args)?;
        }
    }
    Ok(())
}

/// Whether a program has no loop without a bound, and no large number that could be one.
fn ends_soon(text: &str) -> bool {
    let is_long = |digits: &str| digits.len() > 2;
    !["while", "**", "<<", "fori", "odeint"].iter().any(|word| text.contains(word))
        && !text.split(|c: char| !c.is_ascii_digit()).any(is_long)
}

fuzz_target!(|text: &str| {
    if let Err(e @ Error::Internal(_)) = run(text) {
        panic!("{e}");
    }
});

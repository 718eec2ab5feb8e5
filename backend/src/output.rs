//! What programs print, and the messages they fail with.

use gradus_ir::format::fill;
use gradus_ir::{Number, Value};
use std::cell::RefCell;
use std::io::Write;

/// Takes what programs print, with the ends of lines: all of a `print`, or a piece of it.
pub type Sink = Box<dyn FnMut(&str)>;

thread_local! {
    static SINK: RefCell<Option<Sink>> = const { RefCell::new(None) };
    /// The message of a run that fails, on its way to the host.
    static MESSAGE: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Lets `sink` have what programs print on this thread, instead of the standard output. Gives who had them before.
pub fn print_to(sink: Option<Sink>) -> Option<Sink> {
    SINK.with(|s| s.replace(sink))
}

/// Prints a template filled with values.
pub(crate) fn print<F: Number>(template: &str, values: &[Value<F>]) {
    let text = fill(template, values);
    SINK.with(|sink| match &mut *sink.borrow_mut() {
        Some(sink) => sink(&text),
        // Code that was compiled does not unwind: that nobody reads on is no failure of the program.
        None => drop(std::io::stdout().write_all(text.as_bytes())),
    });
}

/// Keeps the message that a run fails with.
pub(crate) fn fail(template: &str, values: &[Value]) {
    fail_with(fill(template, values));
}

/// Keeps a message as it is.
pub(crate) fn fail_with(message: String) {
    MESSAGE.with(|m| m.replace(Some(message)));
}

/// The message that the last run on this thread failed with.
pub(crate) fn message() -> String {
    MESSAGE.with(|m| m.take()).unwrap_or_default()
}

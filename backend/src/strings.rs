//! Strings of programs that run: each has a number, by which code knows it. Numbers are those of the process, so equal strings have one.

use rustc_hash::FxHashMap;
use std::sync::{Arc, LazyLock, PoisonError, RwLock};

#[derive(Default)]
struct Strings {
    texts: Vec<Arc<str>>,
    numbers: FxHashMap<Arc<str>, u32>,
}

static STRINGS: LazyLock<RwLock<Strings>> = LazyLock::new(RwLock::default);

/// The number of a string.
pub fn number(text: &Arc<str>) -> u32 {
    let mut strings = STRINGS.write().unwrap_or_else(PoisonError::into_inner);
    let next = strings.texts.len() as u32;
    let number = *strings.numbers.entry(text.clone()).or_insert(next);
    if number == next {
        strings.texts.push(text.clone());
    }
    number
}

/// The string with a number; an empty one where code has no string and a zero stands for it.
pub fn text(number: u64) -> Arc<str> {
    let strings = STRINGS.read().unwrap_or_else(PoisonError::into_inner);
    usize::try_from(number).ok().and_then(|number| strings.texts.get(number).cloned()).unwrap_or_default()
}

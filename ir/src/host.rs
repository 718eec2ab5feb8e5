//! Functions of the host: code in Rust that a program calls as a primitive.

use crate::types::Type;
use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::{LazyLock, Mutex};

/// The code of a function: it reads the words of its arguments and writes those of its result, one for each scalar, floats as their
/// bits and booleans as 0 or 1.
pub type Code = Box<dyn Fn(&[u64], &mut [u64]) + Send + Sync>;

/// A function of the host.
pub struct Function {
    /// Its name, for people.
    pub name: String,
    /// The types of its parameters: scalars and tuples of them.
    pub params: Vec<Type>,
    /// The type of its result, likewise.
    pub result: Type,
    /// Its code. It must be a function of its arguments alone: calls are merged, moved and left out.
    pub code: Code,
}

impl fmt::Debug for Function {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.name)
    }
}

/// A function of the host, as primitives name it: kept for the life of the process, as shapes are, so that primitives are small and
/// copied freely.
#[derive(Clone, Copy)]
pub struct Host {
    number: usize,
    function: &'static Function,
}

static ALL: LazyLock<Mutex<Vec<&'static Function>>> = LazyLock::new(Mutex::default);

impl Host {
    /// Makes a function known.
    pub fn new(function: Function) -> Host {
        let function: &'static Function = Box::leak(Box::new(function));
        // A panic elsewhere cannot leave the list half changed.
        let mut all = ALL.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        all.push(function);
        Host { number: all.len() - 1, function }
    }

    /// The function that was made known as the one with this number.
    pub fn with_number(number: usize) -> Option<Host> {
        let all = ALL.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        all.get(number).map(|&function| Host { number, function })
    }

    /// Its number among all.
    pub fn number(self) -> usize {
        self.number
    }

    /// What it is.
    pub fn function(self) -> &'static Function {
        self.function
    }
}

impl PartialEq for Host {
    fn eq(&self, other: &Host) -> bool {
        self.number == other.number
    }
}

impl Eq for Host {}

impl Hash for Host {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.number.hash(state);
    }
}

impl PartialOrd for Host {
    fn partial_cmp(&self, other: &Host) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Host {
    fn cmp(&self, other: &Host) -> Ordering {
        self.number.cmp(&other.number)
    }
}

impl fmt::Debug for Host {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.function.name)
    }
}

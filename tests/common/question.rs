//! What is asked of a program, whichever way the answer is found.

use crate::word::{FORWARD, Word};
use gradus::Request;

/// What is asked of a program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Question {
    Value,
    Gradient,
    Second,
}

impl Question {
    /// The request that asks for it by the ways of a word, with respect to these arguments.
    pub fn request(self, word: &Word, wrt: &[usize]) -> Request {
        match self {
            Question::Value => Request::Value,
            Question::Gradient if word.0 == [FORWARD] => Request::Forward(wrt.to_vec(), None),
            Question::Gradient => Request::Gradient(wrt.to_vec()),
            Question::Second => Request::Orders(wrt[0], word.modes()),
        }
    }
}

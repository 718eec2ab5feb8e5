//! What compiled code runs on: its context, heap and stack, and the helpers that it calls.
//!
//! All `unsafe` of the JIT is in this module and its children. Compiled code trusts the types of the module it was compiled from,
//! which inference gave and the verifier checks; what crosses the border to Rust is words, laid out as `super::layout` says.
#![allow(unsafe_code)]
#![warn(clippy::undocumented_unsafe_blocks)]

mod arrays;
mod code;
mod collect;
mod heap;
mod helpers;
mod host;
mod saying;
mod shape;
mod stack;
mod sum;
mod tape;
mod trace;
mod vectors;

pub use arrays::{HEADER, MOST_RESULTS, MOST_SCALARS, apply, class_of};
pub use code::{Code, Finished, Held, Needs, Pointees, Read, Words, read_array, read_box, take_array};
pub use collect::mark;
pub use heap::{Context, Descriptor, UNWRITTEN, offsets};
pub use helpers::SYMBOLS;
pub use host::is_loaded;
pub use saying::Saying;
pub use shape::Shape;
pub use stack::HELPER_STACK;
pub use vectors::{FOREIGN, foreign_vector, handle, read_record};

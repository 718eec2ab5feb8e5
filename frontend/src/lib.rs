//! The front ends of Gradus, and how its messages look.
//!
//! [`python`] lowers a subset of Python (docs/language.md) to an untyped [`gradus_ir::Module`]. It never panics on a user's
//! text: what is outside of the subset is a [`gradus_ir::Diagnostic`] with a place in the source. [`render`](render()) shows
//! such messages.
#![forbid(unsafe_code)]

pub mod python;
pub mod render;

pub use render::render;

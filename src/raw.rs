//! What passes between a host and compiled code where no Rust types are known: words and arrays, and how values are made of them. A
//! [`Prepared`](crate::Prepared) takes and gives them.

pub use gradus_backend::{Pullback, Slice, Slot, Storage};
pub use gradus_ir::{Boundary, Form, Source};

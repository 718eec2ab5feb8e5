//! What a run took.

/// Memory of one run, as the executor lays it out.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Usage {
    /// Closures, partial applications and boxes that were made, but for those that hold nothing.
    pub objects: usize,
    /// Their bytes.
    pub heap_bytes: usize,
    /// Bytes of the records on tapes: over all buffers, what each held at its fullest.
    pub tape_bytes: usize,
    /// Operations on arrays that were executed, several that are one kernel counted once. Elements that compiled code reads and
    /// writes by itself are not counted.
    pub operations: usize,
    /// Records that were pushed. Records without data take no memory and are not counted.
    pub records: usize,
}

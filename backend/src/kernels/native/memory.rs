//! Memory for machine code: written first, executable after that, never both.

use memmap2::{Mmap, MmapMut};
use std::cell::RefCell;
use std::fmt;
use std::sync::{Arc, Mutex, OnceLock};

/// How many bytes of a segment are enough.
const MOST: usize = 1 << 20;

/// The code of kernels that were compiled one after the other. It becomes executable when the first of them is to run; what is
/// compiled after that goes elsewhere.
struct Segment {
    /// What is to become executable; none after that.
    code: Mutex<Option<Vec<u8>>>,
    memory: OnceLock<Option<Mmap>>,
}

impl Default for Segment {
    fn default() -> Segment {
        Segment { code: Mutex::new(Some(Vec::new())), memory: OnceLock::new() }
    }
}

impl fmt::Debug for Segment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Segment").finish_non_exhaustive()
    }
}

impl Segment {
    fn executable(&self) -> Option<&Mmap> {
        let map = || {
            let code = self.code.lock().ok()?.take()?;
            let mut memory = MmapMut::map_anon(code.len()).ok()?;
            memory.copy_from_slice(&code);
            memory.make_exec().ok()
        };
        self.memory.get_or_init(map).as_ref()
    }
}

/// A function in a segment.
#[derive(Debug)]
pub struct Function {
    segment: Arc<Segment>,
    offset: usize,
}

thread_local! {
    /// Where this thread puts code.
    static SEGMENT: RefCell<Arc<Segment>> = RefCell::default();
}

impl Function {
    /// A function of this code, which may be placed wherever addresses are multiples of 64.
    pub fn new(code: &[u8]) -> Function {
        SEGMENT.with_borrow_mut(|segment| {
            let append = |segment: &Segment| {
                let mut open = segment.code.lock().expect("nobody panics with this lock");
                let buffer = open.as_mut().filter(|buffer| buffer.len() < MOST)?;
                let offset = buffer.len();
                buffer.extend(code);
                buffer.resize(buffer.len().next_multiple_of(64), 0xCC);
                Some(offset)
            };
            let offset = append(segment).unwrap_or_else(|| {
                *segment = Arc::default();
                append(segment).expect("a new segment is open")
            });
            Function { segment: segment.clone(), offset }
        })
    }

    /// Its first instruction, which stays there as long as this lives; none if the system gives no executable memory.
    pub fn address(&self) -> Option<*const u8> {
        self.segment.executable().map(|memory| memory[self.offset..].as_ptr())
    }
}

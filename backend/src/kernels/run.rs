//! The execution of kernels: chunk by chunk, and in each one instruction after the other over what stays in the first cache.

use super::build::{Builder, Part};
use super::isa::BlockFn;
#[cfg(target_arch = "x86_64")]
use super::native::Native;
use super::parallel::Division;
use super::reduce::{BLOCK, Joins, LANES, Reduction, Shape};
use super::view::{View, copy};
use gradus_ir::{DType, eval};
use smallvec::SmallVec;
use std::cell::Cell;
use std::mem::MaybeUninit;
use std::ops::Range;
use std::ptr;
use std::slice::from_raw_parts_mut;

/// How many elements a chunk has at most: few enough that all its values stay in the first cache, and enough that calls of block
/// functions cost little.
pub fn chunk_length(values: usize) -> usize {
    const CACHE: usize = 16 << 10;
    (CACHE / size_of::<u64>() / values.max(1)).clamp(256, MOST_CHUNK) & !255
}

/// How many elements a chunk ever has.
const MOST_CHUNK: usize = 2048;

/// The memory of a run, in lines of the cache.
#[repr(C, align(64))]
#[derive(Clone, Copy)]
struct Line([u64; 8]);

const LINE: usize = size_of::<Line>();

thread_local! {
    /// What the last run of this thread used.
    static MEMORY: Cell<Vec<Line>> = const { Cell::new(Vec::new()) };
}

/// An elementwise computation over arrays, with reductions of what it gives.
#[derive(Debug)]
pub struct Kernel {
    /// The points of the iteration space.
    pub(super) count: usize,
    /// How many of them a chunk has at most.
    pub(super) chunk: usize,
    /// How many make a row, whose end is the end of a chunk.
    pub(super) row: usize,
    /// Where it may be divided among threads.
    pub(super) division: Division,
    /// For how many elements a slot has room.
    pub(super) room: usize,
    pub(super) values: usize,
    /// The values that have a place of their own, and its number.
    pub(super) slots: Vec<(u32, u32)>,
    pub(super) slot_count: u32,
    pub(super) uniforms: Vec<Uniform>,
    pub(super) dense: Vec<Dense>,
    pub(super) gathered: Vec<Gathered>,
    pub(super) joined: Vec<Parts>,
    /// What is computed once, of values that are the same at all points.
    pub(super) prologue: Vec<Instruction>,
    pub(super) computed: Vec<Uniform>,
    /// What is computed for each chunk.
    pub(super) body: Vec<Instruction>,
    pub(super) stores: Vec<Store>,
    pub(super) folds: Vec<Fold>,
    /// Reductions of floats of 32 bits, which are rounded when they are complete.
    pub(super) narrowed: Vec<Narrowed>,
    /// The functions that widen and narrow.
    pub(super) conversions: [BlockFn; 2],
    /// Machine code for all of it.
    #[cfg(target_arch = "x86_64")]
    pub(super) native: Option<Native>,
    /// What it was built from.
    pub(crate) source: Builder,
}

/// The shift of floats of 32 bits in memory.
pub const NARROW: u32 = 2;

/// An output that is computed as floats of 64 bits, to be rounded: in place where it is `wide`.
#[derive(Debug)]
pub struct Narrowed {
    pub output: u32,
    pub count: usize,
    pub wide: bool,
}

/// A block function, on values.
#[derive(Clone, Copy, Debug)]
pub struct Instruction {
    pub block: BlockFn,
    pub to: u32,
    pub from: [u32; 3],
}

/// A value that is the same at all points.
#[derive(Debug)]
pub struct Uniform {
    pub value: u32,
    pub source: Source,
    pub shift: u32,
    /// Whether it is needed at all points of a chunk, and not once.
    pub spread: bool,
}

/// Where a uniform value comes from.
#[derive(Clone, Copy, Debug)]
pub enum Source {
    Literal(u64),
    Word(u32),
    Element {
        input: u32,
        offset: isize,
        dtype: DType,
    },
    /// The first element of its own place.
    Place,
}

/// An input whose elements lie one after the other: instructions read it where it is.
#[derive(Debug)]
pub struct Dense {
    pub value: u32,
    pub input: u32,
    pub offset: isize,
    pub shift: u32,
}

/// An input of which each chunk is gathered.
#[derive(Debug)]
pub struct Gathered {
    pub value: u32,
    pub input: u32,
    pub slot: u32,
    pub view: View,
    pub shift: u32,
}

/// A value that is put together of parts, chunk by chunk.
#[derive(Debug)]
pub struct Parts {
    pub value: u32,
    pub slot: u32,
    /// Each with its first point.
    pub parts: Vec<(usize, Part)>,
    pub shift: u32,
}

/// An output with an element for each point.
#[derive(Debug)]
pub struct Store {
    pub value: u32,
    pub output: u32,
    pub shift: u32,
    /// The slot of the value, if the instruction that computes it can write to the output instead.
    pub direct: Option<u32>,
}

/// An output that is reduced.
#[derive(Debug)]
pub struct Fold {
    pub terms: [u32; 2],
    pub output: u32,
    pub by: Reduction,
    pub joins: Joins,
    pub shape: Shape,
    pub shift: u32,
    pub mode: Mode,
}

impl Fold {
    /// Whether several rows are joined by one call.
    fn has_short_rows(&self) -> bool {
        self.mode == Mode::Rows && self.shape.row_by_row() && self.shape.inner <= LANES
    }
}

/// How a reduction takes chunks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mode {
    /// Each is a number of whole rows.
    Rows,
    /// Rows begin and end anywhere: lanes hold the row that has begun.
    Lanes,
    /// The innermost axis is kept.
    Columns,
}

/// Where a reduction stands.
#[repr(C, align(64))]
struct State {
    lanes: [u64; LANES],
    /// The blocks that are complete.
    total: u64,
    /// Where the results of blocks go, if not to the total.
    partials: *mut u64,
    /// The row, and how many of its elements have been taken.
    row: usize,
    filled: usize,
}

const STATE_LINES: usize = size_of::<State>() / LINE;

/// A run: the inputs and outputs of a kernel, and the memory that one thread uses for it.
struct Run<'a> {
    kernel: &'a Kernel,
    inputs: *const u64,
    outputs: *const *mut u8,
    /// Where each value lies.
    places: *mut *mut u8,
    states: *mut State,
    slots: *mut u8,
}

impl Kernel {
    /// One that does nothing yet.
    pub(super) fn new(conversions: [BlockFn; 2]) -> Kernel {
        Kernel {
            source: Builder::new(&[]),
            count: 0,
            chunk: 0,
            row: 0,
            division: Division::None,
            room: 0,
            values: 0,
            slots: Vec::new(),
            slot_count: 0,
            uniforms: Vec::new(),
            dense: Vec::new(),
            gathered: Vec::new(),
            joined: Vec::new(),
            prologue: Vec::new(),
            computed: Vec::new(),
            body: Vec::new(),
            stores: Vec::new(),
            folds: Vec::new(),
            narrowed: Vec::new(),
            conversions,
            #[cfg(target_arch = "x86_64")]
            native: None,
        }
    }

    /// Runs the kernel.
    ///
    /// # Safety
    /// `inputs` points to a word for each input, in order: the address of an array, aligned to 64 bytes and readable for 64 bytes
    /// behind its last element, or a scalar. `outputs` points to the addresses of the outputs, so aligned, which overlap neither
    /// each other nor an input, except as [`super::Builder::store`] allows it. Nobody else uses the outputs meanwhile.
    pub unsafe fn run(&self, inputs: *const u64, outputs: *const *mut u8) {
        #[cfg(target_arch = "x86_64")]
        if self.parts() == 1
            && let Some(native) = self.whole()
        {
            // SAFETY: the caller's promise.
            if unsafe { native.run(inputs, outputs) } {
                return;
            }
        }
        if self.narrowed.is_empty() {
            // SAFETY: the caller's promise.
            return unsafe { self.run_wide(inputs, outputs) };
        }
        let [_, narrow] = self.conversions;
        let count = self.folds.len() + self.stores.len();
        // SAFETY: the caller's promise: an address for each output. Those that are narrowed are computed elsewhere if there is no room
        // where they go.
        unsafe {
            let mut addresses: SmallVec<[*mut u8; 8]> = (0..count).map(|i| *outputs.add(i)).collect();
            let mut rooms: SmallVec<[Vec<Line>; 2]> = SmallVec::new();
            for Narrowed { output, count, .. } in self.narrowed.iter().filter(|narrowed| !narrowed.wide) {
                let mut room = vec![Line([0; 8]); count.div_ceil(8) + 1];
                addresses[*output as usize] = room.as_mut_ptr().cast();
                rooms.push(room);
            }
            self.run_wide(inputs, addresses.as_ptr());
            for Narrowed { output, count, wide } in &self.narrowed {
                let (from, to) = (addresses[*output as usize], *outputs.add(*output as usize));
                if *wide {
                    let to = from_raw_parts_mut(to.cast::<f64>(), *count);
                    to.iter_mut().for_each(|v| *v = eval::narrow(*v));
                } else {
                    narrow(*count, to, [from.cast_const(); 3]);
                }
            }
        }
    }

    /// Runs the kernel with room for floats of 64 bits where those of 32 bits are reduced.
    ///
    /// # Safety
    /// As for [`Kernel::run`].
    unsafe fn run_wide(&self, inputs: *const u64, outputs: *const *mut u8) {
        // SAFETY: the caller's promise.
        unsafe {
            for fold in &self.folds {
                let output = *outputs.add(fold.output as usize);
                if self.count == 0 && fold.by == Reduction::Sum {
                    // The bits of the zeros of all types.
                    output.write_bytes(0, fold.shape.outputs << fold.shift);
                } else if self.count == 0 || !fold.shape.row_by_row() {
                    (fold.joins.clear)(fold.shape.outputs, output, [ptr::null(); 3]);
                }
            }
            if self.count == 0 {
                return;
            }
            let parts = self.parts();
            #[cfg(target_arch = "x86_64")]
            if parts == 1
                && self.whole().is_none()
                && let Some(native) = &self.native
                && native.run(inputs, outputs)
            {
                return;
            }
            match parts {
                1 => self.range(0..self.count, inputs, outputs, ptr::null()),
                parts => self.in_parallel(parts, inputs, outputs),
            }
        }
    }

    /// Code that does what [`Kernel::run`] does, a function of the C convention: none where it is not a matter of one thread and
    /// machine code alone.
    pub fn entry(&self) -> Option<*const u8> {
        #[cfg(target_arch = "x86_64")]
        if !self.is_divided() {
            return self.whole()?.address();
        }
        None
    }

    /// Machine code that does all of it, with nothing to do before or after.
    #[cfg(target_arch = "x86_64")]
    fn whole(&self) -> Option<&Native> {
        let is_whole = self.count != 0 && self.folds.iter().all(|fold| fold.shape.row_by_row());
        self.native.as_ref().filter(|_| is_whole)
    }

    /// Runs a part of the iteration space, after the outputs that are joined to have been cleared. `partials` has for each
    /// reduction the place of its blocks' results, if those are asked for and not the outputs; or it is null.
    ///
    /// # Safety
    /// As for [`Kernel::run`]; parts begin where [`Kernel::parts`] may divide.
    #[inline]
    pub(super) unsafe fn range(
        &self,
        points: Range<usize>,
        inputs: *const u64,
        outputs: *const *mut u8,
        partials: *const *mut u64,
    ) {
        let [values, states] = [self.values.div_ceil(LINE / size_of::<usize>()), self.folds.len() * STATE_LINES];
        let lines = values + states + self.slot_count as usize * self.slot_lines();
        let mut memory = MEMORY.take();
        if memory.len() < lines {
            memory = vec![Line([0; 8]); lines];
        }
        // SAFETY: these parts are one after the other in the memory; for the rest stands the caller.
        unsafe {
            let places = memory.as_mut_ptr();
            let (states, slots) = (places.add(values), places.add(values + states));
            let run = Run { kernel: self, inputs, outputs, places: places.cast(), states: states.cast(), slots: slots.cast() };
            run.prepare(points.start, partials);
            run.chunks(points);
        }
        MEMORY.set(memory);
    }

    /// The lines of a slot. Gathering may write a line too much; and loops look whether their operands are farther away than the
    /// elements that they take at once.
    fn slot_lines(&self) -> usize {
        (self.room * size_of::<u64>() / LINE + 1).max(5)
    }
}

/// All is unsafe as [`Kernel::run`] is.
impl Run<'_> {
    unsafe fn input(&self, i: u32) -> u64 {
        // SAFETY: there is a word for each input.
        unsafe { *self.inputs.add(i as usize) }
    }

    unsafe fn output(&self, i: u32) -> *mut u8 {
        // SAFETY: there is a pointer for each output.
        unsafe { *self.outputs.add(i as usize) }
    }

    unsafe fn place(&self, value: u32) -> *mut u8 {
        // SAFETY: there is a place for each value.
        unsafe { *self.places.add(value as usize) }
    }

    unsafe fn set_place(&self, value: u32, place: *mut u8) {
        // SAFETY: there is a place for each value.
        unsafe { *self.places.add(value as usize) = place }
    }

    unsafe fn slot(&self, slot: u32) -> *mut u8 {
        // SAFETY: the memory has room for all slots.
        unsafe { self.slots.add(slot as usize * self.kernel.slot_lines() * LINE) }
    }

    unsafe fn instruction(&self, instruction: &Instruction, n: usize) {
        // SAFETY: the places hold values of the types that the block is for, with room for all that it reads and writes; values
        // that are needed at the same time have places of their own.
        unsafe { (instruction.block)(n, self.place(instruction.to), instruction.from.map(|v| self.place(v).cast_const())) }
    }

    /// Gives values their places, computes those that are the same at all points, and sets reductions to where a part starts.
    #[inline]
    unsafe fn prepare(&self, start: usize, partials: *const *mut u64) {
        let kernel = self.kernel;
        // SAFETY: as the caller says.
        unsafe {
            for (i, fold) in kernel.folds.iter().enumerate() {
                let state = &mut *self.states.add(i);
                (state.row, state.filled) = (start / fold.shape.inner, start % fold.shape.inner);
                state.partials = if partials.is_null() { ptr::null_mut() } else { *partials.add(i) };
                if fold.mode != Mode::Columns && !fold.has_short_rows() {
                    self.clear(fold, state);
                }
            }
            for &(value, slot) in &kernel.slots {
                self.set_place(value, self.slot(slot));
            }
            for uniform in &kernel.uniforms {
                self.spread(uniform);
            }
            for instruction in &kernel.prologue {
                self.instruction(instruction, 1);
            }
            for uniform in &kernel.computed {
                self.spread(uniform);
            }
        }
    }

    /// Fills the place of a value that is the same at all points.
    unsafe fn spread(&self, uniform: &Uniform) {
        // SAFETY: the place has room for so many elements of 8 bytes.
        unsafe {
            let to = self.place(uniform.value);
            let element = |at: *const u8| if uniform.shift == 0 { u64::from(*at) } else { *at.cast::<u64>() };
            let word = match uniform.source {
                Source::Literal(word) => word,
                Source::Word(input) => self.input(input),
                Source::Element { input, offset, dtype } => {
                    let at = (self.input(input) as *const u8).offset(offset * dtype.bytes() as isize);
                    if dtype == DType::F32 { f64::from(*at.cast::<f32>()).to_bits() } else { element(at) }
                }
                Source::Place => element(to),
            };
            let n = if uniform.spread { self.kernel.room } else { 1 };
            match uniform.shift {
                0 => to.write_bytes(word as u8, n),
                _ => from_raw_parts_mut(to.cast::<u64>(), n).fill(word),
            }
        }
    }

    /// Whether an input lies where the output is: then it is read before that is written.
    unsafe fn is_updated(&self, store: &Store) -> bool {
        self.kernel.dense.iter().any(|dense| {
            // SAFETY: an element of the array.
            unsafe { (self.input(dense.input) as *mut u8).offset(dense.offset << dense.shift) == self.output(store.output) }
        })
    }

    #[inline]
    unsafe fn chunks(&self, points: Range<usize>) {
        let kernel = self.kernel;
        let mut start = points.start;
        let mut row_left = if start == 0 { kernel.row } else { kernel.row - start % kernel.row };
        // SAFETY: the points of a chunk are of the iteration space, and the places have room for them.
        unsafe {
            while start < points.end {
                let n = kernel.chunk.min(row_left).min(points.end - start);
                for dense in &kernel.dense {
                    let at = (self.input(dense.input) as *mut u8).offset((dense.offset + start as isize) << dense.shift);
                    self.set_place(dense.value, at);
                }
                for gathered in &kernel.gathered {
                    self.gather(gathered, start, n);
                }
                for joined in &kernel.joined {
                    self.join(joined, start, n);
                }
                // Instructions write whole vectors.
                for store in &kernel.stores {
                    if let Some(slot) = store.direct {
                        let whole = n % 8 == 0 && !self.is_updated(store);
                        let output = self.output(store.output).add(start << store.shift);
                        self.set_place(store.value, if whole { output } else { self.slot(slot) });
                    }
                }
                for instruction in &kernel.body {
                    self.instruction(instruction, n);
                }
                for (i, fold) in kernel.folds.iter().enumerate() {
                    self.fold(fold, &mut *self.states.add(i), n);
                }
                for store in &kernel.stores {
                    let (from, to) = (self.place(store.value), self.output(store.output).add(start << store.shift));
                    if store.shift == NARROW {
                        let [_, narrow] = kernel.conversions;
                        narrow(n, to, [from.cast_const(); 3]);
                    } else if from != to {
                        ptr::copy_nonoverlapping(from, to, n << store.shift);
                    }
                }
                start += n;
                row_left = if row_left == n { kernel.row } else { row_left - n };
            }
        }
    }

    unsafe fn gather(&self, gathered: &Gathered, start: usize, n: usize) {
        let Gathered { value, input, slot, view, shift } = gathered;
        // SAFETY: the points are of the iteration space; a slot has room for a line more.
        unsafe {
            let (base, room) = (self.input(*input) as *const u8, self.slot(*slot));
            let at = match shift {
                0 => view.gather(base, start, n, room),
                &NARROW => {
                    let mut dense = [const { MaybeUninit::<f32>::uninit() }; MOST_CHUNK + LINE / size_of::<f32>()];
                    let [widen, _] = self.kernel.conversions;
                    widen(n, room, [view.gather(base.cast::<f32>(), start, n, dense.as_mut_ptr().cast()).cast(); 3]);
                    room.cast_const()
                }
                _ => view.gather(base.cast::<u64>(), start, n, room.cast()).cast(),
            };
            self.set_place(*value, at.cast_mut());
        }
    }

    unsafe fn join(&self, joined: &Parts, start: usize, n: usize) {
        let Parts { value, slot, parts, shift } = joined;
        // SAFETY: the points are of the iteration space; a slot has room for a line more.
        unsafe {
            let room = self.slot(*slot);
            for (i, (first, part)) in parts.iter().enumerate() {
                let end = parts.get(i + 1).map_or(start + n, |(next, _)| *next).min(start + n);
                let from = start.max(*first);
                if from >= end {
                    continue;
                }
                let (stride, at, word);
                match part {
                    Part::Array { input, offset } => {
                        let first = (offset + (from - first) as isize) << shift;
                        (stride, at) = (1, (self.input(*input) as *const u8).offset(first));
                    }
                    Part::Scalar { input } => {
                        word = self.input(*input);
                        (stride, at) = (0, (&raw const word).cast());
                    }
                    Part::Literal(constant) => (stride, at) = (0, (&raw const *constant).cast()),
                }
                let to = room.add((from - start) << shift);
                match shift {
                    0 => copy(at, stride, end - from, to),
                    _ => copy(at.cast::<u64>(), stride, end - from, to.cast()),
                }
            }
            self.set_place(*value, room);
        }
    }

    /// Identities, before the first element.
    unsafe fn clear(&self, fold: &Fold, state: &mut State) {
        // SAFETY: lanes have room for those of any type.
        unsafe {
            (fold.joins.clear)(LANES, state.lanes.as_mut_ptr().cast(), [ptr::null(); 3]);
            (fold.joins.clear)(1, (&raw mut state.total).cast(), [ptr::null(); 3]);
        }
    }

    /// Takes the next `n` elements.
    unsafe fn fold(&self, fold: &Fold, state: &mut State, n: usize) {
        let (shape, joins) = (&fold.shape, &fold.joins);
        let length = shape.inner;
        // SAFETY: the terms are there for `n` elements; the output has as many elements as its shape says.
        unsafe {
            let terms = fold.terms.map(|v| self.place(v).cast_const());
            let from = |done: usize, third: *const u8| {
                let [a, b] = terms.map(|term| term.add(done << fold.shift));
                [a, b, third]
            };
            let output = |at: usize| self.output(fold.output).add(at << fold.shift);
            let (lanes, total) = ((&raw mut state.lanes).cast::<u8>(), (&raw mut state.total).cast::<u8>());
            if fold.has_short_rows() {
                let rows = n / length;
                (joins.short_rows)(rows, output(state.row), from(0, ptr::without_provenance(length)));
                state.row += rows;
                return;
            }
            if fold.mode == Mode::Rows && shape.row_by_row() {
                for start in (0..n).step_by(length) {
                    (joins.row)(length, output(state.row), from(start, lanes));
                    state.row += 1;
                }
                return;
            }
            let mut done = 0;
            while done < n {
                let taken = (length - state.filled).min(n - done);
                let taken = match fold.mode {
                    Mode::Rows => {
                        (joins.row)(length, total, from(done, lanes));
                        taken
                    }
                    Mode::Lanes => {
                        let (block, first) = (state.filled / BLOCK, state.filled % BLOCK);
                        let taken = taken.min(BLOCK - first);
                        (joins.accumulate)(taken, lanes, from(done, ptr::without_provenance(first % LANES)));
                        if first + taken == BLOCK || state.filled + taken == length {
                            let to = if state.partials.is_null() { total } else { state.partials.add(block).cast() };
                            (joins.finish)(1, to, [lanes.cast_const(); 3]);
                            (joins.clear)(LANES, lanes, [ptr::null(); 3]);
                        }
                        taken
                    }
                    Mode::Columns => {
                        (joins.columns)(taken, output(shape.output(state.row) + state.filled), from(done, ptr::null()));
                        taken
                    }
                };
                done += taken;
                state.filled += taken;
                if state.filled == length {
                    if fold.mode != Mode::Columns && state.partials.is_null() {
                        let to = output(shape.output(state.row));
                        if shape.row_by_row() {
                            ptr::copy_nonoverlapping(total, to, 1 << fold.shift);
                        } else {
                            (joins.results)(1, to, [total.cast_const(); 3]);
                        }
                        (joins.clear)(1, total, [ptr::null(); 3]);
                    }
                    (state.row, state.filled) = (state.row + 1, 0);
                }
            }
        }
    }
}

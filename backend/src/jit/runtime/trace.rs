//! The tape of derivatives that are traced (docs/strategies.md §10): one for the run.

use super::super::layout::Field;
use super::heap::{Context, LARGEST_KEPT};
use super::helpers::{at, raise};
use super::shape::Shape;
use super::vectors::{self, Handle};
use gradus_ir::{DType, TrapKind};

/// An entry of the tape: a float, made of those at two places, with the derivatives by them; a variable, which is made of none; or a
/// function.
#[derive(Clone, Copy, Debug)]
struct Entry {
    from: [u32; 2],
    by: [f64; 2],
}

/// In the place of the first place: the entry is a function object, whose address stands where the first derivative does. The second place
/// is the number of entries after it that are its results; without any it is one itself.
const FUNCTION: u32 = u32::MAX;

/// The bits of a cotangent to which nothing was added.
const UNTOUCHED: u64 = (-0.0_f64).to_bits();

/// In the place of the first place: the entry is a variable.
const VARIABLE: u32 = u32::MAX - 1;

impl Entry {
    const VARIABLE: Entry = Entry { from: [VARIABLE, 0], by: [0.0; 2] };

    fn function(&self) -> Option<*const u64> {
        (self.from[0] == FUNCTION).then_some(self.by[0].to_bits() as *const u64)
    }
}

/// The tape, and the cotangents of its places. There are not more cotangents than entries; those that are missing are zero.
#[derive(Debug, Default)]
pub struct Trace {
    entries: Vec<Entry>,
    floats: Vec<f64>,
    arrays: Vec<*mut u8>,
    /// The derivatives that are under way.
    open: usize,
    /// The most entries that there were, and how many were made, before it was emptied last.
    before: [usize; 2],
}

impl Trace {
    fn bytes(&self) -> usize {
        self.entries.capacity() * size_of::<Entry>() + self.floats.capacity() * 8 + self.arrays.capacity() * 8
    }

    fn empty(&mut self) {
        let len = self.entries.len();
        self.before = [self.before[0].max(len), self.before[1] + len];
        self.entries.clear();
        self.floats.clear();
        self.arrays.clear();
    }

    /// Ends a run. Gives the bytes that are kept for the next.
    pub fn end(&mut self) -> usize {
        if self.bytes() > LARGEST_KEPT {
            *self = Trace::default();
        }
        self.empty();
        (self.open, self.before) = (0, [0; 2]);
        self.bytes()
    }

    /// The most bytes of entries that there were at a time, and how many entries were made.
    pub fn usage(&self) -> (usize, usize) {
        let len = self.entries.len();
        (self.before[0].max(len) * size_of::<Entry>(), self.before[1] + len)
    }

    /// Whether there is a cotangent at a place.
    fn is_live(&self, place: usize) -> bool {
        self.floats.get(place).is_some_and(|float| float.to_bits() != UNTOUCHED)
            || self.arrays.get(place).is_some_and(|array| !array.is_null())
    }
}

/// Makes room for so many values; gives the bytes that it takes. None if there is no memory.
fn room<T>(values: &mut Vec<T>, len: usize) -> Option<usize> {
    if len <= values.capacity() {
        return Some(0);
    }
    let before = values.capacity();
    values.try_reserve(len - values.len()).ok()?;
    Some((values.capacity() - before) * size_of::<T>())
}

impl Context {
    /// Puts an entry at the end of the tape; gives its place. None if there is no memory.
    fn put(&mut self, entry: Entry) -> Option<usize> {
        if self.trace.entries.is_empty() {
            // The place of constants.
            self.push_entry(Entry::VARIABLE)?;
        }
        self.push_entry(entry)
    }

    fn push_entry(&mut self, entry: Entry) -> Option<usize> {
        let place = self.trace.entries.len();
        if place == self.trace.entries.capacity() {
            let bytes = room(&mut self.trace.entries, place + 1)?;
            if !self.reserve(bytes) {
                return None;
            }
        }
        self.trace.entries.push(entry);
        (place < VARIABLE as usize).then_some(place)
    }

    /// Adds to the cotangent of a float. That of a constant is no matter.
    fn add_float(&mut self, place: usize, more: f64) -> Option<()> {
        if place == 0 {
            return Some(());
        }
        if place >= self.trace.floats.len() {
            let len = self.trace.entries.len();
            let bytes = room(&mut self.trace.floats, len)?;
            if !self.reserve(bytes) {
                return None;
            }
            self.trace.floats.resize(len, -0.0);
        }
        self.trace.floats[place] += more;
        Some(())
    }

    /// Adds an array, which brings a reference, or null.
    ///
    /// # Safety
    /// It has so many elements of the type, as has every array that comes to this place.
    unsafe fn add_array(&mut self, place: usize, array: *mut u8, dtype: DType, count: usize) -> Option<()> {
        if place == 0 || array.is_null() {
            return Some(());
        }
        if place >= self.trace.arrays.len() {
            let len = self.trace.entries.len();
            let bytes = room(&mut self.trace.arrays, len)?;
            if !self.reserve(bytes) {
                return None;
            }
            self.trace.arrays.resize(len, std::ptr::null_mut());
        }
        let so_far = self.trace.arrays[place];
        // SAFETY: by the contract.
        let sum = if so_far.is_null() { array } else { unsafe { self.add_arrays(so_far, array, dtype, count) }? };
        self.trace.arrays[place] = sum;
        Some(())
    }

    /// Adds what lies in a box to the cotangents at the places that lie in another.
    ///
    /// # Safety
    /// Both are null or boxes of the run, of places and of their cotangents.
    unsafe fn add_box(&mut self, places: *const u64, cotangents: *const u64) -> Option<()> {
        let mut work = vec![(places, cotangents)];
        while let Some((place, cotangent)) = work.pop() {
            if place.is_null() || cotangent.is_null() {
                continue;
            }
            // SAFETY: a box begins with its shape, which lives as long as the code, and has the words of its fields.
            unsafe { self.add_fields(&(**cotangent.cast::<*const Shape>()).fields, place.add(1), cotangent.add(1), &mut work) }?;
        }
        Some(())
    }

    /// Adds the records of a vector to the cotangents at the places that lie in another.
    ///
    /// # Safety
    /// Both are null or vectors of the run, of places and of their cotangents.
    unsafe fn add_vector(&mut self, places: *mut Handle, cotangents: *mut Handle, record: &[Field]) -> Option<()> {
        let mut work = Vec::new();
        // SAFETY: by the contract; what is left to do are boxes.
        unsafe {
            self.add_records(places, cotangents, record, &mut work)?;
            work.into_iter().try_for_each(|(places, cotangents)| self.add_box(places, cotangents))
        }
    }

    /// Adds the records of a vector, but for the boxes in them, which are left to do.
    ///
    /// # Safety
    /// As [`Context::add_vector`].
    unsafe fn add_records(
        &mut self,
        places: *mut Handle,
        cotangents: *mut Handle,
        record: &[Field],
        work: &mut Work,
    ) -> Option<()> {
        let [places, cotangents] = [places, cotangents].map(|vector| self.vector(vector));
        // SAFETY: by the contract.
        unsafe {
            for index in vectors::indices(cotangents) {
                // Where a vector of places has no record, constants are.
                let found = [places, cotangents].map(|vector| self.find(vector, index, record.len()));
                if let [Some(place), Some(cotangent)] = found {
                    self.add_fields(record, place, cotangent, work)?;
                }
            }
        }
        Some(())
    }

    /// Adds fields, but for the boxes among them, which are left to do.
    ///
    /// # Safety
    /// There are as many words of places, and of their cotangents; a place is one word, as is its cotangent.
    unsafe fn add_fields(&mut self, fields: &[Field], place: *const u64, cotangent: *const u64, work: &mut Work) -> Option<()> {
        for (i, field) in fields.iter().enumerate() {
            // SAFETY: by the contract.
            unsafe {
                let (place, cotangent) = (*place.add(i), *cotangent.add(i));
                match field {
                    Field::Float => self.add_float(place as usize, f64::from_bits(cotangent))?,
                    Field::Floats(dtype, count) => {
                        let array = self.arrays.shared(cotangent as *mut u8);
                        self.add_array(place as usize, array, *dtype, *count)?;
                    }
                    Field::Box => work.push((place as *const u64, cotangent as *const u64)),
                    Field::Vec(record) => self.add_records(place as *mut Handle, cotangent as *mut Handle, record, work)?,
                    // No cotangent of a program is of these kinds.
                    Field::Tape(_) | Field::Array | Field::Function | Field::Other => {}
                }
            }
        }
        Some(())
    }
}

/// Boxes of places, each with one of cotangents.
type Work = Vec<(*const u64, *const u64)>;

/// A strong product, of a cotangent and a derivative ([`gradus_ir::Prim::Mul0`]).
fn strong(cotangent: f64, by: f64) -> f64 {
    if cotangent == 0.0 || by == 0.0 { if cotangent == 0.0 { cotangent } else { by } } else { cotangent * by }
}

/// Gives a result, or raises a trap where there was no memory for it.
fn done<T>(context: &Context, result: Option<T>, place: u64) -> T {
    result.unwrap_or_else(|| raise(context, at(place, TrapKind::OutOfMemory)))
}

pub extern "C" fn open(context: &mut Context, place: u64) -> usize {
    context.trace.open += 1;
    let below = context.put(Entry::VARIABLE);
    done(context, below, place)
}

pub extern "C" fn variable(context: &mut Context, place: u64) -> usize {
    let variable = context.put(Entry::VARIABLE);
    done(context, variable, place)
}

pub extern "C" fn note(context: &mut Context, a: usize, by_a: f64, b: usize, by_b: f64, place: u64) -> usize {
    if a | b == 0 {
        return 0;
    }
    let entry = context.put(Entry { from: [a as u32, b as u32], by: [by_a, by_b] });
    done(context, entry, place)
}

pub extern "C" fn call(context: &mut Context, function: u64, results: usize, any: usize, place: u64) -> usize {
    if any == 0 && results == 0 {
        return 0;
    }
    let entry = context.put(Entry { from: [FUNCTION, results as u32], by: [f64::from_bits(function), 0.0] });
    let entry = done(context, entry, place);
    for _ in 0..results {
        let result = context.put(Entry::VARIABLE);
        done(context, result, place);
    }
    entry
}

pub extern "C" fn add_float(context: &mut Context, to: usize, cotangent: f64, place: u64) {
    let result = context.add_float(to, cotangent);
    done(context, result, place);
}

/// # Safety
/// As [`Context::add_array`]; so many bytes an element.
pub unsafe extern "C" fn add_array(context: &mut Context, to: usize, array: *mut u8, bytes: usize, count: usize, place: u64) {
    let dtype = if bytes == DType::F32.bytes() { DType::F32 } else { DType::F64 };
    // SAFETY: by the contract.
    let result = unsafe { context.add_array(to, array, dtype, count) };
    done(context, result, place);
}

/// # Safety
/// As [`Context::add_box`].
pub unsafe extern "C" fn add_box(context: &mut Context, places: *const u64, cotangents: *const u64, place: u64) {
    // SAFETY: by the contract.
    let result = unsafe { context.add_box(places, cotangents) };
    done(context, result, place);
}

/// # Safety
/// As [`Context::add_vector`].
pub unsafe extern "C" fn add_vector(
    context: &mut Context,
    places: *mut Handle,
    cotangents: *mut Handle,
    shape: &Shape,
    place: u64,
) {
    // SAFETY: by the contract.
    let result = unsafe { context.add_vector(places, cotangents, &shape.fields) };
    done(context, result, place);
}

pub extern "C" fn take_float(context: &mut Context, place: usize) -> f64 {
    context.trace.floats.get_mut(place).map_or(-0.0, |float| std::mem::replace(float, -0.0))
}

/// The array, with its reference; null is one of zeros.
pub extern "C" fn take_array(context: &mut Context, place: usize) -> *mut u8 {
    context.trace.arrays.get_mut(place).map_or(std::ptr::null_mut(), std::mem::take)
}

pub extern "C" fn next(context: &mut Context, below: usize, above: usize) -> i64 {
    let trace = &mut context.trace;
    let mut place = below.min(trace.floats.len().max(trace.arrays.len()));
    while place > above + 1 {
        place -= 1;
        let entry = trace.entries[place];
        if entry.function().is_some() {
            if (place..=place + entry.from[1] as usize).any(|place| trace.is_live(place)) {
                return place as i64;
            }
            continue;
        }
        let Some(&cotangent) = trace.floats.get(place).filter(|c| c.to_bits() != UNTOUCHED) else { continue };
        // A variable keeps its cotangent.
        if entry.from[0] != VARIABLE {
            trace.floats[place] = -0.0;
            for (&from, &by) in entry.from.iter().zip(&entry.by).filter(|(from, _)| **from != 0) {
                trace.floats[from as usize] += strong(cotangent, by);
            }
        }
    }
    -1
}

pub extern "C" fn step(context: &mut Context, place: usize) -> *const u64 {
    context.trace.entries[place].function().unwrap_or(std::ptr::null())
}

pub extern "C" fn close(context: &mut Context) {
    context.trace.open -= 1;
    if context.trace.open == 0 {
        context.trace.empty();
    }
}

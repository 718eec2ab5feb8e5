//! The memory of vectors. A vector is the address of a handle, whose references are counted as those of arrays are ([`super::arrays`]).
//!
//! ```text
//! a handle of records       records, how many there is room for, -, -
//! a handle of a change      null, 0, the handle that it differs from, an index, the record there
//! a vector of zeros         null, 0, null, -
//! ```
//!
//! Vectors are values, and writes are in place all the same. Where others have a handle too, a write hands its records on to a new handle,
//! and the old one becomes a change of the new one (Baker 1991, *Shallow Binding Makes Functional Arrays Fast*). So the latest vector is
//! always read and written at once. An old one that many changes lie between takes a copy when it is read. A few records of a vector of
//! zeros, which a pullback gives that reads a list once, are changes of zeros.

use super::super::layout::Field;
use super::heap::Context;
use super::shape::Shape;
use super::sum::Sum;
use std::mem::offset_of;
use std::ptr::{copy_nonoverlapping, null, null_mut};

/// A vector in memory: its address is the vector.
#[repr(C)]
#[derive(Debug)]
pub struct Handle {
    /// The records, one after the other; null if there are none here.
    pub records: *mut u64,
    /// How many records there is room for. Those that were not written are zero.
    pub capacity: usize,
    /// The handle that a change differs from; null if this is none.
    next: *mut Handle,
    index: usize,
    /// How records lie; null in handles that are not of the run.
    shape: *const Shape,
    /// Where this handle stands among those whose records hold boxes.
    slot: usize,
}

/// The handles of the run whose records hold boxes.
#[derive(Debug, Default)]
pub struct Boxed(Vec<*mut Handle>);

impl Boxed {
    /// Forgets all.
    pub fn end(&mut self) {
        self.0.clear();
    }

    /// Goes through all words that may be the addresses of boxes, those that only dead versions of a vector had included.
    ///
    /// # Safety
    /// The handles are those of the run.
    pub unsafe fn each(&self, mut visit: impl FnMut(*mut u64)) {
        for &at in &self.0 {
            // SAFETY: by the contract; a handle has as many records as it has room for, and a change has one.
            unsafe {
                let Handle { records, capacity, next, shape, .. } = at.read();
                let (records, count) =
                    if records.is_null() { (changed(at), usize::from(!next.is_null())) } else { (records, capacity) };
                let fields = &(*shape).fields;
                let boxes = (0..fields.len()).filter(|&i| fields[i] == Field::Box);
                for field in boxes {
                    (0..count).for_each(|i| visit(records.add(i * fields.len() + field)));
                }
            }
        }
    }
}

/// The vector of zeros, behind the number of its references, which is never counted down.
#[repr(C)]
#[derive(Debug)]
pub struct Zeros {
    refs: usize,
    header: [usize; super::arrays::HEADER / 8 - 1],
    pub handle: Handle,
}

/// The references of a vector that is not of the run, so that nobody writes to it.
pub const FOREIGN: i64 = 1 << 60;

/// The places of a handle that compiled code reads.
pub mod handle {
    use super::{Handle, offset_of};

    pub const RECORDS: i32 = offset_of!(Handle, records) as i32;
    pub const CAPACITY: i32 = offset_of!(Handle, capacity) as i32;
}

/// The words of a handle before the record of a change.
const WORDS: usize = size_of::<Handle>() / 8;
/// The most changes that are looked through for a record.
const MOST_CHANGES: usize = 8;
/// Vectors of zeros with records at higher places may be changes of zeros.
const SMALL: usize = 8;
/// The least room that a vector is given.
const LEAST: usize = 4;

impl Default for Zeros {
    fn default() -> Zeros {
        let handle = Handle { records: null_mut(), capacity: 0, next: null_mut(), index: 0, shape: null(), slot: 0 };
        Zeros { refs: FOREIGN as usize, header: Default::default(), handle }
    }
}

/// # Safety
/// It is a handle.
unsafe fn refs<'a>(handle: *mut Handle) -> &'a mut usize {
    // SAFETY: by the contract, its references lie before it.
    unsafe { &mut *handle.cast::<u8>().sub(super::arrays::HEADER).cast::<usize>() }
}

/// The record of a change.
///
/// # Safety
/// It is a handle of a change.
unsafe fn changed(handle: *mut Handle) -> *mut u64 {
    // SAFETY: by the contract.
    unsafe { handle.cast::<u64>().add(WORDS) }
}

/// The memory of a handle of so many records that are not of the run, and the address of the handle.
pub fn foreign_vector(records: &[u64], count: usize) -> (Box<[u64]>, u64) {
    let header = super::arrays::HEADER / 8;
    let mut memory = vec![0; header + WORDS].into_boxed_slice();
    memory[0] = FOREIGN as u64;
    memory[header] = records.as_ptr().expose_provenance() as u64;
    memory[header + 1] = count as u64;
    let handle = memory[header..].as_ptr().expose_provenance() as u64;
    (memory, handle)
}

/// The record at an index of a vector whose address is a word of a result. As [`super::code::read_box`] for who may ask.
pub fn read_record(vector: u64, index: usize, fields: &[Field]) -> Vec<u64> {
    let mut at = std::ptr::with_exposed_provenance::<Handle>(vector as usize);
    while !at.is_null() {
        // SAFETY: vectors among the results are handles, with records of the types that the code was compiled for.
        unsafe {
            let record = if (*at).records.is_null() {
                ((*at).index == index && !(*at).next.is_null()).then(|| changed(at.cast_mut()).cast_const())
            } else {
                (index < (*at).capacity).then(|| (*at).records.add(index * fields.len()).cast_const())
            };
            if let Some(record) = record {
                return std::slice::from_raw_parts(record, fields.len()).to_vec();
            }
            at = (*at).next;
        }
    }
    fields.iter().map(Field::zero).collect()
}

/// The indices of a vector whose records may be others than zero, each once.
///
/// # Safety
/// It is a vector.
pub unsafe fn indices(vector: *mut Handle) -> Vec<usize> {
    let (mut root, mut found) = (vector, Vec::new());
    // SAFETY: by the contract; changes lead to zeros or to records.
    unsafe {
        while (*root).records.is_null() && !(*root).next.is_null() {
            found.push((*root).index);
            root = (*root).next;
        }
        found.extend(0..(*root).capacity);
    }
    found.sort_unstable();
    found.dedup();
    found
}

impl Context {
    /// A vector, or that of zeros for null.
    pub fn vector(&mut self, vector: *mut Handle) -> *mut Handle {
        if vector.is_null() { &raw mut self.zeros.handle } else { vector }
    }

    /// A handle of nothing yet.
    fn handle(&mut self, shape: &Shape) -> Option<*mut Handle> {
        let handle = self.array((WORDS + shape.words()) * 8)?.cast::<Handle>();
        let slot = self.boxed.0.len();
        // SAFETY: it has room for a handle.
        unsafe { handle.write(Handle { records: null_mut(), capacity: 0, next: null_mut(), index: 0, shape, slot }) };
        if shape.has_boxes {
            self.boxed.0.push(handle);
        }
        Some(handle)
    }

    /// Room for so many records, of which the first are copied from elsewhere and the others are zero.
    ///
    /// # Safety
    /// There are so many records to copy.
    unsafe fn records(&mut self, shape: &Shape, capacity: usize, from: *const u64, count: usize) -> Option<*mut u64> {
        let (words, zero) = (shape.words(), &shape.zero[1..]);
        let records = self.array(capacity.checked_mul(8 * words)?)?.cast::<u64>();
        // SAFETY: there is room for so many, and by the contract.
        unsafe {
            if count > 0 {
                copy_nonoverlapping(from, records, count * words);
            }
            for i in count..capacity {
                copy_nonoverlapping(zero.as_ptr(), records.add(i * words), words);
            }
        }
        Some(records)
    }

    /// Gives back a reference to a vector, and what only that referred to.
    ///
    /// # Safety
    /// There is one, which is not used any more.
    pub unsafe fn release_vector(&mut self, mut vector: *mut Handle) {
        while !vector.is_null() {
            // SAFETY: by the contract. A handle has a reference to its records, or to what it changes.
            unsafe {
                *refs(vector) -= 1;
                if *refs(vector) > 0 {
                    return;
                }
                let Handle { records, next, shape, slot, .. } = vector.read();
                if !records.is_null() {
                    self.arrays.release(records.cast());
                }
                if (*shape).has_boxes {
                    self.boxed.0.swap_remove(slot);
                    if let Some(&moved) = self.boxed.0.get(slot) {
                        (*moved).slot = slot;
                    }
                }
                *refs(vector) = 1;
                self.arrays.release(vector.cast());
                vector = next;
            }
        }
    }

    /// Where the record at an index lies, if it is not that of zeros. An old vector takes a copy if that is far, and none if there is no
    /// memory.
    ///
    /// # Safety
    /// It is a vector of records of so many words.
    pub unsafe fn find(&mut self, vector: *mut Handle, index: usize, words: usize) -> Option<*const u64> {
        let (mut at, mut changes) = (vector, 0);
        loop {
            // SAFETY: by the contract; a change has one record, and a handle of records as many as it has room for.
            unsafe {
                let Handle { records, capacity, next, index: own, .. } = at.read();
                if !records.is_null() {
                    break (index < capacity).then(|| records.add(index * words).cast_const());
                }
                if next.is_null() {
                    break None;
                }
                if own == index {
                    break Some(changed(at));
                }
                (at, changes) = (next, changes + 1);
                if changes > MOST_CHANGES && self.settle(vector).is_some() {
                    (at, changes) = (vector, 0);
                }
            }
        }
    }

    /// Gives a vector that is a change records of its own.
    ///
    /// # Safety
    /// It is a vector of the run.
    unsafe fn settle(&mut self, vector: *mut Handle) -> Option<()> {
        let (mut changes, mut root, mut capacity) = (Vec::new(), vector, LEAST);
        // SAFETY: by the contract; changes have a record each, and there is room for the places that they mention.
        unsafe {
            let shape = &*(*vector).shape;
            while (*root).records.is_null() && !(*root).next.is_null() {
                capacity = capacity.max((*root).index + 1);
                changes.push(root);
                root = (*root).next;
            }
            let own = (*root).capacity;
            let capacity = capacity.max(own);
            let records = self.records(shape, capacity, (*root).records, own)?;
            for change in changes.into_iter().rev() {
                copy_nonoverlapping(changed(change), records.add((*change).index * shape.words()), shape.words());
            }
            let next = (*vector).next;
            vector.write(Handle { records, capacity, next: null_mut(), index: 0, ..vector.read() });
            self.release_vector(next);
        }
        Some(())
    }

    /// The vector with a record at an index, in exchange for a reference to the vector; none if there is no memory.
    ///
    /// # Safety
    /// It is a vector of such records.
    pub unsafe fn replace(
        &mut self,
        vector: *mut Handle,
        index: usize,
        record: *const u64,
        shape: &Shape,
    ) -> Option<*mut Handle> {
        let words = shape.words();
        // SAFETY: by the contract, and by what is said at each step.
        unsafe {
            let own = if *refs(vector) == 1 { Some(vector) } else { None };
            if (*vector).records.is_null() {
                if index >= SMALL && self.few_changes(vector) {
                    let change = self.handle(shape)?;
                    (*change).next = vector;
                    (*change).index = index;
                    copy_nonoverlapping(record, changed(change), words);
                    return Some(change);
                }
                let own = match own {
                    Some(own) => self.settle(own).map(|()| own)?,
                    None => self.copied(vector, shape)?,
                };
                return self.write(own, index, record, shape).map(|()| own);
            }
            let own = match own {
                Some(own) => own,
                None if *refs(vector) >= FOREIGN as usize / 2 => self.copied(vector, shape)?,
                // The records go on to the new handle; the old one is a change of it, as the others who have it see it.
                None => {
                    let new = self.handle(shape)?;
                    let Handle { records, capacity, .. } = vector.read();
                    (*new).records = records;
                    (*new).capacity = capacity;
                    *refs(new) = 2;
                    *refs(vector) -= 1;
                    let old = if index < capacity { records.add(index * words).cast_const() } else { shape.zero_record() };
                    copy_nonoverlapping(old, changed(vector), words);
                    vector.write(Handle { records: null_mut(), capacity: 0, next: new, index, ..vector.read() });
                    new
                }
            };
            self.write(own, index, record, shape).map(|()| own)
        }
    }

    /// Whether a vector is zero but for a few changes.
    ///
    /// # Safety
    /// It is a vector without records of its own.
    unsafe fn few_changes(&self, mut vector: *mut Handle) -> bool {
        // SAFETY: by the contract; changes lead to zeros or to records.
        unsafe {
            for _ in 0..MOST_CHANGES / 2 {
                if !(*vector).records.is_null() {
                    return false;
                }
                if (*vector).next.is_null() {
                    return true;
                }
                vector = (*vector).next;
            }
        }
        false
    }

    /// Makes room in a handle of records for one at an index.
    ///
    /// # Safety
    /// Nobody else reads them.
    unsafe fn make_room(&mut self, handle: *mut Handle, index: usize, shape: &Shape) -> Option<()> {
        // SAFETY: by the contract.
        unsafe {
            let Handle { records, capacity, .. } = handle.read();
            if index >= capacity {
                let more = index.checked_add(1)?.max(capacity.checked_mul(2)?).max(LEAST);
                (*handle).records = self.records(shape, more, records, capacity)?;
                (*handle).capacity = more;
                self.arrays.release(records.cast());
            }
        }
        Some(())
    }

    /// Writes a record to a handle of records, which may have to grow.
    ///
    /// # Safety
    /// Nobody else reads them.
    unsafe fn write(&mut self, handle: *mut Handle, index: usize, record: *const u64, shape: &Shape) -> Option<()> {
        let words = shape.words();
        // SAFETY: by the contract, and there is room.
        unsafe {
            self.make_room(handle, index, shape)?;
            copy_nonoverlapping(record, (*handle).records.add(index * words), words);
        }
        Some(())
    }

    /// A vector with records that nobody else has, in exchange for a reference to one.
    ///
    /// # Safety
    /// It is a vector of such records.
    unsafe fn copied(&mut self, vector: *mut Handle, shape: &Shape) -> Option<*mut Handle> {
        let copy = self.handle(shape)?;
        // SAFETY: by the contract; a change has a record.
        unsafe {
            let Handle { records, capacity, next, index, .. } = vector.read();
            if records.is_null() {
                if !next.is_null() {
                    copy_nonoverlapping(changed(vector), changed(copy), shape.words());
                    *refs(next) += 1;
                }
                (*copy).next = next;
                (*copy).index = index;
                self.settle(copy)?;
            } else {
                (*copy).records = self.records(shape, capacity.max(LEAST), records, capacity)?;
                (*copy).capacity = capacity.max(LEAST);
            }
            self.release_vector(vector);
        }
        Some(copy)
    }

    /// The sum of two vectors of cotangents, in exchange for a reference to each; none if there is no memory. The sums of boxes in them are
    /// left to be done.
    ///
    /// # Safety
    /// They are vectors of one type, and not both from elsewhere.
    pub unsafe fn add_vectors(&mut self, a: *mut Handle, b: *mut Handle, work: &mut Vec<Sum>) -> Option<*mut Handle> {
        let zeros = &raw mut self.zeros.handle;
        if a == zeros || b == zeros {
            return Some(if a == zeros { b } else { a });
        }
        // SAFETY: by the contract; shapes live as long as the code.
        unsafe {
            let shape = &*if (*a).shape.is_null() { (*b).shape } else { (*a).shape };
            let is_cheap = |v: *mut Handle| ((*v).capacity, *refs(v) == 1);
            let (to, from) = if is_cheap(a) < is_cheap(b) { (b, a) } else { (a, b) };
            let places = indices(from);
            let is_own = *refs(to) == 1 && !(*to).records.is_null();
            let mut to = to;
            let is_small = !shape.has_boxes && places.len() <= MOST_CHANGES / 2;
            if !is_own && !is_small {
                to = self.copied(to, shape)?;
            }
            if let Some(&last) = places.last().filter(|_| !is_small) {
                self.make_room(to, last, shape)?;
            }
            let mut sum = vec![0; shape.words()];
            for place in places {
                let zero = shape.zero_record();
                let [old, term] = [to, from].map(|v| self.find(v, place, shape.words()).unwrap_or(zero));
                let target = if is_small { null_mut() } else { (*to).records.add(place * shape.words()) };
                for (i, field) in shape.fields.iter().enumerate() {
                    let (x, y) = (*old.add(i), *term.add(i));
                    sum[i] = match field {
                        Field::Float => (f64::from_bits(x) + f64::from_bits(y)).to_bits(),
                        Field::Box => {
                            work.push(Sum::Boxes(x as *const u64, y as *const u64, target.add(i).cast()));
                            0
                        }
                        _ => x,
                    };
                }
                if is_small {
                    to = self.replace(to, place, sum.as_ptr(), shape)?;
                } else {
                    copy_nonoverlapping(sum.as_ptr(), target, sum.len());
                }
            }
            self.release_vector(from);
            Some(to)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    /// Vectors agree with maps, whichever of many versions is read, written to, added or given up next.
    #[test]
    fn vectors_are_values() {
        let shape = &Shape::new(&[Field::Float, Field::Other], |_| unreachable!("there are no tapes"));
        let zero = [(-0.0_f64).to_bits(), 0];
        for seed in 0..200_u64 {
            let mut context = Context::new();
            let mut state = seed;
            let mut random = |n: usize| {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                (state >> 33) as usize % n
            };
            let zeros = context.vector(null_mut());
            let mut versions: Vec<(*mut Handle, BTreeMap<usize, [u64; 2]>)> = vec![(zeros, BTreeMap::new())];
            let places = if seed % 2 == 0 { 12 } else { 400 };
            for step in 0..300_u64 {
                let which = random(versions.len());
                // SAFETY: each version has a reference, which is given for what is made of it unless one is taken before.
                unsafe {
                    let (vector, mut map) = versions[which].clone();
                    let is_kept = random(3) == 0;
                    match random(8) {
                        0 if versions.len() > 1 => {
                            let (other, term) = versions[random(versions.len())].clone();
                            [vector, other].into_iter().for_each(|v| *refs(v) += 1);
                            let sum = context.add_vectors(vector, other, &mut Vec::new()).unwrap();
                            for (place, [x, _]) in term {
                                let old = map.entry(place).or_insert(zero);
                                old[0] = (f64::from_bits(old[0]) + f64::from_bits(x)).to_bits();
                            }
                            // The words that are no floats are those of either.
                            map.values_mut().for_each(|record| record[1] = 7);
                            versions.push((sum, map));
                        }
                        1 if versions.len() > 1 => context.release_vector(versions.swap_remove(which).0),
                        _ => {
                            let (index, record) = (random(places), [(step as f64).to_bits(), 7]);
                            if is_kept {
                                *refs(vector) += 1;
                            }
                            let after = context.replace(vector, index, record.as_ptr(), shape).unwrap();
                            map.insert(index, record);
                            if is_kept { versions.push((after, map)) } else { versions[which] = (after, map) }
                        }
                    }
                    for _ in 0..4 {
                        let (vector, map) = versions[random(versions.len())].clone();
                        let index = random(places);
                        let found = context.find(vector, index, 2).map_or(-0.0, |record| f64::from_bits(*record));
                        let expected = map.get(&index).map_or(-0.0, |record| f64::from_bits(record[0]));
                        assert_eq!(found.to_bits(), expected.to_bits(), "seed {seed}, step {step}, index {index}");
                    }
                }
            }
            // SAFETY: all references are given back.
            versions.into_iter().for_each(|(vector, _)| unsafe { context.release_vector(vector) });
            assert_eq!(context.arrays.used, 0, "seed {seed}");
        }
    }
}

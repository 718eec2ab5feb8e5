//! Sums of cotangents that only the run time knows: boxes and tapes. They hold each other in chains as long as those of the program,
//! so the sums are made by a loop.

use super::super::layout::Field;
use super::heap::Context;
use super::shape::Shape;
use super::tape::Tape;
use super::vectors::Handle;
use crate::error::Failure;

/// A sum that is to be made, and where to put it.
pub enum Sum {
    Boxes(*const u64, *const u64, *mut *const u64),
    /// The places of both are such that hold a buffer and a number of records.
    Tapes(*const TapeValue, *const TapeValue, *mut TapeValue),
}

/// A tape as it lies in memory.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct TapeValue {
    buffer: *mut Tape,
    records: usize,
}

/// The sum of two boxes.
///
/// # Safety
/// `a` and `b` are boxes of the run, or null.
pub unsafe fn boxes(context: &mut Context, a: *const u64, b: *const u64) -> Result<*const u64, Failure> {
    let mut sum: *const u64 = std::ptr::null();
    // SAFETY: by the contract.
    unsafe { run(context, vec![Sum::Boxes(a, b, &raw mut sum)]) }?;
    Ok(sum)
}

/// The buffer of the sum of two tapes, aligned at their last records. It has as many records as the longer one.
///
/// # Safety
/// Both are buffers of the run, or empty ones, with at least so many records.
pub unsafe fn tapes(context: &mut Context, a: (*mut Tape, usize), b: (*mut Tape, usize)) -> Result<*mut Tape, Failure> {
    let [a, b] = [a, b].map(|(buffer, records)| TapeValue { buffer, records });
    let mut sum = a;
    // SAFETY: by the contract.
    unsafe { run(context, vec![Sum::Tapes(&raw const a, &raw const b, &raw mut sum)]) }?;
    Ok(sum.buffer)
}

/// The sum of two vectors, in exchange for a reference to each.
///
/// # Safety
/// They are vectors of the run, of one type.
pub unsafe fn vectors(context: &mut Context, a: *mut Handle, b: *mut Handle) -> Result<*mut Handle, Failure> {
    let mut work = Vec::new();
    // SAFETY: by the contract.
    unsafe {
        let sum = context.add_vectors(a, b, &mut work).ok_or(Failure::Memory)?;
        run(context, work)?;
        Ok(sum)
    }
}

/// Makes sums, and those within them.
///
/// # Safety
/// The boxes and tapes are those of the run, and the place is one to write to.
unsafe fn run(context: &mut Context, mut work: Vec<Sum>) -> Result<(), Failure> {
    while let Some(sum) = work.pop() {
        // SAFETY: places are those of the callers or words of what is made here; a box begins with its shape, which lives as
        // long as the code, and has the words of its fields.
        unsafe {
            match sum {
                Sum::Boxes(a, b, place) if a.is_null() || b.is_null() => place.write(if a.is_null() { b } else { a }),
                Sum::Boxes(a, b, place) => {
                    if *a != *b {
                        return Err(Failure::Shape);
                    }
                    let shape = &**a.cast::<*const Shape>();
                    let object = context.allocate(shape.words() + 1).ok_or(Failure::Memory)?;
                    object.write(*a);
                    add(context, &shape.fields, a.add(1), b.add(1), object.add(1), &mut work)?;
                    place.write(object);
                }
                Sum::Tapes(a, b, place) => place.write(add_tapes(context, *a, *b, &mut work)?),
            }
        }
    }
    Ok(())
}

/// Adds the words of fields; leaves to be done what takes a loop.
///
/// # Safety
/// `a` and `b` point to the words of such fields, `to` to as many words to write to.
unsafe fn add(
    context: &mut Context,
    fields: &[Field],
    mut a: *const u64,
    mut b: *const u64,
    mut to: *mut u64,
    work: &mut Vec<Sum>,
) -> Result<(), Failure> {
    for field in fields {
        // SAFETY: by the contract.
        unsafe {
            let words = field.words();
            match field {
                Field::Float => to.cast::<f64>().write(*a.cast::<f64>() + *b.cast::<f64>()),
                Field::Floats(dtype, count) => {
                    let sum = context.add_arrays(*a as *mut u8, *b as *mut u8, *dtype, *count).ok_or(Failure::Memory)?;
                    to.write(sum as u64);
                }
                Field::Box => work.push(Sum::Boxes(*a.cast(), *b.cast(), to.cast())),
                Field::Tape(_) => work.push(Sum::Tapes(a.cast(), b.cast(), to.cast())),
                Field::Vec(_) => {
                    let [a, b] = [*a, *b].map(|v| context.arrays.shared(v as *mut u8));
                    let [a, b] = [a, b].map(|v| context.vector(v.cast()));
                    to.write(context.add_vectors(a, b, work).ok_or(Failure::Memory)? as u64);
                }
                // Nothing of these kinds is added.
                Field::Array => to.write(context.arrays.shared(*a as *mut u8) as u64),
                Field::Function | Field::Other => to.write(*a),
            }
            (a, b, to) = (a.add(words), b.add(words), to.add(words));
        }
    }
    Ok(())
}

/// Adds the records of tapes; leaves to be done what takes a loop.
///
/// # Safety
/// Both are tapes of the run.
unsafe fn add_tapes(context: &mut Context, a: TapeValue, b: TapeValue, work: &mut Vec<Sum>) -> Result<TapeValue, Failure> {
    if a.records == 0 || b.records == 0 {
        return Ok(if a.records == 0 { b } else { a });
    }
    let longer = if a.records > b.records { a } else { b };
    let common = a.records.min(b.records);
    // SAFETY: buffers have at least the records of their tapes, which are counted from 1; shapes live as long as the code.
    unsafe {
        if (*a.buffer).shape != (*b.buffer).shape {
            return Err(Failure::Shape);
        }
        let shape = &*(*a.buffer).shape;
        let words = shape.words();
        if words == 0 {
            return Ok(longer);
        }
        let below = longer.records - common;
        let sum = context.new_tape(longer.buffer, below, longer.records).ok_or(Failure::Memory)?;
        for i in 1..=common {
            let record = |tape: TapeValue| (*tape.buffer).words.add((tape.records - common + i) * words);
            let to = (*sum).words.add((below + i) * words);
            add(context, &shape.fields, record(a), record(b), to, work)?;
        }
        (*sum).fill();
        Ok(TapeValue { buffer: sum, records: longer.records })
    }
}

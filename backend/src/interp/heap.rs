//! What a run allocates: the fields of closures and boxes, and the buffers of tapes.
//!
//! A tape is a number of records and a buffer that begins with them. Records are flattened, and one that was pushed is never
//! changed; so tapes share a buffer, and a push puts its record at the end of it, if the end is that of the tape. Otherwise
//! another tape goes on there already, and the push copies.

use super::arithmetic::Arithmetic;
use super::value::{Fields, Val};
use crate::error::Failure;
use crate::memory;
use crate::usage::Usage;
use gradus_ir::Type;
use std::cell::RefCell;
use std::rc::{Rc, Weak};

/// The records of some tapes.
#[derive(Debug)]
pub struct Buffer<A: Arithmetic> {
    /// Values per record; not zero, since records without values need no buffer.
    width: usize,
    values: RefCell<Fields<A>>,
}

impl<A: Arithmetic> Buffer<A> {
    /// The records, which none but this reference holds.
    pub fn into_fields(self) -> Fields<A> {
        self.values.into_inner()
    }
}

/// The memory of a run.
#[derive(Debug)]
pub struct Heap<A: Arithmetic> {
    pub usage: Usage,
    /// The buffers: a record may hold a closure that holds a tape of its own buffer, and then the buffer does not go by itself.
    buffers: Vec<Weak<Buffer<A>>>,
    /// How many there are when those that are gone are removed from the list.
    sweep: usize,
}

impl<A: Arithmetic> Default for Heap<A> {
    fn default() -> Heap<A> {
        Heap { usage: Usage::default(), buffers: Vec::new(), sweep: 0 }
    }
}

impl<A: Arithmetic> Drop for Heap<A> {
    fn drop(&mut self) {
        for buffer in self.buffers.iter().filter_map(Weak::upgrade) {
            buffer.values.take();
        }
    }
}

/// The number of values that a value of a type is stored as in a record.
pub fn width(ty: &Type) -> usize {
    match ty {
        Type::Tuple(items) => items.iter().map(width).sum(),
        Type::None | Type::Zero | Type::Unknown => 0,
        _ => 1,
    }
}

/// Appends a value of a type as it is stored; none if it is not of the type.
fn flatten<A: Arithmetic>(ty: &Type, value: &Val<A>, out: &mut Vec<Val<A>>) -> Option<()> {
    match (ty, value) {
        (Type::Tuple(types), Val::Tuple(items)) if types.len() == items.0.len() => {
            types.iter().zip(&items.0).try_for_each(|(ty, item)| flatten(ty, item, out))
        }
        (Type::Tuple(_), _) => None,
        (Type::None | Type::Zero | Type::Unknown, _) => Some(()),
        _ => {
            out.push(value.clone());
            Some(())
        }
    }
}

/// The value of a type that is stored in the next values.
fn restore<'a, A: Arithmetic + 'a>(ty: &Type, values: &mut impl Iterator<Item = &'a Val<A>>) -> Option<Val<A>> {
    Some(match ty {
        Type::Tuple(items) => Val::tuple(items.iter().map(|item| restore(item, values)).collect::<Option<_>>()?),
        Type::None => Val::None,
        Type::Zero | Type::Unknown => Val::Zero,
        _ => values.next()?.clone(),
    })
}

/// The part of type `ty` that begins after `offset` values of record number `record`, from 0.
pub fn read<A: Arithmetic>(record: u32, buffer: Option<&Rc<Buffer<A>>>, ty: &Type, offset: usize) -> Option<Val<A>> {
    let Some(buffer) = buffer else { return restore(ty, &mut std::iter::empty()) };
    let start = record as usize * buffer.width + offset;
    let values = buffer.values.borrow();
    restore(ty, &mut values.0.get(start..)?.iter())
}

impl<A: Arithmetic> Heap<A> {
    /// The fields of a closure or a box.
    pub fn object(&mut self, fields: Vec<Val<A>>) -> Rc<Fields<A>> {
        self.usage.objects += usize::from(!fields.is_empty());
        self.usage.heap_bytes += size_of_val(&fields[..]);
        Rc::new(Fields::new(fields))
    }

    /// Puts a record of type `ty` after the first `records` of `buffer`, or of a copy. Gives where it is. The record may be of another
    /// shape than the type, or there may be no memory.
    pub fn push(
        &mut self,
        records: u32,
        buffer: Option<Rc<Buffer<A>>>,
        ty: &Type,
        record: &Val<A>,
    ) -> Result<Option<Rc<Buffer<A>>>, Failure> {
        let width = width(ty);
        if width == 0 {
            return Ok(None);
        }
        let len = records as usize * width;
        let buffer = match buffer {
            Some(buffer) if buffer.values.borrow().0.len() == len => buffer,
            Some(buffer) => self.buffer(width, buffer.values.borrow().0[..len].to_vec()),
            None => self.buffer(width, Vec::new()),
        };
        let mut values = buffer.values.borrow_mut();
        let bytes = width * size_of::<Val<A>>();
        // A buffer that is full is moved to one of twice its size.
        let room = if values.0.len() + width > values.0.capacity() { values.0.len().max(width) } else { 0 };
        if !memory::fits(bytes.max(room * size_of::<Val<A>>())) || values.0.try_reserve(width).is_err() {
            return Err(Failure::Memory);
        }
        values.extend(|values| flatten(ty, record, values)).ok_or(Failure::Shape)?;
        self.usage.tape_bytes += bytes;
        self.usage.records += 1;
        drop(values);
        Ok(Some(buffer))
    }

    fn buffer(&mut self, width: usize, values: Vec<Val<A>>) -> Rc<Buffer<A>> {
        self.usage.tape_bytes += size_of_val(&values[..]);
        let buffer = Rc::new(Buffer { width, values: RefCell::new(Fields::new(values)) });
        if self.buffers.len() >= self.sweep {
            self.buffers.retain(|b| b.strong_count() > 0);
            self.sweep = 64.max(2 * self.buffers.len());
        }
        self.buffers.push(Rc::downgrade(&buffer));
        buffer
    }

    /// A vector with a record at an index, in place if nobody else has it; zeros lie between it and what was written before. None if
    /// there is no memory.
    pub fn replaced(&mut self, records: Rc<Fields<A>>, index: i64, record: Val<A>, zero: &Val<A>) -> Option<Rc<Fields<A>>> {
        let index = usize::try_from(index).ok()?;
        let len = records.0.len();
        let more = (index + 1).saturating_sub(len);
        let copied = if Rc::strong_count(&records) == 1 { more } else { len + more };
        if !memory::fits(copied.checked_mul(2 * size_of::<Val<A>>())?) {
            return None;
        }
        let mut own = match Rc::try_unwrap(records) {
            Ok(own) => own,
            Err(shared) => Fields::new(shared.0.clone()),
        };
        if more > 0 {
            own.extend(|records| records.resize(index + 1, zero.clone()));
        }
        own.0[index] = record;
        self.usage.heap_bytes += copied * size_of::<Val<A>>();
        Some(Rc::new(own))
    }

    /// The sum of two cotangents: field by field, through boxes, and record by record from the top of tapes.
    pub fn sum(&mut self, arithmetic: &A, a: Val<A>, b: Val<A>) -> Result<Val<A>, Failure> {
        enum Step<A: Arithmetic> {
            Add(Val<A>, Val<A>),
            Tuple(usize),
            /// The sum of vectors: so many records, and those after them.
            Vec(usize, Vec<Val<A>>),
            Box,
            /// The sum of tapes: so many records, of which the first are given, and so many values a record.
            Tape(u32, Vec<Val<A>>, usize),
        }
        let mut steps = vec![Step::Add(a, b)];
        let mut sums: Vec<Val<A>> = Vec::new();
        while let Some(step) = steps.pop() {
            match step {
                Step::Add(Val::F64(a), Val::F64(b)) => sums.push(Val::F64(arithmetic.add(&a, &b))),
                Step::Add(Val::Array(a), Val::Array(b)) => {
                    sums.push(Val::Array(Rc::new(arithmetic.add_arrays(&a, &b, &mut self.usage)?)));
                }
                Step::Add(Val::Zero, v) | Step::Add(v, Val::Zero) => sums.push(v),
                Step::Add(Val::Opaque(None), v @ Val::Opaque(_)) | Step::Add(v @ Val::Opaque(_), Val::Opaque(None)) => {
                    sums.push(v)
                }
                Step::Add(Val::Opaque(Some(a)), Val::Opaque(Some(b))) => {
                    steps.push(Step::Box);
                    steps.push(Step::Add(a.0[0].clone(), b.0[0].clone()));
                }
                Step::Add(Val::Tuple(a), Val::Tuple(b)) if a.0.len() == b.0.len() => {
                    steps.push(Step::Tuple(a.0.len()));
                    steps.extend(a.0.iter().zip(&b.0).rev().map(|(a, b)| Step::Add(a.clone(), b.clone())));
                }
                Step::Add(Val::Vec(a), Val::Vec(b)) => {
                    let (longer, shorter) = if a.0.len() > b.0.len() { (&a, &b) } else { (&b, &a) };
                    let both = shorter.0.len();
                    steps.push(Step::Vec(both, longer.0[both..].to_vec()));
                    steps.extend(a.0.iter().zip(&b.0).rev().map(|(a, b)| Step::Add(a.clone(), b.clone())));
                }
                Step::Add(Val::Tape(0, _), v @ Val::Tape(..)) | Step::Add(v @ Val::Tape(..), Val::Tape(0, _)) => sums.push(v),
                Step::Add(Val::Tape(m, None), Val::Tape(n, None)) => sums.push(Val::Tape(m.max(n), None)),
                Step::Add(Val::Tape(m, Some(a)), Val::Tape(n, Some(b))) if a.width == b.width => {
                    let width = a.width;
                    let (a, b) = (a.values.borrow(), b.values.borrow());
                    let (a, b) = (&a.0[..m as usize * width], &b.0[..n as usize * width]);
                    let longer = if m > n { a } else { b };
                    let below = longer[..longer.len() - a.len().min(b.len())].to_vec();
                    steps.push(Step::Tape(m.max(n), below, width));
                    // The records at the top; where they end, so do the pairs.
                    steps.extend(a.iter().rev().zip(b.iter().rev()).map(|(a, b)| Step::Add(a.clone(), b.clone())));
                }
                Step::Add(..) => return Err(Failure::Shape),
                Step::Tuple(n) => {
                    let items = sums.split_off(sums.len() - n);
                    sums.push(Val::tuple(items));
                }
                Step::Vec(n, rest) => {
                    let mut records = sums.split_off(sums.len() - n);
                    records.extend(rest);
                    sums.push(Val::Vec(Rc::new(Fields::new(records))));
                }
                Step::Box => {
                    let payload = sums.pop().expect("the payload was summed before its box");
                    sums.push(Val::Opaque(Some(self.object(vec![payload]))));
                }
                Step::Tape(records, mut values, width) => {
                    let added = records as usize * width - values.len();
                    values.extend(sums.drain(sums.len() - added..));
                    sums.push(Val::Tape(records, Some(self.buffer(width, values))));
                }
            }
        }
        sums.pop().ok_or(Failure::Shape)
    }
}

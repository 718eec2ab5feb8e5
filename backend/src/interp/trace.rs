//! The tape of derivatives that are traced (docs/strategies.md §10): one for the run.

use super::arithmetic::Arithmetic;
use super::heap::Heap;
use super::value::Val;
use crate::error::{Failure, RunError};
use crate::memory;
use gradus_ir::eval::Scalar;
use gradus_ir::{Prim, Span, TraceOp};

/// An entry of the tape.
#[derive(Debug)]
enum Entry<A: Arithmetic> {
    /// A float, made of those at two places, with the derivatives by them.
    Float([(usize, A::Float); 2]),
    /// A function that passes cotangents on, and how many entries after it are its results; without any it is one itself.
    Function(Val<A>, usize),
    /// A variable, which is made of no other entry.
    Variable,
}

/// The tape, and the cotangents of its places.
#[derive(Debug)]
pub struct Trace<A: Arithmetic> {
    entries: Vec<Entry<A>>,
    /// Not longer than the entries; what is missing is zero.
    cotangents: Vec<Option<Val<A>>>,
    /// The derivatives that are under way.
    open: usize,
}

impl<A: Arithmetic> Default for Trace<A> {
    fn default() -> Trace<A> {
        Trace { entries: Vec::new(), cotangents: Vec::new(), open: 0 }
    }
}

/// The fault of operands that do not fit.
fn internal(op: TraceOp) -> RunError {
    RunError::Internal { message: format!("{} does not take these operands", op.name()) }
}

impl<A: Arithmetic> Trace<A> {
    /// The value of an operation; `zero` is the cotangent where there is none.
    pub fn apply(
        &mut self,
        op: TraceOp,
        operands: Vec<Val<A>>,
        zero: &Val<A>,
        (arithmetic, heap): (&A, &mut Heap<A>),
        span: Span,
    ) -> Result<Val<A>, RunError> {
        let place = |i: usize| match operands.get(i) {
            Some(&Val::I64(v)) => Ok(v as usize),
            _ => Err(internal(op)),
        };
        Ok(match op {
            TraceOp::Open => {
                self.open += 1;
                self.put(Entry::Variable, heap, span)?
            }
            TraceOp::Variable => self.put(Entry::Variable, heap, span)?,
            TraceOp::Note => match &operands[..] {
                [Val::I64(a), Val::F64(by_a), Val::I64(b), Val::F64(by_b)] => {
                    let (a, b) = (*a as usize, *b as usize);
                    if a | b == 0 {
                        return Ok(Val::I64(0));
                    }
                    let entry = Entry::Float([(a, by_a.clone()), (b, by_b.clone())]);
                    self.put(entry, heap, span)?
                }
                _ => return Err(internal(op)),
            },
            TraceOp::Call => {
                let results = place(1)?;
                if results | place(2)? == 0 {
                    return Ok(Val::I64(0));
                }
                let function = operands.into_iter().next().ok_or_else(|| internal(op))?;
                let entry = self.put(Entry::Function(function, results), heap, span)?;
                for _ in 0..results {
                    self.put(Entry::Variable, heap, span)?;
                }
                entry
            }
            TraceOp::Add => {
                let [to, cotangent, after] = <[Val<A>; 3]>::try_from(operands).map_err(|_| internal(op))?;
                self.add(to, cotangent, (arithmetic, heap)).map_err(|failure| match failure {
                    Failure::Shape => internal(op),
                    Failure::Memory => RunError::no_memory(span),
                })?;
                after
            }
            TraceOp::Take => {
                let taken = self.cotangents.get_mut(place(0)?).and_then(Option::take);
                let zero = match zero {
                    Val::Tuple(fields) => fields.0[0].clone(),
                    _ => return Err(internal(op)),
                };
                Val::tuple(vec![taken.unwrap_or(zero), operands[1].clone()])
            }
            TraceOp::Next => self.next(place(0)?, place(1)?, (arithmetic, heap), span)?,
            TraceOp::Step => match self.entries.get(place(0)?) {
                Some(Entry::Function(function, _)) => function.clone(),
                _ => Val::Undefined,
            },
            TraceOp::Close => {
                self.open -= 1;
                if self.open == 0 {
                    self.entries.clear();
                    self.cotangents.clear();
                }
                operands[0].clone()
            }
            TraceOp::After => operands[0].clone(),
        })
    }

    fn put(&mut self, entry: Entry<A>, heap: &mut Heap<A>, span: Span) -> Result<Val<A>, RunError> {
        // All at once, where it is moved.
        let is_full = self.entries.len() == self.entries.capacity();
        let bytes = if is_full { self.entries.len() * size_of::<Entry<A>>() } else { 0 };
        if !memory::fits(bytes) || self.entries.try_reserve(1).is_err() {
            return Err(RunError::no_memory(span));
        }
        if self.entries.is_empty() {
            // The place of constants.
            self.entries.push(Entry::Variable);
        }
        heap.usage.tape_bytes += size_of::<Entry<A>>();
        heap.usage.records += 1;
        self.entries.push(entry);
        Ok(Val::I64(self.entries.len() as i64 - 1))
    }

    /// Adds a cotangent at a place, or those in a box or a vector at the places in another.
    fn add(&mut self, to: Val<A>, cotangent: Val<A>, (arithmetic, heap): (&A, &mut Heap<A>)) -> Result<(), Failure> {
        let mut work = vec![(to, cotangent)];
        while let Some(pair) = work.pop() {
            match pair {
                // A constant.
                (Val::I64(0), Val::F64(_) | Val::Array(_)) => {}
                (Val::I64(place), cotangent @ (Val::F64(_) | Val::Array(_))) => {
                    let place = place as usize;
                    if place >= self.cotangents.len() {
                        self.cotangents.resize(self.entries.len(), None);
                    }
                    let sum = match self.cotangents[place].take() {
                        Some(so_far) => heap.sum(arithmetic, so_far, cotangent)?,
                        None => cotangent,
                    };
                    self.cotangents[place] = Some(sum);
                }
                (Val::Tuple(places), Val::Tuple(cotangents)) | (Val::Vec(places), Val::Vec(cotangents)) => {
                    work.extend(places.0.iter().cloned().zip(cotangents.0.iter().cloned()));
                }
                (Val::Opaque(Some(places)), Val::Opaque(Some(cotangents))) => {
                    work.push((places.0[0].clone(), cotangents.0[0].clone()));
                }
                (Val::Opaque(_), Val::Opaque(_)) | (Val::Zero, Val::Zero) => {}
                _ => return Err(Failure::Shape),
            }
        }
        Ok(())
    }

    fn next(
        &mut self,
        below: usize,
        above: usize,
        (arithmetic, heap): (&A, &mut Heap<A>),
        span: Span,
    ) -> Result<Val<A>, RunError> {
        let mut place = below.min(self.cotangents.len());
        while place > above + 1 {
            place -= 1;
            match &self.entries[place] {
                Entry::Function(_, results) => {
                    let own = place..(place + results + 1).min(self.cotangents.len());
                    if self.cotangents[own].iter().any(Option::is_some) {
                        return Ok(Val::I64(place as i64));
                    }
                }
                Entry::Float(from) => {
                    let Some(Val::F64(cotangent)) = self.cotangents[place].take() else { continue };
                    if arithmetic.bits(&cotangent) == Some((-0.0_f64).to_bits()) {
                        continue;
                    }
                    for (from, by) in from.clone() {
                        let factors = [Scalar::F64(cotangent.clone()), Scalar::F64(by)];
                        let part = arithmetic.scalar(Prim::Mul0, &factors, span).ok_or_else(|| internal(TraceOp::Next))??;
                        let sum = self.add(Val::I64(from as i64), part.into(), (arithmetic, heap));
                        sum.map_err(|_| RunError::no_memory(span))?;
                    }
                }
                Entry::Variable => {}
            }
        }
        Ok(Val::I64(-1))
    }
}

//! Operations on arrays of numbers, element by element: what [`crate::arrays`] does for floats, as it is defined and not as it is fast.

use super::{Numbers, Over, Partial, internal};
use crate::arrays::Storage;
use crate::error::RunError;
use crate::interp::Arithmetic;
use gradus_ir::eval::Scalar;
use gradus_ir::{Array, ArrayOp, DType, Dims, Elements, Prim, Span, Type};
use std::cmp::Ordering;
use std::rc::Rc;

/// An array, in row-major order; or a scalar as one, whose type its element says.
#[derive(Clone, Debug)]
pub struct Items<N> {
    pub dtype: Option<DType>,
    pub shape: Dims,
    pub items: Vec<Scalar<Partial<N>>>,
}

impl<N: Clone> Items<N> {
    /// The elements, if they are integers.
    pub fn integers(&self) -> Option<Vec<i64>> {
        self.items.iter().map(|item| if let Scalar::I64(v) = item { Some(*v) } else { None }).collect()
    }

    /// The elements, if they are booleans.
    pub fn booleans(&self) -> Option<Vec<bool>> {
        self.items.iter().map(|item| if let Scalar::Bool(v) = item { Some(*v) } else { None }).collect()
    }

    /// The same array or scalar as operations on floats take it; none if it is of numbers.
    pub fn storage(&self) -> Option<Storage> {
        let elements: Elements = match self.dtype {
            Some(DType::Bool) => Elements::Bool(self.booleans()?),
            Some(DType::I64) => Elements::I64(self.integers()?),
            Some(DType::F32 | DType::F64) => return None,
            None => {
                return match self.items.first()? {
                    Scalar::I64(v) => Some(Storage::of_scalar(Scalar::I64(*v))),
                    Scalar::Bool(v) => Some(Storage::of_scalar(Scalar::Bool(*v))),
                    Scalar::F64(_) => None,
                };
            }
        };
        Some(Storage::import(&Array::new(self.shape, elements)))
    }

    /// An array of integers or booleans; none of floats.
    pub fn discrete(array: &Array) -> Option<Items<N>> {
        let items = match array.elements() {
            Elements::Bool(v) => v.iter().map(|&v| Scalar::Bool(v)).collect(),
            Elements::I64(v) => v.iter().map(|&v| Scalar::I64(v)).collect(),
            Elements::F32(_) | Elements::F64(_) => return None,
        };
        Some(Items { dtype: Some(array.dtype()), shape: array.shape(), items })
    }
}

/// The places of elements in a dense array of a shape: of all whose index along each axis is one of `counts`, from `offset` on at these
/// distances.
fn places(counts: &[usize], offset: isize, strides: &[isize]) -> Vec<usize> {
    let mut places = vec![offset];
    for (&count, &stride) in counts.iter().zip(strides) {
        places = places.iter().flat_map(|place| (0..count as isize).map(move |i| place + i * stride)).collect();
    }
    places.into_iter().map(|place| place as usize).collect()
}

fn sizes(shape: Dims) -> Vec<usize> {
    shape.sizes().collect()
}

/// For each element of an array of shape `large` the place in one of shape `small`, which broadcasts to it.
fn broadcast_places(small: Dims, large: Dims) -> Vec<usize> {
    let mut strides = vec![0; large.len() - small.len()];
    let own = crate::arrays::strides(small);
    strides.extend(small.iter().zip(own).map(|(&size, stride)| if size == 1 { 0 } else { stride }));
    places(&sizes(large), 0, &strides)
}

/// The places of a slice of an array of a shape.
fn slice_places(slice: Dims, shape: Dims) -> Vec<usize> {
    let own = crate::arrays::strides(shape);
    let axes = || slice.chunks_exact(3).zip(&own);
    let offset = axes().map(|(axis, stride)| axis[0] as isize * stride).sum();
    let counts: Vec<usize> = slice.chunks_exact(3).map(|axis| axis[2] as usize).collect();
    let strides: Vec<isize> = axes().map(|(axis, stride)| axis[1] as isize * stride).collect();
    places(&counts, offset, &strides)
}

impl<S: Numbers> Over<'_, S> {
    /// A primitive on elements.
    pub(super) fn apply(&self, prim: Prim, operands: &[&Element<S>], span: Span) -> Result<Element<S>, RunError> {
        let operands: Vec<Element<S>> = operands.iter().map(|&operand| operand.clone()).collect();
        self.scalar(prim, &operands, span).ok_or_else(|| internal(&format!("{} does not take these elements", prim.name())))?
    }

    fn order(&self, a: &Element<S>, b: &Element<S>, span: Span) -> Result<Ordering, RunError> {
        let is = |prim| Ok::<bool, RunError>(self.apply(prim, &[a, b], span)? == Scalar::Bool(true));
        Ok(match (is(Prim::Lt)?, is(Prim::Gt)?) {
            (true, _) => Ordering::Less,
            (_, true) => Ordering::Greater,
            _ => Ordering::Equal,
        })
    }

    /// An operation with a float among operands or result.
    pub(super) fn operation(
        &self,
        prim: Prim,
        ty: &Type,
        operands: Vec<Rc<Items<S::Number>>>,
        span: Span,
    ) -> Result<Items<S::Number>, RunError> {
        let (dtype, shape) = ty.as_array().ok_or_else(|| internal("an operation on arrays gives one"))?;
        let items = match prim {
            Prim::Array(op, attribute) => self.items_of(op, attribute, shape, operands, span)?,
            _ => (0..shape.count())
                .map(|i| {
                    let elements: Vec<&Element<S>> =
                        operands.iter().map(|o| &o.items[if o.shape.is_empty() { 0 } else { i }]).collect();
                    self.apply(prim, &elements, span)
                })
                .collect::<Result<_, _>>()?,
        };
        Ok(Items { dtype: Some(dtype), shape, items })
    }

    fn items_of(
        &self,
        op: ArrayOp,
        attribute: Dims,
        shape: Dims,
        operands: Vec<Rc<Items<S::Number>>>,
        span: Span,
    ) -> Result<Vec<Element<S>>, RunError> {
        use ArrayOp::*;
        let given = operands.first().map_or(Dims::NONE, |o| o.shape);
        let all = operands.clone();
        let integers = |i: usize| all[i].integers().ok_or_else(|| internal("places are integers"));
        let index = |from: usize| -> Result<usize, RunError> {
            let strides = crate::arrays::strides(given);
            let indices = all[from..].iter().zip(strides).map(|(index, stride)| match index.items[0] {
                Scalar::I64(i) => Ok(i as usize * stride as usize),
                _ => Err(internal("indices are integers")),
            });
            indices.sum()
        };
        let (first, row) = (|| &all[0].items, given.len().min(1));
        let row = given.without_first(row).count();
        let add = |to: &mut Element<S>, v: &Element<S>| -> Result<(), RunError> {
            *to = self.apply(Prim::Add, &[to, v], span)?;
            Ok(())
        };
        let zero = || Scalar::F64(Ok(self.0.integer(0)));
        let pick = |places: Vec<usize>| places.into_iter().map(|place| first()[place].clone()).collect();
        // What an update begins with: not copied where nobody else has it.
        let updated = |mut operands: Vec<Rc<Items<S::Number>>>| Rc::unwrap_or_clone(operands.swap_remove(0)).items;
        Ok(match op {
            Broadcast => pick(broadcast_places(given, shape)),
            Reshape => first().clone(),
            Transpose => {
                let own = crate::arrays::strides(given);
                pick(places(&sizes(shape), 0, &attribute.iter().map(|&axis| own[axis as usize]).collect::<Vec<_>>()))
            }
            Slice => pick(slice_places(attribute, given)),
            SumTo | MaxTo | MinTo => {
                let prim = if op == SumTo {
                    Prim::Add
                } else if op == MaxTo {
                    Prim::Maximum
                } else {
                    Prim::Minimum
                };
                let mut results: Vec<Option<Element<S>>> = vec![None; shape.count()];
                for (place, item) in broadcast_places(shape, given).into_iter().zip(first()) {
                    results[place] = Some(match results[place].take() {
                        Some(so_far) => self.apply(prim, &[&so_far, item], span)?,
                        None => item.clone(),
                    });
                }
                results.into_iter().map(|result| result.unwrap_or_else(zero)).collect()
            }
            Put | PutAdd | SetAt | AddAt | Scatter | ScatterAdd => {
                let (places, values) = match op {
                    Put | PutAdd => (slice_places(attribute, given), 1),
                    SetAt | AddAt => {
                        let start = index(2)?;
                        ((start..start + all[1].items.len()).collect(), 1)
                    }
                    _ => (integers(1)?.into_iter().flat_map(|i| i as usize * row..(i as usize + 1) * row).collect(), 2),
                };
                let values = all[values].clone();
                drop(all);
                let mut items = updated(operands);
                for (place, value) in places.into_iter().zip(&values.items) {
                    match op {
                        Put | SetAt | Scatter => items[place] = value.clone(),
                        _ => add(&mut items[place], value)?,
                    }
                }
                items
            }
            At => {
                let start = index(1)?;
                first()[start..start + shape.count()].to_vec()
            }
            Gather => pick(integers(1)?.into_iter().flat_map(|i| i as usize * row..(i as usize + 1) * row).collect()),
            GatherLast => {
                let mut seen = vec![false; given[0] as usize];
                let mut rows: Vec<Vec<Element<S>>> = Vec::new();
                for i in integers(1)?.into_iter().rev().map(|i| i as usize) {
                    let again = std::mem::replace(&mut seen[i], true);
                    rows.push(if again { vec![zero(); row] } else { first()[i * row..(i + 1) * row].to_vec() });
                }
                rows.into_iter().rev().flatten().collect()
            }
            Concat => {
                let axis = attribute[0] as usize;
                let repeats: usize = shape[..axis].iter().map(|&n| n as usize).product();
                let parts = || all.iter().map(|o| (o, o.shape[axis..].iter().map(|&n| n as usize).product::<usize>()));
                (0..repeats).flat_map(|i| parts().flat_map(move |(o, n)| o.items[i * n..(i + 1) * n].to_vec())).collect()
            }
            Make => all.iter().map(|o| o.items[0].clone()).collect(),
            CumSum => {
                let after: usize = shape[attribute[0] as usize + 1..].iter().map(|&n| n as usize).product();
                let length = shape[attribute[0] as usize] as usize;
                let mut items = first().clone();
                for i in 0..items.len() {
                    if !(i / after).is_multiple_of(length) {
                        items[i] = self.apply(Prim::Add, &[&items[i - after], &items[i]], span)?;
                    }
                }
                items
            }
            ArgMax | ArgMin => {
                let axis = attribute[0] as usize;
                let (length, after) = (given[axis] as usize, given.without_first(axis + 1).count());
                let better = if op == ArgMax { Ordering::Greater } else { Ordering::Less };
                let mut best = Vec::with_capacity(shape.count());
                for i in 0..shape.count() {
                    let value = |place: usize| &first()[(i / after * length + place) * after + i % after];
                    let mut found = 0;
                    for place in 1..length {
                        if self.order(value(place), value(found), span)? == better {
                            found = place;
                        }
                    }
                    best.push(Scalar::I64(found as i64));
                }
                best
            }
            ArgSort => {
                let length = given[given.len() - 1] as usize;
                let mut sorted = Vec::with_capacity(shape.count());
                for line in first().chunks(length.max(1)) {
                    let mut failed = None;
                    let mut places: Vec<usize> = (0..line.len()).collect();
                    places.sort_by(|&a, &b| {
                        self.order(&line[a], &line[b], span).unwrap_or_else(|e| {
                            failed = Some(e);
                            Ordering::Equal
                        })
                    });
                    if let Some(e) = failed {
                        return Err(e);
                    }
                    sorted.extend(places.into_iter().map(|place| Scalar::I64(place as i64)));
                }
                sorted
            }
            MatMul | Solve | LogDet | DetSign | Cholesky | LowerHalf => return self.linear(op, &all, span),
            Indices | Iota | Table => return Err(internal(&format!("{} is of integers", op.name()))),
        })
    }
}

/// An element of an array of numbers.
pub(super) type Element<S> = Scalar<Partial<<S as Numbers>::Number>>;

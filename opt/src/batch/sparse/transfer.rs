//! What an operation makes of the dependences of its operands: each element of the result depends on what the elements do that it is
//! made of. Of integers and booleans that are known the values are known, too: places, masks and conditions.

use super::facts::{Elements, Fact, Record};
use super::sets::{EMPTY, SetId, Sets};
use crate::batch::rules::is_elementwise;
use gradus_ir::eval::{Scalar, eval};
use gradus_ir::{ArrayOp, DType, Dims, Prim, Sig, Type};
use std::rc::Rc;

/// The most elements of an array that are looked at one by one.
const ELEMENTS: usize = 1 << 22;

/// What is known of the result of a primitive. None where nothing is, which also ends where sets are too large.
pub(super) fn apply(sets: &mut Sets, prim: Prim, operands: &[&Fact], types: &[Type], ty: &Type) -> Option<Fact> {
    match (prim, operands) {
        (Prim::Tuple, _) => return Some(Fact::Tuple(operands.iter().map(|&fact| fact.clone()).collect())),
        (Prim::Get(i), [Fact::Tuple(items)]) => return items.get(i as usize).cloned(),
        (Prim::Push, [Fact::Tape(records), value]) => {
            let record = Record { value: (*value).clone(), before: records.clone() };
            return Some(Fact::Tape(Some(Rc::new(record))));
        }
        (Prim::Pop, [Fact::Tape(Some(record))]) => {
            return Some(Fact::Tuple([Fact::Tape(record.before.clone()), record.value.clone()].into()));
        }
        (Prim::Select, [condition, a, b]) if ty.as_array().is_none() => {
            // Of tuples and tapes: one of the two, if it is known which.
            return match condition.elements()?.known.as_deref() {
                Some([0]) => Some((*b).clone()),
                Some(_) => Some((*a).clone()),
                None => operands.iter().all(|fact| fact.is_constant()).then(|| Fact::nothing(ty)),
            };
        }
        _ => {}
    }
    let is_constant = operands.iter().all(|fact| fact.is_constant());
    let Some((dtype, shape)) = ty.as_array() else { return is_constant.then(|| Fact::nothing(ty)) };
    if is_constant && !matches!(dtype, DType::I64 | DType::Bool) {
        return Some(Fact::nothing(ty));
    }
    let operands: Vec<&Elements> = match operands.iter().map(|fact| fact.elements()).collect() {
        Some(operands) => operands,
        None => return is_constant.then(|| Fact::nothing(ty)),
    };
    let shapes: Vec<Dims> = types.iter().filter_map(Type::shape).collect();
    if shapes.iter().chain([&shape]).any(|shape| shape.count() > ELEMENTS) {
        return is_constant.then(|| Fact::nothing(ty));
    }
    let mut on = On { sets, operands: &operands, shapes: &shapes, shape, types };
    let result = match prim {
        Prim::Array(op, attribute) => on.array(op, &attribute),
        Prim::Select => on.select(),
        _ if is_elementwise(prim) => on.elementwise(prim, dtype),
        _ => None,
    };
    Some(Fact::Elements(result?))
}

/// An operation on arrays.
struct On<'a> {
    sets: &'a mut Sets,
    operands: &'a [&'a Elements],
    shapes: &'a [Dims],
    /// That of the result.
    shape: Dims,
    types: &'a [Type],
}

impl On<'_> {
    fn elementwise(&mut self, prim: Prim, dtype: DType) -> Option<Elements> {
        let known = if dtype.is_float() { None } else { self.evaluated(prim) };
        let mut result = Vec::new();
        if self.operands.iter().any(|x| x.sets.is_some()) {
            result.reserve(self.shape.count());
            for i in 0..self.shape.count() {
                let mut set = self.operands[0].set(i);
                for other in &self.operands[1..] {
                    set = self.sets.union(set, other.set(i))?;
                }
                result.push(set);
            }
        }
        Some(Elements { known, ..Elements::of_sets(result) })
    }

    /// The values of a primitive on integers and booleans, where it does not fail.
    fn evaluated(&self, prim: Prim) -> Option<Rc<[i64]>> {
        if matches!(prim.sig(), Sig::Source) {
            return None;
        }
        let known: Vec<&[i64]> = self.operands.iter().map(|x| x.known.as_deref()).collect::<Option<_>>()?;
        let value = |(ty, v): (&Type, i64)| match ty.dtype() {
            Some(DType::Bool) => Some(Scalar::Bool(v != 0)),
            Some(DType::I64) => Some(Scalar::I64(v)),
            _ => None,
        };
        let mut values = Vec::with_capacity(self.shape.count());
        for i in 0..self.shape.count() {
            let given = known.iter().map(|known| known[if known.len() == 1 { 0 } else { i }]);
            let given: Vec<Scalar> = self.types.iter().zip(given).map(value).collect::<Option<_>>()?;
            values.push(match eval(prim, &given)?.ok()? {
                Scalar::Bool(v) => v.into(),
                Scalar::I64(v) => v,
                Scalar::F64(_) => return None,
            });
        }
        Some(values.into())
    }

    fn select(&mut self) -> Option<Elements> {
        let [condition, a, b] = self.operands else { return None };
        if let Some(known) = &condition.known {
            let taken = |i: usize| if known[if known.len() == 1 { 0 } else { i }] == 0 { b } else { a };
            let sets = (0..self.shape.count()).map(|i| taken(i).set(i)).collect();
            let values = (0..self.shape.count()).map(|i| Some(taken(i).known.as_ref()?[i])).collect();
            return Some(Elements { known: values, ..Elements::of_sets(sets) });
        }
        self.elementwise(Prim::Select, DType::F64)
    }

    fn array(&mut self, op: ArrayOp, attribute: &[i64]) -> Option<Elements> {
        use ArrayOp::*;
        let x = self.operands.first().copied();
        match op {
            Reshape => Some(x?.clone()),
            Broadcast => Some(x?.moved(&broadcast(self.shapes[0], self.shape))),
            Transpose => {
                let own = strides(self.shapes[0]);
                let along = attribute.iter().zip(self.shape.iter()).map(|(&axis, &count)| (count, own[axis as usize] as isize));
                Some(x?.moved(&places(0, along)))
            }
            Slice => Some(x?.moved(&region(attribute, self.shapes[0]))),
            Put | PutAdd => self.written(op == PutAdd, &region(attribute, self.shapes[0])),
            SumTo | MaxTo | MinTo => self.grouped(self.shape, &broadcast(self.shape, self.shapes[0])),
            Concat => Some(self.concat(attribute[0] as usize)),
            Make => {
                let sets = self.operands.iter().map(|x| x.set(0)).collect();
                let known = self.operands.iter().map(|x| Some(x.known.as_ref()?[0])).collect();
                Some(Elements { known, ..Elements::of_sets(sets) })
            }
            Iota => {
                let axis = *attribute.last()? as usize;
                let after = strides(self.shape)[axis];
                let length = self.shape[axis];
                Some(Elements::of_known((0..self.shape.count()).map(|i| (i / after) as i64 % length).collect()))
            }
            Table => Some(Elements::of_known(attribute.to_vec())),
            Indices => {
                let place = |&at: &i64| if at < 0 { at + attribute[0] } else { at };
                let known: Option<Vec<i64>> = x?.known.as_ref().map(|known| known.iter().map(place).collect());
                let known = known.filter(|known| known.iter().all(|at| (0..attribute[0]).contains(at)));
                Some(Elements { known: known.map(Rc::from), ..x?.clone() })
            }
            At => self.read(&self.operands[1..]),
            SetAt | AddAt => self.stored(op == AddAt),
            Gather | GatherLast => self.gathered(),
            Scatter | ScatterAdd => self.scattered(op == ScatterAdd),
            MatMul => self.product(),
            // Each element of what these give, of what is along an axis or of all.
            CumSum | ArgMax | ArgMin | ArgSort | Solve | LogDet | DetSign | Cholesky | LowerHalf => self.all(),
        }
    }

    /// Each element depends on all of the operands.
    fn all(&mut self) -> Option<Elements> {
        let all = self.operands.iter().flat_map(|x| x.all());
        let set = self.sets.union_of(all)?;
        Some(Elements::of_sets(vec![set; self.shape.count()]))
    }

    /// The unions of the elements of each group.
    fn grouped(&mut self, groups: Dims, group_of: &[usize]) -> Option<Elements> {
        let Some(own) = &self.operands[0].sets else { return Some(Elements::default()) };
        let mut members: Vec<Vec<SetId>> = vec![Vec::new(); groups.count()];
        group_of.iter().zip(own.iter()).for_each(|(&group, &set)| members[group].push(set));
        let sets: Option<Vec<SetId>> = members.into_iter().map(|group| self.sets.union_of(group.into_iter())).collect();
        Some(Elements::of_sets(sets?))
    }

    /// The first operand with the second at these places, or added there.
    fn written(&mut self, adds: bool, to: &[usize]) -> Option<Elements> {
        let [x, v] = self.operands else { return None };
        let mut sets: Vec<SetId> = (0..self.shape.count()).map(|i| x.set(i)).collect();
        for (k, &place) in to.iter().enumerate() {
            sets[place] = if adds { self.sets.union(sets[place], v.set(k))? } else { v.set(k) };
        }
        let known = match (&x.known, &v.known) {
            (Some(x), Some(v)) if !adds => {
                let mut known = x.to_vec();
                to.iter().zip(v.iter()).for_each(|(&place, &v)| known[place] = v);
                Some(known.into())
            }
            _ => None,
        };
        Some(Elements { known, ..Elements::of_sets(sets) })
    }

    fn concat(&self, axis: usize) -> Elements {
        let mut from: Vec<(usize, usize)> = Vec::with_capacity(self.shape.count());
        let before: usize = self.shape[..axis].iter().map(|&n| n as usize).product();
        for row in 0..before {
            for (k, shape) in self.shapes.iter().enumerate() {
                let piece: usize = shape[axis..].iter().map(|&n| n as usize).product();
                from.extend((row * piece..(row + 1) * piece).map(|i| (k, i)));
            }
        }
        // Not as `set` has it: an operand of one element is no scalar here, but has one element alone.
        let sets = from.iter().map(|&(k, i)| self.operands[k].set(i)).collect();
        let known = from.iter().map(|&(k, i)| Some(self.operands[k].known.as_ref()?[i])).collect();
        Elements { known, ..Elements::of_sets(sets) }
    }

    /// Where indices lead, if they are known: the number of the first element, and how many follow it.
    fn place(&self, indices: &[&Elements]) -> (Option<usize>, usize) {
        let shape = self.shapes[0];
        let part = shape.without_first(indices.len()).count();
        let at = indices.iter().zip(strides(shape)).map(|(index, stride)| {
            let &[at] = index.known.as_deref()? else { return None };
            Some(usize::try_from(at).ok()? * stride)
        });
        let at: Option<usize> = at.sum();
        (at.filter(|at| at + part <= shape.count()), part)
    }

    fn read(&mut self, indices: &[&Elements]) -> Option<Elements> {
        let (at, part) = self.place(indices);
        match at {
            Some(at) => Some(self.operands[0].moved(&(at..at + part).collect::<Vec<_>>())),
            None => {
                let count = self.shapes[0].count();
                let of_indices = self.sets.union_of(indices.iter().flat_map(|index| index.all()))?;
                self.any_row(count, part, part, of_indices)
            }
        }
    }

    /// So many elements, in rows each of which may be any of those of the first operand.
    fn any_row(&mut self, count: usize, part: usize, result: usize, more: SetId) -> Option<Elements> {
        let x = self.operands[0];
        let mut column = Vec::with_capacity(part);
        for i in 0..part {
            let rows = (i..count).step_by(part).map(|k| x.set(k)).chain([more]);
            column.push(self.sets.union_of(rows)?);
        }
        Some(Elements::of_sets((0..result).map(|i| column[i % part]).collect()))
    }

    fn stored(&mut self, adds: bool) -> Option<Elements> {
        let indices = &self.operands[2..];
        let (at, part) = self.place(indices);
        let [x, v] = [self.operands[0], self.operands[1]];
        if let Some(at) = at {
            let mut on = On { operands: &[x, v], ..self.again() };
            return on.written(adds, &(at..at + part).collect::<Vec<_>>());
        }
        let more = self.sets.union_of(indices.iter().flat_map(|index| index.all()))?;
        let mut sets = Vec::with_capacity(self.shape.count());
        for i in 0..self.shape.count() {
            let here = self.sets.union(v.set(i % part), more)?;
            sets.push(self.sets.union(x.set(i), here)?);
        }
        Some(Elements::of_sets(sets))
    }

    fn again(&mut self) -> On<'_> {
        On { sets: self.sets, operands: self.operands, shapes: self.shapes, shape: self.shape, types: self.types }
    }

    /// The places on the first axis that an operand holds, if they are known and in range, and the elements of a row.
    fn rows(&self, places: &Elements) -> (Option<Vec<usize>>, usize) {
        let shape = self.shapes[0];
        let length = shape[0];
        let known = places.known.as_ref().map(|known| known.iter().map(|&at| at as usize).collect::<Vec<_>>());
        (known.filter(|known| known.iter().all(|&at| at < length as usize)), shape.without_first(1).count())
    }

    fn gathered(&mut self) -> Option<Elements> {
        let [x, places] = self.operands else { return None };
        let (rows, part) = self.rows(places);
        match rows {
            Some(rows) => {
                let from: Vec<usize> = rows.iter().flat_map(|row| row * part..(row + 1) * part).collect();
                Some(x.moved(&from))
            }
            None => {
                let more = self.sets.union_of(places.all())?;
                self.any_row(self.shapes[0].count(), part, self.shape.count(), more)
            }
        }
    }

    fn scattered(&mut self, adds: bool) -> Option<Elements> {
        let [x, places, v] = self.operands else { return None };
        let (rows, part) = self.rows(places);
        if let Some(rows) = rows {
            let to: Vec<usize> = rows.iter().flat_map(|row| row * part..(row + 1) * part).collect();
            let mut on = On { operands: &[x, v], ..self.again() };
            return on.written(adds, &to);
        }
        let more = self.sets.union_of(places.all())?;
        let count = v.sets.as_ref().map_or(0, |sets| sets.len());
        let mut column = Vec::with_capacity(part);
        for i in 0..part {
            column.push(self.sets.union_of((i..count).step_by(part).map(|k| v.set(k)).chain([more]))?);
        }
        let mut sets = Vec::with_capacity(self.shape.count());
        for i in 0..self.shape.count() {
            sets.push(self.sets.union(x.set(i), column[i % part])?);
        }
        Some(Elements::of_sets(sets))
    }

    /// A product of matrices, or of stacks of them: a row of the first and a column of the second.
    fn product(&mut self) -> Option<Elements> {
        let ([a, b], &[left, right]) = (self.operands, self.shapes) else { return None };
        let rank = left.len();
        let [m, k, n] = [left[rank - 2], left[rank - 1], right[rank - 1]].map(|n| n as usize);
        let stack: usize = left[..rank - 2].iter().map(|&n| n as usize).product();
        let mut sets = Vec::with_capacity(self.shape.count());
        for s in 0..stack {
            let mut lines = |x: &Elements, first: usize, count: usize, to_next: usize, step: usize| -> Option<Vec<SetId>> {
                if x.sets.is_none() {
                    return Some(vec![EMPTY; count]);
                }
                let line = |i: usize| (0..k).map(move |j| first + i * to_next + j * step);
                (0..count).map(|i| self.sets.union_of(line(i).map(|at| x.set(at)))).collect()
            };
            let (rows, columns) = (lines(a, s * m * k, m, k, 1)?, lines(b, s * k * n, n, 1, n)?);
            for &row in &rows {
                for &column in &columns {
                    sets.push(self.sets.union(row, column)?);
                }
            }
        }
        Some(Elements::of_sets(sets))
    }
}

/// How far neighbours along each axis of a dense array are apart.
pub(super) fn strides(shape: Dims) -> Vec<usize> {
    let mut strides = vec![1; shape.len()];
    for axis in (1..shape.len()).rev() {
        strides[axis - 1] = strides[axis] * shape[axis] as usize;
    }
    strides
}

/// The numbers of elements from a first one on, so many along each axis and so far apart.
fn places(first: isize, axes: impl Iterator<Item = (i64, isize)>) -> Vec<usize> {
    let mut all = vec![first];
    for (count, stride) in axes {
        all = all.iter().flat_map(|&at| (0..count as isize).map(move |i| at + i * stride)).collect();
    }
    all.into_iter().map(|at| at as usize).collect()
}

/// For each element of an array of shape `to`, the one of an array of shape `from` that is broadcast there.
fn broadcast(from: Dims, to: Dims) -> Vec<usize> {
    let new = to.len() - from.len();
    let own = strides(from);
    let stride = |axis: usize| if axis < new || from[axis - new] == 1 { 0 } else { own[axis - new] as isize };
    places(0, to.iter().enumerate().map(|(axis, &count)| (count, stride(axis))))
}

/// The numbers of the elements of a slice.
fn region(slice: &[i64], shape: Dims) -> Vec<usize> {
    let axes = || slice.chunks_exact(3).zip(strides(shape).into_iter().map(|stride| stride as isize));
    let first = axes().map(|(cut, stride)| cut[0] as isize * stride).sum();
    places(first, axes().map(|(cut, stride)| (cut[2], cut[1] as isize * stride)))
}

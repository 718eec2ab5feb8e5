//! Operations on arrays: shapes, sums, products, order.

use crate::builder::ints;
use crate::function::Emit;
use crate::op::{Attribute, Val};
use crate::refusal::{Reason, Refusal};
use crate::tensor::{Element, Tensor};
use gradus_ir::{ArrayOp, Const, Dims, NodeId};

impl Emit<'_, '_> {
    /// An operation on arrays.
    pub fn array(&mut self, op: ArrayOp, attribute: Dims, n: NodeId) -> Result<Val, Refusal> {
        use ArrayOp::*;
        let m = self.unit.m;
        let span = m[n].span;
        if op == Make {
            return self.make(attribute, n);
        }
        let operands = self.all_values(m[n].inputs())?;
        let ty = self.leaves(&m[n].ty).map_err(|r| r.at(span))?[0];
        let a = operands.first();
        let first = || a.ok_or(Reason::Untyped.at(span));
        let found = match op {
            Iota => {
                let (&axis, shape) = attribute.split_last().ok_or(Reason::Untyped.at(span))?;
                self.b().iota(axis as usize, shape)
            }
            Table => {
                if attribute.is_empty() {
                    self.b().zeros(ty)
                } else {
                    self.b().constant(ty, attribute.to_vec())
                }
            }
            Broadcast => {
                let a = first()?;
                let from = ty.dims.len() - a.ty.dims.len();
                let axes: Vec<i64> = (from as i64..ty.dims.len() as i64).collect();
                self.b().broadcast(a, &axes, ty.dims)
            }
            SumTo | MaxTo | MinTo => self.reduce_to(op, first()?, attribute),
            Reshape => self.b().reshape(first()?, attribute),
            Transpose => self.b().transpose(first()?, &attribute),
            Slice => self.slice_of(first()?, attribute),
            Put | PutAdd => self.put(op, first()?, &operands[1], attribute),
            Concat => self.b().concatenate(&operands.iter().collect::<Vec<_>>(), attribute[0] as usize),
            MatMul => self.product(first()?, &operands[1], ty),
            CumSum => self.running_sum(first()?, attribute[0] as usize),
            ArgMax | ArgMin => self.place_of_extreme(op, first()?, attribute[0] as usize),
            ArgSort => self.order(first()?),
            At | SetAt | AddAt | Indices | Gather | GatherLast | Scatter | ScatterAdd => {
                self.indexed(op, attribute, &operands, n)
            }
            Solve | LogDet | DetSign | Cholesky | LowerHalf => self.linear(op, &operands),
            Make => return self.make(attribute, n),
        };
        // Scalars have 64 bits, those from arrays of 32, too.
        Ok(self.b().convert(&found, ty.element))
    }

    fn make(&mut self, shape: Dims, n: NodeId) -> Result<Val, Refusal> {
        let m = self.unit.m;
        let ty = self.leaves(&m[n].ty).map_err(|r| r.at(m[n].span))?[0];
        let known = |c: &Const| match c {
            Const::F64(bits) => Some(*bits as i64),
            Const::I64(value) => Some(*value),
            Const::Bool(value) => Some((*value).into()),
            _ => None,
        };
        let constants: Option<Vec<i64>> = m[n].inputs().iter().map(|&i| m[i].as_const().and_then(known)).collect();
        if ty.count() == 0 {
            return Ok(self.b().zeros(ty));
        }
        if let Some(elements) = constants {
            let flat = ty.with([ty.count() as i64]);
            let flat = self.b().constant(flat, elements);
            return Ok(self.b().reshape(&flat, shape));
        }
        let elements = self.all_values(m[n].inputs())?;
        let rows: Vec<Val> = elements.iter().map(|v| self.b().reshape(v, [1])).collect();
        let flat = match &rows[..] {
            [one] => one.clone(),
            _ => self.b().concatenate(&rows.iter().collect::<Vec<_>>(), 0),
        };
        Ok(self.b().reshape(&flat, shape))
    }

    /// Sums, or extremes, over the axes that broadcasting to the shape of the operand would add or stretch.
    fn reduce_to(&mut self, op: ArrayOp, a: &Val, shape: Dims) -> Val {
        let extra = a.ty.dims.len() - shape.len();
        let is_reduced = |i: usize| i < extra || shape[i - extra] != a.ty.dims[i];
        let axes: Vec<i64> = (0..a.ty.dims.len()).filter(|&i| is_reduced(i)).map(|i| i as i64).collect();
        let scalar = a.ty.with([]);
        let (name, start) = match op {
            ArrayOp::SumTo if a.ty.count() == 0 => ("add", self.b().zeros(scalar)),
            ArrayOp::SumTo => ("add", self.b().neutral(scalar)),
            ArrayOp::MaxTo => ("maximum", self.extreme(scalar, false)),
            _ => ("minimum", self.extreme(scalar, true)),
        };
        let reduced = self.b().reduce(name, a, &start, &axes);
        if op != ArrayOp::SumTo && a.ty.element.is_float() && !axes.is_empty() {
            // NaN if one is, whatever the compiler makes of the extremes of NaN.
            let nan = self.b().is_nan(a);
            let no = self.b().bool(Tensor::scalar(Element::Pred), false);
            let any = self.b().reduce("or", &nan, &no, &axes);
            let bad = self.b().float(reduced.ty, f64::NAN);
            let found = self.b().select(&any, &bad, &reduced);
            return self.b().reshape(&found, shape);
        }
        self.b().reshape(&reduced, shape)
    }

    /// The greatest or the least number of a type.
    fn extreme(&mut self, ty: Tensor, is_greatest: bool) -> Val {
        match ty.element {
            Element::F32 | Element::F64 => self.b().float(ty, if is_greatest { f64::INFINITY } else { f64::NEG_INFINITY }),
            Element::Pred => self.b().bool(ty, is_greatest),
            Element::I32 | Element::I64 => self.b().int(ty, if is_greatest { i64::MAX } else { i64::MIN }),
        }
    }

    /// First element, step and number of elements along each axis.
    fn slice_of(&mut self, a: &Val, slice: Dims) -> Val {
        let axes: Vec<[i64; 3]> = slice.chunks_exact(3).map(|axis| ascending(axis[0], axis[1], axis[2])).collect();
        let backwards = backwards(slice);
        let part = self.b().slice(a, &axes);
        self.b().reverse(&part, &backwards)
    }

    /// The second operand in the place of a part of the first, or added to it.
    fn put(&mut self, op: ArrayOp, a: &Val, value: &Val, slice: Dims) -> Val {
        if value.ty.count() == 0 {
            return a.clone();
        }
        let value = self.b().reverse(value, &backwards(slice));
        let axes: Vec<[i64; 3]> = slice.chunks_exact(3).map(|axis| ascending(axis[0], axis[1], axis[2])).collect();
        let scalar = a.ty.with([]);
        let low: Vec<i64> = axes.iter().map(|[first, _, _]| *first).collect();
        let high: Vec<i64> = axes.iter().zip(a.ty.dims.iter()).map(|([_, end, _], n)| n - end).collect();
        let interior: Vec<i64> = axes.iter().map(|[_, _, step]| step - 1).collect();
        if op == ArrayOp::PutAdd {
            let nothing = self.b().neutral(scalar);
            let padded = self.b().pad(&value, &nothing, &low, &high, &interior);
            return self.b().same("add", &[a, &padded]);
        }
        if interior.iter().all(|&n| n == 0) {
            let index = Tensor::scalar(Element::I64);
            let at: Vec<Val> = low.iter().map(|&i| self.b().int(index, i)).collect();
            return self.b().dynamic_update(a, &value, &at);
        }
        let nothing = self.b().zeros(scalar);
        let padded = self.b().pad(&value, &nothing, &low, &high, &interior);
        let (yes, no) = (self.b().bool(value.ty.of(Element::Pred), true), self.b().bool(scalar.of(Element::Pred), false));
        let mask = self.b().pad(&yes, &no, &low, &high, &interior);
        self.b().select(&mask, &padded, a)
    }

    /// A product of matrices, or of stacks of them.
    fn product(&mut self, a: &Val, b: &Val, ty: Tensor) -> Val {
        let rank = a.ty.dims.len() as i64;
        let stack: Vec<i64> = (0..rank - 2).collect();
        let attributes = vec![
            ("lhs_batching_dimensions", ints(&stack)),
            ("rhs_batching_dimensions", ints(&stack)),
            ("lhs_contracting_dimensions", ints([rank - 1])),
            ("rhs_contracting_dimensions", ints([rank - 2])),
            ("precision_config", Attribute::Word(if a.ty.element.is_float() { "HIGHEST" } else { "DEFAULT" })),
        ];
        self.b().op("dot_general", &[a, b], attributes, a.ty.with(ty.dims))
    }

    /// Sums of elements up to each one, by doubling of distances (Hillis and Steele 1986).
    pub fn running_sum(&mut self, a: &Val, axis: usize) -> Val {
        let length = a.ty.dims[axis];
        let rank = a.ty.dims.len();
        let mut sums = a.clone();
        let mut distance = 1;
        let nothing = self.b().neutral(a.ty.with([]));
        while distance < length {
            let axes: Vec<[i64; 3]> =
                (0..rank).map(|i| [0, if i == axis { length - distance } else { a.ty.dims[i] }, 1]).collect();
            let front = self.b().slice(&sums, &axes);
            let mut low = vec![0; rank];
            low[axis] = distance;
            let none = vec![0; rank];
            let shifted = self.b().pad(&front, &nothing, &low, &none, &none);
            sums = self.b().same("add", &[&sums, &shifted]);
            distance *= 2;
        }
        sums
    }

    /// The place of the first extreme along an axis, of the first NaN if there is one.
    pub fn place_of_extreme(&mut self, op: ArrayOp, a: &Val, axis: usize) -> Val {
        let axes = [axis as i64];
        let others: Vec<i64> = (0..a.ty.dims.len() as i64).filter(|&i| i != axis as i64).collect();
        // Booleans are compared as integers.
        let a = &if a.ty.element == Element::Pred { self.b().convert(a, Element::I64) } else { a.clone() };
        let scalar = a.ty.with([]);
        let start = self.extreme(scalar, op == ArrayOp::ArgMin);
        let extremes = self.b().reduce(if op == ArrayOp::ArgMax { "maximum" } else { "minimum" }, a, &start, &axes);
        let all = self.b().broadcast(&extremes, &others, a.ty.dims);
        let mut is_extreme = self.b().compare("EQ", a, &all);
        if a.ty.element.is_float() {
            let nan = self.b().is_nan(a);
            let no = self.b().bool(Tensor::scalar(Element::Pred), false);
            let any = self.b().reduce("or", &nan, &no, &axes);
            let any = self.b().broadcast(&any, &others, a.ty.dims);
            is_extreme = self.b().select(&any, &nan, &is_extreme);
        }
        let places = self.b().iota(axis, a.ty.dims);
        let last = self.b().int(places.ty, i64::MAX);
        let places = self.b().select(&is_extreme, &places, &last);
        let start = self.b().int(Tensor::scalar(Element::I64), i64::MAX);
        self.b().reduce("minimum", &places, &start, &axes)
    }

    /// The places of the elements along the last axis in ascending order, NaNs last.
    fn order(&mut self, a: &Val) -> Val {
        let axis = a.ty.dims.len() - 1;
        let a = &if a.ty.element == Element::Pred { self.b().convert(a, Element::I64) } else { a.clone() };
        let places = self.b().iota(axis, a.ty.dims);
        let (scalar, place) = (a.ty.with([]), Tensor::scalar(Element::I64));
        self.b().open(true);
        let pairs = self.b().params([scalar, scalar, place, place]);
        let mut comes_first = self.b().compare("LT", &pairs[0], &pairs[1]);
        if a.ty.element.is_float() {
            let [first, second] = [0, 1].map(|i| self.b().is_nan(&pairs[i]));
            let is_number = self.b().same("not", &[&first]);
            let before_nan = self.b().same("and", &[&is_number, &second]);
            comes_first = self.b().same("or", &[&comes_first, &before_nan]);
        }
        self.b().leave(&[comes_first]);
        let comparator = (pairs, self.b().close());
        let attributes = vec![("dimension", Attribute::Int(axis as i64)), ("is_stable", Attribute::Bool(true))];
        let types = [a.ty, places.ty];
        self.b().compound("sort", &[a, &places], vec![comparator], attributes, &types).remove(1)
    }
}

/// The slice of the same elements with a positive step: first, end, step.
fn ascending(first: i64, step: i64, count: i64) -> [i64; 3] {
    match (count, step) {
        (0, _) => [0, 0, 1],
        (1, _) => [first, first + 1, 1],
        _ if step < 0 => [first + step * (count - 1), first + 1, -step],
        _ => [first, first + step * (count - 1) + 1, step],
    }
}

/// The axes whose elements are taken backwards.
fn backwards(slice: Dims) -> Vec<i64> {
    (0..).zip(slice.chunks_exact(3)).filter(|(_, axis)| axis[1] < 0 && axis[2] > 1).map(|(i, _)| i).collect()
}

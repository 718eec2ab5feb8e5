//! Makes the nodes of batches.

use super::affine::Affine;
use gradus_ir::{ArrayOp, Const, DType, Dims, GraphId, Module, NodeId, Prim, Span, Type, build};
use rustc_hash::FxHashMap;

/// An operand of a node of a loop's body.
#[derive(Clone, Debug)]
pub(super) struct Operand {
    pub(super) value: Value,
    /// What it is in one iteration.
    pub(super) ty: Type,
}

/// What an operand is in all iterations.
#[derive(Clone, Copy, Debug)]
pub(super) enum Value {
    /// The same in each.
    Same(NodeId),
    /// An integer that changes evenly.
    Even(Affine),
    /// A batch: one row for each.
    Rows(NodeId),
}

/// Where each iteration reads or writes, on one axis.
pub(super) enum Place {
    Even(Affine),
    /// A batch of integers.
    Each(NodeId),
}

/// The type of a batch of `n` values; none for what has no rows. What has but one value is its own batch.
pub(super) fn batched(ty: &Type, n: i64) -> Option<Type> {
    match ty {
        Type::Tuple(items) => Some(Type::Tuple(items.iter().map(|t| batched(t, n)).collect::<Option<_>>()?)),
        Type::Tape(record) => Some(Type::tape(batched(record, n)?)),
        Type::Zero | Type::None => Some(ty.clone()),
        _ => {
            let (dtype, shape) = ty.as_array()?;
            Some(Type::array(dtype, Dims::new([&[n], &shape[..]].concat())))
        }
    }
}

pub(super) struct Emit<'m> {
    pub(super) m: &'m mut Module,
    /// The number of iterations.
    pub(super) n: i64,
    /// The most elements that a node may have.
    pub(super) most: usize,
    /// The most elements that a node has.
    pub(super) largest: usize,
    /// Where nodes are made, and for what.
    pub(super) g: GraphId,
    pub(super) span: Span,
    /// The block that dominates all others, and what it has of integers that change evenly.
    pub(super) entry: GraphId,
    evens: FxHashMap<(i64, i64), NodeId>,
}

impl<'m> Emit<'m> {
    pub(super) fn new(m: &'m mut Module, n: i64, most: usize, entry: GraphId) -> Emit<'m> {
        Emit { m, n, most, largest: 0, g: entry, span: Span::NONE, entry, evens: FxHashMap::default() }
    }

    /// An application, folded. None if it is too large.
    pub(super) fn prim(&mut self, prim: Prim, operands: &[NodeId]) -> Option<NodeId> {
        let types: Vec<Type> = operands.iter().map(|&n| self.m[n].ty.clone()).collect();
        let ty = prim.result_type(&types)?;
        if let Some(shape) = ty.shape() {
            self.largest = self.largest.max(shape.count());
            if shape.count() > self.most {
                return None;
            }
        }
        let folded = build::fold(self.m, self.g, prim, operands, &ty).filter(|&same| self.m[same].ty == ty);
        Some(folded.unwrap_or_else(|| self.m.prim(self.g, prim, operands.to_vec(), ty, self.span)))
    }

    pub(super) fn array(&mut self, op: ArrayOp, attribute: impl AsRef<[i64]>, operands: &[NodeId]) -> Option<NodeId> {
        self.prim(Prim::Array(op, Dims::new(attribute.as_ref())), operands)
    }

    pub(super) fn shape(&self, x: NodeId) -> Dims {
        self.m[x].ty.shape().unwrap_or(Dims::NONE)
    }

    /// An array in another shape, of as many elements.
    pub(super) fn reshape(&mut self, x: NodeId, shape: impl AsRef<[i64]>) -> Option<NodeId> {
        self.array(ArrayOp::Reshape, shape, &[x])
    }

    /// The first axes of an array as one.
    fn flat(&mut self, x: NodeId, axes: usize) -> Option<NodeId> {
        let shape = self.shape(x);
        let length: i64 = shape[..axes].iter().product();
        self.reshape(x, [&[length], &shape[axes..]].concat())
    }

    /// An integer that changes evenly as an array.
    fn even(&mut self, a: Affine) -> Option<NodeId> {
        if let Some(&known) = self.evens.get(&(a.step, a.first)) {
            return Some(known);
        }
        let g = std::mem::replace(&mut self.g, self.entry);
        let mut array = self.array(ArrayOp::Iota, [self.n, 0], &[])?;
        for (prim, neutral, v) in [(Prim::Mul, 1, a.step), (Prim::Add, 0, a.first)] {
            if v != neutral {
                let v = self.m.i64(v);
                let v = self.array(ArrayOp::Broadcast, [self.n], &[v])?;
                array = self.prim(prim, &[array, v])?;
            }
        }
        self.g = g;
        self.evens.insert((a.step, a.first), array);
        Some(array)
    }

    /// An operand with a row for each iteration.
    pub(super) fn batch(&mut self, x: &Operand) -> Option<NodeId> {
        match x.value {
            Value::Rows(x) => Some(x),
            Value::Even(a) => self.even(a),
            Value::Same(v) => self.repeated(v, &x.ty),
        }
    }

    /// The batch that has the same value in all rows.
    fn repeated(&mut self, v: NodeId, ty: &Type) -> Option<NodeId> {
        let all = batched(ty, self.n)?;
        match ty {
            _ if all == *ty => Some(v),
            Type::Tuple(items) => {
                let fields = items.iter().enumerate().map(|(i, item)| {
                    let field = self.prim(Prim::Get(i as u32), &[v])?;
                    self.repeated(field, item)
                });
                let fields: Vec<NodeId> = fields.collect::<Option<_>>()?;
                self.prim(Prim::Tuple, &fields)
            }
            Type::Tape(_) => match self.m[v].as_const()? {
                c @ (Const::Zero | Const::Undefined) => Some(self.m.constant(c.clone(), all)),
                _ => None,
            },
            _ => self.array(ArrayOp::Broadcast, &*all.shape()?, &[v]),
        }
    }

    /// Elements as arrays of this type have them.
    pub(super) fn narrowed(&mut self, x: NodeId, dtype: DType) -> Option<NodeId> {
        if dtype == DType::F32 && self.m[x].ty.dtype() == Some(DType::F64) { self.prim(Prim::Narrow, &[x]) } else { Some(x) }
    }

    /// Elements as values of this type have them in each row: a scalar that is read from floats of 32 bits is one of 64.
    pub(super) fn widened(&mut self, x: NodeId, ty: &Type) -> Option<NodeId> {
        if *ty == Type::F64 && self.m[x].ty.dtype() == Some(DType::F32) { self.prim(Prim::Widen, &[x]) } else { Some(x) }
    }

    /// Indices into axes of these lengths as places on these axes as one.
    pub(super) fn place(&mut self, indices: &[Operand], sizes: &[i64]) -> Option<Place> {
        let (mut even, mut others) = (Affine::constant(0), Vec::new());
        let mut stride: i64 = 1;
        for (index, &size) in indices.iter().zip(sizes).rev() {
            match self.as_even(index) {
                Some(index) => even = even.plus(index, stride, self.n)?,
                None => others.push((self.batch(index)?, stride)),
            }
            stride = stride.checked_mul(size)?;
        }
        if others.is_empty() {
            return Some(Place::Even(even));
        }
        let mut places = if even == Affine::constant(0) { None } else { Some(self.even(even)?) };
        for (mut index, stride) in others {
            if stride != 1 {
                let stride = self.m.i64(stride);
                let stride = self.array(ArrayOp::Broadcast, [self.n], &[stride])?;
                index = self.prim(Prim::Mul, &[index, stride])?;
            }
            places = Some(match places {
                Some(sum) => self.prim(Prim::Add, &[sum, index])?,
                None => index,
            });
        }
        places.map(Place::Each)
    }

    /// An integer that changes evenly, or is a constant.
    pub(super) fn as_even(&self, x: &Operand) -> Option<Affine> {
        match x.value {
            Value::Even(a) => Some(a),
            Value::Same(n) => match self.m[n].as_const()? {
                &Const::I64(v) => Some(Affine::constant(v)),
                _ => None,
            },
            Value::Rows(_) => None,
        }
    }

    /// The slice of the first axis that is at even places, and all of the others.
    fn slice(&self, x: NodeId, place: Affine) -> Vec<i64> {
        let whole = self.shape(x).iter().skip(1).flat_map(|&n| [0, 1, n]).collect::<Vec<_>>();
        [&[place.first, place.step, self.n], &whole[..]].concat()
    }

    /// What is at a place on the first `axes` of an array in each iteration.
    pub(super) fn read(&mut self, x: NodeId, axes: usize, place: Place) -> Option<NodeId> {
        let x = self.flat(x, axes)?;
        match place {
            Place::Even(Affine { step: 0, .. }) => None,
            Place::Even(place) => self.array(ArrayOp::Slice, self.slice(x, place), &[x]),
            Place::Each(places) => self.array(ArrayOp::Gather, [], &[x, places]),
        }
    }

    /// An array where each iteration has written its row of a batch at a place on the first `axes`, or added it, one after the other.
    pub(super) fn write(&mut self, x: NodeId, axes: usize, place: Place, rows: NodeId, add: bool) -> Option<NodeId> {
        let shape = self.shape(x);
        let x = self.flat(x, axes)?;
        let rows = self.narrowed(rows, self.m[x].ty.dtype()?)?;
        let rows = self.reshape(rows, [&[self.n], &shape[axes..]].concat())?;
        let new = match place {
            Place::Even(Affine { step: 0, .. }) => return None,
            Place::Even(Affine { step: 1, first: 0 }) if self.shape(x)[0] == self.n => match add {
                true => self.prim(Prim::Add, &[x, rows])?,
                false => rows,
            },
            Place::Even(place) => {
                let op = if add { ArrayOp::PutAdd } else { ArrayOp::Put };
                self.array(op, self.slice(x, place), &[x, rows])?
            }
            Place::Each(places) => {
                let op = if add { ArrayOp::ScatterAdd } else { ArrayOp::Scatter };
                self.array(op, [], &[x, places, rows])?
            }
        };
        self.reshape(new, &*shape)
    }
}

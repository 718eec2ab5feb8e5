//! Obvious identities of operations on arrays.

use crate::array::{ArrayOp, DType, Dims};
use crate::eval;
use crate::graph::{Const, GraphId, Kind, Module, NodeId};
use crate::prim::{Prim, Sig};
use crate::span::Span;
use crate::types::Type;
use rustc_hash::FxHashMap;

/// What every element of an array is, where it was broadcast from a scalar; the node itself elsewhere.
pub fn splatted(m: &Module, n: NodeId) -> NodeId {
    match m.as_prim(n) {
        Some(Prim::Array(ArrayOp::Broadcast, _)) if !m[m[n].inputs()[0]].ty.is_array() => m[n].inputs()[0],
        Some(Prim::Narrow) if m[n].ty.is_array() => match splatted(m, m[n].inputs()[0]) {
            scalar if is_narrow(m, scalar) => scalar,
            _ => n,
        },
        _ => n,
    }
}

/// Whether narrowing a scalar changes nothing.
fn is_narrow(m: &Module, n: NodeId) -> bool {
    match m.as_f64(n) {
        Some(v) => v.is_nan() || eval::narrow(v) == v,
        None => m[n].ty == Type::F64 && m.as_prim(n) == Some(Prim::Narrow),
    }
}

/// An elementwise primitive whose operands each hold one number everywhere: that of these numbers, broadcast. Integers do not trap
/// in arrays, so only floats and comparisons of them are as good as scalars.
pub(super) fn fold_splat(m: &mut Module, g: GraphId, prim: Prim, operands: &[NodeId], ty: &Type) -> Option<NodeId> {
    let &Type::Array(dtype, shape) = ty else { return None };
    let is_conversion = matches!(prim, Prim::Narrow | Prim::Widen);
    let is_elementwise = is_conversion || matches!(prim.sig(), Sig::Float | Sig::Num | Sig::NumTotal | Sig::Compare);
    if !is_elementwise || dtype == DType::I64 || operands.is_empty() {
        return None;
    }
    let scalars: Vec<NodeId> = operands.iter().map(|&n| splatted(m, n)).collect();
    if scalars.iter().any(|&n| m[n].ty != Type::F64) {
        return None;
    }
    if prim == Prim::Narrow && is_narrow(m, scalars[0]) {
        return None;
    }
    let result = Type::array(dtype, Dims::NONE);
    let span = operands.iter().map(|&n| m[n].span).find(|s| s.is_some()).unwrap_or(Span::NONE);
    let mut of_scalars = |prim: Prim, scalars: Vec<NodeId>| match super::fold(m, g, prim, &scalars, &result) {
        Some(n) => n,
        None => m.prim(g, prim, scalars, result.clone(), span),
    };
    let mut scalar = of_scalars(prim, scalars);
    if dtype == DType::F32 && prim != Prim::Narrow {
        scalar = of_scalars(Prim::Narrow, vec![scalar]);
    }
    if dtype.is_float() {
        return Some(super::splat(m, g, scalar, dtype, shape, span));
    }
    Some(m.prim(g, Prim::Array(ArrayOp::Broadcast, shape), vec![scalar], ty.clone(), span))
}

/// Makes applications of operations on arrays.
struct Make<'m> {
    m: &'m mut Module,
    g: GraphId,
    span: Span,
}

impl Make<'_> {
    fn op(&mut self, op: ArrayOp, attribute: Dims, operands: &[NodeId]) -> NodeId {
        let types: Vec<Type> = operands.iter().map(|&n| self.m[n].ty.clone()).collect();
        let ty = op.result_type(attribute, &types).unwrap_or_else(|| panic!("{} of {types:?}", op.name()));
        let same = fold(self.m, self.g, op, attribute, operands, &ty);
        same.unwrap_or_else(|| self.m.prim(self.g, Prim::Array(op, attribute), operands.to_vec(), ty, self.span))
    }

    /// The zeros of cotangents, in a shape and of the type that the elements of `like` have.
    fn zeros(&mut self, like: NodeId, shape: Dims) -> NodeId {
        let zero = self.m.f64(-0.0);
        self.splat(zero, like, shape)
    }

    /// An array of a scalar, of the type that the elements of `like` have.
    fn splat(&mut self, scalar: NodeId, like: NodeId, shape: Dims) -> NodeId {
        let dtype = self.m[like].ty.dtype().unwrap_or(DType::F64);
        if dtype == DType::F32 {
            return super::splat(self.m, self.g, scalar, dtype, shape, self.span);
        }
        self.op(ArrayOp::Broadcast, shape, &[scalar])
    }
}

/// Whether every element is the zero of cotangents.
fn is_zeros(m: &Module, n: NodeId) -> bool {
    m[n].ty.is_array() && m.as_f64(splatted(m, n)).is_some_and(|v| v.to_bits() == (-0.0_f64).to_bits())
}

/// The one axis along which a slice of dense elements is not the whole of an array, with first element and number of elements; axis
/// 0 if it is.
fn dense_slice(slice: Dims, shape: Dims) -> Option<(usize, i64, i64)> {
    let mut found = None;
    for (axis, (cut, &n)) in slice.chunks_exact(3).zip(shape.iter()).enumerate() {
        if *cut != [0, 1, n] {
            if found.is_some() || cut[1] != 1 || cut[2] == 0 {
                return None;
            }
            found = Some((axis, cut[0], cut[2]));
        }
    }
    found.or_else(|| Some((0, 0, *shape.first()?)))
}

/// An identity of an operation on arrays: of what only moves elements; two operations as one; sums of parts that lie beside each other
/// as the array of these parts, or with it; products of matrices that sum nothing.
pub(super) fn fold(m: &mut Module, g: GraphId, op: ArrayOp, attribute: Dims, operands: &[NodeId], ty: &Type) -> Option<NodeId> {
    let span = operands.iter().map(|&n| m[n].span).find(|s| s.is_some()).unwrap_or(Span::NONE);
    let mut make = Make { m, g, span };
    match (op, operands) {
        (ArrayOp::PutAdd, &[x, v]) => make.added(x, attribute, v).or_else(|| make.completed(x, attribute, v, ty)),
        (ArrayOp::AddAt, &[x, v, i]) => {
            let shape = make.m[x].ty.shape()?;
            let &Const::I64(i) = make.m[i].as_const()? else { return None };
            let zeros = is_zeros(make.m, x) || make.m.as_prim(x) == Some(Prim::Array(ArrayOp::Concat, Dims::new([0])));
            if !zeros || !(0..shape[0]).contains(&i) {
                return None;
            }
            let row = shape.with(0, 1);
            let v = if shape.len() == 1 { make.splat(v, x, row) } else { make.op(ArrayOp::Reshape, row, &[v]) };
            let whole = shape[1..].iter().map(|&n| [0, 1, n]);
            make.added(x, Dims::new([[i, 1, 1]].into_iter().chain(whole).flatten().collect::<Vec<_>>()), v)
        }
        (ArrayOp::Gather, &[x, places]) => make.reread(x, places),
        (ArrayOp::Concat, &[x]) => Some(x),
        (ArrayOp::Concat, _) => make.joined(attribute, operands),
        (ArrayOp::MatMul, &[a, b]) if make.m[a].ty.shape()?.last() == Some(&1) => Some(make.outer(a, b, ty)),
        (_, &[x]) => make.moved(op, attribute, x, ty),
        _ => None,
    }
}

impl Make<'_> {
    /// `x` with `v` added to a slice, where `x` is a sum with the rest for this alone: a sum with both beside each other.
    fn completed(&mut self, x: NodeId, slice: Dims, v: NodeId, ty: &Type) -> Option<NodeId> {
        let Some(Prim::Array(ArrayOp::PutAdd, rest)) = self.m.as_prim(x) else { return None };
        let (&[y, w], shape) = (self.m[x].inputs(), ty.shape()?) else { return None };
        let ((axis, first, count), other) = (dense_slice(slice, shape)?, dense_slice(rest, shape)?);
        let parts = match first {
            0 if other == (axis, count, shape[axis] - count) => [v, w],
            _ if other == (axis, 0, first) && first + count == shape[axis] => [w, v],
            _ => return None,
        };
        if self.m[x].users().len() > 1 || !ty.dtype().is_some_and(DType::is_float) {
            return None;
        }
        let parts = self.op(ArrayOp::Concat, Dims::new([axis as i64]), &parts);
        Some(self.m.prim(self.g, Prim::Add, vec![y, parts], ty.clone(), self.span))
    }

    /// A product of matrices whose elements are one product each.
    fn outer(&mut self, a: NodeId, b: NodeId, ty: &Type) -> NodeId {
        let shape = ty.shape().expect("a product is an array");
        let factors = [a, b].map(|n| self.op(ArrayOp::Broadcast, shape, &[n]));
        let same = super::fold(self.m, self.g, Prim::Mul, &factors, ty);
        same.unwrap_or_else(|| self.m.prim(self.g, Prim::Mul, factors.to_vec(), ty.clone(), self.span))
    }

    /// `x` with `v` added to a slice, where the slice of `x` is zeros: the parts beside each other.
    fn added(&mut self, x: NodeId, slice: Dims, v: NodeId) -> Option<NodeId> {
        let shape = self.m[x].ty.shape()?;
        let (axis, first, count) = dense_slice(slice, shape)?;
        let end = first + count;
        if is_zeros(self.m, x) {
            if count == shape[axis] {
                return Some(v);
            }
            let before = self.zeros(x, shape.with(axis, first));
            let after = self.zeros(x, shape.with(axis, shape[axis] - end));
            return Some(self.op(ArrayOp::Concat, Dims::new([axis as i64]), &[before, v, after]));
        }
        let attribute = Dims::new([axis as i64]);
        if self.m.as_prim(x) != Some(Prim::Array(ArrayOp::Concat, attribute)) {
            return None;
        }
        let parts = self.m[x].inputs().to_vec();
        let mut start = 0;
        for (i, &part) in parts.iter().enumerate() {
            let length = self.m[part].ty.shape()?[axis];
            if start <= first && end <= start + length {
                if !is_zeros(self.m, part) {
                    return None;
                }
                let before = self.zeros(x, shape.with(axis, first - start));
                let after = self.zeros(x, shape.with(axis, start + length - end));
                let parts = [&parts[..i], &[before, v, after], &parts[i + 1..]].concat();
                return Some(self.op(ArrayOp::Concat, attribute, &parts));
            }
            start += length;
        }
        None
    }

    /// The integers of a table.
    fn table(&self, n: NodeId) -> Option<Dims> {
        match self.m.as_prim(n) {
            Some(Prim::Array(ArrayOp::Table, table)) => Some(table),
            _ => None,
        }
    }

    /// Elements at the places in a table of what was gathered by another one, or scattered to the places in another one.
    fn reread(&mut self, x: NodeId, places: NodeId) -> Option<NodeId> {
        let read = self.table(places)?;
        let Some(Prim::Array(before, _)) = self.m.as_prim(x) else { return None };
        if self.m[x].ty.shape()?.len() != 1 {
            return None;
        }
        let (source, from): (NodeId, Option<Vec<i64>>) = match (before, self.m[x].inputs()) {
            (ArrayOp::Gather, &[source, gathered]) => {
                let gathered = self.table(gathered)?;
                (source, read.iter().map(|&at| gathered.get(usize::try_from(at).ok()?).copied()).collect())
            }
            (ArrayOp::Scatter, &[_, scattered, values]) => {
                let scattered = self.table(scattered)?;
                if read == scattered && scattered.windows(2).all(|pair| pair[0] < pair[1]) {
                    return Some(values);
                }
                // The last one of equal places counts.
                let last: FxHashMap<i64, i64> = scattered.iter().copied().zip(0..).collect();
                (values, read.iter().map(|place| last.get(place).copied()).collect())
            }
            _ => return None,
        };
        let from = self.op(ArrayOp::Table, Dims::new(from?), &[]);
        Some(self.op(ArrayOp::Gather, Dims::NONE, &[source, from]))
    }

    /// An array that values were scattered to by a table, with its axes in another order: the values scattered to other places.
    fn scattered_elsewhere(&mut self, axes: Dims, x: NodeId, shape: Dims) -> Option<NodeId> {
        let (Some(Prim::Array(ArrayOp::Reshape, own)), &[flat]) = (self.m.as_prim(x), self.m[x].inputs()) else { return None };
        let (Some(Prim::Array(ArrayOp::Scatter, _)), &[around, places, values]) = (self.m.as_prim(flat), self.m[flat].inputs())
        else {
            return None;
        };
        let is_used_here_alone = self.m[x].users().len() <= 1 && self.m[flat].users().len() <= 1;
        if self.m[flat].ty.shape()?.len() != 1 || !is_used_here_alone {
            return None;
        }
        let mut further = vec![1; axes.len()];
        for i in (1..axes.len()).rev() {
            further[i - 1] = further[i] * shape[i];
        }
        let moved = |mut place: i64| {
            let mut to = 0;
            for axis in (0..own.len()).rev() {
                let i = axes.iter().position(|&of| of == axis as i64).expect("a permutation");
                to += place % own[axis] * further[i];
                place /= own[axis];
            }
            to
        };
        let table = self.table(places)?;
        let mut moves: Vec<(i64, i64)> = table.iter().map(|&place| moved(place)).zip(0..).collect();
        moves.sort_unstable();
        let (places, order): (Vec<i64>, Vec<i64>) = moves.into_iter().unzip();
        let around = self.op(ArrayOp::Reshape, own, &[around]);
        let around = self.op(ArrayOp::Transpose, axes, &[around]);
        let around = self.op(ArrayOp::Reshape, Dims::new([shape.count() as i64]), &[around]);
        let [places, order] = [places, order].map(|table| self.op(ArrayOp::Table, Dims::new(table), &[]));
        let values = self.op(ArrayOp::Gather, Dims::NONE, &[values, order]);
        let all = self.op(ArrayOp::Scatter, Dims::NONE, &[around, places, values]);
        Some(self.op(ArrayOp::Reshape, shape, &[all]))
    }

    /// Parts beside each other, without those that are empty.
    fn joined(&mut self, attribute: Dims, parts: &[NodeId]) -> Option<NodeId> {
        let axis = attribute[0] as usize;
        let kept: Vec<NodeId> = parts.iter().copied().filter(|&p| self.m[p].ty.shape().is_none_or(|s| s[axis] != 0)).collect();
        if kept.len() == parts.len() || kept.is_empty() {
            return None;
        }
        Some(self.op(ArrayOp::Concat, attribute, &kept))
    }

    /// What only moves elements, or reduces them.
    fn moved(&mut self, op: ArrayOp, attribute: Dims, x: NodeId, ty: &Type) -> Option<NodeId> {
        use ArrayOp::{Broadcast, Concat, MaxTo, MinTo, Reshape, Slice, SumTo, Transpose};
        let m = &*self.m;
        let own = m[x].ty.shape()?;
        let identity = match op {
            Transpose => attribute.is_sorted(),
            Slice => attribute.chunks(3).zip(own.iter()).all(|(axis, &n)| *axis == [0, 1, n]),
            _ => matches!(op, Broadcast | Reshape | SumTo | MaxTo | MinTo),
        };
        if identity && m[x].ty == *ty {
            return Some(x);
        }
        if op == Reshape && own.is_empty() {
            return Some(self.op(Broadcast, ty.shape()?, &[x]));
        }
        if op == Transpose
            && let Some(elsewhere) = self.scattered_elsewhere(attribute, x, ty.shape()?)
        {
            return Some(elsewhere);
        }
        let m = &*self.m;
        if matches!(op, Broadcast | Reshape | Transpose | Slice) && m.as_prim(x) == Some(Prim::Narrow) && ty.is_array() {
            let scalar = splatted(m, x);
            return (scalar != x).then(|| self.splat(scalar, x, ty.shape().unwrap_or(own)));
        }
        let Kind::Prim(Prim::Array(before, inner)) = m[x].kind else { return None };
        let source = *m[x].inputs().first()?;
        let attribute = match (op, before) {
            // What was made of a scalar is made of it at once.
            (Reshape | Transpose | Slice, Broadcast) if !m[source].ty.is_array() && ty.is_array() => {
                return Some(self.op(Broadcast, ty.shape()?, &[source]));
            }
            (Broadcast, Broadcast) | (Reshape, Reshape) => attribute,
            (Transpose, Transpose) => Dims::new(attribute.iter().map(|&axis| inner[axis as usize]).collect::<Vec<_>>()),
            (Slice, Slice) => {
                let both = attribute.chunks(3).zip(inner.chunks(3));
                let cut = |(a, b): (&[i64], &[i64])| [b[0] + a[0] * b[1], a[1] * b[1], a[2]];
                Dims::new(both.flat_map(cut).collect::<Vec<_>>())
            }
            // A slice of one of the parts that an array is put together of.
            (Slice, Concat) => {
                let axis = inner[0] as usize;
                let [first, step, count] = [0, 1, 2].map(|i| attribute[3 * axis + i]);
                let last = first + step * (count - 1);
                let mut start = 0;
                for part in m[x].inputs().to_vec() {
                    let length = self.m[part].ty.shape()?[axis];
                    if count > 0 && start <= first.min(last) && first.max(last) < start + length {
                        let mut cut = attribute.to_vec();
                        cut[3 * axis] -= start;
                        return Some(self.op(Slice, Dims::new(cut), &[part]));
                    }
                    start += length;
                }
                return None;
            }
            // Sums over axes, and then without the first of them.
            (Reshape, SumTo | MaxTo | MinTo) if inner.ends_with(&attribute) && inner.count() == attribute.count() => {
                return Some(self.op(before, attribute, &[source]));
            }
            _ => return None,
        };
        Some(self.op(op, attribute, &[source]))
    }
}

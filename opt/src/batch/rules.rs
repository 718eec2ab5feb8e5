//! What an operation is in all iterations at once: the operation on batches, whose first axis are the iterations.
//!
//! The table holds the operations on arrays, a row for each. A row gives the bits of the iterations: reductions have one order within the
//! axes that they reduce, whatever is around these, and a product of stacks of matrices is that of each two.

use super::affine::Affine;
use super::emit::{Emit, Operand, Place, Value};
use gradus_ir::array::inverse;
use gradus_ir::{ArrayOp, Dims, NodeId, Prim, Sig, Type};

/// An operation, its attribute and operands, and its result in one iteration; gives the batch.
type Rule = fn(&mut Emit, ArrayOp, &[i64], &[Operand], &Type) -> Option<NodeId>;

/// The rule for an operation on arrays; none where batches have no such operation.
pub(super) fn rule(op: ArrayOp) -> Option<Rule> {
    use ArrayOp::*;
    match op {
        Broadcast => Some(broadcast),
        SumTo | MaxTo | MinTo => Some(reduce),
        Reshape => Some(reshape),
        Transpose => Some(transpose),
        Slice => Some(slice),
        Put | PutAdd => Some(put),
        At => Some(at),
        SetAt | AddAt => Some(set_at),
        Indices | MatMul | ArgSort => Some(same),
        Gather | GatherLast => Some(gather),
        Scatter | ScatterAdd => Some(scatter),
        Concat | CumSum | ArgMax | ArgMin => Some(along),
        Make => Some(make),
        // They have no operand, and so are the same in all iterations.
        Iota | Table => None,
        // Of one matrix.
        Solve | LogDet | DetSign | Cholesky | LowerHalf => None,
    }
}

fn batches(e: &mut Emit, operands: &[Operand]) -> Option<Vec<NodeId>> {
    operands.iter().map(|x| e.batch(x)).collect()
}

/// `n` and these sizes.
fn rows(n: i64, sizes: &[i64]) -> Vec<i64> {
    [&[n], sizes].concat()
}

/// As many axes of length 1.
fn ones(count: usize) -> Vec<i64> {
    vec![1; count]
}

/// Whether each element of the result is made of those of the operands that are at its place.
pub(super) fn is_elementwise(prim: Prim) -> bool {
    use Prim::{Barrier, Float, Int, Narrow, Powi, Select, StopGradient, Widen};
    matches!(prim, StopGradient | Barrier | Float | Int | Narrow | Widen | Powi | Select)
        || !matches!(prim.sig(), Sig::Own | Sig::Source)
}

/// An elementwise primitive, which does not trap.
pub(super) fn elementwise(e: &mut Emit, prim: Prim, operands: &[Operand], ty: &Type) -> Option<NodeId> {
    match prim {
        Prim::Select => return select(e, operands, ty),
        Prim::Narrow | Prim::Widen if *ty == Type::F64 => {
            let x = e.batch(&operands[0])?;
            let narrow = if prim == Prim::Narrow { e.prim(prim, &[x])? } else { x };
            return e.widened(narrow, ty);
        }
        _ if !is_elementwise(prim) => return None,
        _ => {}
    }
    let operands = batches(e, operands)?;
    e.prim(prim, &operands)
}

/// A choice, of whole rows where the condition is a scalar.
fn select(e: &mut Emit, operands: &[Operand], ty: &Type) -> Option<NodeId> {
    let arms = batches(e, &operands[1..])?;
    match operands[0].value {
        Value::Same(c) if !operands[0].ty.is_array() => e.prim(Prim::Select, &[c, arms[0], arms[1]]),
        _ => {
            ty.shape()?;
            choose(e, &operands[0], arms[0], arms[1])
        }
    }
}

/// A choice between the rows, or the elements, of two batches.
pub(super) fn choose(e: &mut Emit, condition: &Operand, a: NodeId, b: NodeId) -> Option<NodeId> {
    let mut c = e.batch(condition)?;
    if !condition.ty.is_array() {
        let shape = e.m[a].ty.shape()?;
        let column = e.reshape(c, rows(e.n, &ones(shape.len() - 1)))?;
        c = e.array(ArrayOp::Broadcast, &*shape, &[column])?;
    }
    e.prim(Prim::Select, &[c, a, b])
}

fn broadcast(e: &mut Emit, op: ArrayOp, shape: &[i64], operands: &[Operand], _: &Type) -> Option<NodeId> {
    let x = e.batch(&operands[0])?;
    let own = e.shape(x);
    let new = shape.len() + 1 - own.len();
    let x = e.reshape(x, [&[e.n], &ones(new)[..], &own[1..]].concat())?;
    e.array(op, rows(e.n, shape), &[x])
}

fn reduce(e: &mut Emit, op: ArrayOp, shape: &[i64], operands: &[Operand], ty: &Type) -> Option<NodeId> {
    let x = e.batch(&operands[0])?;
    let new = e.shape(x).len() - 1 - shape.len();
    let reduced = e.array(op, [&[e.n], &ones(new)[..], shape].concat(), &[x])?;
    let reduced = e.reshape(reduced, rows(e.n, shape))?;
    e.widened(reduced, ty)
}

fn reshape(e: &mut Emit, _: ArrayOp, shape: &[i64], operands: &[Operand], ty: &Type) -> Option<NodeId> {
    let x = e.batch(&operands[0])?;
    let x = e.reshape(x, rows(e.n, shape))?;
    e.widened(x, ty)
}

fn transpose(e: &mut Emit, op: ArrayOp, axes: &[i64], operands: &[Operand], _: &Type) -> Option<NodeId> {
    let x = e.batch(&operands[0])?;
    let axes: Vec<i64> = std::iter::once(0).chain(axes.iter().map(|axis| axis + 1)).collect();
    e.array(op, axes, &[x])
}

fn slice(e: &mut Emit, op: ArrayOp, cut: &[i64], operands: &[Operand], _: &Type) -> Option<NodeId> {
    let x = e.batch(&operands[0])?;
    e.array(op, [&[0, 1, e.n], cut].concat(), &[x])
}

fn put(e: &mut Emit, op: ArrayOp, cut: &[i64], operands: &[Operand], _: &Type) -> Option<NodeId> {
    let operands = batches(e, operands)?;
    e.array(op, [&[0, 1, e.n], cut].concat(), &operands)
}

/// The operation needs no change: batches are more of what it takes.
fn same(e: &mut Emit, op: ArrayOp, attribute: &[i64], operands: &[Operand], _: &Type) -> Option<NodeId> {
    let operands = batches(e, operands)?;
    e.array(op, attribute, &operands)
}

fn at(e: &mut Emit, op: ArrayOp, _: &[i64], operands: &[Operand], ty: &Type) -> Option<NodeId> {
    let (array, indices) = operands.split_first()?;
    let found = match array.value {
        Value::Same(x) => {
            // First what is the same part in all iterations.
            let same = indices.iter().map_while(|i| if let Value::Same(i) = i.value { Some(i) } else { None });
            let prefix: Vec<NodeId> = std::iter::once(x).chain(same).collect();
            let x = if prefix.len() > 1 { e.array(op, [], &prefix)? } else { x };
            let rest = &indices[prefix.len() - 1..];
            let place = e.place(rest, &e.shape(x))?;
            e.read(x, rest.len(), place)?
        }
        _ => {
            let (x, place) = in_rows(e, array, indices)?;
            e.read(x, indices.len() + 1, place)?
        }
    };
    e.widened(found, ty)
}

fn set_at(e: &mut Emit, op: ArrayOp, _: &[i64], operands: &[Operand], _: &Type) -> Option<NodeId> {
    let (x, place) = in_rows(e, &operands[0], &operands[2..])?;
    let value = e.batch(&operands[1])?;
    e.write(x, operands.len() - 1, place, value, op == ArrayOp::AddAt)
}

/// An array as a batch, and a place in each row as one in all of it.
fn in_rows(e: &mut Emit, array: &Operand, indices: &[Operand]) -> Option<(NodeId, Place)> {
    let x = e.batch(array)?;
    let row = Operand { value: Value::Even(Affine::ITERATION), ty: Type::I64 };
    let indices = [&[row], indices].concat();
    Some((x, e.place(&indices, &e.shape(x))?))
}

/// An array as a batch whose rows follow each other on one axis, and places on that of each row as such on the one.
fn places_in_rows(e: &mut Emit, array: &Operand, places: &Operand) -> Option<(NodeId, NodeId)> {
    let x = e.batch(array)?;
    let shape = e.shape(x);
    let x = e.reshape(x, rows(shape[0] * shape[1], &shape[2..]))?;
    let places = e.batch(places)?;
    let sizes = e.shape(places);
    let first = Operand { value: Value::Even(Affine { step: shape[1], first: 0 }), ty: Type::I64 };
    let first = e.batch(&first)?;
    let first = e.reshape(first, rows(e.n, &ones(sizes.len() - 1)))?;
    let first = e.array(ArrayOp::Broadcast, &*sizes, &[first])?;
    Some((x, e.prim(Prim::Add, &[first, places])?))
}

fn gather(e: &mut Emit, op: ArrayOp, _: &[i64], operands: &[Operand], ty: &Type) -> Option<NodeId> {
    let (x, places) = match operands[0].value {
        // Places that come again do so in each row by itself.
        Value::Same(x) if op == ArrayOp::Gather => (x, e.batch(&operands[1])?),
        _ => places_in_rows(e, &operands[0], &operands[1])?,
    };
    let found = e.array(op, [], &[x, places])?;
    e.widened(found, ty)
}

fn scatter(e: &mut Emit, op: ArrayOp, _: &[i64], operands: &[Operand], _: &Type) -> Option<NodeId> {
    let (x, places) = places_in_rows(e, &operands[0], &operands[1])?;
    let values = e.batch(&operands[2])?;
    let values = e.narrowed(values, e.m[x].ty.dtype()?)?;
    let new = e.array(op, [], &[x, places, values])?;
    let own = operands[0].ty.shape()?;
    e.reshape(new, rows(e.n, &own))
}

fn along(e: &mut Emit, op: ArrayOp, axis: &[i64], operands: &[Operand], _: &Type) -> Option<NodeId> {
    let operands = batches(e, operands)?;
    e.array(op, [axis[0] + 1], &operands)
}

fn make(e: &mut Emit, _: ArrayOp, shape: &[i64], operands: &[Operand], _: &Type) -> Option<NodeId> {
    let columns = operands.iter().map(|x| {
        let x = e.batch(x)?;
        e.reshape(x, [e.n, 1])
    });
    let columns: Vec<NodeId> = columns.collect::<Option<_>>()?;
    let all = e.array(ArrayOp::Concat, [1], &columns)?;
    e.reshape(all, rows(e.n, shape))
}

/// What each iteration has of an array at a place of its own: with the axes in an order, on the one after those that have the indices
/// `prefix`.
pub(super) fn rows_at(e: &mut Emit, x: NodeId, order: Dims, prefix: &[NodeId], place: Affine) -> Option<NodeId> {
    let x = part(e, x, order, prefix)?;
    e.read(x, 1, Place::Even(place))
}

/// The array with other rows at these places.
pub(super) fn with_rows(e: &mut Emit, x: NodeId, order: Dims, prefix: &[NodeId], place: Affine, rows: NodeId) -> Option<NodeId> {
    let old = part(e, x, order, prefix)?;
    let mut new = e.write(old, 1, Place::Even(place), rows, false)?;
    if !prefix.is_empty() {
        let x = e.array(ArrayOp::Transpose, &*order, &[x])?;
        new = e.array(ArrayOp::SetAt, [], &[&[x, new], prefix].concat())?;
    }
    e.array(ArrayOp::Transpose, &*inverse(order), &[new])
}

fn part(e: &mut Emit, x: NodeId, order: Dims, prefix: &[NodeId]) -> Option<NodeId> {
    let x = e.array(ArrayOp::Transpose, &*order, &[x])?;
    if prefix.is_empty() { Some(x) } else { e.array(ArrayOp::At, [], &[&[x], prefix].concat()) }
}

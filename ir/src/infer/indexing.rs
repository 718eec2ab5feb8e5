//! Indexing of arrays: what `x[i, a:b, None, …, indices]` reads and writes, by NumPy's rules, in terms of the operations of
//! [`ArrayOp`]. Where an index is computed, it is that of whole axes; where axes are cut, that is by constants.

use super::abs::{Abs, Sequence};
use super::arrays::shape_text;
use super::prims::{Ops, Result, Value};
use crate::array::{ArrayOp, DType, Dims, inverse};
use crate::prim::Prim;

/// A part of an index.
#[derive(Clone)]
enum Part {
    /// An axis at one place, which is in range and may be computed.
    At(Value),
    /// First element, step and number of elements of an axis.
    Cut([i64; 3]),
    /// So many elements of an axis from a computed place on, where all of them are in range.
    Window(Value, i64),
    /// A new axis of length 1.
    New,
    /// An axis at these places.
    Places(Value),
}

/// The way to a part of an array: what is done to get there, in this order.
struct Way {
    /// The axes with computed places come first.
    order: Dims,
    at: Vec<Value>,
    cut: Dims,
    /// The shape of the part, in which the axes at one place are missing and new ones are there.
    shape: Dims,
}

impl Ops<'_> {
    /// `x[index]`.
    pub(super) fn array_item(&mut self, x: &Value, index: &Value) -> Result<Value> {
        if let Abs::Array(DType::Bool, _) = index.abs {
            return self
                .refuse("how many elements a mask picks is not known when the program is compiled")
                .map_err(|d| d.hint("`np.where(mask, x, 0.0)` keeps the shape"));
        }
        let mut parts = self.parts(x, index)?;
        let mut x = x.clone();
        while let Some(window) = self.window(&x, &mut parts)? {
            x = self.gather(&x, window)?;
        }
        let x = &x;
        if parts.iter().any(|p| matches!(p, Part::Places(_))) {
            return self.gather(x, parts);
        }
        let way = self.way(x, &parts);
        let part = self.part(x, &way)?;
        self.array_op_if(ArrayOp::Reshape, way.shape, &part)
    }

    /// `x[index] = value`, or with `add` `x[index] += value`: the array after it.
    pub(super) fn array_with(&mut self, prim: Prim, x: &Value, index: &Value, value: &Value) -> Result<Value> {
        let (value, add) = (self.held(prim, x, value)?, prim == Prim::AddItem);
        if let Abs::Array(DType::Bool, mask) = index.abs {
            return self.masked(x, (index, mask), &value, add);
        }
        let parts = self.parts(x, index)?;
        self.with_parts(x, parts, &value, add)
    }

    /// A value as an array holds it in which it is put, or to whose elements it is added. What is stored loses what the elements cannot
    /// hold, as in NumPy; what they become by an operator in place must not.
    fn held(&mut self, prim: Prim, x: &Value, value: &Value) -> Result<Value> {
        let Abs::Array(dtype, _) = x.abs else { unreachable!("an array is written to") };
        let value = match value.abs {
            Abs::Tuple(..) => self.as_array(value)?,
            _ if value.abs.present().is_some() => self.present(value),
            _ => value.clone(),
        };
        let Some((given, own)) = value.abs.as_array() else {
            return self.refuse(format!("an array cannot hold {}", value.abs.a()));
        };
        if prim != Prim::SetItem && given > dtype && !dtype.is_float() {
            let message = format!("{} cannot be put into {} by an operator in place", value.abs.a(), x.abs.a());
            return self
                .refuse(message)
                .map_err(|d| d.hint("if floats are meant, make the array of floats, as `np.zeros(n)` does"));
        }
        if prim == Prim::AddItem && !own.is_empty() && given.promote(dtype) != dtype {
            let message = format!("{} would be added to {}, whose elements hold less", value.abs.a(), x.abs.a());
            return self.refuse(message).map_err(|d| d.hint("convert it: `.astype(np.float32)`"));
        }
        self.cast(&value, dtype)
    }

    /// `x[mask] = value`: one value for every place that the mask picks, since how many these are is not known.
    fn masked(&mut self, x: &Value, (index, mask): (&Value, Dims), value: &Value, add: bool) -> Result<Value> {
        let value = self.for_mask(x, mask, value)?;
        let new = if add { self.elementwise(Prim::Add, &[x.clone(), value], false)? } else { value };
        self.where_masked(x, (index, mask), new)
    }

    /// A value for whatever elements of an array a mask picks.
    fn for_mask(&mut self, x: &Value, mask: Dims, value: &Value) -> Result<Value> {
        let (_, shape) = x.abs.as_array().expect("an array");
        if shape.get(..mask.len()) != Some(&mask[..]) {
            return self.refuse(format!("the mask has shape {}, the array {}", shape_text(mask), shape_text(shape)));
        }
        let Some((dtype, _)) = value.abs.as_array() else { return Ok(value.clone()) };
        self.fitted(value, dtype, shape.without_first(mask.len())).map_err(|d| {
            d.hint("a mask picks a number of elements that is not known: `np.where(mask, values, x)` takes all of them")
        })
    }

    /// The array with new elements where a mask picks them.
    fn where_masked(&mut self, x: &Value, (index, mask): (&Value, Dims), new: Value) -> Result<Value> {
        let (_, shape) = x.abs.as_array().expect("an array");
        let rest = shape.without_first(mask.len());
        let columns = Dims::new(mask.iter().copied().chain(rest.iter().map(|_| 1)).collect::<Vec<_>>());
        let index = self.array_op_if(ArrayOp::Reshape, columns, index)?;
        self.select_arrays(&[index, new, x.clone()])
    }

    /// The shape of the mask that an index of an array is.
    pub(super) fn is_masked(&self, x: &Value, index: &Value) -> Option<Dims> {
        match (&x.abs, &index.abs) {
            (Abs::Array(..), &Abs::Array(DType::Bool, mask)) => Some(mask),
            _ => None,
        }
    }

    /// The right side of `x[index] op= value`.
    pub(super) fn item_value(&mut self, x: &Value, index: &Value, value: &Value) -> Result<Value> {
        match self.is_masked(x, index) {
            Some(mask) => self.for_mask(x, mask, value),
            None => Ok(value.clone()),
        }
    }

    /// `x[mask] op= value`, of what the operator gave for all of `x`.
    pub(super) fn masked_update(&mut self, x: &Value, index: &Value, new: &Value) -> Result<Value> {
        let mask = self.is_masked(x, index).expect("a mask");
        let new = self.held(Prim::UpdateItem, x, new)?;
        self.where_masked(x, (index, mask), new)
    }

    fn with_parts(&mut self, x: &Value, mut parts: Vec<Part>, value: &Value, add: bool) -> Result<Value> {
        let (dtype, _) = x.abs.as_array().expect("an array");
        if let Some(window) = self.window(x, &mut parts)? {
            let inner = self.gather(x, window.clone())?;
            let inner = self.with_parts(&inner, parts, value, add)?;
            return self.scatter(x, window, &inner, false);
        }
        if parts.iter().any(|p| matches!(p, Part::Places(_))) {
            return self.scatter(x, parts, value, add);
        }
        let way = self.way(x, &parts);
        let value = self.fitted(value, dtype, way.shape)?;
        // The way back from the part to the array.
        let ordered = self.transposed(x, way.order)?;
        let rest = Dims::new(&ordered.abs.as_array().expect("an array").1[way.at.len()..]);
        let whole = way.cut.chunks(3).zip(rest.iter()).all(|(axis, &n)| *axis == [0, 1, n]);
        let refs: Vec<&Value> = way.at.iter().collect();
        let new = if whole {
            let value = self.array_op_if(ArrayOp::Reshape, rest, &value)?;
            if way.at.is_empty() {
                if add { self.elementwise(Prim::Add, &[ordered, value], false)? } else { value }
            } else {
                let op = if add { ArrayOp::AddAt } else { ArrayOp::SetAt };
                self.array_op(op, Dims::NONE, &[&[&ordered, &value], &refs[..]].concat())?
            }
        } else {
            let inner = if refs.is_empty() {
                ordered.clone()
            } else {
                self.array_op(ArrayOp::At, Dims::NONE, &[&[&ordered], &refs[..]].concat())?
            };
            let part = Dims::new(way.cut.chunks(3).map(|axis| axis[2]).collect::<Vec<_>>());
            let value = self.array_op_if(ArrayOp::Reshape, part, &value)?;
            let op = if add { ArrayOp::PutAdd } else { ArrayOp::Put };
            let inner = self.array_op(op, way.cut, &[&inner, &value])?;
            if refs.is_empty() {
                inner
            } else {
                self.array_op(ArrayOp::SetAt, Dims::NONE, &[&[&ordered, &inner], &refs[..]].concat())?
            }
        };
        self.transposed(&new, inverse(way.order))
    }

    /// The value broadcast to the part that it is assigned to, with elements of this type.
    fn fitted(&mut self, value: &Value, dtype: DType, part: Dims) -> Result<Value> {
        let (_, own) = value.abs.as_array().expect("an array or a number");
        // Leading axes of length 1 count for nothing.
        let ones = own.iter().take_while(|&&n| n == 1).count().min(own.len().saturating_sub(part.len()));
        let value = self.array_op_if(ArrayOp::Reshape, own.without_first(ones), value)?;
        if !own.without_first(ones).broadcasts_to(part) {
            return self.refuse(format!(
                "an array of shape {} is assigned to a part of shape {}",
                shape_text(own),
                shape_text(part)
            ));
        }
        let value = self.broadcast(&value, part)?;
        if part.is_empty() { Ok(value) } else { self.cast(&value, dtype) }
    }

    /// The operation, unless it would leave the shape as it is.
    fn array_op_if(&mut self, op: ArrayOp, shape: Dims, v: &Value) -> Result<Value> {
        match v.abs.as_array() {
            Some((_, own)) if own == shape => Ok(v.clone()),
            _ => self.array_op(op, shape, &[v]),
        }
    }

    fn transposed(&mut self, v: &Value, order: Dims) -> Result<Value> {
        if order.is_sorted() { Ok(v.clone()) } else { self.array_op(ArrayOp::Transpose, order, &[v]) }
    }

    /// The parts of an index, one for each axis of the array besides the new axes.
    fn parts(&mut self, x: &Value, index: &Value) -> Result<Vec<Part>> {
        let Abs::Array(_, shape) = x.abs else { unreachable!("an array is indexed") };
        let items = match &index.abs {
            // A tuple is what is written in the brackets, a list an array.
            Abs::Parts(items) | Abs::Tuple(items, Sequence::Tuple) => self.fields(index, items.len()),
            Abs::Tuple(_, Sequence::Either) => {
                return self
                    .refuse("this index is a tuple on some paths and a list on others, which to NumPy are not the same")
                    .map_err(|d| d.hint("write the indices in the brackets, `x[i, j]`, or `x[np.array(indices)]`"));
            }
            _ => vec![index.clone()],
        };
        let used = items.iter().filter(|v| !matches!(v.abs, Abs::None | Abs::Ellipsis)).count();
        if used > shape.len() {
            return self.refuse(format!("{used} indices for an array of shape {}", shape_text(shape)));
        }
        let mut free = shape.len() - used;
        let mut parts = Vec::new();
        let mut axis = 0;
        let whole = |axis: usize| Part::Cut([0, 1, shape[axis]]);
        for item in &items {
            match &item.abs {
                Abs::None => parts.push(Part::New),
                Abs::Ellipsis => {
                    parts.extend((axis..axis + free).map(whole));
                    axis += std::mem::take(&mut free);
                }
                Abs::I64(_) => {
                    parts.push(Part::At(self.place(item, shape[axis])?));
                    axis += 1;
                }
                Abs::Window(0) => {
                    parts.push(Part::Cut([0, 1, 0]));
                    axis += 1;
                }
                &Abs::Window(count) => {
                    parts.push(Part::Window(self.start(item, count, shape[axis])?, count));
                    axis += 1;
                }
                Abs::Slice(bounds) => {
                    let cut = self.cut(bounds, shape[axis])?;
                    // There is one slice of nothing.
                    parts.push(Part::Cut(if let [_, step, 0] = cut { [0, step, 0] } else { cut }));
                    axis += 1;
                }
                Abs::Array(DType::I64, _) | Abs::Tuple(..) => {
                    let indices = self.as_array(item)?;
                    if !matches!(indices.abs, Abs::Array(DType::I64, _)) {
                        return self.refuse(format!("an index must hold ints, this is {}", indices.abs.a()));
                    }
                    let places = self.array_op(ArrayOp::Indices, Dims::new([shape[axis]]), &[&indices])?;
                    parts.push(Part::Places(places));
                    axis += 1;
                }
                other => {
                    return self.refuse(format!(
                        "an array is indexed by ints, slices, `None`, `...` and arrays of ints, this is {}",
                        other.a()
                    ));
                }
            }
        }
        parts.extend((axis..shape.len()).map(whole));
        Ok(parts)
    }

    /// A place on an axis of `length`, counted from the end if negative.
    fn place(&mut self, index: &Value, length: i64) -> Result<Value> {
        if let Abs::I64(Some(i)) = index.abs {
            let at = if i < 0 { i + length } else { i };
            if !(0..length).contains(&at) {
                return self.refuse(format!("index {i} is out of range, the axis has length {length}"));
            }
            return Ok(self.int(at));
        }
        let length = self.int(length);
        Ok(self.op(Prim::Index, &[index, &length], Abs::I64(None)))
    }

    /// The index of the first window of an index alone, with which the axis is a whole one to the others.
    fn window(&mut self, x: &Value, parts: &mut [Part]) -> Result<Option<Vec<Part>>> {
        let Abs::Array(_, shape) = x.abs else { unreachable!("an array is indexed") };
        let mut axes = parts.iter_mut().filter(|p| !matches!(p, Part::New)).enumerate();
        let Some((axis, part)) = axes.find(|(_, part)| matches!(part, Part::Window(..))) else { return Ok(None) };
        let Part::Window(start, count) = std::mem::replace(part, Part::New) else { unreachable!("it was found for one") };
        *part = Part::Cut([0, 1, count]);
        let steps = self.array_op(ArrayOp::Iota, Dims::new([count, 0]), &[])?;
        let places = self.elementwise(Prim::Add, &[steps, start], false)?;
        let mut window: Vec<Part> = shape.iter().map(|&n| Part::Cut([0, 1, n])).collect();
        window[axis] = Part::Places(places);
        Ok(Some(window))
    }

    /// Where a slice of `count` elements begins, as NumPy has it; it traps where NumPy's slice has fewer elements.
    fn start(&mut self, first: &Value, count: i64, length: i64) -> Result<Value> {
        if count > length {
            return self.refuse(format!("a slice of {count} elements of an axis of length {length}"));
        }
        // Both bounds are counted from the end, or none.
        let [ends_before, length, starts, zero] = [-count, length, length - count + 1, 0].map(|v| self.int(v));
        let is_from_end = self.op(Prim::Lt, &[first, &ends_before], Abs::Bool(None));
        let from_end = self.op(Prim::WrapAdd, &[first, &length], Abs::I64(None));
        let at = self.op(Prim::Select, &[&is_from_end, &from_end, first], Abs::I64(None));
        let is_out = self.op(Prim::Lt, &[&at, &zero], Abs::Bool(None));
        let at = self.op(Prim::Select, &[&is_out, &starts, &at], Abs::I64(None));
        Ok(self.op(Prim::Index, &[&at, &starts], Abs::I64(None)))
    }

    /// First element, step and number of elements of a slice of an axis.
    pub(super) fn cut(&mut self, bounds: &[Abs], length: i64) -> Result<[i64; 3]> {
        let Some(given) = constant_bounds(bounds) else {
            *self.wants_constant = true;
            return self
                .refuse("the bounds of a slice must be constants of the program")
                .map_err(|d| d.hint("shapes are known when the program is compiled: take bounds from `x.shape`, or write them"));
        };
        if given[2] == Some(0) {
            return self.refuse("the step of a slice must not be zero");
        }
        Ok(slice_indices(given, length))
    }

    fn way(&mut self, x: &Value, parts: &[Part]) -> Way {
        let Abs::Array(_, shape) = x.abs else { unreachable!("an array is indexed") };
        let axes: Vec<&Part> = parts.iter().filter(|p| !matches!(p, Part::New)).collect();
        let is_at = |axis: &usize| matches!(axes[*axis], Part::At(_));
        let order: Vec<usize> = (0..shape.len()).filter(is_at).chain((0..shape.len()).filter(|a| !is_at(a))).collect();
        let mut way = Way { order: Dims::NONE, at: Vec::new(), cut: Dims::NONE, shape: Dims::NONE };
        let mut cut = Vec::new();
        for &axis in &order {
            match axes[axis] {
                Part::At(place) => way.at.push(place.clone()),
                Part::Cut(bounds) => cut.extend(bounds),
                Part::New | Part::Places(_) | Part::Window(..) => unreachable!("these are other cases"),
            }
        }
        let kept = parts.iter().filter_map(|part| match part {
            Part::Cut([_, _, count]) => Some(*count),
            Part::New => Some(1),
            _ => None,
        });
        way.shape = Dims::new(kept.collect::<Vec<_>>());
        way.order = Dims::new(order.iter().map(|&axis| axis as i64).collect::<Vec<_>>());
        way.cut = Dims::new(cut);
        way
    }

    /// The part of the array at the end of the way, but for its shape.
    fn part(&mut self, x: &Value, way: &Way) -> Result<Value> {
        let mut part = self.transposed(x, way.order)?;
        if !way.at.is_empty() {
            let operands: Vec<&Value> = std::iter::once(&part).chain(&way.at).collect();
            part = self.array_op(ArrayOp::At, Dims::NONE, &operands)?;
        }
        let Some((_, shape)) = part.abs.as_array().filter(|(_, shape)| !shape.is_empty()) else { return Ok(part) };
        let whole = way.cut.chunks(3).zip(shape.iter()).all(|(axis, &n)| *axis == [0, 1, n]);
        if whole { Ok(part) } else { self.array_op(ArrayOp::Slice, way.cut, &[&part]) }
    }

    /// An index with arrays of places: those axes become one, which comes first.
    fn gather(&mut self, x: &Value, parts: Vec<Part>) -> Result<Value> {
        let (table, places, _, back) = self.table(x, &parts)?;
        let found = self.array_op(ArrayOp::Gather, Dims::NONE, &[&table, &places])?;
        self.transposed(&found, back)
    }

    fn scatter(&mut self, x: &Value, parts: Vec<Part>, value: &Value, add: bool) -> Result<Value> {
        let (table, places, order, back) = self.table(x, &parts)?;
        let part = self.array_op(ArrayOp::Gather, Dims::NONE, &[&table, &places])?;
        let (dtype, shape) = part.abs.as_array().expect("an array");
        let outer = Dims::new(back.iter().map(|&axis| shape[axis as usize]).collect::<Vec<_>>());
        let value = self.fitted(value, dtype, outer)?;
        let mut value = self.transposed(&value, inverse(back))?;
        if add {
            value = self.elementwise(Prim::Add, &[part, value], false)?;
        }
        let (_, sizes) = x.abs.as_array().expect("an array");
        let new = self.array_op(ArrayOp::Scatter, Dims::NONE, &[&table, &places, &value])?;
        let ordered = Dims::new(order.iter().map(|&axis| sizes[axis as usize]).collect::<Vec<_>>());
        let new = self.array_op_if(ArrayOp::Reshape, ordered, &new)?;
        self.transposed(&new, inverse(order))
    }

    /// The array with the axes that have arrays of places as its first one, and the places on it; the order of its axes; and the
    /// permutation that puts what is found there in its place.
    fn table(&mut self, x: &Value, parts: &[Part]) -> Result<(Value, Value, Dims, Dims)> {
        let Abs::Array(_, shape) = x.abs else { unreachable!("an array is indexed") };
        let mut all = Vec::new();
        let mut axes = Vec::new();
        for (axis, part) in parts.iter().enumerate() {
            match part {
                Part::Places(places) => {
                    all.push(places.clone());
                    axes.push(axis);
                }
                Part::Cut([0, 1, n]) if shape.get(axis) == Some(n) => {}
                _ => {
                    return self
                        .refuse("arrays of indices beside other indices are not supported")
                        .map_err(|d| d.hint("index twice: first with the slices and numbers, then with the arrays"));
                }
            }
        }
        let rest: Vec<usize> = (0..shape.len()).filter(|axis| !axes.contains(axis)).collect();
        let order = Dims::new(axes.iter().chain(&rest).map(|&axis| axis as i64).collect::<Vec<_>>());
        let (aligned, _, at) = self.aligned(&all)?;
        // The number of a place in row-major order.
        let mut place = aligned[0].clone();
        for (next, &axis) in aligned[1..].iter().zip(&axes[1..]) {
            let length = self.int(shape[axis]);
            place = self.elementwise(Prim::Mul, &[place, length], false)?;
            place = self.elementwise(Prim::Add, &[place, next.clone()], false)?;
        }
        let table = self.transposed(x, order)?;
        let length: i64 = axes.iter().map(|&axis| shape[axis]).product();
        let sizes: Vec<i64> = std::iter::once(length).chain(rest.iter().map(|&axis| shape[axis])).collect();
        let table = self.array_op_if(ArrayOp::Reshape, Dims::new(sizes), &table)?;
        // Axes of places that stand side by side stay where they were, others come first.
        let adjacent = axes.windows(2).all(|pair| pair[1] == pair[0] + 1);
        let first = if adjacent { axes[0] } else { 0 };
        let (n, k) = (at.len() as i64, first as i64);
        let back = (0..k).map(|i| n + i).chain(0..n).chain((k..rest.len() as i64).map(|i| n + i));
        Ok((table, place, order, Dims::new(back.collect::<Vec<_>>())))
    }
}

/// The bounds of a slice, if they are constants.
pub(super) fn constant_bounds(bounds: &[Abs]) -> Option<[Option<i64>; 3]> {
    let mut given = [None; 3];
    for (slot, bound) in given.iter_mut().zip(bounds) {
        *slot = match bound {
            Abs::None => None,
            Abs::I64(Some(v)) => Some(*v),
            _ => return None,
        };
    }
    Some(given)
}

/// The first element, the step and the number of the elements that a slice takes of so many, as Python's `slice.indices` has them. The
/// step is not zero.
pub(super) fn slice_indices(bounds: [Option<i64>; 3], length: i64) -> [i64; 3] {
    let step = bounds[2].unwrap_or(1);
    let (least, most) = if step > 0 { (0, length) } else { (-1, length - 1) };
    let clamp = |v: i64| if v < 0 { v.saturating_add(length).max(least) } else { v.min(most) };
    let first = bounds[0].map_or(if step > 0 { least } else { most }, clamp);
    let end = bounds[1].map_or(if step > 0 { most } else { least }, clamp);
    let distance = if step > 0 { end - first } else { first - end };
    let count = if distance > 0 { (distance - 1) / step.abs() + 1 } else { 0 };
    [first, step, count]
}

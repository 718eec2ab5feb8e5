//! Makes operations, region by region.

use crate::op::{Attribute, Item, Name, Op, Val, rename, word};
use crate::tensor::{Element, Tensor};
use rustc_hash::FxHashMap;

/// A region that is open, or closed and not yet part of an operation.
#[derive(Debug, Default)]
pub struct Region {
    items: Vec<Item>,
    /// The constants that were made in it.
    constants: FxHashMap<(Tensor, Vec<i64>), Val>,
    /// Whether constants of the regions around it are out of reach: what a loop takes from outside is carried along.
    is_loop: bool,
    /// How many operations it has, those of regions inside of it included.
    pub operations: usize,
    /// Whether one of them has regions, or is a call.
    pub is_compound: bool,
}

/// Which of several arms is taken.
pub enum Choice<'v> {
    /// The first if a boolean holds, else the second.
    If(&'v Val),
    /// The one with this number.
    Case(&'v Val),
}

/// Attributes in the order in which they are written.
type Attributes = Vec<(&'static str, Attribute)>;

/// The writer.
#[derive(Debug, Default)]
pub struct Builder {
    regions: Vec<Region>,
    next: usize,
}

impl Builder {
    /// Opens a region, to which operations are added until it is closed.
    pub fn open(&mut self, is_loop: bool) {
        self.regions.push(Region { is_loop, ..Region::default() });
    }

    /// Opens a region again.
    pub fn reopen(&mut self, region: Region) {
        self.regions.push(region);
    }

    /// Closes the innermost region.
    pub fn close(&mut self) -> Region {
        self.regions.pop().expect("a region is open")
    }

    /// Adds the operations of a closed region to the one that is open now.
    pub fn splice(&mut self, region: Region) {
        let open = self.top();
        open.items.extend(region.items);
        open.operations += region.operations;
        open.is_compound |= region.is_compound;
    }

    /// The number that the next operation has.
    pub fn mark(&self) -> usize {
        self.next
    }

    /// How many operations the open regions have.
    pub fn operations(&self) -> usize {
        self.regions.iter().map(|r| r.operations).sum()
    }

    fn top(&mut self) -> &mut Region {
        self.regions.last_mut().expect("a region is open")
    }

    fn id(&mut self) -> usize {
        self.next += 1;
        self.next - 1
    }

    /// New values for the parameters of a region.
    pub fn params(&mut self, types: impl IntoIterator<Item = Tensor>) -> Vec<Val> {
        types.into_iter().map(|ty| Val { id: self.id(), index: None, ty }).collect()
    }

    fn add(&mut self, op: Op) {
        let top = self.top();
        top.operations += 1;
        top.items.push(Item::Op(op));
    }

    /// An operation with one result.
    pub fn op(&mut self, name: &'static str, operands: &[&Val], attributes: Attributes, ty: Tensor) -> Val {
        let result = Val { id: self.id(), index: None, ty };
        let operands = operands.iter().map(|&v| v.clone()).collect();
        self.add(Op { name, id: result.id, operands, results: vec![result.clone()], attributes, regions: 0 });
        result
    }

    /// An operation whose operands and result have one type.
    pub fn same(&mut self, name: &'static str, operands: &[&Val]) -> Val {
        self.op(name, operands, Vec::new(), operands[0].ty)
    }

    /// An operation with regions and any number of results. Each region is its parameters, and its operations.
    pub fn compound(
        &mut self,
        name: &'static str,
        operands: &[&Val],
        regions: Vec<(Vec<Val>, Region)>,
        attributes: Attributes,
        types: &[Tensor],
    ) -> Vec<Val> {
        let (id, results) = self.several(types);
        let operands = operands.iter().map(|&v| v.clone()).collect();
        self.add(Op { name, id, operands, results: results.clone(), attributes, regions: regions.len() });
        let top = self.top();
        for (params, region) in regions {
            top.items.push(Item::Open(params));
            top.items.extend(region.items);
            top.items.push(Item::Close);
            top.operations += region.operations;
        }
        top.is_compound = true;
        results
    }

    fn several(&mut self, types: &[Tensor]) -> (usize, Vec<Val>) {
        let id = self.id();
        (id, (0..).zip(types).map(|(i, &ty)| Val { id, index: Some(i), ty }).collect())
    }

    /// The values that one of several arms gives. Those of the arms that are not taken are not computed.
    pub fn branch(&mut self, choice: Choice, arms: Vec<(Region, Vec<Val>)>, types: &[Tensor]) -> Vec<Val> {
        let mut regions = Vec::new();
        for (region, values) in arms {
            self.reopen(region);
            self.leave(&values);
            regions.push((Vec::new(), self.close()));
        }
        match choice {
            _ if types.is_empty() => Vec::new(),
            Choice::If(condition) => self.compound("if", &[condition], regions, Vec::new(), types),
            Choice::Case(number) => self.compound("case", &[number], regions, Vec::new(), types),
        }
    }

    /// The same where the arms update large buffers that are the last of the values they give: from what is in them before. Compilers copy
    /// such a buffer for each branch, and update it in place in a loop. So each arm is a loop of one trip or none.
    pub fn branch_in_place(
        &mut self,
        choice: Choice,
        arms: Vec<(Region, Vec<Val>)>,
        types: &[Tensor],
        before: &[Val],
    ) -> Vec<Val> {
        let flag = Tensor::scalar(Element::Pred);
        let own = types.len() - before.len();
        let mut state: Vec<Val> = types[..own].iter().map(|&ty| self.zeros(ty)).collect();
        state.extend_from_slice(before);
        let carried = [&[flag], types].concat();
        for (i, (mut region, values)) in arms.into_iter().enumerate() {
            let taken = match choice {
                Choice::If(condition) if i == 0 => condition.clone(),
                Choice::If(condition) => self.same("not", &[condition]),
                Choice::Case(number) => {
                    let own = self.int(number.ty, i as i64);
                    self.compare("EQ", number, &own)
                }
            };
            self.open(true);
            let inside = self.params(carried.clone());
            self.leave(&inside[..1]);
            let condition = (inside, self.close());
            let inside = self.params(carried.clone());
            let pairs = before.iter().zip(&inside[1 + own..]);
            let names: FxHashMap<Name, Val> = pairs.clone().map(|(old, new)| (old.name(), new.clone())).collect();
            let renamed = |v: Val| pairs.clone().find(|(old, _)| **old == v).map_or(v, |(_, new)| new.clone());
            let mut values: Vec<Val> = values.into_iter().map(renamed).collect();
            rename(&mut region.items, &names);
            self.reopen(region);
            values.insert(0, self.bool(flag, false));
            self.leave(&values);
            let body = (inside, self.close());
            let operands: Vec<&Val> = std::iter::once(&taken).chain(&state).collect();
            state = self.compound("while", &operands, vec![condition, body], Vec::new(), &carried).split_off(1);
        }
        state
    }

    /// A call of a function of the module.
    pub fn call(&mut self, name: &str, operands: &[Val], types: &[Tensor]) -> Vec<Val> {
        let (id, results) = self.several(types);
        let attributes = vec![("callee", Attribute::Symbol(name.to_owned()))];
        self.add(Op { name: "call", id, operands: operands.to_vec(), results: results.clone(), attributes, regions: 0 });
        self.top().is_compound = true;
        results
    }

    /// Ends a region, or a function.
    pub fn leave(&mut self, values: &[Val]) {
        let operands = values.to_vec();
        self.add(Op { name: "return", id: self.next, operands, results: Vec::new(), attributes: Vec::new(), regions: 0 });
    }

    /// The operations of a function, whose region is open.
    pub fn body(&mut self) -> Vec<Item> {
        self.close().items
    }

    // --- constants

    /// A constant of one element everywhere, or of all elements: the words of [`Attribute::Elements`].
    pub fn constant(&mut self, ty: Tensor, words: Vec<i64>) -> Val {
        let key = (ty, words);
        for region in self.regions.iter().rev() {
            if let Some(found) = region.constants.get(&key) {
                return found.clone();
            }
            if region.is_loop {
                break;
            }
        }
        let value = self.op("constant", &[], vec![("value", Attribute::Elements(key.1.clone()))], ty);
        self.top().constants.insert(key, value.clone());
        value
    }

    /// A tensor of one float everywhere.
    pub fn float(&mut self, ty: Tensor, value: f64) -> Val {
        self.constant(ty, vec![word(ty.element, value)])
    }

    /// A tensor of one integer everywhere.
    pub fn int(&mut self, ty: Tensor, value: i64) -> Val {
        self.constant(ty, vec![value])
    }

    /// A tensor of one boolean everywhere.
    pub fn bool(&mut self, ty: Tensor, value: bool) -> Val {
        self.constant(ty, vec![value.into()])
    }

    /// A tensor of zeros, those of floats positive.
    pub fn zeros(&mut self, ty: Tensor) -> Val {
        match ty.element {
            Element::Pred => self.bool(ty, false),
            Element::I32 | Element::I64 => self.int(ty, 0),
            Element::F32 | Element::F64 => self.float(ty, 0.0),
        }
    }

    /// The identity of addition: of floats the negative zero.
    pub fn neutral(&mut self, ty: Tensor) -> Val {
        if ty.element.is_float() { self.float(ty, -0.0) } else { self.zeros(ty) }
    }

    // --- elementwise operations

    /// A comparison; `EQ`, `NE`, `LT`, `LE`, `GT` or `GE`.
    pub fn compare(&mut self, direction: &'static str, a: &Val, b: &Val) -> Val {
        let kind = match a.ty.element {
            Element::Pred => "UNSIGNED",
            Element::I32 | Element::I64 => "SIGNED",
            Element::F32 | Element::F64 => "FLOAT",
        };
        let attributes = vec![("comparison_direction", Attribute::Word(direction)), ("compare_type", Attribute::Word(kind))];
        self.op("compare", &[a, b], attributes, a.ty.of(Element::Pred))
    }

    /// A choice, element by element or by one boolean.
    pub fn select(&mut self, condition: &Val, a: &Val, b: &Val) -> Val {
        if a == b {
            return a.clone();
        }
        self.op("select", &[condition, a, b], Vec::new(), a.ty)
    }

    /// The elements as ones of another type.
    pub fn convert(&mut self, a: &Val, element: Element) -> Val {
        if a.ty.element == element {
            return a.clone();
        }
        self.op("convert", &[a], Vec::new(), a.ty.of(element))
    }

    /// Whether elements are NaN.
    pub fn is_nan(&mut self, a: &Val) -> Val {
        self.compare("NE", a, a)
    }

    // --- shapes

    /// The elements in another shape.
    pub fn reshape(&mut self, a: &Val, dims: impl AsRef<[i64]>) -> Val {
        let ty = a.ty.with(dims);
        if ty == a.ty {
            return a.clone();
        }
        self.op("reshape", &[a], Vec::new(), ty)
    }

    /// The axes of the operand as those of the result with these numbers; all else is repeated.
    pub fn broadcast(&mut self, a: &Val, axes: &[i64], dims: impl AsRef<[i64]>) -> Val {
        let ty = a.ty.with(dims);
        if ty == a.ty {
            return a.clone();
        }
        self.op("broadcast_in_dim", &[a], vec![("broadcast_dimensions", ints(axes))], ty)
    }

    /// A scalar everywhere.
    pub fn splat(&mut self, a: &Val, dims: impl AsRef<[i64]>) -> Val {
        self.broadcast(a, &[], dims)
    }

    /// The axes in another order, by the numbers that they have in the operand.
    pub fn transpose(&mut self, a: &Val, axes: &[i64]) -> Val {
        let ty = a.ty.with(axes.iter().map(|&axis| a.ty.dims[axis as usize]).collect::<Vec<_>>());
        self.op("transpose", &[a], vec![("permutation", ints(axes))], ty)
    }

    /// Tensors one behind the other along an axis.
    pub fn concatenate(&mut self, parts: &[&Val], axis: usize) -> Val {
        let mut dims = parts[0].ty.dims.to_vec();
        dims[axis] = parts.iter().map(|v| v.ty.dims[axis]).sum();
        self.op("concatenate", parts, vec![("dimension", Attribute::Int(axis as i64))], parts[0].ty.with(dims))
    }

    /// The number of each element along an axis.
    pub fn iota(&mut self, axis: usize, dims: impl AsRef<[i64]>) -> Val {
        self.op("iota", &[], vec![("iota_dimension", Attribute::Int(axis as i64))], Tensor::new(Element::I64, dims))
    }

    /// The elements along axes put together by an operation, beginning with a scalar.
    pub fn reduce(&mut self, name: &'static str, a: &Val, start: &Val, axes: &[i64]) -> Val {
        let rest = a.ty.dims.iter().enumerate().filter(|(i, _)| !axes.contains(&(*i as i64)));
        let ty = a.ty.with(rest.map(|(_, &n)| n).collect::<Vec<_>>());
        if axes.is_empty() {
            return a.clone();
        }
        self.op("reduce", &[a, start], vec![("body", Attribute::Word(name)), ("dimensions", ints(axes))], ty)
    }

    /// A part whose place the run knows, of these sizes.
    pub fn dynamic_slice(&mut self, a: &Val, at: &[Val], sizes: &[i64]) -> Val {
        let operands: Vec<&Val> = std::iter::once(a).chain(at).collect();
        self.op("dynamic_slice", &operands, vec![("slice_sizes", ints(sizes))], a.ty.with(sizes))
    }

    /// A tensor with another in the place of a part.
    pub fn dynamic_update(&mut self, a: &Val, part: &Val, at: &[Val]) -> Val {
        let operands: Vec<&Val> = [a, part].into_iter().chain(at).collect();
        self.op("dynamic_update_slice", &operands, Vec::new(), a.ty)
    }

    /// With so many elements of a scalar before, behind and between the elements of each axis.
    pub fn pad(&mut self, a: &Val, with: &Val, low: &[i64], high: &[i64], interior: &[i64]) -> Val {
        let lengths = a.ty.dims.iter().enumerate().map(|(i, &n)| low[i] + high[i] + n + interior[i] * (n - 1).max(0));
        let ty = a.ty.with(lengths.collect::<Vec<_>>());
        let padding = [("edge_padding_low", low), ("edge_padding_high", high), ("interior_padding", interior)];
        self.op("pad", &[a, with], padding.map(|(name, items)| (name, ints(items))).into(), ty)
    }

    /// The elements of each axis from a first one to a last one exclusive, by a positive step.
    pub fn slice(&mut self, a: &Val, axes: &[[i64; 3]]) -> Val {
        let ty = a.ty.with(axes.iter().map(|[first, end, step]| (end - first + step - 1) / step).collect::<Vec<_>>());
        let column = |i: usize| Attribute::Ints(axes.iter().map(|axis| axis[i]).collect());
        let attributes = vec![("start_indices", column(0)), ("limit_indices", column(1)), ("strides", column(2))];
        self.op("slice", &[a], attributes, ty)
    }

    /// The elements along axes backwards.
    pub fn reverse(&mut self, a: &Val, axes: &[i64]) -> Val {
        if axes.is_empty() {
            return a.clone();
        }
        self.op("reverse", &[a], vec![("dimensions", ints(axes))], a.ty)
    }
}

/// A list of integers as an attribute.
pub fn ints(items: impl AsRef<[i64]>) -> Attribute {
    Attribute::Ints(items.as_ref().to_vec())
}

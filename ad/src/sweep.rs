//! The reverse sweep over the nodes of one graph (docs/strategies.md §3): what both strategies share.
//!
//! The sweep is generic in what makes values. With a maker of units it is the analysis that finds which cotangents are
//! structurally zero; with a maker of nodes it emits the adjoint. So the analysis cannot disagree with the
//! code.

use crate::analysis::Variant;
use crate::cot::{Act, Cot};
use crate::rules::{self, Attribute, Expr};
use crate::varied::{self, Varied};
use gradus_ir::{ArrayOp, Const, DType, Dims, Kind, Module, NodeId, Prim, Span, Type};
use std::collections::BTreeMap;

/// What a sweep makes its values with.
pub trait Maker {
    /// A value of the adjoint.
    type V: Clone;
    /// The module that is differentiated.
    fn module(&self) -> &Module;
    /// The value of a primal node.
    fn primal(&mut self, n: NodeId) -> Self::V;
    /// A constant.
    fn constant(&mut self, value: Const, ty: Type) -> Self::V;
    /// The zero of a cotangent type.
    fn zero(&mut self, ty: &Type) -> Self::V;
    /// A primitive whose result type its operands say.
    fn prim(&mut self, prim: Prim, operands: &[Self::V], span: Span) -> Self::V;
    /// The type of what stands beside a value of this type.
    fn beside(&self, ty: &Type) -> Type {
        ty.cotangent()
    }
    /// The content, of type `ty`, of a box.
    fn unpack(&mut self, boxed: Self::V, ty: Type, span: Span) -> Self::V;
    /// Calls the pullback of the call `n` that is not in tail position.
    fn pull(&mut self, n: NodeId, cotangent: Self::V) -> Self::V;
    /// The derivative of what has none, in code that is never run: inference saw to it that whatever has its derivative asked for has
    /// rules, but an unknown function is taken for more functions than it can be. It fails if it is run.
    fn never(&mut self, ty: Type, span: Span) -> Self::V {
        let empty = self.constant(Const::Zero, Type::Opaque);
        let never = self.constant(Const::Bool(false), Type::Bool);
        let boxed = self.prim(Prim::Guard, &[empty, never], span);
        self.unpack(boxed, ty, span)
    }
}

/// The cotangents of the parameters of a known callee under a cotangent of its result.
pub type Callee<'a> = dyn FnMut(&Variant) -> Vec<Act> + 'a;

/// A sweep in progress: the cotangents so far.
pub struct Sweep<'a, M: Maker> {
    /// Makes the values.
    pub maker: M,
    callee: &'a mut Callee<'a>,
    /// The nodes that vary, where not all do.
    varied: Option<&'a Varied>,
    cotangents: BTreeMap<NodeId, Cot<M::V>>,
}

impl<'a, M: Maker> Sweep<'a, M> {
    /// Starts without any cotangent.
    pub fn new(maker: M, callee: &'a mut Callee<'a>) -> Self {
        Sweep { maker, callee, varied: None, cotangents: BTreeMap::new() }
    }

    /// Lets only these nodes have cotangents.
    pub fn of(mut self, varied: &'a Option<Varied>) -> Self {
        self.varied = varied.as_ref();
        self
    }

    /// The cotangent of a node as it stands.
    pub fn get(&self, n: NodeId) -> Cot<M::V> {
        self.cotangents.get(&n).cloned().unwrap_or(Cot::Zero)
    }

    /// All cotangents, in the order of node ids.
    pub fn cotangents(&self) -> &BTreeMap<NodeId, Cot<M::V>> {
        &self.cotangents
    }

    /// Adds to the cotangent of a node. Constants have none; neither have graphs, which are closed when they are differentiated.
    pub fn add(&mut self, n: NodeId, c: Cot<M::V>, span: Span) {
        if c.is_zero() || !self.varies(n) {
            return;
        }
        let ty = self.maker.module()[n].ty.clone();
        let sum = match self.cotangents.remove(&n) {
            Some(before) => self.sum(before, c, &ty, span),
            None => c,
        };
        self.cotangents.insert(n, sum);
    }

    /// Whether a node can have a cotangent, but for its type.
    fn varies(&self, n: NodeId) -> bool {
        !is_constant(self.maker.module(), n) && self.varied.is_none_or(|varied| varied.contains(&n))
    }

    /// The sweep proper: passes on the cotangents of `nodes`, which are in the order of their execution.
    pub fn run(&mut self, nodes: &[NodeId]) {
        for &n in nodes.iter().rev() {
            let Some(c) = self.cotangents.get(&n).cloned() else { continue };
            match self.maker.module()[n].kind {
                Kind::Prim(prim) => self.prim_node(n, prim, c),
                Kind::Call => self.call_node(n, c),
                Kind::Param | Kind::Const(_) | Kind::Return => {}
            }
        }
    }

    /// The value of a cotangent as a whole, with zeros filled in; `ty` is the type of the primal.
    pub fn whole(&mut self, c: Cot<M::V>, ty: &Type, span: Span) -> M::V {
        match c {
            Cot::Zero => {
                let ty = self.maker.beside(ty);
                self.maker.zero(&ty)
            }
            Cot::Live(value) => value,
            Cot::Tuple(fields) => {
                let types = ty.fields().expect("a tuple of cotangents belongs to a tuple").to_vec();
                let values: Vec<M::V> = fields.into_iter().zip(&types).map(|(f, t)| self.whole(f, t, span)).collect();
                self.maker.prim(Prim::Tuple, &values, span)
            }
        }
    }

    /// The values on the leaves that `act` says are live, zeros filled in.
    pub fn leaves(&mut self, c: Cot<M::V>, act: &Act, ty: &Type, out: &mut Vec<M::V>) {
        match (act, c) {
            (Cot::Zero, _) => {}
            (Cot::Live(()), Cot::Live(value)) => out.push(value),
            (Cot::Live(()), _) => {
                let ty = self.maker.beside(ty);
                out.push(self.maker.zero(&ty));
            }
            (Cot::Tuple(acts), c) => {
                let types = ty.fields().expect("a tuple of cotangents belongs to a tuple").to_vec();
                for (i, (a, t)) in acts.iter().zip(&types).enumerate() {
                    let field = c.clone().into_field(i);
                    self.leaves(field, a, t, out);
                }
            }
        }
    }

    /// A cotangent from its value as a whole; `ty` is the type of the primal.
    pub fn explode(&mut self, value: M::V, ty: &Type, span: Span) -> Cot<M::V> {
        match ty {
            t if t.is_inert() => Cot::Zero,
            Type::Tuple(items) => {
                let mut fields = Vec::with_capacity(items.len());
                for (i, t) in items.iter().enumerate() {
                    if t.is_inert() {
                        fields.push(Cot::Zero);
                    } else {
                        let field = self.maker.prim(Prim::Get(i as u32), std::slice::from_ref(&value), span);
                        fields.push(self.explode(field, t, span));
                    }
                }
                Cot::tuple(fields)
            }
            _ => Cot::Live(value),
        }
    }

    /// The sum of two cotangents of one node, of type `ty`.
    pub fn sum(&mut self, a: Cot<M::V>, b: Cot<M::V>, ty: &Type, span: Span) -> Cot<M::V> {
        match (a, b) {
            (Cot::Zero, c) | (c, Cot::Zero) => c,
            (Cot::Live(a), Cot::Live(b)) => {
                let add = if ty.cotangent().dtype().is_some_and(DType::is_float) { Prim::Add } else { Prim::Gadd };
                Cot::Live(self.maker.prim(add, &[a, b], span))
            }
            (Cot::Tuple(a), Cot::Tuple(b)) => {
                let types = ty.fields().expect("a tuple of cotangents belongs to a tuple").to_vec();
                let fields = a.into_iter().zip(b).zip(&types).map(|((a, b), t)| self.sum(a, b, t, span)).collect();
                Cot::tuple(fields)
            }
            _ => unreachable!("cotangents of one node have one shape"),
        }
    }

    fn call_node(&mut self, n: NodeId, c: Cot<M::V>) {
        let node = &self.maker.module()[n];
        let (inputs, ty, span) = (node.inputs().to_vec(), node.ty.clone(), node.span);
        let known = self.maker.module().as_graph(inputs[0]);
        match known {
            Some(h) => {
                let down =
                    (self.callee)(&Variant { function: h, up: c.act(), varied: varied::of_args(self.varied, &inputs[1..]) });
                if down.iter().all(Cot::is_zero) {
                    return;
                }
                let whole = self.whole(c, &ty, span);
                let results = self.maker.pull(n, whole);
                let count: usize = down.iter().map(Act::count).sum();
                let leaves: Vec<M::V> =
                    (0..count).map(|i| self.maker.prim(Prim::Get(i as u32), std::slice::from_ref(&results), span)).collect();
                let mut leaves = leaves.into_iter();
                for (&arg, act) in inputs[1..].iter().zip(&down) {
                    let c = act.fill(&mut leaves);
                    self.add(arg, c, span);
                }
            }
            None => {
                let whole = self.whole(c, &ty, span);
                let results = self.maker.pull(n, whole);
                for (i, &input) in inputs.iter().enumerate() {
                    let t = self.maker.module()[input].ty.clone();
                    if !t.is_inert() {
                        let field = self.maker.prim(Prim::Get(i as u32), std::slice::from_ref(&results), span);
                        let c = self.explode(field, &t, span);
                        self.add(input, c, span);
                    }
                }
            }
        }
    }

    fn prim_node(&mut self, n: NodeId, prim: Prim, c: Cot<M::V>) {
        let node = &self.maker.module()[n];
        let (inputs, ty, span) = (node.inputs().to_vec(), node.ty.clone(), node.span);
        let type_of = |s: &Self, n: NodeId| s.maker.module()[n].ty.clone();
        match prim {
            Prim::Tuple => {
                for (i, &input) in inputs.iter().enumerate() {
                    self.add(input, c.clone().into_field(i), span);
                }
            }
            Prim::Get(i) => {
                let whole = type_of(self, inputs[0]);
                let count = whole.fields().expect("get applies to a tuple").len();
                let fields = (0..count).map(|k| if k == i as usize { c.clone() } else { Cot::Zero }).collect();
                self.add(inputs[0], Cot::tuple(fields), span);
            }
            Prim::Select => {
                let taken = self.select(inputs[0], c.clone(), &ty, true, span);
                self.add(inputs[1], taken, span);
                let other = self.select(inputs[0], c, &ty, false, span);
                self.add(inputs[2], other, span);
            }
            // The cotangent of a closure is the box of its captures' cotangents, opened where the closure was made.
            Prim::Partial => {
                let types: Vec<Type> = inputs[1..].iter().map(|&i| type_of(self, i)).collect();
                let captured = Type::tuple(types);
                if captured.is_inert() {
                    return;
                }
                let boxed = self.whole(c, &ty, span);
                let opened = self.maker.unpack(boxed, captured.cotangent(), span);
                let fields = self.explode(opened, &captured, span);
                for (i, &input) in inputs[1..].iter().enumerate() {
                    let field = fields.clone().into_field(i);
                    self.add(input, field, span);
                }
            }
            // The environment of the derivative of `f` is that of `f`, and that of a function with rules is the function's.
            Prim::Ruled | Prim::Barrier => self.add(inputs[0], c, span),
            _ if prim.is_operator() => self.add(inputs[0], c, span),
            _ if prim.guards().is_some() => self.add(inputs[0], c, span),
            Prim::StopGradient => {}
            Prim::Host(_) => {
                for &input in inputs.iter() {
                    let ty = type_of(self, input);
                    if !ty.is_inert() {
                        let never = self.maker.never(ty.cotangent(), span);
                        let c = self.explode(never, &ty, span);
                        self.add(input, c, span);
                    }
                }
            }
            Prim::Gadd => {
                self.add(inputs[0], c.clone(), span);
                self.add(inputs[1], c, span);
            }
            // Writing forwards and reading backwards are each other's adjoint (docs/strategies.md §6).
            Prim::Push => {
                let Cot::Live(value) = c else { unreachable!("the cotangent of a tape is a leaf") };
                let both = self.maker.prim(Prim::Pop, &[value], span);
                let rest = self.maker.prim(Prim::Get(0), std::slice::from_ref(&both), span);
                self.add(inputs[0], Cot::Live(rest), span);
                let record = self.maker.prim(Prim::Get(1), &[both], span);
                let ty = type_of(self, inputs[1]);
                let c = self.explode(record, &ty, span);
                self.add(inputs[1], c, span);
            }
            Prim::Pop => {
                let types = ty.fields().expect("pop gives a pair").to_vec();
                if types[1].is_inert() {
                    return;
                }
                let [rest, record] = [0, 1].map(|i| self.whole(c.clone().into_field(i), &types[i], span));
                let tape = self.maker.prim(Prim::Push, &[rest, record], span);
                self.add(inputs[0], Cot::Live(tape), span);
            }
            // Reading adds to the record of the cotangent so far, so that it stays one vector.
            Prim::Element => {
                let vector = type_of(self, inputs[0]);
                let index = self.maker.primal(inputs[1]);
                let (before, sum) = match self.cotangents.remove(&inputs[0]) {
                    Some(Cot::Live(before)) => {
                        let old = self.maker.prim(Prim::Element, &[before.clone(), index.clone()], span);
                        let old = self.explode(old, &ty, span);
                        (before, self.sum(old, c, &ty, span))
                    }
                    _ => (self.maker.zero(&vector.cotangent()), c),
                };
                let sum = self.whole(sum, &ty, span);
                let after = self.maker.prim(Prim::Replace, &[before, index, sum], span);
                self.add(inputs[0], Cot::Live(after), span);
            }
            Prim::Replace => {
                let Cot::Live(whole) = c else { unreachable!("the cotangent of a vector is a leaf") };
                let index = self.maker.primal(inputs[1]);
                let record = type_of(self, inputs[2]);
                let own = self.maker.prim(Prim::Element, &[whole.clone(), index.clone()], span);
                let own = self.explode(own, &record, span);
                self.add(inputs[2], own, span);
                let zero = self.maker.zero(&record.cotangent());
                let rest = self.maker.prim(Prim::Replace, &[whole, index, zero], span);
                self.add(inputs[0], Cot::Live(rest), span);
            }
            Prim::Pack => {
                let content = type_of(self, inputs[0]);
                if !content.is_inert() {
                    let boxed = self.whole(c, &ty, span);
                    let opened = self.maker.unpack(boxed, content.cotangent(), span);
                    let c = self.explode(opened, &content, span);
                    self.add(inputs[0], c, span);
                }
            }
            Prim::Unpack => {
                let content = self.whole(c, &ty, span);
                let boxed = self.maker.prim(Prim::Pack, &[content], span);
                self.add(inputs[0], Cot::Live(boxed), span);
            }
            _ => self.scalar(n, prim, &inputs, c, span),
        }
    }

    /// The cotangent of one arm of a `select`: `c` where the arm was taken, and zero elsewhere.
    fn select(&mut self, condition: NodeId, c: Cot<M::V>, ty: &Type, arm: bool, span: Span) -> Cot<M::V> {
        match c {
            Cot::Zero => Cot::Zero,
            Cot::Live(value) => {
                let condition = self.maker.primal(condition);
                let zero = self.maker.zero(&ty.cotangent());
                let operands = if arm { [condition, value, zero] } else { [condition, zero, value] };
                Cot::Live(self.maker.prim(Prim::Select, &operands, span))
            }
            Cot::Tuple(fields) => {
                let types = ty.fields().expect("a tuple of cotangents belongs to a tuple").to_vec();
                Cot::tuple(fields.into_iter().zip(&types).map(|(f, t)| self.select(condition, f, t, arm, span)).collect())
            }
        }
    }

    fn scalar(&mut self, n: NodeId, prim: Prim, inputs: &[NodeId], c: Cot<M::V>, span: Span) {
        let Cot::Live(g) = c else { unreachable!("the cotangent of a scalar is a leaf") };
        if inputs.iter().all(|&i| self.maker.module()[i].ty.is_inert()) {
            return; // a float made from integers
        }
        if let Prim::Array(op @ (ArrayOp::Concat | ArrayOp::Make), attribute) = prim {
            return self.parts(op, attribute, inputs, &g, span);
        }
        let rule = rules::rule(prim).unwrap_or_else(|| panic!("`{}` has a cotangent but no derivative", prim.name()));
        for (i, adjoint) in rule.adjoints.iter().enumerate() {
            let module = self.maker.module();
            if module[inputs[i]].ty.is_inert() || !self.varies(inputs[i]) {
                continue;
            }
            if let Some(adjoint) = adjoint {
                let adds = adjoint.mentions(&Expr::Sum);
                let before = if adds { self.cotangents.remove(&inputs[i]) } else { None };
                let sum = match before {
                    Some(Cot::Live(value)) => Some(value),
                    _ if adds => {
                        let ty = self.maker.module()[inputs[i]].ty.cotangent();
                        Some(self.maker.zero(&ty))
                    }
                    _ => None,
                };
                let value = self.eval(adjoint, n, inputs, &On { g: &g, sum: sum.as_ref() }, span);
                self.add(inputs[i], Cot::Live(value), span);
            }
        }
    }

    /// The cotangents of the operands of which an array is put together.
    fn parts(&mut self, op: ArrayOp, attribute: Dims, inputs: &[NodeId], g: &M::V, span: Span) {
        let shape = |s: &Self, n: NodeId| s.maker.module()[n].ty.shape().expect("an array");
        let mut start = 0;
        for (k, &input) in inputs.iter().enumerate() {
            let own = shape(self, input);
            let value = if op == ArrayOp::Make {
                let mut rest = k as i64;
                let mut place: Vec<M::V> = Vec::new();
                for &size in attribute.iter().rev() {
                    place.push(self.maker.constant(Const::I64(rest % size), Type::I64));
                    rest /= size;
                }
                place.push(g.clone());
                place.reverse();
                self.maker.prim(Prim::Array(ArrayOp::At, Dims::NONE), &place, span)
            } else {
                let axis = attribute[0] as usize;
                let cut = |(i, &n): (usize, &i64)| [if i == axis { start } else { 0 }, 1, n];
                let slice = Dims::new(own.iter().enumerate().flat_map(cut).collect::<Vec<_>>());
                start += own[axis];
                self.maker.prim(Prim::Array(ArrayOp::Slice, slice), std::slice::from_ref(g), span)
            };
            if !self.maker.module()[input].ty.is_inert() {
                self.add(input, Cot::Live(value), span);
            }
        }
    }

    /// The value of a row's entry.
    pub fn eval(&mut self, e: &Expr, n: NodeId, inputs: &[NodeId], on: &On<'_, M::V>, span: Span) -> M::V {
        let type_of = |s: &Self, i: usize| s.maker.module()[inputs[i]].ty.clone();
        match e {
            Expr::G => on.g.clone(),
            Expr::Y => self.maker.primal(n),
            Expr::Arg(i) => self.maker.primal(inputs[*i]),
            Expr::Sum => on.sum.expect("the cotangent so far").clone(),
            Expr::Tangent(_) => unreachable!("an adjoint is that of one argument"),
            Expr::F64(v) => self.literal(Const::F64(v.to_bits()), Type::F64, n, span),
            Expr::I64(v) => self.literal(Const::I64(*v), Type::I64, n, span),
            // Where the shape is not that of the result, it is that of the one argument.
            Expr::Zero if matches!(self.maker.module().as_prim(n), Some(Prim::Array(..))) => {
                let ty = type_of(self, 0).cotangent();
                self.maker.zero(&ty)
            }
            Expr::Zero => {
                let ty = self.maker.module()[n].ty.cotangent();
                self.maker.zero(&ty)
            }
            Expr::ZeroOf(i) => {
                let ty = type_of(self, *i).cotangent();
                self.maker.zero(&ty)
            }
            Expr::Rest(_) => unreachable!("indices stand among operands"),
            Expr::Op(prim, items) => {
                let mut values = self.eval_all(items, n, inputs, on, span);
                let prim = strong(self.maker.module(), *prim, items, &mut values);
                self.row_prim(prim, &values, n, span)
            }
            Expr::Array(op, attribute, items) => {
                let values = self.eval_all(items, n, inputs, on, span);
                let attribute = self.attribute(*attribute, n);
                self.row_prim(Prim::Array(*op, attribute), &values, n, span)
            }
        }
    }

    fn eval_all(&mut self, items: &[Expr], n: NodeId, inputs: &[NodeId], on: &On<'_, M::V>, span: Span) -> Vec<M::V> {
        let mut values = Vec::with_capacity(items.len());
        for item in items {
            match item {
                Expr::Rest(i) => values.extend(inputs[*i..].iter().map(|&input| self.maker.primal(input))),
                item => values.push(self.eval(item, n, inputs, on, span)),
            }
        }
        values
    }

    /// A literal of the shape of the result.
    fn literal(&mut self, value: Const, ty: Type, n: NodeId, span: Span) -> M::V {
        let is_float = matches!(value, Const::F64(_));
        let value = self.maker.constant(value, ty);
        match self.maker.module()[n].ty.shape() {
            Some(shape) if !shape.is_empty() => {
                let splat = self.maker.prim(Prim::Array(ArrayOp::Broadcast, shape), &[value], span);
                if is_float && is_narrow(self.maker.module(), n) { self.maker.prim(Prim::Narrow, &[splat], span) } else { splat }
            }
            _ => value,
        }
    }

    /// A primitive of a row, in the type that the primitive `n` is of: arrays that a row makes of scalars, or of what are no floats, are
    /// narrowed where that is of floats of 32 bits.
    pub fn row_prim(&mut self, prim: Prim, operands: &[M::V], n: NodeId, span: Span) -> M::V {
        let value = self.maker.prim(prim, operands, span);
        let of_scalar = !self.maker.module()[n].ty.is_array();
        match prim {
            Prim::Float if is_narrow(self.maker.module(), n) => self.maker.prim(Prim::Narrow, &[value], span),
            Prim::Array(ArrayOp::Broadcast | ArrayOp::Reshape, shape)
                if of_scalar && !shape.is_empty() && is_narrow(self.maker.module(), n) =>
            {
                self.maker.prim(Prim::Narrow, &[value], span)
            }
            _ => value,
        }
    }

    /// What an attribute in a row is for an operation.
    pub fn attribute(&self, attribute: Attribute, n: NodeId) -> Dims {
        let node = &self.maker.module()[n];
        let shape = |n: NodeId| self.maker.module()[n].ty.shape().expect("an operand of an operation on arrays");
        let Kind::Prim(prim) = node.kind else { unreachable!("rows are for primitives") };
        attribute_of(attribute, prim, |i| shape(node.inputs()[i]), || shape(n))
    }
}

/// Whether a primitive is one on arrays of floats of 32 bits alone.
pub fn is_narrow(m: &Module, n: NodeId) -> bool {
    let has = |dtype: DType| {
        let is = |n: &NodeId| m[*n].ty.is_array() && m[*n].ty.dtype() == Some(dtype);
        is(&n) || m[n].inputs().iter().any(is)
    };
    has(DType::F32) && !has(DType::F64)
}

/// What an attribute in a row is for an operation, of which the shapes of the operands and of the result are given.
pub fn attribute_of(attribute: Attribute, prim: Prim, operand: impl Fn(usize) -> Dims, result: impl Fn() -> Dims) -> Dims {
    let Prim::Array(_, own) = prim else { unreachable!("rows of arrays are for operations") };
    let first = || operand(0);
    match attribute {
        Attribute::None => Dims::NONE,
        Attribute::Own => own,
        Attribute::Result => result(),
        Attribute::Shape(i) => operand(i),
        Attribute::Inverse => gradus_ir::array::inverse(own),
        Attribute::Swap => {
            let rank = first().len() as i64;
            Dims::new((0..rank - 2).chain([rank - 1, rank - 2]).collect::<Vec<_>>())
        }
        Attribute::Flip => {
            let axis = own[0] as usize;
            let cut = |(i, &n): (usize, &i64)| if i == axis && n > 0 { [n - 1, -1, n] } else { [0, 1, n] };
            Dims::new(first().iter().enumerate().flat_map(cut).collect::<Vec<_>>())
        }
        Attribute::Rows => Dims::new([&first()[..], &[0]].concat()),
        Attribute::Columns => Dims::new([&first()[..], &[1]].concat()),
    }
}

/// What an entry of a row is applied to.
pub struct On<'a, V> {
    /// The cotangent of the result, or the tangent of the argument.
    pub g: &'a V,
    /// The cotangent of the argument so far, for entries that add to a part of it.
    pub sum: Option<&'a V>,
}

/// The primitive that a row stands for: products and quotients of what flows are strong (docs/strategies.md §2) unless the
/// program is regular, and what flows comes first.
pub fn strong<V>(m: &Module, prim: Prim, items: &[Expr], values: &mut [V]) -> Prim {
    match prim {
        _ if m.regular => prim,
        Prim::Mul if items[0].flows() => Prim::Mul0,
        Prim::Mul if items[1].flows() => {
            values.swap(0, 1);
            Prim::Mul0
        }
        Prim::Div if items[0].flows() => Prim::Div0,
        other => other,
    }
}

/// Whether a node is a constant or a tuple of constants. Zeros that mean different boxes may be one such node, so their cotangents have no sum.
fn is_constant(m: &Module, n: NodeId) -> bool {
    m[n].graph.is_none() || m.as_prim(n) == Some(Prim::Tuple) && m[n].inputs().iter().all(|&i| is_constant(m, i))
}

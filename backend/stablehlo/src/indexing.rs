//! Elements at indices that the run knows.

use crate::builder::ints;
use crate::function::Emit;
use crate::op::{Attribute, Val};
use crate::tensor::{Element, Tensor};
use gradus_ir::{ArrayOp, Dims, NodeId, TrapKind};

impl Emit<'_, '_> {
    pub fn indexed(&mut self, op: ArrayOp, attribute: Dims, operands: &[Val], n: NodeId) -> Val {
        let a = &operands[0];
        match op {
            ArrayOp::At => {
                let at = self.corner(a, &operands[1..]);
                let rest = &a.ty.dims[operands.len() - 1..];
                let sizes = [&vec![1; operands.len() - 1][..], rest].concat();
                let part = self.b().dynamic_slice(a, &at, &sizes);
                self.b().reshape(&part, rest)
            }
            ArrayOp::SetAt | ArrayOp::AddAt => self.set(op, a, &operands[1], &operands[2..]),
            ArrayOp::Indices => self.places(a, attribute[0], n),
            ArrayOp::Gather => self.gather(a, &operands[1]),
            ArrayOp::GatherLast => {
                let found = self.gather(a, &operands[1]);
                let is_last = self.is_last(&operands[1], a.ty.dims[0]);
                let axes: Vec<i64> = (0..is_last.ty.dims.len() as i64).collect();
                let mask = self.b().broadcast(&is_last, &axes, found.ty.dims);
                let nothing = self.b().zeros(found.ty);
                self.b().select(&mask, &found, &nothing)
            }
            ArrayOp::Scatter => {
                // What comes again later goes outside, where it is lost.
                let is_last = self.is_last(&operands[1], a.ty.dims[0]);
                let outside = self.b().int(operands[1].ty, a.ty.dims[0]);
                let places = self.b().select(&is_last, &operands[1], &outside);
                self.scatter(a, &places, &operands[2], None)
            }
            _ => self.scatter(a, &operands[1], &operands[2], Some("add")),
        }
    }

    /// Indices into the first axes, and zeros for the rest.
    fn corner(&mut self, a: &Val, indices: &[Val]) -> Vec<Val> {
        let zero = self.b().int(Tensor::scalar(Element::I64), 0);
        let mut at = indices.to_vec();
        at.resize(a.ty.dims.len(), zero);
        at
    }

    fn set(&mut self, op: ArrayOp, a: &Val, value: &Val, indices: &[Val]) -> Val {
        let at = self.corner(a, indices);
        let rest = &a.ty.dims[indices.len()..];
        let sizes = [&vec![1; indices.len()][..], rest].concat();
        let value = self.b().convert(value, a.ty.element);
        let mut part = self.b().reshape(&value, &sizes);
        if op == ArrayOp::AddAt {
            let old = self.b().dynamic_slice(a, &at, &sizes);
            part = self.b().same("add", &[&old, &part]);
        }
        self.b().dynamic_update(a, &part, &at)
    }

    /// Places on an axis, negative ones counted from its end.
    fn places(&mut self, a: &Val, length: i64, n: NodeId) -> Val {
        let e = self.b();
        let (zero, length) = (e.int(a.ty, 0), e.int(a.ty, length));
        let is_negative = e.compare("LT", a, &zero);
        let from_end = e.same("add", &[a, &length]);
        let places = e.select(&is_negative, &from_end, a);
        let [below, above] = [e.compare("LT", &places, &zero), e.compare("GE", &places, &length)];
        let outside = e.same("or", &[&below, &above]);
        let any = self.any(&outside);
        self.trap_if(&any, TrapKind::IndexOutOfRange, n);
        places
    }

    fn gather(&mut self, a: &Val, places: &Val) -> Val {
        let (rank, own) = (places.ty.dims.len() as i64, a.ty.dims.len() as i64);
        let ty = a.ty.with([&places.ty.dims[..], &a.ty.dims[1..]].concat());
        if ty.count() == 0 {
            return self.b().zeros(ty);
        }
        let attributes = vec![
            ("offset_dims", Attribute::Ints((rank..rank + own - 1).collect())),
            ("collapsed_slice_dims", ints([0])),
            ("start_index_map", ints([0])),
            ("index_vector_dim", Attribute::Int(rank)),
            ("slice_sizes", ints([&[1], &a.ty.dims[1..]].concat())),
            ("indices_are_sorted", Attribute::Bool(false)),
        ];
        self.b().op("gather", &[a, places], attributes, ty)
    }

    /// With values put at places of the first axis, or put together with those that are there; what is outside is lost.
    pub fn scatter(&mut self, a: &Val, places: &Val, values: &Val, with: Option<&'static str>) -> Val {
        if places.ty.count() == 0 || a.ty.count() == 0 {
            return a.clone();
        }
        let (rank, own) = (places.ty.dims.len() as i64, a.ty.dims.len() as i64);
        let scalar = a.ty.with([]);
        self.b().open(true);
        let pair = self.b().params([scalar, scalar]);
        let result = match with {
            Some(name) => self.b().same(name, &[&pair[0], &pair[1]]),
            None => pair[1].clone(),
        };
        self.b().leave(&[result]);
        let update = (pair, self.b().close());
        let attributes = vec![
            ("update_window_dims", Attribute::Ints((rank..rank + own - 1).collect())),
            ("inserted_window_dims", ints([0])),
            ("scatter_dims_to_operand_dims", ints([0])),
            ("index_vector_dim", Attribute::Int(rank)),
            ("indices_are_sorted", Attribute::Bool(false)),
            ("unique_indices", Attribute::Bool(false)),
        ];
        self.b().compound("scatter", &[a, places, values], vec![update], attributes, &[a.ty]).remove(0)
    }

    /// For each place whether it is the last of those that are equal: the number of each is put where it is, the greatest wins.
    fn is_last(&mut self, places: &Val, length: i64) -> Val {
        let count = places.ty.count() as i64;
        let flat = self.b().reshape(places, [count]);
        let numbers = self.b().iota(0, [count]);
        let nobody = self.b().int(Tensor::new(Element::I64, [length]), -1);
        let last = self.scatter(&nobody, &flat, &numbers, Some("maximum"));
        let winner = self.gather(&last, &flat);
        let is_last = self.b().compare("EQ", &winner, &numbers);
        self.b().reshape(&is_last, places.ty.dims)
    }
}

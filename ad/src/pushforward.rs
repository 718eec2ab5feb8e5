//! The pushforward of one primitive: the tangent of its result from those of its operands. The analysis of forward mode and its
//! emission share it, as [`Sweep`] is shared by those of reverse mode; in forward mode the sweep holds tangents.
//!
//! A tangent is represented as the cotangent is ([`Cot`], `Type::cotangent`): structurally zero, live, or a tuple by its
//! fields. That of a function is the box of its captures' tangents, in the order of its `partial`: made by `pack` where the closure
//! is made, opened in the derivative of its graph. Products of tangents are as strong as those of cotangents (docs/strategies.md
//! §2): `sqrt` at the constant 0.0 that a loop began with gives no NaN.

use crate::cot::Cot;
use crate::rules::{self, Expr};
use crate::sweep::{Maker, On, Sweep, strong};
use gradus_ir::{ArrayOp, NodeId, Prim, Span, Type};

impl<M: Maker> Sweep<'_, M> {
    /// Gives the application `n` of a primitive its tangent.
    pub fn push(&mut self, n: NodeId, prim: Prim) {
        let node = &self.maker.module()[n];
        let (inputs, ty, span) = (node.inputs().to_vec(), node.ty.clone(), node.span);
        let tangents: Vec<Cot<M::V>> = inputs.iter().map(|&i| self.get(i)).collect();
        if tangents.iter().all(Cot::is_zero) || ty.is_inert() {
            return;
        }
        let tangent = self.pushforward(n, prim, &inputs, tangents, &ty, span);
        self.add(n, tangent, span);
    }

    fn pushforward(
        &mut self,
        n: NodeId,
        prim: Prim,
        inputs: &[NodeId],
        mut tangents: Vec<Cot<M::V>>,
        ty: &Type,
        span: Span,
    ) -> Cot<M::V> {
        let type_of = |s: &Self, i: usize| s.maker.module()[inputs[i]].ty.clone();
        match prim {
            Prim::Tuple => Cot::tuple(tangents),
            Prim::Get(i) => tangents.swap_remove(0).into_field(i as usize),
            Prim::Select => {
                let (b, a) = (tangents.pop().expect("an arm"), tangents.pop().expect("an arm"));
                self.choose(inputs[0], a, b, ty, span)
            }
            Prim::Partial => {
                let types = (1..inputs.len()).map(|i| type_of(self, i)).collect::<Vec<Type>>();
                let captured = Cot::tuple(tangents.split_off(1));
                self.boxed(captured, &Type::tuple(types), span)
            }
            Prim::Pack => {
                let content = type_of(self, 0);
                self.boxed(tangents.swap_remove(0), &content, span)
            }
            Prim::Unpack => {
                let opaque = self.whole(tangents.swap_remove(0), &Type::Opaque, span);
                let content = self.maker.beside(ty);
                let opened = self.maker.unpack(opaque, content, span);
                self.explode(opened, ty, span)
            }
            // The environment of the derivative of a function value is that of the function.
            Prim::Ruled | Prim::Barrier => tangents.swap_remove(0),
            _ if prim.is_operator() => tangents.swap_remove(0),
            _ if prim.guards().is_some() => tangents.swap_remove(0),
            Prim::StopGradient => Cot::Zero,
            Prim::Host(_) => {
                let tangent = self.maker.beside(ty);
                let never = self.maker.never(tangent, span);
                self.explode(never, ty, span)
            }
            Prim::Gadd => {
                let (b, a) = (tangents.swap_remove(1), tangents.swap_remove(0));
                self.sum(a, b, ty, span)
            }
            Prim::Push => {
                let (record, tape) = (tangents.swap_remove(1), tangents.swap_remove(0));
                let operands = [self.whole(tape, ty, span), self.whole(record, &type_of(self, 1), span)];
                let pushed = self.maker.prim(Prim::Push, &operands, span);
                Cot::Live(pushed)
            }
            Prim::Pop => {
                let tape = self.whole(tangents.swap_remove(0), &type_of(self, 0), span);
                let popped = self.maker.prim(Prim::Pop, &[tape], span);
                self.explode(popped, ty, span)
            }
            Prim::Element => {
                let vector = self.whole(tangents.swap_remove(0), &type_of(self, 0), span);
                let index = self.maker.primal(inputs[1]);
                let record = self.maker.prim(Prim::Element, &[vector, index], span);
                self.explode(record, ty, span)
            }
            Prim::Replace => {
                let (record, vector) = (tangents.swap_remove(2), tangents.swap_remove(0));
                let (vector, record) = (self.whole(vector, ty, span), self.whole(record, &type_of(self, 2), span));
                let index = self.maker.primal(inputs[1]);
                let replaced = self.maker.prim(Prim::Replace, &[vector, index, record], span);
                Cot::Live(replaced)
            }
            _ => self.row(n, prim, inputs, tangents, span),
        }
    }

    /// The box of a tangent as a whole.
    fn boxed(&mut self, content: Cot<M::V>, ty: &Type, span: Span) -> Cot<M::V> {
        if content.is_zero() {
            return Cot::Zero;
        }
        let whole = self.whole(content, ty, span);
        let boxed = self.maker.prim(Prim::Pack, &[whole], span);
        Cot::Live(boxed)
    }

    /// The tangent of a `select`: that of the arm taken.
    fn choose(&mut self, condition: NodeId, a: Cot<M::V>, b: Cot<M::V>, ty: &Type, span: Span) -> Cot<M::V> {
        match (a, b) {
            (Cot::Zero, Cot::Zero) => Cot::Zero,
            (a, b) if matches!(a, Cot::Tuple(_)) || matches!(b, Cot::Tuple(_)) => {
                let types = ty.fields().expect("a tuple of tangents belongs to a tuple").to_vec();
                let fields = types.iter().enumerate();
                let field = |c: &Cot<M::V>, i| c.clone().into_field(i);
                Cot::tuple(fields.map(|(i, t)| self.choose(condition, field(&a, i), field(&b, i), t, span)).collect())
            }
            (a, b) => {
                let condition = self.maker.primal(condition);
                let operands = [condition, self.whole(a, ty, span), self.whole(b, ty, span)];
                Cot::Live(self.maker.prim(Prim::Select, &operands, span))
            }
        }
    }

    /// The row of the derivative table: the sum of its entries, each on the tangent of its argument.
    fn row(&mut self, n: NodeId, prim: Prim, inputs: &[NodeId], tangents: Vec<Cot<M::V>>, span: Span) -> Cot<M::V> {
        if let Prim::Array(ArrayOp::Concat | ArrayOp::Make, _) = prim {
            return self.linear(n, prim, inputs, &tangents, false, span);
        }
        let rule = rules::rule(prim).unwrap_or_else(|| panic!("`{}` has a tangent but no derivative", prim.name()));
        if let Some(together) = &rule.together {
            return self.together(together, n, inputs, &tangents, span).map_or(Cot::Zero, Cot::Live);
        }
        if matches!(rule.kind, rules::Kind::Linear | rules::Kind::Each) {
            return self.linear(n, prim, inputs, &tangents, rule.kind == rules::Kind::Each, span);
        }
        let mut sum = Cot::Zero;
        for (entry, tangent) in rule.adjoints.iter().zip(tangents) {
            if let (Some(entry), Cot::Live(value)) = (entry, tangent) {
                let value = self.eval(entry, n, inputs, &On { g: &value, sum: None }, span);
                sum = self.sum(sum, Cot::Live(value), &Type::F64, span);
            }
        }
        sum
    }

    /// The pushforward of a primitive that is linear in its arguments with tangents, all at once or each by itself.
    fn linear(&mut self, n: NodeId, prim: Prim, inputs: &[NodeId], tangents: &[Cot<M::V>], each: bool, span: Span) -> Cot<M::V> {
        let is_live = |c: &Cot<M::V>| matches!(c, Cot::Live(_));
        let live: Vec<usize> = (0..inputs.len()).filter(|&i| is_live(&tangents[i])).collect();
        let groups: Vec<Vec<usize>> = if each { live.iter().map(|&i| vec![i]).collect() } else { vec![live] };
        let ty = self.maker.module()[n].ty.clone();
        let mut sum = Cot::Zero;
        for group in groups {
            let mut operands = Vec::with_capacity(inputs.len());
            for (i, &input) in inputs.iter().enumerate() {
                let operand = self.maker.module()[input].ty.clone();
                operands.push(match &tangents[i] {
                    Cot::Live(value) if group.contains(&i) => value.clone(),
                    _ if each || operand.is_inert() => self.maker.primal(input),
                    _ => self.maker.zero(&operand.cotangent()),
                });
            }
            let term = Cot::Live(self.maker.prim(prim, &operands, span));
            sum = self.sum(sum, term, &ty, span);
        }
        sum
    }

    /// The value of a pushforward of all arguments at once; none where it is structurally zero.
    fn together(&mut self, e: &Expr, n: NodeId, inputs: &[NodeId], tangents: &[Cot<M::V>], span: Span) -> Option<M::V> {
        let (prim, items) = match e {
            Expr::Op(prim, items) => (*prim, items),
            Expr::Array(op, attribute, items) => (Prim::Array(*op, self.attribute(*attribute, n)), items),
            _ => {
                return match e {
                    Expr::Tangent(i) => match &tangents[*i] {
                        Cot::Live(value) => Some(value.clone()),
                        _ => None,
                    },
                    Expr::Y => Some(self.maker.primal(n)),
                    Expr::Arg(i) => Some(self.maker.primal(inputs[*i])),
                    other => unreachable!("{other:?} does not occur in a pushforward of all arguments"),
                };
            }
        };
        let values: Vec<Option<M::V>> = items.iter().map(|i| self.together(i, n, inputs, tangents, span)).collect();
        match (prim, &values[..]) {
            (Prim::Add | Prim::Sub, [Some(a), None]) | (Prim::Add, [None, Some(a)]) => Some(a.clone()),
            (Prim::Sub, [None, Some(b)]) => Some(self.maker.prim(Prim::Neg, std::slice::from_ref(b), span)),
            _ => {
                let mut values: Vec<M::V> = values.into_iter().collect::<Option<_>>()?;
                let prim = strong(self.maker.module(), prim, items, &mut values);
                Some(self.row_prim(prim, &values, n, span))
            }
        }
    }
}

//! Comparisons of what is made of parts: as `derive` has them, of one part after the other.

use super::iterators::{At, Walk};
use super::place::Bound;
use super::{Lowerer, Result};
use crate::check::{Form, field_forms};
use crate::refusal::Refusal;
use crate::types::Kind;
use gradus_ir::{NodeId, Prim, Span};
use quote::ToTokens;
use syn::BinOp;

impl Lowerer<'_> {
    /// What a value is made of, arrays among it.
    pub(super) fn form_of(&self, kind: &Kind) -> Result<Form> {
        Ok(match kind {
            Kind::Array(element) => self.form_of(self.checked.types.kind(*element))?.of_elements(),
            Kind::Tuple(items) if !items.is_empty() => {
                let forms = items.iter().map(|&item| self.form_of(self.checked.types.kind(item))).collect::<Result<_>>()?;
                Form::Fields(kind.clone(), forms)
            }
            Kind::Struct(item) => Form::Fields(kind.clone(), field_forms(self.program, *item)?),
            _ => Form::Plain,
        })
    }

    /// An operator that compares two values of a kind that is made of parts.
    pub(super) fn compared(
        &mut self,
        op: &BinOp,
        kind: &Kind,
        [a, b]: [NodeId; 2],
        at: &impl ToTokens,
        span: Span,
    ) -> Result<NodeId> {
        if let Kind::Option(content) = kind {
            let content = self.form_of(self.checked.clone().types.kind(*content))?;
            let equal = self.equal_options(&content, a, b, span)?;
            return Ok(if matches!(op, BinOp::Eq(_)) { equal } else { self.prim(Prim::Not, &[equal], span) });
        }
        let form = self.form_of(kind)?;
        let (a, b, equal) = match op {
            BinOp::Eq(_) => return self.equal(&form, a, b, span),
            BinOp::Ne(_) => {
                let equal = self.equal(&form, a, b, span)?;
                return Ok(self.prim(Prim::Not, &[equal], span));
            }
            BinOp::Lt(_) => (a, b, false),
            BinOp::Le(_) => (a, b, true),
            BinOp::Gt(_) => (b, a, false),
            _ => (b, a, true),
        };
        let equal = self.m.bool(equal);
        self.less(&form, [a, b], equal, at, span)
    }

    /// Whether two values are equal: each part is.
    pub(super) fn equal(&mut self, form: &Form, a: NodeId, b: NodeId, span: Span) -> Result<NodeId> {
        match form {
            Form::Plain => Ok(self.prim(Prim::Eq, &[a, b], span)),
            Form::Fields(kind, forms) => {
                let mut all = self.m.bool(true);
                for (i, form) in forms.iter().enumerate() {
                    let [x, y] = [a, b].map(|whole| self.field(kind, whole, i, span));
                    let equal = self.equal(form, x, y, span)?;
                    all = self.prim(Prim::And, &[all, equal], span);
                }
                Ok(all)
            }
            Form::Array(1) => self.equal_arrays(&Form::Plain, &Form::Plain, a, b, span),
            Form::Array(axes) => self.equal_arrays(&Form::Plain, &Form::Array(axes - 1), a, b, span),
            Form::Rows(row) => self.equal_arrays(row, row, a, b, span),
            Form::Option(content, _) => self.equal_options(content, a, b, span),
            Form::Result(outcomes) => {
                let pair = Kind::Tuple(Vec::new());
                let mut all = self.m.bool(true);
                for (i, form) in [&Form::Plain, &outcomes[0].0, &outcomes[1].0].into_iter().enumerate() {
                    let [x, y] = [a, b].map(|result| self.field(&pair, result, i, span));
                    let equal = if i == 0 { self.equal(form, x, y, span)? } else { self.equal_options(form, x, y, span)? };
                    all = self.prim(Prim::And, &[all, equal], span);
                }
                Ok(all)
            }
        }
    }

    fn equal_arrays(&mut self, of: &Form, element: &Form, a: NodeId, b: NodeId, span: Span) -> Result<NodeId> {
        let lengths = [a, b].map(|array| self.length_of(of, array, span));
        let as_long = self.prim(Prim::Eq, &lengths, span);
        let compared = |me: &mut Self| {
            let (zero, [yes, no]) = (me.m.i64(0), [true, false].map(|v| me.m.bool(v)));
            let [x, y] = [a, b].map(|array| Box::new(At::Element(of.clone(), Bound::Value(array))));
            let walk = Walk { from: zero, to: lengths[0], at: At::Both(x, zero, y, zero) };
            me.search(&walk, yes, span, |me, both| {
                let pair = Kind::Tuple(Vec::new());
                let [x, y] = [0, 1].map(|i| me.bound_field(&pair, both, i, span)).map(|part| me.bound_value(&part, span));
                let equal = me.equal(element, x, y, span)?;
                Ok([me.prim(Prim::Not, &[equal], span), no])
            })
        };
        self.chosen(as_long, span, compared, |me| Ok(me.m.bool(false)))
    }

    /// Whether two options are both nothing, or have equal contents.
    fn equal_options(&mut self, form: &Form, a: NodeId, b: NodeId, span: Span) -> Result<NodeId> {
        let no = self.m.bool(false);
        self.either(
            a,
            span,
            |me, x| me.either(b, span, |me, y| me.equal(form, x, y, span), |_| Ok(no)),
            |me| {
                let none = me.unit();
                Ok(me.prim(Prim::Eq, &[b, none], span))
            },
        )
    }

    /// Whether one value is less than another: the first parts that differ decide. What is given stands for equal ones.
    fn less(&mut self, form: &Form, [a, b]: [NodeId; 2], equal: NodeId, at: &impl ToTokens, span: Span) -> Result<NodeId> {
        let Form::Fields(kind, forms) = form else {
            return Err(Refusal::unsupported(at, "an order of arrays or options").hint("compare their parts"));
        };
        let mut result = equal;
        for (i, form) in forms.iter().enumerate().rev() {
            let [x, y] = [a, b].map(|whole| self.field(kind, whole, i, span));
            let same = self.equal(form, x, y, span)?;
            let less = match form {
                Form::Plain => self.prim(Prim::Lt, &[x, y], span),
                form => {
                    let no = self.m.bool(false);
                    self.less(form, [x, y], no, at, span)?
                }
            };
            let further = self.prim(Prim::And, &[same, result], span);
            result = self.prim(Prim::Or, &[less, further], span);
        }
        Ok(result)
    }
}

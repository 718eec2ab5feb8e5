//! Arrays of structs and of tuples: a struct or a tuple of arrays, so that numbers lie side by side, and what is done to an array is done
//! to each of these.
//!
//! ```text
//! [S; 2] of S { x: f64, v: [f64; 3] }      S { x: f64[2], v: f64[2, 3] }
//! a[i].v[j]                                a.v[i, j]
//! ```

use super::{Lowerer, Result};
use crate::check::{Form, field_forms};
use crate::types::Kind;
use gradus_ir::{NodeId, Prim, Span};

impl Lowerer<'_> {
    /// What the elements of an array are made of that are no arrays themselves.
    pub(super) fn layout(&self, of: &Kind) -> Result<Form> {
        Ok(match of {
            Kind::Array(element) => self.layout(self.checked.types.kind(*element))?,
            Kind::Tuple(items) if !items.is_empty() => {
                let forms = items.iter().map(|&item| self.layout(self.checked.types.kind(item))).collect::<Result<_>>()?;
                Form::Fields(of.clone(), forms)
            }
            Kind::Struct(item) => Form::Fields(of.clone(), field_forms(self.program, *item)?),
            _ => Form::Plain,
        })
    }

    /// Does something to each array, or to each number, that values of one form are made of.
    pub(super) fn each(
        &mut self,
        form: &Form,
        values: &[NodeId],
        span: Span,
        f: &mut impl FnMut(&mut Self, &[NodeId]) -> NodeId,
    ) -> NodeId {
        match form {
            Form::Plain | Form::Array(_) | Form::Option(..) | Form::Result(_) => f(self, values),
            Form::Rows(inner) => self.each(inner, values, span, f),
            Form::Fields(kind, forms) => {
                let fields: Vec<NodeId> = forms
                    .iter()
                    .enumerate()
                    .map(|(i, form)| {
                        let parts: Vec<NodeId> = values.iter().map(|&value| self.field(kind, value, i, span)).collect();
                        self.each(form, &parts, span, f)
                    })
                    .collect();
                self.composed(kind, &fields, span)
            }
        }
    }

    /// The array of these elements.
    pub(super) fn array_of(&mut self, form: &Form, items: &[NodeId], span: Span) -> NodeId {
        self.each(form, items, span, &mut |me, items| {
            let items = me.prim(Prim::Tuple, items, span);
            me.prim(Prim::AsArray, &[items], span)
        })
    }

    /// The element of an array, or the elements that a slice picks.
    pub(super) fn item(&mut self, form: &Form, array: NodeId, index: NodeId, span: Span) -> NodeId {
        self.each(form, &[array], span, &mut |me, arrays| me.prim(Prim::GetItem, &[arrays[0], index], span))
    }

    /// The array with another element, or with others for those that a slice picks.
    pub(super) fn with_item(&mut self, form: &Form, array: NodeId, index: NodeId, value: NodeId, span: Span) -> NodeId {
        self.each(form, &[array, value], span, &mut |me, both| me.prim(Prim::SetItem, &[both[0], index, both[1]], span))
    }

    /// How many elements an array has.
    pub(super) fn length_of(&mut self, form: &Form, array: NodeId, span: Span) -> NodeId {
        match form {
            Form::Plain | Form::Array(_) | Form::Option(..) | Form::Result(_) => self.prim(Prim::Len, &[array], span),
            Form::Rows(inner) => self.length_of(inner, array, span),
            Form::Fields(kind, forms) => {
                let first = self.field(kind, array, 0, span);
                self.length_of(&forms[0], first, span)
            }
        }
    }
}

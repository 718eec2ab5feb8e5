//! How arguments come in and the result goes out: to callers `[T; N]` is a tuple of known length, to the program an array.

use super::{Lowerer, Result};
use crate::check::{self, Form};
use crate::program::FunctionId;
use gradus_ir::{Flavor, GraphId, NodeId, Prim, Role, Span, Type};

impl Lowerer<'_> {
    /// The graph that callers enter by: the function, or one around it that converts.
    pub(super) fn entry(&mut self, f: GraphId) -> Result<GraphId> {
        self.current = FunctionId { item: 0, index: 0 };
        let (params, result) = check::boundary(self.program, self.current)?;
        if !params.iter().chain([&result]).any(Form::has_array) {
            return Ok(f);
        }
        let (name, span) = (self.m[f].name.clone(), self.m[f].span);
        let entry = self.m.add_graph(name.clone(), Flavor::Function, Role::Primal, span);
        self.push_frame(entry, name.to_string());
        let mut args = Vec::new();
        for (form, model) in params.iter().zip(self.m[f].params.clone()) {
            let (name, span) = (self.m[model].name.clone(), self.m[model].span);
            let param = self.m.add_param(entry, Type::Unknown, name, span);
            args.push(self.inward(form, param, span));
        }
        let callee = self.m.graph_ref(f);
        let value = self.call_node(callee, &args, span);
        let value = self.outward(&result, value, span)?;
        self.end(value, span);
        Ok(self.pop_frame())
    }

    fn inward(&mut self, form: &Form, value: NodeId, span: Span) -> NodeId {
        match form {
            _ if !form.has_array() => value,
            Form::Plain => value,
            Form::Array(_) => self.prim(Prim::AsArray, &[value], span),
            Form::Rows(form) => self.columns(form, value, span),
            Form::Fields(kind, forms) => {
                let fields: Vec<NodeId> = (0..forms.len())
                    .map(|i| {
                        let field = self.field(kind, value, i, span);
                        self.inward(&forms[i], field, span)
                    })
                    .collect();
                self.composed(kind, &fields, span)
            }
        }
    }

    /// An array of structs or tuples, from the tuple of these.
    fn columns(&mut self, form: &Form, rows: NodeId, span: Span) -> NodeId {
        match form {
            Form::Plain | Form::Array(_) => self.prim(Prim::AsArray, &[rows], span),
            Form::Fields(kind, forms) => {
                let fields = forms.iter().enumerate().map(|(i, form)| {
                    let column = self.gathered(&Form::Plain, rows, span, |me, row| Ok(me.field(kind, row, i, span)));
                    self.columns(form, column.expect("a field is there"), span)
                });
                let fields: Vec<NodeId> = fields.collect();
                self.composed(kind, &fields, span)
            }
            // The rows of each, in one: their arrays have an axis more.
            Form::Rows(form) => {
                let rows = self.gathered(&Form::Plain, rows, span, |me, row| Ok(me.columns(form, row, span)));
                self.columns(form, rows.expect("it is an array"), span)
            }
        }
    }

    /// The tuple of the elements of an array, each as it goes out.
    fn rows(&mut self, of: &Form, element: &Form, array: NodeId, span: Span) -> Result<NodeId> {
        self.gathered(of, array, span, |me, row| me.outward(element, row, span))
    }

    fn outward(&mut self, form: &Form, value: NodeId, span: Span) -> Result<NodeId> {
        match form {
            _ if !form.has_array() => Ok(value),
            Form::Plain => Ok(value),
            Form::Array(1) => Ok(self.prim(Prim::TupleOf, &[value], span)),
            Form::Array(axes) => self.rows(&Form::Plain, &Form::Array(axes - 1), value, span),
            Form::Rows(form) => self.rows(form, form, value, span),
            Form::Fields(kind, forms) => {
                let fields = (0..forms.len()).map(|i| {
                    let field = self.field(kind, value, i, span);
                    self.outward(&forms[i], field, span)
                });
                let fields = fields.collect::<Result<Vec<_>>>()?;
                Ok(self.composed(&kind.clone(), &fields, span))
            }
        }
    }
}

impl Form {
    /// Whether an array is in it.
    pub(super) fn has_array(&self) -> bool {
        match self {
            Form::Plain => false,
            Form::Array(_) | Form::Rows(_) => true,
            Form::Fields(_, forms) => forms.iter().any(Form::has_array),
        }
    }
}

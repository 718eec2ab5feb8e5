//! How arguments come in and the result goes out: to callers `[T; N]` is a tuple of known length, to the program an array.

use super::{Lowerer, Result};
use crate::check::{self, Absent, Form};
use crate::program::FunctionId;
use crate::types::Kind;
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
            args.push(self.inward(form, param, span)?);
        }
        let callee = self.m.graph_ref(f);
        let value = self.call_node(callee, &args, span);
        let value = self.outward(&result, value, span)?;
        self.end(value, span);
        Ok(self.pop_frame())
    }

    fn inward(&mut self, form: &Form, value: NodeId, span: Span) -> Result<NodeId> {
        match form {
            _ if !form.has_array() => Ok(value),
            Form::Plain => Ok(value),
            Form::Array(_) => Ok(self.prim(Prim::AsArray, &[value], span)),
            Form::Rows(form) => Ok(self.columns(form, value, span)),
            Form::Fields(kind, forms) => {
                let mut fields = Vec::with_capacity(forms.len());
                for (i, form) in forms.iter().enumerate() {
                    let field = self.field(kind, value, i, span);
                    fields.push(self.inward(form, field, span)?);
                }
                Ok(self.composed(kind, &fields, span))
            }
            Form::Option(form, _) => {
                let [exists, content] = self.items(value, span);
                self.chosen(exists, span, |me| me.inward(form, content, span), |me| Ok(me.unit()))
            }
            Form::Result(outcomes) => {
                let [is_ok, value, error] = self.items(value, span);
                let part = |ok: bool| {
                    move |me: &mut Self| {
                        let (form, content) = if ok { (&outcomes[0].0, value) } else { (&outcomes[1].0, error) };
                        let content = me.inward(form, content, span)?;
                        Ok(me.outcome(ok, content, span))
                    }
                };
                self.chosen(is_ok, span, part(true), part(false))
            }
        }
    }

    /// The items of a tuple.
    fn items<const N: usize>(&mut self, tuple: NodeId, span: Span) -> [NodeId; N] {
        std::array::from_fn(|i| self.field(&Kind::Tuple(Vec::new()), tuple, i, span))
    }

    /// An array of structs or tuples, from the tuple of these.
    fn columns(&mut self, form: &Form, rows: NodeId, span: Span) -> NodeId {
        match form {
            Form::Plain | Form::Array(_) | Form::Option(..) | Form::Result(_) => self.prim(Prim::AsArray, &[rows], span),
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
            Form::Option(form, absent) => {
                let exists = self.is_some(value, span);
                self.given(exists, |me| me.content(value, span), form, absent, span)
                    .map(|[flag, content]| self.prim(Prim::Tuple, &[flag, content], span))
            }
            Form::Result(outcomes) => {
                let [is_ok, ok, error] = self.items(value, span);
                let is_err = self.prim(Prim::Not, &[is_ok], span);
                let [(form, absent), (error_form, error_absent)] = &**outcomes;
                let narrowed = |content: NodeId, absent: &Absent| {
                    let may_be_none = *absent == Absent::None;
                    move |me: &mut Self| if may_be_none { content } else { me.content(content, span) }
                };
                let [_, ok] = self.given(is_ok, narrowed(ok, absent), form, absent, span)?;
                let [_, error] = self.given(is_err, narrowed(error, error_absent), error_form, error_absent, span)?;
                Ok(self.prim(Prim::Tuple, &[is_ok, ok, error], span))
            }
        }
    }

    /// What was in an option, where structs lie in boxes, as the structs themselves.
    fn opened(&mut self, form: &Form, value: NodeId, span: Span) -> NodeId {
        let Form::Fields(kind, forms) = form else { return value };
        let fields = forms.iter().enumerate().map(|(i, form)| {
            let field = self.field(kind, value, i, span);
            self.opened(form, field, span)
        });
        let fields: Vec<NodeId> = fields.collect();
        self.composed(kind, &fields, span)
    }

    /// A condition, and a value as it goes out where that holds; zeros where it does not.
    fn given(
        &mut self,
        exists: NodeId,
        content: impl FnOnce(&mut Self) -> NodeId,
        form: &Form,
        absent: &Absent,
        span: Span,
    ) -> Result<[NodeId; 2]> {
        let there = |me: &mut Self| {
            let content = content(me);
            let content = me.opened(form, content, span);
            me.outward(form, content, span)
        };
        let content = self.chosen(exists, span, there, |me| {
            let zeros = me.zeros(absent, &mut Vec::new(), span);
            me.outward(form, zeros, span)
        })?;
        Ok([exists, content])
    }
}

impl Form {
    /// Whether an array, an option or a result is in it.
    pub(super) fn has_array(&self) -> bool {
        match self {
            Form::Plain => false,
            Form::Array(_) | Form::Rows(_) | Form::Option(..) | Form::Result(_) => true,
            Form::Fields(_, forms) => forms.iter().any(Form::has_array),
        }
    }
}

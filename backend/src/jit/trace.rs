//! The operations on the tape of a derivative that is traced: calls of the runtime.

use super::layout::{WORD, fields};
use super::lower::Lower;
use crate::error::BackendError;
use cranelift::prelude::{Value, types};
use gradus_ir::{NodeId, Span, TraceOp, Type};

impl Lower<'_, '_> {
    /// The scalars of an operation.
    pub fn trace(&mut self, op: TraceOp, n: NodeId, span: Span) -> Result<Vec<Value>, BackendError> {
        let m = self.unit.m;
        let inputs = m[n].inputs();
        let given = self.operands(inputs)?;
        let (context, place) = (self.context, self.place(span));
        Ok(match op {
            TraceOp::Open => vec![self.helper("gradus_trace_open", &[context, place], WORD)?],
            TraceOp::Variable => vec![self.helper("gradus_trace_variable", &[context, place], WORD)?],
            TraceOp::Note => {
                vec![self.helper("gradus_trace_note", &[&[context], &given[..], &[place]].concat(), WORD)?]
            }
            TraceOp::Call => vec![self.helper("gradus_trace_call", &[context, given[0], given[1], given[2], place], WORD)?],
            TraceOp::Add => {
                match m[inputs[1]].ty.clone() {
                    Type::Array(dtype, shape) => {
                        self.hand_out(&inputs[1..2])?;
                        let [bytes, count] = [dtype.bytes(), shape.count()].map(|n| self.word(n as i64));
                        let args = [context, given[0], given[1], bytes, count, place];
                        self.helper_effect("gradus_trace_add_array", &args)?;
                    }
                    Type::F64 => self.helper_effect("gradus_trace_add_float", &[context, given[0], given[1], place])?,
                    Type::Vec(record) => {
                        let [shape, _] = self.box_shape(&fields(&record))?;
                        self.helper_effect("gradus_trace_add_vector", &[context, given[0], given[1], shape, place])?;
                    }
                    _ => self.helper_effect("gradus_trace_add_box", &[context, given[0], given[1], place])?,
                }
                vec![given[2]]
            }
            TraceOp::Take => {
                let cotangent = match m[n].ty.fields() {
                    Some([Type::Array(dtype, shape), _]) => {
                        let array = self.helper("gradus_trace_take_array", &[context, given[0]], WORD)?;
                        self.held_array(array, *dtype, dtype.bytes() * shape.count(), true, span)?
                    }
                    _ => self.helper("gradus_trace_take_float", &[context, given[0]], types::F64)?,
                };
                vec![cotangent, given[1]]
            }
            TraceOp::Next => vec![self.helper("gradus_trace_next", &[context, given[0], given[1]], WORD)?],
            TraceOp::Step => vec![self.helper("gradus_trace_step", &[context, given[0]], WORD)?],
            TraceOp::Close => {
                self.helper_effect("gradus_trace_close", &[context])?;
                vec![given[0]]
            }
            TraceOp::After => vec![given[0]],
        })
    }
}

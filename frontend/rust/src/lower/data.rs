//! Values of structs and enums. An enum is a record of the number of its variant and of the data of each; that of the others is zeros, so
//! that all values of the enum have one type.

use super::{Lowerer, Result};
use crate::check::{Absent, Shape, absent};
use crate::data::Data;
use crate::refusal::Refusal;
use crate::types::Kind;
use gradus_ir::{ArrayOp, NodeId, Prim, Span};

impl<'p> Lowerer<'p> {
    /// A struct or a variant of these fields.
    pub(super) fn made(&mut self, (of, variant): Shape, members: &[NodeId], span: Span) -> Result<NodeId> {
        let kind = Kind::Struct(of);
        let Some(variant) = variant else { return Ok(self.composed(&kind, members, span)) };
        let program = self.program;
        let variant = &program.variants(of)[variant];
        let mut fields = vec![self.m.i64(variant.tag)];
        for field in 1..program.fields(of).len() {
            fields.push(match members {
                [one] if variant.field == Some(field) => *one,
                several if variant.field == Some(field) => self.prim(Prim::Tuple, several, span),
                _ => {
                    let nothing = absent(program, of, field)?;
                    self.zeros(&nothing, &mut Vec::new(), span)
                }
            });
        }
        Ok(self.composed(&kind, &fields, span))
    }

    /// What stands in the place of a value; of several in the place of an array of such lengths.
    pub(super) fn zeros(&mut self, absent: &Absent, lengths: &mut Vec<NodeId>, span: Span) -> NodeId {
        match absent {
            Absent::None => self.unit(),
            Absent::Number(kind) => {
                let zero = self.zero_of(kind);
                if lengths.is_empty() {
                    return zero;
                }
                let shape = self.prim(Prim::Tuple, lengths, span);
                self.prim(Prim::Lift(ArrayOp::Broadcast), &[zero, shape], span)
            }
            Absent::Array(element, length) => {
                lengths.push(self.m.i64(*length as i64));
                let zeros = self.zeros(element, lengths, span);
                lengths.pop();
                zeros
            }
            Absent::Fields(kind, fields) => {
                let fields: Vec<NodeId> = fields.iter().map(|field| self.zeros(field, lengths, span)).collect();
                self.composed(kind, &fields, span)
            }
        }
    }

    /// `Point { x, y }` or `Shape::Rect { width, height }`.
    pub(super) fn structure(&mut self, s: &'p syn::ExprStruct) -> Result<NodeId> {
        let shape = self.checked.shape(s).expect("the check found what is made");
        let (span, names) = (self.span(s), self.program.members(shape));
        let mut fields = vec![None; names.len()];
        for field in &s.fields {
            let index = Data::position(names, &field.member).expect("the check found the field");
            fields[index] = Some(self.expr(&field.expr)?);
        }
        let rest = s.rest.as_deref().map(|rest| self.expr(rest)).transpose()?;
        let mut all = Vec::with_capacity(fields.len());
        for (i, field) in fields.into_iter().enumerate() {
            all.push(match (field, rest) {
                (Some(field), _) => field,
                (None, Some(rest)) => self.field(&Kind::Struct(shape.0), rest, i, span),
                (None, None) => return Err(Refusal::new(s, "a field is missing")),
            });
        }
        self.made(shape, &all, span)
    }

    /// The number of the variant that a value of an enum is.
    pub(super) fn tag(&mut self, of: usize, value: NodeId, span: Span) -> NodeId {
        self.field(&Kind::Struct(of), value, 0, span)
    }

    /// Where a member of a struct, or of a variant that a value is, lies: the fields on the way to it, and what they are fields of.
    pub(super) fn way_to_member(&self, (of, variant): Shape, index: usize) -> Vec<(Kind, usize)> {
        let whole = Kind::Struct(of);
        let Some(variant) = variant else { return vec![(whole, index)] };
        let variant = &self.program.variants(of)[variant];
        let content = (whole, variant.field.expect("a variant with members has data"));
        // Items of tuples are found by their places alone.
        if variant.members.len() == 1 { vec![content] } else { vec![content, (Kind::Tuple(Vec::new()), index)] }
    }
}

//! `jvp(f, args, tangents)`: a call of a function for its value and its tangent.

use super::abs::Abs;
use super::calls::{Shape, Signature, Target};
use super::engine::{Engine, Stop};
use super::instances::InstId;
use super::layout::made_by;
use super::prims::{Ops, Value};
use super::tangents::has_boxes;
use super::wrappers::has_float;
use crate::array::DType;
use crate::build::zero_value;
use crate::graph::NodeId;
use crate::prim::Prim;
use crate::span::{Diagnostic, Span};
use crate::types::Type;

impl Engine {
    /// Looks at a `jvp` node.
    pub(super) fn pushforward(&mut self, id: InstId, node: NodeId) -> Result<Abs, Stop> {
        let inputs = self.m[node].inputs().to_vec();
        let span = self.m[node].span;
        let [function, args, tangents] = [0, 1, 2].map(|i| self.operand(id, inputs[i]));
        if [&function, &args, &tangents].iter().any(|a| a.is_bottom()) {
            return Ok(Abs::Bottom);
        }
        let refuse = |message: String, operand: usize, found: &Abs| {
            let label = format!("this is {}", found.a());
            Diagnostic::refused(span, message).label(self.m[inputs[operand]].span, label)
        };
        if self.is_callable(&function) {
            let graph = self.jvp_of_record();
            return self.stands_for(id, node, graph, inputs);
        }
        let Abs::Func(set) = &function else {
            return Err(refuse(format!("`jvp` needs a function, this is {}", function.a()), 0, &function).into());
        };
        let (args, tangents) = match (&args, &tangents) {
            (Abs::Tuple(args, _), Abs::Tuple(tangents, _)) => (args, tangents),
            (Abs::Tuple(..), other) | (other, _) => {
                let (what, i) = if matches!(args, Abs::Tuple(..)) { ("tangents", 2) } else { ("arguments", 1) };
                let d = refuse(format!("the {what} of `jvp` are a tuple, this is {}", other.a()), i, other);
                return Err(d.hint("write `(x,)` for a single one").into());
            }
        };
        if args.len() != tangents.len() {
            let (n, k) = (args.len(), tangents.len());
            let message = format!("`jvp` is given arguments and tangents, but {n} of the one and {k} of the other");
            return Err(Diagnostic::refused(span, message).into());
        }
        let are_ints: Vec<bool> =
            args.iter().zip(tangents.iter()).map(|(a, t)| matches!(a, Abs::I64(_)) && t.is_number()).collect();
        if are_ints.contains(&true) {
            let graph = self.jvp_in_ints(are_ints);
            return self.stands_for(id, node, graph, inputs);
        }
        args.iter().zip(tangents.iter()).try_for_each(|(a, t)| self.want_given(id, t, a, span))?;
        if let Some((message, hint)) = args.iter().zip(tangents.iter()).find_map(|(a, t)| misfit(a, t, "tangent")) {
            return Err(Diagnostic::refused(span, message).label(self.m[inputs[2]].span, "the tangents").hint(hint).into());
        }
        let spans = self.spans_of(inputs[1], args.len(), span);
        let shape = Shape { count: args.len(), keywords: [].into() };
        let signature = Signature::new(shape, args.to_vec());
        let with_boxes = args.iter().chain(tangents.iter()).any(has_boxes);
        let is_made_here = made_by(self, id, inputs[0]).is_some();
        let (callee, result) = self.function_call(id, set, is_made_here, signature, &spans, span)?;
        self.want_records(id, &result, span)?;
        if !result.is_bottom() && (with_boxes || has_boxes(&result)) && has_float(&result) && !result.has_function() {
            let graph = self.jvp_graph();
            return self.stands_for(id, node, graph, inputs);
        }
        self.record(id, node, Target::Pushforward(callee));
        if result.is_bottom() {
            return Ok(Abs::Bottom);
        }
        if result.has_function() || !has_float(&result) {
            let message = format!("`jvp` needs a function that returns floats, this returns {}", result.a());
            let place = self.instances[id].calls[&node].result_span(&self.instances);
            return Err(Diagnostic::refused(span, message).label(place, format!("{} is returned here", result.a())).into());
        }
        let tangent = Value { abs: result.cotangent(), node: NodeId::default() };
        let tangent = Ops { out: None, span, classes: &mut self.classes, wants_constant: &mut false }.shaped(&tangent, &result);
        Ok(Abs::tuple([result, tangent.abs]))
    }

    /// The places of the items of a tuple, if it is written where it is used.
    fn spans_of(&self, tuple: NodeId, len: usize, otherwise: Span) -> Vec<Span> {
        match self.m.as_prim(tuple) {
            Some(Prim::Tuple) => self.m[tuple].inputs().iter().map(|&n| self.m[n].span.or(otherwise)).collect(),
            _ => vec![self.m[tuple].span.or(otherwise); len],
        }
    }
}

/// What messages call a tangent or cotangent that is given: by its name, or that of what a rule gives.
pub(super) fn called(name: &Abs) -> &str {
    match name {
        Abs::Str(Some(name)) => name,
        Abs::Tuple(rule_and_name, _) => called(&rule_and_name[1]),
        _ => "cotangent",
    }
}

/// What is wrong with a tangent, or a cotangent, as `what` calls it, of a value, and what to do.
pub(super) fn misfit(arg: &Abs, tangent: &Abs, what: &str) -> Option<(String, &'static str)> {
    match (arg, tangent) {
        (_, Abs::None) => None,
        (arg, given) if given.is_cotangent_of(arg) => None,
        // Whose fields are looked at one by one.
        (Abs::Boxed(_), Abs::Boxed(_) | Abs::Record(..)) | (Abs::Record(..), Abs::Boxed(_))
            if arg.schema() == tangent.schema() =>
        {
            None
        }
        // What is looked at first may be known to be more later.
        (Abs::None, Abs::Union(kinds)) if kinds.contains(&Abs::None) => None,
        (arg, Abs::Union(kinds)) => kinds.iter().find_map(|kind| misfit(arg, kind, what)),
        (Abs::Union(kinds), given) if kinds.iter().any(|kind| misfit(kind, given, what).is_none()) => None,
        (list, given) if list.element().is_some() => {
            let element = list.element().expect("a list");
            match (given.element(), given) {
                (Some(given), _) => misfit(element, given, what),
                (None, Abs::Tuple(items, _)) => items.iter().find_map(|item| misfit(element, item, what)),
                _ => Some((
                    format!("a {what} of {} is shaped like it, this is {}", list.a(), given.a()),
                    "`None` stands for no change",
                )),
            }
        }
        (Abs::F64(_), t) if t.is_number() => None,
        (Abs::Array(DType::F32 | DType::F64, shape), Abs::Array(_, given)) if shape == given => None,
        (Abs::Tuple(args, _), Abs::Tuple(tangents, _)) if args.len() == tangents.len() => {
            args.iter().zip(tangents.iter()).find_map(|(a, t)| misfit(a, t, what))
        }
        (Abs::Tuple(args, _), Abs::Tuple(tangents, _)) => {
            let n = tangents.len();
            let given = if n == 1 { format!("one {what} is given") } else { format!("{n} {what}s are given") };
            let needed = if args.len() == 1 { "one value".to_owned() } else { format!("{} values", args.len()) };
            Some((format!("{given} for {needed}"), "give one for each; `None` stands for no change"))
        }
        (Abs::Record(schema, args), Abs::Record(given, tangents)) if schema == given => {
            args.iter().zip(tangents.iter()).find_map(|(a, t)| misfit(a, t, what))
        }
        (z, t) if z.is_complex() && t.is_number() => None,
        (
            Abs::F64(_)
            | Abs::Array(DType::F32 | DType::F64, _)
            | Abs::Tuple(..)
            | Abs::Record(..)
            | Abs::Boxed(_)
            | Abs::Union(_),
            t,
        ) => Some((format!("a {what} of {} is shaped like it, this is {}", arg.a(), t.a()), "`None` stands for no change")),
        (Abs::I64(_) | Abs::Bool(_) | Abs::Array(..), _) => {
            Some((format!("{} has no {what}", arg.a()), "give a float: write `3.0`, not `3`; or `None` for it"))
        }
        _ => Some(no_tangent(arg, what)),
    }
}

/// What is said, and advised, where a tangent is given for what has none.
pub(super) fn no_tangent(arg: &Abs, what: &str) -> (String, &'static str) {
    (format!("{} is given no {what}", arg.a()), "write `None`")
}

impl Ops<'_> {
    /// The tangent, or cotangent, of a value of type `ty`: zero where it is given as `None`.
    pub(super) fn tangent(&mut self, given: &Value, ty: &Type) -> Value {
        if self.out.as_ref().is_some_and(|out| out.m[given.node].ty == ty.cotangent()) {
            return given.clone();
        }
        match (&given.abs, ty) {
            (Abs::Tuple(..) | Abs::Record(..), Type::Tuple(types)) => {
                let mut fields = Vec::with_capacity(types.len());
                for (i, ty) in types.iter().enumerate() {
                    let field = self.field(given, i);
                    fields.push(self.tangent(&field, ty));
                }
                self.tuple(&fields)
            }
            (abs, Type::F64) if abs.is_number() => self.floating(given),
            // A real number for a complex one.
            (abs, Type::Tuple(_)) if abs.is_number() => {
                let parts = [self.floating(given), self.float(0.0)];
                self.tuple(&parts)
            }
            (Abs::Array(..), Type::Array(dtype, _)) => self.cast(given, *dtype).expect("the elements of an array are converted"),
            _ => {
                let node = self.out.as_mut().map_or_else(NodeId::default, |out| zero_value(out.m, out.g, &ty.cotangent()));
                Value { abs: Abs::Zero, node }
            }
        }
    }
}

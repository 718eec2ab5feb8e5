//! What the toolbox of derivatives is made of, beside the language: functions and their derivatives applied to tuples of arguments,
//! functions with rules of their own, and cotangents as programs write them.
//!
//! ```text
//! applied(f, args)                    f(*args)
//! pulled(f, args)                     J(f)(*args)                      the pullback gives (f̄, ā, …), all as derivatives pass them
//! pushed(f, f′, args, tangents)       F(f)(f′, *args, *tangents)
//! pushed_series(f, f′s, args, terms)  the same of a higher order: the tuples hold a term for each order
//! applied_ruled(p, j, f, args)        ruled(p, j, f)(*args)            j a J of p, f an F of p: docs/strategies.md §1
//! given(c, x), shown(c, x)            a cotangent of x from the program, and to it
//! ```

use super::abs::Abs;
use super::calls::{Callee, Shape, Signature, Target};
use super::effects::Sites;
use super::emit::{Emitter, Place};
use super::engine::{Engine, Stop};
use super::forward::{called, misfit, no_tangent};
use super::instances::InstId;
use super::layout::made_by;
use super::prims::{Ops, Result, Value};
use crate::build::zero_value;
use crate::graph::{Const, NodeId};
use crate::prim::Prim;
use crate::span::{Diagnostic, Span};
use crate::types::Type;
use std::rc::Rc;

/// A call of a function with rules: the function, and those of its rules that are needed.
#[derive(Clone, Debug)]
pub(super) struct Ruled {
    /// The function.
    primal: Part,
    /// The rule of reverse mode, and the pullback that it makes.
    reverse: Option<(Part, Callee)>,
    /// The rule of forward mode.
    forward: Option<Part>,
    /// Rules that are needed and give no result, since they are refused, and what each is for.
    refused: Vec<(Prim, InstId)>,
}

/// One of the functions: its instance for a signature, and its result.
#[derive(Clone, Debug)]
struct Part {
    id: InstId,
    signature: Signature,
    result: Abs,
}

impl Ruled {
    /// The instances of the functions.
    pub(super) fn parts(&self) -> impl Iterator<Item = InstId> {
        let rules = self.reverse.iter().map(|(part, _)| part).chain(&self.forward);
        std::iter::once(&self.primal).chain(rules).map(|part| part.id)
    }

    /// The pullback that the rule of reverse mode makes.
    pub(super) fn pullback(&self) -> Option<&Callee> {
        self.reverse.as_ref().map(|(_, pullback)| pullback)
    }

    /// All instances that may be called.
    pub(super) fn instances(&self, list: &mut Vec<InstId>) {
        list.push(self.primal.id);
        self.rules(Prim::J, list);
        self.rules(Prim::F, list);
    }

    /// Those of the rule for the derivative that an operator takes.
    pub(super) fn rules(&self, operator: Prim, list: &mut Vec<InstId>) {
        list.extend(self.refused.iter().filter(|(of, _)| *of == operator).map(|(_, id)| id));
        match (operator, &self.reverse) {
            (Prim::F, _) => list.extend(self.forward.iter().map(|part| part.id)),
            (_, Some((part, pullback))) => {
                list.push(part.id);
                pullback.instances(list);
            }
            (_, None) => {}
        }
    }
}

impl Engine {
    /// Looks at a call with a tuple of arguments, of a function or of a derivative of it.
    pub(super) fn applied(&mut self, id: InstId, node: NodeId) -> std::result::Result<Abs, Stop> {
        let prim = self.m.as_prim(node).expect("an application");
        let inputs = self.m[node].inputs().to_vec();
        let span = self.place(id, node);
        let operands: Vec<Abs> = inputs.iter().map(|&n| self.operand(id, n)).collect();
        if operands.iter().any(Abs::is_bottom) {
            return Ok(Abs::Bottom);
        }
        let Abs::Tuple(args, _) = &operands[prim.arguments()] else { unreachable!("arguments are a tuple") };
        if self.is_callable(&operands[0]) {
            let graph = self.applied_to_record(prim, node, args.len(), operands.get(1).map_or(0, |own| order_of(prim, own)));
            return self.stands_for(id, node, graph, inputs);
        }
        let Abs::Func(set) = &operands[0] else {
            let d = Diagnostic::refused(span, format!("a function is needed here, this is {}", operands[0].a()));
            return Err(d.label(self.m[inputs[0]].span, format!("this is {}", operands[0].a())).into());
        };
        for tangents in operands.get(3).into_iter().flat_map(|given| terms(prim, given)) {
            let Abs::Tuple(tangents, _) = tangents else { unreachable!("tangents are a tuple") };
            if let Some((message, hint)) = args.iter().zip(tangents.iter()).find_map(|(a, t)| misfit(a, t, "tangent")) {
                return Err(Diagnostic::refused(span, message).hint(hint).into());
            }
        }
        let signature = plain(args.to_vec());
        let spans = vec![span; args.len()];
        let is_made_here = made_by(self, id, inputs[0]).is_some();
        let (callee, result) = self.function_call(id, set, is_made_here, signature, &spans, span)?;
        let abs = match prim {
            _ if result.is_bottom() => Abs::Bottom,
            Prim::Applied => result,
            Prim::Pushed | Prim::PushedSeries => {
                let terms = std::iter::repeat_n(result.cotangent(), order_of(prim, &operands[1]));
                Abs::tuple(std::iter::once(result.broaden()).chain(terms))
            }
            _ => self.differentiated(&callee, &result, None, span)?,
        };
        self.record(id, node, Target::Applied(callee));
        Ok(abs)
    }

    /// The order of a series that a function is given.
    pub(super) fn order_of_series(&mut self, id: InstId, node: NodeId) -> usize {
        let own = self.m[node].inputs()[1];
        order_of(Prim::PushedSeries, &self.operand(id, own))
    }

    /// Looks at a call of a function with rules.
    pub(super) fn applied_ruled(&mut self, id: InstId, node: NodeId) -> std::result::Result<Abs, Stop> {
        let inputs = self.m[node].inputs().to_vec();
        let span = self.place(id, node);
        let operands: Vec<Abs> = inputs.iter().map(|&n| self.operand(id, n)).collect();
        if operands.iter().any(Abs::is_bottom) {
            return Ok(Abs::Bottom);
        }
        let Abs::Tuple(args, _) = &operands[3] else { unreachable!("arguments are a tuple") };
        let signature = plain(args.iter().map(Abs::broaden_but_text).collect());
        let primal = self.part(id, &operands[0], signature.clone(), span)?;
        let value = primal.result.clone();
        if value.is_bottom() {
            // What is wrong with it is to be found.
            let ruled = Ruled { primal, reverse: None, forward: None, refused: Vec::new() };
            self.record(id, node, Target::Ruled(Box::new(ruled)));
            return Ok(value);
        }
        // A rule may call the function itself, so the value must not wait for it.
        let (mut reverse, mut forward, mut refused) = (None, None, Vec::new());
        let needed = self.instances[id].derivatives;
        if needed.need_rule(Prim::J) {
            let part = self.part(id, &operands[1], signature.clone(), span)?;
            if let Abs::Tuple(pair, _) = &part.result {
                let Abs::Func(pullback) = &pair[1] else { unreachable!("a rule of reverse mode gives a pullback") };
                let (pullback, _) = self.function_call(id, pullback, false, plain(vec![value.cotangent()]), &[span], span)?;
                reverse = Some((part, pullback));
            } else {
                refused.push((Prim::J, part.id));
            }
        }
        if needed.need_rule(Prim::F) {
            let tangents = signature.args.iter().map(Abs::cotangent);
            let args = std::iter::once(Abs::Opaque).chain(signature.args.iter().cloned()).chain(tangents).collect();
            let part = self.part(id, &operands[2], plain(args), span)?;
            match part.result.is_bottom() {
                true => refused.push((Prim::F, part.id)),
                false => forward = Some(part),
            }
        }
        self.record(id, node, Target::Ruled(Box::new(Ruled { primal, reverse, forward, refused })));
        Ok(value)
    }

    /// The instance of one of the functions, which are known and have no free variables.
    fn part(&mut self, id: InstId, function: &Abs, signature: Signature, span: Span) -> std::result::Result<Part, Stop> {
        let Abs::Func(set) = function else { unreachable!("rules are functions") };
        let spans = vec![span; signature.args.len()];
        match self.function_call(id, set, false, signature.clone(), &spans, span)? {
            (Callee::Known(part, _), result) => Ok(Part { id: part, signature, result: result.broaden() }),
            (Callee::Value { .. }, _) => unreachable!("rules are functions of the library"),
        }
    }
}

/// The orders of the tangents that a call of forward mode is given. `own` is what it is given for the function itself.
fn order_of(prim: Prim, own: &Abs) -> usize {
    terms(prim, own).len()
}

/// What such a call is given for each order.
fn terms(prim: Prim, given: &Abs) -> Vec<&Abs> {
    match (prim, given) {
        (Prim::PushedSeries, Abs::Tuple(terms, _)) => terms.iter().collect(),
        _ => vec![given],
    }
}

fn plain(args: Vec<Abs>) -> Signature {
    Signature::new(Shape { count: args.len(), keywords: [].into() }, args)
}

impl Emitter {
    /// Emits a call with a tuple of arguments.
    pub(super) fn applied(&mut self, at: Place, node: NodeId, callee: &Callee) -> Result<NodeId> {
        let prim = self.e.m.as_prim(node).expect("an application");
        let inputs = self.e.m[node].inputs().to_vec();
        let (function, to, result) = match prim {
            Prim::Applied => self.callee(at, inputs[0], callee)?,
            _ => self.derived(at, inputs[0], callee)?,
        };
        let args = self.operand(at, inputs[prim.arguments()])?;
        let params = self.out[function].ty.signature().expect("a function with a signature").params.clone();
        let mut operands = Vec::new();
        let mut order = 0;
        if matches!(prim, Prim::Pushed | Prim::PushedSeries) {
            let own = self.operand(at, inputs[1])?;
            order = order_of(prim, &own.abs);
            for i in 0..order {
                // What a function that is in scope captures has no tangent here.
                operands.push(match callee {
                    Callee::Known(..) => self.out.constant(Const::Zero, Type::Opaque),
                    Callee::Value { .. } => {
                        let own = self.term(at, prim, &own, i).node;
                        self.entry(at, own, callee)
                    }
                });
            }
        }
        let (sites, manner) = (self.sites_of(callee), self.e.manner(node));
        let mut ops = self.ops(at);
        for (i, to) in to.iter().enumerate() {
            let arg = ops.field(&args, i);
            operands.push(ops.coerce(&arg, to).node);
        }
        operands.extend(self.given(at, &sites, manner)?);
        for k in 0..order {
            let given = self.operand(at, inputs[3])?;
            let tangents = self.term(at, prim, &given, k);
            for (i, ty) in params[..to.len()].iter().enumerate() {
                let mut ops = self.ops(at);
                let tangent = ops.field(&tangents, i);
                operands.push(ops.tangent(&tangent, ty).node);
            }
            operands.extend(self.no_tangents(at, &sites)?);
        }
        let operator = match prim {
            Prim::Applied => None,
            Prim::Pushed | Prim::PushedSeries => Some(Prim::forward(order)),
            Prim::Pulled => Some(Prim::J),
            _ => Some(Prim::JLast),
        };
        let derived = Value { abs: Abs::Bottom, node: function };
        let function = operator.map_or(function, |operator| self.ops(at).op(operator, &[&derived], Abs::Bottom).node);
        let ty = match &self.out[function].ty {
            Type::Fn(sig) => sig.result.clone(),
            _ => self.result_type(&result, &sites)?,
        };
        let given = self.out.call(at.graph, function, &operands, ty, at.span);
        Ok(match prim {
            Prim::Applied => self.taken(at, given, &sites, manner),
            Prim::Pushed | Prim::PushedSeries => self.taken_forward(at, given, &sites, manner)?,
            _ => self.taken_reverse(at, given, &sites, manner)?,
        })
    }

    /// What a call of forward mode is given for an order, counted from 0.
    fn term(&mut self, at: Place, prim: Prim, given: &Value, order: usize) -> Value {
        if prim == Prim::PushedSeries { self.ops(at).field(given, order) } else { given.clone() }
    }

    /// Emits a call of a function with rules; where nobody takes its derivative, of the function.
    pub(super) fn applied_ruled(&mut self, at: Place, inputs: &[NodeId], ruled: &Ruled) -> Result<NodeId> {
        let primal = self.emit_part(&ruled.primal)?;
        let args = self.operand(at, inputs[3])?;
        let mut ops = self.ops(at);
        let mut operands = Vec::with_capacity(ruled.primal.signature.args.len());
        for (i, to) in ruled.primal.signature.args.iter().enumerate() {
            let arg = ops.field(&args, i);
            operands.push(ops.coerce(&arg, to).node);
        }
        // Nothing else tells it of the state.
        self.afterwards(at, &mut operands);
        let sig = self.out[primal.node].ty.signature().expect("a function").clone();
        let callee = if ruled.parts().count() == 1 {
            primal.node
        } else {
            let rules = [(ruled.reverse.as_ref().map(|(part, _)| part), Prim::J), (ruled.forward.as_ref(), Prim::F)];
            let mut functions = vec![primal];
            for (rule, operator) in rules {
                functions.push(match rule {
                    Some(part) => self.emit_part(part)?,
                    None => {
                        let ty = operator.derived_type(&sig.params, &sig.result);
                        Value { abs: Abs::Bottom, node: self.out.constant(Const::Undefined, ty) }
                    }
                });
            }
            let types: Vec<Type> = functions.iter().map(|f| self.out[f.node].ty.clone()).collect();
            if Prim::Ruled.result_type(&types).is_none() {
                // One of them takes the state, and the others do not.
                let what = "a function that changes objects and has a rule for its derivative is not supported";
                return Err(Diagnostic::unsupported(at.span, what).hint("let the function return what it changes"));
            }
            self.ops(at).op(Prim::Ruled, &functions.iter().collect::<Vec<_>>(), Abs::Bottom).node
        };
        Ok(self.out.call(at.graph, callee, &operands, sig.result, at.span))
    }

    fn emit_part(&mut self, part: &Part) -> Result<Value> {
        Ok(Value { abs: Abs::Bottom, node: self.member(part.id, &part.signature.args, &part.result, &Sites::default())? })
    }
}

impl Ops<'_> {
    /// The primitives of the toolbox that call nothing.
    pub(super) fn toolbox(&mut self, prim: Prim, args: &[Value]) -> Result<Value> {
        match prim {
            Prim::Given => {
                let what = called(&args[2].abs);
                // A variable that is None before a loop is None alone when it is looked at first; here it is known what it is.
                let (of, given) = (&args[1].abs, &args[0].abs);
                let is_none = self.out.is_some() && *of == Abs::None && *given != Abs::None;
                let refusal = if is_none { Some(no_tangent(of, what)) } else { misfit(of, given, what) };
                if let Some((message, hint)) = refusal {
                    return self.refuse(message).map_err(|d| d.hint(hint));
                }
                let ty = self.type_of(&args[1]);
                Ok(Value { abs: args[1].abs.cotangent(), ..self.tangent(&args[0], &ty) })
            }
            Prim::Shown => Ok(self.shaped(&args[0], &args[1].abs)),
            Prim::Summed => {
                let ty = self.type_of(&args[0]);
                Ok(Value { abs: args[0].abs.clone(), ..self.summed(&args[0], &args[1], &ty) })
            }
            Prim::EnvironmentOf => Ok(self.environment(args)),
            Prim::NoCaptures => Ok(self.constant(Const::Zero, Type::Opaque, Abs::Opaque)),
            Prim::Varying => {
                let abs = match args[0].abs {
                    Abs::I64(_) => Abs::I64(None),
                    Abs::Bool(_) => Abs::Bool(None),
                    ref other => other.clone(),
                };
                Ok(Value { abs, node: args[0].node })
            }
            Prim::Recorded | Prim::After => Ok(args[0].clone()),
            Prim::Bound => Ok(args[1].clone()),
            Prim::NestLevel(_) => Ok(self.op(prim, &[], Abs::I64(None))),
            _ => {
                let abs = args[0].abs.clone();
                Ok(self.op(prim, &[&args[0]], abs))
            }
        }
    }

    /// The type of a value, where there is an output.
    fn type_of(&self, v: &Value) -> Type {
        self.out.as_ref().map_or(Type::Zero, |out| out.m[v.node].ty.clone())
    }

    /// The sum of two cotangents of type `ty`.
    fn summed(&mut self, a: &Value, b: &Value, ty: &Type) -> Value {
        match ty {
            Type::F64 | Type::Array(..) => self.op(Prim::Add, &[a, b], Abs::Bottom),
            Type::Opaque => self.op(Prim::Gadd, &[a, b], Abs::Bottom),
            Type::Tuple(types) => {
                let mut sums = Vec::with_capacity(types.len());
                for (i, ty) in types.iter().enumerate() {
                    let [a, b] = [a, b].map(|v| self.op(Prim::Get(i as u32), &[v], Abs::Bottom));
                    sums.push(self.summed(&a, &b, ty));
                }
                self.tuple(&sums)
            }
            _ => a.clone(),
        }
    }

    /// The cotangent of a function value from what its pullback gives: where the value is a tuple of functions, one for each
    /// signature, that of the one which was called, and zero for the others.
    fn environment(&mut self, args: &[Value]) -> Value {
        let abs = args[1].abs.cotangent();
        let (function, called) = (self.type_of(&args[1]), self.type_of(&args[2]));
        let Type::Tuple(functions) = &function else { return Value { abs, node: args[0].node } };
        if !matches!(args[1].abs, Abs::Func(_)) {
            return Value { abs, node: args[0].node };
        }
        let called: Rc<[Type]> = called.fields().unwrap_or_default().into();
        // The state comes after the arguments.
        let own = |f: &Type, more: usize| {
            f.signature().is_some_and(|sig| sig.params.len() == called.len() + more && sig.params.starts_with(&called))
        };
        let most = functions.iter().filter_map(Type::signature).map(|sig| sig.params.len()).max().unwrap_or_default();
        let index = (0..=most).find_map(|more| functions.iter().position(|f| own(f, more)));
        let mut parts = Vec::with_capacity(functions.len());
        for (i, f) in functions.iter().enumerate() {
            let node = match &mut self.out {
                Some(out) if Some(i) != index => zero_value(out.m, out.g, &f.cotangent()),
                _ => args[0].node,
            };
            parts.push(Value { abs: Abs::Bottom, node });
        }
        Value { abs, ..self.tuple(&parts) }
    }
}

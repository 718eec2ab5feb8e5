//! Derivatives fail where the value does. What fails gives no value, so nothing of a derivative would depend on it: the failure, which
//! is a value here, would be dropped with the value. So derivatives come after the value, where a program can fail.

use super::emit::{Emitter, Place};
use super::prims::Value;
use crate::graph::{GraphId, Kind, Module, NodeId};
use crate::prim::Prim;
use crate::types::Type;

impl Emitter {
    /// `x`, once there is a `y`.
    pub(super) fn after(&mut self, at: Place, x: &Value, y: &Value) -> Value {
        let ty = self.out[x.node].ty.clone();
        Value { abs: x.abs.clone(), node: self.out.prim(at.graph, Prim::After, vec![x.node, y.node], ty, at.span) }
    }
}

/// Decides what [`Prim::After`] is in a typed module, by what there is in the module: its first operand if nothing fails, and else
/// the part of a barrier behind which the second stays alive.
pub(super) fn settle(m: &mut Module, entry: GraphId) {
    m.collect_garbage(&[entry]);
    let all = |m: &Module, prim| m.nodes().filter(|(_, n)| n.kind == Kind::Prim(prim)).map(|(id, _)| id).collect::<Vec<_>>();
    let fails = !all(m, Prim::Fail).is_empty();
    for n in all(m, Prim::After) {
        let &[x, y] = m[n].inputs() else { unreachable!("the arity was checked") };
        let g = m[n].graph.expect("a primitive belongs to a graph");
        let mut looked_at = Vec::new();
        if fails {
            values(m, g, y, &mut looked_at);
        }
        let shown = if looked_at.is_empty() { x } else { behind(m, g, x, &looked_at) };
        m.replace(n, shown);
    }
}

/// A value that is there once others are. Functions in it are as they were, since calls of them are to be seen.
pub(super) fn behind(m: &mut Module, g: GraphId, x: NodeId, others: &[NodeId]) -> NodeId {
    let (span, ty) = (m[x].span, m[x].ty.clone());
    match &ty {
        Type::Fn(_) => x,
        Type::Tuple(items) if has_function(&ty) => {
            let mut parts = Vec::with_capacity(items.len());
            for (i, item) in items.iter().enumerate() {
                let part = m.prim(g, Prim::Get(i as u32), vec![x], item.clone(), span);
                parts.push(behind(m, g, part, others));
            }
            m.prim(g, Prim::Tuple, parts, ty, span)
        }
        _ => {
            let all = [&[x], others].concat();
            let types = Type::tuple(all.iter().map(|&n| m[n].ty.clone()));
            let all = m.prim(g, Prim::Tuple, all, types.clone(), span);
            let barrier = m.prim(g, Prim::Barrier, vec![all], types, span);
            m.prim(g, Prim::Get(0), vec![barrier], ty, span)
        }
    }
}

/// The parts of a value, but for functions, which others still call.
fn values(m: &mut Module, g: GraphId, y: NodeId, list: &mut Vec<NodeId>) {
    match m[y].ty.clone() {
        Type::Tuple(items) => {
            for (i, ty) in items.iter().enumerate() {
                let span = m[y].span;
                let part = m.prim(g, Prim::Get(i as u32), vec![y], ty.clone(), span);
                values(m, g, part, list);
            }
        }
        Type::Fn(_) => {}
        _ => list.push(y),
    }
}

fn has_function(ty: &Type) -> bool {
    match ty {
        Type::Fn(_) => true,
        Type::Tuple(items) => items.iter().any(has_function),
        _ => false,
    }
}

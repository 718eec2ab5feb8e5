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
        let mut behind = vec![x];
        if fails {
            values(m, g, y, &mut behind);
        }
        let shown = match behind[..] {
            [_] => x,
            _ => {
                let (span, ty) = (m[n].span, Type::tuple(behind.iter().map(|&n| m[n].ty.clone())));
                let all = m.prim(g, Prim::Tuple, behind, ty.clone(), span);
                let barrier = m.prim(g, Prim::Barrier, vec![all], ty, span);
                m.prim(g, Prim::Get(0), vec![barrier], m[n].ty.clone(), span)
            }
        };
        m.replace(n, shown);
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
        ty if ty.signature().is_some() => {}
        _ => list.push(y),
    }
}

//! Where a result comes from that has no derivative: the path from the result of a function to the operation that made it what it is.

use super::abs::Abs;
use super::calls::{Callee, Target};
use super::engine::Engine;
use super::instances::InstId;
use crate::graph::{Flavor, Kind, NodeId};
use crate::prim::Prim;
use crate::span::{Diagnostic, Span};

/// A path that is longer is not shown to its end.
const MAX_STEPS: usize = 64;

/// What to do where a function gives `None` on some path.
pub const MISSING: &str = "let each path return a value: is there a `return`, an `else:` or a `case _:` missing?";

impl Engine {
    /// Says where the result of an instance is returned, through which calls it comes, and what makes it. `own` is the result
    /// without what is given back beside it.
    pub(super) fn with_origin(&mut self, d: Diagnostic, instance: InstId, own: &Abs) -> Diagnostic {
        let returned = self.instances[instance].result_span;
        if matches!(own, Abs::Union(kinds) if kinds[0] == Abs::None) {
            return d.label(returned, "some path through this ends without a value");
        }
        let what = own.a();
        let d = d.label(returned, format!("{what} is returned here"));
        let path = self.origin(instance, own);
        let Some((&made, calls)) = path.split_last() else { return d };
        let shown = |span: &Span| span.is_some() && *span != returned;
        let d = calls.iter().filter(|span| shown(span)).fold(d, |d, &span| d.label(span, "which comes from here"));
        if shown(&made) && !calls.contains(&made) { d.label(made, format!("this makes {what}")) } else { d }
    }

    /// The places of the calls that a result comes through, and of what makes it.
    fn origin(&mut self, instance: InstId, own: &Abs) -> Vec<Span> {
        let (mut at, mut path) = (self.result_of(instance), Vec::new());
        let callers = self.call_sites();
        for _ in 0..MAX_STEPS {
            let (id, node) = at;
            let Some(owner) = self.m[node].graph else { return path };
            let home = self.instances.home(id, owner);
            let (kind, inputs) = (self.m[node].kind.clone(), self.m[node].inputs().to_vec());
            let next = match (kind, self.instances[home].calls.get(&node).cloned()) {
                (_, Some(Target::Blocks { targets, .. })) => {
                    targets.into_iter().find(|&t| self.instances[t].result == *own).map(|t| self.result_of(t))
                }
                (_, Some(Target::Function(Callee::Known(callee, _)))) if !self.is_library(callee) => {
                    if !self.wrappers.is_wrapper(owner) {
                        path.push(self.place(home, node));
                    }
                    Some(self.result_of(callee))
                }
                (Kind::Param, _) if self.m[owner].flavor == Flavor::Block => {
                    let i = self.m[owner].params.iter().position(|&p| p == node).expect("a parameter of its graph");
                    self.given(&callers, home, i)
                        .into_iter()
                        .find(|&(from, n)| n != node && self.known(from, n).as_ref() == Some(own))
                }
                (Kind::Prim(Prim::Attribute | Prim::GetItem), _) => self.field(home, inputs[0], inputs[1]).inspect(|_| {
                    path.push(self.place(home, node));
                }),
                _ => None,
            };
            match next {
                Some(next) => at = next,
                None => {
                    path.push(self.place(home, node));
                    return path;
                }
            }
        }
        path
    }

    fn result_of(&self, id: InstId) -> (InstId, NodeId) {
        (id, self.m.result(self.instances[id].graph))
    }

    /// What was given for a field of a record, a dict or a tuple that is made here.
    fn field(&mut self, id: InstId, of: NodeId, name: NodeId) -> Option<(InstId, NodeId)> {
        let home = self.instances.home(id, self.m[of].graph?);
        let key = self.operand(id, name);
        let (made, values) = match self.instances[home].calls.get(&of) {
            Some(&Target::Function(Callee::Known(maker, _))) => self.result_of(maker),
            _ => (home, of),
        };
        let (at, values) = match (self.m.as_prim(values)?, self.operand(made, values)) {
            (Prim::Record, Abs::Record(schema, _)) => (schema.position(&key.key()?.name())?, self.m[values].inputs()[1]),
            (Prim::Tuple, _) => match key {
                Abs::I64(Some(i)) => (usize::try_from(i).ok()?, values),
                _ => return None,
            },
            _ => return None,
        };
        let value = *self.m[values].inputs().get(at)?;
        // What makes instances of a class takes their fields.
        match self.m[self.m[value].graph?].params.iter().position(|&p| p == value) {
            Some(i) if made != home && self.m[of].kind == Kind::Call => Some((home, *self.m[of].inputs().get(i + 1)?)),
            _ => Some((made, value)),
        }
    }

    /// What is known of a node, without what constant it is.
    fn known(&mut self, id: InstId, node: NodeId) -> Option<Abs> {
        let home = self.instances.home(id, self.m[node].graph?);
        self.instances[home].values.get(&node).map(Abs::broaden)
    }
}

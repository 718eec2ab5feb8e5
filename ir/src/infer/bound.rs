//! The arguments of a call as the parameters of the function get them (`bound`): what a library needs that hands a call on to a function
//! by way of another one.

use super::abs::{Abs, Closure};
use super::calls::Shape;
use super::engine::Engine;
use super::prims::Result;
use super::signature::Source;
use super::wrappers::Wrapped;
use crate::graph::{Flavor, GraphId};
use crate::prim::Prim;
use crate::span::{Diagnostic, Span};
use crate::types::Type;

impl Engine {
    /// A graph that puts a tuple of positional arguments and a dict of others in the order of a function's parameters, and fills in the
    /// defaults; none where the positional ones are all of them.
    pub(super) fn binder(&mut self, function: &Abs, args: &Abs, named: &Abs, span: Span) -> Result<Option<GraphId>> {
        let (Abs::Tuple(args, _), Abs::Record(schema, _)) = (args, named) else {
            unreachable!("arguments are a tuple and a dict")
        };
        let plain = |g: GraphId| {
            let tail = self.m[g].tail;
            !tail.rest && !tail.keywords && tail.keyword_only == 0
        };
        let (g, parent) = match function {
            Abs::Func(set) => match set[..] {
                [Closure::Graph(g, parent)] if plain(g) => (g, parent),
                _ if schema.fields.is_empty() => return Ok(None),
                _ => {
                    let d =
                        Diagnostic::unsupported(span, "arguments by name are not supported of this function, which has a rule");
                    return Err(d.hint("give the arguments by their places"));
                }
            },
            // What is no function is refused where it is called.
            _ => return Ok(None),
        };
        let count = self.m[g].params.len();
        if schema.fields.is_empty() && args.len() == count {
            return Ok(None);
        }
        let shape = Shape { count: args.len() + schema.fields.len(), keywords: schema.fields.to_vec().into() };
        let sources = self.bind(g, &shape, span)?;
        let key = Wrapped::Bound(g, args.len(), schema.fields.to_vec());
        if let Some(made) = self.wrappers.get(&key) {
            return Ok(Some(made));
        }
        let (binder, params) = self.made_graph("bound", Flavor::Library, 2);
        let (mut schedule, mut bound) = (Vec::new(), Vec::with_capacity(count));
        for source in sources.into_iter().take(count) {
            bound.push(match source {
                Source::Argument(i) => match i.checked_sub(args.len()) {
                    None => self.node_of(binder, Prim::Get(i as u32), &params[..1], &mut schedule),
                    Some(k) => {
                        let name = self.text(&schema.fields[k]);
                        self.node_of(binder, Prim::GetItem, &[params[1], name], &mut schedule)
                    }
                },
                Source::Default(node) if self.m.as_graph(node).is_some_and(|g| self.m.memory.globals.contains(&g)) => {
                    let value = self.m.call(binder, node, &[], Type::Unknown, span);
                    schedule.push(value);
                    value
                }
                Source::Default(node) if parent.is_some() && self.m[node].graph.is_some() => {
                    let d = Diagnostic::unsupported(span, "this default of a function with a rule is not a constant");
                    return Err(d.label(self.m[node].span, "it is computed here").hint("give the argument in each call"));
                }
                Source::Default(node) => node,
                Source::Rest(_) | Source::Keywords(_) => unreachable!("the function takes nothing else"),
            });
        }
        let all = self.node_of(binder, Prim::Tuple, &bound, &mut schedule);
        self.finish(binder, all, schedule);
        self.wrappers.put(key, binder);
        Ok(Some(binder))
    }
}

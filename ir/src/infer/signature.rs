//! What the parameters of a function get in a call: Python's rules for positions, names, defaults and stars, and what is said of a call
//! that does not follow them.

use super::calls::Shape;
use super::engine::Engine;
use super::prims::Result;
use crate::graph::{Const, GraphId, NodeId};
use crate::span::{Diagnostic, Span};
use std::ops::Range;
use std::sync::Arc;

/// Where a parameter comes from.
pub(super) enum Source {
    Argument(usize),
    Default(NodeId),
    /// The arguments with these numbers, as a tuple.
    Rest(Range<usize>),
    /// The arguments with these names and numbers, as a dict.
    Keywords(Vec<(Arc<str>, usize)>),
}

impl Engine {
    /// Where the parameters of a graph come from in a call of this shape.
    pub(super) fn bind(&self, g: GraphId, shape: &Shape, span: Span) -> Result<Vec<Source>> {
        let graph = &self.m[g];
        let name = &graph.name;
        let refuse = |message: String| {
            let own = name.rsplit('.').next().unwrap_or_default();
            let d = Diagnostic::refused(span, message).hint(format!("it is `{own}({})`", self.parameters(g)));
            Err(if graph.span.is_some() { d.label(graph.span, format!("`{name}` is defined here")) } else { d })
        };
        let (n, given) = (graph.params.len(), shape.positional());
        let dict = (n - graph.tail.keyword_only).checked_sub(1).filter(|_| graph.tail.keywords);
        let by_place = self.m.by_place(g);
        if given > by_place && !graph.tail.rest {
            let (s, were) = (if by_place == 1 { "" } else { "s" }, if given == 1 { "was" } else { "were" });
            return refuse(format!("`{name}` takes {by_place} argument{s}, but {given} {were} given"));
        }
        let mut sources: Vec<Option<Source>> = (0..n).map(|i| (i < given.min(by_place)).then_some(Source::Argument(i))).collect();
        if graph.tail.rest {
            sources[by_place] = Some(Source::Rest(given.min(by_place)..given));
        }
        let mut others: Vec<(Arc<str>, usize)> = Vec::new();
        let is_collected = |i: usize| Some(i) == dict || graph.tail.rest && i == by_place;
        for (k, keyword) in shape.keywords.iter().enumerate() {
            let place = graph.params.iter().position(|&p| self.m[p].name.as_ref() == Some(keyword));
            match place.filter(|&i| !is_collected(i)) {
                Some(i) if sources[i].is_some() => {
                    return refuse(format!("`{name}` is given more than one value for the argument `{keyword}`"));
                }
                None if others.iter().any(|(other, _)| other == keyword) => {
                    return refuse(format!("`{name}` is given more than one value for the argument `{keyword}`"));
                }
                None if dict.is_some() => others.push((keyword.clone(), given + k)),
                Some(i) => sources[i] = Some(Source::Argument(given + k)),
                // What Python has may be more than what the library has.
                None if !graph.span.is_some() => {
                    return refuse(format!("the argument `{keyword}` of `{name}` is not supported"));
                }
                None => return refuse(format!("`{name}` has no argument named `{keyword}`")),
            }
        }
        if let Some(i) = dict {
            sources[i] = Some(Source::Keywords(others));
        }
        let first_default = n - graph.defaults.len();
        let mut bound = Vec::with_capacity(n);
        for (i, source) in sources.into_iter().enumerate() {
            match source {
                Some(source) => bound.push(source),
                None if i >= first_default && self.m[graph.defaults[i - first_default]].as_const() != Some(&Const::Undefined) => {
                    bound.push(Source::Default(graph.defaults[i - first_default]));
                }
                None => {
                    let param = self.m[graph.params[i]].name.clone();
                    let param = param.map_or_else(|| format!("number {}", i + 1), |p| format!("`{p}`"));
                    return refuse(format!("`{name}` is called without the argument {param}"));
                }
            }
        }
        Ok(bound)
    }

    /// The parameters of a graph, as Python writes them.
    fn parameters(&self, g: GraphId) -> String {
        let graph = &self.m[g];
        let (n, by_place) = (graph.params.len(), self.m.by_place(g));
        let (first_named, first_default) = (n - graph.tail.keyword_only, n - graph.defaults.len());
        let (mut all, mut others) = (Vec::with_capacity(n + 1), None);
        for (i, &p) in graph.params.iter().enumerate() {
            let name = self.m[p].name.as_deref().unwrap_or("…");
            if i == first_named && !graph.tail.rest && graph.tail.keyword_only > 0 {
                all.push("*".to_owned());
            }
            let default = i.checked_sub(first_default).map(|k| graph.defaults[k]);
            let has_default = default.is_some_and(|d| self.m[d].as_const() != Some(&Const::Undefined));
            match i {
                // What is not the program's own.
                _ if name.starts_with(['$', '_']) => {}
                _ if graph.tail.rest && i == by_place => all.push(format!("*{name}")),
                _ if graph.tail.keywords && i + 1 == first_named => others = Some(format!("**{name}")),
                _ => all.push(format!("{name}{}", if has_default { "=…" } else { "" })),
            }
        }
        all.extend(others);
        all.join(", ")
    }
}

//! Functions and closures.

use super::{Frame, Lowerer, Result};
use crate::check::{self, Way, is_changed};
use crate::program::FunctionId;
use crate::types::Kind;
use gradus_ir::ssa::Ssa;
use gradus_ir::{Flavor, GraphId, NodeId, Prim, Role, Type};
use syn::{Expr, FnArg, Pat};

impl<'p> Lowerer<'p> {
    /// The graph of a function, which is lowered later.
    pub(super) fn graph_of(&mut self, f: FunctionId) -> GraphId {
        if let Some(&graph) = self.graphs.get(&f) {
            return graph;
        }
        let (signature, _) = self.program.function(f);
        let span = super::span(crate::refusal::place(&signature.ident), self.bases[f.item]);
        let graph = self.m.add_graph(signature.ident.to_string(), Flavor::Function, Role::Primal, span);
        self.graphs.insert(f, graph);
        self.queue.push_back(f);
        graph
    }

    pub(super) fn push_frame(&mut self, graph: GraphId, name: String) {
        let ssa = Ssa::new(&mut self.m, graph);
        self.frames.push(Frame {
            graph,
            name,
            ssa,
            block: Some(Ssa::<super::Var>::ENTRY),
            loops: Vec::new(),
            changed: Vec::new(),
        });
    }

    /// Completes the innermost function.
    pub(super) fn pop_frame(&mut self) -> GraphId {
        let mut frame = self.frames.pop().expect("a function is being lowered");
        frame.ssa.finish(&mut self.m, &[]);
        frame.graph
    }

    /// Lowers the function whose check is at hand.
    pub(super) fn function(&mut self, graph: GraphId) -> Result<()> {
        let (signature, body) = self.program.function(self.current);
        self.owners.clear();
        self.aliases.clear();
        let mut params = Vec::new();
        self.push_frame(graph, signature.ident.to_string());
        for argument in &signature.inputs {
            match argument {
                FnArg::Receiver(r) => {
                    let span = self.span(r);
                    let node = self.m.add_param(graph, Type::Unknown, Some("self".into()), span);
                    params.push(node);
                    if let Some(this) = self.checked.this {
                        self.bind(this, node);
                        if is_changed(argument) {
                            self.frame().changed.push(this);
                            self.refer(this);
                        }
                    }
                }
                FnArg::Typed(t) => {
                    let node = self.param(graph, &t.pat);
                    params.push(node);
                    self.pattern(&t.pat, node)?;
                    if is_changed(argument)
                        && let Some(i) = check::variable(&t.pat)
                    {
                        let local = self.checked.bound(i);
                        self.frame().changed.push(local);
                        self.refer(local);
                    }
                }
            }
        }
        let span = self.span(&signature.ident);
        for length in self.checked.clone().lengths.iter() {
            let mut part = params[length.argument];
            for way in &length.way {
                let index = self.m.i64(if let Way::Field(i) = way { *i as i64 } else { 0 });
                part = self.prim(Prim::GetItem, &[part, index], span);
            }
            let mut ty = self.checked.params[length.argument];
            for way in &length.way {
                ty = match (way, self.checked.types.kind(ty)) {
                    (Way::Field(i), Kind::Tuple(items)) => items[*i],
                    (_, Kind::Array(element)) => *element,
                    _ => ty,
                };
            }
            let form = self.layout(self.checked.clone().types.kind(ty))?;
            let value = self.length_of(&form, part, span);
            self.bind(length.local, value);
        }
        let value = self.block(body)?;
        let span = body.stmts.last().map_or_else(|| self.span(&signature.ident), |last| self.span(last));
        self.give(value, span);
        self.pop_frame();
        Ok(())
    }

    fn param(&mut self, graph: GraphId, pattern: &Pat) -> NodeId {
        let name = match inner(pattern) {
            Pat::Ident(i) => Some(i.ident.to_string().into()),
            _ => None,
        };
        let span = self.span(pattern);
        self.m.add_param(graph, Type::Unknown, name, span)
    }

    /// A closure as a value: the constant of its graph. What it changes it takes behind its arguments, and hands back.
    pub(super) fn closure(&mut self, c: &'p syn::ExprClosure) -> Result<NodeId> {
        let changed = self.roots(self.checked.changed(c));
        let outer: Vec<usize> = changed.iter().map(|local| self.owners[local]).collect();
        let span = self.span(c);
        let name = format!("{}.closure", self.frame().name);
        let graph = self.m.add_graph(name.clone(), Flavor::Function, Role::Primal, span);
        self.push_frame(graph, name);
        for pattern in &c.inputs {
            let node = self.param(graph, pattern);
            self.pattern(pattern, node)?;
        }
        for &local in &changed {
            let node = self.m.add_param(graph, Type::Unknown, Some(self.checked.locals[local as usize].as_str().into()), span);
            self.bind(local, node);
        }
        self.frame().changed = changed.clone();
        let value = self.expr(&c.body)?;
        let span = self.span(&c.body);
        self.give(value, span);
        let graph = self.pop_frame();
        self.owners.extend(changed.into_iter().zip(outer));
        Ok(self.m.graph_ref(graph))
    }

    /// A method of numbers as a value.
    pub(super) fn method_value(&mut self, e: &'p Expr, name: &str) -> Result<NodeId> {
        let span = self.span(e);
        let Kind::Fn(params, _) = self.kind(e)? else { unreachable!("a method is a function") };
        let graph = self.m.add_graph(name, Flavor::Function, Role::Primal, span);
        self.push_frame(graph, name.into());
        let kind = self.checked.types.kind(params[0]).clone();
        let args: Vec<NodeId> = params.iter().map(|_| self.m.add_param(graph, Type::Unknown, None, span)).collect();
        let value = self.number_method(&kind, name, &args, span);
        self.end(value, span);
        let graph = self.pop_frame();
        Ok(self.m.graph_ref(graph))
    }
}

/// A pattern without what is around it.
fn inner(mut pattern: &Pat) -> &Pat {
    loop {
        pattern = match pattern {
            Pat::Paren(p) => &p.pat,
            Pat::Reference(r) => &r.pat,
            Pat::Type(t) => &t.pat,
            other => return other,
        };
    }
}

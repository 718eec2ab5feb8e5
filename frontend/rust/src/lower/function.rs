//! Functions and closures.

use super::{Frame, Lowerer, Result};
use crate::program::FunctionId;
use crate::types::Kind;
use gradus_ir::ssa::Ssa;
use gradus_ir::{Flavor, GraphId, NodeId, Role, Span, Type};
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
        self.frames.push(Frame { graph, name, ssa, block: Some(Ssa::<super::Var>::ENTRY), loops: Vec::new() });
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
        self.push_frame(graph, signature.ident.to_string());
        for argument in &signature.inputs {
            match argument {
                FnArg::Receiver(r) => {
                    let span = self.span(r);
                    let node = self.m.add_param(graph, Type::Unknown, Some("self".into()), span);
                    if let Some(this) = self.checked.this {
                        self.bind(this, node);
                    }
                }
                FnArg::Typed(t) => {
                    let node = self.param(graph, &t.pat);
                    self.pattern(&t.pat, node)?;
                }
            }
        }
        let value = self.block(body)?;
        let span = body.stmts.last().map_or_else(|| self.span(&signature.ident), |last| self.span(last));
        self.end(value, span);
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

    /// A closure as a value: the constant of its graph.
    pub(super) fn closure(&mut self, c: &'p syn::ExprClosure) -> Result<NodeId> {
        let span = self.span(c);
        let name = format!("{}.closure", self.frame().name);
        let graph = self.m.add_graph(name.clone(), Flavor::Function, Role::Primal, span);
        self.push_frame(graph, name);
        for pattern in &c.inputs {
            let node = self.param(graph, pattern);
            self.pattern(pattern, node)?;
        }
        let value = self.expr(&c.body)?;
        let span = self.span(&c.body);
        self.end(value, span);
        let graph = self.pop_frame();
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

    /// Binds the variables of a pattern to a value.
    pub(super) fn pattern(&mut self, pattern: &'p Pat, value: NodeId) -> Result<()> {
        let span = if matches!(pattern, Pat::Wild(_)) { Span::NONE } else { self.span(pattern) };
        match pattern {
            Pat::Paren(p) => self.pattern(&p.pat, value),
            Pat::Reference(r) => self.pattern(&r.pat, value),
            Pat::Type(t) => self.pattern(&t.pat, value),
            Pat::Ident(i) => {
                let local = self.checked.bound(i);
                self.bind(local, value);
                Ok(())
            }
            Pat::Tuple(t) => t.elems.iter().enumerate().try_for_each(|(i, p)| {
                let field = self.field(&Kind::Tuple(Vec::new()), value, i, span);
                self.pattern(p, field)
            }),
            Pat::Slice(s) => s.elems.iter().enumerate().try_for_each(|(i, p)| {
                let index = self.m.i64(i as i64);
                let element = self.prim(gradus_ir::Prim::GetItem, &[value, index], span);
                self.pattern(p, element)
            }),
            Pat::Struct(s) => {
                let ty = self.checked.patterns[&std::ptr::from_ref(pattern)];
                let kind = self.checked.types.kind(ty).clone();
                s.fields.iter().try_for_each(|field| {
                    let index = self.field_index(&kind, &field.member);
                    let part = self.field(&kind, value, index, span);
                    self.pattern(&field.pat, part)
                })
            }
            _ => Ok(()),
        }
    }

    /// The place of a field.
    pub(super) fn field_index(&self, of: &Kind, member: &syn::Member) -> usize {
        match (of, member) {
            (Kind::Struct(item), syn::Member::Named(name)) => {
                let fields = self.program.fields(*item);
                fields.iter().position(|(n, _)| name == n).expect("the check found the field")
            }
            (_, syn::Member::Unnamed(i)) => i.index as usize,
            (_, syn::Member::Named(_)) => unreachable!("the check knows fields of structs alone"),
        }
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

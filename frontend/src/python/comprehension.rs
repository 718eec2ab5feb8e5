//! Comprehensions, and generators that are given to a function.
//!
//! As in CPython, a comprehension is a function of its own, so that its variables are: it is called where it stands, with what the
//! first clause goes over evaluated outside of it. What it makes is a list that grows, or for `sum`, `all` and `any` no list at all.

use super::capture::Closure;
use super::loops::Iterable;
use super::lower::{Lowered, Lowerer};
use super::scope::{Binding, Scope, named_in};
use super::span_of;
use super::ssa::Var;
use gradus_ir::{Diagnostic, Flavor, NodeId, Prim, Span, Type};
use ruff_python_ast::{self as ast, Expr};

/// What becomes of the elements.
#[derive(Clone, Copy)]
pub enum Collect {
    /// They are a list.
    List,
    /// They are the values of a dict.
    Dict,
    /// They are added to this value.
    Sum(NodeId),
    /// Whether one of them has this truth value decides.
    Until(bool),
    /// The first is the result; where there is none this value, or the run fails.
    First(Option<NodeId>),
}

/// A comprehension of one value for each element.
#[derive(Clone, Copy)]
pub struct Comprehension<'a> {
    /// Of a dict, the key.
    key: Option<&'a Expr>,
    element: &'a Expr,
    clauses: &'a [ast::Comprehension],
    pub span: Span,
}

impl<'a> Comprehension<'a> {
    /// The list comprehension or the generator that an expression is.
    pub fn of(expr: &'a Expr) -> Option<Comprehension<'a>> {
        match expr {
            Expr::ListComp(c) => Some(Comprehension { key: None, element: &c.elt, clauses: &c.generators, span: span_of(c) }),
            Expr::Generator(c) => Some(Comprehension { key: None, element: &c.elt, clauses: &c.generators, span: span_of(c) }),
            _ => None,
        }
    }
}

impl<'a> Lowerer<'a, '_> {
    /// An argument of a function that goes over it once, which may be a generator.
    pub fn sequence(&mut self, argument: &'a Expr) -> Lowered<NodeId> {
        match Comprehension::of(argument) {
            Some(c) => self.comprehension(c, Collect::List),
            None => match self.taken(argument)? {
                Some(elements) => Ok(elements),
                None => self.expr(argument),
            },
        }
    }

    /// `{key: value for …}`.
    pub fn dict_comprehension(&mut self, c: &'a ast::ExprDictComp) -> Lowered<NodeId> {
        let Some(key) = &c.key else {
            return Err(Diagnostic::unsupported(span_of(c), "a comprehension with `**` is not supported"));
        };
        let of = Comprehension { key: Some(key), element: &c.value, clauses: &c.generators, span: span_of(c) };
        self.comprehension(of, Collect::Dict)
    }

    /// What a comprehension gives.
    pub fn comprehension(&mut self, c: Comprehension<'a>, collect: Collect) -> Lowered<NodeId> {
        let Comprehension { key, element, clauses, span } = c;
        if matches!(collect, Collect::List | Collect::Dict) {
            self.use_lists();
        }
        if clauses.iter().any(|c| c.is_async) {
            return Err(Diagnostic::unsupported(span, "an asynchronous comprehension is not supported"));
        }
        if let Some(target) = clauses.iter().find_map(|c| other_target(&c.target)) {
            let d = Diagnostic::unsupported(span_of(target), "a comprehension that assigns to an element is not supported");
            return Err(d.hint("write a loop"));
        }
        let (first, rest) = clauses.split_first().expect("a comprehension has a clause");
        // Nothing that a comprehension does without effects changes what a generator gives.
        let iterable = match &first.iter {
            Expr::Generator(_) => Iterable::Value(self.ahead(&first.iter)?),
            iter => self.iterable(iter)?,
        };
        let depth = self.frames.len() - 1;
        let graph = self.nested_graph(depth, "comprehension", span);
        if self.in_library {
            // There constants are kept, as in the function that it is part of.
            self.m[graph].flavor = Flavor::Library;
        }
        let point = self.point();
        let mut scope = Scope::of_clauses(clauses);
        let around = self.frames.iter().rev().find(|f| !f.is_comprehension);
        // What nobody else reads.
        for name in named_in(key.into_iter().chain([element]).chain(clauses.iter().flat_map(|c| &c.ifs))) {
            if around.is_none_or(|f| f.scope.get(name).is_none()) {
                scope.bind(name, Binding::Variable);
            }
        }
        let is_guarded = self.is_guarded();
        self.push_frame(graph, "comprehension", scope, u32::MAX);
        self.frame().is_comprehension = true;
        self.frame().raises = is_guarded;
        let late: Vec<&'a str> = self.late.of(span).collect();
        for name in late {
            let node = self.m.add_param(graph, Type::Unknown, Some(name.into()), span);
            let depth = self.depth_of(depth, name);
            self.frame().late.push((depth, name, node));
        }
        let list = self.temp();
        let start = match collect {
            Collect::List => {
                let nothing = self.prim(Prim::Tuple, &[], span);
                self.prim(Prim::List, &[nothing], span)
            }
            Collect::Dict => self.dict_of(&[], span),
            Collect::Sum(start) => start,
            Collect::Until(decided) => self.m.bool(!decided),
            Collect::First(default) => default.unwrap_or_else(|| self.none()),
        };
        self.set(list, start);
        self.clause(iterable, first, rest, (key, element), (collect, list))?;
        if let Collect::First(None) = collect {
            self.fail("StopIteration", &[], span);
        } else {
            let result = self.read(list);
            self.return_value(result, span);
        }
        let inner = self.pop_frame();
        let nested = self.nested.get_mut(&graph).expect("the graph is a nested function's");
        nested.refers = inner.refers;
        nested.late_inside = inner.late_inside;
        let node = self.m.graph_ref(graph);
        self.frame().closures.push(Closure { graph, node, span, point, captures: inner.captures, is_comprehension: true });
        self.check_refers(graph, span);
        let late = self.late_arguments(node, span);
        let here = self.graph();
        let call = self.m.call(here, node, &late, Type::Unknown, span);
        self.stamp(call);
        if is_guarded { self.returned(call, span) } else { Ok(call) }
    }

    /// The elements of a generator before they are asked for: they must be made by what does nothing.
    pub fn ahead(&mut self, generator: &'a Expr) -> Lowered<NodeId> {
        let elements = self.eagerly(|me| me.sequence(generator))?;
        let why = self.in_turn(generator);
        self.must_be_idle(elements, why);
        Ok(elements)
    }

    /// The loop of a clause, with those of the clauses after it inside.
    fn clause(
        &mut self,
        iterable: Iterable,
        clause: &'a ast::Comprehension,
        rest: &'a [ast::Comprehension],
        element: (Option<&'a Expr>, &'a Expr),
        into: (Collect, Var<'a>),
    ) -> Lowered<()> {
        self.for_each(iterable, &clause.target, span_of(&clause.iter), &[], |me| {
            for test in &clause.ifs {
                let condition = me.condition(test)?;
                let [then, otherwise] = me.branch(condition, span_of(test), ["then", "else"]);
                me.enter(otherwise);
                let header = me.frame().loops.last().expect("a clause is a loop").header;
                me.jump(header, span_of(test));
                me.enter(then);
            }
            match rest.split_first() {
                Some((next, rest)) => {
                    let iterable = me.iterable(&next.iter)?;
                    me.clause(iterable, next, rest, element, into)
                }
                None => me.collect(element, into),
            }
        })
    }

    fn collect(&mut self, (key, element): (Option<&'a Expr>, &'a Expr), (collect, list): (Collect, Var<'a>)) -> Lowered<()> {
        let span = span_of(element);
        let key = key.map(|key| self.expr(key)).transpose()?;
        let prim = match collect {
            Collect::List => Prim::Append,
            Collect::Dict => Prim::SetItem,
            Collect::Sum(_) => Prim::Add,
            Collect::First(_) => {
                let value = self.expr(element)?;
                self.return_value(value, span);
                return Ok(());
            }
            Collect::Until(decided) => {
                let condition = self.condition(element)?;
                let [then, otherwise] = self.branch(condition, span, ["then", "else"]);
                let (stop, next) = if decided { (then, otherwise) } else { (otherwise, then) };
                self.enter(stop);
                let decided = self.m.bool(decided);
                self.return_value(decided, span);
                self.enter(next);
                return Ok(());
            }
        };
        let value = self.expr(element)?;
        let before = self.read(list);
        let operands: Vec<NodeId> = [before].into_iter().chain(key).chain([value]).collect();
        let after = self.prim(prim, &operands, span);
        self.set(list, after);
        Ok(())
    }
}

/// What a target assigns to beside names.
fn other_target(target: &Expr) -> Option<&Expr> {
    match target {
        Expr::Name(_) => None,
        Expr::Tuple(t) => t.elts.iter().find_map(other_target),
        Expr::List(t) => t.elts.iter().find_map(other_target),
        Expr::Starred(s) => other_target(&s.value),
        other => Some(other),
    }
}

//! Statements.

use super::function::check_def;
use super::lower::{Loop, Lowered, Lowerer, Value};
use super::names::{Item, Special};
use super::scope::{Def, Imported};
use super::span_of;
use super::ssa::BlockId;
use gradus_ir::{Const, Diagnostic, NodeId, Prim, Span, Write};
use ruff_python_ast::{self as ast, Expr, Operator, Stmt};

impl<'a> Lowerer<'a, '_> {
    pub fn body(&mut self, body: &'a [Stmt]) -> Lowered<()> {
        for stmt in body {
            if self.frame().block.is_none() {
                break;
            }
            self.stmt(stmt)?;
        }
        Ok(())
    }

    fn stmt(&mut self, stmt: &'a Stmt) -> Lowered<()> {
        let unsupported = |what: &str| Err(Diagnostic::unsupported(head(stmt), format!("{what} is not supported")));
        match stmt {
            Stmt::FunctionDef(f) => self.nested_def(f),
            Stmt::Return(r) => {
                let value = match &r.value {
                    Some(value) => self.expr(value)?,
                    None => self.none(),
                };
                let returns = self.frame().returns;
                let place = r.value.as_deref().map_or(span_of(r), span_of);
                let value = self.annotated(value, returns, place);
                self.return_value(value, span_of(r));
                Ok(())
            }
            Stmt::Assign(a) => self.assign_statement(a),
            Stmt::AugAssign(a) => {
                if let Expr::Subscript(s) = &*a.target {
                    return self.update_item(s, a);
                }
                let Expr::Name(name) = &*a.target else { return self.refuse_target(&a.target) };
                let old = self.name(name)?;
                let old = self.value_node(old, span_of(name))?;
                let value = self.expr(&a.value)?;
                let new = self.operator(a.op, old, value, span_of(a))?;
                self.write(&name.id, new, span_of(name));
                // What is put to the end of a list is written to it; only a tuple takes what is written as one.
                let (name, any) = (name.id.as_str().into(), !a.value.is_tuple_expr());
                self.store(Write { span: span_of(a), name, new, old, element: None, way: Vec::new(), any, later: Vec::new() });
                Ok(())
            }
            Stmt::AnnAssign(a) => match &a.value {
                Some(value) => {
                    let place = span_of(&**value);
                    let value = self.expr(value)?;
                    let value = self.annotated(value, Some(&a.annotation), place);
                    self.assign(&a.target, value)
                }
                None => Ok(()),
            },
            Stmt::If(i) => self.if_statement(i),
            Stmt::While(w) => self.while_statement(w),
            Stmt::For(f) => self.for_statement(f),
            Stmt::Break(b) => match self.frame().loops.last().copied() {
                Some(l) => {
                    self.jump(l.after, span_of(b));
                    Ok(())
                }
                None => Err(Diagnostic::refused(span_of(b), "`break` outside of a loop")),
            },
            Stmt::Continue(c) => match self.frame().loops.last().copied() {
                Some(l) => {
                    self.jump(l.header, span_of(c));
                    Ok(())
                }
                None => Err(Diagnostic::refused(span_of(c), "`continue` outside of a loop")),
            },
            Stmt::Expr(e) => match &*e.value {
                Expr::StringLiteral(_) | Expr::EllipsisLiteral(_) => Ok(()),
                Expr::Call(c)
                    if let Expr::Attribute(a) = &*c.func
                        && a.attr.as_str() == "sort"
                        && !self.is_module(&a.value)? =>
                {
                    self.sort(&a.value, c)
                }
                value => {
                    // What is not supported is named first.
                    self.expr(value)?;
                    Err(Diagnostic::refused(span_of(value), "the value of this expression is dropped")
                        .hint("assign it to a variable or return it"))
                }
            },
            // The scope has the names.
            Stmt::Pass(_) | Stmt::Import(_) | Stmt::ImportFrom(_) => Ok(()),
            Stmt::ClassDef(_) => unsupported("a class"),
            Stmt::Delete(_) => unsupported("`del`"),
            Stmt::TypeAlias(_) => unsupported("`type`"),
            Stmt::With(_) => unsupported("`with`"),
            Stmt::Match(_) => unsupported("`match`"),
            Stmt::Raise(_) => unsupported("`raise`"),
            Stmt::Try(_) => unsupported("`try`"),
            Stmt::Assert(_) => unsupported("`assert`"),
            Stmt::Global(_) => unsupported("`global`"),
            Stmt::Nonlocal(_) => unsupported("`nonlocal`"),
            Stmt::IpyEscapeCommand(_) => unsupported("an IPython command"),
        }
    }

    fn nested_def(&mut self, f: &'a ast::StmtFunctionDef) -> Lowered<()> {
        check_def(f)?;
        let function = self.closure(Def::Function(f), Some(&f.name))?;
        let value = self.decorated(f, function)?;
        self.write(&f.name, value, span_of(&f.name));
        Ok(())
    }

    fn assign_statement(&mut self, a: &'a ast::StmtAssign) -> Lowered<()> {
        match (&a.targets[..], &*a.value) {
            ([Expr::Name(name)], Expr::Lambda(l)) => {
                let value = self.closure(Def::Lambda(l), Some(&name.id))?;
                self.write(&name.id, value, span_of(name));
                Ok(())
            }
            ([Expr::Tuple(targets)], Expr::Tuple(values))
                if targets.elts.len() == values.elts.len()
                    && !targets.elts.iter().chain(&values.elts).any(Expr::is_starred_expr) =>
            {
                let values = values.elts.iter().map(|v| self.expr(v)).collect::<Lowered<Vec<_>>>()?;
                targets.elts.iter().zip(values).try_for_each(|(t, v)| self.assign(t, v))
            }
            (targets, value) => {
                let value = self.expr(value)?;
                targets.iter().try_for_each(|t| self.assign(t, value))
            }
        }
    }

    fn assign(&mut self, target: &'a Expr, value: NodeId) -> Lowered<()> {
        let elements = match target {
            Expr::Name(name) => {
                self.write(&name.id, value, span_of(name));
                return Ok(());
            }
            Expr::Tuple(t) => &t.elts,
            Expr::List(t) => &t.elts,
            Expr::Subscript(s) => {
                let index = self.index(&s.slice)?;
                return self.set_item(&s.value, index, value, Prim::SetItem, false, span_of(s));
            }
            _ => return self.refuse_target(target),
        };
        if let Some(starred) = elements.iter().find(|e| e.is_starred_expr()) {
            return self.refuse_target(starred);
        }
        let count = self.m.i64(elements.len() as i64);
        let tuple = self.prim(Prim::Unpacked, &[value, count], span_of(target));
        for (i, element) in elements.iter().enumerate() {
            let index = self.m.i64(i as i64);
            let value = self.prim(Prim::GetItem, &[tuple, index], span_of(element));
            self.assign(element, value)?;
        }
        Ok(())
    }

    /// `x[index] += value`, and the like.
    fn update_item(&mut self, s: &'a ast::ExprSubscript, a: &'a ast::StmtAugAssign) -> Lowered<()> {
        let index = self.index(&s.slice)?;
        if a.op == Operator::Add {
            let value = self.expr(&a.value)?;
            return self.set_item(&s.value, index, value, Prim::AddItem, true, span_of(s));
        }
        let old = self.expr(&s.value)?;
        let old = self.prim(Prim::GetItem, &[old, index], span_of(s));
        let value = self.expr(&a.value)?;
        let value = self.operator(a.op, old, value, span_of(a))?;
        self.set_item(&s.value, index, value, Prim::SetItem, true, span_of(s))
    }

    /// `x.sort()`: all elements of `x` are written to.
    fn sort(&mut self, x: &'a Expr, c: &'a ast::ExprCall) -> Lowered<()> {
        let old = self.expr(x)?;
        let sorted = self.call_method("sort", old, c)?;
        let index = self.prim(Prim::Ellipsis, &[], span_of(c));
        self.set_item(x, index, sorted, Prim::SetItem, false, span_of(c))
    }

    /// Writes to an element of what `place` stands for: the variable stands for the array after it. With `updates`, an element
    /// that is an array is written to itself.
    fn set_item(&mut self, place: &'a Expr, index: NodeId, value: NodeId, prim: Prim, updates: bool, span: Span) -> Lowered<()> {
        let element = index;
        let (mut place, mut index, mut value, mut prim, mut at) = (place, index, value, prim, span);
        let mut way = Vec::new();
        loop {
            match place {
                Expr::Name(variable) => {
                    let whole = self.name(variable)?;
                    let whole = self.value_node(whole, span_of(variable))?;
                    let new = self.prim(prim, &[whole, index, value], at);
                    self.write(&variable.id, new, span_of(variable));
                    let (name, old) = (variable.id.as_str().into(), way.last().copied().unwrap_or(whole));
                    let write = Write { span, name, new, old, element: None, way, any: true, later: Vec::new() };
                    if updates {
                        self.store(Write { element: Some(element), ..write.clone() });
                    }
                    self.store(write);
                    return Ok(());
                }
                Expr::Subscript(outer) => {
                    let outer_index = self.index(&outer.slice)?;
                    let outer_value = self.expr(&outer.value)?;
                    let row = self.prim(Prim::GetItem, &[outer_value, outer_index], span_of(outer));
                    way.insert(0, row);
                    value = self.prim(prim, &[row, index, value], at);
                    (place, index, prim, at) = (&outer.value, outer_index, Prim::SetItem, span_of(outer));
                }
                other => {
                    let d = Diagnostic::unsupported(span_of(other), "assignment to an element of this is not supported");
                    return Err(d.hint("give it a name first"));
                }
            }
        }
    }

    fn refuse_target<T>(&self, target: &Expr) -> Lowered<T> {
        let what = match target {
            Expr::Attribute(_) => "assignment to an attribute",
            Expr::Starred(_) => "a starred target",
            _ => "this target of an assignment",
        };
        Err(Diagnostic::unsupported(span_of(target), format!("{what} is not supported")))
    }

    fn if_statement(&mut self, i: &'a ast::StmtIf) -> Lowered<()> {
        let join = self.new_block("join", span_of(i));
        let first = (Some(&*i.test), &i.body[..]);
        let rest = i.elif_else_clauses.iter().map(|c| (c.test.as_ref(), &c.body[..]));
        for (test, body) in std::iter::once(first).chain(rest) {
            let otherwise = match test {
                Some(test) => {
                    let condition = self.condition(test)?;
                    let [then, otherwise] = self.branch(condition, span_of(test), ["then", "else"]);
                    self.enter(then);
                    Some(otherwise)
                }
                None => None,
            };
            self.body(body)?;
            self.jump(join, span_of(i));
            if let Some(otherwise) = otherwise {
                self.enter(otherwise);
            }
        }
        self.jump(join, span_of(i));
        self.seal(join);
        self.enter(join);
        Ok(())
    }

    fn while_statement(&mut self, w: &'a ast::StmtWhile) -> Lowered<()> {
        let header = self.new_block("loop", span_of(&*w.test));
        self.jump(header, span_of(&*w.test));
        self.enter(header);
        let forever = match &*w.test {
            Expr::BooleanLiteral(b) => b.value,
            Expr::NumberLiteral(n) => matches!(&n.value, ast::Number::Int(i) if i.as_i64() != Some(0)),
            _ => false,
        };
        let done = if forever {
            None
        } else {
            let condition = self.condition(&w.test)?;
            let [body, done] = self.branch(condition, span_of(&*w.test), ["body", "done"]);
            self.enter(body);
            Some(done)
        };
        self.loop_body(header, done, &w.body, &w.orelse, span_of(&*w.test))
    }

    /// The body of a loop, from where control is, back to the header; then its `else`, and what `break` jumps to.
    fn loop_body(
        &mut self,
        header: BlockId,
        done: Option<BlockId>,
        body: &'a [Stmt],
        orelse: &'a [Stmt],
        span: Span,
    ) -> Lowered<()> {
        let after = self.new_block("after", span);
        self.frame().loops.push(Loop { header, after });
        self.body(body)?;
        self.jump(header, span);
        self.seal(header);
        self.frame().loops.pop();
        if let Some(done) = done {
            self.enter(done);
            self.body(orelse)?;
            if !self.frame().ssa.is_reachable(after) {
                return Ok(());
            }
            self.jump(after, span);
        }
        self.seal(after);
        self.enter(after);
        Ok(())
    }

    fn for_statement(&mut self, f: &'a ast::StmtFor) -> Lowered<()> {
        if f.is_async {
            return Err(Diagnostic::unsupported(head_of(span_of(f), "async for"), "`async for` is not supported"));
        }
        if let Expr::Call(call) = &*f.iter
            && let Some((start, stop, step)) = self.range_arguments(call)?
        {
            return self.for_range(f, start, stop, step);
        }
        let span = span_of(&*f.iter);
        let iterable = self.expr(&f.iter)?;
        let iterator = self.prim(Prim::Iter, &[iterable], span);
        let var = self.temp();
        self.set(var, iterator);
        let header = self.new_block("loop", span);
        self.jump(header, span);
        self.enter(header);
        let iterator = self.read(var);
        let more = self.prim(Prim::HasNext, &[iterator], span);
        let [body, done] = self.branch(more, span, ["body", "done"]);
        self.enter(body);
        let element = self.prim(Prim::Next, &[iterator], span_of(&*f.target));
        let next = self.prim(Prim::Advance, &[iterator], span);
        self.set(var, next);
        self.assign(&f.target, element)?;
        self.loop_body(header, Some(done), &f.body, &f.orelse, span)
    }

    /// The bounds of a call of the builtin `range` whose step is a literal, evaluated.
    fn range_arguments(&mut self, call: &'a ast::ExprCall) -> Lowered<Option<(NodeId, NodeId, i64)>> {
        let Expr::Name(callee) = &*call.func else { return Ok(None) };
        if callee.id.as_str() != "range"
            || !call.arguments.keywords.is_empty()
            || call.arguments.args.iter().any(Expr::is_starred_expr)
            || !matches!(self.name(callee)?, Value::Imported(Imported::Item(_, _, Item::Special(Special::Range))))
        {
            return Ok(None);
        }
        let (start, stop, step) = match &call.arguments.args[..] {
            [stop] => (None, stop, 1),
            [start, stop] => (Some(start), stop, 1),
            [start, stop, step] => {
                let literal = self.literal(step)?;
                match literal.and_then(|n| self.m[n].as_const()) {
                    Some(&Const::I64(0)) => {
                        return Err(Diagnostic::refused(span_of(step), "the step of a range must not be zero"));
                    }
                    Some(&Const::I64(step)) => (Some(start), stop, step),
                    _ => return Ok(None),
                }
            }
            // The ordinary way reports the number of arguments.
            _ => return Ok(None),
        };
        let start = match start {
            Some(start) => self.bound(start)?,
            None => self.m.i64(0),
        };
        Ok(Some((start, self.bound(stop)?, step)))
    }

    /// A bound of a range. It is the operand of an integer primitive, so that a float is refused.
    fn bound(&mut self, bound: &'a Expr) -> Lowered<NodeId> {
        let value = self.expr(bound)?;
        if matches!(self.m[value].as_const(), Some(Const::I64(_))) || self.m.as_prim(value) == Some(Prim::Len) {
            return Ok(value);
        }
        let zero = self.m.i64(0);
        Ok(self.prim(Prim::WrapAdd, &[value, zero], span_of(bound)))
    }

    fn for_range(&mut self, f: &'a ast::StmtFor, start: NodeId, stop: NodeId, step: i64) -> Lowered<()> {
        let span = span_of(&*f.iter);
        let var = self.temp();
        self.set(var, start);
        let header = self.new_block("loop", span);
        self.jump(header, span);
        self.enter(header);
        let counter = self.read(var);
        let compare = if step > 0 { Prim::Lt } else { Prim::Gt };
        let more = self.prim(compare, &[counter, stop], span);
        let [body, done] = self.branch(more, span, ["body", "done"]);
        self.enter(body);
        // The counter is short of `stop`, so one more step of size one cannot overflow.
        let add = if step.abs() == 1 { Prim::WrapAdd } else { Prim::Add };
        let step = self.m.i64(step);
        let next = self.prim(add, &[counter, step], span);
        self.set(var, next);
        self.assign(&f.target, counter)?;
        self.loop_body(header, Some(done), &f.body, &f.orelse, span)
    }
}

/// The keyword that a statement begins with.
fn head(stmt: &Stmt) -> Span {
    let what = match stmt {
        Stmt::ClassDef(_) => "class",
        Stmt::Delete(_) => "del",
        Stmt::TypeAlias(_) => "type",
        Stmt::With(_) => "with",
        Stmt::Match(_) => "match",
        Stmt::Raise(_) => "raise",
        Stmt::Try(_) => "try",
        Stmt::Assert(_) => "assert",
        _ => return span_of(stmt),
    };
    head_of(span_of(stmt), what)
}

fn head_of(span: Span, keyword: &str) -> Span {
    Span::new(span.start, span.end.min(span.start + keyword.len() as u32))
}

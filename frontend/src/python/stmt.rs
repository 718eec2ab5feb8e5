//! Statements.

use super::changing::CONTENT;
use super::function::check_def;
use super::library;
use super::loops::mentions;
use super::lower::{Lowered, Lowerer};
use super::owned;
use super::rules;
use super::scope::{Def, Global};
use super::span_of;
use super::ssa::Var;
use gradus_ir::{Diagnostic, NodeId, Prim, Span, Write};
use ruff_python_ast::{self as ast, Expr, Operator, Stmt};
use ruff_text_size::Ranged;

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
                self.leave(0)?;
                if self.frame().block.is_some() {
                    self.return_value(value, span_of(r));
                }
                Ok(())
            }
            Stmt::Assign(a) => self.assign_statement(a),
            Stmt::AugAssign(a) => {
                if let Expr::Subscript(s) = &*a.target {
                    return self.update_item(s, a);
                }
                let (name, place, home) = match &*a.target {
                    Expr::Name(n) => (n.id.as_str(), span_of(n), self.shared_box(&n.id)),
                    Expr::Attribute(f) if self.is_changing(&f.attr) => (f.attr.as_str(), span_of(f), Some(self.field_box(f)?)),
                    target => return self.refuse_target(target),
                };
                let old = match (&*a.target, home) {
                    (Expr::Name(n), _) => {
                        let old = self.name(n)?;
                        self.value_node(old, place)?
                    }
                    (_, Some(home)) => self.content(home, name, place),
                    _ => unreachable!("a field is a box"),
                };
                let value = self.sequence(&a.value)?;
                let new = self.updated_by(a.op, old, value, span_of(a))?;
                match (&*a.target, home) {
                    (Expr::Attribute(_), Some(home)) => self.set_box(home, new, place),
                    _ => self.write(name, new, place),
                }
                self.frame().put_back.extend(home.map(|_| new));
                // What is put to the end of a list is written to it; only a tuple takes what is written as one.
                let (name, any) = (spoken(name).into(), !a.value.is_tuple_expr());
                self.store(Write {
                    span: span_of(a),
                    name,
                    new,
                    old,
                    element: None,
                    way: Vec::new(),
                    stored: None,
                    any,
                    home,
                    later: Vec::new(),
                    handed: Vec::new(),
                });
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
                    self.leave(l.guards)?;
                    self.jump(l.after, span_of(b));
                    Ok(())
                }
                None => Err(Diagnostic::refused(span_of(b), "`break` outside of a loop")),
            },
            Stmt::Continue(c) => match self.frame().loops.last().copied() {
                Some(l) => {
                    self.leave(l.guards)?;
                    self.jump(l.header, span_of(c));
                    Ok(())
                }
                None => Err(Diagnostic::refused(span_of(c), "`continue` outside of a loop")),
            },
            Stmt::Expr(e) => match &*e.value {
                Expr::StringLiteral(_) | Expr::EllipsisLiteral(_) => Ok(()),
                value => self.called(value),
            },
            // The scope has the names.
            Stmt::Pass(_) | Stmt::Import(_) | Stmt::ImportFrom(_) => Ok(()),
            Stmt::ClassDef(_) => unsupported("a class in a function, or one that depends on what the top level changes,"),
            Stmt::Delete(d) => d.targets.iter().try_for_each(|t| self.delete(t)),
            Stmt::TypeAlias(_) => unsupported("`type`"),
            Stmt::With(w) => self.with_statement(w),
            Stmt::Match(m) => self.match_statement(m),
            Stmt::Raise(r) => self.raise(r),
            Stmt::Try(t) => self.try_statement(t),
            Stmt::Assert(a) => self.assert(a),
            Stmt::Global(_) => {
                unsupported("`global`").map_err(|d| d.hint("take the value as an argument, and return the new one"))
            }
            // The scope of the function around has it in a box.
            Stmt::Nonlocal(_) => Ok(()),
            Stmt::IpyEscapeCommand(_) => unsupported("an IPython command"),
        }
    }

    /// An expression that is a statement.
    fn called(&mut self, value: &'a Expr) -> Lowered<()> {
        match value {
            Expr::Call(c) if self.effect(value, c)? => Ok(()),
            _ => self.called_for_effect(value),
        }
    }

    /// A call of a function for what it does.
    fn called_for_effect(&mut self, value: &'a Expr) -> Lowered<()> {
        match value {
            Expr::Call(c) if self.is_print(&c.func)? => self.print(c),
            Expr::Call(c) if self.box_call(c)?.is_some() => Ok(()),
            value => {
                // What is not supported is named first.
                self.expr(value)?;
                Err(match (self.unowned_write(value), value) {
                    _ if self.program.objects.lists && self.has_objects() && value.is_call_expr() => return Ok(()),
                    // If it writes to a list that is a value, that is found by inference.
                    (None, Expr::Call(_)) if self.has_objects() => return Ok(()),
                    _ if let Some(d) = self.parameter_write(value) => d,
                    (Some((name, write)), _) => {
                        let what = format!("what this does to `{name}` is lost: the object may have another name, too");
                        let d = Diagnostic::unsupported(span_of(value), what).label(write, "written to here").of_values();
                        d.hint(format!("let the function return the new `{name}`"))
                    }
                    (None, Expr::Call(c)) if rules::is_ruled(value) && c.func.is_attribute_expr() => {
                        let d = Diagnostic::refused(span_of(value), "the value of this expression is dropped");
                        d.hint("a function with a rule, and its rule, capture no variables of a function around them")
                    }
                    // A call for what it does, or something that may raise.
                    (None, Expr::Call(_)) => return Ok(()),
                    _ if self.is_guarded() => return Ok(()),
                    _ => Diagnostic::refused(span_of(value), "the value of this expression is dropped")
                        .hint("assign it to a variable or return it"),
                })
            }
        }
    }

    /// What is said of a call for what its function does to a parameter.
    fn parameter_write(&self, value: &'a Expr) -> Option<Diagnostic> {
        let call = value.as_call_expr()?;
        let callee = call.func.as_name_expr()?;
        let frame = self.frames.iter().rev().find(|f| f.scope.get(&callee.id).is_some());
        let def = match frame {
            Some(frame) => frame.scope.function(&callee.id)?,
            None => match self.globals.get(&callee.id, u32::MAX)? {
                (_, Global::Def(f)) => Def::Function(f),
                _ => return None,
            },
        };
        let Def::Function(f) = def else { return None };
        let (place, parameter) = owned::written_parameters(f).next()?;
        let what = format!("`{}` writes to its parameter `{parameter}`, which the value of the caller does not see", f.name);
        let d = Diagnostic::refused(span_of(value), what).label(span_of(parameter), "this is written to").of_values();
        let given = call.arguments.args.get(place).and_then(|given| self.program.source().text.get(given.range().to_std_range()));
        let text = self.program.source().text.get(value.range().to_std_range());
        Some(match (given, text) {
            (Some(given), Some(text)) => d.hint(format!("return `{parameter}`, and assign it: `{given} = {text}`")),
            _ => d.hint(format!("return `{parameter}`, and assign it")),
        })
    }

    /// The variable around it, and its place, of the function that is called here, if that writes to it and to nothing that is known.
    fn unowned_write(&self, call: &'a Expr) -> Option<(&'a str, Span)> {
        let callee = call.as_call_expr()?.func.as_name_expr()?;
        let scope = self.frames.iter().rev().find(|f| f.scope.get(&callee.id).is_some())?;
        let Def::Function(f) = scope.scope.function(&callee.id)? else { return None };
        let shared = |name: &str| self.frames.iter().any(|f| f.boxes.contains_key(name));
        owned::captured_writes(f).find(|(name, _)| !shared(name))
    }

    /// `del x`: the name has no value from here on; `del x[i]`: the list or dict is one without that element.
    fn delete(&mut self, target: &'a Expr) -> Lowered<()> {
        match target {
            Expr::Name(name) => {
                if self.frame().boxes.contains_key(name.id.as_str()) {
                    let d = Diagnostic::unsupported(span_of(name), "`del` of a variable that functions share is not supported");
                    return Err(d.hint("assign `None`"));
                }
                let value = self.name(name)?;
                self.value_node(value, span_of(name))?;
                let point = self.point();
                let frame = self.frame();
                frame.ssa.delete(point.0, Var::Name(&name.id));
                frame.writes.entry(&name.id).or_default().push((point, span_of(name)));
                Ok(())
            }
            Expr::Tuple(t) => t.elts.iter().try_for_each(|t| self.delete(t)),
            Expr::Subscript(s) => {
                let index = self.index(&s.slice)?;
                if !self.has_method_for_items("__delitem__") {
                    return self.delete_item(s, index);
                }
                let call = |me: &mut Self, object| {
                    me.call_member(object, "__delitem__", &[index], span_of(s));
                    Ok(())
                };
                self.by_kind(&s.value, (span_of(s), |me: &mut Self| me.delete_item(s, index)), (span_of(&*s.slice), call))
            }
            _ => Err(Diagnostic::unsupported(span_of(target), "`del` of this is not supported")),
        }
    }

    /// `del x[index]` of a list or a dict.
    fn delete_item(&mut self, s: &'a ast::ExprSubscript, index: NodeId) -> Lowered<()> {
        let span = span_of(s);
        if self.is_checked() && !s.slice.is_slice_expr() {
            let of = self.expr(&s.value)?;
            self.check_index(of, index, span)?;
        }
        self.use_lists();
        self.in_place(&s.value, [None; 2], span, |me, old| match &*s.slice {
            Expr::Slice(slice) if slice.step.is_some() => {
                let graph = me.graph();
                let all = me.call_written(graph, "_places_in", &[old], span);
                let gone = me.prim(Prim::GetItem, &[all, index], span);
                me.call_written(graph, "_without_places", &[old, gone], span)
            }
            Expr::Slice(_) => {
                let nothing = me.prim(Prim::Tuple, &[], span);
                me.prim(Prim::SetItem, &[old, index, nothing], span)
            }
            _ => {
                let graph = me.graph();
                me.call_written(graph, "_deleted", &[old, index], span)
            }
        })
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
                // To unpack an iterator is to take all that it gives.
                let is_slice = |t: &Expr| t.as_subscript_expr().is_some_and(|s| s.slice.is_slice_expr());
                let is_unpacked = matches!(targets, [t] if t.is_tuple_expr() || t.is_list_expr() || is_slice(t));
                let value = if is_unpacked { self.sequence(value)? } else { self.expr(value)? };
                targets.iter().try_for_each(|t| self.assign(t, value))
            }
        }
    }

    pub fn assign(&mut self, target: &'a Expr, value: NodeId) -> Lowered<()> {
        let elements = match target {
            Expr::Name(name) => {
                self.write(&name.id, value, span_of(name));
                return Ok(());
            }
            Expr::Tuple(t) => &t.elts,
            Expr::List(t) => &t.elts,
            Expr::Subscript(s) => {
                let index = self.index(&s.slice)?;
                let index = self.plain_index(&s.slice, index);
                let set = |me: &mut Self| me.set_item(&s.value, index, value, Prim::SetItem, false, span_of(s));
                if !self.has_method_for_items("__setitem__") {
                    return set(self);
                }
                let call = |me: &mut Self, object| {
                    me.call_member(object, "__setitem__", &[index, value], span_of(s));
                    Ok(())
                };
                return self.by_kind(&s.value, (span_of(s), set), (span_of(&*s.slice), call));
            }
            Expr::Attribute(f) if self.is_changing(&f.attr) => {
                let home = self.field_box(f)?;
                self.set_box(home, value, span_of(f));
                return Ok(());
            }
            _ => return self.refuse_target(target),
        };
        let tuple = match elements.iter().position(Expr::is_starred_expr) {
            Some(before) => {
                let counts = [before, elements.len() - before - 1].map(|n| self.m.i64(n as i64));
                let least = self.m.i64(elements.len() as i64 - 1);
                self.check_count(value, least, true, span_of(target))?;
                self.prim(Prim::Starred, &[value, counts[0], counts[1]], span_of(target))
            }
            None => {
                let count = self.m.i64(elements.len() as i64);
                self.check_count(value, count, false, span_of(target))?;
                self.prim(Prim::Unpacked, &[value, count], span_of(target))
            }
        };
        for (i, element) in elements.iter().enumerate() {
            let index = self.m.i64(i as i64);
            let value = self.prim(Prim::GetItem, &[tuple, index], span_of(element));
            match element {
                Expr::Starred(s) => {
                    let list = self.as_object("_new_list", value, span_of(element));
                    self.assign(&s.value, list)?;
                }
                element => self.assign(element, value)?,
            }
        }
        Ok(())
    }

    /// `x[index] += value`, and the like.
    fn update_item(&mut self, s: &'a ast::ExprSubscript, a: &'a ast::StmtAugAssign) -> Lowered<()> {
        let index = self.index(&s.slice)?;
        let index = self.plain_index(&s.slice, index);
        if !self.has_method_for_items("__setitem__") {
            return self.update_element(s, index, a);
        }
        let update = |me: &mut Self| me.update_element(s, index, a);
        let call = |me: &mut Self, object| {
            let old = me.call_member(object, "__getitem__", &[index], span_of(s));
            let value = me.expr(&a.value)?;
            let new = me.updated_by(a.op, old, value, span_of(a))?;
            me.call_member(object, "__setitem__", &[index, new], span_of(s));
            Ok(())
        };
        self.by_kind(&s.value, (span_of(s), update), (span_of(&*s.slice), call))
    }

    /// The same of a list, a dict or an array.
    fn update_element(&mut self, s: &'a ast::ExprSubscript, index: NodeId, a: &'a ast::StmtAugAssign) -> Lowered<()> {
        if a.op == Operator::Add && !self.has_in_place(a.op) {
            let (value, span) = (self.expr(&a.value)?, span_of(s));
            let is_part = matches!(self.m.as_prim(index), Some(Prim::Slice | Prim::Parts));
            if is_part || !self.has_objects() {
                return self.set_item(&s.value, index, value, Prim::AddItem, true, span);
            }
            return self.in_place(&s.value, [Some(index), Some(value)], span, |me, old| {
                let graph = me.graph();
                me.call_written(graph, "_item_added", &[old, index, value], span)
            });
        }
        let old = self.expr(&s.value)?;
        let old = self.changeable(old, span_of(&*s.value));
        let item = self.prim(Prim::OldItem, &[old, index], span_of(s));
        let value = self.expr(&a.value)?;
        let value = self.prim(Prim::ItemValue, &[old, index, value], span_of(&*a.value));
        let value = self.updated_by(a.op, item, value, span_of(a))?;
        self.set_item(&s.value, index, value, Prim::UpdateItem, true, span_of(s))
    }

    /// `x.sort()`: all elements of an array or a list are written to.
    fn sort(&mut self, x: &'a Expr, c: &'a ast::ExprCall) -> Lowered<()> {
        let old = self.expr(x)?;
        let old = self.value_of(old, false, span_of(x));
        let sorted = self.call_method("_in_order", old, c)?;
        self.in_place(x, [None; 2], span_of(c), |_, _| sorted)
    }

    /// Writes to an element of what `place` stands for. With `updates`, an element that is an array is written to itself.
    fn set_item(&mut self, place: &'a Expr, index: NodeId, value: NodeId, prim: Prim, updates: bool, span: Span) -> Lowered<()> {
        // A slice takes the elements of what it is given.
        let is_slice = self.m.as_prim(index) == Some(Prim::Slice);
        let value = if is_slice { self.value_of(value, false, span) } else { value };
        let stored = (!is_slice).then_some(value);
        if self.is_checked() && !is_slice {
            let of = self.expr(place)?;
            self.check(("IndexError", "index out of range"), "_is_outside", &[of, index], span)?;
        }
        self.in_place(place, [updates.then_some(index), stored], span, |me, old| {
            let value = me.fitting(old, value, span);
            me.prim(prim, &[old, index, value], span)
        })
    }

    /// Writes to the object that `place` stands for: the variable that it is, or is an element of, stands for the value after it.
    /// `element` is the index of an element that is written to itself if it is an array, `stored` what becomes a part of the object.
    fn in_place(
        &mut self,
        place: &'a Expr,
        [element, stored]: [Option<NodeId>; 2],
        span: Span,
        change: impl FnOnce(&mut Self, NodeId) -> NodeId,
    ) -> Lowered<()> {
        let mut way = Vec::new();
        let mut outer = Vec::new();
        let mut innermost = place;
        loop {
            let (of, index) = match innermost {
                Expr::Subscript(s) => (&*s.value, self.index(&s.slice)?),
                // What it gives is an element of the dict.
                Expr::Call(c) if let Some((dict, key, _)) = self.with_default(c)? => (dict, key),
                _ => break,
            };
            let value = self.expr(of)?;
            way.insert(0, self.prim(Prim::GetItem, &[value, index], span_of(innermost)));
            outer.push((index, span_of(innermost)));
            innermost = of;
        }
        let (variable, home) = match innermost {
            Expr::Name(n) => (Some(n), self.shared_box(&n.id)),
            Expr::Attribute(f) if self.is_changing(&f.attr) => (None, Some(self.field_box(f)?)),
            _ => (None, None),
        };
        if variable.is_none() && home.is_none() && !self.has_objects() {
            self.changes_fields |= innermost.is_attribute_expr();
            let d = Diagnostic::unsupported(span_of(innermost), "assignment to an element of this is not supported");
            return Err(d.hint("give it a name first").of_values());
        }
        let (name, place) = match innermost {
            Expr::Attribute(f) => (f.attr.as_str(), span_of(f)),
            _ => (variable.map_or("", |n| n.id.as_str()), span_of(innermost)),
        };
        let whole = match (variable, home) {
            (None, Some(home)) => self.content(home, name, place),
            (None, None) => self.expr(innermost)?,
            _ => {
                let whole = self.resolve(innermost)?;
                self.value_node(whole, place)?
            }
        };
        let old = way.last().copied().unwrap_or(whole);
        let held = self.changeable(old, span);
        let changed = change(self, held);
        let mut new = self.holding(old, changed, span);
        // Elements that are objects of their own are put back, from the inside out.
        let holders = way.iter().rev().skip(1).copied().chain([whole]);
        for ((index, at), holder) in outer.into_iter().zip(holders) {
            new = self.put_back(holder, index, new, at);
        }
        match (variable, home) {
            (None, Some(home)) => self.set_box(home, new, place),
            // An object that nobody has by a name is what it was written to be.
            (None, None) => {
                self.by_object("_must_be_object", whole, span);
                return Ok(());
            }
            _ => self.write(name, new, place),
        }
        let is_owned = variable.is_some() && self.is_owned(name, way.len());
        let name = spoken(name).into();
        self.frame().put_back.extend(home.map(|_| new));
        let (later, handed) = (Vec::new(), Vec::new());
        let write = Write { span, name, new, old, element: None, way, stored, any: true, home, later, handed };
        if element.is_some() {
            self.store(Write { old: held, element, stored: None, ..write.clone() });
        }
        if !is_owned {
            self.store(write);
        }
        Ok(())
    }

    /// Whether a call is of a method of this name of a value.
    pub fn is_method(&mut self, c: &'a ast::ExprCall, name: &str) -> Lowered<Option<&'a Expr>> {
        match &*c.func {
            Expr::Attribute(a) if a.attr.as_str() == name && !self.is_module(&a.value)? => Ok(Some(&a.value)),
            _ => Ok(None),
        }
    }

    /// A call of a method that changes a list, a dict or an array. Where a class of the file has such a method, too, the kind of the value
    /// decides.
    fn effect(&mut self, whole: &'a Expr, c: &'a ast::ExprCall) -> Lowered<bool> {
        let Expr::Attribute(a) = &*c.func else { return Ok(false) };
        let is_own = !self.in_library && owned::changes(&a.attr) && self.classes.file_has_member(&a.attr);
        if !is_own || self.is_module(&a.value)? {
            return self.change(c);
        }
        let change = |me: &mut Self| me.change(c).map(|_| ());
        self.by_kind(&a.value, (span_of(c), change), (span_of(&a.attr), |me: &mut Self, _| me.called_for_effect(whole)))?;
        Ok(true)
    }

    /// Does one thing to a list, a dict or an array, and another to an instance; each with its place.
    fn by_kind(
        &mut self,
        of: &'a Expr,
        (span, of_collection): (Span, impl FnOnce(&mut Self) -> Lowered<()>),
        (place, of_instance): (Span, impl FnOnce(&mut Self, NodeId) -> Lowered<()>),
    ) -> Lowered<()> {
        let value = self.expr(of)?;
        let is_collection = self.is_of(value, &["list", "dict", "ndarray"], span);
        let join = self.new_block("join", span);
        let [then, otherwise] = self.branch(is_collection, span, ["then", "else"]);
        self.enter(then);
        self.with_at_hand(of, value, |me| me.arm(span, of_collection))?;
        self.jump(join, span);
        self.enter(otherwise);
        self.with_at_hand(of, value, |me| me.arm(place, |me| of_instance(me, value)))?;
        self.jump(join, span);
        self.seal(join);
        self.enter(join);
        Ok(())
    }

    /// Whether elements may be such that a method of a class of the file writes or deletes them.
    fn has_method_for_items(&self, method: &str) -> bool {
        !self.in_library && self.classes.file_has_member(method)
    }

    /// A call that changes what it is a method of, unless it is another call.
    fn change(&mut self, c: &'a ast::ExprCall) -> Lowered<bool> {
        if let Some(x) = self.is_method(c, "sort")? {
            self.sort(x, c)?;
            return Ok(true);
        }
        for (name, prim) in [("append", Prim::Append), ("extend", Prim::Extend)] {
            if let Some(list) = self.is_method(c, name)? {
                let ([value], []) = (&*c.arguments.args, &*c.arguments.keywords) else {
                    return Err(Diagnostic::refused(span_of(c), format!("`{name}` takes one argument")));
                };
                if name == "extend" && mentions(value, list) {
                    // A generator would see the list grow.
                    let d = Diagnostic::unsupported(
                        span_of(value),
                        "a list that is extended by a generator over itself is not supported",
                    );
                    return Err(d.hint("write a list: `[… for …]`"));
                }
                let value = self.sequence(value)?;
                self.use_lists();
                let stored = (prim == Prim::Append).then_some(value);
                self.in_place(list, [None, stored], span_of(c), |me, old| me.prim(prim, &[old, value], span_of(c)))?;
                return Ok(true);
            }
        }
        if let Some(dict) = self.is_method(c, "update")? {
            let other = self.entries(c)?;
            self.in_place(dict, [None; 2], span_of(c), |me, old| me.prim(Prim::BitOr, &[old, other], span_of(c)))?;
            return Ok(true);
        }
        if self.pop(c)?.is_some() || self.pop_item(c)?.is_some() || self.set_default(c)?.is_some() {
            return Ok(true);
        }
        self.change_list(c)
    }

    /// A method that changes a list and is written in the language.
    fn change_list(&mut self, c: &'a ast::ExprCall) -> Lowered<bool> {
        let Expr::Attribute(method) = &*c.func else { return Ok(false) };
        let Some((function, count)) = library::change(&method.attr) else { return Ok(false) };
        let Some(list) = self.is_method(c, &method.attr)? else { return Ok(false) };
        let span = span_of(c);
        if c.arguments.args.len() != count || !c.arguments.keywords.is_empty() {
            let arguments = if count == 1 { "argument" } else { "arguments" };
            return Err(Diagnostic::refused(span, format!("`{}` takes {count} {arguments}", method.attr)));
        }
        let values = c.arguments.args.iter().map(|a| self.expr(a)).collect::<Lowered<Vec<_>>>()?;
        if function == "_list_remove" && self.is_checked() {
            let of = self.expr(list)?;
            self.check(("ValueError", "the list has no such element"), "_lacks_element", &[of, values[0]], span)?;
        }
        self.use_lists();
        self.in_place(list, [None, values.last().copied()], span, |me, old| {
            let graph = me.graph();
            me.call_written(graph, function, &[&[old], &values[..]].concat(), span)
        })?;
        Ok(true)
    }

    /// `l.pop()`: the last value of a list, which is taken from it. None if this is no such call.
    pub fn pop(&mut self, c: &'a ast::ExprCall) -> Lowered<Option<NodeId>> {
        let Some(list) = self.is_method(c, "pop")? else { return Ok(None) };
        let span = span_of(c);
        let value = self.expr(list)?;
        self.check(("IndexError", "pop from an empty list"), "_is_empty", &[value], span)?;
        let last = self.m.i64(-1);
        match (&*c.arguments.args, &*c.arguments.keywords) {
            ([], []) => {}
            ([at], []) => {
                let at = self.expr(at)?;
                self.check_index(value, at, span)?;
                let value = self.prim(Prim::GetItem, &[value, at], span);
                self.use_lists();
                self.in_place(list, [None; 2], span, |me, old| {
                    let graph = me.graph();
                    me.call_written(graph, "_without_item", &[old, at], span)
                })?;
                return Ok(Some(value));
            }
            ([key, default], []) => {
                let [key, default] = [self.expr(key)?, self.expr(default)?];
                let graph = self.graph();
                let value = self.call_written(graph, "_dict_popped", &[value, key, default], span);
                self.in_place(list, [None; 2], span, |me, old| me.call_written(graph, "_without_it", &[old, key], span))?;
                return Ok(Some(value));
            }
            _ => {
                return Err(Diagnostic::refused(
                    span,
                    "`pop` takes no argument, the place of an element, or a key and a default",
                ));
            }
        }
        let value = self.prim(Prim::GetItem, &[value, last], span);
        self.in_place(list, [None; 2], span, |me, old| {
            let graph = me.graph();
            me.call_written(graph, "_without_last", &[old], span)
        })?;
        Ok(Some(value))
    }

    /// `d.popitem()`: the last key of a dict with its value, which are taken from it. None if this is no such call.
    pub fn pop_item(&mut self, c: &'a ast::ExprCall) -> Lowered<Option<NodeId>> {
        let Some(dict) = self.is_method(c, "popitem")? else { return Ok(None) };
        let span = span_of(c);
        if !c.arguments.is_empty() {
            return Err(Diagnostic::refused(span, "`popitem` takes no argument"));
        }
        let value = self.expr(dict)?;
        self.check(("KeyError", "'popitem(): dictionary is empty'"), "_has_no_keys", &[value], span)?;
        let graph = self.graph();
        let item = self.call_written(graph, "_dict_last", &[value], span);
        self.in_place(dict, [None; 2], span, |me, old| me.call_written(graph, "_dict_without_last", &[old], span))?;
        Ok(Some(item))
    }

    /// `d.setdefault(key, value)`: the value of a key, which the dict has afterwards. None if this is no such call.
    pub fn set_default(&mut self, c: &'a ast::ExprCall) -> Lowered<Option<NodeId>> {
        let Some((_, key, with_it)) = self.with_default(c)? else { return Ok(None) };
        Ok(Some(self.prim(Prim::GetItem, &[with_it, key], span_of(c))))
    }

    /// The place of the dict of such a call, and the key, after which the dict there is one that has the key.
    fn with_default(&mut self, c: &'a ast::ExprCall) -> Lowered<Option<(&'a Expr, NodeId, NodeId)>> {
        let Some(dict) = self.is_method(c, "setdefault")? else { return Ok(None) };
        let span = span_of(c);
        let (key, value) = match (&*c.arguments.args, &*c.arguments.keywords) {
            ([key], []) => (self.expr(key)?, self.none()),
            ([key, value], []) => (self.expr(key)?, self.expr(value)?),
            _ => return Err(Diagnostic::refused(span, "`setdefault` takes a key and a value")),
        };
        let mut with_it = None;
        self.in_place(dict, [None, Some(value)], span, |me, old| {
            let graph = me.graph();
            *with_it.insert(me.call_written(graph, "_dict_with_default", &[old, key, value], span))
        })?;
        Ok(Some((dict, key, with_it.expect("it was changed"))))
    }

    fn refuse_target<T>(&mut self, target: &Expr) -> Lowered<T> {
        self.changes_fields |= target.is_attribute_expr();
        let what = match target {
            Expr::Attribute(_) => "assignment to an attribute",
            _ => "this target of an assignment",
        };
        let d = Diagnostic::unsupported(span_of(target), format!("{what} is not supported"));
        Err(match target {
            Expr::Attribute(_) => d.hint("instances do not change once they are made: make another one"),
            _ => d,
        })
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
            let place = body.first().map_or(span_of(i), span_of);
            self.arm(place, |me| me.body(body))?;
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

    /// The code of an arm, which begins at a place. One that is not in the subset is refused where a call may take it: then all is
    /// lowered anew without it.
    pub fn arm(&mut self, place: Span, lower: impl FnOnce(&mut Self) -> Lowered<()>) -> Lowered<()> {
        if self.in_library {
            return lower(self);
        }
        if let Some(why) = self.late.refused(place).cloned() {
            let (number, span) = (self.m.i64(self.m.refused.len() as i64), why.span);
            self.m.refused.push(why);
            let refused = self.prim(Prim::Refuse, &[number], span);
            self.end(refused, span);
            return Ok(());
        }
        let known = self.late.found();
        lower(self).inspect_err(|why| {
            // The innermost arm is the one.
            if self.late.found() == known {
                self.late.refuse(place, why);
            }
        })
    }
}

/// A variable or a field as messages name it.
fn spoken(name: &str) -> &str {
    if name == CONTENT { "this field" } else { name }
}

/// The keyword that a statement begins with.
fn head(stmt: &Stmt) -> Span {
    let what = match stmt {
        Stmt::ClassDef(_) => "class",
        Stmt::Delete(_) => "del",
        Stmt::TypeAlias(_) => "type",
        Stmt::Raise(_) => "raise",
        Stmt::Assert(_) => "assert",
        _ => return span_of(stmt),
    };
    head_of(span_of(stmt), what)
}

pub fn head_of(span: Span, keyword: &str) -> Span {
    Span::new(span.start, span.end.min(span.start + keyword.len() as u32))
}

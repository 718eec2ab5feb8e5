//! Loops: of `while`, and over what `for` and the clauses of a comprehension go over.

use super::generators::is_made;
use super::lower::{Loop, Lowered, Lowerer, Value};
use super::names::{Item, Special};
use super::scope::{Imported, bindings};
use super::span_of;
use super::ssa::BlockId;
use super::stmt::head_of;
use gradus_ir::{Const, Diagnostic, NodeId, Prim, Span};
use ruff_python_ast::visitor::{Visitor, walk_expr, walk_stmt};
use ruff_python_ast::{self as ast, Expr, Stmt};
use rustc_hash::FxHashSet;

/// What a loop goes over, evaluated.
#[derive(Clone, Copy)]
pub enum Iterable {
    /// A range with a step that is known.
    Range { start: NodeId, stop: NodeId, step: i64 },
    /// The elements of a value.
    Value(NodeId),
    /// What a function gives for each element, which is its argument, or holds its arguments.
    Mapped { f: NodeId, of: NodeId, many: bool },
    /// The elements for which a function, or for `None` the element itself, is true.
    Filtered { f: NodeId, of: NodeId },
}

impl Iterable {
    /// The value whose elements a loop goes over.
    fn value(self) -> Option<NodeId> {
        match self {
            Iterable::Range { .. } => None,
            Iterable::Value(of) | Iterable::Mapped { of, .. } | Iterable::Filtered { of, .. } => Some(of),
        }
    }
}

impl<'a> Lowerer<'a, '_> {
    pub fn while_statement(&mut self, w: &'a ast::StmtWhile) -> Lowered<()> {
        let span = span_of(&*w.test);
        let header = self.new_block("loop", span);
        self.jump(header, span);
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
            let [body, done] = self.branch(condition, span, ["body", "done"]);
            self.enter(body);
            Some(done)
        };
        self.loop_body(header, done, &w.orelse, span, |me| me.body(&w.body))
    }

    pub fn for_statement(&mut self, f: &'a ast::StmtFor) -> Lowered<()> {
        if f.is_async {
            return Err(Diagnostic::unsupported(head_of(span_of(f), "async for"), "`async for` is not supported"));
        }
        if self.generated(f)? {
            return Ok(());
        }
        let iterable = match &*f.iter {
            Expr::Generator(g) if may_come_first(&g.generators, &[&g.elt], f, false) => Iterable::Value(self.ahead(&f.iter)?),
            iter => match self.lazy_iterable(iter, Some(f))? {
                Some(iterable) => iterable,
                None => {
                    let iterable = self.iterable(iter)?;
                    if let Iterable::Value(of) = iterable {
                        self.check_gone_over(f, of);
                    }
                    let is_own = changes_own_entries(f).is_some_and(|dict| self.shared_box(dict).is_none());
                    match iterable {
                        // Each entry is read before it is written to.
                        Iterable::Value(of) if is_own => Iterable::Value(self.prim(Prim::TupleOf, &[of], span_of(iter))),
                        iterable => iterable,
                    }
                }
            },
        };
        self.for_each(iterable, &f.target, span_of(&*f.iter), &f.orelse, |me| me.body(&f.body))
    }

    /// Evaluates what a loop goes over.
    pub fn iterable(&mut self, iter: &'a Expr) -> Lowered<Iterable> {
        if let Expr::Call(call) = iter
            && let Some((start, stop, step)) = self.range_arguments(call)?
        {
            return Ok(Iterable::Range { start, stop, step });
        }
        match self.lazy_iterable(iter, None)? {
            Some(iterable) => Ok(iterable),
            None => self.expr(iter).map(Iterable::Value),
        }
    }

    /// A loop that assigns each element to `target`.
    pub fn for_each(
        &mut self,
        iterable: Iterable,
        target: &'a Expr,
        span: Span,
        orelse: &'a [Stmt],
        body: impl FnOnce(&mut Self) -> Lowered<()>,
    ) -> Lowered<()> {
        let assign = |me: &mut Self, element| me.assign(target, element);
        self.turns(iterable, (span, span_of(target)), orelse, assign, |me, ()| body(me))
    }

    /// A loop that makes something of each element, at a place, before its body.
    pub fn turns<T>(
        &mut self,
        iterable: Iterable,
        (span, place): (Span, Span),
        orelse: &'a [Stmt],
        assign: impl FnOnce(&mut Self, NodeId) -> Lowered<T>,
        body: impl FnOnce(&mut Self, T) -> Lowered<()>,
    ) -> Lowered<()> {
        let first = match iterable {
            Iterable::Range { start, .. } => start,
            _ => self.prim(Prim::Iter, iterable.value().as_slice(), span),
        };
        let var = self.temp();
        self.set(var, first);
        let header = self.new_block("loop", span);
        self.jump(header, span);
        self.enter(header);
        let at = self.read(var);
        let more = match iterable {
            Iterable::Range { stop, step, .. } => self.prim(if step > 0 { Prim::Lt } else { Prim::Gt }, &[at, stop], span),
            _ => self.prim(Prim::HasNext, &[at], span),
        };
        let [inside, done] = self.branch(more, span, ["body", "done"]);
        self.enter(inside);
        // In Python each turn asks the dicts.
        for dict in iterable.value().map_or(Vec::new(), |of| self.viewed(of)) {
            self.reads_on(dict, span);
        }
        let (element, next) = match iterable {
            Iterable::Range { stop, step, .. } => (at, self.next_of_range(at, stop, step, span)),
            _ => {
                let element = self.prim(Prim::Next, &[at], place);
                (element, self.prim(Prim::Advance, &[at], span))
            }
        };
        self.set(var, next);
        let element = match iterable {
            Iterable::Mapped { f, many, .. } => self.call_value(f, element, many, span),
            Iterable::Filtered { f, .. } => {
                let is_truth = self.m[f].as_const() == Some(&Const::None);
                let test = if is_truth { element } else { self.call_value(f, element, false, span) };
                let test = self.prim(Prim::Truth, &[test], span);
                let [then, otherwise] = self.branch(test, span, ["then", "else"]);
                self.enter(otherwise);
                self.jump(header, span);
                self.enter(then);
                element
            }
            _ => element,
        };
        let made = assign(self, element)?;
        self.loop_body(header, Some(done), orelse, span, |me| body(me, made))
    }

    /// Where a range goes on that is short of `stop` now: there, if a step leads out of the integers. One of size one does not.
    fn next_of_range(&mut self, at: NodeId, stop: NodeId, step: i64, span: Span) -> NodeId {
        let by = self.m.i64(step);
        let next = self.prim(Prim::WrapAdd, &[at, by], span);
        let is_inside = match self.m[stop].as_const() {
            Some(&Const::I64(stop)) => stop.checked_add(step - step.signum()).is_some(),
            _ => step.abs() == 1,
        };
        if is_inside {
            return next;
        }
        let is_on = self.prim(if step > 0 { Prim::Gt } else { Prim::Lt }, &[next, at], span);
        self.prim(Prim::Select, &[is_on, next, stop], span)
    }

    /// The body of a loop, from where control is, back to the header; then its `else`, and what `break` jumps to.
    fn loop_body(
        &mut self,
        header: BlockId,
        done: Option<BlockId>,
        orelse: &'a [Stmt],
        span: Span,
        body: impl FnOnce(&mut Self) -> Lowered<()>,
    ) -> Lowered<()> {
        let after = self.new_block("after", span);
        let guards = self.frame().guards.len();
        self.frame().loops.push(Loop { header, after, guards });
        body(self)?;
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
}

/// Whether a loop over a generator with these clauses, or over an iterator, may compute all of the elements, which are made of these
/// values, first: what the body does changes none of them, and takes them all, unless it `may_stop`.
pub fn may_come_first<'a>(clauses: &'a [ast::Comprehension], made_of: &[&'a Expr], f: &'a ast::StmtFor, may_stop: bool) -> bool {
    let mut elements = Elements::default();
    made_of.iter().for_each(|value| elements.visit_expr(value));
    for (i, clause) in clauses.iter().enumerate() {
        // What the first clause goes over is evaluated first anyhow.
        if i > 0 {
            elements.visit_expr(&clause.iter);
        }
        clause.ifs.iter().for_each(|test| elements.visit_expr(test));
    }
    // The variables of the generator are its own.
    let mut own = Elements::default();
    clauses.iter().for_each(|clause| own.visit_expr(&clause.target));
    elements.names.retain(|name| !own.names.contains(name));
    let mut targets = Elements::default();
    targets.visit_expr(&f.target);
    let mut keeps = targets.names.is_disjoint(&elements.names) && !writes(&f.target);
    bindings(&f.body, &mut |name, _, _| keeps &= !elements.names.contains(name));
    let mut body = Body { keeps, may_stop, elements };
    body.visit_body(&f.body);
    body.keeps
}

/// The variable over whose entries a loop goes, if its body writes to nothing but the entry at hand.
fn changes_own_entries(f: &ast::StmtFor) -> Option<&str> {
    struct Own<'a> {
        dict: &'a str,
        key: &'a str,
        is_so: bool,
    }
    impl Own<'_> {
        fn target(&mut self, target: &Expr) {
            self.is_so &= match target {
                Expr::Name(n) => n.id != *self.dict && n.id != *self.key,
                Expr::Subscript(s) => is_variable(&s.value, self.dict) && is_variable(&s.slice, self.key),
                _ => false,
            };
        }
    }
    impl<'a> Visitor<'a> for Own<'_> {
        fn visit_stmt(&mut self, stmt: &'a Stmt) {
            match stmt {
                Stmt::Assign(a) => a.targets.iter().for_each(|t| self.target(t)),
                Stmt::AugAssign(a) => self.target(&a.target),
                Stmt::AnnAssign(a) => self.target(&a.target),
                Stmt::If(_) | Stmt::Pass(_) | Stmt::Break(_) | Stmt::Continue(_) | Stmt::Return(_) => {}
                _ => self.is_so = false,
            }
            walk_stmt(self, stmt);
        }
        fn visit_expr(&mut self, expr: &'a Expr) {
            // A method or a function of the program may change it.
            self.is_so &= !expr.is_named_expr() && !expr.as_call_expr().is_some_and(|c| c.func.is_attribute_expr());
            walk_expr(self, expr);
        }
    }
    let dict = f.iter.as_call_expr()?.func.as_attribute_expr()?.value.as_name_expr()?;
    let key = f.target.as_tuple_expr()?.elts.first()?.as_name_expr()?;
    let mut own = Own { dict: &dict.id, key: &key.id, is_so: true };
    own.visit_body(&f.body);
    own.is_so.then_some(&*dict.id)
}

fn is_variable(expr: &Expr, name: &str) -> bool {
    matches!(expr, Expr::Name(n) if n.id == *name)
}

/// What the elements of a generator are made of.
#[derive(Default)]
struct Elements<'a> {
    names: FxHashSet<&'a str>,
    /// Whether they may be read from what a write changes.
    read: bool,
}

impl<'a> Visitor<'a> for Elements<'a> {
    fn visit_expr(&mut self, expr: &'a Expr) {
        match expr {
            Expr::Name(name) => {
                self.names.insert(&name.id);
            }
            // Its parameters are its own.
            Expr::Lambda(l) => {
                let mut body = Elements::default();
                body.visit_expr(&l.body);
                for own in l.parameters.iter().flat_map(|p| p.iter()) {
                    body.names.remove(own.name().as_str());
                }
                self.names.extend(body.names);
                self.read |= body.read;
                return l.parameters.iter().for_each(|p| self.visit_parameters(p));
            }
            Expr::Call(_) | Expr::Subscript(_) | Expr::Compare(_) | Expr::Attribute(_) => self.read = true,
            _ => {}
        }
        walk_expr(self, expr);
    }
}

/// The body of a loop over these elements.
struct Body<'a> {
    keeps: bool,
    may_stop: bool,
    elements: Elements<'a>,
}

impl<'a> Visitor<'a> for Body<'_> {
    fn visit_stmt(&mut self, stmt: &'a Stmt) {
        self.keeps &= match stmt {
            Stmt::Break(_) | Stmt::Return(_) => self.may_stop,
            Stmt::Delete(_) => false,
            Stmt::Expr(e) => match &*e.value {
                Expr::Call(c) => match &*c.func {
                    Expr::Attribute(a) if a.attr.as_str() == "append" => {
                        let is_other = |n: &ast::ExprName| !self.elements.names.contains(n.id.as_str());
                        let is_made = a.value.as_name_expr().is_some_and(|n| is_made(&n.id));
                        is_made || !self.elements.read && a.value.as_name_expr().is_some_and(is_other)
                    }
                    _ => false,
                },
                _ => true,
            },
            Stmt::Assign(a) => !a.targets.iter().any(writes),
            Stmt::AugAssign(a) => a.target.is_name_expr(),
            Stmt::For(f) => !writes(&f.target),
            _ => true,
        };
        walk_stmt(self, stmt);
    }

    fn visit_expr(&mut self, expr: &'a Expr) {
        // `xs.pop()` in an expression changes `xs`.
        let is_change = |c: &ast::ExprCall| c.func.as_attribute_expr().is_some_and(|a| super::owned::gives_element(&a.attr));
        self.keeps &= !expr.as_call_expr().is_some_and(is_change) && !expr.is_named_expr();
        walk_expr(self, expr);
    }
}

/// Whether a target is no name.
fn writes(target: &Expr) -> bool {
    match target {
        Expr::Name(_) => false,
        Expr::Tuple(t) => t.elts.iter().any(writes),
        Expr::List(t) => t.elts.iter().any(writes),
        Expr::Starred(s) => writes(&s.value),
        _ => true,
    }
}

/// The names in an expression.
pub fn mentioned(expr: &Expr) -> FxHashSet<&str> {
    let mut elements = Elements::default();
    elements.visit_expr(expr);
    elements.names
}

/// Whether a generator mentions the variable that another expression is.
pub fn mentions(generator: &Expr, variable: &Expr) -> bool {
    let is_it = |n: &ast::ExprName| mentioned(generator).contains(n.id.as_str());
    generator.is_generator_expr() && variable.as_name_expr().is_some_and(is_it)
}

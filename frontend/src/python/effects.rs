//! Effects of programs: output, failures and mutable boxes.
//!
//! Nothing is mutable in the IR. The front end keeps the order of nodes that may do something ([`gradus_ir::Memory::steps`]). Inference
//! knows who is called, so it finds which function does something, and hands the state on (`ir/src/infer/effects.rs`).

use super::class::last_name;
use super::lower::{Lowered, Lowerer, Value};
use super::names::{Item, Special};
use super::scope::Imported;
use super::span_of;
use super::ssa::Var;
use gradus_ir::format::escape;
use gradus_ir::operators::operator_methods;
use gradus_ir::{Const, Diagnostic, Kind, NodeId, Prim, Span, Type};
use ruff_python_ast::{self as ast, Expr};

/// The function of the library that puts a value into a box.
pub const SET_BOX: &str = "_set_box";

impl<'a> Lowerer<'a, '_> {
    /// Whether a node may do something beside giving its result: whether it may call a function, or does so itself.
    pub fn may_act(&self, n: NodeId) -> bool {
        match self.m[n].kind {
            Kind::Call
            | Kind::Prim(
                Prim::CallKw(_) | Prim::Apply(_) | Prim::Print | Prim::Store | Prim::SetStore | Prim::NewBox | Prim::ByObject,
            ) => true,
            Kind::Prim(prim) => prim.applies() || self.may_be_method(prim, self.m[n].inputs()),
            _ => false,
        }
    }

    /// Whether an operation may be a method of a class of the file.
    fn may_be_method(&self, prim: Prim, operands: &[NodeId]) -> bool {
        let is_own =
            |name: &str| self.classes.file_has_member(name) || self.program.objects.are_some() && self.classes.objects_have(name);
        let none = |n: NodeId| self.m[n].as_const() == Some(&Const::None);
        match prim {
            // A method that is called is a step of its own.
            Prim::Attribute => match self.m[operands[1]].as_const() {
                Some(Const::Str(name)) => self.classes.is_property(name) && is_own(name),
                _ => false,
            },
            Prim::Eq | Prim::Ne if none(operands[1]) => false,
            Prim::Ne => is_own("__ne__") || is_own("__eq__"),
            Prim::SumOf => ["__add__", "__radd__", "__sum__"].into_iter().any(is_own),
            Prim::Contains => is_own("__contains__") || is_own("__eq__"),
            Prim::Max | Prim::Min | Prim::MaxOf | Prim::MinOf => ["__gt__", "__lt__", "__max__"].into_iter().any(is_own),
            Prim::Truth => is_own("__bool__") || is_own("__len__"),
            _ => operator_methods(prim).is_some_and(|names| names.into_iter().any(is_own)),
        }
    }

    /// Whether there are boxes that code here may read.
    pub fn may_have_boxes(&self) -> bool {
        self.globals.is_import("Box") || !self.program.fields.is_empty() || self.frames.iter().any(|f| !f.boxes.is_empty())
    }

    /// Takes down that something may have been done: what is in a box may be another thing from here on.
    pub fn acted(&mut self, n: NodeId) {
        if self.may_have_boxes() && self.frames.last().is_some_and(|f| f.block.is_some()) && self.may_act(n) {
            let now = self.m.i64(self.clock.into());
            self.set(Var::Done, now);
        }
    }

    /// Takes down that a call is made before the program asks for what it gives, so that it must do nothing.
    pub fn must_be_idle(&mut self, n: NodeId, otherwise: Diagnostic) {
        self.m.memory.idle.entry(n).or_insert(otherwise);
    }

    /// Takes down that a call goes over objects as they are before it, so that it must not change them.
    pub fn must_be_steady(&mut self, n: NodeId, span: Span) {
        let what = "what is called here may change the list that it goes over, which is not supported";
        self.must_be_idle(n, Diagnostic::unsupported(span, what).hint("go over a copy, `list(…)`, or write a loop"));
        self.m.memory.steady.insert(n);
    }

    /// Calls a function that nobody gives the state, as in a pullback, for its result and for what it prints.
    pub fn witnessed(&mut self, function: NodeId, args: NodeId, span: Span) -> NodeId {
        // Arguments that are written there stay apart: of some the derivative needs nothing.
        let call = if self.m.as_prim(args) == Some(Prim::Tuple) {
            let (graph, written) = (self.graph(), self.m[args].inputs().to_vec());
            let call = self.m.call(graph, function, &written, Type::Unknown, span);
            self.stamp(call);
            call
        } else {
            self.prim(Prim::Applied, &[function, args], span)
        };
        self.m.memory.witnessed.insert(call);
        // Control goes on once that is done, so a derivative of what comes after it does it, too.
        let (done, zero) = (self.prim(Prim::Witness, &[call], span), self.m.i64(0));
        let is_done = self.prim(Prim::Eq, &[done, zero], span);
        let [done, lost] = self.branch(is_done, span, ["done", "lost"]);
        self.enter(lost);
        self.fail("what is printed is lost", &[], span);
        self.enter(done);
        call
    }

    /// Prints or fails with a template filled with values.
    pub fn say(&mut self, prim: Prim, template: &str, values: &[NodeId], span: Span) -> NodeId {
        let template = self.m.constant(Const::Str(template.into()), Type::Str);
        let (nothing, values) = (self.m.i64(0), self.prim(Prim::Tuple, values, span));
        self.prim(prim, &[nothing, template, values], span)
    }

    /// Calls a function of the library that works on mutable boxes.
    fn on_boxes(&mut self, function: &'static str, operands: &[NodeId], span: Span) -> NodeId {
        let graph = self.graph();
        self.call_written(graph, function, operands, span)
    }

    /// A box in which nothing is yet.
    pub fn new_cell(&mut self, span: Span) -> NodeId {
        let function = self.written("_new_box");
        let function = self.m.graph_ref(function);
        self.prim(Prim::NewBox, &[function], span)
    }

    /// `Box(x)`.
    pub fn new_box(&mut self, value: NodeId, span: Span) -> NodeId {
        let made = self.new_cell(span);
        self.set_box(made, value, span);
        made
    }

    /// `b.get()`.
    pub fn get_box(&mut self, of: NodeId, span: Span) -> NodeId {
        let content = self.on_boxes("_content", &[of], span);
        let unchanged = self.read(Var::Done);
        self.prim(Prim::Opened, &[content, of, unchanged], span)
    }

    /// Fails where there is nothing yet in a box.
    pub fn require_filled(&mut self, of: NodeId, otherwise: &str, span: Span) {
        let filled = self.on_boxes("_is_filled", &[of], span);
        let [filled, empty] = self.branch(filled, span, ["filled", "empty"]);
        self.enter(empty);
        self.fail(otherwise, &[], span);
        self.enter(filled);
    }

    /// `b.set(v)`.
    pub fn set_box(&mut self, of: NodeId, value: NodeId, span: Span) {
        self.on_boxes(SET_BOX, &[of, value], span);
    }

    /// A call of `Box`, or of a method of one; none if it is no such call.
    pub fn box_call(&mut self, c: &'a ast::ExprCall) -> Lowered<Option<NodeId>> {
        if !self.globals.is_import("Box") || !c.arguments.keywords.is_empty() {
            return Ok(None);
        }
        let span = span_of(c);
        match (&*c.func, &*c.arguments.args) {
            (Expr::Name(n), [value])
                if n.id == "Box"
                    && matches!(self.resolve(&c.func)?, Value::Imported(Imported::Item(_, _, Item::Special(Special::Box)))) =>
            {
                let value = self.expr(value)?;
                Ok(Some(self.new_box(value, span)))
            }
            (Expr::Attribute(a), []) if a.attr.as_str() == "get" && !self.classes.file_has_member("get") => {
                let of = self.expr(&a.value)?;
                Ok(Some(self.get_box(of, span)))
            }
            (Expr::Attribute(a), [value]) if a.attr.as_str() == "set" && !self.classes.file_has_member("set") => {
                let of = self.expr(&a.value)?;
                let value = self.expr(value)?;
                self.set_box(of, value, span);
                Ok(Some(self.none()))
            }
            _ => Ok(None),
        }
    }

    /// Whether an expression is the builtin `print`.
    pub fn is_print(&mut self, callee: &'a Expr) -> Lowered<bool> {
        let Expr::Name(n) = callee else { return Ok(false) };
        Ok(n.id == "print"
            && matches!(self.resolve(callee), Ok(Value::Imported(Imported::Item(_, _, Item::Special(Special::Print))))))
    }

    /// `print(…)`.
    pub fn print(&mut self, c: &'a ast::ExprCall) -> Lowered<()> {
        let (mut separator, mut end, mut values) = (" ".to_string(), "\n".to_string(), Vec::new());
        for keyword in &c.arguments.keywords {
            match (keyword.arg.as_ref().map(|a| a.as_str()), &keyword.value) {
                (Some("sep"), Expr::StringLiteral(s)) => separator = escape(s.value.to_str()),
                (Some("end"), Expr::StringLiteral(s)) => end = escape(s.value.to_str()),
                (Some("flush"), _) => {}
                _ => {
                    let d = Diagnostic::unsupported(span_of(keyword), "this argument of `print` is not supported");
                    return Err(d.hint("`sep=` and `end=` with strings are"));
                }
            }
        }
        let mut parts = Vec::new();
        for argument in &c.arguments.args {
            let mut template = String::new();
            self.text(argument, &mut template, &mut values)?;
            parts.push(template);
        }
        self.say(Prim::Print, &(parts.join(&separator) + &end), &values, span_of(c));
        Ok(())
    }

    /// `assert condition, message`.
    pub fn assert(&mut self, a: &'a ast::StmtAssert) -> Lowered<()> {
        let condition = self.condition(&a.test)?;
        let [holds, fails] = self.branch(condition, span_of(&*a.test), ["holds", "fails"]);
        self.enter(fails);
        let (mut template, mut values) = ("AssertionError".to_string(), Vec::new());
        if let Some(message) = &a.msg {
            template += ": ";
            self.text(message, &mut template, &mut values)?;
        }
        self.throw("AssertionError", template, values, span_of(a))?;
        self.enter(holds);
        Ok(())
    }

    /// Fails here.
    pub fn fail(&mut self, template: &str, values: &[NodeId], span: Span) {
        let failed = self.say(Prim::Fail, template, values, span);
        self.end(failed, span);
    }

    /// `raise Kind(message)`.
    pub fn raise(&mut self, r: &'a ast::StmtRaise) -> Lowered<()> {
        let is_known = r.exc.as_ref().is_none_or(|e| e.as_name_expr().is_some_and(|n| self.is_variable(&n.id)));
        if is_known {
            return self.throw_again(r);
        }
        let (mut template, mut values) = (String::new(), Vec::new());
        let (kind, arguments) = match r.exc.as_deref() {
            Some(Expr::Call(c)) if c.arguments.keywords.is_empty() => (&*c.func, &c.arguments.args[..]),
            Some(kind @ (Expr::Name(_) | Expr::Attribute(_))) => (kind, [].as_slice()),
            _ => {
                let d = Diagnostic::unsupported(span_of(r), "this `raise` is not supported");
                return Err(d.hint("write `raise ValueError(\"…\")`"));
            }
        };
        let Some(kind) = last_name(kind) else {
            return Err(Diagnostic::unsupported(span_of(kind), "this kind of exception is not supported"));
        };
        template += kind;
        for (i, argument) in arguments.iter().enumerate() {
            template += if i == 0 { ": " } else { ", " };
            self.text(argument, &mut template, &mut values)?;
        }
        self.throw(kind, template, values, span_of(r))
    }
}

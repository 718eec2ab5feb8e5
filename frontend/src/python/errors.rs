//! Exceptions: `try`, `with`, `raise`, and operations that raise.
//!
//! No executor unwinds. A `raise` is a jump to the handler that takes it, over what `finally` and `with` have to do on the way. In a `try` an
//! operation that may raise is tested before it is done. A function that is called there has a second
//! graph, which returns what the first would raise:
//!
//! ```text
//! (code, again, value) = f!(x)
//! if value is None: jump to the handler for code, or return (code, again, None), or fail by again()
//! value[0]
//! ```
//!
//! So only programs with a `try` have any of this, and the transforms see branches.

use super::lower::{Lowered, Lowerer};
use super::names::Library;
use super::scope::{Globals, Scope};
use super::span_of;
use super::ssa::{BlockId, Var};
use super::stmt::head_of;
use gradus_ir::{Const, Diagnostic, Kind, Module, NodeId, Prim, Span, Type};
use ruff_python_ast::{self as ast, Expr, Stmt};
use rustc_hash::FxHashMap;

/// The class of exceptions as values.
const RAISED: &str = "raised_exception";
/// Its fields: the number of the class, and a function that fails anew. No program has such names.
const CODE: &str = "_code_of_it";
const AGAIN: &str = "_raise_it_again";

/// Python's exceptions, each after its base.
const KINDS: &[(&str, &str)] = &[
    ("BaseException", ""),
    ("KeyboardInterrupt", "BaseException"),
    ("SystemExit", "BaseException"),
    ("Exception", "BaseException"),
    ("ArithmeticError", "Exception"),
    ("FloatingPointError", "ArithmeticError"),
    ("OverflowError", "ArithmeticError"),
    ("ZeroDivisionError", "ArithmeticError"),
    ("AssertionError", "Exception"),
    ("AttributeError", "Exception"),
    ("ImportError", "Exception"),
    ("ModuleNotFoundError", "ImportError"),
    ("LookupError", "Exception"),
    ("IndexError", "LookupError"),
    ("KeyError", "LookupError"),
    ("MemoryError", "Exception"),
    ("NameError", "Exception"),
    ("OSError", "Exception"),
    ("FileNotFoundError", "OSError"),
    ("RuntimeError", "Exception"),
    ("NotImplementedError", "RuntimeError"),
    ("RecursionError", "RuntimeError"),
    ("StopIteration", "Exception"),
    ("TypeError", "Exception"),
    ("ValueError", "Exception"),
    ("LinAlgError", "ValueError"),
    ("UnicodeError", "ValueError"),
    ("Warning", "Exception"),
    ("RuntimeWarning", "Warning"),
    ("UserWarning", "Warning"),
];

/// The classes of exceptions of a program, numbered so that those derived from one come right after it.
#[derive(Default)]
pub struct Kinds<'a> {
    /// The number of a class, and the first number after it that is of no class derived from it.
    numbers: FxHashMap<&'a str, (i64, i64)>,
}

impl<'a> Kinds<'a> {
    /// Python's, and those that the file derives from them.
    pub fn of(globals: &Globals<'a>) -> Kinds<'a> {
        let mut own: Vec<(u32, &'a str, &'a str)> = Vec::new();
        for (at, class) in globals.classes() {
            own.extend(class.bases().iter().filter_map(super::class::last_name).map(|base| (at, class.name.as_str(), base)));
        }
        own.sort_unstable();
        let mut kinds = Kinds::default();
        kinds.number("BaseException", &own, 0);
        kinds
    }

    fn number(&mut self, name: &'a str, own: &[(u32, &'a str, &'a str)], first: i64) -> i64 {
        let derived = KINDS.iter().map(|&(name, base)| (name, base)).chain(own.iter().map(|&(_, name, base)| (name, base)));
        let derived: Vec<&'a str> = derived.filter(|&(_, base)| base == name).map(|(name, _)| name).collect();
        // A class with several bases is counted with the first.
        self.numbers.insert(name, (first, first + 1));
        let mut next = first + 1;
        for name in derived {
            if !self.numbers.contains_key(name) {
                next = self.number(name, own, next);
            }
        }
        self.numbers.insert(name, (first, next));
        next
    }

    fn get(&self, name: &str) -> Option<(i64, i64)> {
        self.numbers.get(name).copied()
    }
}

/// A part of a function that something leaves.
#[derive(Clone)]
pub struct Guard<'a> {
    part: Part<'a>,
    /// How many loops are around it.
    loops: usize,
}

impl Guard<'_> {
    /// Whether something is to be done where it is left.
    pub fn is_left(&self) -> bool {
        !matches!(self.part, Part::Handled(_))
    }
}

#[derive(Clone)]
enum Part<'a> {
    /// The body of a `try`, with the handlers of what is raised there.
    Handled(Vec<Handler<'a>>),
    /// A body with `finally`.
    Finally(&'a [Stmt]),
    /// The body of a `with`: what is left at its end, and where control goes if that keeps what was raised.
    With {
        manager: NodeId,
        after: BlockId,
        span: Span,
        /// Whether it is one of the program, which may keep it.
        may_keep: bool,
    },
}

#[derive(Clone)]
struct Handler<'a> {
    /// The ranges of the numbers of what it takes.
    takes: Vec<(i64, i64)>,
    block: BlockId,
    /// Where it finds what was raised, if it asks for that.
    error: Option<Var<'a>>,
}

/// What is raised.
#[derive(Clone)]
enum Error {
    /// By a `raise` or by an operation, with its message.
    New { number: i64, template: String, values: Vec<NodeId> },
    /// By something that was called, or again.
    Known(NodeId),
}

impl<'a> Lowerer<'a, '_> {
    pub fn try_statement(&mut self, t: &'a ast::StmtTry) -> Lowered<()> {
        let span = head_of(span_of(t), "try");
        if t.is_star {
            return Err(Diagnostic::unsupported(span, "`except*` is not supported"));
        }
        if !t.finalbody.is_empty() {
            self.guard(Part::Finally(&t.finalbody));
        }
        let after = self.new_block("after", span);
        let mut handlers = Vec::new();
        for ast::ExceptHandler::ExceptHandler(h) in &t.handlers {
            let takes = match &h.type_ {
                Some(kinds) => self.kinds(kinds)?,
                None => vec![self.kinds.get("BaseException").expect("it is Python's")],
            };
            let error = (h.name.is_some() || raises_again(&h.body)).then(|| self.temp());
            handlers.push(Handler { takes, block: self.new_block("except", span_of(h)), error });
        }
        if !handlers.is_empty() {
            self.guard(Part::Handled(handlers.clone()));
        }
        self.body(&t.body)?;
        if !handlers.is_empty() {
            self.frame().guards.pop();
        }
        self.body(&t.orelse)?;
        self.jump(after, span);
        for (ast::ExceptHandler::ExceptHandler(h), handler) in t.handlers.iter().zip(handlers) {
            self.seal(handler.block);
            self.enter(handler.block);
            if self.frame().block.is_none() {
                continue;
            }
            if let (Some(name), Some(error)) = (&h.name, handler.error) {
                let error = self.read(error);
                self.write(name, error, span_of(name));
            }
            self.frame().handling.push(handler.error);
            let place = h.body.first().map_or(span_of(h), span_of);
            self.arm(place, |me| me.body(&h.body))?;
            self.frame().handling.pop();
            self.jump(after, span);
        }
        self.seal(after);
        self.enter(after);
        if !t.finalbody.is_empty() {
            self.frame().guards.pop();
            self.body(&t.finalbody)?;
        }
        Ok(())
    }

    pub fn with_statement(&mut self, w: &'a ast::StmtWith) -> Lowered<()> {
        if w.is_async {
            return Err(Diagnostic::unsupported(head_of(span_of(w), "async"), "`async with` is not supported"));
        }
        self.with_items(&w.items, &w.body)
    }

    fn with_items(&mut self, items: &'a [ast::WithItem], body: &'a [Stmt]) -> Lowered<()> {
        let Some((item, rest)) = items.split_first() else { return self.body(body) };
        let span = span_of(&item.context_expr);
        let after = self.new_block("after", span);
        if let Expr::Call(c) = &item.context_expr
            && super::class::last_name(&c.func) == Some("suppress")
        {
            let mut takes = Vec::new();
            for kinds in &c.arguments.args {
                takes.extend(self.kinds(kinds)?);
            }
            self.guard(Part::Handled(vec![Handler { takes, block: after, error: None }]));
            self.with_items(rest, body)?;
        } else {
            let manager = self.expr(&item.context_expr)?;
            let entered = self.call_member(manager, "__enter__", &[], span);
            if let Some(target) = &item.optional_vars {
                self.assign(target, entered)?;
            }
            let may_keep = !self.is_library(manager_of(&self.m, manager));
            self.guard(Part::With { manager, after, span, may_keep });
            self.with_items(rest, body)?;
            if self.frame().block.is_some() {
                let nothing = [self.none(); 3];
                self.call_member(manager, "__exit__", &nothing, span);
            }
        }
        self.frame().guards.pop();
        self.jump(after, span);
        self.seal(after);
        self.enter(after);
        Ok(())
    }

    pub fn call_member(&mut self, of: NodeId, name: &'static str, args: &[NodeId], span: Span) -> NodeId {
        let function = self.attribute(of, name, None, span);
        let graph = self.graph();
        let call = self.m.call(graph, function, args, Type::Unknown, span);
        self.stamp(call);
        call
    }

    fn guard(&mut self, part: Part<'a>) {
        let frame = self.frame();
        let loops = frame.loops.len();
        frame.guards.push(Guard { part, loops });
    }

    /// The numbers of the exceptions that a handler names.
    fn kinds(&mut self, kinds: &'a Expr) -> Lowered<Vec<(i64, i64)>> {
        if let Expr::Tuple(t) = kinds {
            let all = t.elts.iter().map(|kind| self.kinds(kind)).collect::<Lowered<Vec<_>>>()?;
            return Ok(all.concat());
        }
        Ok(vec![self.kind(kinds)?])
    }

    fn kind(&self, kind: &'a Expr) -> Lowered<(i64, i64)> {
        let known = super::class::last_name(kind).and_then(|name| self.kinds.get(name));
        known.ok_or_else(|| Diagnostic::unsupported(span_of(kind), "this kind of exception is not supported"))
    }

    /// Does what is to be done where control leaves all guards but the first ones. It may go elsewhere then.
    pub fn leave(&mut self, guards: usize) -> Lowered<()> {
        for i in (guards..self.frame().guards.len()).rev() {
            if self.frame().block.is_none() {
                return Ok(());
            }
            match self.frame().guards[i].part.clone() {
                Part::Handled(_) => {}
                Part::Finally(body) => self.outside(i, |me| me.body(body))?,
                Part::With { manager, span, .. } => {
                    let nothing = [self.none(); 3];
                    self.call_member(manager, "__exit__", &nothing, span);
                }
            }
        }
        Ok(())
    }

    /// Lowers code as it is outside of a guard, and the loops in that.
    fn outside(&mut self, guard: usize, lower: impl FnOnce(&mut Self) -> Lowered<()>) -> Lowered<()> {
        let frame = self.frame();
        let loops = frame.guards[guard].loops;
        let (guards, loops) = (frame.guards.split_off(guard), frame.loops.split_off(loops));
        lower(self)?;
        let frame = self.frame();
        frame.guards.extend(guards);
        frame.loops.extend(loops);
        Ok(())
    }

    /// Whether something may take an exception that is raised here.
    pub fn is_guarded(&self) -> bool {
        let Some(frame) = self.frames.last().filter(|_| !self.in_library) else { return false };
        let takes = |g: &Guard<'_>| match g.part {
            Part::Handled(_) => true,
            Part::With { may_keep, .. } => may_keep,
            Part::Finally(_) => false,
        };
        frame.raises || frame.guards.iter().any(takes)
    }

    /// Whether operations raise here what they raise in CPython. In a program that calls a function value in a `try`, they do so everywhere.
    pub fn is_checked(&self) -> bool {
        self.is_guarded() || !self.in_library && !self.frames.is_empty() && self.late.is_strict()
    }

    /// Raises an exception here, of a class that is known.
    pub fn throw(&mut self, kind: &str, template: String, values: Vec<NodeId>, span: Span) -> Lowered<()> {
        if self.frame().guards.is_empty() && !self.frame().raises {
            self.fail(&template, &values, span);
            return Ok(());
        }
        let (number, _) = self.kinds.get(kind).unwrap_or_else(|| self.kinds.get("Exception").expect("it is Python's"));
        self.raise_to(Error::New { number, template, values }, span)
    }

    /// Raises again: what a handler has by a name, or what is being handled.
    pub fn throw_again(&mut self, r: &'a ast::StmtRaise) -> Lowered<()> {
        let error = match r.exc.as_deref() {
            Some(name) => self.expr(name)?,
            None => match self.frame().handling.last() {
                Some(&Some(error)) => self.read(error),
                _ => return Err(Diagnostic::refused(span_of(r), "`raise` without an exception is for handlers: `except …:`")),
            },
        };
        self.raise_to(Error::Known(error), span_of(r))
    }

    /// Goes on where an exception is handled.
    fn raise_to(&mut self, mut error: Error, span: Span) -> Lowered<()> {
        for i in (0..self.frame().guards.len()).rev() {
            if self.frame().block.is_none() {
                return Ok(());
            }
            match self.frame().guards[i].part.clone() {
                Part::Finally(body) => self.outside(i, |me| me.body(body))?,
                Part::With { manager, after, span: place, .. } => {
                    let (value, none) = (self.instance(&mut error, span), self.none());
                    let kept = self.call_member(manager, "__exit__", &[value, value, none], place);
                    let kept = self.prim(Prim::Truth, &[kept], place);
                    let [kept, on] = self.branch(kept, place, ["kept", "on"]);
                    self.enter(kept);
                    self.jump(after, place);
                    self.enter(on);
                }
                Part::Handled(handlers) => {
                    for handler in handlers {
                        let known = match &error {
                            Error::New { number, .. } => {
                                Some(handler.takes.iter().any(|(low, high)| (low..high).contains(&number)))
                            }
                            Error::Known(_) => None,
                        };
                        let next = match (known, &error) {
                            (Some(false), _) => continue,
                            (None, &Error::Known(value)) => {
                                let takes = self.takes_it(&handler.takes, value, span);
                                let [takes, next] = self.branch(takes, span, ["takes", "next"]);
                                self.enter(takes);
                                Some(next)
                            }
                            _ => None,
                        };
                        if let Some(variable) = handler.error {
                            let value = self.instance(&mut error, span);
                            self.set(variable, value);
                        }
                        self.jump(handler.block, span);
                        match next {
                            Some(next) => self.enter(next),
                            None => return Ok(()),
                        }
                    }
                }
            }
        }
        if self.frame().block.is_none() {
            return Ok(());
        }
        if self.frame().raises {
            let value = self.instance(&mut error, span);
            let parts = [CODE, AGAIN].map(|field| self.attribute(value, field, None, span));
            let none = self.none();
            let outcome = self.prim(Prim::Tuple, &[parts[0], parts[1], none], span);
            self.end(outcome, span);
            return Ok(());
        }
        match error {
            Error::New { template, values, .. } => self.fail(&template, &values, span),
            Error::Known(value) => {
                let failed = self.call_member(value, AGAIN, &[], span);
                self.end(failed, span);
            }
        }
        Ok(())
    }

    /// `isinstance` of an exception; none if the types are no exceptions.
    pub fn is_exception_of(&mut self, value: NodeId, types: &'a Expr, span: Span) -> Lowered<Option<NodeId>> {
        let all = types.as_tuple_expr().map_or(std::slice::from_ref(types), |t| &t.elts[..]);
        if self.in_library || all.is_empty() || !all.iter().all(|kind| self.kind(kind).is_ok()) {
            return Ok(None);
        }
        let takes = self.kinds(types)?;
        self.classes.use_library(RAISED);
        let is = self.is_of(value, &[RAISED], span);
        let (result, join) = (self.temp(), self.new_block("join", span));
        let [then, otherwise] = self.branch(is, span, ["then", "else"]);
        self.enter(otherwise);
        let no = self.m.bool(false);
        self.set(result, no);
        self.jump(join, span);
        self.enter(then);
        let is = self.takes_it(&takes, value, span);
        self.set(result, is);
        self.jump(join, span);
        self.seal(join);
        self.enter(join);
        Ok(Some(self.read(result)))
    }

    /// Whether handlers of these kinds take an exception that the run knows.
    fn takes_it(&mut self, takes: &[(i64, i64)], error: NodeId, span: Span) -> NodeId {
        let number = self.attribute(error, CODE, None, span);
        let mut taken = self.m.bool(false);
        for &(low, high) in takes {
            let [low, high] = [low, high].map(|n| self.m.i64(n));
            let within = [self.prim(Prim::Le, &[low, number], span), self.prim(Prim::Lt, &[number, high], span)];
            let within = self.prim(Prim::BitAnd, &within, span);
            taken = self.prim(Prim::BitOr, &[taken, within], span);
        }
        taken
    }

    /// An exception as a value.
    fn instance(&mut self, error: &mut Error, span: Span) -> NodeId {
        let (number, template, values) = match error {
            Error::Known(value) => return *value,
            Error::New { number, template, values } => (*number, std::mem::take(template), std::mem::take(values)),
        };
        let depth = self.frames.len() - 1;
        let again = self.nested_graph(depth, "again", span);
        self.push_frame(again, "again", Scope::default(), u32::MAX);
        self.fail(&template, &values, span);
        self.pop_frame();
        let fields = [self.m.i64(number), self.m.graph_ref(again)];
        let value = self.error_of(fields, span);
        *error = Error::Known(value);
        value
    }

    /// The exception with a number and a function that fails anew.
    fn error_of(&mut self, fields: [NodeId; 2], span: Span) -> NodeId {
        let maker = self.constructor(RAISED).and_then(|maker| self.value_node(maker, span)).expect("a class of the library");
        let graph = self.graph();
        let made = self.m.call(graph, maker, &fields, Type::Unknown, span);
        self.stamp(made);
        made
    }

    /// The result of a function that returns what it raises, where it does not raise.
    pub fn as_returned(&mut self, value: NodeId, span: Span) -> NodeId {
        let again = self.written("_never");
        let (none, again, value) = (self.m.i64(0), self.m.graph_ref(again), self.prim(Prim::Tuple, &[value], span));
        self.prim(Prim::Tuple, &[none, again, value], span)
    }

    /// What a call gives whose function returns what it raises.
    pub fn returned(&mut self, call: NodeId, span: Span) -> Lowered<NodeId> {
        let places = [0, 1, 2].map(|i| self.m.i64(i));
        let value = self.prim(Prim::GetItem, &[call, places[2]], span);
        let raised = self.is_of(value, &["None"], span);
        let [raised, fine] = self.branch(raised, span, ["raised", "fine"]);
        self.enter(raised);
        let parts = [0, 1].map(|i| self.prim(Prim::GetItem, &[call, places[i]], span));
        let error = self.error_of(parts, span);
        self.raise_to(Error::Known(error), span)?;
        self.enter(fine);
        Ok(self.prim(Prim::GetItem, &[value, places[0]], span))
    }

    /// Raises an exception if the library says so of some values.
    pub fn check(
        &mut self,
        (kind, text): (&'static str, &str),
        test: &'static str,
        values: &[NodeId],
        span: Span,
    ) -> Lowered<()> {
        if !self.is_checked() {
            return Ok(());
        }
        let graph = self.graph();
        let fails = self.call_written(graph, test, values, span);
        let [fails, fine] = self.branch(fails, span, ["fails", "fine"]);
        self.enter(fails);
        self.throw(kind, format!("{kind}: {text}"), Vec::new(), span)?;
        self.enter(fine);
        Ok(())
    }

    /// Raises what Python's operators raise of numbers.
    pub fn check_operator(&mut self, op: ast::Operator, left: NodeId, right: NodeId, span: Span) -> Lowered<()> {
        let (test, text) = match op {
            ast::Operator::Div => ("_divides_by_zero", "division by zero"),
            ast::Operator::FloorDiv | ast::Operator::Mod => ("_divides_by_zero", "integer division or modulo by zero"),
            ast::Operator::Pow => ("_is_power_of_zero", "zero to a negative power"),
            _ => return Ok(()),
        };
        if self.is_guarded() && self.classes.file_has_member(op.dunder()) {
            self.late.be_strict();
        }
        self.check(("ZeroDivisionError", text), test, &[left, right], span)
    }

    /// Raises what Python's operators raise of numbers, which is seen from their result.
    pub fn check_power(&mut self, value: NodeId, operands: [NodeId; 2], span: Span) -> Lowered<()> {
        if !self.is_checked() {
            return Ok(());
        }
        let operands = self.prim(Prim::Tuple, &operands, span);
        self.check(("OverflowError", "numerical result out of range"), "_is_beyond_range", &[value, operands], span)
    }

    /// Raises what builtins raise of what they were given. Whether there is such a check, so that the call comes after it.
    fn check_builtin(&mut self, name: &str, call: NodeId, span: Span) -> Lowered<bool> {
        let is_prim = self.m.as_prim(call).is_some();
        let args = self.m[call].inputs().get(usize::from(!is_prim)..).unwrap_or_default().to_vec();
        match (name, &args[..]) {
            ("min" | "max", &[values]) => {
                let text = format!("{name}() of an empty sequence");
                self.check(("ValueError", &text), "_is_empty", &[values], span)?;
            }
            ("divmod", &[a, b]) => self.check_operator(ast::Operator::FloorDiv, a, b, span)?,
            ("pow", &[a, b]) => {
                self.check_operator(ast::Operator::Pow, a, b, span)?;
                self.check_power(call, [a, b], span)?;
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// The operation of a node or its call, of operands like these, done here.
    fn done_here(&mut self, call: NodeId, operands: &[NodeId], span: Span) -> NodeId {
        let graph = self.graph();
        let done = match self.m[call].kind {
            Kind::Prim(prim) => self.m.prim(graph, prim, operands.to_vec(), Type::Unknown, span),
            _ => self.m.call(graph, operands[0], &operands[1..], Type::Unknown, span),
        };
        self.stamp(done);
        done
    }

    /// Raises what unpacking raises of a sequence with another number of elements: than `least`, or fewer if it `may_have_more`.
    pub fn check_count(&mut self, value: NodeId, least: NodeId, may_have_more: bool, span: Span) -> Lowered<()> {
        let test = if may_have_more { "_has_fewer" } else { "_has_others" };
        self.check(("ValueError", "another number of values to unpack"), test, &[value, least], span)
    }

    /// Raises what an index raises that is outside of what it is of.
    pub fn check_index(&mut self, of: NodeId, index: NodeId, span: Span) -> Lowered<()> {
        self.check(("KeyError", "the dict has no such key"), "_lacks_key", &[of, index], span)?;
        self.check(("IndexError", "index out of range"), "_is_outside", &[of, index], span)
    }

    /// Raises what a function of `math` or of linear algebra raises of what it was given, which is seen from its result.
    pub fn check_result(&mut self, library: Library, name: &str, call: NodeId, span: Span) -> Lowered<NodeId> {
        let is_linear = matches!(library, Library::Linalg | Library::ScipyLinalg);
        if is_linear && ["cholesky", "inv", "solve", "cho_factor"].contains(&name) && self.is_checked() {
            // The matrix that is tested has no derivative, so that there is one of the result only where that is used.
            let operands = self.m[call].inputs().to_vec();
            let mut still = operands.clone();
            let graph = self.graph();
            still[1] = self.call_written(graph, "gradus_stop_gradient", &[operands[1]], span);
            let tested = self.done_here(call, &still, span);
            let what = "the matrix is singular or not positive definite";
            self.check(("LinAlgError", what), "_is_not_finite", &[tested], span)?;
            return Ok(self.done_here(call, &operands, span));
        }
        if !self.is_checked() {
            return Ok(call);
        }
        if library == Library::Builtins && self.check_builtin(name, call, span)? {
            let operands = self.m[call].inputs().to_vec();
            return Ok(self.done_here(call, &operands, span));
        }
        if library != Library::Math {
            return Ok(call);
        }
        let is_prim = self.m.as_prim(call).is_some();
        let args = self.m[call].inputs()[usize::from(!is_prim)..].to_vec();
        let has_poles = ["atanh", "gamma", "lgamma", "log", "log10", "log1p", "log2", "pow"].contains(&name);
        let args = self.prim(Prim::Tuple, &args, span);
        let poles = self.m.bool(has_poles);
        self.check(("ValueError", "math domain error"), "_is_outside_domain", &[call, args, poles], span)?;
        if !has_poles || name == "pow" {
            self.check(("OverflowError", "math range error"), "_is_beyond_range", &[call, args], span)?;
        }
        Ok(call)
    }

    /// The function that returns what this one raises, where something takes that; itself, if there is none.
    pub fn returning(&mut self, callee: NodeId) -> Option<NodeId> {
        if !self.is_guarded() {
            return None;
        }
        if let Some(graph) = self.m.as_graph(callee) {
            let graph = self.returning_graph(graph)?;
            return Some(self.m.graph_ref(graph));
        }
        let Kind::Prim(Prim::Attribute) = self.m[callee].kind else {
            // What it raises is not handled, so it must not go on where CPython's would not.
            self.late.be_strict();
            return None;
        };
        let operands = self.m[callee].inputs().to_vec();
        let Some(Const::Str(name)) = self.m[operands[1]].as_const() else { return None };
        let name = self.classes.method_that_returns(name)?;
        let (text, span, graph) = (self.m.constant(Const::Str(name.into()), Type::Str), self.m[callee].span, self.graph());
        Some(self.prim_in(graph, Prim::Attribute, &[&[operands[0], text], &operands[2..]].concat(), span))
    }
}

/// The function whose call gives a manager of a context.
fn manager_of(m: &Module, manager: NodeId) -> NodeId {
    m[manager].inputs().first().copied().unwrap_or(manager)
}

/// Whether a handler raises what it handles.
fn raises_again(body: &[Stmt]) -> bool {
    struct Again(bool);
    impl<'a> ast::visitor::Visitor<'a> for Again {
        fn visit_stmt(&mut self, stmt: &'a Stmt) {
            self.0 |= matches!(stmt, Stmt::Raise(r) if r.exc.is_none());
            if !matches!(stmt, Stmt::FunctionDef(_) | Stmt::ClassDef(_)) {
                ast::visitor::walk_stmt(self, stmt);
            }
        }
    }
    let mut again = Again(false);
    ast::visitor::Visitor::visit_body(&mut again, body);
    again.0
}

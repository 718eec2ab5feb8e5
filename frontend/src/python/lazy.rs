//! Iterators of Python that give their elements when they are asked for them: `map`, `zip`, `itertools`. Here they are lists, made where
//! they stand.
//!
//! That is the same where all elements are taken at once, by a builtin, by names that unpack them, or by a loop that changes nothing that
//! they are made of. A loop over `map` or `filter` calls the function in each turn, as do `any` and `all`. An iterator that is kept may
//! be taken once, if nothing that its elements are made of changes in between; else the program is refused.

use super::escape::{Flow, Reach};
use super::generators::is_early;
use super::loops::{Iterable, may_come_first, mentioned};
use super::lower::{Frame, Lowered, Lowerer, Value};
use super::names::{Item, Special};
use super::scope::{Binding, Global, Imported};
use super::span_of;
use super::ssa::Point;
use gradus_ir::{Const, Diagnostic, Flavor, GraphId, Kind, NodeId, Prim, Span, Type};
use ruff_python_ast::{self as ast, Expr};
use rustc_hash::FxHashSet;

/// What makes an iterator.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Lazy {
    /// `zip`, `enumerate` and `reversed`: what they go over is a part of the iterator.
    View,
    Map,
    Filter,
    /// A function of `itertools`, with the place of the function that it calls among its arguments.
    Other(Option<usize>),
    /// A generator of the program.
    Generator,
}

/// An iterator that is not taken where it is made.
pub struct Kept<'a> {
    node: NodeId,
    made: Point,
    span: Span,
    /// The names that its elements are made of, if changes of them or of objects matter.
    names: Option<FxHashSet<&'a str>>,
    /// Whether it is a view of a dict, which may be taken more than once.
    is_view: bool,
}

impl<'a> Lowerer<'a, '_> {
    fn lazy(&mut self, expr: &'a Expr) -> Lowered<Option<(Lazy, &'a ast::ExprCall)>> {
        let Expr::Call(c) = expr else { return Ok(None) };
        if !self.in_library && self.is_generated(c) {
            return Ok(Some((Lazy::Generator, c)));
        }
        if self.in_library || !self.may_be_imported(&c.func) {
            return Ok(None);
        }
        // `np.add.outer` is none.
        if let Expr::Attribute(a) = &*c.func
            && !self.is_module(&a.value)?
        {
            return Ok(None);
        }
        Ok(match self.resolve(&c.func)? {
            Value::Imported(Imported::Item(_, _, item)) => match item {
                Item::Special(Special::Zip | Special::Enumerate) | Item::Prim(Prim::Reversed) => Some((Lazy::View, c)),
                Item::Written("builtins_map") => Some((Lazy::Map, c)),
                Item::Written("builtins_filter") => Some((Lazy::Filter, c)),
                Item::Written("itertools_accumulate") => Some((Lazy::Other(Some(1)), c)),
                Item::Written("itertools_dropwhile" | "itertools_starmap" | "itertools_takewhile") => {
                    Some((Lazy::Other(Some(0)), c))
                }
                Item::Written(name) if name.starts_with("itertools_") => Some((Lazy::Other(None), c)),
                _ => None,
            },
            _ => None,
        })
    }

    /// Whether an expression is a name of Python's own or of another module, or of what that has.
    fn may_be_imported(&self, callee: &Expr) -> bool {
        match callee {
            Expr::Attribute(a) => self.may_be_imported(&a.value),
            Expr::Name(n) => match self.frames.iter().rev().find_map(|f| f.scope.get(&n.id)) {
                Some(binding) => matches!(binding, Binding::Import(_)),
                None => {
                    let global = self.globals.get(&n.id, u32::MAX);
                    global.is_none_or(|(_, g)| matches!(g, Global::Import(_) | Global::Value(Expr::Name(_))))
                }
            },
            _ => false,
        }
    }

    pub fn in_turn(&self, expr: &'a Expr) -> Diagnostic {
        Diagnostic::unsupported(span_of(expr), "what this iterator does would be done before anything asks for its elements")
            .hint("write a list: `list(…)`, or a loop")
    }

    /// Evaluates something before its elements are asked for: iterators in it are to do nothing.
    pub fn eagerly<T>(&mut self, evaluate: impl FnOnce(&mut Self) -> T) -> T {
        // An error leaves the functions open that were being lowered, so the last frame may be another one afterwards.
        let at = self.frames.len() - 1;
        self.frames[at].eager += 1;
        let value = evaluate(self);
        self.frames[at].eager -= 1;
        value
    }

    /// An iterator all of whose elements are taken where it stands; none if the expression is no iterator.
    pub fn taken(&mut self, expr: &'a Expr) -> Lowered<Option<NodeId>> {
        if let Expr::If(i) = expr
            && (self.lazy(&i.body)?.is_some() || self.lazy(&i.orelse)?.is_some())
        {
            return self.conditional(i, Self::sequence).map(Some);
        }
        let Some((_, c)) = self.lazy(expr)? else { return Ok(None) };
        let node = self.eagerly(|me| me.call(c))?;
        if self.frame().eager > 0 || is_early(c) {
            let why = self.in_turn(expr);
            self.must_be_idle(node, why);
        }
        Ok(Some(node))
    }

    /// An iterator of which not all elements may be taken.
    pub fn taken_in_part(&mut self, expr: &'a Expr) -> Lowered<NodeId> {
        self.eagerly(|me| me.sequence(expr))
    }

    /// An iterator or a view of a dict that is kept; none if the expression is neither.
    pub fn kept(&mut self, expr: &'a Expr) -> Lowered<Option<NodeId>> {
        let lazy = self.lazy(expr)?;
        let node = match (lazy, expr) {
            (Some(_), _) if self.has_objects() => return Err(self.in_turn(expr)),
            (Some((Lazy::Generator, _)), _) if !self.program.fields.is_empty() => return Err(self.in_turn(expr)),
            (Some(_), _) => self.eagerly(|me| me.taken(expr))?,
            (None, Expr::Call(c)) if !self.in_library && self.entries_of(expr)?.is_some() => Some(self.call(c)?),
            (None, _) => None,
        };
        let Some(node) = node else { return Ok(None) };
        let mut names = lazy.filter(|(lazy, _)| *lazy != Lazy::View).map(|_| mentioned(expr));
        if let (Some(names), Some((Lazy::Generator, c))) = (&mut names, lazy) {
            names.extend(self.mentioned_by(c));
        }
        let (made, span) = (self.point(), span_of(expr));
        self.frame().kept.push(Kept { node, made, span, names, is_view: lazy.is_none() });
        Ok(Some(node))
    }

    /// The dict of which `d.items()`, `d.keys()` or `d.values()` is a view.
    pub fn entries_of(&mut self, expr: &'a Expr) -> Lowered<Option<&'a Expr>> {
        let Expr::Call(c) = expr else { return Ok(None) };
        let Expr::Attribute(a) = &*c.func else { return Ok(None) };
        let is_view = matches!(a.attr.as_str(), "items" | "keys" | "values") && c.arguments.is_empty();
        Ok((is_view && !self.classes.file_has_member(&a.attr) && !self.is_module(&a.value)?).then_some(&*a.value))
    }

    /// The dicts of whose views an iterator is made.
    pub fn viewed(&self, iterator: NodeId) -> Vec<NodeId> {
        let inputs = self.m[iterator].inputs();
        match self.m[iterator].kind {
            Kind::Prim(Prim::Enumerate | Prim::Zip | Prim::Reversed | Prim::Tuple) if !self.in_library => {
                inputs.iter().flat_map(|&of| self.viewed(of)).collect()
            }
            Kind::Call if !self.in_library && self.m.as_graph(inputs[0]).is_some() => {
                let is_view = |g: GraphId| matches!(&*self.m[g].name, "_dict_items" | "_dict_values");
                self.m.as_graph(inputs[0]).filter(|&g| is_view(g)).map(|_| inputs[1]).into_iter().collect()
            }
            Kind::Call if !self.in_library && self.m.as_prim(inputs[0]) == Some(Prim::Attribute) => {
                let [of, name, ..] = *self.m[inputs[0]].inputs() else { unreachable!("it has a name") };
                let is_view = |name: &Const| matches!(name, Const::Str(s) if matches!(&**s, "items" | "values"));
                self.m[name].as_const().filter(|name| is_view(name)).map(|_| of).into_iter().collect()
            }
            _ => Vec::new(),
        }
    }

    /// Reads a value here, whatever becomes of it: nothing that shares its memory may have been written to.
    pub fn reads_on(&mut self, value: NodeId, span: Span) {
        let read = self.prim(Prim::Assigned, &[value], span);
        let here = self.graph();
        self.m.memory.reads.entry(here).or_default().push(read);
    }

    /// What a loop over an iterator goes over; none if the expression is no iterator. `body` is that of a statement.
    pub fn lazy_iterable(&mut self, iter: &'a Expr, body: Option<&'a ast::StmtFor>) -> Lowered<Option<Iterable>> {
        if let Some(items) = self.live_items(iter)? {
            return Ok(Some(items));
        }
        if let Expr::If(i) = iter {
            for arm in [&*i.body, &*i.orelse] {
                self.check_loop(arm, body)?;
            }
            return self.eagerly(|me| me.taken(iter)).map(|value| value.map(Iterable::Value));
        }
        let Some((lazy, c)) = self.lazy(iter)? else { return Ok(None) };
        if let Some(live) = self.live(c)? {
            return Ok(Some(Iterable::Value(live)));
        }
        if let (Lazy::Map | Lazy::Filter, [f, of @ ..], []) = (lazy, &*c.arguments.args, &*c.arguments.keywords)
            && !of.is_empty()
            && (lazy == Lazy::Map || of.len() == 1)
            && !c.arguments.args.iter().any(Expr::is_starred_expr)
        {
            let f = self.expr(f)?;
            let values = of.iter().map(|x| self.taken_in_part(x)).collect::<Lowered<Vec<_>>>()?;
            return Ok(Some(match &*values {
                &[of] if lazy == Lazy::Map => Iterable::Mapped { f, of, many: false },
                &[of] => Iterable::Filtered { f, of },
                values => {
                    let all = self.prim(Prim::Tuple, values, span_of(iter));
                    Iterable::Mapped { f, of: self.prim(Prim::Zip, &[all], span_of(iter)), many: true }
                }
            }));
        }
        self.check_loop(iter, body)?;
        // What it goes over may change in the body, whoever writes to it.
        let is_fixed = std::mem::replace(&mut self.is_fixed, true);
        let taken = self.eagerly(|me| me.taken(iter));
        self.is_fixed = is_fixed;
        taken.map(|value| value.map(Iterable::Value))
    }

    /// Checks that a loop may take the elements of what may be an iterator before its first turn.
    fn check_loop(&mut self, iter: &'a Expr, body: Option<&'a ast::StmtFor>) -> Lowered<()> {
        let (Some((lazy, c)), Some(f)) = (self.lazy(iter)?, body) else { return Ok(()) };
        let made_of: Vec<&Expr> = c.arguments.args.iter().chain(c.arguments.keywords.iter().map(|k| &k.value)).collect();
        let calls = match lazy {
            Lazy::View => return Ok(()),
            Lazy::Map | Lazy::Filter => true,
            Lazy::Generator => false,
            Lazy::Other(function) => function.is_some_and(|i| i < made_of.len()),
        };
        if !may_come_first(&[], &made_of, f, !calls) {
            let d = Diagnostic::unsupported(span_of(iter), "a loop that may change what this iterator gives is not supported");
            return Err(d.hint("write a list: `list(…)`"));
        }
        Ok(())
    }

    /// `any` and `all` of `map` or `filter`, which ask for no element after the one that decides; none if the expression is neither.
    pub fn decided(&mut self, iter: &'a Expr, decides: bool) -> Lowered<Option<NodeId>> {
        let Some((Lazy::Map | Lazy::Filter, _)) = self.lazy(iter)? else { return Ok(None) };
        let Some(iterable) = self.lazy_iterable(iter, None)? else { return Ok(None) };
        let (span, found) = (span_of(iter), self.temp());
        let not_yet = self.m.bool(!decides);
        self.set(found, not_yet);
        let assign = |_: &mut Self, element| Ok(element);
        self.turns(iterable, (span, span), &[], assign, |me, element| {
            let condition = me.prim(Prim::Truth, &[element], span);
            let [then, otherwise] = me.branch(condition, span, ["then", "else"]);
            let (stop, next) = if decides { (then, otherwise) } else { (otherwise, then) };
            me.enter(stop);
            let decided = me.m.bool(decides);
            me.set(found, decided);
            let after = me.frame().loops.last().expect("this loop").after;
            me.jump(after, span);
            me.enter(next);
            Ok(())
        })?;
        Ok(Some(self.read(found)))
    }

    /// Calls a function that is a value, with these arguments or with those in a tuple.
    pub fn call_value(&mut self, f: NodeId, argument: NodeId, many: bool, span: Span) -> NodeId {
        let mut inputs = self.late_arguments(f, span);
        inputs.insert(0, f);
        if !many {
            inputs.push(argument);
            let graph = self.graph();
            let call = self.m.call(graph, f, &inputs[1..], Type::Unknown, span);
            self.stamp(call);
            return call;
        }
        let leading = self.prim(Prim::Tuple, &inputs[1..], span);
        let all = self.prim(Prim::Add, &[leading, argument], span);
        self.prim(Prim::Apply(0), &[f, all], span)
    }

    /// Checks that each iterator that a complete function keeps is taken once, while nothing has changed.
    pub fn check_kept(&mut self, frame: &mut Frame<'a>) {
        if frame.kept.is_empty() {
            return;
        }
        self.keep_views(frame);
        let frame = &*frame;
        let flow = Flow::new(&self.m, frame, &self.inside, &self.stamps, self.program.objects.are_some());
        let wrong: Vec<Span> =
            frame.kept.iter().filter(|k| !k.is_view && !self.is_taken_once(frame, &flow, k)).map(|kept| kept.span).collect();
        self.diagnostics.extend(wrong.into_iter().map(|span| {
            Diagnostic::unsupported(
                span,
                "an iterator that is kept must be taken once, before anything that it is made of changes",
            )
            .hint("write a list: `list(…)`")
        }));
    }

    /// Where a view of a dict is read, the dict is.
    fn keep_views(&mut self, frame: &mut Frame<'a>) {
        let flow = Flow::new(&self.m, frame, &self.inside, &self.stamps, self.program.objects.are_some());
        let mut reads = Vec::new();
        for kept in frame.kept.iter().filter(|kept| kept.is_view) {
            let node = frame.ssa.value(kept.node);
            let dicts = self.viewed(node);
            reads.extend(flow.reads(node).into_iter().flat_map(|(at, span)| dicts.iter().map(move |&dict| (dict, at, span))));
        }
        // Objects may be changed by whoever is called.
        if self.program.objects.are_some() {
            let calls = self.own_calls(frame, &flow);
            let changes: Vec<Point> = frame.stores.iter().map(|s| s.point).chain(calls.iter().map(|c| c.0)).collect();
            let changed = frame.kept.iter().filter(|kept| kept.is_view).filter(|kept| {
                let from = |point: Point| Reach::new(&frame.ssa, vec![point], Some(kept.made));
                let reads = flow.reads(frame.ssa.value(kept.node));
                let is_between = |p: &Point| reads.iter().any(|(at, _)| from(kept.made).contains(*p) && from(*p).contains(*at));
                changes.iter().any(is_between)
            });
            let what = "a view of a dict that may change is not supported";
            let refused: Vec<_> = changed.map(|k| Diagnostic::unsupported(k.span, what).hint("write `list(…)`")).collect();
            return self.diagnostics.extend(refused);
        }
        for (dict, (block, stamp), span) in reads {
            let graph = frame.ssa.graph(block);
            let read = self.m.prim(graph, Prim::Assigned, vec![dict], Type::Unknown, span);
            self.stamps.insert(read, stamp);
            frame.made.push(read);
            self.m.memory.reads.entry(graph).or_default().push(read);
        }
    }

    fn is_taken_once(&self, frame: &Frame<'a>, flow: &Flow<'_, 'a>, kept: &Kept<'a>) -> bool {
        let node = frame.ssa.value(kept.node);
        let holds = |g: GraphId| self.m[g].defaults.contains(&node);
        if frame.ssa.phis().any(|(_, _, argument)| argument == node) || frame.closures.iter().any(|c| holds(c.graph)) {
            return false;
        }
        let mut users: Vec<NodeId> = self.m[node].users().iter().map(|u| u.node).collect();
        users.dedup();
        let [user] = *users else { return users.is_empty() };
        // A comprehension is called once, where it stands.
        let Some(at) = flow.locate(user).and_then(|(at, closure)| match closure.map(|i| &frame.closures[i]) {
            None => Some(at),
            Some(c) => (c.is_comprehension && self.m[user].graph == Some(c.graph)).then_some(at),
        }) else {
            return false;
        };
        let from = |point: Point| Reach::new(&frame.ssa, vec![point], Some(kept.made));
        if !self.takes_all(user, node) || from(at).contains(at) {
            return false;
        }
        let Some(names) = &kept.names else { return true };
        // A loop takes elements until it is left.
        let is_loop = self.m.as_prim(user) == Some(Prim::Iter);
        let (before, after) = (from(kept.made), from(at));
        let captured = |name: &str| frame.closures.iter().any(|c| c.captures.iter().any(|capture| capture.name == name));
        let matters = |name: &&str| names.contains(*name) || captured(name);
        let writes = frame.writes.iter().filter(|(name, _)| matters(name)).flat_map(|(_, writes)| writes.iter().map(|w| w.0));
        let mut changes = writes.chain(frame.stores.iter().map(|s| s.point));
        !changes.any(|p| before.contains(p) && (from(p).contains(at) || is_loop && after.contains(p)))
    }

    /// Whether a node takes all elements of an iterator.
    fn takes_all(&self, user: NodeId, node: NodeId) -> bool {
        use Prim::*;
        let inputs = self.m[user].inputs();
        match self.m[user].kind {
            Kind::Prim(Iter | SumOf | MinOf | MaxOf | List | TupleOf | Unpacked | Starred | Extend | Contains) => true,
            Kind::Call | Kind::Prim(CallKw(_)) => {
                inputs[0] != node && self.m.as_graph(inputs[0]).is_some_and(|g| self.m[g].flavor == Flavor::Library)
            }
            _ => false,
        }
    }
}

//! Calls: of functions of the program, of library functions, of the derivative operators.

use super::comprehension::{Collect, Comprehension};
use super::library;
use super::lower::{Lowered, Lowerer, Value};
use super::names::{Emit, Item, Library, Special};
use super::owned;
use super::references::Takes;
use super::remember::REMEMBERING;
use super::scope::Imported;
use super::span_of;
use gradus_ir::{Const, Diagnostic, Flavor, GraphId, Kind, NodeId, Prim, Role, Span, Type};
use ruff_python_ast::{self as ast, Expr};
use rustc_hash::FxHashSet;

impl<'a> Lowerer<'a, '_> {
    /// Lowers a call.
    pub fn call(&mut self, c: &'a ast::ExprCall) -> Lowered<NodeId> {
        if let Some(value) = self.updated(c)? {
            return Ok(value);
        }
        if let Some(value) = self.box_call(c)? {
            return Ok(value);
        }
        if let Some(value) = self.changing(c)? {
            return Ok(value);
        }
        self.call_as_it_stands(c)
    }

    /// A call that changes no list.
    fn call_as_it_stands(&mut self, c: &'a ast::ExprCall) -> Lowered<NodeId> {
        if let Some(value) = self.attached(c)? {
            return Ok(value);
        }
        if let Some(instance) = self.is_method(c, "_replace")? {
            let instance = self.expr(instance)?;
            return self.with_fields(instance, c);
        }
        let method = match &*c.func {
            Expr::Attribute(a) => self.method(a)?,
            _ => None,
        };
        let callee = match method {
            Some((_, function)) => Value::Imported(Imported::Item(Library::Numpy, function, Item::Written(function))),
            None => self.resolve(&c.func)?,
        };
        let mut names = FxHashSet::default();
        let mut keywords = c.arguments.keywords.iter();
        if let Some(keyword) = keywords.find(|k| k.arg.as_ref().is_some_and(|name| !names.insert(name.as_str()))) {
            return Err(Diagnostic::refused(span_of(keyword), "this keyword argument is given twice"));
        }
        if let Some((value, function)) = method {
            return self.call_method(function, value, c);
        }
        match callee {
            Value::Imported(Imported::Item(library, name, item)) => self.call_item(library, name, item, c),
            value => {
                let callee = self.value_node(value, span_of(&*c.func))?;
                self.call_node(callee, &[], c)
            }
        }
    }

    /// Does something with an expression that was evaluated before it, and is not evaluated again.
    pub fn with_at_hand<T>(&mut self, of: &'a Expr, value: NodeId, run: impl FnOnce(&mut Self) -> T) -> T {
        let before = self.at_hand.replace((of, value));
        let done = run(self);
        self.at_hand = before;
        done
    }

    /// `x.pop()`, `x.popitem()`, `x.setdefault(key, value)`: what a list or a dict gives, which changes it. Where a class of the file has such a method,
    /// too, the kind of the value decides. None if this is no such call.
    fn changing(&mut self, c: &'a ast::ExprCall) -> Lowered<Option<NodeId>> {
        let Expr::Attribute(a) = &*c.func else { return Ok(None) };
        let change = match a.attr.as_str() {
            "pop" => Self::pop,
            "popitem" => Self::pop_item,
            "setdefault" => Self::set_default,
            _ => return Ok(None),
        };
        if !self.classes.file_has_member(&a.attr) {
            return change(self, c);
        }
        // A value that has no name is not changed.
        if !self.has_objects() && !is_place(&a.value, |f| self.is_changing(&f.attr)) || self.is_module(&a.value)? {
            return Ok(None);
        }
        let span = span_of(c);
        let value = self.expr(&a.value)?;
        let is_list = self.is_of(value, &["list", "dict"], span);
        let (result, join) = (self.temp(), self.new_block("join", span));
        let [then, otherwise] = self.branch(is_list, span, ["then", "else"]);
        self.enter(then);
        let last = self.with_at_hand(&a.value, value, |me| change(me, c))?.expect("a method of a value");
        self.set(result, last);
        self.jump(join, span);
        self.enter(otherwise);
        let called = self.with_at_hand(&a.value, value, |me| me.call_as_it_stands(c))?;
        self.set(result, called);
        self.jump(join, span);
        self.seal(join);
        self.enter(join);
        Ok(Some(self.read(result)))
    }

    /// What the decorators of a function make of it.
    pub fn decorated(&mut self, f: &'a ast::StmtFunctionDef, function: NodeId) -> Lowered<NodeId> {
        let mut value = function;
        for decorator in f.decorator_list.iter().rev() {
            let span = span_of(decorator);
            // `@lru_cache(maxsize=8)`.
            if let Expr::Call(c) = &decorator.expression
                && (c.func.is_name_expr() || c.func.is_attribute_expr())
                && let Value::Imported(Imported::Item(_, _, item)) = self.resolve(&c.func)?
            {
                self.remember(item, &[value]);
            }
            value = match self.resolve(&decorator.expression)? {
                Value::Imported(Imported::Item(library, name, item)) => {
                    let graph = self.graph();
                    self.apply(graph, library, name, item, &[value], span)?
                }
                callee => {
                    let callee = self.value_node(callee, span)?;
                    let graph = self.graph();
                    let call = self.m.call(graph, callee, &[value], Type::Unknown, span);
                    self.stamp(call);
                    call
                }
            };
        }
        Ok(value)
    }

    /// Takes down that functions remember what they gave, if this is what makes them do so.
    fn remember(&mut self, item: Item, functions: &[NodeId]) {
        if matches!(item, Item::Written(name) if REMEMBERING.contains(&name)) {
            let graphs = functions.iter().filter_map(|&f| self.m.as_graph(f));
            self.m.memory.remembering.extend(graphs.collect::<Vec<_>>());
        }
    }

    /// Calls a function of the library with a value and the arguments of a call.
    pub fn call_method(&mut self, function: &'static str, value: NodeId, c: &'a ast::ExprCall) -> Lowered<NodeId> {
        let graph = self.written(function);
        let callee = self.m.graph_ref(graph);
        if let ("_list_index", [element]) = (function, &*c.arguments.args)
            && self.is_checked()
        {
            let element = self.expr(element)?;
            self.check(("ValueError", "there is no such element"), "_lacks_element", &[value, element], span_of(c))?;
        }
        if !self.has_array_objects() || !library::is_of_arrays(function) {
            return self.call_node(callee, &[value], c);
        }
        let held = self.value_of(value, true, span_of(&*c.func));
        let call = self.call_node(callee, &[held], c)?;
        Ok(self.given_as_object(function, call, span_of(c)))
    }

    /// Calls a function, with the arguments of a call after those that come first.
    pub fn call_node(&mut self, callee: NodeId, first: &[NodeId], c: &'a ast::ExprCall) -> Lowered<NodeId> {
        let derivative = self.has_objects() && self.is_derivative(callee);
        let returning = self.returning(callee);
        let call = self.call_of_values(returning.unwrap_or(callee), first, c, derivative)?;
        Ok(match returning {
            Some(_) => self.returned(call, span_of(c))?,
            None if derivative => self.as_objects(call, span_of(c)),
            None => call,
        })
    }

    /// Whether a function is a derivative, which is one of values.
    fn is_derivative(&self, callee: NodeId) -> bool {
        let of = self.m[callee].inputs().first().and_then(|&f| self.m.as_graph(f)).map(|g| &self.m[g]);
        let is_made = self.m[callee].kind == Kind::Call
            && of.is_some_and(|g| g.flavor == Flavor::Library && library::differentiates(&g.name));
        is_made || matches!(self.m.as_prim(callee), Some(Prim::Grad { .. }))
    }

    /// The same, with lists and dicts as values if it is a derivative.
    fn call_of_values(&mut self, callee: NodeId, first: &[NodeId], c: &'a ast::ExprCall, derivative: bool) -> Lowered<NodeId> {
        let span = span_of(c);
        let mut inputs = self.late_arguments(callee, span_of(&*c.func));
        inputs.extend_from_slice(first);
        if c.arguments.args.iter().any(Expr::is_starred_expr) || c.arguments.keywords.iter().any(|k| k.arg.is_none()) {
            let leading = (!inputs.is_empty()).then(|| self.prim(Prim::Tuple, &inputs, span));
            let args = self.elements(leading, &c.arguments.args, span)?;
            let args = if self.is_library(callee) { self.value_of(args, true, span) } else { args };
            return self.keyword_call(Prim::Apply, callee, vec![args], c);
        }
        let is_library = self.is_library(callee);
        let is = |which: fn(&str) -> bool| self.m.as_graph(callee).is_some_and(|g| is_library && which(&self.m[g].name));
        let takes_masked = is(library::takes_masked);
        let differentiates = is(library::differentiates);
        for argument in &c.arguments.args {
            inputs.push(match is_library {
                true if takes_masked && inputs.is_empty() => self.picked(argument)?,
                true if differentiates && inputs.is_empty() => self.callable(argument)?,
                _ => {
                    let value = self.argument_of(callee, argument)?;
                    if derivative { self.value_of(value, true, span_of(argument)) } else { value }
                }
            });
        }
        if c.arguments.keywords.iter().all(|k| is_library && is_out(k)) {
            let graph = self.graph();
            let call = self.m.call(graph, callee, &inputs, Type::Unknown, span);
            self.stamp(call);
            self.goes_over(callee, call, span);
            return Ok(call);
        }
        let call = self.keyword_call(Prim::CallKw, callee, inputs, c)?;
        self.goes_over(callee, call, span);
        Ok(call)
    }

    /// Takes down what a function of the library does that calls others for the elements of what it is given.
    fn goes_over(&mut self, callee: NodeId, call: NodeId, span: Span) {
        let calls = self.m.as_graph(callee).is_some_and(|g| library::takes_functions(&self.m[g].name));
        if calls && self.has_objects() && !self.m.memory.idle.contains_key(&call) {
            self.must_be_steady(call, span);
        }
    }

    /// Calls a function, with the keywords of a call after `inputs`.
    fn keyword_call(
        &mut self,
        prim: fn(u32) -> Prim,
        callee: NodeId,
        mut inputs: Vec<NodeId>,
        c: &'a ast::ExprCall,
    ) -> Lowered<NodeId> {
        let is_library = self.is_library(callee);
        let keywords: Vec<_> = c.arguments.keywords.iter().filter(|k| !(is_library && is_out(k))).collect();
        inputs.insert(0, callee);
        for keyword in &keywords {
            let value = self.argument_of(callee, &keyword.value)?;
            inputs.push(if keyword.arg.is_none() { self.value_of(value, false, span_of(keyword)) } else { value });
        }
        let names = keywords.iter().map(|k| k.arg.as_ref().map_or("**", |name| name.as_str()));
        for name in names {
            inputs.push(self.m.constant(Const::Str(name.into()), Type::Str));
        }
        Ok(self.prim(prim(keywords.len() as u32), &inputs, span_of(c)))
    }

    /// Whether a callee is a function of the library.
    pub fn is_library(&self, callee: NodeId) -> bool {
        self.m.as_graph(callee).is_some_and(|g| self.m[g].flavor == Flavor::Library)
    }

    /// Calls a member of a module.
    pub fn call_item(&mut self, library: Library, name: &'a str, item: Item, c: &'a ast::ExprCall) -> Lowered<NodeId> {
        let out = c.arguments.keywords.iter().find(|k| is_out(k)).filter(|_| library.is_numeric());
        let changes = matches!(item, Item::Written(name) if library::changes(name));
        if (changes || out.is_some()) && !self.in_library && !self.has_array_objects() {
            let refused = |span, what: String| Diagnostic::unsupported(span, format!("{what} is not supported here")).of_values();
            return Err(match out {
                Some(out) => refused(span_of(out), format!("`out=` of `{name}`"))
                    .hint("it takes an array of the shape of the result, which the program made: or write `y[...] = …`"),
                None => refused(span_of(c), format!("`{name}`, which writes to its argument,"))
                    .hint("it takes an array that the program made"),
            });
        }
        let value = self.call_item_of_values(library, name, item, c)?;
        if let Some(out) = out {
            let place = self.expr(&out.value)?;
            let graph = self.graph();
            return Ok(self.call_written(graph, "_put_into", &[place, value], span_of(c)));
        }
        let value = self.check_result(library, name, value, span_of(c))?;
        let gives_list = match item {
            Item::Special(Special::List) => true,
            Item::Written(name) => library::gives_new_list(name),
            _ => false,
        };
        let span = span_of(c);
        Ok(match item {
            _ if gives_list && self.program.objects.lists => self.as_objects(value, span),
            _ if gives_list => value,
            Item::Written(name) if library.is_numeric() => self.given_as_object(name, value, span),
            _ if library.is_numeric() => self.given_as_object("", value, span),
            _ if item.computes() && self.has_array_objects() => self.by_object("_computed", value, span),
            _ => value,
        })
    }

    /// The same, where lists are values.
    fn call_item_of_values(&mut self, library: Library, name: &'a str, item: Item, c: &'a ast::ExprCall) -> Lowered<NodeId> {
        if let Item::Special(Special::Grad { value }) = item {
            self.m.one_element |= library == Library::Autograd;
            return self.grad(library, value, c);
        }
        if let Item::Special(Special::IsInstance) = item {
            return self.is_instance(c);
        }
        if let Item::Special(Special::Print) = item {
            self.print(c)?;
            return Ok(self.none());
        }
        if let Item::Special(Special::Replace) = item {
            if !self.program.fields.is_empty() {
                let d = Diagnostic::unsupported(span_of(c), "`replace` in a program that assigns fields is not supported");
                return Err(d.hint("make the instance by its class"));
            }
            return self.replaced(c);
        }
        if let (Item::Special(manner @ (Special::Silently | Special::Performed)), [call]) = (item, &*c.arguments.args) {
            let call = self.expr(call)?;
            let memory = &mut self.m.memory;
            if manner == Special::Silently { &mut memory.silent } else { &mut memory.performed }.insert(call);
            return Ok(call);
        }
        let is_plain = c.arguments.keywords.is_empty() && !c.arguments.args.iter().any(Expr::is_starred_expr);
        if let Item::Special(Special::Partial) = item
            && !is_plain
        {
            return self.partial(c);
        }
        if let Item::Written(name) = item {
            let call = self.call_written_as(name, c)?;
            let inputs = self.m[call].inputs().to_vec();
            self.remember(item, &inputs);
            return Ok(call);
        }
        if let Item::Special(special @ (Special::Max | Special::Min)) = item
            && !c.arguments.keywords.is_empty()
        {
            return self.call_written_as(if special == Special::Max { "_max_by" } else { "_min_by" }, c);
        }
        if let Item::Special(Special::Zip) = item
            && let [keyword] = &*c.arguments.keywords
            && keyword.arg.as_ref().is_some_and(|name| name == "strict")
        {
            return self.call_written_as("_zip_strict", c);
        }
        if let Item::Special(Special::Next) = item {
            return self.next(c);
        }
        if let Item::Special(Special::GetAttr) = item {
            return self.get_attribute(c);
        }
        let has_start = matches!(item, Item::Special(Special::Enumerate | Special::Sum)) && c.arguments.args.len() == 1;
        let is_start = |k: &ast::Keyword| has_start && k.arg.as_ref().is_some_and(|name| name == "start");
        if let Some(keyword) = c.arguments.keywords.iter().find(|k| !(is_start(k) || library.is_numeric() && is_out(k))) {
            let message = format!("`{name}` with keyword arguments is not supported");
            return Err(Diagnostic::unsupported(span_of(keyword), message));
        }
        if let (Item::Special(special @ (Special::All | Special::Any)), [iter]) = (item, &*c.arguments.args)
            && let Some(decided) = self.decided(iter, special == Special::Any)?
        {
            return Ok(decided);
        }
        if let Item::Special(Special::Sum | Special::All | Special::Any) = item
            && let Some(c) = self.folded(item, c)?
        {
            return Ok(c);
        }
        if c.arguments.args.iter().any(Expr::is_starred_expr) {
            return self.call_item_starred(library, name, item, c);
        }
        let named = c.arguments.keywords.iter().filter(|k| is_start(k)).map(|k| &k.value);
        let given = c.arguments.args.iter().chain(named);
        let takes = Takes::of(library, item, c.arguments.len());
        let mut args = given.map(|a| self.sequence_in(a, takes)).collect::<Lowered<Vec<_>>>()?;
        if let (Item::Special(Special::Witnessed), &[f, args]) = (item, &args[..]) {
            return Ok(self.witnessed(f, args, span_of(c)));
        }
        let graph = self.graph();
        if let (Item::Special(Special::Jvp), Some(f)) = (item, args.first_mut()) {
            *f = self.callable_value(graph, *f, span_of(c));
        }
        self.apply(graph, library, name, item, &args, span_of(c))
    }

    /// A call of a function that is written in the language, as the program writes it.
    pub fn call_written_as(&mut self, name: &'static str, c: &'a ast::ExprCall) -> Lowered<NodeId> {
        let graph = self.written(name);
        let callee = self.m.graph_ref(graph);
        self.call_node(callee, &[], c)
    }

    /// `sum`, `all` and `any` of a comprehension need no list.
    fn folded(&mut self, item: Item, c: &'a ast::ExprCall) -> Lowered<Option<NodeId>> {
        let Some((first, rest)) = c.arguments.args.split_first() else { return Ok(None) };
        let Some(comprehension) = Comprehension::of(first) else { return Ok(None) };
        // A list is complete before `any` and `all` look at it.
        if matches!(item, Item::Special(Special::All | Special::Any)) && !first.is_generator_expr() {
            return Ok(None);
        }
        let start = rest.first().or(c.arguments.keywords.first().map(|k| &k.value));
        let collect = match (item, start) {
            (Item::Special(Special::Sum), None) => Collect::Sum(self.m.i64(0)),
            (Item::Special(Special::Sum), Some(start)) if c.arguments.len() == 2 => Collect::Sum(self.expr(start)?),
            (Item::Special(Special::All), None) => Collect::Until(false),
            (Item::Special(Special::Any), None) => Collect::Until(true),
            _ => return Ok(None),
        };
        self.comprehension(comprehension, collect).map(Some)
    }

    /// `next(iter(xs))`, `next(x for …)`: the first element, or the default. An iterator that is kept would be another one afterwards.
    fn next(&mut self, c: &'a ast::ExprCall) -> Lowered<NodeId> {
        let span = span_of(c);
        let (of, default) = match &*c.arguments.args {
            [of] => (of, None),
            [of, default] => (of, Some(default)),
            _ => return Err(Diagnostic::refused(span, "`next` takes an iterator, and a default")),
        };
        if let Expr::Generator(_) = of
            && let Some(comprehension) = Comprehension::of(of)
        {
            let default = default.map(|default| self.expr(default)).transpose()?;
            return self.comprehension(comprehension, Collect::First(default));
        }
        let sequence = match of {
            Expr::Call(c) if matches!(&*c.func, Expr::Name(n) if n.id == "iter") => c.arguments.args.first(),
            _ => None,
        };
        if sequence.is_none() && self.classes.file_has_member("__pull__") {
            let mut args = vec![self.expr(of)?];
            args.extend(default.map(|default| self.expr(default)).transpose()?);
            let graph = self.graph();
            return Ok(self.call_written(graph, "_next_from", &args, span));
        }
        let Some(sequence) = sequence else {
            let d = Diagnostic::unsupported(span_of(of), "`next` of an iterator that is kept is not supported");
            return Err(d.hint("write `next(iter(xs))`, or go over the elements by `for`"));
        };
        let mut args = vec![self.taken_in_part(sequence)?];
        args.extend(default.map(|default| self.expr(default)).transpose()?);
        let graph = self.graph();
        Ok(self.call_written(graph, "_first_of", &args, span))
    }

    /// A call with stars of a function that is no function of the program: of one that takes a sequence as well as its elements, or
    /// of one with a fixed number of arguments.
    fn call_item_starred(&mut self, library: Library, name: &'a str, item: Item, c: &'a ast::ExprCall) -> Lowered<NodeId> {
        let span = span_of(c);
        let whole = match item {
            Item::Special(Special::Zip) => Some(Prim::Zip),
            Item::Special(Special::Min) => Some(Prim::MinOf),
            Item::Special(Special::Max) => Some(Prim::MaxOf),
            _ => None,
        };
        if let Some(prim) = whole {
            let args = self.elements(None, &c.arguments.args, span)?;
            return Ok(self.prim(prim, &[args], span));
        }
        let callee = self.item_node(library, name, item, span_of(&*c.func)).map_err(|d| match item.arity() {
            Some(_) => d,
            None => Diagnostic::unsupported(span, format!("`{name}` with a starred argument is not supported"))
                .hint("give the arguments one by one"),
        })?;
        let args = self.elements(None, &c.arguments.args, span)?;
        Ok(self.prim(Prim::Apply(0), &[callee, args], span))
    }

    /// Applies a library function to operands, in a graph.
    pub fn apply(
        &mut self,
        graph: GraphId,
        library: Library,
        name: &str,
        item: Item,
        args: &[NodeId],
        span: Span,
    ) -> Lowered<NodeId> {
        // Lists are arrays to NumPy's functions.
        let as_arrays = matches!(library, Library::Numpy | Library::Special) && matches!(item, Item::Prim(_) | Item::Formula(..));
        let arrays: Vec<NodeId>;
        let args = if as_arrays {
            arrays = args.iter().map(|&a| self.prim_in(graph, Prim::AsArray, &[a], span)).collect();
            &arrays
        } else {
            args
        };
        match item {
            Item::Prim(prim) if prim.arity() == Some(args.len()) => Ok(self.prim_in(graph, prim, args, span)),
            Item::Formula(arity, formula) if arity == args.len() => {
                let mut made = Vec::new();
                let mut prim = |m: &mut gradus_ir::Module, prim, operands: &[NodeId]| {
                    let node = m.prim(graph, prim, operands.to_vec(), Type::Unknown, span);
                    made.push(node);
                    node
                };
                let result = formula(&mut Emit { module: &mut self.m, prim: &mut prim }, args);
                made.into_iter().for_each(|node| self.stamp(node));
                Ok(result)
            }
            Item::Special(special) => match self.apply_special(graph, special, args, span) {
                Some(node) => Ok(node),
                None => Err(arity_error(library, name, item, args.len(), span)),
            },
            Item::Number(_) => Err(Diagnostic::refused(span, format!("`{}.{name}` is a number, not a function", library.name()))),
            Item::Written(name) => {
                self.remember(item, args);
                Ok(self.call_written(graph, name, args, span))
            }
            Item::Text("str") if library == Library::Builtins && args.len() == 1 => {
                let template = self.m.constant(Const::Str("{}".into()), Type::Str);
                let values = self.prim_in(graph, Prim::Tuple, args, span);
                Ok(self.prim_in(graph, Prim::Text, &[template, values], span))
            }
            // `np.float64(x)`.
            Item::Text(text) if args.len() == 1 => {
                let text = self.m.constant(Const::Str(text.into()), Type::Str);
                Ok(self.prim_in(graph, Prim::AsType, &[args[0], text], span))
            }
            Item::Nothing | Item::Text(_) => {
                Err(Diagnostic::unsupported(span, format!("`{name}` as a function is not supported"))
                    .hint("convert an array by `x.astype(…)`, a number by `float(…)` or `int(…)`"))
            }
            Item::Prim(_) | Item::Formula(..) | Item::Library(_) => Err(arity_error(library, name, item, args.len(), span)),
        }
    }

    pub fn call_written(&mut self, graph: GraphId, name: &'static str, args: &[NodeId], span: Span) -> NodeId {
        let callee = self.written(name);
        let callee = self.m.graph_ref(callee);
        let call = self.m.call(graph, callee, args, Type::Unknown, span);
        self.stamp(call);
        call
    }

    /// None if there is no meaning for so many arguments.
    fn apply_special(&mut self, graph: GraphId, special: Special, args: &[NodeId], span: Span) -> Option<NodeId> {
        let (prim, operands) = match (special, args) {
            (Special::Range, &[stop]) => (Prim::Range, vec![self.m.i64(0), stop, self.m.i64(1)]),
            (Special::Range, &[start, stop]) => (Prim::Range, vec![start, stop, self.m.i64(1)]),
            (Special::Range, &[_, _, _]) => (Prim::Range, args.to_vec()),
            (Special::Min, &[_]) => (Prim::MinOf, args.to_vec()),
            (Special::Max, &[_]) => (Prim::MaxOf, args.to_vec()),
            (Special::Min | Special::Max, &[first, ref rest @ ..]) => {
                let prim = if special == Special::Min { Prim::Min } else { Prim::Max };
                return Some(rest.iter().fold(first, |best, &x| self.prim_in(graph, prim, &[best, x], span)));
            }
            (Special::Log, &[_]) => (Prim::Log, args.to_vec()),
            (Special::Log, &[x, base]) => {
                let logs = [x, base].map(|a| self.prim_in(graph, Prim::Log, &[a], span));
                (Prim::TrueDiv, logs.to_vec())
            }
            (Special::Tuple, &[]) => (Prim::Tuple, Vec::new()),
            (Special::Tuple, &[_]) => (Prim::TupleOf, args.to_vec()),
            (Special::List, &[]) => (Prim::List, vec![self.prim_in(graph, Prim::Tuple, &[], span)]),
            (Special::List, &[_]) => (Prim::List, args.to_vec()),
            (Special::Float, &[]) => return Some(self.m.f64(0.0)),
            (Special::Float, &[_]) => (Prim::Float, args.to_vec()),
            (Special::Int, &[]) => return Some(self.m.i64(0)),
            (Special::Int, &[_]) => (Prim::TruncInt, args.to_vec()),
            (Special::Bool, &[]) => return Some(self.m.bool(false)),
            (Special::Bool, &[_]) => (Prim::Truth, args.to_vec()),
            (Special::Enumerate, &[t]) => (Prim::Enumerate, vec![t, self.m.i64(0)]),
            (Special::Enumerate, &[_, _]) => (Prim::Enumerate, args.to_vec()),
            (Special::Sum, &[t]) => (Prim::SumOf, vec![t, self.m.i64(0)]),
            (Special::Sum, &[_, _]) => (Prim::SumOf, args.to_vec()),
            (Special::All, _) if args.len() == 1 => return Some(self.call_written(graph, "_all_of", args, span)),
            (Special::Any, _) if args.len() == 1 => return Some(self.call_written(graph, "_any_of", args, span)),
            (Special::Callable, &[x]) => {
                let function = self.m.constant(Const::Str("function".into()), Type::Str);
                (Prim::IsInstance, vec![x, self.prim_in(graph, Prim::Tuple, &[function], span)])
            }
            (Special::Zip, _) => (Prim::Zip, vec![self.prim_in(graph, Prim::Tuple, args, span)]),
            (Special::Slice, bounds) => {
                let none = self.none();
                let bounds = match *bounds {
                    [stop] => [none, stop, none],
                    [start, stop] => [start, stop, none],
                    [start, stop, step] => [start, stop, step],
                    _ => return None,
                };
                return Some(self.slice_of(bounds, span));
            }
            (Special::HasListObjects, &[]) => return Some(self.m.bool(self.program.objects.lists)),
            (Special::HasArrayObjects, &[]) => return Some(self.m.bool(self.program.objects.arrays)),
            (Special::Pow, &[_, _]) => (Prim::Power, args.to_vec()),
            (Special::Pow, &[_, _, _]) => return Some(self.call_written(graph, "_power_modulo", args, span)),
            (Special::Jvp, &[_, _, _]) => (Prim::Jvp, args.to_vec()),
            (Special::Partial, &[f]) => return Some(f),
            (Special::Partial, &[_, ..]) => (Prim::Partial, args.to_vec()),
            (Special::Grad { value }, &[f]) => {
                (Prim::Grad { value, many: false, aux: false, allow_int: false }, vec![f, self.m.i64(0)])
            }
            _ => return None,
        };
        Some(self.prim_in(graph, prim, &operands, span))
    }

    /// A member of a module as a value: a number, or a graph that applies the function.
    pub fn item_node(&mut self, library: Library, name: &'a str, item: Item, span: Span) -> Lowered<NodeId> {
        match item {
            Item::Number(x) => return Ok(self.m.f64(x)),
            Item::Nothing => return Ok(self.none()),
            Item::Text(text) => return Ok(self.m.constant(Const::Str(text.into()), Type::Str)),
            Item::Written(name) => {
                let graph = self.written(name);
                return Ok(self.m.graph_ref(graph));
            }
            _ => {}
        }
        if let Some(&graph) = self.wrappers.get(&(library.name(), name)) {
            return Ok(self.m.graph_ref(graph));
        }
        let Some(arity) = item.arity() else {
            return Err(Diagnostic::unsupported(span, format!("`{name}` as a value is not supported")).hint("write a lambda"));
        };
        let graph = self.m.add_graph(name, Flavor::Function, Role::Primal, span);
        let names = ["x", "y", "z"];
        let params: Vec<NodeId> =
            (0..arity).map(|i| self.m.add_param(graph, Type::Unknown, names.get(i).map(|&n| n.into()), span)).collect();
        let mut result = self.apply(graph, library, name, item, &params, span)?;
        let nothing = match item {
            Item::Special(Special::Float) => Some(self.m.f64(0.0)),
            Item::Special(Special::Int) => Some(self.m.i64(0)),
            Item::Special(Special::Bool) => Some(self.m.bool(false)),
            // Without characters.
            Item::Special(Special::List | Special::Tuple) => Some(self.m.constant(Const::Str("".into()), Type::Str)),
            _ => None,
        };
        self.m[graph].defaults.extend(nothing);
        if matches!(item, Item::Special(Special::List)) && self.has_objects() && self.program.objects.lists {
            result = self.call_written(graph, "_new_list", &[result], span);
        }
        self.m.set_result(graph, result);
        self.wrappers.insert((library.name(), name), graph);
        Ok(self.m.graph_ref(graph))
    }

    /// The value and the function of the library that a call of one of its methods means; none if this is the member of a module.
    fn method(&mut self, a: &'a ast::ExprAttribute) -> Lowered<Option<(NodeId, &'static str)>> {
        if self.is_module(&a.value)? {
            return Ok(None);
        }
        match library::attribute(&a.attr) {
            Some((function, false)) if !self.may_be_member(function, &a.attr) => {
                let value = if library::takes_masked(function) { self.picked(&a.value)? } else { self.expr(&a.value)? };
                Ok(Some((value, function)))
            }
            _ if a.attr.as_str() == "sort" && !self.classes.file_has_member("sort") => {
                let d = Diagnostic::refused(span_of(&a.attr), "`sort` gives nothing; it is a statement");
                Err(d.hint("write `np.sort(x)`"))
            }
            None if owned::gives_nothing(&a.attr) && !self.classes.file_has_member(&a.attr) => {
                let d = Diagnostic::refused(span_of(&a.attr), format!("`{}` gives nothing; it is a statement", a.attr));
                Err(d.hint("write it on a line of its own"))
            }
            _ => Ok(None),
        }
    }

    /// The argument of a reduction, which may be `x[mask]`.
    fn picked(&mut self, argument: &'a Expr) -> Lowered<NodeId> {
        let Expr::Subscript(s) = argument else {
            let value = self.argument(argument)?;
            return Ok(self.value_of(value, true, span_of(argument)));
        };
        let x = self.expr(&s.value)?;
        let x = self.value_of(x, true, span_of(&*s.value));
        let index = self.index(&s.slice)?;
        let index = self.plain_index(&s.slice, index);
        Ok(self.prim(Prim::Picked, &[x, index], span_of(s)))
    }

    /// An argument of a call.
    fn argument_of(&mut self, callee: NodeId, argument: &'a Expr) -> Lowered<NodeId> {
        let value = self.argument_as_taken(callee, argument)?;
        let is_own = |n: NodeId| self.m.as_graph(n).is_some_and(|g| self.m[g].flavor != Flavor::Library);
        // Where lists are objects, a function is handed over within a call of the library.
        let is_within = || self.m[value].inputs().iter().skip(1).any(|&n| is_own(n));
        if self.is_library(callee) && self.is_guarded() && (is_own(value) || is_within()) {
            // The library calls it, and does not hand on what it raises.
            self.late.be_strict();
        }
        Ok(value)
    }

    fn argument_as_taken(&mut self, callee: NodeId, argument: &'a Expr) -> Lowered<NodeId> {
        match self.m.as_graph(callee).map(|g| &self.m[g]) {
            Some(g) if g.flavor != Flavor::Library || self.has_objects() && self.classes.is_class(&g.name) => self.expr(argument),
            Some(g) if library::takes_functions(&g.name) => self.sequence_in(argument, Takes::Elements),
            Some(_) if self.has_objects() => {
                let name = self.m.as_graph(callee).and_then(|g| self.own_name(g)).expect("a function of the library");
                let value = self.argument(argument)?;
                Ok(self.taken_as(value, library::takes(name), span_of(argument)))
            }
            Some(_) => self.argument(argument),
            None => self.expr(argument),
        }
    }

    /// An argument of a function of the library, or what is compared. The names of Python's types of numbers stand for those of elements.
    pub fn argument(&mut self, argument: &'a Expr) -> Lowered<NodeId> {
        if let Expr::Name(name) = argument
            && let Value::Imported(Imported::Item(Library::Builtins, _, item)) = self.name(name)?
            && let Some(text) = match item {
                Item::Special(Special::Float) => Some("float64"),
                Item::Special(Special::Int) => Some("int64"),
                Item::Special(Special::Bool) => Some("bool"),
                Item::Written("builtins_complex") => Some("complex128"),
                _ => None,
            }
        {
            return Ok(self.m.constant(Const::Str(text.into()), Type::Str));
        }
        self.sequence(argument)
    }
}

/// Whether this is the array that a function of NumPy puts its result into.
fn is_out(keyword: &ast::Keyword) -> bool {
    keyword.arg.as_ref().is_some_and(|name| name == "out")
}

/// Whether an expression is a variable or a field that is a box, or an element of one.
fn is_place(mut expr: &Expr, is_box: impl Fn(&ast::ExprAttribute) -> bool) -> bool {
    while let Expr::Subscript(s) = expr {
        expr = &s.value;
    }
    expr.is_name_expr() || expr.as_attribute_expr().is_some_and(is_box)
}

fn arity_error(library: Library, name: &str, item: Item, got: usize, span: Span) -> Diagnostic {
    let plural = |n: usize| format!("{n} argument{}", if n == 1 { "" } else { "s" });
    let arity = item.arity().filter(|_| item.is_function());
    // Python may know what to do with more arguments than we do, not with fewer.
    match arity {
        Some(arity) if got < arity || library == Library::Math => {
            Diagnostic::refused(span, format!("`{name}` takes {}, got {got}", plural(arity)))
        }
        _ => Diagnostic::unsupported(span, format!("`{name}` with {} is not supported", plural(got))),
    }
}

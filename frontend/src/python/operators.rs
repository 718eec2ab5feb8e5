//! Calls of what looks at more of its arguments than their values: the derivative operators, `partial`, `isinstance`.

use super::lower::{Lowered, Lowerer, Value};
use super::names::{Item, Library, Special};
use super::scope::Imported;
use super::span_of;
use gradus_ir::{Const, Diagnostic, Flavor, GraphId, NodeId, Prim, Role, Span, Type};
use ruff_python_ast::{self as ast, Expr, Operator};

impl<'a> Lowerer<'a, '_> {
    /// `grad(f)`, `grad(f, 1)`, `grad(f, (0, 2))`, `grad(f, 'x')`, `grad(f, 'x', 'y')`, and the same with `wrt=` or `argnums=`; with
    /// `has_aux=` and `allow_int=`.
    pub fn grad(&mut self, library: Library, value: bool, c: &'a ast::ExprCall) -> Lowered<NodeId> {
        let name = grad_name(value);
        let (f, wrt) = match &*c.arguments.args {
            [f, wrt @ ..] if wrt.len() < 2 || wrt.iter().all(Expr::is_string_literal_expr) => (f, wrt),
            args if args.iter().any(Expr::is_starred_expr) => {
                return Err(Diagnostic::unsupported(span_of(c), format!("`{name}` with a starred argument is not supported")));
            }
            args => {
                let message = format!("`{name}` takes a function and what to differentiate for, got {} arguments", args.len());
                return Err(Diagnostic::refused(span_of(c), message));
            }
        };
        let f = self.callable(f)?;
        let graph = self.graph();
        self.grad_of(library, graph, f, value, wrt, c)
    }

    /// `partial(grad, argnums=1)`: a function that takes another and gives its gradient.
    fn partial_grad(&mut self, library: Library, value: bool, c: &'a ast::ExprCall) -> Lowered<NodeId> {
        let span = span_of(c);
        let graph = self.m.add_graph(grad_name(value), Flavor::Function, Role::Primal, span);
        let f = self.m.add_param(graph, Type::Unknown, Some("f".into()), span);
        let f = self.callable_value(graph, f, span);
        let result = self.grad_of(library, graph, f, value, &[], c)?;
        self.m.set_result(graph, result);
        Ok(self.m.graph_ref(graph))
    }

    /// The gradient of `f`, in a graph, with the keywords of a call. With `allow_int` JAX takes ints for what they are; without it we take
    /// them for floats.
    fn grad_of(
        &mut self,
        library: Library,
        graph: GraphId,
        f: NodeId,
        value: bool,
        mut wrt: &'a [Expr],
        c: &'a ast::ExprCall,
    ) -> Lowered<NodeId> {
        let name = grad_name(value);
        let (mut aux, mut allow_int) = (false, false);
        for keyword in &c.arguments.keywords {
            match keyword.arg.as_ref().map(|a| a.as_str()) {
                Some("wrt" | "argnum" | "argnums") if wrt.is_empty() => wrt = std::slice::from_ref(&keyword.value),
                Some(flag @ ("has_aux" | "allow_int")) => {
                    let Expr::BooleanLiteral(given) = &keyword.value else {
                        let message = format!("`{flag}` must be True or False");
                        return Err(Diagnostic::unsupported(span_of(&keyword.value), message));
                    };
                    *(if flag == "has_aux" { &mut aux } else { &mut allow_int }) = given.value;
                }
                _ => {
                    return Err(Diagnostic::refused(span_of(keyword), format!("`{name}` has no such argument"))
                        .hint(format!("write `{name}(f, argnums=0)`")));
                }
            }
        }
        let allow_int = allow_int && library == Library::Jax;
        let mut operands = vec![f];
        let (many, wrt) = match wrt {
            [Expr::Tuple(ast::ExprTuple { elts, .. }) | Expr::List(ast::ExprList { elts, .. })] if elts.is_empty() => {
                let d = Diagnostic::refused(span_of(c), format!("`{name}` differentiates with respect to an argument"));
                return Err(d.hint(format!("write `{name}(f, argnums=0)`")));
            }
            [Expr::Tuple(ast::ExprTuple { elts, .. }) | Expr::List(ast::ExprList { elts, .. })] => (true, &elts[..]),
            wrt => (wrt.len() > 1, wrt),
        };
        match wrt {
            [] => operands.push(self.m.i64(0)),
            wrt => wrt.iter().try_for_each(|e| self.wrt(e).map(|n| operands.push(n)))?,
        }
        Ok(self.prim_in(graph, Prim::Grad { value, many, aux, allow_int }, &operands, span_of(c)))
    }

    /// What a derivative is taken of: a function, or an instance that can be called as one.
    pub fn callable(&mut self, f: &'a Expr) -> Lowered<NodeId> {
        let value = self.expr(f)?;
        let graph = self.graph();
        Ok(self.callable_value(graph, value, span_of(f)))
    }

    /// The same of a value, in a graph.
    pub fn callable_value(&mut self, graph: GraphId, value: NodeId, span: Span) -> NodeId {
        // The top level makes derivatives, too.
        let is_of_objects = self.program.objects.are_some() && !self.in_library;
        let value = if is_of_objects { self.call_written(graph, "_of_values", &[value], span) } else { value };
        if self.in_library || !self.classes.file_has_member("__call__") {
            return value;
        }
        self.call_written(graph, "_function", &[value], span)
    }

    fn wrt(&mut self, expr: &'a Expr) -> Lowered<NodeId> {
        match self.literal(expr)? {
            Some(n) if matches!(self.m[n].as_const(), Some(Const::I64(_) | Const::Str(_))) => Ok(n),
            _ => Err(Diagnostic::unsupported(span_of(expr), "what to differentiate for must be a literal")
                .hint("write the position of the argument, its name in quotes, or a tuple of these")),
        }
    }

    /// `partial(f, a, b=c)`, with keywords.
    pub fn partial(&mut self, c: &'a ast::ExprCall) -> Lowered<NodeId> {
        let (span, keywords) = (span_of(c), &c.arguments.keywords);
        if c.arguments.args.iter().any(Expr::is_starred_expr) {
            let d = Diagnostic::unsupported(span, "`partial` with a starred argument is not supported");
            return Err(d.hint("write a lambda"));
        }
        match &*c.arguments.args {
            [] => return Err(Diagnostic::refused(span, "`partial` needs a function")),
            [f @ (Expr::Name(_) | Expr::Attribute(_))] => {
                if let Value::Imported(Imported::Item(library, _, Item::Special(Special::Grad { value }))) = self.resolve(f)? {
                    return self.partial_grad(library, value, c);
                }
            }
            _ => {}
        }
        let given = c.arguments.args.iter().chain(keywords.iter().map(|k| &k.value));
        let mut inputs = given.map(|a| self.expr(a)).collect::<Lowered<Vec<_>>>()?;
        for name in keywords.iter().filter_map(|k| k.arg.as_ref()) {
            inputs.push(self.m.constant(Const::Str(name.as_str().into()), Type::Str));
        }
        Ok(self.prim(Prim::PartialKw(keywords.len() as u32), &inputs, span))
    }

    /// `dataclasses.replace(x, name=value)`.
    pub fn replaced(&mut self, c: &'a ast::ExprCall) -> Lowered<NodeId> {
        let span = span_of(c);
        let [instance] = &*c.arguments.args else {
            return Err(Diagnostic::refused(span, "`replace` takes an instance, and fields by their names"));
        };
        let instance = self.expr(instance)?;
        self.with_fields(instance, c)
    }

    /// An instance with other values for the fields that a call names.
    pub fn with_fields(&mut self, instance: NodeId, c: &'a ast::ExprCall) -> Lowered<NodeId> {
        let (mut value, span) = (instance, span_of(c));
        if self.has_makers() {
            let d = Diagnostic::unsupported(span, "`replace` beside a class with `__init__` or `__post_init__` is not supported");
            return Err(d.hint("call the class"));
        }
        for keyword in &c.arguments.keywords {
            let Some(name) = &keyword.arg else {
                let d = Diagnostic::unsupported(span_of(keyword), "other values for fields with `**` are not supported");
                return Err(d.hint("give each field by its name"));
            };
            let name = self.m.constant(Const::Str(name.as_str().into()), Type::Str);
            let new = self.expr(&keyword.value)?;
            value = self.prim(Prim::WithField, &[value, name, new], span);
        }
        Ok(value)
    }

    /// `isinstance(x, float)`, `isinstance(x, (int, float))`, `isinstance(x, int | float)`.
    pub fn is_instance(&mut self, c: &'a ast::ExprCall) -> Lowered<NodeId> {
        let [value, types] = &*c.arguments.args else {
            return Err(Diagnostic::refused(span_of(c), "`isinstance` takes a value and its types"));
        };
        let value = self.expr(value)?;
        if let Some(is) = self.is_exception_of(value, types, span_of(c))? {
            return Ok(is);
        }
        let mut names = Vec::new();
        self.type_names(types, &mut names)?;
        Ok(self.is_of(value, &names, span_of(c)))
    }

    /// Whether a value is of one of the classes and types with these names.
    pub fn is_of(&mut self, value: NodeId, names: &[&str], span: Span) -> NodeId {
        let names: Vec<NodeId> = names.iter().map(|&name| self.m.constant(Const::Str(name.into()), Type::Str)).collect();
        let names = self.prim(Prim::Tuple, &names, span);
        self.prim(Prim::IsInstance, &[value, names], span)
    }

    /// The names of the classes and types that an expression lists, by names of its own for them (`Shape = Union[Circle, Square]`), too.
    pub fn type_names(&mut self, types: &'a Expr, names: &mut Vec<&'a str>) -> Lowered<()> {
        let mut aliases: Vec<&'a str> = Vec::new();
        let mut work = vec![types];
        while let Some(of) = work.pop() {
            match of {
                Expr::Tuple(t) => work.extend(t.elts.iter().rev()),
                Expr::BinOp(b) if b.op == Operator::BitOr => work.extend([&*b.right, &*b.left]),
                Expr::Subscript(s) if is_name(&s.value, "Union") => work.push(&s.slice),
                Expr::Subscript(s) if is_name(&s.value, "Optional") => {
                    names.push("None");
                    work.push(&s.slice);
                }
                Expr::NoneLiteral(_) => names.push("None"),
                Expr::Name(n) if self.classes.is_class(&n.id) || self.in_library && self.globals.is_class(&n.id) => {
                    names.push(&n.id);
                }
                Expr::Name(n) if self.is_global(&n.id) && !aliases.contains(&&*n.id) && self.classes.alias(&n.id).is_some() => {
                    aliases.push(&n.id);
                    work.extend(self.classes.alias(&n.id));
                }
                Expr::Name(_) | Expr::Attribute(_) => {
                    let name = self.builtin_type(of, types)?;
                    names.push(name);
                    if name == "dict" && !self.in_library {
                        names.extend(self.classes.standard_dicts(self.program.source()));
                    }
                }
                _ => return unsupported_type(types),
            }
        }
        Ok(())
    }

    /// The name of a type of Python's or NumPy's that is listed among some.
    fn builtin_type(&mut self, of: &'a Expr, types: &'a Expr) -> Lowered<&'a str> {
        let Value::Imported(Imported::Item(library, name, item)) = self.resolve(of)? else { return unsupported_type(types) };
        match (library, item) {
            (
                Library::Builtins,
                Item::Special(Special::Float | Special::Int | Special::Bool | Special::Tuple | Special::List),
            ) => Ok(name),
            (_, Item::Text(name @ ("str" | "ndarray"))) => Ok(name),
            (_, Item::Text("float64")) => Ok("float"),
            (Library::Builtins, Item::Written("builtins_complex" | "builtins_dict")) => Ok(name),
            _ => unsupported_type(types),
        }
    }
}

fn is_name(expr: &Expr, name: &str) -> bool {
    match expr {
        Expr::Name(n) => n.id.as_str() == name,
        Expr::Attribute(a) => a.attr.as_str() == name,
        _ => false,
    }
}

fn unsupported_type<T>(types: &Expr) -> Lowered<T> {
    Err(Diagnostic::unsupported(span_of(types), "this type is not supported in `isinstance`")
        .hint("the types are int, float, complex, bool, str, tuple, list, dict, np.ndarray and classes"))
}

fn grad_name(value: bool) -> &'static str {
    if value { "value_and_grad" } else { "grad" }
}

//! What is an attribute of something in a library: `np.add.outer(x, y)`, `dict.fromkeys(keys)`, `np.finfo(float).eps`; JAX's
//! `x.at[i].set(v)`; what is made of an index: `np.mgrid[0:3, 0:4]`; and `getattr`.

use super::lower::{Lowered, Lowerer, Value};
use super::names::{Item, Library};
use super::scope::Imported;
use super::span_of;
use gradus_ir::{Const, Diagnostic, NodeId, Prim, Type};
use ruff_python_ast::{self as ast, Expr};

impl<'a> Lowerer<'a, '_> {
    /// A call of a method of a function of NumPy, or of `dict`; none if it is another call.
    pub fn attached(&mut self, c: &'a ast::ExprCall) -> Lowered<Option<NodeId>> {
        let Expr::Attribute(a) = &*c.func else { return Ok(None) };
        let is_named = matches!(&*a.value, Expr::Name(_) | Expr::Attribute(_));
        if !is_named || !["accumulate", "at", "from_iterable", "fromkeys", "outer", "reduce"].contains(&a.attr.as_str()) {
            return Ok(None);
        }
        let Value::Imported(Imported::Item(library, name, item)) = self.resolve(&a.value)? else { return Ok(None) };
        let function = match (library, name, a.attr.as_str()) {
            (Library::Builtins, "dict", "fromkeys") => "_dict_of_keys",
            (Library::Itertools, "chain", "from_iterable") => "_chain_of",
            (Library::Numpy, "add", "at") => "_add_at",
            (Library::Numpy, "subtract", "at") => "_subtract_at",
            (Library::Numpy, "add", "accumulate") => "_sums_so_far",
            (Library::Numpy, "add", "reduce") => "_sum_along",
            (Library::Numpy, "maximum", "reduce") => "_greatest_along",
            (Library::Numpy, "minimum", "reduce") => "_least_along",
            (Library::Numpy, "multiply", "accumulate") => "_products_along",
            (Library::Numpy, "multiply", "reduce") => "_product_along",
            (Library::Numpy, _, "outer") if item.arity() == Some(2) => {
                let function = self.item_node(library, name, item, span_of(&*a.value))?;
                return self.call_method("_outer_of", function, c).map(Some);
            }
            _ => {
                let message = format!("`{}` of `{}.{name}` is not supported", a.attr, library.name());
                return Err(Diagnostic::unsupported(span_of(&a.attr), message));
            }
        };
        self.call_item(library, name, Item::Written(function), c).map(Some)
    }

    /// `x.at[i].set(v)` and the like: an array that is another one there. None if it is another call.
    pub fn updated(&mut self, c: &'a ast::ExprCall) -> Lowered<Option<NodeId>> {
        let Expr::Attribute(method) = &*c.func else { return Ok(None) };
        let Expr::Subscript(s) = &*method.value else { return Ok(None) };
        let Expr::Attribute(at) = &*s.value else { return Ok(None) };
        if at.attr.as_str() != "at" || self.classes.file_has_member("at") && !self.updates(method, c) {
            return Ok(None);
        }
        let function = match method.attr.as_str() {
            "add" => "_added_at",
            "apply" => "_applied_at",
            "divide" => "_divided_at",
            "get" => "_got_at",
            "max" => "_greater_at",
            "min" => "_less_at",
            "mul" | "multiply" => "_multiplied_at",
            "power" => "_powered_at",
            "set" => "_set_at",
            "subtract" => "_subtracted_at",
            other => {
                let d = Diagnostic::unsupported(span_of(&method.attr), format!("`.at[…].{other}` is not supported"));
                return Err(d.hint("there are add, subtract, multiply, divide, power, min, max, apply, set and get"));
            }
        };
        let values = [self.expr(&at.value)?, self.index(&s.slice)?];
        let graph = self.written(function);
        let callee = self.m.graph_ref(graph);
        self.call_node(callee, &values, c).map(Some)
    }

    /// Whether `x.at[i].set(v)` makes another array where some class has a field `at`, too: what that holds has no such method.
    fn updates(&self, method: &ast::ExprAttribute, c: &ast::ExprCall) -> bool {
        let name = method.attr.as_str();
        let of_boxes = self.globals.is_import("Box") && matches!(name, "get" | "set");
        let given = c.arguments.args.len();
        !of_boxes && !self.classes.file_has_member(name) && given == usize::from(name != "get")
    }

    /// `np.finfo(float).eps` and the like: a number.
    pub fn limit(&mut self, c: &'a ast::ExprCall, a: &'a ast::ExprAttribute) -> Lowered<Option<NodeId>> {
        let is_named = match &*c.func {
            Expr::Name(_) => true,
            Expr::Attribute(of) => self.is_module(&of.value)?,
            _ => false,
        };
        if !is_named {
            return Ok(None);
        }
        let Value::Imported(Imported::Item(Library::Numpy, "finfo" | "iinfo", Item::Written(function))) =
            self.resolve(&c.func)?
        else {
            return Ok(None);
        };
        let ([of], []) = (&*c.arguments.args, &*c.arguments.keywords) else {
            return Err(Diagnostic::refused(span_of(c), format!("`{function}` takes the type of numbers")));
        };
        let of = self.argument(of)?;
        let name = self.m.constant(Const::Str(a.attr.as_str().into()), Type::Str);
        let graph = self.graph();
        let function = if function == "finfo" { "_limit_of_floats" } else { "_limit_of_ints" };
        Ok(Some(self.call_written(graph, function, &[of, name], span_of(a))))
    }

    /// `np.mgrid[0:3, 0:4]`, `np.r_[x, 0:3]` and the like: what a function of the library makes of the parts of an index. A part is a
    /// tuple of a value, or of the bounds of a slice, with the number of points if it has one.
    pub fn made_of_index(&mut self, s: &'a ast::ExprSubscript) -> Lowered<Option<NodeId>> {
        const ALL: [&str; 6] = ["c_", "index_exp", "mgrid", "ogrid", "r_", "s_"];
        let is_one = match &*s.value {
            Expr::Name(name) => ALL.contains(&name.id.as_str()),
            Expr::Attribute(a) => ALL.contains(&a.attr.as_str()) && self.is_module(&a.value)?,
            _ => false,
        };
        if !is_one {
            return Ok(None);
        }
        let Value::Imported(Imported::Item(Library::Numpy, _, Item::Written(function))) = self.resolve(&s.value)? else {
            return Ok(None);
        };
        if function == "_index_itself" {
            return self.index(&s.slice).map(Some);
        }
        let parts = match &*s.slice {
            Expr::Tuple(t) => &t.elts[..],
            part => std::slice::from_ref(part),
        };
        let span = span_of(s);
        let mut values = Vec::with_capacity(parts.len());
        for part in parts {
            let items = match part {
                Expr::Slice(slice) => {
                    // A number of points is written as an imaginary step.
                    let points = slice.step.as_deref().and_then(|step| match &step.as_number_literal_expr()?.value {
                        ast::Number::Complex { imag, .. } => Some(*imag as i64),
                        ast::Number::Int(_) | ast::Number::Float(_) => None,
                    });
                    let step = if points.is_some() { &None } else { &slice.step };
                    let bounds = [&slice.lower, &slice.upper, step];
                    let bound = |bound: &'a Option<Box<Expr>>| match bound {
                        Some(bound) => self.expr(bound),
                        None => Ok(self.none()),
                    };
                    let mut bounds = bounds.into_iter().map(bound).collect::<Lowered<Vec<NodeId>>>()?;
                    bounds.extend(points.map(|points| self.m.i64(points)));
                    bounds
                }
                value => vec![self.expr(value)?],
            };
            values.push(self.prim(Prim::Tuple, &items, span_of(part)));
        }
        let values = self.prim(Prim::Tuple, &values, span);
        let graph = self.graph();
        Ok(Some(self.call_written(graph, function, &[values], span)))
    }

    /// `getattr(x, "name")`: the attribute of that name.
    pub fn get_attribute(&mut self, c: &'a ast::ExprCall) -> Lowered<NodeId> {
        let span = span_of(c);
        let ([object, Expr::StringLiteral(name)], []) = (&*c.arguments.args, &*c.arguments.keywords) else {
            let d = Diagnostic::unsupported(span, "`getattr` takes a value and a name that is written there");
            return Err(d.hint("write `x.name`"));
        };
        let value = self.expr(object)?;
        let text = name.value.to_str();
        let value = match self.constructed(value) {
            Some(class) => self.class_attribute(class, text, span_of(name), span)?,
            None => self.property(value, text, span)?,
        };
        self.value_node(value, span)
    }
}

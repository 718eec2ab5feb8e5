//! Expressions.

use super::changing::{CONTENT, NEW};
use super::library;
use super::lower::{Lowered, Lowerer, Value};
use super::names::{self, Item, Library};
use super::scope::{Def, Imported, member};
use super::span_of;
use super::text::{format_of, percent_format_of};
use gradus_ir::{Const, Diagnostic, NodeId, Prim, Span, Type};
use ruff_python_ast::{self as ast, BoolOp, CmpOp, Expr, Number, Operator, UnaryOp};

impl<'a> Lowerer<'a, '_> {
    /// Lowers an expression where control is; control may be in another block afterwards.
    pub fn expr(&mut self, expr: &'a Expr) -> Lowered<NodeId> {
        let span = span_of(expr);
        if let Some((_, value)) = self.at_hand.filter(|(of, _)| std::ptr::eq(*of, expr)) {
            return Ok(value);
        }
        if let Some(n) = self.literal(expr)? {
            return Ok(n);
        }
        let unsupported = |what: &str| Err(Diagnostic::unsupported(span, format!("{what} is not supported")));
        match expr {
            Expr::Name(_) | Expr::Attribute(_) => {
                let value = self.resolve(expr)?;
                self.value_node(value, span)
            }
            Expr::BinOp(b) if percent_format_of(b).is_some() => self.string(expr),
            Expr::BinOp(_) => self.binary(expr),
            Expr::UnaryOp(u) => self.unary(u),
            Expr::BoolOp(b) => self.bool_op(b, false),
            Expr::Compare(c) => self.compare(c),
            Expr::If(i) => self.conditional(i, Self::expr),
            Expr::Lambda(l) => self.closure(Def::Lambda(l), None),
            Expr::Call(c) if format_of(c).is_some() => self.string(expr),
            Expr::Call(c) => match self.kept(expr)? {
                Some(iterator) => Ok(iterator),
                None => self.call(c),
            },
            Expr::Tuple(t) => self.tuple(&t.elts, span),
            Expr::List(t) => {
                self.use_lists();
                let items = self.tuple(&t.elts, span)?;
                let list = self.prim(Prim::List, &[items], span);
                Ok(self.as_object("_new_list", list, span))
            }
            Expr::Subscript(s) => self.subscript(s),
            Expr::Named(n) => self.named(n),
            Expr::Dict(d) => {
                let dict = self.dict(d)?;
                Ok(self.as_object("_new_dict", dict, span))
            }
            Expr::Set(_) => unsupported("a set").map_err(|d| d.hint("write a tuple")),
            Expr::ListComp(_) => {
                let list = self.sequence(expr)?;
                Ok(self.as_object("_new_list", list, span))
            }
            Expr::SetComp(_) => unsupported("a set"),
            Expr::DictComp(c) => {
                let dict = self.dict_comprehension(c)?;
                Ok(self.as_object("_new_dict", dict, span))
            }
            Expr::Generator(_) => Err(Diagnostic::unsupported(span, "a generator is supported as an argument of a builtin only")
                .hint("write a list: `[… for …]`")),
            Expr::Await(_) => unsupported("`await`"),
            Expr::Yield(_) | Expr::YieldFrom(_) => unsupported("`yield` of a generator that is not gone over at once")
                .map_err(|d| d.hint("call it by its name in a `for` loop, or in `list(…)`, or make a list and return it")),
            Expr::FString(_) => self.string(expr),
            Expr::TString(_) => unsupported("a t-string"),
            Expr::BytesLiteral(_) => unsupported("a bytes literal"),
            Expr::EllipsisLiteral(_) => Ok(self.prim(Prim::Ellipsis, &[], span)),
            Expr::Starred(_) => unsupported("a starred expression here"),
            Expr::Slice(s) => {
                let bounds = [&s.lower, &s.upper, &s.step].map(|bound| match bound {
                    Some(bound) => self.expr(bound),
                    None => Ok(self.none()),
                });
                let [start, stop, step] = bounds;
                Ok(self.slice_of([start?, stop?, step?], span))
            }
            Expr::IpyEscapeCommand(_) => unsupported("an IPython command"),
            Expr::NumberLiteral(n) => self.complex(&n.value, span),
            Expr::StringLiteral(_) | Expr::BooleanLiteral(_) | Expr::NoneLiteral(_) => unsupported("this literal"),
        }
    }

    /// `start:stop:step`.
    pub fn slice_of(&mut self, bounds: [NodeId; 3], span: Span) -> NodeId {
        let [start, stop, step] = bounds;
        let none = self.none();
        let length = if step == none { self.distance(start, stop, span) } else { None };
        self.prim(Prim::Slice, &[start, stop, step, length.unwrap_or(none)], span)
    }

    /// The constant that a literal, or the negative of a number, stands for.
    pub fn literal(&mut self, expr: &Expr) -> Lowered<Option<NodeId>> {
        let (negative, literal) = match expr {
            Expr::UnaryOp(u) if u.op == UnaryOp::USub && u.operand.is_number_literal_expr() => (true, &*u.operand),
            _ => (false, expr),
        };
        Ok(Some(match literal {
            Expr::NumberLiteral(n) => match &n.value {
                Number::Float(x) => self.m.f64(if negative { -x } else { *x }),
                Number::Int(i) => {
                    let magnitude = i.as_u64().map(i128::from);
                    let value = magnitude.and_then(|v| i64::try_from(if negative { -v } else { v }).ok());
                    let value = value.ok_or_else(|| {
                        Diagnostic::refused(span_of(expr), "this integer does not fit into 64 bits")
                            .hint("write it as a float, with a decimal point or an exponent")
                    })?;
                    self.m.i64(value)
                }
                Number::Complex { .. } => return Ok(None),
            },
            Expr::BooleanLiteral(b) => self.m.bool(b.value),
            Expr::NoneLiteral(_) => self.none(),
            Expr::StringLiteral(s) => self.m.constant(Const::Str(s.value.to_str().into()), Type::Str),
            // `2**63 - 1` is an integer of 64 bits, though a part of it is none.
            Expr::BinOp(_) | Expr::UnaryOp(_) => match exact(literal, MOST_EXACT) {
                Some((value, true)) => match i64::try_from(value) {
                    Ok(value) => self.m.i64(value),
                    Err(_) => return Ok(None),
                },
                _ => return Ok(None),
            },
            _ => return Ok(None),
        }))
    }

    /// `2j`.
    fn complex(&mut self, number: &Number, span: Span) -> Lowered<NodeId> {
        let Number::Complex { real, imag } = number else { unreachable!("other numbers are constants") };
        let class = self.constructor("complex")?;
        let class = self.value_node(class, span)?;
        let (parts, graph) = ([*real, *imag].map(|x| self.m.f64(x)), self.graph());
        let call = self.m.call(graph, class, &parts, Type::Unknown, span);
        self.stamp(call);
        Ok(call)
    }

    /// `name := value`.
    fn named(&mut self, n: &'a ast::ExprNamed) -> Lowered<NodeId> {
        let Expr::Name(name) = &*n.target else { unreachable!("the parser takes nothing else") };
        let is_in_box = self.frames.iter().any(|f| f.boxes.contains_key(name.id.as_str()));
        if self.frame().scope.get(&name.id).is_none() && !is_in_box {
            let d = Diagnostic::unsupported(span_of(n), "`:=` in this comprehension is not supported");
            return Err(d.hint("write a loop"));
        }
        let value = self.expr(&n.value)?;
        self.write(&name.id, value, span_of(name));
        Ok(value)
    }

    /// What a name or a dotted name stands for.
    pub fn resolve(&mut self, expr: &'a Expr) -> Lowered<Value<'a>> {
        match expr {
            Expr::Name(name) => self.name(name),
            Expr::Attribute(a) if a.attr.as_str() == NEW => Ok(Value::Node(self.new_cell(span_of(a)))),
            Expr::Attribute(a) if a.attr.as_str() == CONTENT => {
                let of = self.expr(&a.value)?;
                Ok(Value::Node(self.content(of, CONTENT, span_of(a))))
            }
            Expr::Attribute(a) => {
                let base = match &*a.value {
                    inner @ (Expr::Name(_) | Expr::Attribute(_)) => Some(self.resolve(inner)?),
                    _ => None,
                };
                match base {
                    Some(Value::Imported(Imported::Library(library))) => {
                        member(library, &a.attr, span_of(a)).map(Value::Imported)
                    }
                    Some(Value::Node(n)) => match self.constructed(n) {
                        Some(class) => self.class_attribute(class, &a.attr, span_of(&a.attr), span_of(a)),
                        None => self.property(n, &a.attr, span_of(a)),
                    },
                    _ => {
                        if let Expr::Call(c) = &*a.value
                            && let Some(limit) = self.limit(c, a)?
                        {
                            return Ok(Value::Node(limit));
                        }
                        let value = self.expr(&a.value)?;
                        self.property(value, &a.attr, span_of(a))
                    }
                }
            }
            _ => self.expr(expr).map(Value::Node),
        }
    }

    /// Whether an expression names a module.
    pub fn is_module(&mut self, expr: &'a Expr) -> Lowered<bool> {
        Ok(match expr {
            Expr::Name(_) => matches!(self.resolve(expr)?, Value::Imported(Imported::Library(_))),
            Expr::Attribute(a) => {
                self.is_module(&a.value)? && matches!(self.resolve(expr)?, Value::Imported(Imported::Library(_)))
            }
            _ => false,
        })
    }

    /// An attribute of a value. Whether it has one is for inference to say.
    pub fn property(&mut self, value: NodeId, name: &'a str, span: Span) -> Lowered<Value<'a>> {
        if self.is_guarded() && self.classes.file_has_property(name) {
            // What it raises is not handled.
            self.late.be_strict();
        }
        let library = library::attribute(name);
        let operator = names::operator_method(name).filter(|_| library.is_none() && !self.in_library);
        let Some((function, true)) = library.filter(|(function, _)| !self.may_be_member(function, name)) else {
            let function = match (library, operator) {
                (Some((function, is_property)), _) => {
                    let graph = self.written(function);
                    Some((self.m.graph_ref(graph), is_property))
                }
                (None, Some((name, item))) => Some((self.item_node(Library::Operator, name, item, span)?, false)),
                (None, None) => None,
            };
            let attribute = self.attribute(value, name, function, span);
            let is_changing = self.is_changing(name);
            return Ok(Value::Node(if is_changing { self.content_or_attribute(attribute, name, span) } else { attribute }));
        };
        let here = self.graph();
        if self.has_array_objects() && library::is_of_arrays(function) {
            let held = self.value_of(value, true, span);
            let call = self.call_written(here, function, &[held], span);
            return Ok(Value::Node(self.given_as_object(if name == "flat" { "transpose" } else { function }, call, span)));
        }
        Ok(Value::Node(self.call_written(here, function, &[value], span)))
    }

    fn tuple(&mut self, elements: &'a [Expr], span: Span) -> Lowered<NodeId> {
        self.elements(None, elements, span)
    }

    /// The tuple of `leading`, and of elements that may have stars.
    pub fn elements(&mut self, leading: Option<NodeId>, elements: &'a [Expr], span: Span) -> Lowered<NodeId> {
        let mut list = leading;
        for run in elements.chunk_by(|a, b| !a.is_starred_expr() && !b.is_starred_expr()) {
            let (items, place) = match run {
                [Expr::Starred(s)] => (self.sequence(&s.value)?, span_of(s)),
                run => {
                    let items = run.iter().map(|e| self.expr(e)).collect::<Lowered<Vec<_>>>()?;
                    (self.prim(Prim::Tuple, &items, span), span)
                }
            };
            list = Some(match list {
                None if run[0].is_starred_expr() => self.prim(Prim::TupleOf, &[items], place),
                None => items,
                Some(before) => {
                    self.use_lists();
                    self.prim(Prim::Extend, &[before, items], place)
                }
            });
        }
        Ok(list.unwrap_or_else(|| self.prim(Prim::Tuple, &[], span)))
    }

    /// A chain of infix operators, which may be long: down its left side, then up again.
    fn binary(&mut self, expr: &'a Expr) -> Lowered<NodeId> {
        let mut chain = Vec::new();
        let mut leftmost = expr;
        while let Expr::BinOp(b) = leftmost {
            chain.push(b);
            leftmost = &b.left;
        }
        let mut value = self.expr(leftmost)?;
        for b in chain.into_iter().rev() {
            if b.op == Operator::Add && (b.left.is_tuple_expr() || b.right.is_tuple_expr()) {
                // A tuple may grow as a list does.
                self.use_lists();
            }
            let right = self.expr(&b.right)?;
            value = self.operator(b.op, value, right, span_of(b))?;
        }
        Ok(value)
    }

    /// Applies an infix operator.
    pub fn operator(&mut self, op: Operator, left: NodeId, right: NodeId, span: Span) -> Lowered<NodeId> {
        self.check_operator(op, left, right, span)?;
        let prim = match op {
            Operator::Add => Prim::Add,
            Operator::Sub => Prim::Sub,
            Operator::Mult => Prim::Mul,
            Operator::Div => Prim::TrueDiv,
            Operator::FloorDiv => Prim::FloorDiv,
            Operator::Mod => Prim::Mod,
            Operator::Pow => Prim::Power,
            Operator::BitAnd => Prim::BitAnd,
            Operator::BitOr => Prim::BitOr,
            Operator::BitXor => Prim::BitXor,
            Operator::MatMult | Operator::LShift | Operator::RShift => {
                let function = match op {
                    Operator::LShift => "left_shift",
                    Operator::RShift => "right_shift",
                    _ => "matmul",
                };
                let here = self.graph();
                let [left, right] =
                    [left, right].map(|n| if self.has_array_objects() { self.value_of(n, true, span) } else { n });
                let result = self.call_written(here, function, &[left, right], span);
                return Ok(self.given_as_object("", result, span));
            }
        };
        let value = self.prim(prim, &[left, right], span);
        if op == Operator::Pow {
            self.check_power(value, [left, right], span)?;
        }
        Ok(value)
    }

    fn unary(&mut self, u: &'a ast::ExprUnaryOp) -> Lowered<NodeId> {
        let span = span_of(u);
        match u.op {
            UnaryOp::Not => {
                let truth = self.condition(&u.operand)?;
                Ok(self.prim(Prim::Not, &[truth], span))
            }
            UnaryOp::USub => {
                let value = self.expr(&u.operand)?;
                Ok(self.prim(Prim::Neg, &[value], span))
            }
            UnaryOp::UAdd => {
                let value = self.expr(&u.operand)?;
                let here = self.graph();
                Ok(self.call_written(here, "_positive", &[value], span))
            }
            UnaryOp::Invert => {
                let value = self.expr(&u.operand)?;
                Ok(self.prim(Prim::Invert, &[value], span))
            }
        }
    }

    /// The truth value of an expression. Where that is all that matters, the operands of `and` and `or` need not have one type.
    pub fn condition(&mut self, expr: &'a Expr) -> Lowered<NodeId> {
        if let Expr::BoolOp(b) = expr {
            return self.bool_op(b, true);
        }
        let value = self.expr(expr)?;
        Ok(self.truth(expr, value))
    }

    /// The truth value of an expression with this value.
    fn truth(&mut self, expr: &'a Expr, value: NodeId) -> NodeId {
        if is_truth(expr) { value } else { self.prim(Prim::Truth, &[value], span_of(expr)) }
    }

    /// `a and b`, `a or b`: the last operand evaluated, or its truth value.
    fn bool_op(&mut self, b: &'a ast::ExprBoolOp, truth: bool) -> Lowered<NodeId> {
        let (result, join) = (self.temp(), self.new_block("join", span_of(b)));
        for (i, operand) in b.values.iter().enumerate() {
            let value = if truth { self.condition(operand)? } else { self.expr(operand)? };
            let span = span_of(operand);
            if i + 1 < b.values.len() {
                let test = if truth { value } else { self.truth(operand, value) };
                let [then, otherwise] = self.branch(test, span, ["then", "else"]);
                let (decided, next) = match b.op {
                    BoolOp::And => (otherwise, then),
                    BoolOp::Or => (then, otherwise),
                };
                // A constant, so that an arm is not looked at that the other operands never let it come to.
                let decision = if truth { self.m.constant(Const::Bool(b.op == BoolOp::Or), Type::Bool) } else { value };
                self.enter(decided);
                self.set(result, decision);
                self.jump(join, span);
                self.enter(next);
            } else {
                self.set(result, value);
                self.jump(join, span);
            }
        }
        self.seal(join);
        self.enter(join);
        Ok(self.read(result))
    }

    /// `a < b < c` is `a < b and b < c` with `b` evaluated once.
    fn compare(&mut self, c: &'a ast::ExprCompare) -> Lowered<NodeId> {
        let mut left = self.argument(&c.left)?;
        let mut start = span_of(&*c.left).start;
        if let ([op], [right]) = (&*c.ops, &*c.comparators) {
            let value = self.argument(right)?;
            return self.comparison(*op, left, right, value, span_of(c));
        }
        let (result, join) = (self.temp(), self.new_block("join", span_of(c)));
        for (i, (op, right)) in c.ops.iter().zip(&c.comparators).enumerate() {
            let value = self.argument(right)?;
            let span = Span::new(start, span_of(right).end);
            let holds = self.comparison(*op, left, right, value, span)?;
            self.set(result, holds);
            if i + 1 < c.ops.len() {
                let truth = self.prim(Prim::Truth, &[holds], span);
                let [then, otherwise] = self.branch(truth, span, ["then", "else"]);
                self.enter(otherwise);
                self.jump(join, span);
                self.enter(then);
            } else {
                self.jump(join, span);
            }
            (left, start) = (value, span_of(right).start);
        }
        self.seal(join);
        self.enter(join);
        Ok(self.read(result))
    }

    fn comparison(&mut self, op: CmpOp, left: NodeId, right: &Expr, value: NodeId, span: Span) -> Lowered<NodeId> {
        let prim = match op {
            CmpOp::Eq => Prim::Eq,
            CmpOp::NotEq => Prim::Ne,
            CmpOp::Lt => Prim::Lt,
            CmpOp::LtE => Prim::Le,
            CmpOp::Gt => Prim::Gt,
            CmpOp::GtE => Prim::Ge,
            CmpOp::Is | CmpOp::IsNot if right.is_none_literal_expr() => {
                let is = self.is_of(left, &["None"], span);
                return Ok(if op == CmpOp::Is { is } else { self.prim(Prim::Not, &[is], span) });
            }
            CmpOp::Is | CmpOp::IsNot if right.is_boolean_literal_expr() => {
                let graph = self.graph();
                let is = self.call_written(graph, "_is_bool", &[left, value], span);
                return Ok(if op == CmpOp::Is { is } else { self.prim(Prim::Not, &[is], span) });
            }
            CmpOp::Is | CmpOp::IsNot => {
                return Err(Diagnostic::unsupported(
                    span,
                    format!("`{}` is supported with `None`, `True` and `False` only", op.as_str()),
                )
                .hint(format!("write `{}`", if op == CmpOp::Is { "==" } else { "!=" })));
            }
            CmpOp::In => return Ok(self.prim(Prim::Contains, &[value, left], span)),
            CmpOp::NotIn => {
                let contains = self.prim(Prim::Contains, &[value, left], span);
                return Ok(self.prim(Prim::Not, &[contains], span));
            }
        };
        Ok(self.prim(prim, &[left, value], span))
    }

    pub fn conditional(&mut self, i: &'a ast::ExprIf, value_of: fn(&mut Self, &'a Expr) -> Lowered<NodeId>) -> Lowered<NodeId> {
        let condition = self.condition(&i.test)?;
        let (result, join) = (self.temp(), self.new_block("join", span_of(i)));
        let arms = self.branch(condition, span_of(&*i.test), ["then", "else"]);
        let mut is_last = false;
        for (arm, expr) in arms.into_iter().zip([&i.body, &i.orelse]) {
            self.enter(arm);
            let place = span_of(&**expr);
            let lower = |me: &mut Self| {
                let value = value_of(me, expr)?;
                me.set(result, value);
                Ok(())
            };
            // There is a value if one of the two has one.
            if is_last { lower(self) } else { self.arm(place, lower) }?;
            is_last = self.frame().block.is_none();
            self.jump(join, place);
        }
        self.seal(join);
        self.enter(join);
        Ok(self.read(result))
    }

    fn subscript(&mut self, s: &'a ast::ExprSubscript) -> Lowered<NodeId> {
        if let Some(made) = self.made_of_index(s)? {
            return Ok(made);
        }
        let value = self.expr(&s.value)?;
        let index = self.index(&s.slice)?;
        if self.is_checked() && !s.slice.is_slice_expr() {
            self.check_index(value, index, span_of(s))?;
        }
        if self.has_objects() && s.slice.is_slice_expr() {
            let held = self.value_of(value, false, span_of(s));
            let part = self.prim(Prim::GetItem, &[held, index], span_of(s));
            let graph = self.graph();
            return Ok(self.call_written(graph, "_part_of", &[value, part, index], span_of(s)));
        }
        let item = self.prim(Prim::GetItem, &[value, index], span_of(s));
        if !self.late.is_number(span_of(s)) {
            return Ok(item);
        }
        let number = self.m.constant(Const::Str("number".into()), Type::Str);
        Ok(self.prim(Prim::Annotated, &[item, number], span_of(s)))
    }

    /// An index in which arrays and lists are values, of an array that is one.
    pub fn plain_index(&mut self, index: &'a Expr, value: NodeId) -> NodeId {
        match index {
            _ if !self.has_array_objects() || index.is_slice_expr() => value,
            Expr::Tuple(_) => {
                let parts = self.m[value].inputs()[0];
                let parts = self.value_of(parts, true, span_of(index));
                self.prim(Prim::Parts, &[parts], span_of(index))
            }
            _ => self.value_of(value, true, span_of(index)),
        }
    }

    /// Whether a callee is a function of NumPy that gives places.
    fn gives_places(&mut self, callee: &'a Expr) -> Lowered<bool> {
        let is_named = match callee {
            Expr::Name(_) => true,
            Expr::Attribute(a) => self.is_module(&a.value)?,
            _ => false,
        };
        Ok(is_named
            && matches!(self.resolve(callee)?, Value::Imported(Imported::Item(Library::Numpy, _, Item::Written(name)))
                if library::gives_places(name)))
    }

    /// The index of a subscript. A list in brackets is an array of indices, a tuple has one for each axis, and so has what a function
    /// of NumPy gives for this.
    pub fn index(&mut self, index: &'a Expr) -> Lowered<NodeId> {
        let value = self.expr(index)?;
        Ok(match index {
            Expr::List(_) => {
                let value = self.value_of(value, true, span_of(index));
                self.prim(Prim::AsArray, &[value], span_of(index))
            }
            Expr::Tuple(_) => self.prim(Prim::Parts, &[value], span_of(index)),
            Expr::Call(c) if self.gives_places(&c.func)? => self.prim(Prim::Parts, &[value], span_of(index)),
            _ => value,
        })
    }
}

/// Whether the value of an expression is a bool by its syntax.
fn is_truth(expr: &Expr) -> bool {
    match expr {
        Expr::BooleanLiteral(_) => true,
        Expr::UnaryOp(u) => u.op == UnaryOp::Not,
        Expr::BoolOp(b) => b.values.iter().all(is_truth),
        _ => false,
    }
}

impl Item {
    /// Whether the item is a function.
    pub fn is_function(self) -> bool {
        !matches!(self, Item::Number(_) | Item::Nothing | Item::Text(_) | Item::Library(_))
    }
}

/// How deep operations on literals are looked at.
const MOST_EXACT: usize = 8;

/// The integer that operations on literals give, and whether one on the way does not fit into 64 bits.
fn exact(expr: &Expr, depth: usize) -> Option<(i128, bool)> {
    let depth = depth.checked_sub(1)?;
    let (value, beyond) = match expr {
        Expr::NumberLiteral(n) => match &n.value {
            Number::Int(i) => (i128::from(i.as_u64()?), false),
            Number::Float(_) | Number::Complex { .. } => return None,
        },
        Expr::UnaryOp(u) if u.op == UnaryOp::USub => {
            let (value, beyond) = exact(&u.operand, depth)?;
            // The negative of a literal is one.
            return Some((-value, beyond && !u.operand.is_number_literal_expr()));
        }
        Expr::BinOp(b) => {
            let ((left, left_beyond), (right, right_beyond)) = (exact(&b.left, depth)?, exact(&b.right, depth)?);
            let value = match b.op {
                Operator::Add => left.checked_add(right)?,
                Operator::Sub => left.checked_sub(right)?,
                Operator::Mult => left.checked_mul(right)?,
                Operator::Pow => left.checked_pow(u32::try_from(right).ok()?)?,
                Operator::FloorDiv if right > 0 => left.div_euclid(right),
                _ => return None,
            };
            (value, left_beyond || right_beyond)
        }
        _ => return None,
    };
    Some((value, beyond || i64::try_from(value).is_err()))
}

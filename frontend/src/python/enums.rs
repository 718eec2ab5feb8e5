//! Enumerations: `class Color(Enum)` is read as a dataclass with the number, the name and the value of a member, and each member as a
//! variable of the class.
//!
//! ```text
//! class Color(Enum):             @dataclass(frozen=True)
//!     RED = 1                    class Color:
//!     BLUE = "b"        ⟹            _number: object; name: object; value: object
//!                                    RED = Color(0, "RED", 1)
//!                                    BLUE = Color(1, "BLUE", "b")
//!                                    Color.members = (Color.RED, Color.BLUE)
//! Color(y), Color["RED"]         Color.of(y), Color.RED
//! for c in Color                 for c in Color.members
//! c is Color.RED                 c == Color.RED
//! ```

use super::class::last_name;
use super::init::{assignment, attribute, call, name_at, parameter};
use ruff_python_ast::comparable::ComparableExpr;
use ruff_python_ast::relocate::relocate_expr;
use ruff_python_ast::visitor::transformer::{self, Transformer};
use ruff_python_ast::{self as ast, CmpOp, Expr, Identifier, Stmt};
use ruff_text_size::{Ranged, TextRange, TextSize};
use rustc_hash::FxHashMap;

/// The variable of a class that has its members, and the function that finds one by its value.
const MEMBERS: &str = ".members";
const OF: &str = ".of";

/// What is taken of a class by its elements.
const TAKING: [&str; 8] = ["enumerate", "iter", "len", "list", "reversed", "sorted", "tuple", "zip"];

/// The operators of a member that is an int.
const OPERATORS: [(&str, &str); 25] = [
    ("__eq__", "lambda self, other: self.value == other"),
    ("__ne__", "lambda self, other: self.value != other"),
    ("__lt__", "lambda self, other: self.value < other"),
    ("__le__", "lambda self, other: self.value <= other"),
    ("__gt__", "lambda self, other: self.value > other"),
    ("__ge__", "lambda self, other: self.value >= other"),
    ("__add__", "lambda self, other: self.value + other"),
    ("__radd__", "lambda self, other: other + self.value"),
    ("__sub__", "lambda self, other: self.value - other"),
    ("__rsub__", "lambda self, other: other - self.value"),
    ("__mul__", "lambda self, other: self.value * other"),
    ("__rmul__", "lambda self, other: other * self.value"),
    ("__truediv__", "lambda self, other: self.value / other"),
    ("__rtruediv__", "lambda self, other: other / self.value"),
    ("__floordiv__", "lambda self, other: self.value // other"),
    ("__rfloordiv__", "lambda self, other: other // self.value"),
    ("__mod__", "lambda self, other: self.value % other"),
    ("__rmod__", "lambda self, other: other % self.value"),
    ("__pow__", "lambda self, other: self.value ** other"),
    ("__rpow__", "lambda self, other: other ** self.value"),
    ("__neg__", "lambda self: -self.value"),
    ("__abs__", "lambda self: abs(self.value)"),
    ("__bool__", "lambda self: self.value != 0"),
    ("__int__", "lambda self: self.value"),
    ("__float__", "lambda self: float(self.value)"),
];

/// The members of the enumerations of a file, with their values.
type Enums = FxHashMap<String, Vec<(String, Expr)>>;

/// Reads the statements of a file.
pub fn read(mut body: Vec<Stmt>) -> Vec<Stmt> {
    let found: Enums = body.iter().filter_map(Stmt::as_class_def_stmt).filter_map(members).collect();
    if found.is_empty() {
        return body;
    }
    let uses = Uses(&found);
    for stmt in &mut body {
        match stmt {
            Stmt::ClassDef(class) if found.contains_key(class.name.as_str()) => {
                let methods = class.body.iter_mut().filter(|s| s.is_function_def_stmt());
                methods.for_each(|stmt| uses.visit_stmt(stmt));
                become_data(class, &found[class.name.as_str()]);
            }
            stmt => uses.visit_stmt(stmt),
        }
    }
    body
}

/// The kind of enumeration that a class is of.
fn kind(class: &ast::StmtClassDef) -> Option<&str> {
    match class.bases() {
        [base] => last_name(base).filter(|name| matches!(*name, "Enum" | "IntEnum" | "StrEnum")),
        _ => None,
    }
}

/// The members of an enumeration; none if the class is another one, or makes its members in a way of its own.
fn members(class: &ast::StmtClassDef) -> Option<(String, Vec<(String, Expr)>)> {
    let kind = kind(class)?;
    let mut members: Vec<(String, Expr)> = Vec::new();
    for stmt in &class.body {
        match stmt {
            Stmt::Assign(a) => {
                let [Expr::Name(name)] = &*a.targets else { return None };
                if name.id.starts_with('_') || a.value.is_lambda_expr() {
                    return None;
                }
                let value = match &*a.value {
                    Expr::Call(c) if last_name(&c.func) == Some("auto") && c.arguments.is_empty() => match kind {
                        "StrEnum" => text(&name.id.to_lowercase(), c.range()),
                        _ => automatic(&members, c.range())?,
                    },
                    value => value.clone(),
                };
                members.push((name.id.to_string(), value));
            }
            Stmt::FunctionDef(f) if matches!(&*f.name.id, "__init__" | "__new__" | "_missing_" | "_generate_next_value_") => {
                return None;
            }
            Stmt::FunctionDef(_) | Stmt::Pass(_) => {}
            Stmt::Expr(e) if e.value.is_string_literal_expr() => {}
            _ => return None,
        }
    }
    (!members.is_empty()).then(|| (class.name.to_string(), members))
}

/// Whether two expressions have one text.
fn is_same(a: &Expr, b: &Expr) -> bool {
    ComparableExpr::from(a) == ComparableExpr::from(b)
}

/// The value of `auto()`: one more than the greatest before it.
fn automatic(members: &[(String, Expr)], range: TextRange) -> Option<Expr> {
    let mut greatest = 0;
    for (_, value) in members {
        let Expr::NumberLiteral(n) = value else { return None };
        let ast::Number::Int(i) = &n.value else { return None };
        greatest = greatest.max(u32::try_from(i.as_u64()?).ok()?);
    }
    Some(number(greatest + 1, range))
}

fn number(value: u32, range: TextRange) -> Expr {
    let value = ast::Number::Int(ast::Int::from(value));
    Expr::NumberLiteral(ast::ExprNumberLiteral { node_index: Default::default(), range, value })
}

fn text(value: &str, range: TextRange) -> Expr {
    written(&format!("\"{value}\""), range)
}

/// An expression by its text, at a place.
pub fn written(text: &str, range: TextRange) -> Expr {
    let parsed = ruff_python_parser::parse_expression(text).expect("it is an expression");
    let mut expr = *parsed.into_syntax().body;
    relocate_expr(&mut expr, range);
    expr
}

/// Reads an enumeration as a dataclass.
fn become_data(class: &mut ast::StmtClassDef, members: &[(String, Expr)]) {
    let (name, range) = (class.name.to_string(), class.name.range());
    let is_int = kind(class) == Some("IntEnum");
    let of = |member: &str| attribute(name_at(&name, range), member, range);
    class.decorator_list = vec![ast::Decorator {
        node_index: Default::default(),
        range,
        expression: written("dataclass(frozen=True, repr=False)", range),
    }]
    .into();
    class.arguments = None;
    class.body.retain(|stmt| stmt.is_function_def_stmt());
    let field = |name: &str| {
        Stmt::AnnAssign(ast::StmtAnnAssign {
            node_index: Default::default(),
            range,
            target: name_at(name, range).into(),
            annotation: name_at("object", range).into(),
            value: None,
            simple: true,
        })
    };
    let mut stmts: Vec<Stmt> = ["_number", "name", "value"].map(field).into();
    let mut distinct: Vec<&(String, Expr)> = Vec::new();
    for member in members {
        let (member_name, value) = member;
        let same = |other: &&&(String, Expr)| is_same(&other.1, value);
        // Another name of a member.
        let first = distinct.iter().find(same).map(|other| of(&other.0));
        let made = first.unwrap_or_else(|| {
            distinct.push(member);
            let place = value.range();
            let args = vec![number(distinct.len() as u32 - 1, place), text(member_name, place), value.clone()];
            call(name_at(&name, place), args, place)
        });
        stmts.push(assignment(name_at(member_name, range), made, range));
    }
    let all = distinct.iter().map(|(member, _)| of(member)).collect();
    let all =
        ast::ExprTuple { node_index: Default::default(), range, elts: all, ctx: ast::ExprContext::Load, parenthesized: true };
    stmts.push(assignment(name_at(MEMBERS, range), Expr::Tuple(all), range));
    // A place of its own for each.
    let place = |i: usize| {
        TextRange::new(range.start() + TextSize::from(i as u32), range.end().max(range.start() + TextSize::from(i as u32)))
    };
    let has = |name: &str| class.body.iter().any(|s| s.as_function_def_stmt().is_some_and(|f| f.name.as_str() == name));
    if is_int {
        let own = OPERATORS.iter().enumerate().filter(|(_, (name, _))| !has(name));
        stmts.extend(own.map(|(i, (name, lambda))| assignment(name_at(name, place(i)), written(lambda, place(i)), place(i))));
    } else if !has("__eq__") {
        let mut same = written("lambda self, other: isinstance(other, object) and self._number == other._number", range);
        if let Expr::Lambda(l) = &mut same
            && let Expr::BoolOp(b) = &mut *l.body
            && let Expr::Call(c) = &mut b.values[0]
        {
            c.arguments.args[1] = name_at(&name, range);
        }
        stmts.push(assignment(name_at("__eq__", range), same, range));
    }
    stmts.push(Stmt::FunctionDef(lookup(&name, &distinct, range)));
    stmts.extend(class.body.drain(..));
    class.body = stmts.into();
}

/// The function that finds a member by its value.
fn lookup(class: &str, members: &[&(String, Expr)], range: TextRange) -> ast::StmtFunctionDef {
    let returned = |member: &str| {
        let value = Some(attribute(name_at(class, range), member, range).into());
        Stmt::Return(ast::StmtReturn { node_index: Default::default(), range, value })
    };
    let arm = |(member, value): &&(String, Expr)| {
        let test = Expr::Compare(ast::ExprCompare {
            node_index: Default::default(),
            range,
            left: name_at("value", range).into(),
            ops: [CmpOp::Eq].into(),
            comparators: [value.clone()].into(),
        });
        let elif_else_clauses = Default::default();
        let body = vec![returned(member)].into();
        Stmt::If(ast::StmtIf { node_index: Default::default(), range, test: test.into(), body, elif_else_clauses })
    };
    let why = written(&format!("ValueError(\"this is no value of {class}\")"), range);
    let fails = Stmt::Raise(ast::StmtRaise { node_index: Default::default(), range, exc: Some(why.into()), cause: None });
    let body: Vec<Stmt> = members.iter().map(arm).chain([fails]).collect();
    let is_static = ast::Decorator { node_index: Default::default(), range, expression: name_at("staticmethod", range) };
    ast::StmtFunctionDef {
        node_index: Default::default(),
        range,
        is_async: false,
        decorator_list: vec![is_static].into(),
        name: Identifier::new(OF, range),
        type_params: None,
        parameters: Box::new(ast::Parameters { range, args: [parameter("value", None, range)].into(), ..Default::default() }),
        returns: None,
        body: body.into(),
    }
}

/// Reads what is done with enumerations.
struct Uses<'e>(&'e Enums);

impl Uses<'_> {
    fn members(&self, expr: &mut Expr) {
        if let Expr::Name(n) = expr
            && self.0.contains_key(n.id.as_str())
        {
            let range = n.range();
            *expr = attribute(expr.clone(), MEMBERS, range);
        }
    }

    fn is_member(&self, expr: &Expr) -> bool {
        let Expr::Attribute(a) = expr else { return false };
        let of = a.value.as_name_expr().and_then(|n| self.0.get(n.id.as_str()));
        of.is_some_and(|members| members.iter().any(|(name, _)| *name == *a.attr))
    }
}

impl Transformer for Uses<'_> {
    fn visit_stmt(&self, stmt: &mut Stmt) {
        if let Stmt::For(f) = stmt {
            self.members(&mut f.iter);
        }
        transformer::walk_stmt(self, stmt);
    }

    fn visit_comprehension(&self, comprehension: &mut ast::Comprehension) {
        self.members(&mut comprehension.iter);
        transformer::walk_comprehension(self, comprehension);
    }

    fn visit_expr(&self, expr: &mut Expr) {
        match expr {
            Expr::Call(c) => {
                if last_name(&c.func).is_some_and(|name| TAKING.contains(&name)) {
                    c.arguments.args.iter_mut().for_each(|a| self.members(a));
                }
                if let Expr::Name(n) = &*c.func
                    && let Some(members) = self.0.get(n.id.as_str())
                {
                    let range = n.range();
                    // The value of a member that is written there.
                    let given = match &*c.arguments.args {
                        [value] if value.is_literal_expr() && c.arguments.keywords.is_empty() => Some(value),
                        _ => None,
                    };
                    let found = given.and_then(|value| members.iter().find(|(_, other)| is_same(other, value)));
                    if let Some((member, _)) = found {
                        *expr = attribute((*c.func).clone(), member, c.range());
                        return;
                    }
                    *c.func = attribute((*c.func).clone(), OF, range);
                }
            }
            Expr::Subscript(s) => {
                if let (Expr::Name(n), Expr::StringLiteral(member)) = (&*s.value, &*s.slice)
                    && self.0.contains_key(n.id.as_str())
                {
                    *expr = attribute((*s.value).clone(), member.value.to_str(), s.range());
                    return;
                }
            }
            Expr::Compare(c) => {
                let sides = |i: usize| [if i == 0 { &*c.left } else { &c.comparators[i - 1] }, &c.comparators[i]];
                let are: Vec<bool> = (0..c.ops.len()).map(|i| sides(i).iter().any(|side| self.is_member(side))).collect();
                for ((op, is_member), other) in c.ops.iter_mut().zip(are).zip(&mut c.comparators) {
                    match op {
                        CmpOp::Is if is_member => *op = CmpOp::Eq,
                        CmpOp::IsNot if is_member => *op = CmpOp::NotEq,
                        CmpOp::In | CmpOp::NotIn => self.members(other),
                        _ => {}
                    }
                }
            }
            _ => {}
        }
        transformer::walk_expr(self, expr);
    }
}

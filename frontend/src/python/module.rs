//! The top level of a file as a program that runs.
//!
//! Most of a file binds each name once and for all: such a name is what it is bound to, wherever it is used (`top`). What else the top
//! level does is put into functions that inference evaluates, as any code over constants, where a name is read that depends on it.
//! Such a *slice* has all statements that the values of its names depend on, in their order, with the functions that see these change:
//!
//! ```text
//! L = [1.0]                         def top level 0():
//! for i in range(3):                    L = [1.0]
//!     L.append(2.0 * i)        ⟹        for i in range(3):
//!     print(i)                              L.append(2.0 * i)
//! def f(x): return sum(L) * x           return L
//!                                   L = top level 0()
//!                                   def f(x): return sum(L) * x
//! ```
//!
//! So a statement that cannot be run is refused as in any function, where a function that is reached reads what depends on it, and
//! nowhere else. What only prints or checks something is not done: who compiles a file wants its functions. It is that of an imported
//! module: `__name__` is not `"__main__"`.
//!
//! Read on with `facts` (what code may change), `slice` (what depends on what) and `members` (variables of classes, and defaults).

mod facts;
mod members;
mod slice;

use super::init::{assignment, attribute};
use super::scope::bindings;
use ruff_python_ast::visitor::transformer::{self, Transformer};
use ruff_python_ast::{self as ast, CmpOp, Expr, ExprContext, Stmt};
use ruff_text_size::Ranged;

/// Puts the statements of the arms that are taken for certain in place of `if`: of `if __name__ == "__main__":`, `if TYPE_CHECKING:`.
pub fn flattened(body: impl IntoIterator<Item = Stmt>) -> Vec<Stmt> {
    let mut flat = Vec::new();
    for stmt in body {
        match stmt {
            Stmt::If(i) if known(&i.test) == Some(true) => flat.extend(flattened(i.body)),
            Stmt::If(mut i) if known(&i.test) == Some(false) => {
                let rest = std::mem::take(&mut i.elif_else_clauses);
                let mut rest = rest.into_iter();
                match rest.next() {
                    Some(ast::ElifElseClause { test: Some(test), body, .. }) => {
                        (i.test, i.body, i.elif_else_clauses) = (test.into(), body, rest.collect());
                        flat.extend(flattened([Stmt::If(i)]));
                    }
                    Some(clause) => flat.extend(flattened(clause.body)),
                    None => {}
                }
            }
            other => flat.push(other),
        }
    }
    flat
}

/// Writes `setattr(x, "name", v)` as `x.name = v`, and `delattr(x, "name")` as `del x.name`, in a file that does not bind these names; and
/// `r.shuffle(x)` as `x[:] = r._shuffled(x)`, in a file whose classes have no such method.
pub fn with_plain_statements(body: Vec<Stmt>) -> Vec<Stmt> {
    struct Plain {
        has_attributes: bool,
        has_shuffle: bool,
    }
    impl Transformer for Plain {
        fn visit_stmt(&self, stmt: &mut Stmt) {
            if let Stmt::Expr(e) = &*stmt
                && let Some(call) = e.value.as_call_expr().filter(|c| c.arguments.keywords.is_empty())
            {
                let attribute = if self.has_attributes { None } else { plain_attribute(call) };
                let shuffled = || if self.has_shuffle { None } else { plain_shuffle(call) };
                if let Some(plain) = attribute.or_else(shuffled) {
                    *stmt = plain;
                }
            }
            transformer::walk_stmt(self, stmt);
        }
        fn visit_expr(&self, _: &mut Expr) {}
    }
    let mut has_attributes = false;
    bindings(&body, &mut |name, _, _| has_attributes |= matches!(name, "setattr" | "delattr"));
    let is_shuffle = |stmt: &Stmt| matches!(stmt, Stmt::FunctionDef(f) if f.name.as_str() == "shuffle");
    let has_shuffle = body.iter().any(|stmt| matches!(stmt, Stmt::ClassDef(c) if c.body.iter().any(is_shuffle)));
    let mut body = body;
    body.iter_mut().for_each(|stmt| Plain { has_attributes, has_shuffle }.visit_stmt(stmt));
    body
}

/// The statement that a call of `setattr` or `delattr` stands for.
fn plain_attribute(call: &ast::ExprCall) -> Option<Stmt> {
    let (of, name, value) = match (call.func.as_name_expr()?.id.as_str(), &call.arguments.args[..]) {
        ("setattr", [of, Expr::StringLiteral(name), value]) => (of, name, Some(value)),
        ("delattr", [of, Expr::StringLiteral(name)]) => (of, name, None),
        _ => return None,
    };
    let range = call.range();
    let mut target = attribute(of.clone(), name.value.to_str(), range);
    if let Expr::Attribute(a) = &mut target {
        a.ctx = if value.is_some() { ExprContext::Store } else { ExprContext::Del };
    }
    Some(match value {
        Some(value) => assignment(target, value.clone(), range),
        None => Stmt::Delete(ast::StmtDelete { node_index: Default::default(), range, targets: vec![target] }),
    })
}

/// The statement that a call of `shuffle` stands for.
fn plain_shuffle(call: &ast::ExprCall) -> Option<Stmt> {
    let method = call.func.as_attribute_expr().filter(|a| a.attr.as_str() == "shuffle")?;
    // The function of `np.random` is refused by its name.
    if matches!(&*method.value, Expr::Attribute(module) if module.attr.as_str() == "random") {
        return None;
    }
    let [of] = &call.arguments.args[..] else { return None };
    let (range, node_index) = (call.range(), Default::default());
    let shuffled = attribute((*method.value).clone(), "_shuffled", method.range());
    let value = ast::ExprCall { func: shuffled.into(), ..call.clone() };
    let whole = Expr::Slice(ast::ExprSlice { node_index, range, lower: None, upper: None, step: None }).into();
    let target = ast::ExprSubscript {
        node_index: Default::default(),
        range,
        value: of.clone().into(),
        slice: whole,
        ctx: ExprContext::Store,
    };
    Some(assignment(target.into(), value.into(), range))
}

/// Whether a condition holds, where that is known without anything running.
fn known(test: &Expr) -> Option<bool> {
    match test {
        Expr::BooleanLiteral(b) => Some(b.value),
        Expr::Name(n) if n.id == "TYPE_CHECKING" => Some(false),
        Expr::Attribute(a) if a.attr.as_str() == "TYPE_CHECKING" => Some(false),
        Expr::UnaryOp(u) if u.op == ast::UnaryOp::Not => known(&u.operand).map(|holds| !holds),
        Expr::Compare(c) => {
            let is_name = |e: &Expr| matches!(e, Expr::Name(n) if n.id == "__name__");
            let is_main = |e: &Expr| matches!(e, Expr::StringLiteral(s) if s.value.to_str() == "__main__");
            let pair = |a: &Expr, b: &Expr| is_name(a) && is_main(b);
            match (&*c.ops, &*c.comparators) {
                ([op], [right]) if pair(&c.left, right) || pair(right, &c.left) => match op {
                    CmpOp::Eq => Some(false),
                    CmpOp::NotEq => Some(true),
                    _ => None,
                },
                _ => None,
            }
        }
        Expr::BoolOp(b) => {
            let deciding = b.op == ast::BoolOp::Or;
            let all: Vec<Option<bool>> = b.values.iter().map(known).collect();
            if all.contains(&Some(deciding)) {
                return Some(deciding);
            }
            all.iter().all(|v| *v == Some(!deciding)).then_some(!deciding)
        }
        _ => None,
    }
}

/// The statements of a file for one function of it: what its names depend on is in slices. None if all is as it stands.
pub fn run(body: &[Stmt], entry: &str) -> Option<Vec<Stmt>> {
    let mut read = members::with_class_variables(body);
    // Each turn gives a name to what some statement evaluates.
    loop {
        let now = read.as_deref().unwrap_or(body);
        let Some(file) = slice::File::of(now) else { return read };
        let late = file.evaluated();
        if late.is_empty() {
            return Some(file.sliced(entry));
        }
        let named = members::named(now, &late);
        read = Some(named);
    }
}

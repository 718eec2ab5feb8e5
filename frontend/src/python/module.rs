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

use ruff_python_ast::{self as ast, CmpOp, Expr, Stmt};

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

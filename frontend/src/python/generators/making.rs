//! Statements and expressions that are made.

use super::*;

pub(super) fn store(name: &str, range: TextRange) -> Expr {
    Expr::Name(ast::ExprName { node_index: Default::default(), range, id: name.into(), ctx: ExprContext::Store })
}

pub(super) fn none(range: TextRange) -> Expr {
    Expr::NoneLiteral(ast::ExprNoneLiteral { node_index: Default::default(), range })
}

pub(super) fn int(value: u8, range: TextRange) -> Expr {
    let value = ast::Number::Int(ast::Int::from(value));
    Expr::NumberLiteral(ast::ExprNumberLiteral { node_index: Default::default(), range, value })
}

pub(super) fn empty(range: TextRange) -> Expr {
    Expr::List(ast::ExprList { node_index: Default::default(), range, elts: Vec::new(), ctx: ExprContext::Load })
}

/// `[*values]`
pub(super) fn list_of(values: Expr, range: TextRange) -> Expr {
    let all = ast::ExprStarred { node_index: Default::default(), range, value: values.into(), ctx: ExprContext::Load };
    let Expr::List(list) = empty(range) else { unreachable!("a list") };
    Expr::List(ast::ExprList { elts: vec![Expr::Starred(all)], ..list })
}

pub(super) fn expression(value: Expr, range: TextRange) -> Stmt {
    Stmt::Expr(ast::StmtExpr { node_index: Default::default(), range, value: value.into() })
}

pub(super) fn add_one(name: &str, range: TextRange) -> Stmt {
    let sum = Expr::BinOp(ast::ExprBinOp {
        node_index: Default::default(),
        range,
        left: name_at(name, range).into(),
        op: ast::Operator::Add,
        right: int(1, range).into(),
    });
    assignment(store(name, range), sum, range)
}

pub(super) fn compare(left: Expr, op: ast::CmpOp, right: Expr, range: TextRange) -> Expr {
    Expr::Compare(ast::ExprCompare {
        node_index: Default::default(),
        range,
        left: left.into(),
        ops: [op].into(),
        comparators: [right].into(),
    })
}

pub(super) fn if_stmt(test: Expr, body: Vec<Stmt>, range: TextRange) -> Stmt {
    Stmt::If(ast::StmtIf {
        node_index: Default::default(),
        range,
        test: test.into(),
        body: body.into(),
        elif_else_clauses: Default::default(),
    })
}

pub(super) fn for_stmt(target: &str, iter: Expr, body: Vec<Stmt>, range: TextRange) -> ast::StmtFor {
    ast::StmtFor {
        node_index: Default::default(),
        range,
        is_async: false,
        target: store(target, range).into(),
        iter: iter.into(),
        body: body.into(),
        orelse: Default::default(),
    }
}

/// Leaves the generator around.
pub(super) fn done(range: TextRange) -> Stmt {
    Stmt::For(for_stmt(DONE, call(name_at(DONE, range), Vec::new(), range), Vec::new(), range))
}

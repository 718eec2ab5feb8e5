//! The function that gives the list of all that a generator yields.

use super::*;

/// The function that gives the list of what a generator yields, or of the first of that.
pub(super) fn listed(f: &ast::StmtFunctionDef, first: bool) -> ast::StmtFunctionDef {
    let mut list = named(f, &format!("{}{}", f.name, if first { FIRST } else { LIST }));
    list.returns = None;
    let range = f.name.range();
    let uses = f.body.iter().any(|stmt| Yields::of(stmt, false).is_used);
    if uses || (!first && is_endless(f)) {
        return list;
    }
    let made = Listed { made: format!("{}{MADE}", f.name), most: format!("{}.most", f.name), name: f.name.to_string(), first };
    let mut body = vec![assignment(store(&made.made, range), empty(range), range)];
    if first {
        list.parameters.args.insert(0, parameter(&made.most, None, range));
        body.push(made.limit(range));
    }
    body.extend(made.body(list.body));
    body.push(made.result(range));
    list.body = body.into();
    list
}

pub(super) struct Listed {
    pub(super) made: String,
    pub(super) most: String,
    pub(super) name: String,
    pub(super) first: bool,
}

impl Listed {
    fn result(&self, range: TextRange) -> Stmt {
        let value = Some(name_at(&self.made, range).into());
        Stmt::Return(ast::StmtReturn { node_index: Default::default(), range, value })
    }

    fn length(&self, range: TextRange) -> Expr {
        call(name_at("len", range), vec![name_at(&self.made, range)], range)
    }

    fn limit(&self, range: TextRange) -> Stmt {
        let is_done = compare(self.length(range), ast::CmpOp::GtE, name_at(&self.most, range), range);
        if_stmt(is_done, vec![self.result(range)], range)
    }

    fn body(&self, body: ast::Suite) -> ast::Suite {
        body.into_iter().flat_map(|stmt| self.stmt(stmt)).collect()
    }

    fn grown(&self, method: &str, value: Expr, range: TextRange) -> Vec<Stmt> {
        let method = attribute(name_at(&self.made, range), method, range);
        let mut stmts = vec![expression(call(method, vec![value], range), range)];
        if self.first {
            stmts.push(self.limit(range));
        }
        stmts
    }

    fn stmt(&self, stmt: Stmt) -> Vec<Stmt> {
        let range = stmt.range();
        match stmt {
            Stmt::Return(_) => vec![self.result(range)],
            Stmt::Expr(e) => match *e.value {
                Expr::Yield(y) => self.grown("append", y.value.map_or_else(|| none(range), |v| *v), range),
                // Of a generator that calls itself no more is asked for than is left.
                Expr::YieldFrom(y) if self.first => match *y.value {
                    Expr::Call(mut c) if c.func.as_name_expr().is_some_and(|n| n.id.ends_with(LIST)) => {
                        let name = c.func.as_name_expr().and_then(|n| n.id.strip_suffix(LIST)).expect("it ends so").to_string();
                        let rest = Expr::BinOp(ast::ExprBinOp {
                            node_index: Default::default(),
                            range,
                            left: name_at(&self.most, range).into(),
                            op: ast::Operator::Sub,
                            right: self.length(range).into(),
                        });
                        *c.func = name_at(&format!("{name}{FIRST}"), c.func.range());
                        c.arguments.args = std::iter::once(rest).chain(c.arguments.args.iter().cloned()).collect();
                        self.grown("extend", Expr::Call(c), range)
                    }
                    value => {
                        let each = format!("{}.each", self.name);
                        let body = self.grown("append", name_at(&each, range), range);
                        vec![Stmt::For(for_stmt(&each, value, body, range))]
                    }
                },
                Expr::YieldFrom(y) => self.grown("extend", *y.value, range),
                value => vec![Stmt::Expr(ast::StmtExpr { value: value.into(), ..e })],
            },
            other => vec![each_body(other, &|body| self.body(body))],
        }
    }
}

/// `__iter__` goes over the list, which is made before its elements are asked for.
pub(super) fn iterating(range: TextRange) -> Stmt {
    let all = call(attribute(name_at("self", range), YIELDED, range), Vec::new(), range);
    let value = call(name_at(".iter_from", range), vec![all], range);
    Stmt::FunctionDef(super::super::iterated::def("__iter__", vec![super::super::iterated::returned(value, range)], range))
}

//! Branches and loops.

use super::{Checker, Loop};
use crate::expand::never_returns;
use crate::refusal::{Refusal, Result};
use crate::types::Ty;
use syn::{Block, Expr, Stmt};

impl<'p> Checker<'p> {
    /// A condition, which may bind variables: `if let Some(y) = x && y > 0.0`.
    pub(super) fn condition(&mut self, e: &'p Expr, boolean: Ty) -> Result<()> {
        match e {
            Expr::Let(l) => {
                let value = self.expr(&l.expr)?;
                self.case(&l.pat, value)
            }
            Expr::Binary(b) if matches!(b.op, syn::BinOp::And(_)) && has_let(e) => {
                self.condition(&b.left, boolean)?;
                self.condition(&b.right, boolean)
            }
            Expr::Paren(p) if has_let(e) => self.condition(&p.expr, boolean),
            _ => self.expr_of(e, boolean),
        }
    }

    pub(super) fn if_else(&mut self, i: &'p syn::ExprIf) -> Result<Ty> {
        let boolean = self.boolean();
        let scope = self.scope.len();
        self.condition(&i.cond, boolean)?;
        let then = self.block(&i.then_branch)?;
        self.scope.truncate(scope);
        match &i.else_branch {
            Some((_, otherwise)) => {
                let other = self.expr(otherwise)?;
                self.same(then, other, otherwise)?;
            }
            None => {
                let unit = self.known.types.unit();
                self.same(then, unit, &i.then_branch)?;
            }
        }
        Ok(then)
    }

    pub(super) fn matching(&mut self, m: &'p syn::ExprMatch) -> Result<Ty> {
        let value = self.expr(&m.expr)?;
        let result = self.known.types.unknown();
        for arm in &m.arms {
            let scope = self.scope.len();
            self.case(&arm.pat, value)?;
            if let Some((_, guard)) = &arm.guard {
                let boolean = self.boolean();
                self.condition(guard, boolean)?;
            }
            self.expr_of(&arm.body, result)?;
            self.scope.truncate(scope);
        }
        Ok(result)
    }

    pub(super) fn loop_body(
        &mut self,
        label: &Option<syn::Label>,
        gives: Option<Ty>,
        body: impl FnOnce(&mut Self) -> Result<Ty>,
    ) -> Result<()> {
        self.loops.push(Loop { label: label.as_ref().map(|l| l.name.ident.to_string()), gives, is_block: false });
        let result = body(self).map(|_| ());
        self.loops.pop();
        result
    }

    /// A block that is left by `break 'label value`, or at its end.
    pub(super) fn labelled_block(&mut self, label: &syn::Label, block: &'p Block) -> Result<Ty> {
        let gives = self.known.types.unknown();
        self.loops.push(Loop { label: Some(label.name.ident.to_string()), gives: Some(gives), is_block: true });
        let found = self.block(block);
        self.loops.pop();
        self.same(found?, gives, label)?;
        Ok(gives)
    }

    pub(super) fn break_with(&mut self, b: &'p syn::ExprBreak) -> Result<Ty> {
        let given = match &b.expr {
            Some(e) => self.expr(e)?,
            None => self.known.types.unit(),
        };
        let label = b.label.as_ref().map(|l| l.ident.to_string());
        let around = self.loops.iter().rev().find(|l| if label.is_none() { !l.is_block } else { l.label == label });
        match around.map(|l| l.gives) {
            Some(Some(gives)) => self.same(given, gives, b)?,
            Some(None) => {}
            None => return Err(Refusal::new(b, "there is no loop to leave here")),
        }
        Ok(self.known.types.unknown())
    }

    pub(super) fn return_with(&mut self, r: &'p syn::ExprReturn) -> Result<Ty> {
        if self.inline {
            return Err(Refusal::unsupported(&r.return_token, "`return` in the closure of an iterator"));
        }
        let given = match &r.expr {
            Some(e) => self.expr(e)?,
            None => self.known.types.unit(),
        };
        let result = *self.results.last().expect("a function is being checked");
        self.same(given, result, r)?;
        Ok(self.known.types.unknown())
    }
}

/// Whether a condition binds variables.
pub fn has_let(condition: &Expr) -> bool {
    match condition {
        Expr::Let(_) => true,
        Expr::Paren(p) => has_let(&p.expr),
        Expr::Binary(b) => matches!(b.op, syn::BinOp::And(_)) && (has_let(&b.left) || has_let(&b.right)),
        _ => false,
    }
}

/// Whether control does not get behind a statement.
pub fn never_ends(stmt: &Stmt) -> bool {
    match stmt {
        Stmt::Expr(e, _) => diverges(e),
        Stmt::Macro(m) => never_returns(&m.mac),
        _ => false,
    }
}

/// Whether control does not get behind an expression.
pub fn diverges(e: &Expr) -> bool {
    match e {
        Expr::Return(_) | Expr::Break(_) | Expr::Continue(_) => true,
        Expr::Macro(m) => never_returns(&m.mac),
        Expr::Call(c) => matches!(&*c.func, Expr::Macro(_)),
        Expr::Block(b) => b.block.stmts.iter().any(never_ends),
        Expr::Paren(p) => diverges(&p.expr),
        Expr::If(i) => i.then_branch.stmts.iter().any(never_ends) && i.else_branch.as_ref().is_some_and(|(_, e)| diverges(e)),
        Expr::Match(m) => m.arms.iter().all(|arm| diverges(&arm.body)),
        Expr::Loop(l) => !has_break(&l.body),
        _ => false,
    }
}

/// Whether a `loop` is left by `break`. A label is taken to be that of the loop.
fn has_break(body: &Block) -> bool {
    struct Search(bool, usize);
    impl<'a> syn::visit::Visit<'a> for Search {
        fn visit_expr_break(&mut self, b: &'a syn::ExprBreak) {
            self.0 |= self.1 == 0 || b.label.is_some();
            syn::visit::visit_expr_break(self, b);
        }
        fn visit_expr_while(&mut self, e: &'a syn::ExprWhile) {
            self.1 += 1;
            syn::visit::visit_expr_while(self, e);
            self.1 -= 1;
        }
        fn visit_expr_for_loop(&mut self, e: &'a syn::ExprForLoop) {
            self.1 += 1;
            syn::visit::visit_expr_for_loop(self, e);
            self.1 -= 1;
        }
        fn visit_expr_loop(&mut self, e: &'a syn::ExprLoop) {
            self.1 += 1;
            syn::visit::visit_expr_loop(self, e);
            self.1 -= 1;
        }
        fn visit_expr_closure(&mut self, _: &'a syn::ExprClosure) {}
    }
    let mut search = Search(false, 0);
    syn::visit::Visit::visit_block(&mut search, body);
    search.0
}

//! Blocks, statements and branches.

use super::place::Bound;
use super::{Lowerer, Result};
use crate::check;
use gradus_ir::NodeId;
use syn::{Block, Expr, Item, Stmt};

/// Whether an expression is a reference through which something is changed.
fn is_mutable(e: &Expr) -> bool {
    matches!(e, Expr::Reference(r) if r.mutability.is_some())
}

impl<'p> Lowerer<'p> {
    /// Lowers a block. What control does not get to is not lowered.
    pub(super) fn block(&mut self, block: &'p Block) -> Result<NodeId> {
        let mut value = self.unit();
        for stmt in &block.stmts {
            if let Stmt::Item(Item::Const(c)) = stmt {
                let (constant, local) = (self.expr(&c.expr)?, self.checked.constant(c));
                self.bind(local, constant);
            }
        }
        for stmt in &block.stmts {
            if !self.is_reachable() {
                break;
            }
            match stmt {
                Stmt::Expr(e, None) => value = self.expr(e)?,
                Stmt::Expr(e, Some(_)) => {
                    self.expr(e)?;
                }
                Stmt::Local(l) => match &l.init {
                    Some(init) if let Some((_, other)) = &init.diverge => self.let_else(&l.pat, &init.expr, other)?,
                    Some(init) if check::variable(&l.pat).is_some() && is_mutable(&init.expr) => {
                        let place = self.place(check::behind_mut(&init.expr))?;
                        self.bind_pattern(&l.pat, &Bound::Place(place))?;
                    }
                    // A reference goes where it is moved to.
                    Some(init) if let Some(place) = self.reference(&init.expr) => {
                        self.bind_pattern(&l.pat, &Bound::Place(place))?;
                    }
                    Some(init) => {
                        let value = self.expr(&init.expr)?;
                        self.pattern(&l.pat, value)?;
                    }
                    None => self.declare(&l.pat),
                },
                Stmt::Macro(m) => {
                    let given = self.expr(self.program.expansion(&m.mac)?)?;
                    if m.semi_token.is_none() {
                        value = given;
                    }
                }
                Stmt::Item(_) => {}
            }
        }
        Ok(value)
    }

    /// A variable that is assigned later: it belongs to this function.
    fn declare(&mut self, pattern: &'p syn::Pat) {
        match pattern {
            syn::Pat::Type(t) => self.declare(&t.pat),
            syn::Pat::Ident(i) => {
                let (local, depth) = (self.checked.bound(i), self.frames.len() - 1);
                self.owners.insert(local, depth);
            }
            syn::Pat::Tuple(t) => t.elems.iter().for_each(|p| self.declare(p)),
            _ => {}
        }
    }

    pub(super) fn if_else(&mut self, i: &'p syn::ExprIf) -> Result<NodeId> {
        let span = self.span(&i.cond);
        let Some(otherwise) = self.branch_on(&i.cond, ["then", "else"])? else { return Ok(self.unit()) };
        let (result, join) = (self.temp(), self.new_block("join", span));
        let value = self.block(&i.then_branch)?;
        self.set(result, value);
        self.jump(join, span);
        self.enter(otherwise);
        let value = match &i.else_branch {
            Some((_, e)) => self.expr(e)?,
            None => self.unit(),
        };
        self.set(result, value);
        self.jump(join, span);
        self.join(join, result)
    }

    /// `a && b`, or with `on` false `a || b`: the second operand is looked at where the first is `on`.
    pub(super) fn short_circuit(&mut self, a: &'p Expr, b: &'p Expr, on: bool) -> Result<NodeId> {
        let first = self.expr(a)?;
        if !self.is_reachable() {
            return Ok(first);
        }
        let span = self.span(b);
        let result = self.temp();
        self.set(result, first);
        let join = self.new_block("join", span);
        let [then, otherwise] = self.branch(first, span, ["then", "else"]);
        let (more, done) = if on { (then, otherwise) } else { (otherwise, then) };
        self.enter(done);
        self.jump(join, span);
        self.enter(more);
        let second = self.expr(b)?;
        self.set(result, second);
        self.jump(join, span);
        self.join(join, result)
    }

    /// Goes on where branches meet, with the value that they set.
    pub(super) fn join(&mut self, join: gradus_ir::ssa::BlockId, result: super::Var) -> Result<NodeId> {
        self.seal(join);
        self.enter(join);
        Ok(self.get(result))
    }
}

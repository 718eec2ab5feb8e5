//! `match`: one arm after the other, each a chain of comparisons that go on at the next arm where one fails.

use super::place::Bound;
use super::{Lowerer, Result};
use crate::check::{Form, has_let, is_ok, is_rest, is_some};
use crate::program::Constant;
use crate::types::Kind;
use gradus_ir::ssa::BlockId;
use gradus_ir::{NodeId, Prim, Span};
use syn::{Expr, Pat};

impl<'p> Lowerer<'p> {
    pub(super) fn matching(&mut self, m: &'p syn::ExprMatch) -> Result<NodeId> {
        let value = self.expr(&m.expr)?;
        if !self.is_reachable() {
            return Ok(value);
        }
        let span = self.span(&m.expr);
        let result = self.temp();
        let join = self.new_block("join", span);
        // rustc has seen that the arms without a guard match every value: what comes to the last of them matches it, and nothing comes
        // further.
        let last = m.arms.iter().rposition(|arm| arm.guard.is_none()).unwrap_or(0);
        for (i, arm) in m.arms.iter().take(last + 1).enumerate() {
            let next = (i < last).then(|| self.new_block("arm", span));
            self.case(&arm.pat, value, next)?;
            if let (Some((_, guard)), Some(next)) = (&arm.guard, next) {
                let condition = self.expr(guard)?;
                let span = self.span(guard);
                self.require(condition, next, span);
            }
            let given = self.expr(&arm.body)?;
            self.set(result, given);
            self.jump(join, span);
            if let Some(next) = next {
                self.seal(next);
                self.enter(next);
            }
        }
        self.join(join, result)
    }

    /// Binds the variables of a pattern, and goes on elsewhere if the value does not match it; without such a place it does.
    pub(super) fn case(&mut self, pattern: &'p Pat, value: NodeId, fail: Option<BlockId>) -> Result<()> {
        let span = self.span(pattern);
        match pattern {
            Pat::Paren(p) => self.case(&p.pat, value, fail),
            Pat::Reference(r) => self.case(&r.pat, value, fail),
            Pat::Lit(l) => {
                let literal = self.literal(&l.lit)?;
                self.compare(Prim::Eq, value, literal, fail, span);
                Ok(())
            }
            Pat::Ident(i) if i.ident == "None" => {
                let none = self.unit();
                self.compare(Prim::Eq, value, none, fail, span);
                Ok(())
            }
            Pat::TupleStruct(t) if is_some(&t.path) => {
                if let Some(fail) = fail {
                    let exists = self.is_some(value, span);
                    self.require(exists, fail, span);
                }
                let content = self.content(value, span);
                self.case(&t.elems[0], content, fail)
            }
            Pat::TupleStruct(t) if let Some(ok) = is_ok(&t.path) => {
                let known = self.checked.patterns[&std::ptr::from_ref(pattern)];
                let of = self.checked.types.kind(known).clone();
                if let Some(fail) = fail {
                    let mut is_it = self.is_ok(value, span);
                    if !ok {
                        is_it = self.prim(Prim::Not, &[is_it], span);
                    }
                    self.require(is_it, fail, span);
                }
                let content = self.content_of(&of, value, ok, span);
                t.elems.iter().try_for_each(|p| self.case(p, content, fail))
            }
            Pat::Range(r) => {
                let below = if matches!(r.limits, syn::RangeLimits::Closed(_)) { Prim::Le } else { Prim::Lt };
                for (bound, prim) in [(&r.start, Prim::Ge), (&r.end, below)] {
                    if let Some(bound) = bound {
                        let bound = self.expr(bound)?;
                        self.compare(prim, value, bound, fail, span);
                    }
                }
                Ok(())
            }
            Pat::Tuple(_) | Pat::Slice(_) | Pat::Struct(_) | Pat::TupleStruct(_) | Pat::Path(_)
                if !self.checked.compared.contains_key(&std::ptr::from_ref(pattern)) =>
            {
                self.distinguish(pattern, value, fail, span)?;
                let parts = self.matched(pattern, &Bound::Value(value), span)?;
                parts.iter().try_for_each(|(p, part)| {
                    let part = self.bound_value(part, span);
                    // The rest of an array is bound; all else is compared, too.
                    if is_rest(p) { self.pattern(p, part) } else { self.case(p, part, fail) }
                })
            }
            Pat::Or(o) => {
                let join = self.new_block("join", span);
                let mut cases = o.cases.iter().peekable();
                while let Some(case) = cases.next() {
                    let next = cases.peek().map(|_| self.new_block("or", span));
                    self.case(case, value, next.or(fail))?;
                    self.jump(join, span);
                    if let Some(next) = next {
                        self.seal(next);
                        self.enter(next);
                    }
                }
                self.seal(join);
                self.enter(join);
                Ok(())
            }
            _ => {
                if let Some(constant) = self.checked.compared.get(&std::ptr::from_ref(pattern)).cloned() {
                    return self.compare_constant(pattern, value, &constant, fail);
                }
                self.pattern(pattern, value)?;
                match pattern {
                    Pat::Ident(syn::PatIdent { subpat: Some((_, inner)), .. }) => self.case(inner, value, fail),
                    _ => Ok(()),
                }
            }
        }
    }

    /// Goes on elsewhere where a condition does not hold, and binds the variables that it has.
    pub(super) fn condition(&mut self, e: &'p Expr, fail: BlockId) -> Result<()> {
        match e {
            Expr::Let(l) => {
                let value = self.expr(&l.expr)?;
                self.case(&l.pat, value, Some(fail))
            }
            Expr::Binary(b) if has_let(e) => {
                self.condition(&b.left, fail)?;
                self.condition(&b.right, fail)
            }
            Expr::Paren(p) if has_let(e) => self.condition(&p.expr, fail),
            _ => {
                let (condition, span) = (self.expr(e)?, self.span(e));
                self.require(condition, fail, span);
                Ok(())
            }
        }
    }

    /// Goes on where a condition holds. Gives where it does not; none if control does not get to either.
    pub(super) fn branch_on(&mut self, condition: &'p Expr, names: [&str; 2]) -> Result<Option<BlockId>> {
        let span = self.span(condition);
        if has_let(condition) {
            let fail = self.new_block(names[1], span);
            self.condition(condition, fail)?;
            self.seal(fail);
            return Ok(Some(fail));
        }
        let value = self.expr(condition)?;
        if !self.is_reachable() {
            return Ok(None);
        }
        let [then, otherwise] = self.branch(value, span, names);
        self.enter(then);
        Ok(Some(otherwise))
    }

    /// `let pattern = value else { … }`.
    pub(super) fn let_else(&mut self, pattern: &'p Pat, value: &'p Expr, other: &'p Expr) -> Result<()> {
        let (value, span) = (self.expr(value)?, self.span(value));
        if !self.is_reachable() {
            return Ok(());
        }
        let fail = self.new_block("else", span);
        self.case(pattern, value, Some(fail))?;
        let on = self.frame().block.take();
        self.seal(fail);
        self.enter(fail);
        self.expr(other)?;
        self.frame().block = on;
        Ok(())
    }

    /// Goes on elsewhere where a value is another variant than that of a pattern, or an array of another length.
    fn distinguish(&mut self, pattern: &'p Pat, value: NodeId, fail: Option<BlockId>, span: Span) -> Result<()> {
        match (self.checked.shape(pattern), pattern) {
            (Some((of, Some(variant))), _) if self.program.variants(of).len() > 1 => {
                let (tag, expected) = (self.tag(of, value, span), self.m.i64(self.program.variants(of)[variant].tag));
                self.compare(Prim::Eq, tag, expected, fail, span);
            }
            (None, Pat::Slice(s)) => {
                let known = self.checked.patterns[&std::ptr::from_ref(pattern)];
                let form = self.layout(self.checked.clone().types.kind(known))?;
                let length = self.length_of(&form, value, span);
                let has_rest = s.elems.iter().any(is_rest);
                let count = self.m.i64((s.elems.len() - usize::from(has_rest)) as i64);
                self.compare(if has_rest { Prim::Ge } else { Prim::Eq }, length, count, fail, span);
            }
            _ => {}
        }
        Ok(())
    }

    /// Goes on elsewhere where a value is another than a constant.
    fn compare_constant(&mut self, pattern: &'p Pat, value: NodeId, constant: &Constant, fail: Option<BlockId>) -> Result<()> {
        let Some(fail) = fail else { return Ok(()) };
        let span = self.span(pattern);
        let form = match constant {
            Constant::Data(of, ..) => {
                let of = self.program.type_of(*of).expect("the types of constants are in the program");
                self.form_of(&Kind::Struct(of))?
            }
            _ => Form::Plain,
        };
        let constant = self.constant(pattern, constant)?;
        let equal = self.equal(&form, value, constant, span)?;
        self.require(equal, fail, span);
        Ok(())
    }

    fn compare(&mut self, prim: Prim, a: NodeId, b: NodeId, fail: Option<BlockId>, span: Span) {
        if let Some(fail) = fail {
            let condition = self.prim(prim, &[a, b], span);
            self.require(condition, fail, span);
        }
    }

    /// Goes on elsewhere where a condition does not hold.
    pub(super) fn require(&mut self, condition: NodeId, fail: BlockId, span: Span) {
        if !self.is_reachable() {
            return;
        }
        let [holds, fails] = self.branch(condition, span, ["case", "else"]);
        self.enter(fails);
        self.jump(fail, span);
        self.enter(holds);
    }
}

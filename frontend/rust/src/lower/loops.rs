//! Loops.

use super::{Loop, Lowerer, Result, Var};
use gradus_ir::ssa::BlockId;
use gradus_ir::{NodeId, Span};

impl<'p> Lowerer<'p> {
    pub(super) fn while_loop(&mut self, w: &'p syn::ExprWhile) -> Result<NodeId> {
        let span = self.span(&w.cond);
        let header = self.header(span);
        let Some(done) = self.branch_on(&w.cond, ["body", "done"])? else {
            self.seal(header);
            return Ok(self.unit());
        };
        let unit = self.unit();
        self.body(&w.label, header, Some((done, unit)), span, |me| me.block(&w.body).map(|_| ()))
    }

    pub(super) fn endless_loop(&mut self, l: &'p syn::ExprLoop) -> Result<NodeId> {
        let span = self.span(&l.loop_token);
        let header = self.header(span);
        self.body(&l.label, header, None, span, |me| me.block(&l.body).map(|_| ()))
    }

    pub(super) fn for_loop(&mut self, f: &'p syn::ExprForLoop) -> Result<NodeId> {
        let walk = self.walk(&f.expr)?;
        let span = self.span(&f.expr);
        let unit = self.unit();
        self.for_each(&walk, &f.label, span, unit, |me, element| {
            me.bind_pattern(&f.pat, element)?;
            me.block(&f.body).map(|_| ())
        })
    }

    /// Jumps to a new block that is to be jumped back to, and goes on there.
    pub(super) fn header(&mut self, span: Span) -> BlockId {
        let header = self.new_block("loop", span);
        self.jump(header, span);
        self.enter(header);
        header
    }

    /// The body of a loop, from where control is, back to the header, and what comes after: the value that `break` gives, or the one at
    /// the other end.
    pub(super) fn body(
        &mut self,
        label: &Option<syn::Label>,
        header: BlockId,
        done: Option<(BlockId, NodeId)>,
        span: Span,
        body: impl FnOnce(&mut Self) -> Result<()>,
    ) -> Result<NodeId> {
        let after = self.new_block("after", span);
        let gives = self.temp();
        let otherwise = done.map_or_else(|| self.unit(), |(_, value)| value);
        let label = label.as_ref().map(|l| l.name.ident.to_string());
        self.frame().loops.push(Loop { label, is_block: false, header, after, gives, otherwise });
        body(self)?;
        self.jump(header, span);
        self.seal(header);
        self.frame().loops.pop();
        if let Some((done, value)) = done {
            self.enter(done);
            self.set(gives, value);
            self.jump(after, span);
        }
        self.join(after, gives)
    }

    /// A block that is left by `break 'label value`, or at its end.
    pub(super) fn labelled_block(&mut self, label: &syn::Label, block: &'p syn::Block) -> Result<NodeId> {
        if !self.is_reachable() {
            return Ok(self.unit());
        }
        let span = self.span(label);
        let (after, gives, otherwise) = (self.new_block("after", span), self.temp(), self.unit());
        let label = Some(label.name.ident.to_string());
        // Nothing goes on at the beginning of a block.
        self.frame().loops.push(Loop { label, is_block: true, header: after, after, gives, otherwise });
        let value = self.block(block)?;
        self.frame().loops.pop();
        self.set(gives, value);
        self.jump(after, span);
        self.join(after, gives)
    }

    /// The loop that `break` or `continue` is about.
    pub(super) fn loop_named(&mut self, label: Option<String>) -> Loop {
        let mut loops = self.frame().loops.iter().rev();
        loops.find(|l| if label.is_none() { !l.is_block } else { l.label == label }).expect("the check found the loop").clone()
    }

    pub(super) fn break_with(&mut self, b: &'p syn::ExprBreak) -> Result<NodeId> {
        let value = match &b.expr {
            Some(e) => self.expr(e)?,
            None => self.unit(),
        };
        let Loop { after, gives, .. } = self.loop_named(b.label.as_ref().map(|l| l.ident.to_string()));
        self.set(gives, value);
        let span = self.span(b);
        self.jump(after, span);
        Ok(self.unit())
    }

    /// A variable with a value.
    pub(super) fn variable(&mut self, value: NodeId) -> Var {
        let var = self.temp();
        self.set(var, value);
        var
    }
}

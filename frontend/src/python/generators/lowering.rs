//! The lowering of loops that generators were read as.

use super::*;

/// A generator that is lowered in place of a loop over it.
pub struct Inlined {
    done: BlockId,
    after: BlockId,
    /// The loops around the loop.
    loops: Vec<Loop>,
    /// How many guards are around it.
    guards: usize,
}

impl<'a> Lowerer<'a, '_> {
    /// Lowers a loop that a generator was read as; false if it is another one.
    pub fn generated(&mut self, f: &'a ast::StmtFor) -> Lowered<bool> {
        let span = span_of(&*f.iter);
        match carrier(&f.iter) {
            Some(INLINED) => {
                let [done, after] = ["done", "after"].map(|name| self.new_block(name, span));
                let loops = std::mem::take(&mut self.frame().loops);
                let guards = self.frame().guards.len();
                self.frame().inlined.push(Inlined { done, after, loops, guards });
                self.body(&f.body)?;
                self.jump(done, span);
                let inlined = self.frame().inlined.pop().expect("this one");
                self.frame().loops = inlined.loops;
                self.seal(done);
                self.enter(done);
                self.body(&f.orelse)?;
                self.jump(after, span);
                self.seal(after);
                self.enter(after);
            }
            Some(YIELD) => {
                let value = &f.iter.as_call_expr().expect("a call").arguments.args[0];
                let value = self.expr(value)?;
                self.assign(&f.target, value)?;
                let next = self.new_block("next", span);
                let frame = self.frame();
                let inlined = frame.inlined.pop().expect("a generator is around");
                // What the body raises is not raised in the generator.
                let own = frame.guards.split_off(inlined.guards);
                if own.iter().any(Guard::is_left) {
                    let d = Diagnostic::unsupported(span, "`yield` in a `try` with `finally`, or in a `with`, is not supported");
                    return Err(d.hint("make a list of what is yielded"));
                }
                let here = Loop { header: next, after: inlined.after, guards: inlined.guards };
                let inside = std::mem::replace(&mut frame.loops, inlined.loops.iter().copied().chain([here]).collect());
                self.body(&f.body)?;
                self.frame().loops = inside;
                self.frame().guards.extend(own);
                self.frame().inlined.push(inlined);
                self.jump(next, span);
                self.seal(next);
                self.enter(next);
            }
            Some(_) => {
                let inlined = self.frame().inlined.last().expect("a generator is around");
                let (done, guards) = (inlined.done, inlined.guards);
                self.leave(guards)?;
                self.jump(done, span);
            }
            None => return Ok(false),
        }
        Ok(true)
    }

    /// Whether a call gives the list of what a generator yields.
    pub fn is_generated(&self, c: &ast::ExprCall) -> bool {
        match &*c.func {
            Expr::Name(n) => is_list_name(&n.id),
            Expr::Attribute(a) => self.classes.yields(&a.attr),
            _ => false,
        }
    }

    /// The names in the generator that a call is of, if that is one of a function.
    pub fn mentioned_by(&self, c: &'a ast::ExprCall) -> Vec<&'a str> {
        struct Names<'a>(Vec<&'a str>);
        impl<'a> Visitor<'a> for Names<'a> {
            fn visit_expr(&mut self, expr: &'a Expr) {
                self.0.extend(expr.as_name_expr().map(|n| n.id.as_str()));
                walk_expr(self, expr);
            }
        }
        let mut names = Names(Vec::new());
        let function = c.func.as_name_expr().and_then(|n| self.frames.iter().rev().find_map(|f| f.scope.function(&n.id)));
        if let Some(Def::Function(f)) = function {
            names.visit_body(&f.body);
        }
        names.0
    }

    /// Checks that the body of a loop over an instance changes nothing that its `__iter__` may read, which has read all before the first
    /// turn. Inference knows whether it is an instance.
    pub fn check_gone_over(&mut self, f: &'a ast::StmtFor, value: NodeId) {
        if self.in_library || self.program.fields.is_empty() && !self.program.objects.are_some() {
            return;
        }
        let classes = self.classes.gone_over();
        if classes.is_empty() || !changes(&f.body) {
            return;
        }
        let span = span_of(&*f.iter);
        let is_one = self.is_of(value, &classes, span);
        let [then, otherwise] = self.branch(is_one, span, ["then", "else"]);
        self.enter(then);
        let why = Diagnostic::unsupported(span, "a loop that may change what `__iter__` goes over is not supported");
        let number = self.m.i64(self.m.refused.len() as i64);
        self.m.refused.push(why.hint("go over a list of the elements: `list(…)`"));
        let refused = self.prim(Prim::Refuse, &[number], span);
        self.end(refused, span);
        self.enter(otherwise);
    }
}

/// Whether statements may change an object.
pub(super) fn changes(body: &[Stmt]) -> bool {
    struct Changes(bool);
    impl<'a> Visitor<'a> for Changes {
        fn visit_expr(&mut self, expr: &'a Expr) {
            self.0 |= match expr {
                Expr::Attribute(a) => a.ctx != ExprContext::Load,
                Expr::Subscript(s) => s.ctx != ExprContext::Load,
                Expr::Call(c) => match &*c.func {
                    // Functions of libraries change nothing here.
                    Expr::Name(n) => {
                        !matches!(&*n.id, "print" | "abs" | "len" | "max" | "min" | "sum" | "float" | "int" | "range" | "str")
                    }
                    Expr::Attribute(a) => {
                        !a.value.as_name_expr().is_some_and(|n| matches!(&*n.id, "np" | "numpy" | "math" | "jnp"))
                    }
                    _ => true,
                },
                _ => false,
            };
            walk_expr(self, expr);
        }
    }
    let mut found = Changes(false);
    found.visit_body(body);
    found.0
}

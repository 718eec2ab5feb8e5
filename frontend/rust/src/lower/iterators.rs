//! Iterators: a counter that goes from one number to another, and what there is at each count.
//!
//! So all of them go backwards and in steps, and several go together. Closures among the adapters are run where the loop is.

use super::place::Bound;
use super::{Lowerer, Result, Var};
use crate::check::{Form, Use};
use crate::types::Kind;
use gradus_ir::ssa::BlockId;
use gradus_ir::{NodeId, Prim, Span};
use syn::{Expr, ExprMethodCall, RangeLimits};

/// What a loop goes over.
pub(super) struct Walk<'p> {
    /// The first count.
    pub(super) from: NodeId,
    /// What the last is below.
    pub(super) to: NodeId,
    pub(super) at: At<'p>,
}

/// What there is at a count.
pub(super) enum At<'p> {
    /// The count.
    Count,
    /// The element of an array.
    Element(Form, Bound),
    /// So many elements of an array from the one that is the count times the step; of all but perhaps the last, as many as are said.
    Part { form: Form, array: NodeId, step: NodeId, length: NodeId, exact: bool },
    /// What there is at the count that is as far from this end: the sum of both.
    Reversed(NodeId, Box<At<'p>>),
    /// What there is at `from` and so many steps.
    Stepped { from: NodeId, step: NodeId, inner: Box<At<'p>> },
    /// How many were before, and what there is.
    Numbered(NodeId, Box<At<'p>>),
    /// What there is in both: the second count is further by the difference of these.
    Both(Box<At<'p>>, NodeId, Box<At<'p>>, NodeId),
    /// What a function gives for it.
    Mapped(&'p Expr, Box<At<'p>>),
    /// What there is, if a function says so of it.
    Filtered(&'p Expr, Box<At<'p>>),
    /// What a function gives for it, if it gives something.
    Found(&'p Expr, Box<At<'p>>),
    /// What there is, up to where a function no longer says so of it.
    Until(&'p Expr, Box<At<'p>>),
    /// What there is, from where a function no longer says so of it: whether that was before.
    From(&'p Expr, Var, Box<At<'p>>),
    /// What a closure gives for a state, which it changes, and for what there is, until it gives nothing.
    Scanned(&'p syn::ExprClosure, Box<At<'p>>),
    /// What there is in one, from a count, as often as is said, and then what there is in another.
    Chained([(Box<At<'p>>, NodeId); 2], NodeId),
}

impl<'p> Lowerer<'p> {
    /// Evaluates what a loop goes over.
    pub(super) fn walk(&mut self, e: &'p Expr) -> Result<Walk<'p>> {
        let span = self.span(e);
        match e {
            Expr::Paren(p) => self.walk(&p.expr),
            Expr::Reference(r) if r.mutability.is_some() => self.walk_through(&r.expr),
            Expr::Reference(r) => self.walk(&r.expr),
            Expr::Range(r) => {
                let Some(start) = &r.start else { unreachable!("the check refuses ranges without a start") };
                let from = self.expr(start)?;
                let Some(end) = &r.end else { return Ok(Walk { from, to: self.m.i64(i64::MAX), at: At::Count }) };
                let mut to = self.expr(end)?;
                if matches!(r.limits, RangeLimits::Closed(_)) {
                    let one = self.m.i64(1);
                    to = self.prim(Prim::Add, &[to, one], span);
                }
                Ok(Walk { from, to, at: At::Count })
            }
            Expr::MethodCall(c) if matches!(self.checked.kind(&c.receiver), Kind::Iter(_)) => self.adapted(c),
            Expr::MethodCall(c) if matches!(self.checked.kind(e), Kind::Iter(_)) => match &*c.method.to_string() {
                "iter_mut" => self.walk_through(&c.receiver),
                "windows" | "chunks" | "chunks_exact" => self.parts(c),
                _ => self.walk(&c.receiver),
            },
            _ if self.reference(e).is_some() => self.walk_through(e),
            _ => {
                let array = self.expr(e)?;
                let form = self.layout(&self.kind(e)?)?;
                let (from, to) = (self.m.i64(0), self.length_of(&form, array, span));
                Ok(Walk { from, to, at: At::Element(form, Bound::Value(array)) })
            }
        }
    }

    /// A walk over the places of an array. One that is already a reference is itself a place.
    fn walk_through(&mut self, array: &'p Expr) -> Result<Walk<'p>> {
        let (place, span) = (self.place(array)?, self.span(array));
        let value = self.read_place(&place, span);
        let form = self.layout(&self.kind(array)?)?;
        let (from, to) = (self.m.i64(0), self.length_of(&form, value, span));
        Ok(Walk { from, to, at: At::Element(form, Bound::Place(place)) })
    }

    /// `windows`, `chunks` and `chunks_exact`.
    fn parts(&mut self, c: &'p ExprMethodCall) -> Result<Walk<'p>> {
        let (array, length) = (self.expr(&c.receiver)?, self.expr(&c.args[0])?);
        let span = self.span(c);
        let (zero, one) = (self.m.i64(0), self.m.i64(1));
        let form = self.layout(&self.kind(&c.receiver)?)?;
        let all = self.length_of(&form, array, span);
        let last = self.prim(Prim::Sub, &[length, one], span);
        let (to, step, exact) = match &*c.method.to_string() {
            "windows" => {
                let count = self.prim(Prim::Sub, &[all, last], span);
                (self.prim(Prim::Max, &[count, zero], span), one, true)
            }
            "chunks" => {
                let up = self.prim(Prim::Add, &[all, last], span);
                (self.prim(Prim::FloorDiv, &[up, length], span), length, false)
            }
            _ => (self.prim(Prim::FloorDiv, &[all, length], span), length, true),
        };
        Ok(Walk { from: zero, to, at: At::Part { form, array, step, length, exact } })
    }

    fn adapted(&mut self, c: &'p ExprMethodCall) -> Result<Walk<'p>> {
        let Walk { from, to, at } = self.walk(&c.receiver)?;
        let span = self.span(c);
        let inner = Box::new(at);
        let name = c.method.to_string();
        Ok(match (&*name, c.args.first()) {
            ("rev", None) => {
                let one = self.m.i64(1);
                let ends = self.prim(Prim::WrapAdd, &[from, to], span);
                let ends = self.prim(Prim::WrapSub, &[ends, one], span);
                Walk { from, to, at: At::Reversed(ends, inner) }
            }
            ("enumerate", None) => Walk { from, to, at: At::Numbered(from, inner) },
            ("step_by", Some(n)) => {
                let step = self.expr(n)?;
                let (zero, one) = (self.m.i64(0), self.m.i64(1));
                let length = self.length(from, to, span);
                let last = self.prim(Prim::WrapSub, &[step, one], span);
                let all = self.prim(Prim::Add, &[length, last], span);
                let count = self.prim(Prim::FloorDiv, &[all, step], span);
                Walk { from: zero, to: count, at: At::Stepped { from, step, inner } }
            }
            ("take", Some(n)) => {
                let n = self.expr(n)?;
                let length = self.length(from, to, span);
                let length = self.prim(Prim::Min, &[length, n], span);
                Walk { from, to: self.prim(Prim::WrapAdd, &[from, length], span), at: *inner }
            }
            ("skip", Some(n)) => {
                let n = self.expr(n)?;
                let length = self.length(from, to, span);
                let skipped = self.prim(Prim::Min, &[length, n], span);
                Walk { from: self.prim(Prim::WrapAdd, &[from, skipped], span), to, at: *inner }
            }
            ("zip", Some(other)) => {
                let other = self.walk(other)?;
                let lengths = [self.length(from, to, span), self.length(other.from, other.to, span)];
                let length = self.prim(Prim::Min, &lengths, span);
                let to = self.prim(Prim::WrapAdd, &[from, length], span);
                Walk { from, to, at: At::Both(inner, from, Box::new(other.at), other.from) }
            }
            ("chain", Some(other)) => {
                let other = self.walk(other)?;
                let lengths = [self.length(from, to, span), self.length(other.from, other.to, span)];
                let all = self.prim(Prim::Add, &lengths, span);
                let at = At::Chained([(inner, from), (Box::new(other.at), other.from)], lengths[0]);
                Walk { from: self.m.i64(0), to: all, at }
            }
            ("scan", Some(start)) => {
                let Some(Expr::Closure(f)) = c.args.get(1) else { unreachable!("the check knows closures alone") };
                let start = self.expr(start)?;
                self.pattern(&f.inputs[0], start)?;
                if let Some(i) = crate::check::variable(&f.inputs[0]) {
                    self.refer(self.checked.clone().bound(i));
                }
                Walk { from, to, at: At::Scanned(f, inner) }
            }
            ("filter_map", Some(f)) => Walk { from, to, at: At::Found(f, inner) },
            ("take_while", Some(f)) => Walk { from, to, at: At::Until(f, inner) },
            ("skip_while", Some(f)) => {
                let no = self.m.bool(false);
                let begun = self.variable(no);
                Walk { from, to, at: At::From(f, begun, inner) }
            }
            ("map", Some(f)) => Walk { from, to, at: At::Mapped(f, inner) },
            ("filter", Some(f)) => Walk { from, to, at: At::Filtered(f, inner) },
            _ => Walk { from, to, at: *inner },
        })
    }

    /// How many counts there are.
    pub(super) fn length(&mut self, from: NodeId, to: NodeId, span: Span) -> NodeId {
        let zero = self.m.i64(0);
        if from == zero && self.m.as_prim(to) == Some(Prim::Len) {
            return to;
        }
        let length = self.prim(Prim::Sub, &[to, from], span);
        self.prim(Prim::Max, &[length, zero], span)
    }

    /// What there is at a count. Where there is nothing, control goes on at the header of the loop.
    pub(super) fn at(&mut self, at: &At<'p>, count: NodeId, header: BlockId, span: Span) -> Result<Bound> {
        Ok(match at {
            At::Count => Bound::Value(count),
            At::Element(form, array) => self.bound_element(form, array, count, span),
            At::Part { form, array, step, length, exact } => {
                let (&step, &length, &exact) = (step, length, exact);
                let one = self.m.i64(1);
                let start = if step == one { count } else { self.prim(Prim::Mul, &[count, step], span) };
                let (end, none) = (self.prim(Prim::Add, &[start, length], span), self.unit());
                let known = if exact { length } else { none };
                let slice = self.prim(Prim::Slice, &[start, end, none, known], span);
                Bound::Value(self.item(form, *array, slice, span))
            }
            At::Reversed(ends, inner) => {
                let count = self.prim(Prim::WrapSub, &[*ends, count], span);
                self.at(inner, count, header, span)?
            }
            At::Stepped { from, step, inner } => {
                let distance = self.prim(Prim::Mul, &[count, *step], span);
                let count = self.prim(Prim::WrapAdd, &[*from, distance], span);
                self.at(inner, count, header, span)?
            }
            At::Numbered(from, inner) => {
                let zero = self.m.i64(0);
                let number = if *from == zero { count } else { self.prim(Prim::WrapSub, &[count, *from], span) };
                let element = self.at(inner, count, header, span)?;
                Bound::Tuple(vec![Bound::Value(number), element])
            }
            At::Both(first, from, second, other_from) => {
                let a = self.at(first, count, header, span)?;
                let other = if from == other_from {
                    count
                } else {
                    let distance = self.prim(Prim::WrapSub, &[*other_from, *from], span);
                    self.prim(Prim::WrapAdd, &[count, distance], span)
                };
                let b = self.at(second, other, header, span)?;
                Bound::Tuple(vec![a, b])
            }
            At::Mapped(f, inner) => {
                let element = self.at(inner, count, header, span)?;
                Bound::Value(self.apply_to(f, &[element], span)?)
            }
            At::Filtered(f, inner) => {
                let element = self.at(inner, count, header, span)?;
                let kept = self.apply_to(f, std::slice::from_ref(&element), span)?;
                self.require(kept, header, span);
                element
            }
            At::Found(f, inner) => {
                let element = self.at(inner, count, header, span)?;
                let option = self.apply_to(f, std::slice::from_ref(&element), span)?;
                let exists = self.is_some(option, span);
                self.require(exists, header, span);
                Bound::Value(self.content(option, span))
            }
            At::Until(f, inner) => {
                let element = self.at(inner, count, header, span)?;
                let goes_on = self.apply_to(f, std::slice::from_ref(&element), span)?;
                self.leave_unless(goes_on, span);
                element
            }
            At::From(f, begun, inner) => {
                let element = self.at(inner, count, header, span)?;
                let before = self.get(*begun);
                let yes = self.m.bool(true);
                let test = |me: &mut Self| {
                    let skipped = me.apply_to(f, std::slice::from_ref(&element), span)?;
                    Ok(me.prim(Prim::Not, &[skipped], span))
                };
                let now = self.chosen(before, span, |_| Ok(yes), test)?;
                self.set(*begun, now);
                self.require(now, header, span);
                element
            }
            At::Scanned(f, inner) => {
                let element = self.at(inner, count, header, span)?;
                self.bind_pattern(&f.inputs[1], &element)?;
                let option = self.expr(&f.body)?;
                let exists = self.is_some(option, span);
                self.leave_unless(exists, span);
                Bound::Value(self.content(option, span))
            }
            At::Chained([first, second], length) => {
                let in_first = self.prim(Prim::Lt, &[count, *length], span);
                let part = |me: &mut Self, (at, from): &(Box<At<'p>>, NodeId), count: NodeId| {
                    let count = me.prim(Prim::WrapAdd, &[*from, count], span);
                    let bound = me.at(at, count, header, span)?;
                    Ok(me.bound_value(&bound, span))
                };
                let (result, join) = (self.temp(), self.new_block("join", span));
                let [there, other] = self.branch(in_first, span, ["first", "second"]);
                for (block, which) in [(there, first), (other, second)] {
                    self.enter(block);
                    let count = match block == there {
                        true => count,
                        false => self.prim(Prim::WrapSub, &[count, *length], span),
                    };
                    let value = part(self, which, count)?;
                    self.set(result, value);
                    self.jump(join, span);
                }
                Bound::Value(self.join(join, result)?)
            }
        })
    }

    /// Leaves the loop over an iterator, as at its end, where a condition does not hold.
    fn leave_unless(&mut self, condition: NodeId, span: Span) {
        if !self.is_reachable() {
            return;
        }
        let [on, end] = self.branch(condition, span, ["on", "end"]);
        self.enter(end);
        let around = self.loop_named(None);
        self.set(around.gives, around.otherwise);
        self.jump(around.after, span);
        self.enter(on);
    }

    /// What a function gives that an iterator calls. A closure is run here.
    pub(super) fn apply(&mut self, f: &'p Expr, args: &[NodeId], span: Span) -> Result<NodeId> {
        let args: Vec<Bound> = args.iter().map(|&arg| Bound::Value(arg)).collect();
        self.apply_to(f, &args, span)
    }

    pub(super) fn apply_to(&mut self, f: &'p Expr, args: &[Bound], span: Span) -> Result<NodeId> {
        if let Expr::Closure(c) = f {
            c.inputs.iter().zip(args).try_for_each(|(p, v)| self.bind_pattern(p, v))?;
            return self.expr(&c.body);
        }
        let args: Vec<NodeId> = args.iter().map(|arg| self.bound_value(arg, span)).collect();
        match self.checked.used(f).clone() {
            Use::Method(name) => {
                let Kind::Fn(params, _) = self.kind(f)? else { unreachable!("a method is a function") };
                let kind = self.checked.types.kind(params[0]).clone();
                Ok(self.number_method(&kind, &name, &args, span))
            }
            _ => {
                let callee = self.expr(f)?;
                Ok(self.call_node(callee, &args, span))
            }
        }
    }

    /// A loop over all that there is. Gives the last operand, unless it is left with something else.
    pub(super) fn for_each(
        &mut self,
        walk: &Walk<'p>,
        label: &Option<syn::Label>,
        span: Span,
        otherwise: NodeId,
        body: impl FnOnce(&mut Self, &Bound) -> Result<()>,
    ) -> Result<NodeId> {
        self.for_each_from(walk, walk.from, label, span, otherwise, body)
    }

    /// The same, from a later count.
    pub(super) fn for_each_from(
        &mut self,
        walk: &Walk<'p>,
        from: NodeId,
        label: &Option<syn::Label>,
        span: Span,
        otherwise: NodeId,
        body: impl FnOnce(&mut Self, &Bound) -> Result<()>,
    ) -> Result<NodeId> {
        if !self.is_reachable() {
            return Ok(self.unit());
        }
        let counter = self.variable(from);
        let header = self.header(span);
        let count = self.get(counter);
        let more = self.prim(Prim::Lt, &[count, walk.to], span);
        let [inside, done] = self.branch(more, span, ["body", "done"]);
        self.enter(inside);
        // The count is below another, so one more is no overflow.
        let one = self.m.i64(1);
        let next = self.prim(Prim::WrapAdd, &[count, one], span);
        self.set(counter, next);
        self.body(label, header, Some((done, otherwise)), span, |me| {
            let element = me.at(&walk.at, count, header, span)?;
            body(me, &element)
        })
    }
}

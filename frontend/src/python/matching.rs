//! `match`: each pattern is a sequence of tests of the subject and its parts, and assignments; where one fails, control goes on to the
//! next case.
//!
//! ```text
//! case Leaf(v) if v > 0.0:    isinstance(subject, Leaf), v = subject.value, v > 0.0
//! case (a, *rest):            isinstance(subject, tuple), len(subject) >= 1, a = subject[0], rest = subject[1:]
//! ```

use super::lower::{Lowered, Lowerer};
use super::span_of;
use super::ssa::BlockId;
use gradus_ir::{Diagnostic, NodeId, Prim, Span};
use ruff_python_ast::{self as ast, Expr, Pattern, Singleton};

impl<'a> Lowerer<'a, '_> {
    pub fn match_statement(&mut self, m: &'a ast::StmtMatch) -> Lowered<()> {
        let subject = self.expr(&m.subject)?;
        let join = self.new_block("join", span_of(m));
        for case in &m.cases {
            let span = span_of(&case.pattern);
            let next = self.new_block("case", span);
            self.pattern(&case.pattern, subject, next)?;
            if let Some(guard) = &case.guard {
                let condition = self.condition(guard)?;
                self.require(condition, span_of(&**guard), next);
            }
            self.body(&case.body)?;
            self.jump(join, span);
            self.seal(next);
            self.enter(next);
            if self.frame().block.is_none() {
                break;
            }
        }
        self.jump(join, span_of(m));
        self.seal(join);
        self.enter(join);
        Ok(())
    }

    /// Goes on where a condition holds, and to `fail` where it does not.
    fn require(&mut self, condition: NodeId, span: Span, fail: BlockId) {
        let [then, otherwise] = self.branch(condition, span, ["then", "else"]);
        self.enter(otherwise);
        self.jump(fail, span);
        self.enter(then);
    }

    /// Goes on where a value matches a pattern, with the names of the pattern assigned, and to `fail` where it does not.
    fn pattern(&mut self, pattern: &'a Pattern, value: NodeId, fail: BlockId) -> Lowered<()> {
        let span = span_of(pattern);
        match pattern {
            Pattern::MatchValue(p) => {
                let expected = self.expr(&p.value)?;
                let equal = self.prim(Prim::Eq, &[value, expected], span);
                let equal = self.prim(Prim::Truth, &[equal], span);
                self.require(equal, span, fail);
                Ok(())
            }
            Pattern::MatchSingleton(p) => {
                let (kind, expected) = match p.value {
                    Singleton::None => ("None", None),
                    Singleton::True => ("bool", Some(true)),
                    Singleton::False => ("bool", Some(false)),
                };
                self.require_kind(value, &[kind], span, fail);
                if let Some(expected) = expected {
                    let holds = if expected { value } else { self.prim(Prim::Not, &[value], span) };
                    self.require(holds, span, fail);
                }
                Ok(())
            }
            Pattern::MatchAs(p) => {
                if let Some(inner) = &p.pattern {
                    self.pattern(inner, value, fail)?;
                }
                if let Some(name) = &p.name {
                    self.write(name, value, span_of(name));
                }
                Ok(())
            }
            Pattern::MatchOr(p) => {
                let matched = self.new_block("matched", span);
                for (i, alternative) in p.patterns.iter().enumerate() {
                    let last = i + 1 == p.patterns.len();
                    let next = if last { fail } else { self.new_block("case", span) };
                    self.pattern(alternative, value, next)?;
                    self.jump(matched, span);
                    if !last {
                        self.seal(next);
                        self.enter(next);
                        if self.frame().block.is_none() {
                            break;
                        }
                    }
                }
                self.seal(matched);
                self.enter(matched);
                Ok(())
            }
            Pattern::MatchSequence(p) => self.sequence_pattern(&p.patterns, value, span, fail),
            Pattern::MatchMapping(p) => self.mapping_pattern(p, value, fail),
            Pattern::MatchClass(p) => self.class_pattern(p, value, fail),
            Pattern::MatchStar(_) => unreachable!("the parser takes it in sequences only"),
        }
    }

    fn require_kind(&mut self, value: NodeId, names: &[&str], span: Span, fail: BlockId) {
        let is = self.is_of(value, names, span);
        self.require(is, span, fail);
    }

    fn sequence_pattern(&mut self, patterns: &'a [Pattern], value: NodeId, span: Span, fail: BlockId) -> Lowered<()> {
        self.require_kind(value, &["tuple", "list"], span, fail);
        let star = patterns.iter().position(|p| matches!(p, Pattern::MatchStar(_)));
        let (length, count) =
            (self.prim(Prim::Len, &[value], span), self.m.i64((patterns.len() - usize::from(star.is_some())) as i64));
        let fits = self.prim(if star.is_some() { Prim::Ge } else { Prim::Eq }, &[length, count], span);
        self.require(fits, span, fail);
        let parts = match star {
            None => value,
            Some(before) => {
                let counts = [before, patterns.len() - before - 1].map(|n| self.m.i64(n as i64));
                self.prim(Prim::Starred, &[value, counts[0], counts[1]], span)
            }
        };
        for (i, pattern) in patterns.iter().enumerate() {
            let index = self.m.i64(i as i64);
            let part = self.prim(Prim::GetItem, &[parts, index], span_of(pattern));
            match pattern {
                Pattern::MatchStar(star) => {
                    if let Some(name) = &star.name {
                        self.write(name, part, span_of(name));
                    }
                }
                pattern => self.pattern(pattern, part, fail)?,
            }
        }
        Ok(())
    }

    fn mapping_pattern(&mut self, p: &'a ast::PatternMatchMapping, value: NodeId, fail: BlockId) -> Lowered<()> {
        self.require_kind(value, &["dict"], span_of(p), fail);
        let mut keys = Vec::new();
        for (key, pattern) in p.keys.iter().zip(&p.patterns) {
            let span = span_of(key);
            let key = self.expr(key)?;
            keys.push(key);
            let has = self.prim(Prim::Contains, &[value, key], span);
            self.require(has, span, fail);
            let part = self.prim(Prim::GetItem, &[value, key], span);
            self.pattern(pattern, part, fail)?;
        }
        if let Some(name) = &p.rest {
            let (span, here) = (span_of(name), self.graph());
            let keys = self.prim(Prim::Tuple, &keys, span);
            let rest = self.call_written(here, "_dict_without", &[value, keys], span);
            self.write(name, rest, span);
        }
        Ok(())
    }

    /// `Point(x, y=0.0)`; `float(x)` and the like take the value itself.
    fn class_pattern(&mut self, p: &'a ast::PatternMatchClass, value: NodeId, fail: BlockId) -> Lowered<()> {
        let span = span_of(p);
        let mut names = Vec::new();
        self.type_names(&p.cls, &mut names)?;
        self.require_kind(value, &names, span, fail);
        let (positional, keywords) = (&p.arguments.patterns, &p.arguments.keywords);
        let fields = match &*p.cls {
            Expr::Name(n) => self.classes.fields(&n.id),
            _ => None,
        };
        let Some(fields) = fields else {
            return match (&positional[..], &keywords[..]) {
                ([], []) => Ok(()),
                ([whole], []) => self.pattern(whole, value, fail),
                _ => Err(Diagnostic::unsupported(span, "this pattern is not supported").hint("write `float(x)`")),
            };
        };
        if positional.len() > fields.len() {
            let message = format!("`{}` has {} fields, the pattern {}", names[0], fields.len(), positional.len());
            return Err(Diagnostic::refused(span, message));
        }
        let named = keywords.iter().map(|k| (k.attr.as_str(), span_of(&k.attr), &k.pattern));
        let by_place = fields.into_iter().zip(positional).map(|(f, p)| (f, span_of(p), p));
        for (name, span, pattern) in by_place.chain(named).collect::<Vec<_>>() {
            let part = self.attribute(value, name, None, span);
            let part = if self.is_changing(name) { self.content_or_attribute(part, name, span) } else { part };
            self.pattern(pattern, part, fail)?;
        }
        Ok(())
    }
}

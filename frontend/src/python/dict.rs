//! Dicts: records without a class, whose fields are the keys.

use super::lower::{Lowered, Lowerer};
use super::span_of;
use gradus_ir::{Const, Diagnostic, Key, NodeId, Prim, Span, Type};
use ruff_python_ast::{self as ast, Expr};
use rustc_hash::FxHashSet;

impl<'a> Lowerer<'a, '_> {
    /// A dict: entries with strings for keys that are written there, those with others, and what other dicts hold.
    pub fn dict(&mut self, d: &'a ast::ExprDict) -> Lowered<NodeId> {
        let span = span_of(d);
        self.use_lists();
        let mut seen: FxHashSet<&str> = FxHashSet::default();
        let mut whole = None;
        let is_named = |item: &ast::DictItem| matches!(item.key, Some(Expr::StringLiteral(_)));
        for run in d.items.chunk_by(|a, b| is_named(a) && is_named(b)) {
            // What is merged with an empty dict is another dict.
            let mut before = || whole.take();
            whole = Some(match run {
                [ast::DictItem { key: None, value }] => {
                    let part = self.expr(value)?;
                    let before = before().unwrap_or_else(|| self.dict_of(&[], span));
                    self.prim(Prim::BitOr, &[before, part], span)
                }
                [ast::DictItem { key: Some(key), value }] if !key.is_string_literal_expr() => {
                    let [key, value] = [self.expr(key)?, self.expr(value)?];
                    let before = before().unwrap_or_else(|| self.dict_of(&[], span));
                    self.prim(Prim::SetItem, &[before, key, value], span)
                }
                run => {
                    let mut entries = Vec::with_capacity(run.len());
                    for item in run {
                        let Some(Expr::StringLiteral(key)) = &item.key else { unreachable!("the key is a string") };
                        if !seen.insert(key.value.to_str()) {
                            return Err(Diagnostic::refused(span_of(key), "this key is given twice"));
                        }
                        entries.push((key.value.to_str(), self.expr(&item.value)?));
                    }
                    let part = self.dict_of(&entries, span);
                    before().map_or(part, |before| self.prim(Prim::BitOr, &[before, part], span))
                }
            });
        }
        Ok(whole.unwrap_or_else(|| self.dict_of(&[], span)))
    }

    /// What `update` adds to a dict: another one, and arguments by keyword.
    pub fn entries(&mut self, c: &'a ast::ExprCall) -> Lowered<NodeId> {
        let span = span_of(c);
        let given = match &*c.arguments.args {
            [] => None,
            [other] => Some(self.expr(other)?),
            _ => return Err(Diagnostic::refused(span, "`update` takes a dict, and values by keyword")),
        };
        let mut parts: Vec<NodeId> = given.into_iter().collect();
        for run in c.arguments.keywords.chunk_by(|a, b| a.arg.is_some() && b.arg.is_some()) {
            let mut entries = Vec::with_capacity(run.len());
            for keyword in run {
                match (&keyword.arg, self.expr(&keyword.value)?) {
                    (Some(name), value) => entries.push((name.as_str(), value)),
                    (None, other) => parts.push(other),
                }
            }
            if !entries.is_empty() {
                parts.push(self.dict_of(&entries, span));
            }
        }
        let merged = parts.into_iter().reduce(|before, part| self.prim(Prim::BitOr, &[before, part], span));
        Ok(merged.unwrap_or_else(|| self.dict_of(&[], span)))
    }

    /// The dict of these entries.
    pub fn dict_of(&mut self, entries: &[(&str, NodeId)], span: Span) -> NodeId {
        let none = self.none();
        let keys = entries.iter().map(|(key, _)| Key::Str((*key).into()).name());
        let keys: Vec<NodeId> = keys.map(|key| self.m.constant(Const::Str(key), Type::Str)).collect();
        let names = self.prim(Prim::Tuple, &[&[none], &keys[..]].concat(), span);
        let values: Vec<NodeId> = entries.iter().map(|(_, value)| *value).collect();
        let values = self.prim(Prim::Tuple, &values, span);
        self.prim(Prim::Record, &[names, values], span)
    }
}

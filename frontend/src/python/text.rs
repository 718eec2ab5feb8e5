//! Text with values in it: f-strings, `str(…)`, `"…".format(…)`, `"…" % …`. What is printed, or said where a run fails, is a template
//! that is filled when the program runs; a string that is a value is made when it is compiled, of constants.

use super::lower::{Lowered, Lowerer};
use super::span_of;
use gradus_ir::format::{escape, fill, is_known};
use gradus_ir::{Const, Diagnostic, NodeId, Prim, Type};
use ruff_python_ast::{self as ast, Expr};

impl<'a> Lowerer<'a, '_> {
    /// The string that an expression stands for.
    pub fn string(&mut self, expr: &'a Expr) -> Lowered<NodeId> {
        let (mut template, mut values) = (String::new(), Vec::new());
        self.text(expr, &mut template, &mut values)?;
        if values.is_empty() {
            return Ok(self.m.constant(Const::Str(fill::<f64>(&template, &[]).into()), Type::Str));
        }
        let template = self.m.constant(Const::Str(template.into()), Type::Str);
        let values = self.prim(Prim::Tuple, &values, span_of(expr));
        Ok(self.prim(Prim::Text, &[template, values], span_of(expr)))
    }

    /// Adds the text that an expression stands for to a template, and the values in it.
    pub fn text(&mut self, expr: &'a Expr, template: &mut String, values: &mut Vec<NodeId>) -> Lowered<()> {
        match expr {
            Expr::StringLiteral(s) => template.push_str(&escape(s.value.to_str())),
            Expr::FString(f) => {
                for part in f.value.iter() {
                    match part {
                        ast::FStringPart::Literal(s) => template.push_str(&escape(s)),
                        ast::FStringPart::FString(f) => {
                            for element in &f.elements {
                                self.text_element(element, template, values)?;
                            }
                        }
                    }
                }
            }
            Expr::Call(c) if let Some(format) = format_of(c) => self.formatted(format, c, template, values)?,
            Expr::BinOp(b) if let Some(format) = percent_format_of(b) => self.percent_formatted(format, b, template, values)?,
            // Text that is put together.
            Expr::BinOp(b) if b.op == ast::Operator::Add && (is_text(&b.left) || is_text(&b.right)) => {
                self.text(&b.left, template, values)?;
                self.text(&b.right, template, values)?;
            }
            Expr::Call(c) if matches!(&*c.func, Expr::Name(n) if n.id == "str") && c.arguments.args.len() == 1 => {
                self.text(&c.arguments.args[0], template, values)?;
            }
            value => {
                template.push_str("{}");
                values.push(self.shown(value)?);
            }
        }
        Ok(())
    }

    /// A value as text shows it.
    fn shown(&mut self, expr: &'a Expr) -> Lowered<NodeId> {
        let value = self.expr(expr)?;
        Ok(if self.has_array_objects() { self.value_of(value, true, span_of(expr)) } else { value })
    }

    fn text_element(
        &mut self,
        element: &'a ast::InterpolatedStringElement,
        template: &mut String,
        values: &mut Vec<NodeId>,
    ) -> Lowered<()> {
        match element {
            ast::InterpolatedStringElement::Literal(s) => template.push_str(&escape(s)),
            ast::InterpolatedStringElement::Interpolation(i) => {
                if let Some(said) = &i.debug_text {
                    template.push_str(&escape(said.as_str()));
                }
                let mut spec = String::new();
                for part in i.format_spec.iter().flat_map(|f| f.elements.iter()) {
                    match part {
                        ast::InterpolatedStringElement::Literal(s) => spec.push_str(s),
                        ast::InterpolatedStringElement::Interpolation(n) => spec.push_str(&self.constant_text(n)?),
                    }
                }
                match i.conversion {
                    // What is written as it is said is shown as in other values.
                    ast::ConversionFlag::None if spec.is_empty() && i.debug_text.is_some() => {
                        template.push_str("{!r}");
                        values.push(self.shown(&i.expression)?);
                        return Ok(());
                    }
                    ast::ConversionFlag::None if spec.is_empty() => return self.text(&i.expression, template, values),
                    ast::ConversionFlag::None => {}
                    ast::ConversionFlag::Str if spec.is_empty() => return self.text(&i.expression, template, values),
                    ast::ConversionFlag::Repr if spec.is_empty() => {
                        template.push_str("{!r}");
                        values.push(self.shown(&i.expression)?);
                        return Ok(());
                    }
                    _ => return Err(Diagnostic::unsupported(span_of(i), "this conversion in an f-string is not supported")),
                }
                if !is_known(&spec) {
                    let message = format!("the format `{spec}` is not supported");
                    return Err(Diagnostic::unsupported(span_of(i), message));
                }
                template.push_str(&format!("{{:{spec}}}"));
                values.push(self.shown(&i.expression)?);
            }
        }
        Ok(())
    }

    /// A part of a format, which must be a constant.
    fn constant_text(&mut self, part: &'a ast::InterpolatedElement) -> Lowered<String> {
        let value = self.expr(&part.expression)?;
        match self.m[value].as_const() {
            Some(Const::I64(v)) => Ok(v.to_string()),
            Some(Const::Str(s)) => Ok(s.to_string()),
            _ => Err(Diagnostic::unsupported(span_of(part), "a computed format is not supported")),
        }
    }

    /// Adds what `"…".format(…)` stands for to a template.
    fn formatted(&mut self, text: &str, c: &'a ast::ExprCall, template: &mut String, values: &mut Vec<NodeId>) -> Lowered<()> {
        let span = span_of(c);
        let unsupported = || Diagnostic::unsupported(span, "this format is not supported").hint("write an f-string");
        let args = c.arguments.args.iter().map(|a| self.expr(a)).collect::<Lowered<Vec<_>>>()?;
        let mut named = Vec::new();
        for keyword in &c.arguments.keywords {
            let name = keyword.arg.as_ref().ok_or_else(unsupported)?;
            named.push((name.as_str(), self.expr(&keyword.value)?));
        }
        let (mut rest, mut next) = (text, 0);
        while let Some(at) = rest.find(['{', '}']) {
            template.push_str(&rest[..at]);
            let brace = &rest[at..];
            if brace.starts_with("{{") || brace.starts_with("}}") {
                template.push_str(&brace[..2]);
                rest = &brace[2..];
                continue;
            }
            let end = brace.find('}').filter(|&end| end > 0).ok_or_else(unsupported)?;
            let (field, spec) = brace[1..end].split_once(':').unwrap_or((&brace[1..end], ""));
            let (field, is_repr) = field.strip_suffix("!r").map_or((field, false), |field| (field, true));
            let value = match field.parse::<usize>() {
                _ if field.is_empty() => {
                    next += 1;
                    args.get(next - 1).copied()
                }
                Ok(i) => args.get(i).copied(),
                Err(_) => named.iter().find(|(name, _)| *name == field).map(|(_, value)| *value),
            };
            values.push(value.ok_or_else(unsupported)?);
            match (is_repr, spec) {
                (true, "") => template.push_str("{!r}"),
                (false, "") => template.push_str("{}"),
                (false, spec) if is_known(spec) => template.push_str(&format!("{{:{spec}}}")),
                _ => return Err(unsupported()),
            }
            rest = &brace[end + 1..];
        }
        template.push_str(rest);
        Ok(())
    }

    /// Adds what `"…" % values` stands for to a template.
    fn percent_formatted(
        &mut self,
        text: &str,
        b: &'a ast::ExprBinOp,
        template: &mut String,
        values: &mut Vec<NodeId>,
    ) -> Lowered<()> {
        let unsupported = || Diagnostic::unsupported(span_of(b), "this format is not supported").hint("write an f-string");
        let mut given = match &*b.right {
            Expr::Tuple(t) => t.elts.iter().collect(),
            value => vec![value],
        }
        .into_iter();
        let mut rest = text;
        while let Some(at) = rest.find('%') {
            template.push_str(&escape(&rest[..at]));
            rest = &rest[at + 1..];
            let end = rest.find(|c: char| !"-+ #.*0123456789".contains(c)).ok_or_else(unsupported)?;
            let (options, kind) = (&rest[..end], rest.get(end..end + 1).ok_or_else(unsupported)?);
            rest = &rest[end + 1..];
            if kind == "%" && options.is_empty() {
                template.push('%');
                continue;
            }
            let value = given.next().ok_or_else(unsupported)?;
            match (kind, options) {
                ("s", "") => self.text(value, template, values)?,
                ("r", "") => {
                    template.push_str("{!r}");
                    values.push(self.shown(value)?);
                }
                _ => {
                    let spec = spec_of(options, kind).filter(|spec| is_known(spec)).ok_or_else(unsupported)?;
                    template.push_str(&format!("{{:{spec}}}"));
                    let (at, value) = (span_of(value), self.expr(value)?);
                    // What is after the point is cut off, which `format` does not do.
                    values.push(if matches!(kind, "d" | "i") { self.prim(Prim::Int, &[value], at) } else { value });
                }
            }
        }
        template.push_str(&escape(rest));
        given.next().map_or(Ok(()), |_| Err(unsupported()))
    }
}

/// What a conversion of `%` is as a format of `format`: what is written to the left there is aligned here, and all else to the right.
fn spec_of(options: &str, kind: &str) -> Option<String> {
    let digits = options.trim_start_matches(['-', '+', ' ', '0']);
    let flags = &options[..options.len() - digits.len()];
    let align = if flags.contains('-') {
        "<"
    } else if flags.contains('0') {
        ""
    } else {
        ">"
    };
    let sign = ['+', ' '].into_iter().find(|&sign| flags.contains(sign)).map(String::from).unwrap_or_default();
    let zero = if align.is_empty() { "0" } else { "" };
    match kind {
        "d" | "i" => Some(format!("{align}{sign}{zero}{digits}d")),
        "e" | "E" | "f" | "F" | "g" | "G" => Some(format!("{align}{sign}{zero}{digits}{kind}")),
        "s" if sign.is_empty() && zero.is_empty() => Some(format!("{align}{digits}")),
        _ => None,
    }
}

/// The string before `%`, where it is written there.
pub fn percent_format_of(b: &ast::ExprBinOp) -> Option<&str> {
    let text = b.left.as_string_literal_expr().filter(|_| b.op == ast::Operator::Mod)?;
    Some(text.value.to_str())
}

/// The string before `.format(…)`, where it is written there.
pub fn format_of(c: &ast::ExprCall) -> Option<&str> {
    match &*c.func {
        Expr::Attribute(a) if a.attr.as_str() == "format" => a.value.as_string_literal_expr().map(|s| s.value.to_str()),
        _ => None,
    }
}

/// Whether an expression is text by its syntax.
fn is_text(expr: &Expr) -> bool {
    match expr {
        Expr::StringLiteral(_) | Expr::FString(_) => true,
        Expr::BinOp(b) if percent_format_of(b).is_some() => true,
        Expr::BinOp(b) => b.op == ast::Operator::Add && (is_text(&b.left) || is_text(&b.right)),
        Expr::Call(c) => matches!(&*c.func, Expr::Name(n) if n.id == "str"),
        _ => false,
    }
}

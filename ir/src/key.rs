//! The keys of dicts: constants of the program, each the name of a field of a record.

use crate::format::repr;
use std::fmt;
use std::sync::Arc;

/// A key.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Key {
    /// A string.
    Str(Arc<str>),
    /// An int.
    Int(i64),
    /// A float, by its bits.
    Float(u64),
    /// A boolean.
    Bool(bool),
    /// A tuple of keys.
    Tuple(Vec<Key>),
}

impl Key {
    /// The key that the name of a field stands for.
    pub fn of(name: &str) -> Key {
        match literal(name) {
            Some((key, "")) => key,
            _ => Key::Str(name.into()),
        }
    }

    /// The name of the field: of a string itself, but for one that reads as another key, and else what Python writes.
    pub fn name(&self) -> Arc<str> {
        match self {
            Key::Str(s) if Key::of(s) == *self => s.clone(),
            other => other.to_string().into(),
        }
    }

    /// The key as text: a string is without quotes.
    pub fn text(&self) -> String {
        match self {
            Key::Str(s) => s.to_string(),
            other => other.to_string(),
        }
    }
}

/// As Python writes it.
impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Key::Str(s) => f.write_str(&quoted(s)),
            Key::Int(i) => i.fmt(f),
            Key::Float(bits) => f.write_str(&repr(f64::from_bits(*bits))),
            Key::Bool(b) => f.write_str(if *b { "True" } else { "False" }),
            Key::Tuple(keys) => {
                f.write_str("(")?;
                for (i, key) in keys.iter().enumerate() {
                    write!(f, "{}{key}", if i > 0 { ", " } else { "" })?;
                }
                f.write_str(if keys.len() == 1 { ",)" } else { ")" })
            }
        }
    }
}

/// A string as Python writes it among other values.
pub fn quoted(s: &str) -> String {
    let quote = if s.contains('\'') && !s.contains('"') { '"' } else { '\'' };
    let mut out = String::from(quote);
    for c in s.chars() {
        match c {
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '\r' => out.push_str("\\r"),
            c if c == quote => out.extend(['\\', c]),
            c => out.push(c),
        }
    }
    out.push(quote);
    out
}

/// The key that a text begins with as Python writes it, and what comes after it.
fn literal(text: &str) -> Option<(Key, &str)> {
    match text.chars().next()? {
        quote @ ('\'' | '"') => string(&text[1..], quote),
        '(' => {
            let (mut keys, mut rest) = (Vec::new(), &text[1..]);
            while !rest.starts_with(')') {
                let (key, after) = literal(rest)?;
                keys.push(key);
                rest = match after.strip_prefix(',') {
                    Some(next) => next.strip_prefix(' ').unwrap_or(next),
                    None => after.starts_with(')').then_some(after)?,
                };
            }
            let key = Key::Tuple(keys);
            let (own, rest) = text.split_at(text.len() - rest.len() + 1);
            (own == key.to_string()).then_some((key, rest))
        }
        _ => {
            let end = text.find([',', ')']).unwrap_or(text.len());
            let (own, rest) = text.split_at(end);
            let int = own.parse().ok().map(Key::Int);
            let key = int.or_else(|| own.parse().ok().map(|x: f64| Key::Float(x.to_bits())));
            let key = key.or_else(|| own.to_ascii_lowercase().parse().ok().map(Key::Bool))?;
            (key.to_string() == own).then_some((key, rest))
        }
    }
}

/// The string that ends with this quote, and what comes after it.
fn string(text: &str, quote: char) -> Option<(Key, &str)> {
    let (mut out, mut chars) = (String::new(), text.char_indices());
    loop {
        match chars.next()? {
            (i, c) if c == quote => return Some((Key::Str(out.into()), &text[i + 1..])),
            (_, '\\') => out.push(match chars.next()?.1 {
                'n' => '\n',
                't' => '\t',
                'r' => '\r',
                c => c,
            }),
            (_, c) => out.push(c),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_come_back() {
        let text = |s: &str| Key::Str(s.into());
        let nested = Key::Tuple(vec![Key::Int(-3), text("a'b, ("), Key::Tuple(vec![text("x")]), Key::Tuple(Vec::new())]);
        for key in [
            text("w0"),
            text("0"),
            text("'a'"),
            text("(1, 2)"),
            text(""),
            text("-"),
            text("\\"),
            Key::Int(0),
            nested,
            Key::Float(0.5f64.to_bits()),
            Key::Float(1e300f64.to_bits()),
            Key::Float(f64::NEG_INFINITY.to_bits()),
            Key::Bool(true),
            text("True"),
            text("0.5"),
            text("inf"),
            text("1_0"),
        ] {
            assert_eq!(Key::of(&key.name()), key);
        }
        assert_eq!((&*text("w0").name(), &*text("0").name(), &*Key::Int(0).name()), ("w0", "'0'", "0"));
        assert_eq!((&*text("007").name(), &*text("(1,2)").name(), &*text("(").name()), ("007", "(1,2)", "("));
    }
}

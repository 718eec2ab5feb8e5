//! The tokens of the text form.

use super::Fault;
use crate::print::is_name_char;
use std::fmt;
use std::sync::Arc;

/// A token. Names and strings are as they are written, quotes included.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Token<'t> {
    Node(&'t str),
    Graph(&'t str),
    Word(&'t str),
    Number(&'t str),
    Str(&'t str),
    Punct(char),
    Arrow,
    Newline,
    End,
}

impl fmt::Display for Token<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Token::Node(s) => write!(f, "`%{s}`"),
            Token::Graph(s) => write!(f, "`@{s}`"),
            Token::Word(s) | Token::Number(s) | Token::Str(s) => write!(f, "`{s}`"),
            Token::Punct(c) => write!(f, "`{c}`"),
            Token::Arrow => f.write_str("`->`"),
            Token::Newline => f.write_str("a new line"),
            Token::End => f.write_str("the end"),
        }
    }
}

/// Makes tokens.
pub(super) struct Lexer<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Lexer<'t> {
    pub(super) fn new(text: &'t str) -> Lexer<'t> {
        Lexer { text, at: 0 }
    }

    /// Where the next token starts.
    pub(super) fn position(&mut self) -> usize {
        self.skip_blanks();
        self.at
    }

    /// What was read since a place.
    pub(super) fn since(&self, start: usize) -> &'t str {
        &self.text[start..self.at]
    }

    /// The next token and where it starts.
    pub(super) fn next(&mut self) -> Result<(Token<'t>, usize), Fault> {
        let start = self.position();
        let rest = &self.text[start..];
        let mut chars = rest.chars();
        let Some(first) = chars.next() else { return Ok((Token::End, start)) };
        let second = chars.next();
        self.at += first.len_utf8();
        let token = match first {
            '\n' => Token::Newline,
            '(' | ')' | '{' | '}' | '[' | ']' | '<' | '>' | ',' | ':' | '=' | '?' => Token::Punct(first),
            '-' if second == Some('>') => {
                self.at += 1;
                Token::Arrow
            }
            '%' => Token::Node(self.name()?),
            '@' => Token::Graph(self.name()?),
            '"' => {
                self.at = start;
                Token::Str(self.string()?)
            }
            c if c.is_ascii_digit() || c == '-' => Token::Number(self.number(start)),
            c if is_name_char(c) => {
                self.at = start;
                Token::Word(self.name()?)
            }
            c => return Err(Fault::new(start, format!("unexpected character {c:?}"))),
        };
        Ok((token, start))
    }

    /// Goes past the next token if it is this one.
    pub(super) fn take(&mut self, token: Token<'static>) -> Result<bool, Fault> {
        let before = self.at;
        let is_it = self.next()?.0 == token;
        if !is_it {
            self.at = before;
        }
        Ok(is_it)
    }

    /// Whether the line, or the graph, has no further token.
    pub(super) fn at_end_of_line(&mut self) -> Result<bool, Fault> {
        let before = self.at;
        let token = self.next()?.0;
        self.at = before;
        Ok(matches!(token, Token::Newline | Token::Punct('}') | Token::End))
    }

    fn skip_blanks(&mut self) {
        let rest = &self.text[self.at..];
        let blank = rest.len() - rest.trim_start_matches([' ', '\t', '\r']).len();
        self.at += blank;
        if self.text[self.at..].starts_with(';') {
            self.at += self.text[self.at..].find('\n').unwrap_or(self.text.len() - self.at);
        }
    }

    fn name(&mut self) -> Result<&'t str, Fault> {
        let rest = &self.text[self.at..];
        if rest.starts_with('"') {
            return self.string();
        }
        let len = rest.find(|c| !is_name_char(c)).unwrap_or(rest.len());
        if len == 0 {
            return Err(Fault::new(self.at, "expected a name"));
        }
        self.at += len;
        Ok(&rest[..len])
    }

    fn number(&mut self, start: usize) -> &'t str {
        let mut last = ' ';
        for c in self.text[self.at..].chars() {
            let is_sign_of_exponent = matches!(c, '+' | '-') && matches!(last, 'e' | 'E');
            if !(c.is_ascii_alphanumeric() || c == '.' || is_sign_of_exponent) {
                break;
            }
            self.at += c.len_utf8();
            last = c;
        }
        &self.text[start..self.at]
    }

    /// A string with its quotes; the escapes are checked.
    fn string(&mut self) -> Result<&'t str, Fault> {
        let start = self.at;
        let rest = &self.text[start..];
        let mut escaped = false;
        for (i, c) in rest.char_indices().skip(1) {
            match c {
                '\n' => break,
                '"' if !escaped => {
                    self.at = start + i + 1;
                    let quoted = &rest[..=i];
                    return match unescape(quoted) {
                        Some(_) => Ok(quoted),
                        None => Err(Fault::new(start, "unknown escape in a string")),
                    };
                }
                _ => escaped = c == '\\' && !escaped,
            }
        }
        Err(Fault::new(start, "the string does not end on its line"))
    }
}

/// A name or string without quotes and escapes.
pub(super) fn unquoted(written: &str) -> Arc<str> {
    match written.strip_prefix('"') {
        Some(_) => unescape(written).expect("the lexer has checked the escapes").into(),
        None => written.into(),
    }
}

/// Undoes the escapes of Rust's `{:?}`.
fn unescape(quoted: &str) -> Option<String> {
    let mut out = String::new();
    let mut chars = quoted[1..quoted.len() - 1].chars();
    while let Some(c) = chars.next() {
        if c != '\\' {
            out.push(c);
            continue;
        }
        out.push(match chars.next()? {
            'n' => '\n',
            't' => '\t',
            'r' => '\r',
            '0' => '\0',
            c @ ('\\' | '"' | '\'') => c,
            'u' => {
                let (digits, rest) = chars.as_str().strip_prefix('{')?.split_once('}')?;
                chars = rest.chars();
                char::from_u32(u32::from_str_radix(digits, 16).ok()?)?
            }
            _ => return None,
        });
    }
    Some(out)
}

//! Characters that a string of ours cannot hold: halves of surrogate pairs, which CPython keeps and the parser replaces.

use super::span_of;
use gradus_ir::{Diagnostic, Span};
use ruff_python_ast::token::{TokenKind, Tokens};
use ruff_text_size::Ranged;

/// Refuses strings with such an escape.
pub fn check(text: &str, tokens: &Tokens) -> Result<(), Diagnostic> {
    for token in tokens {
        let is_text = matches!(token.kind(), TokenKind::String | TokenKind::FStringMiddle | TokenKind::TStringMiddle);
        if !is_text || token.string_flags().is_some_and(|flags| flags.is_raw_string() || flags.is_byte_string()) {
            continue;
        }
        if let Some((at, len)) = surrogate(&text[token.range()]) {
            let start = span_of(token).start + at as u32;
            let span = Span::new(start, start + len as u32);
            let message = format!(
                "`{}` is half of a pair of surrogates, which no string here can hold",
                &text[span.start as usize..][..len]
            );
            return Err(Diagnostic::refused(span, message).hint("write the whole character, `\\U0001f600` say"));
        }
    }
    Ok(())
}

/// Where the first escape of a surrogate is in the text of a string, and how long it is.
fn surrogate(text: &str) -> Option<(usize, usize)> {
    let (mut at, bytes) = (0, text.as_bytes());
    while let Some(found) = text[at..].find('\\') {
        at += found;
        let len = match bytes.get(at + 1) {
            Some(b'u') => 6,
            Some(b'U') => 10,
            _ => 2,
        };
        let number = text.get(at + 2..at + len).and_then(|digits| u32::from_str_radix(digits, 16).ok());
        if len > 2 && number.is_some_and(|n| (0xd800..0xe000).contains(&n)) {
            return Some((at, len));
        }
        // What is escaped begins no escape, and may be longer than a byte.
        at += 1 + text[at + 1..].chars().next().map_or(0, char::len_utf8);
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_of_surrogates() {
        for (text, known) in [
            (r"a\ud800b", Some((1, 6))),
            (r"\\\uDFFF", Some((2, 6))),
            (r"\U0000dc00", Some((0, 10))),
            (r"\\ud800", None),
            (r"\u00e9 \U0001f600 \ue000", None),
            (r"\é\ud8", None),
            ("\\", None),
        ] {
            assert_eq!(surrogate(text), known, "{text}");
        }
    }
}

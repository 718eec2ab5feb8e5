//! A bound on how deep a text nests, checked before it is parsed.
//!
//! Parsing, lowering and dropping a syntax tree recurse over it, so its depth must be bounded before there is one. Tokens tell
//! enough: brackets, and the operators that nest without them.

use gradus_ir::{Diagnostic, Span};
use ruff_python_ast::token::TokenKind;
use ruff_python_parser::{Mode, lexer};

/// Brackets, prefix operators, powers, lambdas, conditionals and postfix chains inside of each other.
const MAX_NESTING: u32 = 256;
/// Operands of one chain of infix operators, `a + b + c + …`: lowering walks those without recursion, dropping does not.
const MAX_CHAIN: u32 = 4000;
/// Blocks inside of each other; CPython's own limit.
const MAX_INDENTATION: u32 = 100;

/// Refuses a text that nests too deeply.
pub fn check(text: &str) -> Result<(), Diagnostic> {
    let Some(message) = excess(text) else { return Ok(()) };
    // The lexer gives no positions: look for the shortest prefix that nests too deeply.
    let (mut fits, mut exceeds) = (0, text.len());
    while exceeds - fits > 1 {
        let middle = text.floor_char_boundary(fits + (exceeds - fits) / 2);
        if middle == fits {
            break;
        }
        match excess(&text[..middle]) {
            None => fits = middle,
            Some(_) => exceeds = middle,
        }
    }
    Err(Diagnostic::refused(Span::new(fits as u32, exceeds as u32), message).hint("give the parts names"))
}

/// The operators met since the last comma of a bracket.
#[derive(Clone, Copy, Default)]
struct Level {
    /// Prefix and postfix operators and powers since the last infix operator.
    run: u32,
    /// Lambdas and conditionals.
    outer: u32,
    /// Infix operators.
    chain: u32,
    /// Lambdas whose colon has not come yet: their commas separate parameters.
    headers: u32,
}

fn excess(text: &str) -> Option<&'static str> {
    let mut lexer = lexer::lex(text, Mode::Module);
    let mut levels = vec![Level::default()];
    // The sums over all levels but the last.
    let (mut nesting, mut chain, mut indentation) = (0, 0, 0);
    let mut after_operand = false;
    loop {
        let token = lexer.next_token();
        let bracketed = levels.len() > 1;
        let top = levels.last_mut().expect("the outermost level stays");
        match token {
            TokenKind::EndOfFile => return None,
            TokenKind::Comment | TokenKind::NonLogicalNewline => continue,
            TokenKind::Indent => indentation += 1,
            TokenKind::Dedent => indentation -= 1,
            TokenKind::Newline | TokenKind::Semi => {
                levels = vec![Level::default()];
                (nesting, chain) = (0, 0);
            }
            TokenKind::Lpar | TokenKind::Lsqb | TokenKind::Lbrace | TokenKind::FStringStart | TokenKind::TStringStart => {
                top.run += u32::from(after_operand);
                nesting += 1 + top.run + top.outer;
                chain += top.chain;
                levels.push(Level::default());
            }
            TokenKind::Rpar | TokenKind::Rsqb | TokenKind::Rbrace | TokenKind::FStringEnd | TokenKind::TStringEnd
                if bracketed =>
            {
                levels.pop();
                let top = levels.last().expect("one is left");
                nesting -= 1 + top.run + top.outer;
                chain -= top.chain;
            }
            TokenKind::Comma if top.headers == 0 => *top = Level::default(),
            TokenKind::Lambda => {
                top.outer += 1;
                top.headers += 1;
            }
            TokenKind::Colon => top.headers = top.headers.saturating_sub(1),
            TokenKind::If | TokenKind::Else | TokenKind::ColonEqual | TokenKind::Yield | TokenKind::Async => top.outer += 1,
            TokenKind::Not | TokenKind::Tilde | TokenKind::DoubleStar | TokenKind::Dot | TokenKind::Await => top.run += 1,
            TokenKind::Plus | TokenKind::Minus | TokenKind::Star if !after_operand => top.run += 1,
            _ if token.is_operator() || matches!(token, TokenKind::And | TokenKind::Or | TokenKind::In | TokenKind::Is) => {
                top.run = 0;
                top.chain += 1;
            }
            _ => {}
        }
        after_operand = matches!(
            token,
            TokenKind::Rpar
                | TokenKind::Rsqb
                | TokenKind::Rbrace
                | TokenKind::Int
                | TokenKind::Float
                | TokenKind::Complex
                | TokenKind::String
                | TokenKind::FStringEnd
                | TokenKind::TStringEnd
                | TokenKind::True
                | TokenKind::False
                | TokenKind::None
                | TokenKind::Ellipsis
        ) || token == TokenKind::Name
            || token.is_soft_keyword();
        let top = levels.last().expect("the outermost level stays");
        if nesting + top.run + top.outer > MAX_NESTING {
            return Some("this expression nests too deeply");
        }
        if chain + top.chain > MAX_CHAIN {
            return Some("this expression is too long");
        }
        if indentation > MAX_INDENTATION {
            return Some("too many levels of indentation");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(text: String) -> bool {
        match check(&text) {
            Ok(()) => false,
            Err(d) => {
                assert!(d.span.start < d.span.end && d.span.end as usize <= text.len());
                true
            }
        }
    }

    #[test]
    fn deep_texts_are_refused() {
        for (before, after) in [
            ("(", ")"),
            ("[", "]"),
            ("f(", ")"),
            ("-", ""),
            ("not ", ""),
            ("x ** ", ""),
            ("lambda a, b: ", ""),
            ("1 if 1 else ", ""),
        ] {
            let nest = |n: usize| format!("y = {}1{}\n", before.repeat(n), after.repeat(n));
            assert!(!refused(nest(80)), "{before}");
            assert!(refused(nest(100_000)), "{before}");
        }
        for postfix in ["()", ".a", "[0]"] {
            assert!(!refused(format!("y = f{}\n", postfix.repeat(200))), "{postfix}");
            assert!(refused(format!("y = f{}\n", postfix.repeat(100_000))), "{postfix}");
        }
        let blocks = |n: usize| (0..=n).map(|i| format!("{}if x:\n", " ".repeat(i))).collect::<String>();
        assert!(!refused(blocks(50)));
        assert!(refused(blocks(200)));
    }

    #[test]
    fn long_texts_are_not() {
        assert!(!refused(format!("t = ({})\n", "-x ** 2 * f(x)[0].a, ".repeat(10_000))));
        assert!(!refused(format!("y = 0{}\n", " + -3 * x ** 2".repeat(1000))));
        assert!(refused(format!("y = 0{}\n", " + x".repeat(10_000))));
        assert!(!refused("y = f(x)\n".repeat(10_000)));
    }
}

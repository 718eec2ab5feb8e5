//! The text of an item as it is laid out in its file, from its tokens: lines and columns are those of the file, comments are left out.

use proc_macro2::{Delimiter, LineColumn, Spacing, TokenStream, TokenTree};

/// The first line of some tokens, and their text.
pub fn layout(tokens: TokenStream) -> (usize, String) {
    let first = tokens.clone().into_iter().next().map_or(LineColumn { line: 1, column: 0 }, |t| start(&t));
    let mut page = Page { text: String::new(), at: LineColumn { line: first.line, column: 0 }, is_joint: true };
    page.tokens(tokens);
    (first.line, page.text)
}

fn start(token: &TokenTree) -> LineColumn {
    match token {
        TokenTree::Group(group) => group.span_open().start(),
        other => other.span().start(),
    }
}

struct Page {
    text: String,
    /// Where the text ends.
    at: LineColumn,
    /// Whether what comes next may follow without a space.
    is_joint: bool,
}

impl Page {
    fn tokens(&mut self, tokens: TokenStream) {
        for token in tokens {
            match token {
                TokenTree::Group(group) => {
                    let (open, close) = match group.delimiter() {
                        Delimiter::Parenthesis => ("(", ")"),
                        Delimiter::Brace => ("{", "}"),
                        Delimiter::Bracket => ("[", "]"),
                        Delimiter::None => ("", ""),
                    };
                    self.put(open, group.span_open().start());
                    self.is_joint = true;
                    self.tokens(group.stream());
                    // What syn has read knows the place of the whole group alone.
                    let end = group.span_close().end();
                    self.put(close, LineColumn { column: end.column.saturating_sub(close.len()), ..end });
                }
                TokenTree::Punct(punct) => {
                    self.put(&punct.to_string(), punct.span().start());
                    self.is_joint = punct.spacing() == Spacing::Joint;
                }
                other => self.put(&other.to_string(), other.span().start()),
            }
        }
    }

    /// Puts a token at its place. What a macro made may have come from before: it follows what is there.
    fn put(&mut self, token: &str, to: LineColumn) {
        while self.at.line < to.line {
            self.text.push('\n');
            self.at = LineColumn { line: self.at.line + 1, column: 0 };
        }
        let is_before = to.line < self.at.line || to.column < self.at.column;
        let spaces = if is_before { usize::from(!self.is_joint) } else { to.column - self.at.column };
        self.text.extend(std::iter::repeat_n(' ', spaces));
        self.text.push_str(token);
        self.at.column += spaces + token.chars().count();
        self.is_joint = false;
    }
}

//! How diagnostics look: the message, the source line, a caret, what is to be seen at other places, calls that led there, a hint.

use annotate_snippets::{Annotation, AnnotationKind, Level, Renderer, Snippet};
use gradus_ir::{Call, Diagnostic, Source, Span};
use std::ops::Range;

/// The diagnostics as plain text, one after the other, each `error: …` with its place in `source`.
///
/// A message without a place, or one rendered without its source, is the message and the hint alone.
pub fn render(diagnostics: &[Diagnostic], source: Option<&Source>) -> String {
    diagnostics.iter().map(|d| message(d, source)).collect()
}

fn message(d: &Diagnostic, source: Option<&Source>) -> String {
    let mut group = Level::ERROR.primary_title(&*d.message).elements(Vec::<Snippet<'_, Annotation<'_>>>::new());
    if let Some(source) = source
        && let Some(range) = byte_range(d.span, &source.text)
    {
        let (name, section, line) = source.section(d.span);
        let within =
            |range: Range<usize>| Some(range.start.checked_sub(section.start)?..range.end.min(section.end) - section.start);
        let seen = d.labels.iter().filter_map(|(span, label)| {
            let range = byte_range(*span, &source.text).filter(|r| r.start < section.end)?;
            Some(AnnotationKind::Context.span(within(range)?).label(label.as_str()))
        });
        let snippet = Snippet::source(&source.text[section.clone()])
            .path(name)
            .line_start(line)
            .annotations(within(range).map(|range| AnnotationKind::Primary.span(range)))
            .annotations(seen);
        group = group.element(snippet);
    }
    for call in called(&d.calls, d.span, source) {
        group = group.element(Level::NOTE.with_name("called").message(call));
    }
    if let Some(hint) = &d.hint {
        group = group.element(Level::HELP.with_name("hint").message(hint));
    }
    let mut text = Renderer::plain().render(&[group]);
    text.push('\n');
    text
}

/// So many calls are shown that led to a place.
const MOST_CALLS: usize = 8;

/// The lines about the calls that led to a place.
fn called(calls: &[Call], at: Span, source: Option<&Source>) -> Vec<String> {
    let Some(source) = source else { return Vec::new() };
    let own = source.position(at).map(|(file, ..)| file);
    let line = |call: &Call| {
        let (file, line, _) = source.position(call.place)?;
        let file = if Some(file) == own { String::new() } else { format!(" of {file}") };
        Some(format!("`{}` in line {line}{file}", call.function))
    };
    let mut lines: Vec<String> = calls.iter().filter_map(line).collect();
    if lines.len() > MOST_CALLS {
        let more = format!("… and {} more", lines.len() - MOST_CALLS);
        lines.truncate(MOST_CALLS);
        lines.push(more);
    }
    lines
}

/// The span as a range of the text, widened to whole characters; none if it lies outside.
fn byte_range(span: Span, text: &str) -> Option<Range<usize>> {
    let (start, end) = (span.start as usize, span.end as usize);
    (start <= end && end <= text.len()).then(|| text.floor_char_boundary(start)..text.ceil_char_boundary(end))
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::{Expect, expect};

    fn check(diagnostic: Diagnostic, text: &str, expected: Expect) {
        let source = Source::new("f.py", text);
        expected.assert_eq(&render(&[diagnostic], Some(&source)));
    }

    #[test]
    fn a_place_a_label_and_a_hint() {
        let d = Diagnostic::refused(Span::new(17, 18), "unknown name `y`")
            .label(Span::new(4, 5), "in this function")
            .hint("did you mean `x`?");
        check(
            d,
            "def f(x): return y\n",
            expect![[r#"
            error: unknown name `y`
             --> f.py:1:18
              |
            1 | def f(x): return y
              |     -            ^
              |     |
              |     in this function
              |
              = hint: did you mean `x`?
        "#]],
        );
    }

    #[test]
    fn without_a_place() {
        check(
            Diagnostic::unsupported(Span::NONE, "no").hint("yes"),
            "",
            expect![[r#"
            error: no
             |
             = hint: yes
        "#]],
        );
    }

    #[test]
    fn a_place_inside_of_a_character_or_outside_of_the_text() {
        check(
            Diagnostic::refused(Span::new(1, 2), "inside"),
            "é\n",
            expect![[r#"
            error: inside
             --> f.py:1:1
              |
            1 | é
              | ^
        "#]],
        );
        check(
            Diagnostic::refused(Span::new(7, 9), "outside"),
            "x\n",
            expect![[r#"
            error: outside
        "#]],
        );
    }
}

//! Places in the source as the script counts: by the part of the text, and characters of UTF-16.

use gradus_ir::{Source, Span};
use serde::Serialize;
use std::ops::Range;

/// A part of a file, as the page shows it.
#[derive(Serialize)]
pub struct Section {
    file: String,
    /// The number of its first line.
    line: usize,
    text: String,
}

/// A place: the part, and the characters from and to which it goes there.
#[derive(Clone, Serialize)]
pub struct Place(usize, usize, usize);

/// The parts of a source.
pub struct Places<'s> {
    source: &'s Source,
    /// Each part: its name, its bytes in the text, and the number of its first line.
    parts: Vec<(String, Range<usize>, usize)>,
    /// How many characters of UTF-16 come before each byte.
    before: Vec<u32>,
}

impl Places<'_> {
    pub fn new(source: &Source) -> Places<'_> {
        let text = &source.text;
        let starts: Vec<u32> = match &source.sections[..] {
            [] => vec![0],
            sections => sections.iter().map(|s| s.start).collect(),
        };
        let parts = starts.into_iter().map(|start| {
            let (name, range, line) = source.section(Span::new(start, start));
            (name.to_owned(), range, line)
        });
        let mut before = vec![0; text.len() + 1];
        let mut count = 0;
        for (at, c) in text.char_indices() {
            before[at..at + c.len_utf8()].fill(count);
            count += c.len_utf16() as u32;
        }
        before[text.len()] = count;
        Places { source, parts: parts.collect(), before }
    }

    /// The parts, for the page.
    pub fn sections(&self) -> Vec<Section> {
        let part = |(file, range, line): &(String, Range<usize>, usize)| Section {
            file: file.clone(),
            line: *line,
            text: self.source.text[range.clone()].to_owned(),
        };
        self.parts.iter().map(part).collect()
    }

    /// A place, if the text has it.
    pub fn of(&self, span: Span) -> Option<Place> {
        let (from, to) = (span.start as usize, span.end as usize);
        if !span.is_some() || to > self.source.text.len() {
            return None;
        }
        let part = self.parts.iter().rposition(|(_, range, _)| range.start <= from)?;
        let start = self.before[self.parts[part].1.start];
        Some(Place(part, (self.before[from] - start) as usize, (self.before[to] - start) as usize))
    }
}

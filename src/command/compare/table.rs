//! Tables as text, and what is in them.

use std::fmt;

/// A table: the head, then rows. The first columns are words, the others numbers.
pub struct Table {
    words: usize,
    rows: Vec<Vec<String>>,
}

impl Table {
    /// A table with this head, of which the first columns are words.
    pub fn new(words: usize, head: impl IntoIterator<Item = impl Into<String>>) -> Table {
        Table { words, rows: vec![head.into_iter().map(Into::into).collect()] }
    }

    /// Adds a row.
    pub fn row(&mut self, cells: impl IntoIterator<Item = impl Into<String>>) {
        self.rows.push(cells.into_iter().map(Into::into).collect());
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let width = |column: usize| {
            self.rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count()).max().unwrap_or(0)
        };
        for row in &self.rows {
            let cells = row.iter().enumerate().map(|(i, cell)| match (i < self.words, width(i)) {
                (true, width) => format!("{cell:<width$}"),
                (false, width) => format!("{cell:>width$}"),
            });
            writeln!(f, "{}", cells.collect::<Vec<_>>().join("  ").trim_end())?;
        }
        Ok(())
    }
}

/// A relative difference.
pub fn difference(v: f64) -> String {
    if v == 0.0 { "0".into() } else { format!("{v:.1e}") }
}

/// What there may not be.
pub fn or_dash<T>(v: Option<T>, show: impl FnOnce(T) -> String) -> String {
    v.map_or_else(|| "-".into(), show)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differences() {
        assert_eq!([0.0, 1.24e-16].map(difference), ["0", "1.2e-16"]);
    }

    #[test]
    fn columns_are_aligned() {
        let mut table = Table::new(1, ["way", "time"]);
        table.row(["closure", "1 µs"]);
        table.row(["é", "10 µs"]);
        assert_eq!(table.to_string(), "way       time\nclosure   1 µs\né        10 µs\n");
    }
}

//! Tables as text, and numbers in them.

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

/// A number with three significant digits, or all before the point.
fn digits(v: f64) -> String {
    let before = if v >= 1.0 { v.log10().floor() as usize + 1 } else { 1 };
    format!("{v:.*}", 3_usize.saturating_sub(before))
}

/// A time.
pub fn time(seconds: f64) -> String {
    match seconds {
        s if s < 1e-6 => format!("{} ns", digits(s * 1e9)),
        s if s < 1e-3 => format!("{} µs", digits(s * 1e6)),
        s if s < 1.0 => format!("{} ms", digits(s * 1e3)),
        s => format!("{} s", digits(s)),
    }
}

/// An amount of memory.
pub fn bytes(bytes: usize) -> String {
    match bytes as f64 {
        b if b < 1e4 => format!("{bytes} B"),
        b if b < 1e6 => format!("{} kB", digits(b / 1e3)),
        b if b < 1e9 => format!("{} MB", digits(b / 1e6)),
        b => format!("{} GB", digits(b / 1e9)),
    }
}

/// A ratio.
pub fn ratio(v: f64) -> String {
    digits(v)
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
    fn numbers() {
        let shown = [2.5e-8, 1.234e-6, 0.0123, 12.0, 1234.0].map(time);
        assert_eq!(shown, ["25.0 ns", "1.23 µs", "12.3 ms", "12.0 s", "1234 s"]);
        assert_eq!([0, 9999, 48_000, 3_200_000, 16_000_000_000].map(bytes), ["0 B", "9999 B", "48.0 kB", "3.20 MB", "16.0 GB"]);
        assert_eq!([0.5, 3.456, 123.4].map(ratio), ["0.50", "3.46", "123"]);
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

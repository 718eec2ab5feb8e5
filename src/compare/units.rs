//! Figures as text, to three significant digits.

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers() {
        let shown = [2.5e-8, 1.234e-6, 0.0123, 12.0, 1234.0].map(time);
        assert_eq!(shown, ["25.0 ns", "1.23 µs", "12.3 ms", "12.0 s", "1234 s"]);
        assert_eq!([0, 9999, 48_000, 3_200_000, 16_000_000_000].map(bytes), ["0 B", "9999 B", "48.0 kB", "3.20 MB", "16.0 GB"]);
        assert_eq!([0.5, 3.456, 123.4].map(ratio), ["0.50", "3.46", "123"]);
    }
}

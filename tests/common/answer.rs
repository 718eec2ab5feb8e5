//! Answers as text: equal but for the last digits of numbers.

/// A text with its numbers taken out, and the numbers.
fn numbers(text: &str) -> (String, Vec<f64>) {
    let (mut rest, mut found) = (String::new(), Vec::new());
    for word in text.split_inclusive(|c: char| !c.is_ascii_alphanumeric() && !".+-".contains(c)) {
        let token = word.trim_end_matches(|c: char| !c.is_ascii_alphanumeric());
        match token.parse::<f64>() {
            Ok(v) if token.contains('.') => {
                found.push(v);
                rest += "#";
                rest += &word[token.len()..];
            }
            _ => rest += word,
        }
    }
    (rest, found)
}

/// Whether a text is the expected one, numbers to 1e-12 of the largest.
pub fn same(found: &str, expected: &str) -> bool {
    let ((a, x), (b, y)) = (numbers(found.trim_end()), numbers(expected));
    let scale = y.iter().fold(0.0_f64, |s, v| s.max(v.abs()));
    a == b && x.iter().zip(&y).all(|(x, y)| (x - y).abs() <= 1e-12 * scale)
}

//! What a name that is not known may have been meant to be.

/// The candidate most like `name`, if one is like enough to be what was meant.
pub fn nearest<'n>(name: &str, candidates: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    let limit = 1 + name.chars().count() / 4;
    candidates
        .into_iter()
        .map(|c| (distance(name, c), c))
        .filter(|&(d, c)| d <= limit && d < c.chars().count().min(name.chars().count()))
        .min()
        .map(|(_, c)| c)
}

/// Levenshtein's distance; names longer than any a person means are infinitely far.
fn distance(a: &str, b: &str) -> usize {
    if a.len() > 200 || b.len() > 200 {
        return usize::MAX;
    }
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, &y) in b.iter().enumerate() {
            let substituted = diagonal + usize::from(x != y);
            diagonal = row[j + 1];
            row[j + 1] = substituted.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn near_names() {
        let names = ["sin", "sqrt", "arctan", "arctan2"];
        assert_eq!(nearest("sqr", names), Some("sqrt"));
        assert_eq!(nearest("arctn", names), Some("arctan"));
        assert_eq!(nearest("x", ["y", "z"]), None);
        assert_eq!(nearest("frobnicate", names), None);
    }
}

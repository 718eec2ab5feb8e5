//! The methods of numbers that have a meaning here.

/// What a method of `f64` takes beside the number, and gives.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shape {
    /// Floats to a float.
    Float,
    /// A float and an `i32` to a float.
    Power,
    /// A float to a `bool`.
    Test,
    /// A float to two.
    Pair,
}

/// The methods of `f64`: name, number of arguments beside the number, shape. Sorted.
pub const FLOAT: &[(&str, usize, Shape)] = &[
    ("abs", 0, Shape::Float),
    ("acos", 0, Shape::Float),
    ("acosh", 0, Shape::Float),
    ("asin", 0, Shape::Float),
    ("asinh", 0, Shape::Float),
    ("atan", 0, Shape::Float),
    ("atan2", 1, Shape::Float),
    ("atanh", 0, Shape::Float),
    ("cbrt", 0, Shape::Float),
    ("ceil", 0, Shape::Float),
    ("clamp", 2, Shape::Float),
    ("copysign", 1, Shape::Float),
    ("cos", 0, Shape::Float),
    ("cosh", 0, Shape::Float),
    ("div_euclid", 1, Shape::Float),
    ("exp", 0, Shape::Float),
    ("exp2", 0, Shape::Float),
    ("exp_m1", 0, Shape::Float),
    ("floor", 0, Shape::Float),
    ("fract", 0, Shape::Float),
    ("hypot", 1, Shape::Float),
    ("is_finite", 0, Shape::Test),
    ("is_infinite", 0, Shape::Test),
    ("is_nan", 0, Shape::Test),
    ("is_sign_negative", 0, Shape::Test),
    ("is_sign_positive", 0, Shape::Test),
    ("ln", 0, Shape::Float),
    ("ln_1p", 0, Shape::Float),
    ("log", 1, Shape::Float),
    ("log10", 0, Shape::Float),
    ("log2", 0, Shape::Float),
    ("max", 1, Shape::Float),
    ("midpoint", 1, Shape::Float),
    ("min", 1, Shape::Float),
    ("mul_add", 2, Shape::Float),
    ("powf", 1, Shape::Float),
    ("powi", 1, Shape::Power),
    ("recip", 0, Shape::Float),
    ("rem_euclid", 1, Shape::Float),
    ("round", 0, Shape::Float),
    ("round_ties_even", 0, Shape::Float),
    ("signum", 0, Shape::Float),
    ("sin", 0, Shape::Float),
    ("sin_cos", 0, Shape::Pair),
    ("sinh", 0, Shape::Float),
    ("sqrt", 0, Shape::Float),
    ("tan", 0, Shape::Float),
    ("tanh", 0, Shape::Float),
    ("to_degrees", 0, Shape::Float),
    ("to_radians", 0, Shape::Float),
    ("trunc", 0, Shape::Float),
];

/// The methods of integers that give one of the same type, and how many more of these they take. Sorted. `pow` takes a `u32`.
pub const INTEGER: &[(&str, usize)] =
    &[("abs", 0), ("div_euclid", 1), ("isqrt", 0), ("max", 1), ("min", 1), ("pow", 1), ("rem_euclid", 1), ("signum", 0)];

/// The method of `f64` with this name.
pub fn float(name: &str) -> Option<(usize, Shape)> {
    FLOAT.iter().find(|row| row.0 == name).map(|row| (row.1, row.2))
}

/// The number of arguments of the method of integers with this name.
pub fn integer(name: &str) -> Option<usize> {
    INTEGER.iter().find(|row| row.0 == name).map(|row| row.1)
}

/// The known name that is nearest to one that is not, if it is near.
pub fn nearest<'n>(name: &str, known: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    let near = known.into_iter().map(|k| (distance(name, k), k)).min()?;
    (near.0 <= name.len() / 3).then_some(near.1)
}

/// How many letters must be put in, taken out or changed (Levenshtein).
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], i + 1);
        for (j, y) in b.iter().enumerate() {
            let changed = diagonal + usize::from(x != *y);
            diagonal = row[j + 1];
            row[j + 1] = changed.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}

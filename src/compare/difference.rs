//! How far two answers are from each other.

use gradus_ir::Value;

/// The largest difference between two answers of one shape, relative to the largest finite entry. The parts of a tuple or list are taken
/// one by one, so that a large value does not hide a difference in a gradient. NaNs are equal; so are infinities of one sign. Infinite
/// where one is a number and the other is not, or the shapes differ.
pub fn difference(a: &Value, b: &Value) -> f64 {
    match (a, b) {
        (Value::Tuple(a), Value::Tuple(b)) | (Value::List(a), Value::List(b)) if a.len() == b.len() => {
            a.iter().zip(b.iter()).map(|(a, b)| relative(a, b)).fold(0.0, f64::max)
        }
        _ => relative(a, b),
    }
}

fn relative(a: &Value, b: &Value) -> f64 {
    let (mut largest, mut distance) = (0.0_f64, 0.0_f64);
    let mut compare = |a: f64, b: f64| {
        largest = [a, b].into_iter().filter(|v| v.is_finite()).fold(largest, |l, v| l.max(v.abs()));
        let same = a == b || (a.is_nan() && b.is_nan());
        let apart = if a.is_finite() && b.is_finite() { (a - b).abs() } else { f64::INFINITY };
        distance = distance.max(if same { 0.0 } else { apart });
    };
    let mut pairs = vec![(a, b)];
    while let Some(pair) = pairs.pop() {
        match pair {
            (Value::Tuple(a), Value::Tuple(b)) | (Value::List(a), Value::List(b)) if a.len() == b.len() => {
                pairs.extend(a.iter().zip(b.iter()));
            }
            (Value::F64(a), Value::F64(b)) => compare(*a, *b),
            (Value::Array(x), Value::Array(y)) if x.shape() == y.shape() && x.dtype() == y.dtype() && x.dtype().is_float() => {
                let (x, y) = (x.floats().unwrap_or_default(), y.floats().unwrap_or_default());
                x.iter().zip(&*y).for_each(|(a, b)| compare(*a, *b));
            }
            (a, b) if a.same_bits(b) => {}
            _ => return f64::INFINITY,
        }
    }
    if distance == 0.0 { 0.0 } else { distance / largest.max(f64::MIN_POSITIVE) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn relative_to_the_largest_entry_of_each_part() {
        let pair = |value: f64, gradient: [f64; 2]| Value::tuple([value.into(), Value::tuple(gradient.map(Value::from))]);
        assert_eq!(difference(&pair(1e9, [1.0, 0.0]), &pair(1e9, [1.0, 0.5])), 0.5);
        assert_eq!(difference(&pair(4.0, [1.0, 0.0]), &pair(3.0, [1.0, 0.0])), 0.25);
        assert_eq!(difference(&f64::NAN.into(), &f64::NAN.into()), 0.0);
        assert_eq!(difference(&f64::INFINITY.into(), &f64::INFINITY.into()), 0.0);
        assert_eq!(difference(&f64::INFINITY.into(), &1.0.into()), f64::INFINITY);
        assert_eq!(difference(&1.0.into(), &f64::NAN.into()), f64::INFINITY);
        assert_eq!(difference(&1.0.into(), &1_i64.into()), f64::INFINITY);
        assert_eq!(difference(&0.0.into(), &(-0.0).into()), 0.0);
    }
}

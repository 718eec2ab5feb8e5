//! Functions of Rust with `Option`, and conditions that bind variables.

use gradus::differentiable;

#[differentiable]
fn root(x: f64) -> Option<f64> {
    if x < 0.0 { None } else { Some(x.sqrt()) }
}

#[differentiable]
fn quotient(a: f64, b: f64) -> Option<(f64, i64)> {
    if b == 0.0 {
        return None;
    }
    Some((a / b, 2))
}

#[differentiable]
fn both(a: f64, b: f64) -> Option<f64> {
    let (q, n) = quotient(a, b)?;
    let r = root(q)?;
    Some(r * n as f64)
}

#[differentiable]
pub fn bound(a: f64, b: f64) -> f64 {
    let mut total = 0.0;
    if let Some(r) = root(a) {
        total += r;
    } else if let Some((q, _)) = quotient(a, b)
        && q > 1.0
    {
        total += q;
    } else {
        total -= b;
    }
    let Some(r) = both(a, b) else {
        return total * 2.0;
    };
    match quotient(r, a) {
        Some((q, 1)) => total -= q,
        Some((q, n)) if q > 0.0 => total += q * n as f64,
        None => return 0.0,
        _ => {}
    }
    total
}

#[differentiable]
pub fn methods(a: f64, b: f64) -> f64 {
    let none = root(-1.0 - a * a);
    let some = Some(a);
    let mut total = root(b).unwrap_or(-a) + none.unwrap_or_else(|| b.sin()) + some.map_or(1.0, |x| x * b);
    if root(b).is_some() && both(a, b).is_none() {
        total *= 2.0;
    }
    if some.is_some_and(|x| x > 1.0) {
        total += some.filter(|x| *x > 2.0).or(root(a * a)).unwrap();
    }
    total + root(a).map(|r| r * r * b).and_then(root).expect("the root of {a}")
}

#[differentiable]
pub fn halved(x: f64) -> f64 {
    let mut y = x;
    let mut count = 0;
    while let Some(h) = root(y - 1.0) {
        y = h;
        count += 1;
    }
    y + count as f64
}

#[differentiable]
pub fn best(x: &[f64]) -> f64 {
    let mut best: Option<f64> = None;
    for v in x {
        best = match best {
            Some(b) if b >= *v => Some(b),
            _ => Some(*v),
        };
    }
    best.unwrap() * x[0]
}

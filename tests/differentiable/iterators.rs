//! Iterators that write, search and choose, and methods of arrays.

use gradus::differentiable;

#[differentiable]
fn scale(x: &mut [f64], by: f64) {
    for v in x.iter_mut() {
        *v *= by;
    }
    for (i, v) in x.iter_mut().enumerate() {
        *v += i as f64;
    }
}

#[differentiable]
pub fn written(x: [f64; 4], y: &[f64]) -> f64 {
    let mut x = x;
    let mut m = [[1.0, 2.0], [3.0, 4.0]];
    scale(&mut x, y[0]);
    for (a, b) in x.iter_mut().zip(y) {
        *a -= *b;
    }
    for row in &mut m {
        row[0] *= x[1];
        for v in row.iter_mut().rev() {
            *v += x[2];
        }
    }
    x.swap(0, 3);
    x[1..3].iter_mut().for_each(|v| *v = v.sin());
    let mut z = [0.0; 4];
    z.fill(y[1]);
    z[..2].copy_from_slice(&x[2..4]);
    x[0] * x[1] + m[0][0] * m[1][1] + z[0] * z[1] * z[3]
}

#[differentiable]
pub fn chosen(x: &[f64], limit: f64) -> f64 {
    let large: f64 = x.iter().filter(|v| **v > limit).map(|v| v * v).sum();
    let count = x.iter().filter(|v| **v > limit).count();
    let mut total = large / (1 + count) as f64;
    if x.iter().any(|v| *v > 3.0) {
        total += x[0];
    }
    if x.iter().all(|&v| v > 0.0) {
        total *= x[1];
    }
    if let Some(i) = x.iter().position(|&v| v > limit) {
        total += x[i] * i as f64;
    }
    total += x.iter().rev().find(|v| **v < limit).map_or(limit, |v| v * 2.0);
    total += x.iter().fold(f64::NEG_INFINITY, |a, &b| a.max(b));
    let places: Vec<i64> = x.iter().map(|v| (*v * 2.0) as i64).collect();
    total * (places.iter().max().unwrap() - places.iter().min().unwrap()) as f64
}

#[differentiable]
pub fn parts(x: &[f64; 6], k: usize) -> f64 {
    let mut total = 0.0;
    for w in x.windows(2) {
        total += (w[1] - w[0]) * w[0];
    }
    for (i, pair) in x.chunks_exact(2).enumerate() {
        total += pair[0] * pair[1] * i as f64;
    }
    for part in x.chunks(4) {
        total += part.iter().product::<f64>() * part.len() as f64;
    }
    let squares: Vec<f64> = x.iter().skip(1).map(|v| v * v).collect();
    total += squares[squares.len() - 1] + squares.iter().sum::<f64>();
    total + x.first().unwrap() * x.last().unwrap() + x.get(k).copied().unwrap_or(0.5)
}

#[differentiable]
pub fn grown(x: f64) -> f64 {
    let mut powers = Vec::new();
    let mut p = x;
    for _ in 0..5 {
        powers.push(p);
        p *= x;
    }
    let mut more = vec![1.0, p];
    more.extend_from_slice(&powers);
    let signs = vec![1.0; more.len()];
    more.iter().zip(&signs).map(|(a, b)| a * b).sum::<f64>() + powers[powers.len() - 1]
}

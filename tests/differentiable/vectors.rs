//! Functions of Rust with `Vec` whose length only the run knows.
#![allow(clippy::needless_range_loop, reason = "indices are what is looked at here")]

use super::{gives, gradient, near, slope};
use gradus::{Value, differentiable};

/// A body in a line.
#[derive(Value, Clone, Copy, PartialEq, Debug)]
struct Body {
    x: f64,
    mass: f64,
}

#[differentiable]
fn pushed(x: f64, n: usize) -> f64 {
    let mut terms = Vec::with_capacity(n);
    for k in 0..n {
        terms.push(x.powi(k as i32) / (k + 1) as f64);
    }
    let total: f64 = terms.iter().sum();
    total + terms.len() as f64
}

#[differentiable]
fn doubled(x: f64, bound: f64) -> f64 {
    let mut values = vec![x];
    while values[values.len() - 1] < bound {
        let last = *values.last().unwrap();
        values.push(last * 1.5 + x);
    }
    values[0] = 2.0 * x;
    let mut total = 0.0;
    for (i, v) in values.iter().enumerate() {
        total += v * i as f64;
    }
    total + values[0]
}

#[differentiable]
fn filled(x: f64, n: usize) -> f64 {
    let mut values = vec![1.0; n];
    for i in 1..n {
        values[i] = values[i - 1] * x;
        values[i] += 0.5;
    }
    values.iter().zip(&values).map(|(a, b)| a * b).sum::<f64>()
}

#[differentiable]
fn norm(v: &[f64]) -> f64 {
    v.iter().map(|a| a * a).sum::<f64>().sqrt()
}

#[differentiable]
fn collected(x: f64, n: usize) -> f64 {
    let values: Vec<f64> = (1..=n).map(|i| x / i as f64).collect();
    let large: Vec<f64> = values.iter().copied().filter(|v| *v > 0.3).collect();
    let mut more = large.clone();
    more.extend_from_slice(&values);
    let last = more.pop().unwrap_or(0.0);
    norm(&more) + last + large.len() as f64 + norm(&values)
}

#[differentiable]
fn table(x: f64, n: usize) -> f64 {
    let mut m = vec![vec![0.0; n]; n + 1];
    for i in 0..n + 1 {
        for j in 0..n {
            m[i][j] = x * (i * n + j) as f64;
            m[i][j] += 1.0;
        }
    }
    let mut total = 0.0;
    for row in &m {
        total += row.iter().sum::<f64>();
    }
    total * m[n][0]
}

#[differentiable]
fn bodies(x: f64, n: usize) -> f64 {
    let mut all: Vec<Body> = Vec::new();
    for i in 0..n {
        all.push(Body { x: x * i as f64, mass: 1.0 + x });
    }
    for b in all.iter_mut() {
        b.x += 0.5;
    }
    let mut energy = 0.0;
    for i in 0..all.len() {
        for j in 0..i {
            energy += all[i].mass * all[j].mass / (1.0 + (all[i].x - all[j].x).powi(2));
        }
    }
    energy
}

#[differentiable]
fn known(x: f64) -> f64 {
    let mut v = Vec::new();
    for i in 0..4 {
        v.push(x * i as f64);
    }
    v.truncate(3);
    let rows: Vec<Vec<f64>> = (0..3).map(|i| vec![x * i as f64; 2]).collect();
    let w: Vec<f64> = v.windows(2).map(|w| w[1] * w[0]).collect();
    let big: Vec<f64> = v.iter().copied().filter(|a| *a > 1.0).collect();
    norm(&w) + rows[2][1] * rows[1][0] + norm(&big)
}

#[test]
fn vectors() {
    for x in [0.7, 1.3] {
        both!(known, x);
        gradient::<known>(x, |dx| near(dx, slope(known, x)));
        both!(doubled, x, 9.0);
        gradient::<doubled>((x, 9.0), |(dx, _)| near(dx, slope(|x| doubled(x, 9.0), x)));
        for n in [0, 1, 4, 7] {
            both!(pushed, x, n);
            gradient::<pushed>((x, n), |(dx, ())| near(dx, slope(|x| pushed(x, n), x)));
            both!(collected, x, n);
            gradient::<collected>((x, n), |(dx, ())| n == 0 || near(dx, slope(|x| collected(x, n), x)));
            both!(bodies, x, n);
            gradient::<bodies>((x, n), |(dx, ())| near(dx, slope(|x| bodies(x, n), x)));
        }
        for n in [1, 2, 5] {
            both!(filled, x, n);
            gradient::<filled>((x, n), |(dx, ())| near(dx, slope(|x| filled(x, n), x)));
            both!(table, x, n);
            gradient::<table>((x, n), |(dx, ())| near(dx, slope(|x| table(x, n), x)));
        }
    }
}

//! Functions of Rust with chains of iterators, blocks with labels, patterns of slices, and conversions.

use super::{gives, gradient, near, slope};
use gradus::differentiable;

#[differentiable]
fn searched(x: &[f64]) -> f64 {
    let positive: f64 = x.iter().take_while(|v| **v > 0.0).map(|v| v * v).sum();
    let rest: f64 = x.iter().skip_while(|v| **v > 0.0).map(|v| v * v * v).sum();
    let roots: f64 = x.iter().filter_map(|v| if *v > 0.5 { Some(v.sqrt()) } else { None }).sum();
    let both: f64 = x.iter().chain(x.iter().rev()).zip(0..).map(|(v, i)| v * i as f64).sum();
    positive * 2.0 + rest + roots * both
}

#[differentiable]
fn reduced(x: &[f64]) -> f64 {
    let most = x.iter().copied().max_by(|a, b| a.total_cmp(b)).unwrap();
    let least = *x.iter().min_by(|a, b| a.partial_cmp(b).unwrap()).unwrap();
    let product = x.iter().copied().reduce(|a, b| a * b).unwrap_or(1.0);
    let of_some = x.iter().copied().filter(|v| *v > 0.0).reduce(f64::max).unwrap_or(-1.0);
    let (last, third) = (x.iter().last().unwrap(), x.iter().map(|v| v * 2.0).nth(2).unwrap_or(0.5));
    most * 3.0 - least + product * last + third + of_some
}

#[differentiable]
fn running(x: &[f64], bound: f64) -> f64 {
    let total: f64 = x
        .iter()
        .scan(1.0, |state, v| {
            *state *= v + 1.0;
            if *state > bound { None } else { Some(*state) }
        })
        .sum();
    total * x[0]
}

#[differentiable]
fn labelled(x: f64, n: i64) -> f64 {
    let y = 'found: {
        for k in 0.. {
            if k * k > n {
                break 'found x * k as f64;
            }
            if k > 5 {
                break;
            }
        }
        x * x
    };
    if (1..=3).contains(&n) || [7, 9].contains(&n) { y * 2.0 } else { y + f64::from(n as i32) + f64::from(n > 3) }
}

#[differentiable]
fn slices(x: &[f64]) -> f64 {
    let ends = match x {
        [] => 0.0,
        [only] => *only,
        [first, last] => first * last,
        [first, middle @ .., last] => first * last + middle.iter().sum::<f64>() * middle.len() as f64,
    };
    let [a, .., b] = x else { return ends };
    let (c, .., d) = (*a, 1.0, *b, 2.0);
    ends + a * b.mul_add(c, d)
}

#[differentiable]
fn mapped(x: [f64; 3], by: f64) -> [f64; 3] {
    x.map(|v| v * by.midpoint(1.0)).map(f64::sin)
}

#[test]
fn chains() {
    let inputs: [&[f64]; 4] = [&[0.3, 0.7, 1.6, 0.9], &[0.9, 0.2, -0.4, 0.8, 1.2], &[-0.5, 0.3, 2.0], &[1.5]];
    for x in inputs {
        let of = |f: &dyn Fn(&[f64]) -> f64, i: usize| {
            let at = |v: f64| {
                let mut x = x.to_vec();
                x[i] = v;
                f(&x)
            };
            slope(at, x[i])
        };
        let all_near = |d: &[f64], f: &dyn Fn(&[f64]) -> f64| (0..x.len()).all(|i| near(d[i], of(f, i)));
        gives::<searched>(searched(x), x);
        gradient::<searched>(x, |d| all_near(&d, &searched));
        gives::<reduced>(reduced(x), x);
        gradient::<reduced>(x, |d| all_near(&d, &reduced));
        gives::<slices>(slices(x), x);
        gradient::<slices>(x, |d| all_near(&d, &slices));
        for bound in [0.1, 2.1, 100.0] {
            gives::<running>(running(x, bound), (x, bound));
            gradient::<running>((x, bound), |(d, _)| all_near(&d, &|x| running(x, bound)));
        }
    }
    gives::<slices>(0.0, &[] as &[f64]);
    for n in [0, 1, 3, 4, 7, 50] {
        both!(labelled, 1.5, n);
        gradient::<labelled>((1.5, n), |(dx, ())| near(dx, slope(|x| labelled(x, n), 1.5)));
    }
    both!(mapped, [0.1, 0.2, 0.3], 2.0);
}

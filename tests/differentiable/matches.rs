//! Functions of Rust with `match`.

use super::programs::COUNT;
use gradus::differentiable;

const SMALL: i64 = 3;

#[differentiable]
pub fn literals(x: f64, n: i64) -> f64 {
    match n {
        -1 => 1.0 / x,
        0 => 1.0,
        1 | 2 => x * n as f64,
        SMALL => x.sin(),
        4..=6 => x * x,
        7.. => x.powi(3),
        ..-10 => -x,
        _ => x.exp(),
    }
}

#[differentiable]
pub fn guards(x: f64, n: i64) -> f64 {
    let offset = match n {
        k if k % 2 == 0 && x > 1.0 => k as f64 * x,
        k @ (1 | 3 | 5) if x > 0.0 => x / k as f64,
        0 => x,
        small @ 1..8 => {
            let y = small as f64;
            y * x * x
        }
        other => other as f64 - x,
    };
    offset * x
}

#[differentiable]
pub fn pairs(x: f64, n: i64, up: bool) -> f64 {
    match (n % 3, up, (x > 1.0, n)) {
        (0, true, _) => x,
        (0, false, (true, k)) | (k, true, (false, _)) => x * k as f64 + 1.0,
        (a, _, (big, b)) => match big {
            true if a == b => x * x,
            true => x * (a - b) as f64,
            false => x.cos(),
        },
    }
}

#[differentiable]
pub fn floats(x: f64) -> f64 {
    match x {
        0.0 => 1.0,
        -1.0..0.0 => -x,
        0.0..=f64::EPSILON => 2.0,
        y => y * y,
    }
}

#[differentiable]
pub fn machine(x: f64, steps: usize) -> f64 {
    let (mut state, mut y) = (0_u8, x);
    for k in 0..steps {
        state = match (state, k) {
            (_, COUNT) => break,
            (0, _) => {
                y *= x;
                1
            }
            (1, k) if k % 2 == 0 => continue,
            (1, _) => {
                y += x.sin();
                2
            }
            (s, k) => {
                if k > 10 {
                    return y;
                }
                s - 2
            }
        };
    }
    y
}

#[differentiable]
pub fn early(x: f64, n: i64) -> f64 {
    match n {
        0 => return x,
        i64::MIN..0 => return -x,
        _ => {}
    }
    let y = match n {
        1 => return x * x,
        n => x + n as f64,
    };
    y * x
}

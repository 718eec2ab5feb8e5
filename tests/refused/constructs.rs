#[gradus::differentiable]
fn several(x: f64, n: i64) -> f64 {
    let mut total = 0.0;
    let mut add = |v: f64| total += v;
    add(x);
    let sign = match (n, x > 0.0) {
        (0, ..) => 1.0,
        _ => -1.0,
    };
    assert!(n > 0);
    let bits = n & 3;
    sign * bits as f64
}

fn main() {}

#[gradus::differentiable]
fn several(x: f64, n: i64) -> f64 {
    let mut total = 0.0;
    [x, 2.0].map(|v| total += v);
    let mut count = 0_i64;
    let mut next = move || {
        count += 1;
        count
    };
    next();
    let sign = match (n, x > 0.0) {
        (0, ..) => 1.0,
        _ => -1.0,
    };
    println!("{x}");
    assert!(n > 0, "{n:x}");
    let bits = n.count_ones();
    let _nested: Option<Option<f64>> = None;
    sign * bits as f64
}

fn main() {}

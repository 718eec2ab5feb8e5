struct Point {
    x: f64,
}

#[gradus::differentiable]
fn first(x: f64) -> f64 {
    let p = Point { x };
    p.x
}

#[derive(gradus::Value)]
struct Pair(f64, f64);

fn main() {}

#[gradus::differentiable]
fn same<T>(x: T) -> T {
    x
}

#[gradus::differentiable]
enum Shape {
    Round,
}

#[gradus::differentiable(forward)]
fn named(x: f64) -> f64 {
    x
}

fn main() {}

#[gradus::differentiable]
fn same<T: Into<f64>>(x: T) -> T {
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

#[gradus::differentiable]
fn count<const N: usize>(x: f64) -> f64 {
    x * N as f64
}

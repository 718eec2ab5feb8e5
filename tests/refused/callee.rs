fn helper(x: f64) -> f64 {
    x * x
}

#[gradus::differentiable]
fn loss(x: f64) -> f64 {
    helper(x) + 1.0
}

fn main() {}

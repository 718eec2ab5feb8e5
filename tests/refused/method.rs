#[gradus::differentiable]
fn wave(x: f64) -> f64 {
    let bits = x.to_bits();
    x + bits as f64
}

fn main() {}

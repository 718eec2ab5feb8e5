#[gradus::differentiable]
fn half(x: f32) -> f32 {
    x / 2.0
}

fn main() {}

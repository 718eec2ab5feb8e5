#[gradus::differentiable]
fn step(state: &mut [f64], h: f64) {
    state[0] += h;
}

fn main() {}

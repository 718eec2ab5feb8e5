#[gradus::differentiable]
fn step(state: &mut [f64], h: f64) -> &mut f64 {
    state[0] += h;
    &mut state[0]
}

#[gradus::differentiable]
fn passed(x: f64) -> f64 {
    let mut total = x;
    let mut add = |v: &f64| total += v;
    [x, 1.0].iter().for_each(add);
    let _all = (&mut total, 1);
    total
}

#[gradus::differentiable]
fn changed(f: impl Fn(&mut f64), x: f64) -> f64 {
    let mut y = x;
    f(&mut y);
    y
}

fn main() {}

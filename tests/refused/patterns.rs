enum Shape {
    Round,
    Square(f64),
}

#[gradus::differentiable]
fn area(x: f64, shape: Shape) -> f64 {
    match shape {
        Shape::Round => x * x,
        Shape::Square(side) => side * side,
    }
}

#[gradus::differentiable]
fn named(x: f64, name: &str) -> f64 {
    match name {
        "half" => x / 2.0,
        _ => x,
    }
}

#[gradus::differentiable]
fn first(x: f64, n: [i64; 2]) -> f64 {
    match n {
        [0, _] => x,
        _ => 2.0 * x,
    }
}

fn main() {}

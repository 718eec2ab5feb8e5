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

#[derive(gradus::Value)]
enum Side {
    Long,
    Short(f64),
}

use Side::*;

#[gradus::differentiable]
fn signed(x: f64, side: Side) -> f64 {
    match side {
        Long => x,
        Side::Short(y) => -x * y,
    }
}

fn main() {}

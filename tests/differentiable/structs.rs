//! Structs and their methods.

use gradus::{Value, differentiable};

/// A place or a speed.
#[derive(Value, Clone, Copy, PartialEq, Debug)]
pub struct Vector {
    pub x: f64,
    pub y: f64,
}

#[differentiable]
impl Vector {
    pub fn new(x: f64, y: f64) -> Self {
        Self { x, y }
    }

    pub fn plus(self, other: Vector) -> Vector {
        Vector { x: self.x + other.x, y: self.y + other.y }
    }

    pub fn times(&self, factor: f64) -> Vector {
        Vector::new(self.x * factor, self.y * factor)
    }

    pub fn norm(&self) -> f64 {
        self.x.hypot(self.y)
    }
}

/// Something that moves.
#[derive(Value, Clone, Copy, PartialEq, Debug)]
pub struct Body {
    pub place: Vector,
    pub speed: Vector,
    pub masses: [f64; 2],
}

/// How it is computed.
#[derive(Value, Clone, Copy, PartialEq, Debug)]
pub struct Setup {
    pub gravity: f64,
    pub steps: usize,
    pub fine: bool,
}

#[differentiable]
pub fn fall(mut body: Body, setup: &Setup) -> Body {
    let h = if setup.fine { 0.01 } else { 0.1 };
    for _ in 0..setup.steps {
        body.speed.y -= setup.gravity * h;
        body.place = body.place.plus(body.speed.times(h));
        body.masses[1] *= 0.5;
    }
    body
}

#[differentiable]
pub fn reach(body: Body, setup: Setup) -> f64 {
    let after = fall(body, &setup);
    let (place, speed) = (after.place, after.speed);
    let Vector { x, y } = place;
    x * y + speed.norm() * body.masses[0]
}

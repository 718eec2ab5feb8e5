//! Functions of Rust with enums, and with structs without names for their fields.

use super::{Same, gives, gradient, near, slope};
use gradus::{Value, differentiable};

/// What an option is on.
#[derive(Value, Clone, Copy, PartialEq, Eq, PartialOrd, Debug)]
pub enum Right {
    Call,
    Put,
    Digital = 7,
}

/// A figure of the plane.
#[derive(Value, Clone, Copy, PartialEq, Debug)]
pub enum Figure {
    Point,
    Circle(f64),
    Rect { width: f64, height: f64 },
    Polygon(Pair, [f64; 3], usize),
}

/// Two numbers.
#[derive(Value, Clone, Copy, PartialEq, PartialOrd, Debug)]
pub struct Pair(pub f64, pub f64);

/// Without fields.
#[derive(Value, Clone, Copy, PartialEq, Debug)]
pub struct Nothing;

/// An option and its terms.
#[derive(Value, Clone, Copy, PartialEq, Debug)]
pub struct Contract {
    pub right: Right,
    pub strike: f64,
    pub figure: Figure,
}

#[differentiable]
impl Pair {
    const UNIT: Pair = Pair(1.0, 1.0);

    fn dot(self, Pair(x, y): Pair) -> f64 {
        self.0 * x + self.1 * y
    }

    fn scaled(mut self, by: f64) -> Self {
        self.0 *= by;
        self.1 *= by;
        Self(self.0, self.1)
    }
}

#[differentiable]
impl Figure {
    const HALF: Figure = Figure::Circle(0.5);

    fn area(&self) -> f64 {
        match self {
            Self::Point => 0.0,
            Figure::Circle(r) => std::f64::consts::PI * r * r,
            Figure::Rect { width, height: h } if width > h => width * h,
            Figure::Rect { width, .. } => width * width,
            Figure::Polygon(Pair(a, _), sides, n) => a * sides.iter().sum::<f64>() * *n as f64,
        }
    }

    fn grown(self, by: f64) -> Figure {
        match self {
            Figure::Circle(r) => Figure::Circle(r + by),
            Figure::Rect { width, height } => Figure::Rect { width: width + by, height: height * by },
            Figure::Polygon(pair, .., n) if n > 2 => Figure::Polygon(pair.scaled(by), [by; 3], n - 1),
            _ => Figure::Point,
        }
    }
}

#[differentiable]
fn payoff(right: Right, spot: f64, strike: f64) -> f64 {
    match right {
        Right::Call => (spot - strike).max(0.0),
        Right::Put => (strike - spot).max(0.0),
        Right::Digital => (spot - strike).tanh(),
    }
}

#[differentiable]
fn number(right: Right) -> (i64, u8, f64, bool, bool) {
    (right as i64, right as u8, right as i32 as f64, right == Right::Put, right > Right::Call)
}

#[differentiable]
fn area(figure: Figure) -> f64 {
    figure.area() * 2.0 + figure.grown(0.5).area()
}

#[differentiable]
fn same(a: Figure, b: Figure, x: f64) -> f64 {
    if a == b {
        x * x
    } else if a != Figure::HALF || b != Figure::Point {
        x
    } else {
        3.0
    }
}

#[differentiable]
fn value(contract: &Contract, spot: f64) -> f64 {
    let scale = if let Figure::Circle(r) = contract.figure { r } else { 1.0 };
    payoff(contract.right, spot * scale, contract.strike)
}

/// A thermostat.
#[derive(Value, Clone, Copy, PartialEq, Debug)]
enum State {
    Off,
    Heating { since: usize },
    Cooling(f64, usize),
}

#[differentiable]
fn thermostat(start: f64, gain: f64, steps: usize) -> f64 {
    let (mut state, mut heat) = (State::Off, start);
    for k in 0..steps {
        state = match state {
            State::Off if heat < 0.5 => State::Heating { since: k },
            State::Off => State::Off,
            State::Heating { since } if k - since > 2 => State::Cooling(heat, 0),
            State::Heating { .. } => state,
            State::Cooling(_, 2) => State::Off,
            State::Cooling(from, n) => State::Cooling(from, n + 1),
        };
        match state {
            State::Off => heat *= 0.9,
            State::Heating { .. } => heat += gain,
            State::Cooling(from, n) => heat -= 0.1 * from / (n + 1) as f64,
        }
    }
    heat
}

#[differentiable]
fn several(figures: [Figure; 2], x: f64) -> f64 {
    let more = [Figure::Circle(x), Figure::Point, Figure::Rect { width: x, height: 2.0 }];
    let mut total = figures.iter().map(|f| f.area()).sum::<f64>();
    for figure in more {
        total += figure.grown(x).area();
    }
    if matches!(figures[0], Figure::Rect { .. }) { total * x } else { total }
}

#[differentiable]
fn pairs(Pair(a, b): Pair, nothing: Nothing) -> Pair {
    let Nothing = nothing;
    let p = Pair(a, b).scaled(b);
    if p < Pair::UNIT { Pair(p.dot(Pair::UNIT), -1.0) } else { p }
}

#[differentiable]
fn given(right: Right, x: f64) -> Figure {
    match right {
        Right::Call => Figure::Circle(x),
        Right::Put => Figure::Polygon(Pair(x, 1.0), [x, x * x, 0.0], 4),
        Right::Digital => Figure::Point,
    }
}

const FIGURES: [Figure; 5] = [
    Figure::Point,
    Figure::Circle(1.5),
    Figure::Rect { width: 2.0, height: 0.5 },
    Figure::Rect { width: 0.5, height: 2.0 },
    Figure::Polygon(Pair(1.0, 2.0), [3.0, 4.0, 5.0], 3),
];

discrete!(Figure, Pair);

#[test]
fn enums() {
    for right in [Right::Call, Right::Put, Right::Digital] {
        both!(number, right);
        for spot in [0.5, 1.5] {
            both!(payoff, right, spot, 1.2);
            both!(given, right, spot);
            gradient::<payoff>((right, spot, 1.2), |((), ds, dk)| {
                let slope = slope(|s| payoff(right, s, 1.2), spot);
                near(ds, slope) && near(dk, -slope)
            });
            let contract = Contract { right, strike: 1.2, figure: Figure::Circle(2.0) };
            gives::<value>(value(&contract, spot), (&contract, spot));
            gradient::<value>((&contract, spot), |(d, ds): (ContractGradient, f64)| {
                let circle = slope(|r| value(&Contract { figure: Figure::Circle(r), ..contract }, spot), 2.0);
                near(d.figure.circle, circle)
                    && d.figure.rect == (0.0, 0.0)
                    && near(d.strike, slope(|strike| value(&Contract { strike, ..contract }, spot), 1.2))
                    && near(ds, slope(|s| value(&contract, s), spot))
            });
        }
    }
    for a in FIGURES {
        both!(area, a);
        FIGURES.into_iter().for_each(|b| both!(same, a, b, 1.5));
        gives::<several>(several([a, FIGURES[2]], 1.5), ([a, FIGURES[2]], 1.5));
    }
    both!(same, Figure::HALF, Figure::Point, 2.0);
    let rect = Figure::Rect { width: 2.0, height: 0.5 };
    gradient::<area>(rect, |d: FigureGradient| d.rect == (1.0 + 0.25, 4.0 + 1.25) && d.circle == 0.0);
    let polygon = |a, b| Figure::Polygon(Pair(a, 1.0), [1.0, b, 0.5], 3);
    gradient::<area>(polygon(1.5, 2.0), |d| {
        let (pair, sides, ()) = d.polygon;
        near(pair.0, slope(|a| area(polygon(a, 2.0)), 1.5)) && near(sides[1], slope(|b| area(polygon(1.5, b)), 2.0))
    });
    for steps in [0, 3, 9, 20] {
        both!(thermostat, 1.0, 0.3, steps);
        gradient::<thermostat>((1.0, 0.3, steps), |(ds, dg, ())| {
            near(ds, slope(|s| thermostat(s, 0.3, steps), 1.0)) && near(dg, slope(|g| thermostat(1.0, g, steps), 0.3))
        });
    }
    both!(pairs, Pair(0.5, 0.25), Nothing);
    both!(pairs, Pair(5.0, 0.75), Nothing);
    gradient::<several>(([rect, Figure::Circle(0.5)], 1.5), |(d, dx)| {
        near(dx, slope(|x| several([rect, Figure::Circle(0.5)], x), 1.5))
            && near(d[1].circle, slope(|r| several([rect, Figure::Circle(r)], 1.5), 0.5))
    });
}

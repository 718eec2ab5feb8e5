//! Functions of Rust with `Result`, and options and results that come in and go out.

use super::{Same, gives, gradient, near, slope};
use gradus::{Value, differentiable};

/// What can go wrong.
#[derive(Value, Clone, Copy, PartialEq, Debug)]
pub enum Fault {
    Negative(f64),
    Steps { taken: usize },
    Empty,
}

type Numbers = [f64; 3];

#[differentiable]
fn root(x: f64) -> Result<f64, Fault> {
    if x < 0.0 { Err(Fault::Negative(x)) } else { Ok(x.sqrt()) }
}

#[differentiable]
fn solved(a: f64) -> Result<(f64, usize), Fault> {
    let (mut x, target) = (1.0, root(a)?);
    for taken in 0..20 {
        let next = 0.5 * (x + target / x);
        if (next - x).abs() < 1e-14 {
            return Ok((next, taken));
        }
        x = next;
    }
    Err(Fault::Steps { taken: 20 })
}

#[differentiable]
fn matched(a: f64) -> f64 {
    let first = match solved(a) {
        Ok((x, n)) if n < 3 => x * n as f64,
        Ok((x, _)) => x,
        Err(Fault::Negative(x)) => -x,
        Err(Fault::Steps { taken: n }) => n as f64,
        Err(_) => 0.0,
    };
    let second = root(a - 1.0).map(|x| x * 3.0).unwrap_or_else(|fault| if let Fault::Negative(x) = fault { x * x } else { 1.0 });
    let third = root(a).ok().map_or(2.0, |x| x + a) + root(-a).and_then(root).unwrap_or(0.5);
    if root(a).is_err() { first * second } else { first + second * third }
}

#[differentiable]
fn checked(x: &[f64]) -> Result<f64, &'static str> {
    let first = x.first().ok_or("nothing is there")?;
    if *first <= 0.0 {
        return Err("not positive");
    }
    Ok(first.ln())
}

#[differentiable]
fn message(x: &[f64]) -> f64 {
    let value: Result<f64, String> = if x.len() > 1 { Ok(x[1]) } else { Err(format!("{} is too few", x.len())) };
    let unit = ensure(x.len() < 3).is_ok();
    checked(x).unwrap_or(-1.0) + value.unwrap_or(2.0) + if unit { x[0] } else { 0.0 }
}

#[differentiable]
fn ensure(holds: bool) -> Result<(), String> {
    if holds { Ok(()) } else { Err("it does not hold".to_string()) }
}

#[differentiable]
fn halves(x: Option<f64>, n: Option<i64>) -> Option<f64> {
    let n = n.unwrap_or(2);
    x.filter(|x| *x != 0.0).map(|x| x / n as f64)
}

#[differentiable]
fn loss(x: f64, offset: Option<f64>) -> f64 {
    match offset {
        Some(o) if o > 0.0 => (x - o).powi(2),
        Some(o) => x * o,
        None => x * x,
    }
}

/// With a field that may not be there.
#[derive(Value, Clone, Copy, PartialEq, Debug)]
struct Setup {
    scale: f64,
    point: Option<Numbers>,
}

#[differentiable]
fn scaled(setup: Setup, x: f64) -> Option<Numbers> {
    let mut point = setup.point?;
    for p in point.iter_mut() {
        *p *= setup.scale * x;
    }
    if x > 5.0 { None } else { Some(point) }
}

#[differentiable]
fn doubled(setup: Option<Setup>, x: f64) -> Option<Setup> {
    setup.map(|s| Setup { scale: s.scale * x, ..s })
}

#[differentiable]
fn length(setup: Setup, x: f64) -> f64 {
    scaled(setup, x).map_or(x, |p| p.iter().sum::<f64>())
}

discrete!(Fault, Setup);

impl<T: Same, E: Same> Same for Result<T, E> {
    fn same(&self, other: &Self) -> bool {
        match (self, other) {
            (Ok(a), Ok(b)) => a.same(b),
            (Err(a), Err(b)) => a.same(b),
            _ => false,
        }
    }
}

impl<T: Same> Same for Option<T> {
    fn same(&self, other: &Self) -> bool {
        self.as_ref().ok_or(()).same(&other.as_ref().ok_or(()))
    }
}

impl<T: Same> Same for &T {
    fn same(&self, other: &Self) -> bool {
        (*self).same(*other)
    }
}

#[test]
fn results() {
    for a in [-2.0, -0.25, 0.5, 1.0, 4.0] {
        both!(root, a);
        both!(solved, a);
        both!(matched, a);
        if a != 1.0 {
            gradient::<matched>(a, |da| near(da, slope(matched, a)));
        }
        gives::<message>(message(&[a, 3.0]), &[a, 3.0]);
        gives::<message>(message(&[a]), &[a]);
    }
    gradient::<message>(&[2.0, 3.0, 4.0], |d| d == [0.5, 1.0, 0.0]);
}

#[test]
fn options_come_in_and_go_out() {
    for x in [Some(3.0), Some(0.0), None] {
        both!(halves, x, Some(3));
        both!(halves, x, None::<i64>);
    }
    for (offset, expected) in [(Some(0.5), (3.0, -3.0)), (Some(-0.5), (-0.5, 2.0)), (None, (4.0, 0.0))] {
        both!(loss, 2.0, offset);
        gradient::<loss>((2.0, offset), |(dx, ((), d))| (dx, d) == expected);
    }
    for point in [Some([1.0, 2.0, 3.0]), None] {
        let setup = Setup { scale: 0.5, point };
        for x in [1.5, 6.0] {
            both!(scaled, setup, x);
            both!(doubled, Some(setup), x);
            both!(doubled, None::<Setup>, x);
            both!(length, setup, x);
            gradient::<length>((setup, x), |(d, dx)| {
                let ((), point) = d.point;
                let of_scale = |scale| length(Setup { scale, ..setup }, x);
                let is_there = setup.point.is_some() && x < 5.0;
                near(dx, slope(|x| length(setup, x), x))
                    && near(d.scale, slope(of_scale, 0.5))
                    && point == if is_there { [0.5 * x; 3] } else { [0.0; 3] }
            });
        }
    }
}

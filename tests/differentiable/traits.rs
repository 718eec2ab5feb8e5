//! Operators of structs, methods of traits, and what is changed through references.

use gradus::{Value, differentiable};
use std::ops::{Add, AddAssign, Div, Mul, MulAssign, Neg, Sub};

/// A complex number.
#[derive(Value, Clone, Copy, PartialEq, Debug)]
pub struct Complex {
    pub re: f64,
    pub im: f64,
}

#[differentiable]
impl Complex {
    const TWO: f64 = 2.0;

    pub fn new(re: f64, im: f64) -> Self {
        Self { re, im }
    }

    pub fn turn(&mut self, by: Complex) {
        *self = *self * by;
    }

    /// Gives what it was.
    pub fn shrink(&mut self, factor: f64) -> f64 {
        let before = self.re;
        self.re /= factor;
        self.im /= factor * Self::TWO / Complex::TWO;
        before
    }
}

#[differentiable]
impl Add for Complex {
    type Output = Self;
    fn add(self, other: Self) -> Self::Output {
        Complex::new(self.re + other.re, self.im + other.im)
    }
}

#[differentiable]
impl Sub<&Complex> for &Complex {
    type Output = Complex;
    fn sub(self, other: &Complex) -> Complex {
        Complex { re: self.re - other.re, im: self.im - other.im }
    }
}

#[differentiable]
impl Mul for Complex {
    type Output = Complex;
    fn mul(self, other: Complex) -> Complex {
        Complex::new(self.re * other.re - self.im * other.im, self.re * other.im + self.im * other.re)
    }
}

#[differentiable]
impl Mul<f64> for Complex {
    type Output = Complex;
    fn mul(self, factor: f64) -> Complex {
        Complex::new(self.re * factor, self.im * factor)
    }
}

#[differentiable]
impl Mul<Complex> for f64 {
    type Output = Complex;
    fn mul(self, z: Complex) -> Complex {
        z * self
    }
}

#[differentiable]
impl Div<f64> for Complex {
    type Output = Complex;
    fn div(self, by: f64) -> Complex {
        self * (1.0 / by)
    }
}

#[differentiable]
impl Neg for Complex {
    type Output = Complex;
    fn neg(self) -> Complex {
        Complex::new(-self.re, -self.im)
    }
}

#[differentiable]
impl AddAssign for Complex {
    fn add_assign(&mut self, other: Complex) {
        self.re += other.re;
        self.im += other.im;
    }
}

#[differentiable]
impl MulAssign<f64> for Complex {
    fn mul_assign(&mut self, factor: f64) {
        *self = *self * factor;
    }
}

pub trait Norm {
    fn squared(&self) -> f64;
    fn unit() -> Self;
}

#[differentiable]
impl Norm for Complex {
    fn squared(&self) -> f64 {
        self.re * self.re + self.im * self.im
    }

    fn unit() -> Self {
        Self::new(1.0, 0.0)
    }
}

#[differentiable]
pub fn julia(z: Complex, c: Complex, steps: usize) -> f64 {
    let mut z = z;
    for _ in 0..steps {
        z = z * z + c / 2.0;
        z += 0.25 * c;
        z *= 0.9;
    }
    (-z + Complex::unit() * 3.0).squared() + (&z - &c).squared()
}

#[differentiable]
pub fn turned(z: Complex, by: Complex) -> f64 {
    let (mut z, mut total) = (z, 0.0);
    for k in 0..3 {
        z.turn(by);
        total += z.shrink(1.0 + k as f64) * z.im;
    }
    total
}

#[differentiable]
fn advance(x: &mut [f64], v: &mut [f64; 2], h: f64) -> f64 {
    for i in 0..x.len() {
        x[i] += h * v[i];
        v[i] -= h * x[i];
    }
    x[0] * v[1]
}

#[differentiable]
fn doubled(x: &mut [f64; 2], z: &mut Complex) {
    let y = x;
    y[0] *= 2.0;
    for v in y {
        *v += 1.0;
    }
    let Complex { re, .. } = z;
    *re *= 2.0;
}

#[differentiable]
pub fn captured(x: f64) -> f64 {
    let (mut pair, mut z) = ([x, 1.0], Complex::new(x, 2.0));
    doubled(&mut pair, &mut z);
    let last = &mut pair[1];
    let mut add = |t: f64| *last += t * x;
    add(1.0);
    add(z.re);
    pair[0] * pair[1] + z.re
}

#[differentiable]
fn twice(x: &mut [f64], v: &mut [f64; 2]) -> f64 {
    advance(x, v, 0.1) + advance(x, v, 0.2)
}

#[differentiable]
pub fn swing(start: [f64; 2], speed: f64) -> f64 {
    let mut x = start;
    let mut both = ([speed, 1.0], 0.0);
    for _ in 0..3 {
        both.1 += twice(&mut x, &mut both.0);
    }
    let last = &mut x[1];
    *last *= 2.0;
    both.1 + x[0] * x[1] + both.0[0]
}

#[differentiable]
pub fn accumulated(x: f64, n: usize) -> f64 {
    let (mut total, mut count) = (0.0, 0);
    let mut add = |t: f64| {
        if t > 50.0 {
            return total;
        }
        total += t;
        count += 1;
        t / 2.0
    };
    let mut halves = 0.0;
    for k in 0..n {
        halves += add(x * k as f64);
    }
    let mut double = || halves *= 2.0;
    double();
    total + halves + count as f64
}

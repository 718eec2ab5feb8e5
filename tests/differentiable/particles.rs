//! Arrays of structs and of tuples.

use super::structs::{Body, Vector};
use gradus::{Value, differentiable};

/// A body with a place in space.
#[derive(Value, Clone, Copy, PartialEq, Debug)]
pub struct Particle {
    pub place: [f64; 3],
    pub speed: [f64; 3],
    pub mass: f64,
    pub kind: i64,
}

#[differentiable]
fn push(particles: &mut [Particle], h: f64) {
    for i in 0..particles.len() {
        for j in 0..particles.len() {
            if i == j || particles[i].kind == 0 {
                continue;
            }
            let mut distance = 0.1;
            for k in 0..3 {
                distance += (particles[i].place[k] - particles[j].place[k]).powi(2);
            }
            let other = particles[j];
            for k in 0..3 {
                particles[i].speed[k] += h * other.mass / distance * (other.place[k] - particles[i].place[k]);
            }
        }
    }
    for p in particles.iter_mut() {
        for (x, v) in p.place.iter_mut().zip(p.speed) {
            *x += h * v;
        }
    }
}

#[differentiable]
pub fn energy(particles: [Particle; 3], steps: usize) -> f64 {
    let mut particles = particles;
    for _ in 0..steps {
        push(&mut particles, 0.1);
    }
    particles.swap(0, 2);
    let mut total = particles[0].place[1] * particles.len() as f64;
    for p in &particles {
        total += p.mass * p.speed.iter().map(|v| v * v).sum::<f64>();
    }
    let heavy = particles.iter().map(|p| p.mass).fold(0.0, f64::max);
    total + heavy * particles.iter().find(|p| p.mass < 2.0).map_or(0.0, |p| p.place[0])
}

#[differentiable]
pub fn polygon(angle: f64) -> f64 {
    let corners =
        [Vector::new(0.0, 0.0), Vector::new(angle.cos(), 1.0), Vector { x: 2.0, y: angle }, Vector::new(angle.sin(), 3.0)];
    let mut pairs = [(0.0, 1.0); 3];
    let mut area = 0.0;
    for (i, w) in corners.windows(2).enumerate() {
        area += w[0].x * w[1].y - w[1].x * w[0].y;
        pairs[i] = (area, w[1].norm());
        pairs[i].1 *= 2.0;
    }
    let mut all = vec![corners[1]];
    for c in &corners[2..] {
        all.push(*c);
    }
    let [first, _, last] = [all[0], all[1], all[2]];
    let grid = [[first, last], [corners[2], corners[1]]];
    let mut sum = 0.0;
    for row in grid {
        for c in row {
            sum += c.x * c.y;
        }
    }
    pairs.iter().map(|(a, n)| a * n).sum::<f64>() + sum + grid[1][0].norm() + all.len() as f64
}

#[differentiable]
pub fn moved(bodies: [Body; 2], by: f64) -> [Body; 2] {
    let mut bodies = bodies;
    bodies.iter_mut().for_each(|b| b.place.x += by * b.masses[0]);
    bodies[1].masses[1] = by;
    bodies
}

#[differentiable]
pub fn outer(x: [f64; 2]) -> [[f64; 2]; 2] {
    let mut product = [[0.0; 2]; 2];
    for (i, row) in product.iter_mut().enumerate() {
        for (j, v) in row.iter_mut().enumerate() {
            *v = x[i] * x[j];
        }
    }
    product
}

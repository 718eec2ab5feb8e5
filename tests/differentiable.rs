//! Functions of Rust.

#[gradus::differentiable]
fn cube(x: f64) -> f64 {
    x * x * x
}

#[gradus::differentiable]
fn pow(x: f64, n: i64) -> f64 {
    let mut r = 1.0;
    let mut k = n;
    while k > 0 {
        r *= x;
        k -= 1;
    }
    r
}

#[gradus::differentiable]
fn norm(x: &[f64]) -> f64 {
    let mut s = 0.0;
    for v in x {
        s += v * cube(*v);
    }
    s.sqrt()
}

#[derive(gradus::Value, Clone, Copy, PartialEq, Debug)]
struct Point {
    x: f64,
    y: f64,
}

#[gradus::differentiable]
impl Point {
    fn norm(&self) -> f64 {
        self.x.hypot(self.y)
    }
}

#[gradus::differentiable]
fn energy(p: Point, a: [f64; 3]) -> f64 {
    let q = Point { x: p.x * a[0], ..p };
    q.norm() + a[2]
}

#[test]
fn first() -> Result<(), gradus::Error> {
    assert_eq!(cube::grad()?.call(2.0)?, 12.0);
    assert_eq!(pow::value_and_grad()?.call((2.0, 3))?, (8.0, (12.0, ())));
    assert_eq!(norm::typed()?.call(&[1.0, 2.0])?, norm(&[1.0, 2.0]));
    println!("{:?}", norm::grad()?.call(&[1.0, 2.0])?);
    let p = Point { x: 3.0, y: 4.0 };
    println!("{:?}", energy::value_and_grad()?.call((p, [1.0, 2.0, 3.0]))?);
    Ok(())
}

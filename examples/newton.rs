//! Finds the minimum of Rosenbrock's valley by Newton's method: the gradient and the Hessian are compiled once, and a step solves a
//! system of two equations.
//!
//! ```console
//! $ cargo run --release --example newton
//! ```

use gradus::{Engine, Error, Source};

const VALLEY: &str = "
def valley(x, y):
    return (1.0 - x) ** 2 + 100.0 * (y - x * x) ** 2
";

/// The places that Newton's method goes through, until the gradient is as small as asked for.
pub fn minimise(start: (f64, f64), tolerance: f64) -> Result<Vec<(f64, f64)>, Error> {
    let valley = Engine::default().parse(Source::new("valley.py", VALLEY))?.function("valley")?;
    let gradient = valley.grad::<(f64, f64)>()?;
    let hessian = valley.hessian::<(f64, f64), [[f64; 2]; 2]>()?;
    let mut path = vec![start];
    loop {
        let (x, y) = path[path.len() - 1];
        let (gx, gy) = gradient.call((x, y))?;
        if gx.hypot(gy) <= tolerance || path.len() > 100 {
            return Ok(path);
        }
        let [[a, b], [c, d]] = hessian.call((x, y))?;
        let determinant = a * d - b * c;
        path.push((x - (d * gx - b * gy) / determinant, y - (a * gy - c * gx) / determinant));
    }
}

/// Shows the path from the usual start.
pub fn main() -> Result<(), Error> {
    for (x, y) in minimise((-1.2, 1.0), 1e-10)? {
        println!("{x:9.6} {y:9.6}");
    }
    Ok(())
}

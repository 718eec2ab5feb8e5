struct Point {
    x: f64,
}

#[gradus::differentiable]
fn first(x: f64) -> f64 {
    let p = Point { x };
    p.x
}

#[derive(gradus::Value)]
struct Point3<T>(T, T, T);

#[derive(gradus::Value)]
enum Code {
    Ok = 200,
    Missing = 2 * 202,
}

#[derive(gradus::Value)]
enum Sized {
    Known([f64; 2 + 3]),
    Unknown,
}

fn main() {}

#[gradus::differentiable]
fn loss(x: f64) -> f64 {
    let mut points = vec![x, 1.0];
    points.sort_by(|a, b| a.total_cmp(b));
    let _texts = vec!["a", "b"];
    let _options = [Some(x), None];
    points.iter().filter(|p| **p > 0.0).enumerate().count();
    points.iter().zip(points.iter().filter(|p| **p > 0.0)).count();
    points[0]
}

fn main() {}

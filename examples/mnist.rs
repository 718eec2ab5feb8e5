//! Trains the network of `mnist.py`, 784-32-10, on pictures that are made from a seed: one blurred pattern for each of ten kinds,
//! and noise. The gradient is compiled once and called for each batch.
//!
//! ```console
//! $ cargo run --release --example mnist
//! ```

use gradus::{Argument, Engine, Error, Value};
use ndarray::{Array1, Array2};

const POINTS: usize = 784;
const KINDS: usize = 10;
const BATCH: usize = 50;

/// Numbers in -1 .. 1, by a linear congruential generator (Knuth's MMIX).
struct Random(u64);

impl Random {
    fn number(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }

    fn matrix(&mut self, rows: usize, columns: usize, size: f64) -> Array2<f64> {
        Array2::from_shape_fn((rows, columns), |_| size * self.number())
    }
}

/// Pictures with their kinds.
fn pictures(count: usize, patterns: &Array2<f64>, random: &mut Random) -> (Array2<f64>, Array1<i64>) {
    let kinds = Array1::from_shape_fn(count, |i| (i % KINDS) as i64);
    let noise = random.matrix(count, POINTS, 1.0);
    let pictures = Array2::from_shape_fn((count, POINTS), |(i, k)| patterns[(i % KINDS, k)] + noise[(i, k)]);
    (pictures, kinds)
}

/// Trains for some epochs; shows the loss and the accuracy on pictures that were not trained on after each, and gives them.
pub fn train(epochs: usize) -> Result<Vec<(f64, f64)>, Error> {
    let program = Engine::default().load(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/mnist.py"))?;
    let (loss, accuracy) = (program.function("loss")?.wrt(&[0, 1, 2, 3]), program.function("accuracy")?);

    let mut random = Random(7);
    let patterns = random.matrix(KINDS, POINTS, 0.3);
    let (x, kinds) = pictures(1000, &patterns, &mut random);
    // Views of the batches, made values once: their elements are shared by all calls.
    let batches: Vec<(Value, Value)> = x
        .axis_chunks_iter(ndarray::Axis(0), BATCH)
        .zip(kinds.axis_chunks_iter(ndarray::Axis(0), BATCH))
        .map(|(x, kinds)| (x.into_value(), kinds.into_value()))
        .collect();
    let (test, test_kinds) = pictures(500, &patterns, &mut random);

    let (mut w1, mut b1) = (random.matrix(POINTS, 32, 0.05), Array1::zeros(32));
    let (mut w2, mut b2) = (random.matrix(32, KINDS, 0.2), Array1::zeros(KINDS));
    type Gradient = (Array2<f64>, Array1<f64>, Array2<f64>, Array1<f64>, (), ());
    let mut history = Vec::new();
    for epoch in 0..epochs {
        let mut mean = 0.0;
        for (x, kinds) in &batches {
            let args = (&w1, &b1, &w2, &b2, x.clone(), kinds.clone());
            let (value, (d1, c1, d2, c2, (), ())): (f64, Gradient) = loss.value_and_grad(args)?;
            mean += value / batches.len() as f64;
            w1.scaled_add(-0.1, &d1);
            b1.scaled_add(-0.1, &c1);
            w2.scaled_add(-0.1, &d2);
            b2.scaled_add(-0.1, &c2);
        }
        let right: f64 = accuracy.call((&w1, &b1, &w2, &b2, &test, &test_kinds))?;
        println!("epoch {epoch:>2}: loss {mean:.4}, accuracy {:.1} %", 100.0 * right);
        history.push((mean, right));
    }
    Ok(history)
}

/// Trains for six epochs.
pub fn main() -> Result<(), Error> {
    train(6).map(|_| ())
}

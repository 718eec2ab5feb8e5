//! Trains the network of `mnist.py`, 784-32-10, on pictures that are made from a seed: one blurred pattern for each of ten kinds,
//! and noise. The gradient is compiled once and called for each batch.
//!
//! ```console
//! $ cargo run --release --example mnist
//! ```

use gradus::{Constant, Engine, Error};
use ndarray::{Array1, Array2, Axis};

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
    type Matrix = Array2<f64>;
    type Vector = Array1<f64>;
    let program = Engine::default().load(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/mnist.py"))?;
    // The pictures and their kinds are constant: no gradient is computed for them.
    type Args = (Matrix, Vector, Matrix, Vector, Constant<Matrix>, Constant<Array1<i64>>);
    let loss = program.function("loss")?.value_and_grad::<Args>()?;
    let accuracy = program.function("accuracy")?.typed::<Args, f64>()?;

    let mut random = Random(7);
    let patterns = random.matrix(KINDS, POINTS, 0.3);
    let (x, kinds) = pictures(1000, &patterns, &mut random);
    let (test, test_kinds) = pictures(500, &patterns, &mut random);

    let (mut w1, mut b1) = (random.matrix(POINTS, 32, 0.05), Array1::zeros(32));
    let (mut w2, mut b2) = (random.matrix(32, KINDS, 0.2), Array1::zeros(KINDS));
    let mut history = Vec::new();
    for epoch in 0..epochs {
        let batches = x.axis_chunks_iter(Axis(0), BATCH).zip(kinds.axis_chunks_iter(Axis(0), BATCH));
        let mut mean = 0.0;
        for (x, kinds) in batches {
            let (value, (d1, c1, d2, c2, (), ())) = loss.call((&w1, &b1, &w2, &b2, x, kinds))?;
            mean += value * BATCH as f64 / 1000.0;
            w1.scaled_add(-0.1, &d1);
            b1.scaled_add(-0.1, &c1);
            w2.scaled_add(-0.1, &d2);
            b2.scaled_add(-0.1, &c2);
        }
        let right = accuracy.call((&w1, &b1, &w2, &b2, &test, &test_kinds))?;
        println!("epoch {epoch:>2}: loss {mean:.4}, accuracy {:.1} %", 100.0 * right);
        history.push((mean, right));
    }
    Ok(history)
}

/// Trains for six epochs.
pub fn main() -> Result<(), Error> {
    train(6).map(|_| ())
}

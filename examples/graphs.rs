//! What the compiler makes of a gradient, at every stage: as text, and as a graph in the DOT language. The function is built by hand.
//!
//! ```console
//! $ cargo run --release --example graphs | dot -Tsvg > optimised.svg
//! ```

use gradus::{Engine, Error, ModuleBuilder, Options, Prim, Stage, Strategy};

/// The gradient of x sin(x), at each stage as text and as a graph.
pub fn stages() -> Result<Vec<(Stage, String, String)>, Error> {
    let builder = ModuleBuilder::new();
    let wave = builder.function("wave", ["x"]);
    let [x] = wave.params();
    wave.returns(wave.apply(Prim::Mul, [x, wave.apply(Prim::Sin, [x])]));

    let engine = Engine::new(Options::new().strategy(Strategy::Closure));
    let gradient = builder.finish(&engine)?.function("wave")?.grad::<f64>()?;
    let compiled = gradient.compiled(0.0)?;
    let stages = [Stage::Typed, Stage::Adjoint, Stage::Optimised, Stage::Lowered];
    stages.into_iter().map(|stage| compiled.stage(stage).map(|view| (stage, view.to_string(), view.to_dot()))).collect()
}

/// Shows the texts, and the graph of the optimised one.
pub fn main() -> Result<(), Error> {
    for (stage, text, dot) in stages()? {
        eprintln!("{stage:?}\n{text}");
        if stage == Stage::Optimised {
            println!("{dot}");
        }
    }
    Ok(())
}

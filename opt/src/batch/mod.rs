//! Loops that map become array code.
//!
//! ```text
//! y = zeros(n)
//! for k in range(n): y[k] = f(x[k])        y = f(x)
//! ```
//! A loop of n iterations of which none needs what another one did is its body with one more axis: what depends on the iteration is a batch,
//! an array with a row for each, the counter among them; what does not stays as it is. That is how the `vmap` of JAX treats a function
//! (Frostig, Johnson & Leary, *Compiling machine learning programs via high-level tracing*, 2018; Radul et al., *Automatically
//! batching control-intensive programs for modern accelerators*, 2020), here done to loops, by the conditions under which these are
//! vectorised (Allen & Kennedy, *Automatic translation of FORTRAN programs to vector form*, 1987). What the body is depends on which
//! functions were inlined, which derivatives expanded; what was `vmap`, a Jacobian, or a loop over elements does not matter.
//!
//! * *Iterations* are independent where each parameter of the header changes evenly, stays as it is, is read by no iteration, or is an array
//!   of which each iteration reads and writes a place of its own (`classes`). Such an array is a batch of what is at these places. One
//!   that is written once per iteration, anywhere, and not read, is scattered to, in the order of the iterations.
//! * *Control flow* within the body (loops, branches) stays where its conditions are the same in all iterations: its blocks then carry
//!   batches. Records on tapes are batches, too.
//! * *Bits* are those of the loop (`rules`). What traps in an iteration traps; integers that might overflow leave the loop as it is.
//! * *The module*: blocks of the batch are made beside those of the loop, the last of which jumps to the header with what the last
//!   iteration would have passed. What entered the loop enters the batch, and the header goes on to where the loop ends.

mod affine;
mod blocks;
mod classes;
mod emit;
mod rules;
mod sparse;

use crate::report::{Compressed, PassReport};
use classes::{Body, Carried};
use gradus_ir::cfg::{Cfg, Loop};
use gradus_ir::{Dims, Module, Nest, Use};

/// The most elements of a batch, 32 MB of floats: arrays of the program may be as large, and what it writes may be larger, so that batches
/// are never much more than it has.
const MOST: usize = 1 << 22;

/// The least elements of the largest batch. A loop that stores `x[i] * x[i] + s` so often takes 0.7 µs, its batch about 0.1 µs; loops over
/// the few numbers of a point stay scalars, which are in registers.
const LEAST: usize = 24;

/// Turns loops into array code.
pub(crate) fn run(m: &mut Module, nest: &Nest, report: &mut PassReport) {
    let cfg = Cfg::new(m, nest);
    for function in cfg.functions() {
        // Inner loops come after those around them, which are no longer what the view says once an inner one is gone.
        let mut stale = vec![false; function.loops.len()];
        for (i, this) in function.loops.iter().enumerate().rev() {
            let done = if stale[i] { None } else { batch(m, nest, &cfg, this) };
            if stale[i] || done.is_some() {
                report.count("loops", usize::from(!stale[i]));
                if let Some(compressed) = done.flatten() {
                    report.count("loops of fewer turns", 1);
                    report.compressed.push(compressed);
                }
                this.parent.into_iter().for_each(|parent| stale[parent] = true);
            }
        }
    }
}

/// Turns one loop into array code, if it can be. Says so if that takes fewer turns.
fn batch(m: &mut Module, nest: &Nest, cfg: &Cfg, this: &Loop) -> Option<Option<Compressed>> {
    let &[(from, exit)] = &this.exits[..] else { return None };
    let n = i64::try_from(this.counter?.trip_count(m)?).ok().filter(|&n| n > 1)?;
    if from != this.header || !this.reducible {
        return None;
    }
    let body = Body::new(m, nest, cfg, this, n)?;
    let header = m.graph_ref(this.header);
    let is_outside = |u: &Use| m[u.node].graph.is_some_and(|g| !body.is_inside(g));
    let entries: Vec<Use> = m[header].users().iter().copied().filter(is_outside).collect();
    let call = m.result(this.header);

    let written = body.carried.iter().zip(&m[this.header].params).filter(|(c, _)| matches!(c, Carried::Rows { .. }));
    let written = written.filter_map(|(_, &p)| m[p].ty.shape()).map(Dims::count).max().unwrap_or(0);
    let directions = sparse::find(m, &body);
    let entry = blocks::copy(m, &body, directions.as_ref(), written.max(MOST), LEAST)?;
    let (entry, exit) = (m.graph_ref(entry), m.graph_ref(exit.graph()));
    for u in entries {
        m.set_input(u.node, u.index as usize, entry);
    }
    m.set_input(call, 0, exit);
    Some(directions.map(|directions| directions.found))
}

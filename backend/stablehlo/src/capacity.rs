//! How many records a program pushes, where that is known before it runs.

use gradus_ir::cfg::Cfg;
use gradus_ir::{GraphId, Module, Nest, Prim};
use rustc_hash::FxHashMap;

/// Tapes are no larger than this because of what is known: several loops that push on different tapes count together.
const MOST: u64 = 1 << 22;

/// No tape of the module has more records than this: the sum over all places that push of the trips of the loops around them. None if
/// the trips of one of these loops are not known, or if a function pushes that calls itself. The functions are in groups of those that
/// call each other, in an order in which callees come first.
pub fn pushes(m: &Module, nest: &Nest, cfg: &Cfg, order: &[Vec<GraphId>], is_recursive: impl Fn(GraphId) -> bool) -> Option<u64> {
    let mut of: FxHashMap<GraphId, u64> = FxHashMap::default();
    for &root in order.iter().flatten() {
        let f = cfg.function_of(root);
        let mut total: u64 = 0;
        for &block in &f.blocks {
            let mut own: u64 = 0;
            for &n in nest.schedule(block) {
                own = own.checked_add(u64::from(m.as_prim(n) == Some(Prim::Push)))?;
                for g in m[n].inputs().iter().filter_map(|&i| m.as_graph(i)).filter(|&g| g != root) {
                    own = own.checked_add(of.get(&g).copied().unwrap_or(0))?;
                }
            }
            if own == 0 {
                continue;
            }
            let mut trips: u64 = 1;
            let mut around = cfg.innermost_loop(block);
            while let Some(i) = around {
                let l = &f.loops[i];
                // Other exits make the trips fewer, never more. The header runs once more than the rest.
                let counted = l.counter.and_then(|c| c.trip_count(m))?;
                trips = trips.checked_mul(counted.checked_add(u64::from(block == l.header))?)?;
                around = l.parent;
            }
            total = total.checked_add(own.checked_mul(trips)?)?;
        }
        if total > 0 && is_recursive(root) {
            return None;
        }
        of.insert(root, total);
    }
    let all = of.get(&m.entry?).copied()?;
    (all <= MOST).then_some(all)
}

//! What derivatives alone see: functions with rules, constants to all derivatives, levels of nesting, and barriers. To everybody
//! else each is its first operand, which it becomes here.

use gradus_ir::{Module, Nest, NodeId, Prim};

/// Lifts the veils, but for barriers, from a module in which no derivative is left to take. True if there were any.
pub fn lift_veils(m: &mut Module) -> bool {
    let nodes = applications(m);
    if nodes.iter().any(|&(_, p)| p.is_operator()) {
        return false;
    }
    lift(m, nodes.into_iter().filter(|&(_, p)| p != Prim::Barrier))
}

/// Lifts all veils from a module that is simplified no further, and of whose unknown functions all derivatives were made.
pub fn lift_all_veils(m: &mut Module) {
    let nodes = applications(m);
    lift(m, nodes.into_iter());
}

fn applications(m: &mut Module) -> Vec<(NodeId, Prim)> {
    let entry = m.entry.expect("a typed module has an entry");
    m.collect_garbage(&[entry]);
    let nest = Nest::new(m, &[entry]);
    let nodes = nest.graphs().iter().flat_map(|&g| nest.schedule(g));
    nodes.filter_map(|&n| m.as_prim(n).map(|p| (n, p))).collect()
}

fn lift(m: &mut Module, nodes: impl Iterator<Item = (NodeId, Prim)>) -> bool {
    let mut changed = false;
    for (n, prim) in nodes {
        let shown = match (prim, m[n].inputs()) {
            (Prim::NestLevel(level), _) => m.i64(i64::from(level)),
            (p, &[first, ..]) if p.is_veil() => first,
            _ => continue,
        };
        m.replace(n, shown);
        changed = true;
    }
    if changed {
        let entry = m.entry.expect("a typed module has an entry");
        m.collect_garbage(&[entry]);
    }
    changed
}

//! Which nodes vary where a derivative is asked for with respect to the last argument alone: the rest is constant to it, and
//! has no cotangents (the *varied* variables of activity analysis, Hascoët & Pascual 2013 §3).
//!
//! So a linear function can be transposed though what it is made of cannot be differentiated: a rule of forward mode may
//! call the function that it is a rule of.

use crate::program::{Program, Tail};
use gradus_ir::{GraphId, Module, NodeId, Prim};
use rustc_hash::FxHashSet;

/// The nodes of a region that depend on what varies.
pub type Varied = FxHashSet<NodeId>;

/// The nodes of a region that depend on those parameters of its function that vary.
pub fn within(m: &Module, program: &Program, region: &[GraphId], params: &[bool]) -> Varied {
    let mut varied: Varied = m[region[0]].params.iter().zip(params).filter(|(_, varies)| **varies).map(|(&p, _)| p).collect();
    loop {
        let before = varied.len();
        for &g in region {
            for &n in program.nest.schedule(g) {
                if m.as_prim(n) != Some(Prim::StopGradient) && m[n].inputs().iter().any(|i| varied.contains(i)) {
                    varied.insert(n);
                }
            }
            let targets = match program.tail(m, g, region) {
                Tail::Jump { target, args } => vec![(target, args)],
                Tail::Branch { targets, args, .. } => targets.map(|target| (target, args.clone())).to_vec(),
                Tail::Return(_) | Tail::Unknown { .. } => Vec::new(),
            };
            for (target, args) in targets {
                let given = m[target].params.iter().zip(args);
                varied.extend(given.filter(|(_, a)| varied.contains(a)).map(|(&p, _)| p).collect::<Vec<_>>());
            }
        }
        if varied.len() == before {
            return varied;
        }
    }
}

/// Which arguments of a call vary, where not all nodes do.
pub fn of_args(varied: Option<&Varied>, args: &[NodeId]) -> Option<Box<[bool]>> {
    varied.map(|varied| args.iter().map(|a| varied.contains(a)).collect())
}

/// Whether of a call only the last argument varies.
pub fn is_last(varied: Option<&Varied>, callee: NodeId, args: &[NodeId]) -> bool {
    let Some((last, rest)) = args.split_last() else { return false };
    varied.is_some_and(|v| v.contains(last) && !v.contains(&callee) && rest.iter().all(|a| !v.contains(a)))
}

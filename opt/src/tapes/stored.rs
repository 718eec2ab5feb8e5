//! Why records hold what they hold.

use super::classes::classes;
use super::fields::{Fields, Sites};
use crate::Options;
use crate::nesting::{fixed_graphs, scopes_of_mentions};
use gradus_ir::cfg::Cfg;
use gradus_ir::{Kind, Module, Nest, NodeId, Prim};
use rustc_hash::FxHashMap;

/// Why a value is recorded and not computed again.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stored {
    /// The node at which it ends: the value where it is first recorded, or something that it takes to compute that.
    pub at: NodeId,
    /// Whether that is the value itself.
    pub itself: bool,
    /// What is wrong with the node.
    pub why: Why,
}

/// Why a node cannot or should not be computed again.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Why {
    /// It is a parameter of a block: what went into it is of the past.
    Phi,
    /// It is the result of a call.
    Call,
    /// It is the result of a primitive that takes more than an instruction or two.
    Dear(Prim),
    /// It is a function, of a graph or with captures that are not the same wherever it is recorded.
    Function,
    /// It is the result of one primitive where it is recorded first, and of another elsewhere.
    Places,
    /// With it, it would be more than this many operations.
    Operations(usize),
    /// Its tape is one of cotangents: what is popped need not have been pushed as it is.
    Added,
}

impl Why {
    /// What keeps a node from being computed again that is no cheap operation.
    pub(super) fn of(m: &Module, mut n: NodeId) -> Why {
        loop {
            n = match m[n].kind {
                Kind::Prim(Prim::Get(_)) => m[n].inputs()[0],
                Kind::Param => return Why::Phi,
                Kind::Call => return Why::Call,
                Kind::Prim(Prim::Partial) | Kind::Const(_) => return Why::Function,
                Kind::Prim(prim) => return Why::Dear(prim),
                Kind::Return => unreachable!("a return is no value"),
            };
        }
    }
}

/// Why the records of a module that was simplified under some options hold what they hold: of each push, the fields of its record.
/// None where a field need not be there, or is that of a tape that is not known at all places.
pub fn stored(m: &Module, nest: &Nest, options: &Options) -> FxHashMap<NodeId, Vec<Option<Stored>>> {
    let (scopes, fixed) = (scopes_of_mentions(m, nest, &Cfg::new(m, nest)), fixed_graphs(m));
    let mut found = FxHashMap::default();
    for class in classes(m, nest) {
        let Some(sites) = Sites::new(m, &class.nodes) else { continue };
        let fields = Fields::new((m, nest), (&scopes, &fixed), &class, &sites, options.recompute);
        found.extend(sites.pushes.iter().map(|&push| (push, fields.stored.clone())));
    }
    found
}

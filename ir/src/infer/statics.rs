//! Arguments that are constants: those that shapes and axes depend on.
//!
//! A function is specialised for the types of its arguments alone, until something in it needs to be a constant of the program: the
//! length in `np.zeros(n)`. Then the analysis looks where that comes from, and begins again with these parameters taken for constants: their
//! functions are specialised for each value. Parameters of the entry are constants where the caller gives their values.

use super::abs::Abs;
use super::engine::Engine;
use super::instances::InstId;
use crate::graph::{Const, Flavor, GraphId, Kind, NodeId};
use crate::prim::Prim;
use rustc_hash::FxHashSet;

/// What is known of constants when the analysis begins.
#[derive(Clone, Default)]
pub(super) struct Statics {
    /// Parameters that their functions are specialised for.
    params: FxHashSet<(GraphId, usize)>,
    /// Parameters of the entry that are constants.
    entry: FxHashSet<usize>,
    /// The values of the entry's arguments, where they are given.
    values: Vec<Option<Const>>,
}

impl Statics {
    pub(super) fn new(values: &[Option<Const>]) -> Statics {
        Statics { values: values.to_vec(), ..Statics::default() }
    }

    /// An argument of the entry.
    pub(super) fn argument(&self, i: usize, abs: Abs) -> Abs {
        match (self.entry.contains(&i), self.values.get(i), &abs) {
            (true, Some(Some(Const::I64(v))), Abs::I64(_)) => Abs::I64(Some(*v)),
            (true, Some(Some(Const::Bool(v))), Abs::Bool(_)) => Abs::Bool(Some(*v)),
            (true, Some(Some(Const::Str(v))), Abs::Str(_)) => Abs::Str(Some(v.clone())),
            _ => abs,
        }
    }
}

impl Engine {
    /// What a function is specialised for, of the arguments of a call: constants of a library and of wrappers around calls, which hand
    /// them on, and of parameters that need to be constants.
    pub(super) fn kept(&self, g: GraphId, args: &[Abs]) -> Vec<Abs> {
        let keeps = self.m[g].flavor == Flavor::Library || self.wrappers.is_wrapper(g);
        let kept = |(i, a): (usize, &Abs)| if keeps || self.statics.params.contains(&(g, i)) { a.clone() } else { a.broaden() };
        args.iter().enumerate().map(kept).collect()
    }

    /// Finds the parameters that decide what was wanted as constants. True if there are any that were not constants before.
    pub(super) fn find_statics(&mut self, entry: InstId) -> bool {
        let mut work = std::mem::take(&mut self.wanted);
        let mut seen: FxHashSet<(InstId, NodeId)> = FxHashSet::default();
        let mut found = false;
        while let Some((id, n)) = work.pop() {
            if !seen.insert((id, n)) {
                continue;
            }
            let Some(owner) = self.m[n].graph else { continue };
            let home = self.instances.home(id, owner);
            match self.m[n].kind {
                Kind::Param => {
                    let i = self.m[owner].params.iter().position(|&p| p == n).expect("a parameter of its graph");
                    if self.instances[home].args[i].integers().is_some() {
                        continue;
                    }
                    if home == entry {
                        let known = matches!(self.statics.values.get(i), Some(Some(_)));
                        found |= known && self.statics.entry.insert(i);
                    } else if self.m[owner].flavor == Flavor::Function
                        && !self.wrappers.is_wrapper(owner)
                        && self.statics.params.insert((owner, i))
                    {
                        found = true;
                    } else {
                        work.extend(self.given(home, i));
                    }
                }
                Kind::Call => work.extend(self.m[n].inputs()[1..].iter().map(|&input| (home, input))),
                _ => work.extend(self.m[n].inputs().iter().map(|&input| (home, input))),
            }
        }
        found
    }

    /// What calls give for an argument of an instance.
    fn given(&self, callee: InstId, i: usize) -> Vec<(InstId, NodeId)> {
        let mut found = Vec::new();
        for id in self.instances.ids() {
            for (&call, target) in &self.instances[id].calls {
                let mut called = Vec::new();
                target.instances(&mut called);
                if !called.contains(&callee) {
                    continue;
                }
                let (_, mut inputs) = self.shape(call);
                let mut i = i + 1;
                if let Some(prim) = self.m.as_prim(call).filter(|p| p.applies()) {
                    // The arguments are a tuple, most often written there.
                    let args = inputs[prim.arguments()];
                    (inputs, i) = match self.m.as_prim(args) {
                        Some(Prim::Tuple) => (self.m[args].inputs().to_vec(), i - 1),
                        _ => (vec![args], 0),
                    };
                }
                found.extend(inputs.get(i).map(|&n| (id, n)));
            }
        }
        found.sort_unstable();
        found
    }
}

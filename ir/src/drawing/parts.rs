//! Which graphs make up the derivative of which function, and in which cluster each graph lies.
//!
//! No field of a graph says which function it is derived from, so it is read off: derived graphs belong together if one is a block
//! of the other ([`crate::cfg`]), or if their functions' names have the same stem (`pow.loop.fwd` and `pow.bwd` that of `pow`) and
//! one refers to the other or is nested in it. So two instances of a function, which have the same names, stay apart.

use crate::cfg::Cfg;
use crate::graph::{GraphId, Module, Role};
use crate::nest::Nest;
use petgraph::unionfind::UnionFind;
use slotmap::SecondaryMap;

/// A derivative with a forward and an adjoint part, by index.
pub type Derivative = usize;

/// One of the two parts.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Part {
    pub derivative: Derivative,
    pub is_adjoint: bool,
}

/// The cluster around another.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Place {
    Root,
    Graph(GraphId),
    Part(Part),
}

/// The derivatives of a module.
#[derive(Debug, Default)]
pub struct Parts {
    /// The name of each, and where it lies: in a graph, or nowhere.
    pub derivatives: Vec<(String, Option<GraphId>)>,
    parts: SecondaryMap<GraphId, Part>,
}

impl Parts {
    pub fn new(m: &Module, nest: &Nest, cfg: Option<&Cfg>) -> Parts {
        let derived: Vec<GraphId> = nest.graphs().iter().copied().filter(|&g| m[g].role != Role::Primal).collect();
        let number: SecondaryMap<GraphId, usize> = derived.iter().enumerate().map(|(i, &g)| (g, i)).collect();
        let mut sets = UnionFind::<usize>::new(derived.len());
        let function = |g: GraphId| cfg.map(|cfg| cfg.function_of(g).root).filter(|&root| number.contains_key(root)).unwrap_or(g);
        let stem = |g: GraphId| stem(m, function(g));
        for (i, &g) in derived.iter().enumerate() {
            sets.union(i, number[function(g)]);
            for &h in nest.refers(g).iter().chain(&nest.parent(g)) {
                match number.get(h) {
                    Some(&j) if stem(g) == stem(h) => _ = sets.union(i, j),
                    _ => {}
                }
            }
        }
        let sets = sets.into_labeling();
        let mut has = vec![[false; 2]; derived.len()];
        for (&g, &set) in derived.iter().zip(&sets) {
            has[set][usize::from(m[g].role == Role::Backward)] = true;
        }
        let mut this = Parts::default();
        let mut known: Vec<Option<Derivative>> = vec![None; derived.len()];
        for (&g, &set) in derived.iter().zip(&sets).filter(|&(_, &set)| has[set] == [true; 2]) {
            let derivative = *known[set].get_or_insert_with(|| {
                this.derivatives.push((stem(g).to_owned(), None));
                this.derivatives.len() - 1
            });
            this.parts.insert(g, Part { derivative, is_adjoint: m[g].role == Role::Backward });
        }
        this.settle(nest);
        this
    }

    /// Finds where each derivative lies: in the one graph around all of it, if there is one. The cluster of that graph cannot lie in
    /// this derivative: of all graphs on such a cycle the outermost would have to be within another.
    fn settle(&mut self, nest: &Nest) {
        let mut around: Vec<Option<Option<GraphId>>> = vec![None; self.derivatives.len()];
        for &g in nest.graphs() {
            let Some(part) = self.parts.get(g) else { continue };
            let up = nest.parent(g);
            if up.and_then(|up| self.parts.get(up)).is_some_and(|p| p.derivative == part.derivative) {
                continue;
            }
            let around = &mut around[part.derivative];
            *around = Some(around.map_or(up, |before| before.filter(|&b| up == Some(b))));
        }
        for ((_, place), around) in self.derivatives.iter_mut().zip(around) {
            *place = around.flatten();
        }
    }

    /// The part that a graph is of.
    pub fn part(&self, g: GraphId) -> Option<Part> {
        self.parts.get(g).copied()
    }

    /// Where the cluster of a graph lies.
    pub fn place(&self, nest: &Nest, g: GraphId) -> Place {
        let up = nest.parent(g);
        match (self.part(g), up) {
            (Some(part), Some(up)) if self.part(up) == Some(part) => Place::Graph(up),
            (Some(part), _) => Place::Part(part),
            (None, Some(up)) => Place::Graph(up),
            (None, None) => Place::Root,
        }
    }
}

/// The function of the source that a graph is named after.
fn stem(m: &Module, g: GraphId) -> &str {
    m[g].name.split('.').next().unwrap_or_default()
}

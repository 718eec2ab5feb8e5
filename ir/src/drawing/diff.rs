//! What is new, what is gone and what has stayed between two drawings.
//!
//! Clusters are matched by name, whatever number the text form adds to it, and kind. Nodes of matched clusters are matched in two
//! passes. The first finds those that compute the same: they are numbered by what they apply to what, as in value numbering, and those
//! with equal numbers match, in order. The second matches what is left with what applies the same operator there and shares an operand
//! or the variable it is assigned to, so that a change does not make all that depends on it look new.

use super::{Change, Cluster, ClusterKind, Drawing, Edge, EdgeKind, Node, Shape};
use rustc_hash::FxHashMap;
use std::collections::VecDeque;
use std::hash::Hash;

/// How many nodes that apply the same operator the second pass looks at.
const CANDIDATES: usize = 64;

/// Both drawings in one: what is in `new`, and what is in `old` alone.
pub fn diff(old: &Drawing, new: &Drawing) -> Drawing {
    let mut matching = Matching::new(old, new);
    matching.params();
    matching.equal();
    matching.similar();
    matching.constants();
    matching.union()
}

/// A use of something by a node, in terms of the new drawing. Of the old one only what has a match can be said so.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
enum Feature {
    /// An operand, with its position where that matters.
    Operand(Option<String>, usize),
    /// A constant operand.
    Constant(Option<String>, String),
    /// A mention of a graph.
    Graph(Option<String>, EdgeKind, usize),
}

/// A drawing with the edges by nodes: those into each from operands, and those from each to graphs.
struct Side<'a> {
    drawing: &'a Drawing,
    operands: Vec<Vec<usize>>,
    mentions: Vec<Vec<usize>>,
}

impl<'a> Side<'a> {
    fn new(drawing: &'a Drawing) -> Side<'a> {
        let mut operands = vec![Vec::new(); drawing.nodes.len()];
        let mut mentions = operands.clone();
        for (i, e) in drawing.edges.iter().enumerate() {
            match e.kind {
                // Into a parameter goes the tape of a call, which is not what makes the parameter what it is.
                EdgeKind::Operand | EdgeKind::Tape if drawing.nodes[e.to].shape != Shape::Ellipse => operands[e.to].push(i),
                EdgeKind::Operand | EdgeKind::Tape => {}
                EdgeKind::Control | EdgeKind::Back | EdgeKind::Closure => mentions[e.from].push(i),
            }
        }
        Side { drawing, operands, mentions }
    }

    /// What a node uses, sorted; `node` and `cluster` name what it is used from. `None` if one of them has no name.
    fn features(
        &self,
        n: usize,
        node: impl Fn(usize) -> Option<usize>,
        cluster: impl Fn(usize) -> Option<usize>,
    ) -> Vec<Option<Feature>> {
        let Drawing { nodes, edges, .. } = self.drawing;
        let operands = self.operands[n].iter().map(|&i| {
            let e = &edges[i];
            match nodes[e.from].shape {
                Shape::Small => Some(Feature::Constant(e.head.clone(), nodes[e.from].label.clone())),
                _ => Some(Feature::Operand(e.head.clone(), node(e.from)?)),
            }
        });
        let mentions = self.mentions[n].iter().map(|&i| {
            let e = &edges[i];
            Some(Feature::Graph(e.tail.clone(), e.kind, cluster(nodes[e.to].cluster)?))
        });
        let mut features: Vec<Option<Feature>> = operands.chain(mentions).collect();
        features.sort();
        features
    }

    /// The nodes that are computed: neither parameters nor constants.
    fn computed(&self) -> impl Iterator<Item = (usize, &'a Node)> {
        self.drawing.nodes.iter().enumerate().filter(|(_, n)| !matches!(n.shape, Shape::Ellipse | Shape::Small))
    }
}

/// What has a match, by index: the old one's in the new drawing, the new one's in the old.
#[derive(Default)]
struct Pairs {
    of_old: Vec<Option<usize>>,
    of_new: Vec<Option<usize>>,
}

impl Pairs {
    fn new(old: usize, new: usize) -> Pairs {
        Pairs { of_old: vec![None; old], of_new: vec![None; new] }
    }

    fn join(&mut self, old: usize, new: usize) {
        self.of_old[old] = Some(new);
        self.of_new[new] = Some(old);
    }

    /// Joins what has equal keys, in order.
    fn join_equal<K: Hash + Eq>(&mut self, old: impl IntoIterator<Item = (usize, K)>, new: impl IntoIterator<Item = (usize, K)>) {
        let mut known: FxHashMap<K, VecDeque<usize>> = FxHashMap::default();
        for (o, key) in old {
            known.entry(key).or_default().push_back(o);
        }
        for (n, key) in new {
            if let Some(o) = known.get_mut(&key).and_then(VecDeque::pop_front) {
                self.join(o, n);
            }
        }
    }
}

struct Matching<'a> {
    old: Side<'a>,
    new: Side<'a>,
    clusters: Pairs,
    nodes: Pairs,
}

impl<'a> Matching<'a> {
    fn new(old: &'a Drawing, new: &'a Drawing) -> Matching<'a> {
        let mut clusters = Pairs::new(old.clusters.len(), new.clusters.len());
        let key = |d: &'a Drawing, c: &'a Cluster| {
            let up = c.parent.filter(|_| c.kind == ClusterKind::Part);
            (c.kind, stem(&c.label), up.map_or("", |up| stem(&d.clusters[up].label)))
        };
        let keys = |d: &'a Drawing| d.clusters.iter().map(move |c| key(d, c)).enumerate();
        clusters.join_equal(keys(old), keys(new));
        let nodes = Pairs::new(old.nodes.len(), new.nodes.len());
        Matching { old: Side::new(old), new: Side::new(new), clusters, nodes }
    }

    /// Parameters match by name.
    fn params(&mut self) {
        fn params(d: &Drawing) -> impl Iterator<Item = (usize, &Node)> {
            d.nodes.iter().enumerate().filter(|(_, n)| n.shape == Shape::Ellipse)
        }
        let Matching { old, new, clusters, nodes } = self;
        let old = params(old.drawing).filter_map(|(i, n)| Some((i, (clusters.of_old[n.cluster]?, stem(&n.label)))));
        nodes.join_equal(old, params(new.drawing).map(|(i, n)| (i, (n.cluster, stem(&n.label)))));
    }

    /// Matches what computes the same.
    fn equal(&mut self) {
        let mut numbers = FxHashMap::default();
        let mut number = |side: &Side, cluster: &dyn Fn(usize) -> Option<usize>, param: &dyn Fn(usize) -> Option<usize>| {
            let mut of_node: Vec<Option<usize>> = vec![None; side.drawing.nodes.len()];
            // Numbers of parameters are their places in the new drawing.
            for (i, number) in of_node.iter_mut().enumerate() {
                *number = param(i);
            }
            for (i, n) in side.computed() {
                let features = side.features(i, |operand| of_node[operand], cluster);
                let key = (cluster(n.cluster), n.label.as_str().to_owned(), features);
                if key.0.is_some() && key.2.iter().all(Option::is_some) {
                    let next = self.new.drawing.nodes.len() + numbers.len();
                    of_node[i] = Some(*numbers.entry(key).or_insert(next));
                }
            }
            of_node
        };
        let is_param = |side: &Side, i: usize| side.drawing.nodes[i].shape == Shape::Ellipse;
        let old = number(&self.old, &|c| self.clusters.of_old[c], &|i| self.nodes.of_old[i]);
        let new = number(&self.new, &Some, &|i| is_param(&self.new, i).then_some(i));
        let computed = |side: &Side, numbers: Vec<Option<usize>>| -> Vec<(usize, usize)> {
            side.computed().filter_map(|(i, _)| Some((i, numbers[i]?))).collect()
        };
        let (old, new) = (computed(&self.old, old), computed(&self.new, new));
        self.nodes.join_equal(old, new);
    }

    /// Matches what is similar to the most similar.
    fn similar(&mut self) {
        let mut left: FxHashMap<(usize, &str), Vec<usize>> = FxHashMap::default();
        for (o, node) in self.old.computed().filter(|&(o, _)| self.nodes.of_old[o].is_none()) {
            if let Some(cluster) = self.clusters.of_old[node.cluster] {
                left.entry((cluster, operator(node))).or_default().push(o);
            }
        }
        for (n, node) in self.new.computed() {
            let Some(left) = left.get_mut(&(node.cluster, operator(node))).filter(|_| self.nodes.of_new[n].is_none()) else {
                continue;
            };
            let features = self.new.features(n, Some, Some);
            let likeness = |&o: &usize| {
                let others = self.old.features(o, |i| self.nodes.of_old[i], |c| self.clusters.of_old[c]);
                let shared = features.iter().filter(|f| others.binary_search(f).is_ok()).count();
                let label = &self.old.drawing.nodes[o].label;
                let is_named = *label == node.label && (label.contains('\n') || node.shape != Shape::Box);
                2 * shared + usize::from(is_named)
            };
            let scores = left.iter().take(CANDIDATES).map(likeness).enumerate();
            // The first of the best.
            let best = scores.max_by_key(|&(i, score)| (score, std::cmp::Reverse(i)));
            if let Some((i, _)) = best.filter(|&(_, score)| score > 0) {
                self.nodes.join(left.remove(i), n);
            }
        }
    }

    /// Matches equal constants of nodes that match.
    fn constants(&mut self) {
        fn constants(d: &Drawing) -> impl Iterator<Item = (usize, usize, (&Option<String>, &str))> {
            let edges = d.edges.iter().filter(|e| d.nodes[e.from].shape == Shape::Small);
            edges.map(|e| (e.from, e.to, (&e.head, d.nodes[e.from].label.as_str())))
        }
        let of_old = self.nodes.of_old.clone();
        let old = constants(self.old.drawing).filter_map(|(c, user, what)| Some((c, (of_old[user]?, what))));
        self.nodes.join_equal(old, constants(self.new.drawing).map(|(c, user, what)| (c, (user, what))));
    }

    /// The new drawing, with what is gone.
    fn union(self) -> Drawing {
        let (old, mut all) = (self.old.drawing, self.new.drawing.clone());
        let change = |is_matched: bool| Some(if is_matched { Change::Kept } else { Change::Added });
        for (c, pair) in all.clusters.iter_mut().zip(&self.clusters.of_new) {
            c.change = change(pair.is_some());
        }
        for (n, pair) in all.nodes.iter_mut().zip(&self.nodes.of_new) {
            n.change = change(pair.is_some());
        }
        let gone = |id: &str| format!("old{id}");
        let mut clusters: Vec<usize> = Vec::new();
        for (c, pair) in old.clusters.iter().zip(&self.clusters.of_old) {
            clusters.push(pair.unwrap_or_else(|| {
                let parent = c.parent.map(|up| clusters[up]);
                all.clusters.push(Cluster { id: gone(&c.id), parent, change: Some(Change::Removed), ..c.clone() });
                all.clusters.len() - 1
            }));
        }
        let mut nodes: Vec<usize> = Vec::new();
        for (n, pair) in old.nodes.iter().zip(&self.nodes.of_old) {
            nodes.push(pair.unwrap_or_else(|| {
                all.nodes.push(Node {
                    id: gone(&n.id),
                    cluster: clusters[n.cluster],
                    change: Some(Change::Removed),
                    ..n.clone()
                });
                all.nodes.len() - 1
            }));
        }
        let mut known: FxHashMap<_, VecDeque<usize>> = FxHashMap::default();
        for (i, e) in all.edges.iter_mut().enumerate() {
            e.change = Some(Change::Added);
            known.entry(key(&all.nodes, e)).or_default().push_back(i);
        }
        let mut kept: Vec<usize> = Vec::new();
        let mut removed: Vec<Edge> = Vec::new();
        for e in &old.edges {
            let [from_border, to_border] = [e.from_border, e.to_border].map(|c| c.map(|c| clusters[c]));
            let e =
                Edge { from: nodes[e.from], to: nodes[e.to], from_border, to_border, change: Some(Change::Removed), ..e.clone() };
            match known.get_mut(&key(&all.nodes, &e)).and_then(VecDeque::pop_front) {
                Some(i) => kept.push(i),
                None => removed.push(e),
            }
        }
        for i in kept {
            all.edges[i].change = Some(Change::Kept);
        }
        all.edges.extend(removed);
        all
    }
}

/// What an edge connects, and how.
type EdgeKey = (usize, usize, EdgeKind, bool, [Option<String>; 3]);

fn key(nodes: &[Node], e: &Edge) -> EdgeKey {
    let to = match e.kind {
        EdgeKind::Operand | EdgeKind::Tape => e.to,
        // It goes to the graph, at whichever node it ends.
        EdgeKind::Control | EdgeKind::Back | EdgeKind::Closure => nodes[e.to].cluster,
    };
    (e.from, to, e.kind, e.is_free, [&e.label, &e.tail, &e.head].map(Clone::clone))
}

/// A name without the number that makes it unique.
fn stem(name: &str) -> &str {
    let number = |s: &str| !s.is_empty() && s.bytes().all(|b| b.is_ascii_digit());
    match name.rsplit_once('.') {
        Some((stem, end)) if number(end) => stem,
        _ if name.strip_prefix('%').is_some_and(number) => "%",
        _ => name,
    }
}

/// What a node applies, without the name of its variable.
fn operator(node: &Node) -> &str {
    node.label.lines().next().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::drawing::Options;
    use crate::parse::parse;

    /// The nodes that are new or gone, each with its cluster.
    fn changes(old: &str, new: &str) -> Vec<String> {
        let [old, new] = [old, new].map(|text| parse(text).unwrap());
        let drawing = Drawing::changes(&old, &new, &Options::default());
        let changed = drawing.nodes.iter().filter_map(|n| {
            let sign = match n.change? {
                Change::Kept => return None,
                Change::Added => '+',
                Change::Removed => '-',
            };
            Some(format!("{sign} {}: {}", drawing.clusters[n.cluster].label, n.label.replace('\n', " ")))
        });
        changed.collect()
    }

    const SQUARE: &str = "entry @f
graph @f(%x: f64) -> f64 {
  %0: f64 = mul %x, %x
  %1: f64 = call @g, %0
  %2: f64 = sub %1, 2.0
  return %2
}
graph @g(%y: f64) -> f64 {
  %3: f64 = sin %y
  return %3
}
";

    #[test]
    fn a_module_has_not_changed_from_itself() {
        for text in [SQUARE, include_str!("../../test_data/pow.ir"), include_str!("../../test_data/tape.ir")] {
            let m = parse(text).unwrap();
            let drawing = Drawing::changes(&m, &m, &Options::default());
            let all = (drawing.clusters.iter().map(|c| c.change), drawing.nodes.iter().map(|n| n.change));
            assert!(all.0.chain(all.1).chain(drawing.edges.iter().map(|e| e.change)).all(|c| c == Some(Change::Kept)));
            assert_eq!(drawing.nodes.len(), Drawing::new(&m, &Options::default()).nodes.len());
        }
    }

    #[test]
    fn order_and_names_of_nodes_do_not_matter() {
        let new = "entry @f
graph @f(%x.7: f64) -> f64 {
  %10: f64 = mul %x.7, %x.7
  %11: f64 = call @g.3, %10
  %12: f64 = cos %11
  %13: f64 = sub %11, 2.0
  %14: f64 = add %12, %13
  return %14
}
graph @g.3(%y.1: f64) -> f64 {
  %15: f64 = sin %y.1
  return %15
}
";
        assert_eq!(changes(SQUARE, new), ["+ @f: cos", "+ @f: add"]);
        assert_eq!(changes(new, SQUARE), ["- @f: cos", "- @f: add"]);
    }

    #[test]
    fn what_depends_on_a_change_is_not_new() {
        let new = SQUARE.replace("call @g, %0", "exp %0");
        let new = new.split("graph @g").next().unwrap();
        let expected = ["+ @f: exp", "- @f: call", "- @g: %y", "- @g: sin", "- @g: return"];
        assert_eq!(changes(SQUARE, new), expected);
    }
}

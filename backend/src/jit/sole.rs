//! Arrays that nobody else holds, by the program alone: a write to one needs no look at its references.
//!
//! ```text
//! for i in range(n):           u is the loop's own once it is entered: each iteration hands the next the array that it wrote to
//!     u[i] = u[i] + 1.0
//! ```
//!
//! An array that was just written to is such a one, and stays so while it is only read, written to and handed on. A parameter of a block is
//! one if all that is handed to it is. That of a loop is made one where the loop is entered, if each iteration writes to it.

use super::unit::Unit;
use gradus_ir::cfg::{Function, Loop, Target, Terminator};
use gradus_ir::{ArrayOp, GraphId, Kind, NodeId, Prim};
use rustc_hash::{FxHashMap, FxHashSet};

/// The arrays of a function that nobody else holds.
#[derive(Default)]
pub struct Sole {
    /// The values that nobody else holds, until something takes them.
    nodes: FxHashSet<NodeId>,
    /// The parameters of headers that are to be made such.
    entered: FxHashSet<NodeId>,
}

impl Sole {
    pub fn contains(&self, n: NodeId) -> bool {
        self.nodes.contains(&n)
    }

    /// Whether an argument for a parameter is to be made one that nobody else holds.
    pub fn is_made(&self, param: NodeId, arg: NodeId) -> bool {
        self.entered.contains(&param) && !self.nodes.contains(&arg)
    }

    /// Finds them.
    pub fn of(unit: &Unit<'_>, function: &Function) -> Sole {
        let find = Find::new(unit, function);
        let mut nodes: FxHashSet<NodeId> = find.candidates().collect();
        nodes.retain(|&n| find.is_kept(n));
        loop {
            let entered = find.hold(&mut nodes);
            let before = nodes.len();
            let useless: Vec<NodeId> = entered.iter().copied().filter(|&p| !find.is_written(p, &nodes)).collect();
            useless.iter().for_each(|p| _ = nodes.remove(p));
            if nodes.len() == before {
                return Sole { nodes, entered };
            }
        }
    }
}

/// A way from one block to another.
struct Way {
    from: GraphId,
    to: GraphId,
    /// The parameters that are arrays, each with what is handed to it, and whether that goes there once and no more.
    handed: Vec<(NodeId, NodeId, bool)>,
    /// Whether a branch leads there, which has no place to make anything.
    is_branch: bool,
}

struct Find<'u, 'a> {
    unit: &'u Unit<'a>,
    function: &'u Function,
    blocks: FxHashSet<GraphId>,
    ways: Vec<Way>,
    /// The loop of each header.
    headers: FxHashMap<GraphId, &'u Loop>,
    /// The calls that end blocks.
    ends: FxHashSet<NodeId>,
}

impl<'u, 'a> Find<'u, 'a> {
    fn new(unit: &'u Unit<'a>, function: &'u Function) -> Find<'u, 'a> {
        let (mut ways, mut ends) = (Vec::new(), FxHashSet::default());
        for &from in &function.blocks {
            let terminator = unit.cfg.terminator(from);
            let args = terminator.args(unit.m);
            if let Terminator::Jump { call, .. } | Terminator::Branch { call, .. } | Terminator::TailCall { call } = terminator {
                ends.insert(call);
            }
            let is_branch = matches!(terminator, Terminator::Branch { .. });
            let to = |target| if let Target::Block(to) = target { Some(to) } else { None };
            ways.extend(terminator.targets().filter_map(to).map(|to| {
                let is_array = |n: NodeId| unit.m[n].ty.is_array();
                let held: Vec<NodeId> = unit.nest.free(to).filter(|&n| is_array(n)).collect();
                let is_once = |arg: NodeId| args.iter().chain(&held).filter(|&&n| n == arg).count() == 1;
                let handed = unit.m[to].params.iter().zip(args).filter(|&(&param, _)| is_array(param));
                Way { from, to, handed: handed.map(|(&param, &arg)| (param, arg, is_once(arg))).collect(), is_branch }
            }));
        }
        let headers = function.loops.iter().filter(|l| l.reducible).map(|l| (l.header, l)).collect();
        Find { unit, function, blocks: function.blocks.iter().copied().collect(), ways, headers, ends }
    }

    /// Arrays that are written to, and parameters that may be such.
    fn candidates(&self) -> impl Iterator<Item = NodeId> + '_ {
        let m = self.unit.m;
        let params = self.function.blocks.iter().filter(|&&g| g != self.function.root).flat_map(|&g| m[g].params.iter().copied());
        let written = self.function.blocks.iter().flat_map(|&g| self.unit.nest.schedule(g).iter().copied());
        params.chain(written.filter(|&n| is_write(m.as_prim(n)))).filter(|&n| m[n].ty.is_array())
    }

    /// The innermost loop around a block.
    fn loop_of(&self, g: GraphId) -> Option<&'u Loop> {
        Some(&self.function.loops[self.unit.cfg.innermost_loop(g)?])
    }

    /// Whether nothing comes to hold an array besides, but for a value that takes it after its loop. A function that captures it has uses
    /// outside of the blocks.
    fn is_kept(&self, n: NodeId) -> bool {
        let m = self.unit.m;
        let own = m[n].graph.and_then(|g| self.loop_of(g));
        let (mut is_held, mut is_taken) = (false, false);
        for u in m[n].users() {
            let Some(g) = m[u.node].graph.filter(|g| self.blocks.contains(g)) else { return false };
            let is_inside = own.is_some_and(|l| l.body.contains(&g));
            match m[u.node].kind {
                Kind::Prim(prim) if is_write(Some(prim)) && u.index == 0 => is_taken |= !is_inside,
                Kind::Prim(Prim::Array(ArrayOp::At, _)) if !m[u.node].ty.is_array() && u.index == 0 => {}
                Kind::Return => {}
                Kind::Call if self.ends.contains(&u.node) && u.index > 0 => is_taken |= !is_inside,
                _ if is_inside || own.is_none() => return false,
                _ => is_held = true,
            }
        }
        !(is_held && is_taken)
    }

    /// Takes out what is given something that others hold, until all hold. Gives the parameters that are to be made where their loop is
    /// entered.
    fn hold(&self, nodes: &mut FxHashSet<NodeId>) -> FxHashSet<NodeId> {
        loop {
            let (mut lost, mut entered) = (FxHashSet::default(), FxHashSet::default());
            for way in &self.ways {
                let enters = self.headers.get(&way.to).is_some_and(|l| !l.body.contains(&way.from)) && !way.is_branch;
                for &(param, arg, is_once) in &way.handed {
                    if !is_once {
                        lost.extend([arg, param]);
                    } else if nodes.contains(&param) && !nodes.contains(&arg) {
                        if enters {
                            entered.insert(param)
                        } else {
                            lost.insert(param)
                        };
                    }
                }
            }
            let before = nodes.len();
            nodes.retain(|n| !lost.contains(n));
            if nodes.len() == before {
                return entered;
            }
        }
    }

    /// Whether each iteration of the loop of a parameter writes to it.
    fn is_written(&self, param: NodeId, nodes: &FxHashSet<NodeId>) -> bool {
        let (m, cfg) = (self.unit.m, self.unit.cfg);
        let Some(header) = m[param].graph else { return false };
        let this = self.headers[&header];
        let always = |g: GraphId| this.body.contains(&g) && this.latches.iter().all(|&latch| cfg.dominates(g, latch));
        let (mut work, mut seen) = (vec![param], FxHashSet::default());
        while let Some(n) = work.pop() {
            if !seen.insert(n) {
                continue;
            }
            for u in m[n].users() {
                let Some(g) = m[u.node].graph.filter(|&g| always(g)) else { continue };
                if is_write(m.as_prim(u.node)) && u.index == 0 {
                    return true;
                }
                if self.ends.contains(&u.node) {
                    let next = self.ways.iter().filter(|way| way.from == g && way.to != header);
                    let params = next.filter_map(|way| m[way.to].params.get(u.index as usize - 1).copied());
                    for p in params.filter(|p| nodes.contains(p)) {
                        let inner = m[p].graph.is_some_and(|g| self.headers.contains_key(&g) && always(g));
                        if inner && self.is_written(p, nodes) {
                            return true;
                        }
                        if !inner {
                            work.push(p);
                        }
                    }
                }
            }
        }
        false
    }
}

/// Whether a primitive writes to its first operand.
fn is_write(prim: Option<Prim>) -> bool {
    matches!(prim, Some(Prim::Array(ArrayOp::SetAt | ArrayOp::AddAt, _)))
}

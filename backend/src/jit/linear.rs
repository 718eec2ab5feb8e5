//! Tapes that have one owner.
//!
//! A tape is at the end of its buffer unless somebody has pushed on the same records before. Where every value of a tape is handed
//! on once only, from push to push and from block to block, nobody can have. Compiled code then neither reads the end of the buffer
//! nor waits for the push before, which has just written it: a processor that reads too early takes the branch for mispredicted.
//!
//! Where pops are handing on, too, a record is popped once: its arrays are then those of who pops it, and the buffer of the tape is
//! given back by the last who has it.

use gradus_ir::cfg::{Cfg, Function, Target, Terminator};
use gradus_ir::{Const, GraphId, Kind, Module, Nest, NodeId, Prim, Type};
use rustc_hash::{FxHashMap, FxHashSet};

/// What is known of the pushes and pops of a program.
#[derive(Default, Debug)]
pub struct Linear {
    /// The pushes whose tape is at the end of its buffer, or has none yet.
    pub pushes: FxHashSet<NodeId>,
    /// The pops of records that nobody else pops.
    pub pops: FxHashSet<NodeId>,
    /// The tapes of which nobody else has a part: once they are not handed on, their buffers can be given back.
    pub tapes: FxHashSet<NodeId>,
}

impl Linear {
    /// Looks at all functions.
    pub fn new(m: &Module, nest: &Nest, cfg: &Cfg) -> Linear {
        let mut found = Linear::default();
        for function in cfg.functions() {
            let mut values = Values::new(m, nest, cfg, function);
            if values.pushes.is_empty() {
                continue;
            }
            let owned = values.owned(m, cfg);
            found.pushes.extend(values.pushes.iter().filter(|&&push| is_owned(m, &owned, m[push].inputs()[0])));
            values.hand_on_by_pops(m);
            let owned = values.owned(m, cfg);
            found.pops.extend(values.pops.iter().map(|&(pop, _)| pop).filter(|&pop| is_owned(m, &owned, m[pop].inputs()[0])));
            found.tapes.extend(owned.difference(&values.lost));
        }
        found
    }
}

/// Whether a tape has one owner, or is an empty one, which has neither records nor room.
fn is_owned(m: &Module, owned: &FxHashSet<NodeId>, tape: NodeId) -> bool {
    owned.contains(&tape) || matches!(m[tape].as_const(), Some(Const::Zero | Const::Undefined))
}

/// The tapes of a function.
#[derive(Default)]
struct Values {
    pushes: Vec<NodeId>,
    pops: Vec<(NodeId, GraphId)>,
    /// What pops leave.
    rests: Vec<NodeId>,
    /// The block of each use that hands a tape on: all but pops, which only read.
    handed_on: FxHashMap<NodeId, Vec<GraphId>>,
    /// Those that are handed on to anything but a push on them or a block, and may be part of anything then.
    lost: FxHashSet<NodeId>,
    /// The parameters of blocks, and what jumps give to each.
    params: FxHashMap<NodeId, Vec<NodeId>>,
}

impl Values {
    fn new(m: &Module, nest: &Nest, cfg: &Cfg, function: &Function) -> Values {
        let mut values = Values::default();
        let is_tape = |n: NodeId| matches!(m[n].ty, Type::Tape(_));
        for &block in &function.blocks {
            let mut hand_on = |n: NodeId, is_known: bool| {
                if is_tape(n) {
                    values.handed_on.entry(n).or_default().push(block);
                    if !is_known {
                        values.lost.insert(n);
                    }
                }
            };
            let terminator = cfg.terminator(block);
            let is_own = |target: Target| matches!(target, Target::Block(target) if target != function.root);
            let jump = match terminator {
                Terminator::Jump { call, .. } | Terminator::Branch { call, .. } if terminator.targets().all(is_own) => Some(call),
                _ => None,
            };
            for &n in nest.schedule(block) {
                let inputs = m[n].inputs();
                match m[n].kind {
                    Kind::Prim(Prim::Pop) => values.pops.push((n, block)),
                    Kind::Prim(Prim::Push) => {
                        values.pushes.push(n);
                        hand_on(inputs[0], true);
                        inputs[1..].iter().for_each(|&input| hand_on(input, false));
                    }
                    _ => inputs.iter().for_each(|&input| hand_on(input, jump == Some(n))),
                }
            }
            if let Terminator::Return(value) = terminator {
                hand_on(value, false);
            }
            // Functions that are called or made into closures here take what they capture.
            for &g in nest.refers(block) {
                if cfg.function_of(g).root != function.root {
                    nest.free(g).for_each(|n| hand_on(n, false));
                }
            }
            for target in terminator.targets() {
                let Target::Block(block) = target else { continue };
                for (&param, &arg) in m[block].params.iter().zip(terminator.args(m)) {
                    if is_tape(param) && is_own(target) {
                        values.params.entry(param).or_default().push(arg);
                    }
                }
            }
        }
        values
    }

    /// Takes pops for what hands a tape on.
    fn hand_on_by_pops(&mut self, m: &Module) {
        for &(pop, block) in &self.pops {
            self.handed_on.entry(m[pop].inputs()[0]).or_default().push(block);
            let users = || m[pop].users().iter().map(|user| user.node);
            let mut rests = users().filter(|&user| m.as_prim(user) == Some(Prim::Get(0)));
            let rest = rests.next();
            if rests.next().is_none() && users().all(|user| matches!(m.as_prim(user), Some(Prim::Get(_)))) {
                self.rests.extend(rest);
            }
        }
    }

    /// The tapes that have one owner when they are made, and are handed on at most once.
    fn owned(&self, m: &Module, cfg: &Cfg) -> FxHashSet<NodeId> {
        let candidates = self.pushes.iter().chain(&self.rests).chain(self.params.keys()).copied();
        let mut owned: FxHashSet<NodeId> = candidates.filter(|&n| self.is_handed_on_once(m, cfg, n)).collect();
        loop {
            let stays = |n: &NodeId| match self.params.get(n) {
                Some(args) => args.iter().all(|&arg| is_owned(m, &owned, arg)),
                // Of what a pop leaves, the pop's.
                None if m.as_prim(*n) == Some(Prim::Get(0)) => is_owned(m, &owned, m[m[*n].inputs()[0]].inputs()[0]),
                None => is_owned(m, &owned, m[*n].inputs()[0]),
            };
            let left: FxHashSet<NodeId> = owned.iter().copied().filter(stays).collect();
            if left.len() == owned.len() {
                return owned;
            }
            owned = left;
        }
    }

    /// Whether no way through the function hands on the same value twice. What leads through its block makes a new one.
    fn is_handed_on_once(&self, m: &Module, cfg: &Cfg, n: NodeId) -> bool {
        match (self.handed_on.get(&n), m[n].graph) {
            (Some(blocks), Some(home)) => cfg.passes_one(home, blocks),
            (uses, _) => uses.is_none(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gradus_ir::parse::parse;

    /// The numbers of linear and of other pushes.
    #[track_caller]
    fn check(text: &str, linear: usize, others: usize) {
        let m = parse(text).unwrap_or_else(|e| panic!("{e}"));
        let nest = Nest::new(&m, &[m.entry.unwrap()]);
        let found = Linear::new(&m, &nest, &Cfg::new(&m, &nest)).pushes.len();
        let schedules = nest.graphs().iter().flat_map(|&g| nest.schedule(g));
        let pushes = schedules.filter(|&&n| m[n].kind == Kind::Prim(Prim::Push)).count();
        assert_eq!((found, pushes - found), (linear, others), "{text}");
    }

    /// A loop of n trips with `arms` for its body and `done` at the end.
    fn a_loop(body: &str, done: &str) -> String {
        format!(
            "entry @f
            graph @f(%n: i64, %x: f64) -> f64 {{
              %0: f64 = call @loop, %n, undefined: tape<f64>
              return %0
            }}
            block @loop(%i: i64, %t: tape<f64>) -> f64 {{
              %1: bool = gt %i, 0
              %2: fn() -> f64 = select %1, @body, @done
              %3: f64 = call %2
              return %3
            }}
            block @body() -> f64 {{
              %i.1: i64 = sub %i, 1
              {body}
            }}
            block @done() -> f64 {{
              {done}
            }}"
        )
    }

    const RECORD: &str = "%u: tape<f64> = push %t, %x
              %5: f64 = call @loop, %i.1, %u
              return %5";

    const POP: &str = "%p: (tape<f64>, f64) = pop %t
              %y: f64 = get<1> %p
              return %y";

    #[test]
    fn a_loop_that_records_once_each_time() {
        check(&a_loop(RECORD, POP), 1, 0);
        // Who is given the tape may push on it; the loop does not any more.
        check(&(a_loop(RECORD, "%6: f64 = call @other, %t\n %9: f64 = add %6, 1.0\n return %9") + OTHER), 1, 1);
    }

    const OTHER: &str = "
            graph @other(%a: tape<f64>) -> f64 {
              %b: tape<f64> = push %a, 1.0
              %7: (tape<f64>, f64) = pop %b
              %8: f64 = get<1> %7
              return %8
            }";

    #[test]
    fn a_loop_that_records_one_way_or_the_other() {
        let body = "%c: bool = gt %i, 5
              %4: fn() -> f64 = select %c, @then, @else
              %5: f64 = call %4
              return %5";
        let arms = "
            block @then() -> f64 {
              %u: tape<f64> = push %t, %x
              %9: f64 = call @loop, %i.1, %u
              return %9
            }
            block @else() -> f64 {
              %v: tape<f64> = push %t, 2.0
              %10: f64 = call @loop, %i.1, %v
              return %10
            }";
        check(&(a_loop(body, POP) + arms), 2, 0);
    }

    #[test]
    fn tapes_that_two_have() {
        // Both pushes are on one tape.
        let body = "%u: tape<f64> = push %t, %x
              %v: tape<f64> = push %t, 2.0
              %q: (tape<f64>, f64) = pop %v
              %z: f64 = get<1> %q
              %w: tape<f64> = push %u, %z
              %5: f64 = call @loop, %i.1, %w
              return %5";
        check(&a_loop(body, POP), 0, 3);
        // A callee gets what is pushed on after the call.
        let body = "%z: f64 = call @other, %t
              %u: tape<f64> = push %t, %z
              %5: f64 = call @loop, %i.1, %u
              return %5";
        check(&(a_loop(body, POP) + OTHER), 0, 2);
        // What a pop leaves is below the end.
        let body = "%u: tape<f64> = push %t, %x
              %q: (tape<f64>, f64) = pop %u
              %r: tape<f64> = get<0> %q
              %v: tape<f64> = push %r, 2.0
              %5: f64 = call @loop, %i.1, %v
              return %5";
        check(&a_loop(body, POP), 0, 2);
    }

    #[test]
    fn a_tape_from_outside_of_a_loop() {
        // Each trip pushes on the same tape.
        let text = "entry @f
            graph @f(%n: i64, %x: f64) -> f64 {
              %t: tape<f64> = push zero: tape<f64>, %x
              %0: f64 = call @loop, %n, %x
              return %0
            }
            block @loop(%i: i64, %s: f64) -> f64 {
              %1: bool = gt %i, 0
              %2: fn() -> f64 = select %1, @body, @done
              %3: f64 = call %2
              return %3
            }
            block @body() -> f64 {
              %i.1: i64 = sub %i, 1
              %u: tape<f64> = push %t, %s
              %p: (tape<f64>, f64) = pop %u
              %y: f64 = get<1> %p
              %5: f64 = call @loop, %i.1, %y
              return %5
            }
            block @done() -> f64 {
              return %s
            }";
        check(text, 1, 1);
    }

    /// A loop that records n times, and one that pops as often; before the second comes `first`, and its sum
    /// begins with `sum`.
    fn there_and_back(first: &str, sum: &str) -> Linear {
        let done = format!("{first}\n %d: f64 = call @back, %t, %n, {sum}\n return %d");
        let back = "
            block @back(%t.b: tape<f64>, %k: i64, %sum: f64) -> f64 {
              %e: bool = gt %k, 0
              %f.b: fn() -> f64 = select %e, @more, @end
              %v.b: f64 = call %f.b
              return %v.b
            }
            block @more() -> f64 {
              %p.b: (tape<f64>, f64) = pop %t.b
              %r: tape<f64> = get<0> %p.b
              %y.b: f64 = get<1> %p.b
              %s: f64 = add %sum, %y.b
              %j: i64 = sub %k, 1
              %n.b: f64 = call @back, %r, %j, %s
              return %n.b
            }
            block @end() -> f64 {
              return %sum
            }";
        let text = a_loop(RECORD, &done) + back + OTHER;
        let m = parse(&text).unwrap_or_else(|e| panic!("{e}"));
        let nest = Nest::new(&m, &[m.entry.unwrap()]);
        Linear::new(&m, &nest, &Cfg::new(&m, &nest))
    }

    #[test]
    fn records_that_are_popped_once() {
        let found = there_and_back("", "0.0");
        // The parameters of both loops, the push, and what the pop leaves.
        assert_eq!((found.pops.len(), found.tapes.len()), (1, 4));
        let found = there_and_back("%o: f64 = call @other, %t", "%o");
        assert!(found.pops.is_empty() && found.tapes.is_empty(), "{found:?}");
    }
}

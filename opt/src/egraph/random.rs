//! Random programs with branches and loops give the same bits before and after, and no new traps.

use super::*;
use gradus_ir::cfg::Terminator;
use gradus_ir::eval::{self, Scalar};
use gradus_ir::{Flavor, Role, Span, TrapKind, print, verify};

struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) as usize % n
    }
}

/// A program under construction: a function with the values that are visible in the block at hand.
struct Writer {
    m: Module,
    random: Random,
    block: GraphId,
    visible: Vec<NodeId>,
}

const PRIMS: &[Prim] = &[
    Prim::Add,
    Prim::Sub,
    Prim::Mul,
    Prim::Add,
    Prim::Sub,
    Prim::Mul,
    Prim::Div,
    Prim::Neg,
    Prim::Abs,
    Prim::Mul0,
    Prim::Div0,
    Prim::Exp,
    Prim::Sqrt,
    Prim::Powi,
    Prim::Pow,
    Prim::Lt,
    Prim::Le,
    Prim::Gt,
    Prim::Eq,
    Prim::And,
    Prim::Or,
    Prim::Not,
    Prim::Select,
    Prim::Select,
    Prim::Float,
    Prim::FloorDiv,
    Prim::WrapAdd,
    Prim::WrapSub,
    Prim::WrapMul,
    Prim::HighMul,
    Prim::ShiftLeft,
    Prim::ShiftRight,
    Prim::BitAnd,
    Prim::BitXor,
    Prim::Min,
    Prim::Maximum,
    Prim::Tuple,
    Prim::Get(0),
    Prim::Get(1),
];

impl Writer {
    fn new(seed: u64) -> Writer {
        let mut m = Module::new();
        let block = m.add_graph("f", Flavor::Function, Role::Primal, Span::NONE);
        m.entry = Some(block);
        m.declare_result(block, Type::F64);
        let mut visible = Vec::new();
        for ty in [Type::F64, Type::F64, Type::I64, Type::Bool] {
            visible.push(m.add_param(block, ty, None, Span::NONE));
        }
        for v in [0.0, -0.0, 1.0, -1.0, 2.0, 0.5] {
            visible.push(m.f64(v));
        }
        for v in [0, 1, -1, 2] {
            visible.push(m.i64(v));
        }
        visible.extend([m.bool(true), m.bool(false)]);
        Writer { m, random: Random(seed | 1), block, visible }
    }

    fn pick(&mut self, ty: Option<&Type>) -> NodeId {
        let fitting: Vec<NodeId> = self.visible.iter().copied().filter(|&n| ty.is_none_or(|t| self.m[n].ty == *t)).collect();
        // Recent values more often, so that programs grow deep.
        let last = fitting.len().min(8);
        if self.random.below(2) == 0 {
            fitting[fitting.len() - 1 - self.random.below(last)]
        } else {
            fitting[self.random.below(fitting.len())]
        }
    }

    fn nodes(&mut self, count: usize) {
        for _ in 0..count {
            let prim = PRIMS[self.random.below(PRIMS.len())];
            let operands: Vec<NodeId> = (0..prim.arity().unwrap_or(2)).map(|_| self.pick(None)).collect();
            let types: Vec<Type> = operands.iter().map(|&n| self.m[n].ty.clone()).collect();
            if let Some(ty) = prim.result_type(&types) {
                let n = self.m.prim(self.block, prim, operands, ty, Span::NONE);
                self.visible.push(n);
            }
        }
    }

    /// A float that depends on several values.
    fn summary(&mut self) -> NodeId {
        let mut value = self.pick(Some(&Type::F64));
        for _ in 0..4 {
            let other = self.pick(Some(&Type::F64));
            let n = self.pick(Some(&Type::I64));
            let c = self.pick(Some(&Type::Bool));
            let power = self.m.prim(self.block, Prim::Powi, vec![other, n], Type::F64, Span::NONE);
            let either = self.m.prim(self.block, Prim::Select, vec![c, power, other], Type::F64, Span::NONE);
            value = self.m.prim(self.block, Prim::Add, vec![value, either], Type::F64, Span::NONE);
        }
        value
    }

    fn new_block(&mut self) -> GraphId {
        let g = self.m.add_graph("b", Flavor::Block, Role::Primal, Span::NONE);
        self.m.declare_result(g, Type::F64);
        g
    }

    fn jump(&mut self, target: GraphId, args: &[NodeId]) {
        let callee = self.m.graph_ref(target);
        let call = self.m.call(self.block, callee, args, Type::F64, Span::NONE);
        self.m.set_result(self.block, call);
    }

    fn branch(&mut self, cond: NodeId, arms: [GraphId; 2]) {
        let [a, b] = arms.map(|g| self.m.graph_ref(g));
        let select = self.m.prim(self.block, Prim::Select, vec![cond, a, b], self.m[a].ty.clone(), Span::NONE);
        let call = self.m.call(self.block, select, &[], Type::F64, Span::NONE);
        self.m.set_result(self.block, call);
    }

    /// An `if` with a φ; goes on in the join.
    fn diamond(&mut self, depth: usize) {
        let cond = self.pick(Some(&Type::Bool));
        let arms = [self.new_block(), self.new_block()];
        let join = self.new_block();
        let phi = self.m.add_param(join, Type::F64, None, Span::NONE);
        self.branch(cond, arms);
        let outer = self.visible.clone();
        for arm in arms {
            self.visible.clone_from(&outer);
            self.block = arm;
            self.body(depth);
            let value = self.summary();
            self.jump(join, &[value]);
        }
        self.visible = outer;
        self.visible.push(phi);
        self.block = join;
    }

    /// A loop of three rounds with an accumulator; goes on after it.
    fn cycle(&mut self, depth: usize) {
        let (head, body, exit) = (self.new_block(), self.new_block(), self.new_block());
        let i = self.m.add_param(head, Type::I64, None, Span::NONE);
        let sum = self.m.add_param(head, Type::F64, None, Span::NONE);
        let (zero, one, three) = (self.m.i64(0), self.m.i64(1), self.m.i64(3));
        let start = self.pick(Some(&Type::F64));
        self.jump(head, &[zero, start]);
        self.block = head;
        self.visible.extend([i, sum]);
        self.nodes(2);
        let cond = self.m.prim(head, Prim::Lt, vec![i, three], Type::Bool, Span::NONE);
        self.branch(cond, [body, exit]);
        let outer = self.visible.clone();
        self.block = body;
        self.body(depth);
        let next = self.m.prim(self.block, Prim::Add, vec![i, one], Type::I64, Span::NONE);
        let value = self.summary();
        self.jump(head, &[next, value]);
        self.visible = outer;
        self.block = exit;
    }

    fn body(&mut self, depth: usize) {
        let count = 2 + self.random.below(8);
        self.nodes(count);
        if depth > 0 {
            for _ in 0..self.random.below(3) {
                if self.random.below(2) == 0 {
                    self.diamond(depth - 1)
                } else {
                    self.cycle(depth - 1)
                }
                self.nodes(3);
            }
        }
    }

    fn program(mut self) -> Module {
        self.body(2);
        let value = self.summary();
        self.m.set_result(self.block, value);
        self.m
    }
}

#[derive(Clone, Debug)]
enum Value {
    Scalar(Scalar),
    Tuple(Vec<Value>),
}

/// What a number is that is not defined over the reals, or comes of one: no operation but a choice of another one loses it.
fn poisoned(operands: &[Scalar], value: Scalar) -> Scalar {
    let is_finite = |v: &Scalar| !matches!(v, Scalar::F64(v) if !v.is_finite());
    match value {
        Scalar::F64(_) if !operands.iter().chain([&value]).all(is_finite) => Scalar::F64(f64::NAN),
        _ => value,
    }
}

/// Runs the entry; a node is executed when its block is entered.
fn run(m: &Module, args: &[Scalar]) -> Result<Scalar, TrapKind> {
    run_with(m, args, |_, value| value)
}

/// The same with something done to what each primitive gives.
fn run_with(m: &Module, args: &[Scalar], then: impl Fn(&[Scalar], Scalar) -> Scalar) -> Result<Scalar, TrapKind> {
    let entry = m.entry.expect("an entry");
    let nest = Nest::new(m, &[entry]);
    let cfg = Cfg::new(m, &nest);
    let mut values: FxHashMap<NodeId, Value> = FxHashMap::default();
    for (&p, &v) in m[entry].params.iter().zip(args) {
        values.insert(p, Value::Scalar(v));
    }
    let get = |values: &FxHashMap<NodeId, Value>, n: NodeId| match m[n].as_const() {
        Some(Const::F64(bits)) => Value::Scalar(Scalar::F64(f64::from_bits(*bits))),
        Some(Const::I64(v)) => Value::Scalar(Scalar::I64(*v)),
        Some(Const::Bool(v)) => Value::Scalar(Scalar::Bool(*v)),
        _ => values[&n].clone(),
    };
    let mut block = entry;
    loop {
        for &n in nest.schedule(block) {
            let Kind::Prim(p) = m[n].kind else { continue };
            if cfg.is_branch(n) {
                continue;
            }
            let operands: Vec<Value> = m[n].inputs().iter().map(|&i| get(&values, i)).collect();
            let value = match (p, &operands[..]) {
                (Prim::Tuple, _) => Value::Tuple(operands),
                (Prim::Get(i), [Value::Tuple(fields)]) => fields[i as usize].clone(),
                (Prim::Select, [Value::Scalar(Scalar::Bool(c)), a, b]) => if *c { a } else { b }.clone(),
                _ => {
                    let scalars: Vec<Scalar> = operands
                        .iter()
                        .map(|v| match v {
                            Value::Scalar(s) => *s,
                            Value::Tuple(_) => panic!("a scalar primitive of a tuple"),
                        })
                        .collect();
                    Value::Scalar(then(&scalars, eval::eval(p, &scalars).expect("typed")?))
                }
            };
            values.insert(n, value);
        }
        let (target, call) = match cfg.terminator(block) {
            Terminator::Return(n) => match get(&values, n) {
                Value::Scalar(s) => return Ok(s),
                Value::Tuple(_) => panic!("the result is a float"),
            },
            Terminator::Jump { target, call } => (target, call),
            Terminator::Branch { cond, arms, call } => match get(&values, cond) {
                Value::Scalar(Scalar::Bool(c)) => (arms[usize::from(!c)].graph(), call),
                other => panic!("{other:?} is not a condition"),
            },
            Terminator::TailCall { .. } => panic!("no other functions"),
        };
        let args: Vec<Value> = m[call].inputs()[1..].iter().map(|&n| get(&values, n)).collect();
        for (&p, v) in m[target].params.iter().zip(args) {
            values.insert(p, v);
        }
        block = target;
    }
}

/// Compares a random program before and after, on edge cases; gives the number of results that were compared.
fn compare(seed: u64, options: &Options, stats: &mut Stats) -> usize {
    let floats = [0.0, -0.0, 1.5, -3.0, f64::INFINITY, f64::NAN, 1e300, 5e-324];
    let before = Writer::new(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15)).program();
    let mut after = before.clone();
    let done = saturate(&mut after, options, &mut Settled::default());
    stats.improved += done.improved;
    assert!(done.applications.1 <= done.applications.0 || done.improved > 0);
    verify::verify(&after).unwrap_or_else(|e| panic!("seed {seed}: {e}\n{}", print::print(&after)));
    let mut compared = 0;
    for (i, &x) in floats.iter().enumerate() {
        for n in [0, 1, -2, i64::MAX] {
            let other = floats[(i + 3) % floats.len()];
            let args = [Scalar::F64(x), Scalar::F64(other), Scalar::I64(n), Scalar::Bool(n > 0)];
            let Ok(expected) = run(&before, &args) else { continue };
            let found = run(&after, &args);
            assert!(
                found.is_ok_and(|v| analysis::same_bits(v, expected)),
                "seed {seed}: {found:?} for {expected:?} of {args:?}\n{}\n{}",
                print::print(&before),
                print::print(&after)
            );
            compared += 1;
        }
    }
    compared
}

#[test]
fn random_programs_keep_their_bits() {
    let mut stats = Stats::default();
    let compared: usize = (1..150).map(|seed| compare(seed, &Options::default(), &mut stats)).sum();
    assert!(compared > 2000 && stats.improved > 120, "{compared} results compared, {} improved", stats.improved);
}

#[test]
fn so_do_programs_in_pieces() {
    let mut stats = Stats::default();
    let options = Options { piece: 7, ..Options::default() };
    let compared: usize = (1..100).map(|seed| compare(seed, &options, &mut stats)).sum();
    assert!(compared > 1500 && stats.improved > 300, "{compared} results compared, {} improved", stats.improved);
}

/// Compares a random program before and after rewrites over the reals, where it is defined and a small change of its arguments changes
/// little; gives the number of results that were compared.
fn compare_over_the_reals(seed: u64, stats: &mut Stats) -> usize {
    let options = Options { math: Math::Fast, ..Options::default() };
    let before = Writer::new(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15)).program();
    let mut after = before.clone();
    let done = saturate(&mut after, &options, &mut Settled::default());
    stats.improved += done.improved;
    stats.contradictions += done.contradictions;
    verify::verify(&after).unwrap_or_else(|e| panic!("seed {seed}: {e}\n{}", print::print(&after)));
    let close = |a: f64, b: f64| (a - b).abs() <= 1e-4 * a.abs().max(b.abs()).max(1.0);
    let mut compared = 0;
    for (x, y) in [(0.0, 1.5), (1.5, 0.0), (-0.7, 0.3), (0.3, -2.0), (2.5, 1.25), (-1.0, -1.0)] {
        for n in [0, 1, -2, 3] {
            let args = |h: f64| [Scalar::F64(x * (1.0 + h)), Scalar::F64(y * (1.0 - h)), Scalar::I64(n), Scalar::Bool(n > 0)];
            let defined = |h: f64| match run_with(&before, &args(h), poisoned) {
                Ok(Scalar::F64(v)) if v.abs() < 1e6 => Some(v),
                _ => None,
            };
            let (Some(expected), Some(near)) = (defined(0.0), defined(1e-9)) else { continue };
            if !close(expected, near) {
                continue;
            }
            let found = run(&after, &args(0.0));
            assert!(
                matches!(found, Ok(Scalar::F64(v)) if close(v, expected)),
                "seed {seed}: {found:?} for {expected:?} of {:?}\n{}\n{}",
                args(0.0),
                print::print(&before),
                print::print(&after)
            );
            compared += 1;
        }
    }
    compared
}

#[test]
fn real_rules_keep_what_is_defined() {
    let mut stats = Stats::default();
    let compared: usize = (1..150).map(|seed| compare_over_the_reals(seed, &mut stats)).sum();
    assert!(compared > 500 && stats.improved > 100, "{compared} results compared, {stats:?}");
}

//! Random programs with branches, loops, functions, closures and tapes compute the same bits before and after, and no trap is
//! added. Both executors give the same.

use gradus_backend::{Interp, Jit};
use gradus_ir::print::print;
use gradus_ir::verify::verify;
use gradus_ir::{Flavor, GraphId, Module, NodeId, Prim, Role, Span, Type, Value};
use gradus_opt::{Options, simplify};
use proptest::prelude::*;

/// A program under construction, steered by a list of choices; when they run out, the first alternative is taken.
struct Writer<'a> {
    m: Module,
    choices: std::slice::Iter<'a, u8>,
    /// The graph at hand, and the values in scope there.
    g: GraphId,
    scope: Vec<NodeId>,
    /// The tapes that are left: each is used once.
    tapes: Vec<NodeId>,
}

fn function_type() -> Type {
    Type::func([Type::F64], Type::F64)
}

fn pair_type() -> Type {
    Type::tuple([Type::F64, function_type()])
}

/// What boxes hold, and the records of tapes.
fn box_content() -> Type {
    Type::tuple([Type::F64, Type::Opaque])
}

impl Writer<'_> {
    fn choose(&mut self, n: usize) -> usize {
        self.choices.next().map_or(0, |&c| c as usize % n)
    }

    fn more(&mut self) -> bool {
        !self.choices.as_slice().is_empty()
    }

    /// The newest tape, which is gone then, or an empty one.
    fn tape(&mut self) -> NodeId {
        self.tapes.pop().unwrap_or_else(|| self.m.constant(gradus_ir::Const::Zero, Type::tape(box_content())))
    }

    /// Applies a primitive that gives a tape.
    fn new_tape(&mut self, p: Prim, operands: &[NodeId]) {
        let n = self.m.prim(self.g, p, operands.to_vec(), Type::tape(box_content()), Span::NONE);
        self.tapes.push(n);
    }

    /// Takes the last record from the newest tape.
    fn pop(&mut self) {
        let tape = self.tape();
        let ty = Type::tuple([Type::tape(box_content()), box_content()]);
        let pair = self.m.prim(self.g, Prim::Pop, vec![tape], ty, Span::NONE);
        self.new_tape(Prim::Get(0), &[pair]);
        let record = self.m.prim(self.g, Prim::Get(1), vec![pair], box_content(), Span::NONE);
        for (i, ty) in [Type::F64, Type::Opaque].into_iter().enumerate() {
            self.prim(Prim::Get(i as u32), &[record], ty);
        }
    }

    /// A value of the type: one in scope, as chosen, or a constant.
    fn value(&mut self, ty: &Type) -> NodeId {
        if ty.record().is_some() {
            return self.tape();
        }
        let found: Vec<NodeId> = self.scope.iter().copied().filter(|&n| self.m[n].ty == *ty).collect();
        if !found.is_empty() {
            let newest = found.len().min(6);
            let i = self.choose(newest);
            return found[found.len() - 1 - i];
        }
        match ty {
            Type::F64 => self.m.f64(1.5),
            Type::I64 => self.m.i64(2),
            Type::Bool => self.m.bool(true),
            Type::Opaque => self.m.constant(gradus_ir::Const::Zero, Type::Opaque),
            Type::Tuple(items) => {
                let items: Vec<NodeId> = items.iter().map(|t| self.value(t)).collect();
                self.m.prim(self.g, Prim::Tuple, items, ty.clone(), Span::NONE)
            }
            _ => {
                let g = self.graph("id", Flavor::Function, &[Type::F64], Type::F64);
                let x = self.m[g].params[0];
                self.m.set_result(g, x);
                self.m.graph_ref(g)
            }
        }
    }

    fn graph(&mut self, name: &str, flavor: Flavor, params: &[Type], result: Type) -> GraphId {
        let g = self.m.add_graph(name, flavor, Role::Primal, Span::NONE);
        for p in params {
            self.m.add_param(g, p.clone(), None, Span::NONE);
        }
        self.m.declare_result(g, result);
        g
    }

    fn prim(&mut self, p: Prim, operands: &[NodeId], ty: Type) {
        let n = self.m.prim(self.g, p, operands.to_vec(), ty, Span::NONE);
        self.scope.push(n);
    }

    fn call(&mut self, callee: NodeId, args: &[NodeId]) -> NodeId {
        let ty = self.m[callee].ty.signature().expect("a signature").result.clone();
        self.m.call(self.g, callee, args, ty, Span::NONE)
    }

    /// Writes the body of `g` in a scope of its own. What tapes its graph has left an arm may use.
    fn inside(&mut self, g: GraphId, body: impl FnOnce(&mut Self)) {
        let (outer, visible, tapes) = (self.g, self.scope.len(), self.tapes.clone());
        self.g = g;
        let params = self.m[g].params.clone();
        if self.m[g].flavor == Flavor::Function || !params.is_empty() {
            self.tapes = params.iter().copied().filter(|&p| self.m[p].ty.record().is_some()).collect();
        }
        self.scope.extend(params);
        body(self);
        self.scope.truncate(visible);
        self.tapes = tapes;
        self.g = outer;
    }

    /// A function with a body of its own, closed over what is in scope, that returns a value of the type.
    fn function(&mut self, result: Type) -> NodeId {
        let g = self.graph("f", Flavor::Function, &[Type::F64], result.clone());
        self.inside(g, |w| w.body(&result));
        self.m.graph_ref(g)
    }

    /// Some statements, and the end of the graph: a value, a branch or a loop.
    fn body(&mut self, result: &Type) {
        for _ in 0..self.choose(8) + 3 {
            self.statement();
        }
        match self.choose(5) {
            1 | 2 if self.more() => self.diamond(result),
            3 if self.more() => self.cycle(result),
            _ => {
                self.summary();
                let v = self.value(result);
                self.m.set_result(self.g, v);
            }
        }
    }

    /// Makes the newest values matter: the sum of floats, the results of functions, and the contents of boxes and tapes.
    fn summary(&mut self) {
        for _ in 0..self.tapes.len().min(3) {
            self.pop();
            self.pop();
            self.tapes.pop();
        }
        let newest: Vec<NodeId> = self.scope.iter().rev().take(8).copied().collect();
        let mut sum = self.value(&Type::F64);
        for n in newest {
            let x = match self.m[n].ty.clone() {
                Type::F64 => n,
                Type::I64 => self.m.prim(self.g, Prim::Float, vec![n], Type::F64, Span::NONE),
                ty if ty == function_type() => self.call(n, &[sum]),
                Type::Opaque => {
                    let t = self.m.prim(self.g, Prim::Unpack, vec![n], box_content(), Span::NONE);
                    self.m.prim(self.g, Prim::Get(0), vec![t], Type::F64, Span::NONE)
                }
                _ => continue,
            };
            sum = self.m.prim(self.g, Prim::Add, vec![sum, x], Type::F64, Span::NONE);
        }
        self.scope.push(sum);
    }

    fn statement(&mut self) {
        let (f64, i64, bool) = (Type::F64, Type::I64, Type::Bool);
        match self.choose(20) {
            0 | 1 => {
                let (a, b) = (self.value(&f64), self.value(&f64));
                let p = [Prim::Add, Prim::Mul, Prim::Sub, Prim::Mul0][self.choose(4)];
                self.prim(p, &[a, b], f64);
            }
            2 => {
                let a = self.value(&f64);
                let p = [Prim::Sin, Prim::Neg][self.choose(2)];
                self.prim(p, &[a], f64);
            }
            3 => {
                let (a, b) = (self.value(&f64), self.value(&f64));
                self.prim(Prim::Lt, &[a, b], bool);
            }
            4 => {
                let (a, b) = (self.value(&i64), self.value(&i64));
                let p = [Prim::FloorDiv, Prim::Add, Prim::WrapSub][self.choose(3)];
                self.prim(p, &[a, b], i64);
            }
            5 => {
                let a = self.value(&i64);
                self.prim(Prim::Float, &[a], f64);
            }
            6 => {
                let ty = [Type::F64, Type::I64, function_type(), pair_type(), Type::Opaque][self.choose(5)].clone();
                let (c, a, b) = (self.value(&bool), self.value(&ty), self.value(&ty));
                self.prim(Prim::Select, &[c, a, b], ty);
            }
            7 | 8 if self.more() => {
                let f = self.function(f64);
                self.scope.push(f);
            }
            9 if self.more() => {
                let f = self.function(pair_type());
                self.scope.push(f);
            }
            10 | 11 => {
                let (f, x) = (self.value(&function_type()), self.value(&f64));
                let y = self.call(f, &[x]);
                self.scope.push(y);
            }
            12 => {
                let (f, x) = (self.value(&Type::func([Type::F64], pair_type())), self.value(&f64));
                if self.m[f].ty.signature().is_some_and(|s| s.result == pair_type()) {
                    let t = self.call(f, &[x]);
                    self.scope.push(t);
                }
            }
            13 => {
                let t = self.value(&pair_type());
                let i = self.choose(2);
                let ty = [Type::F64, function_type()][i].clone();
                self.prim(Prim::Get(i as u32), &[t], ty);
            }
            14 => {
                let t = self.value(&box_content());
                self.prim(Prim::Pack, &[t], Type::Opaque);
                let (a, b) = (self.value(&Type::Opaque), self.value(&Type::Opaque));
                self.prim(Prim::Gadd, &[a, b], Type::Opaque);
            }
            15 => {
                let b = self.value(&Type::Opaque);
                self.prim(Prim::Unpack, &[b], box_content());
                let t = *self.scope.last().expect("just pushed");
                self.prim(Prim::Get(0), &[t], Type::F64);
            }
            16 | 17 => {
                let (tape, record) = (self.tape(), self.value(&box_content()));
                self.new_tape(Prim::Push, &[tape, record]);
            }
            18 => self.pop(),
            19 => {
                let (c, a, b) = (self.value(&bool), self.tape(), self.tape());
                match self.choose(2) {
                    0 => self.new_tape(Prim::Gadd, &[a, b]),
                    _ => self.new_tape(Prim::Select, &[c, a, b]),
                }
            }
            _ => {}
        }
    }

    /// What joins and loops carry.
    fn carried(&mut self) -> Vec<Type> {
        let all = [Type::F64, function_type(), pair_type(), Type::Opaque, Type::I64, Type::tape(box_content())];
        (0..self.choose(4) + 1).map(|_| all[self.choose(all.len())].clone()).collect()
    }

    fn jump(&mut self, target: NodeId, args: &[NodeId]) {
        let r = self.call(target, args);
        self.m.set_result(self.g, r);
    }

    fn branch(&mut self, arms: [GraphId; 2], result: &Type) {
        let c = self.value(&Type::Bool);
        let [a, b] = arms.map(|g| self.m.graph_ref(g));
        let callee = self.m.prim(self.g, Prim::Select, vec![c, a, b], Type::func([], result.clone()), Span::NONE);
        self.jump(callee, &[]);
    }

    fn diamond(&mut self, result: &Type) {
        let carried = self.carried();
        let join = self.graph("join", Flavor::Block, &carried, result.clone());
        let target = self.m.graph_ref(join);
        let arms = ["then", "else"].map(|name| self.graph(name, Flavor::Block, &[], result.clone()));
        self.branch(arms, result);
        for arm in arms {
            self.inside(arm, |w| {
                for _ in 0..w.choose(5) {
                    w.statement();
                }
                let args: Vec<NodeId> = carried.iter().map(|t| w.value(t)).collect();
                w.jump(target, &args);
            });
        }
        self.inside(join, |w| w.body(result));
    }

    /// A loop of at most three turns.
    fn cycle(&mut self, result: &Type) {
        let carried = self.carried();
        let types: Vec<Type> = [Type::I64].into_iter().chain(carried.iter().cloned()).collect();
        let header = self.graph("loop", Flavor::Block, &types, result.clone());
        let target = self.m.graph_ref(header);
        let [turn, done] = ["turn", "done"].map(|name| self.graph(name, Flavor::Block, &[], result.clone()));
        let mut args = vec![self.m.i64(3)];
        args.extend(carried.iter().map(|t| self.value(t)).collect::<Vec<_>>());
        self.jump(target, &args);
        let count = self.m[header].params[0];
        self.inside(header, |w| {
            let zero = w.m.i64(0);
            w.prim(Prim::Gt, &[count, zero], Type::Bool);
            let c = *w.scope.last().expect("just pushed");
            let [a, b] = [turn, done].map(|g| w.m.graph_ref(g));
            let callee = w.m.prim(header, Prim::Select, vec![c, a, b], Type::func([], result.clone()), Span::NONE);
            w.jump(callee, &[]);
            w.inside(turn, |w| {
                for _ in 0..w.choose(6) {
                    w.statement();
                }
                let one = w.m.i64(1);
                let next = w.m.prim(turn, Prim::WrapSub, vec![count, one], Type::I64, Span::NONE);
                let mut args = vec![next];
                args.extend(carried.iter().map(|t| w.value(t)).collect::<Vec<_>>());
                w.jump(target, &args);
            });
            w.inside(done, |w| w.body(result));
        });
    }
}

fn program(choices: &[u8]) -> Module {
    let mut m = Module::new();
    let main = m.add_graph("main", Flavor::Function, Role::Primal, Span::NONE);
    for ty in [Type::F64, Type::Bool, Type::I64] {
        m.add_param(main, ty, None, Span::NONE);
    }
    m.declare_result(main, Type::F64);
    m.entry = Some(main);
    let mut w = Writer { m, choices: choices.iter(), g: main, scope: Vec::new(), tapes: Vec::new() };
    w.inside(main, |w| w.body(&Type::F64));
    let mut m = w.m;
    m.collect_garbage(&[main]);
    m
}

fn check(choices: &[u8], options: &Options) {
    let before = program(choices);
    verify(&before).unwrap_or_else(|e| panic!("the generator made\n{e}\n{}", print(&before)));
    let mut after = before.clone();
    simplify(&mut after, options, &mut Default::default());
    verify(&after).unwrap_or_else(|e| panic!("{e}\n{}", print(&after)));
    let (old, new) = (Interp::new(&before).expect("compiles"), Interp::new(&after).expect("compiles"));
    let jit = Jit::compile(&before).expect("compiles");
    for (x, b, i) in [(0.5, true, 3), (-2.0, false, 0), (-0.0, true, -1)] {
        let args = [Value::F64(x), Value::Bool(b), Value::I64(i)];
        match (old.run(&args), jit.run(&args)) {
            (Ok(a), Ok(b)) => assert!(a.same_bits(&b), "{args:?}: {a:?}, and {b:?} by the JIT\n{}", print(&before)),
            (a, b) => assert_eq!(a, b, "{args:?}\n{}", print(&before)),
        }
        // A trap may go, but none may come.
        if let Ok(expected) = old.run(&args) {
            let same = new.run(&args).is_ok_and(|found| found.same_bits(&expected));
            assert!(same, "{args:?}: {expected:?} before\n{}\n{:?} after\n{}", print(&before), new.run(&args), print(&after));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn graph_passes_keep_every_bit(choices in proptest::collection::vec(any::<u8>(), 20..400)) {
        check(&choices, &Options { saturate: false, ..Options::default() });
    }

    #[test]
    fn so_do_they_where_nothing_is_copied(choices in proptest::collection::vec(any::<u8>(), 20..400)) {
        check(&choices, &Options { saturate: false, inline_size: 0, inline_closure_size: 0, ..Options::default() });
    }

    #[test]
    fn so_does_all_of_it(choices in proptest::collection::vec(any::<u8>(), 20..200)) {
        check(&choices, &Options::default());
    }
}

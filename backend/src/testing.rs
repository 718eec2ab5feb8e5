//! Programs that both executors are tested on, and what they are built with.

pub mod tapes;

use gradus_ir::{Flavor, GraphId, Module, NodeId, Prim, Role, Span, Trap, TrapKind, Type, Value};

/// Builds typed modules by hand.
#[derive(Default)]
pub struct Build {
    pub m: Module,
    /// The span of the next node.
    at: u32,
}

pub const F64: Type = Type::F64;
pub const I64: Type = Type::I64;
pub const BOOL: Type = Type::Bool;

impl Build {
    /// A graph with a declared result; its parameters are nodes of the given types.
    pub fn graph<const N: usize>(&mut self, name: &str, params: [Type; N], result: Type) -> (GraphId, [NodeId; N]) {
        let g = self.m.add_graph(name, Flavor::Function, Role::Primal, Span::NONE);
        let params = params.map(|ty| self.m.add_param(g, ty, None, Span::NONE));
        self.m.declare_result(g, result);
        (g, params)
    }

    fn span(&mut self) -> Span {
        self.at += 1;
        Span::new(self.at, self.at + 1)
    }

    pub fn op(&mut self, g: GraphId, prim: Prim, operands: &[NodeId]) -> NodeId {
        let types: Vec<Type> = operands.iter().map(|&n| self.m[n].ty.clone()).collect();
        let ty = prim.result_type(&types).unwrap_or_else(|| panic!("{prim:?} does not take {types:?}"));
        let span = self.span();
        self.m.prim(g, prim, operands.to_vec(), ty, span)
    }

    pub fn unpack(&mut self, g: GraphId, boxed: NodeId, ty: Type) -> NodeId {
        let span = self.span();
        self.m.prim(g, Prim::Unpack, vec![boxed], ty, span)
    }

    pub fn call(&mut self, g: GraphId, callee: NodeId, args: &[NodeId]) -> NodeId {
        let ty = self.m[callee].ty.signature().expect("a callee with a signature").result.clone();
        let span = self.span();
        self.m.call(g, callee, args, ty, span)
    }

    pub fn call_graph(&mut self, g: GraphId, callee: GraphId, args: &[NodeId]) -> NodeId {
        let callee = self.m.graph_ref(callee);
        self.call(g, callee, args)
    }

    pub fn ret(&mut self, g: GraphId, n: NodeId) {
        self.m.set_result(g, n);
    }

    /// `return (then if condition else otherwise)()` of two graphs without parameters.
    pub fn branch(&mut self, g: GraphId, condition: NodeId, then: GraphId, otherwise: GraphId) {
        let (then, otherwise) = (self.m.graph_ref(then), self.m.graph_ref(otherwise));
        let chosen = self.op(g, Prim::Select, &[condition, then, otherwise]);
        let call = self.call(g, chosen, &[]);
        self.ret(g, call);
    }

    pub fn finish(mut self, entry: GraphId) -> Module {
        self.m.entry = Some(entry);
        self.m
    }
}

/// A program, its arguments and its answer.
pub struct Case {
    pub name: &'static str,
    pub module: Module,
    pub args: Vec<Value>,
    pub expected: Result<Value, TrapKind>,
}

impl Case {
    fn new(name: &'static str, module: Module, args: &[Value], expected: impl Into<Value>) -> Case {
        Case { name, module, args: args.to_vec(), expected: Ok(expected.into()) }
    }

    fn traps(name: &'static str, module: Module, args: &[Value], expected: TrapKind) -> Case {
        Case { name, module, args: args.to_vec(), expected: Err(expected) }
    }

    /// Asserts that a run answered as expected.
    #[track_caller]
    pub fn check(&self, found: Result<Value, Trap>) {
        let same = match (&found, &self.expected) {
            (Ok(a), Ok(b)) => a.same_bits(b),
            (Err(trap), Err(kind)) => trap.kind == *kind && trap.span.is_some(),
            _ => false,
        };
        assert!(same, "{}: {found:?}, expected {:?}", self.name, self.expected);
    }
}

/// `pow(x, n)` by a loop: `r = 1; while n > 0: n = n - 1; r = r * x; return r`.
pub fn pow_loop() -> Module {
    let mut b = Build::default();
    let (pow, [x, n]) = b.graph("pow", [F64, I64], F64);
    let (header, [i, r]) = b.graph("header", [I64, F64], F64);
    let (body, []) = b.graph("body", [], F64);
    let (done, []) = b.graph("done", [], F64);
    let (one, zero, step) = (b.m.f64(1.0), b.m.i64(0), b.m.i64(1));
    let start = b.call_graph(pow, header, &[n, one]);
    b.ret(pow, start);
    let more = b.op(header, Prim::Gt, &[i, zero]);
    b.branch(header, more, body, done);
    let next = b.op(body, Prim::Sub, &[i, step]);
    let product = b.op(body, Prim::Mul, &[r, x]);
    let again = b.call_graph(body, header, &[next, product]);
    b.ret(body, again);
    b.ret(done, r);
    b.finish(pow)
}

/// `f(n) = 0 if n == 0 else 1 + f(n - 1)`; with `bounded` false, without the test.
pub fn recursion(bounded: bool) -> Module {
    let mut b = Build::default();
    let (f, [n]) = b.graph("f", [I64], I64);
    let (deeper, []) = b.graph("deeper", [], I64);
    let (base, []) = b.graph("base", [], I64);
    let (zero, one) = (b.m.i64(0), b.m.i64(1));
    if bounded {
        let stop = b.op(f, Prim::Eq, &[n, zero]);
        b.branch(f, stop, base, deeper);
    } else {
        let call = b.call_graph(f, deeper, &[]);
        b.ret(f, call);
    }
    b.ret(base, zero);
    let less = b.op(deeper, Prim::Sub, &[n, one]);
    let rest = b.call_graph(deeper, f, &[less]);
    let sum = b.op(deeper, Prim::Add, &[one, rest]);
    b.ret(deeper, sum);
    b.finish(f)
}

/// A chain of n closures, `k' = λv. k(v + x·i)`, built by a loop and called at its end: each link tail-calls the next.
pub fn closure_chain() -> Module {
    let mut b = Build::default();
    let link_type = Type::func([F64], F64);
    let (entry, [x, n]) = b.graph("entry", [F64, I64], F64);
    let (identity, [v]) = b.graph("identity", [F64], F64);
    b.ret(identity, v);
    let (header, [i, k]) = b.graph("header", [I64, link_type], F64);
    let (body, []) = b.graph("body", [], F64);
    let (done, []) = b.graph("done", [], F64);
    let (link, [v]) = b.graph("link", [F64], F64);
    let (zero, one) = (b.m.i64(0), b.m.i64(1));
    let identity = b.m.graph_ref(identity);
    let start = b.call_graph(entry, header, &[n, identity]);
    b.ret(entry, start);
    let more = b.op(header, Prim::Gt, &[i, zero]);
    b.branch(header, more, body, done);
    let next = b.op(body, Prim::Sub, &[i, one]);
    let link_value = b.m.graph_ref(link);
    let again = b.call_graph(body, header, &[next, link_value]);
    b.ret(body, again);
    let float = b.op(link, Prim::Float, &[i]);
    let term = b.op(link, Prim::Mul, &[x, float]);
    let sum = b.op(link, Prim::Add, &[v, term]);
    let call = b.call(link, k, &[sum]);
    b.ret(link, call);
    let result = b.call(done, k, &[x]);
    b.ret(done, result);
    b.finish(entry)
}

/// A loop that goes round through an unknown callee: `f(g, i, acc) = acc if i == 0 else g(g, i - 1, acc + i)`.
pub fn unknown_tail_loop() -> Module {
    let mut b = Build::default();
    let (entry, [n]) = b.graph("entry", [I64], I64);
    let (f, [g, i, acc]) = b.graph("f", [Type::AnyFn, I64, I64], I64);
    let (stop, []) = b.graph("stop", [], I64);
    let (go, []) = b.graph("go", [], I64);
    let (zero, one) = (b.m.i64(0), b.m.i64(1));
    let f_value = b.m.graph_ref(f);
    let start = b.call(entry, f_value, &[f_value, n, zero]);
    b.ret(entry, start);
    let at_end = b.op(f, Prim::Eq, &[i, zero]);
    b.branch(f, at_end, stop, go);
    b.ret(stop, acc);
    let next = b.op(go, Prim::Sub, &[i, one]);
    let sum = b.op(go, Prim::Add, &[acc, i]);
    let again = b.m.call(go, g, &[g, next, sum], I64, Span::new(1, 2));
    b.ret(go, again);
    b.finish(entry)
}

/// Boxes are summed through boxes; the zero box opens to zeros.
fn opaque_sums() -> Module {
    let mut b = Build::default();
    let (f, [x, y]) = b.graph("f", [F64, F64], Type::tuple([F64, F64, F64, F64]));
    let zero_box = b.m.constant(gradus_ir::Const::Zero, Type::Opaque);
    let zero = b.m.zero();
    let make = |b: &mut Build, v: NodeId, inner: NodeId| {
        let t = b.op(f, Prim::Tuple, &[v, inner, zero]);
        b.op(f, Prim::Pack, &[t])
    };
    let inner_y = make(&mut b, y, zero_box);
    let outer_x = make(&mut b, x, zero_box);
    let outer_y = make(&mut b, y, inner_y);
    let twice = make(&mut b, y, inner_y);
    let sum = b.op(f, Prim::Gadd, &[outer_x, outer_y]);
    let sum = b.op(f, Prim::Gadd, &[zero_box, sum]);
    let sum = b.op(f, Prim::Gadd, &[sum, zero_box]);
    let sum = b.op(f, Prim::Gadd, &[sum, twice]);
    let ty = Type::tuple([F64, Type::Opaque, Type::Zero]);
    let open = b.unpack(f, sum, ty.clone());
    let first = b.op(f, Prim::Get(0), &[open]);
    let inner = b.op(f, Prim::Get(1), &[open]);
    let inner = b.unpack(f, inner, ty.clone());
    let second = b.op(f, Prim::Get(0), &[inner]);
    let innermost = b.op(f, Prim::Get(1), &[inner]);
    let innermost = b.unpack(f, innermost, ty);
    let third = b.op(f, Prim::Get(0), &[innermost]);
    let plain = b.op(f, Prim::Pack, &[x]);
    let plain = b.op(f, Prim::Gadd, &[plain, plain]);
    let plain = b.unpack(f, plain, F64);
    let result = b.op(f, Prim::Tuple, &[first, second, third, plain]);
    b.ret(f, result);
    b.finish(f)
}

/// Two chains of n nested boxes, summed and then opened again: the sum of what lies in each.
pub fn opaque_chains() -> Module {
    let mut b = Build::default();
    let link = Type::tuple([F64, Type::Opaque]);
    let (entry, [x, n]) = b.graph("entry", [F64, I64], F64);
    let (make, [i, chain]) = b.graph("make", [I64, Type::Opaque], F64);
    let (more, []) = b.graph("more", [], F64);
    let (add, []) = b.graph("add", [], F64);
    let (walk, [j, rest, sum]) = b.graph("walk", [I64, Type::Opaque, F64], F64);
    let (onward, []) = b.graph("onward", [], F64);
    let (done, []) = b.graph("done", [], F64);
    let (zero, one, start) = (b.m.i64(0), b.m.i64(1), b.m.f64(0.0));
    let zero_box = b.m.constant(gradus_ir::Const::Zero, Type::Opaque);
    let call = b.call_graph(entry, make, &[n, zero_box]);
    b.ret(entry, call);
    let again = b.op(make, Prim::Gt, &[i, zero]);
    b.branch(make, again, more, add);
    let next = b.op(more, Prim::Sub, &[i, one]);
    let pair = b.op(more, Prim::Tuple, &[x, chain]);
    let pair = b.op(more, Prim::Pack, &[pair]);
    let call = b.call_graph(more, make, &[next, pair]);
    b.ret(more, call);
    let total = b.op(add, Prim::Gadd, &[chain, chain]);
    let call = b.call_graph(add, walk, &[n, total, start]);
    b.ret(add, call);
    let again = b.op(walk, Prim::Gt, &[j, zero]);
    b.branch(walk, again, onward, done);
    let next = b.op(onward, Prim::Sub, &[j, one]);
    let open = b.unpack(onward, rest, link);
    let head = b.op(onward, Prim::Get(0), &[open]);
    let tail = b.op(onward, Prim::Get(1), &[open]);
    let head = b.op(onward, Prim::Add, &[sum, head]);
    let call = b.call_graph(onward, walk, &[next, tail, head]);
    b.ret(onward, call);
    b.ret(done, sum);
    b.finish(entry)
}

/// `J` of a plain graph and of a partial one, through an unknown callee. The derivative of `f(c, x) = c * x` is any graph of the
/// right type, here `(c * x, λg. (zero box, g * x, g * c))`.
fn derivatives_of_values(twice_partial: bool) -> Module {
    let mut b = Build::default();
    let pullback = Type::func([F64], Type::tuple([Type::Opaque, F64, F64]));
    let (entry, [c, x]) = b.graph("entry", [F64, F64], Type::tuple([F64, F64, F64]));
    let (f, [fc, fx]) = b.graph("f", [F64, F64], F64);
    let product = b.op(f, Prim::Mul, &[fc, fx]);
    b.ret(f, product);
    let (jf, [jc, jx]) = b.graph("f.J", [F64, F64], Type::tuple([F64, pullback]));
    let (back, [g]) = b.graph("f.back", [F64], Type::tuple([Type::Opaque, F64, F64]));
    let product = b.op(jf, Prim::Mul, &[jc, jx]);
    let back_value = b.m.graph_ref(back);
    let pair = b.op(jf, Prim::Tuple, &[product, back_value]);
    b.ret(jf, pair);
    let zero_box = b.m.constant(gradus_ir::Const::Zero, Type::Opaque);
    let to_c = b.op(back, Prim::Mul, &[g, jx]);
    let to_x = b.op(back, Prim::Mul, &[g, jc]);
    let triple = b.op(back, Prim::Tuple, &[zero_box, to_c, to_x]);
    b.ret(back, triple);
    b.m.derivatives.insert((f, Prim::J), jf);
    // The callee is unknown to `apply`: J is taken at run time, of all arguments or of what a partial application leaves.
    let callee_params = if twice_partial { vec![] } else { vec![F64, F64] };
    let callee_type = Type::func(callee_params, F64);
    let (apply, [h]) = b.graph("apply", [callee_type], Type::tuple([F64, F64, F64]));
    let f_value = b.m.graph_ref(f);
    let argument = if twice_partial {
        let p = b.op(entry, Prim::Partial, &[f_value, c]);
        b.op(entry, Prim::Partial, &[p, x])
    } else {
        f_value
    };
    // The derivative keeps the bound arguments, so its pullback is that of f itself.
    let (span, j_type) = (Span::new(1, 2), {
        let params = if twice_partial { vec![] } else { vec![F64, F64] };
        Type::func(params, Type::tuple([F64, Type::func([F64], Type::tuple([Type::Opaque, F64, F64]))]))
    });
    let j = b.m.prim(apply, Prim::J, vec![h], j_type, span);
    let args = if twice_partial { vec![] } else { vec![c, x] };
    let pair = b.call(apply, j, &args);
    let value = b.op(apply, Prim::Get(0), &[pair]);
    let back = b.op(apply, Prim::Get(1), &[pair]);
    let one = b.m.f64(1.0);
    let cotangents = b.call(apply, back, &[one]);
    let to_c = b.op(apply, Prim::Get(1), &[cotangents]);
    let to_x = b.op(apply, Prim::Get(2), &[cotangents]);
    let result = b.op(apply, Prim::Tuple, &[value, to_c, to_x]);
    b.ret(apply, result);
    let call = b.call_graph(entry, apply, &[argument]);
    b.ret(entry, call);
    b.finish(entry)
}

/// `(f, g)` in a tuple, chosen by a flag, called with a capture: functions as data.
fn closures_in_tuples() -> Module {
    let mut b = Build::default();
    let (entry, [x, flag]) = b.graph("entry", [F64, BOOL], Type::tuple([F64, F64]));
    let (plus, [v]) = b.graph("plus", [F64], F64);
    let sum = b.op(plus, Prim::Add, &[v, x]);
    b.ret(plus, sum);
    let (twice, [v]) = b.graph("twice", [F64], F64);
    let sum = b.op(twice, Prim::Add, &[v, v]);
    b.ret(twice, sum);
    let (plus, twice) = (b.m.graph_ref(plus), b.m.graph_ref(twice));
    let pair = b.op(entry, Prim::Tuple, &[plus, twice]);
    let other = b.op(entry, Prim::Tuple, &[twice, plus]);
    let chosen = b.op(entry, Prim::Select, &[flag, pair, other]);
    let first = b.op(entry, Prim::Get(0), &[chosen]);
    let second = b.op(entry, Prim::Get(1), &[chosen]);
    let three = b.m.f64(3.0);
    let a = b.call(entry, first, &[three]);
    let c = b.call(entry, second, &[three]);
    // One more through a select that is called and not in tail position.
    let known = b.op(entry, Prim::Select, &[flag, plus, twice]);
    let c = b.call(entry, known, &[c]);
    let result = b.op(entry, Prim::Tuple, &[a, c]);
    b.ret(entry, result);
    b.finish(entry)
}

/// Mutual recursion that is no tail call, through graphs that capture: `even(n) = n == 0 or not (not odd(n - 1))`.
fn mutual_recursion() -> Module {
    let mut b = Build::default();
    let (entry, [n]) = b.graph("entry", [I64], BOOL);
    let (even, [e]) = b.graph("even", [I64], BOOL);
    let (odd, [o]) = b.graph("odd", [I64], BOOL);
    let (zero, one) = (b.m.i64(0), b.m.i64(1));
    for (g, param, other, at_zero) in [(even, e, odd, true), (odd, o, even, false)] {
        let (base, []) = b.graph("base", [], BOOL);
        let (step, []) = b.graph("step", [], BOOL);
        let stop = b.op(g, Prim::Eq, &[param, zero]);
        b.branch(g, stop, base, step);
        let answer = b.m.bool(at_zero);
        b.ret(base, answer);
        let less = b.op(step, Prim::Sub, &[param, one]);
        let rest = b.call_graph(step, other, &[less]);
        let rest = b.op(step, Prim::Not, &[rest]);
        let rest = b.op(step, Prim::Not, &[rest]);
        b.ret(step, rest);
    }
    let call = b.call_graph(entry, even, &[n]);
    b.ret(entry, call);
    b.finish(entry)
}

/// Strings, `None` and zeros pass through tuples, calls and selects.
fn units() -> Module {
    let mut b = Build::default();
    let ty = Type::tuple([Type::Str, Type::None, Type::Zero, Type::tuple([]), Type::Str]);
    let (f, [flag, s]) = b.graph("f", [BOOL, Type::Str], ty);
    let hello = b.m.constant(gradus_ir::Const::Str("hello".into()), Type::Str);
    let none = b.m.constant(gradus_ir::Const::None, Type::None);
    let zero = b.m.zero();
    let unit = b.op(f, Prim::Tuple, &[]);
    let chosen = b.op(f, Prim::Select, &[flag, hello, s]);
    let none = b.op(f, Prim::Select, &[flag, none, none]);
    let all = b.op(f, Prim::Tuple, &[chosen, none, zero, unit, s]);
    b.ret(f, all);
    b.finish(f)
}

/// A callee chosen in one graph and called in another, nested one; and nested selects of callees.
fn chosen_elsewhere() -> Module {
    let mut b = Build::default();
    let (entry, [x, flag]) = b.graph("entry", [F64, BOOL], Type::tuple([F64, F64]));
    let (plus, []) = b.graph("plus", [], F64);
    let sum = b.op(plus, Prim::Add, &[x, x]);
    b.ret(plus, sum);
    let (times, []) = b.graph("times", [], F64);
    let product = b.op(times, Prim::Mul, &[x, x]);
    b.ret(times, product);
    let (plus, times) = (b.m.graph_ref(plus), b.m.graph_ref(times));
    let chosen = b.op(entry, Prim::Select, &[flag, plus, times]);
    let (nested, []) = b.graph("nested", [], F64);
    let call = b.call(nested, chosen, &[]);
    b.ret(nested, call);
    let first = b.call_graph(entry, nested, &[]);
    let other = b.op(entry, Prim::Select, &[flag, times, plus]);
    let either = b.op(entry, Prim::Select, &[flag, other, times]);
    let second = b.call(entry, either, &[]);
    let result = b.op(entry, Prim::Tuple, &[first, second]);
    b.ret(entry, result);
    b.finish(entry)
}

/// A straight line of n multiplications and additions, then n branches one after the other.
fn long(n: usize) -> Module {
    let mut b = Build::default();
    let (entry, [x]) = b.graph("entry", [F64], F64);
    let (one, half) = (b.m.f64(1.0), b.m.f64(0.5));
    let mut value = x;
    for _ in 0..n {
        value = b.op(entry, Prim::Mul, &[value, half]);
        value = b.op(entry, Prim::Add, &[value, one]);
    }
    let mut g = entry;
    for _ in 0..n {
        let (join, [p]) = b.graph("join", [F64], F64);
        let (then, []) = b.graph("then", [], F64);
        let (otherwise, []) = b.graph("otherwise", [], F64);
        let less = b.op(g, Prim::Lt, &[value, one]);
        b.branch(g, less, then, otherwise);
        let more = b.op(then, Prim::Add, &[value, half]);
        let call = b.call_graph(then, join, &[more]);
        b.ret(then, call);
        let call = b.call_graph(otherwise, join, &[half]);
        b.ret(otherwise, call);
        (g, value) = (join, p);
    }
    let sum = b.op(g, Prim::Add, &[value, x]);
    b.ret(g, sum);
    b.finish(entry)
}

/// Results and arguments by the dozen, through a tail call, an unknown call and a closure that captures them all, booleans included.
fn wide() -> Module {
    let mut b = Build::default();
    let fields: Vec<Type> = (0..40).map(|i| [F64, BOOL, I64][i % 3].clone()).collect();
    let ty = Type::tuple(fields.clone());
    let (entry, [t, flag]) = b.graph("entry", [ty.clone(), BOOL], Type::tuple([ty.clone(), ty.clone()]));
    let (pass, [p]) = b.graph("pass", [ty.clone()], ty.clone());
    let (identity, [q]) = b.graph("identity", [ty.clone()], ty.clone());
    b.ret(identity, q);
    let call = b.call_graph(pass, identity, &[p]);
    b.ret(pass, call);
    let (captures, []) = b.graph("captures", [], ty.clone());
    let (more, []) = b.graph("more", [], ty);
    let call = b.call_graph(captures, pass, &[t]);
    b.ret(captures, call);
    let items: Vec<NodeId> = (0..40).map(|i| b.op(more, Prim::Get(i), &[t])).collect();
    let again = b.op(more, Prim::Tuple, &items);
    b.ret(more, again);
    let (captures, more) = (b.m.graph_ref(captures), b.m.graph_ref(more));
    let pair = b.op(entry, Prim::Tuple, &[captures, more]);
    let f = b.op(entry, Prim::Get(0), &[pair]);
    let g = b.op(entry, Prim::Get(1), &[pair]);
    let unknown = b.op(entry, Prim::Select, &[flag, f, g]);
    let known = b.op(entry, Prim::Select, &[flag, captures, more]);
    let first = b.call(entry, unknown, &[]);
    let second = b.call(entry, known, &[]);
    let result = b.op(entry, Prim::Tuple, &[first, second]);
    b.ret(entry, result);
    b.finish(entry)
}

/// A partial application of an unknown function value, twice, and of a closure.
fn partial_of_values() -> Module {
    let mut b = Build::default();
    let ternary = Type::func([BOOL, F64, F64], F64);
    let (entry, [x, flag]) = b.graph("entry", [F64, BOOL], Type::tuple([F64, F64]));
    let (f, [c, u, v]) = b.graph("f", [BOOL, F64, F64], F64);
    let difference = b.op(f, Prim::Sub, &[u, v]);
    let scaled = b.op(f, Prim::Mul, &[difference, x]);
    let chosen = b.op(f, Prim::Select, &[c, scaled, u]);
    b.ret(f, chosen);
    let (bind, [h]) = b.graph("bind", [ternary], F64);
    let (five, two) = (b.m.f64(5.0), b.m.f64(2.0));
    let once = b.op(bind, Prim::Partial, &[h, flag]);
    let twice = b.op(bind, Prim::Partial, &[once, five]);
    let call = b.call(bind, twice, &[two]);
    b.ret(bind, call);
    let f_value = b.m.graph_ref(f);
    let first = b.call_graph(entry, bind, &[f_value]);
    let known = b.op(entry, Prim::Partial, &[f_value, flag, x]);
    let second = b.call(entry, known, &[five]);
    let result = b.op(entry, Prim::Tuple, &[first, second]);
    b.ret(entry, result);
    b.finish(entry)
}

/// One primitive, of parameters.
pub fn one_prim(prim: Prim, params: &[Type]) -> Option<Module> {
    let mut b = Build::default();
    let result = prim.result_type(params)?;
    let (f, []) = b.graph("f", [], result);
    let params: Vec<_> = params.iter().map(|ty| b.m.add_param(f, ty.clone(), None, Span::NONE)).collect();
    let value = b.op(f, prim, &params);
    b.ret(f, value);
    Some(b.finish(f))
}

fn wide_value() -> Value {
    Value::tuple((0..40).map(|i| match i % 3 {
        0 => Value::F64(f64::from(i) / 2.0),
        1 => Value::Bool(i % 2 == 0),
        _ => Value::I64(i64::from(i)),
    }))
}

/// Every program with arguments and answer.
pub fn corpus() -> Vec<Case> {
    let mut corpus = scalars_and_functions();
    corpus.extend(tapes::corpus());
    corpus
}

fn scalars_and_functions() -> Vec<Case> {
    let tuple = |items: &[f64]| Value::tuple(items.iter().map(|&v| Value::F64(v)));
    let int = Value::I64;
    vec![
        Case::new("pow", pow_loop(), &[2.0.into(), int(10)], 1024.0),
        Case::new("pow of nothing", pow_loop(), &[2.0.into(), int(0)], 1.0),
        Case::new("a long loop", pow_loop(), &[1.0.into(), int(1_000_000)], 1.0),
        Case::new("recursion", recursion(true), &[int(100_000)], 100_000),
        Case::traps("endless recursion", recursion(false), &[int(1)], TrapKind::RecursionLimit),
        Case::new("closure chain", closure_chain(), &[0.5.into(), int(4)], 0.5 + 0.5 + 1.0 + 1.5 + 2.0),
        Case::new("long closure chain", closure_chain(), &[0.0.into(), int(1_000_000)], 0.0),
        Case::new("unknown tail calls", unknown_tail_loop(), &[int(1_000_000)], 500_000_500_000),
        Case::traps("overflow", unknown_tail_loop(), &[int(i64::MAX)], TrapKind::IntegerOverflow),
        Case::new("opaque sums", opaque_sums(), &[1.0.into(), 10.0.into()], tuple(&[21.0, 20.0, -0.0, 2.0])),
        Case::new("opaque chains", opaque_chains(), &[0.5.into(), int(100_000)], 100_000.0),
        Case::new("J of a graph", derivatives_of_values(false), &[3.0.into(), 4.0.into()], tuple(&[12.0, 4.0, 3.0])),
        Case::new("J of a partial", derivatives_of_values(true), &[3.0.into(), 4.0.into()], tuple(&[12.0, 4.0, 3.0])),
        Case::new("closures in tuples", closures_in_tuples(), &[1.0.into(), true.into()], tuple(&[4.0, 7.0])),
        Case::new("closures in tuples, swapped", closures_in_tuples(), &[1.0.into(), false.into()], tuple(&[6.0, 8.0])),
        Case::new("wide, by closures", wide(), &[wide_value(), true.into()], Value::tuple([wide_value(), wide_value()])),
        Case::new("wide, by fields", wide(), &[wide_value(), false.into()], Value::tuple([wide_value(), wide_value()])),
        Case::new("partials", partial_of_values(), &[10.0.into(), true.into()], tuple(&[30.0, 50.0])),
        Case::new("partials, unused", partial_of_values(), &[10.0.into(), false.into()], tuple(&[5.0, 10.0])),
        Case::new("chosen elsewhere", chosen_elsewhere(), &[3.0.into(), true.into()], tuple(&[6.0, 9.0])),
        Case::new("chosen elsewhere, the other", chosen_elsewhere(), &[3.0.into(), false.into()], tuple(&[9.0, 9.0])),
        Case::new("a long program", long(2_000), &[3.0.into()], 4.0),
        Case::new("mutual recursion", mutual_recursion(), &[int(100_001)], false),
        Case::new(
            "units",
            units(),
            &[true.into(), Value::Str("arg".into())],
            Value::tuple([Value::Str("hello".into()), Value::None, Value::Zero, Value::tuple([]), Value::Str("arg".into())]),
        ),
    ]
}

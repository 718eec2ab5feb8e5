//! Squares of roots, which are smooth where the roots are not.
//!
//! `norm(x)**2` is a polynomial, and its second derivative at 0 is 2. No rule of the product gives that: `norm` itself has no second
//! derivative there. So before derivatives are taken, the square of a root becomes what is under the root, whether the root is
//! taken here, by a function that is called, or by the caller of a function that takes the square.

use gradus_ir::build::{Builder, splat, splatted};
use gradus_ir::{DType, Effect, GraphId, Kind, Module, Nest, NodeId, Prim, Span, Type};
use rustc_hash::{FxHashMap, FxHashSet};

/// How many calls may lie between a root and its square; half as many with each factor.
const DEPTH: usize = 32;
/// How far back two values are compared that may be the same.
const SAME: usize = 4;
/// How many calls may be replaced by their code for the sake of squares.
const CALLS: usize = 256;

/// A value that is a root, up to its sign.
enum Root {
    /// The square root of a value. Where that is negative, the square of the root is `below`.
    Sqrt { of: NodeId, below: f64 },
    /// The length of a vector of two.
    Hypot(NodeId, NodeId),
    /// The absolute value.
    Abs(NodeId),
    /// A root times something, or divided by it.
    Scaled(Prim, Box<Root>, NodeId),
    /// The result of a function that ends with a root.
    Call(NodeId, GraphId),
}

/// Replaces the squares of roots in a typed module.
pub fn smooth_squares(m: &mut Module) {
    let is_root = |kind: &Kind| matches!(kind, Kind::Prim(Prim::Sqrt | Prim::Hypot | Prim::Abs));
    let Some(entry) = m.entry.filter(|_| m.nodes().any(|(_, node)| is_root(&node.kind))) else { return };
    let nest = Nest::new(m, &[entry]);
    let mut straight: FxHashMap<GraphId, Option<GraphId>> = nest.graphs().iter().map(|&g| (g, None)).collect();
    for &g in nest.graphs() {
        let is_linear = |&n: &NodeId| m.as_prim(n).is_some_and(|prim| prim.effect(&[]) == Effect::Linear);
        if nest.schedule(g).iter().any(is_linear) {
            straight.remove(&g);
        }
        if let Some(outer) = nest.parent(g) {
            straight.remove(&outer);
        }
    }
    let mut squares = Squares { m, straight };
    squares.hand_on();
    let products: Vec<NodeId> = squares.m.nodes().filter(|(_, n)| n.kind == Kind::Prim(Prim::Mul)).map(|(n, _)| n).collect();
    for product in products {
        squares.visit(product);
    }
    m.collect_garbage(&[entry]);
}

struct Squares<'a> {
    m: &'a mut Module,
    /// The functions without functions or branches inside, each with the one that gives back the square, once it was asked for.
    straight: FxHashMap<GraphId, Option<GraphId>>,
}

impl Squares<'_> {
    /// Puts the code of functions that take the square of a parameter where they are called with a root.
    fn hand_on(&mut self) {
        let mut calls: Vec<NodeId> = self.m.nodes().filter(|(_, n)| n.kind == Kind::Call).map(|(n, _)| n).collect();
        let mut left = CALLS;
        while let Some(call) = calls.pop()
            && left > 0
        {
            let Some((callee, args)) = self.straight_call(call) else { continue };
            let params = self.m[callee].params.clone();
            let is_root = |&arg: &NodeId| is_float(self.m, arg) && self.root(arg, DEPTH).is_some();
            if !params.iter().zip(&args).any(|(&param, arg)| is_root(arg) && self.is_squared(param)) {
                continue;
            }
            left -= 1;
            let Some(into) = self.m[call].graph else { continue };
            let mut map: FxHashMap<NodeId, NodeId> = params.into_iter().zip(args).collect();
            let result = self.copy(self.m.result(callee), callee, into, &mut map);
            self.m.replace(call, result);
            calls.extend(map.into_values().filter(|&n| self.m[n].kind == Kind::Call));
        }
    }

    /// Whether a function takes the square of its parameter, perhaps of a multiple of it, or has it taken by a function that it calls.
    fn is_squared(&self, param: NodeId) -> bool {
        let (mut work, mut seen) = (vec![param], FxHashSet::from_iter([param]));
        while let Some(n) = work.pop() {
            for u in self.m[n].users() {
                let next = match self.m[u.node].kind {
                    Kind::Prim(Prim::Mul) if self.factors(u.node).is_some() => return true,
                    Kind::Prim(Prim::Mul | Prim::Div | Prim::Neg) => u.node,
                    Kind::Call => match (self.straight_call(u.node), u.index) {
                        (Some((callee, _)), 1..) => self.m[callee].params[u.index as usize - 1],
                        _ => continue,
                    },
                    _ => continue,
                };
                if seen.insert(next) {
                    work.push(next);
                }
            }
        }
        false
    }

    /// Copies a value of a straight function, and all that it is made of.
    fn copy(&mut self, value: NodeId, from: GraphId, into: GraphId, map: &mut FxHashMap<NodeId, NodeId>) -> NodeId {
        let mut work = vec![value];
        while let Some(&n) = work.last() {
            if map.contains_key(&n) || self.m[n].graph != Some(from) {
                work.pop();
                continue;
            }
            let before = work.len();
            let is_missing = |input: &NodeId| self.m[*input].graph == Some(from) && !map.contains_key(input);
            work.extend(self.m[n].inputs().iter().copied().filter(is_missing));
            if work.len() > before {
                continue;
            }
            work.pop();
            let node = self.m[n].clone();
            let inputs: Vec<NodeId> = node.inputs().iter().map(|input| *map.get(input).unwrap_or(input)).collect();
            let copy = match node.kind {
                Kind::Prim(prim) => self.m.prim(into, prim, inputs, node.ty, node.span),
                Kind::Call => self.m.call(into, inputs[0], &inputs[1..], node.ty, node.span),
                kind => unreachable!("{kind:?} is not made of anything"),
            };
            if let Some(name) = node.name {
                self.m.set_name(copy, name);
            }
            map.insert(n, copy);
        }
        *map.get(&value).unwrap_or(&value)
    }

    /// Replaces a product if it is the square of a root.
    fn visit(&mut self, product: NodeId) {
        if !self.m.has_node(product) || !is_float(self.m, product) {
            return;
        }
        let (Some((base, is_negative)), Some(g)) = (self.factors(product), self.m[product].graph) else { return };
        let Some(root) = self.root(base, DEPTH) else { return };
        let span = self.m[product].span;
        let square = self.square(root, g, span);
        let square = if is_negative { Builder::new(self.m).prim(g, Prim::Neg, &[square], span) } else { square };
        if let Some(name) = self.m[product].name.clone()
            && self.m[square].name.is_none()
        {
            self.m.set_name(square, name);
        }
        self.m.replace(product, square);
    }

    /// The value of which a product is the square, and whether the product is the negative of that.
    fn factors(&self, product: NodeId) -> Option<(NodeId, bool)> {
        let &[a, b] = self.m[product].inputs() else { return None };
        let ((a, a_negated), (b, b_negated)) = (self.without_sign(a), self.without_sign(b));
        self.are_equal(a, b, SAME).then_some((a, a_negated != b_negated))
    }

    fn without_sign(&self, mut n: NodeId) -> (NodeId, bool) {
        let mut is_negated = false;
        while self.m.as_prim(n) == Some(Prim::Neg) {
            (n, is_negated) = (self.m[n].inputs()[0], !is_negated);
        }
        (n, is_negated)
    }

    /// Whether two values are the same, as far as their code says.
    fn are_equal(&self, a: NodeId, b: NodeId, depth: usize) -> bool {
        let (x, y) = (&self.m[a], &self.m[b]);
        let is_pure = match x.kind {
            Kind::Prim(_) => true,
            Kind::Call => self.straight_call(a).is_some(),
            _ => false,
        };
        a == b
            || depth > 0
                && is_pure
                && (x.kind == y.kind && x.graph == y.graph && x.ty == y.ty && x.inputs().len() == y.inputs().len())
                && x.inputs().iter().zip(y.inputs()).all(|(&i, &j)| self.are_equal(i, j, depth - 1))
    }

    /// The straight function that a call calls, and its arguments.
    fn straight_call(&self, call: NodeId) -> Option<(GraphId, Vec<NodeId>)> {
        let (callee, args) = self.m[call].inputs().split_first().filter(|_| self.m[call].kind == Kind::Call)?;
        let callee = self.m.as_graph(*callee).filter(|g| self.straight.contains_key(g))?;
        Some((callee, args.to_vec()))
    }

    /// The value that a value is, past functions that give back a parameter.
    fn origin(&self, n: NodeId, depth: usize) -> NodeId {
        let Some((callee, args)) = self.straight_call(n).filter(|_| depth > 0) else { return n };
        let result = self.origin(self.m.result(callee), depth - 1);
        match self.m[callee].params.iter().position(|&param| param == result) {
            Some(i) => self.origin(args[i], depth - 1),
            None => n,
        }
    }

    /// The root that a value is, if it is one.
    fn root(&self, n: NodeId, depth: usize) -> Option<Root> {
        let depth = depth.checked_sub(1)?;
        let n = self.origin(n, depth);
        let inputs = self.m[n].inputs();
        match self.m[n].kind {
            Kind::Prim(Prim::Neg) => self.root(inputs[0], depth),
            Kind::Prim(Prim::Sqrt) => Some(Root::Sqrt { of: inputs[0], below: f64::NAN }),
            Kind::Prim(Prim::Hypot) => Some(Root::Hypot(inputs[0], inputs[1])),
            Kind::Prim(Prim::Abs) if is_float(self.m, n) => Some(Root::Abs(inputs[0])),
            Kind::Prim(prim @ (Prim::Mul | Prim::Div)) if inputs[0] != inputs[1] => {
                let scaled = |root: NodeId, by| {
                    let root = self.root(root, depth / 2).filter(|root| self.is_computed(root))?;
                    Some(Root::Scaled(prim, Box::new(root), by))
                };
                scaled(inputs[0], inputs[1]).or_else(|| scaled(inputs[1], inputs[0]).filter(|_| prim == Prim::Mul))
            }
            Kind::Prim(Prim::Select) => self.guarded(inputs),
            Kind::Call => {
                let (callee, _) = self.straight_call(n)?;
                self.root(self.m.result(callee), depth).map(|_| Root::Call(n, callee))
            }
            _ => None,
        }
    }

    /// The root of `select(s == 0, 0, sqrt(select(s == 0, 1, s)))`, by which programs keep derivatives of roots finite; also with the
    /// other comparisons of s with 0.
    fn guarded(&self, inputs: &[NodeId]) -> Option<Root> {
        let &[condition, first, second] = inputs else { return None };
        let (zero_first, root) = match [first, second].map(|n| self.m.as_f64(splatted(self.m, n)) == Some(0.0)) {
            [true, _] => (true, second),
            [_, true] => (false, first),
            _ => return None,
        };
        let input = |n: NodeId, prim| (self.m.as_prim(n) == Some(prim)).then(|| self.m[n].inputs());
        let &[inner, a, b] = input(input(root, Prim::Sqrt)?[0], Prim::Select)? else { return None };
        let of = if zero_first { b } else { a };
        let below = match (self.m.as_prim(condition)?, zero_first) {
            (Prim::Eq, true) | (Prim::Ne, false) => f64::NAN,
            (Prim::Le | Prim::Lt, true) | (Prim::Gt | Prim::Ge, false) => 0.0,
            _ => return None,
        };
        let &[compared, zero] = self.m[condition].inputs() else { return None };
        let is_guard = inner == condition && compared == of && self.m.as_f64(splatted(self.m, zero)) == Some(0.0);
        is_guard.then_some(Root::Sqrt { of, below })
    }

    /// The square of a root, in a graph. Factors come before a square that may overflow where the root times them does not.
    fn square(&mut self, mut root: Root, g: GraphId, span: Span) -> NodeId {
        let mut scales = Vec::new();
        while let Root::Scaled(prim, inner, by) = root {
            scales.insert(0, (prim, by));
            root = *inner;
        }
        let scaled = |me: &mut Self, n: NodeId, times: usize| {
            let all = scales.iter().flat_map(|scale| std::iter::repeat_n(scale, times));
            all.fold(n, |n, &(prim, by)| Builder::new(me.m).prim(g, prim, &[n, by], span))
        };
        match root {
            Root::Sqrt { of, below } => {
                let [zero, below] = [0.0, below].map(|value| self.number_like(of, value, g));
                let mut b = Builder::new(self.m);
                let is_below = b.prim(g, Prim::Lt, &[of, zero], span);
                let square = b.prim(g, Prim::Select, &[is_below, below, of], span);
                scaled(self, square, 2)
            }
            Root::Hypot(x, y) => {
                let [x, y] = [x, y].map(|n| scaled(self, n, 1));
                let [x, y] = [x, y].map(|n| self.square_of(n, g, span));
                Builder::new(self.m).prim(g, Prim::Add, &[x, y], span)
            }
            Root::Abs(x) => {
                let x = scaled(self, x, 1);
                self.square_of(x, g, span)
            }
            Root::Call(call, callee) => {
                let callee = self.squared(callee);
                let callee = self.m.graph_ref(callee);
                let node = self.m[call].clone();
                let square = self.m.call(g, callee, &node.inputs()[1..], node.ty.clone(), node.span);
                scaled(self, square, 2)
            }
            Root::Scaled(..) => unreachable!("factors are taken off"),
        }
    }

    /// Whether the program computes the radicand of a root, so that the square overflows no sooner than it did.
    fn is_computed(&self, root: &Root) -> bool {
        match root {
            Root::Call(_, callee) => self.root(self.m.result(*callee), DEPTH).is_some_and(|root| match root {
                Root::Sqrt { .. } => true,
                Root::Call(..) => self.is_computed(&root),
                _ => false,
            }),
            _ => true,
        }
    }

    fn square_of(&mut self, n: NodeId, g: GraphId, span: Span) -> NodeId {
        match self.root(n, DEPTH) {
            Some(root) => self.square(root, g, span),
            None => Builder::new(self.m).prim(g, Prim::Mul, &[n, n], span),
        }
    }

    /// The function that gives back the square of the root that a function gives back.
    fn squared(&mut self, g: GraphId) -> GraphId {
        if let Some(&Some(square)) = self.straight.get(&g) {
            return square;
        }
        let original = self.m[g].clone();
        let copy = self.m.add_graph(format!("{}_squared", original.name), original.flavor, original.role, original.span);
        let mut map = FxHashMap::default();
        for &p in &original.params {
            let param = self.m[p].clone();
            map.insert(p, self.m.add_param(copy, param.ty, param.name, param.span));
        }
        self.m.declare_result(copy, original.result);
        let result = self.copy(self.m.result(g), g, copy, &mut map);
        let root = self.root(result, DEPTH).expect("the original ends with a root");
        let square = self.square(root, copy, original.span);
        self.m.set_result(copy, square);
        self.straight.insert(g, Some(copy));
        copy
    }

    /// A number, or the array of it that has the shape of another value.
    fn number_like(&mut self, like: NodeId, value: f64, g: GraphId) -> NodeId {
        let number = self.m.f64(value);
        match self.m[like].ty {
            Type::Array(dtype, shape) => splat(self.m, g, number, dtype, shape, Span::NONE),
            _ => number,
        }
    }
}

fn is_float(m: &Module, n: NodeId) -> bool {
    matches!(m[n].ty, Type::F64 | Type::Array(DType::F32 | DType::F64, _))
}

//! The verifier. What it reports is a fault of the compiler, never of the user's program.
//!
//! In every module:
//! * links: each input exists, and input `i` of `n` is `m` exactly if `m` lists the use `(n, i)`, once;
//! * graphs: every graph has a return that is its own, each of its parameters is listed once, and what a node, a parameter list
//!   or a default value mentions exists;
//! * scope: a graph uses its own nodes, those of the graphs it is nested in, and constants; that includes what the graphs that it
//!   refers to capture. The entry and the graphs of [`Module::derivatives`] capture nothing;
//! * order: no node needs its own result, be it as an operand or as a capture of a closure;
//! * arity: primitives have as many operands as they take, a call has a callee.
//!
//! In a typed module (one with an entry) also:
//! * no primitive of the source language is left, and no unknown type;
//! * constants have the types of their literals (`zero` may be `opaque` or a tape, `undefined` of any type), a graph constant the
//!   signature of the graph;
//! * the operands of a primitive fit its signature, and the type that follows fits that of the node;
//! * the callee of a call is a function whose parameters fit the arguments and whose result fits the type of the call;
//! * the declared result of a graph fits what it returns;
//! * no graph pushes twice on one tape that is computed;
//! * the graph that [`Module::derivatives`] holds for a graph has the type of its derivative, after parameters that
//!   closures of the graph may have bound.
//!
//! [`Type::fits`] is equality but for `AnyFn`, and a call or a derivative of an `AnyFn` has the type it says. Only what the entry
//! reaches is checked, but for the links; without an entry, all graphs are.

use crate::graph::{Const, GraphId, Kind, Module, NodeId, Use};
use crate::marks::Marks;
use crate::nest::Nest;
use crate::prim::{Effect, Prim, TraceOp};
use crate::print::{Names, literal_type};
use crate::types::Type;
use rustc_hash::{FxHashMap, FxHashSet};
use slotmap::SecondaryMap;
use smallvec::SmallVec;
use std::fmt;

/// A broken rule.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum VerifyErrorKind {
    /// An input was removed.
    #[error("input {index} does not exist")]
    MissingInput {
        /// Which input.
        index: usize,
    },
    /// An input does not list its user.
    #[error("input {index} does not list this use")]
    MissingUse {
        /// Which input.
        index: usize,
    },
    /// A node lists a user that does not have it as that input, or lists it twice.
    #[error("lists a user that does not use it")]
    StrayUse,
    /// The entry, a graph constant, a derivative or the owner of a node was removed.
    #[error("mentions a graph that does not exist")]
    MissingGraph,
    /// A parameter, a return or a default value was removed, or belongs to another graph.
    #[error("the {what} is not a node of the graph")]
    ForeignNode {
        /// `parameter`, `return` or `default value`.
        what: &'static str,
    },
    /// A graph without return.
    #[error("has no return")]
    NoReturn,
    /// A parameter is not in its graph's list exactly once.
    #[error("listed {count} times among the parameters of its graph")]
    ParamListed {
        /// How often.
        count: usize,
    },
    /// A node of a graph that this one is not nested in.
    #[error("uses {variable}, which is not in scope")]
    Scope {
        /// The node used, as it is printed.
        variable: String,
    },
    /// The entry or a graph with a derivative has free variables.
    #[error("captures {variable}, but is used where nothing is in scope")]
    Captures {
        /// The first of them, as it is printed.
        variable: String,
    },
    /// A node that depends on itself.
    #[error("needs its own result")]
    Cycle,
    /// The number of inputs.
    #[error("has {found} inputs, not {expected}")]
    Arity {
        /// As many as the operation takes.
        expected: usize,
        /// As many as there are.
        found: usize,
    },
    /// A primitive that inference resolves.
    #[error("is not resolved by inference")]
    SourcePrim,
    /// A type is unknown.
    #[error("its type is unknown")]
    UnknownType,
    /// The operands do not fit the primitive.
    #[error("no such operation on ({})", list(.operands))]
    Operands {
        /// Their types.
        operands: Vec<Type>,
    },
    /// The type is not the one that follows from the inputs.
    #[error("has type {found}, not {expected}")]
    Mismatch {
        /// The type that follows.
        expected: Type,
        /// The type it has.
        found: Type,
    },
    /// A second push on a tape.
    #[error("pushes on {tape}, which this graph has pushed on")]
    SecondPush {
        /// The tape, as it is printed.
        tape: String,
    },
    /// A callee that is no function.
    #[error("calls a value of type {found}")]
    Callee {
        /// The type it has.
        found: Type,
    },
    /// Arguments that do not fit the callee.
    #[error("arguments ({}) for a {callee}", list(.arguments))]
    Arguments {
        /// Their types.
        arguments: Vec<Type>,
        /// The type of the callee.
        callee: Type,
    },
}

fn list(types: &[Type]) -> String {
    types.iter().map(Type::to_string).collect::<Vec<_>>().join(", ")
}

/// A broken rule and its place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct VerifyError {
    /// The node it is about; none where it is about a graph.
    pub node: Option<NodeId>,
    /// The node or graph in the text form.
    pub text: String,
    /// What is wrong.
    pub kind: VerifyErrorKind,
}

impl fmt::Display for VerifyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}`: {}", self.text, self.kind)
    }
}

/// Everything the verifier found. Never empty.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct VerifyErrors(pub Vec<VerifyError>);

impl fmt::Display for VerifyErrors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, error) in self.0.iter().enumerate() {
            write!(f, "{}{error}", if i > 0 { "\n" } else { "" })?;
        }
        Ok(())
    }
}

impl std::error::Error for VerifyErrors {}

/// Checks the rules listed at the top of this file. Stops after the group in which errors were found, as later ones rely on it.
pub fn verify(m: &Module) -> Result<(), VerifyErrors> {
    let mut v = Verifier { m, names: Names::default(), errors: Vec::new() };
    if !has_links(m) {
        v.check_links();
    }
    v.check_graphs();
    if !v.errors.is_empty() {
        v.names = Names::by_slot(m);
        return v.finish();
    }
    let roots = m.entry.map_or_else(|| m.graphs().map(|(g, _)| g).collect(), |entry| vec![entry]);
    let nest = Nest::new(m, &roots);
    v.check_params(&nest);
    v.check_scope(&nest);
    let mut marks = Default::default();
    for (stamp, &g) in (1..).zip(nest.graphs()) {
        v.check_order(&nest, g, stamp, &mut marks);
    }
    for n in reachable(m, &nest) {
        v.check_arity(n);
    }
    if m.entry.is_some() && v.errors.is_empty() {
        v.check_types(&nest);
        v.check_linear(&nest);
    }
    if !v.errors.is_empty() {
        v.names = Names::new(m, &nest);
    }
    v.finish()
}

/// The nodes of all graphs but constants: parameters, scheduled nodes, return.
fn reachable<'a>(m: &'a Module, nest: &'a Nest) -> impl Iterator<Item = NodeId> + 'a {
    let of = |&g: &GraphId| m[g].params.iter().chain(nest.schedule(g)).chain(&m[g].ret).copied();
    nest.graphs().iter().flat_map(of)
}

/// Whether all links are right. Each use that a node lists is an input of one node, so it is enough to count them, if none is listed twice.
fn has_links(m: &Module) -> bool {
    let (mut listed, mut inputs) = (0, 0);
    for (n, node) in m.nodes() {
        let mut users: SmallVec<[Use; 8]> = SmallVec::from_slice(node.users());
        users.sort_unstable();
        let is_user = |u: &Use| m.has_node(u.node) && m[u.node].inputs().get(u.index as usize) == Some(&n);
        if !users.iter().all(is_user) || users.windows(2).any(|pair| pair[0] == pair[1]) {
            return false;
        }
        (listed, inputs) = (listed + users.len(), inputs + node.inputs().len());
    }
    listed == inputs
}

/// What an error is about.
enum Place {
    Node(NodeId),
    Graph(GraphId),
    Module,
}

enum Pending {
    Kind(VerifyErrorKind),
    /// The variable is printed at the end, when the names are made.
    Scope(NodeId),
    Captures(NodeId),
    SecondPush(NodeId),
}

struct Verifier<'a> {
    m: &'a Module,
    names: Names,
    errors: Vec<(Place, Pending)>,
}

impl Verifier<'_> {
    fn node(&mut self, n: NodeId, kind: VerifyErrorKind) {
        self.errors.push((Place::Node(n), Pending::Kind(kind)));
    }

    fn graph(&mut self, g: GraphId, kind: VerifyErrorKind) {
        self.errors.push((Place::Graph(g), Pending::Kind(kind)));
    }

    fn finish(self) -> Result<(), VerifyErrors> {
        let Verifier { m, names, errors } = self;
        let error = |(place, kind)| {
            let (node, text) = match place {
                Place::Node(n) => (Some(n), names.definition(m, n)),
                Place::Graph(g) => (None, names.graph(g).to_owned()),
                Place::Module => (None, "module".to_owned()),
            };
            let kind = match kind {
                Pending::Kind(kind) => kind,
                Pending::Scope(v) => VerifyErrorKind::Scope { variable: names.node(m, v) },
                Pending::Captures(v) => VerifyErrorKind::Captures { variable: names.node(m, v) },
                Pending::SecondPush(v) => VerifyErrorKind::SecondPush { tape: names.node(m, v) },
            };
            VerifyError { node, text, kind }
        };
        let list: Vec<VerifyError> = errors.into_iter().map(error).collect();
        if list.is_empty() { Ok(()) } else { Err(VerifyErrors(list)) }
    }

    fn check_links(&mut self) {
        let mut uses: FxHashSet<Use> = FxHashSet::default();
        for (n, node) in self.m.nodes() {
            for &u in node.users() {
                let is_user = self.m.has_node(u.node) && self.m[u.node].inputs().get(u.index as usize) == Some(&n);
                if !(is_user && uses.insert(u)) {
                    self.node(n, VerifyErrorKind::StrayUse);
                }
            }
        }
        for (n, node) in self.m.nodes() {
            for (index, &input) in node.inputs().iter().enumerate() {
                if !self.m.has_node(input) {
                    self.node(n, VerifyErrorKind::MissingInput { index });
                } else if !uses.contains(&Use { node: n, index: index as u32 }) {
                    self.node(n, VerifyErrorKind::MissingUse { index });
                }
            }
        }
    }

    fn check_graphs(&mut self) {
        let m = self.m;
        if m.entry.is_some_and(|g| !m.has_graph(g))
            || m.derivatives.iter().any(|(&(g, _), &d)| !m.has_graph(g) || !m.has_graph(d))
        {
            self.errors.push((Place::Module, Pending::Kind(VerifyErrorKind::MissingGraph)));
        }
        for (n, node) in m.nodes() {
            let mentioned = node.graph.or(m.as_graph(n));
            if mentioned.is_some_and(|g| !m.has_graph(g)) || (node.graph.is_none() && node.as_const().is_none()) {
                self.node(n, VerifyErrorKind::MissingGraph);
            }
        }
        for (g, graph) in m.graphs() {
            let is_own = |n: NodeId, kind: Kind| m.has_node(n) && m[n].graph == Some(g) && m[n].kind == kind;
            if !graph.params.iter().all(|&p| is_own(p, Kind::Param)) {
                self.graph(g, VerifyErrorKind::ForeignNode { what: "parameter" });
            }
            if !graph.ret.is_none_or(|r| is_own(r, Kind::Return)) {
                self.graph(g, VerifyErrorKind::ForeignNode { what: "return" });
            }
            if !graph.defaults.iter().all(|&d| m.has_node(d)) {
                self.graph(g, VerifyErrorKind::ForeignNode { what: "default value" });
            }
        }
    }

    fn check_params(&mut self, nest: &Nest) {
        let m = self.m;
        let mut listed: FxHashMap<NodeId, usize> = FxHashMap::default();
        for &g in nest.graphs() {
            for &p in &m[g].params {
                *listed.entry(p).or_default() += 1;
            }
            if m[g].ret.is_none() {
                self.graph(g, VerifyErrorKind::NoReturn);
            }
        }
        for (n, node) in m.nodes() {
            if node.kind == Kind::Param && node.graph.is_some_and(|g| nest.contains(g)) {
                let count = listed.get(&n).copied().unwrap_or(0);
                if count != 1 {
                    self.node(n, VerifyErrorKind::ParamListed { count });
                }
            }
        }
    }

    /// The free variables of a graph include those of the graphs it refers to, so it is enough to look at each graph's own.
    fn check_scope(&mut self, nest: &Nest) {
        let m = self.m;
        let intervals = intervals(nest);
        for &g in nest.graphs() {
            let extent = intervals.get(g);
            for v in nest.free(g) {
                let owner = m[v].graph.and_then(|o| intervals.get(o));
                let is_within = |(first, last): (usize, usize)| extent.is_some_and(|g| first < g.0 && g.0 <= last);
                if !owner.is_some_and(|&o| is_within(o)) {
                    self.errors.push((Place::Graph(g), Pending::Scope(v)));
                }
            }
        }
        let derivatives = m.derivatives.iter().filter(|((g, _), _)| nest.contains(*g)).flat_map(|(&(g, _), &d)| [g, d]);
        let mut closed: Vec<GraphId> = m.entry.into_iter().chain(derivatives).collect();
        closed.sort_unstable();
        closed.dedup();
        for g in closed {
            if let Some(v) = nest.free(g).next() {
                self.errors.push((Place::Graph(g), Pending::Captures(v)));
            }
        }
    }

    /// Depth-first over the inputs that are own nodes, and over the captures of the closures among the inputs. `marks` are of the nodes
    /// that were entered, and of those that were left.
    fn check_order(&mut self, nest: &Nest, g: GraphId, stamp: usize, marks: &mut [Marks<NodeId>; 2]) {
        let m = self.m;
        let [open, done] = marks;
        let mut stack: Vec<(NodeId, bool)> = nest.schedule(g).iter().chain(&m[g].ret).map(|&n| (n, false)).collect();
        while let Some((n, entered)) = stack.pop() {
            if entered {
                done.mark(n, stamp);
                continue;
            }
            if !open.mark(n, stamp) {
                if done.is(n, stamp) {
                    continue;
                }
                return self.node(n, VerifyErrorKind::Cycle);
            }
            stack.push((n, true));
            let captures = m.as_graph(n).into_iter().flat_map(|h| nest.free(h));
            let needs = m[n].inputs().iter().copied().chain(captures);
            stack.extend(needs.filter(|&i| m[i].graph == Some(g) || m.as_graph(i).is_some()).map(|i| (i, false)));
        }
    }

    fn check_arity(&mut self, n: NodeId) {
        let node = &self.m[n];
        let found = node.inputs().len();
        let expected = match node.kind {
            Kind::Param | Kind::Const(_) => 0,
            Kind::Return => 1,
            Kind::Call => found.max(1),
            Kind::Prim(p) => p.arity().unwrap_or(found),
        };
        if found != expected {
            self.node(n, VerifyErrorKind::Arity { expected, found });
        }
    }

    fn check_types(&mut self, nest: &Nest) {
        let m = self.m;
        let mut constants: FxHashSet<NodeId> = FxHashSet::default();
        for n in reachable(m, nest) {
            for &input in m[n].inputs() {
                if m[input].graph.is_none() && constants.insert(input) {
                    self.check_constant(input);
                }
            }
            if is_unknown(&m[n].ty) {
                self.node(n, VerifyErrorKind::UnknownType);
            } else {
                self.check_node_type(n);
            }
        }
        for &g in nest.graphs() {
            let (declared, returned) = (&m[g].result, &m[m.result(g)].ty);
            if !declared.fits(returned) {
                self.graph(g, VerifyErrorKind::Mismatch { expected: returned.clone(), found: declared.clone() });
            }
            for p in Prim::OPERATORS {
                if let Some(&d) = m.derivatives.get(&(g, p)) {
                    self.check_derivative(g, p, d);
                }
            }
        }
    }

    /// A tape that two graphs push on may be one that only one of them gets to, such as the arms of a branch.
    fn check_linear(&mut self, nest: &Nest) {
        let m = self.m;
        let mut pushed: FxHashSet<(Option<GraphId>, NodeId)> = FxHashSet::default();
        for n in reachable(m, nest).filter(|&n| m.as_prim(n) == Some(Prim::Push)) {
            let tape = m[n].inputs()[0];
            if m[tape].graph.is_some() && !pushed.insert((m[n].graph, tape)) {
                self.errors.push((Place::Node(n), Pending::SecondPush(tape)));
            }
        }
    }

    fn check_constant(&mut self, n: NodeId) {
        let found = self.m[n].ty.clone();
        let expected = match self.m[n].as_const() {
            Some(Const::Graph(g)) => self.m.graph_type(*g),
            Some(Const::Zero) if matches!(found, Type::Opaque | Type::Tape(_) | Type::Vec(_)) => return,
            Some(Const::Undefined) if is_unknown(&found) => return self.node(n, VerifyErrorKind::UnknownType),
            Some(Const::Undefined) => return,
            Some(c) => literal_type(c),
            None => return,
        };
        if expected != found {
            self.node(n, VerifyErrorKind::Mismatch { expected, found });
        }
    }

    fn check_node_type(&mut self, n: NodeId) {
        let m = self.m;
        let node = &m[n];
        let types: SmallVec<[Type; 4]> = node.inputs().iter().map(|&i| m[i].ty.clone()).collect();
        let expected = match node.kind {
            Kind::Param | Kind::Const(_) => return,
            Kind::Return => types[0].clone(),
            Kind::Call => match (&types[0], &types[1..]) {
                (Type::AnyFn, _) => return,
                (Type::Fn(sig), arguments) => {
                    if sig.params.len() != arguments.len() || !sig.params.iter().zip(arguments).all(|(p, a)| p.fits(a)) {
                        let (callee, arguments) = (types[0].clone(), arguments.to_vec());
                        return self.node(n, VerifyErrorKind::Arguments { arguments, callee });
                    }
                    sig.result.clone()
                }
                (found, _) => return self.node(n, VerifyErrorKind::Callee { found: found.clone() }),
            },
            Kind::Prim(p) => match (p, &types[..]) {
                (p, operands) if p.effect(operands) == Effect::Source => return self.node(n, VerifyErrorKind::SourcePrim),
                (Prim::Unpack, [Type::Opaque]) => return,
                (Prim::Trace(TraceOp::Take), [Type::I64, Type::I64])
                    if matches!(node.ty.fields(), Some([Type::F64 | Type::Array(..), Type::I64])) =>
                {
                    return;
                }
                // Its signature is not known here.
                (p, [Type::AnyFn]) if p.is_operator() && node.ty.is_fn() => return,
                (Prim::Partial, [Type::AnyFn, ..]) if node.ty.is_fn() => return,
                (p, operands) => match p.result_type(operands) {
                    Some(ty) => ty,
                    None => return self.node(n, VerifyErrorKind::Operands { operands: types.to_vec() }),
                },
            },
        };
        if !expected.fits(&node.ty) {
            self.node(n, VerifyErrorKind::Mismatch { expected, found: node.ty.clone() });
        }
    }

    fn check_derivative(&mut self, g: GraphId, p: Prim, d: GraphId) {
        let found = self.m.graph_type(d);
        let Type::Fn(sig) = self.m.graph_type(g) else { return self.graph(g, VerifyErrorKind::UnknownType) };
        // The first parameters may be what closures of the graph hold: their cotangents are in the box of the closure's own.
        let expected = |captures: usize| {
            let (captured, params) = sig.params.split_at(captures);
            let derived = p.derived_type(params, &sig.result);
            let derived = derived.signature().expect("a derivative is a function").clone();
            Type::func(captured.iter().cloned().chain(derived.params), derived.result)
        };
        if !(0..=sig.params.len()).any(|captures| expected(captures).fits(&found)) {
            self.graph(d, VerifyErrorKind::Mismatch { expected: expected(0), found });
        }
    }
}

/// Whether a type is unknown, wholly or in part.
fn is_unknown(ty: &Type) -> bool {
    match ty {
        Type::Unknown => true,
        Type::Tuple(items) => items.iter().any(is_unknown),
        Type::Fn(sig) => sig.params.iter().any(is_unknown) || is_unknown(&sig.result),
        Type::Tape(record) | Type::Vec(record) => is_unknown(record),
        _ => false,
    }
}

/// For each graph the numbers of the first and the last graph within it, in a depth-first walk of the nesting. Graphs that are
/// nested in themselves are reached from no root and have none.
fn intervals(nest: &Nest) -> SecondaryMap<GraphId, (usize, usize)> {
    let mut children: SecondaryMap<GraphId, Vec<GraphId>> = SecondaryMap::new();
    let mut stack: Vec<(GraphId, bool)> = Vec::new();
    for &g in nest.graphs() {
        match nest.parent(g) {
            Some(p) => children.entry(p).expect("a parent exists").or_default().push(g),
            None => stack.push((g, false)),
        }
    }
    let mut intervals: SecondaryMap<GraphId, (usize, usize)> = SecondaryMap::new();
    let mut next = 0;
    while let Some((g, entered)) = stack.pop() {
        if entered {
            intervals[g] = (intervals[g].0, next - 1);
            continue;
        }
        intervals.insert(g, (next, next));
        next += 1;
        stack.push((g, true));
        stack.extend(children.get(g).into_iter().flatten().map(|&c| (c, false)));
    }
    intervals
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse::parse;
    use expect_test::{Expect, expect};

    fn check(text: &str, expect: Expect) {
        let errors = verify(&parse(text).unwrap()).map_or_else(|e| e.to_string(), |()| "fine".into());
        expect.assert_eq(&errors);
    }

    #[test]
    fn fine() {
        check(include_str!("../test_data/pow.ir"), expect!["fine"]);
        check(include_str!("../test_data/closure.ir"), expect!["fine"]);
        check(include_str!("../test_data/pullback.ir"), expect!["fine"]);
        check(include_str!("../test_data/tape.ir"), expect!["fine"]);
        check(include_str!("../test_data/source.ir"), expect!["fine"]);
    }

    #[test]
    fn structure() {
        check("graph @f(%x) { }", expect!["`@f`: has no return"]);
        check("graph @f(%x) { %y = add %x\n return %y }", expect!["`%y = add %x`: has 1 inputs, not 2"]);
        check("graph @f(%x) { %y = add %x, %z\n %z = neg %y\n return %z }", expect!["`%z = neg %y`: needs its own result"]);
    }

    #[test]
    fn a_closure_does_not_capture_its_own_value() {
        check(
            "graph @f(%x) { %y = call @g\n return %y }\ngraph @g() { %z = neg %y\n return %z }",
            expect!["`%y = call @g`: needs its own result"],
        );
    }

    #[test]
    fn scope() {
        // Neither of @g and @h is nested in the other, yet @k uses nodes of both.
        check(
            "graph @f() { %a = call @g, 1\n %b = call @h, %a\n return %b }
             graph @g(%x) { %c = call @k\n return %c }
             graph @h(%y) { %d = call @k\n return %d }
             graph @k() { %e = add %x, %y\n return %e }",
            expect![[r#"
                `@f`: uses %x, which is not in scope
                `@f`: uses %y, which is not in scope
                `@h`: uses %x, which is not in scope
                `@k`: uses %x, which is not in scope
                `@k`: uses %y, which is not in scope
                `@g`: uses %y, which is not in scope"#]],
        );
        check(
            "graph @f(%x) { %a = neg %y\n return %a }
             graph @g(%y) { %b = neg %x\n return %b }",
            expect![[r#"
                `@f`: uses %y, which is not in scope
                `@g`: uses %x, which is not in scope"#]],
        );
        check(
            "entry @f
             graph @f(%x: f64) -> f64 { %a: f64 = call @inner\n return %a }
             graph @g(%y: f64) -> f64 { %b: f64 = call @inner\n return %b }
             graph @inner() -> f64 { return %y }",
            expect!["`@f`: captures %y, but is used where nothing is in scope"],
        );
    }

    #[test]
    fn types() {
        let check = |body: &str, expect: Expect| {
            check(&format!("entry @f\ngraph @f(%x: f64, %n: i64, %g: fn(f64) -> i64, %h: fn) -> f64 {{ {body} }}"), expect);
        };
        check("%a: f64 = add %x, %n\n return %a", expect!["`%a: f64 = add %x, %n`: no such operation on (f64, i64)"]);
        check("%a: i64 = add %x, %x\n return %x\n %b: f64 = float %a\n", expect!["fine"]);
        check("%a: i64 = add %x, %x\n %b: f64 = float %a\n return %b", expect!["`%a: i64 = add %x, %x`: has type i64, not f64"]);
        check("%a: f64 = call %g, %n\n return %a", expect!["`%a: f64 = call %g, %n`: arguments (i64) for a fn(f64) -> i64"]);
        check("%a: f64 = call %g, %x\n return %a", expect!["`%a: f64 = call %g, %x`: has type f64, not i64"]);
        check("%a: f64 = call %x\n return %a", expect!["`%a: f64 = call %x`: calls a value of type f64"]);
        check("%a: f64 = call %h, %x\n return %a", expect!["fine"]);
        check("%a: f64 = power %x, %x\n return %a", expect!["`%a: f64 = power %x, %x`: is not resolved by inference"]);
        check(
            "%a = add %x, %x\n return %a",
            expect![[r#"
            `%a = add %x, %x`: its type is unknown
            `return %a`: its type is unknown
            `@f`: has type f64, not ?"#]],
        );
        check("return 1: f64", expect!["`1: f64`: has type f64, not i64"]);
        check("return %n", expect!["`@f`: has type f64, not i64"]);
    }

    #[test]
    fn tapes() {
        let check = |body: &str, expect: Expect| {
            let arms = "block @a() -> tape<f64> { %u: tape<f64> = push %t, %x\n return %u }
                 block @b() -> tape<f64> { %v: tape<f64> = push %t, 2.0\n return %v }";
            let graph = format!("graph @f(%t: tape<f64>, %x: f64, %c: bool) -> tape<f64> {{ {body} }}");
            check(&format!("entry @f\n{graph}\n{arms}"), expect);
        };
        check("%g: fn() -> tape<f64> = select %c, @a, @b\n %w: tape<f64> = call %g\n return %w", expect!["fine"]);
        check(
            "%w: tape<f64> = push zero: tape<f64>, %x\n %y: tape<f64> = push zero: tape<f64>, 1.0
               %z: tape<f64> = gadd %w, %y\n return %z",
            expect!["fine"],
        );
        check(
            "%w: tape<f64> = push %t, %x\n %y: tape<f64> = push %t, 1.0\n %z: tape<f64> = gadd %w, %y\n return %z",
            expect!["`%y: tape<f64> = push %t, 1.0`: pushes on %t, which this graph has pushed on"],
        );
        check(
            "%w: tape<f64> = push %t, %c\n return %w",
            expect!["`%w: tape<f64> = push %t, %c`: no such operation on (tape<f64>, bool)"],
        );
        check(
            "%w: tape<f64> = pop %t\n return %w",
            expect!["`%w: tape<f64> = pop %t`: has type tape<f64>, not (tape<f64>, f64)"],
        );
        check("%w: tape<f64> = push %t, undefined: f64\n return %w", expect!["fine"]);
        check("%w: tape<f64> = push undefined: tape<f64>, %x\n return %w", expect!["fine"]);
        check(
            "%w: tape<f64> = push undefined: tape<?>, %x\n return %w",
            expect![[r#"
            `undefined: tape<?>`: its type is unknown
            `%w: tape<f64> = push undefined: tape<?>, %x`: no such operation on (tape<?>, f64)"#]],
        );
        check(
            "%w: tape<f64> = push undefined, %x\n return %w",
            expect![[r#"
            `undefined`: its type is unknown
            `%w: tape<f64> = push undefined, %x`: no such operation on (?, f64)"#]],
        );
    }

    #[test]
    fn derivatives() {
        let text = include_str!("../test_data/pullback.ir");
        check(
            &text.replace("derivative J ", "derivative K "),
            expect![
                "`@square.J`: has type fn(f64) -> (f64, fn(f64) -> (opaque, f64)), not fn(f64, fn(opaque, f64) -> opaque) -> (f64, fn(f64) -> opaque)"
            ],
        );
        check(
            &text.replace("@square = @square.J", "@square = @square.back"),
            expect!["`@square.back`: captures %a.1, but is used where nothing is in scope"],
        );
    }

    #[test]
    fn links_to_what_was_removed() {
        let mut m = parse(include_str!("../test_data/pow.ir")).unwrap();
        let entry = m.entry.take().unwrap();
        m.collect_garbage(&[]);
        m.entry = Some(entry);
        expect!["`module`: mentions a graph that does not exist"].assert_eq(&verify(&m).unwrap_err().to_string());
    }
}

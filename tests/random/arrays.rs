//! Random programs with arrays.
//!
//! Here a tree says nothing about types: its numbers choose among what can be printed where it stands, for the shape that is asked for
//! there. So every tree is a well-typed program, also one that lost a part as it shrank; the first choice is the simplest. Shapes are
//! `(m,)`, `(n,)`, `(m, n)`, `(n, m)`, and what broadcasts to them.
//!
//! What is written to never has a second name, as NumPy would show the change under both: it is copied wherever it gets one.

use crate::tree::{Stmt, Tree, fill, stmts, tree};
use gradus::{Array, Dims, Elements, Value};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

/// A helper, its parameters `(t, v)` of which the second is a float or an array.
#[derive(Clone, Debug)]
struct Helper {
    param: usize,
    result: usize,
    body: Vec<Stmt>,
    end: Tree,
}

/// A file, and what `main(t, x, a, k)` is called with.
#[derive(Clone, Debug)]
pub struct Program {
    m: usize,
    n: usize,
    helpers: Vec<Helper>,
    body: Vec<Stmt>,
    end: Tree,
    count: i64,
}

/// Programs.
pub fn programs() -> BoxedStrategy<Program> {
    let helper =
        (0..4usize, 0..4usize, stmts(1), tree(3)).prop_map(|(param, result, body, end)| Helper { param, result, body, end });
    let n = prop_oneof![8 => 2..6usize, 4 => 1..20usize, 1 => Just(70usize)];
    let sizes = (select(&[2usize, 1, 3, 4, 5][..]), n).prop_map(|(m, n)| if n == 70 { (1, n) } else { (m, n) });
    (sizes, vec(helper, 0..3), stmts(2), tree(4), 0..4i64)
        .prop_map(|((m, n), helpers, body, end, count)| Program { m, n, helpers, body, end, count })
        .boxed()
}

/// No axes: a float.
type Shape = Vec<usize>;

#[derive(Clone, Debug, PartialEq)]
enum Kind {
    Array(Shape),
    /// A tuple.
    Pair(Shape, Shape),
    /// An integer from 0 up to a bound.
    Index(usize),
    /// A function of an array.
    Fun(Shape, Shape),
}

#[derive(Clone, Debug)]
struct Var {
    name: String,
    kind: Kind,
    /// Whether it may be assigned again, and written to where it is an array.
    changes: bool,
}

struct Printer {
    lines: Vec<String>,
    indent: usize,
    names: usize,
    scope: Vec<Var>,
    shapes: Vec<Shape>,
    helpers: Vec<(String, Shape, Shape)>,
    derivatives: usize,
    loops: usize,
    /// Whether this is `main`, which gives a float.
    is_main: bool,
}

/// The arguments of `main`.
pub fn arguments(p: &Program) -> Vec<Value> {
    let array = |shape: &[usize], offset: f64| {
        let count: usize = shape.iter().product();
        // No two are equal: there `max` has its kinks.
        let values = (0..count).map(|i| ((i as f64 * 7.31 + offset) % 3.7) - 1.83).collect();
        Value::Array(Array::new(Dims::new(shape.iter().map(|&n| n as i64).collect::<Vec<_>>()), Elements::F64(values)))
    };
    vec![Value::F64(0.7), array(&[p.n], 0.37), array(&[p.m, p.n], 1.91), Value::I64(p.count)]
}

/// Prints a file.
pub fn print(p: &Program) -> String {
    let (m, n) = (p.m, p.n);
    let shapes = vec![vec![n], vec![m, n], vec![m], vec![n, m]];
    let mut printer = Printer {
        lines: vec!["import math\n\nimport numpy as np\n\nfrom gradus import grad, value_and_grad\n".into()],
        indent: 0,
        names: 0,
        scope: Vec::new(),
        shapes: shapes.clone(),
        helpers: Vec::new(),
        derivatives: 2,
        loops: 0,
        is_main: false,
    };
    let kinds: Vec<Shape> = [vec![], vec![n], vec![m, n], vec![m]].into();
    for (i, h) in p.helpers.iter().enumerate() {
        let (param, result) = (kinds[h.param].clone(), kinds[h.result].clone());
        let name = format!("helper{i}");
        printer.line(format!("\ndef {name}(t, v):"));
        printer.scope = vec![var("t", vec![], false), var("v", param.clone(), false)];
        printer.indent = 1;
        printer.body(&h.body);
        let end = printer.fresh_array(&result, &h.end);
        printer.line(format!("return {end}"));
        printer.indent = 0;
        printer.helpers.push((name, param, result));
    }
    printer.line("\ndef main(t, x, a, k):".into());
    printer.is_main = true;
    let count = Var { name: "k".into(), kind: Kind::Index(4), changes: false };
    printer.scope = vec![count, var("a", vec![m, n], false), var("x", vec![n], false), var("t", vec![], false)];
    printer.indent = 1;
    printer.body(&p.body);
    let end = printer.float(&p.end);
    // What was made last counts, too.
    let all: Vec<Var> = printer.scope.iter().rev().take(6).cloned().collect();
    let rest = all.iter().filter_map(|v| match &v.kind {
        Kind::Array(s) if s.is_empty() => Some(format!("np.tanh({})", v.name)),
        Kind::Array(_) => Some(format!("np.sum(np.tanh({}))", v.name)),
        Kind::Pair(..) => Some(format!("np.sum(np.sin({}[0]))", v.name)),
        _ => None,
    });
    let rest: Vec<String> = rest.collect();
    printer.line(format!("return {}", std::iter::once(end).chain(rest).collect::<Vec<_>>().join(" + ")));
    printer.lines.join("\n") + "\n"
}

fn var(name: &str, shape: Shape, changes: bool) -> Var {
    Var { name: name.into(), kind: Kind::Array(shape), changes }
}

fn spelled(shape: &[usize]) -> String {
    match shape {
        [n] => format!("{n}"),
        _ => format!("({})", shape.iter().map(usize::to_string).collect::<Vec<_>>().join(", ")),
    }
}

/// Of one array or float.
const UNARY: &[&str] = &[
    "{a}",
    "np.sin({a})",
    "({a} * 2.0 - 1.0)",
    "(-{a})",
    "np.tanh({a})",
    "np.exp(np.tanh({a}))",
    "np.sqrt(1.0 + {a} ** 2)",
    "np.log1p({a} * {a})",
    "abs({a})",
    "(1.0 / (1.0 + np.exp(-{a})))",
    "np.maximum({a}, 0.25)",
    "np.where({a} > 0.0, {a}, 0.5 * {a})",
    "np.tanh({a}) ** 3",
    "np.cos({a})",
    "np.arctan({a})",
    "np.clip({a}, -0.8, 0.9)",
];
/// Of two that broadcast.
const BINARY: &[&str] = &[
    "({a} + {b})",
    "({a} * {b})",
    "({a} - {b})",
    "({a} / (2.0 + {b} ** 2))",
    "np.maximum({a}, {b})",
    "np.minimum({a}, {b})",
    "np.where({a} < {b}, {a}, {b} * 0.5)",
    "np.where({b} > 0.1, {a} * {b}, np.sin({a}))",
    "np.hypot({a}, 1.0 + {b} * {b})",
];
/// Of one array, and of the same shape.
const MOVES: &[&str] = &[
    "{a}[::-1]",
    "np.roll({a}, 1)",
    "np.roll({a}, -2)",
    "np.cumsum({a}, axis=0)",
    "np.sort({a}, axis=0)",
    "np.concatenate(({a}[1:], {a}[:1]))",
    "np.concatenate(({a}[::2], {a}[1::2]))",
    "np.flip({a}, -1)",
    "np.reshape(np.ravel({a}), {s})",
    "({a} - np.mean({a}, axis=0, keepdims=True))",
    "({a} - np.max({a}))",
    "{a}[(np.arange({n}) * 2 + 1) % {n}]",
    "np.where({a} > 0.5, np.stack(({a}, {a}))[1], np.repeat({a}, 2, axis=0)[::2])",
    "(np.zeros({s}) + {a})",
    "(np.ones_like({a}) * {a})",
    "({a} / (1.0 + np.sum({a} * {a}, axis=-1, keepdims=True)))",
];
/// From an array to a float.
const FOLDS: &[&str] = &[
    "np.sum({a})",
    "np.mean({a})",
    "np.max({a})",
    "np.min({a})",
    "np.prod(np.tanh({a}) + 0.5)",
    "np.sum({a} * {a})",
    "np.var({a})",
    "np.log(np.sum(np.exp(np.tanh({a}))))",
];
/// From a matrix, along one of its axes.
const ALONG: &[&str] = &[
    "np.sum({a}, axis={i})",
    "np.max({a}, axis={i})",
    "np.mean({a}, axis={i})",
    "np.min({a}, axis={i})",
    "np.sum({a} * {a}, axis={i})",
    "np.prod(np.sin({a}), axis={i})",
];
const CONDITIONS: &[&str] = &["{a} > 0.2", "{a} < {b}", "0.0 <= {a} < 2.0", "not {a} > {b}", "{a} > 0.0 and {b} > 0.0"];
const AUGMENT: &[&str] = &["+=", "-=", "*=", "+="];

impl Printer {
    fn line(&mut self, text: String) {
        self.lines.push(format!("{}{text}", "    ".repeat(self.indent)));
    }

    fn name(&mut self, stem: &str) -> String {
        self.names += 1;
        format!("{stem}{}", self.names)
    }

    fn pick(&self, pick: usize, fits: impl Fn(&Var) -> bool) -> Option<Var> {
        let found: Vec<&Var> = self.scope.iter().rev().filter(|v| fits(v)).collect();
        (!found.is_empty()).then(|| found[pick % found.len()].clone())
    }

    fn variable(&self, pick: usize, shape: &[usize]) -> Option<Var> {
        self.pick(pick, |v| matches!(&v.kind, Kind::Array(s) if s == shape))
    }

    // Expressions.

    /// An expression of a shape; it may be a view or have a name.
    fn array(&mut self, shape: &[usize], t: &Tree) -> String {
        if shape.is_empty() {
            return self.float(t);
        }
        let none = Tree::default();
        let (a, b) = (t.kids.first().unwrap_or(&none), t.kids.get(1).unwrap_or(&none));
        let variable = self.variable(t.pick, shape);
        if t.kids.is_empty() && t.op < 30 {
            return variable.map_or_else(|| format!("np.full({}, 0.5)", spelled(shape)), |v| v.name);
        }
        match t.op {
            0..6 => fill(UNARY[t.pick % UNARY.len()], &[("{a}", &self.array(shape, a))]),
            6..9 => {
                let [a, b] = [self.array(shape, a), self.array(shape, b)];
                fill(BINARY[t.pick % BINARY.len()], &[("{a}", &a), ("{b}", &b)])
            }
            9..12 => {
                let narrow = match *shape {
                    [_, n] if t.pick.is_multiple_of(3) => vec![n],
                    [m, _] if t.pick % 3 == 1 => vec![m],
                    _ => vec![],
                };
                let wide = self.array(shape, a);
                let column = shape.len() == 2 && t.pick % 3 == 1;
                let narrow = self.array(&narrow, b);
                let narrow = if column { format!("({narrow})[:, None]") } else { narrow };
                fill(BINARY[t.pick % BINARY.len()], &[("{a}", &wide), ("{b}", &narrow)])
            }
            12..16 => fill(
                MOVES[t.pick % MOVES.len()],
                &[("{a}", &self.held(shape, a)), ("{s}", &spelled(shape)), ("{n}", &shape[0].to_string())],
            ),
            16..20 => match *shape {
                [n] => {
                    let other: Vec<Shape> = self.shapes.iter().filter(|s| s.len() == 2 && s.contains(&n)).cloned().collect();
                    let other = &other[t.pick % other.len()];
                    let axis = usize::from(other[0] == n);
                    let matrix = self.held(other, a);
                    match t.pick % 4 {
                        0 => {
                            let i = self.index(other[axis], t.pick);
                            if axis == 0 { format!("{matrix}[{i}]") } else { format!("{matrix}[:, {i}]") }
                        }
                        1 => {
                            let vector = self.held(&[other[axis]], b);
                            if axis == 0 { format!("({vector} @ {matrix})") } else { format!("({matrix} @ {vector})") }
                        }
                        _ => {
                            let axis = axis.to_string();
                            fill(ALONG[t.op % 4 + t.pick % 3], &[("{a}", &matrix), ("{i}", &axis)])
                        }
                    }
                }
                [m, n] => match t.pick % 4 {
                    0 => format!("{}.T", self.held(&[n, m], a)),
                    1 => {
                        let [a, b] = [self.array(&[m], a), self.array(&[n], b)];
                        format!("np.outer({a}, {b})")
                    }
                    2 => {
                        let [a, b] = [self.array(shape, a), self.array(shape, b)];
                        format!("(({a}) @ ({b}).T @ {})", self.held(shape, &none))
                    }
                    _ => {
                        let rows: Vec<String> = (0..m).map(|i| self.array(&[n], t.kids.get(i).unwrap_or(&none))).collect();
                        format!("np.stack(({},))", rows.join(", "))
                    }
                },
                _ => unreachable!("one or two axes"),
            },
            20..23 => match self.pick(t.pick, |v| matches!(&v.kind, Kind::Pair(a, b) if a == shape || b == shape)) {
                Some(Var { name, kind: Kind::Pair(first, _), .. }) => format!("{name}[{}]", usize::from(first != shape)),
                _ => self.array(shape, a),
            },
            23..26 => self.applied(shape, t, a).unwrap_or_else(|| self.array(shape, a)),
            26..29 => {
                let condition = self.condition(b);
                let [a, b] = [self.array(shape, a), self.array(shape, t.kids.get(2).unwrap_or(&none))];
                format!("({a} if {condition} else {b})")
            }
            29..32 => {
                let point = self.held(shape, b);
                let Some((f, factor)) = self.differentiated(shape, a, t.pick) else { return point };
                format!("({factor} * grad({f})({point}))")
            }
            32 => format!("np.zeros({})", spelled(shape)),
            33 => match *shape {
                [n] => format!("np.linspace(-1.0, 1.5, {n})"),
                _ => format!("np.ones({})", spelled(shape)),
            },
            _ => {
                let a = self.array(shape, a);
                format!("np.tanh({a})")
            }
        }
    }

    /// An expression that an index, a method or an attribute may follow.
    fn held(&mut self, shape: &[usize], t: &Tree) -> String {
        let text = self.array(shape, t);
        if text.chars().all(char::is_alphanumeric) { text } else { format!("({text})") }
    }

    /// An expression whose value no other variable shows.
    fn fresh_array(&mut self, shape: &[usize], t: &Tree) -> String {
        let text = self.array(shape, t);
        if shape.is_empty() { text } else { format!("({text}).copy()") }
    }

    /// A call of a helper or of a function in a variable.
    fn applied(&mut self, shape: &[usize], t: &Tree, argument: &Tree) -> Option<String> {
        let local = self.pick(t.pick, |v| matches!(&v.kind, Kind::Fun(_, to) if to == shape));
        if let (Some(Var { name, kind: Kind::Fun(from, _), .. }), true) = (local, t.pick.is_multiple_of(2)) {
            return Some(format!("{name}({})", self.array(&from, argument)));
        }
        let found: Vec<usize> = (0..self.helpers.len()).filter(|&i| self.helpers[i].2 == shape).collect();
        let (name, param, _) = self.helpers[*found.get(t.pick % found.len().max(1))?].clone();
        let time = self.float(&Tree { pick: t.pick, ..Tree::default() });
        Some(format!("{name}({time}, {})", self.array(&param, argument)))
    }

    /// A function from a shape to floats, for `grad`, and a factor that keeps derivatives small.
    fn differentiated(&mut self, shape: &[usize], body: &Tree, pick: usize) -> Option<(String, &'static str)> {
        if self.derivatives == 0 {
            return None;
        }
        self.derivatives -= 1;
        let found: Vec<String> =
            self.helpers.iter().filter(|(_, p, r)| p == shape && r.is_empty()).map(|h| h.0.clone()).collect();
        if let (Some(name), true) = (found.first(), pick.is_multiple_of(2)) {
            return Some((format!("lambda u: {name}(0.3, u)"), "0.1"));
        }
        let (name, text) = self.lambda(shape, |p| p.float(body));
        Some((format!("lambda {name}: {text}"), "0.1"))
    }

    /// The body of a lambda, which sees what does not change.
    fn lambda(&mut self, param: &[usize], print: impl FnOnce(&mut Printer) -> String) -> (String, String) {
        let name = self.name("u");
        let inside: Vec<Var> =
            self.scope.iter().filter(|v| !v.changes).cloned().chain([var(&name, param.to_vec(), false)]).collect();
        let outside = std::mem::replace(&mut self.scope, inside);
        let text = print(self);
        self.scope = outside;
        (name, text)
    }

    fn index(&self, length: usize, pick: usize) -> String {
        match self.pick(pick, |v| matches!(v.kind, Kind::Index(_))) {
            Some(Var { name, kind: Kind::Index(bound), .. }) if pick % 3 < 2 => {
                if bound <= length {
                    name
                } else {
                    format!("{name} % {length}")
                }
            }
            _ if pick % 2 == 1 => "-1".into(),
            _ => (pick % length).to_string(),
        }
    }

    fn float(&mut self, t: &Tree) -> String {
        let none = Tree::default();
        let (a, b) = (t.kids.first().unwrap_or(&none), t.kids.get(1).unwrap_or(&none));
        if t.kids.is_empty() && t.op < 12 {
            return self.variable(t.pick, &[]).map_or_else(|| "0.5".into(), |v| v.name);
        }
        let shape = self.shapes[t.pick % self.shapes.len()].clone();
        match t.op {
            0..4 => fill(UNARY[t.pick % UNARY.len()], &[("{a}", &self.float(a))]),
            4..8 => {
                let [a, b] = [self.float(a), self.float(b)];
                fill(BINARY[t.pick % BINARY.len()], &[("{a}", &a), ("{b}", &b)])
            }
            8..18 => fill(FOLDS[t.op % FOLDS.len()], &[("{a}", &self.array(&shape, a))]),
            18..26 => {
                let array = self.held(&shape, a);
                let indices: Vec<String> = shape.iter().enumerate().map(|(i, &n)| self.index(n, t.pick + i)).collect();
                let separator = if t.op.is_multiple_of(4) { "][" } else { ", " };
                format!("{array}[{}]", indices.join(separator))
            }
            26..29 => {
                let vector = self.shapes[t.pick % 2 * 2].clone();
                let [a, b] = [self.array(&vector, a), self.array(&vector, b)];
                format!("np.dot({a}, {b})")
            }
            29..33 => self.applied(&[], t, a).unwrap_or_else(|| self.float(a)),
            33..36 => {
                let condition = self.condition(b);
                let [a, b] = [self.float(a), self.float(t.kids.get(2).unwrap_or(&none))];
                format!("({a} if {condition} else {b})")
            }
            36 => {
                let i = self.index(4, t.pick);
                format!("float({i})")
            }
            37 => {
                let vector = self.variable(t.pick, &shape).map_or("np.ones(3)".into(), |v| v.name);
                format!("np.sum({vector}[{}])", [":-1", "1:"][t.pick % 2])
            }
            _ => ["0.5", "-1.25", "2.0"][t.pick % 3].into(),
        }
    }

    fn condition(&mut self, t: &Tree) -> String {
        let [a, b] = [0, 1].map(|i| self.float(t.kids.get(i).unwrap_or(t)));
        format!("({})", fill(CONDITIONS[t.pick % CONDITIONS.len()], &[("{a}", &a), ("{b}", &b)]))
    }

    // Statements.

    fn body(&mut self, body: &[Stmt]) {
        body.iter().for_each(|s| self.stmt(s));
    }

    /// A block of its own; the names that it makes are not seen outside.
    fn block(&mut self, body: &[Stmt]) {
        self.indent += 1;
        let (seen, lines) = (self.scope.len(), self.lines.len());
        self.body(body);
        if self.lines.len() == lines {
            self.line("pass".into());
        }
        self.scope.truncate(seen);
        self.indent -= 1;
    }

    fn declare(&mut self, stem: &str, kind: Kind, changes: bool) -> String {
        let name = self.name(stem);
        self.scope.push(Var { name: name.clone(), kind, changes });
        name
    }

    /// Something that changes, of a shape that the number chooses.
    fn changing(&self, s: &Stmt, is_array: bool) -> Option<(String, Shape)> {
        let found = self.pick(s.pick, |v| v.changes && matches!(&v.kind, Kind::Array(s) if s.is_empty() != is_array))?;
        let Kind::Array(shape) = found.kind else { unreachable!("an array") };
        Some((found.name, shape))
    }

    fn stmt(&mut self, s: &Stmt) {
        let [a, b] = &s.kids;
        let shape = self.shapes[s.pick % self.shapes.len()].clone();
        match s.op {
            // New variables.
            0..3 => {
                let text = self.array(&shape, a);
                let name = self.name("c");
                let copied = if self.aliases(&text) { format!("({text}).copy()") } else { text };
                self.line(format!("{name} = {copied}"));
                self.scope.push(Var { name, kind: Kind::Array(shape), changes: false });
            }
            3..8 => {
                let text = self.fresh_array(&shape, a);
                let name = self.declare("w", Kind::Array(shape), true);
                self.line(format!("{name} = {text}"));
            }
            8..10 => {
                let text = self.float(a);
                let name = self.declare("s", Kind::Array(vec![]), true);
                self.line(format!("{name} = {text}"));
            }
            10 => {
                let other = self.shapes[(s.pick + s.op + 1) % self.shapes.len()].clone();
                let [first, second] = [self.fresh_array(&shape, a), self.fresh_array(&other, b)];
                let name = self.declare("p", Kind::Pair(shape, other), false);
                self.line(format!("{name} = ({first}, {second})"));
            }
            11 => {
                let to = if s.pick.is_multiple_of(3) { vec![] } else { shape.clone() };
                let (param, text) = self.lambda(&shape, |p| p.array(&to, a));
                let name = self.declare("f", Kind::Fun(shape, to), false);
                self.line(format!("{name} = lambda {param}: {text}"));
            }
            // Changes.
            12..20 => self.write(s, a, b),
            20..23 => {
                let Some((name, shape)) = self.changing(s, true) else { return };
                let text = self.fresh_array(&shape, a);
                self.line(format!("{name} = {text}"));
            }
            23..27 => {
                let Some((name, _)) = self.changing(s, false) else { return };
                let text = self.float(a);
                self.line(format!("{name} {} {text}", ["+=", "=", "-="][s.pick % 3]));
            }
            27 => {
                // Two arrays change places.
                let Some((name, shape)) = self.changing(s, true) else { return };
                let other = self.pick(s.pick + 1, |v| v.changes && v.kind == Kind::Array(shape.clone()) && v.name != name);
                let Some(other) = other else { return };
                self.line(format!("{name}, {0} = {0}, {name}", other.name));
            }
            // Control.
            28 if self.loops > 0 || self.is_main => {
                let leave = match s.pick % 4 {
                    0 | 1 if self.loops > 0 => ["break", "continue"][s.pick % 2].into(),
                    _ if self.is_main => format!("return {}", self.float(a)),
                    _ => return,
                };
                let condition = self.condition(b);
                self.line(format!("if {condition}:"));
                self.line(format!("    {leave}"));
            }
            28..32 => {
                let condition = self.condition(b);
                self.line(format!("if {condition}:"));
                self.block(&s.body);
                if !s.otherwise.is_empty() {
                    self.line("else:".into());
                    self.block(&s.otherwise);
                }
            }
            _ if self.loops == 2 => self.body(&s.body),
            32..37 => {
                let bound = if s.op == 32 { 3 } else { shape[0] };
                let i = self.name("i");
                self.line(format!("for {i} in range({bound}):"));
                self.looped(&s.body, Some(Var { name: i, kind: Kind::Index(bound), changes: true }), None);
            }
            37 => {
                // Over rows or elements.
                let array = self.array(&shape, a);
                let row = self.name("row");
                self.line(format!("for {row} in ({array}).copy():"));
                self.looped(&s.body, Some(var(&row, shape[1..].to_vec(), false)), None);
            }
            _ => {
                let j = self.name("j");
                let condition = self.condition(b);
                self.line(format!("{j} = 0"));
                self.line(format!("while {j} < 3 and {condition}:"));
                self.looped(&s.body, None, Some(format!("{j} += 1")));
            }
        }
    }

    fn looped(&mut self, body: &[Stmt], var: Option<Var>, last: Option<String>) {
        self.loops += 1;
        let seen = self.scope.len();
        self.scope.extend(var);
        if let Some(last) = last {
            self.indent += 1;
            self.line(last);
            self.indent -= 1;
        }
        self.block(body);
        self.scope.truncate(seen);
        self.loops -= 1;
    }

    /// Whether the text may give what a variable that changes shows, too.
    fn aliases(&self, text: &str) -> bool {
        self.scope.iter().any(|v| v.changes && matches!(&v.kind, Kind::Array(s) if !s.is_empty()) && text.contains(&v.name))
    }

    /// A write to a part of an array.
    fn write(&mut self, s: &Stmt, a: &Tree, b: &Tree) {
        let Some((name, shape)) = self.changing(s, true) else { return };
        let op = if s.op.is_multiple_of(2) { "=" } else { AUGMENT[s.pick % AUGMENT.len()] };
        let (target, of) = match (s.op, shape.len()) {
            (12..16, 1) => (self.index(shape[0], b.pick), vec![]),
            (12..14, _) => (format!("{}, {}", self.index(shape[0], b.pick), self.index(shape[1], a.pick)), vec![]),
            (14..16, _) => (self.index(shape[0], b.pick), vec![shape[1]]),
            (16, 2) => (format!(":, {}", self.index(shape[1], b.pick)), vec![shape[0]]),
            (17, 2) => (format!("{}][{}", self.index(shape[0], b.pick), self.index(shape[1], a.pick)), vec![]),
            (19, _) if s.pick.is_multiple_of(3) => (format!("(np.arange({0}) * 2) % {0}", shape[0]), shape),
            (18, _) => (["1:", ":-1", "::2", "1:3", "::-1"][b.pick % 5].into(), vec![]),
            _ if s.pick.is_multiple_of(2) => (":".into(), shape),
            _ => ("::-1".into(), shape),
        };
        let value = self.array(&of, a);
        self.line(format!("{name}[{target}] {op} {value}"));
    }
}

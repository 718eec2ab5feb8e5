//! The printer: a tree becomes Python text, names are given, and what would run too long is left out. Here are files, functions and
//! statements.

use crate::program::*;
use crate::tree::fill;

#[path = "expressions.rs"]
mod expressions;

/// How often the helpers' and main's expressions may be evaluated, as estimated.
const LONGEST: f64 = 3e4;
/// The same for one call of a function that is a value.
const LONGEST_VALUE: f64 = 300.0;
/// Derivative operators in a file: each multiplies the code of what it differentiates.
const DERIVATIVES: usize = 2;
/// A recursion's first counter.
const RECURSION: &str = "3";

/// A file with the number of its function's arguments.
pub struct Text {
    pub text: String,
    pub floats: usize,
}

/// Prints a file. The function is `main`.
pub fn print(p: &Program) -> Text {
    let mut printer = Printer { derivatives: DERIVATIVES, ..Printer::default() };
    for (i, helper) in p.helpers.iter().enumerate() {
        // Neighbours that are both recursive call each other.
        let partner = p.helpers.get(i ^ 1).filter(|d| d.recursive && helper.recursive);
        printer.helper(helper, i, partner);
    }
    let mut main = p.main.clone();
    main.params.push(Kind::Int);
    printer.def(&main, "main".into(), None);
    let text = format!("import math\n\nfrom gradus import grad, value_and_grad\n{}", printer.lines.join("\n"));
    Text { text: text + "\n", floats: p.main.params.len() + 1 }
}

#[derive(Clone, Debug)]
struct Callee {
    name: String,
    /// Names and kinds, without the counter and a default.
    params: Vec<(String, Kind)>,
    counter: Option<String>,
    result: Kind,
    cost: f64,
}

#[derive(Clone, Debug)]
enum Thing {
    Value(Kind),
    Callee(Callee),
}

#[derive(Clone, Debug)]
struct Var {
    name: String,
    thing: Thing,
    /// The function it belongs to.
    frame: usize,
    /// Whether it can be assigned by a statement.
    again: bool,
    /// Whether a closure may see it change: it is assigned again, or belongs to a trip of a loop.
    changes: bool,
    /// Only called by name from its own function.
    lifted: bool,
}

/// A function being printed.
struct Frame {
    /// Whether its closure lives on where it is made.
    escapes: bool,
    /// Variables that it keeps the present value of.
    defaults: Vec<String>,
    trips: f64,
    cost: f64,
    loops: usize,
    result: Kind,
    /// The recursive function that it is, the counter's name, and how often it calls itself.
    again: Option<(Callee, String, f64)>,
    /// Functions that it may still apply, if it must not double the cost of what it is given.
    applications: Option<usize>,
}

#[derive(Default)]
struct Printer {
    lines: Vec<String>,
    indent: usize,
    scope: Vec<Var>,
    frames: Vec<Frame>,
    names: usize,
    /// The cost of the dearest function value so far.
    value_cost: f64,
    derivatives: usize,
}

impl Printer {
    fn fresh(&mut self, stem: &str) -> String {
        self.names += 1;
        format!("{stem}{}", self.names)
    }

    fn line(&mut self, text: String) {
        self.lines.push(format!("{}{text}", "    ".repeat(self.indent)));
    }

    fn frame(&mut self) -> &mut Frame {
        self.frames.last_mut().expect("a function is being printed")
    }

    fn spend(&mut self, cost: f64) {
        let f = self.frame();
        f.cost += cost * f.trips;
    }

    // Names.

    fn declare(&mut self, stem: &str, kind: Kind, again: bool) -> String {
        let name = self.fresh(stem);
        let changes = again || self.frame().loops > 0;
        let frame = self.frames.len() - 1;
        self.scope.push(Var { name: name.clone(), thing: Thing::Value(kind), frame, again, changes, lifted: false });
        name
    }

    fn pick(&self, pick: Pick, fits: impl Fn(&Var) -> bool) -> Option<Var> {
        let found: Vec<&Var> = self.scope.iter().rev().filter(|v| fits(v)).collect();
        (!found.is_empty()).then(|| found[pick % found.len()].clone())
    }

    /// Reads a variable from the innermost function.
    fn read(&mut self, v: &Var) -> String {
        let outside = v.frame + 1..self.frames.len();
        if v.changes && !v.lifted && outside.clone().any(|i| self.frames[i].escapes) {
            let defaults = &mut self.frames[v.frame + 1].defaults;
            if !defaults.contains(&v.name) {
                defaults.push(v.name.clone());
            }
        }
        v.name.clone()
    }

    fn value(&mut self, kind: Kind, pick: Pick) -> Option<String> {
        let v = self.pick(pick, |v| matches!(v.thing, Thing::Value(k) if k == kind))?;
        Some(self.read(&v))
    }

    /// A variable of this function that can be assigned.
    fn target(&self, kind: Kind, pick: Pick) -> Option<String> {
        let here = self.frames.len() - 1;
        let fits = |v: &Var| v.again && v.frame == here && matches!(v.thing, Thing::Value(k) if k == kind);
        Some(self.pick(pick, fits)?.name)
    }

    fn callee(&mut self, pick: Pick, fits: impl Fn(&Callee) -> bool) -> Option<Callee> {
        let here = self.frames.len() - 1;
        // The partner of a recursion is called with what is left of the counter, or it would never end.
        let is_partner = |c: &Callee| self.frames.iter().any(|f| f.again.as_ref().is_some_and(|(next, ..)| next.name == c.name));
        let fits = |v: &Var| matches!(&v.thing, Thing::Callee(c) if fits(c) && !is_partner(c)) && (!v.lifted || v.frame == here);
        let v = self.pick(pick, fits)?;
        self.read(&v);
        let Thing::Callee(c) = v.thing else { return None };
        Some(c)
    }

    fn body(&mut self, body: &Body) {
        self.indent += 1;
        let (mark, before) = (self.scope.len(), self.lines.len());
        body.iter().for_each(|s| self.guarded(s));
        if self.lines.len() == before {
            self.line("pass".into());
        }
        self.scope.truncate(mark);
        self.indent -= 1;
    }

    /// Prints a statement unless it would run too long.
    fn guarded(&mut self, s: &Stmt) {
        let (lines, scope, cost) = (self.lines.len(), self.scope.len(), self.frame().cost);
        self.stmt(s);
        if self.frame().cost > LONGEST {
            self.lines.truncate(lines);
            self.scope.truncate(scope);
            self.frame().cost = cost;
        }
    }

    fn stmt(&mut self, s: &Stmt) {
        match s {
            Stmt::Let(again, a) => {
                let a = self.num(a);
                let v = self.declare("v", Kind::Float, *again);
                self.line(format!("{v} = {a}"));
            }
            Stmt::Set(v, a) => match self.target(Kind::Float, *v) {
                Some(v) => {
                    let a = self.num(a);
                    self.line(format!("{v} = {a}"));
                }
                None => self.stmt(&Stmt::Let(true, a.clone())),
            },
            Stmt::Augment(v, op, a) => match self.target(Kind::Float, *v) {
                Some(v) => {
                    let a = self.num(a);
                    self.line(format!("{v} {op} {a}"));
                }
                None => self.stmt(&Stmt::Let(true, a.clone())),
            },
            Stmt::Swap(v, w, a) => {
                let (Some(v), Some(w)) = (self.target(Kind::Float, *v), self.target(Kind::Float, *w)) else { return };
                let a = self.num(a);
                if v != w {
                    self.line(format!("{v}, {w} = {w}, {v} + {a}"));
                }
            }
            Stmt::Pair(again, a, b) => {
                let (a, b) = (self.num(a), self.num(b));
                let p = self.declare("p", Kind::Pair, *again);
                self.line(format!("{p} = {a}, {b}"));
            }
            Stmt::SetPair(p, a, b) => match self.target(Kind::Pair, *p) {
                Some(p) => {
                    let (a, b) = (self.num(a), self.num(b));
                    self.line(format!("{p} = ({a}, {b})"));
                }
                None => self.stmt(&Stmt::Pair(true, a.clone(), b.clone())),
            },
            Stmt::Unpack(p) => {
                let Some(p) = self.value(Kind::Pair, *p) else { return };
                let (a, b) = (self.declare("v", Kind::Float, false), self.declare("v", Kind::Float, true));
                self.line(format!("{a}, {b} = {p}"));
            }
            Stmt::Tally(i) => match self.target(Kind::Int, *i) {
                Some(i) => self.line(format!("{i} += 1")),
                None => {
                    let i = self.declare("i", Kind::Int, true);
                    self.line(format!("{i} = 0"));
                }
            },
            Stmt::Fun(again, f) => {
                let f = self.fun(f, true);
                let v = self.declare("f", Kind::Fun, *again);
                self.line(format!("{v} = {f}"));
            }
            Stmt::SetFun(v, f) => match self.target(Kind::Fun, *v) {
                Some(v) => {
                    let f = self.fun(f, true);
                    self.line(format!("{v} = {f}"));
                }
                None => self.stmt(&Stmt::Fun(true, f.clone())),
            },
            Stmt::Funs(f, g) => {
                let (f, g) = (self.fun(f, true), self.fun(g, true));
                let h = self.declare("h", Kind::Funs, false);
                self.line(format!("{h} = {f}, {g}"));
            }
            Stmt::Choose(c, a, b) => {
                let (c, a, b) = (self.cond(c), self.num(a), self.num(b));
                self.choose("v", Kind::Float, &c, &a, &b);
            }
            Stmt::ChooseFun(c, f, g) => {
                let (c, f, g) = (self.cond(c), self.fun(f, true), self.fun(g, true));
                self.choose("f", Kind::Fun, &c, &f, &g);
            }
            Stmt::If(arms, otherwise) => {
                for (i, (c, body)) in arms.iter().enumerate() {
                    let c = self.cond(c);
                    self.line(format!("{} {c}:", if i == 0 { "if" } else { "elif" }));
                    self.body(body);
                }
                if let Some(body) = otherwise {
                    self.line("else:".into());
                    self.body(body);
                }
            }
            Stmt::Loop { kind, trips, test, body, otherwise } => {
                self.repeat(*kind, *trips, test.as_ref(), body, otherwise.as_ref())
            }
            Stmt::Leave(how, c, a) => {
                let c = self.cond(c);
                self.line(format!("if {c}:"));
                self.indent += 1;
                match how {
                    Leave::Break if self.frame().loops > 0 => self.line("break".into()),
                    Leave::Continue if self.frame().loops > 0 => self.line("continue".into()),
                    _ => {
                        let a = self.result(a);
                        self.line(format!("return {a}"));
                    }
                }
                self.indent -= 1;
            }
            Stmt::Def(d) => {
                let name = self.fresh("f");
                self.def(d, name, None);
            }
        }
    }

    fn choose(&mut self, stem: &str, kind: Kind, c: &str, a: &str, b: &str) {
        let v = self.declare(stem, kind, true);
        self.line(format!("if {c}:"));
        self.line(format!("    {v} = {a}"));
        self.line("else:".into());
        self.line(format!("    {v} = {b}"));
    }

    fn repeat(&mut self, kind: Loop, trips: usize, test: Option<&Cond>, body: &Body, otherwise: Option<&Body>) {
        let mark = self.scope.len();
        if let Loop::Once = kind {
            body.iter().for_each(|s| self.guarded(s));
            return;
        }
        let outer = self.frame().trips;
        self.frame().trips *= 4.0;
        self.frame().loops += 1;
        match kind {
            Loop::While => {
                let k = self.fresh("k");
                let test = test.map_or(String::new(), |c| format!(" and {}", self.cond(c)));
                self.line(format!("{k} = 0"));
                self.line(format!("while {k} < {trips}{test}:"));
                self.line(format!("    {k} += 1"));
                let frame = self.frames.len() - 1;
                self.scope.push(Var {
                    name: k,
                    thing: Thing::Value(Kind::Int),
                    frame,
                    again: false,
                    changes: true,
                    lifted: false,
                });
            }
            Loop::Tuple => {
                let items: Vec<String> = (0..trips.max(1)).map(|i| self.num(&Num::Var(i))).collect();
                let v = self.declare("v", Kind::Float, true);
                self.line(format!("for {v} in ({},):", items.join(", ")));
            }
            Loop::Functions(pick) => match self.value(Kind::Funs, pick) {
                Some(h) => {
                    let f = self.declare("f", Kind::Fun, false);
                    self.line(format!("for {f} in {h}:"));
                }
                None => self.line(format!("for _ in range({trips}):")),
            },
            Loop::Range | Loop::Reversed | Loop::Upto(_) | Loop::Once => {
                let range = match kind {
                    Loop::Reversed => format!("range({trips}, 0, -1)"),
                    Loop::Upto(pick) => format!("range(min({}, 3))", self.int(pick)),
                    _ => format!("range({trips})"),
                };
                let i = self.declare("i", Kind::Int, false);
                self.line(format!("for {i} in {range}:"));
            }
        }
        self.body(body);
        self.scope.truncate(mark);
        self.frame().trips = outer;
        self.frame().loops -= 1;
        if let Some(body) = otherwise {
            self.line("else:".into());
            self.body(body);
        }
    }

    // Functions.

    fn signature(d: &Def, name: String, first: usize) -> Callee {
        let stem = |k: &Kind| match k {
            Kind::Float => "x",
            Kind::Int => "i",
            Kind::Pair => "p",
            Kind::Fun => "f",
            Kind::Funs => "h",
        };
        let kinds = std::iter::once(&Kind::Float).chain(&d.params);
        let params = kinds.enumerate().map(|(i, k)| (format!("{}{}", stem(k), first + i), *k)).collect();
        Callee { name, params, counter: d.recursive.then(|| format!("n{first}")), result: d.result, cost: 0.0 }
    }

    fn helper(&mut self, d: &Def, i: usize, partner: Option<&Def>) {
        // The names of a helper's parameters follow from its number, so that its neighbour can know them.
        let name = |i: usize| format!("helper{i}");
        let callee = partner.map(|d| Printer::signature(d, name(i ^ 1), 100 * ((i ^ 1) + 1)));
        self.def(d, name(i), callee);
    }

    /// Prints a function; `next` is the one that it calls where it is to call itself.
    fn def(&mut self, d: &Def, name: String, next: Option<Callee>) {
        let lifted = d.lifted && !self.frames.is_empty() && !d.recursive && matches!(d.result, Kind::Float | Kind::Pair);
        let helper: Option<usize> = name.strip_prefix("helper").and_then(|i| i.parse().ok());
        let first = match helper {
            Some(i) => 100 * (i + 1),
            None => {
                self.names += 10;
                self.names - 9
            }
        };
        let mut callee = Printer::signature(d, name.clone(), first);
        let takes = d.params.iter().any(|k| matches!(k, Kind::Fun | Kind::Funs));
        let transformer = takes && matches!(d.result, Kind::Fun | Kind::Funs);
        let looped = self.frames.last().is_some_and(|f| f.loops > 0);
        let (mark, before, nested) = (self.scope.len(), self.lines.len(), !self.frames.is_empty());
        self.enter(nested && !lifted, d.result, transformer.then_some(1));
        let frame = self.frames.len() - 1;
        for (i, (name, kind)) in callee.params.iter().enumerate() {
            let again = i % 2 == 1 && *kind != Kind::Int;
            self.scope.push(Var { name: name.clone(), thing: Thing::Value(*kind), frame, again, changes: again, lifted: false });
        }
        if let Some(counter) = &callee.counter {
            self.scope.push(Var {
                name: counter.clone(),
                thing: Thing::Value(Kind::Int),
                frame,
                again: false,
                changes: false,
                lifted: false,
            });
        }
        let default = d.default.then(|| self.declare("w", Kind::Float, false));
        self.indent += 1;
        if let Some(counter) = callee.counter.clone() {
            let end = self.result(&Num::Var(1));
            self.line(format!("if {counter} <= 0:"));
            self.line(format!("    return {end}"));
            self.frame().again = Some((next.unwrap_or_else(|| callee.clone()), counter, 0.0));
        }
        self.indent -= 1;
        let inner = self.scope.len();
        self.indent += 1;
        d.body.iter().for_each(|s| self.guarded(s));
        let mut end = self.result(&d.end);
        if !nested && helper.is_none() {
            // All that was computed counts.
            let float = |v: &&Var| v.frame == frame && matches!(v.thing, Thing::Value(Kind::Float));
            let sum: String = self.scope.iter().filter(float).map(|v| format!(" + {}", v.name)).collect();
            end += &sum;
        }
        self.line(format!("return {end}"));
        self.indent -= 1;
        debug_assert!(self.scope.len() >= inner);
        let frame = self.leave(mark);
        let calls = frame.again.as_ref().map_or(0.0, |a| a.2);
        callee.cost = frame.cost * (1.0 + calls + calls.powi(2) + calls.powi(3));
        let mut params: Vec<String> = callee.params.iter().map(|(n, _)| n.clone()).collect();
        params.extend(callee.counter.clone());
        params.extend(default.map(|w| format!("{w}=0.5")));
        params.extend(frame.defaults.iter().map(|v| format!("{v}={v}")));
        let header = format!("{}def {name}({}):", "    ".repeat(self.indent), params.join(", "));
        self.lines.insert(before, header);
        if !nested {
            self.lines.insert(before, String::new());
        }
        let dear = callee.cost > if nested { LONGEST_VALUE } else { LONGEST / 10.0 };
        if dear {
            return;
        }
        if callee.is_fun() && !lifted {
            self.value_cost = self.value_cost.max(callee.cost);
        }
        let frame = self.frames.len().saturating_sub(1);
        self.scope.push(Var { name, thing: Thing::Callee(callee), frame, again: false, changes: looped, lifted });
    }
}

impl Callee {
    /// Whether it is a function from float to float.
    fn is_fun(&self) -> bool {
        self.params.len() == 1 && self.counter.is_none() && self.result == Kind::Float
    }
}

//! Random programs with lists: of floats, of lists, of a length that only the run knows; dictionaries; textbook recursion over lists.
//!
//! No list is ever empty, so that each has a last element, and none has a second name, as CPython would show a change under both. What
//! `+` and `*` make is cut, or lists in loops would grow without end.

use crate::tree::{Stmt, Tree, fill, stmts, tree};
use gradus::Value;
use proptest::prelude::*;

/// A helper: its parameter, its result, and its body.
#[derive(Clone, Debug)]
struct Helper {
    param: usize,
    result: usize,
    body: Vec<Stmt>,
    end: Tree,
}

/// A file, and what `main(t, u, k)` is called with.
#[derive(Clone, Debug)]
pub struct Program {
    helpers: Vec<Helper>,
    body: Vec<Stmt>,
    end: Tree,
    count: i64,
}

/// Programs.
pub fn programs() -> BoxedStrategy<Program> {
    let helper =
        (0..4usize, 0..4usize, stmts(1), tree(3)).prop_map(|(param, result, body, end)| Helper { param, result, body, end });
    let all = (proptest::collection::vec(helper, 0..3), stmts(2), tree(4), 0..5i64);
    all.prop_map(|(helpers, body, end, count)| Program { helpers, body, end, count }).boxed()
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    Float,
    List,
    Rows,
    Dict,
    Index,
}

const KINDS: [Kind; 4] = [Kind::List, Kind::Float, Kind::Rows, Kind::Dict];

#[derive(Clone, Debug)]
struct Var {
    name: String,
    kind: Kind,
    /// Whether it may be assigned again, and written to.
    changes: bool,
}

struct Printer {
    lines: Vec<String>,
    indent: usize,
    names: usize,
    scope: Vec<Var>,
    helpers: Vec<(String, Kind, Kind)>,
    derivatives: usize,
    loops: usize,
    /// Whether this is `main`, which gives a float.
    is_main: bool,
}

/// The arguments of `main`.
pub fn arguments(p: &Program) -> Vec<Value> {
    vec![Value::F64(0.7), Value::F64(-1.3), Value::I64(p.count)]
}

/// Functions as textbooks write them, from lists to lists of the same length.
const TEXTBOOK: &str = "\
import math

from gradus import grad


def quicksort(xs):
    if len(xs) <= 1:
        return xs[:]
    pivot, rest = xs[0], xs[1:]
    return quicksort([v for v in rest if v < pivot]) + [pivot] + quicksort([v for v in rest if v >= pivot])


def mergesort(xs):
    if len(xs) <= 1:
        return xs[:]
    left, right = mergesort(xs[: len(xs) // 2]), mergesort(xs[len(xs) // 2 :])
    merged = []
    i = j = 0
    while i < len(left) and j < len(right):
        if left[i] <= right[j]:
            merged.append(left[i])
            i += 1
        else:
            merged.append(right[j])
            j += 1
    return merged + left[i:] + right[j:]


def insertion(xs):
    xs = xs[:]
    for i in range(1, len(xs)):
        j = i
        while j > 0 and xs[j - 1] > xs[j]:
            xs[j - 1], xs[j] = xs[j], xs[j - 1]
            j -= 1
    return xs


def folded(xs, f):
    if len(xs) == 1:
        return f(xs[0])
    return f(xs[0]) * 0.5 + folded(xs[1:], f)


def prefixes(xs):
    out = [xs[0]]
    for v in xs[1:]:
        out.append(out[-1] * 0.5 + v)
    return out
";

/// From float to float.
const UNARY: &[&str] =
    &["{a}", "math.sin({a})", "({a} * 0.5 - 1.0)", "math.tanh({a})", "(-{a})", "math.sqrt(1.0 + {a} ** 2)", "abs({a})"];
const BINARY: &[&str] =
    &["({a} + {b})", "({a} * {b})", "({a} - {b})", "({a} / (2.0 + {b} ** 2))", "max({a}, {b})", "min({a}, {b})"];
/// From a list to a float. The hole `{i}` is an index.
const FOLDS: &[&str] = &[
    "{l}[{i}]",
    "{l}[-1]",
    "sum({l})",
    "max({l})",
    "min({l})",
    "len({l}) * 0.25",
    "sum([v * v for v in {l}])",
    "sum({l}[1:])",
    "sum(v * n for n, v in enumerate({l}))",
    "folded({l}, math.sin)",
    "folded({l}, lambda v: v * v)",
    "sum([a * b for a, b in zip({l}, {l}[::-1])])",
    "(1.0 if any(v > 0.5 for v in {l}) else 0.5)",
    "math.sqrt(1.0 + math.fsum([v * v for v in {l}]))",
    "{l}[:2][-1]",
];
/// From lists to a list.
const LISTS: &[&str] = &[
    "{l}[:]",
    "[{a}, {b}]",
    "[{a}, {b}, 0.5]",
    "[math.sin(v) for v in {l}]",
    "([v for v in {l} if v > {a}] + [{b}])",
    "({l} + {m})[:6]",
    "{l}[::-1]",
    "sorted({l})",
    "sorted({l}, key=lambda v: -v)",
    "list(reversed({l}))",
    "[a * b for a, b in zip({l}, {m})]",
    "({l} * 2)[:5]",
    "([{a}] * 3)",
    "({l}[1:] + [{a}])",
    "[v * {a} if v < {b} else v for v in {l}]",
    "list(map(math.tanh, {l}))",
    "quicksort({l})",
    "mergesort({l})",
    "insertion({l})",
    "prefixes({l})",
    "[n * 0.5 + v for n, v in enumerate({l})]",
    "[max(v, {a}) for v in {l}[: {i} + 1]]",
    "[sum({l}[: n + 1]) for n in range(len({l}))]",
];
/// From rows to a list.
const COLUMNS: &[&str] = &[
    "{r}[{i}][:]",
    "[sum(row) for row in {r}]",
    "[row[0] for row in {r}]",
    "[row[-1] * len(row) for row in {r}]",
    "[v for row in {r} for v in row][:7]",
    "max({r}, key=sum)[:]",
];
/// Rows.
const ROWS: &[&str] = &[
    "[row[:] for row in {r}]",
    "[{l}, {m}]",
    "[[a * b for b in {l}[:3]] for a in {m}[:3]]",
    "[list(pair) for pair in zip({l}, {m})]",
    "[{l} for _ in range(2)]",
    "[sorted(row) for row in {r}]",
    "({r}[:1] + [{l}])",
    "[[v * {a} for v in row] for row in {r}]",
];
const CONDITIONS: &[&str] = &[
    "{a} > 0.2",
    "{a} < {b}",
    "0.0 <= {a} < 2.0",
    "not {a} > {b}",
    "{a} > 0.0 and {b} > 0.0",
    "len({l}) > 2",
    "len({l}) % 2 == 0",
    "{l}[0] < {a} or {b} > 1.0",
];
/// Changes of a list; a list of one element keeps it.
const CHANGES: &[&str] = &[
    "{l}[{i}] = {a}",
    "{l}[{i}] += {a}",
    "{l}[-1] *= {a}",
    "{l}.append({a})",
    "{l}.insert({i}, {a})",
    "{l}.extend([{a}, {b}])",
    "{l}.reverse()",
    "{l}.sort()",
    "{l}[{i}], {l}[-1] = {l}[-1], {l}[{i}]",
    "{l}[0], {l}[-1] = {a}, {b}",
    "{l}[:1] = [{a}, {b}]",
    "{l} += [{a}]",
];
const REMOVALS: &[&str] = &["{l}.pop()", "{l}.pop(0)", "del {l}[{i}]", "del {l}[0]"];
const ROW_CHANGES: &[&str] = &[
    "{r}[{i}][0] = {a}",
    "{r}[{i}][-1] += {a}",
    "{r}[{i}] = list({l})",
    "{r}.append(list({l}))",
    "{r}[0].append({a})",
    "{r}[0][0], {r}[-1][0] = {a}, {r}[0][0]",
    "{r}.reverse()",
];
const DICT_CHANGES: &[&str] =
    &["{d}['a'] = {a}", "{d}['b'] += {a}", "{d}['a'], {d}['b'] = {d}['b'], {d}['a']", "{d}.update(a={a})"];
const DICTS: &[&str] =
    &["{'a': {a}, 'b': {b}}", "dict(a={a}, b={b})", "{key: v * 0.5 for key, v in {d}.items()}", "{**{d}, 'b': {a}}"];
const DICT_FOLDS: &[&str] = &["{d}['a']", "{d}['b']", "sum({d}.values())", "{d}.get('b', 1.0)"];

/// Prints a file.
pub fn print(p: &Program) -> String {
    let mut printer = Printer {
        lines: vec![TEXTBOOK.into()],
        indent: 0,
        names: 0,
        scope: Vec::new(),
        helpers: Vec::new(),
        derivatives: 2,
        loops: 0,
        is_main: false,
    };
    for (i, h) in p.helpers.iter().enumerate() {
        let (param, result) = (KINDS[h.param], KINDS[h.result]);
        let name = format!("helper{i}");
        printer.line(format!("\ndef {name}(t, p):"));
        printer.scope = vec![var("t", Kind::Float, false), var("p", param, false)];
        printer.indent = 1;
        printer.body(&h.body);
        let end = printer.fresh(result, &h.end);
        printer.line(format!("return {end}"));
        printer.indent = 0;
        printer.helpers.push((name, param, result));
    }
    printer.line("\ndef main(t, u, k):".into());
    printer.is_main = true;
    printer.scope = vec![var("k", Kind::Index, false), var("u", Kind::Float, false), var("t", Kind::Float, false)];
    printer.indent = 1;
    for (name, kind, text) in [
        ("s", Kind::Float, "t * u"),
        ("w", Kind::List, "[t, u, 0.5]"),
        ("r", Kind::Rows, "[[u], [t, 2.0]]"),
        ("d", Kind::Dict, "{'a': t, 'b': u}"),
    ] {
        printer.line(format!("{name} = {text}"));
        printer.scope.push(var(name, kind, true));
    }
    printer.body(&p.body);
    let end = printer.float(&p.end);
    // What was made last counts, too.
    let all: Vec<Var> = printer.scope.iter().rev().take(8).cloned().collect();
    let rest = all.iter().filter_map(|v| match v.kind {
        Kind::Float => Some(format!("math.tanh({})", v.name)),
        Kind::List => Some(format!("sum([math.tanh(v) for v in {}])", v.name)),
        Kind::Rows => Some(format!("sum([sum([math.sin(v) for v in row]) for row in {}])", v.name)),
        Kind::Dict => Some(format!("math.sin({}['b'])", v.name)),
        Kind::Index => None,
    });
    let rest: Vec<String> = rest.collect();
    printer.line(format!("return {}", std::iter::once(end).chain(rest).collect::<Vec<_>>().join(" + ")));
    printer.lines.join("\n") + "\n"
}

fn var(name: &str, kind: Kind, changes: bool) -> Var {
    Var { name: name.into(), kind, changes }
}

fn choose(templates: &[&'static str], number: usize) -> &'static str {
    templates[number % templates.len()]
}

impl Printer {
    fn line(&mut self, text: String) {
        self.lines.push(format!("{}{text}", "    ".repeat(self.indent)));
    }

    fn declare(&mut self, stem: &str, kind: Kind, changes: bool) -> String {
        self.names += 1;
        let name = format!("{stem}{}", self.names);
        self.scope.push(var(&name, kind, changes));
        name
    }

    fn pick(&self, pick: usize, fits: impl Fn(&Var) -> bool) -> Option<String> {
        let found: Vec<&Var> = self.scope.iter().rev().filter(|v| fits(v)).collect();
        (!found.is_empty()).then(|| found[pick % found.len()].name.clone())
    }

    fn variable(&self, pick: usize, kind: Kind) -> Option<String> {
        self.pick(pick, |v| v.kind == kind)
    }

    // Expressions.

    /// The holes of a template, filled: two floats, two lists, rows, a dictionary, and an index of the list or the rows.
    fn filled(&mut self, template: &str, subject: Option<&str>, t: &Tree) -> String {
        let none = Tree::default();
        let kid = |i: usize| t.kids.get(i).unwrap_or(&none);
        let mut text = template.to_owned();
        let mut length = subject.map(str::to_owned);
        if text.contains("{r}") {
            let rows = subject.map_or_else(|| self.rows(kid(0)), str::to_owned);
            length.get_or_insert_with(|| rows.clone());
            text = text.replace("{r}", &rows);
        }
        if text.contains("{d}") {
            let dict = subject.map_or_else(|| self.dict(kid(0)), str::to_owned);
            text = text.replace("{d}", &dict);
        }
        if text.contains("{l}") {
            // A subject of its own is a variable: the statement changes it.
            let is_subject = subject.is_some() && !template.contains("{r}");
            let list = if is_subject { subject.expect("it is there").to_owned() } else { self.named_list(kid(0)) };
            length.get_or_insert_with(|| list.clone());
            text = text.replace("{l}", &list);
        }
        if text.contains("{m}") {
            let list = self.named_list(kid(1));
            text = text.replace("{m}", &list);
        }
        for (hole, i) in [("{a}", 1), ("{b}", 2)] {
            if text.contains(hole) {
                let value = self.float(kid(i));
                text = text.replace(hole, &value);
            }
        }
        let index = match length {
            Some(list) => self.index(&list, t.pick),
            None => "0".into(),
        };
        text.replace("{i}", &index)
    }

    /// An index of a list, by what is there.
    fn index(&self, list: &str, pick: usize) -> String {
        match self.variable(pick, Kind::Index) {
            Some(i) if pick % 3 < 2 => format!("{i} % len({list})"),
            _ => ["0", "-1", "0"][pick % 3].into(),
        }
    }

    /// A list that is read more than once: a variable's, or one made of a list.
    fn named_list(&mut self, t: &Tree) -> String {
        match self.variable(t.pick, Kind::List) {
            Some(name) if t.kids.is_empty() || t.op < 30 => name,
            _ => self.list(t),
        }
    }

    fn list(&mut self, t: &Tree) -> String {
        match t.op {
            0..4 => self.applied(Kind::List, t).unwrap_or_else(|| "[0.5, t]".into()),
            4..10 if !t.kids.is_empty() => self.filled(choose(COLUMNS, t.pick + t.op), None, t),
            _ if t.kids.is_empty() => self.variable(t.pick, Kind::List).map_or("[t, 1.5]".into(), |name| format!("{name}[:]")),
            _ => self.filled(choose(LISTS, t.pick + t.op * 5), None, t),
        }
    }

    fn rows(&mut self, t: &Tree) -> String {
        match self.variable(t.pick, Kind::Rows) {
            Some(name) => name,
            None => "[[t, 2.0], [0.5]]".into(),
        }
    }

    fn fresh_rows(&mut self, t: &Tree) -> String {
        if t.op < 6
            && let Some(text) = self.applied(Kind::Rows, t)
        {
            return text;
        }
        let template = choose(ROWS, t.pick + t.op);
        // Each row is a list of its own.
        let text = self.filled(template, None, t);
        format!("[list(row) for row in {text}]")
    }

    fn dict(&mut self, t: &Tree) -> String {
        self.variable(t.pick, Kind::Dict).unwrap_or_else(|| "{'a': t, 'b': 2.0}".into())
    }

    /// A value that no other variable shows.
    fn fresh(&mut self, kind: Kind, t: &Tree) -> String {
        match kind {
            Kind::Float | Kind::Index => self.float(t),
            Kind::List => format!("list({})", self.list(t)),
            Kind::Rows => self.fresh_rows(t),
            Kind::Dict => self.filled(choose(DICTS, t.pick), None, t),
        }
    }

    /// A call of a helper.
    fn applied(&mut self, kind: Kind, t: &Tree) -> Option<String> {
        // A tree without parts is a leaf: the argument would be a call again.
        t.kids.first()?;
        let found: Vec<usize> = (0..self.helpers.len()).filter(|&i| self.helpers[i].2 == kind).collect();
        let (name, param, _) = self.helpers[*found.get(t.pick % found.len().max(1))?].clone();
        let none = Tree::default();
        let argument = self.fresh(param, t.kids.first().unwrap_or(&none));
        let time = self.variable(t.pick, Kind::Float).unwrap_or_else(|| "0.5".into());
        Some(format!("{name}({time}, {argument})"))
    }

    fn float(&mut self, t: &Tree) -> String {
        let none = Tree::default();
        let (a, b) = (t.kids.first().unwrap_or(&none), t.kids.get(1).unwrap_or(&none));
        if t.kids.is_empty() && t.op < 14 {
            return self.variable(t.pick, Kind::Float).unwrap_or_else(|| "0.5".into());
        }
        match t.op {
            0..6 => fill(choose(UNARY, t.pick), &[("{a}", &self.float(a))]),
            6..12 => {
                let [a, b] = [self.float(a), self.float(b)];
                fill(choose(BINARY, t.pick), &[("{a}", &a), ("{b}", &b)])
            }
            12..24 => self.filled(choose(FOLDS, t.pick + t.op * 7), None, t),
            24..27 => {
                let rows = self.rows(a);
                let (i, j) = (self.index(&rows, t.pick), self.index(&format!("{rows}[0]"), t.op));
                if t.op.is_multiple_of(2) { format!("{rows}[{i}][-1]") } else { format!("{rows}[0][{j}]") }
            }
            27..29 => self.filled(choose(DICT_FOLDS, t.pick), None, t),
            29..32 => self.applied(Kind::Float, t).unwrap_or_else(|| self.float(a)),
            32..35 => {
                let condition = self.condition(b);
                let [a, b] = [self.float(a), self.float(t.kids.get(2).unwrap_or(&none))];
                format!("({a} if {condition} else {b})")
            }
            35..37 if self.derivatives > 0 => {
                self.derivatives -= 1;
                // A lambda sees what does not change.
                let inside: Vec<Var> =
                    self.scope.iter().filter(|v| !v.changes).cloned().chain([var("z", Kind::Float, false)]).collect();
                let outside = std::mem::replace(&mut self.scope, inside);
                let body = self.float(a);
                self.scope = outside;
                format!("(0.1 * grad(lambda z: {body})({}))", self.float(b))
            }
            37 => self.variable(t.pick, Kind::Index).map_or("2.0".into(), |i| format!("({i} * 0.5)")),
            _ => choose(&["0.5", "-1.25", "2.0"], t.pick).into(),
        }
    }

    fn condition(&mut self, t: &Tree) -> String {
        format!("({})", self.filled(choose(CONDITIONS, t.pick), None, t))
    }

    // Statements.

    fn body(&mut self, body: &[Stmt]) {
        body.iter().for_each(|s| self.stmt(s));
    }

    /// A block of its own; the names that it makes are not seen outside.
    fn block(&mut self, body: &[Stmt], first: &[String], vars: Vec<Var>) {
        self.indent += 1;
        let (seen, lines) = (self.scope.len(), self.lines.len());
        self.scope.extend(vars);
        first.iter().for_each(|line| self.line(line.clone()));
        self.body(body);
        if self.lines.len() == lines {
            self.line("pass".into());
        }
        self.scope.truncate(seen);
        self.indent -= 1;
    }

    fn looped(&mut self, body: &[Stmt], first: &[String], vars: Vec<Var>) {
        self.loops += 1;
        self.block(body, first, vars);
        self.loops -= 1;
    }

    fn changed(&mut self, kind: Kind, templates: &[&'static str], s: &Stmt) {
        let Some(name) = self.pick(s.pick, |v| v.changes && v.kind == kind) else { return };
        let template = choose(templates, s.kids[0].pick + s.kids[1].op);
        let text = self.filled(template, Some(&name), &s.kids[0]);
        self.line(text);
    }

    fn stmt(&mut self, s: &Stmt) {
        let [a, b] = &s.kids;
        match s.op {
            // New variables.
            0..9 => {
                let kind = [Kind::List, Kind::Float, Kind::List, Kind::Rows, Kind::Dict][s.op % 5];
                let text = self.fresh(kind, a);
                let name = self.declare(["c", "w"][usize::from(s.op > 2)], kind, s.op > 2);
                self.line(format!("{name} = {text}"));
            }
            // Changes.
            9..16 => self.changed(Kind::List, CHANGES, s),
            16..18 => {
                let Some(name) = self.pick(s.pick, |v| v.changes && v.kind == Kind::List) else { return };
                let text = self.filled(choose(REMOVALS, a.pick), Some(&name), a);
                self.line(format!("if len({name}) > 1:"));
                self.line(format!("    {text}"));
            }
            18..21 => self.changed(Kind::Rows, ROW_CHANGES, s),
            21..23 => self.changed(Kind::Dict, DICT_CHANGES, s),
            23..26 => {
                let Some(name) = self.pick(s.pick, |v| v.changes && v.kind == Kind::Float) else { return };
                let text = self.float(a);
                self.line(format!("{name} {} {text}", ["+=", "=", "-="][s.pick % 3]));
            }
            26 => {
                let Some(name) = self.pick(s.pick, |v| v.changes && v.kind == Kind::List) else { return };
                let text = self.fresh(Kind::List, a);
                self.line(format!("{name} = {text}"));
            }
            // Control.
            27 if self.loops > 0 || self.is_main => {
                let leave = match s.pick % 4 {
                    0 | 1 if self.loops > 0 => ["break", "continue"][s.pick % 2].into(),
                    _ if self.is_main => format!("return {}", self.float(a)),
                    _ => return,
                };
                let condition = self.condition(b);
                self.line(format!("if {condition}:"));
                self.line(format!("    {leave}"));
            }
            27..31 => {
                let condition = self.condition(b);
                self.line(format!("if {condition}:"));
                self.block(&s.body, &[], vec![]);
                if !s.otherwise.is_empty() {
                    self.line("else:".into());
                    self.block(&s.otherwise, &[], vec![]);
                }
            }
            _ if self.loops == 2 => self.body(&s.body),
            31..34 => {
                self.names += 1;
                let i = format!("i{}", self.names);
                let bound = match self.variable(s.pick, Kind::List) {
                    Some(list) if s.op > 31 => format!("len({list})"),
                    _ => "3".into(),
                };
                self.line(format!("for {i} in range({bound}):"));
                self.looped(&s.body, &[], vec![var(&i, Kind::Index, true)]);
            }
            34..36 => {
                // Over the elements of a list that the body does not change.
                self.names += 1;
                let v = format!("v{}", self.names);
                let list = self.fresh(Kind::List, a);
                self.line(format!("for {v} in {list}:"));
                self.looped(&s.body, &[], vec![var(&v, Kind::Float, true)]);
            }
            36 => {
                self.names += 1;
                let row = format!("row{}", self.names);
                let rows = self.fresh(Kind::Rows, a);
                self.line(format!("for {row} in {rows}:"));
                self.looped(&s.body, &[], vec![var(&row, Kind::List, false)]);
            }
            37 => {
                let Some(list) = self.pick(s.pick, |v| v.changes && v.kind == Kind::List) else { return };
                let (j, v) = (self.declare("j", Kind::Index, false), self.declare("x", Kind::Float, true));
                self.line(format!("{j} = 0"));
                self.line(format!("{v} = 0.0"));
                self.line(format!("while len({list}) > 1 and {j} < 4:"));
                self.looped(&s.body, &[format!("{j} += 1"), format!("{v} += {list}.pop() * {j}")], vec![]);
            }
            _ => {
                let condition = self.condition(b);
                let j = self.declare("j", Kind::Index, false);
                self.line(format!("{j} = 0"));
                self.line(format!("while {j} < 3 and {condition}:"));
                self.looped(&s.body, &[format!("{j} += 1")], vec![]);
            }
        }
    }
}

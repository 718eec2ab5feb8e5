//! Generators that are kept, `g = gen(x)` with `next(g)`, or handed to a function: each call makes an instance of a class, whose fields are
//! the variables of the generator and the place where it goes on.
//!
//! ```text
//! def gen(x):                      class gen..object:
//!     while x > 1.0:                   def __init__(self, x):
//!         yield x                          self.x, self.at = x, 0
//!         x = x / 2.0        ⟹         def __next__(self):
//!                                          while True:
//!                                              if self.at == 0: self.at = 1 if self.x > 1.0 else 3
//!                                              elif self.at == 1: self.at = 2; return self.x
//!                                              elif self.at == 2: self.x = self.x / 2.0; self.at = 0
//!                                              else: raise StopIteration
//! ```

use super::copied::{may_be_copied, renamed};
use super::enums::written;
use super::generators::{each_body, is_yielding};
use super::init::{assignment, attribute, call, name_at, parameter};
use super::iterated::{self, def, returned};
use super::scope::{Def, Scope};
use ruff_python_ast::visitor::transformer::{self, Transformer};
use ruff_python_ast::{self as ast, CmpOp, Expr, Identifier, Stmt};
use ruff_text_size::{Ranged, TextRange};

/// The end of the name of the class.
pub const OBJECT: &str = "..object";

/// How many places a generator may have.
const MOST: usize = 100;

/// The class of a generator of the top level; none if it yields where its place cannot be told by a number.
pub fn class_of(f: &ast::StmtFunctionDef) -> Option<Stmt> {
    let parameters = &f.parameters;
    if !may_be_copied(f) || parameters.vararg.is_some() || parameters.kwarg.is_some() {
        return None;
    }
    let range = f.name.range();
    let prefix = format!("_{}_", f.name);
    let own: Vec<String> = Scope::of(Def::Function(f)).names().map(|name| format!("{prefix}{name}")).collect();
    // Names are told apart before they are fields.
    let body = renamed(f, |name| format!("{prefix}{name}"));
    let mut flat = Flat { prefix: &prefix, places: vec![Vec::new()], loops: Vec::new(), count: 0, added: Vec::new() };
    let last = flat.body(&body, 0)?;
    flat.end(last, range);
    let Flat { places, added, .. } = flat;
    if places.len() > MOST {
        return None;
    }
    let at = || attribute(name_at("self", range), &format!("{prefix}_at"), range);
    let mut chain: Vec<(Option<Expr>, Vec<Stmt>)> =
        places.into_iter().enumerate().map(|(i, place)| (Some(equal(at(), number(i, range), range)), place)).collect();
    chain.push((None, vec![stop(range)]));
    let (first, rest) = chain.split_first().expect("there is a place");
    let clause = |(test, body): &(Option<Expr>, Vec<Stmt>)| ast::ElifElseClause {
        node_index: Default::default(),
        range,
        test: test.clone(),
        body: body.clone().into(),
    };
    let dispatch = Stmt::If(ast::StmtIf {
        node_index: Default::default(),
        range,
        test: first.0.clone().expect("it has a number").into(),
        body: first.1.clone().into(),
        elif_else_clauses: rest.iter().map(clause).collect(),
    });
    let forever = Stmt::While(ast::StmtWhile {
        node_index: Default::default(),
        range,
        test: written("True", range).into(),
        body: vec![dispatch].into(),
        orelse: Default::default(),
    });
    let fields = Fields { names: own.into_iter().chain(added).collect() };
    let mut next = def("__next__", vec![forever], range);
    next.body.iter_mut().for_each(|stmt| fields.visit_stmt(stmt));
    let mut init = ast::StmtFunctionDef { name: Identifier::new("__init__", range), returns: None, ..f.clone() };
    let this = parameter("self", None, range);
    match init.parameters.posonlyargs.is_empty() {
        true => init.parameters.args.insert(0, this),
        false => init.parameters.posonlyargs.insert(0, this),
    }
    let field = |name: &str| attribute(name_at("self", range), &format!("{prefix}{name}"), range);
    let given =
        parameters.iter_non_variadic_params().map(|p| assignment(stored(field(p.name())), name_at(p.name(), range), range));
    let given: Vec<Stmt> = given.chain([assignment(stored(field("_at")), number(0, range), range)]).collect();
    init.body = given.into();
    let body = vec![
        Stmt::FunctionDef(init),
        Stmt::FunctionDef(def("__iter__", vec![returned(name_at("self", range), range)], range)),
        Stmt::FunctionDef(next),
    ];
    let class = ast::StmtClassDef {
        node_index: Default::default(),
        range: f.range,
        decorator_list: Default::default(),
        name: Identifier::new(format!("{}{OBJECT}", f.name), range),
        type_params: None,
        arguments: None,
        body: body.into(),
    };
    iterated::read(vec![Stmt::ClassDef(class)]).pop()
}

fn number(i: usize, range: TextRange) -> Expr {
    written(&i.to_string(), range)
}

fn equal(left: Expr, right: Expr, range: TextRange) -> Expr {
    compared(left, CmpOp::Eq, right, range)
}

fn compared(left: Expr, op: CmpOp, right: Expr, range: TextRange) -> Expr {
    Expr::Compare(ast::ExprCompare {
        node_index: Default::default(),
        range,
        left: left.into(),
        ops: [op].into(),
        comparators: [right].into(),
    })
}

fn stop(range: TextRange) -> Stmt {
    let exc = Some(name_at("StopIteration", range).into());
    Stmt::Raise(ast::StmtRaise { node_index: Default::default(), range, exc, cause: None })
}

fn stored(mut target: Expr) -> Expr {
    match &mut target {
        Expr::Attribute(a) => a.ctx = ast::ExprContext::Store,
        Expr::Name(n) => n.ctx = ast::ExprContext::Store,
        _ => {}
    }
    target
}

/// The variables as fields.
struct Fields {
    names: Vec<String>,
}

impl Transformer for Fields {
    fn visit_expr(&self, expr: &mut Expr) {
        if let Expr::Name(n) = &*expr
            && self.names.iter().any(|name| *name == *n.id)
        {
            let Expr::Attribute(mut field) = attribute(name_at("self", n.range), &n.id, n.range) else { unreachable!("a field") };
            field.ctx = n.ctx;
            *expr = Expr::Attribute(field);
            return;
        }
        transformer::walk_expr(self, expr);
    }
}

/// The body of a generator as places between which it goes by numbers.
struct Flat<'p> {
    prefix: &'p str,
    places: Vec<Vec<Stmt>>,
    /// Where `continue` and `break` of the loops around go.
    loops: Vec<(usize, usize)>,
    count: usize,
    /// Variables beside those of the generator.
    added: Vec<String>,
}

impl Flat<'_> {
    fn place(&mut self) -> usize {
        self.places.push(Vec::new());
        self.places.len() - 1
    }

    fn at(&self, range: TextRange) -> Expr {
        attribute(name_at("self", range), &format!("{}_at", self.prefix), range)
    }

    /// Goes on at another place.
    fn going(&self, to: usize, range: TextRange) -> Vec<Stmt> {
        let again = Stmt::Continue(ast::StmtContinue { node_index: Default::default(), range });
        vec![assignment(stored(self.at(range)), number(to, range), range), again]
    }

    fn go(&mut self, from: usize, to: usize, range: TextRange) {
        let going = self.going(to, range);
        self.places[from].extend(going);
    }

    fn ended(&self, range: TextRange) -> Vec<Stmt> {
        vec![assignment(stored(self.at(range)), number(MOST + 1, range), range), stop(range)]
    }

    fn end(&mut self, from: usize, range: TextRange) {
        let ended = self.ended(range);
        self.places[from].extend(ended);
    }

    fn temp(&mut self) -> String {
        self.count += 1;
        let name = format!("{}_at{}", self.prefix, self.count);
        self.added.push(name.clone());
        name
    }

    /// Adds statements from a place on, and gives the place where they end.
    fn body(&mut self, body: &[Stmt], mut at: usize) -> Option<usize> {
        for stmt in body {
            at = self.stmt(stmt, at)?;
        }
        Some(at)
    }

    fn branch(&mut self, test: Expr, at: usize, [then, otherwise]: [usize; 2], range: TextRange) {
        let orelse =
            ast::ElifElseClause { node_index: Default::default(), range, test: None, body: self.going(otherwise, range).into() };
        let body = self.going(then, range).into();
        self.places[at].push(Stmt::If(ast::StmtIf {
            node_index: Default::default(),
            range,
            test: test.into(),
            body,
            elif_else_clauses: vec![orelse],
        }));
    }

    fn stmt(&mut self, stmt: &Stmt, at: usize) -> Option<usize> {
        let range = stmt.range();
        if !is_yielding(stmt) {
            let jumps = self.jumps(stmt.clone(), true);
            self.places[at].extend(jumps);
            return Some(at);
        }
        match stmt {
            Stmt::Expr(e) => match &*e.value {
                Expr::Yield(y) => {
                    let next = self.place();
                    let value = y.value.as_deref().cloned().unwrap_or_else(|| written("None", range));
                    let to = number(next, range);
                    let state = assignment(stored(self.at(range)), to, range);
                    self.places[at].extend([state, returned(value, range)]);
                    Some(next)
                }
                Expr::YieldFrom(y) => {
                    let each = self.temp();
                    let value = Some(name_at(&each, range).into());
                    let value = Expr::Yield(ast::ExprYield { node_index: Default::default(), range, value });
                    let value = Stmt::Expr(ast::StmtExpr { node_index: Default::default(), range, value: value.into() });
                    self.for_loop(stored(name_at(&each, range)), &y.value, &[value], at, range)
                }
                _ => None,
            },
            Stmt::If(i) => {
                let after = self.place();
                let mut at = at;
                let first = (Some(&*i.test), &i.body[..]);
                let rest = i.elif_else_clauses.iter().map(|c| (c.test.as_ref(), &c.body[..]));
                for (test, body) in std::iter::once(first).chain(rest) {
                    let Some(test) = test else {
                        let end = self.body(body, at)?;
                        self.go(end, after, range);
                        return Some(after);
                    };
                    let arms = [self.place(), self.place()];
                    self.branch(test.clone(), at, arms, range);
                    let end = self.body(body, arms[0])?;
                    self.go(end, after, range);
                    at = arms[1];
                }
                self.go(at, after, range);
                Some(after)
            }
            Stmt::While(w) if w.orelse.is_empty() => {
                let [header, inside, after] = [self.place(), self.place(), self.place()];
                self.go(at, header, range);
                self.branch((*w.test).clone(), header, [inside, after], range);
                self.loops.push((header, after));
                let end = self.body(&w.body, inside)?;
                self.loops.pop();
                self.go(end, header, range);
                Some(after)
            }
            Stmt::For(f) if f.orelse.is_empty() && !f.is_async => self.for_loop((*f.target).clone(), &f.iter, &f.body, at, range),
            _ => None,
        }
    }

    /// A loop over a range, or by indices over something that has a name or is written there.
    fn for_loop(&mut self, target: Expr, iter: &Expr, body: &[Stmt], at: usize, range: TextRange) -> Option<usize> {
        let read = |name: &str| name_at(name, range);
        let set = |name: &str, value: Expr| assignment(stored(name_at(name, range)), value, range);
        let (index, limit) = (self.temp(), self.temp());
        let is_range = |c: &&ast::ExprCall| c.func.as_name_expr().is_some_and(|n| n.id == "range");
        let (start, of) = match iter {
            Expr::Call(c) if is_range(&c) && c.arguments.keywords.is_empty() => match &*c.arguments.args {
                [stop] => (number(0, range), stop.clone()),
                [start, stop] => (start.clone(), stop.clone()),
                _ => return None,
            },
            Expr::Name(_) | Expr::Attribute(_) | Expr::Subscript(_) | Expr::List(_) | Expr::Tuple(_) => {
                (number(0, range), iter.clone())
            }
            _ => return None,
        };
        let is_range = iter.is_call_expr();
        self.places[at].extend([set(&index, start), set(&limit, of)]);
        let [header, inside, after] = [self.place(), self.place(), self.place()];
        self.go(at, header, range);
        let limit_of = if is_range { read(&limit) } else { call(name_at("len", range), vec![read(&limit)], range) };
        self.branch(compared(read(&index), CmpOp::Lt, limit_of, range), header, [inside, after], range);
        let element = match is_range {
            true => read(&index),
            false => Expr::Subscript(ast::ExprSubscript {
                node_index: Default::default(),
                range,
                value: read(&limit).into(),
                slice: read(&index).into(),
                ctx: ast::ExprContext::Load,
            }),
        };
        let next = Expr::BinOp(ast::ExprBinOp {
            node_index: Default::default(),
            range,
            left: read(&index).into(),
            op: ast::Operator::Add,
            right: number(1, range).into(),
        });
        self.places[inside].extend([assignment(target, element, range), set(&index, next)]);
        self.loops.push((header, after));
        let end = self.body(body, inside)?;
        self.loops.pop();
        self.go(end, header, range);
        Some(after)
    }

    /// A statement that does not yield, with what leaves it. `break` and `continue` of loops in it stay.
    fn jumps(&self, stmt: Stmt, is_outer: bool) -> Vec<Stmt> {
        let range = stmt.range();
        match stmt {
            Stmt::Return(_) => self.ended(range),
            Stmt::Break(_) if is_outer && let Some(&(_, after)) = self.loops.last() => self.going(after, range),
            Stmt::Continue(_) if is_outer && let Some(&(header, _)) = self.loops.last() => self.going(header, range),
            stmt => {
                let inside = is_outer && !stmt.is_for_stmt() && !stmt.is_while_stmt();
                vec![each_body(stmt, &|body| body.into_iter().flat_map(|s| self.jumps(s, inside)).collect())]
            }
        }
    }
}

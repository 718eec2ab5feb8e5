//! Rules for derivatives that a file states after the function that they are of, as programs for JAX and Autograd do: each is read as
//! an assignment of the function with its rule, so that what follows, and all code that runs later, sees that function.
//!
//! ```text
//! @custom_jvp                  def f(x): …
//! def f(x): …                  def f_jvp(primals, tangents): …
//! @f.defjvp                    f = f.defjvp(f_jvp)
//! def f_jvp(primals, tangents): …
//!
//! f.defvjp(fwd, bwd)           f = f.defvjp(fwd, bwd)
//! defvjp(f, rule)              f = defvjp(f, rule)
//! ```
//!
//! Those inside of a function are first moved out of it (`hoist.rs`).

use super::hoist;
use ruff_python_ast::{self as ast, Arguments, Expr, Keyword, Stmt};
use ruff_text_size::{Ranged, TextRange, TextSize};

/// Reads the statements of a file.
pub fn read(body: impl Iterator<Item = Stmt>) -> Vec<Stmt> {
    let mut file = File::default();
    body.for_each(|stmt| file.add(stmt));
    file.body
}

#[derive(Default)]
struct File {
    body: Vec<Stmt>,
    /// The names that are imported.
    imported: Vec<String>,
}

impl File {
    fn add(&mut self, stmt: Stmt) {
        match stmt {
            Stmt::FunctionDef(f) => {
                let (moved, mut f) = hoist::hoisted(f, |stmt| self.rule_of(stmt));
                moved.into_iter().for_each(|stmt| self.add(stmt));
                let rule = f.decorator_list.iter().position(|d| self.method_of(&d.expression).is_some());
                let rule = rule.map(|i| f.decorator_list.remove(i).expression);
                let (name, end) = (f.name.clone(), f.end());
                self.body.push(Stmt::FunctionDef(f));
                if let Some(method) = rule {
                    let of = self.method_of(&method).expect("it is one");
                    let range = method.range();
                    let given = Expr::Name(name_at(&name.id, range));
                    let arguments =
                        Arguments { range, node_index: Default::default(), args: [given].into(), keywords: Default::default() };
                    let (node_index, range_start) = (Default::default(), range.start());
                    let call = ast::ExprCall { node_index, range_start, func: method.into(), arguments };
                    self.assign(of, call, end);
                }
            }
            Stmt::Expr(ref e) => match (self.rule_of(&stmt), &*e.value) {
                (Some(name), Expr::Call(call)) => self.assign(name, call.clone(), e.end()),
                _ => self.body.push(stmt),
            },
            _ => {
                let names = match &stmt {
                    Stmt::Import(i) => &*i.names,
                    Stmt::ImportFrom(i) => &*i.names,
                    _ => &[],
                };
                self.imported.extend(names.iter().map(|a| a.asname.as_ref().unwrap_or(&a.name).to_string()));
                self.body.push(stmt);
            }
        }
    }

    /// The function that a statement states a rule of.
    fn rule_of(&self, stmt: &Stmt) -> Option<String> {
        match stmt {
            Stmt::FunctionDef(f) => f.decorator_list.iter().find_map(|d| self.method_of(&d.expression)),
            Stmt::Expr(e) => e.value.as_call_expr().and_then(|call| self.ruled_by(call)),
            _ => None,
        }
    }

    /// The function of the file that `f.defjvp` and the like is a method of.
    fn method_of(&self, method: &Expr) -> Option<String> {
        let Expr::Attribute(a) = method else { return None };
        let Expr::Name(f) = &*a.value else { return None };
        (is_rule(&a.attr) && !self.imported.iter().any(|name| *name == *f.id)).then(|| f.id.to_string())
    }

    /// The function that a call states a rule of: `f.defvjp(fwd, bwd)`, `defvjp(f, rule)`, `extend.defvjp(f, rule)`.
    fn ruled_by(&self, call: &ast::ExprCall) -> Option<String> {
        if let Some(f) = self.method_of(&call.func) {
            return Some(f);
        }
        let function = match &*call.func {
            Expr::Name(n) if self.imported.iter().any(|name| *name == *n.id) => &n.id,
            Expr::Attribute(a) => &a.attr.id,
            _ => return None,
        };
        match call.arguments.args.first() {
            Some(Expr::Name(f)) if is_rule(function) => Some(f.id.to_string()),
            _ => None,
        }
    }

    /// `name = call`, bound after what ends there.
    fn assign(&mut self, name: String, mut call: ast::ExprCall, end: TextSize) {
        if let Some(Some(numbers)) = self.unmade(&name) {
            call.arguments.keywords = call.arguments.keywords.iter().cloned().chain([numbers]).collect();
        }
        let target = Expr::Name(name_at(&name, call.range()));
        self.body.push(Stmt::Assign(ast::StmtAssign {
            node_index: Default::default(),
            // What is bound later ends later: the next statement begins after this.
            range: TextRange::new(call.start(), end + TextSize::from(1)),
            targets: vec![target],
            value: Box::new(Expr::Call(call)),
        }));
    }

    /// Takes from the function that has the name so far what said that a rule follows; gives its `nondiff_argnums`.
    fn unmade(&mut self, name: &str) -> Option<Option<Keyword>> {
        self.body.iter_mut().rev().find_map(|stmt| match stmt {
            Stmt::FunctionDef(f) if f.name.as_str() == name => {
                let made = f.decorator_list.iter().position(|d| maker(&d.expression).is_some())?;
                let numbers = maker(&f.decorator_list.remove(made).expression)?;
                Some(numbers.map(|numbers| numbered(numbers, &f.parameters)))
            }
            Stmt::Assign(a) => match (&a.targets[..], &*a.value) {
                ([Expr::Name(n)], Expr::Call(call)) if n.id == name => {
                    let (numbers, [f]) = (maker(&call.func)?, &*call.arguments.args) else { return None };
                    let numbers = numbers.or_else(|| call.arguments.keywords.first().cloned());
                    let f = f.clone();
                    a.value = f.into();
                    Some(numbers)
                }
                _ => None,
            },
            _ => None,
        })
    }
}

/// Whether the value of a name is a function with its rule.
pub fn is_ruled(value: &Expr) -> bool {
    let Expr::Call(call) = value else { return false };
    match &*call.func {
        Expr::Name(n) => is_rule(&n.id),
        Expr::Attribute(a) => is_rule(&a.attr),
        _ => false,
    }
}

fn is_rule(name: &str) -> bool {
    matches!(name, "defjvp" | "defjvps" | "defvjp")
}

/// Whether an expression makes a function one whose rule follows; and the keyword that says which arguments have no derivative.
fn maker(decorator: &Expr) -> Option<Option<Keyword>> {
    let name = match decorator {
        Expr::Name(n) => n.id.as_str(),
        Expr::Attribute(a) => a.attr.as_str(),
        // `partial(custom_jvp, nondiff_argnums=(0,))`.
        Expr::Call(call) => {
            let [of] = &*call.arguments.args else { return None };
            return maker(of).map(|_| call.arguments.keywords.first().cloned());
        }
        _ => return None,
    };
    matches!(name, "custom_jvp" | "custom_vjp" | "primitive").then_some(None)
}

/// Whether a decorator says no more than that a rule follows.
pub fn is_plain_maker(decorator: &Expr) -> bool {
    !decorator.is_call_expr() && maker(decorator).is_some()
}

/// Whether an expression is the method of a function that states its rule for all arguments at once.
pub fn is_plain_rule(method: &Expr) -> bool {
    method.as_attribute_expr().is_some_and(|a| a.value.is_name_expr() && matches!(a.attr.as_str(), "defjvp" | "defvjp"))
}

/// `nondiff_argnames=("f",)` by the places of these parameters: `nondiff_argnums=(0,)`.
fn numbered(mut keyword: Keyword, parameters: &ast::Parameters) -> Keyword {
    let Some(arg) = keyword.arg.as_mut().filter(|arg| arg.as_str() == "nondiff_argnames") else { return keyword };
    let place = |name: &Expr| {
        let name = name.as_string_literal_expr()?.value.to_str();
        parameters.iter_non_variadic_params().position(|p| p.name().as_str() == name)
    };
    let names = match &keyword.value {
        Expr::Tuple(ast::ExprTuple { elts, .. }) | Expr::List(ast::ExprList { elts, .. }) => &elts[..],
        one => std::slice::from_ref(one),
    };
    let Some(places) = names.iter().map(place).collect::<Option<Vec<usize>>>() else { return keyword };
    let range = keyword.value.range();
    let number = |place: usize| {
        let value = ast::Number::Int(ast::Int::from(place as u32));
        Expr::NumberLiteral(ast::ExprNumberLiteral { node_index: Default::default(), range, value })
    };
    let (elts, ctx) = (places.into_iter().map(number).collect(), ast::ExprContext::Load);
    arg.id = "nondiff_argnums".into();
    keyword.value = Expr::Tuple(ast::ExprTuple { node_index: Default::default(), range, elts, ctx, parenthesized: true });
    keyword
}

/// A name that is read at a place.
pub fn name_at(id: &str, range: TextRange) -> ast::ExprName {
    ast::ExprName { node_index: Default::default(), range, id: id.into(), ctx: ast::ExprContext::Load }
}

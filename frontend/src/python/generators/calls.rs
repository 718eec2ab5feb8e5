//! Calls of generators elsewhere than in a loop: what takes all that is yielded, and what asks for one after the other.

use super::*;

/// What takes all elements of an iterator and does nothing else meanwhile.
pub(super) const WHOLE: [&str; 19] = [
    "chain",
    "dict",
    "enumerate",
    "extend",
    "fromkeys",
    "from_iterable",
    "fsum",
    "iter",
    "join",
    "list",
    "max",
    "min",
    "next",
    "prod",
    "reversed",
    "sorted",
    "sum",
    "tuple",
    "zip",
];

/// Lets calls of generators be calls of what gives lists.
pub(super) struct Calls {
    pub(super) top: FxHashSet<String>,
    /// Those among them that may be kept.
    pub(super) objects: FxHashSet<String>,
    /// The names that the functions around hand to `next`.
    pub(super) asked: RefCell<Vec<FxHashSet<String>>>,
    /// The functions and classes of the file.
    pub(super) own: FxHashSet<String>,
    /// The methods that are generators.
    pub(super) methods: FxHashSet<String>,
    /// What the functions around bind, and which of these are generators.
    pub(super) frames: RefCell<Vec<(FxHashSet<String>, FxHashSet<String>)>>,
}

impl Calls {
    fn is_generator(&self, name: &str) -> bool {
        let frames = self.frames.borrow();
        let found = frames.iter().rev().find(|(bound, _)| bound.contains(name));
        found.map_or_else(|| self.top.contains(name), |(_, generators)| generators.contains(name))
    }

    /// Whether a function or a variable of the program has this name.
    fn is_own(&self, name: &str) -> bool {
        self.own.contains(name) || self.frames.borrow().iter().any(|(bound, _)| bound.contains(name))
    }

    fn inside(&self, def: Def<'_>, visit: impl FnOnce()) {
        let scope = Scope::of(def);
        let is_own = |name: &&str| matches!(scope.function(name), Some(Def::Function(f)) if is_generator(f));
        let own = scope.names().filter(is_own).map(str::to_string).collect();
        self.frames.borrow_mut().push((scope.names().map(str::to_string).collect(), own));
        visit();
        self.frames.borrow_mut().pop();
    }

    /// Lets a generator be an object that is kept, if it may be one.
    fn keep(&self, value: &mut Expr) {
        if let Expr::Call(c) = value
            && let Expr::Name(n) = &mut *c.func
            && self.objects.contains(n.id.as_str())
            && !self.frames.borrow().iter().any(|(bound, _)| bound.contains(n.id.as_str()))
        {
            n.id = format!("{}{}", n.id, resumed::OBJECT).into();
        }
    }

    /// Lets a generator that may not be taken whole, or not before something else is done, be gone over by a comprehension, which asks
    /// for one that does nothing.
    fn in_part(&self, argument: &mut Expr) {
        let is_generated = match &*argument {
            Expr::Call(c) => match &*c.func {
                Expr::Name(n) => self.is_generator(&n.id),
                Expr::Attribute(a) => self.methods.contains(a.attr.as_str()),
                _ => false,
            },
            _ => false,
        };
        if is_generated {
            let range = argument.range();
            let generators = vec![ast::Comprehension {
                node_index: Default::default(),
                range,
                target: store(".each", range),
                iter: argument.clone(),
                ifs: Vec::new(),
                is_async: false,
            }];
            let elt = name_at(".each", range).into();
            *argument = Expr::ListComp(ast::ExprListComp { node_index: Default::default(), range, elt, generators });
        }
    }

    /// `islice(g(x), n)` is the first `n` of `g`.
    fn islice(&self, c: &ast::ExprCall) -> Option<Expr> {
        if last_name(&c.func) != Some("islice") || self.is_own("islice") || !c.arguments.keywords.is_empty() {
            return None;
        }
        let (of, bounds) = c.arguments.args.split_first()?;
        let of = of.as_call_expr()?;
        let name = of.func.as_name_expr().filter(|n| self.is_generator(&n.id))?;
        let (start, stop, step) = match bounds {
            [stop] => (None, stop, None),
            [start, stop] => (Some(start), stop, None),
            [start, stop, step] => (Some(start), stop, Some(step)),
            _ => return None,
        };
        if stop.is_none_literal_expr() || !bounds.iter().all(|b| b.is_literal_expr() || b.is_name_expr()) {
            return None;
        }
        let range = c.range();
        let mut of = of.clone();
        *of.func = name_at(&format!("{}{FIRST}", name.id), name.range());
        of.arguments.args = std::iter::once(stop.clone()).chain(of.arguments.args.iter().cloned()).collect();
        if start.is_none() {
            return Some(Expr::Call(of));
        }
        let slice = Expr::Slice(ast::ExprSlice {
            node_index: Default::default(),
            range,
            lower: start.cloned().map(Box::new),
            upper: None,
            step: step.cloned().map(Box::new),
        });
        Some(Expr::Subscript(ast::ExprSubscript {
            node_index: Default::default(),
            range,
            // A list may be kept.
            value: list_of(Expr::Call(of), range).into(),
            slice: slice.into(),
            ctx: ExprContext::Load,
        }))
    }
}

impl Transformer for Calls {
    fn visit_stmt(&self, stmt: &mut Stmt) {
        if let Stmt::Assign(a) = stmt
            && let [Expr::Name(name)] = &*a.targets
            && self.asked.borrow().last().is_some_and(|names| names.contains(name.id.as_str()))
        {
            self.keep(&mut a.value);
        }
        let Stmt::FunctionDef(f) = stmt else { return transformer::walk_stmt(self, stmt) };
        self.visit_parameters(&mut f.parameters);
        let mut body = std::mem::take(&mut f.body);
        let whole = ast::StmtFunctionDef { body: body.clone(), ..f.clone() };
        self.asked.borrow_mut().push(asked(&body));
        self.inside(Def::Function(&whole), || self.visit_body(&mut body));
        self.asked.borrow_mut().pop();
        f.body = body;
    }

    fn visit_expr(&self, expr: &mut Expr) {
        if let Expr::Call(c) = expr
            && let Some(first) = self.islice(c)
        {
            *expr = first;
            return transformer::walk_expr(self, expr);
        }
        match expr {
            Expr::Lambda(l) => {
                let whole = l.clone();
                self.inside(Def::Lambda(&whole), || self.visit_expr(&mut l.body));
            }
            Expr::Call(c) => {
                let takes_all = c.arguments.keywords.is_empty() && last_name(&c.func).is_some_and(|name| WHOLE.contains(&name));
                let is_own = c.func.as_name_expr().is_some_and(|n| self.is_own(&n.id));
                let is_next = !is_own && c.func.as_name_expr().is_some_and(|n| n.id == "next");
                if is_next || is_own && !c.func.as_name_expr().is_some_and(|n| self.is_generator(&n.id)) {
                    c.arguments.args.iter_mut().for_each(|a| self.keep(a));
                }
                if !takes_all && !is_own {
                    c.arguments.args.iter_mut().for_each(|a| self.in_part(a));
                }
                if let Expr::Name(n) = &mut *c.func
                    && self.is_generator(&n.id)
                {
                    n.id = format!("{}{LIST}", n.id).into();
                }
                transformer::walk_expr(self, expr);
            }
            Expr::Compare(c) => {
                c.comparators.iter_mut().for_each(|other| self.in_part(other));
                transformer::walk_expr(self, expr);
            }
            _ => transformer::walk_expr(self, expr),
        }
    }
}

//! The printer of expressions.

use super::*;

impl Printer {
    pub(super) fn num(&mut self, n: &Num) -> String {
        self.spend(1.0);
        match n {
            Num::Var(pick) => self.value(Kind::Float, *pick).unwrap_or_else(|| "0.5".into()),
            Num::Literal(text) => (*text).into(),
            Num::Unary(op, a) => op.replace("{a}", &self.num(a)),
            Num::Binary(op, a, b) => {
                let a = if op.contains("{a}") { self.num(a) } else { String::new() };
                let b = if op.contains("{b}") { self.num(b) } else { String::new() };
                fill(op, &[("{a}", &a), ("{b}", &b)])
            }
            Num::Mixed(op, i, a) => {
                let a = self.num(a);
                let i = self.int(*i);
                fill(op, &[("{a}", &a), ("{i}", &i)])
            }
            Num::Ternary(c, a, b) => {
                let (c, a, b) = (self.cond(c), self.num(a), self.num(b));
                format!("({a} if {c} else {b})")
            }
            Num::Item(pick, i) => match self.value(Kind::Pair, *pick) {
                Some(p) => format!("{p}[{i}]"),
                None => self.num(&Num::Var(*pick)),
            },
            Num::Apply(f, a) => {
                if !self.may_apply() {
                    return self.num(a);
                }
                // A lambda that is called at once sees its variables as they are.
                let f = self.fun(f, !matches!(**f, Fun::Lambda(_)));
                let a = self.num(a);
                format!("{f}({a})")
            }
            Num::Call(pick, args) => match self.callee(*pick, |_| true) {
                Some(c) => self.call_num(&c, &c.name, args, RECURSION),
                None => self.num(&args.nums[0]),
            },
            Num::Again(args) => self.again(args),
            Num::Derivative(op, f, a) => {
                if !self.may_differentiate() || !self.may_apply() {
                    return self.num(a);
                }
                let f = self.differentiated(|p| p.fun(f, true));
                let a = self.num(a);
                fill(op, &[("{f}", &f), ("{a}", &a)])
            }
            Num::Partial(pick, i, args) => match self.callee(*pick, |c| c.result == Kind::Float) {
                Some(c) if self.may_differentiate() => {
                    let floats: Vec<usize> = (0..c.params.len()).filter(|&i| c.params[i].1 == Kind::Float).collect();
                    let i = floats[i % floats.len()];
                    let spelled = if args.keywords { format!("'{}'", c.params[i].0) } else { format!("{i}") };
                    self.differentiated(|p| p.call_num(&c, &format!("grad({}, {spelled})", c.name), args, RECURSION))
                }
                _ => self.num(&args.nums[0]),
            },
        }
    }

    /// Whether a derivative operator may be printed here: a function that asks for its own derivative has none.
    pub(super) fn may_differentiate(&self) -> bool {
        self.derivatives > 0 && self.frames.iter().all(|f| f.again.is_none())
    }

    /// Prints what a derivative operator evaluates.
    pub(super) fn differentiated(&mut self, print: impl FnOnce(&mut Printer) -> String) -> String {
        self.derivatives -= 1;
        let trips = self.frame().trips;
        self.frame().trips *= 5.0;
        let text = print(self);
        self.frame().trips = trips;
        text
    }

    /// Whether a function value may be applied here; if so, it is counted.
    pub(super) fn may_apply(&mut self) -> bool {
        if self.frames.iter().any(|f| f.applications == Some(0)) {
            return false;
        }
        self.frames.iter_mut().filter_map(|f| f.applications.as_mut()).for_each(|n| *n -= 1);
        let cost = self.value_cost;
        self.spend(cost);
        true
    }

    pub(super) fn int(&mut self, pick: Pick) -> String {
        self.value(Kind::Int, pick).unwrap_or_else(|| "2".into())
    }

    pub(super) fn cond(&mut self, c: &Cond) -> String {
        match c {
            Cond::Compare(op, a, b) => {
                let a = self.num(a);
                let b = if op.contains("{b}") { self.num(b) } else { String::new() };
                format!("({})", fill(op, &[("{a}", &a), ("{b}", &b)]))
            }
            Cond::Count(op, i) => format!("({})", op.replace("{i}", &self.int(*i))),
            Cond::Not(c) => format!("(not {})", self.cond(c)),
            Cond::Both(op, a, b) => format!("({} {op} {})", self.cond(a), self.cond(b)),
        }
    }

    /// A function; `escapes` says whether it may live on where it is used.
    pub(super) fn fun(&mut self, f: &Fun, escapes: bool) -> String {
        self.spend(1.0);
        match f {
            Fun::Var(pick) => {
                let value = |v: &Var| match &v.thing {
                    Thing::Value(k) => *k == Kind::Fun,
                    Thing::Callee(c) => c.is_fun() && !v.lifted,
                };
                match self.pick(*pick, value) {
                    Some(v) => self.read(&v),
                    None => "math.sin".into(),
                }
            }
            Fun::Lambda(body) => self.lambda(body, escapes),
            Fun::Item(pick, i) => match self.value(Kind::Funs, *pick) {
                Some(p) => format!("{p}[{i}]"),
                None => self.fun(&Fun::Var(*pick), escapes),
            },
            Fun::Ternary(c, f, g) => {
                let (c, f, g) = (self.cond(c), self.fun(f, escapes), self.fun(g, escapes));
                format!("({f} if {c} else {g})")
            }
            Fun::Call(pick, args) => match self.callee(*pick, |c| matches!(c.result, Kind::Fun | Kind::Funs)) {
                Some(c) => {
                    let trips: f64 = self.frames.iter().map(|f| f.trips).product();
                    self.value_cost += trips * c.cost;
                    let text = self.call(&c, &c.name, args, RECURSION);
                    if c.result == Kind::Fun { text } else { format!("{text}[0]") }
                }
                None => self.fun(&args.funs[0], escapes),
            },
            Fun::Grad(f) => {
                if !self.may_differentiate() {
                    return self.fun(f, escapes);
                }
                let f = self.differentiated(|p| p.fun(f, escapes));
                self.value_cost *= 5.0;
                format!("grad({f})")
            }
        }
    }

    pub(super) fn lambda(&mut self, body: &Num, escapes: bool) -> String {
        let linear = self.frame().loops > 0 && escapes;
        let mark = self.scope.len();
        self.enter(escapes, Kind::Float, linear.then_some(1));
        let t = self.declare("t", Kind::Float, false);
        let text = self.num(body);
        let frame = self.leave(mark);
        if frame.cost + self.value_cost > LONGEST_VALUE {
            return format!("(lambda {t}: {t})");
        }
        self.value_cost =
            if linear { self.value_cost + self.frame().trips * frame.cost } else { self.value_cost.max(frame.cost) };
        let defaults: String = frame.defaults.iter().map(|d| format!(", {d}={d}")).collect();
        format!("(lambda {t}{defaults}: {text})")
    }

    pub(super) fn enter(&mut self, escapes: bool, result: Kind, applications: Option<usize>) {
        self.frames.push(Frame {
            escapes,
            defaults: Vec::new(),
            trips: 1.0,
            cost: 0.0,
            loops: 0,
            result,
            again: None,
            applications,
        });
    }

    pub(super) fn leave(&mut self, mark: usize) -> Frame {
        self.scope.truncate(mark);
        self.frames.pop().expect("a function is being printed")
    }

    /// The call of the recursive function around.
    pub(super) fn again(&mut self, args: &Args) -> String {
        let Some(at) = self.frames.iter().rposition(|f| f.again.is_some()) else { return self.num(&args.nums[0]) };
        let nested = at + 1 < self.frames.len();
        let trips: f64 = self.frames[at..].iter().map(|f| f.trips).product();
        let (callee, counter, calls) = self.frames[at].again.clone().expect("it is recursive");
        if trips > 1.0 || calls + trips > if nested { 1.0 } else { 2.0 } {
            return self.num(&args.nums[0]);
        }
        // Nothing else may be added to a function that calls itself from inside of a closure.
        let calls = calls + if nested { 2.0 } else { 1.0 };
        self.frames[at].again = Some((callee.clone(), counter.clone(), calls));
        self.call_num(&callee, &callee.name, args, &format!("{counter} - 1"))
    }

    /// A float from a call, whatever the callee gives.
    pub(super) fn call_num(&mut self, c: &Callee, operator: &str, args: &Args, count: &str) -> String {
        if matches!(c.result, Kind::Fun | Kind::Funs) && !self.may_apply() {
            return self.num(&args.nums[0]);
        }
        let takes = c.params.iter().any(|(_, k)| matches!(k, Kind::Fun | Kind::Funs));
        if takes && !self.may_apply() {
            return self.num(&args.nums[0]);
        }
        let text = self.call(c, operator, args, count);
        match c.result {
            Kind::Float | Kind::Int => text,
            Kind::Pair => format!("{text}[{}]", usize::from(args.keywords)),
            Kind::Fun => format!("{text}({})", self.num(&args.nums[0])),
            Kind::Funs => format!("{text}[1]({})", self.num(&args.nums[0])),
        }
    }

    /// A call of `c`, or of a derivative of it, which takes its arguments by position.
    pub(super) fn call(&mut self, c: &Callee, operator: &str, args: &Args, count: &str) -> String {
        self.spend(c.cost);
        let keywords = args.keywords && operator == c.name;
        let (mut nums, mut funs) = (args.nums.iter().cycle(), args.funs.iter().cycle());
        let mut list = Vec::new();
        for (i, (name, kind)) in c.params.iter().enumerate() {
            let mut next = || nums.next().expect("there are numbers");
            let text = match kind {
                Kind::Float => self.num(next()),
                Kind::Int => format!("min({}, 3)", self.int(i)),
                Kind::Pair => {
                    let (a, b) = (self.num(next()), self.num(next()));
                    format!("({a}, {b})")
                }
                Kind::Fun => self.fun(funs.next().expect("there are functions"), true),
                Kind::Funs => {
                    let mut next = || self.fun(funs.next().expect("there are functions"), true);
                    let (f, g) = (next(), next());
                    format!("({f}, {g})")
                }
            };
            list.push(if keywords && i > 0 { format!("{name}={text}") } else { text });
        }
        if let Some(name) = &c.counter {
            list.push(if keywords && c.params.len() > 1 { format!("{name}={count}") } else { count.into() });
        }
        format!("{operator}({})", list.join(", "))
    }

    /// A number made into what a function returns.
    pub(super) fn result(&mut self, n: &Num) -> String {
        match self.frame().result {
            Kind::Float | Kind::Int => self.num(n),
            Kind::Pair => {
                let (a, b) = (self.num(n), self.num(&Num::Var(0)));
                format!("({a}, {b})")
            }
            Kind::Fun => self.lambda(n, true),
            Kind::Funs => {
                let (f, g) = (self.lambda(n, true), self.fun(&Fun::Var(0), true));
                format!("({f}, {g})")
            }
        }
    }
}

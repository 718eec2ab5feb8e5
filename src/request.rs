//! What can be asked of a function, and the graph that answers it: added to the untyped module, before inference.

use crate::Mode;
use gradus_ir::{ArrayOp, Const, Dims, Flavor, GraphId, Key, Module, NodeId, Prim, Role, Span, Type};

/// What is asked of a function.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Request {
    /// Its value.
    Value,
    /// `(value, (gradient, …))`: the gradients with respect to the arguments with these numbers, in the mode that suits the
    /// function; in reverse mode if a strategy is named.
    Gradient(Vec<usize>),
    /// The same in reverse mode.
    Reverse(Vec<usize>),
    /// The same for any result; its cotangent is one more argument, of this type.
    Pullback(Vec<usize>, Type),
    /// The value, and the function that `Pullback` applies to a cotangent of this type: for native code alone.
    Vjp(Vec<usize>, Type),
    /// What `Gradient` answers, or with a type `Pullback`, in forward mode: one pushforward for each float of the arguments.
    Forward(Vec<usize>, Option<Type>),
    /// `(value, tangent)`: the tangents of all arguments are further arguments, of these types; `None` stands for no change.
    Jvp(Vec<Type>),
    /// The Jacobian in the arguments with these numbers, a tuple with an entry for each: of shape `result.shape + argument.shape`,
    /// tuples of results outside, of arguments inside. In reverse mode if the result has fewer floats than the arguments.
    Jacobian(Vec<usize>),
    /// The Hessian in the arguments with these numbers: for each, a tuple with an entry for each. Forward over reverse.
    Hessian(Vec<usize>),
    /// The product of the Hessian in the arguments with these numbers and a vector, shaped like these: no Hessian is made. The vector
    /// is given as tangents of all arguments, as those of `Jvp` are.
    Hvp(Vec<usize>, Vec<Type>),
    /// `(value, first, second, …)`: derivatives in the argument with this number, each in its mode, the innermost first.
    Orders(usize, Vec<Mode>),
    /// The same up to the order that is the second number, of at most 30, as multiples of the coefficients of one Taylor series.
    Taylor(usize, usize),
}

impl Request {
    /// The types of what the request takes beside the arguments.
    pub fn more_arguments(&self) -> &[Type] {
        match self {
            Request::Pullback(_, ty) | Request::Vjp(_, ty) | Request::Forward(_, Some(ty)) => std::slice::from_ref(ty),
            Request::Jvp(types) | Request::Hvp(_, types) => types,
            Request::Value | Request::Gradient(_) | Request::Reverse(_) | Request::Forward(_, None) => &[],
            Request::Jacobian(_) | Request::Hessian(_) | Request::Orders(..) | Request::Taylor(..) => &[],
        }
    }

    /// Whether all derivatives that it asks for go forward.
    pub fn is_forward(&self) -> bool {
        match self {
            Request::Forward(..) | Request::Jvp(_) | Request::Taylor(..) => true,
            Request::Orders(_, modes) => modes.iter().all(|&m| m == Mode::Forward),
            Request::Value | Request::Gradient(_) | Request::Reverse(_) | Request::Pullback(..) => false,
            Request::Vjp(..) | Request::Jacobian(_) | Request::Hessian(_) | Request::Hvp(..) => false,
        }
    }

    /// The arguments that it takes derivatives in, if it says so.
    pub fn wrt(&self) -> Option<&[usize]> {
        match self {
            Request::Gradient(wrt) | Request::Reverse(wrt) | Request::Pullback(wrt, _) | Request::Forward(wrt, _) => Some(wrt),
            Request::Vjp(wrt, _) | Request::Jacobian(wrt) | Request::Hessian(wrt) | Request::Hvp(wrt, _) => Some(wrt),
            Request::Value | Request::Jvp(_) | Request::Orders(..) | Request::Taylor(..) => None,
        }
    }

    /// The function of the toolbox that answers it. `few` says that the result has fewer floats than the arguments.
    pub(crate) fn toolbox(&self, few: impl FnOnce() -> bool) -> Option<&'static str> {
        match self {
            Request::Jacobian(_) => Some(if few() { "jacrev" } else { "jacfwd" }),
            Request::Hessian(_) => Some("hessian"),
            Request::Taylor(..) => Some("taylor"),
            _ => None,
        }
    }

    /// Adds the graph that answers the request for `f` on arguments of these types, by a function of the toolbox if it is one of
    /// those.
    pub(crate) fn entry(&self, m: &mut Module, f: GraphId, types: &[Type], toolbox: Option<GraphId>) -> GraphId {
        if *self == Request::Value && types.len() == m[f].params.len() && m.is_positional(f) {
            return f;
        }
        let (main, mut args) = graph_like(m, f, types.len());
        let span = m[f].span;
        let callee = m.graph_ref(f);
        let mut b = Untyped { m, g: main, span };
        let mut types = types.to_vec();
        let asked = match self {
            Request::Orders(i, _) | Request::Taylor(i, _) => std::slice::from_ref(i),
            _ => self.wrt().unwrap_or_default(),
        };
        for &i in asked {
            // A derivative is asked for in it, so it is a float for the function.
            if types[i] == Type::I64 {
                (args[i], types[i]) = (b.prim(Prim::Differentiable, &[args[i]]), Type::F64);
            }
        }
        let given: Vec<NodeId> = self.given().map(|name| b.param(name)).collect();
        b.m.tangents = given.len();
        // The function does once what it does, however many derivatives there are.
        let prints = b.m.prints();
        let result = match self {
            Request::Value => b.call(callee, &args),
            Request::Gradient(wrt) | Request::Reverse(wrt) => {
                let d = b.differentiate(callee, wrt, true, true);
                b.call(d, &args)
            }
            Request::Pullback(wrt, _) => {
                let j = b.prim(Prim::J, &[callee]);
                let t = b.call(j, &args);
                let (y, pb) = (b.item(t, 0), b.item(t, 1));
                let gradients = b.pulled(pb, given[0], y, wrt, &args);
                b.prim(Prim::Tuple, &[y, gradients])
            }
            // A function that is called, until `leave_pullback` makes a result of it.
            Request::Vjp(wrt, _) => {
                let j = b.prim(Prim::J, &[callee]);
                let t = b.call(j, &args);
                let (y, pb) = (b.item(t, 0), b.item(t, 1));
                let pullback = b.m.add_graph("pullback", Flavor::Function, Role::Primal, span);
                let mut inner = Untyped { m: &mut *b.m, g: pullback, span };
                let cotangent = inner.param("cotangent");
                let gradients = inner.pulled(pb, cotangent, y, wrt, &args);
                b.m.set_result(pullback, gradients);
                let pullback = b.m.graph_ref(pullback);
                let gradients = b.call(pullback, &given);
                b.prim(Prim::Tuple, &[y, gradients])
            }
            Request::Forward(wrt, None) => {
                let mut value = prints.then(|| b.call(callee, &args));
                let gradients: Vec<NodeId> =
                    wrt.iter().map(|&i| b.partials(callee, &args, i, &types[i], &|_, one| one, &mut value)).collect();
                let value = value.unwrap_or_else(|| b.call(callee, &args));
                let gradients = b.prim(Prim::Tuple, &gradients);
                b.prim(Prim::Tuple, &[value, gradients])
            }
            Request::Forward(wrt, Some(cotangent)) => {
                let (weighted, params) = graph_like(b.m, f, types.len());
                let mut inner = Untyped { m: &mut *b.m, g: weighted, span };
                let y = inner.call(callee, &params);
                let product = inner.product(given[0], y, cotangent);
                let product = product.unwrap_or_else(|| inner.m.f64(0.0));
                b.m.set_result(weighted, product);
                let weighted = b.m.graph_ref(weighted);
                let value = b.call(callee, &args);
                let gradients: Vec<NodeId> =
                    wrt.iter().map(|&i| b.partials(weighted, &args, i, &types[i], &|_, one| one, &mut None)).collect();
                let gradients = b.prim(Prim::Tuple, &gradients);
                b.prim(Prim::Tuple, &[value, gradients])
            }
            Request::Jacobian(wrt) => {
                let operator = b.m.graph_ref(toolbox.expect("the module has what answers the request"));
                let mut entries = Vec::with_capacity(wrt.len());
                for &i in wrt {
                    let number = b.m.i64(i as i64);
                    let derivative = b.call(operator, &[callee, number]);
                    entries.push(b.call(derivative, &args));
                }
                b.prim(Prim::Tuple, &entries)
            }
            Request::Hessian(wrt) => {
                let operator = b.m.graph_ref(toolbox.expect("the module has what answers the request"));
                let numbers: Vec<NodeId> = wrt.iter().map(|&i| b.m.i64(i as i64)).collect();
                let numbers = b.prim(Prim::Tuple, &numbers);
                let derivative = b.call(operator, &[callee, numbers]);
                b.call(derivative, &args)
            }
            Request::Hvp(wrt, _) => {
                let gradient = b.differentiate(callee, wrt, false, true);
                let (args, tangents) = (b.prim(Prim::Tuple, &args), b.prim(Prim::Tuple, &given));
                let pair = b.prim(Prim::Jvp, &[gradient, args, tangents]);
                b.item(pair, 1)
            }
            Request::Jvp(_) => {
                let (args, tangents) = (b.prim(Prim::Tuple, &args), b.prim(Prim::Tuple, &given));
                b.prim(Prim::Jvp, &[callee, args, tangents])
            }
            Request::Taylor(wrt, order) => {
                let operator = b.m.graph_ref(toolbox.expect("the module has what answers the request"));
                let along = b.m.add_graph("along", Flavor::Function, Role::Primal, span);
                let mut inner = Untyped { m: &mut *b.m, g: along, span };
                let mut varied = args.clone();
                varied[*wrt] = inner.param("x");
                let y = inner.call(callee, &varied);
                b.m.set_result(along, y);
                let (along, order) = (b.m.graph_ref(along), b.m.i64(*order as i64));
                b.call(operator, &[along, args[*wrt], order])
            }
            Request::Orders(wrt, modes) => {
                let mut all = vec![b.call(callee, &args)];
                let mut d = callee;
                for mode in modes {
                    d = match mode {
                        Mode::Reverse => b.differentiate(d, &[*wrt], false, false),
                        Mode::Forward => {
                            let (g, params) = graph_like(b.m, f, types.len());
                            let mut inner = Untyped { m: &mut *b.m, g, span };
                            let derivative = inner.partials(d, &params, *wrt, &Type::F64, &|_, one| one, &mut None);
                            b.m.set_result(g, derivative);
                            b.m.graph_ref(g)
                        }
                    };
                    let derivative = b.call(d, &args);
                    b.m.memory.silent.insert(derivative);
                    all.push(derivative);
                }
                b.prim(Prim::Tuple, &all)
            }
        };
        b.m.set_result(main, result);
        main
    }

    /// The names of what is given beside the arguments of the function.
    fn given(&self) -> impl Iterator<Item = &'static str> {
        let (name, count) = match self {
            Request::Pullback(..) | Request::Vjp(..) | Request::Forward(_, Some(_)) => ("seed", 1),
            Request::Hvp(_, tangents) | Request::Jvp(tangents) => ("tangent", tangents.len()),
            _ => ("", 0),
        };
        std::iter::repeat_n(name, count)
    }
}

/// Lets the entry of a typed module that answers [`Request::Vjp`] return the function that it calls, and take no cotangent. The
/// boundary goes on to say what the call gives.
pub fn leave_pullback(m: &mut Module) {
    let entry = m.entry.expect("a typed module has an entry");
    let &[value, call] = m[m.result(entry)].inputs() else { unreachable!("the entry returns a pair") };
    let (pullback, span) = (m[call].inputs()[0], m[entry].span);
    let ty = Type::tuple([m[value].ty.clone(), m[pullback].ty.clone()]);
    let pair = m.prim(entry, Prim::Tuple, vec![value, pullback], ty.clone(), span);
    m[entry].result = ty;
    m.set_result(entry, pair);
    m.collect_garbage(&[entry]);
    m.remove_param(entry, m[entry].params.len() - 1);
    m.boundary.params.pop();
}

/// A graph with the first parameters of `f`, and as many more as `f` takes at once.
fn graph_like(m: &mut Module, f: GraphId, count: usize) -> (GraphId, Vec<NodeId>) {
    let (name, span) = (m[f].name.clone(), m[f].span);
    let g = m.add_graph(name, Flavor::Function, Role::Primal, span);
    let by_place = m.by_place(f);
    let models: Vec<NodeId> = (0..count).map(|i| m[f].params[i.min(by_place)]).collect();
    let params = models.into_iter().map(|p| {
        let (name, span) = (m[p].name.clone(), m[p].span);
        m.add_param(g, Type::Unknown, name, span)
    });
    (g, params.collect())
}

/// Builds an untyped graph.
struct Untyped<'m> {
    m: &'m mut Module,
    g: GraphId,
    span: Span,
}

impl Untyped<'_> {
    fn prim(&mut self, prim: Prim, operands: &[NodeId]) -> NodeId {
        let node = self.m.prim(self.g, prim, operands.to_vec(), Type::Unknown, self.span);
        if prim.applies() {
            self.step(node);
        }
        node
    }

    fn call(&mut self, callee: NodeId, args: &[NodeId]) -> NodeId {
        let call = self.m.call(self.g, callee, args, Type::Unknown, self.span);
        self.step(call);
        call
    }

    fn step(&mut self, node: NodeId) {
        self.m.memory.steps.entry(self.g).or_default().push(node);
    }

    fn param(&mut self, name: &str) -> NodeId {
        self.m.add_param(self.g, Type::Unknown, Some(name.into()), self.span)
    }

    fn text(&mut self, text: &str) -> NodeId {
        self.m.constant(Const::Str(text.into()), Type::Str)
    }

    fn none(&mut self) -> NodeId {
        self.m.constant(Const::None, Type::None)
    }

    fn item(&mut self, tuple: NodeId, i: usize) -> NodeId {
        let i = self.m.i64(i as i64);
        self.prim(Prim::GetItem, &[tuple, i])
    }

    /// What a pullback makes of a cotangent of `y`, for the arguments with these numbers.
    fn pulled(&mut self, pullback: NodeId, cotangent: NodeId, y: NodeId, wrt: &[usize], args: &[NodeId]) -> NodeId {
        let what = self.text("cotangent");
        let cotangent = self.prim(Prim::Given, &[cotangent, y, what]);
        let cotangents = self.call(pullback, &[cotangent]);
        let mut gradients = Vec::with_capacity(wrt.len());
        for &i in wrt {
            let c = self.item(cotangents, i + 1);
            gradients.push(self.prim(Prim::Gradient, &[c, args[i]]));
        }
        self.prim(Prim::Tuple, &gradients)
    }

    fn differentiate(&mut self, f: NodeId, wrt: &[usize], value: bool, many: bool) -> NodeId {
        let mut operands = vec![f];
        operands.extend(wrt.iter().map(|&i| self.m.i64(i as i64)));
        self.prim(Prim::Grad { value, many, aux: false, allow_int: false }, &operands)
    }

    /// The derivatives of `f` with respect to what is of type `ty` in argument `i`, shaped like it: a pushforward for each float.
    /// `place` puts a tangent where that part is in the argument. The first pushforward gives the value.
    fn partials(
        &mut self,
        f: NodeId,
        args: &[NodeId],
        i: usize,
        ty: &Type,
        place: &dyn Fn(&mut Self, NodeId) -> NodeId,
        value: &mut Option<NodeId>,
    ) -> NodeId {
        match ty {
            Type::F64 => {
                let (one, none) = (self.m.f64(1.0), self.none());
                let mut tangents = vec![none; args.len()];
                tangents[i] = place(self, one);
                let operands = [f, self.prim(Prim::Tuple, args), self.prim(Prim::Tuple, &tangents)];
                let pair = self.prim(Prim::Jvp, &operands);
                self.m.memory.silent.insert(pair);
                if value.is_none() {
                    *value = Some(self.item(pair, 0));
                }
                self.item(pair, 1)
            }
            Type::Array(dtype, shape) if dtype.is_float() => {
                let columns = self.columns(f, args, i, *shape, place);
                let name = self.text(dtype.numpy_name());
                self.prim(Prim::AsType, &[columns, name])
            }
            Type::Tuple(items) | Type::List(items) | Type::Record(_, items) if !ty.is_inert() => {
                let mut fields = Vec::with_capacity(items.len());
                for (k, item) in items.iter().enumerate() {
                    let place = |b: &mut Self, tangent: NodeId| {
                        let mut tangents = vec![b.none(); items.len()];
                        tangents[k] = tangent;
                        let tangents = b.like(ty, &tangents);
                        place(b, tangents)
                    };
                    fields.push(self.partials(f, args, i, item, &place, value));
                }
                self.like(ty, &fields)
            }
            _ => self.none(),
        }
    }

    /// What a value of a type of several parts has in one of them.
    fn part(&mut self, whole: NodeId, ty: &Type, i: usize) -> NodeId {
        let Type::Record(schema, _) = ty else { return self.item(whole, i) };
        let name = &schema.fields[i];
        if schema.class.is_some() {
            let (name, none, no) = (self.text(name), self.none(), self.m.bool(false));
            return self.prim(Prim::Attribute, &[whole, name, none, no]);
        }
        let key = self.key(&Key::of(name));
        self.prim(Prim::GetItem, &[whole, key])
    }

    /// The key of a dict.
    fn key(&mut self, key: &Key) -> NodeId {
        match key {
            Key::Str(s) => self.text(s),
            Key::Int(i) => self.m.i64(*i),
            Key::Float(bits) => self.m.f64(f64::from_bits(*bits)),
            Key::Bool(b) => self.m.bool(*b),
            Key::Tuple(keys) => {
                let keys: Vec<NodeId> = keys.iter().map(|key| self.key(key)).collect();
                self.prim(Prim::Tuple, &keys)
            }
        }
    }

    /// A tuple, a list or a record of the given fields.
    fn like(&mut self, ty: &Type, fields: &[NodeId]) -> NodeId {
        let values = self.prim(Prim::Tuple, fields);
        let schema = match ty {
            Type::Record(schema, _) => schema,
            Type::List(_) => return self.prim(Prim::List, &[values]),
            _ => return values,
        };
        let class = match &schema.class {
            Some(name) => self.text(name),
            None => self.none(),
        };
        let mut names = vec![class];
        names.extend(schema.fields.iter().map(|name| self.text(name)));
        let names = self.prim(Prim::Tuple, &names);
        self.prim(Prim::Record, &[names, values])
    }

    /// The derivatives of `f` with respect to the elements of an array in argument `i`: a pushforward for each, in a loop.
    ///
    /// ```text
    /// columns() = loop(0, zeros)
    /// loop(k, d) = k < count ? loop(k + 1, d with jvp(f, args, e_k)[1] at k) : d
    /// ```
    fn columns(
        &mut self,
        f: NodeId,
        args: &[NodeId],
        i: usize,
        shape: Dims,
        place: &dyn Fn(&mut Self, NodeId) -> NodeId,
    ) -> NodeId {
        let (span, count) = (self.span, shape.count() as i64);
        let mut graph = |name: &str, flavor| self.m.add_graph(name, flavor, Role::Primal, span);
        let [header, body, done] = ["columns.loop", "columns.body", "columns.done"].map(|name| graph(name, Flavor::Block));
        let columns = graph("columns", Flavor::Function);
        let outer = std::mem::replace(&mut self.g, columns);
        let (start, flat) = (self.m.i64(0), self.shape(Dims::new([count])));
        let zero = self.m.f64(0.0);
        let zeros = self.prim(Prim::Lift(ArrayOp::Broadcast), &[zero, flat]);
        let header_ref = self.m.graph_ref(header);
        let all = self.call(header_ref, &[start, zeros]);
        self.m.set_result(columns, all);

        self.g = header;
        let (k, derivatives) = (self.param("k"), self.param("d"));
        let end = self.m.i64(count);
        let more = self.prim(Prim::Lt, &[k, end]);
        let arms = [body, done].map(|g| self.m.graph_ref(g));
        let next = self.prim(Prim::Select, &[more, arms[0], arms[1]]);
        let next = self.call(next, &[]);
        self.m.set_result(header, next);

        self.g = body;
        let (one, none, step) = (self.m.f64(1.0), self.none(), self.m.i64(1));
        let unit = self.prim(Prim::SetItem, &[zeros, k, one]);
        let own = self.shape(shape);
        let unit = self.prim(Prim::Lift(ArrayOp::Reshape), &[unit, own]);
        let mut tangents = vec![none; args.len()];
        tangents[i] = place(self, unit);
        let operands = [f, self.prim(Prim::Tuple, args), self.prim(Prim::Tuple, &tangents)];
        let pair = self.prim(Prim::Jvp, &operands);
        self.m.memory.silent.insert(pair);
        let derivative = self.item(pair, 1);
        let written = self.prim(Prim::SetItem, &[derivatives, k, derivative]);
        let k = self.prim(Prim::WrapAdd, &[k, step]);
        let again = self.call(header_ref, &[k, written]);
        self.m.set_result(body, again);
        self.m.set_result(done, derivatives);

        self.g = outer;
        let columns = self.m.graph_ref(columns);
        let all = self.call(columns, &[]);
        let own = self.shape(shape);
        self.prim(Prim::Lift(ArrayOp::Reshape), &[all, own])
    }

    /// A shape as a tuple of constants.
    fn shape(&mut self, shape: Dims) -> NodeId {
        let sizes: Vec<NodeId> = shape.iter().map(|&n| self.m.i64(n)).collect();
        self.prim(Prim::Tuple, &sizes)
    }

    /// The product of a cotangent, which is of type `ty`, and a value; none if there is no float in it.
    fn product(&mut self, cotangent: NodeId, value: NodeId, ty: &Type) -> Option<NodeId> {
        match ty {
            Type::F64 => Some(self.prim(Prim::Mul, &[cotangent, value])),
            Type::Array(dtype, _) if dtype.is_float() => {
                let (products, scalar) = (self.prim(Prim::Mul, &[cotangent, value]), self.shape(Dims::NONE));
                Some(self.prim(Prim::Lift(ArrayOp::SumTo), &[products, scalar]))
            }
            Type::Tuple(items) | Type::List(items) | Type::Record(_, items) => {
                let mut sum = None;
                for (i, item) in items.iter().enumerate() {
                    let [c, v] = [cotangent, value].map(|whole| self.part(whole, ty, i));
                    if let Some(term) = self.product(c, v, item) {
                        sum = Some(sum.map_or(term, |sum| self.prim(Prim::Add, &[sum, term])));
                    }
                }
                sum
            }
            _ => None,
        }
    }
}

//! The derivative table, read as recurrences: the coefficients of the Taylor series of a result from those of the operands.
//!
//! ```text
//! y(t) = p(a(t), b(t))  has  y′ = Σ entry of p at (a, b, y) applied to a′, b′,      so   yₖ = (1/k) · (the right-hand side)ₖ₋₁
//! (u · v)ₖ = Σⱼ uⱼ · vₖ₋ⱼ          (u / v)ₖ = (uₖ - Σⱼ₌₁ vⱼ · (u/v)ₖ₋ⱼ) / v₀          (u′)ₖ = (k + 1) · uₖ₊₁
//! ```
//!
//! An entry is evaluated in series, of which each coefficient is made when it is asked for, once. A primitive in an entry is a series by
//! its own row: that of `sin a` asks for `cos a`, and that of `cos a` for `sin a`, which is there. Equal applications are one series, so
//! the recurrences that books give function by function (Griewank & Walther 2008, table 13.2) come of the table: `exp` is its own slope.
//! A coefficient of the slope is one order lower, so each chain of rows ends.
//!
//! Products and quotients of coefficients are strong where those of tangents are (docs/strategies.md §2). Coefficients that are zero
//! structurally, or are the constant zero, are left out of sums.

use crate::forward::is_zero;
use crate::rules::{self, Expr, Kind};
use crate::sweep::{attribute_of, is_narrow};
use crate::tower::number;
use gradus_ir::build::Builder;
use gradus_ir::{ArrayOp, Const, Dims, GraphId, Module, NodeId, Prim, Span, Type};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// The coefficients of a series from the first on; the value is elsewhere.
pub type Series = SmallVec<[NodeId; 1]>;

/// Whether the series of a result is made by the row of the primitive, and is not what the primitive makes of each coefficient.
pub fn is_of_row(prim: Prim) -> bool {
    rules::rule(prim).is_some_and(|rule| rule.kind != Kind::Linear)
}

/// The number of a series.
type Id = usize;

/// The series with no coefficient.
const ZERO: Id = 0;

/// The series of one block.
pub struct Terms {
    all: Vec<Term>,
    /// By the node of the function that is transformed.
    known: FxHashMap<NodeId, Id>,
    constants: FxHashMap<NodeId, Id>,
    applications: FxHashMap<(Prim, Vec<Id>), Id>,
    slopes: FxHashMap<Id, Id>,
}

struct Term {
    made: Made,
    /// The coefficients that were asked for; of them, none where it is zero.
    coefficients: Vec<Option<Option<NodeId>>>,
    /// Whether the series has coefficients beside its value.
    varies: bool,
    /// Whether it is a multiple of a slope, so that its value, too, is a tangent.
    flows: bool,
    /// The primitive whose row it belongs to.
    of: NodeId,
}

#[derive(Clone)]
enum Made {
    /// Nothing beside the coefficients that are there.
    Given,
    Slope(Id),
    /// The entries are the summands of the slope, once they were asked for.
    Application(Prim, Vec<Id>, Option<Vec<Id>>),
}

impl Default for Terms {
    fn default() -> Terms {
        let (known, constants, applications, slopes) = Default::default();
        let zero = Term { made: Made::Given, coefficients: vec![Some(None)], varies: false, flows: true, of: NodeId::default() };
        Terms { all: vec![zero], known, constants, applications, slopes }
    }
}

impl Terms {
    fn add(&mut self, term: Term) -> Id {
        self.all.push(term);
        self.all.len() - 1
    }
}

/// Makes series by the rows of the table.
pub struct Rows<'a, 'm> {
    pub b: &'a mut Builder<'m>,
    pub graph: GraphId,
    pub terms: &'a mut Terms,
    /// The primitive whose result has the series.
    pub n: NodeId,
    pub span: Span,
}

impl Rows<'_, '_> {
    /// The series of the result, whose value is given, from the operands: nodes, their values and their series.
    pub fn application(
        &mut self,
        prim: Prim,
        operands: &[(NodeId, NodeId, Option<Series>)],
        value: NodeId,
        order: usize,
    ) -> Option<Series> {
        let mut items = Vec::with_capacity(operands.len());
        for (node, value, series) in operands {
            items.push(match series {
                Some(series) => self.given(*node, *value, series),
                None => self.constant(*value),
            });
        }
        let id = self.apply(prim, items, Some(value));
        self.terms.known.insert(self.n, id);
        let coefficients: Vec<Option<NodeId>> = (1..=order).map(|k| self.coefficient(id, k)).collect();
        if coefficients.iter().all(Option::is_none) {
            return None;
        }
        let ty = self.b.m[value].ty.cotangent();
        Some(coefficients.into_iter().map(|c| c.unwrap_or_else(|| self.b.zero(self.graph, &ty))).collect())
    }

    fn given(&mut self, node: NodeId, value: NodeId, series: &Series) -> Id {
        if let Some(&id) = self.terms.known.get(&node) {
            return id;
        }
        let m = &*self.b.m;
        let rest = series.iter().map(|&c| Some((!is_zero(m, c)).then_some(c)));
        let coefficients = std::iter::once(Some(Some(value))).chain(rest).collect();
        let id = self.terms.add(Term { made: Made::Given, coefficients, varies: true, flows: false, of: self.n });
        self.terms.known.insert(node, id);
        id
    }

    fn constant(&mut self, value: NodeId) -> Id {
        if let Some(&id) = self.terms.constants.get(&value) {
            return id;
        }
        let coefficients = vec![Some(Some(value))];
        let id = self.terms.add(Term { made: Made::Given, coefficients, varies: false, flows: false, of: self.n });
        self.terms.constants.insert(value, id);
        id
    }

    fn slope(&mut self, of: Id) -> Id {
        if !self.terms.all[of].varies {
            return ZERO;
        }
        if let Some(&id) = self.terms.slopes.get(&of) {
            return id;
        }
        let term = Term { made: Made::Slope(of), coefficients: Vec::new(), varies: true, flows: true, of: self.n };
        let id = self.terms.add(term);
        self.terms.slopes.insert(of, id);
        id
    }

    /// The series of a primitive, whose value may be there.
    fn apply(&mut self, prim: Prim, items: Vec<Id>, value: Option<NodeId>) -> Id {
        if let Some(id) = self.same(prim, &items) {
            return id;
        }
        let key = (prim, items);
        if let Some(&id) = self.terms.applications.get(&key) {
            return id;
        }
        let items = key.1.clone();
        let varies = items.iter().any(|&i| self.terms.all[i].varies) && !is_flat(prim);
        let flows = items.iter().any(|&i| i != ZERO && self.terms.all[i].flows);
        let coefficients = value.map(|v| Some(Some(v))).into_iter().collect();
        let term = Term { made: Made::Application(prim, items, None), coefficients, varies, flows, of: self.n };
        let id = self.terms.add(term);
        self.terms.applications.insert(key, id);
        id
    }

    /// The series that an application is the same as.
    fn same(&mut self, prim: Prim, items: &[Id]) -> Option<Id> {
        let inner = |id: Id, of: Prim| match &self.terms.all[id].made {
            Made::Application(prim, items, _) if *prim == of => Some(items[0]),
            _ => None,
        };
        match (prim, items) {
            (Prim::Neg, &[a]) => inner(a, Prim::Neg).or((a == ZERO).then_some(ZERO)),
            (Prim::Add, &[a, ZERO]) | (Prim::Add, &[ZERO, a]) | (Prim::Sub, &[a, ZERO]) => Some(a),
            (Prim::Sub, &[ZERO, a]) => Some(self.apply(Prim::Neg, vec![a], None)),
            (Prim::Select, &[c, a, b]) => match self.known_value(c) {
                Some(Const::Bool(taken)) => Some(if taken { a } else { b }),
                _ => (a == b).then_some(a),
            },
            // A power that is a product has the recurrence of products.
            (Prim::Powi, &[x, n]) => match self.known_value(n) {
                Some(Const::I64(1)) => Some(x),
                Some(Const::I64(2)) => Some(self.apply(Prim::Mul, vec![x, x], None)),
                _ => None,
            },
            _ => items.contains(&ZERO).then_some(ZERO),
        }
    }

    fn known_value(&mut self, id: Id) -> Option<Const> {
        if self.terms.all[id].varies {
            return None;
        }
        let value = self.value(id);
        self.b.m[value].as_const().cloned()
    }

    /// The coefficient with this number; none where it is zero.
    fn coefficient(&mut self, id: Id, k: usize) -> Option<NodeId> {
        let term = &self.terms.all[id];
        if let Some(&Some(made)) = term.coefficients.get(k) {
            return made;
        }
        if k > 0 && !term.varies {
            return None;
        }
        let outer = std::mem::replace(&mut self.n, term.of);
        let made = match term.made.clone() {
            Made::Given => None,
            Made::Slope(of) => self.coefficient(of, k + 1).map(|c| self.times(c, (k + 1) as f64)),
            Made::Application(prim, items, _) => self.applied(id, prim, &items, k),
        };
        self.n = outer;
        let coefficients = &mut self.terms.all[id].coefficients;
        if coefficients.len() <= k {
            coefficients.resize(k + 1, None);
        }
        coefficients[k] = Some(made);
        made
    }

    fn value(&mut self, id: Id) -> NodeId {
        self.coefficient(id, 0).expect("what is no tangent has a value")
    }

    fn applied(&mut self, id: Id, prim: Prim, items: &[Id], k: usize) -> Option<NodeId> {
        let flows = |s: &Self, id: Id| s.terms.all[id].flows;
        let is_tangent = k > 0 || flows(self, id);
        match (prim, items) {
            _ if !is_tangent => {
                let values: Vec<NodeId> = items.iter().map(|&i| self.value(i)).collect();
                Some(self.prim(prim, &values))
            }
            (Prim::Add | Prim::Sub | Prim::Neg, &[a, ref b @ ..]) => {
                let (a, b) = (self.coefficient(a, k), b.first().and_then(|&b| self.coefficient(b, k)));
                match prim {
                    Prim::Add => self.sum(a, b),
                    Prim::Sub => self.difference(a, b),
                    _ => a.map(|a| self.prim(Prim::Neg, &[a])),
                }
            }
            (Prim::Mul | Prim::Mul0 | Prim::Array(ArrayOp::MatMul, _), &[a, b]) => self.product(prim, a, b, k),
            (Prim::Fma, &[a, b, c]) => {
                let (product, c) = (self.product(Prim::Mul, a, b, k), self.coefficient(c, k));
                self.sum(product, c)
            }
            (Prim::Div | Prim::Div0 | Prim::Array(ArrayOp::Solve, _), _) => self.quotient(prim, id, items, k),
            (Prim::Select, &[c, a, b]) => {
                let arms = [a, b].map(|arm| self.coefficient(arm, k));
                let like = arms.into_iter().flatten().next()?;
                let ty = self.b.m[like].ty.clone();
                let condition = self.value(c);
                let [a, b] = arms.map(|arm| arm.unwrap_or_else(|| self.b.zero(self.graph, &ty)));
                Some(self.prim(Prim::Select, &[condition, a, b]))
            }
            _ if k == 0 || rules::rule(prim).is_some_and(|rule| rule.kind == Kind::Linear) => self.linear(prim, items, k),
            _ => {
                let mut sum = None;
                for entry in self.entries(id, prim, items) {
                    let coefficient = self.coefficient(entry, k - 1);
                    sum = self.sum(sum, coefficient);
                }
                sum.map(|sum| self.times(sum, 1.0 / k as f64))
            }
        }
    }

    /// A linear primitive of the coefficients of an order.
    fn linear(&mut self, prim: Prim, items: &[Id], k: usize) -> Option<NodeId> {
        let mut operands = Vec::with_capacity(items.len());
        let mut is_zero = true;
        for &i in items {
            let of_order = self.coefficient(i, k).filter(|_| k > 0 || self.terms.all[i].flows);
            is_zero &= of_order.is_none();
            operands.push(match of_order {
                Some(coefficient) => coefficient,
                None => {
                    let value = self.value(i);
                    let ty = self.b.m[value].ty.clone();
                    if ty.is_inert() { value } else { self.b.zero(self.graph, &ty) }
                }
            });
        }
        (!is_zero).then(|| self.prim(prim, &operands))
    }

    fn product(&mut self, prim: Prim, a: Id, b: Id, k: usize) -> Option<NodeId> {
        let is_square = a == b && !matches!(prim, Prim::Array(..));
        let mut sum = None;
        for j in 0..=k {
            if is_square && 2 * j > k {
                break;
            }
            let Some(u) = self.coefficient(a, j) else { continue };
            let Some(v) = self.coefficient(b, k - j) else { continue };
            let is_first = j > 0 || self.terms.all[a].flows;
            let product = match prim {
                Prim::Array(..) => self.prim(prim, &[u, v]),
                _ if self.b.m.regular && prim == Prim::Mul => self.prim(prim, &[u, v]),
                _ if is_first => self.prim(Prim::Mul0, &[u, v]),
                _ => self.prim(Prim::Mul0, &[v, u]),
            };
            let product = if is_square && 2 * j < k { self.prim(Prim::Add, &[product, product]) } else { product };
            sum = self.sum(sum, Some(product));
        }
        sum
    }

    /// A quotient, or the solution of a linear system, whose matrix comes first.
    fn quotient(&mut self, prim: Prim, id: Id, items: &[Id], k: usize) -> Option<NodeId> {
        let is_system = matches!(prim, Prim::Array(..));
        let (above, below) = if is_system { (items[1], items[0]) } else { (items[0], items[1]) };
        let mut rest = self.coefficient(above, k);
        for j in 1..=k {
            let Some(v) = self.coefficient(below, j) else { continue };
            let Some(y) = self.coefficient(id, k - j) else { continue };
            let product = match is_system {
                true => self.prim(Prim::Array(ArrayOp::MatMul, Dims::NONE), &[v, y]),
                false if self.b.m.regular => self.prim(Prim::Mul, &[v, y]),
                false => self.prim(Prim::Mul0, &[v, y]),
            };
            rest = self.difference(rest, Some(product));
        }
        let (rest, below) = (rest?, self.value(below));
        Some(match prim {
            Prim::Array(..) => self.prim(prim, &[below, rest]),
            _ if self.b.m.regular && prim == Prim::Div => self.prim(prim, &[rest, below]),
            _ => self.prim(Prim::Div0, &[rest, below]),
        })
    }

    /// The summands of the slope of an application: the entries of its row on the slopes of the operands.
    fn entries(&mut self, id: Id, prim: Prim, items: &[Id]) -> Vec<Id> {
        if let Made::Application(_, _, Some(entries)) = &self.terms.all[id].made {
            return entries.clone();
        }
        let rule = rules::rule(prim).unwrap_or_else(|| panic!("`{}` has a series but no derivative", prim.name()));
        let row = Row { id, prim, items };
        let mut entries = Vec::new();
        if let Some(together) = &rule.together {
            entries.push(self.eval(together, &row, ZERO));
        } else {
            for (entry, &item) in rule.adjoints.iter().zip(items) {
                let slope = self.slope(item);
                if let (Some(entry), true) = (entry, slope != ZERO) {
                    entries.push(self.eval(entry, &row, slope));
                }
            }
        }
        if let Made::Application(_, _, place) = &mut self.terms.all[id].made {
            *place = Some(entries.clone());
        }
        entries
    }

    /// An entry of a row as a series; `g` is the slope of the argument that it is for.
    fn eval(&mut self, e: &Expr, row: &Row<'_>, g: Id) -> Id {
        match e {
            Expr::G => g,
            Expr::Y => row.id,
            Expr::Arg(i) => row.items[*i],
            Expr::Tangent(i) => self.slope(row.items[*i]),
            Expr::Zero => ZERO,
            Expr::F64(v) => {
                let value = self.value(row.id);
                let ty = self.b.m[value].ty.clone();
                let literal = number(self.b, self.graph, *v, &ty, self.span);
                self.constant(literal)
            }
            Expr::I64(v) => {
                let (value, literal) = (self.value(row.id), self.b.m.i64(*v));
                let literal = match self.b.m[value].ty.shape() {
                    Some(shape) if !shape.is_empty() => self.prim(Prim::Array(ArrayOp::Broadcast, shape), &[literal]),
                    _ => literal,
                };
                self.constant(literal)
            }
            Expr::Op(prim, items) => {
                let items = items.iter().map(|item| self.eval(item, row, g)).collect();
                self.apply(*prim, items, None)
            }
            Expr::Array(op, attribute, items) => {
                let items = items.iter().map(|item| self.eval(item, row, g)).collect();
                let shapes: Vec<Dims> = row.items.iter().map(|&i| self.shape(i)).collect();
                let result = self.shape(row.id);
                let attribute = attribute_of(*attribute, row.prim, |i| shapes[i], || result);
                self.apply(Prim::Array(*op, attribute), items, None)
            }
            Expr::Sum | Expr::ZeroOf(_) | Expr::Rest(_) => unreachable!("{e:?} is for what is linear"),
        }
    }

    fn shape(&mut self, id: Id) -> Dims {
        let value = self.value(id);
        self.b.m[value].ty.shape().expect("an operand of an operation on arrays")
    }

    fn sum(&mut self, a: Option<NodeId>, b: Option<NodeId>) -> Option<NodeId> {
        match (a, b) {
            (Some(a), Some(b)) => Some(self.prim(Prim::Add, &[a, b])),
            (a, b) => a.or(b),
        }
    }

    fn difference(&mut self, a: Option<NodeId>, b: Option<NodeId>) -> Option<NodeId> {
        match (a, b) {
            (Some(a), Some(b)) => Some(self.prim(Prim::Sub, &[a, b])),
            (None, Some(b)) => Some(self.prim(Prim::Neg, &[b])),
            (a, None) => a,
        }
    }

    /// A coefficient times a number.
    fn times(&mut self, c: NodeId, factor: f64) -> NodeId {
        if factor == 1.0 {
            return c;
        }
        let ty = self.b.m[c].ty.clone();
        let factor = number(self.b, self.graph, factor, &ty, self.span);
        self.prim(Prim::Mul, &[c, factor])
    }

    /// A primitive of a row, narrowed as [`crate::sweep::Sweep::row_prim`] says.
    fn prim(&mut self, prim: Prim, operands: &[NodeId]) -> NodeId {
        let value = self.b.prim(self.graph, prim, operands, self.span);
        let of_scalar = |m: &Module, n: NodeId| !m[n].ty.is_array();
        let is_wide = match prim {
            Prim::Float => true,
            Prim::Array(ArrayOp::Broadcast | ArrayOp::Reshape, shape) => of_scalar(self.b.m, self.n) && !shape.is_empty(),
            _ => false,
        };
        let is_wide = is_wide && matches!(self.b.m[value].ty, Type::Array(..)) && is_narrow(self.b.m, self.n);
        if is_wide { self.b.prim(self.graph, Prim::Narrow, &[value], self.span) } else { value }
    }
}

/// The application whose row is read.
struct Row<'a> {
    id: Id,
    prim: Prim,
    items: &'a [Id],
}

/// Whether a result has no series: what is no float, or is constant from one kink to the next.
fn is_flat(prim: Prim) -> bool {
    use gradus_ir::{Sig, Sig::*};
    let sig: Sig = prim.sig();
    matches!(sig, Compare | Bool | Int)
        || matches!(prim, Prim::Float | Prim::Int)
        || rules::rule(prim).is_some_and(|rule| rule.kind == Kind::Flat)
}

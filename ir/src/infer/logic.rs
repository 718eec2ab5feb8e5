//! Truth values, connectives and comparisons.

use super::abs::Abs;
use super::prims::{Ops, Result, Value};
use crate::array::{ArrayOp, Dims};
use crate::prim::Prim;
use std::sync::Arc;

impl Ops<'_> {
    /// The truth value of anything.
    pub(super) fn truth(&mut self, v: &Value) -> Result<Value> {
        match &v.abs {
            Abs::Bool(_) => Ok(v.clone()),
            &Abs::I64(Some(c)) => Ok(self.bool(c != 0)),
            Abs::I64(None) => {
                let zero = self.int(0);
                Ok(self.op(Prim::Ne, &[v, &zero], Abs::Bool(None)))
            }
            Abs::F64(_) => {
                let zero = self.float(0.0);
                Ok(self.op(Prim::Ne, &[v, &zero], Abs::Bool(None)))
            }
            Abs::Array(_, shape) if shape.iter().product::<i64>() == 1 => {
                let item = self.array_op(ArrayOp::Reshape, Dims::NONE, &[v])?;
                self.truth(&item)
            }
            Abs::Array(..) => self
                .refuse("an array has many truth values")
                .map_err(|d| d.hint("write `np.any(…)` or `np.all(…)`; for a choice of elements `np.where(…)`")),
            Abs::Tuple(items, _) => Ok(self.bool(!items.is_empty())),
            Abs::Str(Some(s)) => Ok(self.bool(!s.is_empty())),
            Abs::Str(None) => {
                *self.wants_constant = true;
                self.refuse(
                    "whether a string is empty is known when the program is compiled, so it must be a constant of the program",
                )
            }
            Abs::None => Ok(self.bool(false)),
            Abs::Func(_) | Abs::Pullback(..) | Abs::Boxed(_) => Ok(self.bool(true)),
            Abs::Record(schema, _) => Ok(self.bool(schema.class.is_some() || !schema.fields.is_empty())),
            Abs::Union(_) => self.truth_of_kinds(v),
            other => self.refuse(format!("{} has no truth value", other.a())),
        }
    }

    pub(super) fn logic(&mut self, prim: Prim, args: &[Value]) -> Result<Value> {
        if args.iter().any(|v| v.abs.is_array()) {
            return self.connect_arrays(prim, args);
        }
        let args = args.iter().map(|v| self.truth(v)).collect::<Result<Vec<Value>>>()?;
        match (prim, &args[..]) {
            (Prim::Not, [a]) => Ok(match a.abs {
                Abs::Bool(Some(c)) => self.bool(!c),
                _ => self.op(Prim::Not, &[a], Abs::Bool(None)),
            }),
            (_, [a, b]) => Ok(self.junction(prim, a, b)),
            _ => unreachable!("the arity was checked"),
        }
    }

    /// `and` or `or` of booleans, both computed.
    pub(super) fn junction(&mut self, prim: Prim, a: &Value, b: &Value) -> Value {
        let neutral = prim == Prim::And;
        match (&a.abs, &b.abs) {
            (Abs::Bool(Some(c)), _) => {
                if *c == neutral {
                    b.clone()
                } else {
                    a.clone()
                }
            }
            (_, Abs::Bool(Some(c))) => {
                if *c == neutral {
                    a.clone()
                } else {
                    b.clone()
                }
            }
            _ => self.op(prim, &[a, b], Abs::Bool(None)),
        }
    }

    pub(super) fn compare(&mut self, prim: Prim, a: &Value, b: &Value) -> Result<Value> {
        let equality = matches!(prim, Prim::Eq | Prim::Ne);
        if equality
            && let Some(class) = [a, b].into_iter().find_map(|v| self.own_equality(&v.abs))
            && [a, b].iter().all(|v| v.abs != Abs::None)
        {
            return self
                .refuse(format!("`==` of what holds a {class}, whose class defines `__eq__`, is not supported"))
                .map_err(|d| d.hint("compare its parts"));
        }
        match (&a.abs, &b.abs) {
            (Abs::Union(_), Abs::None) if equality => Ok(self.compare_none(prim, a)),
            (Abs::None, Abs::Union(_)) if equality => Ok(self.compare_none(prim, b)),
            (Abs::Union(_), _) if equality && a.abs.present().is_some() => self.compare_present(prim, a, b),
            (_, Abs::Union(_)) if equality && b.abs.present().is_some() => self.compare_present(prim, b, a),
            (Abs::Union(_), _) | (_, Abs::Union(_)) if a.abs.present().or(b.abs.present()).is_some() => {
                let (a, b) = (self.present(a), self.present(b));
                self.compare(prim, &a, &b)
            }
            (Abs::Record(s, x), Abs::Record(t, _)) if s == t && equality => {
                let n = x.len();
                let fields = [a, b].map(|v| self.opened(v).expect("a record has fields"));
                self.compare_tuples(prim, &fields[0], &fields[1], n, n)
            }
            // Dicts are equal in whatever order their keys are.
            (Abs::Record(s, x), Abs::Record(t, y))
                if equality && s.class.is_none() && t.class.is_none() && x.len() == y.len() =>
            {
                let [fields, other] = [a, b].map(|v| self.opened(v).expect("a record has fields"));
                let Some(places) = s.places_in(t) else { return Ok(self.bool(prim == Prim::Ne)) };
                let ordered: Vec<Value> = places.into_iter().map(|i| self.field(&other, i)).collect();
                let ordered = self.tuple(&ordered);
                self.compare_tuples(prim, &fields, &ordered, x.len(), x.len())
            }
            (Abs::Boxed(_) | Abs::Union(_), Abs::Boxed(_) | Abs::Union(_)) => self.unfit(prim, &[a.clone(), b.clone()]),
            (x, y) if (x.is_array() || y.is_array()) && *x != Abs::None && *y != Abs::None => self.compare_arrays(prim, a, b),
            (x, y) if x.is_number() && y.is_number() => {
                let args = if matches!((x, y), (Abs::Bool(_), Abs::Bool(_))) {
                    vec![a.clone(), b.clone()]
                } else {
                    self.promote(&[a.clone(), b.clone()])
                };
                if let (Abs::I64(Some(x)), Abs::I64(Some(y))) = (&args[0].abs, &args[1].abs) {
                    return Ok(self.bool(holds(prim, x.cmp(y))));
                }
                Ok(self.op(prim, &[&args[0], &args[1]], Abs::Bool(None)))
            }
            (Abs::Tuple(_, s), Abs::Tuple(_, t)) if !s.meets(*t) => match equality {
                true => Ok(self.bool(prim == Prim::Ne)),
                false => self.unfit(prim, &[a.clone(), b.clone()]),
            },
            (Abs::Tuple(x, _), Abs::Tuple(y, _)) => {
                let (x, y) = (x.len(), y.len());
                self.compare_tuples(prim, a, b, x, y)
            }
            (Abs::Str(Some(x)), Abs::Str(Some(y))) => Ok(self.bool(holds(prim, x.cmp(y)))),
            (Abs::None, Abs::None) if equality => Ok(self.bool(prim == Prim::Eq)),
            // Each has a number, by which it is known.
            (Abs::Str(_), Abs::Str(_)) if equality && self.classes.choices => {
                let [a, b] = [a, b].map(|v| self.op(Prim::Int, &[v], Abs::I64(None)));
                Ok(self.op(prim, &[&a, &b], Abs::Bool(None)))
            }
            (Abs::Str(_), Abs::Str(_)) => {
                *self.wants_constant = true;
                self.classes.lacks_choices |= equality;
                self.refuse("strings are compared when the program is compiled, so they must be constants of the program")
            }
            (Abs::Func(_) | Abs::Range(..), Abs::Func(_) | Abs::Range(..)) => self.unfit(prim, &[a.clone(), b.clone()]),
            _ if equality => Ok(self.bool(prim == Prim::Ne)),
            _ => self.unfit(prim, &[a.clone(), b.clone()]),
        }
    }

    /// Lexicographic comparison; all fields are compared, which is pure.
    /// The class of an instance, if it defines when two are equal; those of the library define it field by field.
    fn own_equality(&self, a: &Abs) -> Option<Arc<str>> {
        let schema = a.schema().filter(|s| !s.is_complex() && !s.is_list())?;
        let class = schema.class.clone()?;
        self.classes.class(&class)?.methods.contains_key("__eq__").then_some(class)
    }

    fn compare_tuples(&mut self, prim: Prim, a: &Value, b: &Value, x: usize, y: usize) -> Result<Value> {
        if matches!(prim, Prim::Eq | Prim::Ne) {
            let mut equal = self.bool(x == y);
            for i in 0..if x == y { x } else { 0 } {
                let (p, q) = (self.field(a, i), self.field(b, i));
                let same = self.compare(Prim::Eq, &p, &q)?;
                equal = self.junction(Prim::And, &equal, &same);
            }
            return if prim == Prim::Eq { Ok(equal) } else { self.logic(Prim::Not, &[equal]) };
        }
        // The first pair that differs decides, strictly; if none does, the lengths.
        let strict = if matches!(prim, Prim::Lt | Prim::Le) { Prim::Lt } else { Prim::Gt };
        let mut rest = self.bool(holds(prim, x.cmp(&y)));
        for i in (0..x.min(y)).rev() {
            let (p, q) = (self.field(a, i), self.field(b, i));
            let (same, decided) = (self.compare(Prim::Eq, &p, &q)?, self.compare(strict, &p, &q)?);
            let later = self.junction(Prim::And, &same, &rest);
            rest = self.junction(Prim::Or, &decided, &later);
        }
        Ok(rest)
    }
}

fn holds(prim: Prim, order: std::cmp::Ordering) -> bool {
    match prim {
        Prim::Lt => order.is_lt(),
        Prim::Le => order.is_le(),
        Prim::Gt => order.is_gt(),
        Prim::Ge => order.is_ge(),
        Prim::Eq => order.is_eq(),
        _ => order.is_ne(),
    }
}

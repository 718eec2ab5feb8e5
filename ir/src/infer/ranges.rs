//! Ranges and iterators over them. A range is the tuple `(start, stop)`, with the step as third field where it is no constant; an
//! iterator over a range the same, its first field moving on.

use super::abs::Abs;
use super::engine::MAX_SIZE;
use super::prims::{Ops, Result, Value};
use crate::prim::Prim;

impl Ops<'_> {
    pub(super) fn range(&mut self, args: &[Value]) -> Result<Value> {
        if let Some(bad) = args.iter().find(|v| !matches!(v.abs, Abs::I64(_) | Abs::Bool(_))) {
            return self.refuse(format!("`range` needs ints, this is {}", bad.abs.a()));
        }
        let args = self.promote(args);
        let ends = match (&args[0].abs, &args[1].abs) {
            (&Abs::I64(Some(start)), &Abs::I64(Some(stop))) => Some((start, stop)),
            _ => None,
        };
        let (tuple, abs) = match args[2].abs {
            Abs::I64(Some(0)) => return self.refuse("range() with a step of zero"),
            Abs::I64(Some(step)) if step > i64::MIN => (self.tuple(&args[..2]), Abs::Range(Some(step), ends)),
            _ => {
                let step = self.op(Prim::Step, &[&args[2]], Abs::I64(None));
                (self.tuple(&[args[0].clone(), args[1].clone(), step]), Abs::Range(None, None))
            }
        };
        Ok(Value { abs, node: tuple.node })
    }

    /// The values of a range of constants.
    pub(super) fn range_items(&mut self, step: Option<i64>, ends: Option<(i64, i64)>) -> Result<Vec<Value>> {
        let (Some(step), Some((start, stop))) = (step, ends) else {
            *self.wants_constant = true;
            return self
                .refuse("how many values this range has is not known when the program is compiled")
                .map_err(|d| d.hint("write a `for` loop over the range"));
        };
        let count = range_count(start, stop, step);
        if count > MAX_SIZE as i64 {
            return self
                .refuse(format!("a tuple of more than {MAX_SIZE} values"))
                .map_err(|d| d.hint("write a `for` loop over the range"));
        }
        // Each is an integer, the product on the way need not be.
        Ok((0..count).map(|i| self.int(start.wrapping_add(i.wrapping_mul(step)))).collect())
    }

    /// Start, stop and step of a range.
    fn bounds(&mut self, range: &Value) -> [Value; 3] {
        let step = match range.abs {
            Abs::Range(Some(step), _) | Abs::RangeIter(Some(step), _) => self.int(step),
            _ => self.slot(range, 2),
        };
        let ends = match range.abs {
            Abs::RangeIter(_, Some((at, stop))) => [self.int(at), self.int(stop)],
            _ => [self.slot(range, 0), self.slot(range, 1)],
        };
        let [at, stop] = ends;
        [at, stop, step]
    }

    fn on_ints(&mut self, prim: Prim, a: &Value, b: &Value) -> Value {
        self.op(prim, &[a, b], Abs::I64(None))
    }

    fn sign(&mut self, step: &Value) -> Value {
        match step.abs {
            Abs::I64(Some(step)) => self.int(step.signum()),
            _ => self.op(Prim::Sign, &[step], Abs::I64(None)),
        }
    }

    fn test(&mut self, prim: Prim, a: &Value, b: &Value) -> Value {
        self.op(prim, &[a, b], Abs::Bool(None))
    }

    fn choose(&mut self, test: &Value, a: &Value, b: &Value) -> Value {
        self.op(Prim::Select, &[test, a, b], Abs::I64(None))
    }

    /// Whether a step leads on from `a` to `b`: upwards if it is positive, else downwards.
    fn leads(&mut self, step: &Value, a: &Value, b: &Value) -> Value {
        match step.abs {
            Abs::I64(Some(step)) => self.test(if step > 0 { Prim::Lt } else { Prim::Gt }, a, b),
            _ => {
                let zero = self.int(0);
                let (below, above) = (self.test(Prim::Lt, a, b), self.test(Prim::Gt, a, b));
                let (up, down) = (self.test(Prim::Gt, step, &zero), self.test(Prim::Lt, step, &zero));
                let (up, down) = (self.test(Prim::And, &up, &below), self.test(Prim::And, &down, &above));
                self.test(Prim::Or, &up, &down)
            }
        }
    }

    /// How many values a range has: `⌈(stop - start) / step⌉`, without the difference, which need not be an integer of 64 bits.
    pub(super) fn range_length(&mut self, range: &Value) -> Value {
        if let Abs::Range(Some(step), Some((start, stop))) = range.abs {
            return self.int(range_count(start, stop, step));
        }
        let ([start, stop, step], zero, one) = (self.bounds(range), self.int(0), self.int(1));
        let count = match step.abs {
            Abs::I64(Some(1)) => self.on_ints(Prim::Sub, &stop, &start),
            Abs::I64(Some(-1)) => self.on_ints(Prim::Sub, &start, &stop),
            _ => {
                let [from, to] = [&start, &stop].map(|end| self.on_ints(Prim::FloorDiv, end, &step));
                let [below, above] = [&start, &stop].map(|end| self.on_ints(Prim::Mod, end, &step));
                let is_more = self.leads(&step, &below, &above);
                let (whole, rest) = (self.on_ints(Prim::Sub, &to, &from), self.choose(&is_more, &one, &zero));
                self.on_ints(Prim::Add, &whole, &rest)
            }
        };
        self.on_ints(Prim::Max, &zero, &count)
    }

    /// The value at an index. It is an integer of 64 bits, and so is what lies half of the way before it, but the way need not be.
    pub(super) fn range_item(&mut self, range: &Value, index: &Value) -> Value {
        let length = self.range_length(range);
        let at = self.on_ints(Prim::Index, index, &length);
        let [start, _, step] = self.bounds(range);
        if let Abs::I64(Some(1 | -1)) = step.abs {
            let way = self.on_ints(Prim::Mul, &at, &step);
            return self.on_ints(Prim::Add, &start, &way);
        }
        let two = self.int(2);
        let (half, odd) = (self.on_ints(Prim::FloorDiv, &at, &two), self.on_ints(Prim::Mod, &at, &two));
        let [half, odd] = [&half, &odd].map(|steps| self.on_ints(Prim::Mul, steps, &step));
        [&half, &half, &odd].into_iter().fold(start, |at, way| self.on_ints(Prim::Add, &at, way))
    }

    /// From the last value down to what is one beyond the first: no other value of the range lies in between.
    pub(super) fn range_reversed(&mut self, range: &Value) -> Value {
        if let Abs::Range(Some(step), Some((start, stop))) = range.abs
            && let Some(beyond) = start.checked_sub(step.signum())
        {
            let steps = range_count(start, stop, step) - 1;
            let last = if steps < 0 { beyond } else { start.wrapping_add(steps.wrapping_mul(step)) };
            let ends = [self.int(last), self.int(beyond)];
            return Value { abs: Abs::Range(Some(-step), Some((last, beyond))), node: self.tuple(&ends).node };
        }
        let [start, stop, step] = self.bounds(range);
        let sign = self.sign(&step);
        let beyond = self.on_ints(Prim::Sub, &start, &sign);
        let last = if let Abs::I64(Some(1 | -1)) = step.abs {
            self.on_ints(Prim::Sub, &stop, &sign)
        } else {
            // The step before `stop` is that of the remainder of the distance, a whole one if there is none.
            let [first, end] = [&start, &stop].map(|end| self.on_ints(Prim::Mod, end, &step));
            let rest = self.on_ints(Prim::Sub, &end, &first);
            let rest = self.on_ints(Prim::Mod, &rest, &step);
            let zero = self.int(0);
            let is_whole = self.test(Prim::Eq, &rest, &zero);
            let rest = self.choose(&is_whole, &step, &rest);
            let last = self.on_ints(Prim::WrapSub, &stop, &rest);
            let has_values = self.leads(&step, &start, &stop);
            self.choose(&has_values, &last, &beyond)
        };
        match range.abs {
            Abs::Range(Some(step), _) => Value { abs: Abs::Range(Some(-step), None), node: self.tuple(&[last, beyond]).node },
            _ => {
                let back = self.op(Prim::Neg, &[&step], Abs::I64(None));
                Value { abs: Abs::Range(None, None), node: self.tuple(&[last, beyond, back]).node }
            }
        }
    }

    /// A field of the tuple that a range is.
    pub(super) fn slot(&mut self, range: &Value, i: u32) -> Value {
        self.op(Prim::Get(i), &[range], Abs::I64(None))
    }

    pub(super) fn range_has_next(&mut self, it: &Value) -> Value {
        if let Abs::RangeIter(Some(step), Some((at, stop))) = it.abs {
            return self.bool(if step > 0 { at < stop } else { at > stop });
        }
        let [at, stop, step] = self.bounds(it);
        self.leads(&step, &at, &stop)
    }

    /// Where an iterator goes on that has a next value: at its end, if a step leads out of the integers. One of size one does not.
    pub(super) fn range_advance(&mut self, it: &Value) -> Value {
        if let Abs::RangeIter(Some(step), Some((at, stop))) = it.abs {
            let next = at.checked_add(step).unwrap_or(stop);
            let ends = [self.int(next), self.int(stop)];
            return Value { abs: Abs::RangeIter(Some(step), Some((next, stop))), node: self.tuple(&ends).node };
        }
        let [at, stop, step] = self.bounds(it);
        let mut next = self.on_ints(Prim::WrapAdd, &at, &step);
        if !matches!(step.abs, Abs::I64(Some(1 | -1))) {
            let is_on = self.leads(&step, &at, &next);
            next = self.choose(&is_on, &next, &stop);
        }
        let fields = if matches!(it.abs, Abs::RangeIter(None, _)) { vec![next, stop, step] } else { vec![next, stop] };
        Value { abs: it.abs.broaden(), node: self.tuple(&fields).node }
    }
}

/// How many values a range has; at most `i64::MAX`.
pub(super) fn range_count(start: i64, stop: i64, step: i64) -> i64 {
    let (distance, step) = (i128::from(stop) - i128::from(start), i128::from(step));
    let count = (distance + step - step.signum()) / step;
    i64::try_from(count.max(0)).unwrap_or(i64::MAX)
}

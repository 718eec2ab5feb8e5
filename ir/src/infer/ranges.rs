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
        Ok((0..count).map(|i| self.int(start + i * step)).collect())
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

    /// How many steps lead from the first element of a range to its last; negative if there is none.
    fn range_steps(&mut self, range: &Value) -> Value {
        let [start, stop, step] = self.bounds(range);
        let sign = match step.abs {
            Abs::I64(Some(step)) => self.int(step.signum()),
            _ => self.op(Prim::Sign, &[&step], Abs::I64(None)),
        };
        let distance = self.on_ints(Prim::Sub, &stop, &start);
        let inside = self.on_ints(Prim::Sub, &distance, &sign);
        self.on_ints(Prim::FloorDiv, &inside, &step)
    }

    pub(super) fn range_length(&mut self, range: &Value) -> Value {
        if let Abs::Range(Some(step), Some((start, stop))) = range.abs {
            return self.int(range_count(start, stop, step));
        }
        let (steps, zero, one) = (self.range_steps(range), self.int(0), self.int(1));
        let length = self.on_ints(Prim::Add, &steps, &one);
        self.on_ints(Prim::Max, &zero, &length)
    }

    /// The value at an index.
    pub(super) fn range_item(&mut self, range: &Value, index: &Value) -> Value {
        let length = self.range_length(range);
        let at = self.on_ints(Prim::Index, index, &length);
        let [start, _, step] = self.bounds(range);
        let way = self.on_ints(Prim::Mul, &at, &step);
        self.on_ints(Prim::Add, &start, &way)
    }

    pub(super) fn range_reversed(&mut self, range: &Value) -> Value {
        if let Abs::Range(Some(step), Some((start, stop))) = range.abs
            && let Some(last) = start.checked_add((range_count(start, stop, step) - 1).saturating_mul(step))
            && let Some(stop) = start.checked_sub(step)
        {
            let ends = [self.int(last), self.int(stop)];
            return Value { abs: Abs::Range(Some(-step), Some((last, stop))), node: self.tuple(&ends).node };
        }
        let [start, _, step] = self.bounds(range);
        let steps = self.range_steps(range);
        let way = self.on_ints(Prim::Mul, &steps, &step);
        let (last, stop) = (self.on_ints(Prim::Add, &start, &way), self.on_ints(Prim::Sub, &start, &step));
        match range.abs {
            Abs::Range(Some(step), _) => Value { abs: Abs::Range(Some(-step), None), node: self.tuple(&[last, stop]).node },
            _ => {
                let back = self.op(Prim::Neg, &[&step], Abs::I64(None));
                Value { abs: Abs::Range(None, None), node: self.tuple(&[last, stop, back]).node }
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
        let mut test = |prim, a: &Value, b: &Value| self.op(prim, &[a, b], Abs::Bool(None));
        match it.abs {
            Abs::RangeIter(Some(step), _) => test(if step > 0 { Prim::Lt } else { Prim::Gt }, &at, &stop),
            _ => {
                let (below, above) = (test(Prim::Lt, &at, &stop), test(Prim::Gt, &at, &stop));
                let zero = self.int(0);
                let mut test = |prim, a: &Value, b: &Value| self.op(prim, &[a, b], Abs::Bool(None));
                let (up, down) = (test(Prim::Gt, &step, &zero), test(Prim::Lt, &step, &zero));
                let (up, down) = (test(Prim::And, &up, &below), test(Prim::And, &down, &above));
                test(Prim::Or, &up, &down)
            }
        }
    }

    /// Steps of one cannot leave the integers before the end is reached; others may, and trap then.
    pub(super) fn range_advance(&mut self, it: &Value) -> Value {
        if let Abs::RangeIter(Some(step), Some((at, stop))) = it.abs
            && let Some(next) = at.checked_add(step)
        {
            let ends = [self.int(next), self.int(stop)];
            return Value { abs: Abs::RangeIter(Some(step), Some((next, stop))), node: self.tuple(&ends).node };
        }
        let [at, stop, step] = self.bounds(it);
        let add = if matches!(it.abs, Abs::RangeIter(Some(1 | -1), _)) { Prim::WrapAdd } else { Prim::Add };
        let next = self.on_ints(add, &at, &step);
        let fields = if matches!(it.abs, Abs::RangeIter(None, _)) { vec![next, stop, step] } else { vec![next, stop] };
        Value { abs: it.abs.broaden(), node: self.tuple(&fields).node }
    }
}

/// How many values a range has; at most `i64::MAX`.
fn range_count(start: i64, stop: i64, step: i64) -> i64 {
    let (distance, step) = (i128::from(stop) - i128::from(start), i128::from(step));
    let count = (distance + step - step.signum()) / step;
    i64::try_from(count.max(0)).unwrap_or(i64::MAX)
}

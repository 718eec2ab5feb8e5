//! Tuples, ranges and iterators. A range is the tuple `(start, stop)`, with the step as third field where it is no constant; an
//! iterator over a range the same, its first field moving on; an iterator over a tuple is the tuple.

use super::abs::Abs;
use super::engine::MAX_SIZE;
use super::prims::{Ops, Result, Value};
use crate::prim::Prim;

impl Ops<'_> {
    pub(super) fn sequence(&mut self, prim: Prim, args: &[Value]) -> Result<Value> {
        match prim {
            Prim::Tuple => Ok(self.tuple(args)),
            Prim::Get(i) => match &args[0].abs {
                Abs::Tuple(items) if (i as usize) < items.len() => Ok(self.field(&args[0], i as usize)),
                other => self.refuse(format!("{} has no field {i}", other.a())),
            },
            Prim::GetItem => self.get_item(&args[0], &args[1]),
            Prim::Slice => self.slice(args),
            Prim::Len if matches!(args[0].abs, Abs::Range(_)) => Ok(self.range_length(&args[0])),
            Prim::Len => {
                let n = self.length("`len`", &args[0])?;
                Ok(self.int(n as i64))
            }
            Prim::Unpacked => self.unpacked(&args[0], &args[1]),
            Prim::SumOf => {
                let mut total = self.int(0);
                for item in self.items("`sum`", &args[0])? {
                    total = self.apply(Prim::Add, &[total, item])?;
                }
                Ok(total)
            }
            Prim::MinOf => self.extreme(Prim::Min, &args[0]),
            Prim::MaxOf => self.extreme(Prim::Max, &args[0]),
            Prim::Reversed if matches!(args[0].abs, Abs::Range(_)) => Ok(self.range_reversed(&args[0])),
            Prim::Reversed => {
                let mut items = self.items("`reversed`", &args[0])?;
                items.reverse();
                Ok(self.tuple(&items))
            }
            Prim::Enumerate => {
                let items = self.items("`enumerate`", &args[0])?;
                let mut pairs = Vec::with_capacity(items.len());
                for (i, item) in items.into_iter().enumerate() {
                    let i = self.int(i as i64);
                    pairs.push(self.tuple(&[i, item]));
                }
                Ok(self.tuple(&pairs))
            }
            Prim::Zip => {
                let (a, b) = (self.items("`zip`", &args[0])?, self.items("`zip`", &args[1])?);
                let pairs: Vec<Value> = a.into_iter().zip(b).map(|(a, b)| self.tuple(&[a, b])).collect();
                Ok(self.tuple(&pairs))
            }
            Prim::Range => self.range(args),
            Prim::Iter => match &args[0].abs {
                Abs::Tuple(items) => Ok(Value { abs: Abs::Iter(items.clone(), 0), node: args[0].node }),
                &Abs::Range(step) => Ok(Value { abs: Abs::RangeIter(step), node: args[0].node }),
                other => self.refuse(format!("{} cannot be iterated", other.a())),
            },
            Prim::HasNext => Ok(match &args[0].abs {
                Abs::Iter(items, at) => self.bool(*at < items.len()),
                _ => self.range_has_next(&args[0]),
            }),
            Prim::Next => Ok(match &args[0].abs {
                Abs::Iter(_, at) => self.field(&args[0], *at),
                _ => self.slot(&args[0], 0),
            }),
            Prim::Advance => Ok(match &args[0].abs {
                Abs::Iter(items, at) => Value { abs: Abs::Iter(items.clone(), at + 1), node: args[0].node },
                _ => self.range_advance(&args[0]),
            }),
            other => unreachable!("`{}` does not occur in an untyped module", other.name()),
        }
    }

    fn length(&self, what: &str, v: &Value) -> Result<usize> {
        match &v.abs {
            Abs::Tuple(items) => Ok(items.len()),
            other => self.refuse(format!("{what} needs a tuple, this is {}", other.a())),
        }
    }

    fn items(&mut self, what: &str, v: &Value) -> Result<Vec<Value>> {
        let n = self.length(what, v)?;
        Ok(self.fields(v, n))
    }

    pub(super) fn concat(&mut self, a: &Value, b: &Value) -> Result<Value> {
        let mut items = self.items("`+`", a)?;
        items.extend(self.items("`+`", b)?);
        Ok(self.tuple(&items))
    }

    /// `tuple * n`.
    pub(super) fn repeat(&mut self, args: &[Value]) -> Result<Value> {
        let (tuple, count) = if matches!(args[0].abs, Abs::Tuple(_)) { (&args[0], &args[1]) } else { (&args[1], &args[0]) };
        let Abs::I64(Some(n)) = count.abs else {
            return self.refuse("a tuple can only be repeated a constant number of times");
        };
        let items = self.items("`*`", tuple)?;
        let n = n.max(0) as usize;
        if n.saturating_mul(items.len()) > MAX_SIZE {
            return self.refuse(format!("a tuple of more than {MAX_SIZE} values"));
        }
        let items: Vec<Value> = std::iter::repeat_n(items, n).flatten().collect();
        Ok(self.tuple(&items))
    }

    fn get_item(&mut self, tuple: &Value, index: &Value) -> Result<Value> {
        let Abs::Tuple(items) = &tuple.abs else {
            return self.refuse(format!("{} cannot be indexed", tuple.abs.a()));
        };
        let i = match &index.abs {
            Abs::I64(Some(i)) => *i,
            Abs::Bool(Some(b)) => *b as i64,
            Abs::I64(None) => {
                return self
                    .refuse("a tuple index must be a constant for now")
                    .map_err(|d| d.hint("write the index as a number, or iterate over the tuple"));
            }
            other => return self.refuse(format!("a tuple index must be an int, this is {}", other.a())),
        };
        let len = items.len() as i64;
        let at = if i < 0 { i + len } else { i };
        if !(0..len).contains(&at) {
            return self.refuse(format!("tuple index {i} is out of range, the tuple has {len} value{}", plural(items.len())));
        }
        Ok(self.field(tuple, at as usize))
    }

    fn slice(&mut self, args: &[Value]) -> Result<Value> {
        let items = self.items("a slice", &args[0])?;
        let len = items.len() as i64;
        let mut bounds = [0, len];
        for (bound, given) in bounds.iter_mut().zip(&args[1..]) {
            match given.abs {
                Abs::None => {}
                Abs::I64(Some(i)) => *bound = if i < 0 { i.saturating_add(len) } else { i }.clamp(0, len),
                _ => return self.refuse("the bounds of a slice must be constants"),
            }
        }
        let [lo, hi] = bounds.map(|b| b as usize);
        Ok(self.tuple(items.get(lo..hi).unwrap_or(&[])))
    }

    fn unpacked(&mut self, tuple: &Value, count: &Value) -> Result<Value> {
        let Abs::I64(Some(names)) = count.abs else { unreachable!("the front end counts the names") };
        match &tuple.abs {
            Abs::Tuple(items) if items.len() as i64 == names => Ok(tuple.clone()),
            Abs::Tuple(items) => {
                let (n, names) = (items.len(), names as usize);
                self.refuse(format!("cannot unpack {n} value{} into {names} name{}", plural(n), plural(names)))
            }
            other => self.refuse(format!("{} cannot be unpacked", other.a())),
        }
    }

    /// `min` or `max` of a tuple; of mixed numbers it is a float.
    fn extreme(&mut self, prim: Prim, tuple: &Value) -> Result<Value> {
        let name = prim.name();
        let mut items = self.items(&format!("`{name}`"), tuple)?.into_iter();
        let Some(mut best) = items.next() else {
            return self.refuse(format!("`{name}` of an empty tuple"));
        };
        if !best.abs.is_number() {
            return self.unfit(prim, &[best]);
        }
        for item in items {
            best = self.apply(prim, &[best, item])?;
        }
        Ok(best)
    }

    fn range(&mut self, args: &[Value]) -> Result<Value> {
        if let Some(bad) = args.iter().find(|v| !matches!(v.abs, Abs::I64(_))) {
            return self.refuse(format!("`range` needs ints, this is {}", bad.abs.a()));
        }
        let (tuple, abs) = match args[2].abs {
            Abs::I64(Some(0)) => return self.refuse("range() with a step of zero"),
            Abs::I64(Some(step)) if step > i64::MIN => (self.tuple(&args[..2]), Abs::Range(Some(step))),
            _ => {
                let step = self.op(Prim::Step, &[&args[2]], Abs::I64(None));
                (self.tuple(&[args[0].clone(), args[1].clone(), step]), Abs::Range(None))
            }
        };
        Ok(Value { abs, node: tuple.node })
    }

    /// Start, stop and step of a range.
    fn bounds(&mut self, range: &Value) -> [Value; 3] {
        let step = match range.abs {
            Abs::Range(Some(step)) | Abs::RangeIter(Some(step)) => self.int(step),
            _ => self.slot(range, 2),
        };
        [self.slot(range, 0), self.slot(range, 1), step]
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

    fn range_length(&mut self, range: &Value) -> Value {
        let (steps, zero, one) = (self.range_steps(range), self.int(0), self.int(1));
        let length = self.on_ints(Prim::Add, &steps, &one);
        self.on_ints(Prim::Max, &zero, &length)
    }

    fn range_reversed(&mut self, range: &Value) -> Value {
        let [start, _, step] = self.bounds(range);
        let steps = self.range_steps(range);
        let way = self.on_ints(Prim::Mul, &steps, &step);
        let (last, stop) = (self.on_ints(Prim::Add, &start, &way), self.on_ints(Prim::Sub, &start, &step));
        match range.abs {
            Abs::Range(Some(step)) => Value { abs: Abs::Range(Some(-step)), node: self.tuple(&[last, stop]).node },
            _ => {
                let back = self.op(Prim::Neg, &[&step], Abs::I64(None));
                Value { abs: Abs::Range(None), node: self.tuple(&[last, stop, back]).node }
            }
        }
    }

    /// A field of the tuple that a range is.
    pub(super) fn slot(&mut self, range: &Value, i: u32) -> Value {
        self.op(Prim::Get(i), &[range], Abs::I64(None))
    }

    fn range_has_next(&mut self, it: &Value) -> Value {
        let [at, stop, step] = self.bounds(it);
        let mut test = |prim, a: &Value, b: &Value| self.op(prim, &[a, b], Abs::Bool(None));
        match it.abs {
            Abs::RangeIter(Some(step)) => test(if step > 0 { Prim::Lt } else { Prim::Gt }, &at, &stop),
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
    fn range_advance(&mut self, it: &Value) -> Value {
        let [at, stop, step] = self.bounds(it);
        let add = if matches!(it.abs, Abs::RangeIter(Some(1 | -1))) { Prim::WrapAdd } else { Prim::Add };
        let next = self.on_ints(add, &at, &step);
        let fields = if it.abs == Abs::RangeIter(None) { vec![next, stop, step] } else { vec![next, stop] };
        Value { abs: it.abs.clone(), node: self.tuple(&fields).node }
    }
}

fn plural(n: usize) -> &'static str {
    if n == 1 { "" } else { "s" }
}

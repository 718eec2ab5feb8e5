//! Tuples, and iterators over tuples and ranges. An iterator over a tuple is the tuple; where it stands is part of its type.

use super::abs::{Abs, Sequence};
use super::engine::MAX_SIZE;
use super::prims::{Ops, Result, Value};
use crate::array::{ArrayOp, DType, Dims};
use crate::graph::Const;
use crate::key::Key;
use crate::prim::Prim;
use crate::types::Type;

impl Ops<'_> {
    pub(super) fn sequence(&mut self, prim: Prim, args: &[Value]) -> Result<Value> {
        if prim != Prim::Tuple
            && let Some(first) = args.first().filter(|v| self.classes.is_named_tuple(&v.abs))
            && let Some(fields) = self.opened(first)
        {
            return self.sequence(prim, &[&[fields], &args[1..]].concat());
        }
        match prim {
            Prim::Tuple => Ok(self.tuple(args)),
            Prim::Get(i) => match &args[0].abs {
                Abs::Tuple(items, _) if (i as usize) < items.len() => Ok(self.field(&args[0], i as usize)),
                other => self.refuse(format!("{} has no field {i}", other.a())),
            },
            Prim::GetItem => self.get_item(&args[0], &args[1]),
            Prim::Picked => match (&args[0].abs, &args[1].abs) {
                (&Abs::Array(dtype, shape), &Abs::Array(DType::Bool, mask)) if mask == shape => {
                    Ok(Value { abs: Abs::Masked(dtype, shape), ..self.tuple(args) })
                }
                _ => self.get_item(&args[0], &args[1]),
            },
            Prim::Slice => {
                let (bounds, length) = (&args[..3], &args[3]);
                let abs: Vec<Abs> = bounds.iter().map(|v| v.abs.clone()).collect();
                if let Some(bad) = abs.iter().find(|a| !matches!(a, Abs::None | Abs::I64(_))) {
                    return self.refuse(format!("the bounds of a slice are ints, this is {}", bad.a()));
                }
                match length.abs {
                    Abs::I64(Some(k)) if k >= 0 && abs[0] == Abs::I64(None) => {
                        Ok(Value { abs: Abs::Window(k), node: args[0].node })
                    }
                    _ => Ok(Value { abs: Abs::Slice(abs.into()), ..self.tuple(bounds) }),
                }
            }
            Prim::Parts => match &args[0].abs {
                Abs::Tuple(items, _) => Ok(Value { abs: Abs::Parts(items.clone()), node: args[0].node }),
                // Of a starred list.
                other => self.refuse(format!("an index has as many parts as the program says, this is {}", other.a())),
            },
            Prim::Ellipsis => Ok(self.constant(Const::Zero, Type::Zero, Abs::Ellipsis)),
            Prim::OldItem if self.is_masked(&args[0], &args[1]).is_some() => Ok(args[0].clone()),
            Prim::OldItem => self.get_item(&args[0], &args[1]),
            Prim::ItemValue => self.item_value(&args[0], &args[1], &args[2]),
            Prim::UpdateItem if self.is_masked(&args[0], &args[1]).is_some() => self.masked_update(&args[0], &args[1], &args[2]),
            Prim::SetItem | Prim::AddItem | Prim::UpdateItem => self.with_item(prim, args),
            Prim::Len if matches!(&args[0].abs, Abs::Record(s, _) if s.class.is_none()) => {
                let fields = args[0].abs.schema().map_or(0, |s| s.fields.len());
                Ok(self.int(fields as i64))
            }
            Prim::Len if let Abs::Str(Some(text)) = &args[0].abs => {
                let length = text.chars().count();
                Ok(self.int(length as i64))
            }
            Prim::Len if matches!(args[0].abs, Abs::Range(..)) => Ok(self.range_length(&args[0])),
            Prim::Len => {
                let n = self.length("`len`", &args[0])?;
                Ok(self.int(n as i64))
            }
            Prim::TupleOf => {
                let items = self.elements(&args[0])?;
                Ok(self.tuple(&items))
            }
            Prim::List => {
                let items = self.elements(&args[0])?;
                Ok(self.items_as(Sequence::List, &items))
            }
            Prim::Append => {
                let mut items = self.items("`append`", &args[0])?;
                items.push(args[1].clone());
                Ok(self.items_as(kind_of(&args[0].abs), &items))
            }
            Prim::Extend => {
                let mut items = self.items("`extend`", &args[0])?;
                items.extend(self.elements(&args[1])?);
                Ok(self.items_as(kind_of(&args[0].abs), &items))
            }
            Prim::Starred => self.starred(args),
            Prim::Unpacked => self.unpacked(&args[0], &args[1]),
            Prim::SumOf if args[0].abs.is_array() => {
                let (_, shape) = args[0].abs.as_array().expect("an array");
                let sums = self.array_op(ArrayOp::SumTo, shape.with(0, 1), &[&args[0]])?;
                let sums = self.array_op(ArrayOp::Reshape, shape.without_first(1), &[&sums])?;
                self.apply(Prim::Add, &[args[1].clone(), sums])
            }
            Prim::SumOf => {
                let mut total = args[1].clone();
                for item in self.items("`sum`", &args[0])? {
                    total = self.apply(Prim::Add, &[total, item])?;
                }
                Ok(total)
            }
            Prim::Contains => self.contains(&args[0], &args[1]),
            Prim::MinOf => self.extreme(Prim::Min, &args[0]),
            Prim::MaxOf => self.extreme(Prim::Max, &args[0]),
            Prim::Reversed if matches!(args[0].abs, Abs::Range(..)) => Ok(self.range_reversed(&args[0])),
            Prim::Reversed => {
                let mut items = self.items("`reversed`", &args[0])?;
                items.reverse();
                Ok(self.tuple(&items))
            }
            Prim::Enumerate => {
                let items = self.items("`enumerate`", &args[0])?;
                let (mut pairs, mut count) = (Vec::with_capacity(items.len()), args[1].clone());
                if !matches!(count.abs, Abs::I64(_) | Abs::Bool(_)) {
                    return self.refuse(format!("`enumerate` counts from an int, this is {}", count.abs.a()));
                }
                let one = self.int(1);
                for item in items {
                    let next = self.apply(Prim::Add, &[count.clone(), one.clone()])?;
                    pairs.push(self.tuple(&[count, item]));
                    count = next;
                }
                Ok(self.tuple(&pairs))
            }
            Prim::Zip => {
                let sequences = self.items("`zip`", &args[0])?;
                let columns = sequences.iter().map(|s| self.items("`zip`", s)).collect::<Result<Vec<_>>>()?;
                let length = columns.iter().map(Vec::len).min().unwrap_or(0);
                let mut rows = Vec::with_capacity(length);
                for i in 0..length {
                    let row: Vec<Value> = columns.iter().map(|column| column[i].clone()).collect();
                    rows.push(self.tuple(&row));
                }
                Ok(self.tuple(&rows))
            }
            Prim::Range => self.range(args),
            Prim::Iter => match &args[0].abs {
                Abs::Record(schema, _) if schema.class.is_none() => {
                    let keys = self.keys(schema);
                    self.sequence(Prim::Iter, &[keys])
                }
                Abs::Str(Some(text)) => {
                    let characters = self.characters(text);
                    self.sequence(Prim::Iter, &[characters])
                }
                Abs::Str(None) => self.no_constant_text(),
                Abs::Tuple(items, _) => Ok(Value { abs: Abs::Iter(items.clone(), 0), node: args[0].node }),
                &Abs::Array(dtype, shape) => {
                    let start = self.int(0);
                    Ok(Value { abs: Abs::Rows(dtype, shape, Some(0)), ..self.tuple(&[args[0].clone(), start]) })
                }
                &Abs::Range(step, ends) => Ok(Value { abs: Abs::RangeIter(step, ends), node: args[0].node }),
                other => self.refuse(format!("{} cannot be iterated", other.a())),
            },
            Prim::HasNext => Ok(match &args[0].abs {
                Abs::Iter(items, at) => self.bool(*at < items.len()),
                Abs::Rows(_, shape, Some(at)) => self.bool(*at < shape[0]),
                Abs::Rows(_, shape, None) => {
                    let (at, length) = (self.slot(&args[0], 1), self.int(shape[0]));
                    self.op(Prim::Lt, &[&at, &length], Abs::Bool(None))
                }
                _ => self.range_has_next(&args[0]),
            }),
            Prim::Next => Ok(match &args[0].abs {
                Abs::Iter(_, at) => self.field(&args[0], *at),
                &Abs::Rows(dtype, shape, at) => {
                    let array = self.op(Prim::Get(0), &[&args[0]], Abs::Array(dtype, shape));
                    let at = match at {
                        Some(at) => self.int(at),
                        None => self.slot(&args[0], 1),
                    };
                    return self.array_op(ArrayOp::At, Dims::NONE, &[&array, &at]);
                }
                Abs::RangeIter(_, Some((at, _))) => self.int(*at),
                _ => self.slot(&args[0], 0),
            }),
            Prim::Advance => Ok(match &args[0].abs {
                Abs::Iter(items, at) => Value { abs: Abs::Iter(items.clone(), at + 1), node: args[0].node },
                &Abs::Rows(dtype, shape, at) => {
                    let array = self.op(Prim::Get(0), &[&args[0]], Abs::Array(dtype, shape));
                    let next = match at {
                        Some(at) => self.int(at + 1),
                        None => {
                            let (at, one) = (self.slot(&args[0], 1), self.int(1));
                            self.op(Prim::WrapAdd, &[&at, &one], Abs::I64(None))
                        }
                    };
                    Value { abs: Abs::Rows(dtype, shape, at.map(|at| at + 1)), ..self.tuple(&[array, next]) }
                }
                _ => self.range_advance(&args[0]),
            }),
            other => unreachable!("`{}` does not occur in an untyped module", other.name()),
        }
    }

    fn length(&mut self, what: &str, v: &Value) -> Result<usize> {
        match &v.abs {
            Abs::Tuple(items, _) => Ok(items.len()),
            Abs::Array(_, shape) => Ok(shape[0] as usize),
            Abs::Str(None) => self.no_constant_text(),
            other => self.refuse(format!("{what} needs a tuple, this is {}", other.a())),
        }
    }

    /// `a + b` and `a * n` of strings.
    pub(super) fn put_together(&mut self, prim: Prim, args: &[Value]) -> Result<Value> {
        let text = match (prim, &args[0].abs, &args[1].abs) {
            (Prim::Add, Abs::Str(Some(a)), Abs::Str(Some(b))) => {
                self.check_length(a.len() + b.len())?;
                format!("{a}{b}")
            }
            (Prim::Mul, Abs::Str(Some(text)), &Abs::I64(Some(n))) | (Prim::Mul, &Abs::I64(Some(n)), Abs::Str(Some(text))) => {
                let n = usize::try_from(n).unwrap_or(0);
                self.check_length(n.saturating_mul(text.len()))?;
                text.repeat(n)
            }
            (Prim::Add, Abs::Str(_), Abs::Str(_))
            | (Prim::Mul, Abs::Str(_), Abs::I64(_))
            | (Prim::Mul, Abs::I64(_), Abs::Str(_)) => {
                return self.no_constant_text();
            }
            _ => return self.unfit(prim, args),
        };
        Ok(self.string(&text))
    }

    /// Strings are known to the compiler, so they are not to become long.
    pub(super) fn check_length(&self, length: usize) -> Result<()> {
        if length > MAX_SIZE {
            return self.refuse(format!("a string of more than {MAX_SIZE} characters"));
        }
        Ok(())
    }

    pub(super) fn no_constant_text<T>(&mut self) -> Result<T> {
        *self.wants_constant = true;
        self.refuse("a string is worked on when the program is compiled, so it must be a constant of the program")
    }

    /// The key of a dict that a value is.
    pub(super) fn key(&mut self, v: &Abs) -> Result<Key> {
        let Some(key) = v.key() else {
            *self.wants_constant |= v.lacks_constants();
            if v.is_key() {
                return self.key_of_run();
            }
            return self.refuse(format!("the key of a dict is a number, a string or a tuple of these; this is {}", v.a()));
        };
        Ok(key)
    }

    pub(super) fn characters(&mut self, text: &str) -> Value {
        let characters: Vec<Value> = text.chars().map(|c| self.string(c.encode_utf8(&mut [0; 4]))).collect();
        self.tuple(&characters)
    }

    pub(super) fn items(&mut self, what: &str, v: &Value) -> Result<Vec<Value>> {
        if self.classes.is_named_tuple(&v.abs)
            && let Some(fields) = self.opened(v)
        {
            return self.items(what, &fields);
        }
        match v.abs {
            Abs::Record(ref schema, _) if schema.class.is_none() => {
                let keys = self.keys(schema);
                self.items(what, &keys)
            }
            Abs::Str(Some(ref text)) => {
                let characters = self.characters(text);
                self.items(what, &characters)
            }
            Abs::Range(step, ends) => self.range_items(step, ends),
            Abs::Array(_, shape) if shape[0] > MAX_SIZE as i64 => {
                self.refuse(format!("{what} of an array of more than {MAX_SIZE} rows"))
            }
            Abs::Array(_, shape) => {
                let at = |i: i64| {
                    let i = self.int(i);
                    self.array_op(ArrayOp::At, Dims::NONE, &[v, &i])
                };
                (0..shape[0]).map(at).collect()
            }
            _ => {
                let n = self.length(what, v)?;
                Ok(self.fields(v, n))
            }
        }
    }

    /// The values that a `for` loop would see.
    fn elements(&mut self, v: &Value) -> Result<Vec<Value>> {
        match v.abs {
            Abs::Tuple(..) | Abs::Array(..) | Abs::Range(..) | Abs::Str(Some(_)) => self.items("`tuple`", v),
            Abs::Record(ref schema, _) if schema.class.is_none() => self.items("`tuple`", v),
            Abs::Str(None) => self.no_constant_text(),
            _ => self.refuse(format!("{} cannot be iterated", v.abs.a())),
        }
    }

    pub(super) fn concat(&mut self, a: &Value, b: &Value) -> Result<Value> {
        let mut items = self.items("`+`", a)?;
        items.extend(self.items("`+`", b)?);
        // As `+=` does: what follows a list may be a tuple.
        Ok(self.items_as(kind_of(&a.abs), &items))
    }

    /// `tuple * n`.
    pub(super) fn repeat(&mut self, args: &[Value]) -> Result<Value> {
        let (tuple, count) = if matches!(args[0].abs, Abs::Tuple(..)) { (&args[0], &args[1]) } else { (&args[1], &args[0]) };
        let Abs::I64(Some(n)) = count.abs else {
            *self.wants_constant = true;
            return self.refuse("a tuple can only be repeated a constant number of times");
        };
        let items = self.items("`*`", tuple)?;
        let n = n.max(0) as usize;
        if n.saturating_mul(items.len()) > MAX_SIZE {
            return self.refuse(format!("a tuple of more than {MAX_SIZE} values"));
        }
        let items: Vec<Value> = std::iter::repeat_n(items, n).flatten().collect();
        Ok(self.items_as(kind_of(&tuple.abs), &items))
    }

    fn unpacked(&mut self, tuple: &Value, count: &Value) -> Result<Value> {
        let Abs::I64(Some(names)) = count.abs else { unreachable!("the front end counts the names") };
        if let Abs::Range(step, ends) = tuple.abs {
            let items = self.range_items(step, ends)?;
            let tuple = self.tuple(&items);
            return self.unpacked(&tuple, count);
        }
        if let Abs::Array(_, shape) = tuple.abs
            && shape[0] == names
        {
            let items = self.items("an assignment", tuple)?;
            return Ok(self.tuple(&items));
        }
        match &tuple.abs {
            Abs::Array(_, shape) => {
                let (n, names) = (shape[0] as usize, names as usize);
                self.refuse(format!("cannot unpack {n} row{} into {names} name{}", plural(n), plural(names)))
            }
            Abs::Tuple(items, _) if items.len() as i64 == names => Ok(tuple.clone()),
            Abs::Tuple(items, _) => {
                let (n, names) = (items.len(), names as usize);
                self.refuse(format!("cannot unpack {n} value{} into {names} name{}", plural(n), plural(names)))
            }
            other => self.refuse(format!("{} cannot be unpacked", other.a())),
        }
    }

    /// `value in sequence`.
    fn contains(&mut self, sequence: &Value, value: &Value) -> Result<Value> {
        if let (Abs::Str(Some(text)), Abs::Str(Some(part))) = (&sequence.abs, &value.abs) {
            let holds = text.contains(&**part);
            return Ok(self.bool(holds));
        }
        if sequence.abs.is_array() {
            return self.refuse("`in` of an array is not supported").map_err(|d| d.hint("write `np.any(x == v)`"));
        }
        let mut any = self.bool(false);
        let is_nan = |abs: &Abs| matches!(abs, Abs::F64(Some(bits)) if f64::from_bits(*bits).is_nan());
        for item in self.elements(sequence)? {
            // Python finds the very object that it looks for, and floats are no objects here.
            if is_nan(&item.abs) && is_nan(&value.abs) {
                let message = "whether a NaN is among others depends on which objects they are";
                return self.refuse(message).map_err(|d| d.hint("write `any(math.isnan(x) for x in xs)`"));
            }
            let equal = self.compare(Prim::Eq, &item, value)?;
            any = self.junction(Prim::Or, &any, &equal);
        }
        Ok(any)
    }

    /// Elements for names, one of which takes the rest.
    fn starred(&mut self, args: &[Value]) -> Result<Value> {
        let [_, Abs::I64(Some(before)), Abs::I64(Some(after))] = [&args[0].abs, &args[1].abs, &args[2].abs] else {
            unreachable!("the front end counts the names")
        };
        let (before, after) = (*before as usize, *after as usize);
        let mut items = self.elements(&args[0])?;
        let (n, names) = (items.len(), before + after);
        if n < names {
            return self.refuse(format!("cannot unpack {n} value{} into at least {names} name{}", plural(n), plural(names)));
        }
        let rest: Vec<Value> = items.drain(before..n - after).collect();
        items.insert(before, self.items_as(Sequence::List, &rest));
        Ok(self.tuple(&items))
    }

    /// `min` or `max` of a tuple; of mixed numbers it is a float.
    fn extreme(&mut self, prim: Prim, tuple: &Value) -> Result<Value> {
        let name = prim.name();
        let mut items = self.items(&format!("`{name}`"), tuple)?.into_iter();
        let Some(mut best) = items.next() else {
            return self.refuse(format!("`{name}` of an empty tuple"));
        };
        if !best.abs.is_number() && !matches!(best.abs, Abs::Tuple(..)) {
            return self.unfit(prim, &[best]);
        }
        for item in items {
            best = self.apply(prim, &[best, item])?;
        }
        Ok(best)
    }

    /// The larger or the smaller of two tuples, the first of equal ones.
    pub(super) fn extreme_tuple(&mut self, prim: Prim, a: &Value, b: &Value) -> Result<Value> {
        let better = self.compare(if prim == Prim::Max { Prim::Gt } else { Prim::Lt }, b, a)?;
        let Ok(all) = a.abs.broaden().join(&b.abs.broaden(), self.classes) else {
            return self.unfit(prim, &[a.clone(), b.clone()]);
        };
        let (a, b) = (self.coerce(a, &all), self.coerce(b, &all));
        Ok(self.op(Prim::Select, &[&better, &b, &a], all))
    }
}

pub(super) fn plural(n: usize) -> &'static str {
    if n == 1 { "" } else { "s" }
}

/// What the value is in the program, a tuple if it is neither that nor a list.
pub(super) fn kind_of(a: &Abs) -> Sequence {
    if let Abs::Tuple(_, sequence) = a { *sequence } else { Sequence::Tuple }
}

//! Arrays: elementwise primitives with broadcasting, conversions, and the operations of [`ArrayOp`] with constant attributes.

use super::abs::Abs;
use super::prims::{Ops, Result, Value};
use super::subscripts;
use crate::array::{ArrayOp, DType, Dims};
use crate::entries;
use crate::prim::{Prim, Sig};

/// How many elements an array that is written out may have.
const MAX_WRITTEN: usize = 1 << 16;

const CONSTANTS: &str = "shapes and axes are known when the program is compiled: take them from `x.shape`, or write them";

impl Abs {
    /// An array, or a scalar if there are no axes.
    pub(super) fn array(dtype: DType, shape: Dims) -> Abs {
        match dtype {
            _ if !shape.is_empty() => Abs::Array(dtype, shape),
            DType::Bool => Abs::Bool(None),
            DType::I64 => Abs::I64(None),
            DType::F32 | DType::F64 => Abs::F64(None),
        }
    }

    /// Element type and shape of an array, a number or a boolean.
    pub(super) fn as_array(&self) -> Option<(DType, Dims)> {
        match *self {
            Abs::Array(dtype, shape) => Some((dtype, shape)),
            Abs::Bool(_) => Some((DType::Bool, Dims::NONE)),
            Abs::I64(_) => Some((DType::I64, Dims::NONE)),
            Abs::F64(_) => Some((DType::F64, Dims::NONE)),
            _ => None,
        }
    }

    pub(super) fn is_array(&self) -> bool {
        matches!(self, Abs::Array(..))
    }

    /// The integers in a constant: one, or a tuple of them.
    pub(super) fn integers(&self) -> Option<Vec<i64>> {
        match self {
            Abs::I64(Some(v)) => Some(vec![*v]),
            Abs::Tuple(items, _) => items.iter().map(|item| if let Abs::I64(v) = item { *v } else { None }).collect(),
            _ => None,
        }
    }
}

/// A shape as Python writes it.
pub(super) fn shape_text(shape: Dims) -> String {
    format!("({shape}{})", if shape.len() == 1 { "," } else { "" })
}

/// A constant as a message shows it: a tuple of integers is a shape.
fn constant_text(a: &Abs) -> String {
    match a {
        Abs::Str(Some(text)) => text.to_string(),
        Abs::Bool(Some(v)) => if *v { "True" } else { "False" }.into(),
        Abs::I64(Some(v)) => v.to_string(),
        other => match other.integers() {
            Some(items) => shape_text(Dims::new(items)),
            None => other.describe(),
        },
    }
}

/// How many elements an array may have, in memory or not: what counts them and their bytes does not overflow.
const MAX_ELEMENTS: i64 = 1 << 40;

fn has_room(shape: Dims) -> bool {
    let lengths = shape.iter().filter(|&&n| n != 0);
    lengths.fold(1_i64, |count, &n| count.saturating_mul(n)) <= MAX_ELEMENTS
}

impl Ops<'_> {
    /// Applies an operation on arrays.
    pub(super) fn array_op(&mut self, op: ArrayOp, attribute: Dims, args: &[&Value]) -> Result<Value> {
        let types: Option<Vec<_>> =
            args.iter().map(|v| v.abs.as_array().map(|(dtype, shape)| crate::types::Type::array(dtype, shape))).collect();
        match types.and_then(|types| op.result_type(attribute, &types)).and_then(|ty| ty.as_array()) {
            Some((_, shape)) if !has_room(shape) => {
                self.refuse(format!("an array of shape {} has more than {MAX_ELEMENTS} elements", shape_text(shape)))
            }
            Some((dtype, shape)) => Ok(self.op(Prim::Array(op, attribute), args, Abs::array(dtype, shape))),
            None => {
                let operands: Vec<String> = args.iter().map(|v| v.abs.a()).collect();
                let of = if operands.is_empty() { String::new() } else { format!(" of {}", operands.join(" and ")) };
                let attribute = if attribute.is_empty() { String::new() } else { format!(" {}", shape_text(attribute)) };
                self.refuse(format!("there is no `{}`{attribute}{of}", op.name()))
            }
        }
    }

    /// An operation as programs apply it: its attribute is the last operand, and constant; operands of any number are a tuple.
    pub(super) fn lifted(&mut self, op: ArrayOp, args: &[Value]) -> Result<Value> {
        let (attribute, args) = match args.split_last() {
            Some((last, args)) if op.has_attribute() => (self.constants(&format!("`{}`", op.name()), last)?, args),
            _ => (Dims::NONE, args),
        };
        let mut operands = Vec::new();
        for arg in args {
            match &arg.abs {
                Abs::Tuple(items, _) => operands.extend(self.fields(arg, items.len())),
                _ => operands.push(arg.clone()),
            }
        }
        if operands.len() > 1 && matches!(op, ArrayOp::Concat | ArrayOp::MatMul | ArrayOp::Make) {
            operands = self.of_one_dtype(&operands)?;
        }
        if op == ArrayOp::MatMul && matches!(operands[0].abs, Abs::Array(DType::Bool, _)) {
            operands = operands.iter().map(|v| self.cast(v, DType::I64)).collect::<Result<_>>()?;
        }
        self.array_op(op, attribute, &operands.iter().collect::<Vec<_>>())
    }

    /// Integers that are known when the program is compiled.
    pub(super) fn constants(&mut self, what: &str, v: &Value) -> Result<Dims> {
        match v.abs.integers() {
            Some(items) => Ok(Dims::new(items)),
            None => {
                *self.wants_constant = true;
                let message = format!("{what} needs integers that are constants of the program, this is {}", v.abs.a());
                self.refuse(message).map_err(|d| d.hint(CONSTANTS))
            }
        }
    }

    /// The values with elements of the type that NumPy gives to a result of them all.
    fn of_one_dtype(&mut self, values: &[Value]) -> Result<Vec<Value>> {
        let dtype = self.common_dtype(values)?;
        values.iter().map(|v| self.cast(v, dtype)).collect()
    }

    /// The type that NumPy gives to what is made of elements of all these. Scalars are as Python's numbers: beside arrays of floats of
    /// 32 bits they are such floats.
    fn common_dtype(&mut self, values: &[Value]) -> Result<DType> {
        let (mut arrays, mut all) = (DType::Bool, DType::Bool);
        for v in values {
            match v.abs.as_array() {
                Some((dtype, shape)) => {
                    all = all.promote(dtype);
                    if !shape.is_empty() {
                        arrays = arrays.promote(dtype);
                    }
                }
                None => return self.refuse(format!("an array is needed, this is {}", v.abs.a())),
            }
        }
        Ok(if arrays == DType::F32 { DType::F32 } else { all })
    }

    /// The elements as values of another type.
    pub(super) fn cast(&mut self, v: &Value, to: DType) -> Result<Value> {
        let Some((from, shape)) = v.abs.as_array() else {
            return self.refuse(format!("an array or a number is needed, this is {}", v.abs.a()));
        };
        if from == to {
            return Ok(v.clone());
        }
        if shape.is_empty() {
            return match to {
                DType::F64 => Ok(self.floating(v)),
                DType::F32 => {
                    let v = self.floating(v);
                    Ok(self.op(Prim::Narrow, &[&v], Abs::F64(None)))
                }
                DType::I64 => self.apply(Prim::TruncInt, std::slice::from_ref(v)),
                DType::Bool => self.truth(v),
            };
        }
        let abs = Abs::array(to, shape);
        Ok(match to {
            DType::F64 if from == DType::F32 => self.op(Prim::Widen, &[v], abs),
            DType::F64 => self.op(Prim::Float, &[v], abs),
            DType::F32 => {
                let wide = self.cast(v, DType::F64)?;
                self.op(Prim::Narrow, &[&wide], abs)
            }
            DType::I64 if from == DType::F32 => {
                let wide = self.cast(v, DType::F64)?;
                self.op(Prim::Int, &[&wide], abs)
            }
            DType::I64 => self.op(Prim::Int, &[v], abs),
            DType::Bool => {
                let zero = if from.is_float() { self.float(0.0) } else { self.int(0) };
                let zero = self.broadcast(&zero, shape)?;
                let zero = self.cast(&zero, from)?;
                self.op(Prim::Ne, &[v, &zero], abs)
            }
        })
    }

    /// The value broadcast to a shape.
    pub(super) fn broadcast(&mut self, v: &Value, shape: Dims) -> Result<Value> {
        match v.abs.as_array() {
            Some((_, own)) if own == shape => Ok(v.clone()),
            _ => self.array_op(ArrayOp::Broadcast, shape, &[v]),
        }
    }

    /// The operands of an elementwise primitive, of one shape, and the type that NumPy gives to what is made of elements of them all.
    /// Tuples beside arrays count as arrays.
    pub(super) fn aligned(&mut self, args: &[Value]) -> Result<(Vec<Value>, DType, Dims)> {
        let mut arrays = Vec::with_capacity(args.len());
        let mut shape = Dims::NONE;
        for arg in args {
            let arg = if matches!(arg.abs, Abs::Tuple(..)) { self.as_array(arg)? } else { arg.clone() };
            let Some((_, own)) = arg.abs.as_array() else {
                return self.refuse(format!("an array or a number is needed, this is {}", arg.abs.a()));
            };
            shape = match shape.broadcast(own) {
                Some(joined) => joined,
                None => {
                    let shapes: Vec<String> = args.iter().filter_map(|v| v.abs.as_array()).map(|(_, s)| shape_text(s)).collect();
                    return self
                        .refuse(format!("arrays of shapes {} do not broadcast together", shapes.join(" and ")))
                        .map_err(|d| d.hint("shapes are aligned at their last axes, and lengths are equal or 1"));
                }
            };
            arrays.push(arg);
        }
        let dtype = self.common_dtype(&arrays)?;
        let arrays = arrays.iter().map(|v| self.broadcast(v, shape)).collect::<Result<_>>()?;
        Ok((arrays, dtype, shape))
    }

    /// A primitive on numbers, element by element; `as_floats` if it is one of floats alone.
    pub(super) fn elementwise(&mut self, prim: Prim, args: &[Value], as_floats: bool) -> Result<Value> {
        let mut of_bools = true;
        for arg in args {
            of_bools &= matches!(arg.abs, Abs::Bool(_) | Abs::Array(DType::Bool, _));
            if arg.abs.as_array().is_none() && !matches!(arg.abs, Abs::Tuple(..)) {
                return self.unfit(prim, args);
            }
        }
        let (args, dtype, shape) = self.aligned(args)?;
        if of_bools && !as_floats {
            let connective = match prim {
                Prim::Add | Prim::Maximum | Prim::Max => Prim::Or,
                Prim::Mul | Prim::Minimum | Prim::Min => Prim::And,
                Prim::Sub | Prim::Neg => return self.refuse("booleans of an array cannot be subtracted, use `^` or `~`"),
                _ => Prim::Truth,
            };
            if connective != Prim::Truth {
                return Ok(self.op(connective, &args.iter().collect::<Vec<_>>(), Abs::array(DType::Bool, shape)));
            }
        }
        let dtype = match dtype {
            DType::Bool | DType::I64 if as_floats => DType::F64,
            DType::Bool => DType::I64,
            dtype => dtype,
        };
        let args = args.iter().map(|v| self.cast(v, dtype)).collect::<Result<Vec<Value>>>()?;
        Ok(self.op(prim, &args.iter().collect::<Vec<_>>(), Abs::array(dtype, shape)))
    }

    /// A comparison, element by element.
    pub(super) fn compare_arrays(&mut self, prim: Prim, a: &Value, b: &Value) -> Result<Value> {
        let (args, dtype, shape) = self.aligned(&[a.clone(), b.clone()])?;
        let args = args.iter().map(|v| self.cast(v, dtype)).collect::<Result<Vec<Value>>>()?;
        Ok(self.op(prim, &[&args[0], &args[1]], Abs::array(DType::Bool, shape)))
    }

    /// `and`, `or` or `not`, element by element.
    pub(super) fn connect_arrays(&mut self, prim: Prim, args: &[Value]) -> Result<Value> {
        let (args, _, shape) = self.aligned(args)?;
        let args = args.iter().map(|v| self.cast(v, DType::Bool)).collect::<Result<Vec<Value>>>()?;
        Ok(self.op(prim, &args.iter().collect::<Vec<_>>(), Abs::array(DType::Bool, shape)))
    }

    /// A choice, element by element.
    pub(super) fn select_arrays(&mut self, args: &[Value]) -> Result<Value> {
        let dtype = self.common_dtype(&args[1..])?;
        let values = args[1..].iter().map(|v| self.cast(v, dtype)).collect::<Result<Vec<Value>>>()?;
        let (all, _, shape) = self.aligned(&[&args[..1], &values].concat())?;
        let condition = self.cast(&all[0], DType::Bool)?;
        let [a, b] = [self.cast(&all[1], dtype)?, self.cast(&all[2], dtype)?];
        Ok(self.op(Prim::Select, &[&condition, &a, &b], Abs::array(dtype, shape)))
    }

    /// `&`, `|`, `^` and `~`, of ints and booleans.
    pub(super) fn bitwise(&mut self, prim: Prim, args: &[Value]) -> Result<Value> {
        if let (Prim::BitOr, [a, b]) = (prim, args)
            && let (Abs::Record(s, _), Abs::Record(t, _)) = (&a.abs, &b.abs)
            && s.class.is_none()
            && t.class.is_none()
        {
            let fields = self.opened(b).expect("a record has fields");
            let parts = self.fields(&fields, t.fields.len());
            return Ok(t.fields.iter().zip(parts).fold(a.clone(), |dict, (key, part)| self.with_key(&dict, key, &part)));
        }
        let is_bool = |v: &Value| matches!(v.abs, Abs::Bool(_) | Abs::Array(DType::Bool, _));
        if !args.iter().all(|v| is_bool(v) || matches!(v.abs, Abs::I64(_) | Abs::Array(DType::I64, _))) {
            return self.unfit(prim, args);
        }
        if prim == Prim::Invert {
            return self.invert(&args[0]);
        }
        match prim {
            Prim::BitAnd if args.iter().all(is_bool) => self.logic(Prim::And, args),
            Prim::BitOr if args.iter().all(is_bool) => self.logic(Prim::Or, args),
            Prim::BitXor if args.iter().all(is_bool) => self.compare(Prim::Ne, &args[0], &args[1]),
            _ if args.iter().any(|v| v.abs.is_array()) => self.elementwise(prim, args, false),
            _ => self.integers(prim, args),
        }
    }

    /// `~a`. What a comparison gives is a bool of Python's or of NumPy's, which mean different things by it.
    fn invert(&mut self, a: &Value) -> Result<Value> {
        match a.abs {
            Abs::Array(DType::Bool, _) => self.logic(Prim::Not, std::slice::from_ref(a)),
            Abs::Bool(_) => self
                .refuse("`~` of a bool is an int, and of one of NumPy's its negation")
                .map_err(|d| d.hint("write `not x`, or `~int(x)`")),
            _ => {
                let minus = self.int(-1);
                self.apply(Prim::Sub, &[minus, a.clone()])
            }
        }
    }

    /// `x ** n` for an array on either side.
    pub(super) fn power_arrays(&mut self, base: &Value, exponent: &Value) -> Result<Value> {
        let (args, common, shape) = self.aligned(&[base.clone(), exponent.clone()])?;
        let dtype = |v: &Value| v.abs.as_array().map_or(DType::F64, |(dtype, _)| dtype);
        let base_dtype = dtype(base).max(DType::I64);
        if let Abs::I64(Some(n)) = exponent.abs
            && n.unsigned_abs() <= 64
        {
            if base_dtype == DType::I64 && n < 0 {
                return self
                    .refuse("integers to negative powers are not integers")
                    .map_err(|d| d.hint("write the exponent as a float"));
            }
            let base = self.cast(&args[0], base_dtype)?;
            return self.literal_power(&base, n);
        }
        if base_dtype.is_float() && dtype(exponent) == DType::I64 {
            let base = self.cast(&args[0], common)?;
            return Ok(self.op(Prim::Powi, &[&base, &args[1]], Abs::array(common, shape)));
        }
        if base_dtype == DType::I64 && !dtype(exponent).is_float() {
            return self
                .refuse("an array of integers to a power that is no constant is not supported")
                .map_err(|d| d.hint("make the base floats: `x * 1.0`"));
        }
        let dtype = if common.is_float() { common } else { DType::F64 };
        let [base, exponent] = [self.cast(&args[0], dtype)?, self.cast(&args[1], dtype)?];
        Ok(self.op(Prim::Pow, &[&base, &exponent], Abs::array(dtype, shape)))
    }

    /// An array of nested tuples of numbers and arrays, as `np.array` makes it.
    pub(super) fn as_array(&mut self, v: &Value) -> Result<Value> {
        let Abs::Tuple(items, _) = &v.abs else {
            return match v.abs.as_array() {
                Some(_) => Ok(v.clone()),
                None if v.abs.is_complex() => self.refuse("arrays of complex numbers are not supported"),
                None if v.abs.element().is_some() => self.refuse(
                    "an array cannot be made of a list that is too long to unroll its loop, or whose length only the run knows",
                ),
                None => self.refuse(format!("an array cannot be made of {}", v.abs.a())),
            };
        };
        if items.is_empty() {
            // As in NumPy, no elements are floats.
            let zero = self.float(0.0);
            return self.broadcast(&zero, Dims::new([0]));
        }
        let items = self.fields(v, items.len());
        let items = items.iter().map(|item| self.as_array(item)).collect::<Result<Vec<Value>>>()?;
        let items = self.of_one_dtype(&items)?;
        let shapes: Vec<Dims> = items.iter().filter_map(|v| v.abs.as_array()).map(|(_, shape)| shape).collect();
        if let Some(other) = shapes.iter().find(|s| **s != shapes[0]) {
            return self.refuse(format!(
                "the parts of an array have one shape, these have {} and {}",
                shape_text(shapes[0]),
                shape_text(*other)
            ));
        }
        if shapes[0].count().saturating_mul(items.len()) > MAX_WRITTEN {
            return self.refuse(format!("an array of more than {MAX_WRITTEN} elements cannot be written in a program"));
        }
        if shapes[0].is_empty() {
            let refs: Vec<&Value> = items.iter().collect();
            return self.array_op(ArrayOp::Make, Dims::new([items.len() as i64]), &refs);
        }
        let row = Dims::new([&[1], &shapes[0][..]].concat());
        let rows = items.iter().map(|v| self.array_op(ArrayOp::Reshape, row, &[v])).collect::<Result<Vec<Value>>>()?;
        self.array_op(ArrayOp::Concat, Dims::new([0]), &rows.iter().collect::<Vec<_>>())
    }

    fn integer_tuple(&mut self, items: &[i64]) -> Value {
        let items: Vec<Value> = items.iter().map(|&n| self.int(n)).collect();
        self.tuple(&items)
    }

    /// The entries of a matrix, in compressed rows.
    fn entries(&mut self, matrix: &Value) -> Result<Value> {
        let Some((dtype, shape)) = matrix.abs.as_array().filter(|(dtype, shape)| dtype.is_float() && shape.len() == 2) else {
            return self.refuse(format!("a sparse matrix is one of floats, this is {}", matrix.abs.a()));
        };
        let asked = entries::asked(self.span, shape);
        let [places, columns, starts] = match self.classes.entries.get(&asked) {
            Some(&places) => entries::compressed(places, shape),
            None => [asked, asked, Dims::new(vec![0; shape[0] as usize + 1])],
        };
        let flat = self.array_op(ArrayOp::Reshape, Dims::new([shape.count() as i64]), &[matrix])?;
        let places = self.array_op(ArrayOp::Table, places, &[])?;
        let values = self.array_op(ArrayOp::Gather, Dims::NONE, &[&flat, &places])?;
        debug_assert_eq!(values.abs.as_array().map(|(of, _)| of), Some(dtype));
        let columns = self.array_op(ArrayOp::Table, columns, &[])?;
        let starts = self.array_op(ArrayOp::Table, starts, &[])?;
        Ok(self.tuple(&[values, columns, starts]))
    }

    /// What a program asks of an array.
    pub(super) fn array_source(&mut self, prim: Prim, args: &[Value]) -> Result<Value> {
        match prim {
            Prim::Lift(op) => self.lifted(op, args),
            // NumPy's functions take complex numbers as they are.
            Prim::AsArray if args[0].abs.is_complex() => Ok(args[0].clone()),
            Prim::AsArray => self.as_array(&args[0]),
            Prim::ShapeOf => {
                let array = self.as_array(&args[0])?;
                let (_, shape) = array.abs.as_array().expect("an array");
                Ok(self.integer_tuple(&shape))
            }
            Prim::DTypeOf => {
                let array = self.as_array(&args[0])?;
                let (dtype, _) = array.abs.as_array().expect("an array");
                Ok(self.string(dtype.numpy_name()))
            }
            Prim::AsType => {
                let Abs::Str(Some(name)) = &args[1].abs else {
                    *self.wants_constant = true;
                    return self.refuse(format!("a type of elements is needed, this is {}", args[1].abs.a()));
                };
                let dtype = match &**name {
                    "bool" => DType::Bool,
                    "int64" => DType::I64,
                    "float32" => DType::F32,
                    "float64" => DType::F64,
                    other => return self.refuse(format!("arrays of `{other}` are not supported")),
                };
                let array = self.as_array(&args[0])?;
                self.cast(&array, dtype)
            }
            Prim::IsArray => Ok(self.bool(args[0].abs.is_array())),
            Prim::Entries => self.entries(&args[0]),
            Prim::IsTuple => Ok(self.bool(matches!(args[0].abs, Abs::Tuple(..)))),
            Prim::Defines => {
                let Abs::Str(Some(method)) = &args[1].abs else { unreachable!("the library names the method") };
                let class = args[0].abs.schema().and_then(|s| s.class.as_ref()).and_then(|name| self.classes.class(name));
                let defined = class.is_some_and(|class| class.methods.contains_key(&**method));
                Ok(self.bool(defined))
            }
            Prim::Refuse => match &args[0].abs {
                Abs::Tuple(parts, _) => self.refuse(parts.iter().map(constant_text).collect::<String>()),
                message => self.refuse(constant_text(message)),
            },
            Prim::Constant if args[0].abs.is_constant() => Ok(args[0].clone()),
            Prim::Constant => {
                *self.wants_constant = true;
                let (what, found) = (constant_text(&args[1].abs), args[0].abs.a());
                self.refuse(format!("{what} must be a constant of the program, this is {found}")).map_err(|d| d.hint(CONSTANTS))
            }
            Prim::Subscripts => match (&args[0].abs, args[1].abs.integers()) {
                (Abs::Str(Some(text)), Some(ranks)) => match subscripts::parse(text, &ranks) {
                    Ok(lists) => {
                        let lists: Vec<Value> = lists.iter().map(|list| self.integer_tuple(list)).collect();
                        Ok(self.tuple(&lists))
                    }
                    Err(message) => self.refuse(format!("the subscripts `{text}`: {message}")),
                },
                (other, _) => {
                    *self.wants_constant = true;
                    self.refuse(format!("`einsum` needs a constant string of subscripts, this is {}", other.a()))
                }
            },
            other => unreachable!("`{}` is no primitive on arrays", other.name()),
        }
    }

    /// Whether a primitive of an untyped module is elementwise on arrays.
    pub(super) fn is_elementwise(prim: Prim) -> bool {
        matches!(prim.sig(), Sig::Float | Sig::Num | Sig::NumTotal)
    }
}

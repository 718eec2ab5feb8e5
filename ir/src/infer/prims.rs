//! What the primitives of an untyped module mean on typed operands.
//!
//! One function serves the analysis and the construction of the typed module: with an output it makes typed nodes as it goes,
//! without one it computes abstract values only. So the two cannot disagree.

use super::abs::{Abs, Sequence};
use super::classes::Classes;
use super::layout::Layout;
use super::meeting::ONE_TYPE;
use super::mutable::contents;
use super::records::differ;
use crate::array::DType;
use crate::data::Schema;
use crate::eval::{self, Scalar};
use crate::graph::{Const, GraphId, Module, NodeId};
use crate::key::quoted;
use crate::prim::{Prim, Sig};
use crate::span::{Diagnostic, Span};
use crate::types::Type;

/// A value of the analysis and, where there is an output, the typed node that computes it.
#[derive(Clone, Debug)]
pub(super) struct Value {
    pub(super) abs: Abs,
    pub(super) node: NodeId,
}

/// Where typed nodes go, and what says their types.
pub(super) struct Out<'a> {
    pub(super) m: &'a mut Module,
    pub(super) g: GraphId,
    pub(super) layout: &'a Layout,
    /// The untyped module.
    pub(super) source: &'a Module,
}

/// The application of primitives.
pub(super) struct Ops<'a> {
    /// Where typed nodes go.
    pub(super) out: Option<Out<'a>>,
    pub(super) span: Span,
    pub(super) classes: &'a mut Classes,
    /// Set where an operand would have to be a constant.
    pub(super) wants_constant: &'a mut bool,
}

pub(super) type Result<T> = std::result::Result<T, Diagnostic>;

impl Ops<'_> {
    /// Applies a typed primitive to operands of fitting types. An integer that is made of constants is one; such a float is known, but
    /// computed where the program runs.
    pub(super) fn op(&mut self, prim: Prim, operands: &[&Value], abs: Abs) -> Value {
        let abs = match self.folded(prim, operands) {
            Some(Scalar::I64(v)) if abs == Abs::I64(None) => return self.int(v),
            Some(Scalar::F64(v)) if abs == Abs::F64(None) => Abs::F64(Some(v.to_bits())),
            _ => abs,
        };
        let Some(Out { m, g, .. }) = &mut self.out else { return Value { abs, node: NodeId::default() } };
        let nodes: Vec<NodeId> = operands.iter().map(|v| v.node).collect();
        let types: Vec<Type> = nodes.iter().map(|&n| m[n].ty.clone()).collect();
        let ty = prim.result_type(&types).unwrap_or_else(|| panic!("operands of `{}` that do not fit: {types:?}", prim.name()));
        Value { abs, node: m.prim(*g, prim, nodes, ty, self.span) }
    }

    /// What a primitive on constants gives, if it is known before the program runs.
    fn folded(&self, prim: Prim, args: &[&Value]) -> Option<Scalar> {
        let constants = args.iter().map(|v| match v.abs {
            Abs::I64(Some(c)) => Some(Scalar::I64(c)),
            Abs::F64(Some(bits)) => Some(Scalar::F64(f64::from_bits(bits))),
            _ => None,
        });
        eval::fold(self.classes.floats, prim, &constants.collect::<Option<Vec<Scalar>>>()?)
    }

    /// A constant of the typed module.
    pub(super) fn constant(&mut self, value: Const, ty: Type, abs: Abs) -> Value {
        let node = self.out.as_mut().map_or_else(NodeId::default, |out| out.m.constant(value, ty));
        Value { abs, node }
    }

    pub(super) fn int(&mut self, v: i64) -> Value {
        self.constant(Const::I64(v), Type::I64, Abs::I64(Some(v)))
    }

    pub(super) fn bool(&mut self, v: bool) -> Value {
        self.constant(Const::Bool(v), Type::Bool, Abs::Bool(Some(v)))
    }

    pub(super) fn float(&mut self, v: f64) -> Value {
        self.constant(Const::F64(v.to_bits()), Type::F64, Abs::F64(Some(v.to_bits())))
    }

    pub(super) fn string(&mut self, s: &str) -> Value {
        self.constant(Const::Str(s.into()), Type::Str, Abs::Str(Some(s.into())))
    }

    pub(super) fn none(&mut self) -> Value {
        self.constant(Const::None, Type::None, Abs::None)
    }

    pub(super) fn tuple(&mut self, items: &[Value]) -> Value {
        let refs: Vec<&Value> = items.iter().collect();
        self.op(Prim::Tuple, &refs, Abs::tuple(items.iter().map(|v| v.abs.clone())))
    }

    /// A tuple, or a list of known length.
    pub(super) fn items_as(&mut self, sequence: Sequence, items: &[Value]) -> Value {
        let tuple = self.tuple(items);
        Value { abs: tuple.abs.like(sequence), node: tuple.node }
    }

    /// Field `i` of a tuple, or of an iterator over one. What is known to be a constant is the constant, and what is known to have been
    /// put there is that.
    pub(super) fn field(&mut self, tuple: &Value, i: usize) -> Value {
        let (Abs::Tuple(items, _) | Abs::Record(_, items) | Abs::Parts(items) | Abs::Iter(items, _)) = &tuple.abs else {
            unreachable!("a field of {:?}", tuple.abs)
        };
        match &items[i] {
            &Abs::I64(Some(v)) => self.int(v),
            &Abs::Bool(Some(v)) => self.bool(v),
            Abs::None => self.none(),
            abs => match &self.out {
                Some(Out { m, .. }) if m.as_prim(tuple.node) == Some(Prim::Tuple) => {
                    Value { abs: abs.clone(), node: m[tuple.node].inputs()[i] }
                }
                _ => self.op(Prim::Get(i as u32), &[tuple], abs.clone()),
            },
        }
    }

    pub(super) fn fields(&mut self, tuple: &Value, len: usize) -> Vec<Value> {
        (0..len).map(|i| self.field(tuple, i)).collect()
    }

    pub(super) fn refuse<T>(&self, message: impl Into<String>) -> Result<T> {
        Err(Diagnostic::refused(self.span, message))
    }

    /// The value as one of the type that it meets another in: integers as floats, field by field.
    pub(super) fn coerce(&mut self, v: &Value, to: &Abs) -> Value {
        match (&v.abs, to) {
            (Abs::I64(_) | Abs::Bool(_), Abs::F64(_)) => self.floating(v),
            (Abs::Zero, Abs::F64(_)) => Value { abs: to.clone(), ..self.tangent(v, &Type::F64) },
            (Abs::Array(from, _), &Abs::Array(dtype, _)) if *from != dtype => {
                if self.out.is_some() {
                    let what = format!("{} meets {} here, and would become one", v.abs.a(), to.a());
                    self.classes.changed.get_or_insert(Diagnostic::refused(self.span, what).hint(ONE_TYPE));
                }
                self.cast(v, dtype).expect("the elements of an array are converted")
            }
            (Abs::Record(from, _), Abs::Record(schema, target)) if let Some(places) = other_order(schema, from) => {
                let fields: Vec<Value> = places.into_iter().map(|i| self.field(v, i)).collect();
                let fields: Vec<Value> = fields.iter().zip(target.iter()).map(|(v, to)| self.coerce(v, to)).collect();
                Value { abs: to.clone(), ..self.tuple(&fields) }
            }
            (Abs::I64(_) | Abs::Bool(_) | Abs::F64(_), Abs::Record(..)) => {
                let parts = [self.floating(v), self.float(0.0)];
                Value { abs: to.clone(), ..self.tuple(&parts) }
            }
            (Abs::RangeIter(Some(step), _), Abs::RangeIter(None, _)) | (Abs::Range(Some(step), _), Abs::Range(None, _)) => {
                let step = self.int(*step);
                let (a, b) = (self.slot(v, 0), self.slot(v, 1));
                Value { abs: to.clone(), ..self.op(Prim::Tuple, &[&a, &b, &step], Abs::Bottom) }
            }
            (from, to) if to.element().is_some() && differ(from, to) => self.as_list(v, to),
            (Abs::Iter(..), Abs::Record(..)) => self.as_list_iterator(v, to),
            (from, Abs::Record(schema, _)) if from.has_constant_keys() && schema.is_table() => self.as_table(v, to),
            (Abs::Union(_), Abs::Union(_)) if !differ(&v.abs, to) => Value { abs: to.clone(), node: v.node },
            (_, Abs::Union(_)) => self.as_union(v, to),
            (Abs::Record(..), Abs::Boxed(boxed)) => self.as_boxed(v, boxed),
            (Abs::Tuple(from, _), Abs::Tuple(target, _))
            | (Abs::Iter(from, _), Abs::Iter(target, _))
            | (Abs::Record(_, from), Abs::Record(_, target))
                if from.iter().zip(target.iter()).any(|(a, b)| differ(a, b)) =>
            {
                let mut items = Vec::with_capacity(target.len());
                for (i, to) in target.iter().enumerate() {
                    let field = self.field(v, i);
                    items.push(self.coerce(&field, to));
                }
                Value { abs: to.clone(), ..self.tuple(&items) }
            }
            _ => Value { abs: to.clone(), node: v.node },
        }
    }

    pub(super) fn floating(&mut self, v: &Value) -> Value {
        match v.abs {
            Abs::F64(_) => v.clone(),
            // A larger one need not be a float.
            Abs::I64(Some(c)) if c.unsigned_abs() <= 1 << f64::MANTISSA_DIGITS => self.float(c as f64),
            Abs::Bool(Some(c)) => self.float(c as i64 as f64),
            _ => self.op(Prim::Float, &[v], Abs::F64(None)),
        }
    }

    /// A number that counts as an integer where it is a boolean.
    pub(super) fn integral(&mut self, v: &Value) -> Value {
        match v.abs {
            Abs::Bool(Some(c)) => self.int(c as i64),
            Abs::Bool(None) => self.op(Prim::Int, &[v], Abs::I64(None)),
            _ => v.clone(),
        }
    }

    /// Numbers as Python's arithmetic sees them: all floats if one is, otherwise integers.
    pub(super) fn promote(&mut self, args: &[Value]) -> Vec<Value> {
        let float = args.iter().any(|v| matches!(v.abs, Abs::F64(_)));
        args.iter().map(|v| if float { self.floating(v) } else { self.integral(v) }).collect()
    }

    /// Applies a primitive of an untyped module.
    pub(super) fn apply(&mut self, prim: Prim, args: &[Value]) -> Result<Value> {
        if let Some(n) = prim.arity()
            && n != args.len()
        {
            let s = if n == 1 { "" } else { "s" };
            return self.refuse(format!("`{}` takes {n} argument{s}, but {} were given", prim.name(), args.len()));
        }
        // What needs a number needs that it is not `None`.
        if !takes_kinds(prim) && args.iter().any(|v| v.abs.present().is_some()) {
            let args: Vec<Value> = args.iter().map(|v| self.present(v)).collect();
            return self.apply(prim, &args);
        }
        let has_array = args.iter().any(|v| v.abs.is_array());
        match prim {
            Prim::Add if matches!((&args[0].abs, &args[1].abs), (Abs::Tuple(..), Abs::Tuple(..))) => {
                self.concat(&args[0], &args[1])
            }
            Prim::Mul
                if args.iter().any(|v| matches!(v.abs, Abs::Tuple(..))) && args.iter().any(|v| matches!(v.abs, Abs::I64(_))) =>
            {
                self.repeat(args)
            }
            Prim::Add | Prim::Mul if args.iter().any(|v| matches!(v.abs, Abs::Str(_))) => self.put_together(prim, args),
            Prim::Max | Prim::Min if args.iter().all(|v| matches!(v.abs, Abs::Tuple(..))) => {
                self.extreme_tuple(prim, &args[0], &args[1])
            }
            Prim::Eq | Prim::Ne | Prim::Lt | Prim::Le | Prim::Gt | Prim::Ge => self.compare(prim, &args[0], &args[1]),
            Prim::Power if has_array => self.power_arrays(&args[0], &args[1]),
            Prim::TrueDiv if has_array => self.elementwise(Prim::Div, args, true),
            // NumPy leaves what is whole as it is.
            Prim::Floor | Prim::Ceil | Prim::Trunc if args[0].abs.as_array().is_some_and(|(dtype, _)| !dtype.is_float()) => {
                Ok(args[0].clone())
            }
            Prim::Abs if matches!(args[0].abs, Abs::Array(DType::Bool, _)) => Ok(args[0].clone()),
            Prim::Float if has_array => self.cast(&args[0], DType::F64),
            Prim::Select if has_array => self.select_arrays(args),
            Prim::BitAnd | Prim::BitOr | Prim::BitXor | Prim::Invert => self.bitwise(prim, args),
            Prim::Lift(_)
            | Prim::ShapeOf
            | Prim::DTypeOf
            | Prim::AsType
            | Prim::AsArray
            | Prim::IsArray
            | Prim::IsTuple
            | Prim::Defines
            | Prim::Constant
            | Prim::Subscripts
            | Prim::Entries
            | Prim::Refuse => self.array_source(prim, args),
            _ if has_array && Ops::is_elementwise(prim) => self.elementwise(prim, args, prim.sig() == Sig::Float),
            Prim::Power => self.power(&args[0], &args[1]),
            Prim::TrueDiv => self.numeric(Prim::Div, prim, args, true),
            Prim::Truth => self.truth(&args[0]),
            Prim::And | Prim::Or | Prim::Not => self.logic(prim, args),
            Prim::Float => self.float_of(&args[0]),
            Prim::TruncInt | Prim::Int => self.int_of(Prim::Trunc, prim, &args[0]),
            Prim::FloorInt => self.int_of(Prim::Floor, prim, &args[0]),
            Prim::CeilInt => self.int_of(Prim::Ceil, prim, &args[0]),
            Prim::RoundInt => self.int_of(Prim::Round, prim, &args[0]),
            Prim::Select => self.select(args),
            Prim::Gradient => self.gradient(&args[0], &args[1]),
            Prim::Store => Ok(Value { abs: contents(), node: NodeId::default() }),
            // Where the variable has no value, the analysis has ended before.
            Prim::Witness => Ok(Value { abs: Abs::I64(None), node: NodeId::default() }),
            Prim::Assigned | Prim::SetStore => Ok(self.none()),
            Prim::NumberOf | Prim::Packed | Prim::Opened => self.mutable(prim, args),
            Prim::VectorAt
            | Prim::VectorWith
            | Prim::VectorMoved
            | Prim::VectorFirst
            | Prim::VectorPart
            | Prim::VectorTangent => Ok(self.vector(prim, args)),
            Prim::AsList | Prim::HasLists => self.list(prim, args),
            Prim::AsTable => self.table_of(args),
            Prim::TableFor => self.table_for(&args[0], &args[1]),
            Prim::Guard => match args[1].abs {
                Abs::Bool(Some(true)) => Ok(args[0].clone()),
                _ => Ok(self.op(Prim::Guard, &[&args[0], &args[1]], args[0].abs.clone())),
            },
            Prim::Index => {
                let [i, length] = [&args[0], &args[1]].map(|v| self.integral(v));
                if !matches!(i.abs, Abs::I64(_)) {
                    return self.refuse(format!("an index must be an int, this is {}", i.abs.a()));
                }
                // Others are a trap where the program runs.
                Ok(match (&i.abs, &length.abs) {
                    (&Abs::I64(Some(i)), &Abs::I64(Some(n))) if (-n..n).contains(&i) => self.int(if i < 0 { i + n } else { i }),
                    _ => self.op(Prim::Index, &[&i, &length], Abs::I64(None)),
                })
            }
            Prim::Print => self.say(prim, args).map(|_| self.none()),
            Prim::Fail => self.say(prim, args),
            Prim::Text => self.text(&args[0], &args[1]),
            Prim::Record => self.record(&args[0], &args[1]),
            Prim::Alike => self.alike(&args[0], &args[1]),
            Prim::FieldsOf => Ok(self.fields_of(&args[0])),
            Prim::IsInstance => self.is_instance(&args[0], &args[1]),
            Prim::NarrowTo => self.narrow_to(&args[0], &args[1]),
            Prim::WithField => self.with_field(&args[0], &args[1], &args[2]),
            Prim::PartOf => Ok(self.part_of(&args[0], &args[1], &args[2])),
            Prim::WholeOf => Ok(self.whole_of(&args[0], &args[1], &args[2])),
            Prim::Attribute => match &args[1].abs {
                Abs::Str(Some(name)) => self.attribute(&args[0], name),
                other => unreachable!("the name of an attribute is a constant, not {other:?}"),
            },
            Prim::Given
            | Prim::Shown
            | Prim::Summed
            | Prim::EnvironmentOf
            | Prim::NoCaptures
            | Prim::Recorded
            | Prim::Bound
            | Prim::Varying
            | Prim::After
            | Prim::Barrier
            | Prim::StopGradient
            | Prim::NestLevel(_) => self.toolbox(prim, args),
            Prim::Host(host) => self.host(host, args),
            Prim::MaskOf => match args[0].abs {
                Abs::Masked(_, shape) => Ok(self.op(Prim::Get(1), &[&args[0]], Abs::Array(DType::Bool, shape))),
                _ => Ok(self.none()),
            },
            Prim::ValuesOf => match args[0].abs {
                Abs::Masked(dtype, shape) => Ok(self.op(Prim::Get(0), &[&args[0]], Abs::Array(dtype, shape))),
                _ => Ok(args[0].clone()),
            },
            Prim::Annotated => self.annotated(&args[0], &args[1]),
            Prim::Differentiable if matches!(args[0].abs, Abs::I64(_)) => Ok(self.floating(&args[0])),
            Prim::Differentiable => Ok(args[0].clone()),
            Prim::Captured => Ok(args[0].clone()),
            Prim::Data => self.data(args),
            _ => match prim.sig() {
                Sig::Float => self.numeric(prim, prim, args, true),
                Sig::Num | Sig::NumTotal => self.numeric(prim, prim, args, false),
                Sig::Int => self.integers(prim, args),
                _ => self.sequence(prim, args),
            },
        }
    }

    /// A primitive on numbers that gives a number; `source` is what the program says.
    fn numeric(&mut self, prim: Prim, source: Prim, args: &[Value], float: bool) -> Result<Value> {
        if !args.iter().all(|v| v.abs.is_number()) {
            return self.unfit(source, args);
        }
        if let ([a, b], Some(connective)) = (args, extreme_of_bools(prim))
            && args.iter().all(|v| matches!(v.abs, Abs::Bool(_)))
        {
            return Ok(self.junction(connective, a, b));
        }
        let args = if float { args.iter().map(|v| self.floating(v)).collect() } else { self.promote(args) };
        let refs: Vec<&Value> = args.iter().collect();
        let abs = args[0].abs.broaden();
        Ok(self.op(prim, &refs, abs))
    }

    pub(super) fn integers(&mut self, prim: Prim, args: &[Value]) -> Result<Value> {
        if !args.iter().all(|v| matches!(v.abs, Abs::I64(_) | Abs::Bool(_))) {
            let name = if matches!(prim, Prim::WrapAdd | Prim::WrapSub) { "range" } else { prim.name() };
            let bad = args.iter().find(|v| !matches!(v.abs, Abs::I64(_) | Abs::Bool(_))).expect("one is not");
            return self.refuse(format!("`{name}` needs ints, this is {}", bad.abs.a()));
        }
        let args = self.promote(args);
        let refs: Vec<&Value> = args.iter().collect();
        Ok(self.op(prim, &refs, Abs::I64(None)))
    }

    /// Operands that a primitive has no meaning for.
    pub(super) fn unfit<T>(&self, prim: Prim, args: &[Value]) -> Result<T> {
        let types: Vec<String> = args.iter().map(|v| v.abs.describe()).collect();
        match (operator(prim), &types[..]) {
            (Some(symbol), [a]) => self.refuse(format!("bad operand type for unary `{symbol}`: {a}")),
            (Some(symbol), [a, b]) => self.refuse(format!("unsupported operand types for `{symbol}`: {a} and {b}")),
            _ => {
                let bad = args.iter().find(|v| !v.abs.is_number()).unwrap_or(&args[0]);
                self.refuse(format!("`{}` needs a number, this is {}", prim.name(), bad.abs.a()))
            }
        }
    }

    /// Python's `**`. A literal exponent up to 64 is repeated squaring, by the plan of the run-time loop.
    fn power(&mut self, base: &Value, exponent: &Value) -> Result<Value> {
        if !base.abs.is_number() || !exponent.abs.is_number() {
            return self.unfit(Prim::Power, &[base.clone(), exponent.clone()]);
        }
        let (base, exponent) = (self.integral(base), self.integral(exponent));
        match (&base.abs, &exponent.abs) {
            (_, Abs::F64(_)) => {
                let base = self.floating(&base);
                Ok(self.op(Prim::Pow, &[&base, &exponent], Abs::F64(None)))
            }
            (Abs::F64(_), &Abs::I64(Some(n))) if n.unsigned_abs() <= 64 => self.literal_power(&base, n),
            (Abs::F64(_), _) => Ok(self.op(Prim::Powi, &[&base, &exponent], Abs::F64(None))),
            (_, &Abs::I64(Some(n))) if n < 0 => {
                let base = self.floating(&base);
                if n >= -64 {
                    return self.literal_power(&base, n);
                }
                Ok(self.op(Prim::Powi, &[&base, &exponent], Abs::F64(None)))
            }
            (_, &Abs::I64(Some(n))) if n <= 64 => self.literal_power(&base, n),
            _ => Ok(self.op(Prim::Ipow, &[&base, &exponent], Abs::I64(None))),
        }
    }

    /// A number, or the elements of an array, to the power of a constant.
    pub(super) fn literal_power(&mut self, base: &Value, n: i64) -> Result<Value> {
        let (dtype, shape) = base.abs.as_array().expect("numbers have powers");
        let one = if dtype.is_float() { self.float(1.0) } else { self.int(1) };
        if n == 0 {
            let ones = self.broadcast(&one, shape)?;
            return self.cast(&ones, dtype);
        }
        let abs = base.abs.broaden();
        let mut power = base.clone();
        for multiply in eval::powi_steps(n.unsigned_abs()) {
            power = self.op(Prim::Mul, &[&power, &power], abs.clone());
            if multiply {
                power = self.op(Prim::Mul, &[&power, base], abs.clone());
            }
        }
        if n > 0 {
            return Ok(power);
        }
        let ones = self.broadcast(&one, shape)?;
        let ones = if shape.is_empty() { ones } else { self.cast(&ones, dtype)? };
        Ok(self.op(Prim::Div, &[&ones, &power], abs))
    }

    fn float_of(&mut self, v: &Value) -> Result<Value> {
        if let Abs::Str(Some(text)) = &v.abs {
            return match text.trim().replace('_', "").parse() {
                Ok(number) => Ok(self.float(number)),
                Err(_) => self.refuse(format!("the text {} is no float", quoted(text))),
            };
        }
        if !v.abs.is_number() {
            return self.refuse(format!("`float` needs a number, this is {}", v.abs.a()));
        }
        Ok(self.floating(v))
    }

    /// A number as an integer, a float after rounding.
    fn int_of(&mut self, rounding: Prim, source: Prim, v: &Value) -> Result<Value> {
        match &v.abs {
            Abs::Str(Some(text)) if source == Prim::TruncInt => match text.trim().replace('_', "").parse() {
                Ok(number) => Ok(self.int(number)),
                Err(_) => self.refuse(format!("the text {} is no int", quoted(text))),
            },
            Abs::F64(_) => {
                // The conversion itself truncates.
                let whole = if rounding == Prim::Trunc { v.clone() } else { self.op(rounding, &[v], Abs::F64(None)) };
                Ok(self.op(Prim::Int, &[&whole], Abs::I64(None)))
            }
            Abs::I64(_) | Abs::Bool(_) => Ok(self.integral(v)),
            _ => {
                let name = if source == Prim::TruncInt { "int" } else { rounding.name() };
                self.refuse(format!("`{name}` needs a number, this is {}", v.abs.a()))
            }
        }
    }

    /// A value of the type that an annotation names. As in CPython, any number will do for any other.
    fn annotated(&mut self, v: &Value, annotation: &Value) -> Result<Value> {
        let Abs::Str(Some(name)) = &annotation.abs else { unreachable!("an annotation is a string constant") };
        let fits = match &**name {
            "float" | "int" | "bool" => v.abs.is_number(),
            "str" => matches!(v.abs, Abs::Str(_)),
            "None" => v.abs == Abs::None,
            "number" if !v.abs.is_array() => true,
            "number" => {
                let what = "this shares memory with an array that functions inside of this one write to";
                return self.refuse(what).map_err(|d| d.hint("make it a copy: `.copy()`"));
            }
            other => unreachable!("the annotation `{other}`"),
        };
        if !fits {
            return self.refuse(format!("the annotation says {name}, this is {}", v.abs.a()));
        }
        Ok(v.clone())
    }

    fn data(&mut self, args: &[Value]) -> Result<Value> {
        let mut functions = Vec::new();
        args[0].abs.closures(&mut functions);
        if functions.is_empty() {
            return Ok(args[0].clone());
        }
        let [Abs::Str(Some(name)), Abs::I64(Some(start)), Abs::I64(Some(end))] = [&args[1].abs, &args[2].abs, &args[3].abs]
        else {
            unreachable!("the operands of `data` are constants")
        };
        Err(Diagnostic::stale_capture(self.span, name, Span::new(*start as u32, *end as u32)))
    }

    fn select(&mut self, args: &[Value]) -> Result<Value> {
        let condition = self.truth(&args[0])?;
        let Ok(abs) = args[1].abs.join(&args[2].abs, self.classes) else {
            let [a, b] = args[1].abs.told_apart(&args[2].abs);
            return self.refuse(format!("the values to select from are {a} and {b}"));
        };
        let abs = abs.broaden();
        let (a, b) = (self.coerce(&args[1], &abs), self.coerce(&args[2], &abs));
        Ok(self.op(Prim::Select, &[&condition, &a, &b], abs))
    }
}

/// Where a dict has the keys of another, which are in another order there.
fn other_order(to: &Schema, from: &Schema) -> Option<Vec<usize>> {
    if to == from { None } else { to.places_in(from) }
}

/// Whether a primitive takes values of several kinds as they are.
fn takes_kinds(prim: Prim) -> bool {
    matches!(
        prim,
        Prim::Tuple
            | Prim::Assigned
            | Prim::Packed
            | Prim::AsList
            | Prim::AsTable
            | Prim::TableFor
            | Prim::VectorWith
            | Prim::Append
            | Prim::Print
            | Prim::Fail
            | Prim::Text
            | Prim::Select
            | Prim::Eq
            | Prim::Ne
            | Prim::Truth
            | Prim::And
            | Prim::Or
            | Prim::Not
            | Prim::Record
            | Prim::Alike
            | Prim::Attribute
            | Prim::IsInstance
            | Prim::NarrowTo
            | Prim::PartOf
            | Prim::WholeOf
            | Prim::Gradient
            | Prim::Shown
            | Prim::Given
            | Prim::Varying
            | Prim::After
            | Prim::SetItem
            | Prim::ItemValue
            | Prim::UpdateItem
            | Prim::Annotated
            | Prim::Differentiable
            | Prim::Captured
            | Prim::Data
    )
}

/// What the smaller or the larger of two booleans is.
fn extreme_of_bools(prim: Prim) -> Option<Prim> {
    match prim {
        Prim::Min | Prim::Minimum => Some(Prim::And),
        Prim::Max | Prim::Maximum => Some(Prim::Or),
        _ => None,
    }
}

/// How Python writes the operator.
fn operator(prim: Prim) -> Option<&'static str> {
    Some(match prim {
        Prim::Add => "+",
        Prim::Sub | Prim::Neg => "-",
        Prim::Mul => "*",
        Prim::TrueDiv => "/",
        Prim::FloorDiv => "//",
        Prim::Mod => "%",
        Prim::Power => "**",
        Prim::BitAnd => "&",
        Prim::BitOr => "|",
        Prim::BitXor => "^",
        Prim::Invert => "~",
        Prim::Lt => "<",
        Prim::Le => "<=",
        Prim::Gt => ">",
        Prim::Ge => ">=",
        Prim::Eq => "==",
        Prim::Ne => "!=",
        _ => return None,
    })
}

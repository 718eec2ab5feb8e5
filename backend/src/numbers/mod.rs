//! Programs over other numbers than floats: what such numbers must provide, and the arithmetic of the interpreter over them.
//!
//! Floats are total, so the simplifier may compute a float that nobody needs. What is no number (an exact quotient by zero, the
//! exponential of a fraction) is therefore a value, too: the reason why there is none, which every result computed from it
//! inherits, and which ends the run where it is looked at: by a comparison, a conversion to an integer, or as a result.

mod arrays;
mod linear;

use crate::arrays::{Operand, Storage};
use crate::error::{Failure, RunError};
use crate::interp::{Arithmetic, ArrayNode, Val};
use crate::memory;
use crate::usage::Usage;
use gradus_ir::eval::{self, Scalar};
use gradus_ir::{Array, DType, Diagnostic, Dims, Elements, Number, Prim, Span, Trap, TrapKind, Type};
use smallvec::SmallVec;
use std::cmp::Ordering;
use std::fmt::Debug;
use std::rc::Rc;

use arrays::Items;

/// Numbers that can stand in the place of floats.
pub trait Numbers: Debug {
    /// A number; cheap to copy.
    type Number: Number;

    /// What messages call them, in the plural.
    const NAME: &'static str;

    /// What to do where something has no value among them.
    const HINT: Option<&'static str> = None;

    /// The number that a literal stands for: the shortest decimal nearest to these bits.
    fn literal(&self, v: f64) -> Result<Self::Number, Undefined>;

    /// The number that an integer is.
    fn integer(&self, v: i64) -> Self::Number;

    /// The integer that is next toward zero; none outside of 64 bits.
    fn to_integer(&self, a: &Self::Number) -> Option<i64>;

    /// The order of two numbers; none if there is a NaN among them.
    fn compare(&self, a: &Self::Number, b: &Self::Number) -> Option<Ordering>;

    /// A primitive from numbers to a number; none if these numbers have no own way to do it. `add sub mul div neg floor ceil round
    /// trunc` they must have, and for others there are definitions in terms of these, of [`Numbers::compare`] and of elementary
    /// functions.
    fn apply(&self, prim: Prim, operands: &[&Self::Number]) -> Option<Result<Self::Number, Undefined>>;
}

/// Why there is no number.
#[derive(Clone, PartialEq, Debug)]
pub enum Undefined {
    /// The program fails.
    Trap(TrapKind),
    /// There is no such number.
    Refused(String),
}

impl Undefined {
    fn at<S: Numbers>(self, span: Span) -> Rc<RunError> {
        Rc::new(match self {
            Undefined::Trap(kind) => Trap { kind, span }.into(),
            Undefined::Refused(message) => {
                let hint = S::HINT.map(str::to_owned);
                RunError::Refused(Box::new(Diagnostic { hint, ..Diagnostic::refused(span, message) }))
            }
        })
    }
}

/// A number, or what there is in its place.
pub(crate) type Partial<N> = Result<N, Missing>;

/// What there is in the place of a number.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Missing {
    /// Why there is none.
    Reason(Rc<RunError>),
    /// A literal of the program that is none of these numbers, as infinity is no fraction: others can be compared with it.
    Literal(f64),
}

/// The arithmetic of the interpreter over some numbers.
#[derive(Debug)]
pub(crate) struct Over<'a, S>(pub &'a S);

impl<S> Clone for Over<'_, S> {
    fn clone(&self) -> Self {
        Over(self.0)
    }
}

/// Whether there is memory for an array of this shape.
fn fits<S: Numbers>(shape: Dims) -> bool {
    memory::fits(shape.count().saturating_mul(size_of::<Scalar<Partial<S::Number>>>()))
}

fn internal(message: &str) -> RunError {
    RunError::Internal { message: message.into() }
}

impl<S: Numbers> Over<'_, S> {
    /// A primitive from floats to a float.
    fn float(&self, prim: Prim, operands: &[&Partial<S::Number>], span: Span) -> Partial<S::Number> {
        if let (Prim::Mul0 | Prim::Div0, [Ok(a), _]) = (prim, operands)
            && self.0.compare(a, &self.0.integer(0)) == Some(Ordering::Equal)
        {
            return Ok(a.clone());
        }
        if let (Prim::Mul0, [_, Ok(b)]) = (prim, operands)
            && self.0.compare(b, &self.0.integer(0)) == Some(Ordering::Equal)
        {
            return Ok(b.clone());
        }
        if operands.iter().any(|operand| matches!(operand, Err(Missing::Literal(_))))
            && let Some(result) = self.beyond(prim, operands, span)
        {
            return result;
        }
        let known: Partial<SmallVec<[&S::Number; 3]>> = operands.iter().map(|operand| self.known(operand, span)).collect();
        self.total(prim, &known?).map_err(|reason| Missing::Reason(reason.at::<S>(span)))
    }

    /// What can be said of literals that are none of these numbers: which of two numbers is the smaller one.
    fn beyond(&self, prim: Prim, operands: &[&Partial<S::Number>], span: Span) -> Option<Partial<S::Number>> {
        let order = |a, b| self.relation(a, b, span).map_err(|reason| Missing::Reason(Rc::new(reason)));
        let chosen = |is: Ordering, propagates: bool| {
            let (a, b) = (operands[0], operands[1]);
            let is_first = match order(a, b)? {
                Some(found) => found == is || found == Ordering::Equal,
                None => !propagates || order(a, a)?.is_none(),
            };
            if is_first { a.clone() } else { b.clone() }
        };
        Some(match (prim, operands) {
            (Prim::Neg, [Err(Missing::Literal(v))]) => Err(Missing::Literal(-v)),
            (Prim::Abs, [Err(Missing::Literal(v))]) => Err(Missing::Literal(v.abs())),
            (Prim::Min, _) => chosen(Ordering::Less, false),
            (Prim::Max, _) => chosen(Ordering::Greater, false),
            (Prim::Minimum, _) => chosen(Ordering::Less, true),
            (Prim::Maximum, _) => chosen(Ordering::Greater, true),
            _ => return None,
        })
    }

    /// The number that an operand is, if it is one.
    fn known<'n>(&self, number: &'n Partial<S::Number>, span: Span) -> Result<&'n S::Number, Missing> {
        number.as_ref().map_err(|missing| Missing::Reason(self.reason(missing, span)))
    }

    /// Why something that is used here is no number.
    fn reason(&self, missing: &Missing, span: Span) -> Rc<RunError> {
        match missing {
            Missing::Reason(reason) => reason.clone(),
            Missing::Literal(v) => match self.0.literal(*v) {
                Err(reason) => reason.at::<S>(span),
                Ok(_) => Rc::new(internal("a literal is no number, and one")),
            },
        }
    }

    /// A primitive on numbers: their own way, or a definition in terms of others.
    fn total(&self, prim: Prim, operands: &[&S::Number]) -> Result<S::Number, Undefined> {
        let numbers = self.0;
        if let Some(result) = numbers.apply(prim, operands) {
            return result;
        }
        let is = |a: &S::Number, order: Ordering, b: &S::Number| numbers.compare(a, b) == Some(order);
        let is_negative = |a: &S::Number| is(a, Ordering::Less, &numbers.integer(0));
        let is_nan = |a: &S::Number| numbers.compare(a, a).is_none();
        let unary = |prim: Prim, a: &S::Number| self.total(prim, &[a]);
        let binary = |prim: Prim, a: &S::Number, b: &S::Number| self.total(prim, &[a, b]);
        Ok(match (prim, operands) {
            (Prim::Widen, &[a]) => a.clone(),
            (Prim::Mul0, &[a, b]) => binary(Prim::Mul, a, b)?,
            (Prim::Div0, &[a, b]) => binary(Prim::Div, a, b)?,
            (Prim::Fma, &[a, b, c]) => binary(Prim::Add, &binary(Prim::Mul, a, b)?, c)?,
            (Prim::Min, &[a, b]) => if is(b, Ordering::Less, a) { b } else { a }.clone(),
            (Prim::Max, &[a, b]) => if is(b, Ordering::Greater, a) { b } else { a }.clone(),
            (Prim::Minimum, &[a, b]) => if is_nan(a) || is(a, Ordering::Less, b) { a } else { b }.clone(),
            (Prim::Maximum, &[a, b]) => if is_nan(a) || is(a, Ordering::Greater, b) { a } else { b }.clone(),
            (Prim::Abs, &[a]) if is_negative(a) => unary(Prim::Neg, a)?,
            (Prim::Abs, &[a]) => a.clone(),
            (Prim::Sign, &[a]) => match numbers.compare(a, &numbers.integer(0)) {
                Some(order) => numbers.integer(order as i64),
                None => a.clone(),
            },
            (Prim::Copysign, &[a, b]) if is_negative(a) != is_negative(b) => unary(Prim::Neg, a)?,
            (Prim::Copysign, &[a, _]) => a.clone(),
            (Prim::FloorDiv, &[a, b]) => unary(Prim::Floor, &binary(Prim::Div, a, b)?)?,
            (Prim::Mod, &[a, b]) => binary(Prim::Sub, a, &binary(Prim::Mul, b, &binary(Prim::FloorDiv, a, b)?)?)?,
            (Prim::Rem, &[a, b]) => {
                let quotient = unary(Prim::Trunc, &binary(Prim::Div, a, b)?)?;
                binary(Prim::Sub, a, &binary(Prim::Mul, b, &quotient)?)?
            }
            (Prim::Hypot, &[a, b]) => {
                unary(Prim::Sqrt, &binary(Prim::Add, &binary(Prim::Mul, a, a)?, &binary(Prim::Mul, b, b)?)?)?
            }
            _ => {
                return Err(Undefined::Refused(format!("`{}` has no value among {}", prim.name(), S::NAME)));
            }
        })
    }

    /// `a ** n` by repeated squaring.
    fn power(&self, a: &S::Number, n: i64) -> Result<S::Number, Undefined> {
        let one = self.0.integer(1);
        if n == 0 {
            return Ok(one);
        }
        let mut power = a.clone();
        for multiply in eval::powi_steps(n.unsigned_abs()) {
            power = self.total(Prim::Mul, &[&power, &power])?;
            if multiply {
                power = self.total(Prim::Mul, &[&power, a])?;
            }
        }
        if n < 0 { self.total(Prim::Div, &[&one, &power]) } else { Ok(power) }
    }

    /// A comparison, which looks at the numbers.
    fn compare(&self, prim: Prim, a: &Partial<S::Number>, b: &Partial<S::Number>, span: Span) -> Result<bool, RunError> {
        let order = self.relation(a, b, span)?;
        Ok(match prim {
            Prim::Lt => order == Some(Ordering::Less),
            Prim::Le => matches!(order, Some(Ordering::Less | Ordering::Equal)),
            Prim::Gt => order == Some(Ordering::Greater),
            Prim::Ge => matches!(order, Some(Ordering::Greater | Ordering::Equal)),
            Prim::Eq => order == Some(Ordering::Equal),
            _ => order != Some(Ordering::Equal),
        })
    }

    /// The order of two numbers, each of which may be an infinity that these numbers do not have; none if there is a NaN.
    fn relation(&self, a: &Partial<S::Number>, b: &Partial<S::Number>, span: Span) -> Result<Option<Ordering>, RunError> {
        // Where it is beside an infinity, any number is like zero.
        Ok(match (a, b) {
            (Err(Missing::Literal(a)), Err(Missing::Literal(b))) => a.partial_cmp(b),
            (Err(Missing::Literal(a)), b) => self.look(b, span).map(|_| a.partial_cmp(&0.0))?,
            (a, Err(Missing::Literal(b))) => self.look(a, span).map(|_| 0.0.partial_cmp(b))?,
            _ => self.0.compare(self.look(a, span)?, self.look(b, span)?),
        })
    }

    /// The number, which must be one.
    fn look<'n>(&self, number: &'n Partial<S::Number>, span: Span) -> Result<&'n S::Number, RunError> {
        number.as_ref().map_err(|missing| (*self.reason(missing, span)).clone())
    }

    /// The elements that an operand has.
    fn items(&self, operand: Val<Self>) -> Result<Rc<Items<S::Number>>, RunError> {
        match operand {
            Val::Array(items) => Ok(items),
            scalar => match scalar.as_scalar() {
                Some(scalar) => Ok(Rc::new(Items { dtype: None, shape: Dims::NONE, items: vec![scalar] })),
                None => Err(internal("operands of an operation on arrays are arrays and scalars")),
            },
        }
    }

    /// An operation between integers and booleans: the one that there is where floats are floats.
    fn discrete(&self, node: &ArrayNode, operands: &[Rc<Items<S::Number>>], span: Span) -> Result<Val<Self>, RunError> {
        let unfit = || internal("operands of an operation on arrays have its types");
        let mut storages = Vec::with_capacity(operands.len());
        for operand in operands {
            storages.push(operand.storage().ok_or_else(unfit)?);
        }
        let (dtype, shape) = node.ty.as_array().ok_or_else(unfit)?;
        let mut result = match storages.first() {
            Some(first) if node.operation.updates => first.copied(),
            _ => Storage::new(dtype, shape),
        }
        .ok_or_else(|| RunError::no_memory(span))?;
        let inputs: Option<Vec<Operand<'_>>> = storages
            .iter()
            .enumerate()
            .map(|(i, storage)| match storage.scalar() {
                _ if node.operation.updates && i == 0 => Some(Operand::Result),
                Some(scalar) => Some(Operand::Scalar(scalar)),
                None => Some(Operand::Array(storage)),
            })
            .collect();
        inputs
            .and_then(|inputs| node.operation.apply(&inputs, &mut result))
            .ok_or_else(unfit)?
            .map_err(|kind| Trap { kind, span })?;
        Ok(match result.scalar() {
            Some(Scalar::I64(v)) => Val::I64(v),
            Some(Scalar::Bool(v)) => Val::Bool(v),
            Some(Scalar::F64(_)) => return Err(unfit()),
            None => Val::Array(Rc::new(Items::discrete(&result.export()).ok_or_else(unfit)?)),
        })
    }
}

impl<S: Numbers> Arithmetic for Over<'_, S> {
    type Number = S::Number;
    type Float = Partial<S::Number>;
    type Array = Items<S::Number>;

    fn literal(&self, v: f64) -> Partial<S::Number> {
        self.0.literal(v).map_err(|_| Missing::Literal(v))
    }

    fn integer(&self, v: i64) -> Partial<S::Number> {
        Ok(self.0.integer(v))
    }

    fn zero(&self, dtype: DType, shape: Dims) -> Option<Items<S::Number>> {
        let zero = match dtype {
            DType::F64 | DType::F32 => Scalar::F64(Ok(self.0.integer(0))),
            DType::I64 => Scalar::I64(0),
            DType::Bool => Scalar::Bool(false),
        };
        fits::<S>(shape).then(|| Items { dtype: Some(dtype), shape, items: vec![zero; shape.count()] })
    }

    fn import(&self, number: &S::Number) -> Partial<S::Number> {
        Ok(number.clone())
    }

    fn import_array(&self, array: &Array<S::Number>) -> Items<S::Number> {
        let items = match array.elements() {
            Elements::Bool(v) => v.iter().map(|&v| Scalar::Bool(v)).collect(),
            Elements::I64(v) => v.iter().map(|&v| Scalar::I64(v)).collect(),
            Elements::F32(v) => v.iter().map(|&v| Scalar::F64(self.literal(v.into()))).collect(),
            Elements::F64(v) => v.iter().map(|v| Scalar::F64(Ok(v.clone()))).collect(),
        };
        Items { dtype: Some(array.dtype()), shape: array.shape(), items }
    }

    fn export(&self, float: &Partial<S::Number>) -> Result<S::Number, RunError> {
        self.look(float, Span::NONE).cloned()
    }

    fn export_array(&self, array: &Items<S::Number>) -> Result<Array<S::Number>, RunError> {
        let unfit = || internal("the elements of an array are of its type");
        let elements = match array.dtype {
            Some(DType::F64 | DType::F32) => {
                let floats = array.items.iter().map(|item| match item {
                    Scalar::F64(v) => self.export(v),
                    _ => Err(unfit()),
                });
                Elements::F64(floats.collect::<Result<_, _>>()?)
            }
            Some(DType::I64) => Elements::I64(array.integers().ok_or_else(unfit)?),
            Some(DType::Bool) => Elements::Bool(array.booleans().ok_or_else(unfit)?),
            None => return Err(unfit()),
        };
        Ok(Array::new(array.shape, elements))
    }

    fn bits(&self, _: &Partial<S::Number>) -> Option<u64> {
        None
    }

    fn add(&self, a: &Partial<S::Number>, b: &Partial<S::Number>) -> Partial<S::Number> {
        self.float(Prim::Add, &[a, b], Span::NONE)
    }

    fn add_arrays(&self, a: &Items<S::Number>, b: &Items<S::Number>, _: &mut Usage) -> Result<Items<S::Number>, Failure> {
        if !fits::<S>(a.shape) {
            return Err(Failure::Memory);
        }
        let add = |(a, b): (&Scalar<_>, &Scalar<_>)| self.scalar(Prim::Add, &[a.clone(), b.clone()], Span::NONE)?.ok();
        let items = a.items.iter().zip(&b.items).map(add).collect::<Option<_>>().ok_or(Failure::Shape)?;
        if a.shape == b.shape { Ok(Items { dtype: a.dtype, shape: a.shape, items }) } else { Err(Failure::Shape) }
    }

    fn scalar(
        &self,
        prim: Prim,
        operands: &[Scalar<Partial<S::Number>>],
        span: Span,
    ) -> Option<Result<Scalar<Partial<S::Number>>, RunError>> {
        use Scalar::{Bool, F64, I64};
        Some(match (prim, operands) {
            (Prim::Float, &[I64(v)]) => Ok(F64(Ok(self.0.integer(v)))),
            (Prim::Float, &[Bool(v)]) => Ok(F64(Ok(self.0.integer(v.into())))),
            (Prim::Int, [F64(a)]) => self.look(a, span).and_then(|a| {
                let failed = Trap { kind: TrapKind::FloatToInt, span };
                self.0.to_integer(a).map(I64).ok_or(failed.into())
            }),
            (Prim::Lt | Prim::Le | Prim::Gt | Prim::Ge | Prim::Eq | Prim::Ne, [F64(a), F64(b)]) => {
                self.compare(prim, a, b, span).map(Bool)
            }
            (Prim::Powi, [F64(a), I64(n)]) => {
                let power = |a: &S::Number| self.power(a, *n).map_err(|reason| Missing::Reason(reason.at::<S>(span)));
                Ok(F64(self.known(a, span).and_then(power)))
            }
            (Prim::Select, [Bool(c), a, b]) => Ok(if *c { a.clone() } else { b.clone() }),
            (_, [F64(_), ..]) => {
                let floats: SmallVec<[&Partial<S::Number>; 3]> =
                    operands.iter().map(|operand| if let F64(v) = operand { Some(v) } else { None }).collect::<Option<_>>()?;
                Ok(F64(self.float(prim, &floats, span)))
            }
            _ => return Some(eval::eval_discrete(prim, operands)?.map_err(|kind| Trap { kind, span }.into())),
        })
    }

    fn array(&self, node: &ArrayNode, operands: Vec<Val<Self>>, span: Span, usage: &mut Usage) -> Result<Val<Self>, RunError> {
        let operands = operands.into_iter().map(|operand| self.items(operand)).collect::<Result<Vec<_>, _>>()?;
        let has_floats = |ty: &Type| ty.dtype().is_some_and(DType::is_float);
        if !has_floats(&node.ty) && !node.operation.operands.iter().any(has_floats) {
            return self.discrete(node, &operands, span);
        }
        if node.ty.as_array().is_some_and(|(_, shape)| !fits::<S>(shape)) {
            return Err(RunError::no_memory(span));
        }
        let result = self.operation(node.prim, &node.ty, operands, span)?;
        usage.heap_bytes += size_of_val(&result.items[..]);
        Ok(match result.shape.is_empty() {
            true => result.items.into_iter().next().ok_or_else(|| internal("a scalar is one element"))?.into(),
            false => Val::Array(Rc::new(result)),
        })
    }
}

//! What each primitive means on scalars: one Rust function per primitive.
//!
//! Constant folding, the interpreter and the calls that compiled code makes all use these functions, so every executor gives the
//! same bits. Integers follow Python except that leaving the 64-bit range is a trap; floats follow CPython where it gives a
//! float, and NumPy where CPython raises or goes complex.

use crate::elementary;
use crate::gamma;
use crate::prim::{Prim, Sig};
use crate::span::TrapKind;

/// A scalar value, with `F` for floats.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Scalar<F = f64> {
    /// A float.
    F64(F),
    /// An integer.
    I64(i64),
    /// A boolean.
    Bool(bool),
}

/// What the floats of a module are when it runs.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Floats {
    /// Floats of 64 bits.
    #[default]
    Doubles,
    /// Numbers that the executor chooses, such as fractions. A literal then stands for the shortest decimal that is nearest to its
    /// bits, so no arithmetic is done on literals before the program runs.
    Any,
}

/// A primitive on floats, as a function that compiled code can call.
#[derive(Clone, Copy, Debug)]
pub enum FloatFn {
    /// Of one operand.
    Unary(extern "C" fn(f64) -> f64),
    /// Of two operands.
    Binary(extern "C" fn(f64, f64) -> f64),
    /// Of three operands.
    Ternary(extern "C" fn(f64, f64, f64) -> f64),
}

macro_rules! float_fn {
    ($name:ident $a:ident) => {
        FloatFn::Unary($name)
    };
    ($name:ident $a:ident $b:ident) => {
        FloatFn::Binary($name)
    };
    ($name:ident $a:ident $b:ident $c:ident) => {
        FloatFn::Ternary($name)
    };
}

/// Rows `Prim function(operands) = body`: the function, its row in [`float_fn()`] and its arm of [`eval`].
macro_rules! float_primitives {
    ($( $prim:ident $name:ident($($x:ident),*) = $body:expr; )*) => {
        $(
            #[doc = concat!("[`Prim::", stringify!($prim), "`] on floats.")]
            pub extern "C" fn $name($($x: f64),*) -> f64 {
                $body
            }
        )*

        /// The function of a primitive that takes floats to a float; none for other primitives.
        pub fn float_fn(prim: Prim) -> Option<FloatFn> {
            match prim {
                $( Prim::$prim => Some(float_fn!($name $($x)*)), )*
                _ => None,
            }
        }

        fn eval_float(prim: Prim, operands: &[Scalar]) -> Option<f64> {
            match (prim, operands) {
                $( (Prim::$prim, &[$(Scalar::F64($x)),*]) => Some($name($($x),*)), )*
                _ => None,
            }
        }
    };
}

float_primitives! {
    Add       add(a, b)       = a + b;
    Sub       sub(a, b)       = a - b;
    Mul       mul(a, b)       = a * b;
    Div       div(a, b)       = a / b;
    Neg       neg(a)          = -a;
    FloorDiv  floor_div(a, b) = floor_div_mod(a, b).0;
    Mod       modulo(a, b)    = floor_div_mod(a, b).1;
    Rem       rem(a, b)       = a % b;
    Abs       abs(a)          = a.abs();
    Sign      sign(a)         = if a > 0.0 { 1.0 } else if a < 0.0 { -1.0 } else { a + 0.0 };
    Min       min(a, b)       = if b < a { b } else { a };
    Max       max(a, b)       = if b > a { b } else { a };
    Minimum   minimum(a, b)   = if a <= b || a.is_nan() { a } else { b };
    Maximum   maximum(a, b)   = if a >= b || a.is_nan() { a } else { b };
    Mul0      mul0(a, b)      = if a == 0.0 { a } else if b == 0.0 { b } else { a * b };
    Div0      div0(a, b)      = if a == 0.0 { a } else { a / b };
    Pow       pow(a, b)       = a.powf(b);
    Sqrt      sqrt(a)         = a.sqrt();
    Cbrt      cbrt(a)         = a.cbrt();
    Hypot     hypot(a, b)     = a.hypot(b);
    Exp       exp(a)          = elementary::exp(a);
    Exp2      exp2(a)         = a.exp2();
    Expm1     expm1(a)        = elementary::expm1(a);
    Log       log(a)          = elementary::log(a);
    Log2      log2(a)         = a.log2();
    Log10     log10(a)        = a.log10();
    Log1p     log1p(a)        = elementary::log1p(a);
    Sin       sin(a)          = elementary::sin(a);
    Cos       cos(a)          = elementary::cos(a);
    Tan       tan(a)          = a.tan();
    Asin      asin(a)         = a.asin();
    Acos      acos(a)         = a.acos();
    Atan      atan(a)         = a.atan();
    Atan2     atan2(a, b)     = a.atan2(b);
    Sinh      sinh(a)         = a.sinh();
    Cosh      cosh(a)         = a.cosh();
    Tanh      tanh(a)         = elementary::tanh(a);
    // The standard library computes these three by textbook formulas that cancel near zero.
    Asinh     asinh(a)        = libm::asinh(a);
    Acosh     acosh(a)        = libm::acosh(a);
    Atanh     atanh(a)        = libm::atanh(a);
    // Either form overflows on the other side.
    Sigmoid   sigmoid(a)      = if a >= 0.0 { 1.0 / (1.0 + elementary::exp(-a)) } else { elementary::exp(a) / (1.0 + elementary::exp(a)) };
    Erf       erf(a)          = elementary::erf(a);
    Erfc      erfc(a)         = libm::erfc(a);
    LogAddExp log_add_exp(a, b) = if a == b { a + std::f64::consts::LN_2 } else { maximum(a, b) + log1p(elementary::exp(-(a - b).abs())) };
    Gammaln   gammaln(a)      = libm::lgamma(a);
    Polygamma polygamma(n, a) = gamma::polygamma(n, a);
    Copysign  copysign(a, b)  = a.copysign(b);
    Fma       fma(a, b, c)    = a.mul_add(b, c);
    Floor     floor(a)        = a.floor();
    Ceil      ceil(a)         = a.ceil();
    Round     round(a)        = a.round_ties_even();
    Trunc     trunc(a)        = a.trunc();
}

/// The result of a primitive on scalars, or its trap; none where the primitive is not one on scalars or does not take these.
pub fn eval(prim: Prim, operands: &[Scalar]) -> Option<Result<Scalar, TrapKind>> {
    use Scalar::{Bool, F64, I64};
    if let Some(value) = eval_float(prim, operands) {
        return Some(Ok(F64(value)));
    }
    let total = match (prim, operands) {
        (Prim::Int, &[F64(a)]) => return Some(float_to_int(a).map(I64)),
        (Prim::Float, &[I64(a)]) => F64(a as f64),
        (Prim::Float, &[Bool(a)]) => F64(a.into()),
        (Prim::Narrow, &[F64(a)]) => F64(narrow(a)),
        (Prim::Widen, &[F64(a)]) => F64(a),
        (Prim::Powi, &[F64(a), I64(n)]) => F64(powi(a, n)),
        (Prim::Lt | Prim::Le | Prim::Gt | Prim::Ge | Prim::Eq | Prim::Ne, [F64(a), F64(b)]) => Bool(compare(prim, a, b)),
        _ => return eval_discrete(prim, operands),
    };
    Some(Ok(total))
}

/// The value of a primitive on constants where it is known before the program runs; none if it traps.
pub fn fold(floats: Floats, prim: Prim, operands: &[Scalar]) -> Option<Scalar> {
    /// Integers up to this are floats, and the decimals of these floats.
    const EXACT: u64 = 1 << f64::MANTISSA_DIGITS;
    let is_float = |v: &Scalar| matches!(v, Scalar::F64(_));
    let value = eval(prim, operands)?.ok()?;
    let is_exact = match prim {
        Prim::Float => !matches!(operands, [Scalar::I64(v)] if v.unsigned_abs() > EXACT),
        Prim::Neg | Prim::Select => true,
        _ => prim.sig() == Sig::Compare || !is_float(&value) && !operands.iter().any(is_float),
    };
    (floats == Floats::Doubles || is_exact).then_some(value)
}

/// The part of [`eval`] that does not look at floats, whatever they are: integers, booleans and choices.
pub fn eval_discrete<F: Clone>(prim: Prim, operands: &[Scalar<F>]) -> Option<Result<Scalar<F>, TrapKind>> {
    use Scalar::{Bool, I64};
    let traps = |result: Result<i64, TrapKind>| Some(result.map(I64));
    let total = match (prim, operands) {
        (Prim::Add, &[I64(a), I64(b)]) => return traps(int_add(a, b)),
        (Prim::Sub, &[I64(a), I64(b)]) => return traps(int_sub(a, b)),
        (Prim::Mul, &[I64(a), I64(b)]) => return traps(int_mul(a, b)),
        (Prim::Neg, &[I64(a)]) => return traps(int_neg(a)),
        (Prim::Abs, &[I64(a)]) => return traps(int_abs(a)),
        (Prim::Step, &[I64(a)]) => return traps(if a == 0 { Err(TrapKind::ZeroStep) } else { Ok(a) }),
        (Prim::Index, &[I64(i), I64(len)]) => return traps(index(i, len)),
        (Prim::Below, &[I64(i), I64(len)]) => return traps(below(i, len)),
        (Prim::FloorDiv, &[I64(a), I64(b)]) => return traps(int_floor_div(a, b)),
        (Prim::Mod, &[I64(a), I64(b)]) => return traps(int_mod(a, b)),
        (Prim::Ipow, &[I64(a), I64(b)]) => return traps(int_pow(a, b)),
        (Prim::Int, &[Bool(a)]) => I64(a.into()),
        // The number of a string.
        (Prim::Int, &[I64(a)]) => I64(a),
        (Prim::WrapAdd, &[I64(a), I64(b)]) => I64(a.wrapping_add(b)),
        (Prim::WrapSub, &[I64(a), I64(b)]) => I64(a.wrapping_sub(b)),
        (Prim::WrapMul, &[I64(a), I64(b)]) => I64(a.wrapping_mul(b)),
        (Prim::HighMul, &[I64(a), I64(b)]) => I64(high_mul(a, b)),
        (Prim::ShiftLeft, &[I64(a), I64(b)]) => I64(shift_left(a, b)),
        (Prim::ShiftRight, &[I64(a), I64(b)]) => I64(shift_right(a, b)),
        (Prim::BitAnd, &[I64(a), I64(b)]) => I64(a & b),
        (Prim::BitOr, &[I64(a), I64(b)]) => I64(a | b),
        (Prim::BitXor, &[I64(a), I64(b)]) => I64(a ^ b),
        (Prim::Sign, &[I64(a)]) => I64(a.signum()),
        (Prim::Min | Prim::Minimum, &[I64(a), I64(b)]) => I64(a.min(b)),
        (Prim::Max | Prim::Maximum, &[I64(a), I64(b)]) => I64(a.max(b)),
        (Prim::Lt | Prim::Le | Prim::Gt | Prim::Ge | Prim::Eq | Prim::Ne, [I64(a), I64(b)]) => Bool(compare(prim, a, b)),
        (Prim::Lt | Prim::Le | Prim::Gt | Prim::Ge | Prim::Eq | Prim::Ne, [Bool(a), Bool(b)]) => Bool(compare(prim, a, b)),
        (Prim::And, &[Bool(a), Bool(b)]) => Bool(a && b),
        (Prim::Or, &[Bool(a), Bool(b)]) => Bool(a || b),
        (Prim::Not, &[Bool(a)]) => Bool(!a),
        (Prim::Select, [Bool(c), a, b]) if std::mem::discriminant(a) == std::mem::discriminant(b) => {
            if *c {
                a.clone()
            } else {
                b.clone()
            }
        }
        _ => return None,
    };
    Some(Ok(total))
}

fn compare<T: PartialOrd>(prim: Prim, a: &T, b: &T) -> bool {
    match prim {
        Prim::Lt => a < b,
        Prim::Le => a <= b,
        Prim::Gt => a > b,
        Prim::Ge => a >= b,
        Prim::Eq => a == b,
        _ => a != b,
    }
}

/// Quotient and remainder as in CPython's `float_divmod`; by zero, NumPy's `floor_divide` and `mod`.
fn floor_div_mod(a: f64, b: f64) -> (f64, f64) {
    let mut modulo = a % b;
    if b == 0.0 {
        return (a / b, modulo);
    }
    // The remainder is exact, so this is close to an integer.
    let mut div = (a - modulo) / b;
    if modulo == 0.0 {
        modulo = 0.0_f64.copysign(b);
    } else if (b < 0.0) != (modulo < 0.0) {
        modulo += b;
        div -= 1.0;
    }
    let quotient = if div == 0.0 {
        0.0_f64.copysign(a / b)
    } else {
        let floor = div.floor();
        if div - floor > 0.5 { floor + 1.0 } else { floor }
    };
    (quotient, modulo)
}

/// The plan of a power `x ** n`, n ≥ 1, by repeated squaring: starting from `x`, each step squares, and multiplies by `x` after
/// that where it says `true`. Literal exponents are unrolled by the same plan that [`powi`] runs.
pub fn powi_steps(n: u64) -> impl Iterator<Item = bool> {
    let below_leading_bit = n.checked_ilog2().unwrap_or(0);
    (0..below_leading_bit).rev().map(move |bit| n >> bit & 1 == 1)
}

/// A sine and a cosine.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SinCos(pub f64, pub f64);

/// [`Prim::Sin`] and [`Prim::Cos`] of one number, which together cost little more than one of them.
pub extern "C" fn sin_cos(a: f64) -> SinCos {
    let [sin, cos] = elementary::sin_cos(a);
    SinCos(sin, cos)
}

/// [`Prim::Narrow`]: the number of 32 bits that is nearest. What a primitive gives on elements of 32 bits is what it gives on these
/// numbers as those of 64 bits, narrowed.
pub extern "C" fn narrow(a: f64) -> f64 {
    (a as f32).into()
}

/// [`Prim::Powi`]: `1.0` for n = 0, [`powi_steps`] for n > 0, and `1.0 / powi(a, -n)` for n < 0.
pub extern "C" fn powi(a: f64, n: i64) -> f64 {
    if n == 0 {
        return 1.0;
    }
    let mut power = a;
    for multiply in powi_steps(n.unsigned_abs()) {
        power *= power;
        if multiply {
            power *= a;
        }
    }
    if n < 0 { 1.0 / power } else { power }
}

/// [`Prim::Ipow`], by the same plan.
pub fn int_pow(a: i64, n: i64) -> Result<i64, TrapKind> {
    if n < 0 {
        return Err(TrapKind::NegativeExponent);
    }
    if n == 0 {
        return Ok(1);
    }
    let mut power = a;
    for multiply in powi_steps(n.unsigned_abs()) {
        power = int_mul(power, power)?;
        if multiply {
            power = int_mul(power, a)?;
        }
    }
    Ok(power)
}

fn checked(result: Option<i64>) -> Result<i64, TrapKind> {
    result.ok_or(TrapKind::IntegerOverflow)
}

/// [`Prim::Add`] on integers.
pub fn int_add(a: i64, b: i64) -> Result<i64, TrapKind> {
    checked(a.checked_add(b))
}

/// [`Prim::Sub`] on integers.
pub fn int_sub(a: i64, b: i64) -> Result<i64, TrapKind> {
    checked(a.checked_sub(b))
}

/// [`Prim::Mul`] on integers.
pub fn int_mul(a: i64, b: i64) -> Result<i64, TrapKind> {
    checked(a.checked_mul(b))
}

/// [`Prim::Neg`] on integers.
pub fn int_neg(a: i64) -> Result<i64, TrapKind> {
    checked(a.checked_neg())
}

/// [`Prim::Abs`] on integers.
pub fn int_abs(a: i64) -> Result<i64, TrapKind> {
    checked(a.checked_abs())
}

/// [`Prim::Index`].
pub fn index(i: i64, len: i64) -> Result<i64, TrapKind> {
    below(if i < 0 { i.wrapping_add(len) } else { i }, len)
}

/// [`Prim::Below`]. No length is negative, so one comparison will do.
pub fn below(at: i64, len: i64) -> Result<i64, TrapKind> {
    if at.cast_unsigned() < len.cast_unsigned() { Ok(at) } else { Err(TrapKind::IndexOutOfRange) }
}

/// [`Prim::HighMul`].
pub fn high_mul(a: i64, b: i64) -> i64 {
    let product = u128::from(a.cast_unsigned()) * u128::from(b.cast_unsigned());
    ((product >> 64) as u64).cast_signed()
}

/// [`Prim::ShiftLeft`].
pub fn shift_left(a: i64, b: i64) -> i64 {
    a << (b & 63)
}

/// [`Prim::ShiftRight`].
pub fn shift_right(a: i64, b: i64) -> i64 {
    (a.cast_unsigned() >> (b & 63)).cast_signed()
}

/// [`Prim::FloorDiv`] on integers.
pub fn int_floor_div(a: i64, b: i64) -> Result<i64, TrapKind> {
    if b == 0 {
        return Err(TrapKind::DivisionByZero);
    }
    let quotient = checked(a.checked_div(b))?;
    Ok(if a % b != 0 && (a < 0) != (b < 0) { quotient - 1 } else { quotient })
}

/// [`Prim::Mod`] on integers.
pub fn int_mod(a: i64, b: i64) -> Result<i64, TrapKind> {
    if b == 0 {
        return Err(TrapKind::DivisionByZero);
    }
    let remainder = a.wrapping_rem(b);
    Ok(if remainder != 0 && (remainder < 0) != (b < 0) { remainder + b } else { remainder })
}

/// [`Prim::Int`] of a float.
pub fn float_to_int(a: f64) -> Result<i64, TrapKind> {
    const LIMIT: f64 = 9_223_372_036_854_775_808.0;
    if (-LIMIT..LIMIT).contains(&a) { Ok(a as i64) } else { Err(TrapKind::FloatToInt) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Scalar::{Bool, F64, I64};
    use std::f64::consts::PI;

    #[track_caller]
    fn check(prim: Prim, operands: &[Scalar], expected: Result<Scalar, TrapKind>) {
        let bits = |r: Result<Scalar, TrapKind>| match r {
            Ok(F64(v)) if !v.is_nan() => format!("{:x}", v.to_bits()),
            other => format!("{other:?}"),
        };
        let found = eval(prim, operands).expect("a scalar primitive");
        assert_eq!(bits(found), bits(expected), "{prim:?} {operands:?}: {found:?}, expected {expected:?}");
    }

    #[track_caller]
    fn floats(prim: Prim, operands: &[f64], expected: f64) {
        let operands: Vec<_> = operands.iter().copied().map(F64).collect();
        check(prim, &operands, Ok(F64(expected)));
    }

    #[track_caller]
    fn ints(prim: Prim, operands: &[i64], expected: Result<i64, TrapKind>) {
        let operands: Vec<_> = operands.iter().copied().map(I64).collect();
        check(prim, &operands, expected.map(I64));
    }

    const INF: f64 = f64::INFINITY;
    const NAN: f64 = f64::NAN;

    #[test]
    fn float_division_is_cpythons() {
        for (a, b, div, modulo) in [
            (7.0, 2.0, 3.0, 1.0),
            (-7.0, 2.0, -4.0, 1.0),
            (7.0, -2.0, -4.0, -1.0),
            (-7.0, -2.0, 3.0, -1.0),
            (6.0, -2.0, -3.0, -0.0),
            (0.0, -2.0, -0.0, -0.0),
            (-0.0, 2.0, -0.0, 0.0),
            (1.0, 0.1, 9.0, 0.09999999999999995),
            (-1e-20, 3.0, -1.0, 3.0),
            (1.0, INF, 0.0, 1.0),
            (-1.0, INF, -1.0, INF),
            (INF, 2.0, NAN, NAN),
            (1.0, 0.0, INF, NAN),
            (0.0, 0.0, NAN, NAN),
        ] {
            floats(Prim::FloorDiv, &[a, b], div);
            floats(Prim::Mod, &[a, b], modulo);
        }
        floats(Prim::Rem, &[-7.0, 2.0], -1.0);
    }

    #[test]
    fn integer_division_floors() {
        for (a, b, div, modulo) in [(7, 2, 3, 1), (-7, 2, -4, 1), (7, -2, -4, -1), (-7, -2, 3, -1), (6, -3, -2, 0)] {
            ints(Prim::FloorDiv, &[a, b], Ok(div));
            ints(Prim::Mod, &[a, b], Ok(modulo));
        }
        ints(Prim::FloorDiv, &[1, 0], Err(TrapKind::DivisionByZero));
        ints(Prim::Mod, &[1, 0], Err(TrapKind::DivisionByZero));
        ints(Prim::FloorDiv, &[i64::MIN, -1], Err(TrapKind::IntegerOverflow));
        ints(Prim::Mod, &[i64::MIN, -1], Ok(0));
    }

    #[test]
    fn integers_that_overflow_trap() {
        let overflow = Err(TrapKind::IntegerOverflow);
        ints(Prim::Add, &[i64::MAX, 1], overflow);
        ints(Prim::Sub, &[i64::MIN, 1], overflow);
        ints(Prim::Mul, &[i64::MAX, 2], overflow);
        ints(Prim::Neg, &[i64::MIN], overflow);
        ints(Prim::Abs, &[i64::MIN], overflow);
        ints(Prim::WrapAdd, &[i64::MAX, 1], Ok(i64::MIN));
        ints(Prim::WrapSub, &[i64::MIN, 1], Ok(i64::MAX));
        ints(Prim::WrapMul, &[i64::MAX, 2], Ok(-2));
        ints(Prim::HighMul, &[-1, -1], Ok(-2));
        ints(Prim::HighMul, &[i64::MAX, 2], Ok(0));
        ints(Prim::ShiftLeft, &[3, 63], Ok(i64::MIN));
        ints(Prim::ShiftLeft, &[3, 64], Ok(3));
        ints(Prim::ShiftRight, &[-1, 60], Ok(15));
        ints(Prim::ShiftRight, &[-1, -1], Ok(1));
    }

    #[test]
    fn indices_count_from_either_end() {
        for (i, at) in [(0, 0), (2, 2), (-1, 2), (-3, 0)] {
            ints(Prim::Index, &[i, 3], Ok(at));
        }
        for (i, len) in [(3, 3), (-4, 3), (0, 0), (-1, 0), (i64::MIN, 3), (i64::MAX, 3)] {
            ints(Prim::Index, &[i, len], Err(TrapKind::IndexOutOfRange));
        }
        ints(Prim::Below, &[2, 3], Ok(2));
        ints(Prim::Below, &[3, 3], Err(TrapKind::IndexOutOfRange));
        ints(Prim::Below, &[-1, 3], Err(TrapKind::IndexOutOfRange));
        ints(Prim::Step, &[0], Err(TrapKind::ZeroStep));
        ints(Prim::Step, &[-2], Ok(-2));
    }

    #[test]
    fn minima_and_maxima() {
        floats(Prim::Min, &[NAN, 1.0], NAN);
        floats(Prim::Min, &[1.0, NAN], 1.0);
        floats(Prim::Max, &[0.0, -0.0], 0.0);
        floats(Prim::Max, &[-0.0, 0.0], -0.0);
        floats(Prim::Max, &[1.0, NAN], 1.0);
        floats(Prim::Minimum, &[1.0, NAN], NAN);
        floats(Prim::Maximum, &[NAN, 1.0], NAN);
        floats(Prim::Maximum, &[2.0, 3.0], 3.0);
        floats(Prim::Minimum, &[2.0, 3.0], 2.0);
        ints(Prim::Max, &[2, 3], Ok(3));
    }

    #[test]
    fn strong_products_stop_at_zero() {
        floats(Prim::Mul0, &[-0.0, INF], -0.0);
        floats(Prim::Mul0, &[2.0, 3.0], 6.0);
        floats(Prim::Mul0, &[2.0, INF], INF);
        floats(Prim::Mul0, &[INF, 0.0], 0.0);
        floats(Prim::Mul0, &[f64::NAN, -0.0], -0.0);
        floats(Prim::Div0, &[0.0, 0.0], 0.0);
        floats(Prim::Div0, &[1.0, 0.0], INF);
    }

    #[test]
    fn signs_and_rounding() {
        floats(Prim::Sign, &[-3.0], -1.0);
        floats(Prim::Sign, &[-0.0], 0.0);
        floats(Prim::Sign, &[NAN], NAN);
        ints(Prim::Sign, &[-7], Ok(-1));
        floats(Prim::Round, &[2.5], 2.0);
        floats(Prim::Round, &[-0.5], -0.0);
        floats(Prim::Round, &[3.5], 4.0);
        floats(Prim::Trunc, &[-1.7], -1.0);
    }

    #[test]
    fn powers_by_squaring() {
        let x = 1.1;
        for (n, expected) in [
            (0, 1.0),
            (1, x),
            (2, x * x),
            (3, (x * x) * x),
            (4, (x * x) * (x * x)),
            (5, (x * x) * (x * x) * x),
            (-2, 1.0 / (x * x)),
            (i64::MIN, 0.0),
        ] {
            check(Prim::Powi, &[F64(x), I64(n)], Ok(F64(expected)));
        }
        check(Prim::Powi, &[F64(0.0), I64(-1)], Ok(F64(INF)));
        check(Prim::Powi, &[F64(NAN), I64(0)], Ok(F64(1.0)));
        ints(Prim::Ipow, &[-3, 3], Ok(-27));
        ints(Prim::Ipow, &[2, 62], Ok(1 << 62));
        ints(Prim::Ipow, &[-2, 63], Ok(i64::MIN));
        ints(Prim::Ipow, &[2, 63], Err(TrapKind::IntegerOverflow));
        ints(Prim::Ipow, &[0, 0], Ok(1));
        ints(Prim::Ipow, &[2, -1], Err(TrapKind::NegativeExponent));
        assert_eq!(powi_steps(6).collect::<Vec<_>>(), [true, false]);
        assert_eq!(powi_steps(1).count(), 0);
    }

    #[test]
    fn conversions() {
        check(Prim::Int, &[F64(-3.9)], Ok(I64(-3)));
        check(Prim::Int, &[Bool(true)], Ok(I64(1)));
        check(Prim::Float, &[Bool(true)], Ok(F64(1.0)));
        check(Prim::Float, &[I64(3)], Ok(F64(3.0)));
        for bad in [NAN, INF, -INF, 9_223_372_036_854_775_808.0, -9_223_372_036_854_777_856.0] {
            check(Prim::Int, &[F64(bad)], Err(TrapKind::FloatToInt));
        }
        check(Prim::Int, &[F64(-9_223_372_036_854_775_808.0)], Ok(I64(i64::MIN)));
    }

    #[test]
    fn elementary_functions_at_their_edges() {
        floats(Prim::Sigmoid, &[-800.0], 0.0);
        floats(Prim::Sigmoid, &[800.0], 1.0);
        floats(Prim::Sigmoid, &[0.0], 0.5);
        floats(Prim::Asinh, &[1e-20], 1e-20);
        floats(Prim::Atanh, &[1e-20], 1e-20);
        floats(Prim::Acosh, &[1.0], 0.0);
        floats(Prim::Erf, &[INF], 1.0);
        floats(Prim::Erfc, &[INF], 0.0);
        floats(Prim::Log, &[-1.0], NAN);
        floats(Prim::Pow, &[-8.0, 0.5], NAN);
        floats(Prim::Atan2, &[0.0, -1.0], PI);
        floats(Prim::Fma, &[2.0, 3.0, 4.0], 10.0);
        floats(Prim::Hypot, &[3.0, 4.0], 5.0);
    }

    #[test]
    fn comparisons_and_logic() {
        check(Prim::Lt, &[F64(NAN), F64(1.0)], Ok(Bool(false)));
        check(Prim::Ne, &[F64(NAN), F64(NAN)], Ok(Bool(true)));
        check(Prim::Eq, &[F64(0.0), F64(-0.0)], Ok(Bool(true)));
        check(Prim::Le, &[I64(2), I64(2)], Ok(Bool(true)));
        check(Prim::Gt, &[Bool(true), Bool(false)], Ok(Bool(true)));
        check(Prim::And, &[Bool(true), Bool(false)], Ok(Bool(false)));
        check(Prim::Not, &[Bool(false)], Ok(Bool(true)));
        check(Prim::Select, &[Bool(true), I64(1), I64(2)], Ok(I64(1)));
    }

    #[test]
    fn what_is_not_scalar_has_no_value() {
        assert_eq!(eval(Prim::Add, &[F64(1.0), I64(1)]), None);
        assert_eq!(eval(Prim::Add, &[F64(1.0)]), None);
        assert_eq!(eval(Prim::Tuple, &[F64(1.0)]), None);
        assert_eq!(eval(Prim::Lt, &[F64(1.0), I64(1)]), None);
        assert_eq!(eval(Prim::Select, &[Bool(true), F64(1.0), I64(1)]), None);
    }

    #[test]
    fn every_scalar_signature_has_a_meaning() {
        use crate::prim::Sig;
        for &prim in Prim::TABLE {
            let operand = match prim.sig() {
                Sig::Float | Sig::Num | Sig::NumTotal | Sig::Compare => F64(2.0),
                Sig::Int => I64(2),
                Sig::Bool => Bool(true),
                Sig::Own | Sig::Source => continue,
            };
            let operands = vec![operand; prim.arity().expect("rows have a fixed arity")];
            assert!(eval(prim, &operands).is_some(), "{prim:?} has no meaning on {operand:?}");
            if matches!(prim.sig(), Sig::Num | Sig::NumTotal | Sig::Compare) {
                assert!(eval(prim, &vec![I64(2); operands.len()]).is_some(), "{prim:?} has no meaning on integers");
            }
        }
    }
}

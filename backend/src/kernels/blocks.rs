//! Primitives on blocks of elements: a table with a row for each primitive and type of its operands.
//!
//! A row says of one element what `gradus_ir::eval` says of scalars, but that integers wrap where those trap. The loops around
//! them are for the compiler to vectorise.

use super::isa::{Block, BlockFn, Isa, padded};
use gradus_ir::elementary::{Elementary, Host, sin_cos_formula};
use gradus_ir::{DType, Prim, eval};
use std::f64::consts::LN_2;
use std::marker::PhantomData;
use std::slice::{from_raw_parts, from_raw_parts_mut};

/// A type of elements as they lie in memory.
pub trait Element: Copy + 'static {
    const DTYPE: DType;
}

impl Element for f64 {
    const DTYPE: DType = DType::F64;
}

impl Element for i64 {
    const DTYPE: DType = DType::I64;
}

/// A boolean, 0 or 1; beyond the end of an array stands any byte.
impl Element for u8 {
    const DTYPE: DType = DType::Bool;
}

/// Rows `primitive(operands: types) -> type, how = element`. Elements are computed by `lanes`, in whole vectors, also a few beyond
/// the end; or one by one by `each`, where those beyond the end would cost much.
macro_rules! blocks {
    ($( $prim:ident($($x:ident: $in:ty),*) -> $out:ty, $how:ident = $body:expr; )*) => {
        /// The block function of a primitive on operands of these types, of which those are the same at all points whose bit is set
        /// in `uniform`; and the type of its result.
        pub fn block(prim: Prim, operands: &[DType], uniform: u8, isa: Isa) -> Option<(BlockFn, DType)> {
            let table = match (prim, operands) {
                $(
                    (Prim::$prim, &[$(<$in>::DTYPE),*]) => {
                        struct Row;
                        impl Block for Row {
                            #[inline(always)]
                            unsafe fn run<const FUSED: bool, const UNIFORM: u8>(n: usize, to: *mut u8, from: [*const u8; 3]) {
                                let count = count!($how, n);
                                let mut from = (0..).zip(from);
                                // SAFETY: the caller's promise.
                                $( let $x = unsafe { Operand::<$in>::new(&mut from, count, UNIFORM) }; )*
                                // SAFETY: the caller's promise.
                                let to = unsafe { from_raw_parts_mut(to.cast::<$out>(), count) };
                                for i in 0..count {
                                    $( let $x = $x.at(i); )*
                                    to[i] = $body;
                                }
                            }
                        }
                        (compiled::<Row>([$(stringify!($x)),*].len(), uniform, isa), <$out>::DTYPE)
                    }
                )*
                _ => return special(prim, operands, uniform, isa),
            };
            Some(table)
        }
    };
}

macro_rules! count {
    (lanes, $n:expr) => {
        padded($n)
    };
    (each, $n:expr) => {
        $n
    };
}

/// An operand of a block.
enum Operand<'a, T> {
    Array(&'a [T]),
    Uniform(T),
}

impl<T: Element> Operand<'_, T> {
    /// The next operand.
    ///
    /// # Safety
    /// It is readable for `n` elements, or for one if it is uniform.
    #[inline(always)]
    unsafe fn new(from: &mut impl Iterator<Item = (u8, *const u8)>, n: usize, uniform: u8) -> Self {
        let (place, at) = from.next().expect("no block has more than three operands");
        let at = at.cast::<T>();
        // SAFETY: the caller's promise.
        unsafe { if uniform >> place & 1 == 1 { Operand::Uniform(*at) } else { Operand::Array(from_raw_parts(at, n)) } }
    }

    #[inline(always)]
    fn at(&self, i: usize) -> T {
        match *self {
            Operand::Array(elements) => elements[i],
            Operand::Uniform(v) => v,
        }
    }
}

/// A block function for operands of which some are uniform, not all.
fn compiled<B: Block>(operands: usize, uniform: u8, isa: Isa) -> BlockFn {
    match (operands, uniform) {
        (2 | 3, 0b001) => isa.compiled_for::<B, 0b001>(),
        (2 | 3, 0b010) => isa.compiled_for::<B, 0b010>(),
        (3, 0b100) => isa.compiled_for::<B, 0b100>(),
        (3, 0b011) => isa.compiled_for::<B, 0b011>(),
        (3, 0b101) => isa.compiled_for::<B, 0b101>(),
        (3, 0b110) => isa.compiled_for::<B, 0b110>(),
        _ => isa.compiled::<B>(),
    }
}

blocks! {
    Add(a: f64, b: f64) -> f64, lanes = a + b;
    Sub(a: f64, b: f64) -> f64, lanes = a - b;
    Mul(a: f64, b: f64) -> f64, lanes = a * b;
    Div(a: f64, b: f64) -> f64, lanes = a / b;
    Neg(a: f64) -> f64, lanes = -a;
    Abs(a: f64) -> f64, lanes = a.abs();
    Sign(a: f64) -> f64, lanes = if a > 0.0 { 1.0 } else if a < 0.0 { -1.0 } else { a + 0.0 };
    Min(a: f64, b: f64) -> f64, lanes = if b < a { b } else { a };
    Max(a: f64, b: f64) -> f64, lanes = if b > a { b } else { a };
    Minimum(a: f64, b: f64) -> f64, lanes = if a <= b || a.is_nan() { a } else { b };
    Maximum(a: f64, b: f64) -> f64, lanes = if a >= b || a.is_nan() { a } else { b };
    Mul0(a: f64, b: f64) -> f64, lanes = if a == 0.0 { a } else if b == 0.0 { b } else { a * b };
    Div0(a: f64, b: f64) -> f64, lanes = if a == 0.0 { a } else { a / b };
    Sqrt(a: f64) -> f64, lanes = a.sqrt();
    Copysign(a: f64, b: f64) -> f64, lanes = a.copysign(b);
    Fma(a: f64, b: f64, c: f64) -> f64, lanes = a.mul_add(b, c);
    Floor(a: f64) -> f64, lanes = a.floor();
    Ceil(a: f64) -> f64, lanes = a.ceil();
    Round(a: f64) -> f64, lanes = a.round_ties_even();
    Trunc(a: f64) -> f64, lanes = a.trunc();
    FloorDiv(a: f64, b: f64) -> f64, each = eval::floor_div(a, b);
    Mod(a: f64, b: f64) -> f64, each = eval::modulo(a, b);
    Rem(a: f64, b: f64) -> f64, each = eval::rem(a, b);
    Pow(a: f64, b: f64) -> f64, each = eval::pow(a, b);
    Cbrt(a: f64) -> f64, each = eval::cbrt(a);
    Hypot(a: f64, b: f64) -> f64, each = eval::hypot(a, b);
    Exp2(a: f64) -> f64, each = eval::exp2(a);
    Log2(a: f64) -> f64, each = eval::log2(a);
    Log10(a: f64) -> f64, each = eval::log10(a);
    Tan(a: f64) -> f64, each = eval::tan(a);
    Asin(a: f64) -> f64, each = eval::asin(a);
    Acos(a: f64) -> f64, each = eval::acos(a);
    Atan(a: f64) -> f64, each = eval::atan(a);
    Atan2(a: f64, b: f64) -> f64, each = eval::atan2(a, b);
    Sinh(a: f64) -> f64, each = eval::sinh(a);
    Cosh(a: f64) -> f64, each = eval::cosh(a);
    Asinh(a: f64) -> f64, each = eval::asinh(a);
    Acosh(a: f64) -> f64, each = eval::acosh(a);
    Atanh(a: f64) -> f64, each = eval::atanh(a);
    Erfc(a: f64) -> f64, each = eval::erfc(a);
    Gammaln(a: f64) -> f64, each = eval::gammaln(a);
    Polygamma(n: f64, a: f64) -> f64, each = eval::polygamma(n, a);

    Add(a: i64, b: i64) -> i64, lanes = a.wrapping_add(b);
    Sub(a: i64, b: i64) -> i64, lanes = a.wrapping_sub(b);
    Mul(a: i64, b: i64) -> i64, lanes = a.wrapping_mul(b);
    WrapAdd(a: i64, b: i64) -> i64, lanes = a.wrapping_add(b);
    WrapSub(a: i64, b: i64) -> i64, lanes = a.wrapping_sub(b);
    WrapMul(a: i64, b: i64) -> i64, lanes = a.wrapping_mul(b);
    HighMul(a: i64, b: i64) -> i64, each = eval::high_mul(a, b);
    ShiftLeft(a: i64, b: i64) -> i64, lanes = eval::shift_left(a, b);
    ShiftRight(a: i64, b: i64) -> i64, lanes = eval::shift_right(a, b);
    BitAnd(a: i64, b: i64) -> i64, lanes = a & b;
    BitOr(a: i64, b: i64) -> i64, lanes = a | b;
    BitXor(a: i64, b: i64) -> i64, lanes = a ^ b;
    Neg(a: i64) -> i64, lanes = a.wrapping_neg();
    Abs(a: i64) -> i64, lanes = a.wrapping_abs();
    Sign(a: i64) -> i64, lanes = i64::from(a > 0) - i64::from(a < 0);
    Min(a: i64, b: i64) -> i64, lanes = a.min(b);
    Max(a: i64, b: i64) -> i64, lanes = a.max(b);
    Minimum(a: i64, b: i64) -> i64, lanes = a.min(b);
    Maximum(a: i64, b: i64) -> i64, lanes = a.max(b);
    FloorDiv(a: i64, b: i64) -> i64, each = floor_div(a, b);
    Mod(a: i64, b: i64) -> i64, each = eval::int_mod(a, b).unwrap_or(0);
    Ipow(a: i64, b: i64) -> i64, each = int_pow(a, b);

    Lt(a: f64, b: f64) -> u8, lanes = u8::from(a < b);
    Le(a: f64, b: f64) -> u8, lanes = u8::from(a <= b);
    Gt(a: f64, b: f64) -> u8, lanes = u8::from(a > b);
    Ge(a: f64, b: f64) -> u8, lanes = u8::from(a >= b);
    Eq(a: f64, b: f64) -> u8, lanes = u8::from(a == b);
    Ne(a: f64, b: f64) -> u8, lanes = u8::from(a != b);
    Lt(a: i64, b: i64) -> u8, lanes = u8::from(a < b);
    Le(a: i64, b: i64) -> u8, lanes = u8::from(a <= b);
    Gt(a: i64, b: i64) -> u8, lanes = u8::from(a > b);
    Ge(a: i64, b: i64) -> u8, lanes = u8::from(a >= b);
    Eq(a: i64, b: i64) -> u8, lanes = u8::from(a == b);
    Ne(a: i64, b: i64) -> u8, lanes = u8::from(a != b);
    Lt(a: u8, b: u8) -> u8, lanes = u8::from(a < b);
    Le(a: u8, b: u8) -> u8, lanes = u8::from(a <= b);
    Gt(a: u8, b: u8) -> u8, lanes = u8::from(a > b);
    Ge(a: u8, b: u8) -> u8, lanes = u8::from(a >= b);
    Eq(a: u8, b: u8) -> u8, lanes = u8::from(a == b);
    Ne(a: u8, b: u8) -> u8, lanes = u8::from(a != b);
    And(a: u8, b: u8) -> u8, lanes = a & b;
    Or(a: u8, b: u8) -> u8, lanes = a | b;
    Not(a: u8) -> u8, lanes = a ^ 1;

    Float(a: i64) -> f64, lanes = a as f64;
    Float(a: u8) -> f64, lanes = f64::from(a);
    Int(a: f64) -> i64, lanes = a as i64;
    Int(a: u8) -> i64, lanes = i64::from(a);
    Narrow(a: f64) -> f64, lanes = f64::from(a as f32);
    Select(c: u8, a: f64, b: f64) -> f64, lanes = f64::from_bits(blend(u64::from(c), a.to_bits(), b.to_bits()));
    Select(c: u8, a: i64, b: i64) -> i64, lanes = blend(u64::from(c), a as u64, b as u64) as i64;
    Select(c: u8, a: u8, b: u8) -> u8, lanes = c & a | (c ^ 1) & b;
}

/// `a` where `c` is 1, `b` where it is 0, without a branch.
#[inline(always)]
fn blend(c: u64, a: u64, b: u64) -> u64 {
    let all = c.wrapping_neg();
    a & all | b & !all
}

/// The quotient as in Python, which wraps; by zero, 0.
fn floor_div(a: i64, b: i64) -> i64 {
    if b == -1 { a.wrapping_neg() } else { eval::int_floor_div(a, b).unwrap_or(0) }
}

/// The power, which wraps; 0 for negative exponents, which NumPy refuses before it computes.
fn int_pow(a: i64, n: i64) -> i64 {
    match n {
        ..0 => 0,
        0 => 1,
        _ => eval::powi_steps(n.unsigned_abs()).fold(a, |power, multiply| {
            let square = power.wrapping_mul(power);
            if multiply { square.wrapping_mul(a) } else { square }
        }),
    }
}

/// The block functions that are more than a loop over elements.
fn special(prim: Prim, operands: &[DType], uniform: u8, isa: Isa) -> Option<(BlockFn, DType)> {
    let function = match (prim, operands) {
        (Prim::Exp, &[DType::F64]) => isa.compiled::<ByFormula<Exp>>(),
        (Prim::Expm1, &[DType::F64]) => isa.compiled::<ByFormula<Expm1>>(),
        (Prim::Log, &[DType::F64]) => isa.compiled::<ByFormula<Log>>(),
        (Prim::Log1p, &[DType::F64]) => isa.compiled::<ByFormula<Log1p>>(),
        (Prim::Sin, &[DType::F64]) => isa.compiled::<ByFormula<Sin>>(),
        (Prim::Cos, &[DType::F64]) => isa.compiled::<ByFormula<Cos>>(),
        (Prim::Tanh, &[DType::F64]) => isa.compiled::<ByFormula<Tanh>>(),
        (Prim::Erf, &[DType::F64]) => isa.compiled::<ByFormula<Erf>>(),
        (Prim::Sigmoid, &[DType::F64]) => isa.compiled::<ByFormula<Sigmoid>>(),
        (Prim::LogAddExp, &[DType::F64, DType::F64]) => compiled::<LogAddExp>(2, uniform, isa),
        (Prim::Powi, &[DType::F64, DType::I64]) => compiled::<Powi>(2, uniform, isa),
        _ => return None,
    };
    Some((function, DType::F64))
}

/// The block function that copies elements.
pub fn copy(dtype: DType, isa: Isa) -> BlockFn {
    match dtype {
        DType::Bool => isa.compiled::<Copied<u8>>(),
        DType::I64 | DType::F32 | DType::F64 => isa.compiled::<Copied<i64>>(),
    }
}

/// The block functions that read floats of 32 bits, and that write as many as there are.
pub fn conversions(isa: Isa) -> [BlockFn; 2] {
    [isa.compiled::<Widened>(), isa.compiled::<Narrowed>()]
}

struct Widened;
impl Block for Widened {
    #[inline(always)]
    unsafe fn run<const FUSED: bool, const UNIFORM: u8>(n: usize, to: *mut u8, [x, ..]: [*const u8; 3]) {
        // SAFETY: the caller's promise.
        let (x, to) = unsafe { (from_raw_parts(x.cast::<f32>(), padded(n)), from_raw_parts_mut(to.cast::<f64>(), padded(n))) };
        for (to, &x) in to.iter_mut().zip(x) {
            *to = x.into();
        }
    }
}

struct Narrowed;
impl Block for Narrowed {
    #[inline(always)]
    unsafe fn run<const FUSED: bool, const UNIFORM: u8>(n: usize, to: *mut u8, [x, ..]: [*const u8; 3]) {
        // SAFETY: the caller's promise.
        let (x, to) = unsafe { (from_raw_parts(x.cast::<f64>(), n), from_raw_parts_mut(to.cast::<f32>(), n)) };
        for (to, &x) in to.iter_mut().zip(x) {
            *to = x as f32;
        }
    }
}

struct Copied<T>(PhantomData<T>);
impl<T: Element> Block for Copied<T> {
    #[inline(always)]
    unsafe fn run<const FUSED: bool, const UNIFORM: u8>(n: usize, to: *mut u8, [x, ..]: [*const u8; 3]) {
        // SAFETY: the caller's promise.
        unsafe { x.cast::<T>().copy_to_nonoverlapping(to.cast(), padded(n)) };
    }
}

/// A function of one float that is a formula nearly everywhere.
trait Function: 'static {
    /// Whether the formula holds at `x`.
    fn holds(x: f64) -> bool;
    /// The formula.
    fn formula<const FUSED: bool>(x: f64) -> f64;
    /// The function where that does not hold.
    fn beyond(x: f64) -> f64;
}

/// Computes the formula for all elements, and after that the rest.
struct ByFormula<F>(PhantomData<F>);
impl<F: Function> Block for ByFormula<F> {
    #[inline(always)]
    unsafe fn run<const FUSED: bool, const UNIFORM: u8>(n: usize, to: *mut u8, [x, ..]: [*const u8; 3]) {
        let m = padded(n);
        // SAFETY: the caller's promise.
        let (x, y) = unsafe { (from_raw_parts(x.cast::<f64>(), m), from_raw_parts_mut(to.cast::<f64>(), m)) };
        let mut outside = 0;
        for i in 0..m {
            y[i] = F::formula::<FUSED>(x[i]);
            outside |= u64::from(!F::holds(x[i]));
        }
        if outside == 0 {
            return;
        }
        for i in 0..n {
            if !F::holds(x[i]) {
                y[i] = F::beyond(x[i]);
            }
        }
    }
}

#[inline(always)]
fn in_range(f: Elementary, x: f64) -> bool {
    let [low, high] = f.range();
    // Without a branch.
    (low <= x) & (x <= high)
}

macro_rules! elementary {
    ($($function:ident)*) => {
        $(
            struct $function;
            impl Function for $function {
                #[inline(always)]
                fn holds(x: f64) -> bool {
                    in_range(Elementary::$function, x)
                }
                #[inline(always)]
                fn formula<const FUSED: bool>(x: f64) -> f64 {
                    Elementary::$function.formula(&mut Host::<FUSED>, x)
                }
                fn beyond(x: f64) -> f64 {
                    Elementary::$function.beyond()(x)
                }
            }
        )*
    };
}

elementary!(Exp Expm1 Log Log1p Sin Cos Tanh Erf);

struct Sigmoid;
impl Function for Sigmoid {
    #[inline(always)]
    fn holds(x: f64) -> bool {
        in_range(Elementary::Exp, -x.abs())
    }
    #[inline(always)]
    fn formula<const FUSED: bool>(x: f64) -> f64 {
        // Of a zero of either sign the power is 1.
        let power = Elementary::Exp.formula(&mut Host::<FUSED>, -x.abs());
        (if x >= 0.0 { 1.0 } else { power }) / (1.0 + power)
    }
    fn beyond(x: f64) -> f64 {
        eval::sigmoid(x)
    }
}

/// Sine and cosine, which together cost little more than one of them; the cosines go to the second place of `from`.
pub struct SinCos;
impl Block for SinCos {
    #[inline(always)]
    unsafe fn run<const FUSED: bool, const UNIFORM: u8>(n: usize, to: *mut u8, [x, cosines, _]: [*const u8; 3]) {
        let m = padded(n);
        // SAFETY: the caller's promise; the second place is written by this block alone.
        let (x, sines, cosines) = unsafe {
            let cosines = from_raw_parts_mut(cosines.cast_mut().cast::<f64>(), m);
            (from_raw_parts(x.cast::<f64>(), m), from_raw_parts_mut(to.cast::<f64>(), m), cosines)
        };
        let mut outside = 0;
        for i in 0..m {
            [sines[i], cosines[i]] = sin_cos_formula(&mut Host::<FUSED>, x[i]);
            outside |= u64::from(!in_range(Elementary::Sin, x[i]));
        }
        if outside == 0 {
            return;
        }
        for i in 0..n {
            if !in_range(Elementary::Sin, x[i]) {
                [sines[i], cosines[i]] = [Elementary::Sin, Elementary::Cos].map(|f| f.beyond()(x[i]));
            }
        }
    }
}

struct LogAddExp;
impl Block for LogAddExp {
    #[inline(always)]
    unsafe fn run<const FUSED: bool, const UNIFORM: u8>(n: usize, to: *mut u8, from: [*const u8; 3]) {
        let m = padded(n);
        let mut from = (0..).zip(from);
        // SAFETY: the caller's promise.
        let (a, b, y) = unsafe {
            let [a, b] = std::array::from_fn(|_| Operand::<f64>::new(&mut from, m, UNIFORM));
            (a, b, from_raw_parts_mut(to.cast::<f64>(), m))
        };
        let size = |i: usize| -(a.at(i) - b.at(i)).abs();
        let mut outside = 0;
        for (i, y) in y.iter_mut().enumerate() {
            let power = Elementary::Exp.formula(&mut Host::<FUSED>, size(i));
            let excess = Elementary::Log1p.formula(&mut Host::<FUSED>, power);
            let (a, b) = (a.at(i), b.at(i));
            let greatest = if a >= b || a.is_nan() { a } else { b };
            *y = if a == b { a + LN_2 } else { greatest + excess };
            outside |= u64::from(!in_range(Elementary::Exp, size(i)));
        }
        if outside == 0 {
            return;
        }
        for (i, y) in y.iter_mut().enumerate().take(n) {
            if !in_range(Elementary::Exp, size(i)) {
                *y = eval::log_add_exp(a.at(i), b.at(i));
            }
        }
    }
}

struct Powi;
impl Block for Powi {
    #[inline(always)]
    unsafe fn run<const FUSED: bool, const UNIFORM: u8>(n: usize, to: *mut u8, from: [*const u8; 3]) {
        let mut from = (0..).zip(from);
        // SAFETY: the caller's promise.
        let (x, exponents, y) = unsafe {
            let (x, exponents) = (Operand::<f64>::new(&mut from, padded(n), UNIFORM), Operand::<i64>::new(&mut from, n, UNIFORM));
            (x, exponents, from_raw_parts_mut(to.cast::<f64>(), padded(n)))
        };
        let exponent = exponents.at(0);
        if let Operand::Array(exponents) = exponents {
            let differ = exponents.iter().fold(0, |differ, n| differ | (n ^ exponent));
            if differ != 0 {
                for i in 0..n {
                    y[i] = eval::powi(x.at(i), exponents[i]);
                }
                return;
            }
        }
        // The plan of `eval::powi`, on all elements at once.
        if exponent == 0 {
            y.fill(1.0);
            return;
        }
        y.iter_mut().enumerate().for_each(|(i, y)| *y = x.at(i));
        for multiply in eval::powi_steps(exponent.unsigned_abs()) {
            for (i, y) in y.iter_mut().enumerate() {
                let square = *y * *y;
                *y = if multiply { square * x.at(i) } else { square };
            }
        }
        if exponent < 0 {
            y.iter_mut().for_each(|y| *y = 1.0 / *y);
        }
    }
}

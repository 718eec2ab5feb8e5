//! Formulas over the numbers of Rust.

use super::{Elementary, Machine, trigonometric};
use pulp::Arch;

/// Arithmetic of the processor that this runs on. Formulas over it are compiled for the instruction set of the function that they
/// are part of; `FUSED` must be what [`fused`] says.
pub struct Host<const FUSED: bool>;

impl<const FUSED: bool> Machine for Host<FUSED> {
    type Real = f64;
    type Word = u64;

    #[inline(always)]
    fn real(&mut self, v: f64) -> f64 {
        v
    }
    #[inline(always)]
    fn add(&mut self, a: f64, b: f64) -> f64 {
        a + b
    }
    #[inline(always)]
    fn sub(&mut self, a: f64, b: f64) -> f64 {
        a - b
    }
    #[inline(always)]
    fn mul(&mut self, a: f64, b: f64) -> f64 {
        a * b
    }
    #[inline(always)]
    fn div(&mut self, a: f64, b: f64) -> f64 {
        a / b
    }
    #[inline(always)]
    fn mul_add(&mut self, a: f64, b: f64, c: f64) -> f64 {
        if FUSED { a.mul_add(b, c) } else { a * b + c }
    }
    #[inline(always)]
    fn bits(&mut self, a: f64) -> u64 {
        a.to_bits()
    }
    #[inline(always)]
    fn float(&mut self, a: u64) -> f64 {
        f64::from_bits(a)
    }
    #[inline(always)]
    fn convert(&mut self, a: u64) -> f64 {
        a as i64 as f64
    }
    #[inline(always)]
    fn word(&mut self, v: u64) -> u64 {
        v
    }
    #[inline(always)]
    fn word_add(&mut self, a: u64, b: u64) -> u64 {
        a.wrapping_add(b)
    }
    #[inline(always)]
    fn word_sub(&mut self, a: u64, b: u64) -> u64 {
        a.wrapping_sub(b)
    }
    #[inline(always)]
    fn and(&mut self, a: u64, b: u64) -> u64 {
        a & b
    }
    #[inline(always)]
    fn xor(&mut self, a: u64, b: u64) -> u64 {
        a ^ b
    }
    #[inline(always)]
    fn shl(&mut self, a: u64, by: u32) -> u64 {
        a << by
    }
    #[inline(always)]
    fn sar(&mut self, a: u64, by: u32) -> u64 {
        (a as i64 >> by) as u64
    }
}

/// Whether [`Machine::mul_add`] rounds once: where the processor has an instruction for it.
pub fn fused() -> bool {
    !matches!(Arch::new(), Arch::Scalar)
}

/// A formula, compiled for the processor that is found.
macro_rules! on_this_processor {
    (|$host:ident| $formula:expr) => {
        match Arch::new() {
            Arch::Scalar => {
                let $host = &mut Host::<false>;
                $formula
            }
            arch => arch.dispatch(
                #[inline(always)]
                || {
                    let $host = &mut Host::<true>;
                    $formula
                },
            ),
        }
    };
}

/// Functions by their formulas, and what stands beyond those.
macro_rules! functions {
    ($( $(#[$doc:meta])* $name:ident: $function:ident; )*) => {
        $(
            $(#[$doc])*
            pub fn $name(x: f64) -> f64 {
                let [low, high] = Elementary::$function.range();
                if (low..=high).contains(&x) {
                    on_this_processor!(|host| Elementary::$function.formula(host, x))
                } else {
                    Elementary::$function.beyond()(x)
                }
            }
        )*
    };
}

functions! {
    /// eˣ.
    exp: Exp;
    /// eˣ - 1.
    expm1: Expm1;
    /// The natural logarithm.
    log: Log;
    /// ln(1 + x).
    log1p: Log1p;
    /// The sine.
    sin: Sin;
    /// The cosine.
    cos: Cos;
    /// The hyperbolic tangent.
    tanh: Tanh;
    /// The error function.
    erf: Erf;
}

/// [`sin`] and [`cos`] of one number.
pub fn sin_cos(x: f64) -> [f64; 2] {
    let [low, high] = trigonometric::RANGE;
    if (low..=high).contains(&x) {
        on_this_processor!(|host| trigonometric::sin_cos(host, x))
    } else {
        [Elementary::Sin.beyond()(x), Elementary::Cos.beyond()(x)]
    }
}

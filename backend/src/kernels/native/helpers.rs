//! Functions that code on vectors calls, for elements of which it has no formula.

use gradus_ir::{Prim, eval};

/// The elements that a call is about: three operands and the result.
pub type Lanes = [[f64; 8]; 4];

/// Computes those elements of the result whose bit is set.
pub type Helper = extern "sysv64" fn(lanes: &mut Lanes, set: u64);

macro_rules! helpers {
    ($( $prim:ident($($x:ident),*) = $function:expr; )*) => {
        /// The function that computes a primitive on floats element by element, if there is one.
        pub fn helper(prim: Prim) -> Option<Helper> {
            Some(match prim {
                $(
                    Prim::$prim => {
                        extern "sysv64" fn helper(lanes: &mut Lanes, set: u64) {
                            for lane in (0..8).filter(|lane| set >> lane & 1 == 1) {
                                let mut operands = lanes.iter().map(|operand| operand[lane]);
                                $( let $x = operands.next().unwrap_or_default(); )*
                                lanes[3][lane] = $function($($x),*);
                            }
                        }
                        helper
                    }
                )*
                _ => return None,
            })
        }
    };
}

helpers! {
    Exp(a) = eval::exp;
    Expm1(a) = eval::expm1;
    Log(a) = eval::log;
    Log1p(a) = eval::log1p;
    Sin(a) = eval::sin;
    Cos(a) = eval::cos;
    Tanh(a) = eval::tanh;
    Erf(a) = eval::erf;
    Sigmoid(a) = eval::sigmoid;
    LogAddExp(a, b) = eval::log_add_exp;
    FloorDiv(a, b) = eval::floor_div;
    Mod(a, b) = eval::modulo;
    Rem(a, b) = eval::rem;
    Pow(a, b) = eval::pow;
    Cbrt(a) = eval::cbrt;
    Hypot(a, b) = eval::hypot;
    Exp2(a) = eval::exp2;
    Log2(a) = eval::log2;
    Log10(a) = eval::log10;
    Tan(a) = eval::tan;
    Asin(a) = eval::asin;
    Acos(a) = eval::acos;
    Atan(a) = eval::atan;
    Atan2(a, b) = eval::atan2;
    Sinh(a) = eval::sinh;
    Cosh(a) = eval::cosh;
    Asinh(a) = eval::asinh;
    Acosh(a) = eval::acosh;
    Atanh(a) = eval::atanh;
    Erfc(a) = eval::erfc;
    Gammaln(a) = eval::gammaln;
    Polygamma(n, a) = eval::polygamma;
}

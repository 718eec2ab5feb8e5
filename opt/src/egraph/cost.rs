//! What executing a term costs: approximate latencies in sixteenths of a cycle.

use super::lang::Op;
use gradus_ir::Prim;

/// The cost of one term, its children not counted. Every application costs something, so a term is dearer than what it is made
/// of, and extraction never walks in a circle.
pub fn cost(op: &Op) -> u64 {
    match op {
        Op::F64(_) | Op::I64(_) | Op::Bool(_) | Op::Zero | Op::Node(_) => 0,
        Op::Pinned(_) => 100 * 16,
        Op::Unpack(_) => prim_cost(Prim::Unpack),
        Op::Prim(p) => prim_cost(*p),
    }
}

fn prim_cost(prim: Prim) -> u64 {
    use Prim::*;
    let cycles = match prim {
        Get(_) | Tuple => return 1,
        WrapAdd | WrapSub | ShiftLeft | ShiftRight | BitAnd | BitOr | BitXor | Lt | Le | Gt | Ge | Eq | Ne | And | Or | Not
        | Select | Neg | Abs | Copysign => 1,
        Sign | Min | Max | Minimum | Maximum => 2,
        Add | Sub | Mul | WrapMul | HighMul | Fma | Float | Int | Narrow | Widen => 4,
        Mul0 => 6,
        Floor | Ceil | Round | Trunc => 8,
        Div => 13,
        Div0 | Sqrt => 15,
        Powi | Rem | Mod | FloorDiv | Ipow => 20,
        Exp | Exp2 | Expm1 | Log | Log2 | Log10 | Log1p | Sin | Cos | Cbrt | Hypot | Sigmoid => 40,
        Tan | Asin | Acos | Atan | Sinh | Cosh | Tanh | Asinh | Acosh | Atanh | Erf | Erfc | LogAddExp | Gammaln => 50,
        Atan2 => 60,
        Pow => 80,
        Gadd | F => 50,
        p if p.is_operator() => 50,
        // Boxes and partial applications allocate. Source primitives do not occur in a typed module.
        _ => 10,
    };
    cycles * 16
}

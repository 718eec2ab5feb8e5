//! Primitives as instructions on vectors, with the bits that `blocks` has.

use super::body::{Body, Memory, Value};
use super::opcodes::{self as ops, Op, compare};
use gradus_ir::elementary::{self, Elementary, Machine};
use gradus_ir::eval::powi_steps;
use gradus_ir::{DType, Prim};
use std::f64::consts::LN_2;

const SIGN: u64 = 1 << 63;
/// The immediate operand of roundings: to the nearest, down, up, to zero; without exceptions.
const ROUND: [u8; 4] = [8, 9, 10, 11];

/// Emits a primitive on operands of these types; none if there is no code for it.
pub fn primitive(body: &mut Body, prim: Prim, types: &[DType], args: &[Value]) -> Option<Value> {
    use DType::{Bool, F64, I64};
    let word = |body: &mut Body, v: f64| body.constant(v.to_bits());
    Some(match (prim, types, args) {
        (Prim::Select, [Bool, Bool, Bool], &[c, a, b]) => {
            let (chosen, other) = (body.masks(ops::MASK_AND, c, a), body.masks(ops::MASK_AND_NOT, c, b));
            body.masks(ops::MASK_OR, chosen, other)
        }
        (Prim::Select, _, &[c, a, b]) => body.select(c, a, b),
        (Prim::Neg, [F64], &[a]) => {
            let sign = body.constant(SIGN);
            body.two(ops::XOR, a, sign)
        }
        (Prim::Abs, [F64], &[a]) => {
            let rest = body.constant(!SIGN);
            body.two(ops::AND, a, rest)
        }
        (Prim::Sign, [F64], &[a]) => {
            let [zero, one, minus] = [0.0, 1.0, -1.0].map(|v| word(body, v));
            let above = body.compare(ops::COMPARE, compare::GT, a, zero, None);
            let below = body.compare(ops::COMPARE, compare::LT, a, zero, None);
            let value = body.two(ops::ADD, a, zero);
            let value = body.select(below, minus, value);
            body.select(above, one, value)
        }
        (Prim::Min, [F64, _], &[a, b]) => body.two(ops::MIN, b, a),
        (Prim::Max, [F64, _], &[a, b]) => body.two(ops::MAX, b, a),
        (Prim::Minimum, [F64, _], &[a, b]) => body.extreme(ops::MIN, a, b),
        (Prim::Maximum, [F64, _], &[a, b]) => body.extreme(ops::MAX, a, b),
        (Prim::Mul0 | Prim::Div0, [F64, _], &[a, b]) => {
            let zero = word(body, 0.0);
            let is_zero = body.compare(ops::COMPARE, compare::EQ, a, zero, None);
            let value = if prim == Prim::Mul0 {
                let stops = body.compare(ops::COMPARE, compare::EQ, b, zero, None);
                let value = body.two(ops::MUL, a, b);
                body.select(stops, b, value)
            } else {
                body.two(ops::DIV, a, b)
            };
            body.select(is_zero, a, value)
        }
        (Prim::Copysign, [F64, _], &[a, b]) => {
            let (rest, sign) = (body.constant(!SIGN), body.constant(SIGN));
            let (size, sign) = (body.two(ops::AND, a, rest), body.two(ops::AND, b, sign));
            body.two(ops::OR, size, sign)
        }
        (Prim::Fma, _, &[a, b, c]) => body.mul_add(a, b, c),
        (Prim::Round, [F64], &[a]) => body.round(ROUND[0], a),
        (Prim::Floor, [F64], &[a]) => body.round(ROUND[1], a),
        (Prim::Ceil, [F64], &[a]) => body.round(ROUND[2], a),
        (Prim::Trunc, [F64], &[a]) => body.round(ROUND[3], a),
        (Prim::Narrow, [F64], &[a]) => body.rounded(a),
        (Prim::Sigmoid, [F64], &[a]) => sigmoid(body, a),
        (Prim::LogAddExp, [F64, _], &[a, b]) => log_add_exp(body, a, b),

        (Prim::Neg, [I64], &[a]) => {
            let zero = body.constant(0);
            body.two(ops::INT_SUB, zero, a)
        }
        (Prim::Sign, [I64], &[a]) => {
            let [least, most] = [-1_i64, 1].map(|v| body.constant(v as u64));
            let value = body.two(ops::INT_MIN, a, most);
            body.two(ops::INT_MAX, value, least)
        }
        (Prim::And, _, &[a, b]) => body.masks(ops::MASK_AND, a, b),
        (Prim::Or, _, &[a, b]) => body.masks(ops::MASK_OR, a, b),
        (Prim::Not, _, &[a]) => body.mask_not(a),
        (Prim::Eq, [Bool, _], &[a, b]) => body.masks(ops::MASK_XNOR, a, b),
        (Prim::Ne, [Bool, _], &[a, b]) => body.masks(ops::MASK_XOR, a, b),
        (Prim::Lt, [Bool, _], &[a, b]) => body.masks(ops::MASK_AND_NOT, a, b),
        (Prim::Gt, [Bool, _], &[a, b]) => body.masks(ops::MASK_AND_NOT, b, a),
        (Prim::Float, [Bool], &[a]) => {
            let one = word(body, 1.0);
            body.spread(a, one)
        }
        (Prim::Int, [Bool], &[a]) => {
            let one = body.constant(1);
            body.spread(a, one)
        }
        (Prim::Float, [I64], &[a]) => body.convert(a),
        (Prim::Int, [F64], &[a]) => {
            // The instruction gives the least integer for all that is none.
            let value = body.one(ops::FLOAT_TO_INT, a);
            let (bound, most, zero) = (word(body, 2_f64.powi(63)), body.constant(i64::MAX as u64), body.constant(0));
            let above = body.compare(ops::COMPARE, compare::GE, a, bound, None);
            let value = body.select(above, most, value);
            let unordered = body.compare(ops::COMPARE, compare::UNORDERED, a, a, None);
            body.select(unordered, zero, value)
        }
        (Prim::Powi, [F64, I64], &[a, n]) => {
            let Some(Memory::Constant(n)) = body.values[n.index()].1 else { return None };
            power(body, a, n as i64)
        }
        _ => return simple(body, prim, types, args).or_else(|| formula(body, prim, types, args)),
    })
}

/// Primitives that are one instruction.
fn simple(body: &mut Body, prim: Prim, types: &[DType], args: &[Value]) -> Option<Value> {
    let is_float = match types.first()? {
        DType::F64 => true,
        DType::I64 => false,
        DType::Bool | DType::F32 => return None,
    };
    let kind = match (prim, is_float) {
        (Prim::Eq, _) => Some(compare::EQ),
        (Prim::Ne, _) => Some(compare::NE),
        (Prim::Lt, _) => Some(compare::LT),
        (Prim::Le, _) => Some(compare::LE),
        (Prim::Gt, true) => Some(compare::GT),
        (Prim::Ge, true) => Some(compare::GE),
        (Prim::Gt, false) => Some(compare::INT_GT),
        (Prim::Ge, false) => Some(compare::INT_GE),
        _ => None,
    };
    if let Some(kind) = kind {
        return Some(body.compare(if is_float { ops::COMPARE } else { ops::INT_COMPARE }, kind, args[0], args[1], None));
    }
    let op: Op = match (prim, is_float) {
        (Prim::Add, true) => ops::ADD,
        (Prim::Sub, true) => ops::SUB,
        (Prim::Mul, true) => ops::MUL,
        (Prim::Div, true) => ops::DIV,
        (Prim::Sqrt, true) => ops::SQRT,
        (Prim::Add | Prim::WrapAdd, false) => ops::INT_ADD,
        (Prim::Sub | Prim::WrapSub, false) => ops::INT_SUB,
        (Prim::Mul | Prim::WrapMul, false) => ops::INT_MUL,
        (Prim::BitAnd, false) => ops::AND,
        (Prim::BitOr, false) => ops::OR,
        (Prim::BitXor, false) => ops::XOR,
        (Prim::Abs, false) => ops::INT_ABS,
        (Prim::Min | Prim::Minimum, false) => ops::INT_MIN,
        (Prim::Max | Prim::Maximum, false) => ops::INT_MAX,
        _ => return None,
    };
    Some(match args {
        &[a] => body.one(op, a),
        _ => body.two(op, args[0], args[1]),
    })
}

/// Elementary functions, and all others element by element.
fn formula(body: &mut Body, prim: Prim, types: &[DType], args: &[Value]) -> Option<Value> {
    if types.iter().any(|&dtype| dtype != DType::F64) {
        return None;
    }
    let Some(function) = Elementary::of(prim) else {
        super::helpers::helper(prim)?;
        return Some(body.call(prim, args, None));
    };
    let x = args[0];
    let value = function.formula(body, x);
    let holds = in_range(body, function, x);
    Some(body.call(prim, args, Some((value, holds))))
}

/// Sine and cosine of one value.
pub fn sin_cos(body: &mut Body, x: Value) -> [Value; 2] {
    let values = elementary::sin_cos_formula(body, x);
    let holds = in_range(body, Elementary::Sin, x);
    [(Prim::Sin, values[0]), (Prim::Cos, values[1])].map(|(prim, value)| body.call(prim, &[x], Some((value, holds))))
}

/// Where the formula of a function holds.
fn in_range(body: &mut Body, function: Elementary, x: Value) -> Value {
    let [low, high] = function.range().map(|bound| body.constant(bound.to_bits()));
    let above = body.compare(ops::COMPARE, compare::GE, x, low, None);
    body.compare(ops::COMPARE, compare::LE, x, high, Some(above))
}

/// exp(-|x|), and where its formula holds.
fn power_of_size(body: &mut Body, x: Value) -> [Value; 2] {
    let sign = body.constant(SIGN);
    let minus = body.two(ops::OR, x, sign);
    let power = Elementary::Exp.formula(body, minus);
    [power, in_range(body, Elementary::Exp, minus)]
}

fn sigmoid(body: &mut Body, x: Value) -> Value {
    let [power, holds] = power_of_size(body, x);
    let [zero, one] = [0.0, 1.0].map(|v| body.real(v));
    let positive = body.compare(ops::COMPARE, compare::GE, x, zero, None);
    let above = body.select(positive, one, power);
    let below = body.add(one, power);
    let value = body.div(above, below);
    body.call(Prim::Sigmoid, &[x], Some((value, holds)))
}

fn log_add_exp(body: &mut Body, a: Value, b: Value) -> Value {
    let difference = body.sub(a, b);
    let [power, holds] = power_of_size(body, difference);
    let excess = Elementary::Log1p.formula(body, power);
    let greatest = body.extreme(ops::MAX, a, b);
    let sum = body.add(greatest, excess);
    let log_two = body.real(LN_2);
    let double = body.add(a, log_two);
    let equal = body.compare(ops::COMPARE, compare::EQ, a, b, None);
    let value = body.select(equal, double, sum);
    body.call(Prim::LogAddExp, &[a, b], Some((value, holds)))
}

/// The power of a literal exponent, by the plan of `eval::powi`.
fn power(body: &mut Body, x: Value, exponent: i64) -> Value {
    let one = body.real(1.0);
    if exponent == 0 {
        return one;
    }
    let mut value = x;
    for multiply in powi_steps(exponent.unsigned_abs()) {
        value = body.mul(value, value);
        if multiply {
            value = body.mul(value, x);
        }
    }
    if exponent < 0 { body.div(one, value) } else { value }
}

//! Primitives on floats of 32 bits that have instructions of their own.
//!
//! A primitive on such floats is that on floats of 64 bits, rounded. Of a sum, a difference, a product, a quotient and a square root
//! that is what rounding once gives, since 53 digits are more than twice 24 (Figueroa 1995, *When is double rounding innocuous?*).

use super::body::{Body, Value};
use super::opcodes::{self as ops, Op, compare};
use gradus_ir::Prim;

const SIGN: u32 = 1 << 31;

/// Emits a primitive on floats of 32 bits, of which there are as many as in a vector of words, or on a mask and two of them; none if
/// there is no instruction that gives the same bits.
pub fn primitive(body: &mut Body, prim: Prim, args: &[Value]) -> Option<Value> {
    Some(match (prim, args) {
        (Prim::Add, &[a, b]) => body.two(ops::ADD.single(), a, b),
        (Prim::Sub, &[a, b]) => body.two(ops::SUB.single(), a, b),
        (Prim::Mul, &[a, b]) => body.two(ops::MUL.single(), a, b),
        (Prim::Div, &[a, b]) => body.two(ops::DIV.single(), a, b),
        (Prim::Sqrt, &[a]) => body.one(ops::SQRT.single(), a),
        (Prim::Neg, &[a]) => {
            let sign = body.single(SIGN);
            body.two(ops::XOR.single(), a, sign)
        }
        (Prim::Abs, &[a]) => {
            let rest = body.single(!SIGN);
            body.two(ops::AND.single(), a, rest)
        }
        // The instructions give the second operand if one is a NaN, or if they are equal.
        (Prim::Min, &[a, b]) => body.two(ops::MIN.single(), b, a),
        (Prim::Max, &[a, b]) => body.two(ops::MAX.single(), b, a),
        (Prim::Minimum, &[a, b]) => extreme(body, ops::MIN, a, b),
        (Prim::Maximum, &[a, b]) => extreme(body, ops::MAX, a, b),
        (Prim::Select, &[c, a, b]) => body.blend(ops::BLEND.single(), c, a, b),
        _ => body.compare(ops::COMPARE.single(), kind(prim)?, args[0], args[1], None),
    })
}

/// The kind of a comparison.
fn kind(prim: Prim) -> Option<u8> {
    Some(match prim {
        Prim::Eq => compare::EQ,
        Prim::Ne => compare::NE,
        Prim::Lt => compare::LT,
        Prim::Le => compare::LE,
        Prim::Gt => compare::GT,
        Prim::Ge => compare::GE,
        _ => return None,
    })
}

/// As [`Body::extreme`].
fn extreme(body: &mut Body, op: Op, a: Value, b: Value) -> Value {
    let value = body.two(op.single(), b, a);
    let unordered = body.compare(ops::COMPARE.single(), compare::UNORDERED, b, b, None);
    body.blend(ops::BLEND.single(), unordered, b, value)
}

//! The methods of numbers.

use super::Lowerer;
use crate::types::{Int, Kind};
use gradus_ir::{NodeId, Prim, Span};

/// The methods that are one primitive.
const PRIMITIVES: &[(&str, Prim)] = &[
    ("abs", Prim::Abs),
    ("acos", Prim::Acos),
    ("acosh", Prim::Acosh),
    ("asin", Prim::Asin),
    ("asinh", Prim::Asinh),
    ("atan", Prim::Atan),
    ("atan2", Prim::Atan2),
    ("atanh", Prim::Atanh),
    ("cbrt", Prim::Cbrt),
    ("ceil", Prim::Ceil),
    ("copysign", Prim::Copysign),
    ("cos", Prim::Cos),
    ("cosh", Prim::Cosh),
    ("exp", Prim::Exp),
    ("exp2", Prim::Exp2),
    ("exp_m1", Prim::Expm1),
    ("floor", Prim::Floor),
    ("hypot", Prim::Hypot),
    ("ln", Prim::Log),
    ("ln_1p", Prim::Log1p),
    ("log10", Prim::Log10),
    ("log2", Prim::Log2),
    ("mul_add", Prim::Fma),
    ("powf", Prim::Pow),
    ("powi", Prim::Power),
    ("round_ties_even", Prim::Round),
    ("sin", Prim::Sin),
    ("sinh", Prim::Sinh),
    ("sqrt", Prim::Sqrt),
    ("tan", Prim::Tan),
    ("tanh", Prim::Tanh),
    ("trunc", Prim::Trunc),
];

impl Lowerer<'_> {
    /// A method of a number, which is the first of these.
    pub(super) fn number_method(&mut self, kind: &Kind, name: &str, args: &[NodeId], span: Span) -> NodeId {
        match kind {
            Kind::F64 => self.float_method(name, args, span),
            Kind::Int(int) => self.integer_method(*int, name, args, span),
            _ => self.integer_method(Int::I32, name, args, span),
        }
    }

    fn float_method(&mut self, name: &str, args: &[NodeId], span: Span) -> NodeId {
        if let Some(&(_, prim)) = PRIMITIVES.iter().find(|row| row.0 == name) {
            return self.prim(prim, args, span);
        }
        let x = args[0];
        match name {
            "clamp" => {
                let low = self.prim(Prim::Max, &[x, args[1]], span);
                self.prim(Prim::Min, &[low, args[2]], span)
            }
            "fract" => {
                let whole = self.prim(Prim::Trunc, args, span);
                self.prim(Prim::Sub, &[x, whole], span)
            }
            "is_finite" | "is_infinite" => {
                let size = self.prim(Prim::Abs, args, span);
                let infinity = self.m.f64(f64::INFINITY);
                self.prim(if name == "is_finite" { Prim::Lt } else { Prim::Eq }, &[size, infinity], span)
            }
            "is_nan" => self.prim(Prim::Ne, &[x, x], span),
            "is_sign_negative" | "is_sign_positive" => {
                let [one, zero] = [1.0, 0.0].map(|v| self.m.f64(v));
                let sign = self.prim(Prim::Copysign, &[one, x], span);
                self.prim(if name == "is_sign_negative" { Prim::Lt } else { Prim::Gt }, &[sign, zero], span)
            }
            "log" => {
                let logs = [x, args[1]].map(|v| self.prim(Prim::Log, &[v], span));
                self.prim(Prim::Div, &logs, span)
            }
            "div_euclid" => {
                // Toward zero, and one further where the rest is negative.
                let quotient = self.prim(Prim::Div, args, span);
                let quotient = self.prim(Prim::Trunc, &[quotient], span);
                let rem = self.prim(Prim::Rem, args, span);
                let (zero, one) = (self.m.f64(0.0), self.m.f64(1.0));
                let negative = self.prim(Prim::Lt, &[rem, zero], span);
                let away = self.prim(Prim::Copysign, &[one, args[1]], span);
                let further = self.prim(Prim::Sub, &[quotient, away], span);
                self.prim(Prim::Select, &[negative, further, quotient], span)
            }
            "midpoint" => {
                let sum = self.prim(Prim::Add, args, span);
                let half = self.m.f64(0.5);
                self.prim(Prim::Mul, &[sum, half], span)
            }
            "max" => self.extreme(Prim::Max, x, args[1], span),
            "min" => self.extreme(Prim::Min, x, args[1], span),
            "recip" => {
                let one = self.m.f64(1.0);
                self.prim(Prim::Div, &[one, x], span)
            }
            "rem_euclid" => {
                let rem = self.prim(Prim::Rem, args, span);
                let size = self.prim(Prim::Abs, &[args[1]], span);
                let up = self.prim(Prim::Add, &[rem, size], span);
                let zero = self.m.f64(0.0);
                let negative = self.prim(Prim::Lt, &[rem, zero], span);
                self.prim(Prim::Select, &[negative, up, rem], span)
            }
            "round" => {
                // The largest float below one half: what is just below it is not rounded up, and a half is, away from zero.
                let half = self.m.f64(0.5_f64.next_down());
                let half = self.prim(Prim::Copysign, &[half, x], span);
                let moved = self.prim(Prim::Add, &[x, half], span);
                self.prim(Prim::Trunc, &[moved], span)
            }
            "signum" => {
                let one = self.m.f64(1.0);
                let sign = self.prim(Prim::Copysign, &[one, x], span);
                let is_nan = self.prim(Prim::Ne, &[x, x], span);
                self.prim(Prim::Select, &[is_nan, x, sign], span)
            }
            "sin_cos" => {
                let both = [Prim::Sin, Prim::Cos].map(|prim| self.prim(prim, args, span));
                self.prim(Prim::Tuple, &both, span)
            }
            "to_degrees" | "to_radians" => {
                let factor = if name == "to_degrees" { 180.0 / std::f64::consts::PI } else { std::f64::consts::PI / 180.0 };
                let factor = self.m.f64(factor);
                self.prim(Prim::Mul, &[x, factor], span)
            }
            other => unreachable!("the check knows no method `{other}`"),
        }
    }

    /// The larger or the smaller of two floats, and the number where one is none. `max` of the IR is its first operand where one of
    /// them is no number.
    fn extreme(&mut self, prim: Prim, a: NodeId, b: NodeId, span: Span) -> NodeId {
        if self.m.as_f64(b).is_some_and(|b| !b.is_nan()) {
            return self.prim(prim, &[b, a], span);
        }
        let extreme = self.prim(prim, &[a, b], span);
        if self.m.as_f64(a).is_some_and(|a| !a.is_nan()) {
            return extreme;
        }
        let is_nan = self.prim(Prim::Ne, &[a, a], span);
        self.prim(Prim::Select, &[is_nan, b, extreme], span)
    }

    fn integer_method(&mut self, int: Int, name: &str, args: &[NodeId], span: Span) -> NodeId {
        let prim = match name {
            "abs" => Prim::Abs,
            "pow" => Prim::Ipow,
            "max" => return self.prim(Prim::Max, args, span),
            "min" => return self.prim(Prim::Min, args, span),
            "isqrt" => return self.integer_root(args[0], span),
            "signum" => return self.prim(Prim::Sign, args, span),
            "rem_euclid" => return self.remainder_euclid(args[0], args[1], span),
            "div_euclid" => {
                // What is left is not negative: the floor, and one more where something is left of a negative divisor.
                let floor = self.prim(Prim::FloorDiv, args, span);
                let modulo = self.prim(Prim::Mod, args, span);
                let one = self.m.i64(1);
                let next = self.prim(Prim::WrapAdd, &[floor, one], span);
                let negative = self.is_negative(modulo, span);
                let quotient = self.prim(Prim::Select, &[negative, next, floor], span);
                return self.within(quotient, int, span);
            }
            other => unreachable!("the check knows no method `{other}`"),
        };
        let result = self.prim(prim, args, span);
        self.within(result, int, span)
    }

    fn remainder_euclid(&mut self, a: NodeId, b: NodeId, span: Span) -> NodeId {
        let modulo = self.prim(Prim::Mod, &[a, b], span);
        let other = self.prim(Prim::WrapSub, &[modulo, b], span);
        let negative = self.is_negative(modulo, span);
        self.prim(Prim::Select, &[negative, other, modulo], span)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::names;

    #[test]
    fn primitives_take_what_methods_take() {
        for (name, prim) in PRIMITIVES {
            let (count, _) = names::float(name).expect("a method");
            assert_eq!(prim.arity(), Some(count + 1), "{name}");
        }
    }
}

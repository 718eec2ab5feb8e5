//! Functions that StableHLO has no operation for: those of its dialect `chlo`, and formulas.

use crate::function::Emit;
use crate::op::Val;
use crate::tensor::Element;
use gradus_ir::{ArrayOp, Const, NodeId, Prim};
use std::f64::consts::PI;

/// Polygamma functions of higher orders are not written out.
const MOST_ORDER: f64 = 30.0;

/// The operation of `chlo` that is the primitive.
fn chlo(prim: Prim) -> Option<&'static str> {
    Some(match prim {
        Prim::Asin => "chlo.asin",
        Prim::Acos => "chlo.acos",
        Prim::Atan => "chlo.atan",
        Prim::Sinh => "chlo.sinh",
        Prim::Cosh => "chlo.cosh",
        Prim::Asinh => "chlo.asinh",
        Prim::Acosh => "chlo.acosh",
        Prim::Atanh => "chlo.atanh",
        Prim::Erf => "chlo.erf",
        Prim::Erfc => "chlo.erfc",
        Prim::Gammaln => "chlo.lgamma",
        _ => return None,
    })
}

impl Emit<'_, '_> {
    /// The rest of the functions of floats.
    pub fn special(&mut self, prim: Prim, operands: &[Val], n: NodeId) -> Option<Val> {
        if let Some(name) = chlo(prim) {
            return Some(self.b().same(name, &operands.iter().collect::<Vec<_>>()));
        }
        let a = &operands[0];
        Some(match (prim, &operands[1..]) {
            (Prim::Sigmoid, []) => self.b().same("logistic", &[a]),
            (Prim::Exp2, []) => {
                let two = self.b().float(a.ty, 2.0);
                self.b().same("power", &[&two, a])
            }
            (Prim::Log2, []) => self.scaled_log(a, std::f64::consts::LN_2),
            (Prim::Log10, []) => self.scaled_log(a, std::f64::consts::LN_10),
            (Prim::Hypot, [b]) => self.hypot(a, b),
            (Prim::LogAddExp, [b]) => self.log_add_exp(a, b),
            (Prim::Copysign, [b]) => self.copysign(a, b),
            (Prim::Polygamma, [b]) => self.polygamma(a, b, n),
            (Prim::Powi, [n]) => {
                let exponent = self.b().convert(n, a.ty.element);
                self.b().same("power", &[a, &exponent])
            }
            (Prim::Fma, [b, c]) => self.fused(a, b, c),
            _ => return None,
        })
    }

    fn scaled_log(&mut self, a: &Val, base: f64) -> Val {
        let log = self.b().same("log", &[a]);
        let base = self.b().float(a.ty, base);
        self.b().same("divide", &[&log, &base])
    }

    /// By the larger of the two, so that no square overflows or vanishes.
    fn hypot(&mut self, a: &Val, b: &Val) -> Val {
        let e = self.b();
        let (zero, one, infinity) = (e.float(a.ty, 0.0), e.float(a.ty, 1.0), e.float(a.ty, f64::INFINITY));
        let [a, b] = [e.same("abs", &[a]), e.same("abs", &[b])];
        let is_first = e.compare("GE", &a, &b);
        let [large, small] = [e.select(&is_first, &a, &b), e.select(&is_first, &b, &a)];
        let is_zero = e.compare("EQ", &large, &zero);
        let divisor = e.select(&is_zero, &one, &large);
        let ratio = e.same("divide", &[&small, &divisor]);
        let square = e.same("multiply", &[&ratio, &ratio]);
        let sum = e.same("add", &[&square, &one]);
        let root = e.same("sqrt", &[&sum]);
        let product = e.same("multiply", &[&large, &root]);
        // An infinity wins, even over NaN.
        let [first, second] = [e.compare("EQ", &a, &infinity), e.compare("EQ", &b, &infinity)];
        let is_infinite = e.same("or", &[&first, &second]);
        e.select(&is_infinite, &infinity, &product)
    }

    fn log_add_exp(&mut self, a: &Val, b: &Val) -> Val {
        let e = self.b();
        let equal = e.compare("EQ", a, b);
        let ln_2 = e.float(a.ty, std::f64::consts::LN_2);
        let doubled = e.same("add", &[a, &ln_2]);
        let larger = e.same("maximum", &[a, b]);
        let difference = e.same("subtract", &[a, b]);
        let distance = e.same("abs", &[&difference]);
        let distance = e.same("negate", &[&distance]);
        let power = e.same("exponential", &[&distance]);
        let rest = e.same("log_plus_one", &[&power]);
        let sum = e.same("add", &[&larger, &rest]);
        e.select(&equal, &doubled, &sum)
    }

    /// The bits of the first but the sign of the second.
    pub fn copysign(&mut self, a: &Val, b: &Val) -> Val {
        let [bits_a, bits_b] = [a, b].map(|v| self.cast(v, Element::I64));
        let e = self.b();
        let (sign, rest) = (e.int(bits_a.ty, i64::MIN), e.int(bits_a.ty, i64::MAX));
        let [sign, rest] = [e.same("and", &[&bits_b, &sign]), e.same("and", &[&bits_a, &rest])];
        let both = e.same("or", &[&sign, &rest]);
        self.cast(&both, a.ty.element)
    }

    /// The order is a whole number; for order zero it is the digamma function. That of `chlo` is right for positive numbers alone where
    /// the order is not zero. Others are by reflection (NIST DLMF 5.15.6), where the program says the order; else they are NaN.
    fn polygamma(&mut self, order: &Val, a: &Val, n: NodeId) -> Val {
        let known = self.known_order(self.unit.m[n].inputs()[0]);
        let zero = self.b().float(a.ty, 0.0);
        let infinity = self.b().float(a.ty, f64::INFINITY);
        let is_zero = self.b().compare("EQ", a, &zero);
        if known == Some(0) {
            let digamma = self.b().same("chlo.digamma", &[a]);
            // It has a sign at its pole at zero, by that of zero.
            let signed = self.copysign(&infinity, a);
            let signed = self.b().same("negate", &[&signed]);
            return self.b().select(&is_zero, &signed, &digamma);
        }
        let one = self.b().float(a.ty, 1.0);
        let is_negative = self.b().compare("LT", a, &zero);
        let mirrored = self.b().same("subtract", &[&one, a]);
        let positive = self.b().select(&is_negative, &mirrored, a);
        let Some(k) = known else {
            let order = self.b().same("round_nearest_even", &[order]);
            let is_digamma = self.b().compare("EQ", &order, &zero);
            let digamma = self.b().same("chlo.digamma", &[a]);
            let above = self.b().select(&is_digamma, &one, &order);
            let other = self.b().same("chlo.polygamma", &[&above, &positive]);
            let nan = self.b().float(a.ty, f64::NAN);
            let other = self.b().select(&is_negative, &nan, &other);
            return self.b().select(&is_digamma, &digamma, &other);
        };
        let sign = if k % 2 == 0 { 1.0 } else { -1.0 };
        let k_value = self.b().float(a.ty, k as f64);
        let found = self.b().same("chlo.polygamma", &[&k_value, &positive]);
        // Far out the leading term is all there is, and that of XLA vanishes.
        let far = self.b().float(a.ty, 1e15);
        let is_far = self.b().compare("GT", &positive, &far);
        let power = self.b().same("power", &[&positive, &k_value]);
        let factorial = self.b().float(a.ty, -sign * (1..k).map(|i| i as f64).product::<f64>());
        let leading = self.b().same("divide", &[&factorial, &power]);
        let found = self.b().select(&is_far, &leading, &found);
        // The derivative of order k of the cotangent of πx, a polynomial in it, since its derivative is -π (1 + c²).
        let mut polynomial = vec![0.0, 1.0];
        for _ in 0..k {
            let mut next = vec![0.0; polynomial.len() + 1];
            for (power, c) in polynomial.iter().enumerate().skip(1) {
                let slope = -PI * c * power as f64;
                next[power - 1] += slope;
                next[power + 1] += slope;
            }
            polynomial = next;
        }
        let e = self.b();
        let pi = e.float(a.ty, PI);
        let whole = e.same("round_nearest_even", &[a]);
        let rest = e.same("subtract", &[a, &whole]);
        let cotangent = self.cotangent_of_part(&rest);
        let e = self.b();
        let mut sum = zero.clone();
        for &c in polynomial.iter().rev() {
            let c = e.float(a.ty, c);
            let product = e.same("multiply", &[&sum, &cotangent]);
            sum = e.same("add", &[&product, &c]);
        }
        let scaled = e.same("multiply", &[&pi, &sum]);
        let signed = if sign < 0.0 { e.same("negate", &[&found]) } else { found.clone() };
        let reflected = e.same("subtract", &[&signed, &scaled]);
        let found = e.select(&is_negative, &reflected, &found);
        // The poles: infinite for odd orders, no numbers for even ones.
        let is_whole = e.compare("EQ", &rest, &zero);
        let is_below = e.compare("LE", a, &zero);
        let is_pole = e.same("and", &[&is_whole, &is_below]);
        let pole = e.float(a.ty, if k % 2 == 1 { f64::INFINITY } else { f64::NAN });
        let found = e.select(&is_pole, &pole, &found);
        // Minus infinity is whole, too.
        let least = e.float(a.ty, f64::NEG_INFINITY);
        let is_least = e.compare("EQ", a, &least);
        let nan = e.float(a.ty, f64::NAN);
        e.select(&is_least, &nan, &found)
    }

    /// The cotangent of π times a number between -1/2 and 1/2; around these by the distance from them.
    fn cotangent_of_part(&mut self, part: &Val) -> Val {
        let half = self.b().float(part.ty, 0.5);
        let edge = self.copysign(&half, part);
        let e = self.b();
        let (pi, one, quarter) = (e.float(part.ty, PI), e.float(part.ty, 1.0), e.float(part.ty, 0.25));
        let from_edge = e.same("subtract", &[&edge, part]);
        let [from_edge, from_zero] = [e.same("multiply", &[&pi, &from_edge]), e.same("multiply", &[&pi, part])];
        let [near_edge, near_zero] = [e.same("tan", &[&from_edge]), e.same("tan", &[&from_zero])];
        let near_zero = e.same("divide", &[&one, &near_zero]);
        let size = e.same("abs", &[part]);
        let is_outer = e.compare("GT", &size, &quarter);
        e.select(&is_outer, &near_edge, &near_zero)
    }

    /// The order that a node stands for, if the program says it.
    fn known_order(&self, n: NodeId) -> Option<usize> {
        let m = self.unit.m;
        match (m[n].as_const(), m.as_prim(n)) {
            (Some(Const::F64(bits)), _) => {
                let order = f64::from_bits(*bits).round();
                (0.0..=MOST_ORDER).contains(&order).then_some(order as usize)
            }
            (Some(Const::I64(order)), _) => usize::try_from(*order).ok().filter(|&order| order as f64 <= MOST_ORDER),
            (_, Some(Prim::Array(ArrayOp::Broadcast, _) | Prim::Float)) => self.known_order(m[n].inputs()[0]),
            _ => None,
        }
    }

    /// The product and the sum as two numbers each (Dekker 1971; Knuth), whose rounding errors come back in the end.
    fn fused(&mut self, a: &Val, b: &Val, c: &Val) -> Val {
        let e = self.b();
        let product = e.same("multiply", &[a, b]);
        let split = e.float(a.ty, 134_217_729.0);
        let mut halves = |v: &Val| {
            let scaled = e.same("multiply", &[v, &split]);
            let difference = e.same("subtract", &[&scaled, v]);
            let high = e.same("subtract", &[&scaled, &difference]);
            let low = e.same("subtract", &[v, &high]);
            [high, low]
        };
        let ([a1, a2], [b1, b2]) = (halves(a), halves(b));
        let e = self.b();
        let [hh, hl, lh, ll] = [[&a1, &b1], [&a1, &b2], [&a2, &b1], [&a2, &b2]].map(|pair| e.same("multiply", &pair));
        let error = e.same("subtract", &[&hh, &product]);
        let error = e.same("add", &[&error, &hl]);
        let error = e.same("add", &[&error, &lh]);
        let error = e.same("add", &[&error, &ll]);
        let sum = e.same("add", &[&product, c]);
        let part = e.same("subtract", &[&sum, &product]);
        let back = e.same("subtract", &[&sum, &part]);
        let [first, second] = [e.same("subtract", &[&product, &back]), e.same("subtract", &[c, &part])];
        let rest = e.same("add", &[&first, &second]);
        let rest = e.same("add", &[&rest, &error]);
        let found = e.same("add", &[&sum, &rest]);
        // Where an intermediate is no number, the plain sum is right.
        let is_nan = e.is_nan(&rest);
        e.select(&is_nan, &sum, &found)
    }
}

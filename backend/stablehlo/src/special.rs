//! Functions that StableHLO has no operation for: those of its dialect `chlo`, and formulas.

use crate::builder::Val;
use crate::function::Emit;
use crate::tensor::Element;
use gradus_ir::Prim;

/// The operation of `chlo` that is the primitive.
fn chlo(prim: Prim) -> Option<&'static str> {
    Some(match prim {
        Prim::Asin => "asin",
        Prim::Acos => "acos",
        Prim::Atan => "atan",
        Prim::Sinh => "sinh",
        Prim::Cosh => "cosh",
        Prim::Asinh => "asinh",
        Prim::Acosh => "acosh",
        Prim::Atanh => "atanh",
        Prim::Erf => "erf",
        Prim::Erfc => "erfc",
        Prim::Gammaln => "lgamma",
        _ => return None,
    })
}

impl Emit<'_, '_> {
    fn chlo(&mut self, name: &str, operands: &[&Val]) -> Val {
        let ty = operands[0].ty;
        let names = crate::builder::list(operands);
        let types = crate::builder::list(operands.iter().map(|v| v.ty));
        self.b().write(ty, format!("chlo.{name} {names} : {types} -> {ty}"))
    }

    /// The rest of the functions of floats.
    pub fn special(&mut self, prim: Prim, operands: &[Val]) -> Option<Val> {
        if let Some(name) = chlo(prim) {
            return Some(self.chlo(name, &operands.iter().collect::<Vec<_>>()));
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
            (Prim::Polygamma, [b]) => self.polygamma(a, b),
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

    /// The order is a whole number; `chlo` takes the digamma function for order zero, too.
    fn polygamma(&mut self, order: &Val, a: &Val) -> Val {
        let order = self.b().same("round_nearest_even", &[order]);
        let zero = self.b().float(a.ty, 0.0);
        let is_zero = self.b().compare("EQ", &order, &zero);
        let digamma = self.chlo("digamma", &[a]);
        let one = self.b().float(a.ty, 1.0);
        let above = self.b().select(&is_zero, &one, &order);
        let other = self.chlo("polygamma", &[&above, a]);
        self.b().select(&is_zero, &digamma, &other)
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

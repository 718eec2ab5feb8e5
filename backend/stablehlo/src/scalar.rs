//! Primitives on numbers and, element by element, on arrays.

use crate::function::Emit;
use crate::op::Val;
use crate::refusal::{Reason, Refusal};
use crate::tensor::{Element, Tensor};
use gradus_ir::{NodeId, Prim, TrapKind};

/// The operation of StableHLO that is the primitive on floats, to the bit or as near as XLA's own functions are.
fn direct(prim: Prim) -> Option<&'static str> {
    Some(match prim {
        Prim::Add => "add",
        Prim::Sub => "subtract",
        Prim::Mul => "multiply",
        Prim::Div => "divide",
        Prim::Neg => "negate",
        Prim::Rem => "remainder",
        Prim::Abs => "abs",
        Prim::Sqrt => "sqrt",
        Prim::Cbrt => "cbrt",
        Prim::Exp => "exponential",
        Prim::Expm1 => "exponential_minus_one",
        Prim::Log => "log",
        Prim::Log1p => "log_plus_one",
        Prim::Sin => "sine",
        Prim::Cos => "cosine",
        Prim::Tan => "tan",
        Prim::Tanh => "tanh",
        Prim::Atan2 => "atan2",
        Prim::Pow => "power",
        Prim::Floor => "floor",
        Prim::Ceil => "ceil",
        Prim::Round => "round_nearest_even",
        _ => return None,
    })
}

/// Whether the primitive is right on floats of 32 bits: its result is the nearest one, or one of the operands. All others are computed on
/// 64 bits and rounded.
fn is_exact(prim: Prim) -> bool {
    use Prim::*;
    matches!(
        prim,
        Add | Sub
            | Mul
            | Div
            | Neg
            | Abs
            | Sign
            | Min
            | Max
            | Minimum
            | Maximum
            | Mul0
            | Div0
            | Sqrt
            | Floor
            | Ceil
            | Round
            | Trunc
    )
}

fn direction(prim: Prim) -> Option<&'static str> {
    Some(match prim {
        Prim::Lt => "LT",
        Prim::Le => "LE",
        Prim::Gt => "GT",
        Prim::Ge => "GE",
        Prim::Eq => "EQ",
        Prim::Ne => "NE",
        _ => return None,
    })
}

impl Emit<'_, '_> {
    /// A primitive on operands of one shape.
    pub fn elementwise(&mut self, prim: Prim, operands: &[Val], n: NodeId) -> Result<Val, Refusal> {
        let Some(first) = operands.first() else { return Err(Reason::Untyped.at(self.unit.m[n].span)) };
        if let Some(direction) = direction(prim) {
            return Ok(self.b().compare(direction, first, &operands[1]));
        }
        let found = match (prim, first.ty.element) {
            (Prim::Select, _) => Some(self.b().select(first, &operands[1], &operands[2])),
            (Prim::Float | Prim::Widen, _) => Some(self.b().convert(first, Element::F64)),
            (Prim::Narrow, _) => Some(self.narrow(first)),
            (Prim::Int, Element::F64) => Some(self.truncated(first, n)),
            (Prim::Int, _) => Some(self.b().convert(first, Element::I64)),
            (_, Element::Pred) => self.boolean(prim, operands),
            (_, Element::I64 | Element::I32) => self.integer(prim, operands, n),
            (_, Element::F32) if !is_exact(prim) => {
                let wide: Vec<Val> = operands
                    .iter()
                    .map(|v| if v.ty.element == Element::F32 { self.b().convert(v, Element::F64) } else { v.clone() })
                    .collect();
                let found = self.float(prim, &wide, n);
                found.map(|v| self.b().convert(&v, Element::F32))
            }
            (_, Element::F32 | Element::F64) => self.float(prim, operands, n),
        };
        found.ok_or_else(|| Reason::Untyped.at(self.unit.m[n].span))
    }

    /// The nearest number of 32 bits; a scalar stays one of 64.
    fn narrow(&mut self, a: &Val) -> Val {
        let narrow = self.b().convert(a, Element::F32);
        if a.ty.dims.is_empty() { self.b().convert(&narrow, Element::F64) } else { narrow }
    }

    fn boolean(&mut self, prim: Prim, operands: &[Val]) -> Option<Val> {
        let name = match prim {
            Prim::And | Prim::BitAnd => "and",
            Prim::Or | Prim::BitOr => "or",
            Prim::BitXor => "xor",
            Prim::Not => "not",
            _ => return None,
        };
        Some(self.b().same(name, &operands.iter().collect::<Vec<_>>()))
    }

    // --- integers

    fn integer(&mut self, prim: Prim, operands: &[Val], n: NodeId) -> Option<Val> {
        let a = &operands[0];
        let zero = self.b().int(a.ty, 0);
        if let [b] = &operands[1..] {
            return self.integer_of_two(prim, a, b, n);
        }
        // Integers of arrays wrap.
        let traps = a.ty.dims.is_empty();
        Some(match prim {
            Prim::Neg | Prim::Abs => {
                if traps {
                    let least = self.b().int(a.ty, i64::MIN);
                    let is_least = self.b().compare("EQ", a, &least);
                    self.trap_if(&is_least, TrapKind::IntegerOverflow, n);
                }
                let name = if prim == Prim::Neg { "negate" } else { "abs" };
                self.b().same(name, &[a])
            }
            Prim::Sign => self.b().same("sign", &[a]),
            Prim::Step => {
                let is_zero = self.b().compare("EQ", a, &zero);
                self.trap_if(&is_zero, TrapKind::ZeroStep, n);
                a.clone()
            }
            _ => return None,
        })
    }

    fn integer_of_two(&mut self, prim: Prim, a: &Val, b: &Val, n: NodeId) -> Option<Val> {
        let traps = a.ty.dims.is_empty();
        let zero = self.b().int(a.ty, 0);
        let name = match prim {
            Prim::Add | Prim::WrapAdd => "add",
            Prim::Sub | Prim::WrapSub => "subtract",
            Prim::Mul | Prim::WrapMul => "multiply",
            Prim::HighMul => return Some(self.upper_product(a, b)),
            Prim::ShiftLeft | Prim::ShiftRight => {
                let places = self.b().int(a.ty, 63);
                let count = self.b().same("and", &[b, &places]);
                let name = if prim == Prim::ShiftLeft { "shift_left" } else { "shift_right_logical" };
                return Some(self.b().same(name, &[a, &count]));
            }
            Prim::BitAnd => "and",
            Prim::BitOr => "or",
            Prim::BitXor => "xor",
            Prim::Min | Prim::Minimum => "minimum",
            Prim::Max | Prim::Maximum => "maximum",
            Prim::FloorDiv | Prim::Mod => return Some(self.floor_division(prim, a, b, n)),
            Prim::Index | Prim::Below => {
                let at = if prim == Prim::Index {
                    let from_end = self.b().same("add", &[a, b]);
                    let is_negative = self.b().compare("LT", a, &zero);
                    self.b().select(&is_negative, &from_end, a)
                } else {
                    a.clone()
                };
                let is_below = self.b().compare("LT", &at, &zero);
                let is_above = self.b().compare("GE", &at, b);
                let is_outside = self.b().same("or", &[&is_below, &is_above]);
                self.trap_if(&is_outside, TrapKind::IndexOutOfRange, n);
                return Some(at);
            }
            Prim::Ipow => return Some(self.integer_power(a, b, n)),
            _ => return None,
        };
        let result = self.b().same(name, &[a, b]);
        if traps && matches!(prim, Prim::Add | Prim::Sub | Prim::Mul) {
            let overflows = self.overflows(prim, a, b, &result);
            self.trap_if(&overflows, TrapKind::IntegerOverflow, n);
        }
        Some(result)
    }

    /// The upper half of a product, by the products of halves: none of the sums wraps.
    fn upper_product(&mut self, a: &Val, b: &Val) -> Val {
        let (half, mask) = (self.b().int(a.ty, 32), self.b().int(a.ty, 0xffff_ffff));
        let e = self.b();
        let [[a_low, a_high], [b_low, b_high]] =
            [a, b].map(|v| [e.same("and", &[v, &mask]), e.same("shift_right_logical", &[v, &half])]);
        let [low, first, second, upper] = [(&a_low, &b_low), (&a_high, &b_low), (&a_low, &b_high), (&a_high, &b_high)]
            .map(|(x, y)| e.same("multiply", &[x, y]));
        let carry = e.same("shift_right_logical", &[&low, &half]);
        let first = e.same("add", &[&first, &carry]);
        let part = e.same("and", &[&first, &mask]);
        let second = e.same("add", &[&second, &part]);
        [first, second].iter().fold(upper, |upper, middle| {
            let carry = e.same("shift_right_logical", &[middle, &half]);
            e.same("add", &[&upper, &carry])
        })
    }

    /// Whether a sum, difference or product of integers has wrapped.
    fn overflows(&mut self, prim: Prim, a: &Val, b: &Val, result: &Val) -> Val {
        let zero = self.b().int(a.ty, 0);
        let e = self.b();
        if prim == Prim::Mul {
            // A product that has wrapped is off by a multiple of 2⁶⁴, as a float too.
            let [x, y, found] = [a, b, result].map(|v| e.convert(v, Element::F64));
            let product = e.same("multiply", &[&x, &y]);
            let difference = e.same("subtract", &[&product, &found]);
            let distance = e.same("abs", &[&difference]);
            let limit = e.float(distance.ty, 2_f64.powi(62));
            return e.compare("GT", &distance, &limit);
        }
        // The sign of the result is that of neither operand, of a difference of neither the first nor the second negated.
        let first = e.same("xor", &[a, result]);
        let second = if prim == Prim::Add { e.same("xor", &[b, result]) } else { e.same("xor", &[a, b]) };
        let both = e.same("and", &[&first, &second]);
        e.compare("LT", &both, &zero)
    }

    /// Python's quotient and remainder. Of arrays, by zero both are 0, as NumPy's.
    fn floor_division(&mut self, prim: Prim, a: &Val, b: &Val, n: NodeId) -> Val {
        let traps = a.ty.dims.is_empty();
        let e = self.b();
        let (zero, one) = (e.int(a.ty, 0), e.int(a.ty, 1));
        let by_zero = e.compare("EQ", b, &zero);
        let (least, minus_one) = (e.int(a.ty, i64::MIN), e.int(a.ty, -1));
        let [is_least, is_minus] = [e.compare("EQ", a, &least), e.compare("EQ", b, &minus_one)];
        let overflows = e.same("and", &[&is_least, &is_minus]);
        // Processors stop at either.
        let is_bad = e.same("or", &[&by_zero, &overflows]);
        let divisor = e.select(&is_bad, &one, b);
        let remainder = e.same("remainder", &[a, &divisor]);
        let is_rest = e.compare("NE", &remainder, &zero);
        let signs = e.same("xor", &[a, &divisor]);
        let differ = e.compare("LT", &signs, &zero);
        let is_off = e.same("and", &[&is_rest, &differ]);
        let found = if prim == Prim::Mod {
            let moved = e.same("add", &[&remainder, &divisor]);
            e.select(&is_off, &moved, &remainder)
        } else {
            let quotient = e.same("divide", &[a, &divisor]);
            let moved = e.same("subtract", &[&quotient, &one]);
            e.select(&is_off, &moved, &quotient)
        };
        if !traps {
            return e.select(&by_zero, &zero, &found);
        }
        self.trap_if(&by_zero, TrapKind::DivisionByZero, n);
        if prim == Prim::FloorDiv {
            self.trap_if(&overflows, TrapKind::IntegerOverflow, n);
        }
        found
    }

    /// By repeated squaring, in a loop over the bits of the exponent from the lowest. The last square is not taken, so that it cannot
    /// overflow where the power does not.
    fn integer_power(&mut self, a: &Val, exponent: &Val, n: NodeId) -> Val {
        let scalar = Tensor::scalar(Element::I64);
        let flag = Tensor::scalar(Element::Pred);
        let zero = self.b().int(scalar, 0);
        let is_negative = self.b().compare("LT", exponent, &zero);
        self.trap_if(&is_negative, TrapKind::NegativeExponent, n);
        let (one, fine) = (self.b().int(scalar, 1), self.b().bool(flag, false));
        // Power, square, bits that are left, whether something wrapped.
        let start = [one, a.clone(), exponent.clone(), fine];
        let types = [scalar, scalar, scalar, flag];
        self.b().open(true);
        let inside = self.b().params(types);
        let zero = self.b().int(scalar, 0);
        let goes_on = self.b().compare("GT", &inside[2], &zero);
        self.b().leave(&[goes_on]);
        let condition = (inside, self.b().close());
        self.b().open(true);
        let inside = self.b().params(types);
        let [power, square, bits, wrapped] = [0, 1, 2, 3].map(|i| inside[i].clone());
        let (zero, one) = (self.b().int(scalar, 0), self.b().int(scalar, 1));
        let low = self.b().same("and", &[&bits, &one]);
        let is_set = self.b().compare("NE", &low, &zero);
        let product = self.b().same("multiply", &[&power, &square]);
        let product_wraps = self.overflows(Prim::Mul, &power, &square, &product);
        let product_wraps = self.b().same("and", &[&is_set, &product_wraps]);
        let next = self.b().select(&is_set, &product, &power);
        let rest = self.b().same("shift_right_logical", &[&bits, &one]);
        let more = self.b().compare("GT", &rest, &zero);
        let squared = self.b().same("multiply", &[&square, &square]);
        let square_wraps = self.overflows(Prim::Mul, &square, &square, &squared);
        let square_wraps = self.b().same("and", &[&more, &square_wraps]);
        let wraps = self.b().same("or", &[&product_wraps, &square_wraps]);
        let wrapped = self.b().same("or", &[&wrapped, &wraps]);
        self.b().leave(&[next, squared, rest, wrapped]);
        let body = (inside, self.b().close());
        let results = self.b().compound("while", &start.iter().collect::<Vec<_>>(), vec![condition, body], Vec::new(), &types);
        self.trap_if(&results[3], TrapKind::IntegerOverflow, n);
        results[0].clone()
    }

    /// Toward zero; NaN and what an integer of 64 bits cannot be traps.
    fn truncated(&mut self, a: &Val, n: NodeId) -> Val {
        const LIMIT: f64 = 9_223_372_036_854_775_808.0;
        let (low, high) = (self.b().float(a.ty, -LIMIT), self.b().float(a.ty, LIMIT));
        let [above, below] = [self.b().compare("GE", a, &low), self.b().compare("LT", a, &high)];
        let fits = self.b().same("and", &[&above, &below]);
        let zero = self.b().zeros(a.ty);
        let safe = self.b().select(&fits, a, &zero);
        let misfits = self.b().same("not", &[&fits]);
        let misfits = self.any(&misfits);
        self.trap_if(&misfits, TrapKind::FloatToInt, n);
        self.b().convert(&safe, Element::I64)
    }

    /// Whether some element of a tensor of booleans holds.
    pub fn any(&mut self, a: &Val) -> Val {
        let no = self.b().bool(Tensor::scalar(Element::Pred), false);
        let axes: Vec<i64> = (0..a.ty.dims.len() as i64).collect();
        self.b().reduce("or", a, &no, &axes)
    }

    // --- floats

    fn float(&mut self, prim: Prim, operands: &[Val], n: NodeId) -> Option<Val> {
        if let Some(name) = direct(prim) {
            return Some(self.b().same(name, &operands.iter().collect::<Vec<_>>()));
        }
        let a = &operands[0];
        let e = self.b();
        let zero = e.float(a.ty, 0.0);
        Some(match (prim, &operands[1..]) {
            (Prim::Sign, []) => {
                let (one, minus_one) = (e.float(a.ty, 1.0), e.float(a.ty, -1.0));
                let [is_positive, is_negative] = [e.compare("GT", a, &zero), e.compare("LT", a, &zero)];
                let neither = e.same("add", &[a, &zero]);
                let rest = e.select(&is_negative, &minus_one, &neither);
                e.select(&is_positive, &one, &rest)
            }
            (Prim::Trunc, []) => {
                let [up, down] = [e.same("ceil", &[a]), e.same("floor", &[a])];
                // The sign of zero is kept.
                let is_negative = e.compare("LT", a, &zero);
                e.select(&is_negative, &up, &down)
            }
            (Prim::Min | Prim::Max, [b]) => {
                let is_other = e.compare(if prim == Prim::Min { "LT" } else { "GT" }, b, a);
                e.select(&is_other, b, a)
            }
            (Prim::Minimum | Prim::Maximum, [b]) => {
                let is_first = e.compare(if prim == Prim::Minimum { "LE" } else { "GE" }, a, b);
                let is_nan = e.is_nan(a);
                let is_first = e.same("or", &[&is_first, &is_nan]);
                e.select(&is_first, a, b)
            }
            (Prim::Mul0, [b]) => {
                let product = e.same("multiply", &[a, b]);
                let [is_zero, is_factor] = [e.compare("EQ", a, &zero), e.compare("EQ", b, &zero)];
                let rest = e.select(&is_factor, b, &product);
                e.select(&is_zero, a, &rest)
            }
            (Prim::Div0, [b]) => {
                let quotient = e.same("divide", &[a, b]);
                let is_zero = e.compare("EQ", a, &zero);
                e.select(&is_zero, a, &quotient)
            }
            (Prim::FloorDiv | Prim::Mod, [b]) => self.float_floor_division(prim, a, b),
            _ => return self.special(prim, operands, n),
        })
    }

    /// As `eval` of the IR has it: CPython's `float_divmod`; by zero, NumPy's.
    fn float_floor_division(&mut self, prim: Prim, a: &Val, b: &Val) -> Val {
        let e = self.b();
        let (zero, one, half) = (e.float(a.ty, 0.0), e.float(a.ty, 1.0), e.float(a.ty, 0.5));
        let remainder = e.same("remainder", &[a, b]);
        let by_zero = e.compare("EQ", b, &zero);
        let is_whole = e.compare("EQ", &remainder, &zero);
        let [b_negative, r_negative] = [e.compare("LT", b, &zero), e.compare("LT", &remainder, &zero)];
        let differ = e.same("xor", &[&b_negative, &r_negative]);
        let fractional = e.compare("NE", &remainder, &zero);
        let is_off = e.same("and", &[&differ, &fractional]);
        let found = if prim == Prim::Mod {
            let nothing = self.copysign(&zero, b);
            let e = self.b();
            let moved = e.same("add", &[&remainder, b]);
            let rest = e.select(&is_off, &moved, &remainder);
            e.select(&is_whole, &nothing, &rest)
        } else {
            let quotient = e.same("divide", &[a, b]);
            let difference = e.same("subtract", &[a, &remainder]);
            let whole = e.same("divide", &[&difference, b]);
            let less = e.same("subtract", &[&whole, &one]);
            let whole = e.select(&is_off, &less, &whole);
            let floor = e.same("floor", &[&whole]);
            let rest = e.same("subtract", &[&whole, &floor]);
            let is_next = e.compare("GT", &rest, &half);
            let next = e.same("add", &[&floor, &one]);
            let nearest = e.select(&is_next, &next, &floor);
            let is_zero = e.compare("EQ", &whole, &zero);
            let nothing = self.copysign(&zero, &quotient);
            self.b().select(&is_zero, &nothing, &nearest)
        };
        let other = if prim == Prim::Mod { remainder } else { self.b().same("divide", &[a, b]) };
        self.b().select(&by_zero, &other, &found)
    }
}

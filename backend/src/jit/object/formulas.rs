//! Functions on floats that the C library does not have, or not with our bits.

use crate::error::BackendError;
use crate::jit::Emitter;
use crate::jit::lower::Lower;
use crate::jit::unit::SIN_COS;
use cranelift::codegen::ir::BlockArg;
use cranelift::prelude::{FloatCC, InstBuilder, IntCC, Value, types};
use gradus_ir::Prim;
use gradus_ir::elementary::Elementary;

/// The others, by the names of their primitives.
const COMPOSED: [&str; 5] = ["powi", "floor_div", "mod", "sigmoid", "log_add_exp"];

/// Whether there is a formula of this name.
pub fn has(name: &str) -> bool {
    name == SIN_COS || elementary(name).is_some() || COMPOSED.contains(&name)
}

/// The elementary function with this name. It is called where a function has it inline too often.
fn elementary(name: &str) -> Option<Elementary> {
    Elementary::ALL.into_iter().find(|f| f.prim().name() == name)
}

impl Emitter<'_> {
    /// Defines the formulas that the program calls.
    pub fn formulas(&mut self) -> Result<(), BackendError> {
        let called: Vec<_> = self.unit.helpers.iter().map(|(&name, &id)| (name, id)).filter(|(name, _)| has(name)).collect();
        for (name, id) in called {
            self.define(id, |lower, params| {
                // It takes no context, so the first parameter is an operand.
                let x = lower.context;
                let results = match (name, elementary(name), params) {
                    (_, Some(f), _) => vec![lower.elementary(f, x)?],
                    ("sigmoid", ..) => vec![lower.sigmoid(x)?],
                    ("log_add_exp", _, &[y]) => vec![lower.log_add_exp(x, y)?],
                    ("powi", _, &[n]) => vec![lower.powi(x, n)],
                    ("floor_div" | "mod", _, &[y]) => {
                        let [quotient, modulo] = lower.floor_div_mod(x, y)?;
                        vec![if name == "mod" { modulo } else { quotient }]
                    }
                    _ => lower.sin_cos(x)?.to_vec(),
                };
                lower.b.ins().return_(&results);
                Ok(())
            })?;
        }
        Ok(())
    }
}

/// Each is the row of `gradus_ir::eval`, operation by operation.
impl Lower<'_, '_> {
    fn sigmoid(&mut self, a: Value) -> Result<Value, BackendError> {
        let (zero, one) = (self.b.ins().f64const(0.0), self.b.ins().f64const(1.0));
        let minus = self.b.ins().fneg(a);
        let (falling, rising) = (self.elementary(Elementary::Exp, minus)?, self.elementary(Elementary::Exp, a)?);
        let below = self.b.ins().fadd(one, falling);
        let right = self.b.ins().fdiv(one, below);
        let below = self.b.ins().fadd(one, rising);
        let left = self.b.ins().fdiv(rising, below);
        let is_right = self.b.ins().fcmp(FloatCC::GreaterThanOrEqual, a, zero);
        Ok(self.b.ins().select(is_right, right, left))
    }

    fn log_add_exp(&mut self, a: Value, b: Value) -> Result<Value, BackendError> {
        let ln_2 = self.b.ins().f64const(std::f64::consts::LN_2);
        let twice = self.b.ins().fadd(a, ln_2);
        let difference = self.b.ins().fsub(a, b);
        let distance = self.b.ins().fabs(difference);
        let minus = self.b.ins().fneg(distance);
        let small = self.elementary(Elementary::Exp, minus)?;
        let rest = self.elementary(Elementary::Log1p, small)?;
        let largest = self.float_binary(Prim::Maximum, a, b)?;
        let sum = self.b.ins().fadd(largest, rest);
        let same = self.b.ins().fcmp(FloatCC::Equal, a, b);
        Ok(self.b.ins().select(same, twice, sum))
    }

    /// By the plan of [`gradus_ir::eval::powi_steps`], where a step that does not multiply multiplies by 1.
    fn powi(&mut self, a: Value, n: Value) -> Value {
        let one = self.b.ins().f64const(1.0);
        let magnitude = self.b.ins().iabs(n);
        let [zero, some, head, body, done, join] = std::array::from_fn(|_| self.b.create_block());
        let result = self.b.append_block_param(join, types::F64);
        self.b.ins().brif(n, some, &[], zero, &[]);
        self.b.switch_to_block(zero);
        self.b.ins().jump(join, &[BlockArg::from(one)]);
        self.b.switch_to_block(some);
        let leading = self.b.ins().clz(magnitude);
        let highest = self.word(63);
        let steps = self.b.ins().isub(highest, leading);
        let power = self.b.append_block_param(head, types::F64);
        let left = self.b.append_block_param(head, types::I64);
        self.b.ins().jump(head, &[BlockArg::from(a), BlockArg::from(steps)]);
        self.b.switch_to_block(head);
        self.b.ins().brif(left, body, &[], done, &[]);
        self.b.switch_to_block(body);
        let left = self.b.ins().iadd_imm_s(left, -1);
        let bit = self.b.ins().ushr(magnitude, left);
        let bit = self.b.ins().band_imm_u(bit, 1);
        let factor = self.b.ins().select(bit, a, one);
        let square = self.b.ins().fmul(power, power);
        let product = self.b.ins().fmul(square, factor);
        self.b.ins().jump(head, &[BlockArg::from(product), BlockArg::from(left)]);
        self.b.switch_to_block(done);
        let inverse = self.b.ins().fdiv(one, power);
        let is_negative = self.b.ins().icmp_imm_s(IntCC::SignedLessThan, n, 0);
        let value = self.b.ins().select(is_negative, inverse, power);
        self.b.ins().jump(join, &[BlockArg::from(value)]);
        self.b.switch_to_block(join);
        result
    }

    fn floor_div_mod(&mut self, a: Value, b: Value) -> Result<[Value; 2], BackendError> {
        let [zero, half, one] = [0.0, 0.5, 1.0].map(|v| self.b.ins().f64const(v));
        let remainder = self.helper("rem", &[a, b], types::F64)?;
        let ratio = self.b.ins().fdiv(a, b);
        let less = self.b.ins().fsub(a, remainder);
        let div = self.b.ins().fdiv(less, b);
        let is_exact = self.b.ins().fcmp(FloatCC::Equal, remainder, zero);
        let [b_below, m_below] = [b, remainder].map(|v| self.b.ins().fcmp(FloatCC::LessThan, v, zero));
        let differ = self.b.ins().bxor(b_below, m_below);
        let (moved, lower) = (self.b.ins().fadd(remainder, b), self.b.ins().fsub(div, one));
        let signed = self.b.ins().fcopysign(zero, b);
        let other = self.b.ins().select(differ, moved, remainder);
        let modulo = self.b.ins().select(is_exact, signed, other);
        let other = self.b.ins().select(differ, lower, div);
        let div = self.b.ins().select(is_exact, div, other);
        let floor = self.b.ins().floor(div);
        let above = self.b.ins().fsub(div, floor);
        let is_far = self.b.ins().fcmp(FloatCC::GreaterThan, above, half);
        let next = self.b.ins().fadd(floor, one);
        let rounded = self.b.ins().select(is_far, next, floor);
        let is_zero = self.b.ins().fcmp(FloatCC::Equal, div, zero);
        let signed = self.b.ins().fcopysign(zero, ratio);
        let quotient = self.b.ins().select(is_zero, signed, rounded);
        let by_zero = self.b.ins().fcmp(FloatCC::Equal, b, zero);
        Ok([self.b.ins().select(by_zero, ratio, quotient), self.b.ins().select(by_zero, remainder, modulo)])
    }
}

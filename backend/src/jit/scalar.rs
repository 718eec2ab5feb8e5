//! Primitives on scalars: instructions where one gives the bits of [`gradus_ir::eval`], calls of its functions elsewhere.

use super::layout::WORD;
use super::lower::Lower;
use crate::error::BackendError;
use cranelift::codegen::ir::{InstructionData, Opcode};
use cranelift::prelude::{FloatCC, InstBuilder, IntCC, Value, types};
use gradus_ir::elementary::Elementary;
use gradus_ir::{Prim, Span, TrapKind, Type};

impl Lower<'_, '_> {
    /// The value of a primitive on scalars of type `ty`.
    pub fn scalar(&mut self, prim: Prim, ty: &Type, operands: &[Value], span: Span) -> Result<Value, BackendError> {
        match (ty, operands) {
            (Type::F64, &[a]) => self.float_unary(prim, a, span),
            (Type::F64, &[a, b]) => self.float_binary(prim, a, b),
            (Type::F64, &[a, b, c]) if prim == Prim::Fma => Ok(self.b.ins().fma(a, b, c)),
            (Type::I64, &[a]) => self.int_unary(prim, a, span),
            (Type::I64, &[a, b]) => self.int_binary(prim, a, b, span),
            (Type::Bool, _) => self.bool(prim, operands),
            // A string is its number.
            (Type::Str, &[a]) if prim == Prim::Int => Ok(a),
            _ => self.call_float(prim, operands),
        }
    }

    fn float_unary(&mut self, prim: Prim, a: Value, span: Span) -> Result<Value, BackendError> {
        Ok(match prim {
            Prim::Neg => self.b.ins().fneg(a),
            Prim::Abs => self.b.ins().fabs(a),
            Prim::Sqrt => self.b.ins().sqrt(a),
            Prim::Floor => self.b.ins().floor(a),
            Prim::Ceil => self.b.ins().ceil(a),
            Prim::Trunc => self.b.ins().trunc(a),
            Prim::Round => self.b.ins().nearest(a),
            Prim::Narrow => {
                let narrow = self.b.ins().fdemote(types::F32, a);
                self.b.ins().fpromote(types::F64, narrow)
            }
            Prim::Widen => a,
            Prim::Sign => {
                let (zero, one, minus) = (self.float(0.0), self.float(1.0), self.float(-1.0));
                let rest = self.b.ins().fadd(a, zero);
                let negative = self.b.ins().fcmp(FloatCC::LessThan, a, zero);
                let rest = self.b.ins().select(negative, minus, rest);
                let positive = self.b.ins().fcmp(FloatCC::GreaterThan, a, zero);
                self.b.ins().select(positive, one, rest)
            }
            Prim::Int => self.toward_zero(a, span),
            _ => match Elementary::of(prim) {
                Some(f) => self.elementary(f, a)?,
                None => self.call_float(prim, &[a])?,
            },
        })
    }

    /// The integer toward zero. One comparison finds all numbers that have none but the least integer, which is looked at once more.
    fn toward_zero(&mut self, a: Value, span: Span) -> Value {
        let [rare, next] = [self.b.create_block(), self.b.create_block()];
        self.b.set_cold_block(rare);
        let high = self.float(9_223_372_036_854_775_808.0);
        let size = self.b.ins().fabs(a);
        let is_rare = self.b.ins().fcmp(FloatCC::UnorderedOrGreaterThanOrEqual, size, high);
        self.b.ins().brif(is_rare, rare, &[], next, &[]);
        self.b.switch_to_block(rare);
        let low = self.float(-9_223_372_036_854_775_808.0);
        let is_least = self.b.ins().fcmp(FloatCC::Equal, a, low);
        let code = self.unit.place(span) | TrapKind::FloatToInt as u64;
        let trap = self.trap_block(code);
        self.b.ins().brif(is_least, next, &[], trap, &[]);
        self.b.switch_to_block(next);
        self.b.ins().fcvt_to_sint(WORD, a)
    }

    pub fn float_binary(&mut self, prim: Prim, a: Value, b: Value) -> Result<Value, BackendError> {
        Ok(match prim {
            Prim::Add => self.b.ins().fadd(a, b),
            Prim::Sub => self.b.ins().fsub(a, b),
            Prim::Mul => self.b.ins().fmul(a, b),
            Prim::Div => self.b.ins().fdiv(a, b),
            Prim::Copysign => self.b.ins().fcopysign(a, b),
            Prim::Min => {
                let less = self.b.ins().fcmp(FloatCC::LessThan, b, a);
                self.b.ins().select(less, b, a)
            }
            Prim::Max => {
                let more = self.b.ins().fcmp(FloatCC::GreaterThan, b, a);
                self.b.ins().select(more, b, a)
            }
            Prim::Minimum | Prim::Maximum => {
                let order = if prim == Prim::Minimum { FloatCC::LessThanOrEqual } else { FloatCC::GreaterThanOrEqual };
                let first = self.b.ins().fcmp(order, a, b);
                let nan = self.b.ins().fcmp(FloatCC::Unordered, a, a);
                let first = self.b.ins().bor(first, nan);
                self.b.ins().select(first, a, b)
            }
            Prim::Mul0 | Prim::Div0 => {
                let value = if prim == Prim::Mul0 { self.b.ins().fmul(a, b) } else { self.b.ins().fdiv(a, b) };
                self.strong(prim, a, b, value)
            }
            Prim::Lt => self.b.ins().fcmp(FloatCC::LessThan, a, b),
            Prim::Le => self.b.ins().fcmp(FloatCC::LessThanOrEqual, a, b),
            Prim::Gt => self.b.ins().fcmp(FloatCC::GreaterThan, a, b),
            Prim::Ge => self.b.ins().fcmp(FloatCC::GreaterThanOrEqual, a, b),
            Prim::Eq => self.b.ins().fcmp(FloatCC::Equal, a, b),
            Prim::Ne => self.b.ins().fcmp(FloatCC::NotEqual, a, b),
            _ => self.call_float(prim, &[a, b])?,
        })
    }

    /// The strong product or quotient of `a` and `b`, whose plain one is `value`. Only one that is zero or no number can differ, so all
    /// others pay a comparison that nothing waits for.
    fn strong(&mut self, prim: Prim, a: Value, b: Value, value: Value) -> Value {
        let zero = self.float(0.0);
        let [rare, next] = [self.b.create_block(), self.b.create_block()];
        self.b.append_block_param(next, types::F64);
        self.b.set_cold_block(rare);
        let is_rare = self.b.ins().fcmp(FloatCC::UnorderedOrEqual, value, zero);
        self.b.ins().brif(is_rare, rare, &[], next, &[value.into()]);
        self.b.switch_to_block(rare);
        let mut exact = value;
        if prim == Prim::Mul0 {
            let stops = self.b.ins().fcmp(FloatCC::Equal, b, zero);
            exact = self.b.ins().select(stops, b, exact);
        }
        let stops = self.b.ins().fcmp(FloatCC::Equal, a, zero);
        exact = self.b.ins().select(stops, a, exact);
        self.b.ins().jump(next, &[exact.into()]);
        self.b.switch_to_block(next);
        self.b.block_params(next)[0]
    }

    fn int_unary(&mut self, prim: Prim, a: Value, span: Span) -> Result<Value, BackendError> {
        Ok(match prim {
            Prim::Neg | Prim::Abs => {
                let least = self.b.ins().icmp_imm_s(IntCC::Equal, a, i64::MIN);
                self.trap_if(least, TrapKind::IntegerOverflow, span);
                if prim == Prim::Neg { self.b.ins().ineg(a) } else { self.b.ins().iabs(a) }
            }
            Prim::Step => {
                let zero = self.b.ins().icmp_imm_s(IntCC::Equal, a, 0);
                self.trap_if(zero, TrapKind::ZeroStep, span);
                a
            }
            Prim::Sign => {
                let positive = self.b.ins().icmp_imm_s(IntCC::SignedGreaterThan, a, 0);
                let positive = self.b.ins().uextend(WORD, positive);
                let negative = self.b.ins().icmp_imm_s(IntCC::SignedLessThan, a, 0);
                let negative = self.b.ins().uextend(WORD, negative);
                self.b.ins().isub(positive, negative)
            }
            Prim::Float => self.b.ins().fcvt_from_sint(types::F64, a),
            _ => return Err(super::no_such_operands(prim)),
        })
    }

    fn int_binary(&mut self, prim: Prim, a: Value, b: Value, span: Span) -> Result<Value, BackendError> {
        let checked = |lower: &mut Self, (value, overflow): (Value, Value)| {
            lower.trap_if(overflow, TrapKind::IntegerOverflow, span);
            value
        };
        let compare = match prim {
            Prim::Lt => Some(IntCC::SignedLessThan),
            Prim::Le => Some(IntCC::SignedLessThanOrEqual),
            Prim::Gt => Some(IntCC::SignedGreaterThan),
            Prim::Ge => Some(IntCC::SignedGreaterThanOrEqual),
            Prim::Eq => Some(IntCC::Equal),
            Prim::Ne => Some(IntCC::NotEqual),
            _ => None,
        };
        if let Some(order) = compare {
            return Ok(self.b.ins().icmp(order, a, b));
        }
        Ok(match prim {
            Prim::Add => {
                let sum = self.b.ins().sadd_overflow(a, b);
                checked(self, sum)
            }
            Prim::Sub => {
                let difference = self.b.ins().ssub_overflow(a, b);
                checked(self, difference)
            }
            Prim::Mul => {
                let product = self.b.ins().smul_overflow(a, b);
                checked(self, product)
            }
            Prim::WrapAdd => self.b.ins().iadd(a, b),
            Prim::WrapSub => self.b.ins().isub(a, b),
            Prim::WrapMul => self.b.ins().imul(a, b),
            Prim::HighMul => self.b.ins().umulhi(a, b),
            // The count is taken modulo 64, as that of the primitive.
            Prim::ShiftLeft => self.b.ins().ishl(a, b),
            Prim::ShiftRight => self.b.ins().ushr(a, b),
            Prim::BitAnd => self.b.ins().band(a, b),
            Prim::BitOr => self.b.ins().bor(a, b),
            Prim::BitXor => self.b.ins().bxor(a, b),
            Prim::Min | Prim::Minimum => self.b.ins().smin(a, b),
            Prim::Max | Prim::Maximum => self.b.ins().smax(a, b),
            Prim::FloorDiv | Prim::Mod => self.int_division(prim, a, b, span),
            Prim::Index => {
                let negative = self.b.ins().icmp_imm_s(IntCC::SignedLessThan, a, 0);
                let from_end = self.b.ins().iadd(a, b);
                let at = self.b.ins().select(negative, from_end, a);
                // What is negative still is larger than any length.
                let inside = self.b.ins().icmp(IntCC::UnsignedLessThan, at, b);
                self.trap_unless(inside, TrapKind::IndexOutOfRange, span);
                at
            }
            Prim::Below => {
                let inside = self.b.ins().icmp(IntCC::UnsignedLessThan, a, b);
                self.trap_unless(inside, TrapKind::IndexOutOfRange, span);
                a
            }
            Prim::Ipow => {
                let place = self.place(span);
                self.helper("gradus_ipow", &[self.context, a, b, place], WORD)?
            }
            _ => return Err(super::no_such_operands(prim)),
        })
    }

    /// Division that rounds down, from the one that rounds toward zero.
    fn int_division(&mut self, prim: Prim, a: Value, b: Value, span: Span) -> Value {
        let is_quotient = prim == Prim::FloorDiv;
        let divisor = self.int_constant(b).filter(|&b| b > 0);
        if let Some(b) = divisor.filter(|b| b.count_ones() == 1) {
            return match is_quotient {
                true => self.b.ins().sshr_imm_u(a, i64::from(b.trailing_zeros())),
                false => self.b.ins().band_imm_s(a, b - 1),
            };
        }
        if divisor.is_none() {
            let by_zero = self.b.ins().icmp_imm_s(IntCC::Equal, b, 0);
            self.trap_if(by_zero, TrapKind::DivisionByZero, span);
            if is_quotient {
                let least = self.b.ins().icmp_imm_s(IntCC::Equal, a, i64::MIN);
                let minus = self.b.ins().icmp_imm_s(IntCC::Equal, b, -1);
                let overflow = self.b.ins().band(least, minus);
                self.trap_if(overflow, TrapKind::IntegerOverflow, span);
            }
        }
        let remainder = self.b.ins().srem(a, b);
        let adjust = match divisor {
            // The remainder has the sign of `a`.
            Some(_) => self.b.ins().icmp_imm_s(IntCC::SignedLessThan, remainder, 0),
            None => {
                let inexact = self.b.ins().icmp_imm_s(IntCC::NotEqual, remainder, 0);
                let signs = self.b.ins().bxor(remainder, b);
                let differ = self.b.ins().icmp_imm_s(IntCC::SignedLessThan, signs, 0);
                self.b.ins().band(inexact, differ)
            }
        };
        if is_quotient {
            let quotient = self.b.ins().sdiv(a, b);
            let adjust = self.b.ins().uextend(WORD, adjust);
            self.b.ins().isub(quotient, adjust)
        } else {
            let sum = self.b.ins().iadd(remainder, b);
            self.b.ins().select(adjust, sum, remainder)
        }
    }

    /// The integer that a value is, if that is a constant.
    fn int_constant(&self, v: Value) -> Option<i64> {
        let inst = self.b.func.dfg.value_def(v).inst()?;
        match self.b.func.dfg.insts[inst] {
            InstructionData::UnaryImm { opcode: Opcode::Iconst, imm } => Some(imm.bits()),
            _ => None,
        }
    }

    fn bool(&mut self, prim: Prim, operands: &[Value]) -> Result<Value, BackendError> {
        Ok(match (prim, operands) {
            (Prim::Not, &[a]) => self.b.ins().bxor_imm_u(a, 1),
            (Prim::Int, &[a]) => self.b.ins().uextend(WORD, a),
            (Prim::Float, &[a]) => {
                let int = self.b.ins().uextend(WORD, a);
                self.b.ins().fcvt_from_sint(types::F64, int)
            }
            (Prim::And, &[a, b]) => self.b.ins().band(a, b),
            (Prim::Or, &[a, b]) => self.b.ins().bor(a, b),
            (Prim::Lt, &[a, b]) => self.b.ins().icmp(IntCC::UnsignedLessThan, a, b),
            (Prim::Le, &[a, b]) => self.b.ins().icmp(IntCC::UnsignedLessThanOrEqual, a, b),
            (Prim::Gt, &[a, b]) => self.b.ins().icmp(IntCC::UnsignedGreaterThan, a, b),
            (Prim::Ge, &[a, b]) => self.b.ins().icmp(IntCC::UnsignedGreaterThanOrEqual, a, b),
            (Prim::Eq, &[a, b]) => self.b.ins().icmp(IntCC::Equal, a, b),
            (Prim::Ne, &[a, b]) => self.b.ins().icmp(IntCC::NotEqual, a, b),
            _ => return Err(super::no_such_operands(prim)),
        })
    }

    /// Calls the function that the interpreter uses.
    fn call_float(&mut self, prim: Prim, operands: &[Value]) -> Result<Value, BackendError> {
        self.helper(prim.name(), operands, types::F64)
    }

    fn float(&mut self, v: f64) -> Value {
        self.b.ins().f64const(v)
    }
}

//! Elementary functions inline: the formulas that the interpreter uses, over values of the code generator.

use super::lower::{Lower, TRUSTED, word_offset};
use super::unit::SIN_COS;
use crate::error::BackendError;
use cranelift::codegen::ir::{BlockArg, InstructionData, MemFlagsData};
use cranelift::prelude::{FloatCC, InstBuilder, Value, types};
use gradus_ir::elementary::{self, Elementary, Machine};

/// How many formulas a function takes inline; it calls what comes after them, so that its code stays linear in its size.
const MOST_INLINE: usize = 64;

impl Lower<'_, '_> {
    /// The function at `x`.
    pub fn elementary(&mut self, f: Elementary, x: Value) -> Result<Value, BackendError> {
        let [value] = self.inline_or_call([f], x, f.prim().name())?;
        Ok(value)
    }

    /// Sine and cosine of `x`.
    pub fn sin_cos(&mut self, x: Value) -> Result<[Value; 2], BackendError> {
        self.inline_or_call([Elementary::Sin, Elementary::Cos], x, SIN_COS)
    }

    /// One function, or sine and cosine, which share most of their formula; or a call of the function of that name.
    fn inline_or_call<const N: usize>(
        &mut self,
        functions: [Elementary; N],
        x: Value,
        name: &'static str,
    ) -> Result<[Value; N], BackendError> {
        if self.inlined == MOST_INLINE {
            return self.helper_results(name, &[x], [types::F64; N]);
        }
        self.inlined += 1;
        let join = self.b.create_block();
        let results = functions.map(|_| self.b.append_block_param(join, types::F64));
        let of_sine_and_cosine = |pair: [Value; 2]| functions.map(|f| BlockArg::from(pair[usize::from(f == Elementary::Cos)]));
        let trigonometric = matches!(functions[0], Elementary::Sin | Elementary::Cos);
        if trigonometric {
            // Small numbers are frequent, and their sines take half the time.
            let [near, far] = [self.b.create_block(), self.b.create_block()];
            let (square, bound) = (self.b.ins().fmul(x, x), self.real(elementary::NEAR));
            // What is no number is near, and stays none.
            let is_far = self.b.ins().fcmp(FloatCC::GreaterThan, square, bound);
            self.b.ins().brif(is_far, far, &[], near, &[]);
            self.b.switch_to_block(near);
            let values = elementary::sin_cos_near(self, x, square);
            self.b.ins().jump(join, &of_sine_and_cosine(values));
            self.b.switch_to_block(far);
        }
        let outside = self.b.create_block();
        self.b.set_cold_block(outside);
        let [low, high] = functions[0].range();
        let [above, inside] = std::array::from_fn(|_| self.b.create_block());
        let [low, high] = [low, high].map(|bound| self.real(bound));
        let holds = self.b.ins().fcmp(FloatCC::GreaterThanOrEqual, x, low);
        self.b.ins().brif(holds, above, &[], outside, &[]);
        self.b.switch_to_block(above);
        let fails = self.b.ins().fcmp(FloatCC::GreaterThan, x, high);
        self.b.ins().brif(fails, outside, &[], inside, &[]);
        self.b.switch_to_block(inside);
        let values = match trigonometric {
            true => of_sine_and_cosine(elementary::sin_cos_formula(self, x)),
            false => functions.map(|f| BlockArg::from(f.formula(self, x))),
        };
        self.b.ins().jump(join, &values);

        self.b.switch_to_block(outside);
        let mut values = Vec::with_capacity(N);
        for f in functions {
            values.push(BlockArg::from(self.rare(beyond(f), &[x], types::F64)?));
        }
        self.b.ins().jump(join, &values);
        self.b.switch_to_block(join);
        Ok(results)
    }

    /// A value, if it is a constant then out of the table: where no operand can be in memory, that is one instruction less.
    fn tabled(&mut self, v: Value) -> Value {
        let constant = self.b.func.dfg.value_def(v).inst().map(|inst| self.b.func.dfg.insts[inst]);
        let Some(InstructionData::UnaryIeee64 { imm, .. }) = constant else { return v };
        let table = self.constant_table();
        let offset = word_offset(self.unit.constant(f64::from_bits(imm.bits())));
        self.b.ins().load(types::F64, TRUSTED.with_readonly().with_can_move(), table, offset)
    }
}

/// The name of what stands where the formula of a function does not hold.
pub fn beyond(f: Elementary) -> &'static str {
    match f {
        Elementary::Exp => "beyond.exp",
        Elementary::Expm1 => "beyond.expm1",
        Elementary::Log => "beyond.log",
        Elementary::Log1p => "beyond.log1p",
        Elementary::Sin => "beyond.sin",
        Elementary::Cos => "beyond.cos",
        Elementary::Tanh => "beyond.tanh",
        Elementary::Erf => "beyond.erf",
    }
}

impl Machine for Lower<'_, '_> {
    type Real = Value;
    type Word = Value;

    fn real(&mut self, v: f64) -> Value {
        self.b.ins().f64const(v)
    }
    fn add(&mut self, a: Value, b: Value) -> Value {
        self.b.ins().fadd(a, b)
    }
    fn sub(&mut self, a: Value, b: Value) -> Value {
        self.b.ins().fsub(a, b)
    }
    fn mul(&mut self, a: Value, b: Value) -> Value {
        self.b.ins().fmul(a, b)
    }
    fn div(&mut self, a: Value, b: Value) -> Value {
        self.b.ins().fdiv(a, b)
    }
    fn mul_add(&mut self, a: Value, b: Value, c: Value) -> Value {
        if self.unit.fused {
            let [a, b] = [a, b].map(|factor| self.tabled(factor));
            return self.b.ins().fma(a, b, c);
        }
        let product = self.b.ins().fmul(a, b);
        self.b.ins().fadd(product, c)
    }
    fn bits(&mut self, a: Value) -> Value {
        self.b.ins().bitcast(types::I64, MemFlagsData::new(), a)
    }
    fn float(&mut self, a: Value) -> Value {
        self.b.ins().bitcast(types::F64, MemFlagsData::new(), a)
    }
    fn convert(&mut self, a: Value) -> Value {
        self.b.ins().fcvt_from_sint(types::F64, a)
    }
    fn word(&mut self, v: u64) -> Value {
        self.b.ins().iconst(types::I64, v as i64)
    }
    fn word_add(&mut self, a: Value, b: Value) -> Value {
        self.b.ins().iadd(a, b)
    }
    fn word_sub(&mut self, a: Value, b: Value) -> Value {
        self.b.ins().isub(a, b)
    }
    fn and(&mut self, a: Value, b: Value) -> Value {
        self.b.ins().band(a, b)
    }
    fn xor(&mut self, a: Value, b: Value) -> Value {
        self.b.ins().bxor(a, b)
    }
    fn shl(&mut self, a: Value, by: u32) -> Value {
        self.b.ins().ishl_imm_u(a, i64::from(by))
    }
    fn sar(&mut self, a: Value, by: u32) -> Value {
        self.b.ins().sshr_imm_u(a, i64::from(by))
    }
}

//! Block functions, each compiled for the instruction sets that this processor may have.

use gradus_ir::elementary;

/// What a kernel runs: reads up to three operands and writes `n` elements, where [`Block::run`] says.
pub type BlockFn = unsafe fn(n: usize, to: *mut u8, from: [*const u8; 3]);

/// A function over blocks of elements.
pub trait Block {
    /// Computes `n` elements. Multiply-adds of formulas are fused as `FUSED` says; operands whose bit is set in `UNIFORM` are one
    /// element, which stands for all.
    ///
    /// # Safety
    /// Each operand that the block has lies at its place in `from`, aligned to its type and readable for [`padded`]`(n)` elements.
    /// So many may be written at `to`, which no operand overlaps.
    unsafe fn run<const FUSED: bool, const UNIFORM: u8>(n: usize, to: *mut u8, from: [*const u8; 3]);
}

/// A count of elements, rounded up to whole vectors of the widest kind: loops over so many have no remainder.
#[inline(always)]
pub fn padded(n: usize) -> usize {
    n.next_multiple_of(8)
}

/// The instruction set, as far as it matters here.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Isa {
    /// What every processor of this architecture has.
    Baseline,
    /// That, with a fused multiply-add.
    #[cfg(not(target_arch = "x86_64"))]
    Fused,
    /// AVX2 and FMA.
    #[cfg(target_arch = "x86_64")]
    V3,
    /// AVX-512.
    #[cfg(target_arch = "x86_64")]
    V4,
}

impl Isa {
    /// The best that this processor has. Multiply-add is fused if and only if [`elementary::fused`] says so.
    pub fn detect() -> Isa {
        if !elementary::fused() {
            return Isa::Baseline;
        }
        #[cfg(target_arch = "x86_64")]
        {
            let v4 = is_x86_feature_detected!("avx512f")
                && is_x86_feature_detected!("avx512bw")
                && is_x86_feature_detected!("avx512cd")
                && is_x86_feature_detected!("avx512dq")
                && is_x86_feature_detected!("avx512vl");
            if v4 { Isa::V4 } else { Isa::V3 }
        }
        #[cfg(not(target_arch = "x86_64"))]
        Isa::Fused
    }

    /// This one and those below with the same arithmetic.
    #[cfg(test)]
    pub fn alike(self) -> Vec<Isa> {
        match self {
            #[cfg(target_arch = "x86_64")]
            Isa::V4 => vec![Isa::V3, Isa::V4],
            isa => vec![isa],
        }
    }

    /// A block function, compiled for this instruction set, which the processor must have.
    pub fn compiled<B: Block>(self) -> BlockFn {
        self.compiled_for::<B, 0>()
    }

    /// The same, for operands of which some are uniform.
    pub fn compiled_for<B: Block, const UNIFORM: u8>(self) -> BlockFn {
        match self {
            Isa::Baseline => B::run::<false, UNIFORM>,
            #[cfg(not(target_arch = "x86_64"))]
            Isa::Fused => B::run::<true, UNIFORM>,
            #[cfg(target_arch = "x86_64")]
            Isa::V3 => v3::<B, UNIFORM>,
            #[cfg(target_arch = "x86_64")]
            Isa::V4 => v4::<B, UNIFORM>,
        }
    }
}

/// # Safety
/// As for [`Block::run`], on a processor that has these features.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma,bmi1,bmi2,f16c,lzcnt,popcnt")]
unsafe fn v3<B: Block, const UNIFORM: u8>(n: usize, to: *mut u8, from: [*const u8; 3]) {
    // SAFETY: the caller's promise.
    unsafe { B::run::<true, UNIFORM>(n, to, from) }
}

/// # Safety
/// As for [`Block::run`], on a processor that has these features.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512bw,avx512cd,avx512dq,avx512vl,avx2,fma,bmi1,bmi2,f16c,lzcnt,popcnt")]
unsafe fn v4<B: Block, const UNIFORM: u8>(n: usize, to: *mut u8, from: [*const u8; 3]) {
    // SAFETY: the caller's promise.
    unsafe { B::run::<true, UNIFORM>(n, to, from) }
}

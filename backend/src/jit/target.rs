//! Modules of code: in the memory of this process, or in an object file.

use super::elementary::beyond;
use super::jit_error;
use super::runtime::SYMBOLS;
use super::unit::SIN_COS;
use crate::error::BackendError;
use cranelift::codegen::isa::OwnedTargetIsa;
use cranelift::prelude::{Configurable, isa, settings};
use cranelift_jit::{ArenaMemoryProvider, JITBuilder, JITModule};
use cranelift_module::default_libcall_names;
use cranelift_object::{ObjectBuilder, ObjectModule};
use gradus_ir::cfg::{Cfg, Function};
use gradus_ir::elementary::Elementary;
use gradus_ir::eval::{self, FloatFn};
use gradus_ir::{Module, Nest, Prim};

/// Which instructions code may have.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Cpu {
    /// Those that every processor of the architecture has.
    #[default]
    Baseline,
    /// Those that this one has.
    Native,
}

/// In a block of more nodes than this, the good allocator takes time that grows with the square of the number of values that are
/// alive at once. The other one is about as good within a block, and much worse around loops.
const HUGE: usize = 5_000;

/// Likewise for values that are alive where blocks of a function begin, those of all its blocks added up.
const ALIVE: usize = 4_000;

/// The register allocator for a program, by its largest block and by what is alive between blocks.
fn allocator(nest: &Nest, cfg: &Cfg) -> &'static str {
    let is_huge = |f: &Function| {
        let alive: usize = f.blocks.iter().map(|&g| nest.free(g).count()).sum();
        alive > ALIVE || f.blocks.iter().any(|&g| nest.schedule(g).len() > HUGE)
    };
    if cfg.functions().iter().any(is_huge) { "single_pass" } else { "backtracking" }
}

fn target(cpu: Cpu, allocator: &str, is_pic: bool) -> Result<OwnedTargetIsa, BackendError> {
    let flag = |yes: bool| if yes { "true" } else { "false" };
    let mut flags = settings::builder();
    for (name, value) in [
        ("opt_level", "speed"),
        ("regalloc_algorithm", allocator),
        ("is_pic", flag(is_pic)),
        // Cranelift's tail calls rely on them.
        ("preserve_frame_pointers", "true"),
        ("use_colocated_libcalls", "false"),
        ("unwind_info", "false"),
        ("enable_verifier", flag(cfg!(debug_assertions))),
    ] {
        flags.set(name, value).map_err(jit_error)?;
    }
    let builder = cranelift_native::builder_with_options(cpu == Cpu::Native).map_err(jit_error)?;
    builder.finish(settings::Flags::new(flags)).map_err(jit_error)
}

/// A module in memory, for a program.
pub fn in_memory(m: &Module, nest: &Nest, cfg: &Cfg) -> Result<JITModule, BackendError> {
    let isa = target(Cpu::Native, allocator(nest, cfg), false)?;
    let mut builder = JITBuilder::with_isa(isa, default_libcall_names());
    // Calls between functions are relative, so the code lies in one piece. The address space is only reserved.
    let reserve = (64 << 20) + m.node_count() * 1024;
    builder.memory_provider(Box::new(ArenaMemoryProvider::new_with_size(reserve).map_err(|_| BackendError::OutOfMemory)?));
    for symbol in &SYMBOLS {
        builder.symbol(symbol.name, symbol.address);
    }
    for &prim in Prim::TABLE {
        let address = match eval::float_fn(prim) {
            Some(FloatFn::Unary(f)) => f as *const u8,
            Some(FloatFn::Binary(f)) => f as *const u8,
            Some(FloatFn::Ternary(f)) => f as *const u8,
            None => continue,
        };
        builder.symbol(prim.name(), address);
    }
    builder.symbol(Prim::Powi.name(), eval::powi as *const u8);
    builder.symbol(SIN_COS, eval::sin_cos as *const u8);
    for f in Elementary::ALL {
        builder.symbol(beyond(f), f.beyond() as *const u8);
    }
    Ok(JITModule::new(builder))
}

/// An object file, for such programs.
pub fn in_object(name: &str, cpu: Cpu, programs: &[(Nest, Cfg)]) -> Result<ObjectModule, BackendError> {
    let allocators = programs.iter().map(|(nest, cfg)| allocator(nest, cfg));
    // The names are in this order, too.
    let isa = target(cpu, allocators.max().unwrap_or("backtracking"), true)?;
    let mut builder = ObjectBuilder::new(isa, name, default_libcall_names()).map_err(jit_error)?;
    // What a program does not call is left out by linkers that are asked to.
    builder.per_function_section(true);
    Ok(ObjectModule::new(builder))
}

/// Whether code of a target fuses multiply-adds.
pub fn fuses(isa: &dyn isa::TargetIsa) -> bool {
    isa.isa_flags().iter().find(|flag| flag.name == "has_fma").is_none_or(|flag| flag.as_bool() == Some(true))
}

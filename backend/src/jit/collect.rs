//! Where loops forget the objects that earlier iterations left behind: at their heads, as [`super::runtime::collect`] says.

use super::layout::{WORD, fields, flat};
use super::lower::{Lower, TRUSTED};
use super::runtime::{mark, offsets};
use crate::error::BackendError;
use cranelift::codegen::ir::{BlockArg, StackSlot};
use cranelift::prelude::{InstBuilder, IntCC, Value};
use gradus_ir::cfg::{Cfg, Function};
use gradus_ir::{GraphId, Kind, Module, Nest, Prim, Type};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// The loops of a function that forget objects, by their heads.
#[derive(Default)]
pub struct Heads(FxHashMap<GraphId, Head>);

struct Head {
    /// Where the loop remembers the memory of its entry.
    mark: StackSlot,
    body: FxHashSet<GraphId>,
}

impl Heads {
    /// Whether a jump goes into such a loop from outside.
    pub fn enters(&self, from: Option<GraphId>, to: GraphId) -> bool {
        self.0.get(&to).is_some_and(|head| from.is_none_or(|from| !head.body.contains(&from)))
    }
}

impl Lower<'_, '_> {
    /// Finds the loops of a function that make objects. Libraries have no collector yet.
    pub fn find_heads(&mut self, function: &Function) {
        let (m, nest, cfg) = (self.unit.m, self.unit.nest, self.unit.cfg);
        if self.unit.symbols.is_some() || !self.unit.makes_objects {
            return;
        }
        for l in function.loops.iter().filter(|l| l.reducible) {
            let has_tape = m[l.header].params.iter().any(|&p| has_tape(&m[p].ty));
            if !has_tape && l.body.iter().any(|&g| makes_objects(m, nest, cfg, g) || calls(m, nest, g)) {
                let head = Head { mark: self.stack_slot(mark::WORDS), body: l.body.iter().copied().collect() };
                self.heads.0.insert(l.header, head);
            }
        }
    }

    /// Takes down where objects go on, if a jump enters a loop.
    pub fn enter_loop(&mut self, from: Option<GraphId>, to: GraphId) {
        if !self.heads.enters(from, to) {
            return;
        }
        let mark = self.b.ins().stack_addr(WORD, self.heads.0[&to].mark, 0);
        let chunks = self.b.ins().load(WORD, TRUSTED, self.context, offsets::CHUNKS);
        let bump = self.b.ins().load(WORD, TRUSTED, self.context, offsets::BUMP);
        let looks = self.b.ins().load(WORD, TRUSTED, self.context, offsets::LOOKS);
        let arrays = self.b.ins().load(WORD, TRUSTED, self.context, offsets::ARRAY_BYTES);
        let none = self.word(0);
        let words =
            [(chunks, mark::CHUNKS), (bump, mark::BUMP), (looks, mark::KNOWN), (none, mark::WORTH), (arrays, mark::ARRAYS)];
        for (value, at) in words {
            self.b.ins().store(TRUSTED, value, mark, at);
        }
    }

    /// The parameters of a block, after objects were forgotten if it is the head of a loop and the arena has grown.
    pub fn forget_objects(&mut self, g: GraphId, params: Vec<Value>) -> Result<Vec<Value>, BackendError> {
        let Some(head) = self.heads.0.get(&g) else { return Ok(params) };
        let mark = self.b.ins().stack_addr(WORD, head.mark, 0);
        let ty = Type::tuple(self.unit.m[g].params.iter().map(|&p| self.unit.m[p].ty.clone()));
        let types = flat([&ty]);
        let [grown, ready] = [self.b.create_block(), self.b.create_block()];
        self.b.set_cold_block(grown);
        for &ty in &types {
            self.b.append_block_param(ready, ty);
        }
        let looks = self.b.ins().load(WORD, TRUSTED, self.context, offsets::LOOKS);
        let known = self.b.ins().load(WORD, TRUSTED, mark, mark::KNOWN);
        let has_grown = self.b.ins().icmp(IntCC::UnsignedGreaterThan, looks, known);
        let args: Vec<BlockArg> = params.iter().copied().map(BlockArg::from).collect();
        self.b.ins().brif(has_grown, grown, &[], ready, &args);

        self.b.switch_to_block(grown);
        let slot = self.stack_slot(types.len().max(1));
        let words = self.b.ins().stack_addr(WORD, slot, 0);
        self.store(&params, words, 0);
        let shape = self.unit.collected_shape(&fields(&ty));
        let shape = self.word(Arc::as_ptr(&shape).expose_provenance() as i64);
        self.helper_effect("gradus_collect", &[self.context, mark, words, shape])?;
        let params: Vec<BlockArg> = self.load(&types, words, 0).into_iter().map(BlockArg::from).collect();
        self.b.ins().jump(ready, &params);

        self.b.switch_to_block(ready);
        Ok(self.b.block_params(ready).to_vec())
    }
}

fn has_tape(ty: &Type) -> bool {
    match ty {
        Type::Tape(_) => true,
        Type::Tuple(items) => items.iter().any(has_tape),
        _ => false,
    }
}

/// Whether a block calls functions and goes on.
fn calls(m: &Module, nest: &Nest, g: GraphId) -> bool {
    nest.schedule(g).iter().any(|&n| m[n].kind == Kind::Call && !m.is_tail_call(n))
}

/// Whether a block makes objects itself.
pub fn makes_objects(m: &Module, nest: &Nest, cfg: &Cfg, g: GraphId) -> bool {
    let is_closure = |&n: &_| m.as_graph(n).is_some_and(|h| nest.free(h).next().is_some() && cfg.is_function(h));
    nest.schedule(g).iter().any(|&n| match m[n].kind {
        Kind::Call => m[n].inputs()[1..].iter().any(is_closure),
        Kind::Prim(prim) => {
            let is_maker = matches!(prim, Prim::Pack | Prim::Partial | Prim::Gadd) || prim.is_operator();
            is_maker || m[n].inputs().iter().any(is_closure)
        }
        _ => false,
    })
}

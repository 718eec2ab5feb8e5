//! The data of an object file: shapes, descriptors, and what failures say.

use super::runtime::{TAPE, TAPE_RECORD};
use crate::error::BackendError;
use crate::jit::jit_error;
use crate::jit::layout::{Field, STATUS, WORD};
use crate::jit::runtime::{Descriptor, offsets};
use crate::jit::unit::{Unit, of_words};
use cranelift::codegen::ir::{BlockArg, UserFuncName};
use cranelift::prelude::{AbiParam, FunctionBuilder, FunctionBuilderContext, InstBuilder, IntCC, MemFlagsData};
use cranelift_module::{DataDescription, DataId, Linkage, Module};
use cranelift_object::ObjectModule;
use gradus_ir::TrapKind;
use std::sync::Arc;

impl Unit<'_> {
    /// Defines the shapes and the descriptors that code refers to.
    pub fn object_tables(&mut self) -> Result<(), BackendError> {
        let mut next = 0;
        // Those of records of tapes come up on the way.
        while let Some(shape) = self.shapes.get(next).cloned() {
            next += 1;
            let [zero_box, empty] = self.shape_tables(&shape.fields)?;
            // The first word of a box is the address of its shape, for which that of the zero box stands.
            let mut words = vec![0];
            let mut addresses = vec![(0, zero_box, 0)];
            for field in &shape.fields {
                let at = 8 * words.len() as u32;
                match field {
                    Field::Float => words.push((-0.0_f64).to_bits()),
                    Field::Tape(record) => {
                        addresses.push((at, self.shape_tables(record)?[1], 0));
                        words.extend([0, 0]);
                    }
                    _ => words.push(0),
                }
            }
            self.data(zero_box, &words, &addresses)?;
            let mut tape = [0; TAPE / 8];
            tape[TAPE_RECORD as usize / 8] = words.len() as u64 - 1;
            self.data(empty, &tape, &[(offsets::TAPE_WORDS as u32, zero_box, 8)])?;
        }
        self.descriptor_table()
    }

    fn descriptor_table(&mut self) -> Result<(), BackendError> {
        if self.descriptors.is_empty() {
            return Ok(());
        }
        const SIZE: usize = size_of::<Descriptor>();
        let table = self.table("descriptors")?;
        let mut words = vec![0; self.descriptors.len() * SIZE / 8];
        let mut entries: Vec<_> = self.object_entries.iter().map(|(&number, &id)| (number, id)).collect();
        entries.sort_unstable_by_key(|&(number, _)| number);
        for &(number, _) in &entries {
            words[(number * SIZE + offsets::OBJECT_WORDS as usize) / 8] = self.descriptors[number].words as u64;
        }
        let mut data = of_words(&words);
        let itself = self.module.declare_data_in_data(table, &mut data);
        for (number, id) in entries {
            let start = (number * SIZE) as u32;
            data.write_data_addr(start, itself, i64::from(start));
            let code = self.module.declare_func_in_data(id, &mut data);
            data.write_function_addr(start + offsets::CODE as u32, code);
            for (i, derivative) in self.descriptors[number].derivatives.iter().enumerate().filter(|(_, d)| !d.is_null()) {
                let further = derivative.addr() - self.descriptors.as_ptr().addr();
                data.write_data_addr(start + offsets::DERIVATIVES as u32 + 8 * i as u32, itself, further as i64);
            }
        }
        self.module.define_data(table, &data).map_err(jit_error)
    }

    /// Defines data of words, some of which are the addresses of other data, so many bytes on.
    fn data(&mut self, id: DataId, words: &[u64], addresses: &[(u32, DataId, i64)]) -> Result<(), BackendError> {
        let mut data = of_words(words);
        for &(at, other, further) in addresses {
            let other = self.module.declare_data_in_data(other, &mut data);
            data.write_data_addr(at, other, further);
        }
        self.module.define_data(id, &data).map_err(jit_error)
    }
}

/// Defines the functions that give the message of a status, and its line. `places` are the lines, with the messages of the program.
pub fn failures(
    module: &mut ObjectModule,
    [message, line]: [&str; 2],
    places: &[(usize, Option<Arc<str>>)],
) -> Result<(), BackendError> {
    let mut texts = vec!["success", "a fault of the compiler"].into_iter().map(String::from).collect::<Vec<_>>();
    texts.extend(TrapKind::ALL.map(|kind| kind.to_string()));
    let general = texts.len();
    texts.extend(places.iter().filter_map(|(_, text)| text.as_deref().map(String::from)));
    let mut starts = Vec::new();
    let mut bytes = Vec::new();
    for text in &texts {
        starts.push(bytes.len() as u64);
        bytes.extend(text.bytes().filter(|&b| b != 0).chain([0]));
    }
    // For each place its line, and where the message of the program is; place 0 is none.
    let mut own = starts[general..].iter();
    let rows = places.iter().map(|(line, text)| [*line as u64, text.as_ref().and_then(|_| own.next().copied()).unwrap_or(0)]);
    let rows: Vec<u64> = [[0, 0]].into_iter().chain(rows).flatten().collect();
    let mut text = DataDescription::new();
    text.define(bytes.into());
    let text = define(module, "texts", &text)?;
    let starts = define(module, "starts", &of_words(&starts[..general]))?;
    let last_place = rows.len() as i64 / 2 - 1;
    let rows = define(module, "places", &of_words(&rows))?;

    for (name, is_line) in [(message, false), (line, true)] {
        let mut signature = module.make_signature();
        signature.params.push(AbiParam::new(STATUS));
        signature.returns.push(AbiParam::new(if is_line { STATUS } else { WORD }));
        let id = module.declare_function(name, Linkage::Export, &signature).map_err(jit_error)?;
        let mut context = module.make_context();
        context.func.signature = signature;
        context.func.name = UserFuncName::user(0, id.as_u32());
        let mut functions = FunctionBuilderContext::new();
        let mut b = FunctionBuilder::new(&mut context.func, &mut functions);
        let entry = b.create_block();
        b.append_block_params_for_function_params(entry);
        b.switch_to_block(entry);
        let status = b.block_params(entry)[0];
        let [texts, starts, rows] = [text, starts, rows].map(|id| module.declare_data_in_func(id, b.func));
        let status = b.ins().uextend(WORD, status);
        let place = b.ins().ushr_imm_u(status, 8);
        let zero = b.ins().iconst(WORD, 0);
        // What is no status of this object has no place.
        let is_known = b.ins().icmp_imm_u(IntCC::UnsignedLessThanOrEqual, place, last_place);
        let place = b.ins().select(is_known, place, zero);
        let row = b.ins().ishl_imm_u(place, 4);
        let rows = b.ins().symbol_value(WORD, rows);
        let row = b.ins().iadd(rows, row);
        let flags = MemFlagsData::trusted();
        if is_line {
            let line = b.ins().load(STATUS, flags, row, 0);
            b.ins().return_(&[line]);
        } else {
            let kind = b.ins().band_imm_u(status, 0xff);
            let is_failure = b.ins().icmp_imm_u(IntCC::NotEqual, status, 0);
            let is_failure = b.ins().uextend(WORD, is_failure);
            let is_kind = b.ins().icmp_imm_u(IntCC::UnsignedLessThanOrEqual, kind, TrapKind::ALL.len() as i64);
            let kind = b.ins().select(is_kind, kind, zero);
            let number = b.ins().iadd(kind, is_failure);
            let number = b.ins().ishl_imm_u(number, 3);
            let starts = b.ins().symbol_value(WORD, starts);
            let start = b.ins().iadd(starts, number);
            let general = b.ins().load(WORD, flags, start, 0);
            let own = b.ins().load(WORD, flags, row, 8);
            let failed = b.ins().icmp_imm_u(IntCC::Equal, kind, TrapKind::Failed as i64);
            let [owned, found] = [b.create_block(), b.create_block()];
            let start = b.append_block_param(found, WORD);
            b.ins().brif(failed, owned, &[], found, &[BlockArg::from(general)]);
            b.switch_to_block(owned);
            let own = b.ins().select(own, own, general);
            b.ins().jump(found, &[BlockArg::from(own)]);
            b.switch_to_block(found);
            let texts = b.ins().symbol_value(WORD, texts);
            let text = b.ins().iadd(texts, start);
            b.ins().return_(&[text]);
        }
        b.seal_all_blocks();
        b.finalize(module.target_config());
        module.define_function(id, &mut context).map_err(|e| BackendError::Jit { message: format!("{e:?}") })?;
    }
    Ok(())
}

fn define(module: &mut ObjectModule, name: &str, data: &DataDescription) -> Result<DataId, BackendError> {
    let id = module.declare_data(&format!("gradus.{name}"), Linkage::Local, false, false).map_err(jit_error)?;
    module.define_data(id, data).map_err(jit_error)?;
    Ok(id)
}

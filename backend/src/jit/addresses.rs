//! What code refers to beside functions: in memory by addresses, in an object file by symbols.

use super::layout::{Field, WORD, fields, flat};
use super::lower::Lower;
use super::runtime::Descriptor;
use crate::error::BackendError;
use cranelift::prelude::{InstBuilder, Value, types};
use cranelift_module::DataId;
use gradus_ir::{GraphId, Type};

impl Lower<'_, '_> {
    /// The address of a descriptor, which is that of the function object that holds nothing, too.
    pub fn descriptor(&mut self, g: GraphId, bound: usize) -> Result<Value, BackendError> {
        let number = self.unit.descriptor(g, bound)?;
        if self.unit.symbols.is_none() {
            let address = (&raw const self.unit.descriptors[number]).expose_provenance();
            return Ok(self.word(address as i64));
        }
        let table = self.unit.table("descriptors")?;
        let start = self.symbol(table);
        Ok(self.b.ins().iadd_imm_s(start, (number * size_of::<Descriptor>()) as i64))
    }

    /// The addresses of the shape of boxes of such fields, as it stands in their first word, and of the one that holds zeros.
    pub fn box_shape(&mut self, fields: &[Field]) -> Result<[Value; 2], BackendError> {
        let shape = self.unit.shape(fields);
        if self.unit.symbols.is_none() {
            let zero = shape.zero.as_ptr().expose_provenance();
            return Ok([shape.zero[0] as i64, zero as i64].map(|address| self.word(address)));
        }
        let zero = self.unit.shape_tables(fields)?[0];
        let zero = self.symbol(zero);
        Ok([zero, zero])
    }

    /// The scalars of the zero of a type.
    pub fn zero_scalars(&mut self, ty: &Type) -> Result<Vec<Value>, BackendError> {
        let fields = fields(ty);
        let shape = self.unit.shape(&fields);
        let mut out = Vec::new();
        for (scalar, &word) in flat([ty]).into_iter().zip(&shape.zero[1..]) {
            out.push(match scalar {
                types::F64 => self.b.ins().f64const(f64::from_bits(word)),
                other => self.b.ins().iconst(other, word as i64),
            });
        }
        if self.unit.symbols.is_some() {
            let mut at = 0;
            for field in &fields {
                if let Field::Tape(record) = field {
                    let empty = self.unit.shape_tables(record)?[1];
                    out[at] = self.symbol(empty);
                }
                at += field.words();
            }
        }
        Ok(out)
    }

    /// The address of a table.
    fn symbol(&mut self, table: DataId) -> Value {
        let table = self.unit.module.declare_data_in_func(table, self.b.func);
        self.b.ins().symbol_value(WORD, table)
    }
}

//! Functions that outlive the run that made them: the last result of a program may be one, the pullback of its value. It is called as
//! often as one likes while the memory of the run is held.

use super::flat::{Flat, copied, given};
use super::layout::{STATUS, WORD, flat, register_results};
use super::lower::{Lower, TRUSTED};
use super::runtime::{Context, Held, offsets};
use super::{Compiled, Emitter, Slot, jit_error};
use crate::arrays::Storage;
use crate::error::{BackendError, RunError};
use cranelift::prelude::{AbiParam, InstBuilder, Value};
use cranelift_module::{FuncId, Linkage};
use gradus_ir::{Array, FnType, Type};
use std::sync::Arc;

/// The signature of the pullback among results: the second of a pair.
pub fn signature(result: &Type) -> Option<&FnType> {
    match result {
        Type::Tuple(pair) if pair.len() == 2 => pair[1].signature(),
        _ => None,
    }
}

/// A pullback, with the run that made it: its tapes, closures and arrays.
#[derive(Debug)]
pub struct Pullback {
    compiled: Arc<Compiled>,
    flat: Flat,
    held: Held,
    /// What the run may refer to.
    _arguments: Vec<Storage>,
}

impl Compiled {
    /// Runs a program that gives a value and its pullback on words and arrays, as [`Compiled::run_flat`] does. Panics if it is no such
    /// program.
    pub fn run_held(
        self: &Arc<Self>,
        args: &mut [u64],
        arrays: Vec<Storage>,
        results: &mut [u64],
    ) -> Result<(Vec<Array>, Pullback), RunError> {
        let sig = signature(&self.result).expect("the program gives a value and its pullback");
        let pulled = Flat::of_types(&sig.params, &sig.result).expect("strings and boxes are no words");
        let flat = self.flat.as_ref().expect("strings and boxes are no words");
        given(args, &arrays, &flat.params);
        let (mut taken, mut words) = (Vec::new(), vec![0; results.len() + 1]);
        let mut read = |words: &mut [u64], context: Option<&mut Context>| flat.take(words, context, copied, &mut taken);
        let held = self.code.hold(args, &mut words, &mut read);
        let (held, finished) = match held {
            Ok(Ok(held)) => (Some(held), Ok(Ok(()))),
            Ok(Err(code)) => (None, Ok(Err(code))),
            Err(e) => (None, Err(e)),
        };
        self.finish(finished)?;
        results.copy_from_slice(&words[..results.len()]);
        let held = held.expect("the run has ended well");
        Ok((taken, Pullback { compiled: self.clone(), flat: pulled, held, _arguments: arrays }))
    }
}

impl Pullback {
    /// The words of the cotangent, and those of what it makes of it.
    pub fn slots(&self) -> (&[Slot], &[Slot]) {
        (&self.flat.params, &self.flat.result)
    }

    /// Calls it on the words and arrays of a cotangent.
    pub fn run(&mut self, seed: &mut [u64], arrays: &[Storage], results: &mut [u64]) -> Result<Vec<Array>, RunError> {
        given(seed, arrays, &self.flat.params);
        assert_eq!(results.len(), self.flat.result.len(), "there is a word for each scalar and array");
        let mut taken = Vec::new();
        let mut read = |words: &mut [u64], context: Option<&mut Context>| self.flat.take(words, context, copied, &mut taken);
        let finished = self.compiled.code.pull(&mut self.held, seed, results, &mut read);
        self.compiled.finish(Ok(finished))?;
        Ok(taken)
    }
}

impl Emitter<'_> {
    /// Defines what calls a function of this signature for the host.
    pub fn pullback(&mut self, sig: &FnType) -> Result<FuncId, BackendError> {
        let mut signature = self.unit.module.make_signature();
        signature.params = vec![AbiParam::new(WORD); 3];
        signature.returns = vec![AbiParam::new(STATUS)];
        let id = self.unit.module.declare_function("pullback", Linkage::Local, &signature).map_err(jit_error)?;
        self.define(id, |lower, params| {
            lower.call_held(sig, params);
            Ok(())
        })?;
        Ok(id)
    }
}

impl Lower<'_, '_> {
    /// Calls the function object that is the first of the words at an address, the others being its arguments, and stores what it gives.
    fn call_held(&mut self, sig: &FnType, params: &[Value]) {
        let args = Type::tuple(sig.params.iter().cloned());
        let object = self.b.ins().load(WORD, TRUSTED, params[0], 0);
        let given = self.load_constant(&flat([&args]), params[0], 1);
        self.retain_scalars(&args, &given, 1);
        let descriptor = self.b.ins().load(WORD, TRUSTED, object, 0);
        let code = self.b.ins().load(WORD, TRUSTED, descriptor, offsets::CODE);
        let args: Vec<Value> = [self.context, object].into_iter().chain(given).collect();
        let signature = self.signature(&args, register_results(&sig.result));
        let call = self.b.ins().call_indirect(signature, code, &args);
        let results = self.results(call, &sig.result);
        self.store(&results, params[1], 0);
        self.return_well();
    }
}

//! Compiled programs.

use crate::plugin::text_at;
use crate::sys::{self, Api, Handle, Padded};
use crate::{Buffer, Client, HostArray, PjrtError};
use std::mem::offset_of;
use std::ptr::{null, null_mut};

/// A compiled program.
pub struct Executable {
    client: Client,
    loaded: Handle,
    devices: usize,
    results: usize,
}

// SAFETY: PJRT promises that executables may be used from any thread, by several at a time.
unsafe impl Send for Executable {}
// SAFETY: as above.
unsafe impl Sync for Executable {}

impl Drop for Executable {
    fn drop(&mut self) {
        self.client.api().destroy("LoadedExecutable_Destroy", offset_of!(Api, LoadedExecutable_Destroy), self.loaded);
    }
}

impl Executable {
    pub(crate) fn new(client: Client, loaded: Handle, devices: usize) -> Result<Executable, PjrtError> {
        let mut executable = Executable { client, loaded, devices, results: 0 };
        executable.results = executable.with_description(|client, description| {
            let mut count = sys::NumberOf::<usize>::new(description);
            let outputs = client.api().function("Executable_NumOutputs", offset_of!(Api, Executable_NumOutputs))?;
            client.api().call("count the results", outputs, &mut count)?;
            Ok(count.args.own.number)
        })?;
        Ok(executable)
    }

    /// Does something with the description of the program, which is destroyed then.
    fn with_description<R>(&self, then: impl FnOnce(&Client, Handle) -> Result<R, PjrtError>) -> Result<R, PjrtError> {
        let api = self.client.api();
        let mut description = sys::ObjectOf::new(self.loaded);
        let describe = api.function("LoadedExecutable_GetExecutable", offset_of!(Api, LoadedExecutable_GetExecutable))?;
        api.call("describe the program", describe, &mut description)?;
        let found = then(&self.client, description.args.own.found);
        api.destroy("Executable_Destroy", offset_of!(Api, Executable_Destroy), description.args.own.found);
        found
    }

    /// How many devices it runs on.
    pub fn devices(&self) -> usize {
        self.devices
    }

    /// How many results each device gives.
    pub fn results(&self) -> usize {
        self.results
    }

    /// The program as the compiler has made it, in a format of XLA: serialized, so that names of operations alone can be read in it.
    pub fn optimized(&self) -> Result<Vec<u8>, PjrtError> {
        self.with_description(|client, description| {
            let api = client.api();
            let optimized = api.function("Executable_OptimizedProgram", offset_of!(Api, Executable_OptimizedProgram))?;
            let none = || Padded::new(sys::ProgramText { code: null_mut(), code_size: 0, format: null(), format_size: 0 });
            // The first call asks for the size.
            let mut text = none();
            let mut args = Padded::new(sys::OptimizedProgram { executable: description, program: &raw mut text });
            api.call("show the compiled program", optimized, &mut args)?;
            let mut bytes = vec![0_u8; text.args.own.code_size];
            text.args.own.code = bytes.as_mut_ptr().cast();
            args.args.own.program = &raw mut text;
            api.call("show the compiled program", optimized, &mut args)?;
            Ok(bytes)
        })
    }

    /// Runs it on arrays of the host: those of each device, in order. Gives the results of each device.
    pub fn run(&self, arguments: &[Vec<HostArray>]) -> Result<Vec<Vec<HostArray>>, PjrtError> {
        self.sent(arguments)?.iter().map(|list| list.iter().map(Buffer::fetch).collect()).collect()
    }

    /// The same, but for each result its parts: those of all devices if it is split, else that of the first device alone.
    pub fn run_in_parts(
        &self,
        arguments: &[Vec<HostArray>],
        is_split: impl Fn(usize) -> bool,
    ) -> Result<Vec<Vec<HostArray>>, PjrtError> {
        let results = self.sent(arguments)?;
        let parts =
            |i: usize| results.iter().take(if is_split(i) { self.devices } else { 1 }).map(|list| list[i].fetch()).collect();
        (0..self.results).map(parts).collect()
    }

    fn sent(&self, arguments: &[Vec<HostArray>]) -> Result<Vec<Vec<Buffer>>, PjrtError> {
        let send = |(device, arrays): (usize, &Vec<HostArray>)| arrays.iter().map(|a| self.client.send(a, device)).collect();
        let buffers = arguments.iter().enumerate().map(send).collect::<Result<Vec<Vec<Buffer>>, _>>()?;
        let borrowed: Vec<Vec<&Buffer>> = buffers.iter().map(|list| list.iter().collect()).collect();
        self.execute(&borrowed)
    }

    /// Runs it on arrays that are on the devices, and leaves the results there. It may return before the results are computed.
    pub fn execute(&self, arguments: &[Vec<&Buffer>]) -> Result<Vec<Vec<Buffer>>, PjrtError> {
        let count = arguments.first().map_or(0, Vec::len);
        if arguments.len() != self.devices || arguments.iter().any(|list| list.len() != count) {
            let message = format!("the program runs on {} devices, the arguments are for {}", self.devices, arguments.len());
            return Err(PjrtError::Arguments(message));
        }
        let handles: Vec<Vec<Handle>> = arguments.iter().map(|list| list.iter().map(|b| b.buffer).collect()).collect();
        let lists: Vec<*const Handle> = handles.iter().map(|list| list.as_ptr()).collect();
        let mut results = vec![vec![null_mut(); self.results]; self.devices];
        let result_lists: Vec<*mut Handle> = results.iter_mut().map(|list: &mut Vec<Handle>| list.as_mut_ptr()).collect();
        // Buffers are used again by their owners, so that none of them may be given away to a result.
        let kept: Vec<i64> = (0..count as i64).collect();
        let mut options =
            Padded::new(sys::ExecuteOptions { kept: kept.as_ptr(), kept_count: kept.len(), ..sys::ExecuteOptions::default() });
        let mut args = Padded::new(sys::Execute {
            executable: self.loaded,
            options: &raw mut options,
            arguments: lists.as_ptr(),
            devices: self.devices,
            argument_count: count,
            results: result_lists.as_ptr(),
            done: null_mut(),
            device: null_mut(),
        });
        let api = self.client.api();
        let execute = api.function("LoadedExecutable_Execute", offset_of!(Api, LoadedExecutable_Execute))?;
        api.call("run the program", execute, &mut args)?;
        let own = |list: Vec<Handle>| list.into_iter().map(|b| Buffer::new(self.client.clone(), b)).collect();
        Ok(results.into_iter().map(own).collect())
    }

    /// The names of the operations of a kind in the compiled program, as `all-reduce.4` of `all-reduce`.
    pub fn operations(&self, word: &str) -> Result<Vec<String>, PjrtError> {
        let bytes = self.optimized()?;
        // SAFETY: the bytes are ours.
        let text = unsafe { text_at(bytes.as_ptr(), bytes.len()) };
        let is_part = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
        let mut found: Vec<String> =
            text.split(|c| !is_part(c)).filter(|name| name.starts_with(word)).map(str::to_owned).collect();
        found.sort();
        found.dedup();
        // The kind itself is a name of the first operation alone, and only if that has no number.
        if found.len() > 1 {
            found.retain(|name| name != word);
        }
        Ok(found)
    }
}

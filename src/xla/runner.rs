//! A compiled program on XLA.

use super::{Fault, Program, Sharding, TRIPS, Xla, values};
use crate::{Compiled, Error};
use gradus_backend::interp::Interp;
use gradus_backend::{RunError, boundary};
use gradus_ir::{Boundary, Span, Trap, TrapKind, Type, Value};
use gradus_pjrt::{Executable, HostArray, Layout};
use std::fmt;
use std::sync::{Arc, Mutex};

/// No tape has room for more records.
const MOST_TRIPS: usize = 1 << 26;

/// How much more room there is after a tape, a stack or the heap was full. To compile takes longer than to run, mostly.
const MORE: usize = 16;

/// Runs a program. A tape that is full makes it compile again, with more room.
pub struct Runner {
    plugin: Xla,
    sharding: Sharding,
    layouts: Vec<Layout>,
    boundary: Boundary,
    params: Vec<Type>,
    loaded: Mutex<Arc<Loaded>>,
}

/// The program with tapes of one size.
struct Loaded {
    trips: usize,
    program: Program,
    executable: Executable,
}

impl Loaded {
    fn new(compiled: &Compiled, plugin: &Xla, sharding: &Sharding, trips: usize) -> Result<Loaded, Error> {
        let program = compiled.stablehlo(sharding, trips)?;
        let executable = plugin.client.compile(&program.text, sharding.devices())?;
        Ok(Loaded { trips, program, executable })
    }
}

impl fmt::Debug for Runner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Runner({:?})", self.plugin)
    }
}

/// The failure of a program by its own words. XLA knows the place alone: the interpreter runs the program once more, for the message.
fn failed(compiled: &Compiled, args: &[Value], span: Span) -> Error {
    match Interp::new(&compiled.stages().lowered).map(|program| program.run(args)) {
        Ok(Err(failure @ RunError::Failed { .. })) => failure.into(),
        _ => Error::Failed { message: "the program fails here; its message is not known to XLA".into(), span },
    }
}

impl Runner {
    /// Compiles a program for a plugin.
    pub fn new(compiled: &Compiled, plugin: &Xla, sharding: &Sharding) -> Result<Runner, Error> {
        if sharding.devices() > plugin.devices() {
            let (needed, found) = (sharding.devices(), plugin.devices());
            return Err(Error::Unavailable(format!("the mesh has {needed} devices, the XLA plugin {found}")));
        }
        let m = &compiled.stages().lowered;
        let entry = m.entry.expect("a lowered module has an entry");
        Ok(Runner {
            plugin: plugin.clone(),
            sharding: sharding.clone(),
            layouts: sharding.layouts(compiled)?,
            boundary: compiled.forms()?,
            params: m[entry].params.iter().map(|&p| m[p].ty.clone()).collect(),
            loaded: Mutex::new(Arc::new(Loaded::new(compiled, plugin, sharding, TRIPS)?)),
        })
    }

    /// The names of the operations of a kind in the compiled program.
    pub fn operations(&self, word: &str) -> Result<Vec<String>, Error> {
        Ok(self.loaded().executable.operations(word)?)
    }

    fn loaded(&self) -> Arc<Loaded> {
        self.loaded.lock().unwrap_or_else(|e| e.into_inner()).clone()
    }

    /// Runs it.
    pub fn run(&self, compiled: &Compiled, args: &[Value]) -> Result<Value, Error> {
        boundary::check_arguments(&self.boundary, &self.params, args)?;
        let mut arrays = Vec::new();
        args.iter().for_each(|arg| values::flatten(arg, &mut arrays));
        let arguments = self.split(&arrays)?;
        loop {
            let loaded = self.loaded();
            let results = loaded.executable.run(&arguments)?;
            // All devices have all results.
            let mut results = results.into_iter().next().unwrap_or_default().into_iter();
            match self.fault(&loaded.program, &mut results) {
                None => {
                    let form = self.boundary.result.as_ref().expect("a typed module has a result");
                    return values::value(form, &mut results).ok_or_else(|| Error::Internal("XLA gives other results".into()));
                }
                Some(Fault::Full) if loaded.trips < MOST_TRIPS => {
                    let more = Loaded::new(compiled, &self.plugin, &self.sharding, loaded.trips * MORE)?;
                    *self.loaded.lock().unwrap_or_else(|e| e.into_inner()) = Arc::new(more);
                }
                Some(Fault::Full) => {
                    let message = format!("a tape of XLA has no more than {MOST_TRIPS} records, and the program needs more");
                    return Err(Error::Unavailable(message));
                }
                Some(Fault::Trap(TrapKind::Failed, span)) => return Err(failed(compiled, args, span)),
                Some(Fault::Trap(kind, span)) => return Err(Error::Trap(Trap { kind, span })),
                Some(_) => return Err(Error::Internal("an unknown fault".into())),
            }
        }
    }

    /// The arrays of each device.
    fn split(&self, arrays: &[HostArray]) -> Result<Vec<Vec<HostArray>>, Error> {
        let mesh = self.sharding.mesh();
        let mut devices = vec![Vec::with_capacity(arrays.len()); self.sharding.devices()];
        for (array, layout) in arrays.iter().zip(&self.layouts) {
            for (device, part) in devices.iter_mut().zip(mesh.split(array, layout)?) {
                device.push(part);
            }
        }
        Ok(devices)
    }

    /// What went wrong, by the status, which is the first result of a program that has one.
    fn fault(&self, program: &Program, results: &mut impl Iterator<Item = HostArray>) -> Option<Fault> {
        if program.faults.is_empty() {
            return None;
        }
        let status = results.next().and_then(|status| status.ints()?.first().copied()).unwrap_or(0);
        usize::try_from(status).ok()?.checked_sub(1).and_then(|i| program.faults.get(i).copied())
    }
}

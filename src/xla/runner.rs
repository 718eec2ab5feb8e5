//! A compiled program on XLA.

use super::{Fault, Room, Sharding, TRIPS, Tensor, Xla, values};
use crate::{Compiled, Error};
use gradus_backend::interp::Interp;
use gradus_backend::{RunError, boundary};
use gradus_ir::{Boundary, Span, Trap, TrapKind, Type, Value};
use gradus_pjrt::{Executable, HostArray, Layout};
use std::fmt;
use std::sync::{Arc, Mutex};

/// No tape has room for more records, and no list for more elements.
const MOST: usize = 1 << 26;

/// The elements that a list has room for at first: each version in a box, and each frame of a recursion, takes as much.
const ELEMENTS: usize = 64;

/// How much more room there is after a tape, a stack, the heap or a list was full. To compile takes longer than to run, mostly.
const MORE: usize = 16;

/// Runs a program. A tape that is full makes it compile again, with more room.
pub struct Runner {
    plugin: Xla,
    sharding: Sharding,
    /// How arguments lie on the devices, and how results do.
    layouts: [Vec<Layout>; 2],
    boundary: Boundary,
    params: Vec<Type>,
    loaded: Mutex<Arc<Loaded>>,
}

/// The program with tapes of one size.
struct Loaded {
    room: Room,
    faults: Vec<Fault>,
    /// The shapes of the results, without the status.
    results: Vec<Tensor>,
    executable: Executable,
}

impl Loaded {
    fn new(compiled: &Compiled, plugin: &Xla, sharding: &Sharding, room: Room) -> Result<Loaded, Error> {
        let program = compiled.stablehlo(sharding, room)?;
        let executable = plugin.client.compile(&program.text, sharding.devices())?;
        Ok(Loaded { room, faults: program.faults, results: program.results, executable })
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
            loaded: Mutex::new(Arc::new(Loaded::new(compiled, plugin, sharding, Room { trips: TRIPS, elements: ELEMENTS })?)),
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
            let mut results = self.results(&loaded, &arguments)?.into_iter();
            match fault(&loaded.faults, &mut results) {
                None => {
                    let form = self.boundary.result.as_ref().expect("a typed module has a result");
                    return values::value(form, &mut results).ok_or_else(|| Error::Internal("XLA gives other results".into()));
                }
                Some(full @ (Fault::Full | Fault::Long)) => {
                    let mut room = loaded.room;
                    let side = if full == Fault::Full { &mut room.trips } else { &mut room.elements };
                    *side *= MORE;
                    if *side > MOST {
                        let message =
                            format!("a tape or a list of XLA has no more than {MOST} records, and the program needs more");
                        return Err(Error::Unavailable(message));
                    }
                    let more = Loaded::new(compiled, &self.plugin, &self.sharding, room)?;
                    *self.loaded.lock().unwrap_or_else(|e| e.into_inner()) = Arc::new(more);
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
        for (array, layout) in arrays.iter().zip(&self.layouts[0]) {
            for (device, part) in devices.iter_mut().zip(mesh.split(array, layout)?) {
                device.push(part);
            }
        }
        Ok(devices)
    }

    /// Runs the program, and puts the parts of results together. The first one is the status, if there is one.
    fn results(&self, loaded: &Loaded, arguments: &[Vec<HostArray>]) -> Result<Vec<HostArray>, Error> {
        let statuses = usize::from(!loaded.faults.is_empty());
        let layout = |i: usize| {
            let layout = i.checked_sub(statuses).and_then(|i| self.layouts[1].get(i));
            layout.filter(|layout| layout.iter().any(Option::is_some))
        };
        let parts = loaded.executable.run_in_parts(arguments, |i| layout(i).is_some())?;
        let whole = |(i, mut parts): (usize, Vec<HostArray>)| match layout(i) {
            Some(layout) => self.sharding.mesh().join(&parts, layout, &loaded.results[i - statuses].dims),
            None => parts.swap_remove(0),
        };
        Ok(parts.into_iter().enumerate().map(whole).collect())
    }
}

/// The failure that a status stands for. It is the first result of a program that has one.
fn fault(faults: &[Fault], results: &mut impl Iterator<Item = HostArray>) -> Option<Fault> {
    if faults.is_empty() {
        return None;
    }
    let status = results.next().and_then(|status| status.ints()?.first().copied()).unwrap_or(0);
    usize::try_from(status).ok()?.checked_sub(1).and_then(|i| faults.get(i).copied())
}

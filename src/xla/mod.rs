//! Programs on XLA: written in StableHLO, and run by a plugin (docs/xla.md).
//!
//! ```no_run
//! use gradus::{Engine, xla::Xla};
//!
//! # fn main() -> Result<(), gradus::Error> {
//! let plugin = Xla::load("xla_cpu_pjrt.so")?;
//! let pow = Engine::xla(plugin).load("examples/pow.py")?.function("pow")?;
//! assert_eq!(pow.grad::<(f64, i64)>()?.call((2.0, 3))?, (12.0, ()));
//! # Ok(())
//! # }
//! ```

mod runner;
mod sharding;
mod values;

use crate::{Backend, Compiled, Engine, Error, Options};
use gradus_backend::boundary;
use gradus_ir::{Boundary, Diagnostic, Module, Span, Type, stack};
use gradus_pjrt::{Client, PjrtError, Plugin, Setting};
use gradus_stablehlo::{Reason, Refusal};
use std::collections::HashMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{LazyLock, Mutex};

pub use gradus_pjrt::{Layout, Mesh};
pub use gradus_stablehlo::{Element, Fault, Program, Tensor};
pub(crate) use runner::Runner;
pub use sharding::Sharding;

/// The environment variable with the path of a plugin.
const PLUGIN: &str = "GRADUS_XLA_PLUGIN";

/// The environment variable with options for plugins.
const OPTIONS: &str = "GRADUS_XLA_OPTIONS";

/// How many records a tape, and how many elements a list, has room for where neither the program nor the caller says it.
pub const TRIPS: usize = 1024;

/// How much room there is where the program does not say how much it needs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Room {
    /// Records of a tape, or frames of a recursion.
    pub trips: usize,
    /// Elements of a list of numbers.
    pub elements: usize,
}

/// As many of each.
impl From<usize> for Room {
    fn from(trips: usize) -> Room {
        Room { trips, elements: trips }
    }
}

/// A plugin of XLA, with the devices that it has. Clones are the same one.
#[derive(Clone)]
pub struct Xla {
    path: PathBuf,
    devices: usize,
    client: Client,
}

impl Xla {
    /// Loads a plugin from a shared library, once in a process.
    ///
    /// The environment variable `GRADUS_XLA_OPTIONS` has options for the plugin, as `preallocate=false,memory_fraction=0.5`; the plugin's
    /// documents name them.
    ///
    /// Fails with [`Error::Unavailable`] if the file is no plugin, or one of another version.
    pub fn load(path: impl AsRef<Path>) -> Result<Xla, Error> {
        Xla::with_devices(path, 1)
    }

    /// The plugin that the environment variable `GRADUS_XLA_PLUGIN` names, with so many devices.
    pub fn named(devices: usize) -> Result<Xla, Error> {
        let none = || {
            Error::Arguments(format!("XLA runs programs by a plugin: name its path, or set the environment variable {PLUGIN}"))
        };
        Xla::with_devices(std::env::var_os(PLUGIN).ok_or_else(none)?, devices)
    }

    /// The same as [`Xla::load`] with so many devices. A CPU has as many virtual ones as are asked for; of other platforms there must be enough.
    pub fn with_devices(path: impl AsRef<Path>, devices: usize) -> Result<Xla, Error> {
        type Known = HashMap<(PathBuf, usize), Client>;
        static LOADED: LazyLock<Mutex<Known>> = LazyLock::new(Mutex::default);
        let path = path.as_ref().to_owned();
        let mut loaded = LOADED.lock().unwrap_or_else(|e| e.into_inner());
        if let Some(client) = loaded.get(&(path.clone(), devices)) {
            return Ok(Xla { path, devices, client: client.clone() });
        }
        let plugin = Plugin::load(&path)?;
        let text = std::env::var(OPTIONS).unwrap_or_default();
        let given = settings(&text);
        // Plugins of other platforms do not know the option.
        let virtual_devices = (devices > 1).then_some(("cpu_device_count", Setting::Int(devices as i64)));
        let all: Vec<(&str, Setting)> = given.iter().cloned().chain(virtual_devices).collect();
        let client = plugin.client(&all).or_else(|e| if devices > 1 { plugin.client(&given) } else { Err(e) })?;
        if client.device_count() < devices {
            let found = client.device_count();
            return Err(Error::Unavailable(format!("{devices} devices are asked for, the XLA plugin has {found}")));
        }
        loaded.insert((path.clone(), devices), client.clone());
        Ok(Xla { path, devices, client })
    }

    /// The name of its platform: `cpu`, `cuda`.
    pub fn platform(&self) -> &str {
        self.client.platform()
    }

    /// How many devices it has.
    pub fn devices(&self) -> usize {
        self.client.device_count()
    }
}

/// Options as they are written: `name=value`, with commas between them.
fn settings(text: &str) -> Vec<(&str, Setting)> {
    let setting = |value: &str| match (value.parse(), value.parse(), value.parse()) {
        (Ok(flag), _, _) => Setting::Bool(flag),
        (_, Ok(int), _) => Setting::Int(int),
        (_, _, Ok(float)) => Setting::Float(float),
        _ => Setting::Text(value.to_owned()),
    };
    text.split(',')
        .filter_map(|option| option.split_once('='))
        .map(|(name, value)| (name.trim(), setting(value.trim())))
        .collect()
}

impl PartialEq for Xla {
    fn eq(&self, other: &Xla) -> bool {
        (&self.path, self.devices) == (&other.path, other.devices)
    }
}

impl Eq for Xla {}

impl fmt::Debug for Xla {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Xla({}, {} devices)", self.path.display(), self.devices)
    }
}

impl Engine {
    /// An engine whose programs XLA runs.
    pub fn xla(plugin: Xla) -> Engine {
        Engine::new(Options { xla: Some(plugin), ..Options::new().backend(Backend::Xla) })
    }
}

impl Compiled {
    /// The program in StableHLO, the input language of XLA: its text, and [`Program::artifact`].
    ///
    /// ```
    /// use gradus::xla::Sharding;
    /// use gradus::{Engine, Request, Type};
    /// # fn main() -> Result<(), gradus::Error> {
    /// let pow = Engine::default().load("examples/pow.py")?.function("pow")?;
    /// let gradient = pow.compile(&[Type::F64, Type::I64], &Request::Gradient(vec![0]))?;
    /// let program = gradient.stablehlo(&Sharding::default(), 1024)?;
    /// assert!(program.text.contains("stablehlo.while"));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// Tapes have room for so many records, and lists for so many elements, where the program does not say how many there are.
    ///
    /// Fails where the program needs what XLA lacks: recursion that is no loop, functions that only the run knows, lists that grow; and
    /// where the sharding does not fit the arguments.
    pub fn stablehlo(&self, sharding: &Sharding, room: impl Into<Room>) -> Result<Program, Error> {
        let placement = sharding.placement(self)?;
        let name = self.name().to_owned();
        let Room { trips, elements } = room.into();
        let options = gradus_stablehlo::Options { trips, elements, name, placement };
        let program = stack::deep(|| gradus_stablehlo::write(&self.stages().lowered, &options))?;
        let boundary = self.forms()?;
        if boundary.result.as_ref().is_some_and(|form| has_text(&boundary.type_of(form))) {
            let m = &self.stages().typed;
            let span = m.entry.map_or(Span::NONE, |entry| m[entry].span);
            return Err(Error::Refused(vec![Diagnostic::unsupported(span, "a string comes out, and XLA has no strings")]));
        }
        Ok(program)
    }

    /// How values enter and leave the program.
    pub(crate) fn forms(&self) -> Result<Boundary, Error> {
        let m: &Module = &self.stages().lowered;
        Ok(boundary::of(m, m.entry.expect("a lowered module has an entry"))?)
    }
}

/// Whether there are strings in values of a type.
fn has_text(ty: &Type) -> bool {
    match ty {
        Type::Str => true,
        Type::Tuple(items) | Type::List(items) | Type::Record(_, items) | Type::OneOf(items) => items.iter().any(has_text),
        _ => false,
    }
}

impl From<Refusal> for Error {
    fn from(refusal: Refusal) -> Error {
        match refusal.reason {
            Reason::Untyped => Error::Internal(refusal.to_string()),
            _ => Error::Refused(vec![Diagnostic::unsupported(refusal.span.unwrap_or(Span::NONE), refusal.to_string())]),
        }
    }
}

impl From<PjrtError> for Error {
    fn from(e: PjrtError) -> Error {
        Error::Unavailable(e.to_string())
    }
}

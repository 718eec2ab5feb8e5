//! Loading a plugin, and calling its functions.

use crate::error::shortened;
use crate::sys::{self, Api, Function, Handle, Padded};
use crate::{Client, PjrtError};
use libloading::Library;
use std::error::Error;
use std::ffi::c_int;
use std::mem::{ManuallyDrop, offset_of};
use std::path::Path;
use std::sync::Arc;

/// A loaded plugin. Clones are the same plugin.
#[derive(Clone)]
pub struct Plugin {
    api: Arc<Table>,
}

/// A named option of a client.
#[derive(Clone, PartialEq, Debug)]
pub enum Setting {
    /// A text.
    Text(String),
    /// An integer.
    Int(i64),
    /// Several integers.
    Ints(Vec<i64>),
    /// A float.
    Float(f32),
    /// A boolean.
    Bool(bool),
}

/// The table of a plugin's functions.
pub(crate) struct Table {
    api: *const Api,
    /// Never unloaded: threads of the plugin run on.
    _library: ManuallyDrop<Library>,
}

// SAFETY: the table is constant, and PJRT promises that its functions may be called from any thread.
unsafe impl Send for Table {}
// SAFETY: as above.
unsafe impl Sync for Table {}

impl Plugin {
    /// Loads a plugin from a shared library.
    ///
    /// Fails if the file is no plugin, or one of another major version of the interface. The plugin reads the environment variable
    /// `XLA_FLAGS` when its first client is made.
    pub fn load(path: &Path) -> Result<Plugin, PjrtError> {
        let failed = |message: String| PjrtError::Load { path: path.to_owned(), message };
        // SAFETY: loading runs the library's initialisers, which a plugin's are made for. There is no way to check more of a file.
        let library =
            unsafe { Library::new(path) }.map_err(|e| failed(e.source().map_or(e.to_string(), |cause| cause.to_string())))?;
        // SAFETY: every plugin exports this function, with this signature.
        let get = unsafe { library.get::<unsafe extern "C" fn() -> *const Api>(b"GetPjrtApi") };
        let get = get.map_err(|_| failed("it has no function GetPjrtApi".into()))?;
        // SAFETY: the function takes nothing, and gives a table that lives as long as the library.
        let api = unsafe { get() };
        if api.is_null() {
            return Err(failed("GetPjrtApi gives nothing".into()));
        }
        let table = Table { api, _library: ManuallyDrop::new(library) };
        let found = table.version();
        if found.0 != sys::VERSION.0 {
            return Err(PjrtError::Version { path: path.to_owned(), found, expected: sys::VERSION });
        }
        let plugin = Plugin { api: Arc::new(table) };
        // Since version 0.21.
        if let Ok(initialize) = plugin.api.function("Plugin_Initialize", offset_of!(Api, Plugin_Initialize)) {
            plugin.api.call("initialise the plugin", initialize, &mut Padded::new(()))?;
        }
        Ok(plugin)
    }

    /// The version of the interface that it has, major and minor.
    pub fn version(&self) -> (i32, i32) {
        self.api.version()
    }

    /// A client: the devices of the plugin, and its compiler. Options have the names that the plugin's documents give them, as
    /// `cpu_device_count` for the number of virtual devices of a CPU.
    pub fn client(&self, options: &[(&str, Setting)]) -> Result<Client, PjrtError> {
        Client::new(self.api.clone(), options)
    }
}

impl Table {
    fn version(&self) -> (i32, i32) {
        // SAFETY: the table begins with its size and the version in all versions of the interface.
        unsafe { ((*self.api).major, (*self.api).minor) }
    }

    /// A function of the table, by its offset; an older plugin has a shorter table.
    pub fn function(&self, name: &'static str, offset: usize) -> Result<Function, PjrtError> {
        // SAFETY: the first field is the size of the table, up to which it may be read. The field at the offset is a function or null.
        let found = unsafe {
            let is_there = (*self.api).size >= offset + size_of::<Function>();
            is_there.then(|| *self.api.byte_add(offset).cast::<Option<Function>>()).flatten()
        };
        found.ok_or(PjrtError::Missing(name))
    }

    /// Calls a function with its structure. `doing` says in the message of an error what the call was for.
    pub fn call<T>(&self, doing: &'static str, f: Function, args: &mut Padded<T>) -> Result<(), PjrtError> {
        // SAFETY: callers pair each function with its structure, which is padded, so that the plugin may read more than we know of.
        let error = unsafe { f((&raw mut *args).cast()) };
        if error.is_null() { Ok(()) } else { Err(self.error(doing, error)) }
    }

    /// The message of an error, which is destroyed.
    fn error(&self, doing: &'static str, error: Handle) -> PjrtError {
        let mut text = sys::TextOf::new(error);
        let (message, destroy) = match (
            self.function("Error_Message", offset_of!(Api, Error_Message)),
            self.function("Error_Destroy", offset_of!(Api, Error_Destroy)),
        ) {
            (Ok(message), Ok(destroy)) => (message, destroy),
            _ => return PjrtError::Xla { doing, message: "an error without a message".into() },
        };
        // SAFETY: both functions give nothing, which the caller of a C function may ignore; the text lives until the error is destroyed.
        let message = unsafe {
            message((&raw mut text).cast());
            text_at(text.args.own.text.cast(), text.args.own.size)
        };
        let mut of = sys::Of::new(error);
        // SAFETY: the error is ours, and not used any more.
        unsafe { destroy((&raw mut of).cast()) };
        PjrtError::Xla { doing, message: shortened(&message) }
    }

    /// Waits for an event, and destroys it.
    pub fn wait(&self, doing: &'static str, event: Handle) -> Result<(), PjrtError> {
        if event.is_null() {
            return Ok(());
        }
        let wait = self.function("Event_Await", offset_of!(Api, Event_Await))?;
        let done = self.call(doing, wait, &mut sys::Of::new(event));
        let destroy = self.function("Event_Destroy", offset_of!(Api, Event_Destroy))?;
        self.call(doing, destroy, &mut sys::Of::new(event))?;
        done
    }

    /// Destroys an object; an error of that is of no use to anybody.
    pub fn destroy(&self, name: &'static str, offset: usize, object: Handle) {
        if let Ok(destroy) = self.function(name, offset) {
            drop(self.call("destroy an object", destroy, &mut sys::Of::new(object)));
        }
    }
}

/// A text of a plugin, as long as it says. Nothing if there is none.
///
/// # Safety
///
/// From the address on there are so many bytes.
pub(crate) unsafe fn text_at(at: *const u8, size: usize) -> String {
    if at.is_null() {
        return String::new();
    }
    // SAFETY: the caller says so.
    String::from_utf8_lossy(unsafe { std::slice::from_raw_parts(at, size) }).into_owned()
}

impl Setting {
    /// Its kind in the interface, its value, and how many values it has. The value refers to this setting.
    pub(crate) fn value(&self) -> (c_int, sys::NamedUnion, usize) {
        match self {
            Setting::Text(text) => (0, sys::NamedUnion { string: text.as_ptr().cast() }, text.len()),
            Setting::Int(value) => (1, sys::NamedUnion { int: *value }, 1),
            Setting::Ints(values) => (2, sys::NamedUnion { ints: values.as_ptr() }, values.len()),
            Setting::Float(value) => (3, sys::NamedUnion { float: *value }, 1),
            Setting::Bool(value) => (4, sys::NamedUnion { bool: *value }, 1),
        }
    }
}

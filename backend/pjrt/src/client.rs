//! Clients and buffers.

use crate::array::count;
use crate::plugin::{Table, text_at};
use crate::sys::{self, Api, Handle, Padded};
use crate::{Element, Executable, HostArray, PjrtError, Setting, options};
use std::ffi::c_void;
use std::mem::offset_of;
use std::ptr::{null, null_mut};
use std::sync::Arc;

/// The devices of a plugin, and its compiler. Clones are the same client.
#[derive(Clone)]
pub struct Client {
    own: Arc<Own>,
}

struct Own {
    api: Arc<Table>,
    client: Handle,
    devices: Vec<Handle>,
    platform: String,
}

// SAFETY: PJRT promises that clients may be used from any thread, by several at a time. Devices live as long as their client.
unsafe impl Send for Own {}
// SAFETY: as above.
unsafe impl Sync for Own {}

impl Drop for Own {
    fn drop(&mut self) {
        self.api.destroy("Client_Destroy", offset_of!(Api, Client_Destroy), self.client);
    }
}

impl Client {
    pub(crate) fn new(api: Arc<Table>, options: &[(&str, Setting)]) -> Result<Client, PjrtError> {
        let named: Vec<sys::NamedValue> = options
            .iter()
            .map(|(name, setting)| {
                let (kind, value, value_size) = setting.value();
                let size = size_of::<sys::NamedValue>();
                let (name, name_size) = (name.as_ptr().cast(), name.len());
                sys::NamedValue { size, extension: null(), name, name_size, kind, value, value_size }
            })
            .collect();
        let mut args = Padded::new(sys::CreateClient {
            options: named.as_ptr(),
            count: named.len(),
            callbacks: [null(); 4],
            client: null_mut(),
            more_callbacks: [null(); 2],
        });
        let create = api.function("Client_Create", offset_of!(Api, Client_Create))?;
        api.call("make a client", create, &mut args)?;
        let client = args.args.own.client;
        // From here on it is destroyed in the end.
        let mut own = Own { api, client, devices: Vec::new(), platform: String::new() };
        let mut list = sys::ListOf::<Handle>::new(client);
        let devices = own.api.function("Client_AddressableDevices", offset_of!(Api, Client_AddressableDevices))?;
        own.api.call("list the devices", devices, &mut list)?;
        // SAFETY: the plugin gave this list, which lives as long as the client.
        own.devices = unsafe { copied(list.args.own.items, list.args.own.count) };
        let mut text = sys::TextOf::new(client);
        let name = own.api.function("Client_PlatformName", offset_of!(Api, Client_PlatformName))?;
        own.api.call("name the platform", name, &mut text)?;
        // SAFETY: the plugin gave this text, which lives as long as the client.
        own.platform = unsafe { text_at(text.args.own.text.cast(), text.args.own.size) };
        Ok(Client { own: Arc::new(own) })
    }

    pub(crate) fn api(&self) -> &Arc<Table> {
        &self.own.api
    }

    /// The name of the platform: `cpu`, `cuda`.
    pub fn platform(&self) -> &str {
        &self.own.platform
    }

    /// How many devices of this process there are.
    pub fn device_count(&self) -> usize {
        self.own.devices.len()
    }

    /// A description of each device, as the plugin writes it.
    pub fn devices(&self) -> Result<Vec<String>, PjrtError> {
        let api = self.api();
        let describe = api.function("Device_GetDescription", offset_of!(Api, Device_GetDescription))?;
        let print = api.function("DeviceDescription_ToString", offset_of!(Api, DeviceDescription_ToString))?;
        let text = |&device: &Handle| {
            let mut description = sys::ObjectOf::new(device);
            api.call("describe a device", describe, &mut description)?;
            let mut text = sys::TextOf::new(description.args.own.found);
            api.call("describe a device", print, &mut text)?;
            // SAFETY: the plugin gave this text, which lives as long as the device.
            Ok(unsafe { text_at(text.args.own.text.cast(), text.args.own.size) })
        };
        self.own.devices.iter().map(text).collect()
    }

    /// The number of each device in the whole of the machines that work together, in order.
    fn numbers(&self) -> Result<Vec<i64>, PjrtError> {
        let api = self.api();
        let describe = api.function("Device_GetDescription", offset_of!(Api, Device_GetDescription))?;
        let number = api.function("DeviceDescription_Id", offset_of!(Api, DeviceDescription_Id))?;
        let of = |&device: &Handle| {
            let mut description = sys::ObjectOf::new(device);
            api.call("describe a device", describe, &mut description)?;
            let mut found = sys::NumberOf::<i32>::new(description.args.own.found);
            api.call("number a device", number, &mut found)?;
            Ok(i64::from(found.args.own.number))
        };
        self.own.devices.iter().map(of).collect()
    }

    /// Compiles a program in StableHLO, as text or as a portable artifact, for so many devices: the first ones. On several, the compiler
    /// splits it as its shardings say.
    pub fn compile(&self, program: impl AsRef<[u8]>, partitions: usize) -> Result<Executable, PjrtError> {
        let devices = self.numbers()?;
        let Some(devices) = devices.get(..partitions).filter(|list| !list.is_empty()) else {
            let message = format!("the program is for {partitions} devices, and there are {}", devices.len());
            return Err(PjrtError::Arguments(message));
        };
        let program = program.as_ref();
        let format = "mlir";
        // The plugin takes a pointer that is not constant, and does not write there.
        let text = Padded::new(sys::ProgramText {
            code: program.as_ptr().cast_mut().cast(),
            code_size: program.len(),
            format: format.as_ptr().cast(),
            format_size: format.len(),
        });
        let options = options::encode(devices, self.platform());
        let mut args = Padded::new(sys::Compile {
            client: self.own.client,
            program: &raw const text,
            options: options.as_ptr().cast(),
            options_size: options.len(),
            executable: null_mut(),
        });
        let compile = self.api().function("Client_Compile", offset_of!(Api, Client_Compile))?;
        self.api().call("compile the program", compile, &mut args)?;
        Executable::new(self.clone(), args.args.own.executable, partitions)
    }

    /// Copies an array to a device.
    pub fn send(&self, array: &HostArray, device: usize) -> Result<Buffer, PjrtError> {
        let Some(&device) = self.own.devices.get(device) else {
            return Err(PjrtError::Arguments(format!("there is no device {device}: {} in all", self.own.devices.len())));
        };
        if array.count() * array.element.bytes() != array.bytes.len() {
            let message = format!("an array of shape {:?} does not have {} bytes", array.dims, array.bytes.len());
            return Err(PjrtError::Arguments(message));
        }
        let mut args = Padded::new(sys::SendBuffer {
            client: self.own.client,
            data: array.bytes.as_ptr().cast(),
            element: array.element.code(),
            dims: array.dims.as_ptr(),
            rank: array.dims.len(),
            strides: null(),
            stride_count: 0,
            semantics: sys::ONLY_DURING_CALL,
            device,
            memory: null_mut(),
            layout: null(),
            done: null_mut(),
            buffer: null_mut(),
        });
        let send = self.api().function("Client_BufferFromHostBuffer", offset_of!(Api, Client_BufferFromHostBuffer))?;
        self.api().call("send an array", send, &mut args)?;
        let buffer = Buffer { client: self.clone(), buffer: args.args.own.buffer };
        // The bytes are ours until then.
        self.api().wait("send an array", args.args.own.done)?;
        Ok(buffer)
    }
}

/// A list of a plugin as one of ours.
///
/// # Safety
///
/// From the address on there are so many items, unless there are none.
pub(crate) unsafe fn copied<T: Copy>(items: *const T, count: usize) -> Vec<T> {
    if count == 0 || items.is_null() {
        return Vec::new();
    }
    // SAFETY: the caller says so.
    unsafe { std::slice::from_raw_parts(items, count) }.to_vec()
}

/// An array on a device.
pub struct Buffer {
    client: Client,
    pub(crate) buffer: Handle,
}

// SAFETY: as for clients.
unsafe impl Send for Buffer {}
// SAFETY: as for clients.
unsafe impl Sync for Buffer {}

impl Drop for Buffer {
    fn drop(&mut self) {
        self.client.api().destroy("Buffer_Destroy", offset_of!(Api, Buffer_Destroy), self.buffer);
    }
}

impl Buffer {
    pub(crate) fn new(client: Client, buffer: Handle) -> Buffer {
        Buffer { client, buffer }
    }

    /// Copies it to the host, once what computes it is done.
    pub fn fetch(&self) -> Result<HostArray, PjrtError> {
        let api = self.client.api();
        let mut element = sys::NumberOf::<i32>::new(self.buffer);
        let element_type = api.function("Buffer_ElementType", offset_of!(Api, Buffer_ElementType))?;
        api.call("fetch an array", element_type, &mut element)?;
        let code = element.args.own.number;
        let unknown = || PjrtError::Arguments(format!("a result has elements of type {code}, which is none of ours"));
        let element = Element::from_code(code).ok_or_else(unknown)?;
        let mut shape = sys::ListOf::<i64>::new(self.buffer);
        let dimensions = api.function("Buffer_Dimensions", offset_of!(Api, Buffer_Dimensions))?;
        api.call("fetch an array", dimensions, &mut shape)?;
        // SAFETY: the plugin gave this list, which lives as long as the buffer.
        let dims = unsafe { copied(shape.args.own.items, shape.args.own.count) };
        let mut bytes = vec![0_u8; count(&dims) * element.bytes()];
        if bytes.is_empty() {
            return Ok(HostArray { element, dims, bytes });
        }
        let to: *mut c_void = bytes.as_mut_ptr().cast();
        let size = bytes.len();
        let mut args = Padded::new(sys::FetchBuffer { buffer: self.buffer, layout: null(), to, size, done: null_mut() });
        let fetch = api.function("Buffer_ToHostBuffer", offset_of!(Api, Buffer_ToHostBuffer))?;
        api.call("fetch an array", fetch, &mut args)?;
        api.wait("run the program", args.args.own.done)?;
        Ok(HostArray { element, dims, bytes })
    }
}

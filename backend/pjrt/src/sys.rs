//! The part of PJRT's interface that is used here, declared by hand.
//!
//! Each function takes one structure, which begins with its size, and gives an error or nothing. A plugin of a later version has longer
//! structures and refuses shorter ones. So structures are handed over with room behind them, all zero, as if they were longer
//! ([`Padded`]): a plugin takes zero for not given.

#![allow(non_snake_case)]

use std::ffi::{c_char, c_int, c_void};
use std::ptr::{null, null_mut};

/// The version of the interface that the declarations are of.
pub const VERSION: (i32, i32) = (0, 81);

pub const TYPE_PRED: i32 = 1;
pub const TYPE_S32: i32 = 4;
pub const TYPE_S64: i32 = 5;
pub const TYPE_F32: i32 = 11;
pub const TYPE_F64: i32 = 12;

/// The host's memory is not read any more when the call has returned.
pub const ONLY_DURING_CALL: c_int = 0;

/// An object of the plugin.
pub type Handle = *mut c_void;

/// A function of the table: a structure in, an error out.
pub type Function = unsafe extern "C" fn(*mut c_void) -> Handle;

macro_rules! table {
    ($($name:ident),* $(,)?) => {
        /// The table of functions, as far as it is used.
        #[repr(C)]
        pub struct Api {
            pub size: usize,
            pub extension: *const c_void,
            pub version_size: usize,
            pub version_extension: *const c_void,
            pub major: c_int,
            pub minor: c_int,
            $( pub $name: Option<Function>, )*
        }
    };
}

table! {
    Error_Destroy,
    Error_Message,
    Error_GetCode,
    Plugin_Initialize,
    Plugin_Attributes,
    Event_Destroy,
    Event_IsReady,
    Event_Error,
    Event_Await,
    Event_OnReady,
    Client_Create,
    Client_Destroy,
    Client_PlatformName,
    Client_ProcessIndex,
    Client_PlatformVersion,
    Client_Devices,
    Client_AddressableDevices,
    Client_LookupDevice,
    Client_LookupAddressableDevice,
    Client_AddressableMemories,
    Client_Compile,
    Client_DefaultDeviceAssignment,
    Client_BufferFromHostBuffer,
    DeviceDescription_Id,
    DeviceDescription_ProcessIndex,
    DeviceDescription_Attributes,
    DeviceDescription_Kind,
    DeviceDescription_DebugString,
    DeviceDescription_ToString,
    Device_GetDescription,
    Device_IsAddressable,
    Device_LocalHardwareId,
    Device_AddressableMemories,
    Device_DefaultMemory,
    Device_MemoryStats,
    Memory_Id,
    Memory_Kind,
    Memory_DebugString,
    Memory_ToString,
    Memory_AddressableByDevices,
    Executable_Destroy,
    Executable_Name,
    Executable_NumReplicas,
    Executable_NumPartitions,
    Executable_NumOutputs,
    Executable_SizeOfGeneratedCodeInBytes,
    Executable_GetCostAnalysis,
    Executable_OutputMemoryKinds,
    Executable_OptimizedProgram,
    Executable_Serialize,
    LoadedExecutable_Destroy,
    LoadedExecutable_GetExecutable,
    LoadedExecutable_AddressableDevices,
    LoadedExecutable_Delete,
    LoadedExecutable_IsDeleted,
    LoadedExecutable_Execute,
    Executable_DeserializeAndLoad,
    LoadedExecutable_Fingerprint,
    Buffer_Destroy,
    Buffer_ElementType,
    Buffer_Dimensions,
    Buffer_UnpaddedDimensions,
    Buffer_DynamicDimensionIndices,
    Buffer_GetMemoryLayout,
    Buffer_OnDeviceSizeInBytes,
    Buffer_Device,
    Buffer_Memory,
    Buffer_Delete,
    Buffer_IsDeleted,
    Buffer_CopyToDevice,
    Buffer_ToHostBuffer,
}

/// A structure of arguments: it begins with its size and a list of extensions.
#[repr(C)]
pub struct Args<T> {
    pub size: usize,
    pub extension: *const c_void,
    pub own: T,
}

/// A structure with room behind it, which counts as a part of it.
#[repr(C)]
pub struct Padded<T> {
    pub args: Args<T>,
    rest: [usize; 32],
}

impl<T> Padded<T> {
    pub fn new(own: T) -> Padded<T> {
        Padded { args: Args { size: size_of::<Padded<T>>(), extension: null(), own }, rest: [0; 32] }
    }
}

/// Of an object, nothing more: `Destroy`, `Event_Await`.
#[repr(C)]
pub struct Of {
    pub object: Handle,
}

/// Of an object, a text: `Error_Message`, `Client_PlatformName`, `DeviceDescription_ToString`.
#[repr(C)]
pub struct TextOf {
    pub object: Handle,
    pub text: *const c_char,
    pub size: usize,
}

/// Of an object, another one: `Device_GetDescription`, `LoadedExecutable_GetExecutable`.
#[repr(C)]
pub struct ObjectOf {
    pub object: Handle,
    pub found: Handle,
}

/// Of an object, several: `Client_AddressableDevices`, `Buffer_Dimensions`.
#[repr(C)]
pub struct ListOf<T> {
    pub object: Handle,
    pub items: *const T,
    pub count: usize,
}

/// Of an object, a number: `Executable_NumOutputs`, `DeviceDescription_Id`, `Buffer_ElementType`.
#[repr(C)]
pub struct NumberOf<N> {
    pub object: Handle,
    pub number: N,
}

#[repr(C)]
pub struct NamedValue {
    pub size: usize,
    pub extension: *const c_void,
    pub name: *const c_char,
    pub name_size: usize,
    pub kind: c_int,
    pub value: NamedUnion,
    pub value_size: usize,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub union NamedUnion {
    pub string: *const c_char,
    pub int: i64,
    pub ints: *const i64,
    pub float: f32,
    pub bool: bool,
}

#[repr(C)]
pub struct CreateClient {
    pub options: *const NamedValue,
    pub count: usize,
    /// Callbacks of processes that work together, and what they are given.
    pub callbacks: [*const c_void; 4],
    pub client: Handle,
    pub more_callbacks: [*const c_void; 2],
}

#[repr(C)]
pub struct ProgramText {
    pub code: *mut c_char,
    pub code_size: usize,
    pub format: *const c_char,
    pub format_size: usize,
}

#[repr(C)]
pub struct Compile {
    pub client: Handle,
    pub program: *const Padded<ProgramText>,
    pub options: *const c_char,
    pub options_size: usize,
    pub executable: Handle,
}

#[repr(C)]
pub struct OptimizedProgram {
    pub executable: Handle,
    pub program: *mut Padded<ProgramText>,
}

#[repr(C)]
pub struct SendBuffer {
    pub client: Handle,
    pub data: *const c_void,
    pub element: c_int,
    pub dims: *const i64,
    pub rank: usize,
    pub strides: *const i64,
    pub stride_count: usize,
    pub semantics: c_int,
    pub device: Handle,
    pub memory: Handle,
    pub layout: *const c_void,
    pub done: Handle,
    pub buffer: Handle,
}

#[repr(C)]
pub struct FetchBuffer {
    pub buffer: Handle,
    pub layout: *const c_void,
    pub to: *mut c_void,
    pub size: usize,
    pub done: Handle,
}

#[repr(C)]
pub struct ExecuteOptions {
    pub callbacks: [*const c_void; 2],
    pub callback_counts: [usize; 2],
    pub launch: c_int,
    pub kept: *const i64,
    pub kept_count: usize,
    /// A context, a place in a program, and what several processes say of themselves.
    pub context: [*const c_void; 2],
    pub tasks: usize,
    pub task_lists: [*const c_void; 2],
}

impl Default for ExecuteOptions {
    fn default() -> ExecuteOptions {
        ExecuteOptions {
            callbacks: [null(); 2],
            callback_counts: [0; 2],
            launch: 0,
            kept: null(),
            kept_count: 0,
            context: [null(); 2],
            tasks: 0,
            task_lists: [null(); 2],
        }
    }
}

#[repr(C)]
pub struct Execute {
    pub executable: Handle,
    pub options: *mut Padded<ExecuteOptions>,
    pub arguments: *const *const Handle,
    pub devices: usize,
    pub argument_count: usize,
    pub results: *const *mut Handle,
    pub done: *mut Handle,
    pub device: Handle,
}

impl Of {
    pub fn new(object: Handle) -> Padded<Of> {
        Padded::new(Of { object })
    }
}

impl TextOf {
    pub fn new(object: Handle) -> Padded<TextOf> {
        Padded::new(TextOf { object, text: null(), size: 0 })
    }
}

impl ObjectOf {
    pub fn new(object: Handle) -> Padded<ObjectOf> {
        Padded::new(ObjectOf { object, found: null_mut() })
    }
}

impl<T> ListOf<T> {
    pub fn new(object: Handle) -> Padded<ListOf<T>> {
        Padded::new(ListOf { object, items: null(), count: 0 })
    }
}

impl<N: Default> NumberOf<N> {
    pub fn new(object: Handle) -> Padded<NumberOf<N>> {
        Padded::new(NumberOf { object, number: N::default() })
    }
}

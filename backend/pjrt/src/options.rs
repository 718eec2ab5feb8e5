//! The options of a compilation, as the message of Protocol Buffers `xla.CompileOptionsProto` that the interface takes.
//!
//! Few fields are needed, so they are written by hand: a field is a number and a kind, then a varint, or a length and bytes.

const EXECUTABLE_BUILD_OPTIONS: u64 = 3;
const ENV_OPTION_OVERRIDES: u64 = 7;

// Of the executable's options.
const DEVICE_ORDINAL: u64 = 1;
const NUM_REPLICAS: u64 = 4;
const NUM_PARTITIONS: u64 = 5;
const USE_SPMD_PARTITIONING: u64 = 6;
const DEVICE_ASSIGNMENT: u64 = 9;
const USE_SHARDY_PARTITIONER: u64 = 19;

/// Options of the compiler that let it change the bits of results, which are off.
const EXACT: &[&str] = &["xla_cpu_enable_fast_math", "xla_cpu_enable_fast_min_max", "xla_allow_excess_precision"];

/// Compiles for these devices.
pub fn encode(devices: &[i64], platform: &str) -> Vec<u8> {
    let is_split = devices.len() > 1;
    let mut build = Vec::new();
    varint_field(&mut build, DEVICE_ORDINAL, u64::MAX);
    varint_field(&mut build, NUM_REPLICAS, 1);
    varint_field(&mut build, NUM_PARTITIONS, devices.len() as u64);
    if is_split {
        varint_field(&mut build, USE_SPMD_PARTITIONING, 1);
    }
    // One replica of so many computations, each on a device.
    let mut assignment = Vec::new();
    varint_field(&mut assignment, 1, 1);
    varint_field(&mut assignment, 2, devices.len() as u64);
    for &device in devices {
        let (mut id, mut computation) = (Vec::new(), Vec::new());
        varint(&mut id, device.cast_unsigned());
        bytes_field(&mut computation, 1, &id);
        bytes_field(&mut assignment, 3, &computation);
    }
    bytes_field(&mut build, DEVICE_ASSIGNMENT, &assignment);
    if is_split {
        varint_field(&mut build, USE_SHARDY_PARTITIONER, 1);
    }
    let mut options = Vec::new();
    bytes_field(&mut options, EXECUTABLE_BUILD_OPTIONS, &build);
    // A map: entries with a key and a value, which is one of several, here a boolean.
    for name in EXACT.iter().filter(|name| platform == "cpu" || !name.starts_with("xla_cpu")) {
        let (mut value, mut entry) = (Vec::new(), Vec::new());
        varint_field(&mut value, 2, 0);
        bytes_field(&mut entry, 1, name.as_bytes());
        bytes_field(&mut entry, 2, &value);
        bytes_field(&mut options, ENV_OPTION_OVERRIDES, &entry);
    }
    options
}

fn varint(out: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

fn varint_field(out: &mut Vec<u8>, field: u64, value: u64) {
    varint(out, field << 3);
    varint(out, value);
}

fn bytes_field(out: &mut Vec<u8>, field: u64, bytes: &[u8]) {
    varint(out, field << 3 | 2);
    varint(out, bytes.len() as u64);
    out.extend_from_slice(bytes);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As `SerializeAsString` of jaxlib's `CompileOptions` writes the same fields.
    #[test]
    fn the_bytes_are_those_of_protocol_buffers() {
        let mut build = Vec::new();
        varint_field(&mut build, DEVICE_ORDINAL, u64::MAX);
        varint_field(&mut build, NUM_PARTITIONS, 300);
        assert_eq!(build, [8, 255, 255, 255, 255, 255, 255, 255, 255, 255, 1, 40, 0xac, 2]);
        let two = encode(&[0, 1], "cuda");
        let assignment = [0x4a, 0x0e, 8, 1, 0x10, 2, 0x1a, 3, 0x0a, 1, 0, 0x1a, 3, 0x0a, 1, 1];
        assert!(two.windows(assignment.len()).any(|w| w == assignment));
        assert!(two.windows(3).any(|w| w == [0x98, 1, 1]));
        assert!(!String::from_utf8_lossy(&two).contains("xla_cpu"));
    }
}

//! Arrays in files of NumPy's format: `.npy`.

use crate::Error;
use gradus_ir::{Array, Dims, Elements, Value};
use ndarray::{ArrayD, IxDyn, ShapeBuilder};
use npyz::{DType, Deserialize, NpyFile, NpyHeader, Order, TypeChar, WriterBuilder};
use std::io::{self, BufWriter, Write};
use std::path::Path;

/// Reads a file: an array in row-major order, or a scalar if it has no axis. Integers are int64 from here on, a scalar float is float64;
/// element types whose values these do not hold, such as uint64, are refused.
///
/// ```
/// # fn main() -> Result<(), gradus::Error> {
/// let path = std::env::temp_dir().join("gradus-doc.npy");
/// gradus::npy::write(&path, &2.5.into())?;
/// assert_eq!(gradus::npy::read(&path)?, 2.5.into());
/// # Ok(())
/// # }
/// ```
pub fn read(path: impl AsRef<Path>) -> Result<Value, Error> {
    let path = path.as_ref();
    let failed = |message: String| Error::File { path: path.display().to_string(), message };
    let bytes = std::fs::read(path).map_err(|e| failed(e.to_string()))?;
    parse(&bytes).map_err(failed)
}

fn parse(mut bytes: &[u8]) -> Result<Value, String> {
    let header = NpyHeader::from_reader(&mut bytes).map_err(|e| format!("it is not an .npy file: {e}"))?;
    let dtype = header.dtype();
    let unsupported = || format!("arrays of {} are not supported; store float64, float32, int64 or bool", dtype.descr());
    let DType::Plain(element) = &dtype else { return Err(unsupported()) };
    let size = element.size_field();
    // A file may say anything: nothing is allocated for elements that are not there.
    let needed = header.shape().iter().try_fold(size, |bytes, &n| bytes.checked_mul(n));
    if needed.is_none_or(|needed| needed > bytes.len() as u64) {
        return Err(format!("it ends before the elements of its shape, {:?}", header.shape()));
    }
    let shape: Vec<usize> = header.shape().iter().map(|&n| n as usize).collect();
    let order = header.order();
    let file = NpyFile::with_header(header, bytes);
    let elements = match (element.type_char(), size) {
        (TypeChar::Float, 8) => file.into_vec().map(Elements::F64),
        (TypeChar::Float, 4) => file.into_vec().map(Elements::F32),
        (TypeChar::Int, 8) => integers::<i64>(file),
        (TypeChar::Int, 4) => integers::<i32>(file),
        (TypeChar::Int, 2) => integers::<i16>(file),
        (TypeChar::Int, 1) => integers::<i8>(file),
        (TypeChar::Uint, 4) => integers::<u32>(file),
        (TypeChar::Uint, 2) => integers::<u16>(file),
        (TypeChar::Uint, 1) => integers::<u8>(file),
        (TypeChar::Bool, _) => file.into_vec().map(Elements::Bool),
        _ => return Err(unsupported()),
    };
    let elements = elements.map_err(|e| e.to_string())?;
    if shape.is_empty() {
        return Ok(elements.get(0));
    }
    let elements = match order {
        Order::C => elements,
        Order::Fortran => match elements {
            Elements::F32(v) => Elements::F32(row_major(&shape, v)),
            Elements::F64(v) => Elements::F64(row_major(&shape, v)),
            Elements::I64(v) => Elements::I64(row_major(&shape, v)),
            Elements::Bool(v) => Elements::Bool(row_major(&shape, v)),
        },
    };
    let shape: Vec<i64> = shape.iter().map(|&n| n as i64).collect();
    Ok(Array::new(Dims::new(shape), elements).into())
}

fn integers<T: Deserialize + Into<i64>>(file: NpyFile<&[u8]>) -> io::Result<Elements> {
    Ok(Elements::I64(file.into_vec::<T>()?.into_iter().map(T::into).collect()))
}

/// Elements in column-major order, in row-major order.
fn row_major<T: Copy>(shape: &[usize], elements: Vec<T>) -> Vec<T> {
    let array = ArrayD::from_shape_vec(IxDyn(shape).f(), elements).expect("as many elements as the shape has");
    array.iter().copied().collect()
}

/// Writes an array, or a scalar as an array without axes. Tuples, strings and `None` have no place in such a file.
pub fn write(path: impl AsRef<Path>, value: &Value) -> Result<(), Error> {
    let path = path.as_ref();
    let failed = |message: String| Error::Output { path: path.display().to_string(), message };
    let (shape, elements) = match value {
        Value::Array(array) => (array.shape(), array.elements()),
        Value::F64(v) => (Dims::NONE, &Elements::F64(vec![*v])),
        Value::I64(v) => (Dims::NONE, &Elements::I64(vec![*v])),
        Value::Bool(v) => (Dims::NONE, &Elements::Bool(vec![*v])),
        Value::Tuple(_) | Value::List(_) | Value::Record(..) | Value::Str(_) | Value::None | Value::Zero => {
            return Err(failed(format!(
                "an .npy file holds an array or a number, the value is of type {}",
                value.ty().describe()
            )));
        }
    };
    let write = || {
        let file = BufWriter::new(std::fs::File::create(path)?);
        match elements {
            Elements::F32(v) => write_elements(file, shape, v),
            Elements::F64(v) => write_elements(file, shape, v),
            Elements::I64(v) => write_elements(file, shape, v),
            Elements::Bool(v) => write_elements(file, shape, v),
        }
    };
    write().map_err(|e| failed(e.to_string()))
}

fn write_elements<T: npyz::AutoSerialize + Copy>(mut to: impl Write, shape: Dims, elements: &[T]) -> io::Result<()> {
    let shape: Vec<u64> = shape.iter().map(|n| n.unsigned_abs()).collect();
    let mut file = npyz::WriteOptions::new().default_dtype().shape(&shape).writer(&mut to).begin_nd()?;
    file.extend(elements.iter().copied())?;
    file.finish()?;
    to.flush()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A file as NumPy writes it, of a header's fields and data.
    fn file(fields: &str, data: &[u8]) -> Vec<u8> {
        let header = format!("{{{fields}}}\n");
        let length = (header.len() as u16).to_le_bytes();
        [b"\x93NUMPY\x01\x00", &length[..], header.as_bytes(), data].concat()
    }

    fn fields(descr: &str, fortran: bool, shape: &str) -> String {
        let fortran = if fortran { "True" } else { "False" };
        format!("'descr': '{descr}', 'fortran_order': {fortran}, 'shape': {shape}, ")
    }

    fn shown(descr: &str, fortran: bool, shape: &str, data: &[u8]) -> String {
        match parse(&file(&fields(descr, fortran, shape), data)) {
            Ok(value) => format!("{}: {value}", value.ty()),
            Err(message) => message,
        }
    }

    #[test]
    fn element_types_keep_their_values() {
        let bytes = |values: &[f64]| values.iter().flat_map(|v| v.to_le_bytes()).collect::<Vec<u8>>();
        assert_eq!(shown("<f8", false, "(2,)", &bytes(&[0.1, -0.0])), "f64[2]: [0.1, -0.0]");
        assert_eq!(shown("<f8", false, "()", &bytes(&[0.1])), "f64: 0.1");
        assert_eq!(shown("<f8", false, "(0, 3)", &[]), "f64[0, 3]: []");
        assert_eq!(shown(">f8", false, "(1,)", &0.1_f64.to_be_bytes()), "f64[1]: [0.1]");
        assert_eq!(shown("<f4", false, "(1,)", &0.5_f32.to_le_bytes()), "f32[1]: [0.5]");
        assert_eq!(shown("<f4", false, "()", &0.5_f32.to_le_bytes()), "f64: 0.5");
        assert_eq!(shown("<i8", false, "(1,)", &i64::MIN.to_le_bytes()), "i64[1]: [-9223372036854775808]");
        assert_eq!(shown("<i4", false, "(1,)", &(-7_i32).to_le_bytes()), "i64[1]: [-7]");
        assert_eq!(shown("|u1", false, "(2,)", &[0, 255]), "i64[2]: [0, 255]");
        assert_eq!(shown("|b1", false, "(2,)", &[0, 1]), "bool[2]: [False, True]");
    }

    #[test]
    fn columns_first() {
        assert_eq!(shown("|i1", true, "(2, 3)", &[1, 4, 2, 5, 3, 6]), "i64[2, 3]: [[1, 2, 3], [4, 5, 6]]");
        assert_eq!(shown("|b1", true, "(2, 1)", &[1, 0]), "bool[2, 1]: [[True], [False]]");
    }

    #[test]
    fn what_is_refused() {
        for descr in ["<u8", "<f2", "<c16", "<U3", "<M8[s]"] {
            assert!(shown(descr, false, "(1,)", &[0; 16]).contains("not supported"), "{descr}");
        }
        assert!(shown("<f8", false, "(2,)", &[0; 15]).contains("ends before"));
        assert!(shown("<f8", false, "(1000000000000000000,)", &[0; 8]).contains("ends before"));
        assert!(parse(b"PK\x03\x04").expect_err("a zip file").contains("not an .npy file"));
        assert!(parse(b"").is_err());
    }
}

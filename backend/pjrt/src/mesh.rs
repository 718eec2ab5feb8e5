//! Meshes of devices, and arrays that are split over them.

use crate::array::count;
use crate::{HostArray, PjrtError};

/// Devices in a grid: device 0 first along the last axis.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Mesh {
    /// The names and sizes of its axes.
    pub axes: Vec<(String, usize)>,
}

/// For each dimension of an array the axis of the mesh that it is split over, by its number, or none: then each device has all of it.
/// Dimensions that are left out are not split.
pub type Layout = Vec<Option<usize>>;

impl Mesh {
    /// The number of its devices.
    pub fn devices(&self) -> usize {
        self.axes.iter().map(|(_, size)| size).product()
    }

    /// The place of a device along each axis.
    fn place(&self, device: usize) -> Vec<usize> {
        let mut rest = device;
        let mut place: Vec<usize> = self
            .axes
            .iter()
            .rev()
            .map(|(_, size)| {
                let at = rest % size;
                rest /= size;
                at
            })
            .collect();
        place.reverse();
        place
    }

    /// The shape of the part of an array that each device has. Fails if a dimension cannot be split evenly, or an axis is used twice.
    pub fn part(&self, dims: &[i64], layout: &Layout) -> Result<Vec<i64>, PjrtError> {
        let mut part = dims.to_vec();
        let mut used = vec![false; self.axes.len()];
        for (i, axis) in layout.iter().enumerate() {
            let Some(axis) = *axis else { continue };
            let (Some((name, size)), Some(length)) = (self.axes.get(axis), part.get_mut(i)) else {
                return Err(PjrtError::Arguments(format!(
                    "an array of shape {dims:?} has no dimension {i} to split over axis {axis}"
                )));
            };
            if std::mem::replace(&mut used[axis], true) {
                return Err(PjrtError::Arguments(format!("two dimensions of one array are split over the axis `{name}`")));
            }
            if *length % *size as i64 != 0 {
                let message = format!("{length} elements cannot be split evenly over the axis `{name}` of {size} devices");
                return Err(PjrtError::Arguments(message));
            }
            *length /= *size as i64;
        }
        Ok(part)
    }

    /// Where the part of a device begins.
    fn start(&self, device: usize, part: &[i64], layout: &Layout) -> Vec<usize> {
        let place = self.place(device);
        let at = |i: usize| layout.get(i).copied().flatten().map_or(0, |axis| place[axis]);
        part.iter().enumerate().map(|(i, &length)| at(i) * usize::try_from(length).unwrap_or(0)).collect()
    }

    /// The part of each device.
    pub fn split(&self, array: &HostArray, layout: &Layout) -> Result<Vec<HostArray>, PjrtError> {
        let part = self.part(&array.dims, layout)?;
        let size = array.element.bytes();
        let of = |device: usize| {
            let start = self.start(device, &part, layout);
            let mut bytes = Vec::with_capacity(count(&part) * size);
            for row in rows(&array.dims, &part, &start) {
                bytes.extend_from_slice(&array.bytes[row.start * size..row.end * size]);
            }
            HostArray { element: array.element, dims: part.clone(), bytes }
        };
        Ok((0..self.devices()).map(of).collect())
    }

    /// The whole of an array of which each device has a part. Panics if there are not as many parts as devices.
    pub fn join(&self, parts: &[HostArray], layout: &Layout, dims: &[i64]) -> HostArray {
        assert_eq!(parts.len(), self.devices(), "each device has a part");
        let (element, size) = (parts[0].element, parts[0].element.bytes());
        let mut bytes = vec![0; count(dims) * size];
        for (device, part) in parts.iter().enumerate() {
            let start = self.start(device, &part.dims, layout);
            let mut from = 0;
            for row in rows(dims, &part.dims, &start) {
                let length = row.len() * size;
                bytes[row.start * size..row.end * size].copy_from_slice(&part.bytes[from..from + length]);
                from += length;
            }
        }
        HostArray { element, dims: dims.to_vec(), bytes }
    }
}

/// Where the elements of a part lie in the whole, row by row.
fn rows(dims: &[i64], part: &[i64], start: &[usize]) -> Vec<std::ops::Range<usize>> {
    if dims.is_empty() {
        return std::iter::once(0..1).collect();
    }
    let last = dims.len() - 1;
    let width = usize::try_from(part[last]).unwrap_or(0);
    let mut found = Vec::new();
    for number in 0..count(&part[..last]) {
        // The row's place in the part, as that in the whole.
        let (mut rest, mut at, mut stride) = (number, start[last], usize::try_from(dims[last]).unwrap_or(0));
        for axis in (0..last).rev() {
            let length = usize::try_from(part[axis]).unwrap_or(1);
            at += (rest % length + start[axis]) * stride;
            rest /= length;
            stride *= usize::try_from(dims[axis]).unwrap_or(0);
        }
        found.push(at..at + width);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mesh() -> Mesh {
        Mesh { axes: vec![("data".into(), 2), ("model".into(), 3)] }
    }

    #[test]
    fn parts_are_those_of_a_grid() {
        let floats: Vec<f64> = (0..24).map(f64::from).collect();
        let array = HostArray::of_floats(&[4, 6], &floats);
        let parts = mesh().split(&array, &vec![Some(0), Some(1)]).unwrap();
        assert_eq!(parts.len(), 6);
        assert_eq!(parts[0].floats().unwrap(), [0.0, 1.0, 6.0, 7.0]);
        assert_eq!(parts[1].floats().unwrap(), [2.0, 3.0, 8.0, 9.0]);
        assert_eq!(parts[5].floats().unwrap(), [16.0, 17.0, 22.0, 23.0]);
        // Not split along the first dimension: the same for both rows of devices.
        let parts = mesh().split(&array, &vec![None, Some(1)]).unwrap();
        assert_eq!(parts[1], parts[4]);
    }

    #[test]
    fn joining_undoes_splitting() {
        let floats: Vec<f64> = (0..36).map(f64::from).collect();
        let array = HostArray::of_floats(&[2, 3, 6], &floats);
        for layout in [vec![], vec![Some(0)], vec![Some(0), Some(1)], vec![None, None, Some(1)], vec![None, Some(1), Some(0)]] {
            let parts = mesh().split(&array, &layout).unwrap();
            assert_eq!(mesh().join(&parts, &layout, &array.dims), array, "{layout:?}");
        }
        let scalar = HostArray::from(1.5);
        assert_eq!(mesh().join(&mesh().split(&scalar, &vec![]).unwrap(), &vec![], &[]), scalar);
    }

    #[test]
    fn uneven_parts_are_refused() {
        let array = HostArray::of_floats(&[3], &[0.0; 3]);
        let message = mesh().split(&array, &vec![Some(0)]).unwrap_err().to_string();
        assert_eq!(message, "3 elements cannot be split evenly over the axis `data` of 2 devices");
        let square = HostArray::of_floats(&[2, 2], &[0.0; 4]);
        assert!(mesh().split(&square, &vec![Some(0), Some(0)]).is_err());
    }
}

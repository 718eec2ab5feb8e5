//! How an operand lies in memory, seen along the iteration space in row-major order.

use smallvec::SmallVec;

/// An axis of the iteration space: its length, and how many elements a step along it is in memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Axis {
    extent: usize,
    stride: isize,
}

/// The elements of an operand, one for each point of the iteration space.
#[derive(Clone, Debug)]
pub struct View {
    /// Innermost first, and as few as possible: each is where the one before could not be continued.
    axes: SmallVec<[Axis; 3]>,
    /// Where the first element is, in elements.
    pub offset: isize,
}

impl View {
    /// A view of these strides over an iteration space.
    pub fn new(extents: &[usize], offset: isize, strides: &[isize]) -> View {
        assert_eq!(extents.len(), strides.len(), "a stride for each axis");
        let mut axes: SmallVec<[Axis; 3]> = SmallVec::new();
        for (&extent, &stride) in extents.iter().zip(strides).rev().filter(|&(&extent, _)| extent != 1) {
            match axes.last_mut() {
                Some(inner) if stride == inner.stride * inner.extent as isize => inner.extent *= extent,
                _ => axes.push(Axis { extent, stride }),
            }
        }
        View { axes, offset }
    }

    /// Whether all points have one element.
    pub fn is_uniform(&self) -> bool {
        self.axes.iter().all(|axis| axis.stride == 0)
    }

    /// Whether the elements lie one after the other.
    pub fn is_dense(&self) -> bool {
        matches!(self.axes[..], [Axis { stride: 1, .. }])
    }

    /// The elements of the points `start..start + n`, dense in memory: where they are, if they lie there so, or copied to `room`.
    ///
    /// # Safety
    /// `base` is the array's first element, of the type `T`. The points are of the iteration space and their elements of the
    /// array, behind which 64 bytes are readable; `room` has place for 64 bytes more than `n` elements.
    pub unsafe fn gather<T: Copy>(&self, base: *const T, start: usize, n: usize, room: *mut T) -> *const T {
        let mut digits: SmallVec<[usize; 6]> = SmallVec::from_elem(0, self.axes.len());
        let mut at = self.offset;
        if start != 0 {
            let mut rest = start;
            for (digit, axis) in digits.iter_mut().zip(&self.axes) {
                (rest, *digit) = (rest / axis.extent, rest % axis.extent);
                at += *digit as isize * axis.stride;
            }
        }
        let inner = self.axes[0];
        if inner.stride == 1 && inner.extent - digits[0] >= n {
            // SAFETY: the element of a point.
            return unsafe { base.offset(at) };
        }
        let mut done = 0;
        loop {
            let taken = (inner.extent - digits[0]).min(n - done);
            // SAFETY: these are elements of points, and there is room for them and for 64 bytes more.
            unsafe { copy(base.offset(at), inner.stride, taken, room.add(done)) };
            done += taken;
            if done == n {
                return room;
            }
            // The next segment: the axes that are at their end start again.
            at -= digits[0] as isize * inner.stride;
            digits[0] = 0;
            for (digit, axis) in digits.iter_mut().zip(&self.axes).skip(1) {
                *digit += 1;
                at += axis.stride;
                if *digit < axis.extent {
                    break;
                }
                at -= *digit as isize * axis.stride;
                *digit = 0;
            }
        }
    }
}

/// Copies `n` elements of a stride.
///
/// # Safety
/// They are elements of an array behind which 64 bytes are readable; `to` has place for them and for 64 bytes more.
pub unsafe fn copy<T: Copy>(from: *const T, stride: isize, n: usize, to: *mut T) {
    // SAFETY: of eight elements at a time, which are 64 bytes at most, only the last reach beyond those that are asked for.
    unsafe {
        match stride {
            1 => (0..n)
                .step_by(8)
                .for_each(|i| to.add(i).cast::<[T; 8]>().write_unaligned(from.add(i).cast::<[T; 8]>().read_unaligned())),
            0 => (0..n).step_by(8).for_each(|i| to.add(i).cast::<[T; 8]>().write_unaligned([*from; 8])),
            _ => (0..n).for_each(|i| *to.add(i) = *from.offset(i as isize * stride)),
        }
    }
}

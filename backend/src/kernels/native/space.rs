//! The iteration space of a kernel as a nest of loops, as few as possible.

/// The axes of a nest, outermost first, and for each array how far a step along each axis is, in elements.
#[derive(Debug)]
pub struct Space {
    /// The axes around the innermost one.
    pub outer: Vec<usize>,
    /// The innermost axis, along which there are vectors.
    pub inner: usize,
    /// The strides of each array: of the outer axes, and of the innermost one.
    pub strides: Vec<(Vec<isize>, isize)>,
}

impl Space {
    /// The space of these extents, whose arrays have these strides. Axes are one where no array tells them apart.
    pub fn new(extents: &[usize], arrays: &[Vec<isize>]) -> Space {
        let mut axes: Vec<(usize, Vec<isize>)> = Vec::new();
        for axis in (0..extents.len()).rev().filter(|&axis| extents[axis] != 1) {
            let strides: Vec<isize> = arrays.iter().map(|strides| strides[axis]).collect();
            match axes.last_mut() {
                Some((extent, inner)) if strides.iter().zip(&*inner).all(|(s, inner)| *s == inner * *extent as isize) => {
                    *extent *= extents[axis];
                }
                _ => axes.push((extents[axis], strides)),
            }
        }
        if axes.is_empty() {
            axes.push((1, vec![1; arrays.len()]));
        }
        axes.reverse();
        let (inner, last) = axes.pop().expect("there is an axis");
        let strides = (0..arrays.len()).map(|array| (axes.iter().map(|(_, s)| s[array]).collect(), last[array])).collect();
        Space { outer: axes.iter().map(|&(extent, _)| extent).collect(), inner, strides }
    }
}

/// The strides of an output along the axes that are kept, dense; 0 along the others.
pub fn kept_strides(extents: &[usize], kept: impl Fn(usize) -> bool) -> Vec<isize> {
    let mut strides = vec![0; extents.len()];
    let mut step = 1;
    for axis in (0..extents.len()).rev().filter(|&axis| kept(axis)) {
        strides[axis] = step as isize;
        step *= extents[axis];
    }
    strides
}

//! Matrices: products, and what is decomposed. Products are those of `kernels`, decompositions those of nalgebra.

use super::Layout;
use crate::kernels::{Float, SAME_ORDER, matmul};
use gradus_ir::{ArrayOp, DType, Type};
use nalgebra::{DMatrix, DMatrixView, Dyn};

/// An operation on matrices.
#[derive(Debug)]
pub struct Linear {
    pub op: ArrayOp,
    pub dtype: DType,
    /// The lengths of the axes that are those of stacks.
    pub stack: Vec<usize>,
    /// Rows, columns of the result, and what is summed over.
    pub sizes: [usize; 3],
    /// How the operands of products lie.
    pub layouts: [Layout; 2],
}

impl Linear {
    /// The operation on operands of these types, which lie dense.
    pub fn new(op: ArrayOp, operands: &[Type]) -> Linear {
        let layouts = [0, operands.len() - 1].map(|i| Layout::dense(operands[i].shape().expect("an array")));
        Linear::of(op, operands, layouts)
    }

    /// The product of matrices, or of stacks of them, of operands of these types that lie like this.
    pub fn product(operands: &[Type], layouts: [Layout; 2]) -> Linear {
        Linear::of(ArrayOp::MatMul, operands, layouts)
    }

    fn of(op: ArrayOp, operands: &[Type], layouts: [Layout; 2]) -> Linear {
        let (dtype, shape) = operands[0].as_array().expect("an array");
        let (outer, matrix) = shape.split_at(shape.len() - 2);
        let columns = operands.last().and_then(Type::shape).map_or(0, |s| s[s.len() - 1] as usize);
        let stack = outer.iter().map(|&n| n as usize).collect();
        let mut all = Linear { op, dtype, stack, sizes: [matrix[0] as usize, columns, matrix[1] as usize], layouts };
        if op == ArrayOp::MatMul && dtype.is_float() {
            all.join();
        }
        all
    }

    /// Makes one product of those with the same second operand, if the rows of their first ones lie one behind the other, and if
    /// more rows change no order of sums.
    fn join(&mut self) {
        let [m, n, k] = &mut self.sizes;
        if *m == 1 || *n == 1 || !SAME_ORDER.contains(k) {
            return;
        }
        while let Some(&count) = self.stack.last() {
            let axis = self.stack.len() - 1;
            let [a, b] = &mut self.layouts;
            if count != 1 && (b.strides[axis] != 0 || a.strides[axis] != *m as isize * a.matrix()[0]) {
                return;
            }
            *m *= count;
            self.stack.pop();
            a.strides.remove(axis);
            b.strides.remove(axis);
        }
    }

    /// Where the two matrices of each product begin, in elements.
    fn places(&self) -> impl Iterator<Item = [isize; 2]> {
        (0..self.stack.iter().product()).map(|i| [0, 1].map(|operand| self.layouts[operand].matrix_in_stack(&self.stack, i)))
    }

    /// Products of matrices of floats.
    ///
    /// # Safety
    /// As for [`Linear::run`].
    unsafe fn products<T: Float>(&self, inputs: &[u64], out: *mut u8) {
        let [m, n, _] = self.sizes;
        let [a, b] = [inputs[0] as *const T, inputs[1] as *const T];
        let [a_strides, b_strides] = [0, 1].map(|i| self.layouts[i].matrix());
        for (i, [from_a, from_b]) in self.places().enumerate() {
            // SAFETY: by the contract, the layouts are views of the operands, and the result is so many matrices.
            unsafe {
                let to = out.cast::<T>().add(i * m * n);
                matmul(to, self.sizes, a.offset(from_a), a_strides, b.offset(from_b), b_strides);
            }
        }
    }

    /// Products of matrices of integers, which wrap.
    ///
    /// # Safety
    /// As for [`Linear::run`].
    unsafe fn products_of_integers(&self, inputs: &[u64], out: *mut u8) {
        let sizes @ [m, n, _] = self.sizes;
        let [a, b] = [inputs[0] as *const i64, inputs[1] as *const i64];
        for (i, [from_a, from_b]) in self.places().enumerate() {
            // SAFETY: by the contract, operands and result are so many matrices of these sizes, which lie dense.
            unsafe { product(out.cast::<i64>().add(i * m * n), sizes, a.offset(from_a), b.offset(from_b)) };
        }
    }

    /// Runs it.
    ///
    /// # Safety
    /// As for [`super::Operation::run`].
    pub unsafe fn run(&self, inputs: &[u64], out: *mut u8) {
        let [m, n, _] = self.sizes;
        if self.op == ArrayOp::MatMul {
            // SAFETY: by the contract.
            return unsafe {
                match self.dtype {
                    DType::F32 => self.products::<f32>(inputs, out),
                    DType::F64 => self.products::<f64>(inputs, out),
                    _ => self.products_of_integers(inputs, out),
                }
            };
        }
        // SAFETY: by the contract, the first operand is a square matrix of floats.
        let a = unsafe { matrix(inputs[0] as *const f64, m, m) };
        let out = out.cast::<f64>();
        // SAFETY: by the contract, the result has as many elements as each case writes.
        let write = |rows: usize, columns: usize, value: &dyn Fn(usize, usize) -> f64| unsafe {
            for i in 0..rows {
                for j in 0..columns {
                    out.add(i * columns + j).write(value(i, j));
                }
            }
        };
        match self.op {
            ArrayOp::Solve => {
                // SAFETY: by the contract, the second operand is a matrix of n columns.
                let b = unsafe { matrix(inputs[1] as *const f64, m, n) };
                let solution = a.lu().solve(&b);
                // What has no solution is infinite in NumPy's error; here it is NaN.
                write(m, n, &|i, j| solution.as_ref().map_or(f64::NAN, |x| x[(i, j)]));
            }
            ArrayOp::LogDet | ArrayOp::DetSign => {
                let lu = a.lu();
                let diagonal = lu.u().diagonal();
                let sign = diagonal.iter().fold(lu.p().determinant::<f64>(), |s, d| if *d == 0.0 { 0.0 } else { s * d.signum() });
                let log = diagonal.iter().map(|d| d.abs().ln()).sum::<f64>();
                write(1, 1, &|_, _| if self.op == ArrayOp::LogDet { log } else { sign });
            }
            ArrayOp::Cholesky => {
                let l = a.cholesky().map(|c| c.l());
                write(m, m, &|i, j| l.as_ref().map_or(f64::NAN, |l| l[(i, j)]));
            }
            _ => write(m, m, &|i, j| {
                if i > j {
                    a[(i, j)]
                } else if i == j {
                    0.5 * a[(i, j)]
                } else {
                    0.0
                }
            }),
        }
    }
}

/// # Safety
/// There is a matrix of floats of so many rows and columns.
unsafe fn matrix(from: *const f64, rows: usize, columns: usize) -> DMatrix<f64> {
    // SAFETY: by the contract.
    let elements = unsafe { std::slice::from_raw_parts(from, rows * columns) };
    let view: DMatrixView<'_, f64, Dyn, Dyn> =
        DMatrixView::from_slice_with_strides_generic(elements, Dyn(rows), Dyn(columns), Dyn(columns), Dyn(1));
    view.into_owned()
}

/// The product of matrices of integers, which wrap.
///
/// # Safety
/// The operands and the result are matrices of these sizes.
unsafe fn product(to: *mut i64, [m, n, k]: [usize; 3], a: *const i64, b: *const i64) {
    for i in 0..m {
        for j in 0..n {
            // SAFETY: by the contract.
            let terms = (0..k).map(|l| unsafe { a.add(i * k + l).read().wrapping_mul(b.add(l * n + j).read()) });
            let sum = terms.fold(0, i64::wrapping_add);
            // SAFETY: by the contract.
            unsafe { to.add(i * n + j).write(sum) };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gradus_ir::Dims;

    /// The stack and the sizes of products of operands of these shapes that lie like this.
    fn check(shapes: [&[i64]; 2], strides: [&[isize]; 2], stack: &[usize], sizes: [usize; 3]) {
        let types = shapes.map(|shape| Type::Array(DType::F64, Dims::new(shape)));
        let found = Linear::product(&types, strides.map(|strides| Layout { offset: 0, strides: strides.to_vec() }));
        assert_eq!((&found.stack[..], found.sizes), (stack, sizes));
        assert!(found.layouts.iter().all(|layout| layout.strides.len() == stack.len() + 2), "{:?}", found.layouts);
    }

    #[test]
    fn products_with_the_same_second_operand_are_one() {
        check([&[6, 3, 4], &[6, 4, 5]], [&[12, 4, 1], &[0, 5, 1]], &[], [18, 5, 4]);
        check([&[7, 6, 3, 4], &[7, 6, 4, 5]], [&[72, 12, 4, 1], &[20, 0, 5, 1]], &[7], [18, 5, 4]);
        check([&[6, 3, 4], &[6, 4, 5]], [&[12, 4, 1], &[20, 5, 1]], &[6], [3, 5, 4]);
        // Rows that do not follow each other; products with vectors, and sums of two, which have other orders.
        check([&[6, 3, 4], &[6, 4, 5]], [&[24, 4, 1], &[0, 5, 1]], &[6], [3, 5, 4]);
        check([&[6, 1, 4], &[6, 4, 5]], [&[4, 4, 1], &[0, 5, 1]], &[6], [1, 5, 4]);
        check([&[6, 3, 4], &[6, 4, 1]], [&[12, 4, 1], &[0, 1, 1]], &[6], [3, 1, 4]);
        check([&[6, 3, 2], &[6, 2, 5]], [&[6, 2, 1], &[0, 5, 1]], &[6], [3, 5, 2]);
    }
}

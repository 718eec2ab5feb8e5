//! Kernels against `gradus_ir::eval`, point by point, and against the order of reductions as it is written down.

use super::isa::Isa;
use super::reduce::{BLOCK, LANES};
use super::{Builder, Joined, Reduction, ValueId, result_dtype};
use gradus_ir::eval::{Scalar, eval, powi_steps};
use gradus_ir::{DType, Prim};
use std::fmt::Debug;

/// Numbers that look random, the same in every run.
struct Random {
    state: u64,
    /// Whether some are special.
    specials: bool,
}

impl Random {
    fn new(seed: u64) -> Random {
        Random { state: seed, specials: true }
    }

    fn bits(&mut self) -> u64 {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        self.state
    }

    fn below(&mut self, n: usize) -> usize {
        (self.bits() >> 11) as usize % n
    }

    /// An ordinary number mostly, or else a special one.
    fn scalar(&mut self, dtype: DType) -> Scalar {
        const FLOATS: [f64; 16] = [
            0.0,
            -0.0,
            1.0,
            -1.0,
            f64::INFINITY,
            f64::NEG_INFINITY,
            f64::NAN,
            5e-324,
            -1e-310,
            f64::MIN_POSITIVE,
            f64::MAX,
            f64::MIN,
            1e300,
            -2.5,
            709.5,
            1e7,
        ];
        const INTEGERS: [i64; 8] = [0, 1, -1, 2, i64::MIN, i64::MAX, i64::MIN + 1, 1 << 53 | 1];
        let special = self.specials && self.below(4) == 0;
        match dtype {
            DType::Bool => Scalar::Bool(self.below(2) == 1),
            DType::I64 if special => Scalar::I64(INTEGERS[self.below(INTEGERS.len())]),
            DType::I64 => Scalar::I64(self.below(41) as i64 - 20),
            DType::F64 if special => Scalar::F64(FLOATS[self.below(FLOATS.len())]),
            DType::F64 => Scalar::F64((self.below(2_000_001) as f64 - 1e6) / 1e5),
            DType::F32 if special && self.below(2) == 0 => Scalar::F64(f32::from_bits(self.bits() as u32).into()),
            DType::F32 => narrow(self.scalar(DType::F64)),
        }
    }

    fn scalars(&mut self, dtype: DType, n: usize) -> Vec<Scalar> {
        (0..n).map(|_| self.scalar(dtype)).collect()
    }
}

/// What kernels say where `eval` traps.
fn scalar(prim: Prim, operands: &[Scalar]) -> Scalar {
    match (prim, operands) {
        (Prim::Ipow, &[Scalar::I64(a), Scalar::I64(n)]) => Scalar::I64(match n {
            ..0 => 0,
            0 => 1,
            _ => powi_steps(n as u64).fold(a, |p, multiply| p.wrapping_mul(p).wrapping_mul(if multiply { a } else { 1 })),
        }),
        _ => match (eval(prim, operands).expect("a scalar primitive"), prim, operands) {
            (Ok(value), ..) => value,
            (Err(_), Prim::Add, &[Scalar::I64(a), Scalar::I64(b)]) => Scalar::I64(a.wrapping_add(b)),
            (Err(_), Prim::Sub, &[Scalar::I64(a), Scalar::I64(b)]) => Scalar::I64(a.wrapping_sub(b)),
            (Err(_), Prim::Mul, &[Scalar::I64(a), Scalar::I64(b)]) => Scalar::I64(a.wrapping_mul(b)),
            (Err(_), Prim::Neg | Prim::Abs, &[Scalar::I64(a)]) => Scalar::I64(a),
            (Err(_), Prim::FloorDiv | Prim::Mod, &[_, Scalar::I64(0)]) => Scalar::I64(0),
            (Err(_), Prim::FloorDiv, &[a, _]) => a,
            (Err(_), Prim::Int, &[Scalar::F64(a)]) => Scalar::I64(a as i64),
            trapped => panic!("{trapped:?}"),
        },
    }
}

/// A float as one of 32 bits.
fn narrow(v: Scalar) -> Scalar {
    match v {
        Scalar::F64(v) => Scalar::F64((v as f32).into()),
        other => other,
    }
}

fn word(v: Scalar) -> u64 {
    match v {
        Scalar::F64(v) => v.to_bits(),
        Scalar::I64(v) => v as u64,
        Scalar::Bool(v) => v.into(),
    }
}

#[track_caller]
fn assert_same(found: Scalar, expected: Scalar, context: impl Fn() -> String) {
    let is_nan = |v: Scalar| matches!(v, Scalar::F64(v) if v.is_nan());
    assert!(
        word(found) == word(expected) || is_nan(found) && is_nan(expected),
        "{}: {found:?}, expected {expected:?}",
        context()
    );
}

#[repr(C, align(64))]
#[derive(Clone, Copy)]
struct Line([u8; 64]);

/// An array in memory, with a line behind it.
struct Buffer {
    lines: Vec<Line>,
    dtype: DType,
    n: usize,
}

const BEHIND: u8 = 0xA5;

impl Buffer {
    fn new(dtype: DType, n: usize) -> Buffer {
        Buffer { lines: vec![Line([BEHIND; 64]); n * dtype.bytes() / 64 + 2], dtype, n }
    }

    fn of(dtype: DType, elements: &[Scalar]) -> Buffer {
        let mut buffer = Buffer::new(dtype, elements.len());
        for (i, &element) in elements.iter().enumerate() {
            let bits = match (dtype, element) {
                (DType::F32, Scalar::F64(v)) => u64::from((v as f32).to_bits()),
                _ => word(element),
            };
            let bytes = &bits.to_le_bytes()[..dtype.bytes()];
            let at = i * dtype.bytes();
            buffer.lines[at / 64].0[at % 64..][..bytes.len()].copy_from_slice(bytes);
        }
        buffer
    }

    fn at(&mut self) -> *mut u8 {
        self.lines.as_mut_ptr().cast()
    }

    /// The elements; what is behind them has not been touched.
    fn elements(&self) -> Vec<Scalar> {
        let bytes: Vec<u8> = self.lines.iter().flat_map(|line| line.0).collect();
        let (elements, behind) = bytes.split_at(self.n * self.dtype.bytes());
        assert!(behind.iter().all(|&byte| byte == BEHIND), "written behind the end");
        let element = |bytes: &[u8]| match self.dtype {
            DType::Bool => Scalar::Bool(bytes[0] == 1),
            DType::I64 => Scalar::I64(i64::from_le_bytes(bytes.try_into().unwrap())),
            DType::F32 => Scalar::F64(f32::from_le_bytes(bytes.try_into().unwrap()).into()),
            DType::F64 => Scalar::F64(f64::from_le_bytes(bytes.try_into().unwrap())),
        };
        elements.chunks(self.dtype.bytes()).map(element).collect()
    }
}

/// A kernel and what it should give.
struct Sample {
    extents: Vec<usize>,
    builder: Builder,
    /// Each value at each point.
    values: Vec<Vec<Scalar>>,
    arrays: Vec<Buffer>,
    /// Scalars, or nothing for the next array.
    inputs: Vec<Option<u64>>,
    expected: Vec<Vec<Scalar>>,
    outputs: Vec<Buffer>,
}

impl Sample {
    fn new(extents: &[usize]) -> Sample {
        Sample {
            extents: extents.to_vec(),
            builder: Builder::new(extents),
            values: Vec::new(),
            arrays: Vec::new(),
            inputs: Vec::new(),
            expected: Vec::new(),
            outputs: Vec::new(),
        }
    }

    fn count(&self) -> usize {
        self.extents.iter().product()
    }

    fn points(&self) -> impl Iterator<Item = Vec<usize>> + use<> {
        let extents = self.extents.clone();
        (0..self.count()).map(move |mut i| {
            let mut point: Vec<usize> = extents.iter().rev().map(|&d| (i % d, i /= d).0).collect();
            point.reverse();
            point
        })
    }

    fn view(&mut self, elements: &[Scalar], dtype: DType, offset: isize, strides: &[isize]) -> ValueId {
        let at = |p: Vec<usize>| offset + p.iter().zip(strides).map(|(&i, &s)| i as isize * s).sum::<isize>();
        self.values.push(self.points().map(|p| elements[at(p) as usize]).collect());
        self.arrays.push(Buffer::of(dtype, elements));
        self.inputs.push(None);
        self.builder.array(dtype, offset, strides)
    }

    fn dense_strides(&self) -> Vec<isize> {
        let mut step = 1;
        let mut strides: Vec<isize> = self.extents.iter().rev().map(|&d| (step, step *= d as isize).0).collect();
        strides.reverse();
        strides
    }

    fn dense(&mut self, random: &mut Random, dtype: DType) -> ValueId {
        let elements = random.scalars(dtype, self.count());
        self.view(&elements, dtype, 0, &self.dense_strides())
    }

    fn scalar(&mut self, v: Scalar, dtype: DType) -> ValueId {
        self.values.push(vec![v; self.count()]);
        self.inputs.push(Some(word(v)));
        self.builder.scalar(dtype)
    }

    /// A value of parts of any kind that begin at these points.
    fn joined(&mut self, random: &mut Random, dtype: DType, starts: &[usize]) -> ValueId {
        let mut values = Vec::new();
        let mut parts = Vec::new();
        for (i, &start) in starts.iter().enumerate() {
            let n = starts.get(i + 1).map_or(self.count(), |&next| next) - start;
            let v = random.scalar(dtype);
            let part = match random.below(4) {
                0 => Joined::Literal(v),
                1 => {
                    self.inputs.push(Some(word(v)));
                    Joined::Scalar
                }
                _ => {
                    let offset = random.below(20);
                    let elements = random.scalars(dtype, offset + n);
                    self.arrays.push(Buffer::of(dtype, &elements));
                    self.inputs.push(None);
                    values.extend(&elements[offset..]);
                    Joined::Array { offset: offset as isize }
                }
            };
            values.resize(start + n, v);
            parts.push((start, part));
        }
        self.values.push(values);
        self.builder.joined(dtype, &parts)
    }

    fn literal(&mut self, v: Scalar) -> ValueId {
        self.values.push(vec![v; self.count()]);
        self.builder.literal(v)
    }

    fn apply(&mut self, prim: Prim, operands: &[(ValueId, usize)]) -> (ValueId, usize) {
        let ids: Vec<ValueId> = operands.iter().map(|&(v, _)| v).collect();
        let result = self.builder.apply(prim, &ids);
        let is_narrow = self.builder.dtype(result) == DType::F32;
        let value = |i: usize| {
            let value = scalar(prim, &operands.iter().map(|&(_, v)| self.values[v][i]).collect::<Vec<_>>());
            if is_narrow { narrow(value) } else { value }
        };
        self.values.push((0..self.count()).map(value).collect());
        (result, self.values.len() - 1)
    }

    /// The value that has been made last, with its place among the values.
    fn last(&self, v: ValueId) -> (ValueId, usize) {
        (v, self.values.len() - 1)
    }

    fn store(&mut self, (v, at): (ValueId, usize)) {
        self.expected.push(self.values[at].clone());
        self.outputs.push(Buffer::new(self.builder.dtype(v), self.count()));
        self.builder.store(v);
    }

    /// Results are wide where all axes are reduced, as those that are scalars.
    fn reduce(&mut self, by: Reduction, (v, at): (ValueId, usize), kept: &[bool]) {
        let dtype = self.builder.dtype(v);
        let mut expected = reduced(by, dtype.scalar(), &self.extents, kept, &self.values[at]);
        if dtype == DType::F32 {
            expected.iter_mut().for_each(|v| *v = narrow(*v));
        }
        let wide = !kept.contains(&true);
        self.outputs.push(Buffer::new(if wide { dtype.scalar() } else { dtype }, expected.len()));
        self.expected.push(expected);
        self.builder.reduce(by, v, kept, wide);
    }

    /// Runs the kernel, where output i is array j for (i, j) of `in_place`.
    #[track_caller]
    fn check(mut self, in_place: &[(usize, usize)], context: &dyn Debug) {
        let saved: Vec<Vec<Line>> = self.arrays.iter().map(|array| array.lines.clone()).collect();
        // By block functions, and by whatever is best.
        for isa in Isa::detect().alike().into_iter().map(Some).chain([None]) {
            for (array, saved) in self.arrays.iter_mut().zip(&saved) {
                array.lines.clone_from(saved);
            }
            self.check_for(isa, in_place, context);
        }
    }

    #[track_caller]
    fn check_for(&mut self, isa: Option<Isa>, in_place: &[(usize, usize)], context: &dyn Debug) {
        let builder = self.builder.clone();
        let kernel = if let Some(isa) = isa { builder.finish_for(isa) } else { builder.finish() };
        let mut arrays = self.arrays.iter_mut().map(Buffer::at);
        let inputs: Vec<u64> = self.inputs.iter().map(|v| v.unwrap_or_else(|| arrays.next().unwrap() as u64)).collect();
        let mut outputs: Vec<*mut u8> = self.outputs.iter_mut().map(Buffer::at).collect();
        for &(output, array) in in_place {
            outputs[output] = self.arrays[array].at();
        }
        // SAFETY: the buffers are aligned and have a line behind them, and outputs the right sizes.
        unsafe { kernel.run(inputs.as_ptr(), outputs.as_ptr()) };
        for (i, expected) in self.expected.iter().enumerate() {
            let place = in_place.iter().find(|&&(output, _)| output == i);
            let found = place.map_or(&self.outputs[i], |&(_, array)| &self.arrays[array]).elements();
            assert_eq!(found.len(), expected.len(), "{context:?}");
            for (point, (&found, &expected)) in found.iter().zip(expected).enumerate() {
                assert_same(found, expected, || {
                    format!("{isa:?}, {context:?}, extents {:?}: output {i} at {point}", self.extents)
                });
            }
        }
    }
}

/// A reduction in the order of `super::reduce`, written without a thought of speed.
fn reduced(by: Reduction, dtype: DType, extents: &[usize], kept: &[bool], values: &[Scalar]) -> Vec<Scalar> {
    use Scalar::{Bool, F64, I64};
    let count: usize = extents.iter().zip(kept).filter(|&(_, &kept)| kept).map(|(&d, _)| d).product();
    let identity = match (by, dtype) {
        (Reduction::Sum, DType::F64) if values.is_empty() => F64(0.0),
        (Reduction::Sum, DType::F64) => F64(-0.0),
        (Reduction::Max, DType::F64) => F64(f64::NEG_INFINITY),
        (Reduction::Min, DType::F64) => F64(f64::INFINITY),
        (Reduction::Sum, _) => I64(0),
        (Reduction::Max, DType::I64) => I64(i64::MIN),
        (Reduction::Min, DType::I64) => I64(i64::MAX),
        (Reduction::Max, DType::Bool) => Bool(false),
        (Reduction::Min, DType::Bool) => Bool(true),
        (_, DType::F32) => unreachable!("reductions are those of 64 bits"),
    };
    let join = |a: Scalar, b: Scalar| match (by, a, b) {
        (Reduction::Max, Bool(a), Bool(b)) => Bool(a | b),
        (Reduction::Min, Bool(a), Bool(b)) => Bool(a & b),
        (Reduction::Sum, ..) => scalar(Prim::Add, &[a, b]),
        (Reduction::Max, ..) => scalar(Prim::Maximum, &[a, b]),
        (Reduction::Min, ..) => scalar(Prim::Minimum, &[a, b]),
    };
    // How many of the last axes are reduced makes a row.
    let inner = extents.iter().zip(kept).rev().take_while(|&(&d, &kept)| d == 1 || !kept);
    let length: usize = inner.map(|(&d, _)| d).product();
    let mut outputs = vec![identity; count];
    for (row, elements) in values.chunks(length.max(1)).enumerate() {
        let mut total = identity;
        for block in elements.chunks(BLOCK) {
            let mut lanes = [identity; LANES];
            for (i, &element) in block.iter().enumerate() {
                lanes[i % LANES] = join(lanes[i % LANES], element);
            }
            for half in [16, 8, 4, 2, 1] {
                for lane in 0..half {
                    lanes[lane] = join(lanes[lane], lanes[lane + half]);
                }
            }
            total = join(total, lanes[0]);
        }
        // The output element of the row's first point.
        let (mut rest, mut step, mut at) = (row * length, 1, 0);
        for (&extent, &kept) in extents.iter().zip(kept).rev() {
            let digit = rest % extent;
            rest /= extent;
            if kept {
                at += digit * step;
                step *= extent;
            }
        }
        outputs[at] = join(outputs[at], total);
    }
    outputs
}

const LENGTHS: [usize; 11] = [0, 1, 3, 7, 8, 9, 255, 256, 257, 600, 1000];
const DTYPES: [DType; 4] = [DType::F64, DType::F32, DType::I64, DType::Bool];

/// Every primitive with every choice of types that kernels compute.
fn primitives() -> Vec<(Prim, Vec<DType>)> {
    let n = DTYPES.len();
    let choices =
        |arity: usize| (0..n.pow(arity as u32)).map(move |i| (0..arity).map(|k| DTYPES[i / n.pow(k as u32) % n]).collect());
    let all = Prim::TABLE.iter().flat_map(|&prim| choices(prim.arity().unwrap()).map(move |types: Vec<DType>| (prim, types)));
    all.filter(|(prim, types)| result_dtype(*prim, types).is_some()).collect()
}

#[test]
fn every_elementwise_primitive_has_a_block() {
    let primitives = primitives();
    for &prim in Prim::TABLE {
        use gradus_ir::Sig::{Bool, Compare, Float, Int, Num, NumTotal};
        let elementwise = matches!(prim.sig(), Float | Num | NumTotal | Int | Compare | Bool);
        let elementwise =
            elementwise || matches!(prim, Prim::Powi | Prim::Float | Prim::Int | Prim::Narrow | Prim::Widen | Prim::Select);
        let elementwise = elementwise && !matches!(prim, Prim::Index | Prim::Below | Prim::Step);
        assert_eq!(primitives.iter().any(|&(p, _)| p == prim), elementwise, "{prim:?}");
    }
}

#[test]
fn primitives_give_the_bits_of_scalars() {
    let mut random = Random::new(1);
    for (prim, types) in primitives() {
        for n in LENGTHS {
            let mut s = Sample::new(&[n]);
            let operands: Vec<_> = types
                .iter()
                .map(|&dtype| {
                    let v = s.dense(&mut random, dtype);
                    s.last(v)
                })
                .collect();
            let y = s.apply(prim, &operands);
            s.store(y);
            s.check(&[], &(prim, &types));
        }
    }
}

#[test]
fn powers_of_one_exponent() {
    let mut random = Random::new(2);
    for exponent in [0, 1, 2, 3, 7, -1, -6, i64::MIN, i64::MAX] {
        let mut s = Sample::new(&[300]);
        let x = s.dense(&mut random, DType::F64);
        let x = s.last(x);
        let n = s.scalar(Scalar::I64(exponent), DType::I64);
        let n = s.last(n);
        let y = s.apply(Prim::Powi, &[x, n]);
        s.store(y);
        s.check(&[], &exponent);
    }
}

#[test]
fn operands_lie_anyhow() {
    let mut random = Random::new(3);
    for extents in
        [vec![5, 7], vec![40, 300], vec![300, 3], vec![2, 3, 4, 5], vec![1, 9], vec![9, 1], vec![0, 4], vec![], vec![3, 1, 257]]
    {
        for dtype in DTYPES {
            let rank = extents.len();
            for case in 0..12 {
                let mut s = Sample::new(&extents);
                // Strides of an array with its axes in another order, some repeated, some reversed, some with gaps.
                let mut order: Vec<usize> = (0..rank).collect();
                (1..rank).for_each(|i| order.swap(i, random.below(i + 1)));
                let (mut strides, mut offset, mut size) = (vec![0; rank], random.below(3), 1);
                for &axis in order.iter().rev() {
                    let gap = if case % 3 == 0 { 1 + random.below(2) } else { 1 };
                    match random.below(4) {
                        0 => continue,
                        1 => {
                            strides[axis] = -((size * gap) as isize);
                            offset += extents[axis].saturating_sub(1) * size * gap;
                        }
                        _ => strides[axis] = (size * gap) as isize,
                    }
                    size *= extents[axis].max(1) * gap;
                }
                let elements = random.scalars(dtype, size + offset + 3);
                let x = s.view(&elements, dtype, offset as isize, &strides);
                let x = s.last(x);
                let y = s.dense(&mut random, dtype);
                let y = s.last(y);
                let below = s.apply(Prim::Lt, &[x, y]);
                let least = s.apply(Prim::Select, &[below, x, y]);
                s.store(least);
                s.store(x);
                s.store(below);
                s.check(&[], &(case, offset, &strides));
            }
        }
    }
}

/// Chains of primitives on floats, with literals, scalars, values used several times, and several outputs.
#[test]
fn chains_of_primitives() {
    let mut random = Random::new(4);
    let prims =
        [Prim::Add, Prim::Mul, Prim::Sub, Prim::Sin, Prim::Cos, Prim::Exp, Prim::Neg, Prim::Maximum, Prim::Fma, Prim::Div];
    for case in 0..60 {
        let extents = [[4, 2], [1, 9], [40, 13], [3, 700], [1, 9001]][case % 5];
        random.specials = case % 3 == 0;
        let mut s = Sample::new(&extents);
        let mut values = Vec::new();
        let is_narrow = case % 2 == 1;
        for _ in 0..1 + random.below(3) {
            let x = s.dense(&mut random, if is_narrow { DType::F32 } else { DType::F64 });
            values.push(s.last(x));
        }
        let c = s.literal(Scalar::F64(0.75));
        let a = s.scalar(Scalar::F64(-1.5), DType::F64);
        for (scalar, at) in [(c, s.values.len() - 2), (a, s.values.len() - 1)] {
            values.push(if is_narrow { s.apply(Prim::Narrow, &[(scalar, at)]) } else { (scalar, at) });
        }
        for _ in 0..random.below(25) {
            let prim = prims[random.below(prims.len())];
            let operands: Vec<_> = (0..prim.arity().unwrap()).map(|_| values[random.below(values.len())]).collect();
            values.push(s.apply(prim, &operands));
        }
        for _ in 0..1 + random.below(3) {
            let v = values[random.below(values.len())];
            match random.below(3) {
                0 => s.reduce(Reduction::Sum, v, &[random.below(2) == 0, random.below(2) == 0]),
                _ => s.store(v),
            }
        }
        s.check(&[], &case);
    }
}

#[test]
fn values_of_parts() {
    let mut random = Random::new(9);
    for case in 0..300 {
        let most = [12, 128, 600][random.below(3)];
        let n = 1 + random.below(most);
        let mut starts: Vec<usize> = (0..random.below(4)).map(|_| random.below(n)).chain([0]).collect();
        starts.sort_unstable();
        starts.dedup();
        let mut s = Sample::new(&[n]);
        let x = s.dense(&mut random, DType::F64);
        let x = s.last(x);
        let y = s.joined(&mut random, DType::F64, &starts);
        let y = s.last(y);
        let z = s.joined(&mut random, [DType::F64, DType::I64, DType::Bool][case % 3], &starts);
        let z = s.last(z);
        let sum = s.apply(Prim::Add, &[x, y]);
        s.store(sum);
        s.store(z);
        if case % 5 == 0 {
            s.reduce(Reduction::Sum, sum, &[false]);
        }
        s.check(&[(0, 0)], &(case, &starts));
    }
}

#[test]
fn outputs_in_place_of_inputs() {
    let mut random = Random::new(5);
    for (n, dtype) in LENGTHS.into_iter().flat_map(|n| [(n, DType::F64), (n, DType::F32)]) {
        let mut s = Sample::new(&[n]);
        let x = s.dense(&mut random, dtype);
        let x = s.last(x);
        let y = s.dense(&mut random, dtype);
        let y = s.last(y);
        let sine = s.apply(Prim::Sin, &[x]);
        let sum = s.apply(Prim::Add, &[sine, y]);
        let product = s.apply(Prim::Mul, &[sum, x]);
        s.store(sine);
        s.store(product);
        s.store(x);
        s.reduce(Reduction::Sum, x, &[false]);
        s.check(&[(0, 0), (2, 1)], &n);
    }
}

#[test]
fn reductions_have_one_order() {
    let mut random = Random::new(6);
    let shapes: [&[usize]; 20] = [
        &[],
        &[1],
        &[8],
        &[31],
        &[33],
        &[256],
        &[257],
        &[4096],
        &[4097],
        &[10_000],
        &[300, 5],
        &[5, 300],
        &[3, 5000],
        &[7, 1, 9],
        &[4, 5, 6],
        &[3, 2, 300],
        &[2, 3, 2, 5],
        &[0, 3],
        &[3, 0],
        &[40, 64],
    ];
    for extents in shapes {
        for pattern in 0..1 << extents.len() {
            let kept: Vec<bool> = (0..extents.len()).map(|axis| pattern >> axis & 1 == 1).collect();
            let other: Vec<bool> = (0..extents.len()).map(|_| random.below(2) == 0).collect();
            for (dtype, by) in
                DTYPES.iter().flat_map(|&dtype| [Reduction::Sum, Reduction::Max, Reduction::Min].map(|by| (dtype, by)))
            {
                if (dtype, by) == (DType::Bool, Reduction::Sum) {
                    continue;
                }
                random.specials = by != Reduction::Sum || random.below(8) == 0;
                let mut s = Sample::new(extents);
                let x = s.dense(&mut random, dtype);
                let x = s.last(x);
                s.reduce(by, x, &kept);
                s.reduce(by, x, &other);
                if dtype.is_float() {
                    let square = s.apply(Prim::Mul, &[x, x]);
                    s.reduce(by, square, &kept);
                }
                s.check(&[], &(by, dtype, &kept, &other));
            }
        }
    }
}

#[test]
fn threads_change_nothing() {
    let mut random = Random::new(7);
    random.specials = false;
    let shapes: [(&[usize], &[bool]); 4] =
        [(&[300_001], &[false]), (&[30_001, 10], &[true, false]), (&[50, 6001], &[true, false]), (&[7, 43_000], &[false, true])];
    let all = shapes.into_iter().flat_map(|shape| [1, 2, 3, 7].map(|threads| (shape, threads)));
    for (((extents, kept), threads), dtype) in all.flat_map(|case| [(case, DType::F64), (case, DType::F32)]) {
        let mut s = Sample::new(extents);
        let x = s.dense(&mut random, dtype);
        let x = s.last(x);
        let mut y = x;
        for _ in 0..5 {
            y = s.apply(Prim::Mul, &[y, x]);
        }
        if extents.len() == 1 || random.below(2) == 0 {
            s.store(y);
        }
        s.reduce(Reduction::Sum, y, kept);
        s.reduce(Reduction::Max, x, kept);
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
        pool.install(|| s.check(&[], &threads));
    }
}

/// What simulations consist of has machine code where the processor has the instructions.
#[cfg(target_arch = "x86_64")]
#[test]
fn machine_code() {
    let built = |extents: &[usize], build: &dyn Fn(&mut Builder)| {
        let mut builder = Builder::new(extents);
        build(&mut builder);
        builder.native().is_some()
    };
    let chain = |b: &mut Builder| {
        let (x, y) = (b.array(DType::F64, 0, &[50, 1]), b.array(DType::F64, 0, &[1, 0]));
        let exp = b.apply(Prim::Exp, &[x]);
        b.apply(Prim::Mul, &[exp, y])
    };
    assert!(built(&[40, 50], &|b| {
        let value = chain(b);
        b.store(value);
        b.reduce(Reduction::Sum, value, &[false, true], false);
    }));
    assert!(built(&[40, 50], &|b| {
        let value = chain(b);
        b.reduce(Reduction::Max, value, &[true, false], false);
    }));
    assert!(built(&[100], &|b| {
        let (x, zero) = (b.array(DType::F64, 99, &[-1]), b.literal(Scalar::F64(0.0)));
        let positive = b.apply(Prim::Gt, &[x, zero]);
        let value = b.apply(Prim::Select, &[positive, x, zero]);
        b.store(value);
        b.store(positive);
    }));
    assert!(built(&[100], &|b| {
        let value = b.joined(DType::F64, &[(0, Joined::Array { offset: 1 }), (99, Joined::Literal(Scalar::F64(-0.0)))]);
        b.store(value);
        b.reduce(Reduction::Sum, value, &[false], true);
    }));
    assert!(built(&[40, 3], &|b| {
        let (row, all) = (b.array(DType::Bool, 1, &[2, 0]), b.array(DType::Bool, 7, &[0, 0]));
        let (x, y) = (b.array(DType::F64, 0, &[3, 1]), b.array(DType::F64, 0, &[1, 40]));
        let (chosen, both) = (b.apply(Prim::Select, &[row, x, y]), b.apply(Prim::And, &[row, all]));
        b.store(chosen);
        b.store(both);
    }));
    assert!(!built(&[100], &|b| {
        let x = b.array(DType::Bool, 0, &[1]);
        b.reduce(Reduction::Max, x, &[false], true);
    }));
}

//! The JIT on the common programs, against the interpreter, and what is particular to it.

use super::*;
use crate::Interp;
use crate::testing::{self, BOOL, Build, F64, I64, corpus};
use gradus_ir::elementary::Elementary;

fn compile(m: &Module) -> Compiled {
    Jit::compile(m).unwrap_or_else(|e| panic!("{e}"))
}

fn trap(error: RunError) -> Trap {
    match error {
        RunError::Trap(trap) => trap,
        other => panic!("{other}"),
    }
}

#[test]
fn the_common_programs() {
    for case in corpus() {
        let found = compile(&case.module).run(&case.args).map_err(trap);
        case.check(found.clone());
        if let Err(trap) = found {
            let other = Interp::new(&case.module).unwrap().run(&case.args).unwrap_err();
            assert_eq!(other, RunError::Trap(trap), "{}: the same trap at the same place", case.name);
        }
    }
}

/// Every primitive on scalars, on every combination of values that are edges of something.
#[test]
fn primitives_have_the_bits_of_the_interpreter() {
    let floats = [
        0.0,
        -0.0,
        0.5,
        -0.5,
        1.0,
        -1.0,
        1.5,
        2.5,
        -2.5,
        3.0,
        1e-300,
        5e-324,
        1e300,
        -1e18,
        9.3e18,
        f64::MAX,
        f64::INFINITY,
        f64::NEG_INFINITY,
        f64::NAN,
    ];
    let ints = [0, 1, -1, 2, -2, 3, 7, -7, 62, 63, 1 << 40, i64::MAX, i64::MIN, i64::MIN + 1];
    let values = |ty: &Type| -> Vec<Value> {
        match ty {
            Type::F64 => floats.iter().copied().map(Value::F64).collect(),
            Type::I64 => ints.iter().copied().map(Value::I64).collect(),
            _ => vec![Value::Bool(false), Value::Bool(true)],
        }
    };
    for &prim in Prim::TABLE {
        // Veils are lifted before a program is run.
        let Some(arity) = prim.arity().filter(|&n| n <= 3 && !prim.is_veil()) else { continue };
        let types = [F64, I64, BOOL];
        for choice in 0..3_usize.pow(arity as u32) {
            let params: Vec<Type> = (0..arity).map(|i| types[choice / 3_usize.pow(i as u32) % 3].clone()).collect();
            let Some(module) = testing::one_prim(prim, &params) else { continue };
            if crate::boundary::of(&module, module.entry.unwrap()).is_err() {
                continue;
            }
            let (interp, jit) = (Interp::new(&module).unwrap(), compile(&module));
            let mut rows: Vec<Vec<Value>> = vec![vec![]];
            for ty in &params {
                let extend = |row: Vec<Value>| values(ty).into_iter().map(move |v| [row.clone(), vec![v]].concat());
                rows = rows.into_iter().flat_map(extend).collect();
            }
            for args in rows {
                let (a, b) = (interp.run(&args), jit.run(&args));
                let same = match (&a, &b) {
                    (Ok(a), Ok(b)) => a.same_bits(b),
                    (a, b) => a == b,
                };
                assert!(same, "{prim:?} of {args:?}: the interpreter gives {a:?}, the JIT {b:?}");
            }
        }
    }
}

#[test]
fn parts_are_computed_in_their_places() {
    let text = "
        entry @f
        graph @f(%x: f64[640], %y: f64[24, 40], %w: f64[40, 10], %i: i64[5]) -> (f64[1636], f64, f64[1644], f64[15]) {
          %a: f64[640] = exp %x
          %0: f64[24, 10] = matmul %y, %w
          %b: f64[240] = reshape<240> %0
          %1: f64[1, 40] = sum_to<1, 40> %y
          %c: f64[40] = reshape<40> %1
          %bc: f64[280] = concat<0> %b, %c
          %used: f64[640] = mul %x, %a
          %2: f64[5] = float %i
          %d: f64[5] = sin %2
          %e: f64[66] = slice<3, 1, 66> %x
          %e.1: f64[66] = neg %e
          %f: f64[5] = cos %2
          %all: f64[1636] = concat<0> %a, %bc, %used, %d, %e.1, %f
          %sum: f64 = sum_to %used
          %3: f64[640] = sqrt %x
          %4: f64[1004] = concat<0> %3, zero: f64[354], %2, %2
          %5: f64[640] = neg %3
          %twice: f64[1644] = concat<0> %5, %4
          %g: f64[5] = log %2
          %short: f64[15] = concat<0> %g, %2, %g
          %6: (f64[1636], f64, f64[1644], f64[15]) = tuple %all, %sum, %twice, %short
          return %6
        }";
    let module = gradus_ir::parse::parse(text).unwrap_or_else(|e| panic!("{e}"));
    let array = |shape: &[i64], seed: usize| {
        let numbers = (0..shape.iter().product::<i64>() as usize).map(|i| ((i * 37 + seed) % 101) as f64 / 17.0);
        Value::Array(gradus_ir::Array::new(gradus_ir::Dims::new(shape), gradus_ir::Elements::F64(numbers.collect())))
    };
    let places = gradus_ir::Elements::I64(vec![3, 1, 4, 1, 5]);
    let places = Value::Array(gradus_ir::Array::new(gradus_ir::Dims::new([5]), places));
    let args = [array(&[640], 1), array(&[24, 40], 2), array(&[40, 10], 3), places];
    let (interp, jit) = (Interp::new(&module).unwrap(), compile(&module));
    let expected = interp.run(&args).unwrap();
    for _ in 0..3 {
        let (found, usage) = jit.run_with_usage(&args).unwrap();
        assert!(found.same_bits(&expected), "{found} {expected}");
        // Of the five arrays that are put together, the short one alone is copied by an operation.
        assert_eq!(usage.operations, 8);
    }
}

#[test]
fn a_sine_and_a_cosine_of_one_number_share_their_formula() {
    let text = "
        entry @f
        graph @f(%x: f64) -> (f64, f64, f64) {
          %0: f64 = cos %x
          %1: f64 = sin %x
          %2: f64 = sin %1
          %3: f64 = cos %1
          %4: f64 = cos %2
          %5: f64 = mul %3, %4
          %6: (f64, f64, f64) = tuple %0, %5, %2
          return %6
        }";
    let module = gradus_ir::parse::parse(text).unwrap();
    let (interp, jit) = (Interp::new(&module).unwrap(), Jit::with_listing().build(&module).unwrap());
    let code = jit.listing().text().split("; entry.f: machine code").next().unwrap();
    assert_eq!(code.matches("brif").count(), 3 * 3, "{code}");
    let edges = [0.0, -0.0, 5e-324, 1e-9, 0.5, 1.5, 1e5, 1e22, -1e300, f64::INFINITY, f64::NAN];
    for x in edges.into_iter().chain((0..20_000).map(|i| f64::from(i).powi(3) * 1e-7 - 3.0)) {
        let (a, b) = (interp.run(&[x.into()]).unwrap(), jit.run(&[x.into()]).unwrap());
        assert!(a.same_bits(&b), "{x}: the interpreter gives {a}, the JIT {b}");
    }
}

#[test]
fn formulas_give_the_bits_of_the_interpreter_inline_and_called() {
    for prim in Elementary::ALL.map(Elementary::prim) {
        let mut b = Build::default();
        let result = Type::tuple([F64; 70]);
        let (f, [x]) = b.graph("f", [F64], result);
        // More than a function takes inline.
        let values: Vec<_> = (0..70)
            .map(|i| {
                let scale = b.m.f64(0.03 * f64::from(i));
                let scaled = b.op(f, Prim::Mul, &[x, scale]);
                b.op(f, prim, &[scaled])
            })
            .collect();
        let all = b.op(f, Prim::Tuple, &values);
        b.ret(f, all);
        let module = b.finish(f);
        let (interp, jit) = (Interp::new(&module).unwrap(), compile(&module));
        for x in (-1000..1000).map(|i| f64::from(i).powi(3) * 1e-6).chain([1e-310, 3e5, 4e5, 1e7, f64::INFINITY, f64::NAN]) {
            let (a, b) = (interp.run(&[x.into()]).unwrap(), jit.run(&[x.into()]).unwrap());
            assert!(a.same_bits(&b), "{prim:?} of {x}: the interpreter gives {a}, the JIT {b}");
        }
    }
}

#[test]
fn a_scalar_loop_has_no_objects_and_no_unknown_calls() {
    let compiled = compile(&testing::pow_loop());
    let stats = compiled.stats();
    assert_eq!((stats.allocation_sites, stats.indirect_calls), (0, 0));
    assert!(stats.code_bytes > 0);
    assert_eq!(compiled.run(&[1.0.into(), 10_000_000_i64.into()]), Ok(1.0.into()));
}

#[test]
fn a_closure_chain_has_one_place_that_allocates() {
    let stats = compile(&testing::closure_chain()).stats();
    assert_eq!((stats.allocation_sites, stats.indirect_calls), (1, 2));
}

#[test]
fn a_million_frames_fit_and_more_are_a_trap() {
    let compiled = compile(&testing::recursion(true));
    assert_eq!(compiled.run(&[1_000_000_i64.into()]), Ok(1_000_000_i64.into()));
    let error = trap(compiled.run(&[1_000_000_000_i64.into()]).unwrap_err());
    assert_eq!(error.kind, TrapKind::RecursionLimit);
    assert!(error.span.is_some());
    assert_eq!(compiled.run(&[10_i64.into()]), Ok(10_i64.into()));
}

#[test]
fn long_chains_of_closures_and_boxes() {
    let chain = compile(&testing::closure_chain());
    assert_eq!(chain.run(&[0.0.into(), 10_000_000_i64.into()]), Ok(0.0.into()));
    let boxes = compile(&testing::opaque_chains());
    assert_eq!(boxes.run(&[0.5.into(), 3_000_000_i64.into()]), Ok(3_000_000.0.into()));
}

#[test]
fn figures_of_a_run() {
    let usage = |m: &Module, n: i64| compile(m).run_with_usage(&[0.0.into(), n.into()]).unwrap().1;
    let tape = usage(&testing::tapes::long_tape(), 1_000_000);
    assert_eq!(tape, Usage { objects: 0, heap_bytes: 0, tape_bytes: 1_000_000 * 3 * 8, operations: 0, records: 1_000_000 });
    // An object holds its descriptor, x, the counter and the object before it. It takes more than one chunk.
    let closures = usage(&testing::closure_chain(), 1_000_000);
    assert_eq!(closures, Usage { objects: 1_000_000, heap_bytes: 1_000_000 * 4 * 8, tape_bytes: 0, operations: 0, records: 0 });
}

#[test]
fn long_tapes_and_chains_of_them() {
    let tape = compile(&testing::tapes::long_tape());
    assert_eq!(tape.run(&[0.0.into(), 10_000_000_i64.into()]), Ok(50_000_000_000_000.0.into()));
    let chains = compile(&testing::tapes::tapes_in_chains());
    assert_eq!(chains.run(&[0.5.into(), 1_000_000_i64.into()]), Ok(1_000_000.0.into()));
}

#[test]
fn runs_are_independent() {
    let compiled = compile(&testing::closure_chain());
    std::thread::scope(|scope| {
        for i in 0..8 {
            let compiled = &compiled;
            scope.spawn(move || {
                for n in 0..100 {
                    let x = f64::from(i);
                    let expected = x + x * f64::from(n * (n + 1) / 2);
                    assert_eq!(compiled.run(&[x.into(), i64::from(n).into()]), Ok(expected.into()));
                }
            });
        }
    });
}

#[test]
fn boxes_of_another_layout_are_a_fault() {
    let mut b = Build::default();
    let (f, [x]) = b.graph("f", [F64], F64);
    let pair = b.op(f, Prim::Tuple, &[x, x]);
    let boxed = b.op(f, Prim::Pack, &[pair]);
    let open = b.unpack(f, boxed, F64);
    b.ret(f, open);
    let error = compile(&b.finish(f)).run(&[1.0.into()]).unwrap_err();
    assert!(matches!(error, RunError::Internal { .. }), "{error}");
}

#[test]
fn listings_show_the_code() {
    let compiled = Jit::with_listing().build(&testing::pow_loop()).unwrap();
    let listing = compiled.listing().text();
    for part in ["; entry.pow: Cranelift IR", "fmul", "; entry.pow: machine code", "  ret"] {
        assert!(listing.contains(part), "{part}: {listing}");
    }
    assert_eq!(compile(&testing::pow_loop()).listing().text(), "");
}

#[test]
fn words_go_in_and_come_out() {
    let compiled = compile(&testing::pow_loop());
    let mut result = [0];
    compiled.run_words(&[3.0_f64.to_bits(), 4], &mut result).unwrap();
    assert_eq!(f64::from_bits(result[0]), 81.0);
}

/// A block with so many values that registers are allocated in a single pass: all of them are alive in the middle.
#[test]
fn a_huge_block() {
    let mut b = Build::default();
    let (f, [x]) = b.graph("f", [F64], F64);
    let mut values = vec![x];
    for i in 0..6_000 {
        let prim = if i % 3 == 0 { Prim::Sin } else { Prim::Mul };
        let last = values[i];
        let operands = if prim == Prim::Sin { vec![last] } else { vec![last, x] };
        values.push(b.op(f, prim, &operands));
    }
    let sum = values.into_iter().reduce(|sum, v| b.op(f, Prim::Sub, &[v, sum])).unwrap();
    b.ret(f, sum);
    let m = b.finish(f);
    assert_eq!(compile(&m).run(&[0.75.into()]), Interp::new(&m).unwrap().run(&[0.75.into()]));
}

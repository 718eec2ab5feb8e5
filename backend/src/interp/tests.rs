//! The interpreter on the common programs, and what is particular to it.

use super::*;
use crate::testing::{self, corpus};
use gradus_ir::TrapKind;

#[test]
fn the_common_programs() {
    for case in corpus() {
        let interp = Interp::new(&case.module).expect(case.name);
        case.check(interp.run(&case.args).map_err(|e| match e {
            RunError::Trap(trap) => trap,
            other => panic!("{}: {other}", case.name),
        }));
    }
}

#[test]
fn wrong_arguments_are_refused() {
    let interp = Interp::new(&testing::pow_loop()).unwrap();
    let error = interp.run(&[Value::F64(1.0), Value::F64(2.0)]).unwrap_err();
    assert_eq!(error.to_string(), "the program takes (f64, i64), not (f64, f64)");
}

#[test]
fn a_missing_derivative_is_no_panic() {
    let mut b = testing::Build::default();
    let (f, [x]) = b.graph("f", [testing::F64], testing::F64);
    let (g, [v]) = b.graph("g", [testing::F64], testing::F64);
    b.ret(g, v);
    let g = b.m.graph_ref(g);
    let j = b.op(f, gradus_ir::Prim::J, &[g]);
    let pair = b.call(f, j, &[x]);
    let value = b.op(f, gradus_ir::Prim::Get(0), &[pair]);
    b.ret(f, value);
    let error = Interp::new(&b.finish(f)).unwrap().run(&[Value::F64(1.0)]).unwrap_err();
    assert!(matches!(error, RunError::Internal { .. }), "{error}");
}

#[test]
fn the_recursion_limit_names_the_call() {
    let error = Interp::new(&testing::recursion(false)).unwrap().run(&[Value::I64(1)]).unwrap_err();
    let RunError::Trap(trap) = error else { panic!("{error}") };
    assert_eq!(trap.kind, TrapKind::RecursionLimit);
    assert!(trap.span.is_some());
}

#[test]
fn figures_of_a_run() {
    let usage = |m: &gradus_ir::Module, args: &[Value]| Interp::new(m).unwrap().run_with_usage(args).unwrap().1;
    let tape = usage(&testing::tapes::long_tape(), &[Value::F64(0.0), Value::I64(1000)]);
    assert_eq!(tape, Usage { objects: 0, heap_bytes: 0, tape_bytes: 1000 * 3 * 16, operations: 0, records: 1000 });
    // Each closure holds x, the counter and the closure before it.
    let closures = usage(&testing::closure_chain(), &[Value::F64(0.0), Value::I64(1000)]);
    assert_eq!(closures, Usage { objects: 1000, heap_bytes: 1000 * 3 * 16, tape_bytes: 0, operations: 0, records: 0 });
}

#[test]
fn values_are_small() {
    assert_eq!(size_of::<value::Val<arithmetic::Doubles>>(), 16);
}

#[test]
fn ten_million_links_are_released() {
    let mut heap = heap::Heap::<arithmetic::Doubles>::default();
    let mut chain = value::Val::Opaque(None);
    for _ in 0..10_000_000 {
        chain = value::Val::Opaque(Some(heap.object(vec![value::Val::tuple(vec![chain])])));
    }
    drop(chain);
}

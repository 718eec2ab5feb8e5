//! The graph passes on modules of 10⁵ nodes: nothing recurses over nodes, and nothing takes quadratic time.

use gradus_ir::{Flavor, GraphId, Module, NodeId, Prim, Role, Span, Type};
use gradus_opt::{Options, simplify};

fn options() -> Options {
    Options { saturate: false, ..Options::default() }
}

/// A function of floats to a float.
fn function(m: &mut Module, name: &str, flavor: Flavor, params: usize) -> GraphId {
    let g = m.add_graph(name, flavor, Role::Primal, Span::NONE);
    for _ in 0..params {
        m.add_param(g, Type::F64, None, Span::NONE);
    }
    m.declare_result(g, Type::F64);
    g
}

fn float(m: &mut Module, g: GraphId, p: Prim, operands: &[NodeId]) -> NodeId {
    m.prim(g, p, operands.to_vec(), Type::F64, Span::NONE)
}

#[test]
fn straight_line() {
    let mut m = Module::new();
    let main = function(&mut m, "main", Flavor::Function, 1);
    m.entry = Some(main);
    let x = m[main].params[0];
    let mut v = x;
    for _ in 0..50_000 {
        let a = float(&mut m, main, Prim::Sin, &[v]);
        let b = float(&mut m, main, Prim::Sin, &[v]);
        v = float(&mut m, main, Prim::Add, &[a, b]);
    }
    m.set_result(main, v);
    let report = simplify(&mut m, &options(), &mut Default::default());
    assert_eq!(report.total("shared"), 50_000);
    assert_eq!(m.node_count(), 100_002);
}

#[test]
fn a_chain_of_functions() {
    let mut m = Module::new();
    let main = function(&mut m, "main", Flavor::Function, 1);
    m.entry = Some(main);
    let mut caller = main;
    for i in 0..10_000 {
        let f = function(&mut m, &format!("f{i}"), Flavor::Function, 1);
        let x = m[caller].params[0];
        let y = float(&mut m, caller, Prim::Sin, &[x]);
        let callee = m.graph_ref(f);
        let z = m.call(caller, callee, &[y], Type::F64, Span::NONE);
        let z = float(&mut m, caller, Prim::Cos, &[z]);
        m.set_result(caller, z);
        caller = f;
    }
    let x = m[caller].params[0];
    m.set_result(caller, x);
    simplify(&mut m, &options(), &mut Default::default());
    assert_eq!(m.graph_count(), 1);
    assert_eq!(m.node_count(), 20_002);
}

/// `v = f(v)` again and again, where `f` has a branch.
#[test]
fn a_sequence_of_branches() {
    let mut m = Module::new();
    let main = function(&mut m, "main", Flavor::Function, 1);
    m.entry = Some(main);
    let f = function(&mut m, "f", Flavor::Function, 1);
    let x = m[f].params[0];
    let zero = m.f64(0.0);
    let c = m.prim(f, Prim::Lt, vec![x, zero], Type::Bool, Span::NONE);
    let arms = [Prim::Sin, Prim::Cos].map(|p| {
        let arm = function(&mut m, p.name(), Flavor::Block, 0);
        let y = float(&mut m, arm, p, &[x]);
        m.set_result(arm, y);
        m.graph_ref(arm)
    });
    let ty = Type::func([], Type::F64);
    let callee = m.prim(f, Prim::Select, vec![c, arms[0], arms[1]], ty, Span::NONE);
    let r = m.call(f, callee, &[], Type::F64, Span::NONE);
    m.set_result(f, r);
    let f = m.graph_ref(f);
    let mut v = m[main].params[0];
    for _ in 0..1_500 {
        v = m.call(main, f, &[v], Type::F64, Span::NONE);
    }
    m.set_result(main, v);
    let report = simplify(&mut m, &options(), &mut Default::default());
    assert_eq!(report.total("contified"), 1_499);
}

/// Each of a sequence of blocks computes a value, and the last one reads all of them: every block captures what those before it
/// have computed.
#[test]
fn blocks_that_capture_all_before() {
    let blocks = 5_000;
    let mut m = Module::new();
    let main = function(&mut m, "main", Flavor::Function, 1);
    m.entry = Some(main);
    let x = m[main].params[0];
    let zero = m.f64(0.0);
    let done = function(&mut m, "done", Flavor::Block, 0);
    m.set_result(done, x);
    let done = m.graph_ref(done);
    let (mut values, mut block) = (vec![x], main);
    for i in 0..blocks {
        let v = float(&mut m, block, Prim::Sin, &[values[i]]);
        values.push(v);
        let next = function(&mut m, "next", Flavor::Block, 0);
        let c = m.prim(block, Prim::Lt, vec![v, zero], Type::Bool, Span::NONE);
        let arm = m.graph_ref(next);
        let callee = m.prim(block, Prim::Select, vec![c, done, arm], Type::func([], Type::F64), Span::NONE);
        let r = m.call(block, callee, &[], Type::F64, Span::NONE);
        m.set_result(block, r);
        block = next;
    }
    let sum = values.into_iter().reduce(|a, b| float(&mut m, block, Prim::Add, &[a, b])).expect("there are values");
    m.set_result(block, sum);
    let before = m.node_count();
    let report = simplify(&mut m, &options(), &mut Default::default());
    assert_eq!((report.passes.len(), m.graph_count()), (0, blocks + 2));
    assert_eq!(m.node_count(), before);
}

//! Properties of the text form, on random modules and on mutilated text.

use gradus_ir::cfg::Cfg;
use gradus_ir::dot::dot;
use gradus_ir::drawing;
use gradus_ir::parse::parse;
use gradus_ir::print::print;
use gradus_ir::verify::verify;
use gradus_ir::{Const, Flavor, GraphId, Module, Nest, NodeId, Prim, Role, Span, Type};
use proptest::prelude::*;

/// A module made by choices: `choices` are consumed one by one, each by what it decides next. Nodes are used wherever the choices say,
/// in scope or not.
fn module(choices: &[u32]) -> Module {
    let mut choices = choices.iter().copied();
    let mut pick = move |n: usize| choices.next().unwrap_or(0) as usize % n.max(1);
    let mut m = Module::new();
    let names = ["f", "f.1", "x", "x", "<lambda>", "été", "7"];
    let types = [
        Type::Unknown,
        Type::F64,
        Type::tuple([]),
        Type::tuple([Type::Bool]),
        Type::func([Type::I64, Type::AnyFn], Type::func([], Type::Opaque)),
        Type::tape(Type::tuple([Type::F64, Type::tape(Type::AnyFn)])),
    ];
    let roles = [Role::Primal, Role::Forward, Role::Backward];
    let graphs: Vec<GraphId> = (0..1 + pick(4))
        .map(|_| {
            let flavor = if pick(2) == 0 { Flavor::Function } else { Flavor::Block };
            m.add_graph(names[pick(names.len())], flavor, roles[pick(3)], Span::NONE)
        })
        .collect();
    let mut nodes: Vec<NodeId> = Vec::new();
    for &g in &graphs {
        for _ in 0..pick(3) {
            let ty = types[pick(types.len())].clone();
            nodes.push(m.add_param(g, ty, Some(names[pick(names.len())].into()), Span::NONE));
        }
        m.declare_result(g, types[pick(types.len())].clone());
    }
    let floats = [0.0, -0.0, 1e300, 5e-324, f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 0.1];
    for _ in 0..pick(12) {
        let n = match pick(8) {
            0 => m.f64(floats[pick(floats.len())]),
            1 => m.i64([0, -1, i64::MIN, i64::MAX][pick(4)]),
            2 => m.constant(Const::Str(["", "a\"b\\", "\n\u{301}"][pick(3)].into()), Type::Str),
            3 => m.constant(Const::Zero, [Type::Zero, Type::Opaque, Type::Unknown][pick(3)].clone()),
            4 => m.graph_ref(graphs[pick(graphs.len())]),
            7 => m.constant(Const::Undefined, types[pick(types.len())].clone()),
            kind => {
                let g = graphs[pick(graphs.len())];
                let ty = types[pick(types.len())].clone();
                let inputs: Vec<NodeId> = (0..pick(4)).filter_map(|_| nodes.get(pick(nodes.len())).copied()).collect();
                let n = match inputs.split_first() {
                    Some((&callee, args)) if kind == 5 => m.call(g, callee, args, ty, Span::NONE),
                    _ => {
                        let grad =
                            Prim::Grad { value: pick(2) == 0, many: pick(2) == 0, aux: pick(2) == 0, allow_int: pick(2) == 0 };
                        let others = [
                            Prim::Tuple,
                            Prim::Add,
                            Prim::Get(3),
                            Prim::CallKw(0),
                            Prim::Apply(1),
                            Prim::PartialKw(2),
                            Prim::Select,
                            Prim::J,
                            Prim::Push,
                        ];
                        let prim = [&others[..], &[Prim::Pop, grad]].concat()[pick(9)];
                        m.prim(g, prim, inputs, ty, Span::NONE)
                    }
                };
                if pick(2) == 0 {
                    m.set_name(n, names[pick(names.len())]);
                }
                n
            }
        };
        nodes.push(n);
    }
    for &g in &graphs {
        if let Some(&n) = nodes.get(pick(nodes.len() + 1)) {
            m.set_result(g, n);
        }
    }
    m.entry = graphs.get(pick(2 * graphs.len())).copied();
    if pick(2) == 0 {
        m.derivatives.insert((graphs[pick(graphs.len())], Prim::KLast), graphs[pick(graphs.len())]);
    }
    m
}

const TEXTS: [&str; 5] = [
    include_str!("../test_data/pow.ir"),
    include_str!("../test_data/closure.ir"),
    include_str!("../test_data/pullback.ir"),
    include_str!("../test_data/tape.ir"),
    include_str!("../test_data/source.ir"),
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn a_module_comes_back(choices in prop::collection::vec(any::<u32>(), 0..200)) {
        let m = module(&choices);
        let text = print(&m);
        // A module that does not verify may mention what is nowhere defined, but for that it comes back too.
        if !text.contains("%?") && !text.contains("@?") {
            let again = parse(&text).map_err(|e| TestCaseError::fail(format!("{e} in\n{text}")))?;
            prop_assert_eq!(print(&again), text);
        }
        if verify(&m).is_ok() {
            let roots: Vec<GraphId> = m.entry.map_or_else(|| m.graphs().map(|(g, _)| g).collect(), |entry| vec![entry]);
            Cfg::new(&m, &Nest::new(&m, &roots));
            dot(&m, &drawing::Options::default());
        }
    }

    #[test]
    fn no_text_panics(which in 0..TEXTS.len(), edits in prop::collection::vec((any::<u32>(), 0..6usize, any::<u32>()), 1..8)) {
        let mut text: Vec<char> = TEXTS[which].chars().collect();
        for (at, len, with) in edits {
            let at = at as usize % text.len().max(1);
            let end = (at + len).min(text.len());
            let noise = ['%', '@', '"', '\\', '<', '(', '}', '\n', ';', '-', '?', 'é', '9', '='];
            text.splice(at..end, [noise[with as usize % noise.len()]]);
        }
        let text: String = text.into_iter().collect();
        if let Ok(m) = parse(&text) && verify(&m).is_ok() {
            prop_assert_eq!(print(&parse(&print(&m)).unwrap()), print(&m));
        }
    }
}

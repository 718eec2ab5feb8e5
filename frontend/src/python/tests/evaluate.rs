//! A small evaluator of untyped modules, to prove lowering right: lazy, recursive, for programs that end soon.

use gradus_ir::{Const, GraphId, Kind, Module, NodeId, Prim};
use std::cell::RefCell;
use std::collections::HashMap;
use std::fmt;
use std::rc::Rc;

#[derive(Clone)]
pub enum V {
    Int(i64),
    Float(f64),
    Bool(bool),
    None,
    Tuple(Rc<Vec<V>>),
    Slice(Option<i64>, Option<i64>),
    Fn(GraphId, Rc<Activation>),
    Partial(Rc<V>, Rc<Vec<V>>),
    Iter(Rc<Vec<V>>, usize),
}

/// A graph's parameters, its values so far, and the activation where the closure was made.
pub struct Activation {
    graph: Option<GraphId>,
    values: RefCell<HashMap<NodeId, V>>,
    outer: Option<Rc<Activation>>,
}

/// Calls a graph without free variables.
pub fn call(m: &Module, graph: GraphId, args: Vec<V>) -> V {
    let outside = Rc::new(Activation { graph: None, values: RefCell::default(), outer: None });
    apply(m, V::Fn(graph, outside), args, &[])
}

fn apply(m: &Module, callee: V, args: Vec<V>, keywords: &[(String, V)]) -> V {
    match callee {
        V::Partial(f, first) => apply(m, (*f).clone(), first.iter().cloned().chain(args).collect(), keywords),
        V::Fn(mut graph, mut outer) => {
            let mut values: HashMap<NodeId, V> = HashMap::new();
            assert!(args.len() <= m[graph].params.len(), "arity of {}", m[graph].name);
            for (&p, a) in m[graph].params.iter().zip(args) {
                values.insert(p, a);
            }
            for (name, v) in keywords {
                let p = m[graph].params.iter().find(|&&p| m[p].name.as_deref() == Some(name)).expect("a parameter");
                assert!(values.insert(*p, v.clone()).is_none());
            }
            let without = m[graph].params.len() - m[graph].defaults.len();
            for (i, &p) in m[graph].params.iter().enumerate() {
                if let std::collections::hash_map::Entry::Vacant(e) = values.entry(p) {
                    let default = m[graph].defaults[i - without];
                    let value = eval(m, default, &outer);
                    // What the top level computes is a graph without parameters.
                    let computed = m.as_graph(default).is_some_and(|g| m.memory.globals.contains(&g));
                    e.insert(if computed { apply(m, value, vec![], &[]) } else { value });
                }
            }
            loop {
                let here = Rc::new(Activation { graph: Some(graph), values: RefCell::new(values), outer: Some(outer) });
                let result = m.result(graph);
                // Blocks call each other in tail position.
                if m[result].kind == Kind::Call && m[result].graph == Some(graph) {
                    let inputs = m[result].inputs();
                    let args: Vec<V> = inputs[1..].iter().map(|&a| eval(m, a, &here)).collect();
                    match eval(m, inputs[0], &here) {
                        V::Fn(g, o) if m[g].params.len() == args.len() => {
                            values = m[g].params.iter().copied().zip(args).collect();
                            (graph, outer) = (g, o);
                        }
                        callee => return apply(m, callee, args, &[]),
                    }
                } else {
                    return eval(m, result, &here);
                }
            }
        }
        other => panic!("call of {other:?}"),
    }
}

fn eval(m: &Module, n: NodeId, act: &Rc<Activation>) -> V {
    let node = &m[n];
    let Some(owner) = node.graph else {
        return match node.as_const().expect("constant") {
            Const::F64(bits) => V::Float(f64::from_bits(*bits)),
            Const::I64(i) => V::Int(*i),
            Const::Bool(b) => V::Bool(*b),
            Const::None => V::None,
            Const::Graph(g) => V::Fn(*g, act.clone()),
            other => panic!("constant {other:?}"),
        };
    };
    let mut at = act;
    if let Kind::Prim(Prim::Annotated | Prim::Captured) = node.kind {
        return eval(m, node.inputs()[0], act);
    }
    if node.kind == Kind::Prim(Prim::IsInstance) {
        let names = m[node.inputs()[1]].inputs();
        assert!(names.iter().all(|&n| m[n].as_const() == Some(&Const::Str("None".into()))), "`is None` is all there is");
        return V::Bool(matches!(eval(m, node.inputs()[0], act), V::None));
    }
    if node.kind == Kind::Prim(Prim::Defines) {
        return V::Bool(false);
    }
    while at.graph != Some(owner) {
        at = at.outer.as_ref().unwrap_or_else(|| panic!("{:?} of {} is not in scope", node.kind, m[owner].name));
    }
    if let Some(v) = at.values.borrow().get(&n) {
        return v.clone();
    }
    let at = at.clone();
    let inputs = node.inputs();
    let value = match node.kind {
        Kind::Call => {
            let args = inputs[1..].iter().map(|&a| eval(m, a, &at)).collect();
            apply(m, eval(m, inputs[0], &at), args, &[])
        }
        Kind::Prim(Prim::Select) => {
            let V::Bool(c) = eval(m, inputs[0], &at) else { panic!("condition") };
            eval(m, inputs[if c { 1 } else { 2 }], &at)
        }
        Kind::Prim(Prim::CallKw(k) | Prim::Apply(k)) => {
            let split = inputs.len() - k as usize;
            let names = inputs[split..].iter().map(|&s| match m[s].as_const() {
                Some(Const::Str(s)) => s.to_string(),
                other => panic!("keyword {other:?}"),
            });
            let values = inputs[split - k as usize..split].iter().map(|&v| eval(m, v, &at));
            let keywords: Vec<_> = names.zip(values).collect();
            let mut args: Vec<V> = inputs[1..split - k as usize].iter().map(|&a| eval(m, a, &at)).collect();
            if let (Prim::Apply(_), [V::Tuple(items)]) = (m.as_prim(n).expect("a primitive"), &args[..]) {
                args = items.to_vec();
            }
            apply(m, eval(m, inputs[0], &at), args, &keywords)
        }
        Kind::Prim(p) => prim(p, inputs.iter().map(|&i| eval(m, i, &at)).collect()),
        _ => panic!("{:?} has no value", node.kind),
    };
    at.values.borrow_mut().insert(n, value.clone());
    value
}

fn prim(p: Prim, args: Vec<V>) -> V {
    use V::*;
    let float = |v: &V| match v {
        Float(x) => *x,
        Int(i) => *i as f64,
        Bool(b) => f64::from(u8::from(*b)),
        other => panic!("{p:?} of {other:?}"),
    };
    match (p, &args[..]) {
        (Prim::Tuple, _) => Tuple(Rc::new(args)),
        (Prim::Partial, [f, rest @ ..]) => Partial(Rc::new(f.clone()), Rc::new(rest.to_vec())),
        (Prim::Add | Prim::WrapAdd, [Int(a), Int(b)]) => Int(a + b),
        (Prim::Add, [Tuple(a), Tuple(b)]) => Tuple(Rc::new(a.iter().chain(b.iter()).cloned().collect())),
        (Prim::Sub, [Int(a), Int(b)]) => Int(a - b),
        (Prim::Mul, [Int(a), Int(b)]) => Int(a * b),
        (Prim::FloorDiv, [Int(a), Int(b)]) => Int(a.div_euclid(*b)),
        (Prim::Mod, [Int(a), Int(b)]) => Int(a.rem_euclid(*b)),
        (Prim::Abs, [Int(a)]) => Int(a.abs()),
        (Prim::Neg, [Int(a)]) => Int(-a),
        (Prim::Max, [Int(a), Int(b)]) => Int(*a.max(b)),
        (Prim::Power, [Int(a), Int(b)]) => Int(a.pow(*b as u32)),
        (Prim::Add, [a, b]) => Float(float(a) + float(b)),
        (Prim::Sub, [a, b]) => Float(float(a) - float(b)),
        (Prim::Mul, [a, b]) => Float(float(a) * float(b)),
        (Prim::TrueDiv, [a, b]) => Float(float(a) / float(b)),
        (Prim::Power, [a, b]) => Float(float(a).powf(float(b))),
        (Prim::Neg, [a]) => Float(-float(a)),
        (Prim::Abs, [a]) => Float(float(a).abs()),
        (Prim::Sqrt, [a]) => Float(float(a).sqrt()),
        (Prim::Sin, [a]) => Float(float(a).sin()),
        (Prim::Lt, [a, b]) => Bool(float(a) < float(b)),
        (Prim::Le, [a, b]) => Bool(float(a) <= float(b)),
        (Prim::Gt, [a, b]) => Bool(float(a) > float(b)),
        (Prim::Ge, [a, b]) => Bool(float(a) >= float(b)),
        (Prim::Eq, [None, b] | [b, None]) => Bool(matches!(b, None)),
        (Prim::Ne, [None, b] | [b, None]) => Bool(!matches!(b, None)),
        (Prim::Eq, [a, b]) => Bool(float(a) == float(b)),
        (Prim::Ne, [a, b]) => Bool(float(a) != float(b)),
        (Prim::Not, [Bool(a)]) => Bool(!a),
        (Prim::Truth, [None]) => Bool(false),
        (Prim::Truth, [Tuple(t)]) => Bool(!t.is_empty()),
        (Prim::Truth, [a]) => Bool(float(a) != 0.0),
        (Prim::Len, [Tuple(t)]) => Int(t.len() as i64),
        (Prim::GetItem, [Tuple(t), Int(i)]) => t[if *i < 0 { t.len() as i64 + i } else { *i } as usize].clone(),
        (Prim::GetItem, [Tuple(t), Slice(low, high)]) => {
            let bound = |v: &Option<i64>, default| v.map_or(default, |i| if i < 0 { t.len() as i64 + i } else { i } as usize);
            Tuple(Rc::new(t[bound(low, 0)..bound(high, t.len())].to_vec()))
        }
        (Prim::Slice, [low, high, None, _]) => {
            let bound = |v: &V| if let Int(i) = v { Some(*i) } else { Option::None };
            Slice(bound(low), bound(high))
        }
        (Prim::Append, [Tuple(t), x]) => Tuple(Rc::new(t.iter().chain([x]).cloned().collect())),
        (Prim::Extend, [Tuple(a), Tuple(b)]) => Tuple(Rc::new(a.iter().chain(b.iter()).cloned().collect())),
        (Prim::Starred, [Tuple(t), Int(before), Int(after)]) => {
            let (before, end) = (*before as usize, t.len() - *after as usize);
            let rest = Tuple(Rc::new(t[before..end].to_vec()));
            Tuple(Rc::new(t[..before].iter().chain([&rest]).chain(&t[end..]).cloned().collect()))
        }
        (Prim::Index, [Int(i), Int(n)]) => {
            assert!((-n..*n).contains(i), "index {i} of {n}");
            Int(if *i < 0 { i + n } else { *i })
        }
        (Prim::TupleOf | Prim::List | Prim::AsArray, [a]) => a.clone(),
        (Prim::Unpacked, [Tuple(t), Int(n)]) => {
            assert_eq!(t.len() as i64, *n);
            Tuple(t.clone())
        }
        (Prim::Range, [Int(a), Int(b), Int(s)]) => {
            let mut list = Vec::new();
            let mut i = *a;
            while if *s > 0 { i < *b } else { i > *b } {
                list.push(Int(i));
                i += s;
            }
            Tuple(Rc::new(list))
        }
        (Prim::Enumerate, [Tuple(t), Int(start)]) => {
            Tuple(Rc::new((*start..).zip(t.iter()).map(|(i, v)| Tuple(Rc::new(vec![Int(i), v.clone()]))).collect()))
        }
        (Prim::SumOf, [Tuple(t), start]) => t.iter().cloned().fold(start.clone(), |a, b| prim(Prim::Add, vec![a, b])),
        (Prim::Iter, [Tuple(t)]) => Iter(t.clone(), 0),
        (Prim::HasNext, [Iter(t, i)]) => Bool(*i < t.len()),
        (Prim::Next, [Iter(t, i)]) => t[*i].clone(),
        (Prim::Advance, [Iter(t, i)]) => Iter(t.clone(), i + 1),
        _ => panic!("{p:?} of {args:?}"),
    }
}

/// As Python prints it.
impl fmt::Debug for V {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            V::Int(i) => write!(f, "{i}"),
            V::Float(x) => write!(f, "{x:?}"),
            V::Bool(b) => f.write_str(if *b { "True" } else { "False" }),
            V::None => f.write_str("None"),
            V::Tuple(t) if t.len() == 1 => write!(f, "({:?},)", t[0]),
            V::Tuple(t) => {
                f.write_str("(")?;
                for (i, v) in t.iter().enumerate() {
                    write!(f, "{}{v:?}", if i > 0 { ", " } else { "" })?;
                }
                f.write_str(")")
            }
            V::Fn(..) | V::Partial(..) => f.write_str("<function>"),
            V::Slice(..) => f.write_str("<slice>"),
            V::Iter(..) => f.write_str("<iterator>"),
        }
    }
}

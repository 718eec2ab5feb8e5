//! Each row of the table, against the primitives.

use super::apply::Instance;
use super::*;
use crate::egraph::analysis::same_bits;
use crate::egraph::lang::{Op, Term};
use egg::{ENodeOrVar, PatternAst, Var};
use gradus_ir::eval;
use gradus_ir::{Effect, TrapKind};

/// xorshift64*: a fixed sequence on every machine.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[(self.next() % from.len() as u64) as usize]
    }

    /// Any value of a type; one in two from the edges.
    fn any(&mut self, ty: &Type) -> Scalar {
        let edge = self.next().is_multiple_of(2);
        match ty {
            Type::F64 if edge => Scalar::F64(self.pick(FLOATS)),
            Type::F64 if self.next().is_multiple_of(2) => Scalar::F64(f64::from_bits(self.next())),
            Type::F64 => Scalar::F64(self.moderate(-3.0, 3.0)),
            Type::I64 if edge => Scalar::I64(self.pick(INTEGERS)),
            Type::I64 => Scalar::I64(self.next() as i64 >> (self.next() % 64)),
            _ => Scalar::Bool(edge),
        }
    }

    fn moderate(&mut self, from: f64, to: f64) -> f64 {
        from + (to - from) * (self.next() >> 11) as f64 / (1_u64 << 53) as f64
    }
}

const FLOATS: &[f64] = &[
    0.0,
    -0.0,
    1.0,
    -1.0,
    0.5,
    2.0,
    -2.0,
    4.0,
    3.0,
    0.1,
    f64::INFINITY,
    f64::NEG_INFINITY,
    f64::NAN,
    f64::MAX,
    f64::MIN,
    f64::MIN_POSITIVE,
    -f64::MIN_POSITIVE,
    5e-324,
    -5e-324,
    1.1e-308,
    f64::EPSILON,
    8.98846567431158e307,
    1e16,
    -710.5,
];

const INTEGERS: &[i64] = &[0, 1, -1, 2, -2, 3, 63, 64, i64::MAX, i64::MIN, i64::MAX - 1, i64::MIN + 1, 1 << 53];

type Values = [(Var, Scalar)];

/// The value of one side; none where it does not type.
fn evaluate(ast: &PatternAst<Term>, values: &Values) -> Option<Result<Scalar, TrapKind>> {
    let mut results: Vec<Scalar> = Vec::new();
    for node in ast.iter() {
        results.push(match node {
            ENodeOrVar::Var(v) => values.iter().find(|(w, _)| w == v).expect("bound").1,
            ENodeOrVar::ENode(term) => match term.op {
                Op::F64(bits) => Scalar::F64(f64::from_bits(bits)),
                Op::I64(v) => Scalar::I64(v),
                Op::Bool(v) => Scalar::Bool(v),
                Op::Prim(p) => {
                    let operands: Vec<Scalar> = term.children.iter().map(|&c| results[usize::from(c)]).collect();
                    match eval::eval(p, &operands)? {
                        Ok(value) => value,
                        Err(trap) => return Some(Err(trap)),
                    }
                }
                _ => return None,
            },
        });
    }
    results.last().copied().map(Ok)
}

fn proves(guard: Guard, value: Scalar) -> bool {
    guard(Proved { ty: &type_of(value), constant: Some(value), sign: Sign::of(value) })
}

fn type_of(value: Scalar) -> Type {
    match value {
        Scalar::F64(_) => Type::F64,
        Scalar::I64(_) => Type::I64,
        Scalar::Bool(_) => Type::Bool,
    }
}

/// Whether the right side applies something that may trap to other operands than the left side does; the engine never makes
/// such terms.
fn makes_traps(instance: &Instance, values: &Values) -> bool {
    fn terms(ast: &PatternAst<Term>, values: &Values) -> Vec<String> {
        let mut texts: Vec<(String, Option<Type>)> = Vec::new();
        let mut traps = Vec::new();
        for node in ast.iter() {
            texts.push(match node {
                ENodeOrVar::Var(v) => (v.to_string(), values.iter().find(|(w, _)| w == v).map(|&(_, value)| type_of(value))),
                ENodeOrVar::ENode(term) => {
                    let mut operands: Vec<&str> = term.children.iter().map(|&c| texts[usize::from(c)].0.as_str()).collect();
                    if term.prim().is_some_and(|p| p.is_commutative()) {
                        operands.sort_unstable();
                    }
                    let text = format!("({term} {})", operands.join(" "));
                    let types: Vec<Type> =
                        term.children.iter().map(|&c| texts[usize::from(c)].1.clone().unwrap_or_default()).collect();
                    if term.prim().is_some_and(|p| p.effect(&types) != Effect::Pure) {
                        traps.push(text.clone());
                    }
                    let ty = match term.op {
                        Op::F64(_) => Some(Type::F64),
                        Op::I64(_) => Some(Type::I64),
                        Op::Bool(_) => Some(Type::Bool),
                        _ => term.prim().and_then(|p| p.result_type(&types)),
                    };
                    (text, ty)
                }
            });
        }
        traps
    }
    let left = terms(&instance.left.ast, values);
    terms(&instance.right.ast, values).iter().any(|t| !left.contains(t))
}

/// Calls `check` on values for which the guards hold, of every type the rule can have.
fn sample(instance: &Instance, mut check: impl FnMut(&Values, Result<Scalar, TrapKind>, Result<Scalar, TrapKind>)) -> usize {
    let types = [Type::F64, Type::I64, Type::Bool];
    let vars = instance.left.vars();
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let mut checked = 0;
    for assignment in 0..types.len().pow(vars.len() as u32) {
        let var_types: Vec<&Type> = (0..vars.len() as u32).map(|i| &types[assignment / 3_usize.pow(i) % 3]).collect();
        for _ in 0..4000 {
            let values: Vec<(Var, Scalar)> = vars.iter().zip(&var_types).map(|(&v, ty)| (v, random.any(ty))).collect();
            let value_of = |var: Var| values.iter().find(|(w, _)| *w == var).expect("bound").1;
            if !instance.guards.iter().all(|&(guard, var)| proves(guard, value_of(var))) {
                continue;
            }
            let Some(left) = evaluate(&instance.left.ast, &values) else { break };
            if makes_traps(instance, &values) {
                break;
            }
            let Some(right) = evaluate(&instance.right.ast, &values) else { break };
            if let (Ok(l), Ok(r)) = (left, right)
                && type_of(l) != type_of(r)
            {
                break;
            }
            check(&values, left, right);
            checked += 1;
        }
    }
    checked
}

#[test]
fn names_are_unique_and_real_rules_say_what_they_give_up() {
    let mut names: Vec<&str> = RULES.iter().map(|r| &*r.name).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), RULES.len());
    for rule in RULES {
        assert_eq!(rule.gives_up.is_empty(), rule.class <= Class::Last, "{}", rule.name);
    }
}

#[test]
fn exact_rules_keep_every_bit() {
    for rule in RULES.iter().filter(|r| r.class <= Class::Last && !r.left.contains("gadd")) {
        let mut checked = 0;
        for instance in rule.instances().expect("the table is right") {
            checked += sample(&instance, |values, left, right| match (left, right) {
                (Err(_), _) => {}
                (Ok(l), Ok(r)) => assert!(same_bits(l, r), "{}: {l:?} is not {r:?} at {values:?}", instance.name),
                (Ok(_), Err(_)) => panic!("{}: a trap is new at {values:?}", instance.name),
            });
        }
        assert!(checked > 100, "{}: only {checked} points", rule.name);
    }
}

#[test]
fn real_rules_agree_on_moderate_numbers_and_differ_somewhere() {
    for rule in RULES.iter().filter(|r| r.class > Class::Last) {
        let instance = &rule.instances().expect("the table is right")[0];
        let vars = instance.left.vars();
        let mut random = Random(0x1234_5678_9abc_def1);
        let mut differs = 0;
        for _ in 0..20_000 {
            let values: Vec<(Var, Scalar)> = vars.iter().map(|&v| (v, Scalar::F64(random.moderate(0.3, 3.0)))).collect();
            let (Some(Ok(Scalar::F64(l))), Some(Ok(Scalar::F64(r)))) =
                (evaluate(&instance.left.ast, &values), evaluate(&instance.right.ast, &values))
            else {
                panic!("{} is not a rule of floats", rule.name)
            };
            assert!((l - r).abs() <= 1e-9 * l.abs().max(r.abs()).max(1.0), "{}: {l} and {r} at {values:?}", rule.name);
            differs += usize::from(l.to_bits() != r.to_bits());
        }
        sample(instance, |_, left, right| {
            if let (Ok(l), Ok(r)) = (left, right) {
                differs += usize::from(!same_bits(l, r));
            }
        });
        assert!(differs > 0, "{} is exact on every point tried", rule.name);
    }
}

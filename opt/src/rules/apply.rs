//! Rules as egg applies them.

use super::{Class, GUARDS, Guard, Proved, Rule};
use crate::egraph::analysis::{Facts, operand_types};
use crate::egraph::lang::{Children, Op, Term};
use crate::egraph::schedule::Shape;
use egg::{Applier, EGraph, ENodeOrVar, Id, Pattern, PatternAst, Rewrite, Searcher, Subst, Symbol, Var};
use gradus_ir::{Effect, Sig, Type};

/// Rules as egg applies them.
#[derive(Debug)]
pub struct Rules {
    /// Left and right sides.
    pub rewrites: Vec<Rewrite<Term, Facts>>,
    /// Of each, where it can match.
    pub shapes: Vec<Shape>,
}

impl<'r> FromIterator<&'r Rule> for Rules {
    /// Panics if one of the rules is not right ([`Rule::read`]).
    fn from_iter<I: IntoIterator<Item = &'r Rule>>(rules: I) -> Rules {
        let instances = |rule: &'r Rule| rule.instances().unwrap_or_else(|e| panic!("rule {}: {e}", rule.name));
        let compiled = rules.into_iter().flat_map(instances).map(|instance| {
            let Instance { name, left, right, guards } = instance;
            let shape = Shape::new(&left.ast);
            let apply = Apply { right: right.ast, guards };
            (Rewrite::new(name, left, apply).expect("the right side uses variables of the left"), shape)
        });
        let (rewrites, shapes) = compiled.unzip();
        Rules { rewrites, shapes }
    }
}

/// A rule with its literals in one type.
pub(super) struct Instance {
    pub name: String,
    pub left: Pattern<Term>,
    pub right: Pattern<Term>,
    pub guards: Vec<(Guard, Var)>,
}

impl Rule {
    /// The rule as written, and once more for integers where it has whole literals with a point and polymorphic primitives.
    pub(super) fn instances(&self) -> Result<Vec<Instance>, String> {
        let parse = |text: &str| text.parse::<Pattern<Term>>().map_err(|e| format!("`{text}` is no term: {e}"));
        let (left, right) = (parse(&self.left)?, parse(&self.right)?);
        if !matches!(left.ast.iter().next_back(), Some(ENodeOrVar::ENode(term)) if !term.children.is_empty()) {
            return Err(format!("`{}` is no application", self.left));
        }
        let guards = self.guards()?;
        let known = left.vars();
        let unknown = right.vars().into_iter().chain(guards.iter().map(|&(_, var)| var)).find(|var| !known.contains(var));
        if let Some(var) = unknown {
            return Err(format!("`{var}` is not in `{}`", self.left));
        }
        let integers = || Some((with_integers(&left)?, with_integers(&right)?));
        let second = if self.class <= Class::Last { integers() } else { None };
        let second = second.filter(|(l, r)| *l != left || *r != right).map(|(left, right)| Instance {
            name: format!("{}/int", self.name),
            left,
            right,
            guards: guards.clone(),
        });
        Ok(std::iter::once(Instance { name: self.name.to_string(), left, right, guards }).chain(second).collect())
    }

    fn guards(&self) -> Result<Vec<(Guard, Var)>, String> {
        let conditions = self.conditions.split(',').map(str::trim).filter(|condition| !condition.is_empty());
        let guard = |condition: &str| {
            let (name, var) = condition.split_once(' ')?;
            let &(_, guard) = GUARDS.iter().find(|(known, _)| *known == name)?;
            Some((guard, var.trim().parse().ok()?))
        };
        let known = || GUARDS.map(|(name, _)| name).join(", ");
        conditions
            .map(|c| guard(c).ok_or_else(|| format!("`{c}` is no condition on a variable; there are {}", known())))
            .collect()
    }
}

fn with_integers(pattern: &Pattern<Term>) -> Option<Pattern<Term>> {
    let nodes = pattern.ast.iter().map(|node| {
        let ENodeOrVar::ENode(term) = node else {
            return Some(node.clone());
        };
        let op = match term.op {
            Op::F64(bits) => {
                let v = f64::from_bits(bits);
                if v.fract() != 0.0 {
                    return None;
                }
                Op::I64(v as i64)
            }
            Op::Prim(p) if !matches!(p.sig(), Sig::Num | Sig::NumTotal | Sig::Compare | Sig::Own) => return None,
            ref op => op.clone(),
        };
        Some(ENodeOrVar::ENode(Term::new(op, term.children.clone())))
    });
    let nodes: Vec<ENodeOrVar<Term>> = nodes.collect::<Option<_>>()?;
    Some(Pattern::new(nodes.into()))
}

/// The right side of a rule: builds it, unless a guard is not proved, a term that may trap would be new, the types differ, or
/// two constants would become one.
struct Apply {
    right: PatternAst<Term>,
    guards: Vec<(Guard, Var)>,
}

impl Apply {
    fn build(&self, egraph: &mut EGraph<Term, Facts>, subst: &Subst) -> Option<Id> {
        let mut ids: Vec<Id> = Vec::with_capacity(self.right.len());
        for node in self.right.iter() {
            let id = match node {
                ENodeOrVar::Var(v) => egraph.find(subst[*v]),
                ENodeOrVar::ENode(pattern) => {
                    let children: Children = pattern.children.iter().map(|&c| ids[usize::from(c)]).collect();
                    let term = Term::new(pattern.op.clone(), children);
                    match egraph.lookup(term.clone()) {
                        Some(id) => id,
                        None if egraph.total_size() >= egraph.analysis.node_limit || new_trap(egraph, &term) => return None,
                        None => egraph.add(term),
                    }
                }
            };
            ids.push(id);
        }
        ids.last().copied()
    }
}

/// Whether a term that is not in the e-graph may trap. One with its operands exchanged may be there: then it traps as that does.
fn new_trap(egraph: &EGraph<Term, Facts>, term: &Term) -> bool {
    let Some(prim) = term.prim() else {
        return false;
    };
    if prim.effect(&operand_types(egraph, term)) == Effect::Pure {
        return false;
    }
    let mut exchanged = term.clone();
    exchanged.children.reverse();
    !(prim.is_commutative() && egraph.lookup(exchanged).is_some())
}

impl Applier<Term, Facts> for Apply {
    fn apply_one(
        &self,
        egraph: &mut EGraph<Term, Facts>,
        class: Id,
        subst: &Subst,
        _: Option<&PatternAst<Term>>,
        _: Symbol,
    ) -> Vec<Id> {
        let proved = self.guards.iter().all(|&(guard, var)| guard(Proved::from(&egraph[subst[var]].data)));
        if !proved {
            return Vec::new();
        }
        let Some(right) = self.build(egraph, subst) else {
            return Vec::new();
        };
        let (a, b) = (&egraph[class].data, &egraph[right].data);
        let same_type = a.ty == b.ty && a.ty != Type::Unknown;
        let (a, b) = (a.constant, b.constant);
        if same_type && !egraph.analysis.meet(a, b) && egraph.union(class, right) { vec![class] } else { Vec::new() }
    }

    fn vars(&self) -> Vec<Var> {
        let used = Pattern::new(self.right.clone());
        let used = <Pattern<Term> as Searcher<Term, Facts>>::vars(&used);
        used.into_iter().chain(self.guards.iter().map(|&(_, var)| var)).collect()
    }
}

//! Cotangents while a derivative is being built: structural zeros, tuples by field, and values.

use gradus_ir::Type;

/// The cotangent of one primal node. Generic in the value, so that the analysis (`V = ()`) and the emission of code (`V` a
/// node) run the same rules.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Cot<V> {
    /// The structural zero: nothing flows here.
    Zero,
    /// The value of a float or a box.
    Live(V),
    /// A tuple, field by field; not all of them zero.
    Tuple(Vec<Cot<V>>),
}

/// The live leaves of a cotangent, without their values.
pub type Act = Cot<()>;

impl<V> Cot<V> {
    /// A tuple by its fields.
    pub fn tuple(fields: Vec<Cot<V>>) -> Cot<V> {
        if fields.iter().all(Cot::is_zero) { Cot::Zero } else { Cot::Tuple(fields) }
    }

    /// Whether nothing flows here.
    pub fn is_zero(&self) -> bool {
        matches!(self, Cot::Zero)
    }

    /// The cotangent without its values.
    pub fn act(&self) -> Act {
        match self {
            Cot::Zero => Cot::Zero,
            Cot::Live(_) => Cot::Live(()),
            Cot::Tuple(fields) => Cot::Tuple(fields.iter().map(Cot::act).collect()),
        }
    }

    /// Appends the values on the leaves, in order.
    pub fn values(&self, out: &mut Vec<V>)
    where
        V: Clone,
    {
        match self {
            Cot::Zero => {}
            Cot::Live(value) => out.push(value.clone()),
            Cot::Tuple(fields) => fields.iter().for_each(|f| f.values(out)),
        }
    }

    /// The cotangent of field `i` of a tuple.
    pub fn into_field(self, i: usize) -> Cot<V> {
        match self {
            Cot::Zero => Cot::Zero,
            Cot::Tuple(mut fields) => fields.swap_remove(i),
            Cot::Live(_) => unreachable!("a live cotangent is a leaf"),
        }
    }
}

impl Act {
    /// All leaves of a value of type `ty` that can have a cotangent are live.
    pub fn full(ty: &Type) -> Act {
        match ty {
            Type::Tuple(items) => Cot::tuple(items.iter().map(Act::full).collect()),
            t if t.is_inert() => Cot::Zero,
            _ => Cot::Live(()),
        }
    }

    /// The cotangent where paths meet that bring `self` and `other`: live if either is.
    pub fn join(&self, other: &Act) -> Act {
        match (self, other) {
            (Cot::Zero, c) | (c, Cot::Zero) => c.clone(),
            (Cot::Live(()), Cot::Live(())) => Cot::Live(()),
            (Cot::Tuple(a), Cot::Tuple(b)) => Cot::Tuple(a.iter().zip(b).map(|(a, b)| a.join(b)).collect()),
            _ => unreachable!("cotangents of one node have one shape"),
        }
    }

    /// The number of live leaves.
    pub fn count(&self) -> usize {
        match self {
            Cot::Zero => 0,
            Cot::Live(()) => 1,
            Cot::Tuple(fields) => fields.iter().map(Act::count).sum(),
        }
    }

    /// Puts values on the live leaves, in order.
    pub fn fill<V>(&self, values: &mut impl Iterator<Item = V>) -> Cot<V> {
        match self {
            Cot::Zero => Cot::Zero,
            Cot::Live(()) => Cot::Live(values.next().expect("a value per live leaf")),
            Cot::Tuple(fields) => Cot::Tuple(fields.iter().map(|f| f.fill(values)).collect()),
        }
    }

    /// The types of the live leaves of a value of type `ty`, in order.
    pub fn leaf_types(&self, ty: &Type, out: &mut Vec<Type>) {
        self.leaves(ty, &mut |leaf| out.push(leaf.cotangent()));
    }

    /// Hands out the types of the values at the live leaves of one of type `ty`, in order.
    pub fn leaves(&self, ty: &Type, out: &mut impl FnMut(&Type)) {
        match self {
            Cot::Zero => {}
            Cot::Live(()) => out(ty),
            Cot::Tuple(fields) => {
                let types = ty.fields().expect("a tuple of cotangents belongs to a tuple");
                fields.iter().zip(types).for_each(|(f, t)| f.leaves(t, out));
            }
        }
    }
}

//! Calls of functions of the host: their arguments must be of the types of their parameters, where an integer will do for a float.

use super::abs::Abs;
use super::prims::{Ops, Result, Value};
use crate::host::Host;
use crate::prim::Prim;
use crate::types::Type;

impl Ops<'_> {
    /// Calls a function of the host.
    pub(super) fn host(&mut self, host: Host, args: &[Value]) -> Result<Value> {
        let function = host.function();
        let mut given = Vec::with_capacity(args.len());
        for (i, (v, ty)) in args.iter().zip(&function.params).enumerate() {
            let to = abs(ty);
            if !fits(&v.abs, ty) {
                let message = format!("`{}` takes {} for argument {}, this is {}", function.name, to.a(), i + 1, v.abs.a());
                return self.refuse(message);
            }
            given.push(self.coerce(v, &to));
        }
        let given: Vec<&Value> = given.iter().collect();
        Ok(self.op(Prim::Host(host), &given, abs(&function.result)))
    }
}

/// Whether a value is of a type, or becomes one by [`Ops::coerce`].
fn fits(abs: &Abs, ty: &Type) -> bool {
    match (abs, ty) {
        (Abs::F64(_) | Abs::I64(_) | Abs::Bool(_), Type::F64) | (Abs::I64(_), Type::I64) | (Abs::Bool(_), Type::Bool) => true,
        (Abs::Tuple(abs, _), Type::Tuple(types)) => {
            abs.len() == types.len() && abs.iter().zip(types.iter()).all(|(a, t)| fits(a, t))
        }
        _ => *abs == Abs::None && *ty == Type::None,
    }
}

/// The abstract value of a type of the host's: scalars, `None` and tuples of them.
fn abs(ty: &Type) -> Abs {
    match ty {
        Type::F64 => Abs::F64(None),
        Type::I64 => Abs::I64(None),
        Type::Bool => Abs::Bool(None),
        Type::Tuple(items) => Abs::tuple(items.iter().map(abs)),
        _ => Abs::None,
    }
}

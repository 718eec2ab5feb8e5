//! Runs that end at the first float that is NaN or infinite.
//!
//! ```text
//! y = log(x)        ⟹       y = log(x)
//!                            y' = finite(y, abs(y) < inf)        and whoever used y uses y'
//! ```
//!
//! Each operation that computes a float, or an array of floats, is watched. Operations of a derivative have the place in the source of the
//! operation that they are derived from. Constants and arguments may be infinite: a search for the least begins with infinity. Moves and
//! choices among them are not watched. A factor of a cotangent or tangent is not, either: where that is zero, so is their product.

use gradus_ir::{ArrayOp, Dims, Module, Nest, NodeId, Prim, Sig, Type, Use};

/// Watches all floats that a program computes. It is for programs that are run as they are.
pub fn watch(m: &mut Module) {
    let entry = m.entry.expect("a typed module has an entry");
    let nest = Nest::new(m, &[entry]);
    for n in nest.graphs().iter().flat_map(|&g| nest.schedule(g).iter().copied()) {
        if m.as_prim(n).is_some_and(computes) && has_floats(&m[n].ty) && !is_factor(m, n) {
            watch_one(m, n);
        }
    }
}

/// Whether a primitive can give a float that is NaN or infinite of operands that are not.
fn computes(prim: Prim) -> bool {
    use Prim::{Abs, Ceil, Copysign, Floor, Host, Max, Maximum, Min, Minimum, Narrow, Neg, Powi, Round, Sign, Trunc};
    match prim {
        Abs | Ceil | Copysign | Floor | Max | Maximum | Min | Minimum | Neg | Round | Sign | Trunc => false,
        // A write adds to one element of many; whoever reads it computes with it.
        Prim::Array(op, _) => {
            use ArrayOp::{Cholesky, CumSum, LogDet, MatMul, Solve, SumTo};
            matches!(op, Cholesky | CumSum | LogDet | MatMul | Solve | SumTo)
        }
        Host(_) | Narrow | Powi => true,
        _ => matches!(prim.sig(), Sig::Float | Sig::Num | Sig::NumTotal),
    }
}

fn has_floats(ty: &Type) -> bool {
    ty.as_array().is_some_and(|(dtype, shape)| dtype.is_float() && shape.count() > 0)
}

/// Whether all that is done with a value is to weigh cotangents or tangents with it.
fn is_factor(m: &Module, n: NodeId) -> bool {
    let weighs = |u: &Use| u.index == 1 && matches!(m.as_prim(u.node), Some(Prim::Mul0 | Prim::Div0));
    m[n].users().iter().all(weighs)
}

fn watch_one(m: &mut Module, n: NodeId) {
    let users = m[n].users().to_vec();
    let (g, ty, span) = (m[n].graph.expect("it is no constant"), m[n].ty.clone(), m[n].span);
    let size = m.prim(g, Prim::Abs, vec![n], ty.clone(), span);
    let largest = match ty.as_array() {
        Some((dtype, shape)) if !shape.is_empty() => {
            m.prim(g, Prim::Array(ArrayOp::MaxTo, Dims::NONE), vec![size], Type::array(dtype, Dims::NONE), span)
        }
        _ => size,
    };
    let infinity = m.f64(f64::INFINITY);
    let is_finite = m.prim(g, Prim::Lt, vec![largest, infinity], Type::Bool, span);
    let watched = m.prim(g, Prim::Finite, vec![n, is_finite], ty, span);
    for u in users {
        m.set_input(u.node, u.index as usize, watched);
    }
}

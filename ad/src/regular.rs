//! Programs whose derivatives need no strong products (docs/strategies.md §2).
//!
//! A strong product differs from a plain one where zero meets an infinity or a NaN. A program of sums, products and bounded functions
//! makes neither of finite numbers, unless it overflows, and the rows of these operations have such factors alone. So its products stay
//! plain: the gradient of a polynomial is the one that a person writes. Whether a program is regular is asked of it as inference leaves
//! it, since simplification may remove the operation that made it singular.

use gradus_ir::{ArrayOp, Const, Module, Node, Prim, Sig};

/// Whether all operations of a typed module are regular.
pub fn is_regular(m: &Module) -> bool {
    m.nodes().all(|(id, node)| m.as_prim(id).is_none_or(|prim| is_regular_at(m, node, prim)))
}

fn is_regular_at(m: &Module, node: &Node, prim: Prim) -> bool {
    let is_float = || node.ty.dtype().is_some_and(|dtype| dtype.is_float());
    match prim {
        Prim::Div => m.as_f64(node.inputs()[1]).is_some_and(|by| by != 0.0 && by.is_finite()),
        Prim::Powi => matches!(m[node.inputs()[1]].as_const(), Some(Const::I64(exponent)) if *exponent >= 0),
        Prim::FloorDiv | Prim::Mod | Prim::Rem => !is_float(),
        // Who asks whether a float is infinite goes on where one is.
        _ if prim.sig() == Sig::Compare => !node.inputs().iter().any(|&n| m.as_f64(n).is_some_and(f64::is_infinite)),
        Prim::Pow
        | Prim::Sqrt
        | Prim::Cbrt
        | Prim::Hypot
        | Prim::Exp
        | Prim::Exp2
        | Prim::Expm1
        | Prim::Log
        | Prim::Log2
        | Prim::Log10
        | Prim::Log1p
        | Prim::Tan
        | Prim::Asin
        | Prim::Acos
        | Prim::Atan2
        | Prim::Sinh
        | Prim::Cosh
        | Prim::Acosh
        | Prim::Atanh
        | Prim::LogAddExp
        | Prim::Gammaln
        | Prim::Polygamma
        | Prim::Mul0
        | Prim::Div0
        | Prim::Host(_) => false,
        Prim::Array(op, _) => !matches!(op, ArrayOp::Solve | ArrayOp::LogDet | ArrayOp::DetSign | ArrayOp::Cholesky),
        _ => true,
    }
}

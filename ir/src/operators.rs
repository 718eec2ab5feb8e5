//! The methods by which classes define what primitives do with their instances.

use crate::array::ArrayOp;
use crate::prim::Prim;

/// The method that defines an operator for its left operand, and for its right one.
pub fn operator_methods(prim: Prim) -> Option<[&'static str; 2]> {
    Some(match prim {
        Prim::Add => ["__add__", "__radd__"],
        Prim::Sub => ["__sub__", "__rsub__"],
        Prim::Mul => ["__mul__", "__rmul__"],
        Prim::TrueDiv => ["__truediv__", "__rtruediv__"],
        Prim::FloorDiv => ["__floordiv__", "__rfloordiv__"],
        Prim::Mod => ["__mod__", "__rmod__"],
        Prim::Power => ["__pow__", "__rpow__"],
        Prim::BitAnd => ["__and__", "__rand__"],
        Prim::BitOr => ["__or__", "__ror__"],
        Prim::BitXor => ["__xor__", "__rxor__"],
        Prim::Eq => ["__eq__", "__eq__"],
        Prim::Ne => ["__ne__", "__ne__"],
        Prim::Lt => ["__lt__", "__gt__"],
        Prim::Le => ["__le__", "__ge__"],
        Prim::Gt => ["__gt__", "__lt__"],
        Prim::Ge => ["__ge__", "__le__"],
        Prim::GetItem | Prim::OldItem | Prim::Picked => ["__getitem__", ""],
        Prim::SetItem | Prim::UpdateItem => ["__setitem__", ""],
        Prim::AddItem => ["__additem__", ""],
        Prim::Append => ["__append__", ""],
        Prim::Extend => ["__extend__", "__extends__"],
        Prim::Iter => ["__iter__", ""],
        Prim::HasNext => ["__has_next__", ""],
        Prim::Next => ["__next__", ""],
        Prim::Advance => ["__advance__", ""],
        Prim::TupleOf | Prim::List => ["__tuple__", ""],
        Prim::Unpacked => ["__unpacked__", ""],
        Prim::Starred => ["__starred__", ""],
        Prim::Contains => ["__contains__", ""],
        Prim::SumOf => ["__sum__", ""],
        Prim::MinOf => ["__min__", ""],
        Prim::MaxOf => ["__max__", ""],
        Prim::Reversed => ["__reversed__", ""],
        Prim::Enumerate => ["__enumerate__", ""],
        Prim::Neg => ["__neg__", ""],
        Prim::Abs => ["__abs__", ""],
        Prim::Len => ["__len__", ""],
        Prim::Truth => ["__bool__", ""],
        Prim::Float => ["__float__", ""],
        Prim::TruncInt => ["__int__", ""],
        Prim::RoundInt => ["__round__", ""],
        Prim::FloorInt => ["__floor__", ""],
        Prim::CeilInt => ["__ceil__", ""],
        Prim::Invert => ["__invert__", ""],
        Prim::Exp => ["__exp__", ""],
        Prim::Log => ["__log__", ""],
        Prim::Log10 => ["__log10__", ""],
        Prim::Sqrt => ["__sqrt__", ""],
        Prim::Sin => ["__sin__", ""],
        Prim::Cos => ["__cos__", ""],
        Prim::Tan => ["__tan__", ""],
        Prim::Sinh => ["__sinh__", ""],
        Prim::Cosh => ["__cosh__", ""],
        Prim::Tanh => ["__tanh__", ""],
        Prim::Asin => ["__arcsin__", ""],
        Prim::Acos => ["__arccos__", ""],
        Prim::Atan => ["__arctan__", ""],
        Prim::Asinh => ["__arcsinh__", ""],
        Prim::Acosh => ["__arccosh__", ""],
        Prim::Atanh => ["__arctanh__", ""],
        _ => return None,
    })
}

/// The method by which the class of complex numbers, whose parts may be arrays, defines what the library asks of an array: for the
/// first operand, and for the second.
pub fn array_methods(prim: Prim) -> Option<[&'static str; 2]> {
    Some(match prim {
        Prim::AsType => ["__as_type__", ""],
        Prim::DTypeOf => ["__dtype__", ""],
        Prim::IsArray => ["__is_array__", ""],
        Prim::ShapeOf => ["__shape__", ""],
        Prim::Lift(op) => match op {
            ArrayOp::Broadcast => ["__broadcast__", ""],
            ArrayOp::SumTo => ["__sum_to__", ""],
            ArrayOp::Reshape => ["__with_shape__", ""],
            ArrayOp::Transpose => ["__permute__", ""],
            ArrayOp::Slice => ["__part__", ""],
            ArrayOp::Put => ["__place__", ""],
            ArrayOp::Gather => ["__gather__", ""],
            ArrayOp::MatMul => ["__matmul__", "__rmatmul__"],
            ArrayOp::CumSum => ["__cumulate__", ""],
            ArrayOp::Solve => ["__solution__", "__rsolution__"],
            ArrayOp::LogDet => ["__logarithm_of_det__", ""],
            ArrayOp::DetSign => ["__sign_of_det__", ""],
            _ => return None,
        },
        _ => return None,
    })
}

/// The function of that class for several values, of which one is complex or holds complex numbers.
pub fn complex_function(prim: Prim) -> Option<&'static str> {
    match prim {
        Prim::AsArray => Some("__array__"),
        Prim::Lift(ArrayOp::Concat) => Some("__concat__"),
        Prim::Select => Some("__select__"),
        Prim::Zip => Some("__zip__"),
        _ => None,
    }
}

//! The primitives: one table row each, with text name, signature and effect class.
//!
//! The derivative of each is a row of the table in `gradus-ad`; its meaning on scalars a function in [`crate::eval`].

use crate::array::{ArrayOp, DType, Dims};
use crate::host::Host;
use crate::span::TrapKind;
use crate::types::Type;
pub use operators::Reverse;
pub use trace::TraceOp;

mod operators;
mod trace;

/// What executing a primitive can do besides giving its result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Effect {
    /// Total: may be executed anywhere, any number of times, or not at all.
    Pure,
    /// May trap, or needs that a box has the layout, or a function value the derivative, that it has where the program executes
    /// it. Equal ones may be merged, an unneeded one dropped, one already executed recomputed; but it is not executed where the
    /// program would not have executed it.
    Trap,
    /// Total, and uses up the tape it is given: dropped like a pure one where it is not needed, but neither merged with an equal
    /// one nor executed where the program would not have executed it, so that a tape keeps one owner. That is for speed: a second
    /// `push` on one tape copies.
    Linear,
    /// Resolved by inference; does not occur in a typed module.
    Source,
}

/// The shape of a primitive's signature.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sig {
    /// `(T, …) -> T`, T one of `f64`, `f32`.
    Float,
    /// `(T, …) -> T`, T one of `f64`, `f32`, `i64`; on `i64` it may trap.
    Num,
    /// `(T, …) -> T`, T one of `f64`, `f32`, `i64`; total.
    NumTotal,
    /// `(i64, …) -> i64`.
    Int,
    /// `(T, T) -> bool`, T one of `f64`, `f32`, `i64`, `bool`.
    Compare,
    /// `(bool, …) -> bool`.
    Bool,
    /// Its own; see [`Prim::result_type`].
    Own,
    /// None: resolved by inference.
    Source,
}

macro_rules! primitives {
    ($( $(#[$doc:meta])* $variant:ident $text:literal $arity:literal $sig:ident $effect:ident; )*) => {
        /// A primitive operation.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
        pub enum Prim {
            $( $(#[$doc])* $variant, )*
            /// `(T₀, …) -> (T₀, …)`: makes a tuple.
            Tuple,
            /// Field i of a tuple.
            Get(u32),
            /// An operation on arrays, with its attribute.
            Array(ArrayOp, Dims),
            /// An operation on arrays as programs apply it: its attribute is a constant operand. Resolved by inference.
            Lift(ArrayOp),
            /// `(fn(A…, B…) -> R, A…) -> fn(B…) -> R`: a closure with its first arguments.
            Partial,
            /// The same with keyword arguments: function, positional arguments, n values, then n string constants naming them.
            /// Resolved by inference.
            PartialKw(u32),
            /// A function of the host: takes values of its parameter types.
            Host(Host),
            /// `() -> i64`: how many derivatives deep this code is. The program says 0, its copy in a derivative one more.
            NestLevel(u32),
            /// `F` of a higher order, the number: `fn(A…) -> R` to `fn(opaque…, A…, A₁…, A₂…, …) -> (R, R₁, R₂, …)`, the coefficients of
            /// the result's Taylor series from those of the arguments. Of functions that only the run knows it becomes `F` of `F`.
            Taylor(u32),
            /// An operation on the tape of a derivative that is traced.
            Trace(TraceOp),
            /// A call with keyword arguments: callee, positional arguments, n values, then n string constants naming them.
            /// Resolved by inference.
            CallKw(u32),
            /// A call with starred arguments: callee, the tuple of positional arguments, n values, then n string constants naming
            /// them. Resolved by inference.
            Apply(u32),
            /// The derivative operators `grad` and `value_and_grad`: function, then constants naming the arguments (integers
            /// or strings). Resolved by inference.
            Grad {
                /// Give `(value, gradient)`.
                value: bool,
                /// Give a tuple of gradients, however many arguments are named.
                many: bool,
                /// The function gives something beside the float, which is to be given too.
                aux: bool,
                /// Ints in which the derivative is asked for stay what they are, and their gradient is `None`; else they are floats
                /// for the function.
                allow_int: bool,
            },
        }

        impl Prim {
            /// Every primitive of the table (all but those with an attribute or of any arity).
            pub const TABLE: &'static [Prim] = &[ $( Prim::$variant ),* ];

            /// The name in the text form, without attribute.
            pub fn name(self) -> &'static str {
                match self {
                    $( Prim::$variant => $text, )*
                    Prim::Tuple => "tuple",
                    Prim::Get(_) => "get",
                    Prim::Array(op, _) => op.name(),
                    Prim::Lift(_) => "lift",
                    Prim::Partial => "partial",
                    Prim::PartialKw(_) => "partial_kw",
                    Prim::Host(_) => "host",
                    Prim::NestLevel(_) => "nest_level",
                    Prim::Taylor(_) => "taylor",
                    Prim::Trace(op) => op.name(),
                    Prim::CallKw(_) => "call_kw",
                    Prim::Apply(_) => "apply",
                    Prim::Grad { value: false, .. } => "grad",
                    Prim::Grad { value: true, .. } => "value_and_grad",
                }
            }

            /// The number of operands; none where any number is possible.
            pub fn arity(self) -> Option<usize> {
                match self {
                    $( Prim::$variant => Some($arity), )*
                    Prim::Get(_) | Prim::Taylor(_) => Some(1),
                    Prim::NestLevel(_) => Some(0),
                    Prim::Trace(op) => Some(op.arity()),
                    Prim::Host(host) => Some(host.function().params.len()),
                    Prim::Array(op, _) => op.arity(),
                    Prim::Lift(op) => match op.arity() {
                        Some(n) => Some(n + usize::from(op.has_attribute())),
                        None => Some(1 + usize::from(op.has_attribute())),
                    },
                    Prim::Tuple | Prim::Partial | Prim::PartialKw(_) | Prim::CallKw(_) | Prim::Apply(_) | Prim::Grad { .. } => None,
                }
            }

            /// The shape of the signature.
            pub fn sig(self) -> Sig {
                match self {
                    $( Prim::$variant => Sig::$sig, )*
                    Prim::Tuple | Prim::Get(_) | Prim::Array(..) | Prim::Partial | Prim::Host(_) => Sig::Own,
                    Prim::NestLevel(_) | Prim::Taylor(_) | Prim::Trace(_) => Sig::Own,
                    Prim::Lift(_) | Prim::PartialKw(_) | Prim::CallKw(_) | Prim::Apply(_) | Prim::Grad { .. } => Sig::Source,
                }
            }

            fn declared_effect(self) -> Effect {
                match self {
                    $( Prim::$variant => Effect::$effect, )*
                    Prim::Array(op, _) => op.effect(),
                    Prim::Tuple | Prim::Get(_) | Prim::Partial | Prim::NestLevel(_) => Effect::Pure,
                    // It may panic.
                    Prim::Host(_) => Effect::Trap,
                    // As `F`.
                    Prim::Taylor(_) => Effect::Trap,
                    Prim::Trace(_) => Effect::Linear,
                    Prim::Lift(_) | Prim::PartialKw(_) | Prim::CallKw(_) | Prim::Apply(_) | Prim::Grad { .. } => Effect::Source,
                }
            }
        }
    };
}

primitives! {
    // variant  text     arity sig  effect

    /// `a + b`. In an untyped module Python's `+` (numbers, tuples); the same holds of the operators that follow.
    Add        "add"        2 Num      Trap;
    /// `a - b`.
    Sub        "sub"        2 Num      Trap;
    /// `a * b`.
    Mul        "mul"        2 Num      Trap;
    /// `a / b` on floats.
    Div        "div"        2 Float    Pure;
    /// `-a`.
    Neg        "neg"        1 Num      Trap;
    /// Python's `a // b`.
    FloorDiv   "floor_div"  2 Num      Trap;
    /// Python's `a % b`: the sign of `b`.
    Mod        "mod"        2 Num      Trap;
    /// `math.fmod`: the sign of `a`.
    Rem        "rem"        2 Float    Pure;
    /// Integer addition that wraps: for counters whose range is known.
    WrapAdd    "wrap_add"   2 Int      Pure;
    /// Integer subtraction that wraps.
    WrapSub    "wrap_sub"   2 Int      Pure;
    /// Integer multiplication that wraps.
    WrapMul    "wrap_mul"   2 Int      Pure;
    /// The upper 64 bits of the product of two integers that are read as unsigned.
    HighMul    "high_mul"   2 Int      Pure;
    /// The bits of `a`, so many places up as the lowest six bits of `b` say; those beyond are lost.
    ShiftLeft  "shift_left" 2 Int      Pure;
    /// The bits of `a`, so many places down; zeros come from above.
    ShiftRight "shift_right" 2 Int     Pure;
    /// The bits that both integers have. In an untyped module Python's `&`, of booleans too; the same holds of the two that follow.
    BitAnd     "bit_and"    2 Int      Pure;
    /// The bits that either has.
    BitOr      "bit_or"     2 Int      Pure;
    /// The bits that one of them has.
    BitXor     "bit_xor"    2 Int      Pure;
    /// The operand, which is the step of a `range`; traps if it is zero.
    Step       "step"       1 Int      Trap;
    /// The place of Python's index `a` in a sequence of `b` values, counted from the end if negative; traps outside.
    Index      "index"      2 Int      Trap;
    /// The place `a` in a sequence of `b` values; traps outside. In a program that is run alone.
    Below      "below"      2 Int      Trap;
    /// Absolute value.
    Abs        "abs"        1 Num      Trap;
    /// -1, 0 or 1 by the sign; NaN stays.
    Sign       "sign"       1 NumTotal Pure;
    /// Python's `min(a, b)`: `b if b < a else a`.
    Min        "min"        2 NumTotal Pure;
    /// Python's `max(a, b)`: `b if b > a else a`.
    Max        "max"        2 NumTotal Pure;
    /// NumPy's `minimum`: NaN if either is.
    Minimum    "minimum"    2 NumTotal Pure;
    /// NumPy's `maximum`: NaN if either is.
    Maximum    "maximum"    2 NumTotal Pure;

    /// Strong product, of a cotangent or tangent `a` and a factor `b`: `a * b`, but zero wherever one of them is zero
    /// (docs/strategies.md §2).
    Mul0       "mul0"       2 Float    Pure;
    /// Strong quotient of a cotangent or tangent `a`: `a / b`, but `a` wherever `a` is zero.
    Div0       "div0"       2 Float    Pure;

    /// `a ** b` on floats, the C library's `pow`.
    Pow        "pow"        2 Float    Pure;
    /// `f64 ** i64` by repeated squaring.
    Powi       "powi"       2 Own      Pure;
    /// `i64 ** i64`; traps on overflow and on a negative exponent.
    Ipow       "ipow"       2 Int      Trap;
    /// Square root.
    Sqrt       "sqrt"       1 Float    Pure;
    /// Cube root.
    Cbrt       "cbrt"       1 Float    Pure;
    /// √(a² + b²).
    Hypot      "hypot"      2 Float    Pure;
    /// eᵃ.
    Exp        "exp"        1 Float    Pure;
    /// 2ᵃ.
    Exp2       "exp2"       1 Float    Pure;
    /// eᵃ - 1.
    Expm1      "expm1"      1 Float    Pure;
    /// Natural logarithm.
    Log        "log"        1 Float    Pure;
    /// Logarithm to base 2.
    Log2       "log2"       1 Float    Pure;
    /// Logarithm to base 10.
    Log10      "log10"      1 Float    Pure;
    /// ln(1 + a).
    Log1p      "log1p"      1 Float    Pure;
    /// Sine.
    Sin        "sin"        1 Float    Pure;
    /// Cosine.
    Cos        "cos"        1 Float    Pure;
    /// Tangent.
    Tan        "tan"        1 Float    Pure;
    /// Inverse sine.
    Asin       "asin"       1 Float    Pure;
    /// Inverse cosine.
    Acos       "acos"       1 Float    Pure;
    /// Inverse tangent.
    Atan       "atan"       1 Float    Pure;
    /// Angle of the point (b, a).
    Atan2      "atan2"      2 Float    Pure;
    /// Hyperbolic sine.
    Sinh       "sinh"       1 Float    Pure;
    /// Hyperbolic cosine.
    Cosh       "cosh"       1 Float    Pure;
    /// Hyperbolic tangent.
    Tanh       "tanh"       1 Float    Pure;
    /// Inverse hyperbolic sine.
    Asinh      "asinh"      1 Float    Pure;
    /// Inverse hyperbolic cosine.
    Acosh      "acosh"      1 Float    Pure;
    /// Inverse hyperbolic tangent.
    Atanh      "atanh"      1 Float    Pure;
    /// 1 / (1 + e⁻ᵃ).
    Sigmoid    "sigmoid"    1 Float    Pure;
    /// The error function.
    Erf        "erf"        1 Float    Pure;
    /// Its complement, 1 - erf a.
    Erfc       "erfc"       1 Float    Pure;
    /// ln(eᵃ + eᵇ).
    LogAddExp  "log_add_exp" 2 Float   Pure;
    /// The logarithm of the absolute value of the gamma function.
    Gammaln    "gammaln"    1 Float    Pure;
    /// The derivative of the digamma function of order `a`, a whole number not below zero, at `b`.
    Polygamma  "polygamma"  2 Float    Pure;
    /// `a` with the sign of `b`.
    Copysign   "copysign"   2 Float    Pure;
    /// a · b + c, rounded once.
    Fma        "fma"        3 Float    Pure;
    /// Largest integer not above.
    Floor      "floor"      1 Float    Pure;
    /// Smallest integer not below.
    Ceil       "ceil"       1 Float    Pure;
    /// Nearest integer, ties to even.
    Round      "round"      1 Float    Pure;
    /// Toward zero.
    Trunc      "trunc"      1 Float    Pure;

    /// `a < b`.
    Lt         "lt"         2 Compare  Pure;
    /// `a <= b`.
    Le         "le"         2 Compare  Pure;
    /// `a > b`.
    Gt         "gt"         2 Compare  Pure;
    /// `a >= b`.
    Ge         "ge"         2 Compare  Pure;
    /// `a == b`.
    Eq         "eq"         2 Compare  Pure;
    /// `a != b`.
    Ne         "ne"         2 Compare  Pure;
    /// Both; no short circuit.
    And        "and"        2 Bool     Pure;
    /// Either; no short circuit.
    Or         "or"         2 Bool     Pure;
    /// Negation.
    Not        "not"        1 Bool     Pure;

    /// `(i64 | bool) -> f64`.
    Float      "float"      1 Own      Pure;
    /// `(bool | f64) -> i64`: truncation of a float, which may trap.
    Int        "int"        1 Own      Trap;
    /// `f64 -> f32`: the nearest, ties to even. Of a scalar, which stays one of 64 bits, the same number.
    Narrow     "narrow"     1 Own      Pure;
    /// `f32 -> f64`: exact. A scalar is as it was.
    Widen      "widen"      1 Own      Pure;
    /// `(bool, T, T) -> T`: both are evaluated, one is taken. A branch is a call of a `select` between two graphs.
    Select     "select"     3 Own      Pure;

    /// `T -> opaque`: boxes the cotangent of a closure's captures.
    Pack       "pack"       1 Own      Pure;
    /// `opaque -> T`, T the type of the node; of a zero, the zero of T (floats -0.0).
    Unpack     "unpack"     1 Own      Trap;
    /// `(opaque, bool) -> opaque`: the box, which is opened as the condition says it may be; traps where that does not hold.
    Guard      "guard"      2 Own      Trap;
    /// `(T, bool) -> T`, T a float or an array of floats: the operand, all of which is finite as the condition says; traps where that
    /// does not hold. In a program that is run alone.
    Finite     "finite"     2 Own      Trap;
    /// `(T, T) -> T`, T `opaque`, or a tape or vector of cotangents: the sum, field by field; tapes aligned at the top.
    Gadd       "gadd"       2 Own      Trap;
    /// `(tape<T>, T) -> tape<T>`: the tape with one more record. Its adjoint is `pop`.
    Push       "push"       2 Own      Linear;
    /// `tape<T> -> (tape<T>, T)`: the tape without its last record, and that; of the empty tape, itself and the zero of T. A
    /// cursor moves, the records stay for whoever else holds the tape. Its adjoint is `push`.
    Pop        "pop"        1 Own      Linear;
    /// `(vec<T>, i64) -> T`: the record at an index; zero at a negative one.
    Element    "element"    2 Own      Pure;
    /// `(vec<T>, i64, T) -> vec<T>`: the vector with the record at an index, which is not negative.
    Replace    "replace"    3 Own      Linear;
    /// `fn(A…) -> R` to `fn(A…) -> (R, fn(R̄) -> (opaque, Ā…))`: value and pullback (docs/strategies.md §1).
    J          "J"          1 Own      Trap;
    /// `fn(A…) -> R` to `fn(A…, fn(opaque, Ā…) -> opaque) -> (R, fn(R̄) -> opaque)`: the entry for calls in tail position.
    K          "K"          1 Own      Trap;
    /// `J` where only the last argument varies: all others, and what the function captures, are constants, whose cotangents are zero.
    JLast      "J_last"     1 Own      Trap;
    /// `K` where only the last argument varies.
    KLast      "K_last"     1 Own      Trap;
    /// `fn(A…) -> R` to `fn(opaque, A…, A'…) -> (R, R')`: value and tangent, from the tangent of the function's own captures, the
    /// arguments and their tangents. The type X' of tangents is that of cotangents; a zero may stand for a tangent that is none.
    F          "F"          1 Own      Trap;
    /// `fn(A…) -> R` to `fn(opaque, A…, A'…) -> (R, R')`, where X' are the places on the tape of a traced derivative
    /// ([`Type::traced`]): of the function's own captures, of the arguments, and of the result.
    T          "T"          1 Own      Trap;
    /// `(fn(A…) -> R, J-type of it, F-type of it) -> fn(A…) -> R`: the first function, whose derivatives are the other two. Where the
    /// third is the first, forward mode takes it as it is. Stands for the first once there is no derivative left to take
    /// ([`Prim::is_veil`]). All three have the captures of the first.
    Ruled      "ruled"      3 Own      Pure;
    /// The operand, which is a constant to all derivatives. A veil, as `ruled`.
    StopGradient "stop_gradient" 1 Own Pure;
    /// The operand, computed here: what is made of it is no copy of what was made of the operand before. A veil, as `ruled`, until
    /// nothing is simplified any more.
    Barrier    "barrier"    1 Own      Linear;

    /// `(i64, str, (T…)) -> i64`: prints a template filled with values ([`crate::format`]). The integer is the state of the output: it
    /// comes after what is done before, and gives itself to what is done after. In an untyped module it is nothing, and inference
    /// puts it there.
    Print      "print"      3 Own      Linear;
    /// The same of a message that the run fails with.
    Fail       "fail"       3 Own      Linear;

    // Resolved by inference.

    /// `(str, (T…)) -> str`: the text of a template filled with values, all of them constants.
    Text       "text"       2 Source   Source;
    /// Python's `a ** b`.
    Power      "power"      2 Source   Source;
    /// Python's `a / b`.
    TrueDiv    "true_div"   2 Source   Source;
    /// The truth value of anything, as `if` and `not` see it.
    Truth      "truth"      1 Source   Source;
    /// `t[i]`.
    GetItem    "getitem"    2 Source   Source;
    /// The part of an index that `low:high:step` is, each an int or `None`; last the value of `high - low`, where that may be known
    /// though these are not, or `None`.
    Slice      "slice_of"   4 Source   Source;
    /// The tuple that is written in brackets, as an index of several parts: a list that is a value is none.
    Parts      "parts"      1 Source   Source;
    /// The part of an index that `...` is.
    Ellipsis   "ellipsis"   0 Source   Source;
    /// `x[index] = value` as a value: the array or tuple after it.
    SetItem    "set_item"   3 Source   Source;
    /// `x[index] += value` as a value.
    AddItem    "add_item"   3 Source   Source;
    /// What `x[index] op= value` does the operator with: `x[index]`, and of a mask, which picks a number of elements that is not known,
    /// all of `x`.
    OldItem    "old_item"   2 Source   Source;
    /// The other operand there, of `x`, the index and the value: the value, which for a mask must fit whatever it picks.
    ItemValue  "item_value" 3 Source   Source;
    /// `x` after it, of `x`, the index and what the operator gave.
    UpdateItem "update_item" 3 Source  Source;
    /// `~a` of ints, and of arrays of booleans.
    Invert     "invert"     1 Source   Source;
    /// The shape of an array, as a tuple of constants.
    ShapeOf    "shape_of"   1 Source   Source;
    /// NumPy's name of the type of the elements, as a constant string.
    DTypeOf    "dtype_of"   1 Source   Source;
    /// The elements as values of the type with this name.
    AsType     "as_type"    2 Source   Source;
    /// The array that a number or nested tuples stand for.
    AsArray    "as_array"   1 Source   Source;
    /// `a[i]` as the operand of a reduction: with a mask for index, the elements that it picks.
    Picked     "picked"     2 Source   Source;
    /// The mask of such an operand; `None` for any other.
    MaskOf     "mask_of"    1 Source   Source;
    /// The array that the mask picks from; any other operand as it is.
    ValuesOf   "values_of"  1 Source   Source;
    /// Whether the operand is an array with axes, as a constant.
    IsArray    "is_array"   1 Source   Source;
    /// Whether the operand is a tuple, as a constant.
    IsTuple    "is_tuple"   1 Source   Source;
    /// Whether the class of the operand defines the method of this name, as a constant.
    Defines    "defines"    2 Source   Source;
    /// The fields of a tuple or a record, as a tuple; `None` of all else, complex numbers among it.
    FieldsOf   "fields_of"  1 Source   Source;
    /// Refuses the program with a message, from a library written in the language: constants, or a tuple of parts to be joined. Or for
    /// one of the reasons that the front end has, by its number.
    Refuse     "refuse"     1 Source   Source;
    /// The first operand, checked to be a constant of the program, or a tuple of them; the second is what a message calls it.
    Constant   "constant"   2 Source   Source;
    /// The subscripts of an `einsum` for so many operands, as tuples of numbers: one for each operand, then one for the result.
    Subscripts "subscripts" 2 Source   Source;
    /// The entries of a matrix, in compressed rows: a tuple of their values, of the column of each, and of where each row begins.
    Entries    "entries"    1 Source   Source;
    /// `len(t)`.
    Len        "len"        1 Source   Source;
    /// Python's `round(x)`: to an int, ties to even.
    RoundInt   "round_int"  1 Source   Source;
    /// `math.floor(x)`: to an int.
    FloorInt   "floor_int"  1 Source   Source;
    /// `math.ceil(x)`: to an int.
    CeilInt    "ceil_int"   1 Source   Source;
    /// `math.trunc(x)` and `int(x)`: to an int.
    TruncInt   "trunc_int"  1 Source   Source;
    /// `range(a, b, step)` as a value.
    Range      "range"      3 Source   Source;
    /// An iterator over a tuple or a range.
    Iter       "iter"       1 Source   Source;
    /// Whether an iterator has another element.
    HasNext    "has_next"   1 Source   Source;
    /// The element an iterator stands at.
    Next       "next"       1 Source   Source;
    /// The iterator one element on.
    Advance    "advance"    1 Source   Source;
    /// The elements of a tuple, checked to be as many as the constant second operand (unpacking).
    Unpacked   "unpacked"   2 Source   Source;
    /// The same where one name has a star: of the first operand, as many elements as the second says, the tuple of those between,
    /// and as many as the third says.
    Starred    "starred"    3 Source   Source;
    /// The list with one more element.
    Append     "append"     2 Source   Source;
    /// The list with the elements of a sequence after its own.
    Extend     "extend"     2 Source   Source;
    /// The elements of a sequence as a tuple.
    TupleOf    "tuple_of"   1 Source   Source;
    /// The same as a list.
    List       "list"       1 Source   Source;
    /// `b in a`.
    Contains   "contains"   2 Source   Source;
    /// `sum(t, start)`.
    SumOf      "sum_of"     2 Source   Source;
    /// `min(t)` of a tuple.
    MinOf      "min_of"     1 Source   Source;
    /// `max(t)` of a tuple.
    MaxOf      "max_of"     1 Source   Source;
    /// `reversed(t)`.
    Reversed   "reversed"   1 Source   Source;
    /// `enumerate(t, start)`.
    Enumerate  "enumerate"  2 Source   Source;
    /// `zip(*t)`.
    Zip        "zip"        1 Source   Source;
    /// The first operand, checked to be of the type that an annotation names, a string constant.
    Annotated  "annotated"  2 Source   Source;
    /// The first operand, as a closure reads it that captures it by the name that is the second: a variable that is a float constant, or
    /// another name of a value.
    Captured   "captured"   2 Source   Source;
    /// The first operand, checked to hold no function: a closure that read a variable is gone when that is assigned. The others
    /// are constants for the message: the name of the variable, and from where to where the assignment is in the source.
    Data       "data"       4 Source   Source;
    /// `jvp(f, args, tangents)`: value and tangent of `f` at the tuple `args`, in the direction of the tuple `tangents`, `None` for
    /// no change.
    Jvp        "jvp"        3 Source   Source;
    /// The cotangent of the second operand as `grad` gives it: `None` where there is no derivative.
    Gradient   "gradient"   2 Source   Source;
    /// The operand as an argument in which a derivative is asked for: of an int the float.
    Differentiable "differentiable" 1 Source Source;
    /// The number of the next mutable box, and the contents of all: a list of pairs, whether there is a content, and a box of it.
    Store      "store"      0 Source   Source;
    /// Lets them be the operand from here on.
    SetStore   "set_store"  1 Source   Source;
    /// What a call that is witnessed ([`crate::Memory::witnessed`]) has done: 0, once it is done.
    Witness    "witness"    1 Source   Source;
    /// Reads the operand, whatever becomes of it ([`crate::Memory::reads`]). It is a root of its graph.
    Assigned   "assigned"   1 Source   Source;
    /// A mutable box, in which nothing is yet. The operand is the function of the library that makes one.
    NewBox     "new_box"    1 Source   Source;
    /// The place where an array is made that is an object, as a mutable box of which nothing is in the program. The operand is the place of
    /// what the array is a view of, or `None`.
    SiteOf     "site_of"    1 Source   Source;
    /// Whether something writes to the arrays of a place, so that they are mutable boxes.
    IsWritten  "is_written" 1 Source   Source;
    /// What a function of the library makes of a value: an object is opened, or made. Numbers and strings are what they are.
    ByObject   "by_object"  2 Source   Source;
    /// Says that something writes to the arrays of a place.
    WritesTo   "writes_to"  1 Source   Source;
    /// The number of a mutable box.
    NumberOf   "number_of"  1 Source   Source;
    /// A value as the content of a mutable box, of whatever type.
    Packed     "packed"     2 Source   Source;
    /// What such a content is, of the box that is the second operand. The third is the same number where no box has changed in between.
    Opened     "opened"     3 Source   Source;
    /// A tuple or a list as a list whose length only the run knows, with room for the elements of the second operand.
    AsList     "as_list"    2 Source   Source;
    /// A dict as one whose keys only the run knows, with room for the keys and the values of two tuples.
    AsTable    "as_table"   3 Source   Source;
    /// A dict as it is for a key that is a constant of the program, and for others as one whose keys only the run knows.
    TableFor   "table_for"  2 Source   Source;
    /// Whether lists may have a length that only the run knows: so it is where a program needs that, and was not understood without.
    HasLists   "has_lists"  0 Source   Source;
    /// The element of a list at a place that there is. A list here is one whose length only the run knows, or the contents of mutable boxes.
    VectorAt   "vector_at"  2 Source   Source;
    /// A list, a place, an element, and how many elements there are then: the list with the element there.
    VectorWith "vector_with" 4 Source  Source;
    /// A list, a number, and how many elements there are then: the list that begins so many places later.
    VectorMoved "vector_moved" 3 Source Source;
    /// How many places there are before the first element of a list.
    VectorFirst "vector_first" 1 Source Source;
    /// The cotangent of the elements of a list, the list, and a place: the cotangent of the element there.
    VectorPart "vector_part" 3 Source  Source;
    /// The tangent of the elements of a list, or `None` for zero, the list, a place, and the tangent of the element there, or `None` for no
    /// other: the tangent with it.
    VectorTangent "vector_tangent" 4 Source Source;
    /// A record: a tuple of constants, the name of its class (`None` of a dict) and those of the fields; and the tuple of their values.
    Record     "record"     2 Source   Source;
    /// A record like the first operand, with the values of a tuple in its fields, whatever their types.
    Alike      "alike"      2 Source   Source;
    /// `x.name`: the value, the name, the function of the library that the name means for an array, or `None`, and whether that is
    /// called with nothing but the array.
    Attribute  "attribute"  4 Source   Source;
    /// Whether a value is of one of the classes or types whose names are in a tuple.
    IsInstance "is_instance" 2 Source  Source;
    /// A value of several kinds, known to be of the class with this name.
    NarrowTo   "narrow_to"  2 Source   Source;
    /// The record or instance with another value in the field with this name.
    WithField  "with_field" 3 Source   Source;
    /// From the cotangent of a boxed instance, that of the field with this number: cotangent, instance, number.
    PartOf     "part_of"    3 Source   Source;
    /// The tangent of a boxed instance, from the tuple of those of its fields; of a value of several kinds, from that of the one that it is:
    /// the tangent, the value.
    WholeOf    "whole_of"   3 Source   Source;
    /// `f(*args)` of `f` and the tuple `args`.
    Applied    "applied"    2 Source   Source;
    /// `(f(*args), pullback)` of `f` and the tuple `args`; the pullback takes the cotangent of the value, and gives those of `f` and of
    /// each argument.
    Pulled     "pulled"     2 Source   Source;
    /// The same where only the last argument varies, as of `J_last`.
    PulledLast "pulled_last" 2 Source  Source;
    /// `(f(*args), tangent)` of `f`, its own tangent, the tuple `args` and the tuple of tangents.
    Pushed     "pushed"     4 Source   Source;
    /// `(f(*args), first, second, …)`, the coefficients of the Taylor series, of `f`, the tuple of its own coefficients, the tuple `args`
    /// and the tuple of the tuples of coefficients of each order.
    PushedSeries "pushed_series" 4 Source Source;
    /// `ruled(p, j, f)(*args)` of `p`, `j`, `f` and the tuple `args`.
    AppliedRuled "applied_ruled" 4 Source Source;
    /// A cotangent or tangent of the second operand as a program writes it (`None` for no change), as derivatives pass it. The third
    /// operand is what a message calls it, a constant, or the rule that gave it, a function.
    Given      "given"      3 Source   Source;
    /// The first operand, a cotangent or tangent of the second, as a program sees it: `None` where there is no derivative.
    Shown      "shown"      2 Source   Source;
    /// The cotangent of `f` of which its pullback gives the first operand, for a call with the tuple of arguments that is the third.
    EnvironmentOf "environment_of" 3 Source Source;
    /// The sum of two cotangents of one value.
    Summed     "summed"     2 Source   Source;
    /// The cotangent of a closure without captures.
    NoCaptures "no_captures" 0 Source  Source;
    /// Whether a function captures floats: a constant.
    CapturesFloats "captures_floats" 1 Source Source;
    /// The operand, whose functions are records of what they capture, where they capture floats.
    Recorded   "recorded"   1 Source   Source;
    /// The arguments that a call of a function, with these positional arguments and this dict of others, gives to its parameters, in
    /// their order: a tuple.
    Bound      "bound"      3 Source   Source;
    /// The first operand, of a derivative of what gave the second; it fails where that does.
    After      "after"      2 Source   Source;
    /// An integer or boolean that is no constant of the program, whatever it was.
    Varying    "varying"    1 Source   Source;
}

impl Prim {
    /// Whether this stands for its first operand once there is no derivative left to take: derivatives see more in it.
    pub fn is_veil(self) -> bool {
        matches!(self, Prim::Ruled | Prim::StopGradient | Prim::Barrier)
    }

    /// The copy of this primitive in a derivative of the function that applies it.
    pub fn in_derivative(self) -> Prim {
        match self {
            Prim::NestLevel(n) => Prim::NestLevel(n + 1),
            other => other,
        }
    }

    /// Whether this calls a function with a tuple of arguments.
    pub fn applies(self) -> bool {
        use Prim::*;
        matches!(self, Jvp | Applied | Pulled | PulledLast | Pushed | PushedSeries | AppliedRuled)
    }

    /// Which operand of such a primitive is the tuple of arguments.
    pub fn arguments(self) -> usize {
        match self {
            Prim::AppliedRuled => 3,
            Prim::Pushed | Prim::PushedSeries => 2,
            _ => 1,
        }
    }

    /// What executing this primitive on operands of these types can do.
    pub fn effect(self, operands: &[Type]) -> Effect {
        match (self.sig(), self.declared_effect()) {
            // Integers of arrays wrap, as NumPy's do.
            (Sig::Num | Sig::Int | Sig::Own, Effect::Trap)
                if !matches!(self, Prim::Array(..) | Prim::Finite) && operands.first().is_some_and(Type::is_array) =>
            {
                Effect::Pure
            }
            (Sig::Num, Effect::Trap) if operands.first() == Some(&Type::F64) => Effect::Pure,
            (Sig::Own, Effect::Trap) if self == Prim::Int && matches!(operands, [Type::Bool | Type::Str]) => Effect::Pure,
            (_, effect) => effect,
        }
    }

    /// The trap of a primitive that gives its first operand if the second, a condition, holds.
    pub fn guards(self) -> Option<TrapKind> {
        match self {
            Prim::Guard => Some(TrapKind::WrongKind),
            Prim::Finite => Some(TrapKind::NotFinite),
            _ => None,
        }
    }

    /// Whether `a ∘ b = b ∘ a`, to the bit (all NaNs counted as one).
    pub fn is_commutative(self) -> bool {
        use Prim::*;
        matches!(self, Add | Mul | WrapAdd | WrapMul | HighMul | BitAnd | BitOr | BitXor | Eq | Ne | And | Or | Hypot)
    }

    /// The primitive with this text name, if it is in the table.
    pub fn from_name(name: &str) -> Option<Prim> {
        let operations = TraceOp::ALL.into_iter().map(Prim::Trace);
        Prim::TABLE.iter().copied().chain(operations).find(|p| p.name() == name)
    }

    /// The result type on operands of these types; none where they do not fit, and for `unpack` and `trace_take`, whose types
    /// the node says.
    pub fn result_type(self, operands: &[Type]) -> Option<Type> {
        if self.arity().is_some_and(|n| n != operands.len()) {
            return None;
        }
        let elements = || {
            let first = operands.first()?.as_array()?;
            operands.iter().all(|o| o.as_array() == Some(first)).then_some(first)
        };
        let of = |dtypes: &[DType], result: Option<DType>| {
            let (dtype, shape) = elements()?;
            dtypes.contains(&dtype).then(|| Type::array(result.unwrap_or(dtype), shape))
        };
        match self.sig() {
            Sig::Float => of(&[DType::F64, DType::F32], None),
            Sig::Int => of(&[DType::I64], None),
            Sig::Bool => of(&[DType::Bool], None),
            Sig::Num | Sig::NumTotal => of(&[DType::F64, DType::F32, DType::I64], None),
            Sig::Compare => of(&[DType::F64, DType::F32, DType::I64, DType::Bool], Some(DType::Bool)),
            Sig::Source => None,
            Sig::Own => self.own_result_type(operands),
        }
    }

    fn own_result_type(self, operands: &[Type]) -> Option<Type> {
        match (self, operands) {
            (Prim::Array(op, attribute), operands) => op.result_type(attribute, operands),
            (Prim::Powi, [x, n]) => match (x.as_array()?, n.as_array()?) {
                ((DType::F64 | DType::F32, a), (DType::I64, b)) if a == b => Some(x.clone()),
                _ => None,
            },
            (Prim::Float, [x]) => match x.as_array()? {
                (DType::I64 | DType::Bool, shape) => Some(Type::array(DType::F64, shape)),
                _ => None,
            },
            (Prim::Int, [Type::Str]) => Some(Type::I64),
            (Prim::Int, [x]) => match x.as_array()? {
                (DType::F64 | DType::Bool, shape) => Some(Type::array(DType::I64, shape)),
                _ => None,
            },
            (Prim::Narrow, [x]) => match x.as_array()? {
                (DType::F64, shape) => Some(Type::array(DType::F32, shape)),
                _ => None,
            },
            (Prim::Widen, [x]) => match x.as_array()? {
                (dtype, shape) if dtype == DType::F32 || *x == Type::F64 => Some(Type::array(DType::F64, shape)),
                _ => None,
            },
            // A choice element by element.
            (Prim::Select, [Type::Array(DType::Bool, shape), a, b]) if a == b && a.shape() == Some(*shape) => Some(a.clone()),
            (Prim::Select, [Type::Bool, a, b]) if a.fits(b) => Some(if *a == Type::AnyFn { b.clone() } else { a.clone() }),
            (Prim::Tuple, items) => Some(Type::tuple(items.iter().cloned())),
            (Prim::Get(i), [Type::Tuple(items)]) => items.get(i as usize).cloned(),
            (Prim::Partial, [Type::Fn(sig), captured @ ..]) => {
                let (bound, rest) = sig.params.split_at_checked(captured.len())?;
                bound.iter().zip(captured).all(|(p, c)| p.fits(c)).then(|| Type::func(rest.to_vec(), sig.result.clone()))
            }
            (Prim::NestLevel(_), []) => Some(Type::I64),
            (Prim::Trace(op), operands) => op.result_type(operands),
            (Prim::Host(host), operands) => (host.function().params == operands).then(|| host.function().result.clone()),
            (Prim::StopGradient | Prim::Barrier, [x]) => Some(x.clone()),
            (Prim::Ruled, [Type::Fn(sig), j, f]) => {
                let is_forward = *f == operands[0] || f.fits(&f_type(&sig.params, &sig.result));
                (is_forward && j.fits(&j_type(&sig.params, &sig.result))).then(|| operands[0].clone())
            }
            (Prim::Pack, [_]) => Some(Type::Opaque),
            (Prim::Print | Prim::Fail, [Type::I64, Type::Str, Type::Tuple(_)]) => Some(Type::I64),
            (Prim::Guard, [Type::Opaque, Type::Bool]) => Some(Type::Opaque),
            (Prim::Finite, [x, Type::Bool]) => x.as_array().filter(|(dtype, _)| dtype.is_float()).map(|_| x.clone()),
            (Prim::Gadd, [Type::Opaque, Type::Opaque]) => Some(Type::Opaque),
            (Prim::Gadd, [Type::Tape(a), Type::Tape(b)]) if a == b => Some(operands[0].clone()),
            (Prim::Gadd, [Type::Vec(a), Type::Vec(b)]) if a == b => Some(operands[0].clone()),
            (Prim::Element, [Type::Vec(record), Type::I64]) => Some((**record).clone()),
            (Prim::Replace, [Type::Vec(record), Type::I64, new]) if **record == *new => Some(operands[0].clone()),
            (Prim::Push, [tape, record]) if tape.record().is_some_and(|r| r.fits(record)) => Some(tape.clone()),
            (Prim::Pop, [tape]) => tape.record().map(|r| Type::tuple([tape.clone(), r.clone()])),
            (p, [Type::Fn(sig)]) if p.is_operator() => Some(p.derived_type(&sig.params, &sig.result)),
            _ => None,
        }
    }
}

/// The type of `J f` for `f: fn(params) -> result`.
pub fn j_type(params: &[Type], result: &Type) -> Type {
    let cotangents = std::iter::once(Type::Opaque).chain(params.iter().map(Type::cotangent));
    let pullback = Type::func([result.cotangent()], Type::tuple(cotangents));
    Type::func(params.to_vec(), Type::tuple([result.clone(), pullback]))
}

/// The type of `K f` for `f: fn(params) -> result`.
pub fn k_type(params: &[Type], result: &Type) -> Type {
    let cotangents = std::iter::once(Type::Opaque).chain(params.iter().map(Type::cotangent));
    let continuation = Type::func(cotangents, Type::Opaque);
    let pullback = Type::func([result.cotangent()], Type::Opaque);
    Type::func(params.iter().cloned().chain([continuation]), Type::tuple([result.clone(), pullback]))
}

/// The type of `F f` for `f: fn(params) -> result`.
pub fn f_type(params: &[Type], result: &Type) -> Type {
    taylor_type(1, params, result)
}

/// The type of `T f` for `f: fn(params) -> result`.
pub fn t_type(params: &[Type], result: &Type) -> Type {
    let places = params.iter().map(Type::traced);
    Type::func(
        std::iter::once(Type::Opaque).chain(params.iter().cloned()).chain(places),
        Type::tuple([result.clone(), result.traced()]),
    )
}

/// The type of `F f` of an order for `f: fn(params) -> result`.
pub fn taylor_type(order: usize, params: &[Type], result: &Type) -> Type {
    let tangents = (0..order).flat_map(|_| params.iter().map(Type::cotangent));
    let all = std::iter::repeat_n(Type::Opaque, order).chain(params.iter().cloned()).chain(tangents);
    let coefficients = std::iter::repeat_n(result.cotangent(), order);
    Type::func(all, Type::tuple(std::iter::once(result.clone()).chain(coefficients)))
}

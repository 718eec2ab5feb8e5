//! The rewrite table of equality saturation: one row per rule, with its soundness class.
//!
//! * `exact`: the same bits for every input, all NaNs counted as one. Always on.
//! * `last`: the same bits, but not the same derivatives at a singular point: once no derivative is left to take.
//! * `real`: equal over the reals where both sides are defined; only with [`Math::Fast`], and as late. The last column says what it gives up.
//! * `group`: likewise, and only in regions of fewer than [`SMALL`] operations: associativity and distribution. In larger ones,
//!   such as derivatives of some order, they hide the terms that f, f′ and f″ share, and the result is larger than what was
//!   given.
//!
//! A row holds of every type its terms have. A literal with a point is that number in the type of the class it matches: a row
//! of polymorphic primitives is read once more for integers, if its literals are whole. A literal without a point is an
//! integer. On integers a rule may lose a trap, never add one: no term that may trap is made that the program did not contain,
//! but for the order of its operands.
//!
//! A guard says what is *proved* of a variable, from its type, the constant it is and its sign. A real rule whose right side is defined
//! where its left side is not, or the other way round, has one: else what an arm computes that is never taken would be equal to what
//! another arm gives.

use crate::egraph::analysis::Data;
use crate::egraph::sign::Sign;
pub use apply::Rules;
pub use choice::Choice;
use gradus_ir::Type;
use gradus_ir::eval::Scalar;
use std::borrow::Cow;

mod apply;
mod choice;
#[cfg(test)]
mod tests;

/// How far a rule can be trusted.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Class {
    /// The same bits for every input.
    Exact,
    /// The same bits for every input, but other derivatives somewhere.
    Last,
    /// Equal over the reals.
    Real,
    /// Equal over the reals, for small regions.
    Group,
}

impl Class {
    /// All classes.
    pub const ALL: [Class; 4] = [Class::Exact, Class::Last, Class::Real, Class::Group];

    /// The name in the table.
    pub fn name(self) -> &'static str {
        match self {
            Class::Exact => "exact",
            Class::Last => "last",
            Class::Real => "real",
            Class::Group => "group",
        }
    }
}

/// A region of fewer operations than this is regrouped.
pub const SMALL: usize = 60;

/// What is proved of a variable.
#[derive(Clone, Copy, Debug)]
pub struct Proved<'a> {
    /// Its type.
    pub ty: &'a Type,
    /// Its value, where that is constant.
    pub constant: Option<Scalar>,
    /// What it is known not to be.
    pub sign: Sign,
}

impl<'a> From<&'a Data> for Proved<'a> {
    fn from(data: &'a Data) -> Proved<'a> {
        Proved { ty: &data.ty, constant: data.constant, sign: data.sign }
    }
}

/// What must be proved of a variable.
pub type Guard = fn(Proved<'_>) -> bool;

/// A row of the table, or a rule of a user ([`Rule::read`]).
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Rule {
    /// The key of statistics.
    pub name: Cow<'static, str>,
    /// Its soundness.
    pub class: Class,
    /// What it matches.
    pub left: Cow<'static, str>,
    /// What that equals.
    pub right: Cow<'static, str>,
    /// Guards by their names, each with the variable that it is asked about, between commas.
    pub conditions: Cow<'static, str>,
    /// What a real rule gives up.
    pub gives_up: Cow<'static, str>,
}

macro_rules! class {
    (exact) => {
        Class::Exact
    };
    (last) => {
        Class::Last
    };
    (real) => {
        Class::Real
    };
    (group) => {
        Class::Group
    };
}

macro_rules! rewrites {
    ($( $name:literal $class:ident $left:literal => $right:literal $(if $($guard:ident $var:literal),+)? $($gives_up:literal)? ; )*) => {
        /// The table.
        pub const RULES: &[Rule] = &[ $( Rule {
            name: Cow::Borrowed($name),
            class: class!($class),
            left: Cow::Borrowed($left),
            right: Cow::Borrowed($right),
            conditions: Cow::Borrowed(concat!($($( stringify!($guard), " ", $var, ", " ),+)?)),
            gives_up: Cow::Borrowed(concat!($($gives_up)?)),
        } ),* ];
    };
}

macro_rules! guards {
    ($($guard:ident),*) => {
        /// The guards by their names.
        const GUARDS: [(&str, Guard); [$(stringify!($guard)),*].len()] = [$((stringify!($guard), $guard)),*];
    };
}

guards!(constant, nonzero, positive_finite, finite, power_of_two, discrete, integer, never_zero, never_negative, positive);

fn constant(v: Proved<'_>) -> bool {
    v.constant.is_some()
}

/// A constant that is not zero; a NaN is not zero.
fn nonzero(v: Proved<'_>) -> bool {
    matches!(v.constant, Some(Scalar::F64(v)) if v != 0.0)
}

fn positive_finite(v: Proved<'_>) -> bool {
    matches!(v.constant, Some(Scalar::F64(v)) if v > 0.0 && v.is_finite())
}

fn finite(v: Proved<'_>) -> bool {
    matches!(v.constant, Some(Scalar::F64(v)) if v.is_finite())
}

/// A power of two whose reciprocal is exact.
fn power_of_two(v: Proved<'_>) -> bool {
    const MANTISSA: u64 = (1 << 52) - 1;
    matches!(v.constant, Some(Scalar::F64(v)) if v.is_normal() && v.to_bits() & MANTISSA == 0 && (1.0 / v).is_finite())
}

/// Of a type whose order is total: no NaN.
fn discrete(v: Proved<'_>) -> bool {
    matches!(v.ty, Type::I64 | Type::Bool)
}

fn integer(v: Proved<'_>) -> bool {
    *v.ty == Type::I64
}

/// Over the reals never zero.
fn never_zero(v: Proved<'_>) -> bool {
    v.sign.nonzero
}

/// Over the reals never negative.
fn never_negative(v: Proved<'_>) -> bool {
    v.sign.nonnegative
}

/// Over the reals always positive.
fn positive(v: Proved<'_>) -> bool {
    v.sign.nonzero && v.sign.nonnegative
}

rewrites! {
//  name               class  left                                              right                          ; what real-only gives up

    // Order of operands.
    "comm-add"         exact  "(add ?a ?b)"                                  => "(add ?b ?a)"                  ;
    "comm-mul"         exact  "(mul ?a ?b)"                                  => "(mul ?b ?a)"                  ;
    "comm-wrap-add"    exact  "(wrap_add ?a ?b)"                             => "(wrap_add ?b ?a)"             ;
    "comm-hypot"       exact  "(hypot ?a ?b)"                                => "(hypot ?b ?a)"                ;
    "comm-eq"          exact  "(eq ?a ?b)"                                   => "(eq ?b ?a)"                   ;
    "comm-ne"          exact  "(ne ?a ?b)"                                   => "(ne ?b ?a)"                   ;
    "comm-and"         exact  "(and ?a ?b)"                                  => "(and ?b ?a)"                  ;
    "comm-or"          exact  "(or ?a ?b)"                                   => "(or ?b ?a)"                   ;
    "gt-as-lt"         exact  "(gt ?a ?b)"                                   => "(lt ?b ?a)"                   ;
    "ge-as-le"         exact  "(ge ?a ?b)"                                   => "(le ?b ?a)"                   ;

    // Identities of arithmetic.
    "add-neg-zero"     exact  "(add ?a -0.0)"                                => "?a"                           ;
    "sub-zero"         exact  "(sub ?a 0.0)"                                 => "?a"                           ;
    "mul-one"          exact  "(mul ?a 1.0)"                                 => "?a"                           ;
    "div-one"          exact  "(div ?a 1.0)"                                 => "?a"                           ;
    "mul-two"          exact  "(mul ?a 2.0)"                                 => "(add ?a ?a)"                  ;
    "add-self"         exact  "(add ?a ?a)"                                  => "(mul ?a 2.0)"                 ;
    "div-power-of-two" exact  "(div ?a ?b)"                                  => "(mul ?a (div 1.0 ?b))"        if power_of_two "?b";
    "fma-neg-zero"     exact  "(fma ?a ?b -0.0)"                             => "(mul ?a ?b)"                  ;
    "fma-one"          exact  "(fma ?a 1.0 ?b)"                              => "(add ?a ?b)"                  ;

    // Signs.
    "neg-neg"          exact  "(neg (neg ?a))"                               => "?a"                           ;
    "mul-neg-one"      exact  "(mul ?a -1.0)"                                => "(neg ?a)"                     ;
    "div-neg-one"      exact  "(div ?a -1.0)"                                => "(neg ?a)"                     ;
    "neg-zero-sub"     exact  "(sub -0.0 ?a)"                                => "(neg ?a)"                     ;
    "sub-neg"          exact  "(sub ?a (neg ?b))"                            => "(add ?a ?b)"                  ;
    "add-neg"          exact  "(add ?a (neg ?b))"                            => "(sub ?a ?b)"                  ;
    "neg-mul"          exact  "(mul (neg ?a) ?b)"                            => "(neg (mul ?a ?b))"            ;
    "neg-div"          exact  "(div (neg ?a) ?b)"                            => "(neg (div ?a ?b))"            ;
    "div-neg"          exact  "(div ?a (neg ?b))"                            => "(neg (div ?a ?b))"            ;
    "neg-mul-constant" exact  "(neg (mul ?a ?b))"                            => "(mul ?a (neg ?b))"            if constant "?b";
    "neg-div-constant" exact  "(neg (div ?a ?b))"                            => "(div ?a (neg ?b))"            if constant "?b";
    "neg-constant-div" exact  "(neg (div ?a ?b))"                            => "(div (neg ?a) ?b)"            if constant "?a";
    "abs-neg"          exact  "(abs (neg ?a))"                               => "(abs ?a)"                     ;
    "abs-abs"          exact  "(abs (abs ?a))"                               => "(abs ?a)"                     ;
    "abs-exp"          exact  "(abs (exp ?a))"                               => "(exp ?a)"                     ;
    "abs-square"       last   "(abs (mul ?a ?a))"                            => "(mul ?a ?a)"                  ;
    "square-abs"       last   "(mul (abs ?a) (abs ?a))"                      => "(mul ?a ?a)"                  ;
    "abs-copysign"     exact  "(abs (copysign ?a ?b))"                       => "(abs ?a)"                     ;
    "copysign-self"    exact  "(copysign ?a ?a)"                             => "?a"                           ;
    "sign-sign"        exact  "(sign (sign ?a))"                             => "(sign ?a)"                    ;
    "cos-neg"          exact  "(cos (neg ?a))"                               => "(cos ?a)"                     ;
    "sin-neg"          exact  "(sin (neg ?a))"                               => "(neg (sin ?a))"               ;

    // Strong products and quotients, of cotangents and tangents.
    "mul0-one"         exact  "(mul0 ?a 1.0)"                                => "?a"                           ;
    "div0-one"         exact  "(div0 ?a 1.0)"                                => "?a"                           ;
    "mul0-zero"        exact  "(mul0 0.0 ?a)"                                => "0.0"                          ;
    "mul0-neg-zero"    exact  "(mul0 -0.0 ?a)"                               => "-0.0"                         ;
    "div0-zero"        exact  "(div0 0.0 ?a)"                                => "0.0"                          ;
    "div0-neg-zero"    exact  "(div0 -0.0 ?a)"                               => "-0.0"                         ;
    "mul0-positive"    exact  "(mul0 ?a ?b)"                                 => "(mul ?a ?b)"                  if positive_finite "?a";
    "mul0-by-positive" exact  "(mul0 ?a ?b)"                                 => "(mul ?a ?b)"                  if positive_finite "?b";
    "div0-nonzero"     exact  "(div0 ?a ?b)"                                 => "(div ?a ?b)"                  if nonzero "?a";
    "div0-by-positive" exact  "(div0 ?a ?b)"                                 => "(div ?a ?b)"                  if positive_finite "?b";
    "neg-div0"         exact  "(div0 (neg ?a) ?b)"                           => "(neg (div0 ?a ?b))"           ;
    "add-opposite-arms" exact  "(add (select ?c ?a -0.0) (select ?c -0.0 ?b))" => "(select ?c ?a ?b)"           ;
    "add-arms"         exact  "(add (select ?c ?a -0.0) (select ?c ?b -0.0))" => "(select ?c (add ?a ?b) -0.0)" ;
    "add-other-arms"   exact  "(add (select ?c -0.0 ?a) (select ?c -0.0 ?b))" => "(select ?c -0.0 (add ?a ?b))" ;
    "gadd-zero"        exact  "(gadd ?a zero)"                               => "?a"                           ;
    "zero-gadd"        exact  "(gadd zero ?a)"                               => "?a"                           ;

    // Powers. `powi` is repeated squaring by definition.
    "powi-0"           exact  "(powi ?a 0)"                                  => "1.0"                          ;
    "powi-1"           exact  "(powi ?a 1)"                                  => "?a"                           ;
    "powi-2"           exact  "(powi ?a 2)"                                  => "(mul ?a ?a)"                  ;
    "powi-3"           exact  "(powi ?a 3)"                                  => "(mul (mul ?a ?a) ?a)"         ;
    "powi-4"           exact  "(powi ?a 4)"                                  => "(mul (mul ?a ?a) (mul ?a ?a))" ;
    "powi-minus-1"     exact  "(powi ?a -1)"                                 => "(div 1.0 ?a)"                 ;
    "powi-minus-2"     last   "(powi ?a -2)"                                 => "(div 1.0 (mul ?a ?a))"        ;
    "powi-of-one"      exact  "(powi 1.0 ?a)"                                => "1.0"                          ;
    "pow-zero"         exact  "(pow ?a 0.0)"                                 => "1.0"                          ;
    "pow-neg-zero"     exact  "(pow ?a -0.0)"                                => "1.0"                          ;
    "pow-one"          exact  "(pow ?a 1.0)"                                 => "?a"                           ;
    "pow-of-one"       exact  "(pow 1.0 ?a)"                                 => "1.0"                          ;
    "ipow-0"           exact  "(ipow ?a 0)"                                  => "1"                            ;
    "ipow-1"           exact  "(ipow ?a 1)"                                  => "?a"                           ;

    // Rounding, minima and maxima.
    "floor-float"      exact  "(floor (float ?a))"                           => "(float ?a)"                   ;
    "ceil-float"       exact  "(ceil (float ?a))"                            => "(float ?a)"                   ;
    "round-float"      exact  "(round (float ?a))"                           => "(float ?a)"                   ;
    "trunc-float"      exact  "(trunc (float ?a))"                           => "(float ?a)"                   ;
    "floor-floor"      exact  "(floor (floor ?a))"                           => "(floor ?a)"                   ;
    "ceil-ceil"        exact  "(ceil (ceil ?a))"                             => "(ceil ?a)"                    ;
    "round-round"      exact  "(round (round ?a))"                           => "(round ?a)"                   ;
    "trunc-trunc"      exact  "(trunc (trunc ?a))"                           => "(trunc ?a)"                   ;
    "min-self"         exact  "(min ?a ?a)"                                  => "?a"                           ;
    "max-self"         exact  "(max ?a ?a)"                                  => "?a"                           ;
    "minimum-self"     exact  "(minimum ?a ?a)"                              => "?a"                           ;
    "maximum-self"     exact  "(maximum ?a ?a)"                              => "?a"                           ;

    // Choices and truth values.
    "select-true"      exact  "(select true ?a ?b)"                          => "?a"                           ;
    "select-false"     exact  "(select false ?a ?b)"                         => "?b"                           ;
    "select-same"      exact  "(select ?c ?a ?a)"                            => "?a"                           ;
    "select-not"       exact  "(select (not ?c) ?a ?b)"                      => "(select ?c ?b ?a)"            ;
    "select-taken"     exact  "(select ?c (select ?c ?a ?b) ?d)"             => "(select ?c ?a ?d)"            ;
    "select-not-taken" exact  "(select ?c ?a (select ?c ?b ?d))"             => "(select ?c ?a ?d)"            ;
    "select-bool"      exact  "(select ?c true false)"                       => "?c"                           ;
    "select-not-bool"  exact  "(select ?c false true)"                       => "(not ?c)"                     ;
    "select-and"       exact  "(select ?c ?a false)"                         => "(and ?c ?a)"                  ;
    "select-or"        exact  "(select ?c true ?a)"                          => "(or ?c ?a)"                   ;
    "not-not"          exact  "(not (not ?a))"                               => "?a"                           ;
    "and-true"         exact  "(and ?a true)"                                => "?a"                           ;
    "and-false"        exact  "(and ?a false)"                               => "false"                        ;
    "and-self"         exact  "(and ?a ?a)"                                  => "?a"                           ;
    "and-not"          exact  "(and ?a (not ?a))"                            => "false"                        ;
    "or-false"         exact  "(or ?a false)"                                => "?a"                           ;
    "or-true"          exact  "(or ?a true)"                                 => "true"                         ;
    "or-self"          exact  "(or ?a ?a)"                                   => "?a"                           ;
    "or-not"           exact  "(or ?a (not ?a))"                             => "true"                         ;
    "eq-true"          exact  "(eq ?a true)"                                 => "?a"                           ;
    "eq-false"         exact  "(eq ?a false)"                                => "(not ?a)"                     ;
    "not-eq"           exact  "(not (eq ?a ?b))"                             => "(ne ?a ?b)"                   ;
    "not-ne"           exact  "(not (ne ?a ?b))"                             => "(eq ?a ?b)"                   ;
    "not-lt"           exact  "(not (lt ?a ?b))"                             => "(le ?b ?a)"                   if discrete "?a";
    "not-le"           exact  "(not (le ?a ?b))"                             => "(lt ?b ?a)"                   if discrete "?a";
    "lt-self"          exact  "(lt ?a ?a)"                                   => "false"                        ;
    "le-self"          exact  "(le ?a ?a)"                                   => "true"                         if discrete "?a";
    "eq-self"          exact  "(eq ?a ?a)"                                   => "true"                         if discrete "?a";
    "ne-self"          exact  "(ne ?a ?a)"                                   => "false"                        if discrete "?a";

    // Integers.
    "int-sub-self"     exact  "(sub ?a ?a)"                                  => "0"                            if integer "?a";
    "int-mul-zero"     exact  "(mul ?a 0)"                                   => "0"                            ;
    "int-add-sub"      exact  "(sub (add ?a ?b) ?b)"                         => "?a"                           if integer "?a";
    "int-sub-add"      exact  "(add (sub ?a ?b) ?b)"                         => "?a"                           if integer "?a";
    "floor-div-one"    exact  "(floor_div ?a 1)"                             => "?a"                           ;
    "mod-one"          exact  "(mod ?a 1)"                                   => "0"                            ;
    "wrap-add-zero"    exact  "(wrap_add ?a 0)"                              => "?a"                           ;
    "wrap-sub-zero"    exact  "(wrap_sub ?a 0)"                              => "?a"                           ;
    "wrap-sub-self"    exact  "(wrap_sub ?a ?a)"                             => "0"                            ;
    "wrap-add-sub"     exact  "(wrap_sub (wrap_add ?a ?b) ?b)"               => "?a"                           ;
    "wrap-sub-add"     exact  "(wrap_add (wrap_sub ?a ?b) ?b)"               => "?a"                           ;
    "wrap-sub-constant" exact "(wrap_sub ?a ?b)"                             => "(wrap_add ?a (wrap_sub 0 ?b))" if constant "?b";
    "wrap-add-constants" exact "(wrap_add (wrap_add ?a ?b) ?c)"              => "(wrap_add ?a (wrap_add ?b ?c))" if constant "?b", constant "?c";

    // Over the reals.
    "add-zero"         real   "(add ?a 0.0)"                                 => "?a"                           "-0.0";
    "zero-sub"         real   "(sub 0.0 ?a)"                                 => "(neg ?a)"                     "-0.0";
    "sub-neg-zero"     real   "(sub ?a -0.0)"                                => "?a"                           "-0.0";
    "sub-self"         real   "(sub ?a ?a)"                                  => "0.0"                          "inf, nan";
    "mul-zero"         real   "(mul ?a 0.0)"                                 => "0.0"                          "-0.0, inf, nan";
    "mul-neg-zero"     real   "(mul ?a -0.0)"                                => "0.0"                          "-0.0, inf, nan";
    "neg-sub"          real   "(neg (sub ?a ?b))"                            => "(sub ?b ?a)"                  "+0.0 at a = b";
    "neg-add"          real   "(add (neg ?a) (neg ?b))"                      => "(neg (add ?a ?b))"            "+0.0 at a = -b";
    "add-sub"          real   "(sub (add ?a ?b) ?b)"                         => "?a"                           "rounding, inf";
    "sub-add"          real   "(add (sub ?a ?b) ?b)"                         => "?a"                           "rounding, inf";
    "div-self"         real   "(div ?a ?a)"                                  => "1.0"                          if never_zero "?a" "inf, nan" ;
    "mul-div"          real   "(mul ?a (div ?b ?c))"                         => "(div (mul ?a ?b) ?c)"         "rounding, overflow";
    "mul-div-cancel"   real   "(div (mul ?a ?b) ?b)"                         => "?a"                           if never_zero "?b" "rounding, inf" ;
    "div-mul-cancel"   real   "(mul (div ?a ?b) ?b)"                         => "?a"                           if never_zero "?b" "rounding, inf" ;
    "div-div"          real   "(div (div ?a ?b) ?c)"                         => "(div ?a (mul ?b ?c))"         "rounding, overflow";
    "div-by-quotient"  real   "(div ?a (div ?b ?c))"                         => "(div (mul ?a ?c) ?b)"         "rounding, overflow";
    "div-constant"     real   "(div ?a ?b)"                                  => "(mul ?a (div 1.0 ?b))"        if nonzero "?b" "rounding";
    "mul-constants"    real   "(mul (mul ?a ?b) ?c)"                         => "(mul ?a (mul ?b ?c))"         if constant "?b", constant "?c" "rounding";
    "add-constants"    real   "(add (add ?a ?b) ?c)"                         => "(add ?a (add ?b ?c))"         if constant "?b", constant "?c" "rounding";
    "factor"           real   "(add (mul ?a ?b) (mul ?a ?c))"                => "(mul ?a (add ?b ?c))"         "rounding, inf";
    "factor-sub"       real   "(sub (mul ?a ?b) (mul ?a ?c))"                => "(mul ?a (sub ?b ?c))"         "rounding, inf";
    "factor-one"       real   "(add (mul ?a ?b) ?a)"                         => "(mul ?a (add ?b 1.0))"        "rounding, inf";
    "factor-div"       real   "(add (div ?a ?c) (div ?b ?c))"                => "(div (add ?a ?b) ?c)"         "rounding, inf";
    "mul0-as-mul"      real   "(mul0 ?a ?b)"                                 => "(mul ?a ?b)"                  if finite "?b" "-0.0, inf, nan";
    "neg-mul0"         real   "(mul0 (neg ?a) ?b)"                           => "(neg (mul0 ?a ?b))"           "-0.0";
    "pow-two"          real   "(pow ?a 2.0)"                                 => "(mul ?a ?a)"                  "rounding";
    "pow-three"        real   "(pow ?a 3.0)"                                 => "(mul (mul ?a ?a) ?a)"         "rounding";
    "pow-half"         real   "(pow ?a 0.5)"                                 => "(sqrt ?a)"                    "-0.0, -inf";
    "pow-minus-one"    real   "(pow ?a -1.0)"                                => "(div 1.0 ?a)"                 "rounding";
    "pow-mul"          real   "(mul (pow ?a ?b) ?a)"                         => "(pow ?a (add ?b 1.0))"        if never_zero "?a" "rounding, overflow" ;
    "pow-mul-pow"      real   "(mul (pow ?a ?b) (pow ?a ?c))"                => "(pow ?a (add ?b ?c))"         if positive "?a" "rounding, overflow" ;
    "pow-div"          real   "(div (pow ?a ?b) ?a)"                         => "(pow ?a (sub ?b 1.0))"        if never_zero "?a" "rounding, overflow" ;
    "exp-log"          real   "(exp (log ?a))"                               => "?a"                           if never_negative "?a" "rounding" ;
    "log-exp"          real   "(log (exp ?a))"                               => "?a"                           "rounding, overflow";
    "exp-mul-exp"      real   "(mul (exp ?a) (exp ?b))"                      => "(exp (add ?a ?b))"            "rounding, overflow";
    "exp-div-exp"      real   "(div (exp ?a) (exp ?b))"                      => "(exp (sub ?a ?b))"            "rounding, overflow";
    "div-exp"          real   "(div ?a (exp ?b))"                            => "(mul ?a (exp (neg ?b)))"      "rounding, overflow";
    "log-pow"          real   "(log (pow ?a ?b))"                            => "(mul ?b (log ?a))"            if positive "?a" "rounding, overflow" ;
    "exp-mul-log"      real   "(exp (mul ?a (log ?b)))"                      => "(pow ?b ?a)"                  if positive "?b" "rounding" ;
    "sqrt-square"      real   "(sqrt (mul ?a ?a))"                           => "(abs ?a)"                     "overflow";
    "square-sqrt"      real   "(mul (sqrt ?a) (sqrt ?a))"                    => "?a"                           if never_negative "?a" "rounding" ;
    "div-sqrt"         real   "(div ?a (sqrt ?a))"                           => "(sqrt ?a)"                    if never_zero "?a" "rounding, inf" ;
    "sin-cos-squares"  real   "(add (mul (sin ?a) (sin ?a)) (mul (cos ?a) (cos ?a)))" => "1.0"                 "rounding, inf, nan";
    "sin-over-cos"     real   "(div (sin ?a) (cos ?a))"                      => "(tan ?a)"                     "rounding";
    "cosh-sinh-squares" real  "(sub (mul (cosh ?a) (cosh ?a)) (mul (sinh ?a) (sinh ?a)))" => "1.0"             "rounding, inf, nan";

    "add-associate"    group  "(add (add ?a ?b) ?c)"                         => "(add ?a (add ?b ?c))"         "rounding, overflow";
    "mul-associate"    group  "(mul (mul ?a ?b) ?c)"                         => "(mul ?a (mul ?b ?c))"         "rounding, overflow";
    "add-sub-associate" group "(sub (add ?a ?b) ?c)"                         => "(add ?a (sub ?b ?c))"         "rounding, overflow";
    "sub-sub"          group  "(sub (sub ?a ?b) ?c)"                         => "(sub ?a (add ?b ?c))"         "rounding, overflow";
    "distribute"       group  "(mul ?a (add ?b ?c))"                         => "(add (mul ?a ?b) (mul ?a ?c))" "rounding, overflow";
    "distribute-sub"   group  "(mul ?a (sub ?b ?c))"                         => "(sub (mul ?a ?b) (mul ?a ?c))" "rounding, overflow";
}

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

use crate::Math;
use crate::egraph::analysis::{Data, Facts, operand_types};
use crate::egraph::lang::{Children, Op, Term};
use crate::egraph::schedule::Shape;
use crate::egraph::sign::Sign;
use egg::{Applier, EGraph, ENodeOrVar, Id, Pattern, PatternAst, Rewrite, Searcher, Subst, Symbol, Var};
use gradus_ir::eval::Scalar;
use gradus_ir::{Effect, Sig, Type};
use std::sync::OnceLock;

/// How far a rule can be trusted.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
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

/// A row of the table.
#[derive(Clone, Copy, Debug)]
pub struct Rule {
    /// The key of statistics.
    pub name: &'static str,
    /// Its soundness.
    pub class: Class,
    /// What it matches.
    pub left: &'static str,
    /// What that equals.
    pub right: &'static str,
    /// Conditions on variables.
    pub guards: &'static [(Guard, &'static str)],
    /// What a real rule gives up.
    pub gives_up: &'static str,
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
            name: $name,
            class: class!($class),
            left: $left,
            right: $right,
            guards: &[ $($( ($guard as Guard, $var) ),+)? ],
            gives_up: concat!($($gives_up)?),
        } ),* ];
    };
}

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

/// Rules as egg applies them.
#[derive(Debug)]
pub struct Rules {
    /// Left and right sides.
    pub rewrites: Vec<Rewrite<Term, Facts>>,
    /// Of each, where it can match.
    pub shapes: Vec<Shape>,
}

impl Rules {
    /// Those for a region of so many operations, by whether no derivative of it is left to take.
    pub fn new(math: Math, last: bool, operations: usize) -> &'static Rules {
        static EXACT: OnceLock<Rules> = OnceLock::new();
        static LAST: OnceLock<Rules> = OnceLock::new();
        static FAST: OnceLock<Rules> = OnceLock::new();
        static GROUP: OnceLock<Rules> = OnceLock::new();
        match math {
            _ if !last => EXACT.get_or_init(|| Rules::compile(|rule| rule.class == Class::Exact)),
            Math::Exact => LAST.get_or_init(|| Rules::compile(|rule| rule.class <= Class::Last)),
            Math::Fast if operations < SMALL => GROUP.get_or_init(|| Rules::compile(|_| true)),
            Math::Fast => FAST.get_or_init(|| Rules::compile(|rule| rule.class != Class::Group)),
        }
    }

    fn compile(wanted: impl Fn(&Rule) -> bool) -> Rules {
        let rows = RULES.iter().filter(|rule| wanted(rule));
        let compiled = rows.flat_map(Rule::instances).map(|instance| {
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
struct Instance {
    name: String,
    left: Pattern<Term>,
    right: Pattern<Term>,
    guards: Vec<(Guard, Var)>,
}

impl Rule {
    /// The rule as written, and once more for integers where it has whole literals with a point and polymorphic primitives.
    fn instances(&self) -> Vec<Instance> {
        let parse = |text: &str| text.parse::<Pattern<Term>>().unwrap_or_else(|e| panic!("rule {}: {text}: {e:?}", self.name));
        let guards: Vec<(Guard, Var)> =
            self.guards.iter().map(|&(guard, var)| (guard, var.parse().expect("a variable"))).collect();
        let (left, right) = (parse(self.left), parse(self.right));
        let integers = || Some((with_integers(&left)?, with_integers(&right)?));
        let second = if self.class <= Class::Last { integers() } else { None };
        let second = second.filter(|(l, r)| *l != left || *r != right).map(|(left, right)| Instance {
            name: format!("{}/int", self.name),
            left,
            right,
            guards: guards.clone(),
        });
        std::iter::once(Instance { name: self.name.to_owned(), left, right, guards }).chain(second).collect()
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::egraph::analysis::same_bits;
    use gradus_ir::TrapKind;
    use gradus_ir::eval;

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
        let mut names: Vec<&str> = RULES.iter().map(|r| r.name).collect();
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
            for instance in rule.instances() {
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
            let instance = &rule.instances()[0];
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
}

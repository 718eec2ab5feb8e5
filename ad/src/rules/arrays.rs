//! The rows of operations on arrays. Elementwise primitives have theirs in the table of scalars.
//!
//! Broadcasting and summing to a shape are each other's adjoint, so no row undoes a broadcast. What reads a part of an array (`at`,
//! `slice`, `gather`) adds to that part of the cotangent so far, which is `sum`: a loop that reads n elements so costs n additions.
//! `0v` is the zero of the shape of `v`, `rest` what comes after the named arguments: the indices. Attributes are explained at
//! [`Attribute`](super::Attribute).
//!
//! Sources: the linear algebra is that of M. Giles, *Collected matrix derivative results for forward and reverse mode algorithmic
//! differentiation*, 2008, §2.2; the Cholesky factor that of I. Murray, *Differentiation of the Cholesky decomposition*, 2016, §3.

use super::{Rule, read};
use gradus_ir::{ArrayOp, Dims, Prim};
use std::sync::LazyLock;

macro_rules! derivatives {
    ($( $name:ident ( $($arg:ident),* ) $kind:ident [ $($entry:tt),* ] $(together $push:tt)? ; )*) => {
        /// All rows of operations on arrays.
        pub static ARRAY_RULES: LazyLock<Vec<Rule>> = LazyLock::new(|| vec![
            $( read(
                operation(stringify!($name)),
                &[$(stringify!($arg)),*],
                stringify!($kind),
                &[$(stringify!($entry)),*],
                [$(stringify!($push))?].first().copied(),
            ) ),*
        ]);
    };
}

derivatives! {
//  operation            kind   adjoint applied to g, per argument
    broadcast(a)         linear [ (sum_to<a> g) ];
    sum_to(a)            linear [ (broadcast<a> g) ];
    max_to(a)            own    [ (select (eq a (broadcast<a> y)) (broadcast<a> (div g (sum_to<y> (float (eq a (broadcast<a> y)))))) zero) ]
                                together (div (sum_to<y> (mul (float (eq a (broadcast<a> y))) da)) (sum_to<y> (float (eq a (broadcast<a> y)))));
    min_to(a)            own    [ (select (eq a (broadcast<a> y)) (broadcast<a> (div g (sum_to<y> (float (eq a (broadcast<a> y)))))) zero) ]
                                together (div (sum_to<y> (mul (float (eq a (broadcast<a> y))) da)) (sum_to<y> (float (eq a (broadcast<a> y)))));
    reshape(a)           linear [ (reshape<a> g) ];
    transpose(a)         linear [ (transpose<inverse> g) ];
    slice(a)             linear [ (put_add<own> sum g) ];
    put(a, v)            linear [ (put<own> g 0v), (slice<own> g) ];
    put_add(a, v)        linear [ g, (slice<own> g) ];
    at(a)                linear [ (add_at sum g rest) ];
    set_at(a, v)         linear [ (set_at g 0v rest), (at g rest) ];
    add_at(a, v)         linear [ g, (at g rest) ];
    gather(a, p)         linear [ (scatter_add sum p g), _ ];
    gather_last(a, p)    linear [ (scatter 0a p g), _ ];
    scatter(a, p, v)     linear [ (scatter g p 0v), _, (gather_last g p) ];
    scatter_add(a, p, v) linear [ g, _, (gather g p) ];
    cumsum(a)            linear [ (slice<flip> (cumsum<own> (slice<flip> g))) ];
    matmul(a, b)         each   [ (matmul g (transpose<swap> b)), (matmul (transpose<swap> a) g) ];
    solve(a, b)          own    [ (neg (matmul (solve (transpose<swap> a) g) (transpose<swap> y))), (solve (transpose<swap> a) g) ]
                                together (solve a (sub db (matmul da y)));
    logdet(a)            own    [ (mul (broadcast<a> g) (transpose<swap> (solve a (float (eq (iota<rows>) (iota<columns>)))))) ]
                                together (sum_to<y> (mul (float (eq (iota<rows>) (iota<columns>))) (solve a da)));
    det_sign(a)          flat   [ ];
    cholesky(a)          own    [ (solve (transpose<swap> y) (transpose<swap>
                                    (solve (transpose<swap> y) (transpose<swap> (lower_half (matmul (transpose<swap> y) g)))))) ]
                                together (matmul y (lower_half (solve y (transpose<swap> (solve y (transpose<swap> da))))));
    lower_half(a)        linear [ (lower_half g) ];
}

fn operation(name: &str) -> Prim {
    match ArrayOp::from_name(name) {
        Some(op) => Prim::Array(op, Dims::NONE),
        None => panic!("the table names no operation: {name}"),
    }
}

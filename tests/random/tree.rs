//! Trees that say nothing about types: their numbers choose among what can be printed where they stand.

use proptest::collection::vec;
use proptest::prelude::*;

/// An expression or a condition.
#[derive(Clone, Debug, Default)]
pub struct Tree {
    pub op: usize,
    pub pick: usize,
    pub kids: Vec<Tree>,
}

/// A statement.
#[derive(Clone, Debug)]
pub struct Stmt {
    pub op: usize,
    pub pick: usize,
    pub kids: [Tree; 2],
    pub body: Vec<Stmt>,
    pub otherwise: Vec<Stmt>,
}

/// Expressions.
pub fn tree(depth: u32) -> BoxedStrategy<Tree> {
    let leaf = (0..40usize, 0..12usize).prop_map(|(op, pick)| Tree { op, pick, kids: Vec::new() });
    leaf.prop_recursive(depth, 12, 3, |inner| {
        (0..40usize, 0..12usize, vec(inner, 0..=3)).prop_map(|(op, pick, kids)| Tree { op, pick, kids })
    })
    .boxed()
}

/// The statements of a block, with blocks in them.
pub fn stmts(depth: u32) -> BoxedStrategy<Vec<Stmt>> {
    let inner = if depth == 0 { Just(Vec::new()).boxed() } else { stmts(depth - 1) };
    let kids = [tree(3), tree(2)];
    let stmt = (0..40usize, 0..12usize, kids, inner.clone(), inner).prop_map(|(op, pick, kids, body, otherwise)| Stmt {
        op,
        pick,
        kids,
        body,
        otherwise,
    });
    vec(stmt, 0..if depth == 2 { 8 } else { 4 }).boxed()
}

/// A template with its holes filled.
pub fn fill(template: &str, with: &[(&str, &str)]) -> String {
    with.iter().fold(template.to_owned(), |text, (hole, value)| text.replace(hole, value))
}

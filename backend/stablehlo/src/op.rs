//! A program as operations, from which its text and its portable artifact are written.

use crate::tensor::{Element, Tensor};
use rustc_hash::FxHashMap;

/// A value of StableHLO.
#[derive(Clone, PartialEq, Debug)]
pub struct Val {
    /// The number of the operation or the region that defines it: what has a smaller number than the first of a region is from
    /// outside of that region.
    pub id: usize,
    /// Which result of the operation, where it may have several.
    pub index: Option<u32>,
    /// Its type.
    pub ty: Tensor,
}

/// The identity of a value.
pub type Name = (usize, Option<u32>);

impl Val {
    pub fn name(&self) -> Name {
        (self.id, self.index)
    }
}

/// An operation.
#[derive(Clone, Debug)]
pub struct Op {
    /// Its name in StableHLO, or one with that of another dialect and a dot before it.
    pub name: &'static str,
    /// The number of its results.
    pub id: usize,
    pub operands: Vec<Val>,
    pub results: Vec<Val>,
    /// Its attributes, in the order in which they are written.
    pub attributes: Vec<(&'static str, Attribute)>,
    /// How many regions follow it.
    pub regions: usize,
}

impl Op {
    /// The type of its one result.
    pub fn ty(&self) -> Tensor {
        self.results[0].ty
    }

    pub fn attribute(&self, name: &str) -> &Attribute {
        let found = self.attributes.iter().find(|(known, _)| *known == name);
        found.map(|(_, attribute)| attribute).expect("an attribute of the operation")
    }
}

/// An attribute of an operation.
#[derive(Clone, Debug)]
pub enum Attribute {
    Bool(bool),
    Int(i64),
    Ints(Vec<i64>),
    /// One of several words.
    Word(&'static str),
    /// The name of a function.
    Symbol(String),
    /// The elements of a constant: one for all, or each of them, in words of 64 bits. Floats are their bits, those of 32 bits as floats of
    /// 64.
    Elements(Vec<i64>),
}

/// Operations in order. Regions lie flat behind the operation that has them, so that nothing that is done with them is recursive.
#[derive(Clone, Debug)]
pub enum Item {
    Op(Op),
    /// A region begins, with its parameters.
    Open(Vec<Val>),
    /// It ends.
    Close,
}

/// Replaces operands by others.
pub fn rename(items: &mut [Item], names: &FxHashMap<Name, Val>) {
    for item in items {
        let Item::Op(op) = item else { continue };
        for operand in &mut op.operands {
            if let Some(other) = names.get(&operand.name()) {
                *operand = other.clone();
            }
        }
    }
}

/// For each dimension the number of an axis of the mesh, or none. Dimensions that are left out are not split.
pub type Layout = Vec<Option<usize>>;

/// A function.
#[derive(Clone, Debug)]
pub struct Function {
    pub name: String,
    pub is_entry: bool,
    pub params: Vec<Val>,
    pub results: Vec<Tensor>,
    /// How parameters lie on several devices, and how results do, if there are several.
    pub layouts: Option<[Vec<Layout>; 2]>,
    pub items: Vec<Item>,
}

/// A module of functions.
#[derive(Clone, Debug)]
pub struct Code {
    pub name: String,
    /// The axes of the mesh of devices: names and sizes.
    pub mesh: Vec<(String, usize)>,
    pub functions: Vec<Function>,
}

impl Code {
    /// The attributes of the module, as text.
    pub fn attributes(&self) -> String {
        let devices: usize = self.mesh.iter().map(|(_, size)| size).product();
        format!("mhlo.num_partitions = {devices} : i32, mhlo.num_replicas = 1 : i32")
    }

    /// The mesh, as text.
    pub fn mesh(&self) -> String {
        let axes: Vec<String> = self.mesh.iter().map(|(name, size)| format!("{name:?}={size}")).collect();
        format!("<[{}]>", axes.join(", "))
    }

    /// How a tensor of so many dimensions lies on the mesh, as text.
    pub fn sharding(&self, layout: &Layout, rank: usize) -> String {
        let axis = |i: usize| layout.get(i).copied().flatten().map_or("{}".into(), |a| format!("{{{:?}}}", self.mesh[a].0));
        let axes: Vec<String> = (0..rank).map(axis).collect();
        format!("#sdy.sharding<@mesh, [{}]>", axes.join(", "))
    }
}

/// The bits of a float of 32 bits from those of one of 64.
pub fn single_bits(word: i64) -> u32 {
    (f64::from_bits(word as u64) as f32).to_bits()
}

/// The word of a number of a type.
pub fn word(element: Element, value: f64) -> i64 {
    match element {
        Element::F32 | Element::F64 => value.to_bits() as i64,
        Element::Pred | Element::I32 | Element::I64 => value as i64,
    }
}

//! The text of a program.

use crate::op::{Attribute, Code, Function, Item, Layout, Op, Val, single_bits};
use crate::tensor::{Element, Tensor};
use std::fmt::{Display, Formatter, Result, Write};

impl Display for Val {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self.index {
            Some(i) => write!(f, "%{}#{i}", self.id),
            None => write!(f, "%{}", self.id),
        }
    }
}

impl Display for Code {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        writeln!(f, "module @{} attributes {{{}}} {{", self.name, self.attributes())?;
        if !self.mesh.is_empty() {
            writeln!(f, "  sdy.mesh @mesh = {}", self.mesh())?;
        }
        for function in &self.functions {
            head(self, function, f)?;
            body(&function.items, f)?;
            writeln!(f, "  }}")?;
        }
        writeln!(f, "}}")
    }
}

fn head(code: &Code, function: &Function, f: &mut Formatter<'_>) -> Result {
    let placed = |layouts: Option<&Vec<Layout>>, i: usize, ty: Tensor| match layouts {
        Some(layouts) => format!("{ty} {{sdy.sharding = {}}}", code.sharding(&layouts[i], ty.dims.len())),
        None => ty.to_string(),
    };
    let [of_params, of_results] = [0, 1].map(|i| function.layouts.as_ref().map(|both| &both[i]));
    let params = list(function.params.iter().enumerate().map(|(i, p)| format!("{p}: {}", placed(of_params, i, p.ty))));
    let results = list(function.results.iter().enumerate().map(|(i, &ty)| placed(of_results, i, ty)));
    let visibility = if function.is_entry { "public" } else { "private" };
    writeln!(f, "  func.func {visibility} @{}({params}) -> ({results}) {{", function.name)
}

/// Lines with two blanks for each region that is open.
fn body(items: &[Item], f: &mut Formatter<'_>) -> Result {
    // The operations around, and how many of their regions are to come.
    let mut around: Vec<(&Op, usize)> = Vec::new();
    for item in items {
        let indent = 4 + 2 * around.len();
        match item {
            Item::Op(op) if op.regions > 0 => {
                writeln!(f, "{:indent$}{}\"stablehlo.{}\"({}) ({{", "", defined(op), op.name, list(&op.operands))?;
                around.push((op, op.regions));
            }
            Item::Op(op) => writeln!(f, "{:indent$}{}{}", "", defined(op), written(op, around.is_empty()))?,
            Item::Open(params) if params.is_empty() => {}
            Item::Open(params) => {
                let label = indent - 2;
                writeln!(f, "{:label$}^bb0({}):", "", list(params.iter().map(|p| format!("{p}: {}", p.ty))))?;
            }
            Item::Close => {
                let (op, left) = around.last_mut().expect("a region is open");
                let outer = indent - 2;
                *left -= 1;
                if *left > 0 {
                    writeln!(f, "{:outer$}}}, {{", "")?;
                } else {
                    writeln!(f, "{:outer$}}}){} : ({}) -> ({})", "", dictionary(op), types(&op.operands), types(&op.results))?;
                    around.pop();
                }
            }
        }
    }
    Ok(())
}

/// The names of the results.
fn defined(op: &Op) -> String {
    match &op.results[..] {
        [] => String::new(),
        [one] if one.index.is_none() => format!("{one} = "),
        several => format!("%{}:{} = ", op.id, several.len()),
    }
}

/// An operation without regions, but for its results.
fn written(op: &Op, is_outermost: bool) -> String {
    let operands = list(&op.operands);
    let ints = |name: &str| match op.attribute(name) {
        Attribute::Ints(items) => list(items),
        other => unreachable!("{name} is a list of integers: {other:?}"),
    };
    let one = |name: &str| match op.attribute(name) {
        Attribute::Word(text) => (*text).to_owned(),
        Attribute::Int(value) => value.to_string(),
        Attribute::Symbol(name) => name.clone(),
        other => unreachable!("{name} is one word: {other:?}"),
    };
    let arrow = |rest: String| format!("stablehlo.{} {operands}{rest} : ({}) -> {}", op.name, types(&op.operands), op.ty());
    match op.name {
        "return" => {
            let keyword = if is_outermost { "return" } else { "stablehlo.return" };
            if operands.is_empty() { keyword.to_owned() } else { format!("{keyword} {operands} : {}", types(&op.operands)) }
        }
        "call" => format!("func.call @{}({operands}) : ({}) -> ({})", one("callee"), types(&op.operands), types(&op.results)),
        "constant" => format!("stablehlo.constant dense<{}> : {}", elements(op), op.ty()),
        "iota" => format!("stablehlo.iota dim = {} : {}", one("iota_dimension"), op.ty()),
        "compare" => {
            let (direction, kind) = (one("comparison_direction"), one("compare_type"));
            format!("stablehlo.compare {direction}, {operands}, {kind} : ({}) -> {}", types(&op.operands), op.ty())
        }
        "select" => format!("stablehlo.select {operands} : {}", types(&op.operands[..2])),
        "convert" | "reshape" | "bitcast_convert" | "dynamic_update_slice" => arrow(String::new()),
        "broadcast_in_dim" => arrow(format!(", dims = [{}]", ints("broadcast_dimensions"))),
        "transpose" => arrow(format!(", dims = [{}]", ints("permutation"))),
        "concatenate" => arrow(format!(", dim = {}", one("dimension"))),
        "dynamic_slice" => arrow(format!(", sizes = [{}]", ints("slice_sizes"))),
        "pad" => {
            let [low, high, interior] = ["edge_padding_low", "edge_padding_high", "interior_padding"].map(ints);
            arrow(format!(", low = [{low}], high = [{high}], interior = [{interior}]"))
        }
        "slice" => {
            let [starts, ends, steps] = ["start_indices", "limit_indices", "strides"].map(|name| match op.attribute(name) {
                Attribute::Ints(items) => items,
                other => unreachable!("{name} is a list of integers: {other:?}"),
            });
            let axes = list(starts.iter().zip(ends).zip(steps).map(|((start, end), step)| format!("{start}:{end}:{step}")));
            arrow(format!(" [{axes}]"))
        }
        "reverse" => format!("stablehlo.reverse {operands}, dims = [{}] : {}", ints("dimensions"), op.ty()),
        "reduce" => format!(
            "stablehlo.reduce({} init: {}) applies stablehlo.{} across dimensions = [{}] : ({}) -> {}",
            op.operands[0],
            op.operands[1],
            one("body"),
            ints("dimensions"),
            types(&op.operands),
            op.ty()
        ),
        "dot_general" => {
            let stack = ints("lhs_batching_dimensions");
            let batch = if stack.is_empty() { String::new() } else { format!(", batching_dims = [{stack}] x [{stack}]") };
            let (left, right) = (ints("lhs_contracting_dimensions"), ints("rhs_contracting_dimensions"));
            let precision = one("precision_config");
            let precision =
                if precision == "DEFAULT" { String::new() } else { format!(", precision = [{precision}, {precision}]") };
            arrow(format!("{batch}, contracting_dims = [{left}] x [{right}]{precision}"))
        }
        "gather" | "cholesky" => {
            let (name, given) = (op.name, types(&op.operands));
            format!("\"stablehlo.{name}\"({operands}){} : ({given}) -> {}", dictionary(op), op.ty())
        }
        name if name.contains('.') => format!("{name} {operands} : {} -> {}", types(&op.operands), op.ty()),
        name => format!("stablehlo.{name} {operands} : {}", op.ty()),
    }
}

/// The attributes of an operation in its generic form.
fn dictionary(op: &Op) -> String {
    let text = |attribute: &Attribute| match attribute {
        Attribute::Int(value) => value.to_string(),
        Attribute::Bool(value) => value.to_string(),
        Attribute::Ints(items) => format!("[{}]", list(items)),
        other => unreachable!("a number or numbers: {other:?}"),
    };
    let numbers = |count: usize| list(op.attributes[..count].iter().map(|(name, a)| format!("{name} = {}", text(a))));
    match op.name {
        "sort" => format!(" {{dimension = {} : i64, is_stable = true}}", text(op.attribute("dimension"))),
        "cholesky" => " {lower = true}".into(),
        "scatter" => format!(" {{scatter_dimension_numbers = #stablehlo.scatter<{}>}}", numbers(4)),
        "gather" => {
            let Attribute::Ints(sizes) = op.attribute("slice_sizes") else { unreachable!("sizes are a list of integers") };
            let sizes = list(sizes);
            format!(" {{dimension_numbers = #stablehlo.gather<{}>, slice_sizes = array<i64: {sizes}>}}", numbers(4))
        }
        _ => String::new(),
    }
}

/// The elements of a constant, with brackets around each axis. Floats are written as their bits, which come back as they are.
fn elements(op: &Op) -> String {
    let Attribute::Elements(words) = op.attribute("value") else { unreachable!("a constant has elements") };
    let text = |word: i64| match op.ty().element {
        Element::Pred => (word != 0).to_string(),
        Element::I32 | Element::I64 => word.to_string(),
        Element::F32 => format!("0x{:08X}", single_bits(word)),
        Element::F64 => format!("0x{word:016X}"),
    };
    if let [one] = words[..] {
        return text(one);
    }
    let mut out = String::new();
    let dims = &op.ty().dims[..];
    let sizes: Vec<usize> = (0..dims.len()).map(|axis| dims[axis..].iter().product::<i64>() as usize).collect();
    for (i, &word) in words.iter().enumerate() {
        out.push_str(if i > 0 { ", " } else { "" });
        sizes.iter().filter(|&size| i % size == 0).for_each(|_| out.push('['));
        _ = write!(out, "{}", text(word));
        sizes.iter().filter(|&size| (i + 1) % size == 0).for_each(|_| out.push(']'));
    }
    out
}

fn types(values: &[Val]) -> String {
    list(values.iter().map(|v| v.ty))
}

/// Items with commas between them.
fn list<T: Display>(items: impl IntoIterator<Item = T>) -> String {
    items.into_iter().map(|item| item.to_string()).collect::<Vec<_>>().join(", ")
}

//! Writes operations as text, region by region.

use crate::tensor::{Element, Tensor};
use rustc_hash::FxHashMap;
use std::fmt::{Display, Write};

/// A value of StableHLO: its name, and its type.
#[derive(Clone, PartialEq, Debug)]
pub struct Val {
    /// The number of the operation or the region that defines it: what has a smaller number than the first of a region is from
    /// outside of that region.
    pub id: usize,
    /// Which result of the operation, where it has several.
    index: Option<usize>,
    /// Its type.
    pub ty: Tensor,
}

impl Display for Val {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.index {
            Some(i) => write!(f, "%{}#{i}", self.id),
            None => write!(f, "%{}", self.id),
        }
    }
}

/// The text of a region that is open.
#[derive(Debug, Default)]
pub struct Region {
    text: String,
    /// The constants that were made in it.
    constants: FxHashMap<(Tensor, String), Val>,
    /// Whether constants of the regions around it are out of reach: what a loop takes from outside is carried along.
    is_loop: bool,
    /// How many operations it has, those of regions inside of it included.
    pub operations: usize,
    /// Whether one of them has regions, or is a call.
    pub is_compound: bool,
}

impl Region {
    /// The same operations on other values in the place of some.
    fn renamed(mut self, names: &FxHashMap<String, String>) -> Region {
        let mut text = String::with_capacity(self.text.len());
        let mut rest = self.text.as_str();
        while let Some(at) = rest.find('%') {
            let (before, from) = rest.split_at(at);
            text.push_str(before);
            let is_part = |c: char| c.is_ascii_digit() || c == '#';
            let end = from[1..].find(|c| !is_part(c)).map_or(from.len(), |i| i + 1);
            let (name, behind) = from.split_at(end);
            text.push_str(names.get(name).map_or(name, |other| other));
            rest = behind;
        }
        text.push_str(rest);
        self.text = text;
        self
    }
}

/// Which of several arms is taken.
pub enum Choice<'v> {
    /// The first if a boolean holds, else the second.
    If(&'v Val),
    /// The one with this number.
    Case(&'v Val),
}

/// The writer.
#[derive(Debug, Default)]
pub struct Builder {
    regions: Vec<Region>,
    next: usize,
}

impl Builder {
    /// Opens a region, to which operations are added until it is closed.
    pub fn open(&mut self, is_loop: bool) {
        self.regions.push(Region { is_loop, ..Region::default() });
    }

    /// Opens a region again.
    pub fn reopen(&mut self, region: Region) {
        self.regions.push(region);
    }

    /// Closes the innermost region.
    pub fn close(&mut self) -> Region {
        self.regions.pop().expect("a region is open")
    }

    /// Adds the operations of a closed region to the one that is open now.
    pub fn splice(&mut self, region: Region) {
        let open = self.top();
        open.text.push_str(&region.text);
        open.operations += region.operations;
        open.is_compound |= region.is_compound;
    }

    /// The number that the next operation has.
    pub fn mark(&self) -> usize {
        self.next
    }

    /// How many characters the open regions have.
    pub fn length(&self) -> usize {
        self.regions.iter().map(|r| r.text.len()).sum()
    }

    fn top(&mut self) -> &mut Region {
        self.regions.last_mut().expect("a region is open")
    }

    fn id(&mut self) -> usize {
        self.next += 1;
        self.next - 1
    }

    fn line(&mut self, text: &str) {
        let top = self.top();
        top.operations += 1;
        top.text.push_str(text);
        top.text.push('\n');
    }

    /// New values for the parameters of a region.
    pub fn params(&mut self, types: impl IntoIterator<Item = Tensor>) -> Vec<Val> {
        types.into_iter().map(|ty| Val { id: self.id(), index: None, ty }).collect()
    }

    /// An operation with one result, as it is written after the `=`.
    pub fn write(&mut self, ty: Tensor, text: impl Display) -> Val {
        let id = self.id();
        self.line(&format!("%{id} = {text}"));
        Val { id, index: None, ty }
    }

    /// An operation in its generic form.
    pub fn op(&mut self, name: &str, operands: &[&Val], attributes: &str, ty: Tensor) -> Val {
        let (names, types) = (list(operands), list(operands.iter().map(|v| v.ty)));
        let attributes = if attributes.is_empty() { String::new() } else { format!(" {{{attributes}}}") };
        self.write(ty, format!("\"stablehlo.{name}\"({names}){attributes} : ({types}) -> {ty}"))
    }

    /// An operation whose operands and result have one type.
    pub fn same(&mut self, name: &str, operands: &[&Val]) -> Val {
        let ty = operands[0].ty;
        self.write(ty, format!("stablehlo.{name} {} : {ty}", list(operands)))
    }

    /// An operation with regions and any number of results. Each region is the names of its parameters, and its text.
    pub fn compound(
        &mut self,
        name: &str,
        operands: &[&Val],
        regions: Vec<(Vec<Val>, Region)>,
        attributes: &str,
        types: &[Tensor],
    ) -> Vec<Val> {
        let id = self.id();
        let mut text = if types.is_empty() { String::new() } else { format!("%{id}:{} = ", types.len()) };
        _ = write!(text, "\"stablehlo.{name}\"({}) (", list(operands));
        for (i, (params, region)) in regions.into_iter().enumerate() {
            text.push_str(if i > 0 { ", {\n" } else { "{\n" });
            if !params.is_empty() {
                let params = list(params.iter().map(|p| format!("{p}: {}", p.ty)));
                _ = writeln!(text, "^bb0({params}):");
            }
            text.push_str(&region.text);
            text.push('}');
            self.top().operations += region.operations;
        }
        let attributes = if attributes.is_empty() { String::new() } else { format!(" {{{attributes}}}") };
        _ = write!(text, "){attributes} : ({}) -> ({})", list(operands.iter().map(|v| v.ty)), list(types));
        self.line(&text);
        self.top().is_compound = true;
        types.iter().enumerate().map(|(i, &ty)| Val { id, index: Some(i), ty }).collect()
    }

    /// The values that one of several arms gives. Those of the arms that are not taken are not computed.
    pub fn branch(&mut self, choice: Choice, arms: Vec<(Region, Vec<Val>)>, types: &[Tensor]) -> Vec<Val> {
        let mut regions = Vec::new();
        for (region, values) in arms {
            self.reopen(region);
            self.leave("stablehlo.return", &values);
            regions.push((Vec::new(), self.close()));
        }
        match choice {
            _ if types.is_empty() => Vec::new(),
            Choice::If(condition) => self.compound("if", &[condition], regions, "", types),
            Choice::Case(number) => self.compound("case", &[number], regions, "", types),
        }
    }

    /// The same where the arms update large buffers that are the last of the values they give: from what is in them before. Compilers copy
    /// such a buffer for each branch, and update it in place in a loop. So each arm is a loop of one trip or none.
    pub fn branch_in_place(
        &mut self,
        choice: Choice,
        arms: Vec<(Region, Vec<Val>)>,
        types: &[Tensor],
        before: &[Val],
    ) -> Vec<Val> {
        let flag = Tensor::scalar(Element::Pred);
        let own = types.len() - before.len();
        let mut state: Vec<Val> = types[..own].iter().map(|&ty| self.zeros(ty)).collect();
        state.extend_from_slice(before);
        let carried = [&[flag], types].concat();
        for (i, (region, values)) in arms.into_iter().enumerate() {
            let taken = match choice {
                Choice::If(condition) if i == 0 => condition.clone(),
                Choice::If(condition) => self.same("not", &[condition]),
                Choice::Case(number) => {
                    let own = self.int(number.ty, i as i64);
                    self.compare("EQ", number, &own)
                }
            };
            self.open(true);
            let inside = self.params(carried.clone());
            self.leave("stablehlo.return", &inside[..1]);
            let condition = (inside, self.close());
            let inside = self.params(carried.clone());
            let pairs = before.iter().zip(&inside[1 + own..]);
            let names = pairs.clone().map(|(old, new)| (old.to_string(), new.to_string())).collect();
            let renamed = |v: Val| pairs.clone().find(|(old, _)| **old == v).map_or(v, |(_, new)| new.clone());
            let mut values: Vec<Val> = values.into_iter().map(renamed).collect();
            self.reopen(region.renamed(&names));
            values.insert(0, self.bool(flag, false));
            self.leave("stablehlo.return", &values);
            let body = (inside, self.close());
            let operands: Vec<&Val> = std::iter::once(&taken).chain(&state).collect();
            state = self.compound("while", &operands, vec![condition, body], "", &carried).split_off(1);
        }
        state
    }

    /// A call of a function of the module.
    pub fn call(&mut self, name: &str, operands: &[Val], types: &[Tensor]) -> Vec<Val> {
        let id = self.id();
        let results = if types.is_empty() { String::new() } else { format!("%{id}:{} = ", types.len()) };
        let operand_types = list(operands.iter().map(|v| v.ty));
        self.line(&format!("{results}func.call @{name}({}) : ({operand_types}) -> ({})", list(operands), list(types)));
        self.top().is_compound = true;
        types.iter().enumerate().map(|(i, &ty)| Val { id, index: Some(i), ty }).collect()
    }

    /// Ends a region, or a function (`return`).
    pub fn leave(&mut self, keyword: &str, values: &[Val]) {
        let text = match values {
            [] => keyword.to_owned(),
            _ => format!("{keyword} {} : {}", list(values), list(values.iter().map(|v| v.ty))),
        };
        self.line(&text);
    }

    /// A function around the region that is open.
    pub fn function(&mut self, visibility: &str, name: &str, params: &[(Val, String)], results: &[(Tensor, String)]) -> String {
        let results = list(results.iter().map(|(ty, attributes)| format!("{ty}{attributes}")));
        let region = self.close();
        let params = list(params.iter().map(|(p, attributes)| format!("{p}: {}{attributes}", p.ty)));
        indented(&format!("func.func {visibility} @{name}({params}) -> ({results}) {{\n{}}}\n", region.text))
    }

    // --- constants

    /// A constant, by the text of its elements.
    pub fn constant(&mut self, ty: Tensor, elements: &str) -> Val {
        let key = (ty, elements.to_owned());
        for region in self.regions.iter().rev() {
            if let Some(found) = region.constants.get(&key) {
                return found.clone();
            }
            if region.is_loop {
                break;
            }
        }
        let value = self.write(ty, format!("stablehlo.constant dense<{elements}> : {ty}"));
        self.top().constants.insert(key, value.clone());
        value
    }

    /// A tensor of one float everywhere.
    pub fn float(&mut self, ty: Tensor, value: f64) -> Val {
        let bits = float_text(ty.element, value);
        self.constant(ty, &bits)
    }

    /// A tensor of one integer everywhere.
    pub fn int(&mut self, ty: Tensor, value: i64) -> Val {
        self.constant(ty, &value.to_string())
    }

    /// A tensor of one boolean everywhere.
    pub fn bool(&mut self, ty: Tensor, value: bool) -> Val {
        self.constant(ty, if value { "true" } else { "false" })
    }

    /// A tensor of zeros, those of floats positive.
    pub fn zeros(&mut self, ty: Tensor) -> Val {
        match ty.element {
            Element::Pred => self.bool(ty, false),
            Element::I32 | Element::I64 => self.int(ty, 0),
            Element::F32 | Element::F64 => self.float(ty, 0.0),
        }
    }

    /// The identity of addition: of floats the negative zero.
    pub fn neutral(&mut self, ty: Tensor) -> Val {
        if ty.element.is_float() { self.float(ty, -0.0) } else { self.zeros(ty) }
    }

    // --- elementwise operations

    /// A comparison; `EQ`, `NE`, `LT`, `LE`, `GT` or `GE`.
    pub fn compare(&mut self, direction: &str, a: &Val, b: &Val) -> Val {
        let kind = match a.ty.element {
            Element::Pred => "UNSIGNED",
            Element::I32 | Element::I64 => "SIGNED",
            Element::F32 | Element::F64 => "FLOAT",
        };
        let ty = a.ty.of(Element::Pred);
        self.write(ty, format!("stablehlo.compare {direction}, {a}, {b}, {kind} : ({}, {}) -> {ty}", a.ty, b.ty))
    }

    /// A choice, element by element or by one boolean.
    pub fn select(&mut self, condition: &Val, a: &Val, b: &Val) -> Val {
        if a == b {
            return a.clone();
        }
        self.write(a.ty, format!("stablehlo.select {condition}, {a}, {b} : {}, {}", condition.ty, a.ty))
    }

    /// The elements as ones of another type.
    pub fn convert(&mut self, a: &Val, element: Element) -> Val {
        if a.ty.element == element {
            return a.clone();
        }
        let ty = a.ty.of(element);
        self.write(ty, format!("stablehlo.convert {a} : ({}) -> {ty}", a.ty))
    }

    /// Whether elements are NaN.
    pub fn is_nan(&mut self, a: &Val) -> Val {
        self.compare("NE", a, a)
    }

    // --- shapes

    /// The elements in another shape.
    pub fn reshape(&mut self, a: &Val, dims: impl AsRef<[i64]>) -> Val {
        let ty = a.ty.with(dims);
        if ty == a.ty {
            return a.clone();
        }
        self.write(ty, format!("stablehlo.reshape {a} : ({}) -> {ty}", a.ty))
    }

    /// The axes of the operand as those of the result with these numbers; all else is repeated.
    pub fn broadcast(&mut self, a: &Val, axes: &[i64], dims: impl AsRef<[i64]>) -> Val {
        let ty = a.ty.with(dims);
        if ty == a.ty {
            return a.clone();
        }
        self.write(ty, format!("stablehlo.broadcast_in_dim {a}, dims = [{}] : ({}) -> {ty}", list(axes), a.ty))
    }

    /// A scalar everywhere.
    pub fn splat(&mut self, a: &Val, dims: impl AsRef<[i64]>) -> Val {
        self.broadcast(a, &[], dims)
    }

    /// The number of each element along an axis.
    pub fn iota(&mut self, axis: usize, dims: impl AsRef<[i64]>) -> Val {
        let ty = Tensor::new(Element::I64, dims);
        self.write(ty, format!("stablehlo.iota dim = {axis} : {ty}"))
    }

    /// The elements along axes put together by an operation, beginning with a scalar.
    pub fn reduce(&mut self, name: &str, a: &Val, start: &Val, axes: &[i64]) -> Val {
        let rest = a.ty.dims.iter().enumerate().filter(|(i, _)| !axes.contains(&(*i as i64)));
        let ty = a.ty.with(rest.map(|(_, &n)| n).collect::<Vec<_>>());
        if axes.is_empty() {
            return a.clone();
        }
        let axes = list(axes);
        let types = format!("({}, {}) -> {ty}", a.ty, start.ty);
        self.write(
            ty,
            format!("stablehlo.reduce({a} init: {start}) applies stablehlo.{name} across dimensions = [{axes}] : {types}"),
        )
    }

    /// A part whose place the run knows, of these sizes.
    pub fn dynamic_slice(&mut self, a: &Val, at: &[Val], sizes: &[i64]) -> Val {
        let ty = a.ty.with(sizes);
        let types = list(std::iter::once(a.ty).chain(at.iter().map(|v| v.ty)));
        let operands = list(std::iter::once(a).chain(at));
        self.write(ty, format!("stablehlo.dynamic_slice {operands}, sizes = [{}] : ({types}) -> {ty}", list(sizes)))
    }

    /// A tensor with another in the place of a part.
    pub fn dynamic_update(&mut self, a: &Val, part: &Val, at: &[Val]) -> Val {
        let operands = [&[a.clone(), part.clone()], at].concat();
        let types = list(operands.iter().map(|v| v.ty));
        self.write(a.ty, format!("stablehlo.dynamic_update_slice {} : ({types}) -> {}", list(&operands), a.ty))
    }

    /// With so many elements of a scalar before, behind and between the elements of each axis.
    pub fn pad(&mut self, a: &Val, with: &Val, low: &[i64], high: &[i64], interior: &[i64]) -> Val {
        let lengths = a.ty.dims.iter().enumerate().map(|(i, &n)| low[i] + high[i] + n + interior[i] * (n - 1).max(0));
        let ty = a.ty.with(lengths.collect::<Vec<_>>());
        let [low, high, interior] = [low, high, interior].map(list);
        let types = format!("({}, {}) -> {ty}", a.ty, with.ty);
        self.write(ty, format!("stablehlo.pad {a}, {with}, low = [{low}], high = [{high}], interior = [{interior}] : {types}"))
    }

    /// The elements of each axis from a first one to a last one exclusive, by a positive step.
    pub fn slice(&mut self, a: &Val, axes: &[[i64; 3]]) -> Val {
        let ty = a.ty.with(axes.iter().map(|[first, end, step]| (end - first + step - 1) / step).collect::<Vec<_>>());
        let axes = list(axes.iter().map(|[first, end, step]| format!("{first}:{end}:{step}")));
        self.write(ty, format!("stablehlo.slice {a} [{axes}] : ({}) -> {ty}", a.ty))
    }

    /// The elements along axes backwards.
    pub fn reverse(&mut self, a: &Val, axes: &[i64]) -> Val {
        if axes.is_empty() {
            return a.clone();
        }
        self.write(a.ty, format!("stablehlo.reverse {a}, dims = [{}] : {}", list(axes), a.ty))
    }
}

/// Lines with two blanks for each brace that is open, and two more.
fn indented(text: &str) -> String {
    let mut out = String::with_capacity(text.len() * 5 / 4);
    let mut depth: usize = 1;
    for line in text.lines() {
        depth = depth.saturating_sub(usize::from(line.starts_with('}')));
        let label = usize::from(line.starts_with('^'));
        _ = writeln!(out, "{:1$}{line}", "", 2 * (depth - label));
        depth += usize::from(line.ends_with('{'));
    }
    out
}

/// A float as its bits, which come back as they are.
pub fn float_text(element: Element, value: f64) -> String {
    match element {
        Element::F32 => format!("0x{:08X}", (value as f32).to_bits()),
        _ => format!("0x{:016X}", value.to_bits()),
    }
}

/// Items with commas between them.
pub fn list<T: Display>(items: impl IntoIterator<Item = T>) -> String {
    items.into_iter().map(|item| item.to_string()).collect::<Vec<_>>().join(", ")
}

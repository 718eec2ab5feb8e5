//! The portable artifact of a program: bytecode of VHLO, the dialect in which StableHLO keeps each version of its operations. Operations are
//! written in the version that StableHLO 1.0.0 has, so that all later ones read them.
//!
//! Two things are in no version of VHLO: the functions of the dialect `chlo`, whose values are cast to and from types of VHLO, and the
//! shardings of the dialect `sdy`. StableHLO reads files with both since version 1.11.0.

use crate::bytecode::{Bytes, Tables};
use crate::op::{Attribute, Code, Function, Item, Layout, Name, Op, Val, single_bits};
use crate::tensor::{Element, Tensor};
use rustc_hash::FxHashMap;

/// The section of operations that see no values from outside.
const ISOLATED: u8 = 4;

/// The parts of an operation, in the order in which it is written.
const ATTRIBUTES: u8 = 1;
const RESULTS: u8 = 2;
const OPERANDS: u8 = 4;
const REGIONS: u8 = 16;
const PROPERTIES: u8 = 64;

/// The numbers of attributes of VHLO.
const ARRAY: u64 = 1;
const BOOLEAN: u64 = 2;
const DIRECTION: u64 = 3;
const COMPARISON: u64 = 4;
const DICTIONARY: u64 = 6;
const INTEGER: u64 = 9;
const PRECISION: u64 = 11;
const STRING: u64 = 14;
const TENSOR: u64 = 15;
const TYPE: u64 = 17;

/// The numbers of its types.
const FUNCTION_TYPE: u64 = 8;
const INTEGER_TYPE: u64 = 14;
const TENSOR_TYPE: u64 = 20;

/// The words of its attributes, each by its place.
const DIRECTIONS: &[&str] = &["EQ", "NE", "GE", "GT", "LE", "LT"];
const COMPARISONS: &[&str] = &["NOTYPE", "FLOAT", "TOTALORDER", "SIGNED", "UNSIGNED"];
const PRECISIONS: &[&str] = &["DEFAULT", "HIGH", "HIGHEST"];

/// The file.
pub fn write(code: &Code) -> Vec<u8> {
    let mut writer = Writer { tables: Tables::default(), version: "1.0.0" };
    let mut module = Bytes::default();
    let functions: Vec<Bytes> = code.functions.iter().map(|function| writer.function(code, function)).collect();
    let mesh = (!code.mesh.is_empty()).then(|| writer.mesh(code));
    let all: Vec<Bytes> = mesh.into_iter().chain(functions).collect();
    block(&mut module, (all.len(), 0), &[]);
    all.iter().for_each(|op| module.0.extend(&op.0));

    let mut operations = Bytes::default();
    operations.number(1 << 1);
    let attributes = writer.tables.attribute_text("builtin", &format!("{{{}}}", code.attributes()));
    let name = writer.tables.attribute_text("builtin", &format!("{:?}", code.name));
    let mut properties = Bytes::default();
    // Both may be left out, as the visibility is; the lowest bit says that one is there.
    properties.number((name << 1 | 1) as u64);
    properties.number(0);
    writer.start(&mut operations, ("builtin", "module"), ATTRIBUTES | PROPERTIES | REGIONS);
    operations.number(attributes as u64);
    operations.number(writer.tables.properties(properties) as u64);
    isolated(&mut operations, &module);
    writer.tables.file(&format!("StableHLO_v{}", writer.version), &operations)
}

/// The head of a region of one block with so many operations and values.
fn block(out: &mut Bytes, (operations, values): (usize, usize), params: &[usize]) {
    out.number(1);
    out.number(values as u64);
    out.number((operations << 1 | usize::from(!params.is_empty())) as u64);
    if !params.is_empty() {
        // The places in the source are not known; nor is the order of uses of a value, which is that of reading.
        out.numbers(params.iter().map(|ty| ty << 1));
        out.byte(0);
    }
}

/// One region that sees no values from outside.
fn isolated(out: &mut Bytes, region: &Bytes) {
    out.number(1 << 1 | 1);
    out.section(ISOLATED, region);
}

/// A region that is being written: the number of its next value, and that of the first value of regions in it.
struct Frame {
    next: usize,
    inner: usize,
}

impl Frame {
    /// Gives values the next numbers.
    fn number(&mut self, values: &[Val], names: &mut FxHashMap<Name, usize>) {
        for value in values {
            names.insert(value.name(), self.next);
            self.next += 1;
        }
    }
}

struct Writer {
    tables: Tables,
    /// The oldest version of StableHLO that reads the file.
    version: &'static str,
}

impl Writer {
    fn start(&mut self, out: &mut Bytes, (dialect, name): (&str, &str), what: u8) {
        out.number(self.tables.name(dialect, name) as u64);
        out.byte(what);
        let unknown = self.tables.attribute_text("builtin", "loc(unknown)");
        out.number(unknown as u64);
    }

    /// The mesh of devices. What another dialect says is text, whose form is older than that of its bytes.
    fn mesh(&mut self, code: &Code) -> Bytes {
        self.version = "1.11.0";
        let mesh = self.tables.attribute_text("sdy", &format!("#sdy.mesh{}", code.mesh()));
        let name = self.tables.attribute_text("builtin", "\"mesh\"");
        let mut properties = Bytes::default();
        [mesh, name].iter().for_each(|&attribute| properties.number(attribute as u64));
        let mut out = Bytes::default();
        self.start(&mut out, ("sdy", "mesh"), PROPERTIES);
        out.number(self.tables.properties(properties) as u64);
        out
    }

    fn function(&mut self, code: &Code, function: &Function) -> Bytes {
        let inputs: Vec<usize> = function.params.iter().map(|p| self.tensor_type(p.ty)).collect();
        let outputs: Vec<usize> = function.results.iter().map(|&ty| self.tensor_type(ty)).collect();
        let mut ty = Bytes::default();
        ty.number(FUNCTION_TYPE);
        ty.numbers(inputs.iter().copied());
        ty.numbers(outputs.iter().copied());
        let ty = self.tables.ty("vhlo", ty) as u64;
        let ty = self.attribute(TYPE, |out| out.number(ty));
        let ranks = |types: &mut dyn Iterator<Item = Tensor>| types.map(|ty| ty.dims.len()).collect::<Vec<_>>();
        let layouts = [0, 1].map(|i| function.layouts.as_ref().map(|both| &both[i]));
        let of_params = self.shardings(code, layouts[0], &ranks(&mut function.params.iter().map(|p| p.ty)));
        let of_results = self.shardings(code, layouts[1], &ranks(&mut function.results.iter().copied()));
        let name = self.string(&function.name);
        let visibility = self.string(if function.is_entry { "public" } else { "private" });
        let mut properties = Bytes::default();
        [of_params, ty, of_results, name, visibility].iter().for_each(|&attribute| properties.number(attribute as u64));
        let region = self.body(function, &inputs);
        let mut out = Bytes::default();
        self.start(&mut out, ("vhlo", "func_v1"), PROPERTIES | REGIONS);
        out.number(self.tables.properties(properties) as u64);
        isolated(&mut out, &region);
        out
    }

    /// How parameters or results lie on the mesh.
    fn shardings(&mut self, code: &Code, layouts: Option<&Vec<Layout>>, ranks: &[usize]) -> usize {
        let mut all = Vec::new();
        for (layout, &rank) in layouts.into_iter().flatten().zip(ranks) {
            let name = self.string("sdy.sharding");
            let sharding = self.tables.attribute_text("sdy", &code.sharding(layout, rank));
            all.push(self.attribute(DICTIONARY, |out| {
                out.number(1);
                [name, sharding].iter().for_each(|&attribute| out.number(attribute as u64));
            }));
        }
        self.attribute(ARRAY, |out| out.numbers(all.iter().copied()))
    }

    /// The operations of a function.
    fn body(&mut self, function: &Function, inputs: &[usize]) -> Bytes {
        let mut counts = counts(function).into_iter();
        let mut names: FxHashMap<Name, usize> = FxHashMap::default();
        let mut out = Bytes::default();
        let first = counts.next().expect("the outermost region");
        block(&mut out, first, inputs);
        let mut outermost = Frame { next: 0, inner: first.1 };
        outermost.number(&function.params, &mut names);
        let mut frames = vec![outermost];
        for item in &function.items {
            match item {
                Item::Open(params) => {
                    let (operations, values) = counts.next().expect("each region is counted");
                    let types: Vec<usize> = params.iter().map(|p| self.tensor_type(p.ty)).collect();
                    block(&mut out, (operations, values), &types);
                    let next = frames.last().expect("a region is open").inner;
                    let mut frame = Frame { next, inner: next + values };
                    frame.number(params, &mut names);
                    frames.push(frame);
                }
                Item::Close => _ = frames.pop(),
                Item::Op(op) => {
                    let operands: Vec<usize> = op.operands.iter().map(|v| names[&v.name()]).collect();
                    let frame = frames.last_mut().expect("a region is open");
                    match op.name.split_once('.') {
                        Some((dialect, word)) => self.foreign(&mut out, op, (dialect, word), &operands, frame),
                        None => self.operation(&mut out, op, &operands),
                    }
                    if op.name == "reduce" {
                        self.reduction(&mut out, op, frame);
                    }
                    frame.number(&op.results, &mut names);
                }
            }
        }
        out
    }

    fn operation(&mut self, out: &mut Bytes, op: &Op, operands: &[usize]) {
        let mut attributes: Vec<(&str, usize)> = op
            .attributes
            .iter()
            // That of a reduction is a region in truth.
            .filter(|(name, _)| *name != "body")
            .map(|(name, attribute)| (*name, self.attribute_of(op, name, attribute)))
            .collect();
        attributes.sort_by_key(|(name, _)| *name);
        if op.name == "tan" && self.version == "1.0.0" {
            self.version = "1.4.0";
        }
        let regions = op.regions + usize::from(op.name == "reduce");
        let has = |bit: u8, holds: bool| if holds { bit } else { 0 };
        let what = has(PROPERTIES, !attributes.is_empty())
            | has(RESULTS, !op.results.is_empty())
            | has(OPERANDS, !operands.is_empty())
            | has(REGIONS, regions > 0);
        self.start(out, ("vhlo", &format!("{}_v1", op.name)), what);
        if !attributes.is_empty() {
            let mut properties = Bytes::default();
            attributes.iter().for_each(|&(_, attribute)| properties.number(attribute as u64));
            out.number(self.tables.properties(properties) as u64);
        }
        if !op.results.is_empty() {
            let types: Vec<usize> = op.results.iter().map(|v| self.tensor_type(v.ty)).collect();
            out.numbers(types.into_iter());
        }
        if !operands.is_empty() {
            out.numbers(operands.iter().copied());
        }
        if regions > 0 {
            out.number((regions << 1) as u64);
        }
    }

    /// The region of a reduction: an operation on two scalars.
    fn reduction(&mut self, out: &mut Bytes, op: &Op, frame: &Frame) {
        let ty = self.tensor_type(op.ty().with([]));
        let Attribute::Word(name) = op.attribute("body") else { unreachable!("a reduction is by an operation") };
        block(out, (2, 3), &[ty, ty]);
        self.start(out, ("vhlo", &format!("{name}_v1")), RESULTS | OPERANDS);
        out.numbers([ty].into_iter());
        out.numbers([frame.inner, frame.inner + 1].into_iter());
        self.start(out, ("vhlo", "return_v1"), OPERANDS);
        out.numbers([frame.inner + 2].into_iter());
    }

    /// An operation of another dialect. Its values have types of StableHLO, those around it types of VHLO.
    fn foreign(&mut self, out: &mut Bytes, op: &Op, name: (&str, &str), operands: &[usize], frame: &mut Frame) {
        self.version = "1.11.0";
        let (ty, own) = (self.tables.type_text("builtin", &op.ty().to_string()), self.tensor_type(op.ty()));
        let mut one = |name, ty: usize, operands: &[usize]| {
            self.start(out, name, RESULTS | OPERANDS);
            out.numbers([ty].into_iter());
            out.numbers(operands.iter().copied());
            frame.next += 1;
            frame.next - 1
        };
        let cast = ("builtin", "unrealized_conversion_cast");
        let given: Vec<usize> = operands.iter().map(|&operand| one(cast, ty, &[operand])).collect();
        let found = one(name, ty, &given);
        one(cast, own, &[found]);
        // The last value is the result, which is numbered as such.
        frame.next -= 1;
    }

    // --- attributes and types

    fn attribute(&mut self, code: u64, content: impl FnOnce(&mut Bytes)) -> usize {
        let mut bytes = Bytes::default();
        bytes.number(code);
        content(&mut bytes);
        self.tables.attribute("vhlo", bytes)
    }

    fn string(&mut self, text: &str) -> usize {
        let number = self.tables.string(text) as u64;
        self.attribute(STRING, |out| out.number(number))
    }

    fn attribute_of(&mut self, op: &Op, name: &str, attribute: &Attribute) -> usize {
        match attribute {
            Attribute::Bool(value) => self.attribute(BOOLEAN, |out| out.number((*value).into())),
            Attribute::Int(value) => {
                let mut ty = Bytes::default();
                ty.number(INTEGER_TYPE);
                let ty = self.tables.ty("vhlo", ty) as u64;
                self.attribute(INTEGER, |out| {
                    out.number(ty);
                    out.signed(*value);
                })
            }
            Attribute::Ints(items) => self.tensor(Tensor::new(Element::I64, [items.len() as i64]), items),
            Attribute::Elements(words) => self.tensor(op.ty(), words),
            Attribute::Symbol(name) => self.string(name),
            Attribute::Word(word) => {
                let (code, words) = match name {
                    "comparison_direction" => (DIRECTION, DIRECTIONS),
                    "compare_type" => (COMPARISON, COMPARISONS),
                    _ => (PRECISION, PRECISIONS),
                };
                let place = words.iter().position(|known| known == word).expect("a word of the attribute") as u64;
                let one = self.attribute(code, |out| out.number(place));
                // A precision for each operand.
                if code == PRECISION { self.attribute(ARRAY, |out| out.numbers([one, one].into_iter())) } else { one }
            }
        }
    }

    /// A tensor of these elements, or of one everywhere.
    fn tensor(&mut self, ty: Tensor, words: &[i64]) -> usize {
        let bytes: Vec<u8> = match ty.element {
            // Booleans are bits, the first one the lowest. A byte of ones is a tensor of them.
            Element::Pred if words.len() == 1 && ty.count() > 1 => vec![if words[0] != 0 { 0xff } else { 0 }],
            Element::Pred => {
                let byte = |bits: &[i64]| (0..).zip(bits).fold(0, |byte, (i, &bit)| byte | u8::from(bit != 0) << i);
                words.chunks(8).map(byte).collect()
            }
            Element::I32 => words.iter().flat_map(|&word| (word as i32).to_le_bytes()).collect(),
            Element::F32 => words.iter().flat_map(|&word| single_bits(word).to_le_bytes()).collect(),
            Element::I64 | Element::F64 => words.iter().flat_map(|&word| word.to_le_bytes()).collect(),
        };
        let ty = self.tensor_type(ty) as u64;
        self.attribute(TENSOR, |out| {
            out.number(ty);
            out.blob(&bytes);
        })
    }

    fn tensor_type(&mut self, ty: Tensor) -> usize {
        let mut element = Bytes::default();
        element.number(match ty.element {
            Element::Pred => 0,
            Element::I32 => 13,
            Element::I64 => INTEGER_TYPE,
            Element::F32 => 4,
            Element::F64 => 5,
        });
        let element = self.tables.ty("vhlo", element) as u64;
        let mut bytes = Bytes::default();
        bytes.number(TENSOR_TYPE);
        bytes.number(ty.dims.len() as u64);
        ty.dims.iter().for_each(|&n| bytes.signed(n));
        bytes.number(element);
        self.tables.ty("vhlo", bytes)
    }
}

/// How many operations and values each region of a function has, without those of regions in it: first the outermost one, then all others
/// in their order.
fn counts(function: &Function) -> Vec<(usize, usize)> {
    let mut counts = vec![(0, function.params.len())];
    let mut open = vec![0];
    for item in &function.items {
        match item {
            Item::Open(params) => {
                open.push(counts.len());
                counts.push((0, params.len()));
            }
            Item::Close => _ = open.pop(),
            Item::Op(op) => {
                let (operations, values) = &mut counts[open[open.len() - 1]];
                // One of another dialect has casts around it.
                let casts = if op.name.contains('.') { op.operands.len() + 1 } else { 0 };
                *operations += 1 + casts;
                *values += op.results.len() + casts;
            }
        }
    }
    counts
}

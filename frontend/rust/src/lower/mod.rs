//! From checked functions to an untyped module.
//!
//! `function` (functions and closures), `calls`, `expr` and `block` (the syntax), `pattern`, `matching`, `options` and `results`, `place` (assignment, and what
//! is changed through references), `data` (structs and enums), `comparison`, `loops`, `iterators` and `consume`, `arrays`, `vectors` and `layout` (arrays of structs), `numbers` (what operators
//! and conversions of integers mean), `methods` (those of numbers) and `boundary` (how values come in and go out).

mod arrays;
mod block;
mod boundary;
mod calls;
mod comparison;
mod consume;
mod data;
mod expr;
mod function;
mod iterators;
mod layout;
mod loops;
mod matching;
mod methods;
mod numbers;
mod options;
mod pattern;
mod place;
mod results;
mod vectors;

use crate::check::{self, Checked, Local};
use crate::program::{FunctionId, Item, Program};
use crate::refusal::{Refusal, place};
use crate::types::{Int, Kind};
use gradus_ir::ssa::{BlockId, Ssa, Variable};
use gradus_ir::{Class, Const, Diagnostic, GraphId, Module, NodeId, Prim, Schema, Section, Source, Span, Type};
use quote::ToTokens;
use rustc_hash::FxHashMap;
use std::collections::VecDeque;
use std::rc::Rc;
use std::sync::Arc;
use syn::Expr;

type Result<T> = std::result::Result<T, Refusal>;

/// What is wrong with a program, and its text.
pub type Refused = (Vec<Diagnostic>, Source);

/// Lowers a function with all that it refers to.
pub fn function(item: Item) -> std::result::Result<(Module, GraphId), Box<Refused>> {
    let (program, items) = match Program::of(item) {
        Ok(program) => program,
        Err(refusal) => return Err(Box::new((vec![diagnostic(refusal, 0)], source(&[item])))),
    };
    let source = source(&items);
    let bases = source.sections.iter().map(|s| s.start).collect();
    let mut lowerer = Lowerer::new(&program, bases);
    let entry = lowerer.run();
    let Lowerer { mut m, diagnostics, .. } = lowerer;
    match entry {
        Some(entry) if diagnostics.is_empty() => {
            m.collect_garbage(&[entry]);
            m.source = Some(source);
            Ok((m, entry))
        }
        _ => Err(Box::new((diagnostics, source))),
    }
}

/// The texts of all items, each of which keeps its file and its line.
fn source(items: &[Item]) -> Source {
    let (mut text, mut sections) = (String::new(), Vec::new());
    for item in items {
        sections.push(Section { start: text.len() as u32, name: item.file.into(), line: item.line });
        text.push_str(item.text);
        text.push('\n');
    }
    Source { name: items[0].file.into(), text: text.into(), sections }
}

fn diagnostic(refusal: Refusal, base: u32) -> Diagnostic {
    let diagnostic = Diagnostic::unsupported(span(refusal.place, base), refusal.message);
    match refusal.hint {
        Some(hint) => diagnostic.hint(hint),
        None => diagnostic,
    }
}

/// A place in the text of an item that begins at `base`.
fn span([start, end]: [proc_macro2::Span; 2], base: u32) -> Span {
    Span::new(base + start.byte_range().start as u32, base + end.byte_range().end as u32)
}

/// A variable in SSA form.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Var {
    Local(Local),
    /// A value that crosses blocks without a name: of `if`, of a loop's counter.
    Temp(u32),
}

impl Variable for Var {
    fn name(&self) -> Option<&str> {
        None
    }
}

/// A function or closure under construction.
struct Frame {
    graph: GraphId,
    name: String,
    ssa: Ssa<Var>,
    /// Where code goes; none where control does not get to.
    block: Option<BlockId>,
    loops: Vec<Loop>,
    /// The variables whose values are handed back beside the result: what the function changes of what it was given.
    changed: Vec<Local>,
}

/// Where `continue` and `break` go, and what takes the value of a `break`.
#[derive(Clone)]
struct Loop {
    label: Option<String>,
    /// Whether it is a block, which is left by its label alone.
    is_block: bool,
    header: BlockId,
    after: BlockId,
    gives: Var,
    /// What it gives where it comes to its end.
    otherwise: NodeId,
}

struct Lowerer<'p> {
    m: Module,
    program: &'p Program,
    /// Where the text of each item begins.
    bases: Vec<u32>,
    graphs: FxHashMap<FunctionId, GraphId>,
    queue: VecDeque<FunctionId>,
    /// The function that is lowered.
    current: FunctionId,
    checked: Rc<Checked>,
    frames: Vec<Frame>,
    /// The frame that each variable belongs to.
    owners: FxHashMap<Local, usize>,
    /// The places that variables are other names of.
    aliases: FxHashMap<Local, place::Place>,
    temps: u32,
    diagnostics: Vec<Diagnostic>,
}

impl<'p> Lowerer<'p> {
    fn new(program: &'p Program, bases: Vec<u32>) -> Lowerer<'p> {
        Lowerer {
            m: Module::new(),
            program,
            bases,
            graphs: FxHashMap::default(),
            queue: VecDeque::new(),
            current: FunctionId { item: 0, index: 0 },
            checked: Rc::default(),
            frames: Vec::new(),
            owners: FxHashMap::default(),
            aliases: FxHashMap::default(),
            temps: 0,
            diagnostics: Vec::new(),
        }
    }

    fn run(&mut self) -> Option<GraphId> {
        self.classes();
        let first = self.graph_of(self.current);
        while let Some(f) = self.queue.pop_front() {
            self.current = f;
            match check::function(self.program, f) {
                Ok(checked) => {
                    self.checked = Rc::new(checked);
                    if let Err(refusal) = self.function(self.graphs[&f]) {
                        self.frames.clear();
                        self.refuse(refusal);
                    }
                }
                Err(refusals) => refusals.into_iter().for_each(|r| self.refuse(r)),
            }
        }
        if !self.diagnostics.is_empty() {
            return None;
        }
        match self.entry(first) {
            Ok(entry) => Some(entry),
            Err(refusal) => {
                self.refuse(refusal);
                None
            }
        }
    }

    fn refuse(&mut self, refusal: Refusal) {
        let base = self.bases[self.current.item];
        self.diagnostics.push(diagnostic(refusal, base));
    }

    /// The structs and enums are classes of the module.
    fn classes(&mut self) {
        for item in 0..self.program.items.len() {
            if !matches!(self.program.items[item].syntax, crate::Syntax::Struct(_) | crate::Syntax::Enum(_)) {
                continue;
            }
            let schema = self.schema(item);
            if self.m.classes.iter().any(|c| c.schema.class == schema.class) {
                let message = format!("there are two types `{}`", schema.name());
                self.diagnostics.push(Diagnostic::refused(Span::NONE, message).hint("give one of them another name"));
            }
            self.m.classes.push(Class {
                schema,
                span: Span::NONE,
                bases: Vec::new(),
                recursive: false,
                methods: FxHashMap::default(),
                silent: Some(Default::default()),
                properties: Default::default(),
                statics: Default::default(),
                members: Vec::new(),
                tuple: false,
            });
        }
    }

    fn schema(&self, item: usize) -> Arc<Schema> {
        let fields = self.program.fields(item).iter().map(|(name, _)| name.as_str().into()).collect();
        Arc::new(Schema { class: Some(self.program.items[item].name.as_str().into()), fields })
    }

    fn span(&self, at: &impl ToTokens) -> Span {
        span(place(at), self.bases[self.current.item])
    }

    /// The innermost function.
    fn frame(&mut self) -> &mut Frame {
        self.frames.last_mut().expect("a function is being lowered")
    }

    /// Whether control gets here.
    fn is_reachable(&mut self) -> bool {
        self.frame().block.is_some()
    }

    fn temp(&mut self) -> Var {
        self.temps += 1;
        Var::Temp(self.temps)
    }

    fn new_block(&mut self, suffix: &str, span: Span) -> BlockId {
        let frame = self.frames.last_mut().expect("a function is being lowered");
        let name = format!("{}.{suffix}", frame.name);
        frame.ssa.block(&mut self.m, name, span)
    }

    /// Says that a block has all its predecessors.
    fn seal(&mut self, b: BlockId) {
        let frame = self.frames.last_mut().expect("a function is being lowered");
        frame.ssa.seal(&mut self.m, b);
    }

    /// Goes on in `b`, if anything jumps there.
    fn enter(&mut self, b: BlockId) {
        let frame = self.frame();
        frame.block = frame.ssa.is_reachable(b).then_some(b);
    }

    /// Jumps to `to`, if control gets here.
    fn jump(&mut self, to: BlockId, span: Span) {
        let frame = self.frame();
        if let Some(from) = frame.block.take() {
            frame.ssa.jump(from, to, span);
        }
    }

    /// Branches to two new blocks. Control gets here.
    fn branch(&mut self, condition: NodeId, span: Span, names: [&str; 2]) -> [BlockId; 2] {
        let [then, otherwise] = names.map(|name| self.new_block(name, span));
        let frame = self.frame();
        if let Some(from) = frame.block.take() {
            frame.ssa.branch(from, condition, then, otherwise, span);
        }
        [then, otherwise]
    }

    /// Ends the function here with its result, beside which it hands back what it changed.
    fn give(&mut self, result: NodeId, span: Span) {
        let changed = self.frame().changed.clone();
        if changed.is_empty() {
            return self.end(result, span);
        }
        let values: Vec<NodeId> = changed.into_iter().map(|local| self.variable_value(local)).collect();
        let all = self.prim(Prim::Tuple, &[&[result], &values[..]].concat(), span);
        self.end(all, span);
    }

    /// Fails with a message: a template, and the values in it.
    fn fail(&mut self, template: &str, values: &[NodeId], span: Span) {
        let (nothing, template) = (self.m.i64(0), self.text(template));
        let values = self.prim(Prim::Tuple, values, span);
        let failed = self.prim(Prim::Fail, &[nothing, template, values], span);
        self.end(failed, span);
    }

    /// Ends the function here, if control gets here.
    fn end(&mut self, value: NodeId, span: Span) {
        let frame = self.frame();
        if let Some(from) = frame.block.take() {
            frame.ssa.ret(from, value, span);
        }
    }

    /// The value of a variable where control is in the frame that it belongs to.
    fn read_in(&mut self, depth: usize, var: Var) -> NodeId {
        let frame = &mut self.frames[depth];
        match frame.block {
            Some(block) => frame.ssa.read(&mut self.m, block, var),
            None => self.unit(),
        }
    }

    fn get(&mut self, var: Var) -> NodeId {
        self.read_in(self.frames.len() - 1, var)
    }

    fn set(&mut self, var: Var, value: NodeId) {
        let frame = self.frame();
        if let Some(block) = frame.block {
            frame.ssa.write(block, var, value);
        }
    }

    /// The value of a variable of the source. A closure sees what it is where the closure is made: nobody assigns it while the closure
    /// may still be called, unless the closure has a copy.
    fn local(&mut self, local: Local) -> NodeId {
        match self.aliases.get(&local).cloned() {
            Some(place) => self.read_place(&place, Span::NONE),
            None => self.variable_value(local),
        }
    }

    /// The value of a variable that is no other name of something.
    fn variable_value(&mut self, local: Local) -> NodeId {
        let depth = self.owners[&local];
        let value = self.read_in(depth, Var::Local(local));
        let name = self.checked.locals[local as usize].as_str();
        self.m.set_name(value, name);
        value
    }

    fn bind(&mut self, local: Local, value: NodeId) {
        self.owners.insert(local, self.frames.len() - 1);
        self.assign_local(local, value);
    }

    fn assign_local(&mut self, local: Local, value: NodeId) {
        let name = self.checked.locals[local as usize].as_str();
        self.m.set_name(value, name);
        self.set(Var::Local(local), value);
    }

    /// Applies a primitive here.
    fn prim(&mut self, prim: Prim, operands: &[NodeId], span: Span) -> NodeId {
        let frame = self.frames.last_mut().expect("a function is being lowered");
        match frame.block {
            Some(block) => self.m.prim(frame.ssa.graph(block), prim, operands.to_vec(), Type::Unknown, span),
            None => self.unit(),
        }
    }

    /// Calls a function here.
    fn call_node(&mut self, callee: NodeId, args: &[NodeId], span: Span) -> NodeId {
        let frame = self.frames.last_mut().expect("a function is being lowered");
        match frame.block {
            Some(block) => self.m.call(frame.ssa.graph(block), callee, args, Type::Unknown, span),
            None => self.unit(),
        }
    }

    /// `()`.
    fn unit(&mut self) -> NodeId {
        self.m.constant(Const::None, Type::None)
    }

    fn text(&mut self, text: &str) -> NodeId {
        self.m.constant(Const::Str(text.into()), Type::Str)
    }

    /// What an expression is. A literal of which nothing is said is an `i32`.
    fn kind(&self, e: &Expr) -> Result<Kind> {
        match self.checked.kind(e) {
            Kind::Unknown => Err(Refusal::new(e, "the type of this is not known").hint("write it: `let x: f64 = …`")),
            Kind::Integer => Ok(Kind::Int(Int::I32)),
            kind => Ok(kind.clone()),
        }
    }

    /// A field of a record, by its place.
    fn field(&mut self, of: &Kind, value: NodeId, index: usize, span: Span) -> NodeId {
        match of {
            Kind::Struct(item) => {
                let name = self.schema(*item).fields[index].clone();
                let (name, none, no) = (self.text(&name), self.unit(), self.m.bool(false));
                self.prim(Prim::Attribute, &[value, name, none, no], span)
            }
            _ => {
                let index = self.m.i64(index as i64);
                self.prim(Prim::GetItem, &[value, index], span)
            }
        }
    }

    /// A tuple or a record of these fields.
    fn composed(&mut self, of: &Kind, fields: &[NodeId], span: Span) -> NodeId {
        let values = self.prim(Prim::Tuple, fields, span);
        let Kind::Struct(item) = of else { return values };
        let schema = self.schema(*item);
        let names: Vec<NodeId> =
            [schema.name()].into_iter().chain(schema.fields.iter().map(|f| &**f)).map(|n| self.text(n)).collect();
        let names = self.prim(Prim::Tuple, &names, span);
        self.prim(Prim::Record, &[names, values], span)
    }

    /// How many fields a tuple or a struct has.
    fn field_count(&self, of: &Kind) -> usize {
        match of {
            Kind::Tuple(items) => items.len(),
            Kind::Struct(item) => self.program.fields(*item).len(),
            _ => 0,
        }
    }
}

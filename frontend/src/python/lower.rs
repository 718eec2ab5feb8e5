//! The state of lowering, and the function under construction: where code goes, and how nodes are made there.

use super::capture::{Capture, Closure, Late, Read};
use super::class::Classes;
use super::errors::{Guard, Kinds};
use super::generators::Inlined;
use super::lazy::Kept;
use super::names::Library;
use super::owned::Owned;
use super::scope::{Def, Globals, Imported, Scope};
use super::ssa::{BlockId, Point, Ssa, Var};
use super::stores::Store;
use super::{Beside, Program, library, linked, module, names, owned};
use gradus_ir::{Const, Diagnostic, Flavor, GraphId, Kind, Module, NodeId, Prim, Span, Type};
use ruff_python_ast::{Expr, StmtFunctionDef};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::VecDeque;

/// The result of lowering a piece of syntax: what it stands for, or why it is refused.
pub type Lowered<T> = Result<T, Diagnostic>;

/// Lowers what `function` reaches, and what is needed beside it.
pub fn program(program: &Program, function: &str, beside: Beside) -> Result<(Module, Vec<GraphId>), Vec<Diagnostic>> {
    lower(program, function, beside.complex, |lowerer| lowerer.run(function, beside.toolbox))
}

/// Lowers the default of a field of a class, if it has one, to a graph without parameters.
pub fn default(program: &Program, class: &str, field: &str) -> Result<Option<(Module, GraphId)>, Vec<Diagnostic>> {
    let (m, graphs) = lower(program, class, false, |lowerer| {
        let graph = lowerer.field_default(class, field);
        lowerer.lower_queue();
        lowerer.finish_classes();
        Ok(graph.into_iter().collect())
    })?;
    Ok(graphs.first().map(|&graph| (m, graph)))
}

/// Lowers a part of a program that reaches from a name: what the graphs reach that `part` gives.
fn lower(
    program: &Program,
    name: &str,
    complex: bool,
    part: impl Fn(&mut Lowerer<'_, '_>) -> Lowered<Vec<GraphId>>,
) -> Result<(Module, Vec<GraphId>), Vec<Diagnostic>> {
    let own = program.has_files.then(|| linked::of_function(&program.body, name));
    let run = module::run(own.as_deref().unwrap_or(&program.body), name).or(own).map(|body| Program {
        body,
        source: program.source.clone(),
        natives: program.natives.clone(),
        given: program.given.clone(),
        fields: program.fields.clone(),
        changing: None,
        has_files: program.has_files,
        objects: program.objects,
    });
    let (whole, program) = (program, run.as_ref().unwrap_or(program));
    let globals = Globals::of(&program.body);
    let owned = if program.objects.lists { Owned::default() } else { owned::find(&program.body, &globals) };
    let mut late = Late::with_owned(owned);
    // A closure that sees a variable change after it was made takes that variable as a parameter. That it does is known when the
    // enclosing function is complete; then all is lowered anew.
    loop {
        let known = late.found();
        let mut lowerer = Lowerer::new(program, &globals, complex, &mut late);
        let result = part(&mut lowerer);
        let Lowerer { mut m, diagnostics, classes, changes_fields, .. } = lowerer;
        if changes_fields && let Some((body, fields)) = &whole.changing {
            let (body, fields) = (body.clone(), fields.clone());
            let (source, natives, given) = (whole.source.clone(), whole.natives.clone(), whole.given.clone());
            let changing = Program {
                source,
                body,
                natives,
                given,
                fields,
                changing: None,
                has_files: whole.has_files,
                objects: whole.objects,
            };
            return lower(&changing, name, complex, part);
        }
        if late.found() > known {
            continue;
        }
        let graphs = result.map_err(|d| vec![d])?;
        if !diagnostics.is_empty() {
            // What is wrong with an import is found where each of its names is read.
            let mut said = FxHashSet::default();
            return Err(diagnostics.into_iter().filter(|d| said.insert((d.span, d.message.clone()))).collect());
        }
        m.collect_garbage(&graphs);
        m.source = Some(program.source.clone());
        m.with_lists = classes.has_lists.then_some(with_lists);
        return Ok((m, graphs));
    }
}

/// Adds functions of `gradus` that are written in the language to a module that was made in another way.
pub fn toolbox(m: &Module, names: &[&str]) -> (Module, Vec<GraphId>) {
    with_library(m, |lowerer| lowerer.toolbox(names))
}

/// Adds the classes of lists whose length only the run knows, and of dicts whose keys are.
pub fn with_lists(m: &Module) -> Module {
    with_library(m, |lowerer| ["list", "table"].iter().for_each(|class| lowerer.classes.use_library(class))).0
}

/// Adds a part of the library to a module.
fn with_library<T>(m: &Module, part: impl Fn(&mut Lowerer<'_, '_>) -> T) -> (Module, T) {
    let none = Program::parse("", "").expect("an empty file is correct");
    let globals = Globals::of(&none.body);
    let mut late = Late::default();
    loop {
        let known = late.found();
        let mut lowerer = Lowerer::new(&none, &globals, false, &mut late);
        lowerer.m = m.clone();
        let found = part(&mut lowerer);
        lowerer.lower_queue();
        lowerer.finish_classes();
        let Lowerer { m, .. } = lowerer;
        if late.found() == known {
            return (m, found);
        }
    }
}

/// What an expression that names something stands for.
#[derive(Clone, Copy, Debug)]
pub enum Value<'a> {
    /// A value of the program.
    Node(NodeId),
    /// A module, or a member of one.
    Imported(Imported<'a>),
}

/// A function under construction. The innermost is the last one; the others wait at the place where it is defined.
pub struct Frame<'a> {
    pub graph: GraphId,
    pub name: String,
    pub scope: Scope<'a>,
    pub ssa: Ssa<'a>,
    /// Where code goes; none where control does not get to.
    pub block: Option<BlockId>,
    /// Top-level names are those that the file has bound up to here.
    pub at: u32,
    /// The values read, to be checked for being assigned.
    pub reads: Vec<Read<'a>>,
    pub writes: FxHashMap<&'a str, Vec<(Point, Span)>>,
    /// The writes to elements and the updates of variables.
    pub stores: Vec<Store>,
    /// The nodes made here, in their order.
    pub made: Vec<NodeId>,
    /// The closures made here that capture variables of this function.
    pub closures: Vec<Closure<'a>>,
    /// The functions that names of this scope stand for, where these are bound once.
    pub functions: FxHashMap<&'a str, GraphId>,
    /// Variables of the enclosing functions, by depth and name, that come in as parameters.
    pub late: Vec<(usize, &'a str, NodeId)>,
    /// Those of them that functions inside of this one read, which may live on; comprehensions do not.
    pub late_inside: Vec<&'a str>,
    /// What this function captures from the one around it.
    pub captures: Vec<Capture<'a>>,
    /// The functions of the one around it that this one, or one inside of it, refers to by name.
    pub refers: Vec<&'a str>,
    /// Graphs whose defaults were evaluated here.
    pub with_defaults: Vec<GraphId>,
    /// The iterators that are not taken where they are made.
    pub kept: Vec<Kept<'a>>,
    pub loops: Vec<Loop>,
    /// The bodies of `try` and `with` around, the innermost last.
    pub guards: Vec<Guard<'a>>,
    /// Whether it returns what it raises.
    pub raises: bool,
    /// The exceptions that the handlers around handle, where they ask for them.
    pub handling: Vec<Option<Var<'a>>>,
    /// The generators that are lowered in place of loops.
    pub inlined: Vec<Inlined>,
    /// The annotation of the result.
    pub returns: Option<&'a Expr>,
    pub temps: u32,
    /// The boxes of the variables that functions inside of it assign.
    pub boxes: FxHashMap<&'a str, NodeId>,
    /// Values that go back into the box in which they were written to.
    pub put_back: FxHashSet<NodeId>,
    /// Those among them in which there is something wherever it is read from here on.
    pub filled: FxHashSet<&'a str>,
    /// How many iterators around are made before their elements are asked for.
    pub eager: u32,
    /// Whether it is that of a `def` of the program.
    pub is_def: bool,
    /// Whether it is a comprehension: it runs where it stands, once.
    pub is_comprehension: bool,
    /// Of a class method: its name for the class, and the class.
    pub class: Option<(&'a str, &'a str)>,
}

impl Frame<'_> {
    /// The assignments to a variable: when, and where in the text.
    pub fn writes_of(&self, name: &str) -> &[(Point, Span)] {
        self.writes.get(name).map_or(&[], Vec::as_slice)
    }
}

/// Where `continue` and `break` go.
#[derive(Clone, Copy)]
pub struct Loop {
    pub header: BlockId,
    pub after: BlockId,
    /// How many guards are around it.
    pub guards: usize,
}

/// What is known of a nested function's graph.
pub struct Nested<'a> {
    /// The depth of the frame it is defined in.
    pub depth: usize,
    /// Where it is defined.
    pub span: Span,
    /// The functions of that frame it refers to.
    pub refers: Vec<&'a str>,
    /// The late variables that functions inside of it read.
    pub late_inside: Vec<&'a str>,
}

/// A graph of the top level that is still to be filled: its name, what it is, and where the statement ends that binds it.
pub enum Task<'a> {
    Function(GraphId, &'a str, Def<'a>, u32),
    Value(GraphId, &'a str, &'a Expr, u32),
    /// What a function without parameters makes.
    Made(GraphId, &'a Expr, u32),
    /// What decorators make of a function.
    Decorated(GraphId, &'a StmtFunctionDef, u32),
    /// A method of the class that comes before it.
    Method(GraphId, &'a str, &'a str, Def<'a>, u32),
    /// What makes the instances of a class, with defaults of its own.
    Maker(GraphId, &'a str, &'a StmtFunctionDef, Option<Vec<NodeId>>, u32),
    /// A variable of a class.
    Variable(GraphId, &'a str, &'a Expr, u32),
    /// A function of the library.
    Library(GraphId, &'a str, Def<'a>, u32),
}

/// The state of lowering one program.
pub struct Lowerer<'a, 'l> {
    pub m: Module,
    /// The names of the file, or of the library while that is being lowered.
    pub globals: &'a Globals<'a>,
    pub classes: Classes<'a>,
    pub frames: Vec<Frame<'a>>,
    pub nested: FxHashMap<GraphId, Nested<'a>>,
    /// The function that a block belongs to, or that a nested function is defined in.
    pub inside: FxHashMap<GraphId, GraphId>,
    pub late: &'l mut Late<'a>,
    /// When each node was made.
    pub stamps: FxHashMap<NodeId, u32>,
    pub diagnostics: Vec<Diagnostic>,
    /// Graphs of library functions used as values.
    pub wrappers: FxHashMap<(&'static str, &'a str), GraphId>,
    /// Graphs of top-level functions and values, by the end of their statement and name.
    pub top: FxHashMap<(u32, &'a str), GraphId>,
    /// Graphs of functions of the library.
    pub library: FxHashMap<&'a str, GraphId>,
    /// The file.
    pub program: &'a Program,
    /// Graphs of functions with rules of the host.
    pub natives: FxHashMap<&'a str, NodeId>,
    /// The parameters of the entry that are read as names of the top level.
    pub given: FxHashMap<&'a str, NodeId>,
    /// Whether a function of the library is being lowered.
    pub in_library: bool,
    /// The graph that runs.
    pub entry: Option<GraphId>,
    pub queue: VecDeque<Task<'a>>,
    pub clock: u32,
    /// What is lowered where it is used, the innermost last: where the statements end.
    pub unfolding: Vec<u32>,
    /// An expression that was evaluated to see of which kind it is, with its value.
    pub at_hand: Option<(&'a Expr, NodeId)>,
    /// Whether the program reaches an assignment to a field.
    pub changes_fields: bool,
    /// The classes of exceptions.
    pub kinds: Kinds<'a>,
    /// Of functions that are called where exceptions are handled: those that return what they raise.
    pub twins: FxHashMap<GraphId, GraphId>,
    /// What functions of the top level are lowered from.
    pub sources: FxHashMap<GraphId, (&'a str, Def<'a>, u32)>,
    /// Whether what is being lowered goes over values that may change meanwhile, so that none is an object.
    pub is_fixed: bool,
}

impl<'a, 'l> Lowerer<'a, 'l> {
    fn new(program: &'a Program, globals: &'a Globals<'a>, complex: bool, late: &'l mut Late<'a>) -> Self {
        Lowerer {
            m: Module::new(),
            globals,
            classes: Classes::of(globals, complex, program.objects.are_some()),
            frames: Vec::new(),
            nested: FxHashMap::default(),
            inside: FxHashMap::default(),
            late,
            stamps: FxHashMap::default(),
            diagnostics: Vec::new(),
            wrappers: FxHashMap::default(),
            top: FxHashMap::default(),
            library: FxHashMap::default(),
            program,
            natives: FxHashMap::default(),
            given: FxHashMap::default(),
            in_library: false,
            entry: None,
            queue: VecDeque::new(),
            clock: 0,
            unfolding: Vec::new(),
            at_hand: None,
            changes_fields: false,
            kinds: Kinds::of(globals),
            twins: FxHashMap::default(),
            sources: FxHashMap::default(),
            is_fixed: false,
        }
    }

    fn run(&mut self, function: &str, toolbox: &[&str]) -> Lowered<Vec<GraphId>> {
        let Some(name) = self.globals.name(function) else {
            let d = Diagnostic::refused(Span::NONE, format!("there is no function `{function}` in this file"));
            return Err(match names::nearest(function, self.globals.functions()) {
                Some(near) => d.hint(format!("did you mean `{near}`?")),
                None => d,
            });
        };
        let entry = match self.global(name, Span::NONE, u32::MAX)? {
            Value::Node(n) => self.m.as_graph(n),
            Value::Imported(_) => None,
        };
        let Some(entry) = entry else {
            return Err(Diagnostic::refused(Span::NONE, format!("`{function}` is not a function defined in this file")));
        };
        self.entry = Some(entry);
        let toolbox = self.toolbox(toolbox);
        self.lower_queue();
        let entry = if self.program.objects.are_some() { self.with_values(entry) } else { entry };
        let graphs = [vec![entry], toolbox].concat();
        self.lower_queue();
        self.finish_classes();
        if self.m.graph_const(entry).is_none_or(|n| self.m[n].users().is_empty()) {
            self.m.memory.owners = [entry].into_iter().chain(self.handed_on(entry)).collect();
        }
        Ok(graphs)
    }

    /// The function that the entry hands its arguments to and does nothing else, by `return f(x, y)` or `return grad(f)(x, y)`.
    fn handed_on(&self, entry: GraphId) -> Option<GraphId> {
        let m = &self.m;
        // One that was refused has no result.
        m[entry].ret?;
        let call = m.result(entry);
        let (callee, args) = m[call].inputs().split_first().filter(|_| m[call].kind == Kind::Call)?;
        let is_own = |(i, &arg): (usize, &NodeId)| m[entry].params.contains(&arg) && !args[..i].contains(&arg);
        if !args.iter().enumerate().all(is_own) {
            return None;
        }
        // What is called is made of one function of the program, which nobody else mentions.
        let (mut work, mut found) = (vec![*callee], None);
        while let Some(node) = work.pop() {
            match m.as_graph(node) {
                Some(g) if m[g].flavor == Flavor::Library => {}
                Some(g) if found.is_none() && m[node].users().len() == 1 => found = Some(g),
                Some(_) => return None,
                None => work.extend(m[node].inputs()),
            }
        }
        found
    }

    /// The graphs of functions of `gradus`.
    fn toolbox(&mut self, names: &[&str]) -> Vec<GraphId> {
        let known = |name| library::find(Library::Gradus, name).expect("it is in the toolbox");
        names.iter().map(|name| self.written(known(name))).collect()
    }

    /// Lowers all that is to be filled.
    fn lower_queue(&mut self) {
        while !self.queue.is_empty() || self.queue_methods() {
            let task = self.queue.pop_front().expect("there is one");
            let result = match task {
                Task::Function(graph, name, def, at) => self.top_level_function(graph, name, def, at),
                Task::Value(graph, name, value, at) => self.top_level_value(graph, name, value, at),
                Task::Made(graph, factory, at) => self.top_level_made(graph, factory, at),
                Task::Decorated(graph, f, at) => self.top_level_decorated(graph, f, at),
                Task::Maker(graph, class, f, defaults, at) => self.maker_function(graph, class, f, defaults, at),
                Task::Variable(graph, name, value, at) => self.variable_function(graph, name, value, at),
                Task::Library(graph, name, def, at) => self.library_function(graph, name, def, at),
                Task::Method(graph, class, name, def, at) => {
                    self.method_function(graph, class, name, def, at);
                    Ok(())
                }
            };
            if let Err(d) = result {
                self.frames.clear();
                self.diagnostics.push(d);
            }
        }
    }

    /// The innermost function.
    pub fn frame(&mut self) -> &mut Frame<'a> {
        self.frames.last_mut().expect("a function is being lowered")
    }

    /// The block where code goes. Statements that control does not get to are not lowered, so there is one.
    pub fn block(&mut self) -> BlockId {
        self.frame().block.expect("code is reachable")
    }

    /// The graph where code goes.
    pub fn graph(&mut self) -> GraphId {
        let block = self.block();
        self.frame().ssa.graph(block)
    }

    /// Now, as a place in the function.
    pub fn point(&mut self) -> Point {
        self.clock += 1;
        (self.block(), self.clock)
    }

    /// Notes when a node was made.
    pub fn stamp(&mut self, n: NodeId) {
        self.clock += 1;
        self.stamps.insert(n, self.clock);
        self.acted(n);
        if let Some(frame) = self.frames.last_mut() {
            frame.made.push(n);
        }
    }

    /// A variable of its own.
    pub fn temp(&mut self) -> Var<'a> {
        let frame = self.frame();
        frame.temps += 1;
        Var::Temp(frame.temps)
    }

    /// A new block of the innermost function.
    pub fn new_block(&mut self, suffix: &str, span: Span) -> BlockId {
        let frame = self.frames.last_mut().expect("a function is being lowered");
        let name = format!("{}.{suffix}", frame.name);
        let block = frame.ssa.block(&mut self.m, name, span);
        self.inside.insert(frame.ssa.graph(block), frame.graph);
        block
    }

    /// Says that a block has all its predecessors.
    pub fn seal(&mut self, b: BlockId) {
        let frame = self.frames.last_mut().expect("a function is being lowered");
        frame.ssa.seal(&mut self.m, b);
    }

    /// Goes on in `b`, if anything jumps there.
    pub fn enter(&mut self, b: BlockId) {
        let frame = self.frame();
        frame.block = frame.ssa.is_reachable(b).then_some(b);
    }

    /// Jumps to `to`, if control gets here.
    pub fn jump(&mut self, to: BlockId, span: Span) {
        let frame = self.frame();
        if let Some(from) = frame.block.take() {
            frame.ssa.jump(from, to, span);
        }
    }

    /// Branches to two new blocks.
    pub fn branch(&mut self, condition: NodeId, span: Span, names: [&str; 2]) -> [BlockId; 2] {
        let [then, otherwise] = names.map(|name| self.new_block(name, span));
        let from = self.block();
        let frame = self.frame();
        frame.ssa.branch(from, condition, then, otherwise, span);
        frame.block = None;
        [then, otherwise]
    }

    /// Reads a variable here.
    pub fn read(&mut self, var: Var<'a>) -> NodeId {
        let block = self.block();
        let frame = self.frames.last_mut().expect("a function is being lowered");
        frame.ssa.read(&mut self.m, block, var)
    }

    /// Assigns a temporary here.
    pub fn set(&mut self, var: Var<'a>, value: NodeId) {
        let block = self.block();
        self.frame().ssa.write(block, var, value);
    }

    /// Assigns a variable of the source here.
    pub fn write(&mut self, name: &'a str, value: NodeId, span: Span) {
        if let Some(made) = self.shared_box(name) {
            return self.set_box(made, value, span);
        }
        self.m.set_name(value, name);
        let point = self.point();
        let frame = self.frame();
        frame.ssa.write(point.0, Var::Name(name), value);
        frame.writes.entry(name).or_default().push((point, span));
    }

    /// The box of a variable that functions share; none if it is another one.
    pub fn shared_box(&self, name: &str) -> Option<NodeId> {
        let owner = self.frames.iter().rev().find(|f| f.boxes.contains_key(name) || f.scope.get(name).is_some());
        owner.and_then(|f| f.boxes.get(name)).copied()
    }

    /// Whether nobody has the object of a variable under another name, or the element that is so deep in it ([`owned`]).
    pub fn is_owned(&self, name: &'a str, depth: usize) -> bool {
        let owner = self.frames.iter().rev().find(|f| f.boxes.contains_key(name) || f.scope.get(name).is_some());
        owner.is_some_and(|f| self.late.is_owned(self.m[f.graph].span, name, depth))
    }

    pub fn return_value(&mut self, value: NodeId, span: Span) {
        let value = if self.frame().raises { self.as_returned(value, span) } else { value };
        self.end(value, span);
    }

    /// Ends the function here, with a value as it is.
    pub fn end(&mut self, value: NodeId, span: Span) {
        let block = self.block();
        let frame = self.frame();
        frame.ssa.ret(block, value, span);
        frame.block = None;
    }

    /// Applies a primitive here.
    pub fn prim(&mut self, prim: Prim, operands: &[NodeId], span: Span) -> NodeId {
        let graph = self.graph();
        self.prim_in(graph, prim, operands, span)
    }

    /// Applies a primitive in a graph.
    pub fn prim_in(&mut self, graph: GraphId, prim: Prim, operands: &[NodeId], span: Span) -> NodeId {
        let node = self.m.prim(graph, prim, operands.to_vec(), Type::Unknown, span);
        self.stamp(node);
        node
    }

    /// `None`.
    pub fn none(&mut self) -> NodeId {
        self.m.constant(Const::None, Type::None)
    }
}

//! From a file to answers: parse, ask for a function, call it, differentiate it.

use crate::json::{self, Notation};
use crate::mode::floats;
use crate::pipeline::{self, Report, Stages, Typed};
use crate::records;
use crate::request::{Request, leave_pullback};
use crate::shared::{Shared, shared};
use crate::{Backend, Error, Mode, ModeDecision, Options, Primitive, Simplify, Source, Strategy, xla};
use gradus_backend::interp::Interp;
use gradus_backend::jit::Jit;
use gradus_backend::numbers::Numbers;
use gradus_frontend::python;
use gradus_ir::infer::Known;
use gradus_ir::{Boundary, Call, Const, Diagnostic, Flavor, Floats, GraphId, Module, Span, Type, Value, stack};
use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::sync::{Arc, LazyLock};
use std::time::Instant;

/// The function of which one by this name is a derivative, of whatever order.
fn as_written<'a>(functions: &HashSet<&'a Arc<str>>, mut name: &str) -> Option<&'a Arc<str>> {
    loop {
        match (functions.get(&Arc::from(name)), name.rsplit_once('.')) {
            (Some(found), _) => return Some(found),
            (None, Some((of, "J" | "F" | "fwd" | "bwd"))) => name = of,
            (None, _) => return None,
        }
    }
}

/// So many calls are made again, those of blocks counted, to find those that led to a failure.
const CALLS_AGAIN: u64 = 20_000_000;

/// Compiles programs under one set of [`Options`].
#[derive(Clone, Debug, Default)]
pub struct Engine {
    options: Options,
    natives: Vec<python::Native>,
}

impl Engine {
    /// An engine with the given choices.
    pub fn new(options: Options) -> Engine {
        Engine { options, natives: Vec::new() }
    }

    /// The same engine, whose programs may call a function of Rust, or have rules of Rust.
    pub fn with<A, R>(mut self, primitive: Primitive<A, R>) -> Engine {
        self.natives.push(primitive.into_native());
        self
    }

    /// Parses a file. All of it must be correct Python; the subset is a matter of the functions that are asked for.
    pub fn parse(&self, source: Source) -> Result<Program, Error> {
        let parsed = python::Program::parse(&source.name, &source.text)?;
        Ok(self.program(parsed.with_sections(source.sections).with_given(source.given)))
    }

    fn program(&self, parsed: python::Program) -> Program {
        let parsed = parsed.with_natives(self.natives.clone());
        Program { origin: Origin::Python(Arc::new(parsed)), options: self.options.clone() }
    }

    /// A program that was built by hand: a module, and the functions in it.
    pub(crate) fn built(&self, module: Module, functions: Vec<(String, GraphId)>) -> Program {
        Program { origin: Origin::Built(Arc::new((module, functions))), options: self.options.clone() }
    }

    /// Reads and parses a file, with the modules and packages beside it that it imports.
    pub fn load(&self, path: impl AsRef<Path>) -> Result<Program, Error> {
        let path = path.as_ref();
        let name = path.display().to_string();
        let text = std::fs::read_to_string(path).map_err(|e| Error::File { path: name.clone(), message: e.to_string() })?;
        let beside = |path: &Path| std::fs::read_to_string(path).ok();
        Ok(self.program(python::Program::parse_beside((path, &name), &text, &beside)?))
    }
}

/// A parsed file.
#[derive(Clone, Debug)]
pub struct Program {
    origin: Origin,
    options: Options,
}

/// Where a program comes from.
#[derive(Clone, Debug)]
enum Origin {
    Python(Arc<python::Program>),
    /// Built by hand: its functions by name, in a module.
    Built(Arc<(Module, Vec<(String, GraphId)>)>),
}

impl Program {
    /// The file, for [`Error::render`]; empty for a program that was built by hand.
    pub fn source(&self) -> &gradus_ir::Source {
        static NONE: LazyLock<gradus_ir::Source> = LazyLock::new(gradus_ir::Source::default);
        match &self.origin {
            Origin::Python(parsed) => parsed.source(),
            Origin::Built(_) => &NONE,
        }
    }

    /// The names of its functions, those at the top of the file.
    pub fn functions(&self) -> Vec<&str> {
        match &self.origin {
            Origin::Python(parsed) => parsed.functions(),
            Origin::Built(built) => built.1.iter().map(|(name, _)| &**name).collect(),
        }
    }

    /// A function of the file, with all it reaches.
    pub fn function(&self, name: &str) -> Result<Function, Error> {
        let mut refused = Vec::new();
        let (module, graph, parsed) = match &self.origin {
            Origin::Python(parsed) => match parsed.lower(name) {
                Ok((module, graph)) => (module, graph, Some(parsed.clone())),
                Err(found) => match with_objects(parsed, name, &found, None).next() {
                    Some((parsed, module, graph)) => {
                        refused = found;
                        (module, graph, Some(parsed))
                    }
                    None => return Err(found.into()),
                },
            },
            Origin::Built(built) => {
                let found = built.1.iter().find(|(known, _)| known == name);
                let missing = || vec![Diagnostic::refused(Span::NONE, format!("there is no function `{name}`"))];
                let &(_, graph) = found.ok_or_else(missing)?;
                let mut module = built.0.clone();
                module.collect_garbage(&[graph]);
                (module, graph, None)
            }
        };
        let options = self.options.clone();
        let (constants, typed, compiled) = (Vec::new(), Arc::default(), Arc::default());
        let (module, refused) = (Arc::new(module), refused.into());
        Ok(Function { name: name.into(), parsed, module, graph, options, constants, typed, compiled, refused })
    }
}

/// A function of a program with arrays, or lists, as objects, where that may mend what was refused of the program as it is: the ways of it.
/// Where a program writes to anything, that may be the cause of all else.
fn with_objects<'a>(
    parsed: &python::Program,
    name: &'a str,
    refused: &[Diagnostic],
    module: Option<&Module>,
) -> impl Iterator<Item = (Arc<python::Program>, Module, GraphId)> + use<'a> {
    let is_lost = || module.is_some_and(|m| !m.memory.writes.is_empty());
    let ways = if refused.iter().any(|d| d.of_values) || is_lost() { parsed.with_objects() } else { Vec::new() };
    ways.into_iter().filter_map(|parsed| {
        let (module, graph) = parsed.lower(name).ok()?;
        // A function that remembers what it gave would have to give the same object.
        module.memory.remembering.is_empty().then(|| (Arc::new(parsed), module, graph))
    })
}

type Key = (Vec<Type>, Vec<Known>, Request);

/// A function of a program. It is specialised and compiled for the types that are asked for, once for each; clones share what was
/// compiled.
#[derive(Clone, Debug)]
pub struct Function {
    name: Arc<str>,
    /// The file, if it is one in Python.
    parsed: Option<Arc<python::Program>>,
    module: Arc<Module>,
    graph: GraphId,
    options: Options,
    /// What is known of the arguments: shapes may depend on it.
    constants: Vec<Known>,
    /// Programs after inference, which are the same under all choices but the floats.
    typed: Shared<(Key, Floats), Typed>,
    compiled: Shared<Key, Compiled>,
    /// What was wrong with the program while its lists were values, if they are objects.
    refused: Arc<[Diagnostic]>,
}

/// A function compiled for one list of argument types.
#[derive(Debug)]
pub struct Compiled {
    name: Arc<str>,
    /// The names of the arguments, as far as they have some.
    argument_names: Vec<String>,
    request: Request,
    options: Options,
    executor: Executor,
    stages: Stages,
}

#[derive(Debug)]
enum Executor {
    Jit(Arc<gradus_backend::jit::Compiled>),
    /// A compiler of XLA.
    Xla(Box<xla::Runner>),
    /// The interpreter's code is shared by reference counts that are not atomic, so it is made anew per run.
    Interp,
}

impl Compiled {
    /// Runs it.
    pub fn run(&self, args: &[Value]) -> Result<Value, Error> {
        match &self.executor {
            Executor::Jit(code) => Ok(code.run(args)?),
            Executor::Xla(runner) => runner.run(self, args),
            Executor::Interp => Ok(Interp::new(&self.stages.lowered)?.run(args)?),
        }
    }

    /// What runs it.
    pub fn backend(&self) -> Backend {
        match &self.executor {
            Executor::Jit(_) => Backend::Jit,
            Executor::Xla(_) => Backend::Xla,
            Executor::Interp => Backend::Interp,
        }
    }

    /// The names of the operations of a kind, as `all-reduce`, in the program that XLA's compiler has made. None if another executor runs
    /// it.
    pub fn xla_operations(&self, word: &str) -> Result<Vec<String>, Error> {
        match &self.executor {
            Executor::Xla(runner) => runner.operations(word),
            _ => Ok(Vec::new()),
        }
    }

    /// Runs it with other numbers in the place of floats. It is compiled under [`Floats::Any`].
    pub fn run_over<S: Numbers>(&self, numbers: &S, args: &[Value<S::Number>]) -> Result<Value<S::Number>, Error> {
        if self.options.floats != Floats::Any {
            return Err(Error::Unavailable("a program that is compiled for floats runs over floats alone".into()));
        }
        Ok(Interp::new(&self.stages.lowered)?.run_over(numbers, args)?)
    }

    /// The name of the function.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The names of the function's arguments.
    pub(crate) fn argument_names(&self) -> &[String] {
        &self.argument_names
    }

    /// What it answers. A gradient whose mode was not named has the mode here that was chosen.
    pub fn request(&self) -> &Request {
        &self.request
    }

    /// The choices that it was compiled under.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// The type of the result.
    pub fn result_type(&self) -> Type {
        result_type(&self.stages.typed)
    }

    /// How many arguments it takes.
    pub fn parameter_count(&self) -> usize {
        let entry = self.stages.typed.entry.expect("a typed module has an entry");
        self.stages.typed[entry].params.len()
    }

    /// The program at every stage.
    pub fn stages(&self) -> &Stages {
        &self.stages
    }

    /// What the pipeline did.
    pub fn report(&self) -> &Report {
        &self.stages.report
    }

    /// The native code, unless the interpreter runs the program.
    pub fn native(&self) -> Option<&Arc<gradus_backend::jit::Compiled>> {
        match &self.executor {
            Executor::Jit(code) => Some(code),
            Executor::Interp | Executor::Xla(_) => None,
        }
    }
}

impl Function {
    /// A function of an untyped module.
    pub(crate) fn of_module(name: &str, module: Module, graph: GraphId) -> Function {
        let (options, constants, typed, compiled) = (Options::default(), Vec::new(), Arc::default(), Arc::default());
        let (module, refused) = (Arc::new(module), Arc::default());
        Function { name: name.into(), parsed: None, module, graph, options, constants, typed, compiled, refused }
    }

    /// The same function under other choices.
    pub fn with(&self, options: Options) -> Function {
        Function { options, compiled: Arc::default(), ..self.clone() }
    }

    /// The same function for these arguments alone: where a shape depends on an integer among them, or in a tuple, list, dict or
    /// instance among them, it is a constant. Other integers stay arguments.
    pub fn for_arguments<F>(&self, args: &[Value<F>]) -> Function {
        fn known<F>(v: &Value<F>) -> Known {
            match v {
                Value::I64(v) => Known::Constant(Const::I64(*v)),
                Value::Bool(v) => Known::Constant(Const::Bool(*v)),
                Value::Str(v) => Known::Constant(Const::Str(v.clone())),
                Value::Tuple(items) | Value::List(items) | Value::Record(_, items) => {
                    Known::Parts(items.iter().map(known).collect())
                }
                _ => Known::Nothing,
            }
        }
        self.with_constants(args.iter().map(known).collect())
    }

    /// The same function, some of whose arguments are known.
    pub(crate) fn with_constants(&self, constants: Vec<Known>) -> Function {
        Function { constants, ..self.clone() }
    }

    /// Arguments as the function takes them: the fields of instances are in the order of their classes, which must be those of the
    /// file.
    pub fn arguments<F: Clone>(&self, args: Vec<Value<F>>) -> Result<Vec<Value<F>>, Error> {
        args.into_iter().map(|v| records::ordered(v, &self.module.classes, &|_, _| Ok(None))).collect()
    }

    /// The same, with the defaults of fields that are not given, as a notation has them.
    pub fn arguments_in<N: Notation>(&self, notation: &N, args: Vec<Value<N::Number>>) -> Result<Vec<Value<N::Number>>, Error> {
        let known = RefCell::new(HashMap::new());
        let default = |class: &str, field: &str| -> Result<Option<Value<N::Number>>, Error> {
            let key = (class.to_owned(), field.to_owned());
            if let Some(default) = known.borrow().get(&key) {
                return Ok(Clone::clone(default));
            }
            let default = self.default(class, field)?;
            let default = default.map(|v| json::convert(notation, &v).map_err(Error::Arguments)).transpose()?;
            known.borrow_mut().insert(key, default.clone());
            Ok(default)
        };
        args.into_iter().map(|v| records::ordered(v, &self.module.classes, &default)).collect()
    }

    /// The default of a field of a class of the file.
    fn default(&self, class: &str, field: &str) -> Result<Option<Value>, Error> {
        let Some(parsed) = &self.parsed else { return Ok(None) };
        let Some((module, graph)) = parsed.lower_default(class, field)? else { return Ok(None) };
        let options = Options { backend: Backend::Interp, ..Options::default() };
        Function::of_module("default", module, graph).with(options).run(&Request::Value, &[]).map(Some)
    }

    /// The types of such arguments.
    pub fn types<F>(&self, args: &[Value<F>]) -> Vec<Type> {
        records::types(args, &self.module.classes)
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The choices that it is compiled under.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// The names of its parameters.
    pub fn parameters(&self) -> Vec<&str> {
        let params = &self.module[self.graph].params;
        params.iter().map(|&p| self.module[p].name.as_deref().unwrap_or_default()).collect()
    }

    /// The names of so many arguments of a call: those of the parameters that they are given for, numbered where one takes several.
    pub fn argument_names(&self, count: usize) -> Vec<String> {
        let own = self.parameters();
        let by_place = self.module.by_place(self.graph);
        let rest = |i: usize| own.get(by_place).map(|name| format!("{name}_{}", i - by_place)).unwrap_or_default();
        (0..count).map(|i| if i < by_place { own[i].to_owned() } else { rest(i) }).collect()
    }

    /// The program as the front end made it: untyped.
    pub fn source(&self) -> &Module {
        &self.module
    }

    /// Answers a request for values whose types are known at run time alone: of `args`, and of what the request takes beside them.
    /// Where a shape depends on an integer among them, it is compiled for that integer.
    ///
    /// ```
    /// use gradus::{Engine, Request, Value};
    /// # fn main() -> Result<(), gradus::Error> {
    /// let pow = Engine::default().load("examples/pow.py")?.function("pow")?;
    /// let answer = pow.run(&Request::Gradient(vec![0]), &[Value::F64(2.0), Value::I64(3)])?;
    /// assert_eq!(answer.to_string(), "(8.0, (12.0,))");
    /// # Ok(())
    /// # }
    /// ```
    pub fn run(&self, request: &Request, args: &[Value]) -> Result<Value, Error> {
        let args = self.arguments(args.to_vec())?;
        let own = args.len().checked_sub(request.more_arguments().len());
        let own = own.ok_or_else(|| Error::Arguments("the request takes more than the arguments".into()))?;
        self.compile_for(&args[..own], request)?.run(&args)
    }

    /// The type of its result for arguments of the given types.
    pub fn result_type(&self, types: &[Type]) -> Result<Type, Error> {
        Ok(result_type(self.value(types)?.module()))
    }

    /// How values of the given types enter and leave it.
    pub(crate) fn boundary(&self, types: &[Type]) -> Result<Boundary, Error> {
        Ok(self.value(types)?.module().boundary.clone())
    }

    /// The untyped program for arguments of these types, with a function of the toolbox. One that mentions no complex number has them
    /// if some come in.
    fn module_for(&self, types: &[Type], toolbox: Option<&str>) -> Result<(Module, GraphId, Option<GraphId>), Error> {
        let is_known = self.module.classes.iter().any(|c| c.schema.is_complex());
        let complex = !is_known && types.iter().any(has_complex);
        let (module, graphs) = match &self.parsed {
            Some(parsed) if complex || toolbox.is_some() => {
                parsed.lower_with(&self.name, python::Beside { complex, toolbox: toolbox.as_slice() })?
            }
            None if toolbox.is_some() => {
                let (module, toolbox) = python::with_toolbox(&self.module, toolbox.as_slice());
                (module, [&[self.graph], &toolbox[..]].concat())
            }
            _ => (Module::clone(&self.module), vec![self.graph]),
        };
        Ok((module, graphs[0], graphs.get(1).copied()))
    }

    fn key(&self, types: &[Type], request: &Request) -> Key {
        (types.to_vec(), self.constants.clone(), request.clone())
    }

    /// The function itself, typed.
    pub(crate) fn value(&self, types: &[Type]) -> Result<Arc<Typed>, Error> {
        self.check_count(types.len())?;
        self.inferred(types, &Request::Value)
    }

    /// What answers a request, typed. A gradient has its mode.
    fn inferred(&self, types: &[Type], request: &Request) -> Result<Arc<Typed>, Error> {
        shared(&self.typed, (self.key(types, request), self.options.floats), || {
            let refused = match self.infer(types, request) {
                Err(Error::Refused(refused)) => refused,
                found => return found,
            };
            // Arrays and lists as objects, where those as values are not enough.
            let found = self.with_objects(&refused).find_map(|other| other.infer(types, request).ok());
            let refused = if self.refused.is_empty() { refused } else { self.refused.to_vec() };
            found.ok_or(Error::Refused(refused))
        })
    }

    /// The same function of a program with arrays, or lists, as objects, if that may mend what was refused.
    fn with_objects(&self, refused: &[Diagnostic]) -> impl Iterator<Item = Function> {
        let refused = if self.refused.is_empty() { refused } else { &self.refused };
        let ways = self.parsed.as_ref().map(|parsed| with_objects(parsed, &self.name, refused, Some(&self.module)));
        ways.into_iter().flatten().map(|(parsed, module, graph)| Function {
            parsed: Some(parsed),
            module: Arc::new(module),
            graph,
            typed: Arc::default(),
            ..self.clone()
        })
    }

    fn infer(&self, types: &[Type], request: &Request) -> Result<Typed, Error> {
        let fewer = |results: Option<usize>, arguments: Option<usize>| results.is_some_and(|n| arguments.is_none_or(|m| n < m));
        let has_fewer =
            || self.value(types).is_ok_and(|v| fewer(floats(&result_type(v.module())), self.directions(types, request)));
        let (mut module, graph, toolbox) = self.module_for(types, request.toolbox(has_fewer))?;
        module.floats = self.options.floats;
        let entry = request.entry(&mut module, graph, types, toolbox);
        let types = [types, request.more_arguments()].concat();
        let is_vjp = matches!(request, Request::Vjp(..));
        let then = |m: &mut Module| {
            if is_vjp {
                leave_pullback(m)
            }
        };
        pipeline::infer(&module, entry, &types, &self.constants, then)
    }

    /// How many floats there are in the arguments that a derivative is taken in, if that is known.
    fn directions(&self, types: &[Type], request: &Request) -> Option<usize> {
        let wrt = request.wrt().unwrap_or_default();
        wrt.iter().filter_map(|&i| types.get(i)).map(floats).sum()
    }

    /// The mode of a gradient, if it is ours to choose and there is one.
    fn choose_mode(&self, types: &[Type], request: &Request) -> Option<ModeDecision> {
        let Request::Gradient(wrt) = request else { return None };
        // A pushforward for each float of an instance is reverse mode's to beat, and what a function does it is to do once.
        if self.module.prints() || types.iter().any(|ty| matches!(ty, Type::Record(..))) {
            return None;
        }
        let typed = self.options.plan.is_auto().then(|| self.value(types).ok())??;
        let typed = typed.module();
        let wrt = wrt.iter().map(|&i| types.get(i)).collect::<Option<Vec<&Type>>>()?;
        (result_type(typed) == Type::F64).then(|| ModeDecision::new(&self.name, &self.module, typed, wrt.into_iter()))
    }

    /// Compiles for arguments of the given types, or gives what was compiled before.
    pub fn compile(&self, types: &[Type], request: &Request) -> Result<Arc<Compiled>, Error> {
        shared(&self.compiled, self.key(types, request), || stack::deep(|| self.compile_new(types, request)))
    }

    fn compile_new(&self, types: &[Type], request: &Request) -> Result<Compiled, Error> {
        self.check_count(types.len())?;
        if let Request::Forward(_, None) = request {
            self.check_scalar(self.value(types)?.module())?;
        }
        let start = Instant::now();
        let decision = self.choose_mode(types, request);
        let choosing = start.elapsed();
        let request = match (request, decision.as_ref().map(|d| d.mode)) {
            (Request::Gradient(wrt), Some(Mode::Forward)) => Request::Forward(wrt.clone(), None),
            (Request::Gradient(wrt), _) => Request::Reverse(wrt.clone()),
            (request, _) => request.clone(),
        };
        if matches!(request, Request::Forward(..)) && self.directions(types, &request).is_none() {
            let why = "forward mode goes in the direction of each float, and how many floats there are only the arguments say";
            return Err(Error::Unavailable(format!("{why}; use reverse mode")));
        }
        let is_vjp = matches!(request, Request::Vjp(..));
        if is_vjp && (self.options.backend, self.options.floats) != (Backend::Jit, Floats::Doubles) {
            return Err(Error::Unavailable("a function is a result of native code alone".into()));
        }
        if is_vjp && (self.module.prints() || self.module.has_boxes()) {
            let why = format!("no pullback is left by `{}`, which prints, or has variables that functions share", self.name);
            return Err(Error::Unavailable(format!("{why}; ask for the value and the cotangents at once")));
        }
        let typed = self.inferred(types, &request)?;
        let mut stages = pipeline::compile(&typed, &self.options)?;
        if decision.is_some() {
            stages.report.passes.insert(0, ("mode", choosing));
            stages.report.mode = decision;
        }
        let executor = match (self.options.backend, self.options.floats) {
            (Backend::Jit, Floats::Doubles) => {
                let start = Instant::now();
                let interruptible = self.options.interruptible;
                let build = || Jit::default().interruptible(interruptible).build(&stages.lowered);
                let code = match typed.common(&self.options) {
                    Some(common) => common.code(&stages.lowered, interruptible, build)?,
                    None => Arc::new(build()?),
                };
                stages.report.passes.push(("code", start.elapsed()));
                Executor::Jit(code)
            }
            _ => Executor::Interp,
        };
        let names = self.argument_names(types.len());
        let (name, options) = (self.name.clone(), self.options.clone());
        let mut compiled = Compiled { name, argument_names: names, request, options, executor, stages };
        if let (Backend::Xla, Floats::Doubles) = (self.options.backend, self.options.floats) {
            let missing = || Error::Unavailable("XLA runs programs by a plugin, and none is named".into());
            let plugin = self.options.xla.as_ref().ok_or_else(missing)?;
            let start = Instant::now();
            let runner = xla::Runner::new(&compiled, plugin, &self.options.sharding)?;
            compiled.stages.report.passes.push(("code", start.elapsed()));
            compiled.executor = Executor::Xla(Box::new(runner));
        }
        Ok(compiled)
    }

    /// The calls that led to a failure of a run, the innermost first. The interpreter runs the program again, as it is written and not
    /// simplified, with at most [`CALLS_AGAIN`] calls. None if it does not fail in the same way.
    pub fn calls_to(&self, failure: &Error, types: &[Type], request: &Request, args: &[Value]) -> Option<Vec<Call>> {
        // Closures keep the calls of derivatives, of which stacks make jumps.
        let (backend, simplify, plan) = (Backend::Interp, Simplify::Off, Strategy::Closure.into());
        let options = Options { backend, simplify, plan, xla: None, ..self.options.clone() };
        let again = self.with(options).compile(types, request).ok()?;
        let (e, calls) = Interp::failure(&again.stages.lowered, args, CALLS_AGAIN).ok()??;
        let e = Error::from(e);
        if (e.span(), e.to_string()) != (failure.span(), failure.to_string()) {
            return None;
        }
        let typed = &again.stages.typed;
        let functions = typed.graphs().filter(|(_, g)| g.flavor == Flavor::Function).map(|(_, g)| &g.name);
        let functions: HashSet<&Arc<str>> = functions.collect();
        let mut led = Vec::new();
        for call in calls {
            if let Some(name) = as_written(&functions, &call.function) {
                Call::lead(&mut led, failure.span(), name, call.place);
            }
        }
        Some(led)
    }

    /// Compiles for calls with the types of these arguments; for these alone where a shape depends on one of them.
    fn compile_for(&self, args: &[Value], request: &Request) -> Result<Arc<Compiled>, Error> {
        let types = self.types(args);
        match self.compile(&types, request) {
            // With constants the complaint is about what is wrong all the same.
            Err(Error::Refused(_)) => self.for_arguments(args).compile(&types, request),
            done => done,
        }
    }

    /// Whether the result of a typed module's entry has a gradient.
    fn check_scalar(&self, typed: &Module) -> Result<(), Error> {
        let result = result_type(typed);
        if result == Type::F64 {
            return Ok(());
        }
        let result = typed.boundary.result.as_ref().map_or(result, |form| typed.boundary.type_of(form));
        let message = format!("`{}` returns {}, a gradient is that of a float", self.name, result.describe());
        let d = Diagnostic::refused(self.module[self.graph].span, message);
        Err(Error::Refused(vec![match &result {
            Type::OneOf(kinds) if kinds[0] == Type::None => d.hint(gradus_ir::infer::MISSING),
            _ => d,
        }]))
    }

    /// Whether the function can be called with so many arguments.
    fn check_count(&self, count: usize) -> Result<(), Error> {
        let (graph, params) = (&self.module[self.graph], self.module.by_place(self.graph));
        let required = params.min(graph.params.len() - graph.defaults.len());
        if graph.tail.rest && count >= required {
            return Ok(());
        }
        if (required..=params).contains(&count) {
            return Ok(());
        }
        let expected = match required == params {
            _ if graph.tail.rest => format!("{required} or more"),
            true => format!("{params}"),
            false => format!("{required} to {params}"),
        };
        let s = if expected == "1" { "" } else { "s" };
        let are = if count == 1 { "is" } else { "are" };
        let message = format!("`{}` takes {expected} argument{s}, {count} {are} given", self.name);
        Err(Error::Refused(vec![Diagnostic::refused(graph.span, message)]))
    }
}

/// The type of the result of a typed module's entry.
fn result_type(m: &Module) -> Type {
    m[m.entry.expect("a typed module has an entry")].result.clone()
}

/// Whether there are complex numbers in values of a type.
fn has_complex(ty: &Type) -> bool {
    match ty {
        Type::Record(schema, items) => schema.is_complex() || items.iter().any(has_complex),
        Type::Tuple(items) | Type::List(items) | Type::OneOf(items) => items.iter().any(has_complex),
        Type::Instance(schema) => schema.is_complex(),
        _ => false,
    }
}

/// The numbers of the arguments that hold floats.
pub fn active(types: &[Type]) -> Vec<usize> {
    (0..types.len()).filter(|&i| !types[i].is_inert()).collect()
}

/// The gradients in their places among all arguments, `None` elsewhere.
pub fn spread<F: Clone>(gradients: &Value<F>, wrt: &[usize], count: usize) -> Vec<Value<F>> {
    let mut all = vec![Value::None; count];
    if let Value::Tuple(items) = gradients {
        for (&i, g) in wrt.iter().zip(items.iter()) {
            all[i] = g.clone();
        }
    }
    all
}

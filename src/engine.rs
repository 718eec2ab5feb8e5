//! From a file to answers: parse, ask for a function, call it, differentiate it.

use crate::pipeline::{self, Report, Stages};
use crate::typed::{self, Args, Data};
use crate::{Backend, Error, Options, Source};
use gradus_backend::interp::Interp;
use gradus_backend::jit::Jit;
use gradus_frontend::python;
use gradus_ir::{Diagnostic, Flavor, GraphId, Module, NodeId, Prim, Role, Span, Type, Value};
use std::collections::HashMap;
use std::path::Path;
use std::sync::{Arc, Mutex};

/// Compiles programs under one set of [`Options`].
#[derive(Clone, Debug, Default)]
pub struct Engine {
    options: Options,
}

impl Engine {
    /// An engine with the given choices.
    pub fn new(options: Options) -> Engine {
        Engine { options }
    }

    /// Parses a file. All of it must be correct Python; the subset is a matter of the functions that are asked for.
    pub fn parse(&self, source: Source) -> Result<Program, Error> {
        let parsed = python::Program::parse(&source.name, &source.text)?;
        Ok(Program { parsed: Arc::new(parsed), options: self.options.clone() })
    }

    /// Reads and parses a file.
    pub fn load(&self, path: impl AsRef<Path>) -> Result<Program, Error> {
        let path = path.as_ref();
        let name = path.display().to_string();
        let text = std::fs::read_to_string(path).map_err(|e| Error::File { path: name.clone(), message: e.to_string() })?;
        self.parse(Source::new(name, text))
    }
}

/// A parsed file.
#[derive(Clone, Debug)]
pub struct Program {
    parsed: Arc<python::Program>,
    options: Options,
}

impl Program {
    /// The file, for [`Error::render`].
    pub fn source(&self) -> &gradus_ir::Source {
        self.parsed.source()
    }

    /// The names of the functions at the top of the file.
    pub fn functions(&self) -> Vec<&str> {
        self.parsed.functions()
    }

    /// A function of the file, with all it reaches.
    pub fn function(&self, name: &str) -> Result<Function, Error> {
        let (module, graph) = self.parsed.lower(name)?;
        Ok(Function { name: name.to_owned(), module, graph, options: self.options.clone(), compiled: Mutex::default() })
    }
}

/// What is asked of a function.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Request {
    /// Its value.
    Value,
    /// `(value, (gradient, …))`: the gradients with respect to the arguments with these numbers.
    Gradient(Vec<usize>),
    /// The same for any result; its cotangent is one more argument, of this type.
    Pullback(Vec<usize>, Type),
    /// `(value, first, second, …)`: derivatives up to this order in one argument.
    Orders(usize, usize),
}

type Key = (Vec<Type>, Request);

/// A function of a program. It is specialised and compiled for the types it is called with, once for each.
#[derive(Debug)]
pub struct Function {
    name: String,
    module: Module,
    graph: GraphId,
    options: Options,
    compiled: Mutex<HashMap<Key, Arc<Compiled>>>,
}

/// A function compiled for one list of argument types.
#[derive(Debug)]
pub struct Compiled {
    executor: Executor,
    stages: Stages,
}

#[derive(Debug)]
enum Executor {
    Jit(Box<gradus_backend::jit::Compiled>),
    /// The interpreter's code is shared by reference counts that are not atomic, so it is made anew per run.
    Interp,
}

impl Compiled {
    /// Runs it.
    pub fn run(&self, args: &[Value]) -> Result<Value, Error> {
        match &self.executor {
            Executor::Jit(code) => Ok(code.run(args)?),
            Executor::Interp => Ok(Interp::new(&self.stages.lowered)?.run(args)?),
        }
    }

    /// The type of the result.
    pub fn result_type(&self) -> Type {
        let entry = self.stages.typed.entry.expect("a typed module has an entry");
        self.stages.typed[entry].result.clone()
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
    pub fn native(&self) -> Option<&gradus_backend::jit::Compiled> {
        match &self.executor {
            Executor::Jit(code) => Some(code),
            Executor::Interp => None,
        }
    }
}

impl Function {
    /// The program as the front end made it: untyped.
    pub fn source(&self) -> &Module {
        &self.module
    }

    /// Calls the function: `f.call((2.0, 3))`.
    pub fn call<R: Data>(&self, args: impl Args) -> Result<R, Error> {
        let args = args.to_values();
        typed::read(&self.compile(&types(&args), &Request::Value)?.run(&args)?)
    }

    /// Value and gradient with respect to every argument, `()` for those that hold no float: `(y, (dx, ()))`.
    pub fn value_and_grad<R: Data>(&self, args: impl Args) -> Result<R, Error> {
        let args = args.to_values();
        let types = types(&args);
        let wrt = active(&types);
        let answer = self.compile(&types, &Request::Gradient(wrt.clone()))?.run(&args)?;
        let Value::Tuple(pair) = &answer else { return Err(Error::Internal("a gradient is a pair".into())) };
        let gradient = spread(&pair[1], &wrt, args.len());
        typed::read(&Value::tuple([pair[0].clone(), Value::tuple(gradient)]))
    }

    /// The gradient with respect to every argument, `()` for those that hold no float.
    pub fn grad<R: Data>(&self, args: impl Args) -> Result<R, Error> {
        let args = args.to_values();
        let types = types(&args);
        let wrt = active(&types);
        let answer = self.compile(&types, &Request::Gradient(wrt.clone()))?.run(&args)?;
        let Value::Tuple(pair) = &answer else { return Err(Error::Internal("a gradient is a pair".into())) };
        typed::read(&Value::tuple(spread(&pair[1], &wrt, args.len())))
    }

    /// The type of its result for arguments of the given types.
    pub fn result_type(&self, types: &[Type]) -> Result<Type, Error> {
        let mut module = self.module.clone();
        let entry = self.entry(&mut module, types.len(), &Request::Value)?;
        let typed = gradus_ir::infer::infer(&module, entry, types)?;
        Ok(typed[typed.entry.expect("a typed module has an entry")].result.clone())
    }

    /// Compiles for arguments of the given types, or gives what was compiled before.
    pub fn compile(&self, types: &[Type], request: &Request) -> Result<Arc<Compiled>, Error> {
        let key = (types.to_vec(), request.clone());
        let known = |f: &Function| f.compiled.lock().unwrap_or_else(|e| e.into_inner()).get(&key).cloned();
        if let Some(compiled) = known(self) {
            return Ok(compiled);
        }
        let mut module = self.module.clone();
        let entry = self.entry(&mut module, types.len(), request)?;
        let mut types = types.to_vec();
        if let Request::Pullback(_, ty) = request {
            types.push(ty.clone());
        }
        let mut stages = pipeline::compile(&module, entry, &types, &self.options)?;
        let executor = match self.options.backend {
            Backend::Jit => {
                let start = std::time::Instant::now();
                let code = Jit::compile(&stages.lowered)?;
                stages.report.passes.push(("code", start.elapsed()));
                Executor::Jit(Box::new(code))
            }
            Backend::Interp => Executor::Interp,
        };
        let compiled = Arc::new(Compiled { executor, stages });
        self.compiled.lock().unwrap_or_else(|e| e.into_inner()).insert(key, compiled.clone());
        Ok(compiled)
    }

    /// The graph that answers a request, added to an untyped module.
    fn entry(&self, m: &mut Module, count: usize, request: &Request) -> Result<GraphId, Error> {
        let f = self.graph;
        let span = m[f].span;
        let params = m[f].params.len();
        let required = params - m[f].defaults.len();
        if count < required || count > params {
            let expected = if required == params { format!("{params}") } else { format!("{required} to {params}") };
            let s = if expected == "1" { "" } else { "s" };
            let are = if count == 1 { "is" } else { "are" };
            let message = format!("`{}` takes {expected} argument{s}, {count} {are} given", self.name);
            return Err(Error::Refused(vec![Diagnostic::refused(span, message)]));
        }
        if *request == Request::Value && count == params {
            return Ok(f);
        }
        let main = m.add_graph(self.name.as_str(), Flavor::Function, Role::Primal, span);
        let mut args = Vec::new();
        for i in 0..count {
            let p = m[f].params[i];
            let (name, span) = (m[p].name.clone(), m[p].span);
            args.push(m.add_param(main, Type::Unknown, name, span));
        }
        let callee = m.graph_ref(f);
        let mut b = Untyped { m, g: main, span };
        let result = match request {
            Request::Value => b.call(callee, &args),
            Request::Gradient(wrt) => {
                let d = b.differentiate(callee, wrt, true, true);
                b.call(d, &args)
            }
            Request::Pullback(wrt, _) => {
                let seed = b.m.add_param(main, Type::Unknown, Some("seed".into()), span);
                let j = b.prim(Prim::J, &[callee]);
                let t = b.call(j, &args);
                let (y, pb) = (b.item(t, 0), b.item(t, 1));
                let r = b.call(pb, &[seed]);
                let gradients: Vec<NodeId> = wrt
                    .iter()
                    .map(|&i| {
                        let c = b.item(r, i + 1);
                        b.prim(Prim::Gradient, &[c, args[i]])
                    })
                    .collect();
                let gradients = b.prim(Prim::Tuple, &gradients);
                b.prim(Prim::Tuple, &[y, gradients])
            }
            Request::Orders(wrt, order) => {
                let mut all = vec![b.call(callee, &args)];
                let mut d = callee;
                for _ in 0..*order {
                    d = b.differentiate(d, &[*wrt], false, false);
                    all.push(b.call(d, &args));
                }
                b.prim(Prim::Tuple, &all)
            }
        };
        m.set_result(main, result);
        Ok(main)
    }
}

/// Builds an untyped graph.
struct Untyped<'m> {
    m: &'m mut Module,
    g: GraphId,
    span: Span,
}

impl Untyped<'_> {
    fn prim(&mut self, prim: Prim, operands: &[NodeId]) -> NodeId {
        self.m.prim(self.g, prim, operands.to_vec(), Type::Unknown, self.span)
    }

    fn call(&mut self, callee: NodeId, args: &[NodeId]) -> NodeId {
        self.m.call(self.g, callee, args, Type::Unknown, self.span)
    }

    fn item(&mut self, tuple: NodeId, i: usize) -> NodeId {
        let i = self.m.i64(i as i64);
        self.prim(Prim::GetItem, &[tuple, i])
    }

    fn differentiate(&mut self, f: NodeId, wrt: &[usize], value: bool, many: bool) -> NodeId {
        let mut operands = vec![f];
        operands.extend(wrt.iter().map(|&i| self.m.i64(i as i64)));
        self.prim(Prim::Grad { value, many }, &operands)
    }
}

fn types(args: &[Value]) -> Vec<Type> {
    args.iter().map(Value::ty).collect()
}

/// The numbers of the arguments that hold floats.
pub fn active(types: &[Type]) -> Vec<usize> {
    (0..types.len()).filter(|&i| !types[i].is_inert()).collect()
}

/// The gradients in their places among all arguments, `None` elsewhere.
pub fn spread(gradients: &Value, wrt: &[usize], count: usize) -> Vec<Value> {
    let mut all = vec![Value::None; count];
    if let Value::Tuple(items) = gradients {
        for (&i, g) in wrt.iter().zip(items.iter()) {
            all[i] = g.clone();
        }
    }
    all
}

//! `gradus build`: functions for C, compiled ahead of time (docs/build.md).

use super::{Choices, ModeFlag, answer, number};
use clap::{Args, ValueEnum};
use gradus::{Backend, Cpu, Error, Function, Library, Mode, Options, Program, Request, Type, signature};
use std::path::{Path, PathBuf};

#[derive(Args, Debug)]
pub struct Build {
    /// The Python file.
    pub file: PathBuf,
    /// A function of the file.
    function: String,
    /// The types of its arguments: "f64, i64", "f64[3, 4]" for an array, "{w: f64[3], b: f64}" for a dict, "Point(x: f64)" for an
    /// instance.
    #[arg(long, value_name = "TYPES")]
    sig: String,
    /// Where the library goes; a name that ends in .o is that of an object file.
    #[arg(short, long, value_name = "FILE.a")]
    output: PathBuf,
    /// Also write a header for C and C++.
    #[arg(long, value_name = "FILE.h")]
    header: Option<PathBuf>,
    /// Also write a module of Rust that calls the library.
    #[arg(long, value_name = "FILE.rs")]
    rust: Option<PathBuf>,
    /// What the library answers [default: value, and grad if the result is a float].
    #[arg(long, value_enum, value_name = "LIST", value_delimiter = ',')]
    functions: Vec<Answer>,
    /// The name of the functions in the library, after the prefix; those of derivatives begin with it [default: FUNCTION].
    #[arg(long)]
    name: Option<String>,
    /// What all names in the library begin with, before an underscore; may be empty [default: the name of the file].
    #[arg(long)]
    prefix: Option<String>,
    /// The numbers of the arguments to differentiate with respect to [default: all that hold floats].
    #[arg(long, value_name = "N,…", value_delimiter = ',', value_parser = number)]
    wrt: Option<Vec<usize>>,
    /// Whether cotangents flow back, or tangents forward [default: what suits the function].
    #[arg(long, value_enum)]
    mode: Option<ModeFlag>,
    /// Which processors the code is for: all of the architecture, or those that have what this one has.
    #[arg(long, value_enum, default_value = "baseline")]
    cpu: CpuFlag,
    #[command(flatten)]
    choices: Choices,
}

/// What a function of a library answers.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
enum Answer {
    /// PREFIX_NAME: the value.
    Value,
    /// PREFIX_NAME_grad: the value and the gradient of a float.
    Grad,
    /// PREFIX_NAME_vjp: the value, and the product of a cotangent and the Jacobian.
    Vjp,
    /// PREFIX_NAME_jvp: the value, and the product of the Jacobian and tangents of all arguments.
    Jvp,
    /// PREFIX_NAME_jacobian: the Jacobian.
    Jacobian,
    /// PREFIX_NAME_hessian: the Hessian of a float.
    Hessian,
    /// PREFIX_NAME_hvp: the product of the Hessian and tangents of all arguments.
    Hvp,
}

#[derive(Clone, Copy, ValueEnum, Debug)]
enum CpuFlag {
    Baseline,
    Native,
}

impl Build {
    /// The choices of the compilation. Nothing runs here, so no code for this process is made.
    pub fn options(&self) -> Options {
        self.choices.options(Backend::Interp)
    }

    /// The arguments to differentiate with respect to.
    fn wrt(&self, types: &[Type]) -> Result<Vec<usize>, Error> {
        let wrt = self.wrt.clone().unwrap_or_else(|| gradus::active(types));
        if let Some(&i) = wrt.iter().find(|&&i| i >= types.len()) {
            return Err(Error::Arguments(format!("--wrt names argument {i}, of {} arguments counted from 0", types.len())));
        }
        if let Some(&i) = wrt.iter().find(|&&i| types[i].is_inert()) {
            return Err(Error::Arguments(format!("argument {i}, of type {}, has no derivative", types[i].describe())));
        }
        if wrt.is_empty() {
            return Err(Error::Arguments("no argument holds a float, so there is no gradient".into()));
        }
        Ok(wrt)
    }

    /// What is asked for an answer.
    fn request(&self, answer: Answer, function: &Function, types: &[Type]) -> Result<Request, Error> {
        if answer == Answer::Value {
            return Ok(Request::Value);
        }
        let wrt = self.wrt(types)?;
        let tangents = || types.iter().map(Type::cotangent).collect();
        if self.mode == Some(ModeFlag::Taylor) {
            return Err(Error::Arguments("--mode taylor is for `grad --order`".into()));
        }
        let mode = self.mode.map(Mode::from);
        Ok(match answer {
            Answer::Value => Request::Value,
            Answer::Grad => match mode {
                None => Request::Gradient(wrt),
                Some(Mode::Reverse) => Request::Reverse(wrt),
                Some(Mode::Forward) => Request::Forward(wrt, None),
            },
            Answer::Vjp => {
                let seed = function.result_type(types)?.cotangent();
                match mode {
                    Some(Mode::Forward) => Request::Forward(wrt, Some(seed)),
                    _ => Request::Pullback(wrt, seed),
                }
            }
            Answer::Jvp => Request::Jvp(tangents()),
            Answer::Jacobian => Request::Jacobian(wrt),
            Answer::Hessian => Request::Hessian(wrt),
            Answer::Hvp => Request::Hvp(wrt, tangents()),
        })
    }
}

impl Answer {
    /// The name of the function that gives it.
    fn symbol(self, name: &str) -> String {
        match self {
            Answer::Value => name.to_owned(),
            _ => format!("{name}_{}", self.to_possible_value().map(|v| v.get_name().to_owned()).unwrap_or_default()),
        }
    }
}

/// Compiles a library and writes it; gives what was written.
pub fn build(program: &Program, flags: &Build) -> Result<String, Error> {
    let function = program.function(&flags.function)?;
    let types = signature(&flags.sig)?;
    let answers = match &flags.functions[..] {
        [] if function.result_type(&types)? == Type::F64 && !gradus::active(&types).is_empty() => {
            vec![Answer::Value, Answer::Grad]
        }
        [] => vec![Answer::Value],
        list => list.to_vec(),
    };
    let prefix = flags.prefix.clone().unwrap_or_else(|| Library::prefix(&program.source().name));
    let name = flags.name.as_deref().unwrap_or(&flags.function);
    let name = &if prefix.is_empty() { name.to_owned() } else { format!("{prefix}_{name}") };
    let cpu = match flags.cpu {
        CpuFlag::Baseline => Cpu::Baseline,
        CpuFlag::Native => Cpu::Native,
    };
    let mut library = Library::new(name, program.source()).cpu(cpu);
    for answer in answers {
        let compiled = function.compile(&types, &flags.request(answer, &function, &types)?)?;
        library = library.with(&answer.symbol(name), &function, &compiled)?;
    }
    let is_object = flags.output.extension().is_some_and(|extension| extension == "o");
    let code = if is_object { library.object()? } else { library.archive()? };
    let mut written = vec![format!("{}: {}", flags.output.display(), library.symbols().collect::<Vec<_>>().join(", "))];
    write(&flags.output, &code)?;
    for (path, text) in [(&flags.header, Library::header as fn(&Library) -> String), (&flags.rust, Library::rust)] {
        if let Some(path) = path {
            answer::write(path, text(&library))?;
            written.push(path.display().to_string());
        }
    }
    Ok(written.join("\n"))
}

fn write(path: &Path, bytes: &[u8]) -> Result<(), Error> {
    std::fs::write(path, bytes).map_err(|e| Error::Output { path: path.display().to_string(), message: e.to_string() })
}

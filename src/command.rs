//! What the command does: arguments in, answers out (docs/command.md).

mod answer;
mod bench;
mod build;
mod check;
mod compare;
mod export;
mod gradbench;
mod over;
mod question;
mod rules;
mod show;
mod study;

use answer::Derivative;
use clap::{Args, Parser, Subcommand, ValueEnum};
use gradus::json::{self, Doubles, Notation};
use gradus::numbers::Number;
use gradus::xla::Sharding;
use gradus::{
    Backend, Choice, Closures, Compiled, Engine, Error, Inspect, Math, Mode, Options, Plan, Program, Request, Rule, Simplify,
    Strategy, Value, npy,
};
use gradus_backend::{memory, output};
use question::{Asked, Question};
use serde_json::Value as Json;
use std::io::{IsTerminal, stderr, stdout};
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

/// Differentiating compiler for a subset of Python.
#[derive(Parser, Debug)]
#[command(version, about)]
pub struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand, Debug)]
enum Command {
    /// Print the value of a function.
    Run(Run),
    /// Print the value and the gradient of a function.
    Grad(Grad),
    /// Compile a function and its derivatives to a library for C, with a header.
    Build(build::Build),
    /// Write a function or its gradient in StableHLO, the input language of XLA.
    Export(export::Export),
    /// Draw the program at a stage as a graph in the DOT language.
    Dot(show::Dot),
    /// Print the program at a stage as text.
    Ir(show::Look),
    /// Write a page with the program at all stages: graphs, texts, source, and what passes changed.
    Show(show::Show),
    /// Compare the gradient with forward mode and finite differences: both strategies, both backends, simplified and not.
    Check(Differentiate),
    /// Compare the strategies of reverse mode: their code, time and memory, what they keep, and their answers.
    Compare(compare::Compare),
    /// Measure many programs by many ways, and write tables, plots and a report.
    Study(study::Flags),
    /// Time workloads that other tools are timed at too: lines `workload,metric,value`.
    Bench(bench::Bench),
    /// List the rules of equality saturation.
    Rules(rules::Flags),
    /// Be a tool of GradBench: JSON messages on standard input, answers on standard output, one a line.
    Gradbench(gradbench::Gradbench),
}

#[derive(Args, Clone, Debug)]
struct Call {
    /// The Python file.
    file: PathBuf,
    /// A function of the file.
    function: String,
    /// The arguments, as JSON: 2.0 is a float, 3 an int, [1.0, 2.0] an array; or @x.npy, an array from a file.
    args: Vec<String>,
    /// Take all arguments from a file that holds one JSON array.
    #[arg(long, value_name = "FILE", conflicts_with = "args")]
    args_json: Option<PathBuf>,
    /// What runs the program.
    #[arg(long, visible_alias = "engine", value_enum, default_value = "jit")]
    backend: BackendFlag,
    #[command(flatten)]
    xla: export::Placing,
    /// How much memory the program may take, as 500M or 2G [default: three quarters of what the machine or its control group has].
    #[arg(long, value_name = "SIZE", value_parser = size)]
    memory: Option<usize>,
    #[command(flatten)]
    choices: Choices,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

/// The highest order of a derivative: the code of each is larger than that of the one before.
const MOST_ORDERS: usize = 100;

/// The highest order of a series: inference follows a derivative that lies in so many others.
const MOST_TERMS: usize = 30;

/// How a program is compiled.
#[derive(Args, Clone, Debug)]
struct Choices {
    /// How reverse mode keeps values; of several, the first is that of the innermost derivative.
    #[arg(long, value_enum, default_value = "auto", value_delimiter = ',')]
    strategy: Vec<StrategyFlag>,
    /// How many states of a loop `--strategy checkpoint` keeps at a time: fewer take less memory and more time. `compare` shows that
    /// strategy, too [default: 8].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    slots: Option<u32>,
    /// Which rewrites of arithmetic are allowed: those that keep the bits, or those over the reals too.
    #[arg(long, value_enum, default_value = "exact")]
    math: MathFlag,
    /// Simplify only once all derivatives are expanded.
    #[arg(long)]
    no_interleave: bool,
    /// Do not simplify at all.
    #[arg(long)]
    no_simplify: bool,
    /// End the run at the first float of the value, a tangent or a cotangent that is NaN or infinite. Nothing is simplified then.
    #[arg(long)]
    trap_nan: bool,
    /// What becomes of known closures: objects, tags and captures, and of chains of them tapes; `compare` shows all steps.
    #[arg(long, value_enum)]
    closures: Option<ClosuresFlag>,
    /// A value that takes at most so many cheap operations is computed again by the adjoint and not recorded.
    #[arg(long, value_name = "N", default_value_t = Options::default().recompute)]
    recompute: usize,
    #[command(flatten)]
    inspection: Inspection,
}

/// Flags that show the steps of a compilation, and change them.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "For work on Gradus")]
struct Inspection {
    /// Leave out passes of the simplifier, or rules of saturation, by their names.
    #[arg(long, value_name = "NAME,…", value_delimiter = ',', value_parser = rules::left_out)]
    without: Vec<rules::Left>,
    /// Also apply the rules of a file, one a line, as `gradus rules` prints them.
    #[arg(long, value_name = "FILE", value_parser = rules::read)]
    rules: Option<Arc<[Rule]>>,
    /// Let the simplifier do nothing after step N, of those that --log shows.
    #[arg(long, value_name = "N")]
    passes: Option<usize>,
    /// Say on standard error what each step does that changes the program.
    #[arg(long)]
    log: bool,
    /// Write the program after each step into a folder, as text and in the DOT language.
    #[arg(long, value_name = "FOLDER")]
    dump: Option<PathBuf>,
    /// Run the verifier after each step.
    #[arg(long)]
    verify: bool,
}

impl Inspection {
    fn options(&self, options: Options) -> Options {
        let mut without = Vec::new();
        let mut unwanted = Vec::new();
        for left in &self.without {
            match left {
                rules::Left::Pass(pass) => without.push(*pass),
                rules::Left::Rule(rule) => unwanted.push(rule.clone()),
            }
        }
        let more = self.rules.as_ref().map_or_else(Vec::new, |rules| rules.to_vec());
        Options {
            without,
            rules: if unwanted.is_empty() && more.is_empty() { options.rules } else { Choice::new(unwanted, more) },
            passes: self.passes.unwrap_or(usize::MAX),
            inspect: Inspect { log: self.log, dump: self.dump.clone(), verify: self.verify },
            ..options
        }
    }
}

/// A number of bytes: `4096`, `64K`, `500M`, `2G`.
fn size(text: &str) -> Result<usize, String> {
    let number = text.trim().to_ascii_uppercase();
    let number = number.strip_suffix('B').unwrap_or(&number);
    let with_unit =
        [("K", 10), ("M", 20), ("G", 30), ("T", 40)].into_iter().find_map(|(u, k)| Some((number.strip_suffix(u)?, k)));
    let (digits, shift) = with_unit.unwrap_or((number, 0));
    let bytes = digits.trim().parse::<usize>().ok().and_then(|n| n.checked_mul(1 << shift)).filter(|&n| n > 0);
    bytes.ok_or_else(|| "a size is a number of bytes, or one with a unit: 500M, 2G".into())
}

/// A number of a list, with blanks around it or not.
fn number(text: &str) -> Result<usize, std::num::ParseIntError> {
    text.trim().parse()
}

#[derive(Args, Clone, Debug)]
struct Differentiate {
    #[command(flatten)]
    call: Call,
    /// The numbers of the arguments to differentiate with respect to [default: all that hold floats].
    #[arg(long, value_name = "N,…", value_delimiter = ',', value_parser = number)]
    wrt: Option<Vec<usize>>,
    /// The cotangent of the result, as JSON or as @x.npy [default: 1.0, for a float result].
    #[arg(long, value_name = "JSON")]
    seed: Option<String>,
    /// The same, from a file.
    #[arg(long, value_name = "FILE", conflicts_with = "seed")]
    seed_json: Option<PathBuf>,
    /// Whether cotangents flow back, or tangents forward, once for each float of the arguments; of several, the first is that of
    /// the innermost derivative; `taylor` takes all orders of --order from one series [default: reverse if a strategy is named; else what suits the function, and forward for --order].
    #[arg(long, value_enum, value_delimiter = ',')]
    mode: Vec<ModeFlag>,
    /// The derivatives up to this order, in one float argument.
    #[arg(long, value_name = "N", conflicts_with_all = ["seed", "seed_json"])]
    order: Option<NonZero<usize>>,
}

#[derive(Args, Debug)]
struct Run {
    #[command(flatten)]
    call: Call,
    #[command(flatten)]
    over: over::Flags,
    /// Also write the value, an array or a number, to a .npy file.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Say what was decided of the derivatives that the program takes: strategies, values that are kept, patterns of sparse matrices.
    #[arg(long)]
    explain: bool,
}

#[derive(Args, Debug)]
struct Grad {
    #[command(flatten)]
    differentiate: Differentiate,
    #[command(flatten)]
    over: over::Flags,
    /// Also write the value and the gradients to .npy files in this folder, which is made if need be: value.npy, and gradient0.npy
    /// for argument 0 and so on; items of tuples have their numbers behind a dot, gradient0.1.npy.
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
    /// Say which mode and which strategy was chosen for which function, which Jacobians are sparse, which values are kept, and why.
    #[arg(long)]
    explain: bool,
}

#[derive(Clone, Copy, ValueEnum, Debug)]
enum BackendFlag {
    Jit,
    Interp,
    /// XLA, by a plugin.
    Xla,
}

#[derive(Clone, Copy, ValueEnum, Debug)]
enum StrategyFlag {
    /// The strategy that suits the function: stacks where it has loops.
    Auto,
    /// Backpropagator closures.
    Closure,
    /// Transposed control flow with tapes.
    Stack,
    /// Loops that are run again from a few of their states.
    Checkpoint,
    /// A tape of the operations that the run does, as operator overloading keeps one: what the others are compared with.
    Trace,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
enum ModeFlag {
    Reverse,
    Forward,
    Taylor,
}

/// The cotangent of a result as it is given.
enum Seed {
    Json(Json),
    File(Value),
}

impl Differentiate {
    fn seed<N: Notation>(&self, notation: &N) -> Result<Option<Seed>, Error> {
        Ok(match (&self.seed, &self.seed_json) {
            (Some(text), _) => Some(match text.strip_prefix('@') {
                Some(path) => Seed::File(npy::read(path)?),
                None => {
                    let misfit = |e| Error::Arguments(format!("the seed, `{text}`, is not JSON: {e}"));
                    Seed::Json(parse_argument(notation, text).map_err(misfit)?)
                }
            }),
            (None, Some(path)) => Some(Seed::Json(read_json(path)?)),
            (None, None) => None,
        })
    }

    /// The mode of a gradient, if it is named.
    fn first_mode(&self) -> Option<Mode> {
        self.mode.first().map(|&mode| mode.into())
    }

    /// The mode of each of so many derivatives in one float, the innermost first: the last one named holds for the rest. Where
    /// none is, all go forward: there is one input, and forward in forward mode shares what the orders have in common, whereas
    /// each reverse sweep makes a function larger by a factor. A strategy that is named asks for reverse mode.
    fn modes(&self, orders: usize) -> Vec<Mode> {
        let is_auto = self.call.choices.strategy.iter().all(|s| matches!(s, StrategyFlag::Auto));
        let last = self.mode.last().copied().unwrap_or(if is_auto { ModeFlag::Forward } else { ModeFlag::Reverse });
        (0..orders).map(|i| self.mode.get(i).copied().unwrap_or(last).into()).collect()
    }
}

#[derive(Clone, Copy, ValueEnum, Debug)]
enum ClosuresFlag {
    Objects,
    Tags,
    Tapes,
}

#[derive(Clone, Copy, ValueEnum, Debug)]
enum MathFlag {
    Exact,
    Fast,
}

impl From<BackendFlag> for Backend {
    fn from(flag: BackendFlag) -> Backend {
        match flag {
            BackendFlag::Jit => Backend::Jit,
            BackendFlag::Interp => Backend::Interp,
            BackendFlag::Xla => Backend::Xla,
        }
    }
}

impl From<ModeFlag> for Mode {
    fn from(flag: ModeFlag) -> Mode {
        match flag {
            ModeFlag::Reverse => Mode::Reverse,
            // Without --order it is refused.
            ModeFlag::Forward | ModeFlag::Taylor => Mode::Forward,
        }
    }
}

impl From<ClosuresFlag> for Closures {
    fn from(flag: ClosuresFlag) -> Closures {
        match flag {
            ClosuresFlag::Objects => Closures::Objects,
            ClosuresFlag::Tags => Closures::Tags,
            ClosuresFlag::Tapes => Closures::Tapes,
        }
    }
}

impl From<MathFlag> for Math {
    fn from(flag: MathFlag) -> Math {
        match flag {
            MathFlag::Exact => Math::Exact,
            MathFlag::Fast => Math::Fast,
        }
    }
}

impl From<StrategyFlag> for Strategy {
    fn from(flag: StrategyFlag) -> Strategy {
        match flag {
            StrategyFlag::Auto => Strategy::Auto,
            StrategyFlag::Closure => Strategy::Closure,
            StrategyFlag::Stack => Strategy::Stack,
            StrategyFlag::Checkpoint => Strategy::Checkpoint,
            StrategyFlag::Trace => Strategy::Trace,
        }
    }
}

impl Choices {
    fn options(&self, backend: Backend) -> Options {
        self.inspection.options(Options {
            plan: Plan {
                orders: self.strategy.iter().map(|&s| s.into()).collect(),
                slots: self.slots.map_or(Plan::SLOTS, |slots| slots as usize),
                ..Plan::default()
            },
            backend,
            floats: gradus::numbers::Floats::Doubles,
            math: self.math.into(),
            simplify: match (self.no_simplify, self.no_interleave) {
                (true, _) => Simplify::Off,
                (false, true) => Simplify::AtEnd,
                (false, false) => Simplify::Interleaved,
            },
            closures: self.closures.map_or_else(Closures::default, Closures::from),
            recompute: self.recompute,
            trap_nan: self.trap_nan,
            ..Options::default()
        })
    }
}

impl Call {
    fn options(&self) -> Options {
        self.choices.options(self.backend.into())
    }

    /// The same, with the plugin of XLA if that runs the program.
    fn with_plugin(&self) -> Result<Options, Error> {
        let sharding = self.xla.sharding()?;
        let xla = match self.backend {
            BackendFlag::Xla => Some(self.xla.plugin(&sharding)?),
            _ if sharding != Sharding::default() => {
                return Err(Error::Arguments("--mesh and --shard are for --backend xla".into()));
            }
            _ => None,
        };
        Ok(Options { xla, sharding, ..self.options() })
    }

    fn values<N: Notation>(&self, notation: &N) -> Result<Vec<Value<N::Number>>, Error> {
        if let Some(path) = &self.args_json {
            let j = read_json(path)?;
            let items = j.as_array().ok_or_else(|| Error::Arguments(format!("{} holds no JSON array", path.display())))?;
            return items.iter().map(|j| json::read_in(notation, j).map_err(Error::Arguments)).collect();
        }
        self.args
            .iter()
            .enumerate()
            .map(|(i, text)| {
                if let Some(path) = text.strip_prefix('@') {
                    return json::convert(notation, &npy::read(path)?).map_err(Error::Arguments);
                }
                let misfit = |e| Error::Arguments(format!("argument {i}, `{text}`, is not JSON: {e}"));
                let j = parse_argument(notation, text).map_err(misfit)?;
                json::read_in(notation, &j).map_err(|e| Error::Arguments(format!("argument {i}: {e}")))
            })
            .collect()
    }
}

/// JSON, or a number that JSON has only as a string: `1//3`.
fn parse_argument<N: Notation>(notation: &N, text: &str) -> Result<Json, serde_json::Error> {
    json::parse(text).or_else(|e| match N::STRINGS && notation.word(text).is_some() {
        true => Ok(Json::String(text.into())),
        false => Err(e),
    })
}

fn read_json(path: &PathBuf) -> Result<Json, Error> {
    let shown = path.display().to_string();
    let text = std::fs::read_to_string(path).map_err(|e| Error::File { path: shown.clone(), message: e.to_string() })?;
    json::parse(&text).map_err(|e| Error::Arguments(format!("{shown} is not JSON: {e}")))
}

/// Reports a command line that does not parse, or prints the help that it asks for; gives the exit code.
pub fn usage(e: &clap::Error) -> ExitCode {
    let text = e.render();
    // Colors are for terminals.
    let shown = |is_terminal: bool| if is_terminal { text.ansi().to_string() } else { text.to_string() };
    if !e.use_stderr() {
        answer::print(&shown(stdout().is_terminal()));
        return ExitCode::SUCCESS;
    }
    answer::say(stderr(), &shown(stderr().is_terminal()));
    let text = text.to_string();
    let message = text.lines().next().unwrap_or_default();
    fail_as_json(message.strip_prefix("error: ").unwrap_or(message));
    ExitCode::from(2)
}

/// Tells who reads JSON of a failure that no flags are known at.
fn fail_as_json(message: &str) {
    if std::env::args_os().any(|a| a == "--json") {
        answer::print(&serde_json::json!({"error": message}).to_string());
    }
}

/// Lets whatever is wrong with Gradus itself, on any thread, end the command with a report of it.
pub fn report_panics() {
    std::panic::set_hook(Box::new(|panic| {
        let message = panic.payload_as_str().unwrap_or("a panic");
        let place = panic.location().map(|l| format!(" ({}:{})", l.file(), l.line())).unwrap_or_default();
        let e = Error::Internal(format!("{message}{place}"));
        answer::say(stderr(), &e.render(None));
        fail_as_json(&e.to_string());
        std::process::exit(e.exit_code().into());
    }));
}

/// Runs the command; gives its exit code.
pub fn execute(cli: &Cli) -> ExitCode {
    let code = match &cli.command {
        Command::Run(flags) => ask(&flags.call, |program| run(program, flags)),
        Command::Grad(flags) => ask(&flags.differentiate.call, |program| grad(program, flags)),
        Command::Build(flags) => ask_file(&flags.file, flags.options(), false, |program| build::build(program, flags)),
        Command::Export(flags) => export::ask(flags),
        Command::Check(flags) => ask(&flags.call, |program| check::check(program, flags)),
        Command::Compare(flags) => ask(&flags.differentiate.call, |program| compare::compare(program, flags)),
        Command::Dot(flags) => ask(&flags.look.differentiate.call, |program| show::dot(program, flags)),
        Command::Show(flags) => ask(&flags.differentiate.call, |program| show::show(program, flags)),
        Command::Ir(look) => ask(&look.differentiate.call, |program| show::ir(program, look)),
        Command::Bench(flags) => done(bench::bench(flags)),
        Command::Study(flags) => study::study(flags),
        Command::Rules(flags) => done(rules::rules(flags).map(|text| answer::print(&text))),
        Command::Gradbench(flags) => done(gradbench::gradbench(flags)),
    };
    answer::flush();
    code
}

/// The exit code of what has printed its answers itself.
fn done(result: Result<(), Error>) -> ExitCode {
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(e) => answer::failure(&e, None, false),
    }
}

/// Asks something of the file that a call names, and prints the answer.
fn ask(call: &Call, question: impl FnOnce(&Program) -> Result<String, Error>) -> ExitCode {
    // Where the answer is for programs, nothing else is on standard output.
    output::print_to(Some(match call.json {
        true => Box::new(|text| answer::say(stderr(), text)),
        false => Box::new(|text| answer::say(stdout(), text)),
    }));
    if let Some(bytes) = call.memory {
        memory::limit_to(bytes);
    }
    match call.with_plugin() {
        Ok(options) => ask_file(&call.file, options, call.json, question),
        Err(e) => answer::failure(&e, None, call.json),
    }
}

/// Asks something of a file, and prints the answer.
fn ask_file(file: &Path, options: Options, json: bool, question: impl FnOnce(&Program) -> Result<String, Error>) -> ExitCode {
    let program = match Engine::new(options).load(file) {
        Ok(program) => program,
        Err(e) => {
            // The text is read again for the message: a file that does not parse leaves no program behind.
            let text = std::fs::read_to_string(file).unwrap_or_default();
            let source = gradus_ir::Source::new(file.display().to_string(), text);
            return answer::failure(&e, Some(&source), json);
        }
    };
    match question(&program) {
        Ok(text) => {
            answer::print(&text);
            ExitCode::SUCCESS
        }
        Err(e) => answer::failure(&e, Some(program.source()), json),
    }
}

fn run(program: &Program, flags: &Run) -> Result<String, Error> {
    if flags.over.is_numbers(flags.out.is_some())? {
        return over::run(program, flags);
    }
    let q = Question::new(program, &flags.call)?;
    let (value, compiled) = evaluate(&q, |compiled, args| q.run(compiled, args))?;
    if let Some(path) = &flags.out {
        npy::write(path, &value)?;
    }
    let explained = flags.explain.then(|| program.source());
    Ok(answer::value(&Doubles, &value, &compiled, &flags.call, explained))
}

fn grad(program: &Program, flags: &Grad) -> Result<String, Error> {
    if flags.over.is_numbers(flags.out.is_some())? {
        return over::grad(program, flags);
    }
    let q = Question::of_derivative(program, &flags.differentiate)?;
    let (derivative, compiled) = differentiate(&Doubles, &q, &flags.differentiate, |compiled, args| q.run(compiled, args))?;
    if let Some(folder) = &flags.out {
        derivative.write(folder)?;
    }
    let explained = flags.explain.then(|| program.source());
    Ok(answer::gradient(&Doubles, &derivative, &compiled, &flags.differentiate.call, explained))
}

/// The answer of `run`, by a way to run compiled programs.
fn evaluate<F: Number>(
    q: &Question<F>,
    run: impl FnOnce(&Compiled, &[Value<F>]) -> Result<Value<F>, Error>,
) -> Result<(Value<F>, Arc<Compiled>), Error> {
    let compiled = q.function.compile(&q.types, &Request::Value)?;
    Ok((run(&compiled, &q.values)?, compiled))
}

/// The answer of `grad`, by a way to run compiled programs.
fn differentiate<F: Number, N: Notation<Number = F>>(
    notation: &N,
    q: &Question<F>,
    flags: &Differentiate,
    run: impl FnOnce(&Compiled, &[Value<F>]) -> Result<Value<F>, Error>,
) -> Result<(Derivative<F>, Arc<Compiled>), Error> {
    let asked = Asked::read(q, flags, notation)?;
    let compiled = asked.compile(q)?;
    let result = run(&compiled, &asked.values(q))?;
    Ok((Derivative::new(&result, &asked, q.values.len()), compiled))
}

//! Functions compiled ahead of time, for programs in C and in languages that call C (docs/build.md).

mod header;
mod layout;
mod names;
mod rust;
mod signature;

use crate::{Compiled, Error, Function, Request};
use gradus_backend::jit::object::{self, Cpu, Export};
use gradus_ir::{DType, Dims, Source, Span, Type, stack};
use layout::Parameter;
use names::Names;
pub use signature::signature;
use std::sync::Arc;

/// Functions that become a library for C: an object file, and a header that says how to call them.
///
/// ```
/// use gradus::{Engine, Library, Request, signature};
/// # fn main() -> Result<(), gradus::Error> {
/// let program = Engine::default().load("examples/pow.py")?;
/// let (pow, types) = (program.function("pow")?, gradus::signature("f64, i64")?);
/// let gradient = pow.compile(&types, &Request::Gradient(vec![0]))?;
/// let library = Library::new("power", program.source()).with("power_grad", &pow, &gradient)?;
/// assert!(library.header().contains("int power_grad(double x, int64_t n, double *value, double *d_x);"));
/// let object: Vec<u8> = library.object()?;
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct Library {
    name: String,
    source: Source,
    cpu: Cpu,
    functions: Vec<Exported>,
}

/// A function of a library.
#[derive(Clone, Debug)]
struct Exported {
    symbol: String,
    /// What it answers, for people.
    what: String,
    compiled: Arc<Compiled>,
    args: Vec<Item>,
    results: Vec<Item>,
}

/// A parameter for C: a scalar or an array.
#[derive(Clone, Debug)]
struct Item {
    name: String,
    dtype: DType,
    /// Empty for a scalar.
    shape: Dims,
}

impl Library {
    /// A library without functions. Its name is what the names of the functions for failures begin with; `source` is the file that
    /// lines are counted in.
    pub fn new(name: &str, source: &Source) -> Library {
        Library { name: name.into(), source: source.clone(), cpu: Cpu::default(), functions: Vec::new() }
    }

    /// The same library for other processors.
    pub fn cpu(self, cpu: Cpu) -> Library {
        Library { cpu, ..self }
    }

    /// The same library with one more function: what was compiled of `function`, under a name for C.
    pub fn with(mut self, symbol: &str, function: &Function, compiled: &Arc<Compiled>) -> Result<Library, Error> {
        names::check(symbol)?;
        let own = [names::message(&self.name), names::line(&self.name)];
        if self.functions.iter().map(|f| &f.symbol).chain(&own).any(|known| known == symbol) {
            return Err(Error::Arguments(format!("there are two functions with the name `{symbol}`")));
        }
        let code = object::words(&compiled.stages().lowered)?;
        let typed = &compiled.stages().lowered.boundary;
        let count = code.params.len() - compiled.request().more_arguments().len();
        let own = function.argument_names(count);
        let forms = &typed.params[..count];
        let types: Vec<Type> = forms.iter().map(|form| typed.type_of(form)).collect();
        let value = function.boundary(&types)?.result.expect("the result has a form");
        let parameters: Vec<Parameter> = own.iter().zip(forms).map(|(name, form)| Parameter { name, form }).collect();
        let mut names = Names::default();
        let args = layout::arguments(compiled.request(), &parameters, &value);
        let args = layout::items(symbol, args, &code.params.concat(), &mut names)?;
        let results = layout::results(compiled.request(), &parameters, &value);
        let results = layout::items(symbol, results, &code.results, &mut names)?;
        let own: Vec<&str> = own.iter().map(|name| &**name).collect();
        let what = describe(compiled.request(), function.name(), &own);
        self.functions.push(Exported { symbol: symbol.into(), what, compiled: compiled.clone(), args, results });
        Ok(self)
    }

    /// What the names of functions begin with by default that come from a file, `model` for `models/model.py`.
    pub fn prefix(file: &str) -> String {
        names::prefix(file)
    }

    /// The names of its functions.
    pub fn symbols(&self) -> impl Iterator<Item = &str> {
        self.functions.iter().map(|f| &*f.symbol)
    }

    /// The object file, in the format of this system. It needs nothing but the C library.
    pub fn object(&self) -> Result<Vec<u8>, Error> {
        let exports: Vec<Export> =
            self.functions.iter().map(|f| Export { symbol: &f.symbol, module: &f.compiled.stages().lowered }).collect();
        let failures = [names::message(&self.name), names::line(&self.name)];
        let line = |span: Span| {
            let (_, range, first) = self.source.section(span);
            let before = &self.source.text.as_bytes()[range.start..(span.start as usize).clamp(range.start, range.end)];
            first + before.iter().filter(|&&b| b == b'\n').count()
        };
        let failures = failures.each_ref().map(|name| &**name);
        Ok(stack::deep(|| object::compile(&exports, self.cpu, failures, &line))?)
    }

    /// The object file as a static library, `libNAME.a`.
    pub fn archive(&self) -> Result<Vec<u8>, Error> {
        use ar_archive_writer::{ArchiveKind, DEFAULT_OBJECT_READER, NewArchiveMember, write_archive_to_stream};
        let object = self.object()?;
        let member = NewArchiveMember::new(object, &DEFAULT_OBJECT_READER, format!("{}.o", self.name));
        let kind = if cfg!(target_vendor = "apple") { ArchiveKind::Darwin } else { ArchiveKind::Gnu };
        let mut archive = std::io::Cursor::new(Vec::new());
        let written = write_archive_to_stream(&mut archive, &[member], kind, false, None);
        written.map_err(|e| Error::Internal(format!("no archive: {e}")))?;
        Ok(archive.into_inner())
    }
}

/// What derivatives of several orders are.
fn orders(call: &str, parameter: &str, highest: usize) -> String {
    format!("The value of {call} and its derivatives in {parameter} up to order {highest}.")
}

/// What a function answers, as the header says it.
fn describe(request: &Request, function: &str, parameters: &[&str]) -> String {
    let call = format!("{function}({})", parameters.join(", "));
    let wrt: Vec<&str> = request.wrt().unwrap_or_default().iter().map(|&i| parameters[i]).collect();
    let wrt = wrt.join(", ");
    match request {
        Request::Value => format!("The value of {call}."),
        Request::Gradient(_) | Request::Reverse(_) | Request::Forward(_, None) => {
            format!("The value of {call} and its gradient in {wrt}.")
        }
        Request::Pullback(..) | Request::Vjp(..) | Request::Forward(_, Some(_)) => {
            format!("The value of {call}, and the product of the cotangent `seed` of the value and the Jacobian in {wrt}.")
        }
        Request::Jvp(_) => format!("The value of {call}, and its tangent for the tangents of the arguments."),
        Request::Jacobian(_) => format!("The Jacobian of {call} in {wrt}: axes of the value, then those of the argument."),
        Request::Hessian(_) => format!("The Hessian of {call} in {wrt}."),
        Request::Hvp(..) => format!("The product of the Hessian of {call} in {wrt} and the tangents of the arguments."),
        Request::Orders(i, modes) => orders(&call, parameters[*i], modes.len()),
        Request::Taylor(i, order) => orders(&call, parameters[*i], *order),
    }
}

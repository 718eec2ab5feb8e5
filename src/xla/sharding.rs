//! How arguments and results lie on several devices.

use crate::{Compiled, Error, Request};
use gradus_ir::Form;
use gradus_ir::Type;
use gradus_pjrt::{Layout, Mesh};
use gradus_stablehlo::Placement;

/// The name of the result: no argument of a Python function can have this name.
const RESULT: &str = "return";

/// A mesh of devices, and the arguments and results that are split over its axes. By default there is one device.
///
/// The gradient of an argument lies as the argument does. All else that is not named is the same on every device. Shardy, the partitioner
/// of XLA, decides about all values in between.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Sharding {
    mesh: Mesh,
    /// The name of an argument, of the result, or of a part of one, and the axes that its dimensions are split over.
    arguments: Vec<(String, Layout)>,
}

impl Sharding {
    /// Reads a mesh, `data=4,model=2`, and arguments with the axes for their dimensions, `x=data,w1=:model,params.b=model`: a colon between
    /// dimensions, nothing for one that is not split. The result is called `return`, its parts are `return.0`, `return.w1`.
    ///
    /// ```
    /// use gradus::xla::Sharding;
    /// let sharding = Sharding::parse("data=4,model=2", "x=data,w1=:model")?;
    /// assert_eq!(sharding.devices(), 8);
    /// assert!(Sharding::parse("data=4", "x=rows").is_err());
    /// # Ok::<(), gradus::Error>(())
    /// ```
    pub fn parse(mesh: &str, arguments: &str) -> Result<Sharding, Error> {
        let misfit = |what: &str, text: &str| Error::Arguments(format!("`{text}` is no {what}"));
        let mut axes: Vec<(String, usize)> = Vec::new();
        for text in mesh.split(',').map(str::trim).filter(|t| !t.is_empty()) {
            let (name, size) = text.split_once('=').ok_or_else(|| misfit("axis of a mesh, like data=4", text))?;
            let size = size.trim().parse().ok().filter(|&n: &usize| n > 0);
            let size = size.ok_or_else(|| misfit("axis of a mesh, like data=4", text))?;
            let name = name.trim();
            let is_name = name.starts_with(|c: char| c.is_ascii_alphabetic())
                && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
            if !is_name || axes.iter().any(|(known, _)| known == name) {
                return Err(misfit("new name of an axis", name));
            }
            axes.push((name.to_owned(), size));
        }
        let axis = |name: &str| match name.trim() {
            "" => Ok(None),
            name => axes.iter().position(|(known, _)| known == name).map(Some).ok_or_else(|| misfit("axis of the mesh", name)),
        };
        let mut found = Vec::new();
        for text in arguments.split(',').map(str::trim).filter(|t| !t.is_empty()) {
            let (name, layout) = text.split_once('=').ok_or_else(|| misfit("argument with its axes, like x=data", text))?;
            found.push((name.trim().to_owned(), layout.split(':').map(axis).collect::<Result<Layout, Error>>()?));
        }
        Ok(Sharding { mesh: Mesh { axes }, arguments: found })
    }

    /// How many devices there are.
    pub fn devices(&self) -> usize {
        self.mesh.devices()
    }

    /// The mesh.
    pub fn mesh(&self) -> &Mesh {
        &self.mesh
    }

    /// The layouts of the arrays that go into a program, and of those that come out.
    pub(crate) fn layouts(&self, compiled: &Compiled) -> Result<[Vec<Layout>; 2], Error> {
        let forms = compiled.forms()?;
        let mut params = Vec::new();
        for (form, name) in forms.params.iter().zip(names_of_params(compiled)) {
            parts_of(form, &name, &mut params);
        }
        let mut results = Vec::new();
        if let Some(form) = &forms.result {
            named_parts(form, &names_of_results(compiled), &mut results);
        }
        let is_of = |part: &str, name: &str| part == name || part.strip_prefix(name).is_some_and(|rest| rest.starts_with('.'));
        for (name, layout) in &self.arguments {
            let all = || params.iter().chain(&results).filter(|(part, _)| is_of(part, name));
            if all().next().is_none() {
                // Other results have the names of arguments, or none.
                let own = results.iter().filter(|(part, _)| is_of(part, RESULT));
                let known = params.iter().chain(own).map(|(part, _)| part.as_str()).collect::<Vec<_>>().join(", ");
                return Err(Error::Arguments(format!("no argument is called `{name}`; there are {known}")));
            }
            if let Some((part, dims)) = all().find(|(_, dims)| dims.len() < layout.len()) {
                let (rank, count) = (dims.len(), layout.len());
                return Err(Error::Arguments(format!("`{part}` has {rank} dimensions, axes are given for {count}")));
            }
        }
        let layout = |(part, dims): &Part| -> Result<Layout, Error> {
            let found = self.arguments.iter().find(|(name, _)| is_of(part, name));
            let layout = found.map(|(_, layout)| layout.clone()).unwrap_or_default();
            self.mesh.part(dims, &layout)?;
            Ok(layout)
        };
        // A derivative of another shape than what it is taken in is whole.
        let lies_alike = |result: &&Part| is_of(&result.0, RESULT) || params.contains(result);
        let of_result = |result: &Part| Some(result).filter(lies_alike).map_or(Ok(Layout::new()), layout);
        let of_params = params.iter().map(layout).collect::<Result<_, _>>()?;
        Ok([of_params, results.iter().map(of_result).collect::<Result<_, _>>()?])
    }

    pub(crate) fn placement(&self, compiled: &Compiled) -> Result<Placement, Error> {
        if self.mesh.axes.is_empty() {
            return match self.arguments.is_empty() {
                true => Ok(Placement::default()),
                false => Err(Error::Arguments("arguments are split over the axes of a mesh, and there is no mesh".into())),
            };
        }
        let [params, results] = self.layouts(compiled)?;
        Ok(Placement { mesh: self.mesh.axes.clone(), params, results })
    }
}

/// An array or a number that a value is made of: its name, and its shape.
type Part = (String, Vec<i64>);

/// What a value is called: it has a name, or each of its items has one.
enum Names {
    One(String),
    Each(Vec<Names>),
}

/// The names of what goes in. A cotangent lies as the result does, a tangent as its argument.
fn names_of_params(compiled: &Compiled) -> impl Iterator<Item = String> {
    let own = compiled.argument_names().iter().cloned();
    let more: Vec<String> = match compiled.request() {
        Request::Jvp(_) | Request::Hvp(..) => own.clone().collect(),
        _ => vec![RESULT.into()],
    };
    own.chain(more)
}

/// The names of what comes out. A gradient lies as its argument does.
fn names_of_results(compiled: &Compiled) -> Names {
    let name = |i: &usize| Names::One(compiled.argument_names().get(*i).cloned().unwrap_or_default());
    let result = || Names::One(RESULT.into());
    match compiled.request() {
        Request::Value => result(),
        Request::Gradient(wrt) | Request::Reverse(wrt) | Request::Pullback(wrt, _) | Request::Forward(wrt, _) => {
            Names::Each(vec![result(), Names::Each(wrt.iter().map(name).collect())])
        }
        Request::Jvp(_) => Names::Each(vec![result(), result()]),
        Request::Hvp(wrt, _) => Names::Each(wrt.iter().map(name).collect()),
        Request::Vjp(..) | Request::Jacobian(_) | Request::Hessian(_) | Request::Orders(..) | Request::Taylor(..) => {
            Names::One(String::new())
        }
    }
}

/// The parts of a value whose items have names of their own.
fn named_parts(form: &Form, names: &Names, parts: &mut Vec<Part>) {
    match (form, names) {
        (_, Names::One(name)) => parts_of(form, name, parts),
        (Form::Tuple(forms), Names::Each(names)) => {
            forms.iter().zip(names).for_each(|(form, names)| named_parts(form, names, parts));
        }
        (Form::Plain(Type::Tuple(items)), Names::Each(names)) => {
            items.iter().zip(names).for_each(|(ty, names)| named_parts(&Form::Plain(ty.clone()), names, parts));
        }
        _ => parts_of(form, "", parts),
    }
}

/// The arrays and numbers that a value of a form is made of.
fn parts_of(form: &Form, name: &str, parts: &mut Vec<Part>) {
    match form {
        Form::Plain(ty) => parts_of_type(ty, name, parts),
        Form::Tuple(forms) | Form::List(forms) => {
            forms.iter().enumerate().for_each(|(i, form)| parts_of(form, &format!("{name}.{i}"), parts));
        }
        Form::Record(schema, forms) => {
            schema.fields.iter().zip(forms).for_each(|(field, form)| parts_of(form, &format!("{name}.{field}"), parts));
        }
        Form::Boxed(_) | Form::Unbounded(_) | Form::Union(_) => {}
    }
}

fn parts_of_type(ty: &Type, name: &str, parts: &mut Vec<Part>) {
    match ty {
        Type::Tuple(items) => items.iter().enumerate().for_each(|(i, ty)| parts_of_type(ty, &format!("{name}.{i}"), parts)),
        _ => parts.extend(ty.shape().map(|shape| (name.to_owned(), shape.to_vec()))),
    }
}

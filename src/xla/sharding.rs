//! How arguments lie on several devices.

use crate::{Compiled, Error};
use gradus_ir::Form;
use gradus_ir::Type;
use gradus_pjrt::{Layout, Mesh};
use gradus_stablehlo::Placement;

/// A mesh of devices, and the arguments that are split over its axes. By default there is one device.
///
/// All that is not named is the same on every device, and so are the results. Shardy, the partitioner of XLA, decides about all values in
/// between.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Sharding {
    mesh: Mesh,
    /// The name of an argument, or of a part of one, and the axes that its dimensions are split over.
    arguments: Vec<(String, Layout)>,
}

impl Sharding {
    /// Reads a mesh, `data=4,model=2`, and arguments with the axes for their dimensions, `x=data,w1=:model,params.b=model`: a colon between
    /// dimensions, nothing for one that is not split.
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

    /// The layout of each array that goes into a program.
    pub(crate) fn layouts(&self, compiled: &Compiled) -> Result<Vec<Layout>, Error> {
        let forms = compiled.forms()?;
        let names = compiled.argument_names();
        let mut parts = Vec::new();
        for (i, form) in forms.params.iter().enumerate() {
            parts_of(form, names.get(i).map_or("", |n| n), &mut parts);
        }
        let is_of = |part: &str, name: &str| part == name || part.strip_prefix(name).is_some_and(|rest| rest.starts_with('.'));
        for (name, layout) in &self.arguments {
            if !parts.iter().any(|(part, _)| is_of(part, name)) {
                let known = parts.iter().map(|(part, _)| part.as_str()).collect::<Vec<_>>().join(", ");
                return Err(Error::Arguments(format!("no argument is called `{name}`; there are {known}")));
            }
            let too_many = parts.iter().find(|(part, rank)| is_of(part, name) && *rank < layout.len());
            if let Some((part, rank)) = too_many {
                let count = layout.len();
                return Err(Error::Arguments(format!("`{part}` has {rank} dimensions, axes are given for {count}")));
            }
        }
        let layout = |(part, _): &(String, usize)| {
            let found = self.arguments.iter().find(|(name, _)| is_of(part, name));
            found.map(|(_, layout)| layout.clone()).unwrap_or_default()
        };
        Ok(parts.iter().map(layout).collect())
    }

    pub(crate) fn placement(&self, compiled: &Compiled) -> Result<Placement, Error> {
        if self.mesh.axes.is_empty() {
            return match self.arguments.is_empty() {
                true => Ok(Placement::default()),
                false => Err(Error::Arguments("arguments are split over the axes of a mesh, and there is no mesh".into())),
            };
        }
        Ok(Placement { mesh: self.mesh.axes.clone(), params: self.layouts(compiled)? })
    }
}

/// The arrays and numbers that a value of a form is made of: their names, and how many dimensions they have.
fn parts_of(form: &Form, name: &str, parts: &mut Vec<(String, usize)>) {
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

fn parts_of_type(ty: &Type, name: &str, parts: &mut Vec<(String, usize)>) {
    match ty {
        Type::Tuple(items) => items.iter().enumerate().for_each(|(i, ty)| parts_of_type(ty, &format!("{name}.{i}"), parts)),
        _ => parts.extend(ty.shape().map(|shape| (name.to_owned(), shape.len()))),
    }
}

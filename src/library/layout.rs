//! What a function for C takes and gives: the name and the shape of each scalar and array, in the order of compiled code.
//!
//! Names and shapes follow from the forms of the arguments and of the value alone. What code has is known from its types, and
//! [`items`] asserts that it is the same.

use super::Item;
use super::names::Names;
use crate::{Error, Request};
use gradus_ir::{DType, Dims, Form, Type};

/// A scalar or an array in a value, or one that a function gives for it.
#[derive(Clone, Debug)]
pub struct Word {
    /// Its name; in a value where it lies, `_0_w`.
    name: String,
    shape: Dims,
    /// Whether it has derivatives.
    is_float: bool,
}

/// A parameter of the function that a library has an answer for.
#[derive(Debug)]
pub struct Parameter<'a> {
    pub name: &'a str,
    pub form: &'a Form,
}

impl Parameter<'_> {
    /// What is given for each float of it.
    fn floats(&self, prefix: &str) -> Vec<Word> {
        named(&format!("{prefix}{}", self.name), floats(self.form))
    }
}

/// What a function takes that answers a request.
pub fn arguments(request: &Request, parameters: &[Parameter], value: &Form) -> Vec<Word> {
    let mut words: Vec<Word> = parameters.iter().flat_map(|p| named(p.name, words(p.form))).collect();
    words.extend(match request {
        Request::Jvp(_) | Request::Hvp(..) => parameters.iter().flat_map(|p| p.floats("t_")).collect(),
        _ if request.more_arguments().is_empty() => Vec::new(),
        _ => named("seed", floats(value)),
    });
    words
}

/// What a function gives that answers a request.
pub fn results(request: &Request, parameters: &[Parameter], value: &Form) -> Vec<Word> {
    let of = |wrt: &[usize], prefix: &str| -> Vec<Word> { wrt.iter().flat_map(|&i| parameters[i].floats(prefix)).collect() };
    let with_value = |more: Vec<Word>| [named("value", words(value)), more].concat();
    match request {
        Request::Value => named("result", words(value)),
        Request::Gradient(wrt) | Request::Reverse(wrt) | Request::Forward(wrt, _) => with_value(of(wrt, "d_")),
        Request::Pullback(wrt, _) | Request::Vjp(wrt, _) => with_value(of(wrt, "d_")),
        Request::Jvp(_) => with_value(named("tangent", floats(value))),
        Request::Hvp(wrt, _) => of(wrt, "h_"),
        Request::Hessian(wrt) => {
            let wrt = of(wrt, "");
            wrt.iter().flat_map(|a| wrt.iter().map(|b| derivative(&a.name, a, b))).collect()
        }
        Request::Jacobian(wrt) => {
            let groups = groups(value);
            let entries = wrt.iter().flat_map(|&i| groups.iter().map(move |group| (i, group)));
            let entry = |(i, group): (usize, &Vec<Word>)| -> Vec<Word> {
                let arguments = parameters[i].floats("");
                let of = |y: &Word| if y.name.is_empty() { String::new() } else { format!("result{}", y.name) };
                arguments.iter().flat_map(|x| group.iter().filter(|y| y.is_float).map(|y| derivative(&of(y), y, x))).collect()
            };
            entries.flat_map(entry).collect()
        }
        Request::Orders(i, modes) => with_value(orders(modes.len(), &parameters[*i])),
        Request::Taylor(i, order) => with_value(orders(*order, &parameters[*i])),
    }
}

/// The derivatives of each order in an argument.
fn orders(highest: usize, parameter: &Parameter) -> Vec<Word> {
    (1..=highest).flat_map(|k| named(&format!("order_{k}"), floats(parameter.form))).collect()
}

/// The derivative of `y` in `x`: axes of `y`, then those of `x`.
fn derivative(of: &str, y: &Word, x: &Word) -> Word {
    let parts = ["d", of, &x.name].into_iter().filter(|part| !part.is_empty());
    let shape = Dims::new(y.shape.iter().chain(x.shape.iter()).copied().collect::<Vec<_>>());
    Word { name: parts.collect::<Vec<_>>().join("_"), shape, is_float: true }
}

fn named(name: &str, words: Vec<Word>) -> Vec<Word> {
    words.into_iter().map(|word| Word { name: format!("{name}{}", word.name), ..word }).collect()
}

fn floats(form: &Form) -> Vec<Word> {
    words(form).into_iter().filter(|word| word.is_float).collect()
}

fn words(form: &Form) -> Vec<Word> {
    groups(form).concat()
}

/// The scalars and arrays of a value. Those of a complex number are together, for a Jacobian has them so.
fn groups(form: &Form) -> Vec<Vec<Word>> {
    let inside = |name: &dyn std::fmt::Display, form: &Form| -> Vec<Vec<Word>> {
        groups(form).into_iter().map(|group| named(&format!("_{name}"), group)).collect()
    };
    match form {
        Form::Plain(Type::Tuple(items)) => {
            items.iter().enumerate().flat_map(|(i, ty)| inside(&i, &Form::Plain(ty.clone()))).collect()
        }
        Form::Plain(ty) => {
            let word = ty.as_array().map(|(dtype, shape)| Word { name: String::new(), shape, is_float: dtype.is_float() });
            word.map(|word| vec![word]).into_iter().collect()
        }
        Form::Tuple(items) | Form::List(items) => items.iter().enumerate().flat_map(|(i, item)| inside(&i, item)).collect(),
        Form::Record(schema, items) => {
            let fields = schema.fields.iter().zip(items).flat_map(|(field, item)| inside(field, item));
            if schema.is_complex() { vec![fields.flatten().collect()] } else { fields.collect() }
        }
        // Compilation refuses these.
        Form::Boxed(_) | Form::Unbounded(_) | Form::Union(_) => Vec::new(),
    }
}

/// The parameters for C that stand for words; `code` says which scalars and arrays the code has for them.
pub fn items(symbol: &str, words: Vec<Word>, code: &[(DType, Dims)], names: &mut Names) -> Result<Vec<Item>, Error> {
    if !words.iter().map(|word| word.shape).eq(code.iter().map(|&(_, shape)| shape)) {
        let named: Vec<String> = words.iter().map(|word| format!("{} ({})", word.name, word.shape)).collect();
        let code: Vec<String> = code.iter().map(|(_, shape)| format!("({shape})")).collect();
        let (named, code) = (named.join(", "), code.join(", "));
        return Err(Error::Internal(format!("`{symbol}` is described as {named}, and its code has {code}")));
    }
    Ok(words.iter().zip(code).map(|(word, &(dtype, shape))| Item { name: names.unique(&word.name), dtype, shape }).collect())
}

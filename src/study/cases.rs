//! The cases of a study: each program at each of its arguments and orders, with the ways that are compared there.

use super::ways::{Axes, Choice};
use crate::{Error, Function, Type, Value};
use serde::{Deserialize, Serialize};

/// A value of a swept argument.
#[derive(Clone, PartialEq, Serialize, Deserialize, Debug)]
pub struct Point {
    /// The name of the argument.
    pub argument: String,
    /// The value, or the length of a list.
    pub value: f64,
}

/// A function with arguments, ready to be asked.
#[derive(Clone, Debug)]
pub struct Asked {
    pub(super) function: Function,
    pub(super) values: Vec<Value>,
    pub(super) types: Vec<Type>,
    pub(super) call: String,
    result: Type,
}

impl Asked {
    /// A function with arguments that it takes; `call` is how tables write the call.
    ///
    /// # Errors
    /// Whatever [`Function::result_type`] gives for arguments of such types.
    pub fn new(function: &Function, values: Vec<Value>, call: String) -> Result<Asked, Error> {
        let types = function.types(&values);
        let result = function.result_type(&types)?;
        Ok(Asked { function: function.clone(), values, types, call, result })
    }

    /// Why no derivative of it is taken, if it gives no float.
    pub(super) fn check(&self, name: &str) -> Result<(), Refusal> {
        match &self.result {
            Type::F64 => Ok(()),
            other => Err(Refusal {
                message: format!("`{name}` returns {}, and a study takes derivatives of a float", other.describe()),
                hint: None,
            }),
        }
    }
}

/// A program of a study, at all its arguments.
#[derive(Clone, Debug)]
pub struct Subject {
    /// The name that tables have, of letters, digits, `_` and `-`.
    pub name: String,
    /// A word by which findings group programs.
    pub kind: String,
    /// The file that it is in, or another name of its text.
    pub file: String,
    /// The text of the file.
    pub text: String,
    /// The name of its function there.
    pub function: String,
    /// The numbers of the arguments to differentiate in, from 0; all that hold floats where there are none.
    pub wrt: Option<Vec<usize>>,
    /// The ways that are compared.
    pub axes: Axes,
    /// The arguments, and those at each value of a sweep.
    pub points: Vec<(Option<Point>, Asked)>,
}

/// Why a program cannot be studied.
pub struct Refusal {
    pub message: String,
    pub hint: Option<&'static str>,
}

/// What is compared: one derivative of a program on one list of arguments, by several ways.
pub struct Case {
    pub program: String,
    pub kind: String,
    pub file: String,
    pub function: String,
    /// The value of the swept argument; none at the arguments of the program.
    pub point: Option<Point>,
    pub order: usize,
    /// Whether it stands for its program: the first order at the arguments of the program.
    pub is_first: bool,
    pub asked: Asked,
    pub wrt: Vec<usize>,
    pub ways: Vec<Choice>,
}

impl Case {
    /// A name for files.
    pub fn name(&self) -> String {
        let point = self.point.as_ref().map(|p| format!("-{}-{}", p.argument, p.value)).unwrap_or_default();
        format!("{}-{}{point}", self.program, self.order)
    }
}

impl Subject {
    /// Why it cannot be studied, if something is wrong at any arguments or order.
    pub(super) fn check(&self) -> Result<(), Refusal> {
        for (_, asked) in &self.points {
            asked.check(&self.name)?;
            for &order in &self.axes.orders {
                self.wrt(asked, order)?;
            }
        }
        Ok(())
    }

    /// Its cases at those of its orders that are asked for, once it was checked.
    pub(super) fn cases(&self, orders: Option<&[usize]>) -> Vec<Case> {
        let orders: Vec<usize> =
            self.axes.orders.iter().copied().filter(|n| orders.is_none_or(|orders| orders.contains(n))).collect();
        let points = self.points.iter().flat_map(|point| orders.iter().map(move |&order| (point, order)));
        let of = |((point, asked), order): (&(Option<Point>, Asked), usize)| Case {
            program: self.name.clone(),
            kind: self.kind.clone(),
            file: self.file.clone(),
            function: self.function.clone(),
            is_first: point.is_none() && order == orders[0],
            point: point.clone(),
            order,
            asked: asked.clone(),
            wrt: self.wrt(asked, order).unwrap_or_default(),
            ways: self.axes.ways(order),
        };
        points.map(of).collect()
    }

    /// The arguments that derivatives are taken in: above the first order, one float.
    fn wrt(&self, asked: &Asked, order: usize) -> Result<Vec<usize>, Refusal> {
        let refused = |message: String, hint| Err(Refusal { message, hint });
        let types = &asked.types;
        let wrt = self.wrt.clone().unwrap_or_else(|| crate::active(types));
        if let Some(i) = wrt.iter().find(|&&i| types.get(i).is_none_or(Type::is_inert)) {
            return refused(format!("argument {i} is none that holds floats; they are counted from 0"), None);
        }
        if wrt.is_empty() {
            return refused(format!("`{}` has no argument that holds floats", self.name), Some("write 3.0 for a float"));
        }
        match (order, wrt.iter().copied().find(|&i| types[i] == Type::F64)) {
            (1, _) => Ok(wrt),
            (_, Some(i)) => Ok(vec![i]),
            (_, None) => refused(
                format!("derivatives of order {order} are taken in a float, and `{}` has none", self.name),
                Some("give the program `ways.orders = [1]`"),
            ),
        }
    }
}

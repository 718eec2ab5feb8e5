//! The methods of numbers.

use super::Checker;
use crate::names;
use crate::refusal::{Refusal, Result};
use crate::types::{Int, Kind, Ty};
use quote::ToTokens;

impl<'p> Checker<'p> {
    /// The type of a method of numbers as a function.
    pub(super) fn method_type(&mut self, name: &str, kind: Kind, at: &impl ToTokens) -> Result<Ty> {
        let this = self.new_type(kind);
        let (params, result) = self.number_method(this, name, at)?;
        Ok(self.new_type(Kind::Fn([&[this], &params[..]].concat(), result)))
    }

    /// What a method of a number takes beside it, and gives.
    pub(super) fn number_method(&mut self, this: Ty, name: &str, at: &impl ToTokens) -> Result<(Vec<Ty>, Ty)> {
        let unknown = |at: &dyn ToTokens, known: Vec<&'static str>, of: &str| {
            let refusal = Refusal::new(&at.to_token_stream(), format!("the method `{name}` of {of} is not supported"));
            match names::nearest(name, known) {
                Some(near) => refusal.hint(format!("did you mean `{near}`?")),
                None => refusal,
            }
        };
        match self.kind(this) {
            Kind::F64 => {
                let Some((count, shape)) = names::float(name) else {
                    return Err(unknown(at, names::FLOAT.iter().map(|row| row.0).collect(), "`f64`"));
                };
                let param = match shape {
                    names::Shape::Power => self.new_type(Kind::Int(Int::I32)),
                    _ => this,
                };
                let result = match shape {
                    names::Shape::Float | names::Shape::Power => this,
                    names::Shape::Test => self.boolean(),
                    names::Shape::Pair => self.new_type(Kind::Tuple(vec![this, this])),
                };
                Ok((vec![param; count], result))
            }
            _ => {
                if let Some((what, _)) = name.split_once('_')
                    && matches!(what, "wrapping" | "checked" | "saturating" | "overflowing")
                {
                    let hint = "write the operator: a number that leaves the range of its type is an `Err`";
                    return Err(Refusal::unsupported(at, format!("`{name}`")).hint(hint));
                }
                let Some(count) = names::integer(name) else {
                    return Err(unknown(at, names::INTEGER.iter().map(|row| row.0).collect(), "integers"));
                };
                let param = if name == "pow" { self.new_type(Kind::Int(Int::U32)) } else { this };
                Ok((vec![param; count], this))
            }
        }
    }
}

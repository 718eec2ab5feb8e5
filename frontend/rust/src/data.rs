//! Structs and enums as programs have them: records. An enum is one of the number of its variant, `tag`, and of a field for each variant
//! with data; of the others, these hold zeros.
//!
//! ```text
//! struct P(f64, i64)                               P { _0: f64, _1: i64 }
//! enum E { A, B(f64), C { x: f64, n: i64 } }       E { tag: i64, B: f64, C: (f64, i64) }
//! ```

use crate::program::Syntax;
use crate::refusal::{Refusal, Result};
use quote::quote;
use syn::{Expr, Fields, ItemEnum, Lit, Member, Type, UnOp};

/// What a struct or an enum is made of.
#[derive(Clone, Default)]
pub struct Data {
    /// The fields of the record: names and types.
    pub fields: Vec<(String, Type)>,
    /// The variants of an enum.
    pub variants: Vec<Variant>,
}

/// A variant of an enum.
#[derive(Clone)]
pub struct Variant {
    /// Its name.
    pub name: String,
    /// Its discriminant, which is the tag of its values.
    pub tag: i64,
    /// The field of the record that holds its data, if it has some: the one that there is, or a tuple.
    pub field: Option<usize>,
    /// The names, or numbers, and types of its data.
    pub members: Vec<(String, Type)>,
}

impl Data {
    /// What an item is made of; nothing if it is no type.
    pub fn of(syntax: &Syntax) -> Result<Data> {
        match syntax {
            Syntax::Struct(s) => Ok(Data { fields: members(&s.fields, "_"), variants: Vec::new() }),
            Syntax::Enum(e) => enumeration(e),
            _ => Ok(Data::default()),
        }
    }

    /// The field of a struct, or the item of the data of a variant, that a member is.
    pub fn position(members: &[(String, Type)], member: &Member) -> Option<usize> {
        match member {
            Member::Named(name) => members.iter().position(|(n, _)| name == n),
            Member::Unnamed(i) => {
                let index = i.index as usize;
                let is_numbered = members.first().is_some_and(|(name, _)| name.trim_start_matches('_') == "0");
                (is_numbered && index < members.len()).then_some(index)
            }
        }
    }

    /// The variant with a name.
    pub fn variant(&self, name: &str) -> Option<usize> {
        self.variants.iter().position(|v| v.name == name)
    }
}

/// Fields with their names. Those without have numbers behind a prefix, as a field of a record is a name of Python, too.
pub fn members(fields: &Fields, prefix: &str) -> Vec<(String, Type)> {
    let named = fields.iter().enumerate().map(|(i, field)| {
        let name = field.ident.as_ref().map_or_else(|| format!("{prefix}{i}"), ToString::to_string);
        (name, field.ty.clone())
    });
    named.collect()
}

fn enumeration(e: &ItemEnum) -> Result<Data> {
    let mut data = Data { fields: vec![("tag".into(), syn::parse_quote!(i64))], variants: Vec::new() };
    let mut next = 0;
    for variant in &e.variants {
        let tag = match &variant.discriminant {
            Some((_, e)) => literal(e)
                .ok_or_else(|| Refusal::new(e, "the number of a variant is a literal here").hint("write the number itself"))?,
            None => next,
        };
        next = tag.wrapping_add(1);
        let members = members(&variant.fields, "");
        let types: Vec<&Type> = members.iter().map(|(_, ty)| ty).collect();
        let content: Option<Type> = match &types[..] {
            [] => None,
            [one] => Some((*one).clone()),
            several => Some(syn::parse2(quote!((#(#several),*))).expect("it is the type of a tuple")),
        };
        let name = variant.ident.to_string();
        let field = content.map(|ty| {
            data.fields.push((name.clone(), ty));
            data.fields.len() - 1
        });
        data.variants.push(Variant { name, tag, field, members });
    }
    Ok(data)
}

/// A number that is written out.
fn literal(e: &Expr) -> Option<i64> {
    match e {
        Expr::Lit(l) => {
            if let Lit::Int(i) = &l.lit {
                i.base10_parse().ok()
            } else {
                None
            }
        }
        Expr::Unary(u) if matches!(u.op, UnOp::Neg(_)) => literal(&u.expr)?.checked_neg(),
        Expr::Paren(p) => literal(&p.expr),
        Expr::Group(g) => literal(&g.expr),
        _ => None,
    }
}

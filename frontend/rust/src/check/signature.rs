//! Signatures, and the types that are written in them.

use super::{Absent, Checker, Form, Length, Mention, Way};
use crate::program::{Alias, Resolved, Syntax, path_key};
use crate::refusal::{Refusal, Result};
use crate::types::{Int, Kind, Ty};
use quote::ToTokens;
use syn::{Block, FnArg, ReturnType};

impl<'p> Checker<'p> {
    pub(super) fn function(&mut self, signature: &'p syn::Signature, body: &'p Block) -> Result<()> {
        let refused = [
            (signature.asyncness.as_ref().map(ToTokens::to_token_stream), "an `async` function"),
            (signature.unsafety.as_ref().map(ToTokens::to_token_stream), "an `unsafe` function"),
            (signature.abi.as_ref().map(ToTokens::to_token_stream), "a function of another language"),
        ];
        for (part, what) in refused {
            if let Some(part) = part {
                return Err(Refusal::unsupported(&part, what));
            }
        }
        self.generics = self.type_parameters(signature)?;
        let (params, result) = self.signature_here(signature)?;
        self.known.params.clone_from(&params);
        self.results.push(result);
        for (argument, ty) in signature.inputs.iter().zip(params) {
            match argument {
                FnArg::Receiver(r) => {
                    let this = self.bind("self", ty);
                    if r.mutability.is_some() {
                        self.known.mutable.insert(this);
                    }
                    self.known.this = Some(this);
                }
                FnArg::Typed(t) => {
                    if is_changed(argument) && !matches!(&*t.pat, syn::Pat::Ident(_)) {
                        return Err(Refusal::unsupported(&t.pat, "a pattern for what is written through a reference"));
                    }
                    self.pattern(&t.pat, ty)?;
                }
            }
        }
        for parameter in &signature.generics.params {
            if let syn::GenericParam::Const(c) = parameter {
                self.length(signature, c)?;
            }
        }
        let found = self.block(body)?;
        self.same(found, result, &signature.output)
    }

    /// `const N: usize`, which is the length of an argument.
    fn length(&mut self, signature: &'p syn::Signature, parameter: &'p syn::ConstParam) -> Result<()> {
        let found = signature.inputs.iter().enumerate().find_map(|(i, argument)| match argument {
            FnArg::Typed(t) => way_to_length(&t.ty, &parameter.ident).map(|way| (i, way)),
            FnArg::Receiver(_) => None,
        });
        let Some((argument, way)) = found else {
            return Err(Refusal::new(parameter, "no parameter is an array of this length").hint("take the number as an argument"));
        };
        let usize = self.new_type(Kind::Int(Int::USIZE));
        let local = self.bind(&parameter.ident.to_string(), usize);
        self.known.lengths.push(Length { local, argument, way });
        Ok(())
    }

    /// The parameters for types: functions.
    fn type_parameters(&mut self, signature: &'p syn::Signature) -> Result<Vec<(String, Ty)>> {
        let mut parameters = Vec::new();
        for parameter in &signature.generics.params {
            let syn::GenericParam::Type(t) = parameter else { continue };
            let clauses = signature.generics.where_clause.iter().flat_map(|w| &w.predicates);
            let said = clauses.filter_map(|clause| match clause {
                syn::WherePredicate::Type(of) if matches!(&of.bounded_ty, syn::Type::Path(p) if p.path.is_ident(&t.ident)) => {
                    Some(&of.bounds)
                }
                _ => None,
            });
            let bounds = [&t.bounds].into_iter().chain(said).flatten();
            if !bounds.clone().any(is_function) {
                return Err(Refusal::new(t, "a type parameter is that of a function here")
                    .hint("write the type, and `F: Fn(f64) -> f64` for that of a function"));
            }
            let ty = self.function_type(bounds, t)?;
            parameters.push((t.ident.to_string(), ty));
        }
        Ok(parameters)
    }

    /// The types of parameters and result, in a function of an item.
    pub(super) fn signature(&mut self, item: usize, signature: &'p syn::Signature) -> Result<(Vec<Ty>, Ty)> {
        let here = std::mem::replace(&mut self.item, item);
        let types = self.type_parameters(signature).and_then(|generics| {
            let outer = std::mem::replace(&mut self.generics, generics);
            let types = self.signature_here(signature);
            self.generics = outer;
            types
        });
        self.item = here;
        types
    }

    pub(super) fn signature_here(&mut self, signature: &'p syn::Signature) -> Result<(Vec<Ty>, Ty)> {
        let mut params = Vec::new();
        for argument in &signature.inputs {
            params.push(match argument {
                FnArg::Receiver(r) => self.this_type(r)?,
                FnArg::Typed(t) => match &*t.ty {
                    syn::Type::Reference(r) => self.ty(&r.elem)?,
                    ty => self.ty(ty)?,
                },
            });
        }
        let result = match &signature.output {
            ReturnType::Default => self.known.types.unit(),
            ReturnType::Type(_, ty) => self.ty(ty)?,
        };
        Ok((params, result))
    }

    /// The type that methods are of.
    pub(super) fn this_type(&mut self, at: &impl ToTokens) -> Result<Ty> {
        let declared = &self.program.items[self.item];
        // The operators of numbers with a struct are kept with the struct.
        if let Syntax::Methods(methods) = &declared.syntax
            && let syn::Type::Path(p) = behind_references(&methods.self_ty)
            && let Some(name) = p.path.get_ident().map(ToString::to_string)
            && (name == "f64" || Int::named(&name).is_some())
        {
            return self.named_type(&p.path);
        }
        match declared.of {
            Some(of) => Ok(self.new_type(Kind::Struct(of))),
            None => self.elsewhere(at, "there is no type that `self` is of"),
        }
    }

    /// `Self::Output`: a type that belongs to the methods of a trait.
    fn associated_type(&mut self, path: &syn::Path) -> Option<&'p syn::Type> {
        let program = self.program;
        let Syntax::Methods(methods) = &program.items[self.item].syntax else { return None };
        let name = path_key(path);
        let name = name.strip_prefix("Self::")?;
        methods.items.iter().find_map(|item| match item {
            syn::ImplItem::Type(t) if t.ident == name => Some(&t.ty),
            _ => None,
        })
    }

    /// The type that is written.
    pub(super) fn ty(&mut self, ty: &syn::Type) -> Result<Ty> {
        match ty {
            syn::Type::Paren(t) => self.ty(&t.elem),
            syn::Type::Group(t) => self.ty(&t.elem),
            syn::Type::Infer(_) => Ok(self.known.types.unknown()),
            syn::Type::Reference(r) if r.mutability.is_some() => {
                Err(Refusal::unsupported(r, "what is written through this reference")
                    .hint("a parameter of a function may be `&mut`"))
            }
            syn::Type::Reference(r) => self.ty(&r.elem),
            syn::Type::Tuple(t) => {
                let items = t.elems.iter().map(|t| self.ty(t)).collect::<Result<_>>()?;
                Ok(self.new_type(Kind::Tuple(items)))
            }
            syn::Type::Array(syn::TypeArray { elem, .. }) | syn::Type::Slice(syn::TypeSlice { elem, .. }) => {
                let element = self.ty(elem)?;
                self.check_element(element, elem)?;
                Ok(self.new_type(Kind::Array(element)))
            }
            syn::Type::ImplTrait(syn::TypeImplTrait { bounds, .. })
            | syn::Type::TraitObject(syn::TypeTraitObject { bounds, .. }) => self.function_type(bounds, ty),
            syn::Type::BareFn(f) => {
                let params = f.inputs.iter().map(|t| self.ty(&t.ty)).collect::<Result<_>>()?;
                self.function_of(params, &f.output)
            }
            syn::Type::Path(p) if p.qself.is_none() => self.named_type(&p.path),
            other => Err(Refusal::unsupported(other, "a value of this type")),
        }
    }

    pub(super) fn function_of(&mut self, params: Vec<Ty>, output: &ReturnType) -> Result<Ty> {
        let result = match output {
            ReturnType::Default => self.known.types.unit(),
            ReturnType::Type(_, ty) => self.ty(ty)?,
        };
        Ok(self.new_type(Kind::Fn(params, result)))
    }

    /// `impl Fn(A…) -> R`.
    pub(super) fn function_type<'b>(
        &mut self,
        bounds: impl IntoIterator<Item = &'b syn::TypeParamBound>,
        at: &impl ToTokens,
    ) -> Result<Ty> {
        for bound in bounds {
            if is_function(bound)
                && let syn::TypeParamBound::Trait(t) = bound
                && let Some(last) = t.path.segments.last()
                && let syn::PathArguments::Parenthesized(args) = &last.arguments
            {
                let params = args.inputs.iter().map(|t| self.ty(t)).collect::<Result<_>>()?;
                return self.function_of(params, &args.output);
            }
        }
        Err(Refusal::unsupported(at, "a value of this type").hint("functions are `impl Fn(f64) -> f64`"))
    }

    pub(super) fn named_type(&mut self, path: &syn::Path) -> Result<Ty> {
        let name = path_key(path);
        if let Some((_, ty)) = self.generics.iter().find(|(n, _)| *n == name) {
            return Ok(*ty);
        }
        if let Some(ty) = self.associated_type(path) {
            return self.ty(ty);
        }
        if let Some(int) = Int::named(&name) {
            return Ok(self.new_type(Kind::Int(int)));
        }
        match &*name {
            "f64" => return Ok(self.new_type(Kind::F64)),
            "bool" => return Ok(self.new_type(Kind::Bool)),
            "f32" => return Err(Refusal::unsupported(path, "`f32`").hint("compute in `f64`")),
            "i128" | "u128" => return Err(Refusal::unsupported(path, format!("`{name}`")).hint("`i64` is the longest")),
            "char" | "str" | "String" => return Err(Refusal::unsupported(path, format!("`{name}`"))),
            "Vec" => {
                let Some(element) = type_argument(path) else { return Ok(self.known.types.unknown()) };
                let ty = self.ty(element)?;
                self.check_element(ty, element)?;
                return Ok(self.new_type(Kind::Array(ty)));
            }
            "Option" => {
                let Some(inner) = type_argument(path) else { return Ok(self.known.types.unknown()) };
                let ty = self.ty(inner)?;
                return self.option(ty, inner);
            }
            "Result" => return self.result_type(path),
            "Box" => return Err(Refusal::unsupported(path, format!("`{name}`"))),
            "Self" => return self.this_type(path),
            _ => {}
        }
        if let Some(segment) = path.segments.iter().find(|s| !s.arguments.is_none()) {
            return Err(Refusal::unsupported(&segment.arguments, "a type with parameters"));
        }
        match self.resolve(Mention::Struct, path) {
            Some(Resolved::Struct(of)) => Ok(self.new_type(Kind::Struct(of))),
            Some(Resolved::Type(alias)) => Ok(self.alias_type(&alias)),
            _ => self.elsewhere(path, format!("`{name}` is no struct or enum that derives `gradus::Value`")),
        }
    }

    /// The type that a second name stands for.
    pub(super) fn alias_type(&mut self, alias: &Alias<Resolved>) -> Ty {
        let kind = match alias {
            Alias::Number("bool") => Kind::Bool,
            Alias::Number(name) => Int::named(name).map_or(Kind::F64, Kind::Int),
            Alias::Array(element, _) => Kind::Array(self.resolved_type(element)),
            Alias::Tuple(items) => Kind::Tuple(items.iter().map(|item| self.resolved_type(item)).collect()),
        };
        self.new_type(kind)
    }

    fn resolved_type(&mut self, resolved: &Resolved) -> Ty {
        match resolved {
            Resolved::Struct(of) => self.new_type(Kind::Struct(*of)),
            Resolved::Type(alias) => self.alias_type(alias),
            Resolved::Function(_) | Resolved::Constant(_) => unreachable!("it is no type"),
        }
    }

    /// Arrays hold numbers, booleans, tuples and structs of these, and arrays.
    pub(super) fn check_element(&mut self, element: Ty, at: &impl ToTokens) -> Result<()> {
        let refused = match self.kind(element) {
            Kind::Tuple(items) if !items.is_empty() => {
                return items.into_iter().try_for_each(|item| self.check_element(item, at));
            }
            Kind::Array(inner) => return self.check_element(inner, at),
            Kind::Struct(of) if self.program.fields(of).is_empty() => "structs without fields",
            Kind::Tuple(_) => "`()`",
            Kind::Option(_) | Kind::Result(..) => "options",
            Kind::Text => "texts",
            Kind::Fn(..) | Kind::Iter(_) => "functions",
            _ => return Ok(()),
        };
        Err(Refusal::unsupported(at, format!("an array of {refused}"))
            .hint("keep an array for each part of it, of numbers or structs"))
    }

    /// What the fields of a struct are made of.
    pub(super) fn field_forms(&mut self, of: usize) -> Result<Vec<Form>> {
        let program = self.program;
        let here = std::mem::replace(&mut self.item, of);
        let forms = program.fields(of).iter().map(|(_, ty)| self.form(ty)).collect();
        self.item = here;
        forms
    }

    /// What a value of the type that is written is made of. A slice or a `Vec` is the array that it is to callers.
    pub(super) fn form(&mut self, ty: &syn::Type) -> Result<Form> {
        match ty {
            syn::Type::Paren(t) => self.form(&t.elem),
            syn::Type::Group(t) => self.form(&t.elem),
            syn::Type::Reference(t) => self.form(&t.elem),
            syn::Type::Array(t) => Ok(self.form(&t.elem)?.of_elements()),
            syn::Type::Tuple(t) => {
                let forms = t.elems.iter().map(|t| self.form(t)).collect::<Result<_>>()?;
                let known = self.ty(ty)?;
                Ok(Form::Fields(self.kind(known), forms))
            }
            syn::Type::Path(p) => {
                let known = self.ty(ty)?;
                let kind = self.kind(known);
                match kind {
                    Kind::Struct(of) => Ok(Form::Fields(kind, self.field_forms(of)?)),
                    Kind::Option(_) if let Some(inner) = type_argument(&p.path) => {
                        Ok(Form::Option(Box::new(self.form(inner)?), self.absent(inner)?))
                    }
                    Kind::Result(..) if let [value, error] = type_arguments(&p.path)[..] => {
                        let known = |me: &mut Self, ty: &syn::Type| Ok((me.form(ty)?, me.absent(ty)?));
                        let error = if is_text(error) { (Form::Plain, Absent::None) } else { known(self, error)? };
                        Ok(Form::Result(Box::new([known(self, value)?, error])))
                    }
                    Kind::Array(_) | Kind::Tuple(_)
                        if let Some(Resolved::Type(alias)) = self.resolve(Mention::Struct, &p.path) =>
                    {
                        self.alias_form(&alias)
                    }
                    _ => Ok(Form::Plain),
                }
            }
            _ => Ok(Form::Plain),
        }
    }

    fn alias_form(&mut self, alias: &Alias<Resolved>) -> Result<Form> {
        let part = |me: &mut Self, resolved: &Resolved| match resolved {
            Resolved::Struct(of) => Ok(Form::Fields(Kind::Struct(*of), me.field_forms(*of)?)),
            Resolved::Type(alias) => me.alias_form(alias),
            Resolved::Function(_) | Resolved::Constant(_) => unreachable!("it is no type"),
        };
        match alias {
            Alias::Number(_) | Alias::Array(_, None) => Ok(Form::Plain),
            Alias::Array(element, Some(_)) => Ok(part(self, element)?.of_elements()),
            Alias::Tuple(items) => {
                let forms = items.iter().map(|item| part(self, item)).collect::<Result<_>>()?;
                let ty = self.alias_type(alias);
                Ok(Form::Fields(self.kind(ty), forms))
            }
        }
    }
}

/// Whether a bound says that a type is one of functions.
fn is_function(bound: &syn::TypeParamBound) -> bool {
    let syn::TypeParamBound::Trait(t) = bound else { return false };
    t.path.segments.last().is_some_and(|last| matches!(&*last.ident.to_string(), "Fn" | "FnMut" | "FnOnce"))
}

/// Whether a function changes what is given for a parameter.
pub fn is_changed(argument: &FnArg) -> bool {
    match argument {
        FnArg::Receiver(r) => r.reference.is_some() && r.mutability.is_some(),
        FnArg::Typed(t) => matches!(&*t.ty, syn::Type::Reference(r) if r.mutability.is_some()),
    }
}

/// The variable that a pattern is.
pub fn variable(mut pattern: &syn::Pat) -> Option<&syn::PatIdent> {
    loop {
        pattern = match pattern {
            syn::Pat::Paren(p) => &p.pat,
            syn::Pat::Type(t) => &t.pat,
            syn::Pat::Ident(i) => return Some(i),
            _ => return None,
        };
    }
}

/// A type without references to it.
fn behind_references(mut ty: &syn::Type) -> &syn::Type {
    loop {
        ty = match ty {
            syn::Type::Reference(r) => &r.elem,
            syn::Type::Paren(t) => &t.elem,
            syn::Type::Group(t) => &t.elem,
            other => return other,
        };
    }
}

/// How to get from a value of a type to an array of so many elements.
fn way_to_length(ty: &syn::Type, name: &syn::Ident) -> Option<Vec<Way>> {
    let behind = |first: Way, ty| way_to_length(ty, name).map(|rest| [vec![first], rest].concat());
    match behind_references(ty) {
        syn::Type::Array(a) if matches!(&a.len, syn::Expr::Path(p) if p.path.is_ident(name)) => Some(Vec::new()),
        syn::Type::Array(a) => behind(Way::Element, &a.elem),
        syn::Type::Slice(s) => behind(Way::Element, &s.elem),
        syn::Type::Tuple(t) => t.elems.iter().enumerate().find_map(|(i, ty)| behind(Way::Field(i), ty)),
        _ => None,
    }
}

/// The types that are arguments of a type.
pub(super) fn type_arguments(path: &syn::Path) -> Vec<&syn::Type> {
    match path.segments.last().map(|s| &s.arguments) {
        Some(syn::PathArguments::AngleBracketed(args)) => {
            let types = args.args.iter().filter_map(|arg| if let syn::GenericArgument::Type(ty) = arg { Some(ty) } else { None });
            types.collect()
        }
        _ => Vec::new(),
    }
}

/// Whether a type is that of a message: text, or an error of any kind.
pub fn is_text(ty: &syn::Type) -> bool {
    match behind_references(ty) {
        syn::Type::Path(p) => matches!(&*path_key(&p.path), "str" | "String" | "Box"),
        _ => false,
    }
}

/// `T` of `Vec<T>`.
pub(super) fn type_argument(path: &syn::Path) -> Option<&syn::Type> {
    let syn::PathArguments::AngleBracketed(args) = &path.segments.last()?.arguments else { return None };
    match args.args.first() {
        Some(syn::GenericArgument::Type(ty)) => Some(ty),
        _ => None,
    }
}

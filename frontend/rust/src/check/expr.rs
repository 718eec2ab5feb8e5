//! Expressions.

use super::data::owner;
use super::{Checker, Mention, Use, behind_mut, is_changed};
use crate::data::Data;
use crate::program::{Constant, FunctionId, Resolved, path_key};
use crate::refusal::{Refusal, Result};
use crate::types::{Int, Kind, Ty};
use syn::{Expr, Lit, Member};

impl<'p> Checker<'p> {
    /// The type of an expression, which is noted.
    pub(super) fn expr(&mut self, e: &'p Expr) -> Result<Ty> {
        let ty = self.expr_type(e)?;
        self.known.of.insert(std::ptr::from_ref(e), ty);
        Ok(ty)
    }

    /// Checks an expression whose type is known.
    pub(super) fn expr_of(&mut self, e: &'p Expr, ty: Ty) -> Result<()> {
        let found = self.expr(e)?;
        self.same(found, ty, e)
    }

    pub(super) fn boolean(&mut self) -> Ty {
        self.new_type(Kind::Bool)
    }

    fn expr_type(&mut self, e: &'p Expr) -> Result<Ty> {
        match e {
            Expr::Lit(l) => self.literal(&l.lit),
            Expr::Path(p) => {
                let ty = self.path(e, p)?;
                self.as_value(e)?;
                Ok(ty)
            }
            Expr::Paren(p) => self.expr(&p.expr),
            Expr::Group(g) => self.expr(&g.expr),
            Expr::Reference(r) if r.mutability.is_some() => {
                Err(Refusal::unsupported(r, "what is written through this reference")
                    .hint("a function is given `&mut x`, and a variable may be one: `let p = &mut x;`"))
            }
            Expr::Reference(r) => self.expr(&r.expr),
            Expr::Unary(u) => self.unary(u),
            Expr::Binary(b) => self.binary(b),
            Expr::Assign(a) => self.assign(&a.left, &a.right),
            Expr::Cast(c) => {
                self.expr(&c.expr)?;
                self.ty(&c.ty)
            }
            Expr::Tuple(t) => {
                let items = t.elems.iter().map(|e| self.expr(e)).collect::<Result<_>>()?;
                Ok(self.new_type(Kind::Tuple(items)))
            }
            Expr::Array(a) => {
                let element = self.known.types.unknown();
                a.elems.iter().try_for_each(|e| self.expr_of(e, element))?;
                self.check_element(element, a)?;
                Ok(self.new_type(Kind::Array(element)))
            }
            Expr::Repeat(r) => {
                let element = self.expr(&r.expr)?;
                self.check_element(element, r)?;
                let length = self.new_type(Kind::Int(Int::USIZE));
                self.expr_of(&r.len, length)?;
                Ok(self.new_type(Kind::Array(element)))
            }
            Expr::Index(i) => self.index(i),
            Expr::Field(f) => {
                let base = self.expr(&f.base)?;
                self.field_type(base, &f.member)
            }
            Expr::Struct(s) => self.structure(s),
            Expr::Call(c) => self.call(c),
            Expr::MethodCall(c) => self.method_call(c),
            Expr::Closure(c) => {
                let params: Vec<Ty> = c.inputs.iter().map(|_| self.known.types.unknown()).collect();
                let ty = self.closure(c, params)?;
                if !self.known.changed(c).is_empty() {
                    return Err(Refusal::new(c, "a closure that changes variables outside of it is called by its name alone")
                        .hint("write `let mut f = …;` and call `f`, or return the new value"));
                }
                Ok(ty)
            }
            Expr::Range(r) => self.range(r),
            Expr::If(i) => self.if_else(i),
            Expr::Block(b) => match &b.label {
                Some(label) => self.labelled_block(label, &b.block),
                None => self.block(&b.block),
            },
            Expr::While(w) => {
                let boolean = self.boolean();
                let scope = self.scope.len();
                self.condition(&w.cond, boolean)?;
                self.loop_body(&w.label, None, |me| me.block(&w.body))?;
                self.scope.truncate(scope);
                Ok(self.known.types.unit())
            }
            Expr::Loop(l) => {
                let gives = self.known.types.unknown();
                self.loop_body(&l.label, Some(gives), |me| me.block(&l.body))?;
                Ok(gives)
            }
            Expr::ForLoop(f) => {
                let over = behind_mut(&f.expr);
                let iterator = if std::ptr::eq(over, &*f.expr) { self.expr(over)? } else { self.changed(&f.expr)? };
                let element = self.element(iterator, &f.expr)?;
                let scope = self.scope.len();
                self.pattern(&f.pat, element)?;
                self.loop_body(&f.label, None, |me| me.block(&f.body))?;
                self.scope.truncate(scope);
                Ok(self.known.types.unit())
            }
            Expr::Break(b) => self.break_with(b),
            Expr::Continue(_) => Ok(self.known.types.unknown()),
            Expr::Return(r) => self.return_with(r),
            Expr::Macro(m) => self.macro_type(&m.mac),
            Expr::Match(m) => self.matching(m),
            Expr::Let(l) => Err(Refusal::unsupported(&l.let_token, "`let` in this place")),
            Expr::Try(t) => self.try_option(t),
            Expr::Unsafe(u) => Err(Refusal::unsupported(&u.unsafe_token, "`unsafe`")),
            other => Err(Refusal::unsupported(other, "this expression")),
        }
    }

    pub(super) fn literal(&mut self, lit: &Lit) -> Result<Ty> {
        let kind = match lit {
            Lit::Bool(_) => Kind::Bool,
            Lit::Float(f) if matches!(f.suffix(), "" | "f64") => Kind::F64,
            Lit::Int(i) if i.suffix() == "f64" => Kind::F64,
            Lit::Int(i) => {
                if i.base10_parse::<i64>().is_err() {
                    return Err(Refusal::new(i, "this integer is too large: it has 64 bits, one of them for the sign"));
                }
                match (i.suffix(), Int::named(i.suffix())) {
                    ("", _) => Kind::Integer,
                    (_, Some(int)) => Kind::Int(int),
                    (suffix, None) => return Err(Refusal::unsupported(i, format!("`{suffix}`"))),
                }
            }
            Lit::Float(f) => return Err(Refusal::unsupported(f, "`f32`").hint("compute in `f64`")),
            other => return Err(Refusal::unsupported(other, "text")),
        };
        Ok(self.new_type(kind))
    }

    /// Whether a path may be used as a value, and not only called.
    fn as_value(&mut self, e: &'p Expr) -> Result<()> {
        let changes = match self.known.used(e) {
            Use::Function(f) => self.program.function(*f).0.inputs.iter().any(is_changed),
            Use::Local(local) => self.known.changing.contains_key(local),
            _ => false,
        };
        if changes {
            return Err(Refusal::new(e, "what changes its arguments or variables is called by its name alone")
                .hint("write a closure that calls it and returns the new value"));
        }
        Ok(())
    }

    pub(super) fn path(&mut self, e: &'p Expr, p: &'p syn::ExprPath) -> Result<Ty> {
        let (used, ty) = self.path_use(p)?;
        self.known.uses.insert(std::ptr::from_ref(e), used);
        Ok(ty)
    }

    fn path_use(&mut self, p: &'p syn::ExprPath) -> Result<(Use, Ty)> {
        if let Some(q) = &p.qself {
            return Err(Refusal::unsupported(&q.ty, "a function of a trait"));
        }
        let path = &p.path;
        if let Some(name) = path.get_ident() {
            let name = name.to_string();
            if let Some((_, local, _)) = self.scope.iter().rev().find(|(n, ..)| *n == name) {
                return Ok((Use::Local(*local), self.known.local_types[*local as usize]));
            }
        }
        match &*path_key(path) {
            "None" | "Option::None" => {
                let inner = self.known.types.unknown();
                return Ok((Use::None, self.new_type(Kind::Option(inner))));
            }
            "Some" | "Option::Some" => {
                let inner = self.known.types.unknown();
                let option = self.new_type(Kind::Option(inner));
                return Ok((Use::Some, self.new_type(Kind::Fn(vec![inner], option))));
            }
            _ => {}
        }
        if let Some(segment) = path.segments.iter().find(|s| !s.arguments.is_none()) {
            return Err(Refusal::unsupported(&segment.arguments, "a function with parameters for types"));
        }
        let segments: Vec<String> = path.segments.iter().map(|s| s.ident.to_string()).collect();
        let (name, before) = segments.split_last().expect("a path has a segment");
        if is_constant(name) {
            return self.constant(path);
        }
        match before.last().map(String::as_str) {
            Some("f64") => return Ok((Use::Method(name.clone()), self.method_type(name, Kind::F64, path)?)),
            Some(int) if let Some(int) = Int::named(int) => {
                return Ok((Use::Method(name.clone()), self.method_type(name, Kind::Int(int), path)?));
            }
            Some(owner) if owner.starts_with(char::is_uppercase) => return self.associated(path, name),
            _ if name.starts_with(char::is_uppercase) => return self.constant_shape(path),
            _ => {}
        }
        if let Some(name) = path.get_ident()
            && self.functions.iter().any(|f| name == f)
            && let Some(f) = self.program.within(self.item, &name.to_string())
        {
            return self.function_use(f);
        }
        match self.resolve(Mention::Function, path) {
            Some(Resolved::Function(item)) => self.function_use(FunctionId { item, index: 0 }),
            _ => Ok((Use::Elsewhere, self.elsewhere(path, format!("`{}` is not differentiable", path_key(path)))?)),
        }
    }

    /// A path to a constant.
    pub(super) fn constant(&mut self, path: &syn::Path) -> Result<(Use, Ty)> {
        match self.resolve(Mention::Constant, path) {
            Some(Resolved::Constant(c)) => {
                let ty = self.constant_type(&c);
                Ok((Use::Constant(c), ty))
            }
            _ => Ok((Use::Elsewhere, self.elsewhere(path, "this constant is not known")?)),
        }
    }

    fn function_use(&mut self, f: FunctionId) -> Result<(Use, Ty)> {
        let (params, result) = self.signature(f.item, self.program.function(f).0)?;
        Ok((Use::Function(f), self.new_type(Kind::Fn(params, result))))
    }

    /// `Point::new`.
    fn associated(&mut self, path: &syn::Path, name: &str) -> Result<(Use, Ty)> {
        let ty = self.named_type(&owner(path))?;
        match self.kind(ty) {
            Kind::Struct(of) if self.program.items[of].data.variant(name).is_some() => self.constant_shape(path),
            Kind::Struct(of) => match self.program.methods(of, name).next() {
                Some(f) => self.function_use(f),
                None => Ok((Use::Elsewhere, self.elsewhere(path, format!("there is no differentiable function `{name}`"))?)),
            },
            _ => Ok((Use::Elsewhere, self.known.types.unknown())),
        }
    }

    fn constant_type(&mut self, c: &Constant) -> Ty {
        let kind = match c {
            Constant::F64(_) => Kind::F64,
            Constant::Bool(_) => Kind::Bool,
            Constant::Int(name, _) => Kind::Int(Int::named(name).expect("constants have types of integers")),
            Constant::Array(items) => {
                let element = match items.first() {
                    Some(item) => self.constant_type(item),
                    None => self.known.types.unknown(),
                };
                Kind::Array(element)
            }
            Constant::Unknown => Kind::Unknown,
            Constant::Data(of, ..) => self.program.type_of(*of).map_or(Kind::Unknown, Kind::Struct),
        };
        self.new_type(kind)
    }

    /// The type of a field of a value.
    pub(super) fn field_type(&mut self, base: Ty, member: &Member) -> Result<Ty> {
        match (self.kind(base), member) {
            (Kind::Tuple(items), Member::Unnamed(i)) if let Some(&ty) = items.get(i.index as usize) => Ok(ty),
            (Kind::Struct(of), _) => match Data::position(self.program.fields(of), member) {
                Some(at) => Ok(self.member_types((of, None))?[at]),
                None => Err(Refusal::new(member, "there is no such field")),
            },
            _ => self.elsewhere(member, "the type of what has this field is not known here"),
        }
    }

    /// Checks a closure whose parameters are of these types.
    pub(super) fn closure(&mut self, c: &'p syn::ExprClosure, params: Vec<Ty>) -> Result<Ty> {
        let result = match &c.output {
            syn::ReturnType::Default => self.known.types.unknown(),
            syn::ReturnType::Type(_, ty) => self.ty(ty)?,
        };
        let scope = self.scope.len();
        let inline = std::mem::replace(&mut self.inline, false);
        self.results.push(result);
        self.changes.push(Vec::new());
        c.inputs.iter().zip(&params).try_for_each(|(p, &ty)| self.pattern(p, ty))?;
        self.expr_of(&c.body, result)?;
        self.results.pop();
        self.inline = inline;
        self.scope.truncate(scope);
        let changed = self.changes.pop().unwrap_or_default();
        if c.capture.is_some() && !changed.is_empty() {
            return Err(Refusal::unsupported(&c.capture, "a closure with a state of its own").hint("hand the state on"));
        }
        self.known.changed.insert(std::ptr::from_ref(c), changed);
        Ok(self.new_type(Kind::Fn(params, result)))
    }

    /// A closure that is the value of a variable, which may change other variables.
    pub(super) fn let_closure(&mut self, e: &'p Expr, c: &'p syn::ExprClosure) -> Result<Ty> {
        let params: Vec<Ty> = c.inputs.iter().map(|_| self.known.types.unknown()).collect();
        let ty = self.closure(c, params)?;
        self.known.of.insert(std::ptr::from_ref(e), ty);
        Ok(ty)
    }

    fn range(&mut self, r: &'p syn::ExprRange) -> Result<Ty> {
        let Some(start) = &r.start else {
            return Err(Refusal::new(r, "a range has a start here"));
        };
        let ty = self.expr(start)?;
        if let Some(end) = &r.end {
            self.expr_of(end, ty)?;
        }
        if matches!(self.kind(ty), Kind::F64) {
            return Err(Refusal::new(r, "a range is one of integers"));
        }
        Ok(self.new_type(Kind::Iter(ty)))
    }
}

/// Whether a name is that of a constant, by Rust's convention.
pub(super) fn is_constant(name: &str) -> bool {
    name.contains(|c: char| c.is_uppercase()) && !name.contains(|c: char| c.is_lowercase())
}

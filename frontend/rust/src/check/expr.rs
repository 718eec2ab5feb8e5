//! Expressions.

use super::{Checker, Loop, Mention, Use, refuse_macro};
use crate::names;
use crate::program::{Constant, FunctionId, Resolved, path_key};
use crate::refusal::{Refusal, Result};
use crate::types::{Int, Kind, Ty};
use quote::ToTokens;
use syn::{BinOp, Expr, Lit, Member, UnOp};

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

    fn boolean(&mut self) -> Ty {
        self.new_type(Kind::Bool)
    }

    fn expr_type(&mut self, e: &'p Expr) -> Result<Ty> {
        match e {
            Expr::Lit(l) => self.literal(&l.lit),
            Expr::Path(p) => self.path(e, p),
            Expr::Paren(p) => self.expr(&p.expr),
            Expr::Group(g) => self.expr(&g.expr),
            Expr::Reference(r) if r.mutability.is_some() => {
                Err(Refusal::unsupported(r, "what is written through a reference").hint("return the new value, and assign it"))
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
                self.closure(c, params)
            }
            Expr::Range(r) => self.range(r),
            Expr::If(i) => self.if_else(i),
            Expr::Block(b) => match &b.label {
                Some(label) => Err(Refusal::unsupported(label, "a block with a label")),
                None => self.block(&b.block),
            },
            Expr::While(w) => {
                let boolean = self.boolean();
                self.condition(&w.cond, boolean)?;
                self.loop_body(&w.label, None, |me| me.block(&w.body))?;
                Ok(self.known.types.unit())
            }
            Expr::Loop(l) => {
                let gives = self.known.types.unknown();
                self.loop_body(&l.label, Some(gives), |me| me.block(&l.body))?;
                Ok(gives)
            }
            Expr::ForLoop(f) => {
                let iterator = self.expr(&f.expr)?;
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
            Expr::Macro(m) => Err(refuse_macro(&m.mac)),
            Expr::Match(m) => self.matching(m),
            Expr::Let(l) => Err(Refusal::unsupported(&l.let_token, "`if let`").hint("write a `match`")),
            Expr::Try(t) => Err(Refusal::unsupported(&t.question_token, "`?`")),
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

    fn path(&mut self, e: &'p Expr, p: &'p syn::ExprPath) -> Result<Ty> {
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
            _ => {}
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
        let mut owner = path.clone();
        owner.segments.pop();
        owner.segments.pop_punct();
        let ty = self.named_type(&owner)?;
        match self.kind(ty) {
            Kind::Struct(of) => match self.program.method(of, name) {
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
        };
        self.new_type(kind)
    }

    fn unary(&mut self, u: &'p syn::ExprUnary) -> Result<Ty> {
        let ty = self.expr(&u.expr)?;
        match u.op {
            UnOp::Not(not) if matches!(self.kind(ty), Kind::Int(_) | Kind::Integer) => {
                Err(Refusal::unsupported(&not, "an operation on bits"))
            }
            UnOp::Neg(_) | UnOp::Not(_) | UnOp::Deref(_) => self.scalar(ty, &u.expr).map(|()| ty),
            _ => Err(Refusal::unsupported(u, "this operator")),
        }
    }

    /// Operators are those of numbers and booleans.
    fn scalar(&mut self, ty: Ty, at: &impl ToTokens) -> Result<()> {
        match self.kind(ty) {
            Kind::Tuple(_) | Kind::Array(_) | Kind::Struct(_) | Kind::Fn(..) | Kind::Iter(_) => {
                Err(Refusal::new(at, "operators of other types than numbers are not supported").hint("call a function instead"))
            }
            _ => Ok(()),
        }
    }

    fn binary(&mut self, b: &'p syn::ExprBinary) -> Result<Ty> {
        use BinOp::*;
        let left = self.expr(&b.left)?;
        let right = self.expr(&b.right)?;
        let is_assignment = matches!(
            b.op,
            AddAssign(_)
                | SubAssign(_)
                | MulAssign(_)
                | DivAssign(_)
                | RemAssign(_)
                | BitAndAssign(_)
                | BitOrAssign(_)
                | BitXorAssign(_)
        );
        self.scalar(left, &b.left)?;
        self.same(left, right, b)?;
        match b.op {
            Add(_) | Sub(_) | Mul(_) | Div(_) | Rem(_) => Ok(left),
            And(_) | Or(_) | Eq(_) | Ne(_) | Lt(_) | Le(_) | Gt(_) | Ge(_) => Ok(self.boolean()),
            BitAnd(_) | BitOr(_) | BitXor(_) | BitAndAssign(_) | BitOrAssign(_) | BitXorAssign(_)
                if matches!(self.kind(left), Kind::Int(_) | Kind::Integer) =>
            {
                Err(Refusal::unsupported(&b.op, "an operation on bits").hint("`n % 2` is the last bit"))
            }
            Shl(_) | Shr(_) | ShlAssign(_) | ShrAssign(_) => {
                Err(Refusal::unsupported(&b.op, "an operation on bits").hint("`n / 2` and `n * 2` move them by one"))
            }
            BitAnd(_) | BitOr(_) | BitXor(_) => Ok(left),
            _ if is_assignment => {
                self.place(&b.left)?;
                Ok(self.known.types.unit())
            }
            _ => Err(Refusal::unsupported(&b.op, "this operator")),
        }
    }

    fn assign(&mut self, left: &'p Expr, right: &'p Expr) -> Result<Ty> {
        let value = self.expr(right)?;
        self.assign_to(left, value)?;
        Ok(self.known.types.unit())
    }

    fn assign_to(&mut self, left: &'p Expr, value: Ty) -> Result<()> {
        match left {
            Expr::Infer(_) => Ok(()),
            Expr::Tuple(t) => {
                let items: Vec<Ty> = t.elems.iter().map(|_| self.known.types.unknown()).collect();
                let tuple = self.new_type(Kind::Tuple(items.clone()));
                self.same(value, tuple, t)?;
                t.elems.iter().zip(items).try_for_each(|(e, ty)| self.assign_to(e, ty))
            }
            _ => {
                self.expr_of(left, value)?;
                self.place(left)
            }
        }
    }

    /// Checks that something can be assigned to: a variable, or a part of one.
    fn place(&mut self, e: &'p Expr) -> Result<()> {
        match e {
            Expr::Paren(p) => self.place(&p.expr),
            Expr::Field(f) => self.place(&f.base),
            Expr::Index(i) if matches!(&*i.index, Expr::Range(_)) => {
                Err(Refusal::unsupported(e, "a write to a part of an array"))
            }
            Expr::Index(i) => self.place(&i.expr),
            Expr::Path(p) => match self.known.used(e) {
                Use::Local(local) => {
                    let depth = self.scope.iter().find(|(_, l, _)| l == local).map_or(0, |(.., depth)| *depth);
                    if depth == self.results.len() {
                        return Ok(());
                    }
                    Err(Refusal::new(p, "a closure cannot change a variable outside of it").hint("return the new value"))
                }
                _ => Err(Refusal::unsupported(p, "a write to something other than a variable")),
            },
            other => Err(Refusal::unsupported(other, "a write to this").hint("assign to a variable or a part of one")),
        }
    }

    fn index(&mut self, i: &'p syn::ExprIndex) -> Result<Ty> {
        let base = self.expr(&i.expr)?;
        let element = match self.kind(base) {
            Kind::Array(element) => element,
            Kind::Unknown if !self.program.is_complete => self.known.types.unknown(),
            _ => return Err(Refusal::new(&*i.expr, "only arrays and slices have elements here")),
        };
        if let Expr::Range(r) = &*i.index {
            for bound in [&r.start, &r.end].into_iter().flatten() {
                let place = self.new_type(Kind::Int(Int::USIZE));
                self.expr_of(bound, place)?;
            }
            return Ok(base);
        }
        let place = self.new_type(Kind::Int(Int::USIZE));
        self.expr_of(&i.index, place)?;
        Ok(element)
    }

    /// The type of a field of a value.
    pub(super) fn field_type(&mut self, base: Ty, member: &Member) -> Result<Ty> {
        match (self.kind(base), member) {
            (Kind::Tuple(items), Member::Unnamed(i)) if let Some(&ty) = items.get(i.index as usize) => Ok(ty),
            (Kind::Struct(of), Member::Named(name)) => {
                let program = self.program;
                let fields = program.fields(of);
                match fields.into_iter().find(|(n, _)| name == n) {
                    Some((_, ty)) => {
                        let here = std::mem::replace(&mut self.item, of);
                        let ty = self.ty(ty);
                        self.item = here;
                        ty
                    }
                    None => Err(Refusal::new(name, "there is no such field")),
                }
            }
            _ => self.elsewhere(member, "the type of what has this field is not known here"),
        }
    }

    fn structure(&mut self, s: &'p syn::ExprStruct) -> Result<Ty> {
        let ty = self.named_type(&s.path)?;
        for field in &s.fields {
            let expected = self.field_type(ty, &field.member)?;
            self.expr_of(&field.expr, expected)?;
        }
        match &s.rest {
            Some(rest) => self.expr_of(rest, ty).map(|()| ty),
            None => Ok(ty),
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
        c.inputs.iter().zip(&params).try_for_each(|(p, &ty)| self.pattern(p, ty))?;
        self.expr_of(&c.body, result)?;
        self.results.pop();
        self.inline = inline;
        self.scope.truncate(scope);
        Ok(self.new_type(Kind::Fn(params, result)))
    }

    fn range(&mut self, r: &'p syn::ExprRange) -> Result<Ty> {
        let (Some(start), Some(end)) = (&r.start, &r.end) else {
            return Err(Refusal::new(r, "a range has a start and an end here"));
        };
        let ty = self.expr(start)?;
        self.expr_of(end, ty)?;
        if matches!(self.kind(ty), Kind::F64) {
            return Err(Refusal::new(r, "a range is one of integers"));
        }
        Ok(self.new_type(Kind::Iter(ty)))
    }

    fn condition(&mut self, e: &'p Expr, boolean: Ty) -> Result<()> {
        self.expr_of(e, boolean)
    }

    fn if_else(&mut self, i: &'p syn::ExprIf) -> Result<Ty> {
        let boolean = self.boolean();
        self.condition(&i.cond, boolean)?;
        let then = self.block(&i.then_branch)?;
        match &i.else_branch {
            Some((_, otherwise)) => {
                let other = self.expr(otherwise)?;
                self.same(then, other, otherwise)?;
            }
            None => {
                let unit = self.known.types.unit();
                self.same(then, unit, &i.then_branch)?;
            }
        }
        Ok(then)
    }

    fn matching(&mut self, m: &'p syn::ExprMatch) -> Result<Ty> {
        let value = self.expr(&m.expr)?;
        let result = self.known.types.unknown();
        for arm in &m.arms {
            let scope = self.scope.len();
            self.case(&arm.pat, value)?;
            if let Some((_, guard)) = &arm.guard {
                let boolean = self.boolean();
                self.condition(guard, boolean)?;
            }
            self.expr_of(&arm.body, result)?;
            self.scope.truncate(scope);
        }
        Ok(result)
    }

    fn loop_body(
        &mut self,
        label: &Option<syn::Label>,
        gives: Option<Ty>,
        body: impl FnOnce(&mut Self) -> Result<Ty>,
    ) -> Result<()> {
        self.loops.push(Loop { label: label.as_ref().map(|l| l.name.ident.to_string()), gives });
        let result = body(self).map(|_| ());
        self.loops.pop();
        result
    }

    fn break_with(&mut self, b: &'p syn::ExprBreak) -> Result<Ty> {
        let given = match &b.expr {
            Some(e) => self.expr(e)?,
            None => self.known.types.unit(),
        };
        let label = b.label.as_ref().map(|l| l.ident.to_string());
        let around = self.loops.iter().rev().find(|l| label.is_none() || l.label == label);
        match around.map(|l| l.gives) {
            Some(Some(gives)) => self.same(given, gives, b)?,
            Some(None) => {}
            None => return Err(Refusal::new(b, "there is no loop to leave here")),
        }
        Ok(self.known.types.unknown())
    }

    fn return_with(&mut self, r: &'p syn::ExprReturn) -> Result<Ty> {
        if self.inline {
            return Err(Refusal::unsupported(&r.return_token, "`return` in the closure of an iterator"));
        }
        let given = match &r.expr {
            Some(e) => self.expr(e)?,
            None => self.known.types.unit(),
        };
        let result = *self.results.last().expect("a function is being checked");
        self.same(given, result, r)?;
        Ok(self.known.types.unknown())
    }

    /// The type of a method of numbers as a function.
    fn method_type(&mut self, name: &str, kind: Kind, at: &impl ToTokens) -> Result<Ty> {
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
                let Some(count) = names::integer(name) else {
                    return Err(unknown(at, names::INTEGER.iter().map(|row| row.0).collect(), "integers"));
                };
                let param = if name == "pow" { self.new_type(Kind::Int(Int::U32)) } else { this };
                Ok((vec![param; count], this))
            }
        }
    }
}

/// Whether a name is that of a constant, by Rust's convention.
pub(super) fn is_constant(name: &str) -> bool {
    name.contains(|c: char| c.is_uppercase()) && !name.contains(|c: char| c.is_lowercase())
}

//! Operators, assignments, and what can be assigned to.

use super::{Checker, Use};
use crate::program::{FunctionId, Syntax};
use crate::refusal::{Refusal, Result};
use crate::types::{Int, Kind, Ty};
use quote::ToTokens;
use syn::{BinOp, Expr, UnOp};

impl<'p> Checker<'p> {
    pub(super) fn unary(&mut self, u: &'p syn::ExprUnary) -> Result<Ty> {
        let ty = self.expr(&u.expr)?;
        let method = match u.op {
            UnOp::Not(_) => Some(("Not", "not")),
            UnOp::Neg(_) => Some(("Neg", "neg")),
            _ => None,
        };
        if let (Some(method), Kind::Struct(_)) = (method, self.kind(ty)) {
            return self.operator_method(std::ptr::from_ref(u).cast(), method, &[ty], u);
        }
        match u.op {
            UnOp::Not(not) if matches!(self.kind(ty), Kind::Int(int) if int.min == 0 && int.bits == 64) => {
                Err(Refusal::unsupported(&not, "`!` of a number without sign of 64 bits").hint("numbers end where `i64` does"))
            }
            UnOp::Deref(_) => Ok(ty),
            UnOp::Neg(_) | UnOp::Not(_) => self.scalar(ty, &u.expr).map(|()| ty),
            _ => Err(Refusal::unsupported(u, "this operator")),
        }
    }

    /// Operators are those of numbers and booleans, and those that structs have.
    pub(super) fn scalar(&mut self, ty: Ty, at: &impl ToTokens) -> Result<()> {
        match self.kind(ty) {
            Kind::Struct(_) => {
                Err(Refusal::new(at, "this operator of a struct is not supported").hint("call a function instead"))
            }
            Kind::Tuple(_) | Kind::Array(_) | Kind::Option(_) | Kind::Result(..) | Kind::Text | Kind::Fn(..) | Kind::Iter(_) => {
                Err(Refusal::new(at, "operators of other types than numbers are not supported").hint("call a function instead"))
            }
            _ => Ok(()),
        }
    }

    pub(super) fn binary(&mut self, b: &'p syn::ExprBinary) -> Result<Ty> {
        use BinOp::*;
        let left = self.expr(&b.left)?;
        let right = self.expr(&b.right)?;
        let is_struct = |me: &Self, ty: Ty| matches!(me.known.types.kind(ty), Kind::Struct(_));
        if let Some((of_trait, method)) = operator_trait(&b.op)
            && (is_struct(self, left) || is_struct(self, right))
        {
            let result = self.operator_method(std::ptr::from_ref(b).cast(), (of_trait, method), &[left, right], b)?;
            if is_assignment(&b.op) {
                self.place(&b.left)?;
            }
            return Ok(result);
        }
        if matches!(b.op, Eq(_) | Ne(_) | Lt(_) | Le(_) | Gt(_) | Ge(_))
            && matches!(self.kind(left), Kind::Tuple(_) | Kind::Struct(_) | Kind::Array(_) | Kind::Option(_))
        {
            return self.comparison(b, left, right);
        }
        self.scalar(left, &b.left)?;
        if matches!(b.op, Shl(_) | Shr(_) | ShlAssign(_) | ShrAssign(_)) {
            return self.shift(b, left, right);
        }
        // What comes from elsewhere may be a struct, whose operators take other types.
        let is_open = !self.program.is_complete
            && operator_trait(&b.op).is_some()
            && [left, right].iter().any(|&ty| *self.known.types.kind(ty) == Kind::Unknown);
        if is_open && !is_assignment(&b.op) {
            return Ok(self.known.types.unknown());
        }
        if !is_open {
            self.same(left, right, b)?;
        }
        match b.op {
            Add(_) | Sub(_) | Mul(_) | Div(_) | Rem(_) => Ok(left),
            And(_) | Or(_) | Eq(_) | Ne(_) | Lt(_) | Le(_) | Gt(_) | Ge(_) => Ok(self.boolean()),
            BitAnd(_) | BitOr(_) | BitXor(_) => Ok(left),
            op if is_assignment(&op) => {
                self.place(&b.left)?;
                Ok(self.known.types.unit())
            }
            _ => Err(Refusal::unsupported(&b.op, "this operator")),
        }
    }

    /// A comparison of what is made of parts: as a struct says itself, or as `derive` has it.
    fn comparison(&mut self, b: &'p syn::ExprBinary, left: Ty, right: Ty) -> Result<Ty> {
        let is_equality = matches!(b.op, BinOp::Eq(_) | BinOp::Ne(_));
        if let Kind::Struct(of) = self.kind(left) {
            let of_its_own = |name: &str| self.program.methods(of, name).next().is_some();
            if is_equality && of_its_own("eq") {
                return self.operator_method(std::ptr::from_ref(b).cast(), ("PartialEq", "eq"), &[left, right], b);
            }
            if !is_equality && (of_its_own("partial_cmp") || of_its_own("cmp")) {
                return Err(Refusal::unsupported(b, "an order that a struct has of its own").hint("call a method"));
            }
        }
        self.same(left, right, b)?;
        if !is_equality && matches!(self.kind(left), Kind::Array(_) | Kind::Option(_)) {
            return Err(Refusal::unsupported(b, "an order of arrays or options").hint("compare their parts"));
        }
        Ok(self.boolean())
    }

    /// `a << n`, whose operands may be integers of two types.
    fn shift(&mut self, b: &'p syn::ExprBinary, left: Ty, right: Ty) -> Result<Ty> {
        self.scalar(right, &b.right)?;
        if is_assignment(&b.op) {
            self.place(&b.left)?;
            return Ok(self.known.types.unit());
        }
        Ok(left)
    }

    /// The method that an operator stands for, of a trait that a struct among the operands has: the one that takes these operands.
    fn operator_method(
        &mut self,
        at: *const (),
        (of_trait, name): (&str, &str),
        operands: &[Ty],
        e: &impl ToTokens,
    ) -> Result<Ty> {
        let program = self.program;
        let kinds: Vec<Kind> = operands.iter().map(|&ty| self.kind(ty)).collect();
        let structs = kinds.iter().filter_map(|kind| if let Kind::Struct(of) = kind { Some(*of) } else { None });
        let candidates: Vec<FunctionId> = structs.flat_map(|of| program.methods(of, name)).collect();
        for f in candidates {
            let Syntax::Methods(methods) = &program.items[f.item].syntax else { continue };
            let is_of_trait =
                methods.trait_.as_ref().and_then(|(_, path, _)| path.segments.last()).is_some_and(|s| s.ident == of_trait);
            let (params, result) = self.signature(f.item, program.function(f).0)?;
            let fits =
                params.len() == operands.len() && params.iter().zip(operands).all(|(&p, &o)| self.known.types.may_be(o, p));
            if is_of_trait && fits {
                operands.iter().zip(params).for_each(|(&o, p)| {
                    self.known.types.unify(o, p);
                });
                self.known.methods.insert(at, f);
                return Ok(result);
            }
        }
        let hint = format!("put `#[gradus::differentiable]` on an `impl {of_trait}` for these operands");
        Err(Refusal::new(e, "the struct has no such differentiable operator").hint(hint))
    }

    pub(super) fn assign(&mut self, left: &'p Expr, right: &'p Expr) -> Result<Ty> {
        let value = self.expr(right)?;
        self.assign_to(left, value)?;
        Ok(self.known.types.unit())
    }

    pub(super) fn assign_to(&mut self, left: &'p Expr, value: Ty) -> Result<()> {
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
    pub(super) fn place(&mut self, e: &'p Expr) -> Result<()> {
        match e {
            Expr::Paren(p) => self.place(&p.expr),
            Expr::Field(f) => self.place(&f.base),
            Expr::Index(i) => self.place(&i.expr),
            Expr::Unary(u) if matches!(u.op, UnOp::Deref(_)) => self.place(&u.expr),
            Expr::Path(p) => match *self.known.used(e) {
                Use::Local(local) => {
                    self.change(local);
                    Ok(())
                }
                _ => Err(Refusal::unsupported(p, "a write to something other than a variable")),
            },
            other => Err(Refusal::unsupported(other, "a write to this").hint("assign to a variable or a part of one")),
        }
    }

    /// Notes that a variable is changed here: by all closures between this place and the variable.
    pub(super) fn change(&mut self, local: super::Local) {
        let depth = self.scope.iter().find(|(_, l, _)| *l == local).map_or(self.results.len(), |(.., depth)| *depth);
        // A variable of the function itself has depth 1, and the first closure is within.
        for changed in self.changes.iter_mut().skip(depth - 1) {
            if !changed.contains(&local) {
                changed.push(local);
            }
        }
    }

    /// What is changed by the one who gets it: `&mut place`, or a place that is itself such a reference.
    pub(super) fn changed(&mut self, e: &'p Expr) -> Result<Ty> {
        let place = behind_mut(e);
        let ty = self.expr(place)?;
        self.place(place)?;
        Ok(ty)
    }

    pub(super) fn index(&mut self, i: &'p syn::ExprIndex) -> Result<Ty> {
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
}

/// A place without the `&mut` before it.
pub fn behind_mut(mut e: &Expr) -> &Expr {
    loop {
        e = match e {
            Expr::Paren(p) => &p.expr,
            Expr::Reference(r) if r.mutability.is_some() => &r.expr,
            other => return other,
        };
    }
}

/// The trait of an operator, and the method that it has.
fn operator_trait(op: &BinOp) -> Option<(&'static str, &'static str)> {
    Some(match op {
        BinOp::Add(_) => ("Add", "add"),
        BinOp::Sub(_) => ("Sub", "sub"),
        BinOp::Mul(_) => ("Mul", "mul"),
        BinOp::Div(_) => ("Div", "div"),
        BinOp::Rem(_) => ("Rem", "rem"),
        BinOp::AddAssign(_) => ("AddAssign", "add_assign"),
        BinOp::SubAssign(_) => ("SubAssign", "sub_assign"),
        BinOp::MulAssign(_) => ("MulAssign", "mul_assign"),
        BinOp::DivAssign(_) => ("DivAssign", "div_assign"),
        BinOp::RemAssign(_) => ("RemAssign", "rem_assign"),
        _ => return None,
    })
}

/// Whether an operator changes its left operand.
pub fn is_assignment(op: &BinOp) -> bool {
    use BinOp::*;
    matches!(
        op,
        AddAssign(_)
            | SubAssign(_)
            | MulAssign(_)
            | DivAssign(_)
            | RemAssign(_)
            | BitAndAssign(_)
            | BitOrAssign(_)
            | BitXorAssign(_)
            | ShlAssign(_)
            | ShrAssign(_)
    )
}

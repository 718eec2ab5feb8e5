//! Named tuples that a call makes: `Point = namedtuple("Point", "x y")` at the top level is read as the class that it stands for, and
//! `class Point(namedtuple("Point", "x y"))` as one with these fields.

use ruff_python_ast::{self as ast, Arguments, Expr, Identifier, Stmt};
use ruff_text_size::{Ranged, TextRange};

/// The class that an assignment makes of `namedtuple("Name", fields)` or `NamedTuple("Name", [("field", type), …])`.
pub fn class_of(stmt: &Stmt) -> Option<ast::StmtClassDef> {
    let Stmt::Assign(a) = stmt else { return None };
    let ([Expr::Name(name)], Expr::Call(call)) = (&*a.targets, &*a.value) else { return None };
    let body = fields_of(call)?;
    let base = named_tuple(call.func.range());
    Some(ast::StmtClassDef {
        node_index: Default::default(),
        range: a.range(),
        decorator_list: Default::default(),
        name: Identifier::new(name.id.clone(), name.range()),
        type_params: None,
        arguments: Some(Box::new(Arguments {
            range: call.arguments.range(),
            node_index: Default::default(),
            args: [base].into(),
            keywords: Default::default(),
        })),
        body: body.into(),
    })
}

/// Lets a class with such a call for its base have the fields itself.
pub fn read_base(class: &mut ast::StmtClassDef) {
    for base in class.arguments.iter_mut().flat_map(|a| &mut a.args) {
        if let Expr::Call(call) = base
            && let Some(fields) = fields_of(call)
        {
            class.body.splice(0..0, fields);
            *base = named_tuple(call.func.range());
        }
    }
}

/// The fields of the class that a call makes, as statements.
fn fields_of(call: &ast::ExprCall) -> Option<Vec<Stmt>> {
    let maker = match &*call.func {
        Expr::Name(n) => &n.id,
        Expr::Attribute(a) => &a.attr.id,
        _ => return None,
    };
    let [_, fields] = &*call.arguments.args else { return None };
    let fields = match maker.as_str() {
        "namedtuple" => plain_fields(fields)?,
        "NamedTuple" => typed_fields(fields)?,
        _ => return None,
    };
    let defaults = match &*call.arguments.keywords {
        [] => &[],
        [k] if k.arg.as_ref().is_some_and(|a| a.as_str() == "defaults") => elements(&k.value)?,
        _ => return None,
    };
    let first_default = fields.len().checked_sub(defaults.len())?;
    let statements = fields.into_iter().enumerate().map(|(i, (id, range, annotation))| {
        let target = Expr::Name(ast::ExprName { id: id.into(), ..name_at(range) });
        Stmt::AnnAssign(ast::StmtAnnAssign {
            node_index: Default::default(),
            range,
            target: target.into(),
            annotation: annotation.into(),
            value: i.checked_sub(first_default).map(|k| defaults[k].clone().into()),
            simple: true,
        })
    });
    Some(statements.collect())
}

fn named_tuple(range: TextRange) -> Expr {
    Expr::Name(ast::ExprName { id: "NamedTuple".into(), ..name_at(range) })
}

type Field = (String, TextRange, Expr);

/// `["x", "y"]`, `("x", "y")`, `"x y"` or `"x, y"`.
fn plain_fields(fields: &Expr) -> Option<Vec<Field>> {
    let field = |name: &str, range| (name.to_string(), range, Expr::Name(name_at(range)));
    if let Expr::StringLiteral(s) = fields {
        let names = s.value.to_str().split([',', ' ']).filter(|name| !name.is_empty());
        return Some(names.map(|name| field(name, s.range())).collect());
    }
    elements(fields)?.iter().map(|e| e.as_string_literal_expr().map(|s| field(s.value.to_str(), s.range()))).collect()
}

/// `[("x", float), ("y", int)]`.
fn typed_fields(fields: &Expr) -> Option<Vec<Field>> {
    let field = |pair: &Expr| match elements(pair)? {
        [Expr::StringLiteral(s), annotation] => Some((s.value.to_str().to_string(), s.range(), annotation.clone())),
        _ => None,
    };
    elements(fields)?.iter().map(field).collect()
}

fn elements(e: &Expr) -> Option<&[Expr]> {
    match e {
        Expr::List(ast::ExprList { elts, .. }) | Expr::Tuple(ast::ExprTuple { elts, .. }) => Some(elts),
        _ => None,
    }
}

/// The name of no type in particular, here.
fn name_at(range: TextRange) -> ast::ExprName {
    ast::ExprName { node_index: Default::default(), range, id: "object".into(), ctx: ast::ExprContext::Load }
}

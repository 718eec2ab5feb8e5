//! What is said of a dataclass by its decorator, by `field(…)` and by `_: KW_ONLY`, and the methods that follow from it:
//!
//! ```text
//! @dataclass(order=True)             class C:
//! class C:                               …
//!     x: float                 ⟹         __lt__ = lambda self, other: (self.x,) < (other.x,)     and so on
//!     n: int = field(compare=False)      __eq__ = lambda self, other: isinstance(other, C) and (self.x,) == (other.x,)
//! ```

use super::class::last_name;
use super::init::{assignment, attribute, call, name_at, parameter};
use super::span_of;
use gradus_ir::Diagnostic;
use ruff_python_ast::{self as ast, CmpOp, Expr, ExprContext, Keyword, Stmt};
use ruff_text_size::{Ranged, TextRange, TextSize};

/// What the decorators of a class say.
#[derive(Clone, Copy)]
pub struct Options {
    pub is_data: bool,
    /// Whether instances are compared by their fields.
    pub eq: bool,
    /// Whether they have an order, and where that is said.
    order: Option<TextRange>,
    /// Whether fields are given by their names.
    pub keyword: bool,
    /// Whether Python writes them by their fields.
    pub repr: bool,
    /// Whether their fields do not change.
    pub frozen: bool,
}

impl Options {
    pub fn of(class: &ast::StmtClassDef) -> Result<Options, Diagnostic> {
        let mut options = Options { is_data: false, eq: true, order: None, keyword: false, repr: true, frozen: false };
        for decorator in &class.decorator_list {
            let (name, arguments) = match &decorator.expression {
                Expr::Call(c) => (&*c.func, &*c.arguments.keywords),
                name => (name, [].as_slice()),
            };
            match last_name(name) {
                Some("dataclass") => options.is_data = true,
                Some("final") => continue,
                _ => return Err(Diagnostic::unsupported(span_of(decorator), "this decorator of a class is not supported")),
            }
            for k in arguments {
                match name_of(k) {
                    "eq" => options.eq = flag(k)?,
                    "order" => options.order = flag(k)?.then_some(k.range()),
                    "kw_only" => options.keyword = flag(k)?,
                    "repr" => options.repr = flag(k)?,
                    "frozen" => options.frozen = flag(k)?,
                    "slots" | "unsafe_hash" => _ = flag(k)?,
                    _ => return Err(Diagnostic::unsupported(span_of(k), "this option of a dataclass is not supported")),
                }
            }
        }
        Ok(options)
    }
}

/// What is said of a field.
#[derive(Clone, Copy)]
pub struct Said<'e> {
    pub default: Option<Otherwise<'e>>,
    /// Whether it is given when an instance is made.
    pub init: bool,
    /// Whether it is given by its name only, if that is said of it alone.
    pub keyword: Option<bool>,
    /// Whether Python writes it.
    pub repr: bool,
    /// Whether instances are compared by it; if not, where that is said.
    compare: Result<(), &'e Keyword>,
}

/// The value of a field that is not given.
#[derive(Clone, Copy)]
pub enum Otherwise<'e> {
    Value(&'e Expr),
    /// What this function makes.
    Made(&'e Expr),
}

impl<'e> Said<'e> {
    /// By what the class assigns to the field.
    pub fn by(value: Option<&'e Expr>) -> Result<Said<'e>, Diagnostic> {
        let mut said = Said { default: value.map(Otherwise::Value), init: true, keyword: None, repr: true, compare: Ok(()) };
        let Some(Expr::Call(c)) = value.filter(|v| v.as_call_expr().is_some_and(|c| last_name(&c.func) == Some("field"))) else {
            return Ok(said);
        };
        said.default = None;
        for k in &c.arguments.keywords {
            match name_of(k) {
                "default" => said.default = Some(Otherwise::Value(&k.value)),
                "default_factory" => said.default = Some(Otherwise::Made(&k.value)),
                "init" => said.init = flag(k)?,
                "kw_only" => said.keyword = Some(flag(k)?),
                "repr" => said.repr = flag(k)?,
                "compare" => said.compare = if flag(k)? { Ok(()) } else { Err(k) },
                "hash" | "metadata" | "doc" => {}
                _ => return Err(Diagnostic::unsupported(span_of(k), "this option of a field is not supported")),
            }
        }
        Ok(said)
    }
}

/// Whether an annotation says that the fields after it are given by their names: `_: KW_ONLY`.
pub fn is_keyword_only(annotation: &Expr) -> bool {
    last_name(annotation) == Some("KW_ONLY")
}

/// Whether an annotation says that this is no field, but an argument of `__post_init__`: `InitVar[float]`.
pub fn is_argument(annotation: &Expr) -> bool {
    last_name(annotation.as_subscript_expr().map_or(annotation, |s| &s.value)) == Some("InitVar")
}

/// The comparisons of instances that follow for a class with these fields; `changing` is a place if some of them change.
pub fn comparisons<'e>(
    options: Options,
    class: &str,
    fields: impl Iterator<Item = (&'e str, Option<&'e Expr>)>,
    changing: Option<TextRange>,
) -> Vec<Stmt> {
    let (mut names, mut left_out) = (Vec::new(), changing);
    for (name, value) in fields {
        match Said::by(value).map_or(Ok(()), |said| said.compare) {
            Ok(()) => names.push(name),
            Err(place) => left_out = left_out.or(Some(place.range())),
        }
    }
    let mut methods = Vec::new();
    if let Some(range) = left_out.filter(|_| options.eq) {
        let is_one = call(name_at("isinstance", range), vec![name_at("other", range), name_at(class, range)], range);
        let both = ast::ExprBoolOp {
            node_index: Default::default(),
            range,
            op: ast::BoolOp::And,
            values: vec![is_one, compared(&names, CmpOp::Eq, range)],
        };
        methods.push(method("__eq__", Expr::BoolOp(both), range));
    }
    const ORDER: [(&str, CmpOp); 4] =
        [("__lt__", CmpOp::Lt), ("__le__", CmpOp::LtE), ("__gt__", CmpOp::Gt), ("__ge__", CmpOp::GtE)];
    for (place, ((name, op), i)) in
        options.order.into_iter().flat_map(|place| ORDER.into_iter().zip(0..).map(move |row| (place, row)))
    {
        // A place of its own for each.
        let range = TextRange::new(place.start() + TextSize::from(i), place.end());
        methods.push(method(name, compared(&names, op, range), range));
    }
    methods
}

/// `(self.x, …) < (other.x, …)`.
fn compared(names: &[&str], op: CmpOp, range: TextRange) -> Expr {
    let [left, right] = ["self", "other"].map(|of| {
        Expr::Tuple(ast::ExprTuple {
            node_index: Default::default(),
            range,
            elts: names.iter().map(|name| attribute(name_at(of, range), name, range)).collect(),
            ctx: ExprContext::Load,
            parenthesized: true,
        })
    });
    Expr::Compare(ast::ExprCompare {
        node_index: Default::default(),
        range,
        left: left.into(),
        ops: [op].into(),
        comparators: [right].into(),
    })
}

/// `name = lambda self, other: body`.
fn method(name: &str, body: Expr, range: TextRange) -> Stmt {
    let args = ["self", "other"].map(|name| parameter(name, None, range)).into();
    let parameters = ast::Parameters { range, args, ..Default::default() };
    let lambda =
        ast::ExprLambda { node_index: Default::default(), range, parameters: Some(Box::new(parameters)), body: body.into() };
    assignment(name_at(name, range), Expr::Lambda(lambda), range)
}

fn name_of(k: &Keyword) -> &str {
    k.arg.as_ref().map_or("**", |name| name.as_str())
}

fn flag(k: &Keyword) -> Result<bool, Diagnostic> {
    match &k.value {
        Expr::BooleanLiteral(b) => Ok(b.value),
        value => Err(Diagnostic::unsupported(span_of(value), format!("`{}` must be True or False", name_of(k)))),
    }
}

//! Methods with decorators that are functions: each becomes a function of the top level with these decorators, which the method calls.
//!
//! ```text
//! class C:                               @checkpoint
//!     @checkpoint                        def C.f(self, x, n=2): …
//!     def f(self, x, n=2): …     ⟹       class C:
//!                                            def f(self, x, n=2): return C.f(self, x, n)
//! ```

use super::class::last_name;
use super::rules::name_at;
use ruff_python_ast::{self as ast, Arguments, Expr, Keyword, Stmt};
use ruff_text_size::Ranged;

/// The decorators that say what a method is, which are those of the method alone.
const OWN: [&str; 10] = [
    "abstractmethod",
    "cached_property",
    "classmethod",
    "deleter",
    "final",
    "getter",
    "override",
    "property",
    "setter",
    "staticmethod",
];

/// The functions that the methods of a class become.
pub fn moved(class: &mut ast::StmtClassDef) -> Vec<Stmt> {
    let name = class.name.clone();
    let moved = |stmt: &mut Stmt| match stmt {
        Stmt::FunctionDef(f) => moved_method(&name, f).map(Stmt::FunctionDef),
        _ => None,
    };
    class.body.iter_mut().filter_map(moved).collect()
}

fn moved_method(class: &str, f: &mut ast::StmtFunctionDef) -> Option<ast::StmtFunctionDef> {
    let is_own = |d: &ast::Decorator| last_name(&d.expression).is_some_and(|name| OWN.contains(&name));
    let is_class_method = |d: &ast::Decorator| last_name(&d.expression) == Some("classmethod");
    if f.decorator_list.iter().all(is_own) || f.decorator_list.iter().any(is_class_method) {
        return None;
    }
    let (own, others) = f.decorator_list.drain(..).partition(is_own);
    f.decorator_list = own;
    let mut function = ast::StmtFunctionDef { decorator_list: others, ..f.clone() };
    function.name.id = format!("{class}.{}", f.name).into();
    let range = f.name.range();
    let node_index = ast::AtomicNodeIndex::default;
    let read = |name: &str| Expr::Name(name_at(name, range));
    let parameters = &f.parameters;
    let given = parameters.posonlyargs.iter().chain(&parameters.args).map(|p| read(p.name()));
    let rest = parameters.vararg.as_ref().map(|p| {
        let value = read(&p.name).into();
        Expr::Starred(ast::ExprStarred { node_index: node_index(), range, value, ctx: ast::ExprContext::Load })
    });
    let named = parameters.kwonlyargs.iter().map(|p| (Some(p.name().clone()), read(p.name())));
    let others = parameters.kwarg.as_ref().map(|p| (None, read(&p.name)));
    let keyword = |(arg, value)| Keyword { node_index: node_index(), range, arg, value };
    let arguments = Arguments {
        range,
        node_index: node_index(),
        args: given.chain(rest).collect(),
        keywords: named.chain(others).map(keyword).collect(),
    };
    let func = read(&function.name).into();
    let call = Expr::Call(ast::ExprCall { node_index: node_index(), range_start: range.start(), func, arguments });
    f.body = [Stmt::Return(ast::StmtReturn { node_index: node_index(), range, value: Some(call.into()) })].into();
    Some(function)
}

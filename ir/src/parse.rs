//! Reads the text form back. The grammar is at the top of [`crate::print`].
//!
//! Nodes and graphs may be mentioned before the line that defines them, so the text is read in two steps: the first makes graphs,
//! parameters and nodes in the order of the text, the second links them.

mod lex;

use crate::array::{ArrayOp, DType, Dims};
use crate::graph::{Const, Flavor, GraphId, Kind, Module, NodeId, Role, Tail};
use crate::host::Host;
use crate::prim::Prim;
use crate::span::Span;
use crate::types::Type;
use lex::{Lexer, Token};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Why a text is not a module.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{line}:{column}: {message}")]
pub struct ParseError {
    /// The line, from 1.
    pub line: usize,
    /// The column, in characters from 1.
    pub column: usize,
    /// What was expected there.
    pub message: String,
}

/// Types that nest deeper are refused, as other code walks types recursively.
const MAX_TYPE_DEPTH: usize = 256;

/// Reads a module. It is not verified.
pub fn parse(text: &str) -> Result<Module, ParseError> {
    parse_into(Module::new(), text, &[], &[]).map(|(module, _)| module)
}

/// Reads graphs into a module, whose entry they leave as it is. They may mention graphs of it, and types, by names that are given. Gives
/// the graphs by the names that they have in the text.
pub fn parse_into<'t>(
    module: Module,
    text: &'t str,
    known: &[(&'t str, GraphId)],
    types: &[(&'t str, Type)],
) -> Result<(Module, FxHashMap<&'t str, GraphId>), ParseError> {
    let (nodes, entry, links, ends, derivatives) = Default::default();
    let (graphs, types) = (known.iter().copied().collect(), types.iter().cloned().collect());
    let parser = Parser { lexer: Lexer::new(text), module, graphs, types, nodes, entry, links, ends, derivatives };
    parser.run().map_err(|fault| fault.locate(text))
}

/// An error by its byte offset.
struct Fault {
    at: usize,
    message: String,
}

impl Fault {
    fn new(at: usize, message: impl Into<String>) -> Fault {
        Fault { at, message: message.into() }
    }

    fn locate(self, text: &str) -> ParseError {
        let before = &text[..self.at];
        let line_start = before.rfind('\n').map_or(0, |i| i + 1);
        ParseError {
            line: before.matches('\n').count() + 1,
            column: before[line_start..].chars().count() + 1,
            message: self.message,
        }
    }
}

/// A name as it is written, quotes included, and its place.
type Mention<'t> = (&'t str, usize);

enum Operand<'t> {
    Node(Mention<'t>),
    Graph(Mention<'t>),
    Literal(Const, Type),
}

/// What is linked when all names are known.
struct GraphEnd<'t> {
    graph: GraphId,
    result: Type,
    defaults: Vec<Operand<'t>>,
    value: Option<Operand<'t>>,
}

struct Parser<'t> {
    lexer: Lexer<'t>,
    module: Module,
    graphs: FxHashMap<&'t str, GraphId>,
    types: FxHashMap<&'t str, Type>,
    nodes: FxHashMap<&'t str, NodeId>,
    entry: Option<Mention<'t>>,
    links: Vec<(NodeId, Vec<Operand<'t>>)>,
    ends: Vec<GraphEnd<'t>>,
    derivatives: Vec<(Prim, Mention<'t>, Mention<'t>)>,
}

impl<'t> Parser<'t> {
    fn run(mut self) -> Result<(Module, FxHashMap<&'t str, GraphId>), Fault> {
        loop {
            let (token, at) = self.lexer.next()?;
            match token {
                Token::End => break,
                Token::Newline => continue,
                Token::Word("entry") if self.entry.is_none() => self.entry = Some(self.graph_name()?),
                Token::Word("graph") => self.graph(Flavor::Function)?,
                Token::Word("block") => self.graph(Flavor::Block)?,
                Token::Word("library") => self.graph(Flavor::Library)?,
                Token::Word("derivative") => self.derivative()?,
                _ => return Err(Fault::new(at, "expected `graph`, `block`, `library`, `derivative`, or one `entry`")),
            }
            self.end_of_line()?;
        }
        self.link()
    }

    // --- first step: what is defined

    fn graph(&mut self, flavor: Flavor) -> Result<(), Fault> {
        let role = self.attribute()?.map_or(Ok(Role::Primal), |(role, at)| match role {
            "forward" => Ok(Role::Forward),
            "backward" => Ok(Role::Backward),
            _ => Err(Fault::new(at, "expected `forward` or `backward`")),
        })?;
        let (name, at) = self.graph_name()?;
        let graph = self.module.add_graph(lex::unquoted(name), flavor, role, Span::NONE);
        if self.graphs.insert(name, graph).is_some() {
            return Err(Fault::new(at, format!("a second graph `@{name}`")));
        }
        let mut end = GraphEnd { graph, result: Type::Unknown, defaults: Vec::new(), value: None };
        self.params(&mut end)?;
        if self.lexer.take(Token::Arrow)? {
            end.result = self.ty(0)?;
        }
        self.module.declare_result(graph, end.result.clone());
        self.expect(Token::Punct('{'))?;
        loop {
            let (token, at) = self.lexer.next()?;
            match token {
                Token::Newline => continue,
                Token::Punct('}') => break,
                Token::Node(name) => self.node(graph, (name, at))?,
                Token::Word("return") if end.value.is_none() => end.value = Some(self.operand()?),
                _ => return Err(Fault::new(at, "expected a node, one `return`, or `}`")),
            }
            self.end_of_line()?;
        }
        self.ends.push(end);
        Ok(())
    }

    fn params(&mut self, end: &mut GraphEnd<'t>) -> Result<(), Fault> {
        self.expect(Token::Punct('('))?;
        let mut first = true;
        while !self.lexer.take(Token::Punct(')'))? {
            if !first {
                self.expect(Token::Punct(','))?;
            }
            first = false;
            let (mut token, mut at) = self.lexer.next()?;
            let tail = &mut self.module[end.graph].tail;
            let is_marked = match token {
                Token::Word("rest") if *tail == Tail::default() => {
                    tail.rest = true;
                    true
                }
                Token::Word("keys") if !tail.keywords && tail.keyword_only == 0 => {
                    tail.keywords = true;
                    true
                }
                Token::Word("key") => {
                    tail.keyword_only += 1;
                    true
                }
                _ if *tail != Tail::default() => return Err(Fault::new(at, "a positional parameter after others")),
                _ => false,
            };
            if is_marked {
                (token, at) = self.lexer.next()?;
            }
            let Token::Node(name) = token else { return Err(Fault::new(at, "expected a parameter")) };
            let ty = self.annotation()?;
            let p = self.module.add_param(end.graph, ty, node_name(name), Span::NONE);
            self.define((name, at), p)?;
            if self.lexer.take(Token::Punct('='))? {
                end.defaults.push(self.operand()?);
            } else if !end.defaults.is_empty() {
                return Err(Fault::new(at, "a parameter without default after one with a default"));
            }
        }
        Ok(())
    }

    fn node(&mut self, graph: GraphId, (name, at): Mention<'t>) -> Result<(), Fault> {
        let ty = self.annotation()?;
        self.expect(Token::Punct('='))?;
        let (token, op_at) = self.lexer.next()?;
        let Token::Word(op) = token else { return Err(Fault::new(op_at, "expected `call` or a primitive")) };
        let attribute = self.attribute()?;
        let kind = match prim(op, attribute.map(|(a, _)| a)) {
            Some(prim) => Kind::Prim(prim),
            None if op == "call" && attribute.is_none() => Kind::Call,
            None => return Err(Fault::new(op_at, format!("no primitive `{op}` with this attribute"))),
        };
        // Without inputs for now, so what it applies is put in place after.
        let node = self.module.prim(graph, Prim::Tuple, Vec::new(), ty, Span::NONE);
        self.module.set_kind(node, kind);
        if let Some(name) = node_name(name) {
            self.module.set_name(node, name);
        }
        self.define((name, at), node)?;
        let mut operands = Vec::new();
        if !self.lexer.at_end_of_line()? {
            operands.push(self.operand()?);
            while self.lexer.take(Token::Punct(','))? {
                operands.push(self.operand()?);
            }
        } else if op == "call" {
            return Err(Fault::new(op_at, "a call needs a callee"));
        }
        self.links.push((node, operands));
        Ok(())
    }

    fn define(&mut self, (name, at): Mention<'t>, node: NodeId) -> Result<(), Fault> {
        match self.nodes.insert(name, node) {
            None => Ok(()),
            Some(_) => Err(Fault::new(at, format!("a second node `%{name}`"))),
        }
    }

    fn derivative(&mut self) -> Result<(), Fault> {
        let (token, at) = self.lexer.next()?;
        let prim = match token {
            Token::Word(name) => Prim::from_name(name),
            _ => None,
        };
        let Some(prim) = prim.filter(|p| p.is_operator()) else {
            return Err(Fault::new(at, "expected `J`, `K`, `J_last`, `K_last` or `F`"));
        };
        let of = self.graph_name()?;
        self.expect(Token::Punct('='))?;
        let derivative = self.graph_name()?;
        self.derivatives.push((prim, of, derivative));
        Ok(())
    }

    // --- parts of lines

    fn operand(&mut self) -> Result<Operand<'t>, Fault> {
        let (token, at) = self.lexer.next()?;
        let value = match token {
            Token::Node(name) => return Ok(Operand::Node((name, at))),
            Token::Graph(name) => return Ok(Operand::Graph((name, at))),
            Token::Number(text) => number(text).ok_or_else(|| Fault::new(at, "not a number of 64 bits"))?,
            Token::Str(quoted) => Const::Str(lex::unquoted(quoted)),
            Token::Word("nan") => Const::F64(f64::NAN.to_bits()),
            Token::Word("inf") => Const::F64(f64::INFINITY.to_bits()),
            Token::Word("true") => Const::Bool(true),
            Token::Word("false") => Const::Bool(false),
            Token::Word("none") => Const::None,
            Token::Word("zero") => Const::Zero,
            Token::Word("undefined") => Const::Undefined,
            _ => return Err(Fault::new(at, "expected an operand")),
        };
        let ty = if self.lexer.take(Token::Punct(':'))? { self.ty(0)? } else { crate::print::literal_type(&value) };
        Ok(Operand::Literal(value, ty))
    }

    fn annotation(&mut self) -> Result<Type, Fault> {
        if self.lexer.take(Token::Punct(':'))? { self.ty(0) } else { Ok(Type::Unknown) }
    }

    fn ty(&mut self, depth: usize) -> Result<Type, Fault> {
        let (token, at) = self.lexer.next()?;
        if depth > MAX_TYPE_DEPTH {
            return Err(Fault::new(at, "the type nests too deeply"));
        }
        Ok(match token {
            Token::Punct('?') => Type::Unknown,
            Token::Word(name) if self.types.contains_key(name) => self.types[name].clone(),
            Token::Word("bool") => Type::array(DType::Bool, self.shape()?),
            Token::Word("i64") => Type::array(DType::I64, self.shape()?),
            Token::Word("f32") => match self.shape()? {
                shape if shape.is_empty() => return Err(Fault::new(at, "only arrays have elements of type `f32`")),
                shape => Type::array(DType::F32, shape),
            },
            Token::Word("f64") => Type::array(DType::F64, self.shape()?),
            Token::Word("str") => Type::Str,
            Token::Word("none") => Type::None,
            Token::Word("zero") => Type::Zero,
            Token::Word("opaque") => Type::Opaque,
            Token::Word("fn") if self.lexer.take(Token::Punct('('))? => {
                let (params, _) = self.types(depth)?;
                self.expect(Token::Arrow)?;
                Type::func(params, self.ty(depth + 1)?)
            }
            Token::Word("fn") => Type::AnyFn,
            Token::Word("tape") => {
                self.expect(Token::Punct('<'))?;
                let record = self.ty(depth + 1)?;
                self.expect(Token::Punct('>'))?;
                Type::tape(record)
            }
            Token::Word("vec") => {
                self.expect(Token::Punct('<'))?;
                let record = self.ty(depth + 1)?;
                self.expect(Token::Punct('>'))?;
                if record.scalars().is_none() {
                    return Err(Fault::new(at, "the records of vectors are numbers, booleans, boxes, and tuples of them"));
                }
                Type::vec(record)
            }
            Token::Punct('(') => match self.types(depth)? {
                (items, false) if items.len() == 1 => return Err(Fault::new(at, "a tuple of one is written `(T,)`")),
                (items, _) => Type::tuple(items),
            },
            _ => return Err(Fault::new(at, "expected a type")),
        })
    }

    /// Types up to the closing parenthesis, and whether there is a comma before it.
    fn types(&mut self, depth: usize) -> Result<(Vec<Type>, bool), Fault> {
        let mut types = Vec::new();
        let mut comma = false;
        while !self.lexer.take(Token::Punct(')'))? {
            if !types.is_empty() && !comma {
                self.expect(Token::Punct(')'))?;
            }
            types.push(self.ty(depth + 1)?);
            comma = self.lexer.take(Token::Punct(','))?;
        }
        Ok((types, comma))
    }

    /// What stands in angle brackets, if anything does: a word, or numbers.
    fn attribute(&mut self) -> Result<Option<Mention<'t>>, Fault> {
        if !self.lexer.take(Token::Punct('<'))? {
            return Ok(None);
        }
        let start = self.lexer.position();
        loop {
            let (token, at) = self.lexer.next()?;
            let (Token::Word(_) | Token::Number(_)) = token else { return Err(Fault::new(at, "expected an attribute")) };
            let text = self.lexer.since(start);
            if !self.lexer.take(Token::Punct(','))? {
                self.expect(Token::Punct('>'))?;
                return Ok(Some((text, start)));
            }
        }
    }

    /// The shape of an array type; empty if there is none.
    fn shape(&mut self) -> Result<Dims, Fault> {
        let mut sizes = Vec::new();
        if self.lexer.take(Token::Punct('['))? {
            while sizes.is_empty() || self.lexer.take(Token::Punct(','))? {
                let (token, at) = self.lexer.next()?;
                let size = match token {
                    Token::Number(text) => text.parse().ok().filter(|&n: &i64| n >= 0),
                    _ => None,
                };
                sizes.push(size.ok_or_else(|| Fault::new(at, "expected the length of an axis"))?);
            }
            self.expect(Token::Punct(']'))?;
        }
        Ok(Dims::new(sizes))
    }

    fn graph_name(&mut self) -> Result<Mention<'t>, Fault> {
        match self.lexer.next()? {
            (Token::Graph(name), at) => Ok((name, at)),
            (_, at) => Err(Fault::new(at, "expected the name of a graph")),
        }
    }

    fn expect(&mut self, token: Token<'static>) -> Result<(), Fault> {
        let (found, at) = self.lexer.next()?;
        if found == token { Ok(()) } else { Err(Fault::new(at, format!("expected {token}"))) }
    }

    fn end_of_line(&mut self) -> Result<(), Fault> {
        let at = self.lexer.position();
        if self.lexer.at_end_of_line()? { Ok(()) } else { Err(Fault::new(at, "expected the end of the line")) }
    }

    // --- second step: links

    fn link(mut self) -> Result<(Module, FxHashMap<&'t str, GraphId>), Fault> {
        for (node, operands) in std::mem::take(&mut self.links) {
            let inputs = self.resolve_all(operands)?;
            self.module.set_inputs(node, inputs);
        }
        for GraphEnd { graph, result, defaults, value } in std::mem::take(&mut self.ends) {
            self.module[graph].defaults = self.resolve_all(defaults)?;
            if let Some(value) = value {
                let value = self.resolve(value)?;
                self.module.set_result(graph, value);
            }
            // It is what the text says, also where the value would say another.
            self.module.declare_result(graph, result);
        }
        for (prim, of, derivative) in std::mem::take(&mut self.derivatives) {
            let (g, d) = (self.find_graph(of)?, self.find_graph(derivative)?);
            self.module.derivatives.insert((g, prim), d);
        }
        if let Some(entry) = self.entry {
            self.module.entry = Some(self.find_graph(entry)?);
        }
        Ok((self.module, self.graphs))
    }

    fn resolve_all(&mut self, operands: Vec<Operand<'t>>) -> Result<Vec<NodeId>, Fault> {
        operands.into_iter().map(|o| self.resolve(o)).collect()
    }

    fn resolve(&mut self, operand: Operand<'t>) -> Result<NodeId, Fault> {
        match operand {
            Operand::Node((name, at)) => {
                self.nodes.get(name).copied().ok_or_else(|| Fault::new(at, format!("no node `%{name}`")))
            }
            Operand::Graph(mention) => {
                let graph = self.find_graph(mention)?;
                Ok(self.module.graph_ref(graph))
            }
            Operand::Literal(value, ty) => Ok(self.module.constant(value, ty)),
        }
    }

    fn find_graph(&self, (name, at): Mention<'t>) -> Result<GraphId, Fault> {
        self.graphs.get(name).copied().ok_or_else(|| Fault::new(at, format!("no graph `@{name}`")))
    }
}

/// The name of a node; none for a number.
fn node_name(written: &str) -> Option<Arc<str>> {
    let is_number = written.bytes().all(|b| b.is_ascii_digit());
    (!is_number).then(|| lex::unquoted(written))
}

fn number(text: &str) -> Option<Const> {
    match text {
        "-inf" => Some(Const::F64(f64::NEG_INFINITY.to_bits())),
        _ if text.contains(['.', 'e', 'E']) => text.parse().ok().map(|v: f64| Const::F64(v.to_bits())),
        _ => text.parse().ok().map(Const::I64),
    }
}

fn prim(name: &str, attribute: Option<&str>) -> Option<Prim> {
    match (name, attribute) {
        ("get", Some(i)) => i.parse().ok().map(Prim::Get),
        ("host", Some(n)) => n.parse().ok().and_then(Host::with_number).map(Prim::Host),
        ("nest_level", Some(n)) => n.parse().ok().map(Prim::NestLevel),
        ("taylor", Some(n)) => n.parse().ok().filter(|&n: &u32| n > 1).map(Prim::Taylor),
        ("lift", Some(name)) => ArrayOp::from_name(name).map(Prim::Lift),
        ("partial_kw", Some(n)) => n.parse().ok().map(Prim::PartialKw),
        ("call_kw", Some(n)) => n.parse().ok().map(Prim::CallKw),
        ("apply", Some(n)) => n.parse().ok().map(Prim::Apply),
        ("grad" | "value_and_grad", marks) => {
            let (value, mut many, mut aux, mut allow_int) = (name == "value_and_grad", false, false, false);
            for mark in marks.iter().flat_map(|marks| marks.split('_')) {
                match mark {
                    "many" => many = true,
                    "aux" => aux = true,
                    "ints" => allow_int = true,
                    _ => return None,
                }
            }
            Some(Prim::Grad { value, many, aux, allow_int })
        }
        ("tuple", None) => Some(Prim::Tuple),
        ("partial", None) => Some(Prim::Partial),
        (name, attribute) => match ArrayOp::from_name(name) {
            Some(op) => integers(attribute.unwrap_or("")).map(|attribute| Prim::Array(op, attribute)),
            None if attribute.is_none() => Prim::from_name(name),
            None => None,
        },
    }
}

/// The list of integers in an attribute.
fn integers(text: &str) -> Option<Dims> {
    if text.is_empty() {
        return Some(Dims::NONE);
    }
    text.split(',').map(|item| item.trim().parse().ok()).collect::<Option<Vec<i64>>>().map(Dims::new)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::print::roundtrip_check;
    use expect_test::expect;

    #[test]
    fn forward_references_and_literals() {
        let m = parse(
            "graph @f(%7) {\n return %3\n %3 = add %7, %12\n %12 = call @g, -1, -0.0, 1e300, nan, \"a\\n\\u{301}\"\n}\ngraph @g(){}",
        );
        expect![[r#"
            graph @f(%0) {
              %1 = call @g, -1, -0.0, 1e300, nan, "a\n\u{301}"
              %2 = add %0, %1
              return %2
            }
            graph @g() {
            }
        "#]]
        .assert_eq(&roundtrip_check(&m.unwrap()));
    }

    #[test]
    fn refused() {
        let deep = format!("graph @f(%a: {}", "(".repeat(100_000));
        let texts = [
            "entry @f",
            "graph<up> @f() {}",
            "graph @f() {} graph @f() {}",
            "graph @f() {}\ngraph @f() {}",
            "graph @f(%a, %a) {}",
            "graph @f(%a: (f64)) {}",
            "graph @f(%a: f32) {}",
            "graph @f() {\n  %a = add %b\n}",
            "graph @f() {\n  %a = add 1, 2",
            "graph @f() {\n  %a = call\n}",
            "graph @f() {\n  %a = get %a\n}",
            "graph @f() {\n  %a = nop\n}",
            "graph @f() { return 99999999999999999999 }",
            "graph @f() { return \"é\\q\" }",
            "graph @f() { return \"é }",
            &deep,
        ];
        let messages: String = texts.map(|t| format!("{}\n", parse(t).unwrap_err())).concat();
        expect![[r#"
            1:7: no graph `@f`
            1:7: expected `forward` or `backward`
            1:15: expected the end of the line
            2:7: a second graph `@f`
            1:14: a second node `%a`
            1:14: a tuple of one is written `(T,)`
            1:14: only arrays have elements of type `f32`
            2:12: no node `%b`
            2:16: expected a node, one `return`, or `}`
            2:8: a call needs a callee
            2:8: no primitive `get` with this attribute
            2:8: no primitive `nop` with this attribute
            1:21: not a number of 64 bits
            1:21: unknown escape in a string
            1:21: the string does not end on its line
            1:271: the type nests too deeply
        "#]]
        .assert_eq(&messages);
    }
}

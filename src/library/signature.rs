//! Types of arguments as text: `f64, i64[3], {w: f64[2, 2], b: f64[2]}`.

use crate::Error;
use gradus_ir::{DType, Dims, Schema, Type};
use std::sync::Arc;

/// How deep types may be nested.
const MAX_DEPTH: usize = 64;

/// The types of arguments that a text lists: `f64`, `i64`, `bool`; arrays with their shape, `f64[3, 4]`, of `f32`, too; tuples,
/// `(f64, i64)`; dicts, `{w: f64[3], b: f64}`, and instances of classes of the file, `Point(x: f64, y: f64)`.
///
/// ```
/// let types = gradus::signature("f64, i64, f64[3, 4]")?;
/// assert_eq!(types.iter().map(|ty| ty.to_string()).collect::<Vec<_>>(), ["f64", "i64", "f64[3, 4]"]);
/// # Ok::<(), gradus::Error>(())
/// ```
pub fn signature(text: &str) -> Result<Vec<Type>, Error> {
    let mut reader = Reader { text, at: 0 };
    let types = reader.list("", 0).and_then(|types| match reader.word() {
        "" => Ok(types),
        _ => Err("expected `,`".into()),
    });
    types.map_err(|expected: String| {
        let rest = &text[reader.at..];
        Error::Arguments(format!(
            "the signature `{text}`: {expected} before `{rest}`; a type is f64, i64[3], (f64, bool) or {{w: f64}}"
        ))
    })
}

struct Reader<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Reader<'t> {
    /// The next word or mark, which stays the next; empty at the end.
    fn word(&mut self) -> &'t str {
        let rest = &self.text[self.at..];
        let blank = rest.len() - rest.trim_start().len();
        self.at += blank;
        let rest = &rest[blank..];
        let end = rest.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(rest.len());
        let end = if end == 0 { rest.chars().next().map_or(0, char::len_utf8) } else { end };
        &rest[..end]
    }

    fn take(&mut self, mark: &str) -> bool {
        let found = self.word() == mark;
        if found {
            self.at += mark.len();
        }
        found
    }

    fn expect(&mut self, mark: &str) -> Result<(), String> {
        if self.take(mark) { Ok(()) } else { Err(format!("expected `{mark}`")) }
    }

    fn name(&mut self) -> Result<&'t str, String> {
        let name = self.word();
        if !name.starts_with(|c: char| c.is_alphabetic() || c == '_') {
            return Err("expected a name".into());
        }
        self.at += name.len();
        Ok(name)
    }

    /// Types up to a closing mark, which is taken.
    fn list(&mut self, close: &str, depth: usize) -> Result<Vec<Type>, String> {
        let mut types = Vec::new();
        while !self.closes(close) {
            types.push(self.ty(depth)?);
            if !self.take(",") {
                break;
            }
        }
        self.close(close)?;
        Ok(types)
    }

    fn closes(&mut self, close: &str) -> bool {
        self.word() == close
    }

    fn close(&mut self, close: &str) -> Result<(), String> {
        if close.is_empty() { Ok(()) } else { self.expect(close) }
    }

    /// Fields up to a closing mark.
    fn fields(&mut self, class: Option<&str>, close: &str, depth: usize) -> Result<Type, String> {
        let (mut names, mut types): (Vec<Arc<str>>, Vec<Type>) = Default::default();
        while !self.closes(close) {
            names.push(self.name()?.into());
            self.expect(":")?;
            types.push(self.ty(depth)?);
            if !self.take(",") {
                break;
            }
        }
        self.close(close)?;
        Ok(Type::Record(Arc::new(Schema { class: class.map(Arc::from), fields: names.into() }), types.into()))
    }

    fn ty(&mut self, depth: usize) -> Result<Type, String> {
        if depth == MAX_DEPTH {
            return Err("types that are nested less deep are expected".into());
        }
        if self.take("(") {
            return Ok(Type::tuple(self.list(")", depth + 1)?));
        }
        if self.take("{") {
            return self.fields(None, "}", depth + 1);
        }
        let word = self.word();
        let dtype = match word {
            "f64" => DType::F64,
            "f32" => DType::F32,
            "i64" => DType::I64,
            "bool" => DType::Bool,
            _ => {
                let start = self.at;
                let class = self.name().map_err(|_| "expected a type")?;
                if self.take("(") {
                    return self.fields(Some(class), ")", depth + 1);
                }
                self.at = start;
                return Err("expected a type".into());
            }
        };
        let start = self.at;
        self.at += word.len();
        let mut shape = Vec::new();
        if self.take("[") {
            loop {
                let size = self.word();
                shape.push(size.parse::<u32>().map_err(|_| "expected the length of an axis")?.into());
                self.at += size.len();
                if !self.take(",") {
                    break;
                }
            }
            self.expect("]")?;
        }
        if dtype == DType::F32 && shape.is_empty() {
            self.at = start;
            return Err("expected f64, only arrays have elements of type f32,".into());
        }
        Ok(Type::array(dtype, Dims::new(shape)))
    }
}

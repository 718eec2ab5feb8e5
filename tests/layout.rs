//! Libraries for C: the names, the sizes and the order of what each derivative takes and gives, for each shape of arguments and
//! results. Functions are quadratic forms of all floats of their arguments, whose derivatives are known; C and Rust call them.

use gradus::{Backend, Engine, Function, Library, Options, Program, Request, Source, Type, signature};
use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::Command;

/// What a scalar of a result is: a quadratic form, another one, or an int.
#[derive(Clone, Copy, PartialEq)]
enum Part {
    Form,
    Other,
    Int,
}
use Part::{Form, Int, Other};

/// Arguments: the list of parameters, their types, the lines that name their floats `u` and an int `n`; and of each parameter its
/// scalars and arrays, floats by the number of their elements and ints by what C writes for them.
struct Arguments {
    name: &'static str,
    parameters: &'static str,
    types: &'static str,
    body: &'static str,
    leaves: &'static [&'static [Leaf]],
    n: f64,
}

enum Leaf {
    Float(&'static str),
    Floats(&'static str, usize),
    Int(&'static str, &'static str, &'static str),
}

#[rustfmt::skip]
const ARGUMENTS: [Arguments; 6] = [
    Arguments { name: "scalars", parameters: "x, n, y", types: "f64, i64, f64", body: "u = [x, y]", n: 2.0,
        leaves: &[&[Leaf::Float("x")], &[Leaf::Int("n", "int64_t", "2")], &[Leaf::Float("y")]] },
    Arguments { name: "tuples", parameters: "p, x", types: "(f64, (f64, i64)), f64", body: "n = p[1][1]; u = [p[0], p[1][0], x]", n: 3.0,
        leaves: &[&[Leaf::Float("p_0"), Leaf::Float("p_1_0"), Leaf::Int("p_1_1", "int64_t", "3")], &[Leaf::Float("x")]] },
    Arguments { name: "arrays", parameters: "a, k, m", types: "f64[2], i64, f64[2, 1]",
        body: "n = k; u = [a[0], a[1], m[0, 0], m[1, 0]]", n: 2.0,
        leaves: &[&[Leaf::Floats("a", 2)], &[Leaf::Int("k", "int64_t", "2")], &[Leaf::Floats("m", 2)]] },
    Arguments { name: "dicts", parameters: "q, flag", types: "{w: f64[2], k: i64, b: f64}, bool",
        body: "n = q['k'] if flag else 1; u = [q['w'][0], q['w'][1], q['b']]", n: 4.0,
        leaves: &[&[Leaf::Floats("q_w", 2), Leaf::Int("q_k", "int64_t", "4"), Leaf::Float("q_b")], &[Leaf::Int("flag", "bool", "true")]] },
    Arguments { name: "objects", parameters: "z, s", types: "f64, Shape(size: (f64, f64), k: i64, at: f64[1])",
        body: "n = s.k; u = [z, s.size[0], s.size[1], s.at[0]]", n: 2.0,
        leaves: &[&[Leaf::Float("z")],
            &[Leaf::Float("s_size_0"), Leaf::Float("s_size_1"), Leaf::Int("s_k", "int64_t", "2"), Leaf::Floats("s_at", 1)]] },
    Arguments { name: "lists", parameters: "v, x", types: "", body: "n = 2; u = [v[0], v[1], x]", n: 2.0,
        leaves: &[&[Leaf::Float("v_0"), Leaf::Float("v_1")], &[Leaf::Float("x")]] },
];

/// The name of a scalar or an array in a result, whether it is an array, and its parts.
type Written = (&'static str, bool, &'static [Part]);

/// The name of the floats of an argument, whether they are in an array, and their places among all.
type Floats<'a> = (&'a str, bool, std::ops::Range<usize>);

/// Results: an expression, and the scalars and arrays in it.
#[rustfmt::skip]
const RESULTS: [(&str, &str, &[Written]); 6] = [
    ("float", "s", &[("", false, &[Form])]),
    ("tuple", "s, (n, t)", &[("_0", false, &[Form]), ("_1_0", false, &[Int]), ("_1_1", false, &[Other])]),
    ("array", "np.array([s, t])", &[("", true, &[Form, Other])]),
    ("dict", "{'s': s, 'k': n, 'v': np.array([t, s])}", &[("_s", false, &[Form]), ("_k", false, &[Int]), ("_v", true, &[Other, Form])]),
    ("object", "Pair(s, (t, n))", &[("_first", false, &[Form]), ("_second_0", false, &[Other]), ("_second_1", false, &[Int])]),
    ("list", "[s, t]", &[("_0", false, &[Form]), ("_1", false, &[Other])]),
];

const CLASSES: &str = "from dataclasses import dataclass\nimport numpy as np\n
@dataclass(frozen=True)\nclass Shape:\n    size: tuple\n    k: int\n    at: object\n
@dataclass(frozen=True)\nclass Pair:\n    first: float\n    second: tuple\n";

/// The coefficients of the quadratic form `Σ c uᵢ uⱼ`, and of the other one.
fn coefficients(part: Part, count: usize) -> Vec<(usize, usize, f64)> {
    let form = |i: usize| (i, (i + 1) % count, (i + 1) as f64);
    match part {
        Form => (0..count).map(form).chain((0..count).map(|i| (i, i, 0.5 * (i + 2) as f64))).collect(),
        Other => vec![(0, count - 1, 3.0), (1, 1, 1.0)],
        Int => Vec::new(),
    }
}

/// A parameter of a function for C, and what is given for it or is to be found there.
struct Word {
    ty: &'static str,
    name: String,
    is_array: bool,
    values: Vec<f64>,
    text: String,
}

impl Word {
    fn floats(name: String, is_array: bool, values: Vec<f64>) -> Word {
        let all: Vec<String> = values.iter().map(|v| format!("{v:?}")).collect();
        Word { ty: "double", name, is_array, text: all.join(", "), values }
    }

    fn rust_type(&self) -> &'static str {
        match self.ty {
            "int64_t" => "i64",
            "bool" => "bool",
            _ => "f64",
        }
    }
}

/// A function of a library, with what it takes and gives.
struct Case {
    symbol: String,
    args: Vec<Word>,
    results: Vec<Word>,
}

/// One shape of arguments and of the result.
struct Shape<'a> {
    arguments: &'a Arguments,
    words: &'a [(&'static str, bool, &'static [Part])],
    /// The floats of each parameter: their name, whether they are an array, and which elements they are.
    floats: Vec<Vec<Floats<'static>>>,
    at: Vec<f64>,
}

impl<'a> Shape<'a> {
    fn new(arguments: &'a Arguments, words: &'a [(&'static str, bool, &'static [Part])]) -> Shape<'a> {
        let mut count = 0;
        let mut next = |n: usize| {
            count += n;
            count - n..count
        };
        let mut floats = |leaf: &Leaf| match *leaf {
            Leaf::Float(name) => Some((name, false, next(1))),
            Leaf::Floats(name, n) => Some((name, true, next(n))),
            Leaf::Int(..) => None,
        };
        let floats = arguments.leaves.iter().map(|leaves| leaves.iter().filter_map(&mut floats).collect()).collect();
        Shape { arguments, words, floats, at: (0..count).map(|i| 0.75 + 0.5 * i as f64).collect() }
    }

    fn value(&self, part: Part) -> f64 {
        let sum: f64 = coefficients(part, self.at.len()).iter().map(|&(i, j, c)| c * self.at[i] * self.at[j]).sum();
        if part == Int { self.arguments.n } else { self.arguments.n * sum }
    }

    fn first(&self, part: Part, k: usize) -> f64 {
        (0..self.at.len()).map(|j| self.second(part, k, j) * self.at[j]).sum()
    }

    fn second(&self, part: Part, k: usize, l: usize) -> f64 {
        let of = |&(i, j, c): &(usize, usize, f64)| f64::from(u8::from((i, j) == (k, l)) + u8::from((j, i) == (k, l))) * c;
        self.arguments.n * coefficients(part, self.at.len()).iter().map(of).sum::<f64>()
    }

    /// The words of the value, each part as something of it; those of ints are left out of what is no value.
    fn of_value(&self, prefix: &str, what: &dyn Fn(usize, Part) -> f64, is_value: bool) -> Vec<Word> {
        let mut at = 0;
        let mut word = |(name, is_array, parts): &(&str, bool, &[Part])| {
            let values = parts.iter().map(|&part| (at += 1, what(at - 1, part)).1).collect();
            let word = Word::floats(format!("{prefix}{name}"), *is_array, values);
            if parts != &[Int] { Some(word) } else { is_value.then_some(Word { ty: "int64_t", ..word }) }
        };
        self.words.iter().filter_map(&mut word).collect()
    }

    fn of_floats(&self, wrt: &[usize], prefix: &str, what: &dyn Fn(usize) -> f64) -> Vec<Word> {
        let leaves = wrt.iter().flat_map(|&i| &self.floats[i]);
        leaves
            .map(|(name, is_array, at)| Word::floats(format!("{prefix}{name}"), *is_array, at.clone().map(what).collect()))
            .collect()
    }

    fn arguments(&self) -> Vec<Word> {
        let mut floats = self.of_floats(&(0..self.floats.len()).collect::<Vec<_>>(), "", &|i| self.at[i]).into_iter();
        let word = |leaf: &Leaf| match *leaf {
            Leaf::Int(name, ty, text) => Word { ty, name: name.into(), is_array: false, values: Vec::new(), text: text.into() },
            _ => floats.next().expect("a float"),
        };
        self.arguments.leaves.iter().flat_map(|leaves| leaves.iter()).map(word).collect()
    }

    /// The request, and what its function takes and gives.
    fn ask(&self, answer: &str, types: &[Type], seed: &Type, wrt: &[usize]) -> (Request, Vec<Word>, Vec<Word>) {
        let direction = |i: usize| 0.5 - 0.25 * i as f64;
        let weight = |i: usize, _| 1.5 + i as f64;
        let parts: Vec<Part> = self.words.iter().flat_map(|(_, _, parts)| *parts).copied().collect();
        let all: Vec<usize> = (0..types.len()).collect();
        let tangents = || types.iter().map(Type::cotangent).collect::<Vec<_>>();
        let value = |name: &str| self.of_value(name, &|_, part| self.value(part), true);
        let along = |what: &dyn Fn(usize) -> f64| (0..self.at.len()).map(|k| what(k) * direction(k)).sum::<f64>();
        let (w, own) = (wrt.to_vec(), self.arguments());
        let with = |more: Vec<Word>| self.arguments().into_iter().chain(more).collect();
        let leaves = || wrt.iter().flat_map(|&i| &self.floats[i]);
        match answer {
            "value" => (Request::Value, own, value("result")),
            "grad" => {
                let gradients = self.of_floats(wrt, "d_", &|k| self.first(Form, k));
                (Request::Gradient(w), own, value("value").into_iter().chain(gradients).collect())
            }
            "vjp" => {
                let sum = |k| parts.iter().enumerate().map(|(i, &part)| weight(i, part) * self.first(part, k)).sum();
                let gradients = self.of_floats(wrt, "d_", &sum);
                let args = with(self.of_value("seed", &weight, false));
                (Request::Pullback(w, seed.clone()), args, value("value").into_iter().chain(gradients).collect())
            }
            "jvp" => {
                let tangent = self.of_value("tangent", &|_, part| along(&|k| self.first(part, k)), false);
                let args = with(self.of_floats(&all, "t_", &direction));
                (Request::Jvp(tangents()), args, value("value").into_iter().chain(tangent).collect())
            }
            "hvp" => {
                let args = with(self.of_floats(&all, "t_", &direction));
                (Request::Hvp(w, tangents()), args, self.of_floats(wrt, "h_", &|k| along(&|l| self.second(Form, k, l))))
            }
            "jacobian" => {
                let mut results = Vec::new();
                for &i in wrt {
                    for (result, in_array, parts) in self.words.iter().filter(|(_, _, parts)| parts != &[Int]) {
                        for (name, is_array, at) in &self.floats[i] {
                            let of = if result.is_empty() { String::new() } else { format!("result{result}_") };
                            let entries = parts.iter().flat_map(|&part| at.clone().map(move |k| self.first(part, k))).collect();
                            results.push(Word::floats(format!("d_{of}{name}"), *in_array || *is_array, entries));
                        }
                    }
                }
                (Request::Jacobian(w), own, results)
            }
            "hessian" => {
                let pairs = leaves().flat_map(|a| leaves().map(move |b| (a, b)));
                let entry = |((a, in_array, rows), (b, is_array, columns)): (&Floats<'_>, &Floats<'_>)| {
                    let entries = rows.clone().flat_map(|k| columns.clone().map(move |l| self.second(Form, k, l)));
                    Word::floats(format!("d_{a}_{b}"), *in_array || *is_array, entries.collect())
                };
                (Request::Hessian(w), own, pairs.map(entry).collect())
            }
            other => panic!("{other}"),
        }
    }
}

/// The text of a function.
fn function(arguments: &Arguments, name: &str, result: &str) -> String {
    let count = Shape::new(arguments, &[]).at.len();
    let form = |part| {
        let terms = coefficients(part, count).into_iter().map(|(i, j, c)| format!("{c:?} * u[{i}] * u[{j}]"));
        terms.collect::<Vec<_>>().join(" + ")
    };
    let Arguments { parameters, body, .. } = arguments;
    format!(
        "\ndef {name}({parameters}):\n    {body}\n    s = n * ({})\n    t = n * ({})\n    return {result}\n",
        form(Form),
        form(Other)
    )
}

fn declaration(case: &Case) -> String {
    let arg = |w: &Word| if w.is_array { format!("const {} *{}", w.ty, w.name) } else { format!("{} {}", w.ty, w.name) };
    let params: Vec<String> =
        case.args.iter().map(arg).chain(case.results.iter().map(|w| format!("{} *{}", w.ty, w.name))).collect();
    format!("int {}({});", case.symbol, params.join(", "))
}

/// A call from C, with guards on both sides of every result.
fn in_c(case: &Case) -> String {
    let mut text = String::from("{\n");
    let mut given = Vec::new();
    for (i, w) in case.args.iter().enumerate() {
        if w.is_array {
            let _ = writeln!(text, "double a{i}[] = {{{}}};", w.text);
            given.push(format!("a{i}"));
        } else {
            given.push(w.text.clone());
        }
    }
    for (i, w) in case.results.iter().enumerate() {
        let n = w.values.len();
        let _ = writeln!(text, "{} r{i}[{}]; r{i}[0] = r{i}[{}] = 77;", w.ty, n + 2, n + 1);
        given.push(format!("r{i} + 1"));
    }
    let _ = writeln!(text, "if ({}({})) return 1;", case.symbol, given.join(", "));
    for (i, w) in case.results.iter().enumerate() {
        let n = w.values.len();
        let _ = writeln!(text, "if (r{i}[0] != 77 || r{i}[{}] != 77) return 2;", n + 1);
        let _ = writeln!(text, "for (int i = 1; i <= {n}; i++) printf(\"%.17g\\n\", (double)r{i}[i]);");
    }
    text + "}\n"
}

/// A call from Rust.
fn in_rust(case: &Case) -> String {
    let mut text = String::from("{\n");
    let mut given: Vec<String> =
        case.args.iter().map(|w| if w.is_array { format!("&[{}]", w.text) } else { w.text.clone() }).collect();
    let mut scalars = Vec::new();
    for (i, w) in case.results.iter().enumerate() {
        if w.is_array {
            let _ = writeln!(text, "let mut r{i} = [0.0; {}];", w.values.len());
            given.push(format!("&mut r{i}"));
        } else {
            scalars.push(format!("r{i}"));
        }
    }
    let types: Vec<&str> = case.results.iter().filter(|w| !w.is_array).map(Word::rust_type).collect();
    let tuple = |parts: Vec<String>| if parts.len() == 1 { parts.concat() } else { format!("({})", parts.join(", ")) };
    let types = tuple(types.into_iter().map(String::from).collect());
    let _ = writeln!(text, "let {}: {types} = layout::{}({}).unwrap();", tuple(scalars), case.symbol, given.join(", "));
    for (i, w) in case.results.iter().enumerate() {
        text += &match w.is_array {
            true => format!("for v in r{i} {{ println!(\"{{v:?}}\"); }}\n"),
            false => format!("println!(\"{{:?}}\", r{i} as f64);\n"),
        };
    }
    text + "}\n"
}

fn succeed(command: &mut Command) -> String {
    let out = command.output().expect("the program starts");
    let text = |bytes| String::from_utf8_lossy(bytes).into_owned();
    assert!(out.status.success(), "{command:?}: {}{}", text(&out.stdout), text(&out.stderr));
    text(&out.stdout)
}

fn check(cases: &[Case], printed: &str) {
    let mut printed = printed.lines().map(|line| line.parse::<f64>().expect("a number"));
    for case in cases {
        for w in &case.results {
            for &known in &w.values {
                let found = printed.next().expect("a number for each scalar");
                assert!((found - known).abs() <= 1e-9 * known.abs().max(1.0), "{} {}: {found}, not {known}", case.symbol, w.name);
            }
        }
    }
    assert_eq!(printed.next(), None);
}

/// What is asked of a function, by a name, with the arguments to differentiate with respect to.
fn answers(result: &str) -> &'static [&'static str] {
    match result {
        "float" => &["value", "grad", "vjp", "jvp", "jacobian", "hessian", "hvp"],
        _ => &["value", "vjp", "jvp", "jacobian"],
    }
}

fn types(arguments: &Arguments) -> Vec<Type> {
    match arguments.types {
        "" => vec![Type::List([Type::F64, Type::F64].into()), Type::F64],
        text => signature(text).expect("types"),
    }
}

#[test]
fn names_and_sizes_of_every_derivative() {
    let mut text = String::from(CLASSES);
    for arguments in &ARGUMENTS {
        RESULTS.iter().for_each(|(name, result, _)| text += &function(arguments, &format!("{}_{name}", arguments.name), result));
    }
    let program: Program =
        Engine::new(Options::new().backend(Backend::Interp)).parse(Source::new("layout.py", &text)).expect("a program");
    let mut library = Library::new("layout", program.source());
    let mut cases = Vec::new();
    for arguments in &ARGUMENTS {
        let types = types(arguments);
        for (result, _, words) in &RESULTS {
            let name = format!("{}_{result}", arguments.name);
            let function: Function = program.function(&name).expect("a function");
            let shape = Shape::new(arguments, words);
            let seed = function.result_type(&types).expect("a type").cotangent();
            let all = gradus::active(&types);
            // The order of derivatives is that in which they are asked for.
            let mut wrts = vec![(String::new(), all.clone())];
            if *result == "float" && all.len() > 1 {
                wrts.push(("_turned".into(), all.iter().rev().copied().collect()));
            }
            for (suffix, wrt) in wrts {
                for answer in answers(result) {
                    let (request, args, results) = shape.ask(answer, &types, &seed, &wrt);
                    let symbol = format!("{name}_{answer}{suffix}");
                    let compiled = function.compile(&types, &request).unwrap_or_else(|e| panic!("{symbol}: {e}"));
                    library = library.with(&symbol, &function, &compiled).unwrap_or_else(|e| panic!("{symbol}: {e}"));
                    cases.push(Case { symbol, args, results });
                }
            }
        }
    }
    let header = library.header();
    for case in &cases {
        let (declared, known) = (header.lines().find(|l| l.starts_with(&format!("int {}(", case.symbol))), declaration(case));
        assert_eq!(declared, Some(&*known));
    }

    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("layout");
    std::fs::create_dir_all(&folder).expect("a folder");
    let file = |name: &str| folder.join(name);
    std::fs::write(file("liblayout.a"), library.archive().expect("an archive")).expect("a file");
    std::fs::write(file("layout.h"), header).expect("a file");
    std::fs::write(file("layout.rs"), library.rust()).expect("a file");
    let calls: String = cases.iter().map(in_c).collect();
    let main = format!("#include \"layout.h\"\n#include <stdio.h>\nint main(void) {{\n{calls}return 0; }}\n");
    std::fs::write(file("main.c"), main).expect("a file");
    let strict = ["-std=c11", "-Wall", "-Wextra", "-Werror", "-pedantic"];
    let program = file("in_c");
    succeed(Command::new("cc").args(strict).arg(file("main.c")).arg(file("liblayout.a")).args(["-lm", "-o"]).arg(&program));
    check(&cases, &succeed(&mut Command::new(program)));

    let calls: String = cases.iter().map(in_rust).collect();
    std::fs::write(file("main.rs"), format!("mod layout;\nfn main() {{\n{calls}}}\n")).expect("a file");
    let program = file("in_rust");
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let link = ["--edition", "2024", "-D", "warnings", "-A", "unused_parens", "-l", "static=layout", "-L"];
    succeed(Command::new(rustc).args(link).arg(&folder).arg("-o").arg(&program).arg(file("main.rs")));
    check(&cases, &succeed(&mut Command::new(program)));
}

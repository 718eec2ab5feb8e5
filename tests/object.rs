//! Libraries for C: what `gradus build` makes is linked into programs in C and in Rust, which give the bits of native code.

#[path = "common/command.rs"]
mod command;

use command::gradus;
use gradus::{Array, Dims, Elements, Engine, Options, Plan, Request, Strategy, Value, signature};
use std::path::{Path, PathBuf};
use std::process::Command;

const MODEL: &str = "tests/object/model.py";

/// A folder of its own.
fn folder(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("object-{name}"));
    std::fs::create_dir_all(&path).expect("a folder");
    path
}

/// Runs `gradus build` for this processor.
fn build(folder: &Path, function: &str, sig: &str, more: &[&str]) {
    let file = |name: String| folder.join(name).display().to_string();
    let (library, header) = (file(format!("lib{function}.a")), file(format!("{function}.h")));
    let args = ["build", MODEL, function, "--sig", sig, "-o", &library, "--header", &header, "--cpu", "native"];
    let prefix = ["--prefix", ""];
    let prefix = if more.contains(&"--prefix") { &[][..] } else { &prefix };
    let out = gradus(args.iter().chain(prefix).chain(more));
    assert_eq!(out.code, 0, "{function}: {}{}", out.stdout, out.stderr);
}

/// Runs a program that must succeed; gives what it prints.
fn succeed(command: &mut Command) -> String {
    let out = command.output().expect("the program starts");
    let text = |bytes| String::from_utf8_lossy(bytes).into_owned();
    assert!(out.status.success(), "{command:?}: {}{}", text(&out.stdout), text(&out.stderr));
    text(&out.stdout)
}

/// Compiles a program in C with the library of a function, and runs it; gives what it prints.
fn run_c(folder: &Path, function: &str, body: &str) -> String {
    let text = format!(
        "#include \"{function}.h\"\n#include <inttypes.h>\n#include <math.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n\
         static void ok(int status) {{ if (status) exit(1); }}\n\
         static void show(double x) {{ uint64_t b; memcpy(&b, &x, 8); printf(\"%016\" PRIx64 \"\\n\", b); }}\n\
         int main(void) {{ (void)ok; (void)show;\n{body}\nreturn 0; }}\n"
    );
    let [source, program, library] =
        [format!("{function}.c"), function.to_owned(), format!("lib{function}.a")].map(|name| folder.join(name));
    std::fs::write(&source, text).expect("a file");
    let strict = ["-std=c11", "-Wall", "-Wextra", "-Werror", "-pedantic", "-O2"];
    succeed(Command::new("cc").args(strict).arg(&source).arg(&library).args(["-lm", "-o"]).arg(&program));
    succeed(&mut Command::new(program))
}

/// What native code answers, each float by its bits on a line.
fn expected(function: &str, sig: &str, strategy: Strategy, request: &Request, args: &[Value]) -> String {
    let options = Options { plan: Plan { orders: vec![strategy], ..Plan::default() }, ..Options::default() };
    let function = Engine::new(options).load(MODEL).unwrap().function(function).unwrap();
    let compiled = function.compile(&signature(sig).unwrap(), request).unwrap();
    lines(&compiled.run(args).unwrap())
}

fn lines(value: &Value) -> String {
    match value {
        Value::F64(v) => format!("{:016x}\n", v.to_bits()),
        Value::Array(array) => match array.elements() {
            Elements::F64(v) => v.iter().map(|v| format!("{:016x}\n", v.to_bits())).collect(),
            other => panic!("floats, not {other:?}"),
        },
        Value::Tuple(items) | Value::Record(_, items) => items.iter().map(lines).collect(),
        other => panic!("floats, not {other}"),
    }
}

fn vector(elements: impl IntoIterator<Item = f64>) -> Value {
    let elements: Vec<f64> = elements.into_iter().collect();
    Value::Array(Array::new(Dims::new([elements.len() as i64]), Elements::F64(elements)))
}

#[test]
fn scalars_without_memory() {
    let folder = folder("poly");
    build(&folder, "poly", "f64, f64", &[]);
    let printed = run_c(
        &folder,
        "poly",
        "double v, dx, dy; ok(poly(1.25, -0.5, &v)); show(v);\n\
         ok(poly_grad(1.25, -0.5, &v, &dx, &dy)); show(v); show(dx); show(dy);\n\
         double x = 1.25, y = -0.5; ok(fabs(v - (x*x*x*y + sin(x)*exp(y) - atan2(x, y))) > 1e-14);\n\
         ok(fabs(dx - (3*x*x*y + cos(x)*exp(y) - y/(x*x + y*y))) > 1e-14);",
    );
    let args = [Value::F64(1.25), Value::F64(-0.5)];
    let value = expected("poly", "f64, f64", Strategy::Auto, &Request::Value, &args);
    let gradient = expected("poly", "f64, f64", Strategy::Auto, &Request::Gradient(vec![0, 1]), &args);
    assert_eq!(printed, value + &gradient);
}

#[test]
fn loops_with_tapes() {
    for (name, strategy) in [("closure", Strategy::Closure), ("stack", Strategy::Stack)] {
        let folder = folder(&format!("loops-{name}"));
        for (function, sig, call, args) in [
            ("power", "f64, i64", "1.01, 1000, &v, &d", vec![Value::F64(1.01), Value::I64(1000)]),
            ("newton", "f64", "7.0, &v, &d", vec![Value::F64(7.0)]),
            ("nested", "f64, i64", "0.3, 40, &v, &d", vec![Value::F64(0.3), Value::I64(40)]),
            ("tree", "f64, i64", "0.9, 12, &v, &d", vec![Value::F64(0.9), Value::I64(12)]),
        ] {
            build(&folder, function, sig, &["--strategy", name, "--wrt", "0", "--functions", "grad"]);
            let body = format!("double v, d; for (int i = 0; i < 3; i++) ok({function}_grad({call})); show(v); show(d);");
            let request = Request::Gradient(vec![0]);
            assert_eq!(run_c(&folder, function, &body), expected(function, sig, strategy, &request, &args), "{function}, {name}");
        }
    }
}

#[test]
fn nothing_of_simplified_code_is_assumed() {
    let folder = folder("plain");
    build(&folder, "power", "f64, i64", &["--no-simplify", "--functions", "grad", "--name", "plain_power", "--mode", "reverse"]);
    // The header has the name of the file that was asked for.
    let printed = run_c(&folder, "power", "double v, d; ok(plain_power_grad(1.5, 4, &v, &d)); printf(\"%g %g\\n\", v, d);");
    assert_eq!(printed, "5.0625 13.5\n");
}

#[test]
fn functions_of_floats() {
    let folder = folder("floats");
    build(&folder, "floats", "f64, f64", &["--functions", "value,jvp"]);
    let names: Vec<String> = (0..6).map(|i| format!("r[{i}]")).collect();
    let places: Vec<String> = names.iter().map(|name| format!("&{name}")).collect();
    let body = format!("double r[6]; ok(floats(-7.3, 2.1, {})); for (int i = 0; i < 6; i++) show(r[i]);", places.join(", "));
    let args = [Value::F64(-7.3), Value::F64(2.1)];
    let printed = run_c(&folder, "floats", &body);
    let known = expected("floats", "f64, f64", Strategy::Auto, &Request::Value, &args);
    // The square root of a negative number is a NaN of either sign.
    let is_nan = |bits: &str| f64::from_bits(u64::from_str_radix(bits, 16).unwrap()).is_nan();
    for (printed, known) in printed.lines().zip(known.lines()) {
        assert!(printed == known || is_nan(printed) && is_nan(known), "{printed} {known}");
    }
}

#[test]
fn failures_are_statuses() {
    let folder = folder("failures");
    build(&folder, "divided", "f64, i64", &[]);
    let body = "double v = 5, d; int s = divided_grad(1.5, 0, &v, &d); printf(\"%d %g\\n%s\\n\", divided_line(s), v, divided_message(s));\n\
                s = divided(2.0, 3, &v); printf(\"%d %g %s %d\\n\", s, v, divided_message(s), divided_line(s));\n\
                printf(\"%s\\n\", divided_message(-1));";
    let printed = run_c(&folder, "divided", body);
    assert_eq!(printed, "51 5\ninteger division by zero\n0 4 success 0\na fault of the compiler\n");

    build(&folder, "guarded", "f64", &[]);
    let body = "double v, d; int s = guarded_grad(-1.0, &v, &d); printf(\"%s, line %d\\n\", guarded_message(s), guarded_line(s));\n\
                s = guarded_grad(2.0, &v, &d); printf(\"%d %g\\n\", s, d);";
    assert_eq!(run_c(&folder, "guarded", body), "AssertionError: x must be positive, line 55\n0 0.5\n");

    // Tapes and closures are freed on the way, again and again.
    build(&folder, "deep", "f64, i64", &["--wrt", "0"]);
    let body = "double v, d; for (int i = 0; i < 50; i++) { int s = deep_grad(0.5, 100000000, &v, &d);\n\
                if (i == 49) printf(\"%s\\n\", deep_message(s)); }\n\
                ok(deep_grad(0.5, 100, &v, &d)); show(v); show(d);";
    let args = [Value::F64(0.5), Value::I64(100)];
    let known = expected("deep", "f64, i64", Strategy::Auto, &Request::Gradient(vec![0]), &args);
    assert_eq!(run_c(&folder, "deep", body), format!("recursion limit reached\n{known}"));
}

#[test]
fn arrays_are_pointers() {
    let folder = folder("arrays");
    let points: Vec<f64> = (0..100).map(|i| f64::from(i * 37 % 101) * 0.05).collect();
    build(&folder, "logsumexp", "f64[100]", &[]);
    let body = "double x[100], d[100], v; for (int i = 0; i < 100; i++) x[i] = (i * 37 % 101) * 0.05;\n\
                for (int k = 0; k < 3; k++) ok(logsumexp_grad(x, &v, d));\n\
                show(v); for (int i = 0; i < 100; i++) show(d[i]);";
    let request = Request::Gradient(vec![0]);
    let known = expected("logsumexp", "f64[100]", Strategy::Auto, &request, &[vector(points)]);
    assert_eq!(run_c(&folder, "logsumexp", body), known);

    build(&folder, "path", "f64[4], i64", &["--wrt", "0"]);
    let body = "double x[4] = {0.5, -1.0, 0.25, 0.75}, d[4], v; ok(path_grad(x, 9, &v, d));\n\
                show(v); for (int i = 0; i < 4; i++) show(d[i]);";
    let args = [vector([0.5, -1.0, 0.25, 0.75]), Value::I64(9)];
    assert_eq!(run_c(&folder, "path", body), expected("path", "f64[4], i64", Strategy::Auto, &request, &args));

    build(&folder, "layer", "{w: f64[2, 3], b: f64[2]}, f64[3]", &[]);
    let body = "double w[6] = {0.1, 0.2, -0.3, 0.4, 0.5, 0.6}, b[2] = {0.01, -0.02}, x[3] = {1, 2, 3}, v, dw[6], db[2], dx[3];\n\
                ok(layer_grad(w, b, x, &v, dw, db, dx)); printf(\"%.12f\\n\", v);";
    // From NumPy.
    let value = (-0.4_f64 + 0.01).tanh() + (3.2_f64 - 0.02).tanh();
    assert_eq!(run_c(&folder, "layer", body), format!("{value:.12}\n"));

    build(&folder, "scaled", "f64[3], f64", &[]);
    let body = "double x[3] = {1, 2, 4}; bool large; ok(scaled(x, 1.5, x, &large)); printf(\"%g %g %g %d\\n\", x[0], x[1], x[2], large);";
    assert_eq!(run_c(&folder, "scaled", body), "1.5 3 6 1\n");
}

#[test]
fn headers_are_for_both_languages() {
    let folder = folder("header");
    build(&folder, "layer", "{w: f64[2, 3], b: f64[2]}, f64[3]", &["--functions", "value,grad,vjp,jvp,jacobian,hvp"]);
    let source = folder.join("layer.cpp");
    std::fs::write(&source, "#include \"layer.h\"\nint main() { return layer_line(0); }\n").expect("a file");
    let strict = ["-std=c++11", "-Wall", "-Wextra", "-Werror", "-pedantic"];
    let (library, program) = (folder.join("liblayer.a"), folder.join("cpp"));
    succeed(Command::new("c++").args(strict).arg(&source).arg(&library).arg("-lm").arg("-o").arg(&program));
    succeed(&mut Command::new(program));
    let header = std::fs::read_to_string(folder.join("layer.h")).expect("a header");
    let call = "int layer_grad(const double *p_w, const double *p_b, const double *x, double *value, double *d_p_w, double *d_p_b, double *d_x);";
    assert!(header.contains(call), "{header}");
    assert!(header.contains(" * p_w: an array of shape 2 x 3\n"), "{header}");
}

#[test]
fn rust_links_it() {
    let folder = folder("rust");
    let binding = folder.join("logsumexp.rs").display().to_string();
    build(&folder, "logsumexp", "f64[3]", &["--rust", &binding]);
    let source = folder.join("main.rs");
    let main = "mod logsumexp;\nfn main() {\n    let mut d = [0.0; 3];\n    let value = logsumexp::logsumexp_grad(&[1.0, 2.0, 4.0], &mut d).unwrap();\n    \
                assert_eq!(logsumexp::logsumexp(&[1.0, 2.0, 4.0]), Ok(value));\n    for x in [value].into_iter().chain(d) {\n        \
                println!(\"{:016x}\", x.to_bits());\n    }\n}\n";
    std::fs::write(&source, main).expect("a file");
    let program = folder.join("main");
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let link = ["--edition", "2024", "-D", "warnings", "-l", "static=logsumexp", "-L"];
    succeed(Command::new(rustc).args(link).arg(&folder).arg("-o").arg(&program).arg(&source));
    let args = [vector([1.0, 2.0, 4.0])];
    let known = expected("logsumexp", "f64[3]", Strategy::Auto, &Request::Gradient(vec![0]), &args);
    assert_eq!(succeed(&mut Command::new(program)), known);
}

/// A function may have the name of one that the C library has, or that compilers make of calls of others, and parameters any name.
#[test]
fn names_mean_nothing_else() {
    let folder = folder("names");
    build(&folder, "sincos", "f64, f64", &["--prefix", "model"]);
    let body = "double v, a, b; ok(model_sincos_grad(0.5, 2.0, &v, &a, &b)); printf(\"%.12f %.12f %.12f\\n\", v, a, b);\n\
                volatile double x = 0.5; printf(\"%.12f\\n\", sin(x) + cos(x)); printf(\"%s\\n\", model_sincos_message(0));";
    assert_eq!(run_c(&folder, "sincos", body), "2.234590662385 -0.081268515318 0.877582561890\n1.357008100495\nsuccess\n");

    let (header, binding) = (folder.join("named.h").display().to_string(), folder.join("named.rs").display().to_string());
    let library = folder.join("libnamed.a").display().to_string();
    let sig = ["f64"; 12].join(", ");
    let out = gradus(["build", MODEL, "named", "--sig", &sig, "-o", &library, "--header", &header, "--rust", &binding]);
    assert_eq!(
        (out.code, out.stdout.lines().next()),
        (0, Some(&*format!("{library}: model_named, model_named_grad"))),
        "{}",
        out.stderr
    );
    let main = "#include <complex.h>\n#include <errno.h>\n#include <limits.h>\n#include <math.h>\n#include <stdio.h>\n\
                #include \"named.h\"\nint main(void) { double v; return model_named(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, &v) || v != 78; }\n";
    for (file, compiler, standard) in [("named.c", "cc", "-std=gnu11"), ("named.cpp", "c++", "-std=gnu++17")] {
        let (source, program) = (folder.join(file), folder.join("named"));
        std::fs::write(&source, main).expect("a file");
        succeed(
            Command::new(compiler).arg(standard).arg("-Werror").arg(&source).arg(&library).arg("-lm").arg("-o").arg(&program),
        );
        succeed(&mut Command::new(program));
    }
    let source = folder.join("main.rs");
    let numbers = (1..=12).map(|i| format!("{i}.0")).collect::<Vec<_>>().join(", ");
    std::fs::write(&source, format!("mod named;\nfn main() {{ assert_eq!(named::model_named({numbers}), Ok(78.0)); }}\n"))
        .expect("a file");
    let program = folder.join("main");
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let link = ["--edition", "2024", "-D", "warnings", "-l", "static=named", "-L"];
    succeed(Command::new(rustc).args(link).arg(&folder).arg("-o").arg(&program).arg(&source));
    succeed(&mut Command::new(program));
}

#[test]
fn what_cannot_be_built_is_refused() {
    let path = folder("refused").join("lib.a").display().to_string();
    let refusal = |function: &str, sig: &str, more: &[&str]| {
        let args = ["build", MODEL, function, "--sig", sig, "-o", &path];
        let out = gradus(args.iter().chain(more));
        assert_ne!(out.code, 0, "{function}: {}", out.stdout);
        format!("{} {}", out.code, out.stderr)
    };
    let said = refusal("shouts", "f64", &[]);
    assert!(
        said.starts_with("3 ") && said.contains("`print` cannot be compiled ahead of time") && said.contains("print(x)"),
        "{said}"
    );
    let said = refusal("ordered", "f64[3]", &[]);
    assert!(said.starts_with("3 ") && said.contains("cannot be compiled ahead of time"), "{said}");
    for name in ["pow", "sincos", "read", "write", "environ", "main", "atexit"] {
        let said = refusal("poly", "f64, f64", &["--name", name, "--prefix", ""]);
        assert!(
            said.contains(&format!("`{name}` is a name of the C library; choose another name by --name and --prefix")),
            "{said}"
        );
    }
    let said = refusal("poly", "f64, f64", &["--prefix", "a-b"]);
    assert!(said.contains("`a-b_poly` cannot be the name of a function for C"), "{said}");
    let said = refusal("poly", "f64, f65", &[]);
    assert!(said.contains("expected a type before `f65`"), "{said}");
    let said = refusal("poly", "f64", &[]);
    assert!(said.contains("`poly` takes 2 arguments, 1 are given") || said.contains("takes 2 arguments"), "{said}");
}

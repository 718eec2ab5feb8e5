//! Compilations as people see them who work on Gradus: steps as files, the simplifier up to a step, passes and rules left out, and more
//! rules.

use gradus::{Choice, Engine, Function, Inspect, Math, Module, Options, Request, Rule, Simplify, Source, Type, Value};
use gradus_ir::{parse, print, verify};
use std::path::PathBuf;
use std::sync::Arc;

const PROGRAM: &str = "
import math

def f(x):
    s = x
    for i in range(5):
        g = lambda y: math.sin(y) * x + math.sin(y) * x
        s = g(s) * 1.0
    return s
";

fn function(options: Options) -> Function {
    Engine::new(options).parse(Source::new("f.py", PROGRAM)).and_then(|program| program.function("f")).expect("correct Python")
}

fn gradient(options: Options) -> (Value, Arc<gradus::Compiled>) {
    let compiled = function(options).compile(&[Type::F64], &Request::Reverse(vec![0])).expect("a program");
    (compiled.run(&[Value::F64(0.7)]).expect("no trap"), compiled)
}

/// A new folder for a test.
fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    folder
}

#[test]
fn each_step_is_written_as_text_that_can_be_read_again() {
    for simplify in [Simplify::Interleaved, Simplify::AtEnd, Simplify::Off] {
        let folder = folder(&format!("steps-{}", simplify.name().replace(' ', "-")));
        let inspect = Inspect { dump: Some(folder.clone()), verify: true, ..Inspect::default() };
        let (_, compiled) = gradient(Options { inspect, simplify, ..Options::default() });
        let made: Vec<PathBuf> = std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
        let [made] = &made[..] else { panic!("one compilation, not {made:?}") };
        let mut names: Vec<String> =
            std::fs::read_dir(made).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort_unstable();
        let (drawings, texts): (Vec<_>, Vec<_>) = names.iter().partition(|name| name.ends_with(".dot"));
        assert_eq!(drawings.len(), texts.len());
        let mut last = String::new();
        for (i, (drawing, text)) in drawings.iter().zip(&texts).enumerate() {
            assert!(text.starts_with(&format!("{i:03}-")), "{text} is step {i}");
            assert!(std::fs::read_to_string(made.join(drawing)).unwrap().starts_with("digraph"));
            last = std::fs::read_to_string(made.join(text)).unwrap();
            let module: Module = parse::parse(&last).unwrap_or_else(|e| panic!("{text}: {e}"));
            verify::verify(&module).unwrap_or_else(|e| panic!("{text}: {e}"));
        }
        assert_eq!(last, print::print(&compiled.stages().lowered));
        assert!(texts[0].ends_with("-infer.txt") && texts.iter().any(|text| text.ends_with("-expand.txt")), "{texts:?}");
        assert_eq!(texts.iter().any(|text| text.ends_with("-inline.txt")), simplify != Simplify::Off, "{texts:?}");
    }
}

#[test]
fn folders_that_cannot_be_made_are_failures() {
    let file = folder("a-file");
    std::fs::write(&file, "").unwrap();
    let inspect = Inspect { dump: Some(file), ..Inspect::default() };
    let failure = function(Options { inspect, ..Options::default() }).compile(&[Type::F64], &Request::Value).map(|_| ());
    assert!(failure.unwrap_err().to_string().starts_with("cannot write "));
}

#[test]
fn the_answer_is_the_same_up_to_any_step() {
    let (expected, _) = gradient(Options::default());
    let mut changes = Vec::new();
    for passes in 0.. {
        let (found, compiled) = gradient(Options { passes, ..Options::default() });
        assert!(found.same_bits(&expected), "{found} after step {passes}, {expected} after all");
        let count = compiled.report().simplifier.passes.len();
        assert!(count <= passes);
        changes.push(count);
        if passes > 10 && changes[passes - 10] == count {
            break;
        }
    }
    assert!(changes[0] == 0 && changes.is_sorted() && *changes.last().unwrap() > 5, "{changes:?}");
}

#[test]
fn rules_are_left_out_and_added() {
    let fired = |rules: Arc<Choice>, math| {
        let (value, compiled) = gradient(Options { rules, math, ..Options::default() });
        let fired: Vec<String> = compiled.report().simplifier.fired().keys().map(|rule| rule.to_string()).collect();
        (value, fired)
    };
    let has = |fired: &[String], rule: &str| fired.iter().any(|name| name == rule);
    let (expected, all) = fired(Choice::table(), Math::Exact);
    assert!(has(&all, "comm-mul") && has(&all, "add-self"), "{all:?}");
    let (found, others) = fired(Choice::new(vec!["comm-mul".into(), "add-self".into()], Vec::new()), Math::Exact);
    assert!(found.same_bits(&expected) && !has(&others, "comm-mul") && !has(&others, "add-self"), "{others:?}");

    let rules = Rule::read("odd  real  (sin ?a) => (neg (sin (neg ?a)))\nwrong  exact  (sin ?a) => ?a").unwrap();
    let (found, exact) = fired(Choice::new(Vec::new(), rules.clone()), Math::Exact);
    assert!(has(&exact, "wrong") && !has(&exact, "odd") && !found.same_bits(&expected), "rules are believed: {exact:?}");
    let (_, fast) = fired(Choice::new(vec!["wrong".into()], rules), Math::Fast);
    assert!(has(&fast, "odd"), "{fast:?}");
}

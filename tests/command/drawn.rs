//! The program at its stages, as text and as pictures.

use crate::command::gradus;
use crate::{answer, ask, file, refused};
use gradus_ir::parse::parse;
use gradus_ir::print::print;
use serde_json::json;
use std::path::PathBuf;

#[test]
fn stages() {
    let machine = ask("ir", "loop 2.0 3 --stage machine");
    for part in ["; entry.loop: Cranelift IR\nfunction", "fmul", "; entry.loop: machine code", "  ret"] {
        assert!(machine.code == 0 && machine.stdout.contains(part), "{part}: {}{}", machine.stderr, machine.stdout);
    }
    assert!(gradus(["ir", "--help"]).stdout.contains("as Cranelift IR and, in text, as machine code"));
    let machine = ask("dot", "loop 2.0 3 --stage machine --primal --no-simplify");
    for part in ["digraph", "label=\"entry.loop\"", "block0(", "fmul"] {
        assert!(machine.code == 0 && machine.stdout.contains(part), "{part}: {}{}", machine.stderr, machine.stdout);
    }
    assert!(refused("dot", "cube 2.0 --stage machine --diff typed").contains("--diff"));
    let (typed, code) = answer("ir", "cube 2.0 --stage typed");
    assert_eq!((code, &typed["stage"], typed["ir"].as_str().map(|t| parse(t).is_ok())), (0, &json!("typed"), Some(true)));
    for stage in ["source", "typed", "adjoint", "optimised", "lowered"] {
        for primal in ["", " --primal"] {
            let flags = format!("loop 2.0 3 --stage {stage}{primal}");
            let dot = ask("dot", &flags);
            assert!(dot.code == 0 && dot.stdout.starts_with("digraph"), "{flags}: {}", dot.stderr);
            let ir = ask("ir", &flags);
            assert_eq!(ir.code, 0, "{flags}: {}", ir.stderr);
            let module = parse(&ir.stdout).unwrap_or_else(|e| panic!("{flags}: {e}\n{}", ir.stdout));
            assert_eq!(print(&module), ir.stdout, "{flags}");
        }
    }
    let primal = ask("ir", "cube 2.0 --primal").stdout;
    assert!(primal.contains("-> f64 {") && !primal.contains("tuple"), "{primal}");
}

/// The left upper and right lower corner of a box of a picture.
fn corners(shape: roxmltree::Node) -> [(f64, f64); 2] {
    let number = |name: &str| shape.attribute(name).expect(name).parse::<f64>().expect("a number");
    if shape.has_tag_name("rect") {
        let (x, y) = (number("x"), number("y"));
        return [(x, y), (x + number("width"), y + number("height"))];
    }
    let (x, y, rx, ry) = (number("cx"), number("cy"), number("rx"), number("ry"));
    [(x - rx, y - ry), (x + rx, y + ry)]
}

/// The text of a group of a picture, line by line as the DOT language writes it.
fn words(group: roxmltree::Node) -> String {
    let lines = group.descendants().filter(|n| n.has_tag_name("text")).map(|n| n.text().unwrap_or_default());
    lines.collect::<Vec<_>>().join("\\n")
}

#[test]
fn pictures() {
    for strategy in ["closure", "stack"] {
        let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("{strategy}.svg")).display().to_string();
        let dot = format!("dot examples/pow.py pow 2.0 3 --stage adjoint --strategy {strategy}");
        let drawn = gradus(dot.split(' ').chain(["--svg", &path]));
        assert_eq!((drawn.code, drawn.stdout.as_str()), (0, ""), "{}", drawn.stderr);
        let text = std::fs::read_to_string(&path).expect("a picture");
        let svg = roxmltree::Document::parse(&text).unwrap_or_else(|e| panic!("{e}\n{text}"));
        let groups = |class: &'static str| svg.descendants().filter(move |n| n.attribute("class") == Some(class));

        // The nodes of the picture are those of the drawing in DOT.
        let dot = gradus(dot.split(' ')).stdout;
        let labelled = dot.lines().filter_map(|line| line.trim().split_once(" [label=\"")).filter(|(id, _)| !id.contains(' '));
        let mut expected: Vec<(&str, &str)> = labelled.map(|(id, rest)| (id, rest.split('"').next().expect("a label"))).collect();
        let drawn: Vec<(&str, String)> = groups("node").map(|n| (n.attribute("id").expect("an id"), words(n))).collect();
        let mut drawn: Vec<(&str, &str)> =
            drawn.iter().map(|(id, words)| (*id, words.as_str())).filter(|d| !d.1.is_empty()).collect();
        expected.retain(|(_, label)| !label.trim().is_empty());
        expected.sort_unstable();
        drawn.sort_unstable();
        assert!(drawn.len() > 50);
        assert_eq!(drawn, expected, "{strategy}");

        let boxes: Vec<_> =
            groups("node").filter_map(|n| n.first_element_child()).filter(|n| !n.has_tag_name("g")).map(corners).collect();
        for (i, [a, b]) in boxes.iter().enumerate() {
            for [c, d] in &boxes[..i] {
                assert!(b.0 <= c.0 || d.0 <= a.0 || b.1 <= c.1 || d.1 <= a.1, "{strategy}: nodes overlap at {a:?} and {c:?}");
            }
        }
        let part = |name: &str| {
            let found = groups("cluster").find(|&n| words(n) == name).unwrap_or_else(|| panic!("no {name} part"));
            corners(found.first_element_child().expect("a box"))
        };
        let ([_, forward], [adjoint, _]) = (part("forward"), part("adjoint"));
        assert!(forward.0 < adjoint.0 && adjoint.1 < forward.1, "{strategy}: the parts are not side by side");
    }
    let long = file("long.py", &format!("def f(x):\n{}    return x\n", "    x = 1.0 / x\n".repeat(3000)));
    let drawn = gradus(["dot", &long, "f", "2.0", "--stage", "source", "--svg", "/nowhere/long.svg"]);
    assert!(drawn.code == 2 && drawn.stderr.contains("too large"), "{}", drawn.stderr);
    let (answer, code) = answer("dot", "cube 2.0 --stage typed --svg /nowhere/cube.svg");
    assert_eq!((code, answer["error"].as_str().map(|e| e.starts_with("cannot write /nowhere/cube.svg"))), (2, Some(true)));
}

#[test]
fn changes_between_stages() {
    let text = "from gradus import grad\ndef square(x): return x * x\ndef both(x): return square(x) + grad(square)(x)\n";
    let program = file("changes.py", text);
    let changed = |since: &str, stage: &str, more: &[&str]| {
        let flags = ["--primal", "--no-simplify", "--diff", since, "--stage", stage];
        let out = gradus(["dot", &program, "both", "3.0"].iter().chain(&flags).chain(more));
        assert_eq!(out.code, 0, "{since}, {stage}: {}", out.stderr);
        let drawing = out.stdout;
        // The text of each cluster ends where the next one, or the first edge, begins.
        let nodes = |name: &str| {
            let rest = drawing.split_once(&format!("label=\"{name}\";")).map_or("", |(_, rest)| rest);
            rest.split(['}']).next().unwrap_or_default().to_owned()
        };
        let count = |text: &str| [ADDED, REMOVED].map(|color| text.matches(color).count());
        (count(&drawing), count(&nodes("@square")))
    };
    for stage in ["source", "typed", "adjoint", "optimised", "lowered"] {
        assert_eq!(changed(stage, stage, &[]).0, [0, 0], "{stage}");
    }
    // The function itself stays as it is, its derivative comes, `J` goes.
    let (all, primal) = changed("typed", "adjoint", &[]);
    assert!(all[0] > 20 && (1..10).contains(&all[1]), "{all:?}");
    assert_eq!(primal, [0, 0]);
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("changes.svg").display().to_string();
    changed("typed", "adjoint", &["--svg", &path]);
    let svg = std::fs::read_to_string(path).expect("a picture");
    assert!(svg.contains("stroke=\"#1a7f37\"") && svg.contains("stroke=\"#cf222e\""));
    assert!(refused("dot", "cube 2.0 --stage typed --diff adjoint").contains("comes after"));
    assert!(refused("dot", "cube 2.0 --diff nothing").contains("nothing"));
}

/// The colours of what is new and of what is gone.
const ADDED: &str = "color=\"#1a7f37\"";
const REMOVED: &str = "color=\"#cf222e\"";

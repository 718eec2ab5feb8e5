//! Arrays in files of NumPy's format, and instances with lists, in and out.

use crate::command::gradus;
use crate::{ask, file, gradient, refused, value};
use serde_json::{Value as Json, json};
use std::path::PathBuf;

/// A file in NumPy's format: two rows of three elements, in column-major order.
fn columns(name: &str, descr: &str, data: &[u8]) -> String {
    let header = format!("{{'descr': '{descr}', 'fortran_order': True, 'shape': (2, 3), }}\n");
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let length = (header.len() as u16).to_le_bytes();
    std::fs::write(&path, [b"\x93NUMPY\x01\x00", &length[..], header.as_bytes(), data].concat()).expect("a file");
    path.display().to_string()
}

#[test]
fn arrays_in_files() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("arrays");
    std::fs::create_dir_all(&folder).expect("a folder");
    let at = |name: &str| folder.join(name).display().to_string();
    let (x, n) = (at("x.npy"), at("n.npy"));
    assert_eq!(ask("run", &format!("first [[1.0,2.0],[3.0,4.0]] 0.0 --out {x}")).stdout, "[[1.0, 2.0], [3.0, 4.0]]\n");
    assert_eq!(ask("run", &format!("first 7 0.0 --out {n}")).code, 0);
    assert_eq!(value(&format!("first @{x} 0.0")), json!([[1.0, 2.0], [3.0, 4.0]]));
    assert_eq!(value(&format!("product 0.5 2.0 @{n}")), json!(7.0));
    let floats: Vec<u8> = [1.5_f32, 4.0, 2.0, 5.0, 3.0, -6.0].iter().flat_map(|v| v.to_le_bytes()).collect();
    let float32 = columns("float32.npy", "<f4", &floats);
    assert_eq!(value(&format!("first @{float32} 0.0")), json!([[1.5, 2.0, 3.0], [4.0, 5.0, -6.0]]));
    let special: Vec<u8> =
        [f64::NAN, f64::INFINITY, 0.5, f64::NEG_INFINITY, 1e-300, -0.0].iter().flat_map(|v| v.to_le_bytes()).collect();
    let special = columns("special.npy", "<f8", &special);
    assert_eq!(value(&format!("first @{special} 0.0")), json!([["nan", 0.5, 1e-300], ["inf", "-inf", -0.0]]));
    let again = at("again.npy");
    assert_eq!(ask("run", &format!("first @{float32} 0.0 --out {again}")).code, 0);
    assert!(std::fs::read(again).expect("a file").windows(5).any(|part| part == b"'<f4'"));
    let seed = r#"{"t":"array","dtype":"float32","shape":[2],"data":[0.1,1]}"#;
    assert_eq!(value(&format!("first {seed} 0.0")), json!([f64::from(0.1_f32), 1.0]));
    assert_eq!(gradient(&format!("first {seed} 0.0 --wrt 0 --seed [0.2,1.0]")), json!([[f64::from(0.2_f32), 1.0], null]));
    assert_eq!(ask("check", &format!("energy @{float32} {{\"t\":\"tuple\",\"v\":[2.0,3]}}")).code, 0);

    let seed = format!("first @{x} 0.0 --wrt 0 --seed @{x}");
    assert_eq!(gradient(&seed), json!([[[1.0, 2.0], [3.0, 4.0]], null]));
    assert!(refused("grad", &format!("first @{x} 0.0 --wrt 0 --seed @{float32}")).contains("(2, 3)"));
    let out = at("gradients");
    assert_eq!(ask("grad", &format!("energy @{x} {{\"t\":\"tuple\",\"v\":[2.0,3]}} --out {out}")).code, 0);
    assert_eq!(value(&format!("first @{out}/value.npy 0.0")), json!(60.0));
    assert_eq!(value(&format!("first @{out}/gradient0.npy 0.0")), json!([[4.0, 8.0], [12.0, 16.0]]));
    assert_eq!(value(&format!("first @{out}/gradient1.0.npy 0.0")), json!(30.0));

    assert!(refused("run", "first @nowhere.npy 0.0").contains("cannot read nowhere.npy"));
    let text = file("text.npy", "1.0 2.0");
    assert!(refused("run", &format!("first @{text} 0.0")).contains("not an .npy file"));
    let unsigned = columns("uint64.npy", "<u8", &[0; 48]);
    assert!(refused("run", &format!("first @{unsigned} 0.0")).contains("<u8"));
    assert!(refused("run", &format!("pair 2.0 3 --out {x}")).contains("of type tuple"));
}

/// Instances with different numbers of others of their class come in, and so does the gradient with respect to them go out: of the
/// product of each value with the sum over its children, and one.
#[test]
fn instances_with_lists() {
    let tree = |value: f64, children: Json| json!({"t": "struct", "cls": "Tree", "v": {"value": value, "children": {"t": "list", "v": children}}});
    let leaves = json!([tree(0.5, json!([])), tree(0.25, json!([tree(2.0, json!([]))]))]);
    let program = file(
        "command-tree.py",
        "
from dataclasses import dataclass
@dataclass(frozen=True)
class Tree:
    value: float
    children: list['Tree']
def total(t):
    return t.value * (1.0 + sum([total(c) for c in t.children]))
",
    );
    // 3 (1 + 0.5 + 0.25 (1 + 2))
    let grown = |value: f64, children: Json| json!({"value": value, "children": children});
    let expected = grown(2.25, json!([grown(3.0, json!([])), grown(9.0, json!([grown(0.75, json!([]))]))]));
    for rest in [&["--strategy", "closure"][..], &["--strategy", "stack"], &["--backend", "interp"], &["--no-simplify"]] {
        let argument = tree(3.0, leaves.clone()).to_string();
        let out = gradus(["grad", &program, "total", &argument, "--json"].into_iter().chain(rest.iter().copied()));
        let answer: Json = serde_json::from_str(&out.stdout).unwrap_or_else(|e| panic!("{e}: {}{}", out.stdout, out.stderr));
        assert_eq!((&answer["value"], &answer["gradient"]), (&json!(6.75), &json!([expected])), "{rest:?}");
    }
}

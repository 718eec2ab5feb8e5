//! Gradients, by modes and orders.

use crate::command::gradus;
use crate::{PROGRAM, answer, ask, file, gradient, refused};
use serde_json::{Value as Json, json};

#[test]
fn gradients() {
    assert_eq!(gradient("product 2.0 3.0 4 --wrt 1"), json!([null, 8.0, null]));
    assert_eq!(gradient("product 2.0 3.0 4 --wrt 1,0"), json!([12.0, 8.0, null]));
    assert_eq!(gradient("first 2.0 3.0"), json!([1.0, 0.0]));
    assert_eq!(gradient("indexed [2.0,3.0]"), json!([[6.0, 4.0]]));
    assert_eq!(gradient("indexed {\"t\":\"tuple\",\"v\":[2.0,3]} 1.0"), json!([[3.0, null], 6.0]));
    assert_eq!(gradient("reciprocal 0.0"), json!(["-inf"]));
    let program = file("command-gradients.py", PROGRAM);
    let text = |args: &[&str]| gradus(["grad", &program].into_iter().chain(args.iter().copied())).stdout;
    assert_eq!(text(&["product", "2.0", "3.0", "4", "--wrt", "0, 1"]), "value     24.0\ngradient  (12.0, 8.0, None)\n");
    assert_eq!(text(&["first", "2.0", "3.0"]), "value     2.0\ngradient  (1.0, 0.0)\n");
    for number in ["99999999999999999999", "1e400"] {
        assert!(refused("grad", &format!("product 2.0 3.0 {number}")).contains("64 bits"));
    }
    assert!(refused("grad", "product 2.0 3.0 4 --wrt 2").contains("int"));
    assert!(refused("grad", "product 2.0 3.0 4 --wrt 3").contains("argument 3"));
    assert!(refused("grad", "product 2.0 3.0 4 --wrt x").contains("--wrt"));
    assert!(refused("grad", "cube 2").contains("3.0"));
}

#[test]
fn cotangents_of_results() {
    assert_eq!(gradient("product 2.0 3.0 4 --seed -2.5"), json!([-30.0, -20.0, null]));
    assert_eq!(gradient("product 2.0 3.0 4 --seed 2"), json!([24.0, 16.0, null]));
    assert_eq!(gradient("pair 2.0 3 --seed [1.0,null,[0.0,null]]"), json!([4.0, null]));
    assert_eq!(gradient("pair 2.0 3 --seed [0.0,null,[1.0,null]]"), json!([3.0, null]));
    let path = file("seed.json", "[1.0, null, [1.0, null]]");
    assert_eq!(gradient(&format!("pair 2.0 3 --seed-json {path}")), json!([7.0, null]));
    assert!(refused("grad", "pair 2.0 3").contains("--seed"));
    assert!(refused("grad", "pair 2.0 3 --seed 1.0").contains("tuple"));
    assert!(refused("grad", "pair 2.0 3 --seed [1.0,0,[1.0,0]]").contains("write null"));
    assert!(refused("grad", "cube 2.0 --seed one").contains("not JSON"));
    assert!(refused("grad", "cube 2.0 --seed 1.0 --order 2").contains("--order"));
}

#[test]
fn forward_mode() {
    let forward = |rest: &str| gradient(&format!("{rest} --mode forward"));
    assert_eq!(forward("product 2.0 3.0 4"), json!([12.0, 8.0, null]));
    assert_eq!(forward("product 2.0 3.0 4 --wrt 1,0"), json!([12.0, 8.0, null]));
    assert_eq!(forward("product 2.0 3.0 4 --seed -2.5"), json!([-30.0, -20.0, null]));
    assert_eq!(forward("pair 2.0 3 --seed [1.0,null,[1.0,null]]"), json!([7.0, null]));
    assert_eq!(forward("first 2.0 3.0"), json!([1.0, 0.0]));
    assert_eq!(forward("indexed {\"t\":\"tuple\",\"v\":[2.0,3]} 1.0"), json!([[3.0, null], 6.0]));
    assert_eq!(forward("reciprocal 0.0"), json!(["-inf"]));
    for modes in ["forward", "forward,reverse", "reverse,forward"] {
        let (cube, _) = answer("grad", &format!("cube 2.0 --order 3 --mode {modes}"));
        assert_eq!(cube["orders"], json!([8.0, 12.0, 12.0, 6.0]), "{modes}");
    }
    assert!(refused("grad", "pair 2.0 3 --mode forward").contains("--seed"));
    assert!(refused("grad", "cube 2 --mode forward").contains("3.0"));
    assert!(refused("grad", "cube 2.0 --mode sideways").contains("--mode"));
}

#[test]
fn modes_that_are_chosen() {
    let strategy = |rest: &str| {
        let (answer, code) = answer("grad", rest);
        assert_eq!((code, &answer["gradient"]), (0, &json!([33.0, null])), "{rest}: {answer}");
        answer["strategy"].clone()
    };
    // The program's own derivative is a matter of the strategy.
    assert_eq!(strategy("loop 2.0 3"), "closure,forward");
    assert_eq!(strategy("loop 2.0 3 --mode reverse"), "closure,stack");
    assert_eq!(strategy("loop 2.0 3 --strategy stack"), "stack");
    let mode = |rest: &str| answer("grad", &format!("{rest} --explain")).0["mode"]["mode"].clone();
    assert_eq!(mode("loop 2.0 3"), "forward");
    assert_eq!(mode("loop 2.0 3 --backend interp --no-simplify"), "forward");
    for reverse in ["cube 2.0", "product 2.0 3.0 4 --wrt 0", "indexed [2.0,3.0]", "sum_of_loop 2.0 3.0 4"] {
        assert_eq!(mode(reverse), "reverse", "{reverse}");
    }
    assert_eq!(mode("sum_of_loop 2.0 3.0 4 --wrt 1"), "forward");
    for named in ["loop 2.0 3 --mode reverse", "loop 2.0 3 --mode forward", "loop 2.0 3 --strategy closure", "cube 2.0 --order 2"]
    {
        assert_eq!(mode(named), Json::Null, "{named}");
    }
    let text = ask("ir", "loop 2.0 3 --stage typed --explain").stdout;
    assert!(text.starts_with("; `loop` in forward mode: one float goes in") && text.contains(" = F @loop"), "{text}");
}

#[test]
fn orders() {
    let (cube, _) = answer("grad", "cube 2.0 --order 3");
    assert_eq!((&cube["gradient"], &cube["orders"]), (&json!([6.0]), &json!([8.0, 12.0, 12.0, 6.0])));
    let (product, _) = answer("grad", "product 2.0 3.0 4 --order 2 --wrt 0");
    assert_eq!((&product["gradient"], &product["orders"]), (&json!([0.0, null, null]), &json!([24.0, 12.0, 0.0])));
    assert_eq!(ask("grad", "cube 2.0 --order 2").stdout, "value     8.0\norder 1   12.0\norder 2   12.0\n");
    assert!(refused("grad", "product 2.0 3.0 4 --order 2").contains("--wrt"));
    assert!(refused("grad", "cube 2.0 --order 0").contains("--order"));
}

//! No text makes the front end panic, run out of stack, or take long.

use super::super::Program;
use proptest::prelude::*;

const SAMPLES: &[&str] = &[
    "import math\nfrom gradus import grad, value_and_grad\nN = 3\nT = (1.0, -2.5)\nsq = lambda x: x * x\ndg = grad(sq)\n\ndef f(x, n=2, *, k=1):\n    \"\"\"doc\"\"\"\n    r = 1\n    for i in range(n, 10, 2):\n        if i % 2 == 0 and x > 0 or not x:\n            continue\n        elif 0 < i < 5:\n            r *= dg(x)\n            break\n        else:\n            return r\n    else:\n        r = -r\n    return r + T[0] + math.sin(x)\n",
    "def f(x):\n    def even(n):\n        return x if n == 0 else odd(n - 1)\n    def odd(n):\n        k = lambda y: y + n\n        return k(even(n - 1))\n    while True:\n        a, (b, c) = x, (1, 2)\n        x = even(a) + b\n        g = lambda z, x=x: z * x + c\n        if g(x) > 3.5e2:\n            break\n    return grad(even, wrt=(0,))(x)[0:1]\n",
    "from functools import partial\nimport numpy as np\n\ndef g(a, b, c=N):\n    for i, v in enumerate((a, b)):\n        for j in range(i):\n            s = lambda: i + j\n            if v: return s\n        t = t + (s,)\n    return np.where(a is None, b, c)\nN = 1\ndef f(x):\n    h = partial(g, x)\n    y = h(1, c=2)\n    return f(y) if y else h\n",
];

/// Cuts a program into words, numbers, blanks and single characters.
fn tokens(text: &str) -> Vec<String> {
    let class = |c: char| {
        if c.is_alphanumeric() || c == '_' {
            1
        } else if c == ' ' {
            2
        } else {
            0
        }
    };
    let mut list: Vec<String> = Vec::new();
    for c in text.chars() {
        match list.last_mut() {
            Some(last) if class(c) != 0 && last.chars().next().map(class) == Some(class(c)) => last.push(c),
            _ => list.push(c.into()),
        }
    }
    list
}

fn try_all(text: &str) {
    let Ok(program) = Program::parse("f.py", text) else { return };
    for name in program.functions() {
        if let Err(list) = program.lower(name) {
            assert!(!list.is_empty());
            crate::render(&list, Some(program.source()));
            for d in list {
                assert!(d.span.is_some() && d.span.start <= d.span.end && d.span.end as usize <= text.len(), "{d}\n{text}");
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn mutilated_programs(sample in 0..SAMPLES.len(), edits in prop::collection::vec((0..4, any::<prop::sample::Index>(), any::<prop::sample::Index>()), 1..6)) {
        let mut list = tokens(SAMPLES[sample]);
        for (kind, a, b) in edits {
            if list.is_empty() {
                break;
            }
            let (a, b) = (a.index(list.len()), b.index(list.len()));
            match kind {
                0 => drop(list.remove(a)),
                1 => list.insert(a, list[b].clone()),
                2 => list.swap(a, b),
                _ => list[a] = list[b].clone(),
            }
        }
        try_all(&list.concat());
    }

    #[test]
    fn arbitrary_texts(text in "[ -~\n]{0,60}") {
        try_all(&text);
    }
}

/// What functions inside of functions say is not looked up once more for each function around them.
#[test]
fn functions_within_functions() {
    let indented = |depth: usize, text: &str| format!("{}{text}\n", "    ".repeat(depth));
    const DEPTH: usize = 60;
    let mut text = String::from("def f(x):\n");
    (1..DEPTH).for_each(|i| text += &indented(i, &format!("def g{i}(y):")));
    text += &indented(DEPTH, "y = y + 1");
    (1..DEPTH).rev().for_each(|i| text += &indented(i, "return x"));
    try_all(&text);
}

#[test]
fn deep_and_long_programs() {
    let nested =
        |before: &str, after: &str, n: usize| format!("def f(x):\n    return {}x{}\n", before.repeat(n), after.repeat(n));
    for (before, after) in [
        ("(", ")"),
        ("f(", ")"),
        ("[", "]"),
        ("-", ""),
        ("not ", ""),
        ("lambda: ", ""),
        ("1 if x else ", ""),
        ("x and (", ")"),
        ("x ** ", ""),
    ] {
        let mut lowered = 0;
        for n in [10, 100, 250, 100_000] {
            let Ok(program) = Program::parse("f.py", &nested(before, after, n)) else { continue };
            program.lower("f").expect("it is lowered");
            lowered = n;
        }
        assert!((100..1000).contains(&lowered), "{before} {lowered}");
    }
    let long = |line: &str, n: usize| format!("def f(x):\n{}    return x\n", line.repeat(n));
    for line in [
        "    x = x + 1\n",
        "    if x > 0: x = x - 1\n",
        "    g = lambda y: x\n    x = g(1)\n",
        "    for i in range(3): x = x + i\n",
    ] {
        Program::parse("f.py", &long(line, 2_000)).expect("it parses").lower("f").expect("it is lowered");
    }
    let chain: String = (1..20_000).map(|i| format!("a{i} = a{}\n", i - 1)).collect();
    Program::parse("f.py", &format!("a0 = lambda x: x\n{chain}def f(x): return a19999(x)\n"))
        .expect("parses")
        .lower("f")
        .expect("lowers");
    let chain: String = (1..5_000).map(|i| format!("a{i} = grad(a{})\n", i - 1)).collect();
    let text = format!("from gradus import grad\na0 = lambda x: x\n{chain}def f(x): return a4999(x)\n");
    Program::parse("f.py", &text).expect("it parses").lower("f").expect("it is lowered");
}

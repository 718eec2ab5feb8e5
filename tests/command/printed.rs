//! What programs print, and how often.

use crate::command::gradus;
use crate::file;
use std::io::Read;
use std::process::{Command, Stdio};

#[test]
fn prints_as_python_does() {
    let lines = [
        "(1.5-2j) 1.5j ((1.5-2j), \"it's\", 'q') 1.50-2.00j    1.500|'q'|1.5",
        "{'a': 1.5, 'b': ('s', 1)}",
        "1.500|4|a|    7|7    |00007|+1.50e+00|1.5|%|    1.50|'b'|     c|{}",
        "square 1.5",
        "square 3.0",
        "square 2.25",
        "square 9.0",
        "square 5.0625",
        "square 81.0",
        "square 2.25",
        "done",
    ];
    for (command, answer) in [("run", &["95.0625"][..]), ("grad", &["value     95.0625", "gradient  241.5"][..])] {
        let out = gradus([command, "tests/programs/effects_printed.py", "f", "1.5"]);
        assert_eq!(out.stdout.lines().collect::<Vec<_>>(), [&lines[..], answer].concat(), "{command}: {}", out.stderr);
    }
}

/// `check` and `compare` run a program many times, for its value once.
#[test]
fn prints_once() {
    let text = "def f(x):\n    print('here', x)\n    assert x < 5.0, 'too large'\n    return x * x\n";
    let program = file("command-printed-once.py", text);
    for flags in [&["check"][..], &["compare", "--seconds=0"], &["compare", "--seconds=0", "--sweep=x=1.5,2.5"]] {
        let args = [&flags[..1], &[&program, "f", "2.0"], &flags[1..]].concat();
        let out = gradus(&args);
        let lines: Vec<&str> = out.stdout.lines().collect();
        assert_eq!((lines[0], out.code), ("here 2.0", 0), "{args:?}: {}", out.stderr);
        assert!(lines.len() > 1 && !lines[1..].iter().any(|l| l.starts_with("here")), "{args:?}: {}", out.stdout);
        let out = gradus([&flags[..1], &[&program, "f", "6.0"], &flags[1..2.min(flags.len())]].concat());
        assert_eq!((&*out.stdout, out.code), ("here 6.0\n", 1), "{args:?}");
        assert!(out.stderr.contains("too large"), "{}", out.stderr);
    }
    // What is wrong is said first.
    let program = file("command-printed-none.py", "def f(x):\n    print('here')\n    return x, x\n");
    assert_eq!(gradus(["check", &program, "f", "2.0"]).stdout, "");
}

#[test]
fn prints_lists_as_python_does() {
    let lines = [
        "(1.5, 1) [1.5, (1, [2.0]), 's', [], ()] [1.5, 3] [1.5, 1] {'a': (1, [2.0])} [1, 2, 3]",
        concat!(
            "0, 1, 2, then; [0.0, 1.5, 3.0]; ([0.0, 1.5, 3.0], 1); {'a': [0.0, 1.5, 3.0], 'b{': [[0.0, 1.5, 3.0], [3]]}; ",
            "Row(values=[0.0, 1.5, 3.0], n=2); <[0.0, 1.5, 3.0]> 1.50 {}"
        ),
        "[[0.0, (2.0, 0.0)], [1.5, (2.0, 1.5)], [3.0, (2.0, 3.0)]] 3",
    ];
    for (flags, answer) in [
        ("run", &["3.0"][..]),
        ("run --backend=interp", &["3.0"]),
        ("grad --strategy=closure", &["value     3.0", "gradient  (2.0, None)"]),
        ("grad --strategy=stack", &["value     3.0", "gradient  (2.0, None)"]),
    ] {
        let mut args: Vec<&str> = flags.split_whitespace().collect();
        args.splice(1..1, ["tests/programs/effects_printed_lists.py", "f", "1.5", "3"]);
        let out = gradus(args);
        assert_eq!(out.stdout.lines().collect::<Vec<_>>(), [&lines[..], answer].concat(), "{flags}: {}", out.stderr);
    }
}

#[test]
fn prints_what_operators_print() {
    let lines = ["add 1.5 1.5", "add 3.0 0.0", "half 3.0", "mul 1.5", "item 0", "lt", "turn 0", "turn 1", "bool", "len"];
    for (flags, answer) in [
        ("run", &["5.25"][..]),
        ("grad --strategy=closure", &["value     5.25", "gradient  5.0"]),
        ("grad --strategy=stack --backend=interp", &["value     5.25", "gradient  5.0"]),
        ("grad --order=2", &["value     5.25", "order 1   5.0", "order 2   2.0"]),
    ] {
        let mut args: Vec<&str> = flags.split_whitespace().collect();
        args.splice(1..1, ["tests/programs/effects_printed_operators.py", "f", "1.5"]);
        let out = gradus(args);
        assert_eq!(out.stdout.lines().collect::<Vec<_>>(), [&lines[..], answer].concat(), "{flags}: {}", out.stderr);
    }
}

#[test]
fn prints_what_made_functions_print() {
    let lines = "called 1.5|traced 1.5|shown 1.5|shown 1.5|shown 1.5|called 1.5|shown 1.5|\
                 called 1.5|called 1.5|layer 1.5|called 1.5|called 1.5|shown 1.5";
    let lines: Vec<&str> = lines.split('|').collect();
    for (flags, answer) in [
        ("run", &["36.75"][..]),
        ("grad --strategy=closure --backend=interp", &["value     36.75", "gradient  26.0"]),
        ("grad --strategy=stack", &["value     36.75", "gradient  26.0"]),
    ] {
        let mut args: Vec<&str> = flags.split_whitespace().collect();
        args.splice(1..1, ["tests/programs/effects_printed_made.py", "f", "1.5"]);
        let out = gradus(args);
        assert_eq!(out.stdout.lines().collect::<Vec<_>>(), [&lines[..], answer].concat(), "{flags}: {}", out.stderr);
    }
}

/// `printed_arrays.txt` is what CPython prints for the program and `f(1.5)`.
#[test]
fn prints_arrays_as_numpy_does() {
    let lines = include_str!("printed_arrays.txt");
    for (flags, answer) in [("run", "9.75\n"), ("run --backend=interp", "9.75\n"), ("grad", "value     9.75\ngradient  1.0\n")] {
        let mut args: Vec<&str> = flags.split_whitespace().collect();
        args.splice(1..1, ["tests/programs/effects_printed_arrays.py", "f", "1.5"]);
        let out = gradus(args);
        assert_eq!(out.stdout, format!("{lines}{answer}"), "{flags}: {}", out.stderr);
    }
}

#[test]
fn prints_once_what_is_differentiated() {
    let lines = [
        "at 1.5",
        "vjp 45.5625",
        "at 3.0",
        "jvp 774.5625",
        "at 4.5",
        "linearize 956.8125",
        "at 6.0",
        "at 7.5",
        "Jacobians 1233.5625",
        "at 9.0",
        "at 10.5",
        "second 1319.0625",
        "at 1.5",
    ];
    let gradient = ["value     1328.0625", "gradient  3256.875"];
    let orders = ["value     1328.0625", "order 1   3256.875", "order 2   7293.0"];
    for (command, flags, answer) in [
        ("run", "", &gradient[..0]),
        ("grad", "--mode=reverse", &gradient),
        ("grad", "--mode=forward", &gradient),
        ("grad", "--mode=forward --order=2", &orders),
        ("grad", "--mode=reverse --order=2", &orders),
    ] {
        let args = [command, "tests/programs/toolbox_prints.py", "f", "1.5"];
        let out = gradus(args.into_iter().chain(flags.split_whitespace()));
        let found: Vec<&str> = out.stdout.lines().collect();
        let answer = if command == "run" { &["1328.0625"] } else { answer };
        assert_eq!(found, [&lines[..], answer].concat(), "{command} {flags}: {}", out.stderr);
    }
}

/// What functions print is in order; what rules and hooks print stands where they are needed.
#[test]
fn prints_what_rules_and_hooks_print() {
    let value = ["cube 1.5", "square 1.6875", "third 1.5", "layer 2.84765625"];
    let derivative = ["rule of 2.84765625", "along", "back 0.75", "cotangent 1.265625"];
    let jax = (["half 2.25", "third 1.125"], ["forwards 2.25", "along (1.125,)", "backwards 0.75"]);
    let programs = [
        ("toolbox_prints_rules", &value[..], &derivative[..], "2.1357421875", "11.390625"),
        ("toolbox_prints_jax", &jax.0, &jax.1, "0.421875", "1.125"),
    ];
    for (name, value, derivative, y, gradient) in programs {
        let program = format!("tests/programs/{name}.py");
        let lines = |out: crate::command::Output, keep: &[&str]| -> Vec<String> {
            out.stdout.lines().filter(|line| keep.contains(line)).map(String::from).collect()
        };
        let all = [value, derivative].concat();
        let out = gradus(["run", &program, "f", "1.5"]);
        assert_eq!(out.stdout.lines().collect::<Vec<_>>(), [value, &[y]].concat(), "{name}: {}", out.stderr);
        for flags in ["--strategy=closure", "--strategy=stack", "--strategy=closure --backend=interp", "--no-interleave"] {
            let ask = || gradus(["grad", &program, "f", "1.5"].into_iter().chain(flags.split_whitespace()));
            let answer = [format!("value     {y}"), format!("gradient  {gradient}")];
            assert!(answer.iter().all(|line| ask().stdout.contains(line)), "{name} {flags}: {}", ask().stdout);
            assert_eq!(ask().stdout.lines().count(), all.len() + 2, "{name} {flags}: {}", ask().stdout);
            assert_eq!(lines(ask(), value), value, "{name} {flags}");
            // No order is promised but that of the data: the line of a rule comes before that of its pullback.
            let found = lines(ask(), derivative);
            assert_eq!(found[0], derivative[0], "{name} {flags}");
            let sorted = |mut lines: Vec<String>| {
                lines.sort();
                lines
            };
            assert_eq!(sorted(found), sorted(derivative.iter().map(|line| line.to_string()).collect()), "{name} {flags}");
        }
    }
}

#[test]
fn ends_quietly_where_nobody_reads_on() {
    let program = file("command-endless.py", "def f(x):\n    for i in range(10**9):\n        print(i, x)\n    return x\n");
    for (command, flags, reads_messages) in [
        ("run", "", false),
        ("run", "--backend=interp", false),
        ("grad", "--mode=forward", false),
        ("compare", "", false),
        ("run", "--json", true),
    ] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_gradus"))
            .args([command, &program, "f", "1.5"].into_iter().chain(flags.split_whitespace()))
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("a process");
        let (stdout, stderr) = (child.stdout.take().expect("a pipe"), child.stderr.take().expect("a pipe"));
        let [mut read, mut other]: [Box<dyn Read>; 2] =
            if reads_messages { [Box::new(stderr), Box::new(stdout)] } else { [Box::new(stdout), Box::new(stderr)] };
        let mut first = [0; 5];
        read.read_exact(&mut first).expect("a line");
        drop(read);
        let mut rest = String::new();
        other.read_to_string(&mut rest).expect("text");
        assert_eq!((&first, &*rest), (b"0 1.5", ""), "{command} {flags}");
        assert_eq!(child.wait().expect("an end").code(), Some(141), "{command} {flags}");
    }
}

#[test]
fn prints_what_comes_before_a_failure() {
    let program = "tests/programs/unassigned_after_print.py";
    let cases: [(&str, &str, &[&str], &str); 8] = [
        ("f", "0.6", &["begin", "straight"], "`z`"),
        ("straight", "0.6", &["straight"], "`z`"),
        ("looped", "0.3", &["looped", "turn 2", "turn 1"], "`factor`"),
        ("closed", "0.2", &["made", "closed"], "`scale`"),
        ("boxed", "0.1", &["add 0.010000000000000002"], "`last`"),
        ("boxed", "-1.0", &["add 1.0"], "`inner`"),
        ("refused", "-1.0", &["begin", "refused"], "no root"),
        ("refused", "0.5", &["begin", "product 0.5"], "`root`"),
    ];
    for (entry, x, lines, message) in cases {
        for ways in [
            "run",
            "run --backend=interp",
            "run --no-simplify",
            "grad --strategy=closure",
            "grad --strategy=stack",
            "grad --mode=forward",
            "grad --backend=interp",
            "grad --no-interleave",
            "grad --order=2 --mode=reverse --strategy=stack,closure",
            "grad --order=2 --mode=forward",
        ] {
            let (command, flags) = ways.split_once(' ').unwrap_or((ways, ""));
            let out = gradus([command, program, entry].into_iter().chain(flags.split_whitespace()).chain(["--", x]));
            assert_eq!(out.stdout.lines().collect::<Vec<_>>(), lines, "{entry} {ways}: {}", out.stderr);
            assert!(out.code == 1 && out.stderr.contains(message), "{entry} {ways}: {}", out.stderr);
        }
    }
}

//! Outputs that cannot be written to, arguments that are no text, and bounds.

use crate::command::gradus;
use crate::file;
use std::process::{Command, Stdio};

/// Runs `gradus` with an output that is always full; gives the exit code and what is said beside it.
#[cfg(target_os = "linux")]
fn full(args: &[&str], is_stderr: bool) -> (Option<i32>, String) {
    let device = std::fs::OpenOptions::new().write(true).open("/dev/full").expect("a device");
    let mut command = Command::new(env!("CARGO_BIN_EXE_gradus"));
    command.args(args).current_dir(env!("CARGO_MANIFEST_DIR")).stdin(Stdio::null());
    let out = if is_stderr { command.stderr(device) } else { command.stdout(device) }.output().expect("the command starts");
    let said = if is_stderr { out.stdout } else { out.stderr };
    (out.status.code(), String::from_utf8(said).expect("UTF-8"))
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_is_a_failure() {
    let program = file("command-full.py", "def f(x):\n    print(x, end='')\n    return None\ndef g(x):\n    return x * x\n");
    let object = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("command-full.o").display().to_string();
    for args in [
        &["run", &program, "g", "1.5"][..],
        &["run", &program, "g", "1.5", "--json"],
        &["grad", &program, "g", "1.5", "--explain"],
        // What a program prints, the end of a line or not.
        &["run", "tests/programs/effects_printed.py", "f", "1.5"],
        &["run", &program, "f", "1.5"],
        &["check", &program, "g", "1.5"],
        &["compare", &program, "g", "1.5", "--seconds=0"],
        &["ir", &program, "g", "1.5"],
        &["dot", &program, "g", "1.5"],
        &["build", &program, "g", "--sig", "f64", "-o", &object],
        &["--help"],
        &["grad", "--help"],
        &["--version"],
    ] {
        let (code, said) = full(args, false);
        assert!(
            code == Some(2) && said.starts_with("error: cannot write the output: No space left"),
            "{args:?}: {code:?} {said}"
        );
    }
    let (code, said) = full(&["run", &program, "g", "1.5", "--out", "/dev/full"], true);
    assert_eq!((code, &*said), (Some(2), ""));
    // Failures stay failures.
    assert!(full(&["run", &program, "missing"], true).0.is_some_and(|code| code != 0));
    assert_eq!(full(&["run", &program, "g"], false).0, Some(2));
}

#[test]
#[cfg(unix)]
fn arguments_that_are_no_text() {
    use std::os::unix::ffi::OsStrExt;
    let wrong = std::ffi::OsStr::from_bytes(b"1.\xff");
    for more in [&[][..], &["--json"]] {
        let args = ["run", "examples/pow.py", "pow"].map(std::ffi::OsStr::new);
        let out = gradus(args.into_iter().chain([wrong]).chain(more.iter().map(std::ffi::OsStr::new)));
        assert!(out.code == 2 && out.stderr.contains("invalid UTF-8"), "{}", out.stderr);
        assert_eq!(out.stdout.contains("\"error\""), !more.is_empty(), "{}", out.stdout);
    }
}

#[test]
fn bounds() {
    let out = gradus(["grad", "examples/pow.py", "pow", "2.0", "3", "--wrt", "0", "--order", "1000000000"]);
    assert!(out.code == 2 && out.stderr.contains("--order goes up to 100, not to 1000000000"), "{}", out.stderr);
    let program = file(
        "command-bounds.py",
        "import math\ndef f(x, n):\n    for i in range(n):\n        x = math.sin(x) * x + i\n    return x\n\
         def square(x, n):\n    for i in range(n):\n        x = x * x + 1\n    return x\n",
    );
    let grad = |memory: &str, n: &str| gradus(["grad", &program, "f", "0.5", n, "--strategy", "stack", "--memory", memory]);
    let out = grad("20M", "5000000");
    assert!(out.code == 1 && out.stderr.contains("out of memory"), "{} {}", out.code, out.stderr);
    assert_eq!(grad("20M", "1000").code, 0);
    let out = grad("much", "5");
    assert!(out.code == 2 && out.stderr.contains("a size is a number of bytes"), "{}", out.stderr);
    let out = gradus(["run", &program, "square", "1//3", "64", "--number", "rational"]);
    assert!(out.code == 1 && out.stderr.contains("out of memory"), "{} {}", out.code, out.stderr);
}

/// Where there is no room for a stack of its own a program fails as any that is out of memory.
#[test]
#[cfg(target_os = "linux")]
fn little_address_space() {
    for limit in [150_000, 400_000] {
        let command = format!("ulimit -v {limit}; exec \"$0\" grad examples/pow.py pow 2.0 3");
        let out = Command::new("sh")
            .args(["-c", &command, env!("CARGO_BIN_EXE_gradus")])
            .current_dir(env!("CARGO_MANIFEST_DIR"))
            .output();
        let out = out.expect("a shell");
        let said = String::from_utf8_lossy(&out.stderr);
        assert!(out.status.success() || out.status.code() == Some(1) && said.contains("out of memory"), "{limit}: {said}");
    }
}

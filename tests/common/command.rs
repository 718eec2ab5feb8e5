//! The built command, run as a user would, from the root of the repository.

use std::process::Command;

/// What the command said.
pub struct Output {
    pub code: i32,
    pub stdout: String,
    pub stderr: String,
}

/// Runs `gradus` with these arguments.
pub fn gradus<S: AsRef<std::ffi::OsStr>>(args: impl IntoIterator<Item = S>) -> Output {
    let out = Command::new(env!("CARGO_BIN_EXE_gradus"))
        .args(args)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("the command starts");
    Output {
        code: out.status.code().expect("the command is not killed by a signal"),
        stdout: String::from_utf8(out.stdout).expect("UTF-8"),
        stderr: String::from_utf8(out.stderr).expect("UTF-8"),
    }
}

//! What `#[gradus::differentiable]` and `#[derive(gradus::Value)]` refuse: the programs of `tests/refused/`, and what rustc says of
//! them. rustc takes the libraries that lie beside this test, so that nothing is compiled once more for it. `UPDATE_EXPECT=1` writes
//! the messages anew.

use expect_test::expect_file;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

#[test]
fn messages() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let programs: Vec<PathBuf> =
        entries(&root.join("tests/refused")).filter(|p| p.extension().is_some_and(|e| e == "rs")).collect();
    assert!(!programs.is_empty());
    let libraries = env::current_exe().expect("a test is a file").parent().expect("it lies in a directory").to_owned();
    let gradus = library(&libraries);
    for program in programs {
        let output = Command::new(env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()))
            .current_dir(root)
            .args(["--edition=2024", "--emit=metadata", "--out-dir", env!("CARGO_TARGET_TMPDIR"), "-L"])
            .arg(format!("dependency={}", libraries.display()))
            .arg(format!("--extern=gradus={}", gradus.display()))
            .arg(program.strip_prefix(root).expect("a program of this package"))
            .output()
            .expect("rustc is installed");
        assert!(!output.status.success(), "{} is not refused", program.display());
        let said = String::from_utf8(output.stderr).expect("rustc writes text");
        // How many errors there are, and where to read more, is of no interest.
        let (messages, _) = said.split_once("error: aborting due to").unwrap_or((&said, ""));
        expect_file![program.with_extension("stderr")].assert_eq(&format!("{}\n", messages.trim_end()));
    }
}

/// The library as `cargo test` has built it: of several the youngest.
fn library(directory: &Path) -> PathBuf {
    let is_it = |p: &PathBuf| {
        let name = p.file_name().map_or_else(Default::default, |n| n.to_string_lossy());
        name.starts_with("libgradus-") && name.ends_with(".rlib")
    };
    let age = |p: &PathBuf| fs::metadata(p).and_then(|m| m.modified()).expect("a file has a time");
    entries(directory).filter(is_it).max_by_key(age).expect("tests are linked with the library")
}

fn entries(directory: &Path) -> impl Iterator<Item = PathBuf> {
    fs::read_dir(directory).expect("a directory").map(|entry| entry.expect("an entry").path())
}

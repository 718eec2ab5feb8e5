//! What `#[gradus::differentiable]` and `#[derive(gradus::Value)]` refuse: the programs of `tests/refused/`, and what rustc says of
//! them. `TRYBUILD=overwrite` writes that anew.

#[test]
fn messages() {
    trybuild::TestCases::new().compile_fail("tests/refused/*.rs");
}

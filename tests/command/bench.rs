//! Workloads that other tools are timed at, too.

use crate::command::gradus;

#[test]
fn benchmarks() {
    const METRICS: [&str; 7] = ["compile_grad_s", "digest", "primal_s", "grad_s", "ratio", "primal_min_s", "grad_min_s"];
    let words = ["sincos", "pow", "lorenz", "nthd1", "nthd3", "nthd8_fwd"];
    let out = gradus(["bench", "--budget", "0"].into_iter().chain(words));
    assert_eq!((&*out.stderr, out.code), ("", 0));
    // The workload on an array that has one of the words in its name, too, is for [`arrays`].
    let scalars = out.stdout.lines().filter(|line| !line.starts_with("sincos_v10000"));
    let lines: Vec<Vec<&str>> = scalars.map(|line| line.split(',').collect()).collect();
    // From closed forms; those of higher orders from Taylor series in 40 digits, Lorenz's from an adjoint in C++.
    let trips = (1000.0_f64.ln() / 1.007_f64.ln()).ceil();
    let digests = [
        ("sincos", &["", "_func", "_tape", "_fwd"][..], -0.7_f64.cos().cos() * 0.7_f64.sin()),
        ("pow1000", &["", "_func", "_tape", "_fwd"], 1000.0 * 1.0007_f64.powi(999)),
        ("powdyn", &["", "_func", "_tape", "_fwd"], trips * 1.007_f64.powf(trips - 1.0)),
        ("lorenz_rk4_10000", &["", "_func", "_tape"], -343.079829437725),
        ("nthd1", &["", "_fwd"], 0.323_761_042_560_791_47),
        ("nthd3", &["", "_fwd"], -0.514_566_713_045_759),
        ("nthd8", &["_fwd"], 2_370.032_988_821_101_3),
    ];
    let mut lines = lines.iter();
    for (workload, suffixes, expected) in digests {
        for suffix in suffixes {
            for metric in METRICS {
                let Some([name, found, value]) = lines.next().map(|line| &line[..]) else {
                    panic!("{workload}{suffix}: {metric}")
                };
                assert_eq!((*name, *found), (&*format!("{workload}{suffix}"), metric));
                let value: f64 = value.parse().expect("a number");
                match metric {
                    "digest" => assert!((value - expected).abs() <= 1e-9 * expected.abs(), "{name}: {value}, not {expected}"),
                    _ => assert!(value > 0.0 && value.is_finite(), "{name}: {metric} {value}"),
                }
            }
        }
    }
    assert!(lines.next().is_none());
    arrays();
    for wrong in [&["no such workload"][..], &["--budget", "-1"], &["--budget", "long"], &["--batches", "0"]] {
        assert_eq!(gradus(["bench"].iter().chain(wrong)).code, 2, "{wrong:?}");
    }
}

/// The workloads on arrays. What tells a wrong gradient is that of a gradient by hand in C++, to nine digits.
fn arrays() {
    let digests = [
        ("sincos_v10000", -87.0612054),
        ("lse100", 3.48654144),
        ("lse1000", 3.89251241),
        ("lse100000", 4.00134662),
        ("logreg", -0.0267484088),
        ("mlp_b1_f64", -1078.9128),
        ("mlp_b8_f64", 291.354906),
        ("mlp_b32_f64", 342.162417),
        ("mlp_b256_f64", 148.01254),
        ("blackscholes", 3530716.67),
        ("lstm50", 25.4781673),
        ("gmm_d10_k25_n1000", 21445.6357),
        ("lstm_adbench_l2_c1024", -0.308618851),
        ("brusselator_n32_1000", -276.194139),
        ("rosen100_grad", -23577.5566),
    ];
    // Derivatives that are no gradients: those of JAX, and of CasADi, to nine digits.
    let others = [("rosen100_hess", 412314.466), ("ba_10000", 2285202.81)];
    let flags = ["bench", "--budget", "0", "--batches", "1,8,32,256"];
    let out = gradus(flags.into_iter().chain(digests.iter().chain(&others).map(|(name, _)| *name)));
    assert_eq!((&*out.stderr, out.code), ("", 0));
    let ways =
        digests.iter().map(|found| (&["", "_func", "_tape"][..], found)).chain(others.iter().map(|found| (&[""][..], found)));
    for (ways, &(name, expected)) in ways {
        for way in ways.iter().map(|way| format!("{name}{way}")) {
            let line = out.stdout.lines().find_map(|line| line.strip_prefix(&format!("{way},digest,")));
            let found: f64 = line.unwrap_or_else(|| panic!("{way}")).parse().expect("a number");
            assert!((found - expected).abs() <= 1e-8 * expected.abs(), "{way}: {found}, not {expected}");
        }
    }
}

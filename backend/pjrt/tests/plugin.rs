//! A plugin of XLA runs programs. The environment variable `GRADUS_XLA_PLUGIN` has its path; without it nothing is tested here.

use gradus_pjrt::{Client, HostArray, Mesh, Plugin, Setting};
use std::path::Path;

fn client(devices: i64) -> Option<Client> {
    let Some(path) = std::env::var_os("GRADUS_XLA_PLUGIN") else {
        println!("skipped: GRADUS_XLA_PLUGIN does not name a plugin of XLA");
        return None;
    };
    let plugin = Plugin::load(Path::new(&path)).expect("a plugin");
    assert_eq!(plugin.version().0, 0);
    Some(plugin.client(&[("cpu_device_count", Setting::Int(devices))]).expect("a client"))
}

const SINE: &str = "module { func.func public @main(%0: tensor<2xf64>, %1: tensor<i64>, %2: tensor<i1>) -> (tensor<2xf64>, tensor<i64>, tensor<i1>) {
    %3 = stablehlo.sine %0 : tensor<2xf64>
    %4 = stablehlo.add %1, %1 : tensor<i64>
    %5 = stablehlo.not %2 : tensor<i1>
    return %3, %4, %5 : tensor<2xf64>, tensor<i64>, tensor<i1>
} }";

#[test]
fn arrays_go_in_and_come_out() {
    let Some(client) = client(1) else { return };
    assert_eq!((client.device_count(), client.devices().unwrap().len()), (1, 1));
    let program = client.compile(SINE, 1).unwrap();
    assert_eq!(program.results(), 3);
    let given = vec![HostArray::of_floats(&[2], &[1.0, -0.0]), HostArray::from(21_i64), HostArray::from(true)];
    let results = program.run(std::slice::from_ref(&given)).unwrap().remove(0);
    let floats = results[0].floats().unwrap();
    assert!((floats[0] - 1_f64.sin()).abs() < 1e-15 && floats[1].is_sign_negative());
    assert_eq!((results[1].ints(), results[2].bools()), (Some(vec![42]), Some(vec![false])));
    // Arguments on the device are kept.
    let buffers: Vec<_> = given.iter().map(|array| client.send(array, 0).unwrap()).collect();
    for _ in 0..2 {
        let results = program.execute(&[buffers.iter().collect()]).unwrap().remove(0);
        assert_eq!(results[1].fetch().unwrap().ints(), Some(vec![42]));
    }
    assert_eq!(buffers[1].fetch().unwrap(), given[1]);
}

#[test]
fn what_is_wrong_is_said() {
    let missing = Plugin::load(Path::new("no/such/plugin.so")).err().expect("there is none").to_string();
    assert!(missing.starts_with("cannot load the XLA plugin no/such/plugin.so: "), "{missing}");
    let Some(client) = client(1) else { return };
    let refused = client.compile("module { nonsense }", 1).err().expect("it is no program").to_string();
    assert!(refused.starts_with("XLA cannot compile the program: "), "{refused}");
    assert_eq!(client.compile(SINE, 3).err().unwrap().to_string(), "the program is for 3 devices, and there are 1");
    let program = client.compile(SINE, 1).unwrap();
    assert!(program.run(&[vec![HostArray::from(1.0)]]).is_err());
    assert!(program.run(&[]).is_err());
    let torn = HostArray { bytes: vec![0; 3], ..HostArray::from(1.0) };
    assert!(client.send(&torn, 0).is_err());
}

#[test]
fn a_product_is_split() {
    let Some(client) = client(4) else { return };
    let program = |sharding: [&str; 2]| {
        let [a, b] = sharding;
        format!(
            "module attributes {{mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32}} {{
                sdy.mesh @mesh = <[\"x\"=4]>
                func.func public @main(%0: tensor<2x8xf64> {{sdy.sharding = #sdy.sharding<@mesh, [{a}]>}},
                    %1: tensor<8x2xf64> {{sdy.sharding = #sdy.sharding<@mesh, [{b}]>}})
                    -> (tensor<2x2xf64> {{sdy.sharding = #sdy.sharding<@mesh, [{{}}, {{}}]>}}) {{
                    %2 = stablehlo.dot_general %0, %1, contracting_dims = [1] x [0] : (tensor<2x8xf64>, tensor<8x2xf64>) -> tensor<2x2xf64>
                    return %2 : tensor<2x2xf64>
                }} }}"
        )
    };
    let mesh = Mesh { axes: vec![("x".into(), 4)] };
    let [a, b] = [1.0, 2.0].map(|s| (0..16).map(|i| s * f64::from(i)).collect::<Vec<_>>());
    let (a, b) = (HostArray::of_floats(&[2, 8], &a), HostArray::of_floats(&[8, 2], &b));
    let (parts_a, parts_b) = (mesh.split(&a, &vec![None, Some(0)]).unwrap(), mesh.split(&b, &vec![Some(0)]).unwrap());
    let split = client.compile(program(["{}, {\"x\"}", "{\"x\"}, {}"]), 4).unwrap();
    let arguments: Vec<Vec<HostArray>> = parts_a.into_iter().zip(parts_b).map(|(a, b)| vec![a, b]).collect();
    let results = split.run(&arguments).unwrap();
    let expected: Vec<f64> =
        (0..4).map(|i| (0..8).map(|k| f64::from(i / 2 * 8 + k) * 2.0 * f64::from(k * 2 + i % 2)).sum()).collect();
    for device in &results {
        assert_eq!(device[0].floats().unwrap(), expected);
    }
    assert_eq!(split.operations("all-reduce").unwrap().len(), 1);
}

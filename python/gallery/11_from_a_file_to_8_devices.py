"""Exports a training step of a small network, and lets JAX run it on eight devices.

The step is plain Python with NumPy. `gradus.export` makes StableHLO of it, the language that XLA compiles for CPUs, GPUs and
TPUs. Each device has an eighth of the batch and all parameters; XLA adds up the gradients. The devices here are virtual ones
of this CPU, and the losses agree with those of one device to twelve digits.
"""

import os

# JAX reads it once, when it starts.
os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=8 " + os.environ.get("XLA_FLAGS", "")

import tempfile
from pathlib import Path

import gradus
import numpy as np

RATE, STEPS = 0.1, 1500


def loss(p, x, y):
    """Mean square of what the network is wrong by."""
    hidden = np.tanh(x @ p["w1"] + p["b1"])
    return ((hidden @ p["w2"] + p["b2"] - y) ** 2).mean()


def step(p, x, y):
    """The parameters after a step of gradient descent, and the loss before it."""
    value, g = gradus.value_and_grad(loss)(p, x, y)
    return {k: p[k] - RATE * g[k] for k in p}, value


def data(rng, rows=1024):
    x = rng.uniform(-1.0, 1.0, size=(rows, 4))
    return x, np.sin(3.0 * x[:, 0]) * x[:, 1]


def start(rng, width=32):
    return {"w1": rng.normal(size=(4, width)), "b1": np.zeros(width), "w2": rng.normal(size=width) / np.sqrt(width), "b2": 0.0}


def main():
    rng = np.random.default_rng(0)
    (x, y), p = data(rng), start(rng)
    exported = gradus.export(step, p, x, y)
    print(f"the step as StableHLO has {exported.stablehlo.count(chr(10))} lines, and takes {', '.join(exported.params)}")

    try:
        import jax
    except ImportError:
        print("JAX is not installed: the text stays a text")
        return
    from jax.sharding import Mesh, NamedSharding, PartitionSpec

    jax.config.update("jax_enable_x64", True)
    # A file is enough: whoever runs it needs neither this script nor the compiler.
    with tempfile.TemporaryDirectory() as folder:
        run = gradus.load_exported(exported.save(Path(folder) / "step.gradus", orders=0)).jax()

    def train(run, devices):
        """The losses, and how many rows of the batch a device has."""
        mesh = Mesh(np.array(jax.devices()[:devices]), ("data",))
        rows, whole = NamedSharding(mesh, PartitionSpec("data")), NamedSharding(mesh, PartitionSpec())
        batch = [jax.device_put(a, rows) for a in (x, y)]
        run = jax.jit(run, in_shardings=(whole, rows, rows), out_shardings=whole)
        now, losses = jax.device_put(p, whole), []
        for _ in range(STEPS):
            now, value = run(now, *batch)
            losses.append(float(value))
        return np.array(losses), batch[0].addressable_shards[0].data.shape[0]

    one, rows_of_one = train(run, 1)
    eight, rows_of_eight = train(run, 8)
    print(f"{'step':>5}  {f'1 device of {rows_of_one} rows':<24}8 devices of {rows_of_eight} rows each")
    for i in (0, 100, 500, STEPS - 1):
        print(f"{i:>5}  {one[i]:<24.16f}{eight[i]:.16f}")
    assert eight[-1] < 0.2 * eight[0], "it learns"
    assert np.abs(one - eight).max() < 1e-12

    native, q = gradus.jit(step), p
    for _ in range(STEPS):
        q, value = native(q, x, y)
    print(f"{STEPS - 1:>5}  {value:<24.16f}by native code of Gradus")
    assert abs(value - one[-1]) < 1e-12


if __name__ == "__main__":
    main()

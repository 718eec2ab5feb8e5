"""Times programs of studies/closures-vs-stacks in another tool: peer.py autograd|jax|torch.

Prints lines workload,metric,value; times are medians, in seconds. The programs are as a user of the tool writes them: loops of Python
for Autograd and PyTorch, and lax.fori_loop in compiled code for JAX.
"""
import statistics
import sys
import time


def median(call, seconds=0.3):
    call()
    start, times = time.perf_counter(), []
    while len(times) < 5 or time.perf_counter() - start < seconds and len(times) < 200:
        begun = time.process_time()
        count = 0
        while count == 0 or time.process_time() - begun < 1e-3:
            call()
            count += 1
        times.append((time.process_time() - begun) / count)
    return statistics.median(times)


def programs(sin, loop):
    """Each program by name: the function, its float and its number of steps. loop(n, step, state) is state after n steps."""

    def power(x, n):
        return loop(n, lambda i, r: r * x, 1.0)

    def horner(x, n):
        return loop(n, lambda i, r: r * x + 1.0 / (i + 1), 0.0)

    def newton(x, n):
        return loop(n, lambda i, r: 0.5 * (r + x / r), 1.0)

    def logistic(x, n):
        return loop(n, lambda i, y: 3.2 * y * (1.0 - y), x)

    def harmonic(x, n):
        return loop(n, lambda i, total: total + 1.0 / (x + i), 0.0)

    def pendulum(x, n):
        def step(i, state):
            angle, speed = state
            speed = speed - 0.01 * sin(angle)
            return angle + 0.01 * speed, speed

        return loop(n, step, (x, 0.0))[0]

    def lorenz(x, n):
        def step(i, state):
            x, y, z = state
            dx, dy, dz = 10.0 * (y - x), x * (28.0 - z) - y, x * y - 2.5 * z
            return x + 0.002 * dx, y + 0.002 * dy, z + 0.002 * dz

        return sum(loop(n, step, (x, 1.2, 0.9)))

    return [
        (power, 1.0001, 1000), (horner, 0.9, 1000), (newton, 2.0, 20), (logistic, 0.3, 100),
        (harmonic, 1.5, 1000), (pendulum, 0.5, 1000), (lorenz, 1.0, 1000),
    ]


def python_loop(n, step, state):
    for i in range(n):
        state = step(i, state)
    return state


def autograd():
    import autograd.numpy as np
    from autograd import grad

    for f, x, n in programs(np.sin, python_loop):
        derivative = grad(f)
        yield f, lambda f=f, x=x, n=n: f(x, n), lambda d=derivative, x=x, n=n: d(x, n)


def jax():
    import jax
    import jax.numpy as jnp

    jax.config.update("jax_enable_x64", True)

    def loop(n, step, state):
        state = jax.tree.map(lambda v: jnp.asarray(v, jnp.float64), state)
        return jax.lax.fori_loop(0, n, step, state)

    for f, x, n in programs(jnp.sin, loop):
        value = jax.jit(f, static_argnums=1)
        derivative = jax.jit(jax.grad(f), static_argnums=1)
        run = lambda g, x=jnp.float64(x), n=n: g(x, n).block_until_ready()
        yield f, lambda run=run, g=value: run(g), lambda run=run, g=derivative: run(g)


def torch():
    import torch

    torch.set_num_threads(1)

    def gradient(f, x, n):
        v = torch.tensor(x, dtype=torch.float64, requires_grad=True)
        f(v, n).backward()
        return v.grad

    for f, x, n in programs(torch.sin, python_loop):
        plain = torch.tensor(x, dtype=torch.float64)
        yield f, lambda f=f, v=plain, n=n: f(v, n), lambda f=f, x=x, n=n: gradient(f, x, n)


for function, value, derivative in {"autograd": autograd, "jax": jax, "torch": torch}[sys.argv[1]]():
    print(f"{function.__name__},primal_s,{median(value):g}")
    print(f"{function.__name__},grad_s,{median(derivative):g}", flush=True)

"""Trains a small network to tell two spirals apart, by gradients of a dict of parameters.

If JAX is installed, it trains the same network from the same start, and the losses agree to ten digits.
"""

import gradus
import numpy as np


def spirals(n, rng):
    """Points of two spirals, and which of them each is on."""
    t = np.sqrt(rng.uniform(0.05, 1.0, n)) * 3.0 * np.pi
    label = rng.integers(0, 2, n)
    sign = 2.0 * label - 1.0
    points = np.stack([sign * t * np.cos(t), sign * t * np.sin(t)], axis=1) / (3.0 * np.pi)
    return points, label.astype(float)


def logits(p, x):
    """The network: tanh between layers, and one number for each point at the end."""
    last = len(p["weights"]) - 1
    for i, (w, b) in enumerate(zip(p["weights"], p["biases"])):
        x = x @ w + b
        if i < last:
            x = np.tanh(x)
    return x[:, 0]


def loss(p, x, y):
    """Mean cross entropy; log(1 + exp(-|z|)) does not overflow."""
    z = logits(p, x)
    return (np.maximum(z, 0.0) - z * y + np.log1p(np.exp(-np.abs(z)))).mean()


def train(gradient, p, x, y, steps, rate=0.5):
    """Losses of gradient descent, and the parameters."""
    losses = []
    for _ in range(steps):
        value, g = gradient(p, x, y)
        losses.append(float(value))
        p = {k: [a - rate * np.asarray(b) for a, b in zip(p[k], g[k])] for k in p}
    return np.array(losses), p


def main():
    rng = np.random.default_rng(0)
    x, y = spirals(400, rng)
    sizes = [(2, 24), (24, 24), (24, 1)]
    p = {"weights": [rng.normal(size=s) * np.sqrt(2.0 / s[0]) for s in sizes], "biases": [np.zeros(n) for _, n in sizes]}
    losses, trained = train(gradus.value_and_grad(loss), p, x, y, 4000)
    right = ((gradus.jit(logits)(trained, x) > 0.0) == y).mean()
    print(f"the loss went from {losses[0]:.3f} to {losses[-1]:.4f}; {right:.1%} of the points are told apart")
    assert losses[-1] < 0.05 and right > 0.98

    try:
        import jax
    except ImportError:
        print("JAX is not installed: there is nothing to compare with")
        return
    jax.config.update("jax_enable_x64", True)
    other, _ = train(jax.jit(jax.value_and_grad(in_jax)), p, x, y, 100)
    print(f"losses differ from those of JAX by {np.abs(losses[:100] - other).max():.1e} at most")
    assert np.abs(losses[:100] - other).max() < 1e-10


def in_jax(p, x, y):
    import jax.numpy as jnp

    for w, b in list(zip(p["weights"], p["biases"]))[:-1]:
        x = jnp.tanh(x @ w + b)
    z = (x @ p["weights"][-1] + p["biases"][-1])[:, 0]
    return (jnp.maximum(z, 0.0) - z * y + jnp.log1p(jnp.exp(-jnp.abs(z)))).mean()


if __name__ == "__main__":
    main()

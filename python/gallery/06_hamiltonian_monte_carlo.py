"""Draws from the posterior of a logistic regression by Hamiltonian Monte Carlo.

A step follows the gradient of the log density for a while and is then accepted or not. The whole trajectory is one
compiled function, in which the gradient is taken: `gradus.grad` works inside of compiled code as it does outside.
"""

import gradus
import numpy as np
from scipy.optimize import minimize


def log_density(w, x, y):
    """Of weights with a standard normal prior, given labels y of -1 and 1."""
    return -np.log1p(np.exp(-y * (x @ w))).sum() - 0.5 * (w @ w)


@gradus.jit
def leapfrog(w, p, x, y, step, n):
    """n steps along the gradient: they keep volumes, and the energy nearly."""
    slope = gradus.grad(log_density)
    p = p + 0.5 * step * slope(w, x, y)
    for i in range(n):
        w = w + step * p
        p = p + (step if i < n - 1 else 0.5 * step) * slope(w, x, y)
    return w, p, log_density(w, x, y) - 0.5 * (p @ p)


def sample(w, x, y, draws, step, n, rng):
    found, accepted = np.zeros((draws, len(w))), 0
    density = gradus.jit(log_density)
    for i in range(draws):
        p = rng.normal(size=len(w))
        before = density(w, x, y) - 0.5 * (p @ p)
        moved, _, after = leapfrog(w, p, x, y, step, n)
        if np.log(rng.uniform()) < after - before:
            w, accepted = moved, accepted + 1
        found[i] = w
    return found, accepted / draws


def main():
    rng = np.random.default_rng(0)
    true = np.array([1.0, -2.0, 0.5])
    x = rng.normal(size=(400, 3))
    y = np.where(rng.uniform(size=400) < 1.0 / (1.0 + np.exp(-x @ true)), 1.0, -1.0)

    # Far steps go back to where they came from, if the momentum is turned round.
    w, p = np.zeros(3), np.ones(3)
    there, momentum, _ = leapfrog(w, p, x, y, 0.05, 20)
    back, _, _ = leapfrog(there, -momentum, x, y, 0.05, 20)
    assert np.allclose(back, w, atol=1e-12)

    draws, rate = sample(w, x, y, 4000, 0.05, 20, rng)
    draws = draws[500:]
    mean, deviation = draws.mean(axis=0), draws.std(axis=0)
    print(f"{rate:.0%} of the steps were accepted")
    print("mean     ", mean.round(3))
    print("deviation", deviation.round(3))
    assert rate > 0.8

    # With so many data the posterior is nearly normal around its mode.
    def loss(w):
        return -log_density(w, x, y)

    mode = minimize(gradus.value_and_grad(loss), np.zeros(3), jac=True).x
    normal = np.sqrt(np.linalg.inv(gradus.hessian(loss)(mode)).diagonal())
    print("Laplace's", mode.round(3), "±", normal.round(3))
    assert (np.abs(mean - mode) < 0.4 * normal).all()
    assert np.allclose(deviation, normal, rtol=0.15)


if __name__ == "__main__":
    main()

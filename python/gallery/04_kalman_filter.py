"""Estimates the noises of a state-space model by maximum likelihood.

A Kalman filter is a loop over observations that updates a mean and a covariance. The gradient of its likelihood is
known for its long formulas; here it is `gradus.grad`.
"""

import gradus
import numpy as np
from scipy.optimize import minimize
from scipy.stats import multivariate_normal

STEP = 0.1
MOVE = np.array([[1.0, STEP], [0.0, 1.0]])
SEE = np.array([[1.0, 0.0]])
PUSH = np.array([[STEP**3 / 3.0, STEP**2 / 2.0], [STEP**2 / 2.0, STEP]])


def log_likelihood(log_noise, seen):
    """Of observed positions of a body that moves; noises are of its acceleration and of what is seen."""
    process, measurement = np.exp(log_noise[0]), np.exp(log_noise[1])
    mean, covariance = np.zeros(2), np.eye(2)
    total = 0.0
    for i in range(len(seen)):
        mean = MOVE @ mean
        covariance = MOVE @ covariance @ MOVE.T + process * PUSH
        innovation = seen[i] - SEE @ mean
        spread = SEE @ covariance @ SEE.T + measurement * np.eye(1)
        gain = covariance @ SEE.T @ np.linalg.inv(spread)
        total += -0.5 * (innovation @ np.linalg.solve(spread, innovation) + np.log(2.0 * np.pi * np.linalg.det(spread)))
        mean = mean + gain @ innovation
        covariance = covariance - gain @ SEE @ covariance
    return total


def all_at_once(log_noise, n):
    """Covariance of all observations together, the reference for short series."""
    process, measurement = np.exp(log_noise)
    states, blocks = np.zeros((2 * n, 2 * n)), [np.eye(2)]
    for i in range(n):
        blocks.append(MOVE @ blocks[-1] @ MOVE.T + process * PUSH)
    for i in range(n):
        for j in range(i, n):
            block = np.linalg.matrix_power(MOVE, j - i) @ blocks[i + 1]
            states[2 * j : 2 * j + 2, 2 * i : 2 * i + 2] = block
            states[2 * i : 2 * i + 2, 2 * j : 2 * j + 2] = block.T
    return states[::2, ::2] + measurement * np.eye(n)


def main():
    rng = np.random.default_rng(1)
    true = np.log([0.5, 0.04])
    state, seen = np.zeros(2), np.zeros((400, 1))
    for i in range(400):
        state = MOVE @ state + rng.multivariate_normal(np.zeros(2), np.exp(true[0]) * PUSH)
        seen[i] = SEE @ state + rng.normal(scale=np.exp(0.5 * true[1]), size=1)

    short = seen[:20]
    exact = multivariate_normal(np.zeros(20), all_at_once(true, 20)).logpdf(short[:, 0])
    assert np.isclose(gradus.jit(log_likelihood)(true, short), exact)

    def loss(log_noise):
        return -log_likelihood(log_noise, seen)

    found = minimize(gradus.value_and_grad(loss), np.zeros(2), jac=True, method="L-BFGS-B")
    deviation = np.sqrt(np.linalg.inv(gradus.hessian(loss)(found.x)).diagonal())
    print("true logarithms of the noises", true.round(3))
    print("most likely                  ", found.x.round(3), "±", deviation.round(3))
    assert np.abs(gradus.grad(loss)(found.x)).max() < 1e-2
    assert (np.abs(found.x - true) < 3.0 * deviation).all()


if __name__ == "__main__":
    main()

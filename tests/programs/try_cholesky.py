# entry: f
# args: 2.0
# args: 3.0
# by-hand
# closed: [0.25 + 2.0 / sqrt(2.25) * 0.5 - 1.5 * 0.5 * 2.25**-1.5 + 2.25 / 2.25**2 / (2.0 * sqrt(1.25 - 2.25 / 2.25)) if x == 2.0 else 1.0 / sqrt(3.0) - 0.75 * 3.0**-1.5 + 2.25 / 9.0 / (2.0 * sqrt(0.25))]
# note: a matrix that is not positive definite gets a larger diagonal; the factor that failed has no part in the derivative
import numpy as np


def factor(a):
    jitter = 0.0
    for k in range(4):
        try:
            return np.linalg.cholesky(a + jitter * np.eye(2)), jitter
        except np.linalg.LinAlgError:
            jitter = jitter * 2.0 + 0.25
    raise ValueError("not positive definite")


def f(x):
    lower, jitter = factor(np.array([[x, 1.5], [1.5, 1.0]]))
    return 2.0 * lower[0, 0] + lower[1, 0] + lower[1, 1] + jitter * x

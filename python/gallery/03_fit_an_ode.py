"""Fits the rates of a predator-prey model to noisy data.

The solver is a plain loop of Runge-Kutta steps. The gradient of the misfit goes backwards through the solver, so it is
that of the numbers that the solver gives. SciPy does the minimisation.
"""

import gradus
import numpy as np
from scipy.integrate import solve_ivp
from scipy.optimize import minimize

TIMES = np.linspace(0.0, 10.0, 41)
STEPS = 10
TRUE = np.array([1.1, 0.4, 0.1, 0.4])
START = np.array([10.0, 5.0])


def slope(y, p):
    """Lotka and Volterra: prey y[0], predators y[1]."""
    return np.array([p[0] * y[0] - p[1] * y[0] * y[1], p[2] * y[0] * y[1] - p[3] * y[1]])


def solve(p):
    """States at all times, by steps of Runge and Kutta."""
    y, h = START, (TIMES[1] - TIMES[0]) / STEPS
    states = [y]
    for _ in range(len(TIMES) - 1):
        for _ in range(STEPS):
            k1 = slope(y, p)
            k2 = slope(y + 0.5 * h * k1, p)
            k3 = slope(y + 0.5 * h * k2, p)
            k4 = slope(y + h * k3, p)
            y = y + h / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4)
        states.append(y)
    return np.array(states)


def misfit(log_p, data):
    """Mean square of the differences; rates are positive, so their logarithms are fitted."""
    return ((solve(np.exp(log_p)) - data) ** 2).mean()


def main():
    # Data come from another solver than the one that is fitted.
    exact = solve_ivp(lambda t, y: slope(y, TRUE), (0.0, 10.0), START, t_eval=TIMES, rtol=1e-10, atol=1e-10).y.T
    assert np.abs(gradus.jit(solve)(TRUE) - exact).max() < 1e-4
    data = exact + np.random.default_rng(0).normal(scale=0.1, size=exact.shape)

    start = np.log([1.0, 0.3, 0.12, 0.5])
    step = 1e-6 * np.eye(4)
    gradient = gradus.grad(misfit)(start, data)
    differences = [(misfit(start + s, data) - misfit(start - s, data)) / 2e-6 for s in step]
    assert np.allclose(gradient, differences, rtol=1e-4)

    found = minimize(gradus.value_and_grad(misfit), start, args=(data,), jac=True, method="BFGS")
    rates = np.exp(found.x)
    print("true rates  ", TRUE)
    print("fitted rates", rates.round(3), f"after {found.nfev} gradients")
    assert np.allclose(rates, TRUE, rtol=0.03)

    # The curvature at the minimum says how certain the rates are.
    hessian = gradus.hessian(misfit)(found.x, data)
    variance = 2.0 * found.fun / data.size * np.linalg.inv(hessian).diagonal()
    print("uncertainty ", (rates * np.sqrt(variance)).round(4))
    assert (np.abs(rates - TRUE) < 4.0 * rates * np.sqrt(variance)).all()


if __name__ == "__main__":
    main()

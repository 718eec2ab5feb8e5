"""Swings a pendulum up by a torque that costs as little as possible.

The unknowns are the torques of 120 steps. The simulation is a loop, the cost is a number, and its gradient goes back
through the simulation. A linear problem, whose answer Riccati's equation gives, checks the method.
"""

import math

import gradus
import numpy as np
from scipy.linalg import solve_discrete_are
from scipy.optimize import minimize

STEP = 0.05
DRAG = 0.1


def swing(angle, speed, torque):
    """A step of a pendulum; the angle is 0 where it hangs."""
    speed = speed + STEP * (torque - math.sin(angle) - DRAG * speed)
    return angle + STEP * speed, speed


def cost(torques):
    """Of the torques, and of where the pendulum is at the end."""
    angle, speed, effort = 0.0, 0.0, 0.0
    for torque in torques:
        angle, speed = swing(angle, speed, torque)
        effort += STEP * torque * torque
    return effort + 100.0 * ((angle - math.pi) ** 2 + speed**2)


def simulate(torques):
    angle, speed = 0.0, 0.0
    for torque in torques:
        angle, speed = swing(angle, speed, torque)
    return angle, speed


A, B = np.array([[1.0, STEP], [0.0, 1.0]]), np.array([0.0, STEP])


def quadratic(torques, state):
    """Cost of a cart that is to come to rest at zero."""
    total = 0.0
    for torque in torques:
        total += state @ state + torque * torque
        state = A @ state + B * torque
    return total


def main():
    # The first torque of a long plan is that of the linear regulator.
    start = np.array([1.0, 0.0])
    gradient = gradus.value_and_grad(quadratic)
    exact = {"maxiter": 5000, "ftol": 1e-15, "gtol": 1e-9}
    plan = minimize(gradient, np.zeros(400), args=(start,), jac=True, method="L-BFGS-B", options=exact)
    p = solve_discrete_are(A, B[:, None], np.eye(2), np.eye(1))
    regulator = -(B @ p @ A) / (1.0 + B @ p @ B) @ start
    print(f"first torque of the cart {plan.x[0]:.5f}, of the regulator {regulator:.5f}")
    assert math.isclose(plan.x[0], regulator, rel_tol=1e-3)
    assert math.isclose(plan.fun, start @ p @ start, rel_tol=1e-4)

    torques = np.full(120, 0.1)
    plan = minimize(gradus.value_and_grad(cost), torques, jac=True, method="L-BFGS-B", options={"maxiter": 1000})
    angle, speed = simulate(plan.x)
    print(f"the pendulum ends at {math.degrees(angle):.1f}° with speed {speed:.3f}")
    print(f"the largest torque is {np.abs(plan.x).max():.2f}, cost {plan.fun:.3f} after {plan.nfev} gradients")
    assert abs(angle - math.pi) < 0.05 and abs(speed) < 0.05
    # It is a minimum: no direction goes down, to first and to second order.
    assert np.abs(gradus.grad(cost)(plan.x)).max() < 1e-2
    assert np.linalg.eigvalsh(gradus.hessian(cost)(plan.x)).min() > 0.0


if __name__ == "__main__":
    main()

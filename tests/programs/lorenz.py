# entry: f
# args: {"t": "tuple", "v": [1.0, 1.0, 1.0]}, 10.0, 28.0, 2.6666666666666665
# note: Euler steps with a tuple as the state


def step(state, sigma, rho, beta, dt):
    x, y, z = state
    return x + dt * sigma * (y - x), y + dt * (x * (rho - z) - y), z + dt * (x * y - beta * z)


def f(state, sigma, rho, beta):
    for _ in range(100):
        state = step(state, sigma, rho, beta, 0.01)
    return state[0]

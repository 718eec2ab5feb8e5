# Lorenz's equations by the classical Runge-Kutta method: the sum of the end state.


def rates(x, y, z, sigma, rho, beta):
    return sigma * (y - x), x * (rho - z) - y, x * y - beta * z


def lorenz(x, y, z, sigma, rho, beta, steps):
    h = 1e-3
    for i in range(steps):
        a1, b1, c1 = rates(x, y, z, sigma, rho, beta)
        a2, b2, c2 = rates(x + 0.5 * h * a1, y + 0.5 * h * b1, z + 0.5 * h * c1, sigma, rho, beta)
        a3, b3, c3 = rates(x + 0.5 * h * a2, y + 0.5 * h * b2, z + 0.5 * h * c2, sigma, rho, beta)
        a4, b4, c4 = rates(x + h * a3, y + h * b3, z + h * c3, sigma, rho, beta)
        x = x + h / 6 * (a1 + 2.0 * a2 + 2.0 * a3 + a4)
        y = y + h / 6 * (b1 + 2.0 * b2 + 2.0 * b3 + b4)
        z = z + h / 6 * (c1 + 2.0 * c2 + 2.0 * c3 + c4)
    return x + y + z

def f(x, n):
    u = x.copy()
    for step in range(n):
        for i in range(1, len(u) - 1):
            u[i] = u[i] + 0.2 * (u[i - 1] - 2.0 * u[i] + u[i + 1])
    s = 0.0
    for i in range(len(u)):
        s += u[i] * u[i]
    return s

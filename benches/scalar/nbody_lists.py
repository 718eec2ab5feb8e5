import math


def f(x, n):
    bodies = len(x) // 6
    p = [[x[3 * i], x[3 * i + 1], x[3 * i + 2]] for i in range(bodies)]
    v = [[x[3 * (bodies + i)], x[3 * (bodies + i) + 1], x[3 * (bodies + i) + 2]] for i in range(bodies)]
    dt = 0.01
    for step in range(n):
        for i in range(bodies):
            for j in range(i + 1, bodies):
                dx = p[i][0] - p[j][0]
                dy = p[i][1] - p[j][1]
                dz = p[i][2] - p[j][2]
                r2 = dx * dx + dy * dy + dz * dz + 0.01
                w = dt / (r2 * math.sqrt(r2))
                v[i][0] -= dx * w
                v[i][1] -= dy * w
                v[i][2] -= dz * w
                v[j][0] += dx * w
                v[j][1] += dy * w
                v[j][2] += dz * w
        for i in range(bodies):
            for k in range(3):
                p[i][k] += dt * v[i][k]
    s = 0.0
    for i in range(bodies):
        for k in range(3):
            s += p[i][k] * p[i][k]
    return s

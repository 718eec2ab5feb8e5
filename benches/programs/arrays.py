# Workloads on arrays, as other tools are timed at them. `u01` of the benchmarks makes their inputs.
import numpy as np
from gradus import grad, hessian, jacrev, jvp
from scipy.special import erf, expit, logsumexp


def sincos(x):
    return np.sum(np.sin(np.cos(x)))


def lse(x):
    m = np.max(x)
    return m + np.log(np.sum(np.exp(x - m)))


def logreg(w, x, y):
    return np.mean(np.logaddexp(0.0, -y * (x @ w[:100] + w[100])))


def mlp(p, x, y):
    w1, b1 = p[:25088].reshape(784, 32), p[25088:25120]
    w2, b2 = p[25120:25440].reshape(32, 10), p[25440:]
    z = np.maximum(x @ w1 + b1, 0.0) @ w2 + b2
    n = len(y)
    return np.mean(logsumexp(z, axis=1) - z[np.arange(n), y])


def blackscholes(x):
    s, k, r, v, t = x.reshape(5, -1)
    deviation = v * np.sqrt(t)
    d1 = (np.log(s / k) + (r + 0.5 * v * v) * t) / deviation
    d2 = d1 - deviation
    cdf1 = 0.5 * (1.0 + erf(d1 * 0.7071067811865476))
    cdf2 = 0.5 * (1.0 + erf(d2 * 0.7071067811865476))
    return np.sum(s * cdf1 - k * np.exp(-r * t) * cdf2)


def lstm50(x, inputs):
    wx, wh, b = x[:4096].reshape(32, 128), x[4096:8192].reshape(32, 128), x[8192:]
    h, c = np.zeros(32), np.zeros(32)
    for s in inputs:
        a = s @ wx + h @ wh + b
        c = expit(a[:32]) * c + expit(a[32:64]) * np.tanh(a[96:])
        h = expit(a[64:96]) * np.tanh(c)
    return 0.5 * np.sum(h * h)


def gmm(x, data):
    d, k, n = 10, 25, 1000
    alpha, mu = x[:k], x[k : k + k * d].reshape(k, d)
    q, l = x[k + k * d : k + 2 * k * d].reshape(k, d), x[k + 2 * k * d :].reshape(k, -1)
    eq = np.exp(q)
    # The factors: exp(q) on the diagonal, and l below it, column by column.
    row, column = np.arange(d)[:, None], np.arange(d)
    place = column * (2 * d - column - 1) // 2 + row - column - 1
    place = np.where(row > column, place, np.where(row == column, 45 + row, 55))
    parts = np.concatenate([l, eq, np.zeros((k, 1))], axis=1)
    factors = parts[:, place]
    # The points lie along the last axis, which is the long one.
    centred = data.T.copy() - mu[:, :, None]
    scaled = factors @ centred
    beta = alpha[:, None] + np.sum(q, axis=1)[:, None] - 0.5 * np.sum(scaled * scaled, axis=1)
    mixture = np.sum(logsumexp(beta, axis=0)) - n * logsumexp(alpha)
    return mixture - 0.5 * np.sum(eq * eq) - 0.5 * np.sum(l * l)


def lstm_adbench(x, state, sequence):
    w, rest = x[:224].reshape(2, 8, 14), x[224:].reshape(3, 14)
    h0, c0, h1, c1 = state[0, 0], state[0, 1], state[1, 0], state[1, 1]
    total = 0.0
    for i in range(len(sequence) - 1):
        e = sequence[i] * rest[0]
        c0 = c0 * expit(e * w[0, 0] + w[0, 4]) + expit(h0 * w[0, 1] + w[0, 5]) * np.tanh(h0 * w[0, 3] + w[0, 7])
        h0 = expit(e * w[0, 2] + w[0, 6]) * np.tanh(c0)
        c1 = c1 * expit(h0 * w[1, 0] + w[1, 4]) + expit(h1 * w[1, 1] + w[1, 5]) * np.tanh(h1 * w[1, 3] + w[1, 7])
        h1 = expit(h0 * w[1, 2] + w[1, 6]) * np.tanh(c1)
        y = h1 * rest[1] + rest[2]
        total += np.sum(sequence[i + 1] * (y - np.log(2.0 + np.sum(np.exp(y)))))
    return -total / (1023 * 14)


def slope(x, u, v):
    k = u * u * v
    du = x[0] + k - (x[1] + 1.0) * u + x[2] * (np.roll(u, 1) - 2.0 * u + np.roll(u, -1))
    dv = x[1] * u - k + x[2] * (np.roll(v, 1) - 2.0 * v + np.roll(v, -1))
    return du, dv


def brusselator(x):
    u, v = x[3:35], x[35:67]
    h = 2e-3
    for i in range(1000):
        a1, b1 = slope(x, u, v)
        a2, b2 = slope(x, u + h / 2 * a1, v + h / 2 * b1)
        a3, b3 = slope(x, u + h / 2 * a2, v + h / 2 * b2)
        a4, b4 = slope(x, u + h * a3, v + h * b3)
        u = u + h / 6 * (a1 + 2 * a2 + 2 * a3 + a4)
        v = v + h / 6 * (b1 + 2 * b2 + 2 * b3 + b4)
    return np.sum(u**2) + np.sum(v**2)


def rosen(x):
    return np.sum(100.0 * (x[1:] - x[:-1] ** 2) ** 2 + (1.0 - x[:-1]) ** 2)


def rosen_hvp(x, v):
    return jvp(grad(rosen), (x,), (v,))[1]


def rosen_hess(x):
    return hessian(rosen)(x)


# How far the images of points in cameras are from where they were seen. A row of `p` is the camera, the point and the weight.
def ba(p, seen):
    axis, o = p[:, :3], p[:, 11:14] - p[:, 3:6]
    square = np.sum(axis * axis, axis=1)
    angle = np.sqrt(square)
    cosine, sine = np.cos(angle)[:, None], (np.sin(angle) / angle)[:, None]
    along = (np.sum(axis * o, axis=1) * (1.0 - np.cos(angle)) / square)[:, None]
    moved = o * cosine + np.cross(axis, o) * sine + axis * along
    image = moved[:, :2] / moved[:, 2:]
    r = np.sum(image * image, axis=1)
    distortion = 1.0 + p[:, 9] * r + p[:, 10] * r * r
    return p[:, 14:] * (image * (distortion * p[:, 6])[:, None] + p[:, 7:9] - seen)


# Of each error the derivatives in the numbers of its observation. All others are zero, and so is that in the other coordinate of the
# principal point, which is no entry: 14 are left.
def ba_jacobian(p, seen):
    entries, columns, _ = jacrev(ba, sparse=True)(p, seen)
    blocks = np.zeros(30 * len(p))
    blocks[15 * (np.arange(len(entries)) // 14) + columns % 15] = entries
    return blocks

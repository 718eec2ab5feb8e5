"""Inputs and answers for the functions of GradBench: writes tests/gradbench/answers.json.

    python tests/oracle/gradbench.py

Derivatives are closed forms where there are some, and complex steps elsewhere (Squire & Trapp 1998): the imaginary part of
f(x + ih), divided by h, loses no digits, however small h. The formulas are other ones than those of the programs where there is a
choice.
"""

import json
import math
import pathlib

import mpmath
import numpy as np

STEP = 1e-40
CASES = []


def case(module, function, inputs, output):
    def plain(v):
        if isinstance(v, dict):
            return {name: plain(item) for name, item in v.items()}
        if isinstance(v, (list, tuple)):
            return [plain(item) for item in v]
        return v.tolist() if isinstance(v, (np.ndarray, np.generic)) else v

    CASES.append({"module": module, "function": function, "input": plain(inputs), "output": plain(output)})


def complex_step(f, x):
    """The derivatives of f, an array of any shape, with respect to the elements of x, which are the last axes."""
    columns = []
    for i in range(x.size):
        moved = x.astype(complex).ravel()
        moved[i] += 1j * STEP
        columns.append(np.imag(f(moved.reshape(x.shape))) / STEP)
    columns = np.stack(columns, axis=-1)
    return columns.reshape(columns.shape[:-1] + x.shape)


def hello():
    for x in (1.0, -2.5, 16384.0):
        case("hello", "square", {"x": x}, x**2)
        case("hello", "double", {"x": x}, 2 * x)


def llsq(rng):
    for n, m in ((9, 4), (16, 24)):
        x = rng.random(m)
        t = [mpmath.mpf(-1) + mpmath.mpf(2 * i) / (n - 1) for i in range(n)]
        residual = [mpmath.sign(v) - mpmath.fsum(c * v**j for j, c in enumerate(x)) for v in t]
        gradient = [-mpmath.fsum(residual[i] * t[i] ** j for i in range(n)) for j in range(m)]
        case("llsq", "primal", {"x": x, "n": n}, float(mpmath.fsum(r * r for r in residual) / 2))
        case("llsq", "gradient", {"x": x, "n": n}, [float(g) for g in gradient])


def lse(rng):
    for n, low, high in ((1, 0, 1), (40, 0, 1), (25, -1000, 1000)):
        x = rng.uniform(low, high, n)
        each = [mpmath.exp(v) for v in x]
        total = mpmath.fsum(each)
        case("lse", "primal", {"x": x}, float(mpmath.log(total)))
        case("lse", "gradient", {"x": x}, [float(e / total) for e in each])


def ode(rng):
    def solve(x, s):
        def slope(y):
            return np.array([x[0]] + [x[i] * y[i - 1] for i in range(1, len(x))])

        h, y = 2 / s, np.zeros_like(x)
        for _ in range(s):
            k1 = slope(y)
            k2 = slope(y + h * k1 / 2)
            k3 = slope(y + h * k2 / 2)
            k4 = slope(y + h * k3)
            y = y + h * (k1 + 2 * k2 + 2 * k3 + k4) / 6
        return y

    for n, s in ((2, 1), (5, 3), (12, 30)):
        x = rng.random(n)
        case("ode", "primal", {"x": x, "s": s}, solve(x, s))
        case("ode", "gradient", {"x": x, "s": s}, complex_step(lambda x: solve(x, s)[-1], x))


def det(rng):
    for n in (1, 2, 3, 6):
        a = rng.random((n, n))
        exact = mpmath.matrix(a.tolist())
        value = mpmath.det(exact)
        cofactors = value * mpmath.inverse(exact).T
        inputs = {"A": a.ravel(), "ell": n}
        case("det", "primal", inputs, float(value))
        case("det", "gradient", inputs, [float(cofactors[i, j]) for i in range(n) for j in range(n)])


def gmm(rng):
    def objective(alpha, mu, q, l, x, gamma, m):
        k, d = mu.shape
        total = k * wishart_normaliser(d, gamma, m)
        weights = np.exp(alpha) / np.sum(np.exp(alpha))
        densities = 0
        for c in range(k):
            lower = np.diag(np.exp(q[c]) + 0j)
            below = iter(l[c])
            for column in range(d):
                for row in range(column + 1, d):
                    lower[row, column] = next(below)
            precision = lower.T @ lower
            difference = x - mu[c]
            square = np.einsum("ni,ij,nj->n", difference, precision, difference)
            densities = densities + weights[c] * np.exp(np.sum(q[c]) - square / 2) / (2 * math.pi) ** (d / 2)
            total = total + m * np.sum(q[c]) - gamma**2 / 2 * np.trace(precision)
        return total + np.sum(np.log(densities))

    def wishart_normaliser(d, gamma, m):
        n = d + m + 1
        log_gamma = d * (d - 1) / 4 * math.log(math.pi) + sum(math.lgamma((n - j) / 2) for j in range(d))
        return n * d * math.log(gamma / math.sqrt(2)) - log_gamma

    for d, k, n, gamma, m in ((2, 3, 10, 1.0, 0), (4, 2, 7, 0.7, 2)):
        parameters = {
            "alpha": rng.normal(size=k),
            "mu": rng.uniform(size=(k, d)),
            "q": rng.normal(size=(k, d)),
            "l": rng.normal(size=(k, d * (d - 1) // 2)),
        }
        fixed = {"x": rng.normal(size=(n, d)), "gamma": gamma, "m": m}
        inputs = {"d": d, "k": k, "n": n, **parameters, **fixed}
        gradients = {
            name: complex_step(lambda v: objective(**{**parameters, name: v}, **fixed), value)
            for name, value in parameters.items()
        }
        case("gmm", "objective", inputs, np.real(objective(**parameters, **fixed)))
        case("gmm", "jacobian", inputs, gradients)


def kmeans(rng):
    for n, k, d in ((30, 4, 3), (12, 12, 2), (40, 1, 8)):
        points = rng.random((n, d))
        centroids = points[-k:] + (0.01 if k < n else 0.0)
        nearest = np.argmin([[np.sum((p - c) ** 2) for c in centroids] for p in points], axis=1)
        inputs = {"points": points, "centroids": centroids}
        case("kmeans", "cost", inputs, math.fsum(np.sum((points - centroids[nearest]) ** 2, axis=1)))
        # The gradient is 2 Σ (c - p), the Hessian 2 for each point.
        case("kmeans", "dir", inputs, [c - np.mean(points[nearest == j], axis=0) for j, c in enumerate(centroids)])


def lstm(rng):
    def objective(main, extra, state, sequence):
        layers, b = len(main) // 2, sequence.shape[1]
        hidden, cell = list(state[::2]), list(state[1::2])
        losses = []
        for now, after in zip(sequence[:-1], sequence[1:]):
            x = now * extra[0]
            for i in range(layers):
                weight, bias = main[2 * i].reshape(4, b), main[2 * i + 1].reshape(4, b)
                forget, into, out = (
                    1 / (1 + np.exp(-(v * weight[g] + bias[g]))) for g, v in ((0, x), (1, hidden[i]), (2, x))
                )
                change = np.tanh(hidden[i] * weight[3] + bias[3])
                cell[i] = cell[i] * forget + into * change
                hidden[i] = out * np.tanh(cell[i])
                x = hidden[i]
            y = x * extra[1] + extra[2]
            losses.append(after * (y - np.log(2 + np.sum(np.exp(y)))))
        return -np.mean(losses)

    for layers, count, b in ((1, 2, 1), (2, 6, 3)):
        main, extra = rng.random((2 * layers, 4 * b)), rng.random((3, b))
        state, sequence = rng.random((2 * layers, b)), rng.integers(0, 2, (count, b)).astype(float)
        inputs = {"main_params": main, "extra_params": extra, "state": state, "sequence": sequence}
        dmain = complex_step(lambda v: objective(v, extra, state, sequence), main)
        dextra = complex_step(lambda v: objective(main, v, state, sequence), extra)
        case("lstm", "objective", inputs, objective(main, extra, state, sequence))
        case("lstm", "jacobian", inputs, np.concatenate([dmain.ravel(), dextra.ravel()]))


def skew(v):
    x, y, z = v
    return np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])


def rotation(v):
    """The rotation about an axis by its length, by the exponential series of its cross product matrix."""
    term = total = np.eye(3)
    for i in range(1, 60):
        term = term @ skew(v) / i
        total = total + term
    return total


def ba():
    cam = np.array([0.3, -0.2, 0.9, 0.1, 0.2, -0.3, 400.0, 1.0, 2.0, -1e-3, 1e-5])
    still = np.concatenate([np.zeros(3), cam[3:]])
    for n, m, p, cam in ((3, 5, 17, cam), (4, 2, 10, still)):
        x, w, feat = np.array([0.5, -0.7, 5.0]), 0.8, np.array([10.0, -20.0])

        def error(v):
            camera, point, weight = v[:11], v[11:14], v[14]
            seen = rotation(camera[:3]) @ (point - camera[3:6])
            seen = seen[:2] / seen[2]
            square = seen @ seen
            distorted = seen * (1 + camera[9] * square + camera[10] * square**2)
            return weight * (distorted * camera[6] + camera[7:9] - feat)

        parameters = np.concatenate([cam, x, [w]])
        block = complex_step(error, parameters)
        rows, cols, vals = [0], [], []
        for i in range(p):
            for row in block:
                own = [11 * (i % n) + c for c in range(11)] + [11 * n + 3 * (i % m) + c for c in range(3)]
                cols += own + [11 * n + 3 * m + i]
                vals += row.tolist()
                rows.append(len(cols))
        for i in range(p):
            cols.append(11 * n + 3 * m + i)
            vals.append(-2 * w)
            rows.append(len(cols))
        inputs = {"n": n, "m": m, "p": p, "cam": cam, "x": x, "w": w, "feat": feat}
        reprojection = {"elements": error(parameters), "repeated": p}
        case("ba", "objective", inputs, {"reproj_error": reprojection, "w_err": {"element": 1 - w * w, "repeated": p}})
        ends = {name: v[:30] + v[-1:] for name, v in (("rows", rows), ("cols", cols), ("vals", vals))}
        case("ba", "jacobian", inputs, ends)


def ht(rng):
    def turn(i, j, angle):
        r = np.eye(4, dtype=np.asarray(angle).dtype)
        r[i, i] = r[j, j] = np.cos(angle)
        r[i, j], r[j, i] = -np.sin(angle), np.sin(angle)
        return r

    def mesh(theta, model):
        pose = {}
        rest = iter(theta[6:])
        for finger in range(5):
            for joint in range(3):
                bend = next(rest)
                pose[2 + 4 * finger + joint] = (bend, next(rest) if joint == 0 else 0.0)
        absolute, total = [], 0
        for i, parent in enumerate(model["parents"]):
            bend, spread = pose.get(i, (0.0, 0.0))
            relative = model["base_relatives"][i] @ turn(0, 1, spread) @ turn(1, 2, bend)
            absolute.append(relative if parent == -1 else absolute[parent] @ relative)
            moved = np.einsum("ij,jk,vk->vi", absolute[i], model["inverse_base_absolutes"][i], model["base_positions"])
            total = total + model["weights"][:, i, None] * moved[:, :3]
        if model["is_mirrored"]:
            total = total * [-1, 1, 1]
        return np.einsum("ij,vj->vi", rotation(theta[:3]), total) + theta[3:6]

    def objective(theta, us, data):
        position, found = mesh(theta, data["model"]), []
        for i, correspondence in enumerate(data["correspondences"]):
            if len(us):
                a, b, c = position[data["model"]["triangles"][correspondence]]
                found.append(us[i, 0] * a + us[i, 1] * b + (1 - us[i, 0] - us[i, 1]) * c)
            else:
                found.append(position[correspondence])
        return (data["points"] - np.array(found)).ravel()

    bones, vertices, triangles, points = 22, 9, 6, 5
    for is_mirrored, with_us in ((False, False), (True, False), (False, True)):
        relatives = [turn(0, 1, a) @ turn(1, 2, b) for a, b in rng.normal(size=(bones, 2))]
        for relative in relatives:
            relative[:3, 3] = rng.normal(size=3)
        model = {
            "bone_count": bones,
            "bone_names": [f"bone{i}" for i in range(bones)],
            "parents": [-1] + [0 if i % 4 == 1 else i - 1 for i in range(1, bones)],
            "base_relatives": np.array(relatives),
            "inverse_base_absolutes": rng.normal(size=(bones, 4, 4)),
            "base_positions": np.hstack([rng.normal(size=(vertices, 3)), np.ones((vertices, 1))]),
            "weights": rng.random((vertices, bones)),
            "triangles": np.array([rng.permutation(vertices)[:3] for _ in range(triangles)]),
            "is_mirrored": is_mirrored,
        }
        data = {
            "model": model,
            "correspondences": rng.integers(0, triangles if with_us else vertices, points),
            "points": rng.normal(size=(points, 3)),
        }
        theta, us = rng.normal(size=26), rng.random((points, 2)) if with_us else np.zeros((0, 2))
        columns = complex_step(lambda theta: objective(theta, us, data), theta)
        if with_us:
            own = complex_step(lambda us: objective(theta, us, data), us)
            own = [own[r, r // 3] for r in range(3 * points)]
            columns = np.concatenate([own, columns], axis=1)
        inputs = {"theta": theta, "data": data, "us": us}
        case("ht", "objective", inputs, objective(theta, us, data))
        case("ht", "jacobian", inputs, columns)


def argmin(f, slope, x):
    value, derivative, rate, successes = f(x), slope(x), 1e-5, 0
    while np.linalg.norm(derivative) > 1e-5:
        if successes == 10:
            rate, successes = 2 * rate, 0
            continue
        new = x - rate * derivative
        if np.linalg.norm(new - x) <= 1e-5:
            break
        if f(new) < value:
            x, value, derivative, successes = new, f(new), slope(new), successes + 1
        else:
            rate, successes = rate / 2, 0
    return x


def particle():
    def miss(w):
        position, velocity = np.array([0, 8]) + 0 * w, np.array([0.75, 0]) + 0 * w
        while (position + 0.1 * velocity)[1].real > 0:
            force = 0
            for charge in (np.array([10, 10 - w[0]]), np.array([10, 0])):
                away = position - charge
                force = force + away / np.sqrt(away @ away) ** 3
            position, velocity = position + 0.1 * velocity, velocity + 0.1 * force
        return (position - position[1] / velocity[1] * velocity)[0] ** 2

    for w in (0.0, 0.5):
        best = argmin(miss, lambda w: complex_step(miss, w), np.array([w]))
        for function in ("rr", "rf", "fr", "ff"):
            case("particle", function, {"w": w}, best[0])


def saddle():
    for start in ([1.0, 1.0], [0.5, -0.25]):
        start = np.array(start)
        # The best y does not depend on x, so the slope in x is that of x·x.
        y = argmin(lambda y: y @ y, lambda y: 2 * y, start)
        x = argmin(lambda x: x @ x - y @ y, lambda x: 2 * x, start)
        for function in ("rr", "rf", "fr", "ff"):
            case("saddle", function, {"start": start}, np.concatenate([x, y]))


def main():
    mpmath.mp.dps = 50
    rng = np.random.default_rng(7)
    hello()
    for module in (llsq, lse, ode, det, gmm, kmeans, lstm):
        module(rng)
    ba()
    ht(rng)
    particle()
    saddle()
    path = pathlib.Path(__file__).parent.parent / "gradbench" / "answers.json"
    path.parent.mkdir(exist_ok=True)
    path.write_text("[\n" + ",\n".join(json.dumps(c) for c in CASES) + "\n]\n")


if __name__ == "__main__":
    main()

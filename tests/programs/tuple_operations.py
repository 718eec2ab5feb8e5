# entry: f
# args: {"t": "tuple", "v": [1.0, 2.0, 3.0]}, {"t": "tuple", "v": [4.0, 5.0]}


def f(t, u):
    v = t + u
    w = v[1:4]
    return v[0] * v[-1] + len(v) * w[1] + sum(w) * v[-2] + max(t) * min(u) + len(w)

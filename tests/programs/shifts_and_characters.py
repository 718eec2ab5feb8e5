# entry: f
# args: 0.7, 9
# args: 1.5, 4
# note: shifts of ints, and the characters of a string
import numpy as np


def f(x: float, n: int) -> float:
    k = (n << 3) + (n >> 1) - (-n >> 2) + (True << 2) + ((1 << 62) >> 61) + (-7 >> 70) + (7 >> 80)
    s = 0.0
    for c in "abcab":
        s += x if c == "a" else 2.0
    m = dict(zip("ab", (x, 3.0)))
    v = [c for c in "xy"]
    z = 88172645463325252
    for _ in range(5):
        z -= z >> 12
        z += (z % 65535) << 25
        z -= z >> 27
        s += x * ((z >> 11) % 1000) / 1000
    a = np.array([1, 2, 3]) << 2
    a >>= 1
    return s * k + m["b"] + (1.0 if v[1] == "y" else 0.0) + x * np.sum(a)

# entry: f
# args: 1.3
# note: `copy` and `deepcopy` of arrays, lists and dicts, which may be written to
import copy

import numpy as np


def f(x):
    a = np.array([x, 2.0 * x])
    b = copy.copy(a)
    b[0] = 5.0
    c = copy.deepcopy(a)
    c[1] = 3.0
    l = [x, [x, 2.0]]
    m = copy.deepcopy(l)
    m[1][0] = 7.0
    s = copy.copy(l)
    s[0] = 11.0
    d = copy.copy({"a": x})
    d["a"] = 2.0
    return a[0] * b[0] + b[1] * c[0] + c[1] * l[1][0] * m[1][0] + d["a"] * s[0] * l[0] + copy.copy(x)

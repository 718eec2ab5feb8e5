# entry: f
# args: 1.5
# note: arrays as NumPy writes them: `tests/command/printed_arrays.txt` has the lines, which CPython printed
import numpy as np


def f(x):
    a = np.array([x, -2.0, 10.25])
    print(a, a * 1e-6, a * 1e9, np.array([1e-5, x]), np.zeros(2), np.array([x]) / 3.0)
    print(np.arange(4), np.array([-5, 10, 300]), a > 0.0, np.array([np.nan, x, -np.inf]), np.zeros(0))
    print(np.array([[1.0, x], [0.5, -3.25]]), np.array([[[1, 2], [3, 4]], [[5, 6], [7, 8]]]))
    print((a, 1), [np.array([[1.0, 2.0], [x, 4.0]])], {"w": a > 2.0}, np.zeros(0), [np.zeros(0)])
    print(np.sin(np.arange(20.0) * x), np.arange(1200.0), [np.linspace(0.0, x, 1100)])
    print(a.astype(np.float32) / 3.0, [a.astype(np.float32)], f"<{a}> {x * 1e-7} {-1e20 * x}")
    return np.sum(a)

# entry: f
# args: [0.5, 1.25, -0.75], [[1, 2, 3], [3, 2, 1]], 0.3
# precision: single
# note: arrays of 32 bits beside ones of 64, integers, booleans and floats; conversions there and back
import numpy as np


def f(x, i, s):
    wide = x.astype(np.float64)
    mixed = i * x + np.exp(s * x)
    ones = np.ones(3, dtype=np.float32) * s
    narrow = (wide * wide * s).astype(np.float32)
    chosen = np.where(x > 0.0, narrow, ones * 2.0)
    return np.sum(mixed) * s + np.sum(chosen * ones) + narrow[1] * wide[2] + np.sum((x > 0.0) * x)

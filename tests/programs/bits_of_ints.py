# entry: f
# args: 0.7, 13
# args: -1.5, 6
# order: 2
# wrt: 0
# note: the bits of ints: &, |, ^ and ~, of bools with them, and of arrays
import numpy as np


def xorshift(z):
    z ^= (z << 13) & 0x7FFFFFFFFF
    z ^= z >> 7
    z ^= (z << 17) & 0x7FFFFFFFFF
    return z & 0xFFFFFFFF


def count(n):
    ones = 0
    while n:
        n &= n - 1
        ones += 1
    return ones


def gray(x, i):
    code = i ^ (i >> 1)
    y = 1.0
    for k in range(5):
        if (code >> k) & 1:
            y *= x + k
    return y


def f(x: float, n: int) -> float:
    total = 0.0
    z = 88172645 + n
    for _ in range(4):
        z = xorshift(z)
        total += x * x * (z % 1000) / 1000
    total += gray(x, n) * count(n) + x**3 * (n | 8) - x * ~n
    total += (True & n) + (False | n) + (True ^ True) + (-n & 0xFF) + (-n ^ n)
    a = np.array([1, 2, 3, -4])
    total += x * x * np.sum((a & n) + (a | 4) ^ a)
    a |= 1
    b = a > 2
    total += x * np.sum(~a) + x**2 * np.sum(a[:] & (a > 0)) + np.sum(~b) + np.sum(b ^ (a == 3))
    return total

"""Programs whose cost differs between strategies for other reasons than the strategy."""
import math
import numpy as np
from gradus import checkpoint_loop


# compare two 1.0001 1000 --wrt 0: 16 B a record by closures, 8 B by stacks
def two(x, n):
    r = x
    for i in range(n):
        r = r * x
    for i in range(n):
        r = r * x
    return r


def layer(x, n):
    for i in range(n):
        x = np.sin(x)
    return x


# compare shapes 1.1 100: 2.53 MB by closures, 1.30 MB by tags, 1.28 MB by stacks
def shapes(s, n):
    return np.sum(layer(layer(np.ones(1000) * s, n)[:500], n))


# compare power 1.001 100 --wrt 0 --order 2, then --strategy closure,stack and stack,closure
def power(x, n):
    r = 1.0
    for i in range(n):
        r = r * x
    return r


# compare captured 0.6 1000 4 --strategy stack: 1999 boxes, 32 kB; in_state: 0 B
def captured(x, n, slots):
    return checkpoint_loop(lambda i, s: math.sin(s) + 0.3 * x, n, x, slots)


def in_state(x, n, slots):
    return checkpoint_loop(lambda i, s: (math.sin(s[0]) + 0.3 * s[1], s[1]), n, (x, x), slots)[0]


# compare recursive 0.9 1000 --recompute 0, 8, 40: 40 B a frame by every strategy
def recursive(x, n):
    return 1.0 if n == 0 else math.sin(x * recursive(x, n - 1))


# grad arrays 1.0 8 --strategy stack --explain: y, -y, y + x and the exp, each an array a step
def arrays(s, n):
    x = np.linspace(0.0, 1.0, 1000) * s
    y = np.sin(x)
    for k in range(n):
        y = np.exp(-y * y) + np.sin(y + x)
    return np.sum(y)


# gradient / value 4.6 to 7.1 (`for`, `while`, `for v in x`), n = 1000; Enzyme's published ratio is 1.05
def total(x):
    y = 0.0
    for i in range(len(x)):
        y += x[i]
    return y


# compare einsum_dot 1.1 against plain_dot 1.1
def einsum_dot(x):
    y = np.linspace(0.0, 1.0, 64) * x
    return np.einsum('i,i->', y, y)


def plain_dot(x):
    y = np.linspace(0.0, 1.0, 64) * x
    return y @ y


# a mutable cell costs 11 times the value and 41 times the gradient of plain assignments, 10 kB of code
def cell(x):
    t = 0.0

    def add(v):
        nonlocal t
        t = t + v

    add(x)
    add(x * x)
    return t

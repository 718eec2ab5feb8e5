# entry: f
# args: 1.5
# note: what is printed, and in which order: `tests/command/printed.rs` has the lines
from functools import reduce


def square(x):
    print("square", x)
    return x * x


def f(x):
    z = complex(x, -2.0)
    print(z, complex(0.0, x), (z, "it's", "q"), f"{z:.2f} {x:{8}.{3}f}|{'q'!r}|{x!r}")
    print({"a": x, "b": ("s", 1)})
    print("%.3f|%d|%s|%5d|%-5d|%05d|%+.2e|%g|%%|%8.2f|%r|%6s|{}" % (x, 2.7 * x, "a", 7, 7, 7, x, x, x, "b", "c"))
    a = list(map(square, (x, 2.0 * x)))
    b = [square(t) for t in a]
    c = sorted(b, key=lambda t: -square(t))
    d = reduce(lambda p, q: square(p) + q, a)
    print("done")
    return c[0] + d

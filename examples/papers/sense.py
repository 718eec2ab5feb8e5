# Programs for the claims of "Sense & Sensitivities: The Path to General-Purpose Algorithmic Differentiation" (Innes 2019, 2020): derivatives
# of the features of a language. The rows of docs/papers.md run them.

from dataclasses import dataclass
from math import cos, exp, sin

import numpy as np

from gradus import Box, checkpoint, checkpoint_loop, forwarddiff, grad, hook, jacfwd, jacrev, vjp

# Any numerical program can be optimised by its gradient: here one that searches, counts and gives up


# How long a number takes to come near to its root.
def patience(x, guess):
    steps = 0.0
    while abs(guess * guess - x) > 0.1:
        guess = (guess + x / guess) / 2
        steps += abs(guess * guess - x)
        if steps > 1000.0:
            break
    return steps


def descend(guess, n):
    for _ in range(n):
        guess -= 0.05 * grad(patience, 1)(2.0, guess)
    return round(guess, 3), round(patience(2.0, guess), 3)


# Control flow: a loop in a loop, with values of both that the way back needs


def nested_loops(x, n):
    total = x
    for i in range(n):
        y = total
        for j in range(i):
            y = sin(y) * x
        total += y
    return total


# A branch whose choice the way back repeats.
def branches(x, n):
    for i in range(n):
        x = sin(x) if i % 2 == 0 else x * x
    return x


# The value of a loop of closures: a list that is linked through what each captures.
def loop_of_closures(x, n):
    f = lambda y: y
    for _ in range(n):
        g = f
        f = lambda y, g=g: g(y * x)
    return f(1.0)


# Data structures


@dataclass(frozen=True)
class Pair:
    a: float
    b: float


def swapped(p):
    return Pair(p.b, p.a)


def of_pair(p):
    q = swapped(p)
    return q.a * q.a + q.b


def of_tuple(t):
    (x, y), z = t
    return x * y + z * z


# A closure is an object with a hidden argument: a class with `__call__` has the same gradient.
@dataclass(frozen=True)
class Scaled:
    factor: float

    def __call__(self, x):
        return self.factor * x


def closure_and_object(x):
    factor = 3.0
    by_closure = vjp(lambda f, x: f(x), lambda x: factor * x, x)[1](1.0)
    by_object = vjp(lambda f, x: f(x), Scaled(3.0), x)[1](1.0)
    return by_closure[0].factor, by_closure[1], by_object[0].factor, by_object[1]


# Mutable data


def boxed(x):
    box = Box(x)
    box.set(box.get() * box.get())
    return box.get()


# Two names of one box: what is set by one is read by the other.
def aliased(x):
    box = Box(1.0)
    other = box
    for _ in range(3):
        box.set(other.get() * x)
    return other.get()


# A box that a closure holds.
def accumulated(x):
    total = Box(0.0)

    def add(y):
        total.set(total.get() + y * y)

    for i in range(1, 4):
        add(i * x)
    return total.get()


def global_like_counter(x):
    calls = 0

    def f(y):
        nonlocal calls
        calls += 1
        return y * calls

    return f(x) + f(x) + f(x)


def array_in_place(x):
    y = np.zeros(4)
    y[0] = x
    for i in range(3):
        y[i + 1] = y[i] * y[i]
    y *= 2.0
    return np.sum(y)


def list_that_grows(x, n):
    xs = []
    for i in range(n):
        xs.append(x**i)
    xs[0] = x * xs[n - 1]
    return sum(xs)


# Derivatives in the program, and of them


def perturbations(x):
    return grad(lambda x: x * grad(lambda y: x + y)(1.0))(x)


def meta(rate, steps):
    w = 1.0
    for _ in range(steps):
        w -= rate * grad(lambda w: (w - 3.0) ** 2)(w)
    return (w - 3.0) ** 2


# Mixed mode, checkpoints, hooks


def many_steps(x):
    for _ in range(50):
        x = x + 0.1 * sin(x)
    return x


def kept(x):
    return many_steps(many_steps(x))


def recomputed(x):
    return checkpoint(many_steps)(checkpoint(many_steps)(x))


def in_slots(x):
    return checkpoint_loop(lambda i, x: x + 0.1 * sin(x), 100, x, 3)


def forwards(x):
    return forwarddiff(many_steps, x) * x


def both_jacobians(x):
    f = lambda x: np.array([x[0] * x[1], cos(x[0]), exp(x[1])])
    return np.max(np.abs(jacfwd(f)(x) - jacrev(f)(x))) < 1e-12


# A gradient that is cut off where it is too large, in the midst of a program.
def cut_off(x):
    return exp(hook(lambda g: min(g, 5.0), x * x))


# A failure is control flow: where there is none, there is a derivative.


def raised(x):
    if x < 0.0:
        raise ValueError("negative")
    return x**0.5

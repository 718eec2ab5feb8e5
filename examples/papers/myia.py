# Programs for the claims of "Automatic differentiation in ML: Where we are and where we should be going" (van Merriënboer et al. 2018) and
# of Myia's own documents. They are written for Myia: its names are imported as there. The rows of docs/papers.md run them.

from dataclasses import dataclass
from typing import Union

import numpy as np

from myia import grad, myia, value_and_grad
from myia.operations import J, array_map, scalar_add, scalar_mul, scalar_sin

# The figure of the paper: the gradient of x ** 3


def cube(x):
    return x**3


@myia
def cube_of(x):
    return cube(x)


def derivative(x):
    return grad(cube)(x)


# Calls, functions as values, recursion


def twice(f, x):
    return f(f(x))


def calls(x):
    return twice(cube, x) + twice(lambda y: y + x, x)


def power(x, n):
    if n == 0:
        return 1.0
    return x * power(x, n - 1)


def is_even(n):
    return True if n == 0 else is_odd(n - 1)


def is_odd(n):
    return False if n == 0 else is_even(n - 1)


def mutual(x, n):
    return x * x if is_even(n) else -x


# A closure that returns closures.
def curried(x, y):
    def outer(a):
        def inner(b):
            return a * b + x

        return inner

    return outer(x)(y)


# A closure is chosen by the run, and its free variables have gradients.
def chosen(x, y, c):
    f = (lambda z: z * x) if c else (lambda z: z + y)
    return f(x * y)


def count(x, n):
    r = x
    while n > 0:
        r = r * x
        n = n - 1
    return r


# Derivatives of derivatives


def second(x):
    return grad(grad(cube))(x)


# Second order through a branch, a recursion and a closure.
def second_through(x):
    def f(x):
        g = lambda y: y * x
        return power(x, 3) if x > 0.0 else g(x)

    return grad(grad(f))(x)


# J: the transformed function, and its backpropagator, whose first result is for the function itself.
def by_J(x):
    y, back = J(scalar_sin)(J(x))
    return y, back(1.0)[1]


def by_J_of_J(x):
    first = lambda x: J(cube)(J(x))[1](1.0)[1]
    return J(first)(J(x))[1](1.0)[1]


# Inference


def scaled(a, b):
    return a * b


# One function at three types.
def polymorphic(x):
    return scaled(2, 3) + scaled(x, x) + sum(scaled(np.array([x, 1.0]), 2.0))


def wrong_type(x):
    return x + (x, x)


def wrong_shape(x):
    return np.sum(np.ones((2, 3)) @ np.ones((2, 3))) * x


# The optimiser


def identities(x):
    a, b, c = (x * 1, x + 0, x)
    return (a, b, c)[1]


def partly(f, x):
    return lambda y, z: f(x, y, z)


def partial_call(x):
    return partly(lambda x, y, z: x * y + z, x)(2.0, 3.0)


# What Myia leaves out


def printed(x):
    print("x is", x)
    return x * x


def augmented(x):
    x += x
    x *= 2.0
    return x


def set_item(x):
    x = x.copy()
    x[0] = x[1] * x[1]
    return np.sum(x)


def broken_off(x, n):
    total = 0.0
    for i in range(n):
        if i == 2:
            continue
        if i == 5:
            break
        total += x * i
    return total


def generator(x):
    def parts():
        yield x
        yield x * x

    return sum(parts())


# Names of the interface


@myia
def by_argument_name(x, y):
    def f(x, y):
        return x * x * y

    return grad(f, "y")(x, y), value_and_grad(f)(x, y)


def arrays(x, y):
    return np.sum(array_map(scalar_mul, array_map(scalar_add, x, y), y))


# Trees, which are data of recursive types


@dataclass(frozen=True)
class Leaf:
    value: float


@dataclass(frozen=True)
class Node:
    left: Union["Node", Leaf]
    right: Union["Node", Leaf]


def sum_of_squares(tree):
    if isinstance(tree, Leaf):
        return tree.value * tree.value
    return sum_of_squares(tree.left) + sum_of_squares(tree.right)


def tree(x, depth):
    return Leaf(x * depth) if depth == 0 else Node(tree(x, depth - 1), Leaf(x * depth))


def of_tree(x, depth):
    return sum_of_squares(tree(x, depth))


# The models of Myia's examples: layers that are dataclasses, and a step of descent


@dataclass(frozen=True)
class Linear:
    W: np.ndarray
    b: np.ndarray

    def apply(self, x):
        return x @ self.W + self.b


@dataclass(frozen=True)
class Tanh:
    def apply(self, x):
        return np.tanh(x)


@dataclass(frozen=True)
class RNNLayer:
    W: np.ndarray
    R: np.ndarray
    b: np.ndarray
    h0: np.ndarray

    def step(self, x, h):
        return np.tanh(x @ self.W + h @ self.R + self.b)

    def apply(self, xs):
        h = self.h0
        for x in xs:
            h = self.step(x, h)
        return h


@dataclass(frozen=True)
class Sequential:
    layers: tuple

    def apply(self, x):
        for layer in self.layers:
            x = layer.apply(x)
        return x


def cost(model, x, target):
    diff = target - model.apply(x)
    return np.sum(diff * diff)


def filled(rows, columns):
    return 0.5 * np.sin(12.9898 * np.arange(rows * columns)).reshape(rows, columns)


def mlp():
    return Sequential((Linear(filled(2, 3), np.zeros(3)), Tanh(), Linear(filled(3, 1), np.zeros(1))))


def rnn():
    return Sequential((RNNLayer(filled(2, 3), filled(3, 3), np.zeros((1, 3)), np.zeros((1, 3))), Linear(filled(3, 1), np.zeros(1))))


@myia
def mlp_step(x):
    loss, by = value_and_grad(cost)(mlp(), np.array([[x, 1.0], [0.5, -1.0]]), np.ones((2, 1)))
    return loss, by.layers[2].b


@myia
def rnn_step(x):
    loss, by = value_and_grad(cost)(rnn(), [np.array([[x, 1.0]]), np.array([[0.5, -1.0]])], np.ones((1, 1)))
    return loss, by.layers[0].h0

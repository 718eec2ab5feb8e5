# A tree LSTM (Tai et al. 2015, "Improved semantic representations from tree-structured long short-term memory networks") learns whether
# formulas of `and`, `or` and `not` are true. A formula is a tree of instances of three classes, what the network makes of it is made by
# recursion over it, and the gradient, an instance of the network's class, comes back through that recursion. Gives the loss and how many
# of 40 formulas are told rightly, before and after 300 steps.
#
#   $ gradus run examples/tree_lstm.py train 300 40
#   ((0.5536053346066363, 25), (0.11951595059230921, 38))
#   $ gradus check examples/tree_lstm.py at [1.0,1.0,1.0,1.0] [-1.0,-1.0,-1.0,-1.0] 40

from dataclasses import dataclass
from typing import Union

import numpy as np
from gradus import grad
from scipy.special import expit

SIZE = 4


@dataclass(frozen=True)
class Literal:
    holds: bool


@dataclass(frozen=True)
class Not:
    of: "Formula"


@dataclass(frozen=True)
class Both:
    conjunction: bool
    left: "Formula"
    right: "Formula"


Formula = Union[Literal, Not, Both]


@dataclass(frozen=True)
class Cell:
    """Gates: input, output, update, and one that forgets for each child."""

    w: np.ndarray
    b: np.ndarray

    def __call__(self, children):
        """(h, c) of a node from those of its children."""
        a = self.w @ np.concatenate([h for h, _ in children]) + self.b
        gates = expit(a[SIZE:])
        c = gates[:SIZE] * np.tanh(a[:SIZE])
        for k, (_, child) in enumerate(children):
            c = c + gates[(k + 2) * SIZE : (k + 3) * SIZE] * child
        return gates[SIZE : 2 * SIZE] * np.tanh(c), c


@dataclass(frozen=True)
class Network:
    true: np.ndarray
    false: np.ndarray
    negation: Cell
    conjunction: Cell
    disjunction: Cell
    out: np.ndarray

    def read(self, formula):
        match formula:
            case Literal(holds):
                v = self.true if holds else self.false
                return np.tanh(v), v
            case Not(of):
                return self.negation([self.read(of)])
            case Both(conjunction, left, right):
                children = [self.read(left), self.read(right)]
                return self.conjunction(children) if conjunction else self.disjunction(children)

    def margin(self, formula):
        """Positive for what it takes for true."""
        return self.out @ self.read(formula)[0]


def truth(formula):
    match formula:
        case Literal(holds):
            return holds
        case Not(of):
            return not truth(of)
        case Both(conjunction, left, right):
            return truth(left) and truth(right) if conjunction else truth(left) or truth(right)


def random(seed):
    return (1103515245 * seed + 12345) % 2147483648


def grow(seed, depth):
    """A formula, and the seed for what comes next."""
    seed = random(seed)
    kind = seed // 65536 % 4
    if depth == 0 or kind == 0:
        return Literal(seed // 1048576 % 2 == 0), seed
    left, seed = grow(seed, depth - 1)
    if kind == 1:
        return Not(left), seed
    right, seed = grow(seed, depth - 1)
    return Both(kind == 2, left, right), seed


def cell(children, phase):
    shape = ((children + 3) * SIZE, children * SIZE)
    return Cell(np.sin(12.9898 * np.arange(shape[0] * shape[1]) + phase).reshape(shape), np.zeros(shape[0]))


def loss(network, n):
    """Of n formulas, on average."""
    total, seed = 0.0, 7
    for _ in range(n):
        formula, seed = grow(seed, 4)
        margin = network.margin(formula)
        total += np.log1p(np.exp(-margin if truth(formula) else margin))
    return total / n


def right(network, n):
    count, seed = 0, 7
    for _ in range(n):
        formula, seed = grow(seed, 4)
        count += (network.margin(formula) > 0.0) == truth(formula)
    return count


def network(true, false):
    return Network(true, false, cell(1, 0.1), cell(2, 0.2), cell(2, 0.3), 0.5 * np.ones(SIZE))


def at(true, false, n):
    return loss(network(true, false), n)


def step(x, dx):
    return x - 0.5 * dx


def stepped(c, dc):
    return Cell(step(c.w, dc.w), step(c.b, dc.b))


def train(steps, n):
    net = network(np.ones(SIZE), -np.ones(SIZE))
    before = loss(net, n), right(net, n)
    for _ in range(steps):
        d = grad(loss)(net, n)
        net = Network(
            step(net.true, d.true),
            step(net.false, d.false),
            stepped(net.negation, d.negation),
            stepped(net.conjunction, d.conjunction),
            stepped(net.disjunction, d.disjunction),
            step(net.out, d.out),
        )
    return before, (loss(net, n), right(net, n))

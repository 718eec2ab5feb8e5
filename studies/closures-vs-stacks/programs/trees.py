"""Data that holds data of its own kind."""
import math
from dataclasses import dataclass


@dataclass
class Node:
    value: float
    left: "Node | None"
    right: "Node | None"


def build(x, depth):
    if depth == 0:
        return None
    return Node(x * depth, build(x * 0.9, depth - 1), build(x * 1.1, depth - 1))


def total(node):
    if node is None:
        return 0.0
    return math.sin(node.value) + total(node.left) + total(node.right)


def summed(x, n):
    return total(build(x, n))


def height(node):
    if node is None:
        return 1.0
    left = height(node.left)
    right = height(node.right)
    return node.value * (left if left > right else right)


def heights(x, n):
    return height(build(x, n))


def scaled(node, factor):
    if node is None:
        return None
    return Node(node.value * factor, scaled(node.left, factor * 0.9), scaled(node.right, factor))


def rebuilt(x, n):
    return total(scaled(build(x, n), x))


@dataclass
class Link:
    value: float
    rest: "Link | None"


def chained(x, n):
    chain = None
    for i in range(n):
        chain = Link(x * i + 1.0, chain)
    product = 0.0
    while chain is not None:
        product = product + math.log(chain.value)
        chain = chain.rest
    return product


@dataclass
class Number:
    value: float


@dataclass
class Sum:
    a: "Number | Sum | Product"
    b: "Number | Sum | Product"


@dataclass
class Product:
    a: "Number | Sum | Product"
    b: "Number | Sum | Product"


def formula(x, n):
    if n == 0:
        return Number(x)
    if n % 2 == 0:
        return Sum(formula(x * 0.5, n - 1), formula(x, n - 1))
    return Product(formula(x, n - 1), formula(x + 0.1, n - 1))


def evaluate(e):
    match e:
        case Number(value):
            return value
        case Sum(a, b):
            return evaluate(a) + evaluate(b)
        case Product(a, b):
            return evaluate(a) * evaluate(b)


def evaluated(x, n):
    return evaluate(formula(x, n))

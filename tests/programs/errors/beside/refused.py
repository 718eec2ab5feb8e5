"""A module with a function that is refused."""


def g(x):
    return x + unknown

"""A module that is no Python."""


def g(x):
    return x +

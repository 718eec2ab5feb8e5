# The determinant of a matrix of ell rows, which are given one after the other, by expansion along the first row.

import numpy as np
from gradus import grad


def determinant(a):
    n = len(a)
    if n == 1:
        return a[0, 0]
    total = 0.0
    for j in range(n):
        minor = np.concatenate([a[1:, :j], a[1:, j + 1 :]], axis=1)
        total += (-1.0) ** j * a[0, j] * determinant(minor)
    return total


def primal(A, ell):
    return determinant(A.reshape(ell, ell))


def gradient(A, ell):
    return grad(primal)(A, ell)
